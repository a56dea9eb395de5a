"""The commands that set two ways to play against each other: arguments, the call of one function, how it is printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from .. import games, progress
from ..ties import parse_tie
from . import show
from .options import Options
from .show import number, print_json, print_table, print_text


def compare(options: Options) -> int:
    """Show exact results between policies, by seat."""
    from ..ask.compare import compare

    path = show.check_output(options)
    game, tie = games.game(options.game), parse_tie(options.tie)[0]
    chosen = options.policies.split(",") if options.policies is not None else None
    found = compare(
        options.game, chosen, seat=options.seat, match=options.match, players=options.players, tie=options.tie,
        force=options.force, tables=options.tables,
    )  # fmt: skip
    data = {"game": game.name, "tie_rule": tie, **found.to_dict()}

    def tell() -> None:
        others = "second's" if found.shares is None else "others'"
        titles = {"value": f"the {found.seat} player's value"}
        if found.shares is None and found.tie.any():
            titles["value"] += f", ties {tie}"
        if options.all:
            titles |= {"first_win": "the row's player wins", "tie": "tie", "second_win": f"the {others} side wins"}
            if not found.tie.any():
                del titles["tie"]
        print_text(f"{game.name} (row: the {found.seat} player's policy, column: the {others})")
        for key, title in titles.items():
            print()
            print_text(title)
            rows = zip(found.policies, data[key], strict=True)
            _print_wide(found.policies, [[name, *(number(p, 6) for p in row)] for name, row in rows])

    matrices = [getattr(found, name) for name in ("first_win", "tie", "second_win", "value")]
    pairs = [
        (row, column, *(float(matrix[i, j]) for matrix in matrices))
        for i, row in enumerate(found.policies)
        for j, column in enumerate(found.policies)
    ]
    columns = ("policy", "others" if found.shares is not None else "second", "first_win", "tie", "second_win", "value")
    return show.answer(options, path, data, (columns, pairs), tell)


def _print_wide(names: Sequence[str], rows: list[list[str]]) -> None:
    """Print a matrix, in parts that fit where it has many columns."""
    first = max(len(row[0]) for row in rows)
    begin = 0
    while begin < len(names):
        end, width = begin, first
        while end < len(names) and (end == begin or width + 2 + max(8, len(names[end])) <= show.WIDTH):
            width += 2 + max(8, len(names[end]))
            end += 1
        print_table(["", *names[begin:end]], [[row[0], *row[1 + begin : 1 + end]] for row in rows], left=(0,))
        begin = end


def diff(options: Options) -> int:
    """Show where two ways to play part, or write it to a file."""
    from ..ask.diff import diff
    from ..store import export

    form = export.choose_format(options.output, options.format)
    path = export.check_new(options.output, options.force) if options.output is not None else None
    if options.limit is not None and options.limit < 0:
        raise ValueError(f"--limit {options.limit}: give 0 or more rows")
    if options.limit is not None and options.all:
        raise ValueError("--limit and --all: say one of them")
    if form == "parquet" and path is None:
        raise ValueError("Parquet is no text: name a file with -o FILE")
    export.check_format(form)
    found = diff(
        options.game, policy=options.policy, to=options.to, seat=options.seat, target=options.target,
        against=options.against, by=options.by, tie=options.tie, match=options.match, players=options.players,
        aim=options.aim, force=options.force, tables=options.tables,
    )  # fmt: skip
    group = found.choose_group(options.by, every=options.all)
    told = not (group or options.all or path or options.json or options.format)
    columns: Iterable[str] = found.columns
    rows: Iterable[dict[str, Any]] = ()
    if group is not None:
        columns, rows = found.by(group)
        rows = rows if options.limit is None else found.dearest(rows, options.limit)
    elif options.all:
        if (count := found.count_rows()) is not None:
            progress.say(f"{count} rows, about {count * 180 / 1e6:.0f} MB as CSV, in the order of states")
        rows = (row.to_dict(found.notation, found.names) for row in found.rows())
    elif not told:
        with progress.bar("searching the dearest rolls") as advance:
            listed = found.top(100 if options.limit is None else options.limit, advance)
        rows = [row.to_dict(found.notation, found.names) for row in listed]
    summary = {"tie": parse_tie(options.tie)[0], **found.to_dict()}
    if path is not None:
        count = export.write_rows(rows, tuple(columns), path, form)
        if options.json:
            print_json(summary | {"file": str(path), "rows_written": count})
        else:
            show.print_summary(found)
            print(f"wrote {count} rows to {path}")
    elif options.json:
        print_json(summary | {"rows": list(rows)})
    elif options.format is not None:
        export.write_text(rows, tuple(columns), sys.stdout, form)
    else:
        show.print_summary(found)
        if told:
            with progress.bar("searching the dearest rolls") as advance:
                show.print_sentences(found, found.tell(10 if options.limit is None else options.limit, advance))
        else:
            show.print_rows(tuple(columns), list(rows))
    return 0


def simulate(options: Options) -> int:
    """Play policies against each other."""
    from ..ask.simulate import simulate

    path = show.check_output(options)
    game = games.game(options.game)
    alone = options.aim != "win"
    in_turn = options.match == "sequential" and options.players is None and not alone
    first, second = options.first, options.second
    if in_turn:
        first, second = "win" if first is None else first, "score" if second is None else second
    found = simulate(
        options.game, first, second, games=options.games, seed=options.seed, tie=options.tie, match=options.match,
        players=options.players, aim=options.aim, tables=options.tables,
    )  # fmt: skip
    played = {"first": first, "second": second} if in_turn else {"match": options.match}
    played = {"aim": options.aim, "first": first or options.aim} if alone else played
    data = {"game": game.name, **played, **found.to_dict()}
    seats = list(zip(range(1, len(found.seat_values) + 1), found.seat_values, found.standard_errors, strict=True))

    def tell() -> None:
        if in_turn:
            print_text(f"{found.games} games of {game.name}, {first} first, {second} second, seed {found.seed}")
            _print_figures(found)
        elif alone:
            print_text(f"{found.games} games of {game.name}, playing {played['first']} for {options.aim}, seed {found.seed}")
            print(f"  {'worth (' + str(options.aim) + ')':<28}{number(found.seat_values[0], 6)}")
            print(f"  {'standard error':<28}{number(found.standard_errors[0], 6)}")
            print(f"  {'mean score':<28}{number(found.first_mean or 0.0, 6)}")
        else:
            print_text(f"{found.games} games of {game.name}, all playing to win, seed {found.seed}")
            rows = [[str(seat), number(value, 6), number(error, 6)] for seat, value, error in seats]
            print_table(["seat", "share of wins", "standard error"], rows)

    return show.answer(options, path, data, (("seat", "share", "standard_error"), seats), tell)


def _print_figures(found: object) -> None:
    words = {
        "first_win": "first player wins", "tie": "tie", "second_win": "second player wins",
        "standard_error": "standard error", "first_mean": "first player's mean score",
        "second_mean": "second player's mean score", "mean_turns": "turns of both in a game",
    }  # fmt: skip
    for key, text in words.items():
        if getattr(found, key) is not None:
            print(f"  {text:<28}{number(getattr(found, key), 6)}")
