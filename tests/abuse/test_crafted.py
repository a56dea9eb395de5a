"""Tables made to do harm, with every checksum right: refused in one line, before anything is read from where they point."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import Run
from shared import solved
from store.shared import rewrite, seal, set_attribute

import gametheory as gt
from gametheory.store import apart, form, tables
from gametheory.store.tables import TableError

SECRET = b"what is in a file that no table names" * 100


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return gt.save(solved("2d4+d6"), tmp_path / "2d4+d6.split.h5")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(SECRET)
    return tmp_path / "secret"


def replaced(file: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Put something else in the place of an array, with the labels of its axes."""
    labels = [dim.label for dim in file[name].dims]
    del file[name]
    made = make(file)
    for place, label in enumerate(labels):
        made.dims[place].label = label


def external(file: Any, secret: Path) -> None:
    where = [(os.fspath(secret), 0, 8 * 90)]
    replaced(file, "first", lambda file: file.create_dataset("first", (3, 2, 15), "<f8", external=where))


def virtual(file: Any, secret: Path) -> None:
    layout = h5py.VirtualLayout((3, 2, 15), "<f8")
    layout[...] = h5py.VirtualSource(os.fspath(secret), "x", (3, 2, 15))
    replaced(file, "first", lambda file: file.create_virtual_dataset("first", layout))


def soft_link(file: Any, secret: Path) -> None:
    file["more"] = h5py.SoftLink("/first")


def external_link(file: Any, secret: Path) -> None:
    file["more"] = h5py.ExternalLink(os.fspath(secret), "/")


def group(file: Any, secret: Path) -> None:
    file.create_group("more")


def named_type(file: Any, secret: Path) -> None:
    file["more"] = np.dtype("<f8")


def enormous(file: Any, secret: Path) -> None:
    replaced(file, "first", lambda file: file.create_dataset("first", (1 << 20, 1 << 20, 2), "<f8", chunks=(1, 1, 1)))


def large_and_empty(file: Any, secret: Path) -> None:
    replaced(file, "first", lambda file: file.create_dataset("first", (3, 2, 1 << 30), "<f8", chunks=(1, 1, 1 << 10)))


def floats_of_another_size(file: Any, secret: Path) -> None:
    values = file["first"][()]
    replaced(file, "first", lambda file: file.create_dataset("first", data=values.astype("<f4")))


def texts(file: Any, secret: Path) -> None:
    replaced(file, "first", lambda file: file.create_dataset("first", (3, 2, 15), h5py.string_dtype()))


def records(file: Any, secret: Path) -> None:
    replaced(file, "first", lambda file: file.create_dataset("first", (3, 2, 15), np.dtype([("a", "<f8")])))


def lists(file: Any, secret: Path) -> None:
    replaced(file, "first", lambda file: file.create_dataset("first", (3, 2, 15), h5py.vlen_dtype("<f8")))


def nothing(file: Any, secret: Path) -> None:
    file.create_dataset("more", (0,), "<f8")


def a_number_alone(file: Any, secret: Path) -> None:
    file["more"] = 1.0


def another_filter(file: Any, secret: Path) -> None:
    values = file["first"][()]
    replaced(file, "first", lambda file: file.create_dataset("first", data=values, compression="lzf"))


def many_parts(file: Any, secret: Path) -> None:
    for number in range(200):
        file.create_dataset(f"axis{number}", data=np.arange(2)).make_scale(f"axis{number}")


def an_attribute_of_an_array(file: Any, secret: Path) -> None:
    file["first"].attrs["more"] = 1


def a_long_text(file: Any, secret: Path) -> None:
    file.attrs["rules"] = '{"a": "' + "b" * (2 << 20) + '"}'


def numbers_for_texts(file: Any, secret: Path) -> None:
    file.attrs["kind"] = 7


def a_list_for_a_text(file: Any, secret: Path) -> None:
    file.attrs["kind"] = np.array([b"duel", b"duel"])


def deep(file: Any, secret: Path) -> None:
    file.attrs["facts"] = "[" * 100_000


def no_object(file: Any, secret: Path) -> None:
    file.attrs["facts"] = "[1, 2]"


def infinite(file: Any, secret: Path) -> None:
    file.attrs["facts"] = '{"tie":"split","tie_worth_to_second":0.5,"error_bound":Infinity}'


CRAFTED = [
    external, virtual, soft_link, external_link, group, named_type, enormous, large_and_empty, floats_of_another_size, texts,
    records, lists, nothing, a_number_alone, another_filter, many_parts, an_attribute_of_an_array, a_long_text,
    numbers_for_texts, a_list_for_a_text, deep, no_object, infinite,
]  # fmt: skip


def sealed(path: Path, change: Callable[[Any, Path], None], secret: Path) -> None:
    """Change a table; make its digest right again where it can be told, and its checksum always."""
    with h5py.File(path, "r+") as file:
        change(file, secret)
    try:
        with h5py.File(path) as file:
            large = any(part.nbytes > 1 << 20 for part in file.values() if isinstance(part, h5py.Dataset))
        if not large:
            rewrite(path, lambda file: None)
    except Exception:
        pass
    seal(path)


@pytest.mark.parametrize("change", CRAFTED, ids=lambda change: change.__name__)
def test_a_crafted_table_is_refused_before_it_is_read(
    change: Callable[[Any, Path], None], table: Path, secret: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed(table, change, secret)
    with monkeypatch.context() as patch:
        patch.setattr(h5py.Dataset, "__getitem__", lambda *_: pytest.fail("something was read"))
        with pytest.raises(TableError) as caught:
            gt.load(table)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    ran = run("verify", table)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1), ran
    assert "SECRET" not in ran.err


# Lies: everything about the file is right, and what it says cannot be.


def lies(name: str, value: float) -> Callable[[Any], None]:
    """Return what gives the last number of an array another value."""

    def change(file: Any) -> None:
        values = file[name][()]
        values.flat[np.flatnonzero(~np.isnan(values.ravel()))[-1]] = value
        file[name][...] = values

    return change


def facts(**said: Any) -> Callable[[Any], None]:
    plain = {"tie": "split", "tie_worth_to_second": 0.5, "error_bound": 0.0, "payoff": ""}
    return set_attribute("facts", form.text(plain | said))


def rules(**said: Any) -> Callable[[Any], None]:
    plain = {"family": "pool", "name": "2d4+d6", "wins": "higher", "dice": [D4, DIE]}
    return set_attribute("rules", form.text(plain | said))


D4 = {"count": 2, "die": "d4", "points": [1, 2, 3, 4]}
DIE = {"count": 1, "die": "d6", "points": [1, 2, 3, 4, 5, 6]}

LIES = {
    "chance of 7.5": lies("first", 7.5),
    "chance below 0": lies("second", -0.5),
    "no number": lies("first", np.nan),
    "infinite": lies("second", np.inf),
    "endless score": lies("expected", np.inf),
    "no score": lies("expected", np.nan),
    "score of a million": lies("expected", 1e6),
    "bound below 0": facts(error_bound=-1.0),
    "bound that is no number": facts(error_bound="0"),
    "tie worth 7": facts(tie="7.0", tie_worth_to_second=7.0),
    "tie of another kind": facts(tie=["split"]),
    "wins either": rules(wins="either"),
    "half a die": rules(dice=[DIE | {"count": 0.5}]),
    "no dice": rules(dice=[]),
    "a thousand dice": rules(dice=[DIE | {"count": 1000}]),
    "a text for dice": rules(dice="2d6"),
    "a face worth 10**30": rules(dice=[DIE | {"points": [1, 2, 3, 4, 5, 10**30]}]),
    "a face worth half": rules(dice=[DIE | {"points": [1, 2, 3, 4, 5, 0.5]}]),
    "a hundred kinds": rules(dice=[DIE | {"die": f"x{n}"} for n in range(100)]),
    "a name that clears the screen": rules(name="\x1b[2J"),
    "an endless name": rules(name="x" * 100_000),
    "no family": rules(family="oracle"),
    "a list for a name": rules(name=["2d4+d6"]),
    "rolls of a thousand": rules(rolls=1000),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_with_every_seal_right_is_refused(lie: str, table: Path) -> None:
    rewrite(table, LIES[lie])
    with pytest.raises(TableError) as caught:
        gt.load(table)
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("match", ["alternating", "simultaneous", "players", "race"])
def test_a_lie_in_any_kind_of_table_is_refused(match: str, tmp_path: Path) -> None:
    found = {
        "alternating": lambda: solved("2d4", "first", "alternating"),
        "simultaneous": lambda: solved("2d4", match="simultaneous"),
        "players": lambda: solved("2d4", players=3),
        "race": lambda: solved("piglet"),
    }[match]()
    path = gt.save(found, tmp_path / "a.h5")
    for name in type(found).chance_arrays:
        for value in (7.5, -0.5, np.inf):
            gt.save(found, path)
            rewrite(path, lies(name, value))
            with pytest.raises(TableError, match="not from 0 to 1"):
                gt.load(path)


# From elsewhere.


def test_a_plausible_lie_is_found_by_recomputing(table: Path, run: Run, folder: Path) -> None:
    """No check of ranges can see it: it takes the rules."""
    with h5py.File(table) as file:
        value = float(file["first"][2, 1, 0])
    rewrite(table, lambda file: file["first"].__setitem__((2, 1, 0), value + 1e-6))
    assert gt.load(table).first_player_value == value + 1e-6
    with pytest.raises(TableError, match="not what its rules come to"):
        tables.load(apart.Untrusted(table))
    ran = run("second", "2d4+d6", "--tables", table.parent, "--untrusted")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1), ran
    assert run("second", "2d4+d6", "--tables", table.parent).status == 0


def test_an_untrusted_table_answers_as_any_other(table: Path, run: Run, folder: Path) -> None:
    mine = run("second", "2d4+d6", "--tables", table.parent, "--json")
    theirs = run("second", "2d4+d6", "--tables", table.parent, "--untrusted", "--json")
    assert (mine.status, mine.out) == (theirs.status, theirs.out)
    form_of = apart.read(apart.Untrusted(table))
    assert form.digest(form_of) == form.digest(tables.read(table))


def test_untrusted_needs_a_folder(run: Run) -> None:
    ran = run("second", "2d4", "--untrusted")
    assert (ran.status, ran.out) == (2, "")
    assert "--tables DIR" in ran.err


def test_what_reading_does_it_does_to_another_process(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash of the library, a loop without end, memory without end: one line, and this process goes on."""
    monkeypatch.setattr(apart, "SECONDS", 2)
    for harm in ("import os; os.abort()", "while True: pass", "print('x' * 100)", "x = [0]\nwhile True: x += x"):
        begin = apart.BEGIN.replace("apart.main(sys.argv[1])", f"apart._limit()\nexec({harm!r})")
        with monkeypatch.context() as patch:
            patch.setattr(apart, "BEGIN", begin)
            with pytest.raises(TableError) as caught:
                apart.read(table)
        assert "\n" not in str(caught.value)
