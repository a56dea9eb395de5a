"""Races solved for the chance to win: one turn, and the match for every pair of standings.

With n dice in hand, a turn total t, and the chances to win after banking and after a bust,

    roll(n, t) = P(bust) * lose + sum over outcome classes of P(class) * max over its options of
                 best(dice left, t + points)
    best(n, t) = max(roll(n, t), bank(t))

where lose = 1 - W(them, me), bank(t) = 1 - W(them, me + t), and W(me, them) = roll(all dice, 0) is the chance of the
player to move. The total only grows, so that a turn is one backward sweep over t. A pair of standings hangs on pairs
with a higher sum of scores and, through a bust, on its own mirror image: sums are taken from the top, and the two
unknowns of a pair are closed by policy iteration, which is Newton's method on

    x = f(1 - y),  y = g(1 - x),

f and g being convex and piecewise linear; the slope of f is the chance that the turn ends with nothing.

A *standing* is (score, opened). Those who have not opened come first: score 0, then the handicaps that were asked for;
then the scores of those who have, from the opening threshold up, one unit apart. Ten-thousand has 181 of them.

    values of a match   [standing to move, standing of the other]
    values of a turn    [turn total in units, dice left]; none are left where all are used and may not be thrown again

Solving needs numba (`race_kernel`), which is imported then; a solved race answers without it.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..store.stored import Stored
from .rules import (
    Option,
    RaceGame,
    Roll,
    best_options,
    check_standing,
    check_turn,
    format_roll,
    from_dict,
    keeps,
    outcome_classes,
    parse_roll,
    rolls,
    to_dict,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Progress = Callable[[int, int], None]

TIED = 1e-10  # moves this close to the best, in chance or in points, count as equal
RESIDUAL = 4e-15  # a pair is closed when its equations hold to this
MOST_STANDINGS = 4000
MOST_TOTALS = 1_000_000


# --- one turn ---------------------------------------------------------------------------------------------------------


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


def _largest_keep(game: RaceGame) -> int:
    return int(options(game).points.max())


def units(game: RaceGame, points: int) -> int:
    """Return the fewest units that make at least so many points."""
    return -(-points // game.unit)


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

    totals = np.arange(rows + _largest_keep(game) + 1) * float(game.unit)
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
    ones = np.ones((_largest_keep(game) + 1, game.dice + 1))
    roll, _ = play_turn(options(game), np.full(top, -np.inf), 0.0, ones)
    roll[:, 0] = 0.0
    return np.concatenate([roll, ones[:1]])


# --- the match --------------------------------------------------------------------------------------------------------


class Standings(NamedTuple):
    """What a standing allows, in units, for the kernels."""

    least: Integers  # [standing]: the least turn total that may be banked
    need: Integers  # [standing]: the turn total that wins
    after: Integers  # [standing]: banking t leads to standing after + t


class Axes(NamedTuple):
    """The standings of a race: scores in points, and who has opened."""

    scores: Integers
    opened: Flags


def axes(game: RaceGame, handicaps: Iterable[int] = ()) -> Axes:
    """List the standings of a race: not opened first (score 0 and the handicaps), then those who have opened."""
    extra = sorted({check_standing(game, handicap, False)[0] for handicap in handicaps} - {0})
    goal, opening = units(game, game.goal), units(game, game.opening)
    unopened = [0, *(handicap // game.unit for handicap in extra)] if opening else []
    scores = np.array([*unopened, *range(opening, goal)], dtype=np.int64) * game.unit
    if len(scores) > MOST_STANDINGS:
        raise ValueError(
            f"{game.name} to {game.goal} has {len(scores)} standings: at most {MOST_STANDINGS} can be solved, lower the goal"
        )
    return Axes(scores, np.arange(len(scores)) >= len(unopened))


def standings(game: RaceGame, axis: Axes) -> Standings:
    """Return what every standing allows."""
    scores = axis.scores // game.unit
    goal, opening = units(game, game.goal), units(game, game.opening)
    least = np.where(axis.opened, 1, max(opening, 1))
    return Standings(
        least.astype(np.int64),
        np.maximum(goal - scores, least).astype(np.int64),
        (np.count_nonzero(~axis.opened) + scores - opening).astype(np.int64),
    )


class Iterations(NamedTuple):
    """Rounds of policy iteration: the most that any pair took, and those of all pairs together."""

    most: int
    total: int


@dataclass(frozen=True, eq=False, repr=False)
class RaceSolution:
    """A solved race: `values[i, j]` is the chance to win of the player to move at standing i against standing j."""

    game: RaceGame
    values: Floats
    scores: Integers
    opened: Flags
    iterations: Iterations
    error_bound: float

    def __repr__(self) -> str:
        return (
            f"<RaceSolution of {self.game.name} to {self.game.goal}: {len(self.scores)} standings, "
            f"first player {self.first_player_value:.6f}, error at most {self.error_bound:.1e}>"
        )

    @property
    def first_player_value(self) -> float:
        """The chance of the player who starts."""
        return float(self.values[0, 0])

    @property
    def expected_turn_score(self) -> float:
        """The expected score of a turn that is played for it, by a player who has opened."""
        return turn_tables(self.game).expected_turn_score

    def standing(self, score: int, opened: bool | None = None) -> int:
        """Return the index of a standing, or refuse one that cannot occur or was not solved."""
        score, opened = check_standing(self.game, score, opened)
        found = np.flatnonzero((self.scores == score) & (self.opened == opened))
        if not len(found):
            raise ValueError(
                f"a handicap of {score} was not solved: solve with handicaps=[{score}], or say that the player has opened"
            )
        return int(found[0])

    def win_probability(
        self,
        score: int,
        opponent: int,
        turn: int = 0,
        dice: int | None = None,
        *,
        opened: bool | None = None,
        opponent_opened: bool | None = None,
    ) -> float:
        """Return the chance to win of the player to move, with a turn total and so many dice to throw, if he likes.

        At turn total 0 he must throw all dice. Later on the number of dice is 0 if all are used and may not be thrown
        again.
        """
        dice = self.game.dice if dice is None else dice
        me, them = self.standing(score, opened), self.standing(opponent, opponent_opened)
        check_turn(self.game, turn, dice)
        if turn == 0:
            return float(self.values[me, them])
        chances = turn_chances(self, me, them)
        total = turn // self.game.unit
        return chances.bank_or_lose(total) if dice == 0 else max(chances.rolled(total, dice), chances.banked(total))

    def verify(self, seed: int = 0) -> tuple[int, float]:
        """Recompute a sample of pairs through the plain rules; return how many, and the largest difference."""
        return residual(self, seed=seed)

    def stored(self) -> Stored:
        """Return the solution as plain data; the axes are labelled by score, `opened` tells equal scores apart."""
        return Stored(
            "race",
            {"family": "race", **to_dict(self.game)},
            {
                "payoff": "values: the chance to win of the player to move",
                "iterations": list(self.iterations),
                "error_bound": self.error_bound,
            },
            {"to_move": self.scores, "other": self.scores},
            {"values": (("to_move", "other"), self.values), "opened": (("to_move",), self.opened.astype(np.int64))},
        )

    @classmethod
    def from_stored(cls, data: Stored) -> RaceSolution:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        game = from_dict({key: value for key, value in data.rules.items() if key != "family"})
        scores = np.asarray(data.axes["to_move"], dtype=np.int64)
        opened = np.asarray(data.arrays["opened"][1]).astype(bool)
        values = np.asarray(data.arrays["values"][1], dtype=np.float64)
        expected = axes(game, scores[~opened].tolist() if game.opening else ())
        if not (np.array_equal(expected.scores, scores) and np.array_equal(expected.opened, opened)):
            raise ValueError(f"{len(scores)} standings that are not those of {game.name}")
        if values.shape != (len(scores), len(scores)):
            raise ValueError(f"values of shape {values.shape} for {len(scores)} standings")
        most, total = (int(count) for count in data.facts["iterations"])
        return cls(game, values, scores, opened, Iterations(most, total), float(data.facts["error_bound"]))


def levels(axis: Axes) -> list[Integers]:
    """List the pairs of standings [pair, (i, j)] by the sum of their scores, highest first."""
    sums = axis.scores[:, None] + axis.scores
    order = np.argsort(-sums, axis=None, kind="stable")
    breaks = np.flatnonzero(np.diff(sums.ravel()[order])) + 1
    return [np.stack(np.divmod(level, len(sums)), axis=1) for level in np.split(order, breaks)]


def _first_guess(values: Floats, i: Integers, j: Integers) -> Floats:
    """Guess values[i, j] from the pairs that are solved: as if the two scores added their effects."""
    last = len(values) - 1
    up, right = np.minimum(i + 1, last), np.minimum(j + 1, last)
    guess = values[up, j] + values[i, right] - values[up, right]
    return np.clip(np.where(np.isfinite(guess), guess, 0.5), 0.0, 1.0)


@functools.lru_cache(maxsize=64)
def _rounding(game: RaceGame) -> float:
    """Bound the rounding error of one sweep of a turn: that of one sum, for every throw of the longest turn."""
    tree, offered = throws(game), options(game)
    terms = int(np.diff(tree.first).max()) + 1
    one_sum = (math.ceil(math.log2(max(terms, 2))) + 4) * 2.0**-53
    length = np.zeros(game.dice + 1)
    for _ in range(100_000):  # the mean number of throws of a player who never banks and wants to throw on
        longest = np.maximum.reduceat(length[offered.left], offered.start[:-1]) * offered.weight
        new = 1.0 + np.concatenate([[-1.0], np.add.reduceat(longest, offered.first[1:-1])])
        if np.all(new - length <= 1e-12 * new):
            break
        length = new
    return one_sum * float(new.max())


class _Bounds:
    """Certified error bounds, pair by pair: the largest of the pairs it leads to, and what the pair adds itself."""

    def __init__(self, game: RaceGame, axis: Axes) -> None:
        size = len(axis.scores)
        self.standings = standings(game, axis)
        self.rounding = _rounding(game)
        self.of_pair = np.zeros((size, size))
        self.from_here_on = np.zeros((size, size + 1))  # [i, j]: the largest of (i, j), (i, j + 1), ...

    def add(self, i: Integers, j: Integers, result: Floats) -> None:
        """Take up the pairs of one sum with what the kernel says about them."""
        first = np.minimum(self.standings.after + self.standings.least, len(self.of_pair))
        leads_to = np.maximum(self.from_here_on[j, first[i]], self.from_here_on[i, first[j]])
        slopes = result[:, 2:4]
        own = (result[:, 4] + self.rounding) * (1.0 + slopes.max(axis=1)) / (1.0 - slopes.prod(axis=1))
        for one, other in ((i, j), (j, i)):
            self.of_pair[one, other] = leads_to + own
        for one, other in ((i, j), (j, i)):
            self.from_here_on[one, other] = np.maximum(self.of_pair[one, other], self.from_here_on[one, other + 1])


def solve(
    game: RaceGame,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    handicaps: Iterable[int] = (),
) -> RaceSolution:
    """Compute the chance to win for every pair of standings, with a certified bound on the error.

    `handicaps` adds standings of players who were given points, which count but do not open; without an opening
    threshold every score is there anyway. `progress` is called with the pairs done and all pairs. The result has the
    same bits on any number of threads.
    """
    axis = axes(game, handicaps)
    size = len(axis.scores)
    values = np.full((size, size), np.nan)
    bounds = _Bounds(game, axis)
    most = total = done = 0
    with PairCloser(game, axis, threads) as close:
        for level in levels(axis):
            i, j = level[level[:, 0] <= level[:, 1]].T
            if not len(i):
                continue
            result = close(i, j, values, values)
            values[i, j], values[j, i] = result[:, 0], result[:, 1]
            bounds.add(i, j, result)
            most = max(most, int(result[:, 5].max()))
            total += int(result[:, 5].sum())
            done += len(i)
            if progress:
                progress(done, size * (size + 1) // 2)
    return RaceSolution(game, values, *axis, Iterations(most, total), float(bounds.of_pair.max()))


class PairCloser:
    """Closes pairs of standings on some threads; each takes a share of fixed chunks."""

    def __init__(self, game: RaceGame, axis: Axes, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"threads is {threads}: give 1 or more")
        self.threads = threads or os.cpu_count() or 1
        self.throws = throws(game)
        self.standings = standings(game, axis)
        self.pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> PairCloser:
        if self.threads > 1:
            self.pool = ThreadPoolExecutor(self.threads)
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool:
            self.pool.shutdown()

    def __call__(
        self, i: Integers, j: Integers, movers: Floats, others: Floats, line: tuple[Floats, Floats] | None = None
    ) -> Floats:
        """Return [pair, (x, y, slopes of both, residual, rounds)]; with `line` the other plays (rest, bust), fixed."""
        from . import kernel as race_kernel

        result = np.empty((len(i), 6))
        result[:, 0], result[:, 1] = _first_guess(movers, i, j), _first_guess(others, j, i)
        chunks = -(-len(i) // race_kernel.LANES)
        i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)
        rest, bust = line if line else (np.empty(0), np.empty(0))

        def share(lowest: int, highest: int) -> None:
            race_kernel.close_pairs(
                self.throws, self.standings, i, j, movers, others, line is not None, rest, bust, RESIDUAL,
                lowest, highest, result,
            )  # fmt: skip

        self.share_out(chunks, share)
        return result

    def share_out(self, chunks: int, share: Callable[[int, int], None]) -> None:
        """Do share(lowest, highest) over all chunks, a part of them on every thread."""
        cuts = [chunks * part // self.threads for part in range(self.threads + 1)]
        shares = [(low, high) for low, high in itertools.pairwise(cuts) if low < high]
        if self.pool and len(shares) > 1:
            for task in [self.pool.submit(share, low, high) for low, high in shares]:
                task.result()
        else:
            share(0, chunks)


# --- a fair start -----------------------------------------------------------------------------------------------------


class FairStart(NamedTuple):
    """The points for the second player that bring the first player's chance nearest to one half.

    `value_by_bonus` gives the first player's chance for the bonuses around it.
    """

    bonus: int
    value: float
    value_by_bonus: dict[int, float]


def fair(race: RaceGame | RaceSolution, *, around: int = 5, threads: int | None = None) -> FairStart:
    """Find the head start that makes the race even: points given to the second player, which do not open.

    The bonus is at least 0: a race in which the first player is at a disadvantage is answered with 0.
    """
    game = race.game if isinstance(race, RaceSolution) else race
    most = units(game, game.goal) - 1

    def values(bonuses: Iterable[int]) -> dict[int, float]:
        wanted = [bonus * game.unit for bonus in bonuses]
        solution = solve(game, threads=threads, handicaps=wanted)
        opened = False if game.opening else None
        return {bonus: float(solution.values[0, solution.standing(bonus, opened)]) for bonus in wanted}

    # Without an opening threshold every score is solved anyway; with one, a coarse grid first, then every unit.
    if game.opening:
        step = max(1, most // 20)
        coarse = values(range(0, most + 1, step))
        near = min(coarse, key=lambda bonus: abs(coarse[bonus] - 0.5)) // game.unit
        fine = values(range(max(0, near - step - around), min(most, near + step + around) + 1))
    else:
        fine = values(range(most + 1))
    best = min(fine, key=lambda bonus: (abs(fine[bonus] - 0.5), bonus))
    near_best = {bonus: value for bonus, value in fine.items() if abs(bonus - best) <= around * game.unit}
    return FairStart(best, fine[best], near_best)


# --- looking at a solved race -----------------------------------------------------------------------------------------


class TurnChances(NamedTuple):
    """The chances to win within one turn of a solved race, by [turn total in units, dice]."""

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


def turn_chances(
    solution: RaceSolution, me: int, them: int, offered: Options | None = None, others: Floats | None = None
) -> TurnChances:
    """Work out one turn of the player at standing `me` against `them`, in plain numpy.

    `others[j, i]` is the chance of the other player to move at j against i, by default as both play to win.
    """
    game = solution.game
    offered = options(game) if offered is None else offered
    others = solution.values if others is None else others
    least, need, after = (int(column[me]) for column in standings(game, Axes(solution.scores, solution.opened)))
    bank = np.full(need, -np.inf)
    bank[least:] = 1.0 - others[them, after + least : after + need]
    lose = 1.0 - float(others[them, me])
    ones = np.ones((_largest_keep(game) + 1, game.dice + 1))
    roll, _ = play_turn(offered, bank, lose, ones)
    return TurnChances(roll, bank, lose, offered.bust)


class Move(NamedTuple):
    """Keep some dice of a roll (faces descending) and bank, or throw the dice that are left."""

    keep: Roll
    points: int
    dice_left: int
    bank: bool
    expected_score: float  # of the whole turn, played for it from here on
    win_probability: float  # with play that is best for it from here on


def ranked(moves: Iterable[Move], by: str = "win", needed: float = math.inf) -> list[Move]:
    """Sort moves, best first: by the chance to win, ties by the expected score; or as the policy `score` takes them.

    That banks whenever it wins, with at least the `needed` points of this roll; else it goes by the expected score. Then
    the fewest dice kept, the higher faces, and banking before throwing. Tied means within 1e-10 of the best.
    """
    if by not in ("win", "score"):
        raise ValueError(f"cannot sort by {by!r}: say 'win' or 'score'")

    def sort(group: list[Move], keys: Sequence[str]) -> list[Move]:
        if not keys:
            return sorted(group, key=lambda move: (len(move.keep), [-face for face in move.keep], not move.bank))
        key, *rest = keys
        found: list[Move] = []
        group = sorted(group, key=lambda move: -getattr(move, key))
        while group:
            best = getattr(group[0], key)
            count = next((n for n, move in enumerate(group) if getattr(move, key) < best - TIED), len(group))
            found += sort(group[:count], rest)
            group = group[count:]
        return found

    if by == "win":
        return sort(list(moves), ["win_probability", "expected_score"])
    wins: list[Move] = []
    rest: list[Move] = []
    for move in moves:
        (wins if move.bank and move.points >= needed else rest).append(move)
    return sort(wins, ["expected_score"]) + sort(rest, ["expected_score"])


def moves(
    solution: RaceSolution,
    roll: Roll | str,
    turn: int = 0,
    score: int = 0,
    opponent: int = 0,
    *,
    opened: bool | None = None,
    opponent_opened: bool | None = None,
    sort: str = "win",
    others: Floats | None = None,
) -> list[Move]:
    """List every distinct keep of a roll, with bank and with throwing on, best first.

    `turn` is the turn total before the roll. `others` are the chances of an opponent who plays otherwise than to win, as
    a best answer to him has them. Where the dice are used up, may not be thrown again, and the total may not
    be banked either, the turn ends with nothing: that stands as a bank with an expected score of 0.
    """
    game = solution.game
    shown = parse_roll(game, roll) if isinstance(roll, str) else parse_roll(game, " ".join(map(str, roll)))
    me, them = solution.standing(score, opened), solution.standing(opponent, opponent_opened)
    check_turn(game, turn, len(shown))
    found = keeps(game, shown)
    if not found:
        raise ValueError(f"the roll {format_roll(shown)} is a bust: nothing scores, the turn ends; give another roll")
    chances = turn_chances(solution, me, them, others=others)
    tables, has_opened = turn_tables(game), bool(solution.opened[me])
    listed = []
    for kept, points, dice_left in found:
        total = turn + points
        at = total // game.unit
        may_bank = chances.banked(at) > -math.inf
        if may_bank or dice_left == 0:
            expected = float(total) if may_bank else 0.0
            listed.append(Move(kept, points, dice_left, True, expected, chances.bank_or_lose(at)))
        if dice_left:
            expected = tables.expected_score(dice_left, total, has_opened)
            listed.append(Move(kept, points, dice_left, False, expected, chances.rolled(at, dice_left)))
    return ranked(listed, sort, game.goal - score - turn)


def stops(
    solution: RaceSolution,
    score: int = 0,
    opponent: int = 0,
    *,
    opened: bool | None = None,
    opponent_opened: bool | None = None,
) -> dict[int, int | None]:
    """Return, by number of dice, the lowest turn total at which banking wins at least as often as throwing them.

    None where every total short of the goal calls for throwing. Past the lowest total throwing may be better again.
    """
    game = solution.game
    chances = turn_chances(solution, solution.standing(score, opened), solution.standing(opponent, opponent_opened))
    found: dict[int, int | None] = {}
    for dice in range(1, game.dice + 1):
        banks = np.flatnonzero(chances.bank >= chances.roll[:, dice] - TIED)
        found[dice] = int(banks[0]) * game.unit if len(banks) else None
    return found


class Residual(NamedTuple):
    """How many pairs of standings were recomputed through the plain rules, and the largest difference found."""

    checked: int
    worst: float


def residual(solution: RaceSolution, sample: int = 100, seed: int = 0) -> Residual:
    """Recompute a sample of pairs, the start among them, from every roll and every keep of the rules."""
    game, size = solution.game, len(solution.scores)
    offered = options(game, every_roll=True)
    chosen = np.random.default_rng(seed).choice(size * size, min(sample, size * size), replace=False)
    worst = 0.0
    for pair in sorted({0, *chosen.tolist()}):
        me, them = divmod(pair, size)
        found = turn_chances(solution, me, them, offered).roll[0, game.dice]
        difference = abs(float(found) - float(solution.values[me, them]))
        worst = max(worst, difference if math.isfinite(difference) else math.inf)
    return Residual(len({0, *chosen.tolist()}), worst)
