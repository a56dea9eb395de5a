"""One die by itself: when to stop rolling it, what its best roll would be, and the cut-off rule made of that.

With r rolls left of a die, a roll is taken if it is worth at least the value of going on:

    E(1) = mean of the faces            E(r) = mean over faces of max(face, E(r - 1))

so that the best face to reject with r rolls left is the best one below E(r - 1): for a plain die ceil(E(r - 1)) - 1
(the paper writes a floor, but its tables follow this; a face equal to E(r - 1) is kept). The expected *maximum* of r
rolls is larger and misleads: nobody can wait for a maximum and have it too.

The rule and its published figures are from Dave Fetterman's paper on badg (2022): figures 3 to 7 and 10 as in its first
version, the results of a million simulated games and the best of several players as in the later one, which is in the
repository fettermania/mathnotes (bdice/bdice.tex; simulated by bdice/bdice.py).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from ..dice import Die
from ..policies import Solved
from .policies import Threshold
from .rules import PoolGame


class Stop(NamedTuple):
    """With so many rolls of a die left: the best face to reject (None: take any) and the points to expect."""

    rolls: int
    reject: int | None
    expected: Fraction


def stopping(die: Die, rolls: int, *, higher_wins: bool = True) -> list[Stop]:
    """Return the best way to stop with 1, 2, ... rolls of a die left, exactly.

    >>> from gametheory.dice import standard_die
    >>> [(stop.rolls, stop.reject, float(stop.expected)) for stop in stopping(standard_die(6), 3)]
    [(1, None, 3.5), (2, 3, 4.25), (3, 4, 4.666666666666667)]
    """
    sign = 1 if higher_wins else -1
    worths = [sign * points for points in die.points]
    value = Fraction(sum(worths), die.sides)
    found = [Stop(1, None, sign * value)]
    for left in range(2, rolls + 1):
        rejected = [(worth, face) for face, worth in enumerate(worths, 1) if worth < value]
        reject = max(rejected)[1] if rejected else None
        value = sum((max(Fraction(worth), value) for worth in worths), Fraction(0)) / die.sides
        found.append(Stop(left, reject, sign * value))
    return found


def expected_maximum(die: Die, rolls: int, *, higher_wins: bool = True) -> Fraction:
    """Return the expected points of the best of several rolls: what a player who could take any of them would get.

    >>> from gametheory.dice import standard_die
    >>> float(expected_maximum(standard_die(6), 1))
    3.5
    """
    ordered = sorted(die.points, reverse=not higher_wins)
    ways = sum(points * (k**rolls - (k - 1) ** rolls) for k, points in enumerate(ordered, 1))
    return Fraction(ways, die.sides**rolls)


def value_of_cutoff(die: Die, rolls: int, cutoff: int) -> Fraction:
    """Return what to expect with so many rolls left if points of at least the cut-off are taken, then played best.

    With three rolls left of a 50-sided die the expected maximum of two rolls, 33.83, says to take 34 and more; to take
    32 and more is better.

    >>> from gametheory.dice import standard_die
    >>> [float(value_of_cutoff(standard_die(50), 3, cutoff)) for cutoff in (31, 32, 33, 34, 35)]
    [35.25, 35.265, 35.26, 35.235, 35.19]
    """
    after = stopping(die, rolls - 1)[-1].expected
    return sum((Fraction(p) if p >= cutoff else after for p in die.points), Fraction(0)) / die.sides


def table(game: PoolGame, name: str) -> tuple[list[str], list[list[Any]]]:
    """Return a published table for the dice of a game as (columns, rows), one row for each number of rolls left.

    `one-die`: for each die its cut-off, the best face to reject, and the mean points to expect. `expected-maximum`: the
    expected points of the best of so many rolls. Points are the game's own: where it counts points lost, they are those.
    """
    rolls = game.most_rolls(game.counts, game.roll_limit)
    if name == "one-die":
        stops = [stopping(die, rolls, higher_wins=game.higher_wins) for die in game.kinds]
        columns = ["rolls", *(f"{die.name} {what}" for die in game.kinds for what in ("cut", "mean"))]
        rows = [
            [r + 1, *(item for by_die in stops for item in (by_die[r].reject, float(by_die[r].expected)))]
            for r in range(rolls)
        ]
        return columns, rows
    if name == "expected-maximum":
        return ["rolls", *(die.name for die in game.kinds)], [
            [r, *(float(expected_maximum(die, r, higher_wins=game.higher_wins)) for die in game.kinds)]
            for r in range(1, rolls + 1)
        ]
    raise ValueError(
        f"there is no table {name!r} of {game.name}: the tables are one-die, expected-maximum, cutoff, cutoff-played and "
        "walk"
    )


# The cut-off rule: every die plays its own game.


@lru_cache(maxsize=64)
def reject_gains(game: PoolGame) -> tuple[tuple[int, ...], ...]:
    """Return for each kind, by number of rolls left (from 0 on), the greatest gain to reject; -1: take any."""
    found = []
    for k, die in enumerate(game.kinds):
        gains = game.face_gains(k)
        stops = stopping(die, sum(game.counts), higher_wins=game.higher_wins)
        found.append((-1, *(-1 if stop.reject is None else gains[stop.reject - 1] for stop in stops)))
    return tuple(found)


def cutoff(game: PoolGame) -> Threshold:
    """Make the published cut-off rule: with n dice left, each plays by itself with n rolls left, or as many as can be.

    Every die above the best face to reject is kept; if there is none, the one nearest to it, ties to the smaller kind.
    """
    rejects = reject_gains(game)
    most = [max(game.face_gains(k)) for k in range(len(game.kinds))]

    def cuts(left: tuple[int, ...], rolls: int | None) -> tuple[float, ...]:
        return tuple(by_rolls[game.most_rolls(left, rolls)] + 1.0 for by_rolls in rejects)

    def shortfalls(left: tuple[int, ...], rolls: int | None) -> tuple[tuple[float, ...], ...]:
        return tuple(
            tuple(float(by_rolls[game.most_rolls(left, rolls)] - gain) for gain in range(top + 1))
            for by_rolls, top in zip(rejects, most, strict=True)
        )

    return Threshold("cutoff", game, cuts, shortfalls)


def play_cutoff(solved: Solved) -> Threshold:
    """Make the rule for a solved game."""
    return cutoff(solved.space.game)
