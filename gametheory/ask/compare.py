"""What policies come to, exactly: distributions, results by seat, the second player's chance, the best answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import progress
from ..answers import Comparison, Distribution, Plain
from ..match.solution import Player
from .solve import find, read_policy


def second(game: Any, *, tie: str | float = "split", tables: str | Path | None = None) -> dict[Any, float]:
    """Return the second player's chance against every final score of the first, by score, lowest first."""
    scores, chances = find(game, "second_by_target", tie, tables=tables).second_by_target()
    return dict(zip(scores, chances, strict=True))


def distribution(
    game: Any, policy: Player, *, target: Any = None, tie: str | float = "split", tables: str | Path | None = None,
    force: bool = False,
) -> Distribution:  # fmt: skip
    """Return the exact distribution of a policy's final score; with a target it plays second against it."""
    solution = find(game, "distribution", tie, tables=tables, policies=(policy,))
    chosen = read_policy(policy, solution.game)
    with progress.bar("evaluating") as advance:
        return solution.distribution(chosen, target, force=force, progress=advance)


def compare(
    game: Any, policies: Sequence[Player] | None = None, *, tie: str | float = "split",
    tables: str | Path | None = None, force: bool = False,
) -> Comparison:  # fmt: skip
    """Return exact results between policies, by seat; all built-in ones if none are named."""
    solution = find(game, "compare", tie, tables=tables, policies=tuple(policies or ()))
    chosen = [read_policy(policy, solution.game) for policy in policies] if policies else None
    with progress.bar("comparing") as advance:
        return solution.compare(chosen, force=force, progress=advance)


def best_answer(
    game: Any, against: Player, *, tie: str | float = "split", players: int | None = None,
    tables: str | Path | None = None,
) -> Plain:  # fmt: skip
    """Return what the best answer to a policy is worth, to the first player and to the second."""
    solution = find(game, "best_answer", tie, players=players, tables=tables, policies=(against,))
    with progress.bar("answering") as advance:
        return solution.best_answer(read_policy(against, solution.game), advance)
