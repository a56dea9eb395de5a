"""Tables in the style of the published ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import games
from ..tabular import Table
from . import cutoff
from .solve import find, named


def table(
    game: object, name: str, *, target: int | None = None, gain: bool = False, tables: str | Path | None = None
) -> Table:
    """Return a table in the style of the published ones: a sequence of rows, with a title and the names of columns.

    >>> table("4d6", "one-die").columns
    ('rolls', 'd6 cut', 'd6 mean')
    """
    chosen = named(game)
    family = games.family(chosen)
    if name not in cutoff.TABLES or "cutoff" not in family.policies:
        return Table.of(family.table(chosen, name, target, gain))
    if target is not None or gain:
        raise ValueError("--target and --gain are for the tables of races: leave them out")
    cutoff.check(chosen)
    solution: Any = find(game, "distribution", tables=tables)
    columns, rows = cutoff.TABLES[name](solution)
    title, places = f"{chosen.name}: {name}", 3 if name == "walk" else 5
    return Table.of({"game": chosen.name, "title": title, "columns": columns, "rows": rows, "places": places})
