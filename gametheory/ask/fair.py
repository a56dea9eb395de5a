"""The head start that makes a game even."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import progress
from ..answers import Fair
from .solve import find


def fair(
    game: Any, *, tie: str | float = "split", match: str = "sequential", around: int | None = None,
    tables: str | Path | None = None,
) -> Fair:  # fmt: skip
    """Find the whole number of points that brings a game closest to even.

    They are added to the first player's final score; in a race the second player starts with them.
    """
    solution = find(game, "fair", tie, match=match, tables=tables)
    with progress.bar("solving with head starts") as advance:
        return solution.fair(around=around, progress=advance)
