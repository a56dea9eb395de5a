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
from .policies import RacePolicy, ask, check_same, crashed, position_at, turn_ends, within
from .rules import RaceGame, keeps
from .solver import share_out
from .standings import levels, standings
from .turn import TurnChances, options, throws

GAMES_AT_ONCE = 250_000
"""How many games a thread plays before it says so."""


def simulate(
    a: RacePolicy, b: RacePolicy, games: int, seed: int = 0, *, threads: int | None = None,
    progress: Progress | None = None, tie: float = 0.5,
) -> Simulation:  # fmt: skip
    """Play games with dice. The same seed gives the same games on any number of threads.

    `tie` is what a tie of a last round is worth to the second player. Every game has its own random numbers. A policy that
    is a function is played in plain Python, some hundred games a second.
    """
    if games < 1:
        raise ValueError(f"games is {games}: give 1 or more")
    check_same(b, a.game, a.axis)
    if a.plan is None or b.plan is None:
        return _simulate_plainly(a, b, games, seed, progress, tie)
    from . import kernel

    game, axis = a.game, a.axis
    offered, allowed = options(game, every_roll=True, every_keep=False), standings(game, axis)
    every = options(game, every_roll=True)
    cumulative = np.concatenate(
        [np.cumsum(offered.weight[low:high]) for low, high in itertools.pairwise(offered.first.tolist())]
    )
    most_points = np.maximum.reduceat(offered.points, offered.start[:-1])
    size, start = len(axis.scores), axis.start
    pairs = np.concatenate(levels(game, axis)[::-1])
    order = np.concatenate([[start * size + start], pairs[:, 0] * size + pairs[:, 1]])
    plans = (a.plan, b.plan)
    # The start of every game's random numbers is a number of its own, out of a generator that can be entered anywhere.
    states = np.random.Generator(np.random.PCG64(seed)).integers(0, 2**64, games, dtype=np.uint64)
    wins = ties = turns = 0
    squares = 0.0

    played, lock = [0], threading.Lock()

    def play(low: int, high: int) -> list[tuple[int, int, int, float]]:
        found = []
        for start in range(low, high, GAMES_AT_ONCE):
            end = min(start + GAMES_AT_ONCE, high)
            found.append(
                kernel.play_games(
                    offered, every, cumulative, most_points, throws(game), allowed, plans, order, states[start:end],
                )
            )  # fmt: skip
            if progress:
                with lock:
                    played[0] += end - start
                    progress(played[0] / games)
        return found

    for found in itertools.chain(*share_out(games, threads, play, least=10_000)):
        wins, ties = wins + int(found[0]), ties + int(found[1])
        turns, squares = turns + int(found[2]), squares + float(found[3])
    return _summary(games, seed, wins, ties, turns, squares, tie)


def _summary(games: int, seed: int, wins: int, ties: int, turns: int, squares: float, tie: float) -> Simulation:
    share, tied, mean = wins / games, ties / games, turns / games
    value = share + (1.0 - tie) * tied
    spread = share + (1.0 - tie) ** 2 * tied - value * value
    error = math.sqrt(max(spread, 0.0) / games) if ties else standard_error(share, games)
    return Simulation(
        games, seed, (value, 1.0 - value), (error, error), first_win=share, tie=tied, second_win=1.0 - share - tied,
        standard_error=error, mean_turns=mean,
        mean_turns_standard_error=math.sqrt(max(squares / games - mean * mean, 0.0) / games),
    )  # fmt: skip


def _simulate_plainly(
    a: RacePolicy, b: RacePolicy, games: int, seed: int, progress: Progress | None, tie: float
) -> Simulation:
    """Play with the plain rules, asking functions; other policies move at random by their exact turns."""
    game, axis = a.game, a.axis
    allowed = standings(game, axis)
    wins = ties = turns = 0
    squares = 0.0
    for number in range(games):
        dice = random.Random(f"{seed} {number}")
        at, mover, length = [axis.start, axis.start], 0, 0
        while True:
            length += 1
            theirs = at[1 - mover]
            new = _turn_plainly((a, b)[mover], at[mover], theirs, dice)
            if new is None or allowed.over[theirs]:
                gap = 1 if new is None else int(allowed.score[new] - allowed.score[theirs])
                wins += (gap > 0) == (mover == 0) and gap != 0
                ties += gap == 0
                break
            at[mover] = new
            mover = 1 - mover
        turns += length
        squares += length**2
        if progress:
            progress((number + 1) / games)
    return _summary(games, seed, wins, ties, turns, squares, tie)


def _turn_plainly(chosen: RacePolicy, mine: int, theirs: int, dice: random.Random) -> int | None:
    """Play one turn; return the standing that it leads to, None if it wins for sure."""
    game, axis, allowed = chosen.game, chosen.axis, standings(chosen.game, chosen.axis)
    nothing, crash, after = (int(column[mine]) for column in (allowed.nothing, allowed.crash, allowed.after))
    if chosen.function is None:
        ends = turn_ends(chosen, np.array([mine]), np.array([theirs]), 1)[0]
        total = dice.choices(range(len(ends)), ends.tolist())[0]
        return {0: nothing, len(ends) - 2: crash, len(ends) - 1: None}.get(total, after + total)
    least, need = int(allowed.least[mine]), int(allowed.need(mine, theirs))
    total, count = 0, game.dice
    while True:
        roll = tuple(sorted((dice.randint(1, game.sides) for _ in range(count)), reverse=True))
        every = {keep.kept: (keep.points, keep.dice_left) for keep in keeps(game, roll)}
        offered = within(game, every, (need - total) * game.unit)
        if not offered:
            return crash if crashed(game, roll) else nothing
        points, left, banks = ask(chosen, position_at(axis, mine, theirs, total * game.unit, count), roll, offered)
        total += points // game.unit
        if total >= need:
            return None
        if banks or left == 0:
            return after + total if total >= least else nothing
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
