"""The kernel that folds all rolls of a state."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory import games
from gametheory.pool import kernel, states

FULL = [pytest.param("3d4+3d6+2d8", 8, marks=pytest.mark.slow), pytest.param("biscuits", 15, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("dice", "most"), [("5d6+d8+d10+d12", 8), ("2d4+2d6+2d8", 6), ("biscuits", 10), *FULL])
def test_weights_of_all_rolls_add_up_to_one(dice: str, most: int) -> None:
    """In every state of at most so many dice."""
    game = games.game(dice)
    ones = np.ones(game.gain(game.counts) + 1)
    rows = np.ones((len(game.pools), len(ones)))
    left = {place: state for place, state in states.states(game).items() if sum(game.pools[place]) <= most}
    assert max(sum(game.pools[place]) for place in left) == most
    for state in left.values():
        # A tolerance below 0: no two stacks are one, so that every roll is folded by itself.
        width = len(ones) - state.gain
        row, _ = kernel.fold_pool(rows, state, states.ways(game), 0, width, -1.0, -np.inf, np.inf)
        assert np.abs(row - 1).max() < 1e-13
