"""The exact figures of the packaged cards, and the search that finds them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from shared import solved

from gametheory import games
from gametheory.cards import search
from gametheory.cards.file import from_toml
from gametheory.cards.pace import GOALS
from gametheory.cards.rule import Card
from gametheory.cards.value import expected_gain

from .shared import PAPER_LOSS

# The cards that come with the package.

FIGURES = {
    ("small", "score"): (8, 93.781303966563, 0.463143883371),
    ("medium", "score"): (19, 93.871435140608, 0.467398531703),
    ("large", "score"): (55, 93.907036314117, 0.469556679659),
}


@pytest.mark.parametrize(("size", "goal"), FIGURES)
def test_packaged_biscuits_cards_have_these_exact_figures(size: str, goal: str) -> None:
    duel = solved("biscuits")
    card = search.packaged(duel.game, size, goal)
    assert card is not None
    count, score, first = FIGURES[size, goal]
    assert card.size == count <= search.SIZES[size]
    assert card.expected_score(duel) == pytest.approx(score, abs=1e-9)
    assert card.first_player_value(duel) == pytest.approx(first, abs=1e-9)
    made = duel.distribution(card)  # the same by way of the score distribution
    assert made.mean == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(("size", "value"), [("small", 0.519052782161), ("medium", 0.521530175002)])
def test_packaged_second_seat_cards_have_these_exact_chances(size: str, value: float) -> None:
    duel = solved("biscuits")
    card = search.packaged(duel.game, size, "second")
    assert isinstance(card, Card)
    assert card.second_player_value(duel) == pytest.approx(value, abs=1e-9)
    # The same against one target, by way of the score distribution.
    target = 94
    made = card.visits(duel, target)[0]
    gain = target - duel.game.worst(duel.game.counts)
    wins, ties = card.replies(duel)
    assert wins[gain] == pytest.approx(made[gain + 1 :].sum(), abs=1e-12)
    assert ties[gain] == pytest.approx(made[gain], abs=1e-12)
    assert 0.4 < wins[gain] + 0.5 * ties[gain] < duel.second(target)


@pytest.mark.parametrize(("size", "part"), [("small", 1 / 3), ("medium", 1 / 10), ("large", 1 / 80)])
def test_packaged_cards_lose_a_small_part_of_what_the_published_table_loses(size: str, part: float) -> None:
    duel = solved("biscuits")
    card = search.packaged(duel.game, size)
    assert card is not None
    assert 0.0 < card.loss(duel) < part * PAPER_LOSS


def test_badg_cards_are_the_biscuits_cards_in_points_lost() -> None:
    biscuits, badg = solved("biscuits"), solved("badg")
    for size in ("small", "medium"):
        for goal in GOALS:
            one, other = search.packaged(biscuits.game, size, goal), search.packaged(badg.game, size, goal)
            assert one is not None
            assert other is not None
            assert one.expected_score(biscuits) + other.expected_score(badg) == pytest.approx(102.0, abs=1e-9)
            assert one.first_player_value(biscuits) == pytest.approx(other.first_player_value(badg), abs=1e-9)
            assert one.second_player_value(biscuits) == pytest.approx(other.second_player_value(badg), abs=1e-9)


@pytest.mark.parametrize("name", ["biscuits", "threes"])
def test_a_card_for_a_seat_does_better_there_than_the_card_for_points(name: str) -> None:
    duel = solved(name)
    for size in ("small", "medium"):
        by_goal = {goal: search.packaged(duel.game, size, goal) for goal in GOALS}
        points, first, second = (by_goal[goal] for goal in GOALS)
        assert points is not None
        assert first is not None
        assert second is not None
        assert points.expected_score(duel) * duel.game.sign >= first.expected_score(duel) * duel.game.sign - 1e-9
        assert duel.first_player_value >= first.first_player_value(duel) >= points.first_player_value(duel) - 1e-9
        assert duel.second_player_value > second.second_player_value(duel) > points.second_player_value(duel) + 0.002
        assert max(card.size for card in (points, first, second)) <= search.SIZES[size]


def test_every_packaged_card_reads_back_what_it_writes() -> None:
    found = 0
    for name in ("biscuits", "badg", "threes"):
        for size in search.SIZES:
            for goal in GOALS:
                card = search.packaged(games.game(name), size, goal)
                assert card is not None, (name, size, goal)
                assert from_toml(card.to_toml()) == card
                assert card.goal == goal
                assert card.rules
                found += 1
    assert found == 27


# The search.


def test_the_search_is_deterministic_and_ends_where_no_number_can_be_bettered() -> None:
    duel = solved("4d4+d6")
    found = search.find(duel, 6)
    search._FOUND.clear()
    reported: list[float] = []
    assert search.find(duel, 6, progress=reported.append) == found
    assert reported[-1] == 1.0
    assert reported == sorted(reported)
    assert found.size <= 6
    grown = search._score_cards(duel.game, 6)[-1]
    best = expected_gain(grown)
    for slot in search._slots(grown):
        for value in search._values(grown, slot):
            assert expected_gain(search._put(grown, slot, value)) <= best + 1e-9
    theory = search._theory(duel.game)
    assert found.loss(duel) < theory.loss(duel)


def test_the_packaged_cards_are_what_the_search_finds() -> None:
    for name, goal in (("biscuits", "score"), ("threes", "score"), ("threes", "second")):
        duel = solved(name)
        assert search.find(duel, "small", goal) == search.packaged(duel.game, "small", goal)


def test_win_cards_are_found_for_any_pool() -> None:
    duel = solved("3d4+d6")
    points, second = search.find(duel, 8), search.find(duel, 8, "second")
    assert second.goal == "second"
    assert second.second_player_value(duel) > points.second_player_value(duel)
    assert second.size <= 8


def test_the_frontier_falls_from_the_one_line_rule_to_the_full_solution() -> None:
    duel = solved("4d4+d6")
    points = search.frontier(duel)
    assert points[0].size == 0
    assert all(after.size != before.size for before, after in pairwise(points))
    losses = [point.loss for point in points]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 0.1
    assert losses[-1] == pytest.approx(0.0, abs=1e-8)


def test_requests_that_make_no_sense_are_refused() -> None:
    duel = solved("threes")
    with pytest.raises(ValueError, match="there is no card size 'tiny'"):
        search.find(duel, "tiny")
    with pytest.raises(ValueError, match="there is no card for 'third'"):
        search.card(duel, "small", "third")
    with pytest.raises(ValueError, match="a worse face cannot be kept with more dice"):
        Card(games.game("4d6"), ((2, 3),))
    assert search.packaged(games.game("4d6"), "small") is None
    assert search.card(duel, "small") == search.packaged(duel.game, "small")
