"""The head start that makes a game even."""

from __future__ import annotations

from pathlib import Path

from .. import progress
from ..answers import Fair
from .solve import find


def fair(
    game: object, *, tie: str | float = "split", match: str = "sequential", players: int | None = None,
    around: int | None = None, tables: str | Path | None = None,
) -> Fair:  # fmt: skip
    """Find the whole number of points that brings a game closest to even, and the odds that make it so without points.

    They are added to the first player's final score; in a race the others start with them.

    >>> fair("2d6").bonus, round(fair("2d6").odds, 6)
    (0, 1.063192)
    """
    solution = find(game, "fair", tie, match=match, players=players, tables=tables)
    with progress.bar("solving with head starts") as advance:
        return solution.fair(around=around, progress=advance)
