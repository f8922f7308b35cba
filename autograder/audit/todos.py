"""Places that an author has still to write.

Each is a mark in a file of the course, with the name of an exercise or of an assignment:

    # TODO(RMSNorm): draw inputs of the shapes in the statement.

`python -m autograder exercise` writes them. A plain `# TODO: ` above a passage is for students.
"""

from __future__ import annotations

import re

TODO = re.compile(r"""TODO\((\w+)\): ([^"'\n]+)""")


def is_unwritten(text: str) -> bool:
    """Return whether a text holds a mark for its author."""
    return TODO.search(text) is not None
