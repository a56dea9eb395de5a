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
from shared import solved

from gametheory import cluster, games, sweeps
from gametheory.sweeps import Cell, Row

TEMPLATE = "{n}d6+d8"


def small() -> list[Cell]:
    return sweeps.grid([TEMPLATE], {"n": "1..3"}, ties=["split", "first"])


def without_time(rows: list[Row]) -> list[Row]:
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def record(monkeypatch: pytest.MonkeyPatch) -> list[Cell]:
    """Note every cell that is solved in this process."""
    noted: list[Cell] = []
    plain = sweeps.solve_cell

    def solve(cell: Cell, threads: int | None = None) -> Row:
        noted.append(cell)
        return plain(cell, threads)

    monkeypatch.setattr(sweeps, "solve_cell", solve)
    return noted


# The grid.


def test_ranges_and_lists_name_their_values() -> None:
    assert sweeps.parse_values("1..4") == [1, 2, 3, 4]
    assert sweeps.parse_values("2..10..4, 1") == [2, 6, 10, 1]
    assert sweeps.expand("{n}d{s}+{n}d12", {"n": "1,2", "s": "6..8..2"}) == [
        ({"n": 1, "s": 6}, "1d6+1d12"),
        ({"n": 1, "s": 8}, "1d8+1d12"),
        ({"n": 2, "s": 6}, "2d6+2d12"),
        ({"n": 2, "s": 8}, "2d8+2d12"),
    ]


def test_a_grid_is_every_combination() -> None:
    cells = sweeps.grid([TEMPLATE, "threes"], {"n": "1..2"}, ties=["split", 0.25], policies=["score", "win"])
    assert len(cells) == 3 * 2 * 2
    assert {(cell.game.name, cell.variables) for cell in cells} == {
        ("d6+d8", (("n", 1),)), ("2d6+d8", (("n", 2),)), ("threes", ()),
    }  # fmt: skip
    assert {cell.tie for cell in cells} == {"split", "0.25"}
    assert len({cell.key for cell in cells}) == 12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sweeps.grid([]), "grid is empty"),
        (lambda: sweeps.grid(["2d6"], ties=[]), "grid is empty"),
        (lambda: sweeps.run([]), "grid is empty"),
        (lambda: sweeps.grid([TEMPLATE], {"n": "5..1"}), r"'5\.\.1' runs backwards: write 1\.\.5"),
        (lambda: sweeps.grid([TEMPLATE], {"n": "1..9..0"}), "step 0"),
        (lambda: sweeps.grid([TEMPLATE], {"n": "few"}), "cannot read 'few'"),
        (lambda: sweeps.grid([TEMPLATE], {"n": ""}), "cannot read ''"),
        (lambda: sweeps.grid([TEMPLATE], {"n": "1..999999999"}), "more than 100,000 values"),
        (lambda: sweeps.grid([TEMPLATE]), "variable 'n' without values"),
        (lambda: sweeps.grid(["2d6"], {"n": "1..2"}), "no game of the sweep has the variable 'n'"),
        (lambda: sweeps.grid([TEMPLATE], {"n": "0..2"}), "'0d6' .* has no dice"),
        (lambda: sweeps.grid(["2d6"], ties=["both"]), "no tie rule 'both'"),
        (lambda: sweeps.grid(["2d6"], matches=["relay"]), "no match 'relay'"),
        (lambda: sweeps.grid(["2d6"], players=[1]), "1 players"),
        (lambda: sweeps.grid(["2d6"], policies=["luck"]), "no policy 'luck'"),
        (lambda: sweeps.run(small(), "rows.xlsx"), "no format 'xlsx'"),
        (lambda: sweeps.run(small(), "no/such/folder/rows.csv"), r"cannot write .*rows\.csv: name a file in a folder"),
        (lambda: sweeps.series([{"n": 1}], "n", "value"), "no column 'value'"),
    ],
)
def test_bad_requests_are_refused_in_one_line(call: Any, words: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=rf"^[^\n]*{words}[^\n]*$"):
        call()
    assert list(tmp_path.iterdir()) == []


# Rows.


def test_rows_equal_single_solves() -> None:
    rows = sweeps.run(small())
    assert any(row["disagreements_per_game"] > 0.01 for row in rows)
    for cell, row in zip(small(), rows, strict=True):
        single = solved(cell.game, cell.tie)
        assert row["dice"] == cell.game.dice
        assert row["n"] == cell.game.counts[0]
        assert row["first_player_value"] == single.first_player_value
        assert row["second_player_value"] == single.second_player_value
        assert row["expected_score"] == single.expected_score
        assert row["spread"] == single.distribution("score").sd
        apart = single.diff().summary
        assert row["disagreements_per_game"] == apart.disagreements_per_game
        assert row["win_probability_lost"] == pytest.approx(apart.win_probability_lost, abs=1e-12)
        assert row["error"] == ""


def test_policies_cost_what_playing_them_costs() -> None:
    rows = sweeps.run(sweeps.grid(["2d6+d8"], ties=["second"], policies=["score", "win", "greedy", "random"]))
    values = solved("2d6+d8", "second").compare([row["policy"] for row in rows]).first_value()
    for place, row in enumerate(rows):
        assert row["win_probability_lost"] == pytest.approx(values[1, 1] - values[place, 1], abs=1e-12)
    assert rows[1]["win_probability_lost"] < rows[0]["win_probability_lost"] < rows[2]["win_probability_lost"]


def test_other_formats_and_races_have_rows_too() -> None:
    game = games.game("2d6+d8")
    rows = sweeps.run(sweeps.grid(["2d6+d8"], matches=["sequential", "alternating", "simultaneous"]))
    assert rows[1]["first_player_value"] == solved(game, match="alternating").first_player_value
    hidden = solved(game, match="simultaneous")
    assert (rows[2]["first_player_value"], rows[2]["win_probability_lost"]) == (0.5, hidden.score_policy_exploitability)
    three, race_row = sweeps.run([Cell(game, players=3), Cell(games.game("pig"))])
    seats = solved(game, players=3).seat_values
    assert [three[f"{seat}_player_value"] for seat in ("first", "second", "last")] == list(seats)
    pig = solved("pig")
    assert race_row["first_player_value"] == pig.first_player_value
    assert race_row["expected_turn_score"] == pig.expected_turn_score


def test_a_cell_that_fails_is_a_row_with_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = "+".join(f"25d{sides}" for sides in range(993, 1001))
    cells = [Cell(games.game(name)) for name in ("2d6", "30d20+30d30", huge)]
    cells.append(Cell(games.game("pig"), tie="first"))
    rows = sweeps.run(cells, tmp_path / "rows.csv")
    assert [bool(row["error"]) for row in rows] == [False, True, True, True]
    assert "would take about" in rows[1]["error"]
    assert rows[1]["first_player_value"] is None
    assert "pig is a race" in rows[3]["error"]
    noted = record(monkeypatch)
    sweeps.run(cells, tmp_path / "rows.csv")
    assert noted == cells[1:], "failures are tried again, finished cells are not"


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_every_format_reads_back(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{suffix}"
    rows = sweeps.run(small(), path)
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
    rows = sweeps.run(sweeps.grid([TEMPLATE], {"n": "3,1,2"}, ties=["split", "first"]))
    lines = sweeps.series(rows, "n", "first_player_value", by="tie")
    assert list(lines) == ["split", "first"]
    for tie, points in lines.items():
        singles = {n: solved(f"{n}d6+d8", tie).first_player_value for n in (1, 2, 3)}
        assert points == list(singles.items())
    rows[0]["first_player_value"] = None
    assert [n for n, _ in sweeps.series(rows, "n", "first_player_value", by="tie")["split"]] == [1, 2]


# Interruptions.


KILLED = """
import sys, time
from gametheory import sweeps
plain = sweeps.solve_cell
def slowly(cell, threads=None):
    time.sleep(0.15)
    return plain(cell, threads)
sweeps.solve_cell = slowly
sweeps.run(sweeps.grid(["{n}d6+d8"], {"n": "1..3"}, ties=["split", "first"]), sys.argv[1])
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
    noted = record(monkeypatch)
    reports: list[float] = []
    rows = sweeps.run(small(), output, progress=reports.append)
    assert [cell.key for cell in noted] == [cell.key for cell in small() if cell.key not in finished]
    assert reports == sorted(reports)
    assert reports[0] > 0.3
    assert reports[-1] == pytest.approx(1)
    assert without_time(rows) == without_time(sweeps.run(small()))
    noted.clear()
    assert sweeps.run(small(), output) == rows
    assert noted == []


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = sweeps.solve_cell, []

    def interrupted(cell: Cell, threads: int | None = None) -> Row:
        calls.append(cell)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return plain(cell, threads)

    monkeypatch.setattr(sweeps, "solve_cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweeps.run(small(), tmp_path / "rows.json")
    assert not (tmp_path / "rows.json").exists()
    sweeps.run(small(), tmp_path / "rows.json")
    assert [cell.key for cell in calls] == [cell.key for cell in [*small()[:3], *small()[2:]]]


def test_a_journal_does_not_answer_for_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('dice = "3d6"\n')
    sweeps.run(sweeps.grid([str(rules)]), tmp_path / "rows.csv")
    rules.write_text('dice = "3d6"\nwins = "lower"\n')
    noted = record(monkeypatch)
    (row,) = sweeps.run(sweeps.grid([str(rules)]), tmp_path / "rows.csv")
    assert len(noted) == 1
    assert row["expected_score"] < 9


def test_processes_give_the_same_rows() -> None:
    with cluster.connect(processes=2) as executor:
        assert isinstance(executor, cluster.Processes)
        rows = sweeps.run(small(), executor=executor)
    assert without_time(rows) == without_time(sweeps.run(small()))


def test_a_worker_process_that_dies_changes_nothing() -> None:
    cells = small()
    with cluster.connect(processes=2) as executor:
        assert isinstance(executor, cluster.Processes)
        killed: list[Any] = []

        def kill(_: float) -> None:
            if not killed:
                killed.append(next(iter(executor.pool._processes.values())))
                killed[0].kill()

        rows = sweeps.run(cells, executor=executor, progress=kill)
        assert killed[0].exitcode is not None
    assert without_time(rows) == without_time(sweeps.run(cells))


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
    single = solved("biscuits")
    assert f"{single.expected_score:.3f}" in said
    assert f"{single.first_player_value:.4f}" in said
    assert f"{single.diff().summary.win_probability_lost:.4%}" in said


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
