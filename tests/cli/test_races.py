"""What only races have: three players, rolls one by one in a difference, turns of a game, and tables; see `slow_races`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest

from .conftest import Ask
from .slow_races import EXACT, RACES, TIED, decisions, follow, points_of_rolling, rolls, three, value


def close(number: Any, rel: float = 0.0) -> Any:
    """Expect a number, or a list of numbers, up to the certified error."""
    return pytest.approx(number, rel=rel, abs=EXACT)


# Three players


def test_three_who_race_to_one_head_win_four_two_and_one_in_seven(ask: Ask) -> None:
    found = ask("solve", "one", "--players", 3)
    assert found["seat_values"] == close([4 / 7, 2 / 7, 1 / 7])
    assert (found["game"], found["players"], found["first_player_value"]) == ("one", 3, found["seat_values"][0])


@pytest.mark.parametrize(("game", "gains", "sides", "goal"), [("coin", [1], 2, 4), ("seven", [2, 3, 4, 5, 6], 6, 7)])
def test_three_who_all_play_to_win(game: str, gains: list[int], sides: int, goal: int, ask: Ask) -> None:
    assert ask("solve", game, "--players", 3)["seat_values"] == close(three(gains, sides, goal, (None, None, None)))


@pytest.mark.parametrize(
    ("game", "gains", "sides", "goal", "hold"), [("coin", [1], 2, 4, 2), ("seven", range(2, 7), 6, 7, 4)]
)
def test_the_best_answer_to_two_who_hold_in_every_seat(
    game: str, gains: Sequence[int], sides: int, goal: int, hold: int, ask: Ask
) -> None:
    found = ask("solve", game, "--players", 3, "--against", f"hold-at-{hold}")
    for seat in range(3):
        one, two, last = (None if place == seat else hold for place in range(3))
        assert found["seat_values"][seat] == close(three(gains, sides, goal, (one, two, last))[seat])
    assert found["same_policy_seat_values"] == close(three(gains, sides, goal, (hold, hold, hold)))


# Policies


def test_compare_has_four_policies_if_none_are_named(ask: Ask) -> None:
    """To one head everybody wins with a head but `random`, which throws on after it half of the time: 1/3 a turn."""
    found = ask("compare", "one")
    assert found["policies"] == ["win", "score", "simple", "random"]
    alike = [2 / 3, 2 / 3, 2 / 3, 3 / 4]
    for row, expected in zip(found["first_win"], [alike, alike, alike, [1 / 2, 1 / 2, 1 / 2, 3 / 5]], strict=True):
        assert row == close(expected)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", "hold-at-10"), ("coin", "hold-at-2"), ("pair", "score")])
def test_diff_against_a_policy_costs_what_the_best_answer_wins_more(game: str, against: str, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--against", against, "--limit", 0)
    best, score = (value(game, chosen, against, seat) for chosen in (None, "score"))
    assert found["win_probability_lost"] == close(best - score)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", None), ("short", "hold-at-10"), ("coin", None), ("pair", None)])
def test_diff_counts_the_decisions_and_the_disagreements(game: str, against: str | None, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--limit", 0, *(() if against is None else ("--against", against)))
    made = list(decisions(game, against, seat))
    parted = [roll for roll in made if roll.cost > 1e-9]
    assert found["decisions_per_game"] == close(math.fsum(roll.probability for roll in made), rel=1e-12)
    assert found["disagreements_per_game"] == close(math.fsum(roll.probability for roll in parted), rel=1e-12)
    rules = RACES[game]
    at_once = {
        roll.roll for roll in parted if (roll.score, roll.opponent, roll.turn, len(roll.roll)) == (0, 0, 0, rules.dice)
    }
    chance = math.fsum(chance for roll, chance, _ in rolls(rules, rules.dice) if roll in at_once)
    assert found["first_roll_disagreement"] == close(chance)
    assert found["rows"] == []


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", None), ("short", "hold-at-10"), ("coin", None), ("pair", None)])
def test_diff_lists_every_roll_at_which_points_and_winning_part(game: str, against: str | None, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--all", *(() if against is None else ("--against", against)))["rows"]
    expected = {roll[:6]: roll for roll in decisions(game, against, seat) if roll.cost > 1e-9}
    assert len(expected) >= 1
    assert len(found) == len(expected)
    for row in found:
        roll = expected[
            row["score"], row["opened"], row["opponent"], row["opponent_opened"], row["turn"],
            tuple(map(int, row["roll"].split())),
        ]  # fmt: skip
        for who, move in (("score", roll.taken), ("win", roll.best)):
            assert (row[f"{who}_keep"], row[f"{who}_bank"]) == (" ".join(map(str, move.keep)), move.bank)
        assert row["probability"] == close(roll.probability, rel=1e-12)
        assert row["cost"] == close(roll.cost)
        assert row["weighted_cost"] == row["probability"] * row["cost"]
        assert [row[f"{who}_keep_win_probability"] for who in ("score", "win")] == close(list(roll.chances))
        assert [row[f"{who}_keep_expected_score"] for who in ("score", "win")] == close(list(roll.expected), rel=1e-14)
        assert row["score_tied"] is roll.tied


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_diff_by_score_difference_sums_up_the_rolls(game: str, seat: str, ask: Ask) -> None:
    rows = ask("diff", game, "--seat", seat, "--by", "score-difference")["rows"]
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0] * 5)
    for roll in decisions(game, None, seat):
        parted = roll.cost > 1e-9
        riskier, safer = (parted and roll.taken.bank is bank and roll.best.bank is not bank for bank in (True, False))
        figures = (1.0, float(parted), roll.cost if parted else 0.0, float(riskier), float(safer))
        at = sums[roll.score - roll.opponent]
        for place, figure in enumerate(figures):
            at[place] += roll.probability * figure
    assert {row["differences"] for row in rows} >= sums.keys()
    assert sum(figures[3] for figures in sums.values()) > 1e-3
    assert game == "short" or sum(figures[4] for figures in sums.values()) > 1e-6
    for row in rows:
        names = ("decisions", "disagreements", "win_probability_lost", "riskier", "safer")
        assert [row[name] for name in names] == close(sums[row["differences"]], rel=1e-12)


# Turns of a game


@pytest.mark.parametrize(("first", "second"), [("win", "score"), ("score", "hold-at-10")])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_games_played_by_chance_are_as_long_as_they_should_be(game: str, first: str, second: str, ask: Ask) -> None:
    count = 40_000
    found = ask("simulate", game, "--first", first, "--second", second, "--games", count, "--seed", 11)
    _, longer = follow(game, first, second)
    mean = math.fsum(longer)
    variance = math.fsum((2 * n + 1) * chance for n, chance in enumerate(longer)) - mean**2
    assert abs(found["mean_turns"] - mean) < 4 * math.sqrt(variance / count)


# Tables


def test_the_stopping_table_says_from_where_on_rolling_loses_points(ask: Ask) -> None:
    assert ask("table", "pig", "stop")["rows"] == [[1, "1/6", pytest.approx(1 / 6, abs=1e-16), 21]]
    rules = RACES["pair"]
    worth = points_of_rolling(rules, True)
    stops = [next(total for total in range(1, 99) if worth[total, dice] < total - TIED) for dice in (1, 2)]
    rows = ask("table", "pair", "stop")["rows"]
    assert [[row[0], row[1], row[3]] for row in rows] == [[1, "1/2", stops[0]], [2, "1/4", stops[1]]]


def test_the_stopping_table_of_ten_thousand_is_the_published_one(ask: Ask) -> None:
    """Stop as in github.com/Amund211/10001, results.txt: it does not hang on the goal."""
    rows = ask("table", "two-thousand", "stop")["rows"]
    assert [(row[0], row[3]) for row in rows] == [(1, 350), (2, 250), (3, 450), (4, 1050), (5, 3100), (6, 18100)]


@pytest.mark.parametrize("game", ["short", "coin", "pair"])
def test_the_expectation_table_has_what_rolling_brings_at_every_total(game: str, ask: Ask) -> None:
    rules = RACES[game]
    worth = points_of_rolling(rules, True)
    rows = ask("table", game, "expected")["rows"]
    gains = ask("table", game, "expected", "--gain")["rows"]
    assert [row[0] for row in rows] == list(range(len(rows)))
    assert len(rows) >= rules.goal
    for row, gain in zip(rows, gains, strict=True):
        expected = [worth[row[0], dice] for dice in range(1, rules.dice + 1)] if row[0] < 100 else row[1:]
        assert row[1:] == pytest.approx(expected, rel=1e-14)
        assert gain == [row[0], *(number - row[0] for number in row[1:])]


def test_the_expected_gains_of_ten_thousand_are_the_published_ones(ask: Ask) -> None:
    """The same source: expected gain of rolling 1 to 6 dice at a turn total."""
    rows = {row[0]: row[1:] for row in ask("table", "two-thousand", "expected", "--gain")["rows"]}
    assert rows[0] == pytest.approx([217.2, 185.0, 197.2, 240.8, 336.8, 590.7], abs=0.0501)
    assert rows[500] == pytest.approx([-137.8, -116.2, -25.0, 83.8, 224.9, 519.5], abs=0.0501)


@pytest.mark.parametrize("target", [3, 8])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_the_reaching_table_has_the_best_chance_to_reach_a_total(game: str, target: int, ask: Ask) -> None:
    rules = RACES[game]
    chances: dict[tuple[int, int], float] = {}
    for total in range(target + 9, -1, -1):
        for dice in range(1, rules.dice + 1):
            chances[total, dice] = 1.0 if total >= target else math.fsum(
                chance * max(chances[total + points, left] for _, points, left in keeps)
                for _, chance, keeps in rolls(rules, dice)
                if keeps
            )  # fmt: skip
    rows = ask("table", game, "reach", "--target", target)["rows"]
    assert [row[0] for row in rows] == list(range(len(rows)))
    assert len(rows) > target - 1
    for total, *found in rows:
        assert found == pytest.approx([chances[total, dice] for dice in range(1, rules.dice + 1)], abs=1e-15)


def test_the_table_of_classes_counts_rolls(ask: Ask) -> None:
    """The outcome classes of ten-thousand are those of github.com/Amund211/10001, README."""
    rows = ask("table", "two-thousand", "classes")["rows"]
    classes = (3, 6, 14, 31, 61, 119)
    assert rows == [[dice, 6**dice, math.comb(dice + 5, dice), classes[dice - 1]] for dice in range(1, 7)]
    assert ask("table", "short", "classes")["rows"] == [[1, 6, 6, 6]]
