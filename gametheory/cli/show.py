"""How answers are printed: tables of 80 columns, paragraphs, and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from ..answers import DifferenceRow
from ..differences import Difference

WIDTH = 80
Plain = dict[str, Any]


def clean(words: object) -> str:
    """Return words as they are shown: what would do something to a terminal as Python writes it."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(words))


def print_json(data: Plain) -> None:
    """Print one JSON object."""
    print(json.dumps(data, allow_nan=False, indent=1))


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> None:
    """Print columns of text, aligned right but for those named in `left`."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
        print("  ".join(cells).rstrip())


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
    """Print ranked moves, the best for win and for score marked."""
    print_text(answer["question"])
    banks = any("bank" in move for move in answer["moves"])
    table = [["best", "win", "score", "points", "keep", *(["then"] if banks else []), "dice left"]]
    for place, move in enumerate(answer["moves"]):
        marks = [name for name in ("win", "score") if answer[f"best_for_{name}"] == place]
        table.append(
            [
                "both" if len(marks) == 2 else "".join(marks),
                number(move["win_probability"], 6),
                number(move["expected_score"], 3),
                str(move["points"]),
                move["keep"],
                *([("bank" if move["bank"] else "roll")] if banks else []),
                str(move["dice_left"]),
            ]
        )
    # The dice left are those not kept: left out where there is no room for them.
    if sum(max(map(len, column)) + 2 for column in zip(*table, strict=True)) - 2 > WIDTH:
        table = [row[:-1] for row in table]
    print_table(table[0], table[1:], left=(0, 4, 5))
    if len(answer["moves"]) < answer["moves_in_all"]:
        print(f"... and {answer['moves_in_all'] - len(answer['moves'])} more: --top 0 shows all")


def print_summary(found: Difference) -> None:
    """Print the four figures of a difference."""
    summary = found.summary
    print(textwrap.fill(f"{found.game.name}, {found.seat}: where playing to win and playing for points part", 79))
    print(f"  decisions in a game             {summary.decisions_per_game:.6f}")
    print(f"  of them disagreements           {summary.disagreements_per_game:.6f}")
    print(f"  chance that the first roll is   {summary.first_roll_disagreement:.6f}")
    print(f"  chance to win that they cost    {summary.win_probability_lost:.6f}")


def print_sentences(found: Difference, rows: Sequence[DifferenceRow]) -> None:
    """Print the dearest rows in words."""
    print()
    for place, sentence in enumerate(found.sentences(rows)[:10], 1):
        print(textwrap.fill(f"{place:3d}. {sentence}", 79, subsequent_indent="     "))
    if len(rows) > 10:
        print(f"     ... and {len(rows) - 10} more: --format csv prints them, -o FILE writes them")


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
    for seat, value in enumerate(facts.get("seat_values", []), 1):
        print(f"  {f'chance of seat {seat}':<50}{value:.6f}")
    if path is not None:
        print(f"The table is {path}")


HEADLINES = {
    "expected_score": "expected score, playing for points",
    "expected_turn_score": "expected score of a turn",
    "first_player_value": "first player's chance to win",
    "second_player_value": "second player's chance to win",
    "exploitability": "the most that any answer gains",
    "score_policy_exploitability": "what playing for points loses to its best answer",
    "error_bound": "error at most",
}
"""The figures of a headline in words."""
