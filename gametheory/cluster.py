"""Where work runs: in this process, in several processes, or on a Dask cluster; and one solve cut into tasks.

All three take functions the same way: `submit` gives a future, `as_completed` yields futures as they finish. The Dask
one needs the extra `cluster`. A worker that dies there loses nothing: its tasks are done again elsewhere.

A single solve is cut into tasks by its family (`Space.on`): the same bits as on one machine, whatever the number of
workers.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import Any, Protocol, Self

from . import extras, games
from .match import duel
from .match.duel import Duel
from .progress import Progress
from .version import __version__

ANSWER_WITHIN = 10.0
"""Seconds in which a cluster must answer."""

class Executor(Protocol):
    """A place where work runs."""

    @property
    def workers(self) -> int:
        """How many tasks can run at once."""

    @property
    def threads(self) -> int | None:
        """How many threads a task should use; None for all there are."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Start a call; return a future with `result()`."""

    def as_completed(self, started: Iterable[Any]) -> Iterator[Any]:
        """Yield futures as they finish."""

    def close(self) -> None:
        """Let go of the workers, and of work that has not started."""

    def __enter__(self) -> Self:
        """Use in a with block, which closes it."""

    def __exit__(self, *_: object) -> None:
        """Close."""


class _Closing:
    """Close on leaving a with block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing to close."""


class _Later:
    """A call that is made when its result is asked for."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments

    def result(self) -> Any:
        return self.function(*self.arguments)


class InProcess(_Closing):
    """Runs one call after the other in this process, each with all threads."""

    workers = 1
    threads: int | None = None

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return _Later(function, arguments)

    def as_completed(self, started: Iterable[Any]) -> Iterator[Any]:
        return iter(list(started))


class Processes(_Closing):
    """Runs calls in processes of this machine, one thread each."""

    threads: int | None = 1

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self.pool = self._start()

    def _start(self) -> futures.ProcessPoolExecutor:
        # Compiled kernels use threads, so that a forked process could hang: start fresh ones.
        return futures.ProcessPoolExecutor(self.workers, get_context("spawn"), _begin_process)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return self.pool.submit(function, *arguments)
        except futures.BrokenExecutor:  # a process died: what it had in hand fails, what comes now need not
            self.pool = self._start()
            return self.pool.submit(function, *arguments)

    def as_completed(self, started: Iterable[Any]) -> Iterator[Any]:
        return futures.as_completed(started)

    def __exit__(self, kind: object = None, *_: object) -> None:
        if isinstance(kind, type) and issubclass(kind, KeyboardInterrupt):
            self._stop()
        self.close()

    def close(self) -> None:
        try:
            self.pool.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            self._stop()
            self.pool.shutdown(wait=True, cancel_futures=True)
            raise

    def _stop(self) -> None:
        """End the processes: nobody waits for what is under way."""
        for process in list(getattr(self.pool, "_processes", None) or ()):
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)


def _begin_process() -> None:
    """End quietly on Ctrl-C, and when the process that started this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


class Dask(_Closing):
    """Runs calls on a Dask cluster: a scheduler's address, or "local" for one worker a core of this machine."""

    threads: int | None = 1

    def __init__(self, address: str, timeout: float = ANSWER_WITHIN) -> None:
        try:
            self.distributed: Any = import_module("distributed")
        except ImportError:
            raise ValueError(
                f"a cluster needs dask.distributed, which is not installed: {extras.install('cluster')}"
            ) from None
        # What goes wrong is told here, in one line; its library would print where it noticed.
        for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]:
            logging.getLogger(name).disabled = True
        self.client: Any = None
        self.own: Any = None
        if address != "local":
            _probe(address, timeout)
        if address == "local":
            self.own = self.distributed.LocalCluster(
                n_workers=os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None
            )
        try:
            self.client = self.distributed.Client(self.own or address, timeout=timeout, set_as_default=False)
            self.client.wait_for_workers(1, timeout=timeout)
            versions = self.client.run(_version)
        except Exception as error:  # what answers may be anything, and so may be what goes wrong with it
            self.close()
            raise _no_cluster(address, error, timeout) from None
        for worker, version in versions.items():
            if version != __version__:
                self.close()
                raise ValueError(
                    f"the worker {worker} of {address} has gametheory {version}, here it is {__version__}: install the "
                    "same version"
                )
        self.workers = len(versions)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        # Impure: hashing large arrays to find equal calls would cost more than it could ever save.
        return self.client.submit(function, *arguments, pure=False)

    def as_completed(self, started: Iterable[Any]) -> Iterator[Any]:
        return iter(self.distributed.as_completed(list(started), loop=self.client.loop))

    def close(self) -> None:
        for part in (self.client, self.own):
            if part is not None:
                part.close()


def _no_cluster(address: str, error: BaseException, timeout: float) -> ValueError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ValueError(
        f"no cluster of use at {address} ({reason}; waited {timeout:g} s at most): start `dask scheduler` and "
        f"`dask worker {address}` with gametheory installed, and give the scheduler's address, tcp://host:8786"
    )


def _probe(address: str, timeout: float) -> None:
    """Refuse an address at which no Dask scheduler answers, before its library waits for one.

    A scheduler greets who connects: eight bytes that count the few frames of its greeting.
    """
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"{address!r} is no address of a cluster: write tcp://host:8786, or local")
    if scheme not in ("", "tcp"):
        return
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout) as connection:
            connection.settimeout(timeout)
            greeting = connection.recv(8, socket.MSG_WAITALL)
    except OSError as error:
        raise _no_cluster(address, error, timeout) from None
    if len(greeting) < 8 or not 0 < int.from_bytes(greeting, "little") < 1000:
        raise _no_cluster(address, ValueError("what answers there is no Dask scheduler"), timeout)


def _version() -> str:
    from gametheory.version import __version__

    return __version__


def connect(cluster: str | None = None, processes: int | None = None) -> Executor:
    """Return where to run: on a cluster if its address (or "local") is given, in processes, or here."""
    if cluster:
        return Dask(cluster)
    if processes is not None and processes < 1:
        raise ValueError(f"cannot work in {processes} processes: give 1 or more")
    return Processes(processes) if processes and processes > 1 else InProcess()


# One solve cut into tasks.


def solve(
    game: Any, tie: str | float = "split", *, executor: Executor, progress: Progress | None = None,
    force: bool = False,
) -> Duel:  # fmt: skip
    """Solve a game for two with the large states cut into tasks: the same bits as `duel.solve`."""
    # The threads here mostly wait: enough of them that every worker has a state of the level to work on.
    threads = max(os.cpu_count() or 1, 2 * executor.workers)
    space = games.space(game).on(executor)
    return duel.solve(game, tie, threads=threads, progress=progress, force=force, space=space)
