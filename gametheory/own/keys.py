"""Rules files of the named games of this family: which game, and what its rules are where they may differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..rulefile import ABOUT, NAME, Key, check_keys, like
from .midnight import Midnight
from .ship_captain_crew import ShipCaptainCrew
from .shut_the_box import ONE_DIE, READINGS, ShutTheBox

GAMES: dict[str, type[Any]] = {kind.name: kind for kind in (Midnight, ShutTheBox, ShipCaptainCrew)}

KEYS = (
    NAME,
    ABOUT,
    like('"shut-the-box"'),
    Key("game", f"Which game: {', '.join(GAMES)}.", '"shut-the-box"'),
    Key(
        "one_die",
        'Shut the box: when one die may be thrown: "six", where the open tiles add up to 6 or less; "789", once 7, 8 and 9 '
        'are shut; or "never".',
        '"789"',
        "six",
    ),
    Key("reading", 'Shut the box: how open tiles are read: their "sum", or their "digits" as a number.', '"digits"', "sum"),
)
VALUES: dict[str, Mapping[str, Any]] = {"game": GAMES, "one_die": ONE_DIE, "reading": READINGS}


def to_data(game: Any) -> dict[str, Any]:
    """Return the rules of a game as the values of the keys; refuse a game of the user's own."""
    names = [name for name, kind in GAMES.items() if type(game) is kind]
    if not names:
        name = getattr(game, "name", type(game).__name__)
        raise ValueError(f"{name} has no rules file: the rules of games of your own are the Python that plays them")
    return {"game": names[0]} | {field.name: getattr(game, field.name) for field in fields(game)}


def from_data(data: Mapping[str, Any], base: Any = None) -> Any:
    """Make a game of the keys of a rules file; what it does not say is as in `base`, but for the sentence about it."""
    check_keys(data, KEYS, "these games")
    said = ({} if base is None else to_data(base) | {"about": ""}) | {key: data[key] for key in data if key != "like"}
    for key, value in said.items():
        if not isinstance(value, str):
            raise ValueError(f"{key} is {value!r}: give a text")
        if key in VALUES and value not in VALUES[key]:
            raise ValueError(f"{key} is {value!r}: say {', '.join(map(repr, VALUES[key]))}")
    kind = GAMES[said.pop("game")]
    known = [field.name for field in fields(kind)]
    for key in said:
        if key not in known:
            raise ValueError(f"{key} is no rule of {kind.name}: leave it out; it has {', '.join(known)}")
    return kind(**said)
