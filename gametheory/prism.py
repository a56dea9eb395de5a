"""Games of one player as PRISM models, for model checkers that share nothing with this package, as Storm and PRISM.

A model is a Markov decision process. Its one variable counts the situations of a game: a state before its dice are thrown,
and what a throw shows. Dice are probabilities, moves are choices; a finished game makes one more step, which earns its
score.

    R{"score"}max=? [F "over"]      the best expected score (where lower scores win, ask for the least)
    Pmax=? [F "reach_12"]           the best chance of a final score of 12 or better
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from . import files, games
from .ask.solve import named
from .store import export as exports

FORMATS = ("prism",)
MOST_SITUATIONS = 50_000
"""How many situations a model may have: model checkers hold all of them, and people read some."""


def export(game: object, form: str = "prism", output: str | Path | None = None, *, force: bool = False) -> str:
    """Return a scoring game as the model of a model checker; write it to a file if one is named.

    >>> print(export("1d2"))
    mdp  // d2: The highest sum wins.
    <BLANKLINE>
    module game
      s : [0..5] init 0;
      [] s=0 -> 1/2:(s'=1) + 1/2:(s'=2);
      [] s=1 -> (s'=3);
      [] s=2 -> (s'=4);
      [over] s=3 -> (s'=5);
      [over] s=4 -> (s'=5);
      [] s=5 -> true;
    endmodule
    <BLANKLINE>
    rewards "score"
      [over] s=3 : 2;
      [over] s=4 : 1;
    endrewards
    <BLANKLINE>
    label "over" = s=5;
    label "reach_1" = s=3|s=4;
    label "reach_2" = s=3;
    <BLANKLINE>
    """
    if form not in FORMATS:
        raise ValueError(f"there is no format {form!r} of games: say prism")
    chosen = named(game)
    games.space(chosen).check_size(False)
    path = None if output is None else exports.check_new(output, force)
    text = "\n".join(_lines(chosen)) + "\n"
    if path is not None:
        files.write(path, text.encode())
    return text


def _lines(game: Any) -> Iterator[str]:
    """Yield the lines of a model."""
    numbers: dict[Any, int] = {}
    waiting: list[Any] = []

    def number(situation: Any) -> int:
        found = numbers.get(situation)
        if found is None:
            found = numbers[situation] = len(numbers)
            waiting.append(situation)
            check(found)
        return found

    def check(many: int) -> None:
        if many >= MOST_SITUATIONS:
            raise ValueError(f"{game.name} has more than {MOST_SITUATIONS:,} situations: export a smaller game")

    steps: list[str] = []
    scores: dict[int, Any] = {}
    number((game.start() if callable(game.start) else game.start, None))
    for state, roll in waiting:
        here = numbers[state, roll]
        if roll is None:
            rolls = list(islice(game.rolls(state), MOST_SITUATIONS))
            check(len(rolls))
            ways = sum(weight for _, weight in rolls)
            shown = " + ".join(f"{weight}/{ways}:(s'={number((state, roll))})" for roll, weight in rolls)
            if rolls:
                steps.append(f"  [] s={here} -> {shown};")
            else:
                scores[here] = game.score(state)
        else:
            after = dict.fromkeys(number((then, None)) for _, then, _ in game.moves(state, roll))
            steps += [f"  [] s={here} -> (s'={one});" for one in after]
    if min(scores.values()) < 0:
        raise ValueError(f"{game.name} has scores below 0, which are no rewards: export a game without")
    end = len(numbers)
    name = " ".join(f"{game.name}: {getattr(game, 'about', '')}".split())
    yield from (f"mdp  // {name}", "", "module game", f"  s : [0..{end}] init 0;", *steps)
    yield from (f"  [over] s={here} -> (s'={end});" for here in scores)
    yield from (f"  [] s={end} -> true;", "endmodule", "", 'rewards "score"')
    yield from (f"  [over] s={here} : {score};" for here, score in scores.items())
    yield from ("endrewards", "", f'label "over" = s={end};')
    sign = games.space(game).sign
    for wanted in sorted(set(scores.values())):
        reached = "|".join(f"s={here}" for here, score in scores.items() if sign * (score - wanted) >= 0)
        yield f'label "reach_{wanted}" = {reached};'

