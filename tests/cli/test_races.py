"""Races, and head starts, asked on the command line: every figure against small games worked out here in plain Python."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Run

# Races with single faces that score, any number of dice, hot: slowly, from their rules alone.

Roll = tuple[int, ...]
Standing = tuple[int, bool]  # score, opened
Line = tuple[float, float]  # a chance to win that hangs on a bust: rest + bust * (the chance after a bust)


class Rules(NamedTuple):
    """What a race is; a player who has not opened must bank `opening` in one turn first."""

    sides: int
    dice: int
    goal: int
    singles: tuple[tuple[int, int], ...]
    bust_faces: tuple[int, ...] = ()
    opening: int = 0


class Move(NamedTuple):
    """What is kept of a roll, and whether the turn is banked then."""

    keep: Roll
    points: int
    left: int
    bank: bool


Choose = Callable[[Standing, Standing, int, Roll], Move]
Values = dict[tuple[Standing, Standing], float]

PIG = tuple((face, face) for face in range(2, 7))
RACES = {
    "pig": Rules(6, 1, 100, PIG, (1,)),
    "short": Rules(6, 1, 30, PIG, (1,)),
    "coin": Rules(2, 1, 4, ((2, 1),), (1,)),
    "pair": Rules(4, 2, 12, ((1, 2), (4, 1)), opening=3),
}
FILES = {
    "short": 'like = "pig"\ngoal = 30\n',
    "coin": 'like = "piglet"\ngoal = 4\n',
    "one": 'like = "piglet"\ngoal = 1\n',
    "seven": 'like = "pig"\ngoal = 7\n',
    "pair": "dice = 2\nsides = 4\ngoal = 12\nopening = 3\nsingles = {1 = 2, 4 = 1}\n",
    "two-thousand": 'like = "ten-thousand"\ngoal = 2000\n',
    "low": 'dice = "2d4"\nwins = "lower"\npoints.d4 = [1, 2, 0, 4]\n',
}
SOLVED = ["short", "coin", "pair"]  # small enough to be solved here
TIED = 1e-10
EXACT = 2e-12  # twice the error that solving such a race is certified to make at most


@cache
def rolls(rules: Rules, dice: int) -> list[tuple[Roll, float, list[tuple[Roll, int, int]]]]:
    """List every distinct roll, its chance, and its keeps with their points and the dice left to throw."""
    found = []
    points = dict(rules.singles)
    thrown = Counter(tuple(sorted(faces, reverse=True)) for faces in product(range(1, rules.sides + 1), repeat=dice))
    for roll, ways in thrown.items():
        scoring = [] if set(roll) & set(rules.bust_faces) else [face for face in roll if face in points]
        kept = {keep for size in range(1, len(scoring) + 1) for keep in combinations(scoring, size)}
        keeps = [(keep, sum(points[face] for face in keep), (dice - len(keep)) or rules.dice) for keep in sorted(kept)]
        found.append((roll, ways / rules.sides**dice, keeps))
    return found


def bust_chance(rules: Rules, dice: int) -> float:
    return math.fsum(chance for _, chance, keeps in rolls(rules, dice) if not keeps)


@cache
def legal(rules: Rules, opened: bool, total: int, roll: Roll) -> list[Move]:
    """List every move of a roll at a turn total."""
    keeps = next(keeps for other, _, keeps in rolls(rules, len(roll)) if other == roll)
    return [
        Move(keep, points, left, bank)
        for keep, points, left in keeps
        for bank in (True, False)
        if not bank or opened or total + points >= rules.opening
    ]


def pick(moves: list[Move], *worths: Callable[[Move], float]) -> Move:
    """Pick the best move: what is tied by one worth goes by the next, then fewest dice, high faces, banking."""
    for worth in worths:
        best = max(map(worth, moves))
        moves = [move for move in moves if worth(move) >= best - TIED]
    return min(moves, key=lambda move: (len(move.keep), [-face for face in move.keep], not move.bank))


@cache
def points_of_rolling(rules: Rules, opened: bool) -> dict[tuple[int, int], float]:
    """Return the expected points that a turn banks if so many dice are thrown at a total, played for points."""
    far = 150  # from where on nobody throws who plays for points: more is lost by a bust than all that a roll can add
    found: dict[tuple[int, int], float] = {}
    for total in range(far, -1, -1):
        for dice in range(1, rules.dice + 1):
            found[total, dice] = math.fsum(
                chance
                * max(
                    max(
                        total + points if opened or total + points >= rules.opening else 0,
                        found.get((total + points, left), 0.0),
                    )
                    for _, points, left in keeps
                )
                for _, chance, keeps in rolls(rules, dice)
                if keeps
            )
    return found


def expected_score(rules: Rules, opened: bool, total: int, move: Move) -> float:
    """Return the expected points of the turn after a move, played for points from there."""
    to = total + move.points
    return to if move.bank else points_of_rolling(rules, opened)[to, move.left]


@cache
def standings(rules: Rules) -> list[Standing]:
    """List the standings; a player who has not opened may have been given any head start."""
    return [(score, True) for score in range(rules.opening, rules.goal)] + [
        (score, False) for score in range(rules.goal) if rules.opening
    ]


def start(rules: Rules) -> Standing:
    return 0, not rules.opening


def needed(rules: Rules, me: Standing) -> int:
    """Return the least turn total that wins once it is banked."""
    return max(rules.goal - me[0], 0 if me[1] else rules.opening)


class Turn(NamedTuple):
    """One turn at a standing: `passed[score]` is the chance after banking to it, `lost` the one after a bust."""

    rules: Rules
    me: Standing
    passed: Callable[[Standing], float]
    lost: float
    throwing: dict[tuple[int, int], Line]

    def line(self, total: int, move: Move) -> Line:
        """Return the chance to win after a move."""
        to = total + move.points
        if to >= needed(self.rules, self.me):  # who throws on past it banks after the next roll
            bust = 0.0 if move.bank else bust_chance(self.rules, move.left)
            return 1.0 - bust, bust
        return (self.passed((self.me[0] + to, True)), 0.0) if move.bank else self.throwing[to, move.left]

    def at(self, total: int, move: Move) -> float:
        """Return the same as a number."""
        rest, bust = self.line(total, move)
        return rest + bust * self.lost


def play(
    rules: Rules, me: Standing, them: Standing, choose: Choose | None, passed: Callable[[Standing], float], lost: float
) -> Turn:
    """Work out a turn of a policy, or of the best play where there is none."""
    turn = Turn(rules, me, passed, lost, {})
    for total in range(needed(rules, me) - 1, -1, -1):
        for dice in range(1, rules.dice + 1):
            rest = bust = 0.0
            for roll, chance, keeps in rolls(rules, dice):
                if not keeps:
                    bust += chance
                    continue
                if choose is None:
                    move = max(legal(rules, me[1], total, roll), key=lambda move: turn.at(total, move))
                else:
                    move = choose(me, them, total, roll)
                line = turn.line(total, move)
                rest, bust = rest + chance * line[0], bust + chance * line[1]
            turn.throwing[total, dice] = rest, bust
    return turn


def solve(rules: Rules, first: Choose | None, second: Choose | None) -> tuple[Values, Values]:
    """Return the chance of A to move, and of B to move, at every (standing of the mover, of the other).

    None plays best against the other. A bust of both comes back to the same pair, which is therefore repeated until
    nothing changes.
    """
    of_a, of_b = Values(), Values()
    begin = rules.dice
    for a, b in sorted(product(standings(rules), repeat=2), key=lambda pair: -pair[0][0] - pair[1][0]):
        x = y = 0.5
        for _ in range(50):
            one = play(rules, a, b, first, lambda to: 1.0 - of_b[b, to], 1.0 - y).throwing[0, begin]  # noqa: B023
            two = play(rules, b, a, second, lambda to: 1.0 - of_a[a, to], 1.0 - x).throwing[0, begin]  # noqa: B023
            # x = one at 1 - y, y = two at 1 - x
            before = x, y
            x = (one[0] + one[1] * (1.0 - two[0] - two[1])) / (1.0 - one[1] * two[1])
            y = two[0] + two[1] * (1.0 - x)
            if abs(x - before[0]) + abs(y - before[1]) < 1e-15:
                break
        else:
            raise AssertionError("play at a pair of standings does not settle")
        of_a[a, b], of_b[b, a] = x, y
    return of_a, of_b


def turn_against(rules: Rules, me: Standing, them: Standing, others: Values) -> Turn:
    """Work out the best turn, given the chances of the other player to move."""
    return play(rules, me, them, None, lambda to: 1.0 - others[them, to], 1.0 - others[them, me])


@cache
def policy(game: str, name: str) -> Choose:
    """Make a policy of a race by its name."""
    rules = RACES[game]

    def score(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        moves = legal(rules, me[1], total, roll)
        wins = [move for move in moves if move.bank and me[0] + total + move.points >= rules.goal]
        return pick(wins or moves, lambda move: expected_score(rules, me[1], total, move))

    def hold(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        most = pick(legal(rules, me[1], total, roll), lambda move: move.points, lambda move: move.left)
        to = total + most.points
        banks = to >= int(name.removeprefix("hold-at-")) or me[0] + to >= rules.goal
        return most._replace(bank=banks and (me[1] or to >= rules.opening))

    @cache
    def turn(me: Standing, them: Standing) -> Turn:
        return turn_against(rules, me, them, solved(game, None, None)[1])

    def win(me: Standing, them: Standing, total: int, roll: Roll) -> Move:
        return pick(
            legal(rules, me[1], total, roll),
            lambda move: turn(me, them).at(total, move),
            lambda move: expected_score(rules, me[1], total, move),
        )

    return cache({"score": score, "win": win}.get(name, hold))


@cache
def solved(game: str, first: str | None, second: str | None) -> tuple[Values, Values]:
    """Return the chances of two policies by name, None being the best answer to the other."""
    return solve(RACES[game], *(None if name is None else policy(game, name) for name in (first, second)))


def value(game: str, first: str | None, second: str | None, seat: str = "first") -> float:
    """Return the chance of the first-named to win from the start, sitting first or second."""
    place = start(RACES[game]), start(RACES[game])
    of_a, of_b = solved(game, first, second)
    return of_a[place] if seat == "first" else 1.0 - of_b[place]


# What happens on the way.


def follow_turn(
    rules: Rules, me: Standing, them: Standing, choose: Choose
) -> tuple[dict[tuple[int, int], float], dict[int, float]]:
    """Return the chance that a turn throws so many dice at a total, and of every total it banks (0: nothing)."""
    thrown, ends = defaultdict(float, {(0, rules.dice): 1.0}), defaultdict[int, float](float)
    for total in range(needed(rules, me)):
        for dice in range(1, rules.dice + 1):
            for roll, chance, keeps in rolls(rules, dice) if (total, dice) in thrown else ():
                move = choose(me, them, total, roll) if keeps else None
                here = thrown[total, dice] * chance
                if move is None:
                    ends[0] += here
                elif move.bank:
                    ends[total + move.points] += here
                else:
                    thrown[total + move.points, move.left] += here
    return thrown, ends


def follow(
    game: str, first: str, second: str, seat: str = "first"
) -> tuple[dict[tuple[Standing, Standing], float], list[float]]:
    """Return how often the first-named starts a turn at each pair, and the chance that a game has more than n turns."""
    rules, chosen = RACES[game], (policy(game, first), policy(game, second))

    @cache
    def ends(who: int, me: Standing, them: Standing) -> dict[int, float]:
        return follow_turn(rules, me, them, chosen[who])[1]

    visits, longer = defaultdict[tuple[Standing, Standing], float](float), list[float]()
    who = 0 if seat == "first" else 1
    there = {(start(rules), start(rules)): 1.0}
    while (alive := math.fsum(there.values())) > 1e-17:
        longer.append(alive)
        after = defaultdict[tuple[Standing, Standing], float](float)
        for (me, them), chance in there.items():
            if who == 0:
                visits[me, them] += chance
            for total, part in ends(who, me, them).items():
                if me[0] + total < rules.goal:
                    after[them, (me[0] + total, True) if total else me] += chance * part
        there, who = after, 1 - who
    return visits, longer


class Parting(NamedTuple):
    """A roll of the player for points: what he does, what wins most, and what either is worth."""

    score: int
    opened: bool
    opponent: int
    opponent_opened: bool
    turn: int
    roll: Roll
    taken: Move
    best: Move
    probability: float
    cost: float
    chances: tuple[float, float]
    expected: tuple[float, float]
    tied: bool


def decisions(game: str, against: str | None = None, seat: str = "first") -> Iterator[Parting]:
    """Yield every roll that the player for points can come to, with the best move against the same opponent."""
    rules, score = RACES[game], policy(game, "score")
    others = solved(game, None, against)[1]
    for (me, them), visits in follow(game, "score", against or "win", seat)[0].items():
        turn = turn_against(rules, me, them, others)
        for (total, dice), thrown in follow_turn(rules, me, them, score)[0].items():
            for roll, chance, keeps in rolls(rules, dice) if thrown else ():
                if not keeps:
                    continue
                moves, taken = legal(rules, me[1], total, roll), score(me, them, total, roll)
                best = pick(
                    moves,
                    lambda move: turn.at(total, move),  # noqa: B023
                    lambda move: expected_score(rules, me[1], total, move),  # noqa: B023
                )
                chances = turn.at(total, taken), turn.at(total, best)
                points = [expected_score(rules, me[1], total, move) for move in (taken, best)]
                ties = sum(abs(expected_score(rules, me[1], total, move) - points[0]) <= TIED for move in moves)
                yield Parting(
                    *me, *them, total, roll, taken, best, visits * thrown * chance, chances[1] - chances[0], chances,
                    (points[0], points[1]), ties > 1,
                )  # fmt: skip


# Asking.

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the files of the races, in which their tables are kept for all these tests."""
    folder = tmp_path_factory.mktemp("races")
    for name, text in FILES.items():
        (folder / f"{name}.toml").write_text(text)
    return folder


@pytest.fixture
def ask(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask a question of the game given second; return the printed JSON object."""
    monkeypatch.chdir(place)

    def ask(command: str, game: str, *more: object) -> Any:
        name = f"{game}.toml" if game in FILES else game
        ran = run(command, name, *map(str, more), "--tables", "tables", "--json")
        assert (ran.status, ran.err) == (0, "")
        found = json.loads(ran.out)
        assert isinstance(found, dict)
        return found

    return ask


def close(number: Any, rel: float = 0.0) -> Any:
    """Expect a number, or a list of numbers, up to the certified error."""
    return pytest.approx(number, rel=rel, abs=EXACT)


# solve


@pytest.mark.parametrize("game", SOLVED)
def test_solve_gives_the_chance_of_the_first_player(game: str, ask: Ask) -> None:
    found = ask("solve", game)
    assert found["game"] == game
    assert found["first_player_value"] == close(value(game, None, None))
    assert found["second_player_value"] == 1.0 - found["first_player_value"]


@pytest.mark.parametrize("game", SOLVED)
def test_solve_gives_the_expected_points_of_a_turn_played_for_points(game: str, ask: Ask) -> None:
    rules = RACES[game]
    expected = points_of_rolling(rules, True)[0, rules.dice]
    assert ask("solve", game)["expected_turn_score"] == pytest.approx(expected, rel=1e-14)


def test_solve_knows_the_published_values_of_pig_and_piglet(ask: Ask) -> None:
    """Neller and Presser: pig 0.5306 and 8.14 points a turn, piglet to two 4/7."""
    pig = ask("solve", "pig")
    assert (round(pig["first_player_value"], 4), round(pig["expected_turn_score"], 2)) == (0.5306, 8.14)
    assert ask("solve", "piglet")["first_player_value"] == close(4 / 7)


@pytest.mark.parametrize(("game", "hold"), [("short", 10), ("short", 20), ("coin", 1), ("coin", 3), ("pair", 4)])
def test_the_best_answer_to_a_policy_wins_what_it_can_in_either_seat(game: str, hold: int, ask: Ask) -> None:
    policy = f"hold-at-{hold}"
    found = ask("solve", game, "--against", policy)
    assert (found["game"], found["against"]) == (game, policy)
    assert found["first_player_value"] == close(value(game, None, policy))
    assert found["second_player_value"] == close(value(game, None, policy, "second"))
    assert found["win_policy_value"] == close(value(game, "win", policy))
    assert found["first_player_value"] >= found["win_policy_value"] - EXACT


# Three players, sitting in a ring and rolling one die each.


def three(gains: Sequence[int], sides: int, goal: int, holds: tuple[int | None, int | None, int | None]) -> list[float]:
    """Return each seat's chance: a roll gains as listed, else busts; a seat holds at a total, or plays best (None)."""
    chances: dict[tuple[int, tuple[int, ...]], tuple[float, ...]] = defaultdict(lambda: (1 / 3,) * 3)

    def turn(seat: int, scores: tuple[int, ...]) -> tuple[float, ...]:
        lost = chances[(seat + 1) % 3, scores]

        @cache
        def roll(total: int) -> tuple[float, ...]:
            found = [0.0, 0.0, 0.0]
            for gain in gains:
                for place, chance in enumerate(after(total + gain)):
                    found[place] += chance / sides
            return tuple(found[place] + lost[place] * (1 - len(gains) / sides) for place in range(3))

        def after(total: int) -> tuple[float, ...]:
            if scores[seat] + total >= goal:
                return tuple(float(place == seat) for place in range(3))
            to = tuple(score + total * (place == seat) for place, score in enumerate(scores))
            banked = chances[(seat + 1) % 3, to]
            hold = holds[seat]
            if hold is None:
                return max(banked, roll(total), key=lambda found: found[seat])
            return banked if total >= hold else roll(total)

        return roll(0)

    for points in sorted(product(range(goal), repeat=3), key=sum, reverse=True):
        change = 1.0
        while change > 1e-16:
            change = 0.0
            for seat in (2, 1, 0):
                found = turn(seat, points)
                change = max(change, *(abs(a - b) for a, b in zip(found, chances[seat, points], strict=True)))
                chances[seat, points] = found
    return list(chances[0, (0, 0, 0)])


def test_three_who_race_to_one_head_win_four_two_and_one_in_seven(ask: Ask) -> None:
    found = ask("solve", "one", "--players", 3)
    assert found["seat_values"] == close([4 / 7, 2 / 7, 1 / 7])
    assert (found["game"], found["players"], found["first_player_value"]) == ("one", 3, found["seat_values"][0])


@pytest.mark.parametrize(("game", "gains", "sides", "goal"), [("coin", [1], 2, 4), ("seven", [2, 3, 4, 5, 6], 6, 7)])
def test_three_who_all_play_to_win(game: str, gains: list[int], sides: int, goal: int, ask: Ask) -> None:
    assert ask("solve", game, "--players", 3)["seat_values"] == close(three(gains, sides, goal, (None, None, None)))


@pytest.mark.parametrize(
    ("game", "gains", "sides", "goal", "hold"), [("coin", [1], 2, 4, 2), ("seven", range(2, 7), 6, 7, 4)]
)
def test_the_best_answer_to_two_who_hold_in_every_seat(
    game: str, gains: Sequence[int], sides: int, goal: int, hold: int, ask: Ask
) -> None:
    found = ask("solve", game, "--players", 3, "--against", f"hold-at-{hold}")
    for seat in range(3):
        one, two, last = (None if place == seat else hold for place in range(3))
        assert found["seat_values"][seat] == close(three(gains, sides, goal, (one, two, last))[seat])
    assert found["same_policy_seat_values"] == close(three(gains, sides, goal, (hold, hold, hold)))


# moves


POSITIONS: dict[str, list[tuple[int, int, int, Roll]]] = {
    # score, opponent, turn total, roll
    "short": [
        (mine, theirs, total, (face,))
        for mine, theirs in ((0, 0), (0, 25), (12, 3), (25, 0), (29, 29))
        for total in (0, 17, 18, 19, 24)
        for face in (2, 6)
    ],
    "coin": [(mine, theirs, total, (2,)) for mine in range(4) for theirs in (0, 1, 3) for total in (0, 1, 2)],
    "pair": [
        (mine, theirs, total, roll)
        for mine, theirs in ((0, 0), (0, 11), (3, 0), (5, 7), (10, 3))
        for total in (0, 1, 2, 5, 12)
        for roll in ((1,), (4,), (4, 1), (4, 3), (4, 4))
        if total or len(roll) == 2
    ],
}


def ranked(game: str, place: tuple[int, int, int, Roll], others: Values) -> tuple[dict[Any, list[float]], Move, Move]:
    """Return [chance, expected score] by keep and bank, the best move to win and the one for points."""
    rules = RACES[game]
    mine, theirs, total, roll = place
    me, them = (mine, bool(mine) or not rules.opening), (theirs, bool(theirs) or not rules.opening)
    turn = turn_against(rules, me, them, others)
    moves = legal(rules, me[1], total, roll)
    found = {
        (" ".join(map(str, move.keep)), move.bank): [
            turn.at(total, move), expected_score(rules, me[1], total, move), move.points, move.left,
        ]
        for move in moves
    }  # fmt: skip
    best = pick(moves, lambda move: turn.at(total, move), lambda move: expected_score(rules, me[1], total, move))
    return found, best, policy(game, "score")(me, them, total, roll)


def shown(move: Mapping[str, Any]) -> tuple[str, bool]:
    return move["keep"], move["bank"]


@pytest.mark.parametrize("against", [None, "hold-at-2", "hold-at-10"])
@pytest.mark.parametrize("game", SOLVED)
def test_moves_are_worth_what_they_win_and_score(game: str, against: str | None, ask: Ask) -> None:
    others = solved(game, None, against)[1]
    told = () if against is None else ("--against", against)
    parted = 0
    for place in POSITIONS[game][:: 1 if against is None else 3]:
        mine, theirs, total, roll = place
        found = ask("moves", game, " ".join(map(str, roll)), "--turn", total, "--score", mine, "--opponent", theirs, *told)
        moves, to_win, for_points = ranked(game, place, others)
        assert {shown(move) for move in found["moves"]} == moves.keys()
        for move in found["moves"]:
            figures = [move["win_probability"], move["expected_score"], move["points"], move["dice_left"]]
            assert figures == close(moves[shown(move)], rel=1e-14)
        best = {name: shown(found["moves"][found[f"best_for_{name}"]]) for name in ("win", "score")}
        assert best["win"] == (" ".join(map(str, to_win.keep)), to_win.bank)
        assert best["score"] == (" ".join(map(str, for_points.keep)), for_points.bank)
        parted += best["win"] != best["score"]
        order = [move["win_probability"] for move in found["moves"]]
        assert all(one >= two - TIED for one, two in pairwise(order))
    assert parted >= 1 or against is not None


@pytest.mark.parametrize(
    ("turn", "face", "score", "opponent", "for_points", "to_win"),
    [
        (18, 2, 0, 90, True, False),  # 20 is enough for points, and far too little against 90
        (16, 6, 0, 95, True, False),
        # Neller and Presser: to win, at 41 to 49 hold 22 to 26, roll at 27, hold from 28 on.
        (18, 2, 41, 49, True, False),
        (18, 3, 41, 49, True, False),
        (18, 4, 41, 49, True, True),
        (24, 2, 41, 49, True, True),
        (24, 3, 41, 49, True, False),
        (24, 4, 41, 49, True, True),
        (17, 2, 41, 49, False, False),
        (2, 3, 95, 94, True, True),  # banking wins, though rolling on would score more
    ],
)
def test_pig_for_points_holds_at_20_or_a_win_whatever_the_scores(
    turn: int, face: int, score: int, opponent: int, for_points: bool, to_win: bool, ask: Ask
) -> None:
    found = ask("moves", "pig", face, "--turn", turn, "--score", score, "--opponent", opponent)
    banks = [found["moves"][found[f"best_for_{name}"]]["bank"] for name in ("score", "win")]
    assert banks == [for_points, to_win]
    worth = {move["bank"]: move["expected_score"] for move in found["moves"]}
    assert worth[True] == turn + face
    assert worth[False] == pytest.approx(points_of_rolling(RACES["pig"], True)[turn + face, 1], rel=1e-14)


def test_sorting_moves_for_points_puts_the_move_for_points_first(ask: Ask) -> None:
    asked = ("moves", "pig", 2, "--turn", 19, "--score", 0, "--opponent", 90)
    assert [move["bank"] for move in ask(*asked)["moves"]] == [False, True]
    by_score = ask(*asked, "--sort", "score")
    assert [move["bank"] for move in by_score["moves"]] == [True, False]
    assert (by_score["best_for_score"], by_score["best_for_win"]) == (0, 1)


def test_who_has_not_opened_gets_no_points_below_the_threshold(ask: Ask) -> None:
    """With 2 of the 3 points to open, banking is no move; once opened it is."""
    assert {move["bank"] for move in ask("moves", "pair", "4 4")["moves"]} == {False}
    found = ask("moves", "pair", "4 4", "--score", 3)["moves"]
    assert {move["expected_score"] for move in found if move["bank"]} == {1.0, 2.0}


# compare


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("short", ["win", "score", "hold-at-10"]),
        ("coin", ["hold-at-2", "win", "score", "hold-at-4"]),
        ("pair", ["score", "win", "hold-at-3"]),
    ],
)
def test_compare_gives_every_pair_of_policies_by_seat(game: str, names: list[str], ask: Ask) -> None:
    found = ask("compare", game, "--policies", ",".join(names))
    assert (found["game"], found["policies"]) == (game, names)
    for row, first in enumerate(names):
        expected = [value(game, first, second) for second in names]
        assert found["first_win"][row] == close(expected)
        assert found["second_win"][row] == [1.0 - won for won in found["first_win"][row]]
        assert found["tie"][row] == [0.0] * len(names)


def test_compare_has_four_policies_if_none_are_named(ask: Ask) -> None:
    """To one head everybody wins with a head but `random`, which throws on after it half of the time: 1/3 a turn."""
    found = ask("compare", "one")
    assert found["policies"] == ["win", "score", "simple", "random"]
    alike = [2 / 3, 2 / 3, 2 / 3, 3 / 4]
    for row, expected in zip(found["first_win"], [alike, alike, alike, [1 / 2, 1 / 2, 1 / 2, 3 / 5]], strict=True):
        assert row == close(expected)


# diff


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("game", ["short", "coin", "pair", "two-thousand"])
def test_diff_costs_what_compare_finds_between_win_and_score(game: str, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--limit", 0)
    table = ask("compare", game, "--policies", "win,score")
    win, score = (0, 0), ((1, 0) if seat == "first" else (0, 1))
    chances = [table[f"{seat}_win"][row][column] for row, column in (win, score)]
    assert found["win_probability_lost"] == close(chances[0] - chances[1])
    assert found["seat"] == f"{seat} player"


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", "hold-at-10"), ("coin", "hold-at-2"), ("pair", "score")])
def test_diff_against_a_policy_costs_what_the_best_answer_wins_more(game: str, against: str, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--against", against, "--limit", 0)
    best, score = (value(game, chosen, against, seat) for chosen in (None, "score"))
    assert found["win_probability_lost"] == close(best - score)


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", None), ("short", "hold-at-10"), ("coin", None), ("pair", None)])
def test_diff_counts_the_decisions_and_the_disagreements(game: str, against: str | None, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--limit", 0, *(() if against is None else ("--against", against)))
    made = list(decisions(game, against, seat))
    parted = [roll for roll in made if roll.cost > 1e-9]
    assert found["decisions_per_game"] == close(math.fsum(roll.probability for roll in made), rel=1e-12)
    assert found["disagreements_per_game"] == close(math.fsum(roll.probability for roll in parted), rel=1e-12)
    rules = RACES[game]
    at_once = {
        roll.roll for roll in parted if (roll.score, roll.opponent, roll.turn, len(roll.roll)) == (0, 0, 0, rules.dice)
    }
    chance = math.fsum(chance for roll, chance, _ in rolls(rules, rules.dice) if roll in at_once)
    assert found["first_roll_disagreement"] == close(chance)
    assert found["rows"] == []


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize(("game", "against"), [("short", None), ("short", "hold-at-10"), ("coin", None), ("pair", None)])
def test_diff_lists_every_roll_at_which_points_and_winning_part(game: str, against: str | None, seat: str, ask: Ask) -> None:
    found = ask("diff", game, "--seat", seat, "--all", *(() if against is None else ("--against", against)))["rows"]
    expected = {roll[:6]: roll for roll in decisions(game, against, seat) if roll.cost > 1e-9}
    assert len(expected) >= 1
    assert len(found) == len(expected)
    for row in found:
        roll = expected[
            row["score"], row["opened"], row["opponent"], row["opponent_opened"], row["turn"],
            tuple(map(int, row["roll"].split())),
        ]  # fmt: skip
        for who, move in (("score", roll.taken), ("win", roll.best)):
            assert (row[f"{who}_keep"], row[f"{who}_bank"]) == (" ".join(map(str, move.keep)), move.bank)
        assert row["probability"] == close(roll.probability, rel=1e-12)
        assert row["cost"] == close(roll.cost)
        assert row["weighted_cost"] == row["probability"] * row["cost"]
        assert [row[f"{who}_keep_win_probability"] for who in ("score", "win")] == close(list(roll.chances))
        assert [row[f"{who}_keep_expected_score"] for who in ("score", "win")] == close(list(roll.expected), rel=1e-14)
        assert row["score_tied"] is roll.tied


def test_diff_lists_the_dearest_rolls_first_and_no_more_than_asked(ask: Ask) -> None:
    every = ask("diff", "short", "--all")["rows"]
    found = ask("diff", "short", "--limit", 7)["rows"]
    costs = sorted((row["weighted_cost"] for row in every), reverse=True)
    assert [row["weighted_cost"] for row in found] == costs[:7]
    assert all(row in every for row in found)
    assert len(ask("diff", "short")["rows"]) == min(100, len(every))


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_diff_by_score_difference_sums_up_the_rolls(game: str, seat: str, ask: Ask) -> None:
    rows = ask("diff", game, "--seat", seat, "--by", "score-difference")["rows"]
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0] * 5)
    for roll in decisions(game, None, seat):
        parted = roll.cost > 1e-9
        riskier, safer = (parted and roll.taken.bank is bank and roll.best.bank is not bank for bank in (True, False))
        figures = (1.0, float(parted), roll.cost if parted else 0.0, float(riskier), float(safer))
        at = sums[roll.score - roll.opponent]
        for place, figure in enumerate(figures):
            at[place] += roll.probability * figure
    assert {row["differences"] for row in rows} >= sums.keys()
    assert sum(figures[3] for figures in sums.values()) > 1e-3
    assert game == "short" or sum(figures[4] for figures in sums.values()) > 1e-6
    for row in rows:
        names = ("decisions", "disagreements", "win_probability_lost", "riskier", "safer")
        assert [row[name] for name in names] == close(sums[row["differences"]], rel=1e-12)


# simulate


@pytest.mark.parametrize(("first", "second"), [("win", "score"), ("score", "hold-at-10")])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_games_played_by_chance_agree_with_the_exact_chances(game: str, first: str, second: str, ask: Ask) -> None:
    count = 40_000
    found = ask("simulate", game, "--first", first, "--second", second, "--games", count, "--seed", 11)
    assert (found["game"], found["games"], found["seed"]) == (game, count, 11)
    chance = value(game, first, second)
    error = math.sqrt(chance * (1.0 - chance) / count)
    assert abs(found["first_win"] - chance) < 4 * error
    assert found["standard_error"] == pytest.approx(error, rel=0.02)
    assert found["tie"] == 0.0
    assert found["first_win"] + found["second_win"] == pytest.approx(1.0, abs=1e-15)
    _, longer = follow(game, first, second)
    mean = math.fsum(longer)
    variance = math.fsum((2 * n + 1) * chance for n, chance in enumerate(longer)) - mean**2
    assert abs(found["mean_turns"] - mean) < 4 * math.sqrt(variance / count)
    again = ask("simulate", game, "--first", first, "--second", second, "--games", count, "--seed", 11)
    assert again == found
    other = ask("simulate", game, "--first", first, "--second", second, "--games", count, "--seed", 12)
    assert other["first_win"] != found["first_win"]


def test_games_of_many_dice_played_by_chance_agree_with_compare(ask: Ask) -> None:
    exact = ask("compare", "two-thousand", "--policies", "win,score,simple,random")
    for first, second in (("win", "score"), ("score", "simple"), ("random", "win")):
        found = ask("simulate", "two-thousand", "--first", first, "--second", second, "--games", 40_000, "--seed", 5)
        chance = exact["first_win"][exact["policies"].index(first)][exact["policies"].index(second)]
        assert abs(found["first_win"] - chance) < 4 * found["standard_error"]


# fair


@pytest.mark.parametrize("game", SOLVED)
def test_a_head_start_in_a_race_is_the_second_players(game: str, ask: Ask) -> None:
    """Find the chance of the first player, at nothing, against one who has been given the bonus, unopened."""
    rules, chances = RACES[game], solved(game, None, None)[0]
    exact = {bonus: chances[start(rules), (bonus, not rules.opening)] for bonus in range(rules.goal)}
    best = min(exact, key=lambda bonus: abs(exact[bonus] - 0.5))
    found = ask("fair", game)
    assert found["bonus"] == best
    assert [bonus for bonus, _ in found["value_by_bonus"]] == [bonus for bonus in exact if abs(bonus - best) <= 5]
    for bonus, first_player in found["value_by_bonus"]:
        assert first_player == close(exact[bonus])
    assert found["value"] == dict(map(tuple, found["value_by_bonus"]))[best]


# A pool by brute force: every die apart, every roll, every part of it that may be kept.

Dice = tuple[tuple[int, ...], ...]
POOLS: dict[str, tuple[Dice, int]] = {
    "2d4": (((1, 2, 3, 4),) * 2, 1),
    "d4+d6": ((tuple(range(1, 5)), tuple(range(1, 7))), 1),
    "low": (((1, 2, 0, 4),) * 2, -1),
}
TIES = {"split": Fraction(1, 2), "first": Fraction(0), "second": Fraction(1), "0.25": Fraction(1, 4)}


def best_of_a_roll(dice: Dice, after: Callable[[Dice, int], Fraction]) -> Fraction:
    """Average the best keep over the rolls of some dice."""
    found = Fraction(0)
    for roll in product(*dice):
        found += max(
            after(tuple(die for place, die in enumerate(dice) if place not in kept), sum(roll[place] for place in kept))
            for size in range(1, len(dice) + 1)
            for kept in combinations(range(len(dice)), size)
        )
    return found / math.prod(map(len, dice))


def best_alone(dice: Dice, payoff: Callable[[int], Fraction]) -> Fraction:
    """Return the most that a player can expect of his final score."""

    @cache
    def state(dice: Dice, banked: int) -> Fraction:
        if not dice:
            return payoff(banked)
        return best_of_a_roll(dice, lambda left, points: state(left, banked + points))

    return state(dice, 0)


def judge(lead: int, tie: Fraction) -> Fraction:
    """Return what a lead of the second player is worth to him."""
    return tie if lead == 0 else Fraction(lead > 0)


@cache
def in_turn(game: str, tie: str, bonus: int) -> Fraction:
    """Return the first player's value if the bonus is added to his final score."""
    dice, sign = POOLS[game]

    @cache
    def reply(target: int) -> Fraction:
        return best_alone(dice, lambda made: judge(sign * (made - target), TIES[tie]))

    return best_alone(dice, lambda made: 1 - reply(made + bonus))


@cache
def roll_by_roll(game: str, tie: str, bonus: int) -> Fraction:
    """Return the same where both roll in turn, all in view."""
    dice, sign = POOLS[game]

    @cache
    def state(seat: int, mine: Dice, theirs: Dice, lead: int) -> Fraction:
        """Return the chance of the player to roll, or who would be; `lead` is the first player's."""
        if not mine and not theirs:
            second = judge(-sign * lead, TIES[tie])
            return second if seat else 1 - second
        if not mine:
            return 1 - state(1 - seat, theirs, mine, lead)
        return best_of_a_roll(
            mine, lambda left, points: 1 - state(1 - seat, theirs, left, lead - points if seat else lead + points)
        )

    return state(0, dice, dice, bonus)


@pytest.mark.parametrize("match", ["sequential", "alternating"])
@pytest.mark.parametrize(("game", "tie"), [(game, tie) for game in POOLS for tie in TIES])
def test_a_head_start_in_a_pool_is_added_to_the_first_players_score(game: str, tie: str, match: str, ask: Ask) -> None:
    found = ask("fair", game, "--tie", tie, "--match", match)
    exact = in_turn if match == "sequential" else roll_by_roll
    by_bonus = dict(found["value_by_bonus"])
    assert by_bonus == pytest.approx({bonus: float(exact(game, tie, bonus)) for bonus in by_bonus}, rel=0, abs=1e-14)
    assert min(by_bonus) < 0 < max(by_bonus)
    best = found["bonus"]
    assert set(by_bonus) == {0, *range(best - 2, best + 3)}
    assert abs(exact(game, tie, best) - Fraction(1, 2)) == min(
        abs(exact(game, tie, bonus) - Fraction(1, 2)) for bonus in range(-10, 11)
    )
    assert found["value"] == by_bonus[best]


# table


def test_the_stopping_table_says_from_where_on_rolling_loses_points(ask: Ask) -> None:
    assert ask("table", "pig", "stop")["rows"] == [[1, "1/6", pytest.approx(1 / 6, abs=1e-16), 21]]
    rules = RACES["pair"]
    worth = points_of_rolling(rules, True)
    stops = [next(total for total in range(1, 99) if worth[total, dice] < total - TIED) for dice in (1, 2)]
    rows = ask("table", "pair", "stop")["rows"]
    assert [[row[0], row[1], row[3]] for row in rows] == [[1, "1/2", stops[0]], [2, "1/4", stops[1]]]


def test_the_stopping_table_of_ten_thousand_is_the_published_one(ask: Ask) -> None:
    """Stop as in github.com/Amund211/10001, results.txt: it does not hang on the goal."""
    rows = ask("table", "two-thousand", "stop")["rows"]
    assert [(row[0], row[3]) for row in rows] == [(1, 350), (2, 250), (3, 450), (4, 1050), (5, 3100), (6, 18100)]


@pytest.mark.parametrize("game", ["short", "coin", "pair"])
def test_the_expectation_table_has_what_rolling_brings_at_every_total(game: str, ask: Ask) -> None:
    rules = RACES[game]
    worth = points_of_rolling(rules, True)
    rows = ask("table", game, "expected")["rows"]
    gains = ask("table", game, "expected", "--gain")["rows"]
    assert [row[0] for row in rows] == list(range(len(rows)))
    assert len(rows) >= rules.goal
    for row, gain in zip(rows, gains, strict=True):
        expected = [worth[row[0], dice] for dice in range(1, rules.dice + 1)] if row[0] < 100 else row[1:]
        assert row[1:] == pytest.approx(expected, rel=1e-14)
        assert gain == [row[0], *(number - row[0] for number in row[1:])]


def test_the_expected_gains_of_ten_thousand_are_the_published_ones(ask: Ask) -> None:
    """The same source: expected gain of rolling 1 to 6 dice at a turn total."""
    rows = {row[0]: row[1:] for row in ask("table", "two-thousand", "expected", "--gain")["rows"]}
    assert rows[0] == pytest.approx([217.2, 185.0, 197.2, 240.8, 336.8, 590.7], abs=0.0501)
    assert rows[500] == pytest.approx([-137.8, -116.2, -25.0, 83.8, 224.9, 519.5], abs=0.0501)


@pytest.mark.parametrize("target", [3, 8])
@pytest.mark.parametrize("game", ["short", "pair"])
def test_the_reaching_table_has_the_best_chance_to_reach_a_total(game: str, target: int, ask: Ask) -> None:
    rules = RACES[game]
    chances: dict[tuple[int, int], float] = {}
    for total in range(target + 9, -1, -1):
        for dice in range(1, rules.dice + 1):
            chances[total, dice] = 1.0 if total >= target else math.fsum(
                chance * max(chances[total + points, left] for _, points, left in keeps)
                for _, chance, keeps in rolls(rules, dice)
                if keeps
            )  # fmt: skip
    rows = ask("table", game, "reach", "--target", target)["rows"]
    assert [row[0] for row in rows] == list(range(len(rows)))
    assert len(rows) > target - 1
    for total, *found in rows:
        assert found == pytest.approx([chances[total, dice] for dice in range(1, rules.dice + 1)], abs=1e-15)


def test_the_table_of_classes_counts_rolls(ask: Ask) -> None:
    """The outcome classes of ten-thousand are those of github.com/Amund211/10001, README."""
    rows = ask("table", "two-thousand", "classes")["rows"]
    classes = (3, 6, 14, 31, 61, 119)
    assert rows == [[dice, 6**dice, math.comb(dice + 5, dice), classes[dice - 1]] for dice in range(1, 7)]
    assert ask("table", "short", "classes")["rows"] == [[1, 6, 6, 6]]


# For people.


@pytest.mark.parametrize(
    "asked",
    [
        "solve short.toml", "solve short.toml --against hold-at-20", "solve one.toml --players 3",
        "solve seven.toml --players 3 --against hold-at-4", "moves short.toml 5 --turn 4 --score 10 --opponent 12",
        "moves short.toml 5 --against hold-at-20", "moves two-thousand.toml '1 1 1 5 5 2'", "compare short.toml",
        "compare two-thousand.toml --policies win,score,simple,random,hold-at-300,published", "diff short.toml",
        "diff short.toml --seat second", "diff short.toml --against hold-at-20", "diff short.toml --by score-difference",
        "diff pair.toml", "simulate short.toml --games 100", "fair short.toml", "fair two-thousand.toml",
        "fair 2d4 --match alternating", "table short.toml stop", "table short.toml expected",
        "table two-thousand.toml expected --gain", "table two-thousand.toml reach", "table two-thousand.toml classes",
        "table two-thousand.toml stop",
    ],
)  # fmt: skip
def test_answers_for_people_fit_80_columns(asked: str, run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    command, game, *more = [word.replace("_", " ") for word in asked.replace("1 1 1 5 5 2", "1_1_1_5_5_2").split()]
    ran = run(command, game, *(word.strip("'") for word in more), "--tables", "tables")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert game.removesuffix(".toml") in lines[0] or command == "compare"
    assert len(lines) >= 2
    assert not ran.out.startswith("{")
    assert max(map(len, lines)) <= 80


def test_answers_for_people_have_the_numbers_of_the_json(run: Run, ask: Ask, place: Path) -> None:
    """Asked as text, every question has its main number in it, rounded to six places."""
    for command, more, number in (
        ("solve", [], ask("solve", "short")["first_player_value"]),
        ("solve", ["--against", "hold-at-20"], ask("solve", "short", "--against", "hold-at-20")["first_player_value"]),
        ("solve", ["--players", "3"], ask("solve", "short", "--players", 3)["seat_values"][2]),
        ("moves", ["6", "--against", "hold-at-20"], value_of_moves(ask("moves", "short", 6, "--against", "hold-at-20"))),
        ("compare", [], ask("compare", "short")["second_win"][0][1]),
        ("diff", [], ask("diff", "short", "--limit", 0)["win_probability_lost"]),
        ("simulate", ["--games", "1000"], ask("simulate", "short", "--games", 1000)["first_win"]),
        ("fair", [], ask("fair", "short")["value"]),
    ):
        assert f"{number:.6f}" in run(command, "short.toml", *more, "--tables", "tables").out


def value_of_moves(found: dict[str, Any]) -> float:
    return float(found["moves"][0]["win_probability"])
