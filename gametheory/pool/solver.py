"""A pool as solvers see it: places are pools, in counting order, columns count gain; states are solved in the kernel.

Where rolls are counted, a place is a pool with so many rolls left (`PoolGame.places`).

See `states` for the recurrence and the layout of a state, and `kernel` for what is done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers import Array
from ..levels import Found, Player, Rows, Steps
from ..space import Space
from . import plain
from .notation import best_keeps
from .places import Pools
from .rules import PoolGame
from .states import (
    TOLERANCE,
    error_bound,
    layers,
    ranks,
    states,
    ways,
    work_by_level,
)
from .states import State as Laid

if TYPE_CHECKING:
    from concurrent.futures import Executor

ROUNDING = 1e-14
"""More than the rounding of a computed mean cost."""


class _Filling(Rows):
    """Rows being filled: beside the values, where they are settled and what counts as equal."""

    def __init__(self, values: Array, error_bound: float, payoff: Array, trim: bool) -> None:
        super().__init__(values, error_bound)
        columns = len(payoff)
        self.least, self.most = float(payoff[0]), float(payoff[-1])
        self.tolerance = TOLERANCE * (self.most - self.least)
        self.trim = trim
        # From column settled[pool] on the value is `most`: with one die more in hand it is no less.
        self.settled = [columns] * len(values)
        self.first_above = 0
        if trim:
            self.settled[0] = int(np.argmax(payoff == self.most))
            self.first_above = int(np.argmax(payoff > self.least)) if self.most > self.least else columns


Fold = Callable[..., tuple[Array, int]]
"""Computes one state in place of the kernel in this process: see `kernel.fold_pool`."""


class Pool(Pools):
    """A pool game as solvers see it, solved in the kernel."""

    def __init__(self, game: PoolGame, fold: Fold | None = None) -> None:
        super().__init__(game)
        self.fold = fold

    def sensible(self, state: Any, roll: Any) -> Iterator[tuple[Any, Any, Any]]:
        least = self.game.least(state.dice_left, state.rolls_left)
        for keep in best_keeps(roll, self.game, least):
            yield keep, self.game.after(state, keep), self.game.points(keep)

    # Solving.

    def suits(self, payoff: Array) -> Space:
        """Return itself for a payoff that never falls as the score gets better; else every sub-multiset is tried."""
        if np.all(np.diff(payoff[self.attained]) >= 0):
            return self
        from .every import every_keep

        return every_keep(self.game)

    def done(self, level: int) -> float:
        work = work_by_level(self.game)
        return float(work[level] / work[-1])

    def begin(self, ends: Array, *, trim: bool = True) -> Rows:
        """Return rows to be filled in for a payoff by column that never falls.

        `trim` leaves out columns where the outcome is settled: nothing better than the least payoff can be reached, or
        the best is sure to within the tolerance.
        """
        payoff = ends[0]
        rows = np.full((len(self.game.places), len(payoff)), np.nan)
        rows[0] = payoff
        return _Filling(rows, error_bound(self.game, float(payoff[0]), float(payoff[-1])), payoff, trim)

    def backup(self, level: int, rows: Rows, workers: Executor | None) -> None:
        assert isinstance(rows, _Filling)
        level_states, binomials = layers(self.game)[level], ways(self.game)
        fold = self.fold
        if fold is None:
            from . import kernel

            fold = kernel.fold_pool
        columns = rows.values.shape[1]

        def solve(state: Laid) -> tuple[Laid, int, int, Array, int]:
            begin = max(0, rows.first_above - state.gain)
            end = max(begin, min([columns - state.gain, *[rows.settled[i] for i in state.one_less]]))
            if end <= begin:
                return state, begin, end, rows.values[0, :0], 0
            row, count = fold(
                rows.values, state, binomials, begin, end - begin, rows.tolerance, rows.least, rows.most
            )
            return state, begin, end, row, count

        # Waiting threads cost more than tiny states do.
        several = workers is not None and sum(level_states[0].left) > 6 and len(level_states) > 1
        for state, begin, end, row, count in (workers.map if workers and several else map)(solve, reversed(level_states)):
            stop = columns - state.gain
            target = rows.values[state.place]
            target[:begin] = rows.least
            target[begin:end] = row
            target[end:stop] = rows.most
            if rows.trim:
                rows.settled[state.place] = begin + int(row.searchsorted(rows.most - rows.tolerance))
            rows.work += count

    # One row by itself.

    tolerance = TOLERANCE

    def row(self, place: int, rows: Array, begin: int, width: int) -> Array:
        from . import kernel

        state = states(self.game)[place]
        row, _ = kernel.fold_pool(rows, state, ways(self.game), begin, width, TOLERANCE, 0.0, 1.0)
        return np.asarray(row)

    def on(self, executor: Any) -> Space:
        from .chunks import Fold

        return Pool(self.game, Fold(executor))

    def row_work(self, place: int) -> float:
        return float(self.game.count_rolls(self.game.places[place][0]))

    def one_less(self, place: int) -> tuple[int, ...]:
        return states(self.game)[place].one_less

    # Play by values.

    def _played(
        self, place: int, tables: Array, begin: int, width: int, ceiling: bool, expected: Array | None, mass: Array | None
    ) -> tuple[Array, Array]:
        from . import kernel

        state = states(self.game)[place]
        reports, flow = kernel.follow(
            tables, ranks(self.game)[place], state, ways(self.game), begin, width, ceiling,
            np.zeros(len(state.subs)) if expected is None else expected[state.subs],
            np.zeros(0) if mass is None else mass,
        )  # fmt: skip
        return reports, flow

    def follow(self, place: int, tables: Array, begin: int, width: int, *, ceiling: bool = False) -> Array:
        return self._played(place, tables, begin, width, ceiling, None, None)[0]

    def spread(self, place: int, tables: Array, expected: Array, begin: int, mass: Array) -> tuple[Any, Array]:
        flow = self._played(place, tables, begin, len(mass), False, expected, mass)[1]
        return states(self.game)[place].subs, flow

    def find(
        self, place: int, tables: Array, mass: Array, cost: Array, least: float, capacity: int, skip: int
    ) -> Found:
        from . import kernel

        game, state = self.game, states(self.game)[place]
        # No roll costs more than all rolls of its column together, but for rounding.
        here = np.flatnonzero((mass > 0) & (mass * (cost + ROUNDING) >= least))
        if len(here) == 0:
            return Found(0, [])
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        lists, tops, weights = self._rolled(place)
        found, gains, numbers, costs = kernel.walk(
            tables, ranks(game)[place], state, np.array([len(w) for _, w in lists]), tops, weights, begin, width,
            mass[begin : begin + width], least, capacity, skip,
        )  # fmt: skip
        keys = []
        for row in range(len(gains)):
            by_kind = dict(zip(state.kinds, (int(n) for n in numbers[row]), strict=True))
            keys.append((float(costs[row]), int(gains[row]), tuple(by_kind[k] for k in sorted(by_kind))))
        return Found(int(found), keys)

    def _rolled(self, place: int) -> tuple[list[Any], Any, Array]:
        """Return the rolls of each kind as the kernel walks them: how many, what their best dice gain, their chances."""
        game, state = self.game, states(self.game)[place]
        lists = [tuple(map(np.array, game.best_gains(k, state.left[k]))) for k in state.kinds]
        tops = np.zeros((len(lists), max(len(w) for _, w in lists), max(t.shape[1] for t, _ in lists)), np.int64)
        weights = np.zeros(tops.shape[:2])
        for k, (top, weight) in enumerate(lists):
            tops[k, : top.shape[0], : top.shape[1]] = top
            weights[k, : len(weight)] = weight
        return lists, tops, weights

    def taken(self, place: int, tables: Array, begin: int, width: int) -> tuple[Any, Any]:
        from . import kernel

        state, (lists, tops, _) = states(self.game)[place], self._rolled(place)
        # What the second table says beyond the gain that a column holds tells the gain of the move.
        beyond = tables[1, state.subs, 0] - self.solo.gain[0]
        after, gains = kernel.choices(
            tables, ranks(self.game)[place], state, np.array([len(w) for _, w in lists]), tops, begin, width, beyond,
        )  # fmt: skip
        return after, gains

    def random_steps(self) -> Steps:
        from .policies import random_steps

        return random_steps(self.game)

    def player(self, values: Array | None, chase: Array | None, expected: Array) -> Player:
        from . import kernel

        game, most = self.game, self.most
        to_win = values is not None
        tables = np.zeros((2, len(game.places), 2 * most + 1))
        if values is not None:
            tables[0, :, : most + 1] = values
        if chase is not None:
            tables[1] = chase
        sides = np.array([die.sides for die in game.kinds])
        gains = np.zeros((len(game.kinds), int(sides.max())), np.int64)
        for k in range(len(game.kinds)):
            gains[k, : sides[k]] = game.face_gains(k)
        limit = game.roll_limit or 0
        strides = np.array([game.pool_index(tuple(int(i == k) for i in range(len(sides)))) for k in range(len(sides))])

        def player(draw: np.random.Generator, wanted: Any) -> Any:
            return kernel.play(
                tables, expected, self.most_gains, sides, gains, strides * (limit + 1), np.array(game.counts),
                game.keep_at_least, limit, most, to_win, wanted, int(draw.integers(1 << 32)),
            )  # fmt: skip

        return player

    def sample(self, seed: int) -> Iterator[tuple[int, int]]:
        return plain.sample(self.game, seed)

    def recompute(self, place: int, gain: int, tables: Sequence[Callable[[int, int], float]]) -> list[float]:
        return plain.recompute(self.game, place, gain, tables)
