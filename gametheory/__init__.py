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
    "RaceGame": "race_rules:RaceGame",
    "solve": "library:compute",
    "Duel": "duel:Duel",
    "moves": "ranking:rank",
    "save": "tables:save",
    "load": "tables:load",
    "TableError": "tables:TableError",
    "distribution": "evaluate:distribution",
    "compare": "evaluate:compare",
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
    from .duel import Duel
    from .evaluate import compare, distribution
    from .games import Game, PoolGame, game
    from .library import compute as solve
    from .race_rules import RaceGame
    from .ranking import rank as moves
    from .tables import TableError, load, save


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'gametheory' has no attribute {name!r}")
    module, _, inner = _HOMES[name].partition(":")
    found = getattr(import_module(f".{module}", __name__), inner)
    globals()[name] = found
    return found
