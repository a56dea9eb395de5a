"""Answers that are tables are written to files as they are printed; what is stored is listed and deleted by name."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Solve

import gametheory as gt
from gametheory.cli import show
from gametheory.cli.commands import COMMANDS

from .shared import SMALL, answer, files, write_files

WRITTEN: dict[str, tuple[str, Any]] = {
    # By command: how it is asked, and how many rows its JSON says there are.
    "moves": (f"moves {SMALL} d4:4,2,1", lambda data: data["moves_in_all"]),
    "second": (f"second {SMALL}", lambda data: len(data["targets"])),
    "distribution": (f"distribution {SMALL} --policy score", lambda data: len(data["scores"])),
    "compare": (f"compare {SMALL} --policies score,win", lambda data: len(data["policies"]) ** 2),
    "diff": (f"diff {SMALL}", lambda data: data["rows_written"]),
    "simulate": (f"simulate {SMALL} --games 10", lambda data: len(data["seat_values"])),
    "fair": (f"fair {SMALL}", lambda data: len(data["value_by_bonus"])),
    "table": (f"table {SMALL} one-die", lambda data: len(data["rows"])),
    "card": ("card 2d3 --frontier", lambda data: len(data["points"])),
    "sweep": ("sweep 2d3 2d4", lambda data: len(data["rows"])),
    "tables": ("tables", lambda data: len(data["rows"])),
}


@pytest.mark.parametrize("command", sorted(WRITTEN))
@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_a_table_is_written_as_it_is_printed(command: str, form: str, ready: Path, run: Run) -> None:
    line, count = WRITTEN[command]
    path = Path(f"out.{form}")
    data = answer(run(*line.split(), "-o", path, "--json"))
    if form == "csv":
        with path.open(newline="") as file:
            rows: Any = list(csv.DictReader(file))
    elif form == "json":
        rows = json.loads(path.read_text())
    else:
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(path).to_pylist()
    assert len(rows) == count(data) > 0
    assert all(None not in row for row in rows)
    again = run(*line.split(), "-o", path)
    if command != "sweep":  # which goes on with what its journal has
        assert (again.status, again.out, again.err.count("\n")) == (2, "", 1)
        assert "--force" in again.err


def test_every_command_with_a_table_writes_it() -> None:
    writing = {command.name for command in COMMANDS if any(option.name == "output" for option in command.all_options())}
    assert set(WRITTEN) <= writing
    assert writing - set(WRITTEN) <= {"plot", "page", "certify", "bring", "play", "review", "export"}


# What is stored.


def test_tables_are_listed_and_those_that_are_named_deleted(ready: Path, run: Run, solved: Solve) -> None:
    gt.save(solved("2d4"), ready / "2d4.split.h5")
    listed = {row["game"]: row for row in answer(run("tables", "--json"))["rows"]}
    assert {"2d4", SMALL, "biscuits"} <= set(listed)
    assert listed["2d4"]["file"] == str(ready / "2d4.split.h5")
    assert listed["2d4"]["bytes"] == (ready / "2d4.split.h5").stat().st_size
    assert (listed["2d4"]["match"], listed["2d4"]["tie"]) == ("duel", "split")
    assert '"count":2' in listed["2d4"]["rules"]
    ran = run("tables", "biscuits", "--delete")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "came with the package" in ran.err
    assert answer(run("tables", "2d4", "--delete", "--json"))["title"] == "1 tables deleted"
    assert files(ready) == [f"{SMALL}.split.h5"]
    assert [row[0] for row in gt.tables([SMALL])] == [SMALL]
    (ready / f"{SMALL}.split.h5").write_bytes(b"gone")
    assert "table" in gt.tables([f"{SMALL}.split.h5"]).dicts()[0]["rules"]
    gt.tables([str(ready / f"{SMALL}.split.h5")], delete=True)
    assert files(ready) == []


# How it is printed.


def test_what_is_certain_or_impossible_is_one_row() -> None:
    folded = list(show.fold([1, 2, 3, 4, 5, 6], [1.0, 1.0, 1.0, 0.5, 0.0, 0.0]))
    assert folded == [("1 to 3", None, "certain"), ("4", 0.5, ""), ("5", 0.0, ""), ("6", 0.0, "")]


def test_a_long_chase_is_folded_at_both_ends(run: Run, ready: Path) -> None:
    out = run("second", "biscuits").out
    assert " certain" in out
    assert " impossible" not in out or out.count("impossible") == 1
    assert len(out.splitlines()) < 80


def test_the_best_row_is_bold_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show.print_table(["a"], [["1"], ["2"]], best=1)
    assert capsys.readouterr().out == "a\n1\n2\n"
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    show.print_table(["a"], [["1"], ["2"]], best=1)
    assert "\x1b[1m2" in capsys.readouterr().out


def test_a_tie_is_said_aloud(folder: Path, run: Run) -> None:
    write_files(Path.cwd())
    out = run("diff", "coin.toml").out
    assert "Another move has as many points: the cost is that of a tie-break." in " ".join(out.split())


def test_limits_count_what_is_printed(ready: Path, run: Run) -> None:
    write_files(Path.cwd())
    for line in (f"diff {SMALL} --policy greedy", "diff short.toml"):
        for limit in (1, 3):
            out = run(*line.split(), "--limit", str(limit)).out
            assert [row for row in out.splitlines() if row.startswith(f"{limit:3d}. ")] != []
            assert not any(row.startswith(f"{limit + 1:3d}. ") for row in out.splitlines())
    rows = answer(run("diff", SMALL, "--by", "place", "--limit", "2", "--json"))["rows"]
    costs = [row["probability"] * row["cost"] for row in rows]
    assert len(rows) == 2
    assert costs == sorted(costs, reverse=True)


def test_solving_a_file_says_which_rules_it_used(folder: Path, run: Run) -> None:
    Path("house.toml").write_text('like = "3d4"\nkeep_at_least = 2\n')
    assert run("solve", "house.toml").out.startswith("house.toml: as 3d4, but keep_at_least is 2, not 1.\n")
