"""What a game is, and the catalogue: families of games, and the games known by name, bound when they are named.

A solo scoring game has a state, a roll of dice with exact weights, and moves that lead to the next state; when no roll
is left the game is finished and has a score. Two players who compare such scores play a match (`match/`). A race is
turned by turn; its rules are its own (`race.rules`).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from . import files, rulefile, source

if TYPE_CHECKING:
    from .space import Space


class Game(Protocol):
    """What every solo scoring game tells: all that the general solver, `verify` and a player need."""

    @property
    def start(self) -> Any:
        """The state before the first roll."""

    def rolls(self, state: Any) -> Iterable[tuple[Any, int]]:
        """Yield every roll in this state with its exact weight; none when the game is finished."""

    def moves(self, state: Any, roll: Any) -> Iterable[tuple[Hashable, Any, int]]:
        """Yield every legal move as (keep, next state, points)."""

    def score(self, state: Any) -> int:
        """Return the final score of a finished state."""


class Family(Protocol):
    """A family of games: what the catalogue binds. Nobody but the catalogue asks which one a game is of."""

    kinds: Mapping[str, str]
    """By format (sequential, alternating, simultaneous, players): where the kind of match is (`match.Solution`)."""
    named: Mapping[str, Any]
    """The games known by name."""
    options: tuple[str, ...]
    """The options that place a position, of all kinds of match."""
    policies: Mapping[str, str]
    """Built-in policies: where each is made from a solved game."""
    keys: tuple[rulefile.Key, ...]
    """The keys of its rules files; none where rules are Python."""
    tables: tuple[str, ...]
    """The names of published tables."""
    proof: str
    """Where there is what proves the value of a game, or refuses it; empty where there is no proof."""
    cards: bool
    """Whether there are strategy cards."""
    on_page: bool
    """Whether the advisor page shows its games."""
    nouns: str
    """What such games are called, in the plural."""

    def reads(self, data: Mapping[str, Any]) -> bool:
        """Tell whether a rules file is of this family."""

    def from_file(self, data: Mapping[str, Any], base: Any = None) -> Any:
        """Make a game of the keys of a rules file; what it does not say is as in `base`, but for the sentence about it."""

    def to_file(self, game: Any) -> dict[str, Any]:
        """Return the rules of a game as the keys of a file with their values; refuse what no file can say."""

    def remark(self, game: Any) -> str:
        """Say in a sentence what a game might be taken for and is not; nothing for most."""

    def from_text(self, text: str) -> Any:
        """Make a game of notation such as 4d6, or None."""

    def rules(self, game: Any) -> dict[str, Any]:
        """Return the rules of a game as plain data, enough to make it again."""

    def from_rules(self, rules: Mapping[str, Any]) -> Any:
        """Make a game of plain data."""

    def notation(self, game: Any) -> Any:
        """Return how the game's positions, rolls and moves are read and written (`answers.Notation`)."""

    def adopt(self, game: Any) -> Any:
        """Return a game as the catalogue knows games, with a name."""

    def space(self, game: Any) -> Space:
        """Return a scoring game as solvers see it (`columns.Space`)."""

    def seconds(self, game: Any) -> float:
        """Return about how long a solve takes, to weigh one against another."""

    def needs(self, game: Any) -> str:
        """Say in a sentence what a solve takes that is long; nothing for most."""

    def describe(self, game: Any) -> str:
        """Say a game in a sentence or two."""

    def page(self, solution: Any) -> dict[str, Any]:
        """Return what the advisor page carries of a solved game; asked only of families `on_page`."""

    def table(self, game: Any, name: str, target: int | None, gain: bool) -> dict[str, Any]:
        """Return a published table: title, columns, rows."""


FAMILIES = {
    "pool": "gametheory.pool.family:PoolFamily",
    "race": "gametheory.race.family:RaceFamily",
    "own": "gametheory.own.family:OwnFamily",
    "scorecard": "gametheory.scorecard.family:ScorecardFamily",
}
"""Where each family is: the one line that a new one adds."""


def bind(where: str) -> Any:
    """Import what stands at "module:name"."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


@cache
def _family(where: str) -> Family:
    made: Family = bind(where)()
    return made


def families() -> dict[str, Family]:
    """Return every family by its name."""
    return {name: _family(where) for name, where in FAMILIES.items()}


def family(game: Any) -> Family:
    """Return the family of a game: that which the game names, else a game of one's own."""
    return _family(FAMILIES[getattr(game, "family", "own")])


def named() -> dict[str, Any]:
    """Return every game that has a name, by it."""
    return {name: game for kind in families().values() for name, game in kind.named.items()}


ALIASES = {"10000": "ten-thousand"}
"""Other names of named games."""


def space(game: Any) -> Space:
    """Return a scoring game as solvers see it."""
    return family(game).space(game)


def notation(game: Any) -> Any:
    """Return how positions, rolls and moves of a game are read and written."""
    return family(game).notation(game)


def proof(game: Any) -> Any:
    """Return what proves the value of a game, from its solution; refuse a game of which there is no proof, unsolved."""
    where = family(game).proof
    if not where:
        raise ValueError(f"the values of {family(game).nouns} are not proved: certify a pool or a race")
    return bind(where)(game)


def rules(game: Any) -> dict[str, Any]:
    """Return the rules of a game as plain data."""
    return family(game).rules(game)


def from_rules(rules: Mapping[str, Any]) -> Any:
    """Make a game from the plain data that `rules` returns; a named game if these are its rules."""
    if rules.get("family") not in FAMILIES:
        raise ValueError(f"the family of games {rules.get('family')!r} is not known: there are {', '.join(FAMILIES)}")
    return _family(FAMILIES[rules["family"]]).from_rules(rules)


def is_known(game: Any) -> bool:
    """Tell whether a game is what its name says: a named game, or dice in notation."""
    known = _bearer(game.name)
    return known is not None and rules(known) == rules(game)


def _bearer(name: str) -> Any:
    """Return the named game, or the dice in notation, that a name suggests; None where it suggests none."""
    try:
        return find(name)
    except ValueError:  # begins like notation, and is none
        return None


# Rules files.


def load(path: str | Path) -> Any:
    """Read a game from a TOML file: whichever family its keys are of."""
    return read_file(path)[0]


def read_file(path: str | Path) -> tuple[Any, Any]:
    """Read a game from a TOML file; return it with the game that it says it is like, None where it does not."""
    path = Path(path)
    content = files.read(path, rulefile.MOST_BYTES, "name a TOML file with the rules of a game")
    try:
        if rulefile.DEEP.search(content.decode("utf-8")):
            raise RecursionError
        data = tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not a TOML file ({error}); write key = value lines") from None
    except RecursionError:
        raise ValueError(f"{path}: lists within lists, too deep to be read; rules need none") from None
    try:
        if "like" not in data:
            kinds = list(families().values())
            kind = next((kind for kind in kinds if kind.reads(data)), kinds[0])
            return _named_truly(kind.from_file({"name": path.stem} | data)), None
        base = _base(data.pop("like"))
        kind = family(base)
        game = kind.from_file({"name": path.stem} | data, base)
        if not rulefile.differences(kind.to_file(game), kind.to_file(base)):
            game = kind.from_file({"name": path.stem, "about": base.about} | data, base)
        return _named_truly(game), base
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _base(like: Any) -> Any:
    """Return the game that a file says it is like."""
    found = find(like) if isinstance(like, str) else None
    if found is None:
        names = [name for name, known in named().items() if family(known).keys]
        raise ValueError(f"like is {like!r}: name one of {', '.join(names)}, or dice such as 5d6")
    return found


def _named_truly(game: Any) -> Any:
    """Return a game out of a file; one that bears the name of a known game, but has other rules, is named for them."""
    known = _bearer(game.name)
    if known is None:
        return game
    kind = family(game)
    if family(known) is not kind:
        raise ValueError(f"name is {game.name!r}: that is another game; give this one a name of its own, name = '...'")
    found = rulefile.differences(kind.to_file(game), kind.to_file(known))
    if not found:
        return game
    changes = [f"{key} {'unsaid' if here is None else here}" for key, here, _ in found]
    few = ", ".join(changes)
    name = f"{known.name} with {few if len(few) <= LONGEST_CHANGES else f'{len(changes)} changes'}"
    return kind.from_file(kind.to_file(game) | {"name": name})


LONGEST_CHANGES = 40
"""How long the changes of a game may be to stand in its name."""


def write_file(game: Any) -> str:
    """Write the whole rules of a game as commented TOML, which `load` reads as the same game."""
    kind = family(game)
    data = kind.to_file(game)
    return rulefile.write(f"The rules of {game.name}, whole.", kind.keys, data)


def rules_words(path: str | Path) -> str:
    """Say in a sentence or two what rules a file has: how they differ from those of the game that it is like."""
    game, base = read_file(path)
    kind = family(game)
    if base is None:
        said = f"{path}: {kind.describe(game)}"
    else:
        found = rulefile.differences(kind.to_file(game), kind.to_file(base))
        said = f"{path}: as {base.name}" + (f", but {rulefile.words(found)}." if found else " in every rule.")
    remark = kind.remark(game)
    return f"{said} {remark}" if remark else said


def find(name: str) -> Any:
    """Find a game by its name, or make it of notation; None where it is neither."""
    text = ALIASES.get(name.strip().lower(), name.strip())
    lower = text.lower()
    for where in FAMILIES.values():  # one after the other: a family that is not asked for is not imported
        kind = _family(where)
        found = kind.named[lower] if lower in kind.named else kind.from_text(text)
        if found is not None:
            return found
    return None


def game(name: str) -> Any:
    """Find a game by its name, read it from a TOML file, run the Python file that has it, or make the pool of dice notation.

    Names are "biscuits", "house.toml", "my_game.py:Midnight", "4d6" or "2d4+d20".
    """
    lower = name.strip().lower()
    if source.is_source(name):
        made = source.make(name.strip())
        return family(made).adopt(made)
    if lower.endswith(".toml"):
        return load(name.strip())
    found = find(name)
    if found is not None:
        return found
    known = named()
    near = difflib.get_close_matches(lower, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the names are {', '.join(known)};"
    raise ValueError(f"there is no game {name!r}: {hint} 'gametheory games' lists them, or write dice as 12d6+d8")


