"""A pool for a payoff that is not monotone: every distinct part of a roll is tried, through the plain rules.

Best faces first loses nothing only where a better score is never worth less. Where it may be, a roll of n like dice with s
faces has as many keeps as it has parts: n + 2 s - 1 over n pairs of a roll and what is kept of it.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, prod

from ..answers import Array
from ..levels import Node, Places
from .notation import preference
from .places import Pools, RollNumbers
from .rules import PoolGame

MOST = 3_000_000
"""How many keeps, over all rolls of all pools, are tried."""


def keeps_in_all(game: PoolGame) -> int:
    """Count the keeps of all rolls of all pools.

    >>> from gametheory.pool.rules import from_dice
    >>> keeps_in_all(from_dice("2d2"))  # 10 - 3 of two dice, 4 - 2 of one: keeping none is no keep
    9
    """
    return sum(
        prod(comb(n + 2 * die.sides - 1, n) for n, die in zip(left, game.kinds, strict=True)) - game.count_rolls(left)
        for left in game.pools
        if any(left)
    )


class EveryKeep(Pools):
    """A small pool, solved for any payoff: the plain way of `Space`, over the places of a pool."""

    def __init__(self, game: PoolGame) -> None:
        if (count := keeps_in_all(game)) > MOST:
            raise ValueError(
                f"what is aimed at falls as the score of {game.name} gets better, so that all {count:.2g} ways to keep dice "
                f"would have to be tried, and no more than {MOST:.2g} are: take fewer dice, or an aim that never falls"
            )
        super().__init__(game)

    def _read(self, place: int) -> Node:
        """Read the rolls of a place, the keeps of each in the order of ties."""
        node = super()._read(place)
        order = [
            move
            for roll in range(len(node.rolls))
            for move in sorted(node.span(roll), key=lambda move: preference(node.keeps[move]))
        ]
        return node._replace(
            keeps=tuple(node.keeps[move] for move in order), after=node.after[order], gains=node.gains[order],
            points=tuple(node.points[move] for move in order),
        )  # fmt: skip

    def taken(self, place: int, tables: Array, begin: int, width: int) -> tuple[Places, Places]:
        """Return where every roll leads, in the order of `numbers`: the rules list rolls kind by kind."""
        found = super().taken(place, tables, begin, width)
        numbers: RollNumbers = self.numbers(place)[0]  # type: ignore[assignment]
        shape = [numbers.counts[k] for k in numbers.by_kind]
        axes = [numbers.by_kind.index(k) for k in range(len(shape))]
        after, gains = (part.reshape(*shape, width).transpose(*axes, -1).reshape(-1, width) for part in found)
        return after, gains


@lru_cache(maxsize=4)
def every_keep(game: PoolGame) -> EveryKeep:
    """Return the pool so, its rolls read once."""
    return EveryKeep(game)
