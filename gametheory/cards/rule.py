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
Everything is exact (`card_kernel`, `evaluate`): no card is ever judged by sampling. Cards are read by `card_file`, found by
`card_search` and drawn by `card_picture`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..ask import moves as ranking
from ..ask.policies import Position, Steps, Win, best_keeps
from ..dice import Roll
from ..games import PoolGame
from ..match import evaluate
from ..match.duel import Duel, second_payoff
from ..pool import solver as pool
from ..pool.solver import Array

FREE = 1 << 30
"""More dice or points than there are: a rule that a card does not have."""

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
            faces = len(gain_ladder(game, k))
            if len(levels) >= faces:
                raise ValueError(f"{game.kinds[k].name} has {faces} different faces, not {len(levels) + 1}")
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
        levels = face_levels(self)
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
            gain = expected_gain(replace(self, pace=None))
        else:
            gain = float(self.visits(duel)[0] @ np.arange(game.gain(game.counts) + 1))
        return game.worst(game.counts) + game.sign * gain

    def first_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a first player with this card against the best second player."""
        return win_value(self, duel, "first")

    def second_player_value(self, duel: Duel) -> float:
        """Return the chance to win of a second player with this card against the best first player."""
        return win_value(self, duel, "second")

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
        best = [f"{_a(face_at(game, k, 0))} on {_the(game, k)}" for k in range(len(game.kinds))]
        said = [f"Always keep {_and(best)}."]
        for k, levels in enumerate(self.keep):
            if levels:
                faces = [f"{_a(face_at(game, k, j))} with {_at_most(most)}" for j, most in enumerate(levels, 1)]
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
            faces = ", ".join(f"{face_at(game, k, j)} = {most}" for j, most in enumerate(levels, 1))
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
def gain_ladder(game: PoolGame, kind: int) -> tuple[int, ...]:
    """Return the different gains of a kind of die, the best first."""
    return tuple(sorted(set(game.face_gains(kind)), reverse=True))


def face_levels(card: Card) -> Any:
    """Return the level of every face by [kind, gain]: the most dice on the table with which it is kept."""
    facts = _facts(card.game)
    levels = np.ones(facts.chance.shape, np.int64)  # the last die is kept whatever it shows
    for k, given in enumerate(card.keep):
        ladder = gain_ladder(card.game, k)
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
    return face_levels(card), np.array((FREE, *card.hold)), np.array(card.worth, float), _options(card)


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
    from . import kernel as card_kernel

    facts = _facts(card.game)
    levels, holds, prices, options = _card_arrays(card)
    subs, gains, chances = card_kernel.flow(
        index, facts.pools[index], levels, shift, limit, need, holds, prices, options, facts.chance, facts.most,
        facts.strides, facts.room,
    )  # fmt: skip
    shown = chances > 0
    return subs[shown], gains[shown], chances[shown]


def expected_gain(card: Card) -> float:
    """Return the expected gain of a card that looks at the dice alone."""
    from . import kernel as card_kernel

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
    from . import kernel as card_kernel

    facts = _facts(card.game)
    margin = FREE if pace.margin is None else pace.margin
    card_kernel.worth(
        facts.pools, facts.order, begin, end, offset, _pars(replace(card, pace=pace)), *pace.shifts, margin, pace.cash,
        *_card_arrays(card), facts.chance, facts.most, facts.strides, facts.room, values,
    )  # fmt: skip


def win_value(card: Card, duel: Duel, seat: str) -> float:
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


def face_at(game: PoolGame, kind: int, place: int) -> int:
    """Return the face that comes so many places after the best of a kind; of equal ones the highest."""
    gains = game.face_gains(kind)
    wanted = gain_ladder(game, kind)[place]
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
