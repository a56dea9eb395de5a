"""Races played with dice: as fast as the kernel throws them, in plain Python for functions, and by a person."""

from __future__ import annotations

import itertools
import math
import random
import threading
from typing import Any, Protocol

import numpy as np

from ..answers import Move, Ranking, Simulation, standard_error
from ..dice import Stream
from ..progress import Progress
from ..sitting import Sitting, Spoken
from .notation import Position
from .policies import RacePolicy, ask, check_same, turn_ends
from .rules import RaceGame, keeps
from .solver import share_out, standings
from .turn import TurnChances, options, throws

GAMES_AT_ONCE = 250_000
"""How many games a thread plays before it says so."""


def simulate(
    a: RacePolicy, b: RacePolicy, games: int, seed: int = 0, *, threads: int | None = None, progress: Progress | None = None
) -> Simulation:
    """Play games with dice. The same seed gives the same games on any number of threads.

    Every game has its own random numbers. A policy that is a function is played in plain Python, some hundred games a
    second.
    """
    if games < 1:
        raise ValueError(f"games is {games}: give 1 or more")
    check_same(b, a.game, a.axis)
    if a.plan is None or b.plan is None:
        return _simulate_plainly(a, b, games, seed, progress)
    from . import kernel

    game, axis = a.game, a.axis
    offered, allowed = options(game, every_roll=True, every_keep=False), standings(game, axis)
    every = options(game, every_roll=True)
    cumulative = np.concatenate(
        [np.cumsum(offered.weight[low:high]) for low, high in itertools.pairwise(offered.first.tolist())]
    )
    most_points = np.maximum.reduceat(offered.points, offered.start[:-1])
    sums = axis.scores[:, None] + axis.scores
    order = np.argsort(sums, axis=None, kind="stable")
    plans = (a.plan, b.plan)
    # The start of every game's random numbers is a number of its own, out of a generator that can be entered anywhere.
    states = np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, games, dtype=np.uint64)
    wins = turns = 0
    squares = 0.0

    played, lock = [0], threading.Lock()

    def play(low: int, high: int) -> list[tuple[int, int, float]]:
        found = []
        for start in range(low, high, GAMES_AT_ONCE):
            end = min(start + GAMES_AT_ONCE, high)
            found.append(
                kernel.play_games(
                    offered, every, cumulative, most_points, throws(game), allowed, plans, axis.opened, order,
                    states[start:end],
                )
            )  # fmt: skip
            if progress:
                with lock:
                    played[0] += end - start
                    progress(played[0] / games)
        return found

    for found in itertools.chain(*share_out(games, threads, play, least=10_000)):
        wins, turns, squares = wins + int(found[0]), turns + int(found[1]), squares + float(found[2])
    return _summary(games, seed, wins, turns, squares)


def _summary(games: int, seed: int, wins: int, turns: int, squares: float) -> Simulation:
    share, mean = wins / games, turns / games
    error = standard_error(share, games)
    return Simulation(
        games, seed, (share, 1.0 - share), (error, error), first_win=share, tie=0.0, second_win=1.0 - share,
        standard_error=error, mean_turns=mean,
        mean_turns_standard_error=math.sqrt(max(squares / games - mean * mean, 0.0) / games),
    )  # fmt: skip


def _simulate_plainly(a: RacePolicy, b: RacePolicy, games: int, seed: int, progress: Progress | None) -> Simulation:
    """Play with the plain rules, asking functions; other policies move at random by their exact turns."""
    game, axis = a.game, a.axis
    allowed = standings(game, axis)
    wins = turns = 0
    squares = 0.0
    for number in range(games):
        dice = random.Random(f"{seed} {number}")
        at, mover, length = [0, 0], 0, 0
        while True:
            length += 1
            chosen, mine, theirs = (a, b)[mover], at[mover], at[1 - mover]
            total = _turn_plainly(chosen, mine, theirs, dice)
            if total >= allowed.need[mine]:
                break
            if total:
                at[mover] = int(allowed.after[mine]) + total
            mover = 1 - mover
        wins += mover == 0
        turns += length
        squares += length**2
        if progress:
            progress((number + 1) / games)
    return _summary(games, seed, wins, turns, squares)


def _turn_plainly(chosen: RacePolicy, mine: int, theirs: int, dice: random.Random) -> int:
    """Play one turn; return the units that it banks."""
    game, axis = chosen.game, chosen.axis
    if chosen.function is None:
        ends = turn_ends(chosen, np.array([mine]), np.array([theirs]), 1)[0]
        total = dice.choices(range(len(ends)), ends.tolist())[0]
        return total if total < len(ends) - 1 else int(standings(game, axis).need[mine])
    least = int(standings(game, axis).least[mine])
    total, count = 0, game.dice
    while True:
        roll = tuple(sorted((dice.randint(1, game.sides) for _ in range(count)), reverse=True))
        offered = {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)}
        if not offered:
            return 0
        position = Position(
            int(axis.scores[mine]), bool(axis.opened[mine]), int(axis.scores[theirs]), bool(axis.opened[theirs]),
            total * game.unit, count,
        )  # fmt: skip
        points, left, banks = ask(chosen, position, roll, offered)
        total += points // game.unit
        if banks or left == 0 or total >= standings(game, axis).need[mine]:
            return total if total >= least else 0
        count = left


# A person plays.


class Seated(Protocol):
    """A race solved for two, as one who plays it throw by throw sees it."""

    @property
    def game(self) -> RaceGame: ...
    @property
    def notation(self) -> Spoken: ...
    def chances(self, score: int, opponent: int) -> TurnChances: ...
    def moves(self, roll: Any, *, turn: int, score: int, opponent: int) -> Ranking: ...


class RaceSitting(Sitting):
    """A race for two that a person plays against one who plays to win."""

    def __init__(self, race: Seated, me: int) -> None:
        super().__init__(race.notation, me)
        self.race, self.game = race, race.game
        self.scores = [0, 0]
        self.turn, self.left = 0, self.game.dice

    def _sides(self) -> tuple[int, int]:
        """Return the score of the player to move, and of the other."""
        return self.scores[self.to_move], self.scores[1 - self.to_move]

    def chance(self) -> float:
        return self.race.chances(*self._sides()).rolled(self.turn // self.game.unit, self.left)

    @property
    def place(self) -> dict[str, Any]:
        score, opponent = self._sides()
        return {"turn": self.turn, "score": score, "opponent": opponent}

    @property
    def seen(self) -> Position:
        score, opponent = self._sides()
        opened = [points > 0 or not self.game.opening for points in (score, opponent)]
        return Position(score, opened[0], opponent, opened[1], self.turn, self.left)

    def can_ask(self, policy: Any) -> bool:
        return policy.function is not None or policy.name in ("win", "score")

    def throw(self, stream: Stream) -> None:
        self.roll, self.ranking, self.listed = stream.roll(self.left, self.game.sides), None, ()
        if keeps(self.game, self.roll):
            score, opponent = self._sides()
            self.ranking = self.race.moves(self.roll, turn=self.turn, score=score, opponent=opponent)
            self.listed = self.ranking.moves

    def lost(self) -> float:
        return self.race.chances(*self._sides()).lose

    def told(self) -> list[str]:
        # A throw that is no bust makes points, so that only the first of a turn is made at 0.
        lines = [] if self.turn else [""]
        if not self.mine:
            return lines
        score, opponent = self._sides()
        shown = self.notation.write_roll(self.roll)
        return [*lines, f"You {score}, they {opponent}, this turn {self.turn}. The roll: {shown}"]

    def play(self, move: Move | None) -> list[str]:
        roll = self.notation.write_roll(self.roll)
        if move is None:
            lost = f" and {'lose' if self.turn else 'make'} {self.turn or 'nothing'}"
            return ["  A bust." if self.mine else f"They bust with {roll}{lost}.", *self._end_turn(0)]
        self.turn += move.points
        then = "bank" if move.bank else f"roll {move.dice_left} more"
        lines = [] if self.mine else [f"They roll {roll}, keep {self.notation.write_roll(move.keep)}, {then}."]
        if not move.bank:
            self.left = move.dice_left
            return lines
        # A total that may not be banked, with no dice left to throw, is lost.
        return lines + self._end_turn(self.turn if move.expected_score > 0 else 0)

    def _end_turn(self, banked: int) -> list[str]:
        """Pass the dice on, or end the race; return the lines that say what the player has now."""
        who = self.to_move
        self.scores[who] += banked
        lines = [f"{'You' if self.mine else 'They'} have {self.scores[who]}."]
        if self.scores[who] >= self.game.goal:
            self.shares = (0.0, 1.0) if who else (1.0, 0.0)
            said = "you win" if self.mine else "they win"
            lines.append(f"You made {self.scores[self.me]}, they made {self.scores[1 - self.me]}: {said}.")
        self.turn, self.left, self.to_move = 0, self.game.dice, 1 - who
        return lines
