"""The trainer in the terminal: the dice are thrown, you decide, and every decision is set against the best one.

Your chance to win, if both go on at their best, changes only by dice (luck) and by your mistakes, so that

    chance at the start + luck of your dice + luck of theirs - chance given away = what the game brought.

The same game number gives the same dice here and on the page (`web/random.js`).
"""

from __future__ import annotations

import secrets
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TextIO

from .. import dice
from ..ask import moves as ranking
from ..ask.moves import TIED
from ..dice import Roll
from ..match.duel import Duel
from ..race import rules as race_rules
from ..race import solver as race
from ..race.solver import RaceSolution
from . import page

SEATS = ("first", "second")
MOST_SEED = 999_999_999
WIDTH = 80


class Stream:
    """Seeded dice (mulberry32), one stream for each player: 0 throws first, 1 second."""

    def __init__(self, seed: int, player: int) -> None:
        self.state = seed ^ (0x9E3779B9 if player else 0)

    def _next(self) -> int:
        full = 0xFFFFFFFF
        self.state = (self.state + 0x6D2B79F5) & full
        t = (self.state ^ (self.state >> 15)) * (self.state | 1) & full
        t = ((t + ((t ^ (t >> 7)) * (t | 61))) & full) ^ t
        return t ^ (t >> 14)

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """Throw so many dice; faces descending.

        >>> Stream(4711, 0).roll(5, 6) == Stream(4711, 0).roll(5, 6)
        True
        """
        return tuple(sorted(((self._next() * sides >> 32) + 1 for _ in range(count)), reverse=True))


@dataclass
class Account:
    """What became of the chance to win, and how the game ended."""

    start: float
    decisions: int = 0
    mistakes: int = 0
    given: float = 0.0
    luck: float = 0.0
    their_luck: float = 0.0
    result: float | None = None
    """1 for a win, 0 for a loss, what a tie is worth to you; None where the game was left."""

    def decide(self, best: float, taken: float, choices: int) -> float:
        """Put a decision down; return what it cost."""
        cost = best - taken if best - taken > TIED else 0.0
        self.decisions += choices > 1
        self.mistakes += cost > 0
        self.given += cost
        return cost


class _Left(Exception):
    """The player has had enough."""


class _Terminal:
    """Where the words go and come from."""

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self.source, self.target = source, target

    def say(self, text: str = "") -> None:
        for line in text.splitlines() or [""]:
            indent = line[: len(line) - len(line.lstrip())]
            wrapped = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
            print("\n".join(wrapped), file=self.target)

    def ask(self, prompt: str) -> str:
        print(prompt, end="", file=self.target, flush=True)
        try:
            line = self.source.readline()
        except UnicodeDecodeError:
            return "?!"
        if not line or line.strip().lower() in ("q", "quit", "exit"):
            raise _Left
        return line.strip()


def run(
    game: str, seed: int | None = None, seat: str = "first", *, tables: str | None = None, tie: str | float = "split",
    solution: Callable[[str], Duel | RaceSolution] | None = None, source: TextIO | None = None,
    target: TextIO | None = None,
) -> Account:  # fmt: skip
    """Play one training game, reading from standard input and writing to standard output; return its account."""
    if seat not in SEATS:
        raise ValueError(f"there is no seat {seat!r}: say first or second")
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise ValueError(f"game number {seed}: give a number from 0 to {MOST_SEED}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    solved = solution(game) if solution else page.find_solution(game, tables, tie)
    terminal = _Terminal(source or sys.stdin, target or sys.stdout)
    training: _PoolGame | _RaceGame
    if isinstance(solved, Duel):
        training = _PoolGame(solved, seat, seed, terminal)
    else:
        training = _RaceGame(solved, seat, seed, terminal)
    try:
        terminal.say(f"{solved.game.name}: {page.about(solved.game)}")
        terminal.say(f"You play {seat}. This is game {seed}: the same number is the same dice.")
        terminal.say(f'{training.how_to} "?" shows the best moves, "q" ends the game.')
        training.play()
        _report(training.account, terminal)
    except (_Left, KeyboardInterrupt):
        terminal.say()
    return training.account


def _report(account: Account, terminal: _Terminal) -> None:
    terminal.say()
    terminal.say(
        f"{account.decisions} decision{'s' * (account.decisions != 1)}, {account.mistakes} "
        f"mistake{'s' * (account.mistakes != 1)}, {percent(account.given)} of winning chance given away."
    )
    assert account.result is not None
    for name, value in (
        ("Your chance at the start", percent(account.start)),
        ("Luck of your dice", f"{account.luck:+.1%}"),
        ("Luck of their dice, for you", f"{account.their_luck:+.1%}"),
        ("Chance given away", f"{-account.given:+.1%}" if account.given else "0.0%"),
        ("The game brought you", percent(account.result)),
    ):
        terminal.say(f"  {name:<28}{value:>8}")


def percent(chance: float) -> str:
    """Write a chance, with more places where it is small or nearly sure."""
    edge = min(chance, 1.0 - chance)
    return f"{chance:.2%}" if 1e-12 < edge < 0.005 else f"{chance:.1%}"


class _Choice(NamedTuple):
    """One move in words, and its figures."""

    text: str
    win: float
    expected: float


def _show_best(terminal: _Terminal, choices: list[_Choice]) -> None:
    terminal.say(f"  {'to win':>8} {'expected':>9}  keep")
    for choice in choices[:5]:
        terminal.say(f"  {percent(choice.win):>8} {choice.expected:9.1f}  {choice.text}")


def _verdict(terminal: _Terminal, cost: float, choices: list[_Choice], taken: _Choice) -> None:
    best = choices[0]
    if len(choices) == 1:
        terminal.say("  There was nothing else to do.")
    elif cost:
        terminal.say(
            f"  That cost {percent(cost)}: {best.text} wins {percent(best.win)}, {taken.text} {percent(taken.win)}."
        )
    else:
        terminal.say(f"  The best move: {percent(best.win)} to win.")


class _PoolGame:
    """Trains a pool game."""

    def __init__(self, duel: Duel, seat: str, seed: int, terminal: _Terminal) -> None:
        self.duel, self.game, self.seat, self.terminal = duel, duel.game, seat, terminal
        mine = SEATS.index(seat)
        self.mine, self.theirs = Stream(seed, mine), Stream(seed, 1 - mine)
        value = duel.first_player_value
        self.account = Account(value if seat == "first" else 1.0 - value)
        name = self.game.kinds[0].name
        short = ' or just "1 1"' if len(self.game.kinds) == 1 else ""
        self.how_to = f'Type the dice to keep, as in "{name}:1,1"{short}.'

    def play(self) -> None:
        """Play the game out."""
        target = self._opponent(None) if self.seat == "second" else None
        score = self._me(target)
        theirs = self._opponent(score) if target is None else target
        won = score > theirs if self.game.higher_wins else score < theirs
        worth = self.duel.tie_worth
        self.account.result = (1.0 - worth if self.seat == "first" else worth) if score == theirs else float(won)
        said = "a tie" if score == theirs else "you win" if won else "they win"
        self.terminal.say(f"You made {score}, they made {theirs}: {said}.")

    def _roll(self, stream: Stream, left: tuple[int, ...]) -> Roll:
        return tuple(stream.roll(n, die.sides) for n, die in zip(left, self.game.kinds, strict=True))

    def _chance(self, left: tuple[int, ...], banked: int, target: int | None) -> float:
        return self.duel.first(left, banked) if target is None else self.duel.second(target, left, banked)

    def _me(self, target: int | None) -> int:
        left, banked = self.game.counts, 0
        account = self.account
        while any(left):
            roll = self._roll(self.mine, left)
            found = ranking.rank(self.duel, roll, banked, target).moves
            account.luck += found[0].win_probability - self._chance(left, banked, target)
            self.terminal.say()
            against = "" if target is None else f" against {target}"
            self.terminal.say(f"{banked} banked{against}. The roll: {dice.format_roll(roll, self.game.kinds)}")
            choices = [
                _Choice(dice.format_roll(move.keep, self.game.kinds), move.win_probability, move.expected_score)
                for move in found
            ]
            place = self._choose(roll, [move.keep for move in found], choices)
            cost = account.decide(found[0].win_probability, found[place].win_probability, len(found))
            _verdict(self.terminal, cost, choices, choices[place])
            left, banked = found[place].dice_left, banked + found[place].points
        return banked

    def _choose(self, roll: Roll, keeps: list[Roll], choices: list[_Choice]) -> int:
        kinds = self.game.kinds
        while True:
            answer = self.terminal.ask("keep> ")
            if answer == "?":
                _show_best(self.terminal, choices)
                continue
            try:
                if answer.lower() == "all":
                    return keeps.index(roll)
                if len(kinds) == 1 and ":" not in answer and answer:
                    answer = f"{kinds[0].name}:{','.join(answer.replace(',', ' ').split())}"
                keep = dice.parse_roll(answer, kinds)
                if keep in keeps:
                    return keeps.index(keep)
                shown = dice.format_roll(roll, kinds)
                self.terminal.say(f"  {dice.format_roll(keep, kinds)} is no part of the roll: keep some of {shown}.")
            except ValueError as error:
                self.terminal.say(f"  {error}")

    def _opponent(self, target: int | None) -> int:
        """Let the other player play out, at his best."""
        left, banked = self.game.counts, 0
        self.terminal.say()
        while any(left):
            roll = self._roll(self.theirs, left)
            best = ranking.rank(self.duel, roll, banked, target).moves[0]
            self.account.their_luck -= best.win_probability - self._chance(left, banked, target)
            left, banked = best.dice_left, banked + best.points
            kept = dice.format_roll(best.keep, self.game.kinds)
            self.terminal.say(f"They roll {dice.format_roll(roll, self.game.kinds)}, keep {kept}: {banked}.")
        return banked


class _RaceGame:
    """Trains a race."""

    def __init__(self, solution: RaceSolution, seat: str, seed: int, terminal: _Terminal) -> None:
        self.solution, self.game, self.seat, self.terminal = solution, solution.game, seat, terminal
        mine = SEATS.index(seat)
        self.mine, self.theirs = Stream(seed, mine), Stream(seed, 1 - mine)
        value = solution.first_player_value
        self.account = Account(value if seat == "first" else 1.0 - value)
        self.how_to = 'Type the dice to keep and what then, as in "5 bank" or "5 roll".'

    def play(self) -> None:
        """Play the game out."""
        scores = {"You": 0, "They": 0}
        order = ["You", "They"] if self.seat == "first" else ["They", "You"]
        while True:
            for who in order:
                me, other = scores[who], scores[order[order.index(who) - 1]]
                self.terminal.say()
                scores[who] += self._turn(who == "You", me, other)
                self.terminal.say(f"{who} have {scores[who]}.")
                if scores[who] >= self.game.goal:
                    self.account.result = float(who == "You")
                    said = "you win" if who == "You" else "they win"
                    self.terminal.say(f"You made {scores['You']}, they made {scores['They']}: {said}.")
                    return

    def _turn(self, mine: bool, score: int, other: int) -> int:
        """Play one turn; return what it banks."""
        game, solution = self.game, self.solution
        chances = race.turn_chances(solution, solution.standing(score), solution.standing(other))
        turn, left = 0, game.dice
        while True:
            roll = (self.mine if mine else self.theirs).roll(left, game.sides)
            before = chances.rolled(turn // game.unit, left)
            bust = not race_rules.keeps(game, roll)
            found = [] if bust else race.moves(solution, roll, turn, score, other)
            change = (chances.lose if bust else found[0].win_probability) - before
            if mine:
                self.account.luck += change
                shown = race_rules.format_roll(roll)
                self.terminal.say(f"You {score}, they {other}, this turn {turn}. The roll: {shown}")
            else:
                self.account.their_luck -= change
            if bust:
                lost = f" and {'lose' if turn else 'make'} {turn or 'nothing'}"
                self.terminal.say("  A bust." if mine else f"They bust with {race_rules.format_roll(roll)}{lost}.")
                return 0
            move = self._decide(found) if mine else found[0]
            turn += move.points
            if not mine:
                then = "bank" if move.bank else f"roll {move.dice_left} more"
                self.terminal.say(
                    f"They roll {race_rules.format_roll(roll)}, keep {race_rules.format_roll(move.keep)}, {then}."
                )
            if move.bank:
                # A total that may not be banked, with no dice left to throw, is lost.
                return turn if move.expected_score > 0 else 0
            left = move.dice_left

    def _decide(self, found: list[race.Move]) -> race.Move:
        choices = [
            _Choice(
                f"{race_rules.format_roll(move.keep)} {'bank' if move.bank else 'roll'}",
                move.win_probability,
                move.expected_score,
            )
            for move in found
        ]
        move = self._choose(found, choices)
        cost = self.account.decide(found[0].win_probability, move.win_probability, len(found))
        _verdict(self.terminal, cost, choices, choices[found.index(move)])
        return move

    def _choose(self, found: list[race.Move], choices: list[_Choice]) -> race.Move:
        only = {move.keep for move in found}
        while True:
            answer = self.terminal.ask("keep> ").lower()
            if answer == "?":
                _show_best(self.terminal, choices)
                continue
            words = answer.replace(",", " ").split()
            acts = {"b": True, "bank": True, "r": False, "roll": False}
            if not words or words[-1] not in acts:
                self.terminal.say('  Say "bank" or "roll" after the dice to keep, as in "5 roll".')
                continue
            try:
                # With one way to keep dice there is no need to name them.
                keep = (
                    next(iter(only))
                    if len(words) == 1 and len(only) == 1
                    else race_rules.parse_roll(self.game, " ".join(words[:-1]))
                )
            except ValueError as error:
                self.terminal.say(f"  {error}")
                continue
            for move in found:
                if move.keep == keep and move.bank == acts[words[-1]]:
                    return move
            if keep not in only:
                self.terminal.say(f"  {race_rules.format_roll(keep)}: keep only dice of the roll that score.")
            elif acts[words[-1]]:
                self.terminal.say(f"  Too little to bank: the first points must be at least {self.game.opening}.")
            else:
                self.terminal.say("  No dice are left to roll: bank.")
