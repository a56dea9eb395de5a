"""What the tests of stored tables share: tables to spoil, and processes that write them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import gametheory as gt
from gametheory.answers import Stored
from gametheory.match.duel import Duel
from gametheory.store import form

Change = Callable[[Any], None]
"""Changes an open table."""


def load(path: Path) -> Duel:
    """Load the table of a game for two in turn."""
    found = gt.load(path)
    assert isinstance(found, Duel)
    return found


def assert_same(one: Stored, other: Stored) -> None:
    """Compare everything that two tables say, bit for bit."""
    assert (one.kind, one.rules, one.facts) == (other.kind, other.rules, other.facts)
    assert sorted(one.axes) == sorted(other.axes)
    for name, labels in one.axes.items():
        np.testing.assert_array_equal(labels, other.axes[name])
    assert sorted(one.arrays) == sorted(other.arrays)
    for name, (dims, values) in one.arrays.items():
        assert dims == other.arrays[name][0]
        np.testing.assert_array_equal(values, other.arrays[name][1], strict=True)


def assert_one_line(error: BaseException, path: Path) -> None:
    """Every refusal names the file and, after a colon or semicolon, the remedy, on one line."""
    text = str(error)
    assert "\n" not in text
    assert str(path) in text
    assert any(word in text for word in ("--force", "name a", "name another"))


def files(folder: Path) -> list[str]:
    """List what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def seal(path: Path) -> None:
    """Make the checksum of a table's bytes right again."""
    content = path.read_bytes()[form.SEAL :]
    path.write_bytes(form.seal(content) + content)


def rewrite(path: Path, change: Change) -> None:
    """Change a table and make its digest and its checksum right again, so that nothing else is wrong with it."""
    with h5py.File(path, "r+") as file:
        change(file)
        said = {name: value.item() if isinstance(value, np.generic) else value for name, value in file.attrs.items()}
        attributes = {name: value for name, value in said.items() if name not in ("digest", "package_version")}
        axes = {name: file[name][()] for name in file if file[name].is_scale}
        arrays = {name: (tuple(dim.label for dim in file[name].dims), file[name][()]) for name in file if name not in axes}
        file.attrs["digest"] = form.digest_of(attributes, axes, arrays)
    seal(path)


def set_attribute(name: str, value: Any) -> Change:
    """Return what gives an attribute of a table another value."""

    def change(file: Any) -> None:
        file.attrs[name] = value

    return change


def drop_attribute(name: str) -> Change:
    """Return what takes an attribute off a table."""

    def change(file: Any) -> None:
        del file.attrs[name]

    return change


def python(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a script in another process."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str]) -> None:
    """Wait for a process, which must end well."""
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
