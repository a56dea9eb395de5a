"""The game for n players in turn: each plays out, sees the best score so far and how many share it; ties share the win.

Backward from the last seat. A *standing* is the best score so far and how many players hold it. While k players are
still to play, each holder of the standing (best, sharing) keeps the share

    hold[0](best, sharing) = 1 / sharing
    hold[k + 1](best, sharing) = P(next scores less) * hold[k](best, sharing)
                               + P(next scores the same) * hold[k](best, sharing + 1)

and the next player, with k more to come after, plays for the payoff

    u[score] = hold[k](score, 1) above the best, hold[k](best, sharing + 1) at it, 0 below

so that a standing is one solve, and one exact evaluation of the play that is best for it. Of moves that are equally
good for the one who makes them the usual rule takes one (see `ranking`): the others are not indifferent to that choice.

Arrays, targets as gain (see `games.PoolGame`), NaN where no play leads:

    hold[players to come, target, sharing]     share of each holder
    value[players after, target, sharing]      chance of the player about to play; a shared win counts by its share
    open[players after]                        the same where nobody has played yet
    standings[seat, target, sharing]           chance to meet this standing in this seat when all play to win
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..ask.policies import Score, Win
from ..games import PoolGame, game_from_rules
from ..pool import plain
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from ..store.stored import Stored
from . import duel, evaluate

MOST_PLAYERS = 12

NEVER = 1e-16
"""A chance this small counts as none: a target that the play without one misses so seldom changes nothing."""

FALLS = 1e-12
"""A payoff may fall by this much as the score gets better: rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Players:
    """The solved game for n players in turn."""

    game: PoolGame
    n: int
    hold: Array
    value_table: Array
    open: Array
    standings: Array
    seat_values: Array
    """Each seat's chance to win, first seat first, when all play for it; a shared win counts by its share."""
    score_values: Array
    """The same for a seat that alone plays for points."""
    error_bound: float

    kind = "players"

    @property
    def first_player_value(self) -> float:
        return float(self.seat_values[0])

    @property
    def score_costs(self) -> Array:
        """What playing for points costs each seat when the others play to win."""
        return self.seat_values - self.score_values

    def value(self, players_after: int, target: int | None = None, sharing: int | None = None) -> float:
        """Return the chance to win of a player about to play, with a best score so far that `sharing` players hold.

        Without a target nobody has played yet. A target beyond all scores is lost, one below them all is no target.
        """
        place = self._target(players_after, target, sharing)
        if place is None:
            return float(self.open[players_after])
        gain, holders = place
        if gain > self.game.gain(self.game.counts):
            return 0.0
        return float(self.value_table[players_after, gain, holders])

    def payoff(self, players_after: int, target: int | None = None, sharing: int | None = None) -> dict[int, float]:
        """Return what each final score is worth to a player with so many to come after, against a standing."""
        worst = self.game.worst(self.game.counts)
        worth = self._payoff(players_after, self._target(players_after, target, sharing))
        return {score: float(worth[abs(score - worst)]) for score in self.game.scores()}

    def after(
        self, players_after: int, target: int | None = None, sharing: int | None = None
    ) -> Callable[[tuple[int, ...], int], float]:
        """Return the chance to win after a move, by dice left and points banked then."""
        payoff = self._payoff(players_after, self._target(players_after, target, sharing))
        return plain.reader(self.game, pool.solve_rows(self.game, payoff).values)

    def needed(self, players_to_come: int, chance: float = 0.5) -> int | None:
        """Return the lowest score (the highest where lower wins) that gives its only holder this chance to win, or None.

        How far the leader must be ahead: with more players to come it takes more.
        """
        if not 0 <= players_to_come < self.n:
            raise ValueError(f"{players_to_come} players to come: of {self.n} players from 0 to {self.n - 1} can be")
        safe = np.flatnonzero(self.hold[players_to_come, :, 1] >= chance)
        return None if len(safe) == 0 else self.game.worst(self.game.counts) + self.game.sign * int(safe[0])

    def _target(self, players_after: int, target: int | None, sharing: int | None) -> tuple[int, int] | None:
        """Return a standing as (gain, holders), None for none; refuse what cannot be."""
        if not 0 <= players_after < self.n:
            raise ValueError(f"{players_after} players after: of {self.n} players from 0 to {self.n - 1} can be")
        if target is None:
            if sharing:
                raise ValueError(f"{sharing} players share no score: give the best score so far as the target")
            return None
        before = self.n - 1 - players_after
        sharing = 1 if sharing is None else sharing
        if not 1 <= sharing <= before:
            raise ValueError(
                f"{sharing} players cannot share the best score when {before} of {self.n} have played and "
                f"{players_after} come after: give 1 to {before}, or more players in all"
                if before
                else f"a target of {target} where all {self.n - 1} others come after: leave it out, or fewer come after"
            )
        game = self.game
        gain = game.sign * (target - game.worst(game.counts))
        if gain < 0:
            return None
        if gain <= game.gain(game.counts) and target not in game.scores():
            raise ValueError(f"nobody can have made {target} points with {game.dice}: give a score that can be made")
        return gain, sharing

    def _payoff(self, players_after: int, standing: tuple[int, int] | None) -> Array:
        return _payoff(self.game, self.hold[players_after], standing)

    def verify(self, seed: int = 0) -> tuple[int, float]:
        """Recompute a sample of values; return how many, and the largest difference.

        Each is solved from its payoff and its last step taken through the plain rules; the seats must add to 1, and the
        shares kept in the sampled standings follow from the play of the next player.
        """
        game, random = self.game, np.random.default_rng(seed)
        expected = duel.solve(game, force=True).gain_expected
        apart = [abs(float(self.seat_values.sum()) - 1.0), abs(float(self.open[-1] - self.seat_values[0]))]
        samples: list[tuple[int, tuple[int, int] | None]] = [(self.n - 1, None)]
        found = np.argwhere(np.isfinite(self.value_table))
        for k, gain, sharing in found[random.choice(len(found), min(4, len(found)), replace=False)]:
            samples.append((int(k), (int(gain), int(sharing))))
        for k, standing in samples:
            rows = pool.solve_rows(game, self._payoff(k, standing)).values
            stored = self.open[k] if standing is None else self.value_table[(k, *standing)]
            apart.append(abs(plain.value(game, game.counts, plain.reader(game, rows)) - float(stored)))
            if standing is not None:
                made = evaluate.value_visits(game, rows, expected)[0]
                gain, sharing = standing
                kept = made[:gain].sum() * self.hold[k, gain, sharing] + made[gain] * self.hold[k, gain, sharing + 1]
                apart.append(abs(float(kept - self.hold[k + 1, gain, sharing])))
        return len(apart), float(max(apart)) if np.all(np.isfinite(apart)) else float("inf")

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        axes = {
            "players": np.arange(self.n),
            "target": np.arange(self.game.gain(self.game.counts) + 1),
            "sharing": np.arange(self.n + 1),
            "seat": np.arange(1, self.n + 1),
        }
        shape = ("target", "sharing")
        return Stored(
            self.kind,
            self.game.rules(),
            {
                "players": self.n,
                "tie": "split",
                "error_bound": self.error_bound,
                "payoff": "hold: share of each holder of the best score by players to come; value: chance of the "
                "player about to play by players after; targets as gain, points above the worst score",
            },
            axes,
            {
                "hold": (("players", *shape), self.hold),
                "value": (("players", *shape), self.value_table),
                "open": (("players",), self.open),
                "standings": (("seat", *shape), self.standings),
                "seat_values": (("seat",), self.seat_values),
                "score_values": (("seat",), self.score_values),
            },
        )

    @classmethod
    def from_stored(cls, data: Stored) -> Players:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        game, n = game_from_rules(data.rules), int(data.facts["players"])
        if not isinstance(game, PoolGame):
            raise ValueError(f"{game.name} is no pool game")
        table = (n, game.gain(game.counts) + 1, n + 1)

        def array(name: str, shape: tuple[int, ...]) -> Array:
            found = np.asarray(data.arrays[name][1], float)
            if found.shape != shape:
                raise ValueError(f"the array {name} has shape {found.shape} where the rules ask for {shape}")
            found.setflags(write=False)
            return found

        return cls(
            game, n, array("hold", table), array("value", table), array("open", (n,)), array("standings", table),
            array("seat_values", (n,)), array("score_values", (n,)), float(data.facts["error_bound"]),
        )  # fmt: skip

    def __repr__(self) -> str:
        seats = ", ".join(f"{value:.6f}" for value in self.seat_values)
        return f"<Players: {self.n} play {self.game.name} ({self.game.dice}) in turn: {seats}>"


def _payoff(game: PoolGame, hold: Array, standing: tuple[int, int] | None) -> Array:
    """Return a player's payoff by gain; gains that no score has take that of the next lower score."""
    worst = game.worst(game.counts)
    reached = sorted(abs(score - worst) for score in game.scores())
    worth = np.where(np.isnan(hold[:, 1]), 0.0, hold[:, 1])
    if standing is not None:
        gain, sharing = standing
        worth[:gain] = 0.0
        if gain < len(worth):
            worth[gain] = hold[gain, sharing + 1]
    scored = worth[reached]
    even = np.maximum.accumulate(scored)
    if np.any(even - scored > FALLS):
        pool.check_monotone(game, worth, reached)
    places = np.searchsorted(reached, np.arange(len(worth)), "right") - 1
    return even[places]


def solve_players(
    game: PoolGame, n: int, *, threads: int | None = None, progress: Progress | None = None, force: bool = False
) -> Players:
    """Solve the game for n players in turn; a win is shared by those who tie at the top."""
    if not isinstance(n, int) or not 2 <= n <= MOST_PLAYERS:
        raise ValueError(f"{n} players: give a number from 2 to {MOST_PLAYERS}")
    if not force:
        pool.check_size(game)
    worst = game.worst(game.counts)
    targets = sorted(abs(score - worst) for score in game.scores())
    columns = game.gain(game.counts) + 1
    two = duel.solve(game, threads=threads, force=True)
    expected = two.gain_expected
    hold = np.full((n, columns, n + 1), np.nan)
    value = np.full((n, columns, n + 1), np.nan)
    open_values = np.ones(n)
    hold[0, targets, 1:] = 1.0 / np.arange(1, n + 1)
    # made[k, target, sharing]: the distribution of the player with k to come after who meets the standing.
    made: dict[tuple[int, int, int], Array] = {}
    work = sum((n - 1 - k) * len(targets) for k in range(n - 1)) + 1
    done = 0

    def play(k: int, standing: tuple[int, int] | None) -> tuple[float, Array]:
        """Return the value of a standing with k players to come after, and the distribution of its best play."""
        rows = pool.solve_rows(game, _payoff(game, hold[k], standing), threads=1).values
        return float(rows[-1, 0]), evaluate.value_visits(game, rows, expected)[0]

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        if progress:
            progress(done / work)

    def record(k: int, standing: tuple[int, int], worth: float, scored: Array) -> None:
        target, sharing = standing
        value[k, target, sharing], made[k, target, sharing] = worth, scored
        less, same = scored[:target].sum(), scored[target]
        hold[k + 1, target, sharing] = less * hold[k, target, sharing] + same * hold[k, target, sharing + 1]
        advance(1)

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        for sharing, (worth, less, same) in enumerate(workers.map(lambda c: _answer_last(game, c), range(1, n)), 1):
            value[0, targets, sharing] = worth[targets]
            hold[1, targets, sharing] = (less / sharing + same / (sharing + 1))[targets]
            advance(len(targets))
        for k in range(1, n):
            open_values[k], first = play(k, None)
            missed = np.cumsum(first)
            met = [(target, sharing) for target in targets for sharing in range(1, n - k) if missed[target] > NEVER]
            for standing, result in zip(met, workers.map(partial(play, k), met), strict=True):
                record(k, standing, *result)
            for target in targets:
                if missed[target] <= NEVER:
                    for sharing in range(1, n - k):
                        record(k, (target, sharing), float(open_values[k]), first)
    standings_met = _meet(n, targets, columns, first, made)
    for_points = evaluate.score_distribution(two, Score(two))
    seat_values, score_values = np.zeros(n), np.zeros(n)
    seat_values[0], score_values[0] = open_values[-1], for_points @ _payoff(game, hold[n - 1], None)
    for seat in range(1, n):
        k = n - 1 - seat
        for target, sharing in np.argwhere(standings_met[seat] > 0):
            chance = standings_met[seat, target, sharing]
            seat_values[seat] += chance * value[k, target, sharing]
            score_values[seat] += chance * (for_points @ _payoff(game, hold[k], (int(target), int(sharing))))
    for array in (hold, value, open_values, standings_met, seat_values, score_values):
        array.setflags(write=False)
    if progress:
        progress(1.0)
    # Each player's error adds to the payoff of those before.
    bound = n * (pool._error_bound(game, pool.TOLERANCE, 1.0) + NEVER)
    return Players(game, n, hold, value, open_values, standings_met, seat_values, score_values, bound)


def _answer_last(game: PoolGame, sharing: int) -> tuple[Array, Array, Array]:
    """Return the last player's value, and chances to make less and the same, by the gain of the target.

    It is the game for two with another worth of a tie, so that one solve covers every target.
    """
    last = duel.solve(game, 1.0 / (sharing + 1), threads=1, force=True)
    wins, ties = evaluate.replies(last, Win(last))
    worst = game.worst(game.counts)
    worth = np.array([last.second(worst + game.sign * gain) for gain in range(len(wins))])
    return worth, np.maximum(0.0, 1.0 - wins - ties), ties


def _meet(n: int, targets: list[int], columns: int, first: Array, made: dict[tuple[int, int, int], Array]) -> Array:
    """Return the chance of each standing before each seat, when all play to win."""
    met = np.zeros((n, columns, n + 1))
    met[1, :, 1] = first
    for seat in range(1, n - 1):
        k = n - 1 - seat
        for target in targets:
            for sharing in range(1, seat + 1):
                chance, scored = met[seat, target, sharing], made[k, target, sharing]
                met[seat + 1, target, sharing] += chance * scored[:target].sum()
                met[seat + 1, target, sharing + 1] += chance * scored[target]
                met[seat + 1, target + 1 :, 1] += chance * scored[target + 1 :]
    return met
