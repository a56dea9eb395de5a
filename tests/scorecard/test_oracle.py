"""The oracle of scorecards against what can be worked out by hand, and against every throw taken one by one."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from .oracle import (
    UPPER,
    Card,
    Play,
    Rules,
    compare,
    difference,
    distribution,
    expected,
    first_value,
    for_points,
    high,
    keeps,
    low,
    options,
    policy,
    results,
    scores,
    second_difference,
    second_values,
    turn_by_turn,
    turn_by_turn_value,
    worth_of,
)

YAHTZEE_BOXES = (
    *UPPER, "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance",
)  # fmt: skip
YATZY_BOXES = (
    *UPPER, "pair", "two-pairs", "three-of-a-kind", "four-of-a-kind", "small-straight", "large-straight", "full-house",
    "chance", "yahtzee",
)  # fmt: skip
YAHTZEE = Rules(5, 6, 3, YAHTZEE_BOXES, (63, 35), 100, "forced")
YATZY = Rules(5, 6, 3, YATZY_BOXES, (63, 50), style="yatzy")

ONE_DIE = Rules(1, 6, 1, ("chance",))
SMALL = Rules(2, 3, 2, ("ones", "threes", "yahtzee", "chance"), (4, 7), 11, "forced")
FREE = Rules(2, 3, 2, ("twos", "yahtzee", "two-pairs"), (2, 5), 0, "free")
TINY = Rules(2, 3, 2, ("ones", "yahtzee", "chance"), (2, 5))


def filled(rules: Rules, *boxes: str, upper: int = 0, fifty: bool = False) -> Card:
    return Card(frozenset(rules.boxes.index(box) for box in boxes), upper, fifty)


def scored(rules: Rules, *roll: int, card: Card | None = None) -> dict[str, int]:
    """Return the boxes of a roll that score."""
    return {box: points for box, points in scores(rules, card or Card(), roll).items() if points}


# What boxes score


def test_yahtzee_boxes_score_as_printed_on_its_card() -> None:
    assert scored(YAHTZEE, 5, 5, 5, 2, 2) == {
        "twos": 4, "fives": 15, "three-of-a-kind": 19, "full-house": 25, "chance": 19,
    }  # fmt: skip
    assert scored(YAHTZEE, 6, 4, 3, 2, 1)["small-straight"] == 30
    assert "large-straight" not in scored(YAHTZEE, 6, 4, 3, 2, 1)
    assert scored(YAHTZEE, 6, 5, 4, 3, 2)["large-straight"] == scored(YAHTZEE, 5, 4, 3, 2, 1)["large-straight"] == 40
    assert "small-straight" not in scored(YAHTZEE, 6, 5, 4, 2, 1)
    assert scored(YAHTZEE, 4, 4, 4, 4, 4) == {
        "fours": 20, "three-of-a-kind": 20, "four-of-a-kind": 20, "yahtzee": 50, "chance": 20,
    }  # fmt: skip


def test_yatzy_boxes_score_the_dice_that_make_them() -> None:
    assert scored(YATZY, 5, 5, 5, 2, 2) == {
        "twos": 4, "fives": 15, "pair": 10, "two-pairs": 14, "three-of-a-kind": 15, "full-house": 19, "chance": 19,
    }  # fmt: skip
    assert scored(YATZY, 6, 5, 4, 3, 2)["large-straight"] == 20
    assert scored(YATZY, 5, 4, 3, 2, 1)["small-straight"] == 15
    assert "small-straight" not in scored(YATZY, 6, 5, 4, 3, 2)
    assert "small-straight" not in scored(YATZY, 6, 4, 3, 2, 1)
    assert scored(YATZY, 4, 4, 4, 4, 1) == {
        "ones": 1, "fours": 16, "pair": 8, "three-of-a-kind": 12, "four-of-a-kind": 16, "chance": 17,
    }  # fmt: skip
    assert "full-house" not in scored(YATZY, 4, 4, 4, 4, 4)
    assert "two-pairs" not in scored(YATZY, 4, 4, 4, 4, 4)


def test_fewer_dice_score_by_the_same_words() -> None:
    three = Rules(3, 6, 2, YAHTZEE_BOXES)
    assert scored(three, 5, 5, 5) == {"fives": 15, "three-of-a-kind": 15, "yahtzee": 50, "chance": 15}
    assert scored(three, 3, 2, 1) == {"ones": 1, "twos": 2, "threes": 3, "chance": 6}
    assert scored(Rules(4, 6, 2, ("pair", "two-pairs"), style="yatzy"), 6, 6, 1, 1) == {"pair": 12, "two-pairs": 14}


# Jokers and bonuses


def test_no_joker_while_the_yahtzee_box_is_open() -> None:
    assert scored(YAHTZEE, 4, 4, 4, 4, 4, card=filled(YAHTZEE, "fours"))["yahtzee"] == 50
    assert "full-house" not in scored(YAHTZEE, 4, 4, 4, 4, 4, card=filled(YAHTZEE, "fours"))


def test_a_forced_joker_goes_above_then_below_then_nowhere() -> None:
    fours = (4,) * 5
    assert scores(YAHTZEE, filled(YAHTZEE, "yahtzee"), fours) == {"fours": 20}
    assert scores(YAHTZEE, filled(YAHTZEE, "yahtzee", "fours", "chance"), fours) == {
        "three-of-a-kind": 20, "four-of-a-kind": 20, "full-house": 25, "small-straight": 30, "large-straight": 40,
    }  # fmt: skip
    lower = YAHTZEE_BOXES[6:]
    assert scores(YAHTZEE, filled(YAHTZEE, "fours", "fives", *lower), fours) == dict.fromkeys(
        ("ones", "twos", "threes", "sixes"), 0
    )


def test_a_free_joker_may_go_anywhere_and_is_one_once_its_face_is_filled() -> None:
    free = Rules(5, 6, 3, YAHTZEE_BOXES, (63, 35), 100, "free")
    fours = (4,) * 5
    before = scores(free, filled(free, "yahtzee"), fours)
    assert len(before) == 12
    assert (before["fours"], before["chance"], before["full-house"], before["large-straight"]) == (20, 20, 0, 0)
    after = scores(free, filled(free, "yahtzee", "fours"), fours)
    assert len(after) == 11
    assert (after["sixes"], after["full-house"], after["small-straight"], after["large-straight"]) == (0, 25, 30, 40)


def test_a_face_without_an_upper_box_is_as_if_filled() -> None:
    house = Rules(2, 3, 2, ("ones", "yahtzee", "two-pairs", "chance"), joker="forced")
    assert scores(house, filled(house, "yahtzee"), (3, 3)) == {"two-pairs": 12, "chance": 6}


def test_further_yahtzees_bring_their_bonus_only_on_a_fifty() -> None:
    fours = (4,) * 5
    (fifty,) = options(YAHTZEE, filled(YAHTZEE, "yahtzee", fifty=True), fours)
    (nothing,) = options(YAHTZEE, filled(YAHTZEE, "yahtzee"), fours)
    assert (fifty.points, nothing.points) == (120, 20)
    assert (fifty.card.upper, fifty.card.fifty) == (20, True)


def test_the_upper_bonus_comes_once_and_with_the_box_that_reaches_it() -> None:
    almost = filled(YAHTZEE, "sixes", upper=59)
    at = {YAHTZEE.boxes[o.box]: o for o in options(YAHTZEE, almost, (4, 4, 2, 2, 1))}
    assert (at["fours"].points, at["fours"].card.upper) == (8 + 35, 63)
    assert (at["twos"].points, at["twos"].card.upper) == (4 + 35, 63)
    assert (at["ones"].points, at["ones"].card.upper) == (1, 60)
    assert {o.points for o in options(YAHTZEE, filled(YAHTZEE, upper=63), (1,) * 5)} == {5, 0, 50}


# Figures worked out by hand


def test_one_die_is_thrown_again_below_what_more_throws_bring() -> None:
    found = [expected(Rules(1, 6, rolls, ("chance",))) for rolls in (1, 2, 3)]
    assert found == [Fraction(7, 2), Fraction(17, 4), Fraction(14, 3)]


def test_chasing_one_face_takes_each_die_by_itself() -> None:
    assert expected(Rules(2, 6, 2, ("ones",))) == 2 * Fraction(11, 36)
    assert expected(Rules(3, 6, 3, ("fives",))) == 15 * (1 - Fraction(5, 6) ** 3)


def test_two_alike_in_two_throws() -> None:
    assert expected(Rules(2, 6, 2, ("yahtzee",))) == 50 * Fraction(11, 36)


def test_five_alike_in_three_throws_as_a_chain_of_most_alike() -> None:
    """The largest group grows by binomial chances, or gives way to a larger new one."""
    sixth, chance = Fraction(1, 6), {1: Fraction(120, 1296), 2: Fraction(900, 1296), 3: Fraction(250, 1296)}
    chance |= {4: Fraction(25, 1296), 5: Fraction(1, 1296)}
    leave = {
        1: chance,
        2: {2: Fraction(120, 216), 3: Fraction(80, 216), 4: Fraction(15, 216), 5: Fraction(1, 216)},
        3: {3: Fraction(25, 36), 4: Fraction(10, 36), 5: Fraction(1, 36)},
        4: {4: 1 - sixth, 5: sixth},
        5: {5: Fraction(1)},
    }
    after = chance
    for _ in range(2):
        after = {n: sum((p * leave[m].get(n, 0) for m, p in after.items()), Fraction(0)) for n in leave}
    assert expected(Rules(5, 6, 3, ("yahtzee",))) == 50 * after[5] == 50 * Fraction(347897, 7558272)


def test_without_a_decision_both_seats_are_even_but_for_ties() -> None:
    assert second_values(ONE_DIE) == {t: Fraction(max(0, 2 * (6 - t) + (t > 0)), 12) for t in range(7)}
    assert [first_value(ONE_DIE, tie) for tie in ("split", "first", "second", "replay")] == [
        Fraction(1, 2), Fraction(21, 36), Fraction(15, 36), Fraction(1, 2),
    ]  # fmt: skip
    assert first_value(ONE_DIE, Fraction(1, 4)) == Fraction(15, 36) + Fraction(3, 4) * Fraction(6, 36)


def test_a_second_player_throws_again_when_behind() -> None:
    """One die, two throws, against a 5: keep a 6; throw anything else again, the level 5 too only if a tie is worth less."""
    two = Rules(1, 6, 2, ("chance",))
    again = Fraction(1, 6) + Fraction(1, 12)  # a 6, or half of a 5
    assert second_values(two)[5] == Fraction(1, 6) + Fraction(1, 6) * max(Fraction(1, 2), again) + Fraction(4, 6) * again
    again = Fraction(1, 6)
    assert second_values(two, "first")[5] == Fraction(1, 6) + Fraction(5, 6) * again


# Every throw one by one: ordered dice, every set of places kept, no memory, nothing of the oracle but what boxes score


def naive(rules: Rules, payoff: Callable[[int], Fraction], card: Card, points: int) -> Fraction:
    if len(card.filled) == len(rules.boxes):
        return payoff(points)
    known: dict[tuple[Card, int], Fraction] = {}

    def ending(o_card: Card, o_points: int) -> Fraction:
        if (o_card, o_points) not in known:
            known[o_card, o_points] = naive(rules, payoff, o_card, o_points)
        return known[o_card, o_points]

    def best(dice: tuple[int, ...], left: int) -> Fraction:
        if left == 0:
            roll = tuple(sorted(dice, reverse=True))
            return max(ending(o.card, points + o.points) for o in options(rules, card, roll))
        found = []
        for kept in product((False, True), repeat=len(dice)):
            sides = [(die,) if keep else range(1, rules.sides + 1) for die, keep in zip(dice, kept, strict=True)]
            thrown = list(product(*sides))
            found.append(sum((best(d, left - 1) for d in thrown), Fraction(0)) / len(thrown))
        return max(found)

    first = list(product(range(1, rules.sides + 1), repeat=rules.dice))
    return sum((best(dice, rules.rolls - 1) for dice in first), Fraction(0)) / len(first)


@pytest.mark.parametrize(
    "rules", [TINY, FREE, Rules(3, 2, 2, ("ones", "three-of-a-kind")), Rules(1, 4, 3, ("fours", "chance"))]
)
def test_values_are_those_of_all_throws_taken_one_by_one(rules: Rules) -> None:
    assert expected(rules) == naive(rules, Fraction, Card(), 0)
    second = second_values(rules)
    for target in (0, 2, max(second)):
        above: dict[int, Fraction] = {score: Fraction((score > target) + (score >= target), 2) for score in second}
        assert second[target] == naive(rules, above.__getitem__, Card(), 0)
    assert first_value(rules) == naive(rules, lambda s: 1 - second[s], Card(), 0)


# One figure two ways


@pytest.mark.parametrize("rules", [SMALL, FREE, Rules(3, 4, 2, ("fours", "pair", "chance"), style="yatzy")])
@pytest.mark.parametrize("tie", ["second", "replay"])
def test_what_policies_come_to_is_what_they_were_worth(rules: Rules, tie: str) -> None:
    points, win = distribution(rules, "score"), distribution(rules, "win", tie)
    assert sum(points.values()) == sum(win.values()) == 1
    assert sum(score * chance for score, chance in points.items()) == expected(rules)
    worth, second, first = worth_of(rules, tie), second_values(rules, tie), first_value(rules, tie)
    assert sum(chance * (1 - second[score]) for score, chance in win.items()) == first
    for target in (1, 3, max(second)):
        reply = distribution(rules, "win", tie, target)
        assert sum(p for s, p in reply.items() if s > target) + worth * reply.get(target, 0) == second[target]
    tables = compare(rules, tie)
    value = [
        [w + (1 - worth) * t for w, t in zip(*rows, strict=True)]
        for rows in zip(tables["first_win"], tables["tie"], strict=True)
    ]
    assert value[1][1] == first
    assert results(rules, tie, "win", "score") == (tables["first_win"][1][0], tables["tie"][1][0])
    parts = difference(rules, tie)
    assert parts.decisions_per_game == rules.rolls * len(rules.boxes)
    assert parts.win_probability_lost == value[1][1] - value[0][1]
    assert sum(row.chance * row.cost for row in parts.rows) == parts.win_probability_lost
    assert second_difference(rules, tie).win_probability_lost == value[1][0] - value[1][1]


def test_replay_is_worth_the_game_itself() -> None:
    worth = worth_of(SMALL, "replay")
    won, tied = results(SMALL, "replay", "win", "win")
    assert first_value(SMALL, worth) == 1 - worth == won / (1 - tied)


def test_a_chase_that_is_settled_is_played_for_points() -> None:
    assert distribution(SMALL, "win", target=-1) == distribution(SMALL, "win", target=500) == distribution(SMALL, "score")


def test_equal_moves_keep_fewer_dice_then_higher_faces_and_fill_the_earlier_box() -> None:
    assert keeps((6, 5)) == ((), (6,), (5,), (6, 5))
    assert keeps((5, 5)) == ((), (5,), (5, 5))
    only_ones = policy(Rules(2, 6, 2, ("ones",)), "score")
    assert only_ones.keep(Card(), 0, 1, (6, 5)) == ()
    assert only_ones.keep(Card(), 0, 1, (6, 1)) == (1,)
    either = policy(Rules(1, 2, 1, ("three-of-a-kind", "four-of-a-kind")), "score")
    assert either.box(Card(), 0, (2,)) == 0


# Turn by turn


def test_with_one_box_turn_by_turn_is_one_after_the_other() -> None:
    one = Rules(2, 6, 3, ("chance",))
    for tie in ("split", "first", "second"):
        assert turn_by_turn_value(one, tie) == first_value(one, tie)


def test_turn_by_turn_lies_between_the_seats_of_the_game_one_after_the_other() -> None:
    for tie, mirrored in (("split", "split"), ("first", "second"), ("second", "first")):
        assert first_value(TINY, tie) < turn_by_turn_value(TINY, tie) < 1 - first_value(TINY, mirrored)
        worth = 1 - worth_of(TINY, tie)
        assert low(TINY, Card(), Card(), 0, worth) == first_value(TINY, tie)
        assert high(TINY, Card(), Card(), 0, worth) == 1 - first_value(TINY, mirrored)


def test_pairs_of_cards_lie_between_low_and_high() -> None:
    game, half = turn_by_turn(TINY), Fraction(1, 2)
    turn_by_turn_value(TINY)
    strict = 0
    for (mine, theirs, ahead, worth), value in game.known.items():
        if worth == half and len(mine.filled) == 1:
            bounds = low(TINY, mine, theirs, ahead), high(TINY, mine, theirs, ahead)
            assert bounds[0] <= value <= bounds[1]
            strict += bounds[0] < value < bounds[1]
    assert strict
    last = filled(TINY, "ones", "yahtzee")
    assert game.value(last, last, 2, half) == low(TINY, last, last, 2)


def test_the_last_turns_are_those_of_the_one_who_still_has_them() -> None:
    game, half = turn_by_turn(TINY), Fraction(1, 2)
    full = filled(TINY, "ones", "yahtzee", "chance")
    chase = Play(TINY, lambda lead: Fraction(1) if lead > 0 else half if lead == 0 else Fraction(0))
    assert game.value(Card(), full, -9, half) == chase.value(Card(), -9)
    assert game.value(full, Card(), 9, half) == 1 - chase.value(Card(), -9)


def test_single_moves_are_worth_what_turns_make_of_them() -> None:
    play = for_points(SMALL)
    turn = play.turn(Card(), 0)
    best = max(play.keep_value(Card(), 0, 1, kept) for kept in keeps((3, 1)))
    assert best == Fraction(turn.stages[1].rolls[3, 1], turn.stages[1].denominator)
    boxes = [play.box_value(Card(), 0, (3, 3), box) for box in SMALL.boxes]
    assert max(boxes) == Fraction(turn.stages[0].rolls[3, 3], turn.stages[0].denominator)
