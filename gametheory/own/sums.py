"""Games of one's own whose points add up: states hold no points, so that one solve covers every number of them.

    V[state, banked] = sum over rolls of P(roll) * max over moves of V[next state, banked + points of the move]

The final score is the sum of points, plus `final(state)` where the game says it. Place 0 stands for all finished states
together; points are counted as gain, those above the worst that a way to the same state can have made.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array, Move, Plain
from ..levels import Columns, Node
from ..space import Space
from .notation import OwnNotation, SumPosition
from .rules import Walk, name_of, walk


class Standing(NamedTuple):
    """Where a player stands: the state of the game, and the points banked."""

    state: Any
    banked: int = 0


class Summed:
    """A game whose points add up, as one whose states hold them: the same four methods as every game."""

    space: Any
    """The game as solvers see it, once it is walked."""

    def __init__(self, game: Any) -> None:
        self.given = game
        self.family = str(getattr(game, "family", "own"))
        self.name = name_of(game)
        self.higher_wins = bool(getattr(game, "higher_wins", True))
        self.about = str(getattr(game, "about", "") or "")
        self.text = getattr(game, "text", None)

    @property
    def start(self) -> Standing:
        return Standing(self.given.start() if callable(self.given.start) else self.given.start)

    def rolls(self, at: Standing) -> Any:
        return self.given.rolls(at.state)

    def moves(self, at: Standing, roll: Any) -> Iterator[tuple[Any, Standing, int]]:
        for keep, after, points in self.given.moves(at.state, roll):
            yield keep, Standing(after, at.banked + points), points

    def score(self, at: Standing) -> int:
        return at.banked + final_points(self.given, at.state)


def final_points(game: Any, state: Any) -> int:
    """Return what a finished state adds to the points, a whole number."""
    final = getattr(game, "final", None)
    return _whole(game, state, final(state) if callable(final) else 0)


def _whole(game: Any, state: Any, points: Any) -> int:
    if isinstance(points, bool) or not hasattr(points, "__index__"):
        raise ValueError(
            f"{name_of(game)} has points {points!r} in the state {state!r}: give whole numbers, or keep the points in the "
            "state and say score(state)"
        )
    return operator.index(points)


class SumNotation(OwnNotation):
    """The notation of a game whose points add up: a standing is a state and the points banked."""

    options = ("state", "banked")
    places = ("state", "banked")

    def left(self, state: Standing) -> Any:
        return state.state

    def read(self, roll: Any, state: Any = None, banked: int = 0) -> tuple[Any, Standing]:
        start: Standing = self.game.start
        at = Standing(start.state if state is None else state, banked)
        shown, _ = super().read(roll, at)
        return shown, at

    def check_state(self, state: Standing) -> None:
        super().check_state(state)
        place = self.game.space.place_of(state.state)
        known = self.game.space.banked_scores(place)
        if place and state.banked not in known:
            near = sorted(known, key=lambda points: abs(points - state.banked))[:2]
            raise ValueError(
                f"{state.banked} points cannot be banked in the state {self.write(state.state)} of {self.game.name}: "
                f"give what play can have made, {' or '.join(map(str, sorted(near)))}, say"
            )

    def read_left(self, left: Any, beside: Standing, more: int = 0) -> Any:
        """Read what the other player has left: a state."""
        return left

    def where(self, state: Standing) -> str:
        return f"{self.write(state.state)} with {state.banked} banked"

    def asked(self, state: Standing) -> Plain:
        return self.place(state)

    def place(self, position: Standing) -> Plain:
        return {"state": self.write(position.state), "banked": position.banked}

    def preference(self, move: Move) -> tuple[Any, ...]:
        return ()


class Sums(Space):
    """A walked game whose points add up: place 0 is the end, then the states in the order of `rules.walk`."""

    def __init__(self, game: Any) -> None:
        self.given = game
        self.game = Summed(game)
        self.game.space = self
        self.walked: Walk = walk(game)
        unfinished = [place for place, node in enumerate(self.walked.nodes) if node is not None]
        self.states = [None, *(self.walked.states[place] for place in unfinished)]
        self.number = {state: place for place, state in enumerate(self.states) if place}
        self._walked_place = [-1, *unfinished]
        self.start = len(self.states) - 1
        self._bases = self._find_bases()
        worst, best = self._ends
        self.outcomes = np.arange(worst, best + self.sign, self.sign)
        most = len(self.outcomes) - 1
        self.finished, self.final = np.zeros(1, np.int64), np.arange(most + 1)
        self.solo = Columns("banked", np.arange(most + 1))
        self.chase = Columns("needed", np.arange(-most, most + 1))

    def _moves_of(self, place: int) -> Iterator[tuple[int, int]]:
        """Yield (place after, points) of every move; into the end with what the finished state adds."""
        walked = self._walked_place[place]
        node = self.walked.nodes[walked]
        assert node is not None
        for after, points in zip(node.after.tolist(), node.points, strict=True):
            state = self.walked.states[after]
            whole = _whole(self.given, self.walked.states[walked], points)
            if state in self.number:
                yield self.number[state], whole
            else:
                yield 0, whole + final_points(self.given, state)

    def _find_bases(self) -> list[int]:
        """Find the worst number of points that can be banked at every place; and the worst and best final scores."""
        low: list[Any] = [None] * len(self.states)
        high: list[Any] = [None] * len(self.states)
        low[self.start] = high[self.start] = 0
        for place in range(self.start, 0, -1):
            for after, points in self._moves_of(place):
                low[after] = low[place] + points if low[after] is None else min(low[after], low[place] + points)
                high[after] = high[place] + points if high[after] is None else max(high[after], high[place] + points)
        self._ends = (low[0], high[0]) if self.game.higher_wins else (high[0], low[0])
        return low if self.game.higher_wins else high

    @cached_property
    def levels(self) -> list[list[int]]:  # type: ignore[override]
        """States by the longest way from them to the end."""
        height = [0] * len(self.states)
        levels: list[list[int]] = []
        for place in range(1, len(self.states)):
            height[place] = 1 + max(height[after] for after, _ in self._moves_of(place))
            while len(levels) < height[place]:
                levels.append([])
            levels[height[place] - 1].append(place)
        return levels

    def _read(self, place: int) -> Node:
        node = self.walked.nodes[self._walked_place[place]]
        assert node is not None
        moves = list(self._moves_of(place))
        gains = [self.sign * (self._bases[place] + points - self._bases[after]) for after, points in moves]
        return node._replace(after=np.array([after for after, _ in moves]), gains=np.array(gains))

    def at(self, state: Any) -> tuple[int, int]:
        inner, banked = state
        if inner not in self.walked.places:
            raise KeyError(f"the state {inner!r} cannot be reached in {self.game.name}")
        place = self.number.get(inner, 0)
        made = banked if place else banked + final_points(self.given, inner)
        return place, self.sign * (made - self._bases[place])

    def state(self, place: int, gain: int) -> Standing:
        return Standing(self.states[place], self._bases[place] + self.sign * int(gain))

    def told(self, position: Any) -> Standing:
        return Standing(position.state, position.banked)

    def position(self, place: int, gain: int, target: Any) -> SumPosition:
        return SumPosition(*self.state(place, gain), target)

    @cached_property
    def attained(self) -> list[int]:
        return [self.sign * (points - int(self.outcomes[0])) for points in self.banked_scores(0)][:: self.sign]

    def left(self, place: int) -> Any:
        return self.states[place]

    def place_of(self, left: Any) -> int:
        return 0 if left is None else self.number.get(left, -1 if left not in self.walked.places else 0)

    def base(self, place: int) -> int:
        return int(self._bases[place])

    def banked_scores(self, place: int) -> Sequence[int]:
        return sorted(self.base(place) + self.sign * gain for gain in self._banked[place])

    @property
    def axes(self) -> Plain:
        most = len(self.outcomes) - 1
        return {"place": np.arange(self.places), "gain": np.arange(most + 1), "lead": np.arange(-most, most + 1)}

    @property
    def digest(self) -> str:
        """A SHA-256 over the rules as they were walked."""
        return self.walked.digest

    def expected_score(self, table: Any, state: Any) -> float:
        place, _ = self.at(state)
        final = final_points(self.given, state.state) if place == 0 else 0
        return float(state.banked + final + (table[place] if place else 0.0))

    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        to_come = self.outcomes[0] - np.array(self._bases) + self.sign * expected
        arrays = {"expected": (("place",), to_come), "first": (("place", "gain"), first)}
        arrays["second"] = (("place", "lead"), second)
        for _, array in arrays.values():
            array.setflags(write=False)
        return arrays

    def unpack_expected(self, table: Any) -> Array:
        return np.asarray(self.sign * (np.asarray(table, float) - self.outcomes[0] + np.array(self._bases)))

    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Array, Array, Array]:
        shapes = {"expected": (self.places,), "first": (self.places, len(self.solo))}
        shapes["second"] = (self.places, len(self.chase))
        for name, shape in shapes.items():
            if arrays[name][1].shape != shape:
                raise ValueError(f"an array has shape {arrays[name][1].shape} where the rules ask for {shape}")
        expected, first, second = (np.asarray(arrays[name][1], float) for name in shapes)
        return self.unpack_expected(expected), first, second

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return infinity where play can reach what is no number."""
        sound = bool(np.isfinite(expected).all())
        for place in range(self.places):
            gains = [self.sign * (points - self.base(place)) for points in self.banked_scores(place)]
            sound &= bool(np.isfinite(first[place, gains]).all())
        return 0.0 if sound else float("inf")
