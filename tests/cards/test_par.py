"""Par cards: the kernel against brute force, and the full table against the best play."""

from __future__ import annotations

import pytest
from shared import solved

from gametheory import games
from gametheory.cards import search

from .shared import LOW, check_distribution


def test_a_par_card_has_the_distribution_of_brute_force() -> None:
    for game in (games.game("3d4+d6"), LOW):
        duel = solved(game)
        card = search.par_card(duel, [0, 1, game.counts[0]], step=0.5)
        check_distribution(game, card, duel)
        mean = duel.distribution(card).mean
        assert card.expected_score(duel) == pytest.approx(mean, abs=1e-12)
        assert card.loss(duel) > 1e-6  # rounded to half points it cannot be the best


def test_the_full_par_card_is_the_best_play() -> None:
    duel = solved("threes")
    assert search.par_card(duel, range(6), step=1e-10).loss(duel) == pytest.approx(0.0, abs=1e-9)
