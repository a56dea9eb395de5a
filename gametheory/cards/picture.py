"""Strategy cards drawn to be printed and taken along, as svg, html or pdf."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .. import dice
from ..match.duel import Duel
from .par import AnyCard, ParCard
from .rule import Card
from .value import face_levels
from .words import face_at

WIDTH, EDGE = 640.0, 28.0
INK, PALE, TINT, MUTED = "#1b1b1b", "#f4f1ea", "#dcebdd", "#6b6b6b"


class _Text(NamedTuple):
    x: float
    y: float
    size: float
    words: str
    bold: bool = False
    centred: bool = False
    colour: str = INK


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str = "#b9b3a5"


class _Picture(NamedTuple):
    height: float
    items: list[_Text | _Box]


def render(card: AnyCard, format: str = "svg", duel: Duel | None = None) -> bytes:
    """Draw a card that can be printed and taken along, as svg, html or pdf; with a duel it says what the card costs."""
    if format not in ("svg", "html", "pdf"):
        raise ValueError(f"a card cannot be drawn as {format!r}: say svg, html or pdf")
    picture = _draw(card, duel)
    if format == "pdf":
        return _pdf(picture)
    svg = _svg(picture)
    if format == "svg":
        return svg.encode()
    title = _escape(_title(card))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>body{margin:1em auto;max-width:44em}svg{width:100%;height:auto}@media print{body{margin:0}}</style>"
        f"</head><body>\n{svg}</body></html>\n"
    ).encode()


def _title(card: AnyCard) -> str:
    goals = {
        "score": "for points", "first": "to win, going first", "second": "to win, going second",
        "among": "to win among several, unseen",
    }  # fmt: skip
    return f"{card.game.name.capitalize()}: {card.name} card {goals[card.goal]}"


def _draw(card: AnyCard, duel: Duel | None) -> _Picture:
    """Lay out the title, the table, the rules and what they cost, from top to bottom."""
    items: list[_Text | _Box] = []
    y = 50.0
    items.append(_Text(EDGE, y, 22, _title(card), bold=True))
    y = _write(items, [card.game.about], y + 6, 12, MUTED) + 26
    y = _draw_par(items, card, y) if isinstance(card, ParCard) else _draw_keep(items, card, y)
    y = _write(items, _instructions(card), y + 12, 13, INK, numbered=True)
    if duel is not None:
        y = _write(items, [_cost(card, duel)], y + 8, 12, MUTED)
    height = y + EDGE
    return _Picture(height, [_Box(6, 6, WIDTH - 12, height - 12, "#ffffff", INK), *items])


def _instructions(card: AnyCard) -> list[str]:
    """Say how to play by the table on the card."""
    if isinstance(card, ParCard):
        small = card.game.kinds[0].name
        lost = "loses (its best face less the face it shows)" if card.game.higher_wins else "costs"
        said = [
            "After a roll, think of the ways to keep one or more dice.",
            f"For each, add up the points that every die kept {lost} and the number in the table for the dice that would be "
            "left. Keep what has the least total.",
        ]
        gaps = [(a, b) for a, b in pairwise(card.columns) if b - a > 1]
        if gaps:
            a, b = gaps[0]
            said.append(f"Between two columns read in between: from {a} to {b} {small} the numbers change in equal steps.")
        return said
    start = (
        "Roll, and count the dice on the table: this is your column. A die clears if it shows what its row says there. "
        "Keep every die that clears."
    )
    return [start, *card.rules[1 + sum(bool(levels) for levels in card.keep) :]]


def _cost(card: AnyCard, duel: Duel) -> str:
    if card.goal == "second":
        second = f"Wins {card.second_player_value(duel):.2%} going second; perfect play {duel.second_player_value:.2%}."
        return f"{card.size} numbers. {second}"
    score = f"Expected score {card.expected_score(duel):.3f}; perfect play {duel.expected_score:.3f}."
    first = f"Wins {card.first_player_value(duel):.2%} going first; perfect play {duel.first_player_value:.2%}."
    return f"{card.size} numbers. {score} {first}"


def _draw_keep(items: list[_Text | _Box], card: Card, y: float) -> float:
    """Draw the table of faces to keep: a row for each die, a column for every run of dice on the table."""
    game = card.game
    count = sum(game.counts)
    by_dice = [tuple(_kept_faces(card, k, n) for k in range(len(game.kinds))) for n in range(1, count + 1)]
    runs: list[tuple[int, int]] = []
    for n in range(1, count + 1):
        if runs and by_dice[n - 1] == by_dice[runs[-1][0] - 1]:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    heads = [str(first) if first == last else f"{first}\u2013{last}" for first, last in runs]
    rows = []
    for k, die in enumerate(game.kinds):
        cells = [by_dice[first - 1][k] for first, _ in runs]
        rows.append((die.name, cells, [words != str(face_at(game, k, 0)) for words in cells]))
    items.append(_Text(EDGE, y + 4, 14, "Keep a die that shows", bold=True))
    return _draw_table(items, "dice on the table", heads, rows, y + 14)


def _draw_par(items: list[_Text | _Box], card: ParCard, y: float) -> float:
    """Draw the table of par: a row for each set of larger dice left, a column for how many of the smallest."""
    rows = []
    for larger, row in sorted(card.par, key=lambda pair: (sum(pair[0]), pair[0][::-1])):
        with_them = dice.format_dice((0, *larger), card.game.kinds) if any(larger) else f"only {card.game.kinds[0].name}"
        rows.append((with_them, [f"{value:g}" for value in row], [False] * len(row)))
    items.append(_Text(EDGE, y + 4, 14, "Points that the dice left will lose", bold=True))
    return _draw_table(items, f"{card.game.kinds[0].name} left", [str(n) for n in card.columns], rows, y + 14)


def _kept_faces(card: Card, kind: int, count: int) -> str:
    """Say which faces of a kind are kept with so many dice on the table, as 5+ or one by one."""
    game = card.game
    levels, gains = face_levels(card), game.face_gains(kind)
    most = max(gains)
    faces = [f for f, gain in enumerate(gains, 1) if gain == most or count == 1 or levels[kind, gain] >= count]
    if len(faces) == len(gains):
        return "any"
    if faces == list(range(faces[0], len(gains) + 1)):
        return f"{faces[0]}+" if len(faces) > 1 else str(faces[0])
    return " ".join(str(face) for face in sorted(faces, key=lambda face: -gains[face - 1]))


def _draw_table(
    items: list[_Text | _Box], corner: str, heads: Sequence[str], rows: Sequence[tuple[str, list[str], list[bool]]], y: float
) -> float:
    first = 128.0
    each = (WIDTH - 2 * EDGE - first) / len(heads)
    size = 15.0 if each > 44 else 12.0
    high = 28.0
    for row, (name, cells, marked) in enumerate([(corner, list(heads), [False] * len(heads)), *rows]):
        top = y + row * high
        items.append(_Box(EDGE, top, first, high, PALE))
        items.append(_Text(EDGE + 8, top + 19, 13 if row else 12, name, bold=row > 0))
        for column, words in enumerate(cells):
            left = EDGE + first + column * each
            items.append(_Box(left, top, each, high, TINT if marked[column] else "#ffffff" if row else PALE))
            items.append(_Text(left + each / 2, top + 19.5, size, words, bold=row > 0, centred=True))
    return y + (len(rows) + 1) * high


def _write(
    items: list[_Text | _Box], paragraphs: Sequence[str], y: float, size: float, colour: str, numbered: bool = False
) -> float:
    """Write paragraphs below one another; return where the next one would begin."""
    indent = 20.0 if numbered else 0.0
    for number, words in enumerate(paragraphs, 1):
        y += size * 0.45
        for line, part in enumerate(_wrap(words, size, WIDTH - 2 * EDGE - indent)):
            y += size * 1.3
            if numbered and line == 0:
                items.append(_Text(EDGE, y, size, f"{number}.", bold=True, colour=colour))
            items.append(_Text(EDGE + indent, y, size, part, colour=colour))
    return y


def _wide(words: str, size: float) -> float:
    """Estimate how wide words are in Helvetica."""
    narrow, broad = "iIjl.,;:'|!ft()- ", "mwMW%"
    return size * sum(0.3 if c in narrow else 0.85 if c in broad else 0.556 for c in words)


ROOM = 0.88
"""How much of a line is filled: where Helvetica is absent, another font is wider."""


def _wrap(words: str, size: float, width: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _wide(longer, size) > ROOM * width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _escape(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _svg(picture: _Picture) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {picture.height:g}" width="{WIDTH:g}" '
        f'height="{picture.height:g}" font-family="Helvetica, Arial, sans-serif">'
    ]
    for item in picture.items:
        if isinstance(item, _Box):
            lines.append(
                f'<rect x="{item.x:g}" y="{item.y:g}" width="{item.width:g}" height="{item.height:g}" '
                f'fill="{item.fill}" stroke="{item.line}"/>'
            )
        else:
            style = (' font-weight="bold"' if item.bold else "") + (' text-anchor="middle"' if item.centred else "")
            lines.append(
                f'<text x="{item.x:g}" y="{item.y:g}" font-size="{item.size:g}" fill="{item.colour}"{style}>'
                f"{_escape(item.words)}</text>"
            )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _pdf(picture: _Picture) -> bytes:
    """Write a page of text and boxes as a PDF file with the two standard fonts: four objects, no library."""

    def colour(code: str) -> str:
        return " ".join(f"{int(code[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))

    drawn = []
    for item in picture.items:
        if isinstance(item, _Box):
            where = f"{item.x:.2f} {picture.height - item.y - item.height:.2f} {item.width:.2f} {item.height:.2f}"
            drawn.append(f"{colour(item.fill)} rg {colour(item.line)} RG {where} re B")
        else:
            x = item.x - (_wide(item.words, item.size) / 2 if item.centred else 0.0)
            words = item.words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            font = "F2" if item.bold else "F1"
            where = f"{x:.2f} {picture.height - item.y:.2f}"
            drawn.append(f"BT {colour(item.colour)} rg /{font} {item.size:g} Tf {where} Td ({words}) Tj ET")
    content = "\n".join(drawn).encode("cp1252", "replace")
    fonts = " ".join(
        f"/F{i} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for i, name in ((1, "Helvetica"), (2, "Helvetica-Bold"))
    )
    page = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {picture.height:g}] /Contents 4 0 R "
        f"/Resources << /Font << {fonts} >> >> >>"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        page.encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(file))
    return file + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + tail
