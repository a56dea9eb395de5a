"""Solve small scorecards slowly and exactly.

A player has a card of boxes. Each turn all dice are thrown; up to `rolls` - 1 times any of them are kept and the others
thrown again; then the dice are scored in an open box, for nothing if need be. The game ends when all boxes are filled.

Every turn has `rolls` decisions: which dice to keep (all of them is allowed), with 0 rolls left which box to fill.
A roll, and a keep out of it, is a tuple of faces, descending. A state is a `Card` and the points banked, before a turn.

Every number is a Fraction, so that moves are tied only where they are exactly equal. Within a turn values are integers
over one common denominator. Every keep and every box is tried; nothing here assumes that one is no worse than another.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement
from math import factorial, lcm, prod
from typing import NamedTuple

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "pair", "two-pairs", "three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee",
    "chance",
)  # fmt: skip

Faces = tuple[int, ...]
Payoff = Callable[[int], Fraction]
Distribution = dict[int, Fraction]

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
DISAGREE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Rules:
    """A game of scorecards.

    `upper_bonus`: from how many points in the upper boxes, and how much. `yahtzee_bonus`: for all dice alike once the
    yahtzee box holds its 50. `joker`: what all dice alike may fill once the yahtzee box is filled, see `options`.
    """

    dice: int
    sides: int
    rolls: int
    boxes: tuple[str, ...]
    upper_bonus: tuple[int, int] | None = None
    yahtzee_bonus: int = 0
    joker: str = "none"
    style: str = "yahtzee"

    def __post_init__(self) -> None:
        assert set(self.boxes) <= {*UPPER, *LOWER}
        assert len(set(self.boxes)) == len(self.boxes)
        assert self.joker in ("none", "forced", "free")
        assert self.style in ("yahtzee", "yatzy")


class Card(NamedTuple):
    """Which boxes are filled, as places in `boxes`; points above, no further than the bonus; whether yahtzee holds 50."""

    filled: frozenset[int] = frozenset()
    upper: int = 0
    fifty: bool = False


class Option(NamedTuple):
    """One box for a roll: the points, bonuses included, and the card afterwards."""

    box: int
    points: int
    card: Card


# What boxes score


def alike(roll: Faces) -> bool:
    """Say whether all dice show one face."""
    return len(set(roll)) == 1


def longest_run(roll: Faces) -> int:
    """Return the most faces in a row."""
    shown = set(roll)
    return max(next(n for n in range(1, 100) if face + n not in shown) for face in shown)


def box_points(rules: Rules, box: str, roll: Faces) -> int:
    """Return what a roll scores in a box, jokers and bonuses aside.

    Three and four of a kind score all dice in Yahtzee, only the three or four in Yatzy. Pairs score the dice that make
    them, in either. A full house is exactly a pair and three others alike: five dice. Straights in Yahtzee are four or
    five in a row of any faces (30, 40), in Yatzy 1 to 5 and 2 to 6 (their sums). All dice alike is 50 for any number of
    dice.
    """
    count = Counter(roll)
    if box in UPPER:
        face = UPPER.index(box) + 1
        return face * count[face]
    if box == "chance":
        return sum(roll)
    if box == "yahtzee":
        return 50 if alike(roll) else 0
    if box == "pair":
        return max((2 * face for face in count if count[face] >= 2), default=0)
    if box == "two-pairs":
        pairs = sorted(face for face in count if count[face] >= 2)
        return 2 * sum(pairs[-2:]) if len(pairs) >= 2 else 0
    if box in ("three-of-a-kind", "four-of-a-kind"):
        size = 3 if box == "three-of-a-kind" else 4
        face = max((face for face in count if count[face] >= size), default=0)
        return 0 if face == 0 else sum(roll) if rules.style == "yahtzee" else size * face
    if box == "full-house":
        full = sorted(count.values()) == [2, 3]
        return 0 if not full else 25 if rules.style == "yahtzee" else sum(roll)
    small = box == "small-straight"
    if rules.style == "yatzy":
        straight = set(range(1, 6)) if small else set(range(2, 7))
        return sum(straight) if straight <= set(roll) else 0
    return (30 if small else 40) * (longest_run(roll) >= (4 if small else 5))


def joker_points(rules: Rules, box: str, roll: Faces) -> int:
    """Return what all dice alike score in a lower box as joker: straights and full house in full, two pairs of one face."""
    yatzy = rules.style == "yatzy"
    if box == "full-house":
        return sum(roll) if yatzy else 25
    if box == "small-straight":
        return 15 if yatzy else 30
    if box == "large-straight":
        return 20 if yatzy else 40
    if box == "two-pairs":
        return 4 * roll[0]
    return box_points(rules, box, roll)


def scores(rules: Rules, card: Card, roll: Faces) -> dict[str, int]:
    """Return the boxes that a roll may fill with what it scores there, bonuses aside.

    Once the yahtzee box is filled, all dice alike are a joker. An upper box that is not on the card counts as filled.
    forced: the upper box of that face if open; else a lower box, scoring as joker; else any upper box, for nothing.
    free: any open box; it scores as joker if the upper box of that face is filled.
    """
    opened = [box for place, box in enumerate(rules.boxes) if place not in card.filled]
    plain = {box: box_points(rules, box, roll) for box in opened}
    if rules.joker == "none" or not alike(roll) or "yahtzee" not in rules.boxes or "yahtzee" in opened:
        return plain
    own = UPPER[roll[0] - 1] if roll[0] <= 6 else None
    jokers = {box: joker_points(rules, box, roll) for box in opened}
    if rules.joker == "free":
        return plain if own in opened else jokers
    if own in opened:
        return {box: points for box, points in plain.items() if box == own}
    below = {box: points for box, points in jokers.items() if box in LOWER}
    return below or plain


@cache
def options(rules: Rules, card: Card, roll: Faces) -> tuple[Option, ...]:
    """List the boxes that a roll may fill, in the order of the card, with all points that it brings."""
    found = []
    for box, base in scores(rules, card, roll).items():
        points, upper = base, card.upper
        if alike(roll) and card.fifty:
            points += rules.yahtzee_bonus
        if box in UPPER and rules.upper_bonus:
            at, bonus = rules.upper_bonus
            upper = min(at, upper + base)
            if card.upper < at <= upper:
                points += bonus
        fifty = card.fifty or (box == "yahtzee" and base == 50)
        place = rules.boxes.index(box)
        found.append(Option(place, points, Card(card.filled | {place}, upper, fifty)))
    return tuple(found)


# Dice


def ways(faces: Faces) -> int:
    """Return in how many orders dice can show these faces."""
    return factorial(len(faces)) // prod(factorial(times) for times in Counter(faces).values())


@cache
def throws(dice: int, sides: int) -> tuple[tuple[Faces, int], ...]:
    """List the throws of some dice with the number of ways to each."""
    return tuple((faces, ways(faces)) for faces in combinations_with_replacement(range(sides, 0, -1), dice))


@cache
def keeps(roll: Faces) -> tuple[Faces, ...]:
    """List the distinct parts of a roll, all and nothing included: fewer dice first, then higher faces."""
    return tuple(faces for size in range(len(roll) + 1) for faces in sorted(set(combinations(roll, size)), reverse=True))


@cache
def rerolls(rules: Rules, kept: Faces) -> tuple[tuple[Faces, int], ...]:
    """List what comes of throwing the dice not kept; the ways add up to sides ** dice whatever was kept."""
    times = rules.sides ** len(kept)
    return tuple(
        (tuple(sorted(kept + faces, reverse=True)), times * count)
        for faces, count in throws(rules.dice - len(kept), rules.sides)
    )


# One turn


class Stage(NamedTuple):
    """What rolls, and what keeps made of them, are worth with some rolls left; integers over one denominator.

    Without rolls left there are no keeps, but boxes.
    """

    denominator: int
    rolls: dict[Faces, int]
    keeps: dict[Faces, int]


class Turn(NamedTuple):
    """The value of a turn before it begins, what each box is worth by roll, and the stages by rolls left."""

    value: Fraction
    boxes: dict[Faces, list[Fraction]]
    stages: list[Stage]


def averages(rules: Rules, rolls: Mapping[Faces, int]) -> dict[Faces, int]:
    """Return the value of each keep, multiplied by sides ** dice."""
    return {
        kept: sum(count * rolls[roll] for roll, count in rerolls(rules, kept))
        for size in range(rules.dice + 1)
        for kept, _ in throws(size, rules.sides)
    }


def play_turn(rules: Rules, boxes: dict[Faces, list[Fraction]]) -> Turn:
    """Play a turn for the best, given what each box is worth."""
    distinct = {value for values in boxes.values() for value in values}
    if len(distinct) == 1:  # nothing matters any more: no averages need be taken
        return even_turn(rules, boxes, *distinct)
    best = {roll: max(values) for roll, values in boxes.items()}
    denominator = lcm(*(value.denominator for value in best.values()))
    rolls = {roll: value.numerator * (denominator // value.denominator) for roll, value in best.items()}
    stages = [Stage(denominator, rolls, {})]
    for _ in range(rules.rolls - 1):
        kept = averages(rules, rolls)
        denominator *= rules.sides**rules.dice
        rolls = {roll: max(kept[part] for part in keeps(roll)) for roll in rolls}
        stages.append(Stage(denominator, rolls, kept))
    total = sum(count * rolls[roll] for roll, count in throws(rules.dice, rules.sides))
    return Turn(Fraction(total, denominator * rules.sides**rules.dice), boxes, stages)


def even_turn(rules: Rules, boxes: dict[Faces, list[Fraction]], value: Fraction) -> Turn:
    """Return a turn in which everything is worth the same."""
    rolls = dict.fromkeys(boxes, value.numerator)
    kept = {kept: value.numerator for size in range(rules.dice + 1) for kept, _ in throws(size, rules.sides)}
    later = [Stage(value.denominator, rolls, kept)] * (rules.rolls - 1)
    return Turn(value, boxes, [Stage(value.denominator, rolls, {}), *later])


# Best play for a payoff


class Play:
    """The best play for a payoff of the final score, from any card with any points; none: the score itself."""

    def __init__(self, rules: Rules, payoff: Payoff | None = None) -> None:
        self.rules, self.payoff = rules, payoff
        self.turns: dict[tuple[Card, int], Turn] = {}

    def value(self, card: Card, points: int) -> Fraction:
        """Return what a card with these points is worth before a turn."""
        if len(card.filled) == len(self.rules.boxes):
            return Fraction(points) if self.payoff is None else self.payoff(points)
        return self.turn(card, points).value + (points if self.payoff is None else 0)

    def turn(self, card: Card, points: int) -> Turn:
        """Return the next turn; where scores are what counts, worth the points from then on."""
        known = (card, 0 if self.payoff is None else points)
        if known not in self.turns:
            self.turns[known] = play_turn(
                self.rules,
                {
                    roll: [self.value(o.card, known[1] + o.points) for o in options(self.rules, card, roll)]
                    for roll, _ in throws(self.rules.dice, self.rules.sides)
                },
            )
        return self.turns[known]

    def keep_value(self, card: Card, points: int, rolls_left: int, kept: Faces) -> Fraction:
        """Return what keeping these dice is worth, `rolls_left` throws from the end of the turn, this one counted."""
        stage = self.turn(card, points).stages[rolls_left]
        return Fraction(stage.keeps[kept], stage.denominator) + (points if self.payoff is None else 0)

    def box_value(self, card: Card, points: int, roll: Faces, box: str) -> Fraction:
        """Return what filling this box with the roll is worth."""
        turn, place = self.turn(card, points), self.rules.boxes.index(box)
        values = dict(zip([o.box for o in options(self.rules, card, roll)], turn.boxes[roll], strict=True))
        return values[place] + (points if self.payoff is None else 0)


@cache
def for_points(rules: Rules) -> Play:
    """Return the best play for points."""
    return Play(rules)


def expected(rules: Rules) -> Fraction:
    """Return the expected final score of the best play for points."""
    return for_points(rules).value(Card(), 0)


@cache
def finals(rules: Rules, card: Card) -> frozenset[int]:
    """Return every number of points that a card can still bring."""
    if len(card.filled) == len(rules.boxes):
        return frozenset({0})
    steps = {o for roll, _ in throws(rules.dice, rules.sides) for o in options(rules, card, roll)}
    return frozenset(o.points + rest for o in steps for rest in finals(rules, o.card))


# The game for two, one after the other


def above(worth: Fraction) -> Payoff:
    """Return the payoff of a lead: 1 if ahead, `worth` if level, 0 if behind."""
    return lambda lead: ONE if lead > 0 else worth if lead == 0 else ZERO


@cache
def chase(rules: Rules, worth: Fraction) -> Play:
    """Return the second player's best play, points counted from the target: a tie is worth `worth` to him."""
    return Play(rules, above(worth))


@cache
def lead(rules: Rules, worth: Fraction) -> Play:
    """Return the first player's best play; a tie is worth `worth` to the second."""
    return Play(rules, lambda score: ONE - chase(rules, worth).value(Card(), -score))


def worth_of(rules: Rules, tie: str | Fraction) -> Fraction:
    """Return what a tie is worth to the second player: split, first, second, replay, or the number itself.

    A replayed tie is worth what the game is to him: under fixed play, his chance to win over that of no tie. Take that for
    the best play at the worth at hand, within a bracket, until it is the value of the game at that worth.
    """
    if isinstance(tie, Fraction):
        return tie
    if tie != "replay":
        return {"split": HALF, "first": ZERO, "second": ONE}[tie]
    lowest, highest, worth = -ONE, 2 * ONE, HALF
    while (value := ONE - first_value(rules, worth)) != worth:
        lowest, highest = (worth, highest) if value > worth else (lowest, worth)
        won, tied = results(rules, worth, "win", "win")
        worth = (ONE - won - tied) / (ONE - tied)
        if not lowest < worth < highest:
            worth = (lowest + highest) / 2
    return worth


def second_values(rules: Rules, tie: str | Fraction = "split") -> Distribution:
    """Return the second player's chance against every target, from 0 to the highest final score."""
    best = chase(rules, worth_of(rules, tie))
    return {target: best.value(Card(), -target) for target in range(max(finals(rules, Card())) + 1)}


def first_value(rules: Rules, tie: str | Fraction = "split") -> Fraction:
    """Return the first player's value."""
    return lead(rules, worth_of(rules, tie)).value(Card(), 0)


# Policies, and what comes of them


class Walk(NamedTuple):
    """A turn as a policy plays it: the chance of each decision, by rolls left and roll; of each card and gain after it."""

    decisions: dict[tuple[int, Faces], Fraction]
    steps: dict[tuple[Card, int], Fraction]


class Policy:
    """The move with the best value; of equals the higher expected score, then the order of moves.

    `offset` is what the play adds to points: minus the target where there is one.
    """

    def __init__(self, play: Play, offset: int = 0, walks: dict[tuple[Card, int], Walk] | None = None) -> None:
        self.play, self.offset = play, offset
        self.points = for_points(play.rules)
        self.walks = {} if walks is None else walks

    def box(self, card: Card, points: int, roll: Faces) -> int:
        """Return the place of the box to fill among the options of the roll."""
        values = self.play.turn(card, points + self.offset).boxes[roll]
        scores = self.points.turn(card, 0).boxes[roll]
        return max(range(len(values)), key=lambda place: (values[place], scores[place], -place))

    def keep(self, card: Card, points: int, rolls_left: int, roll: Faces) -> Faces:
        """Return the dice to keep."""
        values = self.play.turn(card, points + self.offset).stages[rolls_left].keeps
        scores = self.points.turn(card, 0).stages[rolls_left].keeps
        parts = keeps(roll)
        return parts[max(range(len(parts)), key=lambda place: (values[parts[place]], scores[parts[place]], -place))]

    def walk(self, card: Card, points: int) -> Walk:
        """Play a turn; where scores are what counts, the points banked do not matter."""
        key = (card, 0 if self.play.payoff is None else points + self.offset)
        if key not in self.walks:
            self.walks[key] = self._walk(card, points)
        return self.walks[key]

    def _walk(self, card: Card, points: int) -> Walk:
        rules = self.play.rules
        dealt = denominator = rules.sides**rules.dice
        decided: dict[tuple[int, Faces], Fraction] = {}
        rolls = dict(throws(rules.dice, rules.sides))
        for rolls_left in range(rules.rolls - 1, 0, -1):
            decided |= {(rolls_left, roll): Fraction(n, denominator) for roll, n in rolls.items()}
            kept: dict[Faces, int] = defaultdict(int)
            for roll, n in rolls.items():
                kept[self.keep(card, points, rolls_left, roll)] += n
            rolls = defaultdict(int)
            for part, n in kept.items():
                for roll, count in rerolls(rules, part):
                    rolls[roll] += n * count
            denominator *= dealt
        decided |= {(0, roll): Fraction(n, denominator) for roll, n in rolls.items()}
        steps: dict[tuple[Card, int], int] = defaultdict(int)
        for roll, n in rolls.items():
            option = options(rules, card, roll)[self.box(card, points, roll)]
            steps[option.card, option.points] += n
        return Walk(decided, {step: Fraction(n, denominator) for step, n in steps.items()})

    def visits(self) -> list[dict[tuple[Card, int], Fraction]]:
        """Return the chance of every card and points, by boxes filled: the last are the finished games."""
        found: list[dict[tuple[Card, int], Fraction]] = [{(Card(), 0): ONE}]
        for _ in self.play.rules.boxes:
            after: dict[tuple[Card, int], Fraction] = defaultdict(Fraction)
            for (card, points), mass in found[-1].items():
                for (left, gain), chance in self.walk(card, points).steps.items():
                    after[left, points + gain] += mass * chance
            found.append(after)
        return found

    @cached_property
    def distribution(self) -> Distribution:
        """The chance of every final score."""
        ends: dict[int, Fraction] = defaultdict(Fraction)
        for (_, points), mass in self.visits()[-1].items():
            ends[points] += mass
        return dict(sorted(ends.items()))


@cache
def chase_walks(rules: Rules, worth: Fraction) -> dict[tuple[Card, int], Walk]:
    """Return what is known of the second player's turns: they depend on the points still needed only."""
    return {}


@cache
def _policy(rules: Rules, name: str, worth: Fraction, target: int | None) -> Policy:
    if name == "score":
        return Policy(for_points(rules))
    if target is None:
        return Policy(lead(rules, worth))
    return Policy(chase(rules, worth), -target, chase_walks(rules, worth))


def policy(rules: Rules, name: str, tie: str | Fraction = "split", target: int | None = None) -> Policy:
    """Return the policy `score` or `win`; `win` plays second against a target, else first."""
    if name == "score":
        return _policy(rules, name, HALF, None)
    return _policy(rules, name, worth_of(rules, tie), target)


def distribution(rules: Rules, name: str, tie: str | Fraction = "split", target: int | None = None) -> Distribution:
    """Return the exact distribution of the final score of `score` or `win`; with a target it plays second against it."""
    return policy(rules, name, tie, target).distribution


@cache
def chased(rules: Rules, worth: Fraction, card: Card, ahead: int) -> tuple[Fraction, Fraction]:
    """Return the second player's chances to win and to tie where he plays to win and is ahead of the target by so much."""
    if len(card.filled) == len(rules.boxes):
        return Fraction(ahead > 0), Fraction(ahead == 0)
    won = tied = ZERO
    for (after, gain), chance in _policy(rules, "win", worth, 0).walk(card, ahead).steps.items():
        win, tie = chased(rules, worth, after, ahead + gain)
        won, tied = won + chance * win, tied + chance * tie
    return won, tied


def replies(rules: Rules, name: str, tie: str | Fraction, target: int) -> tuple[Fraction, Fraction]:
    """Return the chances that a policy, second against a target, wins and ties."""
    if name == "win":
        return chased(rules, worth_of(rules, tie), Card(), -target)
    made = distribution(rules, "score")
    return sum((p for score, p in made.items() if score > target), ZERO), made.get(target, ZERO)


def results(rules: Rules, tie: str | Fraction, first: str, second: str) -> tuple[Fraction, Fraction]:
    """Return the chances that the first player wins, and of a tie, for two policies."""
    won = tied = ZERO
    for score, chance in distribution(rules, first, tie).items():
        win, level = replies(rules, second, tie, score)
        won += chance * (ONE - win - level)
        tied += chance * level
    return won, tied


def compare(rules: Rules, tie: str | Fraction = "split") -> dict[str, list[list[Fraction]]]:
    """Return first_win, tie and second_win of score and win; row: the first player's, column: the second's."""
    names = ("score", "win")
    pairs = [[results(rules, tie, first, second) for second in names] for first in names]
    return {
        "first_win": [[won for won, _ in row] for row in pairs],
        "tie": [[tied for _, tied in row] for row in pairs],
        "second_win": [[ONE - won - tied for won, tied in row] for row in pairs],
    }


# Where playing for points and playing to win part


class Parting(NamedTuple):
    """A decision at which playing for points is worse for winning than the best move."""

    card: Card
    points: int
    rolls_left: int
    roll: Faces
    chance: Fraction
    """Of coming to it, in the play for points."""
    cost: Fraction
    target: int | None = None


class Difference(NamedTuple):
    """Totals along the play for points, and the decisions they come from."""

    decisions_per_game: Fraction
    disagreements_per_game: Fraction
    win_probability_lost: Fraction
    first_roll_disagreement: Fraction
    rows: list[Parting]


def cost(win: Policy, chosen: Policy, card: Card, points: int, rolls_left: int, roll: Faces) -> Fraction:
    """Return how much worse for winning the move chosen is than the best one."""
    turn = win.play.turn(card, points + win.offset)
    if rolls_left == 0:
        return max(turn.boxes[roll]) - turn.boxes[roll][chosen.box(card, points, roll)]
    stage = turn.stages[rolls_left]
    return Fraction(stage.rolls[roll] - stage.keeps[chosen.keep(card, points, rolls_left, roll)], stage.denominator)


def difference(rules: Rules, tie: str | Fraction = "split", target: int | None = None) -> Difference:
    """Return what playing for points costs the first player, with a target the second, decision by decision.

    A disagreement is a decision whose move costs more than DISAGREE; what is lost counts the smallest cost too.
    """
    chosen, win = policy(rules, "score"), policy(rules, "win", tie, target)
    decided = parted = lost = begun = ZERO
    rows = []
    for here in chosen.visits()[:-1]:
        for (card, points), mass in here.items():
            for (rolls_left, roll), share in chosen.walk(card, points).decisions.items():
                price, chance = cost(win, chosen, card, points, rolls_left, roll), mass * share
                decided += chance
                lost += chance * price
                if price > DISAGREE:
                    parted += chance
                    begun += chance if not card.filled and rolls_left == rules.rolls - 1 else ZERO
                    rows.append(Parting(card, points, rolls_left, roll, chance, price, target))
    return Difference(decided, parted, lost, begun, rows)


def second_difference(rules: Rules, tie: str | Fraction = "split") -> Difference:
    """Return what playing for points costs the second player when the first plays to win; rows of every target."""
    totals, rows = [ZERO] * 4, []
    for target, chance in distribution(rules, "win", tie).items():
        found = difference(rules, tie, target)
        totals = [total + chance * figure for total, figure in zip(totals, found[:4], strict=True)]
        rows += [row._replace(chance=chance * row.chance) for row in found.rows]
    return Difference(totals[0], totals[1], totals[2], totals[3], rows)


# The game turn by turn, both cards in view


class TurnByTurn:
    """Two players who take turns, each seeing the other's card, both playing to win."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known: dict[tuple[Card, Card, int, Fraction], Fraction] = {}

    def value(self, mine: Card, theirs: Card, ahead: int, worth: Fraction) -> Fraction:
        """Return the chance of the player to move: her card, the other's, her points less his, a tie's worth to her.

        Whose card is full has no more turns; the other plays on.
        """
        full = len(self.rules.boxes)
        if len(mine.filled) == full:
            if len(theirs.filled) == full:
                return above(worth)(ahead)
            return ONE - self.value(theirs, mine, -ahead, ONE - worth)
        key = (mine, theirs, ahead, worth)
        if key not in self.known:
            boxes = {
                roll: [
                    ONE - self.value(theirs, o.card, -ahead - o.points, ONE - worth) for o in options(self.rules, mine, roll)
                ]
                for roll, _ in throws(self.rules.dice, self.rules.sides)
            }
            self.known[key] = play_turn(self.rules, boxes).value
        return self.known[key]


@cache
def turn_by_turn(rules: Rules) -> TurnByTurn:
    """Return the game turn by turn, with all that is known of it."""
    return TurnByTurn(rules)


def turn_by_turn_value(rules: Rules, tie: str | Fraction = "split") -> Fraction:
    """Return the value of the player who begins, from empty cards; `tie` cannot be replay."""
    return turn_by_turn(rules).value(Card(), Card(), 0, ONE - worth_of(rules, tie))


def low(rules: Rules, mine: Card, theirs: Card, ahead: int, worth: Fraction = HALF) -> Fraction:
    """Return what I can be sure of whoever moves: I play out, then he, seeing my score; a tie is worth `worth` to me."""
    his = Play(rules, above(ONE - worth))
    return Play(rules, lambda score: ONE - his.value(theirs, -score)).value(mine, ahead)


def high(rules: Rules, mine: Card, theirs: Card, ahead: int, worth: Fraction = HALF) -> Fraction:
    """Return what I cannot get beyond: one less what he can be sure of."""
    return ONE - low(rules, theirs, mine, -ahead, ONE - worth)
