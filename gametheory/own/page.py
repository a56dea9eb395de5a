"""What the advisor page carries of a solved game of one's own: every position that play can come to, and what leads where.

Positions stand by place and, where points add up, by the points banked there; the start is the last. Arrays are of positions
n, places p, rolls r and moves m one after the other, each of beginnings with the end behind it:

    base[p], offset[p]       the least gain banked at a place, and the position that stands for it
    rolls[p], moves[r]       where the rolls of a place, and the moves of a roll, begin
    after[m], gains[m]       the place that a move leads to, and what it adds to the gain
    shown[r], kept[m]        what a roll and a move are called: places in `texts`
    first[n], expected[n]    the first player's chance to win, and the expected final score
    second[n][outcome]       the second player's chance against each final score
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..answers import Plain, encode

MOST_BYTES = 3_000_000
"""What a page may carry of one game."""
MOST_MOVES = 400_000
MOST_POSITIONS = 20_000


def page(duel: Any, about: str) -> Plain:
    """Return a solved game of one's own as the page carries it, unless that is too much."""
    game, space, notation = duel.game, duel.space, duel.notation
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(" ".join(text.split()), len(texts))

    finished = frozenset(space.finished.tolist())
    base, offset, at = [], [0], []
    rolls, moves, weights, shown, kept, after, gains = [0], [0], [], [], [], [], []
    for place in range(space.places):
        banked = list(space.gains_at(place)) if space.solo.shifts else [0]
        low, high = (banked[0], banked[-1]) if banked else (0, -1)
        base.append(low)
        offset.append(offset[-1] + high + 1 - low)
        at += [(place, gain) for gain in range(low, high + 1)]
        start = space.state(place, low)
        for roll, weight in () if place in finished or not banked else game.rolls(start):
            weights.append(str(weight))
            shown.append(number(notation.write_roll(roll)))
            for keep, then, _ in game.moves(start, roll):
                kept.append(number(notation.write_roll(keep)))
                to, gain = space.at(then)
                after.append(to)
                gains.append(gain - low)
            moves.append(len(after))
        rolls.append(len(weights))
        if len(after) > MOST_MOVES or len(at) > MOST_POSITIONS:
            raise ValueError(_refusal(game))
    states = [None if place in finished else space.state(place, gain) for place, gain in at]
    places, columns = np.array(at).T
    columns = columns * int(space.solo.shifts)
    expected = float(space.outcomes[0]) + space.sign * (duel.gain_expected[places] + columns)
    scores = space.outcomes.tolist()
    data = {
        "family": "own", "name": game.name, "about": about, "higher": game.higher_wins, "tieWorth": duel.tie_worth,
        "texts": list(texts), "where": ["" if state is None else notation.where(state) for state in states],
        "placed": ["" if state is None else _placed(notation.asked(state)) for state in states],
        "base": base, "offset": offset, "finished": sorted(space.finished.tolist()), "weights": weights, "scores": scores,
        **{name: _pack(values) for name, values in (
            ("rolls", rolls), ("moves", moves), ("shown", shown), ("kept", kept), ("after", after), ("gains", gains))},
        "first": encode(duel.gain_first[places, columns]), "expected": encode(expected),
        "second": encode(np.stack([duel.against(target)[places, columns] for target in scores], axis=1)),
    }  # fmt: skip
    if sum(len(str(value)) for value in data.values()) > MOST_BYTES:
        raise ValueError(_refusal(game))
    return data


def _placed(asked: Plain) -> str:
    """Write where a decision is made, as records of games do."""
    return " | ".join(f"{name}={' '.join(str(value).split())}" for name, value in asked.items())


def _pack(values: list[int]) -> str:
    return encode(np.array(values), "<i4")


def _refusal(game: Any) -> str:
    return f"{game.name} cannot be on the page: it carries games of up to {MOST_BYTES // 1_000_000} MB; leave it out"
