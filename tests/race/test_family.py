"""Check what the catalogue knows of races, and that asking it needs no compiler."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gametheory.match.kinds import kind
from gametheory.match.solution import Solution
from gametheory.race.family import FAMILY
from gametheory.race.named import RACES
from gametheory.race.rules import RaceGame


@pytest.mark.parametrize("game", RACES.values(), ids=RACES)
def test_rules_make_the_same_race_again(game: RaceGame) -> None:
    rules = json.loads(json.dumps(FAMILY.rules(game)))
    assert rules["family"] == game.family == FAMILY.name
    assert FAMILY.from_rules(rules) == game


def test_a_race_is_told_by_its_goal() -> None:
    assert FAMILY.reads({"goal": 100})
    assert not FAMILY.reads({"dice": "5d6"})


def test_a_file_says_only_what_is_not_as_in_the_race_it_is_like() -> None:
    short = FAMILY.from_file({"name": "short", "goal": 50}, RACES["pig"])
    assert (short.name, short.goal) == ("short", 50)
    assert short.with_goal(100) == FAMILY.from_file({"name": "short"}, RACES["pig"])


def test_kinds_are_where_they_are_said_to_be() -> None:
    for name in FAMILY.kinds.values():
        assert issubclass(kind(name), Solution)


def test_tables_have_names() -> None:
    for name in FAMILY.tables:
        table = FAMILY.table(RACES["pig"], name)
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    with pytest.raises(ValueError, match="there is no table 'best'"):
        FAMILY.table(RACES["pig"], "best")


def test_the_family_needs_no_compiler() -> None:
    script = "import sys, gametheory.race.family; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
