"""What a game is played for: the worth of its final score.

    win           the match: not an aim of one player alone, and no `Aim`
    points        the expected final score
    reach:N       a final score of N or better: N or lower where the lower score wins
    FILE.csv      worths by final score, a line each: score,worth; a score that it does not name is worth nothing
    a function    of the final score; a mapping from scores; an array, by score from the lowest to the highest

A payoff is an aim by outcome, worst first (see `levels`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from . import files
from .answers import Array

MOST_BYTES = 10_000_000
"""The largest file of worths that is read."""

WIN, POINTS, REACH = "win", "points", "reach:"

Worths = Callable[[Sequence[Any], int], Sequence[float]]
"""From final scores, lowest first, and the sign of a better one, to what each is worth."""


@dataclass(frozen=True)
class Aim:
    """What final scores are worth, by a name."""

    name: str
    worths: Worths

    def payoff(self, scores: Sequence[Any], sign: int) -> Array:
        """Return what each score is worth, in the order given; refuse what is no number."""
        found = np.asarray(self.worths(scores, sign), float)
        for score, worth in zip(scores, found, strict=True):
            if not isfinite(worth):
                raise ValueError(f"the aim {self.name} makes {score} worth {worth}: give a number")
        return found


def _points(scores: Sequence[Any], sign: int) -> Sequence[float]:
    return [float(sign * score) for score in scores]


def _reach(wanted: int) -> Worths:
    return lambda scores, sign: [float(sign * (score - wanted) >= 0) for score in scores]


def is_aim(text: object) -> bool:
    """Tell whether a text is written as an aim that is a policy too."""
    return isinstance(text, str) and (text.startswith(REACH) or text.lower().endswith(".csv"))


def read(aim: Any) -> Aim | None:
    """Read an aim: one that is written, or a function, a mapping or an array of worths; None is the match itself.

    >>> read("reach:95").payoff([94, 95, 96], 1).tolist()
    [0.0, 1.0, 1.0]
    >>> read({3: 10.0, 4: 2.5}).payoff([2, 3, 4], 1).tolist()
    [0.0, 10.0, 2.5]
    """
    if isinstance(aim, Aim):
        return aim
    if not isinstance(aim, str):
        return _given(aim)
    if aim == WIN:
        return None
    if aim == POINTS:
        return Aim(POINTS, _points)
    if aim.startswith(REACH):
        wanted = aim.removeprefix(REACH)
        if not (wanted.removeprefix("-").isdigit() and wanted.isascii()):
            raise ValueError(f"the aim {aim!r}: give the score to reach, as in reach:95")
        return Aim(aim, _reach(int(wanted)))
    if aim.lower().endswith(".csv"):
        return _mapped(aim, _read_file(Path(aim)))
    raise ValueError(f"there is no aim {aim!r}: say win, points, reach:N, or name a file of worths by score (FILE.csv)")


def _given(aim: Any) -> Aim:
    name = str(getattr(aim, "__name__", "worths"))
    if callable(aim):
        return Aim(name, lambda scores, sign: [float(aim(score)) for score in scores])
    if isinstance(aim, Mapping):
        return _mapped("worths", {score: float(worth) for score, worth in aim.items()})
    try:
        worths = np.asarray(aim, float)
    except (TypeError, ValueError):
        raise ValueError(f"the aim {aim!r}: give a name, a function of the score, a mapping, or an array") from None

    def by_place(scores: Sequence[Any], sign: int) -> Sequence[float]:
        if worths.shape != (len(scores),):
            raise ValueError(
                f"an array of {worths.size} worths for the {len(scores)} final scores from {scores[0]} to {scores[-1]}: "
                "give one for each, the lowest first"
            )
        return [float(worth) for worth in worths]

    return Aim(name, by_place)


def _mapped(name: str, worths: Mapping[Any, float]) -> Aim:
    def by_score(scores: Sequence[Any], sign: int) -> Sequence[float]:
        if not any(score in worths for score in scores):
            raise ValueError(
                f"{name} names no score that can be made: final scores are from {scores[0]} to {scores[-1]}"
            )
        return [worths.get(score, 0.0) for score in scores]

    return Aim(name, by_score)


def _read_file(path: Path) -> dict[int, float]:
    """Read a file of scores and worths; its first line may name the columns."""
    found: dict[int, float] = {}
    content = files.read(path, MOST_BYTES, "name a CSV file of scores and worths")
    try:
        rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        lines = [(number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: not a CSV file ({error}); write a line score,worth for each score") from None
    for place, (number, row) in enumerate(lines):
        if place == 0 and [cell.strip().lower() for cell in row] == ["score", "worth"]:
            continue
        try:
            score, worth = row
            key, value = int(score), float(worth)
        except ValueError:
            shown = ",".join(row)
            raise ValueError(f"{path}, line {number}: {shown[:60]!r} is no whole score and worth: write 95,1.5") from None
        if not isfinite(value):
            raise ValueError(f"{path}, line {number}: a worth of {worth.strip()}: give a number")
        if key in found:
            raise ValueError(f"{path}, line {number}: the score {key} stands there twice")
        found[key] = value
    if not found:
        raise ValueError(f"{path} names no score: write a line score,worth for each that is worth something")
    return found
