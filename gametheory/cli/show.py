"""How answers are printed: tables of 80 columns, paragraphs, and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ..differences import Difference
from .options import Options

WIDTH = 80
Plain = dict[str, Any]


def clean(words: object) -> str:
    """Return words as they are shown: what would do something to a terminal as Python writes it."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(words))


def print_json(data: Plain) -> None:
    """Print one JSON object."""
    print(json.dumps(data, allow_nan=False, indent=1))


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (), best: int | None = None
) -> None:
    """Print columns of text, aligned right but for those named in `left`; on a terminal heads and the best row are bold."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for number, row in enumerate((head, *rows), -1):
        cells = [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        print_bold("  ".join(cells).rstrip(), number in (-1, best))


def print_bold(line: str, bold: bool = True) -> None:
    """Print a line, bold on a terminal."""
    click.echo(click.style(line, bold=True) if bold else line)


# Answers that are tables: printed, or written to a file.


def check_output(options: Options) -> Path | None:
    """Return where a table is to be written, None for nowhere; refuse what cannot be before anything is asked."""
    from ..store import export

    if options.output is None:
        return None
    export.check_format(export.choose_format(options.output, None))
    return export.check_new(options.output, options.force)


def answer(
    options: Options, path: Path | None, data: Plain, table: tuple[Sequence[str], Iterable[Sequence[Any]]],
    tell: Callable[[], None],
) -> int:  # fmt: skip
    """Print an answer, for people or as JSON, and write its table to a file if asked; return the exit status."""
    from ..store import export

    if path is not None:
        columns, rows = table
        listed = (dict(zip(columns, row, strict=True)) for row in rows)
        count = export.write_rows(listed, columns, path, export.choose_format(path, None))
        data = data | {"file": str(path), "rows_written": count}
    if options.json:
        print_json(data)
        return 0
    tell()
    if path is not None:
        print(f"wrote {data['rows_written']} rows to {path}")
    return 0


def fold(scores: Sequence[Any], chances: Sequence[float]) -> Iterator[tuple[str, float | None, str]]:
    """Yield (score, chance, words) with neighbours that are all certain, or all impossible, as one."""
    begin = 0
    for place in range(1, len(scores) + 1):
        words = _sure(chances[begin])
        if words and place < len(scores) and _sure(chances[place]) == words:
            continue
        last = place - 1
        if last > begin + 1:
            yield f"{scores[begin]} to {scores[last]}", None, words
        else:
            for one in range(begin, place):
                yield str(scores[one]), chances[one], ""
        begin = place


def _sure(chance: float) -> str:
    return "certain" if chance > 1.0 - SURE else "impossible" if chance < SURE else ""


SURE = 5e-7
"""What is this near to 0 or 1 is shown as it."""


def print_text(text: str) -> None:
    """Print a paragraph."""
    print(textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False))


def number(value: float, places: int = 4) -> str:
    """Write a number with so many places."""
    return f"{value:.{places}f}"


def bars(values: Sequence[float], most: float = 1.0) -> list[str]:
    """Draw values as bars of up to 40 signs."""
    return ["#" * round(40 * value / most) for value in values]


def print_moves(answer: Plain) -> None:
    """Print ranked moves, the best for win (or for the aim) and for score marked."""
    print_text(answer["question"])
    banks = any("bank" in move for move in answer["moves"])
    aim = "aim" if answer.get("best_for_aim") is not None else "win"
    figure = "value" if aim == "aim" else "win_probability"
    table = [["best", aim, "score", "points", "keep", *(["then"] if banks else []), "dice left"]]
    for place, move in enumerate(answer["moves"]):
        marks = [name for name in (aim, "score") if answer[f"best_for_{name}"] == place]
        table.append(
            [
                "both" if len(marks) == 2 else "".join(marks),
                number(move[figure], 6),
                number(move["expected_score"], 3),
                str(move["points"]),
                move["keep"] if move.get("box") is None else move["box"],
                *([("bank" if move["bank"] else "roll")] if banks else []),
                str(move["dice_left"]),
            ]
        )
    # The dice left are those not kept: left out where there is no room for them.
    if sum(max(map(len, column)) + 2 for column in zip(*table, strict=True)) - 2 > WIDTH:
        table = [row[:-1] for row in table]
    print_table(table[0], table[1:], left=(0, 4, 5), best=0)
    if len(answer["moves"]) < answer["moves_in_all"]:
        print(f"... and {answer['moves_in_all'] - len(answer['moves'])} more: --top 0 shows all")


def print_summary(found: Difference) -> None:
    """Print the figures of a difference."""
    summary, (one, other) = found.summary, found.said
    print_text(f"{found.game.name}, {found.seat}: where playing {other} and playing {one} part")
    lost = "chance to win" if found.aim == "win" else f"worth ({found.aim})"
    print(f"  decisions in a game             {summary.decisions_per_game:.6f}")
    print(f"  of them disagreements           {summary.disagreements_per_game:.6f}")
    print(f"  chance that the first roll is   {summary.first_roll_disagreement:.6f}")
    print(f"  {f'{lost} that they cost':<32}{summary.win_probability_lost:.6f}")
    if summary.expected_score_lost is not None:
        print(f"  points that they cost           {summary.expected_score_lost:.6f}")


def print_sentences(found: Difference, told: Sequence[tuple[str, float]]) -> None:
    """Print the dearest rows in words, and how much of the whole they are."""
    print()
    if not told:
        print("They never part.")
        return
    for place, (sentence, _) in enumerate(told, 1):
        print(textwrap.fill(f"{place:3d}. {sentence}", 79, subsequent_indent="     "))
    print()
    lost, (one, other) = found.summary.win_probability_lost, found.said
    share = sum(cost for _, cost in told)
    what = f"{lost:.2%} of games" if found.aim == "win" else f"{lost:.6f}"
    these = "this one is" if len(told) == 1 else f"these {len(told)} are"
    part = f"; {these} {share / lost:.0%} of it" if lost > 0 else ""
    print_text(f"Playing {one} gives up {what} against playing {other}, {found.seat}{part}.")


def print_rows(columns: Sequence[str], rows: Sequence[Plain]) -> None:
    """Print rows with long names of columns: one word above the other, so that the table stays narrow."""
    print()
    text = [[f"{v:.6g}" if isinstance(v, float) else str(v) for v in (row[c] for c in columns)] for row in rows]
    words = [name.split("_") for name in columns]
    depth = max(map(len, words))
    heads = [[([""] * (depth - len(name)) + name)[line] for name in words] for line in range(depth)]
    print_table(heads[0], heads[1:] + text)


def print_headline(facts: Plain, path: Any, seconds: float) -> None:
    """Say in words what solving found, a line each."""
    name = facts["game"] + (f" ({facts['dice']})" if facts.get("dice", facts["game"]) != facts["game"] else "")
    how = f", {facts['match']}, ties {facts['tie']}: solved in" if "tie" in facts else ", solved in"
    how = f", played for {facts['aim']}: solved in" if "aim" in facts else how
    print(f"{name}{how} {seconds:.2f} s")
    for key, words in HEADLINES.items():
        if facts.get(key) is not None:
            figure = f"{facts[key]:.1e}" if key in ("error_bound", "exploitability") else f"{facts[key]:.6f}"
            print(f"  {words:<50}{figure}")
    if "mixture" in facts:
        shares = ", ".join(f"{share:.1%}" for share in facts["mixture"])
        print(f"  {'mean and standard deviation of the score':<50}{facts['mean']:.4f}, {facts['sd']:.4f}")
        print(f"  {'policies in the mixture':<50}{len(facts['mixture'])} ({shares})")
        for policy, loss in facts["policy_exploitability"].items():
            print(f"  {f'what {policy} loses to its best answer':<50}{loss:.6f}")
    elif "mean" in facts:
        print(f"  {'mean and standard deviation of the score':<50}{facts['mean']:.4f}, {facts['sd']:.4f}")
    for seat, value in enumerate(facts.get("seat_values", []), 1):
        print(f"  {f'chance of seat {seat}':<50}{value:.6f}")
    if path is not None:
        print(f"The table is {path}")


HEADLINES = {
    "value": "worth of the best play for it",
    "expected_score": "expected score, playing for points",
    "expected_turn_score": "expected score of a turn",
    "first_player_value": "first player's chance to win",
    "second_player_value": "second player's chance to win",
    "exploitability": "the most that any answer gains",
    "score_policy_exploitability": "what playing for points loses to its best answer",
    "error_bound": "error at most",
}
"""The figures of a headline in words."""
