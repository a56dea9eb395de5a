"""Where playing to win and playing for points part: how often, at which rolls, at what cost.

Both are compared along the play of the score-maximiser. A disagreement is a decision at which the move it takes is
worse for winning, by more than 1e-9, than the best. What all disagreements of a game cost together is exactly what the
score-maximiser's chance to win falls short of the best one against the same opponent.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..dice import Roll
from ..games import PoolGame, State
from ..match import evaluate
from ..match.duel import Duel
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from . import moves as ranking
from .policies import Policy, Position, Score

COLUMNS = (
    "dice_left", "banked", "roll", "score_keep", "win_keep", "probability", "cost", "weighted_cost",
    "score_keep_win_probability", "win_keep_win_probability", "score_keep_expected_score", "win_keep_expected_score",
    "score_tied",
)  # fmt: skip
"""The columns of a written diff, in order."""


ROUNDING = 1e-14
"""More than the rounding of a computed mean cost."""


class Summary(NamedTuple):
    """How often and how dearly win and score part in a game; expectations under the play of the score-maximiser."""

    decisions_per_game: float
    disagreements_per_game: float
    win_probability_lost: float
    first_roll_disagreement: float


class Place(NamedTuple):
    """One (dice left, banked): the chance to be there, that a roll there is a disagreement, and what a roll costs."""

    dice_left: str
    banked: int
    probability: float
    disagreement: float
    cost: float


class Row(NamedTuple):
    """One roll at which the two part: `probability` of it coming up in a game, `cost` in chance to win."""

    dice_left: tuple[int, ...]
    banked: int
    roll: Roll
    score_keep: Roll
    win_keep: Roll
    probability: float
    cost: float
    score_keep_win_probability: float
    win_keep_win_probability: float
    score_keep_expected_score: float
    win_keep_expected_score: float
    score_tied: bool

    def as_dict(self, game: PoolGame) -> dict[str, Any]:
        """Return the row as plain data with the names in COLUMNS, dice and keeps in notation."""
        data = self._asdict() | {
            "dice_left": dice.format_dice(self.dice_left, game.kinds),
            "weighted_cost": self.probability * self.cost,
        }
        for name in ("roll", "score_keep", "win_keep"):
            data[name] = dice.format_roll(data[name], game.kinds)
        return {name: data[name] for name in COLUMNS}

    def sentence(self, game: PoolGame) -> str:
        """Say the row in words a player understands."""

        def kept(keep: Roll) -> str:
            return dice.format_roll(keep, game.kinds)

        return (
            f"With {dice.format_dice(self.dice_left, game.kinds)} left, {self.banked} banked and "
            f"{kept(self.roll)} rolled: for points keep {kept(self.score_keep)} "
            f"({self.score_keep_expected_score:.2f} points, {self.score_keep_win_probability:.1%} to win), "
            f"to win keep {kept(self.win_keep)} "
            f"({self.win_keep_expected_score:.2f} points, {self.win_keep_win_probability:.1%} to win)."
        )


@dataclass(frozen=True, eq=False)
class Diff:
    """Where win and score part from one seat: the first, or the second against a target.

    Arrays by [pool, gain banked]: `visits`, the chance that the score-maximiser is there; `disagreement`, the chance that
    a roll there is one; `cost`, what a roll there costs on average. `values` are the chances to win.
    """

    duel: Duel
    target: int | None
    visits: Array
    disagreement: Array
    cost: Array
    values: Array

    @property
    def summary(self) -> Summary:
        """The four figures of the whole game."""
        played = self.visits[1:]
        return Summary(
            float(played.sum()),
            float((played * self.disagreement[1:]).sum()),
            float((played * self.cost[1:]).sum()),
            float(self.disagreement[-1, 0]),
        )

    def places(self) -> list[Place]:
        """List every (dice left, banked) that the score-maximiser can reach, all dice first."""
        game = self.duel.game
        found = []
        for index in range(len(game.pools) - 1, 0, -1):
            left = game.pools[index]
            worst = game.worst(game.banked_dice(left))
            found += [
                Place(
                    dice.format_dice(left, game.kinds),
                    worst + game.sign * int(gain),
                    float(self.visits[index, gain]),
                    float(self.disagreement[index, gain]),
                    float(self.cost[index, gain]),
                )
                for gain in np.flatnonzero(self.visits[index])
            ]
        return found

    def top(self, limit: int = 100, progress: Progress | None = None) -> list[Row]:
        """Return the rows that cost most: chance of coming up times cost, highest first."""
        game = self.duel.game
        weights = (self.visits * self.cost).sum(axis=1)
        # Of rows that cost the same, those that stand first in the order of states are kept.
        heap: list[tuple[float, tuple[int, ...], tuple[int, int, tuple[int, ...]]]] = []
        order = [i for i in np.argsort(-weights[1:], kind="stable") + 1 if weights[i] > 0]
        for done, index in enumerate(order):
            least = heap[0][0] if len(heap) == limit else 0.0
            if weights[index] < least:
                continue
            rolls = self._search(int(index), least, limit)
            for cost, place in rolls:
                item = (cost, tuple(-n for n in (*place[:2], *place[2])), place)
                if len(heap) < limit:
                    heapq.heappush(heap, item)
                else:
                    heapq.heappushpop(heap, item)
            if progress:
                progress((done + 1) / len(order))
        ranked = sorted(heap, key=lambda item: (-item[0], item[2]))
        return [
            self._row(index, gain, _roll_at(game, game.pools[index], numbers)) for _, _, (index, gain, numbers) in ranked
        ]

    def rows(self) -> Iterator[Row]:
        """Yield every disagreement, state by state; nothing but one pool's rolls is ever held in memory."""
        game = self.duel.game
        for index in range(len(game.pools) - 1, 0, -1):
            if not (self.visits[index] * self.disagreement[index]).any():
                continue
            for _, (_, gain, numbers) in self._stream(index):
                yield self._row(index, gain, _roll_at(game, game.pools[index], numbers))

    def count_rows(self) -> int:
        """Count the disagreements that `rows` yields."""
        return sum(
            self._walk(index, 0.0, 0, 0).found
            for index in range(1, len(self.duel.game.pools))
            if (self.visits[index] * self.disagreement[index]).any()
        )

    def _walk(self, index: int, least: float, capacity: int, skip: int) -> _Found:
        from ..pool import kernel as pool_kernel

        game = self.duel.game
        state = pool.state(game, index)
        # No roll costs more than all rolls of its column together, but for rounding.
        visits = self.visits[index]
        here = np.flatnonzero((visits > 0) & (visits * (self.cost[index] + ROUNDING) >= least))
        if len(here) == 0:
            return _Found(0, here, here.reshape(0, len(state.kinds)), here, state.kinds)
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        columns = self.values.shape[1]
        expected = evaluate.expected_rows(self.duel, columns)
        tables = np.stack([expected, expected, self.values, self.values])
        lists = [tuple(map(np.array, game.best_gains(k, game.pools[index][k]))) for k in state.kinds]
        tops = np.zeros((len(lists), max(len(w) for _, w in lists), max(t.shape[1] for t, _ in lists)), np.int64)
        weights = np.zeros(tops.shape[:2])
        for k, (top, weight) in enumerate(lists):
            tops[k, : top.shape[0], : top.shape[1]] = top
            weights[k, : len(weight)] = weight
        found, gains, numbers, costs = pool_kernel.walk(
            tables, evaluate.ranks(game)[index], state.subs, state.counts, np.array([len(w) for _, w in lists]), tops,
            weights, state.wider, begin, width, self.visits[index, begin : begin + width], least, capacity, skip,
        )  # fmt: skip
        return _Found(int(found), gains, numbers, costs, state.kinds)

    def _search(self, index: int, least: float, limit: int) -> list[tuple[float, tuple[int, int, tuple[int, ...]]]]:
        capacity = 1 << 16
        while True:
            # The kernel wants more than a bound, and rows that cost just as much count too.
            found = self._walk(index, float(np.nextafter(least, 0.0)), capacity, 0)
            keys = list(found.keys(index))
            if found.found <= capacity:
                return keys
            # More than there is room for: the best of these say what is worth looking for.
            least = max(least, sorted((key[0] for key in keys), reverse=True)[: limit + 1][-1])
            capacity *= 2

    def _stream(self, index: int) -> Iterator[tuple[float, tuple[int, int, tuple[int, ...]]]]:
        capacity, skip = 1 << 16, 0
        while True:
            found = self._walk(index, 0.0, capacity, skip)
            yield from found.keys(index)
            skip += capacity
            if found.found <= skip:
                return

    def _row(self, index: int, gain: int, roll: Roll) -> Row:
        game = self.duel.game
        left = game.pools[index]
        banked = game.worst(game.banked_dice(left)) + game.sign * gain
        ranked = ranking.rank(self.duel, roll, banked, win=self._win)
        by_score, by_win = ranked.moves[ranked.best_for_score], ranked.moves[ranked.best_for_win]
        ties = sum(abs(move.expected_score - by_score.expected_score) <= ranking.TIED for move in ranked.moves)
        chance = dice.weight(roll) / game.count_ways(left)
        return Row(
            left, banked, roll, by_score.keep, by_win.keep, float(self.visits[index, gain]) * chance,
            by_win.win_probability - by_score.win_probability, by_score.win_probability, by_win.win_probability,
            by_score.expected_score, by_win.expected_score, ties > 1,
        )  # fmt: skip

    def _win(self, left: tuple[int, ...], banked: int) -> float:
        game = self.duel.game
        gain = game.sign * (banked - game.worst(game.banked_dice(left)))
        return float(self.values[game.pool_index(left), gain])


class _Found(NamedTuple):
    found: int
    gains: Any
    numbers: Any  # [row, kind]: which roll of each kind, in the order of `kinds`
    costs: Any
    kinds: tuple[int, ...]

    def keys(self, index: int) -> Iterator[tuple[float, tuple[int, int, tuple[int, ...]]]]:
        for row in range(len(self.gains)):
            by_kind = dict(zip(self.kinds, (int(n) for n in self.numbers[row]), strict=True))
            yield float(self.costs[row]), (index, int(self.gains[row]), tuple(by_kind[k] for k in sorted(by_kind)))


def _roll_at(game: PoolGame, left: tuple[int, ...], numbers: tuple[int, ...]) -> Roll:
    """Find a roll by its number for each kind of die that is left."""
    places = iter(numbers)
    return tuple(dice.nth_roll(die, n, next(places)) if n else () for n, die in zip(left, game.kinds, strict=True))


def between(duel: Duel, target: int | None = None, values: Array | None = None) -> Diff:
    """Compare win and score along the play of the score-maximiser, first or second against a target.

    `values[pool, gain banked]` are the chances to win where the opponent is another one than the best.
    """
    game = duel.game
    if values is None:
        values = duel.gain_first if target is None else evaluate.second_values(duel, target)
    columns = game.gain(game.counts) + 1
    visits = evaluate.visits(duel, Score(duel))
    expected = evaluate.expected_rows(duel, columns)
    tables = np.stack([expected, expected, values, values])
    disagreement, cost = np.zeros((2, len(game.pools), columns))
    for state in pool.states(game):
        here = np.flatnonzero(visits[state.place])
        if len(here) == 0:
            continue
        begin, end = int(here[0]), int(here[-1]) + 1
        best, taken, differ = evaluate.follow(game, state, tables, begin, end - begin, ceiling=True).reports
        there = visits[state.place, begin:end] > 0
        disagreement[state.place, begin:end] = np.where(there, differ, 0.0)
        cost[state.place, begin:end] = np.where(there, np.maximum(best - taken, 0.0), 0.0)
    return Diff(duel, target, visits, disagreement, cost, values)


def by_target(duel: Duel) -> list[tuple[int, Summary]]:
    """Return the summary of the second player's game against every score that the first can make, lowest first."""
    game = duel.game
    most = game.gain(game.counts)
    visits = evaluate.visits(duel, Score(duel))
    # Columns are gain banked less gain wanted, so that one pass serves all targets; settled ones cost nothing.
    expected = evaluate.expected_rows(duel, 2 * most + 1, most)
    tables = np.stack([expected, expected, duel.gain_second, duel.gain_second])
    reports = np.zeros((2, len(game.pools), 2 * most + 1))
    for state in pool.states(game):
        begin, end = most - state.gain, most + 1
        best, taken, differ = evaluate.follow(game, state, tables, begin, end - begin, ceiling=True).reports
        reports[0, state.place, begin:end] = differ
        reports[1, state.place, begin:end] = np.maximum(best - taken, 0.0)
    found = []
    for score in game.scores():
        wanted = abs(score - game.worst(game.counts))
        played = visits[1:]
        differ, cost = np.where(played > 0, reports[:, 1:, most - wanted : 2 * most - wanted + 1], 0.0)
        found.append((
            score,
            Summary(
                float(played.sum()), float((played * differ).sum()), float((played * cost).sum()),
                float(differ[-1, 0]),
            ),
        ))  # fmt: skip
    return found


def second_seat(duel: Duel, made: Array) -> Summary:
    """Return the summary of the second player's game against a first who makes each score with chance made[gain]."""
    worst = duel.game.worst(duel.game.counts)
    weighted = [(float(made[abs(score - worst)]), figures) for score, figures in by_target(duel)]
    return Summary(*(sum(chance * figures[place] for chance, figures in weighted) for place in range(4)))


def of_policies(
    duel: Duel, one: Policy, other: Policy, target: int | None = None
) -> Iterator[tuple[Position, Roll, Roll, Roll, float]]:
    """Yield every roll on the way of one policy at which another keeps something else, with the chance of it."""
    game = duel.game
    visits = evaluate.visits(duel, one, target)
    for index in range(len(game.pools) - 1, 0, -1):
        left = game.pools[index]
        worst = game.worst(game.banked_dice(left))
        for gain in np.flatnonzero(visits[index]):
            position = Position(left, worst + game.sign * int(gain), target)
            for roll, weight in game.rolls(State(left, position.banked)):
                kept, instead = one(position, roll), other(position, roll)
                if kept != instead:
                    yield position, roll, kept, instead, float(visits[index, gain]) * weight / game.count_ways(left)
