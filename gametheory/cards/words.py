"""Cut-off cards in words, and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..pool.rules import PoolGame
from .pace import FREE, Pace
from .value import gain_ladder


def card_rules(card: Any) -> list[str]:
    """Say a card in plain sentences."""
    game = card.game
    best = [f"{_a(face_at(game, k, 0))} on {_the(game, k)}" for k in range(len(game.kinds))]
    said = [f"Always keep {_and(best)}."]
    for k, levels in enumerate(card.keep):
        if levels:
            faces = [f"{_a(face_at(game, k, j))} with {_at_most(most)}" for j, most in enumerate(levels, 1)]
            said.append(f"On {_the(game, k)} keep {_and(faces)} on the table.")
    if card.look_again and any(card.keep):
        said.append(
            "If more than one die clears, look again before you roll: count the dice that would stay, add one, read the "
            "card for that many dice, and keep what clears now."
        )
    cases = [
        f"{i + 1} or more of them and {least} or more dice are on the table"
        for i, least in enumerate(card.hold)
        if least < FREE
    ]
    if cases:
        small, larger = game.kinds[0].name, _or([die.name for die in game.kinds[1:]])
        said.append(
            f"Hold back while larger dice ({larger}) do not clear: if this leaves {', or '.join(cases)}, keep only the "
            f"larger dice that clear; if none of them does, keep one {small} alone."
        )
    points = sorted({points for points in card.worth if points})
    discounts = [
        f"{_and([_the(game, k) for k, own in enumerate(card.worth) if own == less])} {_points(less)}" for less in points
    ]
    how = "the die nearest to being kept" if card.take == "nearest" else (
        "the die that loses the fewest points (its best face less the face it shows)"
        if game.higher_wins
        else "the die that costs the fewest points"
    )  # fmt: skip
    counted = f", counting {_and(discounts)} less" if discounts else ""
    ties = f"; of equal dice the {card.ties} one" if len(game.kinds) > 1 else ""
    said.append(f"If nothing clears, take {how}{counted}{ties}.")
    return said + (pace_rules(card) if card.pace else [])


def card_toml(card: Any) -> str:
    """Write a card as a small file that can be edited and handed back."""
    game = card.game
    lines = [
        "# A strategy card: edit the numbers and hand it back.",
        f'game = "{game.name}"',
        f'name = "{card.name}"',
        f'goal = "{card.goal}"',
        f"look_again = {str(card.look_again).lower()}",
        "",
        "[keep]  # face = the most dice on the table with which it is kept; the best face is always kept",
    ]
    for k, levels in enumerate(card.keep):
        faces = ", ".join(f"{face_at(game, k, j)} = {most}" for j, most in enumerate(levels, 1))
        lines.append(f"{game.kinds[k].name} = {{ {faces} }}" if faces else f"{game.kinds[k].name} = {{}}")
    if any(least < FREE for least in card.hold):
        lines += ["", "[hold]  # larger dice that stay = from so many dice on the table on, keep one die alone"]
        lines += [f"{i + 1} = {least}" for i, least in enumerate(card.hold) if least < FREE]
    lines += ["", "[nothing]  # where nothing is kept", f'take = "{card.take}"', f'ties = "{card.ties}"']
    if any(card.worth):
        lines += ["", "[nothing.worth]  # how many points less a die counts"]
        lines += [f"{game.kinds[k].name} = {points!r}" for k, points in enumerate(card.worth) if points]
    if card.pace:
        pace = card.pace
        lines += ["", "[pace]  # how the card looks at the score"]
        lines += [f"aim = {pace.aim}"] if pace.aim is not None else []
        if pace.behind or pace.ahead:
            lines += [f"par = {pace.par!r}", f"par_larger = {pace.par_larger!r}"]
        lines += [f"behind = {list(pace.behind)}  # points, dice"] if pace.behind else []
        lines += [f"ahead = {list(pace.ahead)}  # points, dice"] if pace.ahead else []
        lines += [f"margin = {pace.margin}"] if pace.margin is not None else []
        lines += [f"cash = {pace.cash}"] if pace.cash else []
    return "\n".join(lines) + "\n"


def face_at(game: PoolGame, kind: int, place: int) -> int:
    """Return the face that comes so many places after the best of a kind; of equal ones the highest."""
    gains = game.face_gains(kind)
    wanted = gain_ladder(game, kind)[place]
    return max(face for face, gain in enumerate(gains, 1) if gain == wanted)


def _a(number: int) -> str:
    return f"an {number}" if str(number)[0] == "8" or number in (11, 18) else f"a {number}"


def _the(game: PoolGame, kind: int) -> str:
    name = game.kinds[kind].name
    return f"the {name}" if game.counts[kind] == 1 else f"a {name}"


def _at_most(number: int) -> str:
    return f"{number} dice or fewer" if number > 1 else "only 1 die"


def _dice(number: int, than: str) -> str:
    return f"{number} {than} {'die was' if number == 1 else 'dice were'}"


def _number(value: float) -> str:
    return f"{value:g}"


def _points(value: float) -> str:
    return {0.5: "half a point", 1.0: "1 point"}.get(value, f"{value:g} points")


def _and(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _or(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} or {items[-1]}"


def pace_rules(card: Any) -> list[str]:
    """Say in words how the card looks at the score."""
    pace, game = card.pace or Pace(), card.game
    said = []
    beat = "the score to beat" if pace.aim is None else f"{pace.aim} points"
    if pace.cash:
        said.append(f"Before all else: with {_at_most(pace.cash)} on the table, keep all of them if that beats {beat}.")
    said.append(f"Your spare points are what you can still lose without falling short of {beat}.")
    if pace.margin is not None:
        less = f"with less than {pace.margin} spare" if pace.margin else "short"
        said.append(f"Never keep a die that leaves you {less}, unless you must.")
    if pace.behind or pace.ahead:
        each = f" and {_number(pace.par_larger)} more for each larger die left" if pace.par_larger else ""
        said.append(f"Par is {_number(pace.par)} spare points{each if len(game.kinds) > 1 else ''}.")
    if pace.behind:
        said.append(
            f"{pace.behind[0]} or more points below par: read the card as if {_dice(pace.behind[1], 'more')} on the table."
        )
    if pace.ahead:
        said.append(
            f"{pace.ahead[0]} or more points above par: read the card as if {_dice(pace.ahead[1], 'fewer')} on the table."
        )
    return said
