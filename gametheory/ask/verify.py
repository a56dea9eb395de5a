"""Stored tables recomputed through the plain rules, without the solver's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import progress
from ..answers import Checked
from ..store import tables as store

SOUND = 1e-9
"""The largest difference that a sound table may show."""


def verify(
    files: Sequence[str | Path] = (), *, tables: str | Path | None = None, seed: int = 0
) -> dict[Path, Checked]:
    """Recompute a sample of every table through the plain rules; all tables there are if no file is named."""
    paths = [Path(file) for file in files] or store.every(tables)
    if not paths:
        raise ValueError("there are no tables to verify: solve a game first, or name a file")
    found: dict[Path, Checked] = {}
    for path in paths:
        with progress.bar(f"verifying {path.name}") as advance:
            found[path] = store.load(path).verify(seed, advance)
    return found
