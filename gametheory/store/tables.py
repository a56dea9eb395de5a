"""Value tables on disk: HDF5 files that say what they are. The only module that imports h5py.

A file holds one solution. Root attributes: `format` and `format_version`, `kind`, `rules` (JSON), `facts` (JSON: tie rule,
payoff, error bound and the like) and `digest`, a SHA-256 over these and all arrays. `package_version` says who wrote it, and
decides nothing: a table is good for as long as the format and the rules are the same. Each array is a dataset whose axes
are dimension scales with their labels, compressed and with a checksum per chunk. Before all that, in the user block that
HDF5 leaves alone, stands a SHA-256 of the bytes that follow: HDF5 itself checks its structures little, and a single wrong
byte can make it crash, so nothing is opened before its bytes are checked.

A table is made in memory and written whole or not at all (`files`). It holds no time stamps, so that the same rules give the
same content anywhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .. import files, games
from ..answers import Stored
from ..match.kinds import KINDS, kind
from ..match.solution import Solution
from ..scoring import RulesElsewhere
from ..version import __version__

FORMAT = "gametheory table"
FORMAT_VERSION = 2
SEAL = 512
"""Bytes of the user block, which says the checksum of the rest."""

HDF5 = b"\x89HDF\r\n\x1a\n"
"""What HDF5 starts with, after the user block."""

LONGEST_NAME = 150
"""Bytes of a game's name that go into a file's name, which most systems want below 256 with all its parts."""


class TableError(Exception):
    """A table that is there but cannot be used: damaged, or of other rules or another version."""


# Where tables are.


def user_folder() -> Path:
    """Return the folder for tables in the user's data directory."""
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "gametheory" / "tables"


def packaged_folder() -> Path:
    """Return the folder of the tables that come with the package."""
    here = Path(__file__).parent.parent
    installed = here / "packaged_tables"
    return installed if installed.is_dir() else here.parent / "tables"


def folders(chosen: str | Path | None = None) -> list[Path]:
    """List the folders in which tables are looked for, in order; the first is the one for writing."""
    given = [Path(folder) for folder in (chosen, os.environ.get("GAMETHEORY_TABLES")) if folder]
    return [*given, user_folder(), packaged_folder()]


def file_name(name: str, *parts: str) -> str:
    """Return the name of a table's file: the game, then whatever tells its tables apart."""
    safe = "".join(c if c.isalnum() or c in "+-_." else "_" for c in name)
    if len(safe.encode()) > LONGEST_NAME:
        safe = f"{safe[: LONGEST_NAME // 4]}-{hashlib.sha256(safe.encode()).hexdigest()[:16]}"
    return ".".join([safe, *parts, "h5"])


def mark(rules: dict[str, Any]) -> str:
    """Return a short mark of some rules, to tell games of the same name apart."""
    return hashlib.sha256(_text(rules).encode()).hexdigest()[:8]


def find(name: str, chosen: str | Path | None = None) -> Path | None:
    """Find a table's file in the folders, or None."""
    for folder in folders(chosen):
        if os.path.isfile(folder / name):  # False, where Path.is_file may raise, for a place that cannot be looked at
            return folder / name
    return None


def every(chosen: str | Path | None = None) -> list[Path]:
    """List the tables in all folders, a file of the same name only where it is found first."""
    found: dict[str, Path] = {}
    for folder in folders(chosen):
        for path in sorted(folder.glob("*.h5")):
            found.setdefault(path.name, path)
    return list(found.values())


def writable(chosen: str | Path | None = None) -> Path:
    """Return the folder to write tables to, made if need be; refuse one that cannot be written."""
    folder = folders(chosen)[0]
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


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True, allow_nan=False, separators=(",", ":"))


def _digest(attributes: dict[str, Any], axes: dict[str, Any], arrays: dict[str, tuple[tuple[str, ...], Any]]) -> str:
    """Return a SHA-256 over everything a table says; NaNs count as one and the same."""
    digest = hashlib.sha256(_text(attributes).encode())
    parts: list[tuple[str, tuple[str, ...], Any]] = [(name, (name,), values) for name, values in axes.items()]
    parts += [(name, dims, values) for name, (dims, values) in arrays.items()]
    for name, dims, values in sorted(parts, key=lambda part: part[0]):
        plain = np.ascontiguousarray(values)
        floats = plain.dtype.kind == "f"
        plain = np.where(np.isnan(plain), np.nan, plain).astype("<f8") if floats else plain.astype("<i8")
        digest.update(_text([name, list(dims), list(plain.shape), plain.dtype.str]).encode())
        digest.update(plain.tobytes())
    return digest.hexdigest()


def _attributes(data: Stored) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "kind": data.kind,
        "rules": _text(data.rules),
        "facts": _text(data.facts),
    }


def _seal(content: bytes) -> bytes:
    """Return the user block for the bytes after it."""
    return f"{FORMAT}, sha256 of all bytes from {SEAL} on: {hashlib.sha256(content).hexdigest()}\n".encode().ljust(SEAL)


def digest(solution: Any) -> str:
    """Return the digest that a solution's table has."""
    data: Stored = solution.stored()
    return _digest(_attributes(data), data.axes, data.arrays)


def save(solution: Any, path: str | Path) -> Path:
    """Write a solution to a file, whole or not at all."""
    return write(solution.stored(), path)


def write(data: Stored, path: str | Path) -> Path:
    """Write plain data to a file, whole or not at all."""
    return files.write(path, encode(data))


def encode(data: Stored) -> bytes:
    """Return the bytes of a table. HDF5 makes them in memory: on a disk that is full it would crash."""
    how = {"driver": "core", "backing_store": False, "track_order": False, "userblock_size": SEAL}
    with h5py.File("table", "w", **how) as file:
        _fill(file, data)
        file.flush()
        content: bytes = file.id.get_file_image()  # without the user block
    return _seal(content) + content


def check_same(path: Path, solution: Any) -> None:
    """Refuse to go on where a file holds anything else than the table of this solution."""
    found = read(path)
    if _digest(_attributes(found), found.axes, found.arrays) != digest(solution):
        raise TableError(f"{path} is there already and holds another table than this solution: {REMEDY}")


def _fill(file: Any, data: Stored) -> None:
    attributes = _attributes(data)
    file.attrs.update(attributes)
    file.attrs["package_version"] = __version__
    file.attrs["digest"] = _digest(attributes, data.axes, data.arrays)
    for name, labels in data.axes.items():
        scale = file.create_dataset(name, data=np.asarray(labels, "<i8"), chunks=(len(labels),), fletcher32=True)
        scale.make_scale(name)
    for name, (dims, values) in data.arrays.items():
        array = np.asarray(values, "<f8" if np.asarray(values).dtype.kind == "f" else "<i8")
        stored = file.create_dataset(
            name, data=array, chunks=array.shape, compression="gzip", compression_opts=6, shuffle=True, fletcher32=True
        )
        for place, dim in enumerate(dims):
            stored.dims[place].label = dim
            stored.dims[place].attach_scale(file[dim])


# Reading.


def read(path: str | Path) -> Stored:
    """Read a table as plain data, checked: format, version and digest; refuse anything else in one line."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a table in it")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}: name a table, or solve the game first") from None
    except OSError as error:
        raise ValueError(f"cannot read {path} ({error.strerror or error}): name another file") from None
    if content[SEAL : SEAL + len(HDF5)] != HDF5 and not content.startswith(FORMAT.encode()):
        raise TableError(f"{path} is no gametheory table: name another file, or {REMEDY}")
    if content[:SEAL] != _seal(content[SEAL:]):
        raise TableError(f"{path} is damaged or was cut short: its bytes do not match their checksum; {REMEDY}")
    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            attributes = {name: _plain(value) for name, value in file.attrs.items()}
            said, writer = attributes.pop("digest", None), attributes.pop("package_version", None)
            if attributes.get("format") != FORMAT:
                raise TableError(f"{path} is no gametheory table: name another file")
            if attributes.get("format_version") != FORMAT_VERSION:
                raise TableError(
                    f"{path} has format {attributes.get('format_version')} (written by version {writer}), this version "
                    f"reads format {FORMAT_VERSION}: {REMEDY}"
                )
            axes, arrays = {}, {}
            for name, dataset in file.items():
                if dataset.is_scale:
                    axes[name] = dataset[()]
                else:
                    arrays[name] = (tuple(dim.label for dim in dataset.dims), dataset[()])
        found = _digest(attributes, axes, arrays)
    except TableError:
        raise
    except Exception as error:
        # Damaged files make the library fail in many ways, none of which the reader can do anything else about.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TableError(f"{path} is damaged and cannot be read ({reason}): {REMEDY}") from None
    if said != found:
        raise TableError(f"{path} is damaged: its content does not match its digest; {REMEDY}")
    return Stored(attributes["kind"], json.loads(attributes["rules"]), json.loads(attributes["facts"]), axes, arrays)


REMEDY = "solve the game again with --force to replace it, or delete the file"


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return value.decode() if isinstance(value, bytes) else value


def load(path: str | Path, game: Any = None, **facts: Any) -> Solution:
    """Load a solution from a file; with a game or facts (`kind`, `tie`, ...), refuse one of others."""
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
        return kind(data.kind).from_stored(data, game)
    except RulesElsewhere as error:
        raise RulesElsewhere(f"{path}: {error}") from None
    except (KeyError, ValueError, TypeError) as error:
        raise TableError(f"{path} does not fit its own rules ({error}): {REMEDY}") from None
