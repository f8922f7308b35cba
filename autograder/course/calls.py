"""The kit's own cells in notebooks, by which students call the grader."""

from __future__ import annotations

import re

# The first cell of code, which is Python for a kernel that knows nothing of the kit, too. Its names
# begin with `_`, so that a student's code cannot rely on what it imports.
START = '''\
# Run this first: it makes check(), hint() and progress() known.
from pathlib import Path as _Path
from sys import path as _path

_path.append(str(_Path("..").resolve()))  # the kit's folder, in a kernel that lacks the kit
try:
    from autograder.notebook import check, hint, progress
except ImportError as _problem:
    _name = (_problem.name or "autograder").partition(".")[0]
    _said = f"The kit cannot start here: {_problem}. Call make lab in its folder"
    if _problem.name == "autograder":
        _said = "The kit is not found: call make lab in its folder, or open this notebook there"
    elif _name.startswith("_") or _name in ("torch", "numpy"):  # of Python; pinned
        _said = f"The kit cannot start here: {_problem}. Call make setup in its folder"
    elif _name != "autograder":  # on the web, another package has the kit's name
        _said += f", or run %pip install -U {_name} here and restart the kernel"

    def check(*_: str) -> None:
        """Say what to do where the kit cannot be imported."""
        print(f"{_said}.")

    hint = progress = check'''
CALL = 'check("{}")'  # after each exercise
PROGRESS = "progress()"  # at the end
# Lines of a cell that only call the grader: they are no part of a student's work.
NAME = r"(['\"])[\w \t]*\1[ \t]*(?:,[ \t]*(?:hints[ \t]*=[ \t]*)?\d[ \t]*)?"
FUNCTIONS = ("check", "hint", "progress")
CALLS = re.compile(
    rf"^(?:{'|'.join(FUNCTIONS)})\([ \t]*(?:{NAME})?\)[ \t]*(?:;[ \t]*)?(?:#.*)?$", re.MULTILINE
)
FINISHED = "the visible checks of this cell pass"
# The last line of an exercise's cell of checks, to which nbgrader gives its points.
FINISHES = re.compile(rf'^print\("(\w+): {FINISHED}"\)$', re.MULTILINE)
