"""Draw the smallest example for a terminal: tables of numbers next to each other.

Where colours are allowed, a number's size is the shade of its cell, blue above 0 and orange below.
Without them, nothing is missing but the shades.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from autograder.checking.example import Example
from autograder.report.columns import padded, width, wrapped
from autograder.report.number_table import Table, largest, value
from autograder.report.table import MARK, heading, inputs, results, weights

INDENT = "  "  # of tables
GAP = "   "  # between tables
FUTURE = "░"  # fills a cell of a key that lies in the query's future, where 0 is right
# Colours of the 256 that terminals have, from the weakest shade to the strongest.
ABOVE, BELOW = (153, 111, 69, 26), (223, 216, 209, 166)
BLACK, WHITE = 16, 231
FAINT = 0.05  # share of the largest number up to which a cell has no shade

Block = list[str]


def drawn(example: Example, columns: int, colour: bool = False) -> Iterator[str]:
    """Yield the lines of an example: its heading, the weights, the tables, the remarks."""
    given, pairs = inputs(example), results(example)
    future = f", {FUTURE} the future" * any(one.is_causal for pair in pairs for one in pair)
    yield from _wrapped(heading(example, MARK, future), columns)
    yield from _wrapped(weights(example), columns)
    yield from bands(given, pairs, columns, colour)
    for said in example.said:
        yield from _wrapped(said, columns)


def numbers(example: Example, columns: int) -> Iterator[str]:
    """Yield the lines of an example's tables, in rows as far as they fit."""
    yield from bands(inputs(example), results(example), columns)


def bands(
    inputs: Sequence[Table],
    results: Sequence[Sequence[Table]],
    columns: int,
    colour: bool = False,
) -> Iterator[str]:
    """Yield the lines of tables next to each other, as far as they fit. A row shares its shades."""
    given = _blocks(inputs, columns, colour)
    pairs = [_blocks(pair, columns, colour) for pair in results]
    first = [*given, *pairs[0]] if pairs else given
    bands = [first, *pairs[1:]] if _width(first) <= columns else [given, *pairs]
    for i, band in enumerate(bands):
        if i:
            yield ""
        yield from _in_a_row(band, columns)


def _blocks(tables: Sequence[Table], columns: int, colour: bool) -> list[Block]:
    scale = largest(tables)
    return [_block(table, scale, columns, colour) for table in tables]


def _wrapped(text: str, columns: int) -> list[str]:
    return wrapped(text, columns=columns, hanging="  ")


def _block(table: Table, scale: float, columns: int, colour: bool) -> Block:
    """Return a title and a line for each row, with empty lines between sequences of a batch.

    Weights have the numbers of the keys above them, and those of the queries at their side. Where
    the columns of a terminal are too few, columns of the table are left out.
    """
    cells = [[text + (MARK if marked else " ") for text, marked in row] for row in table.rows]
    shown = max((len(row) for row in cells), default=0)
    heads = [f"key {i} " for i in range(shown)] if table.is_attention else []
    wide = max((len(cell) for row in [*cells, heads] for cell in row), default=0)
    side = len(f"q {table.height} ") if table.is_attention else 0
    fitting = max(1, (columns - len(INDENT) - side - len(" …") + 1) // (wide + 1))
    dots = " …" * (table.is_cut or shown > fitting)
    block = [table.title]
    if heads:
        above = " ".join(f"{head:>{wide}}" for head in heads[:fitting])
        block.append((" " * side + above + dots).rstrip())
    for i, row in enumerate(table.rows):
        if i and table.height and i % table.height == 0:
            block.append("")
        query = i % table.height if table.height else i
        line = f"q {query}".ljust(side) if table.is_attention else ""
        is_future = [table.is_causal and key > query for key in range(shown)]
        row_cells = (
            _cell(*cell, wide, scale, future, colour)
            for cell, future in zip(row[:fitting], is_future, strict=False)
        )
        block.append(line + " ".join(row_cells) + dots)
    return block


def _cell(text: str, marked: bool, wide: int, scale: float, future: bool, colour: bool) -> str:
    """Return a number in its cell, which is filled where 0 stands for a key in the future."""
    number = value(text)
    if future and not marked and number == 0:
        return FUTURE * (wide - 1) + " "
    cell = f"{text + (MARK if marked else ' '):>{wide}}"
    share = abs(number) / scale
    if not colour or share < FAINT:
        return cell
    shades = BELOW if number < 0 else ABOVE
    level = min(int(share * len(shades)), len(shades) - 1)
    letters = WHITE if level == len(shades) - 1 else BLACK
    return f"\x1b[{'1;' * marked}38;5;{letters};48;5;{shades[level]}m{cell}\x1b[0m"


def _in_a_row(blocks: Sequence[Block], columns: int) -> Iterator[str]:
    """Yield the lines of blocks next to each other if they fit, else one below the other."""
    bands = [blocks] if _width(blocks) <= columns else [[block] for block in blocks]
    for i, band in enumerate(bands):
        if i:
            yield ""
        widths = [max(map(width, block)) for block in band]
        for lines in zip_longest(*band, fillvalue=""):
            cells = (padded(line, wide) for line, wide in zip(lines, widths, strict=True))
            yield f"{INDENT}{GAP.join(cells)}".rstrip()


def _width(blocks: Sequence[Block]) -> int:
    return len(INDENT) - len(GAP) + sum(max(map(width, block)) + len(GAP) for block in blocks)
