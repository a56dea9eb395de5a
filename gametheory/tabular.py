"""Tables as other programs and notebooks want them: a pandas frame, a small HTML table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> pandas.DataFrame:
    """Return rows as a pandas frame (needs the extra `pandas`)."""
    try:
        import pandas
    except ImportError:
        raise ValueError("a frame needs pandas: pip install 'gametheory[pandas]'") from None
    return pandas.DataFrame(list(rows), columns=list(columns))


def html(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as a table for a notebook, numbers with six places."""

    def cell(value: Any) -> str:
        return escape(f"{value:.6f}" if isinstance(value, float) else "" if value is None else str(value))

    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
