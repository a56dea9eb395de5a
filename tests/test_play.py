"""The trainer in the terminal, played by lines of text."""

from __future__ import annotations

import functools
import io
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gametheory import games
from gametheory.advisor import trainer as play
from gametheory.match import duel
from gametheory.race import rules as race_rules
from gametheory.race import solver as race


@functools.cache
def solved(name: str) -> Any:
    """Solve a game once for all tests."""
    game = games.game(name)
    return race.solve(game) if isinstance(game, race_rules.RaceGame) else duel.solve(game)


def played(name: str, lines: str, seed: int = 5, seat: str = "first") -> tuple[play.Account, str]:
    shown = io.StringIO()
    return play.run(name, seed, seat, solution=solved, source=io.StringIO(lines), target=shown), shown.getvalue()


def first_dice(name: str, seed: int, seat: str = "first") -> tuple[int, ...]:
    """Return the first roll of the player's first kind of dice."""
    game = games.game(name)
    count, sides = (
        (game.dice, game.sides) if isinstance(game, race_rules.RaceGame) else (game.counts[0], game.kinds[0].sides)
    )
    return play.Stream(seed, play.SEATS.index(seat)).roll(count, sides)


def test_dice_are_fair_and_those_of_a_seed() -> None:
    faces = play.Stream(1, 0).roll(60_000, 6)
    counts = [faces.count(face) for face in range(1, 7)]
    assert max(abs(count - 10_000) for count in counts) < 4 * (60_000 * 5 / 36) ** 0.5
    assert play.Stream(1, 0).roll(20, 12) != play.Stream(1, 1).roll(20, 12)
    assert play.Stream(1, 0).roll(20, 12) != play.Stream(2, 0).roll(20, 12)


@pytest.mark.parametrize("seat", play.SEATS)
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
    assert "'7' in the roll is no face" in shown
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
    code = "from gametheory import duel, games, play; play.run('2d4', 1, solution=lambda name: duel.solve(games.game(name)))"
    done = subprocess.run(
        [sys.executable, "-c", code], input="all\n", capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("2d4: ")
    assert "The game brought you" in done.stdout
    assert done.stderr == ""
