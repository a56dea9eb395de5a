"""Games of one's own, and house rules, on the page: held to Python, advised and trained by hand."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import AXE, PHONE, text
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory.advisor import page, trainer
from gametheory.own import page as own
from gametheory.ties import TIED

from .test_page import BestAnswers

NOT_SHOWN = (
    "gametheory: yatzy cannot be on the page: it takes pools, races and games of your own; leave it out\n"
)
GAMES = ("shut-the-box", "midnight", "ship-captain-crew")
RANK = """
([name, count]) => {
    const game = gametheory.games.get(name);
    const random = (() => { let s = 11; return (n) => (s = (s * 48271) % 2147483647) % n; })();
    const found = [];
    while (found.length < count) {
        const target = random(2) ? game.scores[random(game.scores.length)] : null;
        const position = {left: [random(game.where.length)], target};
        if (game.over(position.left[0])) continue;
        const rolls = game.rollsOf(position.left);
        const roll = rolls[random(rolls.length)];
        const {moves, bestForWin, bestForScore} = game.rank(position, roll);
        const [keeps, scores, wins] = [(m) => m.keep.name, (m) => m.score, (m) => m.win].map((part) => moves.map(part));
        const placed = game.placed[position.left[0]];
        found.push([placed, target, roll.name, keeps, scores, wins, bestForWin, bestForScore, game.chance(position)]);
    }
    return JSON.stringify(found);
}
"""


@pytest.fixture(scope="module")
def tab(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of these games; in the end there must have been no error."""
    path = page.write(tmp_path_factory.mktemp("own") / "own.html", page.build(GAMES, solution=solved))
    opened = chromium.new_page(offline=True, viewport=PHONE)
    opened.set_default_timeout(10_000)
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.goto(path.as_uri())
    yield opened
    opened.close()
    assert troubles == []


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_ranked_as_in_python(name: str, tab: Any) -> None:
    duel = solved(name)
    special = {"tied": 0, "decided": 0, "second": 0}
    for placed, target, roll, keeps, scores, chances, best_for_win, best_for_score, before in json.loads(
        tab.evaluate(RANK, [name, 300])
    ):
        position = dict(part.split("=", 1) for part in placed.split(" | "))
        if "banked" in position:
            position["banked"] = int(position["banked"])
        found = duel.moves(roll, target=target, **position)
        assert keeps == [duel.notation.write_roll(move.keep) for move in found]
        assert np.abs(np.array(scores) - [move.expected_score for move in found]).max() < 1e-9
        assert np.abs(np.array(chances) - [move.win_probability for move in found]).max() < 1e-12
        assert (best_for_win, best_for_score) == (found.best_for_win, found.best_for_score)
        assert abs(before - duel.chance_before(roll, target=target, **position)) < 1e-12
        special["tied"] += len(found) > 1 and found[0].win_probability - found[1].win_probability <= TIED
        special["decided"] += found[0].win_probability <= TIED or found[-1].win_probability >= 1 - TIED
        special["second"] += target is not None
    assert min(special.values()) > 10, special


@pytest.mark.parametrize("name", ["shut-the-box", "ship-captain-crew"])
def test_a_game_number_is_the_same_game_in_the_terminal(name: str, tab: Any) -> None:
    shown = tab.evaluate(
        """(name) => {
            const training = gametheory.newTraining(gametheory.games.get(name), "second", 4711);
            while (!training.over) training.decide(0);
            return [training.start, training.luck, training.theirLuck, training.given, training.result];
        }""",
        name,
    )
    printed = io.StringIO()
    source: Any = BestAnswers(printed)
    account = trainer.run(name, 4711, "second", solution=solved, source=source, target=printed)
    assert account.result == shown[4]
    assert np.allclose(shown[:4], [account.start, account.luck, account.their_luck, account.given], atol=1e-9)


def test_a_game_is_advised_and_trained_by_hand(tab: Any) -> None:
    tab.evaluate("location.hash = '#advise/shut-the-box'")
    tab.wait_for_selector(".view.advise[data-game=shut-the-box] #key-5")
    tab.click("#key-5")
    tab.wait_for_selector("#move-1")
    tab.click("#move-1")
    assert "games in 100 given away" in text(tab, "#cost")
    assert text(tab, "#why").startswith("Keeping ")
    tab.click("#keep")
    assert "All dice" not in text(tab, "#asked")
    tab.fill("#typed-roll", "99")
    assert "cannot be rolled here" in text(tab, "#typed-roll-note")
    tab.evaluate("location.hash = '#train/shut-the-box/first/5'")
    tab.wait_for_selector(".view.train[data-game=shut-the-box]")
    while not tab.locator("#outcome").count():
        tab.click("#die-0")
        tab.click("#keep")
        tab.click("#roll-on")
    found = gt.review(tab.text_content("#record"))
    assert found.decisions
    assert f"{100 * found.given:.1f}" in text(tab, "#summary") or found.given < 0.005


def test_axe_finds_nothing(tab: Any, axe: str) -> None:
    tab.evaluate(axe)
    for view in ("advise/shut-the-box", "advise/shut-the-box/roll=7", "train/shut-the-box/first/3", "quiz/midnight/4"):
        tab.evaluate("(hash) => { location.hash = hash; }", f"#{view}")
        name, game = view.split("/")[:2]
        tab.wait_for_selector(f".view.{name}[data-game={game}] *")
        assert tab.evaluate(AXE) == [], view


def test_house_rules_are_on_the_page(run: Run, tmp_path: Path, chromium: Any) -> None:
    """Two dice or more of every roll, and no more than two rolls: both are asked for, and reviewed as they were played."""
    house = tmp_path / "house.toml"
    rules = run("rules", "threes").out.replace("keep_at_least = 1", "keep_at_least = 2").replace("# rolls = 3", "rolls = 2")
    house.write_text(rules)
    written = tmp_path / "house.html"
    ran = run("page", house, "-o", written)
    assert ran.status == 0, ran
    opened = chromium.new_page(offline=True)
    opened.goto(written.as_uri())
    opened.fill("#typed-roll", "65431")
    assert "1 roll to come" in text(opened, "#position-line")
    best = set(text(opened, "#best").split())
    for die in opened.locator(".table button[aria-pressed=true]").all()[1:]:
        die.click()
    assert "ask for more dice" in text(opened, "#keep-problem"), best
    opened.evaluate("location.hash = '#train/threes/first/4'")
    opened.wait_for_selector("#decision-title")
    opened.click("#die-0")
    opened.click("#keep")
    assert "ask for more dice" in text(opened, "#keep-problem")
    opened.click("#die-1")
    opened.click("#keep")
    opened.click("#roll-on")
    assert "0 rolls to come" in text(opened, "#answer")
    for die in range(3):
        opened.click(f"#die-{die}")
    opened.click("#keep")
    opened.click("#roll-on")
    record = opened.text_content("#record")
    opened.close()
    found = gt.review(record, gt.game(str(house)))
    assert [one.position["rolls_left"] for one in found.decisions] == [1, 0]


def test_a_game_that_no_page_shows_is_refused_before_anything_is_solved(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(page, "find_solution", None)
    ran = run("page", "threes", "yatzy", "-o", "y.html")
    assert (ran.status, ran.err) == (2, NOT_SHOWN)


def test_a_game_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "MOST_MOVES", 100)
    with pytest.raises(ValueError, match=r"midnight cannot be on the page: .*leave it out"):
        page.build(["midnight"], solution=solved)

