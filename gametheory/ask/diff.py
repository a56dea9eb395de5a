"""Where two ways to play part."""

from __future__ import annotations

from pathlib import Path

from .. import aims, progress
from ..differences import Difference
from ..match.solution import Player, seat_number
from .solve import asked_of, find, read_policies


def diff(
    game: object, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None,
    target: float | None = None, against: Player | None = None, by: str | None = None, tie: str | float = "split",
    match: str = "sequential", players: int | None = None, aim: object = aims.WIN, force: bool = False,
    tables: str | Path | None = None,
) -> Difference:  # fmt: skip
    """Find where two ways to play part, along the play of the first: for points and to win, if not said.

    Seen from the first seat if not said; with a target from the second, against it. `against` names a policy that they
    play. With an aim the second way is the best play for it. The answer has the figures of a game, `top(limit)`, `rows()`
    and `by(...)`; say `by` here too to have it refused before anything is solved.

    >>> diff("2d6").win_probability_lost
    0.0
    >>> round(diff("3d6", policy="greedy").win_probability_lost, 6)
    0.040078
    """
    kind, chosen, _ = asked_of(game, tie, match=match, players=players, aim=aim)
    kind.check_question(chosen, "diff")
    kind.check_diff(chosen, seat, target, by)
    if against is not None and kind.alone:
        raise ValueError(f"--against {against}: an aim is one player's alone, leave --against or --aim out")
    if players is not None and seat is not None:
        seat_number(seat, players)
    solution = find(
        game, "diff", tie, match=match, players=players, aim=aim, tables=tables, policies=(policy, to, against)
    )  # fmt: skip
    one, other, opponent = read_policies((policy, to, against), solution.game)
    with progress.bar("comparing") as advance:
        return solution.diff(
            policy=one, to=other, seat=seat, target=target, against=opponent, force=force, progress=advance
        )  # fmt: skip
