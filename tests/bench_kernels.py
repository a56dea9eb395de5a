"""Benchmarks of the kernels, run on demand: .venv/bin/python -m pytest tests/bench_kernels.py"""

from __future__ import annotations

from typing import Any

import pytest

from gametheory import games, policies
from gametheory.match import duel
from gametheory.match.dealing import deal
from gametheory.match.race import Race
from gametheory.match.solution import Request


@pytest.mark.parametrize("name", ["threes", "biscuits", "16d6+d8+d10+d12", "4d6+3d8+2d10"])
def test_solve_a_pool_for_two(benchmark: Any, name: str) -> None:
    game = games.game(name)
    duel.solve(game)
    assert benchmark(duel.solve, game, threads=1).error_bound < 1e-10


@pytest.mark.parametrize("name", ["pig", "ten-thousand"])
def test_solve_a_race(benchmark: Any, name: str) -> None:
    solved = benchmark.pedantic(
        Race.solve, (games.game(name), Request(threads=1)), rounds=3, warmup_rounds=1
    )
    assert solved.error_bound < 1e-11


def test_second_player_by_policy(benchmark: Any) -> None:
    solved = duel.solve(games.game("biscuits"))
    wins, _ = benchmark(policies._win_replies.__wrapped__, solved)
    assert wins[-1] == 0


def test_simulate(benchmark: Any) -> None:
    solved = duel.solve(games.game("biscuits"))
    played = benchmark(deal, solved, policies.Win(solved), policies.Score(solved), 20_000, 1)
    assert played.games == 20_000
