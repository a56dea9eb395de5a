"""What --help shows, what a near miss is answered with, and what a shell is told to complete."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from conftest import Run

from gametheory.cli.commands import COMMANDS, SECTIONS
from gametheory.cli.options import GROUPS, OPTIONS
from gametheory.cli.parser import build

from .shared import child

NAMES = [command.name for command in COMMANDS]


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_help_lists_every_option_in_its_group_and_two_examples(command: object, run: Run) -> None:
    (what,) = (one for one in COMMANDS if one is command)
    ran = run(what.name, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert [line for line in ran.out.splitlines() if len(line) > 80 or line != line.rstrip()] == []
    shown = ran.out.split("\n\n")
    for option in what.all_options():
        (part,) = (part for part in shown if part.startswith(f"{option.group}\n"))
        assert f"--{option.name} {option.meta}".rstrip() in part
        said = "".join(part.split())
        assert all(choice in said for choice in option.choices)
        assert option.default is None or not option.meta or f"[{option.default}]" in said
    assert len(what.examples) == 2
    for example in what.examples:
        assert f"  {example}\n" in ran.out


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_examples_are_read_as_they_stand(command: object) -> None:
    (what,) = (one for one in COMMANDS if one is command)
    for example in what.examples:
        program, name, *rest = shlex.split(example.split("|")[0].removeprefix('eval "$(').removesuffix(')"'))
        assert (program, name) == ("gametheory", what.name)
        build().commands[name].make_context(name, rest)


def test_the_list_of_commands_has_them_all(run: Run) -> None:
    for given in (["--help"], ["-h"], []):
        ran = run(*given)
        if given == ["--help"]:
            assert all(f"\n  {name}  " in ran.out for name in NAMES)
            assert all(f"\n{section}\n" in ran.out for section in SECTIONS)
        else:
            assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert {option.group for option in OPTIONS.values()} == set(GROUPS)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("move 3d4 d4:1", "did you mean 'moves'"), ("compair 3d4", "did you mean 'compare'"), ("xyzzy", "name one of them"),
        ("moves 3d4 d4:1,1,1 --bankd 3", "did you mean '--banked'?; see gametheory moves --help"),
        ("fair", "missing argument 'GAME'; see gametheory fair --help"), ("diff 3d4 --limit", "see gametheory diff --help"),
        ("simulate 3d4 --games many", "'many' is no whole number; see gametheory simulate --help"),
    ],
)  # fmt: skip
def test_a_near_miss_is_answered_with_what_was_meant(line: str, hint: str, run: Run) -> None:
    ran = run(*line.split())
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert hint in ran.err


@pytest.mark.parametrize(
    ("games", "number"),
    [("1000", 1000), ("1e3", 1000), ("1.5e3", 1500), ("1E+3", 1000), ("+20", 20)],
)
def test_whole_numbers_may_be_written_short(games: str, number: int) -> None:
    context = build().commands["simulate"].make_context("simulate", ["3d4", "--games", games])
    assert context.params["games"] == number


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("mov", {"moves"}), ("solve bis", {"biscuits"}), ("moves 3d4 --m", {"--match"}),
        ("solve 3d4 --match a", {"alternating"}), ("compare pig --policies win,s", {"win,score"}),
        ("solve 3d4 --tie r", {"replay"}), ("solve nothi", {""}), ("verify --tables x", {""}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_what_may_be_typed(
    shell: str, typed: str, completed: set[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"gametheory {typed}".split()
    monkeypatch.setenv("_GAMETHEORY_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words[:-1] if shell == "fish" else words))
    monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
    out = run().out.splitlines()
    found = out[1::3] if shell == "zsh" else [line.partition(",")[2].partition("\t")[0] for line in out]
    assert completed <= set(found)
    assert len(found) <= len(completed) + 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_this_program(shell: str, run: Run) -> None:
    ran = run("completion", shell)
    assert (ran.status, ran.err) == (0, "")
    assert f"_GAMETHEORY_COMPLETE={shell}_complete" in ran.out


def test_bash_completes_by_the_script(tmp_path: Path) -> None:
    program = tmp_path / "gametheory"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m gametheory "$@"\n')
    program.chmod(0o755)
    script = (
        f'PATH={tmp_path}:$PATH; eval "$(gametheory completion bash)"; COMP_WORDS=(gametheory solve bis); COMP_CWORD=2; '
        '_gametheory_completion gametheory; echo "${COMPREPLY[@]}"'
    )
    ran = child("bash", "-c", script)
    assert (ran.stdout, ran.stderr) == ("biscuits\n", "")
