"""Check the oracles against known values, brute force and the identities that must hold exactly."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import oracle
import pytest

D2, D3, D4, D6 = (tuple(range(1, sides + 1)) for sides in (2, 3, 4, 6))
THREE = (1, 2, 0, 4, 5, 6)
HALF = Fraction(1, 2)

SMALL: list[tuple[oracle.Pool, bool]] = [
    (((3, D2),), True),
    (((1, D2), (1, D3)), True),
    (((1, D4), (1, D3)), False),
    (((2, D3), (1, D4)), True),
    (((2, THREE),), False),
    (((2, (1, 1, 3)), (1, (0, 2))), True),
    (((1, (-1, 0, 4)), (1, D3)), False),
]
TIES = [Fraction(0), HALF, Fraction(1), Fraction(1, 3)]


def start(pool: oracle.Pool) -> oracle.State:
    """Return the state at the start of a game."""
    return oracle.full(pool), 0


def add(numbers: Iterable[Fraction]) -> Fraction:
    """Add up fractions."""
    return sum(numbers, Fraction(0))


def chase(target: int, higher: bool, tie: Fraction) -> oracle.Payoff:
    """Make the payoff of a player who knows the target."""
    return lambda score: oracle.judge(score, target, higher, tie)


def pick(policy: oracle.Policy, counts: oracle.Counts, roll: oracle.Roll, target: int | None = None) -> oracle.Roll:
    """Return the one keep of a deterministic policy with nothing banked."""
    ((keep, chance),) = policy(counts, 0, roll, target)
    assert chance == 1
    return keep


def solve_plainly(pool: oracle.Pool, payoff: oracle.Payoff) -> Fraction:
    """Return the greatest expected payoff by recursion over ordered rolls and subsets of single dice."""

    @cache
    def recurse(dice: tuple[tuple[int, ...], ...], banked: int) -> Fraction:
        if not dice:
            return payoff(banked)
        total, ways = Fraction(0), 0
        for shown in product(*dice):
            options = []
            for size in range(1, len(dice) + 1):
                for kept in combinations(range(len(dice)), size):
                    rest = tuple(die for place, die in enumerate(dice) if place not in kept)
                    options.append(recurse(rest, banked + sum(shown[place] for place in kept)))
            total += max(options)
            ways += 1
        return total / ways

    return recurse(tuple(faces for count, faces in oracle.kinds_of(pool) for _ in range(count)), 0)


# Rolls and keeps


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_rolls_match_ordered_throws(pool: oracle.Kinds, higher: bool) -> None:
    """Count the ordered throws behind every roll."""
    counts = oracle.full(pool)
    brute: Counter[oracle.Roll] = Counter()
    for throw in product(*(product(faces, repeat=count) for count, faces in pool)):
        brute[tuple(tuple(sorted(points)) for points in throw)] += 1
    assert dict(oracle.rolls(pool, counts)) == brute
    assert sum(weight for _, weight in oracle.rolls(pool, counts)) == oracle.count_ways(pool, counts)


def test_keeps_are_distinct_and_complete() -> None:
    """Keep every non-empty part once."""
    assert sorted(oracle.keeps(((1, 1, 2),))) == [((1,),), ((1, 1),), ((1, 1, 2),), ((1, 2),), ((2,),)]
    assert len(oracle.keeps(((1, 2), (1, 3)))) == 15
    assert len(set(oracle.keeps(((2, 2), (2, 2))))) == len(oracle.keeps(((2, 2), (2, 2)))) == 8


# Values


def test_expected_of_four_dice() -> None:
    """Know the best expected score of 4d6."""
    pool = ((4, D6),)
    assert oracle.expected(pool, True)[start(pool)] == Fraction(989065, 52488)


@pytest.mark.parametrize(
    ("count", "value"),
    [(1, Fraction(3)), (2, Fraction(79, 18)), (3, Fraction(2261, 432)), (4, Fraction(544369, 93312))],
)
def test_expected_of_threes(count: int, value: Fraction) -> None:
    """Know the best expected score of threes."""
    pool = ((count, THREE),)
    assert oracle.expected(pool, False)[start(pool)] == value


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_values_match_plain_recursion(pool: oracle.Pool, higher: bool) -> None:
    """Reach the same values by ordered rolls and subsets of single dice."""
    sign = 1 if higher else -1
    plain = solve_plainly(pool, lambda score: Fraction(sign * score))
    assert sign * oracle.expected(pool, higher)[start(pool)] == plain
    replies = oracle.second(pool, higher, Fraction(1, 3))
    for target, value in replies.items():
        assert value == solve_plainly(pool, chase(target, higher, Fraction(1, 3)))
    best = oracle.first(pool, higher, Fraction(1, 3))[start(pool)]
    assert best == solve_plainly(pool, lambda score: 1 - replies[score])


def test_values_minimise() -> None:
    """Minimise as maximising the opposite."""
    pool = ((2, D3), (1, D4))
    low = oracle.values(pool, lambda score: Fraction(score * score), False)
    high = oracle.values(pool, lambda score: Fraction(-score * score))
    assert low == {state: -value for state, value in high.items()}


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_replay_is_a_fixed_point(pool: oracle.Pool, higher: bool) -> None:
    """Make the tie worth what the game is worth to the second player."""
    worth = oracle.replay(pool, higher)
    assert 0 < worth < 1
    assert worth == 1 - oracle.first(pool, higher, worth)[start(pool)]


def test_replay_at_the_edges() -> None:
    """Settle for one half where all games tie, and for the fair share of one fair die."""
    assert oracle.replay(((2, (1, 1)),), True) == HALF
    assert oracle.replay(((1, D6),), True) == HALF


# Policies


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_distributions_add_to_one(pool: oracle.Pool, higher: bool) -> None:
    """Spread all probability over the attainable scores, whatever the policy."""
    policies = [
        oracle.score_policy(pool, higher),
        oracle.win_policy(pool, higher, HALF),
        oracle.greedy_policy(pool, higher),
        oracle.random_policy(),
    ]
    for policy in policies:
        for target in [None, *oracle.scores(pool)]:
            spread = oracle.distribution(pool, policy, target)
            assert add(spread.values()) == 1
            assert set(spread) <= set(oracle.scores(pool))
    for one, two in product(policies, repeat=2):
        assert add(oracle.outcome(pool, higher, one, two)) == 1


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_policies_reach_their_values(pool: oracle.Pool, higher: bool) -> None:
    """Play the optimal policies for exactly the optimal values."""
    spread = oracle.distribution(pool, oracle.score_policy(pool, higher))
    assert add(score * chance for score, chance in spread.items()) == oracle.expected(pool, higher)[start(pool)]
    for tie in TIES:
        best = oracle.win_policy(pool, higher, tie)
        lost, tied, won = oracle.outcome(pool, higher, best, best)
        assert lost + (1 - tie) * tied == oracle.first(pool, higher, tie)[start(pool)]
        assert lost + tied + won == 1
        weak = oracle.outcome(pool, higher, oracle.random_policy(), best)
        assert weak[0] + (1 - tie) * weak[1] <= lost + (1 - tie) * tied


@pytest.mark.parametrize("two", [0, 1])
def test_score_policy_breaks_ties(two: int) -> None:
    """Keep fewer dice, then dice of fewer sides wherever they are listed, where tied."""
    kinds: list[tuple[int, oracle.Faces]] = [(1, (1, 2, 3)), (1, (1, 2, 3))]
    kinds[two] = (1, (1, 3))
    choose = oracle.score_policy(tuple(kinds), True)

    def play(shown: int, other: int) -> tuple[bool, bool]:
        """Tell whether the die of two sides and the other are kept."""
        roll = ((shown,), (other,)) if two == 0 else ((other,), (shown,))
        keep = pick(choose, (1, 1), roll)
        return bool(keep[two]), bool(keep[1 - two])

    assert play(3, 3) == (True, True)
    assert play(3, 2) == (True, False)
    assert play(1, 1) == (True, False)
    assert play(1, 2) == (False, True)


def test_win_policy_falls_back_on_score() -> None:
    """Play for points where the game is already lost or won."""
    pool: oracle.Pool = ((2, D2), (1, D3))
    by_score = oracle.score_policy(pool, True)
    for tie, target in [(Fraction(0), 7), (Fraction(1), 3)]:
        by_win = oracle.win_policy(pool, True, tie)
        assert oracle.second(pool, True, tie)[target] == tie
        for roll, _ in oracle.rolls(pool, (2, 1)):
            assert pick(by_win, (2, 1), roll, target) == pick(by_score, (2, 1), roll)


def test_greedy_policy() -> None:
    """Keep all best dice, else the die nearest to its best, fewer sides first."""
    choose = oracle.greedy_policy(((2, D6), (1, D4)), True)
    assert pick(choose, (2, 1), ((6, 6), (4,))) == ((6, 6), (4,))
    assert pick(choose, (2, 1), ((5, 6), (3,))) == ((6,), ())
    assert pick(choose, (2, 1), ((1, 5), (3,))) == ((), (3,))
    assert pick(choose, (2, 1), ((1, 5), (2,))) == ((5,), ())
    low = oracle.greedy_policy(((3, THREE),), False)
    assert pick(low, (3,), ((0, 0, 4),)) == ((0, 0),)
    assert pick(low, (3,), ((2, 4, 5),)) == ((2,),)


# What playing for points costs


@pytest.mark.parametrize(("pool", "higher"), SMALL)
@pytest.mark.parametrize("tie", TIES)
def test_difference_adds_up(pool: oracle.Pool, higher: bool, tie: Fraction) -> None:
    """Lose in all what the single decisions lose."""
    for target in [None, *oracle.scores(pool)]:
        rows = list(oracle.diff_rows(pool, higher, tie, target))
        found = oracle.diff(pool, higher, tie, target)
        assert found.lost == add(row.probability * (row.to_value - row.value) for row in rows)
        assert 1 <= found.decisions <= sum(oracle.full(pool))
        assert 0 <= found.first_roll <= found.disagreements <= found.decisions
        assert add(row.probability for row in rows if row.counts == oracle.full(pool)) == 1
        assert all(row.value <= row.to_value for row in rows)


# Formats


@pytest.mark.parametrize("tie", TIES)
def test_alternating_with_one_die_is_the_game_in_turn(tie: Fraction) -> None:
    """Agree with play in turn where each rolls once."""
    pool = ((1, D6),)
    found = oracle.alternating(pool, True, tie)
    assert found["first", (1,), (1,), 0] == oracle.first(pool, True, tie)[start(pool)]


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_alternating_plays_out_as_second(pool: oracle.Kinds, higher: bool) -> None:
    """Agree with the second player against a target where the other has no dice left."""
    tie = Fraction(1, 3)
    nothing = tuple(0 for _ in pool)
    chases = oracle.second_states(pool, higher, tie)
    by_lead = {(counts, banked - target): value for (target, counts, banked), value in chases.items()}
    seen = 0
    for (seat, mine, theirs, lead), value in oracle.alternating(pool, higher, tie).items():
        assert 0 <= value <= 1
        if seat == "second" and theirs == nothing and (mine, lead) in by_lead:
            assert value == by_lead[mine, lead]
            seen += 1
    assert seen


@pytest.mark.parametrize("tie", TIES)
def test_alternating_matches_plain_recursion(tie: Fraction) -> None:
    """Reach the same value by ordered rolls, subsets of single dice and both scores in full."""
    pool: oracle.Pool = ((1, D2), (1, D3))

    @cache
    def recurse(hands: tuple[tuple[oracle.Faces, ...], ...], banked: tuple[int, int], seat: int) -> Fraction:
        """Return the first player's value with `seat` to roll."""
        if not any(hands):
            return 1 - oracle.judge(banked[1], banked[0], True, tie)
        if not hands[seat]:
            return recurse(hands, banked, 1 - seat)
        found = []
        for shown in product(*hands[seat]):
            options = []
            for size in range(1, len(shown) + 1):
                for kept in combinations(range(len(shown)), size):
                    rest = tuple(die for place, die in enumerate(hands[seat]) if place not in kept)
                    gain = sum(shown[place] for place in kept)
                    left = (rest, hands[1]) if seat == 0 else (hands[0], rest)
                    total = (banked[0] + gain, banked[1]) if seat == 0 else (banked[0], banked[1] + gain)
                    options.append(recurse(left, total, 1 - seat))
            found.append(max(options) if seat == 0 else min(options))
        return add(found) / len(found)

    assert oracle.alternating(pool, True, tie)["first", (1, 1), (1, 1), 0] == recurse(((D2, D3),) * 2, (0, 0), 0)


@pytest.mark.parametrize(("pool", "higher"), SMALL)
def test_seats_add_to_one(pool: oracle.Pool, higher: bool) -> None:
    """Share out exactly one win, and agree with the two-player game."""
    assert oracle.n_players(pool, higher, 1) == [1]
    two = oracle.n_players(pool, higher, 2)
    assert two == [
        oracle.first(pool, higher, HALF)[start(pool)],
        1 - oracle.first(pool, higher, HALF)[start(pool)],
    ]
    assert add(oracle.n_players(pool, higher, 3)) == 1


def test_seats_share_alike_without_choices() -> None:
    """Give all seats the same where there is nothing to decide."""
    assert oracle.n_players(((1, D6),), True, 4) == [Fraction(1, 4)] * 4


# Hidden scores


@pytest.mark.parametrize("pool", [((2, D2),), ((2, D3),), ((1, D2), (1, D3)), ((3, D2),)])
def test_pure_distributions_hold_the_optima(pool: oracle.Pool) -> None:
    """Find the best expected score and the best replies among the distributions."""
    spreads = oracle.pure_distributions(pool)
    assert all(add(chance for _, chance in spread) == 1 for spread in spreads)
    means = [add(score * chance for score, chance in spread) for spread in spreads]
    assert max(means) == oracle.expected(pool, True)[start(pool)]
    assert min(means) == oracle.expected(pool, False)[start(pool)]
    best = oracle.distribution(pool, oracle.score_policy(pool, True))
    assert tuple(best.items()) in spreads
    for target, value in oracle.second(pool, True, HALF).items():
        chances = [add(p * oracle.judge(score, target, True, HALF) for score, p in spread) for spread in spreads]
        assert max(chances) == value
    against = [
        add(p * q * oracle.judge(score, target, True, HALF) for score, p in spread for target, q in best.items())
        for spread in spreads
    ]
    assert max(against) == oracle.hidden_reply(pool, True, HALF, best)


def test_pure_distributions_of_one_die() -> None:
    """Find the one distribution of a die without choices."""
    assert oracle.pure_distributions(((1, D2),)) == {((1, HALF), (2, HALF))}
