"""Other systems: what a Windows machine does not have is taken away, and the package works all the same."""

from __future__ import annotations

from pathlib import Path

import gametheory

from .shared import python

WITHOUT = '''
import importlib, os, pkgutil, signal, sys
import click, h5py, numba, numpy, rich.console, rich.progress, scipy.optimize  # these have their own ways on each system
import asyncio, concurrent.futures, http.server, importlib.resources, multiprocessing, shutil, socket, subprocess, tempfile
import webbrowser, zipfile

for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline", "curses"):
    sys.modules[name] = None  # importing it raises
for name in (
    "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getpgid", "setsid", "killpg", "uname", "sched_getaffinity",
    "sysconf", "mkfifo", "mknod", "chown", "lchown", "fchown", "nice", "getloadavg", "wait3", "wait4", "statvfs",
    "O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_SYNC", "O_DSYNC", "O_NONBLOCK", "pread", "pwrite",
    "posix_fallocate", "sendfile",
):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIGQUIT", "alarm", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)


def refuse(*_, **__):
    raise OSError("a symbolic link needs a privilege there")


os.symlink = refuse

import gametheory
from gametheory.cli.main import main

for module in pkgutil.walk_packages(gametheory.__path__, "gametheory."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

for words in (
    "solve 2d4 --force",
    "moves 2d4 4,1",
    "diff 2d4 --json -o apart.csv",
    "sweep {n}d4 --n 1..2 -o rows.csv",
    "table 2d4 one-die",
    "solve midnight",
    "moves pig 4 --turn 20",
    "card threes --size small -o card.toml",
    "page 2d4 -o page.html",
    "simulate 2d4 --games 100",
    "new my-game",
    "check my_game.py:MyGame",
    "verify " + os.path.join(os.environ["GAMETHEORY_TABLES"], "2d4.split.h5"),
    "games",
):
    status = main(words.split())
    assert status == 0, words
'''


def test_nothing_ends_a_process_as_only_a_unix_can() -> None:
    """The library that comes with Python needs SIGKILL here, so that it cannot be taken away below."""
    package = Path(gametheory.__file__).parent
    assert [str(path) for path in package.rglob("*.py") if "SIGKILL" in path.read_text(encoding="utf-8")] == []


def test_nothing_needs_a_unix(tmp_path: Path) -> None:
    (tmp_path / "without.py").write_text(WITHOUT, encoding="utf-8")
    python("without.py", here=tmp_path, GAMETHEORY_TABLES=str(tmp_path / "tables"))
    made = {path.name for path in tmp_path.iterdir()}
    assert {"apart.csv", "rows.csv", "card.toml", "page.html", "my_game.py"} <= made
