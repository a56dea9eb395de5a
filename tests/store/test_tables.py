"""Tables on disk: they come back as they were, and the same content is the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from pools import SMALL
from shared import solved

import gametheory as gt
from gametheory import games
from gametheory.answers import Stored
from gametheory.games import rules
from gametheory.store import form, tables
from gametheory.store.tables import TableError

from .shared import assert_same, drop_attribute, finish, load, python, rewrite, seal

COMMITTED = sorted((Path(__file__).parents[2] / "tables").glob("*.h5"))

BYTES_OF = {"h5py": "3.16.0", "hdf5": "2.0.0"}
"""The libraries that wrote the committed tables: others may lay out the same content differently."""


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_a_table_comes_back_bit_for_bit(game: Any, tmp_path: Path) -> None:
    solution = solved(game, "first")
    back = load(gt.save(solution, tmp_path / "a.h5"))
    assert_same(back.stored(), solution.stored())
    assert rules(back.game) == rules(game)
    assert repr(back) == repr(solution)
    assert np.isnan(solution.first_table).any()  # or the unreachable would not have been tested


@pytest.mark.parametrize("tie", ["split", "first", "second", "replay", "0.25", "0.1"])
def test_every_tie_rule_comes_back(tie: str, tmp_path: Path) -> None:
    solution = solved("3d4", tie)
    back = load(gt.save(solution, tmp_path / "a.h5"))
    assert (back.tie, back.tie_worth, back.error_bound) == (solution.tie, solution.tie_worth, solution.error_bound)
    assert back.first_player_value == solution.first_player_value


def test_a_loaded_table_cannot_be_changed(table: Path) -> None:
    back = load(table)
    for values in (back.expected_table, back.first_table, back.second_table):
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0.0


def test_repr_says_game_tie_rule_and_values(table: Path) -> None:
    back = load(table)
    assert repr(back) == (
        f"<Duel of 2d4+d6, ties split: first player {back.first_player_value:.6f}, "
        f"second {back.second_player_value:.6f}; expected score {back.expected_score:.6f}>"
    )


def test_xarray_sees_named_and_labelled_axes(table: Path) -> None:
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


def test_to_xarray_is_what_xarray_reads_from_the_file(table: Path) -> None:
    import xarray

    made = solved("2d4+d6").to_xarray()
    with xarray.open_dataset(table, engine="h5netcdf") as data:
        for name in ("expected", "first", "second"):
            xarray.testing.assert_equal(made[name], data[name])
            assert made[name].name == data[name].name


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


def test_writing_twice_gives_the_same_bytes(table: Path, tmp_path: Path) -> None:
    again = gt.save(solved("2d4+d6"), tmp_path / "again.h5")
    loaded = gt.save(gt.load(table), tmp_path / "loaded.h5")
    assert table.read_bytes() == again.read_bytes() == loaded.read_bytes()


def test_another_process_solves_and_writes_the_same_bytes(table: Path, tmp_path: Path) -> None:
    script = "import sys, gametheory as gt; gt.save(gt.solve(gt.game('2d4+d6'), threads=1), sys.argv[1])"
    finish(python(script, tmp_path / "other.h5"))
    assert (tmp_path / "other.h5").read_bytes() == table.read_bytes()


def test_digest_is_of_the_content_and_not_of_the_layout(table: Path, tmp_path: Path) -> None:
    """The same content written plainly, newest file format, other order: the same digest, and it loads."""
    plain = tmp_path / "plain.h5"
    how = {"libver": "latest", "track_order": True, "userblock_size": form.SEAL}
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


# Who wrote it decides nothing: the format and the rules do.


def test_a_table_written_by_another_version_of_the_package_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("0.0.1", "99.0"):
        monkeypatch.setattr(form, "__version__", version)
        path = gt.save(solved("2d4+d6"), tmp_path / f"{version}.h5")
        monkeypatch.undo()
        with h5py.File(path) as file:
            assert file.attrs["package_version"] == version != gt.__version__
            assert file.attrs["digest"] == tables.digest(solved("2d4+d6"))
        found = tables.load(path, games.game("2d4+d6"), kind="duel", tie="split")
        assert_same(found.stored(), solved("2d4+d6").stored())
        tables.check_same(path, solved("2d4+d6"))
        with pytest.raises(TableError, match="another table than this solution"):
            tables.check_same(path, solved("2d4+d6", "first"))


def test_a_table_that_does_not_say_who_wrote_it_is_read(table: Path) -> None:
    rewrite(table, drop_attribute("package_version"))
    assert_same(tables.read(table), solved("2d4+d6").stored())


def test_a_table_of_another_version_verifies_as_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form, "__version__", "99.0")
    path = gt.save(solved("2d4+d6"), tmp_path / "a.h5")
    monkeypatch.undo()
    assert gt.verify([path]) == {path: solved("2d4+d6").verify()}


# The tables that come with the package.


def test_there_are_committed_tables() -> None:
    names = {"biscuits.split.h5", "badg.split.h5", "threes.split.h5", "ten-thousand.h5", "farkle.h5", "pig.h5"}
    assert names <= {path.name for path in COMMITTED}


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_a_committed_table_loads(path: Path) -> None:
    solution = gt.load(path)
    assert path.name.startswith(solution.game.name)
    if ".points." in path.name:
        assert solution.headline()["value"] > 0
    else:
        assert 0 < solution.first_player_value < 1


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_solving_again_gives_the_committed_table(path: Path, tmp_path: Path) -> None:
    name, *parts, _ = path.name.split(".")
    solution = gt.solve(name, aim="points") if parts == ["points"] else solved(name, tie=parts[0] if parts else "split")
    with h5py.File(path) as file:
        assert file.attrs["digest"] == tables.digest(solution)
    assert_same(tables.read(path), solution.stored())
    if {"h5py": h5py.version.version, "hdf5": h5py.version.hdf5_version} == BYTES_OF:
        assert gt.save(solution, tmp_path / path.name).read_bytes() == path.read_bytes()
