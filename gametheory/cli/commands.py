"""The commands: what each is for, what it takes, two examples, and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from . import advising, asking, carding, comparing, keeping, making, owning
from .options import ARGUMENTS, OPTIONS, TEXT, WHOLE, Argument, Option, Options, files

SECTIONS = ("Ask", "Play against each other", "Make", "At the table", "Keep")
"""The sections of commands, in the order of `gametheory --help`."""


@dataclass(frozen=True)
class Command:
    """A command: what it takes is named as in `ARGUMENTS` and `OPTIONS`, or said here."""

    name: str
    section: str
    run: Callable[[Options], int]
    about: str
    arguments: tuple[str | Argument, ...]
    options: tuple[str | Option, ...]
    examples: tuple[str, ...]
    json: bool = True
    """Whether its answer can be printed as one JSON object."""
    variables: bool = False
    """Whether other options are variables, as --n 1..12."""

    def all_arguments(self) -> list[Argument]:
        """Return what is typed without a name."""
        return [ARGUMENTS[one] if isinstance(one, str) else one for one in self.arguments]

    def all_options(self) -> list[Option]:
        """Return every option."""
        named = [OPTIONS[one] if isinstance(one, str) else one for one in self.options]
        if "tables" in self.options:
            named.insert(self.options.index("tables") + 1, OPTIONS["untrusted"])
        return [*named, *([OPTIONS["json"]] if self.json else [])]


def _wanted(name: str, **changes: object) -> Option:
    return replace(OPTIONS[name], required=True, **changes)  # type: ignore[arg-type]


WRITTEN = ("output", "tables", "force")
"""What every command takes whose answer is a table."""

FORCE = OPTIONS["force"].says("replace a file that is there, and ask a slow policy however often it takes")
SEAT = OPTIONS["seat"].says("which seat: first, second, or its number among several", choices=())


COMMANDS = (
    Command(
        "solve", "Ask", making.solve, "solve a game, store its tables, print the headline", ("game",),
        ("tie", "match", "players", "aim",
         OPTIONS["against"].says("the best answer to a second player who plays this policy"), "tolerance", "threads",
         "tables", OPTIONS["force"].says("solve however long it takes, and replace a table that is there")),
        ("gametheory solve 4d6", "gametheory solve biscuits --aim reach:95"),
    ),
    Command(
        "moves", "Ask", asking.moves, "rank every move of a roll, best first", ("game", "roll"),
        ("banked", "target", "turn", "score", "opponent", "busts", "opponent-busts", "their-dice", "lead",
         OPTIONS["seat"].says("alternating: which seat is mine", group="Position"), "players-after", "sharing", "rolls-left",
         "card", "state",
         "tie", "match", "aim", "against", "sort", "top", "output", "tables", "force"),
        ("gametheory moves biscuits d6:6,6,5,3 d8:7 d12:11 --banked 56", "gametheory moves ten-thousand 11532 --turn 300"),
    ),
    Command(
        "second", "Ask", asking.second, "the second player's chance against every final score", ("game",),
        ("chance", "tie", OPTIONS["players"].says("the next of N players in turn"),
         OPTIONS["players-after"].says("with --players: how many come after the next; all others if not said"), *WRITTEN),
        ("gametheory second biscuits", "gametheory second biscuits --chance 0.6"),
    ),
    Command(
        "distribution", "Ask", asking.distribution, "the exact distribution of the final score", ("game",),
        ("policy", SEAT, OPTIONS["target"].says("playing second against X"), "score", "opponent", "whole", "aim",
         "tie", "match",
         OPTIONS["players"].says("the best of N, none of whom sees the others; with --seat one of them in turn"), "output",
         "tables", FORCE),
        ("gametheory distribution biscuits --policy score", "gametheory distribution 4d6 --policy score --players 4"),
    ),
    Command(
        "compare", "Ask", comparing.compare, "exact results between policies, by seat", ("game",),
        ("policies", SEAT, "tie", "match", OPTIONS["players"].says("N players in turn: one seat against all others"),
         OPTIONS["all"].says("the chances of winning and tying too"), "output", "tables", FORCE),
        ("gametheory compare 4d6", "gametheory compare pig --policies win,score,hold-at-25"),
    ),
    Command(
        "diff", "Ask", comparing.diff, "where two ways to play part, and what it costs", ("game",),
        (OPTIONS["policy"].says("the way to play that is followed; score if not said"), "to",
         SEAT.says("which seat; second without a target is the average over what they make"), "target", "against",
         "aim", "tie", "match", "players", "by", "limit", "all", "format", "output", "tables", FORCE),
        ("gametheory diff 4d6 --limit 5", "gametheory diff pig --policy hold-at-25"),
    ),
    Command(
        "fair", "Ask", asking.fair, "the head start, or the odds, that make a game even", ("game",),
        ("tie", "match", "players", *WRITTEN),
        ("gametheory fair pig", "gametheory fair 4d6 --tie first"),
    ),
    Command(
        "table", "Ask", asking.table, "published-style tables",
        ("game",
         Argument("name", "NAME", "pools: one-die, expected-maximum, cutoff, cutoff-played, walk; "
                                  "races: expected, reach, stop, classes")),
        (OPTIONS["target"].says("reach: the turn total to reach"), "gain", *WRITTEN),
        ("gametheory table 4d6 one-die", "gametheory table ten-thousand stop"),
    ),
    Command(
        "rules", "Ask", keeping.rules, "the whole rules of a game, as a file that can be edited", ("game",), (),
        ("gametheory rules badg", "gametheory rules pig"),
    ),
    Command(
        "simulate", "Play against each other", comparing.simulate, "play policies against each other with dice", ("game",),
        ("first", "second", "aim", "tie", "match", "players", "games", "seed", *WRITTEN),
        ("gametheory simulate 4d6 --first win --second greedy", "gametheory simulate pig --games 1e5 --seed 7"),
    ),
    Command(
        "sweep", "Play against each other", making.sweep, "many games at once, one row each",
        (Argument("template", "GAME...", 'games, as "{n}d6+d8" with --n 1..12', many=True),),
        (OPTIONS["tie"].says("tie rules", meta="A,B,..."), OPTIONS["match"].says("formats", meta="A,B,...", choices=()),
         OPTIONS["players"].says("numbers of players", meta="N,...", default="2", type=TEXT),
         OPTIONS["policies"].says("policies to cost", default="score"), "output", "figure", "x", "y",
         replace(OPTIONS["by"], meta="COLUMN", choices=(), about="one line of the figure for each value of this"),
         "cluster", "processes", "force"),
        ('gametheory sweep "{n}d4" --n 1..6 --tie split,first', 'gametheory sweep "{n}d6" --n 1..4 -o sweep.csv'),
        variables=True,
    ),
    Command(
        "card", "Make", carding.card, "a strategy card to play from memory, and what it costs", ("game",),
        ("size", OPTIONS["seat"].says("play to win from this seat, instead of for points"), "tie", "match",
         OPTIONS["players"].says("win among N, the others playing for points, none seeing another"), "frontier",
         OPTIONS["output"].says("a card to print (svg, pdf, html) or to edit (toml)"), "tables", "force"),
        ("gametheory card 4d6 --size small", "gametheory card 4d6 -o card.svg"),
    ),
    Command(
        "plot", "Make", making.plot, "draw a figure",
        ("game", Argument("name", "NAME", "which figure; an unknown name lists them")),
        ("tie", "match", "players", "aim", _wanted("output", about="png, svg or pdf by suffix"), "tables", "force"),
        ("gametheory plot 4d6 distributions -o made.png", "gametheory plot pig score-difference -o pig.svg"),
    ),
    Command(
        "new", "Make", owning.begin, "write a game of your own to begin with, and its test",
        (Argument("name", "NAME", "what it is called: my-game is written to my_game.py and test_my_game.py"),), ("force",),
        ("gametheory new my-game", "gametheory new Lucky --json"),
    ),
    Command(
        "check", "Make", owning.find_trouble, "look for trouble in the rules of a game of your own",
        (replace(ARGUMENTS["game"], about="FILE.py:NAME; the file is run, the game played at random and walked"),),
        (OPTIONS["seed"].says("which games are played at random"),),
        ("gametheory check my_game.py:MyGame", "gametheory check my_game.py:MyGame --json"),
    ),
    Command(
        "page", "At the table", advising.page, "write the advisor: one HTML file to take to the table",
        (replace(ARGUMENTS["games"], about="biscuits, threes, ten-thousand and pig if not said"),),
        (OPTIONS["output"].says("where to write it"), "site", "tie", "tables", "force"),
        ("gametheory page -o advisor.html", "gametheory page 4d6 pig --site advisor"),
    ),
    Command(
        "serve", "At the table", advising.serve, "show the advisor on this machine", ("games",),
        ("host", "port", "tie", "tables"),
        ("gametheory serve", "gametheory serve 4d6 --port 8080"),
        json=False,
    ),
    Command(
        "play", "At the table", advising.play, "train in the terminal", ("game",),
        (OPTIONS["seed"].says("same number, same dice; else by chance", default=None),
         OPTIONS["seat"].says("which seat is mine", default="first"),
         OPTIONS["against"].says("they play this policy; at their best if not said"), "tie",
         OPTIONS["output"].says("write my decisions to a file, for review"), "tables",
         OPTIONS["force"].says("replace a file that is there")),
        ("gametheory play threes", "gametheory play 4d6 --seat second --seed 7"),
        json=False,
    ),
    Command(
        "review", "At the table", advising.review, "what each decision of a played game cost, and the luck of its dice",
        (Argument("file", "FILE", "a played game as text: written by play -o FILE, or copied from the page", complete=files),
         Argument("game", "GAME", "which game, if the file does not name one", required=False)),
        ("tables",),
        ("gametheory review GAME.txt", "gametheory review GAME.txt --json"),
    ),
    Command(
        "games", "Keep", keeping.list_games, "list the named games and their rules", (), (),
        ("gametheory games", "gametheory games --json"),
    ),
    Command(
        "verify", "Keep", keeping.verify, "recompute a sample of every table through the plain rules",
        (Argument("files", "FILE...", "which tables, or a game of your own for all of its; all there are if not said",
                  many=True, required=False),),
        (OPTIONS["seed"].says("which sample", type=WHOLE), "tables"),
        ("gametheory verify", "gametheory verify --seed 7"),
    ),
    Command(
        "tables", "Keep", keeping.tables, "list the stored tables: game, rules, size, where; delete some",
        (Argument("names", "NAME...", "only these: a game, or a table's file; all there are if not said", many=True,
                  required=False),),
        ("delete", "output", "tables", "force"),
        ("gametheory tables", "gametheory tables 4d6 --delete"),
    ),
    Command(
        "export", "Keep", keeping.export, "write a game as a model for model checkers, such as Storm and PRISM", ("game",),
        (OPTIONS["format"].says("the language of the model", choices=("prism",), default="prism"),
         OPTIONS["output"].says("write the model to a file"), OPTIONS["force"].says("replace a file that is there")),
        ("gametheory export 2d4 --format prism", "gametheory export 3d4 -o 3d4.prism"),
    ),
    Command(
        "certify", "Keep", keeping.certify, "prove an interval that contains a game's value, for others to check", ("game",),
        ("tie", OPTIONS["output"].says("write the certificate to a file"), "tables",
         OPTIONS["force"].says("replace a file that is there")),
        ("gametheory certify 4d6", "gametheory certify biscuits --tie first -o biscuits.json"),
    ),
    Command(
        "completion", "Keep", keeping.completion, "print what makes a shell complete commands, games and policies",
        (Argument("shell", "SHELL", "bash, zsh or fish"),), (),
        ('eval "$(gametheory completion bash)"', "gametheory completion fish | source"),
        json=False,
    ),
)  # fmt: skip
"""Every command, in the order of --help."""
