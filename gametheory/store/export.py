"""Write rows to files: CSV, JSON or Parquet, whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

FORMATS = ("csv", "json", "parquet")
BATCH = 65_536


def choose_format(path: str | Path | None, chosen: str | None) -> str:
    """Return the format that was asked for, or that the file's suffix says; CSV if neither does."""
    name = chosen if chosen is not None else Path(path or "").suffix.lstrip(".").lower() or "csv"
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}: say csv, json or parquet")
    return name


def check_new(path: str | Path, force: bool) -> Path:
    """Refuse a file that exists, unless forced, or a folder that is not there."""
    path = Path(path)
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: name a file in a folder that exists")
    if path.exists() and not force:
        raise ValueError(f"{path} exists already: name another file, or say --force to replace it")
    return path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a temporary path beside the file; it takes the file's place if all went well, else it is removed."""
    draft = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        yield draft
        draft.replace(path)
    except OSError as error:
        raise ValueError(f"cannot write {path} ({error.strerror or error}): choose another place") from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def write_rows(rows: Iterable[dict[str, Any]], columns: Sequence[str], path: Path, form: str) -> int:
    """Write rows as they come, never all in memory; return how many there were."""
    with whole(path) as draft:
        if form == "parquet":
            return _write_parquet(rows, columns, draft)
        with draft.open("w", encoding="utf-8", newline="") as file:
            return write_text(rows, columns, file, form)


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


def _write_parquet(rows: Iterable[dict[str, Any]], columns: Sequence[str], path: Path) -> int:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ValueError("Parquet files need pyarrow: pip install 'gametheory[parquet]', or write csv") from None
    count, writer = 0, None
    rows = iter(rows)
    try:
        while batch := list(islice(rows, BATCH)):
            table = pyarrow.Table.from_pylist([{name: row[name] for name in columns} for row in batch])
            if writer is None:
                writer = pyarrow.parquet.ParquetWriter(path, table.schema)
            writer.write_table(table.cast(writer.schema))
            count += len(batch)
        if writer is None:
            pyarrow.parquet.write_table(pyarrow.table({name: [] for name in columns}), path)
    finally:
        if writer is not None:
            writer.close()
    return count
