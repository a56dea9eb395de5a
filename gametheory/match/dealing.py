"""Games in turn that are played: by policies in great number, the exact figures once more by chance, and by a person.

Games are dealt in blocks of BLOCK, each with its own generator seeded by (seed, block): the same seed gives the same games
on any number of threads. How a policy plays, it says itself (`ScoringPolicy.player`): built-in ones inside a kernel, those
that look at the dice alone by drawing their steps, functions roll by roll.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from ..answers import Move, Ranking, Simulation, standard_error
from ..dice import Stream
from ..policies import ScoringPolicy, Solved
from ..progress import Progress
from ..sitting import Sitting, SpokenScore
from .solution import check_games

BLOCK = 8192


def deal(
    duel: Solved, first: ScoringPolicy, second: ScoringPolicy, games: int, seed: int = 0, *, threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:  # fmt: skip
    """Play so many games of one policy against another."""
    check_games(games, seed)
    space = duel.space
    players = [policy.player(duel) for policy in (first, second)]
    blocks = range(-(-games // BLOCK))

    def block(number: int) -> tuple[Any, Any]:
        size = min(BLOCK, games - number * BLOCK)
        draw = np.random.default_rng([seed, number])
        wanted = np.full(size, -1, np.int64)
        made = players[0](draw, wanted)
        return made, players[1](draw, made)

    outcomes = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        for done, pair in enumerate(workers.map(block, blocks), 1):
            outcomes.append(pair)
            if progress:
                progress(done / len(blocks))
    one, two = (np.concatenate([pair[seat] for pair in outcomes]) for seat in (0, 1))
    won, tied, lost = float(np.mean(one > two)), float(np.mean(one == two)), float(np.mean(one < two))
    points = [space.points[made] for made in (one, two)]
    means = [float(space.outcomes[0]) + space.sign * float(np.mean(made)) for made in points]
    errors = [float(np.std(made) / np.sqrt(games)) for made in points]
    shares = (one > two) + (1.0 - duel.tie_worth) * (one == two)
    value = float(np.mean(shares))
    error = float(np.std(shares) / np.sqrt(games))
    return Simulation(
        games, seed, (value, 1.0 - value), (error, error), won, tied, lost, standard_error(won, games),
        standard_error(tied, games), *means, *errors,
    )  # fmt: skip


def deal_alone(
    solved: Solved, policy: ScoringPolicy, games: int, seed: int = 0, *, threads: int | None = None,
    progress: Progress | None = None,
) -> Any:  # fmt: skip
    """Play so many games of one policy alone; return the outcome of each."""
    player = policy.player(solved)
    blocks = range(-(-games // BLOCK))

    def block(number: int) -> Any:
        size = min(BLOCK, games - number * BLOCK)
        return player(np.random.default_rng([seed, number]), np.full(size, -1, np.int64))

    outcomes = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        for done, made in enumerate(workers.map(block, blocks), 1):
            outcomes.append(made)
            if progress:
                progress(done / len(blocks))
    return np.concatenate(outcomes)


# A person plays.


class Seated(Solved, Protocol):
    """A game solved for two in turn, as one who plays it throw by throw sees it."""

    def first(self, state: Any) -> float: ...
    def second(self, target: Any, state: Any) -> float: ...
    def seen_from(self, target: Any) -> str: ...
    def rank(
        self, state: Any, roll: Any, found: Sequence[Move], sort: str, where: str, target: Any = None
    ) -> Ranking: ...


class DuelSitting(Sitting):
    """A game for two, one after the other, that a person plays against one who plays to win."""

    notation: SpokenScore

    def __init__(self, duel: Seated, me: int) -> None:
        super().__init__(duel.notation, me)
        self.duel, self.space, self.game = duel, duel.space, duel.game
        self.start = self.state = self.space.state(self.space.start, 0)
        self.finished = frozenset(self.space.finished.tolist())
        self.target: Any = None
        if self.space.start in self.finished:
            raise ValueError(f"{self.game.name} is over before it begins: there is no roll to train with")

    def chance(self) -> float:
        return self.duel.first(self.state) if self.target is None else self.duel.second(self.target, self.state)

    @property
    def place(self) -> dict[str, Any]:
        placed = dict(self.duel.notation.asked(self.state))
        return placed if self.target is None else placed | {"target": self.target}

    @property
    def seen(self) -> Any:
        return self.space.position(*self.space.at(self.state), self.target)

    def throw(self, stream: Stream) -> None:
        self.roll = self.space.cast(self.state, stream)
        self.listed = self.duel.rank_state(self.state, self.roll, self.target)
        where = self.duel.seen_from(self.target)
        self.ranking = self.duel.rank(self.state, self.roll, self.listed, "win", where, self.target)

    def told(self) -> list[str]:
        if not self.mine:
            return [""] if self.state == self.start else []
        against = "" if self.target is None else f" against {self.target}"
        shown = f"{self.notation.standing(self.state)}{against}. The roll: {self.notation.write_roll(self.roll)}"
        return ["", shown, *self.notation.offer(self.listed)]

    def play(self, move: Move | None) -> list[str]:
        assert move is not None, "no roll of a scoring game is a bust"
        self.state = self._after(move)
        lines = [] if self.mine else [self.notation.story(self.roll, move, self.state)]
        if self.space.at(self.state)[0] not in self.finished:
            return lines
        made = self.game.score(self.state)
        if self.target is None:
            self.target, self.state, self.to_move = made, self.start, 1
            return lines
        return [*lines, self._end(made)]

    def _after(self, move: Move) -> Any:
        """Return the state that a move of the roll leads to."""
        return next(
            after
            for keep, after, points in self.game.moves(self.state, self.roll)
            if (keep, self.duel.notation.left(after), points) == (move.keep, move.dice_left, move.points)
        )

    def _end(self, made: Any) -> str:
        """Settle the game with what the second player made; say how it ended."""
        tied, ahead = made == self.target, self.space.sign * (made - self.target) > 0
        second = self.duel.tie_worth if tied else float(ahead)
        self.shares = (1.0 - second, second)
        mine, theirs = (made, self.target) if self.me else (self.target, made)
        said = "a tie" if tied else "you win" if ahead == bool(self.me) else "they win"
        return f"You made {mine}, they made {theirs}: {said}."
