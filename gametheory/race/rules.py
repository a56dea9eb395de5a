"""The rules of press-your-luck races as data: 10000, Farkle, Pig and their house rules.

A turn starts with a throw of all dice. After each throw the player keeps dice that score, at least one, and
either banks the turn total or throws the dice that are left. A throw in which nothing scores is a bust: it
costs the turn total, nothing else, and the turn. With hot dice, a player who has used all dice throws all of
them again; without, the turn must then end. The first points that a player banks must be at least the opening
threshold in one turn; a turn that ends short of it counts nothing. Who banks to the goal or past it wins at
once.

Points are whole numbers, faces count from 1, a roll is a tuple of faces in descending order.
"""

from __future__ import annotations

import difflib
import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from operator import ge
from typing import Any, ClassVar, NamedTuple

from ..rulefile import check_text

Roll = tuple[int, ...]

# The rolls of all dice are listed one by one: beyond this many the classes would take minutes.
MOST_ROLLS = 20_000
MOST = 100_000_000
"""The largest number that a rule may say."""

MOST_SIDES = 1_000
MOST_DICE = 200


@dataclass(frozen=True)
class RaceGame:
    """One race; `singles` and `three_of_a_kind` give points by face, face 1 first, 0 where nothing scores."""

    name: str
    dice: int
    sides: int
    goal: int
    singles: tuple[int, ...]
    three_of_a_kind: tuple[int, ...] = ()
    # "double": each further die of the kind doubles the points. "none": it adds nothing of its own.
    # A tuple: the points of four, five, ... of a kind, whatever the face.
    more_of_a_kind: str | tuple[int, ...] = "none"
    straight: int = 0  # one die of every face
    three_pairs: int = 0  # of three different faces
    opening: int = 0
    hot_dice: bool = True
    bust_faces: tuple[int, ...] = ()  # one die that shows such a face busts the whole roll
    bust: str = "turn"  # what a bust costs
    about: str = ""  # the game in one sentence

    family: ClassVar[str] = "race"

    def __post_init__(self) -> None:
        """Refuse rules that are no race, each by name."""
        if not self.name:
            raise ValueError("name is empty: give the race a name")
        check_text("name", self.name)
        check_text("about", self.about)
        for key in ("dice", "sides", "goal", "straight", "three_pairs", "opening"):
            check_whole(key, getattr(self, key))
        for key, least in (("dice", 1), ("sides", 2), ("goal", 1)):
            if getattr(self, key) < least:
                raise ValueError(f"{key} is {getattr(self, key)}: give at least {least}")
        for key, most in (("dice", MOST_DICE), ("sides", MOST_SIDES)):
            if getattr(self, key) > most:
                raise ValueError(f"{key} is {getattr(self, key)}: give at most {most}")
        if math.comb(self.dice + self.sides - 1, self.dice) > MOST_ROLLS:
            raise ValueError(f"{self.dice} dice of {self.sides} sides have more than {MOST_ROLLS} rolls: use fewer dice")
        if not isinstance(self.hot_dice, bool):
            raise ValueError(f"hot_dice is {self.hot_dice!r}: say true or false")
        if self.bust != "turn":
            raise ValueError(f"bust is {self.bust!r}: a bust costs the turn total, nothing else; say 'turn'")
        for key in ("singles", "three_of_a_kind"):
            points = getattr(self, key)
            if len(points) not in (0, self.sides):
                raise ValueError(f"{key} has {len(points)} entries: give one for each of {self.sides} faces")
            for face, value in enumerate(points, 1):
                check_whole(f"{key} of face {face}", value)
        if isinstance(self.more_of_a_kind, str):
            if self.more_of_a_kind not in ("double", "none"):
                raise ValueError(
                    f"more_of_a_kind is {self.more_of_a_kind!r}: "
                    "say 'double', 'none' or the points of four, five, ... of a kind"
                )
        else:
            for count, value in enumerate(self.more_of_a_kind, 4):
                _check_scores(f"more_of_a_kind for {count} dice", value)
            if len(self.more_of_a_kind) > max(0, self.dice - 3):
                raise ValueError(
                    f"more_of_a_kind has {len(self.more_of_a_kind)} entries: "
                    f"{self.dice} dice need at most {max(0, self.dice - 3)}"
                )
        for face in self.bust_faces:
            check_whole("a bust face", face)
            if not 1 <= face <= self.sides:
                raise ValueError(f"bust face {face} is not on the dice: give faces from 1 to {self.sides}")
        if self.straight and self.dice < self.sides:
            raise ValueError(f"straight needs {self.sides} dice, {self.dice} given: set straight = 0")
        if self.three_pairs and (self.dice < 6 or self.sides < 3):
            raise ValueError(f"three_pairs needs 6 dice, {self.dice} given: set three_pairs = 0")
        self._check_reachable()

    def _check_reachable(self) -> None:
        """Refuse a race in which nobody gets anywhere, or in which a turn need never end."""
        # Any combinations that fit on the dice can come up in one turn, one throw after the other.
        most: list[int | None] = [0] + [None] * self.dice
        for used in range(1, self.dice + 1):
            for combination in scoring_table(self):
                before = most[used - sum(combination.counts)] if sum(combination.counts) <= used else None
                if before is not None:
                    most[used] = max(most[used] or 0, before + combination.points)
        top = max(points for points in most if points is not None)
        if top == 0:
            raise ValueError("the goal cannot be reached: no roll scores; give some face points")
        if top < self.opening and not (self.hot_dice and most[self.dice] is not None):
            raise ValueError(f"the goal cannot be reached: opening is {self.opening}, a turn makes at most {top}; lower it")
        blank = [face for face in range(1, self.sides + 1) if not _points_of(self.singles, face)]
        rolls = combinations_with_replacement(reversed(blank), self.dice)
        if self.hot_dice and not self.bust_faces and all(map(self._has_combination, rolls)):
            self._check_turns_end()

    def _has_combination(self, roll: Roll) -> bool:
        """Tell whether some dice of a roll score; as `keeps`, but for bust faces."""
        here = [roll.count(face) for face in range(1, self.sides + 1)]
        return any(all(map(ge, here, combination.counts)) for combination in scoring_table(self))

    def _check_turns_end(self) -> None:
        """Refuse hot dice with which a careful player never busts."""
        safe = set(range(1, self.dice + 1))
        while unsafe := {
            dice
            for dice in safe
            for outcome in outcome_classes(self, dice)
            if not any(option.dice_left in safe for option in outcome.options)
        }:
            safe -= unsafe
        if safe:
            raise ValueError("a turn need never end: some dice must be able to bust, or set hot_dice = false")

    @functools.cached_property
    def unit(self) -> int:
        """The greatest common divisor of all points: every score is a multiple of it."""
        return math.gcd(*(combination.points for combination in scoring_table(self)))

    def with_goal(self, goal: int) -> RaceGame:
        """Return the same race to another goal."""
        return replace(self, goal=goal)


class Combination(NamedTuple):
    """Dice that score together: how many of each face (face 1 first), and their points."""

    counts: tuple[int, ...]
    points: int


class Keep(NamedTuple):
    """Dice kept from a roll (faces descending), their points, and how many dice may be thrown next."""

    kept: Roll
    points: int
    dice_left: int


class Option(NamedTuple):
    """What a roll offers: points, and how many dice may be thrown next (0: the turn must end)."""

    points: int
    dice_left: int


class OutcomeClass(NamedTuple):
    """Rolls with the same options (fewest dice kept first, none is a bust); `weight` counts ordered rolls."""

    options: tuple[Option, ...]
    weight: int


def check_whole(key: str, value: object) -> None:
    """Refuse what is no whole number from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{key} is {value!r}: give a whole number")
    if value < 0:
        raise ValueError(f"{key} is {value}: give 0 or more, every scoring keep is worth more than 0")
    if value > MOST:
        raise ValueError(f"{key} is more than {MOST:,}: give less")


def _check_scores(key: str, value: object) -> None:
    check_whole(key, value)
    if value == 0:
        raise ValueError(f"{key} is 0: every scoring keep is worth more than 0, leave out what does not score")


def _points_of(points: tuple[int, ...], face: int) -> int:
    return points[face - 1] if points else 0


@functools.lru_cache(maxsize=64)
def scoring_table(game: RaceGame) -> tuple[Combination, ...]:
    """List every combination that scores."""
    found = []

    def add(counts: Mapping[int, int], points: int) -> None:
        if points and sum(counts.values()) <= game.dice and not set(counts) & set(game.bust_faces):
            found.append(Combination(tuple(counts.get(face, 0) for face in faces), points))

    faces = range(1, game.sides + 1)
    for face in faces:
        three = _points_of(game.three_of_a_kind, face)
        add({face: 1}, _points_of(game.singles, face))
        add({face: 3}, three)
        for further in range(1, game.dice - 2):
            if game.more_of_a_kind == "double":
                add({face: 3 + further}, three * 2**further)
            elif isinstance(game.more_of_a_kind, tuple) and further <= len(game.more_of_a_kind):
                add({face: 3 + further}, game.more_of_a_kind[further - 1])
    add(dict.fromkeys(faces, 1), game.straight)
    for three_faces in combinations(faces, 3):
        add(dict.fromkeys(three_faces, 2), game.three_pairs)
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _scorer(game: RaceGame) -> Callable[[tuple[int, ...]], int | None]:
    """Make the function from kept dice, how many of each face, to points; None unless every die scores."""
    by_lowest_face: dict[int, list[Combination]] = {}
    for combination in scoring_table(game):
        for face, count in enumerate(combination.counts):
            if count:
                by_lowest_face.setdefault(face, []).append(combination)

    @functools.cache
    def points(kept: tuple[int, ...]) -> int | None:
        if not any(kept):
            return 0
        lowest = next(face for face, count in enumerate(kept) if count)
        best = None
        for counts, worth in by_lowest_face.get(lowest, []):
            rest = tuple(have - use for have, use in zip(kept, counts, strict=True))
            if min(rest) >= 0 and (others := points(rest)) is not None:
                best = max(best or 0, worth + others)
        return best

    return points


def keep_points(game: RaceGame, kept: Roll) -> int | None:
    """Return what the kept dice are worth, split in the best way; None unless every one of them scores.

    >>> keep_points(RACES["ten-thousand"], (5, 1, 1)), keep_points(RACES["ten-thousand"], (6, 1, 1))
    (250, None)
    """
    counted = Counter(kept)
    return _scorer(game)(tuple(counted[face] for face in range(1, game.sides + 1))) if kept else None


def keeps(game: RaceGame, roll: Roll) -> list[Keep]:
    """List every distinct scoring keep of a roll, fewest dice first; an empty list is a bust.

    >>> keeps(RACES["ten-thousand"], (5, 1))
    [Keep(kept=(1,), points=100, dice_left=1), Keep(kept=(5,), points=50, dice_left=1), Keep(kept=(5, 1), points=150, dice_left=6)]
    """  # noqa: E501
    if set(roll) & set(game.bust_faces):
        return []
    faces = sorted(set(roll), reverse=True)
    counts = [range(roll.count(face) + 1) for face in faces]
    found = []
    for chosen in product(*counts):
        kept = tuple(face for face, count in zip(faces, chosen, strict=True) for _ in range(count))
        points = keep_points(game, kept)
        if points:
            used_up = len(kept) == len(roll)
            dice_left = (game.dice if game.hot_dice else 0) if used_up else len(roll) - len(kept)
            found.append(Keep(kept, points, dice_left))
    return sorted(found, key=lambda keep: (len(keep.kept), keep.kept))


def rolls(game: RaceGame, dice: int) -> Iterator[tuple[Roll, int]]:
    """List every distinct roll of so many dice with the exact number of ordered rolls it stands for."""
    for roll in combinations_with_replacement(range(game.sides, 0, -1), dice):
        yield roll, math.factorial(dice) // math.prod(map(math.factorial, Counter(roll).values()))


def best_options(game: RaceGame, roll: Roll) -> tuple[Option, ...]:
    """Return the most points for each number of dice that a roll can leave, fewest dice kept first.

    >>> best_options(RACES["ten-thousand"], (5, 1))
    (Option(points=100, dice_left=1), Option(points=150, dice_left=6))
    """
    best: dict[int, int] = {}
    for keep in keeps(game, roll):
        best[keep.dice_left] = max(keep.points, best.get(keep.dice_left, 0))
    by_dice_kept = sorted(best, key=lambda left: 0 if left in (0, game.dice) else left, reverse=True)
    return tuple(Option(best[left], left) for left in by_dice_kept)


@functools.lru_cache(maxsize=512)
def outcome_classes(game: RaceGame, dice: int) -> tuple[OutcomeClass, ...]:
    """List the distinct outcomes of so many dice: the most points for each number of dice left, and the bust.

    More points with the same dice left are never worse, so that lesser keeps can be dropped. The bust, where
    there is one, is the class without options; it counts as a class, as in the source of ten-thousand.

    >>> [len(outcome_classes(RACES["ten-thousand"], dice)) for dice in range(1, 7)]
    [3, 6, 14, 31, 61, 119]
    """
    weights: Counter[tuple[Option, ...]] = Counter()
    for roll, weight in rolls(game, dice):
        weights[best_options(game, roll)] += weight
    return tuple(OutcomeClass(options, weight) for options, weight in sorted(weights.items()))


def bust_chance(game: RaceGame, dice: int) -> Fraction:
    """Return the exact chance that a throw of so many dice busts.

    >>> bust_chance(RACES["ten-thousand"], 1)
    Fraction(2, 3)
    """
    weight = sum(outcome.weight for outcome in outcome_classes(game, dice) if not outcome.options)
    return Fraction(weight, game.sides**dice)


def to_dict(game: RaceGame) -> dict[str, Any]:
    """Return the rules as plain data for JSON, with the keys of a rules file."""
    data = asdict(game)
    for key in ("singles", "three_of_a_kind"):
        data[key] = {str(face): points for face, points in enumerate(data[key], 1) if points}
    data["bust_faces"] = list(game.bust_faces)
    if not isinstance(game.more_of_a_kind, str):
        data["more_of_a_kind"] = list(game.more_of_a_kind)
    return data


def from_dict(data: Mapping[str, Any]) -> RaceGame:
    """Build a race from plain data; `like` names a race of the catalogue to start from.

    >>> from_dict({"like": "ten-thousand", "name": "short", "goal": 5000}).goal
    5000
    """
    known = [*(field.name for field in fields(RaceGame)), "like"]
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.0)[0]
            raise ValueError(f"unknown key {key!r}: did you mean {near!r}?")
    rules: dict[str, Any] = {}
    if "like" in data:
        if data["like"] not in RACES:
            raise ValueError(f"like is {data['like']!r}: name one of {', '.join(RACES)}")
        rules = to_dict(RACES[data["like"]])
    rules |= {key: value for key, value in data.items() if key != "like"}
    for key in ("name", "dice", "sides", "goal", "singles"):
        if key not in rules:
            raise ValueError(f"{key} is missing: give it, or start from a named race, like = 'ten-thousand'")
    for key in ("name", "about"):
        if not isinstance(rules.get(key, ""), str):
            raise ValueError(f"{key} is {rules[key]!r}: give a text")
    check_whole("sides", rules["sides"])
    if rules["sides"] > MOST_SIDES:
        raise ValueError(f"sides is {rules['sides']}: give at most {MOST_SIDES}")
    for key in ("singles", "three_of_a_kind"):
        rules[key] = _by_face(key, rules.get(key, {}), rules["sides"])
    for key in ("bust_faces", "more_of_a_kind"):
        if isinstance(rules.get(key), list):
            rules[key] = tuple(rules[key])
    if not isinstance(rules.get("bust_faces", ()), tuple):
        raise ValueError(f"bust_faces is {rules['bust_faces']!r}: give a list of faces")
    if not isinstance(rules.get("more_of_a_kind", ""), str | tuple):
        raise ValueError(f"more_of_a_kind is {rules['more_of_a_kind']!r}: say 'double', 'none' or a list")
    return RaceGame(**rules)


def _by_face(key: str, points: object, sides: int) -> tuple[int, ...]:
    """Turn {"1": 100, "5": 50} into points by face."""
    if not isinstance(points, Mapping):
        raise ValueError(f"{key} is {points!r}: give a table of faces and points, like {{1 = 100, 5 = 50}}")
    for face, value in points.items():
        if not (face.isascii() and face.isdigit() and 1 <= int(face) <= sides):
            raise ValueError(f"{key} has face {face!r}: give faces from 1 to {sides}")
        _check_scores(f"{key} of face {face}", value)
    found = {int(face): value for face, value in points.items()}
    return tuple(found.get(face, 0) for face in range(1, sides + 1)) if found else ()


_THREES = (1000, 200, 300, 400, 500, 600)

RACES: dict[str, RaceGame] = {
    race.name: race
    for race in (
        # The points are those of github.com/Amund211/10001.
        RaceGame(
            "ten-thousand",
            dice=6,
            sides=6,
            goal=10_000,
            singles=(100, 0, 0, 0, 50, 0),
            three_of_a_kind=_THREES,
            more_of_a_kind="double",
            straight=2000,
            three_pairs=1500,
            opening=1000,
            about="Six dice, 1s, 5s, three or more of a kind, straights and three pairs score; open with 1000.",
        ),
        RaceGame(
            "farkle",
            dice=6,
            sides=6,
            goal=10_000,
            singles=(100, 0, 0, 0, 50, 0),
            three_of_a_kind=_THREES,
            about="Six dice, only 1s, 5s and three of a kind score; no opening threshold.",
        ),
        RaceGame(
            "pig",
            dice=1,
            sides=6,
            goal=100,
            singles=(0, 2, 3, 4, 5, 6),
            bust_faces=(1,),
            about="One die: roll as often as you like, a 1 loses the turn total.",
        ),
        # A coin: heads (2) is a point, tails (1) busts. Neller and Presser's first example.
        RaceGame(
            "piglet",
            dice=1,
            sides=2,
            goal=2,
            singles=(0, 1),
            bust_faces=(1,),
            about="Pig with a coin, first to two heads.",
        ),
    )
}
