"""Play policies against each other: the exact figures once more, by chance.

Games are dealt in blocks of BLOCK, each with its own generator seeded by (seed, block): the same seed gives the same games
on any number of threads. Built-in policies are played inside a kernel; a Python policy is asked roll by roll.

A policy that looks at the dice alone needs no dice to be rolled at all: its steps (see `evaluate`) are drawn directly.
Policies given by values roll real dice and look at the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..games import PoolGame
from ..match import evaluate
from ..match.duel import Duel
from ..pool.solver import Progress
from .policies import Policy, Position, Score, Steps, Win, check_keep

BLOCK = 8192


@dataclass(frozen=True)
class Played:
    """What came of simulated games; the standard error is of `first_win`, and so for the others."""

    games: int
    first_win: float
    tie: float
    second_win: float
    standard_error: float
    tie_standard_error: float
    first_mean: float
    second_mean: float
    first_mean_standard_error: float
    second_mean_standard_error: float


def play(
    duel: Duel, first: Policy, second: Policy, games: int, seed: int = 0, *, threads: int | None = None,
    progress: Progress | None = None,
) -> Played:  # fmt: skip
    """Play so many games of one policy against another."""
    if games < 1:
        raise ValueError(f"{games} games: give 1 or more")
    if seed < 0:
        raise ValueError(f"the seed {seed}: give 0 or more")
    game = duel.game
    players = [_player(duel, policy) for policy in (first, second)]
    blocks = range(-(-games // BLOCK))

    def block(number: int) -> tuple[Any, Any]:
        size = min(BLOCK, games - number * BLOCK)
        draw = np.random.default_rng([seed, number])
        wanted = np.full(size, -1, np.int64)
        made = players[0](draw, wanted)
        return made, players[1](draw, made)

    scores = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        for done, pair in enumerate(workers.map(block, blocks), 1):
            scores.append(pair)
            if progress:
                progress(done / len(blocks))
    one, two = (np.concatenate([pair[seat] for pair in scores]) for seat in (0, 1))
    won, tied = float(np.mean(one > two)), float(np.mean(one == two))
    worst = game.worst(game.counts)
    means = [worst + game.sign * float(np.mean(gains)) for gains in (one, two)]
    errors = [float(np.std(gains) / np.sqrt(games)) for gains in (one, two)]
    return Played(
        games, won, tied, float(np.mean(one < two)), _error(won, games), _error(tied, games), *means, *errors
    )  # fmt: skip


def _error(chance: float, games: int) -> float:
    return float(np.sqrt(chance * (1 - chance) / games))


Player = Callable[[np.random.Generator, Any], Any]
"""Plays one game for each entry: from the gains of the targets (-1: none, playing first) to the gains made."""


def _player(duel: Duel, policy: Policy) -> Player:
    game = duel.game
    if isinstance(policy, Score | Win):
        return _valued_player(duel, policy)
    if evaluate.policy_is_blind(policy) and hasattr(policy, "steps"):
        return _step_player(game, evaluate.steps(duel, policy))
    return _python_player(game, policy)


def _valued_player(duel: Duel, policy: Score | Win) -> Player:
    """Play by the tables: real dice, the best keep by value, ties by the rule."""
    from ..pool import kernel as pool_kernel

    game = duel.game
    most = game.gain(game.counts)
    expected = duel.gain_expected
    values = np.zeros((2, len(game.pools), 2 * most + 1))
    if isinstance(policy, Win):
        values[0, :, : most + 1] = duel.gain_first
        values[1] = duel.gain_second
    sides = np.array([die.sides for die in game.kinds])
    gains = np.zeros((len(game.kinds), int(sides.max())), np.int64)
    for k in range(len(game.kinds)):
        gains[k, : sides[k]] = game.face_gains(k)
    strides = np.array([game.pool_index(tuple(int(i == k) for i in range(len(sides)))) for k in range(len(sides))])
    caps = np.array([game.gain(left) for left in game.pools])

    def player(draw: np.random.Generator, wanted: Any) -> Any:
        return pool_kernel.play(
            values, expected, caps, sides, gains, strides, np.array(game.counts), most, isinstance(policy, Win), wanted,
            int(draw.integers(1 << 32)),
        )  # fmt: skip

    return player


def _step_player(game: PoolGame, steps: Steps) -> Player:
    """Draw the steps of a policy that looks at the dice alone: all games at once, pool by pool."""
    order = sorted(steps, key=lambda index: -sum(game.pools[index]))
    cumulated = {index: np.cumsum(chances) for index, (_, _, chances) in steps.items()}

    def player(draw: np.random.Generator, wanted: Any) -> Any:
        where = np.full(len(wanted), len(game.pools) - 1)
        made = np.zeros(len(wanted), np.int64)
        for index in order:
            here = np.flatnonzero(where == index)
            if len(here):
                subs, gains, _ = steps[index]
                sums = cumulated[index]
                step = np.searchsorted(sums, draw.random(len(here)) * sums[-1], side="right")
                step = np.minimum(step, len(subs) - 1)
                where[here] = subs[step]
                made[here] += gains[step]
        return made

    return player


def _python_player(game: PoolGame, policy: Policy) -> Player:
    """Ask a Python policy, roll by roll."""
    worst = game.worst(game.counts)

    def player(draw: np.random.Generator, wanted: Any) -> Any:
        made = np.zeros(len(wanted), np.int64)
        for place, gain in enumerate(wanted):
            target = None if gain < 0 else worst + game.sign * int(gain)
            position = Position(game.counts, 0, target)
            while any(position.dice_left):
                roll = tuple(
                    tuple(sorted((int(face) for face in draw.integers(1, die.sides + 1, n)), reverse=True))
                    for n, die in zip(position.dice_left, game.kinds, strict=True)
                )
                keep = policy(position, roll)
                check_keep(game, roll, keep)
                left = tuple(n - len(faces) for n, faces in zip(position.dice_left, keep, strict=True))
                position = Position(left, position.banked + game.points(keep), target)
            made[place] = game.sign * (position.banked - worst)
        return made

    return player
