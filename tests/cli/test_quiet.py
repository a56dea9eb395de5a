"""What stays quiet: answers without compilers, summaries that compute and keep nothing, and no word but the answer."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Ran, Run, Solve

import gametheory as gt
from gametheory import progress
from gametheory.cli.commands import COMMANDS

from .conftest import Tell
from .shared import COMMAND, EXTREME, SMALL, TYPICAL, child, files


def test_a_real_process_answers_and_refuses(ready: Path) -> None:
    ran = child("moves", SMALL, "d4:4,2,1", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(json.loads(ran.stdout)["moves"]) == 7
    ran = child("moves", SMALL, "d4:5")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    for module in ("gametheory.cli", "gametheory"):
        ran = child(sys.executable, "-m", module, "--version")
        assert (ran.returncode, ran.stdout) == (0, f"gametheory {gt.__version__}\n")


# What computes nothing.

HEAVY = ["numba", "matplotlib", "scipy", "pyarrow", "xarray", "pandas", "rich", "distributed"]


@pytest.mark.parametrize(
    "arguments",
    [["moves", "biscuits", EXTREME], ["moves", "ten-thousand", "1 1 5 3 2 2"], ["second", "threes"], ["games"], ["verify"]],
)
def test_a_stored_table_is_asked_without_anything_heavy(arguments: list[str], ready: Path) -> None:
    if arguments == ["verify"]:
        arguments = ["verify", str(ready / f"{SMALL}.split.h5")]
    script = (
        "import sys, gametheory\n"
        "from gametheory.cli import main\n"
        f"status = main({arguments!r})\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    ran = child(sys.executable, "-c", script)
    assert (ran.returncode, ran.stderr) == (0, "[]\n")


FORMATS: list[tuple[dict[str, Any], str]] = [
    ({}, "3d5.split.h5"),
    ({"tie": "first"}, "3d5.first.h5"),
    ({"match": "alternating"}, "3d5.alternating.split.h5"),
    ({"match": "simultaneous"}, "3d5.simultaneous.split.h5"),
    ({"players": 3}, "3d5.3-players.h5"),
]


@pytest.mark.parametrize(("how", "file"), FORMATS, ids=[file for _, file in FORMATS])
@pytest.mark.parametrize("told", ["--json", ""])
def test_solving_keeps_one_table_where_it_was_told_and_nothing_elsewhere(
    told: str, how: dict[str, Any], file: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMETHEORY_TABLES", str(tmp_path / "ours"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    options = [part for name, value in how.items() for part in (f"--{name}", str(value))]
    ran = run("solve", "3d5", *options, "--tables", "here", *filter(None, [told]))
    assert (ran.status, ran.err) == (0, "")
    assert files(tmp_path) == [f"here/{file}"]


SOLVERS = [
    "gametheory.columns.best", "gametheory.columns.chases", "gametheory.columns.visits", "gametheory.match.duel.solve",
    "gametheory.match.alternating.solve_alternating", "gametheory.match.hidden.solve_hidden",
    "gametheory.match.players.solve_players", "gametheory.race.solver.solve", "gametheory.store.library.compute",
]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "how"), [*(("3d5", how) for how, _ in FORMATS), ("piglet", {})], ids=[*(file for _, file in FORMATS), "race"]
)
def test_the_summary_of_a_stored_table_computes_nothing(
    game: str, how: dict[str, Any], tmp_path: Path, solved: Solve, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solved(game, **how)
    path = gt.save(solution, tmp_path / "table.h5")
    expected = solution.headline()
    for solver in SOLVERS:
        monkeypatch.setattr(solver, None)  # not even called
    assert gt.load(path).headline() == expected
    assert {"game", "first_player_value"} <= expected.keys()


# No word but the answer.


@pytest.mark.parametrize(
    "arguments",
    [["moves", "biscuits", TYPICAL], ["second", "biscuits", "--json"], ["diff", SMALL, "--format", "csv"], ["games"]],
)
def test_a_reader_that_has_seen_enough_is_no_error(arguments: list[str], ready: Path) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(120), err) == (0, b"")


def test_head_takes_the_first_line(ready: Path) -> None:
    line = " ".join(f"'{part}'" for part in [*COMMAND, "moves", "biscuits", TYPICAL])
    ran = child("bash", "-o", "pipefail", "-c", f"{line} | head -n 1")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("biscuits: d6:")


def test_a_missing_table_is_said_to_a_terminal_only(folder: Path) -> None:
    quiet = child("second", "2d4", "--json")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, "second", "2d5", "--json"], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "There is no table of 2d5 yet (2d5.split.h5): solving it now." in said
    assert json.loads(out)["targets"] == list(range(2, 11))
    assert files(folder) == ["2d4.split.h5", "2d5.split.h5"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_bar_is_for_a_terminal_and_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(stream: io.StringIO, patience: float) -> str:
        monkeypatch.setattr(progress, "PATIENCE", patience)
        monkeypatch.setattr(sys, "stderr", stream)
        with progress.bar("counting sheep") as advance:
            for part in range(11):
                advance(part / 10)
        monkeypatch.undo()
        return stream.getvalue()

    assert show(io.StringIO(), 0.0) == ""
    assert show(Terminal(), 3600.0) == ""
    assert "counting sheep" in show(Terminal(), 0.0)


PRINTED: list[list[object]] = [
    ["moves", "biscuits", TYPICAL], ["moves", "biscuits", TYPICAL, "--target", "96", "--top", "5"],
    ["moves", "biscuits", "d6:6,6,5,3 d8:7 d12:11", "--banked", "56"], ["moves", "ten-thousand", "1 1 5 3 2 2"],
    ["moves", "short", 5, "--turn", 4, "--score", 10, "--opponent", 12], ["moves", "short", 5, "--against", "hold-at-20"],
    ["moves", "two-thousand", "1 1 1 5 5 2"], ["second", "biscuits"], ["distribution", SMALL, "--policy", "win"],
    ["solve", SMALL], ["solve", SMALL, "--against", "score"], ["solve", SMALL, "--match", "alternating"],
    ["solve", SMALL, "--match", "simultaneous"], ["solve", SMALL, "--players", 5], ["solve", "short"],
    ["solve", "short", "--against", "hold-at-20"], ["solve", "one", "--players", 3],
    ["solve", "seven", "--players", 3, "--against", "hold-at-4"], ["compare", SMALL], ["compare", "short"],
    ["compare", "two-thousand", "--policies", "win,score,simple,random,hold-at-300,published"], ["diff", SMALL],
    ["diff", SMALL, "--by", "target"], ["diff", SMALL, "--by", "place"], ["diff", "short"],
    ["diff", "short", "--seat", "second"], ["diff", "short", "--against", "hold-at-20"],
    ["diff", "short", "--by", "score-difference"], ["diff", "pair"], ["simulate", SMALL, "--games", 9],
    ["simulate", "short", "--games", 100], ["fair", SMALL], ["fair", "2d4", "--match", "alternating"], ["fair", "short"],
    ["fair", "two-thousand"], ["card", SMALL], ["table", "biscuits", "expected-maximum"], ["table", "short", "stop"],
    ["table", "short", "expected"], ["table", "two-thousand", "expected", "--gain"], ["table", "two-thousand", "reach"],
    ["table", "two-thousand", "classes"], ["table", "two-thousand", "stop"], ["solve", SMALL, "--aim", "reach:9"],
    ["moves", SMALL, "d4:4,2,1", "--aim", "reach:9"], ["moves", SMALL, "d4:4,2,1", "--match", "alternating"],
    ["second", "short"], ["second", SMALL, "--chance", "0.6"], ["second", SMALL, "--chance", "1"],
    ["second", SMALL, "--players", 4], ["distribution", SMALL, "--aim", "reach:9"],
    ["distribution", SMALL, "--policy", "score", "--players", 5],
    ["distribution", SMALL, "--policy", "win", "--players", 3, "--seat", 2], ["distribution", "short", "--policy", "score"],
    ["distribution", "one", "--policy", "hold-at-1", "--whole"], ["compare", SMALL, "--all"],
    ["compare", SMALL, "--players", 3, "--seat", 3], ["compare", SMALL, "--match", "alternating"],
    ["compare", SMALL, "--match", "simultaneous", "--all"], ["compare", "one", "--players", 3],
    ["compare", SMALL, "--policies", "score,win,greedy,random,cutoff,reach:9,reach:10,reach:11,reach:12"],
    ["diff", SMALL, "--policy", "greedy"], ["diff", SMALL, "--policy", "greedy", "--to", "score", "--limit", 3],
    ["diff", SMALL, "--aim", "reach:9"], ["diff", SMALL, "--match", "alternating"], ["diff", SMALL, "--players", 3],
    ["diff", SMALL, "--match", "simultaneous"], ["diff", SMALL, "--players", 3, "--seat", 2],
    ["diff", SMALL, "--by", "place", "--limit", 3], ["diff", SMALL, "--match", "alternating", "--by", "place", "--limit", 2],
    ["diff", "short", "--policy", "hold-at-12"], ["diff", SMALL, "--policy", "win"],
    ["simulate", SMALL, "--aim", "reach:9", "--games", 99], ["simulate", SMALL, "--players", 4, "--games", 9],
    ["fair", SMALL, "--players", 3], ["fair", "one", "--players", 3], ["card", SMALL, "--players", 4],
    ["card", SMALL, "--frontier"], ["card", SMALL, "--frontier", "--players", 4],
]  # fmt: skip


def check_printed(out: str) -> list[str]:
    """Refuse text that is too wide for a terminal, or has spaces at the ends of lines; return its lines."""
    lines = out.splitlines()
    assert len(lines) >= 2
    assert not out.startswith("{")
    whole = [line for line in lines if line.startswith("/") and " " not in line]  # a path by itself is as long as it is
    assert [line for line in lines if (len(line) > 80 and line not in whole) or line != line.rstrip()] == []
    return lines


@pytest.mark.parametrize("asked", PRINTED, ids=lambda asked: " ".join(map(str, asked)))
def test_what_people_read_fits_80_columns(asked: list[str], tell: Tell) -> None:
    lines = check_printed(tell(*asked))
    assert asked[1] in lines[0]


def test_what_has_no_game_fits_80_columns_too(tell: Tell, run: Run, place: Path) -> None:
    tell("solve", SMALL)
    for command in ("tables", "verify"):
        check_printed(run(command, "--tables", "tables").out)
    for words in (["rules", SMALL], ["rules", "short.toml"], ["sweep", "2d3", "2d4", "--tie", "split,first"]):
        check_printed(run(*words).out)
    shown = {str(asked[0]) for asked in PRINTED} | {"tables", "verify", "games", "rules", "sweep"}
    quiet = {"plot", "new", "check", "page", "serve", "play", "review", "completion", "certify", "bring", "export"}
    assert {command.name for command in COMMANDS} <= shown | quiet


def test_the_list_of_games_fits_80_columns(run: Run) -> None:
    check_printed(run("games").out)


# Stopped.


def test_stopping_by_keyboard_is_quiet(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gametheory.match.duel.solve", stop)
    assert run("solve", SMALL) == Ran(130, "", "stopped\n")
    assert files(folder) == []


def test_what_the_system_refuses_is_one_line(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("gametheory.match.duel.solve", fail)
    ran = run("solve", SMALL)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
