"""Games of one's own answer every question on the command line, and keep every kind of table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from gametheory.store import tables

GAME = '''
"""Throw a coin three times; each time, take what it shows or leave it."""

class Coins:
    name = "coins"
    start = 3

    def rolls(self, left):
        return [("heads", 1), ("tails", 2)] if left else []

    def moves(self, left, roll):
        yield "take", left - 1, 2 if roll == "heads" else -1
        yield "leave", left - 1, 0
        yield "stop", 0, 0
'''
ROLLS = {"midnight": "6 6 5 4 2 1", "shut-the-box": "7", "ship-captain-crew": "6 4 5 4 1", "coins.py:Coins": "tails"}
TARGETS = {"midnight": 18, "shut-the-box": 9, "ship-captain-crew": 8, "coins.py:Coins": 2}


@pytest.fixture
def ask(folder: Path, run: Run) -> Any:
    """Ask a question as JSON in a folder that has the game of the user's own."""
    Path("coins.py").write_text(GAME)

    def ask(*arguments: str) -> Any:
        ran = run(*arguments, "--json")
        assert (ran.status, ran.err) == (0, ""), ran
        return json.loads(ran.out)

    return ask


@pytest.mark.parametrize("game", ["midnight", "ship-captain-crew", "coins.py:Coins"])
def test_every_kind_of_table_is_kept_found_and_verified(game: str, ask: Any, folder: Path) -> None:
    ways = (["--tie", "first"], ["--players", "3"], ["--match", "simultaneous"])
    solved = [ask("solve", game, *way) for way in ways]
    again = [ask("solve", game, *way) for way in ways]  # which is refused where the content is another
    for first, second in zip(solved, again, strict=True):
        assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert len(list(folder.glob("*.h5"))) == 3
    checked = ask("verify", *([game] if ".py" in game else map(str, folder.glob("*.h5"))))
    assert len(checked["files"]) == 3
    assert all(file["checked"] > 3 for file in checked["files"])
    assert checked["worst_residual"] < 1e-12


@pytest.mark.parametrize("game", ROLLS)
def test_every_question_is_answered(game: str, ask: Any, run: Run) -> None:
    target = str(TARGETS[game])
    for seat in ([], ["--target", target]):
        moves = ask("moves", game, ROLLS[game], *seat)
        best = moves["moves"][moves["best_for_win"]]
        assert best["win_probability"] == max(move["win_probability"] for move in moves["moves"])
        made = ask("distribution", game, "--policy", "win", *seat)
        assert sum(made["probabilities"]) == pytest.approx(1.0, abs=1e-12)
        diff = ask("diff", game, *seat)
        cost = sum(row["probability"] * row["cost"] for row in diff["rows"])
        assert cost <= diff["win_probability_lost"] + 1e-12
    chances = ask("second", game)
    reach = ask("distribution", game, "--policy", f"reach:{target}")
    assert sum(reach["probabilities"]) == pytest.approx(1.0, abs=1e-12)
    headline = ask("solve", game)
    against = dict(zip(chances["targets"], chances["win_probability"], strict=True))
    win = ask("distribution", game, "--policy", "win")
    value = sum(p * (1 - against[s]) for s, p in zip(win["scores"], win["probabilities"], strict=True))
    assert value == pytest.approx(headline["first_player_value"], abs=1e-12)
    compared = ask("compare", game, "--policies", "win,score")
    both = compared["first_win"][0][0] + compared["tie"][0][0] / 2
    assert both == pytest.approx(value, abs=1e-12)
    played = ask("simulate", game, "--first", "win", "--second", "win", "--games", "4000", "--seed", "3")
    assert abs(played["first_win"] + played["tie"] / 2 - value) < 4 * played["standard_error"]
    assert dict(ask("fair", game)["value_by_bonus"])[0] == pytest.approx(value, abs=1e-12)
    assert ask("sweep", game)["rows"][0]["first_player_value"] == pytest.approx(value, abs=1e-12)
    for figure in ("distributions", "second", "cost-by-target"):
        ask("plot", game, figure, "-o", f"{figure}.svg")


POOL = '''
"""The pool 2d4+d6, die by die; moves in the order in which pools break ties: fewer dice, then more of the smaller."""

from itertools import combinations, product

class Pool:
    name = "pool"
    start = (4, 4, 6)

    def rolls(self, dice):
        return [(faces, 1) for faces in product(*(range(1, sides + 1) for sides in dice))] if dice else []

    def moves(self, dice, roll):
        places = range(len(dice))
        kept = [part for size in places for part in combinations(places, size + 1)]
        def order(part):
            return len(part), [dice[i] for i in part].count(6), sorted((dice[i], -roll[i]) for i in part)
        for part in sorted(kept, key=order):
            rest = tuple(dice[i] for i in places if i not in part)
            yield tuple((dice[i], roll[i]) for i in part), rest, sum(roll[i] for i in part)
'''


def test_a_pool_by_this_protocol_answers_as_the_pool_does(ask: Any) -> None:
    """Asked on the command line, to 1e-12: by ordered rolls, and moves by the place of a die."""
    Path("pool.py").write_text(POOL)

    def same(*arguments: str, keys: list[str]) -> None:
        ours, theirs = (ask(arguments[0], game, *arguments[1:]) for game in ("pool.py:Pool", "2d4+d6"))
        for key in keys:
            assert ours[key] == pytest.approx(theirs[key], abs=1e-12), (arguments, key)

    for tie in ("split", "first"):
        same("solve", "--tie", tie, keys=["expected_score", "first_player_value", "second_player_value"])
        same("second", "--tie", tie, keys=["targets", "win_probability"])
        for policy in ("score", "win"):
            for seat in ([], ["--target", "11"]):
                made = ["scores", "probabilities", "mean", "sd"]
                same("distribution", "--policy", policy, "--tie", tie, *seat, keys=made)
        compared = [ask("compare", game, "--policies", "score,win", "--tie", tie) for game in ("pool.py:Pool", "2d4+d6")]
        for key in ("first_win", "tie", "second_win"):
            assert compared[0][key] == [pytest.approx(row, abs=1e-12) for row in compared[1][key]]
        summary = ["decisions_per_game", "disagreements_per_game", "win_probability_lost", "first_roll_disagreement"]
        for seat in ([], ["--target", "11"]):
            same("diff", "--tie", tie, *seat, keys=summary)
    same("solve", "--players", "3", keys=["seat_values"])
    same("fair", keys=["bonus"])
    even = [dict(ask("fair", game)["value_by_bonus"]) for game in ("pool.py:Pool", "2d4+d6")]
    assert even[0] == pytest.approx(even[1], abs=1e-12)
    same("solve", "--match", "simultaneous", keys=["first_player_value"])


def test_a_changed_rule_is_another_table(ask: Any, folder: Path) -> None:
    first = ask("solve", "coins.py:Coins")
    Path("coins.py").write_text(GAME.replace("else -1", "else -2"))
    other = ask("solve", "coins.py:Coins")
    assert first["tables"] != other["tables"]
    assert len(list(folder.glob("coins-*.split.h5"))) == 2
    Path("coins.py").write_text(GAME.replace("left", "coins_left"))
    assert ask("solve", "coins.py:Coins")["tables"] == first["tables"]


def test_a_table_whose_rules_are_python_is_verified_with_the_file_alone(
    ask: Any, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "packaged_folder", lambda: folder)
    path = ask("solve", "coins.py:Coins")["tables"]
    ran = run("verify", path)
    assert (ran.status, ran.out) == (2, "")
    assert "the rules of coins are not in the table: give the game, as FILE.py:NAME" in ran.err
    listed = {Path(file["file"]).name: file["checked"] for file in ask("verify")["files"]}
    assert listed[Path(path).name] == 0
    assert "not checked, its rules are Python" in run("verify").out
    Path("coins.py").write_text(GAME.replace("else -1", "else -2"))
    assert "there is no table of coins.py:Coins with the rules it has now" in run("verify", "coins.py:Coins").err
    with pytest.raises(ValueError, match="give the game"):
        tables.load(path)


def test_no_map_is_drawn_where_nothing_parts(folder: Path, run: Run) -> None:
    ran = run("plot", "ship-captain-crew", "cost", "-o", "cost.png")
    assert ran.status == 2
    assert "playing to win and for points never part in it" in ran.err
    assert not Path("cost.png").exists()
