"""One turn of a race: what throws lead to, and what a turn is worth if it is played for something.

With n dice in hand and a turn total t, the worth of banking and of a turn that ends with nothing being given,

    roll(n, t) = P(bust) * lose + sum over outcome classes of P(class) * max over its options of
                 best(dice left, t + points)
    best(n, t) = max(roll(n, t), bank(t))

The total only grows, so that a turn is one backward sweep over t. Worths are chances to win, chances to reach a total, or
points.

    worths of a turn    [turn total in units, dice left]; none are left where all are used and may not be thrown again
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers import Move
from ..ties import TIED
from .rules import Option, RaceGame, Roll, best_options, keeps, outcome_classes, rolls

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_TOTALS = 1_000_000


# What throws lead to.


class Throws(NamedTuple):
    """The outcome classes of a race as arrays, for the kernel.

    The classes of n dice form a tree: node k offers what its parent offers and one option more, so that options shared
    by many classes are looked up once. Nodes `first[n]` to `first[n + 1]` belong to n dice; node 0 is the empty root of
    all. `weight` is the chance of the class that ends at the node, 0 where none does.
    """

    first: Integers  # [dice + 2]
    parent: Integers  # [node]
    shift: Integers  # [node]: points in units * (dice + 1) + dice left
    weight: Floats  # [node]
    outcome: Integers  # [node]: the number of the class in options(), -1 where none ends
    bust: Floats  # [dice + 1]


@functools.lru_cache(maxsize=64)
def throws(game: RaceGame) -> Throws:
    """Return the tree of the options of a race."""
    parent, shift, weight, number, first = [0], [0], [0.0], [-1], [1, 1]
    bust, classes = [0.0], itertools.count()
    for dice in range(1, game.dice + 1):
        nodes: dict[tuple[Option, ...], int] = {(): 0}
        bust.append(0.0)
        for outcome in outcome_classes(game, dice):
            chance = outcome.weight / game.sides**dice
            if not outcome.options:
                bust[dice] = chance
                continue
            for count, option in enumerate(outcome.options, 1):
                path = outcome.options[:count]
                if path not in nodes:
                    nodes[path] = len(parent)
                    parent.append(nodes[path[:-1]])
                    shift.append(option.points // game.unit * (game.dice + 1) + option.dice_left)
                    weight.append(0.0)
                    number.append(-1)
            weight[nodes[outcome.options]] = chance
            number[nodes[outcome.options]] = next(classes)
        first.append(len(parent))
    return Throws(*map(np.asarray, (first, parent, shift, weight, number, bust)))


class Options(NamedTuple):
    """The rolls that score one after the other, each with its options, points in units.

    `first[n]` to `first[n + 1]` are the rolls (or the classes) of n dice, `start[r]` to `start[r + 1]` the options of
    roll r, fewest dice kept first.
    """

    first: Integers  # [dice + 2]
    weight: Floats  # [roll]
    start: Integers  # [roll + 1]
    points: Integers  # [option]
    left: Integers  # [option]
    shift: Integers  # [option]: points * (dice + 1) + left
    bust: Floats  # [dice + 1]


@functools.lru_cache(maxsize=64)
def options(game: RaceGame, every_roll: bool = False, every_keep: bool = True) -> Options:
    """Return the options of every outcome class; of every distinct roll, with all its keeps, if `every_roll`.

    Without `every_keep` a roll offers what its class does: for each number of dice left the most points.
    """
    first, weight, start, points, left, bust = [0, 0], [], [0], [], [], [0.0]
    for dice in range(1, game.dice + 1):
        offers: Iterable[tuple[list[Option], int]]
        if every_roll and every_keep:
            offers = (([Option(k.points, k.dice_left) for k in keeps(game, roll)], n) for roll, n in rolls(game, dice))
        elif every_roll:
            offers = ((list(best_options(game, roll)), n) for roll, n in rolls(game, dice))
        else:
            offers = ((list(outcome.options), outcome.weight) for outcome in outcome_classes(game, dice))
        busts = 0
        for offered, ways in offers:
            if not offered:
                busts += ways
                continue
            weight.append(ways / game.sides**dice)
            points += [option.points // game.unit for option in offered]
            left += [option.dice_left for option in offered]
            start.append(len(points))
        first.append(len(weight))
        bust.append(busts / game.sides**dice)
    shift = np.array(points) * (game.dice + 1) + np.array(left)
    arrays = (first, weight, start, points, left, shift, bust)
    return Options(*map(np.asarray, arrays))


def play_turn(offered: Options, bank: Floats, lose: float, beyond: Floats) -> tuple[Floats, Floats]:
    """Return (roll, best) for every turn total below len(bank), by [turn total, dice].

    `bank` is the worth of banking each total, minus infinity where that is not allowed, `lose` of a turn that ends with
    nothing, and `beyond` holds `best` from total len(bank) on, as far as one roll can lead.
    """
    top, size = len(bank), len(offered.bust)
    best = np.concatenate([np.empty((top, size)), beyond])
    roll = np.full((top, size), -np.inf)
    chance = np.zeros((size, len(offered.weight)))
    for dice in range(1, size):
        mine = slice(offered.first[dice], offered.first[dice + 1])
        chance[dice, mine] = offered.weight[mine]
    for turn in range(top - 1, -1, -1):
        chosen = np.maximum.reduceat(best[turn + offered.points, offered.left], offered.start[:-1])
        roll[turn, 1:] = (offered.bust * lose + chance @ chosen)[1:]
        best[turn] = np.maximum(roll[turn], bank[turn])
        best[turn, 0] = bank[turn] if bank[turn] > -np.inf else lose
    return roll, best[:top]


def largest_keep(game: RaceGame) -> int:
    return int(options(game).points.max())


def units(game: RaceGame, points: int) -> int:
    """Return the fewest units that make at least so many points."""
    return -(-points // game.unit)


BY_VALUES, BY_TABLE, AT_RANDOM = 0, 1, 2
"""The kinds of plan."""


class Plan(NamedTuple):
    """How a policy decides, for the kernels: by values, by the tables `first` and then `second`, or at random."""

    kind: int
    others: Floats  # [standing of the other, to move; own standing]
    first_roll: Floats  # [opened, turn total, dice left]: worth of throwing on, minus infinity where it does not
    first_bank: Floats
    second_roll: Floats
    second_bank: Floats


# Playing for points, and to reach a total.


@dataclass(frozen=True, eq=False)
class TurnTables:
    """Expected turn scores of a race, the goal left out of account.

    `expected[opened, turn total in units, dice]` is the expected total of the whole turn, in points, if the dice
    are rolled now and the turn is then played for its expected score (dice 0: the total as it stands). Where
    `opened` is 0 the player may only bank from the opening threshold on.
    """

    game: RaceGame
    expected: Floats

    @property
    def expected_turn_score(self) -> float:
        """The expected score of a turn of a player who has opened."""
        return float(self.expected[1, 0, self.game.dice])

    def expected_score(self, dice: int, turn: int, opened: bool = True) -> float:
        """Return the expected total of the turn if so many dice are rolled at this turn total."""
        rows = self.expected.shape[1]
        units = turn // self.game.unit
        if units < rows:
            return float(self.expected[int(opened), units, dice])
        # From the last rows on the expected total is a straight line in the total: see turn_tables().
        step = self.expected[1, rows - 1, dice] - self.expected[1, rows - 2, dice]
        return float(self.expected[1, rows - 1, dice] + step * (units - rows + 1))

    def stop(self) -> dict[int, int | None]:
        """Return, by number of dice, the lowest turn total at which rolling loses points; None where it never does."""
        found: dict[int, int | None] = {}
        totals = np.arange(self.expected.shape[1]) * self.game.unit
        for dice in range(1, self.game.dice + 1):
            losing = np.flatnonzero(self.expected[1, :, dice] < totals - TIED)
            found[dice] = int(totals[losing[0]]) if len(losing) else None
        return found


@functools.lru_cache(maxsize=64)
def turn_tables(game: RaceGame) -> TurnTables:
    """Compute the expected turn score for every (dice, turn total).

    Exact in spite of totals without end: let a player at total t roll once and then bank, or roll on where no
    roll can bust. That gains m(n) - P(bust) * t over banking, m(n) being the mean of the most that a roll offers.
    From t = m(n) / P(bust) on it loses; past the largest of these over n it loses for every n and every later
    total, so that by policy improvement nothing beats banking there. Below that total, backward induction.
    """
    offered = options(game)
    bust = offered.bust
    chance = np.zeros((game.dice + 1, len(offered.weight)))
    for dice in range(1, game.dice + 1):
        mine = slice(offered.first[dice], offered.first[dice + 1])
        chance[dice, mine] = offered.weight[mine]
    safe = bust == 0.0
    safe[0] = False
    gain = np.zeros(game.dice + 1)
    while True:  # the gain of rolling on while no roll can bust: nothing but a mean where every number of dice can
        worth = offered.points * game.unit + gain[offered.left]
        mean = chance @ np.maximum.reduceat(worth, offered.start[:-1])
        if np.all(np.abs(np.where(safe, mean, 0.0) - gain) <= 1e-13 * mean.max()):
            break
        gain = np.where(safe, mean, 0.0)
    risky = ~safe
    risky[0] = False
    horizon = int(max(np.ceil(mean[risky] / bust[risky] / game.unit), default=0)) + 1
    if horizon > MOST_TOTALS:
        raise ValueError(f"{game.name} busts too rarely: throwing pays up to a turn total of {horizon * game.unit}")
    # At least 0 to 1000 points, as published tables have, and every total that a match can reach.
    rows = max(horizon, units(game, 1000), units(game, game.goal) + units(game, game.opening)) + 2

    totals = np.arange(rows + largest_keep(game) + 1) * float(game.unit)
    line = (1.0 - bust) * totals[:, None] + mean
    line[:, 0] = totals
    beyond = np.maximum(line, totals[:, None])
    expected = []
    for opening in (units(game, game.opening), 0):
        bank = np.where(np.arange(rows) >= opening, totals[:rows], -np.inf)
        roll, _ = play_turn(options(game), bank[: rows - 1], 0.0, beyond[rows - 1 :])
        roll = np.concatenate([roll, line[rows - 1 : rows]])
        roll[:, 0] = np.maximum(bank, 0.0)
        expected.append(roll)
    return TurnTables(game, np.stack(expected))


def reach(game: RaceGame, target: int) -> Floats:
    """Return the best chance that the turn total reaches the target, by [turn total in units, dice] if rolled.

    Totals run from 0 to the target, where the chance is 1.
    """
    if target <= 0:
        raise ValueError(f"target {target}: give a turn total above 0")
    top = units(game, target)
    ones = np.ones((largest_keep(game) + 1, game.dice + 1))
    roll, _ = play_turn(options(game), np.full(top, -np.inf), 0.0, ones)
    roll[:, 0] = 0.0
    return np.concatenate([roll, ones[:1]])


# Playing for the chance to win, in plain numpy.


class TurnChances(NamedTuple):
    """The chances to win within one turn, by [turn total in units, dice]."""

    roll: Floats
    bank: Floats  # [turn total]; minus infinity where banking is not allowed
    lose: float
    bust: Floats  # [dice]

    def rolled(self, total: int, dice: int) -> float:
        """Return the chance to win if so many dice are thrown; past the goal every roll but a bust wins."""
        if total < len(self.roll):
            return float(self.roll[total, dice])
        return float(self.bust[dice] * self.lose + (1.0 - self.bust[dice]))

    def banked(self, total: int) -> float:
        """Return the chance to win after banking, minus infinity where it is not allowed."""
        return float(self.bank[total]) if total < len(self.bank) else 1.0

    def bank_or_lose(self, total: int) -> float:
        """Return the chance to win when the turn must end: a total that may not be banked counts nothing."""
        banked = self.banked(total)
        return banked if banked > -math.inf else self.lose

    def stops(self, unit: int) -> dict[int, int | None]:
        """Return, by number of dice, the lowest turn total at which banking wins at least as often as throwing them.

        None where every total short of the goal calls for throwing. Past the lowest total throwing may be better again.
        """
        found: dict[int, int | None] = {}
        for dice in range(1, len(self.bust)):
            banks = np.flatnonzero(self.bank >= self.roll[:, dice] - TIED)
            found[dice] = int(banks[0]) * unit if len(banks) else None
        return found


def turn_chances(game: RaceGame, bank: Floats, lose: float, offered: Options | None = None) -> TurnChances:
    """Work out one turn, given the chances to win after banking each total that does not win, and after a bust."""
    offered = options(game) if offered is None else offered
    ones = np.ones((largest_keep(game) + 1, game.dice + 1))
    roll, _ = play_turn(offered, bank, lose, ones)
    return TurnChances(roll, bank, lose, offered.bust)


def list_moves(game: RaceGame, roll: Roll, turn: int, opened: bool, chances: TurnChances) -> list[Move]:
    """List every distinct keep of a roll, with banking and with throwing on.

    Where the dice are used up, may not be thrown again, and the total may not be banked either, the turn ends with nothing:
    that stands as a bank with an expected score of 0.
    """
    tables, listed = turn_tables(game), []
    for kept, points, dice_left in keeps(game, roll):
        total = turn + points
        at = total // game.unit
        may_bank = chances.banked(at) > -math.inf
        if may_bank or dice_left == 0:
            expected = float(total) if may_bank else 0.0
            listed.append(Move(kept, points, dice_left, expected, chances.bank_or_lose(at), True))
        if dice_left:
            expected = tables.expected_score(dice_left, total, opened)
            listed.append(Move(kept, points, dice_left, expected, chances.rolled(at, dice_left), False))
    return listed
