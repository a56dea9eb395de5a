"""Every family asked every question in every format: an answer held to brute force, or a reason in one line."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gametheory import games

from .cells import EXAMPLES, FORMATS, QUESTIONS, ask, check

PAGE = Path(__file__).parents[2] / "docs" / "ask.md"
BEGIN, END = "<!-- the cells, written by tests/ask/test_cells.py -->\n", "<!-- the end of the cells -->\n"

CELLS = [(family, question, form) for family in EXAMPLES for question in QUESTIONS for form in FORMATS]


@cache
def asked(family: str, question: str, form: str) -> tuple[Any, str]:
    return ask(family, question, form)


@pytest.mark.parametrize(("family", "question", "form"), CELLS, ids=lambda part: part.replace(" ", "-"))
def test_a_cell_is_an_answer_or_a_reason(family: str, question: str, form: str) -> None:
    found, reason = asked(family, question, form)
    if reason:
        assert "\n" not in reason
        assert len(reason) > 20
    else:
        check(family, question, form, found)


def test_most_cells_are_answers() -> None:
    """What is refused is counted, so that a cell that closes, or breaks, is seen."""
    refused = {family: sum(bool(asked(*cell)[1]) for cell in CELLS if cell[0] == family) for family in EXAMPLES}
    assert refused == REFUSED


REFUSED = {"pool": 14, "own": 15, "scorecard": 23, "race": 41}


def cells() -> str:
    """Write the tables of the page."""
    lines: list[str] = []
    notes: dict[str, int] = {}
    for family, (game, *_) in EXAMPLES.items():
        name = games.family(game).adopt(game).name
        lines += ["", f"**{games.family(game).nouns.capitalize()}**", "", f"| | {' | '.join(FORMATS)} |"]
        lines.append("| --- |" + " --- |" * len(FORMATS))
        for question in QUESTIONS:
            row = []
            for form in FORMATS:
                _, reason = asked(family, question, form)
                told = reason.removeprefix(f"{name}: ").replace(f"{name} is a race", "this is a race")
                told = told.replace(name, "the game")
                row.append("yes" if not reason else f"[{notes.setdefault(told, len(notes) + 1)}]")
            lines.append(f"| {question} | {' | '.join(row)} |")
    lines += ["", *(f"[{number}] {told[0].upper()}{told[1:]}.  " for told, number in notes.items()), ""]
    return "\n".join(lines[1:]) + "\n"


def test_the_page_has_the_cells_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.split(BEGIN)[1].split(END)[0] == cells()
