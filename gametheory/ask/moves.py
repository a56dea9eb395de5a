"""Rank the moves of one roll: what each keep leads to, in points and in chances to win.

One rule for ties, here and in every policy: moves within TIED of the best are equal. Playing to win, the one with the
higher expected score is taken; then, and at once when playing for points, the one that keeps fewer dice, then more of
the smallest die, then of the next, then higher faces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import dice
from ..dice import Roll
from ..games import PoolGame, State
from ..match.duel import Duel

TIED = 1e-10
"""Values no further apart than this count as equal."""


class Move(NamedTuple):
    """One way to play a roll, with what it leads to if the play is best, for either figure, from then on."""

    keep: Roll
    points: int
    dice_left: tuple[int, ...]
    expected_score: float
    win_probability: float


@dataclass(frozen=True)
class Ranking:
    """Every distinct move of a roll, best first; `best_for_win` and `best_for_score` are places in `moves`."""

    game: PoolGame
    roll: Roll
    banked: int
    moves: tuple[Move, ...]
    best_for_win: int
    best_for_score: int

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return the ranking as plain data, keeps and dice in notation."""
        return {
            "game": self.game.name,
            "roll": dice.format_roll(self.roll, self.game.kinds),
            "banked": self.banked,
            "moves": [
                {
                    "keep": dice.format_roll(move.keep, self.game.kinds),
                    "points": move.points,
                    "dice_left": dice.format_dice(move.dice_left, self.game.kinds),
                    "expected_score": move.expected_score,
                    "win_probability": move.win_probability,
                }
                for move in self.moves[:top]
            ],
            "best_for_win": self.best_for_win,
            "best_for_score": self.best_for_score,
        }

    def __str__(self) -> str:
        lines = [
            f"{move.win_probability:9.6f} {move.expected_score:10.4f}  {dice.format_roll(move.keep, self.game.kinds)}"
            for move in self.moves[:20]
        ]
        more = [f"... and {len(self.moves) - 20} more"] if len(self.moves) > 20 else []
        return "\n".join([f"{'win':>9} {'score':>10}  keep", *lines, *more])


def preference(keep: Roll) -> tuple[Any, ...]:
    """Return what moves of equal worth are sorted by, the preferred one lowest."""
    counts = [len(faces) for faces in keep]
    return sum(counts), tuple(-n for n in counts), tuple(tuple(-face for face in faces) for faces in keep)


def order(moves: Sequence[Move], sign: int, by: str = "win") -> list[Move]:
    """Sort moves, best first, with the rule for ties; `sign` is -1 where a lower score is better."""
    ranked = sorted(moves, key=lambda move: preference(move.keep))
    ranked = _by_worth(ranked, lambda move: sign * move.expected_score)
    return _by_worth(ranked, lambda move: move.win_probability) if by == "win" else ranked


def _by_worth(moves: list[Move], worth: Callable[[Move], float]) -> list[Move]:
    """Sort by worth, highest first; runs of moves within TIED of the first of the run keep the order they came in."""
    places = {id(move): place for place, move in enumerate(moves)}
    ranked = sorted(moves, key=lambda move: (-worth(move), places[id(move)]))
    runs: list[list[Move]] = []
    for move in ranked:
        if runs and worth(runs[-1][0]) - worth(move) <= TIED:
            runs[-1].append(move)
        else:
            runs.append([move])
    return [move for run in runs for move in sorted(run, key=lambda move: places[id(move)])]


def read_roll(game: PoolGame, roll: str | Roll, banked: int | None) -> tuple[Roll, State]:
    """Read a roll of a game and the state it was rolled in; refuse what cannot occur."""
    shown = dice.parse_roll(roll, game.kinds) if isinstance(roll, str) else roll
    left = tuple(len(faces) for faces in shown)
    if banked is None:
        if left != game.counts:
            game.check_dice(left)
            raise ValueError(
                f"the roll has {dice.format_dice(left, game.kinds)} of {game.dice}: say how many points the dice set "
                "aside have made (--banked N, banked=N)"
            )
        banked = 0
    game.check_state(left, banked)
    return shown, State(left, banked)


def rank(
    duel: Duel,
    roll: str | Roll,
    banked: int | None = None,
    target: int | None = None,
    *,
    sort: str = "win",
    win: Callable[[tuple[int, ...], int], float] | None = None,
) -> Ranking:
    """Rank every distinct move of a roll; with a target I am second and they made it, without I am first.

    `win(dice left, banked)` says the chance to win after a move where the match is another one than the duel itself.
    """
    if sort not in ("win", "score"):
        raise ValueError(f"cannot sort moves by {sort!r}: say win or score")
    game = duel.game
    shown, state = read_roll(game, roll, banked)
    if win is None:
        win = duel.first if target is None else lambda left, banked: duel.second(target, left, banked)
    found = [
        Move(keep, points, after.dice_left, duel.expected(after.dice_left, after.banked), win(*after))
        for keep, after, points in game.moves(state, shown)
    ]
    by_win, by_score = (order(found, game.sign, by) for by in ("win", "score"))
    ranked = by_win if sort == "win" else by_score
    return Ranking(game, shown, state.banked, tuple(ranked), ranked.index(by_win[0]), ranked.index(by_score[0]))
