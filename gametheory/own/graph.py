"""A game of one's own walked: every state that play can come to, and what leads where, as flat arrays.

States are found in order of the moves that lead to them, the start first, a bunch at a time (`rules.read_states`). Then they
stand by *place*: the finished ones, then level by level, each after all that it leads to, the start last. Arrays are of
places p, rolls r and moves m one after the other, each array of beginnings with the end behind it:

    rolls[p], rolls[p + 1]     where the rolls of a place begin and end
    weights[r]                 in how many ways a roll comes up
    moves[r], moves[r + 1]     where the moves of a roll begin and end
    after[m], points[m]        the place that a move leads to, and its points where they add up
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .. import progress
from ..answers import Array
from ..levels import Places
from .rules import Part, name_of, read_states, start_of

MEMORY = 4e9
"""Bytes that walking may take, and never more than half of what the machine has."""
STATE_BYTES, ROLL_BYTES, MOVE_BYTES = 400, 40, 40
"""What a state, a roll and a move take while a game is walked, roughly."""
BUNCH = 512
"""How many states are read at a time, at most."""
LEAST_SECONDS = 0.1
"""The least work worth sending to a worker: a task costs some milliseconds of its own."""


@dataclass(frozen=True, eq=False)
class Graph:
    """A game walked: see above."""

    states: list[Any]
    rolls: Places
    weights: Array
    moves: Places
    after: Places
    points: Places
    finals: list[Any]
    """By finished place: what it scores, or adds to the points."""
    levels: list[range]
    """The unfinished places, level by level."""
    digest: str
    """A SHA-256 over the rules as they were walked: rolls by their weights, moves by where they lead, points and scores."""

    @property
    def finished(self) -> int:
        """How many places are finished: the first so many."""
        return len(self.finals)


def walk(game: Any, executor: Any = None) -> Graph:
    """Walk a game from its start, here or on an executor; refuse what is no game, what never ends, and what is too large."""
    states, found = _find_states(game, executor)
    counts, weights, sizes, after, points, finals = found
    digest = hashlib.sha256()
    for array in (counts, weights, sizes, after, points):
        digest.update(f"{len(array)} ".encode() + array.astype("<f8" if array.dtype.kind == "f" else "<i8").tobytes())
    digest.update(repr(finals).encode())
    height = _heights(game, states, counts, sizes, after)
    # Within a level, what was found last stands first: the start is the last of all.
    order = np.lexsort((-np.arange(len(states)), height))
    place = np.empty(len(states), np.int64)
    place[order] = np.arange(len(states))
    rolls, moves = beginnings(counts), beginnings(sizes)
    chosen = spans(rolls[:-1][order], counts[order])
    picked = spans(moves[:-1][chosen], sizes[chosen])
    number = np.cumsum(counts == 0) - 1
    bounds = [*(np.flatnonzero(np.diff(height[order])) + 1).tolist(), len(states)]
    return Graph(
        [states[i] for i in order.tolist()], beginnings(counts[order]), weights[chosen], beginnings(sizes[chosen]),
        place[after[picked]], points[picked] if len(points) else points,
        [finals[number[i]] for i in order[counts[order] == 0].tolist()],
        [range(begin, end) for begin, end in pairwise(bounds)],
        digest.hexdigest(),
    )  # fmt: skip


def beginnings(sizes: Places) -> Places:
    """Return where runs of these sizes begin, one after the other, and where the last ends."""
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


def spans(begins: Places, sizes: Places) -> Places:
    """Return the members of runs, one run after the other."""
    total = int(sizes.sum())
    shift = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    return np.asarray(shift + np.arange(total))


class _Found(NamedTuple):
    counts: Places
    weights: Array
    sizes: Places
    after: Places
    points: Places
    finals: list[Any]


def _find_states(game: Any, executor: Any) -> tuple[list[Any], _Found]:
    """Find every state, in the order of the moves that lead to them, and read it."""
    begin = start_of(game)
    states, number = [begin], {begin: 0}
    parts: list[Part] = []
    known = rolls = moves = read = 0
    room, pace = _room(), 0.0  # seconds that a state takes
    with progress.bar(f"walking {name_of(game)}") as advance:
        while read < len(states):
            size = BUNCH if executor is None else max(1, min(BUNCH, round(LEAST_SECONDS / (pace + 1e-9))))
            bunches = [states[i : i + size] for i in range(read, len(states), size)]
            begun, front = time.perf_counter(), len(states) - read
            for part in _read(game, bunches, executor):
                read += len(part.rolls)
                places = np.empty(len(part.following), np.int64)
                for i, state in enumerate(part.following):
                    place = number.get(state)
                    if place is None:
                        place = number[state] = len(states)
                        states.append(state)
                    places[i] = place
                parts.append(part._replace(after=places[part.after], following=[]))
                rolls, moves = rolls + len(part.weights), moves + len(part.after)
                known = STATE_BYTES * len(states) + ROLL_BYTES * rolls + MOVE_BYTES * moves
                if known > room:
                    raise ValueError(
                        f"{name_of(game)} has more than {len(states):,} states and {moves:,} moves (at {states[-1]!r}), "
                        f"which take more than {room / 1e9:.2g} GB, if it ends at all: leave out of the states what does "
                        "not matter later, such as points that add up or the order of dice"
                    )
                advance(read / len(states))
            sent_to = executor.workers if executor is not None and len(bunches) > 1 else 1
            pace = (time.perf_counter() - begun) * sent_to / front
    progress.say(f"{name_of(game)}: {len(states):,} states, {rolls:,} rolls, {moves:,} moves, about {known / 1e6:,.0f} MB")
    return states, _Found(
        np.concatenate([part.rolls for part in parts]), np.concatenate([part.weights for part in parts]),
        np.concatenate([part.moves for part in parts]), np.concatenate([part.after for part in parts]),
        np.concatenate([part.points for part in parts]), [final for part in parts for final in part.scores],
    )  # fmt: skip


def _read(game: Any, bunches: Sequence[list[Any]], executor: Any) -> Iterator[Part]:
    """Read bunches of states, in their order, a bunch in several parts where it has very many moves."""
    send = None if executor is None or len(bunches) < 2 else executor.submit
    started = [send(read_states, game, bunch) if send else None for bunch in bunches]
    for bunch, task in zip(bunches, started, strict=True):
        part = task.result() if task else read_states(game, bunch)
        yield part
        done = len(part.rolls)
        while done < len(bunch):
            part = read_states(game, bunch[done:])
            yield part
            done += len(part.rolls)


def _room() -> float:
    """Return how many bytes walking may take."""
    with suppress(AttributeError, ValueError, OSError):  # not every system tells
        return min(MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2)
    return MEMORY


def _heights(game: Any, states: list[Any], counts: Places, sizes: Places, after: Places) -> Places:
    """Return the longest way from every state to the end; refuse a game in which a state comes again."""
    owner = np.repeat(np.repeat(np.arange(len(states)), counts), sizes)
    edges = np.unique(owner * len(states) + after)
    source, target = np.divmod(edges, len(states))
    by_target = np.argsort(target, kind="stable")
    source, target = source[by_target], target[by_target]
    left = np.bincount(source, minlength=len(states))
    begins = np.searchsorted(target, np.arange(len(states) + 1))
    height = np.full(len(states), -1)
    now, level = np.flatnonzero(counts == 0), 0
    while len(now):
        height[now] = level
        before, times = np.unique(source[spans(begins[now], begins[now + 1] - begins[now])], return_counts=True)
        left[before] -= times
        now, level = before[left[before] == 0], level + 1
    if (height < 0).any():
        _refuse_circle(game, states, height, source, target)
    return height


def _refuse_circle(game: Any, states: list[Any], height: Places, source: Places, target: Places) -> None:
    """Name a state that can come again, and the one from which it does."""
    stuck = (height[source] < 0) & (height[target] < 0)
    onward = dict(zip(source[stuck].tolist(), target[stuck].tolist(), strict=True))
    here, seen = min(onward), set()
    while onward[here] not in seen:
        seen.add(here)
        here = onward[here]
    raise ValueError(
        f"{name_of(game)} never ends: the state {states[onward[here]]!r} can come again after itself (from "
        f"{states[here]!r}); let every move bring the end nearer"
    )


# Merging: what makes no difference to a solver that looks for the best move.


class Merged(NamedTuple):
    """Flat arrays as in `Graph`, of the moves that can be best, in their order, and of the rolls that differ in them."""

    rolls: Places
    weights: Array
    moves: Places
    after: Places
    gains: Places


def merge(rolls: Places, weights: Array, moves: Places, after: Places, gains: Places, *, prune: bool) -> Merged:
    """Leave out moves that come twice and, to prune, those that gain less on the way to the same place; merge equal rolls.

    Rolls are equal that have the same moves in the same order. The first roll of its kind, and the first move, stay.
    """
    sizes = np.diff(moves)
    roll_of = np.repeat(np.arange(len(sizes)), sizes)
    order = _sorted(-gains, after, roll_of)  # stable: of equal ones the first stays
    new = np.ones(len(after), bool)
    here, last = order[1:], order[:-1]
    new[1:] = (roll_of[here] != roll_of[last]) | (after[here] != after[last])
    if not prune:
        new[1:] |= gains[here] != gains[last]
    kept = np.sort(order[new])
    after, gains, sizes = after[kept], gains[kept], np.bincount(roll_of[kept], minlength=len(sizes))
    moves = beginnings(sizes)
    place_of = np.repeat(np.arange(len(rolls) - 1), np.diff(rolls))
    same_as = _equal_rolls(place_of, moves, sizes, after, gains)
    first = np.flatnonzero(same_as == np.arange(len(sizes)))
    summed: Array = np.bincount(same_as, weights, len(sizes))[first].astype(np.float64)
    chosen = spans(moves[:-1][first], sizes[first])
    counts = np.bincount(place_of[first], minlength=len(rolls) - 1)
    return Merged(
        beginnings(counts), summed, beginnings(sizes[first]), after[chosen].astype(np.int32), gains[chosen].astype(np.int32)
    )


def _sorted(*keys: Places) -> Places:
    """Return the order that `numpy.lexsort` does: by the last key, then the one before it; one sort where one will do."""
    total, size = np.zeros(len(keys[0]), np.int64), 1
    for key in keys:
        low, high = (int(key.min()), int(key.max())) if len(key) else (0, 0)
        if size * (high - low + 1) >= 2**63:
            return np.lexsort(keys)
        total += (key - low) * size
        size *= high - low + 1
    return np.argsort(total, kind="stable")


def _equal_rolls(place_of: Places, moves: Places, sizes: Places, after: Places, gains: Places) -> Places:
    """Return for every roll the first of its place that has the same moves."""
    count = len(sizes)
    where = np.arange(len(after)) - np.repeat(moves[:-1], sizes)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(marks_of(after, gains, where))])
    marks = sums[moves[1:]] - sums[moves[:-1]]
    order = np.lexsort((marks, sizes, place_of))
    alike = np.zeros(count, bool)
    here, last = order[1:], order[:-1]
    alike[1:] = (place_of[here] == place_of[last]) & (sizes[here] == sizes[last]) & (marks[here] == marks[last])
    heads = order[np.maximum.accumulate(np.where(alike, 0, np.arange(count)))]
    found = np.arange(count)
    found[order] = heads
    # A mark is no proof.
    members = np.flatnonzero(found != np.arange(count))
    one, other = spans(moves[:-1][members], sizes[members]), spans(moves[:-1][found[members]], sizes[members])
    differ = (after[one] != after[other]) | (gains[one] != gains[other])
    wrong = members[np.unique(np.repeat(np.arange(len(members)), sizes[members])[differ])]
    found[wrong] = wrong
    return found


def marks_of(after: Places, gains: Places, where: Places) -> Any:
    """Return a number for each move that hardly any other has: they are added up, whatever is carried over lost."""
    found = after.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    found ^= gains.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(1)
    found ^= found >> np.uint64(29)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    return found * (2 * where + 1).astype(np.uint64)
