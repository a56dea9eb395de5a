"""How the documentation is built: Markdown by myst, the look of furo, formulas as MathML, nothing fetched from elsewhere."""

import sys
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "scripts"))

import reference  # noqa: E402

import gametheory  # noqa: E402

project = "gametheory"
author = "The gametheory developers"
copyright = author
release = version = gametheory.__version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]

smartquotes = False

html_theme = "furo"
html_title = f"gametheory {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["sort.js"]
html_copy_source = False
html_show_sphinx = False
# A page opened as a file may not read the others, so that a search there can only list them.
html_show_search_summary = False
html_math_renderer = "mathml"


def formula(self, node) -> None:
    """Write a formula in a line as MathML, which browsers show by themselves."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def display(self, node) -> None:
    """Write a formula that stands by itself."""
    self.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app) -> None:
    """Make the reference from the code, and say how formulas are written."""
    app.add_html_math_renderer("mathml", (formula, None), (display, None))
    app.connect("builder-inited", lambda _: reference.write(HERE / "reference"))
