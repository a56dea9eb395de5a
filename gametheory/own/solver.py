"""A game of one's own as solvers see it: the walked states are the places, and hold their points.

    V[state] = sum over rolls of P(roll) * max over moves of V[next state],    V[finished state] = payoff of its score

Between moves of equal worth the one with the better expected score is taken, then the one listed first.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..answers import Array, Plain
from ..levels import Columns, Node
from ..space import Space
from .notation import Position
from .rules import Walk, name_of, walk


class Named:
    """A game with the name and the way of winning that it has if it says nothing about them."""

    space: Any
    """The game as solvers see it, once it is walked."""

    def __init__(self, game: Any) -> None:
        self.given = game
        self.name = name_of(game)
        self.higher_wins = bool(getattr(game, "higher_wins", True))
        self.family = "own"
        self.about = str(getattr(game, "about", "") or "")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.given, name)


class Own(Space):
    """A walked game: see `rules.walk`."""

    looks = ("target",)

    def __init__(self, game: Any) -> None:
        self.walked: Walk = walk(game)
        self.game = game if all(hasattr(game, part) for part in ("name", "higher_wins")) else Named(game)
        if isinstance(self.game, Named):
            self.game.space = self
        scores = self.walked.scores
        self.outcomes = np.array(sorted(set(scores.values()), reverse=not self.game.higher_wins))
        number = {score: outcome for outcome, score in enumerate(self.outcomes.tolist())}
        self.finished = np.array(sorted(scores), np.int64)
        self.final = np.array([number[scores[int(place)]] for place in self.finished], np.int64)
        self.start = len(self.walked.states) - 1
        self.solo = Columns("held", np.zeros(1, np.int64))
        self.chase = Columns("target", np.zeros(len(self.outcomes), np.int64))

    @cached_property
    def levels(self) -> list[list[int]]:  # type: ignore[override]
        """States by the longest way from them to the end."""
        height = np.zeros(len(self.walked.states), np.int64)
        levels: list[list[int]] = []
        for place, node in enumerate(self.walked.nodes):
            if node is not None:
                height[place] = height[node.after].max() + 1
                while len(levels) < height[place]:
                    levels.append([])
                levels[height[place] - 1].append(place)
        return levels

    @cached_property
    def order(self) -> list[int]:
        return [place for place, node in enumerate(self.walked.nodes) if node is not None]

    def node(self, place: int) -> Node:
        found = self.walked.nodes[place]
        if found is None:
            raise ValueError(f"the game is over in the state {self.walked.states[place]!r}: there is nothing to roll")
        return found

    def at(self, state: Any) -> tuple[int, int]:
        if state not in self.walked.places:
            raise KeyError(f"the state {state!r} cannot be reached in {self.game.name}")
        return self.walked.places[state], 0

    def state(self, place: int, gain: int) -> Any:
        return self.walked.states[place]

    def position(self, place: int, gain: int, target: Any) -> Position:
        return Position(self.walked.states[place], target)

    def told(self, position: Any) -> Any:
        return position.state

    @property
    def axes(self) -> Plain:
        return {"state": np.arange(self.places), "target": np.arange(len(self.outcomes))}

    @property
    def digest(self) -> str:
        """A SHA-256 over the rules as they were walked."""
        return self.walked.digest

    def expected_score(self, table: Any, state: Any) -> float:
        return float(table[self.at(state)[0]])

    def pack(self, expected: Array, first: Array, second: Array) -> dict[str, tuple[tuple[str, ...], Any]]:
        points = float(self.outcomes[0]) + self.sign * expected
        arrays = {
            "expected": (("state",), points), "first": (("state",), first[:, 0].copy()),
            "second": (("state", "target"), second), "scores": (("target",), self.outcomes),
        }  # fmt: skip
        for _, array in arrays.values():
            array.setflags(write=False)
        return arrays

    def unpack_expected(self, table: Any) -> Array:
        return np.asarray(self.sign * (np.asarray(table, float) - float(self.outcomes[0])))

    def unpack(self, arrays: dict[str, tuple[tuple[str, ...], Any]]) -> tuple[Array, Array, Array]:
        shapes = {"expected": (self.places,), "first": (self.places,), "second": (self.places, len(self.outcomes))}
        for name, shape in shapes.items():
            if arrays[name][1].shape != shape:
                raise ValueError(f"an array has shape {arrays[name][1].shape} where the rules ask for {shape}")
        expected, first, second = (np.asarray(arrays[name][1], float) for name in shapes)
        return self.unpack_expected(expected), first[:, None], second
