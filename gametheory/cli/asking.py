"""The commands that ask: arguments, the call of one public function, how its answer is printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from .. import games, progress
from ..ties import parse_tie
from . import show
from .options import Options
from .show import number, print_json, print_table, print_text


def moves(options: Options) -> int:
    """Rank the moves of a roll."""
    from ..ask import moves as ask

    if options.top is not None and options.top < 0:
        raise ValueError(f"--top {options.top}: give how many moves to show, or 0 for all")
    position = {name: getattr(options, name, None) for name in ask.OPTIONS}
    found = ask.moves(
        options.game, options.roll, tie=options.tie, match=options.match, against=options.against, sort=options.sort,
        tables=options.tables, **position,
    )  # fmt: skip
    top = 20 if options.top is None and not options.json and sys.stdout.isatty() else options.top
    answer = found.to_dict(top)
    if options.json:
        print_json(answer)
    else:
        show.print_moves(answer)
    return 0


def second(options: Options) -> int:
    """Show the second player's chance against every final score."""
    from ..ask.compare import second

    game, tie = games.game(options.game), parse_tie(options.tie)[0]
    found = second(game, tie=options.tie, tables=options.tables)
    targets, chances = list(found), list(found.values())
    if options.json:
        print_json({"game": game.name, "tie": tie, "targets": targets, "win_probability": chances})
        return 0
    print_text(f"{game.name}, ties {tie}: the second player's chance against every final score of the first")
    rows = zip(map(str, targets), (number(chance, 6) for chance in chances), show.bars(chances), strict=True)
    print_table(["they made", "win probability", ""], [list(row) for row in rows], left=(2,))
    return 0


def distribution(options: Options) -> int:
    """Show the exact distribution of a final score."""
    from ..ask.compare import distribution

    game = games.game(options.game)
    found = distribution(
        game, options.policy, target=options.target, tie=options.tie, tables=options.tables, force=options.force
    )
    if options.json:
        print_json({"game": game.name, "policy": options.policy, "target": options.target, **found.to_dict()})
        return 0
    against = "" if options.target is None else f" against {options.target}"
    print(f"{game.name}, playing {options.policy}{against}: mean {found.mean:.4f}, sd {found.sd:.4f}")
    shown = [(s, p) for s, p in zip(found.scores, found.probabilities, strict=True) if p >= 5e-7]
    drawn = show.bars([p for _, p in shown], max(found.probabilities))
    rows = [[str(score), number(p, 6), bar] for (score, p), bar in zip(shown, drawn, strict=True)]
    print_table(["score", "probability", ""], rows, left=(2,))
    return 0


def compare(options: Options) -> int:
    """Show exact results between policies, by seat."""
    from ..ask.compare import compare

    game, tie = games.game(options.game), parse_tie(options.tie)[0]
    chosen = options.policies.split(",") if options.policies is not None else None
    found = compare(game, chosen, tie=options.tie, tables=options.tables, force=options.force)
    answer = found.to_dict()
    if options.json:
        print_json({"game": game.name, "tie_rule": tie, **answer})
        return 0
    titles = {"first_win": "first player wins", "second_win": "second player wins"}
    if found.tie.any():
        titles = {"first_win": "first player wins", "tie": "tie", "second_win": "second player wins"}
        titles["first_value"] = f"first player's value, ties {tie}"
    for key, title in titles.items():
        print_text(f"{title} (row: the first player's policy, column: the second's)")
        rows = zip(found.policies, answer[key], strict=True)
        print_table(["", *found.policies], [[name, *(number(p, 6) for p in row)] for name, row in rows], left=(0,))
        print()
    return 0


def diff(options: Options) -> int:
    """Show where win and score part, or write it to a file."""
    from ..ask.diff import diff
    from ..store import export

    form = export.choose_format(options.output, options.format)
    path = export.check_new(options.output, options.force) if options.output is not None else None
    if options.limit < 0:
        raise ValueError(f"--limit {options.limit}: give 0 or more rows")
    if form == "parquet" and path is None:
        raise ValueError("Parquet is no text: name a file with -o FILE")
    found = diff(
        options.game, seat=options.seat, target=options.target, against=options.against, by=options.by,
        tie=options.tie, tables=options.tables,
    )  # fmt: skip
    group = found.choose_group(options.by, every=options.all)
    listed: list[Any] = []
    columns: Iterable[str] = found.columns
    rows: Iterable[dict[str, Any]]
    if group is not None:
        columns, rows = found.by(group)
    elif options.all:
        if (count := found.count_rows()) is not None:
            progress.say(f"{count} rows, about {count * 180 / 1e6:.0f} MB as CSV, in the order of states")
        rows = (row.to_dict(found.notation) for row in found.rows())
    else:
        with progress.bar("searching the dearest rolls") as advance:
            listed = found.top(options.limit, advance)
        rows = [row.to_dict(found.notation) for row in listed]
    summary = {"game": found.game.name, "tie": parse_tie(options.tie)[0], "seat": found.seat, **found.summary._asdict()}
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
        if group is None and not options.all:
            show.print_sentences(found, listed)
        else:
            show.print_rows(tuple(columns), list(rows))
    return 0


def simulate(options: Options) -> int:
    """Play policies against each other."""
    from ..ask.simulate import simulate

    game = games.game(options.game)
    in_turn = options.match == "sequential" and options.players is None
    first, second = options.first, options.second
    if in_turn:
        first, second = "win" if first is None else first, "score" if second is None else second
    found = simulate(
        game, first, second, games=options.games, seed=options.seed, tie=options.tie, match=options.match,
        players=options.players, tables=options.tables,
    )  # fmt: skip
    if options.json:
        played = {"first": first, "second": second} if in_turn else {"match": options.match}
        print_json({"game": game.name, **played, **found.to_dict()})
        return 0
    if not in_turn:
        print(f"{found.games} games of {game.name}, all playing to win, seed {found.seed}")
        figures = zip(found.seat_values, found.standard_errors, strict=True)
        rows = [[str(seat), number(value, 6), number(error, 6)] for seat, (value, error) in enumerate(figures, 1)]
        print_table(["seat", "share of wins", "standard error"], rows)
        return 0
    print(f"{found.games} games of {game.name}, {first} first, {second} second, seed {found.seed}")
    words = {
        "first_win": "first player wins", "tie": "tie", "second_win": "second player wins",
        "standard_error": "standard error", "first_mean": "first player's mean score",
        "second_mean": "second player's mean score", "mean_turns": "turns of both in a game",
    }  # fmt: skip
    for key, text in words.items():
        if getattr(found, key) is not None:
            print(f"  {text:<28}{number(getattr(found, key), 6)}")
    return 0


def fair(options: Options) -> int:
    """Show the head start that makes a game even."""
    from ..ask.fair import fair

    found = fair(options.game, tie=options.tie, match=options.match, tables=options.tables)
    if options.json:
        print_json(found.to_dict())
        return 0
    print_text(found.advice)
    rows = [[str(bonus), number(value, 6)] for bonus, value in found.value_by_bonus.items()]
    print_table(["bonus", "first player's value"], rows)
    return 0


def table(options: Options) -> int:
    """Show a published-style table."""
    from ..ask.table import table

    answer = table(options.game, options.name, target=options.target, gain=options.gain, tables=options.tables)
    if options.json:
        print_json(answer)
        return 0
    print(answer["title"])

    def write(value: Any) -> str:
        return "" if value is None else number(value, answer.get("places", 3)) if isinstance(value, float) else str(value)

    left = (0,) if isinstance(answer["rows"][0][0], str) else ()
    print_table([str(c) for c in answer["columns"]], [[write(value) for value in row] for row in answer["rows"]], left=left)
    return 0
