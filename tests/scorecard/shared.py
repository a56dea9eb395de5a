"""Small cards that are solved by the oracle and by us."""

from __future__ import annotations

from gametheory.scorecard.rules import ScorecardGame

from .oracle import Rules

SMALL = {
    "one-box": Rules(2, 6, 3, ("chance",)),
    "forced": Rules(2, 3, 2, ("ones", "threes", "yahtzee", "chance"), (4, 7), 11, "forced"),
    "free": Rules(2, 3, 2, ("twos", "yahtzee", "two-pairs"), (2, 5), 0, "free"),
    "plain": Rules(2, 3, 2, ("ones", "yahtzee", "chance"), (2, 5)),
    "yatzy": Rules(3, 4, 2, ("fours", "pair", "chance"), style="yatzy"),
    "bonus": Rules(2, 4, 2, ("ones", "twos", "fours", "yahtzee"), (6, 9), 20, "none"),
    "free-bonus": Rules(2, 3, 3, ("ones", "two-pairs", "yahtzee", "chance"), (2, 3), 10, "free"),
    "five": Rules(2, 3, 2, ("ones", "twos", "threes", "pair", "chance"), (6, 8), style="yatzy"),
    "three-dice": Rules(3, 3, 2, ("threes", "three-of-a-kind", "yahtzee"), (6, 4), 7, "forced"),
    "one-throw": Rules(3, 4, 1, ("twos", "fours", "pair", "chance")),
}


def game(name: str, rules: Rules | None = None) -> ScorecardGame:
    """Return a small card as a game of ours."""
    known = SMALL[name] if rules is None else rules
    return ScorecardGame(
        name, known.boxes, known.dice, known.sides, known.rolls, known.upper_bonus, known.yahtzee_bonus, known.joker,
        known.style,
    )  # fmt: skip
