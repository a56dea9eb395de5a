"""A table of a small game, to read and to spoil."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared import solved

import gametheory as gt


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return gt.save(solved("2d4+d6"), tmp_path / "2d4+d6.split.h5")
