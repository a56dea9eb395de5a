"""What races of any number of players have in common as matches, and the race of three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..answers import Checked, Comparison, Distribution, Fair, Plain, Stored
from ..progress import Progress
from ..race import many
from ..race.named import from_dict, to_dict
from ..race.policies import NAMES, RacePolicy, check_name, make
from ..race.rules import RaceGame
from ..race.solver import axes
from ..ties import parse_tie
from .solution import ORDINALS, Player, Request, Solution, seat_number


def check_format(game: RaceGame, request: Request, players: tuple[int | None, ...]) -> None:
    """Refuse formats that races do not have."""
    name, worth = parse_tie(request.tie)
    if request.match == "sequential" and request.players in players and game.last_round:
        if worth is None:
            raise ValueError(f"{game.name} ends with its last round, no tie is replayed: say split, first, second, a number")
    elif request.match != "sequential" or request.players not in players or name != "split":
        raise ValueError(
            f"{game.name} is a race, for two or three players and without ties: leave --match and --tie out, or say "
            "--players 3"
        )


ALONE = ("score", "simple", "random")
"""The policies that are compared among three if none are named: none of them looks at the others."""


class Untied(Solution):
    """What races of any number of players have in common: nobody ties, and no final score is made alone."""

    game: RaceGame
    tie = "none"
    tie_worth = 0.5
    ties = False
    instead = "ask the race for two, without --players"

    @classmethod
    def policy_names(cls, game: RaceGame) -> tuple[str, ...]:
        return NAMES

    @classmethod
    def check_policy(cls, game: RaceGame, chosen: Player) -> None:
        if isinstance(chosen, str):
            check_name(chosen)

    @staticmethod
    def tie_of(game: RaceGame, tie: str | float) -> tuple[str, float]:
        """Return the tie rule of a race and what a tie is worth to who has the last turn; without one there is none."""
        name, worth = parse_tie(tie) if game.last_round else ("none", 0.5)
        if worth is None:
            raise ValueError(f"{game.name} ends with its last round: its ties are not replayed")
        return name, worth

    @staticmethod
    def rules(game: RaceGame) -> Plain:
        """Return the rules as tables keep them."""
        return {"family": "race", **to_dict(game)}

    @staticmethod
    def made_of(rules: Mapping[str, Any]) -> RaceGame:
        """Make a race of the rules that a table keeps."""
        return from_dict({key: value for key, value in rules.items() if key != "family"})

    @classmethod
    def check_alone(cls, policy: Player | None) -> None:
        """Refuse the one policy of a name that looks at the opponent, where it plays alone."""
        if policy == "win":
            many.refuse_looking("win")

    def turns_alone(self, chosen: RacePolicy) -> Distribution:
        """Return the distribution of the turns that a policy takes to the goal, alone; it must not look at the other."""
        if chosen.looks_at_opponent:
            many.refuse_looking(chosen.name)
        turns, chances = many.turns_alone(chosen)
        return Distribution(turns, chances, "turns", higher_wins=False)

    @classmethod
    def facts(cls, tie: str = "split", players: int | None = None) -> Plain:
        return {"kind": cls.kind} | ({} if tie == "split" else {"tie": tie})

    @classmethod
    def file_parts(cls, tie: str = "split", players: int | None = None) -> list[str]:
        return [] if tie == "split" else super().file_parts(tie, players)


@dataclass(frozen=True, eq=False, repr=False)
class RaceOfThree(Untied):
    """A race of three who all play to win. Made without `three` it answers what need not be solved: `best_answer`."""

    game: RaceGame
    three: many.ThreePlayers | None = None

    kind = "race-players"
    called = "a three-player match"
    because = {  # noqa: RUF012
        "moves": "two others are in view", "chase": "two others are in view", "distribution": "two others are in view",
        "diff": "two others are in view", "simulate": "compare and solve have the exact chances",
    }  # fmt: skip
    keeps = False
    least_players = 3

    def __repr__(self) -> str:
        return f"<RaceOfThree {self.game.name}, {'not solved' if self.three is None else self.seat_values}>"

    @classmethod
    def check(cls, game: RaceGame, request: Request) -> None:
        check_format(game, request, (3,))
        many.check_triples(game)

    @classmethod
    def check_policy(cls, game: RaceGame, chosen: Player) -> None:
        super().check_policy(game, chosen)
        if chosen == "win":
            many.refuse_looking("win")

    @classmethod
    def check_question(cls, game: RaceGame, question: str) -> None:
        if question == "fair" and game.opening:
            raise ValueError(
                f"{game.name}, 3 players: whoever is given points has not opened, which is not solved for three; ask for "
                "two, without --players"
            )
        super().check_question(game, question)

    @classmethod
    def unsolved(cls, game: RaceGame, question: str, request: Request) -> Self | None:
        return cls(game) if question in ("best_answer", "compare") else None

    @classmethod
    def solve(cls, game: RaceGame, request: Request | None = None, progress: Progress | None = None) -> Self:
        """Solve the race for three who all play to win."""
        request = request or Request(players=3)
        cls.check(game, request)
        return cls(game, many.solve_three(game, threads=request.threads, progress=progress))

    def stored(self) -> Stored:
        raise ValueError(f"{self.game.name} for three is not stored: solve it anew")

    @classmethod
    def from_stored(cls, data: Stored, game: RaceGame | None = None) -> Self:
        raise ValueError(f"a race for three is not stored: solve {data.rules.get('name', 'it')} anew")

    def verify(self, seed: int = 0, progress: Progress | None = None) -> Checked:
        raise ValueError(f"{self.game.name} for three is not stored, nor verified: its regret says how good it is")

    def _solved(self) -> many.ThreePlayers:
        if self.three is None:
            raise ValueError(f"{self.game.name} for three is not solved: make it by RaceOfThree.solve")
        return self.three

    @property
    def seat_values(self) -> tuple[float, float, float]:
        """The chances of the three seats."""
        return self._solved().seat_values

    @property
    def first_player_value(self) -> float:
        return self.seat_values[0]

    @property
    def second_player_value(self) -> float:
        return self.seat_values[1]

    def headline(self) -> Plain:
        return {
            "game": self.game.name, "players": 3, "first_player_value": self.first_player_value,
            "seat_values": list(self.seat_values), "regret": self._solved().regret,
        }  # fmt: skip

    def policy(self, chosen: Player) -> RacePolicy:
        self.check_policy(self.game, chosen)
        return make(chosen, self.game)

    def compare(
        self, policies: Sequence[Player] | None = None, *, seat: str | int | None = None, force: bool = False,
        progress: Progress | None = None,
    ) -> Comparison:  # fmt: skip
        """Compare policies that do not look at the others in a seat, a row each, against two who play that of the column."""
        number = seat_number("first" if seat is None else seat, 3)
        chosen = [self.policy(policy) for policy in policies or ALONE]
        value = np.empty((len(chosen), len(chosen)))
        for cell, (row, column) in enumerate(np.ndindex(value.shape)):
            around = [chosen[row] if place == number else chosen[column] for place in range(3)]
            value[row, column] = many.field(around).seat_values[number]
            if progress:
                progress((cell + 1) / value.size)
        names = tuple(policy.name for policy in chosen)
        return Comparison(names, value, np.zeros_like(value), 1.0 - value, seat=ORDINALS[number], shares=value)

    def fair(self, *, around: int | None = None, progress: Progress | None = None) -> Fair:
        """Find the head start of the other two that brings the first player closest to a third."""
        game, wide = self.game, 2 if around is None else around
        if wide < 0:
            raise ValueError(f"values around the bonus as far as {wide}: give 0 or more")
        self.check_question(game, "fair")
        values = np.diagonal(self._solved().chances[0, :, :, 0])
        scores = axes(game).scores
        best = int(np.argmin(np.abs(values - 1.0 / 3.0)))
        shown = sorted({0, *range(max(0, best - wide), min(len(values), best + wide + 1))})
        known = {int(scores[place]): float(values[place]) for place in shown}
        bonus, even = int(scores[best]), float(values[0])
        advice = (
            f"{game.name}, 3 players: the first wins {even:.4f}; {bonus} points for each of the others bring him to "
            f"{known[bonus]:.4f}."
        )
        return Fair(game, self.match, self.tie, bonus, known, advice, even, 3)

    def best_answer(self, against: Player, progress: Progress | None = None) -> Plain:
        """Return what the best answer to two who play a policy is worth by seat, and what playing it too is worth."""
        opponent = self.policy(against)
        answer = many.answer_two(opponent, progress=progress)
        same = many.field([opponent] * 3).seat_values
        return {
            "game": self.game.name, "players": 3, "against": opponent.name, "seat_values": list(answer.seat_values),
            "same_policy_seat_values": list(same),
        }  # fmt: skip
