"""The library: every public function takes a game, its name or a solution, of every family; and what is public."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pools
import pytest
from conftest import Solve
from own.shared import Countdown
from race.shared import holds

import gametheory as gt
from gametheory.answers import Chase, Comparison, Distribution, Fair, Ranking, Simulation
from gametheory.differences import Difference
from gametheory.tabular import Facts, Table

ROLLS = {"2d4": "d4:4,1", "piglet": "2", "countdown": "heads"}
SECOND = {"2d4": "greedy", "piglet": "hold-at-1", "countdown": "random"}
FAMILIES = ["2d4", "piglet", "countdown"]


def forms(family: str, solved: Solve) -> list[Any]:
    """Return a game, its name where it has one, and its solution."""
    game = Countdown() if family == "countdown" else gt.game(family)
    return [game, *([] if family == "countdown" else [family]), solved(game)]


Question = Callable[[Any, str], Any]

QUESTIONS: dict[str, tuple[type, Question]] = {
    "moves": (Ranking, lambda game, family: gt.moves(game, ROLLS[family])),
    "compare": (Comparison, lambda game, family: gt.compare(game, ["win", SECOND[family]])),
    "diff": (Difference, lambda game, family: gt.diff(game, seat="first")),
    "simulate": (Simulation, lambda game, family: gt.simulate(game, "win", SECOND[family], games=200, seed=3)),
    "fair": (Fair, lambda game, family: gt.fair(game)),
    "best_answer": (Facts, lambda game, family: gt.best_answer(game, SECOND[family])),
    "distribution": (Distribution, lambda game, family: gt.distribution(game, SECOND[family])),
    "second": (Chase, lambda game, family: gt.second(game)),
    "table": (Table, lambda game, family: gt.table(game, {"2d4": "one-die", "piglet": "stop"}[family])),
    "card": (object, lambda game, family: gt.card(game, "small")),
}

ASKED = [
    (question, family)
    for question in QUESTIONS
    for family in FAMILIES
    if question not in {"2d4": (), "piglet": ("card",), "countdown": ("table", "card")}[family]
]


def plain(found: Any) -> Any:
    """Return an answer as plain data."""
    if isinstance(found, Difference):
        return found.summary._asdict(), [row.to_dict(found.notation) for row in found.rows()]
    return found.to_dict() if hasattr(found, "to_dict") else found


@pytest.mark.parametrize(("question", "family"), ASKED)
def test_a_question_is_answered_alike_of_a_game_its_name_and_its_solution(
    question: str, family: str, folder: Path, solved: Solve
) -> None:
    kind, ask = QUESTIONS[question]
    answers = [ask(form, family) for form in forms(family, solved)]
    assert all(isinstance(found, kind) for found in answers)
    assert len(answers) == (2 if family == "countdown" else 3)
    for found in answers[1:]:
        assert plain(found) == plain(answers[0])


@pytest.mark.parametrize("question", ["card"])
def test_what_a_race_does_not_have_is_refused_in_one_line(question: str, folder: Path, solved: Solve) -> None:
    for form in forms("piglet", solved):
        with pytest.raises(ValueError, match="piglet") as caught:
            QUESTIONS[question][1](form, "2d4")
        assert "\n" not in str(caught.value)
    assert list(folder.iterdir()) == []


def test_the_answers_are_those_of_pig_and_biscuits() -> None:
    """Neller and Presser: pig is worth 0.5306 to the first player; the blog post: biscuits 93.912068 points."""
    pig = gt.moves(gt.solve(gt.game("pig")), "5", turn=16)
    assert (pig[0].keep, len(pig)) == ((5,), 2)
    assert round(gt.solve("pig").first_player_value, 4) == 0.5306
    assert round(gt.distribution("biscuits", "score").mean, 6) == 93.912068


@pytest.mark.parametrize(("game", "function"), [("2d4", pools.take_best), ("piglet", holds(1))])
def test_a_policy_is_a_name_or_a_function(game: str, function: Any, folder: Path, solved: Solve) -> None:
    for form in forms(game, solved):
        found = gt.compare(form, ["win", function, "score"])
        assert found.policies == ("win", function.__name__, "score")
        assert found.first_value()[0, 1] >= found.first_value()[0, 0] - 1e-12
        played = gt.simulate(form, function, "win", games=4000, seed=1)
        assert played.standard_error
        assert abs(played.first_win - found.first_win[1, 0]) < 4 * played.standard_error
        answer = gt.best_answer(form, function)
        assert answer["first_player_value"] >= found.first_value()[:, 1].max() - 1e-12


@pytest.mark.parametrize("how", [{"match": "alternating"}, {"match": "simultaneous"}, {"players": 3}], ids=str)
def test_a_solution_of_another_format_answers_what_it_can(how: dict[str, Any], folder: Path) -> None:
    solution = gt.solve("2d4", **how)
    played = gt.simulate(solution, games=300)
    assert sum(played.seat_values) == pytest.approx(1.0)
    assert gt.simulate("2d4", games=300, **how) == played
    with pytest.raises(ValueError, match=r"of 2d4: .*ask the game for two"):
        gt.best_answer(solution, "score")
    assert gt.load(gt.save(solution, folder / "table.h5")).headline() == solution.headline()


def test_solving_takes_the_game_of_a_solution(solved: Solve) -> None:
    again = gt.solve(solved("2d4"), "first")
    assert again.first_player_value == solved("2d4", "first").first_player_value
    assert again.first_player_value > solved("2d4").first_player_value


# What is kept and drawn.


@pytest.mark.parametrize("family", FAMILIES)
def test_a_solution_is_saved_loaded_and_verified(family: str, folder: Path, solved: Solve) -> None:
    game, *_, solution = forms(family, solved)
    path = gt.save(solution, folder / "table.h5")
    if family == "countdown":  # the rules of a game of one's own are not in its table
        again = gt.load(path, game)
    else:
        again = gt.load(path)
        (checked,) = gt.verify([path]).values()
        assert checked.worst_residual < 1e-12 < checked.checked
    assert isinstance(again, gt.Solution)
    assert again.first_player_value == solution.first_player_value
    assert plain(gt.moves(again, ROLLS[family])) == plain(gt.moves(game, ROLLS[family]))


@pytest.mark.parametrize(("family", "figure"), [("2d4", "second"), ("piglet", "score-difference")])
def test_figures_and_pages_are_made_alike_of_a_game_its_name_and_its_solution(
    family: str, figure: str, folder: Path, solved: Solve
) -> None:
    drawn, written = [], []
    for number, form in enumerate(forms(family, solved)):
        drawn.append(gt.plot(form, figure, folder.parent / f"{number}.svg").read_bytes())
        written.append(gt.page([form], folder.parent / f"{number}.html").read_bytes())
    assert drawn[0] == drawn[1] == drawn[2]
    assert written[0] == written[1] == written[2]
    assert family.encode() in written[0]


def test_a_sweep_has_a_row_for_every_game(folder: Path) -> None:
    rows = gt.sweep("{n}d4", {"n": "1..2"}) + gt.sweep("piglet")
    assert [row["game"] for row in rows] == ["d4", "2d4", "piglet"]
    assert [row["error"] for row in rows] == [""] * 3
    assert rows[2]["first_player_value"] == pytest.approx(4 / 7, abs=1e-11)


# Positions that no play comes to.


class Ladder:
    """So many flips of a coin that shows 1 or 4; points add up."""

    name, start = "ladder", 3

    def rolls(self, flips: int) -> Any:
        return [(1, 1), (4, 1)] if flips else []

    def moves(self, flips: int, face: int) -> Any:
        return [("take", flips - 1, face)]


IMPOSSIBLE: list[tuple[Any, Any, dict[str, Any], str]] = [
    ("2d4", "d4:1,1", {"banked": 3}, "3 points cannot be banked"),
    ("2d4", "d4:1", {"banked": 5}, "5 points cannot be banked"),
    ("2d4", "d4:1,1,1", {}, "3 d4"),
    ("pig", "3", {"turn": 1}, "turn total 1 cannot occur"),
    ("pig", "3", {"score": 100}, "score 100 cannot occur"),
    ("pig", "1", {}, "is a bust"),
    (Countdown(), "heads", {"state": (2, 5)}, "cannot be reached in countdown"),
    (Countdown(), "heads", {"state": "x"}, "the state 'x' cannot be reached"),
    (Countdown(), "heads", {"state": [2, 1]}, "cannot be reached"),
    (Countdown(), "edge", {}, "'edge' cannot be rolled"),
    (Ladder(), 4, {"state": 7}, "the state 7 cannot be reached in ladder"),
    (Ladder(), 4, {"state": 2, "banked": 3}, "3 points cannot be banked in the state 2 of ladder: .* 1 or 4"),
    (Ladder(), 2, {"state": 2, "banked": 1}, "2 cannot be rolled in the state 2 with 1 banked"),
]


@pytest.mark.parametrize(("game", "roll", "position", "message"), IMPOSSIBLE)
def test_a_position_that_no_play_comes_to_is_refused_by_every_family(
    game: Any, roll: Any, position: dict[str, Any], message: str, folder: Path, solved: Solve
) -> None:
    solution = solved(gt.game(game) if isinstance(game, str) else game)
    for form in (game, solution):
        with pytest.raises(ValueError, match=message) as caught:
            gt.moves(form, roll, **position)
        assert "\n" not in str(caught.value)
    assert list(folder.iterdir()) == []  # and nothing was solved for it


def test_a_position_in_the_middle_is_taken(folder: Path) -> None:
    found = gt.moves(Ladder(), 4, state=2, banked=1)
    assert [(move.keep, move.points, move.dice_left, move.expected_score) for move in found] == [("take", 4, 1, 7.5)]
    assert gt.moves(Countdown(), "heads", state=(2, 1)).asked["state"] == "(2, 1)"


# What is public.


def test_dir_lists_the_public_names_and_the_version() -> None:
    assert sorted(dir(gt)) == sorted([*gt.__all__, "__version__"])
    assert sorted(gt.__all__) == list(gt.__all__)
    for name in gt.__all__:
        assert callable(getattr(gt, name))
    with pytest.raises(AttributeError, match="no attribute 'questions'"):
        gt.questions  # noqa: B018


def test_every_public_name_is_typed() -> None:
    """What a type checker sees under TYPE_CHECKING is what is listed; and the package says that it has types."""
    source = Path(gt.__file__)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed.keys() == set(gt.__all__)
    for name, (module, inner) in typed.items():
        assert getattr(importlib.import_module(f"gametheory.{module}"), inner) is getattr(gt, name)
    assert (source.parent / "py.typed").is_file()


def test_no_module_takes_the_name_of_a_public_function() -> None:
    """Importing a module sets its name in the package: also when every one is imported."""
    functions = {name: getattr(gt, name) for name in gt.__all__}
    for module in pkgutil.walk_packages(gt.__path__, "gametheory."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    assert {name: getattr(gt, name) for name in gt.__all__} == functions
    assert not set(gt.__all__) & {module.name for module in pkgutil.iter_modules(gt.__path__)}
    assert "gametheory.race.kernel" in sys.modules
