"""Find submissions on disk: modules, notebooks, archives, folders of them, and a whole class."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from autograder.course import ASSIGNMENTS, assignments
from autograder.grading.source_text import FORMS
from autograder.grading.works import Submission, Work, owner
from autograder.ingest import archives, ids
from autograder.ingest.files import Unreadable

__all__ = ["Submission", "all_of", "find"]


def find(path: Path, assignment: str | None) -> list[Submission]:
    """The submissions at a path: a module, a notebook, or those of an archive or a folder.

    In a folder or an archive, those named after assignments are taken; in assignments/ itself, none
    may be missing. A folder without any, where the assignment is given, is that of a class: each
    folder, archive, module and notebook in it is a student's. One that cannot be read has a problem
    instead of text.
    """
    if os.path.isdir(path):  # which may be a link: whoever grades has named it
        work = Work(path)
        if any(work.forms(name) for name in assignments()):
            of = ids.shown(path.absolute().name)
            if path.resolve() == ASSIGNMENTS:
                return _each_of(work, of, assignment)
            return all_of(work, of, assignment)
        return _class(path, assignment) if assignment else [_nothing(path, None)]
    known = path.stem if path.stem in assignments() else None
    if archives.is_archive(path.name):
        return _packed(path, owner(path), assignment or known)
    return [Work(path.parent).read(owner(path), path.name, assignment or known, path)]


def all_of(work: Work, of: str, assignment: str | None) -> list[Submission]:
    """One for each assignment of which there is a module or a notebook, or for the one given."""
    here = [name for name in assignments() if work.forms(name) and assignment in (None, name)]
    found = [work.submission(of, name) for name in here]
    return found or [_nothing(work.place, assignment, of)]


def _each_of(work: Work, of: str, assignment: str | None) -> list[Submission]:
    """One for each assignment, or for the one given, whether there is anything of it or not."""
    return [
        work.submission(of, name) if work.forms(name) else _lost(work.place, name, of)
        for name in assignments()
        if assignment in (None, name)
    ]


def _lost(folder: Path, name: str, of: str) -> Submission:
    text = (
        f"{folder} has neither {name}.py nor {name}.ipynb any more. Bring one back from your copy "
        "of the kit."
    )
    return Submission(of, folder / f"{name}.py", name, {}, text, folder)


def _packed(path: Path, of: str, assignment: str | None) -> list[Submission]:
    try:
        return all_of(Work.unpacked(path), of, assignment)
    except Unreadable as problem:
        return [Submission(of, path, assignment, {}, str(problem), path)]


def _nothing(path: Path, assignment: str | None, of: str = "") -> Submission:
    names = [assignment] if assignment else assignments()
    text = (
        f"{path} holds no submission: expected {' or '.join(f'{name}.py' for name in names)}, "
        "or a notebook of that name."
    )
    of = of or ids.shown(path.absolute().name)
    return Submission(of, path, assignment, {}, text, path)


def _class(folder: Path, assignment: str) -> list[Submission]:
    """One submission of each student, in the order of their ids."""
    by_student: dict[str, list[Path]] = {}
    try:
        for entry in _listed(folder):
            by_student.setdefault(ids.key(_student(entry)), []).append(entry)
    except Unreadable as problem:
        return [Submission(owner(folder), folder, assignment, {}, str(problem), folder)]
    found = [_of_student(paths, assignment) for _, paths in sorted(by_student.items())]
    return found or [_nothing(folder, assignment)]


def _listed(folder: Path) -> list[Path]:
    """What may be a submission: folders, and files of our kinds; nothing that is out of sight.

    Raises Unreadable.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError as problem:
        raise Unreadable(f"{folder} cannot be read: {problem.strerror}.") from None
    return [
        entry
        for entry in entries
        if not entry.name.startswith((".", "__MACOSX"))
        and (entry.suffix in FORMS or archives.is_archive(entry.name) or os.path.isdir(entry))
    ]


def _student(entry: Path) -> str:
    """The name of the student to whom an entry of the class's folder belongs."""
    if archives.is_archive(entry.name):
        return archives.stem(entry.name)
    return entry.stem if entry.suffix in FORMS else entry.name


def _of_student(paths: list[Path], assignment: str) -> Submission:
    path, *others = paths
    name = _student(path)
    try:
        student = ids.checked(name)
        if others:
            names = " and ".join(other.name for other in paths[:3])
            raise Unreadable(f"{names} are the same student's. Keep the one that counts.")
        return _one(path, student, assignment)
    except (ids.NoId, Unreadable) as problem:
        return Submission(ids.shown(name), path, assignment, {}, str(problem), path)


def _one(path: Path, student: str, assignment: str) -> Submission:
    """What is at a student's path. Raises Unreadable."""
    if path.is_symlink():
        raise Unreadable(f"{path} is a link. Hand in the file or the folder itself.")
    if os.path.isdir(path):
        return _in_folder(path, student, assignment)
    if archives.is_archive(path.name):
        return _packed(path, student, assignment)[0]
    return Work(path.parent).read(student, path.name, assignment, path)


def _in_folder(folder: Path, student: str, assignment: str) -> Submission:
    """That in a student's folder: by the assignment's name, or else the only one there is."""
    work = Work(folder)
    if work.forms(assignment):
        return work.submission(student, assignment)
    files = [path for path in _listed(folder) if path.suffix in FORMS or not os.path.isdir(path)]
    named = [path for path in files if archives.stem(path.name) == assignment]
    match named or files:
        case []:
            return _nothing(folder, assignment, student)
        case [only] if archives.is_archive(only.name):
            return _packed(only, student, assignment)[0]
        case [only]:
            return work.read(student, only.name, assignment)
        case several:
            raise Unreadable(_undecided(folder, several, assignment))


def _undecided(folder: Path, files: Iterable[Path], assignment: str) -> str:
    names = ", ".join(sorted(path.name for path in files)[:3])
    return f"{folder} holds several files ({names}). Name the one that counts {assignment}.py."
