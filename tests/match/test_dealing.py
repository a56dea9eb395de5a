"""Policies played against each other by chance agree with the exact figures."""

from __future__ import annotations

import pytest
from pools import take_best
from shared import solved

from gametheory.match.dealing import deal
from gametheory.match.duel import Duel
from gametheory.policies import Score, Win


@pytest.fixture(scope="module")
def biscuits() -> Duel:
    found: Duel = solved("biscuits")
    return found


def near(found: float | None, exact: float, error: float | None) -> bool:
    """Tell whether a figure found by chance is less than four standard errors away from the exact one."""
    assert found is not None
    assert error is not None
    return abs(found - exact) < 4 * error


def test_a_function_is_evaluated_exactly_and_simulated_alike() -> None:
    two = solved("d4+2d6")
    exact = two.compare([take_best, Win(two)])
    played = deal(two, two.policy(take_best), Win(two), 20_000, seed=5)
    assert near(played.first_win, exact.first_win[0, 1], played.standard_error)
    assert near(played.tie, exact.tie[0, 1], played.tie_standard_error)


@pytest.mark.parametrize(("first", "second"), [("win", "score"), ("score", "win"), ("greedy", "win"), ("random", "greedy")])
def test_simulation_agrees_with_the_exact_figures(biscuits: Duel, first: str, second: str) -> None:
    one, two = biscuits.policy(first), biscuits.policy(second)
    played = deal(biscuits, one, two, 60_000, seed=11)
    exact = biscuits.compare([one, two])
    assert near(played.first_win, exact.first_win[0, 1], played.standard_error)
    assert near(played.tie, exact.tie[0, 1], played.tie_standard_error)
    made = biscuits.distribution(one)
    assert near(played.first_mean, made.mean, played.first_mean_standard_error)


def test_simulation_is_the_same_on_any_number_of_threads_and_another_with_another_seed(biscuits: Duel) -> None:
    win, score = Win(biscuits), Score(biscuits)
    one = deal(biscuits, win, score, 20_000, seed=3, threads=1)
    assert one == deal(biscuits, win, score, 20_000, seed=3, threads=2)
    assert one != deal(biscuits, win, score, 20_000, seed=4)


def test_simulation_where_lower_scores_win() -> None:
    two = solved("threes")
    win, score = Win(two), Score(two)
    played = deal(two, score, win, 100_000, seed=2)
    exact = two.compare([score, win])
    assert near(played.first_win, exact.first_win[0, 1], played.standard_error)
    assert near(played.first_mean, two.expected_score, played.first_mean_standard_error)
