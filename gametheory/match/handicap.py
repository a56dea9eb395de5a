"""Fair starts: the whole number of points, added to the first player's final score, that brings a game closest to even."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np

from ..answers import Array, Fair
from ..columns import best
from ..policies import Solved
from ..progress import Progress
from ..space import Space
from ..ties import parse_tie, settle_replay


def fair(
    game: Any, match: str, tie: str, most: int, sign: int, value_at: Callable[[float, int], float], around: int,
    progress: Progress | None = None, players: int = 2,
) -> Fair:  # fmt: skip
    """Find the bonus closest to even; `value_at(worth of a tie, bonus in gain)` is the first player's value.

    The answer has the values of the bonuses up to `around` away from it, and of none. Where lower scores win, a bonus
    below zero helps. Under `replay` the bonus is given again every time.
    """
    if around < 0:
        raise ValueError(f"values around the bonus as far as {around}: give 0 or more")
    name, worth = parse_tie(tie)
    known: dict[int, float] = {}

    def value(gain: int) -> float:
        if gain not in known:
            if worth is None:
                _, known[gain] = settle_replay(lambda worth: value_at(worth, gain), lambda value: value)
            else:
                known[gain] = value_at(worth, gain)
            if progress:
                progress(min(0.99, len(known) / (2 * around + 3)))
        return known[gain]

    # The value never falls as the bonus grows: walk towards even and one step past it.
    found = 0
    share = 1.0 / players
    step = 1 if value(0) < share else -1
    while abs(found) < most and (value(found) - share) * step < 0:
        found += step
    if found and abs(value(found - step) - share) <= abs(value(found) - share):
        found -= step
    shown = sorted({0, *range(found - around, found + around + 1)})
    values = {sign * gain: value(gain) for gain in shown}
    if progress:
        progress(1.0)
    advice = _advice(game, match, name, sign * found, values, players)
    return Fair(game, match, name, sign * found, values, advice, values[0], players)


def _advice(game: Any, match: str, tie: str, bonus: int, values: dict[int, float], players: int) -> str:
    """Say in one line which seat you want."""
    start, even = f"{game.name}, {match}, ties {tie}", values[0]
    if players > 2:
        points = "no whole bonus is closer to even" if bonus == 0 else f"{bonus:+d} points bring it to {values[bonus]:.4f}"
        return (
            f"{game.name}, {players} players in turn: the first of them wins {even:.4f}, an even share is "
            f"{1 / players:.4f}; {points}."
        )
    if abs(even - 0.5) < 1e-9:
        return f"{start}: sit where you like, each seat wins half."
    seat, share = ("first", even) if even > 0.5 else ("second", 1.0 - even)
    rest = (
        "no whole bonus is closer to even."
        if bonus == 0
        else f"{bonus:+d} points for the first player bring the first player to {values[bonus]:.4f}."
    )
    return f"{start}: sit {seat}, which wins {share:.4f}; {rest}"


def sequential(duel: Solved, around: int, progress: Progress | None = None) -> Fair:
    """Find the fair start of a game for two in turn."""
    values = _Sequential(duel.space)
    most = ceil(duel.space.points[-1]) + 1
    return fair(duel.game, "sequential", duel.tie, most, duel.space.sign, values.value, around, progress)


class _Sequential:
    """First player's values by bonus, one player after the other."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.known: dict[float, Array] = {}

    def value(self, worth: float, bonus: int) -> float:
        """Return the first player's value with a bonus, in gain, and a worth of a tie to the second player."""
        space = self.space
        return float(best(space, space.ends(1.0 - self._replies(worth, bonus))).values[space.start, 0])

    def _replies(self, worth: float, bonus: int) -> Array:
        """Return the second player's chance by the first's outcome, the bonus counted."""
        space = self.space
        if not space.chase.shifts:
            over = space.points[space.final][:, None] - (space.points + bonus)
            ends = np.where(over > 0, 1.0, np.where(over == 0, worth, 0.0))
            return np.asarray(best(space, ends).values[space.start])
        if worth not in self.known:
            self.known[worth] = space.by_target(best(space, space.chase_ends(1.0, worth)).values[space.start])
        most = len(space.outcomes) - 1
        target = np.arange(most + 1) + bonus
        reply = self.known[worth][np.clip(target, 0, most)]
        return np.where(target > most, 0.0, np.where(target < 0, 1.0, reply))
