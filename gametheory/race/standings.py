"""Where two players of a race stand between turns, in which order that is solved, and what it allows.

A *standing* is (score, opened, busts), what a house rule does not count being 0. Those who have not opened come first, the
start before all, then the handicaps that were asked for; then the scores of those who have, from the opening threshold
up, one unit apart; then, with a last round, the scores of who has reached the goal: it is the other's last turn, and
what he makes of it decides. With three busts this is repeated for one and two busts in a row. Ten-thousand has 181.

Pairs of standings are taken by the sum of the scores, highest first, and of equal sums those with more busts first: a
turn leads to pairs that come before, but for a bust where nobody counts them, and for scores that fall.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .notation import check_standing
from .rules import RaceGame
from .turn import Flags, Floats, Integers, least_bank, past_goal, units

MOST_STANDINGS = 4000


class Standings(NamedTuple):
    """What a standing allows, in units, for the kernels."""

    score: Integers  # [standing]
    least: Integers  # [standing]: the least turn total that may be banked
    aim: Integers  # [standing of the other]: the score that surely wins
    after: Integers  # [standing]: banking t leads to standing after + t
    nothing: Integers  # [standing]: the standing after a turn that ends with nothing
    crash: Integers  # [standing]: the same after a throw that costs the whole score
    over: Integers  # [standing]: 1 where the player has reached the goal, so that the other has one turn left

    def need(self, me: Any, them: Any) -> Any:
        """Return the turn total that surely wins."""
        return np.maximum(self.aim[them] - self.score[me], self.least[me])


class Axes(NamedTuple):
    """The standings of a race: scores in points, who has opened, and how many turns in a row made nothing."""

    scores: Integers
    opened: Flags
    busts: Integers

    @property
    def start(self) -> int:
        """The standing of both players before the first turn."""
        return int(np.flatnonzero((self.scores == 0) & (self.busts == 0))[0])


def fall(game: RaceGame, score: int) -> int:
    """Return the score after the third turn in a row that banks nothing."""
    return min(score, 0) if game.three_busts == "score" else max(score - int(game.three_busts), game.lowest)


def axes(game: RaceGame, handicaps: Iterable[int] = ()) -> Axes:
    """List the standings of a race: not opened first (score 0 and the handicaps), then those who have opened."""
    goal, opening = units(game, game.goal), units(game, game.opening)
    extra = {check_standing(game, handicap, False)[0] for handicap in handicaps} | {0} if opening else set()
    while game.three_busts and not (fallen := {fall(game, score) for score in extra}) <= extra:
        extra |= fallen
    if game.bust_all == "score" and extra:
        extra |= {0}
    unopened = [score // game.unit for score in sorted(extra, key=lambda score: (score != 0, score))]
    lowest = game.lowest // game.unit if game.can_fall else opening
    rows = 3 if game.three_busts else 1
    _check_size(game, rows * (len(unopened) + max(0, goal - lowest)))
    over = past_goal(game) if game.last_round else 0
    scores = np.array([*unopened, *range(lowest, goal + over)], dtype=np.int64) * game.unit
    again = scores < game.goal
    _check_size(game, len(scores) + (rows - 1) * int(again.sum()))
    opened = np.arange(len(scores)) >= len(unopened)
    return Axes(
        np.concatenate([scores, *[scores[again]] * (rows - 1)]),
        np.concatenate([opened, *[opened[again]] * (rows - 1)]),
        np.repeat(np.arange(rows), [len(scores), *[int(again.sum())] * (rows - 1)]).astype(np.int64),
    )


def _check_size(game: RaceGame, many: int) -> None:
    if many > MOST_STANDINGS:
        raise ValueError(
            f"{game.name} to {game.goal} has {many} standings: at most {MOST_STANDINGS} can be solved, lower the goal"
        )


@functools.lru_cache(maxsize=64)
def _standings(game: RaceGame, scores: bytes, opened: bytes, busts: bytes) -> Standings:
    points, flags = np.frombuffer(scores, np.int64), np.frombuffer(opened, np.bool_)
    axis = Axes(points, flags, np.frombuffer(busts, np.int64))
    size, score = len(points), points // game.unit
    place = {key: number for number, key in enumerate(zip(*(column.tolist() for column in axis), strict=True))}
    goal = units(game, game.goal)
    over = points >= game.goal
    first = int(np.count_nonzero(~axis.opened & (axis.busts == 0)))  # where those who have opened begin
    lowest = game.lowest // game.unit if game.can_fall else units(game, game.opening)
    nothing, crash = np.arange(size), np.arange(size)
    for at, (own, has_opened, busts_now) in enumerate(place):
        if over[at]:
            continue
        if game.three_busts:
            nothing[at] = place[(fall(game, own), has_opened, 0) if busts_now == 2 else (own, has_opened, busts_now + 1)]
        if game.bust_all == "score":
            lost = fall(game, 0) if game.three_busts and busts_now == 2 else 0
            crash[at] = place[lost, has_opened, (busts_now + 1) % 3 if game.three_busts else 0]
    horizon = goal + (past_goal(game) if game.last_round else 0)
    return Standings(
        score,
        np.where(axis.opened, least_bank(game, True), least_bank(game, False)).astype(np.int64),
        np.where(over, score + 1, horizon).astype(np.int64),
        (first + score - lowest).astype(np.int64),
        nothing.astype(np.int64),
        crash.astype(np.int64),
        over.astype(np.int64),
    )


def standings(game: RaceGame, axis: Axes) -> Standings:
    """Return what every standing allows."""
    return _standings(game, *(np.ascontiguousarray(column).tobytes() for column in axis))


def levels(game: RaceGame, axis: Axes) -> list[Integers]:
    """List the pairs of standings [pair, (i, j)] by the sum of their scores, highest first, then by busts, most first.

    Where both have reached the goal there is no turn left.
    """
    sums = (axis.scores[:, None] + axis.scores) * 5 + axis.busts[:, None] + axis.busts
    order = np.argsort(-sums, axis=None, kind="stable")
    over = axis.scores >= game.goal
    order = order[~(over[:, None] & over).ravel()[order]]
    breaks = np.flatnonzero(np.diff(sums.ravel()[order])) + 1
    return [np.stack(np.divmod(level, len(sums)), axis=1) for level in np.split(order, breaks)]


def outcomes(game: RaceGame, axis: Axes, tie: float, values: Floats) -> None:
    """Fill the rows of who has reached the goal: what the last turn of the other has come to, `tie` being a tie's worth."""
    over = axis.scores >= game.goal
    gap = axis.scores[over, None] - axis.scores
    values[over] = np.where(gap == 0, tie, gap > 0)


def find_standing(game: RaceGame, axis: Axes, score: int, opened: bool | None = None, busts: int = 0) -> int:
    """Return the index of a standing, or refuse one that cannot occur or was not solved."""
    score, opened = check_standing(game, score, opened, busts)
    found = np.flatnonzero((axis.scores == score) & (axis.opened == opened) & (axis.busts == busts))
    if not len(found) and score >= game.goal:
        raise ValueError(f"score {score}: nobody makes so much, give at most {int(axis.scores.max())}")
    if not len(found):
        raise ValueError(
            f"a handicap of {score} was not solved: solve with handicaps=[{score}], or say that the player has opened"
        )
    return int(found[0])
