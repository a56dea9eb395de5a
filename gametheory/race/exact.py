"""What comes of policies exactly: two against each other, the best answer to one, and how often they come where.

With the chances `ends` of a policy's turn (see `policies`), x(i, j) the chance of the player A to move at i against j, and
y(j, i) that of B to move at j against i,

    x(i, j) = P(A wins at once) + sum over t of ends_A[t] * (1 - y(j, i + t)) + ends_A[0] * (1 - y(j, i))

and likewise y: two linear equations a pair, sums from the top. Where scores can fall this is done again and again, with the
values there were, until nothing changes. The expected number of visits of every pair satisfies the
transposed equations, sums from the bottom; the busts of both players in turn are a geometric series.

    first_win, second_win   [standing of the player to move, standing of the other]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..progress import Progress, part
from .policies import CRASHES, NOTHING, WINS, RacePolicy, by_values, check_calls, check_same, turn_ends
from .rules import RaceGame
from .solver import PairCloser
from .standings import Standings, levels, outcomes, standings
from .turn import Floats, Integers


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """Two policies against each other: `first_win[i, j]` is the chance of A to move at i, B being at j.

    `second_win[j, i]` is the chance of B to move at j, A being at i. `turns` and `turns_from_second` count the expected
    turns of both players together until the race ends, in the same places.
    """

    first: RacePolicy
    second: RacePolicy
    first_win: Floats
    second_win: Floats
    turns: Floats
    turns_from_second: Floats

    @property
    def start(self) -> int:
        """The standing at the start."""
        return self.first.axis.start

    @property
    def first_player_value(self) -> float:
        """The chance of A if A starts."""
        return float(self.first_win[self.start, self.start])

    @property
    def second_player_value(self) -> float:
        """The chance of A if B starts."""
        return 1.0 - float(self.second_win[self.start, self.start])

    @property
    def mean_turns(self) -> float:
        """The expected turns of both players together, if A starts."""
        return float(self.turns[self.start, self.start])

    def __repr__(self) -> str:
        return (
            f"<Evaluation of {self.first.name} against {self.second.name}: wins {self.first_player_value:.6f} "
            f"starting, {self.second_player_value:.6f} as second>"
        )


HALF = (0.5, 0.5)

STILL = 1e-15
"""Chances and turns that change by no more are at rest."""

MOST_SWEEPS = 2000


def _until_still(game: RaceGame, sweep: Callable[[], float], progress: Progress | None = None) -> None:
    """Sweep once or, where scores can fall, until nothing changes; `sweep` returns the largest change."""
    first = sweep()
    change = first
    for count in range(MOST_SWEEPS if game.can_fall else 0):
        last, change = change, sweep()
        if progress and change > 0.0 and first > STILL:
            progress(min(0.99, max(0.0, math.log(first / change) / math.log(first / STILL))))
        if change <= STILL or (count > 20 and change < 1e-12 and change >= last):
            return
    if game.can_fall:
        raise ArithmeticError(f"{game.name}: after {MOST_SWEEPS} sweeps chances still change by {change:.1e}")


class _Side(NamedTuple):
    """One player's turn at the pairs of a level: what it is worth of what others are worth, and how it goes on alone.

    It comes back to the same standing with chance `again`; the rest is known.
    """

    again: Floats
    known: Floats


def _side(ends: Floats, allowed: Standings, one: Integers, other: Integers, values: Floats, back: bool) -> _Side:
    """Sum what a turn of the player at `one` leads to, values[other, one] being what the other's next turn is worth.

    `back`: whether a turn that ends with nothing comes back to the same standing, and is not known yet.
    """
    totals = np.arange(1, ends.shape[1] - 2)
    to = np.clip(allowed.after[one][:, None] + totals, 0, len(values) - 1)
    banked = ends[:, 1:CRASHES]
    # A total that is never banked may lead nowhere: its value may be NaN, and counts nothing.
    known: Floats = np.where(banked > 0.0, banked * values[other[:, None], to], 0.0).sum(axis=1)
    if ends[:, CRASHES].any():
        known += ends[:, CRASHES] * values[other, allowed.crash[one]]
    again = ends[:, NOTHING].copy()
    if not back:
        known += np.where(again > 0.0, again * np.nan_to_num(values[other, allowed.nothing[one]]), 0.0)
        again[:] = 0.0
    return _Side(again, known)


def _own(ends: Floats, side: _Side) -> Floats:
    """Return what the turn is worth to its player, but for coming back."""
    own: Floats = ends[:, 1:].sum(axis=1) + (ends[:, NOTHING] - side.again) - side.known
    return own


def evaluate(
    a: RacePolicy, b: RacePolicy, *, threads: int | None = None, force: bool = False, progress: Progress | None = None,
    tie: tuple[float, float] = HALF,
) -> Evaluation:  # fmt: skip
    """Compute exactly how two policies fare against each other, from every pair of standings and in both seats.

    `tie` is what a tie of a last round is worth to A, where A reached the goal first and where B did; to B it is the rest.
    """
    check_same(b, a.game, a.axis)
    for one in (a, b):
        check_calls(one, force)
    game, axis, allowed = a.game, a.axis, standings(a.game, a.axis)
    size = len(axis.scores)
    # Before the first sweep: what a game that falls is taken to be worth.
    x, y = (np.full((size, size), 0.5 if game.can_fall else np.nan) for _ in range(2))
    turns_x, turns_y = (np.full((size, size), 30.0 if game.can_fall else np.nan) for _ in range(2))
    outcomes(game, axis, tie[0], x)
    outcomes(game, axis, 1.0 - tie[1], y)
    over, back = allowed.over == 1, not game.three_busts
    turns_x[over] = turns_y[over] = 0.0
    pairs = levels(game, axis)
    count = sum(map(len, pairs))

    def sweep() -> float:
        change, done = 0.0, 0
        for level in pairs:
            i, j = level.T
            ends_a, ends_b = turn_ends(a, i, j, threads), turn_ends(b, j, i, threads)
            plays_a, plays_b = ~over[i], ~over[j]
            wins, length = (_side(ends_a, allowed, i, j, values, back) for values in (y, turns_y))
            wins_b, length_b = (_side(ends_b, allowed, j, i, values, back) for values in (x, turns_x))
            once = 1.0 - wins.again * wins_b.again
            if np.any(once <= 0.0):
                raise ValueError(f"{a.name} against {b.name} never ends: at some scores neither ever banks, change one")
            own_a = np.where(plays_a, _own(ends_a, wins), x[i, j])
            own_b = np.where(plays_b, _own(ends_b, wins_b), y[j, i])
            # Who has reached the goal plays no more: his value stands.
            before = x[i, j], turns_x[i, j] / 100.0
            x[i, j] = (own_a + wins.again * (1.0 - own_b - wins_b.again)) / once
            y[j, i] = own_b + wins_b.again * (1.0 - x[i, j])
            turns_x[i, j] = (plays_a + length.known + length.again * (plays_b + length_b.known)) / once
            turns_y[j, i] = plays_b + length_b.known + length_b.again * turns_x[i, j]
            done += len(i)
            here = x[i, j], turns_x[i, j] / 100.0
            if game.can_fall:
                change = max(change, *(float(np.abs(now - old).max()) for now, old in zip(here, before, strict=True)))
            elif progress:
                progress(done / count)
        return change

    _until_still(game, sweep, progress)
    return Evaluation(a, b, np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0), turns_x, turns_y)


def turn_points(chosen: RacePolicy, me: int, them: int, *, force: bool = False) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return what one turn at a standing against another may bank, lowest first, with the chances.

    The last is what wins: more than that counts as no more.
    """
    check_calls(chosen, force)
    ends = turn_ends(chosen, np.array([me]), np.array([them]), 1)[0]
    unit, need = chosen.game.unit, int(standings(chosen.game, chosen.axis).need(me, them))
    chances = np.concatenate([ends[:need], ends[WINS:]])
    chances[NOTHING] += ends[CRASHES]
    return tuple(units * unit for units in range(need + 1)), tuple(map(float, chances))


def compare(
    policies: Sequence[RacePolicy], *, threads: int | None = None, force: bool = False, progress: Progress | None = None,
    tie: tuple[float, float] = HALF,
) -> Floats:  # fmt: skip
    """Compute the first player's chance for every two policies, [policy of the first, policy of the second].

    `tie` is what a tie of a last round is worth to him, where he reached the goal first and where the other did.
    """
    first_win = np.empty((len(policies), len(policies)))
    pairs = list(itertools.combinations_with_replacement(range(len(policies)), 2))
    for done, (row, column) in enumerate(pairs):
        advance = part(progress, done / len(pairs), (done + 1) / len(pairs))
        one, other = policies[row], policies[column]
        found = evaluate(one, other, threads=threads, force=force, progress=advance, tie=tie)
        first_win[row, column] = found.first_player_value
        if one is other:
            continue
        if tie[0] + tie[1] != 1.0:  # a tie is worth as much to either as first player
            found = evaluate(other, one, threads=threads, force=force, progress=advance, tie=tie)
            first_win[column, row] = found.first_player_value
        else:
            first_win[column, row] = found.second_win[found.start, found.start]
    return first_win


@dataclass(frozen=True, eq=False, repr=False)
class BestAnswer:
    """The best play against an opponent whose policy is known.

    `values[i, j]` is the chance of the one who answers, to move at i against j; `others[j, i]` that of the opponent, to
    move at j against i. `policy` plays it.
    """

    opponent: RacePolicy
    values: Floats
    others: Floats
    policy: RacePolicy

    @property
    def start(self) -> int:
        """The standing at the start."""
        return self.opponent.axis.start

    @property
    def first_player_value(self) -> float:
        """The chance of the one who answers, if he starts."""
        return float(self.values[self.start, self.start])

    @property
    def second_player_value(self) -> float:
        """The chance of the one who answers, if the opponent starts."""
        return 1.0 - float(self.others[self.start, self.start])

    def __repr__(self) -> str:
        return (
            f"<BestAnswer to {self.opponent.name} at {self.policy.game.name}: wins {self.first_player_value:.6f} "
            f"starting, {self.second_player_value:.6f} as second>"
        )


def best_answer(
    other: RacePolicy, *, threads: int | None = None, force: bool = False, progress: Progress | None = None,
    tie: float = 0.5,
) -> BestAnswer:  # fmt: skip
    """Compute the best play against an opponent who plays a known policy, in either seat.

    `tie` is what a tie of a last round is worth to who reached the goal first.
    """
    check_calls(other, force)
    game, axis, allowed = other.game, other.axis, standings(other.game, other.axis)
    size = len(axis.scores)
    values, others = (np.full((size, size), 0.5 if game.can_fall else np.nan) for _ in range(2))
    outcomes(game, axis, tie, values)
    outcomes(game, axis, tie, others)
    over, back = allowed.over == 1, not game.three_busts
    pairs = levels(game, axis)
    count = sum(map(len, pairs))
    with PairCloser(game, axis, threads) as close:

        def sweep() -> float:
            change, done = 0.0, 0
            for level in pairs:
                i, j = level.T
                ends = turn_ends(other, j, i, threads)
                side = _side(ends, allowed, j, i, values, back)
                plays, before = ~over[i], values[i, j]
                theirs = np.where(over[j], others[j, i], _own(ends, side))
                if plays.any():
                    one, two = i[plays], j[plays]
                    line = (theirs[plays], side.again[plays]) if back else (others[two, allowed.nothing[one]], 0.0 * one)
                    values[one, two] = close(one, two, values, others, line)[:, 0]
                others[j, i] = theirs + side.again * (1.0 - values[i, j])
                done += len(i)
                if game.can_fall:
                    change = max(change, float(np.abs(values[i, j] - before).max()))
                elif progress:
                    progress(done / count)
            return change

        _until_still(game, sweep, progress)
    return BestAnswer(other, values, others, by_values(f"answer to {other.name}", game, axis, others))


def visits(evaluated: Evaluation, seat: str = "first", *, threads: int | None = None) -> tuple[Floats, Floats]:
    """Return the expected number of turns that A starts at [i, j], and that B starts at [j, i].

    `seat` is that of A: the first player starts at the first standing, against the same.
    """
    if seat not in ("first", "second"):
        raise ValueError(f"seat {seat!r}: say 'first' or 'second'")
    a, b = evaluated.first, evaluated.second
    axis, allowed = a.axis, standings(a.game, a.axis)
    size, over = len(axis.scores), allowed.over == 1
    come_a, come_b, of_a, of_b = (np.zeros((size, size)) for _ in range(4))
    (come_a if seat == "first" else come_b)[axis.start, axis.start] = 1.0
    pairs = levels(a.game, axis)[::-1]
    while come_a.sum() + come_b.sum() > LEFT:
        for level in pairs:
            i, j = level.T
            if not (come_a[i, j].any() or come_b[j, i].any()):
                continue
            ends_a, ends_b = turn_ends(a, i, j, threads), turn_ends(b, j, i, threads)
            new_a, new_b = come_a[i, j] * ~over[i], come_b[j, i] * ~over[j]
            come_a[i, j], come_b[j, i] = 0.0, 0.0
            if a.game.three_busts:
                here_a, here_b = new_a, new_b
            else:  # two turns that make nothing come back
                again = 1.0 - ends_a[:, NOTHING] * ends_b[:, NOTHING]
                here_a = (new_a + ends_b[:, NOTHING] * new_b) / again
                here_b = new_b + ends_a[:, NOTHING] * here_a
                here_a, here_b = here_a * ~over[i], here_b * ~over[j]
            of_a[i, j] += here_a
            of_b[j, i] += here_b
            totals = np.arange(1, ends_a.shape[1] - 2)
            for one, other, ends, here, into in ((i, j, ends_a, here_a, come_b), (j, i, ends_b, here_b, come_a)):
                to = np.clip(allowed.after[one][:, None] + totals, 0, size - 1)
                np.add.at(into, (other[:, None], to), here[:, None] * ends[:, 1:CRASHES])
                if ends[:, CRASHES].any():
                    np.add.at(into, (other, allowed.crash[one]), here * ends[:, CRASHES])
                if a.game.three_busts:
                    np.add.at(into, (other, allowed.nothing[one]), here * ends[:, NOTHING])
        come_a[over] = come_b[over] = 0.0
    return of_a, of_b


LEFT = 1e-15
"""Games that may still be under way when visits are no longer counted."""
