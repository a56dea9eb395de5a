"""The search for the best strategy card of a size, and the cards that come with the package.

A search changes one number of a card at a time, and adds the number that helps most; every card it looks at is
evaluated exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .. import games
from ..answers import Array
from ..match.duel import Duel
from ..pool import one_die
from ..pool.rules import PoolGame
from ..progress import Progress, part
from . import file as card_file
from .pace import AMONG, FREE, GOALS, Pace
from .par import AnyCard, ParCard
from .rule import Card
from .value import expected_gain, gain_ladder, win_value

SIZES = {"small": 8, "medium": 20, "large": 60}
"""How many numbers a card of each size may have."""


class Point(NamedTuple):
    """A place on the frontier: a card, the count of its numbers, and the points it loses."""

    size: int
    loss: float
    card: AnyCard


Objective = Callable[[Card], float]
Slot = tuple[str, int, int]

WORTHS = (0.5, 1.0, 1.5, 2.0, 2.5)


def _slots(card: Card) -> list[Slot]:
    """List the places of a card that hold a number."""
    found = [("keep", k, j) for k, levels in enumerate(card.keep) for j in range(len(levels))]
    found += [("hold", i, 0) for i, least in enumerate(card.hold) if least < FREE]
    found += [("worth", k, 0) for k, points in enumerate(card.worth) if points]
    pace = card.pace
    if pace:
        found += [("aim", 0, 0)] if pace.aim is not None else []
        found += [("par", 0, 0), ("par_larger", 0, 0)] if pace.behind or pace.ahead else []
        found += [(name, 0, i) for name in ("behind", "ahead") if getattr(pace, name) for i in (0, 1)]
        found += [("margin", 0, 0)] if pace.margin is not None else []
        found += [("cash", 0, 0)] if pace.cash else []
    return found


def _values(card: Card, slot: Slot) -> Sequence[Any]:
    """List what may stand in a place of a card, all the rest being as it is."""
    what, k, j = slot
    count = sum(card.game.counts)
    if what == "keep":
        levels = card.keep[k]
        low = levels[j + 1] if j + 1 < len(levels) else 2
        high = levels[j - 1] if 0 < j <= len(levels) else count
        return range(max(2, low), high + 1)
    if what == "hold":
        return range(2, count + 1)
    if what == "worth":
        return WORTHS
    pace = card.pace or Pace()
    if what == "aim":
        return range((pace.aim or 0) - 3, (pace.aim or 0) + 4)
    if what in ("par", "par_larger"):
        here = float(getattr(pace, what))
        return [here + step / 2 for step in range(-4, 5) if here + step / 2 >= 0]
    if what == "margin":
        return range(5)
    if what == "cash":
        return range(2, min(count, 8) + 1)
    return range(-2, 7) if j == 0 else range(1, 9)


def _put(card: Card, slot: Slot, value: Any) -> Card:
    """Write a number into a place of a card; a place just after the last cut-off of a die adds one."""
    what, k, j = slot
    if what == "keep":
        levels = (*card.keep[k][:j], value, *card.keep[k][j + 1 :])
        return replace(card, keep=(*card.keep[:k], levels, *card.keep[k + 1 :]))
    if what in ("hold", "worth"):
        old = getattr(card, what)
        changed: dict[str, Any] = {what: (*old[:k], value, *old[k + 1 :])}
        return replace(card, **changed)
    pace = card.pace or Pace()
    if what in ("behind", "ahead"):
        pair = list(getattr(pace, what))
        pair[j] = value
        value = tuple(pair)
    changed = {what: value}
    return replace(card, pace=replace(pace, **changed))


def _improve(card: Card, objective: Objective, *, near: int | None = None) -> tuple[float, Card]:
    """Change one number at a time for the better until none can be; `near` limits how far a number goes at once."""
    best = objective(card)
    better = True
    while better:
        better = False
        for slot in _slots(card):
            values = list(_values(card, slot))
            if near is not None and slot[0] in ("keep", "hold"):
                now = card.keep[slot[1]][slot[2]] if slot[0] == "keep" else card.hold[slot[1]]
                values = [value for value in values if abs(value - now) <= near]
            for value in values:
                tried = _put(card, slot, value)
                worth = objective(tried) if tried != card else best
                if worth > best + 1e-10:
                    best, card, better = worth, tried, True
    return best, card


def _additions(card: Card) -> Iterator[tuple[Slot, Card]]:
    """Yield every card with one number more."""
    game = card.game
    slots = [("keep", k, len(levels)) for k, levels in enumerate(card.keep) if len(levels) + 1 < len(gain_ladder(game, k))]
    slots += [("hold", i, 0) for i, least in enumerate(card.hold) if least == FREE]
    slots += [("worth", k, 0) for k, points in enumerate(card.worth) if k and not points]
    for slot in slots:
        for value in _values(card, slot):
            yield slot, _put(card, slot, value)


def _grow(card: Card, objective: Objective, size: int, progress: Progress | None, width: int = 4) -> list[Card]:
    """Add the number that helps most, again and again; return the best card found of each size.

    The `width` most promising places for the next number are improved in full before one is chosen.
    """
    best, card = _improve(card, objective)
    found = [card]
    while card.size < size:
        tops: dict[Slot, tuple[float, Card]] = {}
        for slot, tried in _additions(card):
            worth = objective(tried)
            if slot not in tops or worth > tops[slot][0]:
                tops[slot] = (worth, tried)
        ranked = sorted(tops.values(), key=lambda pair: -pair[0])[:width]
        improved = [_improve(tried, objective) for _, tried in ranked]
        if not improved or max(worth for worth, _ in improved) <= best + 1e-9:
            break
        best, card = max(improved, key=lambda pair: pair[0])
        found.append(card)
        if progress:
            progress(card.size / size)
    return found


def _theory(game: PoolGame) -> Card:
    """Make the card that one-die theory would write: the published cut-off table, and the sensible rules without numbers."""
    keep = []
    for k, rejects in enumerate(one_die.reject_gains(game)):
        levels = []
        for gain in gain_ladder(game, k)[1:]:
            kept = [n for n in range(2, sum(game.counts) + 1) if gain > rejects[n]]
            if not kept:
                break
            levels.append(max(kept))
        keep.append(tuple(levels))
    return Card(game, tuple(keep))


_FOUND: dict[tuple[PoolGame, int], tuple[Card, ...]] = {}


def _score_cards(game: PoolGame, size: int, progress: Progress | None = None) -> tuple[Card, ...]:
    """Return the best cut-off card for points found of every size; a search is done once."""
    if (game, size) not in _FOUND:
        worth = cache(expected_gain)  # a search comes back to cards that it has looked at
        cards = {card.size: card for card in _grow(Card(game, ((),) * len(game.kinds)), worth, size, progress)}
        theory = _theory(game)
        if theory.size <= size:
            for card in _grow(theory, worth, size, None):
                if card.size not in cards or worth(card) > worth(cards[card.size]) + 1e-10:
                    cards[card.size] = card
        _FOUND[game, size] = tuple(cards[n] for n in sorted(cards))
    return _FOUND[game, size]


def par_card(duel: Duel, columns: Sequence[int], step: float = 0.1) -> ParCard:
    """Make the par card with these columns, its numbers rounded to multiples of `step`."""
    game = duel.game
    rows = []
    for larger in product(*(range(n + 1) for n in game.counts[1:])):
        lost = [game.gain((n, *larger)) - duel.gain_expected[game.pool_index((n, *larger))] for n in columns]
        rows.append((larger, tuple(round(round(float(points) / step) * step, 10) for points in lost)))
    return ParCard(game, tuple(columns), tuple(rows), name="par")


def _par_cards(duel: Duel, size: int, progress: Progress | None = None) -> list[ParCard]:
    """Return par cards of growing size: the column that helps most is added, again and again."""
    game = duel.game
    rows = prod(n + 1 for n in game.counts[1:])
    columns = [0, game.counts[0]]
    found = []
    while rows * len(columns) - 1 <= size:
        found.append(par_card(duel, columns))
        rest = [n for n in range(game.counts[0]) if n not in columns]
        if not rest or rows * (len(columns) + 1) - 1 > size:
            break
        tried = [(par_card(duel, sorted([*columns, n])).loss(duel), n) for n in rest]
        columns = sorted([*columns, min(tried)[1]])
        if progress:
            progress(min(1.0, rows * len(columns) / size))
    return found


def find(
    duel: Duel, size: str | int = "medium", goal: str = "score", progress: Progress | None = None,
    payoff: Array | None = None,
) -> AnyCard:  # fmt: skip
    """Search for the best card of a size (small, medium, large, or a count of numbers) for a goal.

    The goal is `score`, or to win from the `first` or the `second` seat, or `among` several, for a payoff of the final
    score. The search is deterministic and every card it looks at is evaluated exactly.
    """
    limit = SIZES.get(size, 0) if isinstance(size, str) else size
    if limit < 1:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(SIZES)}, or how many numbers")
    if goal not in (*GOALS, AMONG):
        raise ValueError(f"there is no card for {goal!r}: say {', '.join(GOALS)}")
    name = size if isinstance(size, str) else f"{size} numbers"
    cards = [card for card in _score_cards(duel.game, min(limit, 30), part(progress, 0.0, 0.4)) if card.size <= limit]
    found: list[AnyCard] = [cards[-1], *_par_cards(duel, limit, part(progress, 0.4, 0.6))]
    if goal == "score":
        best = min(found, key=lambda card: (round(card.loss(duel), 9), card.size))
    else:
        found.append(_find_winner(duel, cards, limit, goal, part(progress, 0.6, 1.0), payoff))
        best = max(found, key=lambda card: (round(_value(card, duel, goal, payoff), 9), -card.size))
    if progress:
        progress(1.0)
    return replace(best, name=name, goal=goal)


def _value(card: AnyCard, duel: Duel, goal: str, payoff: Array | None) -> float:
    """Return the chance to win from the seat that a card is for."""
    if payoff is not None:
        return float(duel.made(card) @ payoff)
    return card.first_player_value(duel) if goal == "first" else card.second_player_value(duel)


def _paces(duel: Duel, goal: str) -> list[Pace | None]:
    """List the kinds of pace a card may have, with numbers to start from: what the best play expects to lose is par."""
    game = duel.game
    par = round(float(game.gain(game.counts) - duel.gain_expected[-1]))
    larger = 1.0 if len(game.kinds) > 1 else 0.0
    base = max(0.0, par - larger * sum(game.counts[1:]))
    if goal != "second":
        aim = round(duel.expected_score) + game.sign
        return [None, Pace(aim=aim, par=base, par_larger=larger, behind=(3, 1)),
                Pace(aim=aim, par=base, par_larger=larger, ahead=(3, 1))]  # fmt: skip
    cash = min(6, sum(game.counts))
    return [
        None,
        Pace(cash=cash),
        Pace(cash=cash, margin=1),
        Pace(cash=cash, margin=1, par=base, par_larger=larger, behind=(2, 1)),
        Pace(cash=cash, margin=1, par=base, par_larger=larger, behind=(2, 1), ahead=(4, 1)),
    ]


def _find_winner(
    duel: Duel, cards: Sequence[Card], limit: int, goal: str, progress: Progress | None, payoff: Array | None = None
) -> Card:
    """Give the cards for points a pace, and tune all numbers for winning."""

    def objective(card: Card) -> float:
        return win_value(card, duel, goal, payoff)

    found: list[tuple[float, Card]] = []
    paces = _paces(duel, goal)
    for done, pace in enumerate(paces):
        room = [card for card in cards if card.size + (pace.size if pace else 0) <= limit]
        if room:
            found.append(_improve(replace(room[-1], pace=pace), objective, near=1))
        if progress:
            progress((done + 1) / len(paces))
    return max(found, key=lambda pair: pair[0])[1]


def frontier(duel: Duel, progress: Progress | None = None) -> list[Point]:
    """Return what cards of growing size lose: from the one-line rule without a number up to the full solution.

    Cut-off cards first, then par cards as soon as they are better, at last the whole table of the dice left.
    """
    game = duel.game
    points = [Point(card.size, card.loss(duel), card) for card in _score_cards(game, 30, part(progress, 0.0, 0.4))]
    full = par_card(duel, range(game.counts[0] + 1), step=1e-10)
    for par in [*_par_cards(duel, SIZES["large"], part(progress, 0.4, 1.0)), full]:
        point = Point(par.size, par.loss(duel), par)
        if point.loss < points[-1].loss - 1e-9:
            points.append(point)
    return points


def shares(duel: Duel, payoff: Array, progress: Progress | None = None) -> list[tuple[int, float, AnyCard]]:
    """Return what cards of growing size win by a payoff of the final score: (numbers, chance, card), each better.

    Cards for points of every size, and those of the usual sizes that are tuned for winning.
    """
    cards: list[AnyCard] = [*_score_cards(duel.game, 30, part(progress, 0.0, 0.2))]
    for done, size in enumerate(SIZES):
        begin = 0.2 + 0.8 * done / len(SIZES)
        cards.append(find(duel, size, AMONG, part(progress, begin, begin + 0.8 / len(SIZES)), payoff))
    listed = [(card.size, _value(card, duel, AMONG, payoff), card) for card in cards]
    found: list[tuple[int, float, AnyCard]] = []
    for point in sorted(listed, key=lambda point: (point[0], -point[1])):
        if not found or point[1] > found[-1][1] + 1e-9:
            found.append(point)
    if progress:
        progress(1.0)
    return found


# The cards that come with the package.


def packaged(game: PoolGame, size: str = "medium", goal: str = "score") -> AnyCard | None:
    """Return the card that was found for a named game, or None where none is packaged."""
    if games.named().get(game.name) != game:
        return None
    file = resources.files(__package__) / f"{game.name}-{size}-{goal}.toml"
    return card_file.from_toml(file.read_text(encoding="utf-8"), file.name, game) if file.is_file() else None


def card(
    duel: Duel, size: str = "medium", goal: str = "score", progress: Progress | None = None, payoff: Array | None = None
) -> AnyCard:
    """Return the best known card: the packaged one, or else the one that a search finds."""
    if size not in SIZES:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(SIZES)}")
    if payoff is not None:
        return find(duel, size, AMONG, progress, payoff)
    if goal not in GOALS:
        raise ValueError(f"there is no card for {goal!r}: say {', '.join(GOALS)}")
    return packaged(duel.game, size, goal) or find(duel, size, goal, progress)
