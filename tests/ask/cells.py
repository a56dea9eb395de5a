"""What every family is asked in every format: small games, the questions, and what brute force says of the answers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import oracle
import pytest
from scorecard.oracle import Rules
from scorecard.shared import game as card_game

import gametheory as gt

CLOSE = 1e-12
HALF = Fraction(1, 2)
POOL: oracle.Kinds = ((2, (1, 2, 3)),)
AIM = 5


class Two:
    """Two dice with three sides, keep one or more a throw: the pool 2d3 as a game of one's own."""

    name, start = "twain", 2

    def rolls(self, dice: int) -> Any:
        faces = list(combinations_with_replacement((3, 2, 1), dice)) if dice else []
        return [(roll, len(set(roll))) for roll in faces]

    def moves(self, dice: int, roll: tuple[int, ...]) -> Any:
        keeps = dict.fromkeys((roll[:1], roll[1:], roll)) if dice == 2 else {roll: None}
        return [(keep, dice - len(keep), sum(keep)) for keep in keeps]


CARD = card_game("one-box", Rules(2, 3, 2, ("chance",)))
"""A card with one box: two dice with three sides, thrown twice."""

EXAMPLES: dict[str, tuple[Any, Any, str]] = {
    # By family: a small game, a roll of its start, a policy that looks at the dice alone.
    "pool": (gt.game("2d3"), "d3:3,2", "greedy"),
    "own": (Two(), (3, 2), "score"),
    "scorecard": (CARD, "3 2", "score"),
    "race": (gt.game("piglet").with_goal(2), "2", "hold-at-1"),
}

FORMATS: dict[str, dict[str, Any]] = {
    "in turn": {}, "roll by roll": {"match": "alternating"}, "unseen": {"match": "simultaneous"},
    "three in turn": {"players": 3}, "for an aim": {"aim": f"reach:{AIM}"},
}  # fmt: skip


@cache
def solution(family: str, form: str) -> Any:
    """Solve the small game of a family in a format, once."""
    return gt.solve(EXAMPLES[family][0], **FORMATS[form])


FIRST: dict[str, dict[str, Any]] = {"three in turn": {"players_after": 2}}
"""What says that the first of several is to play."""

QUESTIONS: dict[str, Callable[[str, str, Any], Any]] = {
    "solve": lambda family, form, solved: solved,
    "moves": lambda family, form, solved: gt.moves(solved, EXAMPLES[family][1], **FIRST.get(form, {})),
    "second": lambda family, form, solved: gt.second(solved),
    "distribution": lambda family, form, solved: gt.distribution(solved, EXAMPLES[family][2]),
    "compare": lambda family, form, solved: gt.compare(solved, [EXAMPLES[family][2], "score"]),
    "diff": lambda family, form, solved: gt.diff(solved, policy=EXAMPLES[family][2]),
    "best answer": lambda family, form, solved: gt.best_answer(solved, EXAMPLES[family][2]),
    "simulate": lambda family, form, solved: gt.simulate(solved, games=4000, seed=5),
    "fair": lambda family, form, solved: gt.fair(solved),
    "card": lambda family, form, solved: gt.card(solved, "small"),
    "verify": lambda family, form, solved: solved.verify(),
}


def ask(family: str, question: str, form: str) -> tuple[Any, str]:
    """Ask a cell; return the answer and nothing, or None and the reason why there is none."""
    try:
        return QUESTIONS[question](family, form, solution(family, form)), ""
    except ValueError as error:
        return None, str(error)


# What brute force says, of two dice with three sides.


def close(value: Any) -> Any:
    return pytest.approx(value, abs=CLOSE)


def policy(name: str) -> oracle.Policy:
    return {"score": oracle.score_policy, "greedy": oracle.greedy_policy}[name](POOL, True)


def reach(score: int) -> Fraction:
    return Fraction(score >= AIM)


def after(family: str, move: Any) -> oracle.Move:
    """Return what a move of the roll 3, 2 leads to."""
    faces = move.keep if family == "own" else move.keep[0]
    return oracle.make_move((2,), (tuple(faces),))


def check_scores(family: str, question: str, form: str, found: Any) -> None:
    """Hold an answer about the two dice to fractions."""
    chosen = policy(EXAMPLES[family][2])
    best = [None, policy("score"), chosen]
    start = oracle.full(POOL)
    payoffs = {
        "in turn": oracle.seat_payoff(POOL, True, HALF), "for an aim": reach,
        "three in turn": lambda score: oracle.Seats(POOL, True, 3).earn(0, (None, 0), score),
    }  # fmt: skip
    alternating = oracle.alternating(POOL, True, HALF)
    if form == "unseen":
        theirs = {s: Fraction(float(p)) for s, p in zip(*_made(family), strict=True)}
        payoffs[form] = lambda score: sum(
            (chance * oracle.judge(score, other, True, HALF) for other, chance in theirs.items()), Fraction(0)
        )
    first: dict[str, Any] = {form: oracle.values(POOL, payoff) for form, payoff in payoffs.items()}
    value = alternating["first", start, start, 0] if form == "roll by roll" else first[form][start, 0]
    if question == "solve":
        known = found.value if form == "for an aim" else found.first_player_value
        assert known == (close(float(value)) if form != "unseen" else pytest.approx(0.5, abs=1e-6))
    elif question == "moves":
        for move in found:
            left, points = after(family, move)
            then = 1 - alternating["second", start, left, -points] if form == "roll by roll" else first[form][left, points]
            assert (move.win_probability if move.value is None else move.value) == close(float(then))
    elif question == "second":
        seats = oracle.Seats(POOL, True, 3)
        for score, chance in found.items():
            standing = (score, 1)
            next_ = sum((p * seats.earn(1, standing, s) for s, p in seats.best(1, standing).items()), Fraction(0))
            assert chance == close(float(oracle.second(POOL, True, HALF)[score] if form == "in turn" else next_))
    elif question == "distribution":
        assert {s: p for s, p in found if p} == close({s: float(p) for s, p in oracle.distribution(POOL, chosen).items()})
    elif question == "compare":
        if form == "three in turn":
            exact = oracle.Seats(POOL, True, 3, [chosen, best[1], best[1]]).results(0)[2]
        else:
            won, tied, _ = oracle.outcome(POOL, True, chosen, policy("score"))
            exact = won + tied / 2
        assert found.value[0, 1] == close(float(exact))
    elif question == "diff":
        if form == "roll by roll":
            _, lost = oracle.roll_in_turn(POOL, True, HALF, (None, None), (0, chosen))
        else:
            lost = oracle.part(POOL, True, chosen, oracle.payoff_policy(POOL, True, payoffs[form]), payoffs[form]).lost
        assert found.win_probability_lost == close(float(lost))
    elif question == "best answer":
        replies = oracle.distribution(POOL, chosen)
        worth = {s: sum((p * oracle.judge(s, t, True, HALF) for t, p in replies.items()), Fraction(0)) for s in range(2, 7)}
        assert found["first_player_value"] == close(float(oracle.values(POOL, worth.__getitem__)[start, 0]))
    elif question == "simulate":
        if form == "in turn":
            value = oracle.outcome(POOL, True, oracle.win_policy(POOL, True, HALF), policy("score"))[0]
            assert abs(found.first_win - float(value)) < 4 * found.standard_error
        else:
            wanted = 0.5 if form == "unseen" else float(value)
            assert abs(found.seat_values[0] - wanted) < 4 * found.standard_errors[0]
    elif question == "fair":
        assert found.even == close(0.5 if form == "unseen" else float(value))
        for bonus, known in found.value_by_bonus.items():
            if form == "three in turn":
                assert known == close(float(oracle.first_of_n(POOL, True, 3, bonus)))
            elif form == "roll by roll":
                assert known == close(float(oracle.alternating(POOL, True, HALF, bonus)["first", start, start, bonus]))
    elif question == "card":
        exact_mean = sum(p * s for s, p in oracle.distribution(POOL, policy("score")).items())
        assert found.optimal_expected_score == close(float(exact_mean))
        assert -CLOSE <= found.loss < 0.1
    else:
        assert found.worst_residual < 1e-12 < found.checked


def _made(family: str) -> tuple[Any, Any]:
    mixed = gt.distribution(solution(family, "unseen"), "win")
    return mixed.scores, mixed.probabilities


# What is known of piglet to two: Neller and Presser, Optimal Play of the Dice Game Pig; and of one flip a turn.

PIGLET = {0: Fraction(4, 7), 1: Fraction(2, 5)}
"""The chance of the player to move at 0, by the score of the other."""


def check_race(question: str, form: str, found: Any) -> None:
    """Hold an answer about piglet to two to what is published, and to what can be counted."""
    three = form == "three in turn"
    if question == "solve":
        if three:
            assert sum(found.seat_values) == close(1.0)
            assert found.headline()["regret"] < 1e-9
        else:
            assert found.first_player_value == close(float(PIGLET[0]))
    elif question == "moves":
        # A head thrown at 0 against 0: bank it, and the other moves at 0 against 1; or throw on for 5/7.
        chances = {move.bank: move.win_probability for move in found}
        assert max(chances.values()) == close(5 / 7)
        assert chances[True] == close(float(1 - PIGLET[1]))
    elif question == "second":
        assert dict(found) == close({score: float(chance) for score, chance in PIGLET.items()})
    elif question == "distribution":
        assert dict(found) == close({0: 0.5, 1: 0.5, 2: 0.0})
    elif question == "compare":
        assert found.value[0, 0] == close(one_flip(0, 3 if three else 2))
    elif question == "diff":
        values = gt.compare(solution("race", form), ["hold-at-1", "win"]).value
        assert values[1, 1] == close(float(PIGLET[0]))
        assert found.win_probability_lost == close(values[1, 1] - values[0, 1])
    elif question == "best answer":
        if three:
            assert found["same_policy_seat_values"] == close([one_flip(seat, 3) for seat in range(3)])
            assert found["seat_values"][0] >= one_flip(0, 3) - CLOSE
        else:
            assert found["first_player_value"] >= float(PIGLET[0]) - CLOSE
            assert found["win_policy_value"] <= found["first_player_value"] + CLOSE
    elif question == "simulate":
        value = gt.compare(solution("race", form), ["win", "score"]).value[0, 1]
        assert abs(found.first_win - value) < 4 * found.standard_error
    elif question == "fair":
        assert found.even == close(solution("race", form).first_player_value)
    else:
        assert found.worst_residual < 1e-12 < found.checked


def one_flip(seat: int, players: int) -> float:
    """Return the chance of a seat where each flips once a turn and the second head wins.

    It is the turn in which the second head comes: those before the seat must need more turns, those after as many or more.
    """
    total = 0.0
    for turns in range(1, 400):
        now = (turns - 1) / 2**turns
        later = (turns + 1) / 2**turns
        total += now * later**seat * (now + later) ** (players - 1 - seat)
    return total


# A card with one box, straight from its words.


@cache
def card_value(thrown: tuple[int, ...] | None, throws: int, worth: Callable[[int], Fraction]) -> Fraction:
    """Return what the dice on the table are worth with so many throws to come; None before the first."""
    if thrown is not None and not throws:
        return worth(sum(thrown))
    keeps: set[tuple[int, ...]] = {()}
    if thrown is not None:
        keeps = {thrown, (), thrown[:1], thrown[1:]}
    found = []
    for kept in keeps:
        rest = list(product((1, 2, 3), repeat=2 - len(kept)))
        then = [card_value(tuple(sorted((*kept, *more))), throws - 1, worth) for more in rest]
        found.append(sum(then, Fraction(0)) / len(rest))
    return max(found)


def card_points(score: int) -> Fraction:
    return Fraction(score)


@cache
def card_against(target: int) -> Callable[[int], Fraction]:
    return lambda score: oracle.judge(score, target, True, HALF)


@cache
def card_first(score: int) -> Fraction:
    return 1 - card_value(None, 2, card_against(score))


def check_card(question: str, form: str, found: Any) -> None:
    """Hold an answer about the card to fractions."""
    worths: dict[str, Callable[[int], Fraction]] = {"in turn": card_first, "for an aim": reach}
    value = float(card_value(None, 2, worths[form])) if form in worths else None
    mean = float(card_value(None, 2, card_points))
    if question == "solve":
        assert found.expected_score == close(mean)
        if value is not None:
            assert (found.value if form == "for an aim" else found.first_player_value) == close(value)
        elif form == "unseen":
            assert found.exploitability < 1e-6
        else:
            assert found.seat_values.sum() == close(1.0)
            assert found.first_player_value < 1 / 3 < found.seat_values[2]
    elif question == "moves" and form in worths:
        exact = float(card_value((2, 3), 1, worths[form]))
        assert found[0].win_probability == close(exact) if found[0].value is None else found[0].value == close(exact)
    elif question == "moves":
        assert [move.win_probability for move in found] == sorted((m.win_probability for m in found), reverse=True)
    elif question == "second" and form == "in turn":
        assert dict(found) == close({score: float(card_value(None, 2, card_against(score))) for score in range(2, 7)})
    elif question == "second":
        assert list(found.values()) == sorted(found.values(), reverse=True)
    elif question == "distribution":
        assert found.mean == close(mean)
    elif question == "compare":
        assert found.value[0, 0] == close(1 / 3 if form == "three in turn" else 0.5)
    elif question == "diff":
        values = gt.compare(solution("scorecard", form), ["score", "win"]).value if form != "for an aim" else None
        gained = values[1, 1] - values[0, 1] if values is not None else value - reached(found)  # type: ignore[operator]
        wide = 1e-6 if form == "unseen" else CLOSE
        assert found.win_probability_lost == pytest.approx(gained, abs=wide)
    elif question == "best answer":
        assert found["first_player_value"] >= 0.5 - CLOSE
    elif question == "simulate":
        if form == "in turn":
            won = gt.compare(solution("scorecard", form), ["win", "score"]).first_win[0, 1]
            assert abs(found.first_win - won) < 4 * found.standard_error
        else:
            known = {"unseen": 0.5, "for an aim": value}
            wanted = known[form] if form in known else solution("scorecard", form).seat_values[0]
            assert abs(found.seat_values[0] - wanted) < 4 * found.standard_errors[0]
    elif question == "fair":
        assert found.even == close(0.5 if form == "unseen" else solution("scorecard", form).first_player_value)
    else:
        assert found.worst_residual < 1e-12 < found.checked


def reached(found: Any) -> float:
    """Return how often a player for points reaches the aim."""
    made = gt.distribution(CARD, "score")
    return float(sum(chance for score, chance in made if score >= AIM))


def check(family: str, question: str, form: str, found: Any) -> None:
    """Hold an answer to brute force."""
    if family == "race":
        check_race(question, form, found)
    elif family == "scorecard":
        check_card(question, form, found)
    else:
        check_scores(family, question, form, found)
