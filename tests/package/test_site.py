"""The documentation as a site: it builds without a warning, fetches nothing, and can be read and searched from files."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from .shared import ROOT, python


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `scripts/docs` does: a warning, as of a link that leads nowhere, is an error."""
    out = tmp_path_factory.mktemp("site")
    python(
        "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet",
        "--doctree-dir", out / ".doctrees", "docs", out,
    )  # fmt: skip
    return out


class Fetched(HTMLParser):
    """Collects what a browser fetches for a page: not what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            wanted = name in ("src", "srcset", "data", "poster") or (name == "href" and tag == "link")
            if wanted and value and re.match(r"(https?:)?//", value):
                self.found.append(f"<{tag} {name}={value}>")


def fetched(page: str) -> list[str]:
    parser = Fetched()
    parser.feed(page)
    return parser.found + re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)\"']*", page)


def test_the_script_builds_what_is_tested() -> None:
    script = (ROOT / "scripts" / "docs").read_text(encoding="utf-8")
    assert "sphinx --builder html --fail-on-warning --keep-going --nitpicky --quiet" in script


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = [path for suffix in ("html", "css") for path in site.rglob(f"*.{suffix}")]
    assert len(pages) > 30
    assert {str(path.relative_to(site)): found for path in pages if (found := fetched(path.read_text("utf-8")))} == {}


def test_something_fetched_from_elsewhere_is_found() -> None:
    assert fetched('<script src="https://elsewhere.example/x.js"></script>') != []
    assert fetched("<style>@import '//elsewhere.example/x.css'</style>") != []
    assert fetched('<a href="https://elsewhere.example">read</a>') == []


@pytest.mark.parametrize("size", [(1280, 900), (390, 800)], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["index", "tutorials/table", "mathematics", "reference/commands", "atlas/index"])
def test_a_page_opens_from_its_file_and_fits(site: Path, chromium: Any, name: str, size: tuple[int, int]) -> None:
    page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((site / f"{name}.html").as_uri())
    assert page.locator("h1").first.is_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.close()


def test_formulas_are_drawn_by_the_browser_itself(site: Path, chromium: Any) -> None:
    page = chromium.new_page()
    page.goto((site / "mathematics.html").as_uri())
    assert page.locator("math").count() > 50
    assert page.locator("math mo", has_text="∑").first.bounding_box()["height"] > 10
    assert "\\sum" not in page.locator("article").inner_text()
    page.close()


def test_a_search_works_without_a_network(site: Path, chromium: Any) -> None:
    page = chromium.new_page()
    page.context.set_offline(True)
    page.goto((site / "search.html").as_uri() + "?q=exploitability")
    page.wait_for_selector("ul.search li a")
    found = page.locator("ul.search li a").all_inner_texts()
    assert any("mathematics" in title.lower() for title in found)
    page.close()


def test_the_atlas_is_sorted_by_any_column(site: Path, chromium: Any) -> None:
    page = chromium.new_page()
    page.goto((site / "atlas" / "index.html").as_uri())
    head = page.locator("th", has_text="first player wins")
    column = page.locator("tbody tr td:nth-child(3)")
    head.click()
    rising = column.all_inner_texts()
    numbers = [float(text) for text in rising if text]
    assert numbers == sorted(numbers)
    assert rising[len(numbers) :] == [""] * (len(rising) - len(numbers))
    head.click()
    falling = column.all_inner_texts()
    assert [float(text) for text in falling if text] == numbers[::-1]
    assert falling[len(numbers) :] == rising[len(numbers) :]
    page.locator("th", has_text="game").first.press("Enter")
    names = page.locator("tbody tr td:nth-child(1)").all_inner_texts()
    numbered = [name for name in names if name[0].isalpha()]
    assert numbered == sorted(numbered)
    page.close()
