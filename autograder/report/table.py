"""The smallest example as small tables of numbers, those that differ marked."""

from __future__ import annotations

import re
from dataclasses import replace

import torch
from torch import Tensor

from autograder.checking.example import Example
from autograder.checking.remarks import WrongResult
from autograder.client import Input
from autograder.report.number_table import Table

MARK = "*"
FEWEST, FEW, MOST = 4, 6, 12  # decimals; PyTorch prints the fewest
COLUMNS = 6  # of one table
NUMBER = re.compile(r"\d[\d.]*(?:e[+-]?\d+)?")  # in a list, without a sign
MOST_WEIGHTS = 150  # characters for the weights; a longer text would help nobody


def inputs(example: Example) -> list[Table]:
    """Return a table for each input."""
    names = example.names or tuple(f"argument {i}" for i in range(len(example.small.inputs)))
    return [_input(name, x) for name, x in zip(names, example.small.inputs, strict=False)]


def results(example: Example) -> list[list[Table]]:
    """Return two tables for each result that differs, the expected and the actual one.

    After them comes one of what a line makes, if that is known.
    """
    pairs = [_result(result) for result in example.results]
    if example.at_line is None:
        return pairs
    title, tensor = example.at_line
    return [*pairs, [_table(title, tensor, None, FEWEST)]]


def bands(example: Example) -> list[list[Table]]:
    """Return the tables in rows: the inputs, then each pair of expected and actual results."""
    return [inputs(example), *results(example)]


def heading(example: Example, marking: str = MARK, more: str = "") -> str:
    """Return the heading of an example, which shows the call.

    marking: how numbers are marked. more: what else there is to know of marks.
    """
    trial = example.small.trial
    call = trial.exercise
    if trial.projections is None:
        call += f"({', '.join(map(str, trial.arguments))})"
    later = ", called in training and then again in evaluation" if example.in_evaluation else ""
    marked = any(result.apart is not None for result in example.results)
    mark = f" ({marking} where it differs{more})" if marked else ""
    return f"The smallest example, {call}{later}{mark}:"


def weights(example: Example) -> str:
    """Return the weights in one line, grouped by value, or a summary if they are too many."""
    by_value: dict[str, list[str]] = {}
    for name, weight in {**example.small.weights, **example.more}.items():
        by_value.setdefault(_plain(weight), []).append(name)
    text = "; ".join(f"{', '.join(names)} = {value}" for value, names in by_value.items())
    if len(text) <= MOST_WEIGHTS:
        return f"with {text}" if text else ""
    numbers = "0 and 1" if example.small.simple else "whole numbers from -1 to 2"
    own = f", and what your code makes in {next(iter(example.more))}" if example.more else ""
    others = " and others" if len(example.more) > 1 else ""
    return f"with weights of {numbers}{own}{others}"


def _plain(weight: Tensor) -> str:
    n = len(weight)
    if n > 1 and torch.equal(weight, torch.eye(n).double()):
        return "identity"
    if bool((weight == weight.round()).all()) and bool(weight.isfinite().all()):
        return str(weight.long().tolist())
    return NUMBER.sub(lambda found: f"{float(found[0]):.{FEWEST}f}", str(weight.tolist()))


def _input(name: str, x: Input) -> Table:
    if isinstance(x, int):
        return Table(name, (((str(x), False),),), 1)
    return _table(f"{name} {tuple(x.shape)}", x, None, FEWEST)


def _result(result: WrongResult) -> list[Table]:
    """Return the expected and the actual table; the latter has its shape only if it differs."""
    name = f"{result.name}: " if result.name else ""
    shape = "" if result.apart is not None else f" {tuple(result.got.shape)}"
    digits = digits_of(result)
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


def digits_of(result: WrongResult) -> int:
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


def _number(number: float, digits: int) -> str:
    text = f"{number:.{digits}f}" if abs(number) < 1e6 else f"{number:.4g}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text
