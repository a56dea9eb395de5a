"""Cards in words."""

from __future__ import annotations

from dataclasses import replace

from gametheory import games
from gametheory.cards import search
from gametheory.cards.pace import Pace

from .shared import MEDIUM


def test_rules_in_words_hold_every_number() -> None:
    text = " ".join(replace(MEDIUM, pace=Pace(aim=95, par=5.0, par_larger=1.5, behind=(3, 2), margin=1, cash=6)).rules)
    for words in (
        "a 5 with 3 dice or fewer", "an 11 with 12 dice or fewer", "2 or more of them and 12 or more dice",
        "3 or more of them and 7 or more dice", "the d8 and the d10 half a point and the d12 1 point less",
        "with 6 dice or fewer on the table, keep all of them if that beats 95 points", "less than 1 spare",
        "Par is 5 spare points",
        "1.5 more for each larger die", "3 or more points below par", "as if 2 more dice were on the table",
    ):  # fmt: skip
        assert words in text
    low = search.packaged(games.game("badg"), "small")
    assert low is not None
    assert any("costs the fewest points" in rule for rule in low.rules)
