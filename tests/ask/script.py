"""A script as a user would write it: it takes every public name, and is checked strictly and run."""

from __future__ import annotations

from pathlib import Path

import gametheory as gt


def hold_two(position: object, roll: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Keep the best two dice of one kind."""
    return (roll[0][:2],)


def kinds(game: gt.Game) -> int:
    """Count the rolls of a game's start."""
    return len(list(game.rolls(game.start)))


def look_back(file: Path) -> str:
    """Look at the decisions of a game that was played."""
    return repr(gt.review(file))


def ask(folder: Path) -> list[str]:
    """Ask every question once; return what the answers say of themselves."""
    pool: gt.PoolGame = gt.game("3d4")
    race: gt.RaceGame = gt.game("piglet")
    solved: gt.Solution = gt.solve(pool)
    loaded = gt.load(gt.save(solved, folder / "a.h5"))
    assert isinstance(loaded, gt.Duel)
    policy: gt.Policy = solved.policy("score")
    moves = gt.moves(solved, "d4:4,3,1")
    chase = gt.second(solved)
    made = gt.distribution(solved, hold_two)
    several = gt.distribution(solved, policy, players=3)
    results = gt.compare(solved, ["score", hold_two, "reach:9"])
    apart = gt.diff(solved, policy=hold_two)
    played = gt.simulate(solved, "win", hold_two, games=100, seed=1)
    fair, answer = gt.fair(race), gt.best_answer(solved, "greedy")
    card, sizes = gt.card(solved, "small"), gt.frontier(solved)
    table, rules = gt.table(pool, "one-die"), gt.rules(pool)
    rows, stored = gt.sweep("{n}d4", {"n": "1..2"}), gt.tables()
    figure, page = gt.plot(solved, "second", folder / "second.svg"), gt.page([pool], folder / "page.html")
    checked = gt.verify([folder / "a.h5"])
    proof, model = gt.certify("2d4"), gt.export("1d2")
    begun, _ = gt.new("mine", folder)
    trouble = gt.check(begun)
    names: dict[str, object] = dict(gt.named())
    best: float = moves[0].win_probability + chase[9] + made.mean + several.sd + results[0][0] + apart.win_probability_lost
    return [
        f"{best:.6f} {fair.bonus} {answer['first_player_value']} {len(table)} {len(sizes)} {len(rows)} {len(stored)}",
        *map(repr, (moves, chase, made, several, results, apart, played, fair, answer, card, sizes, table, rules, proof)),
        f"{kinds(pool)} {figure.name} {page.name} {len(checked)} {trouble.states} {len(names)} {loaded.first_player_value}",
        model.splitlines()[0],
        gt.TableError.__name__,
    ]
