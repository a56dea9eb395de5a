"""Solve small races with house rules slowly, by plain iteration over dictionaries, sharing no code with the package.

A player is (score, opened, busts in a row). The chance of the player to move is iterated over all pairs until nothing
changes; turns are played out throw by throw, every die apart, every subset of a throw tried. Totals of a turn are followed
to `farthest` points past the goal: by then a turn is worth the same to a part in 10^15 whatever it does.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any, NamedTuple

from oracle_race import worth

Player = tuple[int, bool, int]
BUST, CRASH = "bust", "crash"


class House(NamedTuple):
    """A race solved: the chance of the player to move, and all that its turns hang on."""

    game: Any
    throws: dict[int, list[tuple[float, Any]]]
    chances: dict[tuple[Player, Player], float]
    farthest: int
    tie: float


def throws_of(game: Any) -> dict[int, list[tuple[float, Any]]]:
    """List what a throw of so many dice offers, with its chance: sets of (points, dice left), a bust or a crash."""
    found = {}
    for dice in range(1, game.dice + 1):
        offers: Counter[Any] = Counter()
        for roll in product(range(1, game.sides + 1), repeat=dice):
            offers[offer(game, roll)] += 1
        found[dice] = [(count / game.sides**dice, what) for what, count in offers.items()]
    return found


def offer(game: Any, roll: tuple[int, ...]) -> Any:
    """Return what one throw offers."""
    again = game.dice if game.hot_dice else 0
    bad = [face for face in roll if face in game.bust_faces]
    if bad:
        return CRASH if len(bad) == len(roll) and game.bust_all == "score" else BUST
    options = set()
    for size in [len(roll)] if game.keep_all else range(1, len(roll) + 1):
        for kept in combinations(roll, size):
            points = worth(game, tuple(sorted(kept)))
            if points:
                options.add((points, len(roll) - size or again))
    if not options and game.nothing and len(roll) == game.dice:
        options.add((game.nothing, again))
    return frozenset(options) or BUST


def next_after(game: Any, player: Player, what: str) -> Player:
    """Return the player after a turn that banks nothing."""
    score, opened, busts = player
    if what == CRASH:
        score = 0
    if not game.three_busts:
        return score, opened, 0
    if busts < 2:
        return score, opened, busts + 1
    return (min(score, 0) if game.three_busts == "score" else max(score - game.three_busts, game.lowest)), opened, 0


def over(house: House, me: Player, them: Player) -> float:
    """Return the worth of a race that is over to the player `me`, who has just had the last turn."""
    return 1.0 if me[0] > them[0] else house.tie if me[0] == them[0] else 0.0


def passed(house: House, me: Player, them: Player) -> float:
    """Return what it is worth to `me` to have ended a turn so."""
    if house.game.last_round and them[0] >= house.game.goal:
        return over(house, me, them)
    if me[0] >= house.game.goal and not house.game.last_round:
        return 1.0
    return 1.0 - house.chances[them, me]


def play(house: House, me: Player, them: Player) -> dict[tuple[int, int], tuple[float, float | None]]:
    """Return (worth of throwing, worth of banking) for every turn total and number of dice; None where it may not be."""
    game = house.game
    top = game.goal - me[0] + (house.farthest if game.last_round else 0)
    if game.last_round and them[0] >= game.goal:
        top = them[0] - me[0] + 1
    least = max(game.minimum, 0 if me[1] else game.opening, 1)
    top = max(top, least)
    ways = (BUST, CRASH) if game.bust_all == "score" else (BUST,)
    ends = {what: passed(house, next_after(game, me, what), them) for what in ways}
    found: dict[tuple[int, int], tuple[float, float | None]] = {}

    def best(total: int, dice: int) -> float | None:
        if game.exact and me[0] + total > game.goal:
            return None
        if total >= top:
            return 1.0
        throw, bank = found[total, dice]
        return max(throw, bank) if bank is not None and dice else bank if bank is not None else throw

    for total in range(top - 1, -1, -1):
        bank = passed(house, (me[0] + total, True, 0), them) if total >= least else None
        found[total, 0] = ends[BUST], bank
        for dice in range(1, game.dice + 1):
            throw = 0.0
            for chance, what in house.throws[dice]:
                if isinstance(what, str):
                    throw += chance * ends[what]
                    continue
                worths = [w for points, left in what if (w := best(total + points, left)) is not None]
                throw += chance * (max(worths) if worths else ends[BUST])
            found[total, dice] = throw, bank
    return found


def solve_house(game: Any, farthest: int = 0, tie: float = 0.5) -> House:
    """Solve a race; `tie` is what a tie is worth to who has the last turn."""
    lowest = game.lowest if game.three_busts else 0
    least = lowest if game.three_busts or game.bust_all == "score" else game.opening
    players = [(score, True, 0) for score in range(least, game.goal)]
    if game.opening:
        unopened = {0}
        while game.three_busts and (more := {next_after(game, (score, False, 2), BUST)[0] for score in unopened} - unopened):
            unopened |= more
        players += [(score, False, 0) for score in unopened]
    if game.three_busts:
        players = [(score, opened, busts) for score, opened, _ in players for busts in range(3)]
    finished = [(score, True, 0) for score in range(game.goal, game.goal + farthest)] if game.last_round else []
    house = House(game, throws_of(game), {}, farthest, tie)
    pairs = [(me, them) for me in players for them in [*players, *finished]]
    pairs.sort(key=lambda pair: (-pair[0][0] - pair[1][0], -pair[0][2] - pair[1][2]))
    house.chances.update(dict.fromkeys(pairs, 0.5))
    while True:
        change = 0.0
        for me, them in pairs:
            new = play(house, me, them)[0, game.dice][0]
            change = max(change, abs(new - house.chances[me, them]))
            house.chances[me, them] = new
        if change < 4e-15:
            return house
