"""Policies around a table of n who play in turn: what a seat has when it plays one policy, and all others another.

Forward over standings: `met[best, sharing, held]` is the chance that `best` is the best outcome so far, that so many share
it, and that the seat looked at is one of them. A policy that does not look at the target always makes the same; `win` is
the play that is best when all play to win (see `players`), which hangs on the standing and on how many come after.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .. import columns, games
from ..answers import Array, Chase, Comparison, Distribution, Fair
from ..policies import ByValues, ScoringPolicy
from ..progress import Progress
from . import handicap, parting
from .scored import Scored
from .solution import ORDINALS, Player, seat_number

Standing = tuple[int, int]
"""The best outcome so far, and how many share it."""


MOST_PLAYERS = 12


class Seated(Scored):
    """A solved game of several players in turn, as it is asked about one seat after the other."""

    n: int
    hold: Array
    value_table: Array

    groups = ("place", "target")
    deals = False
    least_players = 2
    because = {"best_answer": "compare --players tells what a policy wins in a seat"}  # noqa: RUF012

    @abstractmethod
    def seat_payoff(self, hold: Array, standing: Standing | None) -> Array:
        """Return a player's payoff by outcome against a standing, where holders then keep these shares."""

    def chase(self, *, players_after: int | None = None) -> Chase:
        after = self.n - 2 if players_after is None else players_after
        if not 0 <= after <= self.n - 2:
            raise ValueError(f"{after} players after the next: of {self.n} players from 0 to {self.n - 2} can come after")
        space, step = self.space, self.space.sign
        chances = np.full((2, len(space.outcomes)), np.nan)
        chances[0, space.attained] = self.value_table[after, space.attained, 1]
        chances[1, space.attained] = self.hold[after + 1, space.attained, 1]
        shown = list(space.attained[::step])
        (worth, kept), title = chances[:, shown].tolist(), f"{self.game.name}, {self.n} players: the chance of the next, "
        title += f"{after} more to come, against the best score so far"
        return Chase(title, tuple(space.outcomes[shown].tolist()), tuple(worth), tuple(kept), self.game.higher_wins)

    def policy(self, chosen: Player) -> ScoringPolicy:
        if isinstance(chosen, str) and chosen == "win":
            return InTurn()
        return self.make_policy(chosen)

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        self.check_distribution(self.game, self.n, target, seat)
        number = seat_number("first" if seat is None else seat, self.n)
        return distribution(self, self.policy(policy), number, force=force, progress=progress)

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        number = seat_number("first" if seat is None else seat, self.n)
        chosen = [self.policy(policy) for policy in policies or self.policy_names(self.game)]
        return compare(self, chosen, number, ORDINALS[number], force=force, progress=progress)

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        if target is not None:
            raise ValueError(f"--target {target} is for the game for two in turn: leave it out, or say --seat")
        if seat is not None:
            seat_number(seat, players or MOST_PLAYERS)

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        if seat is not None:
            seat_number(seat, MOST_PLAYERS)
        if target is not None and games.space(game).outcome(target) not in games.space(game).attained:
            raise ValueError(f"nobody can make {target} in {game.name}: give a score that can be made")

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> parting.DuelDifference | parting.SeatDifference:  # fmt: skip
        self.check_diff(self.game, seat, target)
        number = seat_number(seat or ("first" if target is None else self.n), self.n)
        ways = self.policy(policy or "score"), self.policy(to or "win")
        return difference(self, ways, number, target, self.policy(against or "win"), force=force, progress=progress)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        return fair(self, 2 if around is None else around, progress)


class InTurn(ScoringPolicy):
    """Plays to win as all others do; how, hangs on the seat and the standing (see `seats`)."""

    name = "win"

    def taken(self, solved: Any, place: int, begin: int, width: int, target: Any = None) -> tuple[Any, Any]:
        raise ValueError("win hangs on who has played: say a seat")


class Play:
    """What policies make in every seat, against every standing; each is worked out once."""

    def __init__(self, players: Any, force: bool = False) -> None:
        self.players, self.space, self.n, self.force = players, players.space, players.n, force
        self.known: dict[tuple[Any, int, Standing | None], Array] = {}

    def made(self, policy: ScoringPolicy, seat: int, standing: Standing | None) -> Array:
        """Return the chances of the outcomes of a policy in a seat, from 0 on, against a standing (None: the first seat)."""
        after, asked = self.n - 1 - seat, "win" if policy.name == "win" else id(policy)
        if policy.name != "win":
            after, standing = 0, None if standing is None or "target" in policy.ignores else (standing[0], 1)
        key = asked, after, standing
        if key not in self.known:
            self.known[key] = self.space.made(self._visits(policy, after, standing))
        return self.known[key]

    def _visits(self, policy: ScoringPolicy, after: int, standing: Standing | None) -> Array:
        if policy.name == "win":
            rows = self.rows(self.players.hold[after], standing)
            return columns.visits(self.space, rows, self.players.gain_expected)
        target = None if standing is None else self.space.outcomes[standing[0]].item()
        return policy.visits(self.players, target, force=self.force)

    def rows(self, hold: Array, standing: Standing | None) -> Array:
        """Return the values of the best play against a standing where holders keep these shares."""
        payoff = self.players.seat_payoff(hold, standing)
        return columns.best(self.space, self.space.ends(payoff)).values

    def sit_down(self, policies: Sequence[ScoringPolicy], seat: int) -> Array:
        """Let policies play in turn, one a seat; return the last `met` of the seat looked at."""
        outcomes = len(self.space.outcomes)
        met = np.zeros((outcomes, self.n + 2, 2))
        for number, policy in enumerate(policies):
            mine = int(number == seat)
            then = np.zeros_like(met)
            if number == 0:
                then[:, 1, mine] = self.made(policy, 0, None)
                met = then
                continue
            for best, sharing, held in np.argwhere(met > 0.0).tolist():
                chance, made = met[best, sharing, held], self.made(policy, number, (best, sharing))
                then[best, sharing, held] += chance * made[:best].sum()
                then[best, sharing + 1, held | mine] += chance * made[best]
                then[best + 1 :, 1, mine] += chance * made[best + 1 :]
            met = then
        return met

    def holds(self, policy: ScoringPolicy) -> Array:
        """Return the share of each holder, [players to come, target, sharing], where all to come play a policy."""
        if policy.name == "win":
            return np.asarray(self.players.hold)
        n, outcomes = self.n, len(self.space.outcomes)
        hold = np.full((n, outcomes, n + 1), np.nan)
        hold[0, self.space.attained, 1:] = 1.0 / np.arange(1, n + 1)
        for k in range(n - 1):
            for best in self.space.attained:
                for sharing in range(1, n - k):
                    made = self.made(policy, n - 1 - k, (best, sharing))
                    less, same = made[:best].sum(), made[best]
                    hold[k + 1, best, sharing] = less * hold[k, best, sharing] + same * hold[k, best, sharing + 1]
        return hold


def compare(
    players: Any, chosen: Sequence[ScoringPolicy], seat: int, name: str, *, force: bool = False,
    progress: Progress | None = None,
) -> Comparison:  # fmt: skip
    """Compare policies in a seat, a row each, against all others who play the policy of the column."""
    play, size = Play(players, force), len(chosen)
    alone, shared, share = np.zeros((3, size, size))
    sharing = np.arange(1, players.n + 2)
    for number in range(size * size):
        row, column = divmod(number, size)
        around = [chosen[row] if place == seat else chosen[column] for place in range(players.n)]
        held = play.sit_down(around, seat)[:, 1:, 1].sum(axis=0)
        alone[row, column], shared[row, column] = held[0], held[1:].sum()
        share[row, column] = (held / sharing).sum()
        if progress:
            progress((number + 1) / size**2)
    names = tuple(policy.name for policy in chosen)
    return Comparison(names, alone, shared, np.clip(1.0 - alone - shared, 0.0, 1.0), seat=name, shares=share)


def distribution(
    players: Any, policy: ScoringPolicy, seat: int, *, force: bool = False, progress: Progress | None = None
) -> Distribution:
    """Return the distribution of a seat's final score where all play a policy in turn."""
    play = Play(players, force)
    if seat == 0 or ("target" in policy.ignores and policy.name != "win"):
        found: Distribution = players.told(play.made(policy, 0, None))
        return found
    met = play.sit_down([policy] * seat, 0).sum(axis=2)
    made = np.zeros(len(players.space.outcomes))
    standings = np.argwhere(met > 0.0).tolist()
    for done, (best, sharing) in enumerate(standings, 1):
        made += met[best, sharing] * play.made(policy, seat, (best, sharing))
        if progress:
            progress(done / len(standings))
    found = players.told(made)
    return found


# Where two ways part in a seat.


def difference(
    players: Any, ways: tuple[ScoringPolicy, ScoringPolicy], seat: int, target: Any, against: ScoringPolicy, *,
    force: bool = False, progress: Progress | None = None,
) -> parting.DuelDifference | parting.SeatDifference:  # fmt: skip
    """Find where two ways part in a seat, all others playing one policy; later seats without a target on average."""
    play, space = Play(players, force), players.space
    hold = play.holds(against)[players.n - 1 - seat]
    named = f"player {seat + 1} of {players.n}"

    def at(standing: Standing | None, where: str, progress: Progress | None = None) -> parting.DuelDifference:
        payoff, rows = players.seat_payoff(hold, standing), play.rows(hold, standing)
        one, other = (ByValues(players, "win", rows) if way.name == "win" else way for way in ways)
        score = None if standing is None else space.outcomes[standing[0]].item()
        chosen = parting.Ways(one, other, payoff, score)
        return parting.between(players, chosen, rows, where=where, force=force, progress=progress)

    if seat == 0:
        if target is not None:
            raise ValueError(f"--target {target}: the first of {players.n} has no score to beat; leave it or --seat out")
        return at(None, named, progress)
    if target is not None:
        return at((int(space.outcome(target) or 0), 1), f"{named} against {target}", progress)
    met = play.sit_down([against] * seat, 0).sum(axis=2)
    standings = np.argwhere(met > 0.0).tolist()
    listed: dict[Any, list[tuple[float, Any]]] = {}
    for done, (best, sharing) in enumerate(standings, 1):
        summary = at((best, sharing), named).summary
        listed.setdefault(space.outcomes[best].item(), []).append((float(met[best, sharing]), summary))
        if progress:
            progress(done / len(standings))
    return parting.on_average(players, f"{named}, all others playing {against.name}", (ways[0].name, ways[1].name), listed)


# A fair start.


def fair(players: Any, around: int, progress: Progress | None = None) -> Fair:
    """Find the whole number of points that brings the first of n closest to an even share."""
    space, start = players.space, _Starts(players)
    most = int(np.ceil(space.points[-1])) + 1
    return handicap.fair(
        players.game, "sequential", "split", most, space.sign, lambda _, bonus: start.value(bonus), around, progress,
        players=players.n,
    )  # fmt: skip


class _Starts:
    """The first player's values by bonus: a score with a bonus may be one that nobody else can make."""

    def __init__(self, players: Any) -> None:
        self.players, self.space, self.play = players, players.space, Play(players)
        self.known: dict[tuple[int, int], float] = {}

    def value(self, bonus: int) -> float:
        """Return the first player's value with a bonus, in gain."""
        space, worth = self.space, np.zeros(len(self.space.outcomes))
        for outcome in space.attained:
            worth[outcome] = self._kept(float(space.points[outcome]) + bonus)
        places = np.searchsorted(space.attained, np.arange(len(worth)), "right") - 1
        payoff = np.maximum.accumulate(worth[np.array(space.attained)])[np.maximum(places, 0)]
        return float(columns.best(space, space.ends(payoff)).values[space.start, 0])

    def _kept(self, points: float) -> float:
        """Return the share that the first keeps with so many points above the worst score."""
        space, last = self.space, self.players.n - 1
        scored = self._scored
        below = int(np.searchsorted(scored, points))
        if below < len(scored) and scored[below] == points:
            return float(self.players.hold[last, space.attained[below], 1])
        return self._untied(last, below)

    @cached_property
    def _scored(self) -> Array:
        return np.asarray(self.space.points[np.array(self.space.attained)])

    def _untied(self, to_come: int, below: int) -> float:
        """Return the share kept, with so many to come, by one whom score number `below` and better pass, and none ties."""
        attained = self.space.attained
        if to_come == 0 or below == len(attained):
            return 1.0
        if below == 0:
            return 0.0
        if (to_come, below) not in self.known:
            hold = self.players.hold[to_come - 1].copy()
            hold[: attained[below], 1] = 0.0
            rows = self.play.rows(hold, None)
            made = self.space.made(columns.visits(self.space, rows, self.players.gain_expected))
            self.known[to_come, below] = float(made[: attained[below]].sum()) * self._untied(to_come - 1, below)
        return self.known[to_come, below]

