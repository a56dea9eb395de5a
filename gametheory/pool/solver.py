"""A pool as solvers see it: places are pools, in counting order, columns count gain; states are solved in the kernel.

Where rolls are counted, a place is a pool with so many rolls left (`PoolGame.places`).

See `states` for the recurrence and the layout of a state, and `kernel` for what is done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dice
from ..answers import Array, Plain
from ..dice import Roll, Stream
from ..levels import Columns, Estimate, Found, Player, Rows, Steps
from ..space import Space
from . import layout, plain
from .notation import Position, best_keeps, check_keep
from .rules import PoolGame, State
from .states import (
    TOLERANCE,
    check_size,
    error_bound,
    estimate,
    gain_payoff,
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


class Pool(Space):
    """A pool game as solvers see it: places are pools, in counting order; columns count gain."""

    def __init__(self, game: PoolGame, fold: Fold | None = None) -> None:
        self.game: PoolGame = game
        self.fold = fold
        most = game.gain(game.counts)
        self.most = most
        self.outcomes = game.worst(game.counts) + game.sign * np.arange(most + 1)
        self.finished, self.final = np.zeros(1, np.int64), np.arange(most + 1)
        self.start = len(game.places) - 1
        self.solo = Columns("banked", np.arange(most + 1))
        self.chase = Columns("needed", np.arange(-most, most + 1))

    @cached_property
    def levels(self) -> list[list[int]]:  # type: ignore[override]
        return [[state.place for state in level] for level in layers(self.game)]

    @cached_property
    def attained(self) -> list[int]:
        worst = self.game.worst(self.game.counts)
        return sorted(abs(score - worst) for score in self.game.scores())

    @cached_property
    def places(self) -> int:
        return len(self.game.places)

    @cached_property
    def most_gains(self) -> Any:
        return np.array([self.game.gain(left) for left, _ in self.game.places])

    def at(self, state: Any) -> tuple[int, int]:
        dice_left, banked, rolls_left = State(*state)
        game = self.game
        return game.place(dice_left, rolls_left), game.sign * (banked - game.worst(game.banked_dice(dice_left)))

    def state(self, place: int, gain: int) -> State:
        left, rolls = self.game.places[place]
        return State(left, self.game.worst(self.game.banked_dice(left)) + self.game.sign * int(gain), rolls)

    def position(self, place: int, gain: int, target: Any) -> Position:
        dice_left, banked, rolls_left = self.state(place, gain)
        return Position(dice_left, banked, target, None if rolls_left is None else rolls_left - 1)

    def told(self, position: Any) -> State:
        rolls_left = position.rolls_left
        return State(position.dice_left, position.banked, None if rolls_left is None else rolls_left + 1)

    def calls(self) -> float:
        game = self.game
        lefts = [state.left for state in states(game).values()]
        return float(sum(game.count_rolls(left) * len(game.scores(game.banked_dice(left))) for left in lefts))

    def sensible(self, state: Any, roll: Any) -> Iterator[tuple[Any, Any, Any]]:
        least = self.game.least(state.dice_left, state.rolls_left)
        for keep in best_keeps(roll, self.game, least):
            yield keep, self.game.after(state, keep), self.game.points(keep)

    def outcome(self, score: Any) -> int | None:
        gain = self.game.sign * (score - self.outcomes[0])
        return int(gain) if 0 <= gain <= self.most else None

    def against(self, rows: Array, target: Any) -> Array:
        game, most = self.game, self.most
        wanted = game.sign * (target - game.worst(game.counts))
        values = np.full((len(game.places), most + 1), np.nan)
        for index, (left, _) in enumerate(game.places):
            gains = np.arange(most - game.gain(left) + 1)
            over = np.clip(gains - wanted, -most - 1, most + 1)
            lost, won = over < -game.gain(left), over > 0
            inside = np.where(lost | won, 0, over) + most
            values[index, gains] = np.where(won, 1.0, np.where(lost, 0.0, rows[index, inside]))
        return values

    # Solving.

    def estimate(self) -> Estimate:
        return estimate(self.game)

    def check_size(self, force: bool = False) -> None:
        if not force:
            check_size(self.game)

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
                rows.values, state.subs, state.several, state.counts, state.faces, state.gains, state.chances,
                state.tails, binomials, state.wider, begin, end - begin, rows.tolerance, rows.least, rows.most,
            )  # fmt: skip
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
        row, _ = kernel.fold_pool(
            rows, state.subs, state.several, state.counts, state.faces, state.gains, state.chances, state.tails,
            ways(self.game), state.wider, begin, width, TOLERANCE, 0.0, 1.0,
        )  # fmt: skip
        return np.asarray(row)

    def on(self, executor: Any) -> Space:
        from .chunks import Fold

        return Pool(self.game, Fold(executor))

    def row_work(self, place: int) -> float:
        return float(self.game.count_rolls(self.game.places[place][0]))

    def bound(self, least: float, most: float) -> float:
        return error_bound(self.game, least, most)

    def one_less(self, place: int) -> tuple[int, ...]:
        return states(self.game)[place].one_less

    def left(self, place: int) -> tuple[int, ...]:
        return self._lefts[place]

    def place_of(self, left: Any) -> int:
        return self._place_of.get(left, -1)

    @cached_property
    def _lefts(self) -> list[tuple[int, ...]]:
        return [left if rolls is None else (*left, rolls) for left, rolls in self.game.places]

    @cached_property
    def _place_of(self) -> dict[tuple[int, ...], int]:
        return {self._lefts[place]: place for place in (0, *self.order)}

    def base(self, place: int) -> int:
        return self.game.worst(self.game.banked_dice(self.game.places[place][0]))

    def banked_scores(self, place: int) -> Sequence[int]:
        return self.game.scores(self.game.banked_dice(self.game.places[place][0]))

    def most_rolls(self, place: int) -> int:
        game, (left, rolls) = self.game, self.game.places[place]
        if not any(left):
            return game.most_rolls(game.counts, game.roll_limit)
        return sum(game.banked_dice(left)) // game.keep_at_least if rolls is None else (game.roll_limit or 0) - rolls

    def fewest_rolls(self, place: int) -> int:
        game, (left, rolls) = self.game, self.game.places[place]
        return min(1, sum(game.banked_dice(left))) if not rolls else (game.roll_limit or 0) - rolls

    @cached_property
    def left_axes(self) -> Plain:
        return layout.left_axes(self.game)

    # Play by values.

    def _played(
        self, place: int, tables: Array, begin: int, width: int, ceiling: bool, expected: Array | None, mass: Array | None
    ) -> tuple[Array, Array]:
        from . import kernel

        state = states(self.game)[place]
        reports, flow = kernel.follow(
            tables, ranks(self.game)[place], state.subs, state.several, state.counts, state.faces, state.gains,
            state.chances, state.tails, ways(self.game), state.wider, begin, width, ceiling,
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
        lists = [tuple(map(np.array, game.best_gains(k, state.left[k]))) for k in state.kinds]
        tops = np.zeros((len(lists), max(len(w) for _, w in lists), max(t.shape[1] for t, _ in lists)), np.int64)
        weights = np.zeros(tops.shape[:2])
        for k, (top, weight) in enumerate(lists):
            tops[k, : top.shape[0], : top.shape[1]] = top
            weights[k, : len(weight)] = weight
        found, gains, numbers, costs = kernel.walk(
            tables, ranks(game)[place], state.subs, state.counts, np.array([len(w) for _, w in lists]), tops,
            weights, state.wider, begin, width, mass[begin : begin + width], least, capacity, skip,
        )  # fmt: skip
        keys = []
        for row in range(len(gains)):
            by_kind = dict(zip(state.kinds, (int(n) for n in numbers[row]), strict=True))
            keys.append((float(costs[row]), int(gains[row]), tuple(by_kind[k] for k in sorted(by_kind))))
        return Found(int(found), keys)

    def roll(self, place: int, number: Any) -> Roll:
        numbers, left = iter(number), self.game.places[place][0]
        return tuple(
            dice.nth_roll(die, n, next(numbers)) if n else () for n, die in zip(left, self.game.kinds, strict=True)
        )

    def roll_chance(self, place: int, roll: Any) -> float:
        return dice.weight(roll) / self.game.count_ways(self.game.places[place][0])

    def play_keep(self, place: int, roll: Any, keep: Any, asked: str) -> tuple[int, int]:
        game, state = self.game, self.state(place, 0)
        check_keep(game, roll, keep, asked, game.least(state.dice_left, state.rolls_left))
        return self.at(game.after(state, keep))

    def throw(self, place: int, draw: np.random.Generator) -> Roll:
        return tuple(
            tuple(sorted((int(face) for face in draw.integers(1, die.sides + 1, n)), reverse=True))
            for n, die in zip(self.game.places[place][0], self.game.kinds, strict=True)
        )

    def cast(self, state: State, stream: Stream) -> Roll:
        """Throw the dice of a state by a seeded stream, kind by kind, as the page does."""
        return tuple(stream.roll(n, die.sides) for n, die in zip(state.dice_left, self.game.kinds, strict=True))

    def random_steps(self) -> Steps:
        from .policies import random_steps

        return random_steps(self.game)

    def player(self, values: Array | None, chase: Array | None, expected: Array) -> Player:
        from . import kernel

        game, most = self.game, self.most
        to_win = values is not None and chase is not None
        tables = np.zeros((2, len(game.places), 2 * most + 1))
        if values is not None and chase is not None:
            tables[0, :, : most + 1], tables[1] = values, chase
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

    # Keeping and checking: see `tables`.

    @cached_property
    def axes(self) -> Plain:
        return layout.axes(self.game)

    def expected_score(self, table: Any, state: Any) -> float:
        place = self.game.place(state.dice_left, state.rolls_left)
        return float(state.banked + float(table.reshape(-1)[place]))

    def pack_expected(self, expected: Array) -> tuple[tuple[str, ...], Any]:
        return tuple(layout.left_axes(self.game)), layout.points_expected(self.game, expected)

    def unpack_expected(self, table: Any) -> Array:
        return layout.gain_expected(self.game, table)

    def smooth(self, payoff: Array) -> Array:
        return gain_payoff(self.game, lambda score: float(payoff[abs(score - self.outcomes[0])]))

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return by how much a row falls where it should rise, infinity where play can reach what is no number."""
        sound = True
        for place in (0, *self.order):
            left = self.game.places[place][0]
            sound &= bool(np.isfinite(expected[place]))
            aside = self.game.banked_dice(left)
            gains = np.abs(np.array(self.game.scores(aside)) - self.game.worst(aside))
            sound &= bool(np.isfinite(first[place, gains]).all())
            sound &= bool(np.isfinite(second[place, : 2 * self.most + 1 - self.game.gain(left)]).all())
        falls = 0.0
        for row in (*first, *second):
            known = row[~np.isnan(row)]
            if len(known) > 1:
                falls = max(falls, float(np.max(known[:-1] - known[1:])))
        return falls if sound else inf

    def pack(self, expected: Array, first: Array, second: Array) -> layout.Arrays:
        return layout.pack(self.game, expected, first, second)

    def unpack(self, arrays: layout.Arrays) -> tuple[Array, Array, Array]:
        return layout.unpack(self.game, arrays)

    def sample(self, seed: int) -> Iterator[tuple[int, int]]:
        return plain.sample(self.game, seed)

    def recompute(self, place: int, gain: int, tables: Sequence[Callable[[int, int], float]]) -> list[float]:
        return plain.recompute(self.game, place, gain, tables)
