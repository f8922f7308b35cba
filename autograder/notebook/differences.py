"""Tell where the kernel has something else for a name than what counted cells make of it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from autograder.course import DEFINED, assignments, exercises
from autograder.notebook.cell_names import (
    bound_in,
    changed_in,
    imported_in,
    makers,
    reached,
    takes_all,
)
from autograder.notebook.history import RERUNS
from autograder.notebook.ran import Ran
from autograder.notebook.stopped import body
from autograder.submissions import demonstrations
from autograder.submissions.magics import of_cell

DONE = (
    "{0} is one of the kit's own cells, which are not graded: what it does to {1} counts in this "
    "kernel only. Do it in a cell of your own, or run the cell that makes {1} again."
)
TAKEN = (
    "{} is one of the kit's own cells: in this kernel, {} is now what that cell makes of it, and "
    "the verdict is about yours. Give yours another name, and run its cell."
)
NOT_READ = (
    "How {0} makes {1} cannot be read from its text, so it does not count: write a cell that "
    "defines {1} by its name."
)


def by_the_kit(
    exercise: str, texts: Sequence[str], ran: Sequence[Ran], kits: Collection[str]
) -> str:
    """Return a sentence about what the kit's own cells did to a name that an exercise uses, or "".

    texts: of the cells that count, which make the name; if none does, it is missing, and its
    verdict says so, as it does of an exercise in such a cell. ran: all cells that ran. kits: the
    ids of the kit's own.
    """
    needed = reached(texts, {exercise}) & {name for text in texts for name in bound_in(text)}
    modules = {name for text in texts for name in imported_in(text)}
    by: dict[str, Ran] = {}  # the cells that did something last, by the names
    for one in ran:
        if one.cell in kits:
            told = {*imported_in(one.text), *(exercises() & {*DEFINED.findall(one.text)})}
            made = one.changed - told
            by |= dict.fromkeys((made | changed_in(one.text) - modules) & needed, one)
        else:
            by = {name: done for name, done in by.items() if name not in one.bound}
    for name, one in by.items():
        own = {ast.unparse(statement) for statement in makers(one.text, {name})}
        is_released = own and own <= _released()
        return (TAKEN if is_released else DONE).format(one.label, name)
    return ""


def not_read(
    exercise: str,
    texts: Sequence[str],
    ran: Sequence[Ran],
    names: Mapping[str, object],
    is_made: bool,
) -> str:
    """Return a sentence about a cell that made what an exercise uses by no text that counts, or "".

    Such as by a magic, or the exercise itself by `globals().update`. names: those of the notebook,
    with their values. is_made: the verdict is about an exercise that the cells make. Silent about
    what comes from an assignment's file, which counts as it was saved.
    """
    for name in sorted(reached(texts, {exercise}) & {*names}):
        last = next((one for one in reversed(ran) if name in one.bound), None)
        if last and name in last.changed and not body(last.text):
            return "" if RERUNS.search(of_cell(last.text)) else NOT_READ.format(last.label, name)
    module = getattr(names.get(exercise), "__module__", None)
    makers = [one for one in ran if exercise in one.changed]
    if is_made or not makers or exercise not in names or module in assignments():
        return ""
    if any(exercise in bound_in(text) or takes_all(text) for text in texts):
        return ""
    return NOT_READ.format(makers[-1].label, exercise)


@cache
def _released() -> frozenset[str]:
    """Return the statements of the kit's own cells."""
    return frozenset(ast.unparse(one) for text in demonstrations.texts() for one in body(text))
