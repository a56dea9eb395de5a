"""How the command line is asked in tests: in this process, in a place where the tables are kept between tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Solve

import gametheory as gt

from .shared import SMALL, answer, spell, write_files

Ask = Callable[..., Any]
Tell = Callable[..., str]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the rules files, in which tables are kept for all tests."""
    folder = tmp_path_factory.mktemp("place")
    write_files(folder)
    return folder


@pytest.fixture
def ask(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask a question of the game given second; return the printed JSON object."""
    monkeypatch.chdir(place)

    def ask(command: str, game: str, *more: object) -> Any:
        return answer(run(command, spell(game), *map(str, more), "--tables", "tables", "--json"))

    return ask


@pytest.fixture
def tell(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> Tell:
    """Ask the same for people; return the printed text."""
    monkeypatch.chdir(place)

    def tell(command: str, game: str, *more: object) -> str:
        ran = run(command, spell(game), *map(str, more), "--tables", "tables")
        assert (ran.status, ran.err) == (0, ""), ran.err
        return ran.out

    return tell


@pytest.fixture
def ready(folder: Path, solved: Solve) -> Path:
    """Give an empty place but for the table of the small game; return the folder of tables."""
    gt.save(solved(SMALL), folder / f"{SMALL}.split.h5")
    return folder
