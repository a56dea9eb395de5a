"""The game for two, one after the other: the first plays out, the second sees the score and plays out.

Three payoffs, one solver (`columns.best`):

    expected     the score itself
    second       1 above the target, `tie` at the target, 0 below it
    first        1 - what the score, as a target, is worth to the second player

The second player is solved for every target at once. As stored, the arrays are those of the game's family (`Space.pack`);
here they are counted as solvers do, see `columns`:

    gain_expected[place]             expected outcome beyond what a column holds, when playing for points
    gain_first[place, column]        first player's chance to win, by solo column
    gain_second[place, column]       second player's chance to win, by column of a chase

Entries that no play can reach are NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import inf, isfinite
from random import Random
from typing import Any

import numpy as np

from .. import columns, games
from ..answers import Array, Chase, Checked, Comparison, Distribution, Fair, Move, Plain, Ranking, Simulation, Stored
from ..policies import ByValues
from ..progress import Progress, part
from ..space import Space
from ..ties import check_replay, parse_tie, settle_replay, stored_worth
from . import dealing, handicap, parting
from .scored import Scored, check_outcomes
from .solution import SEATS, Player, Request, check_seat

NOISE = 1e-9
"""Falls of a computed payoff up to this are taken for noise."""


@dataclass(frozen=True, eq=False, repr=False)
class Duel(Scored):
    """The solved game for two players in turn."""

    space: Space
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""
    arrays: dict[str, tuple[tuple[str, ...], Any]]
    """The tables as they are stored: expected, first and second."""
    error_bound: float

    kind = "duel"
    chance_arrays = ("first", "second")
    options = ("target", "seat")
    groups = ("place", "target")

    # Making and keeping it.

    @classmethod
    def check(cls, game: Any, request: Request) -> None:
        parse_tie(request.tie)

    @classmethod
    def solve(cls, game: Any, request: Request, progress: Progress | None = None) -> Duel:
        space = games.space(game).kept_on(request.shelf)
        return solve(game, request.tie, threads=request.threads, progress=progress, force=request.force, space=space)

    @classmethod
    def unsolved(cls, game: Any, question: str, request: Request) -> Duel | None:
        if question != "fair":
            return None
        name, worth = check_solvable(games.space(game), request.tie, request.force)
        return cls(games.space(game), name, 0.5 if worth is None else worth, {}, 0.0)

    def stored(self) -> Stored:
        return Stored(
            self.kind,
            games.rules(self.game),
            {
                "tie": self.tie,
                "tie_worth_to_second": self.tie_worth,
                "error_bound": self.error_bound,
                "payoff": "expected: points; second: 1 above the target, tie_worth_to_second at it, 0 below; "
                "first: 1 - second's value against the score made"
                + ("" if self.game.higher_wins else " (lower scores win: read above as below)"),
            },
            self.axes,
            self.arrays,
        )

    @classmethod
    def from_stored(cls, data: Stored, game: Any = None) -> Duel:
        """Make the solution again from plain data; refuse arrays that do not fit the rules."""
        space = games.space(games.from_rules(data.rules) if game is None else game)
        tie = data.facts["tie"]
        worth = stored_worth(tie, float(data.facts["tie_worth_to_second"]))
        arrays = {name: data.arrays[name] for name in ("expected", "first", "second")}
        duel = cls(space, tie, worth, arrays, float(data.facts["error_bound"]))
        check_outcomes(space, duel.gain_expected)  # `_rows`, of which these are, refuses arrays of other shapes
        if space.check_rows(*duel._rows) == inf:
            raise ValueError("there is no number where play leads")
        for _, array in arrays.values():
            if isinstance(array, np.ndarray):
                array.setflags(write=False)
        return duel

    @property
    def axes(self) -> Plain:
        """The labels along each named axis of the tables."""
        return self.space.axes

    @cached_property
    def _rows(self) -> tuple[Array, Array, Array]:
        return self.space.unpack(self.arrays)

    @property
    def expected_array(self) -> Any:  # type: ignore[override]
        return self.arrays["expected"]

    @property
    def gain_expected(self) -> Array:
        return self._rows[0]

    @property
    def gain_first(self) -> Array:
        return self._rows[1]

    @property
    def gain_second(self) -> Array:
        return self._rows[2]

    @property
    def expected_table(self) -> Array:
        """Expected points still to come, as stored."""
        return np.asarray(self.arrays["expected"][1])

    @property
    def first_table(self) -> Array:
        """The first player's chance to win, as stored."""
        return np.asarray(self.arrays["first"][1])

    @property
    def second_table(self) -> Array:
        """The second player's chance to win, as stored."""
        return np.asarray(self.arrays["second"][1])

    # What positions are worth.

    @property
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when both play for it."""
        return self.first()

    def first(self, state: Any = None) -> float:
        """Return the first player's chance to win from a state, the start if not said."""
        return self.space.reader(self.gain_first)(self._start(state))

    def second(self, target: Any, state: Any = None) -> float:
        """Return the second player's chance to win against a target, from the start if not said.

        A target beyond what can be made, or below it, is lost or won for sure.
        """
        return self.space.reader(self.against(target))(self._start(state))

    def _start(self, state: Any) -> Any:
        return self.space.state(self.space.start, 0) if state is None else state

    def against(self, target: Any) -> Array:
        """Return the second player's values against one target by place and solo column."""
        known = self._against.get(target)
        if known is None:
            if len(self._against) >= 64:
                self._against.clear()
            found = self.space.against(self.gain_second, target)
            if found is None:  # nobody can make it: no game is tied
                over = [float(self.space.sign * (score - target) > 0) for score in self.space.outcomes.tolist()]
                found = columns.best(self.space, self.space.ends(np.array(over))).values
            known = self._against[target] = found
        return known

    @cached_property
    def _against(self) -> dict[Any, Array]:
        return {}

    def second_by_target(self) -> tuple[list[Any], list[float]]:
        """Return every target from the lowest to the highest score, and the second player's chance against each."""
        by_outcome = self.space.by_target(self.gain_second[self.space.start])
        step = self.space.sign
        return self.space.outcomes[::step].tolist(), [float(chance) for chance in by_outcome[::step]]

    # Questions.

    def headline(self) -> Plain:
        return super().headline() | {"error_bound": self.error_bound}

    def chase(self, *, players_after: int | None = None) -> Chase:
        if players_after not in (None, 0):
            raise ValueError(f"--players-after {players_after}: of two players none comes after the second; say --players N")
        scores, chances = self.second_by_target()
        attained = {self.space.outcomes[outcome].item() for outcome in self.space.attained}
        kept = [1.0 - chance if score in attained else float("nan") for score, chance in zip(scores, chances, strict=True)]
        title = f"{self.game.name}, ties {self.tie}: the second player's chance against every final score of the first"
        return Chase(title, tuple(scores), tuple(chances), tuple(kept), self.game.higher_wins)

    def rank_state(
        self, state: Any, roll: Any, target: Any = None, *, sensible: bool = False, values: Array | None = None
    ) -> list[Move]:
        """List the moves of a roll of a state with what they lead to, in the order of the rules."""
        if values is None:
            values = self.gain_first if target is None else self.against(target)
        return self.list_moves(state, roll, self.space.reader(values), sensible=sensible)

    @classmethod
    def check_moves(cls, game: Any, request: Request, roll: Any, **position: Any) -> None:
        _check_seat(position.get("seat"), position.get("target"))
        super().check_moves(game, request, roll, **position)

    def moves(
        self, roll: Any, *, sort: str = "win", against: Player | None = None, target: Any = None,
        seat: str | None = None, **position: Any,
    ) -> Ranking:  # fmt: skip
        """Rank every distinct move of a roll; with a target I am second and they made it, without I am first."""
        _check_seat(seat, target)
        shown, state = self.notation.read(roll, **position)
        values = None
        if against is not None and target is None:
            values, _ = self.answer(against)
            where = f"first to play, against {self.policy(against).name}"
        else:
            where = self.seen_from(target)
        found = self.rank_state(state, shown, target, values=values)
        return self.rank(state, shown, found, sort, where, target)

    def chance_before(self, roll: Any, *, target: Any = None, seat: str | None = None, **position: Any) -> float:
        _check_seat(seat, target)
        _, state = self.notation.read(roll, **position)
        return self.first(state) if target is None else self.second(target, state)

    def seen_from(self, target: Any) -> str:
        """Say in which seat a player is, and what ties are."""
        return ("first to play" if target is None else f"second, they made {target}") + f", ties {self.tie}"

    def distribution(
        self, policy: Player, target: Any = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None, **position: Any,
    ) -> Distribution:  # fmt: skip
        self.check_distribution(self.game, None, target, seat)
        return self.told(self.made(policy, target, force=force, progress=progress))

    def made(
        self, policy: Player, target: Any = None, *, force: bool = False, progress: Progress | None = None
    ) -> Array:
        """Return the exact chance of each outcome; with a target the policy plays second against it."""
        chosen = self.policy(policy)
        return self.space.made(chosen.visits(self, target, force=force, progress=progress))

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        self.check_compare(self.game, None, seat)
        chosen = [self.policy(policy) for policy in policies or self.policy_names(self.game)]
        firsts, seconds = [], []
        for place, policy in enumerate(chosen):
            firsts.append(self.made(policy, force=force))
            seconds.append(policy.replies(self, force=force))
            if progress:
                progress((place + 1) / len(chosen))
        made = np.array(firsts)
        wins, ties = made @ np.array([w for w, _ in seconds]).T, made @ np.array([t for _, t in seconds]).T
        names = tuple(policy.name for policy in chosen)
        return Comparison(names, np.clip(1.0 - wins - ties, 0.0, 1.0), ties, wins, self.tie_worth)

    def answer(self, against: Player, *, threads: int | None = None, **how: Any) -> tuple[Array, float]:
        """Return the first player's best values by place and column against a second who plays a policy, and the value."""
        wins, ties = self.policy(against).replies(self, **how)
        payoff = 1.0 - wins - self.tie_worth * ties
        # Equal moves are within 1e-10 of each other, so that a policy's results carry that much noise; no more is let pass.
        higher = np.maximum.accumulate(payoff)
        payoff = self.space.smooth(np.where(higher - payoff <= NOISE, higher, payoff))
        rows = columns.best(self.space, self.space.ends(payoff), threads=threads).values
        return rows, float(rows[self.space.start, 0])

    def best_answer(self, against: Player, progress: Progress | None = None) -> Plain:
        policy = self.policy(against)
        _, value = self.answer(policy)
        wins, ties = policy.replies(self)
        reply = np.ascontiguousarray(self.space.by_target(self.gain_second[self.space.start]))
        return {
            **self.headline(), "against": policy.name, "first_player_value": value,
            "second_player_value": float(self.made(policy) @ reply),
            "win_policy_value": float(self.made("win") @ (1.0 - wins - self.tie_worth * ties)),
        }  # fmt: skip

    @classmethod
    def check_distribution(
        cls, game: Any, players: int | None = None, target: Any = None, seat: str | int | None = None, **position: Any
    ) -> None:
        if seat is not None and check_seat(seat) != ("first" if target is None else "second"):
            raise ValueError(f"--seat {seat}: the first plays without --target, the second with it; leave --seat out")

    @classmethod
    def check_diff(cls, game: Any, seat: str | None = None, target: Any = None, group: str | None = None) -> None:
        super().check_diff(game, seat, target, group)
        if seat not in (None, "first", "second") or (seat == "first" and target is not None):
            raise ValueError(f"--seat {seat}: say first, without a target, or second")
        space = games.space(game)
        if target is not None and space.outcome(target) not in space.attained:
            scores = sorted(space.outcomes[space.attained].tolist())
            raise ValueError(f"nobody can make {target}: the scores of {game.name} run from {scores[0]} to {scores[-1]}")

    def diff(
        self, *, policy: Player | None = None, to: Player | None = None, seat: str | None = None, target: Any = None,
        against: Player | None = None, force: bool = False, progress: Progress | None = None,
    ) -> parting.DuelDifference | parting.SeatDifference:  # fmt: skip
        self.check_diff(self.game, seat, target)
        one, other = self.policy(policy or "score"), self.policy(to or "win")
        if seat == "second" and target is None:
            opponent = self.policy(against or "win")
            return parting.second_seat(self, opponent, one, other, force=force, progress=progress)
        if target is not None:
            if against is not None:
                raise ValueError(f"--against {self.policy(against).name}: a target is what they made; leave one of them out")
            return parting.against_target(self, one, other, target, force=force, progress=progress)
        worth = 1.0 - self.space.by_target(self.gain_second[self.space.start])
        best = self.gain_first
        if against is not None:
            wins, ties = self.policy(against).replies(self, force=force)
            worth, best = 1.0 - wins - self.tie_worth * ties, self.answer(against, force=force)[0]
        chosen = [ByValues(self, "win", best) if way.name == "win" else way for way in (one, other)]
        ways = parting.Ways(chosen[0], chosen[1], worth)
        return parting.between(self, ways, best, force=force, progress=progress)

    def simulate(
        self, first: Player | None = None, second: Player | None = None, *, games: int, seed: int = 0,
        progress: Progress | None = None,
    ) -> Simulation:  # fmt: skip
        players = self.policy(first or "win"), self.policy(second or "score")
        return dealing.deal(self, *players, games, seed, progress=progress)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        return handicap.sequential(self, 2 if around is None else around, progress)

    def sit(self, seat: str) -> dealing.DuelSitting:
        return dealing.DuelSitting(self, SEATS.index(check_seat(seat)))

    # Checking.

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        """Recompute values of all places of a small game, else of a seeded sample: the start always among them."""
        space, draw = self.space, Random(seed)
        checked, worst = self._check_ends()
        worst = max(worst, space.check_rows(self.gain_expected, self.gain_first, self.gain_second))
        held = 1 if space.solo.shifts else 0
        chosen = list(space.sample(seed))
        for done, (place, gain) in enumerate(chosen, 1):
            target = space.outcomes[draw.choice(space.attained)].item()
            values = self.against(target)
            tables: list[Callable[[int, int], float]] = [
                lambda place, gain: float(self.gain_expected[place]) + held * gain,
                lambda place, gain: float(self.gain_first[place, held * gain]),
                lambda place, gain, values=values: float(values[place, held * gain]),  # type: ignore[misc]
            ]
            for table, found in zip(tables, space.recompute(place, gain, tables), strict=True):
                worst = max(worst, _apart(found, table(place, gain)))
            checked += len(tables)
            if progress:
                progress(done / len(chosen))
        return Checked(checked, worst)

    def _check_ends(self) -> tuple[int, float]:
        """Compare the rows of finished places with the payoffs themselves."""
        space = self.space
        replies = 1.0 - space.by_target(self.gain_second[space.start])
        apart = [self.gain_second[space.finished] - space.chase_ends(1.0, self.tie_worth)]
        ends = self.gain_first[space.finished] - space.ends(replies)
        apart.append(ends[:, space.attained] if space.solo.shifts else ends)
        if self.tie == "replay":
            apart.append(np.array([self.second_player_value - self.tie_worth]))
        known = [np.abs(part[~np.isnan(part)]) for part in apart]
        return sum(part.size for part in known), max(float(part.max(initial=0.0)) for part in known)

    def to_xarray(self) -> Any:
        """Return the tables as an xarray Dataset (needs the extra `xarray`)."""
        xarray = import_module("xarray")
        data = self.stored()
        return xarray.Dataset(
            {name: (axes, values) for name, (axes, values) in data.arrays.items()}, coords=data.axes, attrs=data.facts
        )

    def __repr__(self) -> str:
        return (
            f"<Duel of {self.game.name}, ties {self.tie}: first player {self.first_player_value:.6f}, "
            f"second {self.second_player_value:.6f}; expected score {self.expected_score:.6f}>"
        )


def _check_seat(seat: str | None, target: Any) -> None:
    if seat not in (None, "first" if target is None else "second"):
        raise ValueError(f"--seat {seat}: without --target I am first, with it second; leave --seat out")


def _apart(one: float, other: float) -> float:
    """Return the distance of two values; what is no number is infinitely far from everything."""
    return abs(float(one) - float(other)) if isfinite(one) and isfinite(other) else float("inf")


def check_solvable(space: Space, tie: str | float, force: bool) -> tuple[str, float | None]:
    """Refuse games that are too large, and tie rules that they cannot have; return the rule as `parse_tie` does."""
    space.check_size(force)
    name, worth = parse_tie(tie)
    if worth is None:
        check_replay(space.game.name, space.attained)
    return name, worth


def solve(
    game: Any, tie: str | float = "split", *, threads: int | None = None, progress: Progress | None = None,
    force: bool = False, space: Space | None = None,
) -> Duel:  # fmt: skip
    """Solve the game for two: expected score, second player against every target, first player.

    A game too large to be solved in a minute or so is refused unless `force` is set. `space` is how the game is solved,
    where that is not what its family does.
    """
    space = games.space(game) if space is None else space
    name, worth = check_solvable(space, tie, force)
    expected = columns.points(space, threads=threads, progress=part(progress, 0.0, 0.15))
    shares = iter(((0.15, 0.85), (0.85, 1.0)))

    def against(worth: float) -> tuple[Any, Any]:
        ways = [part(progress, *next(shares, (1.0, 1.0))) for _ in range(2)]
        second = columns.best(space, space.chase_ends(1.0, worth), threads=threads, progress=ways[0])
        replies = space.by_target(second.values[space.start])
        return second, columns.best(space, space.ends(1.0 - replies), threads=threads, progress=ways[1])

    if worth is None:
        worth, (second, first) = settle_replay(against, lambda solved: float(solved[1].values[space.start, 0]))
    else:
        second, first = against(worth)
    arrays = space.keep(expected, first, second)
    return Duel(space, name, worth, arrays, first.error_bound + second.error_bound)

