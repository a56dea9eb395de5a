"""What tests share: folders that are not the user's, games solved once, and the command line as a function."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import shared
from browser import chromium as chromium

from gametheory.cli.main import main


@pytest.fixture(scope="session", autouse=True)
def _keep_out_of_the_users_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test, nor any process it starts, read or write tables in the user's own folders."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMETHEORY_TABLES", str(home / "tables"))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        patch.setenv("COLUMNS", "80")
        yield


Solve = Callable[..., Any]


@pytest.fixture(scope="session")
def solved() -> Solve:
    """Solve a game by its name, once a session."""
    return shared.solved


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty folder of tables that is also the one tables are written to; the working directory is empty too."""
    place = tmp_path / "tables"
    place.mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("GAMETHEORY_TABLES", str(place))
    return place


class Ran(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""

    def run(*arguments: str | os.PathLike[str]) -> Ran:
        capsys.readouterr()
        status = main([os.fspath(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return run


# What the suite counts: printed at its end.

FIGURES = pytest.StashKey[dict[str, int]]()

RecordFigure = Callable[[str, int], None]


@pytest.fixture
def record_figure(pytestconfig: pytest.Config) -> RecordFigure:
    """Add to a figure that is printed when all tests are done."""

    def record(name: str, count: int) -> None:
        figures = pytestconfig.stash.setdefault(FIGURES, {})
        figures[name] = figures.get(name, 0) + count

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was counted."""
    figures = config.stash.get(FIGURES, {})
    if figures:
        counted = ", ".join(f"{count:,} {name}" for name, count in sorted(figures.items()))
        terminalreporter.write_line(f"Abuse: {counted}")
