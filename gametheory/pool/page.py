"""What the advisor page carries of a solved pool. Rows hold what the dice can make, and no more; a place is the dice left,
with how many rolls may still be made where they are counted:

    expected[place]           expected points still to come
    first[place][banked]      banked from the least to the most that the dice set aside can make
    second[place][needed]     needed from the least to the most that the dice left can make; beyond, it is 0 or 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..answers import encode
from .rules import PoolGame

MOST_TARGETS = 12
"""Targets against which the second player is drawn."""


def describe(game: PoolGame) -> str:
    """Say a game in a sentence or two; a stored table does not hold it."""
    wins = "highest" if game.higher_wins else "lowest"
    aside = "one" if game.keep_at_least == 1 else f"{game.keep_at_least} dice"
    last = "" if game.roll_limit is None else f" After roll {game.roll_limit} all are set aside."
    return game.about or f"Roll {game.dice}, set aside {aside} or more, roll the rest; the {wins} sum wins.{last}"


def page(duel: Any) -> dict[str, Any]:
    """Return a solved pool game as the page carries it."""
    game = duel.game
    first, second = [], []
    banked = duel.axes["banked"]
    needed = duel.axes["needed"]
    for left, rolls in game.places:
        at = left if rolls is None else (*left, rolls)
        aside = game.banked_dice(left)
        low, high = game.lowest(aside) - banked[0], game.highest(aside) - banked[0]
        first.append(duel.first_table[at][low : high + 1])
        low, high = game.lowest(left) - needed[0], game.highest(left) - needed[0]
        second.append(duel.second_table[at][low : high + 1])
    return {
        "family": "pool",
        "name": game.name,
        "about": describe(game),
        "counts": list(game.counts),
        "kinds": [{"name": die.name, "points": list(die.points)} for die in game.kinds],
        "higher": game.higher_wins,
        "least": game.keep_at_least,
        "limit": game.roll_limit,
        "tie": duel.tie,
        "tieWorth": duel.tie_worth,
        "expected": encode(duel.expected_table),
        "first": encode(np.concatenate(first)),
        "second": encode(np.concatenate(second)),
        "explore": _explore(duel),
    }


def _explore(duel: Any) -> dict[str, Any]:
    """Return what the pictures of a pool game show: score distributions, and where win and score part.

    Arrays of the latter are by [dice left - 1, banked]: over all the dice of one number, as the score-maximiser meets
    them.
    """

    game = duel.game
    targets, chances = duel.second_by_target()
    open_targets = [t for t, chance in zip(targets, chances, strict=True) if 0.02 <= chance <= 0.98]
    every = -(-len(open_targets) // MOST_TARGETS) or 1
    seats = []
    visits = None
    for target in [None, *open_targets[::every]]:
        found = duel.diff(target=target)
        visits, often, cost = _by_dice_and_banked(game, found.visits, found.disagreement, found.cost)
        seats.append(
            {
                "target": target,
                "win": encode(duel.distribution("win", target).probabilities, "<f4"),
                "often": encode(often, "<f4"),
                "cost": encode(cost, "<f4"),
                "perGame": float((visits * often).sum()),
                "lost": float((visits * cost).sum()),
            }
        )
    return {
        "score": encode(duel.distribution("score").probabilities, "<f4"),
        "visits": encode(visits, "<f4"),
        "bankedFrom": int(duel.axes["banked"][0]),
        "seats": seats,
    }


def _by_dice_and_banked(game: PoolGame, visits: Any, disagreement: Any, cost: Any) -> tuple[Any, Any, Any]:
    """Add up [place, gain banked] by [dice left - 1, points banked]; the last two weighed by the visits."""
    asides = [game.banked_dice(left) for left, _ in game.places]
    least = min(game.lowest(aside) for aside in asides)
    most = max(game.highest(aside) for aside in asides)
    shape = (sum(game.counts), most - least + 1)
    here, often, dear = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for index, (left, _) in enumerate(game.places):
        if not any(left):
            continue
        gains = np.flatnonzero(visits[index])
        places = (sum(left) - 1, game.worst(asides[index]) + game.sign * gains - least)
        here[places] += visits[index, gains]
        often[places] += visits[index, gains] * disagreement[index, gains]
        dear[places] += visits[index, gains] * cost[index, gains]
    weights = np.where(here > 0, here, 1.0)
    return here, often / weights, dear / weights
