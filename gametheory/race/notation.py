"""How races read and write positions, rolls and moves, and which positions cannot occur.

A roll is written as its faces, "5 3 2 1 1". A turn total can occur if some keeps make it: with `made[t]`, a set of bits
that says how many dice may be in hand at t units,

    made[0] = {all dice};  made[t] = {left : points in units and dice left of some keep of n dice, n in made[t - points]}

where no dice left ends the turn. A column hangs on the W columns before it, W being the most that one keep is worth, so
that from two equal runs of W columns on they repeat: every total is answered for without end.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..answers import DifferenceRow, Move, Plain
from ..dice import parse_faces
from .rules import RaceGame, Roll, check_whole, keeps, rolls

MOST_COLUMNS = 100_000
"""Turn totals, in units, that are looked at for a run that repeats."""


class Position(NamedTuple):
    """What a player sees when the dice lie on the table; `turn` is the turn total before the roll.

    `busts` counts the turns in a row that made nothing, where a house rule does.
    """

    score: int
    opened: bool
    opponent: int
    opponent_opened: bool
    turn: int
    dice: int
    busts: int = 0
    opponent_busts: int = 0


class RaceNotation:
    """How a race reads and writes; see `answers.Notation`."""

    options: tuple[str, ...] = ("turn", "score", "opponent")
    banks: bool = True

    def __init__(self, game: RaceGame) -> None:
        self.game = game
        counted = ("busts", "opponent_busts") if game.three_busts else ()
        self.places: tuple[str, ...] = ("score", "opened", "opponent", "opponent_opened", "turn", *counted)
        self.options = (*type(self).options, *counted)

    def __repr__(self) -> str:
        return f"<RaceNotation of {self.game.name}>"

    @property
    def labels(self) -> Plain:
        """What names the game beside its name."""
        return {}

    def check(self, roll: str | Iterable[int], **position: Any) -> None:
        """Refuse a roll and a position that cannot occur, before anything is solved for them."""
        self.read_position(roll, **position)

    def read_roll(self, text: str) -> Roll:
        return parse_roll(self.game, text)

    def write_roll(self, roll: Roll) -> str:
        return format_roll(roll)

    def keep_data(self, keep: Any) -> Plain:
        return {"keep": self.write_roll(keep)}

    def write_left(self, left: int) -> int:
        return left

    def preference(self, move: Move) -> tuple[Any, ...]:
        """Prefer the fewest dice kept, then higher faces, then banking."""
        return len(move.keep), [-face for face in move.keep], not move.bank

    def place(self, position: Position) -> Plain:
        data = position._asdict()
        return {name: data[name] for name in self.places}

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        def does(move: Move) -> str:
            then = "bank" if move.bank else "roll on"
            return f"keep {format_roll(move.keep)} and {then} ({move.win_probability:.1%} to win)"

        at: Position = row.position
        return (
            f"At {at.score} against {at.opponent}, turn total {at.turn}, {format_roll(row.roll)} rolled: "
            f"{said[0]} {does(row.move)}, {said[1]} {does(row.to_move)}."
        )

    def alike(self, row: DifferenceRow) -> Any:
        """Rolls that differ in dice which do not matter are said once."""
        moves = [(move.keep, move.bank) for move in (row.move, row.to_move)]
        return (*self.place(row.position).values(), *moves)

    def read_position(
        self, roll: str | Iterable[int], turn: int | None = None, score: int | None = None, opponent: int | None = None,
        *, opened: bool | None = None, opponent_opened: bool | None = None, busts: int | None = None,
        opponent_busts: int | None = None,
    ) -> tuple[Roll, Position]:  # fmt: skip
        """Read a roll and where it was made, what is not said being 0; refuse what cannot occur, and a bust."""
        game = self.game
        shown = parse_roll(game, roll if isinstance(roll, str) else " ".join(map(str, roll)))
        if not keeps(game, shown):
            said = roll if isinstance(roll, str) else format_roll(shown)
            raise ValueError(f"the roll {said} is a bust: nothing scores, the turn ends; give another roll")
        mine = check_standing(game, score or 0, opened, busts or 0)
        theirs = check_standing(game, opponent or 0, opponent_opened, opponent_busts or 0)
        if mine[0] >= game.goal:
            raise ValueError(f"score {score} cannot occur: it is past the goal, the other has the last turn")
        check_turn(game, turn or 0, len(shown))
        if game.exact and mine[0] + (turn or 0) + min(keep.points for keep in keeps(game, shown)) > game.goal:
            raise ValueError(f"the roll {format_roll(shown)} is a bust: every keep goes past {game.goal}; give another roll")
        return shown, Position(*mine, *theirs, turn or 0, len(shown), busts or 0, opponent_busts or 0)

    # Said to a person who plays.

    noun: str = "keep"
    how_to: str = 'Type the dice to keep and what then, as in "5 bank" or "5 roll".'

    def write_move(self, move: Move) -> str:
        return f"{format_roll(move.keep)} {'bank' if move.bank else 'roll'}"

    def offer(self, moves: Sequence[Move]) -> list[str]:
        """List nothing: the roll shows what scores."""
        return []

    def read_move(self, text: str, roll: Roll, moves: Sequence[Move]) -> Move:
        """Read the dice to keep and what then; with one way to keep dice there is no need to name them."""
        words = text.lower().replace(",", " ").split()
        acts = {"b": True, "bank": True, "r": False, "roll": False}
        if not words or words[-1] not in acts:
            raise ValueError('Say "bank" or "roll" after the dice to keep, as in "5 roll".')
        scoring, bank = {move.keep for move in moves}, acts[words[-1]]
        only = len(words) == 1 and len(scoring) == 1
        keep = next(iter(scoring)) if only else parse_roll(self.game, " ".join(words[:-1]))
        for move in moves:
            if move.keep == keep and move.bank == bank:
                return move
        if keep not in scoring:
            raise ValueError(f"{format_roll(keep)}: keep only dice of the roll that score.")
        if bank:
            least = max(self.game.minimum, self.game.opening)
            first = "" if self.game.minimum else "the first points "
            raise ValueError(f"Too little to bank: {first}must be at least {least}.")
        raise ValueError("No dice are left to roll: bank.")


def format_roll(roll: Iterable[int]) -> str:
    """Write a roll or a keep, faces descending.

    >>> format_roll((1, 5, 1))
    '5 1 1'
    """
    return " ".join(map(str, sorted(roll, reverse=True)))


def parse_roll(game: RaceGame, text: str) -> Roll:
    """Read a roll such as "1 1 5 3 2".

    >>> from .named import RACES
    >>> parse_roll(RACES["ten-thousand"], "1 1 5 3 2") == parse_roll(RACES["ten-thousand"], "11532")
    True
    """
    faces = parse_faces(text, game.sides)
    if not faces:
        raise ValueError("the roll is empty: give the faces, like '1 1 5 3 2'")
    if len(faces) > game.dice:
        raise ValueError(f"the roll has {len(faces)} dice: {game.name} has {game.dice}, give no more faces")
    return tuple(sorted(faces, reverse=True))


# What can occur.


def check_standing(game: RaceGame, score: int, opened: bool | None = None, busts: int = 0) -> tuple[int, bool]:
    """Return (score, opened) of a player, or refuse a score or a number of busts that cannot occur.

    `opened` None means what the score says. A score above 0 that has not opened is a handicap: it counts towards the goal
    but does not open.
    """
    if not isinstance(busts, int) or isinstance(busts, bool) or not 0 <= busts <= (2 if game.three_busts else 0):
        counts = "give 0, 1 or 2" if game.three_busts else f"{game.name} does not count them, leave them out"
        raise ValueError(f"{busts} busts in a row: {counts}")
    if game.lowest and isinstance(score, int) and game.lowest <= score < 0:
        _check_multiple(game, "score", -score)
    else:
        _check_multiple(game, "score", score)
    if score >= game.goal and not game.last_round:
        raise ValueError(f"score {score} cannot occur: the race ends at {game.goal}, give a lower score")
    if not game.opening:
        return score, True
    if opened is None:
        opened = score > 0
    if opened and score < game.opening and not game.can_fall:
        raise ValueError(
            f"score {score} cannot occur: the first points banked are at least {game.opening}; "
            f"give 0, {game.opening} or more, or say that the player has not opened"
        )
    return score, opened


def check_turn(game: RaceGame, turn: int, dice: int) -> None:
    """Refuse a turn total that no keeps make, and a number of dice that there cannot be.

    Whether just so many dice can be in hand at the total is not asked; but some must be if any are.
    """
    _check_multiple(game, "turn total", turn)
    if not (0 if not game.hot_dice else 1) <= dice <= game.dice:
        raise ValueError(f"{dice} dice: {game.name} has {game.dice}, give 1 to {game.dice}")
    if turn == 0:
        if dice != game.dice:
            raise ValueError(f"turn total 0 with {dice} dice cannot occur: a turn starts with all {game.dice}")
        return
    totals, ended = turn_totals(game), dice == 0
    if not totals.can_be(turn // game.unit, ended):
        near = " or ".join(str(units * game.unit) for units in totals.nearest(turn // game.unit, ended))
        raise ValueError(f"turn total {turn} cannot occur: no keeps of {game.name} make it; the nearest that can: {near}")


def _check_multiple(game: RaceGame, what: str, points: int) -> None:
    check_whole(what, points)
    if points % game.unit:
        raise ValueError(f"{what} {points} cannot occur: give a multiple of {game.unit}")


class TurnTotals(NamedTuple):
    """The turn totals that keeps can make: `made[t]` has bit n set if n dice may be left at t units.

    The last `period` columns repeat for ever; 0: so far no run has come again, and what lies beyond is let be.
    """

    made: tuple[int, ...]
    period: int

    def can_be(self, units: int, ended: bool = False) -> bool:
        """Tell whether a turn can have made so many units, with dice left to throw unless it has ended."""
        if units >= len(self.made):
            if not self.period:
                return True
            units = len(self.made) - self.period + (units - len(self.made)) % self.period
        return self.made[units] > (0 if ended else 1)

    def nearest(self, units: int, ended: bool = False) -> list[int]:
        """List the next total below that can occur and, unless there is none, the next above."""
        known, repeats = len(self.made), max(self.period, 1)
        below = chain(range(units - 1, max(units - 1 - repeats, -1), -1), range(min(units, known) - 1, -1, -1))
        above = range(units + 1, max(units, known) + repeats + 1)
        found = (next((near for near in side if self.can_be(near, ended)), None) for side in (below, above))
        return [near for near in found if near is not None]


@functools.lru_cache(maxsize=64)
def turn_totals(game: RaceGame) -> TurnTotals:
    """Find the turn totals that can occur, by the dice that may then be in hand."""
    ways: list[set[tuple[int, int]]] = [set()]
    for dice in range(1, game.dice + 1):
        found = {(keep.points // game.unit, keep.dice_left) for roll, _ in rolls(game, dice) for keep in keeps(game, roll)}
        ways.append(found)
    width = max(points for found in ways for points, _ in found)
    made = [1 << game.dice] + [0] * width
    runs: dict[tuple[int, ...], int] = {}
    for at in range(MOST_COLUMNS):
        # Columns below `at` are complete.
        if at % width == 0 and at:
            run = tuple(made[at - width : at])
            if run in runs:
                return TurnTotals(tuple(made[:at]), at - runs[run])
            runs[run] = at
        for dice in range(1, game.dice + 1):
            if made[at] >> dice & 1:
                for points, left in ways[dice]:
                    made[at + points] |= 1 << left
        made.append(0)
    return TurnTotals(tuple(made[:MOST_COLUMNS]), 0)
