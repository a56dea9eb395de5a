"""Where playing to win and playing for points part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import progress
from ..differences import Difference
from ..match.solution import Player, Solution
from .solve import asked_of, find, read_policy


def diff(
    game: Any, *, seat: str | None = None, target: Any = None, against: Player | None = None,
    by: str | None = None, tie: str | float = "split", tables: str | Path | None = None,
) -> Difference:  # fmt: skip
    """Find where playing to win and playing for points part, along the play for points.

    Seen from the first seat if not said; with a target from the second, against it. `against` names a policy that they
    play. The answer has the figures of a game, `top(limit)`, `rows()` and `by(...)`; say `by` here too to have it refused
    before anything is solved.
    """
    kind, chosen = asked_of(game, tie)
    kind.check_question(chosen, "diff")
    kind.check_diff(chosen, seat, target, by)
    solution = find(game if isinstance(game, Solution) else chosen, "diff", tie, tables=tables, policies=(against,))
    policy = None if against is None else read_policy(against, solution.game)
    with progress.bar("comparing") as advance:
        return solution.diff(seat=seat, target=target, against=policy, progress=advance)
