"""Write the keys of rules files into docs/rules.md, from where the code describes them: python scripts/rules_page.py"""

from __future__ import annotations

import re
from pathlib import Path

from gametheory import games, rulefile

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"


def main() -> None:
    """Replace what stands between the marks of each family."""
    text = PAGE.read_text(encoding="utf-8")
    for family in games.families().values():
        if family.keys:
            begin, end = f"<!-- keys of {family.nouns} -->\n", "\n<!-- end -->"
            if begin not in text:
                raise SystemExit(f"docs/rules.md has no place for the keys of {family.nouns}: write {begin.strip()} there")
            fresh = begin + rulefile.table(family.keys) + end
            text = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _, fresh=fresh: fresh, text, flags=re.S)  # type: ignore[misc]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
