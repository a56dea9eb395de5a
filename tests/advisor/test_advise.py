"""Advise by hand: dice are entered, the answer comes as soon as it is certain, and nothing is played by accident."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import PHONE, solved, text

from gametheory import dice
from gametheory.match.duel import Duel
from gametheory.pool.rules import State

Open = Callable[..., Any]
TOUCH = {"viewport": PHONE, "has_touch": True}
FACES = (6, 5, 4, 3, 2, 1)


def throw(draw: random.Random, left: tuple[int, ...], kinds: tuple[dice.Die, ...]) -> dice.Roll:
    return tuple(
        tuple(sorted((draw.randint(1, die.sides) for _ in range(n)), reverse=True))
        for n, die in zip(left, kinds, strict=True)
    )


def enter(tab: Any, roll: dice.Roll, kinds: tuple[dice.Die, ...], press: Callable[[str], None]) -> None:
    """Answer what the keys ask until all dice are entered."""
    entered: list[list[int]] = [[] for _ in kinds]
    while (asked := text(tab, "#asked")) != "All dice are entered.":
        if found := re.fullmatch(r"How many (\d+)s, of \d+ (d\d+)\?", asked):
            names = [die.name for die in kinds]
            press(f"#key-{roll[names.index(found[2])].count(int(found[1]))}")
            continue
        name = re.match(r"(?:\d+ )?(d\d+)", asked)
        assert name, asked
        kind = [die.name for die in kinds].index(name[1])
        face = roll[kind][len(entered[kind])]
        entered[kind].append(face)
        press(f"#key-{face - 1}")


def tab_to(tab: Any, name: str) -> None:
    """Reach an element by the tab key alone."""
    for _ in range(120):
        if tab.evaluate("document.activeElement.id") == name:
            return
        tab.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {name}")


# The early answer.

EARLY = """
([name, positions]) => {
    const game = gametheory.games.get(name);
    return JSON.stringify(positions.map(({roll, ...position}) => {
        let tray = game.emptyTray();
        for (let taps = 0; ; taps++) {
            const move = taps ? game.certain(position, tray) : null;
            if (move || game.complete(position.left, tray)) return [taps, move && game.writeRoll(move.keep)];
            // The key whose tray may still become the roll.
            const {keys} = game.ask(position.left, tray);
            const fits = keys.filter((key) => position.left.every((n, kind) => {
                const rest = [...roll[kind]];
                for (const face of key.tray.roll[kind]) {
                    if (!rest.includes(face)) return false;
                    rest.splice(rest.indexOf(face), 1);
                }
                const possible = game.possible(kind, key.tray);
                return rest.every((face) => possible.includes(face));
            }));
            tray = fits[0].tray;
        }
    }));
}
"""
"""Enters rolls by the keys until the keep is certain: how many taps that took, and what is then to be kept."""


def early(name: str, positions: list[dict[str, Any]], open_page: Open) -> list[int]:
    """Return the taps until the keep of each roll was certain; it must be the best of Python."""
    found = json.loads(open_page().evaluate(EARLY, [name, positions]))
    solution: Duel = solved(name)
    for position, (_, keep) in zip(positions, found, strict=True):
        roll, target = tuple(map(tuple, position["roll"])), position["target"]
        state = State(tuple(position["left"]), position["banked"])
        listed = solution.rank_state(state, roll, target, sensible=True)
        best = solution.rank(state, roll, listed, "win", "", target)[0]
        assert keep == dice.format_roll(best.keep, solution.game.kinds), position
    return sorted(taps for taps, _ in found)


def test_the_best_keep_of_a_first_roll_is_certain_after_few_taps(open_page: Open) -> None:
    draw, game = random.Random(11), solved("biscuits").game
    first = {"left": game.counts, "banked": 0, "target": None}
    taps = early("biscuits", [{**first, "roll": throw(draw, game.counts, game.kinds)} for _ in range(200)], open_page)
    assert taps[99] <= 4
    assert taps[179] <= 7


def test_it_is_never_wrong_later_in_the_game(open_page: Open, record_property: Callable[[str, object], None]) -> None:
    draw, game = random.Random(12), solved("biscuits").game
    positions = []
    for number in range(200):
        left = draw.choice([pool for pool in game.pools if 2 <= sum(pool) <= 12])
        target = draw.randint(75, 105) if number % 2 else None
        banked = draw.choice(game.scores(game.banked_dice(left)))
        positions.append({"left": left, "banked": banked, "target": target, "roll": throw(draw, left, game.kinds)})
    taps = early("biscuits", positions, open_page)
    record_property("taps until certain in mid-game: median, nine in ten", [taps[99], taps[179]])


@pytest.mark.parametrize("name", ["threes", "odd", "biscuits"])
def test_a_keep_is_certain_just_when_every_roll_agrees(name: str, open_page: Open) -> None:
    """The argument from the best faces comes to the same as trying every roll that the dice may still become."""
    found = open_page().evaluate(
        """(name) => {
            const game = gametheory.games.get(name);
            const Base = Object.getPrototypeOf(Object.getPrototypeOf(game));
            const random = (() => { let s = 7; return (n) => (s = (s * 48271) % 2147483647) % n; })();
            const seen = {certain: 0, open: 0, wrong: []};
            while (seen.certain + seen.open < 400) {
                const left = game.counts.map((n) => random(n + 1));
                const total = left.reduce((sum, n) => sum + n, 0);
                if (!total) continue;
                const aside = game.aside(left);
                const low = game.lowest(aside);
                const banked = low + random(game.highest(aside) - low + 1);
                const target = random(2) ? game.lowest(game.counts) + random(60) : null;
                if (game.problemBanked(left, banked)) continue;
                const position = {left, banked, target};
                let tray = game.emptyTray();
                for (let taps = random(total) + 1; taps && !game.complete(left, tray); taps--) {
                    const {keys} = game.ask(left, tray);
                    tray = keys[random(Math.min(keys.length, 4))].tray;
                }
                if (game.complete(left, tray) || !game.completions(left, tray)) continue;
                const quick = game.certain(position, tray);
                const slow = Base.certain.call(game, position, tray);
                seen[slow ? "certain" : "open"]++;
                const [said, true_] = [quick, slow].map((move) => move && game.writeRoll(move.keep));
                if (said !== true_) seen.wrong.push([position, tray]);
                const [least, most] = game.range(position, tray);
                const all = game.completions(left, tray).map((roll) => game.best(position, roll).win.win);
                const apart = Math.abs(least - Math.min(...all)) + Math.abs(most - Math.max(...all));
                if (apart > 1e-12) seen.wrong.push(["range", position, tray]);
            }
            return seen;
        }""",
        name,
    )
    assert found["wrong"] == []
    assert min(found["certain"], found["open"]) > 20


# What stays where it is.


def places(tab: Any) -> Any:
    return tab.evaluate(
        """() => ["#answer", ".table", ".pad", ".keepers", "#undo"].map((name) => {
            const {top, height} = document.querySelector(name).getBoundingClientRect();
            return [name, Math.round(top), Math.round(height)];
        })"""
    )


def test_the_answer_is_in_sight_and_nothing_moves_while_dice_are_entered(open_page: Open) -> None:
    tab = open_page("#advise/biscuits", **TOUCH)
    before = places(tab)
    assert all(top + height <= PHONE["height"] for _, top, height in before)
    for key in ("#key-11", "#key-9", "#key-1", "#key-2", "#key-3", "#key-2", "#key-1", "#key-0"):
        box = tab.locator(key).bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        tab.tap(key)
        assert places(tab) == before
        assert re.search(r"to win|You win between", text(tab, "#answer"))
    assert text(tab, "#asked") == "All dice are entered."
    tab.tap("#die-3")
    assert places(tab)[1:] == before[1:]
    tab.tap("#keep")
    assert "Kept" in text(tab, "#position-line")


def test_a_double_tap_plays_nothing(open_page: Open) -> None:
    tab = open_page("#advise/biscuits", **TOUCH)

    def twice(name: str) -> None:
        tab.locator(name).scroll_into_view_if_needed()
        box = tab.locator(name).bounding_box()
        for _ in range(2):
            tab.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def played() -> bool:
        return "0 banked · 12d6+d8+d10+d12" not in text(tab, "#position-line")

    asked = []
    while text(tab, "#asked") != "All dice are entered.":
        asked.append(text(tab, "#asked"))
        twice("#key-2")
        assert not played()
        tab.wait_for_timeout(380)  # what comes later is meant
    assert asked[:3] == [f"d{sides}: what does it show?" for sides in (12, 10, 8)]
    assert asked[3] == "How many 6s, of 12 d6?"
    assert len(asked) <= 8  # the second tap answered nothing
    tab.wait_for_selector("#move-0")
    for name in ("#die-0", "#die-14", "#move-0", "#move-1", "#move-5", "#edit", "#edit"):
        twice(name)
        assert not played(), name
    twice("#keep")
    assert played()
    assert tab.evaluate("document.getElementById('keep').disabled")
    left = text(tab, "#position-line")
    twice("#undo")
    assert text(tab, "#position-line") != left


def test_dice_are_taken_back_by_a_tap(open_page: Open) -> None:
    tab = open_page("#advise/biscuits", **TOUCH)
    tab.tap("#key-0")
    tab.tap("#key-4")
    assert tab.locator("#answer.found").count() == 0
    tab.tap("button:has-text('take the d10 showing 5 away')")
    assert text(tab, "#asked") == "d10: what does it show?"
    tab.tap("#undo")
    assert text(tab, "#asked") == "d8: what does it show?"
    tab.fill("#typed-roll", "665544332211 7 8 9")
    tab.tap("#edit")
    tab.tap("button:has-text('take the d8 showing 7 away')")
    assert text(tab, "#asked") == "d8: what does it show?"


def test_holding_a_key_enters_all_that_are_left(open_page: Open) -> None:
    tab = open_page("#advise/biscuits/left=3.0.0.0/banked=80", **TOUCH)
    tab.tap("#key-1")
    box = tab.locator("#key-5").bounding_box()
    tab.mouse.move(box["x"] + 10, box["y"] + 10)
    tab.mouse.down()
    tab.wait_for_selector("text=All dice are entered.")
    tab.mouse.up()
    assert tab.input_value("#typed-roll") == "d6:6,6,2"


# Typing.


@pytest.mark.parametrize(
    ("game", "typed", "written"),
    [
        ("biscuits", "665544332211 7 8 9", "d6:6,6,5,5,4,4,3,3,2,2,1,1 d8:7 d10:8 d12:9"),
        ("biscuits", "6x12 8 10 12", "d6:6x12 d8:8 d10:10 d12:12"),
        ("biscuits", "d12:9 6 6 5 5 4 4 3 3 2 2 1 1 7 8", "d6:6,6,5,5,4,4,3,3,2,2,1,1 d8:7 d10:8 d12:9"),
        ("threes", "11543", "d6:5,4,3,1,1"),
        ("ten-thousand", "115432", "5 4 3 2 1 1"),
        ("ten-thousand", "1 1 5 4,3 2", "5 4 3 2 1 1"),
    ],
)
def test_rolls_are_typed_as_they_lie(game: str, typed: str, written: str, open_page: Open) -> None:
    tab = open_page(f"#advise/{game}")
    tab.fill("#typed-roll", typed)
    assert "to win" in text(tab, "#answer")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.closest('.keepers') !== null")
    tab.wait_for_timeout(120)
    assert f"roll={written}".replace(" ", "%20") in tab.url


# Every keep against the best.


def test_any_keep_is_set_against_the_best(open_page: Open) -> None:
    tab = open_page("#advise/biscuits", **TOUCH)
    solution: Duel = solved("biscuits")
    kinds = solution.game.kinds
    roll = ((6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1), (7,), (8,), (9,))
    moves = solution.moves(roll, banked=0)
    tab.fill("#typed-roll", dice.format_roll(roll, kinds))
    assert tab.locator("#cost, #why").count() == 0  # where nothing is to be said, nothing is
    tab.tap("#die-0")  # lets the six go that is best
    assert "at least one die" in text(tab, "#keep-problem")
    for die in ("#die-4", "#die-9", "#die-12"):
        tab.tap(die)
    mine = ((4, 2), (7,), (), ())
    chosen = next(move for move in moves if move.keep == mine)
    best = moves[0]
    chances = (chosen.win_probability, best.win_probability, best.win_probability - chosen.win_probability)
    won, could, lost = (f"{100 * chance:.1f}" for chance in chances)
    assert text(tab, "#cost") == f"Of 100 games you win {won} instead of {could}: {lost} games in 100 given away."
    assert text(tab, "#why").startswith("Keeping d6:4,2 d8:7 instead beats ")
    # The figures of the sentence are those of the position.
    found = re.search(r"beats (\d+) in ([\d.]+)% of games, not ([\d.]+)%", text(tab, "#why"))
    assert found
    target = int(found[1])
    for move, shown in ((chosen, found[2]), (best, found[3])):
        exact = solution.second(target, State(move.dice_left, move.points))
        assert abs(100 * exact - float(shown)) <= 0.051
    assert "4,2" in text(tab, "#side")
    tab.wait_for_selector("#move-3")
    tab.tap("#move-3")
    assert tab.get_attribute("#move-3", "aria-pressed") == "true"
    assert f"instead of {could}" in text(tab, "#cost")
    tab.tap("#keep")
    assert moves[3].points == int(re.search(r"(\d+) banked", text(tab, "#position-line"))[1])  # type: ignore[index]


def test_the_second_player_hears_what_is_needed(open_page: Open) -> None:
    tab = open_page("#advise/biscuits/second/92/banked=68/left=4.1.0.0/roll=6422%207")
    tab.wait_for_selector("#move-0")
    place = 0 if tab.get_attribute("#move-0", "aria-pressed") == "false" else 3
    tab.click(f"#move-{place}")
    solution: Duel = solved("biscuits")
    moves = solution.moves(((6, 4, 2, 2), (7,), (), ()), banked=68, target=92)
    said = []
    for move in (moves[0], moves[place]):
        said.append(f"after {dice.format_roll(move.keep, solution.game.kinds)} you need {93 - 68 - move.points} from ")
    why = text(tab, "#why")
    assert why.lower().startswith(said[0])
    assert said[1] in why


def test_moves_that_are_certain_alike_are_one_row(open_page: Open) -> None:
    tab = open_page("#advise/biscuits/second/70/banked=66/left=4.0.0.0/roll=6654")
    tab.wait_for_selector("#move-0")
    assert tab.locator(".move").count() <= 2
    assert re.search(r"and \d+ more that win for certain", text(tab, "#move-0"))
    assert "wins for certain" in text(tab, "#answer")


# Addresses.


def reloaded(tab: Any) -> None:
    tab.wait_for_timeout(120)
    tab.reload()


def test_reload_and_back_and_a_link_restore_advise(open_page: Open) -> None:
    tab = open_page("#advise/biscuits/second/92")
    assert "they made 92" in text(tab, "#position-line")
    for key in ("#key-11", "#key-2", "#key-7", "#key-1"):
        tab.click(key)
    tab.click("#die-1", force=True) if tab.locator("#die-1").count() else None
    seen = [text(tab, name) for name in ("#position-line", "#answer", "#asked")]
    reloaded(tab)
    assert [text(tab, name) for name in ("#position-line", "#answer", "#asked")] == seen
    tab.click("#view-explore")
    tab.wait_for_selector(".chart")
    tab.go_back()
    tab.wait_for_selector("#position-line")
    assert [text(tab, name) for name in ("#position-line", "#answer", "#asked")] == seen
    tab.fill("#typed-roll", "665544332211 7 8 9")
    tab.wait_for_selector("#move-2")
    tab.click("#move-2")
    answer = text(tab, "#answer")
    tab.click("#copy-link")
    tab.wait_for_selector("#shared:not(:empty)")
    tab.wait_for_timeout(120)
    link = tab.evaluate("location.hash")
    again = open_page(link)
    again.wait_for_selector("#move-2")
    assert text(again, "#answer") == answer
    assert again.get_attribute("#move-2", "aria-pressed") == "true"


def test_the_picture_of_a_position_is_saved(open_page: Open) -> None:
    tab = open_page("#advise/biscuits/roll=665544332211%207%208%209")
    with tab.expect_download() as download:
        tab.click("#save-card")
    assert download.value.suggested_filename == "biscuits.png"


# Whole games.


@pytest.mark.parametrize("name", ["threes", "odd"])
def test_a_pool_game_is_advised_by_touch(name: str, open_page: Open) -> None:
    tab = open_page(f"#advise/{name}", **TOUCH)
    solution: Duel = solved(name)
    kinds = solution.game.kinds
    draw, left, banked = random.Random(5), solution.game.counts, 0
    while any(left):
        roll = throw(draw, left, kinds)
        enter(tab, roll, kinds, tab.tap)
        best = solution.moves(roll, banked=banked)[0]
        assert dice.format_roll(best.keep, kinds) in tab.text_content("#best")
        assert f"{100 * best.win_probability:.1f}%" in text(tab, "#answer")
        tab.tap("#keep")
        banked, left = banked + best.points, best.dice_left
        assert f"{banked} banked" in text(tab, "#position-line")
    assert f"You made {banked}." in text(tab, "#final")
    tab.tap("#undo")
    assert "to win" in text(tab, "#answer")
    tab.tap("#keep")
    tab.tap("#other-seat")
    assert f"they made {banked}" in text(tab, "#position-line")
    tab.tap("#new-game")
    assert "0 banked" in text(tab, "#position-line") or "Say what they made" in text(tab, "#position-line")


def test_a_pool_game_is_advised_by_keyboard(open_page: Open) -> None:
    tab = open_page("#advise/biscuits")
    solution: Duel = solved("biscuits")
    game = solution.game
    draw, left, banked = random.Random(6), game.counts, 0
    tab_to(tab, "position-line")
    tab.keyboard.press("Enter")
    tab_to(tab, "seat-first")
    tab.keyboard.press("ArrowRight")
    tab_to(tab, "target")
    tab.keyboard.type("95")
    tab_to(tab, "done")
    tab.keyboard.press("Enter")
    while any(left):
        roll = throw(draw, left, game.kinds)
        tab_to(tab, "typed-roll")
        tab.keyboard.type(dice.format_roll(roll, game.kinds))
        best = solution.moves(roll, banked=banked, target=95)[0]
        assert dice.format_roll(best.keep, game.kinds) in tab.text_content("#best")
        assert f"{100 * best.win_probability:.1f}% to win" in text(tab, "#said") or best.win_probability < 0.005
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.id") == "keep"
        tab.keyboard.press("Enter")
        banked, left = banked + best.points, best.dice_left
    assert f"You made {banked} against 95" in text(tab, "#final")


def test_the_keys_are_one_stop_and_go_by_arrows(open_page: Open) -> None:
    tab = open_page("#advise/biscuits")
    tab_to(tab, "key-0")
    for _ in range(4):
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    assert text(tab, "#asked") == "d10: what does it show?"
    assert tab.locator("button:has-text('take the d12 showing 5 away')").count() == 1
    tab.keyboard.press("Tab")
    assert not tab.evaluate("document.activeElement.id").startswith("key-")


def test_a_race_is_advised_by_clicks(open_page: Open) -> None:
    tab = open_page("#advise/pig/80/50")
    tab.click("#key-4")
    tab.wait_for_selector("#move-0")
    assert "bank" in text(tab, ".moves")
    tab.click("#keep-roll")
    assert "this turn 5" in text(tab, "#position-line")
    tab.click("#key-0")
    assert "Nothing in this roll scores" in text(tab, "#answer")
    tab.click("#pass")
    tab.fill("#theirs", "20")
    reloaded(tab)
    tab.click("#my-turn")
    assert "you 80 · they 70" in text(tab, "#position-line")
    for _ in range(3):
        tab.click("#key-5")
        tab.click("#keep-roll")
    tab.click("#key-5")
    tab.click("#keep-bank")
    assert "You banked 24 and made 104." in text(tab, "main")
    tab.click("#undo")
    assert "this turn 18" in text(tab, "#position-line")


def test_keeping_and_banking_are_set_against_each_other(open_page: Open) -> None:
    tab = open_page("#advise/ten-thousand/2000/2500/turn=600/left=3/roll=511")
    moves = solved("ten-thousand").moves((5, 1, 1), turn=600, score=2000, opponent=2500)
    tab.wait_for_selector("#move-0")
    best, other = moves[0], next(move for move in moves if move.bank != moves[0].bank)
    tab.click(f"#move-{list(moves).index(other)}")
    assert f"{100 * other.win_probability:.1f} instead of {100 * best.win_probability:.1f}" in text(tab, "#cost")
    assert re.search(r"busts in [\d.]+%, which leaves you [\d.]+%", text(tab, "#why"))
    tab.fill("#typed-roll", "432")
    assert "Nothing in this roll scores" in text(tab, "#answer")


# What is wrong.


def test_wrong_fields_say_so_and_keep_the_rest(open_page: Open) -> None:
    tab = open_page("#advise/biscuits")
    tab.fill("#typed-roll", "d6:6,5x2,3x9 d8:7 d10:3 d12:11")
    tab.click("#position-line")
    tab.click("label:has(#seat-second)")
    for given, problem in (
        ("ninety", "is no score"),
        ("9.5", "is no score"),
        ("", "Say what they made"),
        ("1e3", "is no score"),
    ):
        tab.fill("#target", given)
        assert problem in text(tab, "#target-note")
        assert problem in text(tab, "#answer")
        assert tab.get_attribute("#target", "aria-invalid") == "true"
        assert tab.locator(".move").count() == 0
    for given in ("5", "-3"):
        tab.fill("#banked", given)
        assert "With all dice left nothing is banked" in text(tab, "#banked-note")
    tab.fill("#target", "95")
    tab.fill("#banked", "0")
    tab.click("#done")
    tab.wait_for_selector(".move")
    assert tab.locator(".move").count() > 3
    for given, problem in (
        ("d6:7", "faces 1 to 6, not 7"),
        ("d7:1", "no d7"),
        ("d8:1,2", "Only 1 d8 is left"),
        ("d6:6x13", "Only 12 d6 are left"),
        ("d6:six", "write faces as"),
        ("d6:6x999", "Only 12"),
        ("<b>", "write faces as"),
    ):
        tab.fill("#typed-roll", given)
        assert problem in text(tab, "#typed-roll-note")
        assert tab.input_value("#typed-roll") == given
    assert "they made 95" in text(tab, "#position-line")


def test_wrong_race_scores_say_so(open_page: Open) -> None:
    tab = open_page("#advise/ten-thousand")
    tab.click("#position-line")
    for given, problem in (
        ("950", "at least 1000"),
        ("10000", "ends at 10000"),
        ("1025", "steps of 50"),
        ("x", "no score"),
        ("-50", "less than 0"),
    ):
        tab.fill("#opponent", given)
        assert problem in text(tab, "#opponent-note")
    tab.fill("#opponent", "2000")
    tab.click("#fewer-d6")
    assert "give the turn total" in text(tab, "#turn-note")
    tab.fill("#turn", "100")
    tab.click("#done")
    assert "this turn 100 · 5d6" in text(tab, "#position-line")
    tab = open_page("#explore/pig")
    tab.fill("#explore-score", "100")
    assert "ends at 100" in text(tab, "#explore-score-note")


@pytest.mark.parametrize(
    "fragment",
    [
        "#",
        "#train",
        "#train/nogame/first/1",
        "#train/threes/third/1",
        "#train/threes/first/1e9",
        "#train/threes/first/99999999999",
        "#train/threes/first/1/2",
        "#train/threes/first/1/moves=99.x",
        "#%00%ff",
        "#<img src=x onerror=alert(1)>",
        "#__proto__/constructor",
        "#advise/__proto__",
        "#advise/biscuits/third/x/left=13.1.1.1/roll=999/keep=d6:7/settled=9.9.9.9",
        "#advise/pig/__proto__=1/turn=7/waiting=1",
        "#quiz/threes/x",
        "#explore//",
    ],
)
def test_a_nonsense_fragment_starts_afresh(fragment: str, open_page: Open) -> None:
    tab = open_page(fragment)
    assert tab.locator("#position-line, #decision-title, .chart").count()
    assert "undefined" not in text(tab, "body")
    if fragment.startswith("#train") and "moves" not in fragment:
        tab.wait_for_url(re.compile(r"#train/(biscuits|threes)/first/\d{1,6}$"))
        assert ("named no game" in text(tab, "main")) == (fragment != "#train")
