"""The questions people ask, answered as plain data: what the command line prints and scripts read."""

from __future__ import annotations

import sys
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import progress
from ..games import PoolGame
from ..match.duel import Duel
from ..race.rules import RaceGame
from ..store import library

Answer = dict[str, Any]


def _policy(name: str, duel: Duel) -> Any:
    from . import policies as policy

    return policy.named(name, duel)


def _check_policies(game: PoolGame | RaceGame, *names: str | None) -> None:
    """Refuse an unknown policy before anything is solved and stored for it."""
    for name in names:
        if name is None:
            continue
        if isinstance(game, PoolGame):
            from . import policies as policy

            policy.check_name(name, game)
        elif name != "win":  # which would solve the race
            from ..race import policies as race_play

            race_play.policy(game, name)


# Moves.


def moves(game: PoolGame | RaceGame, asked: Namespace) -> Answer:
    """Rank the moves of a roll; `asked` says in which position."""
    if asked.top is not None and asked.top < 0:
        raise ValueError(f"--top {asked.top}: give how many moves to show, or 0 for all")
    if asked.sort not in ("win", "score"):
        raise ValueError(f"cannot sort moves by {asked.sort!r}: say win or score")
    if isinstance(game, RaceGame):
        return _shorten(_race_moves(game, asked), asked.top)
    from . import moves as ranking

    _refuse_given(asked, ("turn", "score", "opponent"), "is for races")
    ranking.read_roll(game, asked.roll, asked.banked)
    _check_policies(game, asked.against)
    if asked.match not in ("sequential", "alternating"):
        raise ValueError(f"cannot rank the moves of a {asked.match!r} match one by one: say sequential or alternating")
    if asked.match == "sequential":
        _refuse_given(asked, ("their_dice", "lead"), "is for --match alternating")
        if asked.seat not in (None, "first" if asked.target is None else "second"):
            raise ValueError(f"--seat {asked.seat}: without --target I am first, with it second; leave --seat out")
    else:
        _refuse_given(asked, ("target",), "is for the second of two in turn; give --lead and --their-dice")
    duel = library.duel(game, asked.tie, folder=asked.tables)
    win, where = _position(game, duel, asked)
    ranked = ranking.rank(duel, asked.roll, asked.banked, asked.target, sort=asked.sort, win=win)
    answer = ranked.as_dict()
    answer["question"] = f"{game.name}: {answer['roll']} with {ranked.banked} banked, {where}"
    return _shorten(answer | {"tie": duel.tie, "match": asked.match, "target": asked.target}, asked.top)


def _refuse_given(asked: Namespace, names: Sequence[str], why: str) -> None:
    for name in names:
        if getattr(asked, name) is not None:
            raise ValueError(f"--{name.replace('_', '-')} {why}: leave it out")


def _shorten(answer: Answer, top: int | None) -> Answer:
    """Leave only the best moves, and after them the best for win or for score where it is not among these."""
    rows, marks = answer["moves"], ("best_for_win", "best_for_score")
    kept = list(range(min(top, len(rows)) if top else len(rows)))
    kept += sorted({answer[mark] for mark in marks} - set(kept))
    return answer | {
        "moves": [rows[place] for place in kept],
        **{mark: kept.index(answer[mark]) for mark in marks},
        "moves_in_all": len(rows),
    }


def _position(game: PoolGame, duel: Duel, asked: Namespace) -> tuple[Callable[..., float] | None, str]:
    """Return the chances to win after a move, None where the duel itself says them, and the position in words."""
    among_many = asked.players_after is not None or asked.sharing is not None
    if asked.against is not None and (asked.match == "alternating" or among_many):
        raise ValueError("--against is for the game for two in turn: leave it out, all play to win")
    if among_many and duel.tie != "split":
        raise ValueError("several players share ties at the top: leave --tie out")
    if asked.match == "alternating":
        return _alternating_position(game, asked)
    if among_many:
        return _players_position(game, asked)
    if asked.against is not None and asked.target is None:
        from ..match import evaluate

        rows, _ = evaluate.best_answer(duel, _policy(asked.against, duel))

        def win(left: tuple[int, ...], banked: int) -> float:
            gain = game.sign * (banked - game.worst(game.banked_dice(left)))
            return float(rows[game.pool_index(left), gain])

        return win, f"first to play, against {asked.against}"
    where = "first to play" if asked.target is None else f"second, they made {asked.target}"
    return None, f"{where}, ties {duel.tie}"


def _alternating_position(game: PoolGame, asked: Namespace) -> tuple[Callable[..., float], str]:
    from .. import dice
    from . import moves as ranking

    _, state = ranking.read_roll(game, asked.roll, asked.banked)
    solution = library.find(game, asked.tie, match="alternating", folder=asked.tables)
    theirs = game.counts if asked.their_dice is None else dice.parse_counts(asked.their_dice, game.kinds)
    lead = 0 if asked.lead is None else asked.lead
    if asked.lead is None and (asked.their_dice is not None or state.banked):
        raise ValueError("say how far I lead: --lead L, my banked points less theirs")
    seat = asked.seat or "first"
    solution.check_position(state.dice_left, theirs, lead, seat, state.banked)
    win = solution.after(theirs, lead, state.banked, seat)
    left = dice.format_dice(theirs, game.kinds)
    return win, f"{seat} of two who roll in turn, leading by {lead}, they have {left} left"


def _players_position(game: PoolGame, asked: Namespace) -> tuple[Callable[..., float], str]:
    after = asked.players_after or 0
    sharing = 1 if asked.sharing is None else asked.sharing
    if after < 0 or sharing < 1:
        raise ValueError(f"{after} players after me and {sharing} sharing the best score: give 0 or more and 1 or more")
    if asked.target is None:
        if asked.sharing is not None:
            raise ValueError("--sharing counts who shares the best score: give that score with --target")
        solution = library.find(game, players=max(2, after + 1), folder=asked.tables)
        return solution.after(after), f"{after} to play after me, nobody has played"
    solution = library.find(game, players=after + 1 + sharing, folder=asked.tables)
    return solution.after(after, asked.target, sharing), f"{after} to play after me, {sharing} made {asked.target}"


def _race_moves(game: RaceGame, asked: Namespace) -> Answer:
    from ..race import rules as race_rules
    from ..race import solver as race

    pool_only = ("banked", "target", "their_dice", "lead", "seat", "players_after", "sharing")
    _refuse_given(asked, pool_only, "is for pools")
    _check_policies(game, asked.against)
    turn, score, opponent = (number or 0 for number in (asked.turn, asked.score, asked.opponent))
    shown = race_rules.parse_roll(game, asked.roll)
    if not race_rules.keeps(game, shown):
        raise ValueError(f"the roll {asked.roll} is a bust: nothing scores, the turn ends; give another roll")
    for points in (score, opponent):
        race_rules.check_standing(game, points, None)
    race_rules.check_turn(game, turn, len(shown))
    solution = library.find(game, asked.tie, match=asked.match, folder=asked.tables)
    others = None
    if asked.against is not None:
        from ..race import policies as race_play

        others = race_play.best_answer(solution, asked.against).others
    found = race.moves(solution, asked.roll, turn, score, opponent, sort=asked.sort, others=others)
    needed = game.goal - score - turn
    by_win, by_score = (found.index(race.ranked(found, by, needed)[0]) for by in ("win", "score"))
    return {
        "game": game.name,
        "question": f"{game.name}: {asked.roll}, turn total {turn}, my score {score}, theirs {opponent}",
        "moves": [{**move._asdict(), "keep": " ".join(str(face) for face in move.keep)} for move in found],
        "best_for_win": by_win,
        "best_for_score": by_score,
    }


# Figures.


def distribution(
    game: PoolGame, policy: str, target: int | None, tie: str, folder: str | None, force: bool = False
) -> Answer:
    """Return the exact distribution of a policy's final score."""
    from ..match import evaluate

    _check_policies(game, policy)
    duel = library.duel(game, tie, folder=folder)
    # All targets beyond the scores there are, on either side, are one and the same.
    low, high = game.lowest(game.counts), game.highest(game.counts)
    goal = None if target is None else min(max(target, low - 1), high + 1)
    with progress.bar(f"evaluating {policy}") as advance:
        found = evaluate.distribution(duel, _policy(policy, duel), goal, force=force, progress=advance)
    return {
        "game": game.name, "policy": policy, "target": target, "scores": list(found.scores),
        "probabilities": list(found.probabilities), "mean": found.mean, "sd": found.sd,
    }  # fmt: skip


def compare(
    game: PoolGame | RaceGame, names: Sequence[str] | None, tie: str, folder: str | None, force: bool = False
) -> Answer:
    """Return exact results between policies, by seat."""
    _check_policies(game, *(names or ()))
    if isinstance(game, RaceGame):
        from ..race import policies as race_play

        solution = library.find(game, tie, folder=folder)
        with progress.bar("comparing"):
            found = race_play.compare(solution, names or RACE_POLICIES, force=force)
        return {
            "game": game.name,
            "policies": list(found.policies),
            "first_win": found.first_win.tolist(),
            "tie": (0.0 * found.first_win).tolist(),
            "second_win": (1.0 - found.first_win).tolist(),
        }
    from ..match import evaluate
    from . import policies as policy

    duel = library.duel(game, tie, folder=folder)
    chosen = [policy.named(name, duel) for name in names or policy.BUILT_IN]
    with progress.bar("comparing") as advance:
        result = evaluate.compare(duel, chosen, force=force, progress=advance)
    return {
        "game": game.name, "tie_rule": duel.tie, "policies": list(names or policy.BUILT_IN),
        "first_win": result.first_win.tolist(), "tie": result.tie.tolist(), "second_win": result.second_win.tolist(),
        "first_value": result.first_value(duel.tie_worth).tolist(),
    }  # fmt: skip


MOST_GAMES = 100_000_000
"""Every game's scores are held in memory: this many need some gigabytes."""

RACE_POLICIES = ("win", "score", "simple", "random")


def three_players(game: RaceGame, against: str | None) -> Answer:
    """Return the chances of three who race: all playing to win, or one who answers two of a known policy."""
    from ..race import many as race_many

    _check_policies(game, against)
    with progress.bar(f"solving {game.name} for three") as advance:
        if against is None:
            three = race_many.solve_three(game, progress=lambda done, of: advance(done / of))
            return {
                "game": game.name, "players": 3, "first_player_value": three.seat_values[0],
                "seat_values": list(three.seat_values), "regret": three.regret,
            }  # fmt: skip
        answer = race_many.answer_two(game, against, progress=lambda done, of: advance(done / of))
    fixed = race_many.field(game, [against] * 3).seat_values
    return {
        "game": game.name, "players": 3, "against": against, "seat_values": list(answer.seat_values),
        "same_policy_seat_values": list(fixed),
    }  # fmt: skip


def best_answer(game: PoolGame | RaceGame, against: str, tie: str, folder: str | None) -> Answer:
    """Return what the best answer to a policy is worth, to the first player and to the second."""
    _check_policies(game, against)
    if isinstance(game, RaceGame):
        from ..race import policies as race_play

        solution = library.find(game, tie, folder=folder)
        found = race_play.best_answer(solution, against)
        plain = race_play.evaluate(solution, "win", against)
        return {
            "game": game.name, "against": against, "tie": "none", "first_player_value": found.first_player_value,
            "second_player_value": found.second_player_value, "win_policy_value": plain.first_player_value,
        }  # fmt: skip
    from ..match import evaluate

    duel = library.duel(game, tie, folder=folder)
    policy = _policy(against, duel)
    _, value = evaluate.best_answer(duel, policy)
    wins, ties = evaluate.replies(duel, policy)
    made = evaluate.score_distribution(duel, policy)
    reply = duel.second_by_target()[1]
    if not game.higher_wins:
        reply = reply[::-1]
    plain_win = evaluate.score_distribution(duel, _policy("win", duel))
    return {
        "game": game.name, "dice": game.dice, "match": "sequential", "expected_score": duel.expected_score,
        "against": against, "tie": duel.tie, "first_player_value": value,
        "second_player_value": float(made @ reply),
        "win_policy_value": float(plain_win @ (1.0 - wins - duel.tie_worth * ties)),
    }  # fmt: skip


def simulate(
    game: PoolGame | RaceGame, first: str, second: str, count: int, seed: int, tie: str, folder: str | None
) -> Answer:
    """Play policies against each other."""
    _check_policies(game, first, second)
    if not 1 <= count <= MOST_GAMES:
        raise ValueError(f"{count} games: give 1 to {MOST_GAMES}")
    if seed < 0:
        raise ValueError(f"the seed {seed}: give 0 or more")
    solution = library.find(game, tie, folder=folder)
    with progress.bar("playing") as advance:
        if isinstance(game, RaceGame):
            from ..race import dealing as race_simulate

            played = race_simulate.simulate(solution, first, second, games=count, seed=seed)
            means = {"tie": 0.0, "first_mean": None, "second_mean": None}
            return {"game": game.name, "seed": seed, **played._asdict(), **means}
        from . import simulate as simulation

        one, two = _policy(first, solution), _policy(second, solution)
        result = simulation.play(solution, one, two, count, seed, progress=advance)
    return {"game": game.name, "first": first, "second": second, "seed": seed, **vars(result)}


def simulate_format(
    game: PoolGame, match: str, players: int | None, count: int, seed: int, tie: str, folder: str | None
) -> Answer:
    """Play a format by its own solution; return each seat's share of the wins."""
    from ..match import formats

    solution = library.find(game, tie, match=match, players=players, folder=folder)
    played = formats.simulate(solution, count, seed)
    return {
        "game": game.name, "match": match, "games": played.games, "seed": seed,
        "seat_values": list(played.seat_values), "standard_errors": list(played.standard_errors),
    }  # fmt: skip


# Where win and score part.


def diff(
    game: PoolGame | RaceGame, asked: Namespace, print_json: Callable[[Answer], None], print_table: Callable[..., None]
) -> int:
    """Print where win and score part, or write it to a file."""
    from ..store import export

    form = export.choose_format(asked.output, asked.format)
    path = export.check_new(asked.output, asked.force) if asked.output is not None else None
    if asked.limit < 0:
        raise ValueError(f"--limit {asked.limit}: give 0 or more rows")
    if form == "parquet" and path is None:
        raise ValueError("Parquet is no text: name a file with -o FILE")
    found = _race_diff(game, asked) if isinstance(game, RaceGame) else _pool_diff(game, asked)
    columns, rows, summary = found["columns"], found["rows"], found["summary"]
    if path is not None:
        count = export.write_rows(rows, columns, path, form)
        summary |= {"file": str(path), "rows_written": count}
        if asked.json:
            print_json(summary)
        else:
            _print_summary(game, summary)
            print(f"wrote {count} rows to {path}")
        return 0
    if asked.json:
        print_json(summary | {"rows": list(rows)})
    elif asked.format is not None:
        export.write_text(rows, columns, sys.stdout, form)
    else:
        _print_summary(game, summary)
        _print_rows(columns, list(rows), found["sentences"], print_table)
    return 0


def _print_summary(game: PoolGame | RaceGame, summary: Answer) -> None:
    print(textwrap.fill(f"{game.name}, {summary['seat']}: where playing to win and playing for points part", 79))
    print(f"  decisions in a game             {summary['decisions_per_game']:.6f}")
    print(f"  of them disagreements           {summary['disagreements_per_game']:.6f}")
    print(f"  chance that the first roll is   {summary['first_roll_disagreement']:.6f}")
    print(f"  chance to win that they cost    {summary['win_probability_lost']:.6f}")


def _print_rows(
    columns: Sequence[str], rows: list[Answer], sentences: list[str] | None, print_table: Callable[..., None]
) -> None:
    print()
    if sentences is not None:
        for place, sentence in enumerate(sentences[:10], 1):
            print(textwrap.fill(f"{place:3d}. {sentence}", 79, subsequent_indent="     "))
        if len(rows) > 10:
            print(f"     ... and {len(rows) - 10} more: --format csv prints them, -o FILE writes them")
        return
    text = [[f"{v:.6g}" if isinstance(v, float) else str(v) for v in (row[c] for c in columns)] for row in rows]
    # One word of a column's name above the other, so that the table stays narrow.
    words = [name.split("_") for name in columns]
    depth = max(map(len, words))
    heads = [[([""] * (depth - len(name)) + name)[line] for name in words] for line in range(depth)]
    print_table(heads[0], heads[1:] + text)


def _pool_diff(game: PoolGame, asked: Namespace) -> Answer:
    from ..match import evaluate
    from . import diff as differences

    if asked.target is not None and asked.target not in game.scores():
        raise ValueError(
            f"nobody can make {asked.target}: the scores of {game.name} run from {game.scores()[0]} to {game.scores()[-1]}"
        )
    if asked.by == "score-difference":
        raise ValueError("--by score-difference is for races: say place or target")
    _check_policies(game, asked.against)
    seat = asked.seat or ("first" if asked.target is None else "second")
    if seat not in ("first", "second") or (seat == "first" and asked.target is not None):
        raise ValueError(f"--seat {asked.seat}: say first, without a target, or second")
    duel = library.duel(game, asked.tie, folder=asked.tables)
    if seat == "second" and asked.target is None:
        return _second_diff(game, duel, asked)
    values = None
    if asked.against is not None and asked.target is None:
        values, _ = evaluate.best_answer(duel, _policy(asked.against, duel))
    found = differences.between(duel, asked.target, values)
    words = "first player" if asked.target is None else f"second player against {asked.target}"
    summary: Answer = {"game": game.name, "tie": duel.tie, "seat": words, **found.summary._asdict()}
    if asked.by == "target":
        return _found(summary, ("target", *differences.Summary._fields), _rows_by_target(duel))
    if asked.by == "place":
        return _found(summary, differences.Place._fields, [place._asdict() for place in found.places()])
    if asked.all:
        progress.say(_size_line(found.count_rows()))
        return _found(summary, differences.COLUMNS, (row.as_dict(game) for row in found.rows()))
    with progress.bar("searching the dearest rolls") as advance:
        top = found.top(asked.limit, advance) if asked.limit else []
    rows = [row.as_dict(game) for row in top]
    return _found(summary, differences.COLUMNS, rows) | {"sentences": [row.sentence(game) for row in top]}


def _rows_by_target(duel: Duel) -> list[Answer]:
    from . import diff as differences

    return [{"target": target, **figures._asdict()} for target, figures in differences.by_target(duel)]


def _second_diff(game: PoolGame, duel: Duel, asked: Namespace) -> Answer:
    """Sum up the second player's game against a first who plays to win, or as asked; its rows are by target."""
    from ..match import evaluate
    from . import diff as differences

    if asked.by not in (None, "target") or asked.all:
        raise ValueError("the second player's rolls hang on the target: give --target X, or --by target")
    opponent = asked.against or "win"
    made = evaluate.score_distribution(duel, _policy(opponent, duel))
    figures = differences.second_seat(duel, made)
    words = f"second player against a first who plays {opponent}"
    summary: Answer = {"game": game.name, "tie": duel.tie, "seat": words, **figures._asdict()}
    return _found(summary, ("target", *differences.Summary._fields), _rows_by_target(duel))


def _size_line(count: int) -> str:
    return f"{count} rows, about {count * 180 / 1e6:.0f} MB as CSV, in the order of states"


def _found(summary: Answer, columns: Sequence[str], rows: Iterable[Answer]) -> Answer:
    return {"summary": summary, "columns": tuple(columns), "rows": rows, "sentences": None}


def _race_diff(game: RaceGame, asked: Namespace) -> Answer:
    from ..race import parting as race_diff

    if asked.target is not None:
        raise ValueError("--target is for pools: in a race both scores are in view")
    if asked.seat not in (None, "first", "second"):
        raise ValueError(f"there is no seat {asked.seat!r}: say first or second")
    if asked.by not in (None, "score-difference"):
        raise ValueError(f"--by {asked.by} is for pools: say score-difference")
    _check_policies(game, asked.against)
    solution = library.find(game, asked.tie, folder=asked.tables)
    with progress.bar("comparing"):
        found = race_diff.diff(solution, against=asked.against or "win", seat=asked.seat or "first")
    names = ("decisions_per_game", "disagreements_per_game", "win_probability_lost", "first_roll_disagreement")
    summary: Answer = {"game": game.name, "seat": f"{asked.seat or 'first'} player"} | {
        name: getattr(found, name) for name in names
    }
    if asked.by == "score-difference":
        by = found.by_difference()
        rows = [dict(zip(by._fields, (v.item() for v in values), strict=True)) for values in zip(*by, strict=True)]
        return _found(summary, by._fields, rows)
    listed: Iterable[Any] = found.rows() if asked.all else found.top(asked.limit)
    return _found(summary, RACE_COLUMNS, (_race_row(row) for row in listed)) | (
        {} if asked.all else {"sentences": _race_sentences(listed)}
    )


RACE_COLUMNS = (
    "score", "opened", "opponent", "opponent_opened", "turn", "roll", "score_keep", "score_bank", "win_keep", "win_bank",
    "probability", "cost", "weighted_cost", "score_keep_win_probability", "win_keep_win_probability",
    "score_keep_expected_score", "win_keep_expected_score", "score_tied",
)  # fmt: skip


def _faces(faces: Iterable[int]) -> str:
    return " ".join(str(face) for face in faces)


def _race_row(row: Any) -> Answer:
    data: Answer = row._asdict() | {name: _faces(getattr(row, name)) for name in ("roll", "score_keep", "win_keep")}
    data["weighted_cost"] = row.probability * row.cost
    for who in ("score", "win"):
        for what in ("win_probability", "expected_score"):
            data[f"{who}_keep_{what}"] = data.pop(f"{who}_{what}")
    return {name: data[name] for name in RACE_COLUMNS}


def _race_sentences(rows: Iterable[Any]) -> list[str]:
    """Say the rows in words, only one of those that differ in dice which do not matter."""
    chosen: dict[Any, Any] = {}
    for row in rows:
        chosen.setdefault((row[:5], row.score_keep, row.score_bank, row.win_keep, row.win_bank), row)
    return [_race_sentence(row) for row in chosen.values()]


def _race_sentence(row: Any) -> str:
    def move(keep: Iterable[int], bank: bool) -> str:
        return f"keep {_faces(keep)} and {'bank' if bank else 'roll on'}"

    return (
        f"At {row.score} against {row.opponent}, turn total {row.turn}, {_faces(row.roll)} rolled: for points "
        f"{move(row.score_keep, row.score_bank)} ({row.score_win_probability:.1%} to win), to win "
        f"{move(row.win_keep, row.win_bank)} ({row.win_win_probability:.1%} to win)."
    )


# Tables, fair starts, figures, checks.


def published_table(
    game: PoolGame | RaceGame, name: str, target: int | None, gain: bool, folder: str | None = None
) -> Answer:
    """Return a table in the style of the published ones."""
    if isinstance(game, PoolGame):
        from ..pool import one_die

        if target is not None or gain:
            raise ValueError("--target and --gain are for the tables of races: leave them out")
        if name in ("cutoff", "walk"):
            duel = library.duel(game, folder=folder)
            with progress.bar("playing a million games"):
                columns, rows = one_die.report_table(duel) if name == "cutoff" else one_die.walk_table(duel)
        else:
            columns, rows = one_die.table(game, name)
        places = 5 if name == "cutoff" else 3
        return {
            "game": game.name, "title": f"{game.name}: {name}", "columns": list(columns), "rows": rows, "places": places,
        }  # fmt: skip
    from ..race import published as race_tables

    return race_tables.table(game, name, target, gain)


def fair(game: PoolGame | RaceGame, tie: str, match: str, folder: str | None) -> Answer:
    """Return the head start that makes a game even."""
    if isinstance(game, RaceGame):
        from ..race import solver as race

        with progress.bar("solving with head starts"):
            found = race.fair(library.find(game, tie, match=match, folder=folder))
        return {
            "game": game.name,
            "bonus": found.bonus,
            "value": found.value,
            "value_by_bonus": [[bonus, value] for bonus, value in found.value_by_bonus.items()],
            "sentence": f"{game.name}: give the second player {found.bonus} points, and the first wins {found.value:.6f}.",
        }
    from ..match import formats

    with progress.bar("solving with head starts") as advance:
        even = formats.fair(game, match=match, tie=tie, progress=advance)
    return {
        "game": game.name, "match": match, "tie": even.tie, "bonus": even.bonus,
        "value": even.value_by_bonus[even.bonus], "value_by_bonus": [list(item) for item in even.value_by_bonus.items()],
        "sentence": even.advice,
    }  # fmt: skip


def plot(game: PoolGame | RaceGame, name: str, output: str, tie: str, folder: str | None, force: bool) -> Path:
    """Draw a figure to a file."""
    from ..store import export

    path = export.check_new(output, force)
    from .. import figures

    with progress.bar(f"drawing {name}"):
        return figures.draw(game, name, path, tie, folder)


def verify(files: Sequence[str], folder: str | None, seed: int) -> Answer:
    """Recompute a sample of tables through the plain rules."""
    from ..store import tables
    from . import verify as checks

    paths = [Path(file) for file in files] or tables.every(folder)
    if not paths:
        raise ValueError("there are no tables to verify: solve a game first, or name a file")
    listed: list[Answer] = []
    for path in paths:
        with progress.bar(f"verifying {path.name}") as advance:
            checked = checks.solution(tables.load(path), seed, advance)
        listed.append({"file": str(path), "checked": checked.checked, "worst_residual": checked.worst_residual})
    worst = max(file["worst_residual"] for file in listed)
    return {
        "files": listed, "checked": sum(file["checked"] for file in listed), "worst_residual": worst,
        "sound": worst <= checks.SOUND,
    }  # fmt: skip


# Cards, sweeps, the page.


CARD_FORMS = ("svg", "pdf", "html", "toml")


def card(
    game: PoolGame, size: str, seat: str | None, tie: str, folder: str | None, output: str | None, force: bool
) -> Answer:
    """Find the strategy card of a size; write it to a file if asked."""
    from ..cards import picture as card_picture
    from ..cards import search as card_search
    from ..store import export

    if seat not in (None, "first", "second"):
        raise ValueError(f"there is no seat {seat!r}: say first or second, or leave it out to play for points")
    if size not in card_search.SIZES:
        raise ValueError(f"there is no card size {size!r}: say {', '.join(card_search.SIZES)}")
    path = export.check_new(output, force) if output is not None else None
    form = "" if path is None else path.suffix.lstrip(".").lower()
    if path is not None and form not in CARD_FORMS:
        raise ValueError(f"cannot write a card to {path.name!r}: let the name end in one of {', '.join(CARD_FORMS)}")
    duel = library.duel(game, tie, folder=folder)
    with progress.bar("searching a card") as advance:
        found = card_search.card(duel, size, seat or "score", advance)
    answer = {
        "game": game.name, "name": found.name, "goal": seat or "score", "size": found.size, "rules": found.rules,
        "expected_score": found.expected_score(duel), "first_player_value": found.first_player_value(duel),
        "second_player_value": found.second_player_value(duel), "loss": found.loss(duel),
        "optimal_expected_score": duel.expected_score, "toml": found.to_toml(),
    }  # fmt: skip
    if path is not None:
        content = found.to_toml().encode() if form == "toml" else card_picture.render(found, form, duel)
        with export.whole(path) as draft:
            draft.write_bytes(content)
        answer["file"] = str(path)
    return answer


def frontier(game: PoolGame, tie: str, folder: str | None) -> Answer:
    """Return what cards of growing size lose: (numbers, loss in points, kind of card)."""
    from ..cards import rule as cards
    from ..cards import search as card_search

    duel = library.duel(game, tie, folder=folder)
    with progress.bar("searching cards of every size") as advance:
        found = card_search.frontier(duel, advance)
    kinds = [("par table" if isinstance(point.card, cards.ParCard) else "cut-offs") for point in found]
    points = [[point.size, max(point.loss, 0.0), kind] for point, kind in zip(found, kinds, strict=True)]
    return {"game": game.name, "points": points}


def sweep(asked: Namespace) -> Answer:
    """Solve a grid of games; write the rows, and a figure, if asked."""
    from .. import cluster, sweeps
    from ..store import export

    def listed(text: str) -> list[str]:
        return [item.strip() for item in text.split(",") if item.strip()]

    if asked.figure:
        from .. import figures

        figures.check_suffix(Path(asked.figure))
    figure = export.check_new(asked.figure, asked.force) if asked.figure else None
    cells = sweeps.grid(
        asked.template, asked.variables, ties=listed(asked.tie), matches=listed(asked.match),
        players=sweeps.parse_values(asked.players), policies=listed(asked.policies), force=asked.force,
    )  # fmt: skip
    with cluster.connect(asked.cluster, asked.processes) as executor, progress.bar("sweeping") as advance:
        rows = sweeps.run(cells, asked.output, executor, advance)
    files = [asked.output] if asked.output else []
    if figure is not None:
        x = asked.x or next(iter(asked.variables), "game")
        lines = sweeps.series(rows, x, asked.y, asked.by)
        title = f"{' '.join(asked.template)}: {asked.y.replace('_', ' ')}"
        figures.save(figures.lines(lines, title, x, asked.y.replace("_", " ")), figure)
        files.append(str(figure))
    return {"rows": rows, "files": files}


def page(names: Sequence[str], output: str, folder: str | None, tie: str, force: bool) -> tuple[Path, int]:
    """Write the advisor page; return its path and size in bytes."""
    from ..advisor import page as pages
    from ..store import export

    export.check_new(output, force)
    with progress.bar("building the page") as advance:
        html = pages.build(names, folder, advance, tie=tie)
    return pages.write(output, html, force), len(html.encode())


def serve(names: Sequence[str], host: str, port: int, folder: str | None, tie: str) -> None:
    """Show the advisor page until interrupted."""
    from ..advisor import page as pages
    from ..advisor import serve as server

    server.check_address(host, port)
    with progress.bar("building the page") as advance:
        html = pages.build(names, folder, advance, tie=tie)
    server.run(html, host, port)
