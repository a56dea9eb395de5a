"""Games whose points add up, solved through the plain rules, agree with the folding kernel in every question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from shared import solved

from gametheory.dice import Die
from gametheory.match import duel
from gametheory.match.alternating import solve_alternating
from gametheory.match.duel import Duel
from gametheory.match.players import solve_players
from gametheory.own.sums import Standing, Sums
from gametheory.pool.notation import preference
from gametheory.pool.rules import POOLS, PoolGame, State, from_dice

LOW = PoolGame("low and negative", (2, 1), (Die("d3", (1, 0, 2)), Die("d4", (3, -1, 2, 0))), higher_wins=False)
GAMES = [from_dice("2d4+d6"), from_dice("3d4"), LOW, POOLS["threes"]]


class Plain:
    """A pool without its points: states are the dice left, moves in the order in which pools break ties."""

    def __init__(self, pool: PoolGame) -> None:
        self.pool, self.name, self.higher_wins, self.start = pool, f"plain {pool.name}", pool.higher_wins, pool.counts

    def rolls(self, left: tuple[int, ...]) -> Any:
        return self.pool.rolls(State(left, 0))

    def moves(self, left: tuple[int, ...], roll: Any) -> Iterator[tuple[Any, tuple[int, ...], int]]:
        for keep, after, points in sorted(self.pool.moves(State(left, 0), roll), key=lambda move: preference(move[0])):
            yield keep, after.dice_left, points


def plainly(pool: PoolGame, tie: str) -> Duel:
    return duel.solve(Plain(pool), tie)


@pytest.mark.parametrize("tie", ["split", "second", "replay", "0.3"])
@pytest.mark.parametrize("pool", GAMES, ids=lambda pool: pool.name)
def test_every_question_agrees_with_the_folding_kernel(pool: PoolGame, tie: str) -> None:
    ours, kernel = plainly(pool, tie), solved(pool, tie)
    assert ours.expected_score == pytest.approx(kernel.expected_score, abs=1e-12)
    assert ours.first_player_value == pytest.approx(kernel.first_player_value, abs=1e-12)
    (scores, chances), (others, theirs) = ours.second_by_target(), kernel.second_by_target()
    assert scores == others
    assert chances == pytest.approx(theirs, abs=1e-12)
    target = scores[len(scores) // 2]
    for policy in ("score", "win", "random"):
        for aim in (None, target):
            made, exact = ours.distribution(policy, aim), kernel.distribution(policy, aim)
            assert made.scores == exact.scores
            assert made.probabilities == pytest.approx(exact.probabilities, abs=1e-12)
    names = ["score", "win", "random"]
    found, wanted = ours.compare(names), kernel.compare(names)
    for table in ("first_win", "tie", "second_win"):
        assert np.abs(getattr(found, table) - getattr(wanted, table)).max() < 1e-12
    for seat in ("first", "second"):
        assert ours.diff(seat=seat).summary == pytest.approx(kernel.diff(seat=seat).summary, abs=1e-12)
    rows, exact_rows = ours.diff(target=target).top(50), kernel.diff(target=target).top(50)
    costs = sorted(row.probability * row.cost for row in rows)
    assert costs == pytest.approx(sorted(row.probability * row.cost for row in exact_rows), abs=1e-12)
    assert ours.fair().bonus == kernel.fair().bonus
    assert ours.fair().value_by_bonus == pytest.approx(kernel.fair().value_by_bonus, abs=1e-12)
    checked = ours.verify()
    assert checked.checked > 10
    assert checked.worst_residual < 1e-12


@pytest.mark.parametrize("pool", [from_dice("2d4+d6"), LOW], ids=lambda pool: pool.name)
def test_other_formats_agree_with_the_folding_kernel(pool: PoolGame) -> None:
    for tie in ("split", "first"):
        ours, kernel = solve_alternating(Plain(pool), tie), solve_alternating(pool, tie)
        assert ours.first_player_value == pytest.approx(kernel.first_player_value, abs=1e-12)
        assert ours.verify().worst_residual < 1e-12
    three, exact = solve_players(Plain(pool), 3), solve_players(pool, 3)
    assert np.abs(three.seat_values - exact.seat_values).max() < 1e-12


def test_moves_are_those_of_the_pool() -> None:
    pool = from_dice("2d4+d6")
    ours, kernel = plainly(pool, "split"), solved(pool)
    roll = ((4,), (3,))
    found = ours.moves(roll, state=(1, 1), banked=2, target=8)
    wanted = kernel.moves(roll, banked=2, target=8)
    assert [move.keep for move in found] == [move.keep for move in wanted]
    figures = [(move.win_probability, move.expected_score) for move in found]
    assert np.array(figures) == pytest.approx(
        np.array([(move.win_probability, move.expected_score) for move in wanted]), abs=1e-12
    )


def test_what_a_finished_state_adds_counts() -> None:
    """A coin a turn, heads count 1; all heads in three throws add 5."""

    class Streak:
        name, start = "streak", (0, True)

        def rolls(self, state: Any) -> Any:
            return [("heads", 1), ("tails", 1)] if state[0] < 3 else []

        def moves(self, state: Any, roll: str) -> Any:
            return [("go", (state[0] + 1, state[1] and roll == "heads"), int(roll == "heads"))]

        def final(self, state: Any) -> int:
            return 5 if state[1] else 0

    solution = duel.solve(Streak())
    assert solution.expected_score == pytest.approx(1.5 + 5 / 8, abs=1e-14)
    assert solution.distribution("score").scores == tuple(range(9))
    chances = dict(zip(range(9), solution.distribution("score").probabilities, strict=True))
    assert (chances[8], chances[2], chances[3]) == pytest.approx((1 / 8, 3 / 8, 0.0), abs=1e-14)
    assert solution.expected(Standing((3, True), 3)) == 8.0
    assert solution.second(6) == pytest.approx(1 / 8, abs=1e-14)


def test_points_that_are_no_whole_numbers_are_refused() -> None:
    class Halves:
        name, start = "halves", 1

        def rolls(self, state: int) -> Any:
            return [("x", 1)] if state else []

        def moves(self, state: int, roll: str) -> Any:
            return [("go", 0, 0.5)]

    with pytest.raises(ValueError, match=r"^halves has points 0\.5 in the state 1: give whole numbers"):
        duel.solve(Halves())


def test_a_game_that_says_both_ways_of_scoring_is_refused() -> None:
    class Both(Plain):
        def score(self, state: Any) -> int:
            return 0

        def final(self, state: Any) -> int:
            return 0

    with pytest.raises(ValueError, match="says both score and final"):
        duel.solve(Both(from_dice("2d4")))


def test_a_state_that_no_play_reaches_is_refused() -> None:
    with pytest.raises(KeyError, match="cannot be reached"):
        Sums(Plain(from_dice("2d4"))).at(Standing((5,), 0))
