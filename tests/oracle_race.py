"""Solve small press-your-luck races slowly and exactly.

A race is given as data. For each number of dice to throw there is a list of (weight, options), one entry per
roll that scores, and the weight of the rolls that bust. An option is (points, dice left after); none left
means that all dice are thrown again. A turn starts with a throw of all dice. After each throw that does not
bust the player takes one of its options and either throws on or banks the turn total and passes; a bust
loses the turn total and passes. The first bank of a player must be at least the opening threshold. Who banks
to the goal or beyond wins at once.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

Option = tuple[int, int]
Throw = tuple[int, frozenset[Option]]
RaceState = tuple[int, bool, int, bool, int, int]
TurnState = tuple[int, int]

ZERO, ONE = Fraction(0), Fraction(1)


class Race(NamedTuple):
    """The rules of a race; `throws` and `busts` are by number of dice thrown."""

    dice: int
    throws: Mapping[int, list[Throw]]
    busts: Mapping[int, int]
    goal: int
    opening: int = 0


class Line(NamedTuple):
    """A value linear in the chance to win after a bust: rest + bust * that chance."""

    rest: Fraction
    bust: Fraction

    def at(self, after: Fraction) -> Fraction:
        """Return the value where a bust leaves the chance `after`."""
        return self.rest + self.bust * after


def has_opened(race: Race, score: int) -> bool:
    """Tell whether a player with this score need no longer meet the opening threshold."""
    return score > 0 or race.opening <= 0


def may_bank(race: Race, mine: int, turn: int) -> bool:
    """Tell whether the turn total may be banked."""
    return turn > 0 and (has_opened(race, mine) or turn >= race.opening)


def play_turn(
    race: Race, mine: int, bank: Callable[[int], Fraction], after: Fraction
) -> dict[TurnState, Line]:
    """Return the optimal line of every state (turn total, dice) of a turn.

    `bank` gives the chance to win by score after banking, `after` the one after a bust. Among equal choices
    the one listed first is taken: bank before throwing on.
    """
    found: dict[TurnState, Line] = {}

    def evaluate(turn: int, dice: int) -> Line:
        """Return the line of a state before the choice to bank."""
        if (turn, dice) not in found:
            lines = []
            if may_bank(race, mine, turn):
                lines.append(Line(bank(mine + turn), ZERO))
            if not lines or mine + turn < race.goal:
                lines.append(throw(turn, dice))
            found[turn, dice] = max(lines, key=lambda line: line.at(after))
        return found[turn, dice]

    def throw(turn: int, dice: int) -> Line:
        """Return the line of throwing the dice."""
        total = race.busts[dice]
        rest, bust = ZERO, Fraction(race.busts[dice])
        for weight, options in race.throws[dice]:
            lines = [evaluate(turn + points, left or race.dice) for points, left in sorted(options)]
            best = max(lines, key=lambda line: line.at(after))
            rest, bust = rest + weight * best.rest, bust + weight * best.bust
            total += weight
        return Line(rest / total, bust / total)

    evaluate(0, race.dice)
    return found


def solve_pair(race: Race, mine: int, theirs: int, starts: Mapping[tuple[int, int], Fraction]) -> Fraction:
    """Return the chance of the player to start a turn at (mine, theirs), all later scores being solved.

    A bust only swaps the players, so that two chances hang on each other. Fix the mover's policy, solve the
    other's best reply to it, improve the mover's policy against that, and repeat until nothing changes.
    """
    start = (0, race.dice)
    reply = ZERO
    while True:
        own = play_turn(race, mine, bank_at(race, theirs, starts), 1 - reply)[start]
        best = reply_to(race, own, mine, theirs, starts)
        if best == reply:
            return own.at(1 - reply)
        reply = best


def reply_to(
    race: Race, own: Line, mine: int, theirs: int, starts: Mapping[tuple[int, int], Fraction]
) -> Fraction:
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


def bank_at(race: Race, theirs: int, starts: Mapping[tuple[int, int], Fraction]) -> Callable[[int], Fraction]:
    """Make the function from a score just banked to its player's chance to win."""
    return lambda score: ONE if score >= race.goal else 1 - starts[theirs, score]


def check_race(race: Race) -> None:
    """Refuse options that score nothing, as they would let a turn go on for ever."""
    if any(points <= 0 for throws in race.throws.values() for _, options in throws for points, _ in options):
        raise ValueError("every option must score points")


def solve_race(race: Race) -> dict[RaceState, Fraction]:
    """Return the mover's chance to win by (score, opened, their score, their opened, turn total, dice).

    A player has opened with a score above 0, or from the start where there is no threshold. The value is
    before the choice to bank or throw; at turn total 0 the player must throw. Turn states are those which
    the turn can reach from its start.
    """
    check_race(race)
    pairs = [(mine, theirs) for mine in range(race.goal) for theirs in range(race.goal)]
    starts: dict[tuple[int, int], Fraction] = {}
    for mine, theirs in sorted(pairs, key=sum, reverse=True):
        starts[mine, theirs] = solve_pair(race, mine, theirs, starts)
    found: dict[RaceState, Fraction] = {}
    for mine, theirs in pairs:
        after = 1 - starts[theirs, mine]
        lines = play_turn(race, mine, bank_at(race, theirs, starts), after)
        for (turn, dice), line in lines.items():
            flags = has_opened(race, mine), has_opened(race, theirs)
            found[mine, flags[0], theirs, flags[1], turn, dice] = line.at(after)
    return found
