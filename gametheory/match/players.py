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

Arrays, targets as outcomes, which are gains where points add up (see `columns`), NaN where no play leads:

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
from typing import Any

import numpy as np

from .. import columns, games
from ..answers import Array, Checked, Plain, Ranking, Simulation, Stored
from ..policies import Score, Win
from ..progress import Progress
from ..space import Space
from ..ties import parse_tie
from . import duel, table
from .scored import Named, check_array, check_expected
from .seats import MOST_PLAYERS, Seated
from .solution import Player, Request

NEVER = 1e-16
"""A chance this small counts as none: a target that the play without one misses so seldom changes nothing."""

FALLS = 1e-12
"""A payoff may fall by this much as the score gets better: rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Players(Seated):
    """The solved game for n players in turn."""

    space: Space
    n: int
    hold: Array
    value_table: Array
    open: Array
    standings: Array
    seat_values: Array
    """Each seat's chance to win, first seat first, when all play for it; a shared win counts by its share."""
    score_values: Array
    """The same for a seat that alone plays for points."""
    expected_array: Named
    error_bound: float

    kind = "players"
    chance_arrays = ("hold", "value", "open", "standings", "seat_values", "score_values")
    called = "a several-player match"
    instead = "ask the game for two, without --players"
    tie = "split"
    tie_worth = 0.5
    options = ("target", "players_after", "sharing")

    @classmethod
    def check(cls, game: Any, request: Request) -> None:
        if request.match != "sequential" or parse_tie(request.tie)[0] != "split":
            raise ValueError("several players play in turn and share ties at the top: leave --match and --tie out")
        if request.players is None or not 2 <= request.players <= MOST_PLAYERS:
            raise ValueError(f"{request.players} players: give 2 to {MOST_PLAYERS}")

    @classmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Players:
        assert request.players is not None
        return solve_players(game, request.players, threads=request.threads, progress=progress, force=request.force)

    @classmethod
    def facts(cls, tie: str, players: int | None) -> Plain:
        return {"kind": cls.kind, "players": players}

    @classmethod
    def file_parts(cls, tie: str, players: int | None) -> list[str]:
        return [f"{players}-players"]

    @property
    def first_player_value(self) -> float:
        return float(self.seat_values[0])

    @property
    def second_player_value(self) -> float:
        return float(self.seat_values[1])

    def headline(self) -> Plain:
        return super().headline() | {
            "error_bound": self.error_bound, "seat_values": self.seat_values.tolist(),
            "score_costs": self.score_costs.tolist(),
        }  # fmt: skip

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
        if gain >= len(self.space.outcomes):
            return 0.0
        return float(self.value_table[players_after, gain, holders])

    def payoff(self, players_after: int, target: Any = None, sharing: int | None = None) -> dict[Any, float]:
        """Return what each final score is worth to a player with so many to come after, against a standing."""
        worth = self._payoff(players_after, self._target(players_after, target, sharing))
        space = self.space
        scores = {space.outcomes[outcome].item(): float(worth[outcome]) for outcome in space.attained}
        return dict(sorted(scores.items()))

    def after(
        self, players_after: int, target: Any = None, sharing: int | None = None
    ) -> Callable[[Any], float]:
        """Return the chance to win after a move, by the state then."""
        space = self.space
        payoff = self._payoff(players_after, self._target(players_after, target, sharing))
        rows = columns.best(space, space.ends(payoff)).values
        return space.reader(rows)

    def moves(
        self, roll: Any, *, sort: str = "win", against: Player | None = None, target: Any = None,
        players_after: int | None = None, sharing: int | None = None, seat: str | None = None, **position: Any,
    ) -> Ranking:  # fmt: skip
        """Rank every distinct move of a roll of a player with so many still to play after."""
        if against is not None:
            raise ValueError("--against is for the game for two in turn: leave it out, all play to win")
        if seat is not None:
            raise ValueError(f"--seat {seat}: say how many play after me, --players-after, and leave --seat out")
        after = players_after or 0
        shown, state = self.notation.read(roll, **position)
        made = "nobody has played" if target is None else f"{1 if sharing is None else sharing} made {target}"
        found = self.list_moves(state, shown, self.after(after, target, sharing))
        return self.rank(state, shown, found, sort, f"{after} to play after me, {made}", target)

    @classmethod
    def check_moves(
        cls, game: Any, request: Request, roll: Any, *, players_after: int | None = None, target: Any = None,
        sharing: int | None = None, **position: Any,
    ) -> None:  # fmt: skip
        super().check_moves(game, request, roll, **position)
        assert request.players is not None
        _find_standing(games.space(game), request.players, players_after or 0, target, sharing)

    def seat_payoff(self, hold: Array, standing: tuple[int, int] | None) -> Array:
        return _payoff(self.space, hold, standing)

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        return table.go_round(self, first, second, games, seed)

    def needed(self, players_to_come: int, chance: float = 0.5) -> int | None:
        """Return the lowest score (the highest where lower wins) that gives its only holder this chance to win, or None.

        How far the leader must be ahead: with more players to come it takes more.
        """
        if not 0 <= players_to_come < self.n:
            raise ValueError(f"{players_to_come} players to come: of {self.n} players from 0 to {self.n - 1} can be")
        safe = np.flatnonzero(self.hold[players_to_come, :, 1] >= chance)
        return None if len(safe) == 0 else int(self.space.outcomes[safe[0]])

    def _target(self, players_after: int, target: int | None, sharing: int | None) -> tuple[int, int] | None:
        return _find_standing(self.space, self.n, players_after, target, sharing)

    def _payoff(self, players_after: int, standing: tuple[int, int] | None) -> Array:
        return _payoff(self.space, self.hold[players_after], standing)

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute a sample of values.

        Each is solved from its payoff and its last step taken through the plain rules; the seats must add to 1, and the
        shares kept in the sampled standings follow from the play of the next player.
        """
        space, random = self.space, np.random.default_rng(seed)
        shifts = int(space.solo.shifts)
        apart = [abs(float(self.seat_values.sum()) - 1.0), abs(float(self.open[-1] - self.seat_values[0]))]
        samples: list[tuple[int, tuple[int, int] | None]] = [(self.n - 1, None)]
        found = np.argwhere(np.isfinite(self.value_table))
        for k, gain, sharing in found[random.choice(len(found), min(4, len(found)), replace=False)]:
            samples.append((int(k), (int(gain), int(sharing))))
        for k, standing in samples:
            rows = columns.best(space, space.ends(self._payoff(k, standing))).values
            stored = self.open[k] if standing is None else self.value_table[(k, *standing)]

            def look(place: int, gain: int, rows: Array = rows) -> float:
                return float(rows[place, gain * shifts])

            (value,) = space.recompute(space.start, 0, [look])
            apart.append(abs(value - float(stored)))
            if standing is not None:
                made = space.made(columns.visits(space, rows, self.gain_expected))
                gain, sharing = standing
                kept = made[:gain].sum() * self.hold[k, gain, sharing] + made[gain] * self.hold[k, gain, sharing + 1]
                apart.append(abs(float(kept - self.hold[k + 1, gain, sharing])))
        return Checked(len(apart), float(max(apart)) if np.all(np.isfinite(apart)) else float("inf"))

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        axes = {
            "players": np.arange(self.n),
            "target": np.arange(len(self.space.outcomes)),
            "sharing": np.arange(self.n + 1),
            "seat": np.arange(1, self.n + 1),
            **self.space.left_axes,
        }
        shape = ("target", "sharing")
        return Stored(
            self.kind,
            games.rules(self.game),
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
                "expected": self.expected_array,
            },
        )

    @classmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Players:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        space = games.space(games.from_rules(data.rules) if game is None else game)
        n = int(data.facts["players"])
        shape = (n, len(space.outcomes), n + 1)

        def array(name: str, wanted: tuple[int, ...]) -> Array:
            return check_array(data.arrays[name][1], wanted)

        return cls(
            space, n, array("hold", shape), array("value", shape), array("open", (n,)), array("standings", shape),
            array("seat_values", (n,)), array("score_values", (n,)), check_expected(space, data.arrays["expected"]),
            float(data.facts["error_bound"]),
        )  # fmt: skip

    def __repr__(self) -> str:
        seats = ", ".join(f"{value:.6f}" for value in self.seat_values)
        return f"<Players: {self.n} play {self.game.name} in turn: {seats}>"


def _find_standing(
    space: Space, n: int, players_after: int, target: int | None, sharing: int | None
) -> tuple[int, int] | None:
    """Return a standing as (gain, holders), None for none; refuse what cannot be."""
    if not 0 <= players_after < n:
        raise ValueError(f"{players_after} players after: of {n} players from 0 to {n - 1} can be")
    if target is None:
        if sharing is not None:
            raise ValueError(f"{sharing} players share no score: give the best score so far (--target X, target=X)")
        return None
    before = n - 1 - players_after
    sharing = 1 if sharing is None else sharing
    if not 1 <= sharing <= before:
        raise ValueError(
            f"{sharing} players cannot share the best score when {before} of {n} have played and "
            f"{players_after} come after: give 1 to {before}, or more players in all"
            if before
            else f"a target of {target} where all {n - 1} others come after: leave it out, or fewer come after"
        )
    ahead = space.sign * (target - space.outcomes[0].item())
    if ahead < 0:
        return None
    if ahead > space.points[-1]:
        return len(space.outcomes), sharing
    outcome = space.outcome(target)
    if outcome is None or outcome not in space.attained:
        made = games.notation(space.game).labels.get("dice", space.game.name)
        raise ValueError(f"nobody can have made {target} points with {made}: give a score that can be made")
    return outcome, sharing


def _payoff(space: Space, hold: Array, standing: tuple[int, int] | None) -> Array:
    """Return a player's payoff by outcome; outcomes that no score has take that of the next lower one."""
    reached = space.attained
    worth = np.where(np.isnan(hold[:, 1]), 0.0, hold[:, 1])
    if standing is not None:
        target, sharing = standing
        worth[:target] = 0.0
        if target < len(worth):
            worth[target] = hold[target, sharing + 1]
    scored = worth[reached]
    even = np.maximum.accumulate(scored)
    if np.any(even - scored > FALLS):
        worth[reached] = np.where(even - scored > FALLS, scored, even)
        return space.smooth(worth)
    places = np.searchsorted(reached, np.arange(len(worth)), "right") - 1
    return np.asarray(even[places])


def solve_players(
    game: Any, n: int, *, threads: int | None = None, progress: Progress | None = None, force: bool = False
) -> Players:
    """Solve the game for n players in turn; a win is shared by those who tie at the top."""
    if not isinstance(n, int) or not 2 <= n <= MOST_PLAYERS:
        raise ValueError(f"{n} players: give a number from 2 to {MOST_PLAYERS}")
    space = games.space(game)
    space.check_size(force)
    space.check_question("players")
    two = duel.solve(game, threads=threads, force=True)
    solver = _Solver(space, n, two.gain_expected, threads, progress)
    solver.solve()
    for_points = two.made(Score(two))
    seat_values, score_values = solver.seats(for_points)
    for array in (solver.hold, solver.value, solver.open, solver.met, seat_values, score_values):
        array.setflags(write=False)
    if progress:
        progress(1.0)
    # Each player's error adds to the payoff of those before.
    bound = n * (space.bound(0.0, 1.0) + NEVER)
    return Players(
        space, n, solver.hold, solver.value, solver.open, solver.met, seat_values, score_values, two.expected_array, bound
    )


class _Solver:
    """Solves backward from the last seat, then follows the standings forward."""

    def __init__(self, space: Space, n: int, expected: Array, threads: int | None, progress: Progress | None) -> None:
        self.space, self.n, self.expected, self.threads, self.progress = space, n, expected, threads, progress
        self.targets = space.attained
        shape = (n, len(space.outcomes), n + 1)
        self.hold, self.value, self.met = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
        self.open = np.ones(n)
        self.hold[0, self.targets, 1:] = 1.0 / np.arange(1, n + 1)
        # made[k, target, sharing]: the distribution of the player with k to come after who meets the standing.
        self.made: dict[tuple[int, int, int], Array] = {}
        self.work = sum((n - 1 - k) * len(self.targets) for k in range(n - 1)) + 1
        self.done = 0

    def solve(self) -> None:
        """Fill in `hold`, `value` and `open` from the last player to the first, and then `met`."""
        n, targets = self.n, self.targets
        with ThreadPoolExecutor(self.threads or os.cpu_count() or 1) as workers:
            answers = workers.map(partial(_answer_last, self.space.game), range(1, n))
            for sharing, (worth, less, same) in enumerate(answers, 1):
                self.value[0, targets, sharing] = worth[targets]
                self.hold[1, targets, sharing] = (less / sharing + same / (sharing + 1))[targets]
                self._advance(len(targets))
            for k in range(1, n):
                self.open[k], first = self._play(k, None)
                missed = np.cumsum(first)
                met = [(target, sharing) for target in targets for sharing in range(1, n - k) if missed[target] > NEVER]
                for standing, result in zip(met, workers.map(partial(self._play, k), met), strict=True):
                    self._record(k, standing, *result)
                for target in targets:
                    if missed[target] <= NEVER:
                        for sharing in range(1, n - k):
                            self._record(k, (target, sharing), float(self.open[k]), first)
        self._meet(first)

    def _play(self, k: int, standing: tuple[int, int] | None) -> tuple[float, Array]:
        """Return the value of a standing with k players to come after, and the distribution of its best play."""
        space = self.space
        rows = columns.best(space, space.ends(_payoff(space, self.hold[k], standing)), threads=1).values
        return float(rows[space.start, 0]), space.made(columns.visits(space, rows, self.expected))

    def _advance(self, steps: int) -> None:
        self.done += steps
        if self.progress:
            self.progress(self.done / self.work)

    def _record(self, k: int, standing: tuple[int, int], worth: float, scored: Array) -> None:
        target, sharing = standing
        hold = self.hold
        self.value[k, target, sharing], self.made[k, target, sharing] = worth, scored
        less, same = scored[:target].sum(), scored[target]
        hold[k + 1, target, sharing] = less * hold[k, target, sharing] + same * hold[k, target, sharing + 1]
        self._advance(1)

    def _meet(self, first: Array) -> None:
        """Fill in the chance of each standing before each seat, when all play to win."""
        met, n = self.met, self.n
        met[1, :, 1] = first
        for seat in range(1, n - 1):
            k = n - 1 - seat
            for target in self.targets:
                for sharing in range(1, seat + 1):
                    chance, scored = met[seat, target, sharing], self.made[k, target, sharing]
                    met[seat + 1, target, sharing] += chance * scored[:target].sum()
                    met[seat + 1, target, sharing + 1] += chance * scored[target]
                    met[seat + 1, target + 1 :, 1] += chance * scored[target + 1 :]

    def seats(self, for_points: Array) -> tuple[Array, Array]:
        """Return each seat's chance, and that of a seat which alone plays for points."""
        n, space = self.n, self.space
        seat_values, score_values = np.zeros(n), np.zeros(n)
        seat_values[0], score_values[0] = self.open[-1], for_points @ _payoff(space, self.hold[n - 1], None)
        for seat in range(1, n):
            k = n - 1 - seat
            for target, sharing in np.argwhere(self.met[seat] > 0):
                chance = self.met[seat, target, sharing]
                seat_values[seat] += chance * self.value[k, target, sharing]
                payoff = _payoff(space, self.hold[k], (int(target), int(sharing)))
                score_values[seat] += chance * (for_points @ payoff)
        return seat_values, score_values


def _answer_last(game: Any, sharing: int) -> tuple[Array, Array, Array]:
    """Return the last player's value, and chances to make less and the same, by the outcome of the target.

    It is the game for two with another worth of a tie, so that one solve covers every target.
    """
    last = duel.solve(game, 1.0 / (sharing + 1), threads=1, force=True)
    wins, ties = Win(last).replies(last)
    worth = np.array([last.second(score) for score in last.space.outcomes.tolist()])
    return worth, np.maximum(0.0, 1.0 - wins - ties), ties
