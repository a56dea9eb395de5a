"""Payoffs of pools, and the estimate of the work before it is done."""

from __future__ import annotations

import pytest

from gametheory import games
from gametheory.dice import Die
from gametheory.match import duel
from gametheory.pool import states
from gametheory.pool.rules import PoolGame


def test_a_payoff_that_falls_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="falls from 1 to 0 as the score gets better"):
        states.gain_payoff(games.game("2d4"), lambda score: float(score == 5))


def test_a_payoff_may_fall_where_no_score_is() -> None:
    game = PoolGame("gaps", (2,), (Die("d3", (0, 5, 10)),))
    payoff = states.gain_payoff(game, float)
    assert list(payoff[:6]) == [0, 0, 0, 0, 0, 5]


def test_lower_scores_win_turns_the_payoff_round() -> None:
    game = PoolGame("low", (2,), (Die("d3", (0, 1, 2)),), higher_wins=False)
    assert list(states.gain_payoff(game, lambda score: -float(score))) == [-4, -3, -2, -1, 0]
    with pytest.raises(ValueError, match="falls"):
        states.gain_payoff(game, float)


def test_work_beyond_reason_is_estimated_and_refused() -> None:
    with pytest.raises(ValueError, match=r"years.*--force"):
        duel.solve(games.game("40d6+20d20"))
    states.check_size(games.game("24d6+d8+d10+d12"))
