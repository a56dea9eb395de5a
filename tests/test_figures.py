"""Figures show what the command line prints: the data of the matplotlib figures themselves, not only that there are some.

They are drawn again with the same bytes, and those that the README shows are there.
"""

from __future__ import annotations

import json
import math
import runpy
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from conftest import Run
from matplotlib.figure import Figure

from gametheory import figures, games

ROOT = Path(__file__).parent.parent
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
    written: list[Any] = []
    write = Figure.savefig

    def savefig(self: Figure, *where: Any, **how: Any) -> None:
        written.append(self)
        write(self, *where, **how)

    monkeypatch.setattr(Figure, "savefig", savefig)

    def drawn(*asked: str, option: str = "-o") -> Any:
        written.clear()
        ran = run(*asked, option, "figure.svg", "--force")
        assert (ran.status, ran.err) == (0, "")
        (figure,) = written
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


@pytest.mark.parametrize(
    ("like", "unit", "goal"), [("pig", 1, 100), ("pig", 1, 41), ("pig", 1, 30), ("ten-thousand", 50, 4500)]
)
def test_score_difference_draws_the_printed_differences(
    like: str, unit: int, goal: int, printed: Print, drawn: Plot
) -> None:
    """Each point stands for the differences around it, and in the middle of them."""
    Path("race.toml").write_text(f'like = "{like}"\ngoal = {goal}\n')
    (axes,) = drawn("plot", "race.toml", "score-difference").axes
    rows = printed("diff", "race.toml", "--by", "score-difference")["rows"]
    assert [row["differences"] for row in rows] == list(range(unit - goal, goal, unit))
    checked = 0
    for column in ("riskier", "safer"):
        middles, shares = points(line(axes, column))
        inner = middles[1:-1]
        assert len(middles) % 2
        assert middles[len(middles) // 2] == 0.0
        (width,) = {two - one for one, two in pairwise(inner)}
        borders = [-math.inf, *(middle - width / 2 for middle in inner), inner[-1] + width / 2, math.inf]
        for middle, share, (low, high) in zip(middles, shares, pairwise(borders), strict=True):
            found = [row for row in rows if low < row["differences"] < high]
            assert middle == pytest.approx(fmean(row["differences"] for row in found), rel=0, abs=1e-9)
            assert len(found) == width / unit or middle not in inner
            decisions = math.fsum(row["decisions"] for row in found)
            if decisions > 1e-6:
                parted = math.fsum(row[column] for row in found)
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


def test_lines_are_drawn_where_they_are_said_to_be() -> None:
    series = {"seconds": [(1.0, 0.5), (2.0, 4.0)], "gigabytes": [(1.0, 0.25), (2.0, 0.75), (3.0, 8.0)]}
    (axes,) = figures.lines(series, "growth", "dice", "cost", log=True).axes
    assert {one.get_label(): list(zip(*points(one), strict=True)) for one in axes.lines} == series
    assert (axes.get_yscale(), axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("log", "growth", "dice", "cost")
    assert {text.get_text() for text in axes.get_legend().get_texts()} == set(series)
    assert len({(one.get_color(), one.get_linestyle()) for one in axes.lines}) == 2
    (axes,) = figures.lines({str(n): [(1.0, 2.0)] for n in range(6)}, "growth", "dice", "cost", powers=True).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert len({(one.get_color(), one.get_linestyle(), one.get_marker()) for one in axes.lines}) == 6


def test_formats_draws_values_by_their_tie_rule_and_shares_by_their_seat() -> None:
    values = {"in turn (sequential)": {"split": 0.46, "replay": 0.45}, "all at once": {"split": 0.5}}
    seats = {2: [0.48, 0.52], 3: [0.3, 0.32, 0.38]}
    left, right = figures.formats("Toss", values, seats).axes
    rows = [label.get_text().replace("\n", " ") for label in left.get_yticklabels()]
    assert rows == list(values)
    for tie in ("split", "replay"):
        shown, heights = points(line(left, tie))
        assert {rows[round(y)]: x for x, y in zip(shown, heights, strict=True)} == {
            name: by_tie[tie] for name, by_tie in values.items() if tie in by_tie
        }
        assert holds(left.get_xlim(), shown)
        assert holds(left.get_ylim(), heights)
    assert [text.get_text() for text in left.texts] == ["0.4600", "0.5000", "0.4500"]
    for label, seat in (("first seat", 0), ("last seat", -1)):
        players, parts = points(line(right, label))
        assert players == list(seats)
        assert parts == pytest.approx([n * shares[seat] for n, shares in seats.items()], rel=1e-15)


# Files.


@pytest.mark.parametrize("name", figures.FIGURES["duel"])
@pytest.mark.parametrize("game", [LOW, MIXED])
def test_every_figure_of_a_pool_is_drawn_twice_with_the_same_bytes(tmp_path: Path, game: str, name: str) -> None:
    one, two = (figures.draw(game, name, tmp_path / file).read_bytes() for file in ("one.svg", "two.svg"))
    assert one == two
    assert b"<svg" in one


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_figures_of_races_are_drawn_in_every_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    for name in figures.FIGURES["race"]:
        path = figures.draw(games.game("pig"), name, tmp_path / f"{name}.{suffix}")
        assert path.read_bytes().startswith(start)


def test_an_unknown_figure_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no figure 'nope' of pig: the figures are score-difference"):
        figures.draw(games.game("pig"), "nope", tmp_path / "x.png")
    with pytest.raises(ValueError, match=r"'x\.gif'"):
        figures.draw(games.game("pig"), "score-difference", tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


# What the README shows.


ANSWER = runpy.run_path(str(ROOT / "scripts" / "answer.py"), run_name="imported")
ANSWERS = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")


def test_the_answer_for_biscuits_is_what_the_script_computes() -> None:
    assert ANSWER["section"]().strip() in ANSWERS


@pytest.mark.slow
def test_the_answers_for_races_are_what_the_script_computes() -> None:
    assert ANSWER["races"]().strip() in ANSWERS


def test_scripts_can_be_read_without_running_them() -> None:
    for script in ("answer", "bench", "formats"):
        assert "main" in runpy.run_path(str(ROOT / "scripts" / f"{script}.py"), run_name="imported")
