"""The game for two, roll by roll: the players roll in turn, both pools and both scores in view.

    V(mine, theirs, lead) = sum over rolls of P(roll) * max over keeps of W(mine - keep, theirs, lead + gain of keep)

V is the chance of the player about to roll, W that of the player who has just moved: 1 - V(theirs, mine, -lead) while
the other still has dice; V(mine, none, lead) once the other has none and waits; at the end the lead decides. For
given dice of the other, W has the form of the rows of a pool game, so that each pair of pools is one call of the
folding kernel, and pairs with the same number of dice are independent. Arrays, with one axis for each kind of die:

    table[seat, d6, d8, ..., their_d6, their_d8, ..., lead]    V; `seat` is that of the player about to roll

The seats differ only in what a tie is worth, so that there is a single one where ties are split. `lead` counts gain
(see `games.PoolGame`): gain banked by the player about to roll less that of the other. Entries that no play reaches are
NaN, or have no meaning where the lead falls between attainable ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..games import PoolGame, game_from_rules
from ..pool import plain
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from ..store.stored import Stored
from .duel import check_replay, parse_tie, settle_replay

SEATS = ("first", "second")
MEMORY = 2e9
SECONDS = 600.0
"""What a solve may take, in bytes and roughly in seconds, without being told to."""

Counts = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Alternating:
    """The solved game for two players who roll in turn."""

    game: PoolGame
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""
    table: Array
    error_bound: float

    kind = "alternating"

    @property
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when both play for it."""
        return self.win_probability(self.game.counts, self.game.counts, 0, "first")

    @property
    def second_player_value(self) -> float:
        return 1.0 - self.first_player_value

    def win_probability(self, dice_left: Counts, their_dice: Counts, lead: int, seat: str = "first") -> float:
        """Return the chance to win of the player in `seat`, who is about to roll and is `lead` points above the other.

        A lead below zero means fewer points than the other has, whichever way the game is won.
        """
        self.check_position(dice_left, their_dice, lead, seat)
        return self._value(dice_left, their_dice, lead, SEATS.index(seat))

    def after(self, their_dice: Counts, lead: int, banked: int, seat: str = "first") -> Callable[[Counts, int], float]:
        """Return the chance to win after a move, by dice left and points banked then.

        `lead` and `banked` are mine before the move, `seat` is where I sit; `check_position` tells if that can be.
        """
        _seat(seat)
        place = SEATS.index(seat)

        def win(dice_left: Counts, banked_then: int) -> float:
            ahead = lead + banked_then - banked
            if any(their_dice):
                return 1.0 - self._value(their_dice, dice_left, -ahead, 1 - place)
            if any(dice_left):
                return self._value(dice_left, their_dice, ahead, place)
            worth = 1.0 - self.tie_worth if seat == "first" else self.tie_worth
            return worth if ahead == 0 else float((ahead > 0) == self.game.higher_wins)

        return win

    def _value(self, mine: Counts, theirs: Counts, lead: int, place: int) -> float:
        game = self.game
        offset = game.worst(game.banked_dice(mine)) - game.worst(game.banked_dice(theirs))
        column = game.sign * (lead - offset) + game.gain(game.counts)
        return float(self.rows[place % len(self.rows), game.pool_index(mine), game.pool_index(theirs), column])

    @cached_property
    def rows(self) -> Array:
        """The table with each pool as one axis, in the order of `PoolGame.pools`: [seat, mine, theirs, lead]."""
        pools = len(self.game.pools)
        return self.table.reshape(self.table.shape[0], pools, pools, -1)

    def check_position(
        self, mine: Counts, theirs: Counts, lead: int, seat: str = "first", banked: int | None = None
    ) -> None:
        """Refuse positions that cannot arise, of a player in `seat` about to roll; `banked` may say with what points."""
        game = self.game
        _seat(seat)
        for counts, whose in ((mine, "the player about to roll"), (theirs, "the other player")):
            if counts not in game.pools:
                raise ValueError(f"{whose} cannot have {_dice(game, counts)} left: the game has {game.dice}")
        if not any(mine):
            raise ValueError("the player about to roll has no dice left: ask for the other player, who still rolls")
        rolled, other_rolled = (sum(game.banked_dice(counts)) for counts in (mine, theirs))
        # Each has rolled as often as the other, the first player once more when the second is to roll.
        turns = min(1, rolled) + (seat == "second")
        if (seat == "first" and not rolled and other_rolled) or (other_rolled < turns and any(theirs)):
            raise ValueError(
                f"the {seat} player cannot be about to roll {_dice(game, mine)} while the other has "
                f"{_dice(game, theirs)} left: they roll in turn, and each roll sets aside one or more"
            )
        leads = _attainable_leads(game, mine, theirs)
        if lead not in leads:
            near = ", ".join(str(found) for found in sorted(leads, key=lambda found: (abs(found - lead), found))[:2])
            raise ValueError(
                f"a lead of {lead} cannot arise with {_dice(game, mine)} against {_dice(game, theirs)} left: leads are "
                f"from {min(leads)} to {max(leads)} (near it: {near})"
            )
        if banked is not None:
            game.check_state(mine, banked)
            game.check_state(theirs, banked - lead)

    def verify(self, seed: int = 0) -> tuple[int, float]:
        """Recompute a sample of positions through the plain rules; return how many, and the largest difference.

        The start is in it, and for each number of dice the player about to roll can have, some positions.
        """
        game, apart = self.game, []
        for mine, theirs, lead, seat in self._sample(np.random.default_rng(seed)):
            win = self.after(theirs, lead, 0, seat)
            apart.append(abs(plain.value(game, mine, win) - self.win_probability(mine, theirs, lead, seat)))
        if self.tie == "replay":
            apart.append(abs(self.second_player_value - self.tie_worth))
        # A NaN must not pass for a small difference.
        return len(apart), max(apart) if np.all(np.isfinite(apart)) else float("inf")

    def _sample(self, random: np.random.Generator) -> Iterator[tuple[Counts, Counts, int, str]]:
        game = self.game
        yield game.counts, game.counts, 0, "first"
        sizes: dict[int, list[Counts]] = {}
        for counts in game.pools[1:]:
            sizes.setdefault(sum(counts), []).append(counts)
        for size, pools in sizes.items():
            for _ in range(1 if size > 8 else 4):
                for _ in range(100):
                    mine = pools[random.integers(len(pools))]
                    theirs = game.pools[random.integers(len(game.pools))]
                    seat = SEATS[random.integers(2)]
                    leads = sorted(_attainable_leads(game, mine, theirs))
                    # Few leads are undecided; those near the middle are.
                    lead = leads[int(random.triangular(0, len(leads) / 2, len(leads)))]
                    try:
                        self.check_position(mine, theirs, lead, seat)
                    except ValueError:
                        continue
                    yield mine, theirs, lead, seat
                    break

    @property
    def axes(self) -> dict[str, Any]:
        """The labels along each named axis of the table."""
        most = self.game.gain(self.game.counts)
        labels = {"seat": np.arange(self.table.shape[0])}
        for prefix in ("", "their_"):
            for count, die in zip(self.game.counts, self.game.kinds, strict=True):
                labels[prefix + die.name] = np.arange(count + 1)
        return labels | {"lead": np.arange(-most, most + 1)}

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        return Stored(
            self.kind,
            self.game.rules(),
            {
                "tie": self.tie,
                "tie_worth_to_second": self.tie_worth,
                "error_bound": self.error_bound,
                "payoff": "win: chance to win of the player about to roll, by seat (0 first, 1 second; one where ties "
                "are split) and lead in gain: points banked above the worst that the dice set aside can make",
            },
            self.axes,
            {"win": (tuple(self.axes), self.table)},
        )

    @classmethod
    def from_stored(cls, data: Stored) -> Alternating:
        """Make the solution again from plain data; refuse an array that does not fit the rules."""
        game = game_from_rules(data.rules)
        if not isinstance(game, PoolGame):
            raise ValueError(f"{game.name} is no pool game")
        tie, worth = parse_tie(data.facts["tie"])
        stored_worth = float(data.facts["tie_worth_to_second"])
        if worth is not None and worth != stored_worth:
            raise ValueError(f"the tie rule {tie} is worth {worth}, not {stored_worth}")
        table = np.asarray(data.arrays["win"][1], float)
        shape = _shape(game, stored_worth)
        if table.shape != shape:
            raise ValueError(f"an array has shape {table.shape} where the rules ask for {shape}")
        table.setflags(write=False)
        return cls(game, tie, stored_worth, table, float(data.facts["error_bound"]))

    def __repr__(self) -> str:
        return (
            f"<Alternating {self.game.name} ({self.game.dice}), ties {self.tie}: first player "
            f"{self.first_player_value:.6f}, second {self.second_player_value:.6f}>"
        )


def _seat(seat: str) -> None:
    if seat not in SEATS:
        raise ValueError(f"there is no seat {seat!r}: say first or second")


def _dice(game: PoolGame, counts: Counts) -> str:
    if len(counts) != len(game.kinds):
        return str(counts)
    return dice.format_dice(counts, game.kinds)


def _attainable_leads(game: PoolGame, mine: Counts, theirs: Counts) -> set[int]:
    ours, others = (game.scores(game.banked_dice(counts)) for counts in (mine, theirs))
    return {a - b for a in ours for b in others}


def _shape(game: PoolGame, worth: float) -> tuple[int, ...]:
    pools = tuple(n + 1 for n in game.counts)
    return (1 if worth == 0.5 else 2, *pools, *pools, 2 * game.gain(game.counts) + 1)


def solve_alternating(
    game: PoolGame, tie: str | float = "split", *, threads: int | None = None, progress: Progress | None = None,
    force: bool = False,
) -> Alternating:  # fmt: skip
    """Solve the game for two who roll in turn, from every position that play can reach.

    A game too large to be solved in minutes, or in 2 GB of memory, is refused unless `force` is set.
    """
    if not force:
        _check_size(game)
    name, worth = parse_tie(tie)
    if worth is None:
        check_replay(game.name, game.scores())
        parts = _Halves(progress)
        worth, rows = settle_replay(
            lambda worth: solve_leads(game, worth, threads=threads, progress=parts.next()),
            lambda rows: rows.first(0),
        )
        if progress:
            progress(1.0)
    else:
        rows = solve_leads(game, worth, threads=threads, progress=progress)
    table = rows.values.reshape(_shape(game, worth))
    table.setflags(write=False)
    return Alternating(game, name, worth, table, rows.error_bound)


def _check_size(game: PoolGame) -> None:
    pools, columns = len(game.pools), 2 * game.gain(game.counts) + 1
    memory = 4 * 8.0 * pools**2 * columns
    seconds = pool.estimate(game).seconds * pools
    if memory > MEMORY or seconds > SECONDS:
        raise ValueError(
            f"solving {game.dice} in alternating turns would take about {seconds / 60:.2g} minutes and "
            f"{memory / 1e9:.2g} GB: take fewer dice, or say --force (force=True) to start all the same"
        )


class _Halves:
    """Progress of solves in a row, as many as it takes: each is half of what is left."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.done = progress, 0.0

    def next(self) -> Progress | None:
        begun, share = self.done, (1.0 - self.done) / 2
        self.done += share
        progress = self.progress
        return None if progress is None else lambda part: progress(begun + share * part)


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
    game: PoolGame, worth: float, head_start: int = 0, *, threads: int | None = None, progress: Progress | None = None
) -> Leads:
    """Solve every pair of pools for a worth of a tie to the second player.

    `head_start`: the most by which either player may be ahead at the start, in gain. Every lead that such a start
    leads to has its column.
    """
    from ..pool import kernel as pool_kernel

    states = {state.place: state for state in pool.states(game)}
    pools, full = len(game.pools), len(game.pools) - 1
    gains = [game.gain(counts) for counts in game.pools]
    middle = game.gain(game.counts) + head_start
    columns = 2 * middle + 1
    tolerance = pool.TOLERANCE
    worths = [0.5] if worth == 0.5 else [1.0 - worth, worth]
    seats = len(worths)
    values = np.full((seats, pools, pools, columns), np.nan)
    # moved[seat, theirs, mine]: W, the value to the player in this seat who has just moved.
    moved = np.full((seats, pools, pools, columns), np.nan)
    for seat, tied in enumerate(worths):
        moved[seat, 0, 0] = np.repeat([0.0, tied, 1.0], [middle, 1, middle])
    # Below column lost[seat, mine, theirs] the game is lost to within the tolerance, from column won on it is won. One
    # die more in hand is never worse: it can be set aside with the last keep. So the limits with a die less hold here.
    lost = np.zeros((seats, pools, pools), np.int64)
    won = np.full((seats, pools, pools), columns)

    def solve(pair: tuple[int, int, int]) -> None:
        seat, mine, theirs = pair
        state = states[mine]
        # What dice set aside can have gained; the other end is in the columns already.
        reached, stop = gains[theirs], columns - gains[mine]
        fewer = states[theirs].one_less if theirs else ()
        begin = min(stop, max(reached, middle - gains[mine], *(lost[seat, mine, i] for i in fewer)))
        end = max(begin, min(stop, middle + gains[theirs] + 1, *(won[seat, i, theirs] for i in state.one_less if i)))
        row = values[seat, mine, theirs]
        row[reached:begin] = 0.0
        row[end:stop] = 1.0
        if begin < end:
            live, _ = pool_kernel.fold_pool(
                moved[seat, theirs], state.subs, state.several, state.counts, state.faces, state.gains, state.chances,
                state.tails, pool.ways(game), state.wider, begin, end - begin, tolerance, 0.0, 1.0,
            )  # fmt: skip
            row[begin:end] = live
        lost[seat, mine, theirs] = begin + np.searchsorted(row[begin:end], tolerance, "right")
        won[seat, mine, theirs] = begin + np.searchsorted(row[begin:end], 1.0 - tolerance)
        moved[(seat + 1) % seats, mine, theirs] = 1.0 - row[::-1]
        if not theirs:
            moved[seat, 0, mine] = row

    levels: list[list[tuple[int, int, int]]] = [[] for _ in range(2 * sum(game.counts) + 1)]
    for mine in range(1, pools):
        # Nobody meets an opponent who has not rolled yet, but for the first roll of all.
        for theirs in range(pools if mine == full else full):
            size = sum(game.pools[mine]) + sum(game.pools[theirs])
            levels[size] += [(seat, mine, theirs) for seat in range(seats)]
    threads = threads or os.cpu_count() or 1
    # Rolls that lead to the same are worked out once, so that the work grows more slowly than their number.
    work = np.cumsum([sum(game.count_rolls(game.pools[mine]) ** 0.5 for _, mine, _ in level) for level in levels])
    with ThreadPoolExecutor(threads) as workers:
        for size, level in enumerate(levels):
            # Waiting threads cost more than tiny states do.
            for _ in (workers.map if threads > 1 and size > 6 else map)(solve, reversed(level)):
                pass
            if progress:
                progress(float(work[size] / work[-1]))
    # Each player's rolls add what those of a game alone do, and may be trimmed at the lower end too.
    return Leads(values, 2 * (pool._error_bound(game, tolerance, 1.0) + sum(game.counts) * tolerance))
