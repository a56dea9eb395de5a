"""What the published cut-off rule comes to: exactly, from games played with dice, and as it was published.

The published figures are from Dave Fetterman's paper on badg (2022): the walk as in its first version, the results of a
million simulated games and the best of several players as in the later one (see `pool.one_die`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .. import dice, progress
from ..answers import Array, Distribution
from ..columns import visits_of_steps
from ..levels import Steps
from ..match.duel import Duel
from ..pool.one_die import cutoff, reject_gains
from ..pool.policies import Threshold
from ..pool.rules import PoolGame
from ..progress import Progress, part

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
    distribution: Distribution
    interruptions: float
    no_interruption: float
    mean_without_interruption: float
    perfect: float
    best_of: dict[int, float]
    first: dict[str, Result]
    second: dict[str, Result]
    walk: tuple[WalkStep, ...]
    published: dict[str, Any] | None


def check(game: PoolGame) -> PoolGame:
    """Refuse games that the published rule was not made for."""
    if not game.plain:
        raise ValueError(
            f"the published cut-off rule takes single dice, as often as there are any: {game.name} says keep_at_least or "
            "rolls; ask for the table one-die, or for the policy cutoff"
        )
    return game


def cutoff_report(duel: Duel) -> CutoffReport:
    """Compute the exact figures of the cut-off rule."""
    with progress.bar("following the cut-off rule") as advance:
        return _report(duel, advance)


def _report(duel: Duel, advance: Progress) -> CutoffReport:
    game = check(duel.game)
    rule = cutoff(game)
    steps = rule.all_steps()
    visits = visits_of_steps(duel.space, steps)
    made = visits[0]
    clear = visits_of_steps(duel.space, _without_singles(rule, game, steps))[0]
    worst = game.worst(game.counts)
    mean_gain = float(clear @ np.arange(len(clear)) / clear.sum())
    distribution = duel.distribution(rule)
    names = ("score", "win")
    results = duel.compare([rule, *names], progress=part(advance, 0.0, 0.9))
    first = {
        name: Result(*(float(each[0, i]) for each in (results.first_win, results.tie, results.second_win)))
        for i, name in enumerate(names, 1)
    }
    second = {
        name: Result(*(float(each[i, 0]) for each in (results.second_win, results.tie, results.first_win)))
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
        best_of={n: worst + game.sign * expected_best(made, n) for n in range(2, 9)},
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
        for k, gain, chance in rule._singles(left, None, rule.cuts(left, None)):
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


def simulate_cutoff(
    game: PoolGame, games: int = 1_000_000, seed: int = 0, progress: Progress | None = None
) -> Simulated:
    """Play the cut-off rule with dice, many games at once; best-of-n figures come from groups of n games."""
    draw = np.random.default_rng(seed)
    kinds = np.repeat(np.arange(len(game.kinds)), game.counts)
    sides = np.array([die.sides for die in game.kinds])
    tables = np.zeros((len(sides), sides.max()))
    for k in range(len(sides)):
        tables[k, : sides[k]] = game.face_gains(k)
    rejects = np.array(reject_gains(game))
    made, stops = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for begin in range(0, games, 65_536):
        block = slice(begin, min(begin + 65_536, games))
        # The dice that are thrown next, those of one game together, smaller ones first, and how many it has.
        size = block.stop - block.start
        left, die = np.full(size, len(kinds)), np.tile(kinds, size)
        who = np.arange(block.start, block.stop)  # the games that go on
        while len(who):
            first = np.cumsum(left) - left
            game_of = np.repeat(np.arange(len(who)), left)
            gains = tables[die, (draw.random(len(die)) * sides[die]).astype(np.int64)]
            over = gains - rejects[die, left[game_of]]
            best = np.maximum.reduceat(over, first)
            keep = over > 0
            nothing = best <= 0
            # Of equals the first is the right one.
            alike = np.flatnonzero(nothing[game_of] & (over == best[game_of]))
            _, ones = np.unique(game_of[alike], return_index=True)
            keep[alike[ones]] = True
            made[who] += np.bincount(game_of, gains * keep, len(who)).astype(np.int64)
            stops[who] += nothing
            left = left - np.bincount(game_of, keep, len(who)).astype(np.int64)
            die, who, left = die[~keep], who[left > 0], left[left > 0]
        if progress:
            progress(block.stop / games)
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


def report_table(duel: Duel) -> tuple[list[str], list[list[Any]]]:
    """Return the figures of the cut-off rule: exact, and published (None where they are not)."""
    report = cutoff_report(duel)
    rows: list[list[Any]] = [[words, exact, published] for words, exact, published in describe(report, duel.game)]
    for seat, results in (("first", report.first), ("second", report.second)):
        for name, result in results.items():
            for words, chance in zip(("wins", "ties", "loses"), result, strict=True):
                rows.append([f"{seat} against {name}: {words}", chance, None])
    return ["cut-off rule", "exact", "published"], rows


def played_table(duel: Duel, seed: int = 0) -> tuple[list[str], list[list[Any]]]:
    """Return the same with the figures of a million games beside them."""
    columns, rows = report_table(duel)
    with progress.bar("playing a million games") as advance:
        played = simulate_cutoff(duel.game, seed=seed, progress=advance)
    seen = [*played[:6], *played.best_of.values(), *[None] * len(rows)]
    beside = [[*row[:2], known, row[2]] for row, known in zip(rows, seen, strict=False)]
    return [*columns[:2], "a million games", columns[2]], beside


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


def expected_best(made: Array, players: int) -> float:
    """Return the expected gain of the best of several players with the same independent distribution by gain."""
    reached = np.cumsum(made) ** players
    return float(len(made) - 1 - reached[:-1].sum())


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


TABLES: dict[str, Callable[[Duel], tuple[list[str], list[list[Any]]]]] = {
    "cutoff": report_table, "cutoff-played": played_table, "walk": walk_table,
}  # fmt: skip
"""The tables about the cut-off rule."""
