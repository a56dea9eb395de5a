"""Games solved once for all tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from gametheory import games
from gametheory.match.kinds import kind_of
from gametheory.match.solution import Request, Solution


@cache
def _solve(game: Any, request: Request) -> Solution:
    return kind_of(game, request).solve(game, request)


def solved(
    game: Any, tie: str | float = "split", match: str = "sequential", players: int | None = None,
    tolerance: float | None = None,
) -> Any:  # fmt: skip
    """Return a solved game, by the game or its name."""
    found = games.game(game) if isinstance(game, str) else game
    return _solve(found, Request(match, tie, players, tolerance=tolerance))
