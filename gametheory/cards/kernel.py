"""Kernels behind cards: where the rolls of a pool lead when a card is played, and what that is worth.

A card gives every face of every die a *level*: the most dice on the table with which it is kept; the best face always
is. With n dice on the table the faces of level n or more are kept; setting c dice aside leaves fewer rolls to come, so
that the player looks again as if n - c + 1 dice were on the table, and again, until nothing more is kept. Dice of one
roll are independent: faces are placed one by one, from the highest level down, and no roll is ever enumerated.
Arrays that describe a game and a card:

    chance[kind, gain]    chance that one die shows this gain
    most[kind]            its greatest gain
    strides[kind]         how far one die of the kind moves the number of a pool
    levels[kind, gain]    the card's levels
    holds[staying]        with so many dice of the larger kinds staying and at least this many dice on the table, keep
                          nothing of the smallest kind but what must be kept
    prices[kind]          where nothing is kept, the die with the least (points lost - price) is taken
    options               look again, nearest cut-off in place of fewest points lost, ties to the larger die

A *flow* is a list of (pool after, gain, chance).
"""

# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=False
from __future__ import annotations

import numpy as np

from ..jit import inner, njit

FREE = 1 << 30
"""More dice or points than there are: a rule that the card does not have."""


@inner
def _place(kind, gain, p, left, steps, sums, low, high, mean):
    """Let any number of the dice of a kind that are not placed yet show this face, in every row of sums."""
    step = steps[kind]
    for row in range(len(sums) - 1, -1, -1):
        room = left[kind] - (row // step) % (left[kind] + 1)
        if low[row] > high[row] or room == 0:
            continue
        ways = 1.0
        for a in range(1, room + 1):
            ways *= p * (room - a + 1) / a
            into = row + a * step
            if mean:
                low[into], high[into] = 0, 1
                sums[into, 0] += ways * sums[row, 0]
                sums[into, 1] += ways * (sums[row, 1] + a * gain * sums[row, 0])
                continue
            begin, end = low[row] + a * gain, high[row] + a * gain
            if low[into] > high[into]:
                low[into], high[into] = begin, end
            low[into], high[into] = min(low[into], begin), max(high[into], end)
            source, target = sums[row, low[row] : high[row] + 1], sums[into, begin : end + 1]
            for g in range(len(source)):
                target[g] += ways * source[g]


@inner
def _totals(rest, allowed, chance, columns):
    """Return the chances of the total gain of some dice that each show no more than an allowed gain."""
    total, wider = np.zeros(columns), np.zeros(columns)
    total[0] = 1.0
    top = 0
    for k in range(len(rest)):
        for _ in range(rest[k]):
            for t in range(top + allowed[k] + 1):
                wider[t] = 0.0
            for t in range(top + 1):
                for g in range(allowed[k] + 1):
                    wider[t + g] += total[t] * chance[k, g]
            top += max(allowed[k], 0)
            if allowed[k] < 0:
                top, wider[0] = 0, 0.0
            for t in range(top + 1):
                total[t] = wider[t]
    return total


@inner
def _fill_flow(
    index, left, levels, shift, spare, need, holds, prices, options, chance, most, strides, subs, gains, chances, mean
):  # fmt: skip
    """List where the rolls of one pool lead; return how many entries there are.

    The levels are read as if `shift` more dice were on the table; no die that loses more than `spare` is kept unless one
    must be; if all dice together gain `need`, all are kept.

    Where only the `mean` gain is wanted, nothing is kept apart by gain: a row of sums is a chance, and the mean gain times
    it. The latter is listed as a way to the finished pool, which is worth nothing more, with a gain of 1.
    """
    again, nearest, larger_first = options
    kinds = len(left)
    dice = left.sum()
    # Rows of sums: how many of each kind are kept, the last kind fastest; columns: their gain.
    steps = np.ones(kinds, np.int64)
    for k in range(kinds - 2, -1, -1):
        steps[k] = steps[k + 1] * (left[k + 1] + 1)
    rows = steps[0] * (left[0] + 1)
    columns = 1 + (left * most).sum()
    sums = np.zeros((rows, 2 if mean else columns))
    low, high = np.ones(rows, np.int64), np.zeros(rows, np.int64)
    sums[0, 0] = 1.0
    low[0], high[0] = 0, np.int64(mean)
    kept, sizes, moved = np.zeros((rows, kinds), np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    for row in range(rows):
        for k in range(kinds):
            kept[row, k] = (row // steps[k]) % (left[k] + 1)
            sizes[row] += kept[row, k]
            moved[row] += kept[row, k] * strides[k]
    powers = np.ones((kinds, dice + 1))
    unplaced = most.copy()  # the greatest gain of each kind that is not placed yet
    below = np.ones(kinds)  # the chance of one die to show such a gain
    final = np.zeros(columns)  # all dice kept, by gain
    count = 0
    for level in range(dice, 0, -1):
        for k in range(kinds):
            while unplaced[k] >= 0:
                g = unplaced[k]
                if most[k] - g > spare or (g < most[k] and level > 1 and levels[k, g] - shift < level):
                    break
                if chance[k, g] > 0.0 and left[k] > 0:
                    _place(k, g, chance[k, g], left, steps, sums, low, high, mean)
                below[k] = below[k] - chance[k, g] if g > 0 else 0.0
                unplaced[k] -= 1
        if level == dice:
            high[0] = -1
            count = _take_single(
                index, left, unplaced, below, need, prices, nearest, larger_first, chance, most, strides,
                subs, gains, chances, final,
            )  # fmt: skip
            if kinds > 1 and left[0] > 0:
                count = _hold_back(
                    index, left, unplaced, below, powers, need, holds, kept, moved, steps[0], sums, low, high, chance,
                    most, strides, subs, gains, chances, final, count, mean,
                )  # fmt: skip
        _raise(below, left, powers)
        for row in range(1, rows):
            if low[row] > high[row] or (again and sizes[row] > dice - level + 1):
                continue
            count = _emit(index, row, left, unplaced, powers, need, kept, moved, sums, low, high, chance,
                          subs, gains, chances, final, count, mean)  # fmt: skip
            high[row] = -1
        if not again:
            break
    for g in range(columns):
        if final[g] > 0.0:
            subs[count], gains[count], chances[count] = 0, g, final[g]
            count += 1
    return count


@inner
def _raise(below, left, powers):
    """Write the chance that j dice of a kind all show what one shows with the chance `below`."""
    for k in range(len(left)):
        for j in range(left[k]):
            powers[k, j + 1] = powers[k, j] * below[k]


@inner
def _emit(
    index, row, left, allowed, powers, need, kept, moved, sums, low, high, chance, subs, gains, chances, final, count, mean
):
    """List one row of sums, the other dice showing no more than allowed; what reaches the need goes to `final`."""
    after = index - moved[row]
    share = 1.0
    for k in range(len(left)):
        share *= powers[k, left[k] - kept[row, k]]
    if mean:
        subs[count], gains[count], chances[count] = after, 0, sums[row, 0] * share
        subs[count + 1], gains[count + 1], chances[count + 1] = 0, 1, sums[row, 1] * share
        return count + 2
    cash = need < FREE and share > 0.0
    totals = _totals(left - kept[row], allowed, chance, sums.shape[1]) if cash else sums[0]
    for g in range(low[row], high[row] + 1):
        if sums[row, g] > 0.0 and share > 0.0:
            here = share
            if cash:
                for more in range(max(0, need - g), len(totals) - g):
                    final[g + more] += sums[row, g] * totals[more]
                    here -= totals[more]
            subs[count], gains[count], chances[count] = after, g, sums[row, g] * max(here, 0.0)
            count += 1
    return count


@inner
def _take_single(
    index, left, unplaced, below, need, prices, nearest, larger_first, chance, most, strides,
    subs, gains, chances, final,
):  # fmt: skip
    """List which die is taken where none is kept: from the first choice on, each where no earlier one shows."""
    kinds = len(left)
    found = 0
    keys = np.zeros(most.sum() + kinds)
    faces = np.zeros((most.sum() + kinds, 2), np.int64)
    for k in range(kinds):
        if left[k] > 0:
            for g in range(unplaced[k] + 1):
                if chance[k, g] > 0.0:
                    short = (unplaced[k] if nearest else most[k]) - g - prices[k]
                    keys[found] = short * 1024.0 - (k if larger_first else -k)
                    faces[found, 0], faces[found, 1] = k, g
                    found += 1
    order = np.argsort(keys[:found], kind="mergesort")
    rest, allowed = below.copy(), unplaced.copy()
    open_chance = 1.0
    for k in range(kinds):
        open_chance *= rest[k] ** left[k]
    cash = need < FREE and open_chance > 0.0
    totals = _totals(left, allowed, chance, len(final)) if cash else final
    count = 0
    for place in range(found):
        if open_chance <= 0.0:
            break
        k, g = faces[order[place]]
        allowed[k] = g - 1
        while allowed[k] >= 0 and chance[k, allowed[k]] == 0.0:
            allowed[k] -= 1
        rest[k] = max(0.0, rest[k] - chance[k, g]) if allowed[k] >= 0 else 0.0
        now = 1.0
        for other in range(kinds):
            now *= rest[other] ** left[other]
        here = open_chance - now
        if cash:
            fewer = _totals(left, allowed, chance, len(final))
            for total in range(max(0, need), len(final)):
                final[total] += max(0.0, totals[total] - fewer[total])
                here -= totals[total] - fewer[total]
            totals = fewer
        subs[count], gains[count], chances[count] = index - strides[k], g, max(0.0, here)
        count += 1
        open_chance = now
    return count


@inner
def _hold_back(
    index, left, unplaced, below, powers, need, holds, kept, moved, ones, sums, low, high, chance, most, strides,
    subs, gains, chances, final, count, mean,
):  # fmt: skip
    """Where larger dice stay and the card says so, keep the larger dice that clear alone, or one of the smallest."""
    dice = left.sum()
    for row in range(ones):  # rows that keep none of the smallest kind
        staying = left[1:].sum() - kept[row, 1:].sum()
        held = False
        for s in range(1, min(staying, len(holds) - 1) + 1):
            held = held or dice >= holds[s]
        if not held:
            continue
        allowed, free = unplaced.copy(), below.copy()
        if row > 0 and low[row] <= high[row]:
            allowed[0], free[0] = most[0], 1.0
            _raise(free, left, powers)
            count = _emit(index, row, left, allowed, powers, need, kept, moved, sums, low, high, chance,
                          subs, gains, chances, final, count, mean)  # fmt: skip
        elif row == 0:
            rest = 1.0
            for k in range(1, len(left)):
                rest *= below[k] ** left[k]
            before = free[0] ** left[0]
            totals = _totals(left, allowed, chance, len(final)) if need < FREE else final
            for g in range(unplaced[0] + 1, most[0] + 1):
                free[0] = min(1.0, free[0] + chance[0, g])
                allowed[0] = g
                here = (free[0] ** left[0] - before) * rest
                before = free[0] ** left[0]
                if need < FREE:
                    larger = _totals(left, allowed, chance, len(final))
                    for total in range(max(0, need), len(final)):
                        final[total] += larger[total] - totals[total]
                        here -= larger[total] - totals[total]
                    totals = larger
                subs[count], gains[count], chances[count] = index - strides[0], g, max(0.0, here)
                count += 1
        for more in range(row, len(sums), ones):
            high[more] = -1
    return count


@njit
def flow(index, left, levels, shift, spare, need, holds, prices, options, chance, most, strides, room):
    """Return where the rolls of one pool lead, as (pools after, gains, chances)."""
    subs, gains, chances = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    count = _fill_flow(
        index, left, levels, shift, spare, need, holds, prices, options, chance, most, strides, subs, gains, chances,
        False,
    )  # fmt: skip
    return subs[:count], gains[:count], chances[:count]


@njit
def expect(pools, order, levels, holds, prices, options, chance, most, strides, room):
    """Return by pool the expected gain to come under a card that looks at the dice alone."""
    values = np.zeros(len(pools))
    subs, gains, chances = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
    for index in order:
        count = _fill_flow(
            index, pools[index], levels, 0, FREE, FREE, holds, prices, options, chance, most, strides,
            subs, gains, chances, True,
        )  # fmt: skip
        total = 0.0
        for at in range(count):
            total += chances[at] * (gains[at] + values[subs[at]])
        values[index] = total
    return values


@inner
def _read_pace(spare, par, ahead, shifts, margin, most_lost):
    """Return how many dice more the card is read with, and what a die may lose, given what may be lost in all."""
    shift = 0
    for i in range(len(ahead)):
        if spare - par >= ahead[i]:
            shift = shifts[i]
    limit = FREE
    if margin < FREE:
        limit = min(max(spare - margin, 0), most_lost)
    return shift, limit


@njit
def worth(
    pools, order, begin, end, offset, pars, ahead, shifts, margin, cash, levels, holds, prices, options, chance, most,
    strides, room, values,
):  # fmt: skip
    """Fill values[pool, column] under a card that is read by how far ahead of par the player is.

    Column c stands for c - offset gained beyond what is wanted, and what is spare is what may still be lost of the dice
    left. From ahead[i] points above the par of the pool on, the card is read as with shifts[i] more dice on the table.
    No die is kept, unless one must be, that leaves less than `margin` spare. With at most `cash` dice, all are kept if
    that gains more than is wanted.
    """
    subs, gains, chances = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room)
    for index in order:
        left = pools[index]
        gain = (left * most).sum()
        known_shift, known_limit, count = FREE, -1, 0
        for column in range(begin[index], end[index]):
            shift, limit = _read_pace(column - offset + gain, pars[index], ahead, shifts, margin, most.max())
            need = max(0, offset - column + 1) if left.sum() <= cash else FREE
            if shift != known_shift or limit != known_limit or need < FREE:
                known_shift, known_limit = shift, limit
                count = _fill_flow(
                    index, left, levels, shift, limit, need, holds, prices, options, chance, most, strides,
                    subs, gains, chances, False,
                )  # fmt: skip
            total = 0.0
            for at in range(count):
                total += chances[at] * values[subs[at], column + gains[at]]
            values[index, column] = total
