"""What a game is played for: aims, against brute force by fractions, and as policies."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from pools import SMALL, as_pool, by_points
from shared import solved

from gametheory import aims
from gametheory.games import game as make
from gametheory.match.solo import Solo
from gametheory.match.solution import Request
from gametheory.pool.rules import PoolGame
from gametheory.store import library

CLOSE = 1e-12


def play_for(game: Any, aim: Any) -> Solo:
    found = library.compute(game, Request(aim=aim))
    assert isinstance(found, Solo)
    return found


def middle(game: PoolGame) -> int:
    return game.scores()[len(game.scores()) // 2]


def exact_aims(game: PoolGame) -> dict[str, tuple[Any, Callable[[int], Fraction]]]:
    """Return aims, as the package is given them and as the oracle is."""
    score, higher = middle(game), game.higher_wins
    step = {made: Fraction(number, 3) for number, made in enumerate(game.scores()[:: 1 if higher else -1])}
    odd = {made: Fraction(made % 3) for made in game.scores()}
    return {
        "reach": (f"reach:{score}", lambda made: Fraction(made >= score if higher else made <= score)),
        "steps": ({made: float(worth) for made, worth in step.items()}, step.__getitem__),
        "odd": (lambda made: float(odd[made]), odd.__getitem__),
        "array": (np.array([float(odd[made]) for made in game.scores()]), odd.__getitem__),
    }


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
@pytest.mark.parametrize("name", ["reach", "steps", "odd", "array"])
def test_the_best_play_for_an_aim_is_worth_what_brute_force_says(game: PoolGame, name: str) -> None:
    aim, payoff = exact_aims(game)[name]
    found, pool = play_for(game, aim), as_pool(game)
    worth = oracle.values(pool, payoff)
    assert found.value == pytest.approx(float(worth[oracle.full(pool), 0]), abs=CLOSE)
    policy = oracle.payoff_policy(pool, game.higher_wins, payoff)
    exact = oracle.distribution(pool, policy)
    made = found.distribution(found.aim.name)
    assert dict(zip(made.scores, made.probabilities, strict=True)) == pytest.approx(
        {score: float(exact.get(score, 0)) for score in made.scores}, abs=CLOSE
    )
    assert found.worth_of(found.aim.name) == pytest.approx(found.value, abs=CLOSE)
    by_score = oracle.part(pool, game.higher_wins, oracle.score_policy(pool, game.higher_wins), policy, payoff)
    assert found.diff().summary == pytest.approx([float(figure) for figure in by_score], abs=CLOSE)
    assert found.verify().worst_residual < CLOSE


@pytest.mark.parametrize("game", SMALL[:8], ids=lambda game: game.name)
def test_moves_for_an_aim_are_ranked_by_what_they_lead_to(game: PoolGame) -> None:
    for aim, payoff in exact_aims(game).values():
        found, pool = play_for(game, aim), as_pool(game)
        worth = oracle.values(pool, payoff)
        roll = next(iter(game.rolls(game.start)))[0]
        ranking = found.moves(roll)
        counts = oracle.full(pool)
        for move in ranking:
            after = oracle.follow(counts, 0, by_points(game, move.keep))
            assert move.value == pytest.approx(float(worth[after]), abs=CLOSE)
        values = [move.value or 0.0 for move in ranking]
        assert values == sorted(values, reverse=True)
        assert ranking[ranking.best_for_aim].value == max(values)
        data = ranking.to_dict()
        assert data["best_for_aim"] == 0
        assert data["moves"][0]["win_probability"] is None
        assert data["moves"][0]["value"] == ranking[0].value
        assert data["best_for_win"] is None


@pytest.mark.parametrize("game", [SMALL[0], SMALL[7]], ids=lambda game: game.name)
def test_playing_for_points_is_an_aim(game: PoolGame) -> None:
    found = play_for(game, "points")
    assert found.value == found.expected_score == solved(game).expected_score
    assert found.distribution("points") == solved(game).distribution("score")
    roll = next(iter(game.rolls(game.start)))[0]
    assert [move.keep for move in found.moves(roll)] == [move.keep for move in solved(game).moves(roll, sort="score")]
    assert found.moves(roll)[0].value == found.moves(roll)[0].expected_score


def test_an_aim_is_a_policy_that_is_compared_with_the_others(tmp_path: Path) -> None:
    game = SMALL[1]
    pool, score = as_pool(game), middle(game)
    policy = oracle.payoff_policy(pool, True, lambda made: Fraction(made >= score))
    two = solved(game)
    found = two.compare([f"reach:{score}", "win"])
    for place, other in enumerate((policy, oracle.win_policy(pool, True, Fraction(1, 2)))):
        exact = oracle.outcome(pool, True, policy, other)
        assert [table[0, place] for table in (found.first_win, found.tie, found.second_win)] == pytest.approx(
            [float(figure) for figure in exact], abs=CLOSE
        )
    prizes = tmp_path / "prizes.csv"
    prizes.write_text(f"score,worth\n{score},1\n{score + 1},1\n{max(game.scores())},1\n")
    assert two.policy(str(prizes)).name == str(prizes)


@pytest.mark.parametrize("game", SMALL[:3], ids=lambda game: game.name)
def test_games_played_for_an_aim_come_to_its_value(game: PoolGame) -> None:
    for aim, _ in exact_aims(game).values():
        found = play_for(game, aim)
        played = found.simulate(games=4000, seed=3)
        assert abs(played.seat_values[0] - found.value) <= 4 * played.standard_errors[0]
        mean = found.distribution(found.aim.name).mean
        assert played.first_mean is not None
        assert played.first_mean_standard_error is not None
        assert abs(played.first_mean - mean) <= 4 * played.first_mean_standard_error


def test_biscuits_for_95_or_more() -> None:
    """The chance under best play for it, and that it is more than other ways to play have."""
    found = play_for(make("biscuits"), "reach:95")
    assert found.worth_of("reach:95") == pytest.approx(found.value, abs=CLOSE)
    for name in ("score", "greedy", "cutoff"):
        assert found.worth_of(name) < found.value
    assert found.verify().worst_residual < CLOSE


def test_files_of_worths_are_read(tmp_path: Path) -> None:
    path = tmp_path / "prizes.csv"
    path.write_text("score,worth\n8,2.5\n\n9, -1\n")
    aim = aims.read(str(path))
    assert aim is not None
    assert aim.payoff([7, 8, 9], 1).tolist() == [0.0, 2.5, -1.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8\n", "line 1: '8' is no whole score and worth"),
        ("8,1\n8,2\n", "line 2: the score 8 stands there twice"),
        ("8,nan\n", "line 1: a worth of nan"),
        ("score,worth\n", "names no score"),
        ("8.5,1\n", "'8.5,1' is no whole score"),
        ("99,1\n", "names no score that can be made: final scores are from 3 to 12"),
    ],
)
def test_files_that_are_no_worths_are_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "prizes.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=said):
        play_for(make("3d4"), str(path))


@pytest.mark.parametrize(
    ("aim", "said"),
    [
        ("reach:", "give the score to reach"),
        ("reach:x", "give the score to reach"),
        ("wealth", "there is no aim 'wealth'"),
        ("none.csv", "there is no file none.csv"),
        ([1.0, 2.0], "an array of 2 worths for the 10 final scores from 3 to 12"),
        (lambda score: float("inf"), "makes 3 worth inf"),
    ],
)
def test_what_is_no_aim_is_refused(aim: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        play_for(make("3d4"), aim)


def test_an_aim_that_is_not_monotone_is_refused_for_a_large_pool() -> None:
    with pytest.raises(ValueError, match="falls as the score of biscuits gets better"):
        play_for(make("biscuits"), lambda score: score % 2)


def test_an_aim_has_no_seats_no_opponent_and_no_ties() -> None:
    found = play_for(make("3d4"), "reach:9")
    for ask in (
        lambda: found.first_player_value,
        lambda: found.policy("win"),
        lambda: found.compare(["score"]),
        lambda: found.diff(seat="second"),
        lambda: found.diff(against="score"),
        lambda: found.distribution("score", 9),
        lambda: found.moves("d4:4,3,2", against="score"),
        lambda: found.simulate(second="score", games=10),
    ):
        with pytest.raises(ValueError, match="aim"):
            ask()
    for how in ({"tie": "first"}, {"match": "alternating"}, {"players": 3}):
        with pytest.raises(ValueError, match="an aim is one player's alone"):
            library.compute(make("3d4"), Request(aim="reach:9", **how))
    with pytest.raises(ValueError, match="races are played to win, pig too"):
        library.compute(make("pig"), Request(aim="reach:9"))
