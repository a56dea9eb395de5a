"""What families of scoring games have in common for the catalogue, and the notation of games that bring none.

A new family derives from `ScoringFamily` and says how its games are seen by solvers (`space`); all else has a default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from .answers import COMMANDS, DifferenceRow, Move, Plain
from .rulefile import Key

if TYPE_CHECKING:
    from .space import Space


class RulesElsewhere(ValueError):
    """A table does not hold the rules of its game: they are Python, which a table never runs."""


@dataclass(frozen=True)
class PlainNotation:
    """States, rolls and keeps as they are, written by `repr`, or as the game's `text` says; see `answers.Notation`."""

    game: Any

    options: ClassVar[tuple[str, ...]] = ("state",)
    places: ClassVar[tuple[str, ...]] = ("state",)
    banks: ClassVar[bool] = False
    labels: ClassVar[Plain] = {}

    def write(self, thing: Any) -> str:
        """Write a state, a roll or a keep."""
        text = getattr(self.game, "text", None)
        if callable(text):
            return str(text(thing))
        return thing if isinstance(thing, str) else repr(thing)

    def left(self, state: Any) -> Any:
        """Return what a state leaves to play."""
        return state

    def read_roll(self, text: Any) -> Any:
        return text

    def write_roll(self, roll: Any) -> str:
        return self.write(roll)

    def keep_data(self, keep: Any) -> Plain:
        return {"keep": self.write_roll(keep)}

    def write_left(self, left: Any) -> str:
        return self.write(left)

    def preference(self, move: Move) -> tuple[Any, ...]:
        """Prefer the move that is listed first: sorting leaves equal ones where they are."""
        return ()

    def read(self, roll: Any, state: Any = None) -> tuple[Any, Any]:
        """Find a roll, given itself or as it is written, in a state, the start if not said."""
        start = self.game.start() if callable(self.game.start) else self.game.start
        state = start if state is None else state
        self.check_state(state)
        for shown, _ in self.game.rolls(state):
            if roll == shown or roll == self.write(shown):
                return shown, state
        raise ValueError(f"{roll!r} cannot be rolled in the state {self.where(state)} of {self.game.name}")

    def check_state(self, state: Any) -> None:
        """Refuse a state that no play comes to, where that is known."""

    def check(self, roll: Any, **position: Any) -> None:
        """Refuse a roll that cannot occur, before anything is solved for it."""
        self.read(roll, **position)

    def words(self, state: Any, roll: Any) -> str:
        """Say a roll and where it was made."""
        return f"{self.write(roll)} in {self.where(state)}"

    def where(self, state: Any) -> str:
        """Write all that there is to say of a state."""
        return self.write(state)

    def asked(self, state: Any) -> Plain:
        """Return what else places the roll, as plain data."""
        return {"state": self.write(state)}

    def place(self, position: Any) -> Plain:
        return {"state": self.write(position)}

    def alike(self, row: DifferenceRow) -> Any:
        return (*self.place(row.position).values(), self.write_roll(row.roll))

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        def kept(move: Move) -> str:
            return f"{self.write(move.keep)} ({move.expected_score:.2f} points, {move.win_probability:.1%} to win)"

        return (
            f"In {self.where(row.position)}, rolling {self.write(row.roll)}: {said[0]} {kept(row.move)}, "
            f"{said[1]} {kept(row.to_move)}."
        )

    # Said to a person who plays.

    noun = "move"
    how_to = "Type your move as it is listed, or its number where it has one."

    def write_move(self, move: Move) -> str:
        return self.write(move.keep)

    def offer(self, moves: Sequence[Move]) -> list[str]:
        """List the moves: as they are typed, or else with numbers."""
        if self._typed(moves):
            return [f"  Your moves: {'; '.join(map(self.write_move, moves))}"]
        return [f"{number:>5}  {' '.join(self.write_move(move).split())}" for number, move in enumerate(moves, 1)]

    def read_move(self, text: str, roll: Any, moves: Sequence[Move]) -> Move:
        """Read a move as it is written, spaces and capitals aside, or its number where moves are numbered."""
        typed = self._typed(moves)
        if typed:
            found = typed.get(bare(text))
            if found is None:
                raise ValueError(f"{text!r} is no move here: type one of those listed.")
            return found
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= len(moves)):
            raise ValueError(f"{text!r} is no move here: type a number from 1 to {len(moves)}.")
        return moves[int(text) - 1]

    def _typed(self, moves: Sequence[Move]) -> dict[str, Move]:
        """Return the moves by what is typed for them; nothing where they cannot be told apart by it."""
        written = [self.write_move(move) for move in moves]
        found = {bare(text): move for text, move in zip(written, moves, strict=True)}
        clear = len(found) == len(moves) and all(len(text.splitlines()) == 1 for text in written)
        return found if clear and not {"", *COMMANDS} & set(found) else {}

    def standing(self, state: Any) -> str:
        """Say where a player stands."""
        return f"In {self.where(state)}"

    def story(self, roll: Any, move: Move, after: Any) -> str:
        """Say what the other player rolled and chose, and the state that it led to."""
        return f"They roll {self.write(roll)}, choose {self.write_move(move)}: {self.where(after)}."


def bare(text: str) -> str:
    """Return what counts of a text that was typed."""
    return "".join(text.split()).casefold()


class ScoringFamily:
    """A family of games in which each player makes a score; see `games.Family`."""

    kinds: Mapping[str, str] = {
        "sequential": "duel", "alternating": "alternating", "simultaneous": "hidden", "players": "players",
        "solo": "solo",
    }  # fmt: skip
    named: Mapping[str, Any] = {}
    options: tuple[str, ...] = PlainNotation.options
    policies: Mapping[str, str] = {
        "score": "gametheory.policies:Score", "win": "gametheory.policies:Win", "random": "gametheory.policies:RandomPolicy",
    }  # fmt: skip
    keys: tuple[Key, ...] = ()
    tables: tuple[str, ...] = ()
    proof: str = ""
    cards: bool = False
    on_page: bool = False
    nouns: str = "games"

    def adopt(self, game: Any) -> Any:
        """Return a game as the catalogue knows games, with a name."""
        return game

    def space(self, game: Any) -> Space:
        """Return a game as solvers see it."""
        raise NotImplementedError

    def notation(self, game: Any) -> Any:
        """Return how a game's positions, rolls and moves are read and written."""
        return PlainNotation(game)

    def reads(self, data: Mapping[str, Any]) -> bool:
        """Tell whether a rules file is of this family."""
        return False

    def from_file(self, data: Mapping[str, Any], base: Any = None) -> Any:
        """Make a game of the keys of a rules file; what it does not say is as in `base`."""
        raise ValueError(f"there are no rules files of {self.nouns}: give the game itself")

    def to_file(self, game: Any) -> Plain:
        """Return the rules as the keys of a file with their values; refuse what no file can say."""
        raise ValueError(f"{game.name} has no rules file: the rules of {self.nouns} are the Python that plays them")

    def remark(self, game: Any) -> str:
        """Say what a game might be taken for and is not; nothing for most."""
        return ""

    def from_text(self, text: str) -> Any:
        """Make a game of notation, or None where it is none."""
        return None

    def rules(self, game: Any) -> Plain:
        """Return the rules as plain data."""
        return {"family": game.family, "name": game.name, "wins": "higher" if game.higher_wins else "lower"}

    def from_rules(self, rules: Mapping[str, Any]) -> Any:
        """Make a game of plain data: one of those that have a name."""
        found = self.named.get(rules["name"])
        if found is None or self.rules(found) != rules:
            raise RulesElsewhere(f"the rules of {rules['name']} are not in the table: give the game, as FILE.py:NAME")
        return found

    def seconds(self, game: Any) -> float:
        """Return about how long a solve takes, to weigh one against another."""
        return 1.0

    def needs(self, game: Any) -> str:
        """Say in a sentence what a solve takes that is long; nothing for most."""
        return ""

    def describe(self, game: Any) -> str:
        """Say a game in a sentence or two."""
        return str(getattr(game, "about", "") or game.name)

    def page(self, solution: Any) -> Plain:
        """Return what the advisor page carries of a solved game."""
        raise NotImplementedError

    def table(self, game: Any, name: str, target: int | None, gain: bool) -> Plain:
        """Return a published table."""
        tables = f"the tables are {', '.join(self.tables)}" if self.tables else "there are none"
        raise ValueError(f"there is no table {name!r} of {game.name}: {tables}")
