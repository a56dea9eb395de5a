"""Progress on standard error for whatever takes longer than a second; silent unless that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[float], None]
"""Called with the part of the work that is done, 0 to 1."""

PATIENCE = 1.0
"""Seconds before a bar is shown."""


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Give a function to call with the part that is done; the bar appears when it is worth it."""
    begun = time.monotonic()
    shown: Any = None
    task: Any = None

    def advance(part: float) -> None:
        nonlocal shown, task
        if shown is None:
            if not sys.stderr.isatty() or time.monotonic() - begun < PATIENCE:
                return
            from rich.console import Console
            from rich.progress import Progress, TimeRemainingColumn

            shown = Progress(*Progress.get_default_columns()[:-1], TimeRemainingColumn(), console=Console(stderr=True))
            shown.start()
            task = shown.add_task(title, total=1.0)
        shown.update(task, completed=part)

    try:
        yield advance
    finally:
        if shown is not None:
            shown.stop()


def part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """Return the progress of one part of the work, which goes from `begin` to `end` of the whole."""
    if progress is None:
        return None
    return lambda done: progress(begin + (end - begin) * done)


def halving(progress: Progress | None) -> Iterator[Progress | None]:
    """Yield the progress of solves in a row, as many as it takes: each is half of what is left."""
    done = 0.0
    while True:
        share = (1.0 - done) / 2
        yield part(progress, done, done + share)
        done += share


def say(line: str) -> None:
    """Print a line about what is going on, for a person who watches."""
    if sys.stderr.isatty():
        print(line, file=sys.stderr)
