"""What can be typed: the commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from ..version import __version__
from . import advising, asking, making


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and takes no option for another that begins alike."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **how})

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}; see {self.prog} --help")


class Commands:
    """Adds commands to a parser, and the options that several of them have."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.added = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    def command(self, name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        """Add a command."""
        found: argparse.ArgumentParser = self.added.add_parser(name, help=about, description=about)
        found.set_defaults(run=run)
        if name not in ("serve", "play"):
            found.add_argument("--json", action="store_true", help="print one JSON object")
        return found


def add_game(to: argparse.ArgumentParser) -> None:
    """Add the game and the folder of tables."""
    to.add_argument("game", metavar="GAME", help="a name, dice such as 12d6+d8, or a TOML file")
    to.add_argument("--tables", metavar="DIR", help="the folder of the value tables")


def add_tie(to: argparse.ArgumentParser) -> None:
    """Add the tie rule."""
    to.add_argument("--tie", metavar="RULE", default="split", help="split, first, second, replay, or a number")


def add_match(to: argparse.ArgumentParser, *, players: bool = True) -> None:
    """Add the format."""
    to.add_argument("--match", default="sequential", help="sequential, alternating or simultaneous")
    if players:
        to.add_argument("--players", type=int, metavar="N", help="N players in turn")


def add_force(to: argparse.ArgumentParser, why: str) -> None:
    """Add the leave to replace or to take long."""
    to.add_argument("--force", action="store_true", help=why)


def build() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="gametheory", description="Should I play to maximise my score or my chance to win? Exact answers.",
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"gametheory {__version__}")
    commands = Commands(parser)
    for add in (_add_solve, _add_moves, _add_exact, _add_diff, _add_played, _add_made, _add_sweep, _add_page):
        add(commands)
    return parser


def _add_solve(commands: Commands) -> None:
    solve = commands.command("solve", making.solve, "solve a game, store its tables, print the headline")
    add_game(solve)
    add_tie(solve)
    add_match(solve)
    solve.add_argument("--against", metavar="POLICY", help="the best answer to a second player who plays this policy")
    solve.add_argument(
        "--tolerance", type=float, metavar="X", help="simultaneous: what an answer may gain, 1e-6 if not said"
    )
    solve.add_argument("--threads", type=int, metavar="N", help="how many threads to use")
    add_force(solve, "solve however long it takes, and replace a table that is there")


def _add_moves(commands: Commands) -> None:
    moves = commands.command("moves", asking.moves, "rank every move of a roll, best first")
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


def _add_exact(commands: Commands) -> None:
    second = commands.command("second", asking.second, "the second player's chance against every final score")
    add_game(second)
    add_tie(second)

    distribution = commands.command("distribution", asking.distribution, "the exact distribution of the final score")
    add_game(distribution)
    add_tie(distribution)
    distribution.add_argument("--policy", required=True, metavar="P", help="a policy, by name or card file")
    distribution.add_argument("--target", type=int, metavar="X", help="playing second against X")
    add_force(distribution, "ask a slow policy however often it takes")

    compare = commands.command("compare", asking.compare, "exact results between policies, by seat")
    add_game(compare)
    add_tie(compare)
    compare.add_argument("--policies", metavar="A,B,...", help="all built-in policies if not said")
    add_force(compare, "ask a slow policy however often it takes")


def _add_diff(commands: Commands) -> None:
    diff = commands.command("diff", asking.diff, "where playing to win and playing for points part")
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


def _add_played(commands: Commands) -> None:
    simulate = commands.command("simulate", asking.simulate, "play policies against each other")
    add_game(simulate)
    add_tie(simulate)
    add_match(simulate)
    simulate.add_argument("--first", metavar="P", help="the first player's policy, win if not said")
    simulate.add_argument("--second", metavar="P", help="the second player's policy, score if not said")
    simulate.add_argument("--games", type=int, metavar="N", help="how many games; a million if not said")
    simulate.add_argument("--seed", type=int, default=0, metavar="S", help="same seed, same games")

    table = commands.command("table", asking.table, "published-style tables")
    add_game(table)
    table.add_argument(
        "name", metavar="NAME", help="one-die, expected-maximum, cutoff, walk; races: expected, reach, stop, classes"
    )
    table.add_argument("--target", type=int, metavar="X", help="reach: the turn total to reach")
    table.add_argument("--gain", action="store_true", help="expected: what rolling adds to the turn total")

    fair = commands.command("fair", asking.fair, "the head start that makes a game even")
    add_game(fair)
    add_tie(fair)
    add_match(fair, players=False)


def _add_made(commands: Commands) -> None:
    card = commands.command("card", making.card, "a strategy card to play from memory, and what it costs")
    add_game(card)
    add_tie(card)
    card.add_argument("--frontier", action="store_true", help="what cards of every size lose")
    card.add_argument("--size", default="medium", help="small, medium or large")
    card.add_argument("--seat", help="play to win from this seat, first or second, instead of for points")
    card.add_argument("-o", "--output", metavar="FILE", help="a card to print (svg, pdf, html) or to edit (toml)")
    add_force(card, "replace a file that is there")

    plot = commands.command("plot", making.plot, "draw a figure")
    add_game(plot)
    plot.add_argument("name", metavar="NAME", help="which figure; an unknown name lists them")
    add_tie(plot)
    plot.add_argument("-o", "--output", required=True, metavar="FILE", help="png, svg or pdf by suffix")
    add_force(plot, "replace a file that is there")

    verify = commands.command("verify", making.verify, "recompute a sample of every table through the plain rules")
    verify.add_argument("files", nargs="*", metavar="FILE", help="all tables there are if not said")
    verify.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    verify.add_argument("--seed", type=int, default=0, metavar="S", help="which sample")

    commands.command("games", making.list_games, "list the named games and their rules")


def _add_sweep(commands: Commands) -> None:
    sweep = commands.command("sweep", making.sweep, "many games at once, one row each")
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


def _add_page(commands: Commands) -> None:
    page = commands.command("page", advising.page, "write the advisor: one HTML file to take to the table")
    page.add_argument("games", nargs="*", metavar="GAME", help="biscuits, threes, ten-thousand and pig if not said")
    page.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it")
    page.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    add_tie(page)
    add_force(page, "replace a file that is there")

    serve = commands.command("serve", advising.serve, "show the advisor on this machine")
    serve.add_argument("games", nargs="*", metavar="GAME")
    serve.add_argument("--host", default="127.0.0.1", help="127.0.0.1 if not said")
    serve.add_argument("--port", type=int, default=8000, help="8000 if not said")
    serve.add_argument("--tables", metavar="DIR", help="the folder of the value tables")
    add_tie(serve)

    play = commands.command("play", advising.play, "train in the terminal")
    add_game(play)
    add_tie(play)
    play.add_argument("--seed", type=int, metavar="S", help="same number, same dice")
    play.add_argument("--seat", default="first", help="first or second")

