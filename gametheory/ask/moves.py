"""Which move is best: every distinct move of a roll, ranked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import aims, games
from ..answers import Ranking
from ..match.kinds import kind_of
from ..match.solution import Player, Request, Solution
from ..store import library
from .solve import asked_of, find, read_policies

OPTIONS = (
    "banked", "rolls_left", "card", "state", "target", "their_dice", "lead", "seat", "players_after", "sharing", "turn",
    "score", "opponent", "busts", "opponent_busts",
)  # fmt: skip
"""Everything that may place a roll, in one match or another."""


def moves(
    game: object, roll: object, *, banked: int | None = None, target: float | None = None, state: object = None,
    turn: int | None = None, score: int | None = None, opponent: int | None = None, rolls_left: int | None = None,
    card: object = None, busts: int | None = None, opponent_busts: int | None = None,
    seat: str | None = None,
    their_dice: str | None = None, lead: int | None = None, players_after: int | None = None, sharing: int | None = None,
    tie: str | float = "split", match: str = "sequential", aim: object = aims.WIN, against: Player | None = None,
    sort: str = "win", tables: str | Path | None = None,
) -> Ranking:  # fmt: skip
    """Rank every distinct move of a roll, best first.

    The position is said by the options of the game and the match: `banked` and `target` (pools: with a target I am second
    and they made it), `rolls_left` (games that count rolls: how many may follow this one), `card` (scorecards: the
    filled boxes, as "ones:3,chance:22"), `their_dice`, `lead` and `seat`
    (alternating), `players_after` and `sharing` (several players), `turn`, `score` and `opponent` (races; `busts` and
    `opponent_busts` where three in a row cost), `state` (a game of your own). `against` names a policy that they play,
    `aim` what is played for in place of winning.

    >>> moves("2d6", "d6:6,3", target=9)
    2d6: d6:6,3 with 0 banked, second, they made 9, ties split
          win      score  keep
     0.583333     9.5000  d6:6
     0.500000     9.0000  d6:6,3
     0.083333     6.5000  d6:3
    """
    if sort not in ("win", "score"):
        raise ValueError(f"cannot sort moves by {sort!r}: say win or score")
    said = {
        "banked": banked, "target": target, "state": state, "turn": turn, "score": score, "opponent": opponent,
        "rolls_left": rolls_left, "card": card, "seat": seat, "their_dice": their_dice, "lead": lead,
        "players_after": players_after, "sharing": sharing, "busts": busts, "opponent_busts": opponent_busts,
    }  # fmt: skip
    given = {name: value for name, value in said.items() if value is not None}
    players = None if isinstance(game, Solution) else _players(given)
    kind, chosen, request = asked_of(game, tie, match=match, players=players, aim=aim)
    kind.check_question(chosen, "moves")
    if against is not None and kind.alone:
        raise ValueError(f"--against {against}: an aim is one player's alone, leave --against or --aim out")
    if against is not None and not kind.deals:
        raise ValueError(f"--against {against} is for the game for two in turn: leave it out, all play to win")
    _check_options(chosen, kind, given)
    if kind is not type(game):
        kind.check_moves(chosen, request, roll, **given)
    if sort == "score" and aim == aims.WIN and against is None and "solo" in games.family(chosen).kinds:
        points = Request(aim=aims.POINTS)
        kept = kind is not type(game) and kind_of(chosen, points).kept(chosen, points)
        if kept and library.missing(chosen, request, tables):
            # The table of both seats takes minutes, that of points is there: what moves are worth for points, no chances.
            position = {name: given[name] for name in games.notation(chosen).options if name in given}
            return find(game, "moves", aim=aims.POINTS, tables=tables).moves(roll, sort=sort, **position)
    solution = find(game, "moves", tie, match=match, players=players, aim=aim, tables=tables, policies=(against,))
    (opposing,) = read_policies((against,), solution.game)
    return solution.moves(roll, sort=sort, against=opposing, **given)


def _players(given: dict[str, Any]) -> int | None:
    """Return how many play, as the position says it: None for two."""
    if "players_after" not in given and "sharing" not in given:
        return None
    after, sharing = given.get("players_after", 0), given.get("sharing", 1)
    if after < 0 or sharing < 1:
        raise ValueError(f"{after} players after me and {sharing} sharing the best score: give 0 or more and 1 or more")
    return int(after + 1 + sharing) if "target" in given else max(2, int(after) + 1)


def _check_options(game: Any, kind: type[Solution], given: dict[str, Any]) -> None:
    """Refuse what does not place a roll of this game in this match, saying what it is for."""
    known = (*games.notation(game).options, *kind.options)
    for name in given:
        if name not in known:
            option = f"--{name.replace('_', '-')}"
            if name in games.family(game).options:
                raise ValueError(f"{option} places no roll of {game.name}: leave it out, or say {_written(known)}")
            raise ValueError(f"{option} {_purpose(name)}: leave it out, or say {_written(known)}")


def _purpose(name: str) -> str:
    """Say what an option is for: the families whose positions it places, or the matches."""
    families = [family.nouns for family in games.families().values() if name in family.options]
    if families:
        return f"is for {' and '.join(families)}"
    return f"is for {PURPOSES[name]}"


PURPOSES = {
    "target": "pools: the second of two in turn",
    "their_dice": "pools, --match alternating",
    "lead": "pools, --match alternating",
    "seat": "pools",
    "players_after": "pools: several players in turn",
    "sharing": "pools: several players in turn",
}
"""What the options of matches are for."""


def _written(options: tuple[str, ...]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in options)
