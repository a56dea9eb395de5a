#!/usr/bin/env python3
"""Measure what people wait for, beside the most that it may take; exit 1 where that is missed.

    python scripts/bench.py [--peer [DIR]] [--json] [--quick] [--only KEY,...] [--plot FILE] [--history FILE]

Machines differ and are busy, so that every time stands beside a yardstick of the same run: for commands, a process that
imports numpy, h5py and numba, timed just before; for solvers, with --peer, the plain C solver of Biscuits. Limits are those
of a machine on which the yardsticks take `YARDSTICKS`, and grow and shrink with them; ratios to plain C need none.

With --peer, pool.c, race.c and yahtzee.c in DIR (../shared/peers if not said) are compiled and timed in the same run, one
thread against one thread, of Yahtzee two against two; the ratios are ours over theirs. So is graph.c, which stands beside
this script, wherever there is a C compiler. Times are the best of several runs. --history appends the machine, the versions
and all figures to a file, a line of JSON for each run.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.metadata
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gametheory import columns
from gametheory.games import game
from gametheory.match import dealing, duel
from gametheory.own import graph
from gametheory.own.sums import Sums
from gametheory.pool.states import estimate
from gametheory.race import solver as race

GAMETHEORY = [sys.executable, "-m", "gametheory"]
YARDSTICKS = {"process": 0.23, "pool": 0.62}
"""Seconds of the yardsticks on the machine that the limits are for: a warm process, and Biscuits in plain C."""


@dataclass(frozen=True)
class Row:
    """A figure, the most it may be (the least, for one that should be large), and the yardstick that this grows with."""

    words: str
    at_most: float | None = None
    at_least: float | None = None
    by: str | None = None

    def limit(self, yardsticks: dict[str, float]) -> float | None:
        """Return the limit on this machine; None if there is none, or nothing to measure it by."""
        scale = yardsticks.get(self.by, 0.0) / YARDSTICKS[self.by] if self.by else 1.0
        if scale == 0.0:
            return None
        return self.at_most * scale if self.at_most is not None else self.at_least / scale if self.at_least else None

    def missed(self, value: float, limit: float | None) -> bool:
        return limit is not None and (value > limit if self.at_most is not None else value < limit)


ROWS = {
    "cold_seconds": Row("nothing compiled: solve biscuits (s)", 3.0, by="process"),
    "cold_pig_seconds": Row("nothing compiled: solve pig (s)", 2.5, by="process"),
    "cold_race_seconds": Row("nothing compiled: solve ten-thousand (s)", 4.0, by="process"),
    "compare_race_seconds": Row("compare ten-thousand (s)", 4.0, by="process"),
    "cold_compare_race_seconds": Row("  nothing compiled (s)", 7.0, by="process"),
    "diff_race_seconds": Row("diff ten-thousand (s)", 4.0, by="process"),
    "cold_diff_race_seconds": Row("  nothing compiled (s)", 7.0, by="process"),
    "diff_all_race_seconds": Row("  --all, until it prints (s)", 4.0, by="process"),
    "plot_race_seconds": Row("plot ten-thousand score-difference (s)", 3.0, by="process"),
    "fair_race_seconds": Row("fair ten-thousand (s)", 2.5, by="process"),
    "compare_seconds": Row("compare biscuits (s)", 2.5, by="process"),
    "cutoff_seconds": Row("table badg cutoff (s)", 2.0, by="process"),
    "frontier_seconds": Row("card biscuits --frontier (s)", 6.0, by="process"),
    "verify_seconds": Row("verify all packaged tables (s)", 25.0, by="process"),
    "moves_process_seconds": Row("moves on a stored table (s)", 0.20, by="process"),
    "pool_seconds": Row("Biscuits for two, warm, one thread (s)"),
    "pool_seconds_all_threads": Row("  all threads (s)"),
    "pool_peer_seconds": Row("  plain C (s)"),
    "pool_ratio": Row("  ours over plain C", 0.07),
    "race_seconds": Row("ten-thousand, warm, one thread (s)"),
    "race_peer_seconds": Row("  plain C (s)"),
    "race_ratio": Row("  ours over plain C", 0.03),
    "points_yahtzee_seconds": Row("nothing compiled: solve yahtzee --aim points (s)", 10.0, by="process"),
    "scorecard_seconds": Row("Yahtzee for two, two threads (s)"),
    "scorecard_peer_seconds": Row("  plain C, two threads (s)"),
    "scorecard_ratio": Row("  ours over plain C", 0.5),
    "scorecard_gigabytes": Row("  memory (GB)", 6.0),
    "moves_seconds": Row("rank the moves of a roll, in this process (s)"),
    "simulated_games_per_second": Row("simulated games of Biscuits a second", at_least=500_000, by="process"),
    "diff_seconds": Row("diff of Biscuits with the top hundred (s)"),
    "walk_seconds": Row("walking a million moves of a game of one's own (s)", 5.0, by="process"),
    "graph_moves": Row("a large graph of one's own: moves"),
    "graph_columns": Row("  columns of points"),
    "graph_prepare_seconds": Row("  leaving out what cannot matter (s)"),
    "graph_seconds": Row("  solved for second and first, one thread (s)"),
    "graph_peer_seconds": Row("  the same arrays in plain C (s)"),
    "graph_ratio": Row("  ours over plain C", 3.0),
    "graph_apart": Row("  largest difference between the two", 1e-9),
    "midnight_script_seconds": Row("nothing compiled: scripts/midnight.py (s)", 0.6, by="process"),
    "midnight_seconds": Row("nothing compiled: solve midnight (s)", 0.6, by="process"),
}
"""Every figure that is measured, by its key; what is no number (`growth`) is shown by itself."""


# Measuring.


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Return the shortest time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def run_process(arguments: list[str], **environment: str) -> None:
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})


class Command(NamedTuple):
    """A command line to be timed, with nothing compiled or after it has run once; `first` stops at the first line."""

    asked: str
    cold: bool = False
    runs: int = 3
    first: bool = False


COMMANDS = {
    "cold_seconds": Command("solve biscuits --force", cold=True),
    "points_yahtzee_seconds": Command("solve yahtzee --aim points --force", cold=True, runs=2),
    "cold_pig_seconds": Command("solve pig --force", cold=True),
    "cold_race_seconds": Command("solve ten-thousand --force", cold=True, runs=2),
    "compare_race_seconds": Command("compare ten-thousand", runs=1),
    "cold_compare_race_seconds": Command("compare ten-thousand", cold=True, runs=1),
    "diff_race_seconds": Command("diff ten-thousand", runs=1),
    "cold_diff_race_seconds": Command("diff ten-thousand", cold=True, runs=1),
    "diff_all_race_seconds": Command("diff ten-thousand --all --format csv", runs=1, first=True),
    "plot_race_seconds": Command("plot ten-thousand score-difference --force -o {folder}/figure.png", runs=1),
    "fair_race_seconds": Command("fair ten-thousand", runs=1),
    "compare_seconds": Command("compare biscuits"),
    "cutoff_seconds": Command("table badg cutoff"),
    "frontier_seconds": Command("card biscuits --frontier", runs=1),
    "verify_seconds": Command("verify", runs=1),
    "moves_process_seconds": Command("moves biscuits d6:6x12 d8:1 d10:1 d12:1", runs=5),
    "midnight_seconds": Command("solve midnight --force", cold=True, runs=5),
}
LONG = {key for key in COMMANDS if "race" in key} | {"frontier_seconds", "verify_seconds"} | {
    "scorecard_seconds", "scorecard_ratio", "scorecard_gigabytes",
}  # fmt: skip
"""Commands that a quick run leaves out."""


def time_yardstick() -> float:
    """Return how long a warm process takes that imports what most commands do."""
    return best_of(3, lambda: run_process([sys.executable, "-c", "import numpy, h5py, numba"]))


@contextmanager
def compiled(cold: bool) -> Iterator[dict[str, str]]:
    """Give an environment with a cache of nothing compiled, or with the user's own."""
    if not cold:
        yield {}
        return
    with tempfile.TemporaryDirectory() as cache:
        yield {"NUMBA_CACHE_DIR": cache}


def time_command(command: Command) -> float:
    """Return how long a command takes; solutions go to a folder of their own, and are found among the packaged tables."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        asked = [*GAMETHEORY, *command.asked.format(folder=folder).split()]
        for run in range(command.runs + (not command.cold)):  # the first may compile
            with compiled(command.cold) as environment:
                begun = time.perf_counter()
                if command.first:
                    wait_for_line(asked)
                else:
                    run_process(asked, GAMETHEORY_TABLES=folder, **environment)
                if run or command.cold:
                    times.append(time.perf_counter() - begun)
    return min(times)


def wait_for_line(arguments: list[str]) -> None:
    """Run a process until it has printed two lines: a heading, and an answer."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        process.kill()


def measure_commands(wanted: Callable[[str], bool]) -> tuple[dict[str, Any], dict[str, float]]:
    """Time the commands that are wanted; return their times, and of each the yardstick just before it."""
    found, yardsticks = {}, {}
    for key, command in COMMANDS.items():
        if wanted(key):
            yardsticks[key] = time_yardstick()
            found[key] = time_command(command)
    return found, yardsticks


def time_peers(folder: Path) -> tuple[float, list[float], float]:
    """Compile and run the plain C solvers on one thread; return the pool's seconds, its parts, and the race's seconds."""
    with tempfile.TemporaryDirectory() as place:
        pool_peer, race_peer = f"{place}/pool", f"{place}/race"
        fast = ["gcc", "-O3", "-march=native"]
        subprocess.run([*fast, "-ffast-math", "-fopenmp", str(folder / "pool.c"), "-o", pool_peer], check=True)
        subprocess.run([*fast, str(folder / "race.c"), "-lm", "-o", race_peer], check=True)

        def run(command: list[str]) -> dict[str, Any]:
            one = {**os.environ, "OMP_NUM_THREADS": "1"}
            found: dict[str, Any] = json.loads(
                subprocess.run(command, check=True, capture_output=True, text=True, env=one).stdout
            )
            return found

        pools = min((run([pool_peer]) for _ in range(3)), key=lambda found: found["seconds"])
        return pools["seconds"], pools["parts"], run([race_peer, "10000", "1000"])["seconds"]


# Games of one's own.


class LookUps:
    """A game whose rules are look-ups: so many rooms, ten rolls in each, five moves to later rooms for some points."""

    name = "look-ups"
    start = 0

    def __init__(self, rooms: int, rolls: int = 10, moves: int = 5) -> None:
        draw = random.Random(1)

        def offered(room: int) -> list[tuple[int, int, int]]:
            return [(move, min(room + draw.randint(1, 20), rooms), draw.randint(0, 5)) for move in range(moves)]

        self.shown = [[(roll, draw.randint(1, 4)) for roll in range(rolls)] for _ in range(rooms)]
        self.shown.append([])
        self.offered = [[offered(room) for _ in range(rolls)] for room in range(rooms)]

    def rolls(self, room: int) -> list[tuple[int, int]]:
        return self.shown[room]

    def moves(self, room: int, roll: int) -> list[tuple[int, int, int]]:
        return self.offered[room][roll]


def layered(states: int, moves: int, scores: int, levels: int = 25) -> graph.Graph:
    """Make a graph of so many states in levels, ten rolls in each, moves by chance into the level below, and a start."""
    draw = np.random.default_rng(1)
    size, rolls = states // levels, 10
    each = moves // (states * rolls)
    level = np.repeat(np.arange(levels), size * rolls * each)
    low, high = np.where(level == 0, 0, 1 + (level - 1) * size), np.where(level == 0, 1, 1 + level * size)
    first = 1 + (levels - 1) * size
    after = np.append(low + (draw.random(len(level)) * (high - low)).astype(np.int64), np.arange(first, first + size))
    points = np.append(draw.integers(0, scores // levels + 1, len(level)), np.zeros(size, np.int64))
    sizes = np.append(np.full(states * rolls, each), np.ones(size, np.int64))
    counts = np.concatenate([[0], np.full(states, rolls), [size]])
    weights = draw.integers(1, 5, len(sizes)).astype(float)
    begins = range(1, states + 2, size)
    ranges = [range(begin, min(begin + size, states + 2)) for begin in begins]
    return graph.Graph(
        list(range(states + 2)), graph.beginnings(counts), weights, graph.beginnings(sizes), after, points, [0], ranges, ""
    )


def time_graph(quick: bool) -> dict[str, Any]:
    """Solve a large graph for every target and for the first player, and the same arrays by the plain C loop."""
    states, moves = (20_000, 1_000_000) if quick else (200_000, 10_000_000)
    space = Sums(LookUps(1))
    space.graph = layered(states, moves, 300)
    found: dict[str, Any] = {"graph_columns": len(space.solo), "graph_prepare_seconds": best_of(1, lambda: space.decided)}
    found["graph_moves"] = len(space.listed.after)
    ends = space.chase_ends(1.0, 0.5)
    columns.best(space, ends[:, : len(space.solo)], threads=1)  # compile
    solved = columns.best(space, ends, threads=1).values[space.start]
    value = space.ends(np.ascontiguousarray(1.0 - space.by_target(solved)))

    def ours() -> list[Any]:
        return [columns.best(space, worth, threads=1).values[space.start] for worth in (ends, value)]

    found["graph_seconds"] = best_of(2, ours)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler:
        solve = build_graph_peer(compiler, space)
        found["graph_peer_seconds"] = best_of(2, lambda: [solve(worth) for worth in (ends, value)])
        found["graph_ratio"] = found["graph_seconds"] / found["graph_peer_seconds"]
        found["graph_apart"] = float(np.abs(solve(ends)[-1] - solved).max())
    return found


def build_graph_peer(compiler: str, space: Sums) -> Callable[[Any], Any]:
    """Compile the plain C loop; return it as a function from the row of the end to all rows."""
    arrays = [np.ascontiguousarray(array) for array in space.decided]
    with tempfile.TemporaryDirectory() as place:
        library = f"{place}/graph.so"
        source = Path(__file__).with_name("graph.c")
        fast = [compiler, "-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([*fast, str(source), "-o", library], check=True)
        peer = ctypes.CDLL(library)

    def solve(ends: Any) -> Any:
        rows = np.empty((space.places, ends.shape[1]))
        rows[0] = ends
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
        sizes = ctypes.c_int64(rows.shape[1]), ctypes.c_int64(space.places)
        peer.solve(rows.ctypes.data_as(ctypes.c_void_p), *sizes, *pointers)
        return rows

    return solve


# Growth.

GROWTH: dict[str, tuple[str, tuple[int, ...]]] = {
    "n d6": ("{n}d6", (10, 20, 30, 40, 60, 80, 100)),
    "n d6 + d8 + d10 + d12": ("{n}d6+d8+d10+d12", (4, 8, 12, 16, 20, 24)),
    "ten-thousand to n": ("ten-thousand", (2_000, 5_000, 10_000, 20_000, 50_000)),
    "threes, n players": ("threes", (3, 4, 6, 8, 10, 12)),
    "n d6, roll by roll": ("{n}d6", (5, 10, 15, 20, 30, 40)),
}
"""What grows, and the sizes that are solved; quick runs leave out the larger half."""

SOLVE = """
import json, sys, time
from gametheory import games
from gametheory.match.kinds import kind_of
from gametheory.match.solution import Request

def solve(series, name, n):
    chosen, request = games.game(name), Request(force=True)
    if "players" in series:
        request = Request(players=n, force=True)
    elif "roll by roll" in series:
        request = Request(match="alternating", force=True)
    elif "ten-thousand" in series:
        chosen = chosen.with_goal(n)
    kind = kind_of(chosen, request)
    begun, computed = time.perf_counter(), time.process_time()
    kind.solve(chosen, request)
    took = time.perf_counter() - begun, time.process_time() - computed
    return *took, games.family(chosen).seconds(chosen) if request == Request(force=True) else None

series, small, few, name, n = json.loads(sys.argv[1])
solve(series, small, few)  # compile
seconds, computing, estimated = solve(series, name, n)
# The peak that getrusage knows is inherited from the parent; the kernel's own is not.
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps([seconds, computing, int(status["VmHWM"].split()[0]) / 1024, estimated]))
"""


def measure_growth(quick: bool) -> dict[str, Any]:
    """Solve ever larger games, each in a process of its own: seconds, those of computing, and peak memory.

    The power that they grow as is that of computing, on all cores together, which hardly hangs on how busy a machine is.
    """
    found = {}
    for series, (name, sizes) in GROWTH.items():
        rows = []
        for n in sizes[: (len(sizes) + 1) // 2] if quick else sizes:
            asked = json.dumps([series, name.format(n=sizes[0]), sizes[0], name.format(n=n), n])
            printed = subprocess.run([sys.executable, "-c", SOLVE, asked], check=True, capture_output=True, text=True).stdout
            took = dict(zip(("seconds", "computing", "megabytes", "estimated"), json.loads(printed), strict=True))
            rows.append({"n": n, **took})
        large = rows[len(rows) // 2 - 1 :]
        slope = np.polyfit(np.log([row["n"] for row in large]), np.log([row["computing"] for row in large]), 1)[0]
        found[series] = {"rows": rows, "exponent": float(slope)}
    return found


def draw_growth(growth: dict[str, Any], path: Path) -> None:
    from gametheory import figures

    lines = {series: [(row["n"], row["computing"]) for row in found["rows"]] for series, found in growth.items()}
    figures.save(figures.lines(lines, "What solving takes as games grow", "n", "seconds of computing", powers=True), path)


# All of it.


def measure(peers: Path | None, quick: bool, only: set[str]) -> dict[str, Any]:
    """Measure everything, or what is wanted only; return it as plain data, with what was too slow in `missed`."""

    def wanted(*keys: str) -> bool:
        return bool(only & set(keys)) if only else not (quick and set(keys) <= LONG)

    found, before = measure_commands(wanted)

    def hold_up(*keys: str) -> bool:
        """Time the yardstick just before figures that are wanted."""
        asked = wanted(*keys)
        if asked:
            before.update(dict.fromkeys(keys, time_yardstick()))
        return asked

    if hold_up("midnight_script_seconds"):
        with tempfile.TemporaryDirectory() as nothing:
            script = [sys.executable, str(Path(__file__).with_name("midnight.py"))]
            found["midnight_script_seconds"] = best_of(5, lambda: run_process(script, NUMBA_CACHE_DIR=nothing))
    if wanted("pool_ratio", "race_ratio", "pool_seconds", "race_seconds"):
        found |= measure_solvers(peers, quick)
    if hold_up("scorecard_seconds", "scorecard_ratio", "scorecard_gigabytes"):
        found |= measure_scorecard(peers)
    if hold_up("simulated_games_per_second", "moves_seconds", "diff_seconds"):
        found |= measure_questions(quick)
    if hold_up("walk_seconds", "graph_ratio"):
        found |= measure_own(quick)
    if wanted("growth"):
        found["growth"] = measure_growth(quick)
    found["yardstick_seconds"] = before
    found["limits"] = limits = {key: ROWS[key].limit({"process": before.get(key, 0.0)}) for key in found if key in ROWS}
    found["missed"] = [key for key, limit in limits.items() if ROWS[key].missed(found[key], limit)]
    return found


def measure_solvers(peers: Path | None, quick: bool) -> dict[str, Any]:
    """Time the two solvers, and with `peers` the plain C ones in turn with them."""
    biscuits, ten_thousand = game("biscuits"), game("ten-thousand")
    duel.solve(biscuits)
    race.solve(ten_thousand.with_goal(2000), threads=1)
    found: dict[str, Any] = {"pool_seconds": best_of(9, lambda: duel.solve(biscuits, threads=1))}
    found["pool_seconds_all_threads"] = best_of(9, lambda: duel.solve(biscuits))
    found["race_seconds"] = best_of(1 if quick else 3, lambda: race.solve(ten_thousand, threads=1))
    found["estimate_seconds"] = estimate(biscuits).seconds
    if peers:
        pool_peer, parts, race_peer = time_peers(peers)
        found |= {"pool_peer_seconds": pool_peer, "pool_peer_parts": parts, "race_peer_seconds": race_peer}
        found["pool_ratio"] = found["pool_seconds"] / pool_peer
        found["race_ratio"] = found["race_seconds"] / race_peer
    return found


SCORECARD = """
import resource, time
from gametheory import game
from gametheory.match import duel
duel.solve(game("house.toml"), threads=2)
begun = time.perf_counter()
duel.solve(game("yahtzee"), threads=2)
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""
"""Yahtzee solved in a process of its own, after a small card for which everything is compiled."""


def measure_scorecard(peers: Path | None) -> dict[str, Any]:
    """Solve Yahtzee for both seats; with `peers` in plain C too, on two threads both."""
    with tempfile.TemporaryDirectory() as place:
        rules = 'like = "yahtzee"\ndice = 2\nboxes = ["sixes", "yahtzee"]\nupper_bonus = { at = 12, points = 5 }\n'
        (Path(place) / "house.toml").write_text(rules, encoding="utf-8")
        command = [sys.executable, "-c", SCORECARD]
        told = subprocess.run(command, check=True, capture_output=True, text=True, cwd=place).stdout.split()
        found = {"scorecard_seconds": float(told[0]), "scorecard_gigabytes": float(told[1])}
        if peers:
            peer = f"{place}/yahtzee"
            fast = ["gcc", "-O3", "-march=native", "-ffast-math", "-fopenmp", str(peers / "yahtzee.c"), "-lm", "-o", peer]
            subprocess.run(fast, check=True)
            two = {**os.environ, "OMP_NUM_THREADS": "2"}
            found["scorecard_peer_seconds"] = best_of(
                1, lambda: subprocess.run([peer], check=True, capture_output=True, env=two)
            )
            found["scorecard_ratio"] = found["scorecard_seconds"] / found["scorecard_peer_seconds"]
    return found


def measure_questions(quick: bool) -> dict[str, Any]:
    """Time questions to a solved game of Biscuits in this process."""
    solved = duel.solve(game("biscuits"))
    win, score = solved.policy("win"), solved.policy("score")
    dealing.deal(solved, win, score, 1000)
    games = 100_000 if quick else 1_000_000
    roll = "d6:6,6,5,4,4,3,2,1 d8:3 d12:7"
    found = {"moves_seconds": best_of(5, lambda: solved.moves(roll, banked=30))}
    found["simulated_games_per_second"] = games / best_of(2, lambda: dealing.deal(solved, win, score, games))
    solved.compare([win, score])
    return found | {"diff_seconds": best_of(2, lambda: solved.diff().top(100))}


def measure_own(quick: bool) -> dict[str, Any]:
    """Measure games of one's own: walking, and solving a large graph."""
    rooms = 2_000 if quick else 20_000
    walked = LookUps(rooms)
    return {"walk_seconds": best_of(2, lambda: graph.walk(walked)) * 20_000 / rooms} | time_graph(quick)


# Showing.


def show(found: dict[str, Any]) -> None:
    """Print what was measured beside what it may be."""
    print(f"{'':<58}{'now':>10}{'at most':>12}")
    for key, row in ROWS.items():
        if key in found:
            limit = found["limits"][key]
            at = "" if limit is None else f"{limit:,.3g}" if row.at_most is not None else f"least {limit:,.0f}"
            print(f"{row.words:<58}{found[key]:>10,.3g}{at:>14}{'  missed' if key in found['missed'] else ''}")
    for series, growth in found.get("growth", {}).items():
        print(f"\n{series}: computing grows as n to the {growth['exponent']:.1f}")
        print(f"{'n':>10}{'seconds':>10}{'computing':>11}{'estimated':>11}{'megabytes':>11}")
        for row in growth["rows"]:
            estimated = "" if row["estimated"] is None else f"{row['estimated']:.3f}"
            print(f"{row['n']:>10,}{row['seconds']:>10.3f}{row['computing']:>11.3f}{estimated:>11}{row['megabytes']:>11.0f}")
    taken = found["yardstick_seconds"].values()
    if taken:
        between = f"{min(taken):.2f} to {max(taken):.2f} s"
        print(f"\nyardstick: a warm process took {between} here, {YARDSTICKS['process']} s where the limits are from")


def remember(found: dict[str, Any], path: Path) -> None:
    """Append a run to a file, as a line of JSON: when and where it was, with which versions, and all figures."""
    versions = {name: importlib.metadata.version(name) for name in ("gametheory", "numpy", "numba", "llvmlite", "h5py")}
    run = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "machine": platform.platform(),
        "processor": processor(), "cpu_count": os.cpu_count(), "python": platform.python_version(), "versions": versions,
    }  # fmt: skip
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run | found) + "\n")


def processor() -> str:
    """Return what the processor calls itself."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", nargs="?", type=Path, const=Path("../shared/peers"), metavar="DIR")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, without the long commands: under two minutes")
    parser.add_argument("--only", metavar="KEY,...", help="these figures alone, by their keys; growth is one")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the growth")
    parser.add_argument("--history", type=Path, metavar="FILE", help="append the machine, the versions and all figures")
    options = parser.parse_args()
    only = set(options.only.split(",")) if options.only else set()
    unknown = only - set(ROWS) - {"growth"}
    if unknown:
        parser.error(f"no figure {', '.join(sorted(unknown))}: there are growth, {', '.join(ROWS)}")
    found = measure(options.peer, options.quick, only)
    if options.plot and "growth" in found:
        draw_growth(found["growth"], options.plot)
    if options.history:
        remember(found, options.history)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)
    return 1 if found["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
