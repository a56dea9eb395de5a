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

    def __init__(self, game: PoolGame) -> None:
        self.game: PoolGame = game
        self.most = game.gain(game.counts)
        self.finished = np.zeros(1, np.int64)
        self.start = game.pool_index(game.counts)
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
        return len(self.game.pools)

    @cached_property
    def most_gains(self) -> Any:
        return np.array([self.game.gain(left) for left in self.game.pools])

    def at(self, state: Any) -> tuple[int, int]:
        dice_left, banked = state
        game = self.game
        return game.pool_index(dice_left), game.sign * (banked - game.worst(game.banked_dice(dice_left)))

    def state(self, place: int, gain: int) -> State:
        left = self.game.pools[place]
        return State(left, self.game.worst(self.game.banked_dice(left)) + self.game.sign * int(gain))

    def position(self, place: int, gain: int, target: Any) -> Position:
        return Position(*self.state(place, gain), target)

    def told(self, position: Any) -> State:
        return State(position.dice_left, position.banked)

    def calls(self) -> float:
        game = self.game
        return float(
            sum(game.count_rolls(left) * len(game.scores(game.banked_dice(left))) for left in game.pools if any(left))
        )

    def outcome(self, score: Any) -> int | None:
        gain = self.game.sign * (score - self.game.worst(self.game.counts))
        return int(gain) if 0 <= gain <= self.most else None

    def against(self, rows: Array, target: Any) -> Array:
        game, most = self.game, self.most
        # Targets out of reach are all alike, however far: beyond 64 bits too.
        wanted = min(max(game.sign * (target - game.worst(game.counts)), -most - 1), 2 * most + 1)
        values = np.full((len(game.pools), most + 1), np.nan)
        for index, left in enumerate(game.pools):
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
        return self.game.pools[place]

    def place_of(self, left: Any) -> int:
        return self.game.pool_index(left) if left in self._pools else -1

    @cached_property
    def _pools(self) -> frozenset[tuple[int, ...]]:
        return frozenset(self.game.pools)

    def base(self, place: int) -> int:
        return self.game.worst(self.game.banked_dice(self.game.pools[place]))

    def banked_scores(self, place: int) -> Sequence[int]:
        return self.game.scores(self.game.banked_dice(self.game.pools[place]))

    def most_rolls(self, place: int) -> int:
        return sum(self.game.banked_dice(self.game.pools[place]))

    @cached_property
    def left_axes(self) -> Plain:
        return {die.name: np.arange(n + 1) for n, die in zip(self.game.counts, self.game.kinds, strict=True)}

    def bound(self, least: float, most: float) -> float:
        return error_bound(self.game, least, most)

    # Rolls.

    def numbers(self, place: int) -> tuple[Sequence[Any], Array]:
        game, left, kinds = self.game, self.game.pools[place], states(self.game)[place].kinds
        chances, counts = np.ones(1), []
        for k in kinds:
            weights = np.array([weight for _, weight in game.kinds[k].roll(left[k])]) / game.kinds[k].sides ** left[k]
            chances = np.multiply.outer(chances, weights).ravel()
            counts.append(len(weights))
        return RollNumbers(kinds, tuple(counts)), chances

    def roll(self, place: int, number: Any) -> Roll:
        numbers, left = iter(number), self.game.pools[place]
        return tuple(
            dice.nth_roll(die, n, next(numbers)) if n else () for n, die in zip(left, self.game.kinds, strict=True)
        )

    def roll_chance(self, place: int, roll: Any) -> float:
        return dice.weight(roll) / self.game.count_ways(self.game.pools[place])

    def play_keep(self, place: int, roll: Any, keep: Any, asked: str) -> tuple[int, int]:
        game, left = self.game, self.game.pools[place]
        check_keep(game, roll, keep, asked)
        after = tuple(n - len(faces) for n, faces in zip(left, keep, strict=True))
        return game.pool_index(after), game.sign * (game.points(keep) + game.worst(after) - game.worst(left))

    def throw(self, place: int, draw: np.random.Generator) -> Roll:
        return tuple(
            tuple(sorted((int(face) for face in draw.integers(1, die.sides + 1, n)), reverse=True))
            for n, die in zip(self.game.pools[place], self.game.kinds, strict=True)
        )

    def cast(self, state: State, stream: Stream) -> Roll:
        """Throw the dice of a state by a seeded stream, kind by kind, as the page does."""
        return tuple(stream.roll(n, die.sides) for n, die in zip(state.dice_left, self.game.kinds, strict=True))

    # Keeping and checking: see `tables`.

    @cached_property
    def axes(self) -> Plain:
        return layout.axes(self.game)

    def expected_score(self, table: Any, state: Any) -> float:
        return float(state.banked + float(table[state.dice_left]))

    def pack_expected(self, expected: Array) -> tuple[tuple[str, ...], Any]:
        return tuple(die.name for die in self.game.kinds), layout.points_expected(self.game, expected)

    def unpack_expected(self, table: Any) -> Array:
        return layout.gain_expected(self.game, table)

    def smooth(self, payoff: Array) -> Array:
        return gain_payoff(self.game, lambda score: float(payoff[abs(score - self.outcomes[0])]))

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return by how much a row falls where it should rise, infinity where play can reach what is no number."""
        sound = bool(np.isfinite(expected).all())
        for place, left in enumerate(self.game.pools):
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
