"""Where two ways to play part in a game of scores: how often, at which rolls, at what cost.

Both are compared along the play of the first, P, from one seat against one opponent. A move is worth what the second way,
Q, makes of it afterwards; a disagreement is a decision at which the two moves are worth something else, by more than 1e-9.
What all of them cost together is exactly what Q wins more than P against the same opponent:

    value(Q) - value(P) = sum over decisions of P's play of W_Q(after Q's move) - W_Q(after P's move)

Where Q is the best play and P is given by values, the family compares all rolls of a place at once (`Space.follow`,
`Space.find`); else both say where every roll leads (`ScoringPolicy.taken`), and the rolls at which they part are listed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array, DifferenceRow, Move, Plain, order
from ..columns import Parting, chase_means, parting
from ..differences import Difference, Summary, Table
from ..policies import ByValues, Score, ScoringPolicy, Solved, win_worths
from ..progress import Progress, part
from ..space import expected_rows
from ..ties import DISAGREE, TIED

CAPACITY = 1 << 16
"""How many rolls of one place are listed at once."""


class Ways(NamedTuple):
    """The two ways to play, and in which seat: `worth[outcome]` is what a final score is worth there."""

    policy: ScoringPolicy
    to: ScoringPolicy
    worth: Array
    target: Any = None


class Parted(NamedTuple):
    """The rolls of one place at which two ways part: columns, places of the rolls in `Space.numbers`, and costs."""

    columns: Any
    rolls: Any
    costs: Array


@dataclass(eq=False, repr=False)
class DuelDifference(Difference):
    """Where two ways part from one seat: the first, or the second against a target.

    Arrays by [place, column]: `visits`, the chance that P is there; `disagreement`, the chance that a roll there is one;
    `cost`, what a roll there costs on average; `values`, what Q makes of a position.
    """

    solved: Solved
    ways: Ways
    visits: Array
    disagreement: Array
    cost: Array
    values: Array
    expected_score_lost: float
    listed: dict[int, Parted] | None
    """The rolls at which the ways part, by place; None where the family finds them (`Space.find`)."""
    aim: str = "win"
    where: str = ""
    """The seat in words, where the match is not that of two in turn."""

    @property
    def groups(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("place",) if self.where or self.aim != "win" else ("place", "target")

    @property
    def game(self) -> Any:
        return self.solved.game

    @property
    def notation(self) -> Any:  # type: ignore[override]
        return self.solved.notation

    @property
    def policy(self) -> str:  # type: ignore[override]
        return self.ways.policy.name

    @property
    def to(self) -> str:  # type: ignore[override]
        return self.ways.to.name

    @property
    def target(self) -> Any:
        return self.ways.target

    @property
    def seat(self) -> str:  # type: ignore[override]
        if self.where or self.aim != "win":
            return self.where or "alone"
        return "first player" if self.target is None else f"second player against {self.target}"

    @property
    def summary(self) -> Summary:
        space = self.solved.space
        here = np.sort(space.order)
        played = self.visits[here]
        return Summary(
            float(played.sum()),
            float((played * self.disagreement[here]).sum()),
            float((played * self.cost[here]).sum()),
            float(self.disagreement[space.start, 0]),
            self.expected_score_lost,
        )

    def places(self) -> list[Plain]:
        """List every position before a roll that P can come to, the start first."""
        space, notation = self.solved.space, self.notation
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
        if group == "target" and group in self.groups:
            rows = rows_by_target(self.solved, self.ways.policy, self.ways.to)
            return ("target", *Summary._fields), rows
        return super().by(group)

    @cached_property
    def _places(self) -> list[int]:
        """The unfinished places, the last in order of number first."""
        return sorted(self.solved.space.order, reverse=True)

    @cached_property
    def _tables(self) -> Array:
        rows = expected_rows(self.solved.space, self.solved.gain_expected, self.solved.space.solo)
        chosen = _chosen_rows(self.ways.policy)
        return np.stack([rows if chosen is None else chosen, rows, self.values, self.values])

    def top(self, limit: int = 100, progress: Progress | None = None) -> list[DifferenceRow]:
        if limit < 0:
            raise ValueError(f"limit is {limit}: give 0 or more")
        weights = (self.visits * np.maximum(self.cost, 0.0)).sum(axis=1)
        if self.listed is not None:  # what is won at some rolls hides what is lost at others
            weights = np.array([np.inf if place in self.listed else 0.0 for place in range(len(weights))])
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
                found = self._find(place, None, CAPACITY, skip)
                for _, gain, number in found[1]:
                    yield self._row(place, gain, number)
                skip += CAPACITY
                if found[0] <= skip:
                    break

    def count_rows(self) -> int:
        """Count the disagreements that `rows` yields."""
        return sum(self._find(place, None, 0, 0)[0] for place in self._parted)

    @property
    def _parted(self) -> list[int]:
        return [place for place in self._places if (self.visits[place] * self.disagreement[place]).any()]

    def _find(
        self, place: int, least: float | None, capacity: int, skip: int
    ) -> tuple[int, list[tuple[float, int, Any]]]:
        """Find the rolls of a place, of at least so much weighted cost: how many, and (weighted cost, gain, number) of some.

        Without a least they are all found, those that cost less than nothing too.
        """
        space = self.solved.space
        if self.listed is None:
            found = space.find(
                place, self._tables, self.visits[place], self.cost[place], 0.0 if least is None else least, capacity, skip
            )
            return found.found, found.keys
        if place not in self.listed:
            return 0, []
        numbers, chances = space.numbers(place)
        columns, rolls, costs = self.listed[place]
        weighted = self.visits[place, columns] * chances[rolls] * costs
        here = np.flatnonzero(weighted != 0.0 if least is None else (weighted > 0.0) & (weighted >= least))
        keys = [
            (float(weighted[row]), int(columns[row]), numbers[int(rolls[row])]) for row in here[skip : skip + capacity]
        ]
        return len(here), keys

    def _search(self, place: int, least: float, limit: int) -> list[tuple[float, tuple[int, int, Any]]]:
        capacity = CAPACITY
        while True:
            # The search wants more than a bound, and rows that cost just as much count too.
            found, keys = self._find(place, float(np.nextafter(least, 0.0)), capacity, 0)
            if found <= capacity:
                return [(cost, (place, gain, number)) for cost, gain, number in keys]
            # More than there is room for: the best of these say what is worth looking for.
            least = max(least, sorted((key[0] for key in keys), reverse=True)[: limit + 1][-1])
            capacity *= 2

    def _row(self, place: int, gain: int, number: Any) -> DifferenceRow:
        solved, space = self.solved, self.solved.space
        state, roll = space.state(place, gain), space.roll(place, number)
        moves = solved.rank_state(state, roll, values=self.values)
        position = space.position(place, gain, self.target)

        def taken(policy: ScoringPolicy) -> Move:
            if isinstance(policy, ByValues) and policy.values is self.values:
                return order(moves, win_worths(space.sign), self.notation.preference)[0]
            keep = policy(position, roll)
            return next(move for move in moves if move.keep == keep)

        one, other = taken(self.ways.policy), taken(self.ways.to)
        ties = sum(abs(move.expected_score - one.expected_score) <= TIED for move in moves)
        chance = float(self.visits[place, space.column(gain)]) * space.roll_chance(place, roll)
        cost = other.win_probability - one.win_probability
        return DifferenceRow(state, roll, one, other, chance, cost, ties > 1)


class SeatDifference(Difference):
    """Where two ways part for the second player, as the mean over the targets that the first makes."""

    groups = ("target",)

    def __init__(
        self, solved: Solved, seat: str, ways: tuple[str, str], summary: Summary, by_target: list[Plain]
    ) -> None:
        self.game, self.notation = solved.game, solved.notation
        self.policy, self.to = ways
        self.seat, self.found, self.targets = seat, summary, by_target

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


def _chosen_rows(policy: ScoringPolicy) -> Array | None:
    """Return the rows that a policy maximises, None for the expected outcome."""
    return policy.values if isinstance(policy, ByValues) else None


def between(
    solved: Solved, ways: Ways, best: Array, *, aim: str = "win", where: str = "", force: bool = False,
    progress: Progress | None = None,
) -> DuelDifference:  # fmt: skip
    """Compare two ways to play along the play of the first; `best` are the rows of the best play in that seat."""
    space, (policy, to, worth, target) = solved.space, ways
    visits = policy.visits(solved, target, force=force, progress=part(progress, 0.0, 0.3))
    made = space.made(visits)
    finished = np.sort(space.order)
    if _by_values(solved, policy) and _is_best(solved, to, best):
        values, listed = best, None

        def window(place: int) -> tuple[int, int]:
            here = np.flatnonzero(visits[place])
            return (int(here[0]), int(here[-1]) + 1) if len(here) else (0, 0)

        found = parting(space, _chosen_rows(policy), values, solved.gain_expected, space.solo, window)
        disagreement, cost = (np.where(visits > 0, figures, 0.0) for figures in found)
    else:
        values = to.comes_to(solved, space.ends(worth), target, force=force, progress=part(progress, 0.3, 0.6))
        (disagreement, cost), listed = _compare(solved, ways, visits, values, part(progress, 0.6, 1.0))
    assert np.isfinite(visits[finished]).all()
    mean = float(space.points @ (space.made(to.visits(solved, target, force=force)) - made))
    return DuelDifference(solved, ways, visits, disagreement, cost, values, mean, listed, aim, where)


def _by_values(solved: Solved, policy: ScoringPolicy) -> bool:
    """Tell whether a policy maximises rows of the family's own space."""
    return isinstance(policy, Score) or (isinstance(policy, ByValues) and policy.space is solved.space)


def _is_best(solved: Solved, policy: ScoringPolicy, best: Array) -> bool:
    return isinstance(policy, ByValues) and policy.values is best and policy.space is solved.space


def _compare(
    solved: Solved, ways: Ways, visits: Array, values: Array, progress: Progress | None
) -> tuple[Parting, dict[int, Parted]]:
    """Compare roll by roll; return by place and column how often and how dearly they part, and the rolls at which."""
    space = solved.space
    disagreement, cost = np.zeros((2, space.places, len(space.solo)))
    listed: dict[int, Parted] = {}
    for done, place in enumerate(space.order, 1):
        here = np.flatnonzero(visits[place])
        if not len(here):
            continue
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        columns = begin + np.arange(width)
        worth = []
        for policy in (ways.to, ways.policy):
            after, gains = policy.taken(solved, place, begin, width, ways.target)
            worth.append(values[after, columns + gains] if space.solo.shifts else values[after, columns])
        apart = np.where(visits[place, columns] > 0, worth[0] - worth[1], 0.0)
        parted = np.abs(apart) > DISAGREE
        _, chances = space.numbers(place)
        disagreement[place, columns] = chances @ parted
        cost[place, columns] = chances @ np.where(parted, apart, 0.0)
        column, roll = np.nonzero(parted.T)
        if len(roll):
            listed[place] = Parted((begin + column).astype(np.int32), roll.astype(np.int32), apart[roll, column])
        if progress:
            progress(done / len(space.order))
    return Parting(disagreement, cost), listed


# The second player, by target.


def by_target(
    solved: Solved, policy: ScoringPolicy | None = None, to: ScoringPolicy | None = None, *, force: bool = False,
    progress: Progress | None = None,
) -> list[tuple[Any, Summary]]:  # fmt: skip
    """Return the summary of the second player's game against every score that the first can make, lowest first."""
    space = solved.space
    if (policy is None or isinstance(policy, Score)) and (to is None or to.name == "win"):
        return _best_by_target(solved)
    found = []
    outcomes = space.attained[:: space.sign]
    for done, outcome in enumerate(outcomes, 1):
        target = space.outcomes[outcome].item()
        difference = against_target(solved, policy or Score(solved), to, target, force=force)
        found.append((target, difference.summary))
        if progress:
            progress(done / len(outcomes))
    return found


def against_target(
    solved: Solved, policy: ScoringPolicy, to: ScoringPolicy | None, target: Any, *, force: bool = False,
    progress: Progress | None = None,
) -> DuelDifference:  # fmt: skip
    """Compare two ways of the second player against a target; `to` is the best play if it is not said, or is named so."""
    space, best = solved.space, solved.against(target)
    over = np.arange(len(space.outcomes)) - (space.outcome(target) or 0)
    worth = np.where(over > 0, 1.0, np.where(over == 0, solved.tie_worth, 0.0))
    one, other = (_in_seat(solved, way, best) for way in (policy, to))
    return between(solved, Ways(one, other, worth, target), best, force=force, progress=progress)


def _in_seat(solved: Solved, policy: ScoringPolicy | None, best: Array) -> ScoringPolicy:
    """Return a policy as it plays in a seat in which these are the values of the best play."""
    return ByValues(solved, "win", best) if policy is None or policy.name == "win" else policy


def _best_by_target(solved: Solved) -> list[tuple[Any, Summary]]:
    """Compare the play for points with the best play: one pass serves all targets, settled columns cost nothing."""
    space, score = solved.space, Score(solved)
    visits = score.visits(solved)
    every = parting(
        space, None, solved.gain_second, solved.gain_expected, space.chase, lambda place: space.live(place, space.chase)
    )
    found, most = [], len(space.outcomes) - 1
    unfinished = np.sort(space.order)
    played, start = visits[unfinished], int(np.searchsorted(unfinished, space.start))
    mean = float(space.points @ space.made(visits))
    means = chase_means(space, solved.gain_second, solved.gain_expected)
    for outcome in space.attained[:: space.sign]:
        if space.chase.shifts:
            here = Parting(*(part[:, most - outcome : 2 * most - outcome + 1] for part in every))
        else:
            here = Parting(*(part[:, outcome : outcome + 1] for part in every))
        differ, cost = np.where(played > 0, np.stack(here)[:, unfinished], 0.0)
        target = space.outcomes[outcome].item()
        lost = float(means[outcome]) - mean
        summary = Summary(
            float(played.sum()), float((played * differ).sum()), float((played * cost).sum()), float(differ[start, 0]), lost
        )
        found.append((target, summary))
    return found


def rows_by_target(
    solved: Solved, policy: ScoringPolicy | None = None, to: ScoringPolicy | None = None, **how: Any
) -> list[Plain]:
    """Return `by_target` as plain data."""
    return [{"target": target, **figures._asdict()} for target, figures in by_target(solved, policy, to, **how)]


def second_seat(
    solved: Solved, opponent: ScoringPolicy, policy: ScoringPolicy | None = None, to: ScoringPolicy | None = None,
    **how: Any,
) -> SeatDifference:  # fmt: skip
    """Sum up the second player's game against a first who plays a policy; its rows are by target."""
    made = solved.made(opponent)
    listed = {
        score: [(float(made[solved.space.outcome(score)]), figures)]
        for score, figures in by_target(solved, policy, to, **how)
    }
    names = (policy.name if policy else "score", to.name if to else "win")
    return on_average(solved, f"second player against a first who plays {opponent.name}", names, listed)


def on_average(
    solved: Solved, seat: str, ways: tuple[str, str], listed: dict[Any, list[tuple[float, Summary]]]
) -> SeatDifference:
    """Sum up summaries by target, each with its chance; a target with several shows their mean."""
    rows, total = [], np.zeros(len(Summary._fields))
    for score, parts in listed.items():
        chances, figures = np.array([chance for chance, _ in parts]), np.array([list(one) for _, one in parts], float)
        total += chances @ figures
        mean = figures[0] if len(parts) == 1 else chances @ figures / chances.sum()
        rows.append({"target": score, **Summary(*mean.tolist())._asdict()})
    return SeatDifference(solved, seat, ways, Summary(*total.tolist()), rows)
