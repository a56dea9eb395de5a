"""The game for two, roll by roll: the players roll in turn, both pools and both scores in view.

    V(mine, theirs, lead) = sum over rolls of P(roll) * max over moves of W(mine after, theirs, lead + gain of the move)

V is the chance of the player about to roll, W that of the player who has just moved: 1 - V(theirs, mine, -lead) while
the other still has dice; V(mine, none, lead) once the other has none and waits; at the end the lead decides. For
a given place of the other, W has the form of the rows of a scoring game, so that each pair of places is one row of the
family's (`Space.row`), and pairs of the same level are independent. Arrays, with the axes of a place (`Space.left_axes`):

    table[seat, d6, d8, ..., their_d6, their_d8, ..., lead]    V; `seat` is that of the player about to roll

The seats differ only in what a tie is worth, so that there is a single one where ties are split. `lead` counts gain
(see `columns`): gain banked by the player about to roll less that of the other. Entries that no play reaches are
NaN, or have no meaning where the lead falls between attainable ones. Points must add up: games whose states hold them
are refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .. import games
from ..answers import Array, Checked, Fair, Plain, Ranking, Simulation, Stored
from ..progress import Progress, halving
from ..space import Space
from ..ties import check_replay, parse_tie, settle_replay, stored_worth
from . import handicap, table
from .rolling import Rolled
from .scored import Named, check_array, check_expected, solve_expected
from .solution import SEATS, Player, Request, check_seat

MEMORY = 2e9
SECONDS = 600.0
"""What a solve may take, in bytes and roughly in seconds, without being told to."""

Left = Any
"""What is left to play, as moves say it: the dice of each kind."""


class _Placed(NamedTuple):
    """A roll and where it was made: by whom, with what banked, against what."""

    roll: Any
    state: Any
    theirs: Left
    lead: int
    seat: str


@dataclass(frozen=True, eq=False, repr=False)
class Alternating(Rolled):
    """The solved game for two players who roll in turn."""

    space: Space
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""
    table: Array
    expected_array: Named
    error_bound: float

    kind = "alternating"
    chance_arrays = ("win",)
    match = "alternating"
    called = "an alternating match"
    options = ("their_dice", "lead", "seat")

    @classmethod
    def check(cls, game: Any, request: Request) -> None:
        parse_tie(request.tie)
        _check_adds(games.space(game))

    @classmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Alternating:
        return solve_alternating(game, request.tie, threads=request.threads, progress=progress, force=request.force)

    @classmethod
    def unsolved(cls, game: Any, question: str, request: Request) -> Alternating | None:
        if question != "fair":
            return None
        space = games.space(game)
        return cls._empty(space, *_check_solvable(space, request.tie, request.force))

    @classmethod
    def _empty(cls, space: Space, tie: str = "split", worth: float | None = None) -> Alternating:
        """Return what can be asked about everything but values."""
        return cls(space, tie, 0.5 if worth is None else worth, np.empty(0), ((), np.empty(0)), 0.0)

    @property
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when both play for it."""
        start = self.space.left(self.space.start)
        return self._value(start, start, 0, 0)

    def headline(self) -> Plain:
        return super().headline() | {"error_bound": self.error_bound}

    def win_probability(self, left: Left, their_left: Left, lead: int, seat: str = "first") -> float:
        """Return the chance to win of the player in `seat`, who is about to roll and is `lead` points above the other.

        A lead below zero means fewer points than the other has, whichever way the game is won.
        """
        self.check_position(left, their_left, lead, seat)
        return self._value(left, their_left, lead, SEATS.index(seat))

    def after(self, their_left: Left, lead: int, banked: int, seat: str = "first") -> Callable[[Any], float]:
        """Return the chance to win after a move, by the state then.

        `lead` and `banked` are mine before the move, `seat` is where I sit; `check_position` tells if that can be.
        """
        space, place = self.space, SEATS.index(check_seat(seat))
        done = int(space.finished[0])
        they_play = space.place_of(their_left) != done

        def win(state: Any) -> float:
            ahead, left = lead + state.banked - banked, self.notation.left(state)
            if they_play:
                return 1.0 - self._value(their_left, left, -ahead, 1 - place)
            if space.place_of(left) != done:
                return self._value(left, their_left, ahead, place)
            worth = 1.0 - self.tie_worth if seat == "first" else self.tie_worth
            return worth if ahead == 0 else float((ahead > 0) == self.game.higher_wins)

        return win

    def _value(self, mine: Left, theirs: Left, lead: int, seat: int) -> float:
        space = self.space
        one, other = space.place_of(mine), space.place_of(theirs)
        offset = space.base(one) - space.base(other)
        column = space.sign * (lead - offset) + len(space.outcomes) - 1
        return float(self.rows[seat % len(self.rows), one, other, column])

    @cached_property
    def rows(self) -> Array:
        """The table with each place as one axis: [seat, mine, theirs, lead]."""
        places = self.space.places
        return self.table.reshape(self.table.shape[0], places, places, -1)

    def check_position(
        self, mine: Left, theirs: Left, lead: int, seat: str = "first", banked: int | None = None
    ) -> None:
        """Refuse positions that cannot arise, of a player in `seat` about to roll; `banked` may say with what points."""
        space, notation = self.space, self.notation
        check_seat(seat)
        for left, whose in ((mine, "the player about to roll"), (theirs, "the other player")):
            if space.place_of(left) < 0:
                raise ValueError(
                    f"{whose} cannot have {notation.write_left(left)} left: the game has "
                    f"{notation.write_left(space.left(space.start))}"
                )
        one, other, done = space.place_of(mine), space.place_of(theirs), int(space.finished[0])
        if one == done:
            raise ValueError("the player about to roll has no dice left: ask for the other player, who still rolls")
        # Each has rolled as often as the other, the first player once more when the second is to roll.
        rolled = (turns + (seat == "second") for turns in range(space.fewest_rolls(one), space.most_rolls(one) + 1))
        fewest, most = space.fewest_rolls(other), space.most_rolls(other)
        if not any(fewest <= turns and (turns <= most or other == done) for turns in rolled):
            raise ValueError(
                f"the {seat} player cannot be about to roll {notation.write_left(mine)} while the other has "
                f"{notation.write_left(theirs)} left: they roll in turn, and each roll sets aside one or more"
            )
        leads = _attainable_leads(space, one, other)
        if lead not in leads:
            near = ", ".join(str(found) for found in sorted(leads, key=lambda found: (abs(found - lead), found))[:2])
            raise ValueError(
                f"a lead of {lead} cannot arise with {notation.write_left(mine)} against {notation.write_left(theirs)} "
                f"left: leads are from {min(leads)} to {max(leads)} (near it: {near})"
            )
        if banked is not None:
            for left, place, points in ((mine, one, banked), (theirs, other, banked - lead)):
                if points not in space.banked_scores(place):
                    raise ValueError(f"{points} points cannot be banked with {notation.write_left(left)} left")

    def moves(
        self, roll: Any, *, sort: str = "win", against: Player | None = None, their_dice: str | Left | None = None,
        lead: int | None = None, seat: str | None = None, **position: Any,
    ) -> Ranking:  # fmt: skip
        if against is not None:
            raise ValueError("--against is for the game for two in turn: leave it out, all play to win")
        at = self._placed(roll, their_dice, lead, seat, **position)
        win = self.after(at.theirs, at.lead, at.state.banked, at.seat)
        theirs = self.notation.write_left(at.theirs)
        where = f"{at.seat} of two who roll in turn, leading by {at.lead}, they have {theirs} left"
        return self.rank(at.state, at.roll, self.list_moves(at.state, at.roll, win), sort, where)

    @classmethod
    def check_moves(cls, game: Any, request: Request, roll: Any, **position: Any) -> None:
        cls._empty(games.space(game))._placed(roll, **position)

    def _placed(
        self, roll: Any, their_dice: str | Left | None = None, lead: int | None = None, seat: str | None = None,
        **position: Any,
    ) -> _Placed:  # fmt: skip
        """Read a roll and where it was made; refuse what cannot occur. Nothing need be solved for it."""
        notation = self.notation
        shown, state = notation.read(roll, **position)
        seat, start = check_seat(seat or "first"), self.space.left(self.space.start)
        theirs = start if their_dice is None else notation.read_left(their_dice, state, int(seat == "second"))
        if lead is None and (their_dice is not None or state.banked):
            raise ValueError("say how far I lead: --lead L, my banked points less theirs")
        found = _Placed(shown, state, theirs, lead or 0, seat)
        self.check_position(notation.left(state), theirs, found.lead, found.seat, state.banked)
        return found

    def moved(self, seat: int, mine: int, theirs: int) -> Array:
        """Return what it is worth to have moved in a seat, by the lead then in gain, the middle being none."""
        done, other = int(self.space.finished[0]), (1 - seat) % len(self.rows)
        if theirs != done:
            return np.asarray(1.0 - self.rows[other, theirs, mine][::-1])
        if mine != done:
            return np.asarray(self.rows[seat % len(self.rows), mine, theirs])
        most = len(self.space.outcomes) - 1
        tie = 1.0 - self.tie_worth if seat == 0 else self.tie_worth
        return np.repeat([0.0, tie, 1.0], [most, 1, most])

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        return table.alternate(self, first, second, games, seed)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        space = self.space
        # One solve gives every bonus, unless each has its own worth of a tie: then the bonuses are what is counted.
        leads = _Handicaps(space, progress if self.tie != "replay" else None)
        counted = progress if self.tie == "replay" else None
        most = len(space.outcomes)
        return handicap.fair(
            self.game, self.match, self.tie, most, space.sign, leads.value, 2 if around is None else around, counted
        )

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute a sample of positions through the plain rules.

        The start is in it, and for each level of the player about to roll, some positions.
        """
        space, apart = self.space, []
        for mine, theirs, lead, seat in self._sample(np.random.default_rng(seed)):
            place = space.place_of(mine)
            base = space.state(place, 0)
            win = self.after(theirs, lead, base.banked, seat)
            (found,) = space.recompute(place, 0, [lambda place, gain, win=win: win(space.state(place, gain))])  # type: ignore[misc]
            apart.append(abs(found - self.win_probability(mine, theirs, lead, seat)))
        if self.tie == "replay":
            apart.append(abs(self.second_player_value - self.tie_worth))
        # A NaN must not pass for a small difference.
        return Checked(len(apart), max(apart) if np.all(np.isfinite(apart)) else float("inf"))

    def _sample(self, random: np.random.Generator) -> Iterator[tuple[Left, Left, int, str]]:
        space = self.space
        yield space.left(space.start), space.left(space.start), 0, "first"
        for size, level in enumerate(space.levels, 1):
            for _ in range(1 if size > 8 else 4):
                for _ in range(100):
                    one, other = level[int(random.integers(len(level)))], int(random.integers(space.places))
                    seat = SEATS[random.integers(2)]
                    leads = sorted(_attainable_leads(space, one, other))
                    # Few leads are undecided; those near the middle are.
                    lead = leads[int(random.triangular(0, len(leads) / 2, len(leads)))]
                    try:
                        self.check_position(space.left(one), space.left(other), lead, seat)
                    except ValueError:
                        continue
                    yield space.left(one), space.left(other), lead, seat
                    break

    @property
    def axes(self) -> Plain:
        """The labels along each named axis of the table."""
        most = len(self.space.outcomes) - 1
        left = self.space.left_axes
        theirs = {f"their_{name}": labels for name, labels in left.items()}
        return {"seat": np.arange(self.table.shape[0]), **left, **theirs, "lead": np.arange(-most, most + 1)}

    def stored(self) -> Stored:
        return Stored(
            self.kind,
            games.rules(self.game),
            {
                "tie": self.tie,
                "tie_worth_to_second": self.tie_worth,
                "error_bound": self.error_bound,
                "payoff": "win: chance to win of the player about to roll, by seat (0 first, 1 second; one where ties "
                "are split) and lead in gain: points banked above the worst that the dice set aside can make",
            },
            self.axes,
            {"win": (tuple(self.axes), self.table), "expected": self.expected_array},
        )

    @classmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Alternating:
        """Make the solution again from plain data; refuse an array that does not fit the rules."""
        space = games.space(games.from_rules(data.rules) if game is None else game)
        tie = data.facts["tie"]
        worth = stored_worth(tie, float(data.facts["tie_worth_to_second"]))
        table = check_array(data.arrays["win"][1], _shape(space, worth))
        expected = check_expected(space, data.arrays["expected"])
        return cls(space, tie, worth, table, expected, float(data.facts["error_bound"]))

    def __repr__(self) -> str:
        return (
            f"<Alternating {self.game.name}, ties {self.tie}: first player {self.first_player_value:.6f}, second "
            f"{self.second_player_value:.6f}>"
        )


def _check_adds(space: Space) -> None:
    if not space.chase.shifts:
        raise ValueError(
            f"{space.game.name} cannot be played roll by roll here: its states hold the points, so that no lead tells who "
            "is ahead; leave --match out"
        )


def _attainable_leads(space: Space, one: int, other: int) -> set[int]:
    return {a - b for a in space.banked_scores(one) for b in space.banked_scores(other)}


def _shape(space: Space, worth: float) -> tuple[int, ...]:
    left = tuple(len(labels) for labels in space.left_axes.values())
    return (1 if worth == 0.5 else 2, *left, *left, len(space.chase))


def solve_alternating(
    game: Any, tie: str | float = "split", *, threads: int | None = None, progress: Progress | None = None,
    force: bool = False,
) -> Alternating:  # fmt: skip
    """Solve the game for two who roll in turn, from every position that play can reach.

    A game too large to be solved in minutes, or in 2 GB of memory, is refused unless `force` is set.
    """
    space = games.space(game)
    name, worth = _check_solvable(space, tie, force)
    if worth is None:
        parts = halving(progress)
        worth, rows = settle_replay(
            lambda worth: solve_leads(space, worth, threads=threads, progress=next(parts)),
            lambda rows: rows.first(0),
        )
        if progress:
            progress(1.0)
    else:
        rows = solve_leads(space, worth, threads=threads, progress=progress)
    table = rows.values.reshape(_shape(space, worth))
    table.setflags(write=False)
    return Alternating(space, name, worth, table, solve_expected(space, threads)[0], rows.error_bound)


def _check_solvable(space: Space, tie: str | float, force: bool) -> tuple[str, float | None]:
    _check_adds(space)
    space.check_size(force)  # what is too large for two in turn is so here, and too large to be looked at more closely
    if not force:
        _check_size(space)
    name, worth = parse_tie(tie)
    if worth is None:
        check_replay(space.game.name, space.attained)
    return name, worth


def _check_size(space: Space) -> None:
    places = prod(len(labels) for labels in space.left_axes.values())
    memory = 4 * 8.0 * places**2 * len(space.chase)
    seconds = space.estimate().seconds * places
    if memory > MEMORY or seconds > SECONDS:
        raise ValueError(
            f"solving {games.notation(space.game).write_left(space.left(space.start))} in alternating turns would take "
            f"about {seconds / 60:.2g} minutes and {memory / 1e9:.2g} GB: take fewer dice, or say --force (force=True) to "
            "start all the same"
        )


class _Handicaps:
    """First player's values by bonus: a bonus is a lead at the start."""

    def __init__(self, space: Space, progress: Progress | None) -> None:
        self.space, self.progress = space, progress
        self.solved: dict[float, tuple[int, Any]] = {}

    def value(self, worth: float, bonus: int) -> float:
        """Return the first player's value with a bonus, in gain, and a worth of a tie to the second player."""
        reach, leads = self.solved.get(worth, (-1, None))
        if reach < abs(bonus):
            # One solve covers all bonuses up to some size.
            reach = abs(bonus) + 3
            leads = solve_leads(self.space, worth, reach, progress=self.progress).first_by_lead()
            self.solved[worth] = reach, leads
        return float(leads[bonus])


class Leads(NamedTuple):
    """Solved values [seat, mine, theirs, lead] with no lead in the middle column, and a bound on their error."""

    values: Array
    error_bound: float

    def first(self, lead: int) -> float:
        """Return the first player's value when the first roll is made with a lead, counted in gain."""
        return float(self.values[0, -1, -1, self.values.shape[-1] // 2 + lead])

    def first_by_lead(self) -> dict[int, float]:
        """Return the first player's value by every lead at the start that was solved for."""
        start = self.values[0, -1, -1]
        middle = len(start) // 2
        return {int(column) - middle: float(start[column]) for column in np.flatnonzero(np.isfinite(start))}


def solve_leads(
    space: Space, worth: float, head_start: int = 0, *, threads: int | None = None, progress: Progress | None = None
) -> Leads:
    """Solve every pair of places for a worth of a tie to the second player; the start is the last place.

    `head_start`: the most by which either player may be ahead at the start, in gain. Every lead that such a start
    leads to has its column.
    """
    places, full = space.places, space.start
    gains = space.most_gains.tolist()
    middle = len(space.outcomes) - 1 + head_start
    columns = 2 * middle + 1
    tolerance = space.tolerance
    worths = [0.5] if worth == 0.5 else [1.0 - worth, worth]
    seats = len(worths)
    values = np.full((seats, places, places, columns), np.nan)
    # moved[seat, theirs, mine]: W, the value to the player in this seat who has just moved.
    moved = np.full((seats, places, places, columns), np.nan)
    for seat, tied in enumerate(worths):
        moved[seat, 0, 0] = np.repeat([0.0, tied, 1.0], [middle, 1, middle])
    # Below column lost[seat, mine, theirs] the game is lost to within the tolerance, from column won on it is won. One
    # die more in hand is never worse: it can be set aside with the last keep. So the limits with a die less hold here.
    lost = np.zeros((seats, places, places), np.int64)
    won = np.full((seats, places, places), columns)

    def solve(pair: tuple[int, int, int]) -> None:
        seat, mine, theirs = pair
        # What is set aside can have gained; the other end is in the columns already.
        reached, stop = gains[theirs], columns - gains[mine]
        fewer = space.one_less(theirs) if theirs else ()
        begin = min(stop, max(reached, middle - gains[mine], *(lost[seat, mine, i] for i in fewer)))
        end = max(begin, min(stop, middle + gains[theirs] + 1, *(won[seat, i, theirs] for i in space.one_less(mine) if i)))
        row = values[seat, mine, theirs]
        row[reached:begin] = 0.0
        row[end:stop] = 1.0
        if begin < end:
            row[begin:end] = space.row(mine, moved[seat, theirs], begin, end - begin)
        lost[seat, mine, theirs] = begin + np.searchsorted(row[begin:end], tolerance, "right")
        won[seat, mine, theirs] = begin + np.searchsorted(row[begin:end], 1.0 - tolerance)
        moved[(seat + 1) % seats, mine, theirs] = 1.0 - row[::-1]
        if not theirs:
            moved[seat, 0, mine] = row

    height = {0: 0} | {place: size for size, level in enumerate(space.levels, 1) for place in level}
    levels: list[list[tuple[int, int, int]]] = [[] for _ in range(2 * len(space.levels) + 1)]
    played = sorted(space.order)
    for mine in played:
        # Nobody meets an opponent who has not rolled yet, but for the first roll of all.
        for theirs in [0, *(place for place in played if place != full or mine == full)]:
            levels[height[mine] + height[theirs]] += [(seat, mine, theirs) for seat in range(seats)]
    threads = threads or os.cpu_count() or 1
    # Rolls that lead to the same are worked out once, so that the work grows more slowly than their number.
    work = np.cumsum([sum(space.row_work(mine) ** 0.5 for _, mine, _ in level) for level in levels])
    with ThreadPoolExecutor(threads) as workers:
        for size, level in enumerate(levels):
            # Waiting threads cost more than tiny states do.
            for _ in (workers.map if threads > 1 and size > 6 else map)(solve, reversed(level)):
                pass
            if progress:
                progress(float(work[size] / work[-1]))
    # Each player's rolls add what those of a game alone do, and may be trimmed at the lower end too.
    return Leads(values, 2 * (space.bound(0.0, 1.0) + len(space.levels) * tolerance))
