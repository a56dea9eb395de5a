"""Strategy cards to play from memory, and what they cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import files, progress
from ..answers import Plain
from ..cards import picture, search
from ..cards.file import check_game
from ..cards.par import AnyCard, ParCard
from ..match.duel import Duel
from ..match.solution import Solution
from ..store import export
from .solve import find, named

FORMS = ("svg", "pdf", "html", "toml")


@dataclass(frozen=True)
class CardAnswer:
    """A card, and what it is worth against perfect play."""

    game: str
    name: str
    goal: str
    size: int
    rules: list[str]
    expected_score: float
    first_player_value: float
    second_player_value: float
    loss: float
    optimal_expected_score: float
    toml: str
    file: str | None = None

    def to_dict(self) -> Plain:
        """Return the card as plain data."""
        return {name: value for name, value in asdict(self).items() if name != "file" or value is not None}


def card(
    game: Any, size: str = "medium", *, seat: str | None = None, tie: str | float = "split",
    tables: str | Path | None = None, output: str | Path | None = None, force: bool = False,
) -> CardAnswer:  # fmt: skip
    """Find the strategy card of a size (small, medium, large), for points or to win from a seat; write it if asked."""
    if seat not in (None, "first", "second"):
        raise ValueError(f"there is no seat {seat!r}: say first or second, or leave it out to play for points")
    if size not in search.SIZES:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(search.SIZES)}")
    path = export.check_new(output, force) if output is not None else None
    form = "" if path is None else path.suffix.lstrip(".").lower()
    if path is not None and form not in FORMS:
        raise ValueError(f"cannot write a card to {path.name!r}: let the name end in one of {', '.join(FORMS)}")
    duel = _duel(game, tie, tables)
    with progress.bar("searching a card") as advance:
        found = search.card(duel, size, seat or "score", advance)
    if path is not None:
        _write(found, form, duel, path)
    return CardAnswer(
        duel.game.name, found.name, seat or "score", found.size, found.rules, found.expected_score(duel),
        found.first_player_value(duel), found.second_player_value(duel), found.loss(duel), duel.expected_score,
        found.to_toml(), None if path is None else str(path),
    )  # fmt: skip


def _write(found: AnyCard, form: str, duel: Duel, path: Path) -> None:
    content = found.to_toml().encode() if form == "toml" else picture.render(found, form, duel)
    files.write(path, content)


def _duel(game: Any, tie: str | float, tables: str | Path | None) -> Any:
    if isinstance(game, Solution):
        game.check_question(check_game(game.game), "distribution")
    else:
        game = check_game(named(game))
    return find(game, "distribution", tie, tables=tables)


def frontier(
    game: Any, *, tie: str | float = "split", tables: str | Path | None = None
) -> list[tuple[int, float, str]]:
    """Return what cards of growing size lose: (numbers, loss in points, kind of card)."""
    duel = _duel(game, tie, tables)
    with progress.bar("searching cards of every size") as advance:
        found = search.frontier(duel, advance)
    kinds = ["par table" if isinstance(point.card, ParCard) else "cut-offs" for point in found]
    return [(point.size, max(point.loss, 0.0), kind) for point, kind in zip(found, kinds, strict=True)]
