"""Midnight, or 1-4-24: six dice, a 1 and a 4 must be kept; then the other four count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..dice import Faces, keeps, standard_die

State = tuple[int, bool, bool, int]
"""Dice left, whether a 1 and a 4 are kept, and the sum of the other dice kept."""


@dataclass(frozen=True)
class Midnight:
    name: str = "midnight"
    about: str = "Roll six dice, keep one or more, roll the rest; a 1 and a 4 must be kept, then the other four count."
    start = (6, False, False, 0)

    def rolls(self, state: State) -> Iterator[tuple[Faces, int]]:
        return standard_die(6).roll(state[0]) if state[0] else iter(())

    def moves(self, state: State, roll: Faces) -> Iterator[tuple[Faces, State, int]]:
        dice_left, one, four, points = state
        for (keep,) in keeps((roll,)):
            counts = sum(keep) - (1 in keep and not one) - 4 * (4 in keep and not four)
            yield keep, (dice_left - len(keep), one or 1 in keep, four or 4 in keep, points + counts), counts

    def score(self, state: State) -> int:
        _, one, four, points = state
        return points if one and four else 0

    def text(self, thing: State | Faces) -> str:
        if len(thing) != 4 or not isinstance(thing[1], bool):
            return " ".join(map(str, thing))
        dice_left, one, four, points = thing
        kept = " and ".join(["1"] * one + ["4"] * four) or "neither 1 nor 4"
        return f"{dice_left} left, {kept} kept, {points} points"
