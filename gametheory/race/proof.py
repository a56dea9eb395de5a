"""Intervals that contain the values of a race, by arithmetic that cannot round the wrong way.

For every pair of standings one turn is played on the values G of a table, which are a guess and nothing more:

    F(z, u) = the mover's chance, where banking is worth z (1 - G of the pair that it leads to) and nothing is worth u

F is a maximum, over ways to play the turn, of means of z and u: adding e to all of them adds e to F, and in u it is convex.
It is computed twice, every sum rounded down or up by more than it can be off; r bounds |F - G|. Computed once more with
u + h it bounds the slope: from u up to u + h, F rises by no more than c = (F(u + h) - F(u)) / h for each step, and from u
down it falls by no more. If the pairs that banking leads to are off by e at most, then a pair (x, y) and its mirror image,
which a turn without points leads to, are off by e + a and e + b at most with

    a <= r + c b,  b <= s + d a:   a = (r + c s) / (1 - c d),  b = (s + d r) / (1 - c d),

s and d being what r and c are for the mirror image, as long as a and b are no more than h. Banking adds points, so that
pairs are taken by the sum of their scores, the highest first.

Arrays: values[i, j] as in `solver`; of one mover, [turn total in units, dice left, standing of the other].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from ..progress import Progress
from ..proof import EXACT, Interval, Proof, around, roundings, up
from .rules import RaceGame, outcome_classes
from .standings import levels, standings
from .turn import Floats, Integers

STEP = 2.0**-10
"""h: how far nothing is moved to learn the slope."""


class _Offers(NamedTuple):
    """What every throw offers: the classes of one die, of two dice, ..., one after the other."""

    weights: Floats  # [dice, class]: whole numbers, 0 for the classes of other numbers of dice
    busts: Floats  # [dice]
    ways: Floats  # [dice]
    start: Integers  # [class]: where its options begin
    points: Integers  # [option], in units
    left: Integers  # [option]


KNOWN = {
    "name", "dice", "sides", "goal", "singles", "three_of_a_kind", "more_of_a_kind", "straight", "three_pairs", "opening",
    "hot_dice", "bust_faces", "bust", "about",
}  # fmt: skip
"""The rules that are proved here; of others only what holds where nothing is said of them."""


def check_rules(game: RaceGame) -> None:
    """Refuse rules that are not those of the turn here."""
    for rule in fields(game):
        if rule.name not in KNOWN and getattr(game, rule.name) != rule.default:
            raise ValueError(f"a race with {rule.name} = {getattr(game, rule.name)!r} is not proved: certify one without")
    if game.bust != "turn":
        raise ValueError(f"a race in which a bust costs more than the turn ({game.bust}) is not proved")


def _offers(game: RaceGame) -> _Offers:
    by_dice = [outcome_classes(game, dice) for dice in range(1, game.dice + 1)]
    scoring = [(dice, one) for dice, classes in enumerate(by_dice, 1) for one in classes if one.options]
    if game.sides**game.dice >= EXACT:
        raise ValueError(f"the throws of {game.name} are too many to be counted exactly: certify a race with fewer dice")
    weights, busts = np.zeros((game.dice + 1, len(scoring))), np.zeros(game.dice + 1)
    for number, (dice, one) in enumerate(scoring):
        weights[dice, number] = one.weight
    for dice, classes in enumerate(by_dice, 1):
        busts[dice] = sum(one.weight for one in classes if not one.options)
    options = [option for _, one in scoring for option in one.options]
    return _Offers(
        weights, busts, np.array([1.0] + [float(game.sides**dice) for dice in range(1, game.dice + 1)]),
        np.cumsum([0] + [len(one.options) for _, one in scoring[:-1]]),
        np.array([option.points // game.unit for option in options]), np.array([option.dice_left for option in options]),
    )  # fmt: skip


def _turn(offers: _Offers, bank: Floats, nothing: Floats, least: int, off: float) -> Floats:
    """Return the worth of a turn about to begin, by standing of the other, every sum multiplied by `off`.

    bank[t, j] is what banking a total is worth, all totals from len(bank) on win; `nothing[j]` a turn that ends so.
    """
    top, size, others = len(bank), len(offers.ways), len(nothing)
    best = np.ones((top + int(offers.points.max()) + 1, size, others))
    flat = best.reshape(-1, others)
    where = offers.points * size + offers.left
    weights, busts, ways = offers.weights[1:], offers.busts[1:, None] * nothing, offers.ways[1:, None]
    for total in range(top - 1, -1, -1):
        chosen = np.maximum.reduceat(flat[where + total * size], offers.start)
        thrown = (weights @ chosen + busts) / ways * off
        may = total >= least
        best[total, 0] = bank[total] if may else nothing
        best[total, 1:] = np.maximum(thrown, bank[total]) if may else thrown
        if not total:
            return np.asarray(thrown[-1])
    raise AssertionError("a turn begins at 0")


def prover(game: RaceGame) -> Callable[[Any, Progress | None], Proof]:
    """Return what proves the value of a race from its solution; refuse a race of other rules before it is solved."""
    check_rules(game)
    return prove


def prove(solution: Any, progress: Progress | None = None) -> Proof:
    """Prove the first player's value of a race, from a guess at the values of all pairs."""
    game, guess = solution.game, np.asarray(solution.values, float)
    check_rules(game)
    axis, size = solution.axis, len(guess)
    rules, offers = standings(game, axis), _offers(game)
    off = roundings(offers.weights.shape[1] + 4)
    residuals, slopes = np.empty((size, size)), np.empty((size, size))
    for me in range(size):
        least, need, after = int(rules.least[me]), int(rules.need(me, axis.start)), int(rules.after[me])
        exact = np.concatenate([np.zeros((least, size)), 1.0 - guess[:, after + least : after + need].T])
        nothing = 1.0 - guess[:, me]
        down = _turn(offers, np.nextafter(exact, -1), np.nextafter(nothing, -1), least, 1.0 - off)
        above = _turn(offers, np.nextafter(exact, 2), np.nextafter(nothing, 2), least, 1.0 + off)
        moved = _turn(offers, np.nextafter(exact, 2), np.nextafter(np.nextafter(nothing, 2) + STEP, 2), least, 1.0 + off)
        residuals[me] = np.nextafter(np.maximum(np.maximum(guess[me] - down, above - guess[me]), 0.0), 1)
        slopes[me] = np.nextafter(np.nextafter(moved - down, 2) / STEP, 2)
        if progress:
            progress((me + 1) / size)
    errors = _errors(levels(game, axis), rules.after + rules.least, residuals, slopes)
    first = around(float(guess[0, 0]), float(errors[0, 0]))
    figures = {"places": size * size, "residual": float(residuals.max()), "error": float(errors[0, 0])}
    return Proof(Interval(max(0.0, first.low), min(1.0, first.high)), None, None, figures)


def _errors(pairs: list[Integers], after: Integers, residuals: Floats, slopes: Floats) -> Floats:
    """Return how far every pair is off at most."""
    size = len(residuals)
    errors = np.zeros((size, size))
    highest = np.zeros((size, size + 1))  # [i, j]: the largest error of (i, j), (i, j + 1), ...
    bank = np.minimum(after, size)  # the first standing that banking leads to
    grown = 1.0 + 16 * roundings(1)  # more than the few roundings here come to
    for level in pairs:
        i, j = level.T
        lead = np.maximum(highest[j, bank[i]], highest[i, bank[j]])
        closed = 1.0 - slopes[i, j] * slopes[j, i] * grown
        if not np.all(closed > 0):
            raise ValueError("a turn may end with nothing too surely for the values to be bounded")
        own = (residuals[i, j] + slopes[i, j] * residuals[j, i]) / closed * grown
        if not np.all(own <= STEP):
            raise ValueError("the values of the table are too far off to be a guess")
        errors[i, j] = (lead + own) * grown
        # Within a level none leads to another but its mirror image.
        for one, other in level.tolist():
            highest[one, other] = up(max(errors[one, other], highest[one, other + 1]))
    return errors
