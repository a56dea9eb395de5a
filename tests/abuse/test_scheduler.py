"""A scheduler that is killed under a sweep: what is finished is kept, and the status says that something failed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.slow
def test_a_killed_scheduler_costs_only_what_was_under_way(tmp_path: Path) -> None:
    where = tmp_path / "scheduler.json"
    environment = os.environ | {"GAMETHEORY_TABLES": str(tmp_path)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    begin = "from distributed.cli.dask_{0} import main; main()"
    dask = [
        subprocess.Popen([sys.executable, "-c", begin.format("scheduler"), "--port", "0", "--no-dashboard",
                          "--host", "127.0.0.1", "--scheduler-file", str(where)], **quiet),  # type: ignore[call-overload]
    ]  # fmt: skip
    try:
        while not where.exists() or not where.read_text():
            time.sleep(0.1)
        address = json.loads(where.read_text())["address"]
        dask.append(subprocess.Popen([sys.executable, "-c", begin.format("worker"), address, "--no-dashboard"], **quiet))  # type: ignore[call-overload]
        command = ["sweep", "{n}d6+{n}d8+{n}d10", "--n", "1..9", "--force", "--cluster", address, "-o", "out.csv"]
        sweep = subprocess.Popen(
            [sys.executable, "-m", "gametheory", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=tmp_path, env=environment,
        )  # fmt: skip
        journal = tmp_path / "out.csv.journal"
        while not journal.exists() or not journal.read_text():
            assert sweep.poll() is None, sweep.communicate()
            time.sleep(0.1)
        dask[0].kill()
        out, err = sweep.communicate(timeout=300)
    finally:
        for process in dask:
            process.kill()
            process.wait()
    assert (sweep.returncode, err) == (1, ""), err
    assert "the worker failed" in out
    kept = [json.loads(line) for line in journal.read_text().splitlines()]
    assert any(not line["result"]["error"] for line in kept)
