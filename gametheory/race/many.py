"""Races among more than two: is more risk better against more opponents?

Three questions, each exact:

- `solve_three`: three players who all play to win. The state is a triple of standings in the order of play; three busts
  in a row bring it back, so that a triple and its two rotations are closed together, sums from the top. Exact for pig:
  a million triples.

      chances   [standing to move, of the next, of the third, (the player to move, the next)]

- `answer_two`: the best play against two opponents whose policy does not look at the others, knowing all scores. With
  their turns a Markov chain D over standings (who finishes wins),

      own(i, a, b) = best turn, a bust being worth waiting(i, a, b)
      waiting(i, a, b) = sum over a', b' of D[a, a'] * D[b, b'] * own(i, a', b')

- `field`: any number of players whose policies do not look at the others. They race side by side, so that all that
  counts is the turn in which each would finish.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

import numpy as np

from ..progress import Progress
from .policies import CRASHES, NOTHING, RacePolicy, by_values, check_same, turn_ends
from .rules import RaceGame
from .solver import RESIDUAL, PairCloser, share_out
from .standings import axes, levels, standings
from .turn import Floats, throws

MOST_TRIPLES = 8_000_000
CHANGE = 1e-13  # a triple is closed when nothing changes by more


def check_rules(game: RaceGame) -> None:
    """Refuse house rules that are solved for two players only."""
    for key in ("exact", "last_round", "three_busts"):
        if getattr(game, key):
            raise ValueError(f"{game.name} with {key} is solved for two players only: leave --players out")
    if game.bust_all == "score":
        raise ValueError(f"{game.name} with bust_all = 'score' is solved for two players only: leave --players out")


def check_triples(game: RaceGame) -> None:
    """Refuse a race whose rules are for two, and one with more triples of standings than can be solved."""
    check_rules(game)
    size = len(axes(game).scores)
    if size**3 > MOST_TRIPLES:
        raise ValueError(
            f"{game.name} has {size}^3 = {size**3} triples of standings: at most {MOST_TRIPLES} can be solved, "
            "lower the goal"
        )


@dataclass(frozen=True, eq=False, repr=False)
class ThreePlayers:
    """A race of three who all play to win; `chances[i, j, k]` are those of the player to move and of the next."""

    game: RaceGame
    chances: Floats
    rounds: int
    regret: float  # the most that a player could gain, at any triple, by playing that turn otherwise

    @property
    def seat_values(self) -> tuple[float, float, float]:
        """The chances of the three seats."""
        first, second = (float(chance) for chance in self.chances[0, 0, 0])
        return first, second, 1.0 - first - second

    def __repr__(self) -> str:
        return f"<ThreePlayers of {self.game.name}: seats {', '.join(f'{value:.6f}' for value in self.seat_values)}>"


def solve_three(game: RaceGame, *, threads: int | None = None, progress: Progress | None = None) -> ThreePlayers:
    """Compute the chances of three players who all play to win, ties broken as everywhere.

    Between three, play that nobody gains by leaving need not be unique, nor free of chance: at 37 of the 333,400 triples
    of pig the players would chase each other, and mix instead. `regret` is the certificate, zero to rounding elsewhere.
    """
    from . import kernel

    axis = axes(game)
    size = len(axis.scores)
    check_triples(game)
    plan = by_values("win", game, axis, np.empty((0, 0))).plan
    allowed, tree = standings(game, axis), throws(game)
    table = np.full((size, size, size, 2), np.nan)
    i, j, k = (part.ravel() for part in np.indices((size, size, size), dtype=np.int16))
    # Of the three rotations of a triple, the one that is least stands for all.
    codes = [(a.astype(np.int64) * size + b) * size + c for a, b, c in ((i, j, k), (j, k, i), (k, i, j))]
    chosen = np.flatnonzero((codes[0] <= codes[1]) & (codes[0] <= codes[2]))
    del codes
    triples = np.stack([i[chosen], j[chosen], k[chosen]], axis=1).astype(np.int64)
    sums = axis.scores[triples].sum(axis=1)
    order = np.argsort(-sums, kind="stable")
    rounds, regret, done = 0, 0.0, 0
    for level in np.split(order, np.flatnonzero(np.diff(sums[order])) + 1):
        at = np.ascontiguousarray(triples[level])
        found = np.empty((len(at), 8))
        part = functools.partial(kernel.close_triples, tree, allowed, table, plan, at, CHANGE, found)
        share_out(len(at), threads, part, least=64)
        for turn in range(3):
            rotated = [at[:, (turn + place) % 3] for place in range(3)]
            table[rotated[0], rotated[1], rotated[2]] = found[:, 2 * turn : 2 * turn + 2]
        rounds, regret = max(rounds, int(found[:, 6].max())), max(regret, float(found[:, 7].max()))
        done += len(at)
        if progress:
            progress(done / len(triples))
    return ThreePlayers(game, table, rounds, regret)


def refuse_looking(name: str) -> NoReturn:
    """Refuse a policy that looks at the opponent."""
    raise ValueError(
        f"policy {name} looks at the opponent: against several, name one that does not, "
        "such as score, simple, hold-at-N or random"
    )


def _chain(chosen: RacePolicy) -> Floats:
    """Return [standing, standing after the turn] of a policy that does not look at the others; at the goal one drops out."""
    if chosen.looks_at_opponent:
        refuse_looking(chosen.name)
    size, start = len(chosen.axis.scores), chosen.axis.start
    allowed = standings(chosen.game, chosen.axis)
    ends = turn_ends(chosen, np.arange(size), np.full(size, start))
    found = np.zeros((size, size))
    for mine in np.flatnonzero(allowed.over == 0).tolist():
        totals = np.arange(allowed.least[mine], allowed.need(mine, start))
        found[mine, allowed.after[mine] + totals] = ends[mine, totals]
        found[mine, allowed.nothing[mine]] += ends[mine, NOTHING]
        found[mine, allowed.crash[mine]] += ends[mine, CRASHES]
    found[:, allowed.over == 1] = 0.0
    return found


@dataclass(frozen=True, eq=False, repr=False)
class AnswerToTwo:
    """The best play against two opponents of known policy: `own[i, a, b]` to move, a being next.

    `waiting[i, a, b]` is the same while the opponent at a is to move, b after him.
    """

    opponent: RacePolicy
    own: Floats
    waiting: Floats

    @property
    def seat_values(self) -> tuple[float, float, float]:
        """The chance of the one who answers, in the first, second and third seat."""
        chain = _chain(self.opponent)
        # In the second seat one opponent plays before the first own turn.
        second = float(chain[0] @ self.own[0, 0, :])
        return float(self.own[0, 0, 0]), second, float(self.waiting[0, 0, 0])

    def __repr__(self) -> str:
        seats = ", ".join(f"{value:.6f}" for value in self.seat_values)
        return f"<AnswerToTwo {self.opponent.name} at {self.opponent.game.name}: wins {seats} by seat>"


def answer_two(other: RacePolicy, *, threads: int | None = None, progress: Progress | None = None) -> AnswerToTwo:
    """Compute the best play against two opponents who both play a policy that does not look at the others.

    Ten-thousand has six million triples of standings: three minutes on one core.
    """
    from . import kernel

    game, axis = other.game, other.axis
    size = len(axis.scores)
    check_triples(game)
    chain = _chain(other)
    allowed, tree = standings(game, axis), throws(game)
    own, waiting = np.zeros((size, size, size)), np.zeros((size, size, size))
    by_score = np.argsort(-axis.scores, kind="stable")
    pairs = [tuple(np.ascontiguousarray(part) for part in level.T) for level in levels(game, axis)]
    with PairCloser(game, axis, threads) as closer:
        for done, me in enumerate(by_score.tolist()):
            # half[a, b]: the opponent at b plays, and then it is the own turn.
            half = np.zeros((size, size))
            above = own[min(me + 1, size - 1)]
            for a, b in pairs:
                # What is not known yet is 0 in `own` and `half`, and comes back by `again`.
                known = np.einsum("pa,pa->p", chain[a], half[:, b].T)
                known += chain[a, a] * np.einsum("pb,pb->p", chain[b], own[me, a])
                again = chain[a, a] * chain[b, b]
                higher = np.minimum(a + 1, size - 1)
                guess = np.clip(above[a, b] + own[me, higher, b] - above[higher, b], 0.0, 1.0)
                found = np.stack([guess, np.zeros(len(a))], axis=1)

                part = functools.partial(kernel.answer_two, tree, allowed, me, a, b, waiting, known, again, RESIDUAL, found)
                closer.share_out(-(-len(a) // kernel.LANES), part)
                own[me, a, b] = found[:, 0]
                half[a, b] = np.einsum("pb,pb->p", chain[b], own[me, a])
                waiting[me, a, b] = known + again * found[:, 0]
            if progress:
                progress((done + 1) / size)
    return AnswerToTwo(other, own, waiting)


def turns_alone(chosen: RacePolicy) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the numbers of turns that a policy may take to the goal, from 1 on, with their chances.

    Those that more turns have together, less than SELDOM, are left out.
    """
    chain = _chain(chosen)
    at, left = np.eye(1, len(chain), chosen.axis.start)[0], 1.0
    chances: list[float] = []
    while left > SELDOM and len(chances) < MOST_TURNS:
        at = at @ chain
        now = float(at.sum())
        chances.append(left - now)
        left = now
    return tuple(range(1, len(chances) + 1)), tuple(chances)


SELDOM = 1e-15
MOST_TURNS = 100_000


class Field(NamedTuple):
    """The chance of each player to win, in the order of play, and the expected number of rounds."""

    seat_values: tuple[float, ...]
    rounds: float


def field(players: Sequence[RacePolicy]) -> Field:
    """Compute the chances of players, in the order of play, whose policies do not look at the others."""
    if len(players) < 2:
        raise ValueError(f"{len(players)} players: give 2 or more")
    check_rules(players[0].game)
    chains = {}
    for player in players:
        check_same(player, players[0].game, players[0].axis)
        if id(player) not in chains:
            chains[id(player)] = _chain(player)
    # still[p]: the chance that player p has not finished; at[p]: where it then is.
    at = [np.eye(1, len(chains[id(player)]))[0] for player in players]
    still = [1.0] * len(players)
    values, rounds = [0.0] * len(players), 0.0
    while (alive := float(np.prod(still))) > 1e-17:
        rounds += alive
        for seat, player in enumerate(players):
            at[seat] = at[seat] @ chains[id(player)]
            left = float(at[seat].sum())
            others = np.prod([chance for place, chance in enumerate(still) if place != seat])
            values[seat] += (still[seat] - left) * float(others)
            still[seat] = left
    return Field(tuple(values), rounds)
