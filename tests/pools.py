"""Small pools, as the package and as the oracle know them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import oracle

from gametheory.dice import Die
from gametheory.games import game as pool_game
from gametheory.pool.notation import Position
from gametheory.pool.rules import PoolGame

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

DISTINCT = [game for game in SMALL if all(len(set(die.points)) == die.sides for die in game.kinds)]
"""Pools whose faces have distinct points: here dice of equal points are told apart by face, by points in the oracle."""

TIES: dict[str, Fraction] = {"split": Fraction(1, 2), "first": Fraction(0), "second": Fraction(1), "0.25": Fraction(1, 4)}


def as_pool(game: PoolGame) -> oracle.Pool:
    """Return a game as the oracle wants it."""
    return tuple((n, die.points) for n, die in zip(game.counts, game.kinds, strict=True))


def by_points(game: PoolGame, roll: tuple[tuple[int, ...], ...]) -> oracle.Roll:
    """Return a roll, or a keep, as points ascending per kind."""
    return tuple(tuple(sorted(die.points[face - 1] for face in faces)) for faces, die in zip(roll, game.kinds, strict=True))


def take_best(position: Position, roll: Any) -> Any:
    """Keep the single highest face: a policy as a user would write it."""
    kind = max(range(len(roll)), key=lambda k: (roll[k][:1], -k))
    return tuple(faces[:1] if k == kind else () for k, faces in enumerate(roll))


def plain_cutoff(game: PoolGame) -> oracle.Policy:
    """Play the published rule straight from its words, in points."""
    sign = 1 if game.higher_wins else -1

    def reject(kind: int, rolls: int) -> int | None:
        """Return the best worth to reject, by the recurrence."""
        worths = [sign * points for points in game.kinds[kind].points]
        value = Fraction(sum(worths), len(worths))
        found = None
        for _ in range(rolls - 1):
            found = max((w for w in worths if w < value), default=min(worths) - 1)
            value = sum((max(Fraction(w), value) for w in worths), Fraction(0)) / len(worths)
        return found

    def choose(
        counts: oracle.Counts, banked: int, roll: oracle.Roll, target: int | None
    ) -> list[tuple[oracle.Roll, Fraction]]:
        n = sum(counts)
        cuts = [reject(k, n) for k in range(len(roll))]
        keep = tuple(
            tuple(p for p in points if cut is None or sign * p > cut) for points, cut in zip(roll, cuts, strict=True)
        )
        if not any(keep):
            shown = [(cut - sign * p, k, p) for k, (points, cut) in enumerate(zip(roll, cuts, strict=True))
                     for p in points if cut is not None]  # fmt: skip
            _, lone, face = min(shown, key=lambda die: die[:2])
            keep = tuple((face,) if k == lone else () for k in range(len(roll)))
        return [(keep, Fraction(1))]

    return choose
