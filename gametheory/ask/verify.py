"""Stored tables recomputed through the plain rules, without the solver's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import games, progress, source
from ..answers import Checked
from ..scoring import RulesElsewhere
from ..store import library
from ..store import tables as store
from ..store.apart import Untrusted
from ..store.tables import SOUND as SOUND


def verify(
    files: Sequence[str | Path] = (), *, tables: str | Path | None = None, seed: int = 0
) -> dict[Path, Checked]:
    """Recompute a sample of every table through the plain rules; all tables there are if no file is named.

    A named file is opened apart, as one that comes from elsewhere (see `store.apart`). A game of your own, as
    "my_game.py:Midnight", stands for its tables, which do not hold its rules: where no file is named no value of theirs is
    checked.
    """
    found: dict[Path, Checked] = {}
    for path, game in _chosen(files, tables):
        with progress.bar(f"verifying {path.name}") as advance:
            try:
                found[path] = store.load(path, game, recompute=False).verify(seed, advance)
            except RulesElsewhere:
                if files:
                    raise
                found[path] = Checked(0, 0.0)
    return found


def _chosen(files: Sequence[str | Path], tables: str | Path | None) -> list[tuple[Path, Any]]:
    """Return the tables to verify, with the game that has the rules of those that do not hold them."""
    chosen: list[tuple[Path, Any]] = []
    for file in files:
        if not source.is_source(str(file)):
            chosen.append((Untrusted(file), None))
            continue
        game = games.game(str(file))
        known = library.stored(game, tables)
        if not known:
            raise ValueError(f"there is no table of {file} with the rules it has now: solve it first")
        chosen += [(path, game) for path in known]
    chosen = chosen or [(path, None) for path in store.every(tables)]
    if not chosen:
        raise ValueError("there are no tables to verify: solve a game first, or name a file")
    return chosen
