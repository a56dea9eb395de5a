"""A pool by its places: pools, in counting order; columns count gain. How states, points and tables belong to them.

What is done at a place, the kernel says (`solver.Pool`), or the plain rules for payoffs that are not monotone (`every`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import inf, prod
from typing import Any

import numpy as np

from .. import dice
from ..answers import Array, Plain
from ..dice import Roll, Stream
from ..levels import Columns, Estimate
from ..space import Space
from . import layout
from .notation import Position, check_keep
from .rules import PoolGame, State
from .states import check_size, error_bound, estimate, gain_payoff, layers, states


class RollNumbers(Sequence[Any]):
    """The numbers of the rolls of each kind, the smaller kind first, in the order in which the kernel walks all rolls."""

    def __init__(self, kinds: tuple[int, ...], counts: tuple[int, ...]) -> None:
        self.kinds, self.counts = kinds, counts
        self.by_kind = sorted(range(len(kinds)), key=lambda place: kinds[place])

    def __len__(self) -> int:
        return prod(self.counts)

    def __getitem__(self, place: Any) -> Any:
        shown = np.unravel_index(place, self.counts)
        return tuple(int(shown[k]) for k in self.by_kind)

    def __iter__(self) -> Iterator[Any]:
        for shown in product(*map(range, self.counts)):
            yield tuple(shown[k] for k in self.by_kind)


class Pools(Space):
    """The places of a pool game."""

    level_noun = "dice left"

    def __init__(self, game: PoolGame) -> None:
        self.game: PoolGame = game
        self.most = game.gain(game.counts)
        self.finished = np.zeros(1, np.int64)
        self.start = game.place(game.counts, game.roll_limit)
        self.solo = Columns("banked", range(self.most + 1))
        self.chase = Columns("needed", range(-self.most, self.most + 1))

    # Made when they are asked for: a game may be far too large for them, which `check_size` says first.

    @cached_property
    def outcomes(self) -> Any:  # type: ignore[override]
        return self.game.worst(self.game.counts) + self.game.sign * np.arange(self.most + 1)

    @cached_property
    def final(self) -> Any:  # type: ignore[override]
        return np.arange(self.most + 1)

    @cached_property
    def levels(self) -> list[list[int]]:  # type: ignore[override]
        return [[state.place for state in level] for level in layers(self.game)]

    @cached_property
    def attained(self) -> list[int]:
        worst = self.game.worst(self.game.counts)
        return sorted(abs(score - worst) for score in self.game.scores())

    @cached_property
    def places(self) -> int:
        return len(self.game.places)

    @cached_property
    def most_gains(self) -> Any:
        return np.array([self.game.gain(left) for left, _ in self.game.places])

    def at(self, state: Any) -> tuple[int, int]:
        dice_left, banked, rolls_left = State(*state)
        game = self.game
        return game.place(dice_left, rolls_left), game.sign * (banked - game.worst(game.banked_dice(dice_left)))

    def state(self, place: int, gain: int) -> State:
        left, rolls = self.game.places[place]
        return State(left, self.game.worst(self.game.banked_dice(left)) + self.game.sign * int(gain), rolls)

    def position(self, place: int, gain: int, target: Any) -> Position:
        dice_left, banked, rolls_left = self.state(place, gain)
        return Position(dice_left, banked, target, None if rolls_left is None else rolls_left - 1)

    def told(self, position: Any) -> State:
        rolls_left = position.rolls_left
        return State(position.dice_left, position.banked, None if rolls_left is None else rolls_left + 1)

    def calls(self) -> float:
        game = self.game
        lefts = [state.left for state in states(game).values()]
        return float(sum(game.count_rolls(left) * len(game.scores(game.banked_dice(left))) for left in lefts))

    def outcome(self, score: Any) -> int | None:
        gain = self.game.sign * (score - self.game.worst(self.game.counts))
        return int(gain) if 0 <= gain <= self.most else None

    def against(self, rows: Array, target: Any) -> Array:
        game, most = self.game, self.most
        # Targets out of reach are all alike, however far: beyond 64 bits too.
        wanted = min(max(game.sign * (target - game.worst(game.counts)), -most - 1), 2 * most + 1)
        values = np.full((len(game.places), most + 1), np.nan)
        for index, (left, _) in enumerate(game.places):
            gains = np.arange(most - game.gain(left) + 1)
            over = np.clip(gains - wanted, -most - 1, most + 1)
            lost, won = over < -game.gain(left), over > 0
            inside = np.where(lost | won, 0, over) + most
            values[index, gains] = np.where(won, 1.0, np.where(lost, 0.0, rows[index, inside]))
        return values

    def estimate(self) -> Estimate:
        return estimate(self.game)

    def check_size(self, force: bool = False) -> None:
        if not force:
            check_size(self.game)

    def left(self, place: int) -> tuple[int, ...]:
        return self._lefts[place]

    def place_of(self, left: Any) -> int:
        return self._place_of.get(left, -1)

    @cached_property
    def _lefts(self) -> list[tuple[int, ...]]:
        return [left if rolls is None else (*left, rolls) for left, rolls in self.game.places]

    @cached_property
    def _place_of(self) -> dict[tuple[int, ...], int]:
        return {self._lefts[place]: place for place in (0, *self.order)}

    def base(self, place: int) -> int:
        return self.game.worst(self.game.banked_dice(self.game.places[place][0]))

    def banked_scores(self, place: int) -> Sequence[int]:
        return self.game.scores(self.game.banked_dice(self.game.places[place][0]))

    def most_rolls(self, place: int) -> int:
        game, (left, rolls) = self.game, self.game.places[place]
        if not any(left):
            return game.most_rolls(game.counts, game.roll_limit)
        return sum(game.banked_dice(left)) // game.keep_at_least if rolls is None else (game.roll_limit or 0) - rolls

    def fewest_rolls(self, place: int) -> int:
        game, (left, rolls) = self.game, self.game.places[place]
        return min(1, sum(game.banked_dice(left))) if not rolls else (game.roll_limit or 0) - rolls

    @cached_property
    def left_axes(self) -> Plain:
        return layout.left_axes(self.game)

    def bound(self, least: float, most: float) -> float:
        return error_bound(self.game, least, most)

    # Rolls.

    def numbers(self, place: int) -> tuple[Sequence[Any], Array]:
        game, state = self.game, states(self.game)[place]
        left, kinds = state.left, state.kinds
        chances, counts = np.ones(1), []
        for k in kinds:
            weights = np.array([weight for _, weight in game.kinds[k].roll(left[k])]) / game.kinds[k].sides ** left[k]
            chances = np.multiply.outer(chances, weights).ravel()
            counts.append(len(weights))
        return RollNumbers(kinds, tuple(counts)), chances

    def roll(self, place: int, number: Any) -> Roll:
        numbers, left = iter(number), self.game.places[place][0]
        return tuple(
            dice.nth_roll(die, n, next(numbers)) if n else () for n, die in zip(left, self.game.kinds, strict=True)
        )

    def roll_chance(self, place: int, roll: Any) -> float:
        return dice.weight(roll) / self.game.count_ways(self.game.places[place][0])

    def play_keep(self, place: int, roll: Any, keep: Any, asked: str) -> tuple[int, int]:
        game, state = self.game, self.state(place, 0)
        check_keep(game, roll, keep, asked, game.least(state.dice_left, state.rolls_left))
        return self.at(game.after(state, keep))

    def throw(self, place: int, draw: np.random.Generator) -> Roll:
        return tuple(
            tuple(sorted((int(face) for face in draw.integers(1, die.sides + 1, n)), reverse=True))
            for n, die in zip(self.game.places[place][0], self.game.kinds, strict=True)
        )

    def cast(self, state: State, stream: Stream) -> Roll:
        """Throw the dice of a state by a seeded stream, kind by kind, as the page does."""
        return tuple(stream.roll(n, die.sides) for n, die in zip(state.dice_left, self.game.kinds, strict=True))

    # Keeping and checking: see `tables`.

    @cached_property
    def axes(self) -> Plain:
        return layout.axes(self.game)

    def expected_score(self, table: Any, state: Any) -> float:
        place = self.game.place(state.dice_left, state.rolls_left)
        return float(state.banked + float(table.reshape(-1)[place]))

    def pack_expected(self, expected: Array) -> tuple[tuple[str, ...], Any]:
        return tuple(layout.left_axes(self.game)), layout.points_expected(self.game, expected)

    def unpack_expected(self, table: Any) -> Array:
        return layout.gain_expected(self.game, table)

    def smooth(self, payoff: Array) -> Array:
        return gain_payoff(self.game, lambda score: float(payoff[abs(score - self.outcomes[0])]))

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return by how much a row falls where it should rise, infinity where play can reach what is no number."""
        sound = True
        for place in (0, *self.order):
            left = self.game.places[place][0]
            sound &= bool(np.isfinite(expected[place]))
            aside = self.game.banked_dice(left)
            gains = np.abs(np.array(self.game.scores(aside)) - self.game.worst(aside))
            sound &= bool(np.isfinite(first[place, gains]).all())
            sound &= bool(np.isfinite(second[place, : 2 * self.most + 1 - self.game.gain(left)]).all())
        falls = 0.0
        for row in (*first, *second):
            known = row[~np.isnan(row)]
            if len(known) > 1:
                falls = max(falls, float(np.max(known[:-1] - known[1:])))
        return falls if sound else inf

    def pack(self, expected: Array, first: Array, second: Array) -> layout.Arrays:
        return layout.pack(self.game, expected, first, second)

    def unpack(self, arrays: layout.Arrays) -> tuple[Array, Array, Array]:
        return layout.unpack(self.game, arrays)
