"""One turn of a race: what throws lead to, and what a turn is worth if it is played for something.

With n dice in hand and a turn total t, the worth of banking and of a turn that ends with nothing being given,

    roll(n, t) = P(bust) * lose + P(crash) * fallen + sum over outcome classes of P(class) * max over its options of
                 best(dice left, t + points)
    best(n, t) = max(roll(n, t), bank(t))

A crash is a throw that costs the whole score. Where the goal must be hit, a keep past it may not be made, and a throw that
offers no other is a bust. The total only grows, so that a turn is one backward sweep over t. Worths are chances to win,
chances to reach a total, or points.

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
from .rules import Option, RaceGame, Roll, best_options, crash_chance, keeps, outcome_classes, rolls

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
    crash: Floats  # [dice + 1]
    exact: bool


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
                bust[dice] = chance - crash_chance(game, dice)
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
    return Throws._make([*map(np.asarray, (first, parent, shift, weight, number, bust, _crashes(game))), game.exact])


def _crashes(game: RaceGame) -> list[float]:
    return [0.0, *(crash_chance(game, dice) for dice in range(1, game.dice + 1))]


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
    crash: Floats  # [dice + 1]
    exact: bool


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
        bust.append(busts / game.sides**dice - crash_chance(game, dice))
    shift = np.array(points) * (game.dice + 1) + np.array(left)
    arrays = (first, weight, start, points, left, shift, bust, _crashes(game))
    return Options._make([*map(np.asarray, arrays), game.exact])


def play_turn(
    offered: Options, bank: Floats, lose: float, beyond: Floats, fallen: float = 0.0
) -> tuple[Floats, Floats]:
    """Return (roll, best) for every turn total below len(bank), by [turn total, dice].

    `bank` is the worth of banking each total, minus infinity where that is not allowed, `lose` of a turn that ends with
    nothing, `fallen` of one that costs the score, and `beyond` holds `best` from total len(bank) on, as far as one roll can
    lead, minus infinity where no keep may lead.
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
        chosen[chosen == -np.inf] = lose
        roll[turn, 1:] = (offered.bust * lose + offered.crash * fallen + chance @ chosen)[1:]
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
    row: Integers  # [standing]: the row of the tables
    others: Floats  # [standing of the other, to move; own standing]
    first_roll: Floats  # [row, turn total, dice left]: worth of throwing on, minus infinity where it does not
    first_bank: Floats
    second_roll: Floats
    second_bank: Floats


# Playing for points, and to reach a total.


class Stake(NamedTuple):
    """What hangs on a turn that is played for points, beside its total."""

    least: int  # the least total that may be banked, in units
    bust: int = 0  # the points that a turn that ends with nothing costs
    crash: int = 0  # those that the loss of the whole score costs


def least_bank(game: RaceGame, opened: bool) -> int:
    """Return the least turn total that may be banked, in units."""
    return max(units(game, game.minimum), 0 if opened else units(game, game.opening), 1)


@dataclass(frozen=True, eq=False)
class TurnTables:
    """Expected turn scores of a race, the goal left out of account.

    `expected[row, turn total in units, dice]` is the expected total of the whole turn, in points, if the dice are rolled
    now and the turn is then played for its expected score (dice 0: the total as it stands), one row for each of `stakes`;
    the first two are those of a player who has not opened and of one who has, who have nothing to lose.
    """

    game: RaceGame
    stakes: tuple[Stake, ...]
    expected: Floats

    @property
    def expected_turn_score(self) -> float:
        """The expected score of a turn of a player who has opened."""
        return float(self.expected[1, 0, self.game.dice])

    def expected_score(self, dice: int, turn: int, row: int = 1) -> float:
        """Return the expected total of the turn if so many dice are rolled at this turn total."""
        rows = self.expected.shape[1]
        units = turn // self.game.unit
        if units < rows:
            return float(self.expected[row, units, dice])
        # From the last rows on the expected total is a straight line in the total: see turn_tables().
        step = self.expected[row, rows - 1, dice] - self.expected[row, rows - 2, dice]
        return float(self.expected[row, rows - 1, dice] + step * (units - rows + 1))

    def stop(self) -> dict[int, int | None]:
        """Return, by number of dice, the lowest turn total at which rolling loses points; None where it never does."""
        found: dict[int, int | None] = {}
        totals = np.arange(self.expected.shape[1]) * self.game.unit
        for dice in range(1, self.game.dice + 1):
            losing = np.flatnonzero(self.expected[1, :, dice] < totals - TIED)
            found[dice] = int(totals[losing[0]]) if len(losing) else None
        return found


@functools.lru_cache(maxsize=64)
def turn_tables(game: RaceGame, stakes: tuple[Stake, ...] = ()) -> TurnTables:
    """Compute the expected turn score for every (dice, turn total), and for further stakes.

    Exact in spite of totals without end: let a player at total t roll once and then bank, or roll on where no
    roll can bust. That gains m(n) - P(bust) * t over banking, m(n) being the mean of the most that a roll offers.
    From t = m(n) / P(bust) on it loses, the more so with a stake; past the largest of these over n it loses for every n
    and every later total, so that by policy improvement nothing beats banking there. Below that total, backward induction.
    """
    offered = options(game)
    nothing = offered.bust + offered.crash
    chance = np.zeros((game.dice + 1, len(offered.weight)))
    for dice in range(1, game.dice + 1):
        mine = slice(offered.first[dice], offered.first[dice + 1])
        chance[dice, mine] = offered.weight[mine]
    safe = nothing == 0.0
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
    horizon = int(max(np.ceil(mean[risky] / nothing[risky] / game.unit), default=0)) + 1
    if horizon > MOST_TOTALS:
        raise ValueError(f"{game.name} busts too rarely: throwing pays up to a turn total of {horizon * game.unit}")
    # At least 0 to 1000 points, as published tables have, and every total that a match can reach.
    rows = max(horizon, units(game, 1000), most_total(game) + least_bank(game, False)) + 2

    totals = np.arange(rows + largest_keep(game) + 1) * float(game.unit)
    expected = []
    stakes = (Stake(least_bank(game, False)), Stake(least_bank(game, True)), *stakes)
    for least, bust, crash in stakes:
        line = (1.0 - nothing) * totals[:, None] + mean - offered.bust * bust - offered.crash * crash
        line[:, 0] = totals
        beyond = np.maximum(line, totals[:, None])
        allowed = np.arange(rows) >= (least if least > 1 else 0)
        bank = np.where(allowed, totals[:rows], -np.inf)
        roll, _ = play_turn(offered, bank[: rows - 1], -float(bust), beyond[rows - 1 :], -float(crash))
        roll = np.concatenate([roll, line[rows - 1 : rows]])
        roll[:, 0] = np.where(allowed, totals[:rows], -float(bust))
        expected.append(roll)
    return TurnTables(game, stakes, np.stack(expected))


@functools.lru_cache(maxsize=64)
def most_total(game: RaceGame) -> int:
    """Return the largest turn total, in units, that any player needs to be sure of the race."""
    return units(game, game.goal) - game.lowest // game.unit + (past_goal(game) if game.last_round else 0)


PAST_GOAL = 1e-10


@functools.lru_cache(maxsize=64)
def past_goal(game: RaceGame) -> int:
    """Return how many units past the goal a player is taken for the winner, though there is a last round.

    A turn makes so many with a chance of at most PAST_GOAL. Both this turn and the answer must, so that nothing that is
    taken for sure is wrong by more than the square of it.
    """
    top = 64
    while True:
        chances = reach(game, top * game.unit)[::-1, game.dice]  # [what is needed]
        enough = np.flatnonzero(chances <= PAST_GOAL)
        if len(enough):
            return int(enough[0])
        top *= 2
        if top > MOST_TOTALS:
            raise ValueError(f"{game.name} busts too rarely for a last round: turns need never end")


def reach(game: RaceGame, target: int) -> Floats:
    """Return the best chance that the turn total reaches the target, by [turn total in units, dice] if rolled.

    Totals run from 0 to the target, where the chance is 1.
    """
    if target <= 0:
        raise ValueError(f"target {target}: give a turn total above 0")
    top = units(game, target)
    ones = np.ones((largest_keep(game) + 1, game.dice + 1))
    roll, _ = play_turn(options(game), np.full(top, -np.inf), 0.0, ones)  # an exact goal is left out of account here
    roll[:, 0] = 0.0
    return np.concatenate([roll, ones[:1]])


# Playing for the chance to win, in plain numpy.


class TurnChances(NamedTuple):
    """The chances to win within one turn, by [turn total in units, dice]."""

    roll: Floats
    bank: Floats  # [turn total]; minus infinity where banking is not allowed
    lose: float
    bust: Floats  # [dice]
    fallen: float = 0.0
    crash: Floats | None = None  # [dice]; None for none
    exact: bool = False

    def rolled(self, total: int, dice: int) -> float:
        """Return the chance to win if so many dice are thrown; past the goal every roll but a bust wins."""
        if total < len(self.roll):
            return float(self.roll[total, dice])
        if self.exact:
            return self.lose  # at the goal no keep may be made
        crash = 0.0 if self.crash is None else float(self.crash[dice])
        return float(self.bust[dice] * self.lose + crash * self.fallen + (1.0 - self.bust[dice] - crash))

    def may_keep(self, total: int) -> bool:
        """Tell whether a keep may lead to a total: not past an exact goal."""
        return not self.exact or total <= len(self.bank)

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


def turn_chances(
    game: RaceGame, bank: Floats, lose: float, offered: Options | None = None, fallen: float = 0.0
) -> TurnChances:
    """Work out one turn, given the chances to win after banking each total that does not win, and after a bust or crash."""
    offered = options(game) if offered is None else offered
    beyond = np.full((largest_keep(game) + 1, game.dice + 1), -np.inf if game.exact else 1.0)
    beyond[0] = 1.0
    roll, _ = play_turn(offered, bank, lose, beyond, fallen)
    crash = offered.crash if game.bust_all == "score" else None
    return TurnChances(roll, bank, lose, offered.bust, fallen, crash, game.exact)


def list_moves(game: RaceGame, roll: Roll, turn: int, chances: TurnChances, tables: TurnTables, row: int) -> list[Move]:
    """List every distinct keep of a roll, with banking and with throwing on.

    Where the dice are used up, may not be thrown again, and the total may not be banked either, the turn ends with nothing:
    that stands as a bank with an expected score of 0, less what such a turn costs.
    """
    listed = []
    for kept, points, dice_left in keeps(game, roll):
        total = turn + points
        at = total // game.unit
        if not chances.may_keep(at):
            continue
        may_bank = chances.banked(at) > -math.inf
        if may_bank or dice_left == 0:
            expected = float(total if may_bank else -tables.stakes[row].bust)
            listed.append(Move(kept, points, dice_left, expected, chances.bank_or_lose(at), True))
        if dice_left:
            expected = tables.expected_score(dice_left, total, row)
            listed.append(Move(kept, points, dice_left, expected, chances.rolled(at, dice_left), False))
    return listed
