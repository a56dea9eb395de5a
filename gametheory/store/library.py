"""Solved games by name: found in a stored table, or solved on the spot and stored."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from .. import games, progress
from ..answers import Plain
from ..match.kinds import kind_of
from ..match.solution import Request, Solution
from ..ties import parse_tie
from . import tables

Folder = str | Path | None


class Solved(NamedTuple):
    """A solution, the file that holds it, and how long solving took."""

    solution: Solution
    path: Path | None
    seconds: float


def _file(game: Any, kind: type[Solution], request: Request) -> str:
    """Return the name of the file for a game in a format.

    A game that its name does not tell, such as one from a file that may be edited, has a mark of its rules in it.
    """
    return tables.file_name(_stem(game), *kind.file_parts(parse_tie(request.tie)[0], request.players))


def _stem(game: Any) -> str:
    return game.name if games.is_known(game) else f"{game.name}-{tables.mark(games.rules(game))}"


def stored(game: Any, folder: Folder = None) -> list[Path]:
    """List the tables of a game, of every format."""
    begins = tables.file_name(_stem(game)).removesuffix("h5")
    return [path for path in tables.every(folder) if path.name.startswith(begins)]


def _facts(kind: type[Solution], request: Request) -> Plain:
    return kind.facts(parse_tie(request.tie)[0], request.players)


def compute(game: Any, request: Request) -> Solution:
    """Solve a game in a format, with a progress bar, and store nothing."""
    kind = kind_of(game, request)
    with progress.bar(f"solving {game.name}") as advance:
        return kind.solve(game, request, advance)


def solve(game: Any, request: Request, folder: Folder = None) -> Solved:
    """Solve a game and store its table.

    A table that is there already is replaced only by the same content, or with `force`.
    """
    kind = kind_of(game, request)
    if not kind.kept(game, request):
        begun = time.perf_counter()
        return Solved(compute(game, request), None, time.perf_counter() - begun)
    place = tables.writable(folder) / _file(game, kind, request)
    if tables.exists(place) and not request.force:  # refuse what cannot be replaced before the work, not after it
        tables.load(place, game, **_facts(kind, request))
    begun = time.perf_counter()
    solution = compute(game, replace(request, shelf=tables.shelf(place, fresh=request.force)))
    seconds = time.perf_counter() - begun
    if tables.exists(place) and not request.force:
        tables.check_same(place, solution)
    else:
        tables.save(solution, place)
    return Solved(solution, place, seconds)


def missing(game: Any, request: Request, folder: Folder = None) -> bool:
    """Tell whether there is no table of a game in a format."""
    return tables.find(_file(game, kind_of(game, request), request), folder) is None


def find(game: Any, request: Request | None = None, folder: Folder = None) -> Solution:
    """Return the solution of a game: from a stored table, or else solved now and stored where that is possible."""
    request = request or Request()
    kind = kind_of(game, request)
    if not kind.kept(game, request):
        return compute(game, request)
    file = _file(game, kind, request)
    path = tables.find(file, folder)
    if path is not None:
        return tables.load(path, game, **_facts(kind, request))
    progress.say(f"There is no table of {game.name} yet ({file}): solving it now. {games.family(game).needs(game)}".strip())
    try:
        place = tables.writable(folder) / file
    except ValueError as error:
        progress.say(f"The table is not kept: {error}")
        return compute(game, request)
    solution = compute(game, replace(request, shelf=tables.shelf(place)))
    try:
        tables.save(solution, place)
    except ValueError as error:
        progress.say(f"The table was not kept: {error}")
    return solution
