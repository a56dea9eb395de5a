"""A solved game for two in turn: best answers, ranked moves, and checks of its tables."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from pools import DISTINCT, SMALL, as_pool, by_points
from shared import solved

from gametheory.match.duel import Duel
from gametheory.pool.rules import PoolGame

HALF = Fraction(1, 2)
CLOSE = 1e-12
NAMES = ["score", "win", "greedy", "random"]


@pytest.fixture(scope="module")
def biscuits() -> Duel:
    found: Duel = solved("biscuits")
    return found


def test_no_policy_beats_the_best_answer(biscuits: Duel) -> None:
    chosen = [biscuits.policy(name) for name in NAMES]
    values = biscuits.compare(chosen).first_value()
    for column, opponent in enumerate(chosen):
        _, best = biscuits.answer(opponent)
        assert (values[:, column] <= best + 1e-12).all()
        if opponent.name == "win":
            assert best == pytest.approx(biscuits.first_player_value, abs=1e-12)
        else:
            assert best > values[1, column] + 1e-6


# Ranked moves and checks of tables.


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_ranked_moves_lead_to_the_exact_values(game: PoolGame) -> None:
    two, pool = solved(game), as_pool(game)
    first, means = oracle.first(pool, game.higher_wins, HALF), oracle.expected(pool, game.higher_wins)
    by_win, by_score = oracle.win_policy(pool, game.higher_wins, HALF), oracle.score_policy(pool, game.higher_wins)
    for roll, _ in game.rolls(game.start):
        ranked = two.moves(roll)
        keeps = {move.keep for move in ranked.moves}
        assert len(keeps) == len(ranked.moves) == len(oracle.keeps(by_points(game, roll)))
        for move in ranked.moves:
            state = oracle.follow(game.counts, 0, by_points(game, move.keep))
            assert move.win_probability == pytest.approx(float(first[state]), abs=CLOSE)
            assert move.expected_score == pytest.approx(float(means[state]), abs=CLOSE)
        for exact, place in ((by_win, ranked.best_for_win), (by_score, ranked.best_for_score)):
            ((keep, _),) = exact(game.counts, 0, by_points(game, roll), None)
            assert by_points(game, ranked.moves[place].keep) == keep
        assert ranked.best_for_win == 0
        assert two.moves(roll, sort="score").best_for_score == 0


def test_keeping_one_six_beats_keeping_twelve(biscuits: Duel) -> None:
    ranked = biscuits.moves("d6:6x12 d8:1 d10:1 d12:1")
    kept = {move.keep[0]: move for move in ranked.moves if not any(move.keep[1:])}
    assert kept[(6,)].expected_score > kept[(6,) * 12].expected_score > kept[(6,) * 10].expected_score
    assert kept[(6,)].win_probability > kept[(6,) * 12].win_probability


def with_array(two: Duel, name: str, array: Any) -> Duel:
    """Return a solved game with one of its tables changed."""
    return dataclasses.replace(two, arrays=two.arrays | {name: (two.arrays[name][0], array)})


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_a_sound_table_has_no_residual_and_a_changed_one_has(game: PoolGame) -> None:
    two = solved(game, "replay")
    assert two.verify().worst_residual < 1e-12
    for table in ("expected", "first", "second"):
        changed = two.arrays[table][1].copy()
        changed[game.counts] += 1e-6
        assert with_array(two, table, changed).verify().worst_residual > 1e-7


@pytest.mark.parametrize("name", ["5d6+d8+d10", pytest.param("biscuits", marks=pytest.mark.slow)])
def test_a_large_table_passes_the_check_of_the_starting_state(name: str) -> None:
    checked = solved(name).verify(seed=1)
    assert checked.worst_residual < 1e-11
    assert checked.checked > 100


def test_a_table_with_a_hole_in_it_is_not_sound() -> None:
    two = solved("3d4")
    for table, place in (("expected", (3,)), ("first", (2, 4)), ("second", (1, 12))):
        changed = two.arrays[table][1].copy()
        assert np.isfinite(changed[place])
        changed[place] = np.nan
        assert with_array(two, table, changed).verify().worst_residual == np.inf
