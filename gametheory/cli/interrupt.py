"""Ctrl-C at any moment: the command ends within a second, with one line and status 130.

Python sees a signal only between two steps of its own, and a kernel may be long in one. So whoever waits for the signal is
a thread beside: where the command has not ended by itself soon after, the thread ends it.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

STATUS = 130
PATIENCE = 0.4
"""Seconds that a command has to end by itself."""

WORDS = "stopped"


class Watch:
    """What is known of signals: whether there was one, and whether the command has ended."""

    def __init__(self) -> None:
        self.interrupted = False
        self.ended = threading.Event()
        self.unsaid = threading.Lock()

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Stop what runs, as Python does."""
        self.interrupted = True
        raise KeyboardInterrupt

    def wait(self, ear: socket.socket) -> None:
        """Wait for a signal, or for the end; end the process if it goes on in spite of the signal."""
        with suppress(OSError):
            while (heard := ear.recv(1)) and heard[0] != signal.SIGINT:
                pass
            if heard and not self.ended.wait(PATIENCE):
                self.say()
                os._exit(STATUS)

    def say(self) -> None:
        """Say that the command was stopped, once."""
        if self.unsaid.acquire(blocking=False):
            with suppress(OSError, ValueError):
                print(WORDS, file=sys.stderr, flush=True)


@contextmanager
def watch() -> Iterator[Watch]:
    """Watch for Ctrl-C while a command runs; nothing is done where that is not ours to decide."""
    found = Watch()
    own = threading.current_thread() is threading.main_thread()
    if not own or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield found
        return
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, found.handle)
    threading.Thread(target=found.wait, args=(ear,), daemon=True).start()
    try:
        yield found
    finally:
        found.ended.set()
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        mouth.close()
        ear.close()

