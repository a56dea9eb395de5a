"""Which move is best: every distinct move of a roll, ranked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import games
from ..answers import Ranking
from ..match.kinds import kind_of
from ..match.solution import Player, Request, Solution
from .solve import find, named, read_policy

OPTIONS = (
    "banked", "rolls_left", "state", "target", "their_dice", "lead", "seat", "players_after", "sharing", "turn", "score",
    "opponent",
)  # fmt: skip
"""Everything that may place a roll, in one match or another."""


def moves(
    game: Any, roll: Any, *, tie: str | float = "split", match: str = "sequential", against: Player | None = None,
    sort: str = "win", tables: str | Path | None = None, **position: Any,
) -> Ranking:  # fmt: skip
    """Rank every distinct move of a roll, best first.

    The position is said by the options of the game and the match: `banked` and `target` (pools: with a target I am second
    and they made it), `rolls_left` (games that count rolls: how many may follow this one), `their_dice`, `lead` and `seat`
    (alternating), `players_after` and `sharing` (several players), `turn`, `score` and `opponent` (races), `state` (a game
    of your own). `against` names a policy that they play.
    """
    if sort not in ("win", "score"):
        raise ValueError(f"cannot sort moves by {sort!r}: say win or score")
    given = {name: value for name, value in position.items() if value is not None}
    if isinstance(game, Solution):
        return _ask(game, roll, against, sort, given)
    chosen = named(game)
    request = Request(match, tie, _players(given))
    kind = kind_of(chosen, request)
    kind.check_question(chosen, "moves")
    _check_options(chosen, kind, given)
    games.notation(chosen).check(roll, **{name: given[name] for name in games.notation(chosen).options if name in given})
    solution = find(
        chosen, "moves", tie, match=match, players=request.players, tables=tables, policies=(against,)
    )  # fmt: skip
    return _ask(solution, roll, against, sort, given)


def _ask(solution: Solution, roll: Any, against: Player | None, sort: str, given: dict[str, Any]) -> Ranking:
    _check_options(solution.game, type(solution), given)
    policy = None if against is None else read_policy(against, solution.game)
    return solution.moves(roll, sort=sort, against=policy, **given)


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
        if name not in OPTIONS:
            raise TypeError(f"moves() got an unexpected keyword argument {name!r}")
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
    "seat": "pools, --match alternating",
    "players_after": "pools: several players in turn",
    "sharing": "pools: several players in turn",
}
"""What the options of matches are for."""


def _written(options: tuple[str, ...]) -> str:
    return ", ".join(f"--{name.replace('_', '-')}" for name in options)
