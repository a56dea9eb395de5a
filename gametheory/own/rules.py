"""The rules of a game of one's own, as it says them: what is no game is refused in one line that names the fault.

A game is any object with these parts:

    start                  the state before the first roll (an attribute, a property or a method)
    rolls(state)           (roll, weight) pairs, the weight a whole number of ways; none when the game is finished
    moves(state, roll)     (keep, next state, points) triples, at least one
    score(state)           the final score of a finished state

With `score` states hold all that matters later, the points made so far among them, and the points of moves are only shown.
Without it the final score is the sum of the points of all moves, plus `final(state)` if the game says that, and states hold
no points: one solve covers them all (`sums`). States are hashable. Optional are `higher_wins` (True if not said), `name`,
`about`, `text(thing)`, which writes states, rolls and keeps where `repr` does not read well, and `ways(state)`, what the
weights of the rolls must add up to.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import islice
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ..answers import Array
from ..levels import Places

EXACT = 2**53
"""Whole numbers below this are exact in floating point."""
MOST_LISTED = 1_000_000
"""More rolls of a state, or moves of a roll, than any game has: what lists so many never ends."""
AT_ONCE = 1_000_000
"""How many moves are read at a time, or those of one state."""
MISSING: Any = object()
"""What a game says of a part that it has not."""
FAILS = (Exception, SystemExit)
"""What code of the user's may end in."""


class Named:
    """A game with the name and the way of winning that it has if it says nothing about them."""

    space: Any
    """The game as solvers see it."""

    def __init__(self, game: Any) -> None:
        self.given = game
        self.name = name_of(game)
        self.higher_wins = bool(part_of(game, "higher_wins", True))
        self.family = str(part_of(game, "family", "own"))
        self.about = str(part_of(game, "about", "") or "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and bool(self.given == other.given)

    def __hash__(self) -> int:
        return hash(self.name)

    def __getattr__(self, name: str) -> Any:
        if name == "given":  # not made yet: a copy is being made of it
            raise AttributeError(name)
        return getattr(self.given, name)


def part_of(game: Any, part: str, default: Any = None) -> Any:
    """Return a part of a game, `default` where it has none; refuse one that fails when it is looked at."""
    try:
        return getattr(game, part, default)
    except FAILS as error:
        raise ValueError(f"{part} of the game {type(game).__name__} fails ({said_by(error)}): mend it") from error


def name_of(game: Any) -> str:
    """Return what to call a game: its own name, or its class's."""
    return str(part_of(game, "name") or type(game).__name__)


def start_of(game: Any) -> Any:
    """Return the state before the first roll; refuse one that cannot be looked up."""
    start = part_of(game, "start")
    try:
        found = start() if callable(start) else start
    except FAILS as error:
        raise ValueError(f"start() of {name_of(game)} fails ({said_by(error)}): mend it") from error
    check_hash(game, found)
    return found


def holds_points(game: Any) -> bool:
    """Tell whether the states of a game hold its points."""
    return part_of(game, "score", MISSING) is not MISSING


def check_game(game: Any) -> None:
    """Refuse an object that is no solo game, naming what it lacks."""
    if isinstance(game, type):
        raise ValueError(f"{game.__name__} is a class, not a game: give an object of it, {game.__name__}()")
    parts = {part: part_of(game, part, MISSING) for part in ("start", "rolls", "moves", "score", "final")}
    if MISSING not in (parts["score"], parts["final"]):
        raise ValueError(
            f"the game {name_of(game)} says both score and final: say score(state) where states hold the points, "
            "final(state) for what is added to those of the moves"
        )
    for part, found in parts.items():
        if found is MISSING:
            if part in ("score", "final"):
                continue
            raise ValueError(
                f"the game {name_of(game)} has no {part}: a game has start, rolls(state), moves(state, roll) and "
                "score(state), or points that add up"
            )
        if part != "start" and not callable(found):
            raise ValueError(f"{part} of the game {name_of(game)} is {found!r}: make it a method")


# Reading states: many at once, so that it is fast; what is wrong with one is looked for when it is known to be there.


class Part(NamedTuple):
    """Some states read: arrays of theirs one after the other, and the states that they lead to."""

    rolls: Places  # by state: how many
    weights: Array
    moves: Places  # by roll: how many
    following: list[Any]
    """The distinct states after moves, in the order in which they come."""
    after: Places  # by move: a place in `following`
    points: Places  # by move, where they add up; else nothing
    scores: list[Any]
    """What the finished states among them score, or add to the points."""


def read_states(game: Any, states: Sequence[Any]) -> Part:
    """Read the rolls and the moves of states, the first ones where they have very many; refuse what is no game."""
    adds = not holds_points(game)
    counts: list[int] = []
    weights: list[float] = []
    sizes: list[int] = []
    after: list[int] = []
    points: list[Any] = []
    scores: list[Any] = []
    found: dict[Any, int] = {}
    known = found.get
    for state in states:
        if len(after) > AT_ONCE:
            break
        begun = len(weights)
        try:
            for roll, weight in islice(game.rolls(state), MOST_LISTED):
                if type(weight) is not int or weight < 1:
                    weight = _weight(game, state, roll, weight)
                weights.append(weight)
                before = len(after)
                for _, then, gained in islice(game.moves(state, roll), MOST_LISTED):
                    number = known(then)
                    if number is None:
                        number = found[then] = len(found)
                    after.append(number)
                    if adds:
                        points.append(gained)
                sizes.append(len(after) - before)
                if not 0 < sizes[-1] < MOST_LISTED:
                    raise ValueError(f"{sizes[-1]:,} moves")
            if len(weights) - begun >= MOST_LISTED:
                raise ValueError(f"{MOST_LISTED:,} rolls")
        except FAILS as error:
            find_fault(game, state)
            name = name_of(game)
            raise ValueError(f"the rules of {name} fail in the state {state!r} ({said_by(error)}): mend them") from error
        counts.append(len(weights) - begun)
        if counts[-1]:
            total = int(sum(weights[begun:]))
            check_ways(game, state, total)
            if total >= EXACT:
                weights[begun:] = [weight / total for weight in weights[begun:]]
        else:
            scores.append(_read_final(game, state) if adds else read_score(game, state))
    if set(map(type, points)) - {int}:
        for state in states[: len(counts)]:
            check_points(game, state)
    return Part(
        np.array(counts, np.int64), np.array(weights, float), np.array(sizes, np.int64), list(found),
        np.array(after, np.int64), _whole_numbers(game, points), scores,
    )  # fmt: skip


def said_by(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def find_fault(game: Any, state: Any) -> None:
    """Refuse what is wrong with the rolls and the moves of a state, one after the other."""
    name = name_of(game)
    for pair in _listed(game, state, "rolls", state):
        roll, weight = _unpack(pair, 2, f"rolls({state!r}) of {name} gave {pair!r}: give (roll, weight) pairs")
        _weight(game, state, roll, weight)
        triples = list(_listed(game, state, "moves", state, roll))
        for triple in triples:
            given = f"moves({state!r}, {roll!r}) of {name} gave {triple!r}: give (keep, next state, points)"
            _, after, _ = _unpack(triple, 3, given)
            check_hash(game, after)
        if not triples:
            raise ValueError(
                f"{name} has no move for the roll {roll!r} in the state {state!r}: give at least one, or no such roll"
            )


def _listed(game: Any, state: Any, part: str, *arguments: Any) -> Iterable[Any]:
    """Yield what a method of a game gives; refuse in one line what fails, or never ends."""
    called = f"{part}({', '.join(map(repr, arguments))}) of {name_of(game)}"
    try:
        given = iter(getattr(game, part)(*arguments))
        yield from islice(given, MOST_LISTED)
        more = next(given, MISSING)
    except FAILS as error:
        raise ValueError(f"{called} fails ({said_by(error)}): mend it") from error
    if more is not MISSING:
        raise ValueError(f"{called} gave {MOST_LISTED:,} and went on: let it end")


def check_hash(game: Any, state: Any) -> None:
    """Refuse a state that cannot be looked up."""
    try:
        hash(state)
    except TypeError:
        raise ValueError(
            f"the state {state!r} of {name_of(game)} cannot be hashed: make states of tuples and numbers"
        ) from None


def _weight(game: Any, state: Any, roll: Any, weight: Any) -> int:
    if isinstance(weight, bool) or not hasattr(weight, "__index__") or operator.index(weight) < 1:
        raise ValueError(
            f"the roll {roll!r} in the state {state!r} of {name_of(game)} has weight {weight!r}: give the number of ways it "
            "comes up, a whole number from 1 on"
        )
    return operator.index(weight)


def check_ways(game: Any, state: Any, total: int) -> None:
    ways = getattr(game, "ways", None)
    if callable(ways) and total != ways(state):
        raise ValueError(
            f"the weights of the rolls in the state {state!r} of {name_of(game)} add up to {total}, not to the "
            f"{ways(state)} ways it says there are"
        )


def check_points(game: Any, state: Any) -> None:
    for roll, _ in game.rolls(state):
        for _, _, gained in game.moves(state, roll):
            _whole(game, state, gained)


def _whole_numbers(game: Any, points: list[Any]) -> Places:
    """Return points as an array; refuse numbers beyond all reason."""
    try:
        found = np.array(points, np.int64)
    except OverflowError:
        found = np.array([2**62])
    if found.size and int(np.abs(found).max()) > MOST_POINTS:
        raise ValueError(
            f"{name_of(game)} has moves of more than {MOST_POINTS:,} points: count in larger units, or keep the points in "
            "the state and say score(state)"
        )
    return found


MOST_POINTS = 10**9
"""Every number of points up to the most there can be has a column."""


def _unpack(given: Any, size: int, problem: str) -> tuple[Any, ...]:
    if not isinstance(given, tuple | list) or len(given) != size:
        raise ValueError(problem)
    return tuple(given)


def final_points(game: Any, state: Any) -> int:
    """Return what a finished state adds to the points, a whole number."""
    final = getattr(game, "final", None)
    return _whole(game, state, final(state) if callable(final) else 0)


_read_final = final_points


def _whole(game: Any, state: Any, points: Any) -> int:
    if isinstance(points, bool) or not hasattr(points, "__index__"):
        raise ValueError(
            f"{name_of(game)} has points {points!r} in the state {state!r}: give whole numbers, or keep the points in the "
            "state and say score(state)"
        )
    return operator.index(points)


def read_score(game: Any, state: Any) -> Any:
    score = game.score(state)
    if isinstance(score, bool) or not isinstance(score, Real) or not isfinite(score):
        raise ValueError(f"the score of {name_of(game)} in the finished state {state!r} is {score!r}: give a number")
    return score
