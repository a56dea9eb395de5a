"""The rules of a game of one's own, walked: every state that can be reached, each after those it leads to.

A game is any object with the four parts of `games.Game`:

    start                  the state before the first roll (an attribute, a property or a method)
    rolls(state)           (roll, weight) pairs, the weight a whole number of ways; none when the game is finished
    moves(state, roll)     (keep, next state, points) triples, at least one
    score(state)           the final score of a finished state

With `score` states hold all that matters later, the points made so far among them. Without it the final score is the sum of
the points of all moves, plus `final(state)` if the game says that, and states hold no points: one solve covers them all
(`sums`). States are hashable. Two more parts are optional: `higher_wins` (True if not said) and `ways(state)`, what the
weights of the rolls must add up to.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Hashable
from itertools import islice
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ..levels import Node

MOST_STATES = 1_000_000
MOST_MOVES = 10_000_000


class Walk(NamedTuple):
    """A game walked: its states, the node of each that is not finished, where each stands, and the finished scores."""

    states: tuple[Any, ...]
    nodes: tuple[Node | None, ...]
    places: dict[Any, int]
    scores: dict[int, Any]
    digest: str
    """A SHA-256 over the rules as they were walked: states in order, rolls, weights, moves and scores."""


def walk(game: Any) -> Walk:
    """List the states of a game and their final scores; refuse what is no game, naming the fault."""
    check_game(game)
    states, nodes, places = _list_states(game)
    says = _read_score if holds_points(game) else _read_final
    scores = {place: says(game, states[place]) for place, node in enumerate(nodes) if node is None}
    return Walk(tuple(states), tuple(nodes), places, scores, _digest(states, nodes, scores))


def holds_points(game: Any) -> bool:
    """Tell whether the states of a game hold its points."""
    return hasattr(game, "score")


def _digest(states: list[Any], nodes: list[Node | None], scores: dict[int, Any]) -> str:
    digest = hashlib.sha256()
    for state, node in zip(states, nodes, strict=True):
        said = [state]
        if node is not None:
            said += [node.rolls, node.weights.tolist(), node.keeps, node.after.tolist(), node.points]
        digest.update(repr(said).encode())
    digest.update(repr(sorted(scores.items())).encode())
    return digest.hexdigest()


def name_of(game: Any) -> str:
    """Return what to call a game: its own name, or its class's."""
    return str(getattr(game, "name", None) or type(game).__name__)


def check_game(game: Any) -> None:
    """Refuse an object that is no solo game, naming what it lacks."""
    if isinstance(game, type):
        raise ValueError(f"{game.__name__} is a class, not a game: give an object of it, {game.__name__}()")
    if hasattr(game, "score") and hasattr(game, "final"):
        raise ValueError(
            f"the game {name_of(game)} says both score and final: say score(state) where states hold the points, "
            "final(state) for what is added to those of the moves"
        )
    for part in ("start", "rolls", "moves", "score", "final"):
        if not hasattr(game, part):
            if part in ("score", "final"):
                continue
            raise ValueError(
                f"the game {name_of(game)} has no {part}: a game has start, rolls(state), moves(state, roll) and "
                "score(state), or points that add up"
            )
        if part != "start" and not callable(getattr(game, part)):
            raise ValueError(f"{part} of the game {name_of(game)} is {getattr(game, part)!r}: make it a method")


def _read_node(game: Any, state: Any, room: int) -> tuple[Node, list[Any]]:
    """Read the rolls and moves of a state; return them with the next states, whose places are not known yet."""
    name = name_of(game)
    rolls: list[Any] = []
    weights: list[int] = []
    begins: list[int] = []
    keeps: list[Hashable] = []
    following: list[Any] = []
    points: list[int] = []
    for pair in game.rolls(state):
        roll, weight = _unpack(pair, 2, f"rolls({state!r}) of {name} gave {pair!r}: give (roll, weight) pairs")
        if isinstance(weight, bool) or not hasattr(weight, "__index__") or operator.index(weight) < 1:
            raise ValueError(
                f"the roll {roll!r} in the state {state!r} of {name} has weight {weight!r}: give the number of ways it "
                "comes up, a whole number from 1 on"
            )
        rolls.append(roll)
        weights.append(operator.index(weight))
        begins.append(len(keeps))
        for triple in islice(game.moves(state, roll), room + 1):
            keep, after, gained = _unpack(
                triple, 3, f"moves({state!r}, {roll!r}) of {name} gave {triple!r}: give (keep, next state, points)"
            )
            keeps.append(keep)
            following.append(after)
            points.append(gained)
        if len(keeps) == begins[-1]:
            raise ValueError(
                f"{name} has no move for the roll {roll!r} in the state {state!r}: give at least one, or no such roll"
            )
        if len(keeps) > room:
            raise ValueError(
                f"{name} has more than {MOST_MOVES:,} moves (at the state {state!r}): too many for the general solver"
            )
    ways = getattr(game, "ways", None)
    if rolls and callable(ways) and sum(weights) != ways(state):
        raise ValueError(
            f"the weights of the rolls in the state {state!r} of {name} add up to {sum(weights)}, not to the "
            f"{ways(state)} ways it says there are"
        )
    total = sum(weights)
    exact = np.array(weights if total < 2**53 else [weight / total for weight in weights], float)
    nothing = np.empty(0, np.int64)
    node = Node(tuple(rolls), exact, np.array(begins, np.int64), tuple(keeps), nothing, nothing, tuple(points))
    return node, following


def _unpack(given: Any, size: int, problem: str) -> tuple[Any, ...]:
    if not isinstance(given, tuple | list) or len(given) != size:
        raise ValueError(problem)
    return tuple(given)


def _list_states(game: Any) -> tuple[list[Any], list[Node | None], dict[Any, int]]:
    """List every state that can be reached, each after those it leads to; refuse a game that never ends."""
    name = name_of(game)
    begin: Any = game.start() if callable(game.start) else game.start
    states: list[Any] = []
    nodes: list[Node | None] = []
    places: dict[Any, int] = {}
    room = MOST_MOVES
    try:
        on_path = {begin}
    except TypeError:
        raise ValueError(f"the state {begin!r} of {name} cannot be hashed: make states of tuples and numbers") from None
    node, following = _read_node(game, begin, room)
    room -= len(following)
    path = [(begin, node, following, iter(following))]
    while path:
        state, node, following, left = path[-1]
        for after in left:
            try:
                if after in places:
                    continue
                if after in on_path:
                    raise ValueError(
                        f"{name} never ends: the state {after!r} can come again after itself (from {state!r}); let "
                        "every move bring the end nearer"
                    )
                on_path.add(after)
            except TypeError:
                raise ValueError(
                    f"the state {after!r} of {name} cannot be hashed: make states of tuples and numbers"
                ) from None
            if len(places) + len(path) >= MOST_STATES:
                raise ValueError(
                    f"{name} has more than {MOST_STATES:,} states (at {after!r}): too many for the general solver, "
                    "if it ends at all"
                )
            node, following = _read_node(game, after, room)
            room -= len(following)
            path.append((after, node, following, iter(following)))
            break
        else:
            path.pop()
            on_path.remove(state)
            places[state] = len(states)
            states.append(state)
            after = np.array([places[s] for s in following])
            nodes.append(node._replace(after=after, gains=np.zeros_like(after)) if node.rolls else None)
    return states, nodes, places


def _read_final(game: Any, state: Any) -> Any:
    return game.final(state) if hasattr(game, "final") else 0


def _read_score(game: Any, state: Any) -> Any:
    score = game.score(state)
    if isinstance(score, bool) or not isinstance(score, Real) or not isfinite(score):
        raise ValueError(f"the score of {name_of(game)} in the finished state {state!r} is {score!r}: give a number")
    return score
