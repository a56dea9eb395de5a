"""Writing files: whole or not at all, to regular files alone, whatever the disk does."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory import files, sweeps
from gametheory.store import export, tables

ROOM = 64
"""Bytes that a full disk still has."""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def save_table(path: Path) -> None:
    gt.save(solved("2d4+d6"), path)


def save_rows(path: Path) -> None:
    export.write_rows([{"a": i} for i in range(40_000)], ("a",), path, "csv")


def save_parquet(path: Path) -> None:
    export.write_rows([{"a": i} for i in range(400)], ("a",), path, "parquet")


def save_figure(path: Path) -> None:
    from gametheory import figures

    figures.save(figures.lines({"v": [(1, 2.0), (2, 3.0)]}, "title", "x", "y"), path.with_suffix(".svg"))


def save_text(path: Path) -> None:
    files.write(path, b"x" * 100_000)


SAVES = [save_table, save_rows, save_parquet, save_figure, save_text]


# Only regular files.


def fifo(path: Path) -> None:
    os.mkfifo(path)


def link(path: Path) -> None:
    (path.parent / "aim").write_text("old")
    path.symlink_to("aim")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def link_to_a_fifo(path: Path) -> None:
    os.mkfifo(path.parent / "pipe")
    path.symlink_to("pipe")


def a_folder(path: Path) -> None:
    path.mkdir()


def everything_in(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Return what stands in a folder: kind and number of each entry, and where a link leads or what a file holds."""
    found = {}
    for path in folder.iterdir():
        about = path.lstat()
        holds = os.readlink(path) if path.is_symlink() else path.read_text() if stat.S_ISREG(about.st_mode) else ""
        found[path.name] = (about.st_mode, about.st_ino, holds)
    return found


@pytest.mark.parametrize("place", [fifo, link, dangling, link_to_a_fifo, a_folder])
def test_what_is_no_regular_file_is_left_as_it_is(place: Callable[[Path], None], tmp_path: Path) -> None:
    for save in SAVES:
        folder = tmp_path / save.__name__
        folder.mkdir()
        path = folder / "out.svg"
        place(path)
        before = everything_in(folder)
        with pytest.raises(ValueError, match="cannot write") as caught:
            save(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert everything_in(folder) == before


@pytest.mark.parametrize("place", [fifo, link, dangling, link_to_a_fifo])
@pytest.mark.parametrize(
    "command",
    [
        ("diff", "2d4", "--force", "-o", "{}"),
        ("page", "2d4", "--force", "-o", "{}"),
        ("card", "2d4", "--force", "-o", "{}"),
        ("plot", "2d4", "second", "--force", "-o", "{}"),
        ("sweep", "2d4", "-o", "{}"),
        ("sweep", "2d4", "--force", "--figure", "{}"),
        ("sweep", "2d4", "-o", "here.csv"),
    ],
    ids=lambda command: command[0] + command[-2],
)
def test_no_command_replaces_a_pipe_or_a_link(
    command: tuple[str, ...], place: Callable[[Path], None], folder: Path, run: Run
) -> None:
    suffix = {"card": "svg", "page": "html", "plot": "svg"}.get(command[0], "csv" if command[-2] == "-o" else "svg")
    path = Path("here.csv.journal") if command[-1] == "here.csv" else Path(f"out.{suffix}")
    place(path)
    before = everything_in(Path())
    ran = run(*(part.format(path) for part in command))
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert "cannot write" in ran.err
    assert everything_in(Path()) == before


@pytest.mark.parametrize("place", [fifo, link])
def test_solve_leaves_what_stands_in_the_place_of_a_table(place: Callable[[Path], None], folder: Path, run: Run) -> None:
    place(folder / "2d4.split.h5")
    before = everything_in(folder)
    ran = run("solve", "2d4", "--force")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert everything_in(folder) == before


# A full disk, at any byte.


class FullDisk:
    """Lets so many bytes be written, and no more."""

    def __init__(self, patch: pytest.MonkeyPatch, room: int) -> None:
        self.room, self.write, self.hits = room, os.write, 0
        patch.setattr(os, "write", self.raw)
        opened = os.fdopen
        patch.setattr(os, "fdopen", lambda handle, mode: self.wrap(opened(handle, mode, buffering=0)))

    def raw(self, handle: int, data: Any) -> int:
        if self.room <= 0:
            self.hits += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = self.write(handle, bytes(data[: self.room]))
        self.room -= done
        return done

    def wrap(self, file: Any) -> Any:
        import io

        disk = self

        class Raw(io.RawIOBase):
            def write(self, data: Any) -> int:
                return disk.raw(file.fileno(), data)

            def writable(self) -> bool:
                return True

            def fileno(self) -> int:
                return int(file.fileno())

            def close(self) -> None:
                super().close()
                file.close()

        return io.BufferedWriter(Raw())


@pytest.mark.parametrize("save", SAVES)
def test_a_disk_that_is_full_at_any_byte_leaves_the_old_file_and_one_line(
    save: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.svg"
    save(path)
    size, before = path.stat().st_size, b"old"
    for part in range(21):
        path.write_bytes(before)
        with monkeypatch.context() as patch:
            disk = FullDisk(patch, max(0, size * part // 20 - 1))
            with pytest.raises(ValueError, match="No space left") as caught:
                save(path)
            assert disk.hits
        assert "\n" not in str(caught.value)
        assert path.read_bytes() == before
        assert names(tmp_path) == [path.name]


def test_a_journal_on_a_full_disk_keeps_its_whole_lines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = sweeps.grid(["{n}d4"], {"n": "1..3"})
    sweeps.run(cells[:1], "whole.csv")
    line = Path("whole.csv.journal").stat().st_size
    with monkeypatch.context() as patch:
        disk = FullDisk(patch, line + line // 2)
        with pytest.raises(ValueError, match="No space left") as caught:
            sweeps.run(cells, "cut.csv")
        assert disk.hits
    assert "cut.csv.journal" in str(caught.value)
    assert list(sweeps.read_journal(Path("cut.csv.journal"))) == [cells[0].key]
    assert len(sweeps.run(cells, "cut.csv")) == 3
    assert len(sweeps.read_journal(Path("cut.csv.journal"))) == 3


# What others do meanwhile.


def test_drafts_of_dead_processes_are_cleared_and_those_of_living_ones_are_not(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom gametheory import files\n"
        "with files.whole(sys.argv[1]) as file:\n file.write(b'half')\n file.flush()\n print(flush=True)\n time.sleep(60)"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / name)], stdout=subprocess.PIPE) for name in "ab"
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            process.stdout.readline()
        (tmp_path / ".gametheory-mine.part").touch()  # not called as drafts are
        processes[0].kill()
        processes[0].wait(60)
        assert sum(bool(files.DRAFT.fullmatch(name)) for name in names(tmp_path)) == 2
        files.write(tmp_path / "c", b"c")
        assert sum(bool(files.DRAFT.fullmatch(name)) for name in names(tmp_path)) == 1
        processes[1].send_signal(signal.SIGINT)
        processes[1].wait(60)
    finally:
        for process in processes:
            process.kill()
            process.communicate(timeout=60)
    assert names(tmp_path) == [".gametheory-mine.part", "c"]


def test_a_second_sweep_into_the_same_file_is_refused(folder: Path, run: Run) -> None:
    with files.growing("out.csv.journal"):
        ran = run("sweep", "{n}d4", "--n", "1..2", "-o", "out.csv")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "out.csv.journal is being written by another process" in ran.err
    assert run("sweep", "{n}d4", "--n", "1..2", "-o", "out.csv").status == 0


def test_a_line_that_was_cut_off_stands_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"one\ntw")
    with files.growing(path) as add:
        add(b"three")
    assert path.read_bytes() == b"one\ntw\nthree\n"


def test_a_sweep_with_a_cell_that_failed_says_so_by_its_status(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("sweep", "{n}d4", "--n", "1..2", "--tie", "replay", "-o", "out.csv", "--json")
    assert ran.status == 0
    monkeypatch.setattr(sweeps, "_figures", lambda *_: 1 / 0)
    ran = run("sweep", "{n}d4", "--n", "3", "-o", "out.csv")
    assert ran.status == 1
    assert "division by zero" in ran.out


@pytest.fixture
def plain_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("plain_umask")
def test_files_are_readable_as_others_are(tmp_path: Path) -> None:
    path = tables.write(solved("2d4").stored(), tmp_path / "a.h5")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
