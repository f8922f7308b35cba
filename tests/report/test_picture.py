"""Pictures of the smallest example: true, readable by everybody, and nothing but a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from conftest import GradeText

from autograder.report.as_html import page
from autograder.report.number_table import Table
from autograder.report.picture import svg

SVG = "{http://www.w3.org/2000/svg}"
GOT = Table("got", ((("0.7", True), ("0.3", True)), (("-0.5", False), ("nan", False))), 2)
WEIGHTS = replace(GOT, is_attention=True, is_causal=True)


def drawn(table: Table, *beside: Table) -> ET.Element:
    return ET.fromstring(svg(table, beside or (table,)))


def texts(picture: ET.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(f"{SVG}text")]


def opacities(picture: ET.Element) -> list[float]:
    return [float(cell.attrib["fill-opacity"]) for cell in picture.iter(f"{SVG}rect")]


def test_every_number_stands_in_its_cell() -> None:
    assert texts(drawn(GOT)) == ["got", "0.7", "0.3", "-0.5", "nan"]
    assert len(opacities(drawn(GOT))) == 4


def test_a_screen_reader_hears_the_numbers_and_which_differ() -> None:
    [title] = drawn(GOT).iter(f"{SVG}title")
    assert title.text == "got: 0.7 (differs), 0.3 (differs); -0.5, nan"
    assert drawn(GOT).attrib["role"] == "img"


def test_what_differs_is_framed_and_bold_not_only_coloured() -> None:
    cells = list(drawn(GOT).iter(f"{SVG}rect"))
    assert ["stroke-width" in cell.attrib for cell in cells] == [True, True, False, False]
    numbers = list(drawn(GOT).iter(f"{SVG}text"))[1:]
    assert ["font-weight" in one.attrib for one in numbers] == [True, True, False, False]


def test_tables_side_by_side_share_a_scale() -> None:
    twice = Table("expected", ((("1.4", False),),), 1)
    assert opacities(drawn(GOT))[0] == 2 * opacities(drawn(GOT, GOT, twice))[0]
    assert opacities(drawn(GOT))[3] == 0  # a NaN has no size


def test_signs_have_colours_of_their_own() -> None:
    fills = [cell.attrib["fill"] for cell in drawn(GOT).iter(f"{SVG}rect")]
    assert fills[0] == fills[1] != fills[2]


def test_weights_have_tokens_at_their_sides_and_a_hatched_future() -> None:
    picture = drawn(WEIGHTS)
    assert texts(picture)[-4:] == ["key 0", "key 1", "q 0", "q 1"]
    assert len(list(picture.iter(f"{SVG}path"))) == 1
    assert not list(drawn(replace(WEIGHTS, is_causal=False)).iter(f"{SVG}path"))


@pytest.mark.parametrize("table", [Table("nothing", (), 0), replace(GOT, is_cut=True)])
def test_odd_tables_are_drawn(table: Table) -> None:
    assert table.title in texts(drawn(table))


@pytest.mark.dear
def test_a_page_shows_the_attention_that_looked_ahead(
    grade_text: GradeText, solutions: dict[str, str]
) -> None:
    text = solutions["causal_attention"]
    name = "def single_head"
    at = text.index(name)
    wrong = text[:at] + text[at:].replace("triu(diagonal=1)", "triu(diagonal=2)", 1)
    shown = page(grade_text(wrong, "causal_attention", named=True), 1)
    assert "framed where it differs" in shown
    assert shown.count("<svg") == 5 and "key 1" in shown and "<path" in shown
