"""The commands about what there is: named games, stored tables, completion."""

from __future__ import annotations

import textwrap

import click

from .. import games
from . import show
from .options import COMPLETE, PROGRAM, Options
from .show import print_json, print_text


def verify(options: Options) -> int:
    """Recompute a sample of tables through the plain rules."""
    from ..ask import verify as checks

    found = checks.verify(options.files, tables=options.tables, seed=options.seed)
    checked, worst = sum(file.checked for file in found.values()), max(file.worst_residual for file in found.values())
    if options.json:
        files = [{"file": str(path), **file._asdict()} for path, file in found.items()]
        print_json({"files": files, "checked": checked, "worst_residual": worst, "sound": worst <= checks.SOUND})
    else:
        for path, file in found.items():
            said = "not checked, its rules are Python: name the game, FILE.py:NAME"
            if file.checked:
                said = f"{file.checked} values recomputed, worst residual {file.worst_residual:.2g}"
            print_text(f"{show.clean(path)}: {said}")
        print(f"{checked} values in {len(found)} tables, worst residual {worst:.2g}")
    return 0 if worst <= checks.SOUND else 1


def tables(options: Options) -> int:
    """List what is stored, or delete what is named."""
    from ..ask.tables import tables

    path = show.check_output(options)
    if options.delete and path is not None:
        raise ValueError("--output and --delete: say one of them")
    found = tables(options.names, delete=options.delete, tables=options.tables)

    def tell() -> None:
        print(found.title)
        for row in found.dicts():
            print_text(f"{row['file']}: {row['game']}, {row['match']}, ties {row['tie']}; {row['bytes'] / 1000:.0f} kB")
            print(textwrap.fill(row["rules"], show.WIDTH, initial_indent="    ", subsequent_indent="    "))

    return show.answer(options, path, found.to_dict() | {"rows": found.dicts()}, (found.columns, found), tell)


def export(options: Options) -> int:
    """Write a game as a model for model checkers."""
    from ..prism import export as model

    text = model(options.game, options.format, options.output, force=options.force)
    if options.json:
        where = {} if options.output is None else {"file": options.output}
        print_json({"game": options.game, "format": options.format, "model": text, **where})
    elif options.output is None:
        print(text, end="")
    else:
        print(f"wrote {options.output}: {len(text.splitlines())} lines")
    return 0


def certify(options: Options) -> int:
    """Prove the value of a game, and write what is proved if asked."""
    from ..certificate import certify as prove

    found = prove(options.game, tie=options.tie, tables=options.tables, output=options.output, force=options.force)
    if options.json:
        print_json(found.to_dict() | ({} if found.file is None else {"file": str(found.file)}))
        return 0
    ties = "" if found.tie == "none" else f", ties {found.tie}"
    print(f"{found.game.name}{ties}: proved, with no word of the tables believed")
    shown = {"the first player's chance to win": found.first, "the expected score, playing for points": found.expected}
    for words, interval in shown.items():
        if interval is not None:
            print(f"  {words:<40}{interval.low:.15g}\n  {'to':>39} {interval.high:.15g}")
    if found.exact is not None:
        text = str(found.exact)
        print(f"  the chance is {text if len(text) < 64 else f'a fraction of {len(text)} signs: --json'}")
    if found.file is not None:
        print(f"wrote {found.file}: scripts/check_certificate.py {found.file} TABLE proves it anew")
    return 0


def list_games(options: Options) -> int:
    """List the named games and their rules."""
    described = [{"name": name, "about": game.about, **games.rules(game)} for name, game in sorted(games.named().items())]
    if options.json:
        print_json({"games": described})
        return 0
    for game in described:
        print(textwrap.fill(f"{game['name']:<19} {game['about']}", 79, subsequent_indent=" " * 20))
    print("Or dice, as 4d6 or 12d6+d8 (the highest sum wins), a TOML file, or FILE.py:NAME.")
    return 0


def rules(options: Options) -> int:
    """Print the whole rules of a game as a file that can be edited."""
    from ..ask.rules import rules

    found = rules(options.game)
    if options.json:
        print_json(found.to_dict())
    else:
        print(found.rules, end="" if found.rules.endswith("\n") else "\n")
    return 0


def completion(options: Options) -> int:
    """Print what makes a shell complete commands, games and policies."""
    from click.shell_completion import get_completion_class

    known = get_completion_class(options.shell)
    if known is None:
        raise ValueError(f"there is no completion for {options.shell!r}: say bash, zsh or fish")
    print(known(click.get_current_context().find_root().command, {}, PROGRAM, COMPLETE).source())
    return 0
