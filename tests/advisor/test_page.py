"""The page in a real browser, opened from a file with the network cut off, held to the Python it came from."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shared

from gametheory import dice
from gametheory.advisor import page, trainer
from gametheory.answers import Move, Ranking, order
from gametheory.match import duel
from gametheory.match.duel import Duel
from gametheory.match.race import Race
from gametheory.match.solution import SEATS
from gametheory.pool.rules import PoolGame
from gametheory.race import policies
from gametheory.race.notation import Position
from gametheory.race.rules import RaceGame, keeps
from gametheory.race.turn import turn_tables
from gametheory.ties import DISAGREE, TIED

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
POSITIONS = 300
RACE_POSITIONS = 1_500
POOLS = ("biscuits", "threes", "odd")
RACES = ("ten-thousand", "pig", "cold")

OWN = {
    # Points that are negative, doubled and far apart, and the lower score wins.
    "odd": PoolGame("odd", (3, 2), (dice.Die("d4", (-2, 0, 0, 7)), dice.Die("d6", (1, 1, 2, 3, 5, 8))), higher_wins=False),
    # Used dice stay used: a turn may end short of what may be banked first.
    "cold": RaceGame("cold", 3, 6, 1_000, (100, 0, 0, 0, 50, 0), (400, *[200] * 5), opening=250, hot_dice=False),
}


def solved(name: str) -> Any:
    """Return a solved game of the page."""
    return shared.solved(OWN.get(name, name))


@pytest.fixture(scope="module")
def html() -> str:
    return page.build([*POOLS, *RACES], solution=solved)


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    path = find_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
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


def test_a_missing_browser_is_a_failure_where_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    for ci, outcome in (("true", pytest.fail.Exception), ("", pytest.skip.Exception)):
        monkeypatch.setenv("CI", ci)
        with pytest.raises(outcome, match=r"no (chromium|playwright): run `apt-get"):
            find_browser()


# The file.


def data_of(html: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, flags=re.DOTALL)
    return json.loads(text)


@pytest.mark.parametrize(("names", "limit"), [(("biscuits", "threes"), 1e6), (page.GAMES, 2e6)])
def test_the_page_is_small(names: tuple[str, ...], limit: float, html: str) -> None:
    found = data_of(html)["games"]
    assert len(page.assemble(json.dumps({"games": {name: found[name] for name in names}})).encode()) < limit


def test_the_page_names_no_outside_address(html: str) -> None:
    assert set(re.findall(r"https?://[^\s\"'<>]+", html)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(link|img|script|iframe)[^>]+(src|href)=\"(?!data:)", html)


def test_the_modules_are_one_script_in_the_order_of_their_imports(html: str) -> None:
    (script,) = re.findall(r'<script type="module">(.*?)</script>', html, flags=re.DOTALL)
    assert not re.search(r"^(import|export)\b", script, flags=re.MULTILINE)
    assert "{{" not in html.replace(script, "")
    folder = Path(page.__file__).parent / "web"
    modules = page.scripts()
    assert {path.name for path in folder.glob("*.js")} == set(modules)
    assert len(set(modules)) == len(modules)
    for place, name in enumerate(modules):
        for imported in re.findall(r'from "\./(.*)"', (folder / name).read_text()):
            assert modules.index(imported) < place


def code_of(name: str) -> str:
    """Return a module without its comments."""
    return re.sub(r"^\s*(//|/?\*).*$", "", (Path(page.__file__).parent / "web" / name).read_text(), flags=re.MULTILINE)


def test_only_the_registry_knows_the_families() -> None:
    for name in page.scripts():
        code = code_of(name)
        assert code.count(".family") == (name == "families.js"), name
        assert set(re.findall(r"\binstanceof (\w+)", code)) <= {"HTMLInputElement"}, name
        assert not re.search(r"\.constructor\b|\" in \w|\bhasOwn\(game|typeof game|game\.\w+\?\.", code), name
        if name not in ("families.js", "pool.js", "race.js"):
            assert not re.search(r"\b(Pool|Race)\b", code), name


def test_tolerances_are_those_of_python(html: str) -> None:
    data = data_of(html)
    assert (data["tied"], data["disagree"]) == (TIED, DISAGREE)
    for name in page.scripts():
        assert not re.search(r"1e-(9|10)\b|0\.0{8,9}1\b", code_of(name)), name


COIN = """
import { h } from "./dom.js";
import { Game } from "./game.js";

export class Coin extends Game {
  constructor(data) {
    super(data);
    this.kinds = [{ name: "d2", sides: 2 }];
    this.start = { left: [1], mine: null };
    this.ways = [{ id: "show", label: ", show it", how: "" }];
    this.exploring = { at: "all" };
  }

  chance({ mine }) { return mine === null ? 0.5 : mine === 2 ? 0.25 : 0.75; }
  rank({ mine }, roll) {
    const face = roll[0][0];
    const win = mine === null ? (face === 2 ? 0.75 : 0.25) : face === mine ? 0.5 : Number(face > mine);
    return { moves: [{ keep: roll, way: 0, score: face, win }], bestForWin: 0, bestForScore: 0 };
  }
  after({ mine }, { keep: [[face]], win }) {
    if (mine === null) return { position: { left: [1], mine: face }, passes: true, result: null };
    return { position: { left: [0], mine: face }, passes: false, result: win };
  }
  writeRoll(roll) { return roll[0].join(" "); }
  example() { return "2"; }
  afterwards() { return "show it"; }
  expectation(move) { return `${move.score} shown`; }
  entry() { return { left: [1], note: "", name: "" }; }
  form(entry) {
    const problem = entry.name ? "" : "Who are you?";
    return {
      choices: [], fields: [{ id: "name", label: "Name", problem }], steps: [], position: problem ? null : this.start,
      card: entry.left[0] ? null : { title: "Shown", text: entry.note },
    };
  }
  standing() { return ["Heads or tails?"]; }
  why() { return "Luck."; }
  take(entry, move) { return { ...entry, left: [0], note: `Showed ${move.score}.` }; }
  told({ mine }) { return [mine === null ? "you are first" : `they showed ${mine}`]; }
  tell(mine, position, roll) { return mine ? null : ["They show", roll, ""]; }
  outcome(position, mine) { return mine ? "You showed last." : "They showed last."; }
  explore(chosen, width, change) {
    const look = () => change({ at: "one" });
    return h("button", { id: "explore-position", class: "main", onclick: look }, `Seen from ${chosen.at}`);
  }
}
"""


def test_a_new_family_is_one_file_and_its_name(
    chromium: Any, tmp_path: Path, html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A family that no view has heard of is advised, trained and explored."""
    read = page._web

    def web(name: str) -> str:
        if name == "coin.js":
            return COIN
        if name == "families.js":
            text = read(name).replace("const FAMILIES = {", "const FAMILIES = { coin: Coin,")
            return text.replace("import {", 'import { Coin } from "./coin.js";\nimport {', 1)
        return read(name)

    monkeypatch.setattr(page, "_web", web)
    data = {**data_of(html), "games": {"toss": {"family": "coin", "name": "toss", "about": "Heads beat tails."}}}
    path = page.write(tmp_path / "coin.html", page.assemble(json.dumps(data)))
    tab = chromium.new_page(offline=True)
    tab.set_default_timeout(10_000)
    troubles: list[str] = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(path.as_uri())
    assert text(tab, "#about") == "Heads beat tails."
    assert "Put right the field" in text(tab, "main")
    tab.fill("#name", "me")
    tab.click("#add-d2-2")
    assert "best to win" in text(tab, "#move-0")
    tab.click("#move-0")
    assert "Showed 2." in text(tab, "main")
    tab.click("#view-train")
    tab.click("#show")
    assert "Choose at least one die" in text(tab, "#keep-problem")
    tab.click("#die-0-0")
    tab.click("#show")
    assert text(tab, "#outcome") == "They showed last."
    tab.click("#view-explore")
    tab.click("#explore-position")
    assert "Seen from one" in text(tab, "main")
    tab.close()
    assert troubles == []


def test_the_policy_allows_the_own_script_and_no_other(html: str) -> None:
    policy = page.security_policy(html)
    assert f'content="{policy}"' in html
    assert "unsafe" not in policy
    assert page.security_policy(html.replace("const SHOWN = 6", "const SHOWN = 7")) != policy


def test_data_cannot_end_the_element_that_holds_it(tmp_path: Path) -> None:
    evil = PoolGame("</script><script>", (1,), (dice.standard_die(4),), about="<b>")
    text = page.build(["evil"], solution=lambda name: duel.solve(evil))
    assert list(data_of(text)["games"]) == ["</script><script>"]


def test_a_page_is_not_silently_replaced(tmp_path: Path) -> None:
    path = page.write(tmp_path / "a.html", "one")
    with pytest.raises(ValueError, match=r"a\.html exists already: .*--force"):
        page.write(path, "two")
    assert page.write(path, "two", force=True).read_text() == "two"
    with pytest.raises(ValueError, match=r"cannot write .*no-folder"):
        page.write(tmp_path / "no-folder" / "a.html", "one")
    assert [other.name for other in tmp_path.iterdir()] == ["a.html"]


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no game 'buscuits'"):
        page.build(["buscuits"])


# The numbers.


def throw(draw: random.Random, left: tuple[int, ...], kinds: tuple[dice.Die, ...]) -> dice.Roll:
    """Throw these dice."""
    return tuple(
        tuple(sorted((draw.randint(1, die.sides) for _ in range(n)), reverse=True))
        for n, die in zip(left, kinds, strict=True)
    )


def pool_positions(solution: Duel, seed: int) -> list[dict[str, Any]]:
    """Draw positions of a pool game: dice left, banked, a roll of them, and half of them with a target."""
    draw, game, found = random.Random(seed), solution.game, []
    for number in range(POSITIONS):
        left = draw.choice(game.pools[1:])
        roll = throw(draw, left, game.kinds)
        target = draw.randint(game.lowest(game.counts) - 3, game.highest(game.counts) + 3)
        banked = draw.choice(game.scores(game.banked_dice(left)))
        found.append({"roll": roll, "left": left, "banked": banked, "target": target if number % 2 else None})
    return found


RANK = """
([name, positions]) => {
    const game = gametheory.games.get(name);
    return JSON.stringify(positions.map(({roll, ...position}) => {
        const {moves, bestForWin, bestForScore} = game.rank(position, roll);
        const left = (m) => m.left ? game.writeDice(m.left) : m.dice;
        const texts = moves.map((m) => [game.writeRoll(m.keep), m.points, left(m), m.bank ?? null]);
        return [texts, moves.map((m) => m.score), moves.map((m) => m.win), bestForWin, bestForScore];
    }));
}
"""
"""Ranks rolls on the page; what is shown comes as one text: value by value it takes ten times as long."""


def assert_ranked_alike(shown: Any, found: Ranking) -> set[str]:
    """Hold a ranking of the page to that of `moves`; tell whether moves are tied, and the two best ones apart."""
    texts, scores, chances, best_for_win, best_for_score = shown
    listed = found.to_dict()
    moves = listed["moves"]
    assert texts == [[move["keep"], move["points"], move["dice_left"], move.get("bank")] for move in moves]
    assert np.abs(np.array(scores) - [move["expected_score"] for move in moves]).max() < 1e-9
    assert np.abs(np.array(chances) - [move["win_probability"] for move in moves]).max() < 1e-12
    assert (best_for_win, best_for_score) == (listed["best_for_win"], listed["best_for_score"])
    special = {"apart"} if best_for_win != best_for_score else set()
    for worth, best in (("win_probability", best_for_win), ("expected_score", best_for_score)):
        worths = [getattr(move, worth) for move in found]
        if sum(abs(other - worths[best]) <= TIED for other in worths) > 1:
            special.add("tied")
    return special


@pytest.mark.parametrize("name", POOLS)
def test_pool_moves_are_ranked_as_in_python(name: str, open_page: Callable[..., Any]) -> None:
    solution: Duel = solved(name)
    positions = pool_positions(solution, 1)
    special: Counter[str] = Counter()
    for position, shown in zip(positions, json.loads(open_page().evaluate(RANK, [name, positions])), strict=True):
        roll = tuple(tuple(faces) for faces in position["roll"])
        found = solution.moves(roll, banked=position["banked"], target=position["target"])
        special.update(assert_ranked_alike(shown, found))
        special["decided"] += found[0].win_probability <= TIED or found[-1].win_probability >= 1 - TIED
    assert min(special[kind] for kind in ("tied", "decided", "apart")) > 10, special


def race_positions(solution: Race, seed: int) -> list[dict[str, Any]]:
    """Draw turns of a race that are thrown on to their end, past the goal too, and list every roll of them.

    Of three turns one starts before a player has opened, and one shortly before the goal.
    """
    draw, game = random.Random(seed), solution.game
    scores = sorted(set(solution.scores.tolist()))
    found: list[dict[str, Any]] = []
    while len(found) < RACE_POSITIONS:
        score, opponent = draw.choice(([0], scores[-len(scores) // 10 :], scores)), scores
        turn, count = 0, game.dice
        standing = {"score": draw.choice(score), "opponent": draw.choice(opponent)}
        while count:
            roll = tuple(sorted((draw.randint(1, game.sides) for _ in range(count)), reverse=True))
            found.append({"roll": [roll], "left": [count], "turn": turn, **standing})
            offered = keeps(game, roll)
            if not offered:
                break
            kept = draw.choice(offered)
            turn, count = turn + kept.points, kept.dice_left
    return found


@pytest.mark.parametrize("name", RACES)
def test_race_moves_are_ranked_as_in_python(name: str, open_page: Callable[..., Any]) -> None:
    """No position is left out: neither before a player has opened nor once the turn total is enough to win."""
    solution: Race = solved(name)
    game = solution.game
    positions = race_positions(solution, 2)
    special: Counter[str] = Counter()
    for position, shown in zip(positions, json.loads(open_page().evaluate(RANK, [name, positions])), strict=True):
        (roll,) = position["roll"]
        if not keeps(game, roll):
            special["bust"] += 1
            assert shown[0] == []
            continue
        at = {key: position[key] for key in ("turn", "score", "opponent")}
        special.update(assert_ranked_alike(shown, solution.moves(roll, **at)))
        special["decided"] += at["score"] + at["turn"] >= game.goal
        special["unopened"] += 0 == at["score"] < game.opening
    expected = {"bust", "tied", "decided", "apart"} | ({"unopened"} if game.opening else set())
    assert min(special[kind] for kind in expected) > 20, special
    assert special["bust"] < len(positions) / 2


STANDINGS = [
    ("pig", 0, 0), ("pig", 60, 90), ("ten-thousand", 0, 3000), ("ten-thousand", 7000, 9500), ("cold", 0, 600),
    ("cold", 850, 900),
]  # fmt: skip
"""Scores before a turn."""


@pytest.mark.parametrize(("name", "score", "opponent"), STANDINGS)
def test_turn_scores_are_those_of_the_policies(name: str, score: int, opponent: int, open_page: Callable[..., Any]) -> None:
    solution: Race = solved(name)
    me, them = (np.array([solution.standing(points)]) for points in (score, opponent))
    need = -(-(solution.game.goal - score) // solution.game.unit)
    tab = open_page()
    for policy in ("win", "score"):
        shown = tab.evaluate(
            "([name, score, opponent, win]) => gametheory.games.get(name).turnScores({score, opponent}, win)",
            [name, score, opponent, policy == "win"],
        )
        ends = policies.turn_ends(solution.policy(policy), me, them)[0]
        assert np.abs(np.array(shown[:need]) - ends[:need]).max() < 1e-9
        assert abs(sum(shown[need:]) - ends[-1]) < 1e-9


@pytest.mark.parametrize(("name", "score", "opponent"), STANDINGS)
def test_the_map_of_a_race_shows_what_the_policies_do(
    name: str, score: int, opponent: int, open_page: Callable[..., Any]
) -> None:
    """Cells are coloured by what playing to win does, and marked where playing for points does the other thing."""
    solution: Race = solved(name)
    game = solution.game
    tab = open_page(f"#explore/{name}")
    tab.fill("#explore-score", str(score))
    tab.fill("#explore-opponent", str(opponent))
    shown = tab.evaluate(
        """() => [...document.querySelectorAll("#parting .cell")].map((cell) =>
            [cell.getAttribute("class").split(" ")[1], cell.nextElementSibling?.getAttribute("class") === "mark"])"""
    )
    own_scores = sorted(set(solution.scores.tolist()))
    rows = [(score, n) for n in range(1, game.dice + 1)]
    if game.dice == 1:  # with one die the rows are the scores of the player to move
        rows = [(own, 1) for own in own_scores[:: -(-len(own_scores) // 20)]]
    expected = []
    for own, count in rows:
        chances = solution.chances(own, opponent)
        for total in range(1, len(shown) // len(rows) + 1):
            turn = total * game.unit
            bank, thrown = chances.banked(total), chances.rolled(total, count)
            if bank == -np.inf:
                expected.append(["never", False])
                continue
            tables, opened = turn_tables(game), own > 0 or not game.opening
            moves = [
                Move((), 0, count, tables.expected_score(count, turn, opened), thrown, False),
                Move((), 0, count, float(turn), bank, True),
            ]
            worths = policies.score_worths(game, Position(own, opened, opponent, True, turn, count))
            banks = order(moves, worths, solution.notation.preference)[0].bank
            parted = abs(thrown - bank) > DISAGREE and banks != (bank > thrown)
            expected.append(["win" if thrown > bank else "score", parted])
    assert [place for place, both in enumerate(zip(shown, expected, strict=True)) if both[0] != both[1]] == []
    assert any(parted for _, parted in shown)


def test_the_pictures_show_what_was_evaluated(html: str) -> None:
    solution: Duel = solved("threes")
    data = data_of(html)["games"]["threes"]["explore"]

    def read(text: str) -> Any:
        return np.frombuffer(base64.b64decode(text), "<f4")

    visits = read(data["visits"]).reshape(5, -1)
    assert abs(visits[4, -data["bankedFrom"]] - 1) < 1e-6  # every game starts with all dice and nothing banked
    for seat in data["seats"]:
        found = solution.diff(target=seat["target"])
        often, cost = (read(seat[key]).reshape(5, -1) for key in ("often", "cost"))
        assert abs((visits * often).sum() - found.summary.disagreements_per_game) < 1e-6
        assert abs((visits * cost).sum() - found.summary.win_probability_lost) < 1e-6
        made = solution.distribution("win", seat["target"])
        assert np.abs(read(seat["win"]) - made.probabilities).max() < 1e-6
    assert len(data["seats"]) > 3


# Training.


@pytest.mark.parametrize("name", ["threes", "odd", *RACES])
def test_chances_luck_and_mistakes_add_up_to_the_result(name: str, open_page: Callable[..., Any]) -> None:
    accounts = open_page().evaluate(
        """(name) => {
            const found = [];
            for (let seed = 0; seed < 8; seed++) {
                const training = gametheory.newTraining(gametheory.games.get(name), seed % 2 ? "first" : "second", seed);
                let step = 0;
                while (!training.over) training.decide(++step % 3 ? 0 : Math.floor(training.ranking.moves.length / 2));
                const {start, luck, theirLuck, given, result, decisions} = training;
                found.push({start, luck, theirLuck, given, result, decisions: decisions.length});
            }
            return found;
        }""",
        name,
    )
    for account in accounts:
        reached = account["start"] + account["luck"] + account["theirLuck"] - account["given"]
        assert abs(reached - account["result"]) < 1e-9
    assert any(account["given"] > 0.01 for account in accounts)
    assert len({account["luck"] for account in accounts}) == len(accounts)


class BestAnswers:
    """Asks the terminal for the best moves, and answers with the first of them."""

    def __init__(self, shown: io.StringIO) -> None:
        self.shown, self.asked = shown, False

    def readline(self) -> str:
        self.asked = not self.asked
        if self.asked:
            return "?\n"
        table = self.shown.getvalue().rpartition("expected  keep\n")[2]
        return re.sub(r"^\s*\S+\s+\S+\s+", "", table.splitlines()[0]) + "\n"


@pytest.mark.parametrize("name", ["threes", "pig"])
@pytest.mark.parametrize("seat", SEATS)
def test_a_game_number_is_the_same_game_in_the_terminal(name: str, seat: str, open_page: Callable[..., Any]) -> None:
    shown = open_page().evaluate(
        """([name, seat]) => {
            const training = gametheory.newTraining(gametheory.games.get(name), seat, 4711);
            while (!training.over) training.decide(0);
            return [training.start, training.luck, training.theirLuck, training.given, training.result];
        }""",
        [name, seat],
    )
    printed = io.StringIO()
    source: Any = BestAnswers(printed)
    account = trainer.run(name, 4711, seat, solution=solved, source=source, target=printed)
    assert account.result == shown[4]
    assert np.allclose(shown[:4], [account.start, account.luck, account.their_luck, account.given], atol=1e-9)


# By hand.


def text(tab: Any, selector: str) -> str:
    return str(tab.inner_text(selector))


def tab_to(tab: Any, name: str) -> None:
    """Reach an element by the tab key alone."""
    for _ in range(120):
        if tab.evaluate("document.activeElement.id") == name:
            return
        tab.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {name}")


@pytest.mark.parametrize("name", ["threes", "odd"])
def test_a_pool_game_is_advised_by_clicks(name: str, open_page: Callable[..., Any]) -> None:
    tab = open_page(f"#advise/{name}", viewport=PHONE, has_touch=True)
    solution: Duel = solved(name)
    kinds = solution.game.kinds
    draw, left, banked = random.Random(5), solution.game.counts, 0
    while any(left):
        roll = throw(draw, left, kinds)
        for faces, die in zip(roll, kinds, strict=True):
            for face in faces:
                tab.tap(f"#add-{die.name}-{face}")
        best = solution.moves(roll, banked=banked)[0]
        assert dice.format_roll(best.keep, kinds) in text(tab, "#move-0")
        assert f"{100 * best.win_probability:.1f}%" in text(tab, "#move-0")
        assert "best to win" in text(tab, "#move-0")
        tab.tap("#move-0")
        banked, left = banked + best.points, best.dice_left
        assert tab.input_value("#banked") == str(banked)
    assert f"You made {banked}." in text(tab, "#final")
    tab.tap("#undo")
    assert "best to win" in text(tab, "#move-0")
    tab.tap("#move-0")
    tab.tap("#other-seat")
    assert tab.input_value("#target") == str(banked)
    assert tab.is_checked("#seat-second")
    tab.tap("#new-game")
    assert tab.input_value("#banked") == "0"


def test_a_pool_game_is_advised_by_keyboard(open_page: Callable[..., Any]) -> None:
    tab = open_page("#advise/biscuits")
    solution: Duel = solved("biscuits")
    game = solution.game
    draw, left, banked = random.Random(6), game.counts, 0
    tab_to(tab, "seat-first")
    tab.keyboard.press("ArrowRight")
    tab_to(tab, "target")
    tab.keyboard.type("95")
    while any(left):
        roll = throw(draw, left, game.kinds)
        tab_to(tab, "typed-roll")
        tab.keyboard.type(dice.format_roll(roll, game.kinds))
        best = solution.moves(roll, banked=banked, target=95)[0]
        tab_to(tab, "move-0")
        assert tab.get_attribute("#move-0", "aria-label").startswith(f"keep {dice.format_roll(best.keep, game.kinds)}, ")
        assert f"{100 * best.win_probability:.1f}% to win" in text(tab, "#said") or best.win_probability < 0.005
        tab.keyboard.press("Enter")
        banked, left = banked + best.points, best.dice_left
        assert tab.input_value("#banked") == str(banked)
        assert tab.evaluate("document.activeElement.id") == "roll-title"
    assert f"You made {banked} against 95" in text(tab, "#final")


def test_a_race_is_advised_by_clicks(open_page: Callable[..., Any]) -> None:
    tab = open_page("#advise/pig")
    tab.fill("#score", "80")
    tab.fill("#opponent", "50")
    tab.click("#add-d6-5")
    assert "bank" in text(tab, ".moves")
    roll = tab.locator(".move", has_text="roll 1 die").first
    roll.click()
    assert tab.input_value("#turn") == "5"
    tab.click("#add-d6-1")
    assert "Nothing in this roll scores" in text(tab, "main")
    tab.click("#pass")
    tab.fill("#theirs", "20")
    tab.click("#my-turn")
    assert (tab.input_value("#score"), tab.input_value("#opponent")) == ("80", "70")
    for _ in range(3):
        tab.click("#add-d6-6")
        tab.locator(".move", has_text="roll 1 die").first.click()
    tab.click("#add-d6-6")
    tab.locator(".move", has_text="bank").first.click()
    assert "You banked 24 and made 104." in text(tab, "main")
    tab.click("#undo")
    assert tab.input_value("#turn") == "18"


def test_where_the_two_differ_a_sentence_says_why(open_page: Callable[..., Any]) -> None:
    solution: Duel = solved("biscuits")
    for position in pool_positions(solution, 3):
        if position["target"] is None:
            continue
        roll = tuple(tuple(faces) for faces in position["roll"])
        found = solution.moves(roll, banked=position["banked"], target=position["target"])
        gain = found.moves[0].win_probability - found.moves[found.best_for_score].win_probability
        if gain > 0.01:
            break
    else:
        raise AssertionError("no position in which the two differ")
    tab = open_page("#advise/biscuits")
    tab.click("#seat-second")
    tab.fill("#target", str(position["target"]))
    tab.click("#dice-left-title")
    for n, count, die in zip(map(len, roll), solution.game.counts, solution.game.kinds, strict=True):
        for _ in range(count - n):
            tab.click(f"#fewer-{die.name}")
    tab.fill("#banked", str(position["banked"]))
    tab.fill("#typed-roll", dice.format_roll(roll, solution.game.kinds))
    needed = position["target"] + 1 - position["banked"] - found.moves[0].points
    assert text(tab, "#why").startswith(f"You need {needed} more from")
    assert f"wins {100 * gain:.1f}% more often" in text(tab, "#why")
    assert "best for points" in text(tab, f"#move-{found.best_for_score}")


@pytest.mark.parametrize("seat", SEATS)
def test_a_pool_game_is_trained_by_clicks(seat: str, open_page: Callable[..., Any]) -> None:
    tab = open_page(f"#train/threes/{seat}/12", viewport=PHONE, has_touch=True)
    tab.tap("#keep")
    assert "at least one die" in text(tab, "#keep-problem")
    decisions = 0
    while tab.locator("#keep").count():
        tab.tap("#die-0-0")
        assert tab.get_attribute("#die-0-0", "aria-pressed") == "true"
        tab.tap("#keep")
        decisions += 1
    assert re.search(r"You made \d+, they made \d+: (you win|they win|a tie)", text(tab, "#outcome"))
    assert re.search(r"\d decisions?, \d mistakes?, .* of winning chance given away", text(tab, "#summary"))
    assert 3 <= decisions <= 5
    tab.tap("#next-game")
    tab.wait_for_selector("#keep")
    assert re.search(rf"#train/threes/{seat}/(?!12$)\d+$", tab.url)


def test_a_race_is_trained_by_keyboard(open_page: Callable[..., Any]) -> None:
    tab = open_page("#train/pig/first/3")
    while tab.locator("#keep-bank").count():
        tab_to(tab, "die-0-0")
        tab.keyboard.press("Space")
        tab_to(tab, "keep-roll" if "this turn 0" in text(tab, "main") else "keep-bank")
        tab.keyboard.press("Enter")
        assert tab.locator("#verdict, #outcome").count()
    assert "Report" in text(tab, "#train-title")
    assert "winning chance given away" in text(tab, "#summary")


def test_a_pool_game_is_trained_by_keyboard(open_page: Callable[..., Any]) -> None:
    tab = open_page("#train/biscuits/first/7")
    for _ in range(15):
        if not tab.locator("#keep").count():
            break
        tab_to(tab, tab.evaluate("document.querySelector('.tapped button').id"))
        tab.keyboard.press("Space")
        if tab.locator(".tapped button").count() > 1:
            tab.keyboard.press("ArrowRight")
            tab.keyboard.press("Enter")
        tab_to(tab, "keep")
        tab.keyboard.press("Enter")
    assert re.search(r"You made \d+, they made \d+", text(tab, "#outcome"))


def test_a_decision_shows_its_cost(open_page: Callable[..., Any]) -> None:
    tab = open_page("#train/biscuits/first/7")
    for die in tab.locator(".tapped button").all():
        die.click()
    tab.click("#keep")
    assert "1 decision, 1 mistake" in text(tab, "#summary")
    tab.evaluate("location.hash = '#train/biscuits/first/8'")
    tab.wait_for_selector("text=game 8")
    tab.locator(".tapped button").last.click()
    tab.click("#keep")
    left, roll = (12, 1, 1, 1), dice.Stream(8, 0)
    faces = tuple(roll.roll(n, sides) for n, sides in zip(left, (6, 8, 10, 12), strict=True))
    moves = solved("biscuits").moves(faces, banked=0)
    kept = next(move for move in moves if move.keep == ((), (), (), faces[3]))
    cost = moves[0].win_probability - kept.win_probability
    assert cost > 0.001
    assert f"That cost {100 * cost:.{2 if cost < 0.005 else 1}f}% of winning chance." in text(tab, "#verdict")


def test_the_views_and_games_are_reached_from_the_header(open_page: Callable[..., Any]) -> None:
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
    tab.click("#view-advise")
    tab.fill("#typed-roll", "d6:6")
    tab.click("#view-explore")
    tab.click("#view-advise")
    assert tab.input_value("#typed-roll") == "d6:6"


def test_charts_are_read_by_pointer_touch_and_keys(open_page: Callable[..., Any]) -> None:
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


# What is wrong.


def test_wrong_fields_say_so_and_keep_the_rest(open_page: Callable[..., Any]) -> None:
    tab = open_page("#advise/biscuits")
    tab.click("#seat-second")
    tab.fill("#typed-roll", "d6:6,5x2,3x9 d8:7 d10:3 d12:11")
    for given, problem in (
        ("ninety", "is no score"),
        ("9.5", "is no score"),
        ("", "Say what they made"),
        ("1e3", "is no score"),
    ):
        tab.fill("#target", given)
        assert problem in text(tab, "#target-note")
        assert tab.get_attribute("#target", "aria-invalid") == "true"
        assert tab.locator(".move").count() == 0
    for given in ("5", "-3"):
        tab.fill("#banked", given)
        assert "With all dice left nothing is banked" in text(tab, "#banked-note")
    tab.fill("#target", "95")
    tab.fill("#banked", "0")
    assert tab.locator(".move").count() > 3
    for given, problem in (
        ("d6:7", "faces 1 to 6, not 7"),
        ("d7:1", "no d7"),
        ("6,6", "say which die"),
        ("d8:1,2", "Only 1 d8 is left"),
        ("d6:6x13", "Only 12 d6 are left"),
        ("d6:six", "write faces as"),
        ("d6:6x999", "Only 12"),
        ("<b>", "say which die"),
    ):
        tab.fill("#typed-roll", given)
        assert problem in text(tab, "#typed-roll-note")
        assert tab.input_value("#typed-roll") == given
        assert tab.input_value("#target") == "95"


def test_wrong_race_scores_say_so(open_page: Callable[..., Any]) -> None:
    tab = open_page("#advise/ten-thousand")
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
    tab.click("#dice-left-title")
    tab.click("#fewer-d6")
    assert "give the turn total" in text(tab, "#turn-note")
    tab.fill("#turn", "100")
    assert "win" in text(tab, "main")
    assert tab.input_value("#opponent") == "2000"
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
        "#%00%ff",
        "#<img src=x onerror=alert(1)>",
        "#__proto__/constructor",
        "#advise/__proto__",
        "#explore//",
    ],
)
def test_a_nonsense_fragment_starts_afresh(fragment: str, open_page: Callable[..., Any]) -> None:
    tab = open_page(fragment)
    assert tab.locator("#roll-title, #train-title, .chart").count()
    assert "undefined" not in text(tab, "body")
    if fragment.startswith("#train"):
        assert re.search(r"#train/(biscuits|threes)/first/\d{1,6}$", tab.url)
        assert ("named no game" in text(tab, "main")) == (fragment != "#train")


# What it looks like.

LONGEST = {
    "biscuits": "d6:6x12 d8:8 d10:10 d12:12",
    "threes": "5 5 4 4 1",
    "odd": "d4:4,3,2 d6:6,5",
    "ten-thousand": "5 5 5 1 1 1",
    "pig": "6",
    "cold": "5 1 1",
}


def assert_fits(tab: Any, where: str) -> None:
    """Refuse anything that stands out of the window."""
    wide = tab.evaluate(
        """() => [...document.querySelectorAll("body *")].filter((element) => {
            const box = element.getBoundingClientRect();
            return !element.closest(".unseen") && box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
        }).map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert wide == [], where
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], where


@pytest.mark.parametrize("look", ["light", "dark"])
def test_nothing_overflows_on_a_phone(look: str, open_page: Callable[..., Any]) -> None:
    tab = open_page("", viewport=PHONE, color_scheme=look)
    for name in (*POOLS, *RACES):
        for view, shown in (("advise", "#roll-title"), ("train", "#train-title"), ("explore", ".chart")):
            tab.evaluate("(hash) => { location.hash = hash; }", f"#{view}/{name}")
            tab.wait_for_selector(shown)
            assert_fits(tab, f"{view} {name}")
            if view == "advise":
                tab.fill("#typed-roll", LONGEST[name])
                assert tab.locator(".move").count()
                assert_fits(tab, f"moves of {name}")
                tab.fill("#typed-roll", "d6:" + "9" * 60)
                assert_fits(tab, f"a wrong roll of {name}")
            elif view == "train":
                for die in tab.locator(".tapped button").all():
                    die.click()
                tab.locator("button.main").first.click()
                assert_fits(tab, f"training {name}")


def test_every_control_has_a_name_and_room_for_a_finger(open_page: Callable[..., Any]) -> None:
    tab = open_page("", viewport=PHONE)
    for fragment in ("#advise/biscuits", "#train/ten-thousand/first/1", "#explore/threes"):
        tab.evaluate("(hash) => { location.hash = hash; }", fragment)
        tab.wait_for_timeout(50)
        poor = tab.evaluate(
            """() => [...document.querySelectorAll("button, select, input, [role=img]")].filter((element) => {
                const named = element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length;
                const box = (element.type === "radio" ? element.parentElement : element).getBoundingClientRect();
                return !named || (box.height && Math.min(box.width, box.height) < 40);
            }).map((element) => element.outerHTML.slice(0, 80))"""
        )
        assert poor == [], fragment


def test_dark_is_dark_and_light_is_light(open_page: Callable[..., Any]) -> None:
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
