"""Games of one's own whose points add up: states hold no points, so that one solve covers every number of them.

    V[state, banked] = sum over rolls of P(roll) * max over moves of V[next state, banked + points of the move]

The final score is the sum of points, plus `final(state)` where the game says it. Place 0 stands for all finished states
together; points are counted as gain, those above the worst that a way to the same state can have made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array, Move, Plain
from ..levels import Columns, Places
from .graph import Merged
from .notation import OwnNotation, SumPosition
from .rules import Named, final_points, holds_points, start_of
from .solver import Own, Walked, check_shapes, frozen

MOST_SCORES = 1_000_000
"""How many columns of points a game may have."""


class Standing(NamedTuple):
    """Where a player stands: the state of the game, and the points banked."""

    state: Any
    banked: int = 0


class Summed(Named):
    """A game whose points add up, as one whose states hold them: the same four methods as every game."""

    @property
    def start(self) -> Standing:
        return Standing(start_of(self.given))

    def rolls(self, at: Standing) -> Any:
        return self.given.rolls(at.state)

    def moves(self, at: Standing, roll: Any) -> Iterator[tuple[Any, Standing, int]]:
        for keep, after, points in self.given.moves(at.state, roll):
            yield keep, Standing(after, at.banked + points), points

    def score(self, at: Standing) -> int:
        return at.banked + final_points(self.given, at.state)


class SumNotation(OwnNotation):
    """The notation of a game whose points add up: a standing is a state and the points banked."""

    options = ("state", "banked")
    places = ("state", "banked")

    def left(self, state: Standing) -> Any:
        return state.state

    def read(self, roll: Any, state: Any = None, banked: int | None = None) -> tuple[Any, Standing]:
        space = self.game.space
        inner = self.game.start.state if state is None else self.read_state(state)
        place = space.place_of(inner)
        known = space.banked_scores(place) if place else [0]
        if banked is None:
            banked = known[0] if len(known) == 1 else 0  # nothing else can be meant, or nothing is said
        if place and banked not in known:
            near = sorted(known, key=lambda points: abs(points - banked))[:2]
            raise ValueError(
                f"{banked} points cannot be banked in the state {self.write(inner)} of {self.game.name}: give what play can "
                f"have made, {' or '.join(map(str, sorted(near)))}, say"
            )
        at = Standing(inner, banked)
        return self._find_roll(roll, at, [shown for shown, _ in self.game.rolls(at)]), at

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


class Sums(Walked):
    """A game whose points add up: place 0 is the end, then the unfinished states as in the graph."""

    def named(self, game: Any) -> Named:
        return Summed(game)

    # A place here is one in the graph less all finished ones but one.

    @cached_property
    def _bases(self) -> Places:
        """By place, the worst number of points that can be banked there; and so the worst and the best final score."""
        low, high = self._points_from_start
        return low if self.game.higher_wins else high

    @cached_property
    def _points_from_start(self) -> tuple[Places, Places]:
        """The least and the most points that can be banked at every place, 0 being the end, final points counted."""
        rolls, _, moves, after, points = self._shifted
        found = []
        for worst, start in ((np.minimum, np.iinfo(np.int64).max), (np.maximum, np.iinfo(np.int64).min)):
            made = np.full(self.places, start)
            made[-1] = 0 if self.places > 1 else self.graph.finals[0]
            for level in reversed(self.levels):
                sizes = moves[rolls[level.start + 1 : level.stop + 1]] - moves[rolls[level.start : level.stop]]
                here = slice(moves[rolls[level.start]], moves[rolls[level.stop]])
                worst.at(made, after[here], np.repeat(made[level.start : level.stop], sizes) + points[here])
            found.append(made)
        return found[0], found[1]

    @cached_property
    def _shifted(self) -> Merged:
        """All moves, with their points; those into the end with what the finished state adds."""
        graph = self.graph
        last = graph.finished - 1
        finals = np.array(graph.finals, np.int64)
        over = graph.after <= last
        points = graph.points.copy()
        points[over] += finals[graph.after[over]]
        return Merged(graph.rolls[last:], graph.weights, graph.moves, np.maximum(graph.after - last, 0), points)

    @cached_property
    def listed(self) -> Merged:
        rolls, weights, moves, after, points = self._shifted
        owner = np.repeat(np.arange(len(rolls) - 1), moves[rolls[1:]] - moves[rolls[:-1]])
        gains = self.sign * (self._bases[owner] + points - self._bases[after])
        return Merged(rolls, weights, moves, after, gains)

    @cached_property
    def places(self) -> int:
        return len(self.graph.states) - self.graph.finished + 1

    @cached_property
    def outcomes(self) -> Any:  # type: ignore[override]
        low, high = self._points_from_start
        worst, best = (int(low[0]), int(high[0]))[:: self.sign]
        if best * self.sign - worst * self.sign >= MOST_SCORES:
            raise ValueError(
                f"the final scores of {self.game.name} run from {low[0]} to {high[0]}, and every score has a column: count "
                "points in larger units, or keep the points in the state and say score(state)"
            )
        return np.arange(worst, best + self.sign, self.sign)

    @cached_property
    def finished(self) -> Places:  # type: ignore[override]
        return np.zeros(1, np.int64)

    @cached_property
    def final(self) -> Places:  # type: ignore[override]
        return np.arange(len(self.outcomes))

    @cached_property
    def solo(self) -> Columns:  # type: ignore[override]
        return Columns("banked", range(len(self.outcomes)))

    @cached_property
    def chase(self) -> Columns:  # type: ignore[override]
        most = len(self.outcomes) - 1
        return Columns("needed", range(-most, most + 1))

    def at(self, state: Any) -> tuple[int, int]:
        inner, banked = state
        place = self.place_of(inner, known=True)
        made = banked if place else banked + final_points(self.given, inner)
        return place, int(self.sign * (made - self._bases[place]))

    def state(self, place: int, gain: int) -> Standing:
        if self.places == 1:  # over before it begins
            return Standing(self.graph.states[0])
        return Standing(self.left(place), self.base(place) + self.sign * int(gain))

    def told(self, position: Any) -> Standing:
        return Standing(position.state, position.banked)

    def position(self, place: int, gain: int, target: Any) -> SumPosition:
        return SumPosition(*self.state(place, gain), target)

    @cached_property
    def attained(self) -> list[int]:
        return _bits(self._made[0])

    def left(self, place: int) -> Any:
        return self.graph.states[place + self.graph.finished - 1] if place else None

    def place_of(self, left: Any, *, known: bool = False) -> int:
        if left is None and not known:
            return 0
        try:
            return max(0, self.number(left) - self.graph.finished + 1)
        except KeyError:
            if known:
                raise
            return -1

    def base(self, place: int) -> int:
        return int(self._bases[place])

    @cached_property
    def _made(self) -> list[int]:
        """By place, the gains that can be banked there, as the bits of a number."""
        found = [0] * self.places
        found[-1] = 1
        rolls, _, moves, after, gains = self.listed
        for place in reversed(self.order):
            here = slice(moves[rolls[place]], moves[rolls[place + 1]])
            steps = set(zip(after[here].tolist(), gains[here].tolist(), strict=True))
            mine = found[place]
            for then, gain in steps:
                found[then] |= mine << gain
        return found

    def gains_at(self, place: int) -> Sequence[int]:
        return _bits(self._made[place])

    def banked_scores(self, place: int) -> Sequence[int]:
        base = self.base(place)
        return sorted(base + self.sign * gain for gain in self.gains_at(place))

    # Keeping.

    @property
    def axes(self) -> Plain:
        most = len(self.outcomes) - 1
        return {"place": np.arange(self.places), "gain": np.arange(most + 1), "lead": np.arange(-most, most + 1)}

    def expected_score(self, table: Any, state: Any) -> float:
        place, _ = self.at(state)
        final = final_points(self.given, state.state) if place == 0 else 0
        return float(state.banked + final + (table[place] if place else 0.0))

    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        to_come = self.outcomes[0] - self._bases + self.sign * expected
        return frozen(
            {"expected": (("place",), to_come), "first": (("place", "gain"), first), "second": (("place", "lead"), second)}
        )

    def unpack_expected(self, table: Any) -> Array:
        return np.asarray(self.sign * (np.asarray(table, float) - self.outcomes[0] + self._bases))

    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Array, Array, Array]:
        shapes = {"expected": (self.places,), "first": (self.places, len(self.solo))}
        shapes["second"] = (self.places, len(self.chase))
        expected, first, second = check_shapes(arrays, shapes)
        return self.unpack_expected(expected), first, second

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return infinity where play can reach what is no number."""
        sound = np.isfinite(expected).all() and all(
            np.isfinite(first[place, self.gains_at(place)]).all() for place in range(self.places)
        )
        return 0.0 if sound else float("inf")


def space_of(game: Any) -> Own | Sums:
    """Return a game as solvers see it."""
    return Own(game) if holds_points(game) else Sums(game)


def _bits(number: int) -> list[int]:
    """Return the places of the ones in a number, the lowest first."""
    return [place for place, digit in enumerate(bin(number)[:1:-1]) if digit == "1"]
