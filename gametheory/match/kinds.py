"""The kinds of match, by the name that families and tables have for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import games
from ..aims import WIN
from .solution import MATCHES, Request, Solution

KINDS = {
    "duel": "gametheory.match.duel:Duel",
    "alternating": "gametheory.match.alternating:Alternating",
    "hidden": "gametheory.match.hidden:Hidden",
    "players": "gametheory.match.players:Players",
    "solo": "gametheory.match.solo:Solo",
    "race": "gametheory.match.race:Race",
    "race-players": "gametheory.match.race_players:RaceOfThree",
}
"""Where the class of each kind of solution is."""


def kind(name: str) -> type[Solution]:
    """Return a kind of match by its name."""
    module, _, inner = KINDS[name].partition(":")
    found: type[Solution] = getattr(import_module(module), inner)
    return found


def kind_of(game: Any, request: Request) -> type[Solution]:
    """Return the kind of match that a game is played as; refuse formats that there are not."""
    if request.match not in MATCHES:
        raise ValueError(f"there is no match {request.match!r}: say {', '.join(MATCHES)}")
    if request.threads is not None and request.threads < 1:
        raise ValueError(f"{request.threads} threads: give 1 or more")
    if request.tolerance is not None and request.match != "simultaneous":
        raise ValueError(
            "a tolerance is for the equilibrium of a simultaneous match: leave it out, or say --match simultaneous"
        )
    kinds = games.family(game).kinds
    if not (isinstance(request.aim, str) and request.aim == WIN):
        if "solo" not in kinds:
            nouns = games.family(game).nouns
            raise ValueError(f"{nouns} are played to win, {game.name} too, and take no aim but win: leave --aim out")
        found = kind(kinds["solo"])
        found.check(game, request)
        return found
    found = kind(kinds.get(request.match, kinds["sequential"]))
    if request.players is not None:
        many = kind(kinds["players"])
        found = found if 2 <= request.players < many.least_players else many
    found.check(game, request)
    if request.match not in kinds:
        nouns = games.family(game).nouns
        raise ValueError(f"{game.name}: {nouns} are not solved for --match {request.match}; leave it out")
    return found
