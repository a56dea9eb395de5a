"""The states of a pool laid out for the kernel: what a position is worth when the final score has any (monotone) worth.

    V(pool, banked) = sum over rolls of P(roll) * max over keeps of V(pool - keep, banked + points of keep)

with V(no dice, score) = payoff of the score. Everything here counts points as *gain* (see `rules.PoolGame`): more is
better, whichever way the game is won. Arrays:

    payoff[c]       worth of ending at column c; never falls as c grows
    rows[place, c]  worth of having these dice left at column c; places in the order of `PoolGame.places`

A column is the gain banked so far, or gain banked less gain wanted, or any other count that grows with the gain: the
solver only ever adds gains to it. Where rolls are counted a place is a pool with so many rolls left. Entries from which
the dice left could lead beyond the last column are NaN. All rolls of a state are folded in the kernel; this module lays
out the states for it, level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from math import comb, inf, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..answers import Array
from ..dice import count_rolls
from ..levels import Estimate
from .rules import PoolGame

TOLERANCE = 4e-15
"""What differs by no more than this part of the payoff's span counts as equal inside the kernel."""

SECONDS_PER_ROLL = 3e-9
"""Time for each distinct roll of all states: large pools of several kinds take this long, others less."""

ROLLS_PER_COLUMN = 2000
"""What a column of a place takes beside, in rolls: points far apart make many columns of few rolls."""

ROLLS_AT_ONCE = 20_000_000_000
"""Work, in distinct rolls of all states, that is done without asking: about a minute."""


class State(NamedTuple):
    """What the kernels want to know of one place: its kinds of dice, those of several dice first, as arrays."""

    place: int  # in the game's places
    left: tuple[int, ...]
    gain: int
    kinds: tuple[int, ...]  # places in the game's kinds
    subs: npt.NDArray[np.int64]  # the places after every keep, in the order of a stack's rows; its own where that is no move
    several: int
    counts: npt.NDArray[np.int64]
    faces: npt.NDArray[np.int64]
    gains: npt.NDArray[np.int64]  # [kind, face], best face first
    chances: Array  # [kind, face, c]: P(face)^c
    odds: Array  # [kind, face]: P(face)
    tails: Array  # [kind, face, c]: P(this face or worse)^c
    wider: npt.NDArray[np.int64]  # [kind, row]: how much wider than `width` the rows before this one are, added up
    one_less: tuple[int, ...]  # the places with one die fewer


@dataclass(frozen=True)
class _Plan:
    levels: tuple[tuple[State, ...], ...]  # by number of dice: one die, two dice, ...; those that play can come to
    ways: Array


def _powers(ways: int, sides: int, most: int) -> list[float]:
    """Return a chance to the powers up to the most, rounded once: numpy's own differ by its version and the processor."""
    return [float(Fraction(ways, sides) ** power) for power in range(most + 1)]


@lru_cache(maxsize=16)
def _plan(game: PoolGame) -> _Plan:
    """Lay out the states of a game for the kernel."""
    most, sides = max(game.counts), max(die.sides for die in game.kinds)
    kinds = range(len(game.kinds))
    gains = np.zeros((len(kinds), sides), np.int64)
    chances = np.zeros((len(kinds), sides, most + 1))
    tails = np.zeros((len(kinds), sides, most + 1))
    faces = np.zeros(len(kinds), np.int64)
    for k, die in enumerate(game.kinds):
        worth = game.face_gains(k)
        distinct = sorted(set(worth), reverse=True)
        faces[k] = len(distinct)
        for f, gain in enumerate(distinct):
            gains[k, f] = gain
            chances[k, f] = _powers(worth.count(gain), die.sides, most)
            tails[k, f] = _powers(sum(g <= gain for g in worth), die.sides, most)
    levels: list[list[State]] = [[] for _ in range(sum(game.counts))]
    for place, (counts, rolls) in enumerate(game.places):
        if not any(counts) or not game.reaches(counts, rolls):
            continue
        # The innermost loop runs over the last die, so that the one with most faces belongs there.
        order = sorted((k for k in kinds if counts[k]), key=lambda k: (counts[k] == 1, -counts[k], faces[k]))
        left = [counts[k] for k in order]
        kept = np.array(list(product(*(range(n + 1) for n in left))))
        wider = np.zeros((len(order) + 1, len(kept) + 1), np.int64)
        for k in range(len(order)):
            rows = prod(n + 1 for n in left[k:])
            wider[k, 1 : rows + 1] = np.cumsum(kept[:rows, k:] @ gains[order[k:], 0])
        least = game.least(counts, rolls)
        levels[sum(counts) - 1].append(
            State(
                place,
                counts,
                game.gain(counts),
                tuple(order),
                np.array([_after(game, counts, rolls, order, row) if sum(row) >= least else place for row in kept.tolist()]),
                sum(counts[k] > 1 for k in order) + max(0, sum(counts[k] == 1 for k in order) - 2),
                np.array(left),
                faces[order],
                gains[order],
                chances[order],
                np.ascontiguousarray(chances[order, :, 1]),
                tails[order],
                wider,
                tuple(_one_less(game, counts, rolls, order)),
            )
        )
    ways = np.array([[comb(r, c) for c in range(most + 1)] for r in range(most + 1)], float)
    return _Plan(tuple(tuple(level) for level in levels if level), ways)


def _after(game: PoolGame, left: tuple[int, ...], rolls: int | None, order: list[int], kept: list[int]) -> int:
    """Return the place that keeping so many dice of the kinds in `order` leads to."""
    fewer = list(left)
    for k, n in zip(order, kept, strict=True):
        fewer[k] -= n
    return game.place(tuple(fewer), game.rolls_after(tuple(fewer), rolls))


def _one_less(game: PoolGame, left: tuple[int, ...], rolls: int | None, order: list[int]) -> Iterator[int]:
    """Yield the places that play can come to with one die fewer and as many rolls."""
    for k in order:
        fewer = tuple(n - (kind == k) for kind, n in enumerate(left))
        if not any(fewer):
            yield 0
        elif game.reaches(fewer, rolls):
            yield game.place(fewer, rolls)


@lru_cache(maxsize=16)
def states(game: PoolGame) -> dict[int, State]:
    """Return every place that is not finished as the kernels want to know it, fewest dice first."""
    return {state.place: state for level in _plan(game).levels for state in level}


def layers(game: PoolGame) -> tuple[tuple[State, ...], ...]:
    """Return the states by number of dice: one die, two dice, ..."""
    return _plan(game).levels


def ways(game: PoolGame) -> Array:
    """Return the binomial coefficients up to the most dice of a kind."""
    return _plan(game).ways


def check_monotone(game: PoolGame, payoff: Array, columns: Sequence[int]) -> None:
    """Refuse a payoff that falls somewhere as the score gets better; only these columns can be reached."""
    reached = payoff[list(columns)]
    if not np.all(np.isfinite(reached)):
        raise ValueError(f"the payoff of {game.name} must be a finite number for every score that can be made")
    falls = np.flatnonzero(np.diff(reached) < 0)
    if len(falls):
        low, high = columns[int(falls[0])], columns[int(falls[0]) + 1]
        raise ValueError(
            f"the payoff of {game.name} falls from {payoff[low]:.6g} to {payoff[high]:.6g} as the score gets better "
            f"(gain {low} to {high}): this solver keeps the best faces first and needs a payoff that never falls"
        )


def error_bound(game: PoolGame, least: float, most: float) -> float:
    """Bound the error of any row: what merging, trimming and rounding can add up to from state to state.

    Along one roll each die may meet one merge or prune, each kind of several dice but the first one more merge as its first
    stack is copied, and a state may be trimmed once; compensated sums of positive terms, whose weights carry a product of
    a few rounded factors for each kind, round to a few units in the last place.
    """
    tolerance, largest = TOLERANCE * (most - least), max(abs(least), abs(most))
    dice, several = sum(game.counts), max(1, sum(count > 1 for count in game.counts))
    rounding = 8 * len(game.counts) * np.finfo(float).eps * largest
    return float(sum((size + several) * tolerance + rounding for size in range(1, dice + 1)))


@lru_cache(maxsize=64)
def work_by_level(game: PoolGame) -> tuple[int, ...]:
    """Return the distinct rolls of all states up to each level."""
    return tuple(accumulate(sum(count_rolls(state.left, game.kinds) for state in level) for level in layers(game)))


def estimate(game: PoolGame) -> Estimate:
    """Estimate the work of solving a game before starting it: an upper bound for most, by what such games took."""
    pools = prod(count + 1 for count in game.counts) * (1 + (game.roll_limit or 0))
    exact = prod(comb(n + die.sides, n) for n, die in zip(game.counts, game.kinds, strict=True))
    rolls = float(exact) * (game.roll_limit or 1) if exact < 10**300 else inf
    columns = 2 * game.gain(game.counts) + 1
    # Few of the rolls of a kind lead to stacks of their own; the largest kind is folded first.
    stacks = min(max(comb(n + die.sides - 1, n) for n, die in zip(game.counts, game.kinds, strict=True)), 50_000)
    stack = 4.0 * pools * columns / max(game.counts)
    work = rolls + ROLLS_PER_COLUMN * pools * columns
    return Estimate(work, work * SECONDS_PER_ROLL, 24.0 * pools * columns + stacks * stack)


def check_size(game: PoolGame) -> None:
    """Refuse a game whose solve would take more time or memory than is sensible."""
    needs = estimate(game)
    if needs.work > ROLLS_AT_ONCE or needs.memory > 8e9:
        raise ValueError(
            f"solving {game.dice} would take about {_long_time(needs.seconds)} and {needs.memory / 1e9:.2g} GB "
            f"({needs.work:.2g} rolls): take fewer dice, or say --force (force=True) to start all the same"
        )


def _long_time(seconds: float) -> str:
    for unit, length in (("years", 3.15e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= length:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds:.2g} seconds"


def gain_payoff(game: PoolGame, payoff: dict[int, float] | Callable[[int], float]) -> Array:
    """Turn a payoff by final score into a payoff by gain, checked; scores between attainable ones take the next lower."""
    worth: Any = payoff.__getitem__ if isinstance(payoff, dict) else payoff
    worst = game.worst(game.counts)
    by_gain = np.full(game.gain(game.counts) + 1, np.nan)
    reached = sorted(abs(score - worst) for score in game.scores())
    for gain in reached:
        by_gain[gain] = worth(worst + game.sign * gain)
    check_monotone(game, by_gain, reached)
    for gain in range(1, len(by_gain)):
        if np.isnan(by_gain[gain]):
            by_gain[gain] = by_gain[gain - 1]
    return by_gain


@lru_cache(maxsize=8)
def ranks(game: PoolGame) -> dict[int, Array]:
    """Rank the keeps of every place by the rule for ties; the rank modulo the number of keeps is the row."""
    found = {}
    for place, state in states(game).items():
        by_kind = sorted(range(len(state.kinds)), key=lambda i, kinds=state.kinds: kinds[i])  # type: ignore[misc]
        kept = [tuple(row[i] for i in by_kind) for row in product(*(range(n + 1) for n in state.counts.tolist()))]
        order = sorted(range(len(kept)), key=lambda row: (sum(kept[row]), [-n for n in kept[row]]))
        by_row = np.empty(len(kept))
        for rank, row in enumerate(order):
            by_row[row] = rank * len(kept) + row
        found[place] = by_row
    return found
