"""Pool games solved for two: published values, the exact oracle, and what must hold of every table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pools import SMALL, TIES, as_pool
from shared import solved

from gametheory import columns, games
from gametheory.dice import Die
from gametheory.match import duel
from gametheory.pool.rules import PoolGame, State
from gametheory.pool.solver import Pool

CLOSE = 1e-12


def reachable(game: PoolGame) -> list[tuple[tuple[int, ...], int]]:
    return [(left, b) for left in game.pools for b in game.scores(game.banked_dice(left))]


# Published values.


def test_expected_score_of_biscuits_is_the_published_one() -> None:
    # The blog post on Biscuits says about 93.9; a plain enumeration of every roll in C gives these decimals.
    assert round(solved("biscuits").expected_score, 6) == 93.912068


def test_expected_score_of_four_dice_is_the_published_fraction() -> None:
    assert solved("4d6").expected_score == pytest.approx(989065 / 52488, abs=CLOSE)


@pytest.mark.parametrize(
    ("dice", "value"),
    [
        (1, Fraction(3)), (2, Fraction(79, 18)), (3, Fraction(2261, 432)), (4, Fraction(544369, 93312)),
        (5, Fraction(504205555, 80621568)),
    ],
)  # fmt: skip
def test_expected_score_of_threes_is_the_published_fraction(dice: int, value: Fraction) -> None:
    game = PoolGame("threes", (dice,), (Die("d6", (1, 2, 0, 4, 5, 6)),), higher_wins=False)
    assert duel.solve(game).expected_score == pytest.approx(float(value), abs=CLOSE)


def test_badg_is_biscuits_mirrored() -> None:
    biscuits, badg = solved("biscuits"), solved("badg")
    assert badg.first_player_value == biscuits.first_player_value
    assert badg.expected_score == pytest.approx(102 - biscuits.expected_score, abs=1e-11)
    for target in range(15, 103):
        assert badg.second(102 - target) == biscuits.second(target)


# The exact oracle, which shares no code with the solver.


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_expected_scores_equal_the_oracle_everywhere(game: PoolGame) -> None:
    two, exact = solved(game), oracle.expected(as_pool(game), game.higher_wins)
    assert {(left, b) for left, b in exact} == set(reachable(game))
    for (left, banked), value in exact.items():
        assert two.expected(State(left, banked)) == pytest.approx(float(value), abs=CLOSE)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_both_seats_equal_the_oracle_everywhere(game: PoolGame, tie: str) -> None:
    two, exact_pool = solved(game, tie), as_pool(game)
    first = oracle.first(exact_pool, game.higher_wins, TIES[tie])
    for (left, banked), value in first.items():
        assert two.first(State(left, banked)) == pytest.approx(float(value), abs=CLOSE)
    second = oracle.second_states(exact_pool, game.higher_wins, TIES[tie])
    for (target, left, banked), value in second.items():
        assert two.second(target, State(left, banked)) == pytest.approx(float(value), abs=CLOSE)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_a_replayed_tie_is_worth_the_game(game: PoolGame) -> None:
    two = solved(game, "replay")
    exact = oracle.replay(as_pool(game), game.higher_wins)
    assert two.tie_worth == pytest.approx(float(exact), abs=1e-12)
    assert two.second_player_value == pytest.approx(two.tie_worth, abs=1e-13)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_small_pool_equals_the_oracle(data: Any) -> None:
    dice = data.draw(st.lists(st.lists(st.integers(-3, 6), min_size=2, max_size=4), min_size=1, max_size=3))
    dice.sort(key=len)
    counts = [data.draw(st.integers(1, 3 if len(dice) == 1 else 2)) for _ in dice]
    higher = data.draw(st.booleans())
    kinds = tuple(Die(f"{'abc'[k]}{len(points)}", tuple(points)) for k, points in enumerate(dice))
    game = PoolGame("drawn", tuple(counts), kinds, higher_wins=higher)
    two, exact = duel.solve(game, 0.25), as_pool(game)
    start = (game.counts, 0)
    assert two.expected_score == pytest.approx(float(oracle.expected(exact, higher)[start]), abs=CLOSE)
    assert two.first_player_value == pytest.approx(float(oracle.first(exact, higher, Fraction(1, 4))[start]), abs=CLOSE)


# What must hold of every table.


@pytest.mark.parametrize("name", ["biscuits", "badg", "threes", "2d4+3d6+d8"])
def test_unreachable_entries_are_nan_and_no_reachable_one_is(name: str) -> None:
    game = games.game(name)
    two = solved(game)
    assert not np.isnan(two.expected_table).any()
    known = np.zeros(two.first_table.shape, bool)
    for left, banked in reachable(game):
        known[(*left, banked - two.axes["banked"][0])] = True
    assert (np.isnan(two.first_table) == ~known).all()
    needed = np.zeros(two.second_table.shape, bool)
    low, high = game.lowest(game.counts), game.highest(game.counts)
    for left, banked in reachable(game):
        start = low - banked - int(two.axes["needed"][0])
        needed[left][start : start + high - low + 1] = True
    assert (np.isnan(two.second_table) == ~needed).all()


@pytest.mark.parametrize("name", ["biscuits", "badg", "threes"])
def test_values_are_chances_and_rise_with_banked_points_and_fall_with_the_target(name: str) -> None:
    two = solved(name)
    for rows in (two.gain_first, two.gain_second):
        for row in rows:
            known = row[~np.isnan(row)]
            assert ((known >= 0) & (known <= 1)).all()
            assert (np.diff(known) >= -1e-13).all()
    _, chances = two.second_by_target()
    assert (np.diff(chances) * two.game.sign <= 1e-15).all()


def test_one_thread_and_two_give_the_same_bytes() -> None:
    for name in ("biscuits", "3d4+3d6+2d8"):
        one, two = (duel.solve(games.game(name), threads=threads) for threads in (1, 2))
        for table in ("expected_table", "first_table", "second_table"):
            assert getattr(one, table).tobytes() == getattr(two, table).tobytes()


def test_trimming_settled_columns_changes_nothing_beyond_the_error_bound() -> None:
    game = games.game("6d6+d8+d10")
    space = Pool(game)
    ends = space.chase_ends(1.0, 0.5)
    trimmed, whole = columns.best(space, ends), space.begin(ends, trim=False)
    for level in range(len(space.levels)):
        space.backup(level, whole, None)
    assert trimmed.work < whole.work
    assert np.nanmax(np.abs(trimmed.values - whole.values)) <= trimmed.error_bound < 1e-12


def test_order_of_kinds_does_not_matter() -> None:
    # Two kinds of six-sided dice with the same points are the same as one kind of both.
    split = PoolGame("split", (2, 2), (Die("a6", (1, 2, 3, 4, 5, 6)), Die("b6", (1, 2, 3, 4, 5, 6))))
    one, two = solved("4d6"), solved(split)
    assert two.first_player_value == pytest.approx(one.first_player_value, abs=CLOSE)
    assert two.expected_score == pytest.approx(one.expected_score, abs=CLOSE)


# Refusals.


@pytest.mark.parametrize("tie", ["foo", "2", "-0.5", "nan", "inf", ""])
def test_a_tie_rule_that_is_none_is_refused(tie: str) -> None:
    with pytest.raises(ValueError, match="tie"):
        duel.solve(games.game("2d4"), tie)


def test_replay_where_every_game_is_tied_is_refused() -> None:
    with pytest.raises(ValueError, match="replayed for ever"):
        duel.solve(PoolGame("same", (2,), (Die("d2", (1, 1)),)), "replay")
