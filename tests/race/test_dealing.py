"""Check races played with dice against the exact chances."""

from __future__ import annotations

import pytest

from gametheory.answers import Simulation
from gametheory.race import dealing
from gametheory.race.exact import Evaluation
from gametheory.race.rules import RaceGame

from .shared import PIG, TEN, TINY, evaluate, holds, policy, solved


def check_share(played: Simulation, exact: Evaluation) -> None:
    """Find the share of games won by the first player within four standard errors of the exact chance."""
    assert abs(played.seat_values[0] - exact.first_player_value) <= 4 * played.standard_errors[0]


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        (PIG, "win", "hold-at-25"),
        (PIG, "score", "random"),
        (TINY["cold-pair"], "win", "score"),
        (TEN.with_goal(2000), "simple", "win"),
        (TEN.with_goal(2000), "random", "score"),
    ],
    ids=["pig", "pig-random", "cold-pair", "ten-thousand", "ten-thousand-random"],
)
def test_games_played_out_agree_with_the_exact_chances(game: RaceGame, first: str, second: str) -> None:
    """Differ by less than four standard errors, in games won and in their length."""
    solution = solved(game)
    exact = evaluate(solution, first, second)
    played = solution.simulate(first, second, games=100_000, seed=11)
    check_share(played, exact)
    assert played.mean_turns is not None
    assert played.mean_turns_standard_error is not None
    assert abs(played.mean_turns - exact.mean_turns) <= 4 * played.mean_turns_standard_error
    assert played.seat_values == (played.first_win, played.second_win)
    assert sum(played.seat_values) == 1.0


def test_the_same_seed_plays_the_same_games_on_any_number_of_threads() -> None:
    one, two, other = (
        dealing.simulate(policy(PIG, "win"), policy(PIG, "score"), 50_000, seed, threads=threads)
        for seed, threads in ((5, 1), (5, 2), (6, 2))
    )
    assert one == two
    assert one.first_win != other.first_win


def test_functions_are_played_too() -> None:
    game = PIG.with_goal(30)
    exact = evaluate(game, holds(11), "random")
    played = dealing.simulate(policy(game, holds(11)), policy(game, "random"), 2000, 1)
    check_share(played, exact)
    with pytest.raises(ValueError, match="games is 0"):
        dealing.simulate(policy(game, "score"), policy(game, "score"), 0)
