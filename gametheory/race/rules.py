"""The rules of press-your-luck races as data: 10000, Farkle, Pig and their house rules.

A turn starts with a throw of all dice. After each throw the player keeps dice that score, at least one, and
either banks the turn total or throws the dice that are left. A throw in which nothing scores is a bust: it
costs the turn total and the turn. With hot dice, a player who has used all dice throws all of them again; without,
the turn must then end. The first points that a player banks must be at least the opening threshold in one turn, all
of them at least the minimum; a turn that ends short of it counts nothing. Who banks to the goal or past it wins at
once. House rules change this, each by its key; a file says only what it needs.

    exact           the goal must be hit: a keep past it may not be made; a throw that leaves no other keep is a bust
    three_busts     the third turn in a row that banks nothing costs points, down to `lowest`; a bank ends the row
    bust_all        "score": a throw of nothing but bust faces costs the whole score
    last_round      who banks to the goal has not won yet: the other has one more turn to beat that score

Points are whole numbers, faces count from 1, a roll is a tuple of faces in descending order.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from operator import ge
from typing import ClassVar, NamedTuple

from ..rulefile import check_text
from .combinations import Combination, Scorer, list_combinations, make_scorer, points_of

Roll = tuple[int, ...]

# The rolls of all dice are listed one by one: beyond this many the classes would take minutes.
MOST_ROLLS = 20_000
MOST = 100_000_000
"""The largest number that a rule may say."""

MOST_SIDES = 1_000
MOST_DICE = 200

WHOLE = (
    "dice", "sides", "goal", "straight", "three_pairs", "opening", "two_triplets", "four_and_pair", "nothing", "minimum",
)  # fmt: skip

@dataclass(frozen=True)
class RaceGame:
    """One race; `singles` and `three_of_a_kind` give points by face, face 1 first, 0 where nothing scores."""

    name: str
    dice: int
    sides: int
    goal: int
    singles: tuple[int, ...]
    three_of_a_kind: tuple[int, ...] = ()
    # "double": each further die of the kind doubles the points. "add": it adds those of three. "none": nothing of its own.
    # A tuple: the points of four, five, ... of a kind, whatever the face.
    more_of_a_kind: str | tuple[int, ...] = "none"
    straight: int = 0  # one die of every face
    three_pairs: int = 0  # of three different faces
    opening: int = 0
    hot_dice: bool = True
    bust_faces: tuple[int, ...] = ()  # one die that shows such a face busts the whole roll
    bust: str = "turn"  # what a bust costs
    two_triplets: int = 0  # of two different faces
    four_and_pair: int = 0
    sets: tuple[tuple[Roll, int], ...] = ()  # further sets of faces, ascending, and their points
    nothing: int = 0  # a throw of all dice in which nothing scores: the points, all dice being used
    keep_all: bool = False  # all dice of a throw must be kept; one that does not score busts
    minimum: int = 0
    exact: bool = False
    three_busts: int | str = 0  # points, or "score"
    lowest: int = 0
    bust_all: str = "turn"
    last_round: bool = False
    pass_dice: bool = False  # whether the next player may go on with the dice that are left: not played here
    about: str = ""  # the game in one sentence

    family: ClassVar[str] = "race"

    def __post_init__(self) -> None:
        """Refuse rules that are no race, each by name."""
        if not self.name:
            raise ValueError("name is empty: give the race a name")
        check_text("name", self.name)
        check_text("about", self.about)
        for key in (*WHOLE, *(() if self.three_busts == "score" else ("three_busts",))):
            check_whole(key, getattr(self, key))
        for key, least in (("dice", 1), ("sides", 2), ("goal", 1)):
            if getattr(self, key) < least:
                raise ValueError(f"{key} is {getattr(self, key)}: give at least {least}")
        for key, most in (("dice", MOST_DICE), ("sides", MOST_SIDES)):
            if getattr(self, key) > most:
                raise ValueError(f"{key} is {getattr(self, key)}: give at most {most}")
        if math.comb(self.dice + self.sides - 1, self.dice) > MOST_ROLLS:
            raise ValueError(f"{self.dice} dice of {self.sides} sides have more than {MOST_ROLLS} rolls: use fewer dice")
        for key in ("hot_dice", "keep_all", "exact", "last_round", "pass_dice"):
            if not isinstance(getattr(self, key), bool):
                raise ValueError(f"{key} is {getattr(self, key)!r}: say true or false")
        if self.bust != "turn":
            raise ValueError(f"bust is {self.bust!r}: a bust costs the turn total, nothing else; say 'turn'")
        self._check_points()
        self._check_house_rules()
        self._check_reachable()

    def _check_points(self) -> None:
        """Refuse combinations that do not fit on the dice."""
        for key in ("singles", "three_of_a_kind"):
            points = getattr(self, key)
            if len(points) not in (0, self.sides):
                raise ValueError(f"{key} has {len(points)} entries: give one for each of {self.sides} faces")
            for face, value in enumerate(points, 1):
                check_whole(f"{key} of face {face}", value)
        if isinstance(self.more_of_a_kind, str):
            if self.more_of_a_kind not in ("double", "add", "none"):
                raise ValueError(
                    f"more_of_a_kind is {self.more_of_a_kind!r}: "
                    "say 'double', 'add', 'none' or the points of four, five, ... of a kind"
                )
        else:
            for count, value in enumerate(self.more_of_a_kind, 4):
                check_scores(f"more_of_a_kind for {count} dice", value)
            if len(self.more_of_a_kind) > max(0, self.dice - 3):
                raise ValueError(
                    f"more_of_a_kind has {len(self.more_of_a_kind)} entries: "
                    f"{self.dice} dice need at most {max(0, self.dice - 3)}"
                )
        for face in self.bust_faces:
            check_whole("a bust face", face)
            if not 1 <= face <= self.sides:
                raise ValueError(f"bust face {face} is not on the dice: give faces from 1 to {self.sides}")
        for kept, points in self.sets:
            said = "".join(map(str, kept))
            check_scores(f"sets of {said}", points)
            if not 1 <= len(kept) <= self.dice or not all(1 <= face <= self.sides for face in kept):
                raise ValueError(f"sets has {said}: give up to {self.dice} faces from 1 to {self.sides}")
        if self.straight and self.dice < self.sides:
            raise ValueError(f"straight needs {self.sides} dice, {self.dice} given: set straight = 0")
        for key, sides in (("three_pairs", 3), ("two_triplets", 2), ("four_and_pair", 2)):
            if getattr(self, key) and (self.dice < 6 or self.sides < sides):
                raise ValueError(f"{key} needs 6 dice, {self.dice} given: set {key} = 0")

    def _check_house_rules(self) -> None:
        """Refuse house rules that say nothing, or that do not go together."""
        if self.pass_dice:
            raise ValueError("pass_dice is true: nobody goes on with another's dice here; leave it out")
        if not isinstance(self.lowest, int) or isinstance(self.lowest, bool) or self.lowest > 0:
            raise ValueError(f"lowest is {self.lowest!r}: give 0 or a whole number below, the floor of scores")
        if self.lowest and (not self.three_busts or self.three_busts == "score"):
            raise ValueError(f"lowest is {self.lowest}: only three_busts = points take a score below 0; leave it out")
        if self.bust_all not in ("turn", "score"):
            raise ValueError(f"bust_all is {self.bust_all!r}: say 'turn' or 'score', what a throw of bust faces alone costs")
        if self.bust_all == "score" and not self.bust_faces:
            raise ValueError("bust_all is 'score', but no face busts: give bust_faces")
        if self.exact and self.last_round:
            raise ValueError("exact and last_round are both true: who hits the goal cannot be beaten; leave one out")

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
        for key in ("opening", "minimum"):
            least = getattr(self, key)
            if top < least and not (self.hot_dice and (self.keep_all or most[self.dice] is not None)):
                raise ValueError(f"the goal cannot be reached: {key} is {least}, a turn makes at most {top}; lower it")
        if self.exact:
            self._check_exact()
        blank = [face for face in range(1, self.sides + 1) if not points_of(self.singles, face)]
        rolls = combinations_with_replacement(reversed(blank), self.dice)
        if self.hot_dice and not self.bust_faces and (self.nothing or all(map(self._has_combination, rolls))):
            self._check_turns_end()

    def _check_exact(self) -> None:
        """Refuse an exact goal that some score can no longer hit."""
        totals = set()  # those that a turn can bank
        seen, fresh = {(0, self.dice)}, [(0, self.dice)]
        while fresh:
            total, dice = fresh.pop()
            for outcome in outcome_classes(self, dice):
                for option in outcome.options:
                    place = (total + option.points, option.dice_left)
                    if place[0] <= self.goal and place not in seen:
                        seen.add(place)
                        totals.add(place[0])
                        if option.dice_left:
                            fresh.append(place)
        left = {0}
        for need in range(self.unit, self.goal + 1, self.unit):
            if any(total >= self.minimum and need - total in left for total in totals if total <= need):
                left.add(need)
        start = [total for total in totals if total >= max(self.opening, self.minimum)]
        scores = set(start)
        for score in range(0, self.goal, self.unit):
            if score not in scores:
                continue
            if self.goal - score not in left:
                raise ValueError(
                    f"the goal cannot always be hit: nothing leads from {score} to {self.goal}; set exact = false"
                )
            scores |= {score + total for total in totals if total >= self.minimum}
        if not start:
            raise ValueError(f"the goal cannot be reached: no turn makes {self.opening} to {self.goal}; set exact = false")

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
        costs = (self.lowest, 0 if self.three_busts == "score" else int(self.three_busts))
        return math.gcd(self.nothing, *costs, *(combination.points for combination in scoring_table(self)))

    @property
    def can_fall(self) -> bool:
        """Whether a score can become less."""
        return bool(self.three_busts) or self.bust_all == "score"

    def with_goal(self, goal: int) -> RaceGame:
        """Return the same race to another goal."""
        return replace(self, goal=goal)


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


def check_scores(key: str, value: object) -> None:
    check_whole(key, value)
    if value == 0:
        raise ValueError(f"{key} is 0: every scoring keep is worth more than 0, leave out what does not score")


@functools.lru_cache(maxsize=64)
def scoring_table(game: RaceGame) -> tuple[Combination, ...]:
    """List every combination that scores."""
    return tuple(list_combinations(game))


@functools.lru_cache(maxsize=64)
def _scorer(game: RaceGame) -> Scorer:
    return make_scorer(scoring_table(game))


def keep_points(game: RaceGame, kept: Roll) -> int | None:
    """Return what the kept dice are worth, split in the best way; None unless every one of them scores.

    >>> game = RaceGame("six", 6, 6, 10_000, (100, 0, 0, 0, 50, 0))
    >>> keep_points(game, (5, 1, 1)), keep_points(game, (6, 1, 1))
    (250, None)
    """
    counted = Counter(kept)
    return _scorer(game)(tuple(counted[face] for face in range(1, game.sides + 1))) if kept else None


def keeps(game: RaceGame, roll: Roll) -> list[Keep]:
    """List every distinct scoring keep of a roll, fewest dice first; an empty list is a bust.

    >>> game = RaceGame("six", 6, 6, 10_000, (100, 0, 0, 0, 50, 0))
    >>> keeps(game, (5, 1))
    [Keep(kept=(1,), points=100, dice_left=1), Keep(kept=(5,), points=50, dice_left=1), Keep(kept=(5, 1), points=150, dice_left=6)]
    """  # noqa: E501
    if set(roll) & set(game.bust_faces):
        return []
    again = game.dice if game.hot_dice else 0
    if game.keep_all:
        points = keep_points(game, roll)
        return [Keep(roll, points, again)] if points else []
    faces = sorted(set(roll), reverse=True)
    counts = [range(roll.count(face) + 1) for face in faces]
    found = []
    for chosen in product(*counts):
        kept = tuple(face for face, count in zip(faces, chosen, strict=True) for _ in range(count))
        points = keep_points(game, kept)
        if points:
            found.append(Keep(kept, points, len(roll) - len(kept) or again))
    if not found and game.nothing and len(roll) == game.dice:
        found.append(Keep(roll, game.nothing, again))
    return sorted(found, key=lambda keep: (len(keep.kept), keep.kept))


def rolls(game: RaceGame, dice: int) -> Iterator[tuple[Roll, int]]:
    """List every distinct roll of so many dice with the exact number of ordered rolls it stands for."""
    for roll in combinations_with_replacement(range(game.sides, 0, -1), dice):
        yield roll, math.factorial(dice) // math.prod(map(math.factorial, Counter(roll).values()))


def best_options(game: RaceGame, roll: Roll) -> tuple[Option, ...]:
    """Return the most points for each number of dice that a roll can leave, fewest dice kept first.

    Where the goal must be hit, fewer points may be better: then all options.

    >>> game = RaceGame("six", 6, 6, 10_000, (100, 0, 0, 0, 50, 0))
    >>> best_options(game, (5, 1))
    (Option(points=100, dice_left=1), Option(points=150, dice_left=6))
    """
    if game.exact:
        return tuple(sorted({Option(keep.points, keep.dice_left) for keep in keeps(game, roll)}))
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

    >>> game = RaceGame("six", 6, 6, 10_000, (100, 0, 0, 0, 50, 0))
    >>> [len(outcome_classes(game, dice)) for dice in range(1, 7)]
    [3, 6, 10, 15, 21, 28]
    """
    weights: Counter[tuple[Option, ...]] = Counter()
    for roll, weight in rolls(game, dice):
        weights[best_options(game, roll)] += weight
    return tuple(OutcomeClass(options, weight) for options, weight in sorted(weights.items()))


def bust_chance(game: RaceGame, dice: int) -> Fraction:
    """Return the exact chance that a throw of so many dice busts.

    >>> game = RaceGame("six", 6, 6, 10_000, (100, 0, 0, 0, 50, 0))
    >>> bust_chance(game, 1)
    Fraction(2, 3)
    """
    weight = sum(outcome.weight for outcome in outcome_classes(game, dice) if not outcome.options)
    return Fraction(weight, game.sides**dice)


def crash_chance(game: RaceGame, dice: int) -> float:
    """Return the chance that a throw of so many dice costs the whole score."""
    return (len(set(game.bust_faces)) / game.sides) ** dice if game.bust_all == "score" else 0.0
