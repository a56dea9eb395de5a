"""The policies of pools that are made of cut-offs, and random play, as steps: where every roll leads, exactly.

    greedy    keeps every die at its best points, else the one that loses fewest; ties to the smaller die

Where more dice must be kept than a rule takes by itself, it takes those that come next by the same measure.

The published cut-off rule is one of these: see `one_die`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

from ..answers import Array
from ..columns import step_player
from ..dice import Roll
from ..levels import Places, Player, Steps
from ..policies import ScoringPolicy, Solved
from ..progress import Progress
from .notation import Position
from .rules import PoolGame


@dataclass(frozen=True)
class Threshold(ScoringPolicy):
    """Keeps every die whose gain is at least its cut; if these are too few, those with the least shortfall besides.

    `cuts(dice_left, rolls_left)` gives the least gain to keep for each kind of die, `shortfalls` for each kind a number by
    gain: where too little is kept, the dice with the lowest are taken, ties to the smaller kind. Within a kind the
    shortfall must not rise with the gain, so that the best die of a kind stands for it.
    """

    name: str
    game: PoolGame
    cuts: Callable[[tuple[int, ...], int | None], tuple[float, ...]]
    shortfalls: Callable[[tuple[int, ...], int | None], tuple[tuple[float, ...], ...]]

    ignores = ("banked", "target")

    def __call__(self, position: Position, roll: Roll) -> Roll:
        rolls = None if position.rolls_left is None else position.rolls_left + 1
        cuts, short = self.cuts(position.dice_left, rolls), self.shortfalls(position.dice_left, rolls)
        gains = [self.game.face_gains(k) for k in range(len(roll))]
        keep = [[face for face in faces if gains[k][face - 1] >= cuts[k]] for k, faces in enumerate(roll)]
        others = sorted(
            (short[k][gains[k][face - 1]], k, -face)
            for k, faces in enumerate(roll)
            for face in faces
            if gains[k][face - 1] < cuts[k]
        )
        for _, k, face in others[: max(0, self.game.least(position.dice_left, rolls) - sum(map(len, keep)))]:
            keep[k].append(-face)
        return tuple(tuple(sorted(faces, reverse=True)) for faces in keep)

    def interrupted(self, left: tuple[int, ...]) -> float:
        """Return the chance that no die reaches its cut, where nobody counts rolls."""
        chance = 1.0
        for k, cut in enumerate(self.cuts(left, None)):
            gains = self.game.face_gains(k)
            chance *= (sum(gain < cut for gain in gains) / len(gains)) ** left[k]
        return chance

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        return self.all_steps()

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        """Play every roll at once: by kind, what is kept and gained, and the die to take if nothing is."""
        game, (left, rolls) = self.game, self.game.places[place]
        if game.least(left, rolls) > 1:
            return super().taken(solved, place, begin, width, target)
        cuts, short = self.cuts(left, rolls), self.shortfalls(left, rolls)
        numbers: Any = solved.space.numbers(place)[0]
        kinds = numbers.kinds
        shape = [1] * len(kinds)
        kept, gained, after = (np.zeros(shape, np.int64) for _ in range(3))
        least, single, one_less = np.full(shape, np.inf), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for k in sorted(kinds):
            gains, stride = game.face_gains(k), game.pool_index(tuple(int(kind == k) for kind in range(len(left))))
            along = [-1 if kind == k else 1 for kind in kinds]
            shown = [sorted((gains[face - 1] for face in faces), reverse=True) for faces, _ in game.kinds[k].roll(left[k])]
            over = [[gain for gain in roll if gain >= cuts[k]] for roll in shown]
            counts = np.array([len(part) for part in over]).reshape(along)
            kept, gained = kept + counts, gained + np.array([sum(part) for part in over]).reshape(along)
            after = after + stride * counts
            lacks = np.array([short[k][roll[0]] for roll in shown]).reshape(along)
            better = lacks < least
            single = np.where(better, np.array([roll[0] for roll in shown]).reshape(along), single)
            one_less, least = np.where(better, stride, one_less), np.minimum(lacks, least)
        none = kept == 0
        after, gained = np.where(none, one_less, after), np.where(none, single, gained)
        index = game.pool_index(left) - after
        if game.roll_limit is not None:
            assert rolls is not None
            index = np.where(index > 0, index * (game.roll_limit + 1) + rolls - 1, 0)
        return index.reshape(-1, 1), gained.reshape(-1, 1)

    def player(self, solved: Solved) -> Player:
        return step_player(solved.space, self.all_steps())

    def all_steps(self) -> Steps:
        """Return where the rolls of every place lead, exactly."""
        return self._every_step

    @cached_property
    def _every_step(self) -> Steps:
        return {place: self._step(*self.game.places[place]) for place in _played(self.game)}

    def _step(self, left: tuple[int, ...], rolls: int | None) -> tuple[Any, Any, Any]:
        game, least = self.game, self.game.least(left, rolls)
        flow = np.zeros((len(game.places), game.gain(left) + 1))

        def land(kept: tuple[int, ...], gains: Array) -> None:
            after = tuple(n - c for n, c in zip(left, kept, strict=True))
            flow[game.place(after, game.rolls_after(after, rolls)), : len(gains)] += gains[: flow.shape[1]]

        everything = 1 < least == sum(left)
        cuts = (0.0,) * len(left) if everything else self.cuts(left, rolls)
        # Each kind by itself: how many dice reach the cut, and what they gain; then all kinds together.
        joint: dict[tuple[int, ...], Array] = {(): np.ones(1)}
        for k, n in enumerate(left):
            parts = _reaching(game.face_gains(k), n, cuts[k])
            joint = {
                (*counts, c): np.convolve(gains, part) for counts, gains in joint.items() for c, part in enumerate(parts)
            }
        for counts, gains in joint.items():
            if sum(counts) >= least:
                land(counts, gains)
            elif least > 1:
                for kept, made in self._filled(left, rolls, cuts, counts, gains):
                    land(kept, made)
        for k, gain, chance in self._singles(left, rolls, cuts) if least == 1 else ():
            single = np.zeros(gain + 1)
            single[gain] = chance
            land(tuple(int(kind == k) for kind in range(len(left))), single)
        subs, gained = np.nonzero(flow)
        return subs, gained, flow[subs, gained]

    def _short(
        self, left: tuple[int, ...], rolls: int | None, cuts: tuple[float, ...]
    ) -> list[tuple[int, int]]:
        """List the (kind, gain) below the cuts, the least shortfall first: the order in which they are taken."""
        short = self.shortfalls(left, rolls)
        candidates = []
        for k, n in enumerate(left):
            if n:
                gains = {gain for gain in self.game.face_gains(k) if gain < cuts[k]}
                candidates += [(short[k][gain], k, -gain) for gain in gains]
        return [(k, -gain) for _, k, gain in sorted(candidates)]

    def _filled(
        self, left: tuple[int, ...], rolls: int | None, cuts: tuple[float, ...], counts: tuple[int, ...], gains: Array
    ) -> Iterator[tuple[tuple[int, ...], Array]]:
        """Yield what is kept, and its gains by chance, where only `counts` dice reach their cuts and more must be kept."""
        least = self.game.least(left, rolls)
        faces = [[gain for gain in self.game.face_gains(k) if gain < cut] for k, cut in enumerate(cuts)]
        # (dice not looked at yet, dice kept) -> gains; from the least shortfall on, each face takes the dice that show it.
        open_dice = tuple(n - c for n, c in zip(left, counts, strict=True))
        begin = np.zeros(self.game.gain(left) + 1)
        begin[: len(gains)] = gains[: len(begin)]
        waiting: dict[tuple[tuple[int, ...], tuple[int, ...]], Array] = {(open_dice, counts): begin}
        for k, gain in self._short(left, rolls, cuts):
            chance = faces[k].count(gain) / len(faces[k])
            faces[k] = [other for other in faces[k] if other != gain]
            after: dict[tuple[tuple[int, ...], tuple[int, ...]], Array] = {}
            for (still, kept), made in waiting.items():
                for shown in range(still[k] + 1):
                    taken = min(shown, least - sum(kept))
                    share = comb(still[k], shown) * chance**shown * (1.0 - chance) ** (still[k] - shown)
                    more = np.concatenate([np.zeros(taken * gain), made[: len(made) - taken * gain] * share])
                    now_kept = tuple(n + taken * (kind == k) for kind, n in enumerate(kept))
                    if sum(now_kept) == least:
                        yield now_kept, more
                        continue
                    key = tuple(n - shown * (kind == k) for kind, n in enumerate(still)), now_kept
                    after[key] = after[key] + more if key in after else more
            waiting = after

    def _singles(
        self, left: tuple[int, ...], rolls: int | None, cuts: tuple[float, ...]
    ) -> list[tuple[int, int, float]]:
        """List which single die is taken when none reaches its cut: (kind, gain, chance)."""
        found = []
        # Walk the candidates from the least shortfall on: each is taken where it shows and no earlier one does.
        barred: dict[int, set[int]] = {k: set() for k, n in enumerate(left) if n}
        open_chance = 1.0
        for k, cut in enumerate(cuts):
            faces = self.game.face_gains(k)
            open_chance *= (sum(gain < cut for gain in faces) / len(faces)) ** left[k]
        for k, gain in self._short(left, rolls, cuts):
            barred[k].add(gain)
            rest = 1.0
            for kind, n in enumerate(left):
                if n:
                    gains = self.game.face_gains(kind)
                    rest *= (sum(g < cuts[kind] and g not in barred[kind] for g in gains) / len(gains)) ** n
            found.append((k, gain, open_chance - rest))
            open_chance = rest
        return found


def _reaching(gains: tuple[int, ...], n: int, cut: float) -> list[Array]:
    """Return, for c = 0..n, the chance that c of n dice reach the cut, by what they gain."""
    one = np.zeros(max(gains) + 1)
    for gain in gains:
        if gain >= cut:
            one[gain] += 1 / len(gains)
    below = sum(gain < cut for gain in gains) / len(gains)
    parts, power = [], np.ones(1)
    for c in range(n + 1):
        parts.append(comb(n, c) * below ** (n - c) * power)
        power = np.convolve(power, one)
    return parts


def greedy(game: PoolGame) -> Threshold:
    """Make the policy that keeps every die at its best points, else the one that loses fewest."""
    most = [max(game.face_gains(k)) for k in range(len(game.kinds))]
    losses = tuple(tuple(float(best - gain) for gain in range(best + 1)) for best in most)
    return Threshold("greedy", game, lambda left, rolls: tuple(float(best) for best in most), lambda left, rolls: losses)


def play_greedy(solved: Solved) -> Threshold:
    """Make it for a solved game."""
    return greedy(solved.space.game)


@lru_cache(maxsize=4)
def random_steps(game: PoolGame) -> Steps:
    """Return where the rolls of every place lead if each keep of a roll is as likely as any other.

    A roll with N sub-multisets, S of which are too small to be kept (the empty one at least), gives each other one
    1 / (N - S). N is a product over kinds; the numbers of small ones by size multiply like polynomials. Kinds whose rolls
    all have as many, single dice above all, come last: what is divided by N - S is summed before they are joined.
    """
    found: Steps = {}
    for place in _played(game):
        left, rolls = game.places[place]
        least = game.least(left, rolls)
        parts = [_parts_of_rolls(game.face_gains(k), n, least) for k, n in enumerate(left)]
        order = sorted(range(len(left)), key=lambda k: len(parts[k]) == 1)
        last = [k for k in order if len(parts[k]) == 1]
        joint: dict[Ways, dict[tuple[int, ...], Array]] = {(1, (1,)): {(): np.ones(1)}}
        for k in order[: len(order) - len(last)]:
            joint = _times(joint, parts[k], least)
        shares: dict[tuple[int, ...], Array] = {}
        for ways, by_counts in joint.items():
            for k in last:
                ways = _join(ways, next(iter(parts[k])), least)
            share = 1.0 / (ways[0] - sum(ways[1]))
            for counts, gains in by_counts.items():
                shares[counts] = shares[counts] + gains * share if counts in shares else gains * share
        for k in last:
            (by_count,) = parts[k].values()
            shares = {(*counts, c): np.convolve(g, part) for counts, g in shares.items() for c, part in enumerate(by_count)}
        flow = np.zeros((len(game.places), game.gain(left) + 1))
        for counts, gains in shares.items():
            if sum(counts) >= least:
                after = tuple(n - counts[order.index(k)] for k, n in enumerate(left))
                into = game.place(after, game.rolls_after(after, rolls))
                flow[into, : len(gains)] += gains[: flow.shape[1]]
        sub, gain = np.nonzero(flow)
        found[place] = (sub, gain, flow[sub, gain])
    return found


Ways = tuple[int, tuple[int, ...]]
"""How many sub-multisets a roll has, and how many of 0, 1, ... dice, as far as those are too few to be kept."""


def _join(one: Ways, other: Ways, least: int) -> Ways:
    """Return the ways of two rolls together."""
    small = [0] * min(least, len(one[1]) + len(other[1]) - 1)
    for size, many in enumerate(one[1]):
        for more, times in enumerate(other[1]):
            if size + more < len(small):
                small[size + more] += many * times
    return one[0] * other[0], tuple(small)


def _played(game: PoolGame) -> list[int]:
    """List the places that are not finished and that play can come to, in their order."""
    return [place for place, (left, rolls) in enumerate(game.places) if any(left) and game.reaches(left, rolls)]


def _times(
    joint: dict[Ways, dict[tuple[int, ...], Array]], parts: dict[Ways, list[Array]], least: int
) -> dict[Ways, dict[tuple[int, ...], Array]]:
    """Join one more kind of die to sums over rolls that are kept apart by their numbers of sub-multisets."""
    found: dict[Ways, dict[tuple[int, ...], Array]] = {}
    for ways, by_counts in joint.items():
        for more, by_count in parts.items():
            into = found.setdefault(_join(ways, more, least), {})
            for counts, gains in by_counts.items():
                for c, part in enumerate(by_count):
                    sums = np.convolve(gains, part)
                    key = (*counts, c)
                    into[key] = into[key] + sums if key in into else sums
    return found


@lru_cache(maxsize=256)
def _parts_of_rolls(gains: tuple[int, ...], n: int, least: int) -> dict[Ways, list[Array]]:
    """Sum over the rolls of n like dice, by numbers of sub-multisets: chance of the roll times, for each size c, the
    number of sub-multisets with each gain.
    """
    sides, most = len(gains), max(gains)
    # Face by face: (dice placed, numbers) -> [size, gain], weighted by the ways to place them.
    state: dict[tuple[int, Ways], Array] = {(0, (1, (1,))): np.ones((1, 1))}
    for gain in gains:
        after: dict[tuple[int, Ways], Array] = {}
        for (placed, ways), sums in state.items():
            for shown in range(n - placed + 1):
                wide = np.zeros((placed + shown + 1, (placed + shown) * most + 1))
                for kept in range(shown + 1):
                    wide[kept : kept + sums.shape[0], kept * gain : kept * gain + sums.shape[1]] += sums
                wide *= comb(n - placed, shown)
                key = (placed + shown, _join(ways, (shown + 1, (1,) * (shown + 1)), least))
                after[key] = after[key] + wide if key in after else wide
        state = after
    found: dict[Ways, list[Array]] = {}
    for (placed, ways), sums in state.items():
        if placed == n:
            scaled = [row / float(sides) ** n for row in sums]
            known = found.get(ways)
            found[ways] = [a + b for a, b in zip(known, scaled, strict=True)] if known else scaled
    return found
