"""How games of one's own read positions, and what their policies are told."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..scoring import PlainNotation


class OwnNotation(PlainNotation):
    """The notation of a walked game: a state that no play comes to is refused."""

    def check_state(self, state: Any) -> None:
        try:
            self.game.space.at(state)
        except (KeyError, TypeError):  # a state that cannot be looked up is none of the game
            raise ValueError(
                f"the state {self.where(state)} cannot be reached in {self.game.name}: give one that play comes to"
            ) from None


class SumPosition(NamedTuple):
    """Where a decision is made in a game whose points add up: the state, points banked, and the score to beat."""

    state: Any
    banked: int
    target: Any = None


class Position(NamedTuple):
    """Where a decision is made: the state, and the score to beat (None for the first player)."""

    state: Any
    target: Any = None
