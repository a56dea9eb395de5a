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
    """Where a decision is made: dice left, points banked, and the score to beat (None for the first player).

    Where rolls are counted, `rolls_left` is how many may follow the one on the table.
    """

    dice_left: tuple[int, ...]
    banked: int
    target: int | None = None
    rolls_left: int | None = None


def preference(keep: Roll) -> tuple[Any, ...]:
    """Return what keeps of equal worth are sorted by: fewer dice, then more of the smaller kinds, then higher faces."""
    counts = [len(faces) for faces in keep]
    return sum(counts), tuple(-n for n in counts), tuple(tuple(-face for face in faces) for faces in keep)


def check_keep(game: PoolGame, roll: Roll, keep: Any, asked: str = "the policy", least: int = 1) -> None:
    """Refuse a keep that is no part of the roll, or fewer dice than must be kept of it."""
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
    if sum(map(len, keep)) < least:
        raise ValueError(
            f"{asked} kept {dice.format_roll(keep, game.kinds)} of {dice.format_roll(roll, game.kinds)}: "
            f"{least} dice or more must be kept here"
        )


def best_keeps(roll: Roll, game: PoolGame, least: int = 1) -> list[Roll]:
    """List the keeps that take the best faces of each kind first: what a player who wants points, or to win, considers."""
    ordered = []
    for k, faces in enumerate(roll):
        gains = game.face_gains(k)
        ordered.append(tuple(sorted(faces, key=lambda face, gains=gains: (-gains[face - 1], -face))))  # type: ignore[misc]
    found: list[Roll] = [()]
    for faces in ordered:
        found = [(*keep, tuple(sorted(faces[:n], reverse=True))) for keep in found for n in range(len(faces) + 1)]
    return [keep for keep in found if sum(map(len, keep)) >= least]


@dataclass(frozen=True)
class PoolNotation:
    """The notation of one pool; see `answers.Notation`."""

    game: PoolGame

    banks = False

    @property
    def options(self) -> tuple[str, ...]:
        return ("banked",) if self.game.roll_limit is None else ("banked", "rolls_left")

    @property
    def places(self) -> tuple[str, ...]:
        return ("dice_left", *self.options)

    @property
    def labels(self) -> Plain:
        """What names the game beside its name."""
        return {"dice": self.game.dice}

    def left(self, state: State) -> tuple[int, ...]:
        """Return what a state leaves to play: the dice of each kind and, where they are counted, the rolls."""
        return state.dice_left if state.rolls_left is None else (*state.dice_left, state.rolls_left)

    def read_roll(self, text: str) -> Roll:
        return dice.parse_roll(text, self.game.kinds)

    def write_roll(self, roll: Roll) -> str:
        return dice.format_roll(roll, self.game.kinds)

    def keep_data(self, keep: Any) -> Plain:
        return {"keep": self.write_roll(keep)}

    def write_left(self, left: tuple[int, ...]) -> str:
        """Write the dice of what is left; rolls go without saying, as all have made as many."""
        kinds, rolls = len(self.game.kinds), int(self.game.roll_limit is not None)
        return dice.format_dice(left[:kinds], self.game.kinds) if len(left) == kinds + rolls else str(left)

    def read_left(self, left: str | tuple[int, ...], beside: State, more: int = 0) -> tuple[int, ...]:
        """Read what another player has left, who has made as many rolls as one in the state `beside`, or so many more."""
        found = dice.parse_counts(left, self.game.kinds) if isinstance(left, str) else left
        if beside.rolls_left is None or len(found) > len(self.game.kinds):
            return found
        return (*found, max(0, beside.rolls_left - more) if any(found) else 0)

    def preference(self, move: Move) -> tuple[Any, ...]:
        return preference(move.keep)

    def read(
        self, roll: str | Roll, banked: int | None = None, rolls_left: int | None = None
    ) -> tuple[Roll, State]:
        """Read a roll and the state it was rolled in; refuse what cannot occur. `rolls_left` may follow this one."""
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
        rolls = self._rolls(left, rolls_left)
        game.check_state(left, banked, rolls)
        return shown, State(left, banked, rolls)

    def _rolls(self, left: tuple[int, ...], rolls_left: int | None) -> int | None:
        """Return how many rolls may be made from this one on, None where nobody counts them."""
        game = self.game
        if game.roll_limit is None:
            if rolls_left is not None:
                raise ValueError(f"--rolls-left {rolls_left}: {game.name} does not count its rolls, leave it out")
            return None
        most = game.roll_limit - 1
        if rolls_left is None:
            if left != game.counts:
                raise ValueError(
                    f"{game.name} ends after {game.roll_limit} rolls: say how many may follow this one "
                    "(--rolls-left N, rolls_left=N)"
                )
            return game.roll_limit
        if not isinstance(rolls_left, int) or not 0 <= rolls_left <= most or (left == game.counts and rolls_left != most):
            could = f"{most} may follow the first" if left == game.counts else f"give 0 to {most - 1}"
            raise ValueError(f"--rolls-left {rolls_left}: {game.name} ends after {game.roll_limit} rolls, {could}")
        return rolls_left + 1

    def check(self, roll: str | Roll, banked: int | None = None, rolls_left: int | None = None) -> None:
        """Refuse a roll that cannot occur, before anything is solved for it."""
        self.read(roll, banked, rolls_left)

    def words(self, state: State, roll: Roll) -> str:
        """Say a roll and where it was made."""
        return f"{self.write_roll(roll)} with {state.banked} banked{self._to_come(state)}"

    def _to_come(self, state: State) -> str:
        """Say how many rolls may follow the one on the table, where that is counted."""
        if state.rolls_left is None:
            return ""
        follow = state.rolls_left - 1
        return f", {follow} {'roll' if follow == 1 else 'rolls'} to come"

    def asked(self, state: State) -> Plain:
        """Return what else places the roll, as plain data."""
        return {name: value for name, value in self.place(state).items() if name != "dice_left"}

    def place(self, position: State) -> Plain:
        found = {"dice_left": self.write_left(self.left(position)), "banked": position.banked}
        return found if position.rolls_left is None else found | {"rolls_left": position.rolls_left - 1}

    def alike(self, row: DifferenceRow) -> Any:
        return (*self.place(row.position).values(), self.write_roll(row.roll))

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        def kept(move: Move) -> str:
            return (
                f"keep {self.write_roll(move.keep)} ({move.expected_score:.2f} points, {move.win_probability:.1%} to win)"
            )

        state = row.position
        return (
            f"With {self.write_left(self.left(state))} left, {state.banked} banked{self._to_come(state)} and "
            f"{self.write_roll(row.roll)} rolled: {said[0]} {kept(row.move)}, {said[1]} {kept(row.to_move)}."
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
        fewest = min(sum(map(len, move.keep)) for move in moves)
        if any(keep) and sum(map(len, keep)) < fewest:
            raise ValueError(f"{self.write_roll(keep)} is too little: keep {fewest} or more of {self.write_roll(roll)}.")
        raise ValueError(f"{self.write_roll(keep)} is no part of the roll: keep some of {self.write_roll(roll)}.")

    def standing(self, state: State) -> str:
        """Say what is banked, and how many rolls are to come."""
        return f"{state.banked} banked{self._to_come(state)}"

    def story(self, roll: Roll, move: Move, after: State) -> str:
        """Say what the other player rolled, kept, and then has banked."""
        return f"They roll {self.write_roll(roll)}, keep {self.write_roll(move.keep)}: {after.banked}."
