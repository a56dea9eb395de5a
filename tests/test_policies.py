"""Policies evaluated exactly: against brute force by fractions, and against one another."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from pools import DISTINCT, SMALL, as_pool, take_best
from shared import solved

from gametheory.match.duel import Duel
from gametheory.policies import Score, Win
from gametheory.pool.notation import Position
from gametheory.pool.rules import PoolGame
from gametheory.ties import TIED

HALF = Fraction(1, 2)
CLOSE = 1e-12
NAMES = ["score", "win", "greedy", "random"]


@pytest.fixture(scope="module")
def biscuits() -> Duel:
    found: Duel = solved("biscuits")
    return found


def exact_policy(name: str, game: PoolGame) -> oracle.Policy:
    pool, higher = as_pool(game), game.higher_wins
    made: dict[str, Callable[[], oracle.Policy]] = {
        "score": lambda: oracle.score_policy(pool, higher),
        "win": lambda: oracle.win_policy(pool, higher, HALF),
        "greedy": lambda: oracle.greedy_policy(pool, higher),
        "random": oracle.random_policy,
    }
    return made[name]()


# Against the oracle. Dice with several faces of equal points are told apart by face here and by points there, so that
# `random`, which counts distinct keeps, is compared where faces have distinct points.

@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_distributions_equal_the_oracle_for_every_target(game: PoolGame, name: str) -> None:
    two, exact = solved(game), exact_policy(name, game)
    chosen = two.policy(name)
    for target in [None, *game.scores()]:
        made = two.distribution(chosen, target)
        known = oracle.distribution(as_pool(game), exact, target)
        for score, chance in zip(made.scores, made.probabilities, strict=True):
            assert chance == pytest.approx(float(known.get(score, 0)), abs=CLOSE)


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_results_between_policies_equal_the_oracle(game: PoolGame) -> None:
    found = solved(game).compare(NAMES)
    assert found.policies == tuple(NAMES)
    for row, first in enumerate(NAMES):
        for column, second in enumerate(NAMES):
            exact = oracle.outcome(as_pool(game), game.higher_wins, exact_policy(first, game), exact_policy(second, game))
            here = (found.first_win[row, column], found.tie[row, column], found.second_win[row, column])
            assert here == pytest.approx([float(chance) for chance in exact], abs=CLOSE)


@pytest.mark.parametrize("name", ["score", "win", "greedy"])
@pytest.mark.parametrize("game", DISTINCT[:4], ids=lambda game: game.name)
def test_a_built_in_and_the_same_as_a_function_have_the_same_distribution(game: PoolGame, name: str) -> None:
    two = solved(game)
    chosen = two.policy(name)
    for target in (None, game.scores()[2]):
        exact = two.made(chosen, target)

        def plain(position: Position, roll: Any) -> Any:
            return chosen(position, roll)

        asked = two.made(plain, target)
        assert asked == pytest.approx(exact, abs=CLOSE)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_playing_to_win_gives_back_the_solved_values(game: PoolGame) -> None:
    for tie in ("split", "first", "second", "replay"):
        two = solved(game, tie)
        win = Win(two)
        made = two.made(win)
        wins, ties = win.replies(two)
        value = wins + two.tie_worth * ties
        for score in game.scores():
            assert value[abs(score - game.worst(game.counts))] == pytest.approx(two.second(score), abs=CLOSE)
        assert made @ (1 - value) == pytest.approx(two.first_player_value, abs=CLOSE)


def test_playing_to_win_gives_back_the_values_of_biscuits(biscuits: Duel) -> None:
    win = Win(biscuits)
    wins, ties = win.replies(biscuits)
    value = wins + 0.5 * ties
    assert biscuits.made(win) @ (1 - value) == pytest.approx(biscuits.first_player_value, abs=CLOSE)
    by_gain = biscuits.gain_second[-1, :88][::-1]
    # Moves within 1e-10 of the best are equal for the policy. That shows only where the game is as good as won.
    assert np.abs(value - by_gain).max() < 15 * TIED
    assert np.abs(value - by_gain)[by_gain < 1 - 1e-5].max() < CLOSE


def test_playing_for_points_gives_back_the_expected_score(biscuits: Duel) -> None:
    assert biscuits.distribution(Score(biscuits)).mean == pytest.approx(biscuits.expected_score, abs=1e-9)


def test_random_play_makes_the_mean_of_the_dice(biscuits: Duel) -> None:
    # Which dice are kept does not hang on what they show.
    made = biscuits.distribution("random")
    assert made.mean == pytest.approx(12 * 3.5 + 4.5 + 5.5 + 6.5, abs=1e-9)


# A user's own policy.


def test_a_function_may_say_that_it_looks_at_the_dice_alone() -> None:
    calls = 0

    def blind(position: Position, roll: Any) -> Any:
        nonlocal calls
        calls += 1
        return take_best(position, roll)

    two = solved("d4+2d6")
    looking = two.made(blind)
    many, calls = calls, 0
    blind.ignores = ("banked", "target")  # type: ignore[attr-defined]
    assert two.made(blind) == pytest.approx(looking, abs=CLOSE)
    assert calls < many


@pytest.mark.parametrize("keep", [None, (), ((), ()), ((7,), ()), ((4, 4), ()), ([1], []), ((1,),)])
def test_an_illegal_keep_is_named_with_its_roll(keep: Any) -> None:
    two = solved("d4+d6")
    with pytest.raises(ValueError, match=r"kept .* of the roll .*d4:"):
        two.made(lambda position, roll: keep)
    with pytest.raises(ValueError, match=r"kept .* of the roll .*d4:"):
        two.simulate(lambda position, roll: keep, "score", games=10)


def test_too_many_questions_are_counted_before_they_are_asked(biscuits: Duel) -> None:
    with pytest.raises(ValueError, match=r"would be asked about .* rolls.*--force"):
        biscuits.made(take_best)
