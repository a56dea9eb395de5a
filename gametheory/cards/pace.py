"""How a card looks at the score, and what cards are made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..answers import Array

FREE = 1 << 30
"""More dice or points than there are: a rule that a card does not have."""

GOALS = ("score", "first", "second")
"""What a card is made for: points, or winning from the first or the second seat."""

AMONG = "among"
"""The goal of a card that is to win among several who see nothing."""


@dataclass(frozen=True)
class Pace:
    """How a card looks at the score. `spare` is what may still be lost without falling short of the score to beat.

    Par for the dice left is `par` points and `par_larger` for each die of a larger kind. `behind` par by so many points,
    or `ahead` of it, the card is read as if so many dice more, or fewer, were on the table: (points, dice). No die is kept
    that leaves less than `margin` spare, unless one must be. With at most `cash` dice on the table all are kept if that
    wins. The score to beat is the target, or `aim` for a first player, who has none.
    """

    aim: int | None = None
    par: float = 0.0
    par_larger: float = 0.0
    behind: tuple[int, int] | None = None
    ahead: tuple[int, int] | None = None
    margin: int | None = None
    cash: int = 0

    @property
    def size(self) -> int:
        """How many numbers these are."""
        shifts = (self.behind is not None) + (self.ahead is not None)
        return (self.aim is not None) + (2 + 2 * shifts if shifts else 0) + (self.margin is not None) + (self.cash > 0)

    @property
    def shifts(self) -> tuple[Array, Any]:
        """From how far ahead of par on the card is read with how many more dice."""
        steps = [(-float(FREE), self.behind[1]), (1e-9 - self.behind[0], 0)] if self.behind else []
        steps += [(float(self.ahead[0]), -self.ahead[1])] if self.ahead else []
        return np.array([by for by, _ in steps]), np.array([dice for _, dice in steps], np.int64)
