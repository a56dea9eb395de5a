"""Exact answers to "should I play to maximise my score or my chance to win?" for dice games.

    import gametheory as gt
    biscuits = gt.game("biscuits")
    duel = gt.solve(biscuits, tie="split")
    duel.first_player_value, duel.expected_score, duel.second(target=95)
    gt.moves(duel, "d6:6x12 d8:1 d10:1 d12:1")
    gt.moves("ten-thousand", "1 1 5 3 2", turn=300)

Every question takes a game, its name or a solution. Names are imported when first used, so that asking a stored table a
question needs no compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__ as __version__

_HOMES = {
    "Duel": "match.duel:Duel",
    "Game": "games:Game",
    "Policy": "answers:Policy",
    "PoolGame": "pool.rules:PoolGame",
    "RaceGame": "race.rules:RaceGame",
    "Solution": "match.solution:Solution",
    "TableError": "store.tables:TableError",
    "best_answer": "ask.compare:best_answer",
    "card": "ask.card:card",
    "certify": "certificate:certify",
    "check": "own.check:check",
    "compare": "ask.compare:compare",
    "diff": "ask.diff:diff",
    "distribution": "ask.compare:distribution",
    "export": "prism:export",
    "fair": "ask.fair:fair",
    "frontier": "ask.card:frontier",
    "game": "games:game",
    "load": "store.tables:load",
    "moves": "ask.moves:moves",
    "named": "games:named",
    "new": "own.new:new",
    "page": "advisor.site:make",
    "plot": "figures:draw",
    "review": "ask.review:review",
    "rules": "ask.rules:rules",
    "save": "store.tables:save",
    "second": "ask.compare:second",
    "simulate": "ask.simulate:simulate",
    "solve": "ask.solve:solve",
    "sweep": "sweeps:sweep",
    "table": "ask.table:table",
    "tables": "ask.tables:tables",
    "verify": "ask.verify:verify",
}

__all__ = [
    "Duel", "Game", "Policy", "PoolGame", "RaceGame", "Solution", "TableError", "best_answer", "card", "certify",
    "check", "compare", "diff", "distribution", "export", "fair", "frontier", "game", "load", "moves", "named", "new",
    "page", "plot", "review", "rules", "save", "second", "simulate", "solve", "sweep", "table", "tables", "verify",
]  # fmt: skip

if TYPE_CHECKING:
    from .advisor.site import make as page
    from .answers import Policy
    from .ask.card import card, frontier
    from .ask.compare import best_answer, compare, distribution, second
    from .ask.diff import diff
    from .ask.fair import fair
    from .ask.moves import moves
    from .ask.review import review
    from .ask.rules import rules
    from .ask.simulate import simulate
    from .ask.solve import solve
    from .ask.table import table
    from .ask.tables import tables
    from .ask.verify import verify
    from .certificate import certify
    from .figures import draw as plot
    from .games import Game, game, named
    from .match.duel import Duel
    from .match.solution import Solution
    from .own.check import check
    from .own.new import new
    from .pool.rules import PoolGame
    from .prism import export
    from .race.rules import RaceGame
    from .store.tables import TableError, load, save
    from .sweeps import sweep


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gametheory' has no attribute {name!r}")
    module, _, inner = _HOMES[name].partition(":")
    found = getattr(import_module(f".{module}", __name__), inner)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
