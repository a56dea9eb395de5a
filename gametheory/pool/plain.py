"""One position of a pool through the plain rules: every roll enumerated, no kernel. What tables are checked with.

Small positions go through the methods of `rules.PoolGame`, every roll and every distinct keep. Large ones are worked out
with arrays over all rolls at once; there a move is how many of each kind to keep, best faces first, which loses nothing
where values never fall as the gain grows: that is checked along with them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import nan, prod

import numpy as np

from ..answers import Array
from .rules import PoolGame, State

PLAIN_WORK = 20_000
"""Rolls times keeps up to which a state is recomputed through the plain rules."""

AT_ONCE = 400_000
"""How many rolls of a large position are worked out at once."""

SAMPLE = 200
"""How many states of a large table are drawn besides those that are always checked."""

FALLS = 1e-9
"""By how much a value may fall as the gain grows: noise."""

Look = Callable[[int, int], float]
"""What a position is worth, by pool and gain banked."""


def sample(game: PoolGame, seed: int) -> Iterator[tuple[int, int]]:
    """Yield (place, gain banked) to check: all places of a small game, else a seeded sample of them.

    Always among them: the start, and one place of every number of dice left.
    """
    draw = random.Random(seed)
    start = game.start.dice_left, game.start.rolls_left
    places = [(left, rolls) for left, rolls in game.places if any(left) and game.reaches(left, rolls)]
    chosen = places
    if sum(_work(game, left) for left, _ in places) > 50 * PLAIN_WORK:
        some = {start}
        for size in sorted({sum(left) for left, _ in places} - {sum(game.counts)}):
            some.add(draw.choice([place for place in places if sum(place[0]) == size]))
        light = [place for place in places if game.count_rolls(place[0]) < 100_000]
        some.update(draw.sample(light, min(SAMPLE // 10, len(light))))
        chosen = sorted(some, key=lambda place: (-sum(place[0]), place))
    for left, rolls in chosen:
        here = random.Random(f"{seed} {left}" if rolls is None else f"{seed} {left} {rolls}")
        points = list(game.scores(game.banked_dice(left)))
        few = _work(game, left) <= PLAIN_WORK and len(points) <= 12
        for banked in points if few else here.sample(points, min(4, len(points))):
            yield game.place(left, rolls), abs(banked - game.worst(game.banked_dice(left)))


def _work(game: PoolGame, left: tuple[int, ...]) -> int:
    return game.count_rolls(left) * prod(n + 1 for n in left)


def recompute(game: PoolGame, place: int, gain: int, looks: Sequence[Look]) -> list[float]:
    """Recompute what a position is worth by each look: the mean over all rolls of the best that a keep leads to.

    NaN where a look falls as the gain grows, so that best faces first would not do.
    """
    left, rolls_left = game.places[place]
    if _work(game, left) > PLAIN_WORK:
        return _by_arrays(game, place, gain, looks)
    state = State(left, game.worst(game.banked_dice(left)) + game.sign * gain, rolls_left)
    totals, weights = [0.0] * len(looks), 0
    for roll, weight in game.rolls(state):
        afters = [
            (game.place(then.dice_left, then.rolls_left), abs(then.banked - game.worst(game.banked_dice(then.dice_left))))
            for _, then, _ in game.moves(state, roll)
        ]
        for number, look in enumerate(looks):
            totals[number] += weight * max(look(*after) for after in afters)
        weights += weight
    return [total / weights for total in totals]


def _by_arrays(game: PoolGame, place: int, gain: int, looks: Sequence[Look]) -> list[float]:
    """Recompute over arrays of all rolls."""
    left, rolls_left = game.places[place]
    kinds = [k for k, n in enumerate(left) if n]
    rolls = [game.best_gains(k, left[k]) for k in kinds]
    tops, chances = [np.array(top) for top, _ in rolls], [np.array(chance) for _, chance in rolls]
    # The kind with the most rolls is cut into slices, so that the arrays stay small.
    long = max(range(len(kinds)), key=lambda i: len(chances[i]))
    room = max(1, AT_ONCE // prod(len(c) for i, c in enumerate(chances) if i != long))
    sums: list[list[float]] = [[] for _ in looks]
    least = game.least(left, rolls_left)
    keeps = [kept for kept in product(*(range(left[k] + 1) for k in kinds)) if sum(kept) >= least]
    rows = [_rows_after(game, place, gain, dict(zip(kinds, kept, strict=True)), looks) for kept in keeps]
    for begin in range(0, len(chances[long]), room):
        parts = [top[begin : begin + room] if i == long else top for i, top in enumerate(tops)]
        weight = np.ones(())
        for i, chance in enumerate(chances):
            weight = np.multiply.outer(weight, chance[begin : begin + room] if i == long else chance)
        best = np.full((len(looks), *weight.shape), -np.inf)
        for kept, after in zip(keeps, rows, strict=True):
            gained = np.zeros((), np.int64)
            for part, n in zip(parts, kept, strict=True):
                gained = np.add.outer(gained, part[:, n])
            for number in range(len(looks)):
                np.maximum(best[number], after[number][gained], out=best[number])
        for number in range(len(looks)):
            sums[number].append(float((best[number] * weight).sum()))
    falls = [any(bool(np.any(np.diff(row[number]) < -FALLS)) for row in rows) for number in range(len(looks))]
    return [nan if fall else float(np.sum(part)) for part, fall in zip(sums, falls, strict=True)]


def _rows_after(
    game: PoolGame, place: int, gain: int, kept: dict[int, int], looks: Sequence[Look]
) -> Array:
    """Return what keeping so many dice of each kind leads to, by look and by the gain of the dice kept."""
    left, rolls_left = game.places[place]
    counts = tuple(kept.get(k, 0) for k in range(len(game.kinds)))
    fewer = tuple(n - c for n, c in zip(left, counts, strict=True))
    after = game.place(fewer, game.rolls_after(fewer, rolls_left))
    return np.array([[look(after, gain + more) for more in range(game.gain(counts) + 1)] for look in looks])
