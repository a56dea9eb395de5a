"""Games out of files go to other processes, and are the same there."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from gametheory import games, source
from gametheory import sweeps as sweep
from gametheory.cluster import Processes

GAME = '''
from typing import NamedTuple

class Standing(NamedTuple):
    left: int

class Coins:
    """So many coins, each worth a point if it shows heads; who begins with tails may stop with two."""

    name = "coins"

    def __init__(self):
        self.coins = 3

    def start(self):
        return Standing(self.coins)

    def rolls(self, at):
        return [("heads", 1), ("tails", 1)] if at.left else []

    def moves(self, at, roll):
        yield "go on", Standing(at.left - 1), int(roll == "heads")
        if roll == "tails" and at.left == 3:
            yield "stop", Standing(0), 2
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "coins.py"
    path.write_text(GAME)
    return path


def test_a_sweep_in_processes_says_what_it_says_here(path: Path) -> None:
    cells = sweep.grid([f"{path}:Coins"], ties=["split", "first"])
    here = sweep.run(cells)
    with Processes(2) as executor:
        there = sweep.run(cells, executor=executor)
    assert [row | {"seconds": 0} for row in there] == [row | {"seconds": 0} for row in here]
    assert [row["error"] for row in there] == ["", ""]
    assert here[0]["expected_score"] == pytest.approx(2.0, abs=1e-12)


def test_an_object_is_of_the_same_class_where_it_was_made_and_has_what_it_had(path: Path) -> None:
    game = source.make(f"{path}:Coins")
    game.coins = 2
    for again in (copy.copy(game), pickle.loads(pickle.dumps(game))):
        assert type(again) is type(game)
        assert again.coins == 2
    state = game.start()
    assert pickle.loads(pickle.dumps(state)) == state


def test_another_process_needs_no_file(path: Path, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    sent.write_bytes(pickle.dumps(games.game(f"{path}:Coins")))
    path.unlink()
    code = (
        "import pickle, sys, gametheory as gt\n"
        "game = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(gt.solve(game).expected_score, game.start.state)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, sent], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("2.0 Standing(left=3)\n", "")
