"""The advisor as a folder for any host: the page, what makes it installable, and the worker that keeps it for offline use.

    index.html             the page, its policy opened for the three below and for nothing else
    manifest.webmanifest   what a phone calls it, and its icons
    worker.js              keeps all of this, by a name that is the digest of it
    icon-192.png, -512     a die that shows five
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import files
from ..store.export import check_new
from . import page

ICONS = (192, 512)
NAMES = ("index.html", "manifest.webmanifest", "worker.js", *(f"icon-{size}.png" for size in ICONS))
BLUE, WHITE = (31, 99, 201), (255, 255, 255)


def make(
    games: Sequence[Any] = (), output: str | Path | None = None, *, site: str | Path | None = None,
    tie: str | float = "split", tables: str | None = None, force: bool = False,
) -> Path:  # fmt: skip
    """Write the advisor page for these games, or for a few well-known ones, to advisor.html or another file.

    With `site` it becomes a folder for any https host, from which it can be installed. The path is returned.
    """
    if site is None:
        path = "advisor.html" if output is None else output
        check_new(path, force)
        return page.write(path, page.build(games, tables, tie=tie), force)
    if output is not None:
        raise ValueError(f"output {output!s} and site {site!s}: leave one of them out")
    check(site, force)
    write(site, page.data_of(games, tables, tie=tie), force)
    return Path(site)


def check(folder: str | Path, force: bool = False) -> Path:
    """Refuse a place that is no folder and cannot become one, and files that are there, before anything is built."""
    folder = Path(folder)
    if not folder.is_dir():
        check_new(folder, force)
    for name in NAMES if folder.is_dir() else ():
        check_new(folder / name, force)
    return folder


def write(folder: str | Path, data: str, force: bool = False) -> dict[str, int]:
    """Write the site of a page's data to a folder; return how many bytes each file has."""
    folder = check(folder, force)
    folder.mkdir(exist_ok=True)
    made = build(data)
    for name, content in made.items():
        files.write(check_new(folder / name, force), content)
    return {name: len(content) for name, content in made.items()}


def build(data: str) -> dict[str, bytes]:
    """Return the files of a site by their names."""
    made = {f"icon-{size}.png": icon(size) for size in ICONS}
    made["manifest.webmanifest"] = _plain(
        {
            "name": "Dice advisor", "short_name": "Dice", "start_url": "./index.html", "scope": "./",
            "display": "standalone", "background_color": "#f4f2ee", "theme_color": "#1f63c9",
            "icons": [
                {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
                for size in ICONS
            ],
        }
    )  # fmt: skip
    made["index.html"] = page.assemble(data, installed=True).encode()
    digest = hashlib.sha256(b"".join(made[name] for name in sorted(made))).hexdigest()[:16]
    kept = ["./", *(f"./{name}" for name in sorted(made))]
    worker = page.web("worker.txt").replace("{{store}}", f"gametheory-{digest}").replace("{{files}}", json.dumps(kept))
    return {name: made.get(name, worker.encode()) for name in NAMES}


def _plain(value: Any) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()


def icon(size: int) -> bytes:
    """Draw a die that shows five, as a picture of so many pixels each way."""
    reach, spots = size / 2, [(0.32, 0.32), (0.68, 0.32), (0.5, 0.5), (0.32, 0.68), (0.68, 0.68)]
    rows = []
    for y in range(size):
        row = bytearray(b"\0")
        for x in range(size):
            on = any((x + 0.5 - size * a) ** 2 + (y + 0.5 - size * b) ** 2 < (reach * 0.15) ** 2 for a, b in spots)
            row += bytes(WHITE if on else BLUE)
        rows.append(bytes(row))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
