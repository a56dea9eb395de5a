"""Policies for races, and their turns.

A policy is a rule for one turn. What the match sees of it is the chance of every total that the turn may bank,

    ends[t] = P(the turn banks t);  ends[0] = P(it ends with nothing);  P(it costs the whole score);  and P(it wins),

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

Nobody banks below the opening threshold or the minimum, and all but `random` bank whenever that wins for sure: with a last
round that is when they are ahead in it; before it they leave the goal out of account. What busts cost counts as points of
the turn. A function takes (position, roll) and
returns (keep, bank?); by its attribute `ignores` it may say that it looks at neither "opponent" nor "score".

    decisions of a plan     [row of the standing, turn total in units, dice left]
    ends                    [pair of standings, total in units], the last columns: that it costs the score, that it wins
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
from .solver import share_out
from .standings import Axes, axes, standings
from .turn import (
    AT_RANDOM,
    BY_TABLE,
    BY_VALUES,
    Floats,
    Integers,
    Plan,
    Stake,
    TurnTables,
    least_bank,
    options,
    past_goal,
    reach,
    throws,
    turn_tables,
    units,
)

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
    aim = game.goal
    if game.last_round:
        aim = at.opponent + 1 if at.opponent >= game.goal else game.goal + past_goal(game) * game.unit
    need = max(aim - at.score, least_bank(game, at.opened) * game.unit)

    def wins(move: Move) -> float:
        return float(bool(move.bank) and at.turn + move.points >= need)

    return wins, expected_score


def _score_plan(game: RaceGame, axis: Axes) -> Plan:
    """Return the same for the kernels, which take a bank that wins before they look at a plan."""
    roll, bank = _expected(game, axis)
    return _table_plan(rows_of(game, axis), roll, np.where(_may_bank(game, axis), bank, -np.inf), (roll, bank))


# The other plans.


def _most(game: RaceGame, axis: Axes) -> int:
    allowed = standings(game, axis)
    return int(max(allowed.aim.max() - allowed.score.min(), allowed.least.max()))


def stakes_of(game: RaceGame, axis: Axes) -> list[Stake]:
    """Return what hangs on a turn at every standing."""
    allowed = standings(game, axis)
    after = [(axis.scores - axis.scores[column]).tolist() for column in (allowed.nothing, allowed.crash)]
    return [Stake(*stake) for stake in zip(allowed.least.tolist(), *after, strict=True)]


def _further(game: RaceGame, axis: Axes) -> tuple[Stake, ...]:
    """Return the stakes that only house rules have."""
    return tuple(sorted({stake for stake in stakes_of(game, axis) if stake.bust or stake.crash}))


def points_tables(game: RaceGame, axis: Axes) -> TurnTables:
    """Return the expected turn scores for all that hangs on a turn."""
    return turn_tables(game, _further(game, axis))


def rows_of(game: RaceGame, axis: Axes) -> Integers:
    """Return the row of the tables for every standing: not opened, opened, or with something to lose."""
    place = {stake: row for row, stake in enumerate(_further(game, axis), 2)}
    opened = axis.opened.astype(int).tolist()
    return np.array([place.get(stake, row) for stake, row in zip(stakes_of(game, axis), opened, strict=True)], np.int64)


def _expected(game: RaceGame, axis: Axes) -> tuple[Floats, Floats]:
    """Return the expected turn scores of throwing on and of banking."""
    most = _most(game, axis)
    roll = np.ascontiguousarray(points_tables(game, axis).expected[:, :most])
    totals = np.arange(most) * float(game.unit)
    return roll, np.ascontiguousarray(np.broadcast_to(totals[None, :, None], roll.shape))


def _may_bank(game: RaceGame, axis: Axes) -> Any:
    """Return whether each total may be banked, [row, turn total, 1]."""
    least = np.array([stake.least for stake in points_tables(game, axis).stakes])
    return (np.arange(_most(game, axis)) >= least[:, None])[:, :, None]


def by_values(name: str, game: RaceGame, axis: Axes, others: Floats) -> RacePolicy:
    """Make the policy that maximises the chance to win, given `others[j, i]`: that of the other, to move at j against i."""
    second = _expected(game, axis)
    empty = np.empty((len(second[0]), 0, game.dice + 1))
    return RacePolicy(name, game, axis, Plan(BY_VALUES, rows_of(game, axis), others, empty, empty, *second))


def _table_plan(rows: Integers, first_roll: Floats, first_bank: Floats, second: tuple[Floats, Floats]) -> Plan:
    first_roll, first_bank, second_roll, second_bank = map(np.ascontiguousarray, (first_roll, first_bank, *second))
    return Plan(BY_TABLE, rows, np.empty((0, 0)), first_roll, first_bank, second_roll, second_bank)


def _published_plan(game: RaceGame, axis: Axes) -> Plan:
    roll, bank = (table.copy() for table in _expected(game, axis))
    # Whoever has not opened wants to reach the threshold first: a chance, at most 1, and past it 1 and the expectation.
    opening = units(game, game.opening)
    unopened = np.array([stake.least == least_bank(game, False) for stake in points_tables(game, axis).stakes])
    if opening and least_bank(game, False) > least_bank(game, True):
        above = max(-float(roll.min()), 0.0) + 1.0
        roll[unopened, opening:] += above
        bank[unopened, opening:] += above
        roll[unopened, :opening] = reach(game, game.opening)[:-1]
    bank[np.broadcast_to(~_may_bank(game, axis), bank.shape)] = -np.inf
    return _table_plan(rows_of(game, axis), roll, bank, _expected(game, axis))


def _flat(game: RaceGame, axis: Axes, holds: Any) -> tuple[Any, Any, Any]:
    """Return what simple rules are made of: turn totals, whether to bank, dice left; `holds` says so of totals and dice."""
    may = _may_bank(game, axis)
    shape = (len(may), _most(game, axis), game.dice + 1)
    points = np.broadcast_to(np.arange(shape[1])[None, :, None] * float(game.unit), shape)
    left = np.broadcast_to(np.arange(game.dice + 1, dtype=np.float64), shape)
    return points, holds(points) & may, left


def _hold_plan(game: RaceGame, axis: Axes, hold: int) -> Plan:
    points, banks, left = _flat(game, axis, lambda points: points >= hold)
    roll, bank = np.where(banks, -np.inf, points), np.where(banks, points, -np.inf)
    return _table_plan(rows_of(game, axis), roll, bank, (left, left))


def _simple_plan(game: RaceGame, axis: Axes) -> Plan:
    limit = np.array(([0, 400, 400, 400, 1000] + [3000] * game.dice)[: game.dice + 1])
    points, banks, left = _flat(game, axis, lambda points: points >= limit)
    roll, bank = np.where(banks, -np.inf, points + 50.0 * left), np.where(banks, points, -np.inf)
    return _table_plan(rows_of(game, axis), roll, bank, (left, left))


# Their turns.


NOTHING, CRASHES, WINS = 0, -2, -1
"""The columns of ends that are no totals: the turn ends with nothing, costs the whole score, wins for sure."""


def turn_ends(chosen: RacePolicy, i: Integers, j: Integers, threads: int | None = None) -> Floats:
    """Return ends[pair, t]: the chance that a turn at standing i against j banks t units; last, that it crashes and wins."""
    if not chosen.looks_at_opponent:
        allowed = standings(chosen.game, chosen.axis)
        if "ends" not in chosen.cache:
            every = np.flatnonzero(allowed.over == 0)
            table = np.zeros((len(allowed.over), _most(chosen.game, chosen.axis) + 2))
            table[every] = _turn_ends(chosen, every, np.full_like(every, chosen.axis.start), threads)
            chosen.cache["ends"] = table
        ends = chosen.cache["ends"][i]
        # In the last turn everybody looks at what there is to beat.
        last = np.flatnonzero((allowed.over[j] == 1) & (allowed.over[i] == 0))
        if len(last):
            ends[last] = _turn_ends(chosen, i[last], j[last], threads)
        return ends
    key = f"{i[0]} {j[0]} {len(i)}"  # names one level: whole levels are asked for
    if key in chosen.cache:
        return chosen.cache[key]
    ends = _turn_ends(chosen, i, j, threads)
    if ends.shape[1] * len(chosen.axis.scores) ** 2 <= 2**24:  # 128 MB
        chosen.cache[key] = ends
    return ends


def _turn_ends(chosen: RacePolicy, i: Integers, j: Integers, threads: int | None) -> Floats:
    """Work the turns out; of those who have reached the goal there are none."""
    game, axis, allowed = chosen.game, chosen.axis, standings(chosen.game, chosen.axis)
    ends = np.zeros((len(i), _most(game, axis) + 2))
    plays = np.flatnonzero(allowed.over[i] == 0)
    if chosen.plan is None or chosen.plan.kind == AT_RANDOM:
        for pair in plays.tolist():
            if chosen.plan is None:
                ends[pair] = _ends_of_function(chosen, int(i[pair]), int(j[pair]))
            else:
                ends[pair] = _ends_at_random(game, axis, int(i[pair]), int(j[pair]))
        return ends
    from . import kernel

    offered, tree = options(game), throws(game)
    mine, theirs = np.ascontiguousarray(i[plays]), np.ascontiguousarray(j[plays])
    found = ends if len(plays) == len(i) else np.zeros((len(plays), ends.shape[1]))

    def part(low: int, high: int) -> None:
        kernel.play_turns(offered, tree, allowed, chosen.plan, mine, theirs, low, high, found)

    share_out(len(plays), threads, part)
    ends[plays] = found
    return ends


def _ends_at_random(game: RaceGame, axis: Axes, mine: int, theirs: int) -> Floats:
    """Work out one turn of the policy `random`, which may throw on even when banking wins."""
    allowed = standings(game, axis)
    least, need = int(allowed.least[mine]), int(allowed.need(mine, theirs))
    offered = options(game, every_roll=True)
    size = game.dice + 1
    ends, chance = np.zeros(_most(game, axis) + 2), np.zeros((need + 1, size))
    chance[0, game.dice] = 1.0
    roll_of_option = np.repeat(np.arange(len(offered.weight)), np.diff(offered.start))
    for total in range(need):
        legal = (total + offered.points <= need) | (not game.exact)
        to = np.minimum(total + offered.points, need)
        may_bank = ((to >= least) | (offered.left == 0)) & legal
        may_throw = (offered.left > 0) & legal
        moves = np.add.reduceat(may_bank.astype(int) + may_throw, offered.start[:-1])
        share = np.where(moves > 0, offered.weight / np.maximum(moves, 1), 0.0)
        stuck = np.where(moves > 0, 0.0, offered.weight)
        for dice in np.flatnonzero(chance[total]).tolist():
            rolls_of = slice(offered.first[dice], offered.first[dice + 1])
            low, high = offered.start[offered.first[dice]], offered.start[offered.first[dice + 1]]
            weight = chance[total, dice] * share[roll_of_option[low:high]]
            ends[NOTHING] += chance[total, dice] * (offered.bust[dice] + stuck[rolls_of].sum())
            ends[CRASHES] += chance[total, dice] * offered.crash[dice]
            banks, throws_on = may_bank[low:high], may_throw[low:high]
            banked = np.where(to[low:high] >= least, to[low:high], 0)
            banked = np.where(banked >= need, len(ends) - 1, banked)
            np.add.at(ends, banked[banks], weight[banks])
            np.add.at(chance, (to[low:high][throws_on], offered.left[low:high][throws_on]), weight[throws_on])
    if game.exact:  # at the goal no keep may be made
        crashed = float(chance[need] @ offered.crash)
        ends[CRASHES] += crashed
        ends[NOTHING] += chance[need].sum() - crashed
        return ends
    # From the goal on every total is alike: the chance to bank at last, by the dice in hand, is a linear equation.
    moves = 1 + (offered.left > 0)
    share = offered.weight / np.add.reduceat(moves, offered.start[:-1])
    stays, banks_now = np.zeros((size, size)), np.zeros(size)
    for dice in range(1, size):
        low, high = offered.start[offered.first[dice]], offered.start[offered.first[dice + 1]]
        weight, left = share[roll_of_option[low:high]], offered.left[low:high]
        banks_now[dice] = weight.sum()
        np.add.at(stays[dice], left[left > 0], weight[left > 0])
    won, crashes = np.linalg.solve(np.eye(size) - stays, np.stack([banks_now, offered.crash], axis=1)).T
    ends[WINS] += chance[need] @ won
    ends[CRASHES] += chance[need] @ crashes
    ends[NOTHING] += chance[need] @ (1.0 - won - crashes)
    return ends


def position_at(axis: Axes, mine: int, theirs: int, turn: int, dice: int) -> Position:
    """Return what a player sees at a standing against another."""
    sides = ((int(axis.scores[at]), bool(axis.opened[at])) for at in (mine, theirs))
    return Position(*next(sides), *next(sides), turn, dice, int(axis.busts[mine]), int(axis.busts[theirs]))


def _ends_of_function(chosen: RacePolicy, mine: int, theirs: int) -> Floats:
    """Work out one turn of a policy given as a function, asking it about every roll of every state it comes to."""
    game, axis, allowed = chosen.game, chosen.axis, standings(chosen.game, chosen.axis)
    assert chosen.function is not None
    least, need = int(allowed.least[mine]), int(allowed.need(mine, theirs))
    ends, chance = np.zeros(_most(game, axis) + 2), np.zeros((need, game.dice + 1))
    chance[0, game.dice] = 1.0
    for total in range(need):
        for dice in range(1, game.dice + 1):
            if not chance[total, dice]:
                continue
            position = position_at(axis, mine, theirs, total * game.unit, dice)
            for roll, ways, every in offers(game, dice):
                weight = chance[total, dice] * ways / game.sides**dice
                to, left, banks = 0, 0, True
                offered = within(game, every, (need - total) * game.unit)
                if offered:
                    points, left, banks = ask(chosen, position, roll, offered)
                    to = total + points // game.unit
                if to >= need:
                    ends[WINS] += weight
                elif not offered and crashed(game, roll):
                    ends[CRASHES] += weight
                elif not offered or banks or left == 0:
                    ends[to if to >= least else NOTHING] += weight
                else:
                    chance[to, left] += weight
    return ends


Offered = dict[Roll, tuple[int, int]]


def within(game: RaceGame, offered: Offered, most: int) -> Offered:
    """Return the keeps that may be made: where the goal must be hit, those of no more points than are needed."""
    return {kept: worth for kept, worth in offered.items() if worth[0] <= most} if game.exact else offered


def crashed(game: RaceGame, roll: Roll) -> bool:
    """Tell whether a throw costs the whole score."""
    return game.bust_all == "score" and set(roll) <= set(game.bust_faces)


@functools.lru_cache(maxsize=512)
def offers(game: RaceGame, dice: int) -> list[tuple[Roll, int, Offered]]:
    """List the rolls of so many dice: (roll, in how many ways, (points, dice left) by keep)."""
    return [
        (roll, ways, {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)})
        for roll, ways in rolls(game, dice)
    ]


def ask(chosen: RacePolicy, position: Position, roll: Roll, offered: Offered) -> tuple[int, int, bool]:
    """Return (points, dice left, bank?) of the move that a function makes; refuse one that is against the rules."""
    game = chosen.game
    if "score" in chosen.ignores:
        seen = position._replace(score=0)
        if not chosen.looks_at_opponent:
            seen = seen._replace(opponent=0, opponent_opened=False, opponent_busts=0)
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
    least = least_bank(game, position.opened) * game.unit
    if banks and total < least and left:
        said = "" if position.opened else ", not opened"
        raise ValueError(f"policy {chosen.name} banks {total}{said}: it must throw on below {least}")
    return points, left, bool(banks)


def check_calls(chosen: RacePolicy, force: bool) -> None:
    """Refuse a function that its exact evaluation would ask too often, unless forced."""
    if chosen.function is None:
        return
    game, size = chosen.game, len(chosen.axis.scores)
    a_roll = sum(math.comb(dice + game.sides - 1, dice) for dice in range(1, game.dice + 1))
    allowed = standings(game, chosen.axis)
    need = np.maximum(allowed.aim[chosen.axis.start] - allowed.score, allowed.least)
    calls = 2 * int(need.max()) if "score" in chosen.ignores else int(need.sum())
    answers.check_calls(chosen, calls * a_roll * (size if chosen.looks_at_opponent else 1), force)
