"""A walked game of one's own as solvers see it, in flat arrays: what games whose points add up, and others, have in common.

    V[place, column] = sum over rolls of P(roll) * max over moves of V[place after, column + gain of the move]

Between moves of equal worth the one with the better expected score is taken, then the one listed first. Where more points
are never worth less, a move that gains less on the way to the same place is left out; equal rolls are one (`graph.merge`).

Columns in which a place is settled are not computed: what the finished states are worth is the same up to one column and
from another one on, and no play from there comes between them. Large games are solved in the kernel, small ones in numpy:
which of the two, the number of moves and columns says, so that bits never hang on what is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers import Array, Plain
from ..levels import Columns, Estimate, Node, Places, Rows, Steps
from ..scoring import PlainNotation, bare
from ..space import Space
from .graph import Graph, Merged, merge, walk
from .notation import Position
from .rules import Named, check_game

if TYPE_CHECKING:
    from concurrent.futures import Executor

SMALL = 20_000_000
"""Up to so many moves times columns a game is solved in numpy."""
AT_ONCE = 1 << 20
"""How many numbers numpy handles at a time."""
SHARE = 64
"""How many places of a level a thread takes at a time."""
MEMORY = 8e9
"""Bytes of values that a solve may take without being told to."""


class _Settled(Rows):
    """Rows being filled, and the columns from which, and up to which, every place is not settled."""

    def __init__(self, values: Array, first: Places, stop: Places) -> None:
        super().__init__(values)
        self.first, self.stop = first, stop


class Walked(Space):
    """A game that is walked when it is first asked for, as a graph in flat arrays."""

    executor: Any = None

    def __init__(self, game: Any) -> None:
        self.given = game
        check_game(game)
        self.game = self.named(game)
        self.game.space = self

    def named(self, game: Any) -> Named:
        """Return the game with a name and what else it may have left out."""
        return Named(game)

    def on(self, executor: Any) -> Space:
        found = type(self)(self.given)
        found.executor = executor
        return found

    @cached_property
    def graph(self) -> Graph:
        return walk(self.given, self.executor)

    @property
    def digest(self) -> str:
        """A SHA-256 over the rules as they were walked."""
        return self.graph.digest

    # Set by the two kinds of games: places and gains of all moves, and the columns.

    @property
    def listed(self) -> Merged:
        """All moves, as the rules list them."""
        raise NotImplementedError

    @cached_property
    def decided(self) -> Merged:
        """The moves that can be best, where more points are never worth less."""
        return merge(*self.listed, prune=True)

    @cached_property
    def start(self) -> int:  # type: ignore[override]
        return self.places - 1

    @cached_property
    def places(self) -> int:
        return len(self.listed.rolls) - 1

    @cached_property
    def levels(self) -> list[range]:  # type: ignore[override]
        shift = self.graph.finished - len(self.finished)
        return [range(level.start - shift, level.stop - shift) for level in self.graph.levels]

    def merged(self, place: int) -> Node:
        return _node(self.decided, place)

    @cached_property
    def _number(self) -> dict[Any, int]:
        """The place of every state in the graph."""
        return {state: place for place, state in enumerate(self.graph.states)}

    def number(self, state: Any) -> int:
        """Return the place of a state in the graph; refuse one that no play comes to."""
        found = self._number.get(state)
        if found is None:
            raise KeyError(f"the state {state!r} cannot be reached in {self.game.name}")
        return found

    @cached_property
    def written(self) -> dict[str, Any]:
        """Every state by what is written for it, spaces and capitals aside."""
        write = PlainNotation(self.game).write
        return {bare(write(state)): state for state in self.graph.states}

    # What can still be gained.

    def _gains(self, best: Any) -> Places:
        """Return by place the gain of all moves to come, if each time the most, or the least, of what follows is taken."""
        found = np.zeros(self.places, np.int64)
        rolls, _, moves, after, gains = self.listed
        for level in self.levels:
            begins = moves[rolls[level.start : level.stop + 1]]
            here = slice(begins[0], begins[-1])
            found[level.start : level.stop] = best.reduceat(gains[here] + found[after[here]], begins[:-1] - begins[0])
        return found

    @cached_property
    def most_gains(self) -> Places:
        return self._gains(np.maximum)

    @cached_property
    def least_gains(self) -> Places:
        """By place: the least gain that can still be made there."""
        return self._gains(np.minimum)

    # Solving.

    @property
    def moves_in_all(self) -> int:
        """How many moves the solver looks at."""
        return len(self.decided.after)

    @cached_property
    def small(self) -> bool:
        """Whether numpy solves it."""
        return self.moves_in_all * (len(self.solo) + len(self.chase)) <= SMALL

    def estimate(self) -> Estimate:
        moves = float(len(self.listed.after))
        columns = len(self.chase) + 2 * len(self.solo)
        return Estimate(moves, self.moves_in_all * columns * 1e-9, 16.0 * self.places * columns)

    def check_size(self, force: bool = False) -> None:
        needs = self.estimate()
        if needs.memory > MEMORY and not force:
            raise ValueError(
                f"solving {self.game.name} would take about {needs.memory / 1e9:.2g} GB ({self.places:,} states, "
                f"{len(self.chase):,} columns of points): count points in larger units, or say --force (force=True) to "
                "start all the same"
            )

    def suits(self, payoff: Array) -> Space:
        """Return itself for a payoff that never falls as the score gets better; else every move is tried."""
        if not self.solo.shifts or np.all(np.diff(payoff[self.attained]) >= 0):
            return self
        return self._every_move

    @cached_property
    def _every_move(self) -> Space:
        found = type(self)(self.given)
        found.graph = self.graph
        found.decided = merge(*self.listed, prune=False)
        return found

    def begin(self, ends: Array) -> Rows:
        rows = super().begin(ends).values
        width = rows.shape[1]
        first, stop = np.zeros(self.places, np.int64), np.full(self.places, width)
        if not self.solo.shifts:
            return _Settled(rows, first, stop)
        worth = ends[0]
        changes = np.flatnonzero(worth[1:] != worth[:-1]) + 1
        low, high = (int(changes[0]), int(changes[-1])) if len(changes) else (0, 0)
        first = np.maximum(0, low - self.most_gains)
        stop = np.maximum(first, high - self.least_gains)
        # No play that is not over has banked so much that more could be too much.
        over = width - self.most_gains
        beyond = np.nan if width == len(self.solo) else worth[-1]
        columns = np.arange(width)
        for begin in range(len(self.finished), self.places, SHARE):
            some = slice(begin, begin + SHARE)
            settled = np.where(columns < stop[some, None], worth[0], worth[-1])
            rows[some] = np.where(columns < over[some, None], settled, beyond)
        return _Settled(rows, first, np.minimum(stop, over))

    def backup(self, level: int, rows: Rows, workers: Executor | None) -> None:
        assert isinstance(rows, _Settled)
        here = self.levels[level]
        if self.small:
            for begin, end in self._shares(here, rows.values.shape[1]):
                self._backup_plainly(rows, begin, end)
            return
        from . import kernel, parts

        def solve(run: range) -> None:
            def solve_share(begin: int) -> None:
                kernel.backup(values, *self.decided, first, stop, begin, min(begin + SHARE, run.stop))

            begins = range(run.start, run.stop, SHARE)
            for _ in (workers.map if workers is not None and len(begins) > 1 else map)(solve_share, begins):
                pass

        values, first, stop = rows.values, rows.first, rows.stop
        if self.executor is None:
            solve(here)
        else:
            parts.solve_level(self.executor, solve, self.decided, values, first, stop, here)

    def _shares(self, level: range, width: int) -> Iterator[tuple[int, int]]:
        """Cut a level into runs of places that are small enough to be handled at once."""
        rolls, _, moves, _, _ = self.decided
        begin = level.start
        while begin < level.stop:
            room = moves[rolls[begin]] + AT_ONCE // width
            end = int(np.searchsorted(moves[rolls[begin + 1 : level.stop + 1]], room, "right")) + begin + 1
            end = min(max(end, begin + 1), level.stop)
            yield begin, end
            begin = end

    def _backup_plainly(self, rows: _Settled, begin: int, end: int) -> None:
        """Fill in the rows of some places of a level in numpy."""
        first, stop = rows.first[begin:end], rows.stop[begin:end]
        low, high = int(first.min()), int(stop.max())
        if high <= low:
            return
        rolls, weights, moves, after, gains = self.decided
        ours = slice(rolls[begin], rolls[end])
        begins = moves[rolls[begin] : rolls[end]]
        here = slice(begins[0], moves[rolls[end]])
        columns = np.arange(low, high)
        # Columns beyond the last are those of places that are settled there.
        column = np.minimum(columns + gains[here, None], rows.values.shape[1] - 1)
        best = np.maximum.reduceat(rows.values[after[here, None], column], begins - begins[0], axis=0)
        weighted = np.ascontiguousarray((weights[ours, None] * best).T)
        each = rolls[begin:end] - rolls[begin]
        ways = np.add.reduceat(weights[ours], each)
        found = (np.add.reduceat(weighted, each, axis=1) / ways).T
        open_ = (columns >= first[:, None]) & (columns < stop[:, None])
        rows.values[begin:end, low:high] = np.where(open_, found, rows.values[begin:end, low:high])

    def row_work(self, place: int) -> float:
        rolls, _, moves, _, _ = self.decided
        return float(moves[rolls[place + 1]] - moves[rolls[place]])

    def random_steps(self) -> Steps:
        found: Steps = {}
        for place in self.order:
            node = _node(self.listed, place)
            found[place] = node.after, node.gains, node.chances[node.roll_of] / node.sizes[node.roll_of]
        return found


def _node(arrays: Merged, place: int) -> Node:
    """Return the moves of a place, its rolls and moves by number."""
    rolls, weights, moves, after, gains = arrays
    ours = slice(rolls[place], rolls[place + 1])
    begin, end = moves[rolls[place]], moves[rolls[place + 1]]
    numbers: Any = range(ours.stop - ours.start), range(end - begin)
    return Node(numbers[0], weights[ours], moves[ours] - begin, numbers[1], after[begin:end], gains[begin:end], ())


class Own(Walked):
    """A game whose states hold their points: every finished state is a place of its own."""

    looks = ("target",)

    @cached_property
    def listed(self) -> Merged:
        graph = self.graph
        return Merged(graph.rolls, graph.weights, graph.moves, graph.after, np.zeros_like(graph.after))

    @cached_property
    def outcomes(self) -> Any:  # type: ignore[override]
        return np.array(sorted(set(self.graph.finals), reverse=not self.game.higher_wins))

    @cached_property
    def finished(self) -> Places:  # type: ignore[override]
        return np.arange(self.graph.finished)

    @cached_property
    def final(self) -> Places:  # type: ignore[override]
        number = {score: outcome for outcome, score in enumerate(self.outcomes.tolist())}
        return np.array([number[score] for score in self.graph.finals], np.int64)

    @cached_property
    def solo(self) -> Columns:  # type: ignore[override]
        return Columns("held", range(1))

    @cached_property
    def chase(self) -> Columns:  # type: ignore[override]
        return Columns("target", np.zeros(len(self.outcomes), np.int64))

    def at(self, state: Any) -> tuple[int, int]:
        return self.number(state), 0

    def state(self, place: int, gain: int) -> Any:
        return self.graph.states[place]

    def position(self, place: int, gain: int, target: Any) -> Position:
        return Position(self.graph.states[place], target)

    def told(self, position: Any) -> Any:
        return position.state

    # Keeping.

    @property
    def axes(self) -> Plain:
        return {"place": np.arange(self.places), "target": np.arange(len(self.outcomes))}

    def expected_score(self, table: Any, state: Any) -> float:
        return float(table[self.at(state)[0]])

    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        points = float(self.outcomes[0]) + self.sign * expected
        return frozen({
            "expected": (("place",), points), "first": (("place",), first[:, 0].copy()),
            "second": (("place", "target"), second), "scores": (("target",), self.outcomes),
        })  # fmt: skip

    def unpack_expected(self, table: Any) -> Array:
        return np.asarray(self.sign * (np.asarray(table, float) - float(self.outcomes[0])))

    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Array, Array, Array]:
        shapes = {"expected": (self.places,), "first": (self.places,), "second": (self.places, len(self.outcomes))}
        expected, first, second = check_shapes(arrays, shapes)
        return self.unpack_expected(expected), first[:, None], second


def frozen(arrays: dict[str, tuple[tuple[str, ...], Any]]) -> dict[str, tuple[tuple[str, ...], Any]]:
    """Return arrays that are not to be written."""
    for _, array in arrays.values():
        array.setflags(write=False)
    return arrays


def check_shapes(arrays: dict[str, tuple[tuple[str, ...], Any]], shapes: dict[str, tuple[int, ...]]) -> Sequence[Array]:
    """Return the arrays of a table; refuse those of other shapes than the rules ask for."""
    for name, shape in shapes.items():
        if arrays[name][1].shape != shape:
            raise ValueError(f"an array has shape {arrays[name][1].shape} where the rules ask for {shape}")
    return [np.asarray(arrays[name][1], float) for name in shapes]
