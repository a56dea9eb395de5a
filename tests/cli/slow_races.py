"""Races with single faces that score, any number of dice, hot: worked out slowly from their rules alone.

Nothing here is shared with the package. Standings are (score, opened); policies are functions of both standings, the turn
total and the roll. What a bust leads to comes back to the same two standings, so that a pair is repeated until it settles.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

Roll = tuple[int, ...]
Standing = tuple[int, bool]  # score, opened
Line = tuple[float, float]  # a chance to win that hangs on a bust: rest + bust * (the chance after a bust)


class Rules(NamedTuple):
    """What a race is; a player who has not opened must bank `opening` in one turn first."""

    sides: int
    dice: int
    goal: int
    singles: tuple[tuple[int, int], ...]
    bust_faces: tuple[int, ...] = ()
    opening: int = 0


class Move(NamedTuple):
    """What is kept of a roll, and whether the turn is banked then."""

    keep: Roll
    points: int
    left: int
    bank: bool


Choose = Callable[[Standing, Standing, int, Roll], Move]
Values = dict[tuple[Standing, Standing], float]

PIG = tuple((face, face) for face in range(2, 7))
RACES = {
    "pig": Rules(6, 1, 100, PIG, (1,)),
    "short": Rules(6, 1, 30, PIG, (1,)),
    "coin": Rules(2, 1, 4, ((2, 1),), (1,)),
    "pair": Rules(4, 2, 12, ((1, 2), (4, 1)), opening=3),
}
FILES = {
    "short": 'like = "pig"\ngoal = 30\n',
    "coin": 'like = "piglet"\ngoal = 4\n',
    "one": 'like = "piglet"\ngoal = 1\n',
    "seven": 'like = "pig"\ngoal = 7\n',
    "pair": "dice = 2\nsides = 4\ngoal = 12\nopening = 3\nsingles = {1 = 2, 4 = 1}\n",
    "two-thousand": 'like = "ten-thousand"\ngoal = 2000\n',
    "low": 'dice = "2d4"\nwins = "lower"\npoints.d4 = [1, 2, 0, 4]\n',
}
SOLVED = ["short", "coin", "pair"]  # small enough to be solved here
TIED = 1e-10
EXACT = 2e-12  # twice the error that solving such a race is certified to make at most


@cache
def rolls(rules: Rules, dice: int) -> list[tuple[Roll, float, list[tuple[Roll, int, int]]]]:
    """List every distinct roll, its chance, and its keeps with their points and the dice left to throw."""
    found = []
    points = dict(rules.singles)
    thrown = Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, rules.sides + 1), repeat=dice))
    for roll, ways in thrown.items():
        scoring = [] if set(roll) & set(rules.bust_faces) else [face for face in roll if face in points]
        kept = {keep for size in range(1, len(scoring) + 1) for keep in combinations(scoring, size)}
        keeps = [(keep, sum(points[face] for face in keep), (dice - len(keep)) or rules.dice) for keep in sorted(kept)]
        found.append((roll, ways / rules.sides**dice, keeps))
    return found


def bust_chance(rules: Rules, dice: int) -> float:
    return math.fsum(chance for _, chance, keeps in rolls(rules, dice) if not keeps)


@cache
def legal(rules: Rules, opened: bool, total: int, roll: Roll) -> list[Move]:
    """List every move of a roll at a turn total."""
    keeps = next(keeps for other, _, keeps in rolls(rules, len(roll)) if other == roll)
    return [
        Move(keep, points, left, bank)
        for keep, points, left in keeps
        for bank in (True, False)
        if not bank or opened or total + points >= rules.opening
    ]


def pick(moves: list[Move], *worths: Callable[[Move], float]) -> Move:
    """Pick the best move: what is tied by one worth goes by the next, then fewest dice, high faces, banking."""
    for worth in worths:
        best = max(map(worth, moves))
        moves = [move for move in moves if worth(move) >= best - TIED]
    return min(moves, key=lambda move: (len(move.keep), [-face for face in move.keep], not move.bank))


@cache
def points_of_rolling(rules: Rules, opened: bool) -> dict[tuple[int, int], float]:
    """Return the expected points that a turn banks if so many dice are thrown at a total, played for points."""
    far = 150  # from where on nobody throws who plays for points: more is lost by a bust than all that a roll can add
    found: dict[tuple[int, int], float] = {}
    for total in range(far, -1, -1):
        for dice in range(1, rules.dice + 1):
            found[total, dice] = math.fsum(
                chance
                * max(
                    max(
                        total + points if opened or total + points >= rules.opening else 0,
                        found.get((total + points, left), 0.0),
                    )
                    for _, points, left in keeps
                )
                for _, chance, keeps in rolls(rules, dice)
                if keeps
            )
    return found


def expected_score(rules: Rules, opened: bool, total: int, move: Move) -> float:
    """Return the expected points of the turn after a move, played for points from there."""
    to = total + move.points
    return to if move.bank else points_of_rolling(rules, opened)[to, move.left]


@cache
def standings(rules: Rules) -> list[Standing]:
    """List the standings; a player who has not opened may have been given any head start."""
    return [(score, True) for score in range(rules.opening, rules.goal)] + [
        (score, False) for score in range(rules.goal) if rules.opening
    ]


def start(rules: Rules) -> Standing:
    return 0, not rules.opening


def needed(rules: Rules, me: Standing) -> int:
    """Return the least turn total that wins once it is banked."""
    return max(rules.goal - me[0], 0 if me[1] else rules.opening)


class Turn(NamedTuple):
    """One turn at a standing: `passed[score]` is the chance after banking to it, `lost` the one after a bust."""

    rules: Rules
    me: Standing
    passed: Callable[[Standing], float]
    lost: float
    throwing: dict[tuple[int, int], Line]

    def line(self, total: int, move: Move) -> Line:
        """Return the chance to win after a move."""
        to = total + move.points
        if to >= needed(self.rules, self.me):  # who throws on past it banks after the next roll
            bust = 0.0 if move.bank else bust_chance(self.rules, move.left)
            return 1.0 - bust, bust
        return (self.passed((self.me[0] + to, True)), 0.0) if move.bank else self.throwing[to, move.left]

    def at(self, total: int, move: Move) -> float:
        """Return the same as a number."""
        rest, bust = self.line(total, move)
        return rest + bust * self.lost


def play(
    rules: Rules, me: Standing, them: Standing, choose: Choose | None, passed: Callable[[Standing], float], lost: float
) -> Turn:
    """Work out a turn of a policy, or of the best play where there is none."""
    turn = Turn(rules, me, passed, lost, {})
    for total in range(needed(rules, me) - 1, -1, -1):
        for dice in range(1, rules.dice + 1):
            rest = bust = 0.0
            for roll, chance, keeps in rolls(rules, dice):
                if not keeps:
                    bust += chance
                    continue
                if choose is None:
                    move = max(legal(rules, me[1], total, roll), key=lambda move: turn.at(total, move))
                else:
                    move = choose(me, them, total, roll)
                line = turn.line(total, move)
                rest, bust = rest + chance * line[0], bust + chance * line[1]
            turn.throwing[total, dice] = rest, bust
    return turn


def solve(rules: Rules, first: Choose | None, second: Choose | None) -> tuple[Values, Values]:
    """Return the chance of A to move, and of B to move, at every (standing of the mover, of the other).

    None plays best against the other. A bust of both comes back to the same pair, which is therefore repeated until
    nothing changes.
    """
    of_a, of_b = Values(), Values()
    begin = rules.dice
    for a, b in sorted(product(standings(rules), repeat=2), key=lambda pair: -pair[0][0] - pair[1][0]):
        x = y = 0.5
        for _ in range(50):
            one = play(rules, a, b, first, lambda to: 1.0 - of_b[b, to], 1.0 - y).throwing[0, begin]  # noqa: B023
            two = play(rules, b, a, second, lambda to: 1.0 - of_a[a, to], 1.0 - x).throwing[0, begin]  # noqa: B023
            # x = one at 1 - y, y = two at 1 - x
            before = x, y
            x = (one[0] + one[1] * (1.0 - two[0] - two[1])) / (1.0 - one[1] * two[1])
            y = two[0] + two[1] * (1.0 - x)
            if abs(x - before[0]) + abs(y - before[1]) < 1e-15:
                break
        else:
            raise AssertionError("play at a pair of standings does not settle")
        of_a[a, b], of_b[b, a] = x, y
    return of_a, of_b


def turn_against(rules: Rules, me: Standing, them: Standing, others: Values) -> Turn:
    """Work out the best turn, given the chances of the other player to move."""
    return play(rules, me, them, None, lambda to: 1.0 - others[them, to], 1.0 - others[them, me])


@cache
def policy(game: str, name: str) -> Choose:
    """Make a policy of a race by its name."""
    rules = RACES[game]

    def score(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        moves = legal(rules, me[1], total, roll)
        wins = [move for move in moves if move.bank and me[0] + total + move.points >= rules.goal]
        return pick(wins or moves, lambda move: expected_score(rules, me[1], total, move))

    def hold(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        most = pick(legal(rules, me[1], total, roll), lambda move: move.points, lambda move: move.left)
        to = total + most.points
        banks = to >= int(name.removeprefix("hold-at-")) or me[0] + to >= rules.goal
        return most._replace(bank=banks and (me[1] or to >= rules.opening))

    @cache
    def turn(me: Standing, them: Standing) -> Turn:
        return turn_against(rules, me, them, solved(game, None, None)[1])

    def win(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        return pick(
            legal(rules, me[1], total, roll),
            lambda move: turn(me, them).at(total, move),
            lambda move: expected_score(rules, me[1], total, move),
        )

    return cache({"score": score, "win": win}.get(name, hold))


@cache
def solved(game: str, first: str | None, second: str | None) -> tuple[Values, Values]:
    """Return the chances of two policies by name, None being the best answer to the other."""
    return solve(RACES[game], *(None if name is None else policy(game, name) for name in (first, second)))


def value(game: str, first: str | None, second: str | None, seat: str = "first") -> float:
    """Return the chance of the first-named to win from the start, sitting first or second."""
    place = start(RACES[game]), start(RACES[game])
    of_a, of_b = solved(game, first, second)
    return of_a[place] if seat == "first" else 1.0 - of_b[place]


# What happens on the way.


def follow_turn(
    rules: Rules, me: Standing, them: Standing, choose: Choose
) -> tuple[dict[tuple[int, int], float], dict[int, float]]:
    """Return the chance that a turn throws so many dice at a total, and of every total it banks (0: nothing)."""
    thrown, ends = defaultdict(float, {(0, rules.dice): 1.0}), defaultdict[int, float](float)
    for total in range(needed(rules, me)):
        for dice in range(1, rules.dice + 1):
            for roll, chance, keeps in rolls(rules, dice) if (total, dice) in thrown else ():
                move = choose(me, them, total, roll) if keeps else None
                here = thrown[total, dice] * chance
                if move is None:
                    ends[0] += here
                elif move.bank:
                    ends[total + move.points] += here
                else:
                    thrown[total + move.points, move.left] += here
    return thrown, ends


def follow(
    game: str, first: str, second: str, seat: str = "first"
) -> tuple[dict[tuple[Standing, Standing], float], list[float]]:
    """Return how often the first-named starts a turn at each pair, and the chance that a game has more than n turns."""
    rules, chosen = RACES[game], (policy(game, first), policy(game, second))

    @cache
    def ends(who: int, me: Standing, them: Standing) -> dict[int, float]:
        return follow_turn(rules, me, them, chosen[who])[1]

    visits, longer = defaultdict[tuple[Standing, Standing], float](float), list[float]()
    who = 0 if seat == "first" else 1
    there = {(start(rules), start(rules)): 1.0}
    while (alive := math.fsum(there.values())) > 1e-17:
        longer.append(alive)
        after = defaultdict[tuple[Standing, Standing], float](float)
        for (me, them), chance in there.items():
            if who == 0:
                visits[me, them] += chance
            for total, part in ends(who, me, them).items():
                if me[0] + total < rules.goal:
                    after[them, (me[0] + total, True) if total else me] += chance * part
        there, who = after, 1 - who
    return visits, longer


class Parting(NamedTuple):
    """A roll of the player for points: what he does, what wins most, and what either is worth."""

    score: int
    opened: bool
    opponent: int
    opponent_opened: bool
    turn: int
    roll: Roll
    taken: Move
    best: Move
    probability: float
    cost: float
    chances: tuple[float, float]
    expected: tuple[float, float]
    tied: bool


def decisions(game: str, against: str | None = None, seat: str = "first") -> Iterator[Parting]:
    """Yield every roll that the player for points can come to, with the best move against the same opponent."""
    rules, score = RACES[game], policy(game, "score")
    others = solved(game, None, against)[1]
    for (me, them), visits in follow(game, "score", against or "win", seat)[0].items():
        turn = turn_against(rules, me, them, others)
        for (total, dice), thrown in follow_turn(rules, me, them, score)[0].items():
            for roll, chance, keeps in rolls(rules, dice) if thrown else ():
                if not keeps:
                    continue
                moves, taken = legal(rules, me[1], total, roll), score(me, them, total, roll)
                best = pick(
                    moves,
                    lambda move: turn.at(total, move),  # noqa: B023
                    lambda move: expected_score(rules, me[1], total, move),  # noqa: B023
                )
                chances = turn.at(total, taken), turn.at(total, best)
                points = [expected_score(rules, me[1], total, move) for move in (taken, best)]
                ties = sum(abs(expected_score(rules, me[1], total, move) - points[0]) <= TIED for move in moves)
                yield Parting(
                    *me, *them, total, roll, taken, best, visits * thrown * chance, chances[1] - chances[0], chances,
                    (points[0], points[1]), ties > 1,
                )  # fmt: skip


# Three players, sitting in a ring and rolling one die each.


def three(gains: Sequence[int], sides: int, goal: int, holds: tuple[int | None, int | None, int | None]) -> list[float]:
    """Return each seat's chance: a roll gains as listed, else busts; a seat holds at a total, or plays best (None)."""
    chances: dict[tuple[int, tuple[int, ...]], tuple[float, ...]] = defaultdict(lambda: (1 / 3,) * 3)

    def turn(seat: int, scores: tuple[int, ...]) -> tuple[float, ...]:
        lost = chances[(seat + 1) % 3, scores]

        @cache
        def roll(total: int) -> tuple[float, ...]:
            found = [0.0, 0.0, 0.0]
            for gain in gains:
                for place, chance in enumerate(after(total + gain)):
                    found[place] += chance / sides
            return tuple(found[place] + lost[place] * (1 - len(gains) / sides) for place in range(3))

        def after(total: int) -> tuple[float, ...]:
            if scores[seat] + total >= goal:
                return tuple(float(place == seat) for place in range(3))
            to = tuple(score + total * (place == seat) for place, score in enumerate(scores))
            banked = chances[(seat + 1) % 3, to]
            hold = holds[seat]
            if hold is None:
                return max(banked, roll(total), key=lambda found: found[seat])
            return banked if total >= hold else roll(total)

        return roll(0)

    for points in sorted(product(range(goal), repeat=3), key=sum, reverse=True):
        change = 1.0
        while change > 1e-16:
            change = 0.0
            for seat in (2, 1, 0):
                found = turn(seat, points)
                change = max(change, *(abs(a - b) for a, b in zip(found, chances[seat, points], strict=True)))
                chances[seat, points] = found
    return list(chances[0, (0, 0, 0)])
