"""Policies in the game for two who roll in turn: exactly, position by position, for games small enough.

A position is (seat to roll, my place, my gain, their place, their gain). Forward, the chance of each follows from the start;
backward, what it is worth to one who follows a policy against another. `win` looks at the lead and at what the other has
left, as `alternating` solves it; all other policies see what they see alone. Of two that look at the dice alone neither
hangs on the other, so that their scores are independent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array, Comparison, DifferenceRow, Distribution, Move, Plain, order
from ..differences import Difference, Summary, Table
from ..policies import ScoringPolicy, win_worths
from ..progress import Progress, part
from ..ties import DISAGREE, TIED
from .scored import Scored
from .solution import Player, seat_number

MOST_POSITIONS = 400_000
"""How many positions are looked at without `force`: a minute or two."""

Position = tuple[int, int, int, int, int]
"""Seat to roll, my place and gain, their place and gain; `mine` is the first player's where nobody rolls any more."""


class Steps(NamedTuple):
    """Where the rolls of a position lead: places after, gains and chances; by roll, or merged."""

    after: Any
    gains: Any
    chances: Array


class Rolled(Scored):
    """A solved game of two who roll in turn, as it is asked about policies."""

    groups = ("place",)
    deals = False
    because = {  # noqa: RUF012
        "chase": "nobody has finished while both roll", "best_answer": "who answers would look at what the other has left",
    }  # fmt: skip

    @abstractmethod
    def moved(self, seat: int, mine: int, theirs: int) -> Array:
        """Return what it is worth to have moved in a seat, by the lead then in gain, the middle being none."""

    def policy(self, chosen: Player) -> ScoringPolicy:
        if isinstance(chosen, str) and chosen == "win":
            return ToWin()
        return self.make_policy(chosen)

    def expected_rows(self, width: int) -> Array:
        """Return the expected outcome by place, and by so many columns of gain."""
        return np.asarray(self.gain_expected[:, None] + np.arange(width))

    def position_value(self, me: int, at: Position) -> float:
        """Return the chance to win of the player in a seat at a position, when both play for it."""
        seat, mine, gain, theirs, other = at
        found = float(self.moved(1 - seat, theirs, mine)[other - gain + len(self.space.outcomes) - 1])
        return 1.0 - found if me == seat else found

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        self.check_distribution(self.game, None, target, seat)
        number = seat_number("first" if seat is None else seat, 2)
        return distribution(self, self.policy(policy), number, force=force, progress=progress)

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        cls.check_diff(game, None if seat is None else str(seat), target)

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        self.check_compare(self.game, None, seat)
        chosen = [self.policy(policy) for policy in policies or self.policy_names(self.game)]
        return compare(self, chosen, force=force, progress=progress)

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        if target is not None:
            raise ValueError(f"--target {target}: who rolls in turn sees no final score, leave --target out")
        seat_number(seat or "first", 2)

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> RollingDifference:  # fmt: skip
        self.check_diff(self.game, seat, target)
        ways = self.policy(policy or "score"), self.policy(to or "win")
        number = seat_number(seat or "first", 2)
        return RollingDifference(self, ways, number, self.policy(against or "win"), force, progress)


class ToWin(ScoringPolicy):
    """Plays to win roll by roll, as the solved match says; see `Rolling`."""

    name = "win"

    def taken(self, solved: Any, place: int, begin: int, width: int, target: Any = None) -> tuple[Any, Any]:
        raise ValueError("win hangs on what the other has: it is asked by Rolling")


class Rolling:
    """Two policies who roll in turn."""

    def __init__(self, solved: Any, first: ScoringPolicy, second: ScoringPolicy, force: bool = False) -> None:
        self.solved, self.space, self.players, self.force = solved, solved.space, (first, second), force
        self.done = int(self.space.finished[0])
        self.known: dict[tuple[Any, ...], Steps] = {}
        self.short: dict[tuple[Any, ...], list[tuple[int, int, float]]] = {}
        self.worth: dict[Position, float] = {}
        if not force and self._count() > MOST_POSITIONS:
            raise ValueError(
                f"{solved.game.name} roll by roll has about {self._count():,} positions, so that policies are followed for "
                f"minutes: take fewer dice, or say --force (force=True)"
            )

    def _count(self) -> int:
        held = sum(len(self.space.gains_at(place)) for place in range(self.space.places))
        return int(held) ** 2

    def steps(self, seat: int, at: Position) -> Steps:
        """Return where every roll of a position leads."""
        _, place, gain, other, theirs = at
        policy = self.players[seat]
        if policy.name == "win":
            key: tuple[Any, ...] = (seat, place, other, gain - theirs)
        else:
            key = (seat, place) if "banked" in policy.ignores else (seat, place, gain)
        if key not in self.known:
            self.known[key] = self._step(policy, seat, at)
        return self.known[key]

    def _step(self, policy: ScoringPolicy, seat: int, at: Position) -> Steps:
        space, place = self.space, at[1]
        if policy.name == "random":
            return Steps(*policy.steps(self.solved, force=self.force)[place])
        _, chances = space.numbers(place)
        if policy.name != "win":
            after, gains = policy.taken(self.solved, place, space.column(at[2]), 1)
        else:
            lead, width = at[2] - at[4], 2 * len(space.outcomes) + 1
            column = lead + width // 2
            rows = self.solved.expected_rows(width)
            after, gains = space.taken(place, np.stack([self._moved(seat, place, at[3], width), rows]), column, 1)
        return Steps(after[:, 0], gains[:, 0], chances)

    def _moved(self, seat: int, place: int, other: int, width: int) -> Array:
        """Return what a move is worth in a seat, by the place after and the lead then, the middle column being none."""
        found = np.full((self.space.places, width), np.nan)
        middle = width // 2
        begin = middle - (len(self.space.outcomes) - 1)
        for after in range(self.space.places):
            if after <= place or after == self.done:
                row = self.solved.moved(seat, after, other)
                found[after, begin : begin + len(row)] = row
        return found

    def merged(self, seat: int, at: Position) -> list[tuple[int, int, float]]:
        """Return the same with what leads to the same taken together."""
        policy = self.players[seat]
        key = (seat, *at[1:4], at[2] - at[4]) if policy.name == "win" else (seat, at[1], at[2])
        if key not in self.short:
            found: dict[tuple[int, int], float] = {}
            steps = self.steps(seat, at)
            for after, gain, chance in zip(*(np.asarray(one).tolist() for one in steps), strict=True):
                found[after, gain] = found.get((after, gain), 0.0) + chance
            self.short[key] = [(after, gain, chance) for (after, gain), chance in found.items()]
        return self.short[key]

    def next(self, at: Position, after: int, gain: int) -> Position:
        """Return the position after a move; when both are done, seen by the first player."""
        seat, _, mine, other, theirs = at
        if other != self.done:
            return 1 - seat, other, theirs, after, mine + gain
        if after != self.done or seat == 0:
            return seat, after, mine + gain, other, theirs
        return 0, other, theirs, after, mine + gain

    def over(self, at: Position) -> bool:
        """Tell whether nobody rolls any more."""
        return at[1] == self.done and at[3] == self.done

    def visits(self, progress: Progress | None = None) -> dict[Position, float]:
        """Return the chance to come to every position, those that are over too."""
        space = self.space
        height = {self.done: 0} | {place: size for size, level in enumerate(space.levels, 1) for place in level}
        most = 2 * len(space.levels)
        waiting: list[dict[Position, float]] = [{} for _ in range(most + 1)]
        waiting[most][0, space.start, 0, space.start, 0] = 1.0
        found: dict[Position, float] = {}
        for level in range(most, -1, -1):
            for at, chance in waiting[level].items():
                found[at] = chance
                if self.over(at):
                    continue
                for after, gain, share in self.merged(at[0], at):
                    then = self.next(at, after, gain)
                    into = waiting[height[then[1]] + height[then[3]]]
                    into[then] = into.get(then, 0.0) + chance * share
            waiting[level] = {}
            if progress:
                progress((most + 1 - level) / (most + 1))
        return found

    def joint(self, progress: Progress | None = None) -> Array:
        """Return the chances of both final scores, [first's outcome, second's]."""
        size = len(self.space.outcomes)
        found = np.zeros((size, size))
        for at, chance in self.visits(progress).items():
            if self.over(at):
                found[at[2], at[4]] += chance
        return found

    def value(self, me: int, at: Position) -> float:
        """Return the chance to win of the player in a seat, at a position of either."""
        if self.players[0].name == self.players[1].name == "win":
            return float(self.solved.position_value(me, at))
        if self.over(at):
            tie = self.solved.tie_worth
            first = 1.0 - tie if at[2] == at[4] else float(at[2] > at[4])
            return first if me == 0 else 1.0 - first
        if at not in self.worth:
            steps = self.merged(at[0], at)
            self.worth[at] = sum(chance * self.value(0, self.next(at, after, gain)) for after, gain, chance in steps)
        return self.worth[at] if me == 0 else 1.0 - self.worth[at]


def made(solved: Any, policy: ScoringPolicy, seat: int, force: bool = False, progress: Progress | None = None) -> Array:
    """Return the chances of the outcomes of a policy in a seat, against one who plays to win."""
    if policy.name != "win" and policy.blind(solved.space):
        return np.asarray(solved.space.made(policy.visits(solved, force=force, progress=progress)))
    players: list[ScoringPolicy] = [ToWin(), ToWin()]
    players[seat] = policy
    return np.asarray(Rolling(solved, players[0], players[1], force).joint(progress).sum(axis=1 - seat))


def compare(
    solved: Any, chosen: Sequence[ScoringPolicy], *, force: bool = False, progress: Progress | None = None
) -> Comparison:
    """Compare policies with one another, each in both seats."""
    size, space = len(chosen), solved.space
    alone = [policy.name != "win" and policy.blind(space) for policy in chosen]
    single = [space.made(one.visits(solved, force=force)) if free else None for one, free in zip(chosen, alone, strict=True)]
    won, tied = np.zeros((2, size, size))
    for number in range(size * size):
        row, column = divmod(number, size)
        share = part(progress, number / size**2, (number + 1) / size**2)
        if alone[row] and alone[column]:
            joint = np.outer(single[row], single[column])  # type: ignore[arg-type]
        else:
            joint = Rolling(solved, chosen[row], chosen[column], force).joint(share)
        won[row, column], tied[row, column] = np.tril(joint, -1).sum(), np.trace(joint)
    names = tuple(policy.name for policy in chosen)
    if progress:
        progress(1.0)
    return Comparison(names, won, tied, np.clip(1.0 - won - tied, 0.0, 1.0), solved.tie_worth)


def distribution(
    solved: Any, policy: ScoringPolicy, seat: int, *, force: bool = False, progress: Progress | None = None
) -> Distribution:
    """Return the distribution of a policy's final score in a seat, against one who plays to win."""
    found: Distribution = solved.told(made(solved, policy, seat, force, progress))
    return found


# Where two ways part.


class Standing(NamedTuple):
    """Where a roll was made, in view of what the other has."""

    state: Any
    theirs: Any
    lead: int


class StandingNotation:
    """The notation of a game, with what the other has left and the lead beside it."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.places = inner, (*inner.places, "their_dice", "lead")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def place(self, position: Standing) -> Plain:
        """Return where a roll was made, as plain data."""
        theirs = self.inner.write_left(position.theirs)
        return {**self.inner.place(position.state), "their_dice": theirs, "lead": position.lead}

    def alike(self, row: DifferenceRow) -> Any:
        """Return what rows have in common that are said in one sentence."""
        return (*self.place(row.position).values(), self.inner.write_roll(row.roll))

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        """Say where two ways part, and what the other has."""
        at: Standing = row.position
        told: str = self.inner.sentence(row._replace(position=at.state), said)
        return f"Leading by {at.lead}, the other having {self.inner.write_left(at.theirs)} left: {told[0].lower()}{told[1:]}"


class Row(NamedTuple):
    """A roll of a position at which two ways part."""

    weighted: float
    at: Position
    number: int
    chance: float
    cost: float


class RollingDifference(Difference):
    """Where two ways part in one seat of two who roll in turn."""

    groups = ("place",)

    def __init__(
        self, solved: Any, ways: tuple[ScoringPolicy, ScoringPolicy], seat: int, against: ScoringPolicy,
        force: bool = False, progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self.game, self.notation = solved.game, StandingNotation(solved.notation)
        self.policy, self.to = ways[0].name, ways[1].name
        self.seat = f"{('first', 'second')[seat]} of two who roll in turn"
        self.solved, self.ways, self.me = solved, ways, seat

        def sit(way: ScoringPolicy) -> Rolling:
            return Rolling(solved, *((way, against) if seat == 0 else (against, way)), force)

        self.play, self.other = sit(ways[0]), sit(ways[1])
        self.visits = self.play.visits(part(progress, 0.0, 0.3))
        self._look(part(progress, 0.3, 0.8))
        self.lost = self._mean(self.other.visits(part(progress, 0.8, 1.0))) - self._mean(self.visits)

    def _mean(self, visits: dict[Position, float]) -> float:
        points, me = self.solved.space.points, 2 if self.me == 0 else 4
        return float(sum(chance * points[at[me]] for at, chance in visits.items() if self.play.over(at)))

    def _look(self, progress: Progress | None) -> None:
        """Compare the moves of every roll that the first way comes to."""
        self.found: list[Row] = []
        self.sums = np.zeros(3)
        self.by_place: dict[Position, list[float]] = {}
        mine = [(at, chance) for at, chance in self.visits.items() if at[0] == self.me and at[1] != self.play.done]
        for done, (at, chance) in enumerate(mine, 1):
            one, other = self.play.steps(self.me, at), self.other.steps(self.me, at)
            if len(one.chances) != len(other.chances):
                raise ValueError("random has no one move for a roll, so that no roll tells it from another: ask compare")
            differ = (one.after != other.after) | (one.gains != other.gains)
            parted = cost = 0.0
            for number in np.flatnonzero(differ).tolist():
                worth = [
                    self.other.value(self.me, self.play.next(at, int(way.after[number]), int(way.gains[number])))
                    for way in (other, one)
                ]
                apart, weight = worth[0] - worth[1], chance * float(one.chances[number])
                if abs(apart) > DISAGREE:
                    parted, cost = parted + weight, cost + weight * apart
                    self.found.append(Row(weight * apart, at, number, weight, apart))
            self.sums += chance, parted, cost
            self.by_place[at] = [chance, parted / chance, cost / chance]
            if progress:
                progress(done / len(mine))

    @property
    def summary(self) -> Summary:
        first = next(iter(self.by_place.values()))[1] if self.by_place else 0.0
        played, parted, cost = map(float, self.sums)
        return Summary(played, parted, cost, first, self.lost)

    def by(self, group: str) -> Table:
        if group not in self.groups:
            return super().by(group)
        names = ("probability", "disagreement", "cost")
        rows = [
            self.notation.place(self._at(at)) | dict(zip(names, known, strict=True)) for at, known in self.by_place.items()
        ]
        return (*self.notation.places, *names), rows

    def top(self, limit: int = 100, progress: Progress | None = None) -> list[DifferenceRow]:
        if limit < 0:
            raise ValueError(f"limit is {limit}: give 0 or more")
        return [self._row(row) for row in self._ranked[:limit]]

    @cached_property
    def _ranked(self) -> list[Row]:
        return sorted((row for row in self.found if row.weighted > 0.0), key=lambda row: (-row.weighted, row.at, row.number))

    def rows(self) -> Iterator[DifferenceRow]:
        for row in self.found:
            yield self._row(row)

    def count_rows(self) -> int:
        return len(self.found)

    def _at(self, at: Position) -> Standing:
        space = self.solved.space
        state, theirs = space.state(at[1], at[2]), space.state(at[3], at[4])
        return Standing(state, space.left(at[3]), state.banked - theirs.banked)

    def _row(self, row: Row) -> DifferenceRow:
        space, solved = self.solved.space, self.solved
        numbers, _ = space.numbers(row.at[1])
        roll, state = space.roll(row.at[1], numbers[row.number]), space.state(row.at[1], row.at[2])

        def win(after: Any) -> float:
            place, gain = space.at(after)
            return self.other.value(self.me, self.play.next(row.at, place, gain - row.at[2]))

        moves = solved.list_moves(state, roll, win)

        def taken(play: Rolling) -> Move:
            steps = play.steps(self.me, row.at)
            wanted = int(steps.after[row.number]), row.at[2] + int(steps.gains[row.number])
            places = {after: space.at(after) for _, after, _ in solved.game.moves(state, roll)}
            fits = [
                move
                for move, (_, after, _) in zip(moves, solved.game.moves(state, roll), strict=True)
                if places[after] == wanted
            ]
            return order(fits, win_worths(space.sign), solved.notation.preference)[0]

        one, other = taken(self.play), taken(self.other)
        tied = sum(abs(move.expected_score - one.expected_score) <= TIED for move in moves) > 1
        return DifferenceRow(self._at(row.at), roll, one, other, row.chance, row.cost, tied)
