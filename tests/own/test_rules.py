"""What is no game of one's own is refused in one line that names the fault."""

from __future__ import annotations

from typing import Any

import pytest

from gametheory.match import duel
from gametheory.own import graph

from .shared import Countdown


class Circle(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("again", (3, 0) if state[0] == 1 else (state[0] - 1, 0), 0)]


class Endless(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("on", (state[0] + 1, 0), 0)]


class Stuck(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [] if (state[0], roll) == (2, "tails") else super().moves(state, roll)


class Chances(Countdown):
    def rolls(self, state: Any) -> Any:
        return [("heads", 0.5), ("tails", 0.5)] if state[0] else []


class Nothing(Countdown):
    def rolls(self, state: Any) -> Any:
        return [("heads", 1), ("tails", 0 if state[0] == 2 else 1)] if state[0] else []


class Short(Countdown):
    def ways(self, state: Any) -> int:
        return 4 if state[0] == 1 else 3


class Pairs(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("stay", (state[0] - 1, 0))]


class Words(Countdown):
    def score(self, state: Any) -> Any:
        return "three" if state[1] == 3 else state[1]


class Lists(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return [("stay", [state[0] - 1, 0], 0)]


class Mute:
    start = 0

    def rolls(self, state: Any) -> Any:
        return []

    def score(self, state: Any) -> int:
        return 0


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Circle(), ["never ends", "(3, 0)"]),
        (Stuck(), ["no move", "'tails'", "(2, 0)"]),
        (Chances(), ["weight 0.5", "'heads'", "(3, 0)"]),
        (Nothing(), ["weight 0", "'tails'", "(2, "]),
        (Short(), ["add up to 3", "4 ways", "(1, "]),
        (Pairs(), ["(keep, next state, points)", "(3, 0)"]),
        (Words(), ["'three'", "(0, 3)"]),
        (Lists(), ["hashed", "[2, 0]"]),
        (Mute(), ["Mute", "no moves"]),
        (Countdown, ["class", "Countdown()"]),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, list) else "",
)
def test_what_is_no_game_is_refused_in_one_line_that_names_the_fault(game: Any, words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        duel.solve(game)
    assert all(word in str(refused.value) for word in words), refused.value


def test_a_game_without_end_is_refused_when_it_has_filled_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MEMORY", 1e6)
    with pytest.raises(ValueError, match=r"^countdown has more than 1,787 states and 3,572 moves \(at .*0\.001 GB"):
        duel.solve(Endless())
