"""Write the reference pages from the code: every command with its options, every public name with its signature.

python scripts/reference.py [FOLDER]     writes commands.md and library.md; docs/reference if not said
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gametheory as gt
from gametheory.answers import Comparison, DifferenceRow, Distribution, Fair, Move, Ranking, Simulation
from gametheory.cli.commands import COMMANDS, SECTIONS, Command
from gametheory.cli.options import GROUPS, Option
from gametheory.differences import Difference

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
ANSWERS: tuple[type, ...] = (Move, Ranking, Distribution, Comparison, Difference, DifferenceRow, Simulation, Fair)

EXAMPLES = {
    "Duel": """
        >>> duel = gt.solve("3d6")
        >>> round(duel.first_player_value, 6), round(duel.second(14), 6)
        (0.478827, 0.468193)
        """,
    "Game": """
        >>> midnight = gt.game("midnight")
        >>> len(list(midnight.rolls(midnight.start)))
        462
        """,
    "Policy": """
        >>> def stingy(position, roll):  # the single best face; any function will do
        ...     return (roll[0][:1],)
        >>> round(gt.distribution("3d6", stingy).mean, 4)
        12.9306
        """,
    "PoolGame": """
        >>> gt.game("2d4+d20").dice
        '2d4+d20'
        """,
    "RaceGame": """
        >>> gt.game("10000").goal, gt.game("10000").opening
        (10000, 1000)
        """,
    "Solution": """
        >>> isinstance(gt.solve("pig"), gt.Solution)
        True
        """,
    "TableError": """
        >>> from pathlib import Path
        >>> written = Path("no.h5").write_text("no table")
        >>> gt.load("no.h5")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        gametheory.store.tables.TableError: no.h5 is no table
        """,
    "check": """
        >>> name, files = gt.new("lucky")
        >>> gt.check(name).trouble
        ()
        """,
    "game": """
        >>> gt.game("threes").higher_wins
        False
        """,
    "load": """
        >>> path = gt.save(gt.solve("2d6"), "2d6.h5")
        >>> gt.load(path)
        <Duel of 2d6, ties split: first player 0.484686, second 0.515314; expected score 8.236111>
        """,
    "named": """
        >>> "biscuits" in gt.named()
        True
        """,
    "new": """
        >>> name, files = gt.new("lucky-sevens")
        >>> name
        'lucky_sevens.py:LuckySevens'
        """,
    "page": """
        >>> gt.page(["2d6"], "advisor.html", force=True).name
        'advisor.html'
        """,
    "plot": """
        >>> gt.plot("2d6", "second", "second.svg").name
        'second.svg'
        """,
    "review": """
        >>> played = gt.review("game threes\\nbanked=1 | target=9 | 6 5 3 1 | d6:3")
        >>> round(played.decisions[0].cost, 4)
        0.0
        """,
    "save": """
        >>> gt.save(gt.solve("2d6"), "2d6.h5").name
        '2d6.h5'
        """,
    "simulate": """
        >>> played = gt.simulate("2d6", "win", "greedy", games=1000)
        >>> played.games, played.first_win > 0.45
        (1000, True)
        """,
    "sweep": """
        >>> [row["first_player_value"] for row in gt.sweep("{n}d4", {"n": "1..2"})]
        [0.5, 0.49072265625]
        """,
    "tables": """
        >>> path = gt.save(gt.solve("2d6"), "2d6.split.h5")
        >>> [row[0] for row in gt.tables([path])]
        ['2d6']
        """,
    "verify": """
        >>> [found.checked for found in gt.verify([gt.save(gt.solve("2d6"), "2d6.h5")]).values()]
        [53]
        """,
}
"""An example of each public name whose own words have none; `tests/package/test_reference.py` runs them."""


def commands() -> str:
    """Return the page of all commands."""
    parts = [
        "# Commands",
        "Made from the command line itself; `gametheory COMMAND --help` prints the same. Exit status: 0 done, 2 the request "
        "was wrong and one line says how, 1 something else failed, 130 interrupted.",
    ]
    for section in SECTIONS:
        parts.append(f"## {section}")
        parts += [_command(one) for one in COMMANDS if one.section == section]
    return "\n\n".join(parts) + "\n"


def _command(one: Command) -> str:
    words = " ".join(argument.meta for argument in one.all_arguments())
    parts = [f"### {one.name}", f"{one.about[0].upper()}{one.about[1:]}."]
    parts.append(f"```text\n{' '.join(f'gametheory {one.name} {words} [OPTIONS]'.split())}\n```")
    rows = [(argument.meta, argument.about) for argument in one.all_arguments()]
    for group in GROUPS:
        rows += [(_said(option), _about(option)) for option in one.all_options() if option.group == group]
    parts.append(_table(("what", "what it means"), rows))
    parts.append("For example:\n\n```sh\n" + "\n".join(one.examples) + "\n```")
    return "\n\n".join(parts)


def _said(option: Option) -> str:
    return f"{option.short + ', ' if option.short else ''}--{option.name} {option.meta}".rstrip().replace("|", "\\|")


def _about(option: Option) -> str:
    notes = [f"({', '.join(option.choices)})"] if option.choices else []
    notes += ["(needed)"] if option.required else []
    notes += [f"[{option.default}]"] if option.default is not None and option.meta else []
    return " ".join([option.about, *notes])


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [f"| {head[0]} | {head[1]} |", "| --- | --- |", *(f"| `{what}` | {_cell(about)} |" for what, about in rows)]
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Return text as it may stand in a cell of a table."""
    return re.sub(r"([{}<>|*_\\])", r"\\\1", text)


def library() -> str:
    """Return the page of all public names."""
    found = {name: getattr(gt, name) for name in gt.__all__}
    functions = {name: what for name, what in found.items() if not inspect.isclass(what)}
    classes = {name: what for name, what in found.items() if inspect.isclass(what)}
    parts = [
        "# Library",
        "Made from the code. `import gametheory as gt` gives all of it; names are imported when first used. Wherever a "
        "`game` is taken it may be a name, a file, dice notation, a game or a solution.",
        "## Questions",
        *(_function(name, what) for name, what in functions.items()),
        "## Games and solutions",
        *(_class(name, what) for name, what in classes.items()),
        "## Answers",
        "What the questions give back. Each has `to_dict()`, which is what `--json` prints.",
        *(_class(what.__name__, what) for what in ANSWERS),
    ]
    return "\n\n".join(parts) + "\n"


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Return a function's name and parameters, one a line where they are many."""
    signature = inspect.signature(function)
    parameters = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    line = f"{name}{signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)}"
    back = signature.return_annotation
    line += "" if back is inspect.Signature.empty else f" -> {back}"
    return "\n".join(textwrap.wrap(line, 100, subsequent_indent=" " * (len(name) + 1), break_long_words=False))


def _function(name: str, function: Callable[..., Any]) -> str:
    return f"### {name}\n\n```python\n{_signature(name, function)}\n```\n\n{_words(name, function)}"


def _class(name: str, what: type) -> str:
    parts = [f"### {name}", _words(name, what)]
    rows = []
    if dataclasses.is_dataclass(what):
        rows += [(field.name, "") for field in dataclasses.fields(what) if not field.name.startswith("_")]
    else:
        rows += [(field, "") for field in getattr(what, "_fields", ())]
    for member, value in sorted(vars(what).items()):
        inner = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        if member.startswith("_") or not inspect.isfunction(inner):
            continue
        called = member + ("" if isinstance(value, property) or hasattr(value, "func") else "(...)")
        rows.append((called, (inspect.getdoc(inner) or "").split("\n")[0]))
    if rows:
        parts.append(_table(("has", "what it is"), rows))
    return "\n\n".join(parts)


def _words(name: str, what: Any) -> str:
    """Return a docstring as Markdown, with its example or the one here."""
    text = inspect.getdoc(what) or ""
    if ">>> " not in text and name in EXAMPLES:
        text += "\n\n" + textwrap.dedent(EXAMPLES[name]).strip()
    words, _, example = text.partition("\n>>> ")
    # A file.py:NAME or a <placeholder> in words is no markup.
    words = re.sub(r"([<>*_])", r"\\\1", words) if "`" not in words else words
    return words.strip() + (f"\n\n```python\n>>> {example.strip()}\n```" if example else "")


def write(folder: Path = FOLDER) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("commands", commands()), ("library", library())):
        path = folder / f"{name}.md"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
