"""The reference: every command and public name is in it, and every name has an example that runs."""

from __future__ import annotations

import doctest
import inspect
import sys
import textwrap
from pathlib import Path

import pytest

import gametheory as gt
from gametheory.cli.commands import COMMANDS

from .shared import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import reference


def example(name: str) -> str:
    """Return the example of a public name: that of its own words, or the one the reference has for it."""
    words = inspect.getdoc(getattr(gt, name)) or ""
    return words if ">>> " in words else textwrap.dedent(reference.EXAMPLES[name])


@pytest.mark.parametrize("name", gt.__all__)
def test_every_public_name_has_an_example_that_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {public: getattr(gt, public) for public in gt.__all__} | {"gt": gt}
    test = doctest.DocTestParser().get_doctest(example(name), names, name, None, 0)
    assert test.examples
    told: list[str] = []
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append).failed == 0, "".join(told)


def test_every_command_and_option_is_in_the_reference() -> None:
    text = reference.commands()
    for command in COMMANDS:
        part = text.split(f"\n### {command.name}\n")[1].split("\n### ")[0]
        assert all(f"--{option.name}" in part for option in command.all_options())
        assert all(example in part for example in command.examples)


def test_every_public_name_is_in_the_reference() -> None:
    text = reference.library()
    assert [name for name in gt.__all__ if f"\n### {name}\n" not in text] == []
