"""The page in a real browser, opened from a file with the network cut off, for the tests of this folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import shared

from gametheory import dice
from gametheory.advisor import page
from gametheory.pool.rules import PoolGame
from gametheory.race.rules import RaceGame

HOW = "run `apt-get install chromium` and `pip install playwright` to have the browser tests"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE = {"width": 360, "height": 740}
POOLS = ("biscuits", "threes", "odd", "house")
RACES = ("ten-thousand", "pig", "cold")

OWN = {
    # Points that are negative, doubled and far apart, and the lower score wins.
    "odd": PoolGame("odd", (3, 2), (dice.Die("d4", (-2, 0, 0, 7)), dice.Die("d6", (1, 1, 2, 3, 5, 8))), higher_wins=False),
    # House rules: two dice or more of every roll, and three rolls.
    "house": PoolGame("house", (7, 3), (dice.standard_die(4), dice.standard_die(6)), keep_at_least=2, roll_limit=3),
    # Used dice stay used: a turn may end short of what may be banked first.
    "cold": RaceGame("cold", 3, 6, 1_000, (100, 0, 0, 0, 50, 0), (400, *[200] * 5), opening=250, hot_dice=False),
}


def solved(name: str) -> Any:
    """Return a solved game of the page."""
    return shared.solved(OWN.get(name, name))


@pytest.fixture(scope="session")
def html() -> str:
    return page.build([*POOLS, *RACES], solution=solved)


@pytest.fixture(scope="session")
def address(html: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return page.write(tmp_path_factory.mktemp("page") / "advisor.html", html).as_uri()


def find_browser() -> str:
    """Return the path of a browser. Where nobody reads what was left out, one that is missing is a failure."""
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        missing(f"no playwright: {HOW}")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return found or missing(f"no chromium: {HOW}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    path = find_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tabs(chromium: Any) -> dict[str, Any]:
    """One tab for each look, to be loaded anew by every test: opening one takes as long as loading the page."""
    return {}


@pytest.fixture
def open_page(chromium: Any, tabs: dict[str, Any], address: str) -> Iterator[Callable[..., Any]]:
    """Load the page at a fragment; in the end there must be no error and no request but for the file itself.

    Asked again for the same look, it loads the same tab anew.
    """
    troubles: list[str] = []
    requests: list[str] = []
    heard: dict[str, Callable[[Any], None]] = {
        "console": lambda message: troubles.append(f"console: {message.text}"),
        "pageerror": lambda error: troubles.append(f"error: {error}"),
        "request": lambda request: requests.append(request.url),
    }
    opened: list[Any] = []

    def load(fragment: str = "", **settings: Any) -> Any:
        look = repr(sorted(settings.items()))
        if look not in tabs:
            context = chromium.new_context(offline=True, **settings)
            context.set_default_timeout(10_000)
            tabs[look] = context.new_page()
        tab = tabs[look]
        if tab not in opened:
            opened.append(tab)
            for event, hear in heard.items():
                tab.on(event, hear)
        else:
            tab.goto("about:blank")  # from one fragment to another nothing is loaded
        tab.goto(address + fragment)
        return tab

    yield load
    for tab in opened:
        tab.goto("about:blank")
        for event, hear in heard.items():
            tab.remove_listener(event, hear)
    assert troubles == []
    assert {url for url in requests if not url.startswith((address, "data:", "about:blank"))} == set()


def text(tab: Any, selector: str) -> str:
    return str(tab.inner_text(selector))


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the script of axe-core; it is for the tests, and no part of the page."""
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        missing("no npm: run `apt-get install npm` to have the tests of accessibility")
    fetch = [npm, "pack", "axe-core@4", "--silent"]
    packed = subprocess.run(fetch, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if packed.returncode:
        missing(f"npm could not fetch axe-core: {packed.stderr.strip()[-300:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


AXE = """
async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const rules = {"label-content-name-mismatch": {enabled: true}, "region": {enabled: false}};
    const {violations} = await axe.run(document, {runOnly: {type: "tag", values: tags}, rules});
    const told = ({html, failureSummary}) => `${html.slice(0, 120)} ${failureSummary.slice(0, 200)}`;
    return violations.map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(told).join(" | ")}`);
}
"""
