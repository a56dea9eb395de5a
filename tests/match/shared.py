"""Small games, each in every format."""

from __future__ import annotations

from shared import solved

from gametheory import games
from gametheory.dice import Die
from gametheory.match.alternating import Alternating
from gametheory.match.hidden import Hidden
from gametheory.match.players import Players
from gametheory.pool.rules import PoolGame

LOW = PoolGame("low", (3,), (Die("d3", (2, 0, 1)),), higher_wins=False)
GAPS = PoolGame("gaps", (2, 1), (Die("d2", (0, 3)), Die("d3", (1, 5, 6))))
CIRCLE = PoolGame("circle", (1, 1), (Die("a", (2, 6, 8)), Die("b", (3, 6, 7))))
"""Its best policies beat each other in a circle: the equilibrium plays three of them, a third each."""
MIXED = PoolGame("mixed", (1, 1), (Die("a", (0, 3, 5)), Die("b", (1, 4, 5, 5))))
SMALL = (games.game("2d4"), games.game("2d2+d4"), games.game("d3+d5"), LOW, GAPS)
TIES = ("split", "first", "second", "replay", 0.25)


def alternating(game: PoolGame | str, tie: str | float = "split") -> Alternating:
    found: Alternating = solved(game, tie, "alternating")
    return found


def players(game: PoolGame | str, n: int) -> Players:
    found: Players = solved(game, players=n)
    return found


def equilibrium(game: PoolGame | str) -> Hidden:
    found: Hidden = solved(game, match="simultaneous", tolerance=1e-11)
    return found
