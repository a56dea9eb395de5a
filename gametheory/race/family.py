"""What the catalogue of games knows of races; importing it needs no compiler."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import answers
from ..rulefile import Key, check_keys
from . import keys, named
from .named import RACES
from .notation import RaceNotation
from .rules import RaceGame


class RaceFamily:
    """The family of races: where its matches are, its named games, and how its rules are read and written."""

    name = "race"
    kinds: Mapping[str, str] = {"sequential": "race", "players": "race-players"}
    policies: Mapping[str, str] = {}
    proof = "gametheory.race.proof:prover"
    cards = False
    on_page = True
    nouns = "races"
    named: Mapping[str, RaceGame] = RACES
    options: tuple[str, ...] = (*RaceNotation.options, "busts", "opponent_busts")
    keys: tuple[Key, ...] = keys.KEYS
    tables: tuple[str, ...] = ("expected", "reach", "stop", "classes")

    def reads(self, data: Mapping[str, Any]) -> bool:
        """Tell whether a rules file is one of a race: it has a goal."""
        return "goal" in data

    def from_file(self, data: Mapping[str, Any], base: RaceGame | None = None) -> RaceGame:
        """Make a race of the keys of a rules file; what it does not say is as in `base`, but for the sentence about it."""
        check_keys(data, self.keys, self.nouns)
        return named.from_dict(({} if base is None else named.to_dict(base) | {"about": ""}) | dict(data))

    def to_file(self, game: RaceGame) -> dict[str, Any]:
        """Return the rules as the keys of a file with their values."""
        return named.to_dict(game)

    def remark(self, game: RaceGame) -> str:
        """Say what a race might be taken for and is not."""
        return keys.remark(game)

    def rules(self, game: RaceGame) -> dict[str, Any]:
        """Return the rules of a race as plain data."""
        return {"family": self.name, **named.to_dict(game)}

    def from_rules(self, data: Mapping[str, Any]) -> RaceGame:
        """Make a race from the plain data that `rules` returns."""
        return named.from_dict({key: value for key, value in data.items() if key != "family"})

    def notation(self, game: RaceGame) -> answers.Notation:
        """Return how positions, rolls and moves of a race are read and written."""
        return RaceNotation(game)

    def adopt(self, game: RaceGame) -> RaceGame:
        """Return a race as it is."""
        return game

    def from_text(self, text: str) -> RaceGame | None:
        """There is no notation of races."""
        return None

    def space(self, game: RaceGame) -> Any:
        """Refuse what is for games in which each player makes a score."""
        raise ValueError(f"{game.name} is a race: this needs a pool game, such as biscuits or 4d6")

    def seconds(self, game: RaceGame) -> float:
        """Return about how long a solve takes, to weigh one against another."""
        from .solver import seconds

        return seconds(game)

    def needs(self, game: RaceGame) -> str:
        """No race takes long."""
        return ""

    def describe(self, game: RaceGame) -> str:
        """Say a race in a sentence or two."""
        from . import page

        return page.describe(game)

    def page(self, solution: Any) -> dict[str, Any]:
        """Return what the advisor page carries of a solved race."""
        from . import page

        return page.page(solution)

    def table(self, game: RaceGame, name: str, target: int | None = None, gain: bool = False) -> dict[str, Any]:
        """Return a table in the style of the published ones, by its name in `tables`."""
        from . import published

        return published.table(game, name, target, gain)


FAMILY = RaceFamily()
