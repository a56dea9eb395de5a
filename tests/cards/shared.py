"""Cards to try, what they are held to, and a card asked roll by roll by the oracle."""

from __future__ import annotations

from fractions import Fraction

import oracle
import pytest
from pools import as_pool, by_points

from gametheory import games
from gametheory.cards.pace import FREE
from gametheory.cards.par import ParCard
from gametheory.cards.rule import Card
from gametheory.dice import Die
from gametheory.match.duel import Duel
from gametheory.pool.notation import Position
from gametheory.pool.rules import PoolGame

LOW = PoolGame("low and mixed", (2, 2), (Die("d4", (2, 1, 0, 4)), Die("d5", (0, 1, 1, 3, 6))), higher_wins=False)
PAPER_LOSS = 0.441982351982
"""What the published table loses against the best expected score, exactly evaluated."""

BISCUITS = games.game("biscuits")
MEDIUM = Card(
    BISCUITS, ((3, 2), (5, 3, 2), (8, 4, 3, 2), (12, 5, 3, 2, 2)), (FREE, 12, 7), (0.0, 0.5, 0.5, 1.0)
)  # fmt: skip


def as_oracle(game: PoolGame, policy: Card | ParCard) -> oracle.Policy:
    """Let a policy of the package, asked roll by roll, play for the oracle."""
    faces = [{points: face for face, points in enumerate(die.points, 1)} for die in game.kinds]

    def choose(
        counts: oracle.Counts, banked: int, roll: oracle.Roll, target: int | None
    ) -> list[tuple[oracle.Roll, Fraction]]:
        shown = tuple(tuple(sorted((faces[k][p] for p in points), reverse=True)) for k, points in enumerate(roll))
        return [(by_points(game, policy(Position(counts, banked, target), shown)), Fraction(1))]

    return choose


def check_distribution(game: PoolGame, card: Card | ParCard, duel: Duel, target: int | None = None) -> None:
    wanted = oracle.distribution(as_pool(game), as_oracle(game, card), target)
    made = card.visits(duel, target)[0]
    worst = game.worst(game.counts)
    for gain, chance in enumerate(made):
        exact = float(wanted.get(worst + game.sign * gain, Fraction(0)))
        assert chance == pytest.approx(exact, abs=1e-12), (card, target, gain)
