"""Policies evaluated exactly, their differences and simulations: against brute force by Fractions, and one another."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from pools import SMALL, as_pool, by_points

from gametheory.ask import diff, simulate, verify
from gametheory.ask import moves as ranking
from gametheory.ask import policies as policy
from gametheory.ask.policies import Position
from gametheory.games import PoolGame, State, pool_game
from gametheory.match import duel, evaluate
from gametheory.match.duel import Duel

HALF = Fraction(1, 2)
CLOSE = 1e-12
NAMES = ["score", "win", "greedy", "random"]


@pytest.fixture(scope="module")
def biscuits() -> Duel:
    return duel.solve(pool_game("biscuits"))


def exact_policy(name: str, game: PoolGame) -> oracle.Policy:
    pool, higher = as_pool(game), game.higher_wins
    made: dict[str, Callable[[], oracle.Policy]] = {
        "score": lambda: oracle.score_policy(pool, higher),
        "win": lambda: oracle.win_policy(pool, higher, HALF),
        "greedy": lambda: oracle.greedy_policy(pool, higher),
        "random": oracle.random_policy,
    }
    return made[name]()


def take_best(position: Position, roll: Any) -> Any:
    """Keep the single highest face: a policy as a user would write it."""
    kind = max(range(len(roll)), key=lambda k: (roll[k][:1], -k))
    return tuple(faces[:1] if k == kind else () for k, faces in enumerate(roll))


# Against the oracle. Dice with several faces of equal points are told apart by face here and by points there, so that
# `random`, which counts distinct keeps, is compared where faces have distinct points.

DISTINCT = [game for game in SMALL if all(len(set(die.points)) == die.sides for die in game.kinds)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_distributions_equal_the_oracle_for_every_target(game: PoolGame, name: str) -> None:
    solved = duel.solve(game)
    chosen, exact = policy.named(name, solved), exact_policy(name, game)
    for target in [None, *game.scores()]:
        made = evaluate.distribution(solved, chosen, target)
        known = oracle.distribution(as_pool(game), exact, target)
        for score, chance in zip(made.scores, made.probabilities, strict=True):
            assert chance == pytest.approx(float(known.get(score, 0)), abs=CLOSE)


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_results_between_policies_equal_the_oracle(game: PoolGame) -> None:
    solved = duel.solve(game)
    found = evaluate.compare(solved, [policy.named(name, solved) for name in NAMES])
    assert found.policies == tuple(NAMES)
    for row, first in enumerate(NAMES):
        for column, second in enumerate(NAMES):
            exact = oracle.outcome(as_pool(game), game.higher_wins, exact_policy(first, game), exact_policy(second, game))
            here = (found.first_win[row, column], found.tie[row, column], found.second_win[row, column])
            assert here == pytest.approx([float(chance) for chance in exact], abs=CLOSE)


@pytest.mark.parametrize("name", ["score", "win", "greedy"])
@pytest.mark.parametrize("game", DISTINCT[:4], ids=lambda game: game.name)
def test_a_built_in_and_the_same_as_a_function_have_the_same_distribution(game: PoolGame, name: str) -> None:
    solved = duel.solve(game)
    chosen = policy.named(name, solved)
    for target in (None, game.scores()[2]):
        exact = evaluate.score_distribution(solved, chosen, target)

        def plain(position: Position, roll: Any) -> Any:
            return chosen(position, roll)

        asked = evaluate.score_distribution(solved, plain, target)
        assert asked == pytest.approx(exact, abs=CLOSE)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_playing_to_win_gives_back_the_solved_values(game: PoolGame) -> None:
    for tie in ("split", "first", "second", "replay"):
        solved = duel.solve(game, tie)
        win = policy.Win(solved)
        made = evaluate.score_distribution(solved, win)
        wins, ties = evaluate.replies(solved, win)
        value = wins + solved.tie_worth * ties
        for score in game.scores():
            assert value[abs(score - game.worst(game.counts))] == pytest.approx(solved.second(score), abs=CLOSE)
        assert made @ (1 - value) == pytest.approx(solved.first_player_value, abs=CLOSE)


def test_playing_to_win_gives_back_the_values_of_biscuits(biscuits: Duel) -> None:
    win = policy.Win(biscuits)
    wins, ties = evaluate.replies(biscuits, win)
    value = wins + 0.5 * ties
    assert evaluate.score_distribution(biscuits, win) @ (1 - value) == pytest.approx(biscuits.first_player_value, abs=CLOSE)
    by_gain = biscuits.gain_second[-1, :88][::-1]
    # Moves within 1e-10 of the best are equal for the policy. That shows only where the game is as good as won.
    assert np.abs(value - by_gain).max() < 15 * ranking.TIED
    assert np.abs(value - by_gain)[by_gain < 1 - 1e-5].max() < CLOSE


def test_playing_for_points_gives_back_the_expected_score(biscuits: Duel) -> None:
    assert evaluate.distribution(biscuits, policy.Score(biscuits)).mean == pytest.approx(biscuits.expected_score, abs=1e-9)


def test_random_play_makes_the_mean_of_the_dice(biscuits: Duel) -> None:
    # Which dice are kept does not hang on what they show.
    made = evaluate.distribution(biscuits, policy.named("random", biscuits))
    assert made.mean == pytest.approx(12 * 3.5 + 4.5 + 5.5 + 6.5, abs=1e-9)


def test_no_policy_beats_the_best_answer(biscuits: Duel) -> None:
    chosen = [policy.named(name, biscuits) for name in NAMES]
    values = evaluate.compare(biscuits, chosen).first_value(0.5)
    for column, opponent in enumerate(chosen):
        _, best = evaluate.best_answer(biscuits, opponent)
        assert (values[:, column] <= best + 1e-12).all()
        if opponent.name == "win":  # type: ignore[attr-defined]
            assert best == pytest.approx(biscuits.first_player_value, abs=1e-12)
        else:
            assert best > values[1, column] + 1e-6


def test_the_best_of_several_players_is_an_order_statistic() -> None:
    made = np.array([0.5, 0.25, 0.25])
    assert evaluate.expected_best(made, 1) == pytest.approx(0.75)
    # Two players: P(max = 0) = 1/4, P(max = 1) = 9/16 - 1/4, P(max = 2) = 7/16.
    assert evaluate.expected_best(made, 2) == pytest.approx(5 / 16 + 2 * 7 / 16)


# A user's own policy.


def test_a_function_is_evaluated_exactly_and_simulated_alike() -> None:
    solved = duel.solve(pool_game("d4+2d6"))
    exact = evaluate.compare(solved, [take_best, policy.Win(solved)])
    played = simulate.play(solved, take_best, policy.Win(solved), 20_000, seed=5)
    assert abs(played.first_win - exact.first_win[0, 1]) < 4 * played.standard_error
    assert abs(played.tie - exact.tie[0, 1]) < 4 * played.tie_standard_error


def test_a_function_may_say_that_it_looks_at_the_dice_alone() -> None:
    calls = 0

    def blind(position: Position, roll: Any) -> Any:
        nonlocal calls
        calls += 1
        return take_best(position, roll)

    solved = duel.solve(pool_game("d4+2d6"))
    looking = evaluate.score_distribution(solved, blind)
    many, calls = calls, 0
    blind.uses_banked = blind.uses_target = False  # type: ignore[attr-defined]
    assert evaluate.score_distribution(solved, blind) == pytest.approx(looking, abs=CLOSE)
    assert calls < many


@pytest.mark.parametrize("keep", [None, (), ((), ()), ((7,), ()), ((4, 4), ()), ([1], []), ((1,),)])
def test_an_illegal_keep_is_named_with_its_roll(keep: Any) -> None:
    solved = duel.solve(pool_game("d4+d6"))
    with pytest.raises(ValueError, match=r"kept .* of the roll .*d4:"):
        evaluate.score_distribution(solved, lambda position, roll: keep)
    with pytest.raises(ValueError, match=r"kept .* of the roll .*d4:"):
        simulate.play(solved, lambda position, roll: keep, policy.Score(solved), 10)


def test_too_many_questions_are_counted_before_they_are_asked(biscuits: Duel) -> None:
    with pytest.raises(ValueError, match=r"would be asked about .* rolls .*--force"):
        evaluate.score_distribution(biscuits, take_best)


# Differences.


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_differences_equal_the_oracle_for_both_seats(game: PoolGame) -> None:
    solved = duel.solve(game)
    by_target = dict(diff.by_target(solved))
    for target in [None, *game.scores()]:
        exact = oracle.diff(as_pool(game), game.higher_wins, HALF, target)
        figures = [float(figure) for figure in exact]
        assert diff.between(solved, target).summary == pytest.approx(figures, abs=CLOSE)
        if target is not None:
            assert by_target[target] == pytest.approx(figures, abs=CLOSE)


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_rows_of_a_difference_equal_brute_force_roll_by_roll(game: PoolGame) -> None:
    solved = duel.solve(game)
    for target in (None, game.scores()[len(game.scores()) // 2]):
        found = diff.between(solved, target)
        rows = list(found.rows())
        exact = {
            (row.counts, row.banked, row.roll): row
            for row in oracle.diff_rows(as_pool(game), game.higher_wins, HALF, target)
            if row.win_value > row.score_value and row.probability > 0
        }
        assert len(rows) == len(exact) == found.count_rows()
        for row in rows:
            known = exact[row.dice_left, row.banked, by_points(game, row.roll)]
            assert by_points(game, row.score_keep) == known.score_keep
            assert by_points(game, row.win_keep) == known.win_keep
            assert row.probability == pytest.approx(float(known.probability), abs=CLOSE)
            assert row.cost == pytest.approx(float(known.win_value - known.score_value), abs=CLOSE)
        weighed = sorted((row.probability * row.cost for row in rows), reverse=True)
        top = [row.probability * row.cost for row in found.top(5)]
        assert top == pytest.approx(weighed[:5], abs=CLOSE)


def test_differences_cost_what_the_comparison_says(biscuits: Duel) -> None:
    values = evaluate.compare(biscuits, [policy.Score(biscuits), policy.Win(biscuits)]).first_value(0.5)
    found = diff.between(biscuits)
    assert found.summary.win_probability_lost == pytest.approx(values[1, 1] - values[0, 1], abs=1e-9)
    places = found.places()
    assert sum(place.probability * place.cost for place in places) == pytest.approx(values[1, 1] - values[0, 1], abs=1e-9)
    rows = found.top(20)
    assert [row.probability * row.cost for row in rows] == sorted((r.probability * r.cost for r in rows), reverse=True)
    win, score = policy.Win(biscuits), policy.Score(biscuits)
    for row in rows:
        position = Position(row.dice_left, row.banked)
        assert row.win_keep == win(position, row.roll)
        assert row.score_keep == score(position, row.roll)


def test_two_policies_part_only_where_their_keeps_do() -> None:
    solved = duel.solve(pool_game("d4+2d6"))
    score, greedy = policy.Score(solved), policy.named("greedy", solved)
    parts = list(diff.of_policies(solved, score, greedy))
    assert parts
    assert all(kept == score(at, roll) != instead == greedy(at, roll) for at, roll, kept, instead, _ in parts)
    assert list(diff.of_policies(solved, score, score)) == []


# Simulation.


@pytest.mark.parametrize(("first", "second"), [("win", "score"), ("score", "win"), ("greedy", "win"), ("random", "greedy")])
def test_simulation_agrees_with_the_exact_figures(biscuits: Duel, first: str, second: str) -> None:
    one, two = policy.named(first, biscuits), policy.named(second, biscuits)
    played = simulate.play(biscuits, one, two, 60_000, seed=11)
    exact = evaluate.compare(biscuits, [one, two])
    assert abs(played.first_win - exact.first_win[0, 1]) <= 4 * played.standard_error
    assert abs(played.tie - exact.tie[0, 1]) <= 4 * played.tie_standard_error
    made = evaluate.distribution(biscuits, one)
    assert abs(played.first_mean - made.mean) <= 4 * played.first_mean_standard_error


def test_simulation_is_the_same_on_any_number_of_threads_and_another_with_another_seed(biscuits: Duel) -> None:
    win, score = policy.Win(biscuits), policy.Score(biscuits)
    one = simulate.play(biscuits, win, score, 20_000, seed=3, threads=1)
    assert one == simulate.play(biscuits, win, score, 20_000, seed=3, threads=2)
    assert one != simulate.play(biscuits, win, score, 20_000, seed=4)


def test_simulation_where_lower_scores_win() -> None:
    solved = duel.solve(pool_game("threes"))
    win, score = policy.Win(solved), policy.Score(solved)
    played = simulate.play(solved, score, win, 100_000, seed=2)
    exact = evaluate.compare(solved, [score, win])
    assert abs(played.first_win - exact.first_win[0, 1]) <= 4 * played.standard_error
    assert abs(played.first_mean - solved.expected_score) <= 4 * played.first_mean_standard_error


# Ranked moves and checks of tables.


@pytest.mark.parametrize("game", DISTINCT, ids=lambda game: game.name)
def test_ranked_moves_lead_to_the_exact_values(game: PoolGame) -> None:
    solved, pool = duel.solve(game), as_pool(game)
    first, means = oracle.first(pool, game.higher_wins, HALF), oracle.expected(pool, game.higher_wins)
    by_win, by_score = oracle.win_policy(pool, game.higher_wins, HALF), oracle.score_policy(pool, game.higher_wins)
    for roll, _ in game.rolls(game.start):
        ranked = ranking.rank(solved, roll)
        keeps = {move.keep for move in ranked.moves}
        assert len(keeps) == len(ranked.moves) == len(oracle.keeps(by_points(game, roll)))
        for move in ranked.moves:
            state = oracle.follow(game.counts, 0, by_points(game, move.keep))
            assert move.win_probability == pytest.approx(float(first[state]), abs=CLOSE)
            assert move.expected_score == pytest.approx(float(means[state]), abs=CLOSE)
        for exact, place in ((by_win, ranked.best_for_win), (by_score, ranked.best_for_score)):
            ((keep, _),) = exact(game.counts, 0, by_points(game, roll), None)
            assert by_points(game, ranked.moves[place].keep) == keep
        assert ranked.best_for_win == 0
        assert ranking.rank(solved, roll, sort="score").best_for_score == 0


def test_keeping_one_six_beats_keeping_twelve(biscuits: Duel) -> None:
    ranked = ranking.rank(biscuits, "d6:6x12 d8:1 d10:1 d12:1")
    kept = {move.keep[0]: move for move in ranked.moves if not any(move.keep[1:])}
    assert kept[(6,)].expected_score > kept[(6,) * 12].expected_score > kept[(6,) * 10].expected_score
    assert kept[(6,)].win_probability > kept[(6,) * 12].win_probability


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_a_sound_table_has_no_residual_and_a_changed_one_has(game: PoolGame) -> None:
    solved = duel.solve(game, "replay")
    assert verify.duel(solved).worst_residual < 1e-12
    for table in ("expected_table", "first_table", "second_table"):
        changed = getattr(solved, table).copy()
        changed[game.counts] += 1e-6
        spoiled = Duel(**{**_fields(solved), table: changed})
        assert verify.duel(spoiled).worst_residual > 1e-7


def _fields(solved: Duel) -> dict[str, Any]:
    names = ("game", "tie", "tie_worth", "expected_table", "first_table", "second_table", "error_bound")
    return {name: getattr(solved, name) for name in names}


def test_checking_by_arrays_is_checking_by_plain_rules() -> None:
    solved = duel.solve(pool_game("2d4+d6"))
    for left in ((2, 1), (1, 1), (0, 1), (2, 0)):
        banked = solved.game.scores(solved.game.banked_dice(left))[-1]
        plain = verify._plain(solved, State(left, banked), 9)
        assert verify._by_arrays(solved, State(left, banked), 9) == pytest.approx(plain, abs=1e-13)


def test_biscuits_passes_the_check_of_the_starting_state(biscuits: Duel) -> None:
    checked = verify.duel(biscuits, seed=1)
    assert checked.worst_residual < 1e-11
    assert checked.checked > 100


def test_a_table_with_a_hole_in_it_is_not_sound() -> None:
    solved = duel.solve(pool_game("3d4"))
    for table, place in (("expected_table", (3,)), ("first_table", (2, 4)), ("second_table", (1, 12))):
        changed = getattr(solved, table).copy()
        assert np.isfinite(changed[place])
        changed[place] = np.nan
        assert verify.duel(Duel(**{**_fields(solved), table: changed})).worst_residual == np.inf


def test_the_dearest_rows_are_the_first_of_more() -> None:
    found = diff.between(duel.solve(pool_game("4d6")))
    many = found.top(1000)
    for limit in (1, 2, 7, 30):
        assert found.top(limit) == many[:limit]


def test_the_second_seat_on_average_loses_what_the_comparison_says(biscuits: Duel) -> None:
    score, win = policy.Score(biscuits), policy.Win(biscuits)
    values = evaluate.compare(biscuits, [score, win]).first_value(0.5)
    found = diff.second_seat(biscuits, evaluate.score_distribution(biscuits, win))
    assert found.win_probability_lost == pytest.approx(values[1, 0] - values[1, 1], abs=1e-9)
