"""Check races against published numbers, an exact oracle, the plain rules, and themselves played out."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import oracle_race
import pytest

from gametheory.race import dealing as race_simulate
from gametheory.race import many as race_many
from gametheory.race import parting as race_diff
from gametheory.race import policies as race_play
from gametheory.race import rules as race_rules
from gametheory.race import solver as race
from gametheory.race.policies import State
from gametheory.race.rules import RACES, RaceGame
from gametheory.race.solver import RaceSolution

TEN, FARKLE, PIG, PIGLET = (RACES[name] for name in ("ten-thousand", "farkle", "pig", "piglet"))
# Small enough for fractions: opening thresholds, hot dice and none, sets, bust faces, a unit above 1.
TINY = {
    "coin": PIGLET.with_goal(5),
    "coin-opening": RaceGame("coin-opening", 1, 2, 6, (0, 1), opening=3, bust_faces=(1,)),
    "pair": RaceGame("pair", 2, 3, 9, (1, 0, 2), opening=3),
    "cold-pair": RaceGame("cold-pair", 2, 3, 7, (1, 0, 2), opening=2, hot_dice=False),
    "triple": RaceGame("triple", 3, 3, 7, (1, 0, 0), (3, 2, 2), straight=3, opening=2),
    "four": RaceGame("four", 4, 2, 8, (1, 0), (2, 1), "double", hot_dice=False),
    "far-opening": RaceGame("far-opening", 2, 2, 3, (1, 0), opening=5),
}


@functools.cache
def solved(game: RaceGame, handicaps: tuple[int, ...] = ()) -> RaceSolution:
    """Solve a race once for all tests."""
    return race.solve(game, handicaps=handicaps)


# The oracle

COIN = oracle_race.Race(1, {1: [(1, frozenset({(1, 0)}))]}, {1: 1}, 2)
PAIR = oracle_race.Race(
    2,
    {1: [(2, frozenset({(1, 0)}))], 2: [(5, frozenset({(1, 1)})), (3, frozenset({(1, 1), (3, 0)}))]},
    {1: 1, 2: 2},
    5,
    2,
)
# Neller and Presser, Optimal Play of the Dice Game Pig: piglet to 2, by (mine, theirs, turn total).
PIGLET_CHANCES = {
    (0, 0, 0): Fraction(4, 7),
    (0, 0, 1): Fraction(5, 7),
    (0, 1, 0): Fraction(2, 5),
    (0, 1, 1): Fraction(3, 5),
    (1, 0, 0): Fraction(4, 5),
    (1, 1, 0): Fraction(2, 3),
}


@pytest.mark.parametrize(("place", "value"), PIGLET_CHANCES.items())
def test_oracle_knows_piglet(place: tuple[int, int, int], value: Fraction) -> None:
    mine, theirs, turn = place
    assert oracle_race.solve_race(COIN)[mine, True, theirs, True, turn, 1] == value


@pytest.mark.parametrize("plain", [COIN, COIN._replace(goal=5), COIN._replace(goal=4, opening=3), PAIR])
def test_oracle_satisfies_its_equations(plain: oracle_race.Race) -> None:
    """Find every value equal to the better of banking and throwing."""
    found = oracle_race.solve_race(plain)
    for (mine, opened, theirs, answered, turn, dice), value in found.items():
        choices = []
        if turn and (opened or turn >= plain.opening):
            after = found.get((theirs, answered, mine + turn, True, 0, plain.dice), Fraction(0))
            choices.append(1 - after if mine + turn < plain.goal else Fraction(1))
        if not choices or mine + turn < plain.goal:
            total = plain.busts[dice] * (1 - found[theirs, answered, mine, opened, 0, plain.dice])
            for weight, options in plain.throws[dice]:
                total += weight * max(
                    found[mine, opened, theirs, answered, turn + points, left or plain.dice] for points, left in options
                )
            choices.append(total / (plain.busts[dice] + sum(weight for weight, _ in plain.throws[dice])))
        assert value == max(choices)


def test_oracle_refuses_what_never_ends() -> None:
    with pytest.raises(ValueError, match="points"):
        oracle_race.solve_race(COIN._replace(throws={1: [(1, frozenset({(0, 0)}))]}))
    with pytest.raises(ValueError, match="never ends"):
        oracle_race.solve_race(COIN._replace(throws={1: []}))


# One turn

# github.com/Amund211/10001, results.txt: expected gain of rolling 6, 5, ..., 1 dice at a turn total.
PUBLISHED_GAIN = {
    0: (590.7, 336.8, 240.8, 197.2, 185.0, 217.2),
    250: (549.3, 266.7, 133.0, 45.7, -1.4, 38.4),
    500: (519.5, 224.9, 83.8, -25.0, -116.2, -137.8),
    1000: (475.7, 161.8, 3.9, -165.8, -342.7, -484.8),
}
# The same file: the chance, in per cent, to reach 1000.
PUBLISHED_REACH = {
    0: (32.73, 19.52, 13.59, 10.38, 9.50, 11.47),
    500: (56.95, 35.60, 26.14, 21.60, 20.17, 22.14),
    950: (97.69, 92.28, 84.26, 72.22, 55.56, 33.33),
}


def test_expected_turn_scores_are_the_published_ones() -> None:
    tables = race.turn_tables(TEN)
    for total, gains in PUBLISHED_GAIN.items():
        found = [tables.expected_score(dice, total) - total for dice in range(6, 0, -1)]
        assert found == pytest.approx(gains, abs=0.0501)


def test_stopping_totals_are_the_published_ones() -> None:
    """Stop as in github.com/Amund211/10001, results.txt."""
    assert race.turn_tables(TEN).stop() == {6: 18100, 5: 3100, 4: 1050, 3: 450, 2: 250, 1: 350}


def test_chances_to_reach_1000_are_the_published_ones() -> None:
    found = race.reach(TEN, 1000)
    for total, chances in PUBLISHED_REACH.items():
        assert 100 * found[total // 50, :0:-1] == pytest.approx(chances, abs=0.00501)
    assert np.all(found[20] == 1.0)


def test_pig_holds_at_20_for_the_score() -> None:
    """Rolling at 20 neither gains nor loses; the mean of a turn held there is 8.14 (Neller and Presser)."""
    tables = race.turn_tables(PIG)
    assert tables.stop() == {1: 21}
    assert tables.expected_turn_score == pytest.approx(8.1418, abs=5e-5)


def test_expected_turn_score_satisfies_its_recurrence_through_the_plain_rules() -> None:
    tables = race.turn_tables(FARKLE)
    for dice, total in ((6, 0), (3, 300), (2, 5000), (6, 20_000), (6, 60_000)):
        expected = 0.0
        for roll, weight in race_rules.rolls(FARKLE, dice):
            worth = [
                max(total + keep.points, tables.expected_score(keep.dice_left, total + keep.points))
                for keep in race_rules.keeps(FARKLE, roll)
            ]
            expected += weight / 6**dice * max(worth, default=0.0)
        assert tables.expected_score(dice, total) == pytest.approx(expected, rel=1e-13)


def test_unopened_turns_never_score_more() -> None:
    expected = race.turn_tables(TEN).expected
    opening = TEN.opening // TEN.unit
    assert np.all(expected[0, :opening, 1:] <= expected[1, :opening, 1:])
    assert np.all(expected[0, 0, 1:] < expected[1, 0, 1:] - 30.0)
    assert np.array_equal(expected[0, opening:], expected[1, opening:])


# The match


@pytest.mark.parametrize(("place", "value"), PIGLET_CHANCES.items())
def test_piglet(place: tuple[int, int, int], value: Fraction) -> None:
    assert solved(PIGLET).win_probability(*place) == pytest.approx(float(value), abs=1e-15)


@pytest.mark.parametrize("game", TINY.values(), ids=TINY)
def test_tiny_races_match_the_exact_oracle(game: RaceGame) -> None:
    """Compare every state of every turn of every pair of standings, handicaps included."""
    handicaps = tuple(range(game.goal)) if game.opening else (0,)
    exact = oracle_race.solve_race(oracle_race.race_of(game), handicaps)
    solution = solved(game, handicaps)
    assert solution.error_bound <= 1e-13
    checked = 0
    for (mine, opened, theirs, answered, turn, dice), value in exact.items():
        if dice == 0 and game.hot_dice:
            continue
        found = solution.win_probability(mine, theirs, turn, dice, opened=opened, opponent_opened=answered)
        assert abs(found - value) <= 1e-14
        checked += 1
    assert checked >= len(solution.scores) ** 2


def test_pig_is_the_published_game() -> None:
    """Neller and Presser: the first player wins 0.5306; at 41 to 49 hold 22 to 26, roll 27, hold from 28."""
    solution = solved(PIG)
    assert solution.first_player_value == pytest.approx(0.5306, abs=5e-5)
    holds = {turn: race.moves(solution, "2", turn - 2, 41, 49)[0].bank for turn in range(15, 40)}
    assert {turn for turn, held in holds.items() if held} == {*range(22, 27), *range(28, 40)}


def test_whoever_is_behind_stops_later() -> None:
    assert race.stops(solved(PIG), 41, 49) == {1: 22}
    ahead, even, behind = (race.stops(solved(TEN), *scores) for scores in ((8000, 4000), (6000, 6000), (4000, 9000)))
    for dice in (1, 2, 3, 4):
        limits = [found[dice] or TEN.goal for found in (ahead, even, behind)]
        assert limits == sorted(limits)
        assert limits[0] < limits[2]


def test_ten_thousand_is_what_a_plain_c_program_finds() -> None:
    """An independent program that enumerates every roll and iterates each pair to 1e-12 prints this."""
    solution = solved(TEN)
    assert solution.first_player_value == pytest.approx(0.529763630676, abs=2e-12)
    assert solution.error_bound <= 1e-11
    assert solution.iterations.most <= 8
    assert len(solution.scores) == 181


def test_values_are_chances_and_rise_with_the_own_score() -> None:
    """At pig 98 is as good as 99: every roll but a 1 wins."""
    for game, last in ((PIG, -1), (TEN, None)):
        values = solved(game).values
        opened = solved(game).opened
        assert np.all((values > 0.0) & (values < 1.0))
        assert np.all(np.diff(values[opened], axis=0)[:last] > 0.0)
        assert np.all(np.diff(values[:, opened], axis=1)[:, :last] < 0.0)
    assert np.allclose(solved(PIG).values[98], solved(PIG).values[99], atol=1e-14, rtol=0.0)


@pytest.mark.parametrize("game", [PIG, TEN.with_goal(2500), TINY["cold-pair"]], ids=lambda game: game.name)
def test_one_and_two_threads_give_the_same_bits(game: RaceGame) -> None:
    one, two = race.solve(game, threads=1), race.solve(game, threads=2)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.error_bound == two.error_bound
    assert one.iterations == two.iterations


def test_progress_counts_up_to_all_pairs() -> None:
    seen: list[tuple[int, int]] = []
    race.solve(PIG.with_goal(20), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (210, 210)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_the_plain_rules_find_nothing_wrong() -> None:
    assert race.residual(solved(TEN), 20).worst <= 1e-14
    assert race.residual(solved(TINY["cold-pair"]), 1000).checked == len(solved(TINY["cold-pair"]).scores) ** 2


def test_the_plain_rules_find_a_wrong_value() -> None:
    solution = solved(PIG)
    for wrong in (solution.values[0, 0] + 1e-9, np.nan):
        values = solution.values.copy()
        values[0, 0] = wrong
        data = solution.stored()
        data.arrays["values"] = (("to_move", "other"), values)
        assert race.residual(RaceSolution.from_stored(data), 1).worst > 1e-10


def test_solutions_survive_as_plain_data() -> None:
    solution = solved(TINY["pair"], (1, 4))
    again = RaceSolution.from_stored(solution.stored())
    assert again.game == solution.game
    assert again.values.tobytes() == solution.values.tobytes()
    assert (again.iterations, again.error_bound) == (solution.iterations, solution.error_bound)
    assert again.win_probability(4, 1, opened=False, opponent_opened=False) == solution.values[2, 1]


def test_data_of_another_race_are_refused() -> None:
    data = solved(PIG).stored()
    with pytest.raises(ValueError, match="not those of pig"):
        RaceSolution.from_stored(data._replace(rules=data.rules | {"goal": 50}))
    shorter = data.arrays | {"values": (("to_move", "other"), data.arrays["values"][1][:-1])}
    with pytest.raises(ValueError, match="shape"):
        RaceSolution.from_stored(data._replace(arrays=shorter))


def test_handicaps_must_be_asked_for() -> None:
    with pytest.raises(ValueError, match="handicap of 500 was not solved"):
        solved(TEN).win_probability(500, 0, opened=False)


def test_races_that_are_too_long_are_refused() -> None:
    with pytest.raises(ValueError, match="10000 standings: at most"):
        race.solve(PIG.with_goal(10_000))
    with pytest.raises(ValueError, match="threads is 0"):
        race.solve(PIG, threads=0)


# Moves


def test_moves_list_every_keep_banked_and_thrown() -> None:
    found = race.moves(solved(TEN), "1 1 5 3 2", turn=300, score=4000, opponent=6500)
    assert {(move.keep, move.bank) for move in found} == set(product([(1,), (5,), (1, 1), (5, 1), (5, 1, 1)], (True, False)))
    assert [move.win_probability for move in found] == sorted((m.win_probability for m in found), reverse=True)
    for move in found:
        if move.bank:
            assert move.expected_score == 300 + move.points
            # Banking hands the dice to the other player.
            other = solved(TEN).win_probability(6500, 4000 + 300 + move.points)
            assert move.win_probability == pytest.approx(1.0 - other, abs=1e-15)
    by_score = race.moves(solved(TEN), (5, 3, 2, 1, 1), 300, 4000, 6500, sort="score")
    assert by_score[0].expected_score == max(move.expected_score for move in found)


def test_moves_against_a_known_opponent_are_those_of_the_best_answer() -> None:
    answer = race_play.best_answer(solved(PIG), "hold-at-20")
    total = sum(race.moves(solved(PIG), (face,), 0, 30, 50, others=answer.others)[0].win_probability for face in range(2, 7))
    expected = (total + 1.0 - answer.others[50, 30]) / 6
    assert answer.values[30, 50] == pytest.approx(expected, abs=1e-14)
    assert answer.values[30, 50] > solved(PIG).values[30, 50] + 0.01


def test_moves_of_an_unopened_player_bank_from_the_threshold_on() -> None:
    found = race.moves(solved(TEN), "1 1 5", turn=850)
    assert {move.points for move in found if move.bank} == {150, 200, 250}
    assert min(move.points for move in found if not move.bank) == 50


def test_a_move_that_wins_wins() -> None:
    best = race.moves(solved(TEN), "1 5 2 3", turn=500, score=9400, opponent=9950)[0]
    assert (best.bank, best.win_probability, best.keep) == (True, 1.0, (5, 1))


def test_the_value_is_the_mean_of_the_best_moves() -> None:
    """Average over all rolls of two dice in the middle of a turn."""
    solution = solved(TEN)
    total = 0.0
    for roll, weight in race_rules.rolls(TEN, 2):
        if race_rules.keeps(TEN, roll):
            total += weight * race.moves(solution, roll, 400, 2000, 3000)[0].win_probability
        else:
            total += weight * (1.0 - solution.win_probability(3000, 2000))
    # The player at turn total 400 with two dice banks; thrown, they are worth what the moves say.
    thrown = next(move for move in race.moves(solution, "1 2 3", 300, 2000, 3000) if not move.bank)
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
        race.moves(solved(TEN), roll, turn, score)


def test_asking_a_solved_race_imports_no_compiler() -> None:
    script = """
import sys
import numpy as np
from gametheory.race import solver as race
from gametheory.race.rules import RACES
game = RACES["pig"]
size = game.goal
iterations = race.Iterations(1, 1)
solution = race.RaceSolution(
    game, np.full((size, size), 0.5), np.arange(size), np.ones(size, bool), iterations, 0.0
)
race.moves(solution, "3", 10, 20, 30)
race.residual(solution, 1)
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


# Policies


def holds(limit: int) -> race_play.Chooser:
    """Make hold-at-N as a plain function, for races with one die."""

    def choose(state: State, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        return roll, state.turn + roll[0] >= limit

    choose.ignores = ("opponent", "score")  # type: ignore[attr-defined]
    return choose


def test_hold_at_20_against_itself() -> None:
    """Whoever starts wins 0.5347 of the games in which both hold at 20 or at the goal."""
    found = race_play.evaluate(PIG, "hold-at-20", "hold-at-20")
    assert found.first_player_value == pytest.approx(0.5347, abs=5e-5)
    assert found.second_player_value == pytest.approx(1.0 - found.first_player_value, abs=1e-14)


def test_a_function_is_evaluated_like_the_policy_it_spells_out() -> None:
    game = PIG.with_goal(30)
    for other in ("random", "win"):
        named = race_play.evaluate(game, "hold-at-11", other)
        spelled = race_play.evaluate(game, holds(11), other)
        assert np.allclose(named.first_win, spelled.first_win, atol=1e-13, rtol=0.0)


def test_a_function_that_looks_at_everything_is_evaluated() -> None:
    """Spell out the greedy look at a solved race, and get its values back."""
    game = TINY["triple"]
    solution = solved(game)

    def greedy(state: State, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best = race.moves(solution, roll, state.turn, state.score, state.opponent)[0]
        return best.keep, best.bank

    found = race_play.evaluate(solution, greedy, greedy)
    assert np.abs(found.first_win - solution.values).max() <= 1e-13


@pytest.mark.parametrize("game", [*TINY.values(), PIG], ids=lambda game: game.name)
def test_win_against_win_gives_back_the_solved_values(game: RaceGame) -> None:
    solution = solved(game)
    found = race_play.evaluate(solution, "win", "win")
    assert np.abs(found.first_win - solution.values).max() <= 1e-12


@pytest.mark.parametrize("game", [TINY["pair"], TINY["four"], PIG], ids=lambda game: game.name)
def test_nothing_beats_the_best_answer(game: RaceGame) -> None:
    solution = solved(game)
    for opponent in ("score", "hold-at-3", "random"):
        answer = race_play.best_answer(solution, opponent)
        played = race_play.evaluate(solution, answer.policy, opponent)
        assert played.first_player_value == pytest.approx(answer.first_player_value, abs=1e-12)
        assert played.second_player_value == pytest.approx(answer.second_player_value, abs=1e-12)
        for other in ("win", "score", "hold-at-2", "random"):
            tried = race_play.evaluate(solution, other, opponent)
            assert np.all(tried.first_win <= answer.values + 1e-12)
    assert race_play.best_answer(solution, "win").first_player_value == pytest.approx(solution.first_player_value, abs=1e-12)


def test_random_is_every_move_alike() -> None:
    """At piglet each head is banked or not, evenly: from (1, 1) one head in two banks, or a further one, and so on."""
    found = race_play.evaluate(PIGLET, "random", "random")
    # A turn scores with 1/2 * (1/2 + 1/2 * P) = P, so P = 1/3, and x = 1/3 + 2/3 * (1 - x).
    assert found.first_win[1, 1] == pytest.approx(3 / 5, abs=1e-15)


def test_published_reaches_for_the_opening_threshold_first() -> None:
    """To have reached it is all it wants; it then plays on for points, and may lose it again. `score` opens less often."""
    opens = {}
    for name in ("published", "score"):
        ends = race_play.turn_ends(race_play.policy(TEN, name), np.array([0]), np.array([0]))[0]
        assert np.all(ends[1:20] == 0.0)
        assert ends.sum() == pytest.approx(1.0, abs=1e-13)
        opens[name] = 1.0 - ends[0]
    assert opens["score"] + 5e-4 < opens["published"] < race.reach(TEN, 1000)[0, 6]


def test_score_is_worth_its_expected_turn() -> None:
    """Far from the goal a turn of `score` is worth the expected turn score, but for what is cut off at the goal."""
    ends = race_play.turn_ends(race_play.policy(TEN, "score"), np.array([0]), np.array([0]))[0]
    unopened = float(ends[:-1] @ np.arange(len(ends) - 1)) * 50
    assert unopened == pytest.approx(race.turn_tables(TEN).expected[0, 0, 6], rel=0.01)
    opened = race_play.turn_ends(race_play.policy(TEN, "score"), np.array([1]), np.array([1]))[0]
    # Far from the goal its turn is worth the expected turn score, but for what is cut off at the goal.
    scored = float(opened[:-1] @ np.arange(len(opened) - 1)) * 50
    assert scored == pytest.approx(race.turn_tables(TEN).expected_turn_score, rel=0.01)


@pytest.mark.parametrize("game", [*TINY.values(), TEN.with_goal(2000)], ids=lambda game: f"{game.name}-{game.goal}")
def test_what_moves_marks_best_for_score_is_what_score_plays(game: RaceGame) -> None:
    """Play every roll as `moves` marks it: opened or not, far from the goal and at it, nothing differs from `score`."""
    solution = solved(game)

    def marked(state: State, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best = race.moves(
            solution, roll, state.turn, state.score, state.opponent, sort="score", opened=state.opened,
            opponent_opened=state.opponent_opened,
        )[0]  # fmt: skip
        return best.keep, best.bank

    marked.ignores = ("opponent",)  # type: ignore[attr-defined]
    every = np.arange(len(solution.scores))
    chosen = [race_play.policy(solution, policy) for policy in ("score", marked)]
    by_name, by_moves = (race_play.turn_ends(policy, every, np.zeros_like(every)) for policy in chosen)
    assert np.abs(by_name - by_moves).max() < 1e-13


def test_score_banks_what_wins_and_counts_points_before_it_has_opened() -> None:
    at_9000 = race.moves(solved(TEN), "1", turn=2100, score=9000, opponent=5000, sort="score")[0]
    assert (at_9000.keep, at_9000.bank) == ((1,), True)
    unopened = race.moves(solved(TEN), "5 4 2 2 2 2", sort="score")[0]
    assert unopened.keep == (5, 2, 2, 2, 2)


def test_simple_is_the_rule_it_says() -> None:
    """Spell it out as a function, for a short game."""
    game = TEN.with_goal(1500)

    def simple(state: State, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best: tuple[float, int, tuple[int, ...], bool] = (0.0, 0, (), False)
        most = {keep.dice_left: keep for keep in sorted(race_rules.keeps(game, roll), key=lambda keep: keep.points)}
        for keep in most.values():
            total = state.turn + keep.points
            enough = total >= (3000 if keep.dice_left >= 5 else 1000 if keep.dice_left == 4 else 400)
            wins = state.score + total >= game.goal and (state.opened or total >= 1000)
            banks = wins or (enough and (state.opened or total >= 1000))
            worth = 1e9 if wins else total + (0 if banks else 50 * keep.dice_left)
            best = max(best, (worth, keep.dice_left, keep.kept, banks))
        return best[2], best[3]

    simple.ignores = ("opponent",)  # type: ignore[attr-defined]
    named, spelled = (race_play.evaluate(game, chosen, "score") for chosen in ("simple", simple))
    assert named.first_player_value == pytest.approx(spelled.first_player_value, abs=1e-12)


def test_policies_that_are_none_are_refused() -> None:
    for name in ("hold-at-", "hold-at-0", "hold-at-x", "best"):
        with pytest.raises(ValueError, match="policy"):
            race_play.policy(PIG, name)
    with pytest.raises(ValueError, match="it must keep dice that all score"):
        race_play.evaluate(TINY["coin"], lambda state, roll: ((1,), True), "score")
    with pytest.raises(ValueError, match="never ends"):
        race_play.evaluate(TINY["coin-opening"].with_goal(100), never_banks, never_banks)
    with pytest.raises(ValueError, match="times: say force"):
        race_play.evaluate(TEN, lambda state, roll: (roll, True), "score")
    with pytest.raises(ValueError, match="other races"):
        race_play.evaluate(PIG, race_play.policy(PIGLET, "score"), "score")


def never_banks(state: State, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Throw on for ever, with a vanishing chance to reach the goal."""
    return roll, False


never_banks.ignores = ("opponent", "score")  # type: ignore[attr-defined]


# Where score and win part


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(
    ("game", "against"),
    [(PIG, "win"), (TINY["pair"], "win"), (PIG.with_goal(40), "hold-at-12")],
    ids=["pig", "pair", "pig-hold"],
)
def test_what_score_loses_is_the_sum_of_what_its_moves_cost(game: RaceGame, against: str, seat: str) -> None:
    solution = solved(game)
    found = race_diff.diff(solution, against=against, seat=seat)
    answer = race_play.best_answer(solution, against)
    played = race_play.evaluate(solution, "score", against)
    value = f"{seat}_player_value"
    assert found.win_probability_lost == pytest.approx(getattr(answer, value) - getattr(played, value), abs=1e-12)
    assert found.win_probability_lost > 1e-4
    rows = list(found.rows())
    assert sum(row.probability for row in rows) == pytest.approx(found.disagreements_per_game, rel=1e-12)
    # What is not worth a row costs at most 1e-9 a decision.
    assert sum(row.probability * row.cost for row in rows) == pytest.approx(found.win_probability_lost, abs=1e-7)
    by_difference = found.by_difference()
    assert by_difference.win_probability_lost.sum() == pytest.approx(found.win_probability_lost, rel=1e-12)
    assert np.all(by_difference.riskier + by_difference.safer <= by_difference.disagreements + 1e-12)


def test_rows_say_what_the_moves_say() -> None:
    game = TINY["pair"]
    solution = solved(game)
    found = race_diff.diff(solution)
    rows = sorted(found.rows(), key=lambda row: -row.probability * row.cost)
    top = found.top(7)
    assert [row.probability * row.cost for row in top] == [row.probability * row.cost for row in rows[:7]]
    for row in rows:
        listed = race.moves(solution, row.roll, row.turn, row.score, row.opponent)
        best = listed[0]
        by_points = race.ranked(listed, "score", game.goal - row.score - row.turn)[0]
        assert (row.score_keep, row.score_bank) == (by_points.keep, by_points.bank)
        assert (row.win_keep, row.win_bank) == (best.keep, best.bank)
        assert row.win_win_probability == pytest.approx(best.win_probability, abs=1e-13)
        (own,) = [move for move in listed if (move.keep, move.bank) == (row.score_keep, row.score_bank)]
        assert row.score_win_probability == pytest.approx(own.win_probability, abs=1e-13)
        assert row.score_expected_score == pytest.approx(own.expected_score, abs=1e-9)
        assert row.win_expected_score == pytest.approx(best.expected_score, abs=1e-9)


def test_decisions_are_the_rolls_that_do_not_bust() -> None:
    """Count them in a race without choices worth the name: one head wins it."""
    found = race_diff.diff(solved(PIGLET.with_goal(1)))
    # Turns in turn, each a head or not: the first player starts 4/3 of them, half throw a head.
    assert found.visits[0, 0] == pytest.approx(4 / 3, abs=1e-15)
    assert found.decisions_per_game == pytest.approx(2 / 3, abs=1e-15)
    assert found.disagreements_per_game == 0.0


# Played out


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        (PIG, "win", "hold-at-25"),
        (PIG, "score", "random"),
        (TINY["cold-pair"], "win", "score"),
        (TEN.with_goal(2000), "simple", "win"),
        (TEN.with_goal(2000), "random", "score"),
    ],
    ids=["pig", "pig-random", "cold-pair", "ten-thousand", "ten-thousand-random"],
)
def test_games_played_out_agree_with_the_exact_chances(game: RaceGame, first: str, second: str) -> None:
    """Differ by less than four standard errors, in games won and in their length."""
    solution = solved(game)
    exact = race_play.evaluate(solution, first, second)
    played = race_simulate.simulate(solution, first, second, games=100_000, seed=11)
    assert abs(played.first_win - exact.first_player_value) <= 4 * played.standard_error
    assert abs(played.mean_turns - exact.mean_turns) <= 4 * played.mean_turns_standard_error
    assert played.first_win + played.second_win == 1.0


def test_the_same_seed_plays_the_same_games_on_any_number_of_threads() -> None:
    one, two, other = (
        race_simulate.simulate(solved(PIG), "win", "score", games=50_000, seed=seed, threads=threads)
        for seed, threads in ((5, 1), (5, 2), (6, 2))
    )
    assert one == two
    assert one != other


def test_functions_are_played_too() -> None:
    game = PIG.with_goal(30)
    exact = race_play.evaluate(game, holds(11), "random")
    played = race_simulate.simulate(game, holds(11), "random", games=2000, seed=1)
    assert abs(played.first_win - exact.first_player_value) <= 4 * played.standard_error
    with pytest.raises(ValueError, match="games is 0"):
        race_simulate.simulate(game, "score", "score", games=0)


# A fair start


def test_a_fair_start_is_where_the_first_players_chance_crosses_one_half() -> None:
    for game in (PIG, TINY["pair"]):
        found = race.fair(game)
        assert found.value == min(found.value_by_bonus.values(), key=lambda value: abs(value - 0.5))
        assert np.all(np.diff(list(found.value_by_bonus.values())) <= 1e-14)
        assert abs(found.value - 0.5) < 0.06
        bonus, opened = found.bonus, False if game.opening else None
        solution = solved(game, (bonus,) if game.opening else ())
        expected = solution.win_probability(0, bonus, opponent_opened=opened)
        assert found.value == pytest.approx(expected, abs=1e-13)


def test_a_fair_start_lists_the_bonuses_around_it() -> None:
    found = race.fair(TEN.with_goal(3000))
    around = {found.bonus + step * 50 for step in range(-5, 6)}
    assert set(found.value_by_bonus) == {bonus for bonus in around if bonus >= 0}
    counts = Counter(value > 0.5 for value in found.value_by_bonus.values())
    assert counts[True] >= 1
    assert counts[False] >= 1


# More than two players


def three_with_a_coin(goal: int, hold: int | None) -> dict[tuple[int, ...], tuple[float, ...]]:
    """Iterate the chances of three players of piglet, by their scores in the order of play, until nothing changes.

    The first plays to win; so do the others, unless they hold at a turn total or at the goal.
    """
    # By (turn total, scores from the player to move on, how many of the others have moved since the answerer did).
    places = [
        (turn, scores, mover)
        for scores in product(range(goal), repeat=3)
        for mover in range(3)
        for turn in range(goal - scores[0] + 1)
    ]
    chances: dict[tuple[int, tuple[int, ...], int], tuple[float, ...]] = dict.fromkeys(places, (1 / 3, 1 / 3, 1 / 3))

    def passed(turn: int, scores: tuple[int, ...], mover: int) -> tuple[float, ...]:
        if scores[0] + turn >= goal:
            return (1.0, 0.0, 0.0)
        mine = chances[0, (scores[1], scores[2], scores[0] + turn), (mover + 1) % 3]
        return (mine[2], mine[0], mine[1])

    while True:
        worst = 0.0
        for turn, scores, mover in reversed(places):
            moves = []
            wins = scores[0] + turn >= goal
            holds = hold is not None and mover > 0 and turn >= hold
            if turn and (hold is None or mover == 0 or holds or wins):
                moves.append(passed(turn, scores, mover))
            if not wins and not (moves and hold is not None and mover > 0):
                pairs = zip(chances[turn + 1, scores, mover], passed(0, scores, mover), strict=True)
                moves.append(tuple((head + tail) / 2 for head, tail in pairs))
            best = max(moves, key=lambda chance: chance[0])
            old = chances[turn, scores, mover]
            worst = max(worst, *(abs(a - b) for a, b in zip(best, old, strict=True)))
            chances[turn, scores, mover] = best
        if worst < 1e-15:
            return {scores: chances[0, scores, 0] for turn, scores, mover in places if (turn, mover) == (0, 0)}


def test_three_players_with_a_coin() -> None:
    """Whoever throws the first head wins: 4, 2 and 1 of 7."""
    found = race_many.solve_three(PIGLET.with_goal(1))
    assert found.seat_values == pytest.approx((4 / 7, 2 / 7, 1 / 7), abs=1e-15)


def test_three_players_match_plain_iteration() -> None:
    exact = three_with_a_coin(3, None)
    found = race_many.solve_three(PIGLET.with_goal(3))
    assert found.regret <= 1e-13
    for (i, j, k), chances in exact.items():
        assert found.chances[i, j, k] == pytest.approx(chances[:2], abs=1e-13)


def test_three_players_of_a_short_pig_are_the_same_on_two_threads() -> None:
    one, two = (race_many.solve_three(PIG.with_goal(25), threads=threads) for threads in (1, 2))
    assert one.chances.tobytes() == two.chances.tobytes()
    assert np.all((one.chances > 0.0) & (one.chances.sum(axis=3, keepdims=True) < 1.0))
    assert one.regret <= 1e-13


def test_the_answer_to_two_matches_plain_iteration() -> None:
    exact = three_with_a_coin(4, 2)
    found = race_many.answer_two(PIGLET.with_goal(4), "hold-at-2")
    for place, chances in exact.items():
        assert found.own[place] == pytest.approx(chances[0], abs=1e-13)


def test_the_answer_to_two_beats_whoever_does_not_look() -> None:
    game = PIG.with_goal(40)
    found = race_many.answer_two(game, "hold-at-20")
    for seat in range(3):
        for hold in (10, 15, 20, 25, 40):
            players = ["hold-at-20"] * 3
            players[seat] = f"hold-at-{hold}"
            assert race_many.field(game, players).seat_values[seat] <= found.seat_values[seat] + 1e-12


def test_a_field_of_two_is_an_evaluation() -> None:
    for first, second in (("hold-at-20", "score"), ("random", "hold-at-25")):
        exact = race_play.evaluate(PIG, first, second)
        values = race_many.field(PIG, [first, second]).seat_values
        assert values == pytest.approx((exact.first_player_value, 1 - exact.first_player_value), abs=1e-13)


def test_more_opponents_call_for_more_risk() -> None:
    """Against one who holds at 20 hold at 25 is the best of its kind; against five, 33: three turns must do."""

    def best(opponents: int) -> int:
        return max(
            range(15, 40),
            key=lambda hold: race_many.field(PIG, [f"hold-at-{hold}", *["hold-at-20"] * opponents]).seat_values[0],
        )

    assert (best(1), best(5)) == (25, 33)


def test_many_refuse_what_they_cannot_do() -> None:
    with pytest.raises(ValueError, match="looks at the opponent"):
        race_many.answer_two(solved(PIG), "win")
    with pytest.raises(ValueError, match="triples of standings"):
        race_many.solve_three(PIG.with_goal(300))
    with pytest.raises(ValueError, match="1 players"):
        race_many.field(PIG, ["score"])
