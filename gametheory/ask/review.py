"""A played game as a short text, and what each of its decisions cost.

    game biscuits
    tie split
    banked=0 | d6:6x2,5x2,4,3x2,2,1x4 d8:7 d10:6 d12:12 | d12:12
    # what they made is the score to beat
    banked=12 | target=92 | d6:6,5,4x3,3,2,1x5 d8:8 d10:10 | d6:6 d8:8 d10:10

A decision is a line: where it was made, by the names of the options of `moves`, then the roll, then what was kept, as it is
typed in `play`. Lines stand for themselves: nothing follows from the line before. What a decision cost is the chance to win
of the best move less that of the one made; its luck is the chance after the roll less the chance before, both players at
their best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .. import files, games
from ..answers import Move, Notation, Plain, Ranking
from ..match.solution import Solution
from ..ties import TIED
from .solve import asked_of, find

MOST_BYTES = 1_000_000
APART = " | "
HEADS = ("game", "tie")


class Reviewed(NamedTuple):
    """A decision that was made."""

    position: Plain
    roll: Any
    keep: Move
    best: Move
    cost: float
    """What it gave away, in chance to win."""
    luck: float
    """What the dice had brought before it, in chance to win."""


@dataclass(frozen=True)
class Review:
    """The decisions of a game, held to the best."""

    game: Any
    notation: Notation = field(repr=False)
    tie: str
    decisions: tuple[Reviewed, ...]

    @property
    def given(self) -> float:
        """What all decisions gave away, in chance to win."""
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        """What the dice of all decisions brought, in chance to win."""
        return sum(decision.luck for decision in self.decisions)

    def to_dict(self) -> Plain:
        """Return the review as plain data."""
        write: Any = self.notation
        rows = [
            {
                "position": one.position, "roll": write.write_roll(one.roll), "keep": write.write_move(one.keep),
                "best": write.write_move(one.best), "cost": one.cost, "luck": one.luck,
            }
            for one in self.decisions
        ]  # fmt: skip
        return {"game": self.game.name, "tie": self.tie, "decisions": rows, "given_away": self.given, "luck": self.luck}

    def __repr__(self) -> str:
        return f"<Review of {self.game.name}: {len(self.decisions)} decisions gave away {self.given:.6f}>"


def write(solution: Solution, lines: Iterable[str]) -> str:
    """Return a game as text: what is played, and the lines of its decisions."""
    heads = [f"game {solution.game.name}", *([f"tie {solution.tie}"] if solution.ties else [])]
    return "\n".join([*heads, *lines, ""])


def line(notation: Any, position: Mapping[str, Any], roll: Any, move: Move) -> str:
    """Write a decision."""
    cells = [*(f"{name}={value}" for name, value in position.items()), notation.write_roll(roll), notation.write_move(move)]
    return APART.join(" ".join(str(cell).split()) for cell in cells)


def review(file: str | Path, game: object = None, *, tables: str | Path | None = None) -> Review:
    """Say what each decision of a played game cost, and what the dice had brought.

    `file` is a file in the notation of this module, or the text itself. Its game is one with a name or of dice; any other
    is given as `game`, for no text may have Python run.
    """
    heads, lines = _read(file)
    name, tie = heads.get("game"), heads.get("tie", "split")
    if game is None:
        if name is None:
            raise ValueError("the text does not say what was played: begin it with a line such as: game biscuits")
        if ".py" in name:
            raise ValueError(f"the text names {name}, which would be run: give the game itself if you trust it")
        game = name
    kind, chosen, _ = asked_of(game, tie)
    for question in ("moves", "chance_before"):
        kind.check_question(chosen, question)
    notation: Any = games.notation(chosen)
    read = [(number, _decision(number, cells, notation, kind.options)) for number, cells in lines]
    if not read:
        raise ValueError("the text holds no decision: write one a line, as: banked=0 | d6:6,5 | d6:6")
    solution = find(game, "moves", tie, tables=tables)
    found = []
    for number, (position, roll, keep) in read:
        try:
            found.append(_judge(solution, position, roll, keep))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    return Review(solution.game, notation, solution.tie, tuple(found))


def _judge(solution: Solution, position: Plain, roll: str, keep: str) -> Reviewed:
    """Hold one decision to the best."""
    ranking: Ranking = solution.moves(roll, **position)
    notation: Any = ranking.notation
    taken = notation.read_move(keep, ranking.roll, ranking.moves)
    best = ranking[0]
    lost = best.win_probability - taken.win_probability
    luck = best.win_probability - solution.chance_before(roll, **position)
    return Reviewed(position, ranking.roll, taken, best, lost if lost > TIED else 0.0, luck)


def _read(file: str | Path) -> tuple[dict[str, str], list[tuple[int, list[str]]]]:
    """Return what a text says of the game, and its decisions by the numbers of their lines."""
    text = file if isinstance(file, str) and "\n" in file else _text_of(Path(file))
    heads: dict[str, str] = {}
    found = []
    for number, written in enumerate(text.splitlines(), 1):
        words = written.strip()
        head, _, value = words.partition(" ")
        if not words or words.startswith("#"):
            continue
        if APART.strip() in words:
            found.append((number, [cell.strip() for cell in words.split(APART.strip())]))
        elif head in HEADS and value and head not in heads and not found:
            heads[head] = value.strip()
        else:
            raise ValueError(
                f"line {number}: cannot read {words[:60]!r}: write a decision as banked=0 | d6:6,5 | d6:6, and before them "
                "once: game NAME, tie RULE"
            )
    return heads, found


def _text_of(path: Path) -> str:
    remedy = "give a file that holds a played game"
    try:
        return files.read(path, MOST_BYTES, remedy).decode()
    except UnicodeDecodeError:
        raise ValueError(f"cannot read {path} (it is no text): {remedy}") from None


def _decision(number: int, cells: list[str], notation: Any, more: tuple[str, ...]) -> tuple[Plain, str, str]:
    """Read the cells of a line: the position, the roll and the keep."""
    known = (*notation.options, *more)
    position: Plain = {}
    *places, roll, keep = cells
    for cell in places:
        name, said, value = cell.partition("=")
        if not said or name not in known or name in position:
            raise ValueError(f"line {number}: {cell!r} places no roll here: say {', '.join(f'{one}=...' for one in known)}")
        position[name] = int(value) if value.lstrip("-").isdecimal() else value
    for what, said in (("roll", roll), ("keep", keep)):
        if not said:
            raise ValueError(f"line {number}: there is no {what}: write a decision as banked=0 | d6:6,5 | d6:6")
    return position, roll, keep
