"""Play without seeing the other's score: the equilibrium against every policy there is, and its certificate."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import oracle
import pytest
from pools import as_pool
from shared import solved

from gametheory import games
from gametheory.match import hidden
from gametheory.pool.rules import PoolGame

from .shared import CIRCLE, LOW, MIXED, SMALL, equilibrium


@cache
def every_policy(game: PoolGame) -> Any:
    """Return the score distribution of every deterministic policy there is, by policy and gain."""
    worst = game.worst(game.counts)
    pure = oracle.pure_distributions(as_pool(game))
    made = np.zeros((len(pure), game.gain(game.counts) + 1))
    for row, distribution in zip(made, pure, strict=True):
        for score, chance in distribution:
            row[abs(score - worst)] = float(chance)
    return made


def best_gain(game: PoolGame, made: Any) -> float:
    """Return what the best of every deterministic policy wins above one half against these chances of scores."""
    answers = every_policy(game)
    below = np.concatenate([[0.0], np.cumsum(made)[:-1]])
    return float((answers @ (below + made / 2)).max()) - 0.5


def undominated(made: Any) -> Any:
    """Leave out every distribution that another one is nowhere worse than."""
    kept: list[Any] = []
    for row in sorted(np.cumsum(made, axis=1), key=lambda row: float(row.sum())):
        if not any(np.all(better <= row + 1e-12) for better in kept):
            kept.append(row)
    return np.diff(np.array(kept), axis=1, prepend=0.0)


@pytest.mark.parametrize("game", [games.game("2d3"), CIRCLE, MIXED], ids=lambda game: game.name)
def test_no_pure_policy_beats_the_equilibrium(game: PoolGame) -> None:
    assert len(every_policy(game)) > 100
    assert best_gain(game, equilibrium(game).distribution_by_outcome) <= 1e-9
    # The linear programme over all policies at once finds a mixture that the best answers do not beat either.
    candidates = undominated(every_policy(game))
    direct = hidden._mix(candidates) @ candidates
    assert best_gain(game, direct) <= 1e-9
    assert hidden.exploitability(games.space(game), direct) == pytest.approx(best_gain(game, direct), abs=1e-12)


@pytest.mark.parametrize(("game", "policies"), [(CIRCLE, 3), (MIXED, 2)], ids=["circle", "mixed"])
def test_a_perturbed_mixture_is_beaten(game: PoolGame, policies: int) -> None:
    found = equilibrium(game)
    assert len(found.weights) == policies
    weights = found.weights + np.eye(policies)[0] * 0.01
    made = weights / weights.sum() @ found.made
    assert best_gain(game, made) > 1e-6
    assert hidden.exploitability(games.space(game), made) == pytest.approx(best_gain(game, made), abs=1e-12)


def test_the_circle_is_mixed_in_thirds() -> None:
    assert equilibrium(CIRCLE).weights == pytest.approx([1 / 3] * 3, abs=1e-9)


def mixture(found: hidden.Hidden) -> dict[int, Fraction]:
    chances = zip(found.space.outcomes, found.distribution_by_outcome, strict=True)
    return {int(score): Fraction(float(chance)) for score, chance in chances if chance}


@pytest.mark.parametrize("game", [games.game("3d4"), games.game("3d2+d10"), LOW, MIXED], ids=lambda game: game.name)
def test_the_best_answer_is_exact(game: PoolGame) -> None:
    found = equilibrium(game)
    best = oracle.hidden_reply(as_pool(game), game.higher_wins, oracle.HALF, mixture(found))
    assert found.exploitability == pytest.approx(float(best) - 0.5, abs=1e-12)
    assert found.exploitability <= 1e-11
    score = oracle.distribution(as_pool(game), oracle.score_policy(as_pool(game), game.higher_wins))
    best = oracle.hidden_reply(as_pool(game), game.higher_wins, oracle.HALF, score)
    assert found.score_policy_exploitability == pytest.approx(float(best) - 0.5, abs=1e-12)
    assert found.lost_by(solved(game).made("greedy")) > 1e-4
    assert found.mean == pytest.approx(float(sum(s * p for s, p in mixture(found).items())))


def test_the_certificate_is_not_taken_from_the_file() -> None:
    found = equilibrium(CIRCLE)
    checked, worst = found.verify()
    assert checked > 5
    assert worst < 1e-13
    assert dataclasses.replace(found, exploitability=1e-3).verify()[1] == pytest.approx(1e-3)
    # A distribution that no policy has: it would be an equilibrium of another game.
    better = np.roll(found.made, 1, axis=1)
    assert dataclasses.replace(found, made=better).verify()[1] > 1e-3
    weights = np.array([0.5, 0.25, 0.25])
    assert dataclasses.replace(found, weights=weights).verify()[1] > 1e-6


@pytest.mark.parametrize("tolerance", [1e-13, 0.0, -1.0, 0.7, float("nan")])
def test_tolerances_out_of_reach_are_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="give a tolerance from 1e-12"):
        hidden.solve_hidden(SMALL[0], tolerance)


@pytest.mark.parametrize("tie", ["first", "replay", 0.25])
def test_hidden_ties_are_split(tie: str | float) -> None:
    with pytest.raises(ValueError, match="say --tie split"):
        hidden.solve_hidden(SMALL[0], tie=tie)
    with pytest.raises(ValueError, match="say --tie split"):
        solved(SMALL[0], tie, "simultaneous")
