"""Where playing for the score and playing to win part in a race, exactly, along the play of the score-maximiser.

With the visits of every pair of standings (see `exact`), the kernel compares at every visit, roll by roll, the move of the
policy `score` with the best answer to the opponent. A decision is a roll that is no bust.

    visits      [own standing, to move, standing of the opponent]: how often the pair comes in a game
    per_turn    [the same, what one turn there counts], with the columns of COUNTED
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..answers import DifferenceRow, Move
from ..differences import Difference, Summary, Table
from ..progress import Progress, part
from .exact import best_answer, evaluate, visits
from .notation import RaceNotation
from .policies import RacePolicy, check_calls, points_tables, position_at, rows_of
from .rules import RaceGame, Roll, best_options, keeps, rolls
from .solver import share_out
from .standings import standings
from .turn import BY_TABLE, Floats, Integers, options, throws

COUNTED = ("decisions", "disagreements", "win_probability_lost", "riskier", "safer", "first_roll_disagreement")
"""What a turn counts; riskier: disagreements in which the best move throws on and `score` banks, safer: the other way."""


class ByDifference(NamedTuple):
    """What a game counts, by the difference of the scores, own minus the opponent's."""

    differences: Integers
    decisions: Floats
    disagreements: Floats
    win_probability_lost: Floats
    riskier: Floats
    safer: Floats


@dataclass(frozen=True, eq=False, repr=False)
class RaceDifference(Difference):
    """Where a policy and the best answer to the opponent part; `others` are the opponent's chances against that answer.

    `score` is the policy, by default the one of that name.
    """

    notation: RaceNotation
    score: RacePolicy
    against: RacePolicy
    seat: str
    others: Floats
    visits: Floats
    per_turn: Floats

    groups = ("score-difference",)

    @property
    def policy(self) -> str:  # type: ignore[override]
        return self.score.name

    @property
    def game(self) -> RaceGame:
        return self.score.game

    @property
    def summary(self) -> Summary:
        decisions, disagreements, lost = (float((self.visits * self.per_turn[:, :, column]).sum()) for column in range(3))
        start = self.score.axis.start
        return Summary(decisions, disagreements, lost, float(self.per_turn[start, start, 5]))

    def by_difference(self) -> ByDifference:
        """Add up by the difference of the scores."""
        scores = self.score.axis.scores
        differences, place = np.unique(scores[:, None] - scores, return_inverse=True)

        def add(column: int) -> Floats:
            weights = (self.visits * self.per_turn[:, :, column]).ravel()
            return np.bincount(place.ravel(), weights, len(differences)).astype(np.float64)

        return ByDifference(differences, *map(add, range(5)))

    def by(self, group: str) -> Table:
        if group not in self.groups:
            raise ValueError(f"--by {group} is for pools: say {' or '.join(self.groups)}")
        found = self.by_difference()
        rows = (tuple(value.item() for value in values) for values in zip(*found, strict=True))
        return found._fields, [dict(zip(found._fields, row, strict=True)) for row in rows]

    def rows(self) -> Iterator[DifferenceRow]:
        for pair in range(self.visits.size):
            yield from self._rows_of(pair, 0.0)

    def top(self, limit: int = 100, progress: Callable[[float], None] | None = None) -> list[DifferenceRow]:
        if limit < 0:
            raise ValueError(f"limit is {limit}: give 0 or more")
        if limit == 0:
            return []
        lost = self._most.ravel()
        found: list[tuple[float, int, tuple[Any, ...], DifferenceRow]] = []
        order = np.argsort(-lost, kind="stable").tolist()
        for done, pair in enumerate(order):
            # A row is worth no more than all rows of its pair.
            bar = found[0][0] if len(found) >= limit else 0.0
            if len(found) >= limit and lost[pair] <= bar:
                break
            for row in self._rows_of(pair, bar):
                item = (row.probability * row.cost, -pair, _in_order(row), row)
                if len(found) < limit:
                    heapq.heappush(found, item)
                elif item[0] > found[0][0]:
                    heapq.heapreplace(found, item)
            if progress:
                progress((done + 1) / len(order))
        return [row for *_, row in sorted(found, key=lambda item: (-item[0], -item[1], item[2]))]

    @property
    def _most(self) -> Floats:
        """The most that a row of each pair can be worth."""
        return np.asarray(self.visits * self.per_turn[:, :, 2])

    def _rows_of(self, pair: int, at_least: float) -> Iterator[DifferenceRow]:
        """Yield the rows of one pair of standings with chance times cost at least so high."""
        mine, theirs = divmod(pair, len(self.visits))
        game, axis, often = self.game, self.score.axis, float(self.visits[mine, theirs])
        if often <= 0.0 or self.per_turn[mine, theirs, 1] <= 0.0:
            return
        _, raw = _compare_turns(self.score, self.others, (np.array([mine]), np.array([theirs])), at_least / often)
        tables, row_of, size = points_tables(game, axis), int(rows_of(game, axis)[mine]), game.dice + 1
        for line in raw:
            total, outcome = int(line[1]) * game.unit, int(line[2])
            cost = float(line[9] - line[8])
            for roll, share, kept in _rolls_of_class(game, outcome):
                chance = often * float(line[7]) * share
                if chance * cost < at_least:
                    continue
                moves = []
                for shift, banks, wins in ((line[3], line[4], line[8]), (line[5], line[6], line[9])):
                    points, left = divmod(int(shift), size)
                    after = total + points * game.unit
                    expected = float(after) if banks else tables.expected_score(left, after, row_of)
                    moves.append(Move(kept[points, left], points * game.unit, left, expected, float(wins), bool(banks)))
                position = position_at(axis, mine, theirs, total, len(roll))
                yield DifferenceRow(position, roll, moves[0], moves[1], chance, cost, bool(line[10]))


def _in_order(row: DifferenceRow) -> tuple[Any, ...]:
    """Return what rows of the same pair and worth are sorted by."""
    moves = ((move.keep, move.bank) for move in (row.move, row.to_move))
    return (row.position[:5], row.position[6:], row.roll, *moves)


@functools.lru_cache(maxsize=2048)
def _rolls_of_class(game: RaceGame, outcome: int) -> list[tuple[Roll, float, dict[tuple[int, int], Roll]]]:
    """List the rolls of an outcome class: (roll, its share, the keep for each (points in units, dice left))."""
    offered = options(game)
    dice = int(np.searchsorted(offered.first, outcome, side="right")) - 1
    cells = slice(offered.start[outcome], offered.start[outcome + 1])
    wanted = list(zip(offered.points[cells].tolist(), offered.left[cells].tolist(), strict=True))
    found = []
    for roll, ways in rolls(game, dice):
        if [(option.points // game.unit, option.dice_left) for option in best_options(game, roll)] != wanted:
            continue
        kept: dict[tuple[int, int], Roll] = {}
        for keep in keeps(game, roll):
            points = keep.points // game.unit
            if keep.kept > kept.get((points, keep.dice_left), ()):
                kept[points, keep.dice_left] = keep.kept
        found.append((roll, ways, kept))
    every = sum(ways for _, ways, _ in found)
    return [(roll, ways / every, kept) for roll, ways, kept in found]


def _compare_turns(
    score: RacePolicy,
    others: Floats,
    pairs: tuple[Integers, Integers],
    at_least: float | None = None,
    threads: int | None = 1,
) -> tuple[Floats, Floats]:
    """Return what a turn of the score-maximiser counts, by pair, and the rows worth at least so much, if asked for."""
    from . import kernel

    game, axis, plan, (i, j) = score.game, score.axis, score.plan, pairs
    offered, tree, allowed = options(game), throws(game), standings(game, axis)
    totals = np.empty((len(i), 6))
    bar = np.full(len(i), at_least or 0.0)
    rows = np.empty((0 if at_least is None else 4096, 11))

    def follow(low: int, high: int) -> int:
        return int(kernel.part_ways(offered, tree, allowed, plan, others, i, j, low, high, totals, rows, bar))

    count = sum(share_out(len(i), threads, follow))
    if len(rows) and count > len(rows):
        rows = np.empty((count, 11))
        follow(0, len(i))
    return totals, rows[:count] if at_least is not None else rows


def has_table(way: RacePolicy) -> bool:
    """Tell whether a policy decides by tables, as the kernel takes them."""
    return way.plan is not None and way.plan.kind == BY_TABLE


def answer(opponent: RacePolicy, tie: float = 0.5) -> RacePolicy:
    """Return the best answer to an opponent, by the name of who plays to win."""
    return replace(best_answer(opponent, tie=tie).policy, name="win")


def diff(
    score: RacePolicy, opponent: RacePolicy, seat: str = "first", *, values: Floats | None = None,
    threads: int | None = None, force: bool = False, progress: Progress | None = None, tie: float = 0.5,
) -> RaceDifference:  # fmt: skip
    """Find where the policy `score` and the best answer to the opponent part, along the play of `score`, exactly.

    `values` are those of the solved race if the opponent plays by them: they are the best answer then. `tie` is what a tie
    of a last round is worth to who reached the goal first.
    """
    check_calls(opponent, force)
    if values is None:
        values = best_answer(opponent, threads=threads, force=force, progress=part(progress, 0.0, 0.3), tie=tie).others
    ties = (tie, 1.0 - tie)
    evaluated = evaluate(score, opponent, threads=threads, force=force, progress=part(progress, 0.3, 0.6), tie=ties)
    turns, _ = visits(evaluated, seat, threads=threads)
    size = len(turns)
    per_turn = np.zeros((size, size, len(COUNTED)))
    played = turns > 0.0
    played[score.axis.start, score.axis.start] = True
    i, j = np.nonzero(played)
    counted, _ = _compare_turns(score, values, (i, j), threads=threads)
    per_turn[i, j] = counted
    if progress:
        progress(1.0)
    return RaceDifference(RaceNotation(score.game), score, opponent, f"{seat} player", values, turns, per_turn)
