"""The roll-folding kernel: one state of a pool game, all rolls, every number of points banked at once.

    row[b] = sum over rolls of P(roll) * max over keeps of rows[pool - keep][b + gain of keep]

Rows are non-decreasing in b, so that among equal dice the best faces are kept first and a move is *how many* of each
kind to keep. A *stack* holds one row for every such choice among the kinds not folded yet, the first kind slowest:

    stack[j, rest][b]      j dice of the first kind are kept, `rest` of the later kinds
    folded[rest][b]        = max over j of stack[j, rest][b + gain of the best j faces rolled]

Row (j, rest) is as much wider as the kept dice can gain. The last column of an array of stacks is the weight of each:
the chance of all the rolls that lead to it.

Kinds with several dice come first. Their rolls are walked face by face, best face first; a node is (dice still to
place, gain so far, folded stack). Nodes that agree in all three are one; a node that no worse face can change is
finished. Stacks are told apart by content, to within the tolerance, and this is what makes the kernel fast: 6,188 rolls
of 12d6 leave some tens or hundreds of distinct stacks. The last two single dice come face by face, on each of these.

Stacks are summed in chunks of fixed size, the chunks added in order, with compensation: the same bits every time.

For a policy that is given by values (what it leads to, not what would be best) a row has several *layers*, one after the
other. The first three choose, as the rule for ties says (see `answers.order`); the others go where the choice goes:

    layer 0    worth of the position, what the policy maximises
    layer 1    expected final gain, for moves of equal worth
    layer 2    rank of the keep: fewer dice first, then more of the smaller kinds; lower is preferred
    layer 3    with `ceiling`: a second worth whose plain maximum over all moves is wanted
    layer ...  reported

Row r of a stack over the kinds from k on begins at layers * (r * width + wider[k, r]).

What is compiled, and why it is cut so: a compiler takes its time for every statement, more for every array that is made or
sliced, and once more for a function inside another. So what runs once a state is plain Python (`fold_pool`, `fold_kind`,
`follow`), which makes the arrays; only the loops are compiled, each by itself, over flat arrays with indices that have no
sign (`U`). Arrays that turn out too small are made larger, and the loop is run again.
"""

from __future__ import annotations

import threading

import numpy as np

from ..jit import inner, njit
from ..ties import DISAGREE, TIED

CHUNK = 128
"""How many distinct stacks of the first kind are summed as one part."""

U = np.uintp
"""An index without a sign: of one with a sign numba asks every time whether it counts from the end, and gathers."""


# Making stacks.


@njit
def _gather(tables, places, columns, layers, ranks, subs, wider, column, width, stack):
    for row in range(subs.size):
        wide = width + wider[row + 1] - wider[row]
        at = layers * (row * width + wider[row])
        for layer in range(layers):
            table = ((layer - (layer > 2)) * places + subs[row]) * columns + column
            for i in range(wide):
                if layer == 2:
                    stack[U(at + i)] = ranks[row]
                elif subs[row] == subs[0]:
                    stack[U(at + i)] = -np.inf
                else:
                    stack[U(at + i)] = tables[U(table + i)]
            at += wide


def gather(tables, state, column, width, ranks=None):
    """Copy the rows after every keep into one stack, of weight 1.

    `tables` are the layers other than the rank, [layer, place, column]; `ranks` are by row. Keeping nothing, or fewer
    dice than must be kept, is no move: such keeps lead to the place itself, their rows are minus infinity.
    """
    count, places, columns = tables.shape
    layers = count + (ranks is not None)
    rows = len(state.subs)
    stack = np.empty((1, layers * (rows * width + int(state.wider[0, rows])) + 1))
    by_row = NOTHING if ranks is None else ranks
    _gather(
        tables.reshape(-1), places, columns, layers, by_row, state.subs, state.wider[0], column, width, stack[0]
    )
    stack[0, -1] = 1.0
    return stack


NOTHING = np.zeros(0)


# Folding kinds of several dice.


@inner
def _find(table, key, generation):
    """Return where a key stands in an open hash table of (key, number, generation), or the free row where it belongs."""
    mask = table.shape[0] - 1
    row = (key ^ (key >> 32) ^ (key >> 15)) & mask
    while table[row, 2] == generation and table[row, 0] != key:
        row = (row + 1) & mask
    return row


@inner
def _number(stacks, bits, count, stride, table, tolerance, generation):
    """Find stack `count` among those before it and return the (first) equal one's number; else enter it in the table.

    The hash takes the leading bits of each entry, so that noise in the last ones seldom matters; what it finds is
    compared in full. `bits` are the stacks, read as whole numbers.
    """
    new, size = count * stride, stride - 1
    total = np.uint64(0)
    for i in range(size):
        total += bits[U(new + i)] >> np.uint64(16)
    key = np.int64(total) * np.int64(0x9E3779B97F4A7C15 - (1 << 64))
    while True:
        row = _find(table, key, generation)
        if table[row, 2] != generation:
            table[row, 0], table[row, 1], table[row, 2] = key, count, generation
            return count
        known = table[row, 1] * stride
        apart = 0
        for i in range(size):
            apart += abs(stacks[U(known + i)] - stacks[U(new + i)]) > tolerance
        if apart == 0:
            return table[row, 1]
        key += 1


@inner
def _choose(olds, old, old_wide, news, new, new_wide, outs, out, wide, layers, ceiling, better):
    """Set the row at outs[out] to the better of two rows, entry by entry; return in how many places anything changed.

    `old_wide` and `new_wide` are the distances between the layers of each row; `new` is already shifted.
    """
    changed = 0
    for i in range(wide):
        by = news[U(new + i)] - olds[U(old + i)]
        more = news[U(new + new_wide + i)] - olds[U(old + old_wide + i)]
        rank = news[U(new + 2 * new_wide + i)] - olds[U(old + 2 * old_wide + i)]
        better[i] = (by > TIED) | ((by >= -TIED) & ((more > TIED) | ((more >= -TIED) & (rank < 0.0))))
        changed += better[i]
    for layer in range(layers):
        x, y, z = old + layer * old_wide, new + layer * new_wide, out + layer * wide
        for i in range(wide):
            one, other = olds[U(x + i)], news[U(y + i)]
            taken = better[i]
            if ceiling and layer == 3:
                taken = other > one
                changed += taken
            outs[U(z + i)] = other if taken else one
    return changed


@njit
def _fold_kind(
    parents, parent_stride, n, faces, gains, chances, tails, ways, wider, after, rests, width, tolerance, layers, ceiling,
    better, stacks, bits, stride, most, stack_table, nodes, node_table, chain, generation,
):  # fmt: skip
    """Fold a kind into every stack; return how many stacks there are then, -1 if an array has not room enough.

    `gains`, `chances`, `tails` and `wider` are those of the kind, `after` is `wider` of the next; `generation` tells the
    entries of this call from older ones in the two hash tables, and is the latest one so far.
    """
    count = np.int64(0)  # a plain 0 would be a type of its own, for which what is called is compiled once more
    entered = generation[0] + 1
    latest = entered
    half = nodes.shape[1] // 2
    old_nodes, new_nodes = 0, half  # rows of nodes: dice still to place, gain, stack, weight
    for parent in range(parents.size // parent_stride):
        base = parent * parent_stride
        nodes[0, old_nodes], nodes[1, old_nodes], nodes[2, old_nodes] = n, 0, 0
        nodes[3, old_nodes] = parents[base + parent_stride - 1]
        live = 1
        for f in range(faces):
            new_live = 0
            latest += 1
            for node in range(old_nodes, old_nodes + live):
                left = np.int64(nodes[0, node])
                gain = np.int64(nodes[1, node])
                weight = nodes[3, node]
                if count + left + 1 >= most or new_live + left + 1 >= half:
                    generation[0] = latest
                    return -1
                # chain[c]: the folded stack once c more dice show this face; before the first face nothing is folded.
                chain[0] = np.int64(nodes[2, node])
                for c in range(f > 0, left + 1):
                    scratch = count * stride
                    previous = chain[c - 1] * stride if c > 0 else scratch
                    kept = (n - left + c) * rests
                    shift = gain + c * gains[f]
                    changed = 0
                    for rest in range(rests):
                        wide = width + after[rest + 1] - after[rest]
                        a = layers * (rest * width + after[rest])
                        row = kept + rest
                        s = base + layers * (row * width + wider[row])
                        if c == 0:
                            row_wide = width + wider[row + 1] - wider[row]
                            for layer in range(layers):
                                x, z = s + layer * row_wide, scratch + a + layer * wide
                                for i in range(wide):
                                    stacks[U(z + i)] = parents[U(x + i)]
                            changed = 1
                        elif better is None:
                            # Most candidates raise nothing: look first, write when it is known that they do.
                            x, y = previous + a, s + shift
                            for i in range(wide):
                                changed += parents[U(y + i)] > stacks[U(x + i)] + tolerance
                            if changed > 0:
                                break
                        else:
                            row_wide = width + wider[row + 1] - wider[row]
                            changed += _choose(
                                stacks, previous + a, wide, parents, s + shift, row_wide, stacks, scratch + a, wide,
                                layers, ceiling, better,
                            )  # fmt: skip
                    if changed == 0:
                        chain[c] = chain[c - 1]
                        continue
                    if better is None and c > 0:
                        for rest in range(rests):
                            wide = width + after[rest + 1] - after[rest]
                            a = rest * width + after[rest]
                            y = base + (kept + rest) * width + wider[kept + rest] + shift
                            for i in range(wide):
                                one, other = stacks[U(previous + a + i)], parents[U(y + i)]
                                stacks[U(scratch + a + i)] = other if other > one else one
                    chain[c] = _number(stacks, bits, count, stride, stack_table, tolerance, entered)
                    if chain[c] == count:
                        stacks[scratch + stride - 1] = 0.0
                        count += 1
                if chain[left] == chain[0] or f == faces - 1:
                    stacks[chain[left] * stride + stride - 1] += weight * tails[f, left]
                    continue
                for c in range(left + 1):
                    chance = weight * ways[left, c] * chances[f, c]
                    if c == left:
                        stacks[chain[c] * stride + stride - 1] += chance
                        continue
                    gained = gain + c * gains[f]
                    key = ((left - c) << 56) | (gained << 36) | chain[c]
                    row = _find(node_table, key, latest)
                    if node_table[row, 2] == latest:
                        nodes[3, new_nodes + node_table[row, 1]] += chance
                        continue
                    node_table[row, 0], node_table[row, 1], node_table[row, 2] = key, new_live, latest
                    at = new_nodes + new_live
                    nodes[0, at], nodes[1, at], nodes[2, at], nodes[3, at] = left - c, gained, chain[c], chance
                    new_live += 1
            old_nodes, new_nodes = new_nodes, old_nodes
            live = new_live
    generation[0] = latest
    # Stacks that were only passed through on the way have no weight.
    ended = 0
    for stack in range(count):
        if stacks[stack * stride + stride - 1] > 0.0:
            for i in range(stride):
                stacks[U(ended * stride + i)] = stacks[U(stack * stride + i)]
            ended += 1
    return ended


class _Room:
    """Arrays to fold a kind in, as large as it has needed so far."""

    def __init__(self, doubles=1 << 16, nodes=128):
        self.stacks = np.empty(doubles)
        self.bits = self.stacks.view(np.uint64)
        self.stack_table = np.zeros((max(256, doubles >> 6), 3), np.int64)
        self.nodes = np.empty((4, 2 * nodes))
        self.node_table = np.zeros((2 * nodes, 3), np.int64)
        self.generation = np.ones(1, np.int64)

    def most(self, stride):
        """Return how many stacks there is room for."""
        return min(len(self.stacks) // stride, len(self.stack_table) // 2)

    def doubled(self):
        return _Room(2 * len(self.stacks), self.nodes.shape[1])


class _Rooms(threading.local):
    """The rooms of a thread, by kind."""

    def __init__(self):
        self.by_kind = {}


_rooms = _Rooms()
LARGEST_KEPT = 1 << 23
"""A room of more doubles than this, 64 MB, is not kept for the next call."""


def fold_kind(parents, k, state, ways, width, tolerance, layers=1, ceiling=False, better=None):
    """Fold kind k, of several dice, into every stack over the kinds from k on; return the distinct folded stacks.

    They stand where the next call for this kind in this thread puts its own. `better` is room for the choices of a
    policy; None is the plain maximum, of one layer.
    """
    n, rests = int(state.counts[k]), int(np.prod(state.counts[k + 1 :] + 1))
    after = state.wider[k + 1]
    stride = layers * (rests * width + int(after[rests])) + 1
    room = _rooms.by_kind.get(k) or _Room()
    while True:
        count = _fold_kind(
            parents.reshape(-1), parents.shape[1], n, int(state.faces[k]), state.gains[k], state.chances[k], state.tails[k],
            ways, state.wider[k], after, rests, width, tolerance, layers, ceiling, better, room.stacks, room.bits, stride,
            room.most(stride), room.stack_table, room.nodes, room.node_table, np.empty(n + 1, np.int64), room.generation,
        )  # fmt: skip
        if len(room.stacks) <= LARGEST_KEPT:
            _rooms.by_kind[k] = room
        if count >= 0:
            return room.stacks[: count * stride].reshape(count, stride)
        room = room.doubled()


# Folding what is left, single dice, and summing.


@njit
def _sum_singles(stacks, stride, rows, wide, outer_gains, outer, inner_gains, inner, width, room, total):
    """Add to total the mean row of every stack over one or two single dice, by weight, with compensation (Kahan).

    `rows` are where the rows begin that keep neither die, the second, the first, both; `outer` and `inner` are the chances
    of the faces of the first die and the second. `room` is for folded rows, the mean, and the compensation.
    """
    folded, mean, carry = 0, width + wide, 2 * width + wide
    for b in range(width):
        room[U(carry + b)] = 0.0
        total[b] = 0.0
    faces = inner.size
    for s in range(0, stacks.size, stride):
        for b in range(width):
            room[U(mean + b)] = 0.0
        for face in range(outer.size):
            for one in range(2):
                x, y, z = s + rows[one], s + rows[2 + one] + outer_gains[face], folded + one * width
                for b in range(wide if one else width):
                    v, w = stacks[U(x + b)], stacks[U(y + b)]
                    room[U(z + b)] = w if w > v else v
            chance = outer[face]
            f = 0
            while f + 4 <= faces:
                # Four faces at a time: the mean is read and written a fourth as often.
                y0, y1 = folded + width + inner_gains[f], folded + width + inner_gains[f + 1]
                y2, y3 = folded + width + inner_gains[f + 2], folded + width + inner_gains[f + 3]
                p0, p1 = chance * inner[f], chance * inner[f + 1]
                p2, p3 = chance * inner[f + 2], chance * inner[f + 3]
                for b in range(width):
                    v = room[U(folded + b)]
                    w0, w1, w2, w3 = room[U(y0 + b)], room[U(y1 + b)], room[U(y2 + b)], room[U(y3 + b)]
                    room[U(mean + b)] += (p0 * (w0 if w0 > v else v) + p1 * (w1 if w1 > v else v)) + (
                        p2 * (w2 if w2 > v else v) + p3 * (w3 if w3 > v else v)
                    )
                f += 4
            while f < faces:
                y0, p0 = folded + width + inner_gains[f], chance * inner[f]
                for b in range(width):
                    v, w0 = room[U(folded + b)], room[U(y0 + b)]
                    room[U(mean + b)] += p0 * (w0 if w0 > v else v)
                f += 1
        weight = stacks[s + stride - 1]
        for b in range(width):
            y = weight * room[U(mean + b)] - room[U(carry + b)]
            t = total[b] + y
            room[U(carry + b)] = (t - total[b]) - y
            total[b] = t


def fold_first(rows, state, ways, column, width, tolerance):
    """Return the distinct stacks of a place once its first kind is folded, for `width` entries from `column` on."""
    stacks = gather(rows[None], state, column, width)
    return fold_kind(stacks, 0, state, ways, width, tolerance) if state.several else stacks


ONE_FACE = np.ones(1)
NO_GAIN = np.zeros(1, np.int64)


def sum_chunk(stacks, state, ways, width, tolerance, total):
    """Fold the other kinds into one chunk of stacks, and set `total` to their mean row, by weight."""
    for k in range(1, state.several):
        stacks = fold_kind(stacks, k, state, ways, width, tolerance)
    singles = len(state.counts) - state.several
    assert singles <= 2
    # Where there are fewer than two single dice the others are dice of one face that gains nothing.
    rows = [0, 0, 0, 0]
    wide = width
    dice = [(NO_GAIN, ONE_FACE), (NO_GAIN, ONE_FACE)]
    if singles:
        wider = state.wider[state.several]
        begins = [row * width + int(wider[row]) for row in range(1 << singles)]
        rows = begins if singles == 2 else [*begins, *begins]
        last = state.wider[len(state.counts) - 1]
        wide = width + int(last[2])
        for place, k in enumerate(range(state.several, len(state.counts)), 2 - singles):
            faces = state.faces[k]
            dice[place] = state.gains[k, :faces], state.odds[k, :faces]
    (outer_gains, outer), (inner_gains, inner) = dice
    _sum_singles(
        stacks.reshape(-1), stacks.shape[1], tuple(rows), wide, outer_gains, outer, inner_gains, inner, width,
        np.empty(3 * width + wide), total,
    )  # fmt: skip


def add_chunks(parts, least, most):
    """Add the rows of all chunks in order, carrying the rounding error along; what leads out of the range is rounding."""
    total, carry = np.zeros((2, parts.shape[1]))
    for part in parts:
        y = part - carry
        t = total + y
        carry = (t - total) - y
        total = t
    return np.minimum(np.maximum(total, least), most)


def fold_pool(rows, state, ways, column, width, tolerance, least, most):
    """Return the row of a place, `width` entries from `column` on, and the number of distinct stacks it took.

    Rounding does not lead out of the range from `least` to `most`.
    """
    stacks = fold_first(rows, state, ways, column, width, tolerance)
    parts = np.empty((-(-len(stacks) // CHUNK), width))
    for chunk, part in enumerate(parts):
        sum_chunk(stacks[chunk * CHUNK : (chunk + 1) * CHUNK], state, ways, width, tolerance, part)
    return add_chunks(parts, least, most), len(stacks)


# A policy in place of the maximum.


@njit
def _follow(
    stacks, stride, several, faces, gains, odds, wider, column, width, layers, ceiling, rows, columns, expected, mass,
    buffers, better, total, flow,
):  # fmt: skip
    """Play the single dice of every stack; add to `total` [report, column] and, if there is mass, to `flow` [row, column].

    Of both the first half is the sum, the second what rounding has left over so far.
    """
    reports = layers - 3
    last = faces.size - 1
    room = buffers.shape[1]
    flat = buffers.reshape(-1)
    part = np.zeros((reports + 1, width))
    shown = np.zeros(faces.size + 1, np.int64)
    for s in range(0, stacks.size, stride):
        weight = stacks[s + stride - 1]
        for i in range(stride):
            flat[U(several * room + i)] = stacks[U(s + i)]
        part[:] = 0.0
        changed = several
        while changed >= several:
            chance = 1.0
            for k in range(several, last + 1):
                chance *= odds[k, shown[k]]
                if k < changed:
                    continue
                # Fold one die of kind k that shows a face.
                rests = 1 << (last - k)
                for rest in range(rests):
                    wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
                    one = rests + rest
                    none_wide, one_wide = wider[k, rest + 1] - wider[k, rest], wider[k, one + 1] - wider[k, one]
                    _choose(
                        flat, k * room + layers * (rest * width + wider[k, rest]), width + none_wide,
                        flat, k * room + layers * (one * width + wider[k, one]) + gains[k, shown[k]], width + one_wide,
                        flat, (k + 1) * room + layers * (rest * width + wider[k + 1, rest]), wide, layers, ceiling, better,
                    )  # fmt: skip
            end = (last + 1) * room
            for r in range(reports):
                for b in range(width):
                    part[r, b] += chance * flat[U(end + (3 + r) * width + b)]
            if ceiling:
                # The ceiling is the first report, what the choice is worth by the same measure the second.
                for b in range(width):
                    short = flat[U(end + 3 * width + b)] - flat[U(end + 4 * width + b)]
                    part[reports, b] += chance * (short > DISAGREE)
            if mass.size:
                for b in range(width):
                    # The rank says which row was chosen; the expected gain then says with which faces.
                    row = np.int64(flat[U(end + 2 * width + b)]) % rows
                    gain = np.int64(np.rint(flat[U(end + width + b)] - expected[row])) - column - b
                    to = column + b + gain
                    y = mass[b] * weight * chance - flow[1, row, to]
                    t = flow[0, row, to] + y
                    flow[1, row, to] = (t - flow[0, row, to]) - y
                    flow[0, row, to] = t
            changed = last
            while changed >= several:
                shown[changed] += 1
                if shown[changed] < faces[changed]:
                    break
                shown[changed] = 0
                changed -= 1
        for r in range(reports + 1):
            for b in range(width):
                y = weight * part[r, b] - total[1, r, b]
                t = total[0, r, b] + y
                total[1, r, b] = (t - total[0, r, b]) - y
                total[0, r, b] = t


def follow(tables, ranks, state, ways, column, width, ceiling, expected, mass):
    """Play every roll of a pool by the policy, all columns at once; return what it leads to.

    `tables` are the layers other than the rank, [layer, place, column]. Returned are the means of the reported layers
    [report, column]; with `ceiling` one row more, the chance that the choice falls short of the ceiling by more than
    DISAGREE; and, if `mass` is not empty, where the mass of each column goes: [row of the stack, column].
    """
    layers = len(tables) + 1
    stacks = gather(tables, state, column, width, ranks)
    better = np.empty(stacks.shape[1], np.bool_)
    for k in range(state.several):
        stacks = fold_kind(stacks, k, state, ways, width, 0.0, layers, ceiling, better)
    kinds, rows, columns = len(state.counts), len(state.subs), tables.shape[2]
    total = np.zeros((2, layers - 2, width))
    flow = np.zeros((2, rows, columns) if len(mass) else (2, 1, 1))
    buffers = np.empty((kinds + 1, stacks.shape[1]))
    _follow(
        stacks.reshape(-1), stacks.shape[1], state.several, state.faces, state.gains, state.odds, state.wider, column,
        width, layers, ceiling, rows, columns, expected, mass, buffers, better, total, flow,
    )  # fmt: skip
    return total[0], flow[0]


# Single rolls.


@inner
def _show(flat, room, k, counts, top, wider, width, layers, ceiling, better):
    """Fold one whole roll of kind k, whose best j dice gain top[j], into the stack at k * room; it goes to the next."""
    rests = 1
    for later in range(k + 1, counts.size):
        rests *= counts[later] + 1
    for rest in range(rests):
        wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
        out = (k + 1) * room + layers * (rest * width + wider[k + 1, rest])
        s = k * room + layers * (rest * width + wider[k, rest])
        row_wide = width + wider[k, rest + 1] - wider[k, rest]
        for layer in range(layers):
            for i in range(wide):
                flat[U(out + layer * wide + i)] = flat[U(s + layer * row_wide + i)]
        for j in range(1, counts[k] + 1):
            row = j * rests + rest
            row_wide = width + wider[k, row + 1] - wider[k, row]
            s = k * room + layers * (row * width + wider[k, row]) + top[j]
            _choose(flat, out, wide, flat, s, row_wide, flat, out, wide, layers, ceiling, better)


@njit
def _walk(
    flat, room, counts, rolls, tops, weights, wider, column, width, mass, least, skip, better, columns, numbers, costs
):
    layers = 5
    kinds = counts.size
    capacity = columns.size
    shown = np.zeros(kinds, np.int64)
    found = 0
    changed = 0
    while changed >= 0:
        chance = 1.0
        for k in range(kinds):
            chance *= weights[k, shown[k]]
            if k >= changed:
                _show(flat, room, k, counts, tops[k, shown[k]], wider, width, layers, True, better)
        end = kinds * room
        for b in range(width):
            short = flat[U(end + 3 * width + b)] - flat[U(end + 4 * width + b)]
            if short > DISAGREE and mass[b] * chance * short > least:
                if skip <= found < skip + capacity:
                    columns[found - skip] = column + b
                    costs[found - skip] = mass[b] * chance * short
                    for k in range(kinds):
                        numbers[found - skip, k] = shown[k]
                found += 1
        changed = kinds - 1
        while changed >= 0:
            shown[changed] += 1
            if shown[changed] < rolls[changed]:
                break
            shown[changed] = 0
            changed -= 1
    return found


def _buffers(tables, ranks, state, column, width):
    """Return room for the stack of a place once more and more kinds have shown their roll, its own first, and choices."""
    stack = gather(tables, state, column, width, ranks)
    buffers = np.empty((len(state.counts) + 1, stack.shape[1]))
    buffers[0] = stack[0]
    return buffers.reshape(-1), stack.shape[1], np.empty(stack.shape[1], np.bool_)


def walk(tables, ranks, state, rolls, tops, weights, column, width, mass, least, capacity, skip):
    """List the single rolls of a pool whose choice falls short of the ceiling, by chance times shortfall above `least`.

    `tables` are as in `follow` with a ceiling and one report. Kind k shows one of `rolls[k]` rolls, of chance
    weights[k, r], whose best j dice gain tops[k, r, j]. Of the rolls found, which are counted, the first `capacity` after
    `skip` are returned: their columns, the number of the roll of each kind, and chance times shortfall.
    """
    flat, room, better = _buffers(tables, ranks, state, column, width)
    columns, costs = np.empty(capacity, np.int64), np.empty(capacity)
    numbers = np.empty((capacity, len(state.counts)), np.int64)
    found = _walk(
        flat, room, state.counts, rolls, tops, weights, state.wider, column, width, mass, least, skip, better, columns,
        numbers, costs,
    )  # fmt: skip
    listed = max(0, min(capacity, found - skip))
    return found, columns[:listed], numbers[:listed], costs[:listed]


@njit
def _choices(flat, room, subs, counts, rolls, tops, wider, column, width, expected, better, after, gains):
    kinds = counts.size
    shown = np.zeros(kinds, np.int64)
    changed = 0
    for roll in range(after.shape[0]):
        for k in range(changed, kinds):
            _show(flat, room, k, counts, tops[k, shown[k]], wider, width, 3, False, better)
        end = kinds * room
        for b in range(width):
            row = np.int64(flat[U(end + 2 * width + b)]) % subs.size
            after[roll, b] = subs[row]
            gains[roll, b] = np.int64(np.rint(flat[U(end + width + b)] - expected[row])) - column - b
        changed = kinds - 1
        while changed >= 0:
            shown[changed] += 1
            if shown[changed] < rolls[changed]:
                break
            shown[changed] = 0
            changed -= 1


def choices(tables, ranks, state, rolls, tops, column, width, expected):
    """Return what every roll of a pool is played for, in the order of `walk`: places after and gains, [roll, column]."""
    flat, room, better = _buffers(tables, ranks, state, column, width)
    after, gains = np.empty((2, int(np.prod(rolls)), width), np.int32)
    _choices(
        flat, room, state.subs, state.counts, rolls, tops, state.wider, column, width, expected, better, after, gains
    )
    return after, gains


# Games by chance.


@inner
def _throw(state, sides):
    """Return a face, from 0 on, out of a generator's state (splitmix64); none of six is likelier by more than 1e-9."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((((z ^ (z >> np.uint64(31))) >> np.uint64(32)) * np.uint64(sides)) >> np.uint64(32))


@inner
def _list_keeps(left, tops, strides, gained, moved, kept):
    """List every way to keep dice of the kinds but the first, in counting order: gain, places moved, dice; count them."""
    gained[0], moved[0], kept[0] = 0, 0, 0
    count = 1
    for k in range(1, left.size):
        for way in range(count - 1, -1, -1):  # from the last on: a way's place is read before it is written
            at = way * (left[k] + 1)
            gain, step, dice = gained[way], moved[way], kept[way]
            for j in range(left[k], -1, -1):
                gained[at + j], moved[at + j], kept[at + j] = gain + tops[k, j], step + j * strides[k], dice + j
        count *= left[k] + 1
    return count


@njit
def play(values, expected, caps, sides, gains, strides, counts, least, limit, most, to_win, wanted, seed):
    """Play one game for each target gain in `wanted` (-1: first to play), keeping what has the highest value.

    `values[0, place, gain]` are the first player's, `values[1, place, gain - target gain + most]` the second's; without
    `to_win` the expected gain to come, by place, decides alone. `caps` is the most gain that a place can still make.
    At least `least` dice are kept of a roll, or all; after `limit` rolls all are kept, where it is not 0.
    """
    state = np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
    kinds = counts.size
    made = np.empty(wanted.size, np.int64)
    left = np.empty(kinds, np.int64)
    tops = np.zeros((kinds, counts.max() + 1), np.int64)
    ways = 1
    for k in range(1, kinds):
        ways *= counts[k] + 1
    gained, moved, kept = np.empty(ways, np.int64), np.empty(ways, np.int64), np.empty(ways, np.int64)
    for game in range(wanted.size):
        seat = 1 if wanted[game] >= 0 else 0
        from_ = most - wanted[game] if seat else 0
        total = 0
        dice = 0
        rolls = limit
        for k in range(kinds):
            left[k] = counts[k]
            dice += counts[k]
        while dice > 0:
            rolls -= 1
            need = dice if rolls == 0 else min(least, dice)
            pool = max(rolls, 0)
            for k in range(kinds):
                pool += left[k] * strides[k]
                # tops[k, j]: gain of the best j dice, sorted in as they fall.
                for i in range(left[k]):
                    state += np.uint64(0x9E3779B97F4A7C15)
                    gain = gains[k, _throw(state, sides[k])]
                    place = i
                    while place > 0 and tops[k, place] < gain:
                        tops[k, place + 1] = tops[k, place]
                        place -= 1
                    tops[k, place + 1] = gain
                for i in range(1, left[k] + 1):
                    tops[k, i] += tops[k, i - 1]
            # Every way to keep dice, in counting order: of equal ones with as few dice, later ones keep more small dice.
            listed = _list_keeps(left, tops, strides, gained, moved, kept)
            top_value = -np.inf
            top_more = -np.inf
            fewest = 0
            best, best_way = 0, 0
            for first in range(left[0] + 1):
                for way in range(listed):
                    number = first + kept[way]
                    if number < need:
                        continue
                    gain = tops[0, first] + gained[way]
                    there = 0 if number == dice else pool - first * strides[0] - moved[way]
                    over = total + gain + from_
                    if not to_win:
                        value = expected[there] + gain
                    elif seat == 0:
                        value = values[0, there, over]
                    else:
                        value = 1.0 if over > most else 0.0 if over < most - caps[there] else values[1, there, over]
                    by = value - top_value
                    if by < -TIED:
                        continue
                    more = expected[there] + gain
                    if by <= TIED:
                        by = more - top_more
                        if by < -TIED or (by <= TIED and number > fewest):
                            continue
                    top_value = value
                    top_more = more
                    fewest = number
                    best, best_way = first, way
            total += tops[0, best] + gained[best_way]
            dice -= fewest
            left[0] -= best
            for k in range(kinds - 1, 0, -1):
                size = left[k] + 1
                left[k] -= best_way % size
                best_way //= size
        made[game] = total
    return made
