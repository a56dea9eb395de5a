"""Certificates: intervals that contain the truth, and a checker that proves them anew and refuses what it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import oracle
import oracle_race
import pytest
from conftest import Run
from pools import HOUSES, SMALL, TIES, as_pool
from race.shared import TINY
from race.shared import solved as race_solved
from shared import solved

import gametheory as gt
from gametheory import games, proof
from gametheory.certificate import certify
from gametheory.pool import exact
from gametheory.pool import proof as pools
from gametheory.pool.rules import PoolGame
from gametheory.race import proof as races

CHECKER = Path(__file__).parents[2] / "scripts" / "check_certificate.py"
TABLES = CHECKER.parents[1] / "tables"
WIDEST = 2e-10


def check(certificate: Path, table: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", CHECKER, certificate, table], capture_output=True, text=True, timeout=600, check=False
    )


def confirmed(ran: subprocess.CompletedProcess[str]) -> bool:
    assert (ran.returncode == 0) == ("CONFIRMED" in ran.stdout), ran
    assert ran.returncode == 0 or ran.stderr.startswith("REFUSED: "), ran
    assert "Traceback" not in ran.stderr
    return ran.returncode == 0


# What is proved is true: against oracles in fractions that share nothing with it.


def truth_of(game: PoolGame, tie: str) -> Fraction:
    if tie != "replay":
        return oracle.first(as_pool(game), game.higher_wins, TIES[tie])[oracle.full(as_pool(game)), 0]
    return 1 - oracle.replay(as_pool(game), game.higher_wins)


@pytest.mark.parametrize(
    ("game", "tie"),
    [(game, tie) for game in [*SMALL, *HOUSES] for tie in (TIES if game in SMALL[:3] else ["0.25"])]
    + [(game, "replay") for game in (SMALL[1], SMALL[7], HOUSES[1], HOUSES[11])],
    ids=str,
)
def test_the_truth_lies_in_the_interval(game: PoolGame, tie: str) -> None:
    truth = truth_of(game, tie)
    proved = pools.prove(solved(game, tie))
    assert proved.first.low <= truth <= proved.first.high
    assert proved.first.width < 1e-11
    assert exact.exact_value(game, tie) == truth == proved.exact
    expected = oracle.expected(as_pool(game), game.higher_wins)[oracle.full(as_pool(game)), 0]
    assert proved.expected is not None
    assert proved.expected.low <= expected <= proved.expected.high
    assert proved.expected.width < 1e-11


@pytest.mark.parametrize("name", TINY)
def test_the_truth_of_a_race_lies_in_the_interval(name: str) -> None:
    game = TINY[name]
    truth = oracle_race.solve_race(oracle_race.race_of(game))[0, not game.opening, 0, not game.opening, 0, game.dice]
    proved = races.prove(race_solved(game))
    assert proved.first.low <= truth <= proved.first.high
    assert proved.first.width < 1e-11


class Guess:
    """A race whose table says something else."""

    def __init__(self, game: Any, values: Any) -> None:
        made = race_solved(game)
        self.game, self.axis, self.values = game, made.axis, values(made.values.copy())


@pytest.mark.parametrize("size", [1e-12, 1e-9, 1e-6])
def test_a_guess_that_is_off_gives_a_wider_interval_with_the_truth_in_it(size: float) -> None:
    game = TINY["triple"]
    truth = oracle_race.solve_race(oracle_race.race_of(game))[0, False, 0, False, 0, game.dice]
    for seed in range(20):
        draw = np.random.default_rng(seed)
        proved = races.prove(Guess(game, lambda values: values + size * draw.uniform(-1, 1, values.shape)))  # noqa: B023
        assert proved.first.low <= truth <= proved.first.high
        assert proved.first.width > size / 10


def test_a_guess_that_is_no_guess_is_refused() -> None:
    with pytest.raises(ValueError, match="too far off"):
        races.prove(Guess(TINY["triple"], lambda values: 0 * values + 0.9))


def test_rounding_goes_the_right_way() -> None:
    """The bound of a sum holds for sums taken in the worst of many orders, and is not much more than it must be."""
    draw = np.random.default_rng(1)
    for size in (3, 50, 2000):
        terms = draw.random(size)
        truth = sum(map(Fraction, terms.tolist()))
        for _ in range(20):
            total = 0.0
            for term in draw.permutation(terms).tolist():
                total += term
            assert abs(Fraction(total) - truth) <= Fraction(proof.roundings(size)) * truth
    assert proof.roundings(1000) < 1.1 * 1000 * 2.0**-53
    low, high = proof.around(0.1, 1e-30)
    assert Fraction(low) < Fraction(1, 10) < Fraction(high)


@pytest.mark.parametrize(
    ("name", "tie"), [("4d6", "split"), ("4d6", "replay"), ("4d6", "first"), ("4d6", "second"), ("threes", "split")]
)
def test_intervals_of_named_pools_are_narrow(name: str, tie: str) -> None:
    found = certify(name, tie=tie)
    assert found.first.width < WIDEST
    assert found.exact is not None
    assert found.first.low <= found.exact <= found.first.high
    assert found.first.low <= solved(name, tie).first_player_value <= found.first.high


@pytest.mark.parametrize(
    ("name", "tie"), [("biscuits", "split"), pytest.param("badg", "split", marks=pytest.mark.slow), ("pig", "split")]
)
def test_the_checker_confirms_named_games(name: str, tie: str, tmp_path: Path) -> None:
    found = certify(name, tie=tie, output=tmp_path / "a.json")
    assert found.first.width < WIDEST
    ran = check(tmp_path / "a.json", next(TABLES.glob(f"{name}.*h5")))
    assert confirmed(ran), ran


@pytest.mark.slow
@pytest.mark.parametrize("tie", ["first", "second", "replay", "0.3"])
def test_the_checker_confirms_biscuits_with_any_ties(tie: str, tmp_path: Path) -> None:
    table = gt.save(solved("biscuits", tie), tmp_path / "a.h5")
    assert certify("biscuits", tie=tie, output=tmp_path / "a.json").first.width < WIDEST
    assert confirmed(check(tmp_path / "a.json", table))


@pytest.mark.slow
def test_the_checker_confirms_ten_thousand(tmp_path: Path) -> None:
    assert certify("ten-thousand", output=tmp_path / "a.json").first.width < WIDEST
    assert confirmed(check(tmp_path / "a.json", TABLES / "ten-thousand.h5"))


CERTIFICATES = sorted((TABLES.parent / "certificates").glob("*.json"))


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name)
def test_a_certificate_is_of_the_rules_that_there_are(path: Path) -> None:
    said = json.loads(path.read_text())
    assert said["rules"] == json.loads(json.dumps(games.rules(gt.game(said["game"]))))
    assert said["high"] - said["low"] < WIDEST


@pytest.mark.slow
@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name)
def test_the_checker_confirms_every_certificate_there_is(path: Path, tmp_path: Path) -> None:
    said = json.loads(path.read_text())
    table = gt.save(solved(said["game"], "split" if said["tie"] == "none" else said["tie"]), tmp_path / "a.h5")
    assert confirmed(check(path, table))


# The checker: what it confirms, and what it refuses.


@pytest.fixture(params=["2d4+d6:split", "2d4+d6:replay", "low:first", "two:0.3", "coin:split", "triple:split"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A certificate and a table of a small game."""
    name, _, tie = request.param.partition(":")
    some = {"low": SMALL[7], "two": HOUSES[7], "coin": TINY["coin"], "triple": TINY["triple"]}
    game: Any = some.get(name, name)
    found = race_solved(game) if name in TINY else solved(game, tie)
    certify(found, tie=tie if name not in TINY else "split", output=tmp_path / "a.json")
    return tmp_path / "a.json", gt.save(found, tmp_path / "a.h5")


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_the_checker_confirms_and_refuses_what_was_edited(both: tuple[Path, Path]) -> None:
    certificate, table = both
    assert confirmed(check(certificate, table))
    said = json.loads(certificate.read_text())
    middle = (said["low"] + said["high"]) / 2
    rules = json.loads(json.dumps(said["rules"]))
    if "goal" in rules:
        rules["goal"] += 1
    else:
        rules["dice"][0]["points"][0] += 1
    edits = [
        {"low": middle, "high": middle}, {"low": middle + 1e-9, "high": middle + 2e-9}, {"low": said["low"] + 1e-6},
        {"rules": rules}, {"tie": "second"},
        {"exact": "1/3" if said["exact"] is None else str(Fraction(said["exact"]) + Fraction(1, 10**30))},
    ]  # fmt: skip
    if "expected_low" in said:
        edits.append({"expected_low": said["expected_high"]})
    text = certificate.read_text()
    for changes in edits:
        certificate.write_text(text)
        edit(certificate, **changes)
        assert not confirmed(check(certificate, table)), changes


def test_the_checker_does_not_believe_rules_that_table_and_certificate_agree_on(tmp_path: Path) -> None:
    """Both edited alike: the interval is of another game."""
    table = gt.save(solved("2d4+d6"), tmp_path / "a.h5")
    certify(solved("2d4+d6"), output=tmp_path / "a.json")
    said = json.loads((tmp_path / "a.json").read_text())
    said["rules"]["dice"][1]["points"][5] = 7
    with h5py.File(table, "r+") as file:
        file.attrs["rules"] = json.dumps(said["rules"])
    (tmp_path / "a.json").write_text(json.dumps(said))
    ran = check(tmp_path / "a.json", table)
    assert ran.returncode != 0


@pytest.mark.parametrize("name", ["expected", "first", "second"])
def test_the_checker_reports_an_entry_that_was_moved(name: str, tmp_path: Path) -> None:
    table = gt.save(solved("2d4+d6"), tmp_path / "a.h5")
    certify(solved("2d4+d6"), output=tmp_path / "a.json")
    with h5py.File(table) as file:
        values = file[name][()]
    for place in np.flatnonzero(np.isfinite(values.ravel()))[:: max(1, values.size // 6)]:
        moved = values.copy()
        moved.flat[place] += 1e-7
        with h5py.File(table, "r+") as file:
            file[name][...] = moved
        ran = check(tmp_path / "a.json", table)
        assert float(ran.stdout.split("the table is off by ")[1].split()[0]) >= 0.99e-7, place
        assert confirmed(ran)  # it speaks of the game, not of the table


def test_a_moved_entry_of_a_race_is_no_guess_good_enough(tmp_path: Path) -> None:
    table = gt.save(race_solved(TINY["triple"]), tmp_path / "a.h5")
    certify(race_solved(TINY["triple"]), output=tmp_path / "a.json")
    with h5py.File(table) as file:
        values = file["values"][()]
    for place in range(0, values.size, 12):
        moved = values.copy()
        moved.flat[place] += 1e-7
        with h5py.File(table, "r+") as file:
            file["values"][...] = moved
        ran = check(tmp_path / "a.json", table)
        assert float(ran.stdout.split("the table is off by ")[1].split()[0]) >= 0.99e-7
        assert not confirmed(ran)


def test_the_checker_is_short_and_stands_alone() -> None:
    text = CHECKER.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    lines = [line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert {name.split(".")[0] for name in lines} - set(sys.stdlib_module_names) == {"h5py", "numpy"}


# The command.


def test_certify_says_what_it_proved(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("certify", "2d4", "--json", "-o", "a.json")
    assert ran.status == 0
    said = json.loads(ran.out)
    assert said["exact"] == "1005/2048"
    assert said["low"] < 1005 / 2048 < said["high"]
    assert json.loads(Path("a.json").read_text()) == {key: value for key, value in said.items() if key != "file"}
    ran = run("certify", "2d4", "-o", "a.json")
    assert (ran.status, ran.out) == (2, "")
    ran = run("certify", "2d4", "-o", "a.json", "--force")
    assert "1005/2048" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    monkeypatch.setattr("gametheory.store.library.find", None)  # all that is refused is so before anything is solved
    for game in ("midnight", "60d6", "two-dice-pig"):
        ran = run("certify", game)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran
