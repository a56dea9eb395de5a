"""The general solver agrees with the pool kernel, with exact fractions, and with play; bad games are refused."""

import itertools
import runpy
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest

from gametheory import games
from gametheory.ask.moves import preference
from gametheory.dice import Die
from gametheory.games import PoolGame, State
from gametheory.match import duel
from gametheory.own import solver as solo

MIDNIGHT = Path(__file__).parent.parent / "scripts" / "midnight.py"
LOW = PoolGame("low", (2, 1), (Die("d3", (1, 0, 2)), Die("d4", (3, 1, 2, 0))), higher_wins=False)
POOLS = [games.pool_game("4d4"), games.pool_game("2d4+d6"), games.pool_game("3d6+d8"), games.pool_game("threes"), LOW]


class Ordered(PoolGame):
    """A pool whose moves are listed in the order that pools break ties by."""

    def moves(self, state: State, roll: Any) -> Iterator[Any]:
        return iter(sorted(super().moves(state, roll), key=lambda move: preference(move[0])))


def ordered(game: PoolGame) -> Ordered:
    return Ordered(game.name, game.counts, game.kinds, game.higher_wins)


def oracle_pool(game: PoolGame) -> oracle.Pool:
    return tuple((count, die.points) for count, die in zip(game.counts, game.kinds, strict=True))


def oracle_keep(game: PoolGame, keep: Any) -> Any:
    return tuple(tuple(sorted(die.points[f - 1] for f in faces)) for faces, die in zip(keep, game.kinds, strict=True))


# The same numbers as other solvers.


@pytest.mark.parametrize("tie", ["split", "first", "second", "replay", 0.3])
@pytest.mark.parametrize("game", POOLS, ids=lambda game: game.name)
def test_every_state_agrees_with_the_pool_kernel(game: PoolGame, tie: str | float) -> None:
    ours, kernel = solo.solve(game, tie), duel.solve(game, tie)
    assert ours.tie_worth == pytest.approx(kernel.tie_worth, abs=1e-12)
    for state in ours.states:
        assert ours.expected(state) == pytest.approx(kernel.expected(*state), abs=1e-12)
        assert ours.first(state) == pytest.approx(kernel.first(*state), abs=1e-12)
        for target in ours.scores:
            assert ours.second(target, state) == pytest.approx(kernel.second(target, *state), abs=1e-12)
    assert list(ours.scores) == list(game.scores())


@pytest.mark.parametrize("tie", [Fraction(1, 2), Fraction(0), Fraction(1, 3)])
@pytest.mark.parametrize("game", [games.pool_game("3d3"), games.pool_game("2d3+d4"), LOW], ids=lambda game: game.name)
def test_policies_agree_with_exact_fractions(game: PoolGame, tie: Fraction) -> None:
    ours = solo.solve(ordered(game), float(tie))
    pool, higher = oracle_pool(game), game.higher_wins
    players = [oracle.score_policy(pool, higher), oracle.win_policy(pool, higher, tie), oracle.random_policy()]
    target = ours.scores[len(ours.scores) // 2]
    for name, player in zip(("score", "win", "random"), players, strict=True):
        for seat in (None, target):
            exact = oracle.distribution(pool, player, seat)
            found = ours.distribution(name, seat)
            chances = [float(exact.get(int(score), Fraction(0))) for score in found.scores]
            assert found.probabilities == pytest.approx(chances, abs=1e-12)
            mean = sum(s * p for s, p in exact.items())
            assert found.mean == pytest.approx(float(mean), abs=1e-12)
            assert found.sd**2 == pytest.approx(float(sum((s - mean) ** 2 * p for s, p in exact.items())), abs=1e-12)
    results = ours.compare()
    for row, column in itertools.product(range(3), repeat=2):
        exact_result = oracle.outcome(pool, higher, players[row], players[column])
        found_result = [table[row, column] for table in (results.first_win, results.tie, results.second_win)]
        assert found_result == pytest.approx([float(part) for part in exact_result], abs=1e-12)
    for seat in (None, target):
        exact_diff, found_diff = oracle.diff(pool, higher, tie, seat), ours.diff(seat, limit=None)
        assert found_diff[:4] == pytest.approx([float(part) for part in exact_diff], abs=1e-12)
        rows = [row for row in oracle.diff_rows(pool, higher, tie, seat) if row.score_value < row.win_value]
        seen = {(row.state, oracle_keep(game, row.score_keep), oracle_keep(game, row.win_keep)) for row in found_diff.rows}
        assert seen == {((row.counts, row.banked), row.score_keep, row.win_keep) for row in rows}


def test_disagreements_pay_for_the_whole_loss() -> None:
    solution = solo.solve(games.pool_game("4d6"))
    found = solution.diff(limit=None)
    assert found.win_probability_lost > 1e-4
    assert sum(row.probability * row.cost for row in found.rows) == pytest.approx(found.win_probability_lost, abs=1e-12)
    results = solution.compare(["score", "win"])
    value = results.first_win + 0.5 * results.tie
    assert value[1, 1] == pytest.approx(solution.first_player_value, abs=1e-12)
    assert value[1, 1] - value[0, 1] == pytest.approx(found.win_probability_lost, abs=1e-12)


def test_a_payoff_of_ones_is_worth_one_everywhere() -> None:
    solution = solo.solve(games.pool_game("3d6+d8"))
    assert np.abs(solution.values(lambda score: 1.0) - 1.0).max() < 1e-14


def test_a_function_plays_like_the_policy_it_copies() -> None:
    solution = solo.solve(games.pool_game("2d4+d6"))

    asked = []

    def copy(position: solo.Position, roll: Any) -> Any:
        return solution.rank(position.state, roll, position.target)[0].keep

    def first_listed(position: solo.Position, roll: Any) -> Any:
        asked.append(position.target)
        return next(iter(solution.game.moves(position.state, roll)))[0]

    results = solution.compare([copy, "win"])
    assert results.policies == ("copy", "win")
    for table in (results.first_win, results.tie, results.second_win):
        assert np.abs(table - table[1, 1]).max() < 1e-14
    assert results.first_win[0, 0] > 0.3
    every = solution.compare([first_listed])
    assert set(asked) == {None, *solution.scores}
    asked.clear()
    first_listed.uses_target = False  # type: ignore[attr-defined]
    assert np.abs(solution.compare([first_listed]).tie - every.tie).max() < 1e-15
    assert set(asked) == {None}


def test_targets_that_nobody_can_make_are_answered() -> None:
    solution = solo.solve(games.pool_game("2d4"))
    assert (solution.second(1), solution.second(9)) == (1.0, 0.0)
    assert solution.second(5.5) == pytest.approx(solo.solve(games.pool_game("2d4"), "first").second(5), abs=1e-15)


def test_simulation_stays_within_four_standard_errors() -> None:
    solution = solo.solve(LOW)
    exact = solution.compare(["score", "random"])
    played = solution.simulate("score", "random", games=20_000, seed=7)
    for share in ("first_win", "tie", "second_win"):
        error = abs(getattr(played, share) - getattr(exact, share)[0, 1])
        assert error < 4 * played.standard_error[share] < 0.02
    for policy, mean in (("score", played.first_mean), ("random", played.second_mean)):
        found = solution.distribution(policy)
        assert abs(mean - found.mean) < 4 * found.sd / 20_000**0.5
    assert played == solution.simulate("score", "random", games=20_000, seed=7)
    assert played != solution.simulate("score", "random", games=20_000, seed=8)


# Midnight, a game of one's own. Published: 23.46 points expected where all six dice count.


def test_midnight_gives_the_published_score_in_under_forty_lines(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(MIDNIGHT), run_name="__main__")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in lines] == [["expected", "score"], ["first", "player"], ["second", "player"]]
    assert lines[0][2] == "23.46"
    assert float(lines[1][2]) + float(lines[2][2]) == 1
    assert len(MIDNIGHT.read_text().splitlines()) < 40


def test_midnight_scores_at_all_with_the_published_chance() -> None:
    """Keep the first 1 and the first 4, else one die a roll: 21 dice (https://en.wikipedia.org/wiki/Midnight_(game))."""
    solution = solo.solve(runpy.run_path(str(MIDNIGHT))["Midnight"]())
    assert solution.scores == (0, *range(9, 30))
    chance = 1 - (2 * (5 / 6) ** 21 - (4 / 6) ** 21)
    assert solution.values(lambda score: float(score > 0))[-1] == pytest.approx(chance, abs=1e-14)


# Games that are none.


class Countdown:
    """Throw a coin, and take what it shows, until nothing is left."""

    name = "countdown"
    start = (3, 0)

    def rolls(self, state: Any) -> Any:
        return [("heads", 1), ("tails", 2)] if state[0] else []

    def moves(self, state: Any, roll: Any) -> Any:
        left, points = state
        gained = int(roll == "heads")
        return [("stay", (left - 1, points), 0), ("take", (left - 1, points + gained), gained)]

    def score(self, state: Any) -> Any:
        return state[1]


def test_a_game_of_plain_lists_is_solved() -> None:
    solution = solo.solve(Countdown())
    assert solution.expected_score == pytest.approx(1.0, abs=1e-15)
    assert solution.second(1) == pytest.approx(7 / 27 + 12 / 27 / 2, abs=1e-15)
    assert [move.keep for move in solution.rank((1, 0), "tails")] == ["stay", "take"]


class Circle(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("again", (3, 0) if state[0] == 1 else (state[0] - 1, 0), 0)]


class Endless(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("on", (state[0] + 1, 0), 0)]


class Stuck(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [] if (state[0], roll) == (2, "tails") else super().moves(state, roll)


class Chances(Countdown):
    def rolls(self, state: Any) -> Any:
        return [("heads", 0.5), ("tails", 0.5)] if state[0] else []


class Nothing(Countdown):
    def rolls(self, state: Any) -> Any:
        return [("heads", 1), ("tails", 0 if state[0] == 2 else 1)] if state[0] else []


class Short(Countdown):
    def ways(self, state: Any) -> int:
        return 4 if state[0] == 1 else 3


class Pairs(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("stay", (state[0] - 1, 0))]


class Words(Countdown):
    def score(self, state: Any) -> Any:
        return "three" if state[1] == 3 else state[1]


class Lists(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("stay", [state[0] - 1, 0], 0)]


class Mute:
    start = 0

    def rolls(self, state: Any) -> Any:
        return []

    def score(self, state: Any) -> int:
        return 0


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Circle(), ["never ends", "(3, 0)"]),
        (Stuck(), ["no move", "'tails'", "(2, 0)"]),
        (Chances(), ["weight 0.5", "'heads'", "(3, 0)"]),
        (Nothing(), ["weight 0", "'tails'", "(2, "]),
        (Short(), ["add up to 3", "4 ways", "(1, "]),
        (Pairs(), ["(keep, next state, points)", "(3, 0)"]),
        (Words(), ["'three'", "(0, 3)"]),
        (Lists(), ["hashed", "[2, 0]"]),
        (Mute(), ["Mute", "no moves"]),
        (Countdown, ["class", "Countdown()"]),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, list) else "",
)
def test_what_is_no_game_is_refused_in_one_line_that_names_the_fault(game: Any, words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        solo.solve(game)
    assert all(word in str(refused.value) for word in words), refused.value


def test_a_game_without_end_is_refused_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "MOST_STATES", 500)
    with pytest.raises(ValueError, match=r"more than 500 states \(at \(503, 0\)\)"):
        solo.solve(Endless())
    monkeypatch.setattr(solo, "MOST_MOVES", 300)
    with pytest.raises(ValueError, match=r"more than 300 moves"):
        solo.solve(Endless())


@pytest.mark.parametrize("ask", ["distribution", "simulate"])
def test_a_policy_that_is_none_is_refused(ask: str) -> None:
    solution = solo.solve(Countdown())

    def cheat(position: solo.Position, roll: Any) -> str:
        return "steal"

    with pytest.raises(ValueError, match=r"cheat keeps 'steal' of the roll .* no move of countdown"):
        solution.distribution(cheat) if ask == "distribution" else solution.simulate(cheat, "win", 1, 0)
    with pytest.raises(ValueError, match=r"no policy 'best'"):
        solution.distribution("best") if ask == "distribution" else solution.simulate("best", "win", 1, 0)


def test_replay_of_a_game_that_always_ties_is_refused() -> None:
    class Level(Countdown):
        def score(self, state: Any) -> int:
            return 5

    assert solo.solve(Level()).first_player_value == 0.5
    with pytest.raises(ValueError, match="every game of countdown is tied"):
        solo.solve(Level(), "replay")
