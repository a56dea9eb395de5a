"""Policies for races, and their turns.

A policy is a rule for one turn. What the match sees of it is the chance of every total that the turn may bank,

    ends[t] = P(the turn banks t);  ends[0] = P(it ends with nothing);  and P(it wins),

by the standing of the player and, unless the policy does not look, of the opponent.

    score         banks whenever that wins; otherwise it maximises the expected points that the turn banks, with no cap at
                  the goal. What stays below the opening threshold banks nothing.
    published     has it not opened, it maximises the chance to reach the threshold, as the strategy of
                  github.com/Amund211/10001 does; from there it plays as `score`.
    win           maximises the chance to win against an opponent who does the same.
    hold-at-N     keeps the most points, then the most dice left, and banks at a turn total of N or a win.
    simple        the simplified rule of github.com/Amund211/10001: throws on with 5 or more dice below 3000, with 4 below
                  1000, with fewer below 400. For each number of dice that it may leave it looks at the most points, and of
                  these takes the most, every die that it will throw counting 50 more: the source leaves that open.
    random        every distinct keep, banked or thrown on with, is as likely as any other.

Nobody banks below the opening threshold, and all but `random` bank whenever that wins. A function takes (position, roll) and
returns (keep, bank?); by its attribute `ignores` it may say that it looks at neither "opponent" nor "score".

    decisions of a plan     [opened, turn total in units, dice left]
    ends                    [pair of standings, total in units], the last column: that the turn wins
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import answers
from ..answers import Move, Policy, Worth
from .notation import Position
from .rules import RaceGame, Roll, keeps, rolls
from .solver import Axes, axes, share_out, standings
from .turn import AT_RANDOM, BY_TABLE, BY_VALUES, Floats, Integers, Plan, options, reach, throws, turn_tables, units

NAMES = ("score", "win", "hold-at-N", "published", "simple", "random")

Chooser = Callable[[Position, Roll], tuple[Roll, bool]]


@dataclass(frozen=True, eq=False)
class RacePolicy(Policy):
    """A policy for one race and its standings: one with a plan, or a function."""

    name: str = field()
    game: RaceGame = field()
    axis: Axes = field(repr=False)
    plan: Plan | None = field(default=None, repr=False)
    function: Chooser | None = None
    ignores: tuple[str, ...] = ()
    cache: dict[str, Floats] = field(default_factory=dict, repr=False)  # turn_ends() remembers here
    asked: dict[Any, tuple[Roll, bool]] = field(default_factory=dict, repr=False)  # and ask() here

    def __call__(self, position: Position, roll: Roll) -> tuple[Roll, bool]:
        if self.function is None:
            raise NotImplementedError(f"{self.name} is not asked roll by roll")
        return self.function(position, roll)

    @property
    def looks_at_opponent(self) -> bool:
        """Whether the opponent's standing matters."""
        return "opponent" not in self.ignores


def check_name(name: str) -> None:
    """Refuse a name that no policy has."""
    number = name.removeprefix("hold-at-")
    if number != name:
        if not (number.isascii() and number.isdigit() and int(number) > 0):
            raise ValueError(f"policy {name!r}: give the turn total to hold at, as in 'hold-at-20'")
    elif name not in NAMES:
        raise ValueError(f"no policy {name!r}: name one of {', '.join(NAMES)}")


def make(
    chosen: str | Chooser | Policy, game: RaceGame, axis: Axes | None = None, values: Floats | None = None
) -> RacePolicy:
    """Make a policy from its name or from a function; `win` needs the values of the solved race."""
    axis = axes(game) if axis is None else axis
    if isinstance(chosen, RacePolicy):
        check_same(chosen, game, axis)
        return chosen
    if not isinstance(chosen, str):
        name = str(getattr(chosen, "name", None) or getattr(chosen, "__name__", "function"))
        said = getattr(chosen, "ignores", ())
        return RacePolicy(name, game, axis, None, chosen, (said,) if isinstance(said, str) else tuple(said))
    check_name(chosen)
    if chosen == "win":
        if values is None:
            raise ValueError(f"the policy win needs the solved race: solve {game.name} first")
        return by_values("win", game, axis, values)
    if chosen in ("score", "random"):
        plan = _score_plan(game, axis)
        plan = plan._replace(kind=AT_RANDOM) if chosen == "random" else plan
    elif chosen == "published":
        plan = _published_plan(game, axis)
    elif chosen == "simple":
        plan = _simple_plan(game, axis)
    else:
        plan = _hold_plan(game, axis, int(chosen.removeprefix("hold-at-")))
    return RacePolicy(chosen, game, axis, plan, None, ("opponent",))


def check_same(chosen: RacePolicy, game: RaceGame, axis: Axes) -> None:
    """Refuse a policy that was made for another race or other handicaps."""
    if chosen.game != game or not all(np.array_equal(one, other) for one, other in zip(chosen.axis, axis, strict=True)):
        raise ValueError(f"policy {chosen.name} was made for other races or handicaps than {game.name}: make it anew")


# The policy `score`, as a way to rank moves and as a plan for the kernels.


def expected_score(move: Move) -> float:
    """Return the expected points of the turn."""
    return move.expected_score


def score_worths(game: RaceGame, at: Position) -> tuple[Worth, Worth]:
    """Return what moves are ranked by, one worth after the other: a bank that wins, then the expected points."""
    need = max(game.goal - at.score, 1 if at.opened else game.opening)

    def wins(move: Move) -> float:
        return float(bool(move.bank) and at.turn + move.points >= need)

    return wins, expected_score


def _score_plan(game: RaceGame, axis: Axes) -> Plan:
    """Return the same for the kernels, which take a bank that wins before they look at a plan."""
    roll, bank = _expected(game, axis)
    return _table_plan(roll, np.where(_may_bank(game, roll.shape[1]), bank, -np.inf), (roll, bank))


# The other plans.


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


def by_values(name: str, game: RaceGame, axis: Axes, others: Floats) -> RacePolicy:
    """Make the policy that maximises the chance to win, given `others[j, i]`: that of the other, to move at j against i."""
    empty = np.empty((2, 0, game.dice + 1))
    return RacePolicy(name, game, axis, Plan(BY_VALUES, others, empty, empty, *_expected(game, axis)))


def _table_plan(first_roll: Floats, first_bank: Floats, second: tuple[Floats, Floats]) -> Plan:
    first_roll, first_bank, second_roll, second_bank = map(np.ascontiguousarray, (first_roll, first_bank, *second))
    return Plan(BY_TABLE, np.empty((0, 0)), first_roll, first_bank, second_roll, second_bank)


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


# Their turns.


def turn_ends(chosen: RacePolicy, i: Integers, j: Integers, threads: int | None = None) -> Floats:
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


def _turn_ends(chosen: RacePolicy, i: Integers, j: Integers, threads: int | None) -> Floats:
    game, axis = chosen.game, chosen.axis
    ends = np.zeros((len(i), _most(game, axis) + 1))
    if chosen.plan is None:
        for pair, (mine, theirs) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
            ends[pair] = _ends_of_function(chosen, mine, theirs)
        return ends
    if chosen.plan.kind == AT_RANDOM:
        for pair, mine in enumerate(i.tolist()):
            ends[pair] = _ends_at_random(game, axis, mine)
        return ends
    from . import kernel

    offered, tree, allowed = options(game), throws(game), standings(game, axis)
    i, j = np.ascontiguousarray(i), np.ascontiguousarray(j)

    def part(low: int, high: int) -> None:
        kernel.play_turns(offered, tree, allowed, chosen.plan, axis.opened, i, j, low, high, ends)

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


def _ends_of_function(chosen: RacePolicy, mine: int, theirs: int) -> Floats:
    """Work out one turn of a policy given as a function, asking it about every roll of every state it comes to."""
    game, axis = chosen.game, chosen.axis
    assert chosen.function is not None
    least, need = (int(column[mine]) for column in standings(game, axis)[:2])
    ends, chance = np.zeros(_most(game, axis) + 1), np.zeros((need, game.dice + 1))
    chance[0, game.dice] = 1.0
    for total in range(need):
        for dice in range(1, game.dice + 1):
            if not chance[total, dice]:
                continue
            position = Position(
                int(axis.scores[mine]), bool(axis.opened[mine]), int(axis.scores[theirs]), bool(axis.opened[theirs]),
                total * game.unit, dice,
            )  # fmt: skip
            for roll, ways, offered in offers(game, dice):
                weight = chance[total, dice] * ways / game.sides**dice
                to, left, banks = 0, 0, True
                if offered:
                    points, left, banks = ask(chosen, position, roll, offered)
                    to = total + points // game.unit
                if to >= need:
                    ends[-1] += weight
                elif not offered or banks or left == 0:
                    ends[to if to >= least else 0] += weight
                else:
                    chance[to, left] += weight
    return ends


@functools.lru_cache(maxsize=512)
def offers(game: RaceGame, dice: int) -> list[tuple[Roll, int, dict[Roll, tuple[int, int]]]]:
    """List the rolls of so many dice: (roll, in how many ways, (points, dice left) by keep)."""
    return [
        (roll, ways, {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)})
        for roll, ways in rolls(game, dice)
    ]


def ask(chosen: RacePolicy, position: Position, roll: Roll, offered: dict[Roll, tuple[int, int]]) -> tuple[int, int, bool]:
    """Return (points, dice left, bank?) of the move that a function makes; refuse one that is against the rules."""
    game = chosen.game
    if "score" in chosen.ignores:
        seen = position._replace(score=0)
        if not chosen.looks_at_opponent:
            seen = seen._replace(opponent=0, opponent_opened=False)
        if (seen, roll) not in chosen.asked:
            chosen.asked[seen, roll] = chosen(position, roll)
        keep, banks = chosen.asked[seen, roll]
    else:
        keep, banks = chosen(position, roll)
    kept = tuple(sorted(keep, reverse=True))
    if kept not in offered:
        raise ValueError(f"policy {chosen.name} keeps {list(keep)} of {list(roll)}: it must keep dice that all score")
    points, left = offered[kept]
    total = position.turn + points
    if banks and not position.opened and total < game.opening and left:
        raise ValueError(f"policy {chosen.name} banks {total}, not opened: it must throw on below {game.opening}")
    return points, left, bool(banks)


def check_calls(chosen: RacePolicy, force: bool) -> None:
    """Refuse a function that its exact evaluation would ask too often, unless forced."""
    if chosen.function is None:
        return
    game, size = chosen.game, len(chosen.axis.scores)
    a_roll = sum(math.comb(dice + game.sides - 1, dice) for dice in range(1, game.dice + 1))
    need = standings(game, chosen.axis).need
    calls = 2 * int(need.max()) if "score" in chosen.ignores else int(need.sum())
    answers.check_calls(chosen, calls * a_roll * (size if chosen.looks_at_opponent else 1), force)
