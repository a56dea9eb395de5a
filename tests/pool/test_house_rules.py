"""Pools in which more dice are kept a roll, or rolls are counted: against the exact oracle, in every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pools import HOUSES, TIES, as_pool, as_state, by_points, plain_cutoff
from shared import solved

import gametheory as gt
from gametheory.dice import Die
from gametheory.match import duel
from gametheory.match.alternating import solve_alternating
from gametheory.pool.rules import PoolGame
from gametheory.store import tables

CLOSE = 1e-12
HALF = Fraction(1, 2)
NAMES = ["score", "win", "greedy", "random", "cutoff"]
DISTINCT = [game for game in HOUSES if all(len(set(die.points)) == die.sides for die in game.kinds)]


def by_name(game: PoolGame) -> str:
    return game.name


@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_expected_scores_equal_the_oracle_everywhere(game: PoolGame) -> None:
    two, exact = solved(game), oracle.expected(as_pool(game), game.higher_wins)
    places = {two.space.at(as_state(game, state))[0] for state in exact}
    assert places == {0, *two.space.order}, "the solver works out the places that play comes to, and no others"
    for state, value in exact.items():
        assert two.expected(as_state(game, state)) == pytest.approx(float(value), abs=CLOSE)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_both_seats_equal_the_oracle_everywhere(game: PoolGame, tie: str) -> None:
    two, pool = solved(game, tie), as_pool(game)
    for state, value in oracle.first(pool, game.higher_wins, TIES[tie]).items():
        assert two.first(as_state(game, state)) == pytest.approx(float(value), abs=CLOSE)
    for (target, left, banked), value in oracle.second_states(pool, game.higher_wins, TIES[tie]).items():
        assert two.second(target, as_state(game, (left, banked))) == pytest.approx(float(value), abs=CLOSE)


@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_a_replayed_tie_is_worth_the_game(game: PoolGame) -> None:
    two = solved(game, "replay")
    assert two.tie_worth == pytest.approx(float(oracle.replay(as_pool(game), game.higher_wins)), abs=CLOSE)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_small_pool_equals_the_oracle(data: Any) -> None:
    dice = data.draw(st.lists(st.lists(st.integers(-3, 6), min_size=2, max_size=4), min_size=1, max_size=3))
    dice.sort(key=len)
    counts = tuple(data.draw(st.integers(1, 4 if len(dice) == 1 else 2)) for _ in dice)
    least = data.draw(st.integers(1, sum(counts)))
    rolls = data.draw(st.one_of(st.none(), st.integers(1, -(-sum(counts) // least))))
    higher = data.draw(st.booleans())
    kinds = tuple(Die(f"{'abc'[k]}{len(points)}", tuple(points)) for k, points in enumerate(dice))
    game = PoolGame("drawn", counts, kinds, higher, keep_at_least=least, roll_limit=rolls)
    two, exact = duel.solve(game, 0.25), as_pool(game)
    start = (oracle.full(exact), 0)
    assert two.expected_score == pytest.approx(float(oracle.expected(exact, higher)[start]), abs=CLOSE)
    assert two.first_player_value == pytest.approx(float(oracle.first(exact, higher, Fraction(1, 4))[start]), abs=CLOSE)


def exact_policy(name: str, game: PoolGame) -> oracle.Policy:
    pool, higher = as_pool(game), game.higher_wins
    made: dict[str, Callable[[], oracle.Policy]] = {
        "score": lambda: oracle.score_policy(pool, higher),
        "win": lambda: oracle.win_policy(pool, higher, HALF),
        "greedy": lambda: oracle.greedy_policy(pool, higher),
        "random": lambda: oracle.random_policy(pool),
        "cutoff": lambda: plain_cutoff(game),
    }
    return made[name]()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", DISTINCT, ids=by_name)
def test_policies_equal_the_oracle_for_every_target(game: PoolGame, name: str) -> None:
    two, exact = solved(game), exact_policy(name, game)
    for target in [None, *game.scores()]:
        made = two.distribution(name, target)
        known = oracle.distribution(as_pool(game), exact, target)
        for score, chance in zip(made.scores, made.probabilities, strict=True):
            assert chance == pytest.approx(float(known.get(score, 0)), abs=CLOSE)


@pytest.mark.parametrize("name", ["score", "win", "greedy", "cutoff"])
@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_a_policy_and_the_same_as_a_function_have_the_same_distribution(game: PoolGame, name: str) -> None:
    two = solved(game)
    chosen = two.policy(name)

    def plain(position: Any, roll: Any) -> Any:
        return chosen(position, roll)

    for target in (None, game.scores()[2]):
        assert two.made(plain, target) == pytest.approx(two.made(chosen, target), abs=CLOSE)


@pytest.mark.parametrize("tie", ["split", "first"])
@pytest.mark.parametrize("game", DISTINCT, ids=by_name)
def test_differences_equal_the_oracle(game: PoolGame, tie: str) -> None:
    pool = as_pool(game)
    for target in (None, game.scores()[-3]):
        found = solved(game, tie).diff(target=target)
        exact = oracle.diff(pool, game.higher_wins, TIES[tie], target)
        assert found.summary == pytest.approx([float(figure) for figure in exact], abs=CLOSE)
        every = oracle.diff_rows(pool, game.higher_wins, TIES[tie], target)
        wrong = [row for row in every if row.value < row.to_value]
        rows = list(found.rows())
        assert {(as_state(game, (row.counts, row.banked)), row.roll) for row in wrong} == {
            (row.position, by_points(game, row.roll)) for row in rows
        }
        assert sum(row.probability * row.cost for row in rows) == pytest.approx(float(exact.lost), abs=CLOSE)


@pytest.mark.parametrize("tie", ["split", "0.25"])
@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_every_alternating_position_is_exact(game: PoolGame, tie: str) -> None:
    found = solved(game, tie, "alternating")
    exact = oracle.alternating(as_pool(game), game.higher_wins, TIES[tie])
    for (seat, mine, theirs, lead), value in exact.items():
        assert found.win_probability(mine, theirs, lead, seat) == pytest.approx(float(value), abs=CLOSE)
    assert found.verify().worst_residual < CLOSE


@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_alternating_positions_are_refused_just_where_no_play_leads(game: PoolGame) -> None:
    found = solved(game, "split", "alternating")
    reached = oracle.alternating(as_pool(game), game.higher_wins, HALF)
    leads = {lead for *_, lead in reached}
    lefts = {state[place] for state in reached for place in (1, 2)} | {oracle.full(as_pool(game))}
    checked = 0
    for mine in lefts:
        for theirs in lefts:
            for lead in [*leads, max(leads) + 1]:
                for seat in ("first", "second"):
                    if (seat, mine, theirs, lead) not in reached:
                        checked += 1
                        with pytest.raises(ValueError, match=r"^[^\n]+$"):
                            found.win_probability(mine, theirs, lead, seat)
    assert checked


@pytest.mark.parametrize("game", HOUSES[:9], ids=by_name)
def test_several_players_are_exact(game: PoolGame) -> None:
    exact = oracle.n_players(as_pool(game), game.higher_wins, 3)
    assert solved(game, players=3).seat_values == pytest.approx([float(value) for value in exact], abs=CLOSE)


@pytest.mark.parametrize("game", HOUSES[:8], ids=by_name)
def test_the_best_answer_to_an_unseen_score_is_exact(game: PoolGame) -> None:
    found = solved(game, "split", "simultaneous", tolerance=1e-9)
    mixture = {
        int(score): Fraction(chance)
        for score, chance in zip(found.space.outcomes, found.distribution_by_outcome, strict=True)
        if chance
    }
    reply = oracle.hidden_reply(as_pool(game), game.higher_wins, HALF, mixture)
    assert float(reply) - 0.5 == pytest.approx(found.exploitability, abs=1e-10)
    assert found.exploitability <= 1e-9


@pytest.mark.parametrize("pair", [("win", "score"), ("greedy", "random"), ("cutoff", "win")])
@pytest.mark.parametrize("game", [HOUSES[0], HOUSES[5], HOUSES[8]], ids=by_name)
def test_games_that_are_dealt_come_out_as_computed(game: PoolGame, pair: tuple[str, str]) -> None:
    two = solved(game)
    played, exact = two.simulate(*pair, games=200_000, seed=3), two.compare(pair)
    assert abs(played.first_win - exact.first_win[0, 1]) < 4 * played.standard_error
    assert abs(played.tie - exact.tie[0, 1]) < 4 * played.tie_standard_error
    for mean, error, name in (
        (played.first_mean, played.first_mean_standard_error, pair[0]),
        (played.second_mean, played.second_mean_standard_error, pair[1]),
    ):
        if name != "win":
            assert abs(mean - two.distribution(name).mean) < 4 * error


@pytest.mark.parametrize("game", HOUSES, ids=by_name)
def test_tables_are_kept_checked_and_read_back(game: PoolGame, tmp_path: Any) -> None:
    two = solved(game, "first")
    path = gt.save(two, tmp_path / "house.h5")
    again: Any = gt.load(path)
    assert tables.digest(again) == tables.digest(two)
    assert again.game == replace(game, about="")
    assert again.verify().worst_residual < CLOSE
    assert ("rolls_left" in again.axes) == (game.roll_limit is not None)


def test_a_large_position_is_recomputed_as_it_was_solved() -> None:
    """Positions beyond the plain rules go by arrays."""
    for game in (replace(gt.game("9d6+d8"), keep_at_least=3), replace(gt.game("9d6+d8"), roll_limit=3)):
        assert gt.solve(game).verify(1).worst_residual < 1e-11


@pytest.mark.parametrize("tie", ["split", 0.25])
def test_bits_are_the_same_on_any_number_of_threads(tie: str | float) -> None:
    game = replace(gt.game("5d6+d8"), keep_at_least=2, roll_limit=3)
    one, two = (duel.solve(game, tie, threads=threads) for threads in (1, 2))
    assert tables.digest(one) == tables.digest(two)
    small = replace(gt.game("3d4+d6"), roll_limit=2)
    ones, twos = (solve_alternating(small, tie, threads=threads) for threads in (1, 2))
    assert np.array_equal(ones.table, twos.table, equal_nan=True)


# What follows from the rules.


def test_a_limit_that_never_binds_changes_no_value() -> None:
    free, counted = solved("3d4+d6"), solved(replace(gt.game("3d4+d6"), roll_limit=4))
    assert counted.first_player_value == pytest.approx(free.first_player_value, abs=CLOSE)
    assert counted.expected_score == pytest.approx(free.expected_score, abs=CLOSE)


def test_one_roll_and_keeping_all_are_the_same_game() -> None:
    one, every = (solved(replace(gt.game("3d4+d6"), **rules)) for rules in ({"roll_limit": 1}, {"keep_at_least": 4}))
    assert one.expected_score == pytest.approx(3 * 2.5 + 3.5, abs=CLOSE)
    assert every.expected_score == pytest.approx(one.expected_score, abs=CLOSE)
    assert one.first_player_value == pytest.approx(every.first_player_value, abs=CLOSE)


def test_rules_without_the_new_keys_are_what_they_were() -> None:
    assert set(gt.game("biscuits").rules()) == {"family", "name", "dice", "wins"}
    house = replace(gt.game("biscuits"), keep_at_least=2, roll_limit=3)
    assert {key: house.rules()[key] for key in ("keep_at_least", "rolls")} == {"keep_at_least": 2, "rolls": 3}


# Moves.


def test_moves_keep_enough_dice_and_say_the_rolls_to_come() -> None:
    game = replace(gt.game("4d6"), name="house", keep_at_least=2, roll_limit=2)
    found = gt.moves(gt.solve(game), "d6:6,5,2,1")
    assert found.question == "house: d6:6,5,2,1 with 0 banked, 1 roll to come, first to play, ties split"
    assert {sum(map(len, move.keep)) for move in found} == {2, 3, 4}
    assert found.to_dict()["rolls_left"] == 1
    last = gt.moves(gt.solve(game), "d6:5,2", banked=12, rolls_left=0)
    assert [move.keep for move in last] == [((5, 2),)]
    assert last[0].expected_score == 19


def test_an_alternating_match_knows_how_many_rolls_the_other_has() -> None:
    game = replace(gt.game("3d4"), name="house", roll_limit=2)
    found = solved(game, "split", "alternating")
    second = found.moves("d4:4,3,1", their_dice="2d4", lead=-4, seat="second")
    win = {move.keep: move.win_probability for move in second}
    assert win[((4,),)] == pytest.approx(1 - found.win_probability((2, 1), (2, 1), 0, "first"), abs=CLOSE)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"keep_at_least": 0}, "keep_at_least is 0: give a whole number from 1 on"),
        ({"keep_at_least": 5}, "keep_at_least is 5: the game has 4 dice"),
        ({"keep_at_least": True}, "keep_at_least is True"),
        ({"keep_at_least": 1.5}, "keep_at_least is 1.5"),
        ({"roll_limit": 0}, "rolls is 0"),
        ({"roll_limit": 5}, "4 dice take at most 4 rolls"),
        ({"roll_limit": 3, "keep_at_least": 2}, "4 dice take at most 2 rolls if 2 or more are kept"),
        ({"roll_limit": "3"}, "rolls is '3'"),
    ],
)
def test_limits_that_are_none_are_refused(rules: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(gt.game("4d6"), **rules)


@pytest.mark.parametrize(
    ("roll", "position", "why"),
    [
        ("d6:6,5", {"banked": 9}, "say how many may follow this one"),
        ("d6:6,5", {"banked": 9, "rolls_left": 3}, "give 0 to 1"),
        ("d6:6,5", {"banked": 9, "rolls_left": 2}, "does not come to 2d6 left"),
        ("d6:6,5", {"banked": 9, "rolls_left": -1}, "give 0 to 1"),
        ("d6:6,5,4,3", {"rolls_left": 1}, "2 may follow the first"),
        ("d6:6,5,4", {"banked": 6, "rolls_left": 0}, "does not come to 3d6 left"),
        ("d6:6,5", {"banked": 13, "rolls_left": 1}, "13 points cannot be banked"),
        ("d6:6,5,4,3,2", {}, "5 d6 in the roll"),
    ],
)
def test_positions_that_cannot_be_are_refused(roll: str, position: Any, why: str) -> None:
    game = replace(gt.game("4d6"), name="house", roll_limit=3)
    with pytest.raises(ValueError, match=why):
        gt.moves(solved(game), roll, **position)


def test_rolls_left_is_refused_where_nobody_counts() -> None:
    with pytest.raises(ValueError, match="rolls-left"):
        gt.moves(solved("4d6"), "d6:6,5", banked=9, rolls_left=1)


def test_a_function_that_keeps_too_little_is_refused_by_name() -> None:
    def mean(position: Any, roll: Any) -> Any:
        return ((roll[0][0],),)

    with pytest.raises(ValueError, match="mean kept d6:6 of d6:6x3: 2 dice or more must be kept here"):
        solved(replace(gt.game("3d6"), keep_at_least=2)).distribution(mean)


@pytest.mark.parametrize("rules", [{"keep_at_least": 2}, {"roll_limit": 2}])
def test_what_cannot_be_is_refused_in_one_line(rules: Any) -> None:
    game = replace(gt.game("3d6"), name="house", **rules)
    for ask in (lambda: gt.card(game), lambda: gt.table(game, "cutoff"), lambda: gt.table(game, "walk")):
        with pytest.raises(ValueError, match=r"^[^\n]*house[^\n]*$"):
            ask()


def test_the_table_of_one_die_goes_as_far_as_there_are_rolls() -> None:
    assert len(gt.table(replace(gt.game("5d6"), keep_at_least=2), "one-die")) == 3
    assert len(gt.table(replace(gt.game("5d6"), roll_limit=2), "one-die")) == 2
