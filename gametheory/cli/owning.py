"""The commands for who makes a game: a file to begin with, and what is wrong with its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .options import Options
from .show import Plain, print_json, print_text

if TYPE_CHECKING:
    from ..own.check import Check


def begin(options: Options) -> int:
    """Write a game of your own to begin with, and its test."""
    from ..own.check import check
    from ..own.new import new

    game, files = new(options.name, force=options.force)
    if options.json:
        print_json({**_checked(check(game)), "game": game, "files": list(map(str, files))})
        return 0
    print(f"wrote {files[0]} and {files[1]}: make of them what you like, then")
    for command in ("check", "solve", "play"):
        print(f"  gametheory {command} {game}")
    print(f"  python -m pytest {files[1]}")
    return 0


def find_trouble(options: Options) -> int:
    """Look for trouble in the rules of a game of your own."""
    from ..own.check import check

    found = check(options.game, seed=options.seed)
    if options.json:
        print_json(_checked(found))
    elif found.trouble:
        for words in found.trouble:
            print_text(words)
    else:
        print(f"{found.game}: no trouble found; {found.states:,} states, {found.rolls:,} rolls, {found.moves:,} moves")
    return 1 if found.trouble else 0


def _checked(found: Check) -> Plain:
    return found._asdict() | {"trouble": list(found.trouble)}
