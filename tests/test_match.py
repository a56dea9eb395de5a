"""Every format against the exact oracle, its own invariants, and play by chance."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import oracle
import pytest

from gametheory.ask import policies as policy
from gametheory.ask.moves import rank
from gametheory.dice import Die
from gametheory.games import PoolGame, pool_game
from gametheory.match import duel, evaluate, hidden
from gametheory.match import formats as match
from gametheory.pool import plain
from gametheory.pool import solver as pool
from gametheory.store import tables

LOW = PoolGame("low", (3,), (Die("d3", (2, 0, 1)),), higher_wins=False)
GAPS = PoolGame("gaps", (2, 1), (Die("d2", (0, 3)), Die("d3", (1, 5, 6))))
CIRCLE = PoolGame("circle", (1, 1), (Die("a", (2, 6, 8)), Die("b", (3, 6, 7))))
"""Its best policies beat each other in a circle: the equilibrium plays three of them, a third each."""
MIXED = PoolGame("mixed", (1, 1), (Die("a", (0, 3, 5)), Die("b", (1, 4, 5, 5))))
SMALL = (pool_game("2d4"), pool_game("2d2+d4"), pool_game("d3+d5"), LOW, GAPS)
TIES = ("split", "first", "second", "replay", 0.25)


def plain_pool(game: PoolGame) -> oracle.Pool:
    return tuple((n, die.points) for n, die in zip(game.counts, game.kinds, strict=True))


@cache
def alternating(game: PoolGame, tie: str | float = "split") -> match.Alternating:
    return match.solve_alternating(game, tie, threads=1)


@cache
def players(game: PoolGame, n: int) -> match.Players:
    return match.solve_players(game, n, threads=1)


@cache
def equilibrium(game: PoolGame) -> match.Hidden:
    return match.solve_hidden(game, 1e-11)


# Alternating.


def settled_worth(game: PoolGame, tie: str | float) -> Fraction:
    """Return the exact worth of a tie to the second player; for replay, to within 1e-15."""
    if tie != "replay":
        return Fraction(duel.parse_tie(tie)[1] or 0)
    start = ("first", game.counts, game.counts, 0)
    low, high = Fraction(0), Fraction(1)
    worth = Fraction(1, 2)
    for _ in range(12):
        # Between kinks the value is a straight line in the worth: two exact points give the fixed point.
        ahead = worth + Fraction(1, 2**40)
        value = 1 - oracle.alternating(plain_pool(game), game.higher_wins, worth)[start]
        slope = (1 - oracle.alternating(plain_pool(game), game.higher_wins, ahead)[start] - value) * 2**40
        if value == worth:
            return worth
        low, high = (worth, high) if value > worth else (low, worth)
        worth = (value - slope * worth) / (1 - slope)
        worth = worth if low <= worth <= high else (low + high) / 2
    raise AssertionError("the exact fixed point was not found")


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_every_alternating_position_is_exact(game: PoolGame, tie: str | float) -> None:
    solved = alternating(game, tie)
    worth = settled_worth(game, tie)
    assert solved.tie_worth == pytest.approx(float(worth), abs=1e-12)
    exact = oracle.alternating(plain_pool(game), game.higher_wins, worth)
    assert len(exact) > 20
    for (seat, mine, theirs, lead), value in exact.items():
        assert solved.win_probability(mine, theirs, lead, seat) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_positions_are_refused_just_where_no_play_leads(game: PoolGame) -> None:
    solved = alternating(game)
    reached = oracle.alternating(plain_pool(game), game.higher_wins, oracle.HALF)
    most = game.highest(game.counts) - min(0, game.lowest(game.counts))
    for mine in game.pools:
        for theirs in game.pools:
            for lead in range(-most - 1, most + 2):
                for seat in ("first", "second"):
                    if (seat, mine, theirs, lead) in reached:
                        continue
                    with pytest.raises(ValueError, match=r"^[^\n]+$"):
                        solved.win_probability(mine, theirs, lead, seat)


def test_more_dice_than_there_are_and_unknown_seats_are_refused() -> None:
    solved = alternating(SMALL[0])
    with pytest.raises(ValueError, match="the game has 2d4"):
        solved.win_probability((3,), (1,), 0, "first")
    with pytest.raises(ValueError, match="the game has 2d4"):
        solved.win_probability((1,), (1, 1), 0, "first")
    with pytest.raises(ValueError, match="no seat 'third'"):
        solved.win_probability((1,), (1,), 0, "third")
    with pytest.raises(ValueError, match="no seat 'third'"):
        solved.after((1,), 0, 0, "third")
    solved.check_position((1,), (1,), 2, "first", banked=3)
    for banked in (5, 2):
        # More than a d4 makes; and 2 points with a lead of 2 leave the other none.
        with pytest.raises(ValueError, match="points cannot be banked"):
            solved.check_position((1,), (1,), 2, "first", banked=banked)


@pytest.mark.parametrize("tie", ["split", 0.25])
def test_alternating_has_the_same_bits_on_any_number_of_threads(tie: str | float) -> None:
    game = pool_game("4d6+d8")
    one, two = (match.solve_alternating(game, tie, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.table, two.table, equal_nan=True)
    assert one.error_bound < 1e-11


def test_where_the_other_has_played_out_alternating_is_the_second_player_of_the_duel() -> None:
    game = pool_game("3d6+d8")
    solved, two = alternating(game), duel.solve(game)
    for target in game.scores():
        value = solved.win_probability(game.counts, (0, 0), -target, "second")
        assert value == pytest.approx(two.second(target), abs=1e-13)


def test_moves_are_ranked_by_what_they_lead_to() -> None:
    game = pool_game("2d2+d4")
    solved, two = alternating(game, "first"), duel.solve(game)
    # Second to roll 2d2, a point behind a player who has a d4 left; the own d4 made 2 points.
    win = solved.after((0, 1), -1, 2, "second")
    ranked = rank(two, "d2:2,1", 2, win=win)
    for move in ranked.moves:
        if any(move.dice_left):
            expected = 1 - solved.win_probability((0, 1), move.dice_left, 1 - move.points, "first")
            assert move.win_probability == expected
    everything = next(move for move in ranked.moves if not any(move.dice_left))
    # 2 points ahead with a d4 to come: the other wins with 3 or 4 and the tie at 2.
    assert everything.win_probability == pytest.approx(0.25)
    assert ranked.best_for_win == 0


def test_the_last_keep_decides_the_game() -> None:
    game = LOW
    for seat, tied in (("first", 0.75), ("second", 0.25)):
        win = alternating(game, 0.25).after((0,), 2, 1, seat)
        # Lower wins, and the points of the keep add to the lead.
        assert win((0,), 1) == 0.0
        assert alternating(game, 0.25).after((0,), -1, 1, seat)((0,), 2) == tied
        assert alternating(game, 0.25).after((0,), -2, 1, seat)((0,), 2) == 1.0


def test_a_wrong_value_is_found_by_verifying() -> None:
    solved = alternating(pool_game("3d6+d8"), 0.25)
    checked, worst = solved.verify(seed=1)
    assert checked >= 10
    assert worst < 1e-13
    for change in (1e-6, np.nan):
        table = solved.table.copy()
        table[0, -1, -1, -1, -1] += change
        assert dataclasses.replace(solved, table=table).verify()[1] >= 9e-7


def test_a_replay_must_be_worth_the_game() -> None:
    solved = alternating(pool_game("2d4"), "replay")
    assert solved.verify()[1] < 1e-13
    assert dataclasses.replace(solved, tie_worth=solved.tie_worth + 1e-6).verify()[1] > 9e-7


def test_replay_where_every_game_is_tied_is_refused() -> None:
    flat = PoolGame("flat", (2,), (Die("one", (1, 1)),))
    with pytest.raises(ValueError, match="replayed for ever"):
        match.solve_alternating(flat, "replay")
    assert match.solve_alternating(flat, "first").first_player_value == 1.0


def test_a_game_too_large_is_refused_before_it_starts() -> None:
    with pytest.raises(ValueError, match="force=True"):
        match.solve_alternating(pool_game("12d6+3d8+3d10+3d12"))


# Players.


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("game", [pool_game("3d3"), pool_game("2d2+d5"), LOW, GAPS], ids=lambda game: game.name)
def test_seat_values_are_exact(game: PoolGame, n: int) -> None:
    exact = oracle.n_players(plain_pool(game), game.higher_wins, n)
    assert players(game, n).seat_values == pytest.approx([float(value) for value in exact], abs=1e-12)


@pytest.mark.parametrize("game", [*SMALL, pool_game("4d6+d8")], ids=lambda game: game.name)
def test_two_players_play_the_duel(game: PoolGame) -> None:
    two = duel.solve(game)
    solved = players(game, 2)
    assert solved.seat_values == pytest.approx([two.first_player_value, two.second_player_value], abs=1e-12)
    for target in game.scores():
        assert solved.value(0, target, 1) == pytest.approx(two.second(target), abs=1e-12)
    made = evaluate.score_distribution(two, policy.Score(two))
    replies = np.array([two.second(game.worst(game.counts) + game.sign * gain) for gain in range(len(made))])
    assert solved.score_values[0] == pytest.approx(float(made @ (1 - replies)), abs=1e-12)


def test_seats_add_to_one_and_standings_do() -> None:
    solved = players(pool_game("3d4+d6"), 6)
    assert solved.seat_values.sum() == pytest.approx(1.0, abs=1e-13)
    assert solved.standings[1:].sum(axis=(1, 2)) == pytest.approx(np.ones(5), abs=1e-13)
    assert np.all(np.diff(solved.seat_values) > 0)
    assert np.all(solved.score_costs > 0)


def test_the_leader_must_be_further_ahead_of_more() -> None:
    solved = players(pool_game("3d4+d6"), 6)
    needed = [solved.needed(to_come) for to_come in range(6)]
    assert needed[0] == 4
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(needed))
    assert needed[5] > needed[1]  # type: ignore[operator]
    assert solved.needed(5, 1.0) is None or solved.needed(5, 1.0) == 18


def test_a_value_is_the_best_of_its_payoff() -> None:
    game = pool_game("2d2+d5")
    solved = players(game, 4)
    for after, target, sharing in ((2, 7, 1), (1, 7, 2), (1, 9, 1), (0, 6, 3)):
        payoff = solved.payoff(after, target, sharing)
        value = oracle.values(plain_pool(game), lambda score: Fraction(payoff[score]))[game.counts, 0]  # noqa: B023
        assert solved.value(after, target, sharing) == pytest.approx(float(value), abs=1e-12)
        win = solved.after(after, target, sharing)
        assert win((0, 0), 9) == payoff[9]
        assert win(game.counts, 0) == solved.value(after, target, sharing)
    # At the target four share the win, one above it it is won.
    assert solved.payoff(0, 6, 3) == {3: 0, 4: 0, 5: 0, 6: 0.25, 7: 1, 8: 1, 9: 1}


def test_standings_that_cannot_be_are_refused() -> None:
    solved = players(pool_game("2d2+d5"), 4)
    for after, target, sharing, why in (
        (4, None, None, "0 to 3"),
        (-1, None, None, "0 to 3"),
        (1, None, 2, "share no score"),
        (1, 7, 3, "give 1 to 2"),
        (1, 7, 0, "give 1 to 2"),
        (3, 7, 1, "leave it out"),
    ):
        with pytest.raises(ValueError, match=why):
            solved.value(after, target, sharing)
    with pytest.raises(ValueError, match="0 to 3"):
        solved.needed(4)
    assert solved.value(1, 100, 1) == 0.0
    assert solved.value(1, 2, 1) == solved.value(1)
    with pytest.raises(ValueError, match="nobody can have made 10"):
        players(GAPS, 3).value(0, 10, 1)


@pytest.mark.parametrize("n", [1, 13, 0, -2, 2.5])
def test_too_few_and_too_many_players_are_refused(n: Any) -> None:
    with pytest.raises(ValueError, match="from 2 to 12"):
        match.solve_players(SMALL[0], n)


def test_wrong_seats_are_found_by_verifying() -> None:
    solved = players(pool_game("3d4+d6"), 6)
    checked, worst = solved.verify()
    assert checked > 5
    assert worst < 1e-13
    off = solved.seat_values.copy()
    off[1] += 1e-6
    assert dataclasses.replace(solved, seat_values=off).verify()[1] > 9e-7
    assert dataclasses.replace(solved, hold=solved.hold * (1 - 1e-6)).verify()[1] > 1e-8
    assert dataclasses.replace(solved, value_table=solved.value_table + 1e-6).verify()[1] > 9e-7


# Hidden.


@cache
def every_policy(game: PoolGame) -> Any:
    """Return the score distribution of every deterministic policy there is, by policy and gain."""
    worst = game.worst(game.counts)
    pure = oracle.pure_distributions(plain_pool(game))
    made = np.zeros((len(pure), game.gain(game.counts) + 1))
    for row, distribution in zip(made, pure, strict=True):
        for score, chance in distribution:
            row[abs(score - worst)] = float(chance)
    return made


def best_gain(game: PoolGame, made: Any) -> float:
    """Return what the best of every deterministic policy wins above one half against these chances of scores."""
    answers = every_policy(game)
    below = np.concatenate([[0.0], np.cumsum(made)[:-1]])
    return float((answers @ (below + made / 2)).max()) - 0.5


def undominated(made: Any) -> Any:
    """Leave out every distribution that another one is nowhere worse than."""
    kept: list[Any] = []
    for row in sorted(np.cumsum(made, axis=1), key=lambda row: float(row.sum())):
        if not any(np.all(better <= row + 1e-12) for better in kept):
            kept.append(row)
    return np.diff(np.array(kept), axis=1, prepend=0.0)


@pytest.mark.parametrize("game", [pool_game("2d3"), CIRCLE, MIXED], ids=lambda game: game.name)
def test_no_pure_policy_beats_the_equilibrium(game: PoolGame) -> None:
    assert len(every_policy(game)) > 100
    assert best_gain(game, equilibrium(game).distribution) <= 1e-9
    # The linear programme over all policies at once finds a mixture that the best answers do not beat either.
    candidates = undominated(every_policy(game))
    direct = hidden._mix(candidates) @ candidates
    assert best_gain(game, direct) <= 1e-9
    assert hidden.exploitability(game, direct) == pytest.approx(best_gain(game, direct), abs=1e-12)


@pytest.mark.parametrize(("game", "policies"), [(CIRCLE, 3), (MIXED, 2)], ids=["circle", "mixed"])
def test_a_perturbed_mixture_is_beaten(game: PoolGame, policies: int) -> None:
    solved = equilibrium(game)
    assert len(solved.weights) == policies
    weights = solved.weights + np.eye(policies)[0] * 0.01
    made = weights / weights.sum() @ solved.made
    assert best_gain(game, made) > 1e-6
    assert hidden.exploitability(game, made) == pytest.approx(best_gain(game, made), abs=1e-12)


def test_the_circle_is_mixed_in_thirds() -> None:
    assert equilibrium(CIRCLE).weights == pytest.approx([1 / 3] * 3, abs=1e-9)


def mixture(solved: match.Hidden) -> dict[int, Fraction]:
    return {int(s): Fraction(float(p)) for s, p in zip(solved.scores, solved.distribution, strict=True) if p}


@pytest.mark.parametrize("game", [pool_game("3d4"), pool_game("3d2+d10"), LOW, MIXED], ids=lambda game: game.name)
def test_the_best_answer_is_exact(game: PoolGame) -> None:
    solved = equilibrium(game)
    best = oracle.hidden_reply(plain_pool(game), game.higher_wins, oracle.HALF, mixture(solved))
    assert solved.exploitability == pytest.approx(float(best) - 0.5, abs=1e-12)
    assert solved.exploitability <= 1e-11
    score = oracle.distribution(plain_pool(game), oracle.score_policy(plain_pool(game), game.higher_wins))
    best = oracle.hidden_reply(plain_pool(game), game.higher_wins, oracle.HALF, score)
    assert solved.score_policy_exploitability == pytest.approx(float(best) - 0.5, abs=1e-12)
    two = duel.solve(game)
    made = evaluate.score_distribution(two, policy.named("greedy", two))
    assert solved.lost_by(made) > 1e-4
    assert solved.mean == pytest.approx(float(sum(s * p for s, p in mixture(solved).items())))


def test_the_certificate_is_not_taken_from_the_file() -> None:
    solved = equilibrium(CIRCLE)
    checked, worst = solved.verify()
    assert checked > 5
    assert worst < 1e-13
    assert dataclasses.replace(solved, exploitability=1e-3).verify()[1] == pytest.approx(1e-3)
    # A distribution that no policy has: it would be an equilibrium of another game.
    better = np.roll(solved.made, 1, axis=1)
    assert dataclasses.replace(solved, made=better).verify()[1] > 1e-3
    weights = np.array([0.5, 0.25, 0.25])
    assert dataclasses.replace(solved, weights=weights).verify()[1] > 1e-6


@pytest.mark.parametrize("tolerance", [1e-13, 0.0, -1.0, 0.7, float("nan")])
def test_tolerances_out_of_reach_are_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="give a tolerance from 1e-12"):
        match.solve_hidden(SMALL[0], tolerance)


@pytest.mark.parametrize("tie", ["first", "replay", 0.25])
def test_hidden_ties_are_split(tie: str | float) -> None:
    with pytest.raises(ValueError, match="say split"):
        match.solve_hidden(SMALL[0], tie=tie)
    with pytest.raises(ValueError, match="say split"):
        match.fair(SMALL[0], "simultaneous", tie)


# Fair starts.


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("game", [pool_game("2d6"), LOW, GAPS], ids=lambda game: game.name)
def test_a_fair_start_in_turn_is_the_closest_to_even(game: PoolGame, tie: str | float) -> None:
    found = match.fair(game, "sequential", tie)
    most = game.highest(game.counts) - game.lowest(game.counts)
    exact = {}
    for bonus in range(-most - 1, most + 2):
        exact[bonus] = first_with_bonus(game, bonus, tie)
    for bonus, value in found.value_by_bonus.items():
        assert value == pytest.approx(exact[bonus], abs=1e-9)
    assert abs(exact[found.bonus] - 0.5) <= min(abs(value - 0.5) for value in exact.values()) + 1e-12
    assert found.value_by_bonus[0] == pytest.approx(duel.solve(game, tie).first_player_value, abs=1e-12)


def first_with_bonus(game: PoolGame, bonus: int, tie: str | float) -> float:
    """Return the first player's value by the general solver: a bonus moves every target."""
    worth = duel.parse_tie(tie)[1]

    def first(worth: float) -> float:
        two = duel.solve(game, worth)
        return float(
            pool.solve_rows(game, pool.gain_payoff(game, lambda score: 1 - two.second(score + bonus))).values[-1, 0]
        )

    if worth is not None:
        return first(worth)
    worth = 0.5
    # A contraction: a tie is a few games in ten at most.
    for _ in range(40):
        worth = 1 - first(worth)
    return 1 - worth


@pytest.mark.parametrize("tie", ["split", "first", "replay"])
def test_a_fair_start_roll_by_roll_is_a_lead(tie: str | float) -> None:
    game = pool_game("2d4")
    found = match.fair(game, "alternating", tie, around=1)
    assert found.value_by_bonus[0] == pytest.approx(alternating(game, tie).first_player_value, abs=1e-12)
    for bonus, value in found.value_by_bonus.items():
        worth = 1 - value if tie == "replay" else duel.parse_tie(tie)[1]
        assert value == pytest.approx(lead_by_recursion(game, bonus, worth or 0.0), abs=1e-12)
    assert found.bonus == min(found.value_by_bonus, key=lambda bonus: abs(found.value_by_bonus[bonus] - 0.5))


def lead_by_recursion(game: PoolGame, lead: int, worth: float) -> float:
    """Return the first player's value from a lead at the start, through the plain rules alone."""

    @cache
    def value(seat: int, mine: tuple[int, ...], theirs: tuple[int, ...], lead: int) -> float:
        def then(left: tuple[int, ...], points: int) -> float:
            ahead = lead + points
            if any(theirs):
                return 1.0 - value(1 - seat, theirs, left, -ahead)
            if any(left):
                return value(seat, left, theirs, ahead)
            return float(ahead > 0) if ahead else (worth if seat else 1.0 - worth)

        return plain.value(game, mine, then)

    return value(0, game.counts, game.counts, lead)


def test_the_seat_you_want_is_said_in_one_line() -> None:
    game = pool_game("3d6")
    found = match.fair(game)
    assert found.advice.startswith("3d6, sequential, ties split: sit second, which wins 0.5")
    assert "\n" not in found.advice
    assert "sit first" in match.fair(game, tie="first").advice
    assert "by symmetry" in match.fair(game, "simultaneous").advice
    assert match.fair(game, "simultaneous").value_by_bonus == {0: 0.5}
    with pytest.raises(ValueError, match="no match 'solo'"):
        match.fair(game, "solo")
    with pytest.raises(ValueError, match="give 0 or more"):
        match.fair(game, around=-1)


# All of them.


@pytest.mark.parametrize(
    "solve",
    [
        lambda: alternating(GAPS, 0.25),
        lambda: alternating(LOW),
        lambda: players(pool_game("2d2+d5"), 4),
        lambda: equilibrium(MIXED),
    ],
    ids=["alternating", "alternating split", "players", "hidden"],
)
def test_tables_round_trip_and_others_are_refused(solve: Any, tmp_path: Any) -> None:
    solved = solve()
    path = tables.save(solved, tmp_path / "table.h5")
    loaded = tables.load(path, solved.game.rules())
    assert repr(loaded) == repr(solved)
    assert tables.digest(loaded) == tables.digest(solved)
    assert loaded.verify() == solved.verify()
    data = solved.stored()
    for name, (axes, values) in data.arrays.items():
        arrays = data.arrays | {name: (axes, np.asarray(values)[..., 1:])}
        with pytest.raises(ValueError, match="shape"):
            type(solved).from_stored(data._replace(arrays=arrays))
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        next(iter(loaded.stored().arrays.values()))[1][:] = 0.0


def test_a_stored_tie_rule_must_have_its_worth() -> None:
    data = alternating(GAPS, 0.25).stored()
    with pytest.raises(ValueError, match=r"worth 0\.25, not 0\.3"):
        match.Alternating.from_stored(data._replace(facts=data.facts | {"tie_worth_to_second": 0.3}))


@pytest.mark.parametrize(
    ("solve", "values"),
    [
        (lambda: alternating(pool_game("2d4"), 0.25), None),
        (lambda: alternating(LOW, "replay"), None),
        (lambda: players(pool_game("2d2+d5"), 4), None),
        (lambda: equilibrium(MIXED), (0.5, 0.5)),
    ],
    ids=["alternating", "lower wins", "players", "hidden"],
)
def test_play_by_chance_agrees(solve: Any, values: Any) -> None:
    solved = solve()
    played = match.simulate(solved, 4000, seed=3)
    if values is None:
        values = getattr(solved, "seat_values", None)
    if values is None:
        values = (solved.first_player_value, solved.second_player_value)
    for exact, found, error in zip(values, played.seat_values, played.standard_errors, strict=True):
        assert 0 < error < 0.01
        assert abs(found - exact) < 4 * error
    assert sum(played.seat_values) == pytest.approx(1.0)
    assert match.simulate(solved, 50, seed=5) == match.simulate(solved, 50, seed=5)


def test_simulations_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="give 2 or more"):
        match.simulate(equilibrium(MIXED), 1)
    with pytest.raises(ValueError, match="give 0 or more"):
        match.simulate(equilibrium(MIXED), 10, seed=-1)


@pytest.mark.parametrize(
    "solve",
    [
        lambda game, progress: match.solve_alternating(game, progress=progress),
        lambda game, progress: match.solve_players(game, 4, progress=progress),
        lambda game, progress: match.solve_hidden(game, progress=progress),
        lambda game, progress: match.fair(game, progress=progress),
        lambda game, progress: match.solve_alternating(game, "replay", progress=progress),
        lambda game, progress: match.fair(game, "alternating", progress=progress),
        lambda game, progress: match.fair(game, "alternating", "replay", around=0, progress=progress),
    ],
    ids=["alternating", "players", "hidden", "fair", "replay", "fair lead", "fair lead replay"],
)
def test_progress_rises_to_one(solve: Any) -> None:
    seen: list[float] = []
    solve(pool_game("3d4"), seen.append)
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[0] >= 0
    assert seen[-1] == 1.0


def test_large_positions_are_recomputed_as_small_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pool_game("3d4+d6")
    two = duel.solve(game)
    every_keep = plain.value(game, game.counts, two.first)
    assert every_keep == pytest.approx(two.first_player_value, abs=1e-14)
    monkeypatch.setattr(plain, "EVERY_KEEP", 0)
    for at_once in (1, 50, 10**6):
        monkeypatch.setattr(plain, "AT_ONCE", at_once)
        assert plain.value(game, game.counts, two.first) == pytest.approx(every_keep, abs=1e-14)
    with pytest.raises(ValueError, match="worth less with more gain"):
        plain.value(game, game.counts, lambda left, banked: -float(banked))
