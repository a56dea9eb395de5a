"""The advisor as one HTML file: the solved tables, the scripts and the styles of `web/` put into one page.

The page asks nobody for anything: its own policy forbids every outside request. Numbers that moves are ranked by are
carried as base64 of little-endian float64, so that the ranking in the browser is the one of `moves` to the last tie;
pictures carry float32. What is carried of a game, its family says (`pool.page`, `race.page`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from .. import files, games
from ..ask.solve import named
from ..match.kinds import kind_of
from ..match.solution import Request, Solution
from ..progress import Progress
from ..store import library
from ..store.export import check_new
from ..ties import DISAGREE, TIED
from ..version import __version__

GAMES = ("biscuits", "threes", "ten-thousand", "pig")
"""The games of a page that names none."""

Solver = Callable[[Any], Solution]


def build(
    names: Sequence[Any] = (), tables: str | None = None, progress: Progress | None = None, *,
    tie: str | float = "split", solution: Solver | None = None,
) -> str:  # fmt: skip
    """Return the page for these games, by default GAMES.

    `solution(name)` gives a solved game; by default a stored table is taken, or the game solved.
    """
    return assemble(data_of(names, tables, progress, tie=tie, solution=solution))


def data_of(
    names: Sequence[Any] = (), tables: str | None = None, progress: Progress | None = None, *,
    tie: str | float = "split", solution: Solver | None = None,
) -> str:  # fmt: skip
    """Return what a page for these games carries, as text."""
    chosen = list(dict.fromkeys(names or GAMES))
    find = solution or (lambda name: find_solution(name, tables, tie))
    for name in () if solution else chosen:  # before anything is solved
        _check(named(name))
    data = {}
    for done, name in enumerate(chosen):
        solved = find(name)
        _check(solved.game)
        made = {"version": __version__, "match": solved.match, "tie": solved.tie if solved.ties else ""}
        data[solved.game.name] = games.family(solved.game).page(solved) | made
        if progress:
            progress((done + 1) / len(chosen))
    # A "<" in the data could end the element that holds it.
    carried = {"games": data, "tied": TIED, "disagree": DISAGREE}
    return json.dumps(carried, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _check(game: Any) -> None:
    """Refuse a game that the page does not show."""
    if not games.family(game).on_page:
        raise ValueError(f"{game.name} cannot be on the page: it takes pools, races and games of your own; leave it out")


def find_solution(
    game: Any, tables: str | None = None, tie: str | float = "split", question: str | None = None
) -> Solution:
    """Find the stored solution of a game for two, or solve it now, unless it is one; ties are for games that have them.

    Where a question is said that the match does not answer, that is refused first.
    """
    if isinstance(game, Solution):
        return game
    chosen = named(game)
    kind = kind_of(chosen, Request())
    if question:
        kind.check_question(chosen, question)
    return library.find(chosen, Request(tie=tie if kind.ties else "split"), tables)


def write(path: str | Path, html: str, force: bool = False) -> Path:
    """Write the page to a file, whole or not at all; an existing file is replaced only with `force`."""
    return files.write(check_new(path, force), html.encode())


# The page.


INSTALLED = """
<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
<meta name="theme-color" content="#1f63c9">"""
"""What makes the page installable, where a manifest and icons lie beside it."""


def assemble(data: str, installed: bool = False) -> str:
    """Put the data, the scripts and the styles into the page; `installed` for one of a site."""
    script = "\n".join(_as_plain_script(web(name)) for name in scripts())
    html = web("page.html").replace("{{style}}", web("style.css")).replace("{{script}}", script)
    html = html.replace("{{icon}}", "icon-192.png" if installed else "data:,")
    html = html.replace("{{installed}}", INSTALLED if installed else "")
    # The data come last: nothing in them is looked at again.
    html = html.replace("{{policy}}", security_policy(html))
    return html.replace("{{data}}", data)


def web(name: str) -> str:
    """Return a file of `web/`."""
    return (resources.files(__package__) / "web" / name).read_text(encoding="utf-8")


def scripts(name: str = "main.js") -> list[str]:
    """Return a module and all that it needs, each after those it imports.

    >>> scripts("order.js")
    ['data.js', 'order.js']
    """
    found: list[str] = []
    for imported in re.findall(r'^import \{[^}]*\} from "\./(\w+\.js)";$', web(name), flags=re.MULTILINE):
        found += [other for other in scripts(imported) if other not in found]
    return [*found, name]


def _as_plain_script(module: str) -> str:
    """Take imports, exports, indents and comments out of a module that is put into one script with those it imports."""
    module = re.sub(r'^import \{[^}]*\} from "\./\w+\.js";\n', "", module, flags=re.MULTILINE)
    module = re.sub(r"^export (?=async function|function|class|const)", "", module, flags=re.MULTILINE)
    return re.sub(r"^\s*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)?\n|^ +", "", module, flags=re.MULTILINE)


def security_policy(html: str) -> str:
    """Return the Content-Security-Policy of a page: its own script and style by their digest, and nothing else.

    The page of a site may also load what lies beside it: the manifest, the icons and the worker.

    >>> security_policy("<style>a</style>").split("; ")[:3]
    ["default-src 'none'", "script-src 'none'", "style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"]
    """

    def digests(pattern: str) -> str:
        found = re.findall(pattern, html, flags=re.DOTALL)
        marks = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in found]
        return " ".join(f"'sha256-{mark}'" for mark in marks) or "'none'"

    own = " 'self'" if INSTALLED in html else ""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src " + digests('<script type="module">(.*?)</script>'),
            "style-src " + digests("<style>(.*?)</style>"),
            f"img-src data:{own}",
            *(f"{what}{own}" for what in ("worker-src", "manifest-src", "connect-src") if own),
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
