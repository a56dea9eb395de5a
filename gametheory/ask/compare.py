"""What policies come to, exactly: distributions, results by seat, the second player's chance, the best answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import aims, progress
from ..answers import Chase, Comparison, Distribution
from ..match.solution import Player, Solution
from ..outcomes import check_draws
from ..tabular import Facts
from .solve import asked_of, check_named, find, read_policies, read_policy


def second(
    game: object, *, tie: str | float = "split", players: int | None = None, players_after: int | None = None,
    tables: str | Path | None = None,
) -> Chase:  # fmt: skip
    """Return the chance of the player to come against every score of the one who has finished, lowest first.

    In a race it is that of the player to move at 0. With `players` it is that of the next of several, `players_after` of
    whom come after. `needed(chance)` turns the question round: the worst score that wins so often.

    >>> round(second("2d6")[9], 6), second("2d6").needed(0.6)
    (0.421296, 10)
    """
    if players_after is not None and players is None and not isinstance(game, Solution):
        raise ValueError(f"--players-after {players_after}: say of how many players, --players N")
    if players_after is not None and players is not None and not 0 <= players_after <= players - 2:
        raise ValueError(f"{players_after} players after the next: of {players} players from 0 to {players - 2} can be")
    found = find(game, "chase", tie, players=players, tables=tables)
    return found.chase(players_after=players_after)


def distribution(
    game: object, policy: Player | None = None, *, target: float | None = None, score: int | None = None,
    opponent: int | None = None, whole: bool = False, seat: str | int | None = None, players: int | None = None,
    match: str = "sequential", tie: str | float = "split", aim: object = aims.WIN, force: bool = False,
    tables: str | Path | None = None,
) -> Distribution:  # fmt: skip
    """Return the exact distribution of a policy's final score; with a target it plays second against it.

    With `players` it is the best score among so many who all play the policy, none of whom sees the others; with `seat` too,
    that of one of them in turn. In a race it is that of the points of one turn at `score` and `opponent`, or, with `whole`,
    of the turns to the goal. With an aim the policy is the best play for it, if not said.

    >>> distribution("2d6", "score", players=2).mean > distribution("2d6", "score").mean
    True
    """
    draws, several = (None, players) if seat is not None else (players, None)
    if draws is not None:
        check_draws(draws)
        if match != "sequential":
            raise ValueError(f"--match {match}: the best of {draws} is of players who see nothing; leave --match out")
        if target is not None:
            raise ValueError(f"--target {target}: the best of {draws} is of players who see no score; leave it out")
    kind, chosen, _ = asked_of(game, tie, match=match, players=several, aim=aim)
    kind.check_question(chosen, "distribution")
    said = {"score": score, "opponent": opponent, "whole": whole or None}
    given = {name: value for name, value in said.items() if value is not None}
    for name in given:
        if name not in kind.distribution_options:
            raise ValueError(f"--{name} is for races, {chosen.name} is none: leave it out")
    kind.check_distribution(chosen, several, target, seat, policy=policy, **given)
    if policy is None:
        policy = check_named(aim)
    solution = find(
        game, "distribution", tie, match=match, players=several, aim=aim, tables=tables, policies=(policy,)
    )  # fmt: skip
    one = read_policy(policy, solution.game)
    with progress.bar("evaluating") as advance:
        found = solution.distribution(one, target, seat=seat, force=force, progress=advance, **given)
    return found if draws is None else found.best_of(draws)


def compare(
    game: object, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, match: str = "sequential",
    players: int | None = None, tie: str | float = "split", force: bool = False, tables: str | Path | None = None,
) -> Comparison:  # fmt: skip
    """Return exact results between policies, by seat; all built-in ones if none are named.

    With `players` a row is the policy of one seat, the first if not said, a column that of all others.

    >>> compare("2d6", ["score", "greedy"]).value.round(6).tolist()
    [[0.5, 0.529417], [0.470583, 0.5]]
    """
    kind, known, _ = asked_of(game, tie, match=match, players=players)
    kind.check_compare(known, players, seat)
    solution = find(
        game, "compare", tie, match=match, players=players, tables=tables, policies=tuple(policies or ())
    )  # fmt: skip
    chosen = read_policies(tuple(policies), solution.game) if policies else None
    with progress.bar("comparing") as advance:
        return solution.compare(chosen, seat=seat, force=force, progress=advance)


def best_answer(
    game: object, against: Player, *, tie: str | float = "split", players: int | None = None,
    tables: str | Path | None = None,
) -> Facts:  # fmt: skip
    """Return what the best answer to a policy is worth, to the first player and to the second.

    >>> round(best_answer("2d6", "greedy")["first_player_value"], 6)
    0.529417
    """
    solution = find(game, "best_answer", tie, players=players, tables=tables, policies=(against,))
    with progress.bar("answering") as advance:
        return Facts(solution.best_answer(read_policy(against, solution.game), advance))
