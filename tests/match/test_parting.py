"""Where win and score part: against brute force by fractions, roll by roll, and against the comparison of policies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import oracle
import pytest
from pools import DISTINCT, SMALL, as_pool, by_points, take_best
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
            if row.to_value > row.value and row.probability > 0
        }
        assert len(rows) == len(exact) == found.count_rows()
        for row in rows:
            known = exact[row.position.dice_left, row.position.banked, by_points(game, row.roll)]
            assert by_points(game, row.move.keep) == known.keep
            assert by_points(game, row.to_move.keep) == known.to_keep
            assert row.probability == pytest.approx(float(known.probability), abs=CLOSE)
            assert row.cost == pytest.approx(float(known.to_value - known.value), abs=CLOSE)
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


# Any two ways to play.


def ways(game: PoolGame) -> dict[str, oracle.Policy]:
    """Return policies of the oracle, by the name that they have in the package."""
    pool, higher = as_pool(game), game.higher_wins
    middle = game.scores()[len(game.scores()) // 2]

    def reach(score: int) -> Fraction:
        return Fraction(score >= middle if higher else score <= middle)

    return {
        "score": oracle.score_policy(pool, higher),
        "win": oracle.win_policy(pool, higher, HALF),
        "greedy": oracle.greedy_policy(pool, higher),
        f"reach:{middle}": oracle.payoff_policy(pool, higher, reach),
    }


def stingy(position: Position, roll: Any) -> Any:
    """Keep the worst face alone, until the points banked are even: a policy as a user would write it, of no sense."""
    if position.banked % 2:
        return take_best(position, roll)
    kind = max(range(len(roll)), key=lambda k: (bool(roll[k]), k))
    return tuple(faces[-1:] if k == kind else () for k, faces in enumerate(roll))


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_any_two_ways_part_as_the_oracle_says(game: PoolGame) -> None:
    two, pool = solved(game), as_pool(game)
    chosen = ways(game)
    for target in (None, game.scores()[len(game.scores()) // 3]):
        payoff = oracle.seat_payoff(pool, game.higher_wins, HALF, target)
        for policy, to in product(chosen, chosen):
            exact = oracle.part(pool, game.higher_wins, chosen[policy], chosen[to], payoff, target)
            found = two.diff(policy=policy, to=to, target=target)
            assert found.summary == pytest.approx([float(figure) for figure in exact], abs=CLOSE), (policy, to)
            assert sum(row.probability * row.cost for row in found.rows()) == pytest.approx(float(exact.lost), abs=CLOSE)


@pytest.mark.parametrize("game", DISTINCT[:5], ids=lambda game: game.name)
def test_rows_of_any_two_ways_equal_brute_force(game: PoolGame) -> None:
    two, pool, chosen = solved(game), as_pool(game), ways(game)
    payoff = oracle.seat_payoff(pool, game.higher_wins, HALF)
    for policy, to in (("greedy", "win"), ("win", "score"), ("greedy", "score")):
        exact = {
            (row.counts, row.banked, row.roll): row
            for row in oracle.part_rows(pool, chosen[policy], chosen[to], payoff)
            if row.value != row.to_value and row.probability
        }
        found = two.diff(policy=policy, to=to)
        rows = list(found.rows())
        assert len(rows) == len(exact) == found.count_rows()
        for row in rows:
            known = exact[row.position.dice_left, row.position.banked, by_points(game, row.roll)]
            assert (by_points(game, row.move.keep), by_points(game, row.to_move.keep)) == (known.keep, known.to_keep)
            assert row.probability == pytest.approx(float(known.probability), abs=CLOSE)
            assert row.cost == pytest.approx(float(known.to_value - known.value), abs=CLOSE)
            assert row.to_move.win_probability == pytest.approx(float(known.to_value), abs=CLOSE)
        dearest = sorted((row.probability * row.cost for row in rows if row.cost > 0), reverse=True)
        assert [row.probability * row.cost for row in found.top(7)] == pytest.approx(dearest[:7], abs=CLOSE)


@pytest.mark.parametrize("game", SMALL[:3], ids=lambda game: game.name)
def test_a_function_that_looks_at_the_points_parts_exactly_from_the_best_play(game: PoolGame) -> None:
    two = solved(game)
    values = two.compare([stingy, "win", "score"]).first_value()
    found = two.diff(policy=stingy)
    assert found.win_probability_lost == pytest.approx(values[1, 1] - values[0, 1], abs=CLOSE)
    assert sum(row.probability * row.cost for row in found.rows()) == pytest.approx(found.win_probability_lost, abs=CLOSE)
    back = two.diff(policy="score", to=stingy)
    assert back.win_probability_lost == pytest.approx(values[0, 1] - values[2, 1], abs=CLOSE)
    assert any(row.cost < 0 for row in back.rows())
    both = two.diff(policy=stingy, to="score", seat="second", against="score")
    assert both.win_probability_lost == pytest.approx(values[2, 0] - values[2, 2], abs=CLOSE)
    assert found.policy == "stingy"
    assert found.names == ("policy", "to")


def test_two_ways_against_another_opponent_lose_what_the_comparison_says() -> None:
    two = solved("2d4+d6")
    values = two.compare(["score", "greedy", "win"]).first_value()
    for policy, to in (("greedy", "score"), ("score", "greedy")):
        found = two.diff(policy=policy, to=to, against="greedy")
        here = [["score", "greedy"].index(name) for name in (policy, to)]
        assert found.win_probability_lost == pytest.approx(values[here[1], 1] - values[here[0], 1], abs=CLOSE)
    best = two.best_answer("greedy")["first_player_value"]
    assert two.diff(against="greedy").win_probability_lost == pytest.approx(best - values[0, 1], abs=CLOSE)


def test_random_play_is_not_told_roll_by_roll() -> None:
    with pytest.raises(ValueError, match="random has no one move for a roll"):
        solved("2d4+d6").diff(policy="random")
