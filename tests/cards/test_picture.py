"""Pictures of cards."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from shared import solved

from gametheory import games
from gametheory.cards import picture, search

from .shared import MEDIUM


def test_the_picture_shows_the_table_and_the_rules() -> None:
    duel = solved("biscuits")
    root = ElementTree.fromstring(picture.render(replace(MEDIUM, name="medium"), "svg", duel))
    texts = [item.text or "" for item in root.iter() if item.tag.endswith("text")]
    assert texts[0] == "Biscuits: medium card for points"
    at = texts.index("d12")
    assert texts[at + 1 : at + 9] == ["any", "7+", "9+", "10+", "10+", "11+", "11+", "12"]
    heads = texts.index("dice on the table")
    assert texts[heads + 1 : heads + 9] == ["1", "2", "3", "4", "5", "6\u20138", "9\u201312", "13\u201315"]
    together = " ".join(texts)
    assert "93.871" in together
    assert "one d6 alone" in re.sub(r"\s+", " ", together)
    width = float(root.attrib["width"])
    for item in root.iter():
        if item.tag.endswith("text") and "text-anchor" not in item.attrib:
            assert float(item.attrib["x"]) + picture._wide(item.text or "", float(item.attrib["font-size"])) < width


@pytest.mark.parametrize("name", ["biscuits", "badg", "threes"])
@pytest.mark.parametrize("size", list(search.SIZES))
def test_every_packaged_card_can_be_drawn_in_every_format(name: str, size: str) -> None:
    card = search.packaged(games.game(name), size)
    assert card is not None
    ElementTree.fromstring(picture.render(card, "svg"))
    html = picture.render(card, "html").decode()
    assert html.startswith("<!doctype html>")
    assert "<svg" in html
    pdf = picture.render(card, "pdf")
    assert pdf.startswith(b"%PDF-")
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start : start + 4] == b"xref"
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % number)
    with pytest.raises(ValueError, match="cannot be drawn as 'gif'"):
        picture.render(card, "gif")
