"""Walking and solving cut into tasks: the same bits as on one machine, whatever is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from gametheory import cluster, columns
from gametheory.match import duel
from gametheory.own import graph, parts, rules, solver
from gametheory.own.sums import Sums, space_of
from gametheory.store import tables

from .test_graph import Held, Maze


class Watching(cluster.InProcess):
    """Runs here what is sent, and remembers it."""

    workers = 2

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.sent.append((function, *arguments))
        return super().submit(function, *arguments)


@pytest.fixture(scope="module")
def dask() -> Iterator[cluster.Dask]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,  # type: ignore[no-untyped-call]
        cluster.Dask(local.scheduler_address, timeout=60) as executor,
    ):
        yield executor


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send everything that can be sent, in small tasks."""
    monkeypatch.setattr(solver, "SMALL", 0)
    monkeypatch.setattr(parts, "PAYS", 0)
    monkeypatch.setattr(parts, "WORK", 200)
    monkeypatch.setattr(graph, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(graph, "BUNCH", 5)


@pytest.mark.parametrize("game", [Maze(), Maze(sign=-1), Held(rooms=80)], ids=["sums", "lower", "held"])
def test_whatever_is_sent_the_bits_are_the_same(game: Maze, eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    here = space_of(game)
    ends = here.chase_ends(1.0, 0.5)
    rows = columns.best(here, ends, threads=2).values
    executor = Watching()
    away: Any = here.on(executor)
    assert away.graph.digest == here.graph.digest
    assert away.graph.states == here.graph.states
    walked = len(executor.sent)
    assert walked > 3
    assert {task[0] for task in executor.sent} == {rules.read_states}
    found = columns.best(away, ends, threads=2).values
    assert found.tobytes() == rows.tobytes()
    solved = executor.sent[walked:]
    assert {task[0] for task in solved} == {parts.solve_places}
    assert len(solved) > len(here.levels), "some levels must be cut into several tasks"
    assert sum(len(task[3]) for task in solved) == here.places - len(here.finished)


def test_on_a_real_cluster_tables_are_byte_identical(dask: cluster.Dask, eager: None, tmp_path: Path) -> None:
    game = Maze(60)
    tables.save(duel.solve(game), tmp_path / "here.h5")
    tables.save(cluster.solve(game, executor=dask), tmp_path / "cluster.h5")
    assert (tmp_path / "here.h5").read_bytes() == (tmp_path / "cluster.h5").read_bytes()


def test_what_does_not_pay_stays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maze uses each row that would be sent a few times only; a state at a time is too little to be read elsewhere."""
    monkeypatch.setattr(solver, "SMALL", 0)
    executor = Watching()
    space: Any = space_of(Maze()).on(executor)
    columns.best(space, space.chase_ends(1.0, 0.5))
    assert executor.sent == []


def test_many_moves_to_few_rows_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two levels of forty states, and from each of the upper ones 5000 rolls of forty moves."""
    monkeypatch.setattr(solver, "SMALL", 0)
    draw = np.random.default_rng(1)
    rolls, each = 5000, 40
    counts = np.concatenate([[0], np.ones(40, np.int64), np.full(40, rolls), [40]])
    sizes = np.concatenate([np.full(40, 30), np.full(40 * rolls, each), np.ones(40, np.int64)])
    after = np.concatenate([
        np.zeros(40 * 30, np.int64), np.tile(np.arange(1, 41), 40 * rolls), np.arange(41, 81),
    ])  # fmt: skip
    points = draw.integers(0, 300, len(after))
    space = Sums(Maze())
    levels = [range(1, 41), range(41, 81), range(81, 82)]
    space.graph = graph.Graph(
        list(range(82)),
        graph.beginnings(counts),
        np.ones(len(sizes)),
        graph.beginnings(sizes),
        after,
        points,
        [0],
        levels,
        "",
    )
    ends = space.chase_ends(1.0, 0.5)
    rows = columns.best(space, ends).values
    executor = Watching()
    space.executor = executor
    assert columns.best(space, ends).values.tobytes() == rows.tobytes()
    assert len(executor.sent) >= 2
    assert {tuple(task[3].shape)[1] for task in executor.sent} == {ends.shape[1]}
