"""Many games at once: a grid of games, tie rules, formats and policies, one row of tidy output a cell.

    cells = grid(["{n}d6+d8+d10+d12"], {"n": "1..16"}, ties=["split", "first"])
    rows = run(cells, "sweep.csv")

Every finished cell is written at once to a journal beside the output (`sweep.csv.journal`, one line of JSON a cell),
and a cell that stands there is not done again: an interrupted sweep goes on where it was, a longer one adds to it. A
cell that fails is a row with the error, and is tried again next time. What a cell's line is found by is the version
and the rules themselves, so that an old journal never answers for a changed game.

Columns of a row, where they make sense for its game and format:

    game, dice                  what is played; then one column for each variable of the grid
    tie, match, players, policy the rest of the cell
    first_player_value          chance to win, ties counted as the tie rule says, when both play for it
    second_player_value         (`last_player_value` too where there are more than two)
    expected_score              of a player who plays for points (a race: `expected_turn_score`)
    spread                      standard deviation of the policy's final score in the first seat
    disagreements_per_game      decisions of a game played for points that are wrong for winning (policy `score` only)
    win_probability_lost        what the policy costs the first player against the best second one
    seconds, error              how long the cell took; why it failed, empty if it did not
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import product
from math import fsum
from operator import itemgetter, mul
from pathlib import Path
from typing import Any

from . import files, games
from .cluster import Executor, InProcess
from .match import duel
from .match.kinds import kind_of
from .match.solution import MATCHES, Request, Solution
from .progress import Progress
from .store import export
from .ties import parse_tie

Row = dict[str, Any]

COLUMNS = (
    "tie", "match", "players", "policy", "first_player_value", "second_player_value", "last_player_value",
    "expected_score", "expected_turn_score", "policy_score", "spread", "disagreements_per_game", "win_probability_lost",
    "seconds", "error",
)  # fmt: skip
MOST_CELLS = 100_000
MOST_JOURNAL = 1_000_000_000
JOURNAL = 2
"""The version of what a cell's line means."""


# The grid.


@dataclass(frozen=True)
class Cell:
    """One solve of a sweep."""

    game: Any
    variables: tuple[tuple[str, int], ...] = ()
    tie: str = "split"
    match: str = "sequential"
    players: int = 2
    policy: str = "score"
    force: bool = False

    @property
    def key(self) -> str:
        """What the cell's result is found by: the rules and the question, not what they are called."""
        asked = [JOURNAL, games.rules(self.game), self.tie, self.match, self.players, self.policy]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    @property
    def labels(self) -> Row:
        """The columns that say which cell it is."""
        labels = games.notation(self.game).labels
        named = {"tie": self.tie, "match": self.match, "players": self.players, "policy": self.policy}
        return {"game": self.game.name, **labels, **dict(self.variables), **named}

    @property
    def work(self) -> float:
        """How long the cell takes, compared with others: far less than in proportion to its rolls, which are merged."""
        with suppress(OverflowError):  # more rolls than any number can tell: such a cell is refused at once
            return float(games.family(self.game).seconds(self.game) ** 0.5)
        return 1.0

    @property
    def request(self) -> Request:
        """The cell's question to the solver."""
        return Request(self.match, self.tie, None if self.players == 2 else self.players, None, self.force)


def parse_values(text: str) -> list[int]:
    """Read the values of a variable: a range with its end, with a step, or a list.

    >>> parse_values("1..4"), parse_values("2..10..4"), parse_values("1,5,7..8")
    ([1, 2, 3, 4], [2, 6, 10], [1, 5, 7, 8])
    """
    values: list[int] = []
    for item in text.split(","):
        parts = re.fullmatch(r"(-?\d+)(?:\.\.(-?\d+)(?:\.\.(\d+))?)?", item.strip())
        if not parts:
            raise ValueError(f"cannot read {item!r} in the values {text!r}: write 1..16, 2..10..2 or 1,2,5")
        low, high, step = int(parts[1]), int(parts[2] or parts[1]), int(parts[3] or 1)
        if high < low:
            raise ValueError(f"the range {item.strip()!r} runs backwards: write {high}..{low}")
        if step < 1:
            raise ValueError(f"the range {item.strip()!r} has step {step}: give 1 or more")
        if (high - low) // step >= MOST_CELLS:
            raise ValueError(f"the range {item.strip()!r} has more than {MOST_CELLS:,} values: give fewer")
        values += range(low, high + 1, step)
    return values


def expand(template: str, variables: Mapping[str, str]) -> list[tuple[dict[str, int], str]]:
    """Fill in a game's variables: every combination of their values, with the game it makes.

    >>> expand("{n}d6+d{s}", {"n": "1..2", "s": "8"})
    [({'n': 1, 's': 8}, '1d6+d8'), ({'n': 2, 's': 8}, '2d6+d8')]
    """
    used = re.findall(r"\{(\w+)\}", template)
    for name in used:
        if name not in variables:
            raise ValueError(f"the game {template!r} has a variable {name!r} without values: say --{name} 1..16")
    names = list(dict.fromkeys(used))
    found = []
    for values in product(*(parse_values(variables[name]) for name in names)):
        chosen = dict(zip(names, values, strict=True))
        filled = re.sub(r"\{(\w+)\}", lambda name, chosen=chosen: str(chosen[name[1]]), template)  # type: ignore[misc]
        found.append((chosen, filled))
    return found


def grid(
    templates: Sequence[str], variables: Mapping[str, str] | None = None, *, ties: Sequence[str | float] = ("split",),
    matches: Sequence[str] = ("sequential",), players: Sequence[int] = (2,), policies: Sequence[str] = ("score",),
    force: bool = False,
) -> list[Cell]:  # fmt: skip
    """List the cells of a grid: every game with every tie rule, format and policy."""
    variables = variables or {}
    for name in variables:
        if not any(f"{{{name}}}" in template for template in templates):
            raise ValueError(
                f"no game of the sweep has the variable {name!r}: write {{{name}}} where it belongs, as in {{{name}}}d6"
            )
    names = [parse_tie(tie)[0] for tie in ties]
    for way in matches:
        if way not in MATCHES:
            raise ValueError(f"there is no match {way!r}: say {', '.join(MATCHES)}")
    for number in players:
        if not 2 <= number <= 12:
            raise ValueError(f"{number} players: give 2 to 12")
    cells = [
        _cell(name, tuple(values.items()), tie, way, number, chosen, force)
        for template in templates
        for values, name in expand(template, variables)
        for tie, way, number, chosen in product(names, matches, players, policies)
    ]
    if not cells:
        raise ValueError("the grid is empty: give at least one game, tie rule, match and policy")
    if len(cells) > MOST_CELLS:
        raise ValueError(f"the grid has {len(cells):,} cells, more than {MOST_CELLS:,}: give fewer")
    return cells


def _cell(name: str, variables: Any, tie: str, match: str, players: int, policy: str, force: bool) -> Cell:
    """Make a cell; refuse a policy that its game does not have."""
    game = games.game(name)
    kind_of(game, Request()).check_policy(game, policy)
    return Cell(game, variables, tie, match, players, policy, force)


# One cell.


def solve_cell(cell: Cell, threads: int | None = None) -> Row:
    """Solve a cell; return its results, or the error as one line."""
    begun = time.perf_counter()
    try:
        request = replace(cell.request, threads=threads)
        kind = kind_of(cell.game, request)
        found = _figures(cell, kind.solve(cell.game, request), threads)
        return found | {"seconds": time.perf_counter() - begun, "error": ""}
    except Exception as error:  # a sweep goes on whatever goes wrong in a cell
        return {"seconds": time.perf_counter() - begun, "error": _one_line(error)}


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _figures(cell: Cell, solution: Solution, threads: int | None) -> Row:
    """Return what a solution says of itself, and what playing by the cell's policy costs in it."""
    headline = solution.headline()
    row: Row = {name: headline[name] for name in COLUMNS if name in headline}
    values = headline.get("seat_values", [solution.first_player_value, solution.second_player_value])
    row |= {"first_player_value": values[0], "second_player_value": values[1]}
    if cell.players != 2:
        row["last_player_value"] = values[-1]
    if not solution.ties:  # a race: its turns are told by the headline
        return row
    in_turn = (cell.match, cell.players) == ("sequential", 2)
    two: Any = solution if in_turn else duel.solve(cell.game, threads=threads, force=cell.force)
    made = two.distribution(cell.policy)
    if in_turn or cell.policy != "win":  # how `win` plays in the other formats is not told by the game in turn
        row |= {"policy_score": made.mean, "spread": made.sd}
    if in_turn:
        against = [1.0 - two.second(score) for score in made.scores]
        row["win_probability_lost"] = max(0.0, values[0] - fsum(map(mul, made.probabilities, against)))
        if cell.policy == "score":
            row["disagreements_per_game"] = two.diff().summary.disagreements_per_game
    elif cell.policy == "score":
        lost = headline.get("score_policy_exploitability", headline.get("score_costs", [None])[0])
        if lost is not None:
            row["win_probability_lost"] = lost
    return row


# The sweep.


def run(
    cells: Sequence[Cell], output: str | Path | None = None, executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Row]:  # fmt: skip
    """Solve every cell that the journal does not have, and write all rows to the output; return them in grid order.

    The output is written whole, when all cells are done; without one, nothing is kept.
    """
    if not cells:
        raise ValueError("the grid is empty: give at least one game, tie rule, match and policy")
    path = None if output is None else files.check(output)
    form = export.choose_format(path, None)
    export.check_format(form)
    executor = executor or InProcess()
    with _journal(path) as keep:
        done = {} if path is None else read_journal(journal_path(path))
        left = {cell.key: cell for cell in cells if cell.key not in done}
        total = sum(cell.work for cell in cells)
        finished = total - sum(cell.work for cell in left.values())
        for cell, result in _solve_all(list(left.values()), executor):
            done[cell.key] = result
            keep(cell, result)
            finished += cell.work
            if progress:
                progress(min(1.0, finished / total))
    rows = [cell.labels | done[cell.key] for cell in cells]
    columns = [name for name in _columns(cells) if any(row.get(name) is not None for row in rows)]
    rows = [{name: row.get(name) for name in columns} for row in rows]
    if path is not None:
        export.write_rows(rows, columns, path, form)
    return rows


def _solve_all(cells: Sequence[Cell], executor: Executor) -> Iterator[tuple[Cell, Row]]:
    """Yield every cell with its result, as they finish."""
    started = {executor.submit(solve_cell, cell, executor.threads): cell for cell in cells}
    lost = []
    for task in executor.as_completed(started):
        try:
            yield started[task], task.result()
        except BrokenExecutor:
            lost.append(started[task])
        except Exception as error:  # the cluster gave the cell up
            yield started[task], {"error": f"the worker failed: {_one_line(error)}"}
    # A process that dies takes along all that was to be done: one at a time, only the cell that kills it fails.
    for cell in lost:
        try:
            yield cell, executor.submit(solve_cell, cell, executor.threads).result()
        except BrokenExecutor as error:
            yield cell, {"error": f"the worker died: {_one_line(error)}"}


def _columns(cells: Iterable[Cell]) -> list[str]:
    variables = dict.fromkeys(name for cell in cells for name, _ in cell.variables)
    return ["game", "dice", *variables, *COLUMNS]


def journal_path(output: Path) -> Path:
    """Return where the journal of an output is: beside it."""
    return output.with_name(output.name + ".journal")


def read_journal(path: Path) -> dict[str, Row]:
    """Read the finished cells of a journal by their keys; lines that were cut off or tell of a failure are left out."""
    found: dict[str, Row] = {}
    if path.exists():
        content = files.read(path, MOST_JOURNAL, "name another output, or delete the journal")
        for line in content.decode("utf-8", errors="replace").splitlines():
            with suppress(json.JSONDecodeError, KeyError, TypeError, RecursionError):
                entry = json.loads(line)
                if not entry["result"]["error"]:
                    found[entry["key"]] = entry["result"]
    return found


@contextmanager
def _journal(output: Path | None) -> Iterator[Callable[[Cell, Row], None]]:
    """Give what keeps a finished cell on disk as soon as it is done; a second sweep into the same journal is refused."""
    if output is None:
        yield lambda cell, result: None
        return
    with files.growing(journal_path(output)) as add:

        def keep(cell: Cell, result: Row) -> None:
            add(json.dumps({"key": cell.key, "cell": cell.labels, "result": result}, allow_nan=False).encode())

        yield keep


def sweep(
    games: str | Sequence[str], variables: Mapping[str, str] | None = None, *, ties: Sequence[str | float] = ("split",),
    matches: Sequence[str] = ("sequential",), players: Sequence[int] = (2,), policies: Sequence[str] = ("score",),
    output: str | Path | None = None, force: bool = False,
) -> list[Row]:  # fmt: skip
    """Solve a grid of games, such as "{n}d6+d8" with {"n": "1..12"}; return one row a cell, and write them if asked."""
    templates = [games] if isinstance(games, str) else games
    cells = grid(templates, variables, ties=ties, matches=matches, players=players, policies=policies, force=force)
    return run(cells, output)


# Looking at rows.


def series(rows: Sequence[Row], x: str, y: str, by: str | None = None) -> dict[str, list[tuple[Any, Any]]]:
    """Return the points of a figure of one column against another, for `plot.lines`: a line for each value of `by`.

    >>> series([{"n": 2, "v": 0.4}, {"n": 1, "v": 0.5}, {"n": 3, "v": None}], "n", "v")
    {'v': [(1, 0.5), (2, 0.4)]}
    """
    for name in (x, y, *([by] if by else [])):
        if rows and name not in rows[0]:
            raise ValueError(f"there is no column {name!r}: the columns are {', '.join(rows[0])}")
    lines: dict[str, list[tuple[Any, Any]]] = {}
    for row in rows:
        if row[x] is not None and row[y] is not None:
            lines.setdefault(str(row[by]) if by else y, []).append((row[x], row[y]))
    for points in lines.values():
        points.sort(key=itemgetter(0))
    return lines
