"""The rules, readable without a solver: what a game is, pool games, and the games known by name.

A solo scoring game has a state, a roll of dice with exact weights, and moves that lead to the next state; when no roll
is left the game is finished and has a score. Two players who compare such scores play a match (`match.py`).
"""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol

from . import dice
from .dice import Die, Roll


class Game(Protocol):
    """What every solo scoring game tells: all that the general solver, `verify` and a player need."""

    @property
    def start(self) -> Any:
        """The state before the first roll."""

    def rolls(self, state: Any) -> Iterable[tuple[Any, int]]:
        """Yield every roll in this state with its exact weight; none when the game is finished."""

    def moves(self, state: Any, roll: Any) -> Iterable[tuple[Hashable, Any, int]]:
        """Yield every legal move as (keep, next state, points)."""

    def score(self, state: Any) -> int:
        """Return the final score of a finished state."""


class State(NamedTuple):
    """A position of a pool game: how many dice of each kind are left to roll, and the points banked."""

    dice_left: tuple[int, ...]
    banked: int


@dataclass(frozen=True)
class PoolGame:
    """Roll all dice that are left, keep at least one of them, bank its points, and so on until no dice are left.

    `counts[k]` dice of `kinds[k]`; the higher final score wins, or the lower.

    Inside the solvers a score is counted as its *gain*: the points above the worst that the same dice can make. So a
    gain is never negative and more of it is always better, whether higher or lower scores win.
    """

    name: str
    counts: tuple[int, ...]
    kinds: tuple[Die, ...]
    higher_wins: bool = True
    about: str = ""

    def __post_init__(self) -> None:
        if not self.kinds or len(self.counts) != len(self.kinds):
            raise ValueError(f"the game {self.name!r} has {len(self.counts)} counts for {len(self.kinds)} kinds of dice")
        if min(self.counts) < 1:
            raise ValueError(f"the game {self.name!r} has {min(self.counts)} dice of a kind: give 1 or more")
        names = [die.name for die in self.kinds]
        if len(set(names)) < len(names):
            raise ValueError(f"the game {self.name!r} names two kinds of dice alike: {', '.join(names)}")
        if [die.sides for die in self.kinds] != sorted(die.sides for die in self.kinds):
            raise ValueError(f"the game {self.name!r} lists {', '.join(names)}: list dice with fewer sides first")

    # The rules: the four methods of Game.

    @property
    def start(self) -> State:
        return State(self.counts, 0)

    def rolls(self, state: State) -> Iterator[tuple[Roll, int]]:
        return dice.rolls(state.dice_left, self.kinds) if any(state.dice_left) else iter(())

    def moves(self, state: State, roll: Roll) -> Iterator[tuple[Roll, State, int]]:
        for keep in dice.keeps(roll):
            points = self.points(keep)
            left = tuple(n - len(faces) for n, faces in zip(state.dice_left, keep, strict=True))
            yield keep, State(left, state.banked + points), points

    def score(self, state: State) -> int:
        return state.banked

    def points(self, keep: Roll) -> int:
        """Add up what the kept dice are worth."""
        return sum(die.points[face - 1] for faces, die in zip(keep, self.kinds, strict=True) for face in faces)

    # What follows from them.

    @cached_property
    def dice(self) -> str:
        return dice.format_dice(self.counts, self.kinds)

    def count_ways(self, counts: tuple[int, ...]) -> int:
        """Return the number of ordered rolls of these dice: the sum of the weights of all rolls."""
        return prod(die.sides**n for n, die in zip(counts, self.kinds, strict=True))

    def count_rolls(self, counts: tuple[int, ...]) -> int:
        """Return the number of distinct rolls of these dice."""
        return dice.count_rolls(counts, self.kinds)

    @cached_property
    def pools(self) -> tuple[tuple[int, ...], ...]:
        """Every multiset of dice that can be left, in counting order: no dice first, all dice last."""
        return tuple(product(*(range(count + 1) for count in self.counts)))

    def pool_index(self, dice_left: tuple[int, ...]) -> int:
        """Find the place of a multiset of dice in `pools`."""
        index = 0
        for left, count in zip(dice_left, self.counts, strict=True):
            index = index * (count + 1) + left
        return index

    def lowest(self, counts: tuple[int, ...]) -> int:
        """Return the fewest points that these dice can make."""
        return sum(n * die.lowest for n, die in zip(counts, self.kinds, strict=True))

    def highest(self, counts: tuple[int, ...]) -> int:
        """Return the most points that these dice can make."""
        return sum(n * die.highest for n, die in zip(counts, self.kinds, strict=True))

    def worst(self, counts: tuple[int, ...]) -> int:
        """Return the worst score that these dice can make."""
        return self.lowest(counts) if self.higher_wins else self.highest(counts)

    def best(self, counts: tuple[int, ...]) -> int:
        """Return the best score that these dice can make."""
        return self.highest(counts) if self.higher_wins else self.lowest(counts)

    @property
    def sign(self) -> int:
        """1 where a higher score is better, -1 where a lower one is."""
        return 1 if self.higher_wins else -1

    def gain(self, counts: tuple[int, ...]) -> int:
        """Return the most gain that these dice can make: the points between their worst and their best score."""
        return self.highest(counts) - self.lowest(counts)

    def face_gains(self, kind: int) -> tuple[int, ...]:
        """Return the gain of each face of a kind of die: its points above the worst face's."""
        die = self.kinds[kind]
        return tuple(p - die.lowest if self.higher_wins else die.highest - p for p in die.points)

    def banked_dice(self, dice_left: tuple[int, ...]) -> tuple[int, ...]:
        """Return the dice that were set aside when these are left."""
        return tuple(count - left for count, left in zip(self.counts, dice_left, strict=True))

    def scores(self, counts: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return every score that these dice (all of the game, if not said) can make, lowest first."""
        made = 1
        counts = self.counts if counts is None else counts
        for n, die in zip(counts, self.kinds, strict=True):
            steps = {points - die.lowest for points in die.points}
            for _ in range(n):
                made = _shift_by_any(made, steps)
        low = self.lowest(counts)
        return tuple(low + i for i in range(made.bit_length()) if made >> i & 1)

    def rules(self) -> dict[str, Any]:
        """Return the rules as plain data, enough to make the game again."""
        return {
            "family": "pool",
            "name": self.name,
            "dice": [
                {"count": n, "die": die.name, "points": list(die.points)}
                for n, die in zip(self.counts, self.kinds, strict=True)
            ],
            "wins": "higher" if self.higher_wins else "lower",
        }

    def check_dice(self, dice_left: tuple[int, ...]) -> None:
        """Refuse more dice than the game has."""
        for left, count, die in zip(dice_left, self.counts, self.kinds, strict=True):
            if left > count:
                raise ValueError(f"{left} {die.name} in the roll: {self.name} has {count} of them")

    def check_state(self, dice_left: tuple[int, ...], banked: int) -> None:
        """Refuse dice that the game does not have and points that those set aside cannot have made."""
        self.check_dice(dice_left)
        aside = self.banked_dice(dice_left)
        if banked not in self.scores(aside):
            raise ValueError(
                f"{banked} points cannot be banked with {dice.format_dice(dice_left, self.kinds)} left: "
                f"{dice.format_dice(aside, self.kinds)} set aside can make "
                f"{self.lowest(aside)} to {self.highest(aside)} points"
            )


def _shift_by_any(bits: int, steps: set[int]) -> int:
    shifted = 0
    for step in steps:
        shifted |= bits << step
    return shifted


def game_from_rules(rules: dict[str, Any]) -> PoolGame:
    """Make a pool game from the plain data that `PoolGame.rules` returns."""
    return PoolGame(
        name=rules["name"],
        counts=tuple(kind["count"] for kind in rules["dice"]),
        kinds=tuple(Die(kind["die"], tuple(kind["points"])) for kind in rules["dice"]),
        higher_wins=rules["wins"] == "higher",
    )


def _biscuit_dice(lost: bool) -> dict[str, Any]:
    sides = (6, 8, 10, 12)
    return {
        "counts": (12, 1, 1, 1),
        "kinds": tuple(Die(f"d{s}", tuple(s - f if lost else f for f in range(1, s + 1))) for s in sides),
    }


NAMED = {
    game.name: game
    for game in (
        PoolGame(
            "biscuits",
            **_biscuit_dice(lost=False),
            about="Roll 12d6+d8+d10+d12, set aside one or more, roll the rest; the highest sum wins.",
        ),
        PoolGame(
            "badg",
            **_biscuit_dice(lost=True),
            higher_wins=False,
            about="Biscuits' dice, counting the points lost: each die set aside costs its maximum less its face.",
        ),
        PoolGame(
            "threes",
            (5,),
            (Die("d6", (1, 2, 0, 4, 5, 6)),),
            higher_wins=False,
            about="Roll 5d6, set aside one or more, roll the rest; a 3 counts nothing and the lowest sum wins.",
        ),
    )
}


def game(name: str) -> PoolGame:
    """Find a game by its name, or make the pool game of dice notation such as "4d6" or "2d4+d20"."""
    text = name.strip()
    if text.lower() in NAMED:
        return NAMED[text.lower()]
    if text[:1].isdigit() or (text[:1] in "dD" and text[1:2].isdigit()) or "+" in text or text[:2].lower() == "d-":
        pairs = dice.parse_dice(text)
        kinds = tuple(dice.standard_die(sides) for _, sides in pairs)
        counts = tuple(count for count, _ in pairs)
        return PoolGame(dice.format_dice(counts, kinds), counts, kinds, about="The highest sum wins.")
    near = difflib.get_close_matches(text.lower(), NAMED, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the names are {', '.join(NAMED)};"
    raise ValueError(f"there is no game {name!r}: {hint} 'gametheory games' lists them, or write dice as 12d6+d8")
