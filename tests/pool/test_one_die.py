"""One-die theory against the paper's figures, and the cut-off rule against brute force.

Figures 3 to 7 and 10 are those of the first version of the paper on badg.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil

import oracle
import pytest
from pools import SMALL, as_pool, plain_cutoff

from gametheory import games
from gametheory.columns import visits_of_steps
from gametheory.dice import standard_die
from gametheory.pool import one_die
from gametheory.pool.one_die import cutoff, expected_maximum, stopping, value_of_cutoff
from gametheory.pool.rules import PoolGame

PRINTED = 0.0006
"""The paper prints three places and rounds 6.0625 up and 5.8125 down."""

FIGURE_3 = {
    6: (3.5, 4.472, 4.958, 5.245, 5.431, 5.56, 5.654, 5.724, 5.778, 5.82, 5.853, 5.88, 5.901, 5.919, 5.933),
    8: (4.5, 5.812, 6.469, 6.858, 7.115, 7.295, 7.428, 7.529, 7.608, 7.67, 7.721, 7.763, 7.798, 7.827, 7.851),
    10: (5.5, 7.15, 7.975, 8.467, 8.792, 9.022, 9.192, 9.323, 9.426, 9.509, 9.576, 9.633, 9.68, 9.72, 9.754),
    12: (6.5, 8.486, 9.479, 10.072, 10.465, 10.744, 10.952, 11.111, 11.238, 11.34, 11.424, 11.495, 11.554, 11.605, 11.648),
}
"""Expected maximum of 1 to 15 rolls, by sides."""

FIGURES_4_TO_7 = {
    6: (
        (None, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5),
        (3.5, 4.25, 4.667, 4.944, 5.13, 5.275, 5.396, 5.496, 5.58, 5.65, 5.709, 5.757, 5.798, 5.831, 5.859),
        (2.5, 1.75, 1.333, 1.056, 0.87, 0.725, 0.604, 0.504, 0.42, 0.35, 0.291, 0.243, 0.202, 0.169, 0.141),
    ),
    8: (
        (None, 4, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7),
        (4.5, 5.5, 6.063, 6.422, 6.691, 6.894, 7.045, 7.165, 7.269, 7.36, 7.44, 7.51, 7.571, 7.625, 7.672),
        (3.5, 2.5, 1.938, 1.578, 1.309, 1.106, 0.955, 0.835, 0.731, 0.64, 0.56, 0.49, 0.429, 0.375, 0.328),
    ),
    10: (
        (None, 5, 6, 7, 7, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9),
        (5.5, 6.75, 7.45, 7.915, 8.241, 8.492, 8.694, 8.855, 8.984, 9.087, 9.179, 9.261, 9.335, 9.401, 9.461),
        (4.5, 3.25, 2.55, 2.085, 1.76, 1.508, 1.306, 1.145, 1.016, 0.913, 0.821, 0.739, 0.665, 0.599, 0.539),
    ),
    12: (
        (None, 6, 7, 8, 9, 9, 10, 10, 10, 10, 10, 10, 11, 11, 11),
        (6.5, 8, 8.833, 9.389, 9.792, 10.094, 10.328, 10.523, 10.686, 10.822, 10.935, 11.029, 11.11, 11.184, 11.252),
        (5.5, 4, 3.167, 2.611, 2.208, 1.906, 1.672, 1.477, 1.314, 1.178, 1.065, 0.971, 0.89, 0.816, 0.748),
    ),
}  # fmt: skip
"""Highest face to reject, expected face and expected points lost with 1 to 15 rolls left, by sides."""


@pytest.mark.parametrize("sides", FIGURE_3)
def test_expected_maximum_is_as_printed_in_figure_3(sides: int) -> None:
    found = [float(expected_maximum(standard_die(sides), r)) for r in range(1, 16)]
    assert found == pytest.approx(FIGURE_3[sides], abs=PRINTED)


@pytest.mark.parametrize("sides", FIGURES_4_TO_7)
def test_stopping_is_as_printed_in_figures_4_to_7(sides: int) -> None:
    rejects, faces, lost = FIGURES_4_TO_7[sides]
    stops = stopping(standard_die(sides), 15)
    assert tuple(stop.reject for stop in stops) == rejects
    assert [float(stop.expected) for stop in stops] == pytest.approx(faces, abs=PRINTED)
    assert [float(sides - stop.expected) for stop in stops] == pytest.approx(lost, abs=PRINTED)


@pytest.mark.parametrize("sides", [2, 3, 5, 7, 20, 50])
def test_the_highest_reject_is_one_below_the_expectation_rounded_up(sides: int) -> None:
    stops = stopping(standard_die(sides), 12)
    for before, stop in pairwise(stops):
        assert stop.reject == ceil(before.expected) - 1
    assert any(before.expected.denominator == 1 for before in stops) or sides != 3  # a face equal to E: 2 on a d3


def test_a_face_equal_to_the_value_of_going_on_is_kept() -> None:
    first, second = stopping(standard_die(3), 2)
    assert first.expected == 2
    assert second.reject == 1


def test_no_other_cutoff_does_better_than_stopping() -> None:
    for sides in (6, 10):
        die = standard_die(sides)
        for rolls in range(2, 8):
            values = [value_of_cutoff(die, rolls, cut) for cut in range(1, sides + 2)]
            assert max(values) == stopping(die, rolls)[-1].expected


def test_the_fifty_sided_counterexample_has_the_paper_s_five_values() -> None:
    die = standard_die(50)
    assert float(expected_maximum(die, 1)) == 25.5
    assert float(expected_maximum(die, 2)) == pytest.approx(33.83, abs=0.005)
    assert float(expected_maximum(die, 3)) == pytest.approx(37.995, abs=0.005)
    assert float(stopping(die, 2)[-1].expected) == 31.75
    values = [value_of_cutoff(die, 3, cut) for cut in (31, 32, 33, 34, 35)]
    assert values == [Fraction(v).limit_denominator(1000) for v in (35.25, 35.265, 35.26, 35.235, 35.19)]
    assert stopping(die, 3)[-1].reject == 31


def test_tables_speak_the_points_of_the_game() -> None:
    columns, rows = one_die.table(games.game("badg"), "one-die")
    assert columns == ["rolls", *(f"d{s} {what}" for s in (6, 8, 10, 12) for what in ("cut", "mean"))]
    assert len(rows) == 15
    for k, sides in enumerate((6, 8, 10, 12)):
        assert [row[1 + 2 * k] for row in rows] == list(FIGURES_4_TO_7[sides][0])
        assert [row[2 + 2 * k] for row in rows] == pytest.approx(FIGURES_4_TO_7[sides][2], abs=PRINTED)
    columns, rows = one_die.table(games.game("biscuits"), "expected-maximum")
    assert columns == ["rolls", "d6", "d8", "d10", "d12"]
    assert [row[4] for row in rows] == pytest.approx(FIGURE_3[12], abs=PRINTED)
    _, lost = one_die.table(games.game("badg"), "expected-maximum")
    assert [row[4] for row in lost] == pytest.approx([12 - row[4] for row in rows], abs=1e-12)
    with pytest.raises(ValueError, match="there is no table 'reach' of badg"):
        one_die.table(games.game("badg"), "reach")


def test_threes_rejects_faces_by_their_worth() -> None:
    # The faces 3, 1, 2, 4, 5, 6 cost 0, 1, 2, 4, 5, 6: expect 3 points of one roll, of two (0 + 1 + 2 + 3 + 3 + 3) / 6 = 2,
    # and with three left a 2, which costs just as much, is kept.
    stops = stopping(games.game("threes").kinds[0], 3, higher_wins=False)
    assert [stop.expected for stop in stops] == [3, 2, Fraction(3, 2)]
    assert [stop.reject for stop in stops] == [None, 4, 4]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_cutoff_has_the_distribution_of_brute_force(game: PoolGame) -> None:
    wanted = oracle.distribution(as_pool(game), plain_cutoff(game))
    made = visits_of_steps(games.space(game), cutoff(game).all_steps())[0]
    worst = game.worst(game.counts)
    for gain, chance in enumerate(made):
        assert chance == pytest.approx(float(wanted.get(worst + game.sign * gain, Fraction(0))), abs=1e-12)
