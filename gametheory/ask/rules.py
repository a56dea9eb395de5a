"""The whole rules of a game, to read and to edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import games
from ..answers import Plain
from ..match.solution import Solution
from .solve import named


@dataclass(frozen=True)
class Rules:
    """The rules of a game as commented TOML, which read from a file are the same game."""

    game: str
    rules: str

    def to_dict(self) -> Plain:
        """Return the rules as plain data."""
        return {"game": self.game, "rules": self.rules}

    def __repr__(self) -> str:
        return self.rules


def rules_used(name: Any) -> str:
    """Say which rules a game named by a file has: the file, and how it differs from the one it is like; else nothing."""
    file = isinstance(name, str) and name.strip().lower().endswith(".toml")
    return games.rules_words(name.strip()) if file else ""


def rules(game: Any) -> Rules:
    """Return the whole rules of a game as commented TOML; refuse a game whose rules are Python.

    >>> print(rules("4d6").rules.splitlines()[10])
    dice = "4d6"
    """
    chosen = game.game if isinstance(game, Solution) else named(game)
    return Rules(chosen.name, games.write_file(chosen))
