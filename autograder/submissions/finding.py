"""Find submissions on disk: modules, notebooks, archives, folders of them, and a whole class."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, by_assignment, ids
from autograder.submissions.class_folder import entries_of, nothing, of_class, of_folder
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import check_folder, is_assignments_folder, may_be_handed_in
from autograder.submissions.names import is_exactly
from autograder.submissions.person_files import MOST_FORMS
from autograder.submissions.source_text import form
from autograder.submissions.submission import Submission, owner
from autograder.submissions.submission_files import SubmissionFiles

__all__ = ["Submission", "all_of", "find", "left_out"]


def find(path: Path, assignment: str | None, alone: bool = False) -> list[Submission]:
    """Find the submissions at a path: a module, a notebook, an archive or a folder.

    In a folder or an archive, files named after assignments count; in assignments/ itself, none may
    be missing. A folder with a folder for each assignment is one person's; a folder of such folders
    is a class's, as nbgrader keeps them. Any other folder is a class's if the assignment is given:
    each folder, archive, module and notebook in it is a student's. A submission that cannot be read
    has a problem instead of text. alone: the files beside a module or a notebook are others'.
    """
    if os.path.isdir(path):  # a link is fine here: the person who grades has named it
        return _in_folder(path, assignment)
    known = path.stem if path.stem in assignments() else None
    known = known or next((name for name in assignments() if is_exactly(path.name, name)), None)
    if archives.is_archive(path.name):
        own = archives.stem(path.name)
        return _packed(path, owner(path), assignment or (own if own in assignments() else None))
    assignment = assignment or known
    try:
        with in_time(path):
            if known and path.parent.name == known:  # in its assignment's folder, next to others'
                files = SubmissionFiles(path.parent.parent, own=True)
                return [files.read(owner(path.parent), f"{known}/{path.name}", assignment, path)]
            files = SubmissionFiles(path.parent, {path.name: path} if alone else None)
            return [files.read(owner(path), path.name, assignment, path)]
    except Unreadable as problem:
        return [Submission(owner(path), path, assignment, {}, str(problem), path)]


def _in_folder(path: Path, assignment: str | None) -> list[Submission]:
    """Find the submissions in a folder: a person's, or a class's."""
    student = ids.shown(path.absolute().name)
    try:
        check_folder(path)
    except Unreadable as problem:
        return [Submission(student, path, assignment, {}, str(problem), path)]
    if files := _of_one_person(path):
        if is_assignments_folder(path):
            return _each_of(files, student, assignment)
        if assignment and (others := _others(files)):
            return _mixed(path, assignment, others)
        if files.own:
            return _each_folder(path, student, assignment)
        return all_of(files, student, assignment)
    if assignment:
        return of_class(path, assignment)
    if any(_has_assignments(entry) for entry in entries_of(path) if os.path.isdir(entry)):
        return [
            one for name in assignments() for one in of_class(path, name) if not _is_absent(one)
        ]
    return [nothing(path, None)]


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
    in submitted/ does. It is submitted/ itself if the folders in it are students'.
    """
    files = SubmissionFiles(folder)
    if any(files.forms(name) for name in assignments()):
        return files
    named = [SubmissionFiles(folder / name, own=True) for name in assignments()]
    is_persons = any(one.names(may_be_handed_in) for one in named) and not _has_students(folder)
    return SubmissionFiles(folder, own=True) if is_persons else None


def _has_students(folder: Path) -> bool:
    """Return whether folders named after assignments are students', whose ids may be such names.

    They are if they and at least one other folder have a folder for an assignment in them. Without
    another folder, all is taken for one person's: nothing but the name of the person can be wrong.
    """
    entries = [entry for entry in entries_of(folder) if os.path.isdir(entry)]
    others = [entry for entry in entries if entry.name not in assignments()]
    named = [entry for entry in entries if entry.name in assignments()]
    return any(map(_has_assignments, others)) and all(map(_has_assignments, named))


def _others(files: SubmissionFiles) -> list[str]:
    """Return other files and folders in a folder that could be graded.

    Files and folders named after an assignment do not count, nor modules that such a file imports.
    What defines an exercise does count although it is imported, and so does a folder with such a
    file, a notebook or an archive: otherwise one student's file could claim other students' work.
    A page or a document counts too, since a student has handed it in, if only by mistake.
    """
    found = {name for one in assignments() for name in files.forms(one)}
    named = {name for name in found if name.partition("/")[0] in ("", name, *assignments())}
    known = {name.partition("/")[0] for name in named} | {*assignments()}
    for name in sorted(named)[:MOST_FORMS]:
        with contextlib.suppress(Unreadable), in_time(files.place):  # then it imports nothing
            imported = {own.partition("/")[0] for own in files.own_modules(name).values()}
            known |= {own for own in imported - known if not _is_gradable(files, own)}
    others = [entry for entry in entries_of(files.place) if entry.name not in known]
    return [
        one.name
        for one in others
        if not os.path.isdir(one) or SubmissionFiles(one, own=True).names(may_be_handed_in)
    ]


def _is_gradable(files: SubmissionFiles, name: str) -> bool:
    """Return whether a file, or any file in a folder, could be graded by itself."""
    if not os.path.isdir(files.place / name):
        return files.could_be_graded(name)
    inside = SubmissionFiles(files.place / name, own=True)
    return any(
        form(one) != ".py" or inside.could_be_graded(one) for one in inside.names(may_be_handed_in)
    )


def _mixed(folder: Path, assignment: str, others: list[str]) -> list[Submission]:
    """Return a class's submissions, and refuse what is named after an assignment.

    It may be a student's file with a wrong name, or the whole folder may be one person's.
    """
    text = (
        "is named after an assignment, not after its student, and there are other submissions "
        f"beside it ({', '.join(others[:3])}). Rename it, or move it to a folder of its own."
    )
    return [
        replace(one, texts={}, problem=f"{one.origin or one.path} {text}")
        if any(is_exactly(f"{one.name}.py", other) for other in assignments())
        else one
        for one in of_class(folder, assignment)
    ]


def _has_assignments(folder: Path) -> bool:
    return any(os.path.isdir(folder / name) for name in assignments())


def _is_absent(found: Submission) -> bool:
    """Return whether a student has nothing for this assignment, as far as one can see."""
    own = found.origin or found.path
    if not os.path.isdir(own):
        return bool(found.problem)
    is_closed = not os.access(own, os.R_OK | os.X_OK)
    return not is_closed and not by_assignment.is_there(own, found.assignment or "")


def all_of(files: SubmissionFiles, student: str, assignment: str | None) -> list[Submission]:
    """Return a submission for each assignment that has a file, or for the given one only.

    If there are no files, it is one submission with a problem.
    """
    try:
        with in_time(files.place):
            here = [one for one in assignments() if files.forms(one) and assignment in (None, one)]
            found = [files.submission(student, name) for name in here]
    except Unreadable as problem:
        return [Submission(student, files.place, assignment, {}, str(problem), files.place)]
    return found or [nothing(files.place, assignment, student)]


def _each_folder(folder: Path, student: str, assignment: str | None) -> list[Submission]:
    """Return a submission for each assignment that has a folder, or for the given one only."""
    found: list[Submission] = []
    try:
        with in_time(folder):
            for name in assignments():
                if assignment in (None, name) and by_assignment.is_there(folder, name):
                    found.append(_in_its_folder(folder, student, name))
    except Unreadable as problem:
        return [Submission(student, folder, assignment, {}, str(problem), folder)]
    return found or [nothing(folder, assignment, student)]


def _in_its_folder(folder: Path, student: str, assignment: str) -> Submission:
    try:
        return of_folder(folder, student, assignment)
    except Unreadable as problem:  # the other assignments can be read
        return Submission(student, folder, assignment, {}, str(problem), folder)


def _each_of(files: SubmissionFiles, student: str, assignment: str | None) -> list[Submission]:
    """Return a submission for each assignment, or for the given one, even if it has no file."""
    return [
        files.submission(student, name) if files.forms(name) else _lost(files.place, name, student)
        for name in assignments()
        if assignment in (None, name)
    ]


def _lost(folder: Path, name: str, student: str) -> Submission:
    text = (
        f"{folder} has neither {name}.py nor {name}.ipynb any more. Bring one back from your copy "
        "of the kit."
    )
    return Submission(student, folder / f"{name}.py", name, {}, text, folder)


def _packed(path: Path, student: str, assignment: str | None) -> list[Submission]:
    try:
        with in_time(path):
            return all_of(SubmissionFiles.unpacked(path), student, assignment)
    except Unreadable as problem:
        return [Submission(student, path, assignment, {}, str(problem), path)]
