"""Check one turn of races, played for points or to reach a total, against published numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory.race.rules import keeps, rolls
from gametheory.race.turn import reach, turn_tables

from .shared import FARKLE, PIG, TEN

# github.com/Amund211/10001, results.txt: expected gain of rolling 6, 5, ..., 1 dice at a turn total.
PUBLISHED_GAIN = {
    0: (590.7, 336.8, 240.8, 197.2, 185.0, 217.2),
    250: (549.3, 266.7, 133.0, 45.7, -1.4, 38.4),
    500: (519.5, 224.9, 83.8, -25.0, -116.2, -137.8),
    1000: (475.7, 161.8, 3.9, -165.8, -342.7, -484.8),
}
# The same file: the chance, in per cent, to reach 1000.
PUBLISHED_REACH = {
    0: (32.73, 19.52, 13.59, 10.38, 9.50, 11.47),
    500: (56.95, 35.60, 26.14, 21.60, 20.17, 22.14),
    950: (97.69, 92.28, 84.26, 72.22, 55.56, 33.33),
}


def test_expected_turn_scores_are_the_published_ones() -> None:
    tables = turn_tables(TEN)
    for total, gains in PUBLISHED_GAIN.items():
        found = [tables.expected_score(dice, total) - total for dice in range(6, 0, -1)]
        assert found == pytest.approx(gains, abs=0.0501)


def test_stopping_totals_are_the_published_ones() -> None:
    """Stop as in github.com/Amund211/10001, results.txt."""
    assert turn_tables(TEN).stop() == {6: 18100, 5: 3100, 4: 1050, 3: 450, 2: 250, 1: 350}


def test_chances_to_reach_1000_are_the_published_ones() -> None:
    found = reach(TEN, 1000)
    for total, chances in PUBLISHED_REACH.items():
        assert 100 * found[total // 50, :0:-1] == pytest.approx(chances, abs=0.00501)
    assert np.all(found[20] == 1.0)


def test_pig_holds_at_20_for_the_score() -> None:
    """Rolling at 20 neither gains nor loses; the mean of a turn held there is 8.14 (Neller and Presser)."""
    tables = turn_tables(PIG)
    assert tables.stop() == {1: 21}
    assert tables.expected_turn_score == pytest.approx(8.1418, abs=5e-5)


def test_expected_turn_score_satisfies_its_recurrence_through_the_plain_rules() -> None:
    tables = turn_tables(FARKLE)
    for dice, total in ((6, 0), (3, 300), (2, 5000), (6, 20_000), (6, 60_000)):
        expected = 0.0
        for roll, weight in rolls(FARKLE, dice):
            worth = [
                max(total + keep.points, tables.expected_score(keep.dice_left, total + keep.points))
                for keep in keeps(FARKLE, roll)
            ]
            expected += weight / 6**dice * max(worth, default=0.0)
        assert tables.expected_score(dice, total) == pytest.approx(expected, rel=1e-13)


def test_unopened_turns_never_score_more() -> None:
    expected = turn_tables(TEN).expected
    opening = TEN.opening // TEN.unit
    assert np.all(expected[0, :opening, 1:] <= expected[1, :opening, 1:])
    assert np.all(expected[0, 0, 1:] < expected[1, 0, 1:] - 30.0)
    assert np.array_equal(expected[0, opening:], expected[1, opening:])
