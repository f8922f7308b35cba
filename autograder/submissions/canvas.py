"""Tell what students called their files, from the names that Canvas gave to these."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from autograder.submissions.files import Unreadable
from autograder.submissions.imports import imports
from autograder.submissions.names import downloaded, is_about, is_exactly
from autograder.submissions.source_text import code_lines, form, stem
from autograder.submissions.submission_files import SubmissionFiles

KEEP = "Keep the one that counts."


def by_own_name(paths: Sequence[Path], assignment: str) -> dict[str, Path]:
    """Return a student's downloaded files by the names that the student gave to them.

    Raises Unreadable, see `own_names`.
    """
    files = {path.name: path for path in paths}
    own = own_names(files, paths[0].parent, [assignment])
    return {own[name]: path for name, path in files.items()}


def own_names(
    files: Mapping[str, bytes | Path],
    place: Path,
    assignments: Collection[str],
    classmates: Collection[str] = (),
) -> dict[str, str]:
    """Return the names that a student gave to files, by those that Canvas gave to them.

    A number at the end, as in `lab-1.py`, is left out, since Canvas may have appended it, except
    where two files would then have one name, or where the student's code names the file with it.
    Raises Unreadable if two would have the name of one of the assignments: nobody can tell which of
    them counts. place: where the files lie, for messages. classmates: those files whose names are
    read as in `of_classmate`.
    """
    whole = {name: downloaded(name, True, name in classmates)[1] for name in files}
    shorter = {name: downloaded(name, False, name in classmates)[1] for name in files}
    alike: dict[str, list[str]] = {}
    for name in files:
        alike.setdefault(shorter[name], []).append(name)
    with_number = _named_by_code(files, place, whole, shorter)
    found: dict[str, str] = {}
    for own, same in alike.items():
        if len(same) > 1 and any(is_exactly(own, one) or is_about(own, one) for one in assignments):
            raise several_of_one([place / name for name in same], KEEP)
        for name in same:
            found[name] = (whole if len(same) > 1 or name in with_number else shorter)[name]
    if len({*found.values()}) < len(files):
        raise several_of_one([place / name for name in files], KEEP)
    return found


def several_of_one(paths: Sequence[Path], remedy: str) -> Unreadable:
    """Return the refusal of several files of a student, of which only one can count."""
    names = " and ".join(path.name for path in paths[:3])
    return Unreadable(f"{names} belong to the same student. {remedy}")


def _named_by_code(
    files: Mapping[str, bytes | Path],
    place: Path,
    whole: Mapping[str, str],
    shorter: Mapping[str, str],
) -> list[str]:
    """Return those files that the student's code names with a number at the end.

    Not if an import names them without it. whole, shorter: the files' names with and without it.
    """
    numbered = {name: own for name, own in whole.items() if form(own) and own != shorter[name]}
    if not numbered:
        return []
    there = SubmissionFiles(place, files)
    readable = [there.code(name) for name in there.names() if there.is_readable(name)]
    text = "\n".join(line for code in readable for line in code_lines(code))
    found = []
    for name, own in numbered.items():
        number = re.compile(rf"(?<![\w-]){re.escape(stem(own))}(?![\w-])")
        if number.search(text):
            without = number.sub("", text)
            if stem(shorter[name]) not in imports(without):
                found.append(name)
    return found
