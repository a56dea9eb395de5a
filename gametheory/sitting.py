"""Sitting down to a solved match: one game for a person and one who plays at his best, throw by throw.

A `Sitting` is the table at which the game is played. It throws the dice, ranks what lies there, lets a move take effect
and says all of it in words; who decides, and what a decision costs, is not its business (`advisor.trainer`). A kind of
match that can be sat down to has a class of its own, which `match.Solution.sit` returns. How positions and moves are
worded, the family's notation says (`Spoken`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

from .answers import Move, Policy, Ranking
from .dice import Stream


class Spoken(Protocol):
    """What a family's notation says to a person who plays, and understands of what he types."""

    noun: str
    """What a move is asked for by, and listed under."""

    @property
    def how_to(self) -> str:
        """Say how a move is typed, in a sentence."""

    def write_roll(self, roll: Any) -> str:
        """Write a roll or a keep."""

    def write_move(self, move: Move) -> str:
        """Write a move the way that it is typed."""

    def offer(self, moves: Sequence[Move]) -> list[str]:
        """Return the lines that list the moves, in the order of the rules; none where the roll shows what they are."""

    def read_move(self, text: str, roll: Any, moves: Sequence[Move]) -> Move:
        """Read a move of a roll as it was typed, or refuse it in one line."""


class SpokenScore(Spoken, Protocol):
    """What the notation of a scoring game says beside that."""

    def standing(self, state: Any) -> str:
        """Say where a player stands."""

    def story(self, roll: Any, move: Move, after: Any) -> str:
        """Say in a line what the other player rolled and did, and where that led."""


class Sitting(ABC):
    """One game, from the first throw to the end; seats are 0 for the first player and 1 for the second.

    After `throw` the dice lie on the table until `play` lets a move of the player to move, or a bust, take effect.
    """

    notation: Spoken
    roll: Any = None
    """The dice on the table."""
    ranking: Ranking | None = None
    """What they can be played as, the best to win first; None for a bust."""
    listed: Sequence[Move] = ()
    """The same moves in the order in which they are offered."""
    to_move: int = 0
    """The seat whose move it is."""
    shares: tuple[float, float] | None = None
    """What the game brought each seat: 1 for a win, 0 for a loss, what a tie is worth; None until it is over."""

    def __init__(self, notation: Spoken, me: int) -> None:
        self.notation, self.me = notation, me

    @property
    def mine(self) -> bool:
        """Whether it is the person's move."""
        return self.to_move == self.me

    @abstractmethod
    def chance(self) -> float:
        """Return the chance to win of the player to move, before the dice are thrown."""

    @property
    @abstractmethod
    def place(self) -> dict[str, Any]:
        """What places the roll on the table, by the names of the options of `moves`."""

    @property
    @abstractmethod
    def seen(self) -> Any:
        """The position on the table as policies are told it."""

    def can_ask(self, policy: Policy) -> bool:
        """Tell whether a policy can be asked what it makes of a roll."""
        return True

    def answer(self, policy: Policy) -> Move:
        """Return the move that a policy makes of the roll on the table."""
        assert self.ranking is not None, "a bust leaves nothing to do"
        if policy.name in self.ranking.best:
            return self.ranking[self.ranking.best[policy.name]]
        keep = policy(self.seen, self.roll)
        for move in self.ranking:
            if keep == (move.keep if move.bank is None else (move.keep, move.bank)):
                return move
        raise ValueError(f"{policy.name} keeps {keep!r} of {self.notation.write_roll(self.roll)}, which is no move there")

    @abstractmethod
    def throw(self, stream: Stream) -> None:
        """Throw the dice of the player to move, and rank what can be done with them."""

    def lost(self) -> float:
        """Return the chance to win of the player to move after the bust that lies on the table."""
        raise AssertionError(f"{type(self).__name__} knows no busts")

    @abstractmethod
    def told(self) -> list[str]:
        """Return the lines that are said when the dice lie there, before anybody decides."""

    def read(self, text: str) -> Move:
        """Read a move of the roll on the table as it was typed, or refuse it in one line."""
        return self.notation.read_move(text, self.roll, self.listed)

    @abstractmethod
    def play(self, move: Move | None) -> list[str]:
        """Let a move, or with None a bust, take effect; return the lines that tell of it, and of the end of the game."""
