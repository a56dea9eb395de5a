"""Rules files that ask for too much: refused in one line, before anything is built from what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 60
"""More than a refusal takes on any machine, less than what is asked for."""

MEMORY = 4 << 30

FILES = {
    "nested": ('dice = "2d4"\npoints.d4 = ' + "[" * 5_000, "too deep"),
    "dotted": (".".join(["a"] * 20_000) + " = 1\n", "too deep"),
    "sides of a race": ("dice = 1\nsides = 1000000000\ngoal = 10\nsingles = {1 = 1}\n", "sides is"),
    "sides like another": ('like = "pig"\nsides = 1000000000\n', "sides is"),
    "dice of a race": ('like = "farkle"\ndice = 4000000\n', "dice is 4000000"),
    "goal of minutes": ('like = "pig"\ngoal = 3999\n', "would take about"),
    "goal of hours": ('like = "ten-thousand"\ngoal = 199_000\n', "would take about"),
    "goal without end": ('like = "pig"\ngoal = 99999999\n', "standings"),
    "goal beyond all": ('like = "pig"\ngoal = 10000000000000000000000\n', "goal is more than"),
    "points of a race": ('like = "pig"\nsingles = {2 = 10000000000000}\n', "more than"),
    "points of three million": ('dice = "2d4"\npoints.d4 = [0, 1, 2, 3_000_000]\n', "worth more than"),
    "points far apart": ('dice = "20d4"\npoints.d4 = [0, 1, 2, 1_000_000]\n', "would take about"),
    "points that are no number": ('dice = "2d4"\npoints.d4 = [0, 1, 2, 1e400]\n', "whole numbers"),
    "rolls": ('dice = "2d4"\nrolls = ' + "9" * 4_000 + "\n", "rolls is"),
    "more digits than Python reads": ('dice = "2d4"\nrolls = ' + "9" * 9_000 + "\n", "TOML"),
    "kinds": ('dice = "' + "+".join(f"d{n}" for n in range(2, 60)) + '"\n', "would take about"),
    "a long name": ('dice = "2d4"\nname = "' + "x" * 5_000 + '"\n', "letters"),
    "ten megabytes": ("# " + "x" * 10_000_000, "are the most that are read"),
    "no text": ("\x00\x01", "TOML"),
}


def limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("name", FILES)
def test_a_rules_file_that_asks_for_too_much_is_refused(name: str, tmp_path: Path) -> None:
    text, said = FILES[name]
    (tmp_path / "mine.toml").write_text(text)
    ran = subprocess.run(
        [sys.executable, "-m", "gametheory", "second", "mine.toml"] if "goal" not in text else
        [sys.executable, "-m", "gametheory", "simulate", "mine.toml", "--games", "2"],
        capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit, cwd=tmp_path,
        env=os.environ | {"GAMETHEORY_TABLES": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran
    assert said in ran.stderr, ran.stderr
    assert len(ran.stderr) < 3_000
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("mine.toml", "mine.py", "worths.csv", "table.h5"):
        os.mkfifo(tmp_path / name)
    for arguments in (
        ("solve", "mine.toml"), ("solve", "mine.py:Mine"), ("solve", "2d4", "--aim", "worths.csv"), ("verify", "table.h5"),
        ("distribution", "2d4", "--policy", "mine.toml"), ("review", "table.h5", "2d4"),
    ):  # fmt: skip
        ran = subprocess.run(
            [sys.executable, "-m", "gametheory", *arguments], capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path
        )
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran
