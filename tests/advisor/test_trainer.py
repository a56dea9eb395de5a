"""The trainer in the terminal, played by lines of text."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from shared import solved

from gametheory.advisor import trainer as play
from gametheory.dice import Stream
from gametheory.match.duel import Duel
from gametheory.match.solution import SEATS, Solution


def played(name: str, lines: str, seed: int = 5, seat: str = "first") -> tuple[play.Account, str]:
    shown = io.StringIO()
    return play.run(name, seed, seat, solution=solved, source=io.StringIO(lines), target=shown), shown.getvalue()


DICE = {"threes": (5, 6), "ten-thousand": (6, 6)}
"""The first throw: how many dice of how many sides."""


def first_dice(name: str, seed: int, seat: str = "first") -> tuple[int, ...]:
    """Return the first roll of the player's first kind of dice."""
    return Stream(seed, SEATS.index(seat)).roll(*DICE[name])


def test_dice_are_fair_and_those_of_a_seed() -> None:
    faces = Stream(1, 0).roll(60_000, 6)
    counts = [faces.count(face) for face in range(1, 7)]
    assert max(abs(count - 10_000) for count in counts) < 4 * (60_000 * 5 / 36) ** 0.5
    assert Stream(1, 0).roll(20, 12) != Stream(1, 1).roll(20, 12)
    assert Stream(1, 0).roll(20, 12) != Stream(2, 0).roll(20, 12)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("name", "line"), [("threes", "all\n"), ("pig", "bank\n"), ("pig", "roll\nbank\n")])
def test_a_game_adds_up_to_its_result(name: str, line: str, seat: str) -> None:
    for seed in range(4):
        account, shown = played(name, line * 200, seed, seat)
        reached = account.start + account.luck + account.their_luck - account.given
        assert account.result is not None
        assert abs(reached - account.result) < 1e-9
        assert "The game brought you" in shown
        assert f"{account.decisions} decision" in shown


def test_keeping_everything_costs_and_keeping_the_best_does_not() -> None:
    account, shown = played("threes", "all\n")
    assert (account.decisions, account.mistakes) == (1, 1)
    assert account.given > 0.3
    assert f"That cost {100 * account.given:.1f}%" in shown
    best = shown.partition("%: ")[2].split()[0]
    account, shown = played("threes", f"{best}\n")
    assert (account.mistakes, account.given, account.result) == (0, 0.0, None)
    assert "The best move" in shown


def test_what_cannot_be_kept_is_said_and_asked_again() -> None:
    missing = next(face for face in range(1, 7) if face not in first_dice("threes", 5))
    account, shown = played("threes", f"\njunk\n9\n{missing}\nd8:1\n?\nall\n")
    assert "the roll is empty" in shown
    assert "cannot read" in shown
    assert "faces 1 to 6, not 9" in shown
    assert f"d6:{missing} is no part of the roll" in shown
    assert "the game has no such die" in shown
    assert "expected  keep" in shown
    assert account.decisions == 1


def test_what_cannot_be_kept_in_a_race_is_said() -> None:
    roll = first_dice("ten-thousand", 3)
    assert roll == (5, 5, 3, 3, 1, 1)
    account, shown = played("ten-thousand", "5\n4 roll\n7 roll\n5 bank\nroll\nq\n", 3)
    assert shown.count('Say "bank" or "roll"') == 1
    assert "4: keep only dice of the roll that score" in shown
    assert "'7' in the roll '7' is no face of a die: give faces from 1 to 6" in shown
    assert "Too little to bank: the first points must be at least 1000" in shown
    assert "the roll is empty" in shown
    assert account.decisions == 0


@pytest.mark.parametrize("name", ["biscuits", "ten-thousand"])
def test_lines_fit_the_terminal(name: str) -> None:
    keep = "all\n" if name == "biscuits" else "5 roll\n5 5 bank\n1 roll\n1 bank\n"
    _, shown = played(name, ("?\n" + keep) * 40)
    assert len(shown.splitlines()) > 10
    assert max(map(len, shown.replace("keep> ", "").splitlines())) <= 80


@pytest.mark.parametrize("lines", ["", "q\n", "QUIT\n"])
def test_the_end_of_input_ends_the_game_quietly(lines: str) -> None:
    account, shown = played("threes", lines)
    assert account.result is None
    assert "brought" not in shown


def test_an_interrupt_ends_the_game_quietly() -> None:
    class Interrupted:
        def readline(self) -> str:
            raise KeyboardInterrupt

    source: Any = Interrupted()
    account = play.run("threes", 1, solution=solved, source=source, target=io.StringIO())
    assert account.result is None


def test_bytes_that_are_no_text_are_no_crash() -> None:
    source = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\xff\nq\n"), encoding="utf-8")
    account = play.run("threes", 1, solution=solved, source=source, target=io.StringIO())
    assert account.result is None


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"seat": "third"}, "there is no seat 'third'"),
        ({"seed": -1}, "game number -1"),
        ({"seed": 10**9}, "game number 1000000000"),
    ],
)
def test_wrong_requests_are_one_line(wrong: dict[str, Any], problem: str) -> None:
    ask: Callable[..., Any] = play.run
    with pytest.raises(ValueError, match=problem) as found:
        ask("threes", solution=solved, source=io.StringIO(), target=io.StringIO(), **wrong)
    assert "\n" not in str(found.value)


def test_standard_input_and_output_are_used() -> None:
    code = (
        "from gametheory.advisor import trainer; from gametheory.ask.solve import solve; "
        "trainer.run('2d4', 1, solution=solve)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="all\n", capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("2d4: ")
    assert "The game brought you" in done.stdout
    assert done.stderr == ""


# Games of one's own.


class Climb:
    """Three throws of a coin that is 4 one time in four, else 1: take it, or leave it and add 2 to all later ones.

    A state is (throws left, step, points).
    """

    name, start = "climb", (3, 0, 0)

    def rolls(self, state: tuple[int, int, int]) -> list[tuple[int, int]]:
        return [(1, 3), (4, 1)] if state[0] else []

    def moves(self, state: tuple[int, int, int], roll: int) -> Iterator[tuple[Any, tuple[int, int, int], int]]:
        left, step, points = state
        yield "take", (left - 1, step, points + roll + step), roll + step
        yield "leave", (left - 1, step + 2, points), 0

    def score(self, state: tuple[int, int, int]) -> int:
        return state[2]


class Blank(Climb):
    """The same with moves that are written alike."""

    def text(self, thing: Any) -> str:
        return "..." if isinstance(thing, str) else f"<{thing}>"


class Added:
    """The same with points that add up: a state is (throws left, step)."""

    name, start = "added", (3, 0)

    def rolls(self, state: tuple[int, int]) -> list[tuple[int, int]]:
        return [(1, 3), (4, 1)] if state[0] else []

    def moves(self, state: tuple[int, int], roll: int) -> Iterator[tuple[Any, tuple[int, int], int]]:
        yield "take", (state[0] - 1, state[1]), roll + state[1]
        yield "leave", (state[0] - 1, state[1] + 2), 0


CLIMB, BLANK, ADDED = Climb(), Blank(), Added()


def own(game: Any, lines: str, seed: int = 5, seat: str = "first") -> tuple[play.Account, str]:
    shown = io.StringIO()
    return play.run(game, seed, seat, solution=solved, source=io.StringIO(lines), target=shown), shown.getvalue()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("game", "line"), [(CLIMB, "take\n"), (BLANK, "2\n"), (ADDED, "leave\n")])
def test_a_game_of_ones_own_adds_up_to_its_result(game: Any, line: str, seat: str) -> None:
    for seed in range(8):
        account, shown = own(game, line * 3, seed, seat)
        assert account.result is not None
        assert abs(account.start + account.luck + account.their_luck - account.given - account.result) < 1e-9
        assert account.decisions == 3
        assert re.search(r"You made \d+, they made \d+: (you win|they win|a tie)\.", shown)


def test_a_game_of_ones_own_is_told_in_words() -> None:
    account, shown = own(CLIMB, "?\nfly\n TAKE\nleave\ntake\n")
    assert "Type your move as it is listed" in shown
    assert "In (3, 0, 0). The roll: 1\n  Your moves: take; leave\nmove> " in shown
    assert "  'fly' is no move here: type one of those listed." in shown
    assert re.search(r"to win  expected  move\n +\d+\.\d% +\d\.\d  (take|leave)\n", shown)
    assert len(re.findall(r"^They roll [14], choose (?:take|leave): \([012], \d, \d+\)\.$", shown, re.MULTILINE)) == 3
    assert account.decisions == 3
    _, second = own(CLIMB, "take\n" * 3, seat="second")
    assert re.search(r"In \(3, 0, 0\) against \d+\. The roll: [14]\n", second)


def test_moves_that_cannot_be_typed_have_numbers() -> None:
    account, shown = own(BLANK, "take\n3\n0\n1\n1\n1\n")
    assert "In <(3, 0, 0)>. The roll: <1>\n    1  ...\n    2  ...\nmove> " in shown
    assert shown.count("type a number from 1 to 2") == 3
    assert (account.decisions, account.result is None) == (3, False)
    typed, _ = own(CLIMB, "take\n" * 3)
    assert vars(typed) | {"lines": account.lines} == vars(account)


def test_points_that_add_up_are_told() -> None:
    _, shown = own(ADDED, "take\n" * 3)
    assert "In (3, 0) with 0 banked. The roll: 1\n" in shown
    assert re.search(r"They roll [14], choose (take|leave): \([012], \d\) with \d+ banked\.", shown)


def test_rolls_of_ones_own_come_by_their_weight() -> None:
    draws = Counter(Stream(seed, 0).draw([3, 1, 0]) for seed in range(8_000))
    assert draws[2] == 0
    assert abs(draws[1] - 2_000) < 4 * (8_000 * 3 / 16) ** 0.5
    huge = Counter(Stream(seed, 1).draw([10**40, 3 * 10**40]) for seed in range(8_000))
    assert abs(huge[0] - 2_000) < 4 * (8_000 * 3 / 16) ** 0.5


def test_a_game_itself_is_solved_and_played(folder: Path) -> None:
    shown = io.StringIO()
    account = play.run(CLIMB, 3, source=io.StringIO("take\n" * 3), target=shown)
    assert vars(account) == vars(own(CLIMB, "take\n" * 3, 3)[0])
    assert list(folder.iterdir()) != []


def test_what_nobody_can_sit_down_to_is_not_solved(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(Duel, "sit", Solution.sit)
    with pytest.raises(ValueError, match="a training game is not told for a sequential match of 2d4"):
        play.run("2d4", 1, source=io.StringIO(), target=io.StringIO())
    assert list(folder.iterdir()) == []


def test_a_tie_brings_what_it_is_worth() -> None:
    results = set()
    for seed in range(12):
        for seat in SEATS:
            source, shown = io.StringIO("take\n" * 3), io.StringIO()
            account = play.run(CLIMB, seed, seat, solution=lambda game: solved(game, "0.25"), source=source, target=shown)
            if "a tie" in shown.getvalue():
                results.add((seat, account.result))
    assert results == {("first", 0.75), ("second", 0.25)}


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("2d4", {"match": "alternating"}), ("2d4", {"match": "simultaneous"}), ("2d4", {"players": 3}),
        ("piglet", {"players": 3}),
    ],
)  # fmt: skip
def test_a_match_that_nobody_can_sit_down_to_is_refused_in_one_line(name: str, how: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"a training game is not told for an? .* match of {name}: ask the") as found:
        play.run(name, 1, solution=lambda name: solved(name, **how), source=io.StringIO(), target=io.StringIO())
    assert "\n" not in str(found.value)


class Over(Climb):
    """A game without a roll."""

    name, start = "over", (0, 0, 3)


def test_a_game_without_a_roll_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="over is over before it begins: there is no roll to train with"):
        own(Over(), "")
