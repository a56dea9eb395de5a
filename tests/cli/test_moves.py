"""`moves`: every distinct move of a roll, what it is worth, and which are marked as the best."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Solve

import gametheory as gt
from gametheory import games
from gametheory.dice import format_roll, keeps, parse_roll

from . import slow_races
from .conftest import Ask, Tell
from .shared import EXTREME, SMALL, answer
from .slow_races import EXACT, RACES, SOLVED, TIED, Move, Roll, Values, expected_score, legal, pick, solved, turn_against

PRINTED = [
    # The sixteen lines of `analyze` in the blog post on Biscuits: sixes kept, whether the d8 is, and the points.
    (1, False, 93.836), (2, False, 93.761), (3, False, 93.691), (4, False, 93.625), (5, False, 93.565),
    (6, False, 93.509), (7, False, 93.462), (12, False, 93.449), (11, False, 93.427), (8, False, 93.426),
    (9, False, 93.407), (10, False, 93.407), (12, True, 87.292), (11, True, 87.167), (0, True, 87.064),
    (10, True, 87.037),
]  # fmt: skip


def close(number: Any, rel: float = 0.0) -> Any:
    """Expect a number, or a list of numbers, up to the certified error."""
    return pytest.approx(number, rel=rel, abs=EXACT)


def marked(found: Mapping[str, Any]) -> dict[str, tuple[str, bool | None]]:
    """Return the moves that are marked best: what they keep, and in races whether they bank."""
    best = {name: found["moves"][found[f"best_for_{name}"]] for name in ("win", "score")}
    return {name: (move["keep"], move.get("bank")) for name, move in best.items()}


# What is listed.


def test_moves_gives_the_sixteen_published_lines(ask: Ask) -> None:
    found = ask("moves", "biscuits", EXTREME, "--sort", "score")
    for (sixes, eight, points), move in zip(PRINTED, found["moves"], strict=False):
        d6 = {0: "", 1: "d6:6", 2: "d6:6,6"}.get(sixes, f"d6:6x{sixes}")
        assert move["keep"] == " ".join(filter(None, [d6, "d8:1" if eight else ""]))
        assert round(move["expected_score"], 3) == points
        assert 0 < move["win_probability"] < 1
    assert len(found["moves"]) == 13 * 2 * 2 * 2 - 1
    assert (found["best_for_score"], found["best_for_win"]) == (0, 0)


def test_the_published_lines_are_in_the_printed_table(tell: Tell) -> None:
    lines = tell("moves", "biscuits", EXTREME, "--sort", "score").splitlines()
    shown = [float(line.split()[-4]) for line in lines[2:14]]
    assert shown == [points for _, _, points in PRINTED[:12]]
    assert [line for line in lines if line.startswith("both")] == [lines[2]]


@pytest.mark.parametrize(
    ("game", "roll", "banked"),
    [("biscuits", "d6:6,6,5,3 d8:7 d12:11", "56"), ("threes", "d6:3,3,2,1", "0"), ("2d4+d6", "d4:4,4 d6:4", "0")],
)
def test_moves_lists_every_distinct_keep_once(game: str, roll: str, banked: str, ask: Ask) -> None:
    found = ask("moves", game, roll, "--banked", banked)["moves"]
    kinds = games.game(game).kinds
    shown = parse_roll(roll, kinds)
    expected = {format_roll(keep, kinds) for keep in keeps(shown)}
    assert {move["keep"] for move in found} == expected
    counts = prod(faces.count(face) + 1 for faces in shown for face in set(faces))
    assert len(found) == len(expected) == counts - 1


ASKED: list[dict[str, Any]] = [
    {}, {"target": 8}, {"target": 10}, {"target": 8, "seat": "second"}, {"target": 8, "against": "greedy"},
    {"against": "greedy"}, {"players": 3, "players_after": 1, "target": 8}, {"players": 3, "players_after": 2},
    {"players": 2, "players_after": 0, "target": 7, "sharing": 1}, {"match": "alternating"},
    {"match": "alternating", "their_dice": "2d4", "lead": -3, "seat": "second"},
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_moves_are_what_the_library_ranks(asked: dict[str, Any], ask: Ask, solved: Solve) -> None:
    how = {name: asked[name] for name in ("match", "players") if name in asked}
    position = {name: value for name, value in asked.items() if name not in how}
    ranked = gt.moves(solved(SMALL, **how), "d4:4,2,1", **position)
    typed = {name: value for name, value in asked.items() if name != "players"}
    options = [part for name, value in typed.items() for part in (f"--{name.replace('_', '-')}", value)]
    found = ask("moves", SMALL, "d4:4,2,1", *options)
    assert [move["win_probability"] for move in found["moves"]] == [move.win_probability for move in ranked.moves]
    assert [move["expected_score"] for move in found["moves"]] == [move.expected_score for move in ranked.moves]
    assert (found["best_for_win"], found["best_for_score"]) == (ranked.best_for_win, ranked.best_for_score)
    first = found["moves"][0]
    assert first["points"] == ranked.moves[0].points
    assert first["dice_left"] == {1: "2d4", 2: "d4", 3: "none"}[sum(map(len, ranked.moves[0].keep))]


PARTING = "d6:6,6,5,4"
"""A first roll of 4d6 whose best moves against 22 are far apart."""


def test_both_best_moves_are_marked_also_when_only_the_top_is_shown(ask: Ask, tell: Tell) -> None:
    asked = ("moves", "4d6", PARTING, "--target", "22")
    whole, short = ask(*asked), ask(*asked, "--top", "1")
    assert len(short["moves"]) == 2
    assert short["moves_in_all"] == len(whole["moves"]) > 2
    for mark in ("best_for_win", "best_for_score"):
        assert short["moves"][short[mark]] == whole["moves"][whole[mark]]
    lines = tell(*asked, "--top", "1").splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["win", "score"]
    assert lines[4] == f"... and {len(whole['moves']) - 2} more: --top 0 shows all"


def test_top_shows_that_many_and_0_shows_all(ask: Ask) -> None:
    whole = ask("moves", SMALL, "d4:4,2,1")["moves"]
    assert len(whole) == 7
    assert ask("moves", SMALL, "d4:4,2,1", "--top", "3")["moves"] == whole[:3]
    assert ask("moves", SMALL, "d4:4,2,1", "--top", "0")["moves"] == whole
    assert ask("moves", SMALL, "d4:4,2,1", "--top", "99")["moves"] == whole


@pytest.mark.parametrize(
    ("game", "asked"),
    [("4d6", [PARTING, "--target", 22]), ("pig", [2, "--turn", 19, "--score", 0, "--opponent", 90])],
)
def test_sorting_for_points_puts_the_move_for_points_first(game: str, asked: list[object], ask: Ask) -> None:
    whole, by_score = ask("moves", game, *asked), ask("moves", game, *asked, "--sort", "score")
    assert whole["best_for_win"] == by_score["best_for_score"] == 0 < min(by_score["best_for_win"], whole["best_for_score"])
    assert marked(by_score) == marked(whole)
    chances, scores = ([move[key] for move in found["moves"]] for found, key in
                       ((whole, "win_probability"), (by_score, "expected_score")))  # fmt: skip
    assert chances == sorted(chances, reverse=True)
    assert scores == sorted(scores, reverse=True)


# Positions.


@pytest.mark.parametrize(
    ("game", "target", "chance"),
    [
        (SMALL, "13", 0.0), (SMALL, "2", 1.0), (SMALL, "-5", 1.0), (SMALL, str(10**30), 0.0),
        ("threes", "31", 1.0), ("threes", "-1", 0.0), ("threes", str(-(10**30)), 0.0),
    ],
)  # fmt: skip
def test_a_target_beyond_all_scores_is_answered(game: str, target: str, chance: float, ask: Ask) -> None:
    roll = {SMALL: "d4:4,2,1", "threes": "d6:3,3,1,5,6"}[game]
    for more in ([], ["--players-after", "1"] if chance == 0.0 else []):
        found = ask("moves", game, roll, "--target", target, *more)
        assert {move["win_probability"] for move in found["moves"]} == {chance}
        # Nothing to choose between in chances: the best for points it is.
        assert found["best_for_win"] == found["best_for_score"] == 0
    assert ask("distribution", game, "--policy", "win", "--target", target)["probabilities"]


def test_points_banked_are_part_of_the_expected_score(ask: Ask) -> None:
    low, high = (ask("moves", SMALL, "d4:3", "--banked", banked)["moves"][0] for banked in ("2", "8"))
    assert (low["expected_score"], high["expected_score"]) == (5.0, 11.0)
    assert low["dice_left"] == high["dice_left"] == "none"
    assert ask("moves", SMALL, "d4:3,2,1") == ask("moves", SMALL, "d4:3,2,1", "--banked", "0")


def test_groups_of_a_roll_may_come_in_any_order_and_apart(folder: Path, run: Run) -> None:
    one = run("moves", "2d4+d6", "d4:3,1 d6:5", "--json")
    assert run("moves", "2d4+d6", "d6:5 d4:1 D4:3", "--json") == one
    assert run("moves", "d6+2d4", " d4:1,3  d6:5x1 ", "--json") == one
    assert answer(one)["roll"] == "d4:3,1 d6:5"


# Races: with every keep, bank or roll.

POSITIONS: dict[str, list[tuple[int, int, int, Roll]]] = {
    # score, opponent, turn total, roll
    "short": [
        (mine, theirs, total, (face,))
        for mine, theirs in ((0, 0), (0, 25), (12, 3), (25, 0), (29, 29))
        for total in (0, 17, 18, 19, 24)
        for face in (2, 6)
    ],
    "coin": [(mine, theirs, total, (2,)) for mine in range(4) for theirs in (0, 1, 3) for total in (0, 1, 2)],
    "pair": [
        (mine, theirs, total, roll)
        for mine, theirs in ((0, 0), (0, 11), (3, 0), (5, 7), (10, 3))
        for total in (0, 1, 2, 5, 12)
        for roll in ((1,), (4,), (4, 1), (4, 3), (4, 4))
        if total or len(roll) == 2
    ],
}


def ranked(game: str, place: tuple[int, int, int, Roll], others: Values) -> tuple[dict[Any, list[float]], Move, Move]:
    """Return [chance, expected score] by keep and bank, the best move to win and the one for points."""
    rules = RACES[game]
    mine, theirs, total, roll = place
    me, them = (mine, bool(mine) or not rules.opening), (theirs, bool(theirs) or not rules.opening)
    turn = turn_against(rules, me, them, others)
    moves = legal(rules, me[1], total, roll)
    found = {
        (" ".join(map(str, move.keep)), move.bank): [
            turn.at(total, move), expected_score(rules, me[1], total, move), move.points, move.left,
        ]
        for move in moves
    }  # fmt: skip
    best = pick(moves, lambda move: turn.at(total, move), lambda move: expected_score(rules, me[1], total, move))
    return found, best, slow_races.policy(game, "score")(me, them, total, roll)


@pytest.mark.parametrize("against", [None, "hold-at-2", "hold-at-10"])
@pytest.mark.parametrize("game", SOLVED)
def test_moves_of_a_race_are_worth_what_they_win_and_score(game: str, against: str | None, ask: Ask) -> None:
    others = solved(game, None, against)[1]
    told = () if against is None else ("--against", against)
    parted = 0
    for place in POSITIONS[game][:: 1 if against is None else 3]:
        mine, theirs, total, roll = place
        found = ask("moves", game, " ".join(map(str, roll)), "--turn", total, "--score", mine, "--opponent", theirs, *told)
        moves, to_win, for_points = ranked(game, place, others)
        assert {(move["keep"], move["bank"]) for move in found["moves"]} == moves.keys()
        for move in found["moves"]:
            figures = [move["win_probability"], move["expected_score"], move["points"], move["dice_left"]]
            assert figures == close(moves[move["keep"], move["bank"]], rel=1e-14)
        best = marked(found)
        assert best["win"] == (" ".join(map(str, to_win.keep)), to_win.bank)
        assert best["score"] == (" ".join(map(str, for_points.keep)), for_points.bank)
        parted += best["win"] != best["score"]
        order = [move["win_probability"] for move in found["moves"]]
        assert all(one >= two - TIED for one, two in pairwise(order))
    assert parted >= 1 or against is not None


@pytest.mark.parametrize(
    ("turn", "face", "score", "opponent", "for_points", "to_win"),
    [
        (18, 2, 0, 90, True, False),  # 20 is enough for points, and far too little against 90
        (16, 6, 0, 95, True, False),
        # Neller and Presser: to win, at 41 to 49 hold 22 to 26, roll at 27, hold from 28 on.
        (18, 2, 41, 49, True, False),
        (18, 3, 41, 49, True, False),
        (18, 4, 41, 49, True, True),
        (24, 2, 41, 49, True, True),
        (24, 3, 41, 49, True, False),
        (24, 4, 41, 49, True, True),
        (17, 2, 41, 49, False, False),
        (2, 3, 95, 94, True, True),  # banking wins, though rolling on would score more
    ],
)
def test_pig_for_points_holds_at_20_or_a_win_whatever_the_scores(
    turn: int, face: int, score: int, opponent: int, for_points: bool, to_win: bool, ask: Ask
) -> None:
    found = ask("moves", "pig", face, "--turn", turn, "--score", score, "--opponent", opponent)
    assert {name: bank for name, (_, bank) in marked(found).items()} == {"score": for_points, "win": to_win}
    worth = {move["bank"]: move["expected_score"] for move in found["moves"]}
    assert worth[True] == turn + face
    rolling = slow_races.points_of_rolling(RACES["pig"], True)[turn + face, 1]
    assert worth[False] == pytest.approx(rolling, rel=1e-14)


def test_who_has_not_opened_gets_no_points_below_the_threshold(ask: Ask) -> None:
    """With 2 of the 3 points to open, banking is no move; once opened it is."""
    assert {move["bank"] for move in ask("moves", "pair", "4 4")["moves"]} == {False}
    found = ask("moves", "pair", "4 4", "--score", 3)["moves"]
    assert {move["expected_score"] for move in found if move["bank"]} == {1.0, 2.0}


def test_the_printed_moves_of_a_race_say_what_to_do_then(tell: Tell) -> None:
    lines = tell("moves", "pig", 2, "--turn", 19, "--opponent", 90).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["win", "score"]
    assert [line.split()[-2] for line in lines[2:]] == ["roll", "bank"]


# One way to play for points.


def test_for_points_a_turn_may_only_bank_what_opens(ask: Ask) -> None:
    """Keeping five dice of the first roll brings 292.24 points, the 5 alone 286.27, by plain recursion over all turns.

    The strategy published for ten-thousand keeps the 5, which opens more often: that is the policy `published`.
    """
    for game in ("ten-thousand", "two-thousand"):
        found = ask("moves", game, "5 4 2 2 2 2")
        assert marked(found)["score"] == ("5 2 2 2 2", False)
        scores = {move["keep"]: move["expected_score"] for move in found["moves"]}
        assert (scores["5 2 2 2 2"], scores["5"]) == pytest.approx((292.23769432045634, 286.2683525964211), rel=1e-12)


def test_for_points_a_bank_that_wins_is_taken(ask: Ask) -> None:
    """At 9000 with 2100 on the table, though throwing six dice once more would score more; elsewhere it is done."""
    asked = ("moves", "ten-thousand", "5 5 5 1 1 1", "--turn", 2100, "--opponent", 3000)
    behind, ahead = ask(*asked, "--score", 3000), ask(*asked, "--score", 9000)
    assert marked(behind)["score"] == ("5 5 5 1 1 1", False)
    assert marked(ahead)["score"][1] is marked(ahead)["win"][1] is True
    scores = [max(move["expected_score"] for move in ahead["moves"] if move["bank"] is bank) for bank in (True, False)]
    assert scores[0] < scores[1]


@pytest.mark.parametrize("game", ["4d6", "threes", "short", "pair", "two-thousand"])
def test_moves_marks_what_diff_says_is_played_for_points_and_to_win(game: str, ask: Ask) -> None:
    rows = ask("diff", game, "--limit", 8)["rows"]
    assert rows
    for row in rows:
        if "banked" in row:
            found = ask("moves", game, row["roll"], "--banked", row["banked"])
        else:
            assert (row["opened"], row["opponent_opened"]) == tuple(
                bool(row[name]) or game == "short" for name in ("score", "opponent")
            )
            position = [part for name in ("turn", "score", "opponent") for part in (f"--{name}", row[name])]
            found = ask("moves", game, row["roll"], *position)
        best = marked(found)
        assert best == {name: (row[f"{name}_keep"], row.get(f"{name}_bank")) for name in ("score", "win")}
        moves = {(move["keep"], move.get("bank")): move for move in found["moves"]}
        for name, move in best.items():
            for figure in ("win_probability", "expected_score"):
                assert moves[move][figure] == close(row[f"{name}_keep_{figure}"], rel=1e-12)
        assert row["cost"] == close(moves[best["win"]]["win_probability"] - moves[best["score"]]["win_probability"])
