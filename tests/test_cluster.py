"""On a real Dask cluster every table has the same bytes as on one machine, also when a worker is killed."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from gametheory import cluster, columns, games
from gametheory import sweeps as sweep
from gametheory.match import duel
from gametheory.pool import kernel
from gametheory.pool.chunks import Fold
from gametheory.pool.solver import Pool
from gametheory.store import tables

GAME = games.game("8d6+2d8+d10")
"""Large enough that a state has more than one chunk of stacks."""


@pytest.fixture(scope="module")
def dask() -> Iterator[cluster.Dask]:
    """Two worker processes on this machine, reached by the scheduler's address."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,  # type: ignore[no-untyped-call]
        cluster.Dask(local.scheduler_address, timeout=60) as executor,
    ):
        yield executor


class Killing:
    """An executor that kills one worker of a cluster, once, as soon as so many calls have been submitted."""

    def __init__(self, dask: cluster.Dask, after: int) -> None:
        dask.client.wait_for_workers(2, timeout=60)
        self.dask, self.left = dask, after
        self.workers, self.threads = dask.workers, dask.threads
        self.as_completed: Callable[..., Any] = dask.as_completed
        self.killed: int | None = None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        task = self.dask.submit(function, *arguments)
        self.left -= 1
        if self.left == 0:
            self.killed = next(iter(self.dask.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)
        return task

    def close(self) -> None:
        """Leave the cluster to its owner."""

    def __enter__(self) -> "Killing":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def solve(executor: cluster.Executor) -> tuple[duel.Duel, int]:
    """Solve with every state sent to the workers, however small; return the solution and the number of tasks."""
    fold = Fold(executor, least_seconds=0.0)
    return duel.solve(GAME, threads=4, space=Pool(GAME, fold)), fold.tasks


@pytest.mark.parametrize("kill_after", [None, 40])
def test_tables_are_byte_identical_to_one_machines(dask: cluster.Dask, tmp_path: Path, kill_after: int | None) -> None:
    executor = dask if kill_after is None else Killing(dask, kill_after)
    found, tasks = solve(executor)
    assert tasks > 3 * (len(GAME.pools) - 1), "some states must be cut into several tasks"
    for threads in (1, 2):
        tables.save(duel.solve(GAME, threads=threads), tmp_path / f"here-{threads}.h5")
    tables.save(found, tmp_path / "cluster.h5")
    bytes_here = (tmp_path / "here-1.h5").read_bytes()
    assert bytes_here == (tmp_path / "here-2.h5").read_bytes()
    assert bytes_here == (tmp_path / "cluster.h5").read_bytes()
    if isinstance(executor, Killing):
        assert executor.killed is not None
        assert executor.killed not in dask.client.run(os.getpid).values()


def test_parts_in_another_order_would_not_have_the_same_bits() -> None:
    """The comparison above is worth something: how parts are added shows in the last bits."""
    parts = np.random.default_rng(1).random((50, 40))
    ours = kernel.add_chunks(parts, -np.inf, np.inf)
    assert np.abs(ours - parts.sum(axis=0)).max() < 1e-13
    assert not np.array_equal(ours, sum(parts, np.zeros(40)))


def test_small_states_stay_here_and_large_ones_go_in_whole_chunks() -> None:
    sent: list[int] = []

    class Watching(cluster.InProcess):
        def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
            sent.append(len(arguments[0]))
            return super().submit(function, *arguments)

    ends = Pool(GAME).chase_ends(1.0, 0.5)
    here = columns.best(Pool(GAME), ends, threads=1)
    patient = Fold(Watching(), least_seconds=1e9)
    assert np.array_equal(columns.best(Pool(GAME, patient), ends).values, here.values, equal_nan=True)
    assert sent == []
    eager = Fold(Watching(), least_seconds=0.0)
    found = columns.best(Pool(GAME, eager), ends)
    assert np.array_equal(found.values, here.values, equal_nan=True)
    assert found.work == here.work == sum(sent)
    assert len(sent) == eager.tasks
    assert max(sent) == 128
    assert min(sent) < 128


def test_a_sweep_on_a_cluster_survives_a_killed_worker(dask: cluster.Dask, tmp_path: Path) -> None:
    cells = sweep.grid(["{n}d6+2d8"], {"n": "1..6"}, ties=["split", "second"])
    executor = Killing(dask, 6)
    rows = sweep.run(cells, tmp_path / "rows.csv", executor)
    assert executor.killed is not None
    here = sweep.run(cells)
    for row, single in zip(rows, here, strict=True):
        assert row | {"seconds": 0} == single | {"seconds": 0}
        assert row["error"] == ""


def test_the_whole_solve_gives_the_same_solution(dask: cluster.Dask) -> None:
    game = games.game("3d6+d8")
    assert tables.digest(cluster.solve(game, "first", executor=dask)) == tables.digest(duel.solve(game, "first"))


def test_a_cluster_that_does_not_answer_is_refused_with_its_address() -> None:
    assert cluster.ANSWER_WITHIN == 10
    begun = time.monotonic()
    with pytest.raises(ValueError, match=r"^[^\n]*tcp://127\.0\.0\.1:9[^\n]*$"):
        cluster.Dask("tcp://127.0.0.1:9", timeout=0.5)
    assert time.monotonic() - begun < 5
    with pytest.raises(ValueError, match=r"^[^\n]*nonsense://here[^\n]*$"):
        cluster.connect("nonsense://here")


def test_workers_of_another_version_are_refused(dask: cluster.Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "99.0")
    with pytest.raises(ValueError, match=r"has gametheory .*, here it is 99\.0"):
        cluster.Dask(dask.client.scheduler.address, timeout=10)


def test_without_the_extra_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ValueError, match=r"-m pip install -e '.*\[cluster\]'"):
        cluster.connect("tcp://127.0.0.1:8786")


def test_connect_chooses_where_to_run() -> None:
    assert isinstance(cluster.connect(), cluster.InProcess)
    assert isinstance(cluster.connect(processes=1), cluster.InProcess)
    with pytest.raises(ValueError, match="0 processes"):
        cluster.connect(processes=0)
