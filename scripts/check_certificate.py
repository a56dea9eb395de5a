#!/usr/bin/env python3
"""Check what a certificate says of the value of a dice game: python scripts/check_certificate.py CERTIFICATE TABLE

This needs numpy and h5py, and nothing of the package that wrote the files. Of the table nothing is believed: it is compared,
and of a race it is the guess to start from. The rules in the certificate are worked out, every state and every roll. What is
computed is off by no more than it may be rounded: a sum of n terms of one sign by n * 2^-53 of itself in any order, as
weights are whole numbers below 2^53 and maxima exact; a maximum or a mean of values that are off by e is off by e. Best
faces suffice, as no payoff here ever falls: so then do the values. See proof.py of gametheory/pool and gametheory/race.
"""
# ruff: noqa: B905
import json
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, gcd, inf, prod
from typing import Any

import h5py
import numpy as np

TIES = {"split": "1/2", "first": "0", "second": "1"}

def off(n: int) -> float:
    """Bound the relative error of a sum whose terms are rounded n times at most."""
    return (n + 4) * 2.0**-53 * (1 + n * 2.0**-51)

def ways(roll: tuple[int, ...], faces: Counter[int]) -> int:
    """Count the ordered rolls that show so much, of dice with so many faces of each kind."""
    many = Counter(roll).items()
    return int(factorial(len(roll)) * prod(faces[face] ** n for face, n in many) // prod(factorial(n) for _, n in many))

class Pool:
    """Roll all dice that are left, keep some, until none are left. Points count as gain: above the worst that there is."""
    keys = ("family", "name", "dice", "wins", "keep_at_least", "rolls")
    def __init__(self, rules: dict[str, Any], tie: str, table: dict[str, Any], facts: dict[str, Any]) -> None:
        self.sign, self.tie, self.table = {"higher": 1, "lower": -1}[rules["wins"]], tie, table
        self.counts, points = tuple(kind["count"] for kind in rules["dice"]), [kind["points"] for kind in rules["dice"]]
        self.worst = [min(p) if self.sign > 0 else max(p) for p in points]
        self.faces = [Counter(abs(x - w) for x in p) for p, w in zip(points, self.worst)]
        self.gain: Callable[[Any], int] = lambda left: sum(n * max(faces) for n, faces in zip(left, self.faces))
        self.ways: Callable[[Any], int] = lambda left: prod([faces.total() ** n for n, faces in zip(left, self.faces)])
        self.least, self.limit, self.most = rules.get("keep_at_least", 1), rules.get("rolls"), self.gain(self.counts)
        self.start, self.end = (self.counts, self.limit), ((0,) * len(points), None if self.limit is None else 0)
        reached, new = {self.end}, {self.start}
        while new:
            reached, new = reached | new, {after for place in new for _, after in self.keeps(place)} - reached
        self.places = sorted(reached - {self.end}, key=lambda place: sum(place[0]))
        self.worth = float(facts["tie_worth_to_second"] if tie == "replay" else Fraction(TIES.get(tie, tie)))
        if not 0 <= self.worth <= 1 or self.ways(self.counts) >= 2**53:
            sys.exit("REFUSED: a tie has no sensible worth, or the rolls are too many to be counted exactly")

    @cache  # noqa: B019
    def keeps(self, place: Any) -> list[tuple[tuple[int, ...], Any]]:
        """List how many dice of each kind may be kept, and the place that leads to."""
        (left, rolls), more = place, None if place[1] is None else place[1] - 1
        least = sum(left) if rolls == 1 else min(self.least, sum(left))
        found = [(keep, tuple(n - k for n, k in zip(left, keep))) for keep in product(*(range(n + 1) for n in left))]
        return [(keep, (after, more if any(after) else self.end[1])) for keep, after in found if sum(keep) >= max(1, least)]

    @cache  # noqa: B019
    def rolls(self, kind: int, n: int) -> tuple[Any, Any]:
        """List what the best 0, 1, 2, ... dice of every roll gain, and the ways in which it comes up."""
        found = list(combinations_with_replacement(sorted(self.faces[kind], reverse=True), n))
        tops = [[sum(roll[:kept]) for kept in range(n + 1)] for roll in found]
        return np.array(tops), np.array([ways(roll, self.faces[kind]) for roll in found])

    def solve(self, ends: Any, columns: Any, right: Callable[[Any], Any], most: float = 1.0) -> tuple[Any, float]:
        """Return all rows for the worths of finished games, and by how much the start is off at most; fractions stay so."""
        rows, errors = {self.end: ends}, {self.end: 0.0}
        for place in self.places:
            left, (begin, width) = place[0], columns(self.gain(place[0]))
            main, *others = sorted((k for k in range(len(left)) if left[k]), key=lambda k: -len(self.rolls(k, left[k])[1]))
            (tops, weights), total, inner = self.rolls(main, left[main]), 0 * ends[:width], [(k, left[k]) for k in others]
            wide = {keep: width + sum(n * max(self.faces[k]) for n, k in zip(keep, others))
                    for keep in product(*(range(n + 1) for _, n in inner))}  # fmt: skip
            step = min(len(tops), max(1, 2**17 // sum(wide.values())))
            for low in range(0, len(tops), step):
                some = tops[low : low + step]
                stacks = {keep: np.full((len(some), n), -inf, ends.dtype) for keep, n in wide.items()}
                for whole, after in self.keeps(place):
                    keep = tuple(whole[k] for k in others)
                    row = np.lib.stride_tricks.sliding_window_view(rows[after][begin:], wide[keep])
                    np.maximum(stacks[keep], row[some[:, whole[main]]], out=stacks[keep])
                total = total + weights[low : low + step].astype(ends.dtype) @ self.fold(stacks, inner)
            total = total / self.ways(left)
            rows[place] = np.concatenate([0 * ends[:begin], total, right(total)])[: len(ends)]
            rounded = sum(len(self.rolls(*one)[1]) + 2 for one in inner) + step + len(tops) // step + 5
            errors[place] = (max(errors[after] for _, after in self.keeps(place)) + off(rounded) * most) * (1 + off(4))
        return rows, errors[self.start]

    def fold(self, stacks: dict[tuple[int, ...], Any], others: list[tuple[int, int]]) -> Any:
        """Add up the rolls of the other kinds one by one, each with the best number of dice to keep of it."""
        if not others:
            return stacks[()]
        total, best = 0, {keep[1:]: stacks[keep].copy() for keep in stacks if not keep[0]}
        for top, weight in zip(*(shown.tolist() for shown in self.rolls(*others[0]))):
            for keep, into in best.items():
                np.copyto(into, stacks[(0, *keep)])
                for kept in range(1, len(top)):
                    np.maximum(into, stacks[(kept, *keep)][:, top[kept] : top[kept] + into.shape[1]], out=into)
            total = total + weight * self.fold(best, others[1:])
        return total

    def chase(self, tie: Any) -> tuple[Any, float]:
        """Solve for the second player: columns count gain less the target's, from the least to the most."""
        ends = np.array([0 * tie] * self.most + [tie] + [0 * tie + 1] * self.most)
        return self.solve(ends, lambda g: (self.most - g, g + 1), lambda _: ends[self.most + 1 :])

    def compare(self, expected: Any, first: Any, second: Any) -> float:
        """Return the most by which the table says anything else; where play leads it must say something."""
        apart, table = [0.0], self.table
        for place in [self.end, *self.places]:
            left, where, made = place[0], place[0] if self.limit is None else (*place[0], place[1]), {0}
            aside = tuple(c - n for c, n in zip(self.counts, left))
            for faces in (self.faces[k] for k, n in enumerate(aside) for _ in range(n)):
                made = {one + gain for one in made for gain in faces}
            mine, theirs = (sum(n * w for n, w in zip(dice, self.worst)) for dice in (left, aside))
            known, over, now = np.array(sorted(made)), self.sign * (mine - table["needed"]), table["second"][where]
            near = np.isfinite(now) | (over >= -self.gain(left)) & (over <= 0)
            for found, said in (
                (self.sign * expected[place][:1] + mine, table["expected"][where]),
                (first[place][known], table["first"][where][theirs + self.sign * known - table["banked"][0]]),
                (second[place][np.clip(over[near], -self.most, self.most) + self.most], now[near]),
            ):
                apart.append(float(np.max(np.nan_to_num(np.abs(found - said), nan=inf))))
        return max(apart)

    def prove(self) -> tuple[float, float, Any, Any, float]:
        """Return the value and how far it is off at most, the same of the expected score, and how far off the table is."""
        points = np.arange(self.most + 1.0)
        expected, stray = self.solve(points, lambda g: (0, 1), lambda found: found + points[1:], float(self.most))
        second, behind = self.chase(self.worth)
        replies = second[self.start][self.most :: -1]
        first, ahead = self.solve(1.0 - replies, lambda g: (0, self.most - g + 1), lambda _: 0 * points)
        value, error = float(first[self.start][0]), (ahead + behind) * (1 + off(4)) + off(4)
        if self.tie == "replay":  # what he has against a score is convex in the worth of a tie: no steeper than on to 1
            sure, late = self.chase(1.0)
            rise = float(np.max(sure[self.start][self.most :: -1] - replies)) + late + behind + off(4)
            if not (slope := rise / (1 - self.worth) * (1 + off(4))) < 1:
                sys.exit("REFUSED: how fast the value grows with the worth of a tie cannot be bounded")
            value, error = 1 - self.worth, (abs(1 - value - self.worth) + error + off(4)) / (1 - slope) * (1 + off(4))
        mean = self.sign * float(expected[self.start][0]) + sum(n * w for n, w in zip(self.counts, self.worst))
        return value, error, mean, stray + off(8) * (abs(mean) + self.most), self.compare(expected, first, second)

    def exact(self, said: Fraction) -> Fraction:
        """Return the value in fractions; of a replayed game, where the other player's value is what a tie is worth."""
        replies = self.chase(1 - said if self.tie == "replay" else Fraction(TIES.get(self.tie, self.tie)))[0][self.start]
        first, _ = self.solve(1 - replies[self.most :: -1], lambda g: (0, self.most - g + 1), lambda _: 0 * replies)
        return Fraction(first[self.start][0])

class Race:
    """Throw, keep dice that score, bank or throw on; the first to the goal wins. Totals count in units."""
    keys = ("family", "name", "about", "dice", "sides", "goal", "singles", "three_of_a_kind", "more_of_a_kind", "straight",
            "three_pairs", "opening", "hot_dice", "bust_faces", "bust")  # fmt: skip
    def __init__(self, rules: dict[str, Any], tie: str, table: dict[str, Any], facts: dict[str, Any]) -> None:
        self.dice, self.table, sides, every = rules["dice"], table, rules["sides"], range(rules["sides"])
        busts = [face - 1 for face in rules["bust_faces"]]
        scoring = [(c, p) for c, p in self.combinations(rules) if p and sum(c) <= self.dice and not any(c[f] for f in busts)]
        unit = gcd(*(points for _, points in scoring))
        self.goal, self.opening, throws = -(-rules["goal"] // unit), -(-rules["opening"] // unit), Counter[Any]()
        self.scores = np.array([*([0] if self.opening else []), *range(self.opening, self.goal)])
        if not np.array_equal(self.scores * unit, table["to_move"]) or rules["bust"] != "turn" or sides**self.dice >= 2**53:
            sys.exit("REFUSED: the standings of the table are not those of the rules, or these are not understood")

        @cache
        def points(kept: tuple[int, ...]) -> float:
            """Return the most that dice are worth together; minus infinity unless each of them scores."""
            fits = ((p, tuple(k - n for k, n in zip(kept, c))) for c, p in scoring if c[next(f for f in every if kept[f])])
            return max((p + points(rest) for p, rest in fits if min(rest) >= 0), default=-inf) if any(kept) else 0

        for n in range(1, self.dice + 1):  # what throws offer: the most points for each number of dice left
            for roll in combinations_with_replacement(every, n):
                counts, best = tuple(roll.count(face) for face in every), dict[int, int]()
                for kept in product(*(range(n + 1) for n in counts)):
                    if points(kept) > 0 and not any(counts[f] for f in busts):
                        left = n - sum(kept) or (self.dice if rules["hot_dice"] else 0)
                        best[left] = max(best.get(left, 0), int(points(kept)) // unit)
                throws[n, tuple(sorted(best.items()))] += ways(roll, Counter(every))
        score = [(n, offer, w) for (n, offer), w in throws.items() if offer]
        numbers, (left, self.reach) = range(1, self.dice + 1), np.array([pair for _, offer, _ in score for pair in offer]).T
        self.where, self.begins = self.reach * (self.dice + 1) + left, np.cumsum([0, *(len(o) for _, o, _ in score[:-1])])
        self.weights = np.array([[w * (n == dice) for n, _, w in score] for dice in numbers], float)
        self.busted, self.all = np.array([[[throws[n, ()]], [sides**n]] for n in numbers], float).swapaxes(0, 1)

    def combinations(self, rules: dict[str, Any]) -> Any:
        """Yield what scores together: how many dice of each face, and the points."""
        faces, more = range(1, rules["sides"] + 1), rules["more_of_a_kind"]
        for face in faces:
            one, three = (rules[key].get(str(face), 0) for key in ("singles", "three_of_a_kind"))
            many = [three * 2**n for n in range(1, self.dice - 2)] if more == "double" else more if more != "none" else []
            yield from ((tuple(n * (face == f) for f in faces), p) for n, p in [(1, one), *enumerate([three, *many], 3)])
        yield (1,) * len(faces), rules["straight"]
        yield from ((tuple(2 * (face in some) for face in faces), rules["three_pairs"]) for some in combinations(faces, 3))

    def turn(self, bank: Any, nothing: Any, least: int, way: int) -> Any:
        """Return what a turn is worth, every sum rounded up or, way being -1, down."""
        best = np.ones((len(bank) + int(self.reach.max()) + 1, self.dice + 1, len(nothing)))
        for total in range(len(bank) - 1, -1, -1):
            chosen = np.maximum.reduceat(best.reshape(-1, len(nothing))[self.where + total * len(best[0])], self.begins)
            thrown = (self.weights @ chosen + self.busted * nothing) / self.all * (1 + way * off(self.weights.shape[1] + 4))
            best[total, 0] = bank[total] if total >= least else nothing
            best[total, 1:] = np.maximum(thrown, bank[total]) if total >= least else thrown
        return thrown[-1]

    def prove(self) -> tuple[float, float, Any, Any, float]:
        """See how far one turn on the table's values is from them, and how steep it is in the worth of nothing."""
        guess, scores, size, step, new = self.table["values"], self.scores, len(self.scores), 2.0**-10, int(self.opening > 0)
        misfit, slope, errors, worst = (np.zeros((size, size + 1)) for _ in range(4))
        least = [max(1, self.opening) if i < new else 1 for i in range(size)]
        first = [min(size, new + scores[i] + least[i] - self.opening) for i in range(size)]
        for i in range(size):
            bank = np.zeros((max(self.goal - scores[i], least[i]), size))
            bank[least[i] :] = 1.0 - guess[:, first[i] :].T[: len(bank) - least[i]]
            low, high, moved = (
                self.turn(np.nextafter(bank, 3 * way), np.nextafter(1 - guess[:, i] + h, 3 * way), least[i], way)
                for way, h in ((-1, 0.0), (1, 0.0), (1, step)))  # fmt: skip
            misfit[i, :-1] = np.maximum(guess[i] - low, high - guess[i]) + off(4)
            slope[i, :-1] = (moved - low) / step * (1 + off(4)) + off(4) / step
        for i, j in sorted(product(range(size), repeat=2), key=lambda pair: -scores[pair[0]] - scores[pair[1]]):
            closed = (1 - slope[i, j] * slope[j, i] * (1 + off(4))) * (1 - off(4))
            if not 0 <= (own := (misfit[i, j] + slope[i, j] * misfit[j, i]) / closed * (1 + off(4))) < step:
                sys.exit("REFUSED: the table is too far from what its rules say to be a guess")
            errors[i, j] = (max(worst[j, first[i]], worst[i, first[j]]) + own) * (1 + off(4))
            worst[i, j] = max(errors[i, j], worst[i, j + 1])
        return float(guess[0, 0]), float(errors[0, 0]), None, None, float(misfit.max())

def main(certificate: str, path: str) -> None:
    """Prove the value anew, compare, and say what was found."""
    with open(certificate, encoding="utf-8") as file, h5py.File(path) as hdf:
        said, facts, tables = json.load(file), json.loads(hdf.attrs["facts"]), {name: hdf[name][()] for name in hdf}
        if json.loads(hdf.attrs["rules"]) != said["rules"] or facts.get("tie", "none") != said["tie"]:
            sys.exit("REFUSED: the table is of other rules than the certificate")
    kind: Any = Race if said["rules"]["family"] == "race" else Pool
    if not set(said["rules"]) <= set(kind.keys):
        sys.exit(f"REFUSED: rules that are not understood: {', '.join(set(said['rules']) - set(kind.keys))}")
    value, error, mean, stray, misfit = (game := kind(said["rules"], said["tie"], tables, facts)).prove()
    print(f"the first player's value is {value!r}, off by {error:.2g} at most; the table is off by {misfit:.2g} at most")
    for name, found, by in (("", value, error), *([] if mean is None else [("expected_", mean, stray)])):
        by = by * (1 + off(4)) + off(4) * abs(found)
        if not said[f"{name}low"] <= found - by <= found + by <= said[f"{name}high"]:
            sys.exit(f"REFUSED: an interval, {said[f'{name}low']!r} on, is narrower than can be proved, or elsewhere")
    if said["exact"] is not None and (kind is Race or game.exact(Fraction(said["exact"])) != Fraction(said["exact"])):
        sys.exit(f"REFUSED: the value is not the fraction {said['exact'][:60]}")
    print(f"CONFIRMED: {said['low']!r} to {said['high']!r}" + (" and the fraction" if said["exact"] else ""))

if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 3 else sys.exit(__doc__)
