"""Figures. The only module that imports matplotlib (extra `plot`), and without pyplot, which is slow to load.

One palette, safe for colour-blind readers (Okabe and Ito), with line styles and marks that tell the lines apart in grey.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from . import aims, extras, files
from .ask.solve import asked_of, find
from .match.duel import Duel
from .match.parting import by_target

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#666666"
SUFFIXES = ("png", "svg", "pdf")


def check_library() -> None:
    """Refuse to draw where matplotlib is missing, before anything is solved."""
    if find_spec("matplotlib") is None:
        raise ValueError(f"figures need matplotlib: {extras.install('plot')}")


def _figure(width: float = 8.0, height: float = 4.8) -> tuple[Any, Any]:
    check_library()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3, linewidth=0.6)
    axes.locator_params(axis="x", integer=True)
    return figure, axes


def draw(
    game: object, name: str, path: str | Path, *, match: str = "sequential", players: int | None = None,
    tie: str | float = "split", aim: object = aims.WIN, tables: str | Path | None = None,
) -> Path:  # fmt: skip
    """Draw a figure of a game, of a match or played for an aim, to a png, svg or pdf file."""
    path = Path(path)
    check_suffix(path)
    check_library()
    kind, chosen, _ = asked_of(game, tie, match=match, players=players, aim=aim)
    figures = FIGURES.get(kind.kind, {})
    if name not in figures:
        there = f"the figures are {', '.join(figures)}" if figures else "there are none, ask the game for two in turn"
        raise ValueError(f"there is no figure {name!r} of {chosen.name}: {there}")
    save(figures[name](find(game, "policy", tie, match=match, players=players, aim=aim, tables=tables)), path)
    return path


def check_suffix(path: Path) -> str:
    """Return the format that a figure's file name asks for, or refuse it."""
    suffix = path.suffix.lower().lstrip(".")
    if suffix not in SUFFIXES:
        raise ValueError(f"cannot draw to {path.name!r}: let the name end in .png, .svg or .pdf")
    return suffix


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all, with no time stamp in it."""
    from matplotlib import rc_context

    suffix = check_suffix(path)
    stamps = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}, "png": {}}
    with files.whole(path) as file, rc_context({"svg.hashsalt": "gametheory"}):
        figure.savefig(file, format=suffix, dpi=150, metadata=stamps[suffix])


# Games in which each makes a score.


def _title(duel: Duel) -> str:
    dice = duel.notation.labels.get("dice")
    return str(duel.game.name).capitalize() + (f" ({dice})" if dice else "")


def distributions(duel: Duel) -> Any:
    """Draw the exact score distributions of the first player who plays for points, and to win."""
    figure, axes = _figure()
    plays = (
        ("score", "for points", BLUE, "-", "o"),
        ("win", "to win, playing first", ORANGE, "--", "s"),
    )
    for chosen, words, colour, style, mark in plays:
        made = duel.distribution(chosen)
        label = f"{words}: mean {made.mean:.2f}, sd {made.sd:.2f}"
        axes.plot(made.scores, made.probabilities, style, marker=mark, markersize=4, color=colour, label=label)
        axes.axvline(made.mean, color=colour, linestyle=":", linewidth=1)
    shown = [s for s, p in zip(made.scores, made.probabilities, strict=True) if p > 2e-4]
    axes.set_xlim(min(shown) - 1, max(shown) + 1)
    axes.set_ylim(bottom=0)
    axes.set(title=f"{_title(duel)}: how the final score spreads", xlabel="final score (points)", ylabel="probability")
    axes.legend(frameon=False)
    return figure


def second(duel: Duel) -> Any:
    """Draw the second player's chance against every target, playing to win and playing for points."""
    figure, axes = _figure()
    targets, chances = duel.second_by_target()
    wins, ties = duel.policy("score").replies(duel)
    by_score = (wins + duel.tie_worth * ties)[:: duel.space.sign]
    axes.plot(targets, chances, "-", color=ORANGE, label="second player plays to win")
    axes.plot(targets, by_score, "--", color=BLUE, label="second player plays for points")
    gap = np.array(chances) - by_score
    worst = int(np.argmax(gap))
    axes.annotate(
        f"largest gap: {gap[worst]:.1%}\nagainst {targets[worst]}",
        (targets[worst], (chances[worst] + by_score[worst]) / 2),
        xytext=(-90 if duel.game.higher_wins else 60, -30), textcoords="offset points", arrowprops={"arrowstyle": "->"},
    )  # fmt: skip
    live = [t for t, p in zip(targets, chances, strict=True) if 0.0005 < p < 0.9995]
    axes.set_xlim(min(live) - 1, max(live) + 1)
    axes.set(
        title=f"{_title(duel)}: the second player's chance, ties {duel.tie}",
        xlabel="what the first player made (points)", ylabel="chance to win",
    )  # fmt: skip
    axes.legend(frameon=False)
    return figure


def _map(duel: Duel, values: Any, title: str, label: str, *, scale: float = 1.0, log: bool = False) -> Any:
    """Draw something by number of dice left and banked points, averaged over the pools of that many dice."""
    from matplotlib.colors import LogNorm

    space = duel.space
    if not space.solo.shifts:
        raise ValueError(
            f"no map of {duel.game.name} can be drawn: its states hold the points, nothing is banked beside them"
        )
    found: Any = duel.diff()
    if not (found.disagreement > 0).any():
        raise ValueError(f"no map of {duel.game.name} can be drawn: playing to win and for points never part in it")
    dice = len(space.levels)
    points = [space.banked_scores(place) for place in range(space.places)]
    low, high = min(map(min, points)), max(map(max, points))
    there, total = np.zeros((dice + 1, high - low + 1)), np.zeros((dice + 1, high - low + 1))
    for left, level in enumerate(space.levels, 1):
        # Sums are taken in the order of places, so that a figure has the same bits every time.
        for place in sorted(level):
            for gain in np.flatnonzero(found.visits[place] > 1e-7):
                at = left, space.base(place) + space.sign * int(gain) - low
                there[at] += found.visits[place, gain]
                total[at] += found.visits[place, gain] * getattr(found, values)[place, gain]
    shown = np.full(there.shape, np.nan)
    np.divide(total * scale, there, out=shown, where=there > 0)
    shown[0] = np.nan
    columns = np.flatnonzero(~np.isnan(shown).all(axis=0))
    figure, axes = _figure(8.5, 5)
    axes.grid(visible=False)
    norm = LogNorm(vmin=max(np.nanmax(shown) * 1e-4, 1e-12), vmax=np.nanmax(shown)) if log else None
    if log:
        shown = np.where(shown > 0, shown, np.nan)
    image = axes.imshow(
        shown[1:, columns[0] : columns[-1] + 1], origin="lower", aspect="auto", cmap="cividis", norm=norm,
        extent=(low + columns[0] - 0.5, low + columns[-1] + 0.5, 0.5, dice + 0.5),
    )  # fmt: skip
    bar = figure.colorbar(image)
    bar.set_label(label)
    axes.locator_params(axis="y", integer=True)
    axes.set(title=f"{_title(duel)}: {title}", xlabel="banked (points)", ylabel=space.level_noun)
    return figure


def disagreement(duel: Duel) -> Any:
    """Draw the chance that a roll makes win and score part, over dice left and banked points."""
    return _map(
        duel, "disagreement", "where playing to win and for points part (first player)", "chance that a roll parts them"
    )


def cost(duel: Duel) -> Any:
    """Draw what playing for points costs, over dice left and banked points."""
    return _map(
        duel, "cost", "what playing for points costs (first player)", "chance to win lost by one roll (%)",
        scale=100, log=True,
    )  # fmt: skip


def cost_by_target(duel: Duel) -> Any:
    """Draw what playing for points costs the second player against every target, and how often the two part."""
    figure, axes = _figure()
    found = by_target(duel)
    targets = [target for target, _ in found]
    lost = [100 * figures.win_probability_lost for _, figures in found]
    parted = [figures.disagreements_per_game for _, figures in found]
    live = [t for t, value in zip(targets, lost, strict=True) if value > 0.001] or targets
    axes.bar(targets, lost, color=ORANGE, label="chance to win lost (left scale)")
    axes.set_xlim(min(live) - 1, max(live) + 1)
    axes.set(
        title=f"{_title(duel)}: playing second for points instead of to win",
        xlabel="what the first player made (points)", ylabel="chance to win lost (%)",
    )  # fmt: skip
    other = axes.twinx()
    other.spines[["top"]].set_visible(False)
    other.plot(targets, parted, "-", marker=".", color=BLUE, label="disagreements in a game (right scale)")
    other.set_ylabel("disagreements in a game")
    other.set_ylim(bottom=0)
    handles = [handle for part in (axes, other) for handle in part.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, frameon=False, loc="outside lower center", ncols=2)
    return figure


# Other formats, and aims.


def _spread(solution: Any, chosen: str, words: str) -> Any:
    """Draw how the final score spreads of one who plays for points, and of another way to play."""
    figure, axes = _figure()
    for policy, said, colour, style, mark in (
        ("score", "for points", BLUE, "-", "o"), (chosen, words, ORANGE, "--", "s")
    ):  # fmt: skip
        made = solution.distribution(policy)
        label = f"{said}: mean {made.mean:.2f}, sd {made.sd:.2f}"
        axes.plot(made.scores, made.probabilities, style, marker=mark, markersize=4, color=colour, label=label)
    axes.set_ylim(bottom=0)
    axes.set(title=f"{_title(solution)}: how the final score spreads", xlabel="final score (points)", ylabel="probability")
    axes.legend(frameon=False)
    return figure


def unseen(solution: Any) -> Any:
    """Draw the scores of the equilibrium of players who see nothing, and of one who plays for points."""
    return _spread(solution, "win", "to win, unseen")


def for_aim(solution: Any) -> Any:
    """Draw the scores of the best play for an aim, and of one who plays for points."""
    return _spread(solution, solution.aim.name, f"for {solution.aim.name}")


def by_seat(solution: Any) -> Any:
    """Draw each seat's chance in turn, when all play to win and when that seat alone plays for points."""
    figure, axes = _figure()
    places = np.arange(1, solution.n + 1)
    axes.plot(places, solution.seat_values, "--", marker="s", color=ORANGE, label="playing to win")
    axes.plot(places, solution.score_values, "-", marker="o", color=BLUE, label="playing for points, the others to win")
    axes.axhline(1 / solution.n, color=GREY, linewidth=0.8)
    axes.set(title=f"{_title(solution)}: {solution.n} players in turn", xlabel="seat", ylabel="chance to win")
    axes.legend(frameon=False)
    return figure


def by_lead(solution: Any) -> Any:
    """Draw the first player's chance by the points that he is given at the start, roll by roll."""
    found = solution.fair(around=6)
    figure, axes = _figure()
    axes.plot(list(found.value_by_bonus), list(found.value_by_bonus.values()), "-", marker="o", color=BLUE)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.set(
        title=f"{_title(solution)}: two who roll in turn, ties {solution.tie}",
        xlabel="points given to the first player", ylabel="the first player's chance to win",
    )  # fmt: skip
    return figure


# Races.


def by_score_difference(solution: Any) -> Any:
    """Draw how often, and to what side, win and score part in a race, by the difference of the scores."""
    by = solution.diff().by_difference()
    # An odd number of units, so that one point stands for the differences around 0.
    units = -(-2 * solution.game.goal // (80 * solution.game.unit))
    width = solution.game.unit * (units + 1 - units % 2)
    place = np.rint(by.differences / width).astype(np.int64)
    most = int(place.max())
    count, *sums = (
        np.bincount(place + most, values) for values in (None, by.differences, by.decisions, by.riskier, by.safer)
    )
    # Each point stands in the middle of the differences that it counts: the outermost have fewer.
    middle = np.arange(-most, most + 1.0) * width
    np.divide(sums[0], count, out=middle, where=count > 0)
    decisions = np.where(sums[1] > 1e-6, sums[1], np.nan)
    figure, axes = _figure()
    axes.plot(middle, 100 * sums[2] / decisions, "-", color=ORANGE, label="rolls on where score banks: riskier")
    axes.plot(middle, 100 * sums[3] / decisions, "--", color=BLUE, label="banks where score rolls on: safer")
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.set(
        title=f"{solution.game.name.capitalize()}: where playing to win leaves playing for points",
        xlabel="my score less theirs (points)", ylabel="decisions that differ (%)",
    )  # fmt: skip
    axes.legend(frameon=False)
    return figure


FIGURES: dict[str, dict[str, Callable[[Any], Any]]] = {
    "duel": {
        "distributions": distributions,
        "second": second,
        "disagreement": disagreement,
        "cost": cost,
        "cost-by-target": cost_by_target,
    },
    "hidden": {"distributions": unseen},
    "players": {"seats": by_seat},
    "alternating": {"head-start": by_lead},
    "solo": {"distributions": for_aim},
    "race": {"score-difference": by_score_difference},
}
"""The figures of each kind of match, by name."""


# Formats, sweeps and benchmarks.


def formats(name: str, values: dict[str, dict[str, float]], seats: dict[int, list[float]]) -> Any:
    """Draw the first player's value by format and tie rule, and each seat's share around a table of n players."""
    figure, axes = _figure(10, 4.6)
    axes.remove()
    left, right = figure.subplots(1, 2)
    for part in (left, right):
        part.spines[["top", "right"]].set_visible(False)
        part.grid(axis="x" if part is left else "y", alpha=0.3, linewidth=0.6)
    places = np.arange(len(values))
    for shift, tie, colour, mark in ((-0.12, "split", BLUE, "o"), (0.12, "replay", ORANGE, "s")):
        there = [place + shift for place, by_tie in zip(places, values.values(), strict=True) if tie in by_tie]
        shown = [by_tie[tie] for by_tie in values.values() if tie in by_tie]
        left.plot(shown, there, linestyle="", marker=mark, color=colour, label=f"ties {tie}")
        for value, place in zip(shown, there, strict=True):
            left.annotate(
                f"{value:.4f}", (value, place), xytext=(-8, 0), textcoords="offset points", ha="right", va="center"
            )
    left.axvline(0.5, color=GREY, linewidth=0.8)
    left.set_yticks(places, [text.replace(" (", "\n(") for text in values])
    left.set_ylim(len(values) - 0.4, -0.6)
    left.set_xlim(min(value for by_tie in values.values() for value in by_tie.values()) - 0.012, 0.505)
    left.set(title=f"{name}: two players", xlabel="first player's chance to win")
    left.legend(frameon=False, loc="lower left")
    rows = (("first seat", 0, BLUE, "-", "o"), ("last seat", -1, ORANGE, "--", "s"))
    for words, seat, colour, style, mark in rows:
        points = [(n, n * shares[seat]) for n, shares in seats.items()]
        right.plot(*zip(*points, strict=True), style, marker=mark, markersize=4, color=colour, label=words)
    right.axhline(1.0, color=GREY, linewidth=0.8)
    right.set(title=f"{name}: around a table", xlabel="players in turn", ylabel="chance to win, as part of a fair share")
    right.legend(frameon=False)
    return figure


# One line for each series.


def lines(
    series: dict[str, list[tuple[float, float]]], title: str, x: str, y: str, *, log: bool = False, powers: bool = False
) -> Any:
    """Draw one line for each named series of points; `log` along y, or along both axes, on which powers are straight."""
    figure, axes = _figure()
    for place, (name, points) in enumerate(series.items()):
        colour = (BLUE, ORANGE, GREEN, GREY)[place % 4]
        style = ("-", "--", "-.", ":")[place % 4]
        mark = "os^dvP*X"[place % 8]  # what comes after four has another mark
        axes.plot(*zip(*points, strict=True), style, marker=mark, markersize=4, color=colour, label=name)
    if log or powers:
        axes.set_yscale("log")
    if powers:
        axes.set_xscale("log")
    axes.set(title=title, xlabel=x, ylabel=y)
    if len(series) > 1:
        axes.legend(frameon=False)
    return figure
