"""Playing the other formats by chance, everybody at his best: plain Python, some thousand games a second on small pools."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ..answers import Simulation, order, standard_error
from ..policies import win_worths
from .scored import Scored
from .solution import Player, check_games

Win = Callable[[Any], float]


class _Table:
    """Rolls dice, and remembers what was decided on every roll."""

    def __init__(self, solution: Scored, first: Player | None, second: Player | None, games: int, seed: int) -> None:
        if first is not None or second is not None:
            raise ValueError("--first and --second are for the game for two in turn: leave them out, all play to win")
        check_games(games, seed)
        if games < 2:
            raise ValueError(f"{games} games: give 2 or more")
        self.solution, self.space, self.games, self.seed = solution, solution.space, games, seed
        self.random = np.random.default_rng(seed)
        self.decided: dict[Hashable, tuple[int, int]] = {}
        self.wins: dict[Hashable, Win] = {}

    def turn(self, place: int, gain: int, aim: Hashable, win: Callable[[], Win]) -> tuple[int, int]:
        """Roll once and move to what is best for a chance to win; `aim` names it and `win` makes it."""
        space, solution = self.space, self.solution
        roll = space.throw(place, self.random)
        key = (place, gain, roll, aim)
        if key not in self.decided:
            if aim not in self.wins:
                self.wins[aim] = win()
            state = space.state(place, gain)
            found = solution.list_moves(state, roll, self.wins[aim])
            best = order(found, win_worths(space.sign), solution.notation.preference)[0]
            after, more = space.play_keep(place, roll, best.keep, "win")
            self.decided[key] = after, gain + more
        return self.decided[key]

    def play_out(self, aim: Hashable, win: Callable[[], Win]) -> int:
        """Play a whole game alone; return its outcome."""
        place, gain = self.space.start, 0
        finished = self.space.finished.tolist()
        while place not in finished:
            place, gain = self.turn(place, gain, aim, win)
        return gain if self.space.solo.shifts else int(self.space.final[finished.index(place)])

    def result(self, shares: list[Any]) -> Simulation:
        """Sum up the shares of the seats, [game, seat], and for two the games that were tied."""
        table = np.array([share for share, _ in shares], float)
        values = tuple(map(float, table.mean(axis=0)))
        errors = tuple(map(float, table.std(axis=0, ddof=1) / np.sqrt(self.games)))
        if table.shape[1] != 2:
            return Simulation(self.games, self.seed, values, errors)
        tied = float(np.mean([tie for _, tie in shares]))
        won = float(np.mean([share[0] == 1.0 and not tie for share, tie in shares]))
        error, tie_error = standard_error(won, self.games), standard_error(tied, self.games)
        return Simulation(self.games, self.seed, values, errors, won, tied, 1.0 - won - tied, error, tie_error)


def alternate(solution: Any, first: Player | None, second: Player | None, games: int, seed: int) -> Simulation:
    """Play roll by roll in turn."""
    table, space = _Table(solution, first, second, games, seed), solution.space
    done = int(space.finished[0])

    def game() -> tuple[tuple[float, float], bool]:
        seats, seat = [(space.start, 0), (space.start, 0)], 0
        while seats[0][0] != done or seats[1][0] != done:
            (place, gain), (other, theirs) = seats[seat], seats[1 - seat]
            if place != done:
                mine, them = space.state(place, gain).banked, space.state(other, theirs).banked
                name, left = ("first", "second")[seat], space.left(other)
                aim = (seat, other, mine - them, mine)
                seats[seat] = table.turn(
                    place, gain, aim, lambda: solution.after(left, mine - them, mine, name)  # noqa: B023
                )
            seat = 1 - seat
        tied = seats[0][1] == seats[1][1]
        share = 1.0 - solution.tie_worth if tied else float(seats[0][1] > seats[1][1])
        return (share, 1.0 - share), tied

    return table.result([game() for _ in range(games)])


def go_round(solution: Any, first: Player | None, second: Player | None, games: int, seed: int) -> Simulation:
    """Play in turn around a table."""
    table, space = _Table(solution, first, second, games, seed), solution.space

    def game() -> tuple[list[float], bool]:
        made: list[int] = []
        for seat in range(solution.n):
            best = max(made, default=None)
            target = None if best is None else space.outcomes[best].item()
            aim = (solution.n - 1 - seat, target, made.count(best) if best is not None else None)
            made.append(table.play_out(aim, lambda: solution.after(*aim)))  # noqa: B023
        share = [(outcome == max(made)) / made.count(max(made)) for outcome in made]
        return share, made.count(max(made)) > 1

    return table.result([game() for _ in range(games)])


def hide(solution: Any, first: Player | None, second: Player | None, games: int, seed: int) -> Simulation:
    """Play without seeing the other's score: each draws a policy of the mixture."""
    table = _Table(solution, first, second, games, seed)

    def game() -> tuple[tuple[float, float], bool]:
        one, other = (
            table.play_out(int(policy), lambda: solution.policy_values(int(policy)))  # noqa: B023
            for policy in table.random.choice(len(solution.weights), 2, p=solution.weights)
        )
        share = 0.5 if one == other else float(one > other)
        return (share, 1.0 - share), one == other

    return table.result([game() for _ in range(games)])
