"""What a table is as bytes: HDF5 that says what it is. The only module that imports h5py.

A table holds one solution. Root attributes: `format` and `format_version`, `kind`, `rules` (JSON), `facts` (JSON: tie rule,
payoff, error bound and the like) and `digest`, a SHA-256 over these and all arrays. `package_version` says who wrote it, and
decides nothing: a table is good for as long as the format and the rules are the same. Each array is a dataset whose axes
are dimension scales with their labels, compressed and with a checksum per chunk. Before all that, in the user block that
HDF5 leaves alone, stands a SHA-256 of the bytes that follow: HDF5 itself checks its structures little, and a single wrong
byte can make it crash, so nothing is opened before its bytes are checked.

A table is made in memory, and holds no time stamps, so that the same rules give the same content anywhere. When it is read,
nothing is taken from it before it is known to be plain: only the datasets and attributes that are written here, no links,
no storage elsewhere, no filters but ours, and no more numbers than its bytes can hold.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from math import prod
from typing import Any

import h5py
import numpy as np

from ..answers import Stored
from ..shelf import TableError as TableError
from ..version import __version__

FORMAT = "gametheory table"
FORMAT_VERSION = 2
SEAL = 512
"""Bytes of the user block, which says the checksum of the rest."""

HDF5 = b"\x89HDF\r\n\x1a\n"
"""What HDF5 starts with, after the user block."""

MOST_BYTES = 1 << 30
"""The largest table that is read: what is larger is a folder of tables."""

MOST_TEXT = 1 << 20
"""Bytes of the rules, and of the facts."""

MOST_PARTS = 100
"""Arrays and axes together."""

ATTRIBUTES = {"format", "format_version", "kind", "rules", "facts", "digest", "package_version"}
SCALES = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"}
"""The attributes of dimension scales, and of arrays that have them."""

FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}
SWELLS = 1100
"""More than gzip can make of one byte."""

REMEDY = "solve the game again with --force to replace it, or delete the file"


# Writing.


def text(data: Any) -> str:
    """Write plain data as JSON, always in the same way."""
    return json.dumps(data, sort_keys=True, allow_nan=False, separators=(",", ":"))


def digest(data: Stored) -> str:
    """Return the digest of the table of some data."""
    return digest_of(attributes(data), data.axes, data.arrays)


def digest_of(said: dict[str, Any], axes: dict[str, Any], arrays: dict[str, tuple[tuple[str, ...], Any]]) -> str:
    """Return a SHA-256 over everything a table says; NaNs count as one and the same."""
    found = hashlib.sha256(text(said).encode())
    parts: list[tuple[str, tuple[str, ...], Any]] = [(name, (name,), values) for name, values in axes.items()]
    parts += [(name, dims, values) for name, (dims, values) in arrays.items()]
    for name, dims, values in sorted(parts, key=lambda part: part[0]):
        plain = np.ascontiguousarray(values)
        floats = plain.dtype.kind == "f"
        plain = np.where(np.isnan(plain), np.nan, plain).astype("<f8") if floats else plain.astype("<i8")
        found.update(text([name, list(dims), list(plain.shape), plain.dtype.str]).encode())
        found.update(plain.tobytes())
    return found.hexdigest()


def attributes(data: Stored) -> dict[str, Any]:
    """Return what a table says beside its arrays."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "kind": data.kind,
        "rules": text(data.rules),
        "facts": text(data.facts),
    }


def seal(content: bytes) -> bytes:
    """Return the user block for the bytes after it."""
    return f"{FORMAT}, sha256 of all bytes from {SEAL} on: {hashlib.sha256(content).hexdigest()}\n".encode().ljust(SEAL)


def encode(data: Stored) -> bytes:
    """Return the bytes of a table. HDF5 makes them in memory: on a disk that is full it would crash."""
    how = {"driver": "core", "backing_store": False, "track_order": False, "userblock_size": SEAL}
    with h5py.File("table", "w", **how) as file:
        _fill(file, data)
        file.flush()
        content: bytes = file.id.get_file_image()  # without the user block
    return seal(content) + content


def _fill(file: Any, data: Stored) -> None:
    said = attributes(data)
    file.attrs.update(said)
    file.attrs["package_version"] = __version__
    file.attrs["digest"] = digest_of(said, data.axes, data.arrays)
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


def decode(content: bytes, name: object) -> Stored:
    """Read the bytes of a table as plain data, checked: structure, format, version and digest.

    Whatever goes wrong is a `TableError` in one line that begins with the name.
    """
    if content[SEAL : SEAL + len(HDF5)] != HDF5 and not content.startswith(FORMAT.encode()):
        raise TableError(f"{name} is no gametheory table: name another file, or {REMEDY}")
    if content[:SEAL] != seal(content[SEAL:]):
        raise TableError(f"{name} is damaged or was cut short: its bytes do not match their checksum; {REMEDY}")
    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            said = _said(file)
            if said.get("format") != FORMAT:
                raise TableError("is no gametheory table: name another file")
            if said.get("format_version") != FORMAT_VERSION:
                raise TableError(
                    f"has format {said.get('format_version')} (written by version {said.get('package_version')}), this "
                    f"version reads format {FORMAT_VERSION}: {REMEDY}"
                )
            kind, rules, facts = said["kind"], _parse(said["rules"]), _parse(said["facts"])
            _check(isinstance(kind, str) and kind.isprintable(), "a kind of no name")
            axes, arrays = _read(file, SWELLS * len(content))
        wanted = said.pop("digest", None)
        said.pop("package_version", None)
        if digest_of(said, axes, arrays) != wanted:
            raise TableError(f"is damaged: its content does not match its digest; {REMEDY}")
        return Stored(kind, rules, facts, axes, arrays)
    except TableError as error:
        raise TableError(f"{name} {error}") from None
    except Exception as error:
        # Damaged files make the library fail in many ways, none of which the reader can do anything else about.
        lines = str(error).splitlines() or [type(error).__name__]
        raise TableError(f"{name} is damaged and cannot be read ({lines[0][:200]}): {REMEDY}") from None


def _parse(said: str) -> dict[str, Any]:
    def refuse(constant: str) -> Any:
        raise TableError(f"says {constant} where a number belongs; {REMEDY}")

    found = json.loads(said, parse_constant=refuse)
    if not isinstance(found, dict):
        raise TableError(f"says {said[:40]!r} where rules and facts belong; {REMEDY}")
    return found


def _check(holds: bool, trouble: str) -> None:
    if not holds:
        raise TableError(f"is no plain table ({trouble}): {REMEDY}")


def _said(file: Any) -> dict[str, Any]:
    """Return what a table says of itself: numbers and texts, each once."""
    found: dict[str, Any] = {}
    for name, attribute in _attributes(file, ATTRIBUTES):
        kind = attribute.get_type()
        plain = isinstance(kind, h5py.h5t.TypeStringID | h5py.h5t.TypeIntegerID) and kind.get_size() <= MOST_TEXT
        _check(plain and attribute.shape == () and attribute.get_space().get_simple_extent_npoints() == 1, f"{name} is odd")
        value = file.attrs[name]
        found[name] = value.item() if isinstance(value, np.generic) else value
        _check(isinstance(found[name], str | int) and len(str(found[name])) <= MOST_TEXT, f"{name} is odd")
    return found


def _attributes(item: Any, known: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of an item, opened and not read; refuse strange ones."""
    _check(h5py.h5a.get_num_attrs(item.id) <= len(known), "more attributes than were written")
    for number in range(h5py.h5a.get_num_attrs(item.id)):
        attribute = h5py.h5a.open(item.id, index=number)
        name = attribute.name.decode()
        _check(name in known, f"an attribute {name[:40]!r}")
        yield name, attribute


def _read(file: Any, most: int) -> tuple[dict[str, Any], dict[str, tuple[tuple[str, ...], Any]]]:
    """Read axes and arrays, of which each is as long as its axes; look at all of them before any is read."""
    root = file.id
    _check(root.links and len(root) <= MOST_PARTS, f"{len(root)} parts")
    names: list[str] = []
    for name in (raw.decode() for raw in root):
        _check(root.links.get_info(name.encode()).type == h5py.h5l.TYPE_HARD, f"{name[:40]!r} is a link")
        _check(h5py.h5o.get_info(root, name.encode()).type == h5py.h5o.TYPE_DATASET, f"{name[:40]!r} is no array")
        names.append(name)
    parts = {name: file[name] for name in names}
    for name, part in parts.items():
        _check_plain(name[:40], part)
        most -= part.id.get_type().get_size() * prod(part.shape)
    _check(most >= 0, "more numbers than its bytes can hold")
    scales = {name: part for name, part in parts.items() if part.is_scale}
    dims = {name: tuple(dim.label for dim in part.dims) for name, part in parts.items() if name not in scales}
    for name, labels in dims.items():
        fit = all(label in scales for label in labels) and parts[name].shape == tuple(len(scales[dim]) for dim in labels)
        _check(fit, f"{name[:40]!r} does not fit its axes")
    return {name: part[()] for name, part in scales.items()}, {name: (dims[name], parts[name][()]) for name in dims}


def _check_plain(name: str, part: Any) -> None:
    """Refuse an array that is not laid out as ours are."""
    kind, how = part.id.get_type(), part.id.get_create_plist()
    _check(isinstance(kind, h5py.h5t.TypeIntegerID | h5py.h5t.TypeFloatID) and kind.get_size() == 8, f"numbers of {name!r}")
    _check(part.dtype in (np.dtype("<f8"), np.dtype("<i8")), f"numbers of {name!r}")
    _check(0 < len(part.shape) <= 12 and all(part.shape), f"shape of {name!r}")
    _check(not part.is_scale or (part.dtype.kind == "i" and len(part.shape) == 1), f"axis {name!r}")
    layout = how.get_layout()
    _check(layout in (h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED, h5py.h5d.COMPACT), f"{name!r} is stored elsewhere")
    _check(how.get_external_count() == 0, f"{name!r} is stored elsewhere")
    _check(part.id.get_space_status() == h5py.h5d.SPACE_STATUS_ALLOCATED, f"{name!r} is not all there")
    if layout == h5py.h5d.CHUNKED:
        _check(all(chunk <= size for chunk, size in zip(how.get_chunk(), part.shape, strict=True)), f"chunks of {name!r}")
    filters = {how.get_filter(number)[0] for number in range(how.get_nfilters())}
    _check(filters <= FILTERS and how.get_nfilters() <= len(FILTERS), f"filters of {name!r}")
    for _ in _attributes(part, SCALES):
        pass
