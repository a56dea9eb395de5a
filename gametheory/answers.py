"""What questions are answered with: one class for each word, in every family of games, and the one order of moves.

Chances are those of the player whose move it is. Rolls, keeps and positions are in the form of the game's family, whose
`Notation` writes them; `to_dict()` gives plain data with the keys that scripts rely on.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, overload

import numpy as np

from . import tabular
from .outcomes import Array as Array
from .outcomes import Chase as Chase
from .outcomes import Comparison as Comparison
from .outcomes import Distribution as Distribution
from .outcomes import Fair as Fair
from .outcomes import Plain as Plain
from .outcomes import Simulation as Simulation
from .outcomes import standard_error as standard_error
from .ties import TIED

if TYPE_CHECKING:
    import pandas



class Move(NamedTuple):
    """One way to play a roll, with what it leads to if the play is best, for either figure, from then on.

    `dice_left` is what is left to play: the dice of each kind in a pool, how many in a race, else the next state. `bank`
    says whether the turn ends with this, where turns do.
    """

    keep: Any
    points: int
    dice_left: Any
    expected_score: float
    win_probability: float
    bank: bool | None = None
    value: float | None = None
    """What it is worth for another aim than winning; it says no chance to win then (NaN)."""


COMMANDS = ("?", "q", "quit", "exit")
"""What a person who plays types where he does not make a move: show the best ones, or leave."""


class Notation(Protocol):
    """How a family reads and writes positions, rolls and moves."""

    options: tuple[str, ...]
    """The options that place a position: banked, target, turn, score, opponent, ..."""

    places: tuple[str, ...]
    """The columns of a difference that say where a roll was made."""

    banks: bool
    """Whether a move also says if the turn ends with it."""

    def read_roll(self, text: str) -> Any:
        """Read a roll, or refuse it."""

    def write_roll(self, roll: Any) -> str:
        """Write a roll or a keep."""

    def keep_data(self, keep: Any) -> Plain:
        """Return what a move keeps, or does, as plain data."""

    def write_left(self, left: Any) -> Any:
        """Write what a move leaves to play."""

    def preference(self, move: Move) -> tuple[Any, ...]:
        """Return what moves of equal worth are sorted by, the preferred one lowest."""

    def place(self, position: Any) -> Plain:
        """Return where a roll was made, as plain data with the names in `places`."""

    def sentence(self, row: DifferenceRow, said: tuple[str, str] = ("for points", "to win")) -> str:
        """Say where two ways to play part in words a player understands; `said` are the two ways."""

    def alike(self, row: DifferenceRow) -> Any:
        """Return what rows have in common that are said in one sentence."""

    @property
    def labels(self) -> Plain:
        """What names the game beside its name, as plain data."""

    def check(self, roll: Any, **position: Any) -> None:
        """Refuse a roll and a position that cannot occur, before anything is solved for them."""


# The order of moves.

Worth = Callable[[Move], float]


def order(moves: Iterable[Move], worths: Sequence[Worth], preference: Callable[[Move], tuple[Any, ...]]) -> list[Move]:
    """Sort moves, best first: by one worth after the other, and at last by preference.

    Moves within TIED of the best are equal to it and go by the next worth; so do those within TIED of the best of the
    rest, and so on.
    """
    group = list(moves)
    if len(group) < 2:
        return group
    if not worths:
        return sorted(group, key=preference)
    worth, *rest = worths
    group.sort(key=lambda move: -worth(move))
    found: list[Move] = []
    begin = 0
    while begin < len(group):
        bar = worth(group[begin]) - TIED
        end = begin + 1
        while end < len(group) and worth(group[end]) >= bar:
            end += 1
        found += order(group[begin:end], rest, preference)
        begin = end
    return found


def by_win(move: Move) -> float:
    """Return a move's chance to win."""
    return move.win_probability


@dataclass(frozen=True)
class Ranking(Sequence[Move]):
    """Every distinct move of a roll, best first; `best_for_win`, `best_for_score`, `best_for_aim` are places in it.

    `question` says the position in words, `asked` holds what else was asked, as plain data.
    """

    game: Any
    notation: Notation = field(repr=False)
    roll: Any
    moves: tuple[Move, ...]
    best: Mapping[str, int]
    """By what is played for (win, score, aim): the place of the best move for it."""
    question: str = ""
    asked: Plain = field(default_factory=dict)

    @classmethod
    def of(
        cls, game: Any, notation: Notation, roll: Any, moves: Sequence[Move], *, sort: str,
        orders: Mapping[str, Sequence[Worth]], question: str, asked: Plain,
    ) -> Ranking:  # fmt: skip
        """Rank moves by the worths that count for winning, for points, for an aim; `sort` says which comes first."""
        if sort not in orders:
            raise ValueError(f"cannot sort moves by {sort!r}: say {' or '.join(orders)}")
        ranked = {name: order(moves, worths, notation.preference) for name, worths in orders.items()}
        listed = ranked[sort]
        best = {
            name: next(place for place, move in enumerate(listed) if move is found[0]) for name, found in ranked.items()
        }
        return cls(game, notation, roll, tuple(listed), best, question, asked)

    @property
    def best_for_win(self) -> int:
        return self.best["win"]

    @property
    def best_for_score(self) -> int:
        return self.best["score"]

    @property
    def best_for_aim(self) -> int:
        return self.best["aim"]

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, place: int) -> Move: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, place: int | slice) -> Move | tuple[Move, ...]:
        return self.moves[place]

    def to_dict(self, top: int | None = None) -> Plain:
        """Return the ranking as plain data; of the best `top` moves if said, with the best for win and for score."""
        kept = list(range(min(top, len(self)) if top else len(self)))
        kept += sorted(set(self.best.values()) - set(kept))
        rows = []
        for place in kept:
            move = self.moves[place]
            row = {**self.notation.keep_data(move.keep), "points": move.points}
            row["dice_left"] = self.notation.write_left(move.dice_left)
            if move.bank is not None:
                row["bank"] = move.bank
            row |= {"expected_score": move.expected_score, "win_probability": move.win_probability}
            if move.value is not None:
                row |= {"win_probability": None, "value": move.value}
            rows.append(row)
        return {
            "game": self.game.name,
            "roll": self.notation.write_roll(self.roll),
            "question": self.question,
            **self.asked,
            "moves": rows,
            **dict.fromkeys(("best_for_win", "best_for_score")),
            **{f"best_for_{name}": kept.index(place) for name, place in self.best.items()},
            "moves_in_all": len(self),
        }

    def __repr__(self) -> str:
        figures = [move.win_probability if move.value is None else move.value for move in self.moves[:8]]
        shown = [
            f"{figure:9.6f} {move.expected_score:10.4f}  {self.notation.write_roll(move.keep)}"
            + ("" if move.bank is None else f" {'bank' if move.bank else 'roll'}")
            for figure, move in zip(figures, self.moves[:8], strict=True)
        ]
        more = [f"... and {len(self) - 8} more"] if len(self) > 8 else []
        head = "win" if "win" in self.best else "value"
        return "\n".join([self.question, f"{head:>9} {'score':>10}  keep", *shown, *more])

    def to_pandas(self) -> pandas.DataFrame:
        """Return the moves as a pandas frame, best first."""
        rows = self.to_dict()["moves"]
        return tabular.frame(list(rows[0]), [list(row.values()) for row in rows])

    def _repr_html_(self) -> str:
        rows = self.to_dict(top=8)["moves"]
        return tabular.html(self.question, list(rows[0]), [list(row.values()) for row in rows])


# Policies.


class Policy:
    """A way to play, by a name: `policy(position, roll)` gives the keep, in races the keep and whether to bank.

    `ignores` names what it does not look at (`banked`, `target`, `opponent`, `score`), so that exact evaluation need ask it
    far less often. A plain function may say it by an attribute of that name.
    """

    name: str
    ignores: tuple[str, ...] = ()

    def __call__(self, position: Any, roll: Any) -> Any:
        raise NotImplementedError(f"{self.name} is not asked roll by roll")


def check_calls(policy: Policy, calls: float, force: bool) -> None:
    """Refuse to ask a function more often than takes minutes, unless told to."""
    if calls > MOST_CALLS and not force:
        raise ValueError(
            f"the policy {policy.name} would be asked about {calls:.2g} rolls: say --force (force=True) to start all the "
            "same, let its attribute `ignores` name what it does not look at, or simulate it"
        )


MOST_CALLS = 50_000_000
"""How often a function may be asked without `force`."""


# Where two ways part, and what is checked and kept.


class DifferenceRow(NamedTuple):
    """One roll at which two ways to play part: `probability` of it coming up in a game, `cost` in chance to win.

    What a move is worth is what the second way makes of it afterwards. With an aim the cost is in its worth.
    """

    position: Any
    roll: Any
    move: Move
    """What the first way takes."""
    to_move: Move
    """What the second way takes."""
    probability: float
    cost: float
    score_tied: bool
    """Another move has the same expected score as the first."""

    def to_dict(self, notation: Notation, names: tuple[str, str] = ("score", "win")) -> Plain:
        """Return the row as plain data, the position first; `names` are what the two ways are called."""
        moves = dict(zip(names, (self.move, self.to_move), strict=True))
        data = notation.place(self.position) | {"roll": notation.write_roll(self.roll)}
        for name, move in moves.items():
            data[f"{name}_keep"] = notation.write_roll(move.keep)
            if move.bank is not None:
                data[f"{name}_bank"] = move.bank
        data |= {"probability": self.probability, "cost": self.cost, "weighted_cost": self.probability * self.cost}
        for figure in ("win_probability", "expected_score"):
            for name, move in moves.items():
                data[f"{name}_keep_{figure}"] = getattr(move, figure)
        return data | {"score_tied": self.score_tied}


class Checked(NamedTuple):
    """How many values were recomputed through the plain rules, and the largest difference to what is stored."""

    checked: int
    worst_residual: float


def encode(values: Any, kind: str = "<f8") -> str:
    """Write numbers as base64 of their bytes, for the page."""
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


class Stored(NamedTuple):
    """A solution as plain data, the way it is stored: rules, facts, and arrays with named and labelled axes."""

    kind: str
    rules: Plain
    facts: Plain
    axes: Plain
    arrays: dict[str, tuple[tuple[str, ...], Any]]
