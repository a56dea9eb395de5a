"""Scorecards for the catalogue: Yahtzee, Yatzy and their kin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..answers import Plain
from ..rulefile import Key, check_keys
from ..scoring import ScoringFamily
from ..space import Space
from . import rules
from .keys import KEYS
from .notation import ScorecardNotation
from .rules import ScorecardGame


@lru_cache(maxsize=8)
def _space(game: ScorecardGame) -> Space:
    from .solver import Scorecards

    return Scorecards(game)


class ScorecardFamily(ScoringFamily):
    """Cards of boxes, filled one a turn."""

    kinds: Mapping[str, str] = {
        "sequential": "duel", "simultaneous": "hidden", "players": "players", "solo": "solo",
    }  # fmt: skip
    named: Mapping[str, Any] = rules.GAMES
    options: tuple[str, ...] = ScorecardNotation.options
    keys: tuple[Key, ...] = KEYS
    nouns = "scorecards"

    def adopt(self, game: Any) -> ScorecardGame:
        assert isinstance(game, ScorecardGame)
        return game

    def space(self, game: ScorecardGame) -> Space:
        return _space(game)

    def notation(self, game: ScorecardGame) -> ScorecardNotation:
        return ScorecardNotation(game)

    def reads(self, data: Mapping[str, Any]) -> bool:
        return "boxes" in data

    def from_file(self, data: Mapping[str, Any], base: ScorecardGame | None = None) -> ScorecardGame:
        check_keys(data, self.keys, self.nouns)
        return rules.from_dict(({} if base is None else rules.to_dict(base) | {"about": ""}) | dict(data))

    def to_file(self, game: ScorecardGame) -> Plain:
        return rules.to_dict(game)

    def rules(self, game: ScorecardGame) -> Plain:
        data = rules.to_dict(game)
        data.pop("about", None)
        return {"family": game.family, **data}

    def from_rules(self, data: Mapping[str, Any]) -> ScorecardGame:
        known = self.named.get(data["name"])
        if known is not None and self.rules(known) == dict(data):
            return known  # type: ignore[no-any-return]
        return rules.from_dict({key: value for key, value in data.items() if key != "family"})

    def seconds(self, game: ScorecardGame) -> float:
        return self.space(game).estimate().seconds

    def needs(self, game: ScorecardGame) -> str:
        space = self.space(game)
        if space.lays_out:
            return ""
        takes = space.estimate()
        minutes, size = max(1, round(takes.seconds / 60)), takes.memory / 1e9
        return (
            f"It takes about {minutes} minutes on two cores, {size / 2:.1f} GB of memory and {size / 3:.1f} GB on disk, and "
            "goes on where it was cut short."
        )

    def describe(self, game: ScorecardGame) -> str:
        return rules.described(game)
