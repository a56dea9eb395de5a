"""Rules as files: whole, read back as the same game; games that are like others; what no file can say."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pools import HOUSES
from shared import solved

import gametheory as gt
from gametheory import games, rulefile
from gametheory.dice import Die
from gametheory.pool.rules import PoolGame
from gametheory.race.named import RACES
from gametheory.race.rules import RaceGame
from gametheory.store import tables

FILED = [name for name, game in games.named().items() if games.family(game).keys]
VARIANTS = [
    *(game for game in HOUSES if all(die.name == f"d{die.sides}" for die in game.kinds)),
    replace(gt.game("biscuits"), name="low biscuits", higher_wins=False, keep_at_least=2, roll_limit=5),
    PoolGame("coins", (2, 1), (Die("d2", (-1, 5)), Die("d100", tuple(range(100)))), about='With "quotes" \\ and é.'),
    replace(RACES["pig"], name="two pigs", dice=2),
    replace(RACES["ten-thousand"], name="short", goal=500, more_of_a_kind=(1000, 2000, 3000), hot_dice=False),
    RaceGame("ten sides", 2, 10, 50, tuple(range(10)), bust_faces=(1, 10)),
]


def read(text: str, folder: Path, name: str = "a file.toml") -> Any:
    (folder / name).write_text(text, encoding="utf-8")
    return games.load(folder / name)


@pytest.mark.parametrize("name", [*FILED, "12d6+d8+d10+d12", "4d6", "10000"])
def test_the_rules_of_a_named_game_read_back_are_that_game(name: str, tmp_path: Path) -> None:
    game, found = gt.game(name), gt.rules(name)
    again = read(found.rules, tmp_path)
    assert again == game
    assert games.rules(again) == games.rules(game)
    assert tables.mark(games.rules(again)) == tables.mark(games.rules(game))
    assert games.is_known(again)
    assert (found.game, repr(found), found.to_dict()) == (game.name, found.rules, {"game": game.name, "rules": found.rules})
    assert max(map(len, found.rules.splitlines())) < 80


@pytest.mark.parametrize("name", ["threes", "pig", "piglet"])
def test_the_rules_read_back_solve_to_the_same_table(name: str, tmp_path: Path) -> None:
    again = gt.solve(read(gt.rules(name).rules, tmp_path))
    assert tables.digest(again) == tables.digest(solved(name))


@pytest.mark.parametrize("game", VARIANTS, ids=lambda game: game.name)
def test_variants_read_back_are_the_same(game: Any, tmp_path: Path) -> None:
    again = read(gt.rules(game).rules, tmp_path)
    assert again == game
    assert gt.rules(again) == gt.rules(game)


@pytest.mark.parametrize("name", FILED)
def test_every_key_stands_in_the_file_with_its_meaning(name: str) -> None:
    text, family = gt.rules(name).rules, games.family(gt.game(name))
    joined = " ".join(line.removeprefix("# ") for line in text.splitlines())
    for key in family.keys:
        if key.name != "like":
            assert re.search(rf"^(# )?{key.name}[ .]", text, re.M), key.name
            assert key.about in joined
    assert set(tomllib.loads(text)) <= {key.name for key in family.keys}


def test_every_rule_has_a_key() -> None:
    pool = {"counts": "dice", "kinds": "points", "higher_wins": "wins", "roll_limit": "rolls"}
    for kind, game, renamed in (("pool", PoolGame, pool), ("race", RaceGame, {})):
        said = {key.name for key in games.families()[kind].keys}
        assert said == {renamed.get(field.name, field.name) for field in dataclasses.fields(game)} | {"like"}


@pytest.mark.parametrize("kind", [name for name, family in games.families().items() if family.keys])
def test_the_examples_of_keys_are_values_that_keys_can_have(kind: str, tmp_path: Path) -> None:
    family = games.families()[kind]
    for key in family.keys:
        base = key.example if key.name == "like" else next(k.example for k in family.keys if k.name == "like")
        text = f"like = {base}\n" + ("" if key.name == "like" else f"{key.line}\n")
        assert games.family(read(text, tmp_path)) is family, key.name


def test_a_solution_and_a_game_have_the_rules_of_their_name() -> None:
    assert gt.rules(solved("threes")) == gt.rules(gt.game("threes")) == gt.rules("Threes")


class Flip:
    name = "flip"
    start = True

    def rolls(self, state: bool) -> list[tuple[int, int]]:
        return [(0, 1), (1, 1)] if state else []

    def moves(self, state: bool, roll: int) -> list[tuple[str, bool, int]]:
        return [("take", False, roll)]


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Flip(), "flip has no rules file: the rules of games of your own are the Python that plays them"),
        (PoolGame("x", (2,), (Die("coin", (0, 1)),)), "cannot be written to a file: a die of 2 sides is d2 there, not coin"),
        ("nothing", "there is no game 'nothing'"),
    ],
)
def test_what_has_no_file_is_refused_by_name(game: Any, why: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]*{re.escape(why)}[^\n]*$"):
        gt.rules(game)


# Games that are like others.


def test_a_pool_like_another_differs_in_what_the_file_says(tmp_path: Path) -> None:
    threes = gt.game("threes")
    found = read('like = "threes"\nkeep_at_least = 2\nrolls = 2', tmp_path, "house.toml")
    assert found == replace(threes, name="house", about="", keep_at_least=2, roll_limit=2)
    assert read('like = "threes"\ndice = "6d6"', tmp_path, "six.toml") == replace(threes, name="six", about="", counts=(6,))
    eights = read('like = "threes"\ndice = "d6+d8"', tmp_path, "eight.toml")
    assert [die.points for die in eights.kinds] == [(1, 2, 0, 4, 5, 6), tuple(range(1, 9))]
    assert not eights.higher_wins
    assert read('like = "biscuits"\npoints.d8 = [0,0,0,0,0,0,0,9]', tmp_path, "b.toml").kinds[1].points[-1] == 9
    assert read('like = "5d6"\nwins = "lower"', tmp_path, "low.toml").higher_wins is False


def test_a_race_like_another_is_not_told_of_in_its_words(tmp_path: Path) -> None:
    found = read('like = "10000"\ngoal = 5000', tmp_path, "short.toml")
    assert found == replace(RACES["ten-thousand"], name="short", about="", goal=5000)
    assert read('like = "pig"\nname = "pig"', tmp_path) == RACES["pig"]


@pytest.mark.parametrize(
    ("file", "text", "name", "words"),
    [
        ("short.toml", 'like = "10000"\ngoal = 5000', "short", "as ten-thousand, but goal is 5000, not 10000."),
        ("pig.toml", 'like = "pig"\ndice = 2', "pig with dice 2", "as pig, but dice is 2, not 1. This is not the game of"),
        ("both.toml", 'like = "pig"\ndice = 2', "both", "This is not the game of Two-Dice Pig"),
        ("threes.toml", 'like = "threes"\nrolls = 2', "threes with rolls 2", "as threes, but rolls is 2."),
        ("10000.toml", 'like = "farkle"', "ten-thousand with 4 changes", "as farkle in every rule."),
        ("same.toml", 'like = "farkle"', "same", "as farkle in every rule."),
        ("4d6.toml", 'dice = "5d6"', "4d6 with dice 5d6", "Roll 5d6"),
        ("low.toml", 'dice = "3d6"\nwins = "lower"\nrolls = 2', "low", "lowest sum wins. After roll 2 all are set aside."),
    ],
)
def test_a_file_is_named_for_what_it_is_and_says_it_in_words(
    file: str, text: str, name: str, words: str, tmp_path: Path
) -> None:
    found = read(text, tmp_path, file)
    assert found.name == name
    said = games.rules_words(tmp_path / file)
    assert said.startswith(f"{tmp_path / file}: ")
    assert words in said
    assert games.is_known(found) == (name in games.named())


@pytest.mark.parametrize("name", ["10000", " 10000 ", "Ten-Thousand"])
def test_10000_is_a_name(name: str, tmp_path: Path) -> None:
    assert gt.game(name) is RACES["ten-thousand"]
    assert gt.rules(name).game == "ten-thousand"


# The documentation.

DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


@pytest.mark.parametrize("kind", [name for name, family in games.families().items() if family.keys])
def test_the_documentation_lists_the_keys_as_the_code_does(kind: str) -> None:
    """Written by `python scripts/rules_page.py`."""
    family = games.families()[kind]
    text = DOCS.read_text(encoding="utf-8")
    begin, end = f"<!-- keys of {family.nouns} -->\n", "\n<!-- end -->"
    assert begin in text, f"docs/rules.md has no keys of {family.nouns}"
    assert text.split(begin)[1].split(end)[0] == rulefile.table(family.keys)


def test_the_examples_of_the_documentation_are_games(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    assert len(blocks) >= 3
    for number, block in enumerate(blocks):
        found = read(block, tmp_path, f"example-{number}.toml")
        assert gt.rules(found).game == found.name
