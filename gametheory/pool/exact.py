"""The value of a small pool as a fraction: the recurrence again, through the plain rules.

Every value is a pair: what it is, and how fast it grows with the worth of a tie. Where ties are replayed that finds the
worth that is the second player's own value: from a guess, go straight along the slope until it is hit.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, prod
from typing import NamedTuple

from .. import dice
from ..ties import check_replay, parse_tie
from .notation import best_keeps
from .rules import PoolGame, State

FEW = 150_000
"""Comparisons of fractions that take a few seconds."""


class Worth(NamedTuple):
    """A value, and how fast it grows with the worth of a tie to the second player."""

    value: Fraction
    slope: Fraction


def exact_value(game: PoolGame, tie: str) -> Fraction | None:
    """Return the first player's chance to win, None where that takes long."""
    if work(game) > FEW:
        return None
    _, worth = parse_tie(tie)
    if worth is not None:
        return _first(game, Fraction(tie) if tie not in ("split", "first", "second") else Fraction(worth)).value
    check_replay(game.name, game.scores())
    guess = Fraction(1, 2)
    while True:
        found = _first(game, guess)
        if found.value == 1 - guess:
            return found.value
        # 1 - (value + slope * (w - guess)) = w
        guess = (1 - found.value + found.slope * guess) / (1 + found.slope)


def work(game: PoolGame) -> int:
    """Return about how many comparisons the value takes: keeps of all rolls, times points."""
    rolls = prod(comb(n + die.sides, n) for n, die in zip(game.counts, game.kinds, strict=True))
    keeps = prod(n + 1 for n in game.counts)
    return rolls * keeps * (game.roll_limit or 1) * (game.gain(game.counts) + 1)


def _first(game: PoolGame, tie: Fraction) -> Worth:
    zero, one = Worth(Fraction(0), Fraction(0)), Worth(Fraction(1), Fraction(0))

    @cache
    def reply(target: int) -> Worth:
        def worth(score: int) -> Worth:
            over = game.sign * (score - target)
            return one if over > 0 else Worth(tie, Fraction(1)) if over == 0 else zero

        return _best(game, worth)

    def worth(score: int) -> Worth:
        theirs = reply(score)
        return Worth(1 - theirs.value, -theirs.slope)

    return _best(game, worth)


def _best(game: PoolGame, payoff: Callable[[int], Worth]) -> Worth:
    """Return the value of the start for a payoff that never falls as the score gets better."""

    @cache
    def value(state: State) -> Worth:
        if not any(state.dice_left):
            return payoff(state.banked)
        total, slope = Fraction(0), Fraction(0)
        least = game.least(state.dice_left, state.rolls_left)
        for roll, weight in dice.rolls(state.dice_left, game.kinds):
            best = max(value(game.after(state, keep)) for keep in best_keeps(roll, game, least))
            total, slope = total + weight * best.value, slope + weight * best.slope
        ways = game.count_ways(state.dice_left)
        return Worth(total / ways, slope / ways)

    return value(game.start)
