"""Tell which of a student's files hold work for an assignment, and which may."""

from __future__ import annotations

from autograder.course import assignments
from autograder.submissions.names import CHECKPOINT, is_about, is_exactly
from autograder.submissions.origins import Origins
from autograder.submissions.person_files import MOST_FORMS
from autograder.submissions.source_text import stem
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.undecided import MOST, too_many


def working(files: SubmissionFiles, origins: Origins) -> list[str]:
    """Return the files that hold work of their own, those of the assignment's name first.

    One of that name that cannot be read may hold it. Of files with the same code, only one counts.
    """
    found = [
        name
        for name in may_hold(files, origins.assignment)
        if origins.own(name) or _is_unreadable(files, origins, name)
    ]
    return files.edited_of(found, origins.assignment)


def holds(files: SubmissionFiles, origins: Origins, name: str) -> bool:
    """Return whether a file holds work of its own, or may, or takes over all that others hold.

    It takes it over if it imports, from own modules, some version of each exercise that any file
    defines: then it lacks none of them.
    """
    if origins.own(name) or _is_unreadable(files, origins, name):
        return True
    has = origins.of(name).keys()
    there = may_hold(files, origins.assignment) if has else []
    return bool(has) and all(has >= {*origins.own(one)} for one in there)


def _is_unreadable(files: SubmissionFiles, origins: Origins, name: str) -> bool:
    """Return whether a file that is named after the assignment cannot be read."""
    own = name.rpartition("/")[2]
    is_named = is_exactly(own, origins.assignment) or is_about(own, origins.assignment)
    return is_named and not files.is_readable(name)


def settled(files: SubmissionFiles, origins: Origins) -> list[str]:
    """Return the files of exactly the assignment's name that count wherever other work lies.

    They hold work and lie at the top, or else in a folder of the assignment's name there.
    """
    for names in likeliest(files, origins.assignment):
        if len(names) > MOST_FORMS:  # which are not all read: they are refused
            return names
        if any(holds(files, origins, name) for name in names):
            return names
    return []


def likeliest(files: SubmissionFiles, assignment: str) -> list[list[str]]:
    """Return the files of exactly the assignment's name at the top, and those in its folder."""
    named, top = files.named(assignment), files.top
    own = [there for folder, there in named.items() if is_own_folder(folder, assignment, top)]
    return [named.get(top, []), *own]


def may_hold(files: SubmissionFiles, assignment: str) -> list[str]:
    """Return the files that are read to find work, first those of exactly the assignment's name.

    Checkpoints, and files that are named after another assignment, are left out. Raises Unreadable
    if there are too many.
    """
    exact = [name for names in files.named(assignment).values() for name in names]
    others = [name for name in files.names() if name not in exact and may_count(name, assignment)]
    if len(exact) + len(others) > MOST:
        raise too_many(files)
    return [*exact, *sorted(others, key=lambda name: name.count("/"))]


def is_own_folder(folder: str, assignment: str, top: str) -> bool:
    """Return whether a folder at the top is named after an assignment."""
    above, _, own = folder.rpartition("/")
    return above == top and is_exactly(f"{own}.py", assignment)


def may_count(name: str, assignment: str) -> bool:
    """Return whether a file is no checkpoint and not named after another assignment."""
    own = name.rpartition("/")[2]
    is_anothers = any(is_exactly(own, other) for other in assignments() if other != assignment)
    return not is_anothers and not stem(name).endswith(CHECKPOINT)
