"""One solve of a pool cut into tasks, below the state.

The kernel sums the distinct folded stacks of a state in chunks of fixed size (`kernel.fold_pool`); workers take runs of
whole chunks, and the parts are added here in the same order and with the same compensation: the same bits as on one machine,
whatever the number of workers.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import numpy as np

from ..answers import Array
from .states import State

LEAST_SECONDS = 0.1
"""The least work worth sending to a worker: a task costs some milliseconds of its own."""


def sum_chunks(stacks: Array, state: State, ways: Array, width: int, tolerance: float) -> tuple[Array, float]:
    """Sum a run of whole chunks of stacks, one row of the result for each chunk; return also its seconds of computing."""
    kernel: Any = import_module(".kernel", __package__)
    # What comes over the network may be read-only, for which the kernels would be compiled anew.
    stacks, ways = _writable(stacks), _writable(ways)
    state = State._make(_writable(part) if isinstance(part, np.ndarray) else part for part in state)
    begun = time.thread_time()
    parts = np.empty((-(-len(stacks) // kernel.CHUNK), width))
    for place, part in enumerate(parts):
        some = stacks[place * kernel.CHUNK : (place + 1) * kernel.CHUNK]
        kernel.sum_chunk(some, state, ways, width, tolerance, part)
    return parts, time.thread_time() - begun


def _writable(array: Any) -> Any:
    return np.require(array, requirements=["C", "A", "W"])


class Fold:
    """Computes one state as `kernel.fold_pool` does, large ones on an executor; for `solver.Pool`.

    How long a state takes is guessed from the states it leads to: one die more about doubles the work. What is sent where
    changes nothing but time.
    """

    def __init__(self, executor: Any, least_seconds: float = LEAST_SECONDS) -> None:
        self.executor, self.least_seconds = executor, least_seconds
        self.seconds: dict[int, float] = {}  # by pool: what a chunk of it took
        self.tasks = 0

    def __call__(
        self, rows: Array, state: State, ways: Array, column: int, width: int, tolerance: float, least: float, most: float
    ) -> tuple[Array, int]:
        """Return the row of a pool and the number of distinct stacks it took; arguments as for the kernel."""
        kernel: Any = import_module(".kernel", __package__)
        stacks = kernel.fold_first(rows, state, ways, column, width, tolerance)
        chunks = -(-len(stacks) // kernel.CHUNK)
        guess = 2 * max(self.seconds.get(int(sub), 0.0) for sub in state.subs[1:])
        if guess * chunks < self.least_seconds:
            parts, seconds = sum_chunks(stacks, state, ways, width, tolerance)
        else:
            run = kernel.CHUNK * max(1, round(self.least_seconds / max(guess, 1e-9)))
            started = [
                # The stacks stand where this thread folds the next ones.
                self.executor.submit(sum_chunks, stacks[a : a + run].copy(), state, ways, width, tolerance)
                for a in range(0, len(stacks), run)
            ]
            self.tasks += len(started)
            done = [task.result() for task in started]
            parts, seconds = np.concatenate([part for part, _ in done]), sum(took for _, took in done)
        self.seconds[state.place] = seconds / chunks
        row: Array = kernel.add_chunks(parts, least, most)
        return row, len(stacks)
