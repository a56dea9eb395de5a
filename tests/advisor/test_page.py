"""The page in a real browser, opened from a file with the network cut off, held to the Python it came from."""

from __future__ import annotations

import base64
import io
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import POOLS, RACES, find_browser, solved, text

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
from gametheory.race.rules import keeps
from gametheory.race.turn import turn_tables
from gametheory.ties import DISAGREE, TIED

POSITIONS = 300
RACE_POSITIONS = 1_500


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


@pytest.mark.parametrize(("names", "limit"), [(("biscuits", "threes"), 500e3), (page.GAMES, 1e6)])
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


def test_words_stand_in_one_file() -> None:
    """What people read is in words.js: elsewhere no text begins like a sentence, or holds several words of one."""
    for name in page.scripts():
        if name == "words.js":
            continue
        code = re.sub(r"\b(class|viewBox|pattern): [`\"][^`\"]*[`\"]", "", code_of(name))
        code = re.sub(r"(querySelector(All)?|closest|split|font = )\(?[`\"][^`\"]*[`\"]", "", code)
        for said in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
            assert not re.match(r"[A-Z][a-z]+( |$)", said) or said.startswith(("Arrow", "Enter")), (name, said)
            assert len(re.findall(r"\b[a-z]{2,}\b", said)) < 3 or re.search(r"[#.\[/=:;]", said), (name, said)


COIN = """
import { h } from "./dom.js";
import { Game } from "./game.js";

export class Coin extends Game {
  constructor(data) {
    super(data);
    this.kinds = [{ name: "d2", sides: 2 }];
    this.start = { left: [1], mine: null };
    this.ways = [{ id: "show", label: "Show it" }];
    this.asked = ["name"];
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
  writeRoll(roll) { return roll[0].join(" ") || "nothing"; }
  example() { return "2"; }
  afterwards() { return "show it"; }
  expectation(move) { return `${move.score} shown`; }
  refusal() { return "Show the coin."; }
  entry() { return { left: [1], note: "", name: "" }; }
  entryAt() { return { ...this.entry(), name: "me" }; }
  form(entry) {
    const problem = entry.name ? "" : "Who are you?";
    return {
      choices: [], fields: [{ id: "name", label: "Name", problem }], steps: [], position: problem ? null : this.start,
      card: entry.left[0] ? null : { title: "Shown", text: entry.note },
    };
  }
  told({ mine }) { return [mine === null ? "you are first" : `they showed ${mine}`]; }
  standing() { return ["Heads or tails?"]; }
  why() { return ""; }
  take(entry, move) { return { ...entry, left: [0], note: `Showed ${move.score}.` }; }
  tell(mine, position, roll) { return mine ? null : ["They show", roll, ""]; }
  outcome(position, mine) { return mine ? "You showed last." : "They showed last."; }
  record(position, roll) { return this.writeRoll(roll); }
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
    read = page.web

    def web(name: str) -> str:
        if name == "coin.js":
            return COIN
        if name == "families.js":
            text = read(name).replace("const FAMILIES = {", "const FAMILIES = { coin: Coin,")
            return text.replace("import {", 'import { Coin } from "./coin.js";\nimport {', 1)
        return read(name)

    monkeypatch.setattr(page, "web", web)
    toss = {"family": "coin", "name": "toss", "about": "Heads beat tails."}
    data = {**data_of(html), "games": {"toss": toss | {"tie": "split", "match": "sequential", "version": "1"}}}
    path = page.write(tmp_path / "coin.html", page.assemble(json.dumps(data)))
    tab = chromium.new_page(offline=True)
    tab.set_default_timeout(10_000)
    troubles: list[str] = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(path.as_uri())
    assert "Heads beat tails." in text(tab, "#about")
    assert "Put right the position first: Who are you?" in text(tab, "#answer")
    tab.click("#position-line")
    tab.fill("#name", "me")
    tab.click("#done")
    tab.click("#key-1")
    assert "75.0% to win" in text(tab, "#answer")
    assert "best to win" in text(tab, "#move-0")
    tab.click("#show")
    assert "Showed 2." in text(tab, "main")
    tab.click("#view-train")
    tab.click("#show")
    assert "Show the coin." in text(tab, "#keep-problem")
    tab.click("#die-0")
    tab.click("#show")
    assert "There was nothing else to do." in text(tab, "#answer")
    tab.click("#roll-on")
    assert text(tab, "#outcome") == "They showed last."
    tab.click("#view-quiz")
    tab.click("#die-0")
    tab.click("#show")
    tab.click("#quiz-next")
    tab.click("#view-explore")
    tab.click("#explore-position")
    assert "Seen from one" in text(tab, "main")
    tab.close()
    assert troubles == []


def test_the_policy_allows_the_own_script_and_no_other(html: str) -> None:
    policy = page.security_policy(html)
    assert f'content="{policy}"' in html
    assert "unsafe" not in policy
    assert page.security_policy(html.replace("const SHOWN = 8", "const SHOWN = 7")) != policy


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
        left, rolls = draw.choice([place for place in game.places if any(place[0]) and game.reaches(*place)])
        roll = throw(draw, left, game.kinds)
        target = draw.randint(game.lowest(game.counts) - 3, game.highest(game.counts) + 3)
        banked = draw.choice(game.scores(game.banked_dice(left)))
        position = {"left": left, "banked": banked, "target": target if number % 2 else None, "rolls": rolls}
        found.append({"roll": roll, **position})
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
        to_come = {} if position["rolls"] is None else {"rolls_left": position["rolls"] - 1}
        found = solution.moves(roll, banked=position["banked"], target=position["target"], **to_come)
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
                Move((), 0, count, tables.expected_score(count, turn, int(opened)), thrown, False),
                Move((), 0, count, float(turn), bank, True),
            ]
            worths = policies.score_worths(game, Position(own, opened, opponent, True, turn, count))
            banks = order(moves, worths, solution.notation.preference)[0].bank
            parted = abs(thrown - bank) > DISAGREE and banks != (bank > thrown)
            expected.append(["roll" if thrown > bank else "bank", parted])
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


class BestAnswers:
    """Asks the terminal for the best moves, and answers with the first of them."""

    def __init__(self, shown: io.StringIO) -> None:
        self.shown, self.asked = shown, False

    def readline(self) -> str:
        self.asked = not self.asked
        if self.asked:
            return "?\n"
        table = re.split(r"expected  \w+\n", self.shown.getvalue())[-1]
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


