"""Find submissions on disk: modules, notebooks, archives, folders of them, and a whole class."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, choosing, ids
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import (
    IGNORED,
    check_folder,
    is_assignments_folder,
    may_be_handed_in,
)
from autograder.submissions.kinds import unread
from autograder.submissions.names import handed_in, is_exactly
from autograder.submissions.source_text import form, stem
from autograder.submissions.submission_files import MOST_FORMS, Submission, SubmissionFiles, owner

__all__ = ["Submission", "all_of", "find", "left_out"]


def find(path: Path, assignment: str | None) -> list[Submission]:
    """Find the submissions at a path: a module, a notebook, an archive or a folder.

    In a folder or an archive, files named after assignments count; in assignments/ itself, none may
    be missing. A folder with a folder for each assignment is one person's; a folder of such folders
    is a class's, as nbgrader keeps them. Any other folder is a class's if the assignment is given:
    each folder, archive, module and notebook in it is a student's. A submission that cannot be read
    has a problem instead of text.
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
            return [SubmissionFiles(path.parent).read(owner(path), path.name, assignment, path)]
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
        return all_of(files, student, assignment)
    if assignment:
        return _class(path, assignment)
    if any(_has_assignments(entry) for entry in _listed(path) if os.path.isdir(entry)):
        return [one for name in assignments() for one in _class(path, name) if not _is_absent(one)]
    return [_nothing(path, None)]


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

    It holds files named after assignments, or a folder for each assignment, as submitted/ does.
    """
    files = SubmissionFiles(folder)
    if any(files.forms(name) for name in assignments()):
        return files
    is_persons = any(SubmissionFiles(folder / name).forms(name) for name in assignments())
    return SubmissionFiles(folder, own=True) if is_persons else None


def _others(files: SubmissionFiles) -> list[str]:
    """Return other files and folders in a folder that could be graded.

    Files and folders named after an assignment do not count, nor modules that such a file imports.
    What defines an exercise does count although it is imported, and so does a folder with such a
    file, a notebook or an archive: otherwise one student's file could claim other students' work.
    A page or a document counts too, since a student has handed it in, if only by mistake.
    """
    found = {name for one in assignments() for name in files.forms(one)}
    named = {name for name in found if name.partition("/")[0] in ("", name, *assignments())}
    known = {name.partition("/")[0] for name in named}
    for name in sorted(named)[:MOST_FORMS]:
        with contextlib.suppress(Unreadable), in_time(files.place):  # then it imports nothing
            imported = {own.partition("/")[0] for own in files.own_modules(name).values()}
            known |= {own for own in imported - known if not _is_gradable(files, own)}
    others = [entry for entry in _listed(files.place) if entry.name not in known]
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
        replace(one, texts={}, problem=f"{one.path} {text}")
        if any(is_exactly(f"{one.name}.py", other) for other in assignments())
        else one
        for one in _class(folder, assignment)
    ]


def _has_assignments(folder: Path) -> bool:
    return any(os.path.isdir(folder / name) for name in assignments())


def _is_absent(found: Submission) -> bool:
    """Return whether a student lacks a folder for this assignment, as far as one can see."""
    own = found.origin or found.path
    is_closed = os.path.isdir(own) and not os.access(own, os.R_OK | os.X_OK)
    there = is_closed or os.path.lexists(own / (found.assignment or ""))
    return not there and bool(found.problem)


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
    return found or [_nothing(files.place, assignment, student)]


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


def _nothing(path: Path, assignment: str | None, student: str = "") -> Submission:
    names = [assignment] if assignment else assignments()
    text = (
        f"{path} holds no submission: expected {' or '.join(f'{name}.py' for name in names)}, "
        "or a notebook of that name."
    )
    student = student or ids.shown(path.absolute().name)
    return Submission(student, path, assignment, {}, text, path)


def _class(folder: Path, assignment: str) -> list[Submission]:
    """Return one submission per student, in the order of their ids.

    `ANNA` and `anna` are two students, as they are for nbgrader and for file systems that can hold
    both: no student's name may cost another one's grade.
    """
    try:
        by_student = _by_student(_listed(folder))
    except Unreadable as problem:
        return [Submission(owner(folder), folder, assignment, {}, str(problem), folder)]
    ordered = sorted(by_student, key=lambda name: (ids.key(name), name))
    found = [_of_student(name, by_student[name], assignment) for name in ordered]
    return found or [_nothing(folder, assignment)]


def _by_student(entries: list[Path]) -> dict[str, list[Path]]:
    """Return the entries of a class's folder by the names of the students to whom they belong.

    A name that a website made (`anna_12_345_my.py`) counts as such only if no other entry is called
    like its student: a file name must not cost another student's grade.
    """
    found: dict[str, list[Path]] = {}
    downloaded: list[Path] = []
    for entry in entries:
        if _is_downloaded(entry):
            downloaded.append(entry)
        else:
            found.setdefault(ids.composed(_own_name(entry)), []).append(entry)
    taken = set(found)
    for entry in downloaded:
        student = ids.composed(handed_in(entry.name)[0])
        name = ids.composed(_own_name(entry)) if student in taken else student
        found.setdefault(name, []).append(entry)
    return found


def _listed(folder: Path) -> list[Path]:
    """List folders, and files that look as if they were handed in. Raises Unreadable."""
    check_folder(folder)
    with os.scandir(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if _may_count(entry) and not IGNORED.fullmatch(entry.name)
        ]
    return [folder / name for name in sorted(names)]


def _may_count(entry: os.DirEntry[str]) -> bool:
    """Return whether this is a folder, or a link to one, or named as if it was handed in."""
    is_linked_folder = entry.is_symlink() and os.path.isdir(entry)
    return entry.is_dir(follow_symlinks=False) or is_linked_folder or may_be_handed_in(entry.name)


def _is_downloaded(entry: Path) -> bool:
    """Return whether a website has put the student's name into that of the file."""
    return bool(handed_in(entry.name)[0]) and not os.path.isdir(entry)


def _is_unread(entry: Path) -> bool:
    """Return whether an entry is of a kind that is never graded, such as a page or a document."""
    return bool(unread(entry.name)) and not os.path.isdir(entry)


def _own_name(entry: Path) -> str:
    """Return the name of an entry without the ending of a file."""
    name = entry.name
    if archives.is_archive(name):
        return archives.stem(name)
    if form(name):
        return stem(name)
    return entry.stem if _is_unread(entry) else name


def _of_student(name: str, paths: list[Path], assignment: str) -> Submission:
    path, *others = [one for one in paths if not _is_unread(one)] or paths[:1]
    try:
        student = ids.checked(name)
        with in_time(path):
            if others and all(_is_downloaded(one) for one in paths):
                return _of_files(path.parent, paths, student, assignment)
            if others:
                raise _several(paths)
            return _one(path, student, assignment)
    except (ids.NoId, Unreadable) as problem:
        return Submission(ids.shown(name), path, assignment, {}, str(problem), path)


def _one(path: Path, student: str, assignment: str) -> Submission:
    """Return the submission at a student's path. Raises Unreadable."""
    if os.path.islink(path):
        raise Unreadable(f"{path} is a link. Hand in the file or the folder itself.")
    if os.path.isdir(path):
        return _among(choosing.opened(path, assignment), student, assignment)
    if archives.is_archive(path.name):
        return _among(SubmissionFiles.unpacked(path), student, assignment)
    return SubmissionFiles(path.parent, {path.name: path}).read(
        student, path.name, assignment, path
    )


def _of_files(folder: Path, paths: list[Path], student: str, assignment: str) -> Submission:
    """Return the submission among a student's files in a folder downloaded from a website.

    The files of all students are in one folder, with their owners in their names. Raises
    Unreadable.
    """
    if links := [path for path in paths if os.path.islink(path)]:
        raise Unreadable(f"{links[0]} is a link. Hand in the file itself.")
    own = {handed_in(path.name)[1]: path for path in paths}
    if len(own) < len(paths):
        raise _several(paths)
    return replace(_among(SubmissionFiles(folder, own), student, assignment), origin=paths[0])


def _several(paths: list[Path]) -> Unreadable:
    names = " and ".join(path.name for path in paths[:3])
    return Unreadable(f"{names} belong to the same student. Keep the one that counts.")


def _among(files: SubmissionFiles, student: str, assignment: str) -> Submission:
    """Return the submission of an assignment among one person's files. Raises Unreadable."""
    if files.forms(assignment):
        return files.submission(student, assignment)
    return files.read(student, choosing.candidate(files, assignment), assignment)
