"""Find submissions on disk: modules, notebooks, archives, folders of them, and a whole class."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from autograder.course import DEFINED, assignments, assignments_folder, skeleton
from autograder.submissions import archives, ids
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import IGNORED
from autograder.submissions.kinds import unread
from autograder.submissions.names import CHECKPOINT, handed_in, is_exactly, plain
from autograder.submissions.source_text import form, stem
from autograder.submissions.submission_files import Submission, SubmissionFiles, owner

__all__ = ["Submission", "all_of", "find"]


def find(path: Path, assignment: str | None) -> list[Submission]:
    """The submissions at a path: a module, a notebook, or those of an archive or a folder.

    In a folder or an archive, those named after assignments are taken; in assignments/ itself, none
    may be missing. A folder with a folder for each assignment is one person's, one with such
    folders a class's, as nbgrader keeps them. A folder without any, where the assignment is given,
    is that of a class: each folder, archive, module and notebook in it is a student's. One that
    cannot be read has a problem instead of text.
    """
    if os.path.isdir(path):  # which may be a link: whoever grades has named it
        return _in_place(path, assignment)
    known = path.stem if path.stem in assignments() else None
    known = known or next((name for name in assignments() if is_exactly(path.name, name)), None)
    if archives.is_archive(path.name):
        own = archives.stem(path.name)
        return _packed(path, owner(path), assignment or (own if own in assignments() else None))
    if known and path.parent.name == known:  # in a folder of its name, with others beside that
        work = SubmissionFiles(path.parent.parent, own=True)
        return [work.read(owner(path.parent), f"{known}/{path.name}", assignment or known, path)]
    return [SubmissionFiles(path.parent).read(owner(path), path.name, assignment or known, path)]


def _in_place(path: Path, assignment: str | None) -> list[Submission]:
    """The submissions in a folder: a person's, or a class's."""
    work = SubmissionFiles(path)
    of = ids.shown(path.absolute().name)
    if any(work.forms(name) for name in assignments()):
        if path.resolve() == assignments_folder():
            return _each_of(work, of, assignment)
        if assignment and (others := _others(work)):
            return [_ambiguous(work, of, assignment, others)]
        return all_of(work, of, assignment)
    if _is_persons(path):
        work = SubmissionFiles(path, own=True)
        if assignment and (others := _others(work)):  # a student may be called like an assignment
            return [_ambiguous(work, of, assignment, others)]
        return all_of(work, of, assignment)
    if assignment:
        return _class(path, assignment)
    if any(_has_assignments(entry) for entry in _listed(path) if entry.is_dir()):
        return [one for name in assignments() for one in _class(path, name) if not _is_absent(one)]
    return [_nothing(path, None)]


def _others(work: SubmissionFiles) -> list[str]:
    """What else could be graded in a folder, besides files named after an assignment, folders so
    named, and modules that such a file imports. A module with an exercise in it counts all the
    same: otherwise a file could make all other students' work its own by importing it."""
    found = {name for one in assignments() for name in work.forms(one)}
    named = {name for name in found if name.partition("/")[0] in ("", name, *assignments())}
    known = {name.partition("/")[0] for name in named}
    for name in named:
        with contextlib.suppress(Unreadable):  # it imports nothing
            imported = set(work.own_modules(name).values())
            known |= {own.partition("/")[0] for own in imported}
            gradable = (own for own in imported if _has_an_exercise(work, own))
            known -= {own.partition("/")[0] for own in gradable}
    others = [entry for entry in _listed(work.place) if entry.name not in known]
    return [
        one.name
        for one in others
        if not os.path.isdir(one) or SubmissionFiles(one, own=True).names()
    ]


def _has_an_exercise(work: SubmissionFiles, name: str) -> bool:
    """Return whether a file is named after an assignment, defines an exercise by name, or cannot be
    read."""
    if any(is_exactly(name.rpartition("/")[2], one) for one in assignments()):
        return True
    try:
        code = work.code(name)
    except Unreadable:
        return True
    text = code if isinstance(code, str) else "\n".join(text for _, text in code)
    return bool(_exercise().search(text))


@cache
def _exercise() -> re.Pattern[str]:
    """Match a line at the top level that defines an exercise, or a name that its skeleton has."""
    names = {name for one in assignments() for name in DEFINED.findall(skeleton(one))}
    return re.compile(
        rf"^(?:(?:class|def|async def) )?(?:{'|'.join(sorted(names))})\b", re.MULTILINE
    )


def _ambiguous(work: SubmissionFiles, of: str, assignment: str, others: list[str]) -> Submission:
    """The refusal of a folder that may be a person's, or a class's with one bad name in it."""
    [mine, *_] = work.forms(assignment) or [name for n in assignments() for name in work.forms(n)]
    text = (
        f"{work.place} holds {mine} and other work ({', '.join(others[:3])}), so it may be one "
        f"person's or a class's. Name {mine} after its student, or grade {work.place / mine} alone."
    )
    return Submission(of, work.place, assignment, {}, text, work.place)


def _is_persons(folder: Path) -> bool:
    """Return whether a folder holds one folder for each assignment, as submitted/ does."""
    return any(SubmissionFiles(folder / name).forms(name) for name in assignments())


def _has_assignments(folder: Path) -> bool:
    return any(os.path.isdir(folder / name) for name in assignments())


def _is_absent(found: Submission) -> bool:
    """Return whether a student lacks a folder for this assignment."""
    own = found.work or found.path
    return not os.path.lexists(own / (found.assignment or "")) and bool(found.problem)


def all_of(work: SubmissionFiles, of: str, assignment: str | None) -> list[Submission]:
    """One for each assignment of which there is a module or a notebook, or for the one given."""
    here = [name for name in assignments() if work.forms(name) and assignment in (None, name)]
    found = [work.submission(of, name) for name in here]
    return found or [_nothing(work.place, assignment, of)]


def _each_of(work: SubmissionFiles, of: str, assignment: str | None) -> list[Submission]:
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
        return all_of(SubmissionFiles.unpacked(path), of, assignment)
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
    """One submission of each student, in the order of their ids.

    `ANNA` and `anna` are two, as they are for file systems that can hold both, and for nbgrader:
    nobody's name costs another student's grade.
    """
    by_student: dict[str, list[Path]] = {}
    try:
        for entry in _listed(folder):
            by_student.setdefault(ids.composed(_student(entry)), []).append(entry)
    except Unreadable as problem:
        return [Submission(owner(folder), folder, assignment, {}, str(problem), folder)]
    ordered = sorted(by_student, key=lambda name: (ids.key(name), name))
    found = [_of_student(by_student[name], assignment) for name in ordered]
    return found or [_nothing(folder, assignment)]


def _listed(folder: Path) -> list[Path]:
    """What may be a submission: folders, and files of our kinds or of those that are mistaken for
    them; nothing that is out of sight.

    Raises Unreadable.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError as problem:
        raise Unreadable(f"{folder} cannot be read: {problem.strerror}.") from None
    return [
        entry
        for entry in entries
        if not IGNORED.fullmatch(entry.name) and (_is_work(entry.name) or os.path.isdir(entry))
    ]


def _is_work(name: str) -> bool:
    """Return whether a file name looks like something that was meant to be handed in."""
    return bool(form(name)) or archives.is_archive(name) or bool(unread(name))


def _student(entry: Path) -> str:
    """The name of the student to whom an entry of the class's folder belongs."""
    whose, own = handed_in(entry.name)
    if whose and not os.path.isdir(entry):
        return whose
    if archives.is_archive(own):
        return archives.stem(own)
    if form(own):
        return stem(own)
    return entry.stem if unread(own) and not os.path.isdir(entry) else entry.name


def _of_student(paths: list[Path], assignment: str) -> Submission:
    path, *others = paths
    name = _student(path)
    try:
        student = ids.checked(name)
        if others and all(handed_in(one.name)[0] for one in paths):
            return _of_files(path.parent, paths, student, assignment)
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
        return _of_work(SubmissionFiles.unpacked(path), student, assignment)
    return SubmissionFiles(path.parent, {path.name: path}).read(
        student, path.name, assignment, path
    )


def _in_folder(folder: Path, student: str, assignment: str) -> Submission:
    """That in a student's folder: by the assignment's name, or else the only one there is."""
    work = SubmissionFiles(folder, own=True)
    there = work.names(_is_work)
    packed = [name for name in there if archives.is_archive(name)]
    stems = {name: archives.stem(name.rpartition("/")[2]) for name in packed}
    named = [name for name in packed if plain(stems[name]) == assignment]
    chosen = [folder / name for name in named or packed]
    if work.forms(assignment) or len(chosen) != 1 or not (named or len(there) == 1):
        return _of_work(work, student, assignment)
    return _of_work(SubmissionFiles.unpacked(chosen[0]), student, assignment)


def _of_files(folder: Path, paths: list[Path], student: str, assignment: str) -> Submission:
    """That among the files which a website has put beside those of others, by their own names.

    Raises Unreadable.
    """
    if links := [path for path in paths if path.is_symlink()]:
        raise Unreadable(f"{links[0]} is a link. Hand in the file itself.")
    own = {handed_in(path.name)[1]: path for path in paths}
    return replace(_of_work(SubmissionFiles(folder, own), student, assignment), work=paths[0])


def _of_work(work: SubmissionFiles, student: str, assignment: str) -> Submission:
    """The assignment in one person's work, or the only thing that can be it. Raises Unreadable."""
    if work.forms(assignment):
        return work.submission(student, assignment)
    files = [
        name
        for name in work.names()
        if not any(is_exactly(name.rpartition("/")[2], other) for other in assignments())
        and not stem(name).endswith(CHECKPOINT)
    ]
    books = [name for name in files if form(name) == ".ipynb"]
    match files if len(files) == 1 else books:  # a notebook's modules are not what is graded
        case [only]:
            return work.read(student, only, assignment)
        case []:
            return _none_of(work, student, assignment, files)
    raise Unreadable(_undecided(work.place, files, assignment))


def _none_of(work: SubmissionFiles, student: str, assignment: str, files: list[str]) -> Submission:
    """There is nothing that can be graded: why, if its files say so. Raises Unreadable."""
    if files:
        raise Unreadable(_undecided(work.place, files, assignment))
    for name in work.names(lambda name: bool(unread(name))):
        raise Unreadable(f"{work.place / name} {unread(name)}")
    if checkpoints := [name for name in work.names() if stem(name).endswith(CHECKPOINT)]:
        raise Unreadable(
            f"{work.place / checkpoints[0]} is a checkpoint, which Jupyter saves on the side. Hand "
            "in the notebook itself."
        )
    return _nothing(work.place, assignment, student)


def _undecided(folder: Path, files: Iterable[str], assignment: str) -> str:
    names = ", ".join(sorted(files)[:3])
    return f"{folder} holds several files ({names}). Name the one that counts {assignment}.py."
