"""Scorecards solved, against the oracle on small cards and against published figures on the games that are played."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gametheory as gt
from gametheory import columns
from gametheory.match.duel import Duel
from gametheory.scorecard.rules import GAMES, ScorecardGame
from gametheory.scorecard.solver import Scorecards

from . import oracle
from .shared import SMALL, game

EXACT = 1e-12


@cache
def solved(name: str, tie: str = "split") -> Duel:
    found = gt.solve(game(name), tie)
    assert isinstance(found, Duel)
    return found


# Against the oracle.


@pytest.mark.parametrize("name", SMALL)
def test_expected_scores_are_those_of_the_oracle(name: str) -> None:
    assert solved(name).expected_score == pytest.approx(float(oracle.expected(SMALL[name])), abs=EXACT)


@pytest.mark.parametrize("tie", ["split", "first", "second", "0.3"])
@pytest.mark.parametrize("name", SMALL)
def test_both_seats_are_worth_what_the_oracle_says(name: str, tie: str) -> None:
    rule: Any = Fraction(3, 10) if tie == "0.3" else tie
    found, exact = solved(name, tie), oracle.second_values(SMALL[name], rule)
    for target, chance in zip(*found.second_by_target(), strict=True):
        assert chance == pytest.approx(float(exact[target]), abs=EXACT), target
    assert found.first_player_value == pytest.approx(float(oracle.first_value(SMALL[name], rule)), abs=EXACT)


@pytest.mark.parametrize("name", ["plain", "free", "yatzy"])
def test_replayed_ties_are_worth_what_the_oracle_says(name: str) -> None:
    found = solved(name, "replay")
    assert found.first_player_value == pytest.approx(float(oracle.first_value(SMALL[name], "replay")), abs=1e-11)


@pytest.mark.parametrize("name", ["forced", "free", "yatzy", "bonus", "three-dice", "one-throw"])
@pytest.mark.parametrize(("policy", "target"), [("score", None), ("win", None), ("win", 9)])
def test_distributions_are_those_of_the_oracle(name: str, policy: str, target: int | None) -> None:
    made = solved(name).distribution(policy, target)
    exact = oracle.distribution(SMALL[name], policy, "split", target)
    found = dict(zip(made.scores, made.probabilities, strict=True))
    assert set(exact) <= set(found)
    assert found == pytest.approx({score: float(exact.get(score, 0)) for score in found}, abs=EXACT)


@pytest.mark.parametrize("name", ["forced", "free", "plain", "three-dice"])
def test_comparisons_and_partings_are_those_of_the_oracle(name: str) -> None:
    found, exact = solved(name).compare(["score", "win"]), oracle.compare(SMALL[name])
    for key in ("first_win", "tie", "second_win"):
        assert np.abs(getattr(found, key) - np.array(exact[key], float)).max() < EXACT
    summary, parted = solved(name).diff().summary, oracle.difference(SMALL[name])
    for figure in ("decisions_per_game", "disagreements_per_game", "win_probability_lost", "first_roll_disagreement"):
        assert getattr(summary, figure) == pytest.approx(float(getattr(parted, figure)), abs=EXACT), figure
    lost = sum(row.probability * row.cost for row in solved(name).diff().top(10**6))
    assert lost == pytest.approx(float(parted.win_probability_lost), abs=EXACT)


@pytest.mark.parametrize("name", ["forced", "free"])
def test_single_moves_are_worth_what_the_oracle_says(name: str) -> None:
    rules = SMALL[name]
    win, points = oracle.policy(rules, "win").play, oracle.for_points(rules)
    for move in solved(name).moves((3, 1), rolls_left=1):
        assert move.win_probability == pytest.approx(float(win.keep_value(oracle.Card(), 0, 1, move.keep)), abs=EXACT)
        assert move.expected_score == pytest.approx(float(points.keep_value(oracle.Card(), 0, 1, move.keep)), abs=EXACT)
    for move in solved(name).moves((3, 3), rolls_left=0):
        exact = win.box_value(oracle.Card(), 0, (3, 3), move.keep)
        assert move.win_probability == pytest.approx(float(exact), abs=EXACT)


# One figure two ways.


@pytest.mark.parametrize("name", ["forced", "free-bonus", "five"])
def test_tables_are_what_the_plain_rules_make_of_them(name: str) -> None:
    checked = solved(name).verify()
    assert checked.checked > 100
    assert checked.worst_residual < EXACT


@pytest.mark.parametrize("name", ["forced", "five"])
def test_a_large_game_is_asked_as_a_small_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where turns are worked out as they are asked for, every figure is the same."""
    monkeypatch.setattr("gametheory.scorecard.solver.SMALL", 0)
    space = Scorecards(game(name))
    assert not space.small
    large = gt.match.duel.solve(space.game, space=space)
    one = solved(name)
    assert large.first_player_value == one.first_player_value
    assert large.second_by_target() == one.second_by_target()
    for rolls_left in (0, 1):
        for target in (None, 7):
            asked: dict[str, Any] = {"rolls_left": rolls_left, "target": target, "card": "chance:4"}
            assert list(large.moves((3, 3), **asked)) == list(one.moves((3, 3), **asked))
    assert large.verify().worst_residual < EXACT


def test_threads_change_no_bit() -> None:
    space = Scorecards(game("five"))
    one, two = (columns.best(space, space.chase_ends(1.0, 0.5), threads=threads).values for threads in (1, 2))
    assert one.tobytes() == two.tobytes()


# Published figures.

PUBLISHED = {
    "yahtzee": 254.5877,  # yahtzee-engine 0.1.0 (2026), whose joker is forced
    "yahtzee-free-joker": 254.5896,  # Verhoeff, "How to Maximize Your Score in Solitaire Yahtzee" (1999)
    "yatzy": 248.44,  # github.com/dlangk/yatzy, "The Optimal Strategy": 248.4
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_expected_scores_are_the_published_ones(name: str) -> None:
    space = Scorecards(GAMES[name])
    found = float(columns.points(space).by_card[-1])  # type: ignore[attr-defined]
    assert found == pytest.approx(PUBLISHED[name], abs=0.5 * 10 ** -len(str(PUBLISHED[name]).partition(".")[2]))


# A plain solver in C.


def plainly(tmp_path: Path, opened: str, *flags: str) -> tuple[float, dict[int, float], float]:
    """Return expected score, the second player's chance by target, and the first player's, as C works them out."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = tmp_path / "yahtzee"
    source = Path(__file__).with_name("yahtzee.c")
    subprocess.run([compiler, "-O3", *flags, str(source), "-o", str(program)], check=True, capture_output=True)
    told = subprocess.run([str(program), opened], check=True, capture_output=True, text=True).stdout.split("\n")
    expected, *seconds, first = (line.split() for line in told if line)
    return float(expected[1]), {int(target): float(chance) for _, target, chance in seconds}, float(first[1])


def agrees(found: Duel, plain: tuple[float, dict[int, float], float], tolerance: float) -> None:
    expected, seconds, first = plain
    assert found.expected_score == pytest.approx(expected, abs=tolerance)
    assert found.first_player_value == pytest.approx(first, abs=tolerance)
    chances = dict(zip(*found.second_by_target(), strict=True))
    assert len(chances) > 200
    assert chances == pytest.approx({target: seconds[target] for target in chances}, abs=tolerance)


def test_four_boxes_with_five_dice_are_what_plain_c_makes_of_them(tmp_path: Path) -> None:
    boxes = ("ones", "sixes", "yahtzee", "chance")
    four = ScorecardGame("four", boxes, yahtzee_bonus=100, joker="forced")
    agrees(gt.match.duel.solve(four), plainly(tmp_path, "1100000100001"), 1e-11)


@pytest.mark.slow
def test_all_of_yahtzee_is_what_plain_c_makes_of_it(tmp_path: Path) -> None:
    found = gt.solve("yahtzee")
    assert isinstance(found, Duel)
    agrees(found, plainly(tmp_path, "1111111111111", "-march=native", "-fopenmp"), 1e-9)
