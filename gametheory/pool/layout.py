"""The tables of a pool, by points, which people read, and by gain, which solvers count.

    expected[d6, d8, ...]           expected points still to come
    first[d6, d8, ..., banked]      first player's chance to win
    second[d6, d8, ..., needed]     second player's chance to win; needed = target - banked

One axis for each kind of die, how many are left; where rolls are counted one more, `rolls_left`, how many may still be
made. Entries that no play can reach are NaN.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..answers import Array, Plain
from ..levels import Places
from .rules import PoolGame

Arrays = dict[str, tuple[tuple[str, ...], Any]]


def axes(game: PoolGame) -> Plain:
    """Return the labels along each named axis of the tables."""
    return left_axes(game) | _point_axes(game)


def left_axes(game: PoolGame) -> Plain:
    """Return the labels along the axes of what is left to play."""
    counts = {die.name: np.arange(n + 1) for n, die in zip(game.counts, game.kinds, strict=True)}
    return counts if game.roll_limit is None else counts | {"rolls_left": np.arange(game.roll_limit + 1)}


def pack(game: PoolGame, expected: Array, first: Array, second: Array) -> Arrays:
    """Return the tables by points of rows by gain."""
    left = tuple(left_axes(game))
    return {
        "expected": (left, points_expected(game, expected)),
        "first": ((*left, "banked"), _points_first(game, first)),
        "second": ((*left, "needed"), _points_second(game, second)),
    }


def unpack(game: PoolGame, arrays: Arrays) -> tuple[Array, Array, Array]:
    """Return the rows by gain of tables by points; refuse arrays that do not fit the rules."""
    # Counted, not listed: what rules say may be far larger than the table that says them.
    least = sum(n * min(0, die.lowest) for n, die in zip(game.counts, game.kinds, strict=True))
    most = sum(n * max(0, die.highest) for n, die in zip(game.counts, game.kinds, strict=True))
    span = most - least + 1
    needed = span + game.gain(game.counts)
    for name, extra in (("expected", ()), ("first", (span,)), ("second", (needed,))):
        shape = _shape(game, *extra)
        if arrays[name][1].shape != shape:
            raise ValueError(f"an array has shape {arrays[name][1].shape} where the rules ask for {shape}")
    expected, first, second = (np.asarray(arrays[name][1], float) for name in ("expected", "first", "second"))
    places = len(game.places)
    rows = _gain_first(game, first.reshape(places, -1)), _gain_second(game, second.reshape(places, -1))
    return gain_expected(game, expected), *rows


def gain_expected(game: PoolGame, table: Array) -> Array:
    """Return the expected gain still to come, by place, of a table of expected points."""
    worst = np.array([game.worst(left) for left, _ in game.places])
    gains: Array = game.sign * (table.reshape(-1) - worst)
    return gains


@lru_cache(maxsize=16)
def _point_axes(game: PoolGame) -> Plain:
    low, high = game.lowest(game.counts), game.highest(game.counts)
    asides = [game.banked_dice(left) for left in game.pools]
    least = min(game.lowest(aside) for aside in asides)
    most = max(game.highest(aside) for aside in asides)
    return {"banked": np.arange(least, most + 1), "needed": np.arange(low - most, high - least + 1)}


def _shape(game: PoolGame, *more: int) -> tuple[int, ...]:
    rolls = () if game.roll_limit is None else (game.roll_limit + 1,)
    return (*(count + 1 for count in game.counts), *rolls, *more)


def _frozen(table: Array, *shape: int) -> Array:
    table = table.reshape(shape)
    table.setflags(write=False)
    return table


def points_expected(game: PoolGame, gains: Array) -> Array:
    worst = np.array([game.worst(left) for left, _ in game.places])
    return _frozen(worst + game.sign * gains, *_shape(game))


@lru_cache(maxsize=16)
def _attained(game: PoolGame) -> tuple[Places, Places, Places]:
    """Return every place with every number of points that can be banked there: places, points, gains."""
    asides = [game.banked_dice(left) for left, _ in game.places]
    points = [np.array(game.scores(aside)) for aside in asides]
    gains = [game.sign * (made - game.worst(aside)) for aside, made in zip(asides, points, strict=True)]
    return np.repeat(np.arange(len(asides)), list(map(len, points))), np.concatenate(points), np.concatenate(gains)


def _points_first(game: PoolGame, rows: Array) -> Array:
    banked = _point_axes(game)["banked"]
    table = np.full((len(game.places), len(banked)), np.nan)
    places, points, gains = _attained(game)
    table[places, points - banked[0]] = rows[places, gains]
    return _frozen(table, *_shape(game, len(banked)))


def _gain_first(game: PoolGame, table: Array) -> Array:
    banked = _point_axes(game)["banked"]
    rows = np.full((len(game.places), game.gain(game.counts) + 1), np.nan)
    for index, (left, _) in enumerate(game.places):
        aside = game.banked_dice(left)
        gains = np.arange(game.gain(aside) + 1)
        rows[index, gains] = table[index, game.worst(aside) + game.sign * gains - banked[0]]
    return rows


def _points_second(game: PoolGame, rows: Array) -> Array:
    needed = _point_axes(game)["needed"]
    low, high = game.lowest(game.counts), game.highest(game.counts)
    table = np.full((len(game.places), len(needed)), np.nan)
    for index, (left, _) in enumerate(game.places):
        aside = game.banked_dice(left)
        reached = np.arange(low - game.highest(aside), high - game.lowest(aside) + 1)
        over = game.sign * (game.worst(left) - reached)
        table[index, reached - needed[0]] = rows[index, over + game.gain(game.counts)]
    return _frozen(table, *_shape(game, len(needed)))


def _gain_second(game: PoolGame, table: Array) -> Array:
    """Return the second player's table by gain: [place, gain banked - gain of the target + the most gain there is]."""
    needed = _point_axes(game)["needed"]
    low, high = game.lowest(game.counts), game.highest(game.counts)
    most = game.gain(game.counts)
    rows = np.full((len(game.places), 2 * most + 1), np.nan)
    for index, (left, _) in enumerate(game.places):
        aside = game.banked_dice(left)
        reached = np.arange(low - game.highest(aside), high - game.lowest(aside) + 1)
        rows[index, game.sign * (game.worst(left) - reached) + most] = table[index, reached - needed[0]]
    return rows
