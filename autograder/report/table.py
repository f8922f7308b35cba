"""Draw the smallest example as small tables next to each other, with differing numbers marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import torch
from torch import Tensor

from autograder.checking.example import Example
from autograder.checking.remarks import WrongResult
from autograder.client import Input
from autograder.report.columns import wrapped

MARK = "*"
INDENT = "  "  # of tables
GAP = "   "  # between tables
FEWEST, FEW, MOST = 4, 6, 12  # decimals
COLUMNS = 6  # of one table
MOST_WEIGHTS = 150  # characters for the weights; a longer text would help nobody

Block = list[str]


@dataclass(frozen=True)
class Table:
    """A table of numbers, as text.

    rows: cells, each with True if it is marked. height: the rows of one sequence of a batch.
    is_cut: True if columns are left out. is_attention: True for weights, a row for each query and
    a column for each key. is_causal: True if no right row looks at a later key.
    """

    title: str
    rows: tuple[tuple[tuple[str, bool], ...], ...]
    height: int
    is_cut: bool = False
    is_attention: bool = False
    is_causal: bool = False


def drawn(example: Example, width: int) -> Iterator[str]:
    """Yield the lines of an example: its heading, the weights, the tables, the remarks."""
    yield from _wrapped(heading(example), width)
    told = weights(example)
    yield from _wrapped(told if "=" in told or not told else f"{told}, which --json shows", width)
    yield from numbers(example, width)
    for said in example.said:
        yield from _wrapped(said, width)


def numbers(example: Example, width: int) -> Iterator[str]:
    """Yield the lines of an example's tables, in rows as far as they fit."""
    given = [_block(table) for table in inputs(example)]
    pairs = [[_block(table) for table in pair] for pair in results(example)]
    first = [*given, *pairs[0]] if pairs else given
    bands = [first, *pairs[1:]] if _width(first) <= width else [given, *pairs]
    for i, band in enumerate(bands):
        if i:
            yield ""
        yield from _in_a_row(band, width)


def inputs(example: Example) -> list[Table]:
    """Return a table for each input."""
    names = example.names or tuple(f"argument {i}" for i in range(len(example.small.inputs)))
    return [_input(name, x) for name, x in zip(names, example.small.inputs, strict=False)]


def results(example: Example) -> list[list[Table]]:
    """Return two tables for each result that differs: the expected and the actual one."""
    return [_result(result) for result in example.results]


def _wrapped(text: str, width: int) -> list[str]:
    return wrapped(text, columns=width, hanging="  ")


def heading(example: Example, marking: str = MARK) -> str:
    """Return the heading of an example, which shows the call. marking: how numbers are marked."""
    trial = example.small.trial
    call = trial.exercise
    if trial.projections is None:
        call += f"({', '.join(map(str, trial.arguments))})"
    later = ", called in training and then again in evaluation" if example.in_evaluation else ""
    marked = any(result.apart is not None for result in example.results)
    mark = f" ({marking} where it differs)" if marked else ""
    return f"The smallest example, {call}{later}{mark}:"


def weights(example: Example) -> str:
    """Return the weights in one line, grouped by value, or a summary if they are too many."""
    by_value: dict[str, list[str]] = {}
    for name, weight in example.small.weights.items():
        by_value.setdefault(_plain(weight), []).append(name)
    text = "; ".join(f"{', '.join(names)} = {value}" for value, names in by_value.items())
    if len(text) <= MOST_WEIGHTS:
        return f"with {text}" if text else ""
    numbers = "0 and 1" if example.small.simple else "whole numbers from -1 to 2"
    return f"with weights of {numbers}"


def _plain(weight: Tensor) -> str:
    n = len(weight)
    if n > 1 and torch.equal(weight, torch.eye(n).double()):
        return "identity"
    return str(weight.long().tolist())


def _input(name: str, x: Input) -> Table:
    if isinstance(x, int):
        return Table(name, (((str(x), False),),), 1)
    return _table(f"{name} {tuple(x.shape)}", x, None, FEWEST)


def _result(result: WrongResult) -> list[Table]:
    """Return the expected and the actual table; the latter has its shape only if it differs."""
    name = f"{result.name}: " if result.name else ""
    shape = "" if result.apart is not None else f" {tuple(result.got.shape)}"
    digits = _digits(result)
    want = _table(f"{name}expected {tuple(result.expected.shape)}", result.expected, None, digits)
    got = _table(f"got{shape}", result.got, result.apart, digits)
    if not _is_attention(result):
        return [want, got]
    causal = result.expected.shape[-1] > 1 and not bool(result.expected.triu(1).any())
    return [replace(one, is_attention=True, is_causal=causal) for one in (want, got)]


def _is_attention(result: WrongResult) -> bool:
    """Return whether a result has a weight for each pair of tokens, in at least two dimensions."""
    shape = result.expected.shape
    is_square = len(shape) > 1 and shape[-1] == shape[-2] and result.apart is not None
    return result.shares and is_square


def _digits(result: WrongResult) -> int:
    """Return the fewest decimals that show all differences, or if too many are needed, any."""
    if result.apart is None:
        return FEWEST
    pairs = list(zip(result.expected[result.apart], result.got[result.apart], strict=True))
    seen = {
        digits: [f"{float(one):.{digits}f}" != f"{float(other):.{digits}f}" for one, other in pairs]
        for digits in range(FEWEST, MOST + 1)
    }
    few = (digits for digits in range(FEWEST, FEW + 1) if all(seen[digits]))
    some = (digits for digits in seen if any(seen[digits]))
    return next(few, max(FEW, next(some, MOST)))


def _table(title: str, tensor: Tensor, apart: Tensor | None, digits: int) -> Table:
    rows = torch.atleast_2d(tensor)
    marks = torch.zeros_like(rows, dtype=torch.bool) if apart is None else torch.atleast_2d(apart)
    whole = bool((rows == rows.round()).all())
    cells = tuple(
        tuple(
            (_number(float(n), 0 if whole else digits), bool(differs))
            for n, differs in zip(row[:COLUMNS], mark[:COLUMNS], strict=True)
        )
        for row, mark in zip(rows.flatten(0, -2), marks.flatten(0, -2), strict=True)
    )
    return Table(title, cells, rows.shape[-2], rows.shape[-1] > COLUMNS)


def _block(table: Table) -> Block:
    """Return a title and a line for each row, with empty lines between sequences of a batch."""
    cells = [[text + (MARK if marked else " ") for text, marked in row] for row in table.rows]
    wide = max((len(cell) for row in cells for cell in row), default=0)
    block = [table.title]
    for i, row in enumerate(cells):
        if i and table.height and i % table.height == 0:
            block.append("")
        block.append(" ".join(f"{cell:>{wide}}" for cell in row) + " …" * table.is_cut)
    return block


def _number(number: float, digits: int) -> str:
    text = f"{number:.{digits}f}" if abs(number) < 1e6 else f"{number:.4g}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def _in_a_row(blocks: Sequence[Block], width: int) -> Iterator[str]:
    """Yield the lines of blocks next to each other if they fit, else one below the other."""
    bands = [blocks] if _width(blocks) <= width else [[block] for block in blocks]
    for i, band in enumerate(bands):
        if i:
            yield ""
        widths = [max(map(len, block)) for block in band]
        for lines in zip_longest(*band, fillvalue=""):
            padded = (f"{line:<{wide}}" for line, wide in zip(lines, widths, strict=True))
            yield f"{INDENT}{GAP.join(padded)}".rstrip()


def _width(blocks: Sequence[Block]) -> int:
    return len(INDENT) - len(GAP) + sum(max(map(len, block)) + len(GAP) for block in blocks)
