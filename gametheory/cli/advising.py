"""The commands of the advisor: the page, its server, the trainer."""

from __future__ import annotations

import textwrap

from .. import progress
from .options import Options
from .show import WIDTH, clean, print_json


def page(options: Options) -> int:
    """Write the advisor page, or a folder for a host."""
    from ..advisor import page as pages
    from ..advisor import site
    from ..store import export

    if (options.output is None) == (options.site is None):
        raise ValueError("say where the page goes: -o FILE for one file, or --site DIR for a folder to put on a host")
    if options.site is not None:
        site.check(options.site, options.force)
    else:
        export.check_new(options.output, options.force)
    with progress.bar("building the page") as advance:
        data = pages.data_of(options.games, options.tables, advance, tie=options.tie)
    if options.site is not None:
        sizes = site.write(options.site, data, options.force)
        if options.json:
            print_json({"folder": str(options.site), "bytes": sum(sizes.values()), "files": sizes})
        else:
            total = f"{sum(sizes.values()) / 1000:.0f} kB"
            print(f"wrote {len(sizes)} files to {options.site} ({total}): put them on any https host")
        return 0
    html = pages.assemble(data)
    path, size = pages.write(options.output, html, options.force), len(html.encode())
    if options.json:
        print_json({"file": str(path), "bytes": size})
    else:
        print(f"wrote {path} ({size / 1000:.0f} kB): open it in a browser, or send it to a phone")
    return 0


def serve(options: Options) -> int:
    """Show the advisor page until interrupted."""
    from ..advisor import page as pages
    from ..advisor import serve as server

    server.check_address(options.host, options.port)
    with progress.bar("building the page") as advance:
        html = pages.build(options.games, options.tables, advance, tie=options.tie)
    server.run(html, options.host, options.port)
    return 0


def play(options: Options) -> int:
    """Train in the terminal."""
    from ..advisor import trainer

    trainer.run(
        options.game, options.seed, options.seat, tables=options.tables, tie=options.tie, against=options.against,
        output=options.output, force=options.force,
    )  # fmt: skip
    return 0


def review(options: Options) -> int:
    """Say what each decision of a played game cost."""
    from ..ask.review import review as ask

    found = ask(options.file, options.game, tables=options.tables)
    if options.json:
        print_json(found.to_dict())
        return 0
    rows = found.to_dict()["decisions"]
    print(clean(f"{found.game.name}: {len(rows)} decision{'s' * (len(rows) != 1)}"))
    for number, row in enumerate(rows, 1):
        where = ", ".join(f"{name} {value}" for name, value in row["position"].items())
        _print(f"{number:3}. {where or 'at the start'}: {row['roll']}")
        cost = f"gave away {100 * row['cost']:.2f}, best {row['best']}" if row["cost"] else "nothing better"
        _print(f"     kept {row['keep']}: {cost}; luck {100 * row['luck']:+.2f}")
    print(f"In games of a hundred: {100 * found.given:.2f} given away, luck of the dice {100 * found.luck:+.2f}.")
    return 0


def _print(text: str) -> None:
    """Print what is said of a decision, its further lines indented."""
    print(textwrap.fill(clean(text), WIDTH, subsequent_indent="     ", break_on_hyphens=False))
