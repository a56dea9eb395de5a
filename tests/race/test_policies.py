"""Check the policies of races: what they do in one turn, and what is refused as one."""

from __future__ import annotations

import numpy as np
import pytest

from gametheory.answers import Policy
from gametheory.race.notation import Position
from gametheory.race.policies import make, turn_ends
from gametheory.race.rules import RaceGame, keeps
from gametheory.race.turn import reach, turn_tables

from .shared import PIG, PIGLET, TEN, TINY, evaluate, policy, solved


def test_random_is_every_move_alike() -> None:
    """At piglet each head is banked or not, evenly: from (1, 1) one head in two banks, or a further one, and so on."""
    found = evaluate(PIGLET, "random", "random")
    # A turn scores with 1/2 * (1/2 + 1/2 * P) = P, so P = 1/3, and x = 1/3 + 2/3 * (1 - x).
    assert found.first_win[1, 1] == pytest.approx(3 / 5, abs=1e-15)


def test_published_reaches_for_the_opening_threshold_first() -> None:
    """To have reached it is all it wants; it then plays on for points, and may lose it again. `score` opens less often."""
    opens = {}
    for name in ("published", "score"):
        ends = turn_ends(policy(TEN, name), np.array([0]), np.array([0]))[0]
        assert np.all(ends[1:20] == 0.0)
        assert ends.sum() == pytest.approx(1.0, abs=1e-13)
        opens[name] = 1.0 - ends[0]
    assert opens["score"] + 5e-4 < opens["published"] < reach(TEN, 1000)[0, 6]


def test_score_is_worth_its_expected_turn() -> None:
    """Far from the goal a turn of `score` is worth the expected turn score, but for what is cut off at the goal."""
    ends = turn_ends(policy(TEN, "score"), np.array([0]), np.array([0]))[0]
    unopened = float(ends[:-1] @ np.arange(len(ends) - 1)) * 50
    assert unopened == pytest.approx(turn_tables(TEN).expected[0, 0, 6], rel=0.01)
    opened = turn_ends(policy(TEN, "score"), np.array([1]), np.array([1]))[0]
    # Far from the goal its turn is worth the expected turn score, but for what is cut off at the goal.
    scored = float(opened[:-1] @ np.arange(len(opened) - 1)) * 50
    assert scored == pytest.approx(turn_tables(TEN).expected_turn_score, rel=0.01)


@pytest.mark.parametrize(
    ("game", "every"),
    [
        *((game, 1) for game in TINY.values()),
        (TEN.with_goal(1500), 4),
        pytest.param(TEN.with_goal(2000), 1, marks=pytest.mark.slow),
    ],
    ids=lambda value: f"{value.name}-{value.goal}" if isinstance(value, RaceGame) else str(value),
)
def test_what_moves_marks_best_for_score_is_what_score_plays(game: RaceGame, every: int) -> None:
    """Play every roll as `moves` marks it: opened or not, far from the goal and at it, nothing differs from `score`."""
    solution = solved(game)

    def marked(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best = solution.moves(
            roll, sort="score", **{name: value for name, value in position._asdict().items() if name != "dice"}
        )[0]
        return best.keep, bool(best.bank)

    # It does not say what it ignores, so that it is asked at the chosen standings alone.
    standings = np.arange(len(solution.scores))
    unopened, opened = standings[~solution.opened], standings[solution.opened]
    # The last ones too: there banking wins with whatever is kept.
    chosen = np.unique(np.concatenate([unopened, opened[::every], opened[-2:]]))
    assert len(unopened) > 0 or not game.opening
    by_name, by_moves = (turn_ends(policy(solution, one), chosen, np.zeros_like(chosen)) for one in ("score", marked))
    assert np.abs(by_name - by_moves).max() < 1e-13


def test_score_banks_what_wins_and_counts_points_before_it_has_opened() -> None:
    at_9000 = solved(TEN).moves("1", turn=2100, score=9000, opponent=5000, sort="score")[0]
    assert (at_9000.keep, at_9000.bank) == ((1,), True)
    unopened = solved(TEN).moves("5 4 2 2 2 2", sort="score")[0]
    assert unopened.keep == (5, 2, 2, 2, 2)


def test_simple_is_the_rule_it_says() -> None:
    """Spell it out as a function, for a short game."""
    game = TEN.with_goal(1500)

    def simple(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        best: tuple[float, int, tuple[int, ...], bool] = (0.0, 0, (), False)
        most = {keep.dice_left: keep for keep in sorted(keeps(game, roll), key=lambda keep: keep.points)}
        for keep in most.values():
            total = position.turn + keep.points
            enough = total >= (3000 if keep.dice_left >= 5 else 1000 if keep.dice_left == 4 else 400)
            wins = position.score + total >= game.goal and (position.opened or total >= 1000)
            banks = wins or (enough and (position.opened or total >= 1000))
            worth = 1e9 if wins else total + (0 if banks else 50 * keep.dice_left)
            best = max(best, (worth, keep.dice_left, keep.kept, banks))
        return best[2], best[3]

    simple.ignores = ("opponent",)  # type: ignore[attr-defined]
    named, spelled = (evaluate(game, chosen, "score") for chosen in ("simple", simple))
    assert named.first_player_value == pytest.approx(spelled.first_player_value, abs=1e-12)


def test_policies_that_are_none_are_refused() -> None:
    for name in ("hold-at-", "hold-at-0", "hold-at-x", "best"):
        with pytest.raises(ValueError, match="policy"):
            policy(PIG, name)
    with pytest.raises(ValueError, match="it must keep dice that all score"):
        evaluate(TINY["coin"], lambda position, roll: ((1,), True), "score")
    with pytest.raises(ValueError, match="never ends"):
        evaluate(TINY["coin-opening"].with_goal(100), never_banks, never_banks)
    with pytest.raises(ValueError, match="say --force"):
        evaluate(TEN, lambda position, roll: (roll, True), "score")
    with pytest.raises(ValueError, match="made for other races"):
        evaluate(PIG, policy(PIGLET, "score"), "score")


def test_what_a_function_ignores_is_what_it_is_not_asked_again() -> None:
    """Looking at the opponent but not at the own score is asked about every opponent; a lone name is as good as a tuple."""
    game = PIG.with_goal(12)

    def follows(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
        return roll, position.turn + roll[0] >= 3 + position.opponent

    plain = evaluate(game, follows, "score")
    follows.ignores = "score"  # type: ignore[attr-defined]
    assert policy(game, follows).ignores == ("score",)
    assert np.array_equal(evaluate(game, follows, "score").first_win, plain.first_win)


def test_a_policy_says_its_name_and_what_it_ignores() -> None:
    assert (policy(PIG, "score").ignores, policy(PIG, "win").ignores) == (("opponent",), ())
    assert isinstance(policy(PIG, "score"), Policy)
    with pytest.raises(ValueError, match="needs the solved race"):
        make("win", PIG)


def never_banks(position: Position, roll: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Throw on for ever, with a vanishing chance to reach the goal."""
    return roll, False


never_banks.ignores = ("opponent", "score")  # type: ignore[attr-defined]
