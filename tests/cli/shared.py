"""What tests of the command line share: the games that they ask about, and how an answer is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from conftest import Ran

SMALL = "3d4"

EXTREME = "d6:6x12 d8:1 d10:1 d12:1"
TYPICAL = "d6:6,6,5,5,4,4,3,3,2,2,1,1 d8:7 d10:9 d12:11"
"""First rolls of biscuits: the one that the blog post shows, and one with many keeps."""

FILES = {
    "short": 'like = "pig"\ngoal = 30\n',
    "coin": 'like = "piglet"\ngoal = 4\n',
    "one": 'like = "piglet"\ngoal = 1\n',
    "seven": 'like = "pig"\ngoal = 7\n',
    "pair": "dice = 2\nsides = 4\ngoal = 12\nopening = 3\nsingles = {1 = 2, 4 = 1}\n",
    "two-thousand": 'like = "ten-thousand"\ngoal = 2000\n',
    "low": 'dice = "2d4"\nwins = "lower"\npoints.d4 = [1, 2, 0, 4]\n',
}
"""Rules files: small races, and a pool in which lower scores win."""

COMMAND = [sys.executable, "-c", "import sys; from gametheory.cli import main; sys.exit(main())"]


def write_files(folder: Path) -> None:
    """Write the rules files into a folder."""
    for name, text in FILES.items():
        (folder / f"{name}.toml").write_text(text)


def spell(game: str) -> str:
    """Return what is typed for a game: its file if it has one."""
    return f"{game}.toml" if game in FILES else game


def answer(ran: Ran) -> Any:
    """Return the one JSON object that a command printed, and see that it said nothing else."""
    assert (ran.status, ran.err) == (0, ""), ran.err

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    found = json.loads(ran.out, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


def child(*command: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run a process of its own: the command line with these arguments unless `command` starts with a program."""
    whole = command if command[0] in (sys.executable, "bash") else (*COMMAND, *command)
    return subprocess.run(whole, capture_output=True, text=True, timeout=120, check=False, **how)


def files(folder: Path) -> list[str]:
    """List the files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
