"""Where win and score part: against brute force by fractions, roll by roll, and against the comparison of policies."""

from __future__ import annotations

from fractions import Fraction

import oracle
import pytest
from pools import DISTINCT, SMALL, as_pool, by_points
from shared import solved

from gametheory.match import parting
from gametheory.match.duel import Duel
from gametheory.policies import Score, Win
from gametheory.pool.notation import Position
from gametheory.pool.rules import PoolGame

HALF = Fraction(1, 2)
CLOSE = 1e-12


@pytest.fixture(scope="module")
def biscuits() -> Duel:
    found: Duel = solved("biscuits")
    return found


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_differences_equal_the_oracle_for_both_seats(game: PoolGame) -> None:
    two = solved(game)
    by_target = dict(parting.by_target(two))
    for target in [None, *game.scores()]:
        exact = oracle.diff(as_pool(game), game.higher_wins, HALF, target)
        figures = [float(figure) for figure in exact]
        assert two.diff(target=target).summary == pytest.approx(figures, abs=CLOSE)
        if target is not None:
            assert by_target[target] == pytest.approx(figures, abs=CLOSE)


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_rows_of_a_difference_equal_brute_force_roll_by_roll(game: PoolGame) -> None:
    two = solved(game)
    for target in (None, game.scores()[len(game.scores()) // 2]):
        found = two.diff(target=target)
        rows = list(found.rows())
        exact = {
            (row.counts, row.banked, row.roll): row
            for row in oracle.diff_rows(as_pool(game), game.higher_wins, HALF, target)
            if row.win_value > row.score_value and row.probability > 0
        }
        assert len(rows) == len(exact) == found.count_rows()
        for row in rows:
            known = exact[row.position.dice_left, row.position.banked, by_points(game, row.roll)]
            assert by_points(game, row.move.keep) == known.score_keep
            assert by_points(game, row.to_move.keep) == known.win_keep
            assert row.probability == pytest.approx(float(known.probability), abs=CLOSE)
            assert row.cost == pytest.approx(float(known.win_value - known.score_value), abs=CLOSE)
        weighed = sorted((row.probability * row.cost for row in rows), reverse=True)
        top = [row.probability * row.cost for row in found.top(5)]
        assert top == pytest.approx(weighed[:5], abs=CLOSE)


def test_differences_cost_what_the_comparison_says(biscuits: Duel) -> None:
    values = biscuits.compare([Score(biscuits), Win(biscuits)]).first_value()
    found = biscuits.diff()
    assert found.summary.win_probability_lost == pytest.approx(values[1, 1] - values[0, 1], abs=1e-9)
    lost = sum(place["probability"] * place["cost"] for place in found.places())
    assert lost == pytest.approx(values[1, 1] - values[0, 1], abs=1e-9)
    rows = found.top(20)
    assert [row.probability * row.cost for row in rows] == sorted((r.probability * r.cost for r in rows), reverse=True)
    win, score = Win(biscuits), Score(biscuits)
    for row in rows:
        position = Position(*row.position)
        assert row.to_move.keep == win(position, row.roll)
        assert row.move.keep == score(position, row.roll)


def test_the_dearest_rows_are_the_first_of_more() -> None:
    found = solved("4d6").diff()
    many = found.top(1000)
    for limit in (1, 2, 7, 30):
        assert found.top(limit) == many[:limit]


def test_the_second_seat_on_average_loses_what_the_comparison_says(biscuits: Duel) -> None:
    score, win = Score(biscuits), Win(biscuits)
    values = biscuits.compare([score, win]).first_value()
    found = parting.second_seat(biscuits, win)
    assert found.win_probability_lost == pytest.approx(values[1, 0] - values[1, 1], abs=1e-9)
