"""Damaged tables of every kind, with the seal made right again: refused, or nothing that they say is damaged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import RecordFigure, Run
from shared import solved

import gametheory as gt

from . import damage

KINDS: dict[str, Any] = {
    "duel": lambda: solved("2d4+d6"),
    "alternating": lambda: solved("2d4", "first", "alternating"),
    "hidden": lambda: solved("2d4", match="simultaneous"),
    "players": lambda: solved("2d4", players=3),
    "race": lambda: solved("piglet"),
    "own": lambda: solved("poker-coins"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_a_damage_is_refused_or_none(kind: str, count: int, tmp_path: Path, run: Run, record_figure: RecordFigure) -> None:
    table = gt.save(KINDS[kind](), tmp_path / "a.h5")
    found: dict[int, str] = {}
    while len(found) < count:
        command = [sys.executable, damage.__file__, str(table), "1", str(len(found)), str(count)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        found |= {int(number): said for number, said in map(str.split, ran.stdout.splitlines())}
        if ran.returncode > 0:
            pytest.fail(f"damage {len(found)} of {kind}: {ran.stderr[-2000:]}")
        if ran.returncode < 0:  # it killed the library: that is why tables from elsewhere are opened apart
            found[len(found)] = "died"
    assert not [number for number, said in found.items() if said == "wrong"]
    for number in [number for number, said in found.items() if said in ("died", "late")][:2]:
        (tmp_path / "hostile.h5").write_bytes(damage.spoil(table.read_bytes(), 1, number))
        ran_apart = run("verify", tmp_path / "hostile.h5")
        assert (ran_apart.status, ran_apart.out, ran_apart.err.count("\n")) == (1, "", 1), number
    assert sum(said == "refused" for said in found.values()) > count / 4  # much of a file is unused
    record_figure("damaged tables", count)
    record_figure("of them ended the library", sum(said in ("died", "late") for said in found.values()))
