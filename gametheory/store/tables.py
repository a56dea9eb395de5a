"""Tables on disk: where they are, how they are written and read. What they are as bytes, `form` says.

A table is written whole or not at all (`files`). One from elsewhere is opened apart (`apart`): what its bytes do to the
library that reads them they do to another process, and what it says is recomputed before it is believed.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from .. import files, games
from ..answers import Stored
from ..match.kinds import KINDS, kind
from ..match.solution import Solution
from ..scoring import RulesElsewhere
from ..shelf import OnShelf, Shelf, Shelved
from . import apart, form
from .form import MOST_BYTES, REMEDY
from .form import TableError as TableError

INDEX = "index.h5"
"""What a table that is a folder says of itself, and its smaller arrays."""

LONGEST_NAME = 150
"""Bytes of a game's name that go into a file's name, which most systems want below 256 with all its parts."""

SOUND = 1e-9
"""The largest difference from what the rules say that a sound table may show."""


# Where tables are.


def user_folder() -> Path | None:
    """Return the folder for tables in the user's data directory; None for a user who has none."""
    windows, mac = sys.platform == "win32", sys.platform == "darwin"
    given = os.environ.get("LOCALAPPDATA") if windows else None if mac else os.environ.get("XDG_DATA_HOME")
    inside = ("AppData", "Local") if windows else ("Library", "Application Support") if mac else (".local", "share")
    try:
        home = Path(given) if given else Path.home().joinpath(*inside)
    except RuntimeError:  # no HOME, and nobody knows this user
        return None
    return home / "gametheory" / "tables"


def packaged_folder() -> Path:
    """Return the folder of the tables that come with the package."""
    here = Path(__file__).parent.parent
    installed = here / "packaged_tables"
    return installed if installed.is_dir() else here.parent / "tables"


def folders(chosen: str | Path | None = None) -> list[Path]:
    """List the folders in which tables are looked for, in order."""
    given = [folder for folder in (chosen, os.environ.get("GAMETHEORY_TABLES"), user_folder()) if folder]
    return [*(folder if isinstance(folder, Path) else Path(folder) for folder in given), packaged_folder()]


def file_name(name: str, *parts: str) -> str:
    """Return the name of a table's file: the game, then whatever tells its tables apart."""
    safe = "".join(c if c.isalnum() or c in "+-_." else "_" for c in name)
    if len(safe.encode()) > LONGEST_NAME:
        safe = f"{safe[: LONGEST_NAME // 4]}-{hashlib.sha256(safe.encode()).hexdigest()[:16]}"
    return ".".join([safe, *parts, "h5"])


def mark(rules: dict[str, Any]) -> str:
    """Return a short mark of some rules, to tell games of the same name apart."""
    return hashlib.sha256(form.text(rules).encode()).hexdigest()[:8]


def find(name: str, chosen: str | Path | None = None) -> Path | None:
    """Find a table's file, or its folder, in the folders, or None."""
    for folder in folders(chosen):
        if exists(folder / name):
            return folder / name
    return None


def every(chosen: str | Path | None = None) -> list[Path]:
    """List the tables in all folders, a file of the same name only where it is found first."""
    if chosen is not None and not os.path.isdir(chosen):
        raise ValueError(f"there is no folder {chosen}: name one that has tables, or leave --tables out")
    found: dict[str, Path] = {}
    for folder in folders(chosen):
        for path in sorted(folder.glob("*.h5")):
            if path.is_dir() and not is_folder(path):  # a solve that was cut short
                continue
            found.setdefault(path.name, path)
    return list(found.values())


def writable(chosen: str | Path | None = None) -> Path:
    """Return the folder to write tables to, made if need be; refuse one that cannot be written."""
    *own, _ = folders(chosen)
    if not own:
        raise ValueError("there is no folder of yours to write tables to: name one with --tables DIR")
    folder = own[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{secrets.token_hex(4)}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ValueError(
            f"cannot write tables to {folder} ({error.strerror or error}): name another folder with --tables DIR"
        ) from None
    return folder


# Writing.


def digest(solution: Any) -> str:
    """Return the digest that a solution's table has."""
    return form.digest(_index(solution.stored()))


def save(solution: Any, path: str | Path) -> Path:
    """Write a solution to a file, whole or not at all."""
    return write(solution.stored(), path)


def write(data: Stored, path: str | Path) -> Path:
    """Write plain data to a file, whole or not at all; what is too large for one to a folder, its index last."""
    path, shelved = Path(path), _shelved(data)
    if not shelved:
        return files.write(path, form.encode(data))
    shelf = Shelf(path)
    for rows in shelved.values():
        rows.put(shelf)
    files.write(path / INDEX, form.encode(_index(data)))
    shelf.clear(rows.key for rows in shelved.values())
    return path


def _shelved(data: Stored) -> dict[str, Shelved]:
    """Return the arrays that are kept on a shelf."""
    return {name: rows for name, (_, rows) in data.arrays.items() if isinstance(rows, Shelved)}


def _index(data: Stored) -> Stored:
    """Return what a table says, the rows on a shelf by their keys."""
    shelved = _shelved(data)
    if not shelved:
        return data
    arrays = {name: array for name, array in data.arrays.items() if name not in shelved}
    axes = {name: labels for name, labels in data.axes.items() if any(name in used for used, _ in arrays.values())}
    dims = {name: list(data.arrays[name][0]) for name in shelved}
    keys = {name: rows.key for name, rows in shelved.items()}
    return Stored(data.kind, data.rules, data.facts | {"rows": keys, "rows_axes": dims}, axes, arrays)


def check_same(path: Path, solution: Any) -> None:
    """Refuse to go on where a file holds anything else than the table of this solution."""
    if form.digest(_index(read(path))) != digest(solution):
        raise TableError(f"{path} is there already and holds another table than this solution: {REMEDY}")


# Reading.


def read(path: str | Path) -> Stored:
    """Read a table as plain data, checked: structure, format, version and digest; refuse anything else in one line."""
    if is_folder(path):  # what is in a folder from elsewhere is from there too
        return _on_shelf(read(Path(path) / INDEX if isinstance(path, str) else path / INDEX), Path(path))
    if isinstance(path, apart.Untrusted):
        return apart.read(path)
    return form.decode(files.read(path, MOST_BYTES, "name a table, or solve the game first"), path)


def exists(path: Path) -> bool:
    """Tell whether there is a table: False, where Path.is_file may raise, for a place that cannot be looked at."""
    return os.path.isfile(path) or is_folder(path)


def is_folder(path: str | Path) -> bool:
    """Tell whether a table is a folder of files, and complete."""
    return os.path.isfile(Path(path) / INDEX)


def shelf(path: Path, *, fresh: bool = False) -> Shelf | None:
    """Return the folder in which a solve keeps its rows, emptied if it is to begin anew; None where a file stands there."""
    if path.is_file():
        return None
    if fresh:
        Shelf(path).clear(())
    return Shelf(path)


def _on_shelf(index: Stored, path: Path) -> Stored:
    """Return a table with its rows, none of which is read yet."""
    keys, dims = index.facts.pop("rows", {}), index.facts.pop("rows_axes", {})
    if not all(isinstance(key, str) and re.fullmatch("[0-9a-f]{16}", key) for key in keys.values()):
        raise TableError(f"{path} is no plain table (names of rows): {REMEDY}")
    held = Shelf(path)
    rows = {name: (tuple(dims[name]), OnShelf(held, key)) for name, key in keys.items()}
    return index._replace(arrays={**index.arrays, **rows})


def describe(path: Path) -> dict[str, Any]:
    """Return what a table says of itself, without its values; of one that cannot be read, why."""
    size = path.stat().st_size
    try:
        data = read(path)
    except (TableError, ValueError) as error:
        return {"game": path.name.split(".")[0], "match": "", "tie": "", "rules": str(error), "bytes": size}
    played = KINDS.get(data.kind, "").partition(":")[0].rpartition(".")[2] or data.kind
    several = f", {data.facts['players']} players" if "players" in data.facts else ""
    rules = form.text({name: value for name, value in data.rules.items() if name not in ("name", "about")})
    return {
        "game": data.rules.get("name", ""), "match": f"{played}{several}", "tie": str(data.facts.get("tie", "none")),
        "rules": rules, "bytes": size,
    }  # fmt: skip


def load(path: str | Path, game: Any = None, *, recompute: bool = True, **facts: Any) -> Solution:
    """Load a solution from a file; with a game or facts (`kind`, `tie`, ...), refuse one of others.

    What is untrusted is recomputed in part through the plain rules, if not said otherwise, and refused where it is wrong.
    """
    data = read(path)
    if game is not None and data.rules != games.rules(game):
        raise TableError(
            f"{path} holds another game ({data.rules.get('name')}, other rules than {game.name} has now): {REMEDY}"
        )
    held = data.facts | {"kind": data.kind}
    for name, wanted in facts.items():
        if held.get(name) != wanted:
            raise TableError(f"{path} is a table of {name} {held.get(name)}, not {wanted} as its name says: {REMEDY}")
    if data.kind not in KINDS:
        raise TableError(f"{path} holds a {data.kind}, which this version does not know: {REMEDY}")
    try:
        _check_numbers(data, kind(data.kind))
        found = kind(data.kind).from_stored(data, game)
        worst = found.verify().worst_residual if recompute and isinstance(path, apart.Untrusted) else 0.0
    except RulesElsewhere as error:
        raise RulesElsewhere(f"{path}: {error}") from None
    except Exception as error:  # a table can say anything, and its rules can be wrong in any way
        lines = str(error).splitlines() or [type(error).__name__]
        raise TableError(f"{path} does not fit its own rules ({lines[0][:300]}): {REMEDY}") from None
    if form.text(games.rules(found.game)) != form.text(data.rules):
        raise TableError(f"{path} says rules that no game has: {REMEDY}")
    if not worst <= SOUND:
        raise TableError(f"{path} is not what its rules come to (wrong by {worst:.2g} or more): {REMEDY}")
    return found


def _check_numbers(data: Stored, kind: type[Solution]) -> None:
    """Refuse chances that are none, and bounds below 0."""
    for name in kind.chance_arrays:
        known = data.arrays[name][1]
        if isinstance(known, Shelved):  # their chances are checked as they are read
            continue
        if not np.all(np.isnan(known) | (known >= -SLACK) & (known <= 1 + SLACK)):
            raise ValueError(f"{name} holds chances that are not from 0 to 1")
    for name in ("error_bound", "exploitability"):
        said = data.facts.get(name, 0.0)
        if not isinstance(said, float | int) or not 0 <= said < inf:
            raise ValueError(f"{name} is {str(said)[:40]}: a bound is 0 or more")


SLACK = 1e-12
"""By how much a chance may be out of range, as sums of others may."""
