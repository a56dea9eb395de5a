"""Check house rules of races against plain iteration, and their refusals."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import oracle_house
import pytest

from gametheory.match.race import Race
from gametheory.match.race_players import RaceOfThree
from gametheory.match.solution import Request
from gametheory.race import exact, many, solver, turn
from gametheory.race.named import RACES
from gametheory.race.rules import RaceGame, keep_points, keeps
from gametheory.ties import TIED

from .shared import policy, solved

PAIR: dict[str, Any] = {"dice": 2, "sides": 3, "singles": (1, 0, 2)}
ONE: dict[str, Any] = {"dice": 1, "sides": 3, "singles": (0, 1, 2), "bust_faces": (1,)}
RISKY: dict[str, Any] = {"dice": 1, "sides": 4, "singles": (0, 0, 1, 2), "bust_faces": (1, 2)}
HOUSES = {
    "minimum": RaceGame("minimum", **PAIR, goal=9, minimum=3),
    "minimum-opening": RaceGame("minimum-opening", **PAIR, goal=9, minimum=2, opening=4),
    "exact": RaceGame("exact", **PAIR, goal=8, exact=True),
    "exact-opening": RaceGame("exact-opening", **PAIR, goal=8, exact=True, opening=3),
    "exact-cold": RaceGame("exact-cold", 3, 3, 7, (1, 0, 0), (3, 2, 2), exact=True, hot_dice=False),
    "three-busts": RaceGame("three-busts", **ONE, goal=5, three_busts=2, lowest=-3),
    "three-busts-floor": RaceGame("three-busts-floor", **ONE, goal=4, three_busts=3, minimum=2),
    "three-busts-opening": RaceGame("three-busts-opening", **PAIR, goal=5, three_busts=2, lowest=-2, opening=3),
    "three-busts-score": RaceGame("three-busts-score", **ONE, goal=5, three_busts="score"),
    "three-busts-exact": RaceGame("three-busts-exact", **PAIR, goal=5, three_busts=2, exact=True),
    "two-dice": RaceGame("two-dice", 2, 3, 12, (0, 2, 3), bust_faces=(1,), bust_all="score", keep_all=True),
    "crash-opening": RaceGame(
        "crash-opening", 2, 3, 9, (0, 2, 3), bust_faces=(1,), bust_all="score", keep_all=True, opening=5, minimum=4
    ),
    "crash-and-busts": RaceGame("crash-and-busts", **ONE, goal=4, bust_all="score", three_busts=1, lowest=-2),
    "keep-all": RaceGame("keep-all", 2, 3, 6, (1, 0, 2), keep_all=True),
    "nothing": RaceGame("nothing", 3, 4, 12, (1, 0, 0, 0), (3, 2, 2, 2), nothing=4),
    "last-round": RaceGame("last-round", **RISKY, goal=4, last_round=True),
    "last-round-cold": RaceGame("last-round-cold", 3, 3, 7, (1, 0, 0), (3, 2, 2), hot_dice=False, last_round=True),
    "last-round-opening": RaceGame("last-round-opening", **RISKY, goal=4, last_round=True, opening=3, minimum=2),
    "last-round-busts": RaceGame("last-round-busts", **RISKY, goal=3, last_round=True, three_busts=2, lowest=-1),
    "last-round-crash": RaceGame("last-round-crash", **RISKY, goal=3, last_round=True, bust_all="score"),
}


FEW = ["minimum-opening", "exact-opening", "three-busts-floor", "two-dice", "last-round", "last-round-busts", "nothing"]
"""One of each rule, where a test takes longer."""


def farthest(game: RaceGame) -> int:
    """Return how far past the goal totals are followed: every throw of the risky die busts half the time."""
    return (60 if game.hot_dice else 12) if game.last_round else 0


@functools.cache
def iterated(game: RaceGame) -> oracle_house.House:
    """Iterate a race once for all tests."""
    return oracle_house.solve_house(game, farthest(game))


@pytest.mark.parametrize("game", HOUSES.values(), ids=HOUSES)
def test_every_pair_of_standings_matches_plain_iteration(game: RaceGame) -> None:
    house = iterated(game)
    solution = solved(game)
    assert solution.error_bound <= 1e-10
    axis, checked = solution.axis, 0
    for i, me in enumerate(zip(*(column.tolist() for column in axis), strict=True)):
        for j, them in enumerate(zip(*(column.tolist() for column in axis), strict=True)):
            if me[0] < game.goal and (me, them) in house.chances:
                assert solution.values[i, j] == pytest.approx(house.chances[me, them], abs=1e-12), (me, them)
                checked += 1
    players = sum(axis.scores < game.goal)
    assert checked >= players**2


@pytest.mark.parametrize("game", HOUSES.values(), ids=HOUSES)
def test_every_move_of_a_turn_matches_plain_iteration(game: RaceGame) -> None:
    house = iterated(game)
    solution, axis = solved(game), solved(game).axis
    places = list(zip(*(column.tolist() for column in axis), strict=True))
    # Far past the goal, a turn that goes on is taken for won a little too early.
    near = 1e-12 + (turn.PAST_GOAL if game.last_round else 0.0)
    rng = np.random.default_rng(1)
    for i, j in rng.integers(0, len(places), (40, 2)).tolist():
        me, them = places[i], places[j]
        if me[0] >= game.goal or (me, them) not in house.chances:
            continue
        plain = oracle_house.play(house, me, them)
        found = solver.chances_at(game, axis, solution.values, i, j)
        for (total, dice), (throw, bank) in plain.items():
            if dice and total < len(found.roll):
                assert found.roll[total, dice] == pytest.approx(throw, abs=near)
            if bank is not None and total < len(found.bank):
                assert found.bank[total] == pytest.approx(bank, abs=near)


@pytest.mark.parametrize("tie", [0.0, 1.0, 0.3])
def test_ties_of_a_last_round_are_worth_what_the_rule_says(tie: float) -> None:
    game = HOUSES["last-round"]
    house = oracle_house.solve_house(game, 60, tie)
    found = Race.solve(game, Request(tie=tie))
    start = (0, True, 0)
    assert found.first_player_value == pytest.approx(house.chances[start, start], abs=1e-12)


@pytest.mark.parametrize("game", HOUSES.values(), ids=HOUSES)
def test_win_against_win_gives_back_the_solved_values(game: RaceGame) -> None:
    solution = solved(game)
    found = exact.evaluate(policy(solution, "win"), policy(solution, "win"))
    plays = solution.scores < game.goal
    # Far past the goal all that is left to gain is less than what counts as tied.
    near = TIED if game.last_round else 1e-11
    assert np.abs(found.first_win - solution.values)[plays].max() <= near


@pytest.mark.parametrize("name", FEW)
def test_nothing_beats_the_best_answer(name: str) -> None:
    solution = solved(HOUSES[name])
    for opponent in ("score", "random"):
        answer = exact.best_answer(policy(solution, opponent))
        played = exact.evaluate(answer.policy, policy(solution, opponent))
        assert played.first_player_value == pytest.approx(answer.first_player_value, abs=1e-11)
        assert played.second_player_value == pytest.approx(answer.second_player_value, abs=1e-11)
        for other in ("win", "score", "hold-at-2"):
            tried = exact.evaluate(policy(solution, other), policy(solution, opponent))
            assert tried.first_player_value <= answer.first_player_value + 1e-11
            assert tried.second_player_value <= answer.second_player_value + 1e-11


@pytest.mark.parametrize("game", HOUSES.values(), ids=HOUSES)
def test_what_disagreements_cost_is_the_difference_of_the_values(game: RaceGame) -> None:
    solution = solved(game)
    for seat in ("first", "second"):
        found = solution.diff(seat=seat)
        tried = exact.evaluate(policy(solution, "score"), policy(solution, "win"))
        mine = tried.first_player_value if seat == "first" else tried.second_player_value
        best = solution.first_player_value if seat == "first" else solution.second_player_value
        assert found.summary.win_probability_lost == pytest.approx(best - mine, abs=1e-11)
        rows = list(found.rows())
        assert sum(row.probability for row in rows) == pytest.approx(found.summary.disagreements_per_game, abs=1e-11)


@pytest.mark.parametrize("name", FEW)
def test_games_played_out_agree_with_the_exact_chances(name: str) -> None:
    solution = solved(HOUSES[name])
    for first, second in (("win", "random"), ("score", "hold-at-2")):
        found = solution.compare([first, second])
        played = solution.simulate(first, second, games=40_000, seed=3)
        shares = (played.first_win, played.tie, played.second_win)
        for chances, share in zip((found.first_win, found.tie, found.second_win), shares, strict=True):
            exact_share = chances[0, 1]
            assert abs(exact_share - share) <= 4.5 * np.sqrt(exact_share * (1 - exact_share) / 40_000) + 1e-12
        length = exact.evaluate(policy(solution, first), policy(solution, second)).mean_turns
        assert played.mean_turns is not None
        assert played.mean_turns_standard_error is not None
        assert abs(played.mean_turns - length) <= 4.5 * played.mean_turns_standard_error


@pytest.mark.parametrize("game", HOUSES.values(), ids=HOUSES)
def test_tables_hold_house_rules_and_the_plain_rules_find_nothing_wrong(game: RaceGame) -> None:
    solution = solved(game)
    again = Race.from_stored(solution.stored())
    assert again.game == game
    assert again.first_player_value == solution.first_player_value
    assert again.verify(sample=50).worst_residual <= 1e-11
    one, two = (solver.solve(game, threads=threads) for threads in (1, 2))
    assert one.values.tobytes() == two.values.tobytes()


def test_two_dice_pig_is_the_published_game() -> None:
    """Hold at 23 comes nearest to the best play, and wins 0.4747 against it (Zhu and Ma, Stats 5, 2022)."""
    race = solved(RACES["two-dice-pig"])
    assert race.error_bound <= 1e-10

    def against_the_best(hold: int) -> float:
        found = exact.evaluate(policy(race, "win"), policy(race, f"hold-at-{hold}"))
        return 1.0 - (found.first_player_value + found.second_player_value) / 2

    values = {hold: against_the_best(hold) for hold in (22, 23, 24)}
    assert max(values, key=lambda hold: values[hold]) == 23
    assert values[23] == pytest.approx(0.4747, abs=5e-5)


def test_two_ones_cost_the_score() -> None:
    """So says the turn: with 50 points it pays to stop sooner than with none."""
    race = solved(RACES["two-dice-pig"])
    plan = policy(race, "score").plan
    assert plan is not None
    banks = plan.first_bank[:, :, 2] >= plan.first_roll[:, :, 2]
    first = [np.flatnonzero(banks[plan.row[score]])[0] for score in (0, 50)]
    assert first[0] > first[1]


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"minimum": 100, "hot_dice": False}, "minimum is 100, a turn makes at most"),
        ({"exact": True, "last_round": True}, "exact and last_round are both true"),
        ({"exact": True, "singles": (0, 0, 2)}, "goal cannot always be hit"),
        ({"lowest": -5}, "only three_busts = points take a score below 0"),
        ({"three_busts": 5, "lowest": 5}, "lowest is 5: give 0 or a whole number below"),
        ({"three_busts": "all"}, "three_busts is 'all': give a whole number"),
        ({"bust_all": "score"}, "no face busts"),
        ({"bust_all": "all"}, "bust_all is 'all'"),
        ({"pass_dice": True}, "nobody goes on with another's dice"),
        ({"four_and_pair": 100}, "four_and_pair needs 6 dice"),
        ({"sets": (((1, 2, 4), 5),)}, "sets has 124"),
        ({"keep_all": 1}, "keep_all is 1: say true or false"),
    ],
)
def test_house_rules_that_make_no_game_are_refused(rules: dict[str, Any], why: str) -> None:
    fields: dict[str, Any] = {"name": "house", "goal": 9} | PAIR | rules
    with pytest.raises(ValueError, match=why) as error:
        RaceGame(**fields)
    assert "\n" not in str(error.value)


def test_what_house_rules_do_not_go_with_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no tie is replayed"):
        Race.check(HOUSES["last-round"], Request(tie="replay"))
    with pytest.raises(ValueError, match="leave --match and --tie out"):
        Race.check(HOUSES["exact"], Request(tie="first"))
    for name in ("exact", "last-round", "three-busts", "two-dice"):
        with pytest.raises(ValueError, match="two players only"):
            RaceOfThree.check(HOUSES[name], Request(players=3))
        with pytest.raises(ValueError, match="training game"):
            solved(HOUSES[name]).sit("first")
    with pytest.raises(ValueError, match="busts in a row"):
        solved(HOUSES["exact"]).moves("3", busts=1)


def test_a_race_that_takes_long_is_refused_unless_forced() -> None:
    """Pig to 3999 has 16 million pairs of standings, of 2000 turn totals each."""
    with pytest.raises(ValueError, match=r"would take about . minutes: lower the goal, or say --force"):
        Race.solve(RACES["pig"].with_goal(3999), Request(threads=2))
    for game in (RACES["pig"], RACES["ten-thousand"], RACES["farkle-box"], RACES["kcd"]):
        solver.check_work(game, False)


def test_sets_score_what_sheets_say() -> None:
    """Straights of five, four with a pair, two triplets, a throw of nothing, and each further die as much as three."""
    kcd, box, zilch, facebook = (RACES[name] for name in ("kcd", "farkle-box", "zilch", "farkle-facebook"))
    assert [keep_points(kcd, kept) for kept in ((5, 4, 3, 2, 1), (6, 5, 4, 3, 2), (6, 5, 4, 3, 2, 1))] == [500, 750, 1500]
    assert [keep_points(box, kept) for kept in ((3, 3, 3, 3, 2, 2), (3, 3, 3, 2, 2, 2), (6, 6, 6, 6))] == [1500, 2500, 1000]
    assert keeps(zilch, (6, 4, 4, 3, 2, 2)) == [((6, 4, 4, 3, 2, 2), 500, 6)]
    assert not keeps(zilch, (6, 4, 4, 3, 2))
    assert [keep_points(facebook, (3,) * count) for count in (3, 4, 5, 6)] == [300, 600, 900, 1200]


ALONE = ["exact", "three-busts-floor", "three-busts-opening", "two-dice", "last-round-cold", "minimum"]


@pytest.mark.parametrize("name", ALONE)
def test_the_turns_that_it_takes_alone_add_up(name: str) -> None:
    """Follow the rule hold-at-2 through plain turns: one after the other until the goal is reached."""
    game = HOUSES[name]
    turns, chances = many.turns_alone(policy(game, "hold-at-2"))
    throws = oracle_house.throws_of(game)
    at: dict[oracle_house.Player, float] = {(0, not game.opening, 0): 1.0}
    for number in range(6):
        after: dict[oracle_house.Player, float] = {}
        for player, chance in at.items():
            for new, share in held(game, throws, player).items():
                after[new] = after.get(new, 0.0) + chance * share
        won = sum(chance for player, chance in after.items() if player[0] >= game.goal)
        assert chances[number] == pytest.approx(won, abs=1e-12)
        at = {player: chance for player, chance in after.items() if player[0] < game.goal}
    assert turns[:6] == (1, 2, 3, 4, 5, 6)


def held(game: RaceGame, throws: Any, player: oracle_house.Player) -> dict[oracle_house.Player, float]:
    """Play one turn of hold-at-2: the most points, then the most dice left, and bank at 2 or a win."""
    found: dict[oracle_house.Player, float] = {}
    least = max(2, game.minimum, 0 if player[1] else game.opening)
    fresh = {(0, game.dice): 1.0}
    while fresh:
        (total, dice), chance = fresh.popitem()
        for weight, what in throws[dice]:
            if isinstance(what, str):
                ends = oracle_house.next_after(game, player, what)
            else:
                fit = [one for one in what if not game.exact or player[0] + total + one[0] <= game.goal]
                points, left = max(fit, default=(0, 0))
                score = player[0] + total + points
                can = total + points >= max(game.minimum, 0 if player[1] else game.opening, 1)
                wins = score >= game.goal and not game.last_round  # with a last round the goal is no win yet
                if fit and left and not (can and (total + points >= least or wins)):
                    key = (total + points, left)
                    fresh[key] = fresh.get(key, 0.0) + chance * weight
                    continue
                ends = (score, True, 0) if fit and can else oracle_house.next_after(game, player, oracle_house.BUST)
            found[ends] = found.get(ends, 0.0) + chance * weight
    return found


@pytest.mark.slow
def test_the_first_player_of_facebook_farkle_wins_as_published() -> None:
    """Matt Busche, Maximizing Win Probability in the Game of Farkle (2016): 53.487 %, scores being cut at -2500."""
    assert solved(RACES["farkle-facebook"]).first_player_value == pytest.approx(0.53487, abs=5e-6)


@pytest.mark.slow
def test_a_last_round_costs_the_first_player_little() -> None:
    for name, without, value in (("farkle", 0.536953, 0.535640), ("ten-thousand", 0.529764, 0.528938)):
        assert solved(RACES[name]).first_player_value == pytest.approx(without, abs=5e-7)
        assert solved(RACES[f"{name}-last-round"]).first_player_value == pytest.approx(value, abs=5e-7)
