"""Played games as text: written by `play` and by the page, read by `review`, held to the account of the trainer."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory.advisor import trainer
from gametheory.ask import review as text
from gametheory.match.solution import SEATS

GAME = """\
# a game of two decisions
game threes
tie split

banked=0 | d6:5,5,4,2,1 | d6:5,5,4,2,1
banked=1 | target=9 | 6 5 3 1 | d6:3
"""


def test_every_decision_is_held_to_the_best() -> None:
    found = gt.review(GAME)
    assert [one.position for one in found.decisions] == [{"banked": 0}, {"banked": 1, "target": 9}]
    duel = solved("threes")
    for one, roll in zip(found.decisions, ("55421", "6531"), strict=True):
        ranking = duel.moves(roll, **one.position)
        taken = next(move for move in ranking if move.keep == one.keep.keep)
        assert one.best == ranking[0]
        assert one.cost == pytest.approx(ranking[0].win_probability - taken.win_probability, abs=1e-15)
        # The luck has mean nothing: the chance before a roll is the mean of the best over all rolls.
        rolls = [(shown, weight) for shown, weight in duel.game.rolls(duel.notation.read(roll, one.position["banked"])[1])]
        ways = sum(weight for _, weight in rolls)
        mean = sum(weight * duel.moves(shown, **one.position)[0].win_probability for shown, weight in rolls) / ways
        assert one.luck == pytest.approx(ranking[0].win_probability - mean, abs=1e-12)
    assert found.given == pytest.approx(sum(one.cost for one in found.decisions))


@pytest.mark.parametrize(
    ("name", "answers", "against"),
    [("threes", "d6:1\nall\n", None), ("pig", "roll\nbank\n", "score"), ("poker-coins", "2\n1\n", "score")],
)
@pytest.mark.parametrize("seat", SEATS)
def test_what_play_writes_is_reviewed_as_it_was_told(
    name: str, answers: str, against: str | None, seat: str, tmp_path: Path
) -> None:
    """Costs are those of the account; in a game in which nothing else throws, luck is too."""
    path = tmp_path / "game.txt"
    shown = io.StringIO()
    account = trainer.run(
        name, 3, seat, against=against, output=path, solution=solved, source=io.StringIO(answers * 60), target=shown
    )
    assert account.result is not None, shown.getvalue()[-400:]
    found = gt.review(path)
    assert len(found.decisions) == len(account.lines) >= account.decisions
    assert found.given == pytest.approx(account.given, abs=1e-12)
    if name != "pig":  # there a bust is luck without a decision
        assert found.luck == pytest.approx(account.luck, abs=1e-12)
    reached = account.start + account.luck + account.their_luck - account.given + account.their_given
    assert reached == pytest.approx(account.result, abs=1e-9)
    assert (account.their_given > 0) <= (against is not None)


@pytest.mark.parametrize(("name", "seat"), [("biscuits", "first"), ("threes", "second"), ("ten-thousand", "first")])
def test_what_the_page_writes_is_reviewed_as_it_shows(name: str, seat: str, open_page: Callable[..., Any]) -> None:
    places = open_page().evaluate(
        """([name, seat]) => {
            const training = gametheory.newTraining(gametheory.games.get(name), seat, 21);
            const least = () => Math.min(2, training.ranking.moves.length - 1);
            while (!training.over) training.decide(training.places.length % 3 ? 0 : least());
            return training.places;
        }""",
        [name, seat],
    )
    tab = open_page(f"#train/{name}/{seat}/21/moves={'.'.join(map(str, places))}")
    tab.wait_for_selector("#outcome")
    found = gt.review(tab.text_content("#record"))
    shown = re.search(r"([\d.]+) games in 100 given away", tab.inner_text("#summary"))
    assert shown
    assert 100 * found.given == pytest.approx(float(shown[1]), abs=0.051)
    assert found.given > 0


def test_a_record_is_read_back_as_it_was_written() -> None:
    found = gt.review(GAME)
    lines = [text.line(found.notation, one.position, one.roll, one.keep) for one in found.decisions]
    again = gt.review(text.write(solved("threes"), lines))
    assert again.to_dict() == found.to_dict()


def test_the_command_prints_what_scripts_rely_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(GAME)
    ran = run("review", path, "--json")
    assert ran.status == 0, ran
    data = json.loads(ran.out)
    assert [list(row) for row in data["decisions"]] == [["position", "roll", "keep", "best", "cost", "luck"]] * 2
    assert data["decisions"][0]["keep"] == "d6:5,5,4,2,1"
    shown = run("review", path)
    assert shown.status == 0
    first = data["decisions"][0]
    assert f"gave away {100 * first['cost']:.2f}, best {first['best']}" in " ".join(shown.out.split())
    assert max(map(len, shown.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("banked=0 | 55421 | all\n", "does not say what was played"),
        ("game threes\n", "holds no decision"),
        ("game threes\nnonsense\n", "line 2: cannot read 'nonsense'"),
        ("game threes\nbanked=0 | 55421 | all\ntie split\n", "line 3: cannot read 'tie split'"),
        ("game threes\nturn=3 | 55421 | all\n", "line 2: 'turn=3' places no roll here"),
        ("game threes\nbanked=0 | banked=0 | 55421 | all\n", "line 2: 'banked=0' places no roll here"),
        ("game threes\nbanked=0 | | all\n", "line 2: there is no roll"),
        ("game threes\nbanked=0 | 55429 | all\n", "line 2: .*no face"),
        ("game threes\nbanked=0 | 55421 | 6\n", "line 2: .*is no part of the roll"),
        ("game threes\nbanked=99 | 5 | 5\n", "line 2: "),
        ("game buscuits\nbanked=0 | 55421 | all\n", "no game 'buscuits'"),
        ("game threes\ntie sometimes\nbanked=0 | 55421 | all\n", "no tie rule 'sometimes'"),
        ("game evil.py:Game\nstate=1 | 1 | 1\n", "would be run"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(written: str, said: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(written)
    (tmp_path / "evil.py").write_text("raise SystemExit(7)")
    ran = run("review", path)
    assert (ran.status, ran.out) == (2, ""), ran
    assert re.search(said, ran.err)
    assert len(ran.err.splitlines()) == 1


def test_a_file_that_is_none_is_refused(run: Run, tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        assert run("review", path).status == 2
    binary = tmp_path / "b.txt"
    binary.write_bytes(b"\xff\xfe\n" * 10)
    assert "it is no text" in run("review", binary).err
    binary.write_bytes(b"#" * 1_000_001)
    assert "1,000,000 are the most that are read" in run("review", binary).err


@pytest.mark.parametrize(
    ("game", "against", "said"),
    [("pig", "hold-at-25", "cannot be played against throw by throw"), ("threes", "nobody", "there is no policy 'nobody'")],
)
def test_an_opponent_that_cannot_be_asked_is_refused_before_the_game_begins(
    game: str, against: str, said: str, run: Run
) -> None:
    ran = run("play", game, "--against", against)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_play_against_a_function_of_ones_own(tmp_path: Path) -> None:
    """It keeps all dice at once, which is as bad as can be against 1s and 2s."""
    file = tmp_path / "mine.py"
    file.write_text("def all_at_once(position, roll):\n    return roll\n")
    account = trainer.run(
        "threes", 3, "first", against=f"{file}:all_at_once", solution=solved, source=io.StringIO("d6:1\nall\n" * 9),
        target=io.StringIO(),
    )
    assert account.their_given > 0.05


def test_play_refuses_to_replace_a_file_before_it_begins(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("mine")
    ran = run("play", "threes", "--seed", "1", "-o", path)
    assert ran.status == 2
    assert path.read_text() == "mine"
