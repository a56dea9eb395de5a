"""Kills, crowds, and places that cannot be written: nothing is lost, and one line is said."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import RecordFigure, Run

import gametheory as gt

from . import killing


@pytest.mark.parametrize("kills", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_kills_leave_whole_files(kills: int, tmp_path: Path, record_figure: RecordFigure) -> None:
    ran = subprocess.run(
        [sys.executable, killing.__file__, str(tmp_path), str(kills)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-3000:]
    hit = int(ran.stdout.splitlines()[-1].split()[0])
    assert hit > kills / 4
    record_figure("kills", kills)


def test_four_processes_into_one_folder_do_not_harm_each_other(tmp_path: Path) -> None:
    games = ["2d4", "3d2", "2d4", "d2+d3"]
    commands = [["sweep", "2d4", game, "-o", f"{number}.csv"] for number, game in enumerate(games)]
    commands = [["solve", game, "--force"] for game in games] + commands[:2]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "gametheory", *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=os.environ | {"GAMETHEORY_TABLES": str(tmp_path)},
        )
        for command in commands
    ]  # fmt: skip
    for process in started:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, ""), out
    for game in set(games):
        gt.load(tmp_path / f"{game}.split.h5")
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "2d4"), ("diff", "2d4", "-o", "a.csv"), ("page", "2d4", "-o", "a.html"),
        ("plot", "2d4", "second", "-o", "a.svg"), ("sweep", "2d4", "-o", "a.csv"), ("certify", "2d4", "-o", "a.json"),
        ("new", "mine"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT], ids=errno.errorcode.get)
def test_a_disk_that_takes_nothing_is_one_line(
    command: tuple[str, ...], number: int, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    if command[0] != "solve":
        run("solve", "2d4")
    before = {path.name for path in folder.iterdir()}
    with monkeypatch.context() as patch:
        patch.setattr(f"os.{'open' if number == errno.EROFS else 'fsync'}", refuse)
        ran = run(*command)
    assert (ran.status, ran.err.count("\n")) == (2, 1), ran
    assert os.strerror(number) in ran.err
    assert {path.name for path in folder.iterdir()} == before
    assert [path.name for path in Path().iterdir() if not path.name.endswith(".journal")] == []
