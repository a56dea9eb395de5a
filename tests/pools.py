"""Small pools, as the package and as the oracle know them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import oracle

from gametheory.dice import Die
from gametheory.games import game as pool_game
from gametheory.pool.notation import Position
from gametheory.pool.rules import PoolGame, State

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

def house(dice: str, keep_at_least: int = 1, rolls: int | None = None, higher_wins: bool = True) -> PoolGame:
    """Make a pool with house rules."""
    name = f"{dice} keep {keep_at_least} rolls {rolls}"
    plain: PoolGame = pool_game(dice)
    return replace(plain, name=name, keep_at_least=keep_at_least, roll_limit=rolls, higher_wins=higher_wins)


HOUSES = [
    house("3d4", 2),
    house("4d3", 3),
    house("d2+d3+d4", 2),
    house("2d3+2d4", 2),
    house("3d3", 1, 1),
    house("2d4+d6", 1, 2),
    house("3d2+d5", 1, 3),
    house("d4+d6+d8", 1, 2, higher_wins=False),
    house("5d2", 2, 2),
    house("3d2+2d3", 2, 2, higher_wins=False),
    PoolGame("low threes", (3,), (THREES,), higher_wins=False, keep_at_least=2),
    PoolGame("low, mixed, two rolls", (2, 1), (Die("d3", (2, 1, 0)), Die("d4", (0, 1, 2, 3))), False, roll_limit=2),
    PoolGame("gaps, two a roll", (2, 1), (Die("d3", (0, 5, 10)), Die("d4", (-3, 1, 1, 7))), keep_at_least=2),
    PoolGame("doubled faces, two rolls", (2, 1), (Die("d3", (1, 1, 3)), Die("d4", (2, 2, 2, 5))), roll_limit=2),
]
"""Small pools with house rules: more dice a roll, or so many rolls, or both."""

TIES: dict[str, Fraction] = {"split": Fraction(1, 2), "first": Fraction(0), "second": Fraction(1), "0.25": Fraction(1, 4)}


def as_pool(game: PoolGame) -> oracle.Pool:
    """Return a game as the oracle wants it."""
    kinds = tuple((n, die.points) for n, die in zip(game.counts, game.kinds, strict=True))
    return kinds if game.plain else oracle.House(kinds, game.keep_at_least, game.roll_limit)


def as_state(game: PoolGame, state: oracle.State) -> State:
    """Return a state of the oracle as the package knows it."""
    left, banked = state
    return State(left, banked) if game.roll_limit is None else State(left[:-1], banked, left[-1])


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
        dice = sum(map(len, roll))
        most = -(-dice // game.keep_at_least)
        cuts = [reject(k, most if game.roll_limit is None else min(most, counts[-1])) for k in range(len(roll))]

        def lose(kind: int, points: int) -> int:
            cut = cuts[kind]
            return -1 if cut is None else cut - sign * points

        return [(oracle.fill(as_pool(game), counts, roll, lose, lambda loss: loss < 0), Fraction(1))]

    return choose
