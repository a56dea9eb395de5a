"""Several players in turn, against the exact oracle and the game for two."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest
from pools import as_pool
from shared import solved

from gametheory import games
from gametheory.match.players import solve_players
from gametheory.pool.rules import PoolGame, State

from .shared import GAPS, LOW, SMALL, players


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("game", [games.game("3d3"), games.game("2d2+d5"), LOW, GAPS], ids=lambda game: game.name)
def test_seat_values_are_exact(game: PoolGame, n: int) -> None:
    exact = oracle.n_players(as_pool(game), game.higher_wins, n)
    assert players(game, n).seat_values == pytest.approx([float(value) for value in exact], abs=1e-12)


@pytest.mark.parametrize("game", [*SMALL, games.game("4d6+d8")], ids=lambda game: game.name)
def test_two_players_play_the_duel(game: PoolGame) -> None:
    two = solved(game)
    found = players(game, 2)
    assert found.seat_values == pytest.approx([two.first_player_value, two.second_player_value], abs=1e-12)
    for target in game.scores():
        assert found.value(0, target, 1) == pytest.approx(two.second(target), abs=1e-12)
    made = two.made("score")
    replies = np.array([two.second(game.worst(game.counts) + game.sign * gain) for gain in range(len(made))])
    assert found.score_values[0] == pytest.approx(float(made @ (1 - replies)), abs=1e-12)


def test_seats_add_to_one_and_standings_do() -> None:
    found = players(games.game("3d4+d6"), 6)
    assert found.seat_values.sum() == pytest.approx(1.0, abs=1e-13)
    assert found.standings[1:].sum(axis=(1, 2)) == pytest.approx(np.ones(5), abs=1e-13)
    assert np.all(np.diff(found.seat_values) > 0)
    assert np.all(found.score_costs > 0)


def test_the_leader_must_be_further_ahead_of_more() -> None:
    found = players(games.game("3d4+d6"), 6)
    needed = [found.needed(to_come) for to_come in range(6)]
    assert needed[0] == 4
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(needed))
    assert needed[5] > needed[1]  # type: ignore[operator]
    assert found.needed(5, 1.0) is None or found.needed(5, 1.0) == 18


def test_a_value_is_the_best_of_its_payoff() -> None:
    game = games.game("2d2+d5")
    found = players(game, 4)
    for after, target, sharing in ((2, 7, 1), (1, 7, 2), (1, 9, 1), (0, 6, 3)):
        payoff = found.payoff(after, target, sharing)
        value = oracle.values(as_pool(game), lambda score: Fraction(payoff[score]))[game.counts, 0]  # noqa: B023
        assert found.value(after, target, sharing) == pytest.approx(float(value), abs=1e-12)
        win = found.after(after, target, sharing)
        assert win(State((0, 0), 9)) == payoff[9]
        assert win(State(game.counts, 0)) == found.value(after, target, sharing)
    # At the target four share the win, one above it it is won.
    assert found.payoff(0, 6, 3) == {3: 0, 4: 0, 5: 0, 6: 0.25, 7: 1, 8: 1, 9: 1}


def test_standings_that_cannot_be_are_refused() -> None:
    found = players(games.game("2d2+d5"), 4)
    for after, target, sharing, why in (
        (4, None, None, "0 to 3"),
        (-1, None, None, "0 to 3"),
        (1, None, 2, "share no score"),
        (1, 7, 3, "give 1 to 2"),
        (1, 7, 0, "give 1 to 2"),
        (3, 7, 1, "leave it out"),
    ):
        with pytest.raises(ValueError, match=why):
            found.value(after, target, sharing)
    with pytest.raises(ValueError, match="0 to 3"):
        found.needed(4)
    assert found.value(1, 100, 1) == 0.0
    assert found.value(1, 2, 1) == found.value(1)
    with pytest.raises(ValueError, match="nobody can have made 10"):
        players(GAPS, 3).value(0, 10, 1)


@pytest.mark.parametrize("n", [1, 13, 0, -2, 2.5])
def test_too_few_and_too_many_players_are_refused(n: Any) -> None:
    with pytest.raises(ValueError, match="from 2 to 12"):
        solve_players(SMALL[0], n)


def test_wrong_seats_are_found_by_verifying() -> None:
    found = players(games.game("3d4+d6"), 6)
    checked, worst = found.verify()
    assert checked > 5
    assert worst < 1e-13
    off = found.seat_values.copy()
    off[1] += 1e-6
    assert dataclasses.replace(found, seat_values=off).verify()[1] > 9e-7
    assert dataclasses.replace(found, hold=found.hold * (1 - 1e-6)).verify()[1] > 1e-8
    assert dataclasses.replace(found, value_table=found.value_table + 1e-6).verify()[1] > 9e-7
