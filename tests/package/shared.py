"""What tests of the package share: the checkout, and programs run in it or away from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def ran(*command: str | Path, here: Path = ROOT, **environment: str) -> str:
    """Run a program that must do well; return what it printed."""
    done = subprocess.run(
        list(map(str, command)), cwd=here, env={**os.environ, **environment}, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def python(*arguments: str | Path, here: Path = ROOT, **environment: str) -> str:
    """Run this Python."""
    return ran(sys.executable, *arguments, here=here, **environment)
