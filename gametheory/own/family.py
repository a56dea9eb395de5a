"""Games of one's own for the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers import Plain
from ..scoring import ScoringFamily
from ..space import Space
from .notation import OwnNotation
from .rules import check_game, holds_points
from .solver import Named, Own
from .sums import Summed, SumNotation, Sums


def _walked(game: Any) -> Own | Sums:
    """Walk a game as it is now: it may be changed between two questions. The game of a solution has been walked."""
    if isinstance(game, Named | Summed):
        found: Own | Sums = game.space
        return found
    check_game(game)
    return Own(Named(game)) if holds_points(game) else Sums(game)


class OwnFamily(ScoringFamily):
    """Any object that says the four parts of a game: see `rules`."""

    nouns = "games of your own"

    def adopt(self, game: Any) -> Any:
        return _walked(game).game

    def space(self, game: Any) -> Space:
        return _walked(game)

    def notation(self, game: Any) -> Any:
        walked = _walked(game)
        return (SumNotation if isinstance(walked, Sums) else OwnNotation)(walked.game)

    def rules(self, game: Any) -> Plain:
        space = _walked(game)
        return {
            "family": "own", "name": space.game.name, "wins": "higher" if space.game.higher_wins else "lower",
            "graph": space.digest,
        }  # fmt: skip

    def from_rules(self, rules: Mapping[str, Any]) -> Any:
        raise ValueError(f"the rules of {rules['name']} are not in the table: give the game that it was made from")
