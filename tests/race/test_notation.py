"""Check how races read rolls and positions, which they refuse, and how they say a difference."""

from __future__ import annotations

from itertools import product

import pytest

from gametheory.answers import DifferenceRow, Move
from gametheory.race.notation import Position, RaceNotation, check_standing, check_turn, parse_roll, turn_totals
from gametheory.race.rules import RaceGame, keeps

from .shared import FARKLE, PIG, PIGLET, TEN, TINY


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "empty"), ("1 7", "'7' in the roll"), ("1 x", "'x' in the roll"), ("1 1 1 1 1 1 1", "7 dice"), ("0", "'0'")],
)
def test_bad_rolls_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_roll(TEN, text)


@pytest.mark.parametrize(
    ("score", "opened", "message"),
    [(500, None, "at least 1000"), (1025, None, "multiple of 50"), (10_000, None, "ends at 10000"), (-50, None, "-50")],
)
def test_scores_that_cannot_occur_are_refused(score: int, opened: bool | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_standing(TEN, score, opened)
    assert check_standing(TEN, 500, False) == (500, False)


# Turn totals

GAPS = RaceGame("gaps", 1, 6, 1000, (0, 0, 0, 7, 0, 11), bust_faces=(1,))
HOUSE = [*TINY.values(), PIG, GAPS, RaceGame("odd", 3, 4, 60, (0, 0, 0, 3), (5, 0, 8, 0), "double", opening=5)]


def totals_by_play(game: RaceGame, most: int) -> set[tuple[int, int]]:
    """Play every roll and every keep out: (turn total, dice left) of all that a turn can come to."""
    found = {(0, game.dice)}
    fresh = list(found)
    while fresh:
        total, dice = fresh.pop()
        for roll in product(range(1, game.sides + 1), repeat=dice):
            for keep in keeps(game, tuple(sorted(roll, reverse=True))):
                place = (total + keep.points, keep.dice_left)
                if place[0] <= most and place not in found:
                    found.add(place)
                    fresh.append(place)
    return found


@pytest.mark.parametrize("game", HOUSE, ids=lambda game: game.name)
def test_turn_totals_are_those_that_play_comes_to(game: RaceGame) -> None:
    """Past the totals that are looked at they repeat, for ever."""
    totals = turn_totals(game)
    most = len(totals.made) + 3 * max(totals.period, 1)
    played = totals_by_play(game, most * game.unit)
    for units in range(most):
        dice = {left for total, left in played if total == units * game.unit}
        assert totals.can_be(units) == any(dice)
        assert totals.can_be(units, ended=True) == bool(dice)


@pytest.mark.parametrize(
    ("game", "turn", "dice", "near"),
    [
        (PIG, 1, 1, "0 or 2"),
        (GAPS, 4, 1, "0 or 7"),
        (GAPS, 8, 1, "7 or 11"),
        (GAPS, 59, 1, "58 or 60"),
        (TINY["cold-pair"], 3, 1, "2"),
        (TINY["cold-pair"], 10**8, 1, "2"),
        (TINY["cold-pair"], 5, 0, "4"),
    ],
)
def test_turn_totals_that_no_keeps_make_are_refused(game: RaceGame, turn: int, dice: int, near: str) -> None:
    with pytest.raises(ValueError, match=f"turn total {turn} cannot occur: no keeps of .* the nearest that can: {near}$"):
        check_turn(game, turn, dice)


@pytest.mark.parametrize(
    ("game", "turn", "dice"),
    [(PIG, 2, 1), (PIG, 10**8, 1), (PIGLET, 1, 1), (TEN, 300, 5), (TEN, 50, 5), (FARKLE, 10**8, 1), (GAPS, 60, 1)],
)
def test_turn_totals_that_can_occur_are_taken(game: RaceGame, turn: int, dice: int) -> None:
    check_turn(game, turn, dice)


def test_a_position_is_read_in_one_go() -> None:
    roll, position = RaceNotation(TEN).read_position("1 1 5 3 2", turn=300, score=4000, opponent=0)
    assert roll == (5, 3, 2, 1, 1)
    assert position == Position(4000, True, 0, False, 300, 5)
    with pytest.raises(ValueError, match="the roll 3 2 is a bust: nothing scores"):
        RaceNotation(TEN).read_position((2, 3), turn=300)


# Differences in words


def test_a_difference_is_said_once_for_rolls_that_differ_in_dice_that_do_not_matter() -> None:
    notation = RaceNotation(TEN)
    points, win = Move((1,), 100, 2, 400.0, 0.25, True), Move((1,), 100, 2, 390.0, 0.5, False)
    at = Position(4000, True, 6500, True, 300, 3)
    rows = [DifferenceRow(at, roll, points, win, 0.5, 0.25, False) for roll in ((3, 2, 1), (4, 2, 1))]
    assert notation.alike(rows[0]) == notation.alike(rows[1])
    assert [notation.sentence(rows[0])] == [
        "At 4000 against 6500, turn total 300, 3 2 1 rolled: for points keep 1 and bank (25.0% to win), "
        "to win keep 1 and roll on (50.0% to win)."
    ]
    assert rows[0].to_dict(notation) == {
        "score": 4000, "opened": True, "opponent": 6500, "opponent_opened": True, "turn": 300, "roll": "3 2 1",
        "score_keep": "1", "score_bank": True, "win_keep": "1", "win_bank": False, "probability": 0.5, "cost": 0.25,
        "weighted_cost": 0.125, "score_keep_win_probability": 0.25, "win_keep_win_probability": 0.5,
        "score_keep_expected_score": 400.0, "win_keep_expected_score": 390.0, "score_tied": False,
    }  # fmt: skip
