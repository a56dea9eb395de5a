"""What is wrong with a table is refused, by name and in one line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory import games
from gametheory.store import form, tables
from gametheory.store.tables import TableError

from .shared import Change, assert_one_line, rewrite, seal, set_attribute


def drop_a_column(file: Any) -> None:
    values, dims = file["first"][()], [dim.label for dim in file["first"].dims]
    del file["first"]
    made = file.create_dataset("first", data=values[..., :-1])
    for place, dim in enumerate(dims):
        made.dims[place].label = dim


def drop_a_column_and_its_label(file: Any) -> None:
    labels = file["banked"][()]
    drop_a_column(file)
    del file["banked"]
    file.create_dataset("banked", data=labels[:-1]).make_scale("banked")


def drop_an_array(file: Any) -> None:
    del file["second"]


def test_rewriting_nothing_is_accepted(table: Path) -> None:
    rewrite(table, lambda file: None)
    gt.load(table)


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (set_attribute("format", "something else"), "no gametheory table"),
        (set_attribute("format_version", 1), r"has format 1 \(written by version .*\), this version reads format 2"),
        (set_attribute("format_version", 3), r"has format 3 \(written by version .*\), this version reads format 2"),
        (set_attribute("kind", "oracle"), "holds a oracle"),
        (set_attribute("kind", "alternating"), "does not fit its own rules"),
        (drop_a_column, "'first' does not fit its axes"),
        (drop_a_column_and_its_label, r"shape \(3, 2, 14\) where the rules ask for \(3, 2, 15\)"),
        (drop_an_array, "does not fit its own rules"),
        (set_attribute("facts", '{"tie":"split","tie_worth_to_second":0.25,"error_bound":0.0}'), "is worth 0.5, not 0.25"),
        (set_attribute("facts", "{}"), "does not fit its own rules"),
        (set_attribute("rules", '{"family":"pool","name":"x","dice":[],"wins":"higher"}'), "does not fit its own rules"),
    ],
)
def test_a_table_that_says_something_else_is_refused(change: Change, trouble: str, table: Path) -> None:
    rewrite(table, change)
    with pytest.raises(TableError, match=trouble) as caught:
        gt.load(table)
    assert_one_line(caught.value, table)


def test_another_format_is_refused_wherever_a_table_is_looked_at(table: Path, run: Run) -> None:
    """And the writer's version is said, for it knows how to read it."""
    rewrite(table, set_attribute("format_version", form.FORMAT_VERSION + 1))
    rewrite(table, set_attribute("package_version", "99.0"))
    looks: list[Callable[[], Any]] = [
        lambda: gt.load(table),
        lambda: tables.check_same(table, solved("2d4+d6")),
        lambda: gt.verify([table]),
    ]
    for look in looks:
        with pytest.raises(TableError, match=r"written by version 99\.0") as caught:
            look()
        assert_one_line(caught.value, table)
    ran = run("verify", table, "--json")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("name", ["rules", "facts", "kind", "digest", "format"])
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
        tables.load(table, games.game("2d4"))
    assert_one_line(caught.value, table)


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
    places = [*range(0, form.SEAL + 100, 17), *(draw.randrange(len(whole)) for _ in range(200))]
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
