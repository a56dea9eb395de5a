"""How games of one's own read positions, and what their policies are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..scoring import PlainNotation, bare


class OwnNotation(PlainNotation):
    """The notation of a walked game: states and rolls as they are, or as they are written."""

    def write(self, thing: Any) -> str:
        try:
            return super().write(thing)
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0]
            raise ValueError(f"text({thing!r}) of {self.game.name} fails ({said}): mend it") from error

    def read_state(self, given: Any) -> Any:
        """Return a state of the game, given itself or as it is written; refuse one that no play comes to."""
        space = self.game.space
        try:
            space.number(given)
            return given
        except (KeyError, TypeError):  # what cannot be looked up may be a text
            written = space.written if isinstance(given, str) else {}
        if bare(str(given)) not in written:
            raise ValueError(
                f"the state {given!r} cannot be reached in {self.game.name}: give one that play comes to, as "
                f"{self.write(space.graph.states[-1])!r}, which is the start"
            )
        return written[bare(str(given))]

    def read(self, roll: Any, state: Any = None) -> tuple[Any, Any]:
        start = self.game.start() if callable(self.game.start) else self.game.start
        state = start if state is None else self.read_state(state)
        return self._find_roll(roll, state, [shown for shown, _ in self.game.rolls(state)]), state

    def _find_roll(self, roll: Any, state: Any, rolls: list[Any]) -> Any:
        """Return the roll that was given, itself or as it is written, in any order of its words."""
        for alike in (_same, _same_text, _same_words):
            found = [shown for shown in rolls if alike(roll, shown, self.write(shown))]
            if found:
                return found[0]
        where = self.where(state)
        if not rolls:
            raise ValueError(f"{self.game.name} is over in the state {where}: there is nothing to roll")
        raise ValueError(
            f"{roll!r} cannot be rolled in the state {where} of {self.game.name}: give a roll as {self.write(rolls[0])!r}"
        )


def _same(roll: Any, shown: Any, text: str) -> bool:
    return bool(roll == shown)


def _same_text(roll: Any, shown: Any, text: str) -> bool:
    return isinstance(roll, str) and bare(roll) == bare(text)


def _same_words(roll: Any, shown: Any, text: str) -> bool:
    return isinstance(roll, str) and _words(roll) == _words(text)


def _words(text: str) -> list[str]:
    """Return the words of a text, sorted."""
    words: Iterable[str] = "".join(c if c.isalnum() or c in "-." else " " for c in text.casefold()).split()
    return sorted(words)


class SumPosition(NamedTuple):
    """Where a decision is made in a game whose points add up: the state, points banked, and the score to beat."""

    state: Any
    banked: int
    target: Any = None


class Position(NamedTuple):
    """Where a decision is made: the state, and the score to beat (None for the first player)."""

    state: Any
    target: Any = None
