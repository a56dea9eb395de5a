"""What every kind of solved match does: its tables round trip, and solving reports its progress."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shared import solved

from gametheory import games
from gametheory.match.alternating import Alternating, solve_alternating
from gametheory.match.hidden import solve_hidden
from gametheory.match.players import solve_players
from gametheory.store import tables

from .shared import GAPS, LOW, MIXED, alternating, equilibrium, players


@pytest.mark.parametrize(
    "solve",
    [
        lambda: alternating(GAPS, 0.25),
        lambda: alternating(LOW),
        lambda: players(games.game("2d2+d5"), 4),
        lambda: equilibrium(MIXED),
    ],
    ids=["alternating", "alternating split", "players", "hidden"],
)
def test_tables_round_trip_and_others_are_refused(solve: Any, tmp_path: Any) -> None:
    found = solve()
    path = tables.save(found, tmp_path / "table.h5")
    loaded = tables.load(path, found.game)
    assert repr(loaded) == repr(found)
    assert tables.digest(loaded) == tables.digest(found)
    assert loaded.verify() == found.verify()
    data = found.stored()
    for name, (axes, values) in data.arrays.items():
        arrays = data.arrays | {name: (axes, np.asarray(values)[..., 1:])}
        with pytest.raises(ValueError, match="shape"):
            type(found).from_stored(data._replace(arrays=arrays))
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        next(iter(loaded.stored().arrays.values()))[1][:] = 0.0


def test_a_stored_tie_rule_must_have_its_worth() -> None:
    data = alternating(GAPS, 0.25).stored()
    with pytest.raises(ValueError, match=r"worth 0\.25, not 0\.3"):
        Alternating.from_stored(data._replace(facts=data.facts | {"tie_worth_to_second": 0.3}))


@pytest.mark.parametrize(
    "solve",
    [
        lambda game, progress: solve_alternating(game, progress=progress),
        lambda game, progress: solve_players(game, 4, progress=progress),
        lambda game, progress: solve_hidden(game, progress=progress),
        lambda game, progress: solved(game).fair(progress=progress),
        lambda game, progress: solve_alternating(game, "replay", progress=progress),
        lambda game, progress: alternating(game).fair(progress=progress),
        lambda game, progress: alternating(game, "replay").fair(around=0, progress=progress),
    ],
    ids=["alternating", "players", "hidden", "fair", "replay", "fair lead", "fair lead replay"],
)
def test_progress_rises_to_one(solve: Any) -> None:
    seen: list[float] = []
    solve(games.game("3d4"), seen.append)
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[0] >= 0
    assert seen[-1] == 1.0
