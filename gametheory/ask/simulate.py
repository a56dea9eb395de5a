"""The exact figures once more, by chance."""

from __future__ import annotations

from pathlib import Path

from .. import aims, progress
from ..answers import Simulation
from ..match.solution import Player, check_games
from .solve import asked_of, find, read_policies

GAMES = {"sequential": 1_000_000}
"""How many games are played if nobody says: the formats in plain Python play A_FEW."""

A_FEW = 1000


def simulate(
    game: object, first: Player | None = None, second: Player | None = None, *, games: int | None = None, seed: int = 0,
    tie: str | float = "split", match: str = "sequential", players: int | None = None, aim: object = aims.WIN,
    tables: str | Path | None = None,
) -> Simulation:  # fmt: skip
    """Play policies against each other: `win` first and `score` second if not said; in other formats all play to win.

    With an aim one plays alone, `first` or the best play for it. The same seed gives the same games on any number of
    threads.
    """
    count = games if games is not None else A_FEW if players is not None else GAMES.get(match, A_FEW)
    check_games(count, seed)
    kind, chosen, _ = asked_of(game, tie, match=match, players=players, aim=aim)
    kind.check_question(chosen, "simulate")
    if not kind.deals and (first is not None or second is not None):
        raise ValueError("--first and --second are for the game for two in turn: leave them out, all play to win")
    solution = find(
        game, "simulate", tie, match=match, players=players, aim=aim, tables=tables, policies=(first, second)
    )  # fmt: skip
    one, other = read_policies((first, second), solution.game)
    with progress.bar("playing") as advance:
        return solution.simulate(one, other, games=count, seed=seed, progress=advance)
