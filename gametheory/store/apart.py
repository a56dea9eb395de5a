"""Tables from elsewhere, opened apart: in a process with limits, which hands back plain numbers and nothing else.

A digest finds accidents, not malice: who makes a table can make its digest too, and hostile bytes can crash the library
that reads them, or worse. So the process may take so much memory and time, may write no file, and what it says is read as
one line of JSON and numbers that fit it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from .. import files
from ..answers import Stored
from . import form

SECONDS = 120
"""How long a table may take to be read."""

MEMORY = 8 << 30
"""Bytes of memory that reading may take."""

MOST_HEAD = 16 << 20
"""Bytes of the line that says what follows."""


class Untrusted(Path):
    """A folder of tables, or a table, from elsewhere; what is in such a folder is so too."""

    if sys.version_info < (3, 12):
        _flavour = type(Path())._flavour  # type: ignore[attr-defined]


def untrusted(folder: str | None) -> Untrusted:
    """Return a folder of tables from elsewhere; refuse to have been given none."""
    if folder is None:
        raise ValueError("--untrusted tells of the tables in a folder: name it with --tables DIR")
    return Untrusted(folder)


BEGIN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from gametheory.store import apart; apart.main(sys.argv[1])"


def read(path: Path) -> Stored:
    """Read a table in another process."""
    package = str(Path(__file__).parents[2])
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-c", BEGIN, package, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        clock = threading.Timer(SECONDS, process.kill)
        clock.start()
        try:
            found = _take(process.stdout, path)
            if found is not None:
                return found
            process.wait()
        finally:
            clock.cancel()
            process.kill()
    raise form.TableError(f"{path} is damaged: reading it ended the process that did ({process.returncode}); {form.REMEDY}")


def _take(stream: Any, path: Path) -> Stored | None:
    """Take what the other process hands back; None if it did not come to an end."""
    line = stream.readline(MOST_HEAD)
    try:
        head = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        head = None
    if not isinstance(head, dict):
        return None
    if "wrong" in head:
        raise (ValueError if head["request"] else form.TableError)(head["wrong"])
    parts = {}
    for name, dims, shape, kind in head["parts"]:
        size = 8 * prod(shape)
        if kind not in ("<f8", "<i8") or min(shape) < 1 or size > MEMORY:
            return None
        content = stream.read(size)
        if len(content) != size:
            return None
        parts[name] = (tuple(dims), np.frombuffer(content, kind).reshape(shape).copy())
    axes = {name: values for name, (dims, values) in parts.items() if dims == ()}
    arrays = {name: part for name, part in parts.items() if part[0] != ()}
    return Stored(head["kind"], head["rules"], head["facts"], axes, arrays)


def main(path: str) -> None:
    """Read a table, as the other process, and hand it back."""
    _limit()
    out = sys.stdout.buffer
    try:
        content = files.read(path, form.MOST_BYTES, "name a table, or solve the game first")
        found = form.decode(content, path)
    except (ValueError, form.TableError) as error:
        wrong = {"wrong": str(error), "request": isinstance(error, ValueError)}
        out.write(json.dumps(wrong).encode() + b"\n")
        return
    parts: list[tuple[str, tuple[str, ...], Any]] = [(name, (), values) for name, values in found.axes.items()]
    parts += [(name, dims, values) for name, (dims, values) in found.arrays.items()]
    plain = [(name, dims, np.ascontiguousarray(values)) for name, dims, values in parts]
    about = [[name, dims, values.shape, values.dtype.str] for name, dims, values in plain]
    head = {"kind": found.kind, "rules": found.rules, "facts": found.facts, "parts": about}
    out.write(json.dumps(head, allow_nan=False).encode() + b"\n")
    for _, _, values in plain:
        out.write(values.tobytes())


def _limit() -> None:
    """Take no more than is needed, and write to no file; where systems have no such limits, go on without."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (("AS", MEMORY), ("CPU", SECONDS), ("FSIZE", 0), ("CORE", 0)):
        kind = getattr(resource, f"RLIMIT_{what}")
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))
