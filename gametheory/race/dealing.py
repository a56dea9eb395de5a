"""Races played with dice: as fast as the kernel throws them, or in plain Python for policies that are functions."""

from __future__ import annotations

import itertools
import math
import random
from typing import NamedTuple

import numpy as np

from .policies import Chooser, Policy, State, ask, pair_up, share_out, turn_ends
from .rules import RaceGame, keeps
from .solver import RaceSolution, options, standings, throws


class Simulation(NamedTuple):
    """What came of playing: shares of games, their standard error, and the mean turns of both players together."""

    games: int
    first_win: float
    second_win: float
    standard_error: float
    mean_turns: float
    mean_turns_standard_error: float


GAMES_AT_ONCE = 250_000


def simulate(
    race: RaceGame | RaceSolution,
    first: str | Chooser | Policy,
    second: str | Chooser | Policy,
    *,
    games: int,
    seed: int = 0,
    threads: int | None = None,
) -> Simulation:
    """Play games with dice. The same seed gives the same games on any number of threads.

    Every game has its own random numbers. A policy that is a function is played in plain Python, some hundred games a
    second.
    """
    if games < 1:
        raise ValueError(f"games is {games}: give 1 or more")
    a, b = pair_up(race, first, second)
    if a.plan is None or b.plan is None:
        return _simulate_plainly(a, b, games, seed)
    from . import kernel as race_kernel

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

    def part(low: int, high: int) -> list[tuple[int, int, float]]:
        return [
            race_kernel.play_games(
                offered, every, cumulative, most_points, throws(game), allowed, plans, axis.opened, order,
                states[start : min(start + GAMES_AT_ONCE, high)],
            )
            for start in range(low, high, GAMES_AT_ONCE)
        ]  # fmt: skip

    for found in itertools.chain(*share_out(games, threads, part, least=10_000)):
        wins, turns, squares = wins + int(found[0]), turns + int(found[1]), squares + float(found[2])
    return _summary(games, wins, turns, squares)


def _summary(games: int, wins: int, turns: int, squares: float) -> Simulation:
    share, mean = wins / games, turns / games
    return Simulation(
        games, share, 1.0 - share, math.sqrt(share * (1.0 - share) / games), mean,
        math.sqrt(max(squares / games - mean * mean, 0.0) / games),
    )  # fmt: skip


def _simulate_plainly(a: Policy, b: Policy, games: int, seed: int) -> Simulation:
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
    return _summary(games, wins, turns, squares)


def _turn_plainly(chosen: Policy, mine: int, theirs: int, dice: random.Random) -> int:
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
        state = State(
            int(axis.scores[mine]), bool(axis.opened[mine]), int(axis.scores[theirs]), bool(axis.opened[theirs]),
            total * game.unit, count,
        )  # fmt: skip
        points, left, banks = ask(chosen, state, roll, offered)
        total += points // game.unit
        if banks or left == 0 or total >= standings(game, axis).need[mine]:
            return total if total >= least else 0
        count = left
