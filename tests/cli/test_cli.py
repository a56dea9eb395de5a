"""The command line: every command's answer, every wrong request, and what must stay quiet."""

from __future__ import annotations

import io
import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import pytest
from conftest import Ran, Run, Solve

import gametheory as gt
from gametheory import games, progress
from gametheory.ask import moves as ranking
from gametheory.dice import format_roll, keeps, parse_roll

COMMAND = [sys.executable, "-c", "import sys; from gametheory.cli import main; sys.exit(main())"]

SMALL = "3d4"

EXTREME = "d6:6x12 d8:1 d10:1 d12:1"

PRINTED = [
    # The sixteen lines of `analyze` in the blog post on Biscuits: sixes kept, whether the d8 is, and the points.
    (1, False, 93.836), (2, False, 93.761), (3, False, 93.691), (4, False, 93.625), (5, False, 93.565),
    (6, False, 93.509), (7, False, 93.462), (12, False, 93.449), (11, False, 93.427), (8, False, 93.426),
    (9, False, 93.407), (10, False, 93.407), (12, True, 87.292), (11, True, 87.167), (0, True, 87.064),
    (10, True, 87.037),
]  # fmt: skip

TYPICAL = "d6:6,6,5,5,4,4,3,3,2,2,1,1 d8:7 d10:9 d12:11"


def answer(ran: Ran) -> Any:
    """Return the one JSON object that a command printed, and see that it said nothing else."""
    assert (ran.status, ran.err) == (0, ""), ran.err

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    found = json.loads(ran.out, parse_constant=refuse)
    assert isinstance(found, dict)
    return found


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def ready(folder: Path, solved: Solve) -> Path:
    """Give a folder of tables with the small game in it."""
    gt.save(solved(SMALL), folder / f"{SMALL}.split.h5")
    return folder


# What every command answers.

KEYS: list[tuple[Sequence[str], set[str]]] = [
    (
        ["solve", SMALL],
        {"game", "dice", "tie", "match", "expected_score", "first_player_value", "second_player_value", "tables", "seconds"},
    ),
    (["solve", SMALL, "--match", "alternating"], {"game", "dice", "tie", "match", "first_player_value", "tables"}),
    (["solve", SMALL, "--match", "simultaneous"], {"game", "exploitability", "score_policy_exploitability"}),
    (["solve", SMALL, "--players", "3"], {"game", "seat_values"}),
    (["solve", "piglet"], {"game", "expected_turn_score", "first_player_value", "iterations", "error_bound"}),
    (["solve", SMALL, "--against", "greedy"], {"game", "first_player_value", "second_player_value"}),
    (["moves", SMALL, "d4:4,2,1"], {"moves", "best_for_win", "best_for_score"}),
    (["second", SMALL], {"targets", "win_probability"}),
    (["distribution", SMALL, "--policy", "score"], {"scores", "probabilities", "mean", "sd"}),
    (["compare", SMALL], {"policies", "first_win", "tie", "second_win"}),
    (
        ["diff", SMALL],
        {"decisions_per_game", "disagreements_per_game", "win_probability_lost", "first_roll_disagreement", "rows"},
    ),
    (
        ["simulate", SMALL, "--games", "1000"],
        {"first_win", "tie", "second_win", "standard_error", "first_mean", "second_mean"},
    ),
    (["table", SMALL, "one-die"], {"columns", "rows"}),
    (["table", SMALL, "expected-maximum"], {"columns", "rows"}),
    (["table", "pig", "stop"], {"columns", "rows"}),
    (["card", SMALL, "--size", "small"], {"expected_score", "first_player_value", "rules"}),
    (["fair", SMALL], {"bonus", "value_by_bonus"}),
    (["verify"], {"checked", "worst_residual"}),
    (["games"], {"games"}),
]


@pytest.mark.parametrize(("arguments", "keys"), KEYS, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_json_is_one_object_with_the_promised_keys(
    arguments: list[str], keys: set[str], ready: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gametheory.store.tables.packaged_folder", lambda: ready / "none")  # verify only what is here
    assert keys <= answer(run(*arguments, "--json")).keys()
    plain = run(*arguments)
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


def test_biscuits_is_solved_as_published(folder: Path, run: Run) -> None:
    found = answer(run("solve", "biscuits", "--json"))
    assert found["dice"] == "12d6+d8+d10+d12"
    assert (found["tie"], found["match"]) == ("split", "sequential")
    assert round(found["expected_score"], 6) == 93.912068
    assert files(folder) == ["biscuits.split.h5"]


def test_solve_prints_the_tie_rule_it_used(ready: Path, run: Run) -> None:
    values = {
        tie: answer(run("solve", SMALL, "--tie", tie, "--json"))["first_player_value"]
        for tie in ("first", "split", "0.5", "0.25", "second", "replay")
    }
    assert values["first"] > values["0.25"] > values["split"] > values["second"]
    assert values["split"] == values["0.5"]
    assert len(files(ready)) == 6


# Moves.


def test_moves_gives_the_sixteen_published_lines(folder: Path, run: Run) -> None:
    found = answer(run("moves", "biscuits", EXTREME, "--sort", "score", "--json"))
    for (sixes, eight, points), move in zip(PRINTED, found["moves"], strict=False):
        d6 = {0: "", 1: "d6:6", 2: "d6:6,6"}.get(sixes, f"d6:6x{sixes}")
        assert move["keep"] == " ".join(filter(None, [d6, "d8:1" if eight else ""]))
        assert round(move["expected_score"], 3) == points
        assert 0 < move["win_probability"] < 1
    assert len(found["moves"]) == 13 * 2 * 2 * 2 - 1
    assert (found["best_for_score"], found["best_for_win"]) == (0, 0)


def test_the_published_lines_are_in_the_printed_table(folder: Path, run: Run) -> None:
    lines = run("moves", "biscuits", EXTREME, "--sort", "score").out.splitlines()
    shown = [float(line.split()[-4]) for line in lines[2:14]]
    assert shown == [points for _, _, points in PRINTED[:12]]
    assert [line for line in lines if line.startswith("both")] == [lines[2]]


@pytest.mark.parametrize(
    ("game", "roll", "banked"),
    [("biscuits", "d6:6,6,5,3 d8:7 d12:11", "56"), ("threes", "d6:3,3,2,1", "0"), ("2d4+d6", "d4:4,4 d6:4", "0")],
)
def test_moves_lists_every_distinct_keep_once(game: str, roll: str, banked: str, folder: Path, run: Run) -> None:
    found = answer(run("moves", game, roll, "--banked", banked, "--json"))["moves"]
    kinds = games.pool_game(game).kinds
    shown = parse_roll(roll, kinds)
    expected = {format_roll(keep, kinds) for keep in keeps(shown)}
    assert {move["keep"] for move in found} == expected
    counts = prod(faces.count(face) + 1 for faces in shown for face in set(faces))
    assert len(found) == len(expected) == counts - 1


@pytest.mark.parametrize("target", [None, 8, 10])
def test_moves_are_what_the_library_ranks(target: int | None, ready: Path, run: Run, solved: Solve) -> None:
    ranked = gt.moves(solved(SMALL), "d4:4,2,1", target=target)
    more = [] if target is None else ["--target", str(target)]
    found = answer(run("moves", SMALL, "d4:4,2,1", *more, "--json"))
    assert [move["win_probability"] for move in found["moves"]] == [move.win_probability for move in ranked.moves]
    assert [move["expected_score"] for move in found["moves"]] == [move.expected_score for move in ranked.moves]
    assert (found["best_for_win"], found["best_for_score"]) == (ranked.best_for_win, ranked.best_for_score)
    first = found["moves"][0]
    assert first["points"] == ranked.moves[0].points
    assert first["dice_left"] == {1: "2d4", 2: "d4", 3: "none"}[sum(map(len, ranked.moves[0].keep))]


def find_a_parting(duel: gt.Duel, target: int) -> str:
    """Return a first roll at which playing to win and for points are not the same."""
    for roll, _ in duel.game.rolls(duel.game.start):
        ranked = ranking.rank(duel, roll, target=target)
        if ranked.best_for_score > 2:
            return format_roll(roll, duel.game.kinds)
    raise AssertionError("there is none")


def test_both_best_moves_are_marked_also_when_only_the_top_is_shown(folder: Path, run: Run, solved: Solve) -> None:
    duel = solved("4d6")
    gt.save(duel, folder / "4d6.split.h5")
    roll = find_a_parting(duel, 22)
    whole = answer(run("moves", "4d6", roll, "--target", "22", "--json"))
    short = answer(run("moves", "4d6", roll, "--target", "22", "--top", "1", "--json"))
    assert len(short["moves"]) == 2
    assert short["moves_in_all"] == len(whole["moves"]) > 2
    for mark in ("best_for_win", "best_for_score"):
        assert short["moves"][short[mark]] == whole["moves"][whole[mark]]
    lines = run("moves", "4d6", roll, "--target", "22", "--top", "1").out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["win", "score"]
    assert lines[4] == f"... and {len(whole['moves']) - 2} more: --top 0 shows all"
    by_score = answer(run("moves", "4d6", roll, "--target", "22", "--sort", "score", "--json"))
    assert by_score["best_for_score"] == 0
    assert by_score["moves"][by_score["best_for_win"]] == whole["moves"][0]
    scores = [move["expected_score"] for move in by_score["moves"]]
    assert scores == sorted(scores, reverse=True)


def test_top_shows_that_many_and_0_shows_all(ready: Path, run: Run) -> None:
    whole = answer(run("moves", SMALL, "d4:4,2,1", "--json"))["moves"]
    assert len(whole) == 7
    assert answer(run("moves", SMALL, "d4:4,2,1", "--top", "3", "--json"))["moves"] == whole[:3]
    assert answer(run("moves", SMALL, "d4:4,2,1", "--top", "0", "--json"))["moves"] == whole
    assert answer(run("moves", SMALL, "d4:4,2,1", "--top", "99", "--json"))["moves"] == whole


@pytest.mark.parametrize(
    ("game", "target", "chance"),
    [
        (SMALL, "13", 0.0), (SMALL, "2", 1.0), (SMALL, "-5", 1.0), (SMALL, str(10**30), 0.0),
        ("threes", "31", 1.0), ("threes", "-1", 0.0), ("threes", str(-(10**30)), 0.0),
    ],
)  # fmt: skip
def test_a_target_beyond_all_scores_is_answered(game: str, target: str, chance: float, ready: Path, run: Run) -> None:
    roll = {SMALL: "d4:4,2,1", "threes": "d6:3,3,1,5,6"}[game]
    found = answer(run("moves", game, roll, "--target", target, "--json"))
    assert {move["win_probability"] for move in found["moves"]} == {chance}
    # Nothing to choose between in chances: the best for points it is.
    assert found["best_for_win"] == found["best_for_score"] == 0
    assert answer(run("distribution", game, "--policy", "win", "--target", target, "--json"))["probabilities"]


def test_points_banked_are_part_of_the_expected_score(ready: Path, run: Run) -> None:
    low, high = (answer(run("moves", SMALL, "d4:3", "--banked", banked, "--json"))["moves"][0] for banked in ("2", "8"))
    assert (low["expected_score"], high["expected_score"]) == (5.0, 11.0)
    assert low["dice_left"] == high["dice_left"] == "none"
    start = ("moves", SMALL, "d4:3,2,1", "--json")
    assert answer(run(*start)) == answer(run(*start, "--banked", "0"))


def test_groups_of_a_roll_may_come_in_any_order_and_apart(folder: Path, run: Run) -> None:
    one = run("moves", "2d4+d6", "d4:3,1 d6:5", "--json")
    assert run("moves", "2d4+d6", "d6:5 d4:1 D4:3", "--json") == one
    assert run("moves", "d6+2d4", " d4:1,3  d6:5x1 ", "--json") == one
    assert one.status == 0


def test_race_moves_say_bank_or_roll(folder: Path, run: Run) -> None:
    found = answer(run("moves", "piglet", "2", "--score", "0", "--opponent", "1", "--json"))
    for move in found["moves"]:
        assert set(move) >= {"keep", "points", "dice_left", "bank", "expected_score", "win_probability"}
    assert sorted(move["bank"] for move in found["moves"]) == [False, True]
    chances = [move["win_probability"] for move in found["moves"]]
    assert chances == sorted(chances, reverse=True)
    assert "bank" in run("moves", "piglet", "2").out


# Commands agree with one another.


def test_commands_agree(ready: Path, run: Run, solved: Solve) -> None:
    duel = solved(SMALL)
    spread = answer(run("distribution", SMALL, "--policy", "score", "--json"))
    assert spread["mean"] == pytest.approx(duel.expected_score, abs=1e-9)
    assert sum(spread["probabilities"]) == pytest.approx(1, abs=1e-12)
    table = answer(run("compare", SMALL, "--policies", "win,score", "--json"))
    assert table["policies"] == ["win", "score"]
    value = [[w + t / 2 for w, t in zip(*rows, strict=True)] for rows in zip(table["first_win"], table["tie"], strict=True)]
    assert value[0][0] == pytest.approx(duel.first_player_value, abs=1e-12)
    lost = answer(run("diff", SMALL, "--json"))["win_probability_lost"]
    assert lost == pytest.approx(value[0][0] - value[1][0], abs=1e-9)
    assert lost > 0
    for one, tie, two in zip(table["first_win"], table["tie"], table["second_win"], strict=True):
        assert [sum(parts) for parts in zip(one, tie, two, strict=True)] == pytest.approx([1, 1], abs=1e-12)
    chosen = ("--first", "win", "--second", "score", "--games", "20000", "--seed", "5")
    played = answer(run("simulate", SMALL, *chosen, "--json"))
    assert abs(played["first_win"] - table["first_win"][0][1]) < 4 * played["standard_error"]
    assert played["first_win"] + played["tie"] + played["second_win"] == pytest.approx(1)


def test_simulation_repeats_itself_by_its_seed(ready: Path, run: Run) -> None:
    ask = ("simulate", SMALL, "--games", "1000", "--json", "--seed")
    assert run(*ask, "3").out == run(*ask, "3").out != run(*ask, "4").out


def test_diff_takes_a_limit_and_lists_the_dearest_first(folder: Path, run: Run) -> None:
    whole = answer(run("diff", "4d6", "--json", "--limit", "1000"))["rows"]
    worth = [row["weighted_cost"] for row in whole]
    assert worth == sorted(worth, reverse=True)
    assert len(whole) > 2
    short = answer(run("diff", "4d6", "--json", "--limit", "2"))["rows"]
    assert [row["weighted_cost"] for row in short] == worth[:2]
    assert answer(run("diff", "4d6", "--json", "--limit", "0"))["rows"] == []
    listed = answer(run("diff", "4d6", "--json", "--all"))["rows"]
    assert sorted(map(str, listed)) == sorted(map(str, whole))


def test_verify_finds_a_wrong_value(ready: Path, run: Run, solved: Solve) -> None:
    duel = solved(SMALL)
    path = ready / f"{SMALL}.split.h5"
    assert answer(run("verify", path, "--json"))["worst_residual"] < 1e-12
    wrong = duel.first_table.copy()
    wrong[2, 4] += 1e-6
    made = gt.Duel(duel.game, duel.tie, duel.tie_worth, duel.expected_table, wrong, duel.second_table, duel.error_bound)
    gt.save(made, path)
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


def test_a_game_can_be_read_from_a_file(folder: Path, run: Run) -> None:
    Path("low.toml").write_text('dice = "3d4"\nwins = "lower"\n')
    found = answer(run("solve", "low.toml", "--json"))
    assert found["game"] == "low"
    assert found["expected_score"] == pytest.approx(15 - answer(run("solve", "3d4", "--json"))["expected_score"])


# Wrong requests.

WRONG = [
    "", "nope", "--nope",
    # solve
    "solve", "solve bisquits", "solve 0d6", "solve 3d1", "solve d-6", "solve 6d6+", "solve 40d6+20d20", "solve ''",
    "solve ' '", "solve d", "solve 4d", "solve 4", "solve -4d6", "solve 4d6.5", "solve 4d6+biscuits", "solve 4d0",
    "solve 99999999999999999999d6", "solve 2d99999999999999999999", "solve 4*d6", "solve ²d6", "solve nothing.toml",
    "solve 3d4 --tie draw", "solve 3d4 --tie 1.5", "solve 3d4 --tie -0.1", "solve 3d4 --tie nan", "solve 3d4 --tie inf",
    "solve 3d4 --tie ''", "solve 3d4 --tie 1/2", "solve 3d4 --tie", "solve 3d4 --match nope", "solve 3d4 --match ''",
    "solve 3d4 --players 1", "solve 3d4 --players 0", "solve 3d4 --players -2", "solve 3d4 --players 1000000",
    "solve 3d4 --players x", "solve 3d4 --players 3 --tie first", "solve 3d4 --players 3 --match alternating",
    "solve 3d4 --match simultaneous --tie first", "solve 3d4 --threads 0", "solve 3d4 --threads -1", "solve 3d4 4d4",
    "solve 3d4 --against nope", "solve 3d4 --against score --players 3", "solve pig --tie first",
    "solve pig --match alternating", "solve pig --players 99",
    # moves
    "moves", "moves 3d4", "moves 3d4 ''", "moves 3d4 ' '", "moves 3d4 d4:5", "moves 3d4 d4:0", "moves 3d4 d4:-1",
    "moves 3d4 d6:1", "moves 3d4 d4:1,1,1,1", "moves 3d4 d4:1x4", "moves 3d4 d4:1x0", "moves 3d4 d4:1x99999999999999",
    "moves 3d4 d4:", "moves 3d4 d4", "moves 3d4 d4:,", "moves 3d4 4,4,4", "moves 3d4 d4:1.5", "moves 3d4 d4:a",
    "moves 3d4 'd4:1,1 d4:1,1'", "moves 3d4 d4:1x", "moves 3d4 d4:1x2x3", "moves 3d4 :1", "moves 3d4 d4:1;d4:2",
    "moves 3d4 d4:1,1", "moves 3d4 d4:1,1 --banked -1", "moves 3d4 d4:1,1 --banked 5", "moves 3d4 d4:1,1 --banked 0",
    "moves 3d4 d4:1,1,1 --banked 1", "moves 3d4 d4:1,1 --banked 99999999999999999999", "moves 3d4 d4:1,1 --banked x",
    "moves 3d4 d4:1,1,1 --target x", "moves 3d4 d4:1,1,1 --target 1.5", "moves 3d4 d4:1,1,1 --top -1",
    "moves 3d4 d4:1,1,1 --sort points", "moves 3d4 d4:1,1,1 --sort ''", "moves 3d4 d4:1,1,1 --tie 2",
    "moves 3d4 d4:1,1,1 --turn 3", "moves 3d4 d4:1,1,1 --score 3", "moves 3d4 d4:1,1,1 --lead 3",
    "solve 3d4 --match simultaneous --tolerance 1e-14", "solve 3d4 --match simultaneous --tolerance -1",
    "solve 3d4 --match simultaneous --tolerance nan", "solve 3d4 --tolerance 1e-6",
    "moves 3d4 d4:1,1,1 --seat second", "moves 3d4 d4:1,1,1 --match simultaneous", "moves 3d4 d4:1,1,1 --match x",
    "moves 3d4 d4:1,1,1 --against nope", "moves 40d6+20d20 d6:1 --banked 400", "moves piglet 3", "moves piglet ''",
    "moves piglet '2 2'", "moves piglet d2:2", "moves piglet 1", "moves piglet 2 --turn -1", "moves piglet 2 --score -1",
    "moves piglet 2 --opponent 10", "moves piglet 2 --banked 3", "moves piglet 2 --target 3", "moves piglet 2 --tie first",
    "moves piglet 2 --score 99999999999999999999", "moves piglet ٢",
    # second
    "second", "second pig", "second nope", "second 3d4 --tie x", "second 3d4 --tie -1", "second 0d6", "second 3d4 9",
    "second 40d6+20d20", "second ''", "second 3d4 --json=1",
    # distribution
    "distribution", "distribution 3d4", "distribution 3d4 --policy nope", "distribution 3d4 --policy ''",
    "distribution 3d4 --policy Score", "distribution 3d4 --policy score,win", "distribution pig --policy score",
    "distribution 3d4 --policy score --target x", "distribution 3d4 --policy score --tie x", "distribution 0d6 --policy win",
    "distribution 3d4 --policy nothing.toml",
    # compare
    "compare", "compare nope", "compare 3d4 --policies nope", "compare 3d4 --policies ''", "compare 3d4 --policies ,",
    "compare 3d4 --policies score,", "compare 3d4 --policies 'score win'", "compare 3d4 --tie x", "compare pig --tie first",
    "compare pig --policies greedy", "compare pig --policies hold-at-0", "compare pig --policies hold-at-x",
    # diff
    "diff", "diff nope", "diff 3d4 --limit -1", "diff 3d4 --limit x", "diff 3d4 --target 2", "diff 3d4 --target 13",
    "diff 3d4 --target x", "diff 3d4 --format xlsx", "diff 3d4 --format ''", "diff 3d4 --format parquet",
    "diff 3d4 -o nowhere/x.csv", "diff 3d4 -o x.xlsx", "diff 3d4 -o ''", "diff 3d4 -o .", "diff 3d4 --by nope",
    "diff 3d4 --by score-difference", "diff pig --by place", "diff pig --target 3", "diff 3d4 --against nope",
    "diff 3d4 --tie 7", "diff 3d4 --format CSV -o x.csv",
    # simulate
    "simulate", "simulate nope", "simulate 3d4 --games 0", "simulate 3d4 --games -5", "simulate 3d4 --games x",
    "simulate 3d4 --games 1e3", "simulate 3d4 --games 99999999999999999999", "simulate 3d4 --seed -1",
    "simulate 3d4 --seed x", "simulate 3d4 --first nope", "simulate 3d4 --second ''", "simulate 3d4 --tie x",
    "simulate pig --games 0", "simulate pig --first greedy",
    # table
    "table", "table 3d4", "table 3d4 nope", "table 3d4 ''", "table 3d4 expected", "table pig nope", "table pig one-die",
    "table pig reach --target -5", "table pig reach --target 0", "table pig reach --target x", "table nope one-die",
    # card
    "card", "card nope", "card pig", "card 3d4 --size huge", "card 3d4 --size ''", "card 3d4 --size 7", "card 3d4 --seat x",
    "card 3d4 --tie x", "card 3d4 -o x.doc", "card 3d4 -o nowhere/x.svg", "card 3d4 -o ''",
    # fair
    "fair", "fair nope", "fair 3d4 --tie x", "fair 3d4 --match x", "fair 3d4 --match simultaneous --tie first",
    "fair pig --tie first", "fair pig --match alternating", "fair 0d6", "fair ''", "fair 40d6+20d20",
    # plot
    "plot", "plot 3d4", "plot 3d4 second", "plot 3d4 nope -o x.png", "plot 3d4 '' -o x.png", "plot 3d4 second -o x.gif",
    "plot 3d4 second -o x", "plot 3d4 second -o nowhere/x.png", "plot 3d4 second -o ''", "plot nope second -o x.png",
    "plot 3d4 second -o x.png --tie x", "plot pig second -o x.png",
    # verify
    "verify nothing.h5", "verify .", "verify ''", "verify --seed x",
    # games, sweep, page, serve, play
    "games nope", "games --nope", "sweep", "sweep nope", "sweep 3d4 --tie x", "sweep 3d4 --match x", "sweep 3d4 --players x",
    "sweep 3d4 --policies nope", "sweep '{n}d4'", "sweep 3d4 -o nowhere/x.csv", "sweep 3d4 -o x.doc",
    "page 3d4", "page nope -o x.html", "page 3d4 -o nowhere/x.html", "page 3d4 -o x.html --tie x",
    "serve nope", "serve 3d4 --port -1", "serve 3d4 --port 99999999", "serve 3d4 --port x",
    "play", "play nope", "play 3d4 --seed -1", "play 3d4 --seat x", "play 3d4 --tie x",
]  # fmt: skip


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_request_gets_one_line_and_nothing_is_written(
    line: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.delattr("socketserver.BaseServer.serve_forever")  # so that nothing is served by mistake
    ran = run(*shlex.split(line))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("gametheory: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert files(folder) == files(Path.cwd()) == []


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("solve bisquits", ["bisquits", "did you mean 'biscuits'"]),
        ("solve 40d6+20d20", ["years", "GB", "--force"]),
        ("moves biscuits d6:7", ["d6:7", "faces 1 to 6"]),
        ("moves 3d4 d20:1", ["d20", "d4"]),
        ("moves 3d4 d4:1x4", ["4 d4", "has 3"]),
        ("moves 3d4 d4:1,1 --banked 9", ["9 points", "1 to 4"]),
        ("moves 3d4 d4:1,1", ["--banked N"]),
        ("solve 3d4 --tie draw", ["draw", "split, first, second, replay"]),
        ("solve 3d4 --tie 2", ["2", "from 0 to 1"]),
        ("compare 3d4 --policies best", ["best", "score, win, greedy, random"]),
        ("diff 3d4 --format xlsx", ["xlsx", "csv, json or parquet"]),
        ("diff 3d4 -o nowhere/x.csv", ["nowhere/x.csv", "folder that exists"]),
        ("plot 3d4 nope -o x.png", ["nope", "distributions"]),
    ],
)
def test_the_line_says_what_was_given_and_what_to_do(line: str, parts: list[str], folder: Path, run: Run) -> None:
    err = run(*line.split()).err
    for part in parts:
        assert part in err


def test_a_file_that_exists_is_replaced_only_by_force(ready: Path, run: Run) -> None:
    path = Path("out.csv")
    path.write_text("mine")
    for command in (["diff", SMALL], ["plot", SMALL, "second"], ["card", SMALL], ["page", SMALL]):
        ran = run(*command, "-o", path)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "--force" in ran.err
        assert path.read_text() == "mine"
    assert run("diff", SMALL, "-o", path, "--force").status == 0
    assert path.read_text().startswith("dice_left,banked,roll,")
    assert files(Path.cwd()) == ["out.csv"]


def test_an_impossible_replay_is_refused(folder: Path, run: Run) -> None:
    Path("same.toml").write_text('dice = "2d4"\npoints.d4 = [1, 1, 1, 1]\n')
    ran = run("solve", "same.toml", "--tie", "replay")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert files(folder) == []


@pytest.mark.parametrize(
    "text",
    [
        "", "dice = 3", 'dice = "0d6"', 'dice = "2d4"\nwins = "both"', 'dice = "2d4"\nspeed = 1', "dice = ",
        'dice = "2d4"\npoints = 3', 'dice = "2d4"\npoints.d4 = [1, 2]', 'dice = "2d4"\npoints.d6 = [1, 2]',
        'dice = "2d4"\npoints.d4 = [1, 2, 3, "x"]', 'dice = "2d4"\nname = 3', "goal = 0", 'like = "nope"', "\x00",
    ],
)  # fmt: skip
def test_a_file_with_wrong_rules_is_refused_by_name(text: str, folder: Path, run: Run) -> None:
    Path("rules.toml").write_text(text)
    ran = run("solve", "rules.toml")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "rules.toml" in ran.err
    assert files(folder) == []


# Quiet where it should be.


def real(*arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=120, check=False, **how)


def test_a_real_process_answers_and_refuses(ready: Path) -> None:
    ran = real("moves", SMALL, "d4:4,2,1", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(json.loads(ran.stdout)["moves"]) == 7
    ran = real("moves", SMALL, "d4:5")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    ran = subprocess.run(
        [sys.executable, "-m", "gametheory.cli", "--version"], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0


HEAVY = ["numba", "matplotlib", "scipy", "pyarrow", "xarray", "pandas", "rich", "distributed"]


@pytest.mark.parametrize("arguments", [["moves", "biscuits", EXTREME], ["second", "threes"], ["games"], ["verify"]])
def test_a_stored_table_is_asked_without_anything_heavy(arguments: list[str], ready: Path) -> None:
    script = (
        "import sys, gametheory\n"
        "from gametheory.cli import main\n"
        f"status = main({arguments!r})\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    if arguments == ["verify"]:
        script = script.replace("['verify']", repr(["verify", str(ready / f"{SMALL}.split.h5")]))
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "[]\n")


@pytest.mark.parametrize(
    "arguments",
    [["moves", "biscuits", TYPICAL], ["second", "biscuits", "--json"], ["diff", SMALL, "--format", "csv"], ["games"]],
)
def test_a_reader_that_has_seen_enough_is_no_error(arguments: list[str], ready: Path) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert (process.wait(120), err) == (0, b"")


def test_head_takes_the_first_line(ready: Path) -> None:
    line = " ".join(f"'{part}'" for part in [*COMMAND, "moves", "biscuits", TYPICAL])
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{line} | head -n 1"], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("biscuits: d6:")


def test_a_missing_table_is_said_to_a_terminal_only(folder: Path) -> None:
    quiet = real("second", "2d4", "--json")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, "second", "2d5", "--json"], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert "There is no table of 2d5 yet (2d5.split.h5): solving it now." in said
    assert json.loads(out)["targets"] == list(range(2, 11))
    assert files(folder) == ["2d4.split.h5", "2d5.split.h5"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_bar_is_for_a_terminal_and_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(stream: io.StringIO, patience: float) -> str:
        monkeypatch.setattr(progress, "PATIENCE", patience)
        monkeypatch.setattr(sys, "stderr", stream)
        with progress.bar("counting sheep") as advance:
            for part in range(11):
                advance(part / 10)
        monkeypatch.undo()
        return stream.getvalue()

    assert show(io.StringIO(), 0.0) == ""
    assert show(Terminal(), 3600.0) == ""
    assert "counting sheep" in show(Terminal(), 0.0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["moves", "biscuits", TYPICAL], ["moves", "biscuits", TYPICAL, "--target", "96", "--top", "5"],
        ["moves", "biscuits", "d6:6,6,5,3 d8:7 d12:11", "--banked", "56"], ["second", "biscuits"], ["games"],
        ["solve", SMALL, "--against", "score"], ["compare", SMALL], ["diff", SMALL], ["diff", SMALL, "--by", "target"],
        ["diff", SMALL, "--by", "place"], ["distribution", SMALL, "--policy", "win"], ["simulate", SMALL, "--games", "9"],
        ["fair", SMALL], ["card", SMALL], ["table", "biscuits", "expected-maximum"],
        ["moves", "ten-thousand", "1 1 5 3 2 2"],
    ],
)  # fmt: skip
def test_what_people_read_fits_80_columns(arguments: list[str], ready: Path, run: Run) -> None:
    ran = run(*arguments)
    assert ran.status == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
    assert [line for line in ran.out.splitlines() if line != line.rstrip()] == []


def test_stopping_by_keyboard_is_quiet(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gametheory.match.duel.solve", stop)
    assert run("solve", SMALL) == Ran(130, "", "stopped\n")
    assert files(folder) == []


def test_what_the_system_refuses_is_one_line(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("gametheory.match.duel.solve", fail)
    ran = run("solve", SMALL)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
