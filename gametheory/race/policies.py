"""Policies for races, and what comes of them exactly: their turns, two against each other, the best answer to one.

A policy is a rule for one turn. What the match sees of it is the chance of every total that the turn may bank,

    ends[t] = P(the turn banks t);  ends[0] = P(it ends with nothing);  and P(it wins),

by the standing of the player and, unless the policy does not look, of the opponent. With x(i, j) the chance of the
player A to move at i against j, and y(j, i) that of B to move at j against i,

    x(i, j) = P(A wins at once) + sum over t of ends_A[t] * (1 - y(j, i + t)) + ends_A[0] * (1 - y(j, i))

and likewise y: two linear equations a pair, sums from the top.

    first_win, second_win   [standing of the player to move, standing of the other]
    decisions of a plan     [opened, turn total in units, dice left]
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .rules import RaceGame, Roll, keeps, rolls
from .solver import (
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

NAMES = ("score", "win", "hold-at-N", "published", "simple", "random")
MOST_CALLS = 50_000_000


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

    - `score`: banks whenever that wins; otherwise it maximises the expected points that the turn banks, with no cap at
      the goal. What stays below the opening threshold banks nothing.
    - `published`: has it not opened, it maximises the chance to reach the threshold, as the strategy of
      github.com/Amund211/10001 does; from there it plays as `score`.
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
        return by_values("win", game, axis, (solution or solve(game)).values)
    if chosen == "score":
        return Policy(chosen, game, axis, _score_plan(game, axis))
    if chosen == "published":
        return Policy(chosen, game, axis, _published_plan(game, axis))
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


def by_values(name: str, game: RaceGame, axis: Axes, others: Floats) -> Policy:
    """Make the policy that maximises the chance to win, given `others[j, i]`: that of the other, to move at j against i."""
    empty = np.empty((2, 0, game.dice + 1))
    return Policy(name, game, axis, Plan(_BY_VALUES, others, empty, empty, *_expected(game, axis), TIED))


def _table_plan(first_roll: Floats, first_bank: Floats, second: tuple[Floats, Floats]) -> Plan:
    first_roll, first_bank, second_roll, second_bank = map(np.ascontiguousarray, (first_roll, first_bank, *second))
    return Plan(_BY_TABLE, np.empty((0, 0)), first_roll, first_bank, second_roll, second_bank, TIED)


def _score_plan(game: RaceGame, axis: Axes) -> Plan:
    roll, bank = _expected(game, axis)
    return _table_plan(roll, np.where(_may_bank(game, roll.shape[1]), bank, -np.inf), (roll, bank))


def _published_plan(game: RaceGame, axis: Axes) -> Plan:
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


def share_out(count: int, threads: int | None, work: Callable[[int, int], Any], least: int = 16) -> list[Any]:
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
    from . import kernel as race_kernel

    offered, tree, allowed = options(game), throws(game), standings(game, axis)
    i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)

    def part(low: int, high: int) -> None:
        race_kernel.play_turns(offered, tree, allowed, chosen.plan, axis.opened, i, j, low, high, ends)

    share_out(len(i), threads, part)
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


def check_calls(chosen: Policy, force: bool) -> None:
    """Refuse a function that would be called too often, unless forced."""
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


def pair_up(
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
    a, b = pair_up(race, first, second)
    for one in (a, b):
        check_calls(one, force)
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
    check_calls(other, force)
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
    return BestAnswer(other, values, others, by_values(f"answer to {other.name}", game, axis, others))
