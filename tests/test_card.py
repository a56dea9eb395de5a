"""Cards: the kernel against brute force, the packaged cards' exact figures, files, pictures and the search."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import oracle
import pytest
from conftest import Solve
from pools import as_pool, by_points

from gametheory.ask.policies import Policy, Position
from gametheory.cards import picture as card_picture
from gametheory.cards import search as card_search
from gametheory.cards.file import from_toml
from gametheory.cards.rule import FREE, GOALS, Card, Pace, ParCard, expected_gain
from gametheory.dice import Die, parse_roll
from gametheory.games import PoolGame, pool_game
from gametheory.match import evaluate
from gametheory.match.duel import Duel, solve
from gametheory.pool import one_die

LOW = PoolGame("low and mixed", (2, 2), (Die("d4", (2, 1, 0, 4)), Die("d5", (0, 1, 1, 3, 6))), higher_wins=False)
PAPER_LOSS = 0.441982351982
"""What the published table loses against the best expected score, exactly evaluated."""


def as_oracle(game: PoolGame, policy: Policy) -> oracle.Policy:
    """Let a policy of the package, asked roll by roll, play for the oracle."""
    faces = [{points: face for face, points in enumerate(die.points, 1)} for die in game.kinds]

    def choose(
        counts: oracle.Counts, banked: int, roll: oracle.Roll, target: int | None
    ) -> list[tuple[oracle.Roll, Fraction]]:
        shown = tuple(tuple(sorted((faces[k][p] for p in points), reverse=True)) for k, points in enumerate(roll))
        return [(by_points(game, policy(Position(counts, banked, target), shown)), Fraction(1))]

    return choose


def check_distribution(game: PoolGame, card: Card | ParCard, duel: Duel, target: int | None = None) -> None:
    wanted = oracle.distribution(as_pool(game), as_oracle(game, card), target)
    made = card.visits(duel, target)[0]
    worst = game.worst(game.counts)
    for gain, chance in enumerate(made):
        exact = float(wanted.get(worst + game.sign * gain, Fraction(0)))
        assert chance == pytest.approx(exact, abs=1e-12), (card, target, gain)


MIXED = pool_game("3d4+d6+d8")
TRIALS = [
    Card(pool_game("4d4"), ((3, 2),)),
    Card(pool_game("4d4"), ((4, 4, 1),), look_again=False),
    Card(MIXED, ((2,), (4, 3, 2), (5, 4, 2)), (5, 3), (0.0, 0.5, 1.5)),
    Card(MIXED, ((2,), (4, 3, 2), (5, 4, 2)), (FREE, 3), look_again=False, take="nearest", ties="smaller"),
    Card(MIXED, ((4, 2), (5,), ()), (4,), (0.0, 0.0, 1.0), take="nearest"),
    Card(MIXED, ((), (), ()), ties="smaller"),
    Card(LOW, ((3, 2), (4, 2)), (4, 3), (0.0, 1.0)),
    Card(LOW, ((4, 3, 2), (4, 4, 3)), look_again=False, take="nearest"),
]


@pytest.mark.parametrize("card", TRIALS, ids=range(len(TRIALS)))
def test_a_card_has_the_distribution_of_brute_force(card: Card) -> None:
    check_distribution(card.game, card, solve(card.game))


FEW = pool_game("2d3+d4+d5")
PACED = [
    Card(FEW, ((2,), (4, 3), (4, 3, 2)), (4, 3), (0.0, 0.5, 1.5)),
    Card(FEW, ((4, 2), (3,), ()), (3,), (0.0, 0.0, 1.0), take="nearest"),
    TRIALS[6],
]
PACES = [
    Pace(cash=3),
    Pace(cash=5, margin=1),
    Pace(margin=0, par=4.0, par_larger=1.5, behind=(1, 2), ahead=(2, 1)),
    Pace(cash=4, margin=2, par=3.0, par_larger=1.0, behind=(0, 1)),
]


@pytest.mark.parametrize("pace", PACES, ids=range(len(PACES)))
@pytest.mark.parametrize("base", PACED, ids=range(len(PACED)))
def test_a_card_for_the_second_seat_has_the_distribution_of_brute_force(base: Card, pace: Pace) -> None:
    game, card = base.game, replace(base, pace=pace)
    duel = solve(game)
    assert card.uses_target
    scores = game.scores()
    for target in scores[:: max(1, len(scores) // 4)]:
        check_distribution(game, card, duel, target)


def test_a_card_for_the_first_seat_has_the_distribution_of_brute_force() -> None:
    for base, aim in ((PACED[0], 13), (TRIALS[6], 3)):
        card = replace(base, pace=Pace(aim=aim, par=3.0, par_larger=1.0, behind=(1, 1), ahead=(2, 2)))
        assert card.uses_banked
        assert not card.uses_target
        check_distribution(card.game, card, solve(card.game))


@pytest.mark.parametrize("tie", ["split", "second"])
def test_win_values_are_those_of_brute_force(tie: str) -> None:
    game = pool_game("2d4+d6")
    pool, worth = as_pool(game), {"split": Fraction(1, 2), "second": Fraction(1)}[tie]
    duel = solve(game, tie)
    best = oracle.win_policy(pool, True, worth)
    blind = Card(game, ((2,), (3, 2)), (3,))
    paces = (None, Pace(cash=2, margin=1), Pace(aim=11, behind=(1, 1), par=2.0))
    for card in (replace(blind, pace=pace) for pace in paces):
        mine = as_oracle(game, card)
        won, tied, _ = oracle.outcome(pool, True, mine, best)
        assert card.first_player_value(duel) == pytest.approx(float(won + (1 - worth) * tied), abs=1e-12)
        _, tied, won = oracle.outcome(pool, True, best, mine)
        assert card.second_player_value(duel) == pytest.approx(float(won + worth * tied), abs=1e-12)


def test_a_par_card_has_the_distribution_of_brute_force() -> None:
    for game in (pool_game("3d4+d6"), LOW):
        duel = solve(game)
        card = card_search.par_card(duel, [0, 1, game.counts[0]], step=0.5)
        check_distribution(game, card, duel)
        mean = evaluate.distribution(duel, card).mean
        assert card.expected_score(duel) == pytest.approx(mean, abs=1e-12)
        assert card.loss(duel) > 1e-6  # rounded to half points it cannot be the best


def test_the_full_par_card_is_the_best_play(solved: Solve) -> None:
    duel = solved("threes")
    assert card_search.par_card(duel, range(6), step=1e-10).loss(duel) == pytest.approx(0.0, abs=1e-9)


def test_the_published_table_is_a_card_of_fourteen_numbers(solved: Solve) -> None:
    duel = solved("biscuits")
    keep = ((5, 2), (7, 3, 2), (10, 5, 3, 2), (12, 6, 4, 3, 2))
    paper = Card(duel.game, keep, look_again=False, take="nearest", ties="smaller")
    assert paper.size == 14
    assert card_search._theory(duel.game).keep == keep
    exact = evaluate.distribution(duel, one_die.cutoff(duel.game)).mean
    assert paper.expected_score(duel) == pytest.approx(exact, abs=1e-11)
    assert paper.loss(duel) == pytest.approx(PAPER_LOSS, abs=1e-9)


# What a card says, move by move.

BISCUITS = pool_game("biscuits")
MEDIUM = Card(
    BISCUITS, ((3, 2), (5, 3, 2), (8, 4, 3, 2), (12, 5, 3, 2, 2)), (FREE, 12, 7), (0.0, 0.5, 0.5, 1.0)
)  # fmt: skip


@pytest.mark.parametrize(
    ("roll", "keep"),
    [
        ("d6:6x12 d8:1 d10:1 d12:1", "d6:6"),  # the surprise: one six, with all the larger dice still low
        ("d6:6x3,5x9 d8:8 d10:1 d12:1", "d8:8"),  # the eight is kept, so that no six need be
        ("d6:6,4,4,3,3 d12:10", "d6:6"),  # with six dice a ten is not good enough
        ("d6:6,6,5,4,3 d12:10", "d6:6,6 d12:10"),  # looked at again as five dice it is, and then as four nothing more
        ("d6:6,6,6,5,3 d12:10", "d6:6,6,6,5 d12:10"),  # looked at again as four dice, then as three: the five too
        ("d6:5,5,4,2", "d6:5"),  # nothing clears with four dice: the die that loses least
        ("d6:4,3,2,2 d12:9", "d12:9"),  # the d12 loses 3, counted as 2, and so does the four: the larger die on a tie
        ("d6:2 d8:5", "d8:5"),
        ("d6:1", "d6:1"),
    ],
)
def test_the_medium_card_keeps(roll: str, keep: str) -> None:
    kinds = BISCUITS.kinds
    shown = parse_roll(roll, kinds)
    position = Position(tuple(len(faces) for faces in shown), 0)
    assert MEDIUM(position, shown) == parse_roll(keep, kinds)


def test_a_second_seat_card_stops_when_it_wins_and_spares_when_it_must() -> None:
    card = replace(MEDIUM, pace=Pace(cash=3, margin=1))
    kinds = card.game.kinds
    roll = parse_roll("d6:4,3", kinds)
    left = (2, 0, 0, 0)
    assert card(Position(left, 84, 90), roll) == roll  # 84 + 7 beats 90
    assert card(Position(left, 84, 91), roll) == parse_roll("d6:4", kinds)  # 91 would only tie
    assert card(Position(left, 84, 94), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6,5", kinds)
    assert card(Position(left, 84, 95), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6", kinds)
    assert replace(card, pace=None)(Position(left, 84, 95), parse_roll("d6:6,5", kinds)) == parse_roll("d6:6,5", kinds)


# The cards that come with the package.

FIGURES = {
    ("small", "score"): (8, 93.781303966563, 0.463143883371),
    ("medium", "score"): (19, 93.871435140608, 0.467398531703),
    ("large", "score"): (55, 93.907036314117, 0.469556679659),
}


@pytest.mark.parametrize(("size", "goal"), FIGURES)
def test_packaged_biscuits_cards_have_these_exact_figures(size: str, goal: str, solved: Solve) -> None:
    duel = solved("biscuits")
    card = card_search.packaged(duel.game, size, goal)
    assert card is not None
    count, score, first = FIGURES[size, goal]
    assert card.size == count <= card_search.SIZES[size]
    assert card.expected_score(duel) == pytest.approx(score, abs=1e-9)
    assert card.first_player_value(duel) == pytest.approx(first, abs=1e-9)
    made = evaluate.distribution(duel, card)  # the same by way of the score distribution
    assert made.mean == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(("size", "value"), [("small", 0.519052782161), ("medium", 0.521530175002)])
def test_packaged_second_seat_cards_have_these_exact_chances(size: str, value: float, solved: Solve) -> None:
    duel = solved("biscuits")
    card = card_search.packaged(duel.game, size, "second")
    assert isinstance(card, Card)
    assert card.second_player_value(duel) == pytest.approx(value, abs=1e-9)
    # The same against one target, by way of the score distribution.
    target = 94
    made = card.visits(duel, target)[0]
    gain = target - duel.game.worst(duel.game.counts)
    wins, ties = card.replies(duel)
    assert wins[gain] == pytest.approx(made[gain + 1 :].sum(), abs=1e-12)
    assert ties[gain] == pytest.approx(made[gain], abs=1e-12)
    assert 0.4 < wins[gain] + 0.5 * ties[gain] < duel.second(target)


@pytest.mark.parametrize(("size", "part"), [("small", 1 / 3), ("medium", 1 / 10), ("large", 1 / 80)])
def test_packaged_cards_lose_a_small_part_of_what_the_published_table_loses(size: str, part: float, solved: Solve) -> None:
    duel = solved("biscuits")
    card = card_search.packaged(duel.game, size)
    assert card is not None
    assert 0.0 < card.loss(duel) < part * PAPER_LOSS


def test_badg_cards_are_the_biscuits_cards_in_points_lost(solved: Solve) -> None:
    biscuits, badg = solved("biscuits"), solved("badg")
    for size in ("small", "medium"):
        for goal in GOALS:
            one, other = card_search.packaged(biscuits.game, size, goal), card_search.packaged(badg.game, size, goal)
            assert one is not None
            assert other is not None
            assert one.expected_score(biscuits) + other.expected_score(badg) == pytest.approx(102.0, abs=1e-9)
            assert one.first_player_value(biscuits) == pytest.approx(other.first_player_value(badg), abs=1e-9)
            assert one.second_player_value(biscuits) == pytest.approx(other.second_player_value(badg), abs=1e-9)


@pytest.mark.parametrize("name", ["biscuits", "threes"])
def test_a_card_for_a_seat_does_better_there_than_the_card_for_points(name: str, solved: Solve) -> None:
    duel = solved(name)
    for size in ("small", "medium"):
        by_goal = {goal: card_search.packaged(duel.game, size, goal) for goal in GOALS}
        points, first, second = (by_goal[goal] for goal in GOALS)
        assert points is not None
        assert first is not None
        assert second is not None
        assert points.expected_score(duel) * duel.game.sign >= first.expected_score(duel) * duel.game.sign - 1e-9
        assert duel.first_player_value >= first.first_player_value(duel) >= points.first_player_value(duel) - 1e-9
        assert duel.second_player_value > second.second_player_value(duel) > points.second_player_value(duel) + 0.002
        assert max(card.size for card in (points, first, second)) <= card_search.SIZES[size]


def test_every_packaged_card_reads_back_what_it_writes() -> None:
    found = 0
    for name in ("biscuits", "badg", "threes"):
        for size in card_search.SIZES:
            for goal in GOALS:
                card = card_search.packaged(pool_game(name), size, goal)
                assert card is not None, (name, size, goal)
                assert from_toml(card.to_toml()) == card
                assert card.goal == goal
                assert card.rules
                found += 1
    assert found == 27


# The search.


def test_the_search_is_deterministic_and_ends_where_no_number_can_be_bettered(solved: Solve) -> None:
    duel = solve(pool_game("4d4+d6"))
    found = card_search.find(duel, 6)
    card_search._FOUND.clear()
    reported: list[float] = []
    assert card_search.find(duel, 6, progress=reported.append) == found
    assert reported[-1] == 1.0
    assert reported == sorted(reported)
    assert found.size <= 6
    grown = card_search._score_cards(duel.game, 6)[-1]
    best = expected_gain(grown)
    for slot in card_search._slots(grown):
        for value in card_search._values(grown, slot):
            assert expected_gain(card_search._put(grown, slot, value)) <= best + 1e-9
    theory = card_search._theory(duel.game)
    assert found.loss(duel) < theory.loss(duel)


def test_the_packaged_cards_are_what_the_search_finds(solved: Solve) -> None:
    for name, goal in (("biscuits", "score"), ("threes", "score"), ("threes", "second")):
        duel = solved(name)
        assert card_search.find(duel, "small", goal) == card_search.packaged(duel.game, "small", goal)


def test_win_cards_are_found_for_any_pool() -> None:
    duel = solve(pool_game("3d4+d6"))
    points, second = card_search.find(duel, 8), card_search.find(duel, 8, "second")
    assert second.goal == "second"
    assert second.second_player_value(duel) > points.second_player_value(duel)
    assert second.size <= 8


def test_the_frontier_falls_from_the_one_line_rule_to_the_full_solution() -> None:
    duel = solve(pool_game("4d4+d6"))
    points = card_search.frontier(duel)
    assert points[0].size == 0
    assert all(after.size != before.size for before, after in pairwise(points))
    losses = [point.loss for point in points]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 0.1
    assert losses[-1] == pytest.approx(0.0, abs=1e-8)


def test_requests_that_make_no_sense_are_refused(solved: Solve) -> None:
    duel = solved("threes")
    with pytest.raises(ValueError, match="there is no card size 'tiny'"):
        card_search.find(duel, "tiny")
    with pytest.raises(ValueError, match="there is no card for 'third'"):
        card_search.card(duel, "small", "third")
    with pytest.raises(ValueError, match="a worse face cannot be kept with more dice"):
        Card(pool_game("4d6"), ((2, 3),))
    assert card_search.packaged(pool_game("4d6"), "small") is None
    assert card_search.card(duel, "small") == card_search.packaged(duel.game, "small")


# Files.

GOOD = 'game = "2d4+d6"\n[keep]\nd4 = { 3 = 2 }\nd6 = { 5 = 3, 4 = 2 }\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("5 = 3", "5 = 9"), r"my\.toml, line 4: keep\.d6\.5: 9 dice on the table: must be from 1 to 3"),
        (GOOD.replace("5 = 3, ", ""), r"line 4: keep\.d6\.4: the better face 5 has no cut-off: give it 2 dice or more"),
        (GOOD.replace("5 = 3", "5 = 1"), r"line 4: keep\.d6\.4: kept with 2 dice, but the better 5 only with 1"),
        (GOOD.replace("5 = 3", "5 = 'x'"), r"line 4: keep\.d6\.5: must be a whole number of dice on the table, not 'x'"),
        (GOOD.replace("5 = 3", "5 = 2.5"), r"keep\.d6\.5: must be a whole number"),
        (GOOD.replace("5 = 3", "6 = 3"), r"keep\.d6\.6: 6 is the best face of d6, which is always kept"),
        (GOOD.replace("5 = 3", "7 = 3"), r"keep\.d6\.7: d6 has no face 7"),
        (GOOD.replace("d6 = {", "d20 = {"), r"line 4: keep\.d20: 2d4\+d6 has no such die: its dice are d4, d6"),
        (GOOD.replace("d4 = { 3 = 2 }\n", ""), r"line 2: keep: no line for d4"),
        (GOOD.replace("[keep]", "[keeps]"), r"keeps: a card has no such entry"),
        (GOOD.replace("{ 3 = 2 }", "3"), r"line 3: keep\.d4: must be a table, not 3"),
        ('game = "2d4+d6"\n', r"my\.toml: it has no cut-offs"),
        ("[keep]\n", r"my\.toml: it does not say its game"),
        ('game = "bisquits"\n', r"line 1: game: there is no game 'bisquits'"),
        ("game = 4\n", r"line 1: game: must be text in quotes, not 4"),
        ("game = \n", r"my\.toml: this is no TOML file: .*line 1"),
        ('goal = "third"\n' + GOOD, r"line 1: goal: there is no goal 'third'"),
        (GOOD + "[hold]\n2 = 3\n", r"line 6: hold\.2: 2 larger dice cannot stay: 2d4\+d6 has 1 of them"),
        (GOOD + "[nothing]\ntake = 'most'\n", r"line 6: nothing\.take: cannot take 'most'"),
        (GOOD + "[nothing.worth]\nd6 = true\n", r"line 6: nothing\.worth\.d6: must be a number, not True"),
        (GOOD + "[pace]\nbehind = 3\n", r"line 6: pace\.behind: must be \[points, dice\], not 3"),
        (GOOD + "[pace]\naim = 99\n", r"line 6: pace\.aim: 99 points: must be from 3 to 14"),
        ('game = "2d4"\ncolumns = [0, 1]\n[par]\nnone = [0, 1]\n', r"line 2: columns: must rise from 0 to 2, not \[0, 1\]"),
        ('game = "2d4"\ncolumns = [0, 2]\n[par]\nnone = [0]\n', r"line 4: par\.none: must be a list of 2 numbers"),
        ('game = "2d4"\ncolumns = [0, 2]\n[par]\n', r'line 3: par: there is no line for the larger dice "none"'),
    ],
)
def test_a_wrong_card_file_is_refused_in_one_line_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        from_toml(text, "my.toml")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("my.toml")


def test_an_edited_card_costs_what_it_costs() -> None:
    duel = solve(pool_game("2d4+d6"))
    one = from_toml(GOOD)
    other = from_toml(GOOD.replace("5 = 3, 4 = 2", ""))
    assert isinstance(one, Card)
    assert one.keep == ((2,), (3, 2))
    assert one.loss(duel) != pytest.approx(other.loss(duel), abs=1e-6)
    with pytest.raises(ValueError, match=r"card, line 1: game: this card is for 2d4\+d6, not for threes"):
        from_toml(GOOD, game=pool_game("threes"))


def test_rules_in_words_hold_every_number() -> None:
    text = " ".join(replace(MEDIUM, pace=Pace(aim=95, par=5.0, par_larger=1.5, behind=(3, 2), margin=1, cash=6)).rules)
    for words in (
        "a 5 with 3 dice or fewer", "an 11 with 12 dice or fewer", "2 or more of them and 12 or more dice",
        "3 or more of them and 7 or more dice", "the d8 and the d10 half a point and the d12 1 point less",
        "with 6 dice or fewer on the table, keep all of them if that beats 95 points", "less than 1 spare",
        "Par is 5 spare points",
        "1.5 more for each larger die", "3 or more points below par", "as if 2 more dice were on the table",
    ):  # fmt: skip
        assert words in text
    low = card_search.packaged(pool_game("badg"), "small")
    assert low is not None
    assert any("costs the fewest points" in rule for rule in low.rules)


# Pictures.


def test_the_picture_shows_the_table_and_the_rules(solved: Solve) -> None:
    duel = solved("biscuits")
    root = ElementTree.fromstring(card_picture.render(replace(MEDIUM, name="medium"), "svg", duel))
    texts = [item.text or "" for item in root.iter() if item.tag.endswith("text")]
    assert texts[0] == "Biscuits: medium card for points"
    at = texts.index("d12")
    assert texts[at + 1 : at + 9] == ["any", "7+", "9+", "10+", "10+", "11+", "11+", "12"]
    heads = texts.index("dice on the table")
    assert texts[heads + 1 : heads + 9] == ["1", "2", "3", "4", "5", "6\u20138", "9\u201312", "13\u201315"]
    together = " ".join(texts)
    assert "93.871" in together
    assert "one d6 alone" in re.sub(r"\s+", " ", together)
    width = float(root.attrib["width"])
    for item in root.iter():
        if item.tag.endswith("text") and "text-anchor" not in item.attrib:
            assert float(item.attrib["x"]) + card_picture._wide(item.text or "", float(item.attrib["font-size"])) < width


@pytest.mark.parametrize("name", ["biscuits", "badg", "threes"])
@pytest.mark.parametrize("size", list(card_search.SIZES))
def test_every_packaged_card_can_be_drawn_in_every_format(name: str, size: str) -> None:
    card = card_search.packaged(pool_game(name), size)
    assert card is not None
    ElementTree.fromstring(card_picture.render(card, "svg"))
    html = card_picture.render(card, "html").decode()
    assert html.startswith("<!doctype html>")
    assert "<svg" in html
    pdf = card_picture.render(card, "pdf")
    assert pdf.startswith(b"%PDF-")
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start : start + 4] == b"xref"
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % number)
    with pytest.raises(ValueError, match="cannot be drawn as 'gif'"):
        card_picture.render(card, "gif")


def test_steps_are_chances() -> None:
    for card in (MEDIUM, card_search.packaged(pool_game("badg"), "large")):
        assert card is not None
        for _, _, chances in card.steps(card.game).values():
            assert np.all(chances >= 0)
            assert chances.sum() == pytest.approx(1.0, abs=1e-12)
