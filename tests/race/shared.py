"""What tests of races share: small races, races solved once, and policies made without ceremony."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from gametheory.match.race import Race
from gametheory.race import exact, policies
from gametheory.race.exact import BestAnswer, Evaluation
from gametheory.race.named import RACES
from gametheory.race.notation import Position
from gametheory.race.policies import Chooser, RacePolicy
from gametheory.race.rules import RaceGame

TEN, FARKLE, PIG, PIGLET = (RACES[name] for name in ("ten-thousand", "farkle", "pig", "piglet"))
# Small enough for fractions: opening thresholds, hot dice and none, sets, bust faces, a unit above 1.
TINY = {
    "coin": PIGLET.with_goal(5),
    "coin-opening": RaceGame("coin-opening", 1, 2, 6, (0, 1), opening=3, bust_faces=(1,)),
    "pair": RaceGame("pair", 2, 3, 9, (1, 0, 2), opening=3),
    "cold-pair": RaceGame("cold-pair", 2, 3, 7, (1, 0, 2), opening=2, hot_dice=False),
    "triple": RaceGame("triple", 3, 3, 7, (1, 0, 0), (3, 2, 2), straight=3, opening=2),
    "four": RaceGame("four", 4, 2, 8, (1, 0), (2, 1), "double", hot_dice=False),
    "far-opening": RaceGame("far-opening", 2, 2, 3, (1, 0), opening=5),
}

# Neller and Presser, Optimal Play of the Dice Game Pig: piglet to 2, by (mine, theirs, turn total).
PIGLET_CHANCES = {
    (0, 0, 0): Fraction(4, 7),
    (0, 0, 1): Fraction(5, 7),
    (0, 1, 0): Fraction(2, 5),
    (0, 1, 1): Fraction(3, 5),
    (1, 0, 0): Fraction(4, 5),
    (1, 1, 0): Fraction(2, 3),
}


@functools.cache
def solved(game: RaceGame, handicaps: tuple[int, ...] = ()) -> Race:
    """Solve a race once for all tests."""
    return Race.solve(game, handicaps=handicaps)


def policy(race: RaceGame | Race, chosen: Any) -> RacePolicy:
    """Make a policy for a race, solved if need be."""
    if isinstance(race, RaceGame) and chosen == "win":
        race = solved(race)
    return race.policy(chosen) if isinstance(race, Race) else policies.make(chosen, race)


def evaluate(race: RaceGame | Race, first: Any, second: Any) -> Evaluation:
    """Let two policies play against each other."""
    return exact.evaluate(policy(race, first), policy(race, second))


def best_answer(race: RaceGame | Race, opponent: Any) -> BestAnswer:
    """Answer a policy."""
    return exact.best_answer(policy(race, opponent))


def holds(limit: int) -> Chooser:
    """Make hold-at-N as a plain function, for races with one die."""

    def choose(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        return roll, position.turn + roll[0] >= limit

    choose.ignores = ("opponent", "score")  # type: ignore[attr-defined]
    return choose
