"""Tell whether a folder is one person's or a whole class's, from what lies in it and around it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from autograder.course import assignments
from autograder.course import folder as course_folder
from autograder.submissions import archives, choosing, kit_copies, left_over
from autograder.submissions.by_assignment import SUBMITTED
from autograder.submissions.class_folder import entries_of, has_assignments, is_named
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import (
    check_folder,
    is_assignments_folder,
    may_be_handed_in,
    too_deep,
)
from autograder.submissions.left_over import HandedIn, hold_work
from autograder.submissions.names import is_copy, is_exactly, normalised
from autograder.submissions.person_files import MOST_FORMS
from autograder.submissions.source_text import form
from autograder.submissions.submission import Submission, absolute
from autograder.submissions.submission_files import SubmissionFiles


def files_of_one_person(folder: Path) -> SubmissionFiles | None:
    """Return the files in a folder that is taken for one person's, or None.

    It holds files named after assignments, or a folder for each assignment, as a student's folder
    in submitted/ does; it is submitted/ itself if the folders in it are students'. Archives and
    pages named after assignments are one person's if there is nothing else that could be graded. So
    is a whole copy of the kit. Raises Unreadable.
    """
    if has_students(folder):
        return None
    with in_time(folder):
        files = SubmissionFiles(folder)
        has_files = any(files.forms(name) for name in assignments())
        if is_assignments_folder(folder):
            return files if has_files else None
        if kit_copies.is_copy(folder):
            return SubmissionFiles(folder, own=True)
        inside = [SubmissionFiles(folder / name, own=True) for name in assignments()]
        has_folders = any(one.names(may_be_handed_in) for one in inside)
        has_archives = any(choosing.packed(files, name) for name in assignments())
        if has_folders or (has_archives if has_files else _is_named_only(files)):
            return SubmissionFiles(folder, own=True)
        return files if has_files else None


def others_in(files: SubmissionFiles) -> list[str]:
    """Return other files and folders in a folder that could be graded.

    Files and folders named after an assignment do not count, nor modules that such a file imports.
    What defines an exercise does count although it is imported, and so does a folder with such a
    file, a notebook or an archive, or one outside of the folder of an assignment in which the file
    lies: otherwise one student's file could claim other students' work. A page or a document counts
    too, since a student has handed it in, if only by mistake.
    """
    known = {*kit_copies.OF_ONE_PERSON} if kit_copies.is_copy(files.place) else set()
    with contextlib.suppress(Unreadable), in_time(files.place):
        found = {name for one in assignments() for name in files.forms(one)}
        longer = {name for name in found if "/" not in name and not is_named(files.place / name)}
        found -= longer if len(longer) > 1 else set()  # copies that one person keeps, or several's
        named = {name for name in found if name.partition("/")[0] in ("", name, *assignments())}
        known |= {name.partition("/")[0] for name in named}
        for name in sorted(named)[:MOST_FORMS]:
            imported = {own.partition("/")[0] for own in choosing.own_modules(files, name)}
            known |= {own for own in imported - known if not _may_be_anothers(files, own, name)}
    entries = entries_of(files.place)
    rest = [entry for entry in entries if entry.name not in known and not is_named(entry)]
    empty: set[Path] = set()
    with contextlib.suppress(Unreadable), in_time(files.place):
        empty.update(one for one in rest if os.path.isdir(one) and _is_empty(one))
    return [one.name for one in rest if one not in empty]


def is_sure(files: SubmissionFiles, found: Submission) -> bool:
    """Return whether a submission in a folder is surely by the person who has the files there.

    Its file is a copy of one of these, as a program names it, or these are of all assignments, as
    in a copy of assignments/.
    """
    known = assignments()
    if len(known) > 1 and all(map(files.exact, known)):
        return True
    paths = [one.path for one in (found, found.other) if one]
    name = found.assignment or ""
    return all(path.parent == files.place and is_copy(path.name, name) for path in paths)


def left_out(path: Path) -> list[str]:
    """Return what else could be graded in a folder that is taken for one person's.

    Without an assignment, a class's folder with one file named after an assignment is, too.
    """
    with contextlib.suppress(Unreadable):  # it is no folder, or cannot be listed, as `find` says
        check_folder(path)
        files = files_of_one_person(path)
        return others_in(files) if files and not is_assignments_folder(path) else []
    return []


def graded_of(path: Path, found: Sequence[Submission]) -> set[str]:
    """Return what lies in a folder and is graded: files, and folders and archives with them."""
    return {_first(name) for one in found for name in _used(one, path)}


def left_out_inside(path: Path, found: Sequence[Submission]) -> list[str]:
    """Return what else could be graded in an archive, or in a folder's folders of assignments.

    These are taken for one person's, except the user's own and the course's. found: the submissions
    that are graded there.
    """
    is_own = is_assignments_folder(path) or os.path.realpath(path) == str(course_folder())
    if is_own or not all(one.texts for one in found):
        return []
    used = {name for one in found for name in _used(one, path)}
    graded = {one.assignment for one in found}
    with contextlib.suppress(Unreadable), in_time(path):
        if os.path.isdir(path):
            files = SubmissionFiles(path, own=True)
            names = [one for one in files.names() if "/" in one and is_named(path / _first(one))]
        elif archives.is_archive(path.name):
            files = SubmissionFiles.unpacked(path)
            names = files.names()
        else:
            return []
        rest = [one for one in names if one not in used and not _is_of_others(one, graded)]
        return [one for one in rest if files.could_be_graded(one)]
    return []


def left_out_of_own(folder: Path, found: Sequence[Submission]) -> list[str]:
    """Return files in the user's own assignments/ that may hold work where what counts holds none.

    They are those that elsewhere would refuse it, see `left_over`, except the files that are named
    after assignments. found: the submissions that are graded there. Raises Unreadable if there is
    too much in it.
    """
    with in_time(folder):
        files = SubmissionFiles(folder, own=True)
        at_top = [name for name in files.names() if "/" not in name and is_named(folder / name)]
        counted = {files.whereabouts(name) for name in at_top}
        graded = [one.assignment for one in found if one.assignment]
        empty = [one for one in graded if not hold_work(files, _named(at_top, one), one)]
        there = left_over.others(HandedIn(folder), counted, empty) if empty else ()
        return [*dict.fromkeys(one.path.relative_to(folder).as_posix() for one in there)]


def _named(names: Sequence[str], assignment: str) -> list[str]:
    return [name for name in names if is_exactly(name, assignment)]


def _used(submission: Submission, path: Path) -> Iterator[str]:
    """Yield the files that a submission consists of, by their names in a folder or an archive."""
    for one in filter(None, (submission, submission.other)):
        home = one.homes.get(one.module, "")
        around = os.path.relpath(one.path, path).replace(os.sep, "/").removesuffix(home)
        yield from (f"{around}{place}" for place in (*one.homes.values(), *one.texts))


def _is_of_others(name: str, graded: Collection[str | None]) -> bool:
    """Return whether a file is named after an assignment that is not graded, or lies in its folder.

    graded: the others.
    """
    parts = [normalised(archives.stem(one)) for one in name.split("/")]
    return any(one in parts for one in assignments() if one not in graded)


def _first(name: str) -> str:
    return name.partition("/")[0]


def has_students(folder: Path) -> bool:
    """Return whether folders in a folder are students', who may have the names of assignments.

    They are if those that have such a name, and at least one other folder, have a folder for an
    assignment in them. Without another folder, all is taken for one person's: nothing but the name
    of the person can be wrong. In a folder that is called as nbgrader calls that of all students,
    one folder with a folder for an assignment is enough.
    """
    folders = [entry for entry in entries_of(folder) if os.path.isdir(entry)]
    others = any(has_assignments(entry) for entry in folders if entry.name not in assignments())
    named = [has_assignments(entry) for entry in folders if entry.name in assignments()]
    if absolute(folder).name == SUBMITTED:
        return others or (bool(named) and all(named))
    return others and all(named) and bool(named)


def is_of_all_students(path: Path) -> bool:
    """Return whether this is the folder of all students, called as nbgrader calls it."""
    with contextlib.suppress(Unreadable):  # it is no folder, or cannot be listed, as `find` says
        return absolute(path).name == SUBMITTED and has_students(path)
    return False


def is_assignment_in_submitted(folder: Path) -> bool:
    """Return whether this is the folder of an assignment in a student's, as nbgrader keeps it."""
    place, name = absolute(folder).parent, absolute(folder).name
    return name in assignments() and place.parent.name == SUBMITTED and not os.path.islink(folder)


def has_assignments_beside(folder: Path) -> bool:
    """Return whether this is the folder of an assignment, with that of another one beside it."""
    place, name = absolute(folder).parent, absolute(folder).name
    if name not in assignments() or has_assignments(folder) or os.path.islink(folder):
        return False
    return any(os.path.isdir(place / one) for one in assignments() if one != name)


def _is_named_only(files: SubmissionFiles) -> bool:
    """Return whether all that could be graded in a folder is named after assignments."""
    return any(map(is_named, entries_of(files.place))) and not others_in(files)


def _is_empty(folder: Path) -> bool:
    """Return whether nothing in a folder could be graded."""
    return not (SubmissionFiles(folder, own=True).names(may_be_handed_in) or too_deep(folder))


def _may_be_anothers(files: SubmissionFiles, own: str, importing: str) -> bool:
    """Return whether a file or folder may be another's than the file's that imports it."""
    is_outside = "/" in importing and os.path.isdir(files.place / own)
    return is_outside or _is_gradable(files, own)


def _is_gradable(files: SubmissionFiles, name: str) -> bool:
    """Return whether a file, or any file in a folder, could be graded by itself."""
    if not os.path.isdir(files.place / name):
        return files.could_be_graded(name)
    inside = SubmissionFiles(files.place / name, own=True)
    return any(
        form(one) != ".py" or inside.could_be_graded(one) for one in inside.names(may_be_handed_in)
    )
