"""Solve small keep-at-least-one dice games slowly and exactly.

A pool is a tuple of kinds, each (count, faces) with one integer of points per side. A player rolls all the
dice left, keeps any non-empty part of the roll, banks its points, and rolls the rest until none are left.

House rules are a `House`: of each roll at least so many dice are kept, or all that are left, and after so many
rolls all are kept. Where rolls are counted, the dice left have one more entry, the rolls that may still be made: 0
when no dice are left.

A roll, and a keep out of it, is a tuple with one entry per kind: the points shown, ascending. Sides of one
kind with equal points cannot be told apart: they make one entry of greater weight. Dice of different kinds
are always told apart. A state is (dice left per kind, points banked), before the roll.

Every number is a Fraction, so that moves are tied only where they are exactly equal. Every distinct keep is
tried; nothing here assumes that the best faces are the ones to keep.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import Any, NamedTuple

Faces = tuple[int, ...]
Kinds = tuple[tuple[int, Faces], ...]


@dataclass(frozen=True)
class House:
    """A pool with house rules."""

    kinds: Kinds
    least: int = 1
    most_rolls: int | None = None


Pool = Kinds | House
Counts = tuple[int, ...]
Roll = tuple[tuple[int, ...], ...]
State = tuple[Counts, int]
Move = tuple[Counts, int]
Payoff = Callable[[int], Fraction]
Policy = Callable[[Counts, int, Roll, int | None], list[tuple[Roll, Fraction]]]
Distribution = dict[int, Fraction]

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


# Rolls, keeps and states


def kinds_of(pool: Pool) -> Kinds:
    """Return the kinds of dice of the pool."""
    return pool.kinds if isinstance(pool, House) else pool


def full(pool: Pool) -> Counts:
    """Return the counts of all the dice of the pool, and the rolls where they are counted."""
    counts = tuple(count for count, _ in kinds_of(pool))
    return (*counts, pool.most_rolls) if isinstance(pool, House) and pool.most_rolls else counts


def roll_kind(faces: Faces, count: int) -> list[tuple[tuple[int, ...], int]]:
    """List the multisets of points that `count` like dice show, with the number of ways to each."""
    sides = Counter(faces)
    found = []
    for points in combinations_with_replacement(sorted(sides), count):
        weight = factorial(count)
        for point, times in Counter(points).items():
            weight = weight // factorial(times) * sides[point] ** times
        found.append((points, weight))
    return found


@cache
def rolls(pool: Pool, counts: Counts) -> list[tuple[Roll, int]]:
    """List every roll of the dice left, as points ascending per kind, with the number of ways to it."""
    kinds = [roll_kind(faces, count) for (_, faces), count in zip(kinds_of(pool), counts)]  # noqa: B905  rolls follow
    return [(tuple(points for points, _ in parts), prod(weight for _, weight in parts)) for parts in product(*kinds)]


def count_ways(pool: Pool, counts: Counts) -> int:
    """Return the total weight of all rolls of the dice left."""
    return prod(len(faces) ** count for (_, faces), count in zip(kinds_of(pool), counts))  # noqa: B905  rolls follow


@cache
def keeps(roll: Roll) -> list[Roll]:
    """List every distinct non-empty sub-multiset of a roll."""
    kinds = [sorted({part for size in range(len(points) + 1) for part in combinations(points, size)}) for points in roll]
    return [keep for keep in product(*kinds) if any(keep)]


@cache
def allowed(pool: Pool, counts: Counts, roll: Roll) -> list[Roll]:
    """List the keeps that the house rules allow: enough dice, or all of them."""
    if not isinstance(pool, House):
        return keeps(roll)
    dice = sum(len(points) for points in roll)
    last = pool.most_rolls is not None and counts[-1] == 1
    return [keep for keep in keeps(roll) if (n := sum(len(part) for part in keep)) == dice or (n >= pool.least and not last)]


def make_move(counts: Counts, keep: Roll) -> Move:
    """Return the dice left after a keep, with the rolls left where they are counted, and the points it gains."""
    rest = tuple(count - len(points) for count, points in zip(counts, keep))  # noqa: B905  rolls follow
    if len(counts) > len(keep):
        rest = (*rest, counts[-1] - 1 if any(rest) else 0)
    return rest, sum(sum(points) for points in keep)


def follow(counts: Counts, banked: int, keep: Roll) -> State:
    """Return the state a keep leads to."""
    rest, gain = make_move(counts, keep)
    return rest, banked + gain


@cache
def moves(pool: Pool, counts: Counts) -> list[tuple[int, frozenset[Move]]]:
    """List for every roll its weight and the distinct moves its keeps allow."""
    return [
        (weight, frozenset(make_move(counts, keep) for keep in allowed(pool, counts, roll)))
        for roll, weight in rolls(pool, counts)
    ]


@cache
def list_moves(pool: Pool, counts: Counts) -> frozenset[Move]:
    """Return the moves that some roll of the dice left allows."""
    return frozenset(move for _, allowed in moves(pool, counts) for move in allowed)


@cache
def reachable(pool: Pool) -> list[State]:
    """List all states play can reach, those with more dice left first."""
    seen: set[State] = {(full(pool), 0)}
    waiting = list(seen)
    while waiting:
        counts, banked = waiting.pop()
        if not any(counts):
            continue
        for rest, gain in list_moves(pool, counts):
            state = (rest, banked + gain)
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return sorted(seen, key=lambda state: (-sum(state[0]), state))


@cache
def scores(pool: Pool) -> list[int]:
    """List all attainable final scores, ascending."""
    return sorted(banked for counts, banked in reachable(pool) if not any(counts))


# Optimal values


def average_best(pool: Pool, counts: Counts, worth: Mapping[Move, Fraction], maximise: bool = True) -> Fraction:
    """Average over the rolls the worth of the best move each of them allows."""
    ranked = sorted(worth, key=lambda move: worth[move], reverse=not maximise)
    rank = {move: place for place, move in enumerate(ranked)}
    taken: Counter[int] = Counter()
    for weight, allowed in moves(pool, counts):
        taken[max(rank[move] for move in allowed)] += weight
    return sum((weight * worth[ranked[place]] for place, weight in taken.items()), ZERO) / count_ways(pool, counts)


def values(pool: Pool, payoff: Payoff, maximise: bool = True) -> dict[State, Fraction]:
    """Return the expected payoff under optimal play from every reachable state."""
    found: dict[State, Fraction] = {}
    for counts, banked in reversed(reachable(pool)):
        if any(counts):
            worth = {(rest, gain): found[rest, banked + gain] for rest, gain in list_moves(pool, counts)}
            found[counts, banked] = average_best(pool, counts, worth, maximise)
        else:
            found[counts, banked] = Fraction(payoff(banked))
    return found


@cache
def expected(pool: Pool, higher: bool) -> Mapping[State, Fraction]:
    """Return the best expected final score from every reachable state."""
    return values(pool, Fraction, higher)


def judge(score: int, target: int, higher: bool, tie: Fraction) -> Fraction:
    """Return what a final score is worth against the target, a tie being worth `tie`."""
    if score == target:
        return Fraction(tie)
    return ONE if (score > target) == higher else ZERO


def chase(pool: Pool, higher: bool, tie: Fraction, target: int) -> dict[State, Fraction]:
    """Return the second player's value from every state against one target."""
    return values(pool, lambda score: judge(score, target, higher, tie))


@cache
def second_states(pool: Pool, higher: bool, tie: Fraction) -> Mapping[tuple[int, Counts, int], Fraction]:
    """Return the second player's value by (target, dice left, banked)."""
    return {
        (target, counts, banked): value
        for target in scores(pool)
        for (counts, banked), value in chase(pool, higher, tie, target).items()
    }


def second(pool: Pool, higher: bool, tie: Fraction) -> dict[int, Fraction]:
    """Return the second player's value by target, before the first roll."""
    states = second_states(pool, higher, tie)
    return {target: states[target, full(pool), 0] for target in scores(pool)}


@cache
def first(pool: Pool, higher: bool, tie: Fraction) -> Mapping[State, Fraction]:
    """Return the first player's value from every state, against the optimal second player."""
    replies = second(pool, higher, tie)
    return values(pool, lambda score: 1 - replies[score])


def replay(pool: Pool, higher: bool) -> Fraction:
    """Return the tie's worth to the second player where a tie means to play again in the same seats.

    Under fixed policies the second player's value is win + tie * w, so that w = win / (1 - tie) is the worth
    of replaying for ever with them. Improve both policies at that worth until it no longer changes; the worth
    stays in a bracket around the fixed point, so that the search cannot go round in a circle. Where every
    game is tied whatever the worth, return one half.
    """
    low, high, worth = Fraction(-1), Fraction(2), HALF
    while True:
        value = 1 - first(pool, higher, worth)[full(pool), 0]
        if value == worth:
            return worth
        low, high = (worth, high) if value > worth else (low, worth)
        best = win_policy(pool, higher, worth)
        _, tied, won = outcome(pool, higher, best, best)
        worth = won / (1 - tied)
        if not low < worth < high:
            worth = (low + high) / 2


# Policies


def order_kinds(pool: Pool) -> list[int]:
    """List the kinds by number of sides, fewest first."""
    kinds = kinds_of(pool)
    return sorted(range(len(kinds)), key=lambda kind: (len(kinds[kind][1]), kind))


def rank_keep(pool: Pool, higher: bool, keep: Roll) -> tuple[int, list[int], list[list[int]]]:
    """Return a key, greater for fewer dice, then more dice of kinds with fewer sides, then better faces."""
    sign = 1 if higher else -1
    ordered = [keep[kind] for kind in order_kinds(pool)]
    counts = [len(points) for points in ordered]
    return (
        -sum(counts),
        counts,
        [sorted((sign * point for point in points), reverse=True) for points in ordered],
    )


def make_policy(pool: Pool, higher: bool, judge_state: Callable[[State, int | None], tuple[Fraction, ...]]) -> Policy:
    """Make the policy that keeps what leads to the greatest state, ties broken by `rank_keep`."""

    @cache
    def choose(counts: Counts, banked: int, roll: Roll, target: int | None) -> list[tuple[Roll, Fraction]]:
        def grade(keep: Roll) -> tuple[tuple[Fraction, ...], tuple[int, list[int], list[list[int]]]]:
            return judge_state(follow(counts, banked, keep), target), rank_keep(pool, higher, keep)

        return [(max(allowed(pool, counts, roll), key=grade), ONE)]

    return choose


def score_policy(pool: Pool, higher: bool) -> Policy:
    """Make the policy of the best expected final score."""
    means = expected(pool, higher)
    sign = 1 if higher else -1
    return make_policy(pool, higher, lambda state, target: (sign * means[state],))


def payoff_policy(pool: Pool, higher: bool, payoff: Payoff) -> Policy:
    """Make the policy of the greatest expected payoff, ties broken by the better expected score."""
    worth, means = values(pool, payoff), expected(pool, higher)
    sign = 1 if higher else -1
    return make_policy(pool, higher, lambda state, target: (worth[state], sign * means[state]))


def win_policy(pool: Pool, higher: bool, tie: Fraction) -> Policy:
    """Make the policy of the best chance to win: as first player without a target, else as second."""
    firsts, seconds, means = (
        first(pool, higher, tie),
        second_states(pool, higher, tie),
        expected(pool, higher),
    )
    sign = 1 if higher else -1

    def judge_state(state: State, target: int | None) -> tuple[Fraction, ...]:
        worth = firsts[state] if target is None else seconds[(target, *state)]
        return worth, sign * means[state]

    return make_policy(pool, higher, judge_state)


def greedy_policy(pool: Pool, higher: bool) -> Policy:
    """Make the policy that keeps all dice at their best points, else the die that loses fewest points."""
    bests = [max(faces) if higher else min(faces) for _, faces in kinds_of(pool)]

    def choose(counts: Counts, banked: int, roll: Roll, target: int | None) -> list[tuple[Roll, Fraction]]:
        return [(fill(pool, counts, roll, lambda kind, point: abs(bests[kind] - point), lambda loss: loss == 0), ONE)]

    return choose


def fill(
    pool: Pool, counts: Counts, roll: Roll, lose: Callable[[int, int], int], good: Callable[[int], bool]
) -> Roll:
    """Keep every good die and, as far as that is too little, those that lose least; ties to the kind of fewer sides."""
    least = min(sum(len(part) for part in keep) for keep in allowed(pool, counts, roll))
    dice = [(lose(kind, point), place, kind, point) for place, kind in enumerate(order_kinds(pool)) for point in roll[kind]]
    dice.sort(key=lambda die: die[:2])
    kept = [die for number, die in enumerate(dice) if good(die[0]) or number < least]
    return tuple(tuple(sorted(point for *_, kind, point in kept if kind == k)) for k in range(len(roll)))


def random_policy(pool: Pool = ()) -> Policy:
    """Make the policy that picks evenly among the distinct keeps; house rules say which there are."""

    def choose(counts: Counts, banked: int, roll: Roll, target: int | None) -> list[tuple[Roll, Fraction]]:
        found = allowed(pool, counts, roll)
        return [(keep, Fraction(1, len(found))) for keep in found]

    return choose


# Play of given policies


def visit(pool: Pool, policy: Policy, target: int | None = None) -> dict[State, Fraction]:
    """Return the probability that the policy's play passes through each state it can reach."""
    mass: defaultdict[State, Fraction] = defaultdict(Fraction)
    mass[full(pool), 0] = ONE
    for counts, banked in reachable(pool):
        if not any(counts) or (counts, banked) not in mass:
            continue
        share = mass[counts, banked] / count_ways(pool, counts)
        for roll, weight in rolls(pool, counts):
            for keep, chance in policy(counts, banked, roll, target):
                mass[follow(counts, banked, keep)] += share * weight * chance
    return dict(mass)


def distribution(pool: Pool, policy: Policy, target: int | None = None) -> Distribution:
    """Return the probability of each final score under the policy."""
    mass = visit(pool, policy, target)
    return {banked: chance for (counts, banked), chance in sorted(mass.items()) if not any(counts)}


def outcome(pool: Pool, higher: bool, first_policy: Policy, second_policy: Policy) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances that the first player wins, that they tie, and that the second player wins."""
    lost, tied, won = ZERO, ZERO, ZERO
    for target, reached in distribution(pool, first_policy).items():
        for score, chance in distribution(pool, second_policy, target).items():
            if score == target:
                tied += reached * chance
            elif (score > target) == higher:
                won += reached * chance
            else:
                lost += reached * chance
    return lost, tied, won


# Where two policies part


class Row(NamedTuple):
    """One decision on the way of a policy, with what its keep is worth and what that of the other one is."""

    counts: Counts
    banked: int
    roll: Roll
    keep: Roll
    to_keep: Roll
    probability: Fraction
    value: Fraction
    to_value: Fraction


class Difference(NamedTuple):
    """What a policy decides and loses in a game, against another one."""

    decisions: Fraction
    disagreements: Fraction
    lost: Fraction
    first_roll: Fraction
    points: Fraction


def comes_to(pool: Pool, policy: Policy, payoff: Payoff, target: int | None = None) -> dict[State, Fraction]:
    """Return what a policy makes of each state, where a final score is worth its payoff."""
    worth: dict[State, Fraction] = {}
    for counts, banked in reversed(reachable(pool)):
        if not any(counts):
            worth[counts, banked] = payoff(banked)
            continue
        total = ZERO
        for roll, weight in rolls(pool, counts):
            for keep, chance in policy(counts, banked, roll, target):
                total += weight * chance * worth[follow(counts, banked, keep)]
        worth[counts, banked] = total / count_ways(pool, counts)
    return worth


def part_rows(pool: Pool, policy: Policy, to: Policy, payoff: Payoff, target: int | None = None) -> Iterator[Row]:
    """Yield every decision the policy can meet, also those where both agree; worth is what `to` makes of it afterwards."""
    worth, mass = comes_to(pool, to, payoff, target), visit(pool, policy, target)
    for counts, banked in reachable(pool):
        if not any(counts) or (counts, banked) not in mass:
            continue
        share = mass[counts, banked] / count_ways(pool, counts)
        for roll, weight in rolls(pool, counts):
            keeps = [way(counts, banked, roll, target)[0][0] for way in (policy, to)]
            values = [worth[follow(counts, banked, keep)] for keep in keeps]
            yield Row(counts, banked, roll, keeps[0], keeps[1], share * weight, values[0], values[1])


def part(
    pool: Pool, higher: bool, policy: Policy, to: Policy, payoff: Payoff, target: int | None = None
) -> Difference:
    """Return rolls and disagreements per game, what is lost, the chance that the first roll disagrees, points lost."""
    rows = list(part_rows(pool, policy, to, payoff, target))
    wrong = [row for row in rows if row.value != row.to_value]
    made = [distribution(pool, way, target) for way in (policy, to)]
    worths = [sum((chance * payoff(score) for score, chance in way.items()), ZERO) for way in made]
    means = [sum((chance * score for score, chance in way.items()), ZERO) for way in made]
    return Difference(
        sum((row.probability for row in rows), ZERO),
        sum((row.probability for row in wrong), ZERO),
        worths[1] - worths[0],
        sum((row.probability for row in wrong if row.counts == full(pool)), ZERO),
        (means[1] - means[0]) * (1 if higher else -1),
    )


def seat_payoff(pool: Pool, higher: bool, tie: Fraction, target: int | None = None) -> Payoff:
    """Return what a final score is worth, first against the best second player, or second against a target."""
    replies = second(pool, higher, tie)
    return lambda score: 1 - replies[score] if target is None else judge(score, target, higher, tie)


def diff_rows(pool: Pool, higher: bool, tie: Fraction, target: int | None = None) -> Iterator[Row]:
    """Yield every decision the score policy can meet, compared with the best play."""
    by_score, by_win = score_policy(pool, higher), win_policy(pool, higher, tie)
    return part_rows(pool, by_score, by_win, seat_payoff(pool, higher, tie, target), target)


def diff(pool: Pool, higher: bool, tie: Fraction, target: int | None = None) -> Difference:
    """Return what playing for points decides and loses: first against the best second player, or second against a target."""
    by_score, by_win = score_policy(pool, higher), win_policy(pool, higher, tie)
    return part(pool, higher, by_score, by_win, seat_payoff(pool, higher, tie, target), target)


# Other formats


AlternatingState = tuple[str, Counts, Counts, int]


def alternating(pool: Pool, higher: bool, tie: Fraction, lead: int = 0) -> dict[AlternatingState, Fraction]:
    """Return the value to the player about to roll where the players take turns of one roll each.

    A state is (seat of the mover, mover's dice left, other's dice left, mover's banked minus other's), the
    seat being 'first' or 'second'. A player without dice waits while the other plays out. All states that
    play can reach are given, except those where neither has dice left; the first player starts with `lead`.
    """
    found: dict[AlternatingState, Fraction] = {}
    ties = {"first": 1 - Fraction(tie), "second": Fraction(tie)}
    others = {"first": "second", "second": "first"}

    def evaluate(seat: str, mine: Counts, theirs: Counts, lead: int) -> Fraction:
        """Return the value to the mover, who has dice left."""
        state = (seat, mine, theirs, lead)
        if state not in found:
            worth = {move: weigh(seat, move[0], theirs, lead + move[1]) for move in list_moves(pool, mine)}
            found[state] = average_best(pool, mine, worth)
        return found[state]

    def weigh(seat: str, mine: Counts, theirs: Counts, lead: int) -> Fraction:
        """Return the value to the player who has just moved."""
        if any(theirs):
            return 1 - evaluate(others[seat], theirs, mine, -lead)
        if any(mine):
            return evaluate(seat, mine, theirs, lead)
        return judge(lead, 0, higher, ties[seat])

    evaluate("first", full(pool), full(pool), lead)
    return found


Standing = tuple[int | None, int]


def raise_standing(score: int, standing: Standing, higher: bool) -> tuple[Standing, bool]:
    """Return the best score and number of holders after a score, and whether its player is one of them."""
    best, sharers = standing
    if best is None or (score != best and (score > best) == higher):
        return (score, 1), True
    if score == best:
        return (best, sharers + 1), True
    return standing, False


class Seats:
    """A game of n players who play in turn, ties at the top sharing the win; the first may be given points.

    Each knows the best score so far and how many hold it. `ways` are the policies of the seats, None to win when all others
    to come do too; ties between moves go to the better expected score, then as for all policies.
    """

    def __init__(
        self, pool: Pool, higher: bool, n: int, ways: Sequence[Policy | None] | None = None, bonus: int = 0
    ) -> None:
        self.pool, self.higher, self.n, self.bonus = pool, higher, n, bonus
        self.ways = [None] * n if ways is None else list(ways)
        self.held: dict[tuple[int, Standing], Fraction] = {}
        self.played: dict[tuple[int, Standing], Distribution] = {}

    def hold(self, seat: int, standing: Standing) -> Fraction:
        """Return the share of each present holder while `seat` and those after it have yet to play to win."""
        if seat == self.n:
            return Fraction(1, standing[1])
        if (seat, standing) not in self.held:
            value = ZERO
            for score, chance in self.best(seat, standing).items():
                after, _ = raise_standing(score, standing, self.higher)
                if after[0] == standing[0]:
                    value += chance * self.hold(seat + 1, after)
            self.held[seat, standing] = value
        return self.held[seat, standing]

    def earn(self, seat: int, standing: Standing, score: int) -> Fraction:
        """Return what a final score is worth to the seat that makes it, where those after it play to win."""
        given = score + (self.bonus if seat == 0 else 0)
        after, holds = raise_standing(given, standing, self.higher)
        return self.hold(seat + 1, after) if holds else ZERO

    def best(self, seat: int, standing: Standing) -> Distribution:
        """Return the distribution of final scores of a seat that plays to win."""
        if (seat, standing) not in self.played:
            policy = payoff_policy(self.pool, self.higher, lambda score: self.earn(seat, standing, score))
            self.played[seat, standing] = distribution(self.pool, policy)
        return self.played[seat, standing]

    def makes(self, seat: int, standing: Standing) -> Distribution:
        """Return the distribution of final scores of a seat by its policy."""
        way = self.ways[seat]
        return self.best(seat, standing) if way is None else distribution(self.pool, way, standing[0])

    def met(self, seat: int) -> dict[Standing, Fraction]:
        """Return the chances of the standings that a seat meets."""
        standings: dict[Standing, Fraction] = {(None, 0): ONE}
        for before in range(seat):
            following: defaultdict[Standing, Fraction] = defaultdict(Fraction)
            for standing, reached in standings.items():
                for score, chance in self.makes(before, standing).items():
                    following[raise_standing(score, standing, self.higher)[0]] += reached * chance
            standings = dict(following)
        return standings

    def made(self, seat: int) -> Distribution:
        """Return the distribution of a seat's final score."""
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        for standing, reached in self.met(seat).items():
            for score, chance in self.makes(seat, standing).items():
                found[score] += reached * chance
        return dict(found)

    def results(self, seat: int) -> tuple[Fraction, Fraction, Fraction]:
        """Return the chances that a seat wins alone, and that it shares the top, and its share of wins."""
        held: dict[tuple[Standing, bool], Fraction] = {((None, 0), False): ONE}
        for number in range(self.n):
            following: defaultdict[tuple[Standing, bool], Fraction] = defaultdict(Fraction)
            for (standing, mine), reached in held.items():
                for score, chance in self.makes(number, standing).items():
                    after, holds = raise_standing(score, standing, self.higher)
                    kept = mine and after[0] == standing[0]
                    following[after, kept or (holds and number == seat)] += reached * chance
            held = dict(following)
        alone = sum((chance for ((_, sharing), mine), chance in held.items() if mine and sharing == 1), ZERO)
        tied = sum((chance for ((_, sharing), mine), chance in held.items() if mine and sharing > 1), ZERO)
        share = sum((chance / sharing for ((_, sharing), mine), chance in held.items() if mine), ZERO)
        return alone, tied, share


def n_players(pool: Pool, higher: bool, n: int) -> list[Fraction]:
    """Return the seats' chances where n players play in turn to win and ties at the top share it."""
    seats = Seats(pool, higher, n)
    return [
        sum((
            reached * chance * seats.earn(seat, standing, score)
            for standing, reached in seats.met(seat).items()
            for score, chance in seats.makes(seat, standing).items()
        ), ZERO)
        for seat in range(n)
    ]  # fmt: skip


def first_of_n(pool: Pool, higher: bool, n: int, bonus: int) -> Fraction:
    """Return the first player's chance when he is given points on top of his final score, which all others see."""
    seats = Seats(pool, higher, n, bonus=bonus)
    return sum(
        (chance * seats.earn(0, (None, 0), score) for score, chance in seats.makes(0, (None, 0)).items()), ZERO
    )


# Two who roll in turn, by any policies


def roll_in_turn(
    pool: Pool, higher: bool, tie: Fraction, ways: tuple[Policy | None, Policy | None],
    cut: tuple[int, Policy | None] | None = None,
) -> tuple[dict[tuple[int, int], Fraction], Fraction]:
    """Return the chances of both final scores when two roll in turn by their policies, None to win against the same.

    The other figure is what the player in seat `cut[0]` would lose by the policy `cut[1]`: summed over his decisions, what
    his own move is worth less that of the other policy, his own way following. It is 0 without a cut.
    """
    best = alternating(pool, higher, tie)
    means, sign = expected(pool, higher), 1 if higher else -1
    names = ("first", "second")

    def end(mine: int, theirs: int, seat: int) -> Fraction:
        return judge(mine, theirs, higher, 1 - tie if seat == 0 else tie)

    def after_best(seat: int, mine: State, theirs: State) -> Fraction:
        """Return what the solved game is worth to one who has just moved."""
        if any(theirs[0]):
            return 1 - best[names[1 - seat], theirs[0], mine[0], theirs[1] - mine[1]]
        if any(mine[0]):
            return best[names[seat], mine[0], theirs[0], mine[1] - theirs[1]]
        return end(mine[1], theirs[1], seat)

    def take(way: Policy | None, seat: int, mine: State, theirs: State, roll: Roll) -> list[tuple[Roll, Fraction]]:
        if way is not None:
            return way(mine[0], mine[1], roll, None)

        def grade(keep: Roll) -> Any:
            state = follow(mine[0], mine[1], keep)
            return after_best(seat, state, theirs), sign * means[state], rank_keep(pool, higher, keep)

        return [(max(allowed(pool, mine[0], roll), key=grade), ONE)]

    def turn(seat: int, mine: State, theirs: State) -> tuple[int, State, State]:
        """Return who rolls next, and both states, his first."""
        if any(theirs[0]):
            return 1 - seat, theirs, mine
        return seat, mine, theirs

    @cache
    def worth(seat: int, mine: State, theirs: State, me: int) -> Fraction:
        """Return what a position is worth to the player in seat `me` when both follow their ways."""
        if not any(mine[0]):
            value = end(mine[1], theirs[1], seat)
            return value if seat == me else 1 - value
        total = ZERO
        for roll, weight in rolls(pool, mine[0]):
            for keep, chance in take(ways[seat], seat, mine, theirs, roll):
                total += weight * chance * worth(*turn(seat, follow(mine[0], mine[1], keep), theirs), me)
        return total / count_ways(pool, mine[0])

    start = (full(pool), 0)
    waiting: dict[tuple[int, State, State], Fraction] = {(0, start, start): ONE}
    joint: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    lost = ZERO
    while waiting:
        seat, mine, theirs = max(waiting, key=lambda at: sum(at[1][0]) + sum(at[2][0]))
        reached = waiting.pop((seat, mine, theirs))
        if not any(mine[0]):
            scores_made = (mine[1], theirs[1]) if seat == 0 else (theirs[1], mine[1])
            joint[scores_made] += reached
            continue
        for roll, weight in rolls(pool, mine[0]):
            share = reached * weight / count_ways(pool, mine[0])
            followed = take(ways[seat], seat, mine, theirs, roll)
            if cut is not None and seat == cut[0]:
                (other, _), *_ = followed
                followed = take(cut[1], seat, mine, theirs, roll)
                (keep, _), *_ = followed
                values = [worth(*turn(seat, follow(mine[0], mine[1], one), theirs), seat) for one in (other, keep)]
                lost += share * (values[0] - values[1])
            for keep, chance in followed:
                then = turn(seat, follow(mine[0], mine[1], keep), theirs)
                waiting[then] = waiting.get(then, ZERO) + share * chance
    return dict(joint), lost


# Hidden scores


def pure_distributions(pool: Pool) -> set[tuple[tuple[int, Fraction], ...]]:
    """Return the score distributions, as sorted (score, probability) pairs, of all deterministic policies.

    A policy picks a keep by dice left, points banked and roll, not by how the state was reached. Works from
    the full pool down, holding the set of all spreads of probability over states that policies can produce.
    """
    spreads: set[frozenset[tuple[State, Fraction]]] = {frozenset({((full(pool), 0), ONE)})}
    for state in reachable(pool):
        if any(state[0]):
            spreads = {after for spread in spreads for after in spread_state(pool, state, spread)}
    return {tuple(sorted((banked, chance) for (_, banked), chance in spread)) for spread in spreads}


def spread_state(
    pool: Pool, state: State, spread: frozenset[tuple[State, Fraction]]
) -> set[frozenset[tuple[State, Fraction]]]:
    """Return the spreads that come of one by every way to play all rolls of a state."""
    mass = dict(spread)
    share = mass.pop(state, ZERO) / count_ways(pool, state[0])
    found = {frozenset(mass.items())}
    if not share:
        return found
    for weight, allowed in moves(pool, state[0]):
        grown = set()
        for before in found:
            for rest, gain in allowed:
                after = dict(before)
                landing = (rest, state[1] + gain)
                after[landing] = after.get(landing, ZERO) + share * weight
                grown.add(frozenset(after.items()))
        found = grown
    return found


def hidden_reply(pool: Pool, higher: bool, tie: Fraction, opponent: Mapping[int, Fraction]) -> Fraction:
    """Return the best chance against an unseen score of known distribution, a tie being worth `tie`."""

    def pay(score: int) -> Fraction:
        """Return the chance that a final score beats the unseen one."""
        return sum((chance * judge(score, target, higher, tie) for target, chance in opponent.items()), ZERO)

    return values(pool, pay)[full(pool), 0]
