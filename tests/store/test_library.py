"""Games by name: found in a stored table or solved, and what is there is never silently replaced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory import games
from gametheory.store import form, library
from gametheory.store.tables import TableError

from .shared import assert_one_line, files, rewrite, set_attribute


def test_a_game_from_a_file_that_takes_a_known_name_does_not_get_its_table(folder: Path, run: Run) -> None:
    answers = []
    for dice in ("2d4", "3d4"):
        Path("mine.toml").write_text(f'name = "threes"\ndice = "{dice}"\n')
        ran = run("second", "mine.toml", "--json")
        assert ran.status == 0
        answers.append(json.loads(ran.out)["targets"])
    # An edited file is another game, with a table of its own.
    assert answers == [list(range(2, 9)), list(range(3, 13))]


def test_a_table_under_the_name_of_another_game_is_refused(folder: Path, run: Run) -> None:
    run("solve", "2d4", "--tables", folder)
    (folder / "2d4.split.h5").rename(folder / "3d4.split.h5")
    ran = run("second", "3d4", "--json", "--tables", folder)
    assert (ran.status, ran.out) == (1, "")
    assert "other rules" in ran.err


def test_a_table_of_another_tie_rule_under_this_name_is_refused(folder: Path, run: Run) -> None:
    path = gt.save(solved("3d4", "first"), folder / "3d4.split.h5")
    with pytest.raises(TableError, match="tie first, not split") as caught:
        library.find(games.game("3d4"))
    assert_one_line(caught.value, path)
    ran = run("moves", "3d4", "d4:1,1,1", "--json")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)


# Solving where a table is.


def identity(path: Path) -> tuple[int, int, str]:
    about = path.stat()
    return about.st_ino, about.st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()


def test_solving_again_leaves_the_same_table_alone(folder: Path, run: Run) -> None:
    run("solve", "2d4")
    before = identity(folder / "2d4.split.h5")
    ran = run("solve", "2d4")
    assert ran.status == 0
    assert identity(folder / "2d4.split.h5") == before
    assert files(folder) == ["2d4.split.h5"]


def test_a_table_of_another_version_of_the_package_answers_and_is_left_alone(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form, "__version__", "99.0")
    path = gt.save(solved("2d4"), folder / "2d4.split.h5")
    monkeypatch.undo()
    before = identity(path)
    assert run("solve", "2d4").status == 0
    assert run("verify", path).status == 0
    monkeypatch.setattr(library, "compute", None)  # whoever solves now fails
    assert library.find(games.game("2d4")).first_player_value == solved("2d4").first_player_value
    assert run("second", "2d4", "--json").status == 0
    assert identity(path) == before
    assert files(folder) == [path.name]


def other_values(path: Path) -> None:
    def change(file: Any) -> None:
        values = file["first"][()]
        values[-1, 0] += 1e-9
        file["first"][...] = values

    rewrite(path, change)


def other_rules(path: Path) -> None:
    gt.save(solved("3d4"), path)


def other_tie(path: Path) -> None:
    gt.save(solved("2d4", "first"), path)


@pytest.mark.parametrize(
    "spoil",
    [
        other_values,
        other_rules,
        other_tie,
        lambda path: rewrite(path, set_attribute("format_version", form.FORMAT_VERSION + 1)),
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_text("text"),
    ],
    ids=["values", "rules", "tie", "format", "cut", "text"],
)
def test_another_table_is_replaced_only_by_force(spoil: Callable[[Path], Any], folder: Path, run: Run) -> None:
    run("solve", "2d4")
    path = folder / "2d4.split.h5"
    sound = path.read_bytes()
    spoil(path)
    before = identity(path)
    ran = run("solve", "2d4")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert str(path) in ran.err
    assert "--force" in ran.err
    assert identity(path) == before
    assert run("solve", "2d4", "--force").status == 0
    assert path.read_bytes() == sound
    assert files(folder) == [path.name]
