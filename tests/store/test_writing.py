"""Whatever happens while a table is written, the old one or the new one is there."""

from __future__ import annotations

import errno
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from shared import solved

import gametheory as gt
from gametheory.store import tables

from .shared import files, finish, load, python

DIE_SAVING = """
import os, signal, sys
from pathlib import Path
import h5py
import gametheory as gt
from gametheory import files

moment, new, path = sys.argv[1:]
solution = gt.load(new)

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

def dying(function, calls):
    def wrapped(*args, **kwargs):
        nonlocal calls
        calls -= 1
        return function(*args, **kwargs) if calls else die()
    return wrapped

if moment.startswith("dataset"):
    h5py.Group.create_dataset = dying(h5py.Group.create_dataset, int(moment[7:]))
else:
    owner, name = {"sync": (os, "fsync"), "rename": (Path, "replace"), "renamed": (files, "_sync_folder")}[moment]
    setattr(owner, name, die)
gt.save(solution, path)
"""


@pytest.mark.parametrize("moment", ["dataset1", "dataset3", "dataset6", "sync", "rename", "renamed"])
def test_a_save_killed_at_any_moment_leaves_the_old_table_or_the_new(moment: str, tmp_path: Path) -> None:
    new = gt.save(solved("3d4", "first"), tmp_path / "new.h5")
    folder = tmp_path / "tables"
    folder.mkdir()
    path = gt.save(solved("3d4"), folder / "3d4.split.h5")
    process = python(DIE_SAVING, moment, new, path)
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert load(path).tie == ("first" if moment == "renamed" else "split")
    assert [found.parent for found in tables.every(folder) if found.name.startswith("3d4")] == [folder]
    assert bool(list(folder.glob(".*.part"))) == (moment in ("sync", "rename"))
    # What is left over is in nobody's way, and is cleared.
    gt.save(solved("3d4", "second"), path)
    assert load(path).tie == "second"
    assert files(folder) == [path.name]


WRITE_ON = """
import sys
import gametheory as gt

made = [gt.load(name) for name in sys.argv[2:]]
gt.save(made[0], sys.argv[1])
print(flush=True)
while True:
    for solution in made:
        gt.save(solution, sys.argv[1])
"""


def test_saves_killed_at_random_leave_a_whole_table(tmp_path: Path) -> None:
    sources = [gt.save(solved("3d4", tie), tmp_path / f"{tie}.h5") for tie in ("split", "first")]
    (tmp_path / "tables").mkdir()
    path = tmp_path / "tables" / "3d4.h5"
    draw = random.Random(2)
    for _ in range(5):
        process = python(WRITE_ON, path, *sources)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(draw.random() / 20)
        process.kill()
        process.communicate(timeout=120)
        assert load(path).tie in ("split", "first")
        assert [name for name in files(path.parent) if not name.endswith(".part")] == [path.name]


def test_two_processes_solving_at_once_do_not_harm_each_other(tmp_path: Path) -> None:
    script = "import sys; from gametheory.cli import main; sys.exit(main(['solve', '2d4+d5', '--tables', sys.argv[1]]))"
    processes = [python(script, tmp_path) for _ in range(2)]
    for process in processes:
        finish(process)
    assert files(tmp_path) == ["2d4+d5.split.h5"]
    load(tmp_path / "2d4+d5.split.h5")


def test_readers_see_whole_tables_while_another_process_writes(tmp_path: Path) -> None:
    sources = [gt.save(solved("3d4", tie), tmp_path / f"{tie}.h5") for tie in ("split", "first")]
    path = tmp_path / "3d4.h5"
    process = python(WRITE_ON, path, *sources)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        seen = {load(path).tie for _ in range(100)}
    finally:
        process.kill()
        process.communicate(timeout=120)
    assert seen <= {"split", "first"}


@pytest.mark.parametrize("owner", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_the_old_table_and_nothing_half_written(
    owner: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(owner, fail)
    with pytest.raises(ValueError, match="No space left") as caught:
        gt.save(solved("3d4"), table)
    monkeypatch.undo()
    assert "\n" not in str(caught.value)
    assert str(table) in str(caught.value)
    assert table.read_bytes() == before
    assert files(table.parent) == [table.name]
