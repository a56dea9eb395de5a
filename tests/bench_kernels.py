"""Benchmarks of the kernels, run on demand: .venv/bin/python -m pytest tests/bench_kernels.py"""

from __future__ import annotations

from typing import Any

import pytest

from gametheory.ask import policies as policy
from gametheory.ask import simulate
from gametheory.games import pool_game
from gametheory.match import duel, evaluate
from gametheory.race import rules as race_rules
from gametheory.race import solver as race


@pytest.mark.parametrize("name", ["threes", "biscuits", "16d6+d8+d10+d12", "4d6+3d8+2d10"])
def test_solve_a_pool_for_two(benchmark: Any, name: str) -> None:
    game = pool_game(name)
    duel.solve(game)
    assert benchmark(duel.solve, game, threads=1).error_bound < 1e-10


@pytest.mark.parametrize("name", ["pig", "ten-thousand"])
def test_solve_a_race(benchmark: Any, name: str) -> None:
    game = race_rules.RACES[name]
    race.solve(race_rules.RACES["pig"], threads=1)
    solved = benchmark.pedantic(race.solve, (game,), {"threads": 1}, rounds=3, warmup_rounds=1)
    assert solved.error_bound < 1e-11


def test_second_player_by_policy(benchmark: Any) -> None:
    solved = duel.solve(pool_game("biscuits"))
    wins, _ = benchmark(evaluate._win_replies.__wrapped__, solved)
    assert wins[-1] == 0


def test_simulate(benchmark: Any) -> None:
    solved = duel.solve(pool_game("biscuits"))
    played = benchmark(simulate.play, solved, policy.Win(solved), policy.Score(solved), 20_000, 1)
    assert played.games == 20_000
