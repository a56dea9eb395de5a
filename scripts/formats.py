#!/usr/bin/env python3
"""Compare the ways to sit down: writes the section on formats of docs/answers.md and its figure. Takes minutes.

python scripts/formats.py            writes them
python scripts/formats.py --print    prints the section, writes nothing
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from gametheory import figures, solve

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- formats: written by scripts/formats.py -->", "<!-- end of formats -->"
PLAYERS = range(2, 9)


def measure(name: str) -> tuple[dict[str, dict[str, float]], dict[int, Any], Any]:
    """Solve a game in every format; return first players' values, the solutions for n players, and the equilibrium."""
    values: dict[str, dict[str, float]] = {
        "in turn (sequential)": {tie: solve(name, tie).first_player_value for tie in ("split", "replay")},
        "roll by roll (alternating)": {
            tie: solve(name, tie, match="alternating").first_player_value for tie in ("split", "replay")
        },
    }
    hidden: Any = solve(name, match="simultaneous")
    values["all at once (simultaneous)"] = {"split": hidden.first_player_value}
    players = {}
    for n in PLAYERS:
        players[n] = solve(name, players=n)
        print(f"{n} players solved", file=sys.stderr)
    return values, players, hidden


def section(values: dict[str, dict[str, float]], players: dict[int, Any], hidden: Any) -> str:
    """Return the section as Markdown."""
    lines = ["| format | first player, ties split | ties replayed |", "| --- | ---: | ---: |"]
    for name, by_tie in values.items():
        replay = f"{by_tie['replay']:.6f}" if "replay" in by_tie else "the same, by symmetry"
        lines.append(f"| {name} | {by_tie['split']:.6f} | {replay} |")
    seats = [
        "| players | seat values, first to last | what `score` costs the first and the last seat |",
        "| --- | --- | --- |",
    ]
    for n, found in players.items():
        shares = " ".join(f"{value:.4f}" for value in found.seat_values)
        seats.append(f"| {n} | {shares} | {found.score_costs[0]:.4f}, {found.score_costs[-1]:.4f} |")
    needed = ", ".join(f"{players[max(PLAYERS)].needed(k)} with {k}" for k in range(1, max(PLAYERS)))
    return "\n".join([
        BEGIN,
        "",
        *lines,
        "",
        f"Where nobody sees the other's score, the equilibrium of Biscuits has mean {hidden.mean:.4f} and standard "
        f"deviation {hidden.sd:.4f} in {len(hidden.weights)} {'policy' if len(hidden.weights) == 1 else 'policies'}; no "
        f"answer gains more than {hidden.exploitability:.0e} against it, and playing for points loses "
        f"{hidden.score_policy_exploitability:.6f} to its best answer.",
        "",
        "Around a table, each sees the best score so far and how many share it; ties at the top share the win:",
        "",
        *seats,
        "",
        f"What a leader needs for an even chance, by players still to come: {needed}.",
        "",
        "![The first player's value in every format](biscuits-formats.png)",
        "",
        END,
        "",
    ])  # fmt: skip


def main() -> None:
    values, players, hidden = measure("biscuits")
    text = section(values, players, hidden)
    if "--print" in sys.argv[1:]:
        sys.stdout.write(text)
        return
    answers = DOCS / "answers.md"
    page = answers.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN, 1)
    answers.write_text(before + text.rstrip("\n") + rest.split(END, 1)[1], encoding="utf-8")
    seats = {n: [float(value) for value in found.seat_values] for n, found in players.items()}
    figures.save(figures.formats("Biscuits", values, seats), DOCS / "biscuits-formats.png")
    print(f"wrote the formats to {answers.name} and a figure to docs/")


if __name__ == "__main__":
    main()
