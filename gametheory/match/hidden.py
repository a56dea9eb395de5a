"""The game for two, all at once: nobody sees the other's score before both are done.

Only the distribution of my final score matters to the other, and theirs to me. Against a known distribution the best
answer is one solve, with the payoff

    u[score] = P(theirs is worse) + P(theirs is the same) / 2

The game is symmetric and zero-sum, so that an equilibrium is a mixture of policies against which no answer wins more
than half. It is found by best answers (double oracle): solve the linear programme over the policies found so far,
answer the mixture as well as possible, add the answer, until it gains no more than the tolerance. That gain, computed
anew from the mixture at the end, is its *exploitability*: a certificate that needs no trust in how it was found.

Arrays, `gain` being the points above the worst score (see `games.PoolGame`):

    weights[policy]           how often the mixture plays each policy
    payoffs[policy, gain]     the payoff that the policy maximises; this is what makes it playable
    made[policy, gain]        the chances of its final scores
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..games import PoolGame, game_from_rules
from ..pool import plain
from ..pool import solver as pool
from ..pool.solver import Array, Progress
from ..store.stored import Stored
from . import evaluate

FINEST = 1e-12
"""The tightest tolerance that double precision can certify."""

LP_SCALE = 1e4
"""The linear programme is solved in such parts of a win: its own tolerance, 1e-10, then is none of ours."""

MOST_ANSWERS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class Hidden:
    """An equilibrium of the game in which nobody sees the other's score."""

    game: PoolGame
    weights: Array
    payoffs: Array
    made: Array
    exploitability: float
    """What the best answer to the mixture wins above one half."""
    score_policy_exploitability: float
    """What the best answer wins above one half against a player who plays for points."""
    answers: int
    """How many best answers it took to find the mixture."""

    kind = "hidden"
    first_player_value = second_player_value = 0.5
    """Both sit alike, so that each wins half, ties being split."""

    @property
    def distribution(self) -> Array:
        """The chances of the final scores of the mixture, by gain."""
        return np.asarray(self.weights @ self.made)

    @property
    def scores(self) -> Array:
        """The final score of each gain."""
        game = self.game
        return game.worst(game.counts) + game.sign * np.arange(game.gain(game.counts) + 1.0)

    @property
    def mean(self) -> float:
        """The mean final score of the mixture."""
        return float(self.distribution @ self.scores)

    @property
    def sd(self) -> float:
        """The standard deviation of the final score of the mixture: how widely it spreads."""
        return float(np.sqrt(self.distribution @ (self.scores - self.mean) ** 2))

    def lost_by(self, made: Array) -> float:
        """Return what a policy loses to the best answer against it, given the chances of its final scores by gain."""
        return exploitability(self.game, made)

    def after(self) -> Callable[[tuple[int, ...], int], float]:
        """Return the chance to win against the mixture after a move, by dice left and points banked then."""
        return plain.reader(self.game, self.rows)

    def policy(self, number: int) -> Callable[[tuple[int, ...], int], float]:
        """Return what a policy of the mixture maximises, by dice left and points banked after a move."""
        return plain.reader(self.game, pool.solve_rows(self.game, self.payoffs[number]).values)

    @cached_property
    def rows(self) -> Array:
        """By pool and gain banked: the chance to win of the best answer to the mixture."""
        return pool.solve_rows(self.game, answer_payoff(self.distribution)).values

    def verify(self, seed: int = 0) -> tuple[int, float]:
        """Recompute the certificate; return how many figures were checked, and the largest difference.

        Every policy of the mixture is played again for its distribution; the best answer to the whole is solved again
        and its value at the start and at some positions recomputed through the plain rules.
        """
        game = self.game
        expected = _expected(game)
        apart = [abs(float(self.weights.sum()) - 1.0), max(0.0, -float(self.weights.min()))]
        for payoff, made in zip(self.payoffs, self.made, strict=True):
            apart.append(float(np.abs(_play(game, payoff, expected) - made).max()))
        win = self.after()
        apart.append(abs(plain.value(game, game.counts, win) - 0.5 - self.exploitability))
        random = np.random.default_rng(seed)
        for place in random.choice(len(game.pools) - 1, min(8, len(game.pools) - 1), replace=False):
            left = game.pools[1 + place]
            aside = game.scores(game.banked_dice(left))
            banked = aside[random.integers(len(aside))]

            def then(after: tuple[int, ...], points: int, banked: int = banked) -> float:
                return win(after, banked + points)

            apart.append(abs(plain.value(game, left, then) - win(left, banked)))
        return len(apart), float(max(apart)) if np.all(np.isfinite(apart)) else float("inf")

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        axes = {"policy": np.arange(len(self.weights)), "gain": np.arange(self.made.shape[1])}
        return Stored(
            self.kind,
            self.game.rules(),
            {
                "tie": "split",
                "exploitability": self.exploitability,
                "score_policy_exploitability": self.score_policy_exploitability,
                "answers": self.answers,
                "payoff": "each policy of the mixture maximises its payoff by gain: points above the worst score",
            },
            axes,
            {
                "weights": (("policy",), self.weights),
                "payoffs": (("policy", "gain"), self.payoffs),
                "made": (("policy", "gain"), self.made),
            },
        )

    @classmethod
    def from_stored(cls, data: Stored) -> Hidden:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        game = game_from_rules(data.rules)
        if not isinstance(game, PoolGame):
            raise ValueError(f"{game.name} is no pool game")
        weights, payoffs, made = (np.asarray(data.arrays[name][1], float) for name in ("weights", "payoffs", "made"))
        shape = (len(weights), game.gain(game.counts) + 1)
        for array, wanted in ((weights, shape[:1]), (payoffs, shape), (made, shape)):
            if array.shape != wanted:
                raise ValueError(f"an array has shape {array.shape} where the rules ask for {wanted}")
            array.setflags(write=False)
        facts = data.facts
        return cls(
            game, weights, payoffs, made, float(facts["exploitability"]), float(facts["score_policy_exploitability"]),
            int(facts["answers"]),
        )  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"<Hidden {self.game.name} ({self.game.dice}): {len(self.weights)} policies, mean {self.mean:.4f}, "
            f"sd {self.sd:.4f}, exploitability {self.exploitability:.2g}>"
        )


def answer_payoff(made: Array) -> Array:
    """Return what a final score is worth, by gain, against an unseen one with these chances: ties are split."""
    return np.minimum(1.0, np.cumsum(made) - made / 2)


def exploitability(game: PoolGame, made: Array) -> float:
    """Return what the best answer wins above one half against a player whose final score has these chances, by gain."""
    # Playing the same wins half, but for rounding.
    return max(0.0, float(pool.solve_rows(game, answer_payoff(made)).values[-1, 0]) - 0.5)


def _expected(game: PoolGame) -> Array:
    """Return the expected gain still to come, by pool, of a player who plays for points."""
    return pool.solve_rows(game, np.arange(game.gain(game.counts) + 1.0)).values[:, 0]


def _play(game: PoolGame, payoff: Array, expected: Array) -> Array:
    """Return the chances of the final scores, by gain, of a player who maximises a payoff."""
    made: Array = evaluate.value_visits(game, pool.solve_rows(game, payoff).values, expected)[0]
    return made


def solve_hidden(
    game: PoolGame, tolerance: float = 1e-6, tie: str | float = "split", *, progress: Progress | None = None,
    force: bool = False,
) -> Hidden:  # fmt: skip
    """Find an equilibrium of the simultaneous game that no answer beats by more than the tolerance."""
    if tie not in ("split", 0.5):
        raise ValueError(f"ties {tie} in a simultaneous game, where nobody is first: say split")
    if not FINEST <= tolerance < 0.5:
        raise ValueError(
            f"cannot find an equilibrium to within {tolerance:g}: give a tolerance from {FINEST:g}, the limit of the "
            "arithmetic, to 0.5"
        )
    if not force:
        pool.check_size(game)
    expected = _expected(game)
    # Playing for points to begin with.
    payoffs = [np.arange(game.gain(game.counts) + 1.0)]
    made = [_play(game, payoffs[0], expected)]
    score_loss = exploitability(game, made[0])
    weights = np.ones(1)
    widest = max(score_loss, 2 * tolerance)
    while len(made) <= MOST_ANSWERS:
        payoff = answer_payoff(weights @ np.array(made))
        rows = pool.solve_rows(game, payoff).values
        gained = float(rows[-1, 0]) - 0.5
        if progress:
            progress(min(1.0, max(0.0, float(np.log(widest / max(gained, tolerance)) / np.log(widest / tolerance)))))
        if gained <= tolerance:
            break
        answer = evaluate.value_visits(game, rows, expected)[0]
        if any(np.abs(answer - known).max() < FINEST for known in made):
            raise ArithmeticError(f"no mixture does better than {gained:.2g}: give a tolerance above that")
        payoffs.append(payoff)
        made.append(answer)
        weights = _mix(np.array(made))
    else:
        raise ArithmeticError(f"{MOST_ANSWERS} answers brought the gain to {gained:.2g}, no lower: give more tolerance")
    played = np.flatnonzero(weights)
    mixture, aims, chances = (np.array(array)[played] for array in (weights, payoffs, made))
    for array in (mixture, aims, chances):
        array.setflags(write=False)
    return Hidden(game, mixture, aims, chances, exploitability(game, mixture @ chances), score_loss, len(made))


def _mix(made: Array) -> Array:
    """Return the mixture of policies that none of them beats: the optimum of the linear programme."""
    try:
        from scipy.optimize import linprog
    except ModuleNotFoundError:
        raise ValueError("the simultaneous game needs scipy: pip install 'gametheory[equilibrium]'") from None
    below = np.cumsum(made, axis=1) - made / 2
    # wins[i, j]: what policy i wins above one half against policy j.
    wins = made @ below.T
    wins = LP_SCALE * (wins - wins.T) / 2
    count = len(made)
    found = linprog(
        np.r_[np.zeros(count), -1.0],
        A_ub=np.c_[-wins.T, np.ones(count)],
        b_ub=np.zeros(count),
        A_eq=np.r_[np.ones(count), 0.0][None],
        b_eq=[1.0],
        bounds=[(0.0, None)] * count + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status:
        raise ArithmeticError(f"the linear programme failed: {found.message}")
    weights: Any = np.where(found.x[:count] > 1e-12, found.x[:count], 0.0)
    return np.asarray(weights / weights.sum())
