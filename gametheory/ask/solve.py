"""Where every question begins: the solution of what was named, found in a stored table or solved now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import games
from ..match.kinds import kind_of
from ..match.solution import Player, Request, Solution
from ..store import library


def solve(
    game: Any, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    threads: int | None = None, force: bool = False, tolerance: float | None = None,
) -> Solution:  # fmt: skip
    """Solve a game, or the game of a name, in a format, and store nothing.

    A game for two in turn gives a `Duel`; races and other formats give their own kinds of solution. `tolerance` is what an
    answer may gain against the equilibrium of a simultaneous match.
    """
    return library.compute(named(game), Request(match, tie, players, threads, force, tolerance))


def named(game: Any) -> Any:
    """Return a game: itself, what its name says, or that of a solution."""
    if isinstance(game, Solution):
        return game.game
    return games.game(game) if isinstance(game, str) else games.family(game).adopt(game)


def asked_of(game: Any, tie: str | float = "split") -> tuple[type[Solution], Any]:
    """Return the kind of match for two that is asked, and its game."""
    if isinstance(game, Solution):
        return type(game), game.game
    chosen = named(game)
    return kind_of(chosen, Request(tie=tie)), chosen


def find(
    game: Any, question: str, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    tables: str | Path | None = None, policies: tuple[Player | None, ...] = (),
) -> Solution:  # fmt: skip
    """Return a solution to ask a question: itself, or that of a game or of its name.

    A question that the match does not answer and unknown policies are refused before anything is solved; what answers it
    without being solved is not solved.
    """
    if isinstance(game, Solution):
        return game
    chosen, request = named(game), Request(match, tie, players)
    kind = kind_of(chosen, request)
    kind.check_question(chosen, question)
    for policy in policies:
        if policy is not None:
            check_policy(kind, chosen, policy)
    return kind.unsolved(chosen, question, request) or library.find(chosen, request, tables)


def check_policy(kind: type[Solution], game: Any, policy: Player) -> None:
    """Refuse a name that no policy has, and a card that cannot be read."""
    if is_card(policy):
        read_policy(policy, game)
    elif isinstance(policy, str) and kind.policy_names(game) and games.family(game).cards:
        try:
            kind.check_policy(game, policy)
        except ValueError as error:
            raise ValueError(f"{error}, or the path of a card (a TOML file)") from None
    else:
        kind.check_policy(game, policy)


def is_card(policy: Player) -> bool:
    """Tell whether a policy is named by the path of a card."""
    return isinstance(policy, str) and policy.lower().endswith(".toml")


def read_policy(policy: Player, game: Any) -> Player:
    """Return a policy as solutions take it: a card out of its file, anything else as it is."""
    if not is_card(policy):
        return policy
    from ..cards import file

    return replace(file.load(str(policy), game), name=str(policy))  # by what it was called, as others are
