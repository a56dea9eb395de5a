"""The commands that make or keep something: tables, cards, sweeps, figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import games, progress
from . import show
from .options import Options
from .show import number, print_json, print_table, print_text


def solve(options: Options) -> int:
    """Solve a game, store its table, print the headline."""
    from ..ask.rules import rules_used
    from ..match.solution import Request
    from ..store import library

    game = games.game(options.game)
    if options.against is not None:
        return _solve_against(options, game)
    request = Request(
        options.match, options.tie, options.players, options.threads, options.force, options.tolerance, options.aim
    )  # fmt: skip
    solved = library.solve(game, request, options.tables)
    headline = solved.solution.headline()
    if options.json:
        stored = {} if solved.path is None else {"tables": str(solved.path)}
        print_json(headline | stored | {"seconds": solved.seconds})
    else:
        if used := rules_used(options.game):
            print_text(used)
        show.print_headline(headline, solved.path, solved.seconds)
    return 0


def _solve_against(options: Options, game: object) -> int:
    from ..ask.compare import best_answer

    for name, said in (("match", options.match != "sequential"), ("aim", options.aim != "win")):
        if said:
            raise ValueError(f"--against is for the game for two in turn: leave --{name} out")
    answer = best_answer(game, options.against, tie=options.tie, players=options.players, tables=options.tables)
    if options.json:
        print_json(answer.to_dict())
    elif "seat_values" in answer:
        print(f"{answer['game']}, the best answer to two who play {answer['against']}: chance to win by seat")
        pairs = enumerate(zip(answer["seat_values"], answer["same_policy_seat_values"], strict=True), 1)
        rows = [[str(seat), number(best, 6), number(same, 6)] for seat, (best, same) in pairs]
        print_table(["seat", "chance", f"playing {answer['against']} too"], rows)
    else:
        print_text(
            f"{answer['game']}, ties {answer['tie']}: the best answer of the first player to a second player who plays "
            f"{answer['against']} wins {answer['first_player_value']:.6f}; "
            f"playing for the best second player wins {answer['win_policy_value']:.6f} of them."
        )
    return 0


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def sweep(options: Options) -> int:
    """Solve a grid of games; write the rows, and a figure, if asked."""
    from .. import cluster, figures, sweeps
    from ..store import export

    if options.figure:
        figures.check_suffix(Path(options.figure))
    figure = export.check_new(options.figure, options.force) if options.figure else None
    cells = sweeps.grid(
        options.template, options.variables, ties=_listed(options.tie), matches=_listed(options.match),
        players=sweeps.parse_values(options.players), policies=_listed(options.policies), force=options.force,
    )  # fmt: skip
    with cluster.connect(options.cluster, options.processes) as executor, progress.bar("sweeping") as advance:
        rows = sweeps.run(cells, options.output, executor, advance)
    files = [options.output] if options.output else []
    if figure is not None:
        x = options.x or next(iter(options.variables), "game")
        lines = sweeps.series(rows, x, options.y, options.by)
        title = f"{' '.join(options.template)}: {options.y.replace('_', ' ')}"
        figures.save(figures.lines(lines, title, x, options.y.replace("_", " ")), figure)
        files.append(str(figure))
    if options.json:
        print_json({"rows": rows, "files": files})
    else:
        _print_sweep(rows, files)
    return 1 if any(row.get("error") for row in rows) else 0


def _print_sweep(rows: Sequence[show.Plain], files: Sequence[str]) -> None:
    heads = {
        "game": "game", "tie": "tie", "match": "match", "first_player_value": "first", "expected_score": "expected",
        "win_probability_lost": "lost", "seconds": "seconds",
    }  # fmt: skip
    varied = {name: {row.get(name) for row in rows} for name in heads}
    columns = [name for name in heads if varied[name] != {None} and (name != "match" or len(varied[name]) > 1)]

    def write(value: object) -> str:
        return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)

    print_table([heads[name] for name in columns], [[write(row.get(c)) for c in columns] for row in rows], left=(0,))
    for row in rows:
        if row.get("error"):
            print_text(f"{row['game']}, ties {row['tie']}, {row['match']}: {row['error']}")
    for file in files:
        print(f"wrote {file}")


def plot(options: Options) -> int:
    """Draw a figure."""
    from .. import figures
    from ..store import export

    path = export.check_new(options.output, options.force)
    with progress.bar(f"drawing {options.name}"):
        figures.draw(
            options.game, options.name, path, tie=options.tie, match=options.match, players=options.players,
            aim=options.aim, tables=options.tables,
        )  # fmt: skip
    if options.json:
        print_json({"figure": options.name, "file": str(path)})
    else:
        print(f"wrote {path}")
    return 0
