"""What a policy of a game of one's own is told."""

from __future__ import annotations

from typing import Any, NamedTuple


class SumPosition(NamedTuple):
    """Where a decision is made in a game whose points add up: the state, points banked, and the score to beat."""

    state: Any
    banked: int
    target: Any = None


class Position(NamedTuple):
    """Where a decision is made: the state, and the score to beat (None for the first player)."""

    state: Any
    target: Any = None
