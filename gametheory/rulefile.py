"""Rules files: what the keys of a family of games mean, and how rules are written as TOML that a person can read and edit.

The keys of a family are described once, here beneath the family (`keys`), in plain words: what a rules file says of itself
in its comments, what the documentation lists, and what an unknown key is answered with, is all read from there.
"""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 79
"""How wide a rules file is, where its values allow it."""

Data = Mapping[str, Any]
"""The keys of a rules file with their values, as TOML gives them."""


@dataclass(frozen=True)
class Key:
    """One key of a rules file."""

    name: str
    about: str
    """What it says, in plain words."""
    example: str
    """A value, as it is written."""
    default: str = ""
    """What holds where it is not said, in words; empty where it must be said."""

    @property
    def line(self) -> str:
        """The example as a line of a file."""
        return f"{self.name}{'' if self.example.startswith('.') else ' = '}{self.example}"


NAME = Key("name", "What the game is called.", '"house"', "the name of the file")
ABOUT = Key("about", "The game in a sentence, for people.", '"We play to 5000."', "nothing")


def like(names: str) -> Key:
    """Return the key that starts from another game."""
    return Key(
        "like",
        "The game to start from: what the file does not say is as there, but for the name and the sentence about it.",
        names,
        "the file says everything",
    )


# Reading.

MOST_BYTES = 100_000
"""The largest rules file that is read."""

DEEP = re.compile(r"(?:\.[ \t]{0,9}[^.\s=]*[ \t]{0,9}){100}")
"""Keys of keys of keys, a hundred deep, which take long to be read."""

MOST_LETTERS = 1_000
"""The longest name, and the longest sentence about a game."""


def check_text(key: str, said: str) -> None:
    """Refuse a text that is too long to be shown, or that would do something to the terminal that shows it."""
    if len(said) > MOST_LETTERS:
        raise ValueError(f"{key} has {len(said):,} letters: give {MOST_LETTERS:,} at most")
    shown = said if key == "name" else "".join(said.split())
    if not shown.isprintable():
        raise ValueError(f"{key} is {said[:60]!r}: give letters that can be shown, on one line")


def check_keys(data: Data, keys: Iterable[Key], nouns: str) -> None:
    """Refuse a key that means nothing, with the nearest one and all there are for such games."""
    names = [key.name for key in keys]
    for given in data:
        if given not in names:
            near = difflib.get_close_matches(given.lower(), names, 1, 0.6)
            hint = f"did you mean {near[0]!r}? The" if near else "the"
            raise ValueError(f"unknown key {given!r}: {hint} keys of {nouns} are {', '.join(names)}")


# Writing.


def write(head: str, keys: Iterable[Key], data: Data) -> str:
    """Write rules as commented TOML: every key with what it means; those without a value as an example that is no rule."""
    lines = _comment(head)
    for key in keys:
        if key.name == "like":
            continue
        unsaid = "" if not key.default else f" If not said: {key.default}."
        lines += ["", *_comment(key.about + unsaid)]
        lines += _assign(key.name, data[key.name]) if key.name in data else [f"# {key.line}"]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _assign(name: str, value: Any) -> list[str]:
    """Return the lines that give a key its value: tables a line for each entry where they are long or hold lists."""
    if isinstance(value, Mapping):
        whole = f"{name} = {toml(value)}"
        if len(whole) <= WIDTH and not any(isinstance(part, list | Mapping) for part in value.values()):
            return [whole]
        return [line for key, part in value.items() for line in _assign(f"{name}.{_bare(key)}", part)]
    whole = f"{name} = {toml(value)}"
    if len(whole) > WIDTH and isinstance(value, str) and value == " ".join(value.split()):
        # A line that ends in a backslash goes on at the next word.
        rows = [f"  {toml(row)[1:-1]} \\" for row in textwrap.wrap(value, WIDTH - 6, break_long_words=False)]
        return [f'{name} = """\\', *rows[:-1], f'{rows[-1][:-2]}"""']
    if len(whole) <= WIDTH or not isinstance(value, list):
        return [whole]
    rows = textwrap.wrap(", ".join(map(toml, value)), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return [f"{name} = [", *rows, "]"]


def toml(value: Any) -> str:
    """Write a value as TOML does.

    >>> toml({"1": 100, "5": 50}), toml([True, "a b"])
    ('{1 = 100, 5 = 50}', '[true, "a b"]')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_bare(key)} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _bare(key: str) -> str:
    """Write a key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml(key)


# Comparing.


def _flat(data: Data) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", part) for inner, part in _flat(value))
        else:
            yield key, value


def differences(data: Data, base: Data) -> list[tuple[str, Any, Any]]:
    """List what rules say otherwise than others do: (key, here, there), None where it is not said; names aside."""
    here, there = dict(_flat(data)), dict(_flat(base))
    keys = [key for key in {**there, **here} if key not in ("name", "about")]
    return [(key, here.get(key), there.get(key)) for key in keys if here.get(key) != there.get(key)]


def words(found: Sequence[tuple[str, Any, Any]]) -> str:
    """Say differences in words.

    >>> words([("goal", 5000, 10000), ("rolls", 3, None), ("singles.5", None, 50)])
    'goal is 5000, not 10000; rolls is 3; no singles.5'
    """

    def say(key: str, here: Any, there: Any) -> str:
        if here is None:
            return f"no {key}"
        return f"{key} is {toml(here)}" + ("" if there is None else f", not {toml(there)}")

    return "; ".join(say(*change) for change in found)


# The documentation.


def table(keys: Iterable[Key]) -> str:
    """Return the keys of a family as a table of Markdown."""
    rows = ["| key | what it says | not said | for example |", "| --- | --- | --- | --- |"]
    rows += [
        f"| `{key.name}` | {key.about} | {key.default or 'must be said'} | `{key.line}` |".replace("\n", " ") for key in keys
    ]
    return "\n".join(rows)
