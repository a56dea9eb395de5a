"""Wrong requests: one line that says what is wrong, what was given and what to do; exit status 2; nothing is written."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path

import pytest
from conftest import Run

from gametheory import policies
from gametheory.cli.commands import COMMANDS
from gametheory.match import alternating, handicap

from .shared import SMALL, files, write_files

WRONG: dict[str, list[str]] = {
    # By command, what follows it.
    "": [
        "", "nope", "--nope", "mvoes 3d4", "'' 3d4", "-x", "--json", "solv 3d4", "3d4", "help",
    ],
    "solve": [
        "", "bisquits", "0d6", "3d1", "d-6", "6d6+", "40d6+20d20", "''", "' '", "d", "4d", "4", "-4d6", "4d6.5",
        "4d6+biscuits", "4d0", "99999999999999999999d6", "2d99999999999999999999", "4*d6", "²d6", "nothing.toml",
        "3d4 --tie draw", "3d4 --tie 1.5", "3d4 --tie -0.1", "3d4 --tie nan", "3d4 --tie inf", "3d4 --tie ''",
        "3d4 --tie 1/2", "3d4 --tie", "3d4 --match nope", "3d4 --match ''", "3d4 --players 1", "3d4 --players 0",
        "3d4 --players -2", "3d4 --players 1000000", "3d4 --players x", "3d4 --players 3 --tie first",
        "3d4 --players 3 --match alternating", "3d4 --match simultaneous --tie first", "3d4 --threads 0", "3d4 --threads -1",
        "3d4 4d4", "3d4 --against nope", "3d4 --against score --players 3", "short.toml --tie first",
        "short.toml --match alternating", "short.toml --players 99", "3d4 --match simultaneous --tolerance 1e-14",
        "3d4 --match simultaneous --tolerance -1", "3d4 --match simultaneous --tolerance nan", "3d4 --tolerance 1e-6",
        "3d4 --aim wealth", "3d4 --aim reach:", "3d4 --aim reach:9 --players 3", "3d4 --aim nothing.csv",
        "short.toml --aim points",
        "3d4 --against score --aim reach:9",
    ],
    "moves": [
        "", "3d4", "3d4 ''", "3d4 ' '", "3d4 d4:5", "3d4 d4:0", "3d4 d4:-1", "3d4 d6:1", "3d4 d4:1,1,1,1", "3d4 d4:1x4",
        "3d4 d4:1x0", "3d4 d4:1x99999999999999", "3d4 d4:", "3d4 d4", "3d4 d4:,", "3d4 4,4,5", "3d4 d4:1.5", "3d4 d4:a",
        "3d4 'd4:1,1 d4:1,1'", "3d4 d4:1x", "3d4 d4:1x2x3", "3d4 :1", "3d4 d4:1;d4:2", "3d4 d4:1,1",
        "3d4 d4:1,1 --banked -1", "3d4 d4:1,1 --banked 5", "3d4 d4:1,1 --banked 0", "3d4 d4:1,1,1 --banked 1",
        "3d4 d4:1,1 --banked 99999999999999999999", "3d4 d4:1,1 --banked x", "3d4 d4:1,1,1 --target x",
        "3d4 d4:1,1,1 --target 1.5", "3d4 d4:1,1,1 --top -1", "3d4 d4:1,1,1 --sort points", "3d4 d4:1,1,1 --sort ''",
        "3d4 d4:1,1,1 --tie 2", "3d4 d4:1,1,1 --turn 3", "3d4 d4:1,1,1 --score 3", "3d4 d4:1,1,1 --lead 3",
        "3d4 d4:1,1,1 --seat second", "3d4 d4:1,1,1 --match simultaneous", "3d4 d4:1,1,1 --match x",
        "3d4 d4:1,1,1 --against nope", "40d6+20d20 d6:1 --banked 400", "coin.toml 3", "coin.toml ''", "coin.toml '2 2'",
        "coin.toml d2:2", "coin.toml 1", "coin.toml 2 --turn -1", "coin.toml 2 --score -1", "coin.toml 2 --opponent 10",
        "coin.toml 2 --banked 3", "coin.toml 2 --target 3", "coin.toml 2 --tie first",
        "coin.toml 2 --score 99999999999999999999", "coin.toml ٢", "coin.toml 2 --seat first", "coin.toml 2 --against nope",
        "3d4 d4:1,1,1 --aim x", "3d4 d4:1,1,1 --aim reach:9 --target 8", "3d4 d4:1,1,1 -o x.doc",
        "3d4 d4:1,1,1 -o nowhere/x.csv",
        "coin.toml 2 --aim reach:2", "3d4 d4:1,1,1 --aim reach:9 --against score",
    ],
    "second": [
        "", "nope", "3d4 --tie x", "3d4 --tie -1", "0d6", "3d4 9", "40d6+20d20", "''", "3d4 --json=1", "3d4 --chance 1.1",
        "3d4 --chance x", "3d4 --chance nan", "3d4 --players-after 1", "3d4 --players 3 --players-after 2",
        "3d4 --players 3 --tie first", "short.toml --players-after 0", "short.toml --tie first", "3d4 -o x.doc",
        "3d4 -o nowhere/x.csv", "short.toml --players 3",
    ],
    "distribution": [
        "", "3d4", "3d4 --policy nope", "3d4 --policy ''", "3d4 --policy Score", "3d4 --policy score,win",
        "3d4 --policy score --target x", "3d4 --policy score --tie x", "0d6 --policy win", "3d4 --policy nothing.toml",
        "3d4 --policy score --players 0", "3d4 --policy score --players 1001", "3d4 --policy score --players 3 --target 8",
        "3d4 --policy score --score 3", "3d4 --policy score --whole", "3d4 --policy score --seat third",
        "3d4 --policy score --players 3 --seat 4", "3d4 --policy score --players 3 --match simultaneous", "3d4 --aim wealth",
        "3d4 --aim reach:x", "3d4 --aim nothing.csv", "3d4 --aim reach:9 --tie first", "3d4 --aim reach:9 --seat first",
        "3d4 --policy score --match simultaneous --target 9", "short.toml --policy score --target 3",
        "short.toml --policy score --score 30", "short.toml --policy score --whole --score 3", "short.toml --aim reach:9",
        "short.toml --policy win --whole", "short.toml --policy nope", "3d4 --policy score -o x.doc",
    ],
    "compare": [
        "", "nope", "3d4 --policies nope", "3d4 --policies ''", "3d4 --policies ,", "3d4 --policies score,",
        "3d4 --policies 'score win'", "3d4 --tie x", "short.toml --tie first", "short.toml --policies greedy",
        "short.toml --policies hold-at-0", "short.toml --policies hold-at-x", "3d4 --seat first", "3d4 --players 3 --seat 4",
        "3d4 --players 1", "3d4 --match nope", "3d4 --match simultaneous --seat first",
        "3d4 --match simultaneous --tie first",
        "short.toml --match alternating", "one.toml --players 3 --policies win", "3d4 -o x.doc", "3d4 --policies mine.py:x",
    ],
    "diff": [
        "", "nope", "3d4 --limit -1", "3d4 --limit x", "3d4 --target 2", "3d4 --target 13", "3d4 --target x",
        "3d4 --format xlsx", "3d4 --format ''", "3d4 --format parquet", "3d4 -o nowhere/x.csv", "3d4 -o x.xlsx", "3d4 -o ''",
        "3d4 -o .", "3d4 --by nope", "3d4 --by score-difference", "short.toml --by place", "short.toml --target 3",
        "3d4 --seat third", "3d4 --seat first --target 8", "short.toml --seat third", "short.toml --against nope",
        "3d4 --against nope", "3d4 --tie 7", "3d4 --format CSV -o x.csv",
        "3d4 --policy nope", "3d4 --to nope", "3d4 --policy nothing.toml", "3d4 --aim x", "3d4 --aim reach:9 --seat first",
        "3d4 --match simultaneous --seat first", "3d4 --match simultaneous --target 8", "3d4 --match alternating --target 8",
        "3d4 --match alternating --by target", "3d4 --players 3 --seat 4", "3d4 --players 3 --target 2",
        "3d4 --all --limit 3",
        "one.toml --players 3", "3d4 --policy mine.py:x", "short.toml --to nope", "short.toml --aim reach:9",
    ],
    "simulate": [
        "", "nope", "3d4 --games 0", "3d4 --games -5", "3d4 --games x", "3d4 --games 1.5e0",
        "3d4 --games 99999999999999999999", "3d4 --seed -1", "3d4 --seed x", "3d4 --first nope", "3d4 --second ''",
        "3d4 --tie x", "short.toml --games 0", "short.toml --first greedy", "coin.toml --players 3",
        "3d4 --players 3 --first score", "3d4 --match alternating --second score",
        "3d4 --aim reach:9 --tie first", "3d4 --aim x", "3d4 --match simultaneous --first score", "3d4 -o x.doc",
    ],
    "table": [
        "", "3d4", "3d4 nope", "3d4 ''", "3d4 expected", "short.toml nope", "short.toml one-die",
        "short.toml reach --target -5", "short.toml reach --target 0", "short.toml reach --target x", "nope one-die",
        "short.toml stop --target 3", "short.toml stop --gain", "3d4 one-die --target 4", "3d4 cutoff --gain",
        "3d4 one-die -o x.doc",
    ],
    "rules": [
        "", "nope", "0d6", "''", "nothing.toml", "3d4 4d4", "mine.py:x", "mine.py", "3d4 --tie first", "3d4 -o x.toml",
    ],
    "card": [
        "", "nope", "short.toml", "3d4 --size huge", "3d4 --size ''", "3d4 --size 7", "3d4 --seat x", "3d4 --tie x",
        "3d4 -o x.doc", "3d4 -o nowhere/x.svg", "3d4 -o ''", "3d4 --players 1", "3d4 --players 3 --seat first",
        "3d4 --players 3 --tie first", "3d4 --match alternating", "3d4 --match simultaneous", "3d4 --frontier --size small",
        "3d4 --frontier --seat first", "3d4 --frontier -o x.svg", "coin.toml --players 3",
    ],
    "fair": [
        "", "nope", "3d4 --tie x", "3d4 --match x", "3d4 --match simultaneous --tie first", "short.toml --tie first",
        "short.toml --match alternating", "0d6", "''", "40d6+20d20", "3d4 --players 1", "3d4 --players 3 --tie first",
        "3d4 --players 3 --match alternating", "pair.toml --players 3", "3d4 -o x.doc", "one.toml --players 4",
    ],
    "plot": [
        "", "3d4", "3d4 second", "3d4 nope -o x.png", "3d4 '' -o x.png", "3d4 second -o x.gif", "3d4 second -o x",
        "3d4 second -o nowhere/x.png", "3d4 second -o ''", "nope second -o x.png", "3d4 second -o x.png --tie x",
        "short.toml second -o x.png", "3d4 second -o x.png --match simultaneous", "3d4 seats -o x.png",
        "3d4 second -o x.png --aim reach:9", "3d4 seats -o x.png --players 1",
        "one.toml score-difference -o x.png --players 3",
        "3d4 distributions -o x.png --aim wealth",
    ],
    "verify": [
        "nothing.h5", ".", "''", "--seed x", "--seed -1", "--tables nowhere", "mine.py:x", "nothing.h5 x.h5", "--nope",
        "--json=1",
    ],
    "tables": [
        "nope", "3d4", "nothing.h5", "--delete", "3d4 --delete", "nothing.h5 --delete", "--nope", "''", "-o x.doc",
        "--tables nowhere", "-o nowhere/x.csv",
    ],
    "new": [
        "", "''", "' '", "3", "a/b", "../x", "class", "a b", "x --nope", "x y", "-",
    ],
    "check": [
        "", "nope", "3d4", "short.toml", "mine.py:x", "mine.py", "mine.py:", "pig", "mine.py:x --seed x", "''",
        "mine.py:x y",
    ],
    "review": [
        "", "nothing.json", ".", "''", "short.toml", "nothing.json --nope", "nothing.json --tables x y", "a b c", "--nope",
        "nothing",
    ],
    "export": [
        "", "nope", "0d6", "''", "3d4 --format x", "3d4 --format ''", "3d4 -o nowhere/x.prism", "3d4 -o .", "3d4 -o ''",
        "nothing.toml", "short.toml", "3d4 --nope",
    ],
    "bring": [
        "", "nope", "0d6", "''", "3d4", "short.toml", "short.toml --own nothing.toml", "short.toml --their-dice x",
        "short.toml --nope", "nothing.toml", "short.toml --own ''",
    ],
    "certify": [
        "", "nope", "0d6", "''", "3d4 --tie x", "3d4 --tie -1", "3d4 4d4", "3d4 -o nowhere/x.json", "3d4 -o .",
        "nothing.toml", "3d4 --nope", "3d4 --tables",
    ],
    "completion": [
        "", "tcsh", "bash zsh", "''", "Bash", "--json", "sh", "cmd", "bash --nope", "zsh fish",
    ],
    "games": [
        "nope", "--nope", "3d4", "-o", "--json=1", "--tie first", "''", "games games", "-x", "pig pig",
    ],
    "sweep": [
        "", "nope", "3d4 --tie x", "3d4 --match x", "3d4 --players x", "3d4 --policies nope", "'{n}d4'",
        "3d4 -o nowhere/x.csv", "3d4 -o x.doc", "{n}d4 --n", "3d4 --figure x.doc",
    ],
    "page": [
        "3d4", "nope -o x.html", "3d4 -o nowhere/x.html", "3d4 -o x.html --tie x", "-o ''", "''  -o x.html", "3d4 -o .",
        "3d4 -o x.html --nope", "0d6 -o x.html", "mine.py:x -o x.html",
    ],
    "serve": [
        "nope", "3d4 --port -1", "3d4 --port 99999999", "3d4 --port x", "0d6", "''", "3d4 --host nowhere.invalid",
        "3d4 --json",
        "3d4 --tie x", "mine.py:x", "3d4 --port 1.5",
    ],
    "play": [
        "", "nope", "3d4 --seed -1", "3d4 --seat x", "3d4 --tie x", "3d4 4d4", "0d6", "''", "3d4 --seed x", "mine.py:x",
        "3d4 --json",
    ],
}  # fmt: skip

NOWHERE = [
    # Positions that no play comes to, and what does not place a roll in this match.
    "coin.toml 2 --players-after 1", "coin.toml 2 --match alternating", "short.toml 3 --turn 1", "pig 3 --turn 1",
    "short.toml 3 --score 30", "pair.toml '4 4' --score 2", "pair.toml 4", "pair.toml '4 4' --opponent 1",
    "ten-thousand '1 1' --turn 125", "two-thousand.toml '1 1' --turn 300 --score 50", "low.toml d4:1 --banked 3",
    "low.toml d4:1 --banked 5", "low.toml d4:1,1 --banked 1", "3d4 d4:1,1,1 --target 8 --seat first",
    "3d4 d4:1,1,1 --match alternating --seat third", "3d4 d4:1,1,1 --match alternating --lead 1",
    "3d4 d4:1,1,1 --match alternating --lead 0 --their-dice 2d4", "3d4 d4:1,1 --banked 2 --match alternating",
    "3d4 d4:1,1 --banked 2 --match alternating --lead 3",
    "3d4 d4:1,1 --banked 2 --match alternating --lead 1 --their-dice 5d4",
    "3d4 d4:1,1 --banked 2 --match alternating --lead 1 --their-dice x", "3d4 d4:1,1,1 --match alternating --against greedy",
    "3d4 d4:1,1,1 --players-after 1 --against greedy", "3d4 d4:1,1,1 --players-after 1 --seat first",
    "3d4 d4:1,1,1 --players-after 1 --sharing 2", "3d4 d4:1,1,1 --players-after 1 --target 8 --sharing 0",
    "3d4 d4:1,1,1 --players-after -1", "3d4 d4:1,1,1 --players-after 40", "low.toml d4:1,1 --players-after 1 --target 7",
]  # fmt: skip

assert all((policies, handicap, alternating))


def test_every_command_is_asked_wrongly_ten_times() -> None:
    few = {command.name: len(set(WRONG.get(command.name, ()))) for command in COMMANDS}
    assert {name: count for name, count in few.items() if count < 10} == {}
    assert sum(few.values()) >= 160


LINES = [f"{command} {rest}".strip() for command, every in WRONG.items() for rest in every]


SOLVERS = [  # of which those who import them by name have their own already
    "gametheory.columns.best", "gametheory.columns.chases", "gametheory.columns.visits",
    "gametheory.race.solver.PairCloser.__call__", "gametheory.match.alternating.solve_leads",
]  # fmt: skip


def compute(*_: object, **__: object) -> None:
    raise AssertionError("computed before it was refused")


@pytest.mark.parametrize("line", [*LINES, *(f"moves {rest}" for rest in NOWHERE)])
def test_a_wrong_request_gets_one_line_and_nothing_is_written(
    line: str, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(Path.cwd())
    before = files(Path.cwd())
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    for solver in SOLVERS:
        monkeypatch.setattr(solver, compute)
    monkeypatch.delattr("socketserver.BaseServer.serve_forever")  # so that nothing is served by mistake
    ran = run(*shlex.split(line))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("gametheory: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")
    assert files(folder) == []
    assert files(Path.cwd()) == before


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("solve bisquits", ["bisquits", "did you mean 'biscuits'"]),
        ("solve 40d6+20d20", ["years", "GB", "--force"]),
        ("moves biscuits d6:7", ["d6:7", "faces 1 to 6"]),
        ("moves 3d4 d20:1", ["d20", "d4"]),
        ("moves 3d4 d4:1x4", ["4 d4", "has 3"]),
        ("moves 3d4 d4:1,1 --banked 9", ["9 points", "1 to 4"]),
        ("moves 3d4 d4:1,1", ["--banked N"]),
        ("moves low.toml d4:1 --banked 3", ["3 points", "d4", "2 or 4"]),
        ("moves short.toml 3 --turn 1", ["turn total 1 cannot occur", "short", "0 or 2"]),
        ("moves pair.toml 4", ["turn total 0 with 1 dice", "all 2"]),
        ("moves short.toml 3 --score 30", ["score 30", "ends at 30"]),
        ("moves 3d4 d4:1,1 --banked 2 --match alternating --lead 9 --their-dice 2d4", ["a lead of 9", "near it"]),
        ("moves 3d4 d4:1,1,1 --target 8 --seat first", ["--seat first", "with it second"]),
        ("moves short.toml 3 --banked 3", ["--banked", "is for pools", "--turn, --score, --opponent"]),
        ("diff 3d4 --target 13", ["nobody can make 13", "from 3 to 12"]),
        ("solve 3d4 --tie draw", ["draw", "split, first, second, replay"]),
        ("solve 3d4 --tie 2", ["2", "from 0 to 1"]),
        ("compare 3d4 --policies best", ["best", "score, win, greedy, random"]),
        ("diff 3d4 --format xlsx", ["xlsx", "csv, json or parquet"]),
        ("diff 3d4 -o nowhere/x.csv", ["nowhere/x.csv", "folder that exists"]),
        ("plot 3d4 nope -o x.png", ["nope", "distributions"]),
    ],
)
def test_the_line_says_what_was_given_and_what_to_do(line: str, parts: list[str], folder: Path, run: Run) -> None:
    write_files(Path.cwd())
    err = run(*shlex.split(line)).err
    for part in parts:
        assert part in err


def test_a_file_that_exists_is_replaced_only_by_force(ready: Path, run: Run) -> None:
    path = Path("out.csv")
    path.write_text("mine")
    for command in (["diff", SMALL], ["plot", SMALL, "second"], ["card", SMALL], ["page", SMALL]):
        ran = run(*command, "-o", path)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "--force" in ran.err
        assert path.read_text() == "mine"
    assert run("diff", SMALL, "-o", path, "--force").status == 0
    assert path.read_text().startswith("dice_left,banked,roll,")
    assert files(Path.cwd()) == ["out.csv"]


def test_an_impossible_replay_is_refused(folder: Path, run: Run) -> None:
    Path("same.toml").write_text('dice = "2d4"\npoints.d4 = [1, 1, 1, 1]\n')
    ran = run("solve", "same.toml", "--tie", "replay")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert files(folder) == []


@pytest.mark.parametrize(
    "text",
    [
        "", "dice = 3", 'dice = "0d6"', 'dice = "2d4"\nwins = "both"', 'dice = "2d4"\nspeed = 1', "dice = ",
        'dice = "2d4"\npoints = 3', 'dice = "2d4"\npoints.d4 = [1, 2]', 'dice = "2d4"\npoints.d6 = [1, 2]',
        'dice = "2d4"\npoints.d4 = [1, 2, 3, "x"]', 'dice = "2d4"\nname = 3', "goal = 0", 'like = "nope"', "\x00",
    ],
)  # fmt: skip
def test_a_file_with_wrong_rules_is_refused_by_name(text: str, folder: Path, run: Run) -> None:
    Path("rules.toml").write_text(text)
    ran = run("solve", "rules.toml")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "rules.toml" in ran.err
    assert files(folder) == []
