"""Train and quiz by hand: a decision freezes beside the best, ratings stay on the device, and mistakes come back."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import PHONE, RACES, solved, text

from gametheory import dice
from gametheory.match.duel import Duel
from gametheory.match.solution import SEATS
from gametheory.ties import DISAGREE, TIED

from .test_advise import reloaded, tab_to

Open = Callable[..., Any]


def dice_of(tab: Any) -> Any:
    return tab.evaluate("() => [...document.querySelectorAll('.table .die')].map((die) => die.outerHTML)")


@pytest.mark.parametrize("seat", SEATS)
def test_a_pool_game_is_trained_by_touch(seat: str, open_page: Open) -> None:
    tab = open_page(f"#train/threes/{seat}/12", viewport=PHONE, has_touch=True)
    tab.tap("#keep")
    assert "at least one die" in text(tab, "#keep-problem")
    decisions = 0
    while tab.locator("#keep").count():
        tab.tap("#die-0")
        assert tab.get_attribute("#die-0", "aria-pressed") == "true"
        tab.tap("#keep")
        tab.tap("#roll-on")
        decisions += 1
    assert re.search(r"You made \d+, they made \d+: (you win|they win|a tie)", text(tab, "#outcome"))
    assert re.search(r"\d decisions?, \d mistakes?, .* given away", text(tab, "#summary"))
    assert 3 <= decisions <= 5
    tab.tap("#next-game")
    tab.wait_for_selector("#keep")
    assert re.search(rf"#train/threes/{seat}/(?!12$)\d+$", tab.url)


def test_a_race_is_trained_by_keyboard(open_page: Open) -> None:
    tab = open_page("#train/pig/first/3")
    while not tab.locator("#outcome").count():
        tab_to(tab, "die-0")
        tab.keyboard.press("Space")
        tab_to(tab, "keep-roll" if "this turn 0" in text(tab, "#answer") else "keep-bank")
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.id") == "decision-title"
        tab_to(tab, "roll-on")
        tab.keyboard.press("Enter")
    assert "Report" in text(tab, "#decision-title")


def test_a_decision_freezes_beside_the_best_until_it_is_rolled_on(open_page: Open) -> None:
    """The old roll stays, nothing of the new one shows, and a second try does not count."""
    solution: Duel = solved("biscuits")
    for seed in range(100):
        stream = dice.Stream(seed, 0)
        roll = tuple(stream.roll(n, sides) for n, sides in zip((12, 1, 1, 1), (6, 8, 10, 12), strict=True))
        moves = solution.moves(roll, banked=0)
        kept = next(move for move in moves if move.keep == ((), (), (), roll[3]))
        cost = moves[0].win_probability - kept.win_probability
        if cost > 0.001 and moves[0].win_probability - moves[1].win_probability < 0.05:
            break
    tab = open_page(f"#train/biscuits/first/{seed}")
    tab.evaluate("localStorage.clear()")
    tab = open_page(f"#train/biscuits/first/{seed}")
    before = dice_of(tab)
    tab.click("#die-14")
    tab.click("#keep")
    assert f"That gives away {100 * cost:.{2 if cost < 0.005 else 1}f} games in 100." in text(tab, "#answer")
    assert dice.format_roll(moves[0].keep, solution.game.kinds) in tab.text_content("#verdict")
    assert dice_of(tab) == before
    assert tab.locator(".table button").count() == 0
    tab.click("#again")
    tab.click("#die-0")
    tab.click("#keep")
    tab.click("#roll-on")
    assert "banked" in text(tab, "#answer")
    assert "gives away" not in text(tab, "#answer")
    noted = json.loads(tab.evaluate("localStorage.getItem('gametheory')"))
    assert [round(row[2], 9) for row in noted["decisions"].values()] == [round(cost, 9)]


def test_a_double_tap_leaves_the_decision_frozen(open_page: Open) -> None:
    """The buttons that come where the old one was do not hear the second tap."""
    tab = open_page("#train/threes/first/12", viewport=PHONE, has_touch=True)
    tab.tap("#die-0")
    box = tab.locator("#keep").bounding_box()
    for share in (0.25, 0.75):  # where "try again" comes, and "roll on"
        tab.wait_for_timeout(600)
        for _ in range(2):
            tab.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        assert tab.locator("#verdict").count() == 1
        if share < 0.5:
            tab.wait_for_timeout(600)
            tab.tap("#again")
            tab.tap("#die-0")
            tab.wait_for_timeout(600)


def test_reload_and_back_restore_a_training_game(open_page: Open) -> None:
    tab = open_page("#train/biscuits/second/31")
    for _ in range(2):
        tab.click("#die-0")
        tab.click("#keep")
        tab.click("#roll-on")
    seen = [dice_of(tab), re.sub(r"They keep.*", "", text(tab, ".standing"), flags=re.DOTALL)]
    reloaded(tab)
    assert [dice_of(tab), text(tab, ".standing")] == seen
    tab.click("#view-advise")
    tab.wait_for_selector("#position-line")
    tab.go_back()
    tab.wait_for_selector("#decision-title")
    assert [dice_of(tab), text(tab, ".standing")] == seen
    assert re.search(r"#train/biscuits/second/31/moves=\d+\.\d+$", tab.url)


def test_the_report_opens_its_decisions_in_advise(open_page: Open) -> None:
    tab = open_page("#train/biscuits/first/7")
    for die in tab.locator(".table button").all():
        die.click()
    tab.click("#keep")
    tab.click("#roll-on")
    assert "1 decision, 1 mistake" in text(tab, "#summary")
    record = tab.text_content("#record")
    assert record.startswith("game biscuits\ntie split\nbanked=0 | d6:")
    cost = re.search(r"([\d.]+) games in 100", text(tab, ".mistakes"))
    assert cost
    tab.click(".mistakes a")
    tab.wait_for_selector("#cost")
    assert f"{cost[1]} games in 100 given away" in text(tab, "#cost")


@pytest.mark.parametrize("name", ["threes", "odd", *RACES])
@pytest.mark.parametrize("opponent", ["win", "score"])
def test_chances_luck_and_mistakes_add_up_to_the_result(name: str, opponent: str, open_page: Open) -> None:
    accounts = open_page().evaluate(
        """([name, opponent]) => {
            const found = [];
            for (let seed = 0; seed < 8; seed++) {
                const game = gametheory.games.get(name);
                const training = gametheory.newTraining(game, seed % 2 ? "first" : "second", seed, opponent);
                let step = 0;
                while (!training.over) training.decide(++step % 3 ? 0 : Math.floor(training.ranking.moves.length / 2));
                const {start, luck, theirLuck, given, theirGiven, result} = training;
                found.push({start, luck, theirLuck, given, theirGiven, result});
            }
            return found;
        }""",
        [name, opponent],
    )
    for account in accounts:
        reached = account["start"] + account["luck"] + account["theirLuck"] - account["given"] + account["theirGiven"]
        assert abs(reached - account["result"]) < 1e-9
    assert any(account["given"] > 0.01 for account in accounts)
    assert len({account["luck"] for account in accounts}) == len(accounts)
    if opponent == "win":
        assert not any(account["theirGiven"] > TIED for account in accounts)


def test_forced_and_obvious_decisions_do_not_count(open_page: Open) -> None:
    found = open_page().evaluate(
        """() => {
            const decisions = [];
            const game = gametheory.games.get("threes");
            for (let seed = 0; seed < 40; seed++) {
                const training = gametheory.newTraining(game, seed % 2 ? "first" : "second", seed);
                while (!training.over) {
                    const moves = training.ranking.moves.map((move) => move.win);
                    const {forced, counts} = training.decide(0);
                    decisions.push([moves, forced, counts]);
                }
            }
            return decisions;
        }"""
    )
    kinds = {True: 0, False: 0}
    for wins, forced, counts in found:
        assert forced == (len(wins) == 1)
        assert counts == (len(wins) > 1 and wins[0] - wins[1] <= 0.05)
        kinds[counts] += 1
    assert min(kinds.values()) > 10


def test_ratings_are_means_with_their_error_and_travel(open_page: Open, tmp_path: Path) -> None:
    tab = open_page("#train/threes/first/1")
    costs = [0.0, 0.01, 0.04]
    noted = {
        "version": 1, "mistakes": {},
        "decisions": {f"threes/first/{i}/win/0": ["threes", "first", cost] for i, cost in enumerate(costs)},
    }  # fmt: skip
    file = tmp_path / "gametheory.json"
    file.write_text(json.dumps(noted))
    tab.evaluate("localStorage.clear()")
    tab = open_page("#train/threes/first/1")
    tab.click("#settings-title")
    assert "No decision has counted yet" in text(tab, "#settings")
    tab.set_input_files("#import", str(file))
    tab.wait_for_selector("#ratings")
    mean = sum(costs) / 3
    error = (sum((cost - mean) ** 2 for cost in costs) / 2 / 3) ** 0.5
    assert f"{100 * mean:.2f} ± {100 * error:.2f} games in 100 (3 decisions)" in text(tab, "#ratings")
    with tab.expect_download() as download:
        tab.click("#export")
    assert json.loads(Path(download.value.path()).read_text())["decisions"] == noted["decisions"]
    for wrong in ("{", '{"version": 2}', '{"version": 1, "decisions": {"a": 1}, "mistakes": {}}'):
        file.write_text(wrong)
        tab.set_input_files("#import", [])
        tab.set_input_files("#import", str(file))
        tab.wait_for_selector("#imported:has-text('no file of this page')")
    assert "3 decisions" in text(tab, "#ratings")


def test_the_game_of_the_day_is_the_same_for_everybody(open_page: Open) -> None:
    tab = open_page("#train/threes")
    tab.click("#settings-title")
    tab.click("#daily")
    today = datetime.date.today()
    seat = "first" if today.day % 2 else "second"
    tab.wait_for_url(re.compile(rf"#train/threes/{seat}/{today:%Y%m%d}/daily=1$"))
    tab.wait_for_selector(f"#settings-title:has-text('The game of {today:%Y-%m-%d}')")
    while tab.locator("#keep").count():
        tab.click("#die-0")
        tab.click("#keep")
        tab.click("#roll-on")
    tab.click("#share")
    tab.wait_for_selector("#shared:not(:empty)")
    shared = text(tab, "#shared")
    assert shared.startswith(f"threes, game of {today:%Y-%m-%d}: ")
    assert not re.search(r"\bd6|banked", shared)


# Quiz.


@pytest.mark.parametrize("name", ["biscuits", "threes", "ten-thousand"])
def test_half_of_the_positions_part_win_and_points(name: str, open_page: Open) -> None:
    found = open_page().evaluate(
        """(name) => {
            const game = gametheory.games.get(name);
            return Array.from({length: 24}, (_, seed) => {
                const {position, roll} = gametheory.drawPosition(game, seed, seed % 2 === 0);
                const {moves, bestForWin, bestForScore} = game.rank(position, roll);
                return [seed, moves[bestForWin].win - moves[bestForScore].win, moves.length];
            });
        }""",
        name,
    )
    for seed, cost, moves in found:
        assert moves > 1
        assert (cost > DISAGREE) == (seed % 2 == 0), seed


def test_mistakes_come_back_until_they_are_known(open_page: Open) -> None:
    tab = open_page("#quiz/threes/5")
    tab.evaluate("localStorage.clear()")
    for seed in range(6, 60, 6):
        tab = open_page(f"#quiz/threes/{seed}")
        before = [text(tab, ".standing"), *dice_of(tab)]
        for die in tab.locator(".table button").all():
            die.click()
        tab.click("#keep")
        if "gives away" in text(tab, "#answer"):
            break
    assert len(json.loads(tab.evaluate("localStorage.getItem('gametheory')"))["mistakes"]) == 1
    tab.click("#quiz-next")
    tab.wait_for_url(re.compile(f"#quiz/threes/{seed + 1}"))
    tab = open_page(f"#quiz/threes/{seed + 2}")
    assert "You missed this one before" in text(tab, "#answer")
    assert [text(tab, ".standing"), *dice_of(tab)] == before
