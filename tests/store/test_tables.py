"""Tables on disk: they come back as they were, say what they are, and are refused when anything about them is wrong."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import Run, Solve
from gametheory.store.stored import Stored
from pools import SMALL

import gametheory as gt
from gametheory.games import pool_game, rules
from gametheory.match import duel
from gametheory.match.duel import Duel
from gametheory.store import library, tables
from gametheory.store.tables import TableError

COMMITTED = sorted((Path(__file__).parent.parent / "tables").glob("*.h5"))
DUELS = [path for path in COMMITTED if path.name.endswith((".split.h5", ".first.h5", ".second.h5", ".replay.h5"))]

BYTES_OF = {"h5py": "3.16.0", "hdf5": "2.0.0"}
"""The libraries that wrote the committed tables: others may lay out the same content differently."""


def assert_same(one: Stored, other: Stored) -> None:
    """Compare everything that two tables say, bit for bit."""
    assert (one.kind, one.rules, one.facts) == (other.kind, other.rules, other.facts)
    assert sorted(one.axes) == sorted(other.axes)
    for name, labels in one.axes.items():
        np.testing.assert_array_equal(labels, other.axes[name])
    assert sorted(one.arrays) == sorted(other.arrays)
    for name, (dims, values) in one.arrays.items():
        assert dims == other.arrays[name][0]
        np.testing.assert_array_equal(values, other.arrays[name][1], strict=True)


def python(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def assert_one_line(error: BaseException, path: Path) -> None:
    """Every refusal names the file and, after a colon or semicolon, the remedy, on one line."""
    text = str(error)
    assert "\n" not in text
    assert str(path) in text
    assert any(word in text for word in ("--force", "name a", "name another"))


@pytest.fixture
def table(tmp_path: Path, solved: Solve) -> Path:
    return gt.save(solved("2d4+d6"), tmp_path / "2d4+d6.split.h5")


# What is written comes back.


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_a_table_comes_back_bit_for_bit(game: Any, tmp_path: Path) -> None:
    solution = duel.solve(game, "first")
    back = gt.load(gt.save(solution, tmp_path / "a.h5"))
    assert isinstance(back, Duel)
    assert_same(back.stored(), solution.stored())
    assert back.game.rules() == game.rules()
    assert repr(back) == repr(solution)
    assert np.isnan(solution.first_table).any()  # or the unreachable would not have been tested


@pytest.mark.parametrize("tie", ["split", "first", "second", "replay", "0.25", "0.1"])
def test_every_tie_rule_comes_back(tie: str, tmp_path: Path, solved: Solve) -> None:
    solution = solved("3d4", tie)
    back = gt.load(gt.save(solution, tmp_path / "a.h5"))
    assert (back.tie, back.tie_worth, back.error_bound) == (solution.tie, solution.tie_worth, solution.error_bound)
    assert back.first_player_value == solution.first_player_value


def test_a_loaded_table_cannot_be_changed(table: Path) -> None:
    back = gt.load(table)
    for values in (back.expected_table, back.first_table, back.second_table):
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0.0


def test_repr_says_game_tie_rule_and_values(table: Path) -> None:
    back = gt.load(table)
    assert repr(back) == (
        f"<Duel of 2d4+d6 (2d4+d6), ties split: first player {back.first_player_value:.6f}, "
        f"second {back.second_player_value:.6f}; expected score {back.expected_score:.6f}>"
    )


def test_xarray_sees_named_and_labelled_axes(table: Path, solved: Solve) -> None:
    import xarray

    solution = solved("2d4+d6")
    with xarray.open_dataset(table, engine="h5netcdf") as data:
        assert data["expected"].dims == ("d4", "d6")
        assert data["first"].dims == ("d4", "d6", "banked")
        assert data["second"].dims == ("d4", "d6", "needed")
        assert data["d4"].values.tolist() == [0, 1, 2]
        assert data["banked"].values.tolist() == list(range(15))
        assert float(data["first"].sel(d4=2, d6=1, banked=0)) == solution.first_player_value
        assert float(data["second"].sel(d4=2, d6=1, needed=11)) == solution.second(11)
        assert data.attrs["format"] == "gametheory table"


def test_to_xarray_is_what_xarray_reads_from_the_file(table: Path, solved: Solve) -> None:
    import xarray

    made = solved("2d4+d6").to_xarray()
    with xarray.open_dataset(table, engine="h5netcdf") as data:
        for name in ("expected", "first", "second"):
            xarray.testing.assert_identical(made[name].drop_attrs(), data[name].drop_attrs())


def test_every_dataset_is_checksummed_and_without_time_stamps(table: Path) -> None:
    with h5py.File(table) as file:
        assert set(file) == {"expected", "first", "second", "d4", "d6", "banked", "needed"}
        for dataset in file.values():
            assert dataset.fletcher32
            assert h5py.h5g.get_objinfo(dataset.id).mtime == 0
        for name in ("expected", "first", "second"):
            assert file[name].compression == "gzip"
            assert file[name].shuffle


# The same content, the same bytes.


def test_writing_twice_gives_the_same_bytes(table: Path, tmp_path: Path, solved: Solve) -> None:
    again = gt.save(solved("2d4+d6"), tmp_path / "again.h5")
    loaded = gt.save(gt.load(table), tmp_path / "loaded.h5")
    assert table.read_bytes() == again.read_bytes() == loaded.read_bytes()


def test_another_process_solves_and_writes_the_same_bytes(table: Path, tmp_path: Path) -> None:
    script = "import sys, gametheory as gt; gt.save(gt.solve(gt.game('2d4+d6'), threads=1), sys.argv[1])"
    finish(python(script, tmp_path / "other.h5"))
    assert (tmp_path / "other.h5").read_bytes() == table.read_bytes()


def test_digest_is_of_the_content_and_not_of_the_layout(table: Path, tmp_path: Path, solved: Solve) -> None:
    """The same content written plainly, newest file format, other order: the same digest, and it loads."""
    plain = tmp_path / "plain.h5"
    how = {"libver": "latest", "track_order": True, "userblock_size": tables.SEAL}
    with h5py.File(table) as old, h5py.File(plain, "w", **how) as new:
        new.attrs.update(dict(old.attrs))
        for name in sorted(old, reverse=True):
            new.create_dataset(name, data=old[name][()], track_times=True)
        for name in ("d4", "d6", "banked", "needed"):
            new[name].make_scale(name)
        for name in ("expected", "first", "second"):
            for place, dim in enumerate(old[name].dims):
                new[name].dims[place].label = dim.label
                new[name].dims[place].attach_scale(new[dim.label])
    seal(plain)
    assert plain.read_bytes() != table.read_bytes()
    with h5py.File(plain) as file:
        assert file.attrs["digest"] == tables.digest(solved("2d4+d6"))
    assert_same(tables.read(plain), solved("2d4+d6").stored())


class Made:
    """A solution that is nothing but its plain data."""

    def __init__(self, values: Any, facts: dict[str, Any] | None = None) -> None:
        self.data = Stored("duel", {"name": "x"}, facts or {}, {"a": np.arange(2)}, {"v": (("a",), values)})

    def stored(self) -> Stored:
        return self.data


def test_digest_sees_values_and_facts_but_neither_byte_order_nor_the_kind_of_nan() -> None:
    plain = tables.digest(Made(np.array([0.5, np.nan])))
    assert tables.digest(Made(np.array([0.5, np.nan], ">f8"))) == plain
    assert tables.digest(Made(np.array([0.5, -np.nan]))) == plain
    assert tables.digest(Made(np.array([0.5, 0.0]))) != plain
    assert tables.digest(Made(np.array([np.nan, 0.5]))) != plain
    assert tables.digest(Made(np.array([0.5, np.nan]), {"tie": "first"})) != plain
    assert tables.digest(Made(np.array([np.nextafter(0.5, 1), np.nan]))) != plain


def test_there_are_committed_tables() -> None:
    assert {"biscuits.split.h5", "badg.split.h5", "threes.split.h5"} <= {path.name for path in COMMITTED}


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_a_committed_table_loads(path: Path) -> None:
    solution = gt.load(path)
    assert path.name.startswith(solution.game.name)
    assert 0 < solution.first_player_value < 1


@pytest.mark.parametrize("path", DUELS, ids=lambda path: path.name)
def test_solving_again_gives_the_committed_table(path: Path, tmp_path: Path, solved: Solve) -> None:
    name, tie, _ = path.name.split(".")
    solution = solved(name, tie)
    with h5py.File(path) as file:
        assert file.attrs["digest"] == tables.digest(solution)
    assert_same(tables.read(path), solution.stored())
    if {"h5py": h5py.version.version, "hdf5": h5py.version.hdf5_version} == BYTES_OF:
        assert gt.save(solution, tmp_path / path.name).read_bytes() == path.read_bytes()


# What is wrong is refused, by name.


def seal(path: Path) -> None:
    """Make the checksum of a table's bytes right again."""
    content = path.read_bytes()[tables.SEAL :]
    path.write_bytes(tables._seal(content) + content)


def rewrite(path: Path, change: Callable[[Any], None]) -> None:
    """Change a table and make its digest and its checksum right again, so that nothing else is wrong with it."""
    with h5py.File(path, "r+") as file:
        change(file)
        attributes = {name: tables._plain(value) for name, value in file.attrs.items() if name != "digest"}
        axes = {name: file[name][()] for name in file if file[name].is_scale}
        arrays = {name: (tuple(dim.label for dim in file[name].dims), file[name][()]) for name in file if name not in axes}
        file.attrs["digest"] = tables._digest(attributes, axes, arrays)
    seal(path)


def set_attribute(name: str, value: Any) -> Callable[[Any], None]:
    def change(file: Any) -> None:
        file.attrs[name] = value

    return change


def drop_a_column(file: Any) -> None:
    values, dims = file["first"][()], [dim.label for dim in file["first"].dims]
    del file["first"]
    made = file.create_dataset("first", data=values[..., :-1])
    for place, dim in enumerate(dims):
        made.dims[place].label = dim


def drop_an_array(file: Any) -> None:
    del file["second"]


def test_rewriting_nothing_is_accepted(table: Path) -> None:
    rewrite(table, lambda file: None)
    gt.load(table)


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (set_attribute("format", "something else"), "no gametheory table"),
        (set_attribute("format_version", 2), r"format 2\), this is .* \(format 1\)"),
        (set_attribute("package_version", "99.0"), "written by version 99.0"),
        (set_attribute("kind", "oracle"), "holds a oracle"),
        (set_attribute("kind", "alternating"), "does not fit its own rules"),
        (drop_a_column, r"shape \(3, 2, 14\) where the rules ask for \(3, 2, 15\)"),
        (drop_an_array, "does not fit its own rules"),
        (set_attribute("facts", '{"tie":"split","tie_worth_to_second":0.25,"error_bound":0.0}'), "is worth 0.5, not 0.25"),
        (set_attribute("facts", "{}"), "does not fit its own rules"),
        (set_attribute("rules", '{"family":"pool","name":"x","dice":[],"wins":"higher"}'), "does not fit its own rules"),
    ],
)
def test_a_table_that_says_something_else_is_refused(change: Callable[[Any], None], trouble: str, table: Path) -> None:
    rewrite(table, change)
    with pytest.raises(TableError, match=trouble) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


@pytest.mark.parametrize("name", ["rules", "facts", "kind", "package_version", "digest", "format"])
def test_a_changed_or_missing_attribute_is_refused(name: str, table: Path) -> None:
    with h5py.File(table, "r+") as file:
        file.attrs[name] = file.attrs[name].replace("a", "b", 1) + " "
    seal(table)
    with pytest.raises(TableError) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)
    with h5py.File(table, "r+") as file:
        del file.attrs[name]
    seal(table)
    with pytest.raises(TableError) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


@pytest.mark.parametrize("value", [np.arange(3), np.void(b"x"), h5py.Empty("f8")])
def test_an_attribute_of_a_strange_kind_is_refused(value: Any, table: Path) -> None:
    with h5py.File(table, "r+") as file:
        file.attrs["more"] = value
    seal(table)
    with pytest.raises(TableError) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


@pytest.mark.parametrize("name", ["expected", "first", "second", "banked", "d4"])
def test_a_changed_value_is_refused(name: str, table: Path) -> None:
    with h5py.File(table, "r+") as file:
        values = file[name][()]
        place = np.flatnonzero(~np.isnan(values.ravel()))[-1]
        values.flat[place] += 1
        file[name][...] = values
    seal(table)
    with pytest.raises(TableError, match="digest") as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


def test_a_table_of_other_rules_is_refused(table: Path) -> None:
    with pytest.raises(TableError, match="other rules than 2d4 has now") as caught:
        tables.load(table, rules(pool_game("2d4")))
    assert_one_line(caught.value, table)


def test_a_table_of_another_tie_rule_under_this_name_is_refused(folder: Path, solved: Solve, run: Run) -> None:
    path = gt.save(solved("3d4", "first"), folder / "3d4.split.h5")
    with pytest.raises(TableError, match="tie first, not split") as caught:
        library.find(pool_game("3d4"))
    assert_one_line(caught.value, path)
    ran = run("moves", "3d4", "d4:1,1,1", "--json")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("part", [0, 1, 7, 100, 0.1, 0.5, 0.9, 0.99, -1])
def test_a_table_cut_short_is_refused(part: float, table: Path) -> None:
    whole = table.read_bytes()
    length = int(part * len(whole)) if isinstance(part, float) else part
    table.write_bytes(whole[:length])
    with pytest.raises(TableError) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


def test_a_flipped_byte_is_refused_wherever_it_is(table: Path) -> None:
    """Also in the structure and in the unused space of the file, where HDF5 would not notice it, or crash."""
    draw = random.Random(1)
    whole = table.read_bytes()
    places = [*range(0, tables.SEAL + 100, 17), *(draw.randrange(len(whole)) for _ in range(200))]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= draw.randrange(1, 256)
        table.write_bytes(damaged)
        with pytest.raises(TableError) as caught:
            gt.load(table)
        assert_one_line(caught.value, table)
    table.write_bytes(whole)
    gt.load(table)


def test_a_table_with_something_after_its_end_is_refused(table: Path) -> None:
    table.write_bytes(table.read_bytes() + b"\0")
    with pytest.raises(TableError, match="checksum") as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_text("no table\n")
    with pytest.raises(TableError) as caught:
        gt.load(path)
    assert_one_line(caught.value, path)


def test_another_hdf5_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file["x"] = 1
    with pytest.raises(TableError, match="no gametheory table") as caught:
        gt.load(path)
    assert_one_line(caught.value, path)


def test_a_folder_and_a_missing_file_are_wrong_requests(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder") as caught:
        gt.load(tmp_path)
    assert_one_line(caught.value, tmp_path)
    with pytest.raises(ValueError, match="there is no file") as caught:
        gt.load(tmp_path / "a.h5")
    assert_one_line(caught.value, tmp_path / "a.h5")


# Whatever happens while writing, the old table or the new one is there.

DIE_SAVING = """
import os, signal, sys
from pathlib import Path
import h5py
import gametheory as gt
from gametheory.store import tables

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
    owner, name = {"sync": (os, "fsync"), "rename": (Path, "replace"), "renamed": (tables, "_sync_folder")}[moment]
    setattr(owner, name, die)
gt.save(solution, path)
"""


@pytest.mark.parametrize("moment", ["dataset1", "dataset3", "dataset6", "sync", "rename", "renamed"])
def test_a_save_killed_at_any_moment_leaves_the_old_table_or_the_new(moment: str, tmp_path: Path, solved: Solve) -> None:
    new = gt.save(solved("3d4", "first"), tmp_path / "new.h5")
    folder = tmp_path / "tables"
    folder.mkdir()
    path = gt.save(solved("3d4"), folder / "3d4.split.h5")
    process = python(DIE_SAVING, moment, new, path)
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert gt.load(path).tie == ("first" if moment == "renamed" else "split")
    assert [found.parent for found in tables.every(folder) if found.name.startswith("3d4")] == [folder]
    assert bool(list(folder.glob(".*.part"))) == (moment != "renamed")
    # What is left over is in nobody's way.
    gt.save(solved("3d4", "second"), path)
    assert gt.load(path).tie == "second"


def test_saves_killed_at_random_leave_a_whole_table(tmp_path: Path, solved: Solve) -> None:
    sources = [gt.save(solved("3d4", tie), tmp_path / f"{tie}.h5") for tie in ("split", "first")]
    (tmp_path / "tables").mkdir()
    path = tmp_path / "tables" / "3d4.h5"
    script = (
        "import sys, gametheory as gt\n"
        "made = [gt.load(name) for name in sys.argv[2:]]\n"
        "gt.save(made[0], sys.argv[1]); print(flush=True)\n"
        "while True:\n"
        "    for solution in made: gt.save(solution, sys.argv[1])\n"
    )
    draw = random.Random(2)
    for _ in range(5):
        process = python(script, path, *sources)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(draw.random() / 20)
        process.kill()
        process.communicate(timeout=120)
        assert gt.load(path).tie in ("split", "first")
        assert [name for name in files(path.parent) if not name.endswith(".part")] == [path.name]


def test_two_processes_solving_at_once_do_not_harm_each_other(tmp_path: Path) -> None:
    script = "import sys; from gametheory.cli import main; sys.exit(main(['solve', '2d4+d5', '--tables', sys.argv[1]]))"
    processes = [python(script, tmp_path) for _ in range(2)]
    for process in processes:
        finish(process)
    assert files(tmp_path) == ["2d4+d5.split.h5"]
    gt.load(tmp_path / "2d4+d5.split.h5")


def test_readers_see_whole_tables_while_another_process_writes(tmp_path: Path, solved: Solve) -> None:
    sources = [gt.save(solved("3d4", tie), tmp_path / f"{tie}.h5") for tie in ("split", "first")]
    path = tmp_path / "3d4.h5"
    script = (
        "import sys, gametheory as gt\n"
        "made = [gt.load(name) for name in sys.argv[2:]]\n"
        "gt.save(made[0], sys.argv[1]); print(flush=True)\n"
        "while True:\n"
        "    for solution in made: gt.save(solution, sys.argv[1])\n"
    )
    process = python(script, path, *sources)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        seen = {gt.load(path).tie for _ in range(100)}
    finally:
        process.kill()
        process.communicate(timeout=120)
    assert seen <= {"split", "first"}


@pytest.mark.parametrize("owner", ["h5py.File.flush", "os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_leaves_the_old_table_and_nothing_half_written(
    owner: str, table: Path, solved: Solve, monkeypatch: pytest.MonkeyPatch
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


def test_leftovers_are_not_taken_for_tables(folder: Path, solved: Solve) -> None:
    gt.save(solved("3d4"), folder / "3d4.split.h5")
    (folder / ".3d4.first.h5.1-ab.part").write_bytes(b"half")
    assert [path.name for path in tables.every() if path.parent == folder] == ["3d4.split.h5"]
    assert tables.find("3d4.first.h5") is None


# Where tables are looked for.


def test_folders_are_searched_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, given, data = (tmp_path / name for name in ("chosen", "given", "data"))
    user = data / "gametheory" / "tables"
    monkeypatch.setenv("GAMETHEORY_TABLES", str(given))
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(sys, "platform", "linux")
    assert tables.folders(chosen) == [chosen, given, user, tables.packaged_folder()]
    assert tables.folders() == [given, user, tables.packaged_folder()]
    places = [chosen, given, user]
    for place in places:
        place.mkdir(parents=True)
        (place / "biscuits.split.h5").touch()
    for place in places:
        assert tables.find("biscuits.split.h5", chosen) == place / "biscuits.split.h5"
        (place / "biscuits.split.h5").unlink()
    found = tables.find("biscuits.split.h5", chosen)
    assert found == tables.packaged_folder() / "biscuits.split.h5"
    monkeypatch.delenv("GAMETHEORY_TABLES")
    assert tables.folders()[0] == user
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tables.folders()[0] == tmp_path / ".local" / "share" / "gametheory" / "tables"


def test_tables_are_written_to_the_first_folder_given(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    assert run("solve", "2d4", "--tables", tmp_path / "new" / "deep").status == 0
    assert files(tmp_path / "new" / "deep") == ["2d4.split.h5"]
    assert files(folder) == []
    assert run("solve", "2d4").status == 0
    assert files(folder) == ["2d4.split.h5"]
    monkeypatch.delenv("GAMETHEORY_TABLES")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert run("solve", "2d4").status == 0
    assert files(tmp_path / "data" / "gametheory" / "tables") == ["2d4.split.h5"]


def test_a_table_found_first_is_listed_once(folder: Path, tmp_path: Path, solved: Solve) -> None:
    for place in (folder, tmp_path / "chosen"):
        place.mkdir(exist_ok=True)
        gt.save(solved("3d4"), place / "3d4.split.h5")
    listed = tables.every(tmp_path / "chosen")
    assert [path.parent for path in listed if path.name == "3d4.split.h5"] == [tmp_path / "chosen"]


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("x" * 300)):
        with pytest.raises(ValueError, match="cannot write tables to") as caught:
            tables.writable(place)
        assert str(place) in str(caught.value)
        assert "--tables DIR" in str(caught.value)
        ran = run("solve", "2d4", "--tables", place)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert files(tmp_path) == ["file"]


def test_a_question_is_answered_where_its_table_cannot_be_kept(tmp_path: Path, run: Run) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / ("x" * 300)):
        ran = run("moves", "2d4", "d4:4,4", "--json", "--tables", place)
        assert (ran.status, ran.err) == (0, "")
    assert files(tmp_path) == ["file"]


def test_file_names_are_safe_short_and_tell_games_apart() -> None:
    assert tables.file_name("12d6+d8", "split") == "12d6+d8.split.h5"
    assert tables.file_name("../a b/ü", "split") == ".._a_b_ü.split.h5"
    long = [tables.file_name("d2+" * 100 + end, "split") for end in ("d3", "d4")]
    assert long[0] != long[1]
    assert all(len(name.encode()) < 200 for name in [*long, tables.file_name("ü" * 300, "split")])


def test_a_game_from_a_file_that_takes_a_known_name_does_not_get_its_table(folder: Path, run: Run) -> None:
    answers = []
    for dice in ("2d4", "3d4"):
        Path("mine.toml").write_text(f'name = "threes"\ndice = "{dice}"\n')
        ran = run("second", "mine.toml", "--json")
        assert ran.status == 0
        answers.append(json.loads(ran.out)["targets"])
    # An edited file is another game, with a table of its own.
    assert answers == [list(range(2, 9)), list(range(3, 13))]


def test_a_table_under_the_name_of_another_game_is_refused(folder: Path, run: Run) -> None:
    run("solve", "2d4", "--tables", folder)
    (folder / "2d4.split.h5").rename(folder / "3d4.split.h5")
    ran = run("second", "3d4", "--json", "--tables", folder)
    assert (ran.status, ran.out) == (1, "")
    assert "other rules" in ran.err


# Solving where a table is.


def identity(path: Path) -> tuple[int, int, str]:
    about = path.stat()
    return about.st_ino, about.st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()


def test_solving_again_leaves_the_same_table_alone(folder: Path, run: Run) -> None:
    run("solve", "2d4")
    before = identity(folder / "2d4.split.h5")
    ran = run("solve", "2d4")
    assert ran.status == 0
    assert identity(folder / "2d4.split.h5") == before
    assert files(folder) == ["2d4.split.h5"]


def other_values(path: Path) -> None:
    def change(file: Any) -> None:
        values = file["first"][()]
        values[-1, 0] += 1e-9
        file["first"][...] = values

    rewrite(path, change)


def other_rules(path: Path) -> None:
    gt.save(duel.solve(pool_game("3d4")), path)


def other_tie(path: Path) -> None:
    gt.save(duel.solve(pool_game("2d4"), "first"), path)


@pytest.mark.parametrize(
    "spoil",
    [
        other_values,
        other_rules,
        other_tie,
        lambda path: rewrite(path, set_attribute("package_version", "99.0")),
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_text("text"),
    ],
    ids=["values", "rules", "tie", "version", "cut", "text"],
)
def test_another_table_is_replaced_only_by_force(spoil: Callable[[Path], Any], folder: Path, run: Run) -> None:
    run("solve", "2d4")
    path = folder / "2d4.split.h5"
    sound = path.read_bytes()
    spoil(path)
    before = identity(path)
    ran = run("solve", "2d4")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert str(path) in ran.err
    assert "--force" in ran.err
    assert identity(path) == before
    assert run("solve", "2d4", "--force").status == 0
    assert path.read_bytes() == sound
    assert files(folder) == [path.name]
