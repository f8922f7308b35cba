"""List the texts of a submission in which edits are made: modules, and cells of notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from autograder.runtime.source import Code


class Part(NamedTuple):
    """A module, or one cell of a notebook. file: the name of the text. cell: the index in it.

    label: how messages name it; "" for the module that is graded.
    """

    file: str
    cell: int
    label: str
    text: str


def parts(texts: Mapping[str, Code], stem: str) -> list[Part]:
    """Return the parts of a submission's texts, last those of the graded one, named `stem`."""
    found: list[Part] = []
    for name in sorted(texts, key=lambda name: name == stem):
        code, is_graded = texts[name], name == stem
        cells = [["" if is_graded else f"{name}.py", code]] if isinstance(code, str) else code
        for i, (label, text) in enumerate(cells):
            shown = label if is_graded else label.replace(", cell ", " cell ")
            found.append(Part(name, i, shown, text))
    return found
