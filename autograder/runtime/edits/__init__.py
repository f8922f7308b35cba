"""Small changes of code, one of which may correct a mistake: other names, numbers, parts.

They are made of the code alone and say nothing about what is right: all are tried, and the checks
tell which make the work right. That the same line has to be changed each time is what is shown.
"""

from autograder.runtime.edits.edit import ADDS, CHANGES, EVERYWHERE, MOVES, REPAIRS, USES, Edit
from autograder.runtime.edits.finding import edits_of
from autograder.runtime.edits.parts import Part, parts
from autograder.runtime.edits.returned import returned

__all__ = [
    "ADDS",
    "CHANGES",
    "EVERYWHERE",
    "MOVES",
    "REPAIRS",
    "USES",
    "Edit",
    "Part",
    "edits_of",
    "parts",
    "returned",
]
