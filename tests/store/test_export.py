"""Rows written to files: the same rows in every format, whole or not at all."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory.store import export

from .shared import files

COLUMNS = ("dice_left", "banked", "cost", "score_tied")
ROWS: list[dict[str, Any]] = [
    {"dice_left": "2d4", "banked": 3, "cost": 0.1 + 0.2, "score_tied": False},
    {"dice_left": 'a "quoted", name', "banked": -1, "cost": 1e-300, "score_tied": True},
    {"dice_left": "none", "banked": 0, "cost": 0.0, "score_tied": False},
]


def read(path: Path, form: str) -> list[dict[str, Any]]:
    """Read rows back with the types they had."""
    if form == "csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [
                {**row, "banked": int(row["banked"]), "cost": float(row["cost"]), "score_tied": row["score_tied"] == "True"}
                for row in csv.DictReader(file)
            ]
    if form == "json":
        rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return rows
    import pyarrow.parquet

    listed: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return listed


@pytest.mark.parametrize("form", export.FORMATS)
def test_rows_come_back_from_every_format(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{form}"
    assert export.write_rows(iter(ROWS), COLUMNS, path, form) == 3
    assert read(path, form) == ROWS
    assert files(tmp_path) == [path.name]


@pytest.mark.parametrize("form", export.FORMATS)
def test_columns_are_in_the_order_that_was_asked(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{form}"
    turned = [dict(reversed(row.items())) for row in ROWS]
    export.write_rows(turned, COLUMNS, path, form)
    found = read(path, form)
    assert found == ROWS
    if form != "json":  # an object's keys have no order
        assert tuple(found[0]) == COLUMNS


@pytest.mark.parametrize("form", export.FORMATS)
def test_no_rows_are_a_whole_file_too(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{form}"
    assert export.write_rows([], COLUMNS, path, form) == 0
    assert read(path, form) == []
    if form == "csv":
        assert path.read_text() == ",".join(COLUMNS) + "\n"


def test_parquet_is_written_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    monkeypatch.setattr(export, "BATCH", 2)
    path = tmp_path / "rows.parquet"
    assert export.write_rows(iter(ROWS), COLUMNS, path, "parquet") == 3
    assert read(path, "parquet") == ROWS
    assert pyarrow.parquet.ParquetFile(path).num_row_groups == 2


@pytest.mark.parametrize("form", export.FORMATS)
def test_what_fails_half_way_leaves_the_old_file_and_no_other(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BATCH", 1)
    path = tmp_path / f"rows.{form}"
    path.write_text("old")

    def rows() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        yield ROWS[1]
        raise RuntimeError("the well has run dry")

    with pytest.raises(RuntimeError, match="well"):
        export.write_rows(rows(), COLUMNS, path, form)
    assert path.read_text() == "old"
    assert files(tmp_path) == [path.name]


def test_not_a_number_is_no_json(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        export.write_rows([{**ROWS[0], "cost": float("nan")}], COLUMNS, tmp_path / "rows.json", "json")
    assert files(tmp_path) == []


def test_a_file_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="cannot write") as caught:
        export.write_rows(ROWS, COLUMNS, tmp_path / "folder", "csv")
    assert "\n" not in str(caught.value)
    assert files(tmp_path) == ["folder"]
    assert files(tmp_path / "folder") == []


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"pip install .*\[parquet\]"):
        export.write_rows(ROWS, COLUMNS, tmp_path / "rows.parquet", "parquet")
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "chosen", "form"),
    [
        (None, None, "csv"), ("a", None, "csv"), ("a.json", None, "json"), ("a.PARQUET", None, "parquet"),
        ("a.csv", "json", "json"),
    ],
)  # fmt: skip
def test_the_format_is_the_one_said_else_the_suffix_else_csv(path: str | None, chosen: str | None, form: str) -> None:
    assert export.choose_format(path, chosen) == form


@pytest.mark.parametrize(("path", "chosen"), [(None, "xlsx"), ("a.xlsx", None), ("a.csv", ""), (None, "CSV")])
def test_an_unknown_format_is_refused_with_those_there_are(path: str | None, chosen: str | None) -> None:
    with pytest.raises(ValueError, match="csv, json or parquet"):
        export.choose_format(path, chosen)


def test_an_existing_file_is_refused_without_force(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    assert export.check_new(path, force=False) == path
    path.touch()
    assert export.check_new(path, force=True) == path
    with pytest.raises(ValueError, match="--force"):
        export.check_new(path, force=False)
    for place in (tmp_path, tmp_path / "no" / "a.csv", Path()):
        with pytest.raises(ValueError, match="name a file in a folder that exists"):
            export.check_new(place, force=True)


def test_diff_writes_the_same_rows_in_every_format(folder: Path, run: Run) -> None:
    gt.save(solved("4d6"), folder / "4d6.split.h5")
    rows = json.loads(run("diff", "4d6", "--json").out)["rows"]
    assert len(rows) > 5
    assert tuple(rows[0]) == gt.diff(solved("4d6")).columns
    for form in export.FORMATS:
        path = Path(f"rows.{form}")
        ran = run("diff", "4d6", "-o", path, "--json")
        summary = json.loads(ran.out)
        assert (ran.status, summary["rows_written"], summary["file"]) == (0, len(rows), str(path))
        found = read(path, form) if form != "csv" else None
        assert found in (None, rows)
    with Path("rows.csv").open(newline="") as file:
        listed = list(csv.DictReader(file))
    assert [list(map(str, row.values())) for row in rows] == [list(row.values()) for row in listed]
    assert run("diff", "4d6", "--format", "csv").out == Path("rows.csv").read_text()
    assert run("diff", "4d6", "--format", "json").out == Path("rows.json").read_text()
    assert files(Path.cwd()) == ["rows.csv", "rows.json", "rows.parquet"]
