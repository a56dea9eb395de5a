"""What is no game of one's own is refused in one line that names the fault."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from gametheory.match import duel
from gametheory.own import graph, rules
from gametheory.own.check import check

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


class Fails(Countdown):
    @property
    def start(self) -> Any:  # type: ignore[override]
        raise KeyError("no start")


class Starts(Countdown):
    start = [3, 0]  # type: ignore[assignment]  # noqa: RUF012


class Leaves(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        raise SystemExit(3)


class Forever(Countdown):
    def rolls(self, state: Any) -> Any:
        return itertools.repeat(("heads", 1)) if state[0] else []


class Anything(Countdown):
    def moves(self, state: Any, roll: Any) -> Any:
        return (("stay", (state[0] - 1, 0), points) for points in itertools.count())


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
        (Fails(), ["start of the game Fails fails", "KeyError: 'no start'"]),
        (Starts(), ["the state [3, 0]", "hashed"]),
        (Leaves(), ["moves((3, 0), 'heads')", "SystemExit: 3"]),
        (Forever(), ["rolls((3, 0))", "gave 2,000 and went on"]),
        (Anything(), ["moves((3, 0), 'heads')", "gave 2,000 and went on"]),
        (Countdown, ["class", "Countdown()"]),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, list) else "",
)
def test_what_is_no_game_is_refused_in_one_line_that_names_the_fault(
    game: Any, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_LISTED", 2_000)
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        duel.solve(game)
    assert all(word in str(refused.value) for word in words), refused.value
    trouble = check(game).trouble
    assert any(all(word in line for word in words) for line in trouble), trouble


def test_a_game_without_end_is_refused_when_it_has_filled_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MEMORY", 1e6)
    with pytest.raises(ValueError, match=r"^countdown has more than 1,787 states and 3,572 moves \(at .*0\.001 GB"):
        duel.solve(Endless())


def test_a_game_whose_states_have_very_many_moves_is_refused_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only when all states that are known have been read, which may take more than there is."""
    monkeypatch.setattr(graph, "MEMORY", 1e6)
    monkeypatch.setattr(rules, "AT_ONCE", 5_000)
    read = []

    class Wide(Countdown):
        """Once there are 300 states, each has 1000 moves."""

        def rolls(self, state: Any) -> Any:
            read.append(state)
            return [("heads", 1)] if state[0] < 5 else []

        def moves(self, state: Any, roll: Any) -> Any:
            return (("on", (state[0] + 1, step), 0) for step in range(300 if state[0] == 3 else 1000))

    with pytest.raises(ValueError, match="countdown has more than 1,301 states and 12,300 moves"):
        duel.solve(Wide())
    assert len(read) < 60


def test_many_moves_are_read_in_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Countdown()
    whole = graph.walk(game)
    monkeypatch.setattr(rules, "AT_ONCE", 1)
    again = graph.walk(game)
    assert (again.digest, again.states) == (whole.digest, whole.states)


class Before(Countdown):
    """Over before it begins, with points that add up."""

    start = (0, 0)
    score = property()

    def final(self, state: Any) -> int:
        return 7


def test_a_game_that_is_over_before_it_begins_has_an_answer() -> None:
    solution = duel.solve(Before())
    assert (solution.expected_score, solution.first_player_value) == (7.0, 0.5)
