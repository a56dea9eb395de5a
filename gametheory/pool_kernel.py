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
of 12d6 leave some tens or hundreds of distinct stacks. Single dice come last, face by face, on each distinct stack.

Stacks are summed in chunks of fixed size, the chunks added in order, with compensation: the same bits every time.
"""

# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=False
# ruff: noqa: ANN001, ANN201, ANN202
from __future__ import annotations

import numpy as np

from .jit import inner, njit

CHUNK = 128
"""How many distinct stacks of the first kind are summed as one part."""


@inner
def _find(table, key, generation):
    """Return where a key stands in an open hash table of (key, number, generation), or the free row where it belongs."""
    mask = table.shape[0] - 1
    row = (key ^ (key >> 32) ^ (key >> 15)) & mask
    while table[row, 2] == generation and table[row, 0] != key:
        row = (row + 1) & mask
    return row


@inner
def _enter(table, key, number, generation):
    """Enter a new key as number `number` (from 0); return the table, doubled if that made it half full."""
    row = _find(table, key, generation)
    table[row, 0] = key
    table[row, 1] = number
    table[row, 2] = generation
    if 2 * number < table.shape[0]:
        return table
    larger = np.zeros((2 * table.shape[0], 3), np.int64)
    for old in range(table.shape[0]):
        if table[old, 2] == generation:
            new = _find(larger, table[old, 0], generation)
            for i in range(3):
                larger[new, i] = table[old, i]
    return larger


@inner
def _copy(source, target):
    """Copy a row; compiles far faster than an assignment to a slice."""
    for i in range(target.size):
        target[i] = source[i]


@inner
def _room(array, count):
    """Return the array, or a copy twice as long if it holds no more than `count` rows."""
    if count < array.shape[0]:
        return array
    larger = np.empty((2 * array.shape[0], array.shape[1]))
    for row in range(array.shape[0]):
        _copy(array[row], larger[row])
    return larger


@inner
def _raise_row(out, old, new, tolerance):
    """Set out = max(old, new); return in how many places new is above old by more than the tolerance."""
    raised = 0
    for i in range(out.size):
        x = old[i]
        y = new[i]
        out[i] = (y if y > x else x) + 0.0
        raised += y > x + tolerance
    return raised


@inner
def _number(stacks, count, table, tolerance):
    """Find row `count` of the stacks among the rows before it; return the (first) equal row's number and the key.

    The hash takes the leading bits of each entry, so that noise in the last ones seldom matters; what it finds is
    compared in full.
    """
    new = stacks[count]
    size = new.size - 1
    bits = new.view(np.int64)
    key = np.int64(0)
    salt = np.int64(0x9E3779B97F4A7C15 - (1 << 64))
    for i in range(size):
        key += (bits[i] >> 16) * (salt + 2 * i * i * i)
    one = np.int64(1)
    while True:
        row = _find(table, key, one)
        if table[row, 2] != 1:
            return count, key
        known = stacks[table[row, 1]]
        apart = 0
        for i in range(size):
            apart += abs(known[i] - new[i]) > tolerance
        if apart == 0:
            return table[row, 1], key
        key += 1


@njit
def fold_kind(parents, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance):
    """Fold kind k, of several dice, into every stack over the kinds from k on; return the distinct folded stacks.

    Row r of a stack over the kinds from k on begins at r * width + wider[k, r]. `chances[k, f, c]` is P(face f)^c,
    `tails[k, f, r]` the chance that r dice show face f or worse, `ways[r, c]` is r over c.
    """
    n = counts[k]
    rests = np.int64(1)
    for later in range(k + 1, counts.size):
        rests *= counts[later] + 1
    size = rests * width + wider[k + 1, rests]
    stacks = np.empty((4 * parents.shape[0] + 4 * n, size + 1))
    count = np.int64(0)
    table = np.zeros((256, 3), np.int64)
    nodes = np.empty((64, 4))  # dice still to place, gain, stack, weight
    new_nodes = np.empty((64, 4))
    merged = np.zeros((256, 3), np.int64)
    generation = np.int64(0)
    one = np.int64(1)
    chain = np.empty(n + 1, np.int64)
    for parent in range(parents.shape[0]):
        rows = parents[parent]
        nodes[0, 0] = n
        nodes[0, 1] = 0
        nodes[0, 3] = rows[rows.size - 1]
        live = 1
        for f in range(faces[k]):
            new_live = np.int64(0)
            generation += 1
            for node in range(live):
                left = np.int64(nodes[node, 0])
                gain = np.int64(nodes[node, 1])
                weight = nodes[node, 3]
                # chain[c]: the folded stack once c more dice show this face; before the first face nothing is folded.
                chain[0] = np.int64(nodes[node, 2])
                for c in range(f > 0, left + 1):
                    stacks = _room(stacks, count)
                    scratch = stacks[count]
                    raised = 0
                    kept = n - left + c
                    shift = gain + c * gains[k, f]
                    for rest in range(rests):
                        a = rest * width + wider[k + 1, rest]
                        b = (rest + 1) * width + wider[k + 1, rest + 1]
                        s = (kept * rests + rest) * width + wider[k, kept * rests + rest] + shift
                        new = rows[s : s + b - a]
                        if c == 0:
                            _copy(new, scratch[a:b])
                            raised = 1
                        else:
                            raised += _raise_row(scratch[a:b], stacks[chain[c - 1], a:b], new, tolerance)
                    if raised == 0:
                        chain[c] = chain[c - 1]
                        continue
                    chain[c], key = _number(stacks, count, table, tolerance)
                    if chain[c] == count:
                        stacks[count, size] = 0.0
                        table = _enter(table, key, count, one)
                        count += 1
                if chain[left] == chain[0] or f == faces[k] - 1:
                    stacks[chain[left], size] += weight * tails[k, f, left]
                    continue
                for c in range(left + 1):
                    chance = weight * ways[left, c] * chances[k, f, c]
                    if c == left:
                        stacks[chain[c], size] += chance
                        continue
                    shift = gain + c * gains[k, f]
                    key = ((left - c) << 56) | (shift << 36) | chain[c]
                    row = _find(merged, key, generation)
                    if merged[row, 2] == generation:
                        new_nodes[merged[row, 1], 3] += chance
                        continue
                    new_nodes = _room(new_nodes, new_live)
                    new_nodes[new_live, 0] = left - c
                    new_nodes[new_live, 1] = shift
                    new_nodes[new_live, 2] = chain[c]
                    new_nodes[new_live, 3] = chance
                    merged = _enter(merged, key, new_live, generation)
                    new_live += 1
            nodes, new_nodes = new_nodes, nodes
            live = new_live
    # Stacks that were only passed through on the way have no weight.
    ended = 0
    for i in range(count):
        if stacks[i, size] > 0.0:
            _copy(stacks[i], stacks[ended])
            ended += 1
    return stacks[:ended]


@inner
def _add(total, carry, row, weight):
    """Add weight * row to a running total, carrying the rounding error along (Kahan)."""
    for i in range(total.size):
        y = weight * row[i] - carry[i]
        t = total[i] + y
        carry[i] = (t - total[i]) - y
        total[i] = t


@njit
def gather(rows, subs, wider, column, width):
    """Copy the rows of every sub-pool into one stack; keeping nothing is no move, so that row is minus infinity."""
    size = subs.size * width + wider[0, subs.size]
    stack = np.empty((1, size + 1))
    for i in range(width):
        stack[0, i] = -np.inf
    for row in range(1, subs.size):
        a, b = row * width + wider[0, row], (row + 1) * width + wider[0, row + 1]
        _copy(rows[subs[row], column : column + b - a], stack[0, a:b])
    stack[0, size] = 1.0
    return stack


@inner
def _mean_single(stack, one, gains, chances, faces, mean):
    """Set mean[b] to the average over one die's faces of max(stack[b], stack[one + b + gain of the face])."""
    width = mean.size
    none = stack[:width]
    for i in range(width):
        mean[i] = 0.0
    f = 0
    while f + 4 <= faces:
        y0 = stack[one + gains[f] : one + gains[f] + width]
        y1 = stack[one + gains[f + 1] : one + gains[f + 1] + width]
        y2 = stack[one + gains[f + 2] : one + gains[f + 2] + width]
        y3 = stack[one + gains[f + 3] : one + gains[f + 3] + width]
        p0, p1, p2, p3 = chances[f, 1], chances[f + 1, 1], chances[f + 2, 1], chances[f + 3, 1]
        for i in range(width):
            x = none[i]
            mean[i] += (
                (p0 * max(x, y0[i]) + p1 * max(x, y1[i])) + (p2 * max(x, y2[i]) + p3 * max(x, y3[i]))
            )
        f += 4
    while f < faces:
        y = stack[one + gains[f] : one + gains[f] + width]
        p = chances[f, 1]
        for i in range(width):
            mean[i] += p * max(none[i], y[i])
        f += 1


@njit
def sum_singles(stacks, first, faces, gains, chances, wider, width, total, carry):
    """Fold the kinds from `first` on, one die each, into every stack; add the results by weight to the total."""
    last = faces.size - 1
    if first > last:
        for i in range(stacks.shape[0]):
            _add(total, carry, stacks[i], stacks[i, width])
        return
    buffers = np.empty((faces.size, stacks.shape[1]))
    shown = np.zeros(faces.size, np.int64)
    mean = np.empty(width)
    sum_of_means = np.empty(width)
    for i in range(stacks.shape[0]):
        _copy(stacks[i], buffers[first])
        for b in range(width):
            sum_of_means[b] = 0.0
        changed = first
        while changed >= first:
            # Every die but the last shows a face: fold those from the first one that changed.
            chance = 1.0
            for k in range(first, last):
                chance *= chances[k, shown[k], 1]
                if k < changed:
                    continue
                rests = 1 << (last - k)
                for rest in range(rests):
                    a = rest * width + wider[k + 1, rest]
                    b = (rest + 1) * width + wider[k + 1, rest + 1]
                    none = rest * width + wider[k, rest]
                    one = (rests + rest) * width + wider[k, rests + rest] + gains[k, shown[k]]
                    _raise_row(buffers[k + 1, a:b], buffers[k, none : none + b - a], buffers[k, one : one + b - a], 0.0)
            _mean_single(buffers[last], width, gains[last], chances[last], faces[last], mean)
            for b in range(width):
                sum_of_means[b] += chance * mean[b]
            changed = last - 1
            while changed >= first:
                shown[changed] += 1
                if shown[changed] < faces[changed]:
                    break
                shown[changed] = 0
                changed -= 1
        _add(total, carry, sum_of_means, stacks[i, stacks.shape[1] - 1])


@njit
def fold_pool(rows, subs, several, counts, faces, gains, chances, tails, ways, wider, column, width, tolerance):
    """Return the row of a pool, `width` entries from `column` on, and the number of distinct stacks it took.

    `subs` are the sub-pools, in the order of a stack's rows; the first `several` kinds are of several dice.
    """
    stacks = gather(rows, subs, wider, column, width)
    total = np.zeros(width)
    carry = np.zeros(width)
    k = np.int64(0)
    if several > 0:
        stacks = fold_kind(stacks, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance)
    for a in range(0, stacks.shape[0], CHUNK):
        part = stacks[a : a + CHUNK]
        for k in range(1, several):
            part = fold_kind(part, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance)
        part_total = np.zeros(width)
        sum_singles(part, several, faces, gains, chances, wider, width, part_total, np.zeros(width))
        _add(total, carry, part_total, 1.0)
    return total, stacks.shape[0]
