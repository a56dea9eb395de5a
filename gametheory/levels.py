"""Scoring games as solvers see them: levels of places, and what the columns of a row count.

A *place* stands for a state but for its points, in *levels* of places that do not lead to each other; a *row* is what one
place is worth, by column. Final scores are counted as *outcomes*, worst first: where points add up an outcome is a gain,
the points above the worst score. What the columns of a row count, a type says, for it decides what shifts (`Columns`):

    banked    the gain that is banked already                    one solve for one payoff of the final score
    needed    gain banked less gain of the target, shifted by
              the most gain there is                             one solve for every target
    held      one column: states hold their points themselves    one payoff
    target    the outcome of the target; nothing shifts          every target
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .aims import Aim
from .answers import Array, Plain

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Columns:
    """What the columns of a row count; `gain[c]` is what column c already holds of the outcome, 0 where states do.

    A range is written out when it is asked for: a game may be far too large for it, which `check_size` says first.
    """

    counted: str
    held: Places | range

    @cached_property
    def gain(self) -> Places:
        return np.asarray(self.held)

    @property
    def shifts(self) -> bool:
        """Whether a move leads to another column."""
        return self.counted in ("banked", "needed")

    def __len__(self) -> int:
        return len(self.held)


@dataclass
class Rows:
    """Solved rows [place, column], a bound on their error, and how much a kernel had to do for them."""

    values: Array
    error_bound: float = 0.0
    work: int = 0


class Node(NamedTuple):
    """One place through the plain rules: its rolls with their chances, and the moves of all rolls one after the other."""

    rolls: tuple[Any, ...]
    weights: Array
    begins: Places  # by roll: where its moves begin
    keeps: tuple[Any, ...]
    after: Places  # by move: the place it leads to
    gains: Places  # by move: what it adds to the column
    points: tuple[Any, ...]

    @property
    def chances(self) -> Array:
        """The chance of each roll."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def sizes(self) -> Places:
        """How many moves each roll has."""
        return np.diff(self.begins, append=len(self.keeps))

    @property
    def roll_of(self) -> Places:
        """The roll that each move belongs to."""
        return np.repeat(np.arange(len(self.rolls)), self.sizes)

    def span(self, roll: int) -> range:
        """Return the places of the moves of one roll."""
        begin = int(self.begins[roll])
        return range(begin, begin + int(self.sizes[roll]))


class Estimate(NamedTuple):
    """What a solve will take, roughly: work in steps of the family's own, seconds, and bytes of memory."""

    work: float
    seconds: float
    memory: float


class Found(NamedTuple):
    """Rolls of a place at which two ways to play part: how many there are, and (weighted cost, gain, number) of some."""

    found: int
    keys: list[tuple[float, int, Any]]


Steps = dict[int, tuple[Any, Any, Any]]
"""By place: where a policy's rolls lead, as arrays of places after, gains and chances."""

Player = Callable[["np.random.Generator", Any], Any]
"""Plays one game for each entry: from the outcomes of the targets (-1: none, playing first) to the outcomes made."""


class Levels(ABC):
    """The places of a scoring game and the columns of its rows.

    To be set: `game`, `outcomes`, `levels`, `solo` and `chase` columns, `at` and `state`.
    """

    game: Any
    outcomes: npt.NDArray[Any]
    """The final score of each outcome, worst first."""
    levels: Sequence[Sequence[int]]
    """The places that are not finished, level by level; each leads to earlier ones and to finished ones only."""
    finished: Places
    """The places of finished states."""
    final: Places
    """Where states hold their points: the outcome of each finished place."""
    start: int
    """The place of the start, which stands at column 0."""
    solo: Columns
    """The columns for one payoff of the final score."""
    chase: Columns
    """The columns for every target at once."""
    level_noun: str = "rolls to come, at most"
    """What the number of a level counts, from 1 on."""
    looks: tuple[str, ...] = ("banked", "target")
    """What a policy may look at beside the dice: see `Policy.ignores`."""

    # States.

    @abstractmethod
    def at(self, state: Any) -> tuple[int, int]:
        """Return the place of a state and the gain it has banked; refuse a state that cannot be reached."""

    @abstractmethod
    def state(self, place: int, gain: int) -> Any:
        """Return the state of a place with a gain banked."""

    @abstractmethod
    def position(self, place: int, gain: int, target: Any) -> Any:
        """Return what a policy is told: the state, and the score to beat (None for the first player)."""

    @abstractmethod
    def told(self, position: Any) -> Any:
        """Return the state of what a policy is told."""

    def calls(self) -> float:
        """Return how many rolls of positions there are: how often a policy may have to be asked."""
        return float(sum(len(self.node(place).rolls) for place in self.order) * len(self.solo))

    def sensible(self, state: Any, roll: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the moves that a player who wants points, or to win, considers: all of them if nothing better is known."""
        yield from self.game.moves(state, roll)

    @property
    def sign(self) -> int:
        """1 where a higher score is better, -1 where a lower one is."""
        return 1 if self.game.higher_wins else -1

    @cached_property
    def points(self) -> Array:
        """By outcome: how many points it is better than the worst."""
        return np.asarray(np.abs(self.outcomes - self.outcomes[0]))

    @cached_property
    def attained(self) -> list[int]:
        """The outcomes that can be made, worst first."""
        return list(range(len(self.outcomes)))

    @cached_property
    def places(self) -> int:
        """How many places there are."""
        return len(self.finished) + sum(map(len, self.levels))

    @cached_property
    def order(self) -> list[int]:
        """The unfinished places, those nearest to the end first."""
        return [place for level in self.levels for place in level]

    @cached_property
    def onward(self) -> list[int]:
        """The unfinished places, those nearest to the start first, those of one level in their order."""
        return [place for level in reversed(self.levels) for place in level]

    def outcome(self, score: Any) -> int | None:
        """Return the outcome of a final score, None where it has none; where points add up, all in the range have one."""
        if self.solo.shifts:
            gain = self.sign * (score - self.outcomes[0].item())
            return int(gain) if gain in range(len(self.outcomes)) else None
        found = np.flatnonzero(self.outcomes == score)
        return int(found[0]) if len(found) and int(found[0]) in self.attained else None

    def node(self, place: int) -> Node:
        """Read the rolls and the moves of a place out of the plain rules."""
        known = self._nodes.get(place)
        if known is None:
            known = self._nodes[place] = self._read(place)
        return known

    @cached_property
    def _nodes(self) -> dict[int, Node]:
        return {}

    def _read(self, place: int) -> Node:
        state = self.state(place, 0)
        _, before = self.at(state)
        rolls: list[Any] = []
        keeps: list[Any] = []
        points: list[Any] = []
        weights, begins, after, gains = [], [], [], []
        for roll, weight in self.game.rolls(state):
            rolls.append(roll)
            weights.append(weight)
            begins.append(len(keeps))
            for keep, then, gained in self.game.moves(state, roll):
                there, gain = self.at(then)
                keeps.append(keep)
                after.append(there)
                gains.append(gain - before)
                points.append(gained)
        arrays = (np.array(part, np.int64) for part in (begins, after, gains))
        begin, where, shift = arrays
        return Node(tuple(rolls), np.array(weights, float), begin, tuple(keeps), where, shift, tuple(points))

    @cached_property
    def most_gains(self) -> Places:
        """By place: the most gain that can still be made there."""
        most = np.zeros(self.places, np.int64)
        for place in self.order:
            node = self.node(place)
            most[place] = (node.gains + most[node.after]).max()
        return most

    @abstractmethod
    def base(self, place: int) -> int:
        """Return the points that a place has banked at gain 0."""

    @abstractmethod
    def banked_scores(self, place: int) -> Sequence[int]:
        """Return every number of points that can be banked at a place."""

    def column(self, gain: int) -> int:
        """Return the solo column of a gain banked: the only one where states hold their points."""
        return gain if self.solo.shifts else 0

    def gains_at(self, place: int) -> Sequence[int]:
        """Return the gains that can be banked at a place; 0 where states hold their points."""
        if not self.solo.shifts:
            return [0]
        base = self.base(place)
        return sorted(self.sign * (points - base) for points in self.banked_scores(place))

    def reader(self, rows: Array) -> Callable[[Any], float]:
        """Return rows by place and solo column as a function of the state."""

        def read(state: Any) -> float:
            place, gain = self.at(state)
            return float(rows[place, self.column(gain)])

        return read

    def live(self, place: int, columns: Columns) -> tuple[int, int]:
        """Return the columns (from, to) in which a place is not settled: beyond them it is lost, or won."""
        if columns.counted != "needed":
            return 0, len(columns)
        most = len(self.outcomes) - 1
        return most - int(self.most_gains[place]), most + 1

    # Payoffs.

    def payoff(self, aim: Aim) -> Array:
        """Return what each outcome is worth by an aim; one that no score has takes the worth of the next lower."""
        reached = np.array(self.attained)
        scores = self.outcomes[reached][:: self.sign]
        found = aim.payoff(scores.tolist(), self.sign)[:: self.sign]
        places = np.searchsorted(reached, np.arange(len(self.outcomes)), "right") - 1
        return np.asarray(found[np.maximum(places, 0)])

    def ends(self, payoff: Array) -> Array:
        """Return the rows of the finished places for a payoff by outcome."""
        return payoff[None] if self.solo.shifts else payoff[self.final][:, None]

    def chase_ends(self, win: float, tie: float) -> Array:
        """Return the rows of the finished places for every target: worth `win` above it, `tie` at it, 0 below."""
        over = self.chase.gain[None] if self.chase.shifts else self.final[:, None] - np.arange(len(self.chase))
        return np.where(over > 0, win, np.where(over == 0, tie, 0.0))

    def by_target(self, row: Array) -> Array:
        """Return a row of the start, which is by column of a chase, by the target's outcome."""
        return row[..., : len(self.outcomes)][..., ::-1] if self.chase.shifts else row

    def against(self, rows: Array, target: Any) -> Array | None:
        """Return the rows against one target by solo columns, out of those against every target; None if not among them."""
        wanted = self.outcome(target)
        if wanted is None:
            return None
        if not self.chase.shifts:
            return rows[:, wanted : wanted + 1]
        most = len(self.outcomes) - 1
        return rows[:, most - wanted : 2 * most - wanted + 1]

    def made(self, visits: Array) -> Array:
        """Return the chance of each outcome, given those to pass through every place and solo column."""
        if self.solo.shifts:
            return np.asarray(visits[self.finished[0]], float)
        return np.bincount(self.final, visits[self.finished, 0], len(self.outcomes)).astype(np.float64)

    # Keeping and checking.

    @property
    @abstractmethod
    def axes(self) -> Plain:
        """The labels along each named axis of a table."""

    @abstractmethod
    def expected_score(self, table: Any, state: Any) -> float:
        """Return the expected final score of a state, out of the table as it is stored."""

    def pack_expected(self, expected: Array) -> tuple[tuple[str, ...], Any]:
        """Return the table of expected scores as it is stored, with the names of its axes."""
        blank = np.full((self.places, 1), np.nan)
        return self.pack(expected, np.repeat(blank, len(self.solo), 1), np.repeat(blank, len(self.chase), 1))["expected"]

    @abstractmethod
    def unpack_expected(self, table: Any) -> Array:
        """Return the expected outcome by place beyond what a column holds, out of the table as it is stored."""

    def smooth(self, payoff: Array) -> Array:
        """Return a payoff by outcome as the solver wants it; refuse one that it cannot solve."""
        return payoff

    def check_rows(self, expected: Array, first: Array, second: Array) -> float:
        """Return by how much rows break what holds for all of them: infinity where a value that is needed is no number."""
        return 0.0 if all(np.isfinite(part).all() for part in (expected, first, second)) else float("inf")

    @abstractmethod
    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        """Return the arrays of a table: expected outcome by place, first and second by place and column."""

    @abstractmethod
    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Array, Array, Array]:
        """Return expected, first and second as solvers count them; refuse arrays that do not fit the rules."""
