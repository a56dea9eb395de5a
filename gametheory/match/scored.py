"""What all matches of scoring games share: the game as solvers see it, and the ranking of a roll's moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .. import aims, columns, games
from ..answers import Array, Distribution, Move, Plain, Ranking
from ..policies import Asked, ScoringPolicy, aimed, score_worths, win_worths
from ..space import Space
from .solution import Player, Solution

Named = tuple[tuple[str, ...], Any]
"""An array with the names of its axes."""


ROUNDING = 1e-9
"""More than the rounding of an expected score."""


class Scored(Solution):
    """A solved match in which each player makes a score."""

    space: Space
    expected_array: Named
    """Expected points still to come, or final, as the family stores them."""

    @property
    def game(self) -> Any:
        return self.space.game

    @cached_property
    def notation(self) -> Any:
        """How the game's positions, rolls and moves are read and written."""
        return games.notation(self.game)

    @property
    def expected_score(self) -> float:
        """The expected final score of a player who plays for points."""
        return self.expected()

    def expected(self, state: Any = None) -> float:
        """Return the expected final score from a state, the start if not said, when playing for points."""
        state = self.space.state(self.space.start, 0) if state is None else state
        return self.space.expected_score(self.expected_array[1], state)

    @cached_property
    def gain_expected(self) -> Array:
        """By place: the expected outcome beyond what a column holds, when playing for points."""
        return self.space.unpack_expected(self.expected_array[1])

    def headline(self) -> Plain:
        return {
            "game": self.game.name, **self.notation.labels, "tie": self.tie, "match": self.match,
            "expected_score": self.expected_score, "first_player_value": self.first_player_value,
            "second_player_value": self.second_player_value,
        }  # fmt: skip

    @classmethod
    def check_question(cls, game: Any, question: str) -> None:
        super().check_question(game, question)
        games.space(game).check_question(question)

    @classmethod
    def policy_names(cls, game: Any) -> tuple[str, ...]:
        return tuple(games.family(game).policies)

    def policy(self, chosen: Player) -> ScoringPolicy:
        return self.make_policy(chosen)

    def rank_state(
        self, state: Any, roll: Any, target: Any = None, *, sensible: bool = False, values: Array | None = None
    ) -> list[Move]:
        """List the moves of a roll of a state with what they lead to by these values, in the order of the rules."""
        read = (lambda after: float("nan")) if values is None else self.space.reader(values)
        return self.list_moves(state, roll, read, sensible=sensible)

    def make_policy(self, chosen: Player) -> ScoringPolicy:
        """Return a policy by its name, or by that of an aim, or make one of a function."""
        self.check_policy(self.game, chosen)
        if isinstance(chosen, ScoringPolicy):
            return chosen
        if not isinstance(chosen, str):
            return Asked(chosen)
        solved: Any = self
        if aims.is_aim(chosen) and (aim := aims.read(chosen)) is not None:
            return aimed(solved, aim)
        made: ScoringPolicy = games.bind(games.family(self.game).policies[chosen])(solved)
        return made

    def told(self, made: Array) -> Distribution:
        """Return the chances of outcomes as those of final scores, the lowest first."""
        step = self.space.sign
        scores, chances = self.space.outcomes[::step].tolist(), tuple(float(chance) for chance in made[::step])
        return Distribution(tuple(scores), chances, higher_wins=step > 0)

    def list_moves(
        self, state: Any, roll: Any, win: Callable[[Any], float], *, sensible: bool = False
    ) -> list[Move]:
        """List the moves of a roll with what they lead to, as the rules do; `win` says the chance to win of a state."""
        listed = self.space.sensible(state, roll) if sensible else self.space.game.moves(state, roll)
        return [
            Move(keep, points, self.notation.left(after), self.expected(after), win(after)) for keep, after, points in listed
        ]

    def rank(
        self, state: Any, roll: Any, found: Sequence[Move], sort: str, where: str, target: Any = None
    ) -> Ranking:
        """Rank moves, best first; `where` says the position in the match in words."""
        sign = self.space.sign
        return Ranking.of(
            self.game, self.notation, roll, found, sort=sort,
            orders={"win": win_worths(sign), "score": score_worths(sign)},
            question=f"{self.game.name}: {self.notation.words(state, roll)}, {where}",
            asked=self.notation.asked(state) | {"tie": self.tie, "match": self.match, "target": target},
        )  # fmt: skip


def solve_expected(space: Space, threads: int | None = None) -> tuple[Named, Array]:
    """Solve a game for points: the table of expected scores as it is stored, and by place as solvers count."""
    named = space.keep_expected(columns.points(space, threads=threads))
    return named, space.unpack_expected(named[1])


def check_array(array: Any, shape: tuple[int, ...]) -> Array:
    """Return an array out of a table, not to be written; refuse one of another shape."""
    found = np.asarray(array, float)
    if found.shape != shape:
        raise ValueError(f"an array has shape {found.shape} where the rules ask for {shape}")
    found.setflags(write=False)
    return found


def check_expected(space: Space, named: Named) -> Named:
    """Return the table of expected scores out of a stored solution; refuse one that the game cannot have."""
    names, expected = named
    array = check_array(expected, tuple(len(labels) for labels in space.left_axes.values()))
    check_outcomes(space, space.unpack_expected(array))
    return names, array


def check_outcomes(space: Space, expected: Array) -> None:
    """Refuse expected outcomes, beyond what is banked, of less than nothing or more than there is."""
    most = abs(float(space.outcomes[-1]) - float(space.outcomes[0]))
    if not np.isfinite(expected[space.start]) or np.nanmin(expected) < -ROUNDING or np.nanmax(expected) > most + ROUNDING:
        raise ValueError(f"expected scores that no play has: they are at most {most:g} apart")
