"""How scorecards read and write positions, rolls and moves.

A roll, and what is kept of it, is faces, the highest first: "6 6 5 3 1". A card is the filled boxes with what they hold, as
"ones:3,chance:22"; further bonuses stand there as "bonus:100". A move is a keep while throws are left, else a box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from .. import dice as dies
from ..answers import DifferenceRow, Move, Plain
from .rules import FIFTY, UPPER, Card, Faces, ScorecardGame, Standing, keeps, preference


class Position(NamedTuple):
    """Where a decision is made: the standing, and the score to beat (None for the first player)."""

    card: Card
    kept: Faces
    throws: int
    banked: int
    target: int | None = None


@dataclass(frozen=True)
class ScorecardNotation:
    """The notation of one game of scorecards; see `answers.Notation`."""

    game: ScorecardGame

    options = ("card", "rolls_left")
    places = ("card", "rolls_left", "banked")
    banks = False

    @property
    def labels(self) -> Plain:
        """What names the game beside its name: the joker rule, as every figure hangs on it."""
        return {"joker": self.game.joker}

    # Rolls and moves.

    def read_roll(self, text: Any) -> Faces:
        """Read all dice; refuse too few, too many, and faces that there are not."""
        game = self.game
        if isinstance(text, str):
            (faces,) = dies.parse_roll(text.replace(",", " "), (dies.standard_die(game.sides),)) if text.strip() else ((),)
        else:
            faces = tuple(sorted(text, reverse=True))
        if len(faces) != game.dice:
            example = " ".join(map(str, range(game.dice, 0, -1))) if game.dice <= game.sides else "1 " * game.dice
            raise ValueError(
                f"the roll {self.write_roll(faces)!r} has {len(faces)} dice: {game.name} is played with {game.dice}, as "
                f'in "{example.strip()}"'
            )
        if not all(isinstance(face, int) and 1 <= face <= game.sides for face in faces):
            raise ValueError(f"the roll {text!r}: faces are from 1 to {game.sides}")
        return faces

    def write_roll(self, roll: Any) -> str:
        return roll if isinstance(roll, str) else " ".join(map(str, roll))

    def keep_data(self, keep: Any) -> Plain:
        """Return a move as plain data: what is kept, or else the box."""
        return {"keep": None, "box": keep} if isinstance(keep, str) else {"keep": self.write_roll(keep), "box": None}

    def preference(self, move: Move) -> tuple[Any, ...]:
        """Prefer the earlier box; fewer dice kept, then higher faces."""
        return (self.game.boxes.index(move.keep),) if isinstance(move.keep, str) else preference(move.keep)

    # Cards.

    def read_card(self, given: Any) -> tuple[Card, int]:
        """Return a card and its points in all; refuse one that no play fills in."""
        game, held = self.game, _entries(given)
        further = held.pop("bonus", 0)
        if not isinstance(given, str | Mapping):
            raise ValueError(f"the card {given!r}: give filled boxes with their points, as ones:3,chance:22")
        for box, points in held.items():
            if box not in game.boxes:
                raise ValueError(f"there is no box {box!r} on the card: {game.name} has {', '.join(game.boxes)}")
            if points not in self._attainable[box]:
                known = ", ".join(map(str, sorted(self._attainable[box])))
                raise ValueError(f"{points} points in {box} cannot be: it holds one of {known}")
        filled = sum(1 << game.boxes.index(box) for box in held)
        above = sum(points for box, points in held.items() if box in UPPER)
        at, bonus = game.upper_bonus or (0, 0)
        fifty = bool(game.yahtzee_bonus) and held.get("yahtzee") == FIFTY
        if further:
            most = game.yahtzee_bonus * (len(held) - 1)
            if not fifty:
                raise ValueError(f"bonus:{further} needs a yahtzee:{FIFTY} on the card: give it, or leave the bonus out")
            if further % game.yahtzee_bonus or not 0 <= further <= most:
                raise ValueError(
                    f"bonus:{further} cannot be: each further Yahtzee brings {game.yahtzee_bonus}, and fills a box; at most "
                    f"{most} with these boxes"
                )
        points = sum(held.values()) + further + (bonus if at and above >= at else 0)
        return Card(filled, min(above, at) if at else 0, fifty), points

    @cached_property
    def _attainable(self) -> dict[str, set[int]]:
        """By box: what it can hold, jokers counted."""
        game = self.game
        rolls = [faces for faces, _ in dies.standard_die(game.sides).roll(game.dice)]
        found = {box: {game.points(box, roll) for roll in rolls} for box in game.boxes}
        if game.joker != "none":
            for box in set(found) - {*UPPER, "yahtzee"}:
                found[box] |= {game.points(box, roll, joker=True) for roll in rolls if roll[0] == roll[-1]}
        return found

    def write_card(self, card: Card) -> str:
        """Write what counts of a card."""
        boxes = [box for place, box in enumerate(self.game.boxes) if card.filled >> place & 1]
        if not boxes:
            return "an empty card"
        left = [box for box in self.game.boxes if box not in boxes]
        said = f"{'+'.join(boxes)} filled" if len(boxes) <= len(left) else f"{'+'.join(left) or 'nothing'} open"
        above = f", {card.upper} above" if self.game.upper_bonus and any(box in UPPER for box in boxes) else ""
        return said + above + (", a Yahtzee of 50" if card.fifty else "")

    # Positions.

    def read(self, roll: Any, card: Any = None, rolls_left: int | None = None) -> tuple[Faces, Standing]:
        """Read a roll and where it was made: with an empty card, and after the first throw of the turn, if not said."""
        game = self.game
        left = game.rolls_a_turn - 1 if rolls_left is None else rolls_left
        if not 0 <= left < game.rolls_a_turn:
            raise ValueError(f"--rolls-left {left}: a turn has {game.rolls_a_turn} throws, say 0 to {game.rolls_a_turn - 1}")
        held, banked = self.read_card("" if card is None else card)
        if held.filled == game.full:
            raise ValueError(f"the card is full: the game is over with {banked} points")
        return self.read_roll(roll), Standing(held, (), left + 1, banked)

    def check(self, roll: Any, **position: Any) -> None:
        self.read(roll, **position)

    def left(self, state: Standing) -> Any:
        return state[:3]

    def write_left(self, left: Any) -> str:
        card, kept, throws = left
        if throws == self.game.rolls_a_turn:
            return f"{len(self.game.boxes) - card.filled.bit_count()} boxes"
        return f"{self.game.dice - len(kept)} dice"

    def write(self, thing: Any) -> str:
        return thing if isinstance(thing, str) else self.write_roll(thing)

    def words(self, state: Standing, roll: Any) -> str:
        return f"{self.write_roll(roll)} with {_times(state.throws - 1, 'roll')} left, {self.where(state)}"

    def where(self, state: Any) -> str:
        return f"{self.write_card(state.card)}, {state.banked} points"

    def asked(self, state: Standing) -> Plain:
        return self.place(state)

    def place(self, position: Any) -> Plain:
        return {"card": self.write_card(position.card), "rolls_left": position.throws - 1, "banked": position.banked}

    def alike(self, row: DifferenceRow) -> Any:
        return (*self.place(row.position).values(), self.write_roll(row.roll))

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        def done(move: Move) -> str:
            return f"{self.act(move)} ({move.expected_score:.2f} points, {move.win_probability:.1%} to win)"

        return f"{self.words(row.position, row.roll)}: {said[0]} {done(row.move)}, {said[1]} {done(row.to_move)}."

    def act(self, move: Move) -> str:
        """Say a move in words."""
        if isinstance(move.keep, str):
            return f"fill {move.keep} with {move.points}"
        return f"keep {self.write_roll(move.keep) or 'nothing'}"

    # Said to a person who plays.

    noun = "move"
    how_to = 'Type the dice to keep, as 6 6 5, "all" or "none"; after the last throw the box, or its number.'

    def write_move(self, move: Move) -> str:
        return move.keep if isinstance(move.keep, str) else self.write_roll(move.keep) or "none"

    def offer(self, moves: Sequence[Move]) -> list[str]:
        """List the boxes; what can be kept the roll shows."""
        if not isinstance(moves[0].keep, str):
            return []
        return [f"{number:>5}  {move.keep} ({move.points})" for number, move in enumerate(moves, 1)]

    def read_move(self, text: str, roll: Any, moves: Sequence[Move]) -> Move:
        typed = " ".join(text.replace(",", " ").split()).lower()
        if isinstance(moves[0].keep, str):
            names: dict[str, Move] = {move.keep: move for move in moves}
            if typed in names:
                return names[typed]
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(moves):
                return moves[int(typed) - 1]
            raise ValueError(f"{text!r} is no open box: type one of {', '.join(names)}, or its number.")
        wanted = {"none": "", "nothing": "", "all": self.write_roll(roll)}.get(typed, typed)
        faces = tuple(sorted((int(c) for c in wanted if c.isascii() and c.isdigit()), reverse=True))
        if wanted.replace(" ", "").isascii() and (not wanted or wanted.replace(" ", "").isdigit()) and faces in keeps(roll):
            return next(move for move in moves if move.keep == faces)
        raise ValueError(f"{text!r} is no part of the roll: keep some of {self.write_roll(roll)}.")

    def standing(self, state: Standing) -> str:
        return f"{self.where(state)}, {_times(state.throws - 1, 'roll')} left"

    def story(self, roll: Any, move: Move, after: Standing) -> str:
        return f"They roll {self.write_roll(roll)} and {self.act(move)}: {after.banked} points."


def _times(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _entries(given: Any) -> dict[str, int]:
    """Read boxes and points, each box once."""
    if isinstance(given, Mapping):
        pairs = [(str(box), points) for box, points in given.items()]
    elif isinstance(given, str):
        pairs = []
        for part in given.replace(",", " ").split():
            box, colon, points = part.partition(":")
            if not colon or not (points.isascii() and points.isdigit()) or len(points) > 7:
                raise ValueError(f"{part!r} on the card: write filled boxes with their points, as ones:3,chance:22")
            pairs.append((box.lower(), int(points)))
    else:
        return {}
    found: dict[str, int] = {}
    for box, held in pairs:
        if box in found:
            raise ValueError(f"{box} stands twice on the card: give each box once")
        if not isinstance(held, int) or isinstance(held, bool):
            raise ValueError(f"{box} holds {held!r}: give whole points")
        found[box] = held
    return found
