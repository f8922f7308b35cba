"""Find the submissions at a path, or at several paths."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, by_assignment, ids, whose
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
    person,
)
from autograder.submissions.files import TooSlow, Unreadable, in_time
from autograder.submissions.folders import (
    check_folder,
    is_assignments_folder,
)
from autograder.submissions.kinds import LINK
from autograder.submissions.left_over import HandedIn, check_nothing_else
from autograder.submissions.names import is_exactly
from autograder.submissions.one_person import (
    all_of,
    each_of,
    in_archive,
    in_folder,
    nothing,
    of_folder,
)
from autograder.submissions.reports import is_taken_in
from autograder.submissions.source_text import form
from autograder.submissions.submission import Submission, absolute, own_name, owner, refused
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.unclaimed import passed_over

__all__ = ["Submission", "all_of", "find", "find_each", "passed_over"]
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
            found.append(refused(_student(path), path, assignment, text))
        elif beside and os.path.lexists(path) and is_misnamed(path):
            found.append(misnamed(path, assignment, beside))
        elif whose.is_of_all_students(path):
            text = A_CLASS.format(path)
            found.append(refused(owner(path), path, assignment, text))
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
    of such folders is a class's, as nbgrader keeps them, and so is one that was made from a
    download. Any other folder is a class's if the assignment is given: each folder, archive, module
    and notebook in it is a student's. A submission that cannot be read has a problem instead of
    text. given: the files that a module or a notebook may import; by default those beside it,
    except what may be another's submission.
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
        return [refused(owner(path), path, assignment, problem)]


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
        if may_be_class and is_taken_in(path):
            return of_class(path, assignment)
        if assignment in (None, own) and whose.is_assignment_in_submitted(path):
            return [of_person(path, own, is_students=False)]
        if by_assignment.is_in_submitted(path) and has_assignments(path):
            return in_folder(HandedIn(path), student, assignment)
        files = whose.files_of_one_person(path)
    except Unreadable as problem:
        if assignment and may_be_class and isinstance(problem, TooSlow) and not _has_named(path):
            return of_class(path, assignment)  # what one student handed in may take that long
        return [refused(student, path, assignment, problem)]
    if files and is_assignments_folder(path):
        return each_of(files, student, assignment)
    others = whose.others_in(files) if files else []
    if files and not (assignment and others):
        if assignment in (None, own) and whose.has_assignments_beside(path):
            return [of_person(path, own, is_students=True)]
        if files.own:
            return in_folder(HandedIn(path), student, assignment, others)
        try:
            with in_time(path):
                return [_with_work(files, one) for one in all_of(files, student, assignment)]
        except Unreadable as problem:
            return [refused(student, path, assignment, problem)]
    if assignment or any(map(has_assignments, entries_of(path))):
        if may_be_class:
            return of_class(path, assignment)
        return in_folder(HandedIn(path), student, assignment)
    return [nothing(path, None)]


def _has_named(folder: Path) -> bool:
    """Return whether something in a folder is named after an assignment, as one person's is."""
    return any(map(is_named, entries_of(folder)))


def _with_work(files: SubmissionFiles, found: Submission) -> Submission:
    """Return a person's submission, or its refusal if it holds no work and other files may hold it.

    files: those in a folder that may be a class's. The only file with work there counts instead if
    nobody can doubt that it is this person's, see `whose.is_sure`.
    """
    assignment = found.assignment
    if not assignment or found.problem:
        return found
    handed_in = HandedIn(files.place)
    try:
        with in_time(files.place):
            check_nothing_else(files, files.forms(assignment), assignment, handed_in)
            return found
    except Unreadable as problem:
        hidden = replace(found, texts={}, problem=str(problem), other=None)
    try:
        with in_time(files.place):
            only = of_folder(files.place, found.name, assignment, handed_in)
    except Unreadable:  # the other problem says more
        return hidden
    return only if whose.is_sure(files, only) else hidden
