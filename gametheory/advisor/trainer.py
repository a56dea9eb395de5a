"""The trainer in the terminal: the dice are thrown, you decide, and every decision is set against the best one.

Your chance to win, if both go on at their best, changes only by dice (luck) and by your mistakes, so that

    chance at the start + luck of your dice + luck of theirs - given away + what they gave away = what the game brought.

The same game number gives the same dice here and on the page (`web/random.js`).
"""

from __future__ import annotations

import secrets
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from .. import files, games
from ..answers import COMMANDS, Move, Policy, Ranking
from ..ask import review
from ..ask.solve import read_policy
from ..dice import Stream
from ..match.solution import Solution, check_seat
from ..sitting import Sitting
from ..store.export import check_new
from ..ties import TIED
from . import page

MOST_SEED = 999_999_999
WIDTH = 80
SHOW, *LEAVE = COMMANDS


@dataclass
class Account:
    """What became of the chance to win, and how the game ended."""

    start: float
    decisions: int = 0
    mistakes: int = 0
    given: float = 0.0
    luck: float = 0.0
    their_luck: float = 0.0
    their_given: float = 0.0
    """What they gave away, where they do not play at their best."""
    lines: list[str] = field(default_factory=list)
    """The decisions, as `gametheory review` reads them."""
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

    def tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def ask(self, prompt: str) -> str:
        print(prompt, end="", file=self.target, flush=True)
        try:
            line = self.source.readline()
        except UnicodeDecodeError:
            return "?!"
        if not line or line.strip().lower() in LEAVE:
            raise _Left
        return line.strip()


def run(
    game: Any, seed: int | None = None, seat: str = "first", *, tables: str | None = None, tie: str | float = "split",
    against: Any = None, output: str | Path | None = None, force: bool = False,
    solution: Callable[[Any], Solution] | None = None, source: TextIO | None = None, target: TextIO | None = None,
) -> Account:  # fmt: skip
    """Play one training game, reading from standard input and writing to standard output; return its account.

    `against` is a policy that they play, in place of the best; `output` a file for the decisions, to be reviewed.
    """
    check_seat(seat)
    if output is not None:
        check_new(output, force)
    if seed is not None and not 0 <= seed <= MOST_SEED:
        raise ValueError(f"game number {seed}: give a number from 0 to {MOST_SEED}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    solved = solution(game) if solution else page.find_solution(game, tables, tie, "sit")
    opponent = None if against is None else solved.policy(read_policy(against, solved.game))
    terminal = _Terminal(source or sys.stdin, target or sys.stdout)
    sitting = solved.sit(seat)
    if opponent is not None and not sitting.can_ask(opponent):
        raise ValueError(
            f"{opponent.name} cannot be played against throw by throw: say win or score, or give a function, as FILE.py:NAME"
        )
    account = Account(solved.first_player_value if seat == "first" else solved.second_player_value)
    try:
        terminal.say(f"{solved.game.name}: {games.family(solved.game).describe(solved.game)}")
        terminal.say(f"You play {seat}. This is game {seed}: the same number is the same dice.")
        terminal.say(f'{sitting.notation.how_to} "?" shows the best moves, "q" ends the game.')
        _play(sitting, seed, account, terminal, opponent)
        _report(account, terminal)
    except (_Left, KeyboardInterrupt):
        terminal.say()
    if output is not None and account.lines:
        files.write(check_new(output, force), review.write(solved, account.lines).encode())
        terminal.say(f"wrote {output}: gametheory review {output} says what each decision cost")
    return account


def _play(sitting: Sitting, seed: int, account: Account, terminal: _Terminal, opponent: Policy | None) -> None:
    """Play the game out: throw for both, let the person decide, and move for the other at his best."""
    streams = Stream(seed, 0), Stream(seed, 1)
    while sitting.shares is None:
        before = sitting.chance()
        sitting.throw(streams[sitting.to_move])
        ranking = sitting.ranking
        luck = (ranking[0].win_probability if ranking else sitting.lost()) - before
        if sitting.mine:
            account.luck += luck
        else:
            account.their_luck -= luck
        terminal.tell(sitting.told())
        move = None
        if ranking:
            if sitting.mine:
                move = _decide(sitting, ranking, account, terminal)
            else:
                move = ranking[0] if opponent is None else sitting.answer(opponent)
                account.their_given += ranking[0].win_probability - move.win_probability
        terminal.tell(sitting.play(move))
    account.result = sitting.shares[sitting.me]


def _decide(sitting: Sitting, ranking: Ranking, account: Account, terminal: _Terminal) -> Move:
    """Ask for a move until there is one, put it down, and say what it was worth."""
    while True:
        answer = terminal.ask(f"{sitting.notation.noun}> ")
        if answer == SHOW:
            _show_best(sitting, ranking, terminal)
            continue
        try:
            taken = sitting.read(answer)
        except ValueError as error:
            terminal.say(f"  {error}")
            continue
        account.lines.append(review.line(sitting.notation, sitting.place, sitting.roll, taken))
        cost = account.decide(ranking[0].win_probability, taken.win_probability, len(ranking))
        _verdict(sitting, ranking, taken, cost, terminal)
        return taken


def _show_best(sitting: Sitting, ranking: Ranking, terminal: _Terminal) -> None:
    terminal.say(f"  {'to win':>8} {'expected':>9}  {sitting.notation.noun}")
    for move in ranking[:5]:
        shown = sitting.notation.write_move(move)
        terminal.say(f"  {percent(move.win_probability):>8} {move.expected_score:9.1f}  {shown}")


def _verdict(sitting: Sitting, ranking: Ranking, taken: Move, cost: float, terminal: _Terminal) -> None:
    best, write = ranking[0], sitting.notation.write_move
    if len(ranking) == 1:
        terminal.say("  There was nothing else to do.")
    elif cost:
        terminal.say(
            f"  That cost {percent(cost)}: {write(best)} wins {percent(best.win_probability)}, {write(taken)} "
            f"{percent(taken.win_probability)}."
        )
    else:
        terminal.say(f"  The best move: {percent(best.win_probability)} to win.")


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
        *([("What they gave away", f"{account.their_given:+.1%}")] if account.their_given > TIED else []),
        ("The game brought you", percent(account.result)),
    ):
        terminal.say(f"  {name:<28}{value:>8}")


def percent(chance: float) -> str:
    """Write a chance, with more places where it is small or nearly sure."""
    edge = min(chance, 1.0 - chance)
    return f"{chance:.2%}" if 1e-12 < edge < 0.005 else f"{chance:.1%}"
