"""What the cut-off rule comes to, against the published simulation, brute force, and play with dice.

The published results of a million games are those of the later version of the paper, in fettermania/mathnotes.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import oracle
import pytest
from pools import as_pool, plain_cutoff
from shared import solved

from gametheory import games
from gametheory.ask import cutoff as ask
from gametheory.ask.cutoff import (
    PUBLISHED,
    TABLES,
    CutoffReport,
    cutoff_report,
    describe,
    expected_best,
    simulate_cutoff,
    walk_table,
)
from gametheory.pool.one_die import cutoff, stopping


def test_interruptions_are_those_of_brute_force() -> None:
    game = games.game("2d4+d6")
    pool, rule = as_pool(game), plain_cutoff(game)
    mean, none = Fraction(0), {(oracle.full(pool), 0): Fraction(1)}
    clear: dict[int, Fraction] = {}
    for (counts, _), mass in oracle.visit(pool, rule).items():
        if any(counts):
            mean += mass * Fraction(cutoff(game).interrupted(counts)).limit_denominator(10**9)
    for counts, banked in oracle.reachable(pool):
        mass = none.get((counts, banked), Fraction(0))
        if not any(counts):
            clear[banked] = clear.get(banked, Fraction(0)) + mass
            continue
        for roll, weight in oracle.rolls(pool, counts):
            cuts = [stopping(die, sum(counts))[-1].reject or 0 for die in game.kinds]
            keep = tuple(tuple(p for p in points if p > cut) for points, cut in zip(roll, cuts, strict=True))
            if any(keep):
                after = oracle.follow(counts, banked, keep)
                none[after] = none.get(after, Fraction(0)) + mass * weight / oracle.count_ways(pool, counts)
    report = cutoff_report(solved(game))
    assert report.interruptions == pytest.approx(float(mean), abs=1e-9)
    assert report.no_interruption == pytest.approx(float(sum(clear.values())), abs=1e-12)
    expected = sum(score * chance for score, chance in clear.items()) / sum(clear.values())
    assert report.mean_without_interruption == pytest.approx(float(expected), abs=1e-12)
    assert report.published is None
    assert report.walk == ()


@pytest.fixture(scope="module")
def report() -> CutoffReport:
    """The exact figures for the dice of the paper."""
    return cutoff_report(solved("badg"))


def test_the_exact_figures_agree_with_the_published_simulation(report: CutoffReport) -> None:
    games = 1_000_000
    assert report.mean == pytest.approx(PUBLISHED["points_lost"], abs=0.005 + 4 * report.sd / sqrt(games))
    assert report.interruptions == pytest.approx(PUBLISHED["interruptions"], abs=0.005 + 4 * 1.3 / sqrt(games))
    assert report.no_interruption == pytest.approx(PUBLISHED["no_interruption"], abs=0.0005 + 4 * 0.41 / sqrt(games))
    spread = report.sd / sqrt(games * report.no_interruption)
    lost = PUBLISHED["points_lost_without_interruption"]
    assert report.mean_without_interruption == pytest.approx(lost, abs=0.005 + 4 * spread)
    assert report.perfect == pytest.approx(PUBLISHED["perfect"], abs=0.00005 + 4 * 0.033 / sqrt(games))
    for players, best in PUBLISHED["best_of"].items():
        # The million games were dealt out to groups of so many players.
        assert report.best_of[players] == pytest.approx(best, abs=4 * report.sd / sqrt(games / players))


def test_the_exact_figures_of_the_published_rule(report: CutoffReport) -> None:
    assert report.mean == pytest.approx(8.529913900877, abs=1e-9)
    assert report.interruptions == pytest.approx(1.549892813089, abs=1e-9)
    assert report.no_interruption == pytest.approx(0.211782263271, abs=1e-9)
    assert report.mean_without_interruption == pytest.approx(5.676698284963, abs=1e-9)
    assert report.perfect == pytest.approx(0.001096067977, abs=1e-11)
    assert report.first["score"].win == pytest.approx(report.second["score"].win, abs=1e-12)
    assert report.first["win"].loss > report.first["score"].loss
    for results in (report.first, report.second):
        for result in results.values():
            assert sum(result) == pytest.approx(1.0, abs=1e-12)
    assert sum(report.distribution.probabilities) == pytest.approx(1.0, abs=1e-12)
    what, exact, published = describe(report, games.game("badg"))[0]
    assert (what, exact) == ("mean score", report.mean)
    assert published == pytest.approx(8.53)


def test_the_published_walk_is_right_to_its_three_places(report: CutoffReport) -> None:
    walk = report.walk
    assert len(walk) == 10
    for step in walk:
        assert step.interruption == pytest.approx(step.published, abs=0.0008)  # 0.29630 is printed as 0.297
    assert sum(step.interruption for step in walk) == pytest.approx(1.75, abs=0.005)
    assert walk[0].visited == pytest.approx(1.0)
    assert all(0.0 < step.visited < 1.0 for step in walk[1:])


def test_cutoff_is_a_policy_by_name() -> None:
    duel = solved("threes")
    assert duel.distribution("cutoff").mean == pytest.approx(cutoff_report(duel).mean, abs=1e-12)


def test_the_cutoff_rule_played_with_dice_agrees_with_its_exact_figures() -> None:
    for name in ("threes", "badg"):
        game = games.game(name)
        report, played = cutoff_report(solved(game)), simulate_cutoff(game, 50_000, seed=3)
        assert abs(played.mean - report.mean) < 4 * report.sd / 50_000**0.5
        spread = (report.no_interruption * (1 - report.no_interruption) / 50_000) ** 0.5
        assert abs(played.no_interruption - report.no_interruption) < 4 * spread
        assert played.interruptions == pytest.approx(report.interruptions, abs=0.03)


def test_the_published_walk_stands_beside_the_true_chances() -> None:
    columns, rows = walk_table(solved("biscuits"))
    assert columns[0] == "dice left"
    assert all(abs(published - exact) < 0.001 for _, published, exact, _ in rows)
    with pytest.raises(ValueError, match="no published walk for 5d6"):
        walk_table(solved("threes"))


def test_the_best_of_several_players_is_an_order_statistic() -> None:
    made = np.array([0.5, 0.25, 0.25])
    assert expected_best(made, 1) == pytest.approx(0.75)
    # Two players: P(max = 0) = 1/4, P(max = 1) = 9/16 - 1/4, P(max = 2) = 7/16.
    assert expected_best(made, 2) == pytest.approx(5 / 16 + 2 * 7 / 16)


def test_a_million_games_are_played_only_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def few(game: Any, seed: int = 0, progress: Any = None) -> Any:
        asked.append(seed)
        return simulate_cutoff(game, 2_000, seed=seed)

    monkeypatch.setattr(ask, "simulate_cutoff", few)
    plain, played = (TABLES[name](solved("badg")) for name in ("cutoff", "cutoff-played"))
    assert asked == [0]
    assert played[0] == ["cut-off rule", "exact", "a million games", "published"]
    assert [[*row[:2], row[3]] for row in played[1]] == plain[1]
    shown = {row[0]: row[2] for row in played[1]}
    assert shown["mean score"] == pytest.approx(plain[1][0][1], abs=4 * plain[1][1][1] / sqrt(2_000))
    assert shown["first against win: wins"] is None
