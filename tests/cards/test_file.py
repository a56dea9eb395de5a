"""Card files: an edited card costs what it costs, and a wrong one is refused with the place."""

from __future__ import annotations

import pytest
from shared import solved

from gametheory import games
from gametheory.cards.file import from_toml
from gametheory.cards.rule import Card

GOOD = 'game = "2d4+d6"\n[keep]\nd4 = { 3 = 2 }\nd6 = { 5 = 3, 4 = 2 }\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("5 = 3", "5 = 9"), r"my\.toml, line 4: keep\.d6\.5: 9 dice on the table: must be from 1 to 3"),
        (GOOD.replace("5 = 3, ", ""), r"line 4: keep\.d6\.4: the better face 5 has no cut-off: give it 2 dice or more"),
        (GOOD.replace("5 = 3", "5 = 1"), r"line 4: keep\.d6\.4: kept with 2 dice, but the better 5 only with 1"),
        (GOOD.replace("5 = 3", "5 = 'x'"), r"line 4: keep\.d6\.5: must be a whole number of dice on the table, not 'x'"),
        (GOOD.replace("5 = 3", "5 = 2.5"), r"keep\.d6\.5: must be a whole number"),
        (GOOD.replace("5 = 3", "6 = 3"), r"keep\.d6\.6: 6 is the best face of d6, which is always kept"),
        (GOOD.replace("5 = 3", "7 = 3"), r"keep\.d6\.7: d6 has no face 7"),
        (GOOD.replace("d6 = {", "d20 = {"), r"line 4: keep\.d20: 2d4\+d6 has no such die: its dice are d4, d6"),
        (GOOD.replace("d4 = { 3 = 2 }\n", ""), r"line 2: keep: no line for d4"),
        (GOOD.replace("[keep]", "[keeps]"), r"keeps: a card has no such entry"),
        (GOOD.replace("{ 3 = 2 }", "3"), r"line 3: keep\.d4: must be a table, not 3"),
        ('game = "2d4+d6"\n', r"my\.toml: it has no cut-offs"),
        ("[keep]\n", r"my\.toml: it does not say its game"),
        ('game = "bisquits"\n', r"line 1: game: there is no game 'bisquits'"),
        ("game = 4\n", r"line 1: game: must be text in quotes, not 4"),
        ("game = \n", r"my\.toml: this is no TOML file: .*line 1"),
        ('goal = "third"\n' + GOOD, r"line 1: goal: there is no goal 'third'"),
        (GOOD + "[hold]\n2 = 3\n", r"line 6: hold\.2: 2 larger dice cannot stay: 2d4\+d6 has 1 of them"),
        (GOOD + "[nothing]\ntake = 'most'\n", r"line 6: nothing\.take: cannot take 'most'"),
        (GOOD + "[nothing.worth]\nd6 = true\n", r"line 6: nothing\.worth\.d6: must be a number, not True"),
        (GOOD + "[pace]\nbehind = 3\n", r"line 6: pace\.behind: must be \[points, dice\], not 3"),
        (GOOD + "[pace]\naim = 99\n", r"line 6: pace\.aim: 99 points: must be from 3 to 14"),
        ('game = "2d4"\ncolumns = [0, 1]\n[par]\nnone = [0, 1]\n', r"line 2: columns: must rise from 0 to 2, not \[0, 1\]"),
        ('game = "2d4"\ncolumns = [0, 2]\n[par]\nnone = [0]\n', r"line 4: par\.none: must be a list of 2 numbers"),
        ('game = "2d4"\ncolumns = [0, 2]\n[par]\n', r'line 3: par: there is no line for the larger dice "none"'),
    ],
)
def test_a_wrong_card_file_is_refused_in_one_line_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        from_toml(text, "my.toml")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("my.toml")


def test_an_edited_card_costs_what_it_costs() -> None:
    duel = solved("2d4+d6")
    one = from_toml(GOOD)
    other = from_toml(GOOD.replace("5 = 3, 4 = 2", ""))
    assert isinstance(one, Card)
    assert one.keep == ((2,), (3, 2))
    assert one.loss(duel) != pytest.approx(other.loss(duel), abs=1e-6)
    with pytest.raises(ValueError, match=r"card, line 1: game: this card is for 2d4\+d6, not for threes"):
        from_toml(GOOD, game=games.game("threes"))
