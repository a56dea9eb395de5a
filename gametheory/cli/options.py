"""Every option of the command line, described once: its name, what it means, and the group that --help lists it in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import click
from click.shell_completion import CompletionItem

PROGRAM = "gametheory"
COMPLETE = "_GAMETHEORY_COMPLETE"
"""The variable by which a shell asks what may be typed next."""

Options = SimpleNamespace
"""What was typed: an attribute for each argument and option of the command."""

Complete = Callable[[click.Context, str], list[Any]]
"""From what is typed so far to what it may become."""


# What values are.


class Whole(click.ParamType[Any]):
    """A whole number, as 1000000 or 1e6."""

    name = "whole"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a whole number, or refuse what is none."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([+-]?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d{1,3}))?", value, re.ASCII)
        if found:
            sign, digits, decimals, power = found[1], found[2], found[3] or "", int(found[4] or 0)
            if found[4] and len(decimals) <= power:
                return int(sign + digits + decimals.ljust(power, "0"))
            if not decimals and not found[4]:
                return int(value)
        self.fail(f"{value!r} is no whole number", param, ctx)


class Number(click.ParamType[Any]):
    """A number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number, or refuse what is none."""
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is no number", param, ctx)


WHOLE, NUMBER, TEXT = Whole(), Number(), click.STRING


# What may be typed next.


def files(_: click.Context, __: str) -> list[CompletionItem]:
    """Let the shell complete the names of files."""
    return [CompletionItem("", type="file")]


def folders(_: click.Context, __: str) -> list[CompletionItem]:
    """Let the shell complete the names of folders."""
    return [CompletionItem("", type="dir")]


def game_names(_: click.Context, typed: str) -> list[CompletionItem]:
    """Complete the name of a game, or of a file."""
    from .. import games

    known = [CompletionItem(name) for name in (*games.named(), *games.ALIASES) if name.startswith(typed)]
    return known or [CompletionItem("", type="file")]


def policy_names(ctx: click.Context, typed: str) -> list[CompletionItem]:
    """Complete the name of a policy of the game that was typed; the last of several."""
    from ..ask.solve import policy_names

    before, comma, last = typed.rpartition(",")
    try:
        names = policy_names(str(ctx.params.get("game") or "4d6"))
    except ValueError:
        names = ()
    known = [CompletionItem(before + comma + name) for name in names if name.startswith(last)]
    return known or [CompletionItem("", type="file")]


def aim_names(_: click.Context, typed: str) -> list[CompletionItem]:
    """Complete an aim, or a file of worths."""
    known = [CompletionItem(name) for name in ("win", "points", "reach:") if typed and name.startswith(typed)]
    return known or [CompletionItem("", type="file")]


def words(*known: str) -> Complete:
    """Complete one of some words."""
    return lambda _, typed: [word for word in known if word.startswith(typed)]


# The options.

GROUPS = ("Position", "Players", "Match", "Question", "Work", "Output")
"""The groups of options, in the order of --help."""


@dataclass(frozen=True)
class Option:
    """An option: `--name`, what its value is called (a flag has none), and what it means."""

    name: str
    group: str
    meta: str
    about: str
    type: click.ParamType[Any] = TEXT
    default: Any = None
    choices: tuple[str, ...] = ()
    """The words it can be; they are shown and completed, and refused where they are understood."""
    short: str = ""
    complete: Complete | None = None
    required: bool = False

    @property
    def dest(self) -> str:
        return self.name.replace("-", "_")

    def says(self, about: str, **changes: Any) -> Option:
        """Return the same option with other words about it, where a command has more to say."""
        return replace(self, about=about, **changes)


def _listed(*known: Option) -> dict[str, Option]:
    return {option.name: option for option in known}


OPTIONS = _listed(
    # Where a roll was made.
    Option("banked", "Position", "N", "points of the dice set aside", WHOLE),
    Option("target", "Position", "X", "I am second and they made X", WHOLE),
    Option("state", "Position", "STATE", "a game of your own: the state, as it is written; the start if not said"),
    Option("rolls-left", "Position", "K", "how many rolls may follow, where rolls are counted", WHOLE),
    Option("card", "Position", "CARD", "scorecards: the filled boxes, as ones:3,chance:22"),
    Option("their-dice", "Position", "DICE", "alternating: the dice they have left"),
    Option("lead", "Position", "L", "alternating: my banked points less theirs", WHOLE),
    Option("players-after", "Position", "K", "players in turn: how many play after me", WHOLE),
    Option("sharing", "Position", "C", "players in turn: how many share the best score", WHOLE),
    Option("turn", "Position", "T", "race: points of this turn before the roll", WHOLE),
    Option("score", "Position", "S", "race: my score", WHOLE),
    Option("opponent", "Position", "O", "race: their score", WHOLE),
    Option("busts", "Position", "B", "race with three_busts: my turns in a row that banked nothing", WHOLE),
    Option("opponent-busts", "Position", "B", "race with three_busts: theirs", WHOLE),
    # Who plays, and how.
    Option("policy", "Players", "P", "a policy: a name, a card, or FILE.py:NAME", complete=policy_names),
    Option("policies", "Players", "A,B,...", "which policies; the built-in ones if not said", complete=policy_names),
    Option("to", "Players", "Q", "the second way to play; win, or the best for the aim, if not said", complete=policy_names),
    Option("against", "Players", "POLICY", "they play this policy", complete=policy_names),
    Option("first", "Players", "P", "the first player's policy; win if not said", complete=policy_names),
    Option("second", "Players", "P", "the second player's policy; score if not said", complete=policy_names),
    Option("seat", "Players", "SEAT", "which seat", choices=("first", "second")),
    # What is played.
    Option("tie", "Match", "RULE", "what a tie is: split, first, second, replay, or its worth to the second, 0 to 1",
           default="split", complete=words("split", "first", "second", "replay")),
    Option("match", "Match", "FORMAT", "in turn, roll by roll, or unseen", default="sequential",
           choices=("sequential", "alternating", "simultaneous")),
    Option("players", "Match", "N", "N players in turn", WHOLE),
    Option("aim", "Question", "AIM", "what to play for: win, points, reach:N, or FILE.csv with lines score,worth",
           default="win", complete=aim_names),
    Option("chance", "Question", "C", "only the worst score that wins at least so often, 0 to 1, for who has finished",
           NUMBER),
    Option("whole", "Question", "", "race: the turns to the goal, alone, in place of the points of one turn"),
    # How much it may take.
    Option("threads", "Work", "N", "how many threads to use", WHOLE),
    Option("processes", "Work", "N", "how many processes to work in", WHOLE),
    Option("cluster", "Work", "ADDRESS", "a Dask scheduler, or local"),
    Option("tolerance", "Work", "X", "simultaneous: what an answer may gain, 1e-6 if not said", NUMBER),
    Option("tables", "Work", "DIR", "the folder of the solved tables", complete=folders),
    Option("untrusted", "Work", "", "the tables in --tables DIR are from elsewhere: open them apart, and recompute them"),
    Option("seed", "Work", "S", "same seed, same dice", WHOLE, default=0),
    Option("games", "Work", "N", "how many games, as 20000 or 1e6", WHOLE),
    Option("force", "Work", "", "replace a file that is there, and start whatever it takes"),
    # What is shown, and where.
    Option("json", "Output", "", "print one JSON object"),
    Option("output", "Output", "FILE", "write it to a file", short="-o", complete=files),
    Option("top", "Output", "K", "show only the best K; 0 is all", WHOLE),
    Option("sort", "Output", "BY", "what the moves are sorted by", default="win", choices=("win", "score")),
    Option("site", "Output", "DIR", "a folder in place of one file: for any https host, installable and offline",
           complete=files),
    Option("format", "Output", "F", "the format, else that of the file's suffix, else csv",
           choices=("csv", "json", "parquet")),
    Option("limit", "Output", "K", "how many, the dearest first; 100 rows, or 10 sentences, if not said", WHOLE),
    Option("all", "Output", "", "every row, in the order of states"),
    Option("by", "Output", "WHAT", "add up, in place of single rolls", choices=("place", "target", "score-difference")),
    Option("gain", "Output", "", "expected: what rolling adds to the turn total"),
    Option("delete", "Output", "", "delete those that are named"),
    Option("frontier", "Output", "", "what cards of every size lose, or win among N"),
    Option("size", "Question", "SIZE", "how much there is to remember; medium if not said",
           choices=("small", "medium", "large")),
    Option("figure", "Output", "FILE", "draw --y against --x", complete=files),
    Option("x", "Output", "COLUMN", "what runs along; the first variable if not said"),
    Option("y", "Output", "COLUMN", "what goes up", default="first_player_value"),
    # The advisor.
    Option("host", "Work", "ADDRESS", "where to listen", default="127.0.0.1"),
    Option("port", "Work", "N", "at which port", WHOLE, default=8000),
)  # fmt: skip


@dataclass(frozen=True)
class Argument:
    """What is typed without a name: one word, or with `many` all that are left."""

    name: str
    meta: str
    about: str
    many: bool = False
    required: bool = True
    joined: bool = False
    """Whether the words are one text, as those of a roll are."""
    complete: Complete | None = None


ARGUMENTS = {
    "game": Argument(
        "game", "GAME", "a name (gametheory games lists them), dice as 12d6+d8, a rules file as house.toml, or "
        "FILE.py:NAME, a game of your own (the file is run)",
        complete=game_names,
    ),
    "games": Argument("games", "GAME...", "which games", many=True, required=False, complete=game_names),
    "roll": Argument(
        "roll", "ROLL", "the dice on the table: d6:6,6,5 d8:7, or 6x12 and 11532 where all dice are alike",
        many=True, joined=True,
    ),
}  # fmt: skip
