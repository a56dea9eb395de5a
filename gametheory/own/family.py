"""Games of one's own for the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import Plain
from ..scoring import RulesElsewhere, ScoringFamily
from ..space import Space
from . import keys
from .notation import OwnNotation
from .rules import Named
from .solver import Own
from .sums import SumNotation, Sums, space_of


def _space(game: Any) -> Own | Sums:
    """Return a game as solvers see it, as its rules are now: they may be changed between two questions.

    The game of a solution, and any that has been adopted, is walked once.
    """
    if isinstance(game, Named):
        found: Own | Sums = game.space
        return found
    return space_of(game)


class OwnFamily(ScoringFamily):
    """Any object that says the four parts of a game: see `rules`."""

    named = {name: _space(game()).game for name, game in keys.GAMES.items()}  # noqa: RUF012
    nouns = "games of your own"
    on_page = True
    options = ("state", "banked")
    keys = keys.KEYS

    def adopt(self, game: Any) -> Any:
        return _space(game).game

    def space(self, game: Any) -> Space:
        return _space(game)

    def notation(self, game: Any) -> Any:
        space = _space(game)
        return (SumNotation if isinstance(space, Sums) else OwnNotation)(space.game)

    def rules(self, game: Any) -> Plain:
        game = self.adopt(game)
        wins = "higher" if game.higher_wins else "lower"
        found = {"family": "own", "name": game.name, "wins": wins, "graph": game.space.digest}
        if type(game.given) in keys.GAMES.values():
            said = keys.to_data(game.given)
            found["said"] = {key: value for key, value in said.items() if key not in ("name", "about")}
        return found

    def from_rules(self, rules: Mapping[str, Any]) -> Any:
        name = rules["name"]
        if "said" not in rules:
            raise RulesElsewhere(f"the rules of {name} are not in the table: give the game, as FILE.py:NAME")
        known = self.named.get(name)
        found = known if known is not None and self.rules(known) == rules else self.from_file(rules["said"] | {"name": name})
        if self.rules(found) != rules:
            raise ValueError(f"{name} has other rules in this version: solve it again")
        return found

    def page(self, solution: Any) -> Plain:
        from .page import page

        return page(solution, self.describe(solution.game))

    # Rules files.

    def reads(self, data: Mapping[str, Any]) -> bool:
        return "game" in data

    def from_file(self, data: Mapping[str, Any], base: Any = None) -> Any:
        return self.adopt(keys.from_data(data, None if base is None else self.adopt(base).given))

    def to_file(self, game: Any) -> Plain:
        return keys.to_data(self.adopt(game).given)
