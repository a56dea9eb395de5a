"""What the page looks like: nothing overflows, colours are told apart, controls have room, and axe finds nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import AXE, OWN, PHONE, POOLS, RACES, solved, text

Open = Callable[..., Any]
VIEWS = ("advise", "train", "quiz", "explore")
LONGEST = {
    "biscuits": "d6:6x12 d8:8 d10:10 d12:12",
    "threes": "5 5 4 4 1",
    "odd": "d4:4,3,2 d6:6,5",
    "house": "4444444 666",
    "ten-thousand": "5 5 5 1 1 1",
    "pig": "6",
    "cold": "5 1 1",
}
WIDE = """
() => [...document.querySelectorAll("body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    if (element.closest(".unseen, dialog:not([open]), svg")) return false;
    return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map((element) => element.outerHTML.slice(0, 90))
"""


def go(tab: Any, fragment: str) -> None:
    tab.evaluate("(hash) => { location.hash = hash; }", fragment)
    view, name = fragment[1:].split("/")[:2]
    tab.wait_for_selector(f".view.{view}[data-game={name}] *")


def assert_fits(tab: Any, where: str) -> None:
    """Refuse anything that stands out of the window."""
    assert tab.evaluate(WIDE) == [], where
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


def judge(tab: Any) -> None:
    """Choose something, so that the verdict shows."""
    for die in tab.locator(".table button").all()[:1]:
        die.click()
    tab.locator(".keepers button").first.click()


@pytest.mark.parametrize(("width", "size"), [(360, "100%"), (320, "100%"), (360, "200%")])
def test_nothing_overflows_on_a_phone(width: int, size: str, open_page: Open) -> None:
    tab = open_page("", viewport={"width": width, "height": 740})
    tab.evaluate("(size) => document.documentElement.style.setProperty('font-size', size)", size)
    assert tab.evaluate("getComputedStyle(document.body).fontSize") == f"{16 * int(size[:-1]) // 100}px"
    for name in (*POOLS, *RACES):
        for view in VIEWS:
            go(tab, f"#{view}/{name}/1" if view == "quiz" else f"#{view}/{name}")
            assert_fits(tab, f"{view} {name}")
            if view == "advise":
                tab.fill("#typed-roll", LONGEST[name])
                tab.wait_for_selector(".move")
                assert_fits(tab, f"moves of {name}")
                tab.fill("#typed-roll", "d6:" + "9" * 60)
                assert_fits(tab, f"a wrong roll of {name}")
            elif view == "train":
                judge(tab)
                assert_fits(tab, f"training {name}")


def test_every_control_has_a_name_and_room_for_a_finger(open_page: Open) -> None:
    tab = open_page("", viewport=PHONE)
    advised = "#advise/biscuits/roll=665544332211%207%208%209"
    for fragment in ("#advise/biscuits", advised, "#train/ten-thousand/first/1", "#explore/threes"):
        go(tab, fragment)
        poor = tab.evaluate(
            """() => [...document.querySelectorAll("button, select, input, [role=img]")].filter((element) => {
                const named = element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length;
                const box = (element.type === "radio" ? element.parentElement : element).getBoundingClientRect();
                return !element.closest(".unseen") && (!named || (box.height && Math.min(box.width, box.height) < 40));
            }).map((element) => element.outerHTML.slice(0, 80))"""
        )
        assert poor == [], fragment


def test_dark_is_dark_and_light_is_light(open_page: Open) -> None:
    def brightness(look: str) -> list[float]:
        colours = open_page("", color_scheme=look).evaluate(
            """() => {
                const {backgroundColor, color} = getComputedStyle(document.body);
                return [backgroundColor, color];
            }"""
        )
        return [sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in colours]

    (light, on_light), (dark, on_dark) = brightness("light"), brightness("dark")
    assert light > 200 > 80 > dark
    assert on_light < 80 < 200 < on_dark


def luminance(colour: list[float]) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours as the Web Content Accessibility Guidelines define it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_edges_and_fields_of_the_map_are_seen(look: str, open_page: Open) -> None:
    """What is no text contrasts 3 to 1 with what it lies on: edges of controls, bars, lines and every field of a map."""
    tab = open_page("", color_scheme=look)
    go(tab, "#advise/biscuits/roll=665544332211%207%208%209")
    tab.wait_for_selector("#move-2")
    tab.click("#move-2")
    edges = tab.evaluate(
        """() => {
            const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
            const under = (element) => {
                for (let at = element; at; at = at.parentElement) {
                    const found = rgb(getComputedStyle(at).backgroundColor);
                    if (found[3] !== 0) return found.slice(0, 3);
                }
            };
            const found = [];
            for (const element of document.querySelectorAll("button:not(:disabled), input, select")) {
                const style = getComputedStyle(element);
                if (style.borderStyle !== "none" && !element.closest("dialog") && element.getBoundingClientRect().width) {
                    found.push([element.id, rgb(style.borderColor).slice(0, 3), under(element.parentElement)]);
                }
            }
            for (const bar of document.querySelectorAll(".fill")) {
                const colour = rgb(getComputedStyle(bar).backgroundColor);
                if (bar.getBoundingClientRect().width > 1) found.push(["bar", colour, under(bar.parentElement)]);
            }
            return found;
        }"""
    )
    assert len(edges) > 10
    assert {name: (a, b) for name, a, b in edges if contrast(a, b) < 3} == {}
    for name in ("biscuits", "ten-thousand"):
        go(tab, f"#explore/{name}")
        fields = tab.evaluate(
            """() => {
                const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
                const card = rgb(getComputedStyle(document.querySelector("#parting")).backgroundColor);
                const all = (name) => [...document.querySelectorAll(name)];
                const lines = all(".line-of").map((line) => [1, getComputedStyle(line).stroke]);
                const cells = all("#parting .cell").map((cell) => [
                    Number(cell.getAttribute("fill-opacity")), getComputedStyle(cell).fill]);
                return [...lines, ...cells].map(([alpha, colour]) => [
                    rgb(colour).slice(0, 3).map((c, i) => alpha * c + (1 - alpha) * card[i]), card.slice(0, 3)]);
            }"""
        )
        assert len(fields) > 50
        assert min(contrast(*pair) for pair in fields) >= 3


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing(look: str, open_page: Open, axe: str) -> None:
    tab = open_page("", viewport=PHONE, color_scheme=look)
    tab.evaluate(axe)
    wrong = {}

    def check(where: str) -> None:
        if found := tab.evaluate(AXE):
            wrong[where] = found

    for name in ("biscuits", "ten-thousand"):
        go(tab, f"#advise/{name}")
        check(f"advise {name}")
        tab.fill("#typed-roll", LONGEST[name])
        tab.wait_for_selector(".move")
        tab.click("#die-0")
        check(f"advise {name}, a roll")
        tab.click("#position-line")
        check(f"advise {name}, the position")
        tab.click("#done")
        tab.fill("#typed-roll", "x")
        check(f"advise {name}, a wrong roll")
        go(tab, f"#train/{name}/first/7")
        tab.click("#settings-title")
        check(f"train {name}")
        judge(tab)
        check(f"train {name}, judged")
        go(tab, f"#quiz/{name}/4")
        check(f"quiz {name}")
        go(tab, f"#explore/{name}")
        check(f"explore {name}")
    go(tab, "#train/pig/first/3/moves=" + ".".join("0" * 60))
    check("the report")
    assert wrong == {}


def test_rules_ties_format_and_version_are_said(open_page: Open) -> None:
    tab = open_page("#advise/biscuits")
    for part in ("set aside one or more", "A tie counts half.", "sequential play", "gametheory "):
        assert part in text(tab, "#about")
    assert solved("odd").game in OWN.values()


def test_the_views_and_games_are_reached_from_the_header(open_page: Open) -> None:
    tab = open_page()
    tab.click("#view-explore")
    tab.wait_for_selector(".chart")
    tab.select_option("#game", "pig")
    tab.wait_for_url(re.compile("#explore/pig$"))
    tab.wait_for_selector("text=Bank or roll")
    tab.go_back()
    tab.wait_for_url(re.compile("#explore/biscuits$"))
    tab.click("#view-train")
    tab.wait_for_url(re.compile(r"#train/biscuits/first/\d+$"))
    tab.click("#view-quiz")
    tab.wait_for_url(re.compile(r"#quiz/biscuits/\d+$"))


def test_charts_are_read_by_pointer_touch_and_keys(open_page: Open) -> None:
    tab = open_page("#explore/biscuits", viewport=PHONE, has_touch=True)
    tab.focus("#second-chart")
    for _ in range(30):
        tab.keyboard.press("ArrowRight")
    targets, chances = solved("biscuits").second_by_target()
    last = text(tab, "#second-readout")
    assert last.startswith(f"Against {targets[-1]} the second player wins {100 * chances[-1]:.2f}")
    tab.hover("#distribution-chart", position={"x": 150, "y": 60})
    assert re.match(r"\d+: [<\d.%]+ playing to win", text(tab, "#distribution-readout"))
    tab.tap("#parting-chart", position={"x": 200, "y": 200})
    assert "left" in text(tab, "#parting-readout")
    tab.select_option("#parting-seat", "95")
    assert "95 is to be beaten" in text(tab, "#distribution")
    tab.wait_for_timeout(120)
    tab.reload()
    assert "95 is to be beaten" in text(tab, "#distribution")
