"""Tell what students called their files, from the names that Canvas gave to these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.names import downloaded, is_about, is_exactly
from autograder.submissions.source_text import code_lines, form, stem
from autograder.submissions.submission_files import SubmissionFiles

KEEP = "Keep the one that counts."


def by_own_name(paths: Sequence[Path], assignment: str) -> dict[str, Path]:
    """Return a student's downloaded files by the names that the student gave to them.

    A number at the end, as in `lab-1.py`, is left out, since Canvas may have appended it, except
    where two files would then have one name, or where the student's code names the file with it.
    Raises Unreadable if two would have the assignment's name: nobody can tell which of them counts.
    """
    alike: dict[str, list[Path]] = {}
    for path in paths:
        alike.setdefault(downloaded(path.name)[1], []).append(path)
    with_number = _named_by_code(paths)
    found: dict[str, Path] = {}
    for name, same in alike.items():
        if len(same) > 1 and (is_exactly(name, assignment) or is_about(name, assignment)):
            raise several_of_one(same, KEEP)
        for path in same:
            as_it_is = len(same) > 1 or path in with_number
            found[downloaded(path.name, as_it_is)[1]] = path
    if len(found) < len(paths):
        raise several_of_one(paths, KEEP)
    return found


def several_of_one(paths: Sequence[Path], remedy: str) -> Unreadable:
    """Return the refusal of several files of a student, of which only one can count."""
    names = " and ".join(path.name for path in paths[:3])
    return Unreadable(f"{names} belong to the same student. {remedy}")


def _named_by_code(paths: Sequence[Path]) -> list[Path]:
    """Return those files that the student's code names with a number at the end.

    Not if an import names them without it.
    """
    numbered = {
        path: own
        for path in paths
        if form(own := downloaded(path.name, True)[1]) and own != downloaded(path.name)[1]
    }
    if not numbered:
        return []
    files = SubmissionFiles(paths[0].parent, {path.name: path for path in paths})
    readable = [files.code(name) for name in files.names() if files.is_readable(name)]
    text = "\n".join(line for code in readable for line in code_lines(code))
    found = []
    for path, own in numbered.items():
        number = re.compile(rf"(?<![\w-]){re.escape(stem(own))}(?![\w-])")
        if number.search(text):
            without = number.sub("", text)
            if stem(downloaded(path.name)[1]) not in imports(without):
                found.append(path)
    return found
