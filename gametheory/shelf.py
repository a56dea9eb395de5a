"""Rows too many for one file, or for memory: files in a folder, one for each level of what was solved.

A file is made of *parts*, each compressed and with a SHA-256 of its own, so that whoever wants one of them reads no other;
then the list of them; then a line of FOOT bytes with the list's length and SHA-256. Files are named by a *key*, a hash of
what was solved (rules and payoff), and by the level: what a solve that was cut short has left behind is what the next one
needs, and is never taken for anything else. Nothing is unpacked before its hash is checked.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import files

FOOT = 128
"""Bytes of the last line of a file."""
LEVEL = 1
"""How hard zlib tries."""
MOST_PART = 1 << 26
"""The most bytes that a part may unpack to."""
MOST_LIST = 1 << 24
"""The most bytes of a list."""


class TableError(Exception):
    """A table that is there but cannot be used: damaged, or of other rules or another version."""


class Shelf:
    """A folder of rows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lists: dict[tuple[str, int], list[list[Any]]] = {}

    def path(self, key: str, level: int) -> Path:
        return self.folder / f"{key}-{level:02d}.rows"

    def has(self, key: str, level: int) -> bool:
        """Tell whether a level was finished."""
        return os.path.isfile(self.path(key, level))

    def write(self, key: str, level: int, parts: Iterable[tuple[bytes, int]]) -> None:
        """Write the parts of a level, packed by `pack`, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        listed, offset = [], 0
        with files.whole(self.path(key, level)) as file:
            for packed, size in parts:
                file.write(packed)
                listed.append([offset, len(packed), size, hashlib.sha256(packed).hexdigest()])
                offset += len(packed)
            text = json.dumps({"key": key, "level": level, "parts": listed}, separators=(",", ":")).encode()
            file.write(text)
            file.write(f"gametheory rows: list of {len(text)}, {hashlib.sha256(text).hexdigest()}\n".encode().rjust(FOOT))
        self.lists.pop((key, level), None)

    def read(self, key: str, level: int, number: int) -> bytes:
        """Read one part of a level; refuse one whose bytes are not those that were written."""
        offset, length, size, wanted = self._list(key, level)[number]
        packed = self._bytes(key, level, offset, length)
        path = self.path(key, level)
        if hashlib.sha256(packed).hexdigest() != wanted:
            raise TableError(f"{path} is damaged in part {number}: solve the game again with --force to replace it")
        content = zlib.decompressobj().decompress(packed, MOST_PART)
        if len(content) != size:
            raise TableError(f"{path} is damaged in part {number}: solve the game again with --force to replace it")
        return content

    def _list(self, key: str, level: int) -> list[list[Any]]:
        if (key, level) not in self.lists:
            path = self.path(key, level)
            words = self._bytes(key, level, -FOOT, FOOT).split()
            damaged = f"{path} is damaged or was cut short: solve the game again with --force to replace it"
            if words[:4] != [b"gametheory", b"rows:", b"list", b"of"] or not words[4][:-1].isdigit():
                raise TableError(damaged)
            length = int(words[4][:-1])
            if length > MOST_LIST:
                raise TableError(damaged)
            text = self._bytes(key, level, -FOOT - length, length)
            if hashlib.sha256(text).hexdigest() != words[5].decode("ascii", "replace"):
                raise TableError(damaged)
            said = json.loads(text)
            if (said["key"], said["level"]) != (key, level):
                raise TableError(f"{path} holds other rows than its name says: solve the game again with --force")
            self.lists[key, level] = said["parts"]
        return self.lists[key, level]

    def _bytes(self, key: str, level: int, offset: int, length: int) -> bytes:
        """Read some bytes of a regular file, from its end if the offset is below 0."""
        path = self.path(key, level)
        try:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
            with open(handle, "rb") as file:
                about = os.fstat(handle)
                begin = offset if offset >= 0 else about.st_size + offset
                if not stat.S_ISREG(about.st_mode) or begin < 0 or begin + length > about.st_size:
                    raise TableError(f"{path} is damaged or was cut short: solve the game again with --force to replace it")
                file.seek(begin)
                return file.read(length)
        except FileNotFoundError:
            raise TableError(f"{path} is missing: solve the game again with --force to write it") from None
        except OSError as error:
            raise TableError(f"cannot read {path} ({error.strerror or error}): mend that, or solve the game again") from None

    def clear(self, keys: Iterable[str]) -> None:
        """Remove the rows of all other keys: those of solves on the way to what was wanted."""
        known = set(keys)
        for path in self.folder.glob("*.rows"):
            if path.name.partition("-")[0] not in known:
                path.unlink(missing_ok=True)


def pack(content: bytes) -> tuple[bytes, int]:
    """Compress a part; return it with its size."""
    return zlib.compress(content, LEVEL), len(content)


class Shelved:
    """Rows that are kept on a shelf, by their key."""

    key: str = ""

    def put(self, shelf: Shelf) -> None:
        """Write what is not on the shelf yet."""
        raise NotImplementedError


class OnShelf(Shelved):
    """Rows as a table names them, before a family reads them."""

    def __init__(self, shelf: Shelf, key: str) -> None:
        self.shelf, self.key = shelf, key
