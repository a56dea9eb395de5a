"""Ragged rows of cards: what a card is worth by column, as far as that is not settled.

    levels[l]     the rows of all cards with l boxes left to fill, one after the other, with what is around them (`kernel`)
    first, stop   by card: the columns between which its row stands; before them it is worth `low`, behind them `high`
    at            by card: where its row begins in the array of its level

Levels may stand on a shelf in place of memory: a part for each group of cards, its columns first, then its entries.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from ..answers import Array
from ..shelf import Shelf, Shelved, pack
from .cards import Cards

MOST_PARTS = 64
"""How many groups of cards are kept in memory when they are read off a shelf."""


class CardRows(Shelved):
    """The rows of all cards, by column."""

    def __init__(self, cards: Cards, width: int, low: float = 0.0, high: float = 1.0) -> None:
        self.cards, self.width, self.low, self.high = cards, width, low, high
        size = len(cards)
        self.first, self.stop, self.at = (np.zeros(size, np.int64) for _ in range(3))
        self.levels: list[Any] = [None] * (len(cards.levels) + 1)
        self.shelf: Shelf | None = None
        self.parts: dict[int, tuple[Any, Any, Array]] = {}

    def end(self, row: Array, margin: int = 0) -> None:
        """Set what the end is worth, and so what rows are worth outside their columns."""
        self.low, self.high = float(row[0]), float(row[-1])
        apart, short = np.flatnonzero(row != self.low), np.flatnonzero(row != self.high)
        first = int(apart[0]) if len(apart) else 0
        stop = max(first, int(short[-1]) + 1 if len(short) else 0)
        self.first[0], self.stop[0], self.at[0] = first, stop, margin
        around = np.full(margin, self.low), np.full(margin, self.high)
        self.levels[0] = np.concatenate([around[0], row[first:stop], around[1]])

    def row(self, card: int, begin: int, width: int) -> Array:
        """Return a part of the row of a card; outside its columns it is settled."""
        first, entries = self.read(card)
        columns = np.arange(begin - first, begin - first + width)
        found = np.where(columns < 0, self.low, self.high)
        inside = (columns >= 0) & (columns < len(entries))
        found[inside] = entries[columns[inside]]
        return found

    def read(self, card: int) -> tuple[int, Array]:
        """Return the columns of a card that are not settled: which is the first, and what they are worth."""
        level = self.level_of(card)
        if self.levels[level] is not None:
            at, first = int(self.at[card]), int(self.first[card])
            return first, self.levels[level][at : at + int(self.stop[card]) - first]
        group = int(np.searchsorted(self.cards.groups, card, "right")) - 1
        if group not in self.parts:
            if len(self.parts) >= MOST_PARTS:
                self.parts.clear()
            self.parts[group] = self._unpack(level, group)
        firsts, ends, entries = self.parts[group]
        inside = card - int(self.cards.groups[group])
        end = int(ends[inside])
        return int(firsts[inside]), entries[int(ends[inside - 1]) if inside else 0 : end]

    def level_of(self, card: int) -> int:
        """Return how many boxes are left to fill."""
        return len(self.cards.game.boxes) - int(self.cards.filled[card]).bit_count()

    @property
    def entries(self) -> int:
        """How many columns there are, of the cards in memory."""
        return int((self.stop - self.first).sum())

    # On a shelf.

    def put(self, shelf: Shelf) -> None:
        for level in range(len(self.levels)):
            if not shelf.has(self.key, level):
                self.put_level(shelf, level, None)

    def put_level(self, shelf: Shelf, level: int, workers: Executor | None) -> None:
        """Write a level to a shelf; level 0 is what the end is worth."""
        if level == 0:
            shelf.write(self.key, level, [pack(self.row(0, 0, self.width).astype("<f8").tobytes())])
        else:
            groups = self.cards.level_groups[level - 1]
            shelf.write(self.key, level, (map if workers is None else workers.map)(self._pack, groups))

    def take_end(self) -> None:
        """Read what the end is worth off the shelf."""
        assert self.shelf is not None
        row = np.frombuffer(self.shelf.read(self.key, 0, 0), "<f8")
        if row.shape != (self.width,):
            raise ValueError(f"the rows of {self.key}-00 do not fit the columns of {self.cards.game.name}")
        self.end(_chances(row, self.key))

    def take_level(self, level: int, margin: int) -> None:
        """Read a whole level from the shelf, as the kernel reads it: with so much around each row."""
        here = self.cards.levels[level - 1]
        parts = [self._unpack(level, group) for group in self.cards.level_groups[level - 1]]
        widths = np.concatenate([np.diff(ends, prepend=0) for _, ends, _ in parts])
        some = slice(here.start, here.stop)
        self.first[some] = np.concatenate([firsts for firsts, _, _ in parts])
        self.stop[some] = self.first[some] + widths
        self.at[some] = np.cumsum(widths + 2 * margin) - widths - margin
        found = np.empty(int((widths + 2 * margin).sum()))
        entries, begin = np.concatenate([found for _, _, found in parts]), 0
        for card in range(here.start, here.stop):
            width, at = int(self.stop[card] - self.first[card]), int(self.at[card])
            found[at - margin : at] = self.low
            found[at : at + width] = entries[begin : begin + width]
            found[at + width : at + width + margin] = self.high
            begin += width
        self.levels[level] = found

    def _pack(self, group: int) -> tuple[bytes, int]:
        """Return the part of a group: how many cards, the first column of each, how many, and the entries, byte by byte."""
        rows = [self.read(card) for card in range(int(self.cards.groups[group]), int(self.cards.groups[group + 1]))]
        counts = [len(rows), *(first for first, _ in rows), *(len(entries) for _, entries in rows)]
        entries = np.concatenate([entries for _, entries in rows]).astype("<f8")
        return pack(np.array(counts, "<i4").tobytes() + entries.view(np.uint8).reshape(-1, 8).T.tobytes())

    def _unpack(self, level: int, group: int) -> tuple[Any, Any, Array]:
        """Return the first columns of the cards of a group, where their entries end, and the entries."""
        assert self.shelf is not None
        content = self.shelf.read(self.key, level, group - self.cards.level_groups[level - 1].start)
        size = int(self.cards.groups[group + 1] - self.cards.groups[group])
        counts = np.frombuffer(content, "<i4", 1 + 2 * size).astype(np.int64)
        firsts, ends = counts[1 : 1 + size], np.cumsum(counts[1 + size :])
        raw = np.frombuffer(content, np.uint8, offset=4 * (1 + 2 * size))
        if counts[0] != size or (np.diff(ends, prepend=0) < 0).any() or len(raw) != 8 * ends[-1]:
            raise ValueError(f"the rows of {self.key}-{level:02d} do not fit the cards of {self.cards.game.name}")
        entries = np.ascontiguousarray(raw.reshape(8, -1).T).view("<f8").ravel()
        return firsts, ends, _chances(entries, self.key)

    @classmethod
    def dense(cls, cards: Cards, table: Array, low: float, high: float) -> CardRows:
        """Make rows of a table [card, column]."""
        found = cls(cards, table.shape[1], low, high)
        found.stop[:] = table.shape[1]
        found.at[:] = np.arange(len(cards)) * table.shape[1]
        found.levels = [table.ravel()] * len(found.levels)
        return found


def _chances(found: Array, key: str) -> Array:
    """Return chances out of a file; refuse numbers that are none."""
    if not np.all((found >= -1e-12) & (found <= 1 + 1e-12)):
        raise ValueError(f"the rows of {key} hold chances that are not from 0 to 1")
    return found
