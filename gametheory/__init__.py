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
    "game": "games:game",
    "Game": "games:Game",
    "PoolGame": "games:PoolGame",
    "RaceGame": "race.rules:RaceGame",
    "solve": "store.library:compute",
    "Duel": "match.duel:Duel",
    "moves": "ask.moves:rank",
    "save": "store.tables:save",
    "load": "store.tables:load",
    "TableError": "store.tables:TableError",
    "distribution": "match.evaluate:distribution",
    "compare": "match.evaluate:compare",
}
_MODULES = (
    "card", "card_file", "card_picture", "card_search", "diff", "evaluate", "match", "one_die", "plot", "policy", "race",
    "race_diff", "race_play", "race_simulate", "simulate", "solo", "sweep",
)  # fmt: skip

__all__ = [
    "Duel", "Game", "PoolGame", "RaceGame", "TableError", "compare", "distribution", "game", "load", "moves", "save",
    "solve",
]  # fmt: skip

if TYPE_CHECKING:
    from .ask.moves import rank as moves
    from .games import Game, PoolGame, game
    from .match.duel import Duel
    from .match.evaluate import compare, distribution
    from .race.rules import RaceGame
    from .store.library import compute as solve
    from .store.tables import TableError, load, save


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gametheory' has no attribute {name!r}")
    module, _, inner = _HOMES[name].partition(":")
    found = getattr(import_module(f".{module}", __name__), inner)
    globals()[name] = found
    return found
