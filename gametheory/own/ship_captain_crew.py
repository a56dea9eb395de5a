"""Ship, captain and crew: three rolls of five dice for a 6, a 5 and a 4, in that order; then the other two count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..dice import Faces, keeps, standard_die

State = tuple[int, int, Faces]
"""Rolls left, how many of 6, 5 and 4 are set aside, and the cargo kept."""


@dataclass(frozen=True)
class ShipCaptainCrew:
    name: str = "ship-captain-crew"
    about: str = "Three rolls of five dice: a 6, a 5 and a 4 are set aside in that order, then the other two count."
    start = (3, 0, ())

    def rolls(self, state: State) -> Iterator[tuple[Faces, int]]:
        left, aside, cargo = state
        return standard_die(6).roll(5 - aside - len(cargo)) if left else iter(())

    def moves(self, state: State, roll: Faces) -> Iterator[tuple[Faces, State, int]]:
        left, aside, cargo = state
        dice = list(roll)
        while aside < 3 and 6 - aside in dice:
            dice.remove(6 - aside)
            aside += 1
        held = tuple(sorted((*cargo, *dice), reverse=True)) if aside == 3 else ()
        if left == 1 or aside < 3:
            yield held, (left - 1, aside if left > 1 or held else 0, held), 0
            return
        yield held, (0, 3, held), 0
        for (keep,) in [*keeps((held,)), ((),)]:
            if len(keep) < 2:
                yield keep, (left - 1, 3, keep), 0

    def final(self, state: State) -> int:
        return sum(state[2])

    def text(self, thing: State | Faces) -> str:
        if len(thing) != 3 or not isinstance(thing[2], tuple):
            return " ".join(map(str, thing)) or "none"
        left, aside, cargo = thing
        found = ["nothing", "6", "6 5", "6 5 4"][aside]
        return f"{left} rolls left, {found} aside, cargo {self.text(cargo)}"
