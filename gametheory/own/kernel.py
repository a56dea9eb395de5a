"""Games of one's own, compiled: the best move of every roll, over columns.

Arrays are those of `graph.Merged`: of places p, rolls r and moves m one after the other, each array of beginnings with the
end behind it. `first[p]` and `stop[p]` are the columns from which, and up to which, a place is not settled (`solver`).

Sums over rolls are compensated and in their order, so that they are the same bits however places are shared out.
"""

from __future__ import annotations

import numpy as np

from ..jit import inner, njit


@inner
def _take_best(best, rows, after, gains, begin, end, column, width):
    """Write the best worth of some moves, by column."""
    move = begin
    one = rows[after[move], column + gains[move] : column + gains[move] + width]
    for c in range(width):
        best[c] = one[c] + 0.0
    move += 1
    while move + 3 < end:
        # Four at a time: the best so far is loaded and stored once for them.
        a = rows[after[move], column + gains[move] : column + gains[move] + width]
        b = rows[after[move + 1], column + gains[move + 1] : column + gains[move + 1] + width]
        d = rows[after[move + 2], column + gains[move + 2] : column + gains[move + 2] + width]
        e = rows[after[move + 3], column + gains[move + 3] : column + gains[move + 3] + width]
        for c in range(width):
            best[c] = max(max(max(best[c], a[c]), max(b[c], d[c])), e[c]) + 0.0
        move += 4
    while move < end:
        a = rows[after[move], column + gains[move] : column + gains[move] + width]
        for c in range(width):
            best[c] = max(best[c], a[c]) + 0.0
        move += 1


@njit
def backup(rows, rolls, weights, moves, after, gains, first, stop, begin, end):
    """Fill in the rows of the places from `begin` to `end`, in the columns that are not settled."""
    most = rows.shape[1]
    best, total, carry = np.empty(most), np.empty(most), np.empty(most)
    for place in range(begin, end):
        column = first[place]
        width = stop[place] - column
        if width <= 0:
            continue
        total[:width] = 0.0
        carry[:width] = 0.0
        ways = 0.0
        for roll in range(rolls[place], rolls[place + 1]):
            _take_best(best, rows, after, gains, moves[roll], moves[roll + 1], column, width)
            weight = weights[roll]
            ways += weight
            for c in range(width):
                y = weight * best[c] - carry[c]
                t = total[c] + y
                carry[c] = (t - total[c]) - y
                total[c] = t
        for c in range(width):
            rows[place, column + c] = total[c] / ways
