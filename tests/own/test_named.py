"""The named games of this family: published figures, and brute force that shares nothing with their rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory import games
from gametheory.store import tables

Worth = Callable[[int], Fraction]


def reach(game: str, score: int) -> Any:
    """Solve a game for the aim to reach a score."""
    return gt.solve(game, aim=f"reach:{score}")


def box_file(folder: Path, **said: str) -> str:
    path = folder / "box.toml"
    path.write_text('like = "shut-the-box"\n' + "".join(f'{key} = "{value}"\n' for key, value in said.items()))
    return str(path)


# Shut the box. Bill Butler's figures (www.durangobill.com/ShutTheBoxExtra/STBstats.txt): 7.1432 % with two dice always,
# 9.7614 % with one die where 6 or less are open. As a fraction: github.com/UnaryPlus/shut-the-box-strategy.


@pytest.mark.parametrize(("one_die", "published"), [("never", 0.071432), ("six", 0.097614)])
def test_the_box_is_shut_as_often_as_published(one_die: str, published: float, tmp_path: Path, run: Run) -> None:
    found = reach(box_file(tmp_path, one_die=one_die), 0)
    assert round(found.value, 6) == published
    ran = run("solve", "shut-the-box" if one_die == "six" else box_file(tmp_path, one_die=one_die), "--json")
    assert json.loads(ran.out)["expected_score"] == pytest.approx(found.expected_score, abs=1e-12)


def test_the_box_is_shut_with_the_published_fraction() -> None:
    assert reach("shut-the-box", 0).value == pytest.approx(956177159 / 9795520512, abs=1e-15)


@cache
def box(tiles: frozenset[int], one_die: str, worth: Worth) -> Fraction:
    """Return what the open tiles are worth before the number of dice is chosen; the worth of tiles goes by their sum."""
    if not tiles:
        return worth(0)
    few = {"never": False, "six": sum(tiles) <= 6, "789": not tiles & {7, 8, 9}}[one_die]
    throws = [[a + b for a, b in product(range(1, 7), repeat=2)], *([list(range(1, 7))] if few else [])]
    parts = [frozenset(part) for size in range(1, 5) for part in combinations(sorted(tiles), size)]

    def after(throw: int) -> Fraction:
        rests = [box(tiles - part, one_die, worth) for part in parts if sum(part) == throw]
        return max(rests) if rests else worth(sum(tiles))

    return max(sum((after(throw) for throw in thrown), Fraction(0)) / len(thrown) for thrown in throws)


@pytest.mark.parametrize("one_die", ["never", "six", "789"])
def test_every_variant_of_the_box_agrees_with_brute_force(one_die: str, tmp_path: Path) -> None:
    full = frozenset(range(1, 10))
    duel: Any = gt.solve(box_file(tmp_path, one_die=one_die))
    # One throw with two dice stands at the start, where one die may not be thrown.
    assert duel.expected_score == pytest.approx(-float(box(full, one_die, lambda left: Fraction(-left))), abs=1e-12)
    replies = {}
    for target in (0, 1, 7, 20, 45):
        reply: Worth = lambda left, target=target: Fraction(left < target) + Fraction(left == target, 2)  # type: ignore[misc]  # noqa: E731
        replies[target] = float(box(full, one_die, reply))
        assert duel.second(target) == pytest.approx(replies[target], abs=1e-12)
    against = [Fraction(float(duel.second(left))) for left in range(46)]
    assert duel.first_player_value == pytest.approx(float(box(full, one_die, lambda left: 1 - against[left])), abs=1e-12)


def test_tiles_read_as_digits_are_another_game(tmp_path: Path) -> None:
    name = box_file(tmp_path, reading="digits")
    found: Any = gt.solve(name)
    assert found.game.name == "box"
    scores, _ = found.second_by_target()
    assert (scores[0], scores[1], scores[-1]) == (0, 1, 13456789)
    assert reach(name, 0).value == pytest.approx(reach("shut-the-box", 0).value, abs=1e-15)


# Ship, captain and crew, die by die.


@cache
def ship(left: int, aside: int, cargo: tuple[int, ...], worth: Worth) -> Fraction:
    total = Fraction(0)
    throws = list(product(range(1, 7), repeat=5 - aside - len(cargo)))
    for thrown in throws:
        found, rest = aside, list(thrown)
        for face in (6, 5, 4)[aside:]:
            if face not in rest:
                break
            rest.remove(face)
            found += 1
        if found < 3:
            total += ship(left - 1, found, (), worth) if left > 1 else worth(0)
            continue
        one, other = sorted((*cargo, *rest))
        best = worth(one + other)
        if left > 1:
            again = [ship(left - 1, 3, kept, worth) for kept in ((one,), (other,), ())]
            best = max(best, *again)
        total += best
    return total / len(throws)


def test_ship_captain_crew_agrees_with_brute_force() -> None:
    duel = solved("ship-captain-crew")
    assert duel.expected_score == pytest.approx(float(ship(3, 0, (), lambda score: Fraction(score))), abs=1e-12)
    for target in (0, 7, 12):
        exact = ship(3, 0, (), lambda score, target=target: Fraction(score > target) + Fraction(score == target, 2))
        assert duel.second(target) == pytest.approx(float(exact), abs=1e-12)
    against = [Fraction(float(duel.second(score))) for score in range(13)]
    exact = ship(3, 0, (), lambda score: 1 - against[score])
    assert duel.first_player_value == pytest.approx(float(exact), abs=1e-12)


# Midnight: https://en.wikipedia.org/wiki/Midnight_(game) gives the chance to score at all, with 21 throws of a die at most.


def test_midnight_scores_at_all_with_the_published_chance() -> None:
    chance = 1 - (2 * (5 / 6) ** 21 - (4 / 6) ** 21)
    assert reach("midnight", 1).value == pytest.approx(chance, abs=1e-14)


SIMULATED = {
    0: 4324214, 5: 11, 6: 143, 7: 1094, 8: 5670, 9: 21906, 10: 75295, 11: 222711, 12: 562945, 13: 1239852, 14: 2489387,
    15: 4420645, 16: 6855657, 17: 9436721, 18: 11863564, 19: 14150677, 20: 13048294, 21: 11259056, 22: 8955723, 23: 6549697,
    24: 4516738,
}  # fmt: skip
"""What a hundred million games played by a plain rule made: bruteforcex.blogspot.com/2010/08/1-4-24-simulation.html."""


def plain_rule(position: Any, roll: tuple[int, ...]) -> tuple[int, ...]:
    """Keep the first 1 and the first 4; with both, every 6; and where that is none, the highest die."""
    _, one, four, _ = position.state
    keep = [face for face, kept in ((4, four), (1, one)) if face in roll and not kept]
    if (one or 1 in roll) and (four or 4 in roll):
        keep += [6] * roll.count(6)
    return tuple(sorted(keep or [max(roll)], reverse=True))


plain_rule.ignores = ("target",)  # type: ignore[attr-defined]


def test_midnight_by_a_plain_rule_makes_what_published_simulations_made() -> None:
    games = sum(SIMULATED.values())
    assert games == 10**8
    found = solved("midnight").distribution(plain_rule)
    for score, chance in zip(found.scores, found.probabilities, strict=True):
        error = (chance * (1 - chance) / games) ** 0.5
        assert abs(SIMULATED.get(score, 0) / games - chance) < 4 * error, score
    better = solved("midnight").expected_score
    assert found.mean < better - 0.3


@cache
def midnight(left: int, kept: tuple[int, ...], worth: Worth) -> Fraction:
    """Play with `kept` as a sorted tuple of all faces kept, thrown as ordered dice."""
    if not left:
        return worth(sum(kept) - 5 if 1 in kept and 4 in kept else 0)
    total = Fraction(0)
    ways: dict[tuple[int, ...], int] = {}
    for thrown in product(range(1, 7), repeat=left):
        key = tuple(sorted(thrown))
        ways[key] = ways.get(key, 0) + 1
    for thrown, times in ways.items():
        parts = {part for size in range(1, left + 1) for part in combinations(thrown, size)}
        total += times * max(midnight(left - len(part), tuple(sorted((*kept, *part))), worth) for part in parts)
    return total / Fraction(6**left)


def test_midnight_agrees_with_brute_force_from_four_dice_on() -> None:
    duel = solved("midnight")
    for kept in ((1, 6), (4, 5), (6, 6)):
        one, four = 1 in kept, 4 in kept
        state = (4, one, four, sum(kept) - one - 4 * four)
        assert duel.expected(state) == pytest.approx(float(midnight(4, kept, lambda score: Fraction(score))), abs=1e-12)
        reply: Worth = lambda score: Fraction(score > 15) + Fraction(score == 15, 2)  # noqa: E731
        assert duel.second(15, state) == pytest.approx(float(midnight(4, kept, reply)), abs=1e-12)


# Poker coins: ten coins as a pool.


@cache
def coins(left: int, heads: int, worth: Worth) -> Fraction:
    if not left:
        return worth(heads)
    total = Fraction(0)
    for tossed in product((0, 1), repeat=left):
        shown = sum(tossed)
        kept = [(a, b) for a in range(shown + 1) for b in range(left - shown + 1) if a + b]
        total += max(coins(left - a - b, heads + a, worth) for a, b in kept)
    return total / Fraction(2**left)


def test_poker_coins_agree_with_brute_force() -> None:
    duel = solved("poker-coins")
    assert duel.expected_score == pytest.approx(float(coins(10, 0, lambda heads: Fraction(heads))), abs=1e-12)
    reply: Worth = lambda heads: Fraction(heads > 9) + Fraction(heads == 9, 2)  # noqa: E731
    assert duel.second(9) == pytest.approx(float(coins(10, 0, reply)), abs=1e-12)


# Item 67 (Schroeppel) of HAKMEM, M. Beeler, R. W. Gosper and R. Schroeppel, MIT AI Memo 239, 1972, gives the best play.


@pytest.mark.parametrize("coins", range(2, 11))
def test_poker_coins_are_best_played_as_hakmem_says(coins: int) -> None:
    """No tails: quit; one: throw it again; more: save one head; all tails: save one of them. Heads are face 2."""
    duel = solved(f"{coins}d2")
    for tails in range(coins + 1):
        heads = coins - tails
        saved = (2,) * heads if tails < 2 else (2,) if heads else (1,)
        roll = ((2,) * heads + (1,) * tails,)
        ranking = duel.moves(roll)
        assert ranking.moves[ranking.best_for_score].keep == (saved,)


# In the catalogue.


@pytest.mark.parametrize("name", ["midnight", "shut-the-box", "ship-captain-crew", "poker-coins"])
def test_a_named_game_is_listed_stored_and_verified_without_being_named_again(name: str, folder: Path, run: Run) -> None:
    assert name in games.named()
    listed = {game["name"]: game for game in json.loads(run("games", "--json").out)["games"]}
    assert listed[name]["about"]
    assert run("solve", name).status == 0
    (path,) = folder.glob("*.h5")
    assert path.name == f"{name}.split.h5"
    checked = json.loads(run("verify", str(path), "--json").out)
    assert checked["worst_residual"] < 1e-12
    assert checked["checked"] > 50


def test_a_variant_is_a_table_of_its_own_that_says_its_rules(folder: Path, tmp_path: Path, run: Run) -> None:
    name = box_file(tmp_path, one_die="789")
    assert run("solve", name).status == 0
    (path,) = folder.glob("*.h5")
    assert path.name.startswith("box-")
    assert tables.load(path).game.given.one_die == "789"
    assert json.loads(run("verify", str(path), "--json").out)["worst_residual"] < 1e-12


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"one_die": "eight"}, "one_die is 'eight': say 'six', '789', 'never'"),
        ({"reading": "3"}, "reading is '3': say 'sum', 'digits'"),
        ({"dice": "2d6"}, "unknown key 'dice'"),
    ],
)
def test_a_variant_that_there_is_not_is_refused(said: dict[str, str], words: str, tmp_path: Path, run: Run) -> None:
    ran = run("solve", box_file(tmp_path, **said))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_rule_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "late.toml"
    path.write_text('like = "midnight"\none_die = "never"\n')
    with pytest.raises(ValueError, match="one_die is no rule of midnight: leave it out"):
        games.game(str(path))


def test_positions_are_read_as_they_are_written(folder: Path, run: Run) -> None:
    def best(*arguments: str) -> Any:
        ran = run("moves", *arguments, "--json")
        assert (ran.status, ran.err) == (0, ""), ran
        return json.loads(ran.out)["moves"][0]["keep"]

    assert best("shut-the-box", "4", "--state", "1 3; one die") == "3 1; over"
    assert best("midnight", "1 6 4 2 6 5") == best("midnight", "6 6 5 4 2 1") == "6 6 5 4 1"
    assert best("midnight", "5", "--state", "1 left, 1 and 4 kept, 12 points") == "5"
    assert best("ship-captain-crew", "6 4 5 4 1", "--target", "9") == "none"
    for wrong, words in (
        (("shut-the-box", "13"), "'13' cannot be rolled"),
        (("shut-the-box", "4", "--state", "1 3 3"), "the state '1 3 3' cannot be reached in shut-the-box"),
        (("shut-the-box", "4", "--state", "1 3; over"), "is over in the state 1 3; over"),
        (("midnight", "1", "--banked", "3"), "--banked places no roll of midnight"),
    ):
        ran = run("moves", *wrong)
        assert ran.status == 2
        assert words in ran.err
