"""Every way to sit down and play a pool game, beside the game for two in turn (`duel`): one front door.

    alternating    roll by roll in turn, all in view                      `solve_alternating`
    simultaneous   nobody sees the other's score before both are done     `solve_hidden`
    n players      in turn, ties at the top share the win                 `solve_players`

Here also: the head start that makes a game for two even (`fair`), and playing each format by chance (`simulate`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ask import moves as ranking
from ..dice import Roll
from ..games import PoolGame, State
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from . import duel
from .alternating import Alternating, solve_alternating, solve_leads
from .duel import parse_tie
from .hidden import Hidden, solve_hidden
from .players import Players, solve_players

__all__ = [
    "Alternating", "Fair", "Hidden", "Players", "Simulated", "fair", "simulate", "solve_alternating", "solve_hidden",
    "solve_players",
]  # fmt: skip

MATCHES = ("sequential", "alternating", "simultaneous")


# Fair starts.


@dataclass(frozen=True)
class Fair:
    """The whole number of points, added to the first player's final score, that brings the game closest to even."""

    game: PoolGame = field(repr=False)
    match: str
    tie: str
    bonus: int
    value_by_bonus: dict[int, float]
    """The first player's value by bonus, from the worst for the first player to the best."""

    @property
    def advice(self) -> str:
        """Which seat you want, in one line."""
        start = f"{self.game.name}, {self.match}, ties {self.tie}"
        even = self.value_by_bonus[0]
        if self.match == "simultaneous":
            return f"{start}: both seats are alike, each wins half; by symmetry the fair bonus is 0."
        if abs(even - 0.5) < 1e-9:
            return f"{start}: sit where you like, each seat wins half."
        seat, share = ("first", even) if even > 0.5 else ("second", 1.0 - even)
        with_bonus = self.value_by_bonus[self.bonus]
        rest = (
            "no whole bonus is closer to even."
            if self.bonus == 0
            else f"{self.bonus:+d} points for the first player bring the first player to {with_bonus:.4f}."
        )
        return f"{start}: sit {seat}, which wins {share:.4f}; {rest}"


def fair(
    game: PoolGame, match: str = "sequential", tie: str | float = "split", *, around: int = 2,
    threads: int | None = None, progress: Progress | None = None, force: bool = False,
) -> Fair:  # fmt: skip
    """Find the bonus to the first player's final score that makes the game closest to even.

    The answer has the values of the bonuses up to `around` away from it, and of none. Where lower scores win, a bonus
    below zero helps. Under `replay` the bonus is given again every time.
    """
    if match not in MATCHES:
        raise ValueError(f"there is no match {match!r}: say {', '.join(MATCHES)}")
    if around < 0:
        raise ValueError(f"values around the bonus as far as {around}: give 0 or more")
    name, worth = parse_tie(tie)
    if match == "simultaneous":
        if worth != 0.5:
            raise ValueError(f"ties {name} in a simultaneous game, where nobody is first: say split")
        # A bonus to one of two players who sit alike can only take the game away from even.
        return Fair(game, match, name, 0, {0: 0.5})
    if not force:
        pool.check_size(game)
    if worth is None:
        duel.check_replay(game.name, game.scores())
    starts: _Sequential | _Leads
    if match == "sequential":
        starts = _Sequential(game, threads)
    else:
        # One solve gives every bonus, unless each has its own worth of a tie: then the bonuses are what is counted.
        starts = _Leads(game, threads, None if worth is None else progress)
    counted = progress if worth is None or match == "sequential" else None
    known: dict[int, float] = {}

    def value(gain: int) -> float:
        if gain not in known:
            if worth is None:
                _, known[gain] = duel.settle_replay(lambda worth: starts.value(worth, gain), lambda value: value)
            else:
                known[gain] = starts.value(worth, gain)
            if counted:
                counted(min(0.99, len(known) / (2 * around + 3)))
        return known[gain]

    # The value never falls as the bonus grows: walk towards even and one step past it.
    best = 0
    step = 1 if value(0) < 0.5 else -1
    most = game.gain(game.counts) + 1
    while abs(best) < most and (value(best) - 0.5) * step < 0:
        best += step
    if best and abs(value(best - step) - 0.5) <= abs(value(best) - 0.5):
        best -= step
    shown = sorted({0, *range(best - around, best + around + 1)})
    values = {game.sign * gain: value(gain) for gain in shown}
    if progress:
        progress(1.0)
    return Fair(game, match, name, game.sign * best, values)


class _Sequential:
    """First player's values by bonus, one player after the other."""

    def __init__(self, game: PoolGame, threads: int | None) -> None:
        self.game, self.threads = game, threads
        self.replies: dict[float, Array] = {}

    def value(self, worth: float, bonus: int) -> float:
        """Return the first player's value with a bonus, in gain, and a worth of a tie to the second player."""
        game, most = self.game, self.game.gain(self.game.counts)
        if worth not in self.replies:
            second = pool.solve_rows(game, duel.second_payoff(game, worth), threads=self.threads).values
            self.replies[worth] = second[-1, : most + 1][::-1]
        target = np.arange(most + 1) + bonus
        reply = self.replies[worth][np.clip(target, 0, most)]
        payoff = 1.0 - np.where(target > most, 0.0, np.where(target < 0, 1.0, reply))
        return float(pool.solve_rows(game, payoff, threads=self.threads).values[-1, 0])


class _Leads:
    """First player's values by bonus, roll by roll: a bonus is a lead at the start."""

    def __init__(self, game: PoolGame, threads: int | None, progress: Progress | None) -> None:
        self.game, self.threads, self.progress = game, threads, progress
        self.solved: dict[float, tuple[int, Any]] = {}

    def value(self, worth: float, bonus: int) -> float:
        """Return the first player's value with a bonus, in gain, and a worth of a tie to the second player."""
        reach, leads = self.solved.get(worth, (-1, None))
        if reach < abs(bonus):
            # One solve covers all bonuses up to some size.
            reach = abs(bonus) + 3
            leads = solve_leads(self.game, worth, reach, threads=self.threads, progress=self.progress).first_by_lead()
            self.solved[worth] = reach, leads
        return float(leads[bonus])


# Playing by chance.


@dataclass(frozen=True)
class Simulated:
    """What came of games played by chance: each seat's share of the wins, and the standard error of each."""

    games: int
    seat_values: tuple[float, ...]
    standard_errors: tuple[float, ...]


def simulate(solution: Alternating | Players | Hidden, games: int, seed: int = 0) -> Simulated:
    """Play a solved format by its own policies; plain Python, some thousand games a second on small pools."""
    if games < 2:
        raise ValueError(f"{games} games: give 2 or more")
    if seed < 0:
        raise ValueError(f"the seed {seed}: give 0 or more")
    table = _Table(solution.game, np.random.default_rng(seed))
    plays: dict[type, Callable[[Any, _Table], Sequence[float]]]
    plays = {Alternating: _alternate, Players: _go_round, Hidden: _hide}
    play = plays[type(solution)]
    shares = np.array([play(solution, table) for _ in range(games)])
    errors = shares.std(axis=0, ddof=1) / np.sqrt(games)
    return Simulated(games, tuple(map(float, shares.mean(axis=0))), tuple(map(float, errors)))


class _Table:
    """Rolls dice, and remembers what was decided on every roll."""

    def __init__(self, game: PoolGame, random: np.random.Generator) -> None:
        self.game, self.random = game, random
        self.expected = duel.solve(game).expected
        self.decided: dict[Hashable, State] = {}
        self.wins: dict[Hashable, Callable[[tuple[int, ...], int], float]] = {}

    def turn(self, state: State, aim: Hashable, win: Callable[[], Callable[[tuple[int, ...], int], float]]) -> State:
        """Roll once and move to what is best for a chance to win; `aim` names it and `win` makes it."""
        roll: Roll = tuple(
            tuple(sorted((int(face) for face in self.random.integers(1, die.sides + 1, left)), reverse=True))
            for left, die in zip(state.dice_left, self.game.kinds, strict=True)
        )
        place = (state, roll, aim)
        if place not in self.decided:
            if aim not in self.wins:
                self.wins[aim] = win()
            worth = self.wins[aim]
            found = [
                ranking.Move(keep, points, after.dice_left, self.expected(*after), worth(*after))
                for keep, after, points in self.game.moves(state, roll)
            ]
            best = ranking.order(found, self.game.sign)[0]
            self.decided[place] = State(best.dice_left, state.banked + best.points)
        return self.decided[place]

    def play_out(self, aim: Hashable, win: Callable[[], Callable[[tuple[int, ...], int], float]]) -> int:
        """Play a whole game alone; return its gain."""
        state = self.game.start
        while any(state.dice_left):
            state = self.turn(state, aim, win)
        return abs(state.banked - self.game.worst(self.game.counts))


def _alternate(solution: Alternating, table: _Table) -> tuple[float, float]:
    states, seat = [table.game.start, table.game.start], 0
    while any(states[0].dice_left) or any(states[1].dice_left):
        mine, theirs = states[seat], states[1 - seat]
        if any(mine.dice_left):
            lead = mine.banked - theirs.banked
            name = ("first", "second")[seat]
            aim = (seat, theirs.dice_left, lead, mine.banked)
            states[seat] = table.turn(
                mine,
                aim,
                lambda: solution.after(theirs.dice_left, lead, mine.banked, name),  # noqa: B023
            )
        seat = 1 - seat
    ahead = table.game.sign * (states[0].banked - states[1].banked)
    first = 1.0 - solution.tie_worth if ahead == 0 else float(ahead > 0)
    return first, 1.0 - first


def _go_round(solution: Players, table: _Table) -> list[float]:
    game, made = table.game, list[int]()
    for seat in range(solution.n):
        best = max(made, default=None)
        target = None if best is None else game.worst(game.counts) + game.sign * best
        aim = (solution.n - 1 - seat, target, made.count(best) if best is not None else None)
        made.append(table.play_out(aim, lambda: solution.after(*aim)))  # noqa: B023
    return [(gain == max(made)) / made.count(max(made)) for gain in made]


def _hide(solution: Hidden, table: _Table) -> tuple[float, float]:
    first, second = (
        table.play_out(int(policy), lambda: solution.policy(int(policy)))  # noqa: B023
        for policy in table.random.choice(len(solution.weights), 2, p=solution.weights)
    )
    won = 0.5 if first == second else float(first > second)
    return won, 1.0 - won
