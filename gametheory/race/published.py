"""Tables of a race in the style of the published ones: expected turn scores, chances, when to stop, outcome classes."""

from __future__ import annotations

from typing import Any

from . import turn
from .rules import RaceGame, bust_chance, outcome_classes, rolls

NAMES = ("expected", "reach", "stop", "classes")


def table(game: RaceGame, name: str, target: int | None = None, gain: bool = False) -> dict[str, Any]:
    """Return a table by name: title, columns and rows.

    - `expected`: the turn's expected total if so many dice are rolled at a turn total; with `gain`, less that total.
    - `reach`: the best chance that the turn total reaches the target.
    - `stop`: by number of dice, the chance of a bust and the lowest turn total at which rolling loses points.
    - `classes`: by number of dice, ordered rolls, distinct rolls and outcome classes.
    """
    if name not in NAMES:
        raise ValueError(f"there is no table {name!r} of {game.name}: the tables are {', '.join(NAMES)}")
    if target is not None and name != "reach":
        raise ValueError(f"--target is for the table reach, not {name}")
    if gain and name != "expected":
        raise ValueError(f"--gain is for the table expected, not {name}")
    title, columns, rows = {"expected": _expected, "reach": _reach, "stop": _stop, "classes": _classes}[name](
        game, target, gain
    )
    return {"game": game.name, "title": f"{game.name}: {title}", "columns": columns, "rows": rows}


Table = tuple[str, list[str], list[list[Any]]]


def _dice(game: RaceGame) -> list[str]:
    return [f"{dice} dice" if dice > 1 else "1 die" for dice in range(1, game.dice + 1)]


def _expected(game: RaceGame, _target: int | None, gain: bool) -> Table:
    found = turn.turn_tables(game).expected[1]
    rows = []
    for units in range(found.shape[0]):
        total = units * game.unit
        rows.append([total, *(float(value) - (total if gain else 0) for value in found[units, 1:])])
    what = "what rolling adds to the turn total on average" if gain else "expected total of the turn if you roll"
    return what, ["turn total", *_dice(game)], rows


def _reach(game: RaceGame, target: int | None, _gain: bool) -> Table:
    wanted = target if target is not None else game.opening or game.goal
    found = turn.reach(game, wanted)
    rows = [[units * game.unit, *map(float, found[units, 1:])] for units in range(found.shape[0])]
    return f"chance to reach a turn total of {wanted} if you roll", ["turn total", *_dice(game)], rows


def _stop(game: RaceGame, _target: int | None, _gain: bool) -> Table:
    stops = turn.turn_tables(game).stop()
    rows = []
    for dice in range(1, game.dice + 1):
        bust = bust_chance(game, dice)
        rows.append([dice, f"{bust.numerator}/{bust.denominator}", float(bust), stops[dice]])
    columns = ["dice", "chance of a bust", "as a decimal", "rolling loses from"]
    return "the lowest turn total at which rolling loses points on average", columns, rows


def _classes(game: RaceGame, _target: int | None, _gain: bool) -> Table:
    rows = [
        [
            dice,
            game.sides**dice,
            sum(1 for _ in rolls(game, dice)),
            len(outcome_classes(game, dice)),
        ]
        for dice in range(1, game.dice + 1)
    ]
    return "outcome classes by number of dice", ["dice", "ordered rolls", "distinct rolls", "classes"], rows
