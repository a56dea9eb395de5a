"""Check the rules of races: scoring, classes, files, and what is refused."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import oracle_race
import pytest

from gametheory import games
from gametheory.race import rules as race_rules
from gametheory.race.named import RACES, from_dict, to_dict
from gametheory.race.rules import RaceGame

TEN = RACES["ten-thousand"]


def test_class_counts_are_those_of_the_source() -> None:
    """Find 3, 6, 14, 31, 61 and 119 classes: github.com/Amund211/10001, README."""
    assert [len(race_rules.outcome_classes(TEN, dice)) for dice in range(1, 7)] == [3, 6, 14, 31, 61, 119]


@pytest.mark.parametrize("game", RACES.values(), ids=RACES)
def test_weights_count_every_ordered_roll(game: RaceGame) -> None:
    for dice in range(1, game.dice + 1):
        assert sum(weight for _, weight in race_rules.rolls(game, dice)) == game.sides**dice
        assert sum(outcome.weight for outcome in race_rules.outcome_classes(game, dice)) == game.sides**dice


def test_bust_chances_are_exact() -> None:
    """Count by hand: no 1, no 5, no three of a kind, no three pairs."""
    found = [race_rules.bust_chance(TEN, dice) for dice in range(1, 7)]
    assert found[:2] == [Fraction(2, 3), Fraction(4, 9)]
    assert found[2] == Fraction(4**3 - 4, 6**3)
    for dice in (4, 5, 6):
        busts = 0
        for roll in product((2, 3, 4, 6), repeat=dice):
            counts = sorted(roll.count(face) for face in set(roll))
            busts += counts[-1] < 3 and counts != [2, 2, 2]
        assert found[dice - 1] == Fraction(busts, 6**dice)
    assert race_rules.bust_chance(RACES["pig"], 1) == Fraction(1, 6)


@pytest.mark.parametrize(
    ("kept", "points"),
    [
        ((1,), 100),
        ((5,), 50),
        ((1, 1, 1), 1000),
        ((5, 5, 5, 5), 1000),
        ((2, 2, 2, 2, 2, 2), 1600),
        ((1, 1, 1, 1, 1, 1), 8000),
        ((6, 5, 4, 3, 2, 1), 2000),
        ((6, 6, 4, 4, 1, 1), 1500),
        ((3, 3, 3, 3, 1, 1), 800),
        ((4, 4), None),
        ((2, 2, 2, 4), None),
    ],
)
def test_points_are_those_of_the_source(kept: tuple[int, ...], points: int | None) -> None:
    """Score as the table in github.com/Amund211/10001, dice_10001/scoring.py."""
    assert race_rules.keep_points(TEN, tuple(sorted(kept, reverse=True))) == points


def test_four_and_two_of_a_kind_are_no_three_pairs() -> None:
    kept = {keep.kept: keep.points for keep in race_rules.keeps(TEN, (3, 3, 3, 3, 2, 2))}
    assert kept == {(3, 3, 3): 300, (3, 3, 3, 3): 600}


@pytest.mark.parametrize("game", [TEN, RACES["farkle"], RACES["pig"]], ids=lambda game: game.name)
def test_options_match_every_subset_of_every_ordered_roll(game: RaceGame) -> None:
    """Compare with the oracle, which throws every die apart and tries all splits of all subsets."""
    most = min(game.dice, 4)
    plain = oracle_race.race_of(RaceGame(**{**vars_of(game), "dice": most, "straight": 0, "three_pairs": 0}))
    for dice in range(1, most + 1):
        found: dict[frozenset[tuple[int, int]], int] = {}
        for roll, weight in race_rules.rolls(game, dice):
            offered = frozenset((keep.points, dice - len(keep.kept)) for keep in race_rules.keeps(game, roll))
            found[offered] = found.get(offered, 0) + weight
        assert found.pop(frozenset(), 0) == plain.busts[dice]
        assert found == {options: weight for weight, options in plain.throws[dice]}


def vars_of(game: RaceGame) -> dict[str, Any]:
    """Return the fields of a race."""
    return {field.name: getattr(game, field.name) for field in fields(RaceGame)}


@pytest.mark.parametrize("game", RACES.values(), ids=RACES)
def test_rules_survive_json(game: RaceGame) -> None:
    assert from_dict(json.loads(json.dumps(to_dict(game)))) == game
    assert game.about


def test_a_house_rule_is_a_line_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text('like = "ten-thousand"\ngoal = 5000\nhot_dice = false\nmore_of_a_kind = [1000, 2000, 3000]\n')
    game = games.load(path)
    assert isinstance(game, RaceGame)
    assert (game.name, game.goal, game.hot_dice, game.opening) == ("short", 5000, False, 1000)
    assert race_rules.keep_points(game, (2, 2, 2, 2)) == 1000
    assert [keep.dice_left for keep in race_rules.keeps(game, (5, 1)) if len(keep.kept) == 2] == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('like = "ten-thousand"\ngaol = 5', "unknown key 'gaol'.*goal"),
        ('like = "ten-thousand"\nstraight = 1.5', "straight is 1.5: give a whole number"),
        ('like = "ten-thousand"\nsingles = {1 = -100}', "singles of face 1 is -100"),
        ('like = "ten-thousand"\nsingles = {1 = 100, 2 = 0}', "singles of face 2 is 0: every scoring keep"),
        ('like = "ten-thousand"\nmore_of_a_kind = [0]', "more_of_a_kind for 4 dice is 0"),
        ('like = "ten-thousand"\nsingles = {7 = 100}', "face '7'"),
        ('like = "ten-thousand"\nbust = "all"', "bust is 'all'"),
        ('like = "nothing"', "like is 'nothing'"),
        ('like = "pig"\nopening = 5000\nhot_dice = false', "the goal cannot be reached: opening is 5000"),
        ("dice = 1\nsides = 6\ngoal = 10\nsingles = {}", "no roll scores"),
        ("dice = 1\nsides = 2\ngoal = 10\nsingles = {1 = 1, 2 = 1}", "a turn need never end"),
        ("dice = 1\nsides = 2\nsingles = {1 = 1}", "goal is missing"),
        ('like = "pig"\ngoal = 0', "goal is 0"),
        ('like = "pig"\nbust_faces = 1', "bust_faces is 1"),
    ],
)
def test_bad_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        from_dict({"name": "house"} | tomllib.loads(text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('like = "ten-thousand"\ngaol = 5', "unknown key 'gaol'.*goal"),
        ("dice = 1\nsides = 6\ngoal = 10\nsingles = {}", "no roll scores"),
        ("dice == 3", "not a TOML file"),
    ],
)
def test_bad_files_are_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        games.load(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
