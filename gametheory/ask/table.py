"""Tables in the style of the published ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import games, progress
from ..answers import Plain
from . import cutoff
from .solve import find, named


def table(
    game: Any, name: str, *, target: int | None = None, gain: bool = False, tables: str | Path | None = None
) -> Plain:
    """Return a table in the style of the published ones: its title, columns and rows."""
    chosen = named(game)
    family = games.family(chosen)
    if name not in cutoff.TABLES or "cutoff" not in family.policies:
        return family.table(chosen, name, target, gain)
    if target is not None or gain:
        raise ValueError("--target and --gain are for the tables of races: leave them out")
    cutoff.check(chosen)
    solution: Any = find(game, "distribution", tables=tables)
    with progress.bar("playing a million games"):
        columns, rows = cutoff.TABLES[name](solution)
    return {
        "game": chosen.name, "title": f"{chosen.name}: {name}", "columns": columns, "rows": rows,
        "places": 5 if name == "cutoff" else 3,
    }  # fmt: skip
