"""How pools read and write positions, rolls and moves; rolls are in the notation of `dice`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import dice
from ..answers import DifferenceRow, Move, Plain
from ..dice import Roll
from .rules import PoolGame, State


class Position(NamedTuple):
    """Where a decision is made: dice left, points banked, and the score to beat (None for the first player)."""

    dice_left: tuple[int, ...]
    banked: int
    target: int | None = None


def preference(keep: Roll) -> tuple[Any, ...]:
    """Return what keeps of equal worth are sorted by: fewer dice, then more of the smaller kinds, then higher faces."""
    counts = [len(faces) for faces in keep]
    return sum(counts), tuple(-n for n in counts), tuple(tuple(-face for face in faces) for faces in keep)


def check_keep(game: PoolGame, roll: Roll, keep: Any, asked: str = "the policy") -> None:
    """Refuse a keep that is not a non-empty part of the roll."""
    legal = isinstance(keep, tuple) and len(keep) == len(roll) and any(keep)
    legal = legal and all(
        isinstance(part, tuple) and all(part.count(face) <= faces.count(face) for face in part)
        for part, faces in zip(keep, roll, strict=True)
    )
    if not legal:
        raise ValueError(
            f"{asked} kept {keep!r} of the roll {roll!r} ({dice.format_roll(roll, game.kinds)}): a keep is a tuple "
            "like the roll, one tuple of faces for each kind of die, some of those rolled and at least one"
        )


def best_keeps(roll: Roll, game: PoolGame) -> list[Roll]:
    """List the keeps that take the best faces of each kind first: what a player who wants points, or to win, considers."""
    ordered = []
    for k, faces in enumerate(roll):
        gains = game.face_gains(k)
        ordered.append(tuple(sorted(faces, key=lambda face, gains=gains: (-gains[face - 1], -face))))  # type: ignore[misc]
    found: list[Roll] = [()]
    for faces in ordered:
        found = [(*keep, tuple(sorted(faces[:n], reverse=True))) for keep in found for n in range(len(faces) + 1)]
    return [keep for keep in found if any(keep)]


@dataclass(frozen=True)
class PoolNotation:
    """The notation of one pool; see `answers.Notation`."""

    game: PoolGame

    options = ("banked",)
    places = ("dice_left", "banked")
    banks = False

    @property
    def labels(self) -> Plain:
        """What names the game beside its name."""
        return {"dice": self.game.dice}

    def left(self, state: State) -> tuple[int, ...]:
        """Return what a state leaves to play."""
        return state.dice_left

    def read_roll(self, text: str) -> Roll:
        return dice.parse_roll(text, self.game.kinds)

    def write_roll(self, roll: Roll) -> str:
        return dice.format_roll(roll, self.game.kinds)

    def write_left(self, left: tuple[int, ...]) -> str:
        return dice.format_dice(left, self.game.kinds) if len(left) == len(self.game.kinds) else str(left)

    def read_left(self, left: str | tuple[int, ...]) -> tuple[int, ...]:
        """Read how many dice of each kind are left."""
        return dice.parse_counts(left, self.game.kinds) if isinstance(left, str) else left

    def preference(self, move: Move) -> tuple[Any, ...]:
        return preference(move.keep)

    def read(self, roll: str | Roll, banked: int | None = None) -> tuple[Roll, State]:
        """Read a roll and the state it was rolled in; refuse what cannot occur."""
        game = self.game
        shown = self.read_roll(roll) if isinstance(roll, str) else roll
        left = tuple(len(faces) for faces in shown)
        if banked is None:
            if left != game.counts:
                game.check_dice(left)
                raise ValueError(
                    f"the roll has {self.write_left(left)} of {game.dice}: say how many points the dice set aside have "
                    "made (--banked N, banked=N)"
                )
            banked = 0
        game.check_state(left, banked)
        return shown, State(left, banked)

    def check(self, roll: str | Roll, banked: int | None = None) -> None:
        """Refuse a roll that cannot occur, before anything is solved for it."""
        self.read(roll, banked)

    def words(self, state: State, roll: Roll) -> str:
        """Say a roll and where it was made."""
        return f"{self.write_roll(roll)} with {state.banked} banked"

    def asked(self, state: State) -> Plain:
        """Return what else places the roll, as plain data."""
        return {"banked": state.banked}

    def place(self, position: State) -> Plain:
        return {"dice_left": self.write_left(position.dice_left), "banked": position.banked}

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        def kept(move: Move) -> str:
            return (
                f"keep {self.write_roll(move.keep)} ({move.expected_score:.2f} points, {move.win_probability:.1%} to win)"
            )

        state = row.position
        return (
            f"With {self.write_left(state.dice_left)} left, {state.banked} banked and {self.write_roll(row.roll)} rolled: "
            f"{said[0]} {kept(row.move)}, {said[1]} {kept(row.to_move)}."
        )

    # Said to a person who plays.

    noun = "keep"

    @property
    def how_to(self) -> str:
        """Say how a keep is typed."""
        name = self.game.kinds[0].name
        short = ' or just "1 1"' if len(self.game.kinds) == 1 else ""
        return f'Type the dice to keep, as in "{name}:1,1"{short}.'

    def write_move(self, move: Move) -> str:
        return self.write_roll(move.keep)

    def offer(self, moves: Sequence[Move]) -> list[str]:
        """List nothing: the roll shows what can be kept."""
        return []

    def read_move(self, text: str, roll: Roll, moves: Sequence[Move]) -> Move:
        """Read a keep; "all" is the whole roll, and dice of the only kind need no name."""
        kinds = self.game.kinds
        if len(kinds) == 1 and ":" not in text and text and text.lower() != "all":
            text = f"{kinds[0].name}:{','.join(text.replace(',', ' ').split())}"
        keep = roll if text.lower() == "all" else self.read_roll(text)
        for move in moves:
            if move.keep == keep:
                return move
        raise ValueError(f"{self.write_roll(keep)} is no part of the roll: keep some of {self.write_roll(roll)}.")

    def standing(self, state: State) -> str:
        """Say what is banked."""
        return f"{state.banked} banked"

    def story(self, roll: Roll, move: Move, after: State) -> str:
        """Say what the other player rolled, kept, and then has banked."""
        return f"They roll {self.write_roll(roll)}, keep {self.write_roll(move.keep)}: {after.banked}."
