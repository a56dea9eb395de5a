"""Races as matches for two, whose turns interleave.

    values      [standing to move, standing of the other]: the chance to win of the player to move
    scores      [standing]: points;  opened [standing]: whether the player has opened
    busts       [standing]: how many turns in a row made nothing, where a house rule counts them

See `race.solver` for what a standing is and how the values come about. Only a last round can be tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..answers import Chase, Checked, Comparison, Distribution, Fair, Plain, Ranking, Simulation, Stored, by_win
from ..progress import Progress, part
from ..race import dealing, exact, following, solver
from ..race.notation import RaceNotation, check_turn
from ..race.policies import RacePolicy, expected_score, make, points_tables, rows_of, score_worths
from ..race.rules import RaceGame
from ..race.solver import Axes, Iterations, axes, find_standing
from ..race.turn import Flags, Floats, Integers, TurnChances, list_moves, turn_tables
from .race_players import Untied, check_format
from .solution import SEATS, Player, Request, check_games, check_seat

COMPARED = ("win", "score", "simple", "random")
"""The policies that are compared if none are named."""

MOST_TURNS = 64
"""How many turns are remembered at a time."""

AROUND = 5
"""How many units more and fewer a fair start is shown with."""


@dataclass(frozen=True, eq=False, repr=False)
class Race(Untied):
    """A solved race: `values[i, j]` is the chance to win of the player to move at standing i against standing j."""

    game: RaceGame
    values: Floats
    scores: Integers
    opened: Flags
    busts: Integers
    iterations: Iterations
    error_bound: float
    tie: str = "none"
    tie_worth: float = 0.5

    kind = "race"
    chance_arrays = ("values",)
    groups = ("score-difference",)
    distribution_options = ("score", "opponent", "whole")

    def __repr__(self) -> str:
        return (
            f"<Race {self.game.name} to {self.game.goal}: {len(self.scores)} standings, "
            f"first player {self.first_player_value:.6f}, error at most {self.error_bound:.1e}>"
        )

    # Making and keeping it.

    @classmethod
    def check(cls, game: RaceGame, request: Request) -> None:
        check_format(game, request, (None, 2))
        axes(game)  # refuses a race with too many standings

    @classmethod
    def solve(
        cls, game: RaceGame, request: Request | None = None, progress: Progress | None = None,
        handicaps: Sequence[int] = (),
    ) -> Self:  # fmt: skip
        """Solve the race; `handicaps` adds standings of players who were given points, which count but do not open."""
        request = request or Request()
        cls.check(game, request)
        solver.check_work(game, request.force)
        tie, worth = cls.tie_of(game, request.tie)
        found = solver.solve(game, threads=request.threads, progress=progress, handicaps=handicaps, tie=1.0 - worth)
        return cls(game, found.values, *found.axis, found.iterations, found.error_bound, tie, worth)

    def stored(self) -> Stored:
        return Stored(
            "race",
            self.rules(self.game),
            {
                "payoff": "values: the chance to win of the player to move",
                "iterations": list(self.iterations),
                "error_bound": self.error_bound,
                **({} if self.tie in ("none", "split") else {"tie": self.tie}),
            },
            {"to_move": self.scores, "other": self.scores},
            {
                "values": (("to_move", "other"), self.values),
                "opened": (("to_move",), self.opened.astype(np.int64)),
                **({"busts": (("to_move",), self.busts)} if self.game.three_busts else {}),
            },
        )

    @classmethod
    def from_stored(cls, data: Stored, game: RaceGame | None = None) -> Self:
        game = cls.made_of(data.rules) if game is None else game
        scores = np.asarray(data.axes["to_move"], dtype=np.int64)
        opened = np.asarray(data.arrays["opened"][1]).astype(bool)
        values = np.asarray(data.arrays["values"][1], dtype=np.float64)
        busts = np.asarray(data.arrays["busts"][1], dtype=np.int64) if game.three_busts else np.zeros_like(scores)
        unopened = scores[~opened & (busts == 0) & (scores >= 0)].tolist()
        expected = axes(game, unopened if game.opening else ())
        if not all(np.array_equal(one, other) for one, other in zip(expected, (scores, opened, busts), strict=True)):
            raise ValueError(f"{len(scores)} standings that are not those of {game.name}")
        if values.shape != (len(scores), len(scores)):
            raise ValueError(f"values of shape {values.shape} for {len(scores)} standings")
        if not np.isfinite(values).all():
            raise ValueError("there is no number where play leads")
        most, total = (int(count) for count in data.facts["iterations"])
        tie, worth = cls.tie_of(game, data.facts.get("tie", "split"))
        bound = float(data.facts["error_bound"])
        return cls(game, values, scores, opened, busts, Iterations(most, total), bound, tie, worth)

    def verify(self, seed: int = 0, progress: Progress | None = None, *, sample: int = 100) -> Checked:
        return solver.verify(self.game, self.axis, self.values, sample, seed, progress)

    # What it is worth.

    @property
    def axis(self) -> Axes:
        """The standings."""
        return Axes(self.scores, self.opened, self.busts)

    @property
    def first_player_value(self) -> float:
        return float(self.values[self.axis.start, self.axis.start])

    @property
    def expected_turn_score(self) -> float:
        """The expected score of a turn that is played for it, by a player who has opened."""
        return turn_tables(self.game).expected_turn_score

    def headline(self) -> Plain:
        return {
            "game": self.game.name, "expected_turn_score": self.expected_turn_score,
            "first_player_value": self.first_player_value, "second_player_value": self.second_player_value,
            "iterations": self.iterations.most, "error_bound": self.error_bound,
        }  # fmt: skip

    def standing(self, score: int, opened: bool | None = None, busts: int = 0) -> int:
        """Return the index of a standing, or refuse one that cannot occur or was not solved."""
        return find_standing(self.game, self.axis, score, opened, busts)

    def chances(
        self, score: int = 0, opponent: int = 0, *, opened: bool | None = None, opponent_opened: bool | None = None,
        busts: int = 0, opponent_busts: int = 0, others: Floats | None = None,
    ) -> TurnChances:  # fmt: skip
        """Work out one turn of the player to move; its `stops(game.unit)` say from which totals on banking wins.

        `others[j, i]` is the chance of the other player to move at j against i, by default as both play to win.
        """
        me, them = self.standing(score, opened, busts), self.standing(opponent, opponent_opened, opponent_busts)
        if others is not None:
            return solver.chances_at(self.game, self.axis, others, me, them)
        # A turn is asked about roll after roll.
        if (me, them) not in self._turns:
            if len(self._turns) >= MOST_TURNS:
                self._turns.clear()
            self._turns[me, them] = solver.chances_at(self.game, self.axis, self.values, me, them)
        return self._turns[me, them]

    @cached_property
    def _turns(self) -> dict[tuple[int, int], TurnChances]:
        return {}

    def win_probability(
        self, score: int, opponent: int, turn: int = 0, dice: int | None = None, *, opened: bool | None = None,
        opponent_opened: bool | None = None, busts: int = 0, opponent_busts: int = 0,
    ) -> float:  # fmt: skip
        """Return the chance to win of the player to move, with a turn total and so many dice to throw, if he likes.

        At turn total 0 he must throw all dice. Later on the number of dice is 0 if all are used and may not be thrown
        again.
        """
        dice = self.game.dice if dice is None else dice
        me, them = self.standing(score, opened, busts), self.standing(opponent, opponent_opened, opponent_busts)
        check_turn(self.game, turn, dice)
        if turn == 0:
            return float(self.values[me, them])
        chances = self.chances(
            score, opponent, opened=opened, opponent_opened=opponent_opened, busts=busts, opponent_busts=opponent_busts
        )
        total = turn // self.game.unit
        return chances.bank_or_lose(total) if dice == 0 else max(chances.rolled(total, dice), chances.banked(total))

    # Questions.

    @cached_property
    def notation(self) -> RaceNotation:
        """How rolls and positions are read and written."""
        return RaceNotation(self.game)

    def policy(self, chosen: Player) -> RacePolicy:
        return make(chosen, self.game, self.axis, self.values)

    def moves(
        self, roll: Any, *, sort: str = "win", against: Player | None = None, turn: int | None = None,
        score: int | None = None, opponent: int | None = None, opened: bool | None = None,
        opponent_opened: bool | None = None, busts: int | None = None, opponent_busts: int | None = None, **position: Any,
    ) -> Ranking:  # fmt: skip
        """Rank every distinct keep of a roll, with banking and with throwing on; `turn` is the total before the roll.

        What is not said is 0, and whether a player has opened, what the score says.
        """
        for name, value in position.items():
            if value is not None:
                raise ValueError(f"--{name.replace('_', '-')} is for pools: leave it out")
        shown, at = self.notation.read_position(
            roll, turn, score, opponent, opened=opened, opponent_opened=opponent_opened, busts=busts,
            opponent_busts=opponent_busts,
        )  # fmt: skip
        asked: Plain = {name: getattr(at, name) for name in self.notation.options}
        others = None
        if against is not None:
            opposing = self.policy(against)
            others = exact.best_answer(opposing, tie=1.0 - self.tie_worth).others
            asked["against"] = opposing.name
        sides = {name: getattr(at, name) for name in ("opened", "opponent_opened", "busts", "opponent_busts")}
        chances = self.chances(at.score, at.opponent, others=others, **sides)
        tables, row = points_tables(self.game, self.axis), rows_of(self.game, self.axis)
        standing = self.standing(at.score, at.opened, at.busts)
        said = roll if isinstance(roll, str) else self.notation.write_roll(shown)
        return Ranking.of(
            self.game, self.notation, shown,
            list_moves(self.game, shown, at.turn, chances, tables, int(row[standing])), sort=sort,
            orders={"win": (by_win, expected_score), "score": score_worths(self.game, at)},
            question=f"{self.game.name}: {said}, turn total {at.turn}, my score {at.score}, theirs {at.opponent}",
            asked=asked,
        )  # fmt: skip

    def chance_before(self, roll: Any, **position: Any) -> float:
        _, at = self.notation.read_position(roll, **position)
        sides = {name: getattr(at, name) for name in ("opened", "opponent_opened", "busts", "opponent_busts")}
        chances = self.chances(at.score, at.opponent, **sides)
        return float(chances.rolled(at.turn // self.game.unit, at.dice))

    def chase(self, *, players_after: int | None = None) -> Chase:
        """Return the chance of the player to move at 0 against every score of the other."""
        if players_after is not None:
            raise ValueError(f"--players-after {players_after}: a race is for two here, leave it out")
        others = [int(np.flatnonzero(self.scores == score)[0]) for score in np.unique(self.scores)]
        chances = [float(self.values[self.axis.start, other]) for other in others]
        title = f"{self.game.name}: the chance of the player to move at 0 against every score of the other"
        kept = tuple(1.0 - chance for chance in chances)
        return Chase(title, tuple(int(self.scores[other]) for other in others), tuple(chances), kept)

    @classmethod
    def check_distribution(
        cls, game: RaceGame, players: int | None = None, target: Any = None, seat: str | int | None = None, *,
        score: int | None = None, opponent: int | None = None, whole: bool | None = None,
        policy: Player | None = None, **position: Any,
    ) -> None:  # fmt: skip
        if whole:
            cls.check_alone(policy)
        for name, said in (("target", target), ("seat", seat)):
            if said is not None:
                raise ValueError(f"--{name} {said}: a turn is told at --score and --opponent, leave --{name} out")
        if whole and (score is not None or opponent is not None):
            raise ValueError("--whole counts the turns from 0 on, alone: leave --score and --opponent out")
        for at in (score, opponent):
            find_standing(game, solver.axes(game), at or 0)

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, score: int | None = None, opponent: int | None = None, whole: bool | None = None,
        **position: Any,
    ) -> Distribution:  # fmt: skip
        """Return the distribution of the points of one turn; with `whole` of the turns that it takes to the goal, alone."""
        self.check_distribution(self.game, None, target, seat, score=score, opponent=opponent, whole=whole)
        chosen = self.policy(policy)
        if not whole:
            me, them = self.standing(score or 0), self.standing(opponent or 0)
            points, chances = exact.turn_points(chosen, me, them, force=force)
            return Distribution(points, chances, "points of a turn")
        return self.turns_alone(chosen)

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        self.check_compare(self.game, None, seat)
        chosen = [self.policy(one) for one in policies or COMPARED]
        names = tuple(one.name for one in chosen)
        if not self.game.last_round:
            first_win = exact.compare(chosen, force=force, progress=progress)
            return Comparison(names, first_win, np.zeros_like(first_win), 1.0 - first_win)
        # Once with ties worth nothing to the first player, once as if he had won them.
        won, not_lost = (
            exact.compare(chosen, force=force, progress=part(progress, worth / 2, (worth + 1) / 2), tie=(worth, worth))
            for worth in (0.0, 1.0)
        )
        return Comparison(names, won, not_lost - won, 1.0 - not_lost)

    def best_answer(self, against: Player, progress: Progress | None = None) -> Plain:
        """Return what the best answer to a policy is worth in either seat, and what `win` is worth in the first."""
        opponent = self.policy(against)
        tie = 1.0 - self.tie_worth
        found = exact.best_answer(opponent, progress=part(progress, 0.0, 0.5), tie=tie)
        plain = exact.evaluate(self.policy("win"), opponent, progress=part(progress, 0.5, 1.0), tie=(tie, 1.0 - tie))
        return {
            "game": self.game.name, "against": opponent.name, "tie": self.tie,
            "first_player_value": found.first_player_value, "second_player_value": found.second_player_value,
            "win_policy_value": plain.first_player_value,
        }  # fmt: skip

    @classmethod
    def check_diff(cls, game: RaceGame, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        if target is not None:
            raise ValueError("--target is for pools: in a race both scores are in view")
        check_seat(seat or "first")

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> following.RaceDifference:  # fmt: skip
        self.check_diff(self.game, seat, target)
        one, opponent = self.policy(policy or "score"), self.policy(against or "win")
        other = None if to is None else self.policy(to)
        return following.between(
            one, other, opponent, check_seat(seat or "first"), win=self.policy("win"), force=force, progress=progress,
            tie=1.0 - self.tie_worth,
        )  # fmt: skip

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        """Play games with dice: by default one who plays to win against one who plays for points."""
        check_games(games, seed)
        one, two = self.policy(first or "win"), self.policy(second or "score")
        return dealing.simulate(one, two, games, seed, progress=progress, tie=self.tie_worth)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        """Find the head start of the second player that makes the race even; his points do not open."""
        around = AROUND if around is None else around
        bonus, values = solver.fair(self.game, around, progress=progress, tie=1.0 - self.tie_worth)
        advice = f"{self.game.name}: give the second player {bonus} points, and the first wins {values[bonus]:.6f}."
        return Fair(self.game, self.match, self.tie, bonus, values, advice, self._even(values))

    def _even(self, values: dict[int, float]) -> float:
        """Return the first player's chance without a head start: it need not be among those near the fair one."""
        return self.first_player_value if len(self.values) else values[0]

    def sit(self, seat: str) -> dealing.RaceSitting:
        for key, told in (("exact", self.game.exact), ("last_round", self.game.last_round), ("falls", self.game.can_fall)):
            if told:
                said = "scores that can fall" if key == "falls" else key
                raise ValueError(f"{self.game.name} with {said} is not played as a training game: take a race without")
        return dealing.RaceSitting(self, SEATS.index(check_seat(seat)))
