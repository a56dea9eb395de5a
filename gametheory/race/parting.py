"""Where playing for the score and playing to win part in a race, exactly, along the play of the score-maximiser.

The expected number of visits of every pair of standings satisfies the transposed equations of `race_play`, sums from the
bottom; the busts of both players in turn are a geometric series. At every visit the kernel compares, roll by roll, the
move of the score-maximiser with the best answer to the opponent.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .policies import Chooser, Evaluation, Policy, best_answer, check_calls, evaluate, policy, share_out, turn_ends
from .rules import RaceGame, Roll, keeps, rolls
from .solver import TIED, Axes, Floats, Integers, RaceSolution, levels, options, standings, throws, turn_tables


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
        if limit == 0:
            return []
        lost = (self.visits * self.per_turn[:, :, 2]).ravel()
        found: list[tuple[float, int, DiffRow]] = []
        for pair in np.argsort(-lost, kind="stable").tolist():
            # A row is worth no more than all rows of its pair.
            bar = found[0][0] if len(found) >= limit else 0.0
            if len(found) >= limit and lost[pair] <= bar:
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
    from . import kernel as race_kernel

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

    count = sum(share_out(len(i), threads, part))
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
    check_calls(opponent, force)
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
