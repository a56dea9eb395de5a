"""Other people's programs come to the same values: Storm on exported models, and the Pig of OpenSpiel."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory import prism
from gametheory.race.named import RACES

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="these programs are packaged for Linux")
STORM = 2e-6
"""Storm iterates to a relative 1e-6."""


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[Any, str], float]:
    """Ask Storm a question about a game."""
    import stormpy

    def ask(game: Any, question: str) -> float:
        prism.export(game, output=tmp_path / "game.prism", force=True)
        program = stormpy.parse_prism_program(str(tmp_path / "game.prism"))
        properties = stormpy.parse_properties(question, program)
        model = stormpy.build_model(program, properties)
        result, start = stormpy.model_checking(model, properties[0]), model.initial_states[0]
        return float(result.get_value(start) if hasattr(result, "get_value") else result.at(start))  # newer, older ones

    return ask


@LINUX
@pytest.mark.parametrize("name", ["2d4+d6", "low.toml", pytest.param("shut-the-box", marks=pytest.mark.slow)])
def test_storm_finds_the_same_values(name: str, checked: Callable[[Any, str], float], folder: Path) -> None:
    Path("low.toml").write_text('dice = "3d4"\nwins = "lower"\npoints.d4 = [1, 2, 0, 4]\n')
    game = gt.game(name)
    best = "max" if game.higher_wins else "min"
    expected = gt.solve(game, aim="points").expected_score  # type: ignore[attr-defined]
    assert checked(game, f'R{{"score"}}{best}=? [F "over"]') == pytest.approx(expected, rel=STORM)
    made = gt.solve(game, aim="points").distribution("random")
    scores = [score for score, chance in zip(made.scores, made.probabilities, strict=True) if chance]
    for wanted in scores[1::4]:
        value = gt.solve(game, aim=f"reach:{wanted}").value  # type: ignore[attr-defined]
        assert checked(game, f'Pmax=? [F "reach_{wanted}"]') == pytest.approx(value, abs=STORM)


@LINUX
def test_storm_finds_the_second_players_chance(checked: Callable[[Any, str], float]) -> None:
    """Where ties are the second player's, to win is to reach the score."""
    duel = solved("2d4+d6", "second")
    for target in (5, 8, 10, 12):
        assert checked("2d4+d6", f'Pmax=? [F "reach_{target}"]') == pytest.approx(duel.second(target), abs=STORM)


@LINUX
def test_openspiels_own_pig_has_the_same_value() -> None:
    """Its rules and its dice; only the iteration over its states is here."""
    import pyspiel

    game = pyspiel.load_game("pig(players=2,winscore=10,horizon=100000)")
    found: dict[str, Any] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if str(state) in found:
            continue
        if state.is_terminal():
            found[str(state)] = state.returns()[0]
            continue
        chances = dict(state.chance_outcomes()) if state.is_chance_node() else None
        after = [(action, state.child(action)) for action in (chances or state.legal_actions())]
        shares = None if chances is None else list(chances.values())
        found[str(state)] = shares, state.current_player(), [str(s) for _, s in after]
        waiting += [s for _, s in after]
    value = {key: what if isinstance(what, float) else 0.0 for key, what in found.items()}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for key, what in found.items():
            if isinstance(what, float):
                continue
            chances, player, after = what
            worths = [value[one] for one in after]
            new = sum(map(float.__mul__, chances, worths)) if chances else (max if player == 0 else min)(worths)
            change, value[key] = max(change, abs(new - value[key])), new
    first = (1 + value[str(game.new_initial_state())]) / 2
    assert first == pytest.approx(gt.solve(RACES["pig"].with_goal(10)).first_player_value, abs=1e-11)


def test_export_prints_a_model_or_writes_it(run: Run, folder: Path) -> None:
    ran = run("export", "2d4", "--format", "prism")
    assert ran.status == 0
    assert ran.out.startswith("mdp")
    assert run("export", "2d4", "-o", "a.prism").status == 0
    assert Path("a.prism").read_text() == ran.out
    for wrong in (("2d4", "--format", "csv"), ("pig",), ("biscuits",), ("2d4", "-o", "a.prism")):
        ran = run("export", *wrong)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran
