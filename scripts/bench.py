#!/usr/bin/env python3
"""Measure how fast the solvers are: times, ratios to plain C in the same run, growth with the size of the game.

    python scripts/bench.py [--peer [DIR]] [--json] [--quick]

With --peer, pool.c and race.c in DIR (../shared/peers if not said) are compiled and timed in the same run, one thread
against one thread; the ratios are ours over theirs. So is graph.c, which stands beside this script, wherever there is a C
compiler. Times are the best of several runs.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gametheory import columns
from gametheory.games import game
from gametheory.match import dealing, duel
from gametheory.own import graph
from gametheory.own.sums import Sums
from gametheory.pool.states import estimate
from gametheory.race import solver as race

D6_COUNTS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24)
GOALS = (2000, 4000, 6000, 8000, 10000)


def best_of(runs: int, work: Callable[[], Any]) -> float:
    """Return the shortest time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def time_process(arguments: list[str], **environment: str) -> float:
    """Return how long a process takes from start to end."""
    begun = time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment})
    return time.perf_counter() - begun


def peak_megabytes(dice: str) -> tuple[float, float, int]:
    """Solve a pool for two in a process of its own; return seconds, its peak memory, and the distinct stacks summed."""
    code = (
        "import time, sys\n"
        "from gametheory import columns\n"
        "from gametheory.games import game\n"
        "from gametheory.match import duel\n"
        "duel.solve(game('2d6+d8+d10+d12'))\n"
        "counted = []\n"
        "best = columns.best\n"
        "columns.best = lambda *a, **k: (lambda r: counted.append(r.work) or r)(best(*a, **k))\n"
        "begun = time.perf_counter()\n"
        "duel.solve(game(sys.argv[1]))\n"
        "seconds = time.perf_counter() - begun\n"
        # The peak that getrusage knows is inherited from the parent; the kernel's own is not.
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(seconds, int(status['VmHWM'].split()[0]) / 1024, sum(counted))\n"
    )
    printed = subprocess.run([sys.executable, "-c", code, dice], check=True, capture_output=True, text=True).stdout
    seconds, megabytes, stacks = printed.split()
    return float(seconds), float(megabytes), int(stacks)


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


def measure_own(quick: bool) -> dict[str, Any]:
    """Measure games of one's own: walking, solving, and the first second of a small one."""
    rooms = 2_000 if quick else 20_000
    walked = LookUps(rooms)
    found = {"walk_seconds": best_of(2, lambda: graph.walk(walked)) * 20_000 / rooms} | time_graph(quick)
    script = str(Path(__file__).with_name("midnight.py"))
    with tempfile.TemporaryDirectory() as nothing:
        bare = {"NUMBA_CACHE_DIR": nothing}
        found["midnight_script_seconds"] = min(time_process([sys.executable, script], **bare) for _ in range(5))
        asked = [sys.executable, "-m", "gametheory", "solve", "midnight", "--force", "--tables", nothing]
        found["midnight_seconds"] = min(time_process(asked, **bare) for _ in range(5))
    return found


def measure(peers: Path | None, quick: bool) -> dict[str, Any]:
    """Measure everything; return it as plain data."""
    biscuits = game("biscuits")
    solved = duel.solve(biscuits)
    found: dict[str, Any] = {"cpu_count": os.cpu_count()}
    found["pool_seconds"] = best_of(9, lambda: duel.solve(biscuits, threads=1))
    found["pool_seconds_all_threads"] = best_of(9, lambda: duel.solve(biscuits))
    ten_thousand = game("ten-thousand")
    race.solve(ten_thousand.with_goal(2000), threads=1)
    found["race_seconds"] = best_of(1 if quick else 3, lambda: race.solve(ten_thousand, threads=1))
    if peers:
        pool_peer, parts, race_peer = time_peers(peers)
        found |= {"pool_peer_seconds": pool_peer, "pool_peer_parts": parts, "race_peer_seconds": race_peer}
        found["pool_ratio"] = found["pool_seconds"] / pool_peer
        found["race_ratio"] = found["race_seconds"] / race_peer
    command = [sys.executable, "-m", "gametheory"]
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as tables:
        found["cold_seconds"] = time_process([*command, "solve", "biscuits", "--tables", tables], NUMBA_CACHE_DIR=cache)
        asked = [*command, "moves", "biscuits", "d6:6x12 d8:1 d10:1 d12:1", "--tables", tables]
        found["moves_process_seconds"] = min(time_process(asked) for _ in range(5))
    found["moves_seconds"] = best_of(5, lambda: solved.moves("d6:6,6,5,4,4,3,2,1 d8:3 d12:7", banked=30))
    win, score = solved.policy("win"), solved.policy("score")
    dealing.deal(solved, win, score, 1000)
    games = 100_000 if quick else 1_000_000
    found["simulated_games_per_second"] = games / best_of(1, lambda: dealing.deal(solved, win, score, games))
    solved.compare([win, score])
    found["diff_seconds"] = best_of(2, lambda: solved.diff().top(100))
    found["growth"] = []
    for count in D6_COUNTS[:5] if quick else D6_COUNTS:
        seconds, megabytes, stacks = peak_megabytes(f"{count}d6+d8+d10+d12")
        found["growth"].append({"d6": count, "seconds": seconds, "megabytes": megabytes, "stacks": stacks})
    large = [row for row in found["growth"] if row["d6"] >= 8]
    slope = np.polyfit(np.log([row["d6"] for row in large]), np.log([row["seconds"] for row in large]), 1)[0]
    found["growth_exponent"] = float(slope)
    found["race_growth"] = [
        {"goal": goal, "seconds": best_of(1, partial(race.solve, ten_thousand.with_goal(goal), threads=1))}
        for goal in (GOALS[:2] if quick else GOALS)
    ]
    found["estimate_seconds"] = estimate(biscuits).seconds
    return found | measure_own(quick)


WORDS = {
    "pool_seconds": "Biscuits for two, warm, one thread (s)",
    "pool_seconds_all_threads": "Biscuits for two, warm, all threads (s)",
    "pool_peer_seconds": "the same in plain C (s)",
    "pool_ratio": "ours over plain C",
    "race_seconds": "ten-thousand, warm, one thread (s)",
    "race_peer_seconds": "the same in plain C (s)",
    "race_ratio": "ours over plain C",
    "cold_seconds": "a new process, nothing compiled: solve Biscuits (s)",
    "moves_process_seconds": "a new process: rank the moves of a roll (s)",
    "moves_seconds": "rank the moves of a roll (s)",
    "simulated_games_per_second": "games simulated a second, win against score",
    "diff_seconds": "diff of Biscuits with the top hundred (s)",
    "growth_exponent": "seconds grow as this power of the number of d6",
    "walk_seconds": "walking a million moves of a game of one's own (s)",
    "graph_moves": "a large graph of one's own: moves",
    "graph_columns": "  columns of points",
    "graph_prepare_seconds": "  leaving out what cannot matter (s)",
    "graph_seconds": "  solved for second and first, one thread (s)",
    "graph_peer_seconds": "  the same arrays in plain C (s)",
    "graph_ratio": "  ours over plain C",
    "graph_apart": "  largest difference between the two",
    "midnight_script_seconds": "a new process, nothing compiled: scripts/midnight.py (s)",
    "midnight_seconds": "a new process, nothing compiled: solve midnight (s)",
}


def show(found: dict[str, Any]) -> None:
    """Print what was measured as a table."""
    for key, words in WORDS.items():
        if key in found:
            print(f"{words:<56}{found[key]:>14,.4g}")
    print("\n d6 + d8 + d10 + d12   seconds   megabytes   distinct stacks")
    for row in found["growth"]:
        print(f"{row['d6']:>20}{row['seconds']:>10.3f}{row['megabytes']:>12.0f}{row['stacks']:>18,}")
    print("\n ten-thousand to   seconds")
    for row in found["race_growth"]:
        print(f"{row['goal']:>16}{row['seconds']:>10.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", nargs="?", type=Path, const=Path("../shared/peers"), metavar="DIR")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a look")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the growth")
    options = parser.parse_args()
    found = measure(options.peer, options.quick)
    if options.plot:
        from gametheory import figures

        growth = {
            "seconds": [(row["d6"], row["seconds"]) for row in found["growth"]],
            "gigabytes": [(row["d6"], row["megabytes"] / 1024) for row in found["growth"]],
        }
        title = "Solving n d6 + d8 + d10 + d12 for two"
        figures.save(figures.lines(growth, title, "number of d6", "seconds, gigabytes", log=True), options.plot)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)


if __name__ == "__main__":
    main()
