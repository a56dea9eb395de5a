"""The page as a folder for a host: it can be installed, and opens without a network."""

from __future__ import annotations

import functools
import http.server
import json
import re
import struct
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import text
from conftest import Run
from shared import solved

import gametheory as gt
from gametheory.advisor import page, site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site") / "advisor"
    site.write(place, page.data_of(["threes", "pig"], solution=solved))
    return place


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_it_opens_without_a_network_once_it_was_open(host: str, chromium: Any) -> None:
    context = chromium.new_context()
    tab = context.new_page()
    requests: list[str] = []
    troubles: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    tab.on("console", lambda message: troubles.append(message.text))
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(host)
    tab.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    session = context.new_cdp_session(tab)
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # a browser under test has no profile to install to
    context.set_offline(True)
    tab.goto("about:blank")
    tab.goto(f"{host}index.html#advise/threes/roll=55421")
    assert "to win" in text(tab, "#answer")
    context.close()
    assert troubles == []
    assert {url for url in requests if not url.startswith((host, "about:", "data:"))} == set()


def test_the_policy_is_opened_for_what_lies_beside_the_page_and_nothing_else(folder: Path) -> None:
    html = (folder / "index.html").read_text()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    parts = dict(part.partition(" ")[::2] for part in policy.split("; "))
    opened = {name for name, value in parts.items() if "'self'" in value}
    assert opened == {"img-src", "worker-src", "manifest-src", "connect-src"}
    assert "unsafe" not in policy
    assert "'self'" not in page.security_policy(page.assemble("{}"))


def test_icons_are_pictures_of_their_size(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.webmanifest").read_text())
    for listed in manifest["icons"]:
        data = (folder / listed["src"]).read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert listed["sizes"] == f"{width}x{height}"
        length = struct.unpack(">I", data[33:37])[0]
        rows = zlib.decompress(data[41 : 41 + length])
        assert len(rows) == height * (3 * width + 1)
        middle = rows[(3 * width + 1) * (height // 2) :][1 + 3 * (width // 2) :][:3]
        assert (middle, rows[1:4]) == (bytes(site.WHITE), bytes(site.BLUE))


def test_other_games_have_another_store_and_the_same_the_same() -> None:
    one, same, other = (site.build(data)["worker.js"] for data in ('{"a":1}', '{"a":1}', '{"a":2}'))
    assert one == same != other


def test_the_command_writes_a_folder_and_replaces_nothing_unasked(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "games"
    ran = run("page", "2d6", "--site", place, "--json")
    assert ran.status == 0, ran
    assert set(json.loads(ran.out)["files"]) == set(site.NAMES) == {path.name for path in place.iterdir()}
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    assert run("page", "3d6", "--site", place).status == 2
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before
    assert run("page", "3d6", "--site", place, "--force").status == 0
    assert (place / "worker.js").read_bytes() != before["worker.js"]
    for wrong in (["-o", tmp_path / "a.html", "--site", tmp_path / "b"], [], ["--site", tmp_path / "no" / "folder"]):
        assert run("page", "2d6", *wrong).status == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games"]
    assert gt.page(["2d6"], site=tmp_path / "again") == tmp_path / "again"
