"""A solution as plain data: what `tables` writes and reads, whatever the game."""

from __future__ import annotations

from typing import Any, NamedTuple


class Stored(NamedTuple):
    """A solution as plain data, the way it is stored: rules, facts, and arrays with named and labelled axes."""

    kind: str
    rules: dict[str, Any]
    facts: dict[str, Any]
    axes: dict[str, Any]
    arrays: dict[str, tuple[tuple[str, ...], Any]]
