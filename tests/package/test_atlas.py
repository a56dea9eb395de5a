"""The atlas: every game has its page and its data, which are what is solved now and what is published."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import h5py
import pytest

import gametheory as gt

from .shared import ROOT, python

ATLAS = runpy.run_path(str(ROOT / "scripts" / "atlas.py"), run_name="imported")
FOLDER = ROOT / "docs" / "atlas"
ENTRIES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
}


def test_there_are_thirty_games_and_more_each_with_its_page() -> None:
    assert len(ENTRIES) >= 30
    assert set(ENTRIES) == {path.stem for path in FOLDER.glob("*.md")} - {"index"}
    assert set(ENTRIES) <= set(ATLAS["catalogue"]())


@pytest.mark.parametrize("name", ENTRIES)
def test_pages_are_made_of_the_data(name: str) -> None:
    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == ATLAS["page"](ENTRIES[name])


def test_the_front_page_lists_every_game() -> None:
    assert (FOLDER / "index.md").read_text(encoding="utf-8") == ATLAS["index"](ENTRIES.values())


def said(rules: str) -> list[str]:
    """Return the lines of a rules file that say something."""
    return [line for line in rules.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_is_of_the_game_that_bears_its_name(name: str, tmp_path: Path) -> None:
    """The file on the page is read back as the game: what it says is what the game's own rules are now."""
    path = tmp_path / f"{name}.toml"
    path.write_text(ENTRIES[name]["rules"], encoding="utf-8")
    now = gt.rules(ATLAS["read"](name, ATLAS["catalogue"]()[name])).rules
    assert said(gt.rules(gt.game(str(path))).rules) == said(now)


@pytest.mark.parametrize("name", ["2d6", "piglet", "threes-keep-two", "midnight"])
def test_an_entry_is_what_is_solved_now(name: str) -> None:
    found, known = ATLAS["solve"](name, ATLAS["catalogue"]()[name]), ENTRIES[name]
    assert {key: found[key] for key in found if key != "rules"} == {key: known[key] for key in known if key != "rules"}


@pytest.mark.parametrize("path", sorted((ROOT / "tables").glob("*.h5")), ids=lambda path: path.name)
def test_the_digests_are_those_of_the_tables_that_come_with_the_package(path: Path) -> None:
    with h5py.File(path) as file:
        assert ENTRIES[path.name.split(".")[0]]["digest"] == file.attrs["digest"]


def test_what_was_interrupted_goes_on_where_it_was(tmp_path: Path) -> None:
    """A second run makes what is missing and nothing else, in two processes as in one."""
    run = (
        f"import runpy, sys; from pathlib import Path; sys.path.insert(0, {str(ROOT / 'scripts')!r}); import atlas;"
        f"atlas.FOLDER = Path({str(tmp_path)!r}); atlas.main()"
    )
    python("-c", run, "2d6")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("2d6.*")}
    said = python("-c", run, "2d6", "3d6", "--processes", "2")
    assert "the atlas has 2 games" in said
    assert before == {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("2d6.*")}
    assert (tmp_path / "3d6.json").read_bytes() == (FOLDER / "3d6.json").read_bytes()


PUBLISHED = [
    # The blog post on Biscuits by possiblywrong; the second counts the same points as lost from 102.
    ("biscuits", ("expected",), 93.912068, 5e-7),
    ("badg", ("expected",), 102 - 93.912068, 5e-7),
    # Neller and Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (1), 2004.
    ("pig", ("by_tie", "split", "first"), 0.5306, 5e-5),
    ("pig", ("expected",), 8.14, 5e-3),
    ("piglet", ("by_tie", "split", "first"), 4 / 7, 1e-12),
    # Amund211/10001, results.txt.
    ("ten-thousand", ("expected",), 590.7, 0.0501),
    # Busche and Neller, Optimal Play of the Farkle Dice Game: the fairest compensation of the second player.
    ("farkle", ("fair", "bonus"), 200, 0),
    # Verhoeff, How to Maximize Your Score in Solitaire Yahtzee, 1999; with a forced joker, yahtzee-engine 0.1.0.
    ("yahtzee-free-joker", ("expected",), 254.5896, 5e-5),
    ("yahtzee", ("expected",), 254.5877, 5e-5),
    # github.com/dlangk/yatzy, The Optimal Strategy.
    ("yatzy", ("expected",), 248.4, 5e-2),
]


@pytest.mark.parametrize(("name", "keys", "figure", "within"), PUBLISHED)
def test_ten_figures_are_the_published_ones(name: str, keys: tuple[str, ...], figure: float, within: float) -> None:
    found: Any = ENTRIES[name]
    for key in keys:
        found = found[key]
    assert abs(found - figure) <= within


