"""A game played for another aim than winning: one player alone, a payoff of the final score, the best play for it.

    values[place, column]     what the aim is worth when it is played for, by solo column (see `columns`)

There is no seat and no tie rule, and no chance to win is told. Playing for points is an aim too; its values are the
expected scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from .. import aims, columns, games
from ..aims import Aim
from ..answers import Array, Checked, Distribution, Move, Plain, Ranking, Simulation, Stored
from ..policies import ByValues, ScoringPolicy, score_worths
from ..progress import Progress, part
from ..space import Space
from . import dealing, parting
from .scored import Named, Scored, check_expected, solve_expected
from .solution import Player, Request, check_games


@dataclass(frozen=True, eq=False, repr=False)
class Solo(Scored):
    """A game solved for an aim."""

    space: Space
    aim: Aim
    values: Array
    expected_array: Named
    error_bound: float

    kind = "solo"
    called = "a game played for an aim"
    tie = "none"
    tie_worth = 0.5
    ties = False
    keeps = False
    alone = True
    because = {  # noqa: RUF012
        "chase": "nobody has a score to beat", "compare": "distribution and diff tell what policies are worth",
        "best_answer": "there is no opponent", "fair": "there is no opponent",
    }  # fmt: skip
    groups = ("place",)
    instead = "leave --aim out"

    @classmethod
    def check(cls, game: Any, request: Request) -> None:
        aims.read(request.aim)
        asked = {"--tie": request.tie != "split", "--match": request.match != "sequential", "--players": request.players}
        for option, said in asked.items():
            if said:
                raise ValueError(f"an aim is one player's alone, with no {option[2:]}: leave {option} out, or --aim")

    @classmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Solo:
        space = games.space(game)
        space.check_size(request.force)
        aim = aims.read(request.aim)
        assert aim is not None, "who plays to win plays a match"
        named, expected = solve_expected(space, request.threads)
        if progress:
            progress(0.5)
        if aim.name == aims.POINTS:
            return cls(space, aim, space.points_values(expected), named, space.bound(0.0, float(space.points[-1])))
        payoff = space.payoff(aim)
        able = space.suits(payoff)
        rows = columns.best(able, able.ends(payoff), threads=request.threads, progress=part(progress, 0.5, 1.0))
        return cls(space, aim, rows.values, named, rows.error_bound)

    # What it is worth.

    @property
    def value(self) -> float:
        """What the aim is worth at the start: for points, the expected score itself."""
        return self._said(float(self.values[self.space.start, 0]))

    def _said(self, worth: float) -> float:
        return worth * self.space.sign if self.aim.name == aims.POINTS else worth

    @property
    def first_player_value(self) -> float:
        self._no_seats()

    @property
    def second_player_value(self) -> float:
        self._no_seats()

    def _no_seats(self) -> NoReturn:
        raise ValueError(f"{self.game.name} played for {self.aim.name} has no seats: leave the aim out to play a match")

    @cached_property
    def best(self) -> ByValues:
        """The best play for the aim."""
        return ByValues(self, self.aim.name, self.values, self.space.suits(self.space.payoff(self.aim)))

    def headline(self) -> Plain:
        spread = {}
        if self.space.lays_out:
            made = self.distribution(self.aim.name)
            spread = {"mean": made.mean, "sd": made.sd}
        return {
            "game": self.game.name, **self.notation.labels, "aim": self.aim.name, "value": self.value,
            "expected_score": self.expected_score, **spread, "error_bound": self.error_bound,
        }  # fmt: skip

    # Questions.

    gain_first = property(lambda self: self.values)
    gain_second = property(_no_seats)

    def against(self, target: Any) -> Array:
        self._no_seats()

    @classmethod
    def policy_names(cls, game: Any) -> tuple[str, ...]:
        return tuple(name for name in games.family(game).policies if name != "win")

    def policy(self, chosen: Player) -> ScoringPolicy:
        if isinstance(chosen, str) and chosen == self.aim.name:
            return self.best if chosen != aims.POINTS else self.make_policy("score")
        if chosen == "win":
            raise ValueError("win plays a match, not for an aim: leave --aim out, and name the aim as a policy instead")
        return self.make_policy(chosen)

    def rank_state(
        self, state: Any, roll: Any, target: Any = None, *, sensible: bool = False, values: Array | None = None
    ) -> list[Move]:
        """List the moves of a roll of a state with what the aim is then worth, in place of a chance to win."""
        rows = self.values if values is None else values
        return self.list_moves(state, roll, self.space.reader(rows), sensible=sensible)

    def moves(self, roll: Any, *, sort: str = "win", against: Player | None = None, **position: Any) -> Ranking:
        if against is not None:
            raise ValueError("--against names an opponent, and an aim has none: leave it or --aim out")
        shown, state = self.notation.read(roll, **position)
        read = self.space.reader(self.values)
        listed = [
            Move(keep, points, self.notation.left(after), self.expected(after), float("nan"), None, self._said(read(after)))
            for keep, after, points in self.space.game.moves(state, shown)
        ]
        sign = self.space.sign

        def value(move: Move) -> float:
            return (move.value or 0.0) * (sign if self.aim.name == aims.POINTS else 1)

        return Ranking.of(
            self.game, self.notation, shown, listed, sort="aim" if sort == "win" else sort,
            orders={"aim": [value, *score_worths(sign)], "score": score_worths(sign)},
            question=f"{self.game.name}: {self.notation.words(state, shown)}, played for {self.aim.name}",
            asked=self.notation.asked(state) | {"aim": self.aim.name},
        )  # fmt: skip

    def made(
        self, policy: Player, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        """Return the exact chance of each outcome of a policy."""
        if target is not None:
            raise ValueError(f"a target of {target} is for a match: leave --target or --aim out")
        return self.space.made(self.policy(policy).visits(self, force=force, progress=progress))

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        for name, said in (("seat", seat), ("target", target)):
            if said is not None:
                raise ValueError(f"--{name} {said}: an aim is one player's alone, leave --{name} or --aim out")

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        cls.check_distribution(game, None, target, seat)

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        self.check_distribution(self.game, None, target, seat)
        return self.told(self.made(policy, target, force=force, progress=progress))

    def worth_of(self, policy: Player, *, force: bool = False) -> float:
        """Return what the aim is worth to a policy, on average."""
        return self._said(float(self.made(policy, force=force) @ self.space.payoff(self.aim)))

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> parting.DuelDifference:  # fmt: skip
        self.check_diff(self.game, seat, target)
        if against is not None:
            raise ValueError(f"--against {against}: an aim is one player's alone, leave --against or --aim out")
        one, other = self.policy(policy or "score"), self.policy(self.aim.name if to is None else to)
        ways = parting.Ways(one, other, self.space.payoff(self.aim))
        return parting.between(self, ways, self.values, aim=self.aim.name, force=force, progress=progress)

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        if second is not None:
            raise ValueError("--second: an aim is one player's alone, leave it or --aim out")
        check_games(games, seed)
        player = self.policy(self.aim.name if first is None else first)
        made = dealing.deal_alone(self, player, games, seed, progress=progress)
        payoff, points = self.space.payoff(self.aim)[made], self.space.outcomes[made]
        root = np.sqrt(games)
        return Simulation(
            games, seed, (self._said(float(np.mean(payoff))),), (float(np.std(payoff) / root),),
            first_mean=float(np.mean(points)), first_mean_standard_error=float(np.std(points) / root),
        )  # fmt: skip

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute the values of a sample of places through the plain rules."""
        able, shifts, worst, checked = self.best.space, int(self.space.solo.shifts), 0.0, 0
        for place, gain in able.sample(seed):
            found = able.recompute(place, gain, [lambda place, gain: float(self.values[place, gain * shifts])])
            worst, checked = max(worst, abs(found[0] - float(self.values[place, gain * shifts]))), checked + 1
        return Checked(checked, worst)

    @classmethod
    def kept(cls, game: Any, request: Request) -> bool:
        """Keep what is played for points where solving it anew for every question takes seconds."""
        return request.aim == aims.POINTS and not games.space(game).lays_out

    @classmethod
    def facts(cls, tie: str, players: int | None) -> Plain:
        return {"kind": cls.kind, "aim": aims.POINTS}

    @classmethod
    def file_parts(cls, tie: str, players: int | None) -> list[str]:
        return [aims.POINTS]

    def stored(self) -> Stored:
        if self.aim.name == aims.POINTS:
            facts = {"aim": aims.POINTS, "error_bound": self.error_bound, "payoff": "expected: points"}
            return Stored(self.kind, games.rules(self.game), facts, self.space.left_axes, {"expected": self.expected_array})
        raise ValueError(f"{self.game.name} for {self.aim.name} is not stored: solve it anew")

    @classmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Solo:
        if data.facts.get("aim") != aims.POINTS:
            raise ValueError(f"a game played for an aim is not stored: solve {data.rules.get('name', 'it')} anew")
        space = games.space(games.from_rules(data.rules) if game is None else game)
        named, aim = check_expected(space, data.arrays["expected"]), aims.read(aims.POINTS)
        assert aim is not None
        return cls(space, aim, space.points_values(space.unpack_expected(named[1])), named, float(data.facts["error_bound"]))

    def __repr__(self) -> str:
        return f"<Solo {self.game.name} for {self.aim.name}: {self.value:.6f}; expected score {self.expected_score:.6f}>"
