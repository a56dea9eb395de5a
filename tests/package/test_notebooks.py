"""The notebooks run from their first cell to their last, and say what they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .shared import ROOT, python

NOTEBOOKS = {
    "lesson": ("the second 52.1%", "two throws 4.25", "3d6   the second player wins 0.5212"),
    "own_game": ("5.3086 points on average", "of the games against a 6", "double or stay, sequential, ties split"),
}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_says_what_it_should(name: str, tmp_path: Path) -> None:
    said = python(ROOT / "scripts" / f"{name}.py", here=tmp_path)
    assert [part for part in NOTEBOOKS[name] if part not in said] == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_cells_of_words_and_of_code(name: str) -> None:
    """Cells begin with `# %%`; those of words hold comments alone."""
    text = (ROOT / "scripts" / f"{name}.py").read_text(encoding="utf-8")
    first, *cells = re.split(r"^# %%(.*)$", text, flags=re.MULTILINE)
    assert first == ""
    kinds, bodies = cells[::2], cells[1::2]
    assert kinds.count(" [markdown]") >= 4
    assert kinds.count("") >= 4
    for kind, body in zip(kinds, bodies, strict=True):
        words = all(line.startswith("#") for line in body.splitlines() if line)
        assert words == (kind == " [markdown]"), body
