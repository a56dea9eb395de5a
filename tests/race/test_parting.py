"""Check where win and score part in races."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory.race.rules import RaceGame

from .shared import PIG, PIGLET, TINY, best_answer, evaluate, solved


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(
    ("game", "against"),
    [(PIG, "win"), (TINY["pair"], "win"), (PIG.with_goal(40), "hold-at-12")],
    ids=["pig", "pair", "pig-hold"],
)
def test_what_score_loses_is_the_sum_of_what_its_moves_cost(game: RaceGame, against: str, seat: str) -> None:
    solution = solved(game)
    found = solution.diff(against=against, seat=seat)
    answer = best_answer(solution, against)
    played = evaluate(solution, "score", against)
    value = f"{seat}_player_value"
    assert found.win_probability_lost == pytest.approx(getattr(answer, value) - getattr(played, value), abs=1e-12)
    assert found.win_probability_lost > 1e-4
    rows = list(found.rows())
    assert sum(row.probability for row in rows) == pytest.approx(found.disagreements_per_game, rel=1e-12)
    # What is not worth a row costs at most 1e-9 a decision.
    assert sum(row.probability * row.cost for row in rows) == pytest.approx(found.win_probability_lost, abs=1e-7)
    by_difference = found.by_difference()
    assert by_difference.win_probability_lost.sum() == pytest.approx(found.win_probability_lost, rel=1e-12)
    assert np.all(by_difference.riskier + by_difference.safer <= by_difference.disagreements + 1e-12)


def test_rows_say_what_the_moves_say() -> None:
    game = TINY["pair"]
    solution = solved(game)
    found = solution.diff()
    rows = sorted(found.rows(), key=lambda row: -row.probability * row.cost)
    top = found.top(7)
    assert [row.probability * row.cost for row in top] == [row.probability * row.cost for row in rows[:7]]
    for row in rows:
        at = row.position
        listed = solution.moves(row.roll, turn=at.turn, score=at.score, opponent=at.opponent)
        for said, move in ((row.to_move, listed[0]), (row.move, listed[listed.best_for_score])):
            assert (said.keep, said.bank, said.points, said.dice_left) == (move.keep, move.bank, move.points, move.dice_left)
            assert said.win_probability == pytest.approx(move.win_probability, abs=1e-13)
            assert said.expected_score == pytest.approx(move.expected_score, abs=1e-9)
        assert at.dice == len(row.roll)


def test_decisions_are_the_rolls_that_do_not_bust() -> None:
    """Count them in a race without choices worth the name: one head wins it."""
    found = solved(PIGLET.with_goal(1)).diff()
    # Turns in turn, each a head or not: the first player starts 4/3 of them, half throw a head.
    assert found.visits[0, 0] == pytest.approx(4 / 3, abs=1e-15)
    assert found.decisions_per_game == pytest.approx(2 / 3, abs=1e-15)
    assert found.disagreements_per_game == 0.0
