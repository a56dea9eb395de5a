"""Kernels behind cards: where the rolls of a pool lead when a card is played, and what that is worth.

A card gives every face of every die a *level*: the most dice on the table with which it is kept (`FREE` for the best
face, which is always kept). With n dice on the table the faces of level n or more are kept; setting c dice aside
leaves fewer rolls to come, so that the player looks again as if n - c + 1 dice were on the table, and again, until
nothing more is kept. Dice of one roll are independent, so that faces are placed one by one, from the highest level
down, and no roll is ever enumerated. Arrays that describe a game and a card:

    chance[kind, gain]    chance that one die shows this gain
    most[kind]            its greatest gain
    strides[kind]         how far one die of the kind moves the number of a pool
    levels[kind, gain]    the card's levels
    holds[staying]        with so many dice of the larger kinds staying and at least this many dice on the table, keep
                          nothing of the smallest kind but what must be kept
    prices[kind]          where nothing is kept, the die with the least (points lost - price) is taken

A *flow* is a list of (pool after, gain, chance).
"""

# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=False
from __future__ import annotations

import numpy as np

from .jit import inner, njit

FREE = 1 << 30
"""The level of a face that is kept whatever else; as a hold, a rule that the card does not have."""


@inner
def _place(kind, gain, p, left, steps, sums, low, high):
    """Let any number of the dice of a kind that are not placed yet show this face, in every row of sums."""
    step = steps[kind]
    for row in range(len(sums) - 1, -1, -1):
        placed = (row // step) % (left[kind] + 1)
        room = left[kind] - placed
        if low[row] > high[row] or room == 0:
            continue
        ways = 1.0
        for a in range(1, room + 1):
            ways *= p * (room - a + 1) / a
            into = row + a * step
            if low[into] > high[into]:
                low[into], high[into] = low[row] + a * gain, high[row] + a * gain
            low[into] = min(low[into], low[row] + a * gain)
            high[into] = max(high[into], high[row] + a * gain)
            source = sums[row, low[row] : high[row] + 1]
            target = sums[into, low[row] + a * gain : high[row] + a * gain + 1]
            for g in range(len(source)):
                target[g] += ways * source[g]


@inner
def _fill_flow(
    index, left, levels, shift, holds, prices, again, nearest, larger_first, chance, most, strides, subs, gains, chances
):
    """List where the rolls of one pool lead; return how many entries there are and the chance that nothing is kept."""
    kinds = len(left)
    dice = left.sum()
    # Rows of sums: how many of each kind are kept, the last kind fastest; columns: their gain.
    steps = np.ones(kinds, np.int64)
    for k in range(kinds - 2, -1, -1):
        steps[k] = steps[k + 1] * (left[k + 1] + 1)
    rows = steps[0] * (left[0] + 1)
    columns = 1
    for k in range(kinds):
        columns += left[k] * most[k]
    sums = np.zeros((rows, columns))
    low, high = np.ones(rows, np.int64), np.zeros(rows, np.int64)
    sums[0, 0] = 1.0
    low[0] = 0
    kept, after = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    for row in range(rows):
        after[row] = index
        for k in range(kinds):
            c = (row // steps[k]) % (left[k] + 1)
            kept[row] += c
            after[row] -= c * strides[k]
    next_gain = most.copy()  # faces above are placed
    below = np.ones(kinds)  # chance of one die to show a face that is not placed
    count = 0
    nothing = 0.0
    for level in range(dice, 0, -1):
        for k in range(kinds):
            while left[k] > 0 and next_gain[k] >= 0:
                g = next_gain[k]
                if g < most[k] and level > 1 and levels[k, g] - shift < level:
                    break
                if chance[k, g] > 0.0:
                    _place(k, g, chance[k, g], left, steps, sums, low, high)
                    below[k] = max(0.0, below[k] - chance[k, g])
                next_gain[k] -= 1
                if next_gain[k] < 0:
                    below[k] = 0.0
        if level == dice:
            nothing = 1.0
            for k in range(kinds):
                nothing *= below[k] ** left[k]
            high[0] = -1
            if nothing > 0.0:
                count = _take_single(
                    index, left, next_gain, below, prices, nearest, larger_first, chance, most, strides,
                    subs, gains, chances,
                )  # fmt: skip
            if kinds > 1 and left[0] > 0:
                count = _hold_back(
                    left, dice, holds, next_gain[0] + 1, below, steps, rows, after, sums, low, high, chance, most, strides,
                    subs, gains, chances, count,
                )  # fmt: skip
        for row in range(1, rows):
            if low[row] > high[row] or (again and kept[row] > dice - level + 1):
                continue
            rest = 1.0
            for k in range(kinds):
                rest *= below[k] ** (left[k] - (row // steps[k]) % (left[k] + 1))
            if rest > 0.0:
                for g in range(low[row], high[row] + 1):
                    if sums[row, g] > 0.0:
                        subs[count], gains[count], chances[count] = after[row], g, sums[row, g] * rest
                        count += 1
            high[row] = -1
        if not again:
            break
    return count, nothing


@inner
def _take_single(
    index, left, next_gain, below, prices, nearest, larger_first, chance, most, strides, subs, gains, chances
):
    """List which die is taken where none is kept: from the first choice on, each where no earlier one shows."""
    kinds = len(left)
    found = 0
    keys, of_kind, of_gain = np.zeros(most.sum() + kinds), np.zeros(most.sum() + kinds), np.zeros(most.sum() + kinds)
    for k in range(kinds):
        if left[k] > 0:
            for g in range(next_gain[k] + 1):
                short = (next_gain[k] if nearest else most[k]) - g - prices[k]
                keys[found] = short * 1024.0 - (k if larger_first else -k)
                of_kind[found], of_gain[found] = k, g
                found += 1
    order = np.argsort(keys[:found])
    rest = below.copy()
    open_chance = 1.0
    for k in range(kinds):
        open_chance *= rest[k] ** left[k]
    count = 0
    for place in range(found):
        k, g = int(of_kind[order[place]]), int(of_gain[order[place]])
        if chance[k, g] == 0.0:
            continue
        rest[k] = 0.0 if rest[k] < 1.5 * chance[k, g] and g == 0 else max(0.0, rest[k] - chance[k, g])
        now = 1.0
        for other in range(kinds):
            now *= rest[other] ** left[other]
        subs[count], gains[count], chances[count] = index - strides[k], g, max(0.0, open_chance - now)
        count += 1
        open_chance = now
    return count


@inner
def _hold_back(
    left, dice, holds, cut, below, steps, rows, after, sums, low, high, chance, most, strides, subs, gains, chances, count
):
    """Where larger dice stay and the card says so, keep the larger dice that clear alone, or one of the smallest."""
    kinds = len(left)
    for row in range(steps[0]):  # none of the smallest kind kept
        staying, rest = 0, 1.0
        for k in range(1, kinds):
            stays = left[k] - (row // steps[k]) % (left[k] + 1)
            staying += stays
            rest *= below[k] ** stays
        held = False
        for s in range(1, min(staying, len(holds) - 1) + 1):
            held = held or dice >= holds[s]
        if not held:
            continue
        if row > 0 and low[row] <= high[row]:
            for g in range(low[row], high[row] + 1):
                if sums[row, g] > 0.0:
                    subs[count], gains[count], chances[count] = after[row], g, sums[row, g] * rest
                    count += 1
        elif row == 0:
            up_to = below[0]
            before = up_to ** left[0]
            for g in range(cut, most[0] + 1):
                up_to += chance[0, g]
                here = min(1.0, up_to) ** left[0]
                subs[count], gains[count], chances[count] = after[0] - strides[0], g, (here - before) * rest
                count += 1
                before = here
        for more in range(row, rows, steps[0]):
            high[more] = -1
    return count


@njit
def flow(index, left, levels, shift, holds, prices, again, nearest, larger_first, chance, most, strides, room):
    """Return where the rolls of one pool lead, as (pools after, gains, chances), and the chance that nothing is kept."""
    subs, gains, chances = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    count, nothing = _fill_flow(
        index, left, levels, shift, holds, prices, again, nearest, larger_first, chance, most, strides,
        subs, gains, chances,
    )  # fmt: skip
    return subs[:count], gains[:count], chances[:count], nothing


@njit
def expect(pools, order, levels, holds, prices, again, nearest, larger_first, chance, most, strides, room):
    """Return by pool the expected gain to come under a card that looks at the dice alone."""
    values = np.zeros(len(pools))
    subs, gains, chances = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    for index in order:
        count, _ = _fill_flow(
            index, pools[index], levels, 0, holds, prices, again, nearest, larger_first, chance, most, strides,
            subs, gains, chances,
        )  # fmt: skip
        total = 0.0
        for at in range(count):
            total += chances[at] * (gains[at] + values[subs[at]])
        values[index] = total
    return values
