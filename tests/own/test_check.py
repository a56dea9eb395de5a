"""What `check` finds wrong with a game, and what `new` writes to begin one with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

import gametheory as gt
from gametheory import games
from gametheory.own import check as checking
from gametheory.own import new as starting
from gametheory.own.example import BestOfThree
from gametheory.own.shut_the_box import ShutTheBox

from .shared import Countdown


class Tally:
    """Throw a coin three times for a point each; states hold no points."""

    name = "tally"
    start: Any = 3

    def rolls(self, left: Any) -> Any:
        return [("heads", 1), ("tails", 1)] if left else []

    def moves(self, left: Any, roll: Any) -> Any:
        return [("take", left - 1, int(roll == "heads"))]


class Short(Tally):
    def ways(self, left: int) -> int:
        return 3 if left == 2 else 2


class Stuck(Tally):
    def moves(self, left: Any, roll: Any) -> Any:
        return [] if (left, roll) == (1, "tails") else super().moves(left, roll)


class Again(Tally):
    def moves(self, left: Any, roll: Any) -> Any:
        return [("back", 3 if left == 1 and roll == "tails" else left - 1, 0)]


class Endless(Tally):
    def moves(self, left: Any, roll: Any) -> Any:
        return [("on", left + 1, 0)]


class Halves(Tally):
    def moves(self, left: Any, roll: Any) -> Any:
        return [("take", left - 1, 0.5)]


class Bonus(Tally):
    def final(self, left: Any) -> Any:
        return "one"


class Forgetful(Tally):
    """Rules that count how often they are asked."""

    asked = 0

    def moves(self, left: Any, roll: Any) -> Any:
        self.asked += 1
        return [("take", left - 1, self.asked)]


class Twice(Tally):
    def rolls(self, left: Any) -> Any:
        return [*super().rolls(left), ("heads", 1)] if left == 2 else super().rolls(left)


class Alike(Tally):
    def text(self, thing: Any) -> str:
        return "few" if thing in (1, 2) else str(thing)


class Silent(Tally):
    def text(self, thing: Any) -> str:
        return {"heads": "H", "tails": "T", "take": "t", 0: "over", 2: "two", 3: "three"}[thing]


class Box:
    """A state that is equal to every other of as many coins, and says another hash each time."""

    made = 0

    def __init__(self, left: int) -> None:
        self.left = left
        Box.made += 1
        self.number = Box.made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.left == other.left

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Box({self.left})"


class Boxes(Tally):
    start = Box(2)

    def rolls(self, state: Box) -> Any:
        return super().rolls(state.left)

    def moves(self, state: Box, roll: Any) -> Any:
        return [("take", Box(state.left - 1), 1)]


class Objects(Tally):
    """States that are never equal to each other."""

    start = object()

    def rolls(self, state: Any) -> Any:
        return [("heads", 1)] if state is self.start else []

    def moves(self, state: Any, roll: Any) -> Any:
        return [("take", object(), 1)]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Short(), ["state 2 of tally", "add up to 2, not to the 3 ways"]),
        (Stuck(), ["no move", "'tails'", "state 1"]),
        (Again(), ["never ends", "state 3 came again"]),
        (Endless(), ["more than 10,000 rolls", "to 10003"]),
        (Halves(), ["points 0.5", "state 3"]),
        (Bonus(), ["points 'one'", "state 0"]),
        (Forgetful(), ["leads to (2, 5), then to (2, 6)", "the move 'take'", "in the state 3"]),
        (Twice(), ["'heads' comes twice in the state 2"]),
        (Alike(), ["the states 2 and 1", "both written 'few'"]),
        (Silent(), ["text(1)", "fails for a state", "KeyError: 1"]),
        (Boxes(), ["Box(1) and Box(1)", "equal but hash apart"]),
        (Objects(), ["the move 'take'", "let states that are alike be equal"]),
        (Tally, ["Tally is a class", "Tally()"]),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, list) else "",
)
def test_trouble_is_said_in_one_line_with_the_state(game: Any, words: list[str]) -> None:
    found = gt.check(game)
    assert (found.states, found.rolls, found.moves) == (None, None, None)
    (line,) = found.trouble
    assert "\n" not in line
    assert all(word in line for word in words), line


def test_every_kind_of_trouble_is_said_once() -> None:
    class Many(Short):
        def moves(self, left: Any, roll: Any) -> Any:
            return [("take", left - 1, 0.5)]

    assert len(gt.check(Many()).trouble) == 2


@pytest.mark.parametrize("game", [Tally(), Countdown(), BestOfThree(), ShutTheBox()], ids=lambda game: game.name)
def test_a_sound_game_has_a_size_and_no_trouble(game: Any) -> None:
    found = gt.check(game)
    assert found.trouble == ()
    space: Any = games.space(game)
    assert (found.states, found.rolls) == (len(space.graph.states), len(space.graph.weights))
    assert found.moves == len(space.graph.after)


def test_what_random_play_misses_walking_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "GAMES", 0)
    assert "no move" in gt.check(Stuck()).trouble[0]


# On the command line.


def test_trouble_is_printed_and_is_a_failure(folder: Path, run: Run) -> None:
    Path("late.py").write_text(
        "class Late:\n start = 1\n def rolls(self, s): return [('x', 2)] if s else []\n"
        " def moves(self, s, r): return [('go', 0, .5)]\n def ways(self, s): return 3\n"
    )
    ran = run("check", "late.py:Late", "--json")
    assert (ran.status, ran.err) == (1, "")
    found = json.loads(ran.out)
    assert found == {"game": "Late", "states": None, "rolls": None, "moves": None, "trouble": found["trouble"]}
    assert len(found["trouble"]) == 2
    ran = run("check", "late.py:Late")
    assert ran.status == 1
    assert "add up to 2, not to the 3 ways" in " ".join(ran.out.split())


@pytest.mark.parametrize("name", ["my-game", "Lucky 7", "coin_toss"])
def test_a_new_game_solves_as_it_stands_and_passes_its_test(name: str, folder: Path, run: Run) -> None:
    ran = run("new", name, "--json")
    assert (ran.status, ran.err) == (0, "")
    made = json.loads(ran.out)
    assert (made["states"], made["rolls"], made["moves"], made["trouble"]) == (4, 33, 55, [])
    path, test = map(Path, made["files"])
    assert len(path.read_text().splitlines()) == 30
    assert made["game"] in run("new", name, "--force").out
    assert run("solve", made["game"]).status == 0
    passed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test], capture_output=True, text=True, check=False
    )
    assert "2 passed" in passed.stdout
    ran = run("new", name)
    assert ran.status == 2
    assert f"{path} exists already" in ran.err


@pytest.mark.parametrize("name", ["", "7up", "a/b", "../up", "class", "random", "gametheory", "-", "käse", "a\nb", "a.py:X"])
def test_what_is_no_name_for_a_game_is_refused(name: str, folder: Path) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        starting.new(name)
    assert list(Path.cwd().iterdir()) == []
