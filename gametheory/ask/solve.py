"""Where every question begins: the solution of what was named, found in a stored table or solved now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import aims, games, source
from ..match.kinds import kind_of
from ..match.solution import Player, Request, Solution
from ..store import library


def solve(
    game: object, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    aim: object = aims.WIN, threads: int | None = None, force: bool = False, tolerance: float | None = None,
) -> Solution:  # fmt: skip
    """Solve a game, or the game of a name, in a format, and store nothing.

    A game for two in turn gives a `Duel`; races and other formats give their own kinds of solution. `aim` is what is
    played for in place of winning: points, reach:95, a file, a function or an array of worths by final score. `tolerance`
    is what an answer may gain against the equilibrium of a simultaneous match.

    >>> solve("2d6")
    <Duel of 2d6, ties split: first player 0.484686, second 0.515314; expected score 8.236111>
    >>> solve("2d6", aim="reach:10")
    <Solo 2d6 for reach:10: 0.356481; expected score 8.236111>
    """
    return library.compute(named(game), Request(match, tie, players, threads, force, tolerance, aim))


def named(game: object) -> Any:
    """Return a game: itself, what its name or its file says, or that of a solution."""
    if isinstance(game, Solution):
        return game.game
    return games.game(str(game)) if isinstance(game, str | Path) else games.family(game).adopt(game)


def asked_of(
    game: object, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    aim: object = aims.WIN,
) -> tuple[type[Solution], Any, Request]:  # fmt: skip
    """Return the kind of match that is asked, its game, and what is asked; refuse a solution of another match."""
    request = Request(match, tie, players, aim=aim)
    if not isinstance(game, Solution):
        chosen = named(game)
        return kind_of(chosen, request), chosen, request
    if isinstance(aim, str) and aim == aims.WIN:
        for name, said, own in (("match", match, game.match), ("tie", str(tie), game.tie)):
            if said not in (own, getattr(Request, name)):
                raise ValueError(f"{name} {said!r} of a solution that has {name} {own!r}: leave it out, or name the game")
        return type(game), game.game, request
    return kind_of(game.game, request), game.game, request


def find(
    game: object, question: str, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    aim: object = aims.WIN, tables: str | Path | None = None, policies: tuple[Player | None, ...] = (),
) -> Solution:  # fmt: skip
    """Return a solution to ask a question: itself, or that of a game or of its name.

    A question that the match does not answer and unknown policies are refused before anything is solved; what answers it
    without being solved is not solved.
    """
    kind, chosen, request = asked_of(game, tie, match=match, players=players, aim=aim)
    kind.check_question(chosen, question)
    for policy in policies:
        if policy is not None:
            check_policy(kind, chosen, policy)
    if isinstance(game, Solution) and kind is type(game):
        return game
    return kind.unsolved(chosen, question, request) or library.find(chosen, request, tables)


def policy_names(game: object) -> tuple[str, ...]:
    """List the built-in policies of a game in turn.

    >>> policy_names("4d6")
    ('score', 'win', 'greedy', 'random', 'cutoff')
    """
    kind, chosen, _ = asked_of(game)
    return kind.policy_names(chosen)


def check_named(aim: object) -> Player:
    """Return the best play for an aim as a policy; refuse a question without either."""
    found = aims.read(aim)
    if found is None:
        raise ValueError("say a policy (--policy P), as score or win, or an aim (--aim)")
    return found.name


# Policies that are not built in: cards, and functions of a file.


def check_policy(kind: type[Solution], game: Any, policy: Player) -> None:
    """Refuse a name that no policy has, a card that cannot be read, and a file that cannot be run."""
    if is_card(policy) or is_function(policy):
        read_policy(policy, game)
    elif isinstance(policy, str) and kind.policy_names(game):
        try:
            kind.check_policy(game, policy)
        except ValueError as error:
            card = ", the path of a card (a TOML file)" if games.family(game).cards else ""
            raise ValueError(f"{error}{card} or a function, FILE.py:NAME") from None
    else:
        kind.check_policy(game, policy)


def is_card(policy: Player) -> bool:
    """Tell whether a policy is named by the path of a card."""
    return isinstance(policy, str) and policy.lower().endswith(".toml")


def is_function(policy: Player) -> bool:
    """Tell whether a policy is named as a function of a Python file."""
    return isinstance(policy, str) and source.is_source(policy)


@dataclass(frozen=True)
class Function:
    """A function of position and roll, out of a file; what goes wrong in it is told in one line."""

    function: Callable[[Any, Any], Any]
    name: str
    ignores: tuple[str, ...]

    def __call__(self, position: Any, roll: Any) -> Any:
        try:
            return self.function(position, roll)
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0]
            raise ValueError(f"{self.name} fails for the roll {roll} at {position} ({said}): mend it") from error


def read_policy(policy: Player, game: Any) -> Player:
    """Return a policy as solutions take it: a card or a function out of its file, anything else as it is."""
    if is_function(policy):
        made = source.make(str(policy))
        if not callable(made):
            raise ValueError(f"{policy} is {type(made).__name__}, no function of position and roll: name one")
        said = getattr(made, "ignores", ())
        return Function(made, str(policy), (said,) if isinstance(said, str) else tuple(said))
    if not is_card(policy):
        return policy
    from ..cards import file

    return replace(file.load(str(policy), game), name=str(policy))  # by what it was called, as others are


def read_policies(policies: tuple[Player | None, ...], game: Any) -> list[Player | None]:
    """Return policies as solutions take them; None stays None."""
    return [None if policy is None else read_policy(policy, game) for policy in policies]
