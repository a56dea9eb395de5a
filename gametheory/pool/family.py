"""Pools for the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..answers import Plain
from ..scoring import ScoringFamily
from ..space import Space
from . import keys
from .notation import PoolNotation
from .rules import POOLS, PoolGame, from_dice, from_rules


@lru_cache(maxsize=64)
def _space(game: PoolGame) -> Space:
    from .solver import Pool

    return Pool(game)


class PoolFamily(ScoringFamily):
    """Pools: see `rules.PoolGame`."""

    named = POOLS
    options = ("banked", "rolls_left")
    policies = {  # noqa: RUF012
        "score": "gametheory.policies:Score", "win": "gametheory.policies:Win",
        "greedy": "gametheory.pool.policies:play_greedy", "random": "gametheory.policies:RandomPolicy",
        "cutoff": "gametheory.pool.one_die:play_cutoff",
    }  # fmt: skip
    keys = keys.KEYS
    tables = ("one-die", "expected-maximum")
    proof = "gametheory.pool.proof:prover"
    cards = True
    on_page = True
    nouns = "pools"

    def space(self, game: PoolGame) -> Space:
        return _space(game)

    def notation(self, game: PoolGame) -> PoolNotation:
        return PoolNotation(game)

    def reads(self, data: Mapping[str, Any]) -> bool:
        return "dice" in data and "goal" not in data and "boxes" not in data

    def from_file(self, data: Mapping[str, Any], base: PoolGame | None = None) -> PoolGame:
        return keys.from_data(data, base)

    def to_file(self, game: PoolGame) -> Plain:
        return keys.to_data(game)

    def from_text(self, text: str) -> PoolGame | None:
        begins = text[:1].isdigit() or (text[:1] in "dD" and text[1:2].isdigit())
        return from_dice(text) if begins or "+" in text or text[:2].lower() == "d-" else None

    def rules(self, game: PoolGame) -> Plain:
        return game.rules()

    def from_rules(self, rules: Mapping[str, Any]) -> PoolGame:
        return from_rules(dict(rules))

    def seconds(self, game: PoolGame) -> float:
        from .states import estimate

        return estimate(game).seconds

    def describe(self, game: PoolGame) -> str:
        from .page import describe

        return describe(game)

    def page(self, solution: Any) -> Plain:
        from .page import page

        return page(solution)

    def table(self, game: PoolGame, name: str, target: int | None, gain: bool) -> Plain:
        from .one_die import table

        if target is not None or gain:
            raise ValueError("--target and --gain are for the tables of races: leave them out")
        columns, rows = table(game, name)
        return {"game": game.name, "title": f"{game.name}: {name}", "columns": list(columns), "rows": rows, "places": 3}
