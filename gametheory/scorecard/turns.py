"""Rows of all places of a large game, turns included: nothing is laid out, what is asked for is worked out of the cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..answers import Array
from .rows import CardRows

MOST_TURNS = 256
"""How many turns are remembered."""


class Outcomes:
    """Expected outcomes by place of a large game, worked out for the place that is asked for."""

    def __init__(self, space: Any, table: Array) -> None:
        self.space, self.table = space, table

    def __getitem__(self, place: Any) -> Any:
        card, throws, keep = self.space.split(int(place))
        cards = self.space.cards
        return self.space.to_come(self.table, card, throws)[keep] + float(cards.base[card] - cards.base[0])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        """Return them by card, before a turn."""
        cards = self.space.cards
        return np.asarray(self.table + (cards.base - cards.base[0]), dtype)


class Totals(Outcomes):
    """Expected final scores by place and column of a large game."""

    def __getitem__(self, where: Any) -> Any:
        place, column = where
        return super().__getitem__(place) + column + float(self.space.cards.base[0])


class Turns:
    """Rows by place and column of a large game, worked out for what is asked for; columns are moved by `shift`."""

    def __init__(self, space: Any, rows: CardRows, shift: int = 0, width: int | None = None) -> None:
        self.space, self.rows, self.shift = space, rows, shift
        self.width = rows.width if width is None else width
        self.known: dict[tuple[int, int, int], list[Array]] = {}

    @property
    def shape(self) -> tuple[int, int]:
        return self.space.places, self.width

    def __getitem__(self, where: Any) -> Any:
        if isinstance(where, tuple):
            place, column = where
            return self.part(int(place), int(column), 1)[0]
        if isinstance(where, np.ndarray):
            return np.array([self[int(place)] for place in where])
        return self.part(int(where), 0, self.width)

    def part(self, place: int, begin: int, width: int) -> Array:
        """Return columns of a place."""
        card, throws, keep = self.space.split(place)
        if throws == self.space.throws or card == 0:
            return self.rows.row(card, begin + self.shift, width)
        key = (card, begin, width)
        if key not in self.known:
            if len(self.known) >= MOST_TURNS:
                self.known.clear()
            self.known[key] = self.space.turn(
                card, lambda after, gain: self.rows.row(after, begin + self.shift + gain, width)
            )
        found: Array = self.known[key][throws - 1][keep]
        return found
