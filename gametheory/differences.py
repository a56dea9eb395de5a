"""Where two ways to play part: the figures of a game, the dearest rolls, sums by place or target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from . import tabular
from .answers import DifferenceRow, Notation, Plain

if TYPE_CHECKING:
    import pandas


class Summary(NamedTuple):
    """How often and how dearly two ways to play part in a game; expectations under the play of the first.

    `expected_score_lost` is in points, None where a game has none to lose; an aim in place of winning has its own worth.
    """

    decisions_per_game: float
    disagreements_per_game: float
    win_probability_lost: float
    first_roll_disagreement: float
    expected_score_lost: float | None = None


Table = tuple[tuple[str, ...], list[Plain]]
"""The names of columns, and rows with these."""


class Difference:
    """Where two ways to play part, along the play of the first, from one seat: for points and to win, if not said."""

    game: Any
    notation: Notation
    seat: str
    """The seat in words."""
    policy: str = "score"
    """The first way: along its play the two are compared."""
    to: str = "win"
    """The second way: what it makes of a move afterwards is what the move is worth."""
    aim: str = "win"
    """What is lost: chance to win, or the worth of an aim."""
    groups: tuple[str, ...] = ()
    """By what the disagreements can be added up: place, target, score-difference."""

    @property
    def summary(self) -> Summary:
        """The figures of the whole game."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name in Summary._fields:
            return getattr(self.summary, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def names(self) -> tuple[str, str]:
        """What the two ways are called in rows."""
        return ("score", "win") if (self.policy, self.to) == ("score", "win") else ("policy", "to")

    @property
    def said(self) -> tuple[str, str]:
        """What the two ways are called in sentences."""
        known = {"score": "for points", "win": "to win"}
        one, other = (known.get(name, f"by {name}") for name in (self.policy, self.to))
        return one, other

    def to_dict(self) -> Plain:
        """Return the figures of the game as plain data, without rows."""
        figures = self.summary._asdict()
        if self.aim != "win":
            figures = {"aim": self.aim, **figures, "value_lost": figures.pop("win_probability_lost")}
        return {"game": self.game.name, "seat": self.seat, "policy": self.policy, "to": self.to, **figures}

    def top(self, limit: int = 100, progress: Callable[[float], None] | None = None) -> list[DifferenceRow]:
        """Return the rows that cost most: chance of coming up times cost, highest first."""
        raise NotImplementedError

    def rows(self) -> Iterator[DifferenceRow]:
        """Yield every disagreement in the order of states; few rows are ever held in memory."""
        raise NotImplementedError

    def sentences(self, rows: Iterable[DifferenceRow]) -> list[str]:
        """Say rows in words, those that differ only in what does not matter once."""
        return [sentence for sentence, _ in self._merge(rows)]

    def tell(self, limit: int = 10, progress: Callable[[float], None] | None = None) -> list[tuple[str, float]]:
        """Say the dearest rows in so many sentences, each with what its rolls cost in a game."""
        wanted = limit
        while True:
            rows = self.top(wanted, progress)
            told = self._merge(rows)
            if len(told) >= limit or len(rows) < wanted:
                return told[:limit]
            wanted *= 2

    def _merge(self, rows: Iterable[DifferenceRow]) -> list[tuple[str, float]]:
        chosen: dict[Any, tuple[DifferenceRow, float]] = {}
        for row in rows:
            key = self.notation.alike(row)
            first, cost = chosen.get(key, (row, 0.0))
            chosen[key] = first, cost + row.probability * row.cost
        return [(self._say(row), cost) for row, cost in chosen.values()]

    def _say(self, row: DifferenceRow) -> str:
        said = self.notation.sentence(row, self.said)
        tied = row.score_tied and self.policy == "score"
        return f"{said} Another move has as many points: the cost is that of a tie-break." if tied else said

    def count_rows(self) -> int | None:
        """Count what `rows` yields, None where only listing them tells."""
        return None

    def choose_group(self, group: str | None, *, every: bool = False) -> str | None:
        """Return by what to add up, None for single rolls; refuse what is not told."""
        if group is not None and group not in self.groups:
            self.by(group)
        return group

    def by(self, group: str) -> Table:
        """Add the disagreements up; refuse what they cannot be added up by."""
        ways = ", ".join(self.groups) or "nothing"
        raise ValueError(f"--by {group} is not told here: the disagreements of {self.game.name} add up by {ways}")

    def dearest(self, rows: Iterable[Plain], limit: int) -> list[Plain]:
        """Return the rows of a sum that cost most, the dearest first."""

        def cost(row: Plain) -> float:
            return float(row["probability"] * row["cost"] if "cost" in row else row["win_probability_lost"])

        return sorted(rows, key=cost, reverse=True)[:limit]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what a row says."""
        parts = ("keep", "bank") if self.notation.banks else ("keep",)
        moves = [f"{who}_{part}" for who in self.names for part in parts]
        figures = [f"{who}_keep_{figure}" for figure in ("win_probability", "expected_score") for who in self.names]
        return (
            *self.notation.places, "roll", *moves, "probability", "cost", "weighted_cost", *figures, "score_tied",
        )  # fmt: skip

    def to_pandas(self, limit: int = 100) -> pandas.DataFrame:
        """Return the dearest rows as a pandas frame."""
        rows = (row.to_dict(self.notation, self.names) for row in self.top(limit))
        return tabular.frame(self.columns, [[row[name] for name in self.columns] for row in rows])

    def _repr_html_(self) -> str:
        figures = self.to_dict()
        return tabular.html(repr(self), list(figures), [list(figures.values())])

    def __repr__(self) -> str:
        found = self.summary
        return (
            f"<Difference of {self.policy} and {self.to} at {self.game.name}, {self.seat}: "
            f"{found.disagreements_per_game:.4f} disagreements a game cost {found.win_probability_lost:.6f}>"
        )
