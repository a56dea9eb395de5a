"""Your own game: solve any solo scoring game exactly, through nothing but its rules.

A game is any object with the four parts of `games.Game`:

    start                  the state before the first roll (an attribute, a property or a method)
    rolls(state)           (roll, weight) pairs, the weight a whole number of ways; none when the game is finished
    moves(state, roll)     (keep, next state, points) triples, at least one
    score(state)           the final score of a finished state

States are hashable and hold all that matters later, the points made so far among them. Two more parts are optional:
`higher_wins` (True if not said) and `ways(state)`, what the weights of the rolls must add up to.

    V(state) = sum over rolls of P(roll) * max over moves of V(next state),    V(finished state) = payoff of its score

States are listed so that every state stands after those it leads to: finished ones early, the start last. Arrays:

    values[state]           worth of each state for one payoff
    values[state, target]   the same for every target at once; targets are the scores that can be made, lowest first

Between moves of equal worth (within TIED) the one with the better expected score is taken, then the one listed first.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from math import isfinite, sqrt
from numbers import Real
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..ask.moves import TIED
from ..games import Game
from ..match.duel import check_replay, parse_tie, settle_replay
from ..pool.solver import Array, Progress

Places = npt.NDArray[np.int64]
Policy = str | Callable[["Position", Any], Hashable]
"""`score`, `win`, `random`, or a function (position, roll) -> keep, asked less often with `uses_target = False`."""

POLICIES = ("score", "win", "random")
MOST_STATES = 1_000_000
MOST_MOVES = 10_000_000
DISAGREE = 1e-9
"""A move that is worse for winning by more than this is a disagreement."""


class _Node(NamedTuple):
    """One unfinished state: its rolls with their weights, and the moves of all rolls one after the other."""

    rolls: tuple[Any, ...]
    weights: Array
    begins: Places  # by roll: where its moves begin
    keeps: tuple[Hashable, ...]
    after: Places  # by move: the place of the next state
    points: tuple[int, ...]

    @property
    def sizes(self) -> Places:
        """How many moves each roll has."""
        return np.diff(self.begins, append=len(self.keeps))

    @property
    def roll_of(self) -> Places:
        """The roll that each move belongs to."""
        return np.repeat(np.arange(len(self.rolls)), self.sizes)

    def span(self, roll: int) -> range:
        """Return the places of the moves of one roll."""
        begin = int(self.begins[roll])
        return range(begin, begin + int(self.sizes[roll]))


class Position(NamedTuple):
    """Where a decision is made: the state, and the score to beat (None for the first player)."""

    state: Any
    target: Any = None


class SoloMove(NamedTuple):
    """One way to play a roll, with what it leads to if the play is best, for either figure, from then on."""

    keep: Hashable
    points: int
    after: Hashable
    expected_score: float
    win_probability: float


class Distribution(NamedTuple):
    """The chance of every final score under a policy."""

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]
    mean: float
    sd: float


class Comparison(NamedTuple):
    """Exact results between policies: row, the first player's policy; column, the second player's."""

    policies: tuple[str, ...]
    first_win: Array
    tie: Array
    second_win: Array


class Row(NamedTuple):
    """One roll at which win and score part: `probability` of it coming up in a game, `cost` in chance to win."""

    state: Hashable
    roll: Hashable
    score_keep: Hashable
    win_keep: Hashable
    probability: float
    cost: float
    score_keep_win_probability: float
    win_keep_win_probability: float
    score_keep_expected_score: float
    win_keep_expected_score: float
    score_tied: bool


class Difference(NamedTuple):
    """Where playing for points and playing to win part, how often and at what cost, per game played for points."""

    decisions_per_game: float
    disagreements_per_game: float
    win_probability_lost: float
    first_roll_disagreement: float
    rows: tuple[Row, ...]


class Simulation(NamedTuple):
    """Shares of games played, each with its standard error in `standard_error`, and the mean scores."""

    first_win: float
    tie: float
    second_win: float
    standard_error: dict[str, float]
    first_mean: float
    second_mean: float


# Reading the rules.


def name_of(game: Any) -> str:
    """Return what to call a game: its own name, or its class's."""
    return str(getattr(game, "name", None) or type(game).__name__)


def check_game(game: Any) -> None:
    """Refuse an object that is no solo game, naming what it lacks."""
    if isinstance(game, type):
        raise ValueError(f"{game.__name__} is a class, not a game: give an object of it, {game.__name__}()")
    for part in ("start", "rolls", "moves", "score"):
        if not hasattr(game, part):
            raise ValueError(
                f"the game {name_of(game)} has no {part}: a game has start, rolls(state), moves(state, roll) and "
                "score(state)"
            )
        if part != "start" and not callable(getattr(game, part)):
            raise ValueError(f"{part} of the game {name_of(game)} is {getattr(game, part)!r}: make it a method")


def _read_node(game: Game, state: Any, room: int) -> tuple[_Node, list[Any]]:
    """Read the rolls and moves of a state; return them with the next states, whose places are not known yet."""
    name = name_of(game)
    rolls: list[Any] = []
    weights: list[int] = []
    begins: list[int] = []
    keeps: list[Hashable] = []
    following: list[Any] = []
    points: list[int] = []
    for pair in game.rolls(state):
        roll, weight = _unpack(pair, 2, f"rolls({state!r}) of {name} gave {pair!r}: give (roll, weight) pairs")
        if isinstance(weight, bool) or not hasattr(weight, "__index__") or operator.index(weight) < 1:
            raise ValueError(
                f"the roll {roll!r} in the state {state!r} of {name} has weight {weight!r}: give the number of ways it "
                "comes up, a whole number from 1 on"
            )
        rolls.append(roll)
        weights.append(operator.index(weight))
        begins.append(len(keeps))
        for triple in islice(game.moves(state, roll), room + 1):
            keep, after, gained = _unpack(
                triple, 3, f"moves({state!r}, {roll!r}) of {name} gave {triple!r}: give (keep, next state, points)"
            )
            keeps.append(keep)
            following.append(after)
            points.append(gained)
        if len(keeps) == begins[-1]:
            raise ValueError(
                f"{name} has no move for the roll {roll!r} in the state {state!r}: give at least one, or no such roll"
            )
        if len(keeps) > room:
            raise ValueError(
                f"{name} has more than {MOST_MOVES:,} moves (at the state {state!r}): too many for the general solver"
            )
    ways = getattr(game, "ways", None)
    if rolls and callable(ways) and sum(weights) != ways(state):
        raise ValueError(
            f"the weights of the rolls in the state {state!r} of {name} add up to {sum(weights)}, not to the "
            f"{ways(state)} ways it says there are"
        )
    total = sum(weights)
    exact = np.array(weights if total < 2**53 else [weight / total for weight in weights], float)
    node = _Node(tuple(rolls), exact, np.array(begins, np.int64), tuple(keeps), np.empty(0, np.int64), tuple(points))
    return node, following


def _unpack(given: Any, size: int, problem: str) -> tuple[Any, ...]:
    if not isinstance(given, tuple | list) or len(given) != size:
        raise ValueError(problem)
    return tuple(given)


def _list_states(game: Game) -> tuple[list[Any], list[_Node | None], dict[Any, int]]:
    """List every state that can be reached, each after those it leads to; refuse a game that never ends."""
    name = name_of(game)
    begin: Any = game.start() if callable(game.start) else game.start
    states: list[Any] = []
    nodes: list[_Node | None] = []
    places: dict[Any, int] = {}
    room = MOST_MOVES
    try:
        on_path = {begin}
    except TypeError:
        raise ValueError(f"the state {begin!r} of {name} cannot be hashed: make states of tuples and numbers") from None
    node, following = _read_node(game, begin, room)
    room -= len(following)
    path = [(begin, node, following, iter(following))]
    while path:
        state, node, following, left = path[-1]
        for after in left:
            try:
                if after in places:
                    continue
                if after in on_path:
                    raise ValueError(
                        f"{name} never ends: the state {after!r} can come again after itself (from {state!r}); let "
                        "every move bring the end nearer"
                    )
                on_path.add(after)
            except TypeError:
                raise ValueError(
                    f"the state {after!r} of {name} cannot be hashed: make states of tuples and numbers"
                ) from None
            if len(places) + len(path) >= MOST_STATES:
                raise ValueError(
                    f"{name} has more than {MOST_STATES:,} states (at {after!r}): too many for the general solver, "
                    "if it ends at all"
                )
            node, following = _read_node(game, after, room)
            room -= len(following)
            path.append((after, node, following, iter(following)))
            break
        else:
            path.pop()
            on_path.remove(state)
            places[state] = len(states)
            states.append(state)
            nodes.append(node._replace(after=np.array([places[s] for s in following])) if node.rolls else None)
    return states, nodes, places


def _read_score(game: Game, state: Any) -> Any:
    score = game.score(state)
    if isinstance(score, bool) or not isinstance(score, Real) or not isfinite(score):
        raise ValueError(f"the score of {name_of(game)} in the finished state {state!r} is {score!r}: give a number")
    return score


# Solving.


def _mean(weights: Array, worth: Array) -> Array:
    """Average rows by weight; summed pairwise, along contiguous memory, so that rounding does not add up."""
    return np.ascontiguousarray(weights * worth.T).sum(axis=-1) / weights.sum()  # type: ignore[no-any-return]


def solve_payoffs(nodes: Sequence[_Node | None], finished: Mapping[int, Array], columns: int) -> Array:
    """Return the values by state and column, for the payoffs of the finished states by column."""
    values = np.empty((len(nodes), columns))
    for place, node in enumerate(nodes):
        if node is None:
            values[place] = finished[place]
        else:
            values[place] = _mean(node.weights, np.maximum.reduceat(values[node.after], node.begins, axis=0))
    return values


@dataclass(frozen=True, eq=False, repr=False)
class SoloSolution:
    """A solved solo game: every question that two players who play it one after the other may ask."""

    game: Game
    tie: str
    tie_worth: float
    """What a tie is worth to the second player."""
    states: tuple[Any, ...]
    scores: tuple[Any, ...]
    """Every final score that can be made, lowest first."""
    expected_values: Array
    first_values: Array
    second_values: Array
    nodes: tuple[_Node | None, ...]

    @property
    def higher_wins(self) -> bool:
        return bool(getattr(self.game, "higher_wins", True))

    @property
    def expected_score(self) -> float:
        """The expected final score of a player who plays for points."""
        return float(self.expected_values[-1])

    @property
    def first_player_value(self) -> float:
        """The first player's chance to win, a tie counted as the tie rule says, when both play for it."""
        return float(self.first_values[-1])

    @property
    def second_player_value(self) -> float:
        return 1.0 - self.first_player_value

    @cached_property
    def places(self) -> dict[Any, int]:
        """Where each state stands."""
        return {state: place for place, state in enumerate(self.states)}

    @cached_property
    def final_scores(self) -> dict[int, Any]:
        """The score of each finished state, by place."""
        return _final_scores(self.game, self.states, self.nodes)

    def expected(self, state: Any) -> float:
        """Return the expected final score from a state, when playing for points."""
        return float(self.expected_values[self._place(state)])

    def first(self, state: Any) -> float:
        """Return the first player's chance to win from a state."""
        return float(self.first_values[self._place(state)])

    def second(self, target: float, state: Any = None) -> float:
        """Return the second player's chance to win against a target, from a state or from the start."""
        place = len(self.states) - 1 if state is None else self._place(state)
        return float(self._against(target)[place])

    def second_by_target(self) -> tuple[list[Any], list[float]]:
        """Return every score that can be made, and the second player's chance against each as a target."""
        return list(self.scores), [float(value) for value in self.second_values[-1]]

    def values(self, payoff: Callable[[Any], float]) -> Array:
        """Return the worth of every state, in the order of `states`, when the final score has this worth."""
        finished = {place: np.array([payoff(score)]) for place, score in self.final_scores.items()}
        return solve_payoffs(self.nodes, finished, 1)[:, 0]

    def rank(self, state: Any, roll: Any, target: float | None = None) -> list[SoloMove]:
        """List every move of a roll, best for winning first; with a target I am second, without I am first."""
        place = self._place(state)
        node = self._node(place)
        if roll not in node.rolls:
            raise ValueError(f"{roll!r} cannot be rolled in the state {state!r} of {name_of(self.game)}")
        wins = self.first_values if target is None else self._against(target)
        number = node.rolls.index(roll)
        chosen = int(self._choose(node, "win", wins)[number, 0])
        # Values that differ by noise only are tied: the move that `win` takes stands first.
        order = sorted(node.span(number), key=lambda move: (move != chosen, -float(wins[node.after[move]])))
        return [
            SoloMove(node.keeps[move], node.points[move], self.states[after], self.expected_values[after], wins[after])
            for move, after in ((move, int(node.after[move])) for move in order)
        ]

    def distribution(self, policy: Policy, target: float | None = None) -> Distribution:
        """Return the exact distribution of the final score under a policy, as second player if a target is given."""
        chances = self._finals(policy, None if target is None else [target])[:, 0]
        scores = np.array(self.scores, float)
        mean = float(chances @ scores)
        sd = sqrt(max(0.0, float(chances @ (scores - mean) ** 2)))
        return Distribution(self.scores, tuple(map(float, chances)), mean, sd)

    def compare(self, policies: Iterable[Policy] = POLICIES) -> Comparison:
        """Play every policy exactly against every other: the chances of a win for the first, a tie, and the second."""
        players = list(policies)
        above, level = _results(self.scores, self.higher_wins)
        made = [self._finals(policy, None)[:, 0] for policy in players]
        first_win, tie, second_win = (np.empty((len(players), len(players))) for _ in range(3))
        for column, policy in enumerate(players):
            replies = self._finals(policy, self.scores)  # [score, target]
            by_target = [(part * replies).sum(axis=0) for part in (above.T, level, above)]
            for table, result in zip((first_win, tie, second_win), by_target, strict=True):
                table[:, column] = [chances @ result for chances in made]
        return Comparison(tuple(_policy_name(policy) for policy in players), first_win, tie, second_win)

    def diff(self, target: float | None = None, limit: int | None = 100) -> Difference:
        """Say where playing for points and playing to win part, along the play for points.

        Rows are those where the move taken for points is worse for winning, the dearest (chance times cost) first.
        """
        wins = self.first_values if target is None else self._against(target)
        reach = self._visits("score", None)[:, 0]
        decisions, rows = 0.0, []
        for place, node in enumerate(self.nodes):
            if node is None or reach[place] == 0:
                continue
            decisions += float(reach[place])
            after = node.after
            by_score, by_win = self._choose(node, "score", wins)[:, 0], self._choose(node, "win", wins)[:, 0]
            best = np.maximum.reduceat(wins[after], node.begins)
            for roll in np.flatnonzero(best - wins[after[by_score]] > DISAGREE):
                taken, better = int(by_score[roll]), int(by_win[roll])
                chosen = after[[taken, better]]
                (win, best_win), (mean, best_mean) = wins[chosen].tolist(), self.expected_values[chosen].tolist()
                listed = self.expected_values[after[list(node.span(int(roll)))]]
                rows.append(
                    Row(
                        self.states[place], node.rolls[roll], node.keeps[taken], node.keeps[better],
                        float(reach[place] * node.weights[roll] / node.weights.sum()), best_win - win,
                        win, best_win, mean, best_mean, bool((abs(listed - mean) <= TIED).sum() > 1),
                    )
                )  # fmt: skip
        rows.sort(key=lambda row: -row.probability * row.cost)
        start = self.states[-1]
        return Difference(
            decisions,
            sum(row.probability for row in rows),
            float(wins[-1]) - self._worth_of_score_play(target),
            sum(row.probability for row in rows if row.state == start),
            tuple(rows[:limit]),
        )

    def simulate(self, first: Policy, second: Policy, games: int, seed: int) -> Simulation:
        """Play games with a seeded random source, roll by roll, and count who wins."""
        if games < 1:
            raise ValueError(f"cannot play {games} games: give 1 or more")
        source = Random(seed)
        players = _Player(self, first, source), _Player(self, second, source)
        sign = 1 if self.higher_wins else -1
        wins, ties, totals = 0, 0, [0.0, 0.0]
        for _ in range(games):
            target = players[0].play(None)
            made = players[1].play(target)
            wins += sign * (target - made) > 0
            ties += target == made
            totals[0] += target
            totals[1] += made
        shares = wins / games, ties / games, (games - wins - ties) / games
        errors = {
            name: sqrt(share * (1 - share) / games)
            for name, share in zip(("first_win", "tie", "second_win"), shares, strict=True)
        }
        return Simulation(*shares, errors, totals[0] / games, totals[1] / games)

    def __repr__(self) -> str:
        return (
            f"<Solution of {name_of(self.game)}, ties {self.tie}: first player {self.first_player_value:.6f}, second "
            f"{self.second_player_value:.6f}; expected score {self.expected_score:.6f}; {len(self.states)} states>"
        )

    # What the questions above are made of.

    def _place(self, state: Any) -> int:
        if state not in self.places:
            raise KeyError(f"the state {state!r} cannot be reached in {name_of(self.game)}")
        return self.places[state]

    def _node(self, place: int) -> _Node:
        node = self.nodes[place]
        if node is None:
            raise ValueError(f"the game is over in the state {self.states[place]!r}: there is nothing to roll")
        return node

    def _against(self, target: float) -> Array:
        """Return the second player's values by state against any target, one that nobody can make included."""
        if target in self.scores:
            return self.second_values[:, self.scores.index(target)]
        sign = 1 if self.higher_wins else -1
        return self.values(lambda score: float(sign * (score - target) > 0))

    def _worth_of_score_play(self, target: float | None) -> float:
        """Return the win value of playing for points: as first against the best second player, or against a target."""
        made = self._finals("score", None)[:, 0]
        if target is None:
            return float(made @ (1.0 - self.second_values[-1]))
        sign = 1 if self.higher_wins else -1
        over = sign * (np.array(self.scores, float) - target)
        return float(made @ np.where(over > 0, 1.0, np.where(over == 0, self.tie_worth, 0.0)))

    def _choose(self, node: _Node, policy: str, wins: Array) -> Places:
        """Return the move that `score` or `win` takes, by roll and column of the win values."""
        sign = 1 if self.higher_wins else -1
        means = sign * self.expected_values[node.after][:, None]
        tied = np.ones((len(node.after), 1), bool)
        worths = [wins[node.after].reshape(len(node.after), -1), means] if policy == "win" else [means]
        for worth in worths:
            left = np.where(tied, worth, -np.inf)
            best = np.maximum.reduceat(left, node.begins, axis=0)
            tied = left >= best[node.roll_of] - TIED
        moves = np.arange(len(node.after))[:, None]
        return np.minimum.reduceat(np.where(tied, moves, len(moves)), node.begins, axis=0)

    def _shares(self, place: int, policy: Policy, targets: Sequence[float] | None, wins: Array) -> Array:
        """Return the chance that a policy takes each move once its roll is there, by move and target."""
        node = self._node(place)
        if policy == "random":
            return (1.0 / node.sizes)[node.roll_of][:, None]
        if isinstance(policy, str):
            chosen = self._choose(node, policy, wins)
        else:
            asked = targets if targets is not None and getattr(policy, "uses_target", True) else [None]
            chosen = np.array(
                [[self._ask(place, roll, policy, target) for target in asked] for roll in range(len(node.rolls))]
            )
        shares = np.zeros((len(node.keeps), chosen.shape[1]))
        shares[chosen, np.arange(chosen.shape[1])] = 1.0
        return shares

    def _ask(self, place: int, roll: int, policy: Callable[[Position, Any], Hashable], target: float | None) -> int:
        """Ask a function for its move; return the move's place, refuse a move that is none."""
        node = self._node(place)
        keep = policy(Position(self.states[place], target), node.rolls[roll])
        for move in node.span(roll):
            if node.keeps[move] == keep:
                return move
        raise ValueError(
            f"{_policy_name(policy)} keeps {keep!r} of the roll {node.rolls[roll]!r} in the state "
            f"{self.states[place]!r}: that is no move of {name_of(self.game)}"
        )

    def _visits(self, policy: Policy, targets: Sequence[float] | None) -> Array:
        """Return the chance that a policy's play passes through each state, by target if it plays second."""
        if isinstance(policy, str) and policy not in POLICIES:
            raise ValueError(f"there is no policy {policy!r}: say {', '.join(POLICIES)}, or give a function")
        if targets is None:
            wins = self.first_values[:, None]
        else:
            wins = np.stack([self._against(target) for target in targets], axis=1)
        reach = np.zeros((len(self.states), wins.shape[1]))
        reach[-1] = 1.0
        for place in range(len(self.states) - 1, -1, -1):
            node = self.nodes[place]
            if node is not None and reach[place].any():
                chances = (node.weights / node.weights.sum())[node.roll_of]
                shares = chances[:, None] * self._shares(place, policy, targets, wins)
                used = np.flatnonzero(shares.any(axis=1))
                np.add.at(reach, node.after[used], shares[used] * reach[place])
        return reach

    def _finals(self, policy: Policy, targets: Sequence[float] | None) -> Array:
        """Return the chance of each final score under a policy, by score and target."""
        reach = self._visits(policy, targets)
        columns = {score: column for column, score in enumerate(self.scores)}
        finals = np.zeros((len(self.scores), reach.shape[1]))
        for place, score in self.final_scores.items():
            finals[columns[score]] += reach[place]
        return finals


class _Player:
    """A policy at the table: draws rolls and plays one solo game at a time."""

    def __init__(self, solution: SoloSolution, policy: Policy, source: Random) -> None:
        if isinstance(policy, str) and policy not in POLICIES:
            raise ValueError(f"there is no policy {policy!r}: say {', '.join(POLICIES)}, or give a function")
        self.solution, self.policy, self.source = solution, policy, source
        self.ways: dict[int, list[float]] = {}
        self.chosen: dict[tuple[int, Any], Places] = {}

    def play(self, target: Any) -> Any:
        """Play one game to its end; return the score."""
        place = len(self.solution.states) - 1
        while (node := self.solution.nodes[place]) is not None:
            if place not in self.ways:
                self.ways[place] = list(accumulate(node.weights))
            ways = self.ways[place]
            roll = bisect_right(ways, self.source.random() * ways[-1])
            place = int(node.after[self._move(place, node, roll, target)])
        return self.solution.final_scores[place]

    def _move(self, place: int, node: _Node, roll: int, target: Any) -> int:
        if self.policy == "random":
            return self.source.choice(node.span(roll))
        if not isinstance(self.policy, str):
            return self.solution._ask(place, roll, self.policy, target)
        known = self.chosen.get((place, target))
        if known is None:
            wins = self.solution.first_values if target is None else self.solution._against(target)
            known = self.chosen[place, target] = self.solution._choose(node, self.policy, wins)[:, 0]
        return int(known[roll])


def _policy_name(policy: Policy) -> str:
    return policy if isinstance(policy, str) else str(getattr(policy, "name", getattr(policy, "__name__", policy)))


def _final_scores(game: Game, states: Sequence[Any], nodes: Sequence[_Node | None]) -> dict[int, Any]:
    return {place: _read_score(game, states[place]) for place, node in enumerate(nodes) if node is None}


def _results(scores: Sequence[Any], higher_wins: bool) -> tuple[Array, Array]:
    """Return by own score and target whether the own score wins, and whether it ties."""
    points = np.array(scores, float)
    over = (1 if higher_wins else -1) * (points[:, None] - points)
    return (over > 0).astype(float), (over == 0).astype(float)


def solve(game: Game, tie: str | float = "split", progress: Progress | None = None) -> SoloSolution:
    """Solve a solo game for one who plays for points and for two who play one after the other."""
    check_game(game)
    name, worth = parse_tie(tie)
    states, nodes, _ = _list_states(game)
    if progress:
        progress(0.4)
    finals = _final_scores(game, states, nodes)
    scores = tuple(sorted(set(finals.values())))
    if worth is None:
        check_replay(name_of(game), scores)
    higher = bool(getattr(game, "higher_wins", True))
    sign = 1 if higher else -1
    columns = {score: column for column, score in enumerate(scores)}
    above, level = _results(scores, higher)
    points = {place: np.array([float(sign * score)]) for place, score in finals.items()}
    expected = sign * solve_payoffs(nodes, points, 1)[:, 0]
    if progress:
        progress(0.5)

    def against(worth: float) -> tuple[Array, Array]:
        payoff = above + worth * level
        second = solve_payoffs(nodes, {place: payoff[columns[s]] for place, s in finals.items()}, len(scores))
        replies = 1.0 - second[-1]
        first = solve_payoffs(nodes, {place: replies[columns[s]] for place, s in finals.items()}, 1)
        return second, first

    if worth is None:
        worth, (second, first) = settle_replay(against, lambda solved: float(solved[1][-1, 0]))
    else:
        second, first = against(worth)
    if progress:
        progress(1.0)
    for table in (expected, first, second):
        table.setflags(write=False)
    return SoloSolution(
        game, name, worth, tuple(states), scores, expected, first[:, 0], second, tuple(nodes)
    )  # fmt: skip
