"""The page "Ask": its questions are answered as it says, on the command line and in Python; it lists what there is."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from package.documents import blocks

import gametheory as gt
from gametheory.cli.commands import COMMANDS

from . import script

PAGE = Path(__file__).parents[2] / "docs" / "ask.md"
TEXT = PAGE.read_text(encoding="utf-8")
QUESTIONS = re.split(r"^### ", TEXT.split("## Cards")[0], flags=re.MULTILINE)[1:]
SCRIPT = Path(script.__file__)


def test_there_are_fifteen_questions_each_with_a_command_and_a_line_of_python() -> None:
    """That they are answered as the page says is tested with all other pages (`tests/package/test_documents.py`)."""
    assert len(QUESTIONS) >= 15
    for question in QUESTIONS:
        (title, *_), found = question.splitlines(), blocks(question)
        (console,) = (block for block in found if block.language == "console")
        (python,) = (block for block in found if block.body.startswith(">>> "))
        assert console.body.count("$ gametheory ") == console.body.count("$ ") == 1, title
        assert python.body.startswith(">>> ") and python.body.count(">>> ") == 1, title  # noqa: PT018


def test_the_page_lists_what_is_public() -> None:
    listed = re.findall(r"^\| `gt\.(\w+)", TEXT, flags=re.MULTILINE)
    assert sorted(listed) == sorted(dir(gt), key=lambda name: name) or sorted(listed) == sorted(gt.__all__)


# What is in the library is on the command line, and the other way round.

COMMAND_OF = {
    # Public functions that have no command of their name: where they are instead.
    "best_answer": "solve", "frontier": "card", "named": "games",
}  # fmt: skip
NO_COMMAND = {"game", "save", "load"}
NO_FUNCTION = {"serve", "play", "completion", "games"}


def test_everything_is_on_the_command_line_and_in_the_library() -> None:
    functions = {name for name in gt.__all__ if not inspect.isclass(getattr(gt, name))}
    commands = {command.name for command in COMMANDS}
    assert functions - commands - NO_COMMAND == set(COMMAND_OF)
    assert commands - functions == NO_FUNCTION
    assert set(COMMAND_OF.values()) <= commands
    options = {command.name: {option.name for option in command.all_options()} for command in COMMANDS}
    assert "against" in options["solve"]
    assert "frontier" in options["card"]


SHOWN = {
    "output", "top", "limit", "all", "format", "json", "figure", "x", "y", "gain", "frontier", "delete", "force",
    "untrusted",
}  # fmt: skip
"""Options about what is printed or written, or how tables are opened, which a function leaves to who calls it."""

NOT_ALIKE = {
    # By command: options whose word in the library is another, and why.
    "solve": {"against": "best_answer", "tables": "nothing is stored"},
    "distribution": {}, "second": {"chance": "Chase.needed"}, "check": {}, "card": {}, "sweep": {
        "tie": "ties", "match": "matches", "cluster": "run", "processes": "run", "by": "figure"},
    "review": {}, "page": {}, "certify": {}, "export": {"format": "form"},
}  # fmt: skip


@pytest.mark.parametrize("command", [one for one in COMMANDS if one.name in gt.__all__], ids=lambda one: one.name)
def test_functions_take_the_words_of_their_commands(command: Any) -> None:
    taken = set(inspect.signature(getattr(gt, command.name)).parameters)
    known = NOT_ALIKE.get(command.name, {})
    missing = {option.dest for option in command.all_options()} - taken - SHOWN - set(known)
    assert missing == set()


def test_public_functions_have_examples_and_types() -> None:
    for name in gt.__all__:
        function = getattr(gt, name)
        if inspect.isclass(function):
            continue
        assert function.__doc__, name
        annotations = inspect.signature(function).parameters.values()
        assert all(parameter.annotation is not inspect.Parameter.empty for parameter in annotations), name


# A script of a user.


def test_a_users_script_takes_every_public_name() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "gt"}
    assert used == set(gt.__all__)
    assert "Any" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_the_users_script_runs_and_its_answers_are_short(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "input", None)
    said = script.ask(Path.cwd())
    assert all(1 <= len(text.rstrip("\n").splitlines()) <= 10 for text in said if not text.startswith("# The rules"))
    assert said[-1] == "TableError"


@pytest.mark.slow
def test_the_users_script_is_typed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(SCRIPT)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=PAGE.parents[1])
    assert (ran.returncode, ran.stdout.splitlines()[-1][:7]) == (0, "Success"), ran.stdout
