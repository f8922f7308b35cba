"""Graded cells as an instructor writes them: a reference in the notebook, and torch.allclose."""

from __future__ import annotations

import json

from damage.released import MARKER, VISIBLE, Book, Cell, own
from nbformat import NotebookNode

from autograder.checking.collect import collect
from autograder.course import solution
from autograder.course.calls import CALLS, START
from autograder.course.skeletons import BEGIN

DEMONSTRATION = "active-ipynb"
REFERENCE = """\
import types

import torch

COMPARED = 0
REFERENCE = types.ModuleType("reference")
exec({text!r}, REFERENCE.__dict__)


def same(mine, theirs, what):
    global COMPARED
    COMPARED += 1
    assert mine is not None and mine.shape == theirs.shape, f"{{what}}: wrong shape"
    assert torch.allclose(mine, theirs, rtol=1e-6, atol=1e-9), f"{{what}} differs"


def tensors(found):
    return found if isinstance(found, tuple) else (found,)


def compare(name, arguments, shapes, seed):
    \"\"\"With the same random weights and inputs, results and gradients are the same.\"\"\"
    torch.manual_seed(seed)
    theirs, mine = (made(*arguments).double() for made in (getattr(REFERENCE, name), MINE[name]))
    for parameter in theirs.parameters():
        torch.nn.init.normal_(parameter)
    mine.load_state_dict(theirs.state_dict())
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    copies = [x.detach().clone().requires_grad_() for x in inputs]
    got, expected = tensors(mine(*copies)), tensors(theirs(*inputs))
    assert len(got) == len(expected), "wrong number of results"
    for one, other in zip(got, expected):
        same(one, other, "the result")
    sum((x * x).sum() for x in got).backward()
    sum((x * x).sum() for x in expected).backward()
    for one, other in zip(copies, inputs):
        same(one, other, "the argument")
        same(one.grad, other.grad, "the gradient of the argument")
    parameters = dict(mine.named_parameters())
    for key, parameter in theirs.named_parameters():
        same(parameters[key].grad, parameter.grad, f"the gradient of {{key}}")
    for one, other in zip(tensors(mine.eval()(*copies)), expected):
        same(one, other, "the result after eval()")
"""
HIDDEN = """
MINE = globals()
for arguments, shapes in {cases!r}:
    for seed in range({times}):
        compare({exercise!r}, arguments, shapes, seed)
print(COMPARED, "tensors compared")
"""
Case = tuple[tuple[int, ...], list[tuple[int, ...]]]  # arguments, and the shapes of the inputs
CASES: dict[str, list[Case]] = {
    "TestModule": [],
    "QueryKeyValue": [((7, 4), [(3, 5, 7)]), ((7, 4), [(5, 7)]), ((4, 4), [(4, 4, 4)])],
    "ScaledDotProduct": [
        ((), [(3, 5, 4), (3, 6, 4), (3, 6, 2)]),
        ((), [(2, 3, 5, 4), (2, 3, 6, 4), (2, 3, 6, 2)]),
        ((), [(4, 4), (4, 4), (4, 4)]),
    ],
    "AttentionHead": [((7, 4), [(3, 5, 7)]), ((4, 4), [(4, 4, 4)])],
    "FeedForwardLayer": [((7, 9), [(3, 5, 7)]), ((5, 5), [(5, 5, 5)])],
    "SimpleAttentionLayer": [((7, 4, 9), [(3, 5, 7)]), ((5, 5, 5), [(5, 5, 5)])],
    "MultiHeadList": [((7, 4, 2), [(3, 5, 7)])],
    "MultiHeadAttention": [
        ((7, 3, 4), [(3, 5, 7)]),
        ((5, 5, 5), [(5, 5, 5)]),
        ((7,), [(2, 6, 7)]),
    ],
}
# With other random numbers each case is tried a second time, but for these: in all, no more tensors
# are to be compared than the kit compares.
ONCE = frozenset({"QueryKeyValue", "SimpleAttentionLayer"})


def added(made: NotebookNode, assignment: str, pictures: bool) -> Book:
    """The source notebook of an assignment with such cells in it, and none that calls the grader.

    pictures: leave the cells in which they are drawn.
    """
    book: Book = json.loads(json.dumps(made))
    checks = collect()
    points = {
        e.name: sum(c.check.points for c in checks.of(e)) for e in checks.exercises(assignment)
    }
    cells = [marked(cell, points) for cell in book["cells"]]
    kept = [c for c in cells if (pictures or not is_picture(c)) and not calls_the_grader(c)]
    text = MARKER.sub("", solution(assignment))
    first = own(REFERENCE.format(text=text), id="reference")
    first["metadata"] = nbgrader("reference", locked=True)
    return {**book, "cells": [first, *kept]}


def marked(cell: Cell, points: dict[str, float]) -> Cell:
    """A cell with nbgrader's metadata, and the graded ones with hidden tests."""
    if cell["cell_type"] != "code":
        return cell
    tested = VISIBLE.search(cell["source"])
    if tested and tested[1] in points:
        name = tested[1]
        times = 1 if name in ONCE else 2
        hidden = HIDDEN.format(cases=CASES[name], exercise=name, times=times)
        graded = nbgrader(name, grade=True, locked=True, points=points[name])
        return {**cell, "source": cell["source"] + hidden, "metadata": graded}
    if BEGIN in cell["source"]:
        return {**cell, "metadata": nbgrader(f"{cell['id']}-answer", solution=True)}
    return cell


def is_picture(cell: Cell) -> bool:
    """Does it show something, and is not graded?"""
    return cell["cell_type"] == "code" and DEMONSTRATION in cell["metadata"].get("tags", [])


def calls_the_grader(cell: Cell) -> bool:
    """Is it one of the kit's calls, or makes them known?"""
    return cell["source"] == START or not CALLS.sub("", cell["source"]).strip()


def nbgrader(grade_id: str, **more: bool | float) -> Cell:
    """Metadata for a cell."""
    flags = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {"schema_version": 3, "grade_id": grade_id, **flags, **more}}
