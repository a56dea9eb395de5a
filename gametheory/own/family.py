"""Games of one's own for the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import Plain
from ..scoring import ScoringFamily
from ..space import Space
from .notation import OwnNotation
from .rules import Named, holds_points
from .solver import Own
from .sums import SumNotation, Sums


def _space(game: Any) -> Own | Sums:
    """Return a game as solvers see it, as its rules are now: they may be changed between two questions.

    The game of a solution, and any that has been adopted, is walked once.
    """
    if isinstance(game, Named):
        found: Own | Sums = game.space
        return found
    return Own(game) if holds_points(game) else Sums(game)


class OwnFamily(ScoringFamily):
    """Any object that says the four parts of a game: see `rules`."""

    nouns = "games of your own"
    options = ("state", "banked")

    def adopt(self, game: Any) -> Any:
        return _space(game).game

    def space(self, game: Any) -> Space:
        return _space(game)

    def notation(self, game: Any) -> Any:
        space = _space(game)
        return (SumNotation if isinstance(space, Sums) else OwnNotation)(space.game)

    def rules(self, game: Any) -> Plain:
        space = _space(game)
        return {
            "family": "own", "name": space.game.name, "wins": "higher" if space.game.higher_wins else "lower",
            "graph": space.digest,
        }  # fmt: skip

    def from_rules(self, rules: Mapping[str, Any]) -> Any:
        raise ValueError(f"the rules of {rules['name']} are not in the table: give the game that it was made from")
