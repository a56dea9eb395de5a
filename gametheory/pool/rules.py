"""The rules of pool games: roll all dice that are left, keep one or more, until none are left.

House rules may ask for more dice a roll (`keep_at_least`), or end the game after so many rolls (`roll_limit`).

Whoever reads this understands the game; nothing here solves anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, ClassVar, NamedTuple

from .. import dice
from ..dice import Die, Roll
from ..rulefile import check_text


class State(NamedTuple):
    """A position of a pool game: how many dice of each kind are left to roll, and the points banked.

    Where rolls are counted, `rolls_left` is how many may still be made: 0 when no dice are left.
    """

    dice_left: tuple[int, ...]
    banked: int
    rolls_left: int | None = None


@dataclass(frozen=True)
class PoolGame:
    """Roll all dice that are left, keep at least one of them, bank its points, and so on until no dice are left.

    `counts[k]` dice of `kinds[k]`; the higher final score wins, or the lower. Of each roll `keep_at_least` dice are kept,
    or all that are left; after `roll_limit` rolls, where that is said, all are kept.

    Inside the solvers a score is counted as its *gain*: the points above the worst that the same dice can make. So a
    gain is never negative and more of it is always better, whether higher or lower scores win.
    """

    name: str
    counts: tuple[int, ...]
    kinds: tuple[Die, ...]
    higher_wins: bool = True
    about: str = ""
    keep_at_least: int = 1
    roll_limit: int | None = None

    family: ClassVar[str] = "pool"

    def __post_init__(self) -> None:
        if not self.kinds or len(self.counts) != len(self.kinds):
            raise ValueError(f"the game {self.name!r} has {len(self.counts)} counts for {len(self.kinds)} kinds of dice")
        check_text("name", self.name)
        check_text("about", self.about)
        if not all(type(count) is int for count in self.counts):
            raise ValueError(f"the game {self.name!r} has {self.counts} dice: give whole numbers")
        if sum(self.counts) > dice.MAX_DICE:
            raise ValueError(f"the game {self.name!r} has {sum(self.counts)} dice: at most {dice.MAX_DICE} can be in a game")
        if min(self.counts) < 1:
            raise ValueError(f"the game {self.name!r} has {min(self.counts)} dice of a kind: give 1 or more")
        names = [die.name for die in self.kinds]
        if len(set(names)) < len(names):
            raise ValueError(f"the game {self.name!r} names two kinds of dice alike: {', '.join(names)}")
        if [die.sides for die in self.kinds] != sorted(die.sides for die in self.kinds):
            raise ValueError(f"the game {self.name!r} lists {', '.join(names)}: list dice with fewer sides first")
        self._check_limits()

    def _check_limits(self) -> None:
        """Refuse limits that are none, or that no game comes to."""
        _check_count("keep_at_least", self.keep_at_least)
        total = sum(self.counts)
        if self.keep_at_least > total:
            raise ValueError(f"keep_at_least is {self.keep_at_least}: the game has {total} dice, give 1 to {total}")
        if self.roll_limit is None:
            return
        _check_count("rolls", self.roll_limit)
        most = -(-total // self.keep_at_least)
        if self.roll_limit > most:
            raise ValueError(
                f"rolls is {self.roll_limit}: {total} dice take at most {most} rolls if {self.keep_at_least} or more are "
                f"kept of each; give 1 to {most}, or leave rolls out"
            )

    # The rules: the four methods of Game.

    @property
    def start(self) -> State:
        return State(self.counts, 0, self.roll_limit)

    def rolls(self, state: State) -> Iterator[tuple[Roll, int]]:
        return dice.rolls(state.dice_left, self.kinds) if any(state.dice_left) else iter(())

    def moves(self, state: State, roll: Roll) -> Iterator[tuple[Roll, State, int]]:
        least = self.least(state.dice_left, state.rolls_left)
        for keep in dice.keeps(roll):
            if sum(map(len, keep)) >= least:
                yield keep, self.after(state, keep), self.points(keep)

    def score(self, state: State) -> int:
        return state.banked

    def points(self, keep: Roll) -> int:
        """Add up what the kept dice are worth."""
        return sum(die.points[face - 1] for faces, die in zip(keep, self.kinds, strict=True) for face in faces)

    def least(self, dice_left: tuple[int, ...], rolls_left: int | None = None) -> int:
        """Return how many dice must be kept of a roll of these, the next of so many rolls that may still be made."""
        total = sum(dice_left)
        return total if rolls_left == 1 else min(self.keep_at_least, total)

    def after(self, state: State, keep: Roll) -> State:
        """Return the state that a keep leads to."""
        left = tuple(n - len(faces) for n, faces in zip(state.dice_left, keep, strict=True))
        return State(left, state.banked + self.points(keep), self.rolls_after(left, state.rolls_left))

    def rolls_after(self, dice_left: tuple[int, ...], rolls_left: int | None) -> int | None:
        """Return how many rolls may still be made when these dice are left of a roll; None where nobody counts."""
        if self.roll_limit is None:
            return None
        if rolls_left is None:
            raise ValueError(f"{self.name} counts its rolls: say how many are left, State(dice_left, banked, rolls_left)")
        return rolls_left - 1 if any(dice_left) else 0

    # What follows from them.

    @property
    def plain(self) -> bool:
        """Whether one die a roll is enough and nobody counts rolls."""
        return self.keep_at_least == 1 and self.roll_limit is None

    def most_rolls(self, dice_left: tuple[int, ...], rolls_left: int | None = None) -> int:
        """Return the most rolls that these dice can still take."""
        most = -(-sum(dice_left) // self.keep_at_least)
        return most if rolls_left is None else min(most, rolls_left)

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

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, ...], int | None], ...]:
        """Every (dice left, rolls left), by dice as in `pools` and then by rolls; play does not come to all of them."""
        return tuple(product(self.pools, (None,) if self.roll_limit is None else range(self.roll_limit + 1)))

    def place(self, dice_left: tuple[int, ...], rolls_left: int | None = None) -> int:
        """Find dice and rolls left in `places`; all that is finished is the first."""
        index = self.pool_index(dice_left)
        if self.roll_limit is None or index == 0:
            return index * (1 + (self.roll_limit or 0))
        if rolls_left is None or not 0 < rolls_left <= self.roll_limit:
            raise ValueError(f"{rolls_left} rolls left of {self.name}: give 1 to {self.roll_limit}")
        return index * (self.roll_limit + 1) + rolls_left

    def reaches(self, dice_left: tuple[int, ...], rolls_left: int | None = None) -> bool:
        """Tell whether play can come to so many dice with so many rolls left."""
        aside, none = sum(self.counts) - sum(dice_left), not any(dice_left)
        if self.roll_limit is None:
            return aside == 0 or none or aside >= self.keep_at_least
        if none or not rolls_left:
            return none and not rolls_left
        made = self.roll_limit - rolls_left
        return (made == 0) == (aside == 0) and aside >= made * self.keep_at_least

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

    def best_gains(self, kind: int, count: int) -> tuple[list[list[int]], list[float]]:
        """Return, for every roll of so many dice of a kind, what its best 0, 1, 2, ... dice gain, and its chance."""
        die, gains = self.kinds[kind], self.face_gains(kind)
        tops, chances = [], []
        for faces, weight in die.roll(count):
            best = sorted((gains[face - 1] for face in faces), reverse=True)
            tops.append([sum(best[:j]) for j in range(count + 1)])
            chances.append(weight / die.sides**count)
        return tops, chances

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
            **({} if self.keep_at_least == 1 else {"keep_at_least": self.keep_at_least}),
            **({} if self.roll_limit is None else {"rolls": self.roll_limit}),
        }

    def check_dice(self, dice_left: tuple[int, ...]) -> None:
        """Refuse more dice than the game has."""
        for left, count, die in zip(dice_left, self.counts, self.kinds, strict=True):
            if left > count:
                raise ValueError(f"{left} {die.name} in the roll: {self.name} has {count} of them")

    def check_state(self, dice_left: tuple[int, ...], banked: int, rolls_left: int | None = None) -> None:
        """Refuse dice and rolls that play does not come to, and points that the dice set aside cannot have made."""
        self.check_dice(dice_left)
        if not self.reaches(dice_left, rolls_left):
            left = dice.format_dice(dice_left, self.kinds)
            after = "" if rolls_left is None else f" with {rolls_left} rolls to make of {self.roll_limit}"
            raise ValueError(
                f"play of {self.name} does not come to {left} left{after}: each roll sets aside {self.keep_at_least} or more"
            )
        aside = self.banked_dice(dice_left)
        known = self.scores(aside)
        if banked not in known:
            below, above = ([score for score in known if (score > banked) is side] for side in (False, True))
            near = f", but not {banked}: {max(below)} or {min(above)} are near it" if below and above else ""
            raise ValueError(
                f"{banked} points cannot be banked with {dice.format_dice(dice_left, self.kinds)} left: "
                f"{dice.format_dice(aside, self.kinds)} set aside can make "
                f"{self.lowest(aside)} to {self.highest(aside)} points{near}"
            )


def _check_count(key: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{key} is {value!r}: give a whole number from 1 on")


def _shift_by_any(bits: int, steps: set[int]) -> int:
    shifted = 0
    for step in steps:
        shifted |= bits << step
    return shifted


def _biscuit_dice(lost: bool) -> dict[str, Any]:
    sides = (6, 8, 10, 12)
    return {
        "counts": (12, 1, 1, 1),
        "kinds": tuple(Die(f"d{s}", tuple(s - f if lost else f for f in range(1, s + 1))) for s in sides),
    }


POOLS: dict[str, PoolGame] = {
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
        PoolGame(
            "poker-coins",  # item 67 of HAKMEM (Beeler, Gosper and Schroeppel, MIT AI Memo 239, 1972)
            (10,),
            (Die("d2", (0, 1)),),
            about="Toss ten coins, set aside one or more, toss the rest; a 2 is heads, and most heads win.",
        ),
    )
}


def from_dice(text: str) -> PoolGame:
    """Make the pool game of dice notation: the highest sum wins."""
    pairs = dice.parse_dice(text)
    kinds = tuple(dice.standard_die(sides) for _, sides in pairs)
    counts = tuple(count for count, _ in pairs)
    return PoolGame(dice.format_dice(counts, kinds), counts, kinds, about="The highest sum wins.")


def from_rules(rules: dict[str, Any]) -> PoolGame:
    """Make a pool from the plain data that `PoolGame.rules` returns; a named one if these are its rules."""
    named = POOLS.get(rules["name"])
    if named is not None and named.rules() == rules:
        return named
    return PoolGame(
        name=rules["name"],
        counts=tuple(kind["count"] for kind in rules["dice"]),
        kinds=tuple(Die(kind["die"], tuple(kind["points"])) for kind in rules["dice"]),
        higher_wins=rules["wins"] == "higher",
        keep_at_least=rules.get("keep_at_least", 1),
        roll_limit=rules.get("rolls"),
    )
