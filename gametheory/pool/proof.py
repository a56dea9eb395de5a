"""Intervals that contain the values of a pool, by arithmetic that cannot round the wrong way; and the values as fractions.

    V(dice, g) = sum over rolls of P(roll) * max over keeps of V(dice - keep, g + gain of keep)

is computed anew, with no word from any table, for every place and every gain: every keep of best faces of every roll,
nothing merged and nothing left out. Best faces suffice, as the payoff never falls: by induction V never falls as g grows,
and of two keeps of as many dice of each kind the one with better faces leads to the same dice with more gain.

What cannot be exact are the sums. Weights are whole numbers below 2^53, maxima are exact, all terms are 0 or more: so the
sum of a place is off by no more than (number of roundings on the way of any term) * 2^-53 of itself, in whatever order it
is taken. A maximum or a mean of values that are off by e is off by e: the errors of the places on a way add up. The first
player's payoff is 1 - the second's value, so that the second's error is added to the first's.

Where ties are replayed, the worth w of a tie to the second player is the w with F(w) = w, where F(w) is the second
player's value. What the second player has against one score is convex in w, and so from w on grows no faster than straight
to what he has at w = 1; F, a least mean of those, grows no faster than the fastest of them.

Arrays: rows[place, column] as in `states`; of one place, [roll of the main kind, column] for every number of dice kept of
the other kinds, which are folded away one kind after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array
from ..progress import Progress, part
from ..proof import EXACT, Interval, Proof, around, roundings, up
from .exact import exact_value
from .rules import PoolGame
from .states import check_size

AT_ONCE = 1 << 17
"""Numbers that are held at once, so that they stay near the processor."""


class Shown(NamedTuple):
    """The rolls of the dice of one kind: what the best 0, 1, 2, ... of them gain, and in how many ways each comes up."""

    tops: Any
    weights: Array


@lru_cache(maxsize=256)
def shown(gains: tuple[int, ...], count: int) -> Shown:
    """List the rolls of some dice whose faces gain so much, faces of equal gain taken together."""
    faces = Counter(gains)
    tops, weights = [], []
    for roll in combinations_with_replacement(sorted(faces, reverse=True), count):
        tops.append([sum(roll[:kept]) for kept in range(count + 1)])
        ways = factorial(count)
        for gain, times in Counter(roll).items():
            ways = ways // factorial(times) * faces[gain] ** times
        weights.append(ways)
    return Shown(np.array(tops), np.array(weights, float))


@dataclass(frozen=True)
class Sweep:
    """One recurrence over all places of a game, with the bound of its error."""

    game: PoolGame

    @cached_property
    def places(self) -> list[tuple[tuple[int, ...], int | None]]:
        """The places that play comes to, those first that others lead to; the finished one is not among them."""
        reached = [(left, rolls) for left, rolls in self.game.places if any(left) and self.game.reaches(left, rolls)]
        return sorted(reached, key=lambda place: sum(place[0]))

    def solve(
        self, ends: Array, window: Callable[[int], tuple[int, int]], right: Callable[[float], Any], most: float,
        more: int = 0, progress: Progress | None = None,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Return rows and the bounds of their errors, by place, for the worths of finished games.

        `window` says from a place's gain where its columns begin and how many they are, `right` from the last of them what
        stands right of them; `more` counts the roundings of a term beside those of its sum.
        """
        game = self.game
        rows = np.zeros((len(game.places), len(ends)))
        rows[0] = ends
        errors = np.zeros(len(game.places))
        done = 0.0
        for left, rolls in self.places:
            here = game.place(left, rolls)
            begin, width = window(game.gain(left))
            sums, count = self._place(rows, left, rolls, begin, width)
            rows[here, begin : begin + width] = sums / game.count_ways(left)
            rows[here, begin + width :] = right(rows[here, begin + width - 1])[: len(ends) - begin - width]
            keeps = product(*(range(n + 1) for n in left))
            after = {self._after(left, rolls, keep) for keep in keeps if self._may(left, rolls, keep)}
            errors[here] = up(max(errors[place] for place in after) + roundings(count + more + 1, most))
            done += game.count_rolls(left)
            if progress:
                progress(done / self._work)
        return rows, errors

    @cached_property
    def _work(self) -> float:
        return float(sum(self.game.count_rolls(left) for left, _ in self.places))

    def _may(self, left: Sequence[int], rolls: int | None, keep: Sequence[int]) -> bool:
        return sum(keep) >= self.game.least(tuple(left), rolls)

    def _after(self, left: Sequence[int], rolls: int | None, keep: Sequence[int]) -> int:
        after = tuple(n - kept for n, kept in zip(left, keep, strict=True))
        return self.game.place(after, self.game.rolls_after(after, rolls))

    def _place(self, rows: Array, left: tuple[int, ...], rolls: int | None, begin: int, width: int) -> tuple[Array, int]:
        """Return the sum over all rolls of weight times best worth, and how often a term of it was rounded at most."""
        game = self.game
        all_shown = [shown(game.face_gains(k), n) for k, n in enumerate(left)]
        main = max(range(len(left)), key=lambda k: len(all_shown[k].weights))
        others = [k for k in range(len(left)) if k != main and left[k]]
        folds = [all_shown[k] for k in others]
        best = [max(game.face_gains(k)) for k in others]
        keeps = list(product(*(range(left[k] + 1) for k in others)))
        widths = {keep: width + sum(n * gain for n, gain in zip(keep, best, strict=True)) for keep in keeps}
        step = max(1, AT_ONCE // sum(widths.values()))
        tops, weights = all_shown[main]
        total = np.zeros(width)
        for first in range(0, len(weights), step):
            stacks = {}
            for keep in keeps:
                full = dict(zip(others, keep, strict=True))
                stack = np.full((len(tops[first : first + step]), widths[keep]), -np.inf)
                for kept in range(left[main] + 1):
                    whole = [full.get(k, kept if k == main else 0) for k in range(len(left))]
                    if self._may(left, rolls, whole):
                        row = rows[self._after(left, rolls, whole), begin:]
                        windows = np.lib.stride_tricks.sliding_window_view(row, widths[keep])
                        np.maximum(stack, windows[tops[first : first + step, kept]], out=stack)
                stacks[keep] = stack
            total += weights[first : first + step] @ _fold(stacks, folds, width, best)
        count = sum(len(fold.weights) + 2 for fold in folds) + min(step, len(weights)) + -(-len(weights) // step) + 1
        return total, count


def _fold(stacks: dict[tuple[int, ...], Array], folds: Sequence[Shown], width: int, best: Sequence[int]) -> Array:
    """Return the sum over the rolls of the other kinds of weight times best worth, [roll of the main kind, column]."""
    if not folds:
        return stacks[()]
    tops, weights = folds[0]
    rest = {keep[1:] for keep in stacks}
    wide = {keep: width + sum(n * gain for n, gain in zip(keep, best[1:], strict=True)) for keep in rest}
    total = np.zeros((len(next(iter(stacks.values()))), width))
    buffers = {keep: np.empty((len(total), wide[keep])) for keep in rest}
    for top, weight in zip(tops.tolist(), weights.tolist(), strict=True):
        for keep, into in buffers.items():
            n = wide[keep]
            np.maximum(stacks[(0, *keep)][:, :n], stacks[(1, *keep)][:, top[1] : top[1] + n], out=into)
            for kept in range(2, len(top)):
                np.maximum(into, stacks[(kept, *keep)][:, top[kept] : top[kept] + n], out=into)
        found = _fold(buffers, folds[1:], width, best[1:])
        total += found if weight == 1 else weight * found
    return total


# A game for two.


def prover(game: PoolGame) -> Callable[[Any, Progress | None], Proof]:
    """Return what proves the value of a pool from its solution; refuse a pool that is too large before it is solved."""
    check_size(game)
    check_rolls(game)
    return prove


def check_rolls(game: PoolGame) -> None:
    """Refuse a pool whose rolls are more than can be counted exactly."""
    if game.count_ways(game.counts) >= EXACT:
        raise ValueError(f"the rolls of {game.dice} are too many to be counted exactly: certify a smaller pool")


def prove(solution: Any, progress: Progress | None = None) -> Proof:
    """Prove the first player's value and the expected score of a pool for two in turn; only its rules are believed."""
    game, worth = solution.game, float(solution.tie_worth)
    check_rolls(game)
    sweep, most = Sweep(game), game.gain(game.counts)
    start = game.place(game.counts, game.roll_limit)
    replay = solution.tie == "replay"
    shares = iter([(0.0, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 1.0)] if replay else [(0.0, 0.1), (0.1, 0.55), (0.55, 1.0)])

    def beyond(value: float) -> Array:
        return np.full(2 * most + 1, value)

    # A row of points is what is expected from no gain on, and the gain itself.
    points = np.arange(most + 1.0)
    gained, off = sweep.solve(
        points, lambda gain: (0, 1), lambda value: value + points[1:], most, 1, part(progress, *next(shares))
    )
    mean = game.sign * float(gained[start, 0]) + game.worst(game.counts)
    expected = around(mean, up(float(off[start]) + roundings(2, abs(mean) + most)))

    def chase(tie: float) -> tuple[Array, float]:
        ends = np.concatenate([np.zeros(most), [tie], np.ones(most)])
        rows, errors = sweep.solve(
            ends, lambda gain: (most - gain, gain + 1), lambda _: beyond(1.0), 1.0, 0, part(progress, *next(shares))
        )
        return rows[start, ::-1][most:], float(errors[start])  # against a score of gain 0, 1, ...

    replies, behind = chase(worth)
    rows, errors = sweep.solve(
        1.0 - replies, lambda gain: (0, most - gain + 1), lambda _: beyond(0.0), 1.0, 1, part(progress, *next(shares))
    )
    first = around(float(rows[start, 0]), up(up(float(errors[start]) + behind) + roundings(2)))
    if replay:
        first = _replayed(first, worth, replies, behind, chase(1.0))
    return Proof(
        Interval(max(0.0, first.low), min(1.0, first.high)), expected, exact_value(game, solution.tie),
        {"places": len(sweep.places), "error": first.width / 2},
    )  # fmt: skip


def _replayed(first: Interval, worth: float, replies: Array, behind: float, sure: tuple[Array, float]) -> Interval:
    """Return the interval of the value of a game whose ties are replayed, from that of one whose ties are worth so much."""
    rise = float(np.max(sure[0] - replies)) + up(behind + sure[1]) + roundings(2)
    slope = up(up(rise) / (1.0 - up(worth))) if worth < 1.0 else 1.0
    if not 0.0 <= slope < 1.0:
        raise ValueError("how fast the value of a replayed game grows with the worth of a tie cannot be bounded")
    # The second player's value with such ties lies within 1 - first. The fixed point is no farther from `worth` than that
    # value may be, times 1 / (1 - slope).
    apart = max(abs(up(1.0 - first.low) - worth), abs(1.0 - first.high - worth))
    return around(1.0 - worth, up(up(apart + roundings(4)) / (1.0 - up(slope))))
