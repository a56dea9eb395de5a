"""The rules of scorecards: a card of boxes, a few throws a turn, one box filled with each.

A player has a card. Each turn all dice are thrown; up to `rolls` - 1 times any of them are kept and the others thrown
again; then the dice are scored in an open box, for nothing if need be. When all boxes are filled the game is over, and the
points of all boxes and bonuses are the score. As for every game here, what is kept is a move, and so is the box.

What a box scores, jokers and bonuses aside, by `style`:

    ones ... sixes                           the dice that show that face, added up
    three-of-a-kind, four-of-a-kind          yahtzee: all dice, added up; yatzy: the three or four alike
    full-house (three alike and two others)  yahtzee: 25; yatzy: all dice
    small-straight                           yahtzee: 30 for four in a row; yatzy: 15 for 1 2 3 4 5
    large-straight                           yahtzee: 40 for five in a row; yatzy: 20 for 2 3 4 5 6
    pair, two-pairs                          the dice that make the highest pair, the two pairs (of different faces)
    yahtzee                                  50 for all dice alike
    chance                                   all dice, added up

Yahtzee is scored as Hasbro's rules have it (Yahtzee, instructions of 2003 and later), Yatzy as the Scandinavian card does
(Larsen, "Playing Yahtzee", 2018, and any printed pad). Kniffel, Schmidt Spiele's German edition, scores as Yahtzee without
further bonuses and without jokers in its printed rules; that is `yahtzee-plain` here, by both names.

Once the yahtzee box is filled, all dice alike are a *joker*, where the rules know one. forced: they go into the upper box of
their face if it is open, else into a lower box, where straights and a full house count in full, else into any upper box for
nothing. free: they go into any open box, and are a joker there if the upper box of their face is filled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

from .. import dice as dies
from ..answers import Plain

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "pair", "two-pairs", "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee",
    "chance",
)  # fmt: skip
BOXES = (*UPPER, *LOWER)
JOKERS = ("none", "forced", "free")
STYLES = ("yahtzee", "yatzy")
FIFTY = 50
"""What all dice alike score in the yahtzee box."""

MOST_DICE, MOST_SIDES, MOST_ROLLS = 8, 20, 10
MOST_POINTS = 1_000_000

Faces = tuple[int, ...]
"""Faces of dice, the highest first."""


class Card(NamedTuple):
    """What of a card counts for what is to come: the boxes filled (bits, in the order of the card), the points above, no
    further than the bonus, and whether the yahtzee box holds its 50. What no bonus asks for is 0.
    """

    filled: int = 0
    upper: int = 0
    fifty: bool = False


class Standing(NamedTuple):
    """Where a player stands before a throw: the card, the dice kept, how many throws the turn still has, this one counted,
    and the points so far.
    """

    card: Card
    kept: Faces
    throws: int
    banked: int


@dataclass(frozen=True)
class ScorecardGame:
    """A game of scorecards, and as such a game with a start, rolls, moves and a score."""

    name: str
    boxes: tuple[str, ...]
    dice: int = 5
    sides: int = 6
    rolls_a_turn: int = 3
    upper_bonus: tuple[int, int] | None = None
    """From how many points in the upper boxes on, and how much."""
    yahtzee_bonus: int = 0
    """For all dice alike, whenever the yahtzee box holds its 50 already."""
    joker: str = "none"
    style: str = "yahtzee"
    about: str = field(default="", compare=False)

    family = "scorecard"
    higher_wins = True

    def __post_init__(self) -> None:
        _check_numbers(self)
        _check_boxes(self)
        _check_bonuses(self)

    # As every game.

    @property
    def start(self) -> Standing:
        return Standing(Card(), (), self.rolls_a_turn, 0)

    def rolls(self, at: Standing) -> Iterator[tuple[Faces, int]]:
        """Yield all dice, those kept among them, with the ways to throw the others."""
        if at.card.filled == self.full:
            return
        die = dies.standard_die(self.sides)
        for faces, weight in die.roll(self.dice - len(at.kept)):
            yield tuple(sorted((*at.kept, *faces), reverse=True)), weight

    def moves(self, at: Standing, roll: Faces) -> Iterator[tuple[Any, Standing, int]]:
        """Yield what may be kept while throws are left, fewer dice first, then higher faces; then the boxes in order."""
        if at.throws > 1:
            for kept in keeps(roll):
                yield kept, Standing(at.card, kept, at.throws - 1, at.banked), 0
            return
        for box, points, card in self.fills(at.card, roll):
            yield self.boxes[box], Standing(card, (), self.rolls_a_turn, at.banked + points), points

    def score(self, at: Standing) -> int:
        return at.banked

    # Boxes.

    @property
    def full(self) -> int:
        """All boxes, as bits."""
        return (1 << len(self.boxes)) - 1

    @cached_property
    def yahtzee(self) -> int:
        """The bit of the yahtzee box, 0 where there is none."""
        return 1 << self.boxes.index("yahtzee") if "yahtzee" in self.boxes else 0

    @cached_property
    def upper_boxes(self) -> int:
        """The upper boxes, as bits."""
        return sum(1 << place for place, box in enumerate(self.boxes) if box in UPPER)

    def own_box(self, face: int) -> int:
        """Return the bit of the upper box of a face, 0 where there is none."""
        box = UPPER[face - 1] if face <= len(UPPER) else ""
        return 1 << self.boxes.index(box) if box in self.boxes else 0

    def is_joker(self, filled: int, roll: Faces) -> bool:
        """Tell whether a roll is under the joker rule."""
        return self.joker != "none" and roll[0] == roll[-1] and bool(self.yahtzee & filled)

    def open_to(self, filled: int, roll: Faces) -> tuple[int, bool]:
        """Return the boxes that a roll may fill, as bits, and whether it scores as a joker there."""
        left = self.full & ~filled
        if not self.is_joker(filled, roll):
            return left, False
        own = self.own_box(roll[0]) & left
        if self.joker == "free":
            return left, not own
        if own:
            return own, False
        lower = left & ~self.upper_boxes
        return (lower, True) if lower else (left, False)

    def points(self, box: str, roll: Faces, *, joker: bool = False) -> int:
        """Return what a roll scores in a box, bonuses aside."""
        return box_points(self.style, box, roll, joker=joker)

    def fills(self, card: Card, roll: Faces) -> Iterator[tuple[int, int, Card]]:
        """Yield (box, points with all bonuses, card afterwards) for the boxes that a roll may fill."""
        left, joker = self.open_to(card.filled, roll)
        for box, name in enumerate(self.boxes):
            if left >> box & 1:
                base = self.points(name, roll, joker=joker)
                points, after = self.fill(card, box, base, alike=roll[0] == roll[-1])
                yield box, points, after

    def fill(self, card: Card, box: int, base: int, *, alike: bool) -> tuple[int, Card]:
        """Return the points with all bonuses of filling a box for its own points, and the card afterwards."""
        points, upper, fifty = base, card.upper, card.fifty
        if alike and fifty:
            points += self.yahtzee_bonus
        if self.upper_bonus and self.upper_boxes >> box & 1:
            at, bonus = self.upper_bonus
            upper = min(at, upper + base)
            points += bonus if card.upper < at <= upper else 0
        if self.yahtzee_bonus and self.yahtzee >> box & 1:
            fifty = base == FIFTY
        return points, Card(card.filled | 1 << box, upper, fifty)


def keeps(roll: Faces) -> list[Faces]:
    """List the distinct parts of a roll, nothing and all of it included: fewer dice first, then higher faces."""
    found: list[Faces] = [()]
    for face, times in Counter(roll).items():
        found = [(*part, *(face,) * n) for part in found for n in range(times + 1)]
    parts = {tuple(sorted(part, reverse=True)) for part in found}
    return sorted(parts, key=preference)


def preference(faces: Faces) -> tuple[int, tuple[int, ...]]:
    """Return what keeps of equal worth are sorted by: fewer dice, then higher faces."""
    return len(faces), tuple(-face for face in faces)


def box_points(style: str, box: str, roll: Faces, *, joker: bool = False) -> int:
    """Return what a roll scores in a box, bonuses aside; a joker fills straights, full house and two pairs by itself."""
    count = Counter(roll)
    if box in UPPER:
        return count[UPPER.index(box) + 1] * (UPPER.index(box) + 1)
    if box == "chance":
        return sum(roll)
    if box == "yahtzee":
        return FIFTY if len(count) == 1 else 0
    if box == "pair":
        return max((2 * face for face, times in count.items() if times >= 2), default=0)
    if box == "two-pairs":
        pairs = sorted((face for face, times in count.items() if times >= 2), reverse=True)
        return 4 * roll[0] if joker else 2 * (pairs[0] + pairs[1]) if len(pairs) > 1 else 0
    if box in ("three-of-a-kind", "four-of-a-kind"):
        size = 3 if box == "three-of-a-kind" else 4
        face = max((face for face, times in count.items() if times >= size), default=0)
        return 0 if not face else sum(roll) if style == "yahtzee" else size * face
    yatzy = style == "yatzy"
    if box == "full-house":
        return (sum(roll) if yatzy else 25) if joker or sorted(count.values()) == [2, 3] else 0
    small = box == "small-straight"
    if yatzy:
        run = set(range(1, 6)) if small else set(range(2, 7))
        return sum(run) if joker or run <= set(count) else 0
    needed = 4 if small else 5
    runs = any(all(face + n in count for n in range(needed)) for face in count)
    return (30 if small else 40) if joker or runs else 0


# What cannot be.


def _check_numbers(game: ScorecardGame) -> None:
    for name, given, most in (
        ("dice", game.dice, MOST_DICE), ("sides", game.sides, MOST_SIDES), ("rolls", game.rolls_a_turn, MOST_ROLLS),
    ):  # fmt: skip
        least = 2 if name == "sides" else 1
        if not _whole(given) or not least <= given <= most:
            raise ValueError(f"{name} is {given!r}: give a whole number from {least} to {most}")
    if game.joker not in JOKERS:
        raise ValueError(f"joker is {game.joker!r}: say {', '.join(JOKERS)}")
    if game.style not in STYLES:
        raise ValueError(f"style is {game.style!r}: say {' or '.join(STYLES)}")


def _whole(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _check_boxes(game: ScorecardGame) -> None:
    if not game.boxes:
        raise ValueError("there are no boxes: name one or more")
    for box in game.boxes:
        if box not in BOXES:
            raise ValueError(f"there is no box {box!r}: the boxes are {', '.join(BOXES)}")
        if game.boxes.count(box) > 1:
            raise ValueError(f"the box {box} stands there twice: name each box once")
        rolls = [faces for faces, _ in dies.standard_die(game.sides).roll(game.dice)]
        jokers = [faces for faces in rolls if game.joker != "none" and faces[0] == faces[-1]]
        scores = any(game.points(box, faces) for faces in rolls)
        if not scores and not any(game.points(box, faces, joker=True) for faces in jokers):
            raise ValueError(f"{game.dice}d{game.sides} can never score in {box}: leave the box out")


def _check_bonuses(game: ScorecardGame) -> None:
    if game.upper_bonus is not None:
        at, bonus = game.upper_bonus
        for name, given, least in (("at", at, 1), ("points", bonus, 0)):
            if not _whole(given) or not least <= given <= MOST_POINTS:
                raise ValueError(f"upper_bonus has {name} {given!r}: give a whole number from {least} on")
        most = sum(game.dice * (UPPER.index(box) + 1) for box in game.boxes if box in UPPER)
        if at > most:
            raise ValueError(f"the upper bonus is for {at} points, and the upper boxes bring {most} at most: lower it")
    if not _whole(game.yahtzee_bonus) or not 0 <= game.yahtzee_bonus <= MOST_POINTS:
        raise ValueError(f"yahtzee_bonus is {game.yahtzee_bonus!r}: give a whole number from 0 on")
    for name, said in (("a yahtzee bonus", game.yahtzee_bonus > 0), ("a joker", game.joker != "none")):
        if said and "yahtzee" not in game.boxes:
            raise ValueError(f"{name} needs a yahtzee box: name it among the boxes, or leave the rule out")


# Named games.

YAHTZEE = ScorecardGame(
    "yahtzee",
    (*UPPER, "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance"),
    upper_bonus=(63, 35), yahtzee_bonus=100, joker="forced",
    about="Thirteen boxes, five dice, three throws a turn: 35 for 63 above, 100 for each further Yahtzee, forced joker.",
)  # fmt: skip
YATZY = ScorecardGame(
    "yatzy",
    (*UPPER, "pair", "two-pairs", "three-of-a-kind", "four-of-a-kind", "small-straight", "large-straight", "full-house",
     "chance", "yahtzee"),
    upper_bonus=(63, 50), style="yatzy",
    about="The Scandinavian game: fifteen boxes, five dice, three throws a turn, 50 for 63 above, no joker.",
)  # fmt: skip
_OTHERS = (
    replace(
        YAHTZEE, name="yahtzee-free-joker", joker="free",
        about="Yahtzee with a free joker: a further Yahtzee may go into any open box.",
    ),
    replace(
        YAHTZEE, name="yahtzee-plain", joker="none", yahtzee_bonus=0,
        about="Yahtzee without further bonuses and without jokers, as Kniffel is printed.",
    ),
)  # fmt: skip
GAMES: Mapping[str, ScorecardGame] = {game.name: game for game in (YAHTZEE, *_OTHERS, YATZY)}


# Plain data.


def to_dict(game: ScorecardGame) -> Plain:
    """Return the rules as the keys of a file; what holds where nothing is said is left out."""
    data: Plain = {
        "name": game.name, "about": game.about, "dice": game.dice, "sides": game.sides, "rolls": game.rolls_a_turn,
        "boxes": list(game.boxes), "style": game.style,
        "upper_bonus": dict(zip(("at", "points"), game.upper_bonus or (0, 0), strict=True)),
        "yahtzee_bonus": game.yahtzee_bonus, "joker": game.joker,
    }  # fmt: skip
    if not game.about:
        del data["about"]
    if game.upper_bonus is None:
        del data["upper_bonus"]
    return data


def from_dict(data: Mapping[str, Any]) -> ScorecardGame:
    """Make a game of the keys of a file; refuse values of another kind than asked for."""
    for key in ("name", "boxes"):
        if key not in data:
            raise ValueError(f"{key} is not said: the rules of a scorecard need it")
    for key in ("name", "about", "joker", "style"):
        if key in data and not isinstance(data[key], str):
            raise ValueError(f"{key} is {data[key]!r}: give a text")
    boxes = data["boxes"]
    if not isinstance(boxes, list | tuple) or not all(isinstance(box, str) for box in boxes):
        raise ValueError(f"boxes is {boxes!r}: give a list of names, as {list(YAHTZEE.boxes[:2])}")
    return ScorecardGame(
        data["name"], tuple(boxes), data.get("dice", 5), data.get("sides", 6), data.get("rolls", 3),
        _read_bonus(data.get("upper_bonus")), data.get("yahtzee_bonus", 0), data.get("joker", "none"),
        data.get("style", "yahtzee"), data.get("about", ""),
    )  # fmt: skip


def _read_bonus(given: Any) -> tuple[int, int] | None:
    """Read an upper bonus; one of 0 points is none."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or set(given) != {"at", "points"}:
        raise ValueError(f"upper_bonus is {given!r}: write it as {{ at = 63, points = 35 }}")
    if given["points"] == 0 and _whole(given["points"]):
        return None
    return given["at"], given["points"]


# Sizes.


def count_keeps(game: ScorecardGame, least: int = 0) -> int:
    """Return how many multisets of dice there are, of `least` dice or more."""
    return sum(comb(size + game.sides - 1, size) for size in range(least, game.dice + 1))


def described(game: ScorecardGame) -> str:
    """Say the rules in a sentence or two."""
    if game.about:
        return game.about
    bonus = f", {game.upper_bonus[1]} for {game.upper_bonus[0]} above" if game.upper_bonus else ""
    more = f", {game.yahtzee_bonus} for each further Yahtzee" if game.yahtzee_bonus else ""
    boxes = _listed(game.boxes)
    return (
        f"{game.dice}d{game.sides}, {game.rolls_a_turn} throws a turn, the boxes {boxes}{bonus}{more}; "
        f"joker: {game.joker}; {game.style} scoring."
    )


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
