"""The races known by name, and races as the keys of a rules file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from .rules import MOST_SIDES, RaceGame, Roll, check_scores, check_whole

HOUSE_RULES = (
    "two_triplets", "four_and_pair", "sets", "nothing", "keep_all", "minimum", "exact", "three_busts", "lowest", "bust_all",
    "last_round", "pass_dice",
)  # fmt: skip
"""The keys that most races leave out, and with them what stands for them."""


def to_dict(game: RaceGame) -> dict[str, Any]:
    """Return the rules as plain data for JSON, with the keys of a rules file; house rules not played are left out."""
    unsaid = [field.name for field in fields(game) if getattr(game, field.name) == field.default]
    unsaid = [name for name in unsaid if name in HOUSE_RULES]
    data = {key: value for key, value in asdict(game).items() if key not in unsaid}
    if game.sets:
        data["sets"] = {"".join(map(str, kept)): points for kept, points in game.sets}
    for key in ("singles", "three_of_a_kind"):
        data[key] = {str(face): points for face, points in enumerate(data[key], 1) if points}
    data["bust_faces"] = list(game.bust_faces)
    if not isinstance(game.more_of_a_kind, str):
        data["more_of_a_kind"] = list(game.more_of_a_kind)
    return data


def from_dict(data: Mapping[str, Any]) -> RaceGame:
    """Build a race from plain data; `like` names a race of the catalogue to start from.

    >>> from_dict({"like": "ten-thousand", "name": "short", "goal": 5000}).goal
    5000
    """
    known = [*(field.name for field in fields(RaceGame)), "like"]
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0.0)[0]
            raise ValueError(f"unknown key {key!r}: did you mean {near!r}?")
    rules: dict[str, Any] = {}
    if "like" in data:
        if data["like"] not in RACES:
            raise ValueError(f"like is {data['like']!r}: name one of {', '.join(RACES)}")
        rules = to_dict(RACES[data["like"]])
    rules |= {key: value for key, value in data.items() if key != "like"}
    for key in ("name", "dice", "sides", "goal", "singles"):
        if key not in rules:
            raise ValueError(f"{key} is missing: give it, or start from a named race, like = 'ten-thousand'")
    for key in ("name", "about"):
        if not isinstance(rules.get(key, ""), str):
            raise ValueError(f"{key} is {rules[key]!r}: give a text")
    check_whole("sides", rules["sides"])
    if rules["sides"] > MOST_SIDES:
        raise ValueError(f"sides is {rules['sides']}: give at most {MOST_SIDES}")
    rules["sets"] = _sets(rules.get("sets", {}))
    for key in ("singles", "three_of_a_kind"):
        rules[key] = _by_face(key, rules.get(key, {}), rules["sides"])
    for key in ("bust_faces", "more_of_a_kind"):
        if isinstance(rules.get(key), list):
            rules[key] = tuple(rules[key])
    if not isinstance(rules.get("bust_faces", ()), tuple):
        raise ValueError(f"bust_faces is {rules['bust_faces']!r}: give a list of faces")
    if not isinstance(rules.get("more_of_a_kind", ""), str | tuple):
        raise ValueError(f"more_of_a_kind is {rules['more_of_a_kind']!r}: say 'double', 'none' or a list")
    return RaceGame(**rules)


def _by_face(key: str, points: object, sides: int) -> tuple[int, ...]:
    """Turn {"1": 100, "5": 50} into points by face."""
    if not isinstance(points, Mapping):
        raise ValueError(f"{key} is {points!r}: give a table of faces and points, like {{1 = 100, 5 = 50}}")
    for face, value in points.items():
        if not (face.isascii() and face.isdigit() and 1 <= int(face) <= sides):
            raise ValueError(f"{key} has face {face!r}: give faces from 1 to {sides}")
        check_scores(f"{key} of face {face}", value)
    found = {int(face): value for face, value in points.items()}
    return tuple(found.get(face, 0) for face in range(1, sides + 1)) if found else ()


def _sets(data: object) -> tuple[tuple[Roll, int], ...]:
    """Turn {"12345": 500} into faces and points, the lowest faces first."""
    if not isinstance(data, Mapping) or not all(key.isascii() and key.isdigit() for key in data):
        raise ValueError(f"sets is {data!r}: give a table of faces run together and points, like {{12345 = 500}}")
    return tuple(sorted((tuple(sorted(map(int, key))), points) for key, points in data.items()))


_THREES = (1000, 200, 300, 400, 500, 600)
_SIX: dict[str, Any] = {"dice": 6, "sides": 6, "goal": 10_000, "singles": (100, 0, 0, 0, 50, 0), "three_of_a_kind": _THREES}
_FARKLE = RaceGame(
    "farkle", **_SIX, about="Six dice, only 1s, 5s and three of a kind score; no opening threshold.",
)  # fmt: skip
# The points are those of github.com/Amund211/10001.
_TEN = RaceGame(
    "ten-thousand", **_SIX, more_of_a_kind="double", straight=2000, three_pairs=1500, opening=1000,
    about="Six dice, 1s, 5s, three or more of a kind, straights and three pairs score; open with 1000.",
)  # fmt: skip
# The tutorial of Kingdom Come: Deliverance: kingdomcomedeliverance.wiki.gg, Farkle.
_KCD = RaceGame(
    "kcd", **_SIX | {"goal": 4000}, more_of_a_kind="double", straight=1500,
    sets=(((1, 2, 3, 4, 5), 500), ((2, 3, 4, 5, 6), 750)),
    about="The dice of Kingdom Come: Deliverance, ordinary ones: straights of five score too.",
)  # fmt: skip

RACES: dict[str, RaceGame] = {
    race.name: race
    for race in (
        _TEN,
        _FARKLE,
        RaceGame(
            "pig",
            dice=1,
            sides=6,
            goal=100,
            singles=(0, 2, 3, 4, 5, 6),
            bust_faces=(1,),
            about="One die: roll as often as you like, a 1 loses the turn total.",
        ),
        # A coin: heads (2) is a point, tails (1) busts. Neller and Presser's first example.
        RaceGame(
            "piglet",
            dice=1,
            sides=2,
            goal=2,
            singles=(0, 1),
            bust_faces=(1,),
            about="Pig with a coin, first to two heads.",
        ),
        # Zhu and Ma, Deriving the Optimal Strategy for the Two Dice Pig Game, Stats 5 (2022).
        RaceGame(
            "two-dice-pig",
            dice=2,
            sides=6,
            goal=100,
            singles=(0, 2, 3, 4, 5, 6),
            bust_faces=(1,),
            bust_all="score",
            keep_all=True,
            about="Two dice, always both: a 1 loses the turn total, two 1s lose the whole score.",
        ),
        replace(
            _TEN, name="ten-thousand-last-round", last_round=True,
            about="Ten-thousand in which the other has one more turn once a player has reached the goal.",
        ),
        replace(
            _FARKLE, name="farkle-last-round", last_round=True,
            about="Farkle in which the other has one more turn once a player has reached the goal.",
        ),
        # The rules in the box of PlayMonster, as www.reference.com tells them (How does scoring work in Farkle?).
        RaceGame(
            "farkle-box", **_SIX | {"three_of_a_kind": (300, *_THREES[1:])}, more_of_a_kind=(1000, 2000, 3000),
            straight=1500, three_pairs=1500, four_and_pair=1500, two_triplets=2500, opening=500, last_round=True,
            about="Farkle as in the box: more sets, open with 500, a last round.",
        ),
        # zilch.playr.co.uk/rules.php.
        RaceGame(
            "zilch", **_SIX, more_of_a_kind="double", straight=1500, three_pairs=1500, nothing=500, minimum=300,
            three_busts=500,
            about="Bank 300 or more; three busts in a row cost 500; six dice that score nothing score 500.",
        ),
        # Points: rmckenna21.blogspot.com; the penalty: modemoxie.com, Love Yahtzee? Try Farkle on Facebook; scores are cut
        # at -2500 as by Matt Busche, Maximizing Win Probability in the Game of Farkle (2016).
        RaceGame(
            "farkle-facebook", **_SIX, more_of_a_kind="add", straight=1500, three_pairs=750, minimum=300,
            three_busts=500, lowest=-2500,
            about="Farkle as once on Facebook: bank 300 or more, three busts in a row cost 500.",
        ),
        _KCD,
        replace(_KCD, name="kcd2", goal=2000, about="The dice of Kingdom Come: Deliverance II, ordinary ones, to 2000."),
    )
}
