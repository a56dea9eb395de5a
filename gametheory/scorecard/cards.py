"""The cards of a game by number, what a turn does to them, and how the dice of a turn hang together.

A *card place* is a card before a turn; place 0 stands for all full cards. Places are numbered level by level, by boxes left
to fill; within a level by boxes filled, whether the yahtzee box holds 50, and points above. A *group* is the cards that
differ in the points above only.

A *fill* is one way to fill a box: (box, its own points, whether the bonus for further Yahtzees comes with it). Far fewer
fills than rolls times boxes are distinct.

A *keep* is a multiset of dice, by number: fewer dice first, then higher faces; the last ones are the *rolls*. A keep of
fewer dice is worth the mean of what it may become with one die more, and what is best to keep of a roll is the best of it
and of what is best with one die less:

    worth[keep] = mean over faces f of worth[keep + f]
    best[dice]  = max(worth[dice], best[dice - f] for each face f)
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import dice as dies
from ..answers import Array
from .rules import FIFTY, UPPER, Card, Faces, ScorecardGame

Ints = npt.NDArray[np.int64]


class Fills(NamedTuple):
    """Every way to fill a box, as arrays by number; and by (variant, roll, box) the number, -1 where a box cannot be.

    Variant 0 is plain, 1 a joker, 2 and 3 the same with the bonus for a further Yahtzee.
    """

    box: Ints
    points: Ints
    upper: Ints  # added to the points above
    fifty: Ints  # 1 where the yahtzee box is filled with its 50
    number: Ints


class Dice:
    """The multisets of up to `dice` dice with `sides` sides."""

    def __init__(self, dice: int, sides: int) -> None:
        self.dice, self.sides = dice, sides
        self.faces: list[Faces] = [
            faces for size in range(dice + 1) for faces in combinations_with_replacement(range(sides, 0, -1), size)
        ]
        self.number = {faces: number for number, faces in enumerate(self.faces)}
        self.first_roll = sum(len(faces) < dice for faces in self.faces)
        self.rolls = self.faces[self.first_roll :]

    def __len__(self) -> int:
        return len(self.faces)

    @cached_property
    def more(self) -> Ints:
        """By keep of fewer dice than all, and face: the keep with that face too."""
        return np.array(
            [
                [self.number[tuple(sorted((*faces, face), reverse=True))] for face in range(1, self.sides + 1)]
                for faces in self.faces[: self.first_roll]
            ],
            np.int64,
        ).reshape(self.first_roll, self.sides)

    @cached_property
    def less(self) -> tuple[Ints, Ints]:
        """The keeps with one die less, those of every keep one after the other; and where each keep's begin."""
        found = [[self.number[_without(faces, face)] for face in sorted(set(faces), reverse=True)] for faces in self.faces]
        begins = np.cumsum([0, *map(len, found)])
        return np.array([number for some in found for number in some], np.int64), begins

    @cached_property
    def parts(self) -> tuple[Ints, Ints]:
        """What can be kept of each roll, in order of preference, one roll after the other; and where each roll's begin."""
        from .rules import keeps

        found = [[self.number[part] for part in keeps(roll)] for roll in self.rolls]
        return np.array([number for some in found for number in some], np.int64), np.cumsum([0, *map(len, found)])

    @cached_property
    def weights(self) -> Array:
        """By roll: the ways in which it comes up, whole numbers."""
        return np.array([weight for _, weight in dies.standard_die(self.sides).roll(self.dice)], float)

    @cached_property
    def sizes(self) -> list[range]:
        """By number of dice: the keeps of so many."""
        counts = [0]
        for size in range(self.dice + 1):
            counts.append(counts[-1] + sum(len(faces) == size for faces in self.faces))
        return [range(*pair) for pair in pairwise(counts)]

    # A turn in numpy, [keep, column].

    def averaged(self, rolls: Array) -> Array:
        """Return what every keep is worth, given what the rolls are worth."""
        worth = np.empty((len(self), *rolls.shape[1:]))
        worth[self.first_roll :] = rolls
        for size in reversed(self.sizes[:-1]):
            total = worth[self.more[size.start : size.stop, 0]]
            for face in range(1, self.sides):
                total = total + worth[self.more[size.start : size.stop, face]]
            worth[size.start : size.stop] = total * (1.0 / self.sides)
        return worth

    def best(self, worth: Array) -> Array:
        """Return what every roll is worth, given what the keeps are worth."""
        parts, begins = self.parts
        return np.asarray(np.maximum.reduceat(worth[parts], begins[:-1], axis=0))


def _without(faces: Faces, face: int) -> Faces:
    place = faces.index(face)
    return faces[:place] + faces[place + 1 :]


class Cards:
    """The cards of a game."""

    def __init__(self, game: ScorecardGame) -> None:
        self.game = game
        self.at = game.upper_bonus[0] if game.upper_bonus else 0
        self.bonus = game.upper_bonus[1] if game.upper_bonus else 0
        self.fifties = 2 if game.yahtzee_bonus else 1
        self.dice = Dice(game.dice, game.sides)

    # Numbering.

    @cached_property
    def masks(self) -> Ints:
        """The boxes filled, as bits, the fullest card first."""
        masks = np.arange(1 << len(self.game.boxes))
        return masks[np.argsort(-_ones(masks), kind="stable")]

    @cached_property
    def _reached(self) -> npt.NDArray[np.bool_]:
        """By (place in `masks`, fifty, points above): whether a card that is not full can come up."""
        game, faces = self.game, {}
        for place, box in enumerate(game.boxes):
            if box in UPPER and self.at:
                faces[place] = UPPER.index(box) + 1
        above = {0: np.arange(self.at + 1) == 0}
        for place, face in faces.items():
            for mask, known in list(above.items()):
                found = np.zeros(self.at + 1, bool)
                for points in np.flatnonzero(known):
                    found[np.minimum(self.at, points + face * np.arange(game.dice + 1))] = True
                above[mask | 1 << place] = found
        uppers = sum(1 << place for place in faces)
        known = np.zeros((uppers + 1, self.at + 1), bool)
        for mask, row in above.items():
            known[mask] = row
        reached = np.repeat(known[self.masks & uppers][:, None], self.fifties, axis=1)
        if self.fifties == 2:
            reached[(self.masks & game.yahtzee) == 0, 1] = False
        reached[0] = False  # the full card: place 0
        return reached

    @cached_property
    def _listed(self) -> tuple[Ints, Ints, Ints]:
        return tuple(part.astype(np.int64) for part in np.nonzero(self._reached))  # type: ignore[return-value]

    @cached_property
    def filled(self) -> Ints:
        """By place: the boxes filled."""
        return np.concatenate([[self.game.full], self.masks[self._listed[0]]])

    @cached_property
    def fifty(self) -> Ints:
        """By place: whether the yahtzee box holds 50, where that counts."""
        return np.concatenate([[0], self._listed[1]])

    @cached_property
    def upper(self) -> Ints:
        """By place: the points above, as far as they count."""
        return np.concatenate([[0], self._listed[2]])

    def __len__(self) -> int:
        return len(self._listed[0]) + 1

    @cached_property
    def index(self) -> npt.NDArray[np.int32]:
        """By (boxes filled, fifty, points above): the place, -1 where a card cannot come up."""
        index = np.full((1 << len(self.game.boxes), self.fifties, self.at + 1), -1, np.int32)
        index[self.filled[1:], self.fifty[1:], self.upper[1:]] = np.arange(1, len(self))
        index[self.game.full] = 0
        return index

    @cached_property
    def levels(self) -> list[range]:
        """The cards by boxes left to fill, from one on."""
        ones = _ones(self.filled[1:])
        boxes = len(self.game.boxes)
        begins = 1 + np.searchsorted(-ones, -np.arange(boxes - 1, -2, -1))
        return [range(int(a), int(b)) for a, b in pairwise(begins)]

    @cached_property
    def groups(self) -> Ints:
        """Where each group begins; the end of the last behind it."""
        key = self.filled * 2 + self.fifty
        return np.concatenate([[1], 2 + np.flatnonzero(key[2:] != key[1:-1]), [len(self)]]).astype(np.int64)

    @cached_property
    def level_groups(self) -> list[range]:
        """The groups of each level."""
        return [
            range(*(int(n) for n in np.searchsorted(self.groups, (level.start, level.stop)))) for level in self.levels
        ]

    def place(self, card: Card) -> int:
        """Return the place of a card; refuse one that cannot come up."""
        try:
            found = int(self.index[card.filled, int(card.fifty), card.upper])
        except IndexError:
            found = -1
        if found < 0:
            raise KeyError(f"the card {card!r} cannot come up in {self.game.name}")
        return found

    def card(self, place: int) -> Card:
        """Return the card of a place; of all full ones the one with nothing more to say."""
        return Card(int(self.filled[place]), int(self.upper[place]), bool(self.fifty[place]))

    # Points.

    @cached_property
    def _least(self) -> Ints:
        """By box: the least that it scores."""
        plain = self._points[0].min(axis=0)
        if self.fifties == 2:
            plain[self.game.boxes.index("yahtzee")] = 0
        return np.where([box in UPPER and self.at > 0 for box in self.game.boxes], 0, plain)

    @cached_property
    def base(self) -> Ints:
        """By place: points that are banked there for certain; those above them are the gain banked."""
        by_mask = np.zeros(self.game.full + 1, np.int64)
        for box, least in enumerate(self._least):
            by_mask += least * (np.arange(self.game.full + 1) >> box & 1)
        known = by_mask[self.filled] + self.upper + FIFTY * self.fifty
        if self.at:
            known = known + np.where(self.upper == self.at, self.bonus, 0)
        return np.asarray(known, np.int64)

    @cached_property
    def _points(self) -> Ints:
        """By (plain or joker, roll, box): what a roll scores, bonuses aside."""
        game = self.game
        rolls = self.dice.rolls
        scored = [[[game.points(box, roll, joker=joker) for box in game.boxes] for roll in rolls] for joker in (False, True)]
        return np.array(scored, np.int64)

    @cached_property
    def fills(self) -> Fills:
        game = self.game
        known: dict[tuple[int, int, int], int] = {}
        number = np.full((4, len(self.dice.rolls), len(game.boxes)), -1, np.int64)
        for more in range(self.fifties):
            for joker in range(1 if game.joker == "none" else 2):
                for roll, faces in enumerate(self.dice.rolls):
                    if (more or joker) and faces[0] != faces[-1]:
                        continue
                    for box in range(len(game.boxes)):
                        if more and game.yahtzee >> box & 1:
                            continue  # it is filled already
                        key = (box, int(self._points[joker, roll, box]), more)
                        number[2 * more + joker, roll, box] = known.setdefault(key, len(known))
        # Those for nothing come first: many rolls share them, see `kernel`.
        listed = sorted(known, key=lambda key: (key[1] > 0, key))
        order = np.empty(len(known), np.int64)
        order[[known[key] for key in listed]] = np.arange(len(known))
        number[number >= 0] = order[number[number >= 0]]
        box, base, more_ = np.array(listed, np.int64).T
        above = ((game.upper_boxes >> box) & 1) * (self.at > 0)
        fifty = ((game.yahtzee >> box) & 1) * (base == FIFTY) * (self.fifties == 2)
        return Fills(box, base + game.yahtzee_bonus * more_, base * above, fifty, number)

    @cached_property
    def alike(self) -> Ints:
        """By roll: the bit of the upper box of the face that all dice show, 0 where there is none; -1 where they differ."""
        return np.array([self.game.own_box(roll[0]) if roll[0] == roll[-1] else -1 for roll in self.dice.rolls], np.int64)

    def options(self, place: int) -> tuple[Ints, Ints]:
        """Return the fills of every roll at a card, one roll after the other in the order of the boxes, and their begins."""
        game, card = self.game, self.card(place)
        found: list[int] = []
        begins = [0]
        for roll, faces in enumerate(self.dice.rolls):
            left, joker = game.open_to(card.filled, faces)
            variant = int(joker) + 2 * int(card.fifty and faces[0] == faces[-1])
            row = self.fills.number[variant, roll]
            found += [int(row[box]) for box in range(len(game.boxes)) if left >> box & 1]
            begins.append(len(found))
        return np.array(found, np.int64), np.array(begins, np.int64)

    def follow(self, place: int, fills: Ints) -> tuple[Ints, Ints]:
        """Return the places that fills lead to from a card, and the points, all bonuses counted."""
        known, upper = self.fills, int(self.upper[place])
        above = np.minimum(self.at, upper + known.upper[fills])
        points = known.points[fills] + np.where((upper < self.at) & (above == self.at), self.bonus, 0)
        filled = self.filled[place] | (1 << known.box[fills])
        fifty = np.maximum(self.fifty[place], known.fifty[fills])
        return self.index[filled, fifty, above].astype(np.int64), points

    @cached_property
    def most(self) -> int:
        """The most points that a game can bring."""
        return int(self.most_points[-1])

    @cached_property
    def most_points(self) -> Ints:
        """By place: the most points that are still to be made."""
        most = np.zeros(len(self), np.int64)
        game, known = self.game, self.fills
        for level in self.levels:
            here = np.arange(level.start, level.stop)
            filled, fifty, upper = self.filled[here], self.fifty[here], self.upper[here]
            for variant, roll in ((0, None), *((v, r) for v in range(1, 4) for r in np.flatnonzero(self.alike >= 0))):
                for fill, allowed in self._allowed(variant, roll, filled, fifty):
                    some = here[allowed]
                    above = np.minimum(self.at, upper[allowed] + known.upper[fill])
                    gained = known.points[fill] + np.where((upper[allowed] < self.at) & (above == self.at), self.bonus, 0)
                    after = self.index[
                        filled[allowed] | 1 << known.box[fill], np.maximum(fifty[allowed], known.fifty[fill]), above
                    ]
                    np.maximum.at(most, some, gained + most[after])
        _ = game
        return most

    def _allowed(self, variant: int, roll: Any, filled: Ints, fifty: Ints) -> Any:
        """Yield the fills of a variant with the cards that allow them; `roll` is one of dice all alike, None all others."""
        game, number = self.game, self.fills.number
        if roll is None:
            differ = self.alike < 0
            rolls = np.flatnonzero(differ)
            for fill in np.unique(number[0, rolls]):
                yield fill, (filled >> self.fills.box[fill] & 1) == 0
            for roll in np.flatnonzero(~differ):
                yield from self._allowed(0, roll, filled, fifty)
            return
        joker, more = variant % 2, variant // 2
        left = game.full & ~filled
        under = np.full(len(filled), game.joker != "none") & (filled & game.yahtzee != 0)
        own = left & self.alike[roll]
        lower = left & ~game.upper_boxes
        if game.joker == "free":
            plain, jokers = np.where(~under | (own > 0), left, 0), np.where(under & (own == 0), left, 0)
        else:
            plain = np.where(~under, left, np.where(own > 0, own, np.where(lower > 0, 0, left)))
            jokers = np.where(under & (own == 0), lower, 0)
        boxes = np.where(fifty == more, jokers if joker else plain, 0)
        for box, fill in enumerate(number[variant, roll]):
            allowed = boxes >> box & 1 > 0
            if fill >= 0 and allowed.any():
                yield fill, allowed


def _ones(masks: Ints) -> Ints:
    """Return how many bits are set."""
    found = np.zeros(len(masks), np.int64)
    while masks.any():
        found += masks & 1
        masks = masks >> 1
    return found
