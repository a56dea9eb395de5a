"""Midnight, or 1-4-24: a game of your own in a few lines, solved exactly.

Roll six dice, keep at least one of them, roll the rest, and so on. The six dice kept must hold a 1 and a 4, or score
nothing; then all six count. Who plays for points makes 23.46 on average; who plays to win takes other risks.
"""

from collections.abc import Iterator

from gametheory.dice import keeps, standard_die
from gametheory.match.duel import solve

State = tuple[int, bool, bool, int]  # dice left, a 1 is kept, a 4 is kept, points
Faces = tuple[int, ...]


class Midnight:
    start: State = (6, False, False, 0)

    def rolls(self, state: State) -> Iterator[tuple[Faces, int]]:
        dice_left = state[0]
        return standard_die(6).roll(dice_left) if dice_left else iter(())

    def moves(self, state: State, roll: Faces) -> Iterator[tuple[Faces, State, int]]:
        dice_left, one, four, points = state
        for (keep,) in keeps((roll,)):
            kept = sum(keep)
            yield keep, (dice_left - len(keep), one or 1 in keep, four or 4 in keep, points + kept), kept

    def score(self, state: State) -> int:
        _, one, four, points = state
        return points if one and four else 0


if __name__ == "__main__":
    solution = solve(Midnight(), tie="split")
    print(f"expected score  {solution.expected_score:.2f}")
    print(f"first player    {solution.first_player_value:.4f}")
    print(f"second player   {solution.second_player_value:.4f}")
