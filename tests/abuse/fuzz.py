"""Type nonsense at the command line, a thousand times: run by `test_fuzz`, as nobody, in a folder that is thrown away.

    python fuzz.py FOLDER CASES

Every case is one command, in this process, with small games. It must end within its time with status 0, 1, 2 or 130, say no
more than one line where it refuses, and never fail with a traceback. What fails is shrunk to one line.
"""

from __future__ import annotations

import contextlib
import io
import os
import resource
import shlex
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

MEMORY = 6 << 30
LARGEST_FILE = 64 << 20
SECONDS = 120
"""What one case may take, on the slowest of machines."""

DICE = ["2d4", "d2+d3", "3d2", "1d2", "d4 + d4"]
GAMES = [*DICE, "piglet", "coin.toml", "low.toml", "rolls.toml", "made.toml", "game.py:Toss", "game.py:Broken", "game.py"]
NO_GAMES = [
    "", "d", "0d6", "2d1", "x", "2d4+", "-1d4", "d4.toml", "no.toml", "folder", "pipe", "link", "2D4", "coin", "\x1b[2J",
]  # fmt: skip
ROLLS = [
    "d4:4,3", "4 3", "43", "d2:1 d3:3", "2 2 1", "2", "1", "1x2", "d4:9", "d4:", ":", "1,1,1,1,1,1,1", "6x99999", "d4:1x-1",
]  # fmt: skip
NUMBERS = ["0", "1", "2", "3", "5", "7", "-1", "-7", "100", "1e1", "1e400", "nan", "inf", "0.5", "1/2", "", "9" * 60, "1_0"]
POLICIES = [
    "score", "win", "greedy", "random", "cutoff", "hold-at-1", "hold-at-x", "reach:5", "reach:x", "reach:", "simple", "none",
    "card.toml", "game.py:keep", "game.py:wrong", "worths.csv", "score,win", "score,,win",
]  # fmt: skip
FILES = [
    "out.csv", "out.json", "out.svg", "out.html", "out.toml", "out.png", "out.parquet", "out", "folder", "folder/out.csv",
    "none/out.csv", "pipe", "link", "there.csv", "there.svg", "a.h5", "made.toml", ".", "", "\0",
]  # fmt: skip
WORDS = [
    "split", "first", "second", "replay", "sequential", "alternating", "simultaneous", "small", "large", "place", "target",
    "csv", "json", "score-difference", "one-die", "expected-maximum", "expected", "reach", "stop", "classes", "game",
]  # fmt: skip
TEXTS = [*GAMES, *NO_GAMES, *ROLLS, *NUMBERS, *POLICIES, *FILES, *WORDS]

OF = {
    "tables": ["tables", "folder", "none", "pipe", "a.h5", "link", ""],
    "games": ["1", "2", "3", "50", "0", "-1", "1e1", "x"],
    "cluster": ["nonsense", ""],
    "processes": ["1", "0", "-1", "x"],
    "host": ["nowhere.invalid", "999.1.1.1"],
    "port": ["-1", "99999", "x"],
    "threads": ["1", "0", "-1", "x"],
    "output": FILES, "figure": FILES, "tie": ["split", "first", "second", "replay", "0.3", "2", "nan", "x"],
    "policy": POLICIES, "policies": POLICIES, "against": POLICIES, "to": POLICIES, "first": POLICIES, "second": POLICIES,
}  # fmt: skip
"""What is typed for options that would else take long, or lead out of the folder."""

VALUES = [
    "0", "1", "2", "-1", "1000000", "10000000000000000000000", "0.5", "nan", "true", '""', '"x"', "[]", "[1, 2]", "[[]]",
    "{}",
]  # fmt: skip
KEYS = {
    "dice": ['"2d4"', '"d2+d3"', '"3d2"', "1", "2"],
    "points.d4": ["[1, 2, 0, 4]", "[0, 0, 0, 0]", "[1, 2, 3]", "[1e9, 1, 1, 1]"],
    "wins": ['"lower"', '"higher"'], "keep_at_least": ["1", "2"], "rolls": ["1", "2"], "name": ['"mine"', '"2d4"', '"pig"'],
    "about": ['"a game"', '"\\u001b[2J"'], "like": ['"piglet"', '"2d4"', '"threes"'],
    "sides": ["2", "3"], "goal": ["2", "3", "5"],
    "singles": ["{1 = 1}", "{2 = 1}", "{1 = 0}"], "bust_faces": ["[1]", "[2]", "[9]"], "hot_dice": ["true", "false"],
    "opening": ["0", "2"], "straight": ["0", "5"], "more_of_a_kind": ['"double"', "[1]"], "three_of_a_kind": ["{1 = 5}"],
    "game": ['"midnight"', '"poker"'], "nonsense": ["1"],
}  # fmt: skip

SOURCE = '''
class Toss:
    start = ()
    def rolls(self, state): return [] if len(state) == 2 else [(face, 1) for face in (0, 1, 2)]
    def moves(self, state, roll): return [("take", (*state, roll), roll), ("leave", (*state, 0), 0)]
    def score(self, state): return sum(state)
class Broken(Toss):
    def moves(self, state, roll): return 1 / 0
def keep(position, roll): return tuple(faces[:1] for faces in roll)
def wrong(position, roll): return "nothing"
'''


class Late(BaseException):
    """A case takes too long."""


def late(number: int, frame: FrameType | None) -> NoReturn:
    raise Late


def furnish(folder: Path) -> None:
    """Put into the folder what commands may meet there."""
    os.chdir(folder)
    for name in ("folder", "tables", "home", "cache"):
        Path(name).mkdir()
    Path("coin.toml").write_text('like = "piglet"\ngoal = 3\n')
    Path("low.toml").write_text('dice = "2d4"\nwins = "lower"\npoints.d4 = [1, 2, 0, 4]\n')
    Path("rolls.toml").write_text('dice = "3d2"\nrolls = 2\n')
    Path("game.py").write_text(SOURCE)
    Path("card.toml").write_text('game = "2d4"\n[keep]\nd4 = { 2 = 3 }\n')
    Path("worths.csv").write_text("score,worth\n5,1\n7,2.5\n")
    Path("there.csv").write_text("old\n")
    Path("there.svg").write_text("old\n")
    Path("link").symlink_to("there.csv")
    os.mkfifo("pipe")


def strategies() -> Any:
    """Return the strategy of what is typed, and of what stands in made.toml."""
    from hypothesis import strategies as st

    from gametheory.cli.commands import COMMANDS

    text = st.one_of(st.sampled_from(TEXTS), st.text(max_size=8))
    commands = [command for command in COMMANDS if command.name not in ("completion", "card")]  # a card takes a while

    def typed(command: Any) -> Any:
        options = [option for option in command.all_options() if option.name != "force"]

        def option(one: Any) -> Any:
            known = OF.get(one.name)
            value = st.sampled_from(known) if known else st.one_of(st.sampled_from([*NUMBERS, *WORDS, *ROLLS]), text)
            name = f"-{one.short.lstrip('-')}" if one.short else f"--{one.name}"
            return st.tuples(st.just(name)) if not one.meta else st.tuples(st.just(name), value)

        argument = {"game": st.sampled_from(GAMES), "roll": st.sampled_from(ROLLS), "games": st.sampled_from(GAMES)}
        other = st.sampled_from([*DICE, *FILES, *WORDS])
        first = [st.one_of(argument.get(one.name, other), text) for one in command.all_arguments()]
        # The page is shown until somebody ends it: only where it cannot be shown is it asked for.
        must = st.just(("--port", "x")) if command.name == "serve" else st.just(())
        some = st.lists(st.one_of([option(one) for one in options]), max_size=3) if options else st.just([])
        rest = st.lists(text, max_size=1)
        return st.tuples(st.tuples(*first), some, rest, must).map(
            lambda parts: [command.name, *parts[0], *[word for pair in parts[1] for word in pair], *parts[2], *parts[3]]
        )

    line = st.one_of(st.sampled_from(commands).flatmap(typed), st.lists(text, max_size=4))
    pair = st.sampled_from(sorted(KEYS)).flatmap(
        lambda key: st.tuples(st.just(key), st.one_of(st.sampled_from(KEYS[key]), st.sampled_from(VALUES)))
    )
    rules = st.dictionaries(st.sampled_from(sorted(KEYS)), st.none(), max_size=0).flatmap(
        lambda _: st.lists(pair, max_size=6, unique_by=lambda one: one[0])
    )
    return line, st.one_of(rules.map(lambda pairs: "".join(f"{k} = {v}\n" for k, v in pairs)), st.text(max_size=30))


def check(arguments: list[str], rules: str) -> None:
    """Run one command; fail on whatever it may not do."""
    from gametheory.cli.main import main

    Path("made.toml").write_bytes(rules.encode("utf-8", "surrogatepass"))
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "replace"), io.TextIOWrapper(io.BytesIO(), "utf-8", "replace")
    shown = f"gametheory {shlex.join(arguments)}   with made.toml {rules!r}"
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(arguments)
    except Late:
        raise AssertionError(f"takes more than {SECONDS} s: {shown}") from None
    except BaseException as error:
        raise AssertionError(f"fails with {type(error).__name__}: {shown}") from error
    finally:
        signal.alarm(0)
    err.seek(0)
    said = err.read()
    assert status in (0, 1, 2, 130), f"status {status}: {shown}"
    assert "Traceback" not in said, f"a traceback is printed: {shown}"
    if status == 2:
        assert said.count("\n") == 1, f"says {said!r}: {shown}"
        assert said[:-1].isprintable(), f"says {said!r}: {shown}"


def main(folder: str, cases: int) -> None:
    """Type so many lines."""
    from hypothesis import HealthCheck, Phase, given, settings

    furnish(Path(folder))
    os.environ |= {"HOME": f"{folder}/home", "XDG_DATA_HOME": f"{folder}/home", "GAMETHEORY_TABLES": f"{folder}/tables"}
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, LARGEST_FILE)):
        resource.setrlimit(kind, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, late)
    sys.stdin = open(os.devnull)  # noqa: SIM115
    from gametheory.store import tables

    tables.packaged_folder = lambda: Path(folder) / "none"
    line, rules = strategies()
    count = 0

    @settings(
        max_examples=cases, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink], print_blob=False,
    )  # fmt: skip
    @given(line, rules)
    def case(arguments: list[str], rules: str) -> None:
        nonlocal count
        count += 1
        check(arguments, rules)

    before = set(os.listdir(Path(folder).parent))
    case()
    assert set(os.listdir(Path(folder).parent)) == before, "something was written beside the folder"
    print(f"{count} cases")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
