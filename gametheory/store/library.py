"""Solved games by name: found in a stored table, or solved on the spot and stored."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from .. import progress
from ..games import NAMED, PoolGame, from_dice, rules
from ..match.duel import Duel, parse_tie
from ..race.rules import RaceGame
from . import tables

MATCHES = ("sequential", "alternating", "simultaneous")


class Solved(NamedTuple):
    """A solution, the file that holds it, and how long solving took."""

    solution: Any
    path: Path | None
    seconds: float


def _file(game: PoolGame | RaceGame, match: str, tie: str, players: int | None) -> str:
    """Return the name of the file for a game in a format.

    A game that its name does not tell, such as one from a file that may be edited, has a mark of its rules in it.
    """
    name = game.name if _is_known(game) else f"{game.name}-{tables.mark(rules(game))}"
    if isinstance(game, RaceGame):
        return tables.file_name(name)
    if players is not None:
        return tables.file_name(name, f"{players}-players")
    rule = tie if tie[:1].isalpha() else f"tie-{tie}"
    return tables.file_name(name, *([] if match == "sequential" else [match]), rule)


def _is_known(game: PoolGame | RaceGame) -> bool:
    """Tell whether a game is what its name says: a named game, or dice in notation."""
    if game.name in NAMED:
        return rules(NAMED[game.name]) == rules(game)
    return isinstance(game, PoolGame) and game.name == game.dice and rules(from_dice(game.dice)) == rules(game)


def _facts(game: PoolGame | RaceGame, match: str, tie: str, players: int | None) -> dict[str, Any]:
    """Return what the table of a game in a format must say of itself."""
    if isinstance(game, RaceGame):
        return {"kind": "race"}
    if players is not None:
        return {"kind": "players", "players": players}
    return {"kind": {"sequential": "duel", "simultaneous": "hidden"}.get(match, match), "tie": tie}


def compute(
    game: PoolGame | RaceGame, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    threads: int | None = None, force: bool = False, tolerance: float | None = None,
) -> Any:  # fmt: skip
    """Solve a game in a format, with a progress bar, and store nothing.

    A pool game for two in turn gives a `Duel`; races and other formats give their own kinds of solution. `tolerance` is
    what an answer may gain against the equilibrium of a simultaneous match.
    """
    _check_request(game, match, tie, players)
    with progress.bar(f"solving {game.name}") as advance:
        if isinstance(game, RaceGame):
            from ..race import solver as race

            return race.solve(game, threads=threads, progress=lambda done, of: advance(done / of))
        if players is None and match == "sequential":
            from ..match import duel

            return duel.solve(game, tie, threads=threads, progress=advance, force=force)
        from ..match import formats

        if players is not None:
            return formats.solve_players(game, players, threads=threads, progress=advance)
        if match == "alternating":
            return formats.solve_alternating(game, tie, threads=threads, progress=advance, force=force)
        wanted = {} if tolerance is None else {"tolerance": tolerance}
        return formats.solve_hidden(game, **wanted, progress=advance, force=force)


def _check_request(game: PoolGame | RaceGame, match: str, tie: str | float, players: int | None) -> str:
    """Refuse formats that there are not; return the name of the tie rule."""
    name, _ = parse_tie(tie)
    if match not in MATCHES:
        raise ValueError(f"there is no match {match!r}: say {', '.join(MATCHES)}")
    if isinstance(game, RaceGame):
        if match != "sequential" or players not in (None, 2) or name != "split":
            raise ValueError(
                f"{game.name} is a race, for two or three players and without ties: leave --match and --tie out, or say "
                "--players 3"
            )
    elif players is not None:
        if match != "sequential" or name != "split":
            raise ValueError("several players play in turn and share ties at the top: leave --match and --tie out")
        if not 2 <= players <= 12:
            raise ValueError(f"{players} players: give 2 to 12")
    elif match == "simultaneous" and name != "split":
        raise ValueError(f"ties {name} in a simultaneous match: they are split there, say --tie split")
    return name


def solve(
    game: PoolGame | RaceGame, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    folder: str | Path | None = None, threads: int | None = None, force: bool = False, tolerance: float | None = None,
) -> Solved:  # fmt: skip
    """Solve a game and store its table.

    A table that is there already is replaced only by the same content, or with `force`.
    """
    name = _check_request(game, match, tie, players)
    if threads is not None and threads < 1:
        raise ValueError(f"{threads} threads: give 1 or more")
    if tolerance is not None and match != "simultaneous":
        raise ValueError(
            "a tolerance is for the equilibrium of a simultaneous match: leave it out, or say --match simultaneous"
        )
    place = tables.writable(folder) / _file(game, match, name, players)
    if place.exists() and not force:  # refuse what cannot be replaced before the work, not after it
        tables.load(place, rules(game), **_facts(game, match, name, players))
    begun = time.perf_counter()
    solution = compute(game, tie, match=match, players=players, threads=threads, force=force, tolerance=tolerance)
    seconds = time.perf_counter() - begun
    if place.exists() and not force:
        tables.check_same(place, solution)
    else:
        tables.save(solution, place)
    return Solved(solution, place, seconds)


def find(
    game: PoolGame | RaceGame, tie: str | float = "split", *, match: str = "sequential", players: int | None = None,
    folder: str | Path | None = None, force: bool = False,
) -> Any:  # fmt: skip
    """Return the solution of a game: from a stored table, or else solved now and stored where that is possible."""
    name = _check_request(game, match, tie, players)
    file = _file(game, match, name, players)
    path = tables.find(file, folder)
    if path is not None:
        return tables.load(path, rules(game), **_facts(game, match, name, players))
    progress.say(f"There is no table of {game.name} yet ({file}): solving it now.")
    solution = compute(game, tie, match=match, players=players, force=force)
    try:
        tables.save(solution, tables.writable(folder) / file)
    except ValueError as error:
        progress.say(f"The table was not kept: {error}")
    return solution


def duel(game: PoolGame, tie: str | float = "split", **where: Any) -> Duel:
    """Return the solved game for two in turn."""
    found = find(game, tie, **where)
    assert isinstance(found, Duel)
    return found


# Headlines.


def headline(solved: Solved) -> dict[str, Any]:
    """Return what solving found, as plain data."""
    solution = solved.solution
    stored = {"tables": str(solved.path), "seconds": solved.seconds}
    if isinstance(solution, Duel):
        return {
            "game": solution.game.name, "dice": solution.game.dice, "tie": solution.tie, "match": "sequential",
            "expected_score": solution.expected_score, "first_player_value": solution.first_player_value,
            "second_player_value": solution.second_player_value, "error_bound": solution.error_bound, **stored,
        }  # fmt: skip
    if isinstance(solution.game, RaceGame):
        return {
            "game": solution.game.name, "expected_turn_score": solution.expected_turn_score,
            "first_player_value": solution.first_player_value, "second_player_value": 1.0 - solution.first_player_value,
            "iterations": solution.iterations.most, "error_bound": solution.error_bound, **stored,
        }  # fmt: skip
    facts: dict[str, Any] = {
        "game": solution.game.name, "dice": solution.game.dice, "tie": getattr(solution, "tie", "split"),
        "match": {"players": "sequential", "hidden": "simultaneous"}.get(solution.kind, solution.kind),
        "expected_score": duel(solution.game).expected_score, "first_player_value": solution.first_player_value,
        "second_player_value": 1.0 - solution.first_player_value,
    }  # fmt: skip
    for key in ("exploitability", "score_policy_exploitability", "error_bound"):
        if hasattr(solution, key):
            facts[key] = float(getattr(solution, key))
    if solution.kind == "hidden":
        facts |= _hidden_facts(solution)
    if hasattr(solution, "seat_values"):
        facts["seat_values"] = [float(value) for value in solution.seat_values]
        facts["second_player_value"] = facts["seat_values"][1]
        facts["score_costs"] = [float(value) for value in solution.score_costs]
    return facts | stored


def _hidden_facts(solution: Any) -> dict[str, Any]:
    """Return what an equilibrium looks like, and what each built-in policy loses to its best answer."""
    from ..ask import policies as policy
    from ..match import evaluate, hidden

    game = solution.game
    solved = duel(game)
    lost = {
        name: hidden.exploitability(game, evaluate.score_distribution(solved, policy.named(name, solved)))
        for name in policy.BUILT_IN
    }
    return {
        "mean": solution.mean, "sd": solution.sd, "mixture": [float(weight) for weight in solution.weights],
        "policy_exploitability": lost,
    }  # fmt: skip


def describe(facts: dict[str, Any]) -> list[str]:
    """Say a headline in words, a line each."""
    name = facts["game"] + (f" ({facts['dice']})" if facts.get("dice", facts["game"]) != facts["game"] else "")
    lines = [f"{name}, solved in {facts['seconds']:.2f} s"]
    if "tie" in facts:
        lines[0] = f"{name}, {facts['match']}, ties {facts['tie']}: solved in {facts['seconds']:.2f} s"
    words = {
        "expected_score": "expected score, playing for points",
        "expected_turn_score": "expected score of a turn",
        "first_player_value": "first player's chance to win",
        "second_player_value": "second player's chance to win",
        "exploitability": "the most that any answer gains",
        "score_policy_exploitability": "what playing for points loses to its best answer",
        "error_bound": "error at most",
    }
    for key, text in words.items():
        if key in facts:
            number = f"{facts[key]:.1e}" if key in ("error_bound", "exploitability") else f"{facts[key]:.6f}"
            lines.append(f"  {text:<50}{number}")
    if "mixture" in facts:
        shares = ", ".join(f"{share:.1%}" for share in facts["mixture"])
        lines.append(f"  {'mean and standard deviation of the score':<50}{facts['mean']:.4f}, {facts['sd']:.4f}")
        lines.append(f"  {'policies in the mixture':<50}{len(facts['mixture'])} ({shares})")
        for name, loss in facts["policy_exploitability"].items():
            lines.append(f"  {f'what {name} loses to its best answer':<50}{loss:.6f}")
    for seat, value in enumerate(facts.get("seat_values", []), 1):
        lines.append(f"  {f'chance of seat {seat}':<50}{value:.6f}")
    return [*lines, f"The table is {facts['tables']}"]
