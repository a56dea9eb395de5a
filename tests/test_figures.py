"""Figures show what the command line prints: the data of the matplotlib figures themselves, not only that there are some."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run
from matplotlib.figure import Figure

LOW = "threes"  # the lowest sum wins
MIXED = "2d4+d6"
Print = Callable[..., Any]
Plot = Callable[..., Any]


@pytest.fixture
def printed(run: Run, folder: Path) -> Print:
    """Ask a question; return the printed JSON object."""

    def printed(*asked: str) -> Any:
        ran = run(*asked, "--json")
        assert (ran.status, ran.err) == (0, "")
        return json.loads(ran.out)

    return printed


@pytest.fixture
def drawn(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Plot:
    """Draw by a command that is given -o FILE, or another option for it; return the one figure that it wrote."""
    figures: list[Any] = []
    write = Figure.savefig

    def savefig(self: Figure, *where: Any, **how: Any) -> None:
        figures.append(self)
        write(self, *where, **how)

    monkeypatch.setattr(Figure, "savefig", savefig)

    def drawn(*asked: str, option: str = "-o") -> Any:
        figures.clear()
        ran = run(*asked, option, "figure.svg", "--force")
        assert (ran.status, ran.err) == (0, "")
        (figure,) = figures
        return figure

    return drawn


def line(axes: Any, label: str) -> Any:
    """Return the one line whose label has these words."""
    (found,) = [one for one in axes.lines if label in str(one.get_label())]
    return found


def points(one: Any) -> tuple[list[float], list[float]]:
    """Return where a line goes."""
    return [float(x) for x in one.get_xdata()], [float(y) for y in one.get_ydata()]


def holds(limits: Sequence[float], values: Sequence[float]) -> bool:
    """Tell whether everything lies between the ends of an axis."""
    low, high = sorted(limits)
    return all(low <= value <= high for value in values)


# Pools.


@pytest.mark.parametrize("game", [LOW, MIXED])
def test_distributions_draws_the_printed_distributions(game: str, printed: Print, drawn: Plot) -> None:
    (axes,) = drawn("plot", game, "distributions").axes
    for policy, label in (("score", "for points"), ("win", "to win")):
        expected = printed("distribution", game, "--policy", policy)
        one = line(axes, label)
        scores, chances = points(one)
        assert scores == expected["scores"]
        assert chances == pytest.approx(expected["probabilities"], rel=0, abs=1e-15)
        assert f"mean {expected['mean']:.2f}, sd {expected['sd']:.2f}" in one.get_label()
        likely = [score for score, chance in zip(scores, chances, strict=True) if chance > 1e-3]
        assert holds(axes.get_xlim(), likely)
        assert holds(axes.get_ylim(), [0.0, *chances])
        (upright,) = [other for other in axes.lines if other.get_color() == one.get_color() and other is not one]
        assert points(upright)[0] == pytest.approx([expected["mean"]] * 2, rel=0, abs=1e-12)
    assert "score" in axes.get_xlabel()
    assert axes.get_ylabel() == "probability"


@pytest.mark.parametrize(("game", "sign"), [(LOW, -1), (MIXED, 1)])
def test_second_draws_the_printed_chances_against_every_score(game: str, sign: int, printed: Print, drawn: Plot) -> None:
    (axes,) = drawn("plot", game, "second").axes
    expected = printed("second", game)
    made = printed("distribution", game, "--policy", "score")
    # Playing for points does not look at the target: it wins where its score beats it, and half where they tie.
    by_points = [
        math.fsum(
            chance * ((sign * (score - target) > 0) + (score == target) / 2)
            for score, chance in zip(made["scores"], made["probabilities"], strict=True)
        )
        for target in expected["targets"]
    ]
    shown = {"plays to win": expected["win_probability"], "plays for points": by_points}
    for label, chances in shown.items():
        targets, found = points(line(axes, label))
        assert targets == expected["targets"]
        assert found == pytest.approx(chances, rel=0, abs=1e-14)
        assert holds(axes.get_ylim(), chances)
    open_still = [
        target
        for target, chance in zip(expected["targets"], expected["win_probability"], strict=True)
        if 0.001 < chance < 0.999
    ]
    assert holds(axes.get_xlim(), open_still)
    gaps = [one - two for one, two in zip(*shown.values(), strict=True)]
    worst = max(range(len(gaps)), key=gaps.__getitem__)
    (note,) = axes.texts
    assert note.get_text() == f"largest gap: {gaps[worst]:.1%}\nagainst {expected['targets'][worst]}"
    at, height = note.xy
    assert at == expected["targets"][worst]
    assert by_points[worst] <= height <= expected["win_probability"][worst]


def dice_in(notation: str) -> int:
    """Count the dice of a notation such as 2d4+d6."""
    return sum(int(part.partition("d")[0] or 1) for part in notation.split("+"))


def pixels(image: Any) -> dict[tuple[float, float], float]:
    """Return what a map shows, by the point in the axes on which each pixel's centre lies; nothing where it is blank."""
    shown = np.ma.masked_invalid(image.get_array())
    rows, columns = shown.shape
    left, right, bottom, top = image.get_extent()
    if image.origin == "upper":
        bottom, top = top, bottom
    found = {}
    for row, column in zip(*np.nonzero(~np.ma.getmaskarray(shown)), strict=True):
        x = left + (column + 0.5) * (right - left) / columns
        y = bottom + (row + 0.5) * (top - bottom) / rows
        found[round(float(x), 9), round(float(y), 9)] = float(shown[row, column])
    return found


@pytest.mark.parametrize("game", [LOW, MIXED, "2d3+2d4", "debts.toml"])
@pytest.mark.parametrize(("name", "scale"), [("disagreement", 1.0), ("cost", 100.0)])
def test_maps_draw_the_printed_places_where_they_are(
    game: str, name: str, scale: float, printed: Print, drawn: Plot
) -> None:
    """Average, by chance to be there, over the dice of one number that may be left."""
    Path("debts.toml").write_text('dice = "3d4"\npoints.d4 = [-3, 1, 2, 4]\n')
    figure = drawn("plot", game, name)
    sums: dict[tuple[float, float], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in printed("diff", game, "--by", "place")["rows"]:
        if row["probability"] > 1e-7:
            at = sums[row["banked"], dice_in(row["dice_left"])]
            at[0] += row["probability"]
            at[1] += row["probability"] * row[name]
    expected = {place: scale * part / there for place, (there, part) in sums.items()}
    if name == "cost":  # on a logarithmic scale nothing is no number
        expected = {place: cost for place, cost in expected.items() if cost > 0.0}
    axes, bar = figure.axes
    (image,) = axes.images
    found = pixels(image)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert max(found.values()) > 0.0
    assert holds(axes.get_xlim(), [banked for banked, _ in found])
    assert holds(axes.get_ylim(), [dice for _, dice in found])
    assert image.norm.vmax == pytest.approx(max(found.values()), rel=1e-12)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("banked (points)", "dice left")
    assert ("%" in bar.get_ylabel()) is (scale == 100.0)


@pytest.mark.parametrize("game", [LOW, MIXED])
def test_cost_by_target_draws_the_printed_targets(game: str, printed: Print, drawn: Plot) -> None:
    left, right = drawn("plot", game, "cost-by-target").axes
    rows = printed("diff", game, "--by", "target")["rows"]
    assert [row["target"] for row in rows] == list(range(rows[0]["target"], rows[-1]["target"] + 1))
    bars = {round(bar.get_x() + bar.get_width() / 2, 9): bar.get_height() for bar in left.patches}
    lost = {row["target"]: 100 * row["win_probability_lost"] for row in rows}
    assert bars == pytest.approx(lost, rel=0, abs=1e-13)
    assert max(lost.values()) > 0.1
    targets, parted = points(line(right, "disagreements"))
    assert targets == [row["target"] for row in rows]
    assert parted == pytest.approx([row["disagreements_per_game"] for row in rows], rel=0, abs=1e-14)
    assert holds(left.get_xlim(), [target for target, cost in lost.items() if cost > 0.01])
    assert left.get_xlim() == right.get_xlim()
    assert holds(left.get_ylim(), [0.0, *lost.values()])
    assert holds(right.get_ylim(), [0.0, *parted])
    assert "lost (%)" in left.get_ylabel()
    assert right.get_ylabel() == "disagreements in a game"


# Races.


@pytest.mark.parametrize("goal", [100, 41])
def test_score_difference_draws_the_printed_differences(goal: int, folder: Path, printed: Print, drawn: Plot) -> None:
    """Each point stands for the differences around it, as many as lie between two points."""
    Path("race.toml").write_text(f'like = "pig"\ngoal = {goal}\n')
    game = "pig" if goal == 100 else "race.toml"
    (axes,) = drawn("plot", game, "score-difference").axes
    rows = printed("diff", game, "--by", "score-difference")["rows"]
    checked = 0
    for label, column in (("riskier", "riskier"), ("safer", "safer")):
        middles, shares = points(line(axes, label))
        width = middles[1] - middles[0]
        assert {two - one for one, two in pairwise(middles)} == {width}
        sums = [[0.0, 0.0] for _ in middles]
        for row in rows:
            place = math.floor((row["differences"] - middles[0] + width / 2) / width)
            assert abs(row["differences"] - middles[place]) <= width / 2
            sums[place][0] += row["decisions"]
            sums[place][1] += row[column]
        for share, (decisions, parted) in zip(shares, sums, strict=True):
            if decisions > 1e-6:
                assert share == pytest.approx(100 * parted / decisions, rel=1e-12, abs=1e-15)
                checked += share > 0.0
            else:
                assert math.isnan(share)
        live = [(x, y) for x, y in zip(middles, shares, strict=True) if not math.isnan(y)]
        assert holds(axes.get_xlim(), [x for x, _ in live])
        assert holds(axes.get_ylim(), [0.0, *(y for _, y in live)])
    assert checked >= 1
    assert axes.get_xlabel() == "my score less theirs (points)"
    assert axes.get_ylabel().endswith("(%)")


# Lines.


def test_a_sweep_draws_its_rows_a_line_for_each_series(printed: Print, drawn: Plot) -> None:
    asked = ("sweep", "{n}d{s}", "--n", "1..3", "--s", "4,6")
    rows = printed(*asked)["rows"]
    (axes,) = drawn(*asked, "--x", "n", "--y", "expected_score", "--by", "s", option="--figure").axes
    assert len(axes.lines) == 2
    for sides in (4, 6):
        (one,) = [one for one in axes.lines if str(sides) in one.get_label()]
        expected = [(row["n"], row["expected_score"]) for row in rows if row["s"] == sides]
        assert list(zip(*points(one), strict=True)) == expected
        assert len(expected) == 3
        assert holds(axes.get_xlim(), [x for x, _ in expected])
        assert holds(axes.get_ylim(), [y for _, y in expected])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("n", "expected score")


def test_a_sweep_of_one_series_draws_one_line(printed: Print, drawn: Plot) -> None:
    asked = ("sweep", "{n}d4", "--n", "1..4")
    (axes,) = drawn(*asked, option="--figure").axes
    (one,) = axes.lines
    rows = printed(*asked)["rows"]
    assert points(one) == ([1, 2, 3, 4], [row["first_player_value"] for row in rows])
