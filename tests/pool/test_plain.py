"""Positions recomputed through the plain rules: large ones by arrays, as small ones roll by roll and keep by keep."""

from __future__ import annotations

from math import isnan

import pytest
from shared import solved

from gametheory.match.duel import Duel
from gametheory.pool import plain
from gametheory.pool.plain import Look
from gametheory.pool.rules import State


def looks(two: Duel, target: int) -> list[Look]:
    """Return the three things that a position is worth: points, and the chance to win from either seat."""

    def state(place: int, gain: int) -> State:
        found: State = two.space.state(place, gain)
        return found

    return [
        lambda place, gain: two.game.sign * two.expected(state(place, gain)),
        lambda place, gain: two.first(state(place, gain)),
        lambda place, gain: two.second(target, state(place, gain)),
    ]


def test_checking_by_arrays_is_checking_by_plain_rules() -> None:
    two = solved("2d4+d6")
    for left in ((2, 1), (1, 1), (0, 1), (2, 0)):
        place, gain = two.space.at(State(left, two.game.scores(two.game.banked_dice(left))[-1]))
        found = plain.recompute(two.game, place, gain, looks(two, 9))
        assert plain._by_arrays(two.game, place, gain, looks(two, 9)) == pytest.approx(found, abs=1e-13)


def test_large_positions_are_recomputed_as_small_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    two = solved("3d4+d6")
    start, chance = two.space.start, looks(two, 9)[1]
    (every_keep,) = plain.recompute(two.game, start, 0, [chance])
    assert every_keep == pytest.approx(two.first_player_value, abs=1e-14)
    monkeypatch.setattr(plain, "PLAIN_WORK", 0)
    for at_once in (1, 50, 10**6):
        monkeypatch.setattr(plain, "AT_ONCE", at_once)
        assert plain.recompute(two.game, start, 0, [chance]) == pytest.approx([every_keep], abs=1e-14)
    # Best faces first would not do where more gain is worth less: what is found then is no number.
    assert isnan(plain.recompute(two.game, start, 0, [lambda place, gain: -float(gain)])[0])
