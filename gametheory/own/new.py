"""A file to begin a game of one's own with: `example.py` by another name, and a test of it."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from .. import files

TEST = '''"""What {title} is worth, and a few lines of fractions that share nothing with its rules."""

from fractions import Fraction

import gametheory as gt
from {module} import {kind}


def best(throws: int) -> Fraction:
    """Return the expected score with so many throws left."""
    if not throws:
        return Fraction(0)
    sums = [one + other for one in range(1, 7) for other in range(1, 7)]
    return sum((max(Fraction(thrown), best(throws - 1)) for thrown in sums), Fraction(0)) / 36


def test_the_rules_are_in_order() -> None:
    assert gt.check({kind}()).trouble == ()


def test_the_expected_score_is_what_fractions_say() -> None:
    assert abs(gt.solve({kind}()).expected_score - float(best(3))) < 1e-12
'''


def new(name: str, folder: str | Path = ".", *, force: bool = False) -> tuple[str, list[Path]]:
    """Write a game to begin with, which solves as it stands, and its test; return FILE.py:NAME, and the files."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    module, kind = "_".join(words).lower(), "".join(word[0].upper() + word[1:] for word in words)
    if not kind.isidentifier() or keyword.iskeyword(module) or re.search(r"[^\w .-]", name, re.ASCII):
        raise ValueError(f"{name!r} is no name for a game: take letters and digits, a letter first, as my-game")
    path, test = Path(folder) / f"{module}.py", Path(folder) / f"test_{module}.py"
    for file in (path, test):
        if files.check(file).exists() and not force:
            raise ValueError(f"{file} exists already: take another name, or say --force to replace it")
    known = find_spec(module)
    if known is not None and known.origin != str(path.resolve()):
        raise ValueError(f"{name!r} is a Python module already, which a file of that name would hide: take another name")
    text = (resources.files(__package__) / "example.py").read_text(encoding="utf-8")
    title = " ".join(words)
    for old, ours in (("Best of three:", f"{title}:"), ("BestOfThree", kind), ('"best of three"', f'"{title}"')):
        text = text.replace(old, ours)
    files.write(path, text.encode())
    files.write(test, TEST.format(title=title, module=module, kind=kind).encode())
    return f"{path}:{kind}", [path, test]
