"""What a solved match is: every kind of match answers these questions, or says in one line why it cannot.

A kind of match is a class here beneath: `Duel` (one after the other), `Alternating` (roll by roll), `Hidden` (all at once),
`Players` (more than two in turn), `Race` (turns interleave). Which of them a game is played as, its family says
(`games.Family.kinds`); nobody else asks what family a game is of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self

from .. import aims, games
from ..answers import Chase, Checked, Comparison, Distribution, Fair, Plain, Policy, Ranking, Simulation, Stored
from ..differences import Difference
from ..progress import Progress
from ..shelf import Shelf
from ..sitting import Sitting

SEATS = ("first", "second")
MATCHES = ("sequential", "alternating", "simultaneous")

Player = str | Policy | Any
"""A policy, by its name or as a function of position and roll."""


@dataclass(frozen=True)
class Request:
    """What to solve a game for: the format, what a tie is worth, how many play, and how much it may take."""

    match: str = "sequential"
    tie: str | float = "split"
    players: int | None = None
    threads: int | None = None
    force: bool = False
    tolerance: float | None = None
    """Simultaneous: what an answer may gain against the equilibrium."""
    aim: Any = aims.WIN
    """What is played for: the match, or an aim of one player alone (see `aims`)."""
    shelf: Shelf | None = None
    """Where rows too many for memory are kept while they are solved, and found if a solve was cut short."""


class Solution(ABC):
    """A solved match."""

    kind: ClassVar[str]
    """What the table says that it holds."""
    match: ClassVar[str] = "sequential"
    called: ClassVar[str] = "a sequential match"
    """What a refusal calls such a match."""
    ties: ClassVar[bool] = True
    """Whether games can be tied, so that a tie rule is taken."""
    least_players: ClassVar[int] = 0
    """How many players this match is for; fewer play the game for two."""
    keeps: ClassVar[bool] = True
    """Whether its tables are stored."""
    groups: ClassVar[tuple[str, ...]] = ()
    """By what the disagreements of its differences can be added up."""
    chance_arrays: ClassVar[tuple[str, ...]] = ()
    """The arrays of its table that hold chances, NaN where no play leads."""
    options: ClassVar[tuple[str, ...]] = ()
    """What places a position in this match, beside the options of the game's own notation."""
    deals: ClassVar[bool] = True
    """Whether games are played, and moves told, against any policy; else all play to win."""
    alone: ClassVar[bool] = False
    """Whether one plays for himself, with nobody against him."""
    distribution_options: ClassVar[tuple[str, ...]] = ()
    """What else places the player whose distribution is told."""
    game: Any
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""

    # Making and keeping it.

    @classmethod
    @abstractmethod
    def check(cls, game: Any, request: Request) -> None:
        """Refuse what this match is not played with: tie rules, numbers of players, and games too large."""

    @classmethod
    @abstractmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Self:
        """Solve the game."""

    @classmethod
    def kept(cls, game: Any, request: Request) -> bool:
        """Tell whether what is asked for is stored."""
        return cls.keeps

    @classmethod
    def unsolved(cls, game: Any, question: str, request: Request) -> Self | None:
        """Return what answers a question without being solved, None where it must be solved."""
        return None

    @classmethod
    def facts(cls, tie: str, players: int | None) -> Plain:
        """Return what the table must say of itself."""
        return {"kind": cls.kind, "tie": tie}

    @classmethod
    def file_parts(cls, tie: str, players: int | None) -> list[str]:
        """Return what tells the tables of one game apart in their names."""
        rule = tie if tie[:1].isalpha() else f"tie-{tie}"
        return [*([] if cls.match == "sequential" else [cls.match]), rule]

    @abstractmethod
    def stored(self) -> Stored:
        """Return the solution as plain data."""

    @classmethod
    @abstractmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Self:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""

    @abstractmethod
    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute a sample of values through the plain rules."""

    # What it is worth.

    @property
    @abstractmethod
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when all play for it."""

    @property
    def second_player_value(self) -> float:
        return 1.0 - self.first_player_value

    @abstractmethod
    def headline(self) -> Plain:
        """Return what solving found, as plain data; nothing is computed anew."""

    # Questions. What a match does not answer is refused with its reason.

    because: ClassVar[Mapping[str, str]] = {}
    """Why it does not answer some."""
    instead: ClassVar[str] = "ask the game for two in turn, --match sequential"
    """What to do where this match does not answer a question."""

    @classmethod
    def check_question(cls, game: Any, question: str) -> None:
        """Refuse a question that this match does not answer, before anything is solved for it."""
        if getattr(cls, question) is getattr(Solution, question):
            because = cls.because.get(question)
            why = f"{because}; {cls.instead}" if because else cls.instead
            raise ValueError(f"{QUESTIONS[question]} is not told for {cls.called} of {game.name}: {why}")

    def _refuse(self, question: str) -> NoReturn:
        self.check_question(self.game, question)
        raise AssertionError(f"{type(self).__name__} answers {question}")

    def policy(self, chosen: Player) -> Policy:
        """Return a policy by its name, or make one of a function."""
        self._refuse("policy")

    @classmethod
    def policy_names(cls, game: Any) -> tuple[str, ...]:
        """List the built-in policies of a game in this match."""
        return ()

    @classmethod
    def check_policy(cls, game: Any, chosen: Player) -> None:
        """Refuse a name that no policy has, before anything is solved for it."""
        names = cls.policy_names(game)
        if not names:
            raise ValueError(f"nobody plays {chosen!r} in {cls.called} of {game.name}, all play to win: {cls.instead}")
        if isinstance(chosen, str) and chosen not in names and not aims.is_aim(chosen):
            raise ValueError(f"there is no policy {chosen!r}: the policies are {', '.join(names)}, reach:N")

    @classmethod
    def check_moves(cls, game: Any, request: Request, roll: Any, **position: Any) -> None:
        """Refuse a roll and a position that cannot occur, before anything is solved for them."""
        notation = games.notation(game)
        notation.check(roll, **{name: position[name] for name in notation.options if name in position})

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        """Refuse seats, targets and sums that a difference is not told for, before anything is solved for it."""
        if group is not None and group not in cls.groups:
            raise ValueError(f"--by {group} is not told for {game.name}: say {' or '.join(cls.groups)}")

    @classmethod
    def check_compare(cls, game: Any, players: int | None = None, seat: str | int | None = None) -> None:
        """Refuse a seat where both are compared, before anything is solved for it."""
        cls.check_question(game, "compare")
        if seat is not None and not cls.least_players:
            raise ValueError(f"--seat {seat}: of two players both seats are compared; leave it out, or say --players N")
        if seat is not None:
            seat_number(seat, players or len(ORDINALS))

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        """Refuse seats and positions whose distribution is not told, before anything is solved for it."""
        cls.check_question(game, "distribution")

    def moves(self, roll: Any, *, sort: str = "win", against: Player | None = None, **position: Any) -> Ranking:
        """Rank every distinct move of a roll, best first."""
        self._refuse("moves")

    def chance_before(self, roll: Any, **position: Any) -> float:
        """Return the chance to win of the player to move before the dice of a roll were thrown."""
        self._refuse("chance_before")

    def chase(self, *, players_after: int | None = None) -> Chase:
        """Return what the player to come has against every score of the one who has finished."""
        self._refuse("chase")

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        """Return the exact distribution of the final score of a policy, playing second if a target is given."""
        self._refuse("distribution")

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        """Compare policies with one another, each in both seats; of several players, in one seat against all others."""
        self._refuse("compare")

    def best_answer(self, against: Player, progress: Progress | None = None) -> Plain:
        """Return what the best answer to a policy is worth in either seat, as plain data."""
        self._refuse("best_answer")

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> Difference:  # fmt: skip
        """Find where two ways to play part, along the play of the first: for points and to win, if not said."""
        self._refuse("diff")

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        """Play games by chance: policies against each other, or everybody at his best where none is given."""
        self._refuse("simulate")

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        """Find the whole number of points that makes the game even."""
        self._refuse("fair")

    def sit(self, seat: str) -> Sitting:
        """Sit a person down to play one game, in a seat of two."""
        self._refuse("sit")


QUESTIONS = {
    "policy": "a policy",
    "moves": "the worth of single moves",
    "chance_before": "the luck of a roll",
    "chase": "the chance against a final score",
    "distribution": "the distribution of a final score",
    "compare": "a comparison of policies",
    "best_answer": "the best answer to a policy",
    "diff": "where win and score part",
    "simulate": "a game played by chance",
    "fair": "a fair start",
    "sit": "a training game",
}
"""What the questions are called."""


def check_seat(seat: Any) -> str:
    """Return a seat of two as a word; refuse what is none."""
    return SEATS[seat_number(seat, 2)]


ORDINALS = (
    *SEATS, "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
"""Seats in words, as far as they are told."""


def seat_number(seat: str | int, players: int) -> int:
    """Return the number of a seat, from 0 on, of a word or a number from 1 on; refuse what is none.

    >>> seat_number("second", 2), seat_number(3, 4), seat_number("4", 4)
    (1, 2, 3)
    """
    names = ORDINALS[:players]
    if seat in names:
        return names.index(str(seat))
    if str(seat).isdecimal() and str(seat).isascii() and 1 <= int(seat) <= players:
        return int(seat) - 1
    said = " or ".join(SEATS) if players == 2 else f"1 to {players}"
    raise ValueError(f"there is no seat {seat!r}: say {said}")


def check_games(games: int, seed: int) -> None:
    """Refuse numbers of games that cannot be played, and seeds below 0."""
    if not 1 <= games <= MOST_GAMES:
        raise ValueError(f"{games} games: give 1 to {MOST_GAMES}")
    if seed < 0:
        raise ValueError(f"the seed {seed}: give 0 or more")


MOST_GAMES = 100_000_000
"""Every game's scores are held in memory: this many need some gigabytes."""
