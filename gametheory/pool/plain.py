"""One position through the plain rules: every roll enumerated, no kernel. What solved tables are verified with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np

from .. import dice
from ..games import PoolGame, State
from .solver import Array

EVERY_KEEP = 100_000
"""Positions with no more keeps than this, over all rolls, try every one of them."""

AT_ONCE = 200_000
"""How many rolls of a large position are worked out at once."""

Worth = Callable[[tuple[int, ...], int], float]
"""What a move is worth, by the dice left then and the points it made."""


def reader(game: PoolGame, rows: Array) -> Worth:
    """Return a table by pool and gain banked as a function of the dice left and the points banked."""

    def read(dice_left: tuple[int, ...], banked: int) -> float:
        gain = game.sign * (banked - game.worst(game.banked_dice(dice_left)))
        return float(rows[game.pool_index(dice_left), gain])

    return read


def value(game: PoolGame, dice_left: tuple[int, ...], worth: Worth) -> float:
    """Average over all rolls of these dice the best that a keep leads to.

    Small positions try every keep. Large ones only try how many of each kind to keep, best faces first, which is as
    good while the worth never falls with the gain: that is checked.
    """
    if game.count_rolls(dice_left) * 2 ** sum(dice_left) > EVERY_KEEP:
        return _value_by_counts(game, dice_left, worth)
    state = State(dice_left, 0)
    known: dict[State, float] = {}
    total = 0.0
    for roll, weight in game.rolls(state):
        best = -np.inf
        for _, then, _ in game.moves(state, roll):
            if then not in known:
                known[then] = worth(*then)
            best = max(best, known[then])
        total += weight * best
    return total / game.count_ways(dice_left)


def _value_by_counts(game: PoolGame, dice_left: tuple[int, ...], worth: Worth) -> float:
    kinds = range(len(dice_left))
    rolls = [game.best_gains(k, dice_left[k]) for k in kinds]
    # gains[k][roll, j]: what the best j dice of kind k gain.
    gains, chances = [np.array(best) for best, _ in rolls], [np.array(chance) for _, chance in rolls]
    after = [
        (kept, _worth_by_gain(game, dice_left, kept, worth))
        for kept in product(*(range(n + 1) for n in dice_left))
        if any(kept)
    ]
    # The kind with the most rolls is cut into slices, so that the arrays stay small.
    long = max(kinds, key=lambda k: len(chances[k]))
    step = max(1, AT_ONCE // prod(len(chances[k]) for k in kinds if k != long))
    total = 0.0
    for begin in range(0, len(chances[long]), step):
        cut = [slice(begin, begin + step) if k == long else slice(None) for k in kinds]
        best: Any = -np.inf
        for kept, row in after:
            gain: Any = 0
            for k in kinds:
                gain = np.add.outer(gain, gains[k][cut[k], kept[k]])
            best = np.maximum(best, row[gain])
        for k in reversed(kinds):
            best = best @ chances[k][cut[k]]
        total += float(best)
    return total


def _worth_by_gain(game: PoolGame, dice_left: tuple[int, ...], kept: tuple[int, ...], worth: Worth) -> Any:
    """Return what keeping so many dice of each kind is worth, by what they gain."""
    left = tuple(n - j for n, j in zip(dice_left, kept, strict=True))
    points = game.worst(kept) + game.sign * np.arange(game.gain(kept) + 1)
    row = np.array([worth(left, int(made)) for made in points])
    if np.any(np.diff(row) < -1e-9):
        raise ValueError(f"a move that leaves {dice.format_dice(left, game.kinds)} is worth less with more gain")
    return row
