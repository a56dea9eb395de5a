"""Cards solved level by level, their rows or their expected points: what calls the kernel."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers import Array
from ..shelf import Shelf
from . import kernel
from .cards import Cards, Ints
from .rows import CardRows
from .rules import JOKERS

if TYPE_CHECKING:
    from concurrent.futures import Executor

COMPILED: Any = kernel
"""The kernel, whose functions have no types."""
FORM = 1
"""The form of rows on a shelf."""
SHARE = 128
"""How many cards a thread takes at a time."""


class Solver:
    """The rules and the dice of a game as the kernel takes them, and what it makes of them."""

    def __init__(self, cards: Cards) -> None:
        self.cards, game, dice, known = cards, cards.game, cards.dice, cards.fills
        numbers = [len(game.boxes), cards.at, cards.bonus, JOKERS.index(game.joker), game.upper_boxes, game.yahtzee]
        self.states: Any = (cards.filled, cards.fifty, cards.upper)
        self.rules: Any = (np.stack(known[:4]), known.number, cards.alike, cards.index, np.array(numbers, np.int64))
        self.dice: Any = (dice.first_roll, dice.more.ravel(), *dice.less, dice.weights, game.rolls_a_turn)

    def points(self, workers: Executor | None) -> Array:
        """Return the expected points still to come, by card: they add up, so that one column is enough."""
        found = np.full(len(self.cards), np.nan)
        found[0] = 0.0

        def solve(begin: int, end: int) -> None:
            COMPILED.points(begin, end, self.cards.groups, *self.states, *self.rules, *self.dice, found)

        for level in self.cards.level_groups:
            share(workers, level, 16, solve)
        return found

    def reached(self) -> Ints:
        """Return the most gain that can be banked, by card."""
        most = np.zeros(len(self.cards), np.int64)
        for level in reversed(self.cards.levels):
            COMPILED.reaches(level.start, level.stop, *self.states, self.cards.base, *self.rules, most)
        return most

    def begin(self, row: Array, shelf: Shelf | None) -> CardRows:
        """Return rows in which only the end is filled in."""
        rows = CardRows(self.cards, len(row))
        rows.key, rows.shelf = self._key(row), shelf
        rows.end(row, kernel.WIDTH)
        if shelf is not None and not shelf.has(rows.key, 0):
            rows.put_level(shelf, 0, None)
        return rows

    def _key(self, row: Array) -> str:
        """Return what names the rows of a payoff: a hash of the rules and of it."""
        said = repr((FORM, *dataclasses.astuple(self.cards.game)[1:-1]))
        return hashlib.sha256(said.encode() + np.ascontiguousarray(row, "<f8").tobytes()).hexdigest()[:16]

    def level(self, number: int, rows: CardRows, reach: Ints, settled: float, workers: Executor | None) -> None:
        """Fill in the rows of the cards of one level from those of the level below, in columns up to `reach`."""
        if rows.shelf is not None and rows.shelf.has(rows.key, number + 1):
            rows.take_level(number + 1, kernel.WIDTH)
            return
        cards, level = self.cards, self.cards.levels[number]
        here = slice(level.start, level.stop)
        least, most, out_at = (np.zeros(len(cards), np.int64) for _ in range(3))

        def span(begin: int, end: int) -> None:
            COMPILED.spans(begin, end, *self.states, cards.base, *self.rules, rows.first, rows.stop, least, most)

        share(workers, level, 4 * SHARE, span)
        least[here] = np.maximum(least[here], 0)
        most[here] = np.maximum(np.minimum(most[here], reach[here]), least[here])
        widths = most[here] - least[here]
        out_at[here] = np.cumsum(widths) - widths
        out = np.empty(int(widths.sum()))

        def solve(begin: int, end: int) -> None:
            COMPILED.backup(
                begin, end, *self.states, cards.base, *self.rules, *self.dice, rows.levels[number], rows.at, rows.first,
                rows.stop, least, most, out, out_at, rows.low, rows.high, settled,
            )  # fmt: skip

        share(workers, level, SHARE, solve)
        widths = rows.stop[here] - rows.first[here] + 2 * kernel.WIDTH
        rows.at[here] = np.cumsum(widths) - widths + kernel.WIDTH
        found = np.empty(int(widths.sum()))

        def copy(begin: int, end: int) -> None:
            COMPILED.compact(begin, end, out, out_at, least, rows.first, rows.stop, found, rows.at, rows.low, rows.high)

        share(workers, level, 4 * SHARE, copy)
        rows.levels[number + 1] = found
        if rows.shelf is not None:
            rows.put_level(rows.shelf, number + 1, workers)
            if number > 0:
                rows.levels[number] = None  # it can be read off the shelf


def share(workers: Executor | None, everything: range, size: int, work: Callable[[int, int], None]) -> None:
    """Do something for all numbers of a range, so many at a time."""
    parts = [(begin, min(begin + size, everything.stop)) for begin in range(everything.start, everything.stop, size)]
    for _ in (map if workers is None or len(parts) == 1 else workers.map)(lambda part: work(*part), parts):
        pass
