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
other. The first three choose, as the rule for ties says (see `ranking`); the others go where the choice goes:

    layer 0    worth of the position, what the policy maximises
    layer 1    expected final gain, for moves of equal worth
    layer 2    rank of the keep: fewer dice first, then more of the smaller kinds; lower is preferred
    layer 3    with `ceiling`: a second worth whose plain maximum over all moves is wanted
    layer ...  reported

Row r of a stack over the kinds from k on begins at layers * (r * width + wider[k, r]).
"""

from __future__ import annotations

import numpy as np

from ..jit import inner, njit
from ..ties import DISAGREE, TIED

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
def _number(stacks, count, table, tolerance):
    """Find row `count` of the stacks among the rows before it; return the (first) equal row's number and the key.

    The hash takes the leading bits of each entry, so that noise in the last ones seldom matters; what it finds is
    compared in full.
    """
    new = stacks[count]
    size = new.size - 1
    bits = new.view(np.uint64)
    total = np.uint64(0)
    for i in range(size):
        total += bits[i] >> np.uint64(16)
    key = np.int64(total) * np.int64(0x9E3779B97F4A7C15 - (1 << 64))
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


@inner
def _choose(old, old_wide, new, new_wide, out, wide, layers, ceiling, better):
    """Set the row `out` to the better of two rows, entry by entry; return in how many places anything changed.

    `old_wide` and `new_wide` are the distances between the layers of each row; `new` is already shifted.
    """
    changed = 0
    for i in range(wide):
        by = new[i] - old[i]
        more = new[new_wide + i] - old[old_wide + i]
        rank = new[2 * new_wide + i] - old[2 * old_wide + i]
        better[i] = (by > TIED) | ((by >= -TIED) & ((more > TIED) | ((more >= -TIED) & (rank < 0.0))))
        changed += better[i]
    for layer in range(layers):
        x = old[layer * old_wide : layer * old_wide + wide]
        y = new[layer * new_wide : layer * new_wide + wide]
        z = out[layer * wide : layer * wide + wide]
        if ceiling and layer == 3:
            for i in range(wide):
                changed += y[i] > x[i]
                z[i] = max(x[i], y[i])
        else:
            for i in range(wide):
                z[i] = y[i] if better[i] else x[i]
    return changed


@njit
def fold_kind(parents, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance, layers, ceiling, better):
    """Fold kind k, of several dice, into every stack over the kinds from k on; return the distinct folded stacks.

    `chances[k, f, c]` is P(face f)^c, `tails[k, f, r]` the chance that r dice show face f or worse, `ways[r, c]` is
    r over c. `better` is room for the choices of a policy; None is the plain maximum, of one layer.
    """
    n = counts[k]
    rests = np.int64(1)
    for later in range(k + 1, counts.size):
        rests *= counts[later] + 1
    size = layers * (rests * width + wider[k + 1, rests])
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
                    scratch = stacks[count]
                    previous = stacks[chain[c - 1]] if c > 0 else scratch
                    kept = n - left + c
                    shift = gain + c * gains[k, f]
                    changed = 0
                    for rest in range(rests):
                        wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
                        a = layers * (rest * width + wider[k + 1, rest])
                        row = kept * rests + rest
                        row_wide = width + wider[k, row + 1] - wider[k, row]
                        s = layers * (row * width + wider[k, row])
                        if c == 0:
                            for layer in range(layers):
                                _copy(
                                    rows[s + layer * row_wide : s + layer * row_wide + wide],
                                    scratch[a + layer * wide : a + (layer + 1) * wide],
                                )
                            changed = 1
                        elif better is None:
                            # Most candidates raise nothing: look first, write when it is known that they do.
                            old, new = previous[a : a + wide], rows[s + shift : s + shift + wide]
                            for i in range(wide):
                                changed += new[i] > old[i] + tolerance
                            if changed > 0:
                                break
                        else:
                            changed += _choose(
                                previous[a : a + layers * wide], wide, rows[s + shift : s + layers * row_wide], row_wide,
                                scratch[a : a + layers * wide], wide, layers, ceiling, better,
                            )  # fmt: skip
                    if better is None and c > 0 and changed > 0:
                        for rest in range(rests):
                            wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
                            a = rest * width + wider[k + 1, rest]
                            s = (kept * rests + rest) * width + wider[k, kept * rests + rest] + shift
                            old, new, out = previous[a : a + wide], rows[s : s + wide], scratch[a : a + wide]
                            for i in range(wide):
                                out[i] = max(old[i], new[i])
                    if changed == 0:
                        chain[c] = chain[c - 1]
                        continue
                    chain[c], key = _number(stacks, count, table, tolerance)
                    if chain[c] == count:
                        stacks[count, size] = 0.0
                        table = _enter(table, key, count, one)
                        count += 1
                        stacks = _room(stacks, count)
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
    """Copy the rows after every keep into one stack.

    Keeping nothing, or fewer dice than must be kept, is no move: such keeps lead to the place itself, their rows are minus
    infinity.
    """
    size = subs.size * width + wider[0, subs.size]
    stack = np.empty((1, size + 1))
    for row in range(subs.size):
        a, b = row * width + wider[0, row], (row + 1) * width + wider[0, row + 1]
        if subs[row] == subs[0]:
            for i in range(a, b):
                stack[0, i] = -np.inf
        else:
            _copy(rows[subs[row], column : column + b - a], stack[0, a:b])
    stack[0, size] = 1.0
    return stack


@inner
def _add_single(stack, one, gains, chances, faces, chance, total):
    """Add to total[b] the average over one die's faces of max(stack[b], stack[one + b + gain of the face]), times chance."""
    width = total.size
    none = stack[:width]
    f = 0
    while f + 4 <= faces:
        # Four faces at a time: the total is read and written a fourth as often.
        y0 = stack[one + gains[f] : one + gains[f] + width]
        y1 = stack[one + gains[f + 1] : one + gains[f + 1] + width]
        y2 = stack[one + gains[f + 2] : one + gains[f + 2] + width]
        y3 = stack[one + gains[f + 3] : one + gains[f + 3] + width]
        p0, p1 = chance * chances[f, 1], chance * chances[f + 1, 1]
        p2, p3 = chance * chances[f + 2, 1], chance * chances[f + 3, 1]
        for i in range(width):
            x = none[i]
            total[i] += (p0 * max(x, y0[i]) + p1 * max(x, y1[i])) + (p2 * max(x, y2[i]) + p3 * max(x, y3[i]))
        f += 4
    while f < faces:
        y = stack[one + gains[f] : one + gains[f] + width]
        p = chance * chances[f, 1]
        for i in range(width):
            total[i] += p * max(none[i], y[i])
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
    for i in range(stacks.shape[0]):
        _copy(stacks[i], buffers[first])
        for b in range(width):
            mean[b] = 0.0
        changed = first
        while changed >= first:
            # Every die but the last shows a face: fold those from the first one that changed.
            chance = 1.0
            for k in range(first, last):
                chance *= chances[k, shown[k], 1]
                if k < changed:
                    continue
                rests = 1 << (last - k)
                before, after = buffers[k], buffers[k + 1]
                for rest in range(rests):
                    a = rest * width + wider[k + 1, rest]
                    wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
                    none = rest * width + wider[k, rest]
                    one = (rests + rest) * width + wider[k, rests + rest] + gains[k, shown[k]]
                    out, old, new = after[a : a + wide], before[none : none + wide], before[one : one + wide]
                    for b in range(wide):
                        out[b] = max(old[b], new[b])
            _add_single(buffers[last], width, gains[last], chances[last], faces[last], chance, mean)
            changed = last - 1
            while changed >= first:
                shown[changed] += 1
                if shown[changed] < faces[changed]:
                    break
                shown[changed] = 0
                changed -= 1
        _add(total, carry, mean, stacks[i, stacks.shape[1] - 1])


@njit
def fold_pool(rows, subs, several, counts, faces, gains, chances, tails, ways, wider, column, width, tolerance, least, most):
    """Return the row of a pool, `width` entries from `column` on, and the number of distinct stacks it took.

    `subs` are the places after every keep, in the order of a stack's rows. Equal stacks are merged after the first
    `several` kinds; the rest are single dice. Rounding does not lead out of the range from `least` to `most`.
    """
    stacks = gather(rows, subs, wider, column, width)
    total = np.zeros(width)
    carry = np.zeros(width)
    k, one = np.int64(0), np.int64(1)
    if several > 0:
        stacks = fold_kind(stacks, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance, one, False, None)
    for a in range(0, stacks.shape[0], CHUNK):
        part = stacks[a : a + CHUNK]
        for k in range(1, several):
            part = fold_kind(part, k, counts, faces, gains, chances, tails, ways, wider, width, tolerance, one, False, None)
        part_total = np.zeros(width)
        sum_singles(part, several, faces, gains, chances, wider, width, part_total, np.zeros(width))
        _add(total, carry, part_total, 1.0)
    for b in range(width):
        total[b] = min(max(total[b], least), most)
    return total, stacks.shape[0]


# A policy in place of the maximum.


@njit
def gather_layers(tables, ranks, subs, wider, column, width):
    """Copy the rows after every keep into one stack; a keep that is no move is worth minus infinity (see `gather`).

    `tables` are the layers other than the rank, [layer, place, column]; `ranks` are by row.
    """
    layers = tables.shape[0] + 1
    size = layers * (subs.size * width + wider[0, subs.size])
    stack = np.empty((1, size + 1))
    for row in range(subs.size):
        wide = width + wider[0, row + 1] - wider[0, row]
        a = layers * (row * width + wider[0, row])
        for layer in range(layers):
            table = layer - (layer > 2)
            for i in range(wide):
                if layer == 2:
                    stack[0, a + layer * wide + i] = ranks[row]
                elif subs[row] == subs[0]:
                    stack[0, a + layer * wide + i] = -np.inf
                else:
                    stack[0, a + layer * wide + i] = tables[table, subs[row], column + i]
    stack[0, size] = 1.0
    return stack


@inner
def _fold_single(stack, k, gain, wider, width, rests, layers, ceiling, out, better):
    """Fold one die of kind k that shows a face of this gain into a stack."""
    for rest in range(rests):
        wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
        a = layers * (rest * width + wider[k + 1, rest])
        none = layers * (rest * width + wider[k, rest])
        none_wide = width + wider[k, rest + 1] - wider[k, rest]
        one = layers * ((rests + rest) * width + wider[k, rests + rest])
        one_wide = width + wider[k, rests + rest + 1] - wider[k, rests + rest]
        _choose(
            stack[none : none + layers * none_wide], none_wide, stack[one + gain : one + layers * one_wide], one_wide,
            out[a : a + layers * wide], wide, layers, ceiling, better,
        )  # fmt: skip


@njit
def follow(
    tables, ranks, subs, several, counts, faces, gains, chances, tails, ways, wider, column, width, ceiling, expected, mass
):
    """Play every roll of a pool by the policy, all columns at once; return what it leads to.

    Returned are the means of the reported layers [report, column]; with `ceiling` two rows more, the chance that the
    choice falls short of the ceiling by more than DISAGREE and the mean shortfall; and, if `mass` is not empty, where the
    mass of each column goes: [row of the stack, column].
    """
    layers = tables.shape[0] + 1
    stacks = gather_layers(tables, ranks, subs, wider, column, width)
    better = np.empty(stacks.shape[1], np.bool_)
    for k in range(several):
        stacks = fold_kind(stacks, k, counts, faces, gains, chances, tails, ways, wider, width, 0.0, layers, ceiling, better)
    reports = layers - 3
    total = np.zeros((reports + 1, width))
    carry = np.zeros((reports + 1, width))
    part = np.zeros((reports + 1, width))
    flow = np.zeros((subs.size if mass.size else 1, tables.shape[2] if mass.size else 1))
    flow_carry = np.zeros(flow.shape)
    last = faces.size - 1
    buffers = np.empty((faces.size + 1, stacks.shape[1]))
    shown = np.zeros(faces.size + 1, np.int64)
    for i in range(stacks.shape[0]):
        weight = stacks[i, stacks.shape[1] - 1]
        _copy(stacks[i], buffers[several])
        for r in range(reports + 1):
            for b in range(width):
                part[r, b] = 0.0
        changed = several
        while changed >= several:
            chance = 1.0
            for k in range(several, last + 1):
                chance *= chances[k, shown[k], 1]
                if k >= changed:
                    _fold_single(
                        buffers[k], k, gains[k, shown[k]], wider, width, 1 << (last - k), layers, ceiling,
                        buffers[k + 1], better,
                    )  # fmt: skip
            end = buffers[last + 1]
            for r in range(reports):
                for b in range(width):
                    part[r, b] += chance * end[(3 + r) * width + b]
            if ceiling:
                # The ceiling is the first report, what the choice is worth by the same measure the second.
                for b in range(width):
                    part[reports, b] += chance * (end[3 * width + b] - end[4 * width + b] > DISAGREE)
            if mass.size:
                for b in range(width):
                    # The rank says which row was chosen; the expected gain then says with which faces.
                    row = np.int64(end[2 * width + b]) % subs.size
                    gain = np.int64(np.rint(end[width + b] - expected[row])) - column - b
                    to = column + b + gain
                    y = mass[b] * weight * chance - flow_carry[row, to]
                    t = flow[row, to] + y
                    flow_carry[row, to] = (t - flow[row, to]) - y
                    flow[row, to] = t
            changed = last
            while changed >= several:
                shown[changed] += 1
                if shown[changed] < faces[changed]:
                    break
                shown[changed] = 0
                changed -= 1
        for r in range(reports + 1):
            _add(total[r], carry[r], part[r], weight)
    return total, flow


@inner
def _show(stack, k, counts, top, wider, width, layers, ceiling, folded, better):
    """Fold one whole roll of kind k, whose best j dice gain top[j], into a stack."""
    rests = 1
    for later in range(k + 1, counts.size):
        rests *= counts[later] + 1
    for rest in range(rests):
        wide = width + wider[k + 1, rest + 1] - wider[k + 1, rest]
        a = layers * (rest * width + wider[k + 1, rest])
        out = folded[a : a + layers * wide]
        s = layers * (rest * width + wider[k, rest])
        row_wide = width + wider[k, rest + 1] - wider[k, rest]
        for layer in range(layers):
            _copy(stack[s + layer * row_wide : s + layer * row_wide + wide], out[layer * wide : (layer + 1) * wide])
        for j in range(1, counts[k] + 1):
            row = j * rests + rest
            row_wide = width + wider[k, row + 1] - wider[k, row]
            s = layers * (row * width + wider[k, row])
            shift = top[j]
            _choose(out, wide, stack[s + shift : s + layers * row_wide], row_wide, out, wide, layers, ceiling, better)


@njit
def walk(tables, ranks, subs, counts, rolls, tops, weights, wider, column, width, mass, least, capacity, skip):
    """List the single rolls of a pool whose choice falls short of the ceiling, by chance times shortfall above `least`.

    `tables` are as in `follow` with a ceiling and one report. Kind k shows one of `rolls[k]` rolls, of chance
    weights[k, r], whose best j dice gain tops[k, r, j]. Of the rolls found, which are counted, the first `capacity` after
    `skip` are returned: their columns, the number of the roll of each kind, and chance times shortfall.
    """
    layers = 5
    kinds = counts.size
    stack = gather_layers(tables, ranks, subs, wider, column, width)
    buffers = np.empty((kinds + 1, stack.shape[1]))
    better = np.empty(stack.shape[1], np.bool_)
    _copy(stack[0], buffers[0])
    shown = np.zeros(kinds, np.int64)
    found = np.int64(0)
    columns = np.empty(capacity, np.int64)
    numbers = np.empty((capacity, kinds), np.int64)
    costs = np.empty(capacity)
    changed = 0
    while changed >= 0:
        chance = 1.0
        for k in range(kinds):
            chance *= weights[k, shown[k]]
            if k >= changed:
                _show(buffers[k], k, counts, tops[k, shown[k]], wider, width, layers, True, buffers[k + 1], better)
        end = buffers[kinds]
        for b in range(width):
            short = end[3 * width + b] - end[4 * width + b]
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
    listed = max(0, min(capacity, found - skip))
    return found, columns[:listed], numbers[:listed], costs[:listed]


@njit
def choices(tables, ranks, subs, counts, rolls, tops, wider, column, width, expected):
    """Return what every roll of a pool is played for, in the order of `walk`: places after and gains, [roll, column]."""
    layers = 3
    kinds = counts.size
    stack = gather_layers(tables, ranks, subs, wider, column, width)
    buffers = np.empty((kinds + 1, stack.shape[1]))
    better = np.empty(stack.shape[1], np.bool_)
    _copy(stack[0], buffers[0])
    shown = np.zeros(kinds, np.int64)
    count = 1
    for k in range(kinds):
        count *= rolls[k]
    after = np.empty((count, width), np.int32)
    gains = np.empty((count, width), np.int32)
    changed = 0
    for roll in range(count):
        for k in range(changed, kinds):
            _show(buffers[k], k, counts, tops[k, shown[k]], wider, width, layers, False, buffers[k + 1], better)
        end = buffers[kinds]
        for b in range(width):
            row = np.int64(end[2 * width + b]) % subs.size
            after[roll, b] = subs[row]
            gains[roll, b] = np.int64(np.rint(end[width + b] - expected[row])) - column - b
        changed = kinds - 1
        while changed >= 0:
            shown[changed] += 1
            if shown[changed] < rolls[changed]:
                break
            shown[changed] = 0
            changed -= 1
    return after, gains


@njit
def play(values, expected, caps, sides, gains, strides, counts, least, limit, most, to_win, wanted, seed):
    """Play one game for each target gain in `wanted` (-1: first to play), keeping what has the highest value.

    `values[0, place, gain]` are the first player's, `values[1, place, gain - target gain + most]` the second's; without
    `to_win` the expected gain to come, by place, decides alone. `caps` is the most gain that a place can still make.
    At least `least` dice are kept of a roll, or all; after `limit` rolls all are kept, where it is not 0.
    """
    np.random.seed(seed)
    kinds = counts.size
    made = np.empty(wanted.size, np.int64)
    left = np.empty(kinds, np.int64)
    kept = np.empty(kinds, np.int64)
    best = np.empty(kinds, np.int64)
    most_dice = counts.max() + 1
    tops = np.zeros((kinds, most_dice), np.int64)
    for game in range(wanted.size):
        seat = 1 if wanted[game] >= 0 else 0
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
                    gain = gains[k, np.random.randint(sides[k])]
                    place = i
                    while place > 0 and tops[k, place] < gain:
                        tops[k, place + 1] = tops[k, place]
                        place -= 1
                    tops[k, place + 1] = gain
                for i in range(1, left[k] + 1):
                    tops[k, i] += tops[k, i - 1]
                kept[k] = 0
            # Every way to keep dice, in counting order: of equal ones with as few dice, later ones keep more small dice.
            top_value = -np.inf
            top_more = -np.inf
            fewest = 0
            gain = 0
            after = pool
            number = 0
            while True:
                k = kinds - 1
                while k >= 0 and kept[k] == left[k]:
                    gain -= tops[k, kept[k]]
                    after += kept[k] * strides[k]
                    number -= kept[k]
                    kept[k] = 0
                    k -= 1
                if k < 0:
                    break
                gain += tops[k, kept[k] + 1] - tops[k, kept[k]]
                after -= strides[k]
                number += 1
                kept[k] += 1
                if number < need:
                    continue
                there = 0 if number == dice else after
                more = expected[there] + gain
                value = more
                if to_win:
                    over = total + gain
                    if seat == 0:
                        value = values[0, there, over]
                    else:
                        over -= wanted[game]
                        value = 1.0 if over > 0 else 0.0 if over < -caps[there] else values[1, there, over + most]
                by = value - top_value
                if by < -TIED:
                    continue
                if by <= TIED:
                    by = more - top_more
                    if by < -TIED or (by <= TIED and number > fewest):
                        continue
                top_value = value
                top_more = more
                fewest = number
                for k in range(kinds):
                    best[k] = kept[k]
            for k in range(kinds):
                total += tops[k, best[k]]
                left[k] -= best[k]
                dice -= best[k]
        made[game] = total
    return made
