"""What the advisor page carries of a solved race.

    values[standing][other]                the chance to win of the player to move
    expected[opened][turn total][dice]     the expected total of a turn
"""

from __future__ import annotations

from typing import Any

from ..answers import encode
from .rules import RaceGame, outcome_classes, scoring_table
from .turn import turn_tables


def describe(game: RaceGame) -> str:
    """Say a race in a sentence or two."""
    return f"{game.about} First to {game.goal} wins.".strip()


HOUSE_RULES = ("nothing", "keep_all", "minimum", "exact", "three_busts", "last_round")
"""The rules that the page does not know."""


def page(solution: Any) -> dict[str, Any]:
    """Return a solved race as the page carries it."""
    game = solution.game
    for key in HOUSE_RULES:
        if getattr(game, key):
            raise ValueError(f"{game.name}: the page does not play races with {key}; ask moves, or leave it out")
    if game.bust_all == "score":
        raise ValueError(f"{game.name}: the page does not play races with bust_all = 'score'; ask moves, or leave it out")
    classes: list[list[Any]] = [[]]
    bust = [0.0]
    for dice in range(1, game.dice + 1):
        ways = game.sides**dice
        outcomes = outcome_classes(game, dice)
        bust.append(sum(outcome.weight for outcome in outcomes if not outcome.options) / ways)
        classes.append(
            [
                [outcome.weight / ways, [[option.points // game.unit, option.dice_left] for option in outcome.options]]
                for outcome in outcomes
                if outcome.options
            ]
        )
    return {
        "family": "race",
        "name": game.name,
        "about": describe(game),
        "dice": game.dice,
        "sides": game.sides,
        "goal": game.goal,
        "opening": game.opening,
        "hotDice": game.hot_dice,
        "bustFaces": list(game.bust_faces),
        "unit": game.unit,
        "combinations": [[list(c.counts), c.points] for c in scoring_table(game)],
        "bust": bust,
        "classes": classes,
        "scores": solution.scores.tolist(),
        "opened": solution.opened.astype(int).tolist(),
        "values": encode(solution.values),
        "expected": encode(turn_tables(game).expected),
    }
