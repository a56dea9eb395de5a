"""Rules files: how values and comments are written, and what differs between two."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory import rulefile
from gametheory.rulefile import Key

KEYS = (
    Key("name", "What it is called.", '"x"', "the file's"),
    Key("dice", "How many.", "3"),
    Key("points", "What they are worth.", ".d6 = [1]", "what they show"),
    rulefile.like('"other"'),
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=200)
PLAIN = st.one_of(TEXT, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.lists(st.integers(), max_size=60))


@given(st.lists(st.one_of(PLAIN, st.dictionaries(TEXT, PLAIN, max_size=4)), max_size=4))
def test_any_value_is_read_back_as_it_was_written(values: Any) -> None:
    data = {f"key{place}": value for place, value in enumerate(values)}
    keys = [Key(name, "It says something.", "1") for name in data]
    assert tomllib.loads(rulefile.write("The head.", keys, data)) == data


def test_a_file_says_every_key_and_what_it_means() -> None:
    text = rulefile.write("The rules of x.", KEYS, {"name": "x", "points": {"d6": [1, 2], "d8": [3]}})
    assert text.splitlines() == [
        "# The rules of x.", "",
        "# What it is called. If not said: the file's.", 'name = "x"', "",
        "# How many.", "# dice = 3", "",
        "# What they are worth. If not said: what they show.", "points.d6 = [1, 2]", "points.d8 = [3]",
    ]  # fmt: skip


def test_long_lines_go_on_at_the_next() -> None:
    data = {"name": "word " * 40 + "end", "dice": list(range(60)), "points": {f"face{n}": n for n in range(20)}}
    text = rulefile.write("Head " * 40, KEYS, data)
    assert max(map(len, text.splitlines())) <= rulefile.WIDTH
    assert tomllib.loads(text) == data


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("dcie", "unknown key 'dcie': did you mean 'dice'? The keys of things are name, dice, points, like"),
        ("DICE", "unknown key 'DICE': did you mean 'dice'? The keys of things are name, dice, points, like"),
        ("zzz", "unknown key 'zzz': the keys of things are name, dice, points, like"),
    ],
)
def test_an_unknown_key_is_answered_with_the_near_one_and_all_there_are(key: str, said: str) -> None:
    with pytest.raises(ValueError, match="unknown key") as caught:
        rulefile.check_keys({"name": "x", key: 1}, KEYS, "things")
    assert str(caught.value) == said


def test_differences_are_said_one_by_one_and_names_are_none() -> None:
    here = {"name": "a", "about": "x", "dice": 3, "points": {"1": 5}, "rolls": 2}
    there = {"name": "b", "about": "y", "dice": 4, "points": {"1": 5, "2": 7}}
    found = rulefile.differences(here, there)
    assert found == [("dice", 3, 4), ("points.2", None, 7), ("rolls", 2, None)]
    assert rulefile.words(found) == "dice is 3, not 4; no points.2; rolls is 2"
    assert rulefile.differences(here, here) == []
