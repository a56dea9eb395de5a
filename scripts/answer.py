#!/usr/bin/env python3
"""Answer the question for Biscuits and for races: writes sections of docs/answers.md and their figures.

python scripts/answer.py            writes them
python scripts/answer.py --print    prints the sections, writes nothing
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gametheory as gt
from gametheory import figures, game
from gametheory.answers import DifferenceRow
from gametheory.differences import Difference
from gametheory.match import duel
from gametheory.match.parting import by_target

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- the answer: written by scripts/answer.py -->", "<!-- end of the answer -->"
BEGIN_RACES, END_RACES = "<!-- races: written by scripts/answer.py -->", "<!-- end of races -->"
RACES = ("ten-thousand", "farkle", "pig")
STANDINGS = ((2000, 8000), (5000, 5000), (8000, 2000))
FIGURES = {
    "distributions": "How the final score spreads",
    "second": "The second player's chance against every score",
    "disagreement": "Where the two part",
    "cost": "What it costs",
    "cost-by-target": "What playing second for points costs",
}


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def section() -> str:
    """Return the section as Markdown, all figures computed anew."""
    biscuits = game("biscuits")
    solved = {tie: duel.solve(biscuits, tie) for tie in ("split", "first", "second", "replay")}
    split = solved["split"]
    result = split.compare()
    names, values = list(result.policies), result.first_value()
    first = split.diff()
    summary = first.summary
    targets = dict(by_target(split))
    dearest = max(targets, key=lambda target: targets[target].win_probability_lost)
    win, score = (split.distribution(name) for name in ("win", "score"))
    needed = min(target for target in biscuits.scores() if split.second(target) < 0.5)
    at = {name: place for place, name in enumerate(names)}
    second_gain = values[at["score"], at["score"]] - values[at["score"], at["win"]]

    parts = [
        BEGIN,
        "What a game of Biscuits is worth to each seat when both play to win:",
        table(
            ["ties", "first player", "second player"],
            [[tie, f"{d.first_player_value:.6f}", f"{d.second_player_value:.6f}"] for tie, d in solved.items()],
        ),
        "The first player's value, ties split, for every pair of policies (row: the first player's, column: the second's; "
        "`gametheory compare biscuits`):",
        table(["", *names], [[name, *(f"{v:.4f}" for v in row)] for name, row in zip(names, values, strict=True)]),
        "Where the first player's best play and the score-maximiser's part (`gametheory diff biscuits`), and the same for "
        f"the second player against the score where it matters most (`gametheory diff biscuits --target {dearest}`):",
        table(
            ["", "first player", f"second, they made {dearest}"],
            [
                [words, f"{getattr(summary, key):.6f}", f"{getattr(targets[dearest], key):.6f}"]
                for key, words in (
                    ("decisions_per_game", "decisions in a game"),
                    ("disagreements_per_game", "of them disagreements"),
                    ("first_roll_disagreement", "chance that the first roll is one"),
                    ("win_probability_lost", "chance to win that all of them cost"),
                )
            ],
        ),
        "The ten most instructive disagreements of the first player, by chance of coming up times cost, one of those that "
        "come to the same totals:",
        "\n".join(f"{place}. {split.notation.sentence(row)}" for place, row in enumerate(instructive(first), 1)),
        "\n".join(f"![{words}](biscuits-{name}.png)" for name, words in FIGURES.items()),
        "What to take from it:",
        "\n".join(
            f"{place}. {sentence}"
            for place, sentence in enumerate(
                (
                    f"Play second if you may: with ties split the second player wins {split.second_player_value:.1%} of "
                    "games between players who both play to win.",
                    f"Playing first, playing for points is almost right: it costs {summary.win_probability_lost:.1%} of "
                    f"games, although a game has {summary.disagreements_per_game:.2f} rolls on average that should be "
                    "played otherwise.",
                    f"Playing second, look at the target: against a first player who plays for points, playing to win "
                    f"instead of for points wins {second_gain:.1%} more games, and against {dearest} "
                    f"{targets[dearest].win_probability_lost:.1%}.",
                    f"Behind what you will need (a first player needs {needed} for an even chance), let low big dice roll "
                    "again even where that loses a fraction of a point on average; ahead of it, take a safe 4.",
                    f"Playing to win spreads the first player's score wider (standard deviation {win.sd:.2f} against "
                    f"{score.sd:.2f}) and gives up {score.mean - win.mean:.3f} points on average.",
                ),
                1,
            )
        ),
        END,
    ]
    return "\n\n".join(parts) + "\n"


def instructive(found: Difference) -> list[DifferenceRow]:
    """Return the ten dearest rows, one of those that come to the same totals."""
    chosen: dict[object, DifferenceRow] = {}
    for row in found.top(100):
        kept = [row.position.banked + move.points for move in (row.move, row.to_move)]
        chosen.setdefault((row.position.dice_left, *kept, tuple(map(len, row.to_move.keep))), row)
    return list(chosen.values())[:10]


def races() -> str:
    """Return what races are worth, and when to stop in ten-thousand, for points and to win."""
    rows = []
    for name in RACES:
        race = gt.solve(name)
        lost, even = gt.diff(race).win_probability_lost, gt.fair(race)
        rows.append([name, f"{race.first_player_value:.6f}", f"{lost:.6f}", f"{even.bonus} points"])
    solved: Any = gt.solve("ten-thousand")
    points: dict[Any, Any] = {row[0]: row[-1] for row in gt.table(solved, "stop")}
    wins = [dict(solved.chances(*standing).stops(50)) for standing in STANDINGS]
    stops = [
        [str(dice), *(f"{stop[dice]:g}" if stop[dice] is not None else "always throw" for stop in (points, *wins))]
        for dice in sorted(points)
    ]
    level = "{} against {}"
    return "\n\n".join([
        BEGIN_RACES,
        table(
            ["race", "first player", "what playing for points costs (`diff`)", "fair head start for the second (`fair`)"],
            rows,
        ),
        "The plainest rules a player can take from ten-thousand, as the lowest turn total at which to bank:",
        table(["dice to throw", "for points", *(f"to win, {level.format(*standing)}" for standing in STANDINGS)], stops),
        END_RACES,
    ]) + "\n"  # fmt: skip


def replace(page: str, begin: str, end: str, text: str) -> str:
    """Return a page with what stands between two marks replaced."""
    before, rest = page.split(begin, 1)
    return before + text.rstrip("\n") + rest.split(end, 1)[1]


def main() -> None:
    text, of_races = section(), races()
    if "--print" in sys.argv[1:]:
        sys.stdout.write(text + "\n" + of_races)
        return
    answers = DOCS / "answers.md"
    page = answers.read_text(encoding="utf-8")
    page = replace(replace(page, BEGIN, END, text), BEGIN_RACES, END_RACES, of_races)
    answers.write_text(page, encoding="utf-8")
    solved = duel.solve(game("biscuits"))
    for name in FIGURES:
        figures.draw(solved, name, DOCS / f"biscuits-{name}.png")
    print(f"wrote the answers to {answers.name} and {len(FIGURES)} figures to docs/")


if __name__ == "__main__":
    main()
