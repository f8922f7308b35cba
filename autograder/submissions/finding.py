"""Find submissions on disk, and decide whose they are: one person's, or a whole class's."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, by_assignment, choosing, ids
from autograder.submissions.by_assignment import SUBMITTED
from autograder.submissions.class_folder import (
    entries_of,
    has_assignments,
    is_misnamed,
    is_named,
    misnamed,
    of_class,
    of_person,
    of_same_students,
    of_student,
    passed_over,
    person,
)
from autograder.submissions.files import TooSlow, Unreadable, in_time
from autograder.submissions.folders import (
    check_folder,
    is_assignments_folder,
    may_be_handed_in,
    too_deep,
)
from autograder.submissions.kinds import LINK
from autograder.submissions.left_over import HandedIn, check_nothing_else
from autograder.submissions.names import is_exactly
from autograder.submissions.one_person import all_of, each_of, in_archive, in_folder, nothing
from autograder.submissions.person_files import MOST_FORMS
from autograder.submissions.source_text import form
from autograder.submissions.submission import Submission, absolute, own_name, owner
from autograder.submissions.submission_files import SubmissionFiles

__all__ = ["Submission", "all_of", "find", "find_each", "left_out", "passed_over"]
A_CLASS = "{} is a whole class. Grade it by itself: of several paths, each is one student's."


def find_each(paths: Sequence[Path], assignment: str | None) -> list[Submission]:
    """Find the submissions at several paths, as of a shell's CLASS/*, or at one, as `find` does.

    Each of several is another person's, so that no module or notebook may import what lies beside
    it, unless it lies in a folder of its assignment. No folder is a class's: its files would be
    taken for the work of students at other paths. Nor is a link followed below the folder that is
    common to all. Files in one folder that are named after assignments are one person's and may
    import each other, and so are others of such names there if there is nothing else in the folder.
    Other paths in one folder that give the same id belong to one student, as in a class's folder.
    A path that is given again is the same submission.
    """
    once: dict[Path, Path] = {}
    for path in paths:
        once.setdefault(absolute(path), path)
    paths = [*once.values()]
    if len(paths) == 1:
        return find(paths[0], assignment)
    shared = set.intersection(*(set(absolute(path).parents) for path in paths))
    named: dict[Path, list[Path]] = {}
    others: dict[Path, list[str]] = {}
    for path in paths:
        if not is_named(path):
            others.setdefault(absolute(path).parent, []).append(path.name)
        elif form(path.name):
            named.setdefault(absolute(path).parent, []).append(path)
    several = of_same_students(
        path for path in paths if not _first_link(absolute(path).parent, shared)
    )
    found: list[Submission] = []
    for path in paths:
        folder = absolute(path).parent
        own_paths = several.get(absolute(path), [])
        is_asked = assignment or folder.name in assignments()
        beside = [one for one in others.get(folder, ()) if is_asked and one != path.name]
        if own_paths:
            is_first = path == own_paths[0]
            student = ids.composed(own_name(path))
            found += of_student(student, own_paths, [], assignment) if is_first else []
        elif link := _first_link(absolute(path), shared):
            text = f"{link} {LINK}"
            found.append(Submission(_student(path), path, assignment, {}, text, path))
        elif beside and os.path.lexists(path) and is_misnamed(path):
            found.append(misnamed(path, assignment, beside))
        elif _is_of_all_students(path):
            text = A_CLASS.format(path)
            found.append(Submission(owner(path), path, assignment, {}, text, path))
        elif assignment and os.path.isdir(path) and not is_assignments_folder(path):
            found.append(of_person(path, assignment, is_students=folder in others))
        else:
            own = named.get(folder, []) if is_named(path) else []
            own = [*own, *_all_named(folder)] if own else []
            found += find(path, assignment, {path, *own})
    return found


def _first_link(path: Path, shared: Collection[Path]) -> Path | None:
    """Return the first link in a path that is none of the shared folders, or None.

    Where a shell has filled in CLASS/*, it may lead to another's work.
    """
    places = [*reversed(path.parents), path]
    return next((one for one in places if one not in shared and os.path.islink(one)), None)


def _is_of_all_students(path: Path) -> bool:
    """Return whether this is the folder of all students, called as nbgrader calls it."""
    with contextlib.suppress(Unreadable):  # it is no folder, or cannot be listed, as `find` says
        return absolute(path).name == SUBMITTED and _has_students(path)
    return False


def _all_named(folder: Path) -> list[Path]:
    """Return the files in a folder, if each is named after an assignment."""
    try:
        entries = entries_of(folder)
    except Unreadable:  # what lies in it can be told by its path only
        return []
    return [one for one in entries if form(one.name)] if all(map(is_named, entries)) else []


def find(
    path: Path, assignment: str | None, given: Collection[Path] | None = None
) -> list[Submission]:
    """Find the submissions at a path: a module, a notebook, an archive or a folder.

    In a folder or an archive, files named after assignments count; in assignments/ itself, none may
    be missing. A folder with a folder or an archive for each assignment is one person's; a folder
    of such folders is a class's, as nbgrader keeps them. Any other folder is a class's if the
    assignment is given: each folder, archive, module and notebook in it is a student's. A
    submission that cannot be read has a problem instead of text. given: the files that a module or
    a notebook may import; by default those beside it, except what may be another's submission.
    """
    if os.path.isdir(path):  # a link is fine here: the person who grades has named it
        return _in_folder(path, assignment, given is None)
    known = _own_assignment(path)
    if archives.is_archive(path.name):
        own = archives.stem(path.name)
        assignment = assignment or (own if own in assignments() else None)
        return in_archive(HandedIn(path), owner(path), assignment)
    assignment = assignment or known
    try:
        with in_time(path):
            if known and absolute(path).parent.name == known:  # next to others' folders
                files = by_assignment.around(path, is_alone=given is not None)
                return [files.read(_student(path), f"{known}/{path.name}", assignment, path)]
            is_own = given is None or is_assignments_folder(path.parent)
            own_files = None if is_own else {one.name: one for one in given or ()}
            files = SubmissionFiles(path.parent, own_files)
            return [files.read(owner(path), path.name, assignment, path)]
    except Unreadable as problem:
        return [Submission(owner(path), path, assignment, {}, str(problem), path)]


def _own_assignment(path: Path) -> str | None:
    """Return the assignment after which a file is named, or None."""
    if path.stem in assignments():
        return path.stem
    return next((name for name in assignments() if is_exactly(path.name, name)), None)


def _student(path: Path) -> str:
    """Return whose a file or a folder is; a file may lie in the folder of its assignment."""
    is_inside = absolute(path).parent.name == _own_assignment(path)
    return owner(path.parent) if is_inside and not os.path.isdir(path) else owner(path)


def _in_folder(path: Path, assignment: str | None, may_be_class: bool) -> list[Submission]:
    """Find the submissions in a folder: a person's, or a class's if may_be_class is True."""
    student, own = person(path), absolute(path).name
    if not may_be_class and own in assignments():  # one of several, each in such a folder
        assignment = assignment or own
    try:
        check_folder(path)
        if assignment in (None, own) and _is_in_submitted(path):
            return [of_person(path, own, is_students=False)]
        if by_assignment.is_in_submitted(path) and has_assignments(path):
            return in_folder(HandedIn(path), student, assignment)
        files = _of_one_person(path)
    except Unreadable as problem:
        if assignment and may_be_class and isinstance(problem, TooSlow):
            return of_class(path, assignment)  # what one student handed in may take that long
        return [Submission(student, path, assignment, {}, str(problem), path)]
    if files and is_assignments_folder(path):
        return each_of(files, student, assignment)
    others = _others(files) if files else []
    if files and not (assignment and others):
        if assignment in (None, own) and _has_assignments_beside(path):
            return [of_person(path, own, is_students=True)]
        if files.own:
            return in_folder(HandedIn(path), student, assignment, others)
        try:
            with in_time(path):
                return [_unless_hidden(files, one) for one in all_of(files, student, assignment)]
        except Unreadable as problem:
            return [Submission(student, path, assignment, {}, str(problem), path)]
    if assignment or any(map(has_assignments, entries_of(path))):
        if may_be_class:
            return of_class(path, assignment)
        return in_folder(HandedIn(path), student, assignment)
    return [nothing(path, None)]


def _is_in_submitted(folder: Path) -> bool:
    """Return whether this is the folder of an assignment in a student's, as nbgrader keeps it."""
    place, name = absolute(folder).parent, absolute(folder).name
    return name in assignments() and place.parent.name == SUBMITTED and not os.path.islink(folder)


def _has_assignments_beside(folder: Path) -> bool:
    """Return whether this is the folder of an assignment, with that of another one beside it."""
    place, name = absolute(folder).parent, absolute(folder).name
    if name not in assignments() or has_assignments(folder) or os.path.islink(folder):
        return False
    return any(os.path.isdir(place / one) for one in assignments() if one != name)


def _unless_hidden(files: SubmissionFiles, found: Submission) -> Submission:
    """Return a submission, or its refusal if it holds no work and other files may hold it."""
    try:
        with in_time(files.place):
            if found.assignment and not found.problem:
                chosen = files.forms(found.assignment)
                check_nothing_else(files, chosen, found.assignment, HandedIn(files.place))
    except Unreadable as problem:
        return replace(found, texts={}, problem=str(problem), other=None)
    return found


def left_out(path: Path) -> list[str]:
    """Return what else could be graded in a folder that is taken for one person's.

    Without an assignment, a class's folder with one file named after an assignment is, too.
    """
    with contextlib.suppress(Unreadable):  # it is no folder, or cannot be listed, as `find` says
        check_folder(path)
        files = _of_one_person(path)
        return _others(files) if files and not is_assignments_folder(path) else []
    return []


def _of_one_person(folder: Path) -> SubmissionFiles | None:
    """Return the files in a folder that is taken for one person's, or None.

    It holds files named after assignments, or a folder for each assignment, as a student's folder
    in submitted/ does; it is submitted/ itself if the folders in it are students'. Archives and
    pages named after assignments are one person's if there is nothing else that could be graded.
    Raises Unreadable.
    """
    if _has_students(folder):
        return None
    with in_time(folder):
        files = SubmissionFiles(folder)
        has_files = any(files.forms(name) for name in assignments())
        if is_assignments_folder(folder):
            return files if has_files else None
        inside = [SubmissionFiles(folder / name, own=True) for name in assignments()]
        has_folders = any(one.names(may_be_handed_in) for one in inside)
        has_archives = any(choosing.packed(files, name) for name in assignments())
        if has_folders or (has_archives if has_files else _is_named_only(files)):
            return SubmissionFiles(folder, own=True)
        return files if has_files else None


def _is_named_only(files: SubmissionFiles) -> bool:
    """Return whether all that could be graded in a folder is named after assignments."""
    return any(map(is_named, entries_of(files.place))) and not _others(files)


def _has_students(folder: Path) -> bool:
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


def _others(files: SubmissionFiles) -> list[str]:
    """Return other files and folders in a folder that could be graded.

    Files and folders named after an assignment do not count, nor modules that such a file imports.
    What defines an exercise does count although it is imported, and so does a folder with such a
    file, a notebook or an archive, or one outside of the folder of an assignment in which the file
    lies: otherwise one student's file could claim other students' work. A page or a document counts
    too, since a student has handed it in, if only by mistake.
    """
    known: set[str] = set()
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
    others = [entry for entry in entries if entry.name not in known and not is_named(entry)]
    empty: set[Path] = set()
    with contextlib.suppress(Unreadable), in_time(files.place):
        empty.update(one for one in others if os.path.isdir(one) and _is_empty(one))
    return [one.name for one in others if one not in empty]


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
