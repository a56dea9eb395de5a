"""The commands of the advisor: the page, its server, the trainer."""

from __future__ import annotations

from .. import progress
from .options import Options
from .show import print_json


def page(options: Options) -> int:
    """Write the advisor page."""
    from ..advisor import page as pages
    from ..store import export

    export.check_new(options.output, options.force)
    with progress.bar("building the page") as advance:
        html = pages.build(options.games, options.tables, advance, tie=options.tie)
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

    trainer.run(options.game, options.seed, options.seat, tables=options.tables, tie=options.tie)
    return 0
