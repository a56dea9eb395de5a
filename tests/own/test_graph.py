"""Games of one's own as flat arrays: what is merged makes no difference, and the kernel says what numpy says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gametheory import columns
from gametheory.own import graph, solver
from gametheory.own.solver import Own, Walked
from gametheory.own.sums import Sums


class Maze:
    """Many rooms, drawn by chance: so many rolls each, moves to later rooms for some points, some of them twice."""

    name = "maze"
    start = 0

    def __init__(self, rooms: int = 200, seed: int = 1, sign: int = 1) -> None:
        draw = np.random.default_rng(seed)
        self.higher_wins = sign > 0
        self.table: list[list[tuple[int, list[tuple[int, int]]]]] = []
        for room in range(rooms):
            rolls = []
            for _ in range(int(draw.integers(1, 7))):
                count = int(draw.integers(1, 6))
                after = draw.integers(room + 1, min(rooms, room + 12) + 1, count).tolist()
                points = draw.integers(-2, 4, count).tolist()
                rolls.append((int(draw.integers(1, 5)), list(zip(after, points, strict=True))))
            self.table.append([*rolls, rolls[0]])
        self.rooms = rooms

    def rolls(self, room: int) -> Iterator[tuple[int, int]]:
        return ((roll, weight) for roll, (weight, _) in enumerate(self.table[room])) if room < self.rooms else iter(())

    def moves(self, room: int, roll: int) -> Iterator[tuple[int, int, int]]:
        for keep, (after, points) in enumerate(self.table[room][1][1] if roll < 0 else self.table[room][roll][1]):
            yield keep, after, points


class Held(Maze):
    """The same, but what counts is the room of the last but one step: states hold it."""

    start: Any = (0, 0)

    def rolls(self, state: Any) -> Any:
        return super().rolls(state[0])

    def moves(self, state: Any, roll: int) -> Any:
        for keep, after, points in super().moves(state[0], roll):
            yield keep, (after, state[0] % 7), points

    def score(self, state: Any) -> int:
        return int(state[1])


def rows_of(space: Walked, threads: int) -> list[Any]:
    """Return solved rows for points, for every target, and for a payoff that falls and rises."""
    payoff = np.sin(np.arange(len(space.outcomes)))
    ends = space.ends(space.points / space.points[-1]), space.chase_ends(1, 0.5)
    found = [columns.best(space, worth, threads=threads).values for worth in ends]
    able = space.suits(payoff)
    return [*found, columns.best(able, able.ends(payoff), threads=threads).values]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("kind", "game"), [(Sums, Maze), (Own, Held)], ids=["sums", "held"])
def test_the_kernel_says_what_numpy_says_on_any_number_of_threads(
    kind: type[Walked], game: type[Maze], sign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    maze = game(sign=sign)
    plain = rows_of(kind(maze), 1)
    monkeypatch.setattr(solver, "SMALL", 0)
    monkeypatch.setattr(solver, "SHARE", 2)
    one, two = rows_of(kind(maze), 1), rows_of(kind(maze), 2)
    for by_numpy, by_kernel, again in zip(plain, one, two, strict=True):
        assert by_kernel.tobytes() == again.tobytes()
        assert np.array_equal(np.isnan(by_numpy), np.isnan(by_kernel))
        assert np.nanmax(np.abs(by_numpy - by_kernel)) < 1e-13
        assert not np.isnan(by_kernel[-1, 0])


def test_settled_columns_and_merged_moves_are_what_every_move_in_every_column_comes_to() -> None:
    """Against the plain loop over all moves as the rules list them."""
    maze = Maze()
    space = Sums(maze)
    assert len(space.decided.after) < len(space.listed.after)
    assert len(space.decided.weights) < len(space.listed.weights)
    payoff = np.minimum(np.arange(len(space.outcomes)), 20) // 7
    solved = columns.best(space, space.ends(payoff)).values
    known: dict[tuple[int, int], float] = {}
    worst = int(space.outcomes[0])
    for room in range(maze.rooms, -1, -1):
        made = space.banked_scores(space.place_of(room)) if room < maze.rooms else range(worst, int(space.outcomes[-1]) + 1)
        for points in made:
            if room == maze.rooms:
                known[room, points] = payoff[points - worst]
                continue
            total = ways = 0.0
            for weight, moves in maze.table[room]:
                total += weight * max(known[after, points + gained] for after, gained in moves)
                ways += weight
            known[room, points] = total / ways
    for room, points in known:
        place, gain = space.at((room, points))
        assert solved[place, gain] == pytest.approx(known[room, points], abs=1e-12)
    assert len(known) > 2000


@pytest.mark.parametrize("small", [0, 10**9])
def test_a_payoff_of_ones_is_worth_one_everywhere(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "SMALL", small)
    space = Own(Held(rooms=1000))
    ones = columns.best(space, np.ones((len(space.finished), 1))).values
    assert np.abs(ones - 1.0).max() < 1e-13


def test_a_changed_rule_is_another_digest() -> None:
    maze = Maze()
    same = graph.walk(maze).digest
    assert graph.walk(Maze()).digest == same
    weight, moves = maze.table[150][0]
    for changed in ((weight + 1, moves), (weight, [*moves, moves[0]]), (weight, [(200, 3)])):
        maze.table[150][0] = changed
        assert graph.walk(maze).digest != same


def test_rolls_that_only_look_alike_are_not_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the marks of moves, rolls are compared before they are taken for one."""
    maze = Maze()
    rows = rows_of(Sums(maze), 1)
    monkeypatch.setattr(graph, "marks_of", lambda after, gains, where: np.zeros(len(after), np.uint64))
    for found, exact in zip(rows_of(Sums(maze), 1), rows, strict=True):
        assert np.nanmax(np.abs(found - exact)) < 1e-13
