"""Shut the box: throw two dice, shut open tiles that add up to the throw, until none do; the lowest sum left open wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

Tiles = tuple[int, ...]
Box = tuple[Tiles, int]
"""Tiles, and how many dice are thrown next, 0 when the game is over: the open tiles of a state, those that a keep shuts."""

ONE_DIE: dict[str, Callable[[Tiles], bool]] = {
    "six": lambda tiles: sum(tiles) <= 6, "789": lambda tiles: tiles[-1] < 7, "never": lambda tiles: False,
}
"""When a single die may be thrown, by open tiles."""
READINGS: dict[str, Callable[[Tiles], int]] = {"sum": sum, "digits": lambda tiles: int("".join(map(str, tiles)) or 0)}
"""What open tiles score."""


@dataclass(frozen=True)
class ShutTheBox:
    name: str = "shut-the-box"
    about: str = "Throw two dice, shut tiles of 1 to 9 that add up to the throw, until none do; the least left open wins."
    one_die: str = "six"
    reading: str = "sum"
    higher_wins = False
    start = (tuple(range(1, 10)), 2)

    def rolls(self, state: Box) -> list[tuple[int, int]]:
        return ([], [(face, 1) for face in range(1, 7)], [(n, 6 - abs(n - 7)) for n in range(2, 13)])[state[1]]

    def moves(self, state: Box, throw: int) -> Iterator[tuple[Box, Box, int]]:
        tiles = state[0]
        shut = [part for size in range(1, 5) for part in combinations(tiles[::-1], size) if sum(part) == throw]
        for part in shut:
            rest = tuple(tile for tile in tiles if tile not in part)
            for dice in ((2, 1) if ONE_DIE[self.one_die](rest) else (2,)) if rest else (0,):
                yield (part, dice), (rest, dice), 0
        if not shut:
            yield ((), 0), (tiles, 0), 0

    def score(self, state: Box) -> int:
        return int(READINGS[self.reading](state[0]))

    def text(self, thing: Box | int) -> str:
        if isinstance(thing, int):
            return str(thing)
        return (" ".join(map(str, thing[0])) or "none") + ("; over", "; one die", "")[thing[1]]
