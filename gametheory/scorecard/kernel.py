"""Turns of scorecards, compiled: a group of cards at a time, WIDTH columns at a time.

A turn is taken in a tile [keep, column]. Its last rows are the rolls: each takes the best of its boxes. Then, for each
throw, a keep is the mean of what it may become with one die more, and the best to keep of a roll is the best of what one die
less allows (`cards`). The tile stays in the cache of its core.

Rows are ragged. The rows that are read are those of cards with one box less to fill, in one flat array: of place p the
columns from `first[p]` up to `stop[p]`, beginning at `at[p]`, with WIDTH entries of `low` before them and of `high` behind,
which is what they are worth outside. So a fill is WIDTH entries of a flat array, wherever it leads.

Rules come as arrays: `fills` and `number` as in `cards.Fills`; `alike` by roll; `index` from cards to places; and `rules`:
boxes, points for the upper bonus, its points, joker (0 none, 1 forced, 2 free), the upper boxes and the yahtzee box as bits.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import alloca_once_value, for_range
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ..jit import inner, njit

WIDTH = 16
"""Columns in a tile."""


@inner
def _options(filled, fifty, alike, number, rules, begins, chosen):
    """List the fills of every roll at a card, one roll after the other."""
    boxes, joker, upper, yahtzee = rules[0], rules[3], rules[4], rules[5]
    left = ((1 << boxes) - 1) & ~filled
    count = 0
    for roll in range(len(alike)):
        begins[roll] = count
        allowed, under = left, 0
        if alike[roll] >= 0 and joker > 0 and yahtzee & filled:
            own = alike[roll] & left
            if joker == 2:
                under = 0 if own else 1
            elif own:
                allowed = own
            elif left & ~upper:
                allowed, under = left & ~upper, 1
        variant = under + (2 if fifty and alike[roll] >= 0 else 0)
        for box in range(boxes):
            if allowed >> box & 1:
                chosen[count] = number[variant, roll, box]
                count += 1
    begins[len(alike)] = count
    return count


@inner
def _follow(fill, filled, fifty, upper, fills, index, rules):
    """Return where a fill leads, and the points that it brings."""
    above = min(rules[1], upper + fills[2, fill])
    points = fills[1, fill] + (rules[2] if upper < rules[1] and above == rules[1] else 0)
    return index[filled | (1 << fills[0, fill]), max(fifty, fills[3, fill]), above], points


# Vectors. Numba must think that any two rows overlap, and compiles their loops to one number at a time; so what is done to
# WIDTH numbers at once is written for LLVM itself, which makes of it what the processor has.


def _lanes(context, builder, signature, array):
    """Return a function from an index to a pointer to WIDTH numbers of an array."""
    data = make_array(signature)(context, builder, array).data
    kind = ir.VectorType(ir.DoubleType(), WIDTH).as_pointer()
    return lambda index: builder.bitcast(builder.gep(data, [index]), kind)


def _row(builder, number):
    return builder.mul(number, ir.Constant(number.type, WIDTH))


def _load(builder, pointer):
    return builder.load(pointer, align=8)


def _more(builder, one, other):
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


def _item(context, builder, signature, array):
    """Return a function from an index to a number of an array of whole numbers."""
    data = make_array(signature)(context, builder, array).data
    return lambda index: builder.load(builder.gep(data, [index]))


_VOID = types.void
_ROWS = types.float64[::1]
_INTS = types.int64[::1]


def _every(builder, number):
    """Return WIDTH times the same number."""
    every = ir.Constant(ir.VectorType(ir.DoubleType(), WIDTH), ir.Undefined)
    for lane in range(WIDTH):
        every = builder.insert_element(every, number, ir.Constant(ir.IntType(32), lane))
    return every


@intrinsic
def _mean(typing, tile, keep, more, begin, sides, part):
    """tile[keep] = part * the sum of the rows more[begin], ..., more[begin + sides - 1]."""
    signature = _VOID(tile, types.int64, more, types.int64, types.int64, types.float64)

    def code(context, builder, signature, arguments):
        tile, keep, more, begin, sides, part = arguments
        at = _lanes(context, builder, signature.args[0], tile)
        number = _item(context, builder, signature.args[2], more)
        one, six = ir.Constant(begin.type, 1), ir.Constant(begin.type, 6)

        def row(place):
            return _load(builder, at(_row(builder, number(place))))

        total = alloca_once_value(builder, row(begin))
        with builder.if_else(builder.icmp_signed("==", sides, six)) as (then, other):
            with then:  # the usual dice, written out
                rows = [row(builder.add(begin, ir.Constant(begin.type, face))) for face in range(1, 6)]
                found = builder.load(total)
                for here in rows:
                    found = builder.fadd(found, here)
                builder.store(found, total)
            with other, for_range(builder, builder.sub(sides, one)) as loop:
                here = row(builder.add(begin, builder.add(loop.index, one)))
                builder.store(builder.fadd(builder.load(total), here), total)
        found = builder.fmul(builder.load(total), _every(builder, part))
        builder.store(found, at(_row(builder, keep)), align=8)
        return context.get_dummy_value()

    return signature, code


@intrinsic
def _weigh(typing, tile, begin, weights, count, total):
    """tile[0] = the sum of weights[i] * tile[begin + i] / total."""
    signature = _VOID(tile, types.int64, weights, types.int64, types.float64)

    def code(context, builder, signature, arguments):
        tile, begin, weights, count, total = arguments
        at = _lanes(context, builder, signature.args[0], tile)
        weight = _item(context, builder, signature.args[2], weights)
        found = alloca_once_value(builder, ir.Constant(ir.VectorType(ir.DoubleType(), WIDTH), [0.0] * WIDTH))
        with for_range(builder, count) as loop:
            row = _load(builder, at(_row(builder, builder.add(begin, loop.index))))
            more = builder.fmul(row, _every(builder, weight(loop.index)))
            builder.store(builder.fadd(builder.load(found), more), found)
        mean = builder.fdiv(builder.load(found), _every(builder, total))
        builder.store(mean, at(ir.Constant(begin.type, 0)), align=8)
        return context.get_dummy_value()

    return signature, code


@intrinsic
def _most(typing, tile, keep, less, begin, end):
    """tile[keep] = the most of it and the rows less[begin], ..., less[end - 1]."""
    signature = _VOID(tile, types.int64, less, types.int64, types.int64)

    def code(context, builder, signature, arguments):
        tile, keep, less, begin, end = arguments
        at = _lanes(context, builder, signature.args[0], tile)
        number = _item(context, builder, signature.args[2], less)
        own = at(_row(builder, keep))
        best = alloca_once_value(builder, _load(builder, own))
        with for_range(builder, builder.sub(end, begin)) as loop:
            here = _load(builder, at(_row(builder, number(builder.add(begin, loop.index)))))
            builder.store(_more(builder, here, builder.load(best)), best)
        builder.store(builder.load(best), own, align=8)
        return context.get_dummy_value()

    return signature, code


@intrinsic
def _copy(typing, target, row, source, start):
    """target[row] = WIDTH numbers of the source from `start` on."""
    signature = _VOID(target, types.int64, source, types.int64)

    def code(context, builder, signature, arguments):
        target, row, source, start = arguments
        to = _lanes(context, builder, signature.args[0], target)(_row(builder, row))
        builder.store(_load(builder, _lanes(context, builder, signature.args[2], source)(start)), to, align=8)
        return context.get_dummy_value()

    return signature, code


@intrinsic
def _better(typing, target, row, known, number, source, start):
    """target[row] = the most of known[number] and WIDTH numbers of the source from `start` on."""
    signature = _VOID(target, types.int64, known, types.int64, source, types.int64)

    def code(context, builder, signature, arguments):
        target, row, known, number, source, start = arguments
        to = _lanes(context, builder, signature.args[0], target)(_row(builder, row))
        one = _load(builder, _lanes(context, builder, signature.args[2], known)(_row(builder, number)))
        other = _load(builder, _lanes(context, builder, signature.args[4], source)(start))
        builder.store(_more(builder, one, other), to, align=8)
        return context.get_dummy_value()

    return signature, code


# Turns.


@inner
def _aligned(rows):
    """Return room for so many rows of WIDTH numbers, at the beginning of a line of the cache."""
    room = np.zeros(rows * WIDTH + 8)
    begin = (-room.ctypes.data % 64) // 8
    return room[begin : begin + rows * WIDTH]


@inner
def _branch(begins, chosen, rolls, nodes, known, leaves):
    """Let rolls that share their first fills share the work: write nodes (node before or -1, fill), and of each roll the
    node before its last fill, and that fill; return how many nodes there are.
    """
    count = 0
    for roll in range(rolls):
        begin, end = begins[roll], begins[roll + 1]
        for i in range(begin + 1, end):  # in the order of fills: those for nothing first, which many rolls share
            fill, j = chosen[i], i
            while j > begin and chosen[j - 1] > fill:
                chosen[j] = chosen[j - 1]
                j -= 1
            chosen[j] = fill
        node = -1
        for i in range(begin, max(begin + 1, end - 1)):
            fill = chosen[i]
            after = known[node + 1, fill]
            if after < 0:
                after = count
                known[node + 1, fill] = after
                nodes[0, count], nodes[1, count] = node, fill
                count += 1
            node = after
        leaves[0, roll] = node
        leaves[1, roll] = chosen[end - 1] if end > begin + 1 else -1
    for node in range(count):
        known[nodes[0, node] + 1, nodes[1, node]] = -1
    return count


@inner
def _box(tile, first_roll, room, nodes, count, leaves, rolls, starts, below):
    """Give each roll the best of its boxes."""
    for node in range(count):
        before, start = nodes[0, node], starts[nodes[1, node]]
        if before < 0:
            _copy(room, node, below, start)
        else:
            _better(room, node, room, before, below, start)
    for roll in range(rolls):
        node, fill = leaves[0, roll], leaves[1, roll]
        if fill < 0:
            _copy(tile, first_roll + roll, room, node * WIDTH)
        else:
            _better(tile, first_roll + roll, room, node, below, starts[fill])


@inner
def _turn(tile, first_roll, more, sides, less, less_begins, weights, total, throws):
    """Take the turn back from its rolls to its beginning, which is the first row."""
    part = 1.0 / sides
    for _ in range(throws - 1):
        for back in range(first_roll):
            keep = first_roll - 1 - back
            _mean(tile, keep, more, keep * sides, sides, part)
        for keep in range(1, len(less_begins) - 1):
            _most(tile, keep, less, less_begins[keep], less_begins[keep + 1])
    # The first throw keeps nothing. Whole weights, so that rounding never leads out of what the rolls are worth.
    _weigh(tile, first_roll, weights, len(weights), total)


@njit
def spans(begin, end, filled, fifty, upper, base, fills, number, alike, index, rules, first, stop, least, most):
    """Fill in `least` and `most`: the columns from which, and up to which, some fill leads to what is not settled."""
    begins = np.empty(len(alike) + 1, np.int64)
    chosen = np.empty(len(alike) * rules[0], np.int64)
    present = np.zeros(fills.shape[1], np.bool_)
    before = -1
    for place in range(begin, end):
        key = filled[place] * 2 + fifty[place]
        if key != before:
            present[:] = False
            for j in range(_options(filled[place], fifty[place], alike, number, rules, begins, chosen)):
                present[chosen[j]] = True
            before = key
        low, high = 1 << 60, -(1 << 60)
        for fill in range(len(present)):
            if present[fill]:
                after, points = _follow(fill, filled[place], fifty[place], upper[place], fills, index, rules)
                gain = base[place] + points - base[after]
                low = min(low, first[after] - gain)
                high = max(high, stop[after] - gain)
        least[place], most[place] = low, high


@njit
def reaches(begin, end, filled, fifty, upper, base, fills, number, alike, index, rules, most):
    """Hand on the most gain that can be banked: from the cards of a level to those that they lead to."""
    begins = np.empty(len(alike) + 1, np.int64)
    chosen = np.empty(len(alike) * rules[0], np.int64)
    present = np.zeros(fills.shape[1], np.bool_)
    before = -1
    for place in range(begin, end):
        key = filled[place] * 2 + fifty[place]
        if key != before:
            present[:] = False
            for j in range(_options(filled[place], fifty[place], alike, number, rules, begins, chosen)):
                present[chosen[j]] = True
            before = key
        for fill in range(len(present)):
            if present[fill]:
                after, points = _follow(fill, filled[place], fifty[place], upper[place], fills, index, rules)
                most[after] = max(most[after], most[place] + base[place] + points - base[after])


@njit
def backup(
    begin, end, filled, fifty, upper, base, fills, number, alike, index, rules, first_roll, more, less, less_begins, weights,
    throws, below, at, first, stop, least, most, out, out_at, low, high, settled,
):  # fmt: skip
    """Fill in the rows of the cards from `begin` to `end` in the columns from `least` up to `most`.

    `first` and `stop` of these cards become the columns between which a row is further than `settled` from low and high.
    """
    begins = np.empty(len(alike) + 1, np.int64)
    chosen = np.empty(len(alike) * rules[0], np.int64)
    present = np.zeros(fills.shape[1], np.bool_)
    origins, gains = np.zeros(fills.shape[1], np.int64), np.zeros(fills.shape[1], np.int64)
    lows, highs = np.zeros(fills.shape[1], np.int64), np.zeros(fills.shape[1], np.int64)
    starts = np.zeros(fills.shape[1], np.int64)
    rolls, sides = len(alike), len(more) // first_roll
    total = weights.sum()
    tile, room = _aligned(first_roll + rolls), _aligned(len(chosen))
    nodes, leaves = np.zeros((2, len(chosen)), np.int64), np.zeros((2, rolls), np.int64)
    known = np.full((len(chosen) + 1, fills.shape[1]), -1, np.int32)
    count = 0
    before = -1
    for place in range(begin, end):
        key = filled[place] * 2 + fifty[place]
        if key != before:
            present[:] = False
            for j in range(_options(filled[place], fifty[place], alike, number, rules, begins, chosen)):
                present[chosen[j]] = True
            count = _branch(begins, chosen, rolls, nodes, known, leaves)
            before = key
        for fill in range(len(present)):
            if present[fill]:
                after, points = _follow(fill, filled[place], fifty[place], upper[place], fills, index, rules)
                gains[fill] = base[place] + points - base[after]
                lows[fill], highs[fill] = first[after] - WIDTH, stop[after]
                origins[fill] = at[after] - first[after]
        row = out[out_at[place] : out_at[place] + most[place] - least[place]]
        for column in range(least[place], most[place], WIDTH):
            for fill in range(len(present)):
                if present[fill]:
                    starts[fill] = origins[fill] + min(max(column + gains[fill], lows[fill]), highs[fill])
            _box(tile, first_roll, room, nodes, count, leaves, rolls, starts, below)
            _turn(tile, first_roll, more, sides, less, less_begins, weights, total, throws)
            for x in range(min(WIDTH, most[place] - column)):
                row[column - least[place] + x] = tile[x]
        a, b = 0, len(row)
        while a < b and abs(row[a] - low) <= settled:
            a += 1
        while b > a and abs(row[b - 1] - high) <= settled:
            b -= 1
        first[place], stop[place] = least[place] + a, least[place] + b


@njit
def compact(begin, end, out, out_at, least, first, stop, rows, at, low, high):
    """Copy the rows of cards to where they are read from, with what they are worth outside around them."""
    for place in range(begin, end):
        width, source, target = stop[place] - first[place], out_at[place] + first[place] - least[place], at[place]
        rows[target - WIDTH : target] = low
        rows[target : target + width] = out[source : source + width]
        rows[target + width : target + width + WIDTH] = high


@njit
def points(
    begin, end, groups, filled, fifty, upper, fills, number, alike, index, rules, first_roll, more, less, less_begins,
    weights, throws, expected,
):  # fmt: skip
    """Fill in the expected points still to come of groups of cards, the points above as columns."""
    begins = np.empty(len(alike) + 1, np.int64)
    chosen = np.empty(len(alike) * rules[0], np.int64)
    present = np.zeros(fills.shape[1], np.bool_)
    starts = np.arange(fills.shape[1]) * WIDTH
    worth = np.zeros(fills.shape[1] * WIDTH)
    rolls, sides = len(alike), len(more) // first_roll
    total = weights.sum()
    tile, room = _aligned(first_roll + rolls), _aligned(len(chosen))
    nodes, leaves = np.zeros((2, len(chosen)), np.int64), np.zeros((2, rolls), np.int64)
    known = np.full((len(chosen) + 1, fills.shape[1]), -1, np.int32)
    for group in range(begin, end):
        one = groups[group]
        present[:] = False
        for j in range(_options(filled[one], fifty[one], alike, number, rules, begins, chosen)):
            present[chosen[j]] = True
        count = _branch(begins, chosen, rolls, nodes, known, leaves)
        for place in range(groups[group], groups[group + 1], WIDTH):
            width = min(WIDTH, groups[group + 1] - place)
            for fill in range(len(present)):
                if present[fill]:
                    for x in range(width):
                        here = place + x
                        after, gained = _follow(fill, filled[here], fifty[here], upper[here], fills, index, rules)
                        worth[fill * WIDTH + x] = gained + expected[after]
            _box(tile, first_roll, room, nodes, count, leaves, rolls, starts, worth)
            _turn(tile, first_roll, more, sides, less, less_begins, weights, total, throws)
            for x in range(width):
                expected[place + x] = tile[x]
