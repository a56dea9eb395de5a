"""The commands that ask: arguments, the call of one public function, how its answer is printed."""

from __future__ import annotations

import sys
from typing import Any

from .. import games
from ..ties import parse_tie
from . import show
from .options import Options
from .show import number, print_table, print_text


def moves(options: Options) -> int:
    """Rank the moves of a roll."""
    from ..ask import moves as ask

    if options.top is not None and options.top < 0:
        raise ValueError(f"--top {options.top}: give how many moves to show, or 0 for all")
    path = show.check_output(options)
    position = {name: getattr(options, name, None) for name in ask.OPTIONS}
    found = ask.moves(
        options.game, options.roll, tie=options.tie, match=options.match, aim=options.aim, against=options.against,
        sort=options.sort, tables=options.tables, **position,
    )  # fmt: skip
    top = 20 if options.top is None and not options.json and sys.stdout.isatty() else options.top
    answer, every = found.to_dict(top), found.to_dict()["moves"]
    table = tuple(every[0]), [tuple(move.values()) for move in every]
    return show.answer(options, path, answer, table, lambda: show.print_moves(answer))


def second(options: Options) -> int:
    """Show the chance of the player to come against every score of the one who has finished."""
    from ..ask.compare import second

    path = show.check_output(options)
    if options.chance is not None and not 0.0 <= options.chance <= 1.0:
        raise ValueError(f"--chance {options.chance}: give a number from 0 to 1")
    game, tie = games.game(options.game), parse_tie(options.tie)[0]
    found = second(
        options.game, tie=options.tie, players=options.players, players_after=options.players_after, tables=options.tables
    )  # fmt: skip
    data = {"game": game.name, "tie": tie, **found.to_dict()}
    if options.chance is not None:
        needed = found.needed(options.chance)
        data |= {"chance": options.chance, "score_needed": needed}

    def tell() -> None:
        print_text(found.title)
        if options.chance is not None:
            most = "enough: no score wins so often" if needed is None else f"{needed}, or better"
            print_text(f"Who has finished wins at least {options.chance:g} of the games with {most}.")
            return
        folded = list(show.fold(found.scores, found.win_probability))
        drawn = show.bars([chance or 0.0 for _, chance, _ in folded])
        rows = [
            [score, words if chance is None else number(chance, 6), bar]
            for (score, chance, words), bar in zip(folded, drawn, strict=True)
        ]
        print_table(["they made", "win probability", ""], rows, left=(2,))

    return show.answer(options, path, data, (("target", "win_probability"), found.items()), tell)


def distribution(options: Options) -> int:
    """Show the exact distribution of a final score."""
    from ..ask.compare import distribution

    path = show.check_output(options)
    game = games.game(options.game)
    found = distribution(
        options.game, options.policy, target=options.target, score=options.score, opponent=options.opponent,
        whole=options.whole, seat=options.seat, players=options.players, match=options.match, tie=options.tie,
        aim=options.aim, force=options.force, tables=options.tables,
    )  # fmt: skip
    played = options.policy if options.policy is not None else options.aim
    asked = {name: value for name in ("players", "seat", "aim") if (value := getattr(options, name)) not in (None, "win")}
    data = {"game": game.name, "policy": played, "target": options.target, **asked, **found.to_dict()}

    def tell() -> None:
        against = "" if options.target is None else f" against {options.target}"
        if options.players is not None:
            against = f", seat {options.seat} of {options.players}" if options.seat else f", the best of {options.players}"
        print_text(f"{game.name}, playing {played}{against}, {found.counted}: mean {found.mean:.4f}, sd {found.sd:.4f}")
        most = max(found.probabilities)
        folded = [row for row in show.fold(found.scores, found.probabilities) if row[2] != "impossible"]
        shown = [(score, chance if chance is not None else 1.0) for score, chance, _ in folded]
        shown = [(score, chance) for score, chance in shown if chance >= show.SURE]
        drawn = show.bars([chance for _, chance in shown], most)
        rows = [[score, number(chance, 6), bar] for (score, chance), bar in zip(shown, drawn, strict=True)]
        print_table([found.counted.split()[0], "probability", ""], rows, left=(2,))

    return show.answer(options, path, data, ((found.counted, "probability"), found), tell)


def fair(options: Options) -> int:
    """Show the head start that makes a game even."""
    from ..ask.fair import fair

    path = show.check_output(options)
    found = fair(
        options.game, tie=options.tie, match=options.match, players=options.players, tables=options.tables
    )  # fmt: skip

    def tell() -> None:
        print_text(found.advice)
        others = "the second player stakes" if found.players == 2 else "the others together stake"
        print_text(f"Without points the game is even if {others} {found.odds:.4f} for 1 of the first player's.")
        rows = [[str(bonus), number(value, 6)] for bonus, value in found.value_by_bonus.items()]
        best = list(found.value_by_bonus).index(found.bonus)
        print_table(["bonus", "first player's value"], rows, best=best)

    table = ("bonus", "first_player_value"), found.value_by_bonus.items()
    return show.answer(options, path, found.to_dict(), table, tell)


def table(options: Options) -> int:
    """Show a published-style table."""
    from ..ask.table import table

    path = show.check_output(options)
    found = table(options.game, options.name, target=options.target, gain=options.gain, tables=options.tables)
    data = found.to_dict()

    def write(value: Any) -> str:
        return "" if value is None else number(value, data.get("places", 3)) if isinstance(value, float) else str(value)

    def tell() -> None:
        print(found.title)
        left = (0,) if isinstance(found[0][0], str) else ()
        print_table(list(found.columns), [[write(value) for value in row] for row in found], left=left)

    return show.answer(options, path, data, (found.columns, found), tell)
