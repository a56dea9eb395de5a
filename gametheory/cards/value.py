"""What cut-off cards come to, exactly: where their rolls lead, expected scores and chances to win (see `kernel`).

A card is whatever says `keep`, `hold`, `worth`, `look_again`, `take`, `ties` and `pace`, as `rule.Card` does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array
from ..match.duel import Duel
from ..pool.rules import PoolGame
from .pace import FREE, Pace


def check_rules(game: PoolGame) -> PoolGame:
    """Return a game of which there are cards; refuse one whose rules no card knows."""
    if not game.plain:
        raise ValueError(
            f"there are no cards for {game.name}, whose rules say keep_at_least or rolls: a card counts on keeping single "
            "dice as often as need be"
        )
    return game


class _Facts(NamedTuple):
    pools: Any
    order: Any
    chance: Array
    most: Any
    strides: Any
    room: int


@lru_cache(maxsize=32)
def facts(game: PoolGame) -> _Facts:
    """Lay out a game for the kernel."""
    kinds = range(len(game.kinds))
    most = np.array([max(game.face_gains(k)) for k in kinds])
    chance = np.zeros((len(kinds), most.max() + 1))
    for k in kinds:
        for gain in game.face_gains(k):
            chance[k, gain] += 1 / game.kinds[k].sides
    strides = np.array([prod(n + 1 for n in game.counts[k + 1 :]) for k in kinds])
    order = np.array(sorted(range(1, len(game.pools)), key=lambda index: (sum(game.pools[index]), index)))
    room = len(game.pools) * (game.gain(game.counts) + 1) + int(most.sum()) + 2 * game.gain(game.counts) + 16
    return _Facts(np.array(game.pools), order, chance, most, strides, room)


@lru_cache(maxsize=256)
def gain_ladder(game: PoolGame, kind: int) -> tuple[int, ...]:
    """Return the different gains of a kind of die, the best first."""
    return tuple(sorted(set(game.face_gains(kind)), reverse=True))


def face_levels(card: Any) -> Any:
    """Return the level of every face by [kind, gain]: the most dice on the table with which it is kept."""
    laid = facts(card.game)
    levels = np.ones(laid.chance.shape, np.int64)  # the last die is kept whatever it shows
    for k, given in enumerate(card.keep):
        ladder = gain_ladder(card.game, k)
        levels[k, ladder[0]] = FREE
        for gain, most in zip(ladder[1:], given, strict=False):
            levels[k, gain] = most
        for gain in range(ladder[0] - 1, -1, -1):  # gains that no face has must not end the walk down
            if gain not in ladder:
                levels[k, gain] = levels[k, gain + 1]
    return levels


def _options(card: Any) -> tuple[bool, bool, bool]:
    return card.look_again, card.take == "nearest", card.ties == "larger"


def _card_arrays(card: Any) -> tuple[Any, Any, Array, tuple[bool, bool, bool]]:
    return face_levels(card), np.array((FREE, *card.hold)), np.array(card.worth, float), _options(card)


def _pars(card: Any) -> Array:
    """Return par by pool, or nothing to shift by where the card has no pace."""
    pace = card.pace or Pace()
    return np.array([pace.par + pace.par_larger * sum(left[1:]) for left in card.game.pools])


def read_pace(card: Any, spare: int, left: tuple[int, ...]) -> tuple[int, int]:
    """Return how many dice more the card is read with, and what a die may lose; plain, so that play needs no compiler."""
    pace = card.pace or Pace()
    above = spare - pace.par - pace.par_larger * sum(left[1:])
    shift = 0
    for by, more in zip(*pace.shifts, strict=True):
        if above >= by:
            shift = int(more)
    if pace.margin is None:
        return shift, FREE
    return shift, min(max(spare - pace.margin, 0), int(facts(card.game).most.max()))


def flow(card: Any, index: int, shift: int, limit: int, need: int) -> tuple[Any, Any, Any]:
    """Return where the rolls of one pool lead."""
    from . import kernel as card_kernel

    laid = facts(card.game)
    levels, holds, prices, options = _card_arrays(card)
    subs, gains, chances = card_kernel.flow(
        index, laid.pools[index], levels, shift, limit, need, holds, prices, options, laid.chance, laid.most,
        laid.strides, laid.room,
    )  # fmt: skip
    shown = chances > 0
    return subs[shown], gains[shown], chances[shown]


def expected_gain(card: Any) -> float:
    """Return the expected gain of a card that looks at the dice alone."""
    from . import kernel as card_kernel

    laid = facts(card.game)
    return float(
        card_kernel.expect(
            laid.pools, laid.order, *_card_arrays(card), laid.chance, laid.most, laid.strides, laid.room
        )[-1]
    )


@lru_cache(maxsize=16)
def best_first(duel: Duel) -> Array:
    """Return the distribution, by gain, of what the best first player makes."""
    return duel.made("win")


def first_payoff(duel: Duel) -> Array:
    """Return by gain what a final score is worth to the first player."""
    most = duel.game.gain(duel.game.counts)
    return 1.0 - duel.gain_second[-1, : most + 1][::-1]


def _fill_values(card: Any, pace: Pace, offset: int, begin: Any, end: Any, values: Array) -> None:
    """Fill in by [pool, column] what a card's play is worth; see `card_kernel.worth`."""
    from . import kernel as card_kernel

    laid = facts(card.game)
    margin = FREE if pace.margin is None else pace.margin
    card_kernel.worth(
        laid.pools, laid.order, begin, end, offset, _pars(replace(card, pace=pace)), *pace.shifts, margin, pace.cash,
        *_card_arrays(card), laid.chance, laid.most, laid.strides, laid.room, values,
    )  # fmt: skip


def share_payoff(duel: Duel, players: int) -> Array:
    """Return by outcome what a final score is worth among so many, the others playing for points, unseen; tops are shared.

    With C and B the chances that one of them makes no more, and less: (C^n - B^n) / (n (C - B)).
    """
    made = duel.made("score")
    reached = np.minimum(np.cumsum(made), 1.0)
    below = np.concatenate([[0.0], reached[:-1]])
    return np.asarray(sum(reached**k * below ** (players - 1 - k) for k in range(players)) / players)


def win_value(card: Any, duel: Duel, seat: str, payoff: Array | None = None) -> float:
    """Return the chance to win from a seat against the best opponent, a tie counted as the duel says.

    With a payoff it is that of the final score, which no other player sees.
    """
    game = duel.game
    if seat == "second":
        wins = chase(card, duel.space.chase_ends(1.0, duel.tie_worth)[0], duel)
        return float(best_first(duel) @ wins)
    most = game.gain(game.counts)
    gains = np.array([game.gain(left) for left in game.pools])
    pace, offset = Pace(), most
    if card.pace and card.pace.aim is not None:
        pace, offset = card.pace, game.sign * (card.pace.aim - game.worst(game.counts))
    values = np.zeros((len(gains), most + 1))
    values[0] = first_payoff(duel) if payoff is None else payoff
    _fill_values(card, pace, offset, np.zeros(len(gains), np.int64), most - gains + 1, values)
    return float(values[-1, 0])


def chase(card: Any, payoff: Array, duel: Duel) -> Array:
    """Return by the gain of the target what a card is worth to a second player, given the worth of a lead (2 most + 1)."""
    game = duel.game
    most = game.gain(game.counts)
    gains = np.array([game.gain(left) for left in game.pools])
    if card.pace and card.pace.aim is not None:  # the card looks at its aim, not at the target
        made = card.visits(duel)[0]
        return np.array([made @ payoff[most - wanted : 2 * most + 1 - wanted] for wanted in range(most + 1)])
    values = np.zeros((len(gains), 2 * most + 1))
    values[:, most + 1 :] = payoff[-1]
    values[0] = payoff
    _fill_values(card, card.pace or Pace(), most, most - gains, np.full(len(gains), most + 1), values)
    found: Array = values[-1, : most + 1][::-1]
    return found
