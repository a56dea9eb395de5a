"""Compile kernels with numba: cached where a cache can be written, and free of the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

from . import progress

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
_jit: Any = numba.njit


class _Teller(event.Listener):
    """Says once, to a person who watches, that it is the compiler they wait for; what is cached is not compiled."""

    said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            progress.say("Compiling, which takes some seconds the first time.")
        self.said = True

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


_events: Any = event
_events.register("numba:compile", _Teller())


def njit(function: Kernel) -> Kernel:
    """Compile a kernel on its first call; without a writable cache it is compiled anew in every process."""
    kernel: Kernel
    try:
        kernel = _jit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba found no place for its cache
        kernel = _jit(nogil=True)(function)
    return kernel


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels of the same file call: no entry from Python, so that it compiles faster."""
    kernel: Kernel = _jit(nogil=True, no_cpython_wrapper=True)(function)
    return kernel
