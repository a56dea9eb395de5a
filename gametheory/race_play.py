"""Policies for races, and what comes of them: exact results, best answers, where two part, simulation, a fair start.

A policy is a rule for one turn. What the match sees of it is the chance of every total that the turn may bank,

    ends[t] = P(the turn banks t);  ends[0] = P(it ends with nothing);  and P(it wins),

by the standing of the player and, unless the policy does not look, of the opponent. With x(i, j) the chance of the
player A to move at i against j, and y(j, i) that of B to move at j against i,

    x(i, j) = P(A wins at once) + sum over t of ends_A[t] * (1 - y(j, i + t)) + ends_A[0] * (1 - y(j, i))

and likewise y: two linear equations a pair, sums from the top. The expected number of visits of every pair satisfies
the transposed equations, sums from the bottom; the busts of both players in turn are a geometric series.

    first_win, second_win   [standing of the player to move, standing of the other]
    decisions of a plan     [opened, turn total in units, dice left]
"""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .race import (
    TIED,
    Axes,
    Floats,
    Integers,
    PairCloser,
    RaceSolution,
    Standings,
    axes,
    levels,
    options,
    reach,
    solve,
    standings,
    throws,
    turn_tables,
    units,
)
from .race_rules import RaceGame, Roll, keeps, rolls

NAMES = ("score", "win", "hold-at-N", "simple", "random")
MOST_CALLS = 50_000_000
DIFFERENT = 1e-9  # a move that is worse by more than this disagrees


class State(NamedTuple):
    """What a player sees when the dice lie on the table."""

    score: int
    opened: bool
    opponent: int
    opponent_opened: bool
    turn: int
    dice: int


Chooser = Callable[[State, Roll], tuple[Roll, bool]]


class Plan(NamedTuple):
    """How a policy decides, for the kernels: by values, by the tables `first` and then `second`, or at random."""

    kind: int
    others: Floats  # [standing of the other, to move; own standing]
    first_roll: Floats  # [opened, turn total, dice left]: worth of throwing on, minus infinity where it does not
    first_bank: Floats
    second_roll: Floats
    second_bank: Floats
    tied: float


_BY_VALUES, _BY_TABLE, _AT_RANDOM = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Policy:
    """A policy for one race, made by policy(), by best_answer(), or from a function.

    A function takes (State, roll) and returns (keep, bank?). It says by its attribute `ignores` what it does not look
    at: "opponent", or also "score".
    """

    name: str
    game: RaceGame
    axis: Axes
    plan: Plan | None = None
    function: Chooser | None = None
    cache: dict[str, Floats] = field(default_factory=dict, repr=False)  # turn_ends() remembers here
    asked: dict[Any, tuple[Roll, bool]] = field(default_factory=dict, repr=False)  # and ask() here

    @property
    def looks_at_opponent(self) -> bool:
        """Whether the opponent's standing matters."""
        if self.plan is None:
            return "opponent" not in getattr(self.function, "ignores", ())
        return self.plan.kind == _BY_VALUES


def policy(race: RaceGame | RaceSolution, chosen: str | Chooser | Policy) -> Policy:
    """Make a policy from its name or from a function.

    - `score`: banks whenever that wins; has it not opened, it maximises the chance to reach the threshold; from there
      the expected turn score.
    - `win`: maximises the chance to win against an opponent who does the same.
    - `hold-at-N`: keeps the most points, then the most dice left, and banks at a turn total of N or a win.
    - `simple`: the simplified rule of github.com/Amund211/10001: throws on with 5 or more dice below 3000, with 4 below
      1000, with fewer below 400. For each number of dice that it may leave it looks at the most points, and of these
      takes the most, every die that it will throw counting 50 more: the source leaves that open.
    - `random`: every distinct keep, banked or thrown on with, is as likely as any other.

    Nobody banks below the opening threshold, and all but `random` bank whenever that wins.
    """
    if isinstance(chosen, Policy):
        return chosen
    solution = race if isinstance(race, RaceSolution) else None
    game = race.game if isinstance(race, RaceSolution) else race
    axis = Axes(solution.scores, solution.opened) if solution else axes(game)
    if callable(chosen):
        return Policy(getattr(chosen, "__name__", "function"), game, axis, function=chosen)
    if chosen == "win":
        return _by_values("win", game, axis, (solution or solve(game)).values)
    if chosen == "score":
        return Policy(chosen, game, axis, _score_plan(game, axis))
    if chosen == "simple":
        return Policy(chosen, game, axis, _simple_plan(game, axis))
    if chosen == "random":
        return Policy(chosen, game, axis, _score_plan(game, axis)._replace(kind=_AT_RANDOM))
    if chosen.startswith("hold-at-"):
        number = chosen.removeprefix("hold-at-")
        if not (number.isascii() and number.isdigit() and int(number) > 0):
            raise ValueError(f"policy {chosen!r}: give the turn total to hold at, as in 'hold-at-20'")
        return Policy(chosen, game, axis, _hold_plan(game, axis, int(number)))
    raise ValueError(f"no policy {chosen!r}: name one of {', '.join(NAMES)}")


def _most(game: RaceGame, axis: Axes) -> int:
    return int(standings(game, axis).need.max())


def _expected(game: RaceGame, axis: Axes) -> tuple[Floats, Floats]:
    """Return the expected turn scores of throwing on and of banking."""
    most = _most(game, axis)
    roll = np.ascontiguousarray(turn_tables(game).expected[:, :most])
    totals = np.arange(most) * float(game.unit)
    return roll, np.ascontiguousarray(np.broadcast_to(totals[None, :, None], roll.shape))


def _may_bank(game: RaceGame, most: int) -> Any:
    """Return whether each total may be banked, [opened, turn total, 1]."""
    totals = np.arange(most)
    return np.stack([totals >= max(units(game, game.opening), 1), totals >= 1])[:, :, None]


def _by_values(name: str, game: RaceGame, axis: Axes, others: Floats) -> Policy:
    empty = np.empty((2, 0, game.dice + 1))
    return Policy(name, game, axis, Plan(_BY_VALUES, others, empty, empty, *_expected(game, axis), TIED))


def _table_plan(first_roll: Floats, first_bank: Floats, second: tuple[Floats, Floats]) -> Plan:
    first_roll, first_bank, second_roll, second_bank = map(np.ascontiguousarray, (first_roll, first_bank, *second))
    return Plan(_BY_TABLE, np.empty((0, 0)), first_roll, first_bank, second_roll, second_bank, TIED)


def _score_plan(game: RaceGame, axis: Axes) -> Plan:
    roll, bank = (table.copy() for table in _expected(game, axis))
    # Whoever has not opened wants to reach the threshold first: a chance, at most 1, and past it 1 and the expectation.
    opening = units(game, game.opening)
    roll[0, opening:] += 1.0
    bank[0, opening:] += 1.0
    if opening:
        roll[0, :opening] = reach(game, game.opening)[:-1]
    bank[np.broadcast_to(~_may_bank(game, roll.shape[1]), bank.shape)] = -np.inf
    return _table_plan(roll, bank, _expected(game, axis))


def _hold_plan(game: RaceGame, axis: Axes, hold: int) -> Plan:
    most = _most(game, axis)
    shape = (2, most, game.dice + 1)
    totals = np.broadcast_to(np.arange(most, dtype=np.float64)[None, :, None], shape)
    banks = (totals >= units(game, hold)) & _may_bank(game, most)
    left = np.broadcast_to(np.arange(game.dice + 1, dtype=np.float64), shape)
    return _table_plan(np.where(banks, -np.inf, totals), np.where(banks, totals, -np.inf), (left, left))


def _simple_plan(game: RaceGame, axis: Axes) -> Plan:
    most = _most(game, axis)
    shape = (2, most, game.dice + 1)
    points = np.broadcast_to(np.arange(most)[None, :, None] * float(game.unit), shape)
    limit = np.array(([0, 400, 400, 400, 1000] + [3000] * game.dice)[: game.dice + 1])
    banks = (points >= limit) & _may_bank(game, most)
    left = np.broadcast_to(np.arange(game.dice + 1, dtype=np.float64), shape)
    roll, bank = np.where(banks, -np.inf, points + 50.0 * left), np.where(banks, points, -np.inf)
    return _table_plan(roll, bank, (left, left))


# --- the turns of a policy --------------------------------------------------------------------------------------------


def _share_out(count: int, threads: int | None, work: Callable[[int, int], Any], least: int = 16) -> list[Any]:
    """Do work(low, high) over all of range(count), in one part for each thread; return the results in order."""
    threads = threads or os.cpu_count() or 1
    parts = max(1, min(threads, count // least))
    cuts = [count * part // parts for part in range(parts + 1)]
    if parts == 1:
        return [work(0, count)]
    with ThreadPoolExecutor(parts) as pool:
        return [task.result() for task in [pool.submit(work, *cut) for cut in itertools.pairwise(cuts)]]


def turn_ends(chosen: Policy, i: Integers, j: Integers, threads: int | None = None) -> Floats:
    """Return ends[pair, t]: the chance that a turn at standing i against j banks t units; the last column: it wins."""
    if not chosen.looks_at_opponent:
        if "ends" not in chosen.cache:
            every = np.arange(len(chosen.axis.scores))
            chosen.cache["ends"] = _turn_ends(chosen, every, np.zeros_like(every), threads)
        return chosen.cache["ends"][i]
    key = f"{i[0]} {j[0]} {len(i)}"  # names one level: whole levels are asked for
    if key in chosen.cache:
        return chosen.cache[key]
    ends = _turn_ends(chosen, i, j, threads)
    if ends.shape[1] * len(chosen.axis.scores) ** 2 <= 2**24:  # 128 MB
        chosen.cache[key] = ends
    return ends


def _turn_ends(chosen: Policy, i: Integers, j: Integers, threads: int | None) -> Floats:
    game, axis = chosen.game, chosen.axis
    ends = np.zeros((len(i), _most(game, axis) + 1))
    if chosen.plan is None:
        for pair, (mine, theirs) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
            ends[pair] = _ends_of_function(chosen, mine, theirs)
        return ends
    if chosen.plan.kind == _AT_RANDOM:
        for pair, mine in enumerate(i.tolist()):
            ends[pair] = _ends_at_random(game, axis, mine)
        return ends
    from . import race_kernel

    offered, tree, allowed = options(game), throws(game), standings(game, axis)
    i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)

    def part(low: int, high: int) -> None:
        race_kernel.play_turns(offered, tree, allowed, chosen.plan, axis.opened, i, j, low, high, ends)

    _share_out(len(i), threads, part)
    return ends


def _ends_at_random(game: RaceGame, axis: Axes, mine: int) -> Floats:
    """Work out one turn of the policy `random`, which may throw on even when banking wins."""
    most = _most(game, axis)
    least, need = (int(column[mine]) for column in standings(game, axis)[:2])
    offered = options(game, every_roll=True)
    size = game.dice + 1
    ends, chance = np.zeros(most + 1), np.zeros((need + 1, size))
    chance[0, game.dice] = 1.0
    roll_of_option = np.repeat(np.arange(len(offered.weight)), np.diff(offered.start))
    for total in range(need):
        to = np.minimum(total + offered.points, need)
        may_bank = (to >= least) | (offered.left == 0)
        moves = may_bank.astype(int) + (offered.left > 0)
        share = offered.weight / np.add.reduceat(moves, offered.start[:-1])
        for dice in np.flatnonzero(chance[total]).tolist():
            low, high = offered.start[offered.first[dice]], offered.start[offered.first[dice + 1]]
            weight = chance[total, dice] * share[roll_of_option[low:high]]
            ends[0] += chance[total, dice] * offered.bust[dice]
            banks, throws_on = may_bank[low:high], offered.left[low:high] > 0
            banked = np.where(to[low:high] >= least, to[low:high], 0)
            banked = np.where(banked >= need, most, banked)
            np.add.at(ends, banked[banks], weight[banks])
            np.add.at(chance, (to[low:high][throws_on], offered.left[low:high][throws_on]), weight[throws_on])
    # From the goal on every total is alike: the chance to bank at last, by the dice in hand, is a linear equation.
    moves = 1 + (offered.left > 0)
    share = offered.weight / np.add.reduceat(moves, offered.start[:-1])
    stays, banks_now = np.zeros((size, size)), np.zeros(size)
    for dice in range(1, size):
        low, high = offered.start[offered.first[dice]], offered.start[offered.first[dice + 1]]
        weight, left = share[roll_of_option[low:high]], offered.left[low:high]
        banks_now[dice] = weight.sum()
        np.add.at(stays[dice], left[left > 0], weight[left > 0])
    won = np.linalg.solve(np.eye(size) - stays, banks_now)
    ends[-1] += chance[need] @ won
    ends[0] += chance[need] @ (1.0 - won)
    return ends


def _ends_of_function(chosen: Policy, mine: int, theirs: int) -> Floats:
    """Work out one turn of a policy given as a function, asking it about every roll of every state it comes to."""
    game, axis = chosen.game, chosen.axis
    assert chosen.function is not None
    ignores = getattr(chosen.function, "ignores", ())
    least, need = (int(column[mine]) for column in standings(game, axis)[:2])
    ends, chance = np.zeros(_most(game, axis) + 1), np.zeros((need, game.dice + 1))
    chance[0, game.dice] = 1.0
    for total in range(need):
        for dice in range(1, game.dice + 1):
            if not chance[total, dice]:
                continue
            state = State(
                int(axis.scores[mine]), bool(axis.opened[mine]), int(axis.scores[theirs]), bool(axis.opened[theirs]),
                total * game.unit, dice,
            )  # fmt: skip
            for roll, ways, offered in _offers(game, dice):
                weight = chance[total, dice] * ways / game.sides**dice
                to, left, banks = 0, 0, True
                if offered:
                    points, left, banks = ask(chosen, state, roll, offered, ignores)
                    to = total + points // game.unit
                if to >= need:
                    ends[-1] += weight
                elif not offered or banks or left == 0:
                    ends[to if to >= least else 0] += weight
                else:
                    chance[to, left] += weight
    return ends


@functools.lru_cache(maxsize=512)
def _offers(game: RaceGame, dice: int) -> list[tuple[Roll, int, dict[Roll, tuple[int, int]]]]:
    return [
        (roll, ways, {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)})
        for roll, ways in rolls(game, dice)
    ]


def ask(
    chosen: Policy, state: State, roll: Roll, offered: dict[Roll, tuple[int, int]], ignores: Sequence[str] = ()
) -> tuple[int, int, bool]:
    """Return (points, dice left, bank?) of the move that a function makes; refuse one that is against the rules."""
    assert chosen.function is not None
    game = chosen.game
    if "score" in ignores:
        key = (state.opened, state.turn, state.dice, roll)
        if key not in chosen.asked:
            chosen.asked[key] = chosen.function(state, roll)
        keep, banks = chosen.asked[key]
    else:
        keep, banks = chosen.function(state, roll)
    kept = tuple(sorted(keep, reverse=True))
    if kept not in offered:
        raise ValueError(f"policy {chosen.name} keeps {list(keep)} of {list(roll)}: it must keep dice that all score")
    points, left = offered[kept]
    total = state.turn + points
    if banks and not state.opened and total < game.opening and left:
        raise ValueError(f"policy {chosen.name} banks {total}, not opened: it must throw on below {game.opening}")
    return points, left, bool(banks)


def calls_needed(chosen: Policy) -> int:
    """Count the calls of a function that its exact evaluation may take."""
    game, size = chosen.game, len(chosen.axis.scores)
    a_roll = sum(math.comb(dice + game.sides - 1, dice) for dice in range(1, game.dice + 1))
    ignores = getattr(chosen.function, "ignores", ())
    need = standings(game, chosen.axis).need
    if "score" in ignores:
        return 2 * int(need.max()) * a_roll
    return int(need.sum()) * a_roll * (1 if "opponent" in ignores else size)


def _check_calls(chosen: Policy, force: bool) -> None:
    if chosen.function is not None and not force and (calls := calls_needed(chosen)) > MOST_CALLS:
        raise ValueError(
            f"policy {chosen.name} would be called up to {calls} times: say force, or let its attribute "
            "`ignores` name what it does not look at, ('opponent',) or ('opponent', 'score')"
        )


# --- exact results ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """Two policies against each other: `first_win[i, j]` is the chance of A to move at i, B being at j.

    `second_win[j, i]` is the chance of B to move at j, A being at i. `turns` and `turns_from_second` count the expected
    turns of both players together until the race ends, in the same places.
    """

    first: Policy
    second: Policy
    first_win: Floats
    second_win: Floats
    turns: Floats
    turns_from_second: Floats

    @property
    def first_player_value(self) -> float:
        """The chance of A if A starts."""
        return float(self.first_win[0, 0])

    @property
    def second_player_value(self) -> float:
        """The chance of A if B starts."""
        return 1.0 - float(self.second_win[0, 0])

    @property
    def mean_turns(self) -> float:
        """The expected turns of both players together, if A starts."""
        return float(self.turns[0, 0])

    def __repr__(self) -> str:
        return (
            f"<Evaluation of {self.first.name} against {self.second.name}: wins {self.first_player_value:.6f} "
            f"starting, {self.second_player_value:.6f} as second>"
        )


def _after_banking(ends: Floats, allowed: Standings, one: Integers, other: Integers, values: Floats) -> Floats:
    """Sum ends[t] * values[other, one + t] over the totals that are banked and do not win."""
    totals = np.arange(1, ends.shape[1] - 1)
    to = np.clip(allowed.after[one][:, None] + totals, 0, len(values) - 1)
    banked = ends[:, 1:-1]
    # A total that is never banked may lead nowhere: its value may be NaN, and counts nothing.
    found: Floats = np.where(banked > 0.0, banked * values[other[:, None], to], 0.0).sum(axis=1)
    return found


def _pair_up(
    race: RaceGame | RaceSolution, first: str | Chooser | Policy, second: str | Chooser | Policy
) -> tuple[Policy, Policy]:
    """Make both policies on the same standings, solving the race if one of them needs it."""
    if isinstance(race, RaceGame) and "win" in (first, second):
        race = solve(race)
    a, b = policy(race, first), policy(race, second)
    if a.game != b.game or not all(np.array_equal(x, y) for x, y in zip(a.axis, b.axis, strict=True)):
        raise ValueError(f"policies {a.name} and {b.name} were made for other races or handicaps: make both from one")
    return a, b


def evaluate(
    race: RaceGame | RaceSolution,
    first: str | Chooser | Policy,
    second: str | Chooser | Policy,
    *,
    threads: int | None = None,
    force: bool = False,
) -> Evaluation:
    """Compute exactly how two policies fare against each other, from every pair of standings and in both seats."""
    a, b = _pair_up(race, first, second)
    for one in (a, b):
        _check_calls(one, force)
    axis, allowed = a.axis, standings(a.game, a.axis)
    size = len(axis.scores)
    x, y, turns_x, turns_y = (np.full((size, size), np.nan) for _ in range(4))
    for level in levels(axis):
        i, j = level.T
        ends_a, ends_b = turn_ends(a, i, j, threads), turn_ends(b, j, i, threads)
        again = 1.0 - ends_a[:, 0] * ends_b[:, 0]
        if np.any(again <= 0.0):
            raise ValueError(f"{a.name} against {b.name} never ends: at some scores neither ever banks, change one")
        own_a = ends_a[:, 1:].sum(axis=1) - _after_banking(ends_a, allowed, i, j, y)
        own_b = ends_b[:, 1:].sum(axis=1) - _after_banking(ends_b, allowed, j, i, x)
        x[i, j] = (own_a + ends_a[:, 0] * (1.0 - own_b - ends_b[:, 0])) / again
        y[j, i] = own_b + ends_b[:, 0] * (1.0 - x[i, j])
        length_a = 1.0 + _after_banking(ends_a, allowed, i, j, turns_y)
        length_b = 1.0 + _after_banking(ends_b, allowed, j, i, turns_x)
        turns_x[i, j] = (length_a + ends_a[:, 0] * length_b) / again
        turns_y[j, i] = length_b + ends_b[:, 0] * turns_x[i, j]
    return Evaluation(a, b, np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0), turns_x, turns_y)


class Comparison(NamedTuple):
    """Policies by name, and the chance of the first player, by [policy of the first, policy of the second]."""

    policies: tuple[str, ...]
    first_win: Floats


def compare(
    race: RaceGame | RaceSolution,
    policies: Sequence[str | Chooser | Policy] = ("win", "score", "simple", "random"),
    *,
    threads: int | None = None,
    force: bool = False,
) -> Comparison:
    """Compute the first player's chance for every two policies."""
    if isinstance(race, RaceGame) and "win" in policies:
        race = solve(race, threads=threads)
    made = [policy(race, item) for item in policies]
    first_win = np.empty((len(made), len(made)))
    for row, column in itertools.combinations_with_replacement(range(len(made)), 2):
        found = evaluate(race, made[row], made[column], threads=threads, force=force)
        first_win[column, row] = found.second_win[0, 0]
        first_win[row, column] = found.first_player_value
    return Comparison(tuple(item.name for item in made), first_win)


@dataclass(frozen=True, eq=False, repr=False)
class BestAnswer:
    """The best play against an opponent whose policy is known.

    `values[i, j]` is the chance of the one who answers, to move at i against j; `others[j, i]` that of the opponent, to
    move at j against i. `policy` plays it.
    """

    opponent: Policy
    values: Floats
    others: Floats
    policy: Policy

    @property
    def first_player_value(self) -> float:
        """The chance of the one who answers, if he starts."""
        return float(self.values[0, 0])

    @property
    def second_player_value(self) -> float:
        """The chance of the one who answers, if the opponent starts."""
        return 1.0 - float(self.others[0, 0])

    def __repr__(self) -> str:
        return (
            f"<BestAnswer to {self.opponent.name} at {self.policy.game.name}: wins {self.first_player_value:.6f} "
            f"starting, {self.second_player_value:.6f} as second>"
        )


def best_answer(
    race: RaceGame | RaceSolution, opponent: str | Chooser | Policy, *, threads: int | None = None, force: bool = False
) -> BestAnswer:
    """Compute the best play against an opponent who plays a known policy, in either seat."""
    other = policy(race, opponent)
    _check_calls(other, force)
    game, axis = other.game, other.axis
    allowed, size = standings(game, axis), len(other.axis.scores)
    values, others = np.full((size, size), np.nan), np.full((size, size), np.nan)
    with PairCloser(game, axis, threads) as close:
        for level in levels(axis):
            i, j = level.T
            ends = turn_ends(other, j, i, threads)
            rest = ends[:, 1:].sum(axis=1) - _after_banking(ends, allowed, j, i, values)
            result = close(i, j, values, others, (rest, np.ascontiguousarray(ends[:, 0])))
            values[i, j], others[j, i] = result[:, 0], result[:, 1]
    return BestAnswer(other, values, others, _by_values(f"answer to {other.name}", game, axis, others))


# --- where score and win part -----------------------------------------------------------------------------------------


class DiffRow(NamedTuple):
    """One roll at which the score-maximiser's move is worse for winning than the best."""

    score: int
    opened: bool
    opponent: int
    opponent_opened: bool
    turn: int
    roll: Roll
    score_keep: Roll
    score_bank: bool
    win_keep: Roll
    win_bank: bool
    score_expected_score: float
    win_expected_score: float
    score_win_probability: float
    win_win_probability: float
    probability: float  # expected number of times in a game
    cost: float
    score_tied: bool  # another move has the same expected score


class ByDifference(NamedTuple):
    """The same by the difference of the scores, own minus the opponent's; expectations per game."""

    differences: Integers
    decisions: Floats
    disagreements: Floats
    win_probability_lost: Floats
    riskier: Floats  # disagreements in which the best move throws on and the score-maximiser banks
    safer: Floats  # the other way round


@dataclass(frozen=True, eq=False, repr=False)
class Diff:
    """Where playing for the score and playing to win part, along the play of the score-maximiser.

    A decision is a roll that is no bust. `per_turn[i, j]` and `visits[i, j]` are by the standing of the
    score-maximiser, to move, and of the opponent: what one turn counts, and how often it comes in a game.
    """

    solution: RaceSolution
    score: Policy
    against: Policy
    seat: str
    others: Floats
    visits: Floats
    per_turn: Floats  # [i, j, (decisions, disagreements, loss, riskier, safer, disagreements at the first roll)]

    @property
    def decisions_per_game(self) -> float:
        """Expected decisions of the score-maximiser in a game."""
        return float((self.visits * self.per_turn[:, :, 0]).sum())

    @property
    def disagreements_per_game(self) -> float:
        """Expected decisions at which his move is worse for winning, by more than 1e-9, than the best."""
        return float((self.visits * self.per_turn[:, :, 1]).sum())

    @property
    def win_probability_lost(self) -> float:
        """What all his moves cost together: the chance of the best play less his, against the same opponent."""
        return float((self.visits * self.per_turn[:, :, 2]).sum())

    @property
    def first_roll_disagreement(self) -> float:
        """The chance that his very first roll is a disagreement."""
        return float(self.per_turn[0, 0, 5])

    def __repr__(self) -> str:
        return (
            f"<Diff of score and win at {self.solution.game.name} against {self.against.name}, {self.seat} seat: "
            f"{self.disagreements_per_game:.4f} disagreements a game cost {self.win_probability_lost:.6f}>"
        )

    def by_difference(self) -> ByDifference:
        """Sum up by the difference of the scores."""
        scores = self.solution.scores
        differences, place = np.unique(scores[:, None] - scores, return_inverse=True)

        def add(column: int) -> Floats:
            weights = (self.visits * self.per_turn[:, :, column]).ravel()
            return np.bincount(place.ravel(), weights, len(differences)).astype(np.float64)

        return ByDifference(differences, *map(add, range(5)))

    def rows(self) -> Iterator[DiffRow]:
        """Yield every disagreement that the play can come to, state by state: for ten-thousand, millions."""
        for pair in range(len(self.solution.scores) ** 2):
            yield from self._rows_of(pair, 0.0)

    def top(self, limit: int = 100) -> list[DiffRow]:
        """Return the rows with the highest chance times cost, highest first."""
        if limit < 0:
            raise ValueError(f"limit is {limit}: give 0 or more")
        lost = (self.visits * self.per_turn[:, :, 2]).ravel()
        found: list[tuple[float, int, DiffRow]] = []
        for pair in np.argsort(-lost, kind="stable").tolist():
            # A row is worth no more than all rows of its pair.
            bar = found[0][0] if len(found) >= limit else 0.0
            if limit == 0 or (len(found) >= limit and lost[pair] <= bar):
                break
            for row in self._rows_of(pair, bar):
                item = (row.probability * row.cost, -pair, row)
                if len(found) < limit:
                    heapq.heappush(found, item)
                elif item[0] > found[0][0]:
                    heapq.heapreplace(found, item)
        return [row for _, _, row in sorted(found, key=lambda item: (-item[0], -item[1], item[2]))]

    def _rows_of(self, pair: int, at_least: float) -> Iterator[DiffRow]:
        """Yield the rows of one pair of standings with chance times cost at least so high."""
        mine, theirs = divmod(pair, len(self.solution.scores))
        game, visits = self.solution.game, float(self.visits[mine, theirs])
        if visits <= 0.0 or self.per_turn[mine, theirs, 1] <= 0.0:
            return
        axis = Axes(self.solution.scores, self.solution.opened)
        _, raw = _compare_turns(self.score, self.others, (np.array([mine]), np.array([theirs])), at_least / visits)
        tables, opened = turn_tables(game), bool(axis.opened[mine])
        size = game.dice + 1
        for line in raw:
            total, outcome = int(line[1]) * game.unit, int(line[2])
            own, best = (divmod(int(shift), size) for shift in (line[3], line[5]))
            banks, best_banks = bool(line[4]), bool(line[6])
            for roll, share, kept in _rolls_of_class(game, outcome):
                chance = visits * float(line[7]) * share
                cost = float(line[9] - line[8])
                if chance * cost < at_least:
                    continue
                expected = [
                    float(total + points * game.unit)
                    if bank
                    else tables.expected_score(left, total + points * game.unit, opened)
                    for (points, left), bank in ((own, banks), (best, best_banks))
                ]
                yield DiffRow(
                    int(axis.scores[mine]), opened, int(axis.scores[theirs]), bool(axis.opened[theirs]), total, roll,
                    kept[own], banks, kept[best], best_banks, expected[0], expected[1],
                    float(line[8]), float(line[9]), chance, cost, bool(line[10]),
                )  # fmt: skip


@functools.lru_cache(maxsize=2048)
def _rolls_of_class(game: RaceGame, outcome: int) -> list[tuple[Roll, float, dict[tuple[int, int], Roll]]]:
    """List the rolls of an outcome class: (roll, its share, the keep for each (points in units, dice left))."""
    offered = options(game)
    dice = int(np.searchsorted(offered.first, outcome, side="right")) - 1
    cells = slice(offered.start[outcome], offered.start[outcome + 1])
    wanted = dict(zip(offered.left[cells].tolist(), offered.points[cells].tolist(), strict=True))
    found = []
    for roll, ways in rolls(game, dice):
        best: dict[int, int] = {}
        kept: dict[tuple[int, int], Roll] = {}
        for keep in keeps(game, roll):
            points = keep.points // game.unit
            best[keep.dice_left] = max(points, best.get(keep.dice_left, 0))
            if keep.kept > kept.get((points, keep.dice_left), ()):
                kept[points, keep.dice_left] = keep.kept
        if best == wanted:
            found.append((roll, ways, kept))
    every = sum(ways for _, ways, _ in found)
    return [(roll, ways / every, kept) for roll, ways, kept in found]


def _compare_turns(
    score: Policy,
    others: Floats,
    pairs: tuple[Integers, Integers],
    at_least: float | None = None,
    threads: int | None = 1,
) -> tuple[Floats, Floats]:
    """Return what a turn of the score-maximiser counts, by pair, and the rows worth at least so much, if asked for."""
    from . import race_kernel

    game, axis, plan, (i, j) = score.game, score.axis, score.plan, pairs
    offered, tree, allowed = options(game), throws(game), standings(game, axis)
    totals = np.empty((len(i), 6))
    bar = np.full(len(i), at_least or 0.0)
    rows = np.empty((0 if at_least is None else 4096, 11))

    def part(low: int, high: int) -> int:
        return int(
            race_kernel.part_ways(
                offered, tree, allowed, plan, others, TIED, axis.opened, i, j, low, high, totals, rows, bar
            )
        )

    count = sum(_share_out(len(i), threads, part))
    if len(rows) and count > len(rows):
        rows = np.empty((count, 11))
        part(0, len(i))
    return totals, rows[:count] if at_least is not None else rows


def visits(evaluated: Evaluation, seat: str = "first", *, threads: int | None = None) -> tuple[Floats, Floats]:
    """Return the expected number of turns that A starts at [i, j], and that B starts at [j, i].

    `seat` is that of A: the first player starts at the first standing, against the same.
    """
    if seat not in ("first", "second"):
        raise ValueError(f"seat {seat!r}: say 'first' or 'second'")
    a, b = evaluated.first, evaluated.second
    axis, allowed = a.axis, standings(a.game, a.axis)
    size = len(axis.scores)
    of_a, of_b = np.zeros((size, size)), np.zeros((size, size))
    (of_a if seat == "first" else of_b)[0, 0] = 1.0
    for level in reversed(levels(axis)):
        i, j = level.T
        if not (of_a[i, j].any() or of_b[j, i].any()):
            continue
        ends_a, ends_b = turn_ends(a, i, j, threads), turn_ends(b, j, i, threads)
        again = 1.0 - ends_a[:, 0] * ends_b[:, 0]
        here_a = (of_a[i, j] + ends_b[:, 0] * of_b[j, i]) / again
        here_b = of_b[j, i] + ends_a[:, 0] * here_a
        of_a[i, j], of_b[j, i] = here_a, here_b
        totals = np.arange(1, ends_a.shape[1] - 1)
        for one, other, ends, here, into in ((i, j, ends_a, here_a, of_b), (j, i, ends_b, here_b, of_a)):
            to = np.clip(allowed.after[one][:, None] + totals, 0, size - 1)
            np.add.at(into, (other[:, None], to), here[:, None] * ends[:, 1:-1])
    return of_a, of_b


def diff(
    solution: RaceSolution,
    *,
    against: str | Chooser | Policy = "win",
    seat: str = "first",
    threads: int | None = None,
    force: bool = False,
) -> Diff:
    """Find where `score` and the best answer to the opponent part, along the play of `score`, exactly."""
    opponent = policy(solution, against)
    _check_calls(opponent, force)
    if opponent.name == "win" and opponent.function is None:
        others = solution.values
    else:
        others = best_answer(solution, opponent, threads=threads, force=force).others
    score = policy(solution, "score")
    evaluated = evaluate(solution, score, opponent, threads=threads, force=force)
    turns, _ = visits(evaluated, seat, threads=threads)
    size = len(solution.scores)
    per_turn = np.zeros((size, size, 6))
    i, j = np.nonzero((turns > 0.0) | (np.arange(size * size).reshape(size, size) == 0))
    counted, _ = _compare_turns(score, others, (i, j), threads=threads)
    per_turn[i, j] = counted
    return Diff(solution, score, opponent, seat, others, turns, per_turn)


# --- playing ----------------------------------------------------------------------------------------------------------


class Simulation(NamedTuple):
    """What came of playing: shares of games, their standard error, and the mean turns of both players together."""

    games: int
    first_win: float
    second_win: float
    standard_error: float
    mean_turns: float
    mean_turns_standard_error: float


GAMES_AT_ONCE = 250_000


def simulate(
    race: RaceGame | RaceSolution,
    first: str | Chooser | Policy,
    second: str | Chooser | Policy,
    *,
    games: int,
    seed: int = 0,
    threads: int | None = None,
) -> Simulation:
    """Play games with dice. The same seed gives the same games on any number of threads.

    Every game has its own random numbers. A policy that is a function is played in plain Python, some hundred games a
    second.
    """
    if games < 1:
        raise ValueError(f"games is {games}: give 1 or more")
    a, b = _pair_up(race, first, second)
    if a.plan is None or b.plan is None:
        return _simulate_plainly(a, b, games, seed)
    from . import race_kernel

    game, axis = a.game, a.axis
    offered, allowed = options(game, every_roll=True, every_keep=False), standings(game, axis)
    every = options(game, every_roll=True)
    cumulative = np.concatenate(
        [np.cumsum(offered.weight[low:high]) for low, high in itertools.pairwise(offered.first.tolist())]
    )
    most_points = np.maximum.reduceat(offered.points, offered.start[:-1])
    sums = axis.scores[:, None] + axis.scores
    order = np.argsort(sums, axis=None, kind="stable")
    plans = (a.plan, b.plan)
    # The start of every game's random numbers is a number of its own, out of a generator that can be entered anywhere.
    states = np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, games, dtype=np.uint64)
    wins = turns = 0
    squares = 0.0

    def part(low: int, high: int) -> list[tuple[int, int, float]]:
        return [
            race_kernel.play_games(
                offered, every, cumulative, most_points, throws(game), allowed, plans, axis.opened, order,
                states[start : min(start + GAMES_AT_ONCE, high)],
            )
            for start in range(low, high, GAMES_AT_ONCE)
        ]  # fmt: skip

    for found in itertools.chain(*_share_out(games, threads, part, least=10_000)):
        wins, turns, squares = wins + int(found[0]), turns + int(found[1]), squares + float(found[2])
    return _summary(games, wins, turns, squares)


def _summary(games: int, wins: int, turns: int, squares: float) -> Simulation:
    share, mean = wins / games, turns / games
    return Simulation(
        games, share, 1.0 - share, math.sqrt(share * (1.0 - share) / games), mean,
        math.sqrt(max(squares / games - mean * mean, 0.0) / games),
    )  # fmt: skip


def _simulate_plainly(a: Policy, b: Policy, games: int, seed: int) -> Simulation:
    """Play with the plain rules, asking functions; other policies move at random by their exact turns."""
    game, axis = a.game, a.axis
    allowed = standings(game, axis)
    wins = turns = 0
    squares = 0.0
    for number in range(games):
        dice = random.Random(f"{seed} {number}")
        at, mover, length = [0, 0], 0, 0
        while True:
            length += 1
            chosen, mine, theirs = (a, b)[mover], at[mover], at[1 - mover]
            total = _turn_plainly(chosen, mine, theirs, dice)
            if total >= allowed.need[mine]:
                break
            if total:
                at[mover] = int(allowed.after[mine]) + total
            mover = 1 - mover
        wins += mover == 0
        turns += length
        squares += length**2
    return _summary(games, wins, turns, squares)


def _turn_plainly(chosen: Policy, mine: int, theirs: int, dice: random.Random) -> int:
    """Play one turn; return the units that it banks."""
    game, axis = chosen.game, chosen.axis
    if chosen.function is None:
        ends = turn_ends(chosen, np.array([mine]), np.array([theirs]), 1)[0]
        total = dice.choices(range(len(ends)), ends.tolist())[0]
        return total if total < len(ends) - 1 else int(standings(game, axis).need[mine])
    least = int(standings(game, axis).least[mine])
    total, count = 0, game.dice
    while True:
        roll = tuple(sorted((dice.randint(1, game.sides) for _ in range(count)), reverse=True))
        offered = {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)}
        if not offered:
            return 0
        state = State(
            int(axis.scores[mine]), bool(axis.opened[mine]), int(axis.scores[theirs]), bool(axis.opened[theirs]),
            total * game.unit, count,
        )  # fmt: skip
        points, left, banks = ask(chosen, state, roll, offered)
        total += points // game.unit
        if banks or left == 0 or total >= standings(game, axis).need[mine]:
            return total if total >= least else 0
        count = left


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
