"""Run an assignment as a program, whether a student has written it as a module or a notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from autograder.errors import UsageError
from autograder.notebook.importing import SESSION, begin, carry_out, imported
from autograder.submissions.files import Unreadable


class NothingToRun(UsageError):
    """No file of an assignment can be run; the text says what to do."""


def run(assignment: str, folder: Path) -> Iterator[str]:
    """Run an assignment as `__main__`, from the file from which others would import it.

    It imports others in the same way, and works in the folder. Yields its errors as text, each with
    its place. Raises NothingToRun, and SystemExit if the assignment does.
    """
    os.environ.pop(SESSION, None)  # of a notebook in which the command was called
    try:
        found = imported(assignment, folder)
    except Unreadable as problem:
        raise NothingToRun(str(problem)) from None
    if found is None:
        raise NothingToRun(
            f"There is no {assignment}.py in {folder}, and no notebook of that name: take one from "
            "your copy of the kit."
        )
    file, code = found
    begin(folder)
    os.chdir(folder)
    main = sys.modules["__main__"] = ModuleType("__main__")
    if isinstance(code, str):
        main.__file__ = str(file)
        parts, place = [(str(file), code)], f"{file.name}, "
    else:  # with a comma it would be the label of a cell whose `__main__` blocks are left out
        parts, place = [(label.replace(", cell ", " cell "), text) for label, text in code], ""
    for one in carry_out(file, parts, vars(main), exits=True):
        yield f"{place}{one}"
