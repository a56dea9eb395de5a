"""Best of three: throw two dice at most three times; the throw at which you stop is your score."""

from collections.abc import Iterator

State = int  # the throws that are left: whatever matters later, but for points, which add up by themselves
Roll = int  # the sum of the two dice


class BestOfThree:
    """Solve it with `gametheory solve`, look for mistakes in it with `gametheory check`."""

    name = "best of three"
    about = "Throw two dice at most three times; the throw at which you stop is your score."
    higher_wins = True
    start: State = 3

    def rolls(self, state: State) -> Iterator[tuple[Roll, int]]:
        """Give every roll with the number of ways it comes up; none once the game is over."""
        if state:
            yield from ((total, 6 - abs(total - 7)) for total in range(2, 13))

    def moves(self, state: State, roll: Roll) -> Iterator[tuple[str, State, int]]:
        """Give every move: what it is called, the state that it leads to, and the points that it makes."""
        yield "stop", 0, roll
        if state > 1:
            yield "throw again", state - 1, 0

    # Where they are wanted: final(state), points that a finished state adds; score(state), the final score where it is no
    # sum (states then hold the points); text(thing), how a state, a roll or a keep is written; ways(state), what the
    # weights of its rolls must add up to.
