"""The game for two, all at once: nobody sees the other's score before both are done.

Only the distribution of my final score matters to the other, and theirs to me. Against a known distribution the best
answer is one solve, with the payoff

    u[score] = P(theirs is worse) + P(theirs is the same) / 2

The game is symmetric and zero-sum, so that an equilibrium is a mixture of policies against which no answer wins more
than half. It is found by best answers (double oracle): solve the linear programme over the policies found so far,
answer the mixture as well as possible, add the answer, until it gains no more than the tolerance. That gain, computed
anew from the mixture at the end, is its *exploitability*: a certificate that needs no trust in how it was found.

Arrays, by outcome, which is the gain where points add up (see `columns`):

    weights[policy]           how often the mixture plays each policy
    payoffs[policy, gain]     the payoff that the policy maximises; this is what makes it playable
    made[policy, gain]        the chances of its final scores
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .. import columns, games
from ..answers import Array, Checked, Comparison, Distribution, Fair, Plain, Simulation, Stored
from ..policies import ByValues, ScoringPolicy
from ..progress import Progress
from ..space import Space
from . import parting, table
from .duel import Duel, solve
from .scored import Named, Scored, check_array, check_expected, solve_expected
from .solution import Player, Request

FINEST = 1e-12
"""The tightest tolerance that double precision can certify."""

LP_SCALE = 1e4
"""The linear programme is solved in such parts of a win: its own tolerance, 1e-10, then is none of ours."""

MOST_ANSWERS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class Hidden(Scored):
    """An equilibrium of the game in which nobody sees the other's score."""

    space: Space
    weights: Array
    payoffs: Array
    made: Array
    expected_array: Named
    exploitability: float
    """What the best answer to the mixture wins above one half."""
    policy_exploitability: dict[str, float]
    """What the best answer wins above one half against each built-in policy."""
    answers: int
    """How many best answers it took to find the mixture."""

    kind = "hidden"
    chance_arrays = ("weights", "made")
    match = "simultaneous"
    called = "a simultaneous match"
    groups = ("place",)
    deals = False
    because = {  # noqa: RUF012
        "moves": "what a move is worth hangs on a score that nobody sees", "chase": "nobody sees a score to beat",
        "best_answer": "diff --against tells what the best answer gains",
    }  # fmt: skip
    tie = "split"
    tie_worth = 0.5
    first_player_value = second_player_value = 0.5
    """Both sit alike, so that each wins half, ties being split."""

    @classmethod
    def check(cls, game: Any, request: Request) -> None:
        _check_tie(request.tie)

    @classmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Hidden:
        wanted = {} if request.tolerance is None else {"tolerance": request.tolerance}
        return solve_hidden(game, **wanted, tie=request.tie, progress=progress, force=request.force)

    @classmethod
    def unsolved(cls, game: Any, question: str, request: Request) -> Hidden | None:
        none = np.empty(0)
        return cls(games.space(game), none, none, none, ((), none), 0.0, {}, 0) if question == "fair" else None

    @property
    def score_policy_exploitability(self) -> float:
        """What the best answer wins above one half against a player who plays for points."""
        return self.policy_exploitability["score"]

    @property
    def distribution_by_outcome(self) -> Array:
        """The chances of the final scores of the mixture, by outcome."""
        return np.asarray(self.weights @ self.made)

    @property
    def mean(self) -> float:
        """The mean final score of the mixture."""
        return float(self.distribution_by_outcome @ self.space.outcomes)

    @property
    def sd(self) -> float:
        """The standard deviation of the final score of the mixture: how widely it spreads."""
        return float(np.sqrt(self.distribution_by_outcome @ (self.space.outcomes - self.mean) ** 2))

    def headline(self) -> Plain:
        return super().headline() | {
            "exploitability": self.exploitability, "score_policy_exploitability": self.score_policy_exploitability,
            "mean": self.mean, "sd": self.sd, "mixture": [float(weight) for weight in self.weights],
            "policy_exploitability": self.policy_exploitability,
        }  # fmt: skip

    def lost_by(self, made: Array) -> float:
        """Return what a policy loses to the best answer against it, given the chances of its final scores by outcome."""
        return exploitability(self.space, made)

    def after(self) -> Callable[[Any], float]:
        """Return the chance to win against the mixture after a move, by the state then."""
        return self.space.reader(self.rows)

    def policy_values(self, number: int) -> Callable[[Any], float]:
        """Return what a policy of the mixture maximises, by the state after a move."""
        return self.space.reader(columns.best(self.space, self.space.ends(self.payoffs[number])).values)

    @cached_property
    def rows(self) -> Array:
        """By place and solo column: the chance to win of the best answer to the mixture."""
        return columns.best(self.space, self.space.ends(answer_payoff(self.distribution_by_outcome))).values

    def policy(self, chosen: Player) -> ScoringPolicy:
        if isinstance(chosen, str) and chosen == "win":
            return Mixture(self)
        return self.make_policy(chosen)

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        self.check_diff(self.game, None if seat is None else str(seat), target)
        return self.told(self._made(policy, force, progress))

    def _made(self, policy: Player, force: bool, progress: Progress | None = None) -> Array:
        chosen, solved = self.policy(policy), self._solved
        return self.space.made(chosen.visits(solved, force=force, progress=progress))

    @property
    def _solved(self) -> Any:
        """This match as policies see it, who are asked for nothing but what a player alone knows."""
        return self

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        self.check_compare(self.game, None, seat)
        chosen = [self.policy(policy) for policy in policies or self.policy_names(self.game)]
        made = []
        for done, policy in enumerate(chosen, 1):
            made.append(self._made(policy, force))
            if progress:
                progress(done / len(chosen))
        chances = np.array(made)
        below = np.cumsum(chances, axis=1) - chances
        wins = chances @ below.T
        return Comparison(tuple(policy.name for policy in chosen), wins, chances @ chances.T, wins.T.copy())

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        cls.check_diff(game, None if seat is None else str(seat), target)

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        for name, said in (("seat", seat), ("target", target)):
            if said is not None:
                raise ValueError(f"--{name} {said}: both play at once and unseen, leave --{name} out")

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> parting.DuelDifference:  # fmt: skip
        """Find where two ways part against an unseen opponent; `win` is the best answer to him."""
        self.check_diff(self.game, seat, target)
        opponent = self.policy(against or "win")
        payoff = answer_payoff(self._made(opponent, force))
        rows = columns.best(self.space, self.space.ends(payoff)).values
        named = (policy or "score", to or "win")
        ways = [ByValues(self._solved, "win", rows) if name == "win" else self.policy(name) for name in named]
        where = f"unseen, against one who plays {opponent.name}"
        chosen = parting.Ways(ways[0], ways[1], payoff)
        return parting.between(self._solved, chosen, rows, where=where, force=force, progress=progress)

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        return table.hide(self, first, second, games, seed)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        # A bonus to one of two players who sit alike can only take the game away from even.
        advice = (
            f"{self.game.name}, {self.match}, ties split: both seats are alike, each wins half; by symmetry the fair bonus "
            "is 0."
        )
        return Fair(self.game, self.match, "split", 0, {0: 0.5}, advice, 0.5)

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute the certificate; return how many figures were checked, and the largest difference.

        Every policy of the mixture is played again for its distribution; the best answer to the whole is solved again
        and its value at the start and at some positions recomputed through the plain rules.
        """
        space = self.space
        apart = [abs(float(self.weights.sum()) - 1.0), max(0.0, -float(self.weights.min()))]
        for payoff, made in zip(self.payoffs, self.made, strict=True):
            apart.append(float(np.abs(_play(space, payoff, self.gain_expected) - made).max()))
        shifts = int(space.solo.shifts)
        chosen = list(space.sample(seed))
        random = np.random.default_rng(seed)
        some = [chosen[i] for i in sorted(random.choice(len(chosen), min(8, len(chosen)), replace=False))]
        for place, gain in [(space.start, 0), *some]:

            def look(place: int, gain: int) -> float:
                return float(self.rows[place, gain * shifts])

            (found,) = space.recompute(place, gain, [look])
            stored = 0.5 + self.exploitability if place == space.start else look(place, gain)
            apart.append(abs(found - stored))
        return Checked(len(apart), float(max(apart)) if np.all(np.isfinite(apart)) else float("inf"))

    def stored(self) -> Stored:
        """Return the solution as plain data."""
        axes = {"policy": np.arange(len(self.weights)), "gain": np.arange(self.made.shape[1]), **self.space.left_axes}
        return Stored(
            self.kind,
            games.rules(self.game),
            {
                "tie": "split",
                "exploitability": self.exploitability,
                "policy_exploitability": self.policy_exploitability,
                "answers": self.answers,
                "payoff": "each policy of the mixture maximises its payoff by gain: points above the worst score",
            },
            axes,
            {
                "weights": (("policy",), self.weights),
                "payoffs": (("policy", "gain"), self.payoffs),
                "made": (("policy", "gain"), self.made),
                "expected": self.expected_array,
            },
        )

    @classmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Hidden:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        space = games.space(games.from_rules(data.rules) if game is None else game)
        shape = (len(data.arrays["weights"][1]), len(space.outcomes))
        weights = check_array(data.arrays["weights"][1], shape[:1])
        payoffs, made = (check_array(data.arrays[name][1], shape) for name in ("payoffs", "made"))
        facts = data.facts
        lost = {str(name): float(value) for name, value in facts["policy_exploitability"].items()}
        return cls(
            space, weights, payoffs, made, check_expected(space, data.arrays["expected"]),
            float(facts["exploitability"]), lost, int(facts["answers"]),
        )  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"<Hidden {self.game.name}: {len(self.weights)} policies, mean {self.mean:.4f}, sd {self.sd:.4f}, "
            f"exploitability {self.exploitability:.2g}>"
        )


class Mixture(ScoringPolicy):
    """Plays the equilibrium: a policy of the mixture, drawn before the first roll."""

    name = "win"
    ignores = ("target",)

    def __init__(self, hidden: Hidden) -> None:
        self.hidden = hidden

    def visits(
        self, solved: Any, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        hidden, space = self.hidden, self.hidden.space
        found = np.zeros((space.places, len(space.solo)))
        for weight, payoff in zip(hidden.weights, hidden.payoffs, strict=True):
            rows = columns.best(space, space.ends(payoff)).values
            found += weight * columns.visits(space, rows, hidden.gain_expected)
        return found

    def taken(self, solved: Any, place: int, begin: int, width: int, target: Any = None) -> tuple[Any, Any]:
        raise ValueError("the equilibrium has no one move for a roll, so that no roll tells it from another: ask compare")


def answer_payoff(made: Array) -> Array:
    """Return what a final score is worth, by gain, against an unseen one with these chances: ties are split."""
    return np.minimum(1.0, np.cumsum(made) - made / 2)


def exploitability(space: Space, made: Array) -> float:
    """Return what the best answer wins above one half against a player whose final score has these chances."""
    # Playing the same wins half, but for rounding.
    return max(0.0, float(columns.best(space, space.ends(answer_payoff(made))).values[space.start, 0]) - 0.5)


def _check_tie(tie: str | float) -> None:
    if tie not in ("split", 0.5):
        raise ValueError(f"ties {tie} in a simultaneous match: they are split there, say --tie split")


def _play(space: Space, payoff: Array, expected: Array) -> Array:
    """Return the chances of the final scores, by outcome, of a player who maximises a payoff."""
    return space.made(columns.visits(space, columns.best(space, space.ends(payoff)).values, expected))


def solve_hidden(
    game: Any, tolerance: float = 1e-6, tie: str | float = "split", *, progress: Progress | None = None,
    force: bool = False,
) -> Hidden:  # fmt: skip
    """Find an equilibrium of the simultaneous game that no answer beats by more than the tolerance."""
    _check_tie(tie)
    if not FINEST <= tolerance < 0.5:
        raise ValueError(
            f"cannot find an equilibrium to within {tolerance:g}: give a tolerance from {FINEST:g}, the limit of the "
            "arithmetic, to 0.5"
        )
    space = games.space(game)
    space.check_size(force)
    space.check_question("hidden")
    named, expected = solve_expected(space)
    # Playing for points to begin with.
    payoffs = [space.points.astype(float)]
    made = [_play(space, payoffs[0], expected)]
    weights = np.ones(1)
    widest = max(exploitability(space, made[0]), 2 * tolerance)
    while len(made) <= MOST_ANSWERS:
        payoff = answer_payoff(weights @ np.array(made))
        rows = columns.best(space, space.ends(payoff)).values
        gained = float(rows[space.start, 0]) - 0.5
        if progress:
            progress(min(1.0, max(0.0, float(np.log(widest / max(gained, tolerance)) / np.log(widest / tolerance)))))
        if gained <= tolerance:
            break
        answer = space.made(columns.visits(space, rows, expected))
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
    lost = _policies_lose(space)
    return Hidden(space, mixture, aims, chances, named, exploitability(space, mixture @ chances), lost, len(made))


def _policies_lose(space: Space) -> dict[str, float]:
    """Return what each built-in policy loses to the best answer to it."""
    two = solve(space.game, force=True, space=space)
    return {name: exploitability(space, two.made(name)) for name in Duel.policy_names(space.game)}


def _mix(made: Array) -> Array:
    """Return the mixture of policies that none of them beats: the optimum of the linear programme."""
    from scipy.optimize import linprog  # here, for nobody else waits for it

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
