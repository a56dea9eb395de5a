"""Races solved for the chance to win: the match for every pair of standings.

With the recurrence of one turn (see `turn`), lose = 1 - W(them, me) and bank(t) = 1 - W(them, me + t),

    W(me, them) = roll(all dice, 0)

is the chance of the player to move. A pair of standings hangs on pairs with a higher sum of scores and, through a bust, on
its own mirror image: sums are taken from the top, and the two unknowns of a pair are closed by policy iteration, which is
Newton's method on

    x = f(1 - y),  y = g(1 - x),

f and g being convex and piecewise linear; the slope of f is the chance that the turn ends with nothing.

For standings see `standings`.

    values of a match   [standing to move, standing of the other]

Where scores can fall, pairs have no order. Sums are then taken from the top again and again, with the old values where a
score falls, until nothing changes (see `_sweep_until_still`); two more sweeps, from a little below and a little above,
prove the bound.

Solving needs numba (`kernel`), which is imported then; a solved race answers without it.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from ..answers import Checked
from ..progress import Progress, part
from .rules import RaceGame
from .standings import Axes as Axes
from .standings import axes as axes
from .standings import find_standing as find_standing
from .standings import levels, outcomes, standings
from .turn import PAST_GOAL, Floats, Integers, Options, TurnChances, options, throws, turn_chances, units

RESIDUAL = 4e-15  # a pair is closed when its equations hold to this
PATIENCE = 300.0
"""Seconds of work that are begun without asking."""

Result = TypeVar("Result")


def chances_at(
    game: RaceGame, axis: Axes, others: Floats, me: int, them: int, offered: Options | None = None
) -> TurnChances:
    """Work out one turn of the player at standing `me` against `them`, in plain numpy.

    `others[j, i]` is the chance of the other player to move at j against i.
    """
    allowed = standings(game, axis)
    least, after, need = int(allowed.least[me]), int(allowed.after[me]), int(allowed.need(me, them))
    bank = np.full(need, -np.inf)
    bank[least:] = 1.0 - others[them, after + least : after + need]
    lose, fallen = (1.0 - float(others[them, column[me]]) for column in (allowed.nothing, allowed.crash))
    return turn_chances(game, bank, lose, offered, fallen)


# Solving.


class Iterations(NamedTuple):
    """Rounds of policy iteration: the most that any pair took, and those of all pairs together."""

    most: int
    total: int


class Solved(NamedTuple):
    """What solving finds: `values[i, j]` is the chance to win of the player to move at standing i against standing j."""

    axis: Axes
    values: Floats
    iterations: Iterations
    error_bound: float


def _first_guess(values: Floats, i: Integers, j: Integers) -> Floats:
    """Guess values[i, j] from the pairs that are solved: as if the two scores added their effects."""
    last = len(values) - 1
    up, right = np.minimum(i + 1, last), np.minimum(j + 1, last)
    guess = values[up, j] + values[i, right] - values[up, right]
    return np.clip(np.where(np.isfinite(guess), guess, 0.5), 0.0, 1.0)


@functools.lru_cache(maxsize=64)
def _rounding(game: RaceGame) -> float:
    """Bound the rounding error of one sweep of a turn: that of one sum, for every throw of the longest turn."""
    tree, offered = throws(game), options(game)
    terms = int(np.diff(tree.first).max()) + 1
    one_sum = (math.ceil(math.log2(max(terms, 2))) + 4) * 2.0**-53
    length = np.zeros(game.dice + 1)
    for _ in range(100_000):  # the mean number of throws of a player who never banks and wants to throw on
        longest = np.maximum.reduceat(length[offered.left], offered.start[:-1]) * offered.weight
        new = 1.0 + np.concatenate([[-1.0], np.add.reduceat(longest, offered.first[1:-1])])
        if np.all(new - length <= 1e-12 * new):
            break
        length = new
    return one_sum * float(new.max())


class _Bounds:
    """Certified error bounds, pair by pair: the largest of the pairs it leads to, and what the pair adds itself."""

    def __init__(self, game: RaceGame, axis: Axes) -> None:
        size = len(axis.scores)
        self.standings = standings(game, axis)
        self.rounding = _rounding(game) + (PAST_GOAL**2 if game.last_round else 0.0)
        self.of_pair = np.zeros((size, size))
        self.from_here_on = np.zeros((size, size + 1))  # [i, j]: the largest of (i, j), (i, j + 1), ...

    def add(self, i: Integers, j: Integers, result: Floats, last: bool = False) -> None:
        """Take up the pairs of one sum with what the kernel says about them; after the `last` turn nothing comes."""
        first = np.minimum(self.standings.after + self.standings.least, len(self.of_pair))
        leads_to = np.maximum(self.from_here_on[j, first[i]], self.from_here_on[i, first[j]])
        slopes = result[:, 2:4]
        own = (result[:, 4] + self.rounding) * (1.0 + slopes.max(axis=1)) / (1.0 - slopes.prod(axis=1))
        sides = ((i, j),) if last else ((i, j), (j, i))
        for one, other in sides:
            self.of_pair[one, other] = own if last else leads_to + own
        for one, other in sides:
            self.from_here_on[one, other] = np.maximum(self.of_pair[one, other], self.from_here_on[one, other + 1])


def seconds(game: RaceGame) -> float:
    """Estimate how long a solve takes: every pair of standings, every turn total, every option of every throw."""
    axis = axes(game)
    allowed = standings(game, axis)
    plays = np.flatnonzero(allowed.over == 0)
    rows = float(sum(allowed.need(me, np.arange(len(axis.scores))).sum() for me in plays.tolist()))
    rounds = 24.0 if game.can_fall else 3.0
    return 3e-10 * rounds * rows * (len(throws(game).parent) + 12.0 * game.dice)


def check_work(game: RaceGame, force: bool) -> None:
    """Refuse a race that would take long, unless it is asked for all the same."""
    needs = seconds(game)
    if needs > PATIENCE and not force:
        raise ValueError(
            f"solving {game.name} to {game.goal} would take about {needs / 60:.0f} minutes: lower the goal, or say --force "
            "(force=True) when solving it, which keeps the table"
        )


def solve(
    game: RaceGame,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    handicaps: Iterable[int] = (),
    tie: float = 0.5,
) -> Solved:
    """Compute the chance to win for every pair of standings, with a certified bound on the error.

    `handicaps` adds standings of players who were given points, which count but do not open; without an opening
    threshold every score is there anyway. `tie` is what a tie of a last round is worth to who has reached the goal first.
    The result has the same bits on any number of threads.
    """
    axis = axes(game, handicaps)
    size = len(axis.scores)
    with PairCloser(game, axis, threads) as close:
        if game.can_fall:
            return _sweep_until_still(game, axis, close, tie, progress)
        values = np.full((size, size), np.nan)
        outcomes(game, axis, tie, values)
        bounds = _Bounds(game, axis)
        iterations = _sweep(game, axis, close, values, values, bounds, progress)
    return Solved(axis, values, iterations, float(bounds.of_pair.max()))


def _sweep(
    game: RaceGame, axis: Axes, close: PairCloser, movers: Floats, others: Floats, bounds: _Bounds | None = None,
    progress: Progress | None = None, slack: float = 0.0,
) -> Iterations:  # fmt: skip
    """Take the sums of scores once from the top; fill movers[i, j], what moving at i against j is worth, and others[j, i].

    The two are the same array where both players are alike.
    """
    allowed = close.standings
    alike, apart = movers is others, bool(game.three_busts)
    most = total = done = 0
    pairs = levels(game, axis)
    count = sum(map(len, pairs))
    for level in pairs:
        i, j = level.T
        last = allowed.over[j] == 1
        single = (last | apart) & (allowed.over[i] == 0)
        double = ~last & ~single & (allowed.over[i] == 0) & ((i <= j) | (not alike))
        for some, line in ((single, True), (double, False)):
            if not some.any():
                continue
            me, them = i[some], j[some]
            lines = (others[them, allowed.nothing[me]], np.zeros(len(me))) if line else None
            result = close(me, them, movers, others, lines, slack)
            if line and not alike:
                mirrored = close(me, them, others, movers, (movers[them, allowed.nothing[me]], np.zeros(len(me))), slack)
                others[me, them] = mirrored[:, 0]
            movers[me, them] = result[:, 0]
            if not line:
                others[them, me] = result[:, 1]
            if bounds:
                bounds.add(me, them, result, line)
            most = max(most, int(result[:, 5].max()))
            total += int(result[:, 5].sum())
        done += len(i)
        if progress:
            progress(done / count)
    return Iterations(most, total)


STILL = 2e-14  # values that change by no more are taken to be at rest
BOUND = 1e-10  # the bound that is proved
MOST_SWEEPS = 1000
MOST_PROOFS = 60


def _sweep_until_still(
    game: RaceGame, axis: Axes, close: PairCloser, tie: float, progress: Progress | None
) -> Solved:
    """Solve a race in which scores can fall: sweep until nothing changes, then prove how near the values are.

    Let some sweeps from values V lift every one of them. Who plays by them then gains at every so many falls, so that falls
    come to an end, and he wins at least as often as V says. Above, the same for the opponent. The proof starts from V less a
    little and V and a little, and asks for a lift that no rounding explains; one sweep seldom does, as a player who is sure
    of the race may fall for nothing.
    """
    size = len(axis.scores)
    values = np.full((size, size), 0.5)
    outcomes(game, axis, tie, values)
    change, first, most, total = 1.0, 0.0, 0, 0
    for sweep in range(MOST_SWEEPS):
        before = values.copy()
        found = _sweep(game, axis, close, values, values)
        most, total = max(most, found.most), total + found.total
        last, change = change, float(np.abs(values - before).max())
        first = first or change
        if progress:
            progress(min(0.95, math.log(first / max(change, STILL)) / math.log(first / STILL)))
        if change <= STILL or (sweep > 10 and change < 1e-12 and change >= last):
            break
    over = close.standings.over == 1
    inside = ~over[:, None] & np.ones(size, bool)
    margin = 8.0 * _rounding(game)
    low, high = (np.where(inside, values + sign * BOUND, values) for sign in (-1.0, 1.0))
    lifted, lowered = low.copy(), high.copy()
    for proof in range(1, MOST_PROOFS + 1):
        _sweep(game, axis, close, lifted, lowered, slack=1e-6)
        if np.all((lifted > low + proof * margin)[inside]) and np.all((lowered < high - proof * margin)[inside]):
            if progress:
                progress(1.0)
            return Solved(axis, np.clip(values, 0.0, 1.0), Iterations(most, total), BOUND)
    raise ArithmeticError(f"{game.name}: no bound was proved, values change by {change:.1e} after {sweep + 1} sweeps")


class PairCloser:
    """Closes pairs of standings on some threads; each takes a share of fixed chunks."""

    def __init__(self, game: RaceGame, axis: Axes, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"threads is {threads}: give 1 or more")
        self.threads = threads or os.cpu_count() or 1
        self.throws = throws(game)
        self.standings = standings(game, axis)
        self.pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> PairCloser:
        if self.threads > 1:
            self.pool = ThreadPoolExecutor(self.threads)
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool:
            self.pool.shutdown()

    def __call__(
        self, i: Integers, j: Integers, movers: Floats, others: Floats, line: tuple[Floats, Floats] | None = None,
        slack: float = 0.0,
    ) -> Floats:  # fmt: skip
        """Return [pair, (x, y, slopes of both, residual, rounds)]; with `line` the other plays (rest, bust), fixed.

        What is solved for lies between -slack and 1 + slack.
        """
        from . import kernel

        result = np.empty((len(i), 6))
        result[:, 0], result[:, 1] = _first_guess(movers, i, j), _first_guess(others, j, i)
        chunks = -(-len(i) // kernel.LANES)
        i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)
        rest, bust = map(np.ascontiguousarray, line) if line else (np.empty(0), np.empty(0))

        def share(lowest: int, highest: int) -> None:
            kernel.close_pairs(
                self.throws, self.standings, i, j, movers, others, line is not None, rest, bust, slack, RESIDUAL,
                lowest, highest, result,
            )  # fmt: skip

        self.share_out(chunks, share)
        return result

    def share_out(self, chunks: int, share: Callable[[int, int], None]) -> None:
        """Do share(lowest, highest) over all chunks, a part of them on every thread."""
        cuts = [chunks * part // self.threads for part in range(self.threads + 1)]
        shares = [(low, high) for low, high in itertools.pairwise(cuts) if low < high]
        if self.pool and len(shares) > 1:
            for task in [self.pool.submit(share, low, high) for low, high in shares]:
                task.result()
        else:
            share(0, chunks)


def share_out(count: int, threads: int | None, work: Callable[[int, int], Result], least: int = 16) -> list[Result]:
    """Do work(low, high) over all of range(count), in one part for each thread; return the results in order."""
    threads = threads or os.cpu_count() or 1
    parts = max(1, min(threads, count // least))
    cuts = [count * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [work(0, count)]
    with ThreadPoolExecutor(parts) as pool:
        return [task.result() for task in [pool.submit(work, *cut) for cut in itertools.pairwise(cuts)]]


# What is asked of solved races.


def fair(
    game: RaceGame, around: int = 5, *, threads: int | None = None, progress: Progress | None = None, tie: float = 0.5
) -> tuple[int, dict[int, float]]:
    """Find the head start that makes the race even: points given to the second player, which do not open.

    The bonus is at least 0: a race in which the first player is at a disadvantage is answered with 0. Returns it and the
    first player's chance with so many units more or fewer, fewest first.
    """
    most = units(game, game.goal) - 1

    def values(bonuses: Iterable[int], progress: Progress | None) -> dict[int, float]:
        wanted = [bonus * game.unit for bonus in bonuses]
        solved = solve(game, threads=threads, handicaps=wanted, progress=progress, tie=tie)
        opened = False if game.opening else None
        theirs = {bonus: find_standing(game, solved.axis, bonus, opened) for bonus in wanted}
        return {bonus: float(solved.values[solved.axis.start, at]) for bonus, at in theirs.items()}

    # Without an opening threshold every score is solved anyway; with one, a coarse grid first, then every unit.
    if game.opening:
        step = max(1, most // 20)
        coarse = values(range(0, most + 1, step), part(progress, 0.0, 0.5))
        near = min(coarse, key=lambda bonus: abs(coarse[bonus] - 0.5)) // game.unit
        window = range(max(0, near - step - around), min(most, near + step + around) + 1)
        fine = values(window, part(progress, 0.5, 1.0))
    else:
        fine = values(range(most + 1), progress)
    best = min(fine, key=lambda bonus: (abs(fine[bonus] - 0.5), bonus))
    return best, {bonus: value for bonus, value in fine.items() if abs(bonus - best) <= around * game.unit}


def verify(
    game: RaceGame, axis: Axes, values: Floats, sample: int = 100, seed: int = 0, progress: Progress | None = None
) -> Checked:
    """Recompute a sample of pairs, the start among them, from every roll and every keep of the rules."""
    size, start = len(axis.scores), axis.start
    offered = options(game, every_roll=True)
    turns = np.flatnonzero(np.repeat(axis.scores < game.goal, size))
    chosen = turns[np.random.default_rng(seed).choice(len(turns), min(sample, len(turns)), replace=False)]
    pairs = sorted({start * size + start, *chosen.tolist()})
    worst = 0.0
    for done, pair in enumerate(pairs, 1):
        me, them = divmod(pair, size)
        found = chances_at(game, axis, values, me, them, offered).roll[0, game.dice]
        difference = abs(float(found) - float(values[me, them]))
        worst = max(worst, difference if math.isfinite(difference) else math.inf)
        if progress:
            progress(done / len(pairs))
    return Checked(len(pairs), worst)
