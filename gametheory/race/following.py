"""Where any two ways to play a race part: both asked at every roll of every turn that the first comes to.

A turn of the second way Q, a bust being worth `lose` and a bank of t units bank(t) against an opponent who meets Q,

    W(n, t) = P(bust) * lose + sum over rolls of P(roll) * what Q's move leads to

and a move of the first way P costs W after Q's move less W after P's. Moves are arrays [roll, turn total], turns of ways
that do not look at the opponent are taken together for all his standings.

`parting` does the same in the kernel where Q is the best play and P is given by tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..answers import DifferenceRow, Move
from ..progress import Progress, part
from ..ties import DISAGREE, TIED
from . import exact, parting
from .notation import Position, RaceNotation
from .parting import COUNTED
from .parting import RaceDifference as RaceDifference
from .policies import RacePolicy, ask, check_calls, offers
from .rules import RaceGame, Roll, best_options
from .solver import chances_at
from .standings import standings
from .turn import AT_RANDOM, BY_VALUES, Floats, Integers, turn_tables

MOST_TURNS = 40_000_000
"""How many (pair of standings, turn total, roll) are looked at without `force`."""


class Moves(NamedTuple):
    """What a way does with the rolls of so many dice, [roll, turn total]: total and dice left then, and whether it banks."""

    to: Integers
    left: Integers
    banks: Any


class Throw(NamedTuple):
    """The rolls of so many dice that score: their keeps, and their chances; and the chance of a bust."""

    rolls: tuple[Roll, ...]
    keeps: tuple[dict[Roll, tuple[int, int]], ...]
    chances: Floats
    bust: float


@lru_cache(maxsize=256)
def _throw(game: RaceGame, dice: int) -> Throw:
    listed = offers(game, dice)
    every = sum(ways for _, ways, _ in listed)
    scoring = [one for one in listed if one[2]]
    chances = np.array([ways / every for _, ways, _ in scoring])
    busts = sum(ways for _, ways, keeps in listed if not keeps) / every
    return Throw(tuple(roll for roll, _, _ in scoring), tuple(keeps for _, _, keeps in scoring), chances, busts)


def _turn(way: RacePolicy, me: int, them: int) -> dict[int, Moves]:
    """Return what a way does in a turn at a standing against another, by the number of dice thrown."""
    game, axis, plan = way.game, way.axis, way.plan
    need = int(standings(game, axis).need(me, them))
    if plan is None:
        return {dice: _asked(way, me, them, dice, need) for dice in range(1, game.dice + 1)}
    if plan.kind == AT_RANDOM:
        raise ValueError("random has no one move for a roll, so that no roll tells it from another: ask compare")
    flag, size = int(plan.row[me]), game.dice + 1
    second = plan.second_roll[flag], plan.second_bank[flag]
    if plan.kind == BY_VALUES:
        chances = chances_at(game, axis, plan.others, me, them)
        first = chances.roll.copy(), np.repeat(chances.bank[:, None], size, 1)
        first[0][:, 0] = np.where(chances.bank > -np.inf, chances.bank, chances.lose)
    else:
        first = plan.first_roll[flag], plan.first_bank[flag]
    return {dice: _planned(game, dice, need, first, second) for dice in range(1, size)}


def _planned(
    game: RaceGame, dice: int, need: int, first: tuple[Floats, Floats], second: tuple[Floats, Floats]
) -> Moves:
    """Choose by tables, of equal moves by the second ones; for each number of dice left the most points, fewest kept first.
    """
    throw, totals = _throw(game, dice), np.arange(need)
    to, left = np.zeros((2, len(throw.rolls), need), np.int64)
    banks = np.zeros((len(throw.rolls), need), bool)
    for number, roll in enumerate(throw.rolls):
        options = sorted(((option.points // game.unit, option.dice_left) for option in best_options(game, roll)),
                         key=lambda option: -option[1])  # fmt: skip
        reached = [np.minimum(totals + points, need - 1) for points, _ in options]
        worth = [
            (table[at, then], place, bank)
            for place, (at, (_, then)) in enumerate(zip(reached, options, strict=True))
            for bank, table in ((True, first[1]), (False, first[0]))
        ]
        best = np.max([one for one, _, _ in worth], axis=0)
        chosen = np.full(need, -np.inf)
        for one, place, bank in worth:
            at, (points, then) = reached[place], options[place]
            other = second[0 if not bank else 1][at, then]
            better = (one >= best - TIED) & (other > chosen + TIED)
            chosen = np.where(better, other, chosen)
            to[number], left[number] = np.where(better, totals + points, to[number]), np.where(better, then, left[number])
            banks[number] = np.where(better, bank, banks[number])
        # A bank that wins is taken before all else, the most points.
        most, then = max(options, key=lambda option: option[0])
        wins = totals + most >= need
        to[number], left[number] = np.where(wins, totals + most, to[number]), np.where(wins, then, left[number])
        banks[number] |= wins
    return Moves(to, left, banks)


def _asked(way: RacePolicy, me: int, them: int, dice: int, need: int) -> Moves:
    game, axis, throw = way.game, way.axis, _throw(way.game, dice)
    found = np.zeros((3, len(throw.rolls), need), np.int64)
    for total in range(need):
        at = Position(
            int(axis.scores[me]), bool(axis.opened[me]), int(axis.scores[them]), bool(axis.opened[them]),
            total * game.unit, dice,
        )  # fmt: skip
        for number, (roll, keeps) in enumerate(zip(throw.rolls, throw.keeps, strict=True)):
            points, left, banks = ask(way, at, roll, keeps)
            found[:, number, total] = total + points // game.unit, left, banks
    return Moves(found[0], found[1], found[2].astype(bool))


class Turns(NamedTuple):
    """A turn of both ways at one standing against some: the moves, what they lead to, the chances of the first way.

    `worth` is what Q makes of a total and dice, [standing of the other, total, dice]; `banked` of a bank, [standing, total].
    """

    one: dict[int, Moves]
    other: dict[int, Moves]
    worth: Floats
    banked: Floats
    chance: Floats
    need: int

    def leads_to(self, moves: Moves, total: int) -> Floats:
        """Return what the moves of all rolls at a total lead to, [standing of the other, roll]."""
        to, left = moves.to[:, total], moves.left[:, total]
        ends = moves.banks[:, total] | (left == 0)
        inside = np.minimum(to, self.need - 1)
        found = np.where(ends, self.banked[:, inside], self.worth[:, inside, left])
        return np.where(to >= self.need, 1.0, found)


@dataclass(frozen=True, eq=False, repr=False)
class Followed(RaceDifference):
    """Where two ways part, each asked at every roll."""

    other: RacePolicy
    """The second way; `others` are the opponent's chances against it."""
    positive: Floats
    """[own standing, standing of the other]: what the rolls of a turn at which it is dearer cost."""

    @property
    def to(self) -> str:  # type: ignore[override]
        return self.other.name

    @property
    def _most(self) -> Floats:
        return np.asarray(self.visits * self.positive)

    def rows(self) -> Iterator[DifferenceRow]:
        for pair in range(self.visits.size):
            yield from self._rows_of(pair, -np.inf)

    def _rows_of(self, pair: int, at_least: float) -> Iterator[DifferenceRow]:
        mine, theirs = divmod(pair, len(self.visits))
        often = float(self.visits[mine, theirs])
        if often <= 0.0 or self.per_turn[mine, theirs, 1] <= 0.0:
            return
        game, axis, tables = self.game, self.score.axis, turn_tables(self.game)
        turns = turns_at(self.score, self.other, self.others, mine, np.array([theirs]))
        for total, dice in np.argwhere(turns.chance > 0.0).tolist():
            throw = _throw(game, dice)
            worths = [turns.leads_to(way[dice], total)[0] for way in (turns.one, turns.other)]
            for number in np.flatnonzero(np.abs(worths[1] - worths[0]) > DISAGREE).tolist():
                chance = often * float(turns.chance[total, dice] * throw.chances[number])
                cost = float(worths[1][number] - worths[0][number])
                if chance * cost < at_least:
                    continue
                opened, row, moves = bool(axis.opened[mine]), int(axis.opened[mine]), []
                for way, worth in zip((turns.one, turns.other), worths, strict=True):
                    after, left = int(way[dice].to[number, total]), int(way[dice].left[number, total])
                    banks, points = bool(way[dice].banks[number, total]) or left == 0, (after - total) * game.unit
                    keeps = [kept for kept, offered in throw.keeps[number].items() if offered == (points, left)]
                    score = float(after * game.unit) if banks else tables.expected_score(left, after * game.unit, row)
                    moves.append(Move(min(keeps, key=lambda kept: (len(kept), [-face for face in kept])), points, left,
                                      score, float(worth[number]), banks))  # fmt: skip
                at = Position(
                    int(axis.scores[mine]), opened, int(axis.scores[theirs]), bool(axis.opened[theirs]), total * game.unit,
                    dice,
                )  # fmt: skip
                yield DifferenceRow(at, throw.rolls[number], moves[0], moves[1], chance, cost, False)


def turns_at(one: RacePolicy, other: RacePolicy, others: Floats, me: int, them: Integers) -> Turns:
    """Work out a turn of both ways at a standing, against standings for which neither plays otherwise."""
    game, axis = one.game, one.axis
    allowed = standings(game, axis)
    least, need, after = int(allowed.least[me]), int(allowed.need(me, int(them[0]))), int(allowed.after[me])
    ways = [_turn(way, me, int(them[0])) for way in (one, other)]
    lose = 1.0 - others[them, me]
    banked = np.repeat(lose[:, None], need, 1)
    banked[:, least:] = 1.0 - others[them, after + least : after + need]
    turns = Turns(ways[0], ways[1], np.zeros((len(them), need, game.dice + 1)), banked, _chances(game, ways[0], need), need)
    turns.worth[:, :, 0] = banked
    for total in range(need - 1, -1, -1):
        for dice in range(1, game.dice + 1):
            throw = _throw(game, dice)
            turns.worth[:, total, dice] = throw.bust * lose + turns.leads_to(turns.other[dice], total) @ throw.chances
    return turns


def _chances(game: RaceGame, moves: dict[int, Moves], need: int) -> Floats:
    """Return the chance that a turn comes to every total with so many dice to throw, [total, dice]."""
    found = np.zeros((need, game.dice + 1))
    found[0, game.dice] = 1.0
    for total in range(need):
        for dice in range(1, game.dice + 1):
            if found[total, dice]:
                way, throw = moves[dice], _throw(game, dice)
                on = ~way.banks[:, total] & (way.left[:, total] > 0) & (way.to[:, total] < need)
                np.add.at(found, (way.to[on, total], way.left[on, total]), found[total, dice] * throw.chances[on])
    return found


def _count(turns: Turns, game: RaceGame) -> tuple[Floats, Floats]:
    """Return what a turn counts, [standing of the other, what: see COUNTED], and its positive costs."""
    size = len(turns.banked)
    found, positive = np.zeros((size, len(COUNTED))), np.zeros(size)
    for total, dice in np.argwhere(turns.chance > 0.0).tolist():
        one, other, throw = turns.one[dice], turns.other[dice], _throw(game, dice)
        weights = turns.chance[total, dice] * throw.chances
        apart = turns.leads_to(other, total) - turns.leads_to(one, total)
        differ = np.abs(apart) > DISAGREE
        banks = one.banks[:, total] | (one.left[:, total] == 0), other.banks[:, total] | (other.left[:, total] == 0)
        costs = np.where(differ, apart, 0.0)
        found[:, 0] += weights.sum()
        found[:, 1] += differ @ weights
        found[:, 2] += costs @ weights
        found[:, 3] += (differ & banks[0] & ~banks[1]) @ weights
        found[:, 4] += (differ & banks[1] & ~banks[0]) @ weights
        found[:, 5] += differ @ weights if total == 0 else 0.0
        positive += np.maximum(costs, 0.0) @ weights
    return found, positive


def between(
    one: RacePolicy, other: RacePolicy | None, opponent: RacePolicy, seat: str, *, win: RacePolicy, force: bool = False,
    progress: Progress | None = None, tie: float = 0.5,
) -> RaceDifference:  # fmt: skip
    """Find where two ways part, the second being the best play if it is not said; `win` is the policy of the solved race.

    `tie` is what a tie of a last round is worth to who reached the goal first.
    """
    to_win = is_win(opponent)
    if other is None or is_win(other):
        if parting.has_table(one):  # compared with the best answer to the opponent, in the kernel
            values = win.plan.others if to_win and win.plan is not None else None
            return parting.diff(one, opponent, seat, values=values, force=force, progress=progress, tie=tie)
        other = win if to_win else parting.answer(opponent, tie)
    return diff(one, other, opponent, seat, force=force, progress=progress)


def is_win(way: RacePolicy) -> bool:
    """Tell whether a policy is that of who plays to win, and no function of that name."""
    return way.name == "win" and way.function is None


def diff(
    one: RacePolicy, other: RacePolicy, opponent: RacePolicy, seat: str = "first", *, force: bool = False,
    progress: Progress | None = None,
) -> Followed:  # fmt: skip
    """Find where two ways part, along the play of the first, from a seat against an opponent."""
    for way in (one, other, opponent):
        check_calls(way, force)
    game, axis = one.game, one.axis
    if game.exact or game.last_round or game.can_fall:
        raise ValueError(f"{game.name}: with such house rules only ways of a name are told from win: leave --to out")
    size = len(axis.scores)
    rolls = sum(len(_throw(game, dice).rolls) for dice in range(1, game.dice + 1))
    free = not (one.looks_at_opponent or other.looks_at_opponent)
    work = float(standings(game, axis).need(np.arange(size), axis.start).sum()) * rolls * (1 if free else size)
    if work > MOST_TURNS and not force:
        raise ValueError(
            f"{one.name} and {other.name} at {game.name} would be asked about {work:.2g} rolls: compare with win, or say "
            "--force (force=True) to start all the same"
        )
    others = exact.evaluate(other, opponent, force=force, progress=part(progress, 0.0, 0.1)).second_win
    evaluated = exact.evaluate(one, opponent, force=force, progress=part(progress, 0.1, 0.2))
    visits, _ = exact.visits(evaluated, seat)
    per_turn, positive = np.zeros((size, size, len(COUNTED))), np.zeros((size, size))
    for me in range(size):
        them = np.flatnonzero((visits[me] > 0.0) | ((np.arange(size) == axis.start) & (me == axis.start)))
        for group in [them] if free and len(them) else [them[place : place + 1] for place in range(len(them))]:
            turns = turns_at(one, other, others, me, group)
            per_turn[me, group], positive[me, group] = _count(turns, game)
        if progress:
            progress(0.2 + 0.8 * (me + 1) / size)
    return Followed(RaceNotation(game), one, opponent, f"{seat} player", others, visits, per_turn, other, positive)
