"""The keys of a rules file of a pool: what they mean, and the rules of a game as their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import dice
from ..dice import Die
from ..rulefile import ABOUT, NAME, Key, check_keys, like
from .rules import PoolGame

KEYS = (
    NAME,
    ABOUT,
    like('"threes"'),
    Key("dice", "The dice, all of which are in the first roll: numbers of dice, and of their sides.", '"12d6+d8"'),
    Key(
        "points",
        "For each kind of die what its faces are worth, face 1 first; whole numbers, below 0 too.",
        ".d6 = [1, 2, 0, 4, 5, 6]",
        "every face is worth what it shows",
    ),
    Key("wins", 'Which final score wins, "higher" or "lower".', '"lower"', "higher"),
    Key(
        "keep_at_least",
        "How many dice of each roll must be kept, or all that are left if they are fewer.",
        "2",
        "1",
    ),
    Key("rolls", "How many rolls a player has: of the last one all dice are kept.", "3", "as many as there are dice"),
)


def to_data(game: PoolGame) -> dict[str, Any]:
    """Return the rules as the values of the keys; refuse dice that no file can say."""
    for die in game.kinds:
        if die.name != f"d{die.sides}":
            raise ValueError(
                f"the rules of {game.name} cannot be written to a file: a die of {die.sides} sides is d{die.sides} there, "
                f"not {die.name}"
            )
    data = {
        "name": game.name, "about": game.about, "dice": game.dice,
        "points": {die.name: list(die.points) for die in game.kinds}, "wins": "higher" if game.higher_wins else "lower",
        "keep_at_least": game.keep_at_least,
    }  # fmt: skip
    return data if game.roll_limit is None else data | {"rolls": game.roll_limit}


def from_data(data: Mapping[str, Any], base: PoolGame | None = None) -> PoolGame:
    """Make a pool of the keys of a rules file; what it does not say is as in `base`.

    It says `dice = "5d6"`, may say `wins = "lower"` and a name, and may give the points of the faces of a kind of die:
    `points.d6 = [1, 2, 0, 4, 5, 6]`.
    """
    check_keys(data, KEYS, "pools")
    before = {} if base is None else {key: value for key, value in to_data(base).items() if key not in ("name", "about")}
    said = before | dict(data)
    for key in ("name", "about", "dice"):
        if not isinstance(said.get(key, ""), str):
            raise ValueError(f"{key} is {said[key]!r}: give a text")
    if "dice" not in said:
        raise ValueError("dice is missing: give the dice, as in dice = '12d6+d8', or start from a game, like = 'threes'")
    if said.get("wins", "higher") not in ("higher", "lower"):
        raise ValueError(f"wins is {said['wins']!r}: say 'higher' or 'lower'")
    pairs = dice.parse_dice(said["dice"])
    points = _points(data.get("points", {}), [f"d{sides}" for _, sides in pairs], before.get("points", {}))
    kinds = tuple(
        Die(f"d{sides}", tuple(points[f"d{sides}"])) if f"d{sides}" in points else dice.standard_die(sides)
        for _, sides in pairs
    )
    return PoolGame(
        said["name"], tuple(count for count, _ in pairs), kinds, said.get("wins", "higher") == "higher",
        said.get("about", ""), said.get("keep_at_least", 1), said.get("rolls"),
    )  # fmt: skip


def _points(given: Any, names: list[str], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the points of the faces by die: as given, else as before for the dice that are still in the game."""
    if not isinstance(given, dict):
        raise ValueError(f"points is {given!r}: give a list for each kind of die, as in points.d6 = [1, 2, 0, 4, 5, 6]")
    for name, worth in given.items():
        if name not in names:
            raise ValueError(f"points of {name}: the dice are {', '.join(names)}")
        if not isinstance(worth, list) or len(worth) != int(name[1:]):
            raise ValueError(f"points.{name} is {worth!r}: give a list of {name[1:]} whole numbers, face 1 first")
    return {name: worth for name, worth in before.items() if name in names} | given
