"""What a family of scoring games is to those who solve it: the moves of one place at a time.

    V[place, column] = sum over rolls of P(roll) * max over moves of V[place after, column + gain of the move]

The plain methods here ask the rules for every roll and every move (`Node`), in numpy; a family with a kernel of its own
overrides them. A family sets `game`, `outcomes`, `levels`, `finished`, `final`, `start`, `solo` and `chase`, and says how
states and places belong together (see `levels`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .answers import Array, Plain
from .dice import Stream
from .levels import Columns, Estimate, Found, Levels, Node, Places, Player, Rows, Steps
from .shelf import Shelf
from .ties import DISAGREE, TIED

if TYPE_CHECKING:
    from concurrent.futures import Executor


class Space(Levels):
    """A scoring game as solvers see it."""

    # One place at a time: what a family with a kernel does in its own way.

    def estimate(self) -> Estimate:
        """Estimate the work of a solve before it starts."""
        moves = float(sum(len(self.node(place).keeps) for place in self.order))
        return Estimate(moves, moves * len(self.chase) * 1e-8, 8.0 * self.places * len(self.chase))

    def check_size(self, force: bool = False) -> None:
        """Refuse a game whose solve would take more time or memory than is sensible."""

    lays_out: bool = True
    """Whether questions may go through all places; else only what is worked out for single ones is told."""

    def check_question(self, question: str) -> None:
        """Refuse a question that would go through more places than is sensible."""

    def points_values(self, expected: Array) -> Array:
        """Return the expected final score, better ones higher, by place and solo column."""
        return np.asarray(float(self.sign * self.outcomes[0]) + expected_rows(self, expected, self.solo))

    def kept_on(self, shelf: Shelf | None) -> Space:
        """Return the same game, its rows kept on a shelf where they are too many for memory; by default they are not."""
        return self

    def suits(self, payoff: Array) -> Space:
        """Return the space, of the same places, that can solve a payoff by outcome: itself where any payoff will do."""
        return self

    def done(self, level: int) -> float:
        """Return the part of a solve that is done after a level."""
        return (level + 1) / len(self.levels)

    def expected(self, workers: Executor | None) -> Rows | None:
        """Solve for points in a way of its own, where points need no columns; None if there is none."""
        return None

    def keep_expected(self, expected: Rows) -> tuple[tuple[str, ...], Any]:
        """Return the table of expected scores, out of what was solved."""
        return self.pack_expected(expected.values[:, 0])

    def keep(self, expected: Rows, first: Rows, second: Rows) -> dict[str, tuple[tuple[str, ...], Any]]:
        """Return the arrays of a table, out of what was solved."""
        return self.pack(expected.values[:, 0], first.values, second.values)

    # One row by itself, for matches that feed rows of their own: the players' turns alternate, or a cluster computes them.

    tolerance: float = 0.0
    """What counts as equal inside the kernel, as part of a payoff's span."""

    def row(self, place: int, rows: Array, begin: int, width: int) -> Array:
        """Return the best worth of a place, `width` entries from column `begin` on, for chances from 0 to 1."""
        node = self.merged(place)
        worth = self._after(rows, node, begin, width)
        return _mean(node.weights, np.maximum.reduceat(worth, node.begins, axis=0))

    def on(self, executor: Any) -> Space:
        """Return the same game, its large places computed on an executor (`cluster`); by default here."""
        return self

    def row_work(self, place: int) -> float:
        """Return the work of one row, compared with others."""
        return float(len(self.node(place).rolls))

    def bound(self, least: float, most: float) -> float:
        """Bound the error of any row for a payoff from `least` to `most`."""
        return 0.0

    def one_less(self, place: int) -> tuple[int, ...]:
        """Return places that are never better than this one, whatever the column."""
        return ()

    def left(self, place: int) -> Any:
        """Return what a place leaves to play, as moves say it."""
        return place

    def place_of(self, left: Any) -> int:
        """Return the place with so much left to play, -1 if there is none."""
        return int(left) if 0 <= left < self.places else -1

    def base(self, place: int) -> int:
        """Return the points that a place has banked at gain 0."""
        return 0

    def banked_scores(self, place: int) -> Sequence[int]:
        """Return every number of points that can be banked at a place."""
        return sorted(self._banked[place])

    @cached_property
    def _banked(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in range(self.places)]
        found[self.start].add(0)
        for place in reversed(self.order):
            node = self.node(place)
            for after, gain in zip(node.after.tolist(), node.gains.tolist(), strict=True):
                found[after] |= {points + gain for points in found[place]}
        return found

    def most_rolls(self, place: int) -> int:
        """Return the most rolls that lead from the start to a place."""
        return self._most_rolls[place]

    @cached_property
    def _most_rolls(self) -> list[int]:
        most = [0] * self.places
        for place in reversed(self.order):
            for after in set(self.node(place).after.tolist()):
                most[after] = max(most[after], most[place] + 1)
        return most

    def fewest_rolls(self, place: int) -> int:
        """Return the fewest rolls that lead from the start to a place."""
        return self._fewest_rolls[place]

    @cached_property
    def _fewest_rolls(self) -> list[int]:
        fewest = [0 if place == self.start else self.places for place in range(self.places)]
        for place in reversed(self.order):
            for after in set(self.node(place).after.tolist()):
                fewest[after] = min(fewest[after], fewest[place] + 1)
        return fewest

    @property
    def left_axes(self) -> Plain:
        """The labels along the axes of what is left to play."""
        return {"place": np.arange(self.places)}

    def begin(self, ends: Array) -> Rows:
        """Return rows in which only the finished places are filled in; the others are NaN."""
        rows = np.full((self.places, ends.shape[1]), np.nan)
        rows[self.finished] = ends
        return Rows(rows)

    def backup(self, level: int, rows: Rows, workers: Executor | None) -> None:
        """Fill in the rows of one level from those below it: the best move of every roll."""
        for place in self.levels[level]:
            node = self.node(place)
            worth = self._after(rows.values, node, 0, rows.values.shape[1])
            rows.values[place] = _mean(node.weights, np.maximum.reduceat(worth, node.begins, axis=0))

    def _after(self, rows: Array, node: Node, begin: int, width: int) -> Array:
        """Return what the moves of a place lead to, [move, column]; NaN beyond the last column."""
        if not node.gains.any():
            return rows[node.after, begin : begin + width]
        column = begin + np.arange(width) + node.gains[:, None]
        last = rows.shape[1] - 1
        found = rows[node.after[:, None], np.minimum(column, last)]
        # Past the last column of a chase the target is beaten, as it is there; elsewhere no play leads past the last.
        return np.where(column > last, np.nan if rows.shape[1] == len(self.outcomes) else found, found)

    def choose(self, place: int, tables: Array, begin: int, width: int) -> Places:
        """Return the move taken, [roll, column]: the highest tables[0], of equal ones the highest tables[1], the first."""
        return self._choose(self.node(place), tables, begin, width)

    def merged(self, place: int) -> Node:
        """Return a place without what makes no difference to values: equal rolls and worse moves; by default as it is."""
        return self.node(place)

    def _choose(self, node: Node, tables: Array, begin: int, width: int) -> Places:
        tied = np.ones((len(node.keeps), width), bool)
        for table in tables[:2]:
            worth = np.where(tied, self._after(table, node, begin, width), -np.inf)
            best = np.fmax.reduceat(worth, node.begins, axis=0)
            tied = worth >= best[node.roll_of] - TIED
        moves = np.arange(len(node.keeps))[:, None]
        return np.minimum.reduceat(np.where(tied, moves, len(moves)), node.begins, axis=0)

    def follow(self, place: int, tables: Array, begin: int, width: int, *, ceiling: bool = False) -> Array:
        """Play every roll of a place by the values in `tables`: worth, expected outcome, then what is reported.

        Returned are the means of the reported tables [report, column]. With `ceiling` the first of them is maximised in
        place of following the choice, and one more row is the chance that the second falls short of it.
        """
        node = self.merged(place)
        chosen = self._choose(node, tables, begin, width)
        found, taken = [], []
        for number, table in enumerate(tables[2:]):
            after = self._after(table, node, begin, width)
            here = np.take_along_axis(after, chosen, axis=0)
            if ceiling and number == 0:
                here = np.fmax.reduceat(after, node.begins, axis=0)
            taken.append(here)
            found.append(_mean(node.weights, here))
        if ceiling:
            found.append(_mean(node.weights, (taken[0] - taken[1] > DISAGREE).astype(float)))
        return np.array(found)

    def spread(self, place: int, tables: Array, expected: Array, begin: int, mass: Array) -> tuple[Any, Array]:
        """Play every roll as `follow` does; return places and where the mass of each column goes, [place, column]."""
        node, width = self.merged(place), len(mass)
        chosen = self._choose(node, tables, begin, width)
        after, row = np.unique(node.after, return_inverse=True)
        flow = np.zeros((len(after), tables.shape[2]))
        columns = begin + np.arange(width)
        for roll, chance in enumerate(node.chances):
            move = chosen[roll]
            np.add.at(flow, (row[move], columns + node.gains[move]), mass * chance)
        return after, flow

    def find(
        self, place: int, tables: Array, mass: Array, cost: Array, least: float, capacity: int, skip: int
    ) -> Found:
        """Find the rolls at which the choice by tables[0] is worse, by tables[2], than the best: at least `least` each.

        `mass` is the chance to be at each column, `cost` the mean cost of a roll there. At most `capacity` are listed,
        from number `skip` on, in the order of columns and rolls.
        """
        node, here = self.node(place), np.flatnonzero((mass > 0) & (mass * cost > 0))
        if not len(here):
            return Found(0, [])
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        chosen = self.choose(place, tables, begin, width)
        after = self._after(tables[2], node, begin, width)
        short = np.fmax.reduceat(after, node.begins, axis=0) - np.take_along_axis(after, chosen, axis=0)
        weighted = short * mass[begin : begin + width] * node.chances[:, None]
        parted = np.argwhere(((short > DISAGREE) & (weighted >= least) & (weighted > 0)).T)
        keys = [(float(weighted[roll, c]), begin + int(c), int(roll)) for c, roll in parted[skip : skip + capacity]]
        return Found(len(parted), keys)

    def numbers(self, place: int) -> tuple[Sequence[Any], Array]:
        """Return the numbers of all rolls of a place, and their chances."""
        node = self.node(place)
        return range(len(node.rolls)), node.chances

    def taken(self, place: int, tables: Array, begin: int, width: int) -> tuple[Places, Places]:
        """Return where every roll leads by the choice of `choose`, [roll, column]: the place after, and the gain."""
        node, chosen = self.node(place), self.choose(place, tables, begin, width)
        return node.after[chosen], node.gains[chosen]

    def roll(self, place: int, number: Any) -> Any:
        """Return a roll of a place by its number, as `find` gives it."""
        return self.node(place).rolls[number]

    def roll_chance(self, place: int, roll: Any) -> float:
        """Return the chance of a roll."""
        node = self.node(place)
        return float(node.chances[node.rolls.index(roll)])

    def play_keep(self, place: int, roll: Any, keep: Any, asked: str) -> tuple[int, int]:
        """Return (place after, gain) of a keep; refuse one that is no move, naming who asked for it."""
        node = self.node(place)
        number = node.rolls.index(roll)
        for move in node.span(number):
            if node.keeps[move] == keep:
                return int(node.after[move]), int(node.gains[move])
        raise ValueError(
            f"{asked} keeps {keep!r} of the roll {roll!r} in the state {self.state(place, 0)!r}: that is no move of "
            f"{self.game.name}"
        )

    def random_steps(self) -> Steps:
        """Return the steps of a player to whom every move of a roll, as listed, is as likely as any other."""
        found: Steps = {}
        for place in self.order:
            node = self.node(place)
            found[place] = node.after, node.gains, node.chances[node.roll_of] / node.sizes[node.roll_of]
        return found

    def throw(self, place: int, draw: np.random.Generator) -> Any:
        """Throw the dice of a place."""
        node = self.node(place)
        return node.rolls[int(draw.choice(len(node.rolls), p=node.chances))]

    def cast(self, state: Any, stream: Stream) -> Any:
        """Throw the dice of a state by a seeded stream: every roll that the rules list, by its weight."""
        rolls = list(self.game.rolls(state))
        return rolls[stream.draw([int(weight) for _, weight in rolls])][0]

    def player(self, values: Array | None, chase: Array | None, expected: Array) -> Player:
        """Return a player by values: `values` first, `chase` against targets; without them, by the expected outcome."""
        return TablePlayer(self, values, chase, expected)

    # Checking.

    def sample(self, seed: int) -> Iterator[tuple[int, int]]:
        """Yield the places, and gains banked there, at which a table is to be checked."""
        draw = np.random.default_rng(seed)
        order = list(self.order)
        if len(order) > 2000:
            order = sorted({order[-1], *(int(place) for place in draw.choice(order, 2000, replace=False))})
        for place in order:
            yield place, 0

    def recompute(self, place: int, gain: int, tables: Sequence[Callable[[int, int], float]]) -> list[float]:
        """Recompute values of a state through the plain rules, every roll and every move, from those it leads to."""
        state = self.state(place, gain)
        totals, ways = [0.0] * len(tables), 0
        for roll, weight in self.game.rolls(state):
            afters = [self.at(after) for _, after, _ in self.game.moves(state, roll)]
            for number, table in enumerate(tables):
                totals[number] += weight * max(table(*after) for after in afters)
            ways += weight
        return [total / ways for total in totals]


def _mean(weights: Array, worth: Array) -> Array:
    """Average rows by weight; summed pairwise, along contiguous memory, so that rounding does not add up."""
    return np.asarray(np.ascontiguousarray(weights * worth.T).sum(axis=-1) / weights.sum())


def expected_rows(space: Space, expected: Array, columns: Columns) -> Array:
    """Return the expected final outcome by place and column of a player who plays for points."""
    return np.asarray(expected[:, None] + columns.gain)


class TablePlayer:
    """Plays by values in plain Python, remembering what was chosen."""

    def __init__(self, space: Space, values: Array | None, chase: Array | None, expected: Array) -> None:
        self.space, self.values, self.chase, self.expected = space, values, chase, expected
        self.chosen: dict[tuple[int, int, int], Places] = {}

    def __call__(self, draw: np.random.Generator, wanted: Any) -> Any:
        return np.array([self._play(draw, int(target)) for target in wanted], np.int64)

    def _play(self, draw: np.random.Generator, target: int) -> int:
        space, place, gain = self.space, self.space.start, 0
        finished = set(space.finished.tolist())
        while place not in finished:
            node = space.node(place)
            roll = int(draw.choice(len(node.rolls), p=node.chances))
            move = int(self._choose(place, gain, target)[roll])
            place, gain = int(node.after[move]), gain + int(node.gains[move])
        return gain if space.solo.shifts else int(space.final[np.flatnonzero(space.finished == place)[0]])

    def _choose(self, place: int, gain: int, target: int) -> Places:
        key = place, gain, target
        if key not in self.chosen:
            space = self.space
            rows = expected_rows(space, self.expected, space.solo)
            worth = rows
            if target < 0 and self.values is not None:
                worth = self.values
            elif target >= 0 and self.chase is not None:
                against = space.against(self.chase, space.outcomes[target])
                assert against is not None
                worth = against
            self.chosen[key] = space.choose(place, np.stack([worth, rows]), space.column(gain), 1)[:, 0]
        return self.chosen[key]
