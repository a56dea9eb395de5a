"""Solve small press-your-luck races slowly and exactly, sharing no code with the package.

A race is given as data. For each number of dice to throw there is a list of (weight, options), one entry per roll that
scores, and the weight of the rolls that bust. An option is (points, dice left after); none left means that all dice
are thrown again, or that the turn ends where dice are not hot. A turn starts with a throw of all dice. After each throw
that does not bust the player takes one of its options and either throws on or banks the turn total and passes; a bust
loses the turn total and passes. The first bank of a player must be at least the opening threshold; a turn that must end
short of it counts nothing. Who banks to the goal or beyond wins at once. A handicap counts but does not open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

Option = tuple[int, int]
Throw = tuple[int, frozenset[Option]]
Standing = tuple[int, bool]
RaceState = tuple[int, bool, int, bool, int, int]
TurnState = tuple[int, int]
Starts = Mapping[tuple[Standing, Standing], Fraction]

ZERO, ONE = Fraction(0), Fraction(1)


class Race(NamedTuple):
    """The rules of a race; `throws` and `busts` are by number of dice thrown."""

    dice: int
    throws: Mapping[int, list[Throw]]
    busts: Mapping[int, int]
    goal: int
    opening: int = 0
    hot: bool = True


def race_of(game: Any) -> Race:
    """Read the rules of the package, throwing every die apart and scoring every subset by trying all its splits."""
    throws: dict[int, list[Throw]] = {}
    busts: dict[int, int] = {}
    for dice in range(1, game.dice + 1):
        found: Counter[frozenset[Option]] = Counter()
        for roll in product(range(1, game.sides + 1), repeat=dice):
            options = set()
            for size in range(1, dice + 1):
                for kept in combinations(roll, size):
                    points = worth(game, tuple(sorted(kept)))
                    if points and not set(roll) & set(game.bust_faces):
                        options.add((points, dice - size))
            found[frozenset(options)] += 1
        busts[dice] = found.pop(frozenset(), 0)
        throws[dice] = [(weight, options) for options, weight in found.items()]
    return Race(game.dice, throws, busts, game.goal, game.opening, game.hot_dice)


def worth(game: Any, kept: tuple[int, ...]) -> int:
    """Return the most that kept dice are worth when split into scoring sets, 0 if they cannot be."""
    if not kept:
        return 0
    best = 0
    for size in range(1, len(kept) + 1):
        for places in combinations(range(1, len(kept)), size - 1):
            part = (kept[0], *(kept[place] for place in places))
            rest = tuple(face for place, face in enumerate(kept) if place and place not in places)
            points = worth_of_set(game, part)
            others = worth(game, rest)
            if points and (others or not rest):
                best = max(best, points + others)
    return best


def worth_of_set(game: Any, part: tuple[int, ...]) -> int:
    """Return what dice are worth as one set: a single, some of a kind, a straight, three pairs; 0 if they are none."""
    face, size = part[0], len(part)
    if size == 1:
        return int(game.singles[face - 1]) if game.singles else 0
    if part == tuple(range(1, game.sides + 1)):
        return int(game.straight)
    if sorted(Counter(part).values()) == [2, 2, 2]:
        return int(game.three_pairs)
    if len(set(part)) > 1 or size < 3 or not game.three_of_a_kind:
        return 0
    if size == 3 or game.more_of_a_kind == "double":
        return int(game.three_of_a_kind[face - 1]) << (size - 3)
    if game.more_of_a_kind == "none" or size - 4 >= len(game.more_of_a_kind):
        return 0
    return int(game.more_of_a_kind[size - 4])


class Line(NamedTuple):
    """A value linear in the chance to win after a bust: rest + bust * that chance."""

    rest: Fraction
    bust: Fraction

    def at(self, after: Fraction) -> Fraction:
        """Return the value where a bust leaves the chance `after`."""
        return self.rest + self.bust * after


def may_bank(race: Race, mine: Standing, turn: int) -> bool:
    """Tell whether the turn total may be banked."""
    return turn > 0 and (mine[1] or turn >= race.opening)


def play_turn(race: Race, mine: Standing, bank: Callable[[int], Fraction], after: Fraction) -> dict[TurnState, Line]:
    """Return the optimal line of every state (turn total, dice) of a turn.

    `bank` gives the chance to win by score after banking, `after` the one after a bust. Among equal choices the one
    listed first is taken: bank before throwing on.
    """
    found: dict[TurnState, Line] = {}

    def evaluate(turn: int, dice: int) -> Line:
        """Return the line of a state before the choice to bank."""
        if (turn, dice) not in found:
            lines = []
            if may_bank(race, mine, turn):
                lines.append(Line(bank(mine[0] + turn), ZERO))
            if dice and (not lines or mine[0] + turn < race.goal):
                lines.append(throw(turn, dice))
            found[turn, dice] = max(lines or [Line(ZERO, ONE)], key=lambda line: line.at(after))
        return found[turn, dice]

    def throw(turn: int, dice: int) -> Line:
        """Return the line of throwing the dice."""
        total = race.busts[dice]
        rest, bust = ZERO, Fraction(race.busts[dice])
        for weight, options in race.throws[dice]:
            lines = [evaluate(turn + points, left or (race.dice if race.hot else 0)) for points, left in sorted(options)]
            best = max(lines, key=lambda line: line.at(after))
            rest, bust = rest + weight * best.rest, bust + weight * best.bust
            total += weight
        return Line(rest / total, bust / total)

    evaluate(0, race.dice)
    return found


def solve_pair(race: Race, mine: Standing, theirs: Standing, starts: Starts) -> Fraction:
    """Return the chance of the player to start a turn at (mine, theirs), all later scores being solved.

    A bust only swaps the players, so that two chances hang on each other. Fix the mover's policy, solve the other's
    best reply to it, improve the mover's policy against that, and repeat until nothing changes.
    """
    start = (0, race.dice)
    reply = ZERO
    while True:
        own = play_turn(race, mine, bank_at(race, theirs, starts), 1 - reply)[start]
        best = reply_to(race, own, mine, theirs, starts)
        if best == reply:
            return own.at(1 - reply)
        reply = best


def reply_to(race: Race, own: Line, mine: Standing, theirs: Standing, starts: Starts) -> Fraction:
    """Return the best chance of the player at (theirs, mine) against a fixed line of the other."""
    start = (0, race.dice)
    chance = ZERO
    while True:
        line = play_turn(race, theirs, bank_at(race, mine, starts), 1 - own.at(1 - chance))[start]
        if own.bust * line.bust == 1:
            raise ValueError("the race never ends")
        # chance = rest + bust * (1 - (own.rest + own.bust * (1 - chance)))
        solved = line.at(1 - own.rest - own.bust) / (1 - line.bust * own.bust)
        if solved == chance:
            return chance
        chance = solved


def bank_at(race: Race, theirs: Standing, starts: Starts) -> Callable[[int], Fraction]:
    """Make the function from a score just banked to its player's chance to win."""
    return lambda score: ONE if score >= race.goal else 1 - starts[theirs, (score, True)]


def check_race(race: Race) -> None:
    """Refuse options that score nothing, as they would let a turn go on for ever."""
    if any(points <= 0 for throws in race.throws.values() for _, options in throws for points, _ in options):
        raise ValueError("every option must score points")


def solve_race(race: Race, handicaps: tuple[int, ...] = (0,)) -> dict[RaceState, Fraction]:
    """Return the mover's chance to win by (score, opened, their score, their opened, turn total, dice).

    Players who have not opened have one of the handicaps. The value is before the choice to bank or throw; at turn
    total 0 the player must throw. Turn states are those which the turn can reach from its start.
    """
    check_race(race)
    standings = [(score, True) for score in range(race.opening, race.goal)]
    standings += [(score, False) for score in handicaps if race.opening]
    starts: dict[tuple[Standing, Standing], Fraction] = {}
    pairs = sorted(product(standings, repeat=2), key=lambda pair: pair[0][0] + pair[1][0], reverse=True)
    for mine, theirs in pairs:
        starts[mine, theirs] = solve_pair(race, mine, theirs, starts)
    found: dict[RaceState, Fraction] = {}
    for mine, theirs in pairs:
        after = 1 - starts[theirs, mine]
        lines = play_turn(race, mine, bank_at(race, theirs, starts), after)
        for (turn, dice), line in lines.items():
            found[(*mine, *theirs, turn, dice)] = line.at(after)
    return found
