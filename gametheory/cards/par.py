"""Par cards: a table of what the dice left will cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from .. import dice
from ..answers import Array, Move, order
from ..columns import step_player
from ..dice import Roll
from ..levels import Player, Steps
from ..match.duel import Duel
from ..policies import ScoringPolicy, Solved, score_worths
from ..pool.notation import Position, best_keeps, preference
from ..pool.rules import PoolGame
from ..progress import Progress
from ..space import expected_rows
from . import value
from .rule import Card


@dataclass(frozen=True)
class ParCard(ScoringPolicy):
    """A table of what dice left will cost: `par[larger]` by how many of the smallest kind are left, at `columns`, with the
    larger dice `larger` left. Between two columns it is read on a straight line. A policy: it takes the move with the
    least (points lost + par of what is left).
    """

    game: PoolGame
    columns: tuple[int, ...]
    par: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]
    goal: str = "score"
    name: str = "card"

    ignores = ("banked", "target")

    def __post_init__(self) -> None:
        value.check_rules(self.game)
        known = [larger for larger, _ in self.par]
        wanted = list(product(*(range(n + 1) for n in self.game.counts[1:])))
        if sorted(known) != wanted:
            raise ValueError(f"par must be given for {len(wanted)} sets of larger dice, not {len(known)}")
        ends = self.columns[0], self.columns[-1]
        if ends != (0, self.game.counts[0]) or sorted(set(self.columns)) != list(self.columns):
            raise ValueError(f"the columns must rise from 0 to {self.game.counts[0]}, not {list(self.columns)}")

    @property
    def size(self) -> int:
        """How many numbers are on the card; that no dice cost nothing need not be remembered."""
        return len(self.par) * len(self.columns) - 1

    def cost(self, left: tuple[int, ...]) -> float:
        """Return par: the points that these dice are reckoned to lose."""
        row = dict(self.par)[left[1:]]
        return float(np.interp(left[0], self.columns, row))

    @property
    def gains(self) -> Array:
        """By pool: the gain to come that the card reckons with."""
        return np.array([self.game.gain(left) - self.cost(left) for left in self.game.pools])

    def __call__(self, position: Position, roll: Roll) -> Roll:
        game = self.game
        found = []
        for keep in best_keeps(roll, game):
            after = tuple(n - len(faces) for n, faces in zip(position.dice_left, keep, strict=True))
            points = game.points(keep)
            final = points + game.best(after) - game.sign * self.cost(after)
            found.append(Move(keep, points, after, final, 0.0))
        best: Roll = order(found, score_worths(game.sign), lambda move: preference(move.keep))[0].keep
        return best

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        space, expected = solved.space, self.gains
        rows = expected_rows(space, expected, space.solo)
        tables = np.stack([rows, rows])
        found: Steps = {}
        for place in space.order:
            after, flow = space.spread(place, tables, expected, 0, np.ones(1))
            row, gain = np.nonzero(flow)
            found[place] = after[row], gain, flow[row, gain]
        return found

    def player(self, solved: Solved) -> Player:
        return step_player(solved.space, self.steps(solved))

    def expected_score(self, duel: Duel) -> float:
        """Return the expected final score of a player who has only this card."""
        game, worth = self.game, np.zeros(len(self.game.pools))
        for index, (subs, gains, chances) in self.steps(duel).items():
            worth[index] = chances @ (gains + worth[subs])
        return game.worst(game.counts) + game.sign * float(worth[-1])

    def first_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a first player with this card against the best second player."""
        return float(self.visits(duel)[0] @ value.first_payoff(duel))

    def second_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a second player with this card against the best first player."""
        made = self.visits(duel)[0]
        wins = np.cumsum(made[::-1])[::-1] - made
        return float(value.best_first(duel) @ (wins + duel.tie_worth * made))

    def loss(self, duel: Duel) -> float:
        """Return how many points the card falls short of the best expected score."""
        return self.game.sign * (duel.expected_score - self.expected_score(duel))

    @property
    def rules(self) -> list[str]:
        """The card in plain sentences."""
        small = self.game.kinds[0].name
        said = [
            "Of all ways to keep, take the one with the least total of the points lost now and the par of the dice left."
        ]
        for larger, row in self.par:
            with_them = dice.format_dice((0, *larger), self.game.kinds)
            with_them = f"{with_them} and " if any(larger) else ""
            values = [f"{n} {small}: {value:g}" for n, value in zip(self.columns, row, strict=True) if n or any(larger)]
            said.append(f"Par of {with_them}{', '.join(values)}.")
        gaps = any(b - a > 1 for a, b in pairwise(self.columns))
        return [*said, "Read between two numbers on a straight line."] if gaps else said

    def to_toml(self) -> str:
        """Write the card as a small file that can be edited and handed back."""
        game = self.game
        lines = [
            "# A strategy card: take the move with the least (points lost + par of the dice left).",
            f'game = "{game.name}"',
            f'name = "{self.name}"',
            f'goal = "{self.goal}"',
            f"columns = {list(self.columns)}  # how many {game.kinds[0].name} are left",
            "",
            "[par]  # the larger dice left = what all the dice left are reckoned to lose, by column",
        ]
        for larger, row in self.par:
            key = dice.format_dice((0, *larger), game.kinds)
            lines.append(f'"{key}" = [{", ".join(f"{value:g}" for value in row)}]')
        return "\n".join(lines) + "\n"


AnyCard = Card | ParCard
