"""Nonsense at the command line and in rules files, by the thousand: see `fuzz`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import RecordFigure

NOBODY = 65_534
FUZZ = Path(__file__).with_name("fuzz.py")


@pytest.fixture
def thrown_away() -> Iterator[Path]:
    """Give an empty folder that belongs to nobody, in one that holds nothing else."""
    outer = Path(tempfile.mkdtemp())
    try:
        outer.chmod(0o755)
        folder = outer / "folder"
        folder.mkdir()
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder
    finally:
        shutil.rmtree(outer)


def as_nobody() -> list[str]:
    """Return what starts a process as nobody, who may read what is installed and write nothing: for root only."""
    if os.getuid():
        return []
    may = [f"--{which}-caps=+dac_read_search" for which in ("inh", "ambient")]
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *may]


@pytest.mark.parametrize("cases", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_no_nonsense_brings_it_down(cases: int, thrown_away: Path, record_figure: RecordFigure) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(thrown_away / "cache"), "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "80"}
    ran = subprocess.run(
        [*as_nobody(), sys.executable, "-B", str(FUZZ), str(thrown_away), str(cases)],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-2000:] + "\n".join(
        line for line in ran.stderr.splitlines() if "AssertionError" in line
    ) + ran.stderr[-4000:]
    assert int(ran.stdout.split()[-2]) >= cases
    record_figure("nonsense typed", int(ran.stdout.split()[-2]))
