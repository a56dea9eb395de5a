"""Policies of scoring games, and what they lead to, exactly and without sampling.

A policy that looks at the dice alone is a set of *steps*: for every place, the chance of each (place after, gain). A policy
given by values is played roll by roll by the family, all columns at once. A plain function is asked about every roll of
every position that it can reach; what it says that it ignores, it is not asked about again.

    score     maximises the expected score; one policy for every seat, target and tie rule
    win       maximises the chance to win, from its seat, knowing the target when second
    random    a uniformly random legal move
    an aim    maximises the worth of its final score (see `aims`), of equal moves the one with the better expected score

Arrays are by place and solo column (see `columns`); replies and distributions by outcome, worst first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Protocol

import numpy as np

from .aims import Aim
from .answers import Array, Move, Policy, by_win, check_calls, order
from .columns import best, chases, comes_to, step_player, steps_come_to, visits, visits_of_steps
from .levels import Places, Player, Steps
from .progress import Progress
from .space import Space, expected_rows


class Solved(Hashable, Protocol):
    """A game solved for two in turn, as policies see it."""

    @property
    def space(self) -> Space: ...
    @property
    def game(self) -> Any: ...
    @property
    def tie(self) -> str: ...
    @property
    def tie_worth(self) -> float: ...
    @property
    def notation(self) -> Any: ...
    @property
    def gain_expected(self) -> Array: ...
    @property
    def gain_first(self) -> Array: ...
    @property
    def gain_second(self) -> Array: ...
    def against(self, target: Any) -> Array: ...
    def made(self, policy: Any, target: Any = None) -> Array: ...
    def rank_state(
        self, state: Any, roll: Any, target: Any = None, *, sensible: bool = False, values: Array | None = None
    ) -> list[Move]: ...


class ScoringPolicy(Policy):
    """A policy of a scoring game; by itself it is asked about every roll."""

    def blind(self, space: Space) -> bool:
        """Tell whether it says that it looks at the dice alone."""
        return all(name in self.ignores for name in space.looks)

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        """Return where the rolls of every place lead; the policy must look at the dice alone."""
        space = solved.space
        check_calls(self, space.estimate().work, force)
        found: Steps = {}
        for done, place in enumerate(space.order, 1):
            flow: dict[tuple[int, int], float] = {}
            for after, gain, chance in _ask(space, self, place, 0, None):
                flow[after, gain] = flow.get((after, gain), 0.0) + chance
            parts = zip(*flow, strict=True)
            found[place] = (*map(np.array, parts), np.array(list(flow.values())))  # type: ignore[assignment]
            if progress:
                progress(done / len(space.order))
        return found

    def visits(
        self, solved: Solved, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        """Return the chance to pass through every place and column; with a target it plays second against it."""
        space = solved.space
        if self.blind(space):
            return visits_of_steps(space, self.steps(solved, force=force, progress=progress))
        return _ask_visits(space, self, target, force, progress)

    def replies(
        self, solved: Solved, *, force: bool = False, progress: Progress | None = None
    ) -> tuple[Array, Array]:
        """Return the chances that the policy, playing second, beats and ties each target, by the target's outcome."""
        space = solved.space
        if "target" in self.ignores:
            made = space.made(self.visits(solved, force=force, progress=progress))
            return np.cumsum(made[::-1])[::-1] - made, made
        wins, ties = np.zeros((2, len(space.outcomes)))
        for done, outcome in enumerate(space.attained, 1):
            made = space.made(self.visits(solved, space.outcomes[outcome].item(), force=force))
            wins[outcome], ties[outcome] = made[outcome + 1 :].sum(), made[outcome]
            if progress:
                progress(done / len(space.attained))
        return wins, ties

    def comes_to(
        self, solved: Solved, ends: Array, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        """Return what following the policy is worth, by place and solo column, where finished places are worth `ends`."""
        space = solved.space
        if self.blind(space):
            return steps_come_to(space, self.steps(solved, force=force, progress=progress), ends)
        check_calls(self, space.calls(), force)
        found = np.full((space.places, len(space.solo)), np.nan)
        found[space.finished] = ends
        for done, place in enumerate(space.order, 1):
            for gain in space.gains_at(place):
                column = gain if space.solo.shifts else 0
                found[place, column] = sum(
                    chance * found[after, column + more] for after, more, chance in _ask(space, self, place, gain, target)
                )
            if progress:
                progress(done / len(space.order))
        return found

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        """Return where every roll of a place leads: the place after and the gain, [roll, column]; one column where the
        policy does not look at what is banked.
        """
        space = solved.space
        numbers, _ = space.numbers(place)
        gains = [0] if "banked" in self.ignores or not space.solo.shifts else range(begin, begin + width)
        found = np.zeros((2, len(numbers), len(gains)), np.int64)
        held = set(space.gains_at(place))
        for column, gain in enumerate(gains):
            if gain not in held and len(gains) > 1:
                continue
            position = space.position(place, gain, target)
            for row, number in enumerate(numbers):
                roll = space.roll(place, number)
                found[:, row, column] = space.play_keep(place, roll, self(position, roll), self.name)
        return found[0], found[1]

    def player(self, solved: Solved) -> Player:
        """Return the policy as one who plays with dice."""
        space = solved.space

        def player(draw: np.random.Generator, wanted: Any) -> Any:
            finished = dict(zip(space.finished.tolist(), range(len(space.finished)), strict=True))
            made = np.zeros(len(wanted), np.int64)
            for game, outcome in enumerate(wanted):
                target = None if outcome < 0 else space.outcomes[outcome].item()
                place, gain = space.start, 0
                while place not in finished:
                    roll = space.throw(place, draw)
                    keep = self(space.position(place, gain, target), roll)
                    place, more = space.play_keep(place, roll, keep, self.name)
                    gain += more
                made[game] = gain if space.solo.shifts else space.final[finished[place]]
            return made

        return player


def _ask(space: Space, policy: Policy, place: int, gain: int, target: Any) -> Iterator[tuple[int, int, float]]:
    """Yield (place after, gain, chance) for every roll of a position, as the policy plays it."""
    position = space.position(place, gain, target)
    rolls = list(space.game.rolls(space.state(place, gain)))
    ways = sum(weight for _, weight in rolls)
    for roll, weight in rolls:
        after, more = space.play_keep(place, roll, policy(position, roll), policy.name)
        yield after, more, weight / ways


def _ask_visits(space: Space, policy: Policy, target: Any, force: bool, progress: Progress | None) -> Array:
    """Ask a policy about every roll of every position that it can reach."""
    check_calls(policy, space.calls(), force)
    found = np.zeros((space.places, len(space.solo)))
    found[space.start, 0] = 1.0
    for done, place in enumerate(reversed(space.order), 1):
        for column in np.flatnonzero(found[place]):
            gain = space.column(int(column))
            for after, more, chance in _ask(space, policy, place, gain, target):
                found[after, column + more] += found[place, column] * chance
        if progress:
            progress(done / len(space.order))
    return found


class Asked(ScoringPolicy):
    """A function of position and roll."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self.function = function
        self.name = str(getattr(function, "name", getattr(function, "__name__", function)))
        self.ignores = tuple(getattr(function, "ignores", ()))

    def __call__(self, position: Any, roll: Any) -> Any:
        return self.function(position, roll)


class _Valued(ScoringPolicy):
    """A policy that looks at a solved game."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved


class Score(_Valued):
    """Maximises the expected score."""

    name = "score"
    ignores = ("banked", "target")

    def __call__(self, position: Any, roll: Any) -> Any:
        solved = self.solved
        found = solved.rank_state(solved.space.told(position), roll, sensible=True)
        return order(found, score_worths(solved.space.sign), solved.notation.preference)[0].keep

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        return _score_steps(solved)

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        rows = expected_rows(solved.space, solved.gain_expected, solved.space.solo)
        return solved.space.taken(place, np.stack([rows, rows]), 0, 1)

    def player(self, solved: Solved) -> Player:
        return solved.space.player(None, None, solved.gain_expected)


class ByValues(_Valued):
    """Maximises values by place and solo column, whatever the target; of equal moves the better expected score."""

    ignores = ("target",)

    def __init__(self, solved: Solved, name: str, values: Array, space: Space | None = None) -> None:
        super().__init__(solved)
        self.name, self.values = name, values
        self.space = solved.space if space is None else space

    def __call__(self, position: Any, roll: Any) -> Any:
        solved, all_moves = self.solved, self.space is not self.solved.space
        found = solved.rank_state(self.space.told(position), roll, sensible=not all_moves, values=self.values)
        return order(found, win_worths(self.space.sign), solved.notation.preference)[0].keep

    def visits(
        self, solved: Solved, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        return visits(self.space, self.values, solved.gain_expected)

    def comes_to(
        self, solved: Solved, ends: Array, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        return comes_to(self.space, self.values, solved.gain_expected, ends)

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        rows = expected_rows(self.space, solved.gain_expected, self.space.solo)
        return self.space.taken(place, np.stack([self.values, rows]), begin, width)

    def player(self, solved: Solved) -> Player:
        alone = self.space.player(self.values, None, solved.gain_expected)
        return lambda draw, wanted: alone(draw, np.full(len(wanted), -1))


def aimed(solved: Solved, aim: Aim) -> ScoringPolicy:
    """Return the policy that maximises an aim."""
    payoff = solved.space.payoff(aim)
    space = solved.space.suits(payoff)
    return ByValues(solved, aim.name, best(space, space.ends(payoff)).values, space)


class Win(_Valued):
    """Maximises the chance to win from its seat."""

    name = "win"

    def __call__(self, position: Any, roll: Any) -> Any:
        return self.against(position.target)(position, roll)

    def against(self, target: Any) -> ByValues:
        """Return how it plays first, or against a target."""
        solved = self.solved
        return ByValues(solved, self.name, solved.gain_first if target is None else solved.against(target))

    def visits(
        self, solved: Solved, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        if target is None:
            return _win_visits(solved)
        return visits(solved.space, solved.against(target), solved.gain_expected)

    def comes_to(
        self, solved: Solved, ends: Array, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        return self.against(target).comes_to(solved, ends)

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        return self.against(target).taken(solved, place, begin, width)

    def replies(
        self, solved: Solved, *, force: bool = False, progress: Progress | None = None
    ) -> tuple[Array, Array]:
        return _win_replies(solved)

    def player(self, solved: Solved) -> Player:
        return solved.space.player(solved.gain_first, solved.gain_second, solved.gain_expected)


class RandomPolicy(ScoringPolicy):
    """Plays a uniformly random legal move."""

    name = "random"
    ignores = ("banked", "target")

    def __init__(self, solved: Solved, seed: int = 0) -> None:
        self.space, self.seed = solved.space, seed

    def __call__(self, position: Any, roll: Any) -> Any:
        # The move hangs on the position and the roll alone, so that the same question has the same answer.
        draw = Random(f"{self.seed} {position} {roll}")
        return draw.choice([keep for keep, _, _ in self.space.game.moves(self.space.told(position), roll)])

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        return solved.space.random_steps()

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        raise ValueError("random has no one move for a roll, so that no roll tells it from another: ask compare")

    def player(self, solved: Solved) -> Player:
        return step_player(solved.space, self.steps(solved))


def score_worths(sign: int) -> list[Callable[[Move], float]]:
    """Return what moves are sorted by when playing for points."""
    return [lambda move: sign * move.expected_score]


def win_worths(sign: int) -> list[Callable[[Move], float]]:
    """Return what moves are sorted by when playing to win."""
    return [by_win, *score_worths(sign)]


@lru_cache(maxsize=16)
def _score_steps(solved: Solved) -> Steps:
    """Return the steps of the score-maximiser."""
    space = solved.space
    rows = expected_rows(space, solved.gain_expected, space.solo)
    tables = np.stack([rows, rows])
    found: Steps = {}
    for place in space.order:
        after, flow = space.spread(place, tables, solved.gain_expected, 0, np.ones(1))
        row, gain = np.nonzero(flow)
        found[place] = after[row], gain, flow[row, gain]
    return found


@lru_cache(maxsize=16)
def _win_visits(solved: Solved) -> Array:
    """Return the chance to pass through every place and column when the first player plays to win."""
    return visits(solved.space, solved.gain_first, solved.gain_expected)


@lru_cache(maxsize=16)
def _win_replies(solved: Solved) -> tuple[Array, Array]:
    """Return the chances that a second player who plays to win beats, and ties, each target, by its outcome."""
    return chases(solved.space, solved.gain_second, solved.gain_expected)
