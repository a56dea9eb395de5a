"""What is proved of a value: an interval that contains it, and where it is known the value itself as a fraction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import NamedTuple

UNIT = 2.0**-53
"""The largest relative error of one rounding."""

EXACT = 2**53
"""Whole numbers up to this are exact in floating point."""


class Interval(NamedTuple):
    """Two numbers between which another lies."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far the two are apart."""
        return up(self.high - self.low)


@dataclass(frozen=True)
class Proof:
    """What is proved of a game for two: the first player's chance to win, and the expected score where there is one."""

    first: Interval
    expected: Interval | None
    exact: Fraction | None
    figures: Mapping[str, float]
    """What it took: places, roundings, and the like."""


def up(value: float) -> float:
    """Return a number that is certainly above what one rounding made of it."""
    return nextafter(value, inf)


def down(value: float) -> float:
    """Return a number that is certainly below what one rounding made of it."""
    return nextafter(value, -inf)


def around(value: float, error: float) -> Interval:
    """Return the interval of what is at most so far from a value.

    >>> around(0.5, 0.25)
    Interval(low=0.24999999999999997, high=0.7500000000000001)
    """
    return Interval(down(value - error), up(value + error))


def roundings(count: int, most: float = 1.0) -> float:
    """Bound the error of a sum of terms of one sign, worth `most` at most, none of which is rounded more often than so.

    (1 + u)^n - 1 is less than n u / (1 - n u); the rest is for the few roundings of this bound itself, and for terms so
    small that they are rounded to a grid.
    """
    return (count + 2) * UNIT * (1 + 2 * count * UNIT) * most + 1e-290
