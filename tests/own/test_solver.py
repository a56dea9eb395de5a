"""The general solver agrees with the pool kernel, with exact fractions, and with play; games of one's own are solved."""

from __future__ import annotations

import itertools
import runpy
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from pools import as_pool, by_points
from shared import solved

import gametheory as gt
from gametheory import columns, games
from gametheory.answers import standard_error
from gametheory.dice import Die
from gametheory.match import duel
from gametheory.match.duel import Duel
from gametheory.own.notation import Position
from gametheory.own.solver import Own
from gametheory.pool.notation import preference
from gametheory.pool.rules import PoolGame, State

from .shared import Countdown

MIDNIGHT = Path(__file__).parent.parent.parent / "scripts" / "midnight.py"
LOW = PoolGame("low", (2, 1), (Die("d3", (1, 0, 2)), Die("d4", (3, 1, 2, 0))), higher_wins=False)
POOLS = [games.game("4d4"), games.game("2d4+d6"), games.game("3d6+d8"), games.game("threes"), LOW]


class Ordered(PoolGame):
    """A pool whose moves are listed in the order that pools break ties by."""

    def moves(self, state: State, roll: Any) -> Iterator[Any]:
        return iter(sorted(super().moves(state, roll), key=lambda move: preference(move[0])))


def ordered(game: PoolGame) -> Ordered:
    return Ordered(game.name, game.counts, game.kinds, game.higher_wins)


def through_the_plain_rules(game: Any, tie: str | float = "split") -> Duel:
    """Solve a game, a pool too, with the solver for games of one's own."""
    return duel.solve(game, tie, space=Own(game))


def worth(two: Duel, payoff: Callable[[Any], float]) -> Any:
    """Return by place what a payoff of the final score is worth when it is played for."""
    space = two.space
    return columns.best(space, space.ends(np.array([payoff(score) for score in space.outcomes]))).values[:, 0]


def scores(two: Duel) -> list[Any]:
    """Return the final scores that can be made, lowest first."""
    found: list[Any] = sorted(two.space.outcomes.tolist())
    return found


# The same numbers as other solvers.


@pytest.mark.parametrize("tie", ["split", "first", "second", "replay", 0.3])
@pytest.mark.parametrize("game", POOLS, ids=lambda game: game.name)
def test_every_state_agrees_with_the_pool_kernel(game: PoolGame, tie: str | float) -> None:
    ours, kernel = through_the_plain_rules(game, tie), solved(game, tie)
    assert ours.tie_worth == pytest.approx(kernel.tie_worth, abs=1e-12)
    assert isinstance(ours.space, Own)
    for state in ours.space.graph.states:
        assert ours.expected(state) == pytest.approx(kernel.expected(state), abs=1e-12)
        assert ours.first(state) == pytest.approx(kernel.first(state), abs=1e-12)
        for target in scores(ours):
            assert ours.second(target, state) == pytest.approx(kernel.second(target, state), abs=1e-12)
    assert scores(ours) == list(game.scores())


@pytest.mark.parametrize("tie", [Fraction(1, 2), Fraction(0), Fraction(1, 3)])
@pytest.mark.parametrize("game", [games.game("3d3"), games.game("2d3+d4"), LOW], ids=lambda game: game.name)
def test_policies_agree_with_exact_fractions(game: PoolGame, tie: Fraction) -> None:
    ours = through_the_plain_rules(ordered(game), float(tie))
    pool, higher = as_pool(game), game.higher_wins
    names = ["score", "win", "random"]
    players = [oracle.score_policy(pool, higher), oracle.win_policy(pool, higher, tie), oracle.random_policy()]
    target = scores(ours)[len(scores(ours)) // 2]
    for name, player in zip(names, players, strict=True):
        for seat in (None, target):
            exact = oracle.distribution(pool, player, seat)
            found = ours.distribution(name, seat)
            chances = [float(exact.get(int(score), Fraction(0))) for score in found.scores]
            assert found.probabilities == pytest.approx(chances, abs=1e-12)
            mean = sum(s * p for s, p in exact.items())
            assert found.mean == pytest.approx(float(mean), abs=1e-12)
            assert found.sd**2 == pytest.approx(float(sum((s - mean) ** 2 * p for s, p in exact.items())), abs=1e-12)
    results = ours.compare(names)
    for row, column in itertools.product(range(3), repeat=2):
        exact_result = oracle.outcome(pool, higher, players[row], players[column])
        found_result = [table[row, column] for table in (results.first_win, results.tie, results.second_win)]
        assert found_result == pytest.approx([float(part) for part in exact_result], abs=1e-12)
    for seat in (None, target):
        exact_diff, found_diff = oracle.diff(pool, higher, tie, seat), ours.diff(target=seat)
        assert found_diff.summary == pytest.approx([float(part) for part in exact_diff], abs=1e-12)
        rows = [row for row in oracle.diff_rows(pool, higher, tie, seat) if row.value < row.to_value]
        seen = {
            (row.position[:2], by_points(game, row.move.keep), by_points(game, row.to_move.keep))
            for row in found_diff.rows()
        }
        assert seen == {((row.counts, row.banked), row.keep, row.to_keep) for row in rows}


def test_disagreements_pay_for_the_whole_loss() -> None:
    two = through_the_plain_rules(games.game("4d6"))
    found = two.diff()
    assert found.summary.win_probability_lost > 1e-4
    lost = sum(row.probability * row.cost for row in found.rows())
    assert lost == pytest.approx(found.summary.win_probability_lost, abs=1e-12)
    value = two.compare(["score", "win"]).first_value()
    assert value[1, 1] == pytest.approx(two.first_player_value, abs=1e-12)
    assert value[1, 1] - value[0, 1] == pytest.approx(found.summary.win_probability_lost, abs=1e-12)


def test_a_payoff_of_ones_is_worth_one_everywhere() -> None:
    two = through_the_plain_rules(games.game("3d6+d8"))
    assert np.abs(worth(two, lambda score: 1.0) - 1.0).max() < 1e-14


def test_a_function_plays_like_the_policy_it_copies() -> None:
    two = through_the_plain_rules(games.game("2d4+d6"))

    asked = []

    def copy(position: Position, roll: Any) -> Any:
        return two.moves(roll, banked=position.state.banked, target=position.target)[0].keep

    def first_listed(position: Position, roll: Any) -> Any:
        asked.append(position.target)
        return next(iter(two.game.moves(position.state, roll)))[0]

    results = two.compare([copy, "win"])
    assert results.policies == ("copy", "win")
    for table in (results.first_win, results.tie, results.second_win):
        assert np.abs(table - table[1, 1]).max() < 1e-14
    assert results.first_win[0, 0] > 0.3
    every = two.compare([first_listed])
    assert set(asked) == {None, *scores(two)}
    asked.clear()
    first_listed.ignores = ("target",)  # type: ignore[attr-defined]
    assert np.abs(two.compare([first_listed]).tie - every.tie).max() < 1e-15
    assert set(asked) == {None}


def test_targets_that_nobody_can_make_are_answered() -> None:
    game = games.game("2d4")
    two = through_the_plain_rules(game)
    assert (two.second(1), two.second(9)) == (1.0, 0.0)
    assert two.second(5.5) == pytest.approx(through_the_plain_rules(game, "first").second(5), abs=1e-15)


def test_simulation_stays_within_four_standard_errors() -> None:
    two = through_the_plain_rules(LOW)
    exact = two.compare(["score", "random"])
    played = two.simulate("score", "random", games=20_000, seed=7)
    for share in ("first_win", "tie", "second_win"):
        error = abs(getattr(played, share) - getattr(exact, share)[0, 1])
        assert error < 4 * standard_error(getattr(played, share), 20_000) < 0.02
    assert (played.standard_error, played.tie_standard_error) == tuple(
        standard_error(share, 20_000) for share in (played.first_win, played.tie) if share is not None
    )
    for policy, mean in (("score", played.first_mean), ("random", played.second_mean)):
        found = two.distribution(policy)
        assert mean is not None
        assert abs(mean - found.mean) < 4 * found.sd / 20_000**0.5
    assert played == two.simulate("score", "random", games=20_000, seed=7)
    assert played != two.simulate("score", "random", games=20_000, seed=8)


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
    two = solved(runpy.run_path(str(MIDNIGHT))["Midnight"]())
    assert scores(two) == [0, *range(9, 30)]
    chance = 1 - (2 * (5 / 6) ** 21 - (4 / 6) ** 21)
    assert worth(two, lambda score: float(score > 0))[-1] == pytest.approx(chance, abs=1e-14)


# Other games of one's own.


def test_a_game_of_plain_lists_is_solved() -> None:
    two = solved(Countdown())
    assert two.expected_score == pytest.approx(1.0, abs=1e-15)
    assert two.second(1) == pytest.approx(7 / 27 + 12 / 27 / 2, abs=1e-15)
    assert [move.keep for move in two.moves("tails", state=(1, 0))] == ["stay", "take"]


@pytest.mark.parametrize("ask", ["distribution", "simulate"])
def test_a_policy_that_is_none_is_refused(ask: str) -> None:
    two = solved(Countdown())

    def cheat(position: Position, roll: Any) -> str:
        return "steal"

    with pytest.raises(ValueError, match=r"cheat keeps 'steal' of the roll .* no move of countdown"):
        two.distribution(cheat) if ask == "distribution" else two.simulate(cheat, "win", games=1, seed=0)
    with pytest.raises(ValueError, match=r"no policy 'best'"):
        two.distribution("best") if ask == "distribution" else two.simulate("best", "win", games=1, seed=0)


def test_replay_of_a_game_that_always_ties_is_refused() -> None:
    class Level(Countdown):
        def score(self, state: Any) -> int:
            return 5

    assert duel.solve(Level()).first_player_value == 0.5
    with pytest.raises(ValueError, match="every game of countdown is tied"):
        duel.solve(Level(), "replay")


class Coins(Countdown):
    """So many coins; a plain class that says when two of it are equal, and so cannot be hashed."""

    def __init__(self, coins: int) -> None:
        self.start = (coins, 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coins) and self.start == other.start

    __hash__ = None  # type: ignore[assignment]


def test_a_game_that_was_changed_is_solved_anew() -> None:
    game = Coins(3)
    for solve in (duel.solve, gt.solve):
        game.start = (3, 0)
        assert solve(game).headline()["expected_score"] == pytest.approx(1.0, abs=1e-15)
        game.start = (6, 0)
        assert solve(game).headline()["expected_score"] == pytest.approx(2.0, abs=1e-15)


def test_a_game_without_a_name_is_called_by_its_class() -> None:
    class Nameless:
        start = Countdown.start
        rolls, moves, score = Countdown.rolls, Countdown.moves, Countdown.score

    two = gt.solve(Nameless())
    assert two.game.name == "Nameless"
    assert gt.moves(two, "heads").question == "Nameless: heads in (3, 0), first to play, ties split"
    assert gt.best_answer(Nameless(), "win")["game"] == "Nameless"
