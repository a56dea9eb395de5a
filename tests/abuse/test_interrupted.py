"""Ctrl-C anywhere: one line, status 130, within a second; and surroundings that have nothing to offer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Run

from gametheory.store import tables

COMMAND = [sys.executable, "-m", "gametheory"]


def begin(*arguments: str, folder: Path, code: str | None = None, **changed: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code] if code else COMMAND
    environment = os.environ | {"GAMETHEORY_TABLES": str(folder)} | changed
    return subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment
    )


INSIDE = """
import os, signal, sys, threading, time
from gametheory.cli import main
{before}
sys.argv[1:] = {arguments!r}
sys.exit(main())
"""

# As a kernel of ten seconds: nothing of Python's runs in this thread meanwhile.
DEAF = """
from gametheory.match import duel
def deaf(*a, **k):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            pass
duel.solve = deaf
"""

GUISE = """
from gametheory.match import duel
def late(*a, **k):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    except KeyboardInterrupt:
        raise SystemError("returned a result with an exception set")
duel.solve = late
"""


def check(process: subprocess.Popen[str], begun: float) -> None:
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "stopped\n"), (out, err)
    assert time.monotonic() - begun < 30  # that it was stopped, not that it came to its end


@pytest.mark.parametrize("before", [DEAF, GUISE], ids=["deaf", "guise"])
def test_an_interrupt_ends_what_does_not_hear_it(before: str, tmp_path: Path) -> None:
    code = INSIDE.format(before=before, arguments=["solve", "3d4"])
    begun = time.monotonic()
    check(begin(folder=tmp_path, code=code), begun)
    assert not list(tmp_path.glob("*.h5"))


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        (("solve", "40d6+20d8+d10", "--force"), 1.0),
        (("solve", "far.toml", "--force"), 1.5),
        (("simulate", "pig", "--games", "1e8"), 2.0),
        (("sweep", "{n}d6+{n}d8+d10", "--n", "16..20", "--force", "--processes", "2", "-o", "out.csv"), 2.0),
        (("serve", "2d4", "--port", "0"), 1.0),
    ],
    ids=lambda found: found[0] if isinstance(found, tuple) else "",
)
def test_an_interrupt_is_one_line(arguments: tuple[str, ...], after: float, tmp_path: Path) -> None:
    (tmp_path / "far.toml").write_text('like = "ten-thousand"\ngoal = 100_000\n')
    process = begin(*arguments, folder=tmp_path)
    time.sleep(after)
    if process.poll() is not None:  # a fast machine had done it
        process.communicate()
        pytest.fail("the command had ended before it was interrupted: give it more to do")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if arguments[0] == "serve":
        assert process.returncode in (0, 130)
    else:
        assert (process.returncode, err) == (130, "stopped\n"), (out, err)
    assert "Traceback" not in err
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]


# A user of whom nothing is known.

NOBODY = """
import os, pwd, sys
def unknown(*_):
    raise KeyError("nobody")
pwd.getpwuid = pwd.getpwnam = unknown
from gametheory.cli import main
sys.argv[1:] = {arguments!r}
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["second", "biscuits", "--json"], 0), (["solve", "2d4"], 2), (["second", "2d4"], 0), (["games"], 0)],
    ids=lambda found: found[0] if isinstance(found, list) else "",
)
def test_without_a_home_what_is_packaged_answers(arguments: list[str], status: int, tmp_path: Path) -> None:
    known = ("HOME", "XDG_DATA_HOME", "GAMETHEORY_TABLES")
    environment = {name: value for name, value in os.environ.items() if name not in known}
    ran = subprocess.run(
        [sys.executable, "-c", NOBODY.format(arguments=arguments)],
        capture_output=True, text=True, env=environment, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == status, ran.stderr
    assert "Traceback" not in ran.stderr
    if status:
        assert ran.stderr == "gametheory: there is no folder of yours to write tables to: name one with --tables DIR\n"


def test_a_kernel_that_cannot_be_kept_is_compiled_anew(tmp_path: Path) -> None:
    process = begin("solve", "2d4+d6", folder=tmp_path, NUMBA_CACHE_DIR="/dev/null/none", HOME="/dev/null")
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")


# What is shown is only shown.


@pytest.mark.parametrize("name", ["\\u001b[2Jmine", "a\\nb", "x" * 100_000, "\\u202eolleh"])
def test_names_out_of_files_do_nothing_to_a_terminal(name: str, folder: Path, run: Run) -> None:
    for about in ("name", "about"):
        Path("mine.toml").write_text(f'{about} = "{name}"\ndice = "2d4"\n')
        ran = run("solve", "mine.toml")
        if about == "about" and name == "a\\nb":
            assert ran.status == 0
            continue
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran
        assert ran.err.strip().isprintable()
        assert len(ran.err) < 3000


def test_what_was_typed_is_shown_harmlessly(run: Run, tmp_path: Path) -> None:
    for typed in ("\x1b[2J", "a\nb", "x" * 50_000, "\udce9"):
        ran = run("moves", typed, "6")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err[:-1].isprintable()
        assert len(ran.err) < 3000


def test_a_file_with_escapes_in_its_name_is_shown_harmlessly(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gametheory.store.tables.packaged_folder", lambda: folder / "none")
    run("solve", "2d4")
    (folder / "2d4.split.h5").rename(folder / "a\x1b[2J\nb.h5")
    ran = run("verify")
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert tables.every(folder)
