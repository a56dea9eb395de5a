"""Extras: what some commands need beyond the package, and the line that installs it where this Python stands."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path


def install(extra: str) -> str:
    """Return the command that adds an extra to this installation, a checkout or a package.

    >>> install("plot").endswith("[plot]'")
    True
    """
    checkout = Path(__file__).parents[1]
    editable = (checkout / "pyproject.toml").is_file()
    what = f"{_near(checkout) if editable else 'gametheory'}[{extra}]"
    return f"{_quoted(_near(Path(sys.executable)))} -m pip install {'-e ' if editable else ''}{_quoted(what)}"


def _near(path: Path) -> str:
    """Return a path as it is shortest to type: from the working directory where it is in it."""
    try:
        return os.path.join(".", path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def _quoted(word: str) -> str:
    if os.name == "nt":
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)
