"""What policies lead to, exactly: score distributions, win, tie and loss by seat, visits to every position.

Two ways, both without sampling. A policy that looks neither at banked points nor at the target is a set of *steps*:
for every pool, the chance of each (dice left after, gain). A policy given by values (`policy.Win`) is played roll by
roll in the folding kernel, all columns at once (`pool_kernel.follow`). Arrays are by pool and column, as in `pool`:

    visits[pool, gain]         chance to be there with this gain banked
    distribution[gain]         chance to end with this gain above the worst score
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..ask.policies import Policy, Position, Score, Steps, Win, check_keep
from ..games import PoolGame, State
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from .duel import Duel

MOST_CALLS = 50_000_000
"""How often a Python policy may be asked without `force`."""

NOISE = 1e-9
"""Falls of a computed payoff up to this are taken for noise."""


class Played(NamedTuple):
    """Where a pool's rolls lead under a policy given by values, for columns from `begin` on."""

    begin: int
    reports: Array  # [report, column]
    flow: Array  # [row of the stack, column]; empty unless mass was given


@lru_cache(maxsize=8)
def ranks(game: PoolGame) -> dict[int, Array]:
    """Rank the keeps of every pool by the rule for ties; the rank modulo the number of keeps is the row."""
    found = {}
    for state in pool.states(game):
        left = game.pools[state.place]
        kept = [tuple(n - m for n, m in zip(left, game.pools[sub], strict=True)) for sub in state.subs]
        order = sorted(range(len(kept)), key=lambda row: (sum(kept[row]), [-n for n in kept[row]]))
        by_row = np.empty(len(kept))
        for place, row in enumerate(order):
            by_row[row] = place * len(kept) + row
        found[state.place] = by_row
    return found


def follow(
    game: PoolGame, state: pool.State, tables: Array, begin: int, width: int, *, ceiling: bool = False,
    mass: Array | None = None, expected: Array | None = None,
) -> Played:  # fmt: skip
    """Play the rolls of one pool by the values in `tables`: worth, expected final gain, then reports (see the kernel)."""
    from ..pool import kernel as pool_kernel

    reports, flow = pool_kernel.follow(
        tables, ranks(game)[state.place], state.subs, state.several, state.counts, state.faces, state.gains,
        state.chances, state.tails, pool.ways(game), state.wider, begin, width, ceiling,
        np.zeros(len(state.subs)) if expected is None else expected[state.subs],
        np.zeros(0) if mass is None else mass,
    )  # fmt: skip
    return Played(begin, reports, flow)


def expected_rows(duel: Duel, columns: int, shift: int = 0) -> Array:
    """Return expected final gain by pool and column: what a position promises a player who plays for points."""
    return duel.gain_expected[:, None] + (np.arange(columns) - shift)


# Steps: policies that look at the dice alone.


@lru_cache(maxsize=16)
def _score_steps(duel: Duel) -> Steps:
    """Return the steps of the score-maximiser."""
    game = duel.game
    columns = game.gain(game.counts) + 1
    rows = expected_rows(duel, columns)
    tables = np.stack([rows, rows])
    found: Steps = {}
    for state in pool.states(game):
        flow = follow(game, state, tables, 0, 1, mass=np.ones(1), expected=duel.gain_expected).flow
        row, gain = np.nonzero(flow)
        found[state.place] = (state.subs[row], gain, flow[row, gain])
    return found


def steps(duel: Duel, policy: Policy, *, force: bool = False, progress: Progress | None = None) -> Steps:
    """Return the steps of a policy that looks at the dice alone: by pool, (pools after, gains, chances)."""
    if isinstance(policy, Score):
        return _score_steps(duel)
    exact: Callable[[PoolGame], Steps] | None = getattr(policy, "steps", None)
    if exact is not None:
        return exact(duel.game)
    return _ask_steps(duel.game, policy, force, progress)


def _ask_steps(game: PoolGame, policy: Policy, force: bool, progress: Progress | None) -> Steps:
    """Ask a Python policy about every roll of every pool."""
    _check_calls(game, policy, pool.estimate(game).rolls, force)
    found: Steps = {}
    for index, left in enumerate(game.pools):
        if not any(left):
            continue
        banked = game.worst(game.banked_dice(left))
        flow: dict[tuple[int, int], float] = {}
        for sub, gain, chance in _ask(game, policy, Position(left, banked, None)):
            flow[sub, gain] = flow.get((sub, gain), 0.0) + chance
        found[index] = (
            np.array([sub for sub, _ in flow]),
            np.array([gain for _, gain in flow]),
            np.array(list(flow.values())),
        )
        if progress:
            progress(index / (len(game.pools) - 1))
    return found


def _ask(game: PoolGame, policy: Policy, position: Position) -> Iterator[tuple[int, int, float]]:
    """Yield (pool after, gain, chance) for every roll of a position, as the policy plays it."""
    left, banked, _ = position
    ways = game.count_ways(left)
    worst = game.worst(left)
    for roll, weight in game.rolls(State(left, banked)):
        keep = policy(position, roll)
        check_keep(game, roll, keep)
        after = tuple(n - len(faces) for n, faces in zip(left, keep, strict=True))
        gain = game.sign * (game.points(keep) + game.worst(after) - worst)
        yield game.pool_index(after), gain, weight / ways


def _check_calls(game: PoolGame, policy: Policy, calls: float, force: bool) -> None:
    if calls > MOST_CALLS and not force:
        raise ValueError(
            f"the policy {_name(policy)} would be asked about {calls:.2g} rolls of {game.name}: say --force "
            "(force=True) to start all the same, declare that it ignores banked points or the target, or simulate it"
        )


def _name(policy: Policy) -> str:
    return str(getattr(policy, "name", getattr(policy, "__name__", policy)))


def visits_of_steps(game: PoolGame, played: Steps) -> Array:
    """Return the chance to pass through every (pool, gain banked) by these steps; row 0 is the final distribution."""
    visits = np.zeros((len(game.pools), game.gain(game.counts) + 1))
    visits[-1, 0] = 1.0
    for index in sorted(played, key=lambda i: -sum(game.pools[i])):
        here = np.flatnonzero(visits[index])
        subs, gains, chances = played[index]
        for column in here:
            np.add.at(visits, (subs, gains + column), visits[index, column] * chances)
    return visits


# Policies given by values.


@lru_cache(maxsize=16)
def _win_visits(duel: Duel) -> Array:
    """Return the chance to pass through every (pool, gain banked) when the first player plays to win."""
    return value_visits(duel.game, duel.gain_first, duel.gain_expected)


def value_visits(game: PoolGame, values: Array, expected: Array) -> Array:
    """Return the visits of a player who maximises values[pool, gain], ties by the expected gain to come."""
    columns = game.gain(game.counts) + 1
    tables = np.stack([values, expected[:, None] + np.arange(columns)])
    visits = np.zeros((len(game.pools), columns))
    visits[-1, 0] = 1.0
    for state in reversed(pool.states(game)):
        here = np.flatnonzero(visits[state.place])
        if len(here) == 0:
            continue
        begin, width = int(here[0]), int(here[-1] - here[0] + 1)
        mass = visits[state.place, begin : begin + width]
        visits[state.subs] += follow(game, state, tables, begin, width, mass=mass, expected=expected).flow
    return visits


@lru_cache(maxsize=16)
def _win_replies(duel: Duel) -> tuple[Array, Array]:
    """Return the chances that a second player who plays to win beats, and ties, each target, by its gain."""
    game = duel.game
    most = game.gain(game.counts)
    over = np.arange(-most, most + 1)
    values = duel.gain_second
    expected = expected_rows(duel, 2 * most + 1, most)
    reports = np.full((2, len(game.pools), 2 * most + 1), np.nan)
    reports[0, 0], reports[1, 0] = over > 0, over == 0
    for state in pool.states(game):
        # Further behind than all the dice can make up, or ahead already: settled.
        begin, end = most - state.gain, most + 1
        reports[:, state.place, :begin] = 0.0
        reports[0, state.place, end:] = 1.0
        reports[1, state.place, end:] = 0.0
        tables = np.concatenate([np.stack([values, expected]), reports])
        reports[:, state.place, begin:end] = follow(game, state, tables, begin, end - begin).reports[:2]
    wins, ties = reports[:, -1, : most + 1][:, ::-1]
    return wins, ties


# Results.


def score_distribution(
    duel: Duel, policy: Policy, target: int | None = None, *, force: bool = False, progress: Progress | None = None
) -> Array:
    """Return the exact chances of the final scores, by gain; with a target the policy plays second against it."""
    made: Array = visits(duel, policy, target, force=force, progress=progress)[0]
    return made


def visits(
    duel: Duel, policy: Policy, target: int | None = None, *, force: bool = False, progress: Progress | None = None
) -> Array:
    """Return the chance to pass through every (pool, gain banked); row 0, no dice left, is the final distribution."""
    game = duel.game
    if isinstance(policy, Win):
        if target is None:
            return _win_visits(duel)
        return value_visits(game, second_values(duel, target), duel.gain_expected)
    exact: Callable[[Duel, int | None], Array] | None = getattr(policy, "visits", None)
    if exact is not None:
        return exact(duel, target)
    if policy_is_blind(policy):
        return visits_of_steps(game, steps(duel, policy, force=force, progress=progress))
    return _ask_visits(game, policy, target, force, progress)


def policy_is_blind(policy: Policy) -> bool:
    """Tell whether a policy says that it looks neither at banked points nor at the target."""
    return not (getattr(policy, "uses_banked", True) or getattr(policy, "uses_target", True))


def second_values(duel: Duel, target: int) -> Array:
    """Return the second player's values against one target by [pool, gain banked]."""
    game = duel.game
    most = game.gain(game.counts)
    wanted = game.sign * (target - game.worst(game.counts))
    values = np.full((len(game.pools), most + 1), np.nan)
    for index, left in enumerate(game.pools):
        gains = np.arange(most - game.gain(left) + 1)
        over = np.clip(gains - wanted, -most - 1, most + 1)
        lost, won = over < -game.gain(left), over > 0
        inside = np.where(lost | won, 0, over) + most
        values[index, gains] = np.where(won, 1.0, np.where(lost, 0.0, duel.gain_second[index, inside]))
    return values


def _ask_visits(game: PoolGame, policy: Policy, target: int | None, force: bool, progress: Progress | None) -> Array:
    """Ask a Python policy about every roll of every position it can reach."""
    calls = sum(game.count_rolls(left) * len(game.scores(game.banked_dice(left))) for left in game.pools if any(left))
    _check_calls(game, policy, calls, force)
    visits = np.zeros((len(game.pools), game.gain(game.counts) + 1))
    visits[-1, 0] = 1.0
    order = [state.place for state in reversed(pool.states(game))]
    for done, index in enumerate(order):
        left = game.pools[index]
        worst = game.worst(game.banked_dice(left))
        for gain in np.flatnonzero(visits[index]):
            banked = worst + game.sign * int(gain)
            for sub, more, chance in _ask(game, policy, Position(left, banked, target)):
                visits[sub, gain + more] += visits[index, gain] * chance
        if progress:
            progress((done + 1) / len(order))
    return visits


def replies(duel: Duel, policy: Policy, *, force: bool = False, progress: Progress | None = None) -> tuple[Array, Array]:
    """Return the chances that a policy, playing second, beats and ties each target, by the target's gain."""
    game = duel.game
    if isinstance(policy, Win):
        return _win_replies(duel)
    exact: Callable[[Duel], tuple[Array, Array]] | None = getattr(policy, "replies", None)
    if exact is not None:
        return exact(duel)
    columns = game.gain(game.counts) + 1
    if not getattr(policy, "uses_target", True):
        made = score_distribution(duel, policy, force=force, progress=progress)
        return np.cumsum(made[::-1])[::-1] - made, made
    wins, ties = np.zeros(columns), np.zeros(columns)
    for done, score in enumerate(game.scores()):
        gain = abs(score - game.worst(game.counts))
        made = score_distribution(duel, policy, score, force=force)
        wins[gain], ties[gain] = made[gain + 1 :].sum(), made[gain]
        if progress:
            progress((done + 1) / len(game.scores()))
    return wins, ties


@dataclass(frozen=True)
class Distribution:
    """The chances of the final scores of a policy."""

    scores: tuple[int, ...]
    probabilities: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.dot(self.scores, self.probabilities))

    @property
    def sd(self) -> float:
        """The standard deviation: how widely the scores spread."""
        scores = np.array(self.scores, float)
        return float(np.sqrt(max(0.0, np.dot((scores - self.mean) ** 2, self.probabilities))))


def distribution(duel: Duel, policy: Policy, target: int | None = None, **how: Any) -> Distribution:
    """Return the exact distribution of the final score, every score from the lowest to the highest."""
    game = duel.game
    made = score_distribution(duel, policy, target, **how)
    if not game.higher_wins:
        made = made[::-1]
    low = game.lowest(game.counts)
    return Distribution(tuple(range(low, low + len(made))), tuple(float(p) for p in made))


@dataclass(frozen=True)
class Comparison:
    """Exact results between policies; row: the first player's policy, column: the second's."""

    policies: tuple[str, ...]
    first_win: Array
    tie: Array
    second_win: Array

    def first_value(self, tie_worth: float) -> Array:
        """Return the first player's values, a tie being worth so much to the second player."""
        return self.first_win + (1.0 - tie_worth) * self.tie


def compare(duel: Duel, policies: Sequence[Policy], *, force: bool = False, progress: Progress | None = None) -> Comparison:
    """Compare policies with one another, each in both seats."""
    firsts, seconds = [], []
    for place, policy in enumerate(policies):
        firsts.append(score_distribution(duel, policy, force=force))
        seconds.append(replies(duel, policy, force=force))
        if progress:
            progress((place + 1) / len(policies))
    made = np.array(firsts)
    wins, ties = made @ np.array([w for w, _ in seconds]).T, made @ np.array([t for _, t in seconds]).T
    return Comparison(tuple(_name(p) for p in policies), np.clip(1.0 - wins - ties, 0.0, 1.0), ties, wins)


def expected_best(made: Array, players: int) -> float:
    """Return the expected gain of the best of several players with the same independent score distribution."""
    reached = np.cumsum(made) ** players
    return float(len(made) - 1 - reached[:-1].sum())


def best_answer(duel: Duel, policy: Policy, *, threads: int | None = None, **how: Any) -> tuple[Array, float]:
    """Return the first player's best values [pool, gain banked] against a second who plays the policy, and the value."""
    wins, ties = replies(duel, policy, **how)
    payoff = 1.0 - wins - duel.tie_worth * ties
    # Equal moves are within 1e-10 of each other, so that a policy's results carry that much noise; no more is let pass.
    higher = np.maximum.accumulate(payoff)
    payoff = np.where(higher - payoff <= NOISE, higher, payoff)
    worst = duel.game.worst(duel.game.counts)
    payoff = pool.gain_payoff(duel.game, lambda score: float(payoff[abs(score - worst)]))
    rows = pool.solve_rows(duel.game, payoff, threads=threads).values
    return rows, float(rows[-1, 0])
