"""Draw the tables of the smallest example as heat maps: SVG without script or style sheet.

A colour's strength is a number's size, blue above 0 and orange below; the numbers stand in the
cells, in the colour of the text around, so a picture is readable on light and on dark ground.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from autograder.report.number_table import Table, largest, value

HEIGHT, LETTER, PAD = 26, 8, 7  # of a cell, of a letter of a number, beside a number, in pixels
TITLE, AXIS, GAP = 20, 18, 8  # heights of title and axis; between sequences of a batch
ABOVE, BELOW = "#2a78c8", "#d9822b"  # zero
STRONGEST = 0.6  # opacity of the largest number
FONT = 'font-family="ui-monospace, monospace" font-size="13" fill="currentColor"'
LINES = 'stroke="currentColor" stroke-opacity="0.35"'
MARKED = ' stroke-width="2.5" stroke-opacity="1"'


def svg(table: Table, beside: Sequence[Table]) -> str:
    """Return a picture of a table; its text for screen readers has all numbers.

    beside: the tables with which it shares its scale of colours.
    """
    widest = max((len(text) for row in table.rows for text, _ in row), default=1)
    cell = widest * LETTER + 2 * PAD
    left = AXIS + 2 * LETTER if table.is_attention else 0
    top = TITLE + (AXIS if table.is_attention else 0)
    columns = max((len(row) for row in table.rows), default=0)
    gaps = (len(table.rows) - 1) // table.height if table.height else 0
    width = max(left + columns * cell + 3 * LETTER * table.is_cut + 2, len(table.title) * LETTER)
    height = top + len(table.rows) * HEIGHT + gaps * GAP + 2
    texts = [f'<text y="14">{escape(table.title)}</text>', *_numbers(table, left, top, cell)]
    if table.is_cut:
        texts.append(f'<text x="{left + columns * cell + 4}" y="{top + 17}">…</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}">'
        f"<title>{escape(_spoken(table))}</title>"
        f"<g {LINES}>{''.join(_cells(table, left, top, cell, largest(beside)))}</g>"
        f"<g {FONT}>{''.join(texts)}</g>"
        f"<g {FONT.replace('13', '11')}>{''.join(_axes(table, left, cell))}</g></svg>"
    )


def _axes(table: Table, left: int, cell: int) -> Iterator[str]:
    """Yield the numbers of the tokens: keys above, queries at the side."""
    if not table.is_attention:
        return
    for column in range(len(table.rows[0])):
        x = left + column * cell + cell // 2
        yield f'<text x="{x}" y="{TITLE + 12}" text-anchor="middle">key {column}</text>'
    for row in range(len(table.rows)):
        yield f'<text y="{_row_top(table, row, TITLE + AXIS) + 17}">q {row % table.height}</text>'


def _cells(table: Table, left: int, top: int, cell: int, largest: float) -> Iterator[str]:
    """Yield the coloured cells, those of the future hatched."""
    for at, row in enumerate(table.rows):
        y = _row_top(table, at, top)
        for column, (text, marked) in enumerate(row):
            x, number = left + column * cell + 1, value(text)
            colour = BELOW if number < 0 else ABOVE
            yield (
                f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{HEIGHT - 2}" fill="{colour}" '
                f'fill-opacity="{STRONGEST * abs(number) / largest:.2f}"{MARKED * marked}/>'
            )
            if table.is_causal and column > at % table.height:
                yield _hatched(x, y, cell - 2)


def _numbers(table: Table, left: int, top: int, cell: int) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        y = _row_top(table, number, top) + 17
        for column, (text, marked) in enumerate(row):
            x = left + column * cell + cell // 2
            bold = ' font-weight="bold"' * marked
            yield f'<text x="{x}" y="{y}" text-anchor="middle"{bold}>{escape(text)}</text>'


def _hatched(x: int, y: int, width: int) -> str:
    """Return slanted lines over a cell: a key that lies in the query's future."""
    height = HEIGHT - 2
    starts = range(8, width, 8)
    path = "".join(
        f"M{x + at} {y}L{max(x, x + at - height)} {y + min(at, height)}" for at in starts
    )
    return f'<path d="{path}" fill="none"/>'


def _row_top(table: Table, row: int, top: int) -> int:
    return top + row * HEIGHT + (row // table.height if table.height else 0) * GAP


def _spoken(table: Table) -> str:
    rows = (
        ", ".join(f"{text} (differs)" if marked else text for text, marked in row)
        for row in table.rows
    )
    return f"{table.title}: {'; '.join(rows)}"
