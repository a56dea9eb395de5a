"""What is computed over levels and columns, once for every family of scoring games.

    best         values for a payoff of the final score: the best move of every roll, level by level
    chases       the chances to beat and to tie every target
    visits       the chance to pass through every place and column
    comes_to     what following a policy is worth, for a payoff
    parting      where, and how dearly, two ways to play part

Rows are by [place, column]; what columns count, see `levels`; what is done at one place, `space`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .answers import Array
from .levels import Columns, Player, Rows, Steps
from .progress import Progress
from .space import Space, expected_rows

# Values.


def best(space: Space, ends: Array, *, threads: int | None = None, progress: Progress | None = None) -> Rows:
    """Solve every place for what the finished ones are worth: the best move of every roll."""
    from concurrent.futures import ThreadPoolExecutor

    rows = space.begin(ends)
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as workers:
        for level in range(len(space.levels)):
            space.backup(level, rows, workers if threads > 1 else None)
            if progress:
                progress(space.done(level))
    return rows


def points(space: Space, *, threads: int | None = None, progress: Progress | None = None) -> Rows:
    """Solve every place for points; column 0 holds the expected outcome beyond what a column holds."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        found = space.expected(workers)
    return best(space, space.ends(space.points), threads=threads, progress=progress) if found is None else found


# Play by values.


def visits(space: Space, values: Array, expected: Array) -> Array:
    """Return the chance to pass through every place and solo column of a player who maximises values[place, column]."""
    tables = np.stack([values, expected_rows(space, expected, space.solo)])
    found = np.zeros((space.places, len(space.solo)))
    found[space.start, 0] = 1.0
    for place in reversed(space.order):
        here = np.flatnonzero(found[place])
        if len(here) == 0:
            continue
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        after, flow = space.spread(place, tables, expected, begin, found[place, begin : begin + width])
        found[after] += flow
    return found


def chases(space: Space, values: Array, expected: Array) -> tuple[Array, Array]:
    """Return the chances to beat, and to tie, each target, by its outcome, of a player who maximises values of a chase."""
    columns = space.chase
    ends = np.stack([space.chase_ends(1.0, 0.0), space.chase_ends(0.0, 1.0)])
    reports = np.full((2, space.places, len(columns)), np.nan)
    reports[:, space.finished] = ends
    rows = expected_rows(space, expected, columns)
    for place in space.order:
        # Further behind than can be made up, or ahead already: settled.
        begin, end = space.live(place, columns)
        reports[:, place, :begin] = ends[:, 0, :1]
        reports[:, place, end:] = ends[:, 0, -1:]
        tables = np.concatenate([np.stack([values, rows]), reports])
        reports[:, place, begin:end] = space.follow(place, tables, begin, end - begin)[:2]
    wins, ties = space.by_target(reports[:, space.start])
    return wins, ties


def chase_means(space: Space, values: Array, expected: Array) -> Array:
    """Return the mean of points above the worst that a player makes who maximises values of a chase, by target's outcome."""
    columns = space.chase
    rows = expected_rows(space, expected, columns)
    found = rows.copy()
    for place in space.order:
        begin, end = space.live(place, columns)  # elsewhere all moves are alike, so that he plays for points
        found[place, begin:end] = space.follow(place, np.stack([values, rows, found]), begin, end - begin)[0]
    over = np.arange(len(space.outcomes)) if columns.shifts else 0
    return np.asarray(space.by_target(found[space.start]) + over)


def comes_to(space: Space, values: Array, expected: Array, ends: Array) -> Array:
    """Return rows by solo column: what a player who maximises values[place, column] gets where the ends are worth these."""
    tables = np.stack([values, expected_rows(space, expected, space.solo), np.full(values.shape, np.nan)])
    tables[2, space.finished] = ends
    for place in space.order:
        width = len(space.solo) - (int(space.most_gains[place]) if space.solo.shifts else 0)
        tables[2, place, :width] = space.follow(place, tables, 0, width)[0]
    return np.asarray(tables[2])


class Parting(NamedTuple):
    """By place and column: the chance that a roll there parts two ways to play, and what it costs on average."""

    disagreement: Array
    cost: Array


def parting(
    space: Space, chosen: Array | None, values: Array, expected: Array, columns: Columns,
    window: Callable[[int], tuple[int, int]],
) -> Parting:  # fmt: skip
    """Compare the choice by the rows `chosen` with the best by `values`, in the columns (from, to) of each place.

    Without rows the choice is by expected outcome.
    """
    rows = expected_rows(space, expected, columns)
    tables = np.stack([rows if chosen is None else chosen, rows, values, values])
    disagreement, cost = np.zeros((2, space.places, len(columns)))
    for place in space.order:
        begin, end = window(place)
        if begin < end:
            most, taken, differ = space.follow(place, tables, begin, end - begin, ceiling=True)
            disagreement[place, begin:end] = differ
            with np.errstate(invalid="ignore"):  # columns between those that play comes to are worth nothing, nor matter
                cost[place, begin:end] = np.maximum(most - taken, 0.0)
    return Parting(disagreement, cost)


# Play by steps: policies that look at the dice alone.


def visits_of_steps(space: Space, steps: Steps) -> Array:
    """Return the chance to pass through every place and solo column by these steps."""
    found = np.zeros((space.places, len(space.solo)))
    found[space.start, 0] = 1.0
    for place in space.onward:
        here = np.flatnonzero(found[place])
        after, gains, chances = steps[place]
        for column in here:
            np.add.at(found, (after, gains + column), found[place, column] * chances)
    return found


def steps_come_to(space: Space, steps: Steps, ends: Array) -> Array:
    """Return rows by solo column: what a player who takes these steps gets where the ends are worth these."""
    found = np.full((space.places, len(space.solo)), np.nan)
    found[space.finished] = ends
    for place in space.order:
        width = len(space.solo) - (int(space.most_gains[place]) if space.solo.shifts else 0)
        after, gains, chances = steps[place]
        there = found[np.asarray(after)[:, None], np.asarray(gains)[:, None] + np.arange(width)]
        found[place, :width] = np.ascontiguousarray((np.asarray(chances)[:, None] * there).T).sum(axis=-1)
    return found


# Play by chance.


def step_player(space: Space, steps: Steps) -> Player:
    """Return a player who draws steps, for all games at once, place by place."""
    cumulated = {place: np.cumsum(chances) for place, (_, _, chances) in steps.items()}

    def player(draw: np.random.Generator, wanted: Any) -> Any:
        where = np.full(len(wanted), space.start)
        made = np.zeros(len(wanted), np.int64)
        for place in space.onward:
            here = np.flatnonzero(where == place)
            if len(here):
                after, gains, _ = steps[place]
                sums = cumulated[place]
                step = np.searchsorted(sums, draw.random(len(here)) * sums[-1], side="right")
                step = np.minimum(step, len(after) - 1)
                where[here] = after[step]
                made[here] += gains[step]
        if space.solo.shifts:
            return made
        outcomes = np.zeros(space.places, np.int64)
        outcomes[space.finished] = space.final
        return outcomes[where]

    return player
