"""Dice: notation, rolls with exact weights, keeps."""

from __future__ import annotations

from math import prod
from pathlib import Path

import icepool
import pytest

from gametheory import dice, games
from gametheory.dice import Die, standard_die

BISCUITS = tuple(standard_die(sides) for sides in (6, 8, 10, 12))


@pytest.mark.parametrize(
    ("text", "pairs"),
    [("12d6+d8+d10+d12", ((12, 6), (1, 8), (1, 10), (1, 12))), ("d8+2d4+d8", ((2, 4), (2, 8))), (" 3D6 ", ((3, 6),))],
)
def test_dice_notation_is_read(text: str, pairs: tuple[tuple[int, int], ...]) -> None:
    assert dice.parse_dice(text) == pairs


@pytest.mark.parametrize(
    "text", ["", "0d6", "3d1", "d-6", "6d6+", "+d6", "6", "dd6", "2d6-d4", "1.5d6", "d6d6", "²d6", "999d6"]
)
def test_what_is_no_dice_notation_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        dice.parse_dice(text)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_weights_of_rolls_are_those_of_ordered_throws(count: int) -> None:
    rolled = dict(standard_die(4).roll(count))
    throws = icepool.Pool([icepool.d(4)] * count).expand()
    assert {faces[::-1]: weight for faces, weight in rolled.items()} == dict(throws.items())


@pytest.mark.parametrize("counts", [(2, 1, 0, 1), (0, 0, 1, 1), (3, 0, 0, 0)])
def test_weights_add_up_to_the_number_of_throws(counts: tuple[int, ...]) -> None:
    listed = list(dice.rolls(counts, BISCUITS))
    assert sum(weight for _, weight in listed) == prod(d.sides**n for n, d in zip(counts, BISCUITS, strict=True))
    assert len(listed) == len({roll for roll, _ in listed}) == dice.count_rolls(counts, BISCUITS)
    assert all(dice.weight(roll) == weight for roll, weight in listed)


def test_rolls_are_written_as_they_are_read() -> None:
    for text in ("d6:6x12 d8:1 d10:1 d12:1", "d6:6,6,5 d12:11", "d8:8"):
        assert dice.format_roll(dice.parse_roll(text, BISCUITS), BISCUITS) == text


@pytest.mark.parametrize(
    "text",
    ["", "d6:7", "d6:0", "d20:3", "d6", "d6:", "6,6", "d6:6x0", "d6:-1", "d6:6,,5", "d6:6 x2", "d6:\uff16", "d6:6x999"],
)
def test_what_is_no_roll_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        dice.parse_roll(text, BISCUITS)


def test_keeps_are_every_part_of_a_roll_once() -> None:
    kept = list(dice.keeps(((6, 6, 1), (2,))))
    assert len(kept) == len(set(kept)) == 3 * 2 * 2 - 1


def test_rolls_by_number_are_in_the_order_of_the_list() -> None:
    for place, (faces, _) in enumerate(standard_die(6).roll(3)):
        assert dice.nth_roll(standard_die(6), 3, place) == faces


@pytest.mark.parametrize(("name", "points"), [("d1", (1,)), ("d2", (1, 2.5)), ("d2", (True, 2))])
def test_a_die_needs_two_faces_of_whole_points(name: str, points: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=name):
        Die(name, points)


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'biscuits'"):
        games.game("bisquits")


def test_a_pool_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my-threes.toml"
    file.write_text('dice = "5d6"\nwins = "lower"\npoints.d6 = [1, 2, 0, 4, 5, 6]\n', encoding="utf-8")
    mine, named = games.game(str(file)), games.game("threes")
    assert mine.name == "my-threes"
    assert (mine.counts, mine.kinds, mine.higher_wins) == (named.counts, named.kinds, named.higher_wins)


@pytest.mark.parametrize(
    "text",
    ["dice = 5", "", 'dice = "5d6"\nwins = "most"',
     'dice = "5d6"\npoints.d8 = [1]', 'dice = "5d6"\npoints.d6 = [1, 2]',
     'dice = "5d6"\npoints.d6 = [1, 2, 3, 4, 5, "six"]', 'dice = "5d6"\ncolour = "red"',
     "dice = ", 'dice = "5d6"\nname = 3'],
)  # fmt: skip
def test_a_file_that_is_no_pool_is_refused_in_one_line_that_names_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^[^\n]*odd\.toml[^\n]+$"):
        games.game(str(file))
