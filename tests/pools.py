"""Small pools, as the package and as the oracle know them."""

from __future__ import annotations

from fractions import Fraction

import oracle

from gametheory.dice import Die
from gametheory.games import PoolGame, pool_game

THREES = Die("d6", (1, 2, 0, 4, 5, 6))

SMALL = [
    pool_game("3d4"),
    pool_game("2d4+d6"),
    pool_game("d2+d3+d4"),
    pool_game("2d3+2d4"),
    pool_game("d4+d6+d8"),
    pool_game("3d2+d5"),
    PoolGame("three threes", (3,), (THREES,), higher_wins=False),
    PoolGame("low and mixed", (2, 1), (Die("d3", (2, 1, 0)), Die("d4", (0, 1, 2, 3))), higher_wins=False),
    PoolGame("gaps", (2, 1), (Die("d3", (0, 5, 10)), Die("d4", (-3, 1, 1, 7)))),
    PoolGame("doubled faces", (2, 1), (Die("d3", (1, 1, 3)), Die("d4", (2, 2, 2, 5)))),
]

TIES: dict[str, Fraction] = {"split": Fraction(1, 2), "first": Fraction(0), "second": Fraction(1), "0.25": Fraction(1, 4)}


def as_pool(game: PoolGame) -> oracle.Pool:
    """Return a game as the oracle wants it."""
    return tuple((n, die.points) for n, die in zip(game.counts, game.kinds, strict=True))


def by_points(game: PoolGame, roll: tuple[tuple[int, ...], ...]) -> oracle.Roll:
    """Return a roll, or a keep, as points ascending per kind."""
    return tuple(tuple(sorted(die.points[face - 1] for face in faces)) for faces, die in zip(roll, game.kinds, strict=True))
