"""One die by itself: when to stop rolling it, what its best roll would be, and the cut-off rule made of that.

With r rolls left of a die, a roll is taken if it is worth at least the value of going on:

    E(1) = mean of the faces            E(r) = mean over faces of max(face, E(r - 1))

so that the best face to reject with r rolls left is the best one below E(r - 1): for a plain die ceil(E(r - 1)) - 1
(the paper writes a floor, but its tables follow this; a face equal to E(r - 1) is kept). The expected *maximum* of r
rolls is larger and misleads: nobody can wait for a maximum and have it too.

The rule and its published figures are from Dave Fetterman's paper on badg (2022): figures 3 to 7 and 10 as in its first
version, the results of a million simulated games and the best of several players as in the later one, which is in the
repository fettermania/mathnotes (bdice/bdice.tex; simulated by bdice/bdice.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..ask.policies import Score, Steps, Threshold, Win
from ..dice import Die
from ..games import PoolGame
from ..match import evaluate
from ..match.duel import Duel


class Stop(NamedTuple):
    """With so many rolls of a die left: the best face to reject (None: take any) and the points to expect."""

    rolls: int
    reject: int | None
    expected: Fraction


def stopping(die: Die, rolls: int, *, higher_wins: bool = True) -> list[Stop]:
    """Return the best way to stop with 1, 2, ... rolls of a die left, exactly.

    >>> from gametheory.dice import standard_die
    >>> [(stop.rolls, stop.reject, float(stop.expected)) for stop in stopping(standard_die(6), 3)]
    [(1, None, 3.5), (2, 3, 4.25), (3, 4, 4.666666666666667)]
    """
    sign = 1 if higher_wins else -1
    worths = [sign * points for points in die.points]
    value = Fraction(sum(worths), die.sides)
    found = [Stop(1, None, sign * value)]
    for left in range(2, rolls + 1):
        rejected = [(worth, face) for face, worth in enumerate(worths, 1) if worth < value]
        reject = max(rejected)[1] if rejected else None
        value = sum((max(Fraction(worth), value) for worth in worths), Fraction(0)) / die.sides
        found.append(Stop(left, reject, sign * value))
    return found


def expected_maximum(die: Die, rolls: int, *, higher_wins: bool = True) -> Fraction:
    """Return the expected points of the best of several rolls: what a player who could take any of them would get.

    >>> from gametheory.dice import standard_die
    >>> float(expected_maximum(standard_die(6), 1))
    3.5
    """
    ordered = sorted(die.points, reverse=not higher_wins)
    ways = sum(points * (k**rolls - (k - 1) ** rolls) for k, points in enumerate(ordered, 1))
    return Fraction(ways, die.sides**rolls)


def value_of_cutoff(die: Die, rolls: int, cutoff: int) -> Fraction:
    """Return what to expect with so many rolls left if points of at least the cut-off are taken, then played best.

    With three rolls left of a 50-sided die the expected maximum of two rolls, 33.83, says to take 34 and more; to take
    32 and more is better.

    >>> from gametheory.dice import standard_die
    >>> [float(value_of_cutoff(standard_die(50), 3, cutoff)) for cutoff in (31, 32, 33, 34, 35)]
    [35.25, 35.265, 35.26, 35.235, 35.19]
    """
    after = stopping(die, rolls - 1)[-1].expected
    return sum((Fraction(p) if p >= cutoff else after for p in die.points), Fraction(0)) / die.sides


def table(game: PoolGame, name: str) -> tuple[list[str], list[list[Any]]]:
    """Return a published table for the dice of a game as (columns, rows), one row for each number of rolls left.

    `one-die`: for each die its cut-off, the best face to reject, and the mean points to expect. `expected-maximum`: the
    expected points of the best of so many rolls. Points are the game's own: where it counts points lost, they are those.
    """
    rolls = sum(game.counts)
    if name == "one-die":
        stops = [stopping(die, rolls, higher_wins=game.higher_wins) for die in game.kinds]
        columns = ["rolls", *(f"{die.name} {what}" for die in game.kinds for what in ("cut", "mean"))]
        rows = [
            [r + 1, *(item for by_die in stops for item in (by_die[r].reject, float(by_die[r].expected)))]
            for r in range(rolls)
        ]
        return columns, rows
    if name == "expected-maximum":
        return ["rolls", *(die.name for die in game.kinds)], [
            [r, *(float(expected_maximum(die, r, higher_wins=game.higher_wins)) for die in game.kinds)]
            for r in range(1, rolls + 1)
        ]
    raise ValueError(f"there is no table {name!r} of {game.name}: the tables are one-die, expected-maximum, cutoff and walk")


# The cut-off rule: every die plays its own game.


@lru_cache(maxsize=64)
def reject_gains(game: PoolGame) -> tuple[tuple[int, ...], ...]:
    """Return for each kind, by number of dice left (from 0 on), the greatest gain to reject; -1: take any."""
    found = []
    for k, die in enumerate(game.kinds):
        gains = game.face_gains(k)
        stops = stopping(die, sum(game.counts), higher_wins=game.higher_wins)
        found.append((-1, *(-1 if stop.reject is None else gains[stop.reject - 1] for stop in stops)))
    return tuple(found)


def cutoff(game: PoolGame) -> Threshold:
    """Make the published cut-off rule: with n dice left, each plays by itself with n rolls left.

    Every die above the best face to reject is kept; if there is none, the one nearest to it, ties to the smaller kind.
    """
    rejects = reject_gains(game)
    most = [max(game.face_gains(k)) for k in range(len(game.kinds))]

    def cuts(left: tuple[int, ...]) -> tuple[float, ...]:
        return tuple(by_dice[sum(left)] + 1.0 for by_dice in rejects)

    def shortfalls(left: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
        return tuple(
            tuple(float(by_dice[sum(left)] - gain) for gain in range(top + 1))
            for by_dice, top in zip(rejects, most, strict=True)
        )

    return Threshold("cutoff", game, cuts, shortfalls)


PUBLISHED: dict[str, Any] = {
    "points_lost": 8.53,
    "interruptions": 1.55,
    "no_interruption": 0.212,
    "points_lost_without_interruption": 5.67,
    "perfect": 0.0011,
    "best_of": {2: 6.4732, 3: 5.548292, 4: 4.984596, 5: 4.58938, 6: 4.29199, 7: 4.05768, 8: 3.864},
}
"""A million simulated games of the cut-off rule with 12d6+d8+d10+d12, in points lost."""

PUBLISHED_WALK = (
    ((12, 1, 1, 1), 0.081), ((10, 1, 1, 1), 0.117), ((8, 1, 1, 1), 0.153), ((7, 1, 1, 1), 0.163), ((6, 0, 1, 1), 0.223),
    ((5, 0, 1, 1), 0.268), ((4, 0, 0, 0), 0.198), ((3, 0, 0, 0), 0.297), ((2, 0, 0, 0), 0.25), ((1, 0, 0, 0), 0.0),
)  # fmt: skip
"""The paper's figure 10: a typical way through the game, with its chance of an interruption in each state."""


class WalkStep(NamedTuple):
    """A state of the published walk: its chance of an interruption, published and exact, and that of being there."""

    dice_left: tuple[int, ...]
    published: float
    interruption: float
    visited: float


class Result(NamedTuple):
    """The chances to win, tie and lose."""

    win: float
    tie: float
    loss: float


@dataclass(frozen=True)
class CutoffReport:
    """What the cut-off rule does, exactly. Scores are the game's own points (for badg, points lost).

    An interruption is a roll with no die above its cut-off. `best_of[n]` is the expected best score of n players who
    all play by the rule; `first[p]` and `second[p]` are its results in either seat against the policy p. `published`
    holds the figures of the source, in points lost, for the dice they were published for.
    """

    mean: float
    sd: float
    distribution: evaluate.Distribution
    interruptions: float
    no_interruption: float
    mean_without_interruption: float
    perfect: float
    best_of: dict[int, float]
    first: dict[str, Result]
    second: dict[str, Result]
    walk: tuple[WalkStep, ...]
    published: dict[str, Any] | None


def cutoff_report(duel: Duel) -> CutoffReport:
    """Compute the exact figures of the cut-off rule."""
    game = duel.game
    rule = cutoff(game)
    steps = rule.steps(game)
    visits = evaluate.visits_of_steps(game, steps)
    made = visits[0]
    clear = evaluate.visits_of_steps(game, _without_singles(rule, game, steps))[0]
    worst = game.worst(game.counts)
    mean_gain = float(clear @ np.arange(len(clear)) / clear.sum())
    distribution = evaluate.distribution(duel, rule)
    names = ("score", "win")
    results = evaluate.compare(duel, [rule, Score(duel), Win(duel)])
    first = {
        name: Result(*(float(part[0, i]) for part in (results.first_win, results.tie, results.second_win)))
        for i, name in enumerate(names, 1)
    }
    second = {
        name: Result(*(float(part[i, 0]) for part in (results.second_win, results.tie, results.first_win)))
        for i, name in enumerate(names, 1)
    }
    standard = _is_published(game)
    return CutoffReport(
        mean=distribution.mean,
        sd=distribution.sd,
        distribution=distribution,
        interruptions=sum(float(visits[i].sum()) * rule.interrupted(game.pools[i]) for i in steps),
        no_interruption=float(clear.sum()),
        mean_without_interruption=worst + game.sign * mean_gain,
        perfect=float(made[-1]),
        best_of={n: worst + game.sign * evaluate.expected_best(made, n) for n in range(2, 9)},
        first=first,
        second=second,
        walk=tuple(
            WalkStep(left, printed, rule.interrupted(left), float(visits[game.pool_index(left)].sum()))
            for left, printed in (PUBLISHED_WALK if standard else ())
        ),
        published=PUBLISHED if standard else None,
    )


def _is_published(game: PoolGame) -> bool:
    """Tell whether these are the dice of the paper, counted as points made or as points lost."""
    plain = tuple(tuple(range(sides)) for sides in (6, 8, 10, 12))
    return game.counts == (12, 1, 1, 1) and tuple(game.face_gains(k) for k in range(4)) == plain


def _without_singles(rule: Threshold, game: PoolGame, steps: Steps) -> Steps:
    """Take the interruptions out of the steps of a rule: what is left is the play that meets none."""
    found: Steps = {}
    for index, (subs, gains, chances) in steps.items():
        left = game.pools[index]
        clear = np.array(chances)
        for k, gain, chance in rule._singles(left, rule.cuts(left)):
            after = game.pool_index(tuple(n - (kind == k) for kind, n in enumerate(left)))
            clear[(subs == after) & (gains == gain)] -= chance
        found[index] = (subs, gains, np.maximum(clear, 0.0))
    return found


class Simulated(NamedTuple):
    """The figures of the cut-off rule once more, from games played with dice."""

    mean: float
    sd: float
    interruptions: float
    no_interruption: float
    mean_without_interruption: float
    perfect: float
    best_of: dict[int, float]


def simulate_cutoff(game: PoolGame, games: int = 1_000_000, seed: int = 0) -> Simulated:
    """Play the cut-off rule with dice, many games at once; best-of-n figures come from groups of n games."""
    draw = np.random.default_rng(seed)
    kinds = np.repeat(np.arange(len(game.kinds)), game.counts)
    rejects = np.array(reject_gains(game))
    tables = [np.array(game.face_gains(k)) for k in range(len(game.kinds))]
    made, stops = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for begin in range(0, games, 65_536):
        block = slice(begin, min(begin + 65_536, games))
        size = block.stop - block.start
        waiting = np.ones((size, len(kinds)), bool)
        for _ in range(len(kinds)):
            left = waiting.sum(axis=1)
            gains = np.stack([tables[k][draw.integers(len(tables[k]), size=size)] for k in kinds], axis=1)
            over = np.where(waiting, gains - rejects[kinds][:, left].T, np.iinfo(np.int64).min)
            keep = over > 0
            nothing = ~keep.any(axis=1) & (left > 0)
            # The dice stand by kind, smaller ones first, so that the first of equals is the right one.
            keep[nothing, np.argmax(over[nothing], axis=1)] = True
            made[block] += np.where(keep, gains, 0).sum(axis=1)
            stops[block] += nothing
            waiting &= ~keep
    worst, clear = game.worst(game.counts), stops == 0
    return Simulated(
        worst + game.sign * float(made.mean()),
        float(made.std()),
        float(stops.mean()),
        float(clear.mean()),
        worst + game.sign * float(made[clear].mean()),
        float((made == game.gain(game.counts)).mean()),
        {n: worst + game.sign * float(made[: games // n * n].reshape(-1, n).max(axis=1).mean()) for n in range(2, 9)},
    )


def report_table(duel: Duel, seed: int = 0) -> tuple[list[str], list[list[Any]]]:
    """Return the figures of the cut-off rule: exact, from a million games, and published (None where they are not)."""
    report, played = cutoff_report(duel), simulate_cutoff(duel.game, seed=seed)
    simulated = [*played[:6], *played.best_of.values()]
    rows: list[list[Any]] = [
        [words, exact, seen, published]
        for (words, exact, published), seen in zip(describe(report, duel.game), simulated, strict=True)
    ]
    for seat, results in (("first", report.first), ("second", report.second)):
        for name, result in results.items():
            for words, chance in zip(("wins", "ties", "loses"), result, strict=True):
                rows.append([f"{seat} against {name}: {words}", chance, None, None])
    return ["cut-off rule", "exact", "a million games", "published"], rows


def walk_table(duel: Duel) -> tuple[list[str], list[list[Any]]]:
    """Return the published walk through the states with the true chances; without one for other dice."""
    game = duel.game
    walk = cutoff_report(duel).walk
    if not walk:
        raise ValueError(f"there is no published walk for {game.dice}: it is for 12d6+d8+d10+d12")
    rows: list[list[Any]] = [
        [dice.format_dice(step.dice_left, game.kinds), step.published, step.interruption, step.visited] for step in walk
    ]
    return ["dice left", "published", "interruption", "chance to be there"], rows


def describe(report: CutoffReport, game: PoolGame) -> list[tuple[str, float, float | None]]:
    """List the figures of a report with the published ones beside them: (what, exact, published or None).

    Published points lost are turned into the game's own points.
    """
    most = game.best(game.counts)

    def score(lost: float) -> float:
        return most - game.sign * lost

    known = report.published or {}
    lines = [
        ("mean score", report.mean, score(known["points_lost"]) if known else None),
        ("standard deviation", report.sd, None),
        ("interruptions in a game", report.interruptions, known.get("interruptions")),
        ("chance of none", report.no_interruption, known.get("no_interruption")),
        (
            "mean score given none",
            report.mean_without_interruption,
            score(known["points_lost_without_interruption"]) if known else None,
        ),
        ("chance of a perfect game", report.perfect, known.get("perfect")),
    ]
    for n, best in report.best_of.items():
        lines.append((f"expected best of {n}", best, score(known["best_of"][n]) if known else None))
    return lines
