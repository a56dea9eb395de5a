"""Cut-off cards: the kernel against brute force, and what they keep, move by move."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import oracle
import pytest
from pools import as_pool
from shared import solved

from gametheory import games
from gametheory.cards import search
from gametheory.cards.pace import FREE, Pace
from gametheory.cards.rule import Card
from gametheory.dice import parse_roll
from gametheory.pool import one_die
from gametheory.pool.notation import Position

from .shared import BISCUITS, LOW, MEDIUM, PAPER_LOSS, as_oracle, check_distribution

MIXED = games.game("3d4+d6+d8")
TRIALS = [
    Card(games.game("4d4"), ((3, 2),)),
    Card(games.game("4d4"), ((4, 4, 1),), look_again=False),
    Card(MIXED, ((2,), (4, 3, 2), (5, 4, 2)), (5, 3), (0.0, 0.5, 1.5)),
    Card(MIXED, ((2,), (4, 3, 2), (5, 4, 2)), (FREE, 3), look_again=False, take="nearest", ties="smaller"),
    Card(MIXED, ((4, 2), (5,), ()), (4,), (0.0, 0.0, 1.0), take="nearest"),
    Card(MIXED, ((), (), ()), ties="smaller"),
    Card(LOW, ((3, 2), (4, 2)), (4, 3), (0.0, 1.0)),
    Card(LOW, ((4, 3, 2), (4, 4, 3)), look_again=False, take="nearest"),
]


@pytest.mark.parametrize("card", TRIALS, ids=range(len(TRIALS)))
def test_a_card_has_the_distribution_of_brute_force(card: Card) -> None:
    check_distribution(card.game, card, solved(card.game))


FEW = games.game("2d3+d4+d5")
PACED = [
    Card(FEW, ((2,), (4, 3), (4, 3, 2)), (4, 3), (0.0, 0.5, 1.5)),
    Card(FEW, ((4, 2), (3,), ()), (3,), (0.0, 0.0, 1.0), take="nearest"),
    TRIALS[6],
]
PACES = [
    Pace(cash=3),
    Pace(cash=5, margin=1),
    Pace(margin=0, par=4.0, par_larger=1.5, behind=(1, 2), ahead=(2, 1)),
    Pace(cash=4, margin=2, par=3.0, par_larger=1.0, behind=(0, 1)),
]


@pytest.mark.parametrize("pace", PACES, ids=range(len(PACES)))
@pytest.mark.parametrize("base", PACED, ids=range(len(PACED)))
def test_a_card_for_the_second_seat_has_the_distribution_of_brute_force(base: Card, pace: Pace) -> None:
    game, card = base.game, replace(base, pace=pace)
    duel = solved(game)
    assert "target" not in card.ignores
    scores = game.scores()
    for target in scores[:: max(1, len(scores) // 4)]:
        check_distribution(game, card, duel, target)


def test_a_card_for_the_first_seat_has_the_distribution_of_brute_force() -> None:
    for base, aim in ((PACED[0], 13), (TRIALS[6], 3)):
        card = replace(base, pace=Pace(aim=aim, par=3.0, par_larger=1.0, behind=(1, 1), ahead=(2, 2)))
        assert "banked" not in card.ignores
        assert "target" in card.ignores
        check_distribution(card.game, card, solved(card.game))


@pytest.mark.parametrize("tie", ["split", "second"])
def test_win_values_are_those_of_brute_force(tie: str) -> None:
    game = games.game("2d4+d6")
    pool, worth = as_pool(game), {"split": Fraction(1, 2), "second": Fraction(1)}[tie]
    duel = solved(game, tie)
    best = oracle.win_policy(pool, True, worth)
    blind = Card(game, ((2,), (3, 2)), (3,))
    paces = (None, Pace(cash=2, margin=1), Pace(aim=11, behind=(1, 1), par=2.0))
    for card in (replace(blind, pace=pace) for pace in paces):
        mine = as_oracle(game, card)
        won, tied, _ = oracle.outcome(pool, True, mine, best)
        assert card.first_player_value(duel) == pytest.approx(float(won + (1 - worth) * tied), abs=1e-12)
        _, tied, won = oracle.outcome(pool, True, best, mine)
        assert card.second_player_value(duel) == pytest.approx(float(won + worth * tied), abs=1e-12)


def test_the_published_table_is_a_card_of_fourteen_numbers() -> None:
    duel = solved("biscuits")
    keep = ((5, 2), (7, 3, 2), (10, 5, 3, 2), (12, 6, 4, 3, 2))
    paper = Card(duel.game, keep, look_again=False, take="nearest", ties="smaller")
    assert paper.size == 14
    assert search._theory(duel.game).keep == keep
    exact = duel.distribution(one_die.cutoff(duel.game)).mean
    assert paper.expected_score(duel) == pytest.approx(exact, abs=1e-11)
    assert paper.loss(duel) == pytest.approx(PAPER_LOSS, abs=1e-9)


# What a card says, move by move.


@pytest.mark.parametrize(
    ("roll", "keep"),
    [
        ("d6:6x12 d8:1 d10:1 d12:1", "d6:6"),  # the surprise: one six, with all the larger dice still low
        ("d6:6x3,5x9 d8:8 d10:1 d12:1", "d8:8"),  # the eight is kept, so that no six need be
        ("d6:6,4,4,3,3 d12:10", "d6:6"),  # with six dice a ten is not good enough
        ("d6:6,6,5,4,3 d12:10", "d6:6,6 d12:10"),  # looked at again as five dice it is, and then as four nothing more
        ("d6:6,6,6,5,3 d12:10", "d6:6,6,6,5 d12:10"),  # looked at again as four dice, then as three: the five too
        ("d6:5,5,4,2", "d6:5"),  # nothing clears with four dice: the die that loses least
        ("d6:4,3,2,2 d12:9", "d12:9"),  # the d12 loses 3, counted as 2, and so does the four: the larger die on a tie
        ("d6:2 d8:5", "d8:5"),
        ("d6:1", "d6:1"),
    ],
)
def test_the_medium_card_keeps(roll: str, keep: str) -> None:
    kinds = BISCUITS.kinds
    shown = parse_roll(roll, kinds)
    position = Position(tuple(len(faces) for faces in shown), 0)
    assert MEDIUM(position, shown) == parse_roll(keep, kinds)


def test_a_second_seat_card_stops_when_it_wins_and_spares_when_it_must() -> None:
    card = replace(MEDIUM, pace=Pace(cash=3, margin=1))
    kinds = card.game.kinds
    roll = parse_roll("d6:4,3", kinds)
    left = (2, 0, 0, 0)
    assert card(Position(left, 84, 90), roll) == roll  # 84 + 7 beats 90
    assert card(Position(left, 84, 91), roll) == parse_roll("d6:4", kinds)  # 91 would only tie
    assert card(Position(left, 84, 94), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6,5", kinds)
    assert card(Position(left, 84, 95), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6", kinds)
    assert replace(card, pace=None)(Position(left, 84, 95), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6,5", kinds)


def test_steps_are_chances() -> None:
    for card in (MEDIUM, search.packaged(games.game("badg"), "large")):
        assert card is not None
        for _, _, chances in card.steps(solved(card.game)).values():
            assert np.all(chances >= 0)
            assert chances.sum() == pytest.approx(1.0, abs=1e-12)
