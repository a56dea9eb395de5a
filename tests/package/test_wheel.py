"""The package as others get it: built, checked, installed where there is nothing, and asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from gametheory.version import __version__

from .shared import ROOT, python, ran

ROLL = ("moves", "biscuits", "d6:5,4 d12:8", "--banked", "75", "--json")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build the source distribution, and the wheel from it."""
    folder = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


class Elsewhere:
    """A virtual environment with nothing in it, in a folder of its own, and a home that is as empty."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.here = folder, folder / "here"
        self.here.mkdir()
        python("-m", "venv", folder / "venv")
        self.bin = folder / "venv" / "bin"

    def run(self, *command: str | Path, status: int = 0) -> str:
        """Run one of its programs without what this process knows of paths and tables; return both outputs."""
        own = ("PATH", "PYTHONPATH", "GAMETHEORY_TABLES", "XDG_DATA_HOME", "VIRTUAL_ENV", "NUMBA_CACHE_DIR")
        kept = {name: value for name, value in os.environ.items() if name not in own}
        kept |= {"PATH": os.defpath, "XDG_DATA_HOME": str(self.here / "data")}
        program = str(self.bin / command[0])
        done = subprocess.run(
            [program, *map(str, command[1:])], cwd=self.here, env=kept, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == status, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout + done.stderr

    def install(self, *what: str | Path) -> None:
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


@pytest.fixture(scope="module")
def elsewhere(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    """Install the wheel where nothing is, with what it says it needs and no more."""
    place = Elsewhere(tmp_path_factory.mktemp("elsewhere"))
    place.install(built[1])
    return place


def tracked(*folders: str) -> set[str]:
    """List the files of the package that are in the repository, or in the source distribution of it."""
    if not (ROOT / ".git").exists():
        return {str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()}
    return set(ran("git", "ls-files", "--cached", "--others", "--exclude-standard", *folders).split())


def test_the_wheel_holds_the_package_and_its_tables_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    wanted = tracked("gametheory") | {f"gametheory/packaged_{name}" for name in tracked("tables")}
    assert held == wanted
    assert {"gametheory/py.typed", "gametheory/packaged_tables/biscuits.split.h5"} <= held


def test_the_source_distribution_holds_what_builds_and_tests_and_no_ci(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"README.md", "CHANGELOG.md", "pyproject.toml", "tests/conftest.py", "docs/conf.py", "scripts/test"} <= names
    assert [name for name in names if name.startswith((".ci", ".git/", ".venv"))] == []


def test_the_metadata_says_what_it_should(built: tuple[Path, Path]) -> None:
    python("-m", "twine", "check", "--strict", *built)
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
        said = message_from_string(wheel.read(name).decode())
    assert (said["Name"], said["Version"], said["Requires-Python"]) == ("gametheory", __version__, ">=3.11")
    assert said["License-Expression"] == "MIT"
    assert {"Typing :: Typed", "Operating System :: OS Independent"} <= set(said.get_all("Classifier", []))
    assert {"plot", "parquet", "cluster", "docs", "test"} <= set(said.get_all("Provides-Extra", []))


def test_the_version_stands_in_one_place() -> None:
    for name in ("pyproject.toml", "CITATION.cff", "docs/conf.py"):
        assert f'"{__version__}"' not in (ROOT / name).read_text(encoding="utf-8")
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_wheel_answers_with_the_tables_it_brings(elsewhere: Elsewhere) -> None:
    assert elsewhere.run("gametheory", "--version").strip() == f"gametheory {__version__}"
    where = elsewhere.run("python", "-c", "import gametheory; print(gametheory.__file__)")
    assert str(elsewhere.folder) in where
    by_script = json.loads(elsewhere.run("gametheory", *ROLL))
    assert by_script == json.loads(elsewhere.run("python", "-m", "gametheory", *ROLL))
    best = by_script["moves"][by_script["best_for_win"]]
    # README.md prints 0.318655: with 75 banked, keep the 5.
    assert (best["keep"], round(best["win_probability"], 6)) == ("d6:5", 0.318655)
    assert not (elsewhere.here / "data").exists()  # nothing was solved for it


def test_the_wheel_solves_with_scores_hidden_without_an_extra(elsewhere: Elsewhere) -> None:
    solved = json.loads(elsewhere.run("gametheory", "solve", "2d4", "--match", "simultaneous", "--json"))
    assert solved["first_player_value"] == pytest.approx(0.5, abs=1e-9)


def test_the_line_that_names_an_extra_is_the_one_that_installs_it(elsewhere: Elsewhere) -> None:
    draw = ("gametheory", "plot", "biscuits", "second", "-o", "second.svg")
    said = elsewhere.run(*draw, status=2)
    _, _, line = said.strip().partition("figures need matplotlib: ")
    subprocess.run(line, shell=True, check=True, cwd=elsewhere.here, capture_output=True, timeout=900)
    elsewhere.run(*draw)
    assert (elsewhere.here / "second.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")


@pytest.mark.slow
def test_the_wheel_passes_the_tests_of_the_command_line(elsewhere: Elsewhere) -> None:
    """The tests are copied away from the package, so that what they import is what was installed."""
    tests = elsewhere.here / "tests"
    shutil.copytree(ROOT / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", elsewhere.here)
    shutil.copytree(ROOT / "scripts", elsewhere.here / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    elsewhere.install("gametheory[plot,parquet,pandas,cluster]", "pytest", "hypothesis", "pytest-benchmark", "icepool")
    said = elsewhere.run("python", "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", "tests/cli")
    assert " passed" in said
    assert "failed" not in said


@pytest.mark.slow
def test_the_source_distribution_installs_too(built: tuple[Path, Path], tmp_path: Path) -> None:
    place = Elsewhere(tmp_path)
    place.install("hatchling")
    place.install("--no-build-isolation", f"{built[0]}[parquet]")
    assert json.loads(place.run("gametheory", *ROLL))["best_for_win"] == 0
    place.run("gametheory", "diff", "4d6", "-o", "apart.parquet")
    assert (place.here / "apart.parquet").read_bytes()[:4] == b"PAR1"


def test_the_package_says_its_version_to_python() -> None:
    said = python("-c", "import gametheory; print(gametheory.__version__)")
    assert said.strip() == __version__
    assert sys.version_info >= (3, 11)
