"""The advisor as one HTML file: the solved tables, the scripts and the styles of `web/` put into one page.

The page asks nobody for anything: its own policy forbids every outside request. Numbers that moves are ranked by are
carried as base64 of little-endian float64, so that the ranking in the browser is the one of `moves` to the last tie;
pictures carry float32. Rows of the pool tables hold what the dice can make, and no more:

    expected[pool]            expected points still to come
    first[pool][banked]       banked from the least to the most that the dice set aside can make
    second[pool][needed]      needed from the least to the most that the dice left can make; beyond, it is 0 or 1
    values[standing][other]   of a race; expected[opened][turn total][dice] of its turns
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from .. import games
from ..games import PoolGame
from ..match.duel import Duel
from ..race import rules as race_rules
from ..race.rules import RaceGame
from ..race.solver import RaceSolution, turn_tables
from ..store import library
from ..store.export import check_new, whole

GAMES = ("biscuits", "threes", "ten-thousand", "pig")
"""The games of a page that names none."""

SCRIPTS = (
    "dom.js", "random.js", "pool.js", "race.js", "dice_view.js", "charts.js", "advise.js", "train.js", "explore.js",
    "main.js",
)  # fmt: skip
"""The modules, each after those it imports."""

MOST_TARGETS = 12
"""Targets against which the second player is drawn."""

Progress = Callable[[float], None]
Solver = Callable[[str], Any]


def build(
    names: Sequence[str] = (), tables: str | None = None, progress: Progress | None = None, *,
    tie: str | float = "split", solution: Solver | None = None,
) -> str:  # fmt: skip
    """Return the page for these games, by default GAMES.

    `solution(name)` gives a game's `Duel` or `RaceSolution`; by default a stored table is taken, or the game solved.
    """
    chosen = list(dict.fromkeys(names or GAMES))
    find = solution or (lambda name: find_solution(name, tables, tie))
    data = {}
    for done, name in enumerate(chosen):
        solved = find(name)
        data[solved.game.name] = pool_data(solved) if isinstance(solved, Duel) else race_data(solved)
        if progress:
            progress((done + 1) / len(chosen))
    # A "<" in the data could end the element that holds it.
    text = json.dumps({"games": data}, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return assemble(text)


def find_solution(name: str, tables: str | None = None, tie: str | float = "split") -> Duel | RaceSolution:
    """Find the stored solution of a game by its name, or solve it now."""
    game = games.game(name)
    found = library.find(game, "split" if isinstance(game, RaceGame) else tie, folder=tables)
    assert isinstance(found, Duel | RaceSolution)
    return found


def about(game: PoolGame | RaceGame) -> str:
    """Say a game in a sentence or two; a stored table does not hold it."""
    text = game.about or getattr(games.NAMED.get(game.name), "about", "")
    if isinstance(game, RaceGame):
        return f"{text} First to {game.goal} wins.".strip()
    wins = "highest" if game.higher_wins else "lowest"
    return text or f"Roll {game.dice}, set aside one or more, roll the rest; the {wins} sum wins."


def write(path: str | Path, html: str, force: bool = False) -> Path:
    """Write the page to a file, whole or not at all; an existing file is replaced only with `force`."""
    checked = check_new(path, force)
    with whole(checked) as draft:
        draft.write_text(html, encoding="utf-8")
    return checked


# The page.


def assemble(data: str) -> str:
    """Put the data, the scripts and the styles into the page."""
    web = files(__package__) / "web"

    def text(name: str) -> str:
        return (web / name).read_text(encoding="utf-8")

    script = "\n".join(_as_plain_script(text(name)) for name in SCRIPTS)
    html = text("page.html").replace("{{style}}", text("style.css")).replace("{{script}}", script)
    # The data come last: nothing in them is looked at again.
    html = html.replace("{{policy}}", security_policy(html))
    return html.replace("{{data}}", data)


def _as_plain_script(module: str) -> str:
    """Take the imports and exports out of a module that is put into one script with those it imports."""
    module = re.sub(r'^import \{[^}]*\} from "\./\w+\.js";\n', "", module, flags=re.MULTILINE)
    return re.sub(r"^export (?=function|class|const)", "", module, flags=re.MULTILINE)


def security_policy(html: str) -> str:
    """Return the Content-Security-Policy of a page: its own script and style by their digest, and nothing else.

    >>> security_policy("<style>a</style>").split("; ")[:3]
    ["default-src 'none'", "script-src 'none'", "style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"]
    """

    def digests(pattern: str) -> str:
        found = re.findall(pattern, html, flags=re.DOTALL)
        marks = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in found]
        return " ".join(f"'sha256-{mark}'" for mark in marks) or "'none'"

    return "; ".join(
        [
            "default-src 'none'",
            "script-src " + digests('<script type="module">(.*?)</script>'),
            "style-src " + digests("<style>(.*?)</style>"),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


# The data.


def _encode(values: Any, kind: str = "<f8") -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode()


def pool_data(duel: Duel) -> dict[str, Any]:
    """Return a solved pool game as the page carries it."""
    game = duel.game
    first, second = [], []
    banked = duel.axes["banked"]
    needed = duel.axes["needed"]
    for left in game.pools:
        aside = game.banked_dice(left)
        low, high = game.lowest(aside) - banked[0], game.highest(aside) - banked[0]
        first.append(duel.first_table[left][low : high + 1])
        low, high = game.lowest(left) - needed[0], game.highest(left) - needed[0]
        second.append(duel.second_table[left][low : high + 1])
    return {
        "family": "pool",
        "name": game.name,
        "about": about(game),
        "counts": list(game.counts),
        "kinds": [{"name": die.name, "points": list(die.points)} for die in game.kinds],
        "higher": game.higher_wins,
        "tie": duel.tie,
        "tieWorth": duel.tie_worth,
        "expected": _encode(duel.expected_table),
        "first": _encode(np.concatenate(first)),
        "second": _encode(np.concatenate(second)),
        "explore": explore_data(duel),
    }


def explore_data(duel: Duel) -> dict[str, Any]:
    """Return what the pictures of a pool game show: score distributions, and where win and score part.

    Arrays of the latter are by [dice left - 1, banked]: over all the dice of one number, as the score-maximiser meets
    them.
    """
    from ..ask import diff
    from ..ask.policies import Score, Win
    from ..match import evaluate

    game = duel.game
    targets, chances = duel.second_by_target()
    open_targets = [t for t, chance in zip(targets, chances, strict=True) if 0.02 <= chance <= 0.98]
    every = -(-len(open_targets) // MOST_TARGETS) or 1
    seats = []
    visits = None
    for target in [None, *open_targets[::every]]:
        found = diff.between(duel, target)
        visits, often, cost = _by_dice_and_banked(game, found.visits, found.disagreement, found.cost)
        seats.append(
            {
                "target": target,
                "win": _encode(evaluate.distribution(duel, Win(duel), target).probabilities, "<f4"),
                "often": _encode(often, "<f4"),
                "cost": _encode(cost, "<f4"),
                "perGame": float((visits * often).sum()),
                "lost": float((visits * cost).sum()),
            }
        )
    return {
        "score": _encode(evaluate.distribution(duel, Score(duel)).probabilities, "<f4"),
        "visits": _encode(visits, "<f4"),
        "bankedFrom": int(duel.axes["banked"][0]),
        "seats": seats,
    }


def _by_dice_and_banked(game: PoolGame, visits: Any, disagreement: Any, cost: Any) -> tuple[Any, Any, Any]:
    """Add up [pool, gain banked] by [dice left - 1, points banked]; the last two weighed by the visits."""
    asides = [game.banked_dice(left) for left in game.pools]
    least = min(game.lowest(aside) for aside in asides)
    most = max(game.highest(aside) for aside in asides)
    shape = (sum(game.counts), most - least + 1)
    here, often, dear = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for index, left in enumerate(game.pools):
        if not any(left):
            continue
        gains = np.flatnonzero(visits[index])
        places = (sum(left) - 1, game.worst(asides[index]) + game.sign * gains - least)
        here[places] += visits[index, gains]
        often[places] += visits[index, gains] * disagreement[index, gains]
        dear[places] += visits[index, gains] * cost[index, gains]
    weights = np.where(here > 0, here, 1.0)
    return here, often / weights, dear / weights


def race_data(solution: RaceSolution) -> dict[str, Any]:
    """Return a solved race as the page carries it."""
    game = solution.game
    classes: list[list[Any]] = [[]]
    bust = [0.0]
    for dice in range(1, game.dice + 1):
        ways = game.sides**dice
        outcomes = race_rules.outcome_classes(game, dice)
        bust.append(sum(outcome.weight for outcome in outcomes if not outcome.options) / ways)
        classes.append(
            [
                [outcome.weight / ways, [[option.points // game.unit, option.dice_left] for option in outcome.options]]
                for outcome in outcomes
                if outcome.options
            ]
        )
    return {
        "family": "race",
        "name": game.name,
        "about": about(game),
        "dice": game.dice,
        "sides": game.sides,
        "goal": game.goal,
        "opening": game.opening,
        "hotDice": game.hot_dice,
        "bustFaces": list(game.bust_faces),
        "unit": game.unit,
        "combinations": [[list(c.counts), c.points] for c in race_rules.scoring_table(game)],
        "bust": bust,
        "classes": classes,
        "scores": solution.scores.tolist(),
        "opened": solution.opened.astype(int).tolist(),
        "values": _encode(solution.values),
        "expected": _encode(turn_tables(game).expected),
    }
