"""The command `gametheory`: reads arguments, asks the library, prints. No logic of its own."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .. import __version__, games
from ..games import PoolGame
from ..race.rules import RaceGame


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and takes no option for another that begins alike."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **how})

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 2 the request was wrong, 1 something else failed."""
    try:
        parser = _parser()
        options, more = parser.parse_known_args(arguments)
        options.variables = _variables(parser, more, options.run is _sweep)
        status = options.run(options)
        sys.stdout.flush()
        return status or 0
    except BrokenPipeError:
        # Whoever read the output has seen enough; point stdout elsewhere so that closing it stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"gametheory: {error}", file=sys.stderr)
        return 1
    except (ValueError, ImportError) as error:
        print(f"gametheory: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        if type(error).__name__ != "TableError":
            raise
        print(f"gametheory: {error}", file=sys.stderr)
        return 1


def _variables(parser: argparse.ArgumentParser, more: Sequence[str], allowed: bool) -> dict[str, str]:
    """Read the variables of a sweep, such as --n 1..16; refuse anything else that was not understood."""
    found = {}
    rest = list(more)
    while rest:
        name = rest.pop(0)
        name, _, value = name.partition("=")
        if not allowed or not name.startswith("--") or not (value or rest):
            parser.error(f"unrecognized argument {name!r}")
        found[name[2:]] = value or rest.pop(0)
    return found


# Printing.

WIDTH = 80


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, allow_nan=False, indent=1))


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> None:
    """Print columns of text, aligned right but for those named in `left`."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        print("  ".join(cells).rstrip())


def _print_text(text: str) -> None:
    print(textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False))


def _number(value: float, places: int = 4) -> str:
    return f"{value:.{places}f}"


# Commands.


def _solve(options: argparse.Namespace) -> int:
    from ..store import library

    game = games.game(options.game)
    if isinstance(game, RaceGame) and options.players == 3:
        return _solve_three(options, game)
    if options.against is not None:
        return _solve_against(options, game)
    solved = library.solve(
        game, options.tie, match=options.match, players=options.players, folder=options.tables,
        threads=options.threads, force=options.force, tolerance=options.tolerance,
    )  # fmt: skip
    headline = library.headline(solved)
    if options.json:
        _print_json(headline)
    else:
        for line in library.describe(headline):
            print(line)
    return 0


def _solve_three(options: argparse.Namespace, game: RaceGame) -> int:
    from ..ask import questions

    answer = questions.three_players(game, options.against)
    if options.json:
        _print_json(answer)
        return 0
    title = "three who all play to win" if options.against is None else f"the best answer to two who play {options.against}"
    print(f"{game.name}, {title}: chance to win by seat")
    kept = [key for key in ("seat_values", "same_policy_seat_values") if key in answer]
    heads = {"seat_values": "chance", "same_policy_seat_values": f"playing {options.against} too"}
    rows = [[str(seat + 1), *(_number(answer[key][seat], 6) for key in kept)] for seat in range(3)]
    _print_table(["seat", *(heads[key] for key in kept)], rows)
    return 0


def _solve_against(options: argparse.Namespace, game: PoolGame | RaceGame) -> int:
    from ..ask import questions

    if options.match != "sequential" or options.players is not None:
        raise ValueError("--against is for the game for two in turn: leave --match and --players out")
    answer = questions.best_answer(game, options.against, options.tie, options.tables)
    if options.json:
        _print_json(answer)
    else:
        _print_text(
            f"{game.name}, ties {answer['tie']}: the best answer of the first player to a second player who plays "
            f"{answer['against']} wins {answer['first_player_value']:.6f}; "
            f"playing for the best second player wins {answer['win_policy_value']:.6f} of them."
        )
    return 0


def _moves(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.game(options.game)
    if options.top is None and not options.json and sys.stdout.isatty():
        options.top = 20
    answer = questions.moves(game, options)
    if options.json:
        _print_json(answer)
        return 0
    _print_text(answer["question"])
    race = isinstance(game, RaceGame)
    table = [["best", "win", "score", "points", "keep", *(["then"] if race else []), "dice left"]]
    for place, move in enumerate(answer["moves"]):
        marks = [name for name in ("win", "score") if answer[f"best_for_{name}"] == place]
        table.append(
            [
                "both" if len(marks) == 2 else "".join(marks),
                _number(move["win_probability"], 6),
                _number(move["expected_score"], 3),
                str(move["points"]),
                move["keep"],
                *([("bank" if move["bank"] else "roll")] if race else []),
                str(move["dice_left"]),
            ]
        )
    # The dice left are those not kept: left out where there is no room for them.
    if sum(max(map(len, column)) + 2 for column in zip(*table, strict=True)) - 2 > WIDTH:
        table = [row[:-1] for row in table]
    _print_table(table[0], table[1:], left=(0, 4, 5))
    if len(answer["moves"]) < answer["moves_in_all"]:
        print(f"... and {answer['moves_in_all'] - len(answer['moves'])} more: --top 0 shows all")
    return 0


def _second(options: argparse.Namespace) -> int:
    from ..store import library

    game = games.pool_game(options.game)
    duel = library.duel(game, options.tie, folder=options.tables)
    targets, chances = duel.second_by_target()
    if options.json:
        _print_json({"game": game.name, "tie": duel.tie, "targets": targets, "win_probability": chances})
        return 0
    _print_text(f"{game.name}, ties {duel.tie}: the second player's chance against every final score of the first")
    bars = [[str(t), _number(p, 6), "#" * round(40 * p)] for t, p in zip(targets, chances, strict=True)]
    _print_table(["they made", "win probability", ""], bars, left=(2,))
    return 0


def _distribution(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.pool_game(options.game)
    answer = questions.distribution(game, options.policy, options.target, options.tie, options.tables, options.force)
    if options.json:
        _print_json(answer)
        return 0
    against = "" if options.target is None else f" against {options.target}"
    print(f"{game.name}, playing {options.policy}{against}: mean {answer['mean']:.4f}, sd {answer['sd']:.4f}")
    most = max(answer["probabilities"])
    bars = [
        [str(score), _number(p, 6), "#" * round(40 * p / most)]
        for score, p in zip(answer["scores"], answer["probabilities"], strict=True)
        if p >= 5e-7
    ]
    _print_table(["score", "probability", ""], bars, left=(2,))
    return 0


def _compare(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.game(options.game)
    chosen = options.policies.split(",") if options.policies is not None else None
    answer = questions.compare(game, chosen, options.tie, options.tables, options.force)
    if options.json:
        _print_json(answer)
        return 0
    names = answer["policies"]
    titles = {
        "first_win": "first player wins", "tie": "tie", "second_win": "second player wins",
        "first_value": f"first player's value, ties {answer.get('tie_rule')}",
    }  # fmt: skip
    for key, title in titles.items():
        if isinstance(game, RaceGame) and key in ("tie", "first_value"):
            continue
        _print_text(f"{title} (row: the first player's policy, column: the second's)")
        rows = [[name, *(_number(p, 6) for p in row)] for name, row in zip(names, answer[key], strict=True)]
        _print_table(["", *names], rows, left=(0,))
        print()
    return 0


def _diff(options: argparse.Namespace) -> int:
    from ..ask import questions

    return questions.diff(games.game(options.game), options, _print_json, _print_table)


def _simulate(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.game(options.game)
    if options.match != "sequential" or options.players is not None:
        return _simulate_format(options)
    count = 1_000_000 if options.games is None else options.games
    answer = questions.simulate(game, options.first, options.second, count, options.seed, options.tie, options.tables)
    if options.json:
        _print_json(answer)
        return 0
    print(f"{answer['games']} games of {game.name}, {options.first} first, {options.second} second, seed {options.seed}")
    words = {
        "first_win": "first player wins", "tie": "tie", "second_win": "second player wins",
        "standard_error": "standard error", "first_mean": "first player's mean score",
        "second_mean": "second player's mean score", "mean_turns": "turns of both in a game",
    }  # fmt: skip
    for key, text in words.items():
        if answer.get(key) is not None:
            print(f"  {text:<28}{_number(answer[key], 6)}")
    return 0


def _simulate_format(options: argparse.Namespace) -> int:
    from ..ask import questions

    if (options.first, options.second) != ("win", "score"):
        raise ValueError("--first and --second are for the game for two in turn: leave them out, all play to win")
    game = games.pool_game(options.game)
    count = 1000 if options.games is None else options.games
    answer = questions.simulate_format(
        game, options.match, options.players, count, options.seed, options.tie, options.tables
    )
    if options.json:
        _print_json(answer)
        return 0
    print(f"{answer['games']} games of {game.name}, all playing to win, seed {options.seed}")
    figures = zip(answer["seat_values"], answer["standard_errors"], strict=True)
    _print_table(
        ["seat", "share of wins", "standard error"],
        [[str(seat), _number(value, 6), _number(error, 6)] for seat, (value, error) in enumerate(figures, 1)],
    )
    return 0


def _plot(options: argparse.Namespace) -> int:
    from ..ask import questions

    path = questions.plot(games.game(options.game), options.name, options.output, options.tie, options.tables, options.force)
    if options.json:
        _print_json({"figure": options.name, "file": str(path)})
    else:
        print(f"wrote {path}")
    return 0


def _table(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.game(options.game)
    answer = questions.published_table(game, options.name, options.target, options.gain, options.tables)
    if options.json:
        _print_json(answer)
        return 0
    print(answer["title"])
    _print_table(
        [str(c) for c in answer["columns"]],
        [
            ["" if v is None else _number(v, answer.get("places", 3)) if isinstance(v, float) else str(v) for v in row]
            for row in answer["rows"]
        ],
        left=(0,) if isinstance(answer["rows"][0][0], str) else (),
    )
    return 0


def _fair(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.game(options.game)
    answer = questions.fair(game, options.tie, options.match, options.tables)
    if options.json:
        _print_json(answer)
        return 0
    _print_text(answer["sentence"])
    rows = [[str(bonus), _number(value, 6)] for bonus, value in answer["value_by_bonus"]]
    _print_table(["bonus", "first player's value"], rows)
    return 0


def _card(options: argparse.Namespace) -> int:
    from ..ask import questions

    game = games.pool_game(options.game)
    if options.frontier:
        return _frontier(options, game)
    answer = questions.card(game, options.size, options.seat, options.tie, options.tables, options.output, options.force)
    if options.json:
        _print_json(answer)
        return 0
    print(f"{game.name}: {answer['name']}, {answer['size']} numbers to remember")
    for place, rule in enumerate(answer["rules"], 1):
        print(textwrap.fill(f"{place:3d}. {rule}", 79, subsequent_indent="     "))
    _print_text(
        f"Expected score {answer['expected_score']:.4f}, {max(answer['loss'], 0.0):.4f} short of the best. Against the best "
        f"opponent it wins {answer['first_player_value']:.6f} going first, {answer['second_player_value']:.6f} going second."
    )
    if options.output:
        print(f"wrote {answer['file']}")
    return 0


def _frontier(options: argparse.Namespace, game: PoolGame) -> int:
    from ..ask import questions

    answer = questions.frontier(game, options.tie, options.tables)
    if options.json:
        _print_json(answer)
        return 0
    print(f"{game.name}: what a card loses against perfect play for points, by its size")
    _print_table(
        ["numbers", "loses", "card"], [[str(n), _number(loss, 6), kind] for n, loss, kind in answer["points"]], left=(2,)
    )
    return 0


def _sweep(options: argparse.Namespace) -> int:
    from ..ask import questions

    answer = questions.sweep(options)
    if options.json:
        _print_json(answer)
        return 0
    heads = {
        "game": "game", "tie": "tie", "match": "match", "first_player_value": "first", "expected_score": "expected",
        "win_probability_lost": "lost", "seconds": "seconds",
    }  # fmt: skip
    varied = {name: {row.get(name) for row in answer["rows"]} for name in heads}
    columns = [name for name in heads if varied[name] != {None} and (name != "match" or len(varied[name]) > 1)]
    _print_table(
        [heads[name] for name in columns],
        [["" if row.get(c) is None else f"{row[c]:.6g}" if isinstance(row[c], float) else str(row[c]) for c in columns]
         for row in answer["rows"]],
        left=(0,),
    )  # fmt: skip
    for row in answer["rows"]:
        if row.get("error"):
            _print_text(f"{row['game']}, ties {row['tie']}, {row['match']}: {row['error']}")
    for file in answer["files"]:
        print(f"wrote {file}")
    return 0


def _page(options: argparse.Namespace) -> int:
    from ..ask import questions

    path, size = questions.page(options.games, options.output, options.tables, options.tie, options.force)
    if options.json:
        _print_json({"file": str(path), "bytes": size})
    else:
        print(f"wrote {path} ({size / 1000:.0f} kB): open it in a browser, or send it to a phone")
    return 0


def _serve(options: argparse.Namespace) -> int:
    from ..ask import questions

    questions.serve(options.games, options.host, options.port, options.tables, options.tie)
    return 0


def _play(options: argparse.Namespace) -> int:
    from ..advisor import trainer as play

    play.run(options.game, options.seed, options.seat, tables=options.tables, tie=options.tie)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from ..ask import questions

    answer = questions.verify(options.files, options.tables, options.seed)
    if options.json:
        _print_json(answer)
    else:
        for file in answer["files"]:
            print(f"{file['file']}: {file['checked']} values recomputed, worst residual {file['worst_residual']:.2g}")
        print(f"{answer['checked']} values in {len(answer['files'])} tables, worst residual {answer['worst_residual']:.2g}")
    return 0 if answer["sound"] else 1


def _games(options: argparse.Namespace) -> int:
    described = [{"name": name, "about": game.about, **games.rules(game)} for name, game in sorted(games.NAMED.items())]
    if options.json:
        _print_json({"games": described})
        return 0
    for game in described:
        print(f"{game['name']:<14}" + textwrap.fill(game["about"], 64, subsequent_indent=" " * 14))
    print("Or dice, as 4d6 or 12d6+d8+d10+d12 (the highest sum wins), or a TOML file.")
    return 0


# Arguments.


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="gametheory", description="Should I play to maximise my score or my chance to win? Exact answers.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"gametheory {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=about, description=about)
        found.set_defaults(run=run)
        if name not in ("serve", "play"):
            found.add_argument("--json", action="store_true", help="print one JSON object")
        return found

    def add_game(to: argparse.ArgumentParser) -> None:
        to.add_argument("game", metavar="GAME", help="a name, dice such as 12d6+d8, or a TOML file")
        to.add_argument("--tables", metavar="DIR", help="the folder of the value tables")

    def add_tie(to: argparse.ArgumentParser) -> None:
        to.add_argument("--tie", metavar="RULE", default="split", help="split, first, second, replay, or a number")

    def add_match(to: argparse.ArgumentParser, *, players: bool = True) -> None:
        to.add_argument("--match", default="sequential", help="sequential, alternating or simultaneous")
        if players:
            to.add_argument("--players", type=int, metavar="N", help="N players in turn")

    def add_force(to: argparse.ArgumentParser, why: str) -> None:
        to.add_argument("--force", action="store_true", help=why)

    solve = command("solve", _solve, "solve a game, store its tables, print the headline")
    add_game(solve)
    add_tie(solve)
    add_match(solve)
    solve.add_argument("--against", metavar="POLICY", help="the best answer to a second player who plays this policy")
    solve.add_argument(
        "--tolerance", type=float, metavar="X", help="simultaneous: what an answer may gain, 1e-6 if not said"
    )
    solve.add_argument("--threads", type=int, metavar="N", help="how many threads to use")
    add_force(solve, "solve however long it takes, and replace a table that is there")

    moves = command("moves", _moves, "rank every move of a roll, best first")
    add_game(moves)
    moves.add_argument("roll", metavar="ROLL", help='as "d6:6,6,5 d8:7", or for a race "1 1 5 3 2"')
    add_tie(moves)
    add_match(moves, players=False)
    moves.add_argument("--banked", type=int, metavar="N", help="points of the dice set aside")
    moves.add_argument("--target", type=int, metavar="X", help="I am second and they made X")
    moves.add_argument("--sort", default="win", help="win or score")
    moves.add_argument("--top", type=int, metavar="K", help="show only the best K (0: all)")
    moves.add_argument("--against", metavar="POLICY", help="they play this policy")
    moves.add_argument("--their-dice", metavar="DICE", help="alternating: the dice they have left")
    moves.add_argument("--lead", type=int, metavar="L", help="alternating: my banked points less theirs")
    moves.add_argument("--seat", metavar="SEAT", help="alternating: first or second")
    moves.add_argument("--players-after", type=int, metavar="K", help="players in turn: how many play after me")
    moves.add_argument("--sharing", type=int, metavar="C", help="players in turn: how many share the best score")
    moves.add_argument("--turn", type=int, metavar="T", help="race: points of this turn before the roll")
    moves.add_argument("--score", type=int, metavar="S", help="race: my score")
    moves.add_argument("--opponent", type=int, metavar="O", help="race: their score")

    second = command("second", _second, "the second player's chance against every final score")
    add_game(second)
    add_tie(second)

    distribution = command("distribution", _distribution, "the exact distribution of the final score")
    add_game(distribution)
    add_tie(distribution)
    distribution.add_argument("--policy", required=True, metavar="P", help="a policy, by name or card file")
    distribution.add_argument("--target", type=int, metavar="X", help="playing second against X")
    add_force(distribution, "ask a slow policy however often it takes")

    compare = command("compare", _compare, "exact results between policies, by seat")
    add_game(compare)
    add_tie(compare)
    compare.add_argument("--policies", metavar="A,B,...", help="all built-in policies if not said")
    add_force(compare, "ask a slow policy however often it takes")

    diff = command("diff", _diff, "where playing to win and playing for points part")
    add_game(diff)
    add_tie(diff)
    diff.add_argument("--target", type=int, metavar="X", help="I am second and they made X")
    diff.add_argument("--seat", help="first or second; second without a target is the average over them")
    diff.add_argument("--against", metavar="POLICY", help="they play this policy")
    diff.add_argument("--format", metavar="F", help="csv, json or parquet (else by the file's suffix)")
    diff.add_argument("-o", "--output", metavar="FILE", help="write the rows to a file")
    diff.add_argument("--limit", type=int, default=100, metavar="K", help="how many rows, the dearest first")
    diff.add_argument("--all", action="store_true", help="every row, in the order of states")
    diff.add_argument("--by", choices=("place", "target", "score-difference"), help="a table in place of single rolls")
    add_force(diff, "replace a file that is there")

    simulate = command("simulate", _simulate, "play policies against each other")
    add_game(simulate)
    add_tie(simulate)
    add_match(simulate)
    simulate.add_argument("--first", default="win", metavar="P", help="the first player's policy")
    simulate.add_argument("--second", default="score", metavar="P", help="the second player's policy")
    simulate.add_argument("--games", type=int, metavar="N", help="how many games; a million if not said")
    simulate.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games")

    table = command("table", _table, "published-style tables")
    add_game(table)
    table.add_argument(
        "name", metavar="NAME", help="one-die, expected-maximum, cutoff, walk; races: expected, reach, stop, classes"
    )
    table.add_argument("--target", type=int, metavar="X", help="reach: the turn total to reach")
    table.add_argument("--gain", action="store_true", help="expected: what rolling adds to the turn total")

    card = command("card", _card, "a strategy card to play from memory, and what it costs")
    add_game(card)
    add_tie(card)
    card.add_argument("--frontier", action="store_true", help="what cards of every size lose")
    card.add_argument("--size", default="medium", help="small, medium or large")
    card.add_argument("--seat", help="play to win from this seat, first or second, instead of for points")
    card.add_argument("-o", "--output", metavar="FILE", help="a card to print (svg, pdf, html) or to edit (toml)")
    add_force(card, "replace a file that is there")

    fair = command("fair", _fair, "the head start that makes a game even")
    add_game(fair)
    add_tie(fair)
    add_match(fair, players=False)

    plot = command("plot", _plot, "draw a figure")
    add_game(plot)
    plot.add_argument("name", metavar="NAME", help="which figure; an unknown name lists them")
    add_tie(plot)
    plot.add_argument("-o", "--output", required=True, metavar="FILE", help="png, svg or pdf by suffix")
    add_force(plot, "replace a file that is there")

    sweep = command("sweep", _sweep, "many games at once, one row each")
    sweep.add_argument("template", nargs="+", metavar="GAME", help='games, as "{n}d6+d8" with --n 1..12')
    sweep.add_argument("--tables", metavar="DIR", help=argparse.SUPPRESS)
    sweep.add_argument("--tie", default="split", metavar="A,B,...", help="tie rules")
    sweep.add_argument("--match", default="sequential", metavar="A,B,...", help="formats")
    sweep.add_argument("--players", default="2", metavar="N,...", help="numbers of players")
    sweep.add_argument("--policies", default="score", metavar="A,B,...", help="policies to cost")
    sweep.add_argument("-o", "--output", metavar="FILE", help="csv, json or parquet; goes on where it was left")
    sweep.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, or local")
    sweep.add_argument("--processes", type=int, metavar="N", help="how many processes to work in")
    sweep.add_argument("--figure", metavar="FILE", help="draw --y against --x")
    sweep.add_argument("--x", metavar="COLUMN", help="a variable of the grid")
    sweep.add_argument("--y", default="first_player_value", metavar="COLUMN")
    sweep.add_argument("--by", metavar="COLUMN", help="one line for each value of this")
    add_force(sweep, "solve however long it takes, and replace a figure that is there")

    page = command("page", _page, "write the advisor: one HTML file to take to the table")
    page.add_argument("games", nargs="*", metavar="GAME", help="biscuits, threes, ten-thousand and pig if not said")
    page.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")
    page.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    add_tie(page)
    add_force(page, "replace a file that is there")

    serve = command("serve", _serve, "show the advisor on this machine")
    serve.add_argument("games", nargs="*", metavar="GAME")
    serve.add_argument("--host", default="127.0.0.1", help="127.0.0.1 if not said")
    serve.add_argument("--port", type=int, default=8000, help="8000 if not said")
    serve.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    add_tie(serve)

    play = command("play", _play, "train in the terminal")
    add_game(play)
    add_tie(play)
    play.add_argument("--seed", type=int, metavar="S", help="same number, same dice")
    play.add_argument("--seat", default="first", help="first or second")

    verify = command("verify", _verify, "recompute a sample of every table through the plain rules")
    verify.add_argument("files", nargs="*", metavar="FILE", help="all tables there are if not said")
    verify.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    verify.add_argument("--seed", type=int, default=0, metavar="S", help="which sample")

    command("games", _games, "list the named games and their rules")
    return parser
