"""The game for two, one after the other: the first plays out, the second sees the score and plays out.

Three payoffs, one solver (`pool.solve_rows`):

    expected     the score itself
    second       1 above the target, `tie` at the target, 0 below it
    first        1 - what the score, as a target, is worth to the second player

Points add, so that the second player's value depends only on the dice left and on target - banked: one solve covers
every target. Arrays, with one axis for each kind of die (how many are left) before the axis named last:

    expected_table[d6, d8, ...]           expected points still to come, when playing for points
    first_table[d6, d8, ..., banked]      first player's chance to win
    second_table[d6, d8, ..., needed]     second player's chance to win; needed = target - banked

Entries that no play can reach are NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ..games import PoolGame, game_from_rules
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from ..store.stored import Stored

TIES = {"split": 0.5, "first": 0.0, "second": 1.0}
"""What a tie is worth to the second player, by the name of the rule; `replay` is worth the game itself."""

REPLAY_RESIDUAL = 1e-14

Result = TypeVar("Result")


def parse_tie(tie: str | float) -> tuple[str, float | None]:
    """Return a tie rule's name and what a tie is worth to the second player: None for replay, which must be solved.

    >>> parse_tie("split"), parse_tie(0.25)
    (('split', 0.5), ('0.25', 0.25))
    """
    if tie == "replay":
        return "replay", None
    if isinstance(tie, str) and tie in TIES:
        return tie, TIES[tie]
    try:
        worth = float(tie)
    except (TypeError, ValueError):
        raise ValueError(
            f"there is no tie rule {tie!r}: say split, first, second, replay, or a number from 0 to 1, "
            "what a tie is worth to the second player"
        ) from None
    if not 0 <= worth <= 1:
        raise ValueError(f"a tie cannot be worth {tie} to the second player: give a number from 0 to 1")
    return repr(worth), worth


@dataclass(frozen=True, eq=False, repr=False)
class Duel:
    """The solved game for two players in turn."""

    game: PoolGame
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""
    expected_table: Array
    first_table: Array
    second_table: Array
    error_bound: float

    kind = "duel"

    @property
    def expected_score(self) -> float:
        """The expected final score of a player who plays for points."""
        return float(self.expected_table[self.game.counts])

    @property
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when both play for it."""
        return float(self.first_table[self.game.counts][self._banked_column(0)])

    @property
    def second_player_value(self) -> float:
        return 1.0 - self.first_player_value

    def expected(self, dice_left: tuple[int, ...], banked: int) -> float:
        """Return the expected final score from a position, when playing for points."""
        return banked + float(self.expected_table[dice_left])

    def first(self, dice_left: tuple[int, ...] | None = None, banked: int = 0) -> float:
        """Return the first player's chance to win from a position, the start if not said."""
        return float(self.first_table[dice_left or self.game.counts][self._banked_column(banked)])

    def second(self, target: int, dice_left: tuple[int, ...] | None = None, banked: int = 0) -> float:
        """Return the second player's chance to win against a target, from the start if not said.

        A target beyond what can be made, or below it, is lost or won for sure.
        """
        left = self.game.counts if dice_left is None else dice_left
        needed = target - banked
        low, high = self.game.lowest(left), self.game.highest(left)
        if not low <= needed <= high:
            return float((needed < low) == self.game.higher_wins)
        return float(self.second_table[left][needed - self._needed_from])

    def _banked_column(self, banked: int) -> int:
        return banked - int(self.axes["banked"][0])

    @property
    def _needed_from(self) -> int:
        return int(self.axes["needed"][0])

    @property
    def dice_axes(self) -> tuple[str, ...]:
        return tuple(die.name for die in self.game.kinds)

    @cached_property
    def axes(self) -> dict[str, Any]:
        """The labels along each named axis of the tables."""
        counts = {die.name: np.arange(n + 1) for n, die in zip(self.game.counts, self.game.kinds, strict=True)}
        return counts | _point_axes(self.game)

    def second_by_target(self) -> tuple[list[int], list[float]]:
        """Return every target from the lowest to the highest score, and the second player's chance against each."""
        targets = list(range(self.game.lowest(self.game.counts), self.game.highest(self.game.counts) + 1))
        return targets, [self.second(target) for target in targets]

    # The same tables by gain, as the solvers and evaluators count: see `pool`.

    @cached_property
    def gain_expected(self) -> Array:
        """By pool: the expected gain still to come."""
        worst = np.array([self.game.worst(left) for left in self.game.pools])
        gains: Array = self.game.sign * (self.expected_table.reshape(-1) - worst)
        return gains

    @cached_property
    def gain_first(self) -> Array:
        """By pool and gain banked: the first player's value; NaN where it cannot be reached."""
        return _by_gain(self.game, self.first_table.reshape(len(self.game.pools), -1))

    @cached_property
    def gain_second(self) -> Array:
        """By pool and gain banked - gain of the target (shifted by the most gain there is): the second's value."""
        return second_rows(self.game, self.tie_worth, self.second_table.reshape(len(self.game.pools), -1))

    def to_xarray(self) -> Any:
        """Return the tables as an xarray Dataset (needs the extra `xarray`)."""
        import xarray

        data = self.stored()
        return xarray.Dataset(
            {name: (axes, values) for name, (axes, values) in data.arrays.items()}, coords=data.axes, attrs=data.facts
        )

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        dice = self.dice_axes
        return Stored(
            self.kind,
            self.game.rules(),
            {
                "tie": self.tie,
                "tie_worth_to_second": self.tie_worth,
                "error_bound": self.error_bound,
                "payoff": "expected: points; second: 1 above the target, tie_worth_to_second at it, 0 below; "
                "first: 1 - second's value against the score made"
                + ("" if self.game.higher_wins else " (lower scores win: read above as below)"),
            },
            self.axes,
            {
                "expected": (dice, self.expected_table),
                "first": ((*dice, "banked"), self.first_table),
                "second": ((*dice, "needed"), self.second_table),
            },
        )

    @classmethod
    def from_stored(cls, data: Stored) -> Duel:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        game = game_from_rules(data.rules)
        if not isinstance(game, PoolGame):
            raise ValueError(f"{game.name} is no pool game")
        tie, worth = parse_tie(data.facts["tie"])
        stored_worth = float(data.facts["tie_worth_to_second"])
        if worth is not None and worth != stored_worth:
            raise ValueError(f"the tie rule {tie} is worth {worth}, not {stored_worth}")
        tables = [np.asarray(data.arrays[name][1], float) for name in ("expected", "first", "second")]
        duel = cls(game, tie, stored_worth, tables[0], tables[1], tables[2], float(data.facts["error_bound"]))
        shape = tuple(n + 1 for n in game.counts)
        for table, extra in zip(tables, ((), (len(duel.axes["banked"]),), (len(duel.axes["needed"]),)), strict=True):
            if table.shape != shape + extra:
                raise ValueError(f"an array has shape {table.shape} where the rules ask for {shape + extra}")
        for table in tables:
            table.setflags(write=False)
        return duel

    def __repr__(self) -> str:
        return (
            f"<Duel of {self.game.name} ({self.game.dice}), ties {self.tie}: first player {self.first_player_value:.6f}, "
            f"second {self.second_player_value:.6f}; expected score {self.expected_score:.6f}>"
        )


def solve(
    game: PoolGame, tie: str | float = "split", *, threads: int | None = None, progress: Progress | None = None,
    force: bool = False, fold: Callable[..., tuple[Array, int]] | None = None,
) -> Duel:  # fmt: skip
    """Solve the game for two: expected score, second player against every target, first player.

    A game too large to be solved in a minute or so is refused unless `force` is set.
    """
    if not force:
        pool.check_size(game)
    name, worth = parse_tie(tie)
    if worth is None:
        check_replay(game.name, game.scores())
    part = _Parts(progress, 0.15, 0.7, 0.15)
    gains = np.arange(game.gain(game.counts) + 1.0)
    expected = pool.solve_rows(game, gains, threads=threads, progress=part.next(), fold=fold)

    def against(worth: float) -> tuple[pool.Rows, pool.Rows]:
        payoff = second_payoff(game, worth)
        second = pool.solve_rows(game, payoff, threads=threads, progress=part.next(), fold=fold)
        # Row by target: the last pool is all dice, nothing banked.
        most = game.gain(game.counts)
        replies = second.values[-1, : most + 1][::-1]
        return second, pool.solve_rows(game, 1.0 - replies, threads=threads, progress=part.next(), fold=fold)

    if worth is None:
        worth, (second, first) = settle_replay(against, lambda solved: float(solved[1].values[-1, 0]))
    else:
        second, first = against(worth)
    return Duel(
        game,
        name,
        worth,
        _points_expected(game, expected.values[:, 0]),
        _points_first(game, first.values),
        _points_second(game, second.values),
        first.error_bound + second.error_bound,
    )


def check_replay(name: str, scores: Sized) -> None:
    """Refuse to replay the ties of a game in which there is but one score."""
    if len(scores) == 1:
        raise ValueError(f"every game of {name} is tied, so that it would be replayed for ever: take another tie rule")


def settle_replay(solve: Callable[[float], Result], first_value: Callable[[Result], float]) -> tuple[float, Result]:
    """Find the worth of a tie to the second player that equals the second player's value (secant method).

    `solve` takes a worth, `first_value` tells the first player's value of what it returns. Returns the worth and what was
    solved with it.
    """
    worth, slope = 0.5, -1.0
    before, residual_before = worth, 0.0
    for _ in range(100):
        found = solve(worth)
        residual = 1.0 - first_value(found) - worth
        if abs(residual) <= REPLAY_RESIDUAL:
            return worth, found
        if worth != before:
            slope = (residual - residual_before) / (worth - before)
        before, residual_before = worth, residual
        # The value grows with the worth of a tie, by no more than the chance of one.
        worth = min(1.0, max(0.0, worth - residual / min(slope, -1e-3)))
    raise ArithmeticError("the value of a replayed tie did not settle")


class _Parts:
    """Progress of solves in a row as one."""

    def __init__(self, progress: Progress | None, *shares: float) -> None:
        self.progress, self.shares, self.done = progress, list(shares), 0.0

    def next(self) -> Progress | None:
        share = self.shares.pop(0) if self.shares else 0.0
        begun = self.done
        self.done += share
        if self.progress is None:
            return None
        progress = self.progress
        return lambda part: progress(begun + share * part)


def second_payoff(game: PoolGame, tie_worth: float) -> Array:
    """Return the second player's payoff by gain made - gain of the target, from the least to the most."""
    most = game.gain(game.counts)
    over = np.arange(-most, most + 1)
    return np.where(over > 0, 1.0, np.where(over == 0, tie_worth, 0.0))


# Tables by points, which people read, and by gain, which solvers count.


def _point_axes(game: PoolGame) -> dict[str, Any]:
    low, high = game.lowest(game.counts), game.highest(game.counts)
    asides = [game.banked_dice(left) for left in game.pools]
    least = min(game.lowest(aside) for aside in asides)
    most = max(game.highest(aside) for aside in asides)
    return {"banked": np.arange(least, most + 1), "needed": np.arange(low - most, high - least + 1)}


def _shape(game: PoolGame, *more: int) -> tuple[int, ...]:
    return (*(n + 1 for n in game.counts), *more)


def _frozen(table: Array, *shape: int) -> Array:
    table = table.reshape(shape)
    table.setflags(write=False)
    return table


def _points_expected(game: PoolGame, gains: Array) -> Array:
    worst = np.array([game.worst(left) for left in game.pools])
    return _frozen(worst + game.sign * gains, *_shape(game))


def _points_first(game: PoolGame, rows: Array) -> Array:
    banked = _point_axes(game)["banked"]
    table = np.full((len(game.pools), len(banked)), np.nan)
    for index, left in enumerate(game.pools):
        aside = game.banked_dice(left)
        points = np.array(game.scores(aside))
        table[index, points - banked[0]] = rows[index, game.sign * (points - game.worst(aside))]
    return _frozen(table, *_shape(game, len(banked)))


def _by_gain(game: PoolGame, table: Array) -> Array:
    banked = _point_axes(game)["banked"]
    rows = np.full((len(game.pools), game.gain(game.counts) + 1), np.nan)
    for index, left in enumerate(game.pools):
        aside = game.banked_dice(left)
        gains = np.arange(game.gain(aside) + 1)
        rows[index, gains] = table[index, game.worst(aside) + game.sign * gains - banked[0]]
    return rows


def _points_second(game: PoolGame, rows: Array) -> Array:
    needed = _point_axes(game)["needed"]
    low, high = game.lowest(game.counts), game.highest(game.counts)
    table = np.full((len(game.pools), len(needed)), np.nan)
    for index, left in enumerate(game.pools):
        aside = game.banked_dice(left)
        reached = np.arange(low - game.highest(aside), high - game.lowest(aside) + 1)
        over = game.sign * (game.worst(left) - reached)
        table[index, reached - needed[0]] = rows[index, over + game.gain(game.counts)]
    return _frozen(table, *_shape(game, len(needed)))


def second_rows(game: PoolGame, tie_worth: float, table: Array) -> Array:
    """Return the second player's table by gain: [pool, gain banked - gain of the target + the most gain there is]."""
    needed = _point_axes(game)["needed"]
    low, high = game.lowest(game.counts), game.highest(game.counts)
    most = game.gain(game.counts)
    rows = np.full((len(game.pools), 2 * most + 1), np.nan)
    for index, left in enumerate(game.pools):
        aside = game.banked_dice(left)
        reached = np.arange(low - game.highest(aside), high - game.lowest(aside) + 1)
        rows[index, game.sign * (game.worst(left) - reached) + most] = table[index, reached - needed[0]]
    return rows
