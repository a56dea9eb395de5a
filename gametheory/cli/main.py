"""The command `gametheory`: reads what was typed, calls one public function, prints its answer. No logic of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

import click

from . import interrupt, parser, show

LONGEST_LINE = 2_000
"""Letters of a refusal that are shown."""


def main(given: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 2 the request was wrong, 1 something else failed, 130 interrupted."""
    with interrupt.watch() as watch:
        try:
            status = _run(given)
        except BaseException as error:
            # An interrupt may come in the guise of whatever it stopped.
            if not (watch.interrupted or isinstance(error, KeyboardInterrupt | click.Abort)):
                raise
            status = interrupt.STATUS
    if given is None:  # what is done is done
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if status == interrupt.STATUS:
        watch.say()
        if given is None and _at_work():
            with suppress(OSError, ValueError):
                sys.stdout.flush()
            os._exit(status)
    return status


def _at_work() -> bool:
    """Tell whether threads stay at work that the end of Python would wait for."""
    end = time.monotonic() + interrupt.PATIENCE
    while any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        if time.monotonic() > end:
            return True
        time.sleep(0.01)
    return False


def _run(given: Sequence[str] | None) -> int:
    try:
        status = parser.run(given)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output has seen enough; point stdout elsewhere so that closing it stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _refuse(error, 1)
    except (ValueError, ImportError) as error:
        return _refuse(error, 2)
    except MemoryError:
        return _refuse("there is not enough memory for this: take a smaller game", 1)
    except Exception as error:
        if type(error).__name__ != "TableError":
            raise
        return _refuse(error, 1)


def _refuse(words: object, status: int) -> int:
    """Say in one line what went wrong; what would do something to a terminal is shown as Python writes it."""
    line = show.clean(str(words)[: LONGEST_LINE + 1])
    print(f"gametheory: {line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + ' ...'}", file=sys.stderr)
    return status
