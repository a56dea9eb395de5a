"""Tables too large for one file: a folder with a file a level, damaged, cut short, taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest

import gametheory as gt
from gametheory.match.duel import Duel
from gametheory.match.solution import Request
from gametheory.scorecard import family
from gametheory.shelf import Shelf, TableError, pack
from gametheory.store import library, tables

from .shared import game


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every card be too large for memory."""
    monkeypatch.setattr("gametheory.scorecard.solver.SMALL", 0)
    monkeypatch.setattr(family, "_space", family._space.__wrapped__)


def solved(folder: Path) -> tuple[Duel, Path]:
    found = library.solve(game("forced"), Request(), folder)
    assert isinstance(found.solution, Duel)
    assert found.path is not None
    return found.solution, found.path


def rows_of(path: Path) -> list[Path]:
    return sorted(path.glob("*.rows"))


def test_a_folder_is_read_back_as_it_was_solved(large: None, tmp_path: Path) -> None:
    one, path = solved(tmp_path)
    assert path.is_dir()
    assert len(rows_of(path)) == 10  # both players, the end and four levels
    again = gt.load(path)
    assert isinstance(again, Duel)
    assert tables.digest(again) == tables.digest(one)
    assert again.second_by_target() == one.second_by_target()
    assert again.moves((3, 1), target=20).to_dict() == one.moves((3, 1), target=20).to_dict()
    assert again.verify().worst_residual < 1e-12
    assert tables.every(tmp_path)[0] == path


def test_a_damaged_part_is_refused_by_name_and_nothing_else_is_lost(large: None, tmp_path: Path) -> None:
    one, path = solved(tmp_path)
    second = one.arrays["second"][1].key
    damaged = path / f"{second}-01.rows"
    content = bytearray(damaged.read_bytes())
    content[3] ^= 1
    damaged.write_bytes(content)
    again = gt.load(path)
    assert isinstance(again, Duel)
    assert again.second(20) == one.second(20)  # the start is in another file
    assert again.first_player_value == one.first_player_value
    with pytest.raises(TableError, match=rf"{second}-01\.rows is damaged in part 0: solve the game again"):
        again.moves((3, 1), rolls_left=0, card="ones:1,threes:3", target=20)
    damaged.unlink()
    with pytest.raises(TableError, match=rf"{second}-01\.rows is missing"):
        gt.load(path).moves((3, 1), rolls_left=0, card="ones:1,threes:3", target=20)


@pytest.mark.parametrize("cut", [1, 40, -1])
def test_a_file_that_was_cut_short_is_refused(tmp_path: Path, cut: int) -> None:
    shelf = Shelf(tmp_path)
    shelf.write("0123456789abcdef", 1, [pack(b"some rows"), pack(b"others")])
    assert Shelf(tmp_path).read("0123456789abcdef", 1, 1) == b"others"
    path = shelf.path("0123456789abcdef", 1)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(TableError, match="is damaged or was cut short"):
        Shelf(tmp_path).read("0123456789abcdef", 1, 1)


def test_a_solve_that_was_cut_short_goes_on_at_the_last_finished_level(
    large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[tuple[str, int]] = []
    write = Shelf.write

    def count(shelf: Shelf, key: str, level: int, parts: object) -> None:
        if len(written) == 7:
            raise KeyboardInterrupt
        write(shelf, key, level, parts)  # type: ignore[arg-type]
        written.append((key, level))

    monkeypatch.setattr(Shelf, "write", count)
    with pytest.raises(KeyboardInterrupt):
        solved(tmp_path)
    assert tables.every(tmp_path) == [path for path in tables.every(tmp_path) if not path.is_dir()]  # not a table yet
    begun = list(written)
    written.clear()
    one, path = solved(tmp_path)
    assert not set(begun) & set(written)
    assert len(begun) + len(written) == len(rows_of(path)) == 10
    assert one.first_player_value == gt.match.duel.solve(game("forced")).first_player_value


def test_solving_with_force_begins_anew(large: None, tmp_path: Path) -> None:
    _, path = solved(tmp_path)
    before = {rows: rows.stat().st_mtime_ns for rows in rows_of(path)}
    library.solve(game("forced"), Request(force=True), tmp_path)
    assert all(rows.stat().st_mtime_ns > before[rows] for rows in rows_of(path))
