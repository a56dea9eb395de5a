"""Check the oracle of races against published chances and its own equations."""

from __future__ import annotations

from fractions import Fraction

import oracle_race
import pytest

from .shared import PIGLET_CHANCES

COIN = oracle_race.Race(1, {1: [(1, frozenset({(1, 0)}))]}, {1: 1}, 2)
PAIR = oracle_race.Race(
    2,
    {1: [(2, frozenset({(1, 0)}))], 2: [(5, frozenset({(1, 1)})), (3, frozenset({(1, 1), (3, 0)}))]},
    {1: 1, 2: 2},
    5,
    2,
)


@pytest.mark.parametrize(("place", "value"), PIGLET_CHANCES.items())
def test_oracle_knows_piglet(place: tuple[int, int, int], value: Fraction) -> None:
    mine, theirs, turn = place
    assert oracle_race.solve_race(COIN)[mine, True, theirs, True, turn, 1] == value


@pytest.mark.parametrize("plain", [COIN, COIN._replace(goal=5), COIN._replace(goal=4, opening=3), PAIR])
def test_oracle_satisfies_its_equations(plain: oracle_race.Race) -> None:
    """Find every value equal to the better of banking and throwing."""
    found = oracle_race.solve_race(plain)
    for (mine, opened, theirs, answered, turn, dice), value in found.items():
        choices = []
        if turn and (opened or turn >= plain.opening):
            after = found.get((theirs, answered, mine + turn, True, 0, plain.dice), Fraction(0))
            choices.append(1 - after if mine + turn < plain.goal else Fraction(1))
        if not choices or mine + turn < plain.goal:
            total = plain.busts[dice] * (1 - found[theirs, answered, mine, opened, 0, plain.dice])
            for weight, options in plain.throws[dice]:
                total += weight * max(
                    found[mine, opened, theirs, answered, turn + points, left or plain.dice] for points, left in options
                )
            choices.append(total / (plain.busts[dice] + sum(weight for weight, _ in plain.throws[dice])))
        assert value == max(choices)


def test_oracle_refuses_what_never_ends() -> None:
    with pytest.raises(ValueError, match="points"):
        oracle_race.solve_race(COIN._replace(throws={1: [(1, frozenset({(0, 0)}))]}))
    with pytest.raises(ValueError, match="never ends"):
        oracle_race.solve_race(COIN._replace(throws={1: []}))
