"""Any two ways to play a race: what they cost is what the comparison of policies says, roll by roll."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from shared import solved

import gametheory as gt
from gametheory.race.named import RACES
from gametheory.race.rules import RaceGame

from .shared import TINY

CLOSE = 1e-12


def holds_or_chases(position: Any, roll: Any) -> tuple[Any, bool]:
    """Keep everything that scores alone, and bank when ahead, or from 4 points on."""
    return roll, position.turn >= 4 or position.score + position.turn > position.opponent


SHORT = RACES["pig"].with_goal(20)
NAMES: list[Any] = ["score", "win", "hold-at-4", holds_or_chases]


@pytest.mark.parametrize("against", ["win", "hold-at-4"])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_two_ways_cost_what_the_comparison_says(seat: str, against: str) -> None:
    race = solved(SHORT)
    value = gt.compare(race, NAMES).value
    column = next(place for place, name in enumerate(NAMES) if name == against)
    for (i, one), (j, other) in product(enumerate(NAMES), enumerate(NAMES)):
        if i == j or (other == "win" and against != "win"):  # there `win` is the best answer
            continue
        found = gt.diff(race, policy=one, to=other, seat=seat, against=against)
        values = value[:, column] if seat == "first" else 1.0 - value[column]
        assert found.win_probability_lost == pytest.approx(values[j] - values[i], abs=CLOSE)
        rows = list(found.rows())
        assert sum(row.probability * row.cost for row in rows) == pytest.approx(found.win_probability_lost, abs=CLOSE)
        assert sum(row.probability for row in rows) == pytest.approx(found.disagreements_per_game, abs=CLOSE)
        weighted = sorted((row.probability * row.cost for row in rows if row.cost > 0), reverse=True)
        assert [row.probability * row.cost for row in found.top(7)] == pytest.approx(weighted[:7], abs=CLOSE)
        assert found.names == (("score", "win") if (one, other) == ("score", "win") else ("policy", "to"))


def test_following_says_what_the_kernel_does() -> None:
    from gametheory.race import following, parting

    race = solved(SHORT)
    score, win = race.policy("score"), race.policy("win")
    fast, slow = parting.diff(score, win, values=race.values), following.diff(score, win, win)
    assert slow.summary == pytest.approx((*fast.summary[:4], None), abs=CLOSE)
    for one, other in zip(fast.by_difference(), slow.by_difference(), strict=True):
        assert other == pytest.approx(one, abs=CLOSE)
    rows = [{(row.position, row.roll): row for row in found.rows()} for found in (fast, slow)]
    assert rows[0].keys() == rows[1].keys()
    for place, row in rows[0].items():
        assert rows[1][place].cost == pytest.approx(row.cost, abs=CLOSE)
        assert rows[1][place].probability == pytest.approx(row.probability, abs=CLOSE)
        assert (rows[1][place].move.keep, rows[1][place].move.bank) == (row.move.keep, row.move.bank)
        assert (rows[1][place].to_move.keep, rows[1][place].to_move.bank) == (row.to_move.keep, row.to_move.bank)


@pytest.mark.parametrize("name", sorted(TINY))
def test_many_dice_are_followed_too(name: str) -> None:
    race = solved(TINY[name])
    value = gt.compare(race, ["score", "win", "hold-at-3"]).value
    for policy, row in (("win", 1), ("hold-at-3", 2)):
        found, gained = gt.diff(race, policy=policy, to="score"), value[0, 1] - value[row, 1]
        assert found.win_probability_lost == pytest.approx(gained, abs=CLOSE)
        assert sum(row.probability * row.cost for row in found.rows()) == pytest.approx(gained, abs=CLOSE)


def test_what_cannot_be_followed_is_refused() -> None:
    race = solved(SHORT)
    with pytest.raises(ValueError, match="random has no one move for a roll"):
        gt.diff(race, policy="random", to="score")
    large: RaceGame = RACES["ten-thousand"]
    with pytest.raises(ValueError, match="compare with win, or say --force"):
        solved(large).diff(policy="win", to="score")
