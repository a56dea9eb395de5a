"""Exact answers to "should I play to maximise my score or my chance to win?" for dice games.

    import gametheory as gt
    biscuits = gt.game("biscuits")
    duel = gt.solve(biscuits, tie="split")
    duel.first_player_value, duel.expected_score, duel.second(target=95)
    gt.moves(duel, "d6:6x12 d8:1 d10:1 d12:1")

Names are imported when first used, so that asking a stored table a question needs no compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "game": "games",
    "PoolGame": "games",
    "Game": "games",
    "solve": "duel",
    "Duel": "duel",
    "moves": "ranking:rank",
    "save": "tables",
    "load": "tables",
    "TableError": "tables",
}

__all__ = ["Duel", "Game", "PoolGame", "TableError", "game", "load", "moves", "save", "solve"]

if TYPE_CHECKING:
    from .duel import Duel, solve
    from .games import Game, PoolGame, game
    from .ranking import rank as moves
    from .tables import TableError, load, save


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gametheory' has no attribute {name!r}")
    module, _, inner = _HOMES[name].partition(":")
    found = getattr(import_module(f".{module}", __name__), inner or name)
    globals()[name] = found
    return found
