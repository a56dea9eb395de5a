"""Start commands and kill them at random moments: run by `test_killed`.

    python killing.py FOLDER KILLS

Everything is imported once and then forked, so that a moment lies in the work and not in the start. After every kill all
files must be whole. The number of kills that hit work under way is printed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from gametheory import files, sweeps
from gametheory.cli.main import main as run
from gametheory.match import duel  # noqa: F401  imported before the fork
from gametheory.pool import kernel  # noqa: F401
from gametheory.store import library, tables  # noqa: F401

COMMANDS = [
    ["solve", "3d4", "--force"],
    ["solve", "2d4+d6", "--tie", "first", "--force"],
    ["sweep", "{n}d2+d3", "--n", "1..6", "-o", "sweep.csv"],
    ["diff", "3d4", "-o", "diff.csv", "--all", "--force"],
    ["solve", "2d3", "--match", "alternating", "--force"],
]


def check(folder: Path) -> None:
    """Fail on a file that is not whole."""
    for path in folder.rglob("*"):
        if path.suffix == ".h5":
            tables.load(path)
        elif path.name == "diff.csv":
            assert path.read_text().endswith("\n")
        elif path.name == "sweep.csv":
            assert len(path.read_text().splitlines()) == 7, path.read_text()
        elif path.name == "sweep.csv.journal":
            lines = path.read_bytes().split(b"\n")
            for line in lines[:-1]:  # a line that was cut off stands last, or is made to stand by itself
                try:
                    json.loads(line)
                except ValueError:
                    assert line.startswith(b'{"key"'), line
            sweeps.read_journal(path)
        else:
            assert path.is_dir() or files.DRAFT.fullmatch(path.name) or path.name.startswith(".probe"), path


def main(folder: str, kills: int) -> None:
    """Kill so many commands."""
    os.chdir(folder)
    os.environ["GAMETHEORY_TABLES"] = f"{folder}/tables"
    draw, hit = random.Random(1), 0
    for number in range(kills):
        command = COMMANDS[number % len(COMMANDS)]
        if command[0] == "sweep" and draw.random() < 0.5:
            Path("sweep.csv.journal").unlink(missing_ok=True)
        child = os.fork()
        if not child:
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            os._exit(run(command))
        time.sleep(draw.random() ** 2 * 0.5)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        hit += os.WIFSIGNALED(status)
        check(Path(folder))
    for command in COMMANDS:
        assert run(command) == 0, command
    left = [path.name for path in Path(folder).rglob("*.part")]
    assert not left, left
    print(f"{hit} of {kills} kills hit work under way")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
