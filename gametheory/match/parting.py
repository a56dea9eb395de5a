"""Where playing to win and playing for points part in a game for two in turn: how often, at which rolls, at what cost.

Both are compared along the play of the score-maximiser. A disagreement is a decision at which the move it takes is
worse for winning, by more than 1e-9, than the best. What all disagreements of a game cost together is exactly what the
score-maximiser's chance to win falls short of the best one against the same opponent.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..answers import Array, Difference, DifferenceRow, Plain, Policy, Summary, Table, order
from ..columns import Parting, parting
from ..policies import Score, ScoringPolicy, Solved, score_worths, win_worths
from ..progress import Progress
from ..space import expected_rows
from ..ties import TIED

CAPACITY = 1 << 16
"""How many rolls of one place are listed at once."""


@dataclass(eq=False, repr=False)
class DuelDifference(Difference):
    """Where win and score part from one seat: the first, or the second against a target.

    Arrays by [place, column]: `visits`, the chance that the score-maximiser is there; `disagreement`, the chance that
    a roll there is one; `cost`, what a roll there costs on average. `values` are the chances to win.
    """

    duel: Solved
    target: Any
    visits: Array
    disagreement: Array
    cost: Array
    values: Array

    groups = ("place", "target")

    @property
    def game(self) -> Any:
        return self.duel.game

    @property
    def notation(self) -> Any:  # type: ignore[override]
        return self.duel.notation

    @property
    def seat(self) -> str:  # type: ignore[override]
        return "first player" if self.target is None else f"second player against {self.target}"

    @property
    def summary(self) -> Summary:
        space = self.duel.space
        here = np.sort(space.order)
        played = self.visits[here]
        return Summary(
            float(played.sum()),
            float((played * self.disagreement[here]).sum()),
            float((played * self.cost[here]).sum()),
            float(self.disagreement[space.start, 0]),
        )

    def places(self) -> list[Plain]:
        """List every position before a roll that the score-maximiser can come to, the start first."""
        space, notation = self.duel.space, self.notation
        return [
            notation.place(space.state(place, int(gain)))
            | {
                "probability": float(self.visits[place, gain]),
                "disagreement": float(self.disagreement[place, gain]),
                "cost": float(self.cost[place, gain]),
            }
            for place in self._places
            for gain in np.flatnonzero(self.visits[place])
        ]

    def by(self, group: str) -> Table:
        if group == "place":
            return (*self.notation.places, "probability", "disagreement", "cost"), self.places()
        if group == "target":
            return ("target", *Summary._fields), rows_by_target(self.duel)
        return super().by(group)

    @cached_property
    def _places(self) -> list[int]:
        """The unfinished places, the last in order of number first."""
        return sorted(self.duel.space.order, reverse=True)

    @cached_property
    def _tables(self) -> Array:
        rows = expected_rows(self.duel.space, self.duel.gain_expected, self.duel.space.solo)
        return np.stack([rows, rows, self.values, self.values])

    def top(self, limit: int = 100, progress: Progress | None = None) -> list[DifferenceRow]:
        if limit < 0:
            raise ValueError(f"limit is {limit}: give 0 or more")
        weights = (self.visits * self.cost).sum(axis=1)
        # Of rows that cost the same, those that stand first in the order of states are kept.
        heap: list[tuple[float, tuple[int, ...], tuple[int, int, Any]]] = []
        chosen = [int(place) for place in np.argsort(-weights, kind="stable") if weights[place] > 0] if limit else []
        for done, place in enumerate(chosen):
            least = heap[0][0] if len(heap) == limit else 0.0
            if weights[place] < least:
                continue
            for cost, key in self._search(place, least, limit):
                item = (cost, tuple(-n for n in (*key[:2], *np.atleast_1d(key[2]).tolist())), key)
                if len(heap) < limit:
                    heapq.heappush(heap, item)
                else:
                    heapq.heappushpop(heap, item)
            if progress:
                progress((done + 1) / len(chosen))
        ranked = sorted(heap, key=lambda item: (-item[0], item[2]))
        return [self._row(*key) for _, _, key in ranked]

    def rows(self) -> Iterator[DifferenceRow]:
        for place in self._parted:
            skip = 0
            while True:
                found = self._find(place, 0.0, CAPACITY, skip)
                for _, gain, number in found.keys:
                    yield self._row(place, gain, number)
                skip += CAPACITY
                if found.found <= skip:
                    break

    def count_rows(self) -> int:
        """Count the disagreements that `rows` yields."""
        return sum(self._find(place, 0.0, 0, 0).found for place in self._parted)

    @property
    def _parted(self) -> list[int]:
        return [place for place in self._places if (self.visits[place] * self.disagreement[place]).any()]

    def _find(self, place: int, least: float, capacity: int, skip: int) -> Any:
        return self.duel.space.find(
            place, self._tables, self.visits[place], self.cost[place], least, capacity, skip
        )  # fmt: skip

    def _search(self, place: int, least: float, limit: int) -> list[tuple[float, tuple[int, int, Any]]]:
        capacity = CAPACITY
        while True:
            # The search wants more than a bound, and rows that cost just as much count too.
            found = self._find(place, float(np.nextafter(least, 0.0)), capacity, 0)
            if found.found <= capacity:
                return [(cost, (place, gain, number)) for cost, gain, number in found.keys]
            # More than there is room for: the best of these say what is worth looking for.
            least = max(least, sorted((key[0] for key in found.keys), reverse=True)[: limit + 1][-1])
            capacity *= 2

    def _row(self, place: int, gain: int, number: Any) -> DifferenceRow:
        duel, space = self.duel, self.duel.space
        state, roll = space.state(place, gain), space.roll(place, number)
        moves = duel.rank_state(state, roll, values=self.values)
        by_score, by_win = (
            order(moves, worths(space.sign), self.notation.preference)[0] for worths in (score_worths, win_worths)
        )
        ties = sum(abs(move.expected_score - by_score.expected_score) <= TIED for move in moves)
        chance = float(self.visits[place, space.column(gain)]) * space.roll_chance(place, roll)
        cost = by_win.win_probability - by_score.win_probability
        return DifferenceRow(state, roll, by_score, by_win, chance, cost, ties > 1)


class SeatDifference(Difference):
    """Where win and score part for the second player, as the mean over the targets that the first makes."""

    groups = ("target",)

    def __init__(self, duel: Solved, opponent: Policy, summary: Summary, by_target: list[Plain]) -> None:
        self.game, self.notation = duel.game, duel.notation
        self.seat = f"second player against a first who plays {opponent.name}"
        self.found, self.targets = summary, by_target

    @property
    def summary(self) -> Summary:
        return self.found

    def choose_group(self, group: str | None, *, every: bool = False) -> str | None:
        """Add up by target, as there are no single rolls without one."""
        if group not in (None, "target") or every:
            self.by("place")
        return "target"

    def by(self, group: str) -> Table:
        if group != "target":
            raise ValueError("the second player's rolls hang on the target: give --target X, or --by target")
        return ("target", *Summary._fields), self.targets

    def top(self, limit: int = 100, progress: Progress | None = None) -> list[DifferenceRow]:
        raise ValueError("the second player's rolls hang on the target: give --target X, or --by target")

    def rows(self) -> Iterator[DifferenceRow]:
        raise ValueError("the second player's rolls hang on the target: give --target X, or --by target")


def between(duel: Solved, target: Any = None, values: Array | None = None) -> DuelDifference:
    """Compare win and score along the play of the score-maximiser, first or second against a target.

    `values[place, column]` are the chances to win where the opponent is another one than the best.
    """
    space = duel.space
    if values is None:
        values = duel.gain_first if target is None else duel.against(target)
    visits = Score(duel).visits(duel)

    def window(place: int) -> tuple[int, int]:
        here = np.flatnonzero(visits[place])
        return (int(here[0]), int(here[-1]) + 1) if len(here) else (0, 0)

    found = parting(space, values, duel.gain_expected, space.solo, window)
    there = visits > 0
    disagreement, cost = (np.where(there, part, 0.0) for part in found)
    return DuelDifference(duel, target, visits, disagreement, cost, values)


def by_target(duel: Solved) -> list[tuple[Any, Summary]]:
    """Return the summary of the second player's game against every score that the first can make, lowest first."""
    space = duel.space
    visits = Score(duel).visits(duel)
    # One pass serves all targets; settled columns cost nothing.
    every = parting(
        space, duel.gain_second, duel.gain_expected, space.chase, lambda place: space.live(place, space.chase)
    )
    found, most = [], len(space.outcomes) - 1
    unfinished = np.sort(space.order)
    played, start = visits[unfinished], int(np.searchsorted(unfinished, space.start))
    for outcome in space.attained[:: space.sign]:
        if space.chase.shifts:
            here = Parting(*(part[:, most - outcome : 2 * most - outcome + 1] for part in every))
        else:
            here = Parting(*(part[:, outcome : outcome + 1] for part in every))
        differ, cost = np.where(played > 0, np.stack(here)[:, unfinished], 0.0)
        summary = Summary(
            float(played.sum()), float((played * differ).sum()), float((played * cost).sum()), float(differ[start, 0])
        )
        found.append((space.outcomes[outcome].item(), summary))
    return found


def rows_by_target(duel: Solved) -> list[Plain]:
    """Return `by_target` as plain data."""
    return [{"target": target, **figures._asdict()} for target, figures in by_target(duel)]


def second_seat(duel: Solved, opponent: ScoringPolicy) -> SeatDifference:
    """Sum up the second player's game against a first who plays a policy; its rows are by target."""
    made = duel.made(opponent)
    listed = by_target(duel)
    weighted = [(float(made[duel.space.outcome(score)]), figures) for score, figures in listed]
    summary = Summary(*(sum(chance * figures[place] for chance, figures in weighted) for place in range(4)))
    return SeatDifference(duel, opponent, summary, [{"target": score, **figures._asdict()} for score, figures in listed])
