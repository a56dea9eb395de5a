"""Check solved races against an exact oracle, published numbers and the plain rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import oracle_race
import pytest

from gametheory.match.race import Race
from gametheory.race import solver
from gametheory.race.rules import RaceGame

from .shared import PIG, PIGLET, PIGLET_CHANCES, TEN, TINY, solved


@pytest.mark.parametrize(("place", "value"), PIGLET_CHANCES.items())
def test_piglet(place: tuple[int, int, int], value: Fraction) -> None:
    assert solved(PIGLET).win_probability(*place) == pytest.approx(float(value), abs=1e-15)


@pytest.mark.parametrize("game", TINY.values(), ids=TINY)
def test_tiny_races_match_the_exact_oracle(game: RaceGame) -> None:
    """Compare every state of every turn of every pair of standings, handicaps included."""
    handicaps = tuple(range(game.goal)) if game.opening else (0,)
    exact = oracle_race.solve_race(oracle_race.race_of(game), handicaps)
    solution = solved(game, handicaps)
    assert solution.error_bound <= 1e-13
    checked = 0
    for (mine, opened, theirs, answered, turn, dice), value in exact.items():
        if dice == 0 and game.hot_dice:
            continue
        found = solution.win_probability(mine, theirs, turn, dice, opened=opened, opponent_opened=answered)
        assert abs(found - value) <= 1e-14
        checked += 1
    assert checked >= len(solution.scores) ** 2


def test_pig_is_the_published_game() -> None:
    """Neller and Presser: the first player wins 0.5306; at 41 to 49 hold 22 to 26, roll 27, hold from 28."""
    solution = solved(PIG)
    assert solution.first_player_value == pytest.approx(0.5306, abs=5e-5)
    holds = {turn: solution.moves("2", turn=turn - 2, score=41, opponent=49)[0].bank for turn in range(15, 40)}
    assert {turn for turn, held in holds.items() if held} == {*range(22, 27), *range(28, 40)}


def test_whoever_is_behind_stops_later() -> None:
    assert solved(PIG).chances(41, 49).stops(1) == {1: 22}
    ahead, even, behind = (solved(TEN).chances(*scores).stops(50) for scores in ((8000, 4000), (6000, 6000), (4000, 9000)))
    for dice in (1, 2, 3, 4):
        limits = [found[dice] or TEN.goal for found in (ahead, even, behind)]
        assert limits == sorted(limits)
        assert limits[0] < limits[2]


def test_ten_thousand_is_what_a_plain_c_program_finds() -> None:
    """An independent program that enumerates every roll and iterates each pair to 1e-12 prints this."""
    solution = solved(TEN)
    assert solution.first_player_value == pytest.approx(0.529763630676, abs=2e-12)
    assert solution.error_bound <= 1e-11
    assert solution.iterations.most <= 8
    assert len(solution.scores) == 181


def test_values_are_chances_and_rise_with_the_own_score() -> None:
    """At pig 98 is as good as 99: every roll but a 1 wins."""
    for game, last in ((PIG, -1), (TEN, None)):
        values = solved(game).values
        opened = solved(game).opened
        assert np.all((values > 0.0) & (values < 1.0))
        assert np.all(np.diff(values[opened], axis=0)[:last] > 0.0)
        assert np.all(np.diff(values[:, opened], axis=1)[:, :last] < 0.0)
    assert np.allclose(solved(PIG).values[98], solved(PIG).values[99], atol=1e-14, rtol=0.0)


@pytest.mark.parametrize("game", [PIG, TEN.with_goal(2500), TINY["cold-pair"]], ids=lambda game: game.name)
def test_one_and_two_threads_give_the_same_bits(game: RaceGame) -> None:
    one, two = solver.solve(game, threads=1), solver.solve(game, threads=2)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.error_bound == two.error_bound
    assert one.iterations == two.iterations


def test_progress_grows_to_the_whole() -> None:
    seen: list[float] = []
    solver.solve(PIG.with_goal(20), progress=seen.append)
    assert seen[-1] == 1.0
    assert seen == sorted(set(seen))


def test_the_plain_rules_find_nothing_wrong() -> None:
    assert solved(TEN).verify(sample=20).worst_residual <= 1e-14
    assert solved(TINY["cold-pair"]).verify(sample=1000).checked == len(solved(TINY["cold-pair"]).scores) ** 2


def test_the_plain_rules_find_a_wrong_value() -> None:
    solution = solved(PIG)
    values = solution.values.copy()
    values[0, 0] += 1e-9
    data = solution.stored()
    data.arrays["values"] = (("to_move", "other"), values)
    assert Race.from_stored(data).verify(sample=1).worst_residual > 1e-10
    values[0, 0] = np.nan
    with pytest.raises(ValueError, match="no number"):
        Race.from_stored(data)
    assert solver.verify(PIG, solution.axis, values, 1, 0).worst_residual == np.inf


def test_handicaps_must_be_asked_for() -> None:
    with pytest.raises(ValueError, match="handicap of 500 was not solved"):
        solved(TEN).win_probability(500, 0, opened=False)


def test_races_that_are_too_long_are_refused() -> None:
    with pytest.raises(ValueError, match="10000 standings: at most"):
        solver.solve(PIG.with_goal(10_000))
    with pytest.raises(ValueError, match="threads is 0"):
        solver.solve(PIG, threads=0)
