"""Figures and the pages made by scripts: they can be drawn, again with the same bytes, and the README is up to date."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from gametheory import figures as plot
from gametheory import games

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", plot.POOL_FIGURES)
@pytest.mark.parametrize("game", ["threes", "2d4+d6"])
def test_every_figure_of_a_pool_is_drawn_twice_with_the_same_bytes(tmp_path: Path, game: str, name: str) -> None:
    one, two = (plot.draw(games.game(game), name, tmp_path / file).read_bytes() for file in ("one.svg", "two.svg"))
    assert one == two
    assert b"<svg" in one


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_figures_of_races_are_drawn_in_every_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    for name in plot.RACE_FIGURES:
        path = plot.draw(games.game("pig"), name, tmp_path / f"{name}.{suffix}")
        assert path.read_bytes().startswith(start)


def test_an_unknown_figure_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no figure 'nope' of pig: the figures are score-difference"):
        plot.draw(games.game("pig"), "nope", tmp_path / "x.png")
    with pytest.raises(ValueError, match=r"'x\.gif'"):
        plot.draw(games.game("pig"), "score-difference", tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


def test_the_answer_in_the_readme_is_what_the_script_computes() -> None:
    printed = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "answer.py"), "--print"], check=True, capture_output=True, text=True
    ).stdout
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert printed.strip() in readme


def test_figures_named_in_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    figures = [part.split(")", 1)[0] for part in readme.split("](docs/")[1:]]
    assert len(figures) >= 10
    assert all((ROOT / "docs" / figure).is_file() for figure in figures)


def test_scripts_can_be_read_without_running_them() -> None:
    for script in ("answer", "bench", "formats"):
        assert "main" in runpy.run_path(str(ROOT / "scripts" / f"{script}.py"), run_name="imported")
