"""A level of a walked game cut into tasks: runs of its places, each sent with the rows of all that they lead to.

Places of a level do not lead to each other, and each is solved by itself: the same bits, wherever it is solved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..answers import Array
from ..levels import Places
from .graph import Merged

WORK = 2e9
"""How many moves times columns a task has, about: a third of a second of computing."""
PAYS = 32
"""How many moves times columns are done while a byte is sent: what has fewer to a byte is solved here."""


def solve_level(
    executor: Any, here: Callable[[range], None], arrays: Merged, rows: Array, first: Places, stop: Places, level: range
) -> int:
    """Solve a level, what pays on an executor and the rest by `here`; return how many tasks were sent."""
    sent: deque[tuple[range, Any]] = deque()
    tasks = 0
    for run in _runs(arrays, level, rows.shape[1]):
        moves = slice(arrays.moves[arrays.rolls[run.start]], arrays.moves[arrays.rolls[run.stop]])
        below, place_in = np.unique(arrays.after[moves], return_inverse=True)
        count, columns = moves.stop - moves.start, rows.shape[1]
        if count * columns < PAYS * 8 * (count + columns * (len(below) + 2 * len(run))):
            here(run)
            continue
        some = slice(run.start, run.stop)
        first_roll, last = arrays.rolls[run.start], arrays.rolls[run.stop]
        part = Merged(
            arrays.rolls[run.start : run.stop + 1] - first_roll, arrays.weights[first_roll:last],
            arrays.moves[first_roll : last + 1] - moves.start, place_in.astype(np.int32), arrays.gains[moves],
        )  # fmt: skip
        sent.append((run, executor.submit(solve_places, part, rows[below], rows[some], first[some], stop[some])))
        tasks += 1
        if len(sent) > 2 * executor.workers:  # what is sent stands in memory twice
            _take(sent, rows)
    while sent:
        _take(sent, rows)
    return tasks


def solve_places(part: Merged, below: Array, rows: Array, first: Places, stop: Places) -> Array:
    """Return the rows of places, given with what is settled in them, from the rows below that their moves lead to."""
    from . import kernel

    count, known = len(rows), len(below)
    found = np.concatenate([below, rows])
    zeros = np.zeros(known, np.int64)
    # What comes over the network may be read-only, for which the kernel would be compiled anew.
    rolls, weights, moves, after, gains = (np.require(array, requirements=["C", "A", "W"]) for array in part)
    rolls, first, stop = (np.concatenate([zeros, array]) for array in (rolls, first, stop))
    kernel.backup(found, rolls, weights, moves, after, gains, first, stop, known, known + count)
    return found[known:]


def _runs(arrays: Merged, level: range, columns: int) -> Iterator[range]:
    """Cut a level into runs of places with about so much work."""
    done = arrays.moves[arrays.rolls[level.start : level.stop + 1]] * float(columns)
    begin = level.start
    while begin < level.stop:
        reached = int(np.searchsorted(done, done[begin - level.start] + WORK, "right"))
        end = min(max(level.start + reached - 1, begin + 1), level.stop)
        yield range(begin, end)
        begin = end


def _take(sent: deque[tuple[range, Any]], rows: Array) -> None:
    run, task = sent.popleft()
    rows[run.start : run.stop] = task.result()
