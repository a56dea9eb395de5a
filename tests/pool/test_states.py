"""Payoffs of pools, and the estimate of the work before it is done."""

from __future__ import annotations

import subprocess
import sys

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


REFUSED = """
import resource
import gametheory as gt
from gametheory.dice import Die
from gametheory.pool.rules import PoolGame

resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
many = gt.game("+".join(f"25d{sides}" for sides in range(993, 1001)))
wide = PoolGame("wide", (100,), (Die("d2", (0, 10**6)),))
for game in (many, wide):
    for how in ({}, {"match": "alternating"}, {"match": "simultaneous"}, {"players": 3}, {"tie": "replay"}):
        try:
            gt.solve(game, **how)
        except ValueError as error:
            assert "would take about" in str(error) and "--force" in str(error), error
            print("refused")
"""


def test_a_game_far_too_large_is_refused_before_anything_of_its_size_is_made() -> None:
    """Neither every multiset of its dice nor a column for every score, in any match."""
    ran = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "refused\n" * 10
