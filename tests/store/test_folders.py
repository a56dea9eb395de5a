"""Where tables are looked for and written, and what their files are called."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory.store import tables

from .shared import files


def test_leftovers_are_not_taken_for_tables(folder: Path) -> None:
    gt.save(solved("3d4"), folder / "3d4.split.h5")
    (folder / ".3d4.first.h5.1-ab.part").write_bytes(b"half")
    assert [path.name for path in tables.every() if path.parent == folder] == ["3d4.split.h5"]
    assert tables.find("3d4.first.h5") is None


def test_folders_are_searched_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, given, data = (tmp_path / name for name in ("chosen", "given", "data"))
    user = data / "gametheory" / "tables"
    monkeypatch.setenv("GAMETHEORY_TABLES", str(given))
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(sys, "platform", "linux")
    assert tables.folders(chosen) == [chosen, given, user, tables.packaged_folder()]
    assert tables.folders() == [given, user, tables.packaged_folder()]
    places = [chosen, given, user]
    for place in places:
        place.mkdir(parents=True)
        (place / "biscuits.split.h5").touch()
    for place in places:
        assert tables.find("biscuits.split.h5", chosen) == place / "biscuits.split.h5"
        (place / "biscuits.split.h5").unlink()
    found = tables.find("biscuits.split.h5", chosen)
    assert found == tables.packaged_folder() / "biscuits.split.h5"
    monkeypatch.delenv("GAMETHEORY_TABLES")
    assert tables.folders()[0] == user
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tables.folders()[0] == tmp_path / ".local" / "share" / "gametheory" / "tables"


def test_tables_are_written_to_the_first_folder_given(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    assert run("solve", "2d4", "--tables", tmp_path / "new" / "deep").status == 0
    assert files(tmp_path / "new" / "deep") == ["2d4.split.h5"]
    assert files(folder) == []
    assert run("solve", "2d4").status == 0
    assert files(folder) == ["2d4.split.h5"]
    monkeypatch.delenv("GAMETHEORY_TABLES")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert run("solve", "2d4").status == 0
    assert files(tmp_path / "data" / "gametheory" / "tables") == ["2d4.split.h5"]


def test_a_table_found_first_is_listed_once(folder: Path, tmp_path: Path) -> None:
    for place in (folder, tmp_path / "chosen"):
        place.mkdir(exist_ok=True)
        gt.save(solved("3d4"), place / "3d4.split.h5")
    listed = tables.every(tmp_path / "chosen")
    assert [path.parent for path in listed if path.name == "3d4.split.h5"] == [tmp_path / "chosen"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("x" * 300)):
        with pytest.raises(ValueError, match="cannot write tables to") as caught:
            tables.writable(place)
        assert str(place) in str(caught.value)
        assert "--tables DIR" in str(caught.value)
        ran = run("solve", "2d4", "--tables", place)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert files(tmp_path) == ["file"]


def test_a_question_is_answered_where_its_table_cannot_be_kept(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / ("x" * 300)):
        ran = run("moves", "2d4", "d4:4,4", "--json", "--tables", place)
        assert (ran.status, ran.err) == (0, "")
    assert files(tmp_path) == ["file"]


def test_file_names_are_safe_short_and_tell_games_apart() -> None:
    assert tables.file_name("12d6+d8", "split") == "12d6+d8.split.h5"
    assert tables.file_name("../a b/ü", "split") == ".._a_b_ü.split.h5"
    long = [tables.file_name("d2+" * 100 + end, "split") for end in ("d3", "d4")]
    assert long[0] != long[1]
    assert all(len(name.encode()) < 200 for name in [*long, tables.file_name("ü" * 300, "split")])
