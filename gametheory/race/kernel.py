"""The compiled loops of races; imported only where something is solved or played, as it imports numba.

Everything is counted in units of points. In words that stand for the same everywhere:

    n, dice, left    dice in hand, dice left after a keep;  size = dice of the race + 1
    t, total         the turn total;  to: a total after a keep
    need, least      the total that wins, the least that may be banked;  after + t: the standing that banking t leads to
    exact            whether `need` must be hit: no keep goes past it, and a throw that offers no other is a bust
    fallen           the worth of a turn that costs the whole score, 1 - W(them, crash of me); `crash` its chance
    me, them         standings of the player to move and of the other (i, j where both move in turn)
    lose             the worth of a turn that ends with nothing, 1 - W(them, nothing of me), which mostly is 1 - W(them, me)
    tree, throws     outcome classes as a tree (turn.Throws): node k offers what its parent offers and one option more
    offered          the options of every class or roll r one after the other (turn.Options)
    shift            points * size + dice left: how far the cell of an option stands after that of the total
    cell             total * size + dice left

The recurrences, B being the chance of a bust and p the chance of a class,

    roll(t, n) = B(n) * lose + crash(n) * fallen + sum over classes of p * max over its options of best(t + points, left)
    best(t, n) = max(roll(t, n), bank(t)),  bank(t) = 1 - W(them, after + t)
    slope(t, n) = d best(t, n) / d lose: B(n) + sum of p * slope of the option taken where the dice are thrown, else 0
    x = f(1 - y),  y = g(1 - x)      the two unknowns W(me, them), W(them, me) of a pair, by Newton's method with the slopes
    ends[to] += chance(t, n) * p     along the play of a plan: what a turn banks

A *lane* is one of LANES pairs of standings that are solved side by side in the processor's vector unit. Sums are taken in a
fixed order and no lane looks at another, so that the bits of a result do not hang on the number of threads: the caller hands
out chunks of pairs.

    best, roll       [turn total, dice left, lane]   the chance to win: at its best, and if the dice are thrown
    slope            [turn total, dice left, lane]   how best changes with the worth of a turn that ends with nothing
    bank             [turn total, lane]              the chance to win after banking, -1 where that is not allowed
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, call-arg, import-untyped"
from __future__ import annotations

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from ..jit import inner, njit
from ..ties import DISAGREE, TIED
from .turn import AT_RANDOM, BY_VALUES

LANES = 8
PAST_ALL = 2**62
NOT_ALLOWED = -1.0  # stands for the worth of what may not be done; worths that are a little below 0 bound chances from below


@inner
def _need(standings, me, them):
    """Return the turn total that surely wins for a player at `me`, the other being at `them`."""
    return max(standings.aim[them] - standings.score[me], standings.least[me])


# Solving.
#
# A row is LANES chances and then their LANES slopes. Left to itself the compiler takes such short loops number by
# number, which is five times slower, so the three steps of the inner loop are spelled out as vector instructions.

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


@inner
def _fill_bank(standings, exact, others, me, them, top, bank):
    for lane in range(LANES):
        mover = me[lane]
        least, need, after = standings.least[mover], _need(standings, mover, them[lane]), standings.after[mover]
        for total in range(top):
            if total < least:
                bank[total, lane] = NOT_ALLOWED
            elif total >= need:
                bank[total, lane] = 2.0 * NOT_ALLOWED if exact and total > need else 1.0
            else:
                bank[total, lane] = 1.0 - others[them[lane], after + total]


@inner
def _top(standings, exact, me, them):
    """Return the total from which on nothing need be worked out for any of these players."""
    top = 0
    for k in range(me.size):
        top = max(top, _need(standings, me[k], them[k]))
    return top + 1 if exact else top


@inner
def _aligned_rows(count):
    """Return rows that start on a cache line, so that no vector straddles two."""
    space = np.empty((count + 1) * 2 * LANES)
    skip = (64 - space.ctypes.data % 64) % 64 // 8
    return space[skip : skip + count * 2 * LANES].reshape((count, 2 * LANES))


@inner
def _bust_where_nothing_fits(throws, dice, lose, rows, terms):
    """Make busts of the classes that offer nothing up to an exact goal."""
    count = 1
    for k in range(throws.first[dice], throws.first[dice + 1]):
        weight = throws.weight[k]
        if weight > 0.0:
            for lane in range(LANES):
                if rows[k, lane] <= NOT_ALLOWED:
                    rows[terms + count, lane] = weight * lose[lane]
                    rows[terms + count, LANES + lane] = weight
            count += 1


def _turn_sweep(exact):
    """Return the sweep of one turn with an exact goal or without: a test for it inside would slow every race down."""

    @inner
    def best_turn(throws, bank, lose, fallen, top, rows, ones):
        """Sweep one turn from the highest total down; return the row of the chances to win before the first throw.

        Rows `ones` and after hold the sure wins (or what may not be), all totals from `top` on; the lower totals stand
        before them, one row for each number of dice left. The first rows are the nodes of the tree of options, then come
        the terms of the sum.
        """
        size = throws.bust.size
        terms = throws.parent.size
        for total in range(top - 1, -1, -1):
            here = ones - (top - total) * size
            for lane in range(LANES):
                allowed = bank[total, lane] > 0.5 * NOT_ALLOWED
                rows[here, lane] = bank[total, lane] if allowed else lose[lane]
                rows[here, LANES + lane] = 0.0 if allowed else 1.0
            for dice in range(1, size):
                bust, crash = throws.bust[dice], throws.crash[dice]
                for lane in range(LANES):
                    rows[terms, lane] = bust * lose[lane] + crash * fallen[lane]
                    rows[terms, LANES + lane] = bust
                count = 1
                for k in range(throws.first[dice], throws.first[dice + 1]):
                    at = np.uintp(k)  # unsigned: no test for an index from the end
                    _take_better(rows, here + throws.shift[at], throws.parent[at], k)
                    weight = throws.weight[at]
                    if weight > 0.0:
                        _weigh(rows, terms + count, k, weight)
                        count += 1
                if exact:
                    _bust_where_nothing_fits(throws, dice, lose, rows, terms)
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
            if exact:
                for lane in range(LANES):
                    if bank[total, lane] < NOT_ALLOWED:
                        rows[here : here + size, lane] = NOT_ALLOWED
                        rows[here : here + size, LANES + lane] = 0.0
        return ones - top * size + size - 1

    return best_turn


_sweep_freely, _sweep_exactly = _turn_sweep(False), _turn_sweep(True)


@inner
def _best_turn(throws, bank, lose, fallen, top, rows, ones):
    """Sweep one turn; return the row of the chances to win before the first throw."""
    if throws.exact:
        return _sweep_exactly(throws, bank, lose, fallen, top, rows, ones)
    return _sweep_freely(throws, bank, lose, fallen, top, rows, ones)


@njit
def close_pairs(
    throws, standings, me, them, movers, others, fixed, rest, bust, slack, tolerance, lowest, highest, result
):  # fmt: skip
    """Solve x = f(1 - y), y = g(1 - x) for the pairs of the chunks from lowest to highest, by policy iteration.

    movers[i, j] is the chance of the player of the rows, to move at i against j; others[j, i] of the one against him.
    With `fixed` the other does not choose: y = rest + bust * (1 - x). What is solved for may leave 0 to 1 by `slack`.
    `result` is [pair, (x, y, slope of f, slope of g, residual, rounds)], its first two columns the first guesses.
    """
    size = throws.bust.size
    exact = throws.exact
    most = max(_top(standings, exact, me, them), _top(standings, exact, them, me))
    bank = np.empty((most + 1, LANES))
    ones = 2 * throws.parent.size + most * size
    rows = _aligned_rows(ones + throws.shift.max() + size)
    rows[ones:, :LANES] = NOT_ALLOWED if exact else 1.0
    rows[ones:, LANES:] = 0.0
    rows[0] = NOT_ALLOWED
    x, y, fx, gy, sx, sy = np.empty((6, LANES))
    lose, fallen = np.empty(LANES), np.zeros(LANES)
    crashes = throws.crash.max() > 0.0
    lower, upper = -slack, 1.0 + slack
    i = np.empty(LANES, dtype=np.int64)
    j = np.empty(LANES, dtype=np.int64)
    for chunk in range(lowest, highest):
        for lane in range(LANES):
            pair = min(chunk * LANES + lane, me.size - 1)
            i[lane], j[lane] = me[pair], them[pair]
            x[lane], y[lane] = result[pair, 0], result[pair, 1]
        top_i, top_j = _top(standings, exact, i, j), _top(standings, exact, j, i)
        once = fixed
        if fixed:
            for lane in range(LANES):
                pair = min(chunk * LANES + lane, me.size - 1)
                once = once and bust[pair] == 0.0
        rounds = 0
        while True:
            rounds += 1
            _fill_bank(standings, exact, others, i, j, top_i, bank)
            for lane in range(LANES):
                if once:
                    y[lane] = rest[min(chunk * LANES + lane, me.size - 1)]
                lose[lane] = 1.0 - y[lane]
                if crashes:
                    fallen[lane] = 1.0 - others[j[lane], standings.crash[i[lane]]]
            start = _best_turn(throws, bank, lose, fallen, top_i, rows, ones)
            for lane in range(LANES):
                fx[lane], sx[lane] = rows[start, lane], rows[start, LANES + lane]
            if fixed:
                for lane in range(LANES):
                    pair = min(chunk * LANES + lane, me.size - 1)
                    gy[lane] = rest[pair] + bust[pair] * (1.0 - x[lane])
                    sy[lane] = bust[pair]
                    if once:
                        x[lane] = fx[lane]
            else:
                _fill_bank(standings, exact, movers, j, i, top_j, bank)
                for lane in range(LANES):
                    lose[lane] = 1.0 - x[lane]
                    if crashes:
                        fallen[lane] = 1.0 - movers[i[lane], standings.crash[j[lane]]]
                start = _best_turn(throws, bank, lose, fallen, top_j, rows, ones)
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
                    new = min(max(new, lower), upper)
                    y[lane] = min(max(gy[lane] + sy[lane] * (x[lane] - new), lower), upper)
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


# Playing.
#
# A plan says how a player decides: see turn.Plan. Of all the options of a roll, each banked or thrown on with, the
# highest `first` is taken, ties by the highest `second`, then the fewest dice kept, then banking. A bank that wins is
# always taken. To throw on with no dice left is to end the turn: the total is banked if it may be.


@inner
def _chances(tree, standings, others, me, them, roll, bank, top):
    """Fill roll and bank, both [turn total, dice left], with the chances to win of the player to move."""
    least, need, after = standings.least[me], _need(standings, me, them), standings.after[me]
    lose, fallen = 1.0 - others[them, standings.nothing[me]], 1.0 - others[them, standings.crash[me]]
    size = tree.bust.size
    past = size if tree.exact else PAST_ALL
    node = np.empty(tree.parent.size)
    node[0] = -np.inf
    for total in range(need - 1, -1, -1):
        may = -np.inf if total < least else 1.0 - others[them, after + total]
        for dice in range(size):
            bank[total, dice] = may
        here = total * size
        wins = need * size - here
        roll[total, 0] = top[here] = lose if total < least else may
        for dice in range(1, size):
            sum_ = tree.bust[dice] * lose + tree.crash[dice] * fallen
            for k in range(tree.first[dice], tree.first[dice + 1]):
                at = np.uintp(k)
                shift = tree.shift[at]
                option = 1.0 if shift >= wins else top[here + shift]
                if shift >= wins + past:
                    option = -np.inf
                above = node[tree.parent[at]]
                best = option if option > above else above
                node[at] = best
                if tree.weight[at] > 0.0:
                    sum_ += tree.weight[at] * (best if best > -np.inf else lose)
            roll[total, dice] = sum_
            top[here + dice] = sum_ if sum_ > may else may


@inner
def _rank_cells(need, first_roll, first_bank, top, next_, banks):
    """Fill, for every cell (turn total, dice left), the better of throwing on and banking, the other, and which."""
    size = first_roll.shape[1]
    for total in range(need):
        for left in range(size):
            throw, bank = first_roll[total, left], first_bank[total, left]
            cell = total * size + left
            banks[cell] = bank >= throw
            top[cell] = max(throw, bank)
            next_[cell] = min(throw, bank)


@inner
def _choose(offered, r, total, need, first_roll, first_bank, second_roll, second_bank):
    """Return (option, bank?, the highest `first`, how many moves are tied for it and for `second`).

    The option is -1 where an exact goal allows none, which is a bust.
    """
    won, points = -1, -1
    best = -np.inf
    for o in range(offered.start[r], offered.start[r + 1]):
        to = total + offered.points[o]
        if to > need and offered.exact:
            continue
        if to >= need:
            if offered.points[o] > points:
                won, points = o, offered.points[o]
        elif won < 0:
            best = max(best, first_roll[to, offered.left[o]], first_bank[to, offered.left[o]])
    if won >= 0:
        return won, True, 1.0, 1
    option, bank, second, count = -1, False, -np.inf, 0
    for o in range(offered.start[r], offered.start[r + 1]):
        to, left = total + offered.points[o], offered.left[o]
        if to > need or best == -np.inf:
            continue
        if first_bank[to, left] >= best - TIED:
            if second_bank[to, left] > second + TIED:
                option, bank, second, count = o, True, second_bank[to, left], 0
            if second_bank[to, left] >= second - TIED:
                count += 1
        if first_roll[to, left] >= best - TIED:
            if second_roll[to, left] > second + TIED:
                option, bank, second, count = o, False, second_roll[to, left], 0
            if second_roll[to, left] >= second - TIED:
                count += 1
    return option, bank, best, count


@inner
def _choose_by_tree(tree, dice, here, wins, top, next_, best, second, chosen):
    """Fill, for the nodes of a number of dice, the highest worth and the node whose option has it.

    Infinite where some bank wins, minus infinity where an exact goal allows nothing. Node -1: another move is within TIED of
    it, so that _choose must decide. The cells of the options stand tree.shift after cell `here`, wins from `wins` on.
    """
    past = wins + tree.bust.size if tree.exact else PAST_ALL
    for k in range(tree.first[dice], tree.first[dice + 1]):
        at = np.uintp(k)
        shift, parent = tree.shift[at], tree.parent[at]
        worth = np.inf if shift >= wins else top[here + shift]
        if shift >= past:
            worth = -np.inf
        above = best[parent]
        best[at] = max(worth, above)
        second[at] = max(second[parent], min(worth, above))
        chosen[at] = k if worth > above else chosen[parent]
    for k in range(tree.first[dice], tree.first[dice + 1]):
        at = np.uintp(k)
        if tree.weight[at] > 0.0 and -np.inf < best[at] < np.inf:
            bar = best[at] - TIED
            if second[at] >= bar or next_[here + tree.shift[chosen[at]]] >= bar:
                chosen[at] = -1


@njit
def play_turns(offered, tree, standings, plan, me, them, lowest, highest, ends):
    """Fill ends[pair, t] with the chance that a turn banks t, 0 if it ends with nothing; last columns: crashes, wins.

    For the pairs (me, them) from lowest to highest.
    """
    wins, crashes = ends.shape[1] - 1, ends.shape[1] - 2
    size, nodes = offered.bust.size, tree.parent.size
    most = plan.second_roll.shape[1]
    roll, bank, chance = np.empty((most, size)), np.empty((most, size)), np.empty((most, size))
    top, next_, banks_at = np.empty(most * size), np.empty(most * size), np.empty(most * size, np.bool_)
    best, second, chosen = np.empty(nodes), np.empty(nodes), np.zeros(nodes, np.int64)
    best[0] = second[0] = -np.inf
    for pair in range(lowest, highest):
        mover = me[pair]
        flag = plan.row[mover]
        least, need = standings.least[mover], _need(standings, mover, them[pair])
        if plan.kind == BY_VALUES:
            _chances(tree, standings, plan.others, mover, them[pair], roll, bank, top)
            first_roll, first_bank = roll, bank
        else:
            first_roll, first_bank = plan.first_roll[flag], plan.first_bank[flag]
        second_roll, second_bank = plan.second_roll[flag], plan.second_bank[flag]
        _rank_cells(need, first_roll, first_bank, top, next_, banks_at)
        ends[pair] = 0.0
        chance[:need] = 0.0
        chance[0, size - 1] = 1.0
        for total in range(need):
            cell = total * size
            for dice in range(1, size):
                here = chance[total, dice]
                if here == 0.0:
                    continue
                ends[pair, 0] += here * offered.bust[dice]
                ends[pair, crashes] += here * offered.crash[dice]
                _choose_by_tree(tree, dice, cell, (need - total) * size, top, next_, best, second, chosen)
                for k in range(tree.first[dice], tree.first[dice + 1]):
                    if tree.weight[k] == 0.0:
                        continue
                    weight = here * tree.weight[k]
                    if best[k] == np.inf:
                        ends[pair, wins] += weight
                        continue
                    if best[k] == -np.inf:
                        ends[pair, 0] += weight
                        continue
                    if chosen[k] >= 0:
                        to = cell + tree.shift[chosen[k]]
                        banks = banks_at[to]
                    else:
                        o, banks, _, _ = _choose(
                            offered, tree.outcome[k], total, need, first_roll, first_bank, second_roll, second_bank,
                        )  # fmt: skip
                        to = cell + offered.shift[o]
                    banked, left = to // size, to % size
                    if banks or left == 0:
                        ends[pair, banked if banked >= least else 0] += weight
                    else:
                        chance[banked, left] += weight


@njit
def part_ways(offered, tree, standings, plan, others, me, them, lowest, highest, totals, rows, at_least):
    """Follow a plan through the turns of the pairs and compare its moves with the best ones against `others`.

    totals[pair] becomes, per turn: decisions, disagreements (worse by more than DISAGREE), what all moves cost together,
    disagreements in which the best move throws on and the plan banks, the other way round, and the disagreements at the
    first roll. If there are rows, disagreements with chance * cost at least at_least[pair] are listed: pair, total,
    class, option and bank of the plan, option and bank that are best, chance, both chances to win, and whether another
    move is tied for the plan. Returns how many there are, which may be more than rows has room for.
    """
    size, nodes = offered.bust.size, tree.parent.size
    most = plan.second_roll.shape[1]
    roll, bank, chance = np.empty((most, size)), np.empty((most, size)), np.empty((most, size))
    top, next_, banks_at = np.empty(most * size), np.empty(most * size), np.empty(most * size, np.bool_)
    own_top, own_next, own_banks = np.empty(most * size), np.empty(most * size), np.empty(most * size, np.bool_)
    best, second, chosen = np.empty(nodes), np.empty(nodes), np.zeros(nodes, np.int64)
    own_best, own_chosen = np.empty(nodes), np.zeros(nodes, np.int64)
    best[0] = second[0] = own_best[0] = -np.inf
    count = 0
    for pair in range(lowest, highest):
        mover = me[pair]
        flag = plan.row[mover]
        need = _need(standings, mover, them[pair])
        first_roll, first_bank = plan.first_roll[flag], plan.first_bank[flag]
        second_roll, second_bank = plan.second_roll[flag], plan.second_bank[flag]
        _chances(tree, standings, others, mover, them[pair], roll, bank, top)
        _rank_cells(need, roll, bank, top, next_, banks_at)
        _rank_cells(need, first_roll, first_bank, own_top, own_next, own_banks)
        totals[pair] = 0.0
        chance[:need] = 0.0
        chance[0, size - 1] = 1.0
        for total in range(need):
            cell, wins = total * size, (need - total) * size
            for dice in range(1, size):
                here = chance[total, dice]
                if here == 0.0:
                    continue
                _choose_by_tree(tree, dice, cell, wins, own_top, own_next, own_best, second, own_chosen)
                _choose_by_tree(tree, dice, cell, wins, top, next_, best, second, chosen)
                for k in range(tree.first[dice], tree.first[dice + 1]):
                    if tree.weight[k] == 0.0:
                        continue
                    weight = here * tree.weight[k]
                    if best[k] == -np.inf:
                        continue
                    totals[pair, 0] += weight
                    if best[k] == np.inf:
                        continue
                    ties = 1
                    if own_chosen[k] >= 0:
                        to = cell + tree.shift[own_chosen[k]]
                        banks = own_banks[to]
                    else:
                        o, banks, _, ties = _choose(
                            offered, tree.outcome[k], total, need, first_roll, first_bank, second_roll, second_bank,
                        )  # fmt: skip
                        to = cell + offered.shift[o]
                    banked, left = to // size, to % size
                    got = bank[banked, left] if banks else roll[banked, left]
                    cost = best[k] - got
                    totals[pair, 2] += weight * cost
                    if cost > DISAGREE:
                        if chosen[k] >= 0:
                            best_to = cell + tree.shift[chosen[k]]
                            best_banks = banks_at[best_to]
                        else:
                            best_o, best_banks, _, _ = _choose(
                                offered, tree.outcome[k], total, need, roll, bank, second_roll, second_bank
                            )
                            best_to = cell + offered.shift[best_o]
                        totals[pair, 1] += weight
                        if banks and not best_banks:
                            totals[pair, 3] += weight
                        elif best_banks and not banks:
                            totals[pair, 4] += weight
                        if total == 0:
                            totals[pair, 5] += weight
                        if rows.shape[0] > 0 and weight * cost >= at_least[pair]:
                            if count < rows.shape[0]:
                                rows[count, 0], rows[count, 1], rows[count, 2] = pair, total, tree.outcome[k]
                                rows[count, 3], rows[count, 4] = to - cell, banks
                                rows[count, 5], rows[count, 6] = best_to - cell, best_banks
                                rows[count, 7], rows[count, 8], rows[count, 9] = weight, got, best[k]
                                rows[count, 10] = ties > 1
                            count += 1
                    if not banks and left > 0:
                        chance[banked, left] += weight
    return count


@inner
def _throw(offered, cumulative, dice, chance):
    """Return the roll that a random number from 0 to 1 stands for, -1 for a bust."""
    low, high = offered.first[dice], offered.first[dice + 1]
    last = high
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > chance:
            high = middle
        else:
            low = middle + 1
    return low if low < last else -1


@inner
def _moves_of(offered, o, total, least, need):
    """Return (may bank?, may throw on?) with an option: neither where it goes past an exact goal."""
    to = total + offered.points[o]
    if offered.exact and to > need:
        return 0, 0
    return int(offered.left[o] == 0 or to >= least), int(offered.left[o] > 0)


@inner
def _move_at_random(offered, r, total, least, need, chance):
    """Return (option, bank?): every keep, banked if it may be and thrown on with if it can be, is as likely; -1 for none."""
    legal = 0
    for o in range(offered.start[r], offered.start[r + 1]):
        banking, throwing = _moves_of(offered, o, total, least, need)
        legal += banking + throwing
    pick, last = int(chance * legal), -1
    for o in range(offered.start[r], offered.start[r + 1]):
        banking, throwing = _moves_of(offered, o, total, least, need)
        if pick < banking + throwing:
            return o, pick < banking
        pick -= banking + throwing
        last = o if banking + throwing else last
    return last, True


@njit
def play_games(offered, every, cumulative, most_points, tree, standings, plans, order, states):
    """Play games from the start, one for each random state; return (games won by the first, tied, turns, turns squared).

    The games are taken pair of standings by pair, lowest sum first, and once more from there as long as scores fall: what a
    plan needs to know about a pair is then worked out once for all games that come by, and a move, once chosen, is
    remembered. `order[0]` is the start. `offered` lists of every roll the options of its class, `every` all its keeps.
    """
    count, size = standings.least.size, offered.bust.size
    head = np.full(count * count, -1, np.int64)
    behind = np.arange(-1, states.size - 1)
    side = np.zeros(states.size, np.int8)
    turns = np.zeros(states.size, np.int64)
    head[order[0]] = states.size - 1
    most = plans[0].second_roll.shape[1]
    arrays = np.empty((4, most, size))
    scratch = np.empty(most * size)
    # [player, row, total, roll]: (when, option + 1, bank) in one number; tables of few rows are remembered for good.
    known = np.zeros((2, 2, most, offered.weight.size), np.int64)
    wins, ties, when, playing = 0, 0, 1, states.size
    while playing > 0:
        for pair in order:
            if head[pair] < 0:
                continue
            a, b = pair // count, pair % count
            when += 1
            if plans[0].kind == BY_VALUES:
                _chances(tree, standings, plans[0].others, a, b, arrays[0], arrays[1], scratch)
            if plans[1].kind == BY_VALUES:
                _chances(tree, standings, plans[1].others, b, a, arrays[2], arrays[3], scratch)
            game = head[pair]
            head[pair] = -1
            while game >= 0:
                following = behind[game]
                state = states[game]
                player = int(side[game])
                while True:
                    turns[game] += 1
                    me, them = (b, a) if player else (a, b)
                    plan = plans[player]
                    row = plan.row[me]
                    least, need = standings.least[me], _need(standings, me, them)
                    # What a table says holds for good, unless an exact goal forbids some of it.
                    passing = plan.kind == BY_VALUES or offered.exact or plan.second_roll.shape[0] > 2
                    stamp, slot = (when, 0) if passing else (1, row)
                    total, dice, new = 0, size - 1, standings.nothing[me]
                    while True:
                        state += np.uint64(0x9E3779B97F4A7C15)  # splitmix64
                        z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                        z ^= z >> np.uint64(31)
                        # 53 bits throw the dice. The rest, and more from another step, choose for the plan at random.
                        chance = np.float64(z >> np.uint64(11)) * 2.0**-53
                        r = _throw(offered, cumulative, dice, chance)
                        if r < 0:
                            total = 0
                            if chance >= 1.0 - offered.crash[dice]:
                                new = standings.crash[me]
                            break
                        if plan.kind == AT_RANDOM:
                            state += np.uint64(0x9E3779B97F4A7C15)
                            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                            z ^= z >> np.uint64(31)
                            chance = np.float64(z >> np.uint64(11)) * 2.0**-53
                            o, banks = _move_at_random(every, r, total, least, need, chance)
                            if o < 0:
                                total = 0
                                break
                            total += every.points[o]
                            dice = every.left[o]
                        elif not offered.exact and total + most_points[r] >= need:
                            total = need
                            break
                        else:
                            code = known[player, slot, total, r]
                            if code >> 32 != stamp:
                                if plan.kind == BY_VALUES:
                                    o, banks, _, _ = _choose(
                                        offered, r, total, need, arrays[2 * player], arrays[2 * player + 1],
                                        plan.second_roll[row], plan.second_bank[row],
                                    )  # fmt: skip
                                else:
                                    o, banks, _, _ = _choose(
                                        offered, r, total, need, plan.first_roll[row], plan.first_bank[row],
                                        plan.second_roll[row], plan.second_bank[row],
                                    )  # fmt: skip
                                code = stamp << 32 | (o + 1) << 1 | int(banks)
                                known[player, slot, total, r] = code
                            o, banks = ((code & 0xFFFFFFFF) >> 1) - 1, code & 1 == 1
                            if o < 0:
                                total = 0
                                break
                            total += offered.points[o]
                            dice = offered.left[o]
                        if banks or dice == 0:
                            if total < least:
                                total = 0
                            break
                    player = 1 - player
                    over = total >= need
                    if over:
                        wins += player
                    else:
                        if total > 0:
                            new = standings.after[me] + total
                        if standings.over[them]:
                            over = True
                            gap = standings.score[new] - standings.score[them]
                            ties += gap == 0
                            wins += player if gap > 0 else (1 - player) * (gap < 0)
                    if over:
                        playing -= 1
                        break
                    if new != me:
                        to = new * count + b if player else a * count + new
                        behind[game] = head[to]
                        head[to] = game
                        break
                side[game] = player
                states[game] = state
                game = following
    squares = 0.0
    for game in range(states.size):
        squares += float(turns[game]) ** 2
    return wins, ties, turns.sum(), squares


# More than two players.


@inner
def _turn_of_three(tree, standings, table, plan, flag, me, them, third, lose, mine, bust, theirs, node):
    """Sweep one turn of a player among three; return (own chance, chance of the next, of nothing) but for the bust.

    table[a, b, c] holds the chances of the player to move and of the next. Cells and nodes hold the own chance, which is
    maximised, the chance that the turn ends with nothing, and the chance of the next player without that.
    """
    least, need, after = standings.least[me], _need(standings, me, them), standings.after[me]
    size = tree.bust.size
    for total in range(need - 1, -1, -1):
        here, wins = total * size, (need - total) * size
        allowed = total >= least
        own, other = -1.0, 0.0
        if allowed:
            other = table[them, third, after + total, 0]
            own = 1.0 - other - table[them, third, after + total, 1]
        mine[here] = own if allowed else lose
        bust[here] = 0.0 if allowed else 1.0
        theirs[here] = other
        for dice in range(1, size):
            sum_mine, sum_bust, sum_theirs = tree.bust[dice] * lose, tree.bust[dice], 0.0
            for k in range(tree.first[dice], tree.first[dice + 1]):
                cell, parent = here + tree.shift[k], tree.parent[k]
                if tree.shift[k] >= wins:
                    node[k, 0], node[k, 1], node[k, 2], node[k, 3] = 1.0, 0.0, 0.0, 0.0
                elif mine[cell] > node[parent, 0] + TIED or (
                    mine[cell] >= node[parent, 0] - TIED
                    and plan.second_roll[flag, cell // size, cell % size] > node[parent, 3] + TIED
                ):
                    node[k, 0], node[k, 1], node[k, 2] = mine[cell], bust[cell], theirs[cell]
                    node[k, 3] = plan.second_roll[flag, cell // size, cell % size]
                else:
                    for part in range(4):
                        node[k, part] = node[parent, part]
                weight = tree.weight[k]
                sum_mine += weight * node[k, 0]
                sum_bust += weight * node[k, 1]
                sum_theirs += weight * node[k, 2]
            banks = allowed and (
                own > sum_mine + TIED
                or (
                    own >= sum_mine - TIED
                    and plan.second_bank[flag, total, dice] >= plan.second_roll[flag, total, dice] - TIED
                )
            )
            mine[here + dice] = own if banks else sum_mine
            bust[here + dice] = 0.0 if banks else sum_bust
            theirs[here + dice] = other if banks else sum_theirs
    start = size - 1
    return mine[start] - bust[start] * lose, theirs[start], bust[start]


@inner
def _chances_of_three(rest, miss, chance):
    """Fill the chances of the player to move and of the next, by rotation; return the largest change."""
    change = 0.0
    again = 1.0 - miss[0] * miss[1] * miss[2]
    for turn in range(3):
        after, last = (turn + 1) % 3, (turn + 2) % 3
        # The one to move is third in the next rotation and second in the last; and so on.
        own = (rest[turn, 0] + miss[turn] * (rest[after, 2] + miss[after] * rest[last, 1])) / again
        other = (rest[turn, 1] + miss[turn] * (rest[after, 0] + miss[after] * rest[last, 2])) / again
        change = max(change, abs(own - chance[turn, 0]), abs(other - chance[turn, 1]))
        chance[turn, 0], chance[turn, 1] = own, other
    return change


@njit
def close_triples(tree, standings, table, plan, triples, tolerance, found, lowest, highest):
    """Solve triples of standings and their two rotations, all later ones being known, by policy iteration.

    Where the players chase each other without end, no play without chance is stable: then they mix what they did so far,
    as in fictitious play. found[triple] becomes, for each rotation, the chances of the player to move and of the next;
    then the rounds taken, and the most that a player could gain by playing that turn otherwise.
    """
    size = tree.bust.size
    cells = max(standings.aim.max() - standings.score.min(), standings.least.max()) * size
    mine, bust, theirs = np.empty(cells), np.empty(cells), np.empty(cells)
    node = np.empty((tree.parent.size, 4))
    node[0] = -np.inf
    rest = np.empty((3, 3))  # [rotation, (own chance, that of the next, of the third)], without busts
    miss = np.empty(3)
    chance = np.empty((3, 2))
    for triple in range(lowest, highest):
        chance[:] = 1.0 / 3.0
        rounds = quiet = 0
        while True:
            rounds += 1
            gain = 0.0
            for turn in range(3):
                # Players who all change their play at once may chase each other: after 20 rounds they do so in turn.
                if 20 < rounds <= 100 and rounds % 3 != turn:
                    continue
                me, them, third = triples[triple, turn], triples[triple, (turn + 1) % 3], triples[triple, (turn + 2) % 3]
                after = (turn + 1) % 3
                lose = 1.0 - chance[after, 0] - chance[after, 1]
                own, other, nothing = _turn_of_three(
                    tree, standings, table, plan, plan.row[me], me, them, third, lose, mine, bust, theirs, node
                )
                share = 1.0
                if rounds > 100:
                    gain = max(gain, own + nothing * lose - rest[turn, 0] - miss[turn] * lose)
                    share = 1.0 / (rounds - 99)
                elif rounds == 1:
                    rest[turn] = 0.0
                    miss[turn] = 0.0
                rest[turn, 0] += share * (own - rest[turn, 0])
                rest[turn, 1] += share * (other - rest[turn, 1])
                miss[turn] += share * (nothing - miss[turn])
                rest[turn, 2] = 1.0 - miss[turn] - rest[turn, 0] - rest[turn, 1]
                if rounds > 100:
                    _chances_of_three(rest, miss, chance)
            change = _chances_of_three(rest, miss, chance)
            quiet = quiet + 1 if change <= tolerance else 0
            if rounds <= 100 and quiet == (1 if rounds <= 20 else 3):
                gain = change
                break
            if rounds > 100 and (gain <= tolerance or rounds >= 5000):
                break
        for turn in range(3):
            found[triple, 2 * turn], found[triple, 2 * turn + 1] = chance[turn, 0], chance[turn, 1]
        found[triple, 6], found[triple, 7] = rounds, gain


@njit
def answer_two(tree, standings, me, first, second, waiting, known, again, tolerance, found, lowest, highest):
    """Solve x = f(known + again * x) for one standing against pairs of standings of two opponents with fixed play.

    waiting[i, a, b] is the own chance while the opponent at a is to move, for every i above `me`; `known` the part of
    it that does not come back to the same standings, `again` the chance that it does. found[pair] becomes (x, rounds).
    """
    size = tree.bust.size
    least, need, after = standings.least[me], _need(standings, me, 0), standings.after[me]
    bank = np.empty((need, LANES))
    ones = 2 * tree.parent.size + need * size
    rows = _aligned_rows(ones + tree.shift.max() + size)
    rows[ones:, :LANES] = 1.0
    rows[ones:, LANES:] = 0.0
    rows[0] = -1.0
    x, lose, fallen = np.empty(LANES), np.empty(LANES), np.zeros(LANES)
    for chunk in range(lowest, highest):
        for lane in range(LANES):
            pair = min(chunk * LANES + lane, first.size - 1)
            x[lane] = found[pair, 0]
            for total in range(need):
                bank[total, lane] = -1.0
                if total >= least:
                    bank[total, lane] = waiting[after + total, first[pair], second[pair]]
        rounds = 0
        while True:
            rounds += 1
            for lane in range(LANES):
                pair = min(chunk * LANES + lane, first.size - 1)
                lose[lane] = known[pair] + again[pair] * x[lane]
            start = _best_turn(tree, bank, lose, fallen, need, rows, ones)
            worst = 0.0
            for lane in range(LANES):
                pair = min(chunk * LANES + lane, first.size - 1)
                worst = max(worst, abs(rows[start, lane] - x[lane]))
                slope = again[pair] * rows[start, LANES + lane]
                x[lane] = min(max((rows[start, lane] - slope * x[lane]) / (1.0 - slope), 0.0), 1.0)
            if worst <= tolerance or rounds >= 100:
                break
        for lane in range(LANES):
            pair = chunk * LANES + lane
            if pair < first.size:
                found[pair, 0], found[pair, 1] = x[lane], rounds
