"""Distributions, comparisons, differences and fair starts in every format, against brute force by fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from operator import gt as above
from operator import lt as below
from typing import Any

import oracle
import pytest
from pools import DISTINCT, SMALL, as_pool
from shared import solved

import gametheory as gt
from gametheory import games
from gametheory.cards import search, value
from gametheory.match.alternating import Alternating
from gametheory.pool.rules import PoolGame

CLOSE = 1e-12
HALF = Fraction(1, 2)

SIX = [game for game in SMALL if game.name in ("3d4", "d2+d3+d4", "three threes", "low and mixed", "gaps", "doubled faces")]
"""Six small games, with lower-wins ones and such where many scores tie or cannot be made."""

FEW = [game for game in SIX if game.name in ("d2+d3+d4", "low and mixed", "gaps")]


@cache
def ways(game: PoolGame) -> dict[str, oracle.Policy]:
    """Return policies that look at the dice alone, by name."""
    pool, higher = as_pool(game), game.higher_wins
    found = {"score": oracle.score_policy(pool, higher), "greedy": oracle.greedy_policy(pool, higher)}
    # The package tells dice of equal points apart by their faces, the oracle does not.
    return found | ({"random": oracle.random_policy(pool)} if game in DISTINCT else {})


def test_the_six_games_are_there() -> None:
    assert (len(SIX), len(FEW), sum(not game.higher_wins for game in SIX)) == (6, 3, 2)


def by_score(found: Any) -> dict[Any, float]:
    return {score: chance for score, chance in found if chance}


def close(exact: dict[Any, Fraction]) -> Any:
    return pytest.approx({score: float(chance) for score, chance in exact.items() if chance}, abs=CLOSE)


# The best of several who see nothing.


@pytest.mark.parametrize("game", SIX, ids=lambda game: game.name)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_best_of_several_is_what_counting_says(game: PoolGame, players: int) -> None:
    best: Any = max if game.higher_wins else min
    pool = as_pool(game)
    named = ways(game) | {"win": oracle.win_policy(pool, game.higher_wins, HALF)}
    for name, policy in named.items():
        alone = oracle.distribution(pool, policy)
        exact: defaultdict[int, Fraction] = defaultdict(Fraction)
        for draws in product(alone.items(), repeat=players):
            exact[best(score for score, _ in draws)] += prod((chance for _, chance in draws), start=Fraction(1))
        assert by_score(gt.distribution(solved(game), name, players=players)) == close(exact)


@pytest.mark.parametrize("game", SIX, ids=lambda game: game.name)
def test_the_share_of_a_card_among_several_is_what_counting_says(game: PoolGame) -> None:
    alone = oracle.distribution(as_pool(game), ways(game)["score"])
    better = above if game.higher_wins else below
    worst = game.worst(game.counts)
    payoff = value.share_payoff(solved(game), 4)
    for score in game.scores():
        exact = Fraction(0)
        for draws in product(alone.items(), repeat=3):
            others = [other for other, _ in draws]
            if not any(better(other, score) for other in others):
                exact += prod((chance for _, chance in draws), start=Fraction(1)) / (1 + others.count(score))
        assert payoff[abs(score - worst)] == pytest.approx(float(exact), abs=CLOSE)


def test_a_card_among_several_wins_what_its_scores_do() -> None:
    duel = solved("3d4")
    found = gt.card(duel, "small", players=4)
    payoff = value.share_payoff(duel, 4)
    assert found.value is not None
    assert found.value >= float(duel.made(search.card(duel, "small")) @ payoff) - CLOSE
    rows = gt.frontier(duel, players=4)
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    assert float(duel.made("score") @ payoff) == pytest.approx(0.25, abs=CLOSE)


# Unseen.


@pytest.mark.parametrize("game", SIX, ids=lambda game: game.name)
def test_policies_who_see_nothing_compare_as_counting_says(game: PoolGame) -> None:
    match = solved(game, match="simultaneous")
    found = gt.compare(match, [*ways(game), "win"])
    pool, last = as_pool(game), len(ways(game))
    for row, column in product(range(last), repeat=2):
        one, other = (ways(game)[found.policies[place]] for place in (row, column))
        exact = oracle.outcome(pool, game.higher_wins, one, other)
        figures = [table[row, column] for table in (found.first_win, found.tie, found.second_win)]
        assert figures == pytest.approx([float(figure) for figure in exact], abs=CLOSE)
    assert found.value[last, last] == pytest.approx(0.5, abs=CLOSE)
    # Nobody wins more than the tolerance against the equilibrium.
    assert found.value[:, last].max() <= 0.5 + match.exploitability + CLOSE
    mixed = gt.distribution(match, "win")
    assert mixed.probabilities == pytest.approx(match.distribution_by_outcome[:: 1 if game.higher_wins else -1], abs=CLOSE)


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
def test_ways_that_see_nothing_part_as_brute_force_says(game: PoolGame) -> None:
    match, pool = solved(game, match="simultaneous"), as_pool(game)
    theirs = oracle.distribution(pool, ways(game)["greedy"])

    def payoff(score: int) -> Fraction:
        worth = (chance * oracle.judge(score, other, game.higher_wins, HALF) for other, chance in theirs.items())
        return sum(worth, HALF * 0)

    best = oracle.payoff_policy(pool, game.higher_wins, payoff)
    exact = oracle.part(pool, game.higher_wins, ways(game)["score"], best, payoff)
    assert match.diff(against="greedy").summary == pytest.approx([float(figure) for figure in exact], abs=CLOSE)
    values = gt.compare(match, ["score", "win"]).value
    assert match.diff().win_probability_lost == pytest.approx(0.5 + match.exploitability - values[0, 1], abs=CLOSE)


# Several in turn.


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_policies_around_a_table_compare_as_counting_says(game: PoolGame, seat: int) -> None:
    names = ["score", "greedy", "win"]
    found = gt.compare(solved(game, players=3), names, seat=seat)
    for row, column in product(range(3), repeat=2):
        policies = [ways(game).get(names[row if number == seat - 1 else column]) for number in range(3)]
        exact = oracle.Seats(as_pool(game), game.higher_wins, 3, policies).results(seat - 1)
        assert found.shares is not None
        figures = [table[row, column] for table in (found.first_win, found.tie, found.shares)]
        assert figures == pytest.approx([float(figure) for figure in exact], abs=CLOSE)


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
def test_the_scores_of_a_seat_in_turn_are_what_counting_says(game: PoolGame) -> None:
    match = solved(game, players=3)
    for seat in range(3):
        exact = oracle.Seats(as_pool(game), game.higher_wins, 3).made(seat)
        assert by_score(gt.distribution(match, "win", seat=seat + 1)) == close(exact)
        assert by_score(gt.distribution(match, "greedy", seat=str(seat + 1))) == close(
            oracle.distribution(as_pool(game), ways(game)["greedy"])
        )


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
def test_ways_around_a_table_part_as_the_comparison_says(game: PoolGame) -> None:
    match, pool = solved(game, players=3), as_pool(game)
    seats = oracle.Seats(pool, game.higher_wins, 3)

    def payoff(score: int) -> Fraction:
        return seats.earn(0, (None, 0), score)

    best = oracle.payoff_policy(pool, game.higher_wins, payoff)
    exact = oracle.part(pool, game.higher_wins, ways(game)["score"], best, payoff)
    assert match.diff().summary == pytest.approx([float(figure) for figure in exact], abs=CLOSE)
    for seat in (1, 2, 3):
        around: list[oracle.Policy | None] = [None, None, None]
        values = []
        for way in (ways(game)["greedy"], None):
            around[seat - 1] = way
            values.append(oracle.Seats(pool, game.higher_wins, 3, around).results(seat - 1)[2])
        found = gt.diff(match, policy="greedy", seat=str(seat))
        assert found.win_probability_lost == pytest.approx(float(values[1] - values[0]), abs=CLOSE)


@pytest.mark.parametrize("game", [*FEW, SIX[0]], ids=lambda game: game.name)
def test_the_fair_start_of_three_is_the_nearest_to_a_third(game: PoolGame) -> None:
    found = gt.fair(solved(game, players=3))
    exact = {bonus: float(oracle.first_of_n(as_pool(game), game.higher_wins, 3, bonus)) for bonus in found.value_by_bonus}
    assert found.value_by_bonus == pytest.approx(exact, abs=CLOSE)
    assert found.even == found.value_by_bonus[0]
    assert exact[0] == pytest.approx(float(oracle.n_players(as_pool(game), game.higher_wins, 3)[0]), abs=CLOSE)
    wide = range(-6, 7)
    near = {bonus: abs(float(oracle.first_of_n(as_pool(game), game.higher_wins, 3, bonus)) - 1 / 3) for bonus in wide}
    assert near[found.bonus] == pytest.approx(min(near.values()), abs=CLOSE)
    assert found.odds == pytest.approx((1 - exact[0]) / exact[0], abs=1e-9)


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.name)
def test_the_next_of_several_has_what_counting_says(game: PoolGame) -> None:
    seats = oracle.Seats(as_pool(game), game.higher_wins, 4)
    for after in (0, 1, 2):
        found = gt.second(solved(game, players=4), players_after=after)
        assert list(found) == sorted(game.scores())
        for score in game.scores():
            seat = 3 - after
            standing = (score, 1)
            best = sum(
                (chance * seats.earn(seat, standing, made) for made, chance in seats.best(seat, standing).items()), HALF * 0
            )
            assert found[score] == pytest.approx(float(best), abs=CLOSE)
            assert dict(zip(found.scores, found.finished, strict=True))[score] == pytest.approx(
                float(seats.hold(seat, standing)), abs=CLOSE
            )


# The question turned round.


@pytest.mark.parametrize("tie", ["split", "first", "second"])
@pytest.mark.parametrize("game", SIX, ids=lambda game: game.name)
def test_the_score_that_is_needed_is_the_worst_that_suffices(game: PoolGame, tie: str) -> None:
    worth = {"split": HALF, "first": Fraction(0), "second": Fraction(1)}[tie]
    exact = oracle.second(as_pool(game), game.higher_wins, worth)
    found = gt.second(solved(game, tie))
    for chance in (0.0, 0.25, 0.5, 0.6, 0.9, 1.0):
        enough = [score for score, second in exact.items() if float(1 - second) >= chance - 1e-10]
        worst: Any = min if game.higher_wins else max
        needed = worst(enough, default=None)
        assert found.needed(chance) == needed


# Roll by roll.


def in_turn(game: PoolGame) -> dict[str, oracle.Policy | None]:
    middle = game.scores()[len(game.scores()) // 2]

    def reach(score: int) -> Fraction:
        return Fraction(score >= middle if game.higher_wins else score <= middle)

    aimed = oracle.payoff_policy(as_pool(game), game.higher_wins, reach)
    return {"score": ways(game)["score"], f"reach:{middle}": aimed, "win": None}


@pytest.mark.parametrize("tie", ["split", "first"])
@pytest.mark.parametrize("game", FEW[:2], ids=lambda game: game.name)
def test_policies_who_roll_in_turn_compare_as_brute_force_says(game: PoolGame, tie: str) -> None:
    worth = {"split": HALF, "first": Fraction(0)}[tie]
    named = in_turn(game)
    match, pool = solved(game, tie, "alternating"), as_pool(game)
    found = gt.compare(match, list(named))
    better = above if game.higher_wins else below
    for (row, one), (column, other) in product(enumerate(named.values()), repeat=2):
        joint, _ = oracle.roll_in_turn(pool, game.higher_wins, worth, (one, other))
        won = sum((chance for (mine, theirs), chance in joint.items() if better(mine, theirs)), HALF * 0)
        tied = sum((chance for (mine, theirs), chance in joint.items() if mine == theirs), HALF * 0)
        assert [found.first_win[row, column], found.tie[row, column]] == pytest.approx([float(won), float(tied)], abs=CLOSE)
    for seat in (0, 1):
        joint, _ = oracle.roll_in_turn(pool, game.higher_wins, worth, (None, None))
        exact: defaultdict[int, Fraction] = defaultdict(Fraction)
        for pair, chance in joint.items():
            exact[pair[seat]] += chance
        assert by_score(gt.distribution(match, "win", seat=seat + 1)) == close(exact)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", FEW[:2], ids=lambda game: game.name)
def test_ways_of_rolling_in_turn_part_as_brute_force_says(game: PoolGame, seat: int) -> None:
    named, pool = in_turn(game), as_pool(game)
    match = solved(game, match="alternating")
    for policy, to in (("score", "win"), (list(named)[1], "score")):
        sides = (named[to], None) if seat == 0 else (None, named[to])
        _, lost = oracle.roll_in_turn(pool, game.higher_wins, HALF, sides, (seat, named[policy]))
        found = gt.diff(match, policy=policy, to=to, seat=("first", "second")[seat])
        assert found.win_probability_lost == pytest.approx(float(lost), abs=CLOSE)
        assert sum(row.probability * row.cost for row in found.rows()) == pytest.approx(float(lost), abs=CLOSE)
        values = gt.compare(match, [policy, to, "win"]).value
        gained = values[1, 2] - values[0, 2] if seat == 0 else values[2, 0] - values[2, 1]
        assert found.win_probability_lost == pytest.approx(gained, abs=CLOSE)
        rows = found.top(5)
        assert [row.probability * row.cost for row in rows] == sorted((r.probability * r.cost for r in rows), reverse=True)
        for row in rows:
            data = row.to_dict(found.notation, found.names)
            assert set(found.columns) == set(data)
            assert row.to_move.win_probability - row.move.win_probability == pytest.approx(row.cost, abs=CLOSE)


def test_a_large_game_is_not_followed_roll_by_roll_unless_told_to() -> None:
    match = Alternating._empty(games.space(gt.game("biscuits")))
    with pytest.raises(ValueError, match=r"about .* positions"):
        match.diff()


# Races.


def test_a_turn_of_a_race_is_what_its_policy_makes() -> None:
    """Neller and Presser: who holds at 20 makes nothing in 62.45 % of the turns."""
    found = dict(gt.distribution("pig", "hold-at-20"))
    assert found[0] == pytest.approx(0.624541, abs=5e-7)
    assert sum(found.values()) == pytest.approx(1.0, abs=CLOSE)
    near = gt.distribution("pig", "hold-at-20", score=95)
    assert max(near.scores) == 5
    turns = gt.distribution("piglet", "hold-at-1", whole=True)
    # A head on every second flip: two points are two heads, with the tails before them.
    assert turns.probabilities[:4] == pytest.approx([(n - 1) / 2**n for n in range(1, 5)], abs=CLOSE)
    two = gt.distribution("piglet", "hold-at-1", whole=True, players=2)
    exact = [sum(turns.probabilities[n:]) ** 2 for n in range(5)]
    assert two.probabilities[:4] == pytest.approx([exact[n] - exact[n + 1] for n in range(4)], abs=CLOSE)


def test_a_race_is_chased_from_nothing() -> None:
    race = solved("pig")
    found = gt.second(race)
    assert found[0] == race.first_player_value
    assert found[99] == race.win_probability(0, 99)
    assert found.needed(0.5) == next(score for score in range(100) if 1 - race.win_probability(0, score) >= 0.5)


def test_three_racers_compare_and_start_fair() -> None:
    three = solved(gt.game("piglet"), players=3)
    found = gt.fair(three)
    assert found.value_by_bonus[0] == pytest.approx(three.seat_values[0], abs=CLOSE)
    assert abs(found.value - 1 / 3) <= min(abs(value - 1 / 3) for value in found.value_by_bonus.values()) + CLOSE
    compared = gt.compare("piglet", ["score", "random"], players=3, seat=2)
    sums = sum(gt.compare("piglet", ["score"], players=3, seat=seat).value[0, 0] for seat in (1, 2, 3))
    assert sums == pytest.approx(1.0, abs=CLOSE)
    assert compared.seat == "second"
