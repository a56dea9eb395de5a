"""What dice are worth together: every combination of a race that scores, and the best way to split dice among them.

    points(kept) = max over combinations that hold the lowest face of kept of worth + points(kept without it)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple, Protocol


class Scoring(Protocol):
    """What a race says of its points (see `rules.RaceGame`)."""

    @property
    def dice(self) -> int: ...
    @property
    def sides(self) -> int: ...
    @property
    def singles(self) -> tuple[int, ...]: ...
    @property
    def three_of_a_kind(self) -> tuple[int, ...]: ...
    @property
    def more_of_a_kind(self) -> str | tuple[int, ...]: ...
    @property
    def straight(self) -> int: ...
    @property
    def three_pairs(self) -> int: ...
    @property
    def two_triplets(self) -> int: ...
    @property
    def four_and_pair(self) -> int: ...
    @property
    def sets(self) -> tuple[tuple[tuple[int, ...], int], ...]: ...
    @property
    def bust_faces(self) -> tuple[int, ...]: ...


class Combination(NamedTuple):
    """Dice that score together: how many of each face (face 1 first), and their points."""

    counts: tuple[int, ...]
    points: int


def points_of(points: tuple[int, ...], face: int) -> int:
    """Return the points of a face, 0 where the table says nothing."""
    return points[face - 1] if points else 0


def of_a_kind(style: str | tuple[int, ...], three: int, count: int) -> int:
    """Return what so many dice of a kind, four or more, are worth together; 0 for nothing of their own."""
    if style == "double":
        return three << (count - 3)
    if style == "add":
        return three * (count - 2)
    return style[count - 4] if not isinstance(style, str) and count - 4 < len(style) else 0


def list_combinations(game: Scoring) -> Iterable[Combination]:
    """Yield every combination that scores and fits on the dice."""

    def found(counts: Mapping[int, int], points: int) -> Iterable[Combination]:
        if points and sum(counts.values()) <= game.dice and not set(counts) & set(game.bust_faces):
            yield Combination(tuple(counts.get(face, 0) for face in faces), points)

    faces = range(1, game.sides + 1)
    for face in faces:
        three = points_of(game.three_of_a_kind, face)
        yield from found({face: 1}, points_of(game.singles, face))
        yield from found({face: 3}, three)
        for count in range(4, game.dice + 1):
            yield from found({face: count}, of_a_kind(game.more_of_a_kind, three, count))
    yield from found(dict.fromkeys(faces, 1), game.straight)
    for three_faces in combinations(faces, 3):
        yield from found(dict.fromkeys(three_faces, 2), game.three_pairs)
    for pair in combinations(faces, 2):
        yield from found(dict.fromkeys(pair, 3), game.two_triplets)
    for four, two in permutations(faces, 2):
        yield from found({four: 4, two: 2}, game.four_and_pair)
    for kept, points in game.sets:
        yield from found({face: kept.count(face) for face in kept}, points)


Scorer = Callable[[tuple[int, ...]], int | None]


def make_scorer(table: Iterable[Combination]) -> Scorer:
    """Make the function from kept dice, how many of each face, to points; None unless every die scores."""
    by_lowest_face: dict[int, list[Combination]] = {}
    for combination in table:
        lowest = next(face for face, count in enumerate(combination.counts) if count)
        by_lowest_face.setdefault(lowest, []).append(combination)

    @cache
    def points(kept: tuple[int, ...]) -> int | None:
        if not any(kept):
            return 0
        lowest = next(face for face, count in enumerate(kept) if count)
        best = None
        for counts, worth in by_lowest_face.get(lowest, []):
            rest = tuple(have - use for have, use in zip(kept, counts, strict=True))
            if min(rest) >= 0 and (others := points(rest)) is not None:
                best = max(best or 0, worth + others)
        return best

    return points
