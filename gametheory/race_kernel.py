"""The compiled loops of races; imported only where something is solved or played, as it imports numba.

Everything is counted in units of points. A *lane* is one of LANES pairs of standings that are solved side by side in
the processor's vector unit. Sums are taken in a fixed order and no lane looks at another, so that the bits of a result
do not hang on the number of threads: the caller hands out chunks of pairs.

    best, roll       [turn total, dice left, lane]   the chance to win: at its best, and if the dice are thrown
    slope            [turn total, dice left, lane]   how best changes with the worth of a turn that ends with nothing
    bank             [turn total, lane]              the chance to win after banking, -1 where that is not allowed
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, type-arg"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

LANES = 8


def _jit(function: Callable[..., Any]) -> Any:
    """Compile, keeping the machine code on disk where some folder for it can be written."""
    try:
        return numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return numba.njit(nogil=True)(function)


# --- solving ----------------------------------------------------------------------------------------------------------
#
# A row is LANES chances and then their LANES slopes. Left to itself the compiler takes such short loops number by number,
# so the three steps of the inner loop are spelled out as vector instructions.

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_ROWS = numba.types.Array(numba.types.float64, 2, "C")


def _place(context, builder, array, row, half):
    """Point to the chances (half 0) or the slopes (half 1) of a row."""
    data = context.make_array(_ROWS)(context, builder, value=array).data
    offset = builder.add(builder.mul(row, ir.Constant(row.type, 2 * LANES)), ir.Constant(row.type, half * LANES))
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


@intrinsic
def _take_better(typing, rows, option, parent, node):
    """rows[node] = the better of rows[option] and rows[parent], with its slope."""

    def emit(context, builder, signature, arguments):
        array, option, parent, node = arguments
        new, old = (
            [builder.load(_place(context, builder, array, row, half), align=8) for half in (0, 1)]
            for row in (option, parent)
        )
        better = builder.fcmp_ordered(">", new[0], old[0])
        for half in (0, 1):
            chosen = builder.select(better, new[half], old[half])
            builder.store(chosen, _place(context, builder, array, node, half), align=8)
        return context.get_dummy_value()

    return numba.types.void(_ROWS, *[numba.types.intp] * 3), emit


@intrinsic
def _weigh(typing, rows, to, row, weight):
    """rows[to] = weight * rows[row]."""

    def emit(context, builder, signature, arguments):
        array, to, row, weight = arguments
        factor = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            factor = builder.insert_element(factor, weight, ir.Constant(ir.IntType(32), lane))
        for half in (0, 1):
            value = builder.load(_place(context, builder, array, row, half), align=8)
            builder.store(builder.fmul(factor, value), _place(context, builder, array, to, half), align=8)
        return context.get_dummy_value()

    return numba.types.void(_ROWS, numba.types.intp, numba.types.intp, numba.types.float64), emit


@intrinsic
def _add(typing, rows, to, row):
    """rows[to] += rows[row]."""

    def emit(context, builder, signature, arguments):
        array, to, row = arguments
        for half in (0, 1):
            one, other = (builder.load(_place(context, builder, array, at, half), align=8) for at in (to, row))
            builder.store(builder.fadd(one, other), _place(context, builder, array, to, half), align=8)
        return context.get_dummy_value()

    return numba.types.void(_ROWS, numba.types.intp, numba.types.intp), emit


@_jit
def _fill_bank(standings, others, me, them, top, bank):
    for lane in range(LANES):
        mover = me[lane]
        least, need, after = standings.least[mover], standings.need[mover], standings.after[mover]
        for total in range(top):
            if total < least:
                bank[total, lane] = -1.0
            elif total >= need:
                bank[total, lane] = 1.0
            else:
                bank[total, lane] = 1.0 - others[them[lane], after + total]


@_jit
def _aligned_rows(count):
    """Return rows that start on a cache line, so that no vector straddles two."""
    space = np.empty((count + 1) * 2 * LANES)
    skip = (64 - space.ctypes.data % 64) % 64 // 8
    return space[skip : skip + count * 2 * LANES].reshape((count, 2 * LANES))


@_jit
def _best_turn(throws, bank, lose, top, rows, ones):
    """Sweep one turn from the highest total down; return the row of the chances to win before the first throw.

    Rows `ones` and after hold the sure wins, all totals from `top` on; the lower totals stand before them, one row for
    each number of dice left. The first rows are the nodes of the tree of options, then come the terms of the sum.
    """
    size = throws.bust.size
    terms = throws.parent.size
    for total in range(top - 1, -1, -1):
        here = ones - (top - total) * size
        for lane in range(LANES):
            allowed = bank[total, lane] >= 0.0
            rows[here, lane] = bank[total, lane] if allowed else lose[lane]
            rows[here, LANES + lane] = 0.0 if allowed else 1.0
        for dice in range(1, size):
            bust = throws.bust[dice]
            for lane in range(LANES):
                rows[terms, lane] = bust * lose[lane]
                rows[terms, LANES + lane] = bust
            count = 1
            for k in range(throws.first[dice], throws.first[dice + 1]):
                at = np.uintp(k)  # unsigned: no test for an index from the end
                _take_better(rows, here + throws.shift[at], throws.parent[at], k)
                weight = throws.weight[at]
                if weight > 0.0:
                    _weigh(rows, terms + count, k, weight)
                    count += 1
            # Pairwise: the rounding errors grow with the logarithm of the number of terms.
            while count > 1:
                half = (count + 1) // 2
                for k in range(count - half):
                    _add(rows, terms + k, terms + half + k)
                count = half
            for lane in range(LANES):
                throw = rows[terms, lane] > bank[total, lane]
                rows[here + dice, lane] = rows[terms, lane] if throw else bank[total, lane]
                rows[here + dice, LANES + lane] = rows[terms, LANES + lane] if throw else 0.0
    return ones - top * size + size - 1


@_jit
def close_pairs(throws, standings, me, them, movers, others, fixed, rest, bust, tolerance, lowest, highest, result):
    """Solve x = f(1 - y), y = g(1 - x) for the pairs of the chunks from lowest to highest, by policy iteration.

    movers[i, j] is the chance of the player of the rows, to move at i against j; others[j, i] of the one against him.
    With `fixed` the other does not choose: y = rest + bust * (1 - x). `result` is [pair, (x, y, slope of f, slope of g,
    residual, rounds)], its first two columns the first guesses.
    """
    size = throws.bust.size
    most = max(standings.need[me].max(), standings.need[them].max())
    bank = np.empty((most + 1, LANES))
    ones = 2 * throws.parent.size + most * size
    rows = _aligned_rows(ones + throws.shift.max() + size)
    rows[ones:, :LANES] = 1.0
    rows[ones:, LANES:] = 0.0
    rows[0] = -1.0
    x, y, fx, gy, sx, sy = np.empty((6, LANES))
    lose = np.empty(LANES)
    i = np.empty(LANES, dtype=np.int64)
    j = np.empty(LANES, dtype=np.int64)
    for chunk in range(lowest, highest):
        for lane in range(LANES):
            pair = min(chunk * LANES + lane, me.size - 1)
            i[lane], j[lane] = me[pair], them[pair]
            x[lane], y[lane] = result[pair, 0], result[pair, 1]
        top_i, top_j = standings.need[i].max(), standings.need[j].max()
        rounds = 0
        while True:
            rounds += 1
            _fill_bank(standings, others, i, j, top_i, bank)
            for lane in range(LANES):
                lose[lane] = 1.0 - y[lane]
            start = _best_turn(throws, bank, lose, top_i, rows, ones)
            for lane in range(LANES):
                fx[lane], sx[lane] = rows[start, lane], rows[start, LANES + lane]
            if fixed:
                for lane in range(LANES):
                    pair = min(chunk * LANES + lane, me.size - 1)
                    gy[lane] = rest[pair] + bust[pair] * (1.0 - x[lane])
                    sy[lane] = bust[pair]
            else:
                _fill_bank(standings, movers, j, i, top_j, bank)
                for lane in range(LANES):
                    lose[lane] = 1.0 - x[lane]
                start = _best_turn(throws, bank, lose, top_j, rows, ones)
                for lane in range(LANES):
                    gy[lane], sy[lane] = rows[start, lane], rows[start, LANES + lane]
            worst = 0.0
            for lane in range(LANES):
                worst = max(worst, abs(fx[lane] - x[lane]), abs(gy[lane] - y[lane]))
            if worst <= tolerance or rounds >= 2000:
                break
            for lane in range(LANES):
                contraction = sx[lane] * sy[lane]
                # Newton between two players who both improve may cycle in principle: after 20 rounds plain steps, which
                # always come nearer.
                if rounds <= 20 and contraction < 1.0:
                    new = (fx[lane] + sx[lane] * (y[lane] - gy[lane] - sy[lane] * x[lane])) / (1.0 - contraction)
                    new = min(max(new, 0.0), 1.0)
                    y[lane] = min(max(gy[lane] + sy[lane] * (x[lane] - new), 0.0), 1.0)
                    x[lane] = new
                else:
                    x[lane], y[lane] = fx[lane], gy[lane]
        for lane in range(LANES):
            pair = chunk * LANES + lane
            if pair < me.size:
                result[pair, 0], result[pair, 1] = x[lane], y[lane]
                result[pair, 2], result[pair, 3] = sx[lane], sy[lane]
                result[pair, 4] = max(abs(fx[lane] - x[lane]), abs(gy[lane] - y[lane]))
                result[pair, 5] = rounds
