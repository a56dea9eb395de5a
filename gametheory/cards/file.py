"""Cards from files: a strategy card read from TOML, where every complaint names its place in the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any

from .. import dice, files, games, rulefile
from ..pool.rules import PoolGame
from .pace import AMONG, FREE, GOALS, Pace
from .par import AnyCard, ParCard
from .rule import Card
from .value import check_rules, gain_ladder
from .words import face_at


def from_toml(text: str, where: str = "card", game: PoolGame | None = None) -> AnyCard:
    """Read a card from the text of a file; `where` names the file in errors. It must be a card for `game`, if given.

    >>> from_toml('game = "4d6"\\n[keep]\\nd6 = { 5 = 3, 4 = 2 }\\n').keep
    ((3, 2),)
    """
    return _Reader(text, where).read(game)


def load(path: str | Path, game: PoolGame | None = None) -> AnyCard:
    """Read a card from a TOML file."""
    try:
        text = files.read(path, rulefile.MOST_BYTES, "name a TOML file with a card").decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text: name a TOML file with a card") from None
    return from_toml(text, str(path), game)


def check_game(game: Any) -> Any:
    """Return a game of which there are cards; refuse another."""
    if not games.family(game).cards:
        raise ValueError(f"there are no cards for {game.name}: name a pool, such as biscuits or 4d6")
    return check_rules(game)


class _Reader:
    """Reads one card; every complaint names the file, the line and the key."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where

    def fail(self, path: Sequence[str], problem: str) -> ValueError:
        line = self._line(path)
        place = f"{self.where}, line {line}" if line else self.where
        return ValueError(f"{place}: {'.'.join(path)}: {problem}" if path else f"{place}: {problem}")

    def _line(self, path: Sequence[str]) -> int | None:
        """Find the line of a key: the last line that mentions the deepest part of the path under its table."""
        found, section = None, ""
        for number, line in enumerate(self.text.splitlines(), 1):
            header = re.match(r"\s*\[([^\]]+)\]", line)
            if header:
                section = header[1].replace(" ", "")
                if path and section == ".".join(path[: section.count(".") + 1]) and found is None:
                    found = number
                continue
            key = re.match(r"\s*\"?([^\"=\s]+)\"?\s*=", line)
            if key and path:
                full = [*section.split("."), key[1]] if section else [key[1]]
                if full == list(path[: len(full)]):
                    return number
        return found

    def read(self, game: PoolGame | None) -> AnyCard:
        try:
            data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{self.where}: this is no TOML file: {error}") from None
        except RecursionError:
            raise ValueError(f"{self.where}: lists within lists, too deep to be read; cards need none") from None
        named = self.text_of(data, ["game"], None)
        if named is None:
            raise self.fail([], 'it does not say its game: write game = "biscuits"')
        try:
            own = game if game is not None and game.name == named else check_game(games.game(named))
        except ValueError as error:
            raise self.fail(["game"], str(error)) from None
        if game is not None and games.rules(own) | {"name": ""} != games.rules(game) | {"name": ""}:
            raise self.fail(["game"], f"this card is for {own.name}, not for {game.name}")
        own = game or own
        goal = self.text_of(data, ["goal"], "score")
        if goal not in (*GOALS, AMONG):
            raise self.fail(["goal"], f"there is no goal {goal!r}: say {', '.join(GOALS)}, {AMONG}")
        name = self.text_of(data, ["name"], "card") or "card"
        if "par" in data:
            self.known(data, [], ("game", "name", "goal", "columns", "par"))
            return self.par_card(data, own, goal, name)
        self.known(data, [], ("game", "name", "goal", "look_again", "keep", "hold", "nothing", "pace"))
        nothing = self.table(data, ["nothing"])
        self.known(nothing, ["nothing"], ("take", "ties", "worth"))
        take = self.text_of(nothing, ["nothing", "take"], "fewest")
        ties = self.text_of(nothing, ["nothing", "ties"], "larger")
        if take not in ("fewest", "nearest"):
            raise self.fail(["nothing", "take"], f"cannot take {take!r}: say fewest (points) or nearest (to its cut-off)")
        if ties not in ("larger", "smaller"):
            raise self.fail(["nothing", "ties"], f"ties cannot go to {ties!r}: say larger or smaller")
        again = data.get("look_again", True)
        if not isinstance(again, bool):
            raise self.fail(["look_again"], f"must be true or false, not {again!r}")
        if "keep" not in data:
            raise self.fail([], "it has no cut-offs: write a table [keep] with a line for each die")
        return Card(
            own, self.keep(data, own), self.hold(data, own), self.worth(nothing, own), again, take, ties,
            self.pace(data, own) if "pace" in data else None, goal, name,
        )  # fmt: skip

    def keep(self, data: dict[str, Any], game: PoolGame) -> tuple[tuple[int, ...], ...]:
        given = self.table(data, ["keep"])
        self.dice_of(given, ["keep"], game)
        found = []
        for k, die in enumerate(game.kinds):
            path = ["keep", die.name]
            if die.name not in given:
                raise self.fail(["keep"], f"no line for {die.name}: write {die.name} = {{}} to keep its best face only")
            faces = self.table(given, path)
            gains, ladder = game.face_gains(k), gain_ladder(game, k)
            by_gain: dict[int, int] = {}
            for face, most in faces.items():
                at = [*path, face]
                if not face.isdigit() or not 1 <= int(face) <= die.sides:
                    raise self.fail(at, f"{die.name} has no face {face}: its faces are 1 to {die.sides}")
                gain = gains[int(face) - 1]
                if gain == ladder[0]:
                    raise self.fail(at, f"{face} is the best face of {die.name}, which is always kept: leave it out")
                most = self.whole(most, at, 1, sum(game.counts), "dice on the table")
                if by_gain.setdefault(gain, most) != most:
                    raise self.fail(at, f"{most} dice, but a face of the same worth has {by_gain[gain]}")
            levels: list[int] = []
            for place, gain in enumerate(ladder[1:], 1):
                face = str(face_at(game, k, place))
                if gain in by_gain:
                    if len(levels) < place - 1:
                        better = face_at(game, k, len(levels) + 1)
                        problem = f"the better face {better} has no cut-off: give it {by_gain[gain]} dice or more"
                        raise self.fail([*path, face], problem)
                    if levels and by_gain[gain] > levels[-1]:
                        better = face_at(game, k, place - 1)
                        problem = f"kept with {by_gain[gain]} dice, but the better {better} only with {levels[-1]}"
                        raise self.fail([*path, face], problem)
                    levels.append(by_gain[gain])
            found.append(tuple(levels))
        return tuple(found)

    def hold(self, data: dict[str, Any], game: PoolGame) -> tuple[int, ...]:
        larger = sum(game.counts[1:])
        holds = [FREE] * larger
        for staying, least in self.table(data, ["hold"]).items():
            at = ["hold", staying]
            if not staying.isdigit() or not 1 <= int(staying) <= larger:
                raise self.fail(at, f"{staying} larger dice cannot stay: {game.name} has {larger} of them")
            holds[int(staying) - 1] = self.whole(least, at, 1, sum(game.counts), "dice on the table")
        return tuple(holds)

    def worth(self, nothing: dict[str, Any], game: PoolGame) -> tuple[float, ...]:
        path = ["nothing", "worth"]
        given = self.table(nothing, path)
        self.dice_of(given, path, game)
        return tuple(self.number(given.get(die.name, 0.0), [*path, die.name]) for die in game.kinds)

    def pace(self, data: dict[str, Any], game: PoolGame) -> Pace:
        given = self.table(data, ["pace"])
        self.known(given, ["pace"], ("aim", "par", "par_larger", "behind", "ahead", "margin", "cash"))
        pairs: dict[str, tuple[int, int] | None] = {"behind": None, "ahead": None}
        for name in pairs:
            if name in given:
                at, value = ["pace", name], given[name]
                if not isinstance(value, list) or len(value) != 2:
                    raise self.fail(at, f"must be [points, dice], not {value!r}")
                points = self.whole(value[0], at, -game.gain(game.counts), game.gain(game.counts), "points")
                pairs[name] = (points, self.whole(value[1], at, 0, sum(game.counts), "dice"))
        low, high = game.lowest(game.counts), game.highest(game.counts)
        return Pace(
            aim=self.whole(given["aim"], ["pace", "aim"], low, high, "points") if "aim" in given else None,
            par=self.number(given.get("par", 0.0), ["pace", "par"]),
            par_larger=self.number(given.get("par_larger", 0.0), ["pace", "par_larger"]),
            behind=pairs["behind"],
            ahead=pairs["ahead"],
            margin=self.whole(given["margin"], ["pace", "margin"], 0, high, "points") if "margin" in given else None,
            cash=self.whole(given.get("cash", 0), ["pace", "cash"], 0, sum(game.counts), "dice"),
        )

    def par_card(self, data: dict[str, Any], game: PoolGame, goal: str, name: str) -> ParCard:
        columns = data.get("columns")
        if not isinstance(columns, list) or not all(isinstance(n, int) for n in columns):
            raise self.fail(["columns"], f"must be a list of how many {game.kinds[0].name} are left, not {columns!r}")
        if len(columns) < 2 or columns[0] != 0 or columns[-1] != game.counts[0] or sorted(set(columns)) != columns:
            raise self.fail(["columns"], f"must rise from 0 to {game.counts[0]}, not {columns}")
        given = self.table(data, ["par"])
        rows = []
        for larger in product(*(range(n + 1) for n in game.counts[1:])):
            key = dice.format_dice((0, *larger), game.kinds)
            if key not in given:
                raise self.fail(["par"], f'there is no line for the larger dice "{key}"')
            row = given[key]
            if not isinstance(row, list) or len(row) != len(columns):
                raise self.fail(["par", key], f"must be a list of {len(columns)} numbers, one for each column, not {row!r}")
            rows.append((larger, tuple(self.number(value, ["par", key]) for value in row)))
        self.known(given, ["par"], [dice.format_dice((0, *larger), game.kinds) for larger, _ in rows])
        return ParCard(game, tuple(columns), tuple(rows), goal, name)

    # What a value may be.

    def known(self, data: dict[str, Any], path: list[str], names: Sequence[str]) -> None:
        for key in data:
            if key not in names:
                raise self.fail([*path, key], f"a card has no such entry; there are {', '.join(names)}")

    def dice_of(self, data: dict[str, Any], path: list[str], game: PoolGame) -> None:
        names = [die.name for die in game.kinds]
        for key in data:
            if key not in names:
                raise self.fail([*path, key], f"{game.name} has no such die: its dice are {', '.join(names)}")

    def table(self, data: dict[str, Any], path: list[str]) -> dict[str, Any]:
        value = data.get(path[-1], {})
        if not isinstance(value, dict):
            raise self.fail(path, f"must be a table, not {value!r}")
        return value

    def text_of(self, data: dict[str, Any], path: list[str], default: str | None) -> Any:
        value = data.get(path[-1], default)
        if value is not None and not isinstance(value, str):
            raise self.fail(path, f"must be text in quotes, not {value!r}")
        return value

    def whole(self, value: Any, path: Sequence[str], low: int, high: int, unit: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fail(path, f"must be a whole number of {unit}, not {value!r}")
        if not low <= value <= high:
            raise self.fail(path, f"{value} {unit}: must be from {low} to {high}")
        return value

    def number(self, value: Any, path: Sequence[str]) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.fail(path, f"must be a number, not {value!r}")
        return float(value)
