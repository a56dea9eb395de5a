"""Write rows to files: CSV, JSON or Parquet, whole or not at all."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from io import BufferedWriter, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from .. import extras, files

FORMATS = ("csv", "json", "parquet")
BATCH = 65_536


def choose_format(path: str | Path | None, chosen: str | None) -> str:
    """Return the format that was asked for, or that the file's suffix says; CSV if neither does."""
    name = chosen if chosen is not None else Path(path or "").suffix.lstrip(".").lower() or "csv"
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}: say csv, json or parquet")
    return name


def check_format(form: str) -> None:
    """Refuse a format whose library is missing."""
    if form == "parquet" and find_spec("pyarrow") is None:
        raise ValueError(f"Parquet files need pyarrow: {extras.install('parquet')}; or write csv")


def check_new(path: str | Path, force: bool) -> Path:
    """Refuse a file that exists, unless forced, and what can never be written: a folder, a device, a link."""
    path = files.check(path)
    if path.exists() and not force:
        raise ValueError(f"{path} exists already: name another file, or say --force to replace it")
    return path


def write_rows(rows: Iterable[dict[str, Any]], columns: Sequence[str], path: Path, form: str) -> int:
    """Write rows as they come, never all in memory; return how many there were."""
    with files.whole(path) as file:
        if form == "parquet":
            return _write_parquet(rows, columns, file)
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            return write_text(rows, columns, text, form)
        finally:
            text.detach()


def write_text(rows: Iterable[dict[str, Any]], columns: Sequence[str], file: Any, form: str) -> int:
    """Write rows as CSV, or as a JSON list with one row a line."""
    count = 0
    if form == "csv":
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for count, row in enumerate(rows, 1):  # noqa: B007
            writer.writerow(row)
        return count
    file.write("[")
    for count, row in enumerate(rows, 1):
        file.write(("\n" if count == 1 else ",\n") + json.dumps(row, allow_nan=False))
    file.write("\n]\n")
    return count


def _write_parquet(rows: Iterable[dict[str, Any]], columns: Sequence[str], file: BufferedWriter) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError(f"Parquet files need pyarrow: {extras.install('parquet')}; or write csv") from None
    count, writer = 0, None
    rows = iter(rows)
    try:
        while batch := list(islice(rows, BATCH)):
            table = pyarrow.Table.from_pylist([{name: row[name] for name in columns} for row in batch])
            if writer is None:
                writer = pyarrow.parquet.ParquetWriter(file, table.schema)
            writer.write_table(table.cast(writer.schema))
            count += len(batch)
        if writer is None:
            pyarrow.parquet.write_table(pyarrow.table({name: [] for name in columns}), file)
    finally:
        if writer is not None:
            writer.close()
    return count
