"""Check a stored table against the rules: recompute states roll by roll, without the solver's kernel.

Small states are recomputed through the four methods of `games.Game`, every roll and every distinct keep. Large ones are
recomputed with arrays over all rolls at once; there a move is how many of each kind to keep, best faces first, which
loses nothing where values never fall as banked points get better: that is checked along with them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from math import inf, isfinite, prod
from typing import Any, NamedTuple

import numpy as np

from ..games import PoolGame, State
from ..match.duel import Duel
from ..pool.solver import Array, Progress

PLAIN_WORK = 20_000
"""Rolls times keeps up to which a state is recomputed through the plain rules."""

SAMPLE = 200
"""How many states of a large table are drawn besides those that are always checked."""


SOUND = 1e-9
"""The largest difference that a sound table may show."""


class Checked(NamedTuple):
    """How many values were recomputed, and the largest difference to what is stored."""

    checked: int
    worst_residual: float


def solution(found: Any, seed: int = 0, progress: Progress | None = None) -> Checked:
    """Recompute values of any stored solution."""
    if isinstance(found, Duel):
        return duel(found, seed, progress)
    return Checked(*found.verify(seed))


def duel(solution: Duel, seed: int = 0, progress: Progress | None = None) -> Checked:
    """Recompute the values of a duel: every state of a small table, else a seeded sample of a large one.

    Always among them: the start, and one state of every number of dice left.
    """
    game = solution.game
    checked, worst = _check_ends(solution)
    worst = max(worst, _check_monotone(solution), _check_reachable(solution))
    chosen = _choose(game, random.Random(seed))
    for done, left in enumerate(chosen):
        count, residual = _check_pool(solution, left, random.Random(f"{seed} {left}"))
        checked += count
        worst = max(worst, residual)
        if progress:
            progress((done + 1) / len(chosen))
    return Checked(checked, worst)


def _check_ends(solution: Duel) -> tuple[int, float]:
    """Compare the rows without dice with the payoffs themselves."""
    game = solution.game
    none = tuple(0 for _ in game.counts)
    replies = {score: solution.second(score) for score in game.scores()}
    worst = _apart(solution.expected_table[none], 0.0)
    for score, reply in replies.items():
        worst = max(worst, _apart(solution.first(none, score), 1.0 - reply))
    needed = solution.axes["needed"]
    won = needed < 0 if game.higher_wins else needed > 0
    payoff = np.where(won, 1.0, np.where(needed == 0, solution.tie_worth, 0.0))
    stored = solution.second_table[none]
    worst = max(worst, float(np.nanmax(np.abs(stored - payoff))))
    if solution.tie == "replay":
        worst = max(worst, _apart(solution.second_player_value, solution.tie_worth))
    return len(replies) + len(needed) + 1, worst


def _apart(one: float, other: float) -> float:
    """Return the distance of two values; what is no number is infinitely far from everything."""
    return abs(float(one) - float(other)) if isfinite(one) and isfinite(other) else inf


def _check_reachable(solution: Duel) -> float:
    """Return infinity if an entry that play can reach is no number, else 0."""
    game = solution.game
    sound = bool(np.isfinite(solution.expected_table).all())
    for index, left in enumerate(game.pools):
        gains = np.abs(np.array(game.scores(game.banked_dice(left))) - game.worst(game.banked_dice(left)))
        sound &= bool(np.isfinite(solution.gain_first[index, gains]).all())
        sound &= bool(np.isfinite(solution.gain_second[index, : 2 * game.gain(game.counts) + 1 - game.gain(left)]).all())
    return 0.0 if sound else inf


def _check_monotone(solution: Duel) -> float:
    """Return by how much any row falls where it should rise: 0 in a sound table."""
    falls = 0.0
    for rows in (solution.gain_first, solution.gain_second):
        for row in rows:
            known = row[~np.isnan(row)]
            if len(known) > 1:
                falls = max(falls, float(np.max(known[:-1] - known[1:])))
    return max(falls, 0.0)


def _choose(game: PoolGame, draw: random.Random) -> list[tuple[int, ...]]:
    pools = [left for left in game.pools if any(left)]
    if sum(_work(game, left) for left in pools) <= 50 * PLAIN_WORK:
        return pools
    chosen = {game.counts}
    for size in range(1, sum(game.counts)):
        chosen.add(draw.choice([left for left in pools if sum(left) == size]))
    light = [left for left in pools if game.count_rolls(left) < 100_000]
    chosen.update(draw.sample(light, min(SAMPLE // 10, len(light))))
    return sorted(chosen, key=lambda left: (-sum(left), left))


def _work(game: PoolGame, left: tuple[int, ...]) -> int:
    return game.count_rolls(left) * prod(n + 1 for n in left)


def _check_pool(solution: Duel, left: tuple[int, ...], draw: random.Random) -> tuple[int, float]:
    """Recompute the expected score and a few columns of both seats' rows for one pool."""
    game = solution.game
    points = list(game.scores(game.banked_dice(left)))
    small = _work(game, left) <= PLAIN_WORK
    banked = points if small and len(points) <= 12 else draw.sample(points, min(4, len(points)))
    low, high = game.lowest(left), game.highest(left)
    targets = [b + draw.randint(low, high) for b in banked]
    recompute = _plain if small else _by_arrays
    worst = 0.0
    for b, target in zip(banked, targets, strict=True):
        found = recompute(solution, State(left, b), target)
        stored = (solution.expected(left, b), solution.first(left, b), solution.second(target, left, b))
        worst = max(worst, *(_apart(x, y) for x, y in zip(found, stored, strict=True)))
    return 3 * len(banked), worst


def _looks(solution: Duel, target: int) -> tuple[Callable[[State], float], ...]:
    return (
        lambda state: solution.game.sign * solution.expected(*state),
        lambda state: solution.first(*state),
        lambda state: solution.second(target, *state),
    )


def _plain(solution: Duel, state: State, target: int) -> list[float]:
    """Recompute three values of a state through the plain rules: every roll, every keep."""
    game: Any = solution.game
    totals, weights = [0.0, 0.0, 0.0], 0
    looks = _looks(solution, target)
    for roll, weight in game.rolls(state):
        afters = [after for _, after, _ in game.moves(state, roll)]
        for place, look in enumerate(looks):
            totals[place] += weight * max(look(after) for after in afters)
        weights += weight
    return [total / weights * (game.sign if place == 0 else 1) for place, total in enumerate(totals)]


def _by_arrays(solution: Duel, state: State, target: int) -> list[float]:
    """Recompute three values of a state over arrays of all its rolls."""
    game = solution.game
    kinds = [k for k, n in enumerate(state.dice_left) if n]
    rolls = [game.best_gains(k, state.dice_left[k]) for k in kinds]
    tops, chances = [np.array(top) for top, _ in rolls], [np.array(chance) for _, chance in rolls]
    # The kind with the most rolls is cut into slices, so that the arrays stay small.
    long = max(range(len(kinds)), key=lambda i: len(chances[i]))
    room = max(1, 400_000 // prod(len(c) for i, c in enumerate(chances) if i != long))
    sums: list[list[float]] = [[], [], []]
    looks = _looks(solution, target)
    keeps = [kept for kept in product(*(range(state.dice_left[k] + 1) for k in kinds)) if any(kept)]
    rows = [_rows_after(game, state, kinds, kept, looks) for kept in keeps]
    for begin in range(0, len(chances[long]), room):
        parts = [top[begin : begin + room] if i == long else top for i, top in enumerate(tops)]
        weight = np.ones(())
        for i, chance in enumerate(chances):
            weight = np.multiply.outer(weight, chance[begin : begin + room] if i == long else chance)
        best = np.full((3, *weight.shape), -np.inf)
        for kept, after in zip(keeps, rows, strict=True):
            gain = np.zeros((), np.int64)
            for part, n in zip(parts, kept, strict=True):
                gain = np.add.outer(gain, part[:, n])
            for place in range(3):
                np.maximum(best[place], after[place][gain], out=best[place])
        for place in range(3):
            sums[place].append(float((best[place] * weight).sum()))
    return [float(np.sum(part)) * (game.sign if place == 0 else 1) for place, part in enumerate(sums)]


def _rows_after(
    game: PoolGame, state: State, kinds: list[int], kept: tuple[int, ...], looks: tuple[Callable[[State], float], ...]
) -> Array:
    """Return what keeping so many dice of each kind leads to, by look and by the gain of the dice kept."""
    by_kind = dict(zip(kinds, kept, strict=True))
    counts = tuple(by_kind.get(k, 0) for k in range(len(game.kinds)))
    after = tuple(n - c for n, c in zip(state.dice_left, counts, strict=True))
    worst = game.worst(counts)
    return np.array(
        [
            [look(State(after, state.banked + worst + game.sign * gain)) for gain in range(game.gain(counts) + 1)]
            for look in looks
        ]
    )
