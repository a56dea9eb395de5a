"""Strategy cards: rules small enough to carry in the head, and what they cost exactly.

A *cut-off card* (`Card`) is a policy in a few numbers:

    keep      a face is kept with at most so many dice on the table; the best face always. What is set aside leaves fewer
              rolls, so that the player looks again as if the dice that stay, and one more, were on the table
    hold      while larger dice stay and many dice are on the table, keep no more of the smallest kind than must be kept
    nothing   where nothing is kept, the die that loses fewest points is taken, after a discount for larger dice
    pace      for winning: stop when it wins, never spend what cannot be spared, and read the card for more or fewer
              dice when behind or ahead of par

A *par card* (`ParCard`) is a table of what the dice left will cost: take the move with the least (points lost + par of what
is left). With every pool in it this is the full solution for points; with a few columns, read between, it is nearly so.

The *size* of a card is the count of numbers on it. Its *loss* is the best expected score less its own, in points.
Everything is exact (`kernel`, `value`): no card is ever judged by sampling. Cards are read by `file`, found by
`search` and drawn by `picture`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..answers import Array
from ..columns import step_player, visits_of_steps
from ..dice import Roll
from ..levels import Player, Steps
from ..match.duel import Duel
from ..policies import ScoringPolicy, Solved
from ..pool.notation import Position
from ..pool.rules import PoolGame
from ..progress import Progress
from . import value, words
from .pace import FREE, Pace


@dataclass(frozen=True)
class Card(ScoringPolicy):
    """A cut-off card for a pool game; a policy.

    `keep[kind]`: for the faces of a kind from the second best gain on, the most dice on the table with which they are
    kept. `hold[i]`: with i + 1 or more larger dice staying, from how many dice on the table on to hold back; FREE where
    there is no such rule. `worth[kind]`: how many points less a die of this kind counts where nothing is kept.
    """

    game: PoolGame
    keep: tuple[tuple[int, ...], ...]
    hold: tuple[int, ...] = ()
    worth: tuple[float, ...] = ()
    look_again: bool = True
    take: str = "fewest"
    ties: str = "larger"
    pace: Pace | None = None
    goal: str = "score"
    name: str = "card"

    def __post_init__(self) -> None:
        game = value.check_rules(self.game)
        if len(self.keep) != len(game.kinds):
            raise ValueError(f"cut-offs for {len(self.keep)} kinds of dice: {game.name} has {len(game.kinds)}")
        object.__setattr__(self, "hold", (*self.hold, *[FREE] * (sum(game.counts[1:]) - len(self.hold))))
        object.__setattr__(self, "worth", (*self.worth, *[0.0] * (len(game.kinds) - len(self.worth))))
        for k, levels in enumerate(self.keep):
            faces = len(value.gain_ladder(game, k))
            if len(levels) >= faces:
                raise ValueError(f"{game.kinds[k].name} has {faces} different faces, not {len(levels) + 1}")
            for better, worse in pairwise(levels):
                if worse > better:
                    raise ValueError(f"{game.kinds[k].name}: a worse face cannot be kept with more dice ({levels})")

    @property
    def ignores(self) -> tuple[str, ...]:  # type: ignore[override]
        """What the card does not look at: the points banked, and the score to beat."""
        if self.pace is None:
            return ("banked", "target")
        return () if self.pace.aim is None else ("target",)

    @property
    def size(self) -> int:
        """How many numbers are on the card."""
        return (
            sum(len(levels) for levels in self.keep)
            + sum(least < FREE for least in self.hold)
            + sum(discount != 0 for discount in self.worth)
            + (self.pace.size if self.pace else 0)
        )

    # Playing.

    def __call__(self, position: Position, roll: Roll) -> Roll:
        game = self.game
        left, banked, target, _ = position
        shift, limit, need = self._read(left, banked, target)
        gains = [game.face_gains(k) for k in range(len(roll))]
        table = [(k, gains[k][face - 1], face) for k, faces in enumerate(roll) for face in faces]
        if need is not None and sum(gain for _, gain, _ in table) >= need:
            return roll
        most = [max(of_kind) for of_kind in gains]
        levels = value.face_levels(self)
        count = len(table)

        def clears(reading: int) -> list[tuple[int, int, int]]:
            return [
                (k, gain, face)
                for k, gain, face in table
                if most[k] - gain <= limit and (gain == most[k] or reading <= 1 or levels[k, gain] - shift >= reading)
            ]

        kept = clears(count)
        if not kept:
            return _as_keep([self._single(table, most, levels, limit, shift)], len(roll))
        larger = [die for die in kept if die[0] > 0]
        staying = sum(left[1:]) - len(larger)
        if left[0] and staying and any(count >= least for least in self.hold[:staying]):
            return _as_keep(larger or [max(kept, key=lambda die: die[1])], len(roll))
        while self.look_again:
            more = clears(count - len(kept) + 1)
            if len(more) == len(kept):
                break
            kept = more
        return _as_keep(kept, len(roll))

    def _single(
        self, table: list[tuple[int, int, int]], most: list[int], levels: Any, limit: int, shift: int
    ) -> tuple[int, int, int]:
        """Choose the die to take where nothing is kept."""
        count = len(table)

        def cut(k: int) -> int:
            """Return the greatest gain that is not kept."""
            kept = [
                g
                for g in range(most[k] + 1)
                if most[k] - g <= limit and (g == most[k] or count <= 1 or levels[k, g] - shift >= count)
            ]
            return min(kept, default=most[k] + 1) - 1

        def key(die: tuple[int, int, int]) -> tuple[float, int, int]:
            k, gain, face = die
            short = (cut(k) if self.take == "nearest" else most[k]) - gain - self.worth[k]
            return short, -k if self.ties == "larger" else k, -face

        return min(table, key=key)

    def _read(self, left: tuple[int, ...], banked: int, target: int | None) -> tuple[int, int, int | None]:
        """Return how many dice more the card is read with, what a die may lose, and what wins if all is kept."""
        game, pace = self.game, self.pace
        wanted = None if pace is None else pace.aim if pace.aim is not None else target
        if pace is None or wanted is None:
            return 0, FREE, None
        # What the dice left must still gain to reach the score to beat.
        need = game.sign * (wanted - banked - game.worst(left))
        shift, limit = value.read_pace(self, game.gain(left) - need, left)
        return shift, limit, need + 1 if sum(left) <= pace.cash else None

    # Evaluating.

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        """Return where the rolls of every pool lead, exactly; the card must look at the dice alone, or has no target."""
        return {index: value.flow(self, index, 0, FREE, FREE) for index in value.facts(self.game).order}

    def visits(
        self, solved: Solved, target: int | None = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        game = self.game
        if self.pace is None or (self.pace.aim is None and target is None):
            return visits_of_steps(solved.space, self.steps(solved))
        visits = np.zeros((len(game.pools), game.gain(game.counts) + 1))
        visits[-1, 0] = 1.0
        for index in reversed(value.facts(game).order):
            left = game.pools[index]
            worst = game.worst(game.banked_dice(left))
            flows: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}
            for gain in np.flatnonzero(visits[index]):
                shift, limit, need = self._read(left, worst + game.sign * int(gain), target)
                how = (shift, limit, FREE if need is None else max(0, need))
                if how not in flows:
                    flows[how] = value.flow(self, index, *how)
                subs, gains, chances = flows[how]
                np.add.at(visits, (subs, gains + gain), visits[index, gain] * chances)
        return visits

    def expected_score(self, duel: Duel) -> float:
        """Return the expected final score of a player who has only this card, going first where the seat matters."""
        game = self.game
        if self.pace is None or self.pace.aim is None:
            gain = value.expected_gain(replace(self, pace=None))
        else:
            gain = float(self.visits(duel)[0] @ np.arange(game.gain(game.counts) + 1))
        return game.worst(game.counts) + game.sign * gain

    def first_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a first player with this card against the best second player."""
        return value.win_value(self, duel, "first")

    def second_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a second player with this card against the best first player."""
        return value.win_value(self, duel, "second")

    def replies(
        self, solved: Any, *, force: bool = False, progress: Progress | None = None
    ) -> tuple[Array, Array]:
        wins, not_lost = (
            value.chase(self, solved.space.chase_ends(1.0, worth)[0], solved) for worth in (0.0, 1.0)
        )
        return wins, not_lost - wins

    def loss(self, duel: Duel) -> float:
        """Return how many points the card falls short of the best expected score."""
        return self.game.sign * (duel.expected_score - self.expected_score(duel))

    def player(self, solved: Solved) -> Player:
        """Return the card as one who plays with dice: by steps where it looks at the dice alone."""
        return step_player(solved.space, self.steps(solved)) if self.blind(solved.space) else super().player(solved)

    # In words, and as a file.

    @property
    def rules(self) -> list[str]:
        """The card in plain sentences."""
        return words.card_rules(self)

    def to_toml(self) -> str:
        """Write the card as a small file that can be edited and handed back."""
        return words.card_toml(self)


def _as_keep(chosen: Sequence[tuple[int, int, int]], kinds: int) -> Roll:
    return tuple(tuple(sorted((face for k, _, face in chosen if k == kind), reverse=True)) for kind in range(kinds))
