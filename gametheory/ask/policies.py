"""Policies: a policy is policy(position, roll) -> keep, and every player is one.

A plain function works wherever a built-in does. It may say, by attributes, that it ignores banked points
(`uses_banked = False`) or the target (`uses_target = False`): exact evaluation then asks it far less often.

    score     maximises the expected score; one policy for every seat, target and tie rule
    win       maximises the chance to win, from its seat, knowing the target when second
    greedy    keeps every die at its best points, else the one that loses fewest; ties to the smaller die
    random    a uniformly random legal move
    cutoff    the published cut-off table: every die plays a game of its own (see `one_die`)

A card (see `card`) is a policy too, and a TOML file with one is found by its path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import comb
from random import Random as Generator
from typing import Any, NamedTuple

import numpy as np

from .. import dice
from ..dice import Roll
from ..games import PoolGame
from ..match.duel import Duel
from ..pool.solver import Array
from . import moves as ranking

Steps = dict[int, tuple[Any, Any, Any]]
"""By pool: where a policy's rolls lead, as arrays of pools after, gains and chances."""

Policy = Callable[["Position", Roll], Roll]


class Position(NamedTuple):
    """Where a decision is made: dice left, points banked, and the score to beat (None for the first player)."""

    dice_left: tuple[int, ...]
    banked: int
    target: int | None = None


def check_keep(game: PoolGame, roll: Roll, keep: Any) -> None:
    """Refuse a keep that is not a non-empty part of the roll."""
    legal = isinstance(keep, tuple) and len(keep) == len(roll) and any(keep)
    legal = legal and all(
        isinstance(part, tuple) and all(part.count(face) <= faces.count(face) for face in part)
        for part, faces in zip(keep, roll, strict=True)
    )
    if not legal:
        raise ValueError(
            f"the policy kept {keep!r} of the roll {roll!r} ({dice.format_roll(roll, game.kinds)}): a keep is a tuple "
            "like the roll, one tuple of faces for each kind of die, some of those rolled and at least one"
        )


def best_keeps(roll: Roll, game: PoolGame) -> list[Roll]:
    """List the keeps that take the best faces of each kind first: what a player who wants points, or to win, considers."""
    ordered = []
    for k, faces in enumerate(roll):
        gains = game.face_gains(k)
        ordered.append(tuple(sorted(faces, key=lambda face, gains=gains: (-gains[face - 1], -face))))  # type: ignore[misc]
    found: list[Roll] = [()]
    for faces in ordered:
        found = [(*keep, tuple(sorted(faces[:n], reverse=True))) for keep in found for n in range(len(faces) + 1)]
    return [keep for keep in found if any(keep)]


@dataclass(frozen=True, eq=False)
class _Valued:
    """A policy that looks at a solved table."""

    duel: Duel

    def _best(self, position: Position, roll: Roll, by: str) -> Roll:
        duel, game = self.duel, self.duel.game
        left, banked, target = position
        found = []
        for keep in best_keeps(roll, game):
            after = tuple(n - len(faces) for n, faces in zip(left, keep, strict=True))
            points = game.points(keep)
            win = 0.0
            if by == "win":
                total = banked + points
                win = duel.first(after, total) if target is None else duel.second(target, after, total)
            found.append(ranking.Move(keep, points, after, duel.expected(after, banked + points), win))
        return ranking.order(found, game.sign, by)[0].keep


class Score(_Valued):
    """Maximises the expected score."""

    name = "score"
    uses_banked = False
    uses_target = False

    def __call__(self, position: Position, roll: Roll) -> Roll:
        return self._best(position, roll, "score")


class Win(_Valued):
    """Maximises the chance to win from its seat."""

    name = "win"
    uses_banked = True
    uses_target = True

    def __call__(self, position: Position, roll: Roll) -> Roll:
        return self._best(position, roll, "win")


@dataclass(frozen=True)
class Threshold:
    """Keeps every die whose gain is at least its cut; if there is none, the one with the least shortfall.

    `cuts(pool)` gives the least gain to keep for each kind of die, `shortfalls(pool)` for each kind a number by gain:
    where nothing is kept, the die with the lowest is taken, ties to the smaller kind. Within a kind the shortfall must
    not rise with the gain, so that the best die of a kind stands for it.
    """

    name: str
    game: PoolGame
    cuts: Callable[[tuple[int, ...]], tuple[float, ...]]
    shortfalls: Callable[[tuple[int, ...]], tuple[tuple[float, ...], ...]]

    uses_banked = False
    uses_target = False

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

    def steps(self, game: PoolGame) -> Steps:
        """Return where the rolls of every pool lead, exactly."""
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


@dataclass(frozen=True)
class Random:
    """Plays a uniformly random legal move: each distinct part of the roll is as likely as any other."""

    game: PoolGame
    seed: int = 0

    name = "random"
    uses_banked = False
    uses_target = False

    def __call__(self, position: Position, roll: Roll) -> Roll:
        # The move hangs on the position and the roll alone, so that the same question has the same answer.
        draw = Generator(f"{self.seed} {position} {roll}")
        return draw.choice(list(dice.keeps(roll)))

    def steps(self, game: PoolGame) -> Steps:
        """Return where the rolls of every pool lead, exactly.

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


BUILT_IN: dict[str, Callable[[Duel], Policy]] = {
    "score": Score,
    "win": Win,
    "greedy": lambda duel: greedy(duel.game),
    "random": lambda duel: Random(duel.game),
    "cutoff": lambda duel: import_module("..pool.one_die", __package__).cutoff(duel.game),
}


def named(name: str, duel: Duel) -> Policy:
    """Find a built-in policy by name, or read a card from a TOML file."""
    card = check_name(name, duel.game)
    return BUILT_IN[name](duel) if card is None else card


def check_name(name: str, game: PoolGame) -> Policy | None:
    """Refuse a name that no policy has; return the card if it is the path of one."""
    if name in BUILT_IN:
        return None
    if name.lower().endswith(".toml"):
        from ..cards import file as card_file

        return card_file.load(name, game)
    raise ValueError(
        f"there is no policy {name!r}: the policies are {', '.join(BUILT_IN)}, or the path of a card (a TOML file)"
    )
