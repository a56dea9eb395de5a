"""Make the atlas of solved games: docs/atlas/NAME.md and NAME.json for every game, and index.md, which compares them.

python scripts/atlas.py                        what is not there yet, or was made of other rules or by another version
python scripts/atlas.py pig 4d6                these games only
python scripts/atlas.py --processes 2          in two processes; --cluster ADDRESS on a Dask cluster, or local
python scripts/atlas.py --force                all of it again

A game is a task. Its pages are written as soon as it is done: what was interrupted goes on where it was. They have no
times and no paths: the same rules and the same version give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gametheory as gt
from gametheory import cluster, files, games
from gametheory.store import tables

FOLDER = Path(__file__).parents[1] / "docs" / "atlas"
ALONE = {"scorecards"}
"""Kinds that are solved for points only: for two they take hours."""
TIES = ("split", "first", "second", "replay")
PURE_DICE = (
    "2d6", "3d6", "4d6", "5d6", "6d6", "8d6", "10d6", "12d6", "4d4", "4d8", "3d10", "5d10", "2d20", "2d4+d20", "6d6+d8+d10",
    "d4+d6+d8+d10+d12", "6d6+6d8",
)  # fmt: skip
VARIANTS = {
    "biscuits-three-rolls": (
        "Biscuits, but only three rolls: of the last, all dice count.",
        'like = "biscuits"\nrolls = 3',
    ),
    "biscuits-keep-two": (
        "Biscuits, but two dice or more are set aside each time.",
        'like = "biscuits"\nkeep_at_least = 2',
    ),
    "biscuits-low": ("The dice of Biscuits; the lowest sum wins.", 'dice = "12d6+d8+d10+d12"\nwins = "lower"'),
    "threes-keep-two": (
        "Threes, but two dice or more are set aside each time.",
        'like = "threes"\nkeep_at_least = 2',
    ),
    "threes-three-rolls": (
        "Threes, but only three rolls: of the last, all dice count.",
        'like = "threes"\nrolls = 3',
    ),
    "ten-thousand-short": ("10000, played to 5000, open with 500.", 'like = "10000"\ngoal = 5000\nopening = 500'),
    "ten-thousand-no-opening": ("10000 without a threshold to open.", 'like = "10000"\nopening = 0'),
    "ten-thousand-cold-dice": ("10000; who has kept all dice banks.", 'like = "10000"\nhot_dice = false'),
    "farkle-opening": ("Farkle, open with 500.", 'like = "farkle"\nopening = 500'),
    "pig-50": ("Pig, to 50.", 'like = "pig"\ngoal = 50'),
    "pig-200": ("Pig, to 200.", 'like = "pig"\ngoal = 200'),
    "pig-d8": (
        "Pig with a d8.",
        'like = "pig"\nsides = 8\nsingles = {2 = 2, 3 = 3, 4 = 4, 5 = 5, 6 = 6, 7 = 7, 8 = 8}',
    ),
    "shut-the-box-two-dice": ("Shut the box, always with two dice.", 'like = "shut-the-box"\none_die = "never"'),
    "shut-the-box-digits": (
        "Shut the box; open tiles are read as a number.",
        'like = "shut-the-box"\nreading = "digits"',
    ),
}
"""Games that are no more than a rules file: what they are in a sentence, and what the file says."""


def catalogue() -> dict[str, str]:
    """Return every game of the atlas: by name, its rules as a file has them, or nothing where the name says all."""
    variants = {name: f'name = "{name}"\nabout = "{about}"\n{text}\n' for name, (about, text) in VARIANTS.items()}
    return dict.fromkeys((*gt.named(), *PURE_DICE), "") | variants


def read(name: str, text: str) -> Any:
    """Return the game of a name, or of the text of a rules file."""
    if not text:
        return gt.game(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return gt.game(str(path))


def made_of(name: str, text: str) -> dict[str, str]:
    """Return what an entry is made of, by which it is known whether it must be made again."""
    return {"name": name, "rules": gt.rules(read(name, text)).rules, "version": gt.__version__}


def answered(question: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return what a question is answered with; None where it is not answered for such a game."""
    try:
        return question(*arguments, **options)
    except ValueError:
        return None


def solve(name: str, text: str) -> dict[str, Any]:
    """Work out an entry: one task."""
    game = read(name, text)
    kind = games.family(game).nouns
    alone = kind in ALONE
    solved: Any = gt.solve(game, force=True, aim="points" if alone else "win")
    head = solved.headline()
    others = {} if alone else {tie: answered(gt.solve, game, tie, force=True) for tie in TIES[1:]}
    by_tie = {} if alone else {"split": solved} | {tie: one for tie, one in others.items() if one}
    apart = {seat: None if alone else answered(gt.diff, solved, seat=seat) for seat in ("first", "second")}
    even, card = (None, None) if alone else (answered(gt.fair, solved), answered(gt.card, solved, "medium"))
    return made_of(name, text) | {
        "about": game.about,
        "kind": kind,
        "expected": head.get("expected_score", head.get("expected_turn_score")),
        "expected_of": "game" if "expected_score" in head else "turn",
        "by_tie": {
            tie: {"first": one.first_player_value, "second": one.second_player_value} for tie, one in by_tie.items()
        },
        "points_cost": {seat: found and found.win_probability_lost for seat, found in apart.items()},
        "fair": None if even is None else {"bonus": even.bonus, "first": even.value, "advice": even.advice},
        "card": None if card is None else {"numbers": card.size, "loses": max(card.loss, 0.0), "rules": list(card.rules)},
        "error_bound": head["error_bound"],
        "digest": tables.digest(solved),
    }  # fmt: skip


# Pages.


def page(entry: dict[str, Any]) -> str:
    """Return the page of one game."""
    of = "A turn played for points makes" if entry["expected_of"] == "turn" else "A game played for points makes"
    ties = entry["by_tie"]
    first = ties["split"]["first"] if ties else 0.5
    ahead = "Solved for one player." if not ties else "Neither seat is ahead." if abs(first - 0.5) < 1e-9 else (
        f"The {'first' if first > 0.5 else 'second'} player is ahead, by {abs(2 * first - 1):.1%} of the games."
    )  # fmt: skip
    parts = [f"# {entry['name']}", f"{entry['about']}", f"{ahead} {of} {entry['expected']:.4f} points on average."]
    rows = [
        [tie if len(ties) > 1 else "none", *(f"{worth[seat]:.6f}" for seat in ("first", "second"))]
        for tie, worth in ties.items()
    ]
    if rows:
        parts.append(table(["ties", "first player", "second player"], rows))
    cost = {seat: lost for seat, lost in entry["points_cost"].items() if lost is not None}
    if cost:
        words = " and ".join(f"{lost:.6f} of the games going {seat}" for seat, lost in cost.items())
        parts.append(f"**Playing for points instead of to win** costs {words}.")
    if entry["fair"]:
        parts.append(f"**Fair:** {entry['fair']['advice']}")
    if entry["card"]:
        card = entry["card"]
        short = f"{card['numbers']} numbers, {card['loses']:.4f} points short of the best"
        parts.append(f"**A card to play from memory**, {short}:")
        parts.append("\n".join(f"{number}. {rule}" for number, rule in enumerate(card["rules"], 1)))
    parts += ["## Rules", f"```toml\n{entry['rules'].strip()}\n```", "## Provenance"]
    parts.append(
        table(
            ["what", ""],
            [
                ["error at most", f"{entry['error_bound']:.1e}"], ["digest of the table", f"`{entry['digest']}`"],
                ["made by", f"gametheory {entry['version']}"], ["as data", f"[{entry['name']}.json]({entry['name']}.json)"],
            ],
        )
    )  # fmt: skip
    return "\n\n".join(parts) + "\n"


def index(entries: Iterable[dict[str, Any]]) -> str:
    """Return the page that compares all games."""
    rows = []
    for entry in sorted(entries, key=lambda entry: (entry["kind"], entry["name"])):
        cost, even, card = entry["points_cost"], entry["fair"], entry["card"]
        rows.append([
            f"[{entry['name']}]({entry['name']}.md)", entry["kind"].removeprefix("games of your "),
            f"{entry['by_tie']['split']['first']:.4f}" if entry["by_tie"] else "",
            *(f"{cost[seat]:.4f}" if cost[seat] is not None else "" for seat in ("first", "second")),
            f"{even['bonus']}" if even else "", f"{entry['expected']:.3f}", f"{card['loses']:.3f}" if card else "",
        ])  # fmt: skip
    head = [
        "game", "kind", "first player wins", "points cost, first", "points cost, second", "fair bonus", "points",
        "card loses",
    ]  # fmt: skip
    return INDEX.format(count=len(rows), table=table(head, rows))


INDEX = """\
# The atlas of solved games

Who is ahead, and by how much? {count} games, solved exactly for two players in turn, ties split. Click the head of a column
to sort by it.

:::{{container}} sortable
{table}
:::

*First player wins*: the chance of the first player when both play to win. *Points cost*: what playing for points instead
costs against an opponent who plays to win, as a chance, by seat. *Fair bonus*: the points that bring the game closest to
even, to the first player's final score, in a race as a head start of the second. *Points*: expected by a player for points;
in races, of a turn. *Card loses*: what the medium card to play from memory falls short by.

Each game has a page with its rules, its values by tie rule, a card where there is one, and the bound on the error; beside it
stands the same as a JSON file. Made by `scripts/atlas`.

```{{toctree}}
:hidden:
:glob:

*
```
"""


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table, all but the first column to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


# Making them.


def stored(name: str) -> dict[str, Any] | None:
    """Return the entry that is there, if any."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def keep(entry: dict[str, Any]) -> None:
    """Write the two files of an entry."""
    for suffix, text in (("json", json.dumps(entry, indent=1, allow_nan=False) + "\n"), ("md", page(entry))):
        files.write(FOLDER / f"{entry['name']}.{suffix}", text.encode())


def main() -> None:
    """Make what is not there."""
    parser = argparse.ArgumentParser(description="Make the atlas of solved games.")
    parser.add_argument("games", nargs="*", help="which; all if not said")
    parser.add_argument("--force", action="store_true", help="make entries that are there, too")
    parser.add_argument("--pages", action="store_true", help="only write the pages again, of the entries that are there")
    parser.add_argument("--processes", type=int, help="how many processes to work in")
    parser.add_argument("--cluster", help="a Dask scheduler, or local")
    typed = parser.parse_args()
    every = catalogue()
    unknown = [name for name in typed.games if name not in every]
    if unknown:
        parser.error(f"the atlas has no {unknown[0]}: it has {', '.join(every)}")
    wanted = {name: text for name, text in every.items() if name in typed.games or not typed.games}
    left = {}
    for name, text in wanted.items() if not typed.pages else ():
        entry, fresh = stored(name), answered(made_of, name, text)
        if fresh is None:
            print(f"{name} has no rules as a file: left out", file=sys.stderr)
        elif typed.force or entry is None or any(entry[key] != fresh[key] for key in fresh):
            left[name] = text
    FOLDER.mkdir(exist_ok=True)
    begun, failed = time.monotonic(), []
    with cluster.connect(typed.cluster, typed.processes) as executor:
        started = {executor.submit(solve, name, text): name for name, text in left.items()}
        for done, task in enumerate(executor.as_completed(started), 1):
            try:
                keep(task.result())
                said = "done"
            except Exception as error:  # one game that fails keeps no other from its page
                failed.append(started[task])
                said = f"failed: {error}"
            print(f"{done} of {len(left)}, {time.monotonic() - begun:.0f} s: {started[task]} {said}", file=sys.stderr)
    entries = [entry for name in every if (entry := stored(name))]
    for entry in entries if typed.pages else ():
        keep(entry)
    files.write(FOLDER / "index.md", index(entries).encode())
    print(f"the atlas has {len(entries)} games: {FOLDER / 'index.md'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
