"""What play comes to: distributions, chances against every score, results between policies, games by chance, fair starts.

Chances are those of the player whose move it is; see `answers` for single moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from . import tabular
from .ties import TIED

if TYPE_CHECKING:
    import pandas

Array = npt.NDArray[np.float64]
Plain = dict[str, Any]


@dataclass(frozen=True, repr=False)
class Distribution(Sequence[tuple[Any, float]]):
    """The chances of the final scores of a policy, every score from the lowest to the highest, as (score, chance)."""

    scores: tuple[Any, ...]
    probabilities: tuple[float, ...]
    counted: str = "score"
    """What is counted: score, points of a turn, turns."""
    higher_wins: bool = True
    """Whether more is better."""

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, place: int) -> tuple[Any, float]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[Any, float], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[Any, float] | tuple[tuple[Any, float], ...]:
        return tuple(zip(self.scores, self.probabilities, strict=True))[place]

    @property
    def mean(self) -> float:
        return float(np.dot(self.scores, self.probabilities))

    @property
    def sd(self) -> float:
        """The standard deviation: how widely the scores spread."""
        scores = np.array(self.scores, float)
        return float(np.sqrt(max(0.0, np.dot((scores - self.mean) ** 2, self.probabilities))))

    def best_of(self, players: int) -> Distribution:
        """Return the distribution of the best of so many draws, none of which hangs on another.

        >>> Distribution((1, 2), (0.5, 0.5)).best_of(2).probabilities
        (0.25, 0.75)
        """
        check_draws(players)
        chances = np.array(self.probabilities if self.higher_wins else self.probabilities[::-1])
        reached = np.minimum(np.cumsum(chances), 1.0)
        below = np.concatenate([[0.0], reached[:-1]])
        found = chances * sum(reached**k * below ** (players - 1 - k) for k in range(players))
        return replace(self, probabilities=tuple(map(float, found if self.higher_wins else found[::-1])))

    def to_dict(self) -> Plain:
        """Return the distribution as plain data."""
        return {
            "scores": list(self.scores), "probabilities": list(self.probabilities), "mean": self.mean, "sd": self.sd,
        }  # fmt: skip

    def to_pandas(self) -> pandas.DataFrame:
        """Return scores and chances as a pandas frame."""
        return tabular.frame((self.counted, "probability"), self)

    def __repr__(self) -> str:
        likely = sorted(self, key=lambda pair: -pair[1])[:3]
        said = ", ".join(f"{score} ({chance:.4f})" for score, chance in likely)
        return f"<Distribution of the {self.counted}: mean {self.mean:.6f}, sd {self.sd:.4f}; most likely {said}>"

    def _repr_html_(self) -> str:
        return tabular.html(f"mean {self.mean:.4f}, sd {self.sd:.4f}", (self.counted, "probability"), self)


MOST_DRAWS = 1000
"""Of how many draws the best is told."""


def check_draws(players: int) -> None:
    """Refuse numbers of players of whom the best is not told."""
    if not 1 <= players <= MOST_DRAWS:
        raise ValueError(f"the best of {players}: give 1 to {MOST_DRAWS} players")


@dataclass(frozen=True, repr=False)
class Chase(Mapping[Any, float]):
    """What the player to come has against every score of the one who has finished, by score, lowest first."""

    title: str
    scores: tuple[Any, ...]
    win_probability: tuple[float, ...]
    finished: tuple[float, ...]
    """The chance to win of the one who has finished with the score; NaN where nobody can have made it."""
    higher_wins: bool = True

    def __getitem__(self, score: Any) -> float:
        try:
            return self.win_probability[self.scores.index(score)]
        except ValueError:
            raise KeyError(score) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def needed(self, chance: float) -> Any:
        """Return the worst score that gives the one who has finished at least this chance to win, None if none does."""
        if not 0.0 <= chance <= 1.0:
            raise ValueError(f"a chance of {chance}: give a number from 0 to 1")
        pairs = list(zip(self.scores, self.finished, strict=True))[:: 1 if self.higher_wins else -1]
        return next((score for score, kept in pairs if kept >= chance - TIED), None)

    def to_dict(self) -> Plain:
        """Return scores and chances as plain data."""
        return {"targets": list(self.scores), "win_probability": list(self.win_probability)}

    def to_pandas(self) -> pandas.DataFrame:
        """Return scores and chances as a pandas frame."""
        return tabular.frame(("target", "win_probability"), self.items())

    def __repr__(self) -> str:
        rows = [row for row in self.items() if 1e-6 < row[1] < 1 - 1e-6] or list(self.items())
        step = max(1, -(-len(rows) // tabular.SHOWN))
        return tabular.text(self.title, ("target", "win probability"), rows[::step])

    def _repr_html_(self) -> str:
        return tabular.html(self.title, ("target", "win_probability"), self.items())


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Sequence[tuple[float, ...]]):
    """Exact results between policies; row: the first player's policy, column: the second's.

    As a sequence it is the rows of `value`. With more players a row is the policy of one seat, a column that of all others.
    """

    policies: tuple[str, ...]
    first_win: Array
    tie: Array
    second_win: Array
    tie_worth: float = 0.5
    """What a tie is worth to the second player."""
    seat: str = "first"
    """Whose policy a row is."""
    shares: Array | None = None
    """With more than two players: what the seat is worth, a shared win counted by its share."""

    @property
    def value(self) -> Array:
        """What the row's player has, ties counted as the tie rule says."""
        return self.first_win + (1.0 - self.tie_worth) * self.tie if self.shares is None else self.shares

    def first_value(self) -> Array:
        """Return the first player's values, ties counted as the tie rule says."""
        return self.value

    def __len__(self) -> int:
        return len(self.policies)

    @overload
    def __getitem__(self, place: int) -> tuple[float, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[float, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[float, ...] | tuple[tuple[float, ...], ...]:
        return tuple(tuple(map(float, row)) for row in self.value)[place]

    def to_dict(self) -> Plain:
        """Return the tables as plain data, row by row."""
        tables = {name: getattr(self, name).tolist() for name in ("first_win", "tie", "second_win")}
        found = {"policies": list(self.policies), **tables, "value": self.value.tolist()}
        return found | ({"first_value": found["value"]} if self.shares is None else {"seat": self.seat})

    def to_pandas(self) -> pandas.DataFrame:
        """Return the values as a pandas frame, a row for each policy."""
        return tabular.frame(*self._table())

    def _table(self) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        named = zip(self.policies, self, strict=True)
        return (self.seat, *self.policies), [(name, *row) for name, row in named]

    def __repr__(self) -> str:
        return tabular.text(f"value of the {self.seat} player (row) against the other (column)", *self._table())

    def _repr_html_(self) -> str:
        return tabular.html(f"value of the {self.seat} player (row)", *self._table())


# Games played by chance, and fair starts.


@dataclass(frozen=True)
class Simulation:
    """What came of games played by chance; each standard error is of the figure it is named after.

    Two players have `first_win`, `tie` and `second_win`; `seat_values` are the shares of any number of seats, a tie at the
    top counted as the rule says.
    """

    games: int
    seed: int
    seat_values: tuple[float, ...]
    standard_errors: tuple[float, ...]
    first_win: float | None = None
    tie: float | None = None
    second_win: float | None = None
    standard_error: float | None = None
    tie_standard_error: float | None = None
    first_mean: float | None = None
    second_mean: float | None = None
    first_mean_standard_error: float | None = None
    second_mean_standard_error: float | None = None
    mean_turns: float | None = None
    mean_turns_standard_error: float | None = None

    def to_dict(self) -> Plain:
        """Return the figures as plain data; what has no meaning in the match is left out, means of races excepted."""
        found = {name: value for name, value in vars(self).items() if value is not None or name.endswith("_mean")}
        if self.first_win is None:  # without seats of two no mean is missing
            found = {name: value for name, value in found.items() if value is not None}
        return found | {"seat_values": list(self.seat_values), "standard_errors": list(self.standard_errors)}

    def __repr__(self) -> str:
        shares = ", ".join(f"{s:.6f} ± {e:.6f}" for s, e in zip(self.seat_values, self.standard_errors, strict=True))
        return f"<Simulation of {self.games} games, seed {self.seed}: {shares} by seat>"


def standard_error(share: float, games: int) -> float:
    """Return the standard error of a share of games."""
    return float(np.sqrt(share * (1.0 - share) / games))


@dataclass(frozen=True, repr=False)
class Fair:
    """The whole number of points that brings a game closest to even, and the first player's value around it."""

    game: Any
    match: str
    tie: str
    bonus: int
    value_by_bonus: dict[int, float]
    """The first player's value by bonus, from the worst for the first player to the best."""
    advice: str
    """Which seat you want, in one line."""

    even: float
    """The first player's value with no bonus."""
    players: int = 2

    @property
    def value(self) -> float:
        """The first player's chance with the bonus."""
        return self.value_by_bonus[self.bonus]

    @property
    def odds(self) -> float:
        """What the others stake together for 1 of the first player's to make the game even without a bonus."""
        return (1.0 - self.even) / self.even if self.even > 0.0 else float("inf")

    def to_dict(self) -> Plain:
        """Return the bonus, the odds and the values as plain data."""
        return {
            "game": self.game.name, "match": self.match, "tie": self.tie, "players": self.players, "bonus": self.bonus,
            "value": self.value, "odds": self.odds if self.odds < float("inf") else None,
            "value_by_bonus": [list(item) for item in self.value_by_bonus.items()], "sentence": self.advice,
        }  # fmt: skip

    def to_pandas(self) -> pandas.DataFrame:
        """Return the first player's value by bonus as a pandas frame."""
        return tabular.frame(("bonus", "first_player_value"), self.value_by_bonus.items())

    def __repr__(self) -> str:
        return f"<Fair {self.game.name}: {self.bonus:+d} points, odds {self.odds:.4f}; {self.advice}>"

    def _repr_html_(self) -> str:
        return tabular.html(self.advice, ("bonus", "first player's value"), self.value_by_bonus.items())
