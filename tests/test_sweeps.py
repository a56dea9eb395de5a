"""A sweep gives what single solves give, one row a cell, and goes on where it was interrupted."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from gametheory import cluster, games
from gametheory import sweeps as sweep
from gametheory.ask import diff
from gametheory.ask import policies as policy
from gametheory.match import duel, evaluate
from gametheory.match import formats as match
from gametheory.race import solver as race
from gametheory.sweeps import Cell, Row

TEMPLATE = "{n}d6+d8"


def small() -> list[Cell]:
    return sweep.grid([TEMPLATE], {"n": "1..3"}, ties=["split", "first"])


def without_time(rows: list[Row]) -> list[Row]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def record(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    """Note every cell that is solved in this process."""
    solved: list[Cell] = []
    plain = sweep.solve_cell

    def solve(cell: Cell, threads: int | None = None) -> Row:
        solved.append(cell)
        return plain(cell, threads)

    monkeypatch.setattr(sweep, "solve_cell", solve)
    return solved


# The grid.


def test_ranges_and_lists_name_their_values() -> None:
    assert sweep.parse_values("1..4") == [1, 2, 3, 4]
    assert sweep.parse_values("2..10..4, 1") == [2, 6, 10, 1]
    assert sweep.expand("{n}d{s}+{n}d12", {"n": "1,2", "s": "6..8..2"}) == [
        ({"n": 1, "s": 6}, "1d6+1d12"),
        ({"n": 1, "s": 8}, "1d8+1d12"),
        ({"n": 2, "s": 6}, "2d6+2d12"),
        ({"n": 2, "s": 8}, "2d8+2d12"),
    ]


def test_a_grid_is_every_combination() -> None:
    cells = sweep.grid([TEMPLATE, "threes"], {"n": "1..2"}, ties=["split", 0.25], policies=["score", "win"])
    assert len(cells) == 3 * 2 * 2
    assert {(cell.game.name, cell.variables) for cell in cells} == {
        ("d6+d8", (("n", 1),)), ("2d6+d8", (("n", 2),)), ("threes", ()),
    }  # fmt: skip
    assert {cell.tie for cell in cells} == {"split", "0.25"}
    assert len({cell.key for cell in cells}) == 12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sweep.grid([]), "grid is empty"),
        (lambda: sweep.grid(["2d6"], ties=[]), "grid is empty"),
        (lambda: sweep.run([]), "grid is empty"),
        (lambda: sweep.grid([TEMPLATE], {"n": "5..1"}), r"'5\.\.1' runs backwards: write 1\.\.5"),
        (lambda: sweep.grid([TEMPLATE], {"n": "1..9..0"}), "step 0"),
        (lambda: sweep.grid([TEMPLATE], {"n": "few"}), "cannot read 'few'"),
        (lambda: sweep.grid([TEMPLATE], {"n": ""}), "cannot read ''"),
        (lambda: sweep.grid([TEMPLATE], {"n": "1..999999999"}), "more than 100,000 values"),
        (lambda: sweep.grid([TEMPLATE]), "variable 'n' without values"),
        (lambda: sweep.grid(["2d6"], {"n": "1..2"}), "no game of the sweep has the variable 'n'"),
        (lambda: sweep.grid([TEMPLATE], {"n": "0..2"}), "'0d6' .* has no dice"),
        (lambda: sweep.grid(["2d6"], ties=["both"]), "no tie rule 'both'"),
        (lambda: sweep.grid(["2d6"], matches=["relay"]), "no match 'relay'"),
        (lambda: sweep.grid(["2d6"], players=[1]), "1 players"),
        (lambda: sweep.grid(["2d6"], policies=["luck"]), "no policy 'luck'"),
        (lambda: sweep.run(small(), "rows.xlsx"), "no format 'xlsx'"),
        (lambda: sweep.run(small(), "no/such/folder/rows.csv"), r"cannot write .*rows\.csv\.journal"),
        (lambda: sweep.series([{"n": 1}], "n", "value"), "no column 'value'"),
    ],
)
def test_bad_requests_are_refused_in_one_line(call: Any, words: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=rf"^[^\n]*{words}[^\n]*$"):
        call()
    assert list(tmp_path.iterdir()) == []


# Rows.


def test_rows_equal_single_solves() -> None:
    rows = sweep.run(small())
    assert any(row["disagreements_per_game"] > 0.01 for row in rows)
    for cell, row in zip(small(), rows, strict=True):
        assert isinstance(cell.game, games.PoolGame)
        single = duel.solve(cell.game, cell.tie)
        assert row["dice"] == cell.game.dice
        assert row["n"] == cell.game.counts[0]
        assert row["first_player_value"] == single.first_player_value
        assert row["second_player_value"] == single.second_player_value
        assert row["expected_score"] == single.expected_score
        assert row["spread"] == evaluate.distribution(single, policy.named("score", single)).sd
        apart = diff.between(single).summary
        assert row["disagreements_per_game"] == apart.disagreements_per_game
        assert row["win_probability_lost"] == pytest.approx(apart.win_probability_lost, abs=1e-12)
        assert row["error"] == ""


def test_policies_cost_what_playing_them_costs() -> None:
    game = games.pool_game("2d6+d8")
    rows = sweep.run(sweep.grid(["2d6+d8"], ties=["second"], policies=["score", "win", "greedy", "random"]))
    single = duel.solve(game, "second")
    players = [policy.named(row["policy"], single) for row in rows]
    values = evaluate.compare(single, players).first_value(single.tie_worth)
    for place, row in enumerate(rows):
        assert row["win_probability_lost"] == pytest.approx(values[1, 1] - values[place, 1], abs=1e-12)
    assert rows[1]["win_probability_lost"] < rows[0]["win_probability_lost"] < rows[2]["win_probability_lost"]


def test_other_formats_and_races_have_rows_too() -> None:
    game = games.pool_game("2d6+d8")
    rows = sweep.run(sweep.grid(["2d6+d8"], matches=["sequential", "alternating", "simultaneous"]))
    assert rows[1]["first_player_value"] == match.solve_alternating(game).first_player_value
    assert (rows[2]["first_player_value"], rows[2]["win_probability_lost"]) == (
        0.5, match.solve_hidden(game).score_policy_exploitability,
    )  # fmt: skip
    three, race_row = sweep.run([Cell(game, players=3), Cell(games.game("pig"))])
    seats = match.solve_players(game, 3).seat_values
    assert [three[f"{seat}_player_value"] for seat in ("first", "second", "last")] == list(seats)
    pig = race.solve(games.NAMED["pig"])  # type: ignore[arg-type]
    assert race_row["first_player_value"] == pig.first_player_value
    assert race_row["expected_turn_score"] == pig.expected_turn_score


def test_a_cell_that_fails_is_a_row_with_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = "+".join(f"25d{sides}" for sides in range(993, 1001))
    cells = [Cell(games.game(name)) for name in ("2d6", "30d20+30d30", huge)]
    cells.append(Cell(games.game("pig"), tie="first"))
    rows = sweep.run(cells, tmp_path / "rows.csv")
    assert [bool(row["error"]) for row in rows] == [False, True, True, True]
    assert "would take about" in rows[1]["error"]
    assert rows[1]["first_player_value"] is None
    assert "pig is a race" in rows[3]["error"]
    solved = record(monkeypatch)
    sweep.run(cells, tmp_path / "rows.csv")
    assert solved == cells[1:], "failures are tried again, finished cells are not"


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_every_format_reads_back(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{suffix}"
    rows = sweep.run(small(), path)
    if suffix == "csv":
        with path.open(newline="") as file:
            found: list[Row] = list(csv.DictReader(file))
        assert [list(row.values()) for row in found] == [[str(value) for value in row.values()] for row in rows]
    elif suffix == "json":
        assert json.loads(path.read_text()) == rows
    else:
        table = pyarrow.parquet.read_table(path)
        assert table.to_pylist() == rows
        assert str(table.schema.field("error").type) == "string"
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, f"{path.name}.journal"]


def test_a_figure_is_lines_in_order_of_the_axis() -> None:
    rows = sweep.run(sweep.grid([TEMPLATE], {"n": "3,1,2"}, ties=["split", "first"]))
    lines = sweep.series(rows, "n", "first_player_value", by="tie")
    assert list(lines) == ["split", "first"]
    for tie, points in lines.items():
        singles = {n: duel.solve(games.pool_game(f"{n}d6+d8"), tie).first_player_value for n in (1, 2, 3)}
        assert points == list(singles.items())
    rows[0]["first_player_value"] = None
    assert [n for n, _ in sweep.series(rows, "n", "first_player_value", by="tie")["split"]] == [1, 2]


# Interruptions.


KILLED = """
import sys, time
from gametheory import sweeps as sweep
plain = sweep.solve_cell
def slowly(cell, threads=None):
    time.sleep(0.15)
    return plain(cell, threads)
sweep.solve_cell = slowly
sweep.run(sweep.grid(["{n}d6+d8"], {"n": "1..3"}, ties=["split", "first"]), sys.argv[1])
"""


def test_a_killed_sweep_goes_on_without_repeating_finished_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "rows.csv"
    journal = tmp_path / "rows.csv.journal"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(output)])
    deadline = time.monotonic() + 60
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not output.exists()
    finished = {json.loads(line)["key"] for line in journal.read_text().splitlines()}
    assert 2 <= len(finished) < 6
    with journal.open("a") as file:
        file.write('{"key": "cut o')
    solved = record(monkeypatch)
    reports: list[float] = []
    rows = sweep.run(small(), output, progress=reports.append)
    assert [cell.key for cell in solved] == [cell.key for cell in small() if cell.key not in finished]
    assert reports == sorted(reports)
    assert reports[0] > 0.3
    assert reports[-1] == pytest.approx(1)
    assert without_time(rows) == without_time(sweep.run(small()))
    solved.clear()
    assert sweep.run(small(), output) == rows
    assert solved == []


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = sweep.solve_cell, []

    def interrupted(cell: Cell, threads: int | None = None) -> Row:
        calls.append(cell)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return plain(cell, threads)

    monkeypatch.setattr(sweep, "solve_cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep.run(small(), tmp_path / "rows.json")
    assert not (tmp_path / "rows.json").exists()
    sweep.run(small(), tmp_path / "rows.json")
    assert [cell.key for cell in calls] == [cell.key for cell in [*small()[:3], *small()[2:]]]


def test_a_journal_does_not_answer_for_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('dice = "3d6"\n')
    sweep.run(sweep.grid([str(rules)]), tmp_path / "rows.csv")
    rules.write_text('dice = "3d6"\nwins = "lower"\n')
    solved = record(monkeypatch)
    (row,) = sweep.run(sweep.grid([str(rules)]), tmp_path / "rows.csv")
    assert len(solved) == 1
    assert row["expected_score"] < 9


def test_processes_give_the_same_rows() -> None:
    with cluster.connect(processes=2) as executor:
        assert isinstance(executor, cluster.Processes)
        rows = sweep.run(small(), executor=executor)
    assert without_time(rows) == without_time(sweep.run(small()))


def test_a_worker_process_that_dies_changes_nothing() -> None:
    cells = small()
    with cluster.connect(processes=2) as executor:
        assert isinstance(executor, cluster.Processes)
        killed: list[Any] = []

        def kill(_: float) -> None:
            if not killed:
                killed.append(next(iter(executor.pool._processes.values())))
                killed[0].kill()

        rows = sweep.run(cells, executor=executor, progress=kill)
        assert killed[0].exitcode is not None
    assert without_time(rows) == without_time(sweep.run(cells))


def test_a_cell_that_kills_its_process_fails_alone() -> None:
    with cluster.connect(processes=2) as executor:
        with pytest.raises(BrokenExecutor):
            executor.submit(os._exit, 1).result()
        assert executor.submit(abs, -2).result() == 2


# The walk-through.


WALKTHROUGH = Path(__file__).parent.parent / "scripts" / "walkthrough.py"


def test_the_walk_through_runs_from_the_question_to_a_figure(tmp_path: Path) -> None:
    figure = tmp_path / "figure.png"
    command = [sys.executable, str(WALKTHROUGH), str(figure)]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert [file.name for file in tmp_path.iterdir()] == ["figure.png"]
    single = duel.solve(games.pool_game("biscuits"))
    assert f"{single.expected_score:.3f}" in said
    assert f"{single.first_player_value:.4f}" in said
    assert f"{diff.between(single).summary.win_probability_lost:.4%}" in said


def test_the_walk_through_opens_as_a_notebook() -> None:
    """Percent cells: every one begins with a marker, and every code cell is Python by itself."""
    text = WALKTHROUGH.read_text()
    cells = text.split("# %%")
    assert len(cells) > 8
    assert cells[0] == ""
    for cell in cells[1:]:
        kind, _, body = cell.partition("\n")
        if kind == " [markdown]":
            assert all(line.startswith("#") for line in body.strip().splitlines())
        else:
            compile(body, "cell", "exec")
