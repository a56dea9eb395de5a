"""Check races of more than two players."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gametheory.race import many
from gametheory.race.rules import RaceGame

from .shared import PIG, PIGLET, evaluate, policy


def field(game: RaceGame, *players: str) -> many.Field:
    """Let policies race side by side."""
    return many.field([policy(game, player) for player in players])


def three_with_a_coin(goal: int, hold: int | None) -> dict[tuple[int, ...], tuple[float, ...]]:
    """Iterate the chances of three players of piglet, by their scores in the order of play, until nothing changes.

    The first plays to win; so do the others, unless they hold at a turn total or at the goal.
    """
    # By (turn total, scores from the player to move on, how many of the others have moved since the answerer did).
    places = [
        (turn, scores, mover)
        for scores in product(range(goal), repeat=3)
        for mover in range(3)
        for turn in range(goal - scores[0] + 1)
    ]
    chances: dict[tuple[int, tuple[int, ...], int], tuple[float, ...]] = dict.fromkeys(places, (1 / 3, 1 / 3, 1 / 3))

    def passed(turn: int, scores: tuple[int, ...], mover: int) -> tuple[float, ...]:
        if scores[0] + turn >= goal:
            return (1.0, 0.0, 0.0)
        mine = chances[0, (scores[1], scores[2], scores[0] + turn), (mover + 1) % 3]
        return (mine[2], mine[0], mine[1])

    while True:
        worst = 0.0
        for turn, scores, mover in reversed(places):
            moves = []
            wins = scores[0] + turn >= goal
            holds = hold is not None and mover > 0 and turn >= hold
            if turn and (hold is None or mover == 0 or holds or wins):
                moves.append(passed(turn, scores, mover))
            if not wins and not (moves and hold is not None and mover > 0):
                pairs = zip(chances[turn + 1, scores, mover], passed(0, scores, mover), strict=True)
                moves.append(tuple((head + tail) / 2 for head, tail in pairs))
            best = max(moves, key=lambda chance: chance[0])
            old = chances[turn, scores, mover]
            worst = max(worst, *(abs(a - b) for a, b in zip(best, old, strict=True)))
            chances[turn, scores, mover] = best
        if worst < 1e-15:
            return {scores: chances[0, scores, 0] for turn, scores, mover in places if (turn, mover) == (0, 0)}


def test_three_players_with_a_coin() -> None:
    """Whoever throws the first head wins: 4, 2 and 1 of 7."""
    found = many.solve_three(PIGLET.with_goal(1))
    assert found.seat_values == pytest.approx((4 / 7, 2 / 7, 1 / 7), abs=1e-15)


def test_three_players_match_plain_iteration() -> None:
    exact = three_with_a_coin(3, None)
    found = many.solve_three(PIGLET.with_goal(3))
    assert found.regret <= 1e-13
    for (i, j, k), chances in exact.items():
        assert found.chances[i, j, k] == pytest.approx(chances[:2], abs=1e-13)


def test_three_players_of_a_short_pig_are_the_same_on_two_threads() -> None:
    one, two = (many.solve_three(PIG.with_goal(25), threads=threads) for threads in (1, 2))
    assert one.chances.tobytes() == two.chances.tobytes()
    assert np.all((one.chances > 0.0) & (one.chances.sum(axis=3, keepdims=True) < 1.0))
    assert one.regret <= 1e-13


def test_the_answer_to_two_matches_plain_iteration() -> None:
    exact = three_with_a_coin(4, 2)
    found = many.answer_two(policy(PIGLET.with_goal(4), "hold-at-2"))
    for place, chances in exact.items():
        assert found.own[place] == pytest.approx(chances[0], abs=1e-13)


def test_the_answer_to_two_beats_whoever_does_not_look() -> None:
    game = PIG.with_goal(40)
    found = many.answer_two(policy(game, "hold-at-20"))
    for seat in range(3):
        for hold in (10, 15, 20, 25, 40):
            players = ["hold-at-20"] * 3
            players[seat] = f"hold-at-{hold}"
            assert field(game, *players).seat_values[seat] <= found.seat_values[seat] + 1e-12


def test_a_field_of_two_is_an_evaluation() -> None:
    for first, second in (("hold-at-20", "score"), ("random", "hold-at-25")):
        exact = evaluate(PIG, first, second)
        values = field(PIG, first, second).seat_values
        assert values == pytest.approx((exact.first_player_value, 1 - exact.first_player_value), abs=1e-13)


def test_more_opponents_call_for_more_risk() -> None:
    """Against one who holds at 20 hold at 25 is the best of its kind; against five, 33: three turns must do."""

    def best(opponents: int) -> int:
        return max(
            range(15, 40),
            key=lambda hold: field(PIG, f"hold-at-{hold}", *["hold-at-20"] * opponents).seat_values[0],
        )

    assert (best(1), best(5)) == (25, 33)


def test_many_refuse_what_they_cannot_do() -> None:
    with pytest.raises(ValueError, match="looks at the opponent"):
        many.answer_two(policy(PIG, "win"))
    with pytest.raises(ValueError, match="triples of standings"):
        many.solve_three(PIG.with_goal(300))
    with pytest.raises(ValueError, match="1 players"):
        field(PIG, "score")
