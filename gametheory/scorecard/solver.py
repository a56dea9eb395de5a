"""Scorecards as solvers see them: places are cards with dice kept, rows are those of the cards.

    card[column] = mean over first rolls of best keep of ... of mean over last rolls of max over boxes of
                   card after[column + gain of the box]

What is solved and kept is the rows of cards before a turn, ragged, level by level (`rows`, `kernel`). What is worth what
within a turn follows from the cards with one box more filled, and is made when it is asked for.

Places: 0 is the end; then level by level of cards, the fullest first, within a level by throws still to come in the turn
and, for those that are not its first, by the dice kept. Columns count gain: points above those that a card has for certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..answers import Array, Plain
from ..levels import Columns, Estimate, Places, Rows
from ..shelf import OnShelf, Shelf
from ..space import Space
from .cards import Cards, Ints
from .notation import Position
from .rows import CardRows
from .rules import ScorecardGame, Standing
from .turns import MOST_TURNS, Outcomes, Totals, Turns

if TYPE_CHECKING:
    from concurrent.futures import Executor

SETTLED = 1e-15
"""What a chance may be short of 0 or 1 and count as settled."""
SMALL = 400_000_000
"""Bytes: up to so many the rows of all places, turns included, are laid out for every question."""
SECONDS = 2.5e-7
"""About what one column of a card takes on one core."""
MEMORY = 12e9
"""Bytes of rows that a solve may take."""
FOLLOWED = {"distribution", "compare", "best_answer", "diff", "simulate", "players", "hidden", "order"}
"""Questions that go through all places."""
MOST_CARDS = 2e8
"""More cards than can be counted."""


class Solved(Rows):
    """Rows being filled, level by level of cards."""

    def __init__(self, space: Scorecards, cards: CardRows, settled: float, most: Ints) -> None:
        self.space, self.cards, self.settled, self.most = space, cards, settled, most
        self.error_bound = settled * len(space.game.boxes)
        self.work = 0

    @cached_property
    def values(self) -> Any:  # type: ignore[override]
        return self.space.laid_out(self.cards, self.most)


class Points(Rows):
    """The expected points still to come, by card."""

    def __init__(self, space: Scorecards, by_card: Array) -> None:
        self.space, self.by_card, self.error_bound, self.work = space, by_card, 0.0, 0

    @cached_property
    def values(self) -> Any:  # type: ignore[override]
        return self.space.unpack_expected(self.space.keep_expected(self)[1])[:, None]


class Scorecards(Space):
    """A game of scorecards."""

    level_noun = "throws and boxes to come"

    def __init__(self, game: ScorecardGame) -> None:
        self.game: ScorecardGame = game
        self.cards = Cards(game)
        self.shelf: Shelf | None = None
        self.finished = np.zeros(1, np.int64)
        self.throws = game.rolls_a_turn
        self.keeps = len(self.cards.dice)

    # Places.

    @cached_property
    def _begins(self) -> list[int]:
        """Where the places of each part of a level begin: by level of cards and throws to come, from one on."""
        begins = [1]
        for level in self.cards.levels:
            begins += [begins[-1] + len(level) * self.keeps * throw for throw in range(1, self.throws)]
            begins.append(begins[-1] + len(level))
        return begins

    @cached_property
    def levels(self) -> list[range]:  # type: ignore[override]
        return [range(*pair) for pair in pairwise(self._begins)]

    @cached_property
    def places(self) -> int:
        return self._begins[-1]

    @cached_property
    def start(self) -> int:  # type: ignore[override]
        return self.places - 1

    def split(self, place: int) -> tuple[int, int, int]:
        """Return the card of a place, the throws to come in the turn, and the number of the keep."""
        if place == 0:
            return 0, self.throws, 0
        part = int(np.searchsorted(self._begins, place, "right")) - 1
        level, throws = self.cards.levels[part // self.throws], part % self.throws + 1
        inside = int(place) - self._begins[part]
        if throws == self.throws:
            return level.start + inside, throws, 0
        return level.start + inside // self.keeps, throws, inside % self.keeps

    def join(self, card: int, throws: int, keep: int) -> int:
        """Return the place of a card in a turn."""
        if card == 0:
            return 0
        level = len(self.game.boxes) - int(self.cards.filled[card]).bit_count() - 1
        begin, inside = self._begins[level * self.throws + throws - 1], card - self.cards.levels[level].start
        return begin + (inside if throws == self.throws else inside * self.keeps + keep)

    def at(self, state: Any) -> tuple[int, int]:
        known = Standing(*state)
        card = self.cards.place(known.card)
        keep = self.cards.dice.number[tuple(known.kept)]
        return self.join(card, known.throws, keep), known.banked - int(self.cards.base[card])

    def state(self, place: int, gain: int) -> Standing:
        card, throws, keep = self.split(place)
        return Standing(self.cards.card(card), self.cards.dice.faces[keep], throws, int(self.cards.base[card]) + int(gain))

    def position(self, place: int, gain: int, target: Any) -> Position:
        return Position(*self.state(place, gain), target)

    def told(self, position: Any) -> Standing:
        return Standing(*position[:4])

    def left(self, place: int) -> Any:
        card, throws, keep = self.split(place)
        return self.cards.card(card), self.cards.dice.faces[keep], throws

    def place_of(self, left: Any) -> int:
        try:
            card, kept, throws = left
            return self.join(self.cards.place(card), throws, self.cards.dice.number[tuple(kept)])
        except (KeyError, ValueError, TypeError):
            return -1

    def base(self, place: int) -> int:
        return int(self.cards.base[self.split(place)[0]])

    def banked_scores(self, place: int) -> Sequence[int]:
        base = self.base(place)
        return sorted(base + gain for gain in self._banked[place])

    # Columns.

    @cached_property
    def outcomes(self) -> Any:  # type: ignore[override]
        return np.arange(int(self.cards.base[0]), self.cards.most + 1)

    @cached_property
    def final(self) -> Places:  # type: ignore[override]
        return np.arange(len(self.outcomes))

    @cached_property
    def solo(self) -> Columns:  # type: ignore[override]
        return Columns("banked", range(len(self.outcomes)))

    @cached_property
    def chase(self) -> Columns:  # type: ignore[override]
        most = len(self.outcomes) - 1
        return Columns("needed", range(-most, most + 1))

    @cached_property
    def attained(self) -> list[int]:
        """The outcomes that can be made; of a large game all from the worst to the best."""
        if not self.small:
            return list(range(len(self.outcomes)))
        return sorted(self._banked[0])

    @cached_property
    def most_gains(self) -> Places:
        return self._by_place(self.cards.most_points + self.cards.base - int(self.cards.base[0]))

    def _by_place(self, by_card: Ints) -> Ints:
        """Return what holds for cards by place."""
        parts = [by_card[:1]]
        for level in self.cards.levels:
            here = by_card[level.start : level.stop]
            parts += [np.repeat(here, self.keeps)] * (self.throws - 1)
            parts.append(here)
        return np.concatenate(parts)

    # How large it is.

    @cached_property
    def small(self) -> bool:
        """Whether rows are laid out for all places."""
        if self.places * 24 > SMALL:
            return False
        return self.places * (len(self.solo) + 2 * len(self.chase)) * 8 <= SMALL

    def estimate(self) -> Estimate:
        width = float((self.cards.most_points[1:] + 1).sum())
        work = width * len(self.cards.dice) * 2.0
        return Estimate(work, 1.7 * width * SECONDS / 2, 1.5 * 8.0 * width)

    @property
    def lays_out(self) -> bool:  # type: ignore[override]
        return self.small

    def check_question(self, question: str) -> None:
        if question in FOLLOWED and not self.small:
            raise ValueError(
                f"{self.game.name} has {self.places / 1e6:,.0f} million places, turns counted, and this question follows "
                "play through all of them: ask solve, second, moves, fair or an aim, or a card of fewer boxes"
            )

    def points_values(self, expected: Any) -> Any:
        return super().points_values(expected) if self.small else Totals(self, expected.table)

    @cached_property
    def order(self) -> list[int]:
        self.check_question("order")
        return [place for level in self.levels for place in level]

    def kept_on(self, shelf: Shelf | None) -> Space:
        if self.small or shelf is None:
            return self
        found = copy(self)
        found.shelf = shelf
        return found

    def check_size(self, force: bool = False) -> None:
        game = self.game
        cards = 2.0 ** len(game.boxes) * (len(self.cards.fills.box) if game.upper_bonus else 1)
        if cards > MOST_CARDS and not force:
            raise ValueError(
                f"{game.name} has some {cards:.1g} cards, and rows of points for each: about {cards * 8e3 / 1e9:.2g} GB; "
                "take fewer boxes"
            )
        if not force and self.estimate().memory > MEMORY:
            needs = self.estimate()
            raise ValueError(
                f"solving {game.name} would take about {needs.memory / 1e9:.2g} GB and {needs.seconds / 60:.0f} minutes: "
                "take fewer boxes or less of a bonus, or say --force (force=True) to start all the same"
            )

    # Solving.

    @cached_property
    def solver(self) -> Any:
        from .solving import Solver

        return Solver(self.cards)

    def expected(self, workers: Executor | None) -> Points:
        return Points(self, self.solver.points(workers))

    @cached_property
    def _reached(self) -> Ints:
        """By card: the most gain that can be banked there."""
        found: Ints = self.solver.reached()
        return found

    def begin(self, ends: Array) -> Rows:
        row = ends[0]
        chased = len(row) == len(self.chase) and len(row) != len(self.solo)
        most = np.full(len(self.cards), len(row)) if chased else self._reached + 1
        chance = bool(np.all((row >= 0.0) & (row <= 1.0)))
        return Solved(self, self.solver.begin(row, self.shelf), SETTLED if chance else 0.0, most)

    def done(self, level: int) -> float:
        widths = self._level_work
        return float(widths[: level // self.throws + (level % self.throws == self.throws - 1)].sum() / widths.sum())

    @cached_property
    def _level_work(self) -> Array:
        most = self.cards.most_points + 20.0
        return np.array([most[level.start : level.stop].sum() for level in self.cards.levels])

    def backup(self, level: int, rows: Rows, workers: Executor | None) -> None:
        assert isinstance(rows, Solved)
        if level % self.throws == self.throws - 1:  # the others are inside turns
            self.solver.level(level // self.throws, rows.cards, rows.most, rows.settled, workers)

    # Rows of all places.

    def laid_out(self, rows: CardRows, most: Ints) -> Any:
        """Return rows by place and column: laid out, or of a large game as they are read."""
        if not self.small:
            return Turns(self, rows)
        found = np.full((self.places, rows.width), np.nan)
        found[0] = rows.row(0, 0, rows.width)
        for card in range(1, len(self.cards)):
            width = min(rows.width, int(most[card]))
            stages = self.turn(card, partial(_row, rows, width))
            for throws, worth in enumerate(stages[:-1], 1):
                place = self.join(card, throws, 0)
                found[place : place + self.keeps, :width] = worth
            found[self.join(card, self.throws, 0), :width] = rows.row(card, 0, width)
        return found

    def turn(self, card: int, after: Callable[[int, int], Array]) -> list[Array]:
        """Return what every keep is worth, [keep, column], by throws to come, from one on.

        `after(card, gain)` is the row of a card from a gain on.
        """
        cards, dice = self.cards, self.cards.dice
        chosen, begins = cards.options(card)
        fills, number = np.unique(chosen, return_inverse=True)
        places, points = cards.follow(card, fills)
        gains = int(cards.base[card]) + points - cards.base[places]
        worth = np.array([after(int(place), int(gain)) for place, gain in zip(places, gains, strict=True)])
        rolls = np.maximum.reduceat(worth[number], begins[:-1], axis=0)
        stages = [dice.averaged(rolls)]
        for _ in range(self.throws - 1):
            stages.append(dice.averaged(dice.best(stages[-1])))
        return stages

    def against(self, rows: Any, target: Any) -> Any:
        if isinstance(rows, Turns):
            wanted = target - int(self.outcomes[0])
            most = len(self.outcomes) - 1
            if not 0 <= wanted <= most:
                return None
            return Turns(self, rows.rows, most - wanted, most + 1)
        return super().against(rows, target)

    # Keeping.

    @property
    def axes(self) -> Plain:
        most = len(self.outcomes) - 1
        columns = {"gain": np.arange(most + 1), "lead": np.arange(-most, most + 1)}
        return {**self.left_axes, "card": np.arange(len(self.cards)), **columns}

    def expected_score(self, table: Any, state: Any) -> float:
        card, throws, keep = self.split(self.at(state)[0])
        return float(Standing(*state).banked + self.to_come(self.by_card(table), card, throws)[keep])

    def to_come(self, table: Any, card: int, throws: int) -> Array:
        """Return the expected points still to come by keep, those of the turn counted; `table` is by card."""
        if throws == self.throws or card == 0:
            return np.asarray(table[card : card + 1])
        known = self._points_turns
        if known.get("table") is not table:
            known.clear()
            known["table"] = table
        if card not in known:
            if len(known) > MOST_TURNS:
                known.clear()
                known["table"] = table
            base = self.cards.base
            known[card] = [
                worth[:, 0]
                for worth in self.turn(card, lambda after, gain: np.array([table[after] + gain + base[after] - base[card]]))
            ]
        found: Array = known[card][throws - 1]
        return found

    @cached_property
    def _points_turns(self) -> dict[Any, Any]:
        return {}

    def keep(self, expected: Rows, first: Rows, second: Rows) -> dict[str, tuple[tuple[str, ...], Any]]:
        assert isinstance(first, Solved)
        assert isinstance(second, Solved)
        arrays: dict[str, tuple[tuple[str, ...], Any]] = {"expected": self.keep_expected(expected)}
        for name, axis, solved in (("first", "gain", first), ("second", "lead", second)):
            rows: Any = solved.cards
            if self.small:
                rows = np.array([rows.row(card, 0, rows.width) for card in range(len(self.cards))])
                rows[np.arange(rows.shape[1]) >= solved.most[:, None]] = np.nan
            arrays[name] = (("card", axis), rows)
        return arrays

    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        raise AssertionError("rows of cards are kept as they were solved, see `keep`")

    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Any, Any, Any]:
        shelved = [rows for _, rows in arrays.values() if isinstance(rows, OnShelf)]
        if shelved:  # what is on a shelf is large, and says how many columns it has
            self.small = False
            self.cards.most = int(self.cards.base[0]) + self._columns(arrays["first"][1]) - 1
        expected = self.unpack_expected(arrays["expected"][1])
        found = []
        for name, columns, ends in (("first", self.solo, (np.nan, np.nan)), ("second", self.chase, (0.0, 1.0))):
            rows = arrays[name][1]
            if isinstance(rows, OnShelf):
                held = CardRows(self.cards, len(columns))
                held.key, held.shelf = rows.key, rows.shelf
                held.take_end()
                rows = held
            if isinstance(rows, CardRows):
                found.append(Turns(self, rows))
                continue
            shape = len(self.cards), len(columns)
            if rows.shape != shape:
                raise ValueError(f"an array has shape {rows.shape} where the rules ask for {shape}")
            known = CardRows.dense(self.cards, np.asarray(rows, float), *ends)
            found.append(self.laid_out(known, np.sum(~np.isnan(rows), axis=1)))
        return expected, found[0], found[1]

    def _columns(self, rows: OnShelf) -> int:
        """Return how many columns the rows of the first player have: as many as the end is worth something in."""
        return len(rows.shelf.read(rows.key, 0, 0)) // 8

    def keep_expected(self, expected: Rows) -> tuple[tuple[str, ...], Any]:
        assert isinstance(expected, Points)
        cards = self.cards
        table = np.full(cards.index.shape, np.nan)
        table[cards.filled, cards.fifty, cards.upper] = expected.by_card
        return tuple(self.left_axes), table

    def by_card(self, table: Array) -> Array:
        """Return the expected points still to come by card, out of the stored table; refuse one of another shape."""
        if self._held is None or self._held[0] is not table:
            cards = self.cards
            if table.shape != cards.index.shape:
                raise ValueError(f"an array has shape {table.shape} where the rules ask for {cards.index.shape}")
            self._held = table, np.asarray(table, float)[cards.filled, cards.fifty, cards.upper]
        return self._held[1]

    _held: tuple[Array, Array] | None = None

    def unpack_expected(self, table: Any) -> Any:
        """Return the expected outcome by place beyond what is banked: laid out, or of a large game as it is read."""
        known = self.by_card(table)
        if not self.small:
            return Outcomes(self, known)
        found = np.empty(self.places)
        for card in range(len(self.cards)):
            here = float(self.cards.base[card] - self.cards.base[0])
            for throws in range(1 if card else self.throws, self.throws + 1):
                worth = self.to_come(known, card, throws) + here
                place = self.join(card, throws, 0)
                found[place : place + len(worth)] = worth
        return found

    def sample(self, seed: int) -> Iterator[tuple[int, int]]:
        if self.small:
            yield from super().sample(seed)
            return
        yield self.start, 0
        draw = np.random.default_rng(seed)
        for level in self.levels:
            yield int(draw.integers(level.start, level.stop)), 0

    @property
    def left_axes(self) -> Plain:
        shape = self.cards.index.shape
        return {name: np.arange(size) for name, size in zip(("filled", "fifty", "upper"), shape, strict=True)}

    def check_rows(self, expected: Any, first: Any, second: Any) -> float:
        """Return infinity where play can reach what is no number."""
        if not self.small:
            return 0.0
        sound = np.isfinite(expected).all() and np.isfinite(second).all()
        sound = sound and all(np.isfinite(first[place, self.gains_at(place)]).all() for place in range(self.places))
        return 0.0 if sound else float("inf")


def _row(rows: CardRows, width: int, card: int, begin: int) -> Array:
    return rows.row(card, begin, width)
