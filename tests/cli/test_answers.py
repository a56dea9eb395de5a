"""What the commands answer, pools and races alike: the promised keys, and figures against slow exact oracles."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import oracle
import pools
import pytest
from conftest import Run, Solve

import gametheory as gt
from gametheory import games

from . import slow_races
from .conftest import Ask, Tell
from .shared import SMALL, answer, files, write_files
from .slow_races import EXACT, RACES, SOLVED


def close(number: Any) -> Any:
    """Expect a number, or a list of numbers, up to the certified error."""
    return pytest.approx(number, rel=0.0, abs=EXACT)


# What every command answers.

DUEL = {"game", "dice", "tie", "match", "expected_score", "first_player_value", "second_player_value", "tables", "seconds"}
DIFFERENCE = {"decisions_per_game", "disagreements_per_game", "win_probability_lost", "first_roll_disagreement", "rows"}
PLAYED = {"first_win", "tie", "second_win", "standard_error", "first_mean", "second_mean"}

KEYS: list[tuple[str, set[str]]] = [
    ("solve 3d4", DUEL),
    ("solve 3d4 --match alternating", {"game", "dice", "tie", "match", "first_player_value", "tables"}),
    ("solve 3d4 --match simultaneous", {"game", "exploitability", "score_policy_exploitability"}),
    ("solve 3d4 --players 3", {"game", "seat_values"}),
    ("solve piglet", {"game", "expected_turn_score", "first_player_value", "iterations", "error_bound"}),
    ("solve coin.toml --players 3", {"game", "seat_values"}),
    ("solve 3d4 --against greedy", {"game", "first_player_value", "second_player_value"}),
    ("solve coin.toml --against hold-at-2", {"game", "first_player_value", "second_player_value"}),
    ("moves 3d4 d4:4,2,1", {"moves", "best_for_win", "best_for_score"}),
    ("moves coin.toml 2", {"moves", "best_for_win", "best_for_score"}),
    ("second 3d4", {"targets", "win_probability"}),
    ("distribution 3d4 --policy score", {"scores", "probabilities", "mean", "sd"}),
    ("compare 3d4", {"policies", "first_win", "tie", "second_win"}),
    ("compare coin.toml", {"policies", "first_win", "tie", "second_win"}),
    ("diff 3d4", DIFFERENCE),
    ("diff coin.toml", DIFFERENCE),
    ("simulate 3d4 --games 1000", PLAYED),
    ("simulate coin.toml --games 1000", PLAYED),
    ("table 3d4 one-die", {"columns", "rows"}),
    ("table 3d4 expected-maximum", {"columns", "rows"}),
    ("table coin.toml stop", {"columns", "rows"}),
    ("card 3d4 --size small", {"expected_score", "first_player_value", "rules"}),
    ("fair 3d4", {"bonus", "value_by_bonus"}),
    ("fair coin.toml", {"bonus", "value_by_bonus"}),
    ("verify", {"checked", "worst_residual"}),
    ("games", {"games"}),
]


@pytest.mark.parametrize(("line", "keys"), KEYS, ids=[line for line, _ in KEYS])
def test_json_is_one_object_with_the_promised_keys(
    line: str, keys: set[str], ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gametheory.store.tables.packaged_folder", lambda: ready / "none")  # verify only what is here
    write_files(Path.cwd())
    assert keys <= answer(run(*line.split(), "--json")).keys()
    plain = run(*line.split())
    assert (plain.status, plain.err) == (0, "")
    assert plain.out.endswith("\n")
    assert not plain.out.startswith("{")


def test_numbers_are_printed_at_full_precision(ready: Path, run: Run, solved: Solve) -> None:
    duel = solved(SMALL)
    found = answer(run("solve", SMALL, "--json"))
    assert found["first_player_value"] == duel.first_player_value
    assert found["second_player_value"] == 1.0 - duel.first_player_value
    assert found["expected_score"] == duel.expected_score
    assert found["tables"] == str(ready / f"{SMALL}.split.h5")
    found = answer(run("second", SMALL, "--json"))
    assert found["targets"] == list(range(3, 13))
    assert found["win_probability"] == [duel.second(target) for target in range(3, 13)]


MAIN: list[tuple[str, Callable[[Any], float]]] = [
    # For each command the number that its text must have too.
    ("solve short", lambda found: found["first_player_value"]),
    ("solve short --against hold-at-20", lambda found: found["first_player_value"]),
    ("solve one --players 3", lambda found: found["seat_values"][2]),
    ("solve 3d4 --against greedy", lambda found: found["win_policy_value"]),
    ("solve 3d4 --players 3", lambda found: found["seat_values"][1]),
    ("solve 3d4 --match simultaneous", lambda found: found["score_policy_exploitability"]),
    ("moves short 6 --against hold-at-20", lambda found: found["moves"][0]["win_probability"]),
    ("moves 3d4 d4:4,2,1", lambda found: found["moves"][1]["win_probability"]),
    ("second 3d4", lambda found: found["win_probability"][5]),
    ("distribution 3d4 --policy win", lambda found: found["probabilities"][4]),
    ("compare short --all", lambda found: found["second_win"][0][1]),
    ("compare 3d4 --all", lambda found: found["tie"][0][1]),
    ("compare 3d4", lambda found: found["value"][0][1]),
    ("diff short", lambda found: found["win_probability_lost"]),
    ("diff 3d4", lambda found: found["decisions_per_game"]),
    ("simulate short --games 1000", lambda found: found["first_win"]),
    ("simulate 3d4 --games 1000", lambda found: found["second_mean"]),
    ("simulate 3d4 --games 200 --match alternating", lambda found: found["seat_values"][1]),
    ("fair short", lambda found: found["value"]),
    ("fair 3d4", lambda found: found["value"]),
    ("card 3d4", lambda found: found["second_player_value"]),
]


@pytest.mark.parametrize(("line", "main"), MAIN, ids=[line for line, _ in MAIN])
def test_the_text_has_the_numbers_of_the_json(line: str, main: Callable[[Any], float], ask: Ask, tell: Tell) -> None:
    """Asked as text, every question has its main number in it, rounded to six places."""
    command, game, *more = line.split()
    assert f"{main(ask(command, game, *more)):.6f}" in tell(command, game, *more)


# solve


def test_solve_knows_what_is_published(folder: Path, run: Run) -> None:
    """Biscuits as its blog post has it; Neller and Presser: pig 0.5306 and 8.14 points a turn, piglet to two 4/7."""
    found = answer(run("solve", "biscuits", "--json"))
    assert found["dice"] == "12d6+d8+d10+d12"
    assert (found["tie"], found["match"]) == ("split", "sequential")
    assert round(found["expected_score"], 6) == 93.912068
    assert files(folder) == ["biscuits.split.h5"]
    pig = answer(run("solve", "pig", "--json"))
    assert (round(pig["first_player_value"], 4), round(pig["expected_turn_score"], 2)) == (0.5306, 8.14)
    assert answer(run("solve", "piglet", "--json"))["first_player_value"] == close(4 / 7)


def test_solve_prints_the_tie_rule_it_used(ready: Path, run: Run) -> None:
    values = {
        tie: answer(run("solve", SMALL, "--tie", tie, "--json"))["first_player_value"]
        for tie in ("first", "split", "0.5", "0.25", "second", "replay")
    }
    assert values["first"] > values["0.25"] > values["split"] > values["second"]
    assert values["split"] == values["0.5"]
    assert len(files(ready)) == 6


@pytest.mark.parametrize("game", SOLVED)
def test_solve_gives_the_chance_of_the_first_player_and_the_points_of_a_turn(game: str, ask: Ask) -> None:
    found, rules = ask("solve", game), RACES[game]
    assert found["game"] == game
    assert found["first_player_value"] == close(slow_races.value(game, None, None))
    assert found["second_player_value"] == 1.0 - found["first_player_value"]
    expected = slow_races.points_of_rolling(rules, True)[0, rules.dice]
    assert found["expected_turn_score"] == pytest.approx(expected, rel=1e-14)


def test_a_game_can_be_read_from_a_file(folder: Path, run: Run) -> None:
    Path("low.toml").write_text('dice = "3d4"\nwins = "lower"\n')
    found = answer(run("solve", "low.toml", "--json"))
    assert found["game"] == "low"
    assert found["expected_score"] == pytest.approx(15 - answer(run("solve", "3d4", "--json"))["expected_score"])


# Policies, by seat: what the slow oracles say of them.


@cache
def pool(game: str) -> tuple[oracle.Pool, bool]:
    """Return a pool as the oracle wants it, and whether higher scores win."""
    if game == "low":
        return ((2, (1, 2, 0, 4)),), False
    found = games.game(game)
    return pools.as_pool(found), found.higher_wins


@cache
def pool_policy(game: str, name: str) -> oracle.Policy:
    (dice, higher) = pool(game)
    made: dict[str, Callable[[], oracle.Policy]] = {
        "win": lambda: oracle.win_policy(dice, higher, Fraction(1, 2)),
        "score": lambda: oracle.score_policy(dice, higher),
        "greedy": lambda: oracle.greedy_policy(dice, higher),
        "random": oracle.random_policy,
    }
    return made[name]()


@cache
def outcome(game: str, first: str, second: str) -> tuple[float, float, float]:
    """Return the chances that the first player wins, that they tie, and that the second wins."""
    if game in RACES:
        chance = slow_races.value(game, first, second)
        return chance, 0.0, 1.0 - chance
    won, tied, lost = oracle.outcome(*pool(game), pool_policy(game, first), pool_policy(game, second))
    return float(won), float(tied), float(lost)


COMPARED = [
    ("2d4+d6", ["win", "score", "greedy", "random"]),
    ("3d4", ["greedy", "win", "score"]),
    ("short", ["win", "score", "hold-at-10"]),
    ("coin", ["hold-at-2", "win", "score", "hold-at-4"]),
    ("pair", ["score", "win", "hold-at-3"]),
]


@pytest.mark.parametrize(("game", "names"), COMPARED)
def test_compare_gives_every_pair_of_policies_by_seat(game: str, names: list[str], ask: Ask) -> None:
    found = ask("compare", game, "--policies", ",".join(names))
    assert (found["game"], found["policies"]) == (game, names)
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            figures = [found[key][row][column] for key in ("first_win", "tie", "second_win")]
            assert figures == close(list(outcome(game, first, second)))
            assert sum(figures) == pytest.approx(1.0, abs=1e-12)
            assert found["first_value"][row][column] == figures[0] + figures[1] / 2


@pytest.mark.parametrize(
    ("game", "against"),
    [
        ("2d4+d6", "greedy"), ("2d4+d6", "random"), ("3d4", "score"), ("short", "hold-at-10"), ("short", "hold-at-20"),
        ("coin", "hold-at-1"), ("coin", "hold-at-3"), ("pair", "hold-at-4"),
    ],
)  # fmt: skip
def test_the_best_answer_to_a_policy_wins_what_it_can_in_either_seat(game: str, against: str, ask: Ask) -> None:
    found = ask("solve", game, "--against", against)
    assert (found["game"], found["against"]) == (game, against)
    if game in RACES:
        best = [slow_races.value(game, None, against, seat) for seat in ("first", "second")]
    else:
        best = [float(chance) for chance in best_answer(game, against)]
    assert [found["first_player_value"], found["second_player_value"]] == close(best)
    won, tied, _ = outcome(game, "win", against)
    assert found["win_policy_value"] == close(won + tied / 2)
    assert found["first_player_value"] >= found["win_policy_value"] - EXACT


def best_answer(game: str, against: str) -> tuple[Fraction, Fraction]:
    """Return what the best answer to a policy of a pool is worth, sitting first and second."""
    (dice, higher), half = pool(game), Fraction(1, 2)
    made = oracle.distribution(dice, pool_policy(game, against))

    def beat(score: int) -> Fraction:
        return sum((chance * oracle.judge(score, other, higher, half) for other, chance in made.items()), Fraction(0))

    replies = oracle.second(dice, higher, half)
    second = sum((chance * replies[score] for score, chance in made.items()), Fraction(0))
    return oracle.values(dice, beat)[oracle.full(dice), 0], second


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("game", ["3d4", "2d4+d6", "threes", "short", "coin", "pair", "two-thousand"])
def test_diff_costs_what_compare_finds_between_win_and_score(game: str, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--limit", 0)
    table = ask("compare", game, "--policies", "win,score")
    win, score = (0, 0), ((1, 0) if seat == "first" else (0, 1))
    values = [table[f"{seat}_win"][row][column] + table["tie"][row][column] / 2 for row, column in (win, score)]
    assert found["win_probability_lost"] == close(values[0] - values[1])
    assert found["win_probability_lost"] >= (0 if game == "coin" else 1e-6)
    assert found["seat"].startswith(f"{seat} player")


@pytest.mark.parametrize("game", ["2d4+d6", "threes"])
def test_the_second_seat_of_a_pool_is_the_average_over_the_targets(game: str, ask: Ask) -> None:
    found, made = ask("diff", game, "--seat", "second"), ask("distribution", game, "--policy", "win")
    chances = dict(zip(made["scores"], made["probabilities"], strict=True))
    for figure in ("decisions_per_game", "disagreements_per_game", "win_probability_lost"):
        average = math.fsum(chances[row["target"]] * row[figure] for row in found["rows"])
        assert found[figure] == pytest.approx(average, abs=1e-12)
    dearest = max(found["rows"], key=lambda row: row["win_probability_lost"])
    alone = ask("diff", game, "--target", dearest["target"], "--limit", 0)
    assert alone["win_probability_lost"] == close(dearest["win_probability_lost"])
    assert alone["win_probability_lost"] > 1e-4


@pytest.mark.parametrize("game", ["4d6", "short"])
def test_diff_takes_a_limit_and_lists_the_dearest_first(game: str, ask: Ask) -> None:
    every = ask("diff", game, "--all")["rows"]
    assert len(every) > 7
    costs = sorted((row["weighted_cost"] for row in every), reverse=True)
    found = ask("diff", game, "--limit", 7)["rows"]
    assert [row["weighted_cost"] for row in found] == costs[:7]
    assert all(row in every for row in found)
    assert len(ask("diff", game)["rows"]) == min(100, len(every))
    assert ask("diff", game, "--limit", 0)["rows"] == []
    assert sorted(map(str, ask("diff", game, "--limit", 10**6)["rows"])) == sorted(map(str, every))


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("2d4+d6", "win", "score"), ("2d4+d6", "random", "greedy"), ("short", "win", "score"),
        ("short", "score", "hold-at-10"), ("pair", "win", "score"), ("pair", "score", "hold-at-10"),
    ],
)  # fmt: skip
def test_games_played_by_chance_agree_with_the_exact_chances(game: str, first: str, second: str, ask: Ask) -> None:
    count, asked = 40_000, ("simulate", game, "--first", first, "--second", second, "--games", 40_000, "--seed")
    found = ask(*asked, 11)
    assert (found["game"], found["first"], found["second"]) == (game, first, second)
    assert (found["games"], found["seed"]) == (count, 11)
    for key, chance in zip(("first_win", "tie", "second_win"), outcome(game, first, second), strict=True):
        assert abs(found[key] - chance) <= 4 * math.sqrt(chance * (1.0 - chance) / count)
    won = found["first_win"]
    assert found["standard_error"] == pytest.approx(math.sqrt(won * (1.0 - won) / count), rel=1e-9)
    assert found["first_win"] + found["tie"] + found["second_win"] == pytest.approx(1.0, abs=1e-15)
    assert ask(*asked, 11) == found
    assert ask(*asked, 12)["first_win"] != found["first_win"]


def test_games_of_many_dice_played_by_chance_agree_with_compare(ask: Ask) -> None:
    exact = ask("compare", "two-thousand", "--policies", "win,score,simple,random")
    for first, second in (("win", "score"), ("score", "simple"), ("random", "win")):
        found = ask("simulate", "two-thousand", "--first", first, "--second", second, "--games", 40_000, "--seed", 5)
        chance = exact["first_win"][exact["policies"].index(first)][exact["policies"].index(second)]
        assert abs(found["first_win"] - chance) < 4 * found["standard_error"]


@pytest.mark.parametrize(
    ("target", "policy"), [(None, "score"), (None, "win"), (None, "random"), (9, "win"), (11, "greedy")]
)
def test_a_distribution_is_that_of_the_policy(target: int | None, policy: str, ask: Ask) -> None:
    found = ask("distribution", "2d4+d6", "--policy", policy, *(() if target is None else ("--target", target)))
    exact = oracle.distribution(pool("2d4+d6")[0], pool_policy("2d4+d6", policy), target)
    by_score = dict(zip(found["scores"], found["probabilities"], strict=True))
    assert by_score == close({score: float(exact.get(score, 0)) for score in range(3, 15)})
    assert found["mean"] == close(float(sum(score * chance for score, chance in exact.items())))
    assert sum(found["probabilities"]) == pytest.approx(1, abs=1e-12)


# Head starts.

TIES = {"split": Fraction(1, 2), "first": Fraction(0), "second": Fraction(1), "0.25": Fraction(1, 4)}


@cache
def in_turn(game: str, tie: str, bonus: int) -> float:
    """Return the first player's value of a pool if the bonus is added to his final score."""
    dice, higher = pool(game)

    @cache
    def reply(target: int) -> Fraction:
        return oracle.chase(dice, higher, TIES[tie], target)[oracle.full(dice), 0]

    return float(oracle.values(dice, lambda made: 1 - reply(made + bonus))[oracle.full(dice), 0])


@cache
def roll_by_roll(game: str, tie: str, bonus: int) -> float:
    """Return the same where both roll in turn, all in view."""
    dice, higher = pool(game)
    start = oracle.full(dice)
    return float(oracle.alternating(dice, higher, TIES[tie], bonus)["first", start, start, bonus])


def given(game: str) -> dict[int, float]:
    """Return the chance in a race of the first player, at nothing, by what the second has been given, unopened."""
    rules, chances = RACES[game], slow_races.solved(game, None, None)[0]
    return {bonus: chances[slow_races.start(rules), (bonus, not rules.opening)] for bonus in range(rules.goal)}


CASES = [
    *((game, tie, match) for game in ("2d4", "d4+d6", "low") for tie in TIES for match in ("sequential", "alternating")),
    *((game, "split", "sequential") for game in SOLVED),
]


@pytest.mark.parametrize(("game", "tie", "match"), CASES)
def test_a_head_start_brings_the_game_nearest_to_even(game: str, tie: str, match: str, ask: Ask) -> None:
    """In a pool it is added to the first player's score, in a race the second player starts with it."""
    found = ask("fair", game, "--tie", tie, "--match", match)
    by_bonus, best = dict(map(tuple, found["value_by_bonus"])), found["bonus"]
    if game in RACES:
        exact, noise = given(game), EXACT
        shown = {bonus for bonus in exact if abs(bonus - best) <= 5}
    else:
        value = in_turn if match == "sequential" else roll_by_roll
        exact, noise = {bonus: value(game, tie, bonus) for bonus in range(-10, 11)}, 1e-14
        shown = {0, *range(best - 2, best + 3)}
        assert min(by_bonus) < 0 < max(by_bonus)
    assert by_bonus == pytest.approx({bonus: exact[bonus] for bonus in shown}, rel=0, abs=noise)
    assert abs(exact[best] - 0.5) <= min(abs(chance - 0.5) for chance in exact.values()) + noise
    assert found["value"] == by_bonus[best]


# Cards, stored tables, games.


def test_a_card_scores_what_it_makes_when_played(folder: Path, run: Run) -> None:
    card = answer(run("card", "biscuits", "--size", "small", "-o", "card.toml", "--json"))
    made = answer(run("distribution", "biscuits", "--policy", "card.toml", "--json"))
    assert made["mean"] == pytest.approx(card["expected_score"], abs=1e-9)
    assert card["loss"] == pytest.approx(card["optimal_expected_score"] - card["expected_score"], abs=1e-9)
    assert 0.01 < card["loss"] < 0.2


def test_a_card_wins_what_it_wins_when_played(folder: Path, run: Run) -> None:
    card = answer(run("card", "threes", "--seat", "first", "-o", "card.toml", "--json"))
    table = answer(run("compare", "threes", "--policies", "card.toml,win", "--json"))
    assert table["policies"] == ["card.toml", "win"]
    assert table["first_value"][0][1] == pytest.approx(card["first_player_value"], abs=1e-9)
    assert 1 - table["first_value"][1][0] == pytest.approx(card["second_player_value"], abs=1e-9)
    assert table["first_value"][0][1] <= table["first_value"][1][1] + 1e-9


def test_verify_finds_a_wrong_value(ready: Path, run: Run, solved: Solve) -> None:
    duel = solved(SMALL)
    path = ready / f"{SMALL}.split.h5"
    assert answer(run("verify", path, "--json"))["worst_residual"] < 1e-12
    wrong = duel.first_table.copy()
    wrong[2, 4] += 1e-6
    arrays = duel.arrays | {"first": (duel.arrays["first"][0], wrong)}
    gt.save(gt.Duel(duel.space, duel.tie, duel.tie_worth, arrays, duel.error_bound), path)
    ran = run("verify", path, "--json")
    assert ran.status == 1
    assert json.loads(ran.out)["worst_residual"] == pytest.approx(1e-6, rel=0.9)


def test_verify_refuses_a_damaged_table(ready: Path, run: Run) -> None:
    path = ready / f"{SMALL}.split.h5"
    path.write_bytes(path.read_bytes()[:-1])
    ran = run("verify", path)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert str(path) in ran.err


def test_games_lists_the_named_games_with_their_rules(run: Run) -> None:
    found = {game["name"]: game for game in answer(run("games", "--json"))["games"]}
    assert {"biscuits", "badg", "threes", "ten-thousand", "farkle", "pig"} <= found.keys()
    assert found["threes"]["wins"] == "lower"
    assert found["threes"]["dice"] == [{"count": 5, "die": "d6", "points": [1, 2, 0, 4, 5, 6]}]
