"""What comes of policies exactly: two against each other, the best answer to one, and how often they come where.

With the chances `ends` of a policy's turn (see `policies`), x(i, j) the chance of the player A to move at i against j, and
y(j, i) that of B to move at j against i,

    x(i, j) = P(A wins at once) + sum over t of ends_A[t] * (1 - y(j, i + t)) + ends_A[0] * (1 - y(j, i))

and likewise y: two linear equations a pair, sums from the top. The expected number of visits of every pair satisfies the
transposed equations, sums from the bottom; the busts of both players in turn are a geometric series.

    first_win, second_win   [standing of the player to move, standing of the other]
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..progress import Progress, part
from .policies import RacePolicy, by_values, check_calls, check_same, turn_ends
from .solver import PairCloser, Standings, levels, standings
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


def evaluate(
    a: RacePolicy, b: RacePolicy, *, threads: int | None = None, force: bool = False, progress: Progress | None = None
) -> Evaluation:
    """Compute exactly how two policies fare against each other, from every pair of standings and in both seats."""
    check_same(b, a.game, a.axis)
    for one in (a, b):
        check_calls(one, force)
    axis, allowed = a.axis, standings(a.game, a.axis)
    size = len(axis.scores)
    x, y, turns_x, turns_y = (np.full((size, size), np.nan) for _ in range(4))
    done = 0
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
        done += len(i)
        if progress:
            progress(done / size**2)
    return Evaluation(a, b, np.clip(x, 0.0, 1.0), np.clip(y, 0.0, 1.0), turns_x, turns_y)


def turn_points(chosen: RacePolicy, me: int, them: int, *, force: bool = False) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return what one turn at a standing against another may bank, lowest first, with the chances.

    The last is what wins: more than that counts as no more.
    """
    check_calls(chosen, force)
    ends = turn_ends(chosen, np.array([me]), np.array([them]), 1)[0]
    unit, need = chosen.game.unit, int(standings(chosen.game, chosen.axis).need[me])
    chances = np.concatenate([ends[:need], ends[-1:]])
    return tuple(units * unit for units in range(need + 1)), tuple(map(float, chances))


def compare(
    policies: Sequence[RacePolicy], *, threads: int | None = None, force: bool = False, progress: Progress | None = None
) -> Floats:
    """Compute the first player's chance for every two policies, [policy of the first, policy of the second]."""
    first_win = np.empty((len(policies), len(policies)))
    pairs = list(itertools.combinations_with_replacement(range(len(policies)), 2))
    for done, (row, column) in enumerate(pairs):
        advance = part(progress, done / len(pairs), (done + 1) / len(pairs))
        found = evaluate(policies[row], policies[column], threads=threads, force=force, progress=advance)
        first_win[column, row] = found.second_win[0, 0]
        first_win[row, column] = found.first_player_value
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
    other: RacePolicy, *, threads: int | None = None, force: bool = False, progress: Progress | None = None
) -> BestAnswer:
    """Compute the best play against an opponent who plays a known policy, in either seat."""
    check_calls(other, force)
    game, axis = other.game, other.axis
    allowed, size = standings(game, axis), len(other.axis.scores)
    values, others = np.full((size, size), np.nan), np.full((size, size), np.nan)
    done = 0
    with PairCloser(game, axis, threads) as close:
        for level in levels(axis):
            i, j = level.T
            ends = turn_ends(other, j, i, threads)
            rest = ends[:, 1:].sum(axis=1) - _after_banking(ends, allowed, j, i, values)
            result = close(i, j, values, others, (rest, np.ascontiguousarray(ends[:, 0])))
            values[i, j], others[j, i] = result[:, 0], result[:, 1]
            done += len(i)
            if progress:
                progress(done / size**2)
    return BestAnswer(other, values, others, by_values(f"answer to {other.name}", game, axis, others))


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
