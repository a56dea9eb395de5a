"""README.md and docs/ are true: every command in them is run and prints what they say, every link leads somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from .documents import FENCE, ROOT, Block, Runner, Shown, blocks, commands, pages

ONLY_SHOWN = {"", "text", "sh", "toml", "csv", "json", "math", "{toctree}", "{include}"}
RUN = {"console", "python", "pycon"}
ELSEWHERE = {"docs/ask.md": "tests/ask/test_page.py"}
"""Pages that another test runs."""

SHELL = (  # what is set up with, and which test runs it
    "scripts/run", "scripts/test", "scripts/docs", "scripts/release", "scripts/atlas",  # .ci/run, test_site.py, ...
    "python -m venv .venv", "source .venv/bin/activate", ".venv\\Scripts\\",  # test_wheel.py
    "pip install", ".venv/bin/python -m pip install",  # test_wheel.py
    "dask ", "gametheory serve", "gametheory play",  # tests/test_cluster.py, tests/advisor
)  # fmt: skip


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def run(page: Path, folder: Path, *, slow: bool) -> list[Shown]:
    """Run a page up to its first slow block, or all of it; return what was not as it says."""
    runner, wrong = Runner(folder), []
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.slow and not slow:
            break
        wrong += [one for one in runner.run(block) if not one.holds]
    return wrong


def runs(page: Path, *, slow: bool) -> bool:
    """Tell whether a page has anything to run."""
    every = blocks(page.read_text(encoding="utf-8"))
    if name(page) in ELSEWHERE:
        return False
    if slow:
        return any(block.slow for block in every)
    return any(block.language in RUN for block in every)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAMETHEORY_TABLES", str(tmp_path / "tables"))
    return tmp_path


@pytest.mark.parametrize("page", [page for page in pages() if runs(page, slow=False)], ids=name)
def test_what_a_page_shows_is_what_is_printed(page: Path, here: Path) -> None:
    assert run(page, here, slow=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in pages() if runs(page, slow=True)], ids=name)
def test_what_a_page_shows_slowly_is_what_is_printed(page: Path, here: Path) -> None:
    assert run(page, here, slow=True) == []


def unrun(text: str) -> list[str]:
    """List the commands in a page that no block runs: in other blocks, or indented."""
    found = [
        line
        for block in blocks(text)
        if block.language in ONLY_SHOWN - {"sh"}
        for line in block.body.splitlines()
        if line.startswith(("$ ", "gametheory "))
    ]
    return found + re.findall(r"^(?:    |\t)(?:\$ )?gametheory .*$", FENCE.sub("", text), re.M)


@pytest.mark.parametrize("page", pages(), ids=name)
def test_every_command_is_in_a_block_that_is_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    every = blocks(text)
    assert {block.language for block in every} <= ONLY_SHOWN | RUN | {"py"}
    assert unrun(text) == []
    for block in every:
        if block.language == "sh":
            lines = [line for line in block.body.splitlines() if line.strip() and not line.startswith("#")]
            assert [line for line in lines if not line.startswith(SHELL)] == []


def test_pages_that_another_test_runs_are_read_by_it() -> None:
    for page, test in ELSEWHERE.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8")


def test_extras_that_are_named_exist() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for page in pages():
        for names in re.findall(r"(?:gametheory|\.)\[([a-z,]+)\]", page.read_text(encoding="utf-8")):
            assert set(names.split(",")) <= set(known), page


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


BUILT = ("docs/reference/", "docs/_build/")
"""What is made when the site is built, which checks the links to it."""


@pytest.mark.parametrize("page", [*pages(), ROOT / "CHANGELOG.md"], ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if str(target.relative_to(ROOT)).startswith(BUILT):
            continue
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{link} leads to no heading"


# The mechanism itself.


def only(text: str) -> Block:
    (block,) = blocks(text)
    return block


def test_a_wrong_output_is_found(here: Path) -> None:
    right = "```console\n$ gametheory moves 1d4 3\nd4: d4:3 with 0 banked...  points  ...\n```\n"
    assert [one.holds for one in Runner(here).run(only(right))] == [True]
    assert [one.holds for one in Runner(here).run(only(right.replace("points", "tricks")))] == [False]


def test_a_wrong_line_of_python_is_found(here: Path) -> None:
    assert [one.holds for one in Runner(here).run(only("```python\n>>> 1 + 1\n2\n```\n"))] == [True]
    assert [one.holds for one in Runner(here).run(only("```python\n>>> 1 + 1\n3\n```\n"))] == [False]
    with pytest.raises(AssertionError):
        Runner(here).run(only("```python\nassert 1 == 2\n```\n"))


def test_seconds_and_residuals_may_differ_and_nothing_else_may() -> None:
    assert Shown("", "solved in 0.44 s\n", "solved in 12 s\n").holds
    assert Shown("", "worst residual 4e-16\n", "worst residual 0\n").holds
    assert not Shown("", "won 0.44 of them\n", "won 0.45 of them\n").holds


def test_a_command_that_nobody_runs_is_found() -> None:
    assert unrun("```text\ngametheory solve 4d6\n```\n") == ["gametheory solve 4d6"]
    assert unrun("so:\n\n    $ gametheory solve 4d6\n") == ["    $ gametheory solve 4d6"]
    assert unrun("```console\n$ gametheory solve 4d6\n```\n") == []


def test_a_long_command_goes_on_after_a_backslash() -> None:
    assert commands("$ gametheory sweep \\\n    4d6\nrow\n") == [("gametheory sweep 4d6", "row\n")]
