"""The command for strategy cards: one of a size, or what cards of every size lose or win."""

from __future__ import annotations

import textwrap

from . import show
from .options import Options
from .show import number, print_json, print_table, print_text


def card(options: Options) -> int:
    """Find the strategy card of a size; write it to a file if asked."""
    from ..ask import card as cards

    if options.frontier:
        return _frontier(options)
    found = cards.card(
        options.game, "medium" if options.size is None else options.size, seat=options.seat, players=options.players,
        match=options.match, tie=options.tie, output=options.output, force=options.force, tables=options.tables,
    )  # fmt: skip
    if options.json:
        print_json(found.to_dict())
        return 0
    print(f"{found.game}: {found.name}, {found.size} numbers to remember")
    for place, rule in enumerate(found.rules, 1):
        print(textwrap.fill(f"{place:3d}. {rule}", 79, subsequent_indent="     "))
    print_text(
        f"Expected score {found.expected_score:.4f}, {max(found.loss, 0.0):.4f} short of the best. Against the best "
        f"opponent it wins {found.first_player_value:.6f} going first, {found.second_player_value:.6f} going second."
    )
    if found.value is not None:
        print_text(f"Among {found.players}, the others playing for points, none seeing another, it wins {found.value:.6f}.")
    if found.file is not None:
        print(f"wrote {found.file}")
    return 0


def _frontier(options: Options) -> int:
    from ..ask import card as cards

    for name in ("size", "seat"):
        if getattr(options, name) is not None:
            raise ValueError(f"--{name}: --frontier is of cards of every size, for points or --players N; leave it out")
    path = show.check_output(options)
    found = cards.frontier(
        options.game, players=options.players, match=options.match, tie=options.tie, tables=options.tables
    )  # fmt: skip

    def tell() -> None:
        print_text(found.title)
        print_table(found.columns, [[str(size), number(worth, 6), kind] for size, worth, kind in found], left=(2,))

    data = {**found.asked, "points": [list(point) for point in found]}
    return show.answer(options, path, data, (found.columns, found), tell)
