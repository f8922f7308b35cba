"""Run an assignment as a program, whether a student has written it as a module or a notebook."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

from autograder.errors import UsageError
from autograder.notebook.importing import FromFiles, begin, carry_out


class NothingToRun(UsageError):
    """No file of an assignment can be run; the text says what to do."""


def run(assignment: str, folder: Path) -> list[str]:
    """Run an assignment as `__main__`, from the file from which others would import it.

    It imports others in the same way, and works in the folder. Returns its errors as text, each
    with its place. Raises NothingToRun.
    """
    found = FromFiles(folder).found(assignment)
    if found is None:
        raise NothingToRun(
            f"{folder / assignment}.py cannot be run, nor can its notebook: make grade says why."
        )
    file, code = found
    begin(folder)
    os.chdir(folder)
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = str(file)
    if isinstance(code, str):
        errors = carry_out(file, [(str(file), code)], vars(main))
        return [f"{file.name}, {one}" for one in errors]
    # A cell's own label stands for a notebook that is graded, of which no trial is run.
    parts = [(label.replace(", cell ", " cell "), text) for label, text in code]
    return carry_out(file, parts, vars(main))
