"""Strategy cards: rules small enough to carry in the head, what they cost exactly, and the search for the best.

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
Everything is exact (`card_kernel`, `evaluate`): no card is ever judged by sampling.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from itertools import pairwise, product
from math import isfinite, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import dice, evaluate, games, one_die, pool, ranking
from .dice import Roll
from .duel import Duel, second_payoff
from .games import PoolGame
from .policy import Position, Steps, Win, best_keeps
from .pool import Array, Progress

FREE = 1 << 30
"""More dice or points than there are: a rule that a card does not have."""

SIZES = {"small": 8, "medium": 20, "large": 60}
"""How many numbers a card of each size may have."""

GOALS = ("score", "first", "second")
"""What a card is made for: points, or winning from the first or the second seat."""


@dataclass(frozen=True)
class Pace:
    """How a card looks at the score. `spare` is what may still be lost without falling short of the score to beat.

    Par for the dice left is `par` points and `par_larger` for each die of a larger kind. `behind` par by so many points,
    or `ahead` of it, the card is read as if so many dice more, or fewer, were on the table: (points, dice). No die is kept
    that leaves less than `margin` spare, unless one must be. With at most `cash` dice on the table all are kept if that
    wins. The score to beat is the target, or `aim` for a first player, who has none.
    """

    aim: int | None = None
    par: float = 0.0
    par_larger: float = 0.0
    behind: tuple[int, int] | None = None
    ahead: tuple[int, int] | None = None
    margin: int | None = None
    cash: int = 0

    @property
    def size(self) -> int:
        """How many numbers these are."""
        shifts = (self.behind is not None) + (self.ahead is not None)
        return (self.aim is not None) + (2 + 2 * shifts if shifts else 0) + (self.margin is not None) + (self.cash > 0)

    @property
    def shifts(self) -> tuple[Array, Any]:
        """From how far ahead of par on the card is read with how many more dice."""
        steps = [(-float(FREE), self.behind[1]), (1e-9 - self.behind[0], 0)] if self.behind else []
        steps += [(float(self.ahead[0]), -self.ahead[1])] if self.ahead else []
        return np.array([by for by, _ in steps]), np.array([dice for _, dice in steps], np.int64)


@dataclass(frozen=True)
class Card:
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
        game = self.game
        if len(self.keep) != len(game.kinds):
            raise ValueError(f"cut-offs for {len(self.keep)} kinds of dice: {game.name} has {len(game.kinds)}")
        object.__setattr__(self, "hold", (*self.hold, *[FREE] * (sum(game.counts[1:]) - len(self.hold))))
        object.__setattr__(self, "worth", (*self.worth, *[0.0] * (len(game.kinds) - len(self.worth))))
        for k, levels in enumerate(self.keep):
            if len(levels) >= len(_ladder(game, k)):
                raise ValueError(f"{game.kinds[k].name} has {len(_ladder(game, k))} different faces, not {len(levels) + 1}")
            for better, worse in pairwise(levels):
                if worse > better:
                    raise ValueError(f"{game.kinds[k].name}: a worse face cannot be kept with more dice ({levels})")

    @property
    def uses_banked(self) -> bool:
        """Whether the card looks at the points banked."""
        return self.pace is not None

    @property
    def uses_target(self) -> bool:
        """Whether the card looks at the score to beat."""
        return self.pace is not None and self.pace.aim is None

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
        left, banked, target = position
        shift, limit, need = self._read(left, banked, target)
        gains = [game.face_gains(k) for k in range(len(roll))]
        table = [(k, gains[k][face - 1], face) for k, faces in enumerate(roll) for face in faces]
        if need is not None and sum(gain for _, gain, _ in table) >= need:
            return roll
        most = [max(of_kind) for of_kind in gains]
        levels = _levels(self)
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
        shift, limit = _read_pace(self, game.gain(left) - need, left)
        return shift, limit, need + 1 if sum(left) <= pace.cash else None

    # Evaluating.

    def steps(self, game: PoolGame) -> Steps:
        """Return where the rolls of every pool lead, exactly; the card must look at the dice alone, or has no target."""
        return {index: _flow(self, index, 0, FREE, FREE) for index in _facts(game).order}

    def visits(self, duel: Duel, target: int | None = None) -> Array:
        """Return the chance to pass through every (pool, gain banked); row 0 is the final distribution."""
        game = self.game
        if self.pace is None or (self.pace.aim is None and target is None):
            return evaluate.visits_of_steps(game, self.steps(game))
        visits = np.zeros((len(game.pools), game.gain(game.counts) + 1))
        visits[-1, 0] = 1.0
        for index in reversed(_facts(game).order):
            left = game.pools[index]
            worst = game.worst(game.banked_dice(left))
            flows: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}
            for gain in np.flatnonzero(visits[index]):
                shift, limit, need = self._read(left, worst + game.sign * int(gain), target)
                how = (shift, limit, FREE if need is None else max(0, need))
                if how not in flows:
                    flows[how] = _flow(self, index, *how)
                subs, gains, chances = flows[how]
                np.add.at(visits, (subs, gains + gain), visits[index, gain] * chances)
        return visits

    def expected_score(self, duel: Duel) -> float:
        """Return the expected final score of a player who has only this card, going first where the seat matters."""
        game = self.game
        if self.pace is None or self.pace.aim is None:
            gain = _expect(replace(self, pace=None))
        else:
            gain = float(self.visits(duel)[0] @ np.arange(game.gain(game.counts) + 1))
        return game.worst(game.counts) + game.sign * gain

    def first_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a first player with this card against the best second player."""
        return _win_value(self, duel, "first")

    def second_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a second player with this card against the best first player."""
        return _win_value(self, duel, "second")

    def replies(self, duel: Duel) -> tuple[Array, Array]:
        """Return the chances that a second player with this card beats and ties each target, by the target's gain."""
        wins, not_lost = (_chase(self, second_payoff(self.game, worth), duel) for worth in (0.0, 1.0))
        return wins, not_lost - wins

    def loss(self, duel: Duel) -> float:
        """Return how many points the card falls short of the best expected score."""
        return duel.game.sign * (duel.expected_score - self.expected_score(duel))

    # In words, and as a file.

    @property
    def rules(self) -> list[str]:
        """The card in plain sentences."""
        game = self.game
        best = [f"{_a(_face(game, k, 0))} on {_the(game, k)}" for k in range(len(game.kinds))]
        said = [f"Always keep {_and(best)}."]
        for k, levels in enumerate(self.keep):
            if levels:
                faces = [f"{_a(_face(game, k, j))} with {_at_most(most)}" for j, most in enumerate(levels, 1)]
                said.append(f"On {_the(game, k)} keep {_and(faces)} on the table.")
        if self.look_again and any(self.keep):
            said.append(
                "If more than one die clears, look again before you roll: count the dice that would stay, add one, read the "
                "card for that many dice, and keep what clears now."
            )
        cases = [
            f"{i + 1} or more of them and {least} or more dice are on the table"
            for i, least in enumerate(self.hold)
            if least < FREE
        ]
        if cases:
            small, larger = game.kinds[0].name, _or([die.name for die in game.kinds[1:]])
            said.append(
                f"Hold back while larger dice ({larger}) do not clear: if this leaves {', or '.join(cases)}, keep only the "
                f"larger dice that clear; if none of them does, keep one {small} alone."
            )
        points = sorted({points for points in self.worth if points})
        discounts = [
            f"{_and([_the(game, k) for k, own in enumerate(self.worth) if own == less])} {_points(less)}" for less in points
        ]
        how = "the die nearest to being kept" if self.take == "nearest" else (
            "the die that loses the fewest points (its best face less the face it shows)"
            if game.higher_wins
            else "the die that costs the fewest points"
        )  # fmt: skip
        counted = f", counting {_and(discounts)} less" if discounts else ""
        ties = f"; of equal dice the {self.ties} one" if len(game.kinds) > 1 else ""
        said.append(f"If nothing clears, take {how}{counted}{ties}.")
        return said + (_pace_rules(self) if self.pace else [])

    def to_toml(self) -> str:
        """Write the card as a small file that can be edited and handed back."""
        game = self.game
        lines = [
            "# A strategy card: edit the numbers and hand it back.",
            f'game = "{game.name}"',
            f'name = "{self.name}"',
            f'goal = "{self.goal}"',
            f"look_again = {str(self.look_again).lower()}",
            "",
            "[keep]  # face = the most dice on the table with which it is kept; the best face is always kept",
        ]
        for k, levels in enumerate(self.keep):
            faces = ", ".join(f"{_face(game, k, j)} = {most}" for j, most in enumerate(levels, 1))
            lines.append(f"{game.kinds[k].name} = {{ {faces} }}" if faces else f"{game.kinds[k].name} = {{}}")
        if any(least < FREE for least in self.hold):
            lines += ["", "[hold]  # larger dice that stay = from so many dice on the table on, keep one die alone"]
            lines += [f"{i + 1} = {least}" for i, least in enumerate(self.hold) if least < FREE]
        lines += ["", "[nothing]  # where nothing is kept", f'take = "{self.take}"', f'ties = "{self.ties}"']
        if any(self.worth):
            lines += ["", "[nothing.worth]  # how many points less a die counts"]
            lines += [f"{game.kinds[k].name} = {points!r}" for k, points in enumerate(self.worth) if points]
        if self.pace:
            pace = self.pace
            lines += ["", "[pace]  # how the card looks at the score"]
            lines += [f"aim = {pace.aim}"] if pace.aim is not None else []
            if pace.behind or pace.ahead:
                lines += [f"par = {pace.par!r}", f"par_larger = {pace.par_larger!r}"]
            lines += [f"behind = {list(pace.behind)}  # points, dice"] if pace.behind else []
            lines += [f"ahead = {list(pace.ahead)}  # points, dice"] if pace.ahead else []
            lines += [f"margin = {pace.margin}"] if pace.margin is not None else []
            lines += [f"cash = {pace.cash}"] if pace.cash else []
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class ParCard:
    """A table of what dice left will cost: `par[larger]` by how many of the smallest kind are left, at `columns`, with the
    larger dice `larger` left. Between two columns it is read on a straight line. A policy: it takes the move with the
    least (points lost + par of what is left).
    """

    game: PoolGame
    columns: tuple[int, ...]
    par: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]
    goal: str = "score"
    name: str = "card"

    uses_banked = False
    uses_target = False

    def __post_init__(self) -> None:
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
            found.append(ranking.Move(keep, points, after, final, 0.0))
        return ranking.order(found, game.sign, "score")[0].keep

    def steps(self, game: PoolGame) -> Steps:
        """Return where the rolls of every pool lead, exactly."""
        expected = self.gains
        rows = expected[:, None] + np.arange(game.gain(game.counts) + 1.0)
        tables = np.stack([rows, rows])
        found: Steps = {}
        for state in pool.states(game):
            flow = evaluate.follow(game, state, tables, 0, 1, mass=np.ones(1), expected=expected).flow
            row, gain = np.nonzero(flow)
            found[state.place] = (state.subs[row], gain, flow[row, gain])
        return found

    def visits(self, duel: Duel, target: int | None = None) -> Array:
        """Return the chance to pass through every (pool, gain banked); row 0 is the final distribution."""
        return evaluate.visits_of_steps(self.game, self.steps(self.game))

    def expected_score(self, duel: Duel) -> float:
        """Return the expected final score of a player who has only this card."""
        game, value = self.game, np.zeros(len(self.game.pools))
        for index, (subs, gains, chances) in self.steps(game).items():
            value[index] = chances @ (gains + value[subs])
        return game.worst(game.counts) + game.sign * float(value[-1])

    def first_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a first player with this card against the best second player."""
        return float(self.visits(duel)[0] @ _first_payoff(duel))

    def second_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a second player with this card against the best first player."""
        made = self.visits(duel)[0]
        wins = np.cumsum(made[::-1])[::-1] - made
        return float(_best_first(duel) @ (wins + duel.tie_worth * made))

    def loss(self, duel: Duel) -> float:
        """Return how many points the card falls short of the best expected score."""
        return duel.game.sign * (duel.expected_score - self.expected_score(duel))

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


# What the kernels want to know.


class _Facts(NamedTuple):
    pools: Any
    order: Any
    chance: Array
    most: Any
    strides: Any
    room: int


@lru_cache(maxsize=32)
def _facts(game: PoolGame) -> _Facts:
    """Lay out a game for the kernel."""
    kinds = range(len(game.kinds))
    most = np.array([max(game.face_gains(k)) for k in kinds])
    chance = np.zeros((len(kinds), most.max() + 1))
    for k in kinds:
        for gain in game.face_gains(k):
            chance[k, gain] += 1 / game.kinds[k].sides
    strides = np.array([prod(n + 1 for n in game.counts[k + 1 :]) for k in kinds])
    order = np.array(sorted(range(1, len(game.pools)), key=lambda index: (sum(game.pools[index]), index)))
    room = len(game.pools) * (game.gain(game.counts) + 1) + int(most.sum()) + 2 * game.gain(game.counts) + 16
    return _Facts(np.array(game.pools), order, chance, most, strides, room)


@lru_cache(maxsize=256)
def _ladder(game: PoolGame, kind: int) -> tuple[int, ...]:
    """Return the different gains of a kind of die, the best first."""
    return tuple(sorted(set(game.face_gains(kind)), reverse=True))


def _levels(card: Card) -> Any:
    """Return the level of every face by [kind, gain]: the most dice on the table with which it is kept."""
    facts = _facts(card.game)
    levels = np.ones(facts.chance.shape, np.int64)  # the last die is kept whatever it shows
    for k, given in enumerate(card.keep):
        ladder = _ladder(card.game, k)
        levels[k, ladder[0]] = FREE
        for gain, most in zip(ladder[1:], given, strict=False):
            levels[k, gain] = most
        for gain in range(ladder[0] - 1, -1, -1):  # gains that no face has must not end the walk down
            if gain not in ladder:
                levels[k, gain] = levels[k, gain + 1]
    return levels


def _options(card: Card) -> tuple[bool, bool, bool]:
    return card.look_again, card.take == "nearest", card.ties == "larger"


def _card_arrays(card: Card) -> tuple[Any, Any, Array, tuple[bool, bool, bool]]:
    return _levels(card), np.array((FREE, *card.hold)), np.array(card.worth, float), _options(card)


def _pars(card: Card) -> Array:
    """Return par by pool, or nothing to shift by where the card has no pace."""
    pace = card.pace or Pace()
    return np.array([pace.par + pace.par_larger * sum(left[1:]) for left in card.game.pools])


def _read_pace(card: Card, spare: int, left: tuple[int, ...]) -> tuple[int, int]:
    """Return how many dice more the card is read with, and what a die may lose; plain, so that play needs no compiler."""
    pace = card.pace or Pace()
    above = spare - pace.par - pace.par_larger * sum(left[1:])
    shift = 0
    for by, more in zip(*pace.shifts, strict=True):
        if above >= by:
            shift = int(more)
    if pace.margin is None:
        return shift, FREE
    return shift, min(max(spare - pace.margin, 0), int(_facts(card.game).most.max()))


def _flow(card: Card, index: int, shift: int, limit: int, need: int) -> tuple[Any, Any, Any]:
    """Return where the rolls of one pool lead."""
    from . import card_kernel

    facts = _facts(card.game)
    levels, holds, prices, options = _card_arrays(card)
    subs, gains, chances = card_kernel.flow(
        index, facts.pools[index], levels, shift, limit, need, holds, prices, options, facts.chance, facts.most,
        facts.strides, facts.room,
    )  # fmt: skip
    shown = chances > 0
    return subs[shown], gains[shown], chances[shown]


def _expect(card: Card) -> float:
    """Return the expected gain of a card that looks at the dice alone."""
    from . import card_kernel

    facts = _facts(card.game)
    return float(
        card_kernel.expect(
            facts.pools, facts.order, *_card_arrays(card), facts.chance, facts.most, facts.strides, facts.room
        )[-1]
    )


@lru_cache(maxsize=16)
def _best_first(duel: Duel) -> Array:
    """Return the distribution, by gain, of what the best first player makes."""
    return evaluate.score_distribution(duel, Win(duel))


def _first_payoff(duel: Duel) -> Array:
    """Return by gain what a final score is worth to the first player."""
    most = duel.game.gain(duel.game.counts)
    return 1.0 - duel.gain_second[-1, : most + 1][::-1]


def _fill_values(card: Card, pace: Pace, offset: int, begin: Any, end: Any, values: Array) -> None:
    """Fill in by [pool, column] what a card's play is worth; see `card_kernel.worth`."""
    from . import card_kernel

    facts = _facts(card.game)
    margin = FREE if pace.margin is None else pace.margin
    card_kernel.worth(
        facts.pools, facts.order, begin, end, offset, _pars(replace(card, pace=pace)), *pace.shifts, margin, pace.cash,
        *_card_arrays(card), facts.chance, facts.most, facts.strides, facts.room, values,
    )  # fmt: skip


def _win_value(card: Card, duel: Duel, seat: str) -> float:
    """Return the chance to win from a seat against the best opponent, a tie counted as the duel says."""
    game = duel.game
    if seat == "second":
        wins = _chase(card, second_payoff(game, duel.tie_worth), duel)
        return float(_best_first(duel) @ wins)
    most = game.gain(game.counts)
    gains = np.array([game.gain(left) for left in game.pools])
    pace, offset = Pace(), most
    if card.pace and card.pace.aim is not None:
        pace, offset = card.pace, game.sign * (card.pace.aim - game.worst(game.counts))
    values = np.zeros((len(gains), most + 1))
    values[0] = _first_payoff(duel)
    _fill_values(card, pace, offset, np.zeros(len(gains), np.int64), most - gains + 1, values)
    return float(values[-1, 0])


def _chase(card: Card, payoff: Array, duel: Duel) -> Array:
    """Return by the gain of the target what a card is worth to a second player, given the worth of a lead (2 most + 1)."""
    game = duel.game
    most = game.gain(game.counts)
    gains = np.array([game.gain(left) for left in game.pools])
    if card.pace and card.pace.aim is not None:  # the card looks at its aim, not at the target
        made = card.visits(duel)[0]
        return np.array([made @ payoff[most - wanted : 2 * most + 1 - wanted] for wanted in range(most + 1)])
    values = np.zeros((len(gains), 2 * most + 1))
    values[:, most + 1 :] = payoff[-1]
    values[0] = payoff
    _fill_values(card, card.pace or Pace(), most, most - gains, np.full(len(gains), most + 1), values)
    found: Array = values[-1, : most + 1][::-1]
    return found


def _as_keep(chosen: Sequence[tuple[int, int, int]], kinds: int) -> Roll:
    return tuple(tuple(sorted((face for k, _, face in chosen if k == kind), reverse=True)) for kind in range(kinds))


# Words.


def _face(game: PoolGame, kind: int, place: int) -> int:
    """Return the face that comes so many places after the best of a kind; of equal ones the highest."""
    gains = game.face_gains(kind)
    wanted = _ladder(game, kind)[place]
    return max(face for face, gain in enumerate(gains, 1) if gain == wanted)


def _a(number: int) -> str:
    return f"an {number}" if str(number)[0] == "8" or number in (11, 18) else f"a {number}"


def _the(game: PoolGame, kind: int) -> str:
    name = game.kinds[kind].name
    return f"the {name}" if game.counts[kind] == 1 else f"a {name}"


def _at_most(number: int) -> str:
    return f"{number} dice or fewer" if number > 1 else "only 1 die"


def _dice(number: int, than: str) -> str:
    return f"{number} {than} {'die was' if number == 1 else 'dice were'}"


def _number(value: float) -> str:
    return f"{value:g}"


def _points(value: float) -> str:
    return {0.5: "half a point", 1.0: "1 point"}.get(value, f"{value:g} points")


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _or(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def _pace_rules(card: Card) -> list[str]:
    """Say in words how the card looks at the score."""
    pace, game = card.pace or Pace(), card.game
    said = []
    beat = "the score to beat" if pace.aim is None else f"{pace.aim} points"
    if pace.cash:
        said.append(f"Before all else: with {_at_most(pace.cash)} on the table, keep all of them if that beats {beat}.")
    said.append(f"Your spare points are what you can still lose without falling short of {beat}.")
    if pace.margin is not None:
        less = f"with less than {pace.margin} spare" if pace.margin else "short"
        said.append(f"Never keep a die that leaves you {less}, unless you must.")
    if pace.behind or pace.ahead:
        each = f" and {_number(pace.par_larger)} more for each larger die left" if pace.par_larger else ""
        said.append(f"Par is {_number(pace.par)} spare points{each if len(game.kinds) > 1 else ''}.")
    if pace.behind:
        said.append(
            f"{pace.behind[0]} or more points below par: read the card as if {_dice(pace.behind[1], 'more')} on the table."
        )
    if pace.ahead:
        said.append(
            f"{pace.ahead[0]} or more points above par: read the card as if {_dice(pace.ahead[1], 'fewer')} on the table."
        )
    return said


# Reading a card from a file.


def from_toml(text: str, where: str = "card", game: PoolGame | None = None) -> AnyCard:
    """Read a card from the text of a file; `where` names the file in errors. It must be a card for `game`, if given.

    >>> from_toml('game = "4d6"\\n[keep]\\nd6 = { 5 = 3, 4 = 2 }\\n').keep
    ((3, 2),)
    """
    return _Reader(text, where).read(game)


def load(path: str | Path, game: PoolGame | None = None) -> AnyCard:
    """Read a card from a TOML file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot read {path} ({error.strerror}): name a TOML file with a card") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text: name a TOML file with a card") from None
    return from_toml(text, str(path), game)


class _Reader:
    """Reads one card; every complaint names the file, the line and the key."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where

    def fail(self, path: Sequence[str], problem: str) -> ValueError:
        line = self._line(path)
        place = f"{self.where}, line {line}" if line else self.where
        return ValueError(f"{place}: {'.'.join(path)}: {problem}" if path else f"{place}: {problem}")

    def _line(self, path: Sequence[str]) -> int | None:
        """Find the line of a key: the last line that mentions the deepest part of the path under its table."""
        found, section = None, ""
        for number, line in enumerate(self.text.splitlines(), 1):
            header = re.match(r"\s*\[([^\]]+)\]", line)
            if header:
                section = header[1].replace(" ", "")
                if path and section == ".".join(path[: section.count(".") + 1]) and found is None:
                    found = number
                continue
            key = re.match(r"\s*\"?([^\"=\s]+)\"?\s*=", line)
            if key and path:
                full = [*section.split("."), key[1]] if section else [key[1]]
                if full == list(path[: len(full)]):
                    return number
        return found

    def read(self, game: PoolGame | None) -> AnyCard:
        try:
            data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{self.where}: this is no TOML file: {error}") from None
        named = self.text_of(data, ["game"], None)
        if named is None:
            raise self.fail([], 'it does not say its game: write game = "biscuits"')
        try:
            own = game if game is not None and game.name == named else games.pool_game(named)
        except ValueError as error:
            raise self.fail(["game"], str(error)) from None
        if game is not None and (own.counts, own.kinds, own.higher_wins) != (game.counts, game.kinds, game.higher_wins):
            raise self.fail(["game"], f"this card is for {own.name}, not for {game.name}")
        own = game or own
        goal = self.text_of(data, ["goal"], "score")
        if goal not in GOALS:
            raise self.fail(["goal"], f"there is no goal {goal!r}: say {', '.join(GOALS)}")
        name = self.text_of(data, ["name"], "card") or "card"
        if "par" in data:
            self.known(data, [], ("game", "name", "goal", "columns", "par"))
            return self.par_card(data, own, goal, name)
        self.known(data, [], ("game", "name", "goal", "look_again", "keep", "hold", "nothing", "pace"))
        nothing = self.table(data, ["nothing"])
        self.known(nothing, ["nothing"], ("take", "ties", "worth"))
        take = self.text_of(nothing, ["nothing", "take"], "fewest")
        ties = self.text_of(nothing, ["nothing", "ties"], "larger")
        if take not in ("fewest", "nearest"):
            raise self.fail(["nothing", "take"], f"cannot take {take!r}: say fewest (points) or nearest (to its cut-off)")
        if ties not in ("larger", "smaller"):
            raise self.fail(["nothing", "ties"], f"ties cannot go to {ties!r}: say larger or smaller")
        again = data.get("look_again", True)
        if not isinstance(again, bool):
            raise self.fail(["look_again"], f"must be true or false, not {again!r}")
        if "keep" not in data:
            raise self.fail([], "it has no cut-offs: write a table [keep] with a line for each die")
        return Card(
            own, self.keep(data, own), self.hold(data, own), self.worth(nothing, own), again, take, ties,
            self.pace(data, own) if "pace" in data else None, goal, name,
        )  # fmt: skip

    def keep(self, data: dict[str, Any], game: PoolGame) -> tuple[tuple[int, ...], ...]:
        given = self.table(data, ["keep"])
        self.dice_of(given, ["keep"], game)
        found = []
        for k, die in enumerate(game.kinds):
            path = ["keep", die.name]
            if die.name not in given:
                raise self.fail(["keep"], f"no line for {die.name}: write {die.name} = {{}} to keep its best face only")
            faces = self.table(given, path)
            gains, ladder = game.face_gains(k), _ladder(game, k)
            by_gain: dict[int, int] = {}
            for face, most in faces.items():
                at = [*path, face]
                if not face.isdigit() or not 1 <= int(face) <= die.sides:
                    raise self.fail(at, f"{die.name} has no face {face}: its faces are 1 to {die.sides}")
                gain = gains[int(face) - 1]
                if gain == ladder[0]:
                    raise self.fail(at, f"{face} is the best face of {die.name}, which is always kept: leave it out")
                most = self.whole(most, at, 1, sum(game.counts), "dice on the table")
                if by_gain.setdefault(gain, most) != most:
                    raise self.fail(at, f"{most} dice, but a face of the same worth has {by_gain[gain]}")
            levels: list[int] = []
            for place, gain in enumerate(ladder[1:], 1):
                face = str(_face(game, k, place))
                if gain in by_gain:
                    if len(levels) < place - 1:
                        better = _face(game, k, len(levels) + 1)
                        problem = f"the better face {better} has no cut-off: give it {by_gain[gain]} dice or more"
                        raise self.fail([*path, face], problem)
                    if levels and by_gain[gain] > levels[-1]:
                        better = _face(game, k, place - 1)
                        problem = f"kept with {by_gain[gain]} dice, but the better {better} only with {levels[-1]}"
                        raise self.fail([*path, face], problem)
                    levels.append(by_gain[gain])
            found.append(tuple(levels))
        return tuple(found)

    def hold(self, data: dict[str, Any], game: PoolGame) -> tuple[int, ...]:
        larger = sum(game.counts[1:])
        holds = [FREE] * larger
        for staying, least in self.table(data, ["hold"]).items():
            at = ["hold", staying]
            if not staying.isdigit() or not 1 <= int(staying) <= larger:
                raise self.fail(at, f"{staying} larger dice cannot stay: {game.name} has {larger} of them")
            holds[int(staying) - 1] = self.whole(least, at, 1, sum(game.counts), "dice on the table")
        return tuple(holds)

    def worth(self, nothing: dict[str, Any], game: PoolGame) -> tuple[float, ...]:
        path = ["nothing", "worth"]
        given = self.table(nothing, path)
        self.dice_of(given, path, game)
        return tuple(self.number(given.get(die.name, 0.0), [*path, die.name]) for die in game.kinds)

    def pace(self, data: dict[str, Any], game: PoolGame) -> Pace:
        given = self.table(data, ["pace"])
        self.known(given, ["pace"], ("aim", "par", "par_larger", "behind", "ahead", "margin", "cash"))
        pairs: dict[str, tuple[int, int] | None] = {"behind": None, "ahead": None}
        for name in pairs:
            if name in given:
                at, value = ["pace", name], given[name]
                if not isinstance(value, list) or len(value) != 2:
                    raise self.fail(at, f"must be [points, dice], not {value!r}")
                points = self.whole(value[0], at, -game.gain(game.counts), game.gain(game.counts), "points")
                pairs[name] = (points, self.whole(value[1], at, 0, sum(game.counts), "dice"))
        low, high = game.lowest(game.counts), game.highest(game.counts)
        return Pace(
            aim=self.whole(given["aim"], ["pace", "aim"], low, high, "points") if "aim" in given else None,
            par=self.number(given.get("par", 0.0), ["pace", "par"]),
            par_larger=self.number(given.get("par_larger", 0.0), ["pace", "par_larger"]),
            behind=pairs["behind"],
            ahead=pairs["ahead"],
            margin=self.whole(given["margin"], ["pace", "margin"], 0, high, "points") if "margin" in given else None,
            cash=self.whole(given.get("cash", 0), ["pace", "cash"], 0, sum(game.counts), "dice"),
        )

    def par_card(self, data: dict[str, Any], game: PoolGame, goal: str, name: str) -> ParCard:
        columns = data.get("columns")
        if not isinstance(columns, list) or not all(isinstance(n, int) for n in columns):
            raise self.fail(["columns"], f"must be a list of how many {game.kinds[0].name} are left, not {columns!r}")
        if len(columns) < 2 or columns[0] != 0 or columns[-1] != game.counts[0] or sorted(set(columns)) != columns:
            raise self.fail(["columns"], f"must rise from 0 to {game.counts[0]}, not {columns}")
        given = self.table(data, ["par"])
        rows = []
        for larger in product(*(range(n + 1) for n in game.counts[1:])):
            key = dice.format_dice((0, *larger), game.kinds)
            if key not in given:
                raise self.fail(["par"], f'there is no line for the larger dice "{key}"')
            row = given[key]
            if not isinstance(row, list) or len(row) != len(columns):
                raise self.fail(["par", key], f"must be a list of {len(columns)} numbers, one for each column, not {row!r}")
            rows.append((larger, tuple(self.number(value, ["par", key]) for value in row)))
        self.known(given, ["par"], [dice.format_dice((0, *larger), game.kinds) for larger, _ in rows])
        return ParCard(game, tuple(columns), tuple(rows), goal, name)

    # What a value may be.

    def known(self, data: dict[str, Any], path: list[str], names: Sequence[str]) -> None:
        for key in data:
            if key not in names:
                raise self.fail([*path, key], f"a card has no such entry; there are {', '.join(names)}")

    def dice_of(self, data: dict[str, Any], path: list[str], game: PoolGame) -> None:
        names = [die.name for die in game.kinds]
        for key in data:
            if key not in names:
                raise self.fail([*path, key], f"{game.name} has no such die: its dice are {', '.join(names)}")

    def table(self, data: dict[str, Any], path: list[str]) -> dict[str, Any]:
        value = data.get(path[-1], {})
        if not isinstance(value, dict):
            raise self.fail(path, f"must be a table, not {value!r}")
        return value

    def text_of(self, data: dict[str, Any], path: list[str], default: str | None) -> Any:
        value = data.get(path[-1], default)
        if value is not None and not isinstance(value, str):
            raise self.fail(path, f"must be text in quotes, not {value!r}")
        return value

    def whole(self, value: Any, path: Sequence[str], low: int, high: int, unit: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fail(path, f"must be a whole number of {unit}, not {value!r}")
        if not low <= value <= high:
            raise self.fail(path, f"{value} {unit}: must be from {low} to {high}")
        return value

    def number(self, value: Any, path: Sequence[str]) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.fail(path, f"must be a number, not {value!r}")
        return float(value)


# The search.


class Point(NamedTuple):
    """A place on the frontier: a card, the count of its numbers, and the points it loses."""

    size: int
    loss: float
    card: AnyCard


Objective = Callable[[Card], float]
Slot = tuple[str, int, int]

WORTHS = (0.5, 1.0, 1.5, 2.0, 2.5)


def _slots(card: Card) -> list[Slot]:
    """List the places of a card that hold a number."""
    found = [("keep", k, j) for k, levels in enumerate(card.keep) for j in range(len(levels))]
    found += [("hold", i, 0) for i, least in enumerate(card.hold) if least < FREE]
    found += [("worth", k, 0) for k, points in enumerate(card.worth) if points]
    pace = card.pace
    if pace:
        found += [("aim", 0, 0)] if pace.aim is not None else []
        found += [("par", 0, 0), ("par_larger", 0, 0)] if pace.behind or pace.ahead else []
        found += [(name, 0, i) for name in ("behind", "ahead") if getattr(pace, name) for i in (0, 1)]
        found += [("margin", 0, 0)] if pace.margin is not None else []
        found += [("cash", 0, 0)] if pace.cash else []
    return found


def _values(card: Card, slot: Slot) -> Sequence[Any]:
    """List what may stand in a place of a card, all the rest being as it is."""
    what, k, j = slot
    count = sum(card.game.counts)
    if what == "keep":
        levels = card.keep[k]
        low = levels[j + 1] if j + 1 < len(levels) else 2
        high = levels[j - 1] if 0 < j <= len(levels) else count
        return range(max(2, low), high + 1)
    if what == "hold":
        return range(2, count + 1)
    if what == "worth":
        return WORTHS
    pace = card.pace or Pace()
    if what == "aim":
        return range((pace.aim or 0) - 3, (pace.aim or 0) + 4)
    if what in ("par", "par_larger"):
        here = float(getattr(pace, what))
        return [here + step / 2 for step in range(-4, 5) if here + step / 2 >= 0]
    if what == "margin":
        return range(5)
    if what == "cash":
        return range(2, min(count, 8) + 1)
    return range(-2, 7) if j == 0 else range(1, 9)


def _put(card: Card, slot: Slot, value: Any) -> Card:
    """Write a number into a place of a card; a place just after the last cut-off of a die adds one."""
    what, k, j = slot
    if what == "keep":
        levels = (*card.keep[k][:j], value, *card.keep[k][j + 1 :])
        return replace(card, keep=(*card.keep[:k], levels, *card.keep[k + 1 :]))
    if what in ("hold", "worth"):
        old = getattr(card, what)
        changed: dict[str, Any] = {what: (*old[:k], value, *old[k + 1 :])}
        return replace(card, **changed)
    pace = card.pace or Pace()
    if what in ("behind", "ahead"):
        pair = list(getattr(pace, what))
        pair[j] = value
        value = tuple(pair)
    changed = {what: value}
    return replace(card, pace=replace(pace, **changed))


def _improve(card: Card, objective: Objective, *, near: int | None = None) -> tuple[float, Card]:
    """Change one number at a time for the better until none can be; `near` limits how far a number goes at once."""
    best = objective(card)
    better = True
    while better:
        better = False
        for slot in _slots(card):
            values = list(_values(card, slot))
            if near is not None and slot[0] in ("keep", "hold"):
                now = card.keep[slot[1]][slot[2]] if slot[0] == "keep" else card.hold[slot[1]]
                values = [value for value in values if abs(value - now) <= near]
            for value in values:
                tried = _put(card, slot, value)
                worth = objective(tried) if tried != card else best
                if worth > best + 1e-10:
                    best, card, better = worth, tried, True
    return best, card


def _additions(card: Card) -> Iterator[tuple[Slot, Card]]:
    """Yield every card with one number more."""
    slots = [("keep", k, len(levels)) for k, levels in enumerate(card.keep) if len(levels) + 1 < len(_ladder(card.game, k))]
    slots += [("hold", i, 0) for i, least in enumerate(card.hold) if least == FREE]
    slots += [("worth", k, 0) for k, points in enumerate(card.worth) if k and not points]
    for slot in slots:
        for value in _values(card, slot):
            yield slot, _put(card, slot, value)


def _grow(card: Card, objective: Objective, size: int, progress: Progress | None, width: int = 4) -> list[Card]:
    """Add the number that helps most, again and again; return the best card found of each size.

    The `width` most promising places for the next number are improved in full before one is chosen.
    """
    best, card = _improve(card, objective)
    found = [card]
    while card.size < size:
        tops: dict[Slot, tuple[float, Card]] = {}
        for slot, tried in _additions(card):
            worth = objective(tried)
            if slot not in tops or worth > tops[slot][0]:
                tops[slot] = (worth, tried)
        ranked = sorted(tops.values(), key=lambda pair: -pair[0])[:width]
        improved = [_improve(tried, objective) for _, tried in ranked]
        if not improved or max(worth for worth, _ in improved) <= best + 1e-9:
            break
        best, card = max(improved, key=lambda pair: pair[0])
        found.append(card)
        if progress:
            progress(card.size / size)
    return found


def _theory(game: PoolGame) -> Card:
    """Make the card that one-die theory would write: the published cut-off table, and the sensible rules without numbers."""
    keep = []
    for k, rejects in enumerate(one_die.reject_gains(game)):
        levels = []
        for gain in _ladder(game, k)[1:]:
            kept = [n for n in range(2, sum(game.counts) + 1) if gain > rejects[n]]
            if not kept:
                break
            levels.append(max(kept))
        keep.append(tuple(levels))
    return Card(game, tuple(keep))


_FOUND: dict[tuple[PoolGame, int], tuple[Card, ...]] = {}


def _score_cards(game: PoolGame, size: int, progress: Progress | None = None) -> tuple[Card, ...]:
    """Return the best cut-off card for points found of every size; a search is done once."""
    if (game, size) not in _FOUND:
        cards = {card.size: card for card in _grow(Card(game, ((),) * len(game.kinds)), _expect, size, progress)}
        theory = _theory(game)
        if theory.size <= size:
            for card in _grow(theory, _expect, size, None):
                if card.size not in cards or _expect(card) > _expect(cards[card.size]) + 1e-10:
                    cards[card.size] = card
        _FOUND[game, size] = tuple(cards[n] for n in sorted(cards))
    return _FOUND[game, size]


def par_card(duel: Duel, columns: Sequence[int], step: float = 0.1) -> ParCard:
    """Make the par card with these columns, its numbers rounded to multiples of `step`."""
    game = duel.game
    rows = []
    for larger in product(*(range(n + 1) for n in game.counts[1:])):
        lost = [game.gain((n, *larger)) - duel.gain_expected[game.pool_index((n, *larger))] for n in columns]
        rows.append((larger, tuple(round(round(float(points) / step) * step, 10) for points in lost)))
    return ParCard(game, tuple(columns), tuple(rows), name="par")


def _par_cards(duel: Duel, size: int, progress: Progress | None = None) -> list[ParCard]:
    """Return par cards of growing size: the column that helps most is added, again and again."""
    game = duel.game
    rows = prod(n + 1 for n in game.counts[1:])
    columns = [0, game.counts[0]]
    found = []
    while rows * len(columns) - 1 <= size:
        found.append(par_card(duel, columns))
        rest = [n for n in range(game.counts[0]) if n not in columns]
        if not rest or rows * (len(columns) + 1) - 1 > size:
            break
        tried = [(par_card(duel, sorted([*columns, n])).loss(duel), n) for n in rest]
        columns = sorted([*columns, min(tried)[1]])
        if progress:
            progress(min(1.0, rows * len(columns) / size))
    return found


def _part(progress: Progress | None, begin: float, end: float) -> Progress | None:
    return (lambda done: progress(begin + (end - begin) * done)) if progress else None


def find(duel: Duel, size: str | int = "medium", goal: str = "score", progress: Progress | None = None) -> AnyCard:
    """Search for the best card of a size (small, medium, large, or a count of numbers) for a goal.

    The goal is `score`, or to win from the `first` or the `second` seat. The search is deterministic and every card it
    looks at is evaluated exactly.
    """
    limit = SIZES.get(size, 0) if isinstance(size, str) else size
    if limit < 1:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(SIZES)}, or how many numbers")
    if goal not in GOALS:
        raise ValueError(f"there is no card for {goal!r}: say {', '.join(GOALS)}")
    name = size if isinstance(size, str) else f"{size} numbers"
    cards = [card for card in _score_cards(duel.game, min(limit, 30), _part(progress, 0.0, 0.4)) if card.size <= limit]
    found: list[AnyCard] = [cards[-1], *_par_cards(duel, limit, _part(progress, 0.4, 0.6))]
    if goal == "score":
        best = min(found, key=lambda card: (round(card.loss(duel), 9), card.size))
    else:
        found.append(_find_winner(duel, cards, limit, goal, _part(progress, 0.6, 1.0)))
        best = max(found, key=lambda card: (round(_value(card, duel, goal), 9), -card.size))
    if progress:
        progress(1.0)
    return replace(best, name=name, goal=goal)


def _value(card: AnyCard, duel: Duel, goal: str) -> float:
    """Return the chance to win from the seat that a card is for."""
    return card.first_player_value(duel) if goal == "first" else card.second_player_value(duel)


def _paces(duel: Duel, goal: str) -> list[Pace | None]:
    """List the kinds of pace a card may have, with numbers to start from: what the best play expects to lose is par."""
    game = duel.game
    par = round(float(game.gain(game.counts) - duel.gain_expected[-1]))
    larger = 1.0 if len(game.kinds) > 1 else 0.0
    base = max(0.0, par - larger * sum(game.counts[1:]))
    if goal == "first":
        aim = round(duel.expected_score) + game.sign
        return [None, Pace(aim=aim, par=base, par_larger=larger, behind=(3, 1)),
                Pace(aim=aim, par=base, par_larger=larger, ahead=(3, 1))]  # fmt: skip
    cash = min(6, sum(game.counts))
    return [
        None,
        Pace(cash=cash),
        Pace(cash=cash, margin=1),
        Pace(cash=cash, margin=1, par=base, par_larger=larger, behind=(2, 1)),
        Pace(cash=cash, margin=1, par=base, par_larger=larger, behind=(2, 1), ahead=(4, 1)),
    ]


def _find_winner(duel: Duel, cards: Sequence[Card], limit: int, goal: str, progress: Progress | None) -> Card:
    """Give the cards for points a pace, and tune all numbers for winning."""

    def objective(card: Card) -> float:
        return _win_value(card, duel, goal)

    found: list[tuple[float, Card]] = []
    paces = _paces(duel, goal)
    for done, pace in enumerate(paces):
        room = [card for card in cards if card.size + (pace.size if pace else 0) <= limit]
        if room:
            found.append(_improve(replace(room[-1], pace=pace), objective, near=1))
        if progress:
            progress((done + 1) / len(paces))
    return max(found, key=lambda pair: pair[0])[1]


def frontier(duel: Duel, progress: Progress | None = None) -> list[Point]:
    """Return what cards of growing size lose: from the one-line rule without a number up to the full solution.

    Cut-off cards first, then par cards as soon as they are better, at last the whole table of the dice left.
    """
    game = duel.game
    points = [Point(card.size, card.loss(duel), card) for card in _score_cards(game, 30, _part(progress, 0.0, 0.4))]
    full = par_card(duel, range(game.counts[0] + 1), step=1e-10)
    for par in [*_par_cards(duel, SIZES["large"], _part(progress, 0.4, 1.0)), full]:
        point = Point(par.size, par.loss(duel), par)
        if point.loss < points[-1].loss - 1e-9:
            points.append(point)
    return points


# The cards that come with the package.


def packaged(game: PoolGame, size: str = "medium", goal: str = "score") -> AnyCard | None:
    """Return the card that was found for a named game, or None where none is packaged."""
    if game.name not in games.NAMED or games.NAMED[game.name] != game:
        return None
    file = resources.files(__package__) / "cards" / f"{game.name}-{size}-{goal}.toml"
    return from_toml(file.read_text(encoding="utf-8"), file.name, game) if file.is_file() else None


def card(duel: Duel, size: str = "medium", goal: str = "score", progress: Progress | None = None) -> AnyCard:
    """Return the best known card: the packaged one, or else the one that a search finds."""
    if size not in SIZES:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(SIZES)}")
    if goal not in GOALS:
        raise ValueError(f"there is no card for {goal!r}: say {', '.join(GOALS)}")
    return packaged(duel.game, size, goal) or find(duel, size, goal, progress)


# The card as a picture.

WIDTH, EDGE = 640.0, 28.0
INK, PALE, TINT, MUTED = "#1b1b1b", "#f4f1ea", "#dcebdd", "#6b6b6b"


class _Text(NamedTuple):
    x: float
    y: float
    size: float
    words: str
    bold: bool = False
    centred: bool = False
    colour: str = INK


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str = "#b9b3a5"


class _Picture(NamedTuple):
    height: float
    items: list[_Text | _Box]


def render(card: AnyCard, format: str = "svg", duel: Duel | None = None) -> bytes:
    """Draw a card that can be printed and taken along, as svg, html or pdf; with a duel it says what the card costs."""
    if format not in ("svg", "html", "pdf"):
        raise ValueError(f"a card cannot be drawn as {format!r}: say svg, html or pdf")
    picture = _draw(card, duel)
    if format == "pdf":
        return _pdf(picture)
    svg = _svg(picture)
    if format == "svg":
        return svg.encode()
    title = _escape(_title(card))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>body{margin:1em auto;max-width:44em}svg{width:100%;height:auto}@media print{body{margin:0}}</style>"
        f"</head><body>\n{svg}</body></html>\n"
    ).encode()


def _title(card: AnyCard) -> str:
    goals = {"score": "for points", "first": "to win, going first", "second": "to win, going second"}
    return f"{card.game.name.capitalize()}: {card.name} card {goals[card.goal]}"


def _draw(card: AnyCard, duel: Duel | None) -> _Picture:
    """Lay out the title, the table, the rules and what they cost, from top to bottom."""
    items: list[_Text | _Box] = []
    y = 50.0
    items.append(_Text(EDGE, y, 22, _title(card), bold=True))
    y = _write(items, [card.game.about], y + 6, 12, MUTED) + 26
    y = _draw_par(items, card, y) if isinstance(card, ParCard) else _draw_keep(items, card, y)
    y = _write(items, _instructions(card), y + 12, 13, INK, numbered=True)
    if duel is not None:
        y = _write(items, [_cost(card, duel)], y + 8, 12, MUTED)
    height = y + EDGE
    return _Picture(height, [_Box(6, 6, WIDTH - 12, height - 12, "#ffffff", INK), *items])


def _instructions(card: AnyCard) -> list[str]:
    """Say how to play by the table on the card."""
    if isinstance(card, ParCard):
        small = card.game.kinds[0].name
        lost = "loses (its best face less the face it shows)" if card.game.higher_wins else "costs"
        said = [
            "After a roll, think of the ways to keep one or more dice.",
            f"For each, add up the points that every die kept {lost} and the number in the table for the dice that would be "
            "left. Keep what has the least total.",
        ]
        gaps = [(a, b) for a, b in pairwise(card.columns) if b - a > 1]
        if gaps:
            a, b = gaps[0]
            said.append(f"Between two columns read in between: from {a} to {b} {small} the numbers change in equal steps.")
        return said
    start = (
        "Roll, and count the dice on the table: this is your column. A die clears if it shows what its row says there. "
        "Keep every die that clears."
    )
    return [start, *card.rules[1 + sum(bool(levels) for levels in card.keep) :]]


def _cost(card: AnyCard, duel: Duel) -> str:
    if card.goal == "second":
        second = f"Wins {card.second_player_value(duel):.2%} going second; perfect play {duel.second_player_value:.2%}."
        return f"{card.size} numbers. {second}"
    score = f"Expected score {card.expected_score(duel):.3f}; perfect play {duel.expected_score:.3f}."
    first = f"Wins {card.first_player_value(duel):.2%} going first; perfect play {duel.first_player_value:.2%}."
    return f"{card.size} numbers. {score} {first}"


def _draw_keep(items: list[_Text | _Box], card: Card, y: float) -> float:
    """Draw the table of faces to keep: a row for each die, a column for every run of dice on the table."""
    game = card.game
    count = sum(game.counts)
    by_dice = [tuple(_kept_faces(card, k, n) for k in range(len(game.kinds))) for n in range(1, count + 1)]
    runs: list[tuple[int, int]] = []
    for n in range(1, count + 1):
        if runs and by_dice[n - 1] == by_dice[runs[-1][0] - 1]:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    heads = [str(first) if first == last else f"{first}\u2013{last}" for first, last in runs]
    rows = []
    for k, die in enumerate(game.kinds):
        cells = [by_dice[first - 1][k] for first, _ in runs]
        rows.append((die.name, cells, [words != str(_face(game, k, 0)) for words in cells]))
    items.append(_Text(EDGE, y + 4, 14, "Keep a die that shows", bold=True))
    return _draw_table(items, "dice on the table", heads, rows, y + 14)


def _draw_par(items: list[_Text | _Box], card: ParCard, y: float) -> float:
    """Draw the table of par: a row for each set of larger dice left, a column for how many of the smallest."""
    rows = []
    for larger, row in sorted(card.par, key=lambda pair: (sum(pair[0]), pair[0][::-1])):
        with_them = dice.format_dice((0, *larger), card.game.kinds) if any(larger) else f"only {card.game.kinds[0].name}"
        rows.append((with_them, [f"{value:g}" for value in row], [False] * len(row)))
    items.append(_Text(EDGE, y + 4, 14, "Points that the dice left will lose", bold=True))
    return _draw_table(items, f"{card.game.kinds[0].name} left", [str(n) for n in card.columns], rows, y + 14)


def _kept_faces(card: Card, kind: int, count: int) -> str:
    """Say which faces of a kind are kept with so many dice on the table, as 5+ or one by one."""
    game = card.game
    levels, gains = _levels(card), game.face_gains(kind)
    most = max(gains)
    faces = [f for f, gain in enumerate(gains, 1) if gain == most or count == 1 or levels[kind, gain] >= count]
    if len(faces) == len(gains):
        return "any"
    if faces == list(range(faces[0], len(gains) + 1)):
        return f"{faces[0]}+" if len(faces) > 1 else str(faces[0])
    return " ".join(str(face) for face in sorted(faces, key=lambda face: -gains[face - 1]))


def _draw_table(
    items: list[_Text | _Box], corner: str, heads: Sequence[str], rows: Sequence[tuple[str, list[str], list[bool]]], y: float
) -> float:
    first = 128.0
    each = (WIDTH - 2 * EDGE - first) / len(heads)
    size = 15.0 if each > 44 else 12.0
    high = 28.0
    for row, (name, cells, marked) in enumerate([(corner, list(heads), [False] * len(heads)), *rows]):
        top = y + row * high
        items.append(_Box(EDGE, top, first, high, PALE))
        items.append(_Text(EDGE + 8, top + 19, 13 if row else 12, name, bold=row > 0))
        for column, words in enumerate(cells):
            left = EDGE + first + column * each
            items.append(_Box(left, top, each, high, TINT if marked[column] else "#ffffff" if row else PALE))
            items.append(_Text(left + each / 2, top + 19.5, size, words, bold=row > 0, centred=True))
    return y + (len(rows) + 1) * high


def _write(
    items: list[_Text | _Box], paragraphs: Sequence[str], y: float, size: float, colour: str, numbered: bool = False
) -> float:
    """Write paragraphs below one another; return where the next one would begin."""
    indent = 20.0 if numbered else 0.0
    for number, words in enumerate(paragraphs, 1):
        y += size * 0.45
        for line, part in enumerate(_wrap(words, size, WIDTH - 2 * EDGE - indent)):
            y += size * 1.3
            if numbered and line == 0:
                items.append(_Text(EDGE, y, size, f"{number}.", bold=True, colour=colour))
            items.append(_Text(EDGE + indent, y, size, part, colour=colour))
    return y


def _wide(words: str, size: float) -> float:
    """Estimate how wide words are in Helvetica."""
    narrow, broad = "iIjl.,;:'|!ft()- ", "mwMW%"
    return size * sum(0.3 if c in narrow else 0.85 if c in broad else 0.556 for c in words)


ROOM = 0.88
"""How much of a line is filled: where Helvetica is absent, another font is wider."""


def _wrap(words: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _wide(longer, size) > ROOM * width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _escape(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _svg(picture: _Picture) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {picture.height:g}" width="{WIDTH:g}" '
        f'height="{picture.height:g}" font-family="Helvetica, Arial, sans-serif">'
    ]
    for item in picture.items:
        if isinstance(item, _Box):
            lines.append(
                f'<rect x="{item.x:g}" y="{item.y:g}" width="{item.width:g}" height="{item.height:g}" '
                f'fill="{item.fill}" stroke="{item.line}"/>'
            )
        else:
            style = (' font-weight="bold"' if item.bold else "") + (' text-anchor="middle"' if item.centred else "")
            lines.append(
                f'<text x="{item.x:g}" y="{item.y:g}" font-size="{item.size:g}" fill="{item.colour}"{style}>'
                f"{_escape(item.words)}</text>"
            )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _pdf(picture: _Picture) -> bytes:
    """Write a page of text and boxes as a PDF file with the two standard fonts: four objects, no library."""

    def colour(code: str) -> str:
        return " ".join(f"{int(code[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))

    drawn = []
    for item in picture.items:
        if isinstance(item, _Box):
            where = f"{item.x:.2f} {picture.height - item.y - item.height:.2f} {item.width:.2f} {item.height:.2f}"
            drawn.append(f"{colour(item.fill)} rg {colour(item.line)} RG {where} re B")
        else:
            x = item.x - (_wide(item.words, item.size) / 2 if item.centred else 0.0)
            words = item.words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            font = "F2" if item.bold else "F1"
            where = f"{x:.2f} {picture.height - item.y:.2f}"
            drawn.append(f"BT {colour(item.colour)} rg /{font} {item.size:g} Tf {where} Td ({words}) Tj ET")
    content = "\n".join(drawn).encode("cp1252", "replace")
    fonts = " ".join(
        f"/F{i} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for i, name in ((1, "Helvetica"), (2, "Helvetica-Bold"))
    )
    page = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {picture.height:g}] /Contents 4 0 R "
        f"/Resources << /Font << {fonts} >> >> >>"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page.encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(file))
    return file + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + tail
