"""The page on games of one's own: what it shows is what is printed, and its figures are what fractions say."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

import gametheory as gt

PAGE = (Path(__file__).parents[2] / "docs" / "own.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """Return the blocks of code of a kind."""
    every = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return [text for found, text in every if found == kind]


@pytest.fixture
def game(folder: Path) -> str:
    (rules,), (text,) = blocks("python"), blocks("py")
    Path("hundred_metres.py").write_text(rules)
    Path("with_text.py").write_text(rules + "\n" + text)
    return "hundred_metres.py:HundredMetres"


def test_the_text_of_the_page_writes_states_and_reads_them(game: str, run: Run) -> None:
    ran = run("moves", "with_text.py:HundredMetres", "5 3 2 1", "--state", "1 sets, 2 rethrows", "--banked", "8")
    assert ran.status == 0
    assert "5 3 2 1 in 1 sets, 2 rethrows with 8 banked" in " ".join(ran.out.split())


@cache
def best(sets: int, rethrows: int, made: int, target: int | None) -> Fraction:
    """Return what is expected in the end, or the chance against a target, ties split, by plain recursion."""
    if not sets:
        return Fraction(made) if target is None else Fraction(made > target) + Fraction(made == target, 2)
    total = Fraction(0)
    for points, ways in sums().items():
        worth = best(sets - 1, rethrows, made + points, target)
        if rethrows:
            worth = max(worth, best(sets, rethrows - 1, made, target))
        total += ways * worth
    return total / 6**4


@cache
def sums() -> dict[int, int]:
    """Count the ways in which four dice make so many points, a six being minus six."""
    found: dict[int, int] = {}
    for dice in product((1, 2, 3, 4, 5, -6), repeat=4):
        found[sum(dice)] = found.get(sum(dice), 0) + 1
    return found


@cache
def first(sets: int, rethrows: int, made: int) -> Fraction:
    if not sets:
        return 1 - best(2, 5, 0, made)
    total = Fraction(0)
    for points, ways in sums().items():
        worth = first(sets - 1, rethrows, made + points)
        if rethrows:
            worth = max(worth, first(sets, rethrows - 1, made))
        total += ways * worth
    return total / 6**4


def test_the_figures_of_the_page_are_those_of_fractions(game: str) -> None:
    solution: Any = gt.solve(game)
    assert solution.expected_score == pytest.approx(float(best(2, 5, 0, None)), abs=1e-12)
    assert solution.first_player_value == pytest.approx(float(first(2, 5, 0)), abs=1e-12)
