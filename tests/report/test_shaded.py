"""Tables in a terminal: numbers in shaded cells, as wide as there is room, readable without."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from conftest import GradeText

from autograder.report.columns import width
from autograder.report.number_table import Table
from autograder.report.shaded import ABOVE, BELOW, FUTURE, bands
from autograder.report.streams import Screen
from autograder.report.terminal import Terminal

GOT = Table("got", ((("0.7", True), ("0.1", False)), (("-0.5", False), ("nan", False))), 2)
WEIGHTS = Table(
    "got (2, 2)",
    ((("1.0000", False), ("0.0000", False)), (("0.7500", True), ("0.2500", True))),
    2,
    is_attention=True,
    is_causal=True,
)
SGR = re.compile(r"\x1b\[[\d;]*m")
SHADE = re.compile(r"48;5;(\d+)m *([-\w.]+)")


def lines(*tables: Table, columns: int = 80, colour: bool = False) -> list[str]:
    return list(bands(tables, [], columns, colour))


def test_without_colours_nothing_but_the_shades_is_missing() -> None:
    coloured = [SGR.sub("", line).rstrip() for line in lines(GOT, WEIGHTS, colour=True)]
    assert coloured == lines(GOT, WEIGHTS)
    assert "\x1b" not in "".join(lines(GOT, WEIGHTS))


def test_a_shade_tells_size_and_sign() -> None:
    shades = {n: int(shade) for line in lines(GOT, colour=True) for shade, n in SHADE.findall(line)}
    assert shades["0.7"] == ABOVE[-1]
    assert shades["0.1"] == ABOVE[0]
    assert shades["-0.5"] == BELOW[2]
    assert "nan" not in shades


def test_tables_side_by_side_share_a_scale() -> None:
    larger = replace(GOT, rows=((("7", False),),))
    first = {n: s for line in lines(GOT, larger, colour=True) for s, n in SHADE.findall(line)}
    assert int(first["7"]) == ABOVE[-1]
    assert int(first["0.7"]) == ABOVE[0]


def test_weights_have_tokens_at_their_sides_and_a_filled_future() -> None:
    _, heads, first, second = lines(WEIGHTS)
    assert heads.split() == ["key", "0", "key", "1"]
    assert first.split() == ["q", "0", "1.0000", FUTURE * 6]
    assert second.split() == ["q", "1", "0.7500*", "0.2500*"]
    looked_ahead = replace(WEIGHTS, rows=((("0.5000", True), ("0.5000", True)), *WEIGHTS.rows[1:]))
    assert FUTURE not in "".join(lines(looked_ahead))
    assert FUTURE not in "".join(lines(replace(WEIGHTS, is_causal=False)))


@pytest.mark.parametrize("columns", [80, 40, 24, 16])
def test_a_narrow_terminal_has_less(columns: int) -> None:
    wide = replace(GOT, rows=((("0.123456", True),) * 6,))
    found = lines(wide, WEIGHTS, columns=columns)
    assert max(map(width, found)) <= columns
    assert ("…" in "".join(found)) == (columns < 62)
    assert max(map(width, lines(wide, WEIGHTS, columns=columns, colour=True))) <= columns


@pytest.mark.dear
def test_a_report_is_as_wide_as_the_terminal_and_its_mistake_is_bold(grade_text: GradeText) -> None:
    text = """
import torch

def causal_weights(queries, keys):
    return torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, -1)
"""
    grade = grade_text(text, "causal_attention", "causal_weights", named=True)
    for columns in (80, 46):
        terminal = Terminal(Screen(True, columns))
        lines = list(terminal.report([grade]))
        shaded = [line for line in lines if SHADE.search(line)]
        assert shaded
        told = [line for line in lines if "make grade" not in line and grade.path not in line]
        assert max(map(width, told)) <= columns
        assert any(line.startswith("      \x1b[1mProbably: ") for line in lines)
        tables = [line for line in shaded if "q 0" in line]
        assert len(tables) == (1 if columns == 80 else 2)
