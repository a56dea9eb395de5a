"""Ties: what a tied game is worth, and when two values count as equal. One rule for every family, policy and kernel."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import TypeVar

TIED = 1e-10
"""Moves that are worth no less than the best by more than this count as equal to it."""

DISAGREE = 1e-9
"""A move that is worse than another by more than this is a disagreement."""

TIES = {"split": 0.5, "first": 0.0, "second": 1.0}
"""What a tie is worth to the second player, by the name of the rule; `replay` is worth the game itself."""

REPLAY_RESIDUAL = 1e-14

Result = TypeVar("Result")


def parse_tie(tie: str | float) -> tuple[str, float | None]:
    """Return a tie rule's name and what a tie is worth to the second player: None for replay, which must be solved.

    >>> parse_tie("split"), parse_tie(0.25)
    (('split', 0.5), ('0.25', 0.25))
    """
    if tie == "replay":
        return "replay", None
    if isinstance(tie, str) and tie in TIES:
        return tie, TIES[tie]
    try:
        worth = float(tie)
    except (TypeError, ValueError):
        raise ValueError(
            f"there is no tie rule {tie!r}: say split, first, second, replay, or a number from 0 to 1, "
            "what a tie is worth to the second player"
        ) from None
    if not 0 <= worth <= 1:
        raise ValueError(f"a tie cannot be worth {tie} to the second player: give a number from 0 to 1")
    return repr(worth), worth


def stored_worth(tie: str, worth: float) -> float:
    """Return what a table says a tie is worth; refuse a worth that its rule does not have."""
    _, known = parse_tie(tie)
    if known is not None and known != worth:
        raise ValueError(f"the tie rule {tie} is worth {known}, not {worth}")
    return worth


def check_replay(name: str, scores: Sized) -> None:
    """Refuse to replay the ties of a game in which there is but one score."""
    if len(scores) == 1:
        raise ValueError(f"every game of {name} is tied, so that it would be replayed for ever: take another tie rule")


def settle_replay(solve: Callable[[float], Result], first_value: Callable[[Result], float]) -> tuple[float, Result]:
    """Find the worth of a tie to the second player that equals the second player's value (secant method).

    `solve` takes a worth, `first_value` tells the first player's value of what it returns. Returns the worth and what was
    solved with it.
    """
    worth, slope = 0.5, -1.0
    before, residual_before = worth, 0.0
    for _ in range(100):
        found = solve(worth)
        residual = 1.0 - first_value(found) - worth
        if abs(residual) <= REPLAY_RESIDUAL:
            return worth, found
        if worth != before:
            slope = (residual - residual_before) / (worth - before)
        before, residual_before = worth, residual
        # The value grows with the worth of a tie, by no more than the chance of one.
        worth = min(1.0, max(0.0, worth - residual / min(slope, -1e-3)))
    raise ArithmeticError("the value of a replayed tie did not settle")
