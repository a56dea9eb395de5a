"""A game of one's own, of plain tuples and lists."""

from __future__ import annotations

from typing import Any


class Countdown:
    """Throw a coin, and take what it shows, until nothing is left."""

    name = "countdown"
    start = (3, 0)

    def rolls(self, state: Any) -> Any:
        return [("heads", 1), ("tails", 2)] if state[0] else []

    def moves(self, state: Any, roll: Any) -> Any:
        left, points = state
        gained = int(roll == "heads")
        return [("stay", (left - 1, points), 0), ("take", (left - 1, points + gained), gained)]

    def score(self, state: Any) -> Any:
        return state[1]
