"""The kernel that folds all rolls of a state."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory import games
from gametheory.pool import kernel, states


@pytest.mark.parametrize("dice", ["5d6+d8+d10+d12", "3d4+3d6+2d8", pytest.param("biscuits", marks=pytest.mark.slow)])
def test_weights_of_all_rolls_add_up_to_one(dice: str) -> None:
    game = games.game(dice)
    ones = np.ones(game.gain(game.counts) + 1)
    rows = np.ones((len(game.pools), len(ones)))
    for state in states.states(game).values():
        # A tolerance below 0: no two stacks are one, so that every roll is folded by itself.
        row, _ = kernel.fold_pool(
            rows, state.subs, state.several, state.counts, state.faces, state.gains, state.chances, state.tails,
            states.ways(game), state.wider, 0, len(ones) - state.gain, -1.0, -np.inf, np.inf,
        )  # fmt: skip
        assert np.abs(row - 1).max() < 1e-13
