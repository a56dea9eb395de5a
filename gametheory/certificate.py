"""Certificates: what is proved of the value of a game, as a small file that who does not trust us can check.

A certificate speaks of the rules, not of a table. It says the rules, the tie rule, an interval that contains the first
player's value, the same for the expected score of a player who plays for points, and for small pools the value itself as
a fraction; how it was made; and what to run: `scripts/check_certificate.py` proves it anew, and imports nothing from here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import files, games, progress
from .answers import Plain
from .ask.solve import named
from .match.solution import Request
from .proof import Interval, Proof, around
from .store import export, library
from .ties import parse_tie
from .version import __version__

HOW = (
    "One pass of the plain recurrence over every state, every roll and every keep of best faces: weights are whole numbers, "
    "maxima exact, and every sum is off by no more than it can be rounded. The interval is twice as wide as was proved, so "
    "that sums in another order prove it too."
)
CHECK = "python scripts/check_certificate.py CERTIFICATE TABLE"

SPARE = 1e-12
"""What is added to each side of an interval, for who proves it from a table that is off by as much."""


@dataclass(frozen=True)
class Certificate:
    """What is proved of a game: the first player's chance to win, ties counted as the tie rule says, and more."""

    game: Any
    tie: str
    first: Interval
    expected: Interval | None
    """The expected score of a player who plays for points."""
    exact: Fraction | None
    file: Path | None = None

    def to_dict(self) -> Plain:
        """Return it as plain data, as it stands in the file."""
        expected = {} if self.expected is None else {"expected_low": self.expected.low, "expected_high": self.expected.high}
        return {
            "certificate": 1, "game": self.game.name, "tie": self.tie, "low": self.first.low, "high": self.first.high,
            "exact": None if self.exact is None else str(self.exact), **expected, "rules": games.rules(self.game),
            "how": HOW, "check": CHECK, "made_by": f"gametheory {__version__}",
        }  # fmt: skip


def certify(
    game: object, *, tie: str | float = "split", tables: str | Path | None = None, output: str | Path | None = None,
    force: bool = False,
) -> Certificate:  # fmt: skip
    """Prove the value of a game for two in turn, and write the certificate to a file if one is named.

    The stored table, or one solved now, is a guess and no more: nothing that it says is believed.

    >>> found = certify("2d4")
    >>> found.exact, found.first.low < found.exact < found.first.high, found.first.width < 1e-11
    (Fraction(1005, 2048), True, True)
    """
    chosen = named(game)
    prove = games.proof(chosen)
    path = None if output is None else export.check_new(output, force)
    solution = library.find(chosen, Request(tie=tie), tables)
    with progress.bar(f"proving {chosen.name}") as advance:
        proved: Proof = prove(solution, advance)
    low, high = _wider(proved.first)
    expected = None if proved.expected is None else _wider(proved.expected)
    first = Interval(max(0.0, low), min(1.0, high))
    found = Certificate(chosen, parse_tie(tie)[0] if solution.ties else "none", first, expected, proved.exact, path)
    if path is not None:
        files.write(path, (json.dumps(found.to_dict(), allow_nan=False, indent=1) + "\n").encode())
    return found


def _wider(proved: Interval) -> Interval:
    return around((proved.low + proved.high) / 2, proved.width + SPARE)
