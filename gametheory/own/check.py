"""Trouble with a game of one's own, looked for by playing it at random through the plain rules.

Walking refuses what is no game, but some things it cannot see, or would take long to find: rules that say something else
when they are asked again, states that are equal but hash apart, things that are written alike.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .. import progress, source
from . import rules
from .sums import space_of

GAMES = 200
"""How many games are played at random."""
LONGEST = 10_000
"""How many rolls of one game are played."""
COMPARED = 300
"""How many states that are objects of the user's own are compared with each other."""


class Check(NamedTuple):
    """What is wrong with a game, the first of every kind, a line each; and where nothing is, how large it is."""

    game: str
    states: int | None
    rolls: int | None
    moves: int | None
    trouble: tuple[str, ...]


def check(game: Any, *, seed: int = 0) -> Check:
    """Play a game of your own, or that of FILE.py:NAME, at random; say what is wrong with its rules, and its size."""
    if isinstance(game, str):
        if not source.is_source(game):
            raise ValueError(f"{game!r} is no game of your own: say FILE.py:NAME")
        game = source.make(game)
    name, found = rules.name_of(game), _Trouble()
    with found.of("game"):
        rules.check_game(game)
        with progress.bar(f"playing {name}") as advance:
            _Player(game, found, random.Random(seed)).play(advance)
    if not found.first:
        with found.of("graph"):
            space = space_of(game)
            space.check_size()
            graph = space.graph
            return Check(name, len(graph.states), len(graph.weights), len(graph.after), ())
    return Check(name, None, None, None, tuple(found.first.values()))


class _Trouble:
    """The first of every kind of trouble."""

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def add(self, kind: str, words: str) -> None:
        self.first.setdefault(kind, words)

    @contextmanager
    def of(self, kind: str) -> Iterator[None]:
        """Note what is refused."""
        try:
            yield
        except ValueError as error:
            self.add(kind, str(error))


class _Player:
    """Plays at random, and looks at every state that it comes to for the first time."""

    def __init__(self, game: Any, found: _Trouble, draw: random.Random) -> None:
        self.game, self.name, self.found, self.draw = game, rules.name_of(game), found, draw
        self.seen: set[Any] = set()
        self.objects: list[Any] = []
        self.written: dict[str, Any] = {}

    def play(self, advance: progress.Progress) -> None:
        for number in range(GAMES):
            state = rules.start_of(self.game)
            try:
                self._play_once(state)
            except ValueError:
                raise
            except Exception as error:  # comparing states runs code of the user's too
                raise ValueError(f"the rules of {self.name} fail ({rules.said_by(error)}): mend them") from error
            advance((number + 1) / GAMES)

    def _play_once(self, state: Any) -> None:
        passed: set[Any] = set()
        for _ in range(LONGEST):
            if state not in self.seen:
                rules.find_fault(self.game, state)
                self.seen.add(state)
                self._look(state)
            if state in passed:
                raise ValueError(
                    f"{self.name} never ends: the state {state!r} came again in a game; let every move bring the end nearer"
                )
            passed.add(state)
            rolls = list(self.game.rolls(state))
            if not rolls:
                return
            (roll,) = self.draw.choices([shown for shown, _ in rolls], [int(weight) for _, weight in rolls])
            _, state, _ = self.draw.choice(list(self.game.moves(state, roll)))
        raise ValueError(f"a game of {self.name} took more than {LONGEST:,} rolls (to {state!r}): let it end")

    def _look(self, state: Any) -> None:
        """Look for trouble at one state whose rolls and moves are in form."""
        game, found, rolls = self.game, self.found, list(self.game.rolls(state))
        self._compare(state)
        self._write("state", state)
        with found.of("points"):
            if rolls and not rules.holds_points(game):
                rules.check_points(game, state)
            elif not rolls:
                (rules.read_score if rules.holds_points(game) else rules.final_points)(game, state)
        if rolls:
            with found.of("ways"):
                rules.check_ways(game, state, sum(int(weight) for _, weight in rolls))
        shown: dict[str, Any] = {}
        for roll, _ in rolls:
            text = self._write("roll", roll)
            if text in shown:
                other, where = shown[text], f"in the state {state!r} of {self.name}"
                same = f"the roll {roll!r} comes twice {where}: add up its weights"
                alike = f"the rolls {other!r} and {roll!r} {where} are both written {text!r}: let text tell them apart"
                found.add("rolls", same if other == roll else alike)
            shown[text] = roll
            self._look_at_moves(state, roll)

    def _look_at_moves(self, state: Any, roll: Any) -> None:
        listed, again = list(self.game.moves(state, roll)), list(self.game.moves(state, roll))
        where = f"for the roll {roll!r} in the state {state!r} of {self.name}"
        if len(listed) != len(again):
            self.found.add("again", f"there are {len(listed)} moves {where}, then {len(again)}: {AGAIN}")
        for (keep, one, points), (_, other, gained) in zip(listed, again, strict=False):
            self._write("keep", keep)
            if one != other or (points != gained and points == points):  # what is no number is another trouble
                made, then = (one, points), (other, gained)
                self.found.add("again", f"the move {keep!r} {where} leads to {made!r}, then to {then!r}: {AGAIN}")
            elif hash(one) != hash(other):
                self._hash_apart(one, other)

    def _compare(self, state: Any) -> None:
        """Compare a state that is an object of the user's own with others."""
        if _is_plain(state) or len(self.objects) >= COMPARED:
            return
        for other in self.objects:
            if state == other and hash(state) != hash(other):
                self._hash_apart(state, other)
        self.objects.append(state)

    def _hash_apart(self, one: Any, other: Any) -> None:
        self.found.add(
            "hash", f"the states {one!r} and {other!r} of {self.name} are equal but hash apart: let equal states have equal "
            "hashes, as tuples and frozen dataclasses have",
        )  # fmt: skip

    def _write(self, what: str, thing: Any) -> str:
        """Return how a thing is written; look for states that are written alike."""
        text = getattr(self.game, "text", None)
        if not callable(text):
            return repr(thing)
        try:
            words = str(text(thing))
        except Exception as error:
            self.found.add("text", f"text({thing!r}) of {self.name} fails for a {what} ({rules.said_by(error)}): mend it")
            return repr(thing)
        if what == "state" and self.written.setdefault(words, thing) != thing:
            both = f"the states {self.written[words]!r} and {thing!r} of {self.name} are both written {words!r}"
            self.found.add("states", f"{both}: let text tell them apart")
        return words


AGAIN = "let rules depend on the state and the roll alone, and let states that are alike be equal"


def _is_plain(thing: Any) -> bool:
    """Tell whether a thing is made of Python's own parts, which hash as they compare."""
    if isinstance(thing, tuple):
        named = [vars(kind) for kind in type(thing).__mro__ if kind not in (tuple, object)]
        return not any("__eq__" in said or "__hash__" in said for said in named) and all(map(_is_plain, thing))
    return type(thing) in (bool, int, float, str, bytes, type(None))
