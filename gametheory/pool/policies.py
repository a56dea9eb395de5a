"""The policies of pools that are made of cut-offs, and random play, as steps: where every roll leads, exactly.

    greedy    keeps every die at its best points, else the one that loses fewest; ties to the smaller die

The published cut-off rule is one of these: see `one_die`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
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
    """Keeps every die whose gain is at least its cut; if there is none, the one with the least shortfall.

    `cuts(pool)` gives the least gain to keep for each kind of die, `shortfalls(pool)` for each kind a number by gain:
    where nothing is kept, the die with the lowest is taken, ties to the smaller kind. Within a kind the shortfall must
    not rise with the gain, so that the best die of a kind stands for it.
    """

    name: str
    game: PoolGame
    cuts: Callable[[tuple[int, ...]], tuple[float, ...]]
    shortfalls: Callable[[tuple[int, ...]], tuple[tuple[float, ...], ...]]

    ignores = ("banked", "target")

    def __call__(self, position: Position, roll: Roll) -> Roll:
        cuts = self.cuts(position.dice_left)
        gains = [self.game.face_gains(k) for k in range(len(roll))]
        keep = tuple(tuple(face for face in faces if gains[k][face - 1] >= cuts[k]) for k, faces in enumerate(roll))
        if any(keep):
            return keep
        short = self.shortfalls(position.dice_left)
        _, _, k, face = min((short[k][gains[k][face - 1]], k, k, -face) for k, faces in enumerate(roll) for face in faces)
        return tuple((-face,) if kind == k else () for kind in range(len(roll)))

    def interrupted(self, left: tuple[int, ...]) -> float:
        """Return the chance that no die reaches its cut."""
        chance = 1.0
        for k, cut in enumerate(self.cuts(left)):
            gains = self.game.face_gains(k)
            chance *= (sum(gain < cut for gain in gains) / len(gains)) ** left[k]
        return chance

    def steps(self, solved: Solved, *, force: bool = False, progress: Progress | None = None) -> Steps:
        return self.all_steps()

    def taken(self, solved: Solved, place: int, begin: int, width: int, target: Any = None) -> tuple[Places, Places]:
        """Play every roll at once: by kind, what is kept and gained, and the die to take if nothing is."""
        game, left = self.game, self.game.pools[place]
        cuts, short = self.cuts(left), self.shortfalls(left)
        numbers: Any = solved.space.numbers(place)[0]
        kinds = numbers.kinds
        shape = [1] * len(kinds)
        kept, gained, after = (np.zeros(shape, np.int64) for _ in range(3))
        least, single, one_less = np.full(shape, np.inf), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        for k in sorted(kinds):
            gains, stride = game.face_gains(k), game.pool_index(tuple(int(kind == k) for kind in range(len(left))))
            along = [-1 if kind == k else 1 for kind in kinds]
            rolls = [sorted((gains[face - 1] for face in faces), reverse=True) for faces, _ in game.kinds[k].roll(left[k])]
            over = [[gain for gain in roll if gain >= cuts[k]] for roll in rolls]
            counts = np.array([len(part) for part in over]).reshape(along)
            kept, gained = kept + counts, gained + np.array([sum(part) for part in over]).reshape(along)
            after = after + stride * counts
            lacks = np.array([short[k][roll[0]] for roll in rolls]).reshape(along)
            better = lacks < least
            single = np.where(better, np.array([roll[0] for roll in rolls]).reshape(along), single)
            one_less, least = np.where(better, stride, one_less), np.minimum(lacks, least)
        none = kept == 0
        after, gained = np.where(none, one_less, after), np.where(none, single, gained)
        return (place - after).reshape(-1, 1), gained.reshape(-1, 1)

    def player(self, solved: Solved) -> Player:
        return step_player(solved.space, self.all_steps())

    def all_steps(self) -> Steps:
        """Return where the rolls of every pool lead, exactly."""
        game = self.game
        return {index: self._step(left) for index, left in enumerate(game.pools) if any(left)}

    def _step(self, left: tuple[int, ...]) -> tuple[Any, Any, Any]:
        game = self.game
        flow = np.zeros((len(game.pools), game.gain(left) + 1))
        cuts = self.cuts(left)
        # Each kind by itself: how many dice reach the cut, and what they gain; then all kinds together.
        joint: dict[tuple[int, ...], Array] = {(): np.ones(1)}
        for k, n in enumerate(left):
            parts = _reaching(game.face_gains(k), n, cuts[k])
            joint = {
                (*counts, c): np.convolve(gains, part) for counts, gains in joint.items() for c, part in enumerate(parts)
            }
        for counts, gains in joint.items():
            if any(counts):
                after = tuple(n - c for n, c in zip(left, counts, strict=True))
                flow[game.pool_index(after), : len(gains)] += gains[: flow.shape[1]]
        for k, gain, chance in self._singles(left, cuts):
            after = tuple(n - (kind == k) for kind, n in enumerate(left))
            flow[game.pool_index(after), gain] += chance
        subs, gained = np.nonzero(flow)
        return subs, gained, flow[subs, gained]

    def _singles(self, left: tuple[int, ...], cuts: tuple[float, ...]) -> list[tuple[int, int, float]]:
        """List which single die is taken when none reaches its cut: (kind, gain, chance)."""
        short = self.shortfalls(left)
        candidates = []
        for k, n in enumerate(left):
            if n:
                gains = self.game.face_gains(k)
                best = sorted({gain for gain in gains if gain < cuts[k]}, reverse=True)
                candidates += [(short[k][gain], k, -gain, gain) for gain in best]
        candidates.sort()
        found = []
        # Walk the candidates from the least shortfall on: each is taken where it shows and no earlier one does.
        barred: dict[int, set[int]] = {k: set() for k, n in enumerate(left) if n}
        open_chance = self.interrupted(left)
        for _, k, _, gain in candidates:
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
    return Threshold("greedy", game, lambda left: tuple(float(best) for best in most), lambda left: losses)


def play_greedy(solved: Solved) -> Threshold:
    """Make it for a solved game."""
    return greedy(solved.space.game)


def random_steps(game: PoolGame) -> Steps:
    """Return where the rolls of every pool lead if each distinct part of a roll is as likely to be kept as any other.

    A roll with N sub-multisets gives each of them 1 / (N - 1), the empty one excepted; N is a product over kinds.
    """
    found: Steps = {}
    for index, left in enumerate(game.pools):
        if not any(left):
            continue
        joint: dict[int, dict[tuple[int, ...], Array]] = {1: {(): np.ones(1)}}
        for k, n in enumerate(left):
            joint = _times(joint, _parts_of_rolls(game.face_gains(k), n))
        flow = np.zeros((len(game.pools), game.gain(left) + 1))
        for ways, by_counts in joint.items():
            for counts, gains in by_counts.items():
                if any(counts):
                    after = tuple(n - c for n, c in zip(left, counts, strict=True))
                    flow[game.pool_index(after), : len(gains)] += gains[: flow.shape[1]] / (ways - 1)
        sub, gain = np.nonzero(flow)
        found[index] = (sub, gain, flow[sub, gain])
    return found


def _times(
    joint: dict[int, dict[tuple[int, ...], Array]], parts: dict[int, list[Array]]
) -> dict[int, dict[tuple[int, ...], Array]]:
    """Join one more kind of die to sums over rolls that are kept apart by their number of sub-multisets."""
    found: dict[int, dict[tuple[int, ...], Array]] = {}
    for ways, by_counts in joint.items():
        for more, by_count in parts.items():
            into = found.setdefault(ways * more, {})
            for counts, gains in by_counts.items():
                for c, part in enumerate(by_count):
                    sums = np.convolve(gains, part)
                    key = (*counts, c)
                    into[key] = into[key] + sums if key in into else sums
    return found


@lru_cache(maxsize=256)
def _parts_of_rolls(gains: tuple[int, ...], n: int) -> dict[int, list[Array]]:
    """Sum over the rolls of n like dice, by number of sub-multisets N: chance of the roll times, for each size c, the
    number of sub-multisets with each gain.
    """
    sides, most = len(gains), max(gains)
    # Face by face: (dice placed, N) -> [size, gain], weighted by the ways to place them.
    state: dict[tuple[int, int], Array] = {(0, 1): np.ones((1, 1))}
    for gain in gains:
        after: dict[tuple[int, int], Array] = {}
        for (placed, ways), sums in state.items():
            for shown in range(n - placed + 1):
                wide = np.zeros((placed + shown + 1, (placed + shown) * most + 1))
                for kept in range(shown + 1):
                    wide[kept : kept + sums.shape[0], kept * gain : kept * gain + sums.shape[1]] += sums
                wide *= comb(n - placed, shown)
                key = (placed + shown, ways * (shown + 1))
                after[key] = after[key] + wide if key in after else wide
        state = after
    found: dict[int, list[Array]] = {}
    for (placed, ways), sums in state.items():
        if placed == n:
            scaled = [row / float(sides) ** n for row in sums]
            known = found.get(ways)
            found[ways] = [a + b for a, b in zip(known, scaled, strict=True)] if known else scaled
    return found
