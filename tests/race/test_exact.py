"""Check exact results of policies: against each other, and against the best answer."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory.race.notation import Position
from gametheory.race.rules import RaceGame

from .shared import PIG, TINY, best_answer, evaluate, holds, solved


def test_hold_at_20_against_itself() -> None:
    """Whoever starts wins 0.5347 of the games in which both hold at 20 or at the goal."""
    found = evaluate(PIG, "hold-at-20", "hold-at-20")
    assert found.first_player_value == pytest.approx(0.5347, abs=5e-5)
    assert found.second_player_value == pytest.approx(1.0 - found.first_player_value, abs=1e-14)


def test_a_function_is_evaluated_like_the_policy_it_spells_out() -> None:
    game = PIG.with_goal(30)
    for other in ("random", "win"):
        named = evaluate(game, "hold-at-11", other)
        spelled = evaluate(game, holds(11), other)
        assert np.allclose(named.first_win, spelled.first_win, atol=1e-13, rtol=0.0)


def test_a_function_that_looks_at_everything_is_evaluated() -> None:
    """Spell out the greedy look at a solved race, and get its values back."""
    game = TINY["triple"]
    solution = solved(game)

    def greedy(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best = solution.moves(roll, turn=position.turn, score=position.score, opponent=position.opponent)[0]
        return best.keep, bool(best.bank)

    found = evaluate(solution, greedy, greedy)
    assert np.abs(found.first_win - solution.values).max() <= 1e-13


@pytest.mark.parametrize("game", [*TINY.values(), PIG], ids=lambda game: game.name)
def test_win_against_win_gives_back_the_solved_values(game: RaceGame) -> None:
    solution = solved(game)
    found = evaluate(solution, "win", "win")
    assert np.abs(found.first_win - solution.values).max() <= 1e-12


@pytest.mark.parametrize("game", [TINY["pair"], TINY["four"], PIG], ids=lambda game: game.name)
def test_nothing_beats_the_best_answer(game: RaceGame) -> None:
    solution = solved(game)
    for opponent in ("score", "hold-at-3", "random"):
        answer = best_answer(solution, opponent)
        played = evaluate(solution, answer.policy, opponent)
        assert played.first_player_value == pytest.approx(answer.first_player_value, abs=1e-12)
        assert played.second_player_value == pytest.approx(answer.second_player_value, abs=1e-12)
        for other in ("win", "score", "hold-at-2", "random"):
            tried = evaluate(solution, other, opponent)
            assert np.all(tried.first_win <= answer.values + 1e-12)
    assert best_answer(solution, "win").first_player_value == pytest.approx(solution.first_player_value, abs=1e-12)
