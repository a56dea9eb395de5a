"""The keys of a rules file of a scorecard: what they mean."""

from __future__ import annotations

from ..rulefile import ABOUT, NAME, Key, like
from .rules import BOXES

KEYS = (
    NAME,
    ABOUT,
    like('"yahtzee"'),
    Key("dice", "How many dice are thrown.", "5", "5"),
    Key("sides", "How many sides each die has.", "6", "6"),
    Key("rolls", "How many throws a turn has.", "3", "3"),
    Key("boxes", f"The boxes in order, out of {', '.join(BOXES)}.", '["fours", "fives", "sixes", "yahtzee", "chance"]'),
    Key(
        "style",
        'What boxes score: "yahtzee" (25 for a full house, 30 and 40 for any straights of four and five, all dice for three '
        'and four of a kind) or "yatzy" (a full house its dice, 15 for 1 to 5 and 20 for 2 to 6, of a kind what is alike).',
        '"yatzy"',
        "yahtzee",
    ),
    Key(
        "upper_bonus",
        "From how many points in the upper boxes on there is a bonus, and of how many points.",
        "{at = 12, points = 10}",
        "none",
    ),
    Key("yahtzee_bonus", "Points for all dice alike whenever the yahtzee box holds its 50 already.", "100", "0"),
    Key(
        "joker",
        'What all dice alike may fill once the yahtzee box is filled: "none", as any roll; "forced", the upper box of their '
        'face, else a lower box, where they count in full, else an upper one for nothing; "free", any open box, in full '
        "where the upper box of their face is filled.",
        '"forced"',
        "none",
    ),
)
