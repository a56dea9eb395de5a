"""The formats other than play in turn, everybody at his best, by chance."""

from __future__ import annotations

from typing import Any

import pytest

from .shared import LOW, MIXED, alternating, equilibrium, players


@pytest.mark.parametrize(
    ("solve", "values"),
    [
        (lambda: alternating("2d4", 0.25), None),
        (lambda: alternating(LOW, "replay"), None),
        (lambda: players("2d2+d5", 4), None),
        (lambda: equilibrium(MIXED), (0.5, 0.5)),
    ],
    ids=["alternating", "lower wins", "players", "hidden"],
)
def test_play_by_chance_agrees(solve: Any, values: Any) -> None:
    found = solve()
    played = found.simulate(games=4000, seed=3)
    if values is None:
        values = getattr(found, "seat_values", None)
    if values is None:
        values = (found.first_player_value, found.second_player_value)
    for exact, share, error in zip(values, played.seat_values, played.standard_errors, strict=True):
        assert 0 < error < 0.01
        assert abs(share - exact) < 4 * error
    assert sum(played.seat_values) == pytest.approx(1.0)
    assert found.simulate(games=50, seed=5) == found.simulate(games=50, seed=5)


def test_simulations_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="give 2 or more"):
        equilibrium(MIXED).simulate(games=1)
    with pytest.raises(ValueError, match="give 0 or more"):
        equilibrium(MIXED).simulate(games=10, seed=-1)
