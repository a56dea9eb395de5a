"""Tables as people, other programs and notebooks want them: rows in order, a pandas frame, a small HTML table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, overload

from . import extras

if TYPE_CHECKING:
    import pandas

SHOWN = 8
"""How many rows of a table are shown where it is but looked at."""


def frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> pandas.DataFrame:
    """Return rows as a pandas frame (needs the extra `pandas`)."""
    try:
        import pandas
    except ImportError:
        raise ValueError(f"a frame needs pandas: {extras.install('pandas')}") from None
    return pandas.DataFrame(list(rows), columns=list(columns))


def html(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as a table for a notebook, numbers with six places."""

    def cell(value: Any) -> str:
        return escape(f"{value:.6f}" if isinstance(value, float) else "" if value is None else str(value))

    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def text(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return the first rows as text, in at most ten lines."""

    def cell(value: Any) -> str:
        return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)

    lines = [list(map(str, columns)), *([cell(value) for value in row] for row in rows[:SHOWN])]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    said = ["  ".join(part.rjust(width) for part, width in zip(line, widths, strict=True)) for line in lines]
    if len(rows) > SHOWN:
        said[-1] = f"... and {len(rows) - SHOWN + 1} more rows"
    return "\n".join([title, *said])


@dataclass(frozen=True, repr=False)
class Table(Sequence[tuple[Any, ...]]):
    """A table with a title: a sequence of rows, which are tuples with an entry for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    asked: Mapping[str, Any]
    """What the table is of, as plain data."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Table:
        """Make a table of plain data: `title`, `columns` and `rows`, and what else it says of itself."""
        said = {name: value for name, value in data.items() if name not in ("title", "columns", "rows")}
        return cls(data["title"], tuple(map(str, data["columns"])), tuple(map(tuple, data["rows"])), said)

    @classmethod
    def of_dicts(cls, title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
        """Make a table of rows that say their columns themselves."""
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        return cls(title, columns, tuple(tuple(row.get(name) for name in columns) for row in rows), {})

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[Any, ...], ...]: ...
    def __getitem__(self, place: int | slice) -> tuple[Any, ...] | tuple[tuple[Any, ...], ...]:
        return self.rows[place]

    def dicts(self) -> list[dict[str, Any]]:
        """Return every row with the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return {**self.asked, "title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas frame."""
        return frame(self.columns, self.rows)

    def __repr__(self) -> str:
        return text(self.title, self.columns, self.rows)

    def _repr_html_(self) -> str:
        return html(self.title, self.columns, self.rows)


@dataclass(frozen=True, repr=False)
class Facts(Mapping[str, Any]):
    """Figures by name."""

    figures: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return dict(self.figures)

    def __repr__(self) -> str:
        return "\n".join(f"{name:<24}{value}" for name, value in self.figures.items())

    def _repr_html_(self) -> str:
        return html("", ("figure", "value"), self.figures.items())
