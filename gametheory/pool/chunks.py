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

LEAST_SECONDS = 0.1
"""The least work worth sending to a worker: a task costs some milliseconds of its own."""


def sum_chunks(stacks: Array, several: int, pool: tuple[Any, ...], width: int, tolerance: float) -> tuple[Array, float]:
    """Sum a run of whole chunks of stacks, one row of the result for each chunk; return also its seconds of computing.

    `pool` is what the kernels want to know of it: counts, faces, gains, chances, tails, ways, wider.
    """
    kernel: Any = import_module(".kernel", __package__)
    # What comes over the network may be read-only, for which the kernels would be compiled anew.
    stacks, *arrays = (np.require(array, requirements=["C", "A", "W"]) for array in (stacks, *pool))
    _, faces, gains, chances, _, _, wider = arrays
    begun = time.thread_time()
    parts = np.zeros((-(-len(stacks) // kernel.CHUNK), width))
    for place, part in enumerate(parts):
        some = stacks[place * kernel.CHUNK : (place + 1) * kernel.CHUNK]
        for k in range(1, several):
            some = kernel.fold_kind(some, k, *arrays, width, tolerance, 1, False, None)
        kernel.sum_singles(some, several, faces, gains, chances, wider, width, part, np.zeros(width))
    return parts, time.thread_time() - begun


class Fold:
    """Computes one state as `pool_kernel.fold_pool` does, large ones on an executor; for `solver.Pool`.

    How long a state takes is guessed from the states it leads to: one die more about doubles the work. What is sent where
    changes nothing but time.
    """

    def __init__(self, executor: Any, least_seconds: float = LEAST_SECONDS) -> None:
        self.executor, self.least_seconds = executor, least_seconds
        self.seconds: dict[int, float] = {}  # by pool: what a chunk of it took
        self.tasks = 0

    def __call__(self, rows: Array, subs: Any, several: int, *rest: Any) -> tuple[Array, int]:
        """Return the row of a pool and the number of distinct stacks it took; arguments as for the kernel."""
        kernel: Any = import_module(".kernel", __package__)
        *pool, column, width, tolerance, least, most = rest
        stacks = kernel.gather(rows, subs, pool[-1], column, width)
        if several > 0:
            stacks = kernel.fold_kind(stacks, 0, *pool, width, tolerance, 1, False, None)
        chunks = -(-len(stacks) // kernel.CHUNK)
        guess = 2 * max(self.seconds.get(int(sub), 0.0) for sub in subs[1:])
        if guess * chunks < self.least_seconds:
            parts, seconds = sum_chunks(stacks, several, tuple(pool), width, tolerance)
        else:
            run = kernel.CHUNK * max(1, round(self.least_seconds / max(guess, 1e-9)))
            started = [
                self.executor.submit(sum_chunks, stacks[a : a + run], several, tuple(pool), width, tolerance)
                for a in range(0, len(stacks), run)
            ]
            self.tasks += len(started)
            done = [task.result() for task in started]
            parts, seconds = np.concatenate([part for part, _ in done]), sum(took for _, took in done)
        self.seconds[int(subs[0])] = seconds / chunks
        return np.clip(_add_parts(parts), least, most), len(stacks)


def _add_parts(parts: Array) -> Array:
    """Add rows in order, carrying the rounding error along: bit for bit what the kernel does."""
    total, carry = np.zeros((2, parts.shape[1]))
    for part in parts:
        y = part - carry
        t = total + y
        carry = (t - total) - y
        total = t
    return total
