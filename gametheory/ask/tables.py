"""What is stored: the tables of solved games, with their rules, sizes and places; deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import games
from ..store import library
from ..store import tables as store
from ..tabular import Table


def tables(names: Sequence[str | Path] = (), *, delete: bool = False, tables: str | Path | None = None) -> Table:
    """List the stored tables, of these games or files if some are named; with `delete` delete them.

    Tables that come with the package are listed, and never deleted.
    """
    if delete and not names:
        raise ValueError("say which tables to delete: a game, or a table's file; 'gametheory tables' lists them")
    if isinstance(names, str | Path):
        names = [names]
    every = store.every(tables)
    chosen = [path for name in names for path in _named(str(name), every, tables)] if names else every
    rows = [store.describe(path) | {"file": str(path)} for path in dict.fromkeys(chosen)]
    if delete:
        packaged = store.packaged_folder().resolve()
        for path in chosen:
            if path.resolve().parent == packaged:
                raise ValueError(f"{path} came with the package and is not deleted: name one in another folder")
        for path in dict.fromkeys(chosen):
            path.unlink()
    title = f"{len(rows)} tables{' deleted' if delete else ''}"
    return Table.of_dicts(title, rows)


def _named(name: str, every: Sequence[Path], folder: str | Path | None) -> list[Path]:
    """Return the tables that a name means: a file, or all of a game."""
    found = [path for path in every if name in (str(path), path.name)]
    if not found and not name.endswith(".h5"):
        found = library.stored(games.game(name), folder)
    if not found:
        raise ValueError(f"there is no table {name!r}: 'gametheory tables' lists them")
    return found
