"""Fair starts: the bonus closest to even, by the general solver and by recursion through the plain rules."""

from __future__ import annotations

from functools import cache

import pytest
from shared import solved

from gametheory import columns, games
from gametheory.ask.fair import fair as ask_fair
from gametheory.pool import plain
from gametheory.pool.rules import PoolGame
from gametheory.pool.solver import Pool
from gametheory.pool.states import gain_payoff
from gametheory.ties import parse_tie

from .shared import GAPS, LOW, TIES, alternating


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", [games.game("2d6"), LOW, GAPS], ids=lambda game: game.name)
def test_a_fair_start_in_turn_is_the_closest_to_even(game: PoolGame, tie: str | float) -> None:
    found = solved(game, tie).fair()
    most = game.highest(game.counts) - game.lowest(game.counts)
    exact = {}
    for bonus in range(-most - 1, most + 2):
        exact[bonus] = first_with_bonus(game, bonus, tie)
    for bonus, value in found.value_by_bonus.items():
        assert value == pytest.approx(exact[bonus], abs=1e-9)
    assert abs(exact[found.bonus] - 0.5) <= min(abs(value - 0.5) for value in exact.values()) + 1e-12
    assert found.value_by_bonus[0] == pytest.approx(solved(game, tie).first_player_value, abs=1e-12)


def first_with_bonus(game: PoolGame, bonus: int, tie: str | float) -> float:
    """Return the first player's value by the general solver: a bonus moves every target."""
    worth = parse_tie(tie)[1]

    def first(worth: float) -> float:
        two, space = solved(game, worth), games.space(game)
        payoff = gain_payoff(game, lambda score: 1 - float(two.second(score + bonus)))
        return float(columns.best(space, space.ends(payoff)).values[-1, 0])

    if worth is not None:
        return first(worth)
    worth = 0.5
    # A contraction: a tie is a few games in ten at most.
    for _ in range(40):
        worth = 1 - first(worth)
    return 1 - worth


@pytest.mark.parametrize("tie", ["split", "first", "replay"])
def test_a_fair_start_roll_by_roll_is_a_lead(tie: str | float) -> None:
    game = games.game("2d4")
    found = alternating(game, tie).fair(around=1)
    assert found.value_by_bonus[0] == pytest.approx(alternating(game, tie).first_player_value, abs=1e-12)
    for bonus, value in found.value_by_bonus.items():
        worth = 1 - value if tie == "replay" else parse_tie(tie)[1]
        assert value == pytest.approx(lead_by_recursion(game, bonus, worth or 0.0), abs=1e-12)
    assert found.bonus == min(found.value_by_bonus, key=lambda bonus: abs(found.value_by_bonus[bonus] - 0.5))


def lead_by_recursion(game: PoolGame, lead: int, worth: float) -> float:
    """Return the first player's value from a lead at the start, through the plain rules alone."""

    @cache
    def value(seat: int, mine: tuple[int, ...], theirs: tuple[int, ...], lead: int) -> float:
        def then(left: tuple[int, ...], points: int) -> float:
            ahead = lead + points
            if any(theirs):
                return 1.0 - value(1 - seat, theirs, left, -ahead)
            if any(left):
                return value(seat, left, theirs, ahead)
            return float(ahead > 0) if ahead else (worth if seat else 1.0 - worth)

        place = game.pool_index(mine)
        base = space.state(place, 0).banked

        def look(place: int, gain: int) -> float:
            state = space.state(place, gain)
            return then(state.dice_left, state.banked - base)

        (found,) = plain.recompute(game, place, 0, [look])
        return found

    space = Pool(game)
    return value(0, game.counts, game.counts, lead)


def test_the_seat_you_want_is_said_in_one_line() -> None:
    game = games.game("3d6")
    found = solved(game).fair()
    assert found.advice.startswith("3d6, sequential, ties split: sit second, which wins 0.5")
    assert "\n" not in found.advice
    assert "sit first" in solved(game, "first").fair().advice
    hidden = solved(game, match="simultaneous").fair()
    assert "by symmetry" in hidden.advice
    assert hidden.value_by_bonus == {0: 0.5}
    with pytest.raises(ValueError, match="no match 'solo'"):
        ask_fair(game, match="solo")
    with pytest.raises(ValueError, match="give 0 or more"):
        solved(game).fair(around=-1)
