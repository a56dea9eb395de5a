"""Play roll by roll in turn, against the exact oracle, and what is refused."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import oracle
import pytest
from pools import as_pool
from shared import solved

from gametheory import games
from gametheory.dice import Die
from gametheory.match.alternating import solve_alternating
from gametheory.pool.rules import PoolGame, State
from gametheory.ties import parse_tie

from .shared import LOW, SMALL, TIES, alternating


def settled_worth(game: PoolGame, tie: str | float) -> Fraction:
    """Return the exact worth of a tie to the second player; for replay, to within 1e-15."""
    if tie != "replay":
        return Fraction(parse_tie(tie)[1] or 0)
    start = ("first", game.counts, game.counts, 0)
    low, high = Fraction(0), Fraction(1)
    worth = Fraction(1, 2)
    for _ in range(12):
        # Between kinks the value is a straight line in the worth: two exact points give the fixed point.
        ahead = worth + Fraction(1, 2**40)
        value = 1 - oracle.alternating(as_pool(game), game.higher_wins, worth)[start]
        slope = (1 - oracle.alternating(as_pool(game), game.higher_wins, ahead)[start] - value) * 2**40
        if value == worth:
            return worth
        low, high = (worth, high) if value > worth else (low, worth)
        worth = (value - slope * worth) / (1 - slope)
        worth = worth if low <= worth <= high else (low + high) / 2
    raise AssertionError("the exact fixed point was not found")


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_every_alternating_position_is_exact(game: PoolGame, tie: str | float) -> None:
    found = alternating(game, tie)
    worth = settled_worth(game, tie)
    assert found.tie_worth == pytest.approx(float(worth), abs=1e-12)
    exact = oracle.alternating(as_pool(game), game.higher_wins, worth)
    assert len(exact) > 20
    for (seat, mine, theirs, lead), value in exact.items():
        assert found.win_probability(mine, theirs, lead, seat) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_positions_are_refused_just_where_no_play_leads(game: PoolGame) -> None:
    found = alternating(game)
    reached = oracle.alternating(as_pool(game), game.higher_wins, oracle.HALF)
    most = game.highest(game.counts) - min(0, game.lowest(game.counts))
    for mine in game.pools:
        for theirs in game.pools:
            for lead in range(-most - 1, most + 2):
                for seat in ("first", "second"):
                    if (seat, mine, theirs, lead) in reached:
                        continue
                    with pytest.raises(ValueError, match=r"^[^\n]+$"):
                        found.win_probability(mine, theirs, lead, seat)


def test_more_dice_than_there_are_and_unknown_seats_are_refused() -> None:
    found = alternating(SMALL[0])
    with pytest.raises(ValueError, match="the game has 2d4"):
        found.win_probability((3,), (1,), 0, "first")
    with pytest.raises(ValueError, match="the game has 2d4"):
        found.win_probability((1,), (1, 1), 0, "first")
    with pytest.raises(ValueError, match="no seat 'third'"):
        found.win_probability((1,), (1,), 0, "third")
    with pytest.raises(ValueError, match="no seat 'third'"):
        found.after((1,), 0, 0, "third")
    found.check_position((1,), (1,), 2, "first", banked=3)
    for banked in (5, 2):
        # More than a d4 makes; and 2 points with a lead of 2 leave the other none.
        with pytest.raises(ValueError, match="points cannot be banked"):
            found.check_position((1,), (1,), 2, "first", banked=banked)


@pytest.mark.parametrize("tie", ["split", 0.25])
def test_alternating_has_the_same_bits_on_any_number_of_threads(tie: str | float) -> None:
    game = games.game("4d6+d8")
    one, two = (solve_alternating(game, tie, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.table, two.table, equal_nan=True)
    assert one.error_bound < 1e-11


def test_where_the_other_has_played_out_alternating_is_the_second_player_of_the_duel() -> None:
    game = games.game("3d6+d8")
    found, two = alternating(game), solved(game)
    for target in game.scores():
        value = found.win_probability(game.counts, (0, 0), -target, "second")
        assert value == pytest.approx(two.second(target), abs=1e-13)


def test_moves_are_ranked_by_what_they_lead_to() -> None:
    game = games.game("2d2+d4")
    found = alternating(game, "first")
    # Second to roll 2d2, a point behind a player who has a d4 left; the own d4 made 2 points.
    ranked = found.moves("d2:2,1", banked=2, their_dice=(0, 1), lead=-1, seat="second")
    for move in ranked.moves:
        if any(move.dice_left):
            expected = 1 - found.win_probability((0, 1), move.dice_left, 1 - move.points, "first")
            assert move.win_probability == expected
    everything = next(move for move in ranked.moves if not any(move.dice_left))
    # 2 points ahead with a d4 to come: the other wins with 3 or 4 and the tie at 2.
    assert everything.win_probability == pytest.approx(0.25)
    assert ranked.best_for_win == 0


def test_the_last_keep_decides_the_game() -> None:
    game = LOW
    for seat, tied in (("first", 0.75), ("second", 0.25)):
        win = alternating(game, 0.25).after((0,), 2, 1, seat)
        # Lower wins, and the points of the keep add to the lead.
        assert win(State((0,), 1)) == 0.0
        assert alternating(game, 0.25).after((0,), -1, 1, seat)(State((0,), 2)) == tied
        assert alternating(game, 0.25).after((0,), -2, 1, seat)(State((0,), 2)) == 1.0


def test_a_wrong_value_is_found_by_verifying() -> None:
    found = alternating(games.game("3d6+d8"), 0.25)
    checked, worst = found.verify(seed=1)
    assert checked >= 10
    assert worst < 1e-13
    for change in (1e-6, np.nan):
        table = found.table.copy()
        table[0, -1, -1, -1, -1] += change
        assert dataclasses.replace(found, table=table).verify()[1] >= 9e-7


def test_a_replay_must_be_worth_the_game() -> None:
    found = alternating(games.game("2d4"), "replay")
    assert found.verify()[1] < 1e-13
    assert dataclasses.replace(found, tie_worth=found.tie_worth + 1e-6).verify()[1] > 9e-7


def test_replay_where_every_game_is_tied_is_refused() -> None:
    flat = PoolGame("flat", (2,), (Die("one", (1, 1)),))
    with pytest.raises(ValueError, match="replayed for ever"):
        solve_alternating(flat, "replay")
    assert solve_alternating(flat, "first").first_player_value == 1.0


def test_a_game_too_large_is_refused_before_it_starts() -> None:
    with pytest.raises(ValueError, match="force=True"):
        solve_alternating(games.game("12d6+3d8+3d10+3d12"))
