"""The house: what may import what, one class for one word, nobody asks for a family, and a new family needs one line."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Run

import gametheory as gt
from gametheory import games
from gametheory.levels import Rows
from gametheory.own.sums import SumNotation, Sums
from gametheory.scoring import ScoringFamily
from gametheory.space import Space
from gametheory.store import tables

PACKAGE = Path(gt.__file__).parent
FLOORS = [
    {"version", "progress", "ties", "dice", "rulefile", "files", "extras", "proof"},
    {"tabular", "jit"},
    {"outcomes"},
    {"answers", "shelf", "source"},
    {"aims", "differences"},
    {"levels", "sitting"},
    {"space"},
    {"columns"},
    {"policies"},
    {"scoring"},
    {"pool", "own", "race", "scorecard"},
    {"games"},
    {"match"},
    {"store"},
    {"cards"},
    {"ask"},
    {"cluster", "figures", "advisor", "certificate", "prism"},
    {"sweeps"},
    {"cli"},
    {"__init__", "__main__"},
]
"""The rooms from the ground up: each may import what is below it, and itself."""


# Who imports whom.


def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name below the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts)] = path
    return found


def imports_of(name: str, source: str, known: set[str]) -> set[str]:
    """Return the modules that a module imports, inside functions and by strings such as "pool.kernel:play" too."""
    package = name.split(".")[:-1]

    def find(dotted: list[str]) -> set[str]:
        for length in (len(dotted), len(dotted) - 1):
            for candidate in (".".join(dotted[:length]), ".".join([*dotted[:length], "__init__"])):
                if candidate in known and length:
                    return {candidate}
        return {"__init__"} if dotted[:-1] == [] else set()

    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            whole = [*base, *(node.module.split(".") if node.module else [])]
            if not node.level:
                if whole[0] != "gametheory":
                    continue
                whole = whole[1:]
            for alias in node.names:
                found |= find([*whole, alias.name])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("gametheory."):
                    found |= find(alias.name.split(".")[1:])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            where = re.fullmatch(r"(?:gametheory)?\.*((?:[a-z_]\w*\.)*[a-z_]\w*)(?::\w+)?", node.value)
            if where and (":" in node.value or node.value.startswith(".")):
                relative = [*package, *where[1].split(".")] if node.value.startswith(".") else where[1].split(".")
                found |= {m for m in find(relative) if m != "__init__"}
    return found - {name}


def graph(changed: dict[str, str] | None = None) -> dict[str, set[str]]:
    """Return what every module imports; `changed` holds other sources for some."""
    every = modules()
    sources = {name: path.read_text(encoding="utf-8") for name, path in every.items()} | (changed or {})
    return {name: imports_of(name, source, set(every)) for name, source in sources.items()}


def floor_of(module: str) -> int:
    room = module.split(".")[0]
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def trespasses(found: dict[str, set[str]]) -> list[str]:
    """List the imports that do not go down, or to the same room, and those of a family by another."""
    wrong = []
    for module, imported in found.items():
        for other in imported:
            mine, theirs = module.split(".")[0], other.split(".")[0]
            if mine != theirs and floor_of(other) >= floor_of(module):
                wrong.append(f"{module} imports {other}")
    return wrong


def cycles(found: dict[str, set[str]]) -> list[str]:
    """List the modules that import themselves by way of others."""

    def reach(module: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(found[module])
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                waiting += found.get(here, ())
        return seen

    return [module for module in found if module in reach(module)]


def test_imports_go_one_way() -> None:
    found = graph()
    assert {module.split(".")[0] for module in found} == set().union(*FLOORS)
    assert trespasses(found) == []
    assert cycles(found) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("pool.solver", "from ..ask import moves"),
        ("pool.solver", "def late():\n    from ..ask.diff import diff"),
        ("pool.family", "WHERE = 'gametheory.ask.moves:moves'"),
        ("columns", "from .pool.rules import PoolGame"),
        ("race.turn", "from ..pool import rules"),
        ("match.duel", "from ..store import library"),
    ],
)
def test_an_import_that_goes_up_is_found(module: str, line: str) -> None:
    source = modules()[module].read_text(encoding="utf-8") + "\n" + line + "\n"
    assert trespasses(graph({module: source})) != []


def test_a_cycle_is_found() -> None:
    source = modules()["cards.words"].read_text(encoding="utf-8") + "\ndef late():\n    from . import rule\n"
    assert set(cycles(graph({"cards.words": source}))) >= {"cards.words", "cards.rule"}


def test_no_module_above_the_families_imports_more_than_a_dozen_others() -> None:
    """The list of public names excepted, which is nothing else."""
    above = {module: len(names) for module, names in graph().items() if floor_of(module) >= floor_of("games")}
    del above["__init__"]
    assert {module: count for module, count in above.items() if count > 12} == {}


def test_modules_and_functions_are_short_but_for_kernels() -> None:
    long = []
    for name, path in modules().items():
        if name.endswith("kernel"):
            continue
        source = path.read_text(encoding="utf-8")
        if len(source.splitlines()) > 500:
            long.append(name)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno and node.end_lineno - node.lineno >= 80:
                long.append(f"{name}.{node.name}")
    assert long == []


# One word, one class.

WORDS = (
    "Move", "Ranking", "Policy", "Comparison", "Distribution", "Difference", "DifferenceRow", "Simulation", "Fair",
    "Solution",
)  # fmt: skip


def test_every_word_is_one_class() -> None:
    classes = Counter(
        node.name
        for path in modules().values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert {word: classes[word] for word in WORDS} == dict.fromkeys(WORDS, 1)


def test_tolerances_are_defined_once() -> None:
    """No module but `ties` has the numbers, in any spelling that Python reads as them."""
    found = [
        name
        for name, path in modules().items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id in ("TIED", "DISAGREE") for target in node.targets)
    ]
    assert found == ["ties", "ties"]


def classes_below() -> set[str]:
    """Return the names of the classes of families, and of the kinds of match."""
    return {
        node.name
        for name, path in modules().items()
        if name.split(".")[0] in ("pool", "own", "race", "scorecard", "match")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    } - {"Solution", "Request"}


TOLD = {"kind", "family", "nouns", "called", "__class__", "__module__", "__qualname__"}
"""What tells a family by a word: nobody above compares it, looks something up by it, or takes it from a game."""


def asks(source: str, below: set[str]) -> list[str]:
    """List the places where code asks which family a game is of, in any spelling."""

    def tells(node: ast.AST) -> bool:
        """Tell whether an expression is a word that tells a family: game.family, type(game), type(game).__name__."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "getattr" and len(node.args) > 1:
                return isinstance(node.args[1], ast.Constant) and node.args[1].value in (*TOLD, "__name__")
            return node.func.id in ("str", "repr") and any(map(tells, node.args))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            return isinstance(node.args[0], ast.Constant) and node.args[0].value in TOLD
        if isinstance(node, ast.Subscript):  # game.rules()["family"]
            return isinstance(node.slice, ast.Constant) and node.slice.value in TOLD
        if isinstance(node, ast.Attribute) and node.attr in TOLD:
            return not ast.unparse(node).endswith("dtype.kind")
        return isinstance(node, ast.Attribute) and node.attr == "__name__" and isinstance(node.value, ast.Call)

    def named(node: ast.AST) -> bool:
        """Tell whether a class of a family, or a family's name, stands in an expression."""
        return any(
            (isinstance(part, ast.Name) and part.id in below)
            or (isinstance(part, ast.Attribute) and part.attr in below)
            or (isinstance(part, ast.Constant) and part.value in games.FAMILIES)
            for part in ast.walk(node)
        )

    found = []
    for node in ast.walk(ast.parse(source)):
        asked = False
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            asked = any(map(tells, parts)) or any(
                isinstance(part, ast.Constant) and part.value in games.FAMILIES for part in parts
            )
            asked |= any(isinstance(part, ast.Call) and ast.unparse(part.func) == "type" for part in parts) and named(node)
            asked |= any(isinstance(part, ast.Tuple | ast.List | ast.Set) and named(part) for part in parts)
        elif isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            asked = function == "hasattr" or (function in ("isinstance", "issubclass") and named(node.args[1]))
            of_words = function.endswith((".get", ".startswith", ".endswith"))
            asked |= of_words and any(map(tells, [getattr(node.func, "value", node), *node.args]))
        elif isinstance(node, ast.Subscript):
            asked = tells(node.slice) or ast.unparse(node.slice).startswith("type(")
        elif isinstance(node, ast.ExceptHandler):
            asked = node.type is not None and "AttributeError" in ast.unparse(node.type)
        elif isinstance(node, ast.Match):
            classes = [part.cls for part in ast.walk(node) if isinstance(part, ast.MatchClass)]
            asked = tells(node.subject) or any(map(named, classes))
        if asked:
            found.append(ast.unparse(node).splitlines()[0])
    return found


KNOWN = {
    "store.tables": ["KINDS.get(data.kind, '')", "data.kind not in KINDS"],  # whether, and how, a file is of this version
    "games": [
        "rules.get('family') not in FAMILIES", "FAMILIES[rules['family']]", "FAMILIES[getattr(game, 'family', 'own')]",
    ],
    "figures": ["FIGURES.get(kind.kind, {})"],  # what figures there are of a kind of match
    "cli.main": ["type(error).__name__ != 'TableError'"],  # no game, and h5py is not imported for it
    "source": ["getattr(value, '__module__', '') == module.__name__"],  # what a file defines itself
}
"""Where the catalogues look something up by the word itself, and what asks about no game."""


def test_nobody_above_the_families_asks_which_family_a_game_is() -> None:
    below = classes_below()
    asked = {
        name: found
        for name, path in modules().items()
        if floor_of(name) != floor_of("pool") and (found := asks(path.read_text(encoding="utf-8"), below))
    }
    assert {name: sorted(found) for name, found in asked.items()} == {name: sorted(every) for name, every in KNOWN.items()}


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(game, RaceGame)", "isinstance(found(game, 1), (PoolGame, int))",
        "isinstance(\n    game,\n    rules.PoolGame)",
        "issubclass(type(game), RaceGame)", "game.family == 'pool'", "'race' == word", "game.kind in ('race', 'duel')",
        "solution.kind != 'duel'", "hasattr(game, 'goal')", "type(game) is RaceGame", "type(game) == rules.RaceGame",
        "type(game).__name__ == 'RaceGame'", "{RaceGame: 1}[type(game)]", "{'pool': 1}[game.family]", "way.get(game.family)",
        "getattr(game, 'family', '') == 'own'", "games.family(game).nouns == 'races'", "game.family.startswith('p')",
        "games.rules(game)['family'] == word", "word in ['pool', 'race']", "isinstance(solution, Duel)",
        "match_ = [1 for _ in [0] if game.__class__ is type(other)]",
        "match game:\n    case RaceGame():\n        pass", "match game.family:\n    case 'race':\n        pass",
        "try:\n    game.goal\nexcept AttributeError:\n    pass",
    ],
)  # fmt: skip
def test_asking_for_a_family_is_found_in_any_spelling(line: str) -> None:
    assert asks(line, classes_below()) != []


SPELLINGS = r"\bfamily\b|instanceof (?!HTML)|constructor\.name|[\"'`](?:pool|race|own)[\"'`]"
"""How JavaScript would ask for a family."""


def test_javascript_asks_for_a_family_in_one_place() -> None:
    """Which class a game is of stands in families.js; nothing else on the page says a family's name."""
    asked = [
        f"{path.name}: {line.strip()}"
        for path in sorted((PACKAGE / "advisor" / "web").glob("*.js"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(SPELLINGS, re.sub(r"^\s*(//|\*|/\*).*", "", line))
        and not line.startswith("import")
    ]
    assert [line for line in asked if not line.startswith("families.js")] == []
    assert len(asked) == 1


# A new family is a folder and a line. This one is a ladder, in thirty lines.


class Ladder:
    """So many flips of a coin that shows 1 or 4: take what it shows, or spend a second flip for 2 more."""

    family, name, about, higher_wins, start = "ladder", "ladder", "Flip and take, or spend a flip on 2 more.", True, 5

    def rolls(self, flips: int) -> list[tuple[int, int]]:
        return [(1, 1), (4, 1)] if flips else []

    def moves(self, flips: int, face: int) -> Iterator[tuple[str, int, int]]:
        yield "take", flips - 1, face
        if flips > 1:
            yield "rest", flips - 2, face + 2


class Rungs(Sums):
    """Places are flips left, 0 to 5, so that a level is two shifted maxima."""

    def backup(self, level: int, rows: Rows, workers: Any) -> None:
        place, width = level + 1, rows.values.shape[1]
        rows.values[place] = 0.0
        for coin in range(2):
            best = self._after(rows.values, self.node(place), 0, width)[self.node(place).roll_of == coin]
            rows.values[place] += best.max(axis=0) / 2


class Ladders(ScoringFamily):
    named = {"ladder": Ladder()}  # noqa: RUF012
    options = SumNotation.options
    nouns = "ladders"

    def space(self, game: Any) -> Space:
        return Rungs(getattr(game, "given", game))

    def notation(self, game: Any) -> SumNotation:
        return SumNotation(self.space(game).game)


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(sys.modules, "ladders", sys.modules[__name__])
    monkeypatch.setitem(games.FAMILIES, "ladder", "ladders:Ladders")  # the one line
    return "ladder"


@cache
def best(flips: int, banked: int, target: int | None) -> Fraction:
    """Return what a player is worth: points without a target, else the chance against it, ties split; by plain recursion."""
    if not flips:
        if target is None:
            return Fraction(banked)
        return Fraction(banked > target) + Fraction(banked == target, 2)
    total = Fraction(0)
    for face, ways in Ladder().rolls(flips):
        total += ways * max(best(left, banked + points, target) for _, left, points in Ladder().moves(flips, face))
    return total / 2


@cache
def first(flips: int, banked: int) -> Fraction:
    if not flips:
        return 1 - best(5, 0, banked)
    total = Fraction(0)
    for face, ways in Ladder().rolls(flips):
        total += ways * max(first(left, banked + points) for _, left, points in Ladder().moves(flips, face))
    return total / 2


def answer(run: Run, *arguments: str) -> Any:
    ran = run(*arguments, "--json")
    assert (ran.status, ran.err) == (0, ""), ran
    return json.loads(ran.out)


def test_a_family_registered_in_one_line_answers_every_question(ladder: str, folder: Path, run: Run) -> None:
    solved = answer(run, "solve", ladder)
    assert solved["expected_score"] == pytest.approx(float(best(5, 0, None)), abs=1e-12)
    assert solved["first_player_value"] == pytest.approx(float(first(5, 0)), abs=1e-12)
    seconds = answer(run, "second", ladder)
    assert seconds["targets"] == list(range(5, 21))
    exact = [float(best(5, 0, target)) for target in seconds["targets"]]
    assert seconds["win_probability"] == pytest.approx(exact, abs=1e-12)
    moves = answer(run, "moves", ladder, "4", "--target", "12")
    assert {move["keep"]: move["win_probability"] for move in moves["moves"]} == pytest.approx(
        {"take": float(best(4, 4, 12)), "rest": float(best(3, 6, 12))}, abs=1e-12
    )
    assert moves["question"].endswith("second, they made 12, ties split")
    made = answer(run, "distribution", ladder, "--policy", "score")
    assert made["mean"] == pytest.approx(solved["expected_score"], abs=1e-12)
    compared = answer(run, "compare", ladder)
    names = compared["policies"]
    value = np.array(compared["first_value"])[names.index("win"), names.index("win")]
    assert value == pytest.approx(solved["first_player_value"], abs=1e-12)
    apart = answer(run, "diff", ladder)
    by_score = np.array(compared["first_value"])[names.index("score"), names.index("win")]
    assert apart["win_probability_lost"] == pytest.approx(value - by_score, abs=1e-12)
    costs = sum(row["probability"] * row["cost"] for row in apart["rows"])
    assert costs == pytest.approx(apart["win_probability_lost"], abs=1e-12)
    assert apart["rows"]
    played = answer(run, "simulate", ladder, "--games", "4000", "--seed", "1")
    exact_win = np.array(compared["first_win"])[names.index("win"), names.index("score")]
    assert abs(played["first_win"] - exact_win) < 4 * played["standard_error"]
    even = answer(run, "fair", ladder)
    assert dict(map(tuple, even["value_by_bonus"]))[0] == pytest.approx(solved["first_player_value"], abs=1e-12)
    for match in ("alternating", "simultaneous"):
        assert 0.4 < answer(run, "solve", ladder, "--match", match)["first_player_value"] <= 0.5 + 1e-12
    assert sum(answer(run, "solve", ladder, "--players", "3")["seat_values"]) == pytest.approx(1.0, abs=1e-12)
    rows = answer(run, "sweep", ladder, "--tie", "split,first")["rows"]
    assert [row["error"] for row in rows] == ["", ""]
    assert rows[0]["first_player_value"] == pytest.approx(solved["first_player_value"], abs=1e-12)
    assert answer(run, "verify", str(folder / "ladder.split.h5"))["worst_residual"] < 1e-12


def test_a_new_family_is_stored_and_read_back(ladder: str, folder: Path) -> None:
    solution = gt.solve(ladder)
    path = gt.save(solution, folder / "ladder.split.h5")
    again = gt.load(path)
    assert tables.digest(again) == tables.digest(solution)
    assert again.first_player_value == solution.first_player_value
    assert [move.keep for move in gt.moves(ladder, "4", target=9)] == [move.keep for move in gt.moves(again, 4, target=9)]


def test_a_family_that_is_not_registered_is_not_known(folder: Path, run: Run) -> None:
    ran = run("solve", "ladder")
    assert ran.status == 2
    assert "there is no game 'ladder'" in ran.err
