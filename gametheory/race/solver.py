"""Races solved for the chance to win: the match for every pair of standings.

With the recurrence of one turn (see `turn`), lose = 1 - W(them, me) and bank(t) = 1 - W(them, me + t),

    W(me, them) = roll(all dice, 0)

is the chance of the player to move. A pair of standings hangs on pairs with a higher sum of scores and, through a bust, on
its own mirror image: sums are taken from the top, and the two unknowns of a pair are closed by policy iteration, which is
Newton's method on

    x = f(1 - y),  y = g(1 - x),

f and g being convex and piecewise linear; the slope of f is the chance that the turn ends with nothing.

A *standing* is (score, opened). Those who have not opened come first: score 0, then the handicaps that were asked for;
then the scores of those who have, from the opening threshold up, one unit apart. Ten-thousand has 181 of them.

    values of a match   [standing to move, standing of the other]

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
from .notation import check_standing
from .rules import RaceGame
from .turn import (
    Flags,
    Floats,
    Integers,
    Options,
    TurnChances,
    options,
    throws,
    turn_chances,
    units,
)

RESIDUAL = 4e-15  # a pair is closed when its equations hold to this
MOST_STANDINGS = 4000
SECONDS_PER_OPTION = 5e-9
PATIENCE = 120.0
"""Seconds of work that are begun without asking."""

Result = TypeVar("Result")


# Standings.


class Standings(NamedTuple):
    """What a standing allows, in units, for the kernels."""

    least: Integers  # [standing]: the least turn total that may be banked
    need: Integers  # [standing]: the turn total that wins
    after: Integers  # [standing]: banking t leads to standing after + t


class Axes(NamedTuple):
    """The standings of a race: scores in points, and who has opened."""

    scores: Integers
    opened: Flags


def axes(game: RaceGame, handicaps: Iterable[int] = ()) -> Axes:
    """List the standings of a race: not opened first (score 0 and the handicaps), then those who have opened."""
    extra = sorted({check_standing(game, handicap, False)[0] for handicap in handicaps} - {0})
    goal, opening = units(game, game.goal), units(game, game.opening)
    unopened = [0, *(handicap // game.unit for handicap in extra)] if opening else []
    many = len(unopened) + max(0, goal - opening)
    if many > MOST_STANDINGS:
        raise ValueError(
            f"{game.name} to {game.goal} has {many} standings: at most {MOST_STANDINGS} can be solved, lower the goal"
        )
    scores = np.array([*unopened, *range(opening, goal)], dtype=np.int64) * game.unit
    return Axes(scores, np.arange(len(scores)) >= len(unopened))


def standings(game: RaceGame, axis: Axes) -> Standings:
    """Return what every standing allows."""
    scores = axis.scores // game.unit
    goal, opening = units(game, game.goal), units(game, game.opening)
    least = np.where(axis.opened, 1, max(opening, 1))
    return Standings(
        least.astype(np.int64),
        np.maximum(goal - scores, least).astype(np.int64),
        (np.count_nonzero(~axis.opened) + scores - opening).astype(np.int64),
    )


def levels(axis: Axes) -> list[Integers]:
    """List the pairs of standings [pair, (i, j)] by the sum of their scores, highest first."""
    sums = axis.scores[:, None] + axis.scores
    order = np.argsort(-sums, axis=None, kind="stable")
    breaks = np.flatnonzero(np.diff(sums.ravel()[order])) + 1
    return [np.stack(np.divmod(level, len(sums)), axis=1) for level in np.split(order, breaks)]


def find_standing(game: RaceGame, axis: Axes, score: int, opened: bool | None = None) -> int:
    """Return the index of a standing, or refuse one that cannot occur or was not solved."""
    score, opened = check_standing(game, score, opened)
    found = np.flatnonzero((axis.scores == score) & (axis.opened == opened))
    if not len(found):
        raise ValueError(
            f"a handicap of {score} was not solved: solve with handicaps=[{score}], or say that the player has opened"
        )
    return int(found[0])


def chances_at(
    game: RaceGame, axis: Axes, others: Floats, me: int, them: int, offered: Options | None = None
) -> TurnChances:
    """Work out one turn of the player at standing `me` against `them`, in plain numpy.

    `others[j, i]` is the chance of the other player to move at j against i.
    """
    least, need, after = (int(column[me]) for column in standings(game, axis))
    bank = np.full(need, -np.inf)
    bank[least:] = 1.0 - others[them, after + least : after + need]
    return turn_chances(game, bank, 1.0 - float(others[them, me]), offered)


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
        self.rounding = _rounding(game)
        self.of_pair = np.zeros((size, size))
        self.from_here_on = np.zeros((size, size + 1))  # [i, j]: the largest of (i, j), (i, j + 1), ...

    def add(self, i: Integers, j: Integers, result: Floats) -> None:
        """Take up the pairs of one sum with what the kernel says about them."""
        first = np.minimum(self.standings.after + self.standings.least, len(self.of_pair))
        leads_to = np.maximum(self.from_here_on[j, first[i]], self.from_here_on[i, first[j]])
        slopes = result[:, 2:4]
        own = (result[:, 4] + self.rounding) * (1.0 + slopes.max(axis=1)) / (1.0 - slopes.prod(axis=1))
        for one, other in ((i, j), (j, i)):
            self.of_pair[one, other] = leads_to + own
        for one, other in ((i, j), (j, i)):
            self.from_here_on[one, other] = np.maximum(self.of_pair[one, other], self.from_here_on[one, other + 1])


def seconds(game: RaceGame) -> float:
    """Estimate how long a solve takes: every pair of standings, every turn total, every option of every throw."""
    rules = standings(game, axes(game))
    return SECONDS_PER_OPTION * len(rules.need) * float(rules.need.sum()) * len(throws(game).shift)


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
) -> Solved:
    """Compute the chance to win for every pair of standings, with a certified bound on the error.

    `handicaps` adds standings of players who were given points, which count but do not open; without an opening
    threshold every score is there anyway. The result has the same bits on any number of threads.
    """
    axis = axes(game, handicaps)
    size = len(axis.scores)
    values = np.full((size, size), np.nan)
    bounds = _Bounds(game, axis)
    most = total = done = 0
    with PairCloser(game, axis, threads) as close:
        for level in levels(axis):
            i, j = level[level[:, 0] <= level[:, 1]].T
            if not len(i):
                continue
            result = close(i, j, values, values)
            values[i, j], values[j, i] = result[:, 0], result[:, 1]
            bounds.add(i, j, result)
            most = max(most, int(result[:, 5].max()))
            total += int(result[:, 5].sum())
            done += len(i)
            if progress:
                progress(2 * done / (size * (size + 1)))
    return Solved(axis, values, Iterations(most, total), float(bounds.of_pair.max()))


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
        self, i: Integers, j: Integers, movers: Floats, others: Floats, line: tuple[Floats, Floats] | None = None
    ) -> Floats:
        """Return [pair, (x, y, slopes of both, residual, rounds)]; with `line` the other plays (rest, bust), fixed."""
        from . import kernel

        result = np.empty((len(i), 6))
        result[:, 0], result[:, 1] = _first_guess(movers, i, j), _first_guess(others, j, i)
        chunks = -(-len(i) // kernel.LANES)
        i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)
        rest, bust = line if line else (np.empty(0), np.empty(0))

        def share(lowest: int, highest: int) -> None:
            kernel.close_pairs(
                self.throws, self.standings, i, j, movers, others, line is not None, rest, bust, RESIDUAL,
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
    game: RaceGame, around: int = 5, *, threads: int | None = None, progress: Progress | None = None
) -> tuple[int, dict[int, float]]:
    """Find the head start that makes the race even: points given to the second player, which do not open.

    The bonus is at least 0: a race in which the first player is at a disadvantage is answered with 0. Returns it and the
    first player's chance with so many units more or fewer, fewest first.
    """
    most = units(game, game.goal) - 1

    def values(bonuses: Iterable[int], progress: Progress | None) -> dict[int, float]:
        wanted = [bonus * game.unit for bonus in bonuses]
        solved = solve(game, threads=threads, handicaps=wanted, progress=progress)
        opened = False if game.opening else None
        return {bonus: float(solved.values[0, find_standing(game, solved.axis, bonus, opened)]) for bonus in wanted}

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
    size = len(axis.scores)
    offered = options(game, every_roll=True)
    chosen = np.random.default_rng(seed).choice(size * size, min(sample, size * size), replace=False)
    pairs = sorted({0, *chosen.tolist()})
    worst = 0.0
    for done, pair in enumerate(pairs, 1):
        me, them = divmod(pair, size)
        found = chances_at(game, axis, values, me, them, offered).roll[0, game.dice]
        difference = abs(float(found) - float(values[me, them]))
        worst = max(worst, difference if math.isfinite(difference) else math.inf)
        if progress:
            progress(done / len(pairs))
    return Checked(len(pairs), worst)
