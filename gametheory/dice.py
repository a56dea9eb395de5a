"""Multisets of dice: notation, rolls as multisets with exact integer weights, and what may be kept of a roll.

A *die* is a name and the points of its faces: face f of a die is worth `points[f - 1]`. A *roll* of several kinds of
dice is a tuple with one entry a kind, in the order of the kinds, each the faces shown in descending order:
`((6, 6, 5), (7,), (), (11,))` is d6:6,6,5 d8:7 d12:11. A *keep* has the same shape.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, combinations_with_replacement, product, repeat
from math import comb, factorial, prod

Faces = tuple[int, ...]
Roll = tuple[Faces, ...]

MAX_SIDES = 1000
MAX_DICE = 200
MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class Die:
    """One kind of die: a name such as "d6" and the points of its faces 1, 2, 3, ..."""

    name: str
    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.points) <= MAX_SIDES:
            raise ValueError(f"{self.name} has {len(self.points)} faces: a die has from 2 to {MAX_SIDES}")
        if not all(isinstance(p, int) and not isinstance(p, bool) for p in self.points):
            raise ValueError(f"the points of {self.name} must be whole numbers, not {str(list(self.points))[:60]}")
        if max(map(abs, self.points)) > MAX_POINTS:
            raise ValueError(f"a face of {self.name} is worth more than {MAX_POINTS:,} points, or less than minus that")

    @property
    def sides(self) -> int:
        return len(self.points)

    @cached_property
    def lowest(self) -> int:
        return min(self.points)

    @cached_property
    def highest(self) -> int:
        return max(self.points)

    def roll(self, count: int) -> Iterator[tuple[Faces, int]]:
        """Yield every multiset of faces that `count` such dice can show, with the number of ways it comes up.

        >>> list(standard_die(2).roll(2))
        [((2, 2), 1), ((2, 1), 2), ((1, 1), 1)]
        """
        for faces in combinations_with_replacement(range(self.sides, 0, -1), count):
            yield faces, factorial(count) // prod(factorial(faces.count(face)) for face in set(faces))


def standard_die(sides: int) -> Die:
    """Make the usual die, whose faces count what they show."""
    return Die(f"d{sides}", tuple(range(1, sides + 1)))


def parse_dice(text: str) -> tuple[tuple[int, int], ...]:
    """Read dice notation into (count, sides) pairs, fewest sides first.

    >>> parse_dice("d8+12d6+d8")
    ((12, 6), (2, 8))
    """
    counts: dict[int, int] = {}
    for term in text.replace(" ", "").split("+"):
        match = re.fullmatch(r"(\d*)[dD](\d+)", term, re.ASCII)
        if not match:
            raise ValueError(
                f"cannot read {term!r} in the dice {text!r}: write dice as 12d6+d8+d10+d12, each a number of dice and d "
                "and a number of sides"
            )
        count, sides = int(match[1] or 1), int(match[2])
        if count < 1:
            raise ValueError(f"{term!r} in the dice {text!r} has no dice: leave it out, or write 1 or more before the d")
        if not 2 <= sides <= MAX_SIDES:
            raise ValueError(f"{term!r} in the dice {text!r}: a die has from 2 to {MAX_SIDES} sides, not {sides}")
        counts[sides] = counts.get(sides, 0) + count
    if sum(counts.values()) > MAX_DICE:
        raise ValueError(f"{text!r} is {sum(counts.values())} dice: at most {MAX_DICE} dice can be in a game")
    return tuple((counts[sides], sides) for sides in sorted(counts))


def parse_counts(text: str, kinds: Sequence[Die]) -> tuple[int, ...]:
    """Read how many dice of each of these kinds there are; "none" is none at all.

    >>> parse_counts("2d8", (standard_die(6), standard_die(8)))
    (0, 2)
    """
    if text.strip().lower() == "none":
        return tuple(0 for _ in kinds)
    given = {f"d{sides}": count for count, sides in parse_dice(text)}
    names = [die.name for die in kinds]
    for name in given:
        if name not in names:
            raise ValueError(f"{name} in the dice {text!r}: the game's dice are {', '.join(names)}")
    return tuple(given.get(name, 0) for name in names)


def format_dice(counts: Sequence[int], kinds: Sequence[Die]) -> str:
    """Write how many of each kind as dice notation; no dice at all is "none".

    >>> format_dice((12, 0, 1), (standard_die(6), standard_die(8), standard_die(10)))
    '12d6+d10'
    """
    terms = [f"{count if count > 1 else ''}{die.name}" for count, die in zip(counts, kinds, strict=True) if count]
    return "+".join(terms) or "none"


def parse_roll(text: str, kinds: Sequence[Die]) -> Roll:
    """Read a roll such as "d6:6,6,5 d8:7" or "d6:6x12 d8:1" for these kinds of dice.

    >>> parse_roll("d8:7 d6:5,6x2", (standard_die(6), standard_die(8)))
    ((6, 6, 5), (7,))
    >>> parse_roll("4431", (standard_die(6),))
    ((4, 4, 3, 1),)
    """
    names = [die.name for die in kinds]
    if len(kinds) == 1 and text.strip()[:1].isdigit() and ":" not in text:
        return (tuple(sorted(parse_faces(text, kinds[0].sides), reverse=True)),)
    found: dict[str, list[int]] = {}
    groups = text.split()
    if not groups:
        raise ValueError(f'the roll is empty: write the dice that lie on the table, as in "{names[0]}:1,1"')
    for group in groups:
        name, colon, shown = group.partition(":")
        name = name.lower()
        if name not in names:
            raise ValueError(
                f"{group!r} in the roll {text!r}: the game has no such die; its dice are {', '.join(names)}, written as "
                f'"{names[0]}:1,1"'
            )
        die = kinds[names.index(name)]
        faces = found.setdefault(name, [])
        for item in shown.split(",") if colon else [""]:
            match = re.fullmatch(r"(\d+)(?:[xX](\d+))?", item.strip(), re.ASCII)
            if not match:
                raise ValueError(
                    f'cannot read {group!r} in the roll {text!r}: write the faces as "{name}:1,1" or "{name}:1x2"'
                )
            face, times = int(match[1]), int(match[2] or 1)
            if not 1 <= face <= die.sides:
                raise ValueError(f"{group!r} in the roll {text!r}: a {name} has faces 1 to {die.sides}, not {face}")
            if not 1 <= times <= MAX_DICE:
                raise ValueError(f"{group!r} in the roll {text!r}: {times} dice of one face; write 1 to {MAX_DICE}")
            faces += [face] * times
    return tuple(tuple(sorted(found.get(name, []), reverse=True)) for name in names)


def parse_faces(text: str, sides: int) -> list[int]:
    """Read faces of dice that are all alike: "1 1 5", "1,1,5" or "6x12"; "115" where faces have one digit.

    >>> parse_faces("11 5x3", 6)
    [1, 1, 5, 5, 5]
    """
    found: list[int] = []
    for word in text.replace(",", " ").split():
        match = re.fullmatch(r"(\d+)(?:[xX](\d+))?", word, re.ASCII)
        faces = [] if match is None else [*map(int, match[1])] if sides <= 9 else [int(match[1])]
        times = 1 if match is None or match[2] is None else int(match[2])
        if not faces or not all(1 <= face <= sides for face in faces):
            together = ", one after the other or run together" if sides <= 9 else ""
            raise ValueError(f"{word!r} in the roll {text!r} is no face of a die: give faces from 1 to {sides}{together}")
        if not 1 <= times <= MAX_DICE or (times > 1 and len(faces) > 1):
            raise ValueError(f"{word!r} in the roll {text!r}: write one face times 1 to {MAX_DICE}, as in 6x3")
        found += faces * times
    return found


def format_roll(roll: Roll, kinds: Sequence[Die]) -> str:
    """Write a roll or a keep, dice ascending and faces descending; more than two alike as 6x3.

    >>> format_roll(((6, 6, 6, 5), (7,)), (standard_die(6), standard_die(8)))
    'd6:6x3,5 d8:7'
    """
    groups = []
    for faces, die in zip(roll, kinds, strict=True):
        if faces:
            shown = [
                f"{face}x{faces.count(face)}" if faces.count(face) > 2 else ",".join([str(face)] * faces.count(face))
                for face in sorted(set(faces), reverse=True)
            ]
            groups.append(f"{die.name}:{','.join(shown)}")
    return " ".join(groups) or "nothing"


def weight(roll: Roll) -> int:
    """Return the number of ways a roll comes up.

    >>> weight(((6, 6, 5), (7,)))
    3
    """
    return prod(factorial(len(faces)) // prod(factorial(faces.count(face)) for face in set(faces)) for faces in roll)


@lru_cache(maxsize=256)
def _listed(die: Die, count: int) -> tuple[Faces, ...]:
    return tuple(faces for faces, _ in die.roll(count))


def nth_roll(die: Die, count: int, number: int) -> Faces:
    """Return the roll at a place in the order of `Die.roll`."""
    return _listed(die, count)[number]


def rolls(counts: Sequence[int], kinds: Sequence[Die]) -> Iterator[tuple[Roll, int]]:
    """Yield every roll of these dice with its exact weight: the number of ways it comes up."""
    for parts in product(*(list(die.roll(count)) for count, die in zip(counts, kinds, strict=True))):
        yield tuple(faces for faces, _ in parts), prod(weight for _, weight in parts)


def count_rolls(counts: Sequence[int], kinds: Sequence[Die]) -> int:
    """Count the distinct rolls of these dice."""
    return prod(comb(count + die.sides - 1, count) for count, die in zip(counts, kinds, strict=True))


def keeps(roll: Roll) -> Iterator[Roll]:
    """Yield every distinct non-empty sub-multiset of a roll, once.

    >>> list(keeps(((6, 6, 1),)))
    [((1,),), ((6,),), ((6, 1),), ((6, 6),), ((6, 6, 1),)]
    """
    for keep in product(*map(_parts, roll)):
        if any(keep):
            yield keep


@lru_cache(maxsize=4096)  # the same dice are thrown in many states
def _parts(faces: Faces) -> tuple[Faces, ...]:
    """Return every distinct sub-multiset of some faces, that of none first."""
    shown = sorted(set(faces), reverse=True)
    counts = product(*(range(faces.count(face) + 1) for face in shown))
    return tuple(tuple(chain.from_iterable(map(repeat, shown, kept))) for kept in counts)


# Seeded dice.


class Stream:
    """Seeded dice (mulberry32), one stream for each player: 0 throws first, 1 second.

    The page has the same (`web/random.js`), so that a game number is the same game in both.
    """

    def __init__(self, seed: int, player: int) -> None:
        self.state = seed ^ (0x9E3779B9 if player else 0)

    def _next(self) -> int:
        full = 0xFFFFFFFF
        self.state = (self.state + 0x6D2B79F5) & full
        t = (self.state ^ (self.state >> 15)) * (self.state | 1) & full
        t = ((t + ((t ^ (t >> 7)) * (t | 61))) & full) ^ t
        return t ^ (t >> 14)

    def roll(self, count: int, sides: int) -> Faces:
        """Throw so many dice; faces descending.

        >>> Stream(4711, 0).roll(5, 6) == Stream(4711, 0).roll(5, 6)
        True
        """
        return tuple(sorted(((self._next() * sides >> 32) + 1 for _ in range(count)), reverse=True))

    def draw(self, weights: Sequence[int]) -> int:
        """Draw one of several by weight; return its place.

        >>> sorted({Stream(seed, 0).draw([1, 0, 3]) for seed in range(50)})
        [0, 2]
        """
        sums = list(accumulate(weights))
        number, bits = 0, 0
        # 32 bits more than the sum of the weights has: no weight is then off by more than one part in 2**32.
        while bits < sums[-1].bit_length() + 32:
            number, bits = number << 32 | self._next(), bits + 32
        return bisect_right(sums, number * sums[-1] >> bits)
