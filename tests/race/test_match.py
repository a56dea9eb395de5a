"""Check what a solved race answers: moves, stored tables, fair starts, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from gametheory.match.race import Race
from gametheory.match.race_players import RaceOfThree
from gametheory.match.solution import Request
from gametheory.race.rules import RaceGame, keeps, rolls

from .shared import PIG, PIGLET, TEN, TINY, best_answer, evaluate, holds, solved

# Kept


def test_solutions_survive_as_plain_data() -> None:
    solution = solved(TINY["pair"], (1, 4))
    again = Race.from_stored(solution.stored())
    assert again.game == solution.game
    assert again.values.tobytes() == solution.values.tobytes()
    assert (again.iterations, again.error_bound) == (solution.iterations, solution.error_bound)
    assert again.win_probability(4, 1, opened=False, opponent_opened=False) == solution.values[2, 1]


def test_data_of_another_race_are_refused() -> None:
    data = solved(PIG).stored()
    with pytest.raises(ValueError, match="not those of pig"):
        Race.from_stored(data._replace(rules=data.rules | {"goal": 50}))
    shorter = data.arrays | {"values": (("to_move", "other"), data.arrays["values"][1][:-1])}
    with pytest.raises(ValueError, match="shape"):
        Race.from_stored(data._replace(arrays=shorter))


# Moves


def test_moves_list_every_keep_banked_and_thrown() -> None:
    found = solved(TEN).moves("1 1 5 3 2", turn=300, score=4000, opponent=6500)
    assert {(move.keep, move.bank) for move in found} == set(product([(1,), (5,), (1, 1), (5, 1), (5, 1, 1)], (True, False)))
    assert [move.win_probability for move in found] == sorted((m.win_probability for m in found), reverse=True)
    for move in found:
        if move.bank:
            assert move.expected_score == 300 + move.points
            # Banking hands the dice to the other player.
            other = solved(TEN).win_probability(6500, 4000 + 300 + move.points)
            assert move.win_probability == pytest.approx(1.0 - other, abs=1e-15)
    by_score = solved(TEN).moves((5, 3, 2, 1, 1), turn=300, score=4000, opponent=6500, sort="score")
    assert by_score[0].expected_score == max(move.expected_score for move in found)


def test_moves_against_a_known_opponent_are_those_of_the_best_answer() -> None:
    answer = best_answer(solved(PIG), "hold-at-20")
    listed = [solved(PIG).moves((face,), score=30, opponent=50, against="hold-at-20") for face in range(2, 7)]
    total = sum(moves[0].win_probability for moves in listed)
    expected = (total + 1.0 - answer.others[50, 30]) / 6
    assert answer.values[30, 50] == pytest.approx(expected, abs=1e-14)
    assert answer.values[30, 50] > solved(PIG).values[30, 50] + 0.01


def test_moves_of_an_unopened_player_bank_from_the_threshold_on() -> None:
    found = solved(TEN).moves("1 1 5", turn=850)
    assert {move.points for move in found if move.bank} == {150, 200, 250}
    assert min(move.points for move in found if not move.bank) == 50


def test_a_move_that_wins_wins() -> None:
    best = solved(TEN).moves("1 5 2 3", turn=500, score=9400, opponent=9950)[0]
    assert (best.bank, best.win_probability, best.keep) == (True, 1.0, (5, 1))


def test_the_value_is_the_mean_of_the_best_moves() -> None:
    """Average over all rolls of two dice in the middle of a turn."""
    solution = solved(TEN)
    total = 0.0
    for roll, weight in rolls(TEN, 2):
        if keeps(TEN, roll):
            total += weight * solution.moves(roll, turn=400, score=2000, opponent=3000)[0].win_probability
        else:
            total += weight * (1.0 - solution.win_probability(3000, 2000))
    # The player at turn total 400 with two dice banks; thrown, they are worth what the moves say.
    thrown = next(move for move in solution.moves("1 2 3", turn=300, score=2000, opponent=3000) if not move.bank)
    assert thrown.win_probability == pytest.approx(total / 36, abs=1e-15)


@pytest.mark.parametrize(
    ("roll", "turn", "score", "message"),
    [
        ("2 3 4", 300, 4000, "is a bust"),
        ("1 1", 0, 4000, "a turn starts with all 6"),
        ("1 1", 125, 4000, "turn total 125"),
        ("1 1", 300, 500, "score 500 cannot occur"),
        ("1 1", 300, 10_000, "ends at 10000"),
    ],
)
def test_moves_refuse_what_cannot_occur(roll: str, turn: int, score: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solved(TEN).moves(roll, turn=turn, score=score)


def test_asking_a_solved_race_imports_no_compiler() -> None:
    script = """
import sys
import numpy as np
from gametheory.match.race import Race
from gametheory.race.named import RACES
from gametheory.race.solver import Iterations
game = RACES["pig"]
size = game.goal
values = np.full((size, size), 0.5)
solution = Race(game, values, np.arange(size), np.ones(size, bool), np.zeros(size, int), Iterations(1, 1), 0.0)
solution.moves("3", turn=10, score=20, opponent=30)
solution.verify(sample=1)
Race.from_stored(solution.stored()).headline()
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


# A fair start


def test_a_fair_start_is_where_the_first_players_chance_crosses_one_half() -> None:
    for game in (PIG, TINY["pair"]):
        found = solved(game).fair()
        assert found.value == min(found.value_by_bonus.values(), key=lambda value: abs(value - 0.5))
        assert np.all(np.diff(list(found.value_by_bonus.values())) <= 1e-14)
        assert abs(found.value - 0.5) < 0.06
        bonus, opened = found.bonus, False if game.opening else None
        solution = solved(game, (bonus,) if game.opening else ())
        expected = solution.win_probability(0, bonus, opponent_opened=opened)
        assert found.value == pytest.approx(expected, abs=1e-13)


def test_a_fair_start_lists_the_bonuses_around_it() -> None:
    found = solved(TEN.with_goal(3000)).fair()
    around = {found.bonus + step * 50 for step in range(-5, 6)}
    assert set(found.value_by_bonus) == {bonus for bonus in around if bonus >= 0}
    counts = Counter(value > 0.5 for value in found.value_by_bonus.values())
    assert counts[True] >= 1
    assert counts[False] >= 1


def test_the_advice_of_a_fair_start_is_one_line() -> None:
    found = solved(PIG).fair(around=1)
    assert list(found.value_by_bonus) == [found.bonus - 1, found.bonus, found.bonus + 1]
    assert found.advice == f"pig: give the second player {found.bonus} points, and the first wins {found.value:.6f}."
    assert found.to_dict()["sentence"] == found.advice


# In plain data


def test_a_ranking_says_the_position_in_words() -> None:
    found = solved(TEN).moves("1 1 5 3 2", turn=300, score=4000, opponent=6500)
    assert found.question == "ten-thousand: 1 1 5 3 2, turn total 300, my score 4000, theirs 6500"
    data = found.to_dict(1)
    assert (data["turn"], data["score"], data["opponent"], data["moves_in_all"]) == (300, 4000, 6500, 10)
    assert list(data["moves"][0]) == ["keep", "points", "dice_left", "bank", "expected_score", "win_probability"]
    assert (data["best_for_win"], len(data["moves"])) == (0, 1 + (data["best_for_score"] > 0))
    by_points = solved(TEN).moves("1 1 5 3 2", turn=300, score=4000, opponent=6500, sort="score")
    assert by_points.best_for_score == 0
    assert by_points[by_points.best_for_win] == found[0]


def test_a_bank_that_does_not_count_does_not_win_for_points() -> None:
    """Who has a handicap of 6 to a goal of 7 needs the opening threshold all the same; with no dice left he has nothing."""
    game = TINY["cold-pair"]
    found = solved(game, (6,)).moves("1", turn=2, score=6, opponent=0, opened=False)
    assert found[0].win_probability == 1.0
    short = Race.solve(RaceGame("short", 1, 3, 7, (1, 0, 2), opening=2, hot_dice=False), handicaps=(6,))
    (only,) = short.moves("1", score=6, opponent=0, opened=False)
    assert (only.bank, only.expected_score) == (True, 0.0)
    assert only.win_probability < 1.0


def test_a_headline_says_what_solving_found() -> None:
    solution = solved(PIG)
    assert solution.headline() == {
        "game": "pig", "expected_turn_score": solution.expected_turn_score,
        "first_player_value": solution.first_player_value, "second_player_value": 1.0 - solution.first_player_value,
        "iterations": solution.iterations.most, "error_bound": solution.error_bound,
    }  # fmt: skip
    assert (Race.facts("split", None), Race.file_parts("split", None)) == ({"kind": "race"}, [])


def test_policies_are_compared_in_both_seats() -> None:
    found = solved(PIG).compare()
    assert found.policies == ("win", "score", "simple", "random")
    assert found.first_win[0, 1] == evaluate(PIG, "win", "score").first_player_value
    assert np.all(found.tie == 0.0)
    assert np.array_equal(found.first_value(), found.first_win)
    assert np.array_equal(found.second_win, 1.0 - found.first_win)
    spelled = solved(PIG).compare([holds(20), "hold-at-20"])
    assert spelled.policies == ("choose", "hold-at-20")
    assert np.allclose(spelled.first_win, spelled.first_win[0, 0], atol=1e-13, rtol=0.0)


def test_the_best_answer_is_worth_more_than_playing_to_win() -> None:
    found = solved(PIG).best_answer("hold-at-20")
    answer = best_answer(PIG, "hold-at-20")
    assert found == {
        "game": "pig", "against": "hold-at-20", "tie": "none", "first_player_value": answer.first_player_value,
        "second_player_value": answer.second_player_value,
        "win_policy_value": evaluate(PIG, "win", "hold-at-20").first_player_value,
    }  # fmt: skip
    assert found["first_player_value"] > found["win_policy_value"]


def test_a_difference_adds_up_by_the_difference_of_the_scores() -> None:
    found = solved(TINY["pair"]).diff(seat="second")
    columns, rows = found.by("score-difference")
    assert columns == ("differences", "decisions", "disagreements", "win_probability_lost", "riskier", "safer")
    by = found.by_difference()
    assert [row["differences"] for row in rows] == by.differences.tolist()
    assert sum(row["decisions"] for row in rows) == pytest.approx(found.decisions_per_game, rel=1e-12)
    assert found.seat == "second player"
    (row, *_) = found.top(1)
    assert tuple(row.to_dict(found.notation)) == found.columns
    assert found.sentences([row]) == [found.notation.sentence(row)]


def test_games_played_out_are_said_by_seat() -> None:
    found = solved(PIG).simulate(games=1000, seed=4)
    assert found.first_win == solved(PIG).simulate("win", "score", games=1000, seed=4).first_win
    assert found.seat_values == (found.first_win, found.second_win)
    data = found.to_dict()
    assert (data["tie"], data["first_mean"], data["second_mean"], data["seed"]) == (0.0, None, None, 4)
    assert data["mean_turns"] > 2.0


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda race: race.moves("2", turn=1), "turn total 1 cannot occur: no keeps of pig make it; .*: 0 or 2"),
        (lambda race: race.moves("2", target=3), "--target is for pools: leave it out"),
        (lambda race: race.moves("2", their_dice="d6"), "--their-dice is for pools"),
        (lambda race: race.moves("2", sort="best"), "cannot sort moves by 'best'"),
        (lambda race: race.diff(target=3), "--target is for pools: in a race both scores are in view"),
        (lambda race: race.diff(seat="third"), "there is no seat 'third'"),
        (lambda race: race.diff().by("place"), "--by place is for pools: say score-difference"),
        (lambda race: race.simulate(games=0), "0 games: give 1"),
        (lambda race: race.chase(players_after=1), "a race is for two here"),
        (lambda race: race.distribution("score", 3), "a turn is told at --score and --opponent"),
        (lambda race: race.distribution("score", score=100), "score 100 cannot occur"),
        (lambda race: race.distribution("win", whole=True), "policy win looks at the opponent"),
        (lambda race: race.compare(["win"], seat="first"), "both seats are compared"),
        (lambda race: race.policy("best"), "no policy 'best'"),
    ],
)
def test_what_a_race_does_not_answer_is_refused_in_one_line(ask: Callable[[Race], object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        ask(solved(PIG))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "request_", [Request(match="alternating"), Request(tie="first"), Request(players=3), Request(players=4)]
)
def test_formats_that_races_do_not_have_are_refused(request_: Request) -> None:
    with pytest.raises(ValueError, match="for two or three players and without ties: leave --match and --tie out"):
        Race.check(PIG, request_)
    Race.check(PIG, Request(players=2))


# Three players


def test_three_are_answered_like_two() -> None:
    game = PIGLET.with_goal(4)
    solution = RaceOfThree.solve(game, Request(players=3))
    assert solution.headline() == {
        "game": "piglet", "players": 3, "first_player_value": solution.seat_values[0],
        "seat_values": list(solution.seat_values), "regret": solution.headline()["regret"],
    }  # fmt: skip
    assert sum(solution.seat_values) == pytest.approx(1.0, abs=1e-14)
    seen: list[float] = []
    answer = RaceOfThree(game).best_answer("hold-at-2", seen.append)
    assert list(answer) == ["game", "players", "against", "seat_values", "same_policy_seat_values"]
    assert all(best >= same for best, same in zip(answer["seat_values"], answer["same_policy_seat_values"], strict=True))
    assert seen[-1] == 1.0


def test_three_refuse_what_they_cannot_do() -> None:
    game = PIGLET.with_goal(4)
    assert not RaceOfThree.keeps
    for request_ in (Request(players=2), Request(players=3, tie="first"), Request(players=3, match="alternating")):
        with pytest.raises(ValueError, match="is a race, for two or three players"):
            RaceOfThree.check(game, request_)
    with pytest.raises(ValueError, match="triples of standings"):
        RaceOfThree.check(PIG.with_goal(300), Request(players=3))
    asked: dict[str, Callable[[RaceOfThree], object]] = {
        "looks at the opponent": lambda race: race.best_answer("win"),
        "no policy 'best'": lambda race: race.best_answer("best"),
        "is not stored": lambda race: race.stored(),
        "is not solved": lambda race: race.headline(),
        "ask the race for two": lambda race: race.moves("2"),
    }
    for message, ask in asked.items():
        with pytest.raises(ValueError, match=message):
            ask(RaceOfThree(game))
