"""Strategy cards to play from memory, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import files, progress
from ..answers import Plain
from ..cards import picture, search, value
from ..cards.file import check_game
from ..cards.par import AnyCard, ParCard
from ..match.duel import Duel
from ..store import export
from ..tabular import Table
from .solve import find, named

FORMS = ("svg", "pdf", "html", "toml")


@dataclass(frozen=True, repr=False)
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
    players: int | None = None
    value: float | None = None
    """With `players`: the chance to win among so many, the others playing for points, a shared win counted by its share."""

    def to_dict(self) -> Plain:
        """Return the card as plain data."""
        return {name: value for name, value in vars(self).items() if value is not None}

    def __repr__(self) -> str:
        shown = [f"{place}. {rule}" for place, rule in enumerate(self.rules[:8], 1)]
        worth = f", {self.value:.6f} to win among {self.players}" if self.value is not None else ""
        head = f"{self.game}: {self.name} card, {self.size} numbers, {self.loss:.4f} points short{worth}"
        return "\n".join([head, *shown])

    def _repr_html_(self) -> str:
        return f"<p>{self.game}: {self.name} card</p><ol>" + "".join(f"<li>{rule}</li>" for rule in self.rules) + "</ol>"


def card(
    game: object, size: str = "medium", *, seat: str | None = None, players: int | None = None, match: str = "sequential",
    tie: str | float = "split", output: str | Path | None = None, force: bool = False, tables: str | Path | None = None,
) -> CardAnswer:  # fmt: skip
    """Find the strategy card of a size (small, medium, large), for points or to win from a seat; write it if asked.

    With `players` it is one to win among so many, none of whom sees another; the others play for points.

    >>> card("3d4", "small").size
    2
    """
    if seat not in (None, "first", "second"):
        raise ValueError(f"there is no seat {seat!r}: say first or second, or leave it out to play for points")
    if size not in search.SIZES:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(search.SIZES)}")
    if players is not None and seat is not None:
        raise ValueError(f"--seat {seat}: among {players} nobody sees another, so that seats are alike; leave it out")
    _check_format(match, players, tie)
    path = export.check_new(output, force) if output is not None else None
    form = "" if path is None else path.suffix.lstrip(".").lower()
    if path is not None and form not in FORMS:
        raise ValueError(f"cannot write a card to {path.name!r}: let the name end in one of {', '.join(FORMS)}")
    duel = _duel(game, tie, tables)
    payoff = None if players is None else value.share_payoff(duel, players)
    goal = seat or ("score" if players is None else "among")
    with progress.bar("searching a card") as advance:
        found = search.card(duel, size, goal, advance, payoff)
    if path is not None:
        _write(found, form, duel, path)
    return CardAnswer(
        duel.game.name, found.name, goal, found.size, found.rules, found.expected_score(duel),
        found.first_player_value(duel), found.second_player_value(duel), found.loss(duel), duel.expected_score,
        found.to_toml(), None if path is None else str(path), players,
        None if payoff is None else float(duel.made(found) @ payoff),
    )  # fmt: skip


MOST_PLAYERS = 1000


def _check_format(match: str, players: int | None, tie: str | float) -> None:
    """Refuse formats that no card is tuned for."""
    if match != "sequential":
        raise ValueError(
            f"--match {match}: a card is tuned for the game in turn, or among players who see nothing (--players N), as it "
            "has no place for what the other does meanwhile; leave --match out"
        )
    if players is not None and not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"{players} players: give 2 to {MOST_PLAYERS}")
    if players is not None and tie != "split":
        raise ValueError(f"--tie {tie}: among several the top is shared; leave --tie out")


def _write(found: AnyCard, form: str, duel: Duel, path: Path) -> None:
    content = found.to_toml().encode() if form == "toml" else picture.render(found, form, duel)
    files.write(path, content)


def _duel(game: object, tie: str | float, tables: str | Path | None) -> Any:
    check_game(named(game))
    return find(game, "best_answer", tie, tables=tables)


def frontier(
    game: object, *, players: int | None = None, match: str = "sequential", tie: str | float = "split",
    tables: str | Path | None = None,
) -> Table:  # fmt: skip
    """Return what cards of growing size lose in points, or with `players` win among so many: numbers, figure, kind of card.

    >>> frontier("3d4").columns
    ('numbers', 'loses', 'card')
    """
    _check_format(match, players, tie)
    duel = _duel(game, tie, tables)
    with progress.bar("searching cards of every size") as advance:
        if players is None:
            points = [(point.size, max(point.loss, 0.0), point.card) for point in search.frontier(duel, advance)]
        else:
            points = search.shares(duel, value.share_payoff(duel, players), advance)
    rows = tuple((size, worth, "par table" if isinstance(card, ParCard) else "cut-offs") for size, worth, card in points)
    name, asked = duel.game.name, {"game": duel.game.name}
    if players is None:
        title = f"{name}: what a card loses against perfect play for points, by its size"
        return Table(title, ("numbers", "loses", "card"), rows, asked)
    title = f"{name}: what a card wins among {players}, the others playing for points, by its size"
    return Table(title, ("numbers", "wins", "card"), rows, asked | {"players": players})
