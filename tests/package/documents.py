"""Documents that run: every command and every line of Python in README.md and docs/, and what they print.

What a fenced block is, by its first word:

    console     lines after `$ ` are commands, the others what they print; `...` stands for whatever it is
    python      run, in one namespace a page; lines after `>>> ` as doctests, as in pycon
    toml, csv   with the name of a file as the second word, or in a first line `# house.toml`, written to that file, as
                python and py are; without it they are only shown
    sh          what is typed into a shell to install and set up, run by other tests: see `test_documents.py`
    text, ...   is not run, and holds no command

Blocks of a page run in their order in one folder. `slow` after the first word has them run by `--slow` only, and all that
follow in the page. Seconds differ, so `0.44 s` is as good as `0.57 s`, and so do the residuals of `verify`.

    python tests/package/documents.py docs/answers.md ...     write down what pages print now; --slow: slowly too
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<fence>```+)(?P<words>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.M | re.S)
NAMED = re.compile(r"^(?:#|//) (?P<file>[\w-]+\.(?:toml|py|json|csv))\n")
VARIES = re.compile(r"\b\d+(\.\d+)?(e-\d+)? ?s\b|(?<=worst residual )\S+")
"""Seconds, and how far rounding went, which is the last digits' own affair."""
SCRIPTS = ("python scripts/", "scripts/")


class Block(NamedTuple):
    """A fenced block: the words after its fence, what is in it, and where that begins and ends in the page."""

    words: list[str]
    body: str
    begin: int
    end: int
    line: int

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def file(self) -> str | None:
        """The file that it is the content of."""
        found = NAMED.match(self.body)
        if found:
            return found["file"]
        return next((word for word in self.words[1:] if "." in word), None)

    @property
    def slow(self) -> bool:
        return "slow" in self.words[1:]


def pages() -> list[Path]:
    """List the pages of people's words: the README, its kin, and docs/ without what the atlas writes."""
    return [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")), *sorted(docs())]


def docs() -> Iterator[Path]:
    for path in (ROOT / "docs").rglob("*.md"):
        if path.relative_to(ROOT / "docs").parts[0] not in ("atlas", "reference", "_build"):
            yield path


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(found["words"].split(), found["body"], *found.span("body"), text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
    ]


class Shown(NamedTuple):
    """A command, what the page says it prints, and what it printed."""

    command: str
    said: str
    printed: str

    @property
    def holds(self) -> bool:
        said, printed = (VARIES.sub("N", text) for text in (self.said, self.printed))
        return doctest.OutputChecker().check_output(said, printed, doctest.ELLIPSIS)


def commands(body: str) -> list[tuple[str, str]]:
    """Part what is typed in a console from what it prints; a command goes on after a line that ends with a backslash."""
    found: list[list[str]] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:].rstrip("\n"), ""])
        elif found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1].rstrip() + " " + line.strip()
        elif found:
            found[-1][1] += line
        elif line.strip():
            raise AssertionError(f"a console begins with a line that is no command: {line}")
    return [(command, said) for command, said in found]


class Runner:
    """Runs the blocks of one page in one folder, in this process where it can."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}

    def run(self, block: Block) -> list[Shown]:
        """Run a block; return what its commands printed."""
        if block.language == "console":
            return [Shown(command, said, self.printed(command)) for command, said in commands(block.body)]
        if block.file:
            (self.folder / block.file).write_text(block.body, encoding="utf-8")
        elif block.language in ("python", "pycon") and ">>> " in block.body:
            return [self.doctest(block)]
        elif block.language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.body, f"line {block.line}", "exec"), self.names)
        return []

    def doctest(self, block: Block) -> Shown:
        test = doctest.DocTestParser().get_doctest(block.body, self.names, "block", None, block.line)
        told = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        failed = runner.run(test, out=told.write, clear_globs=False).failed
        self.names |= test.globs
        return Shown("python", "", told.getvalue() if failed else "")

    def printed(self, command: str) -> str:
        """Run one command as a shell would; `> file` is all of a shell that is known here."""
        command, _, into = command.partition(" > ")
        if command.startswith("gametheory "):
            text = run_here(shlex.split(command, comments=True)[1:])
        elif command.startswith("cat "):
            text = (self.folder / command[4:]).read_text(encoding="utf-8")
        elif command.startswith(("python ", "pytest ")):
            words = shlex.split(command)
            words = ([sys.executable] if words[0] == "python" else [sys.executable, "-m", "pytest"]) + words[1:]
            if len(words) > 1 and words[1].startswith("scripts/"):
                words[1] = str(ROOT / words[1])
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=900)
            text = done.stdout + done.stderr
        else:
            raise AssertionError(f"who runs {command!r}? a page's commands begin with gametheory, python, pytest or cat")
        if into:
            (self.folder / into.strip()).write_text(text, encoding="utf-8")
            return ""
        text = text.replace(os.environ["GAMETHEORY_TABLES"], "tables")
        return text.rstrip("\n") + "\n" if text.strip() else ""


def run_here(arguments: list[str]) -> str:
    """Run the command line in this process; return what it printed, mistakes too."""
    from gametheory.cli.main import main

    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(arguments)
        out.flush()
        assert isinstance(out.buffer, io.BytesIO)
        return out.buffer.getvalue().decode("utf-8").replace("\r\n", "\n")


def rewritten(text: str, runner: Runner, *, slow: bool) -> str:
    """Return a page with what its commands print now, where that is not what it says."""
    new, done = "", 0
    for block in blocks(text):
        if block.slow and not slow:
            break
        shown = runner.run(block)
        if block.language == "console":
            body = "".join(f"$ {one.command}\n{one.said if one.holds else one.printed}" for one in shown)
            if all(one.holds for one in shown):
                body = block.body  # as it is broken into lines
            new, done = new + text[done : block.begin] + body, block.end
    return new + text[done:]


def main() -> None:
    """Write down what the commands of the pages print."""
    sys.path.insert(0, str(ROOT))
    os.environ["COLUMNS"] = "80"
    slow = "--slow" in sys.argv[1:]
    for name in (word for word in sys.argv[1:] if word != "--slow"):
        page = Path(name).resolve()
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            os.environ["GAMETHEORY_TABLES"] = str(Path(folder) / "tables")
            os.environ["XDG_DATA_HOME"] = str(Path(folder) / "data")
            new = rewritten(text, Runner(Path(folder)), slow=slow)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"{name} is rewritten")


if __name__ == "__main__":
    main()
