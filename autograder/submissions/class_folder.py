"""Find the submissions of a class: a folder, archive, module or notebook for each student."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, by_assignment, ids, kit_copies, unclaimed
from autograder.submissions.canvas import KEEP, by_own_name, several_of_one
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import check_folder
from autograder.submissions.kinds import IGNORED, LINK
from autograder.submissions.left_over import HandedIn, check_nothing_else
from autograder.submissions.names import (
    downloaded,
    is_an_assignments,
    of_classmate,
)
from autograder.submissions.one_person import among, in_archive, in_folder, nothing, of_folder
from autograder.submissions.submission import (
    Submission,
    absolute,
    is_unread,
    own_name,
    owner,
    refused,
)
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.undecided import Undecided, or_a_class

MISNAMED = (
    "{} is named after an assignment, not after its student, and there are other submissions "
    "beside it ({}). Rename it, or move it to a folder of its own."
)
GIVE = "Give the assignment: --assignment NAME."


def of_class(folder: Path, assignment: str | None) -> list[Submission]:
    """Return the submissions of all students, by assignment and in the order of the ids.

    There is one of each student, or one for each assignment that a student has handed in if none is
    given. `ANNA` and `anna` are two students, as they are for nbgrader and for file systems that
    can hold both: no student's name may cost another one's grade. What is named after an assignment
    is no student's if there is anything else, and is refused, unless it has folders of assignments.
    """
    try:
        by_student = _by_student(entries_of(folder))
    except Unreadable as problem:
        return [refused(owner(folder), folder, assignment, problem)]
    others = [one.name for paths in by_student.values() for one in paths if not is_named(one)]
    with_code = unclaimed.with_code(folder)
    found: list[Submission] = []
    for name in sorted(by_student, key=lambda name: (ids.key(name), name)):
        paths = by_student[name]
        around = [one for one in others if one not in {path.name for path in paths}]
        if around and all(map(is_misnamed, paths)):
            found.append(misnamed(paths[0], assignment, around))
        else:
            beside = [with_code.pop(name)] if name in with_code else []
            found += _of_student_alone(name, paths, beside, assignment)
    found += [unclaimed.refusal(path, assignment) for path in with_code.values()]
    return sorted(found, key=_order) or [nothing(folder, assignment)]


def _order(found: Submission) -> int:
    """Return the place of a submission's assignment in the course; last if it is not known."""
    known = assignments()
    return known.index(found.assignment) if found.assignment else len(known)


def is_named(entry: Path) -> bool:
    """Return whether a folder or a file of any kind is named after an assignment."""
    if os.path.isdir(entry):
        return entry.name in assignments()
    return is_an_assignments(own_name(entry))


def is_misnamed(entry: Path) -> bool:
    """Return whether it has the name of an assignment, but not as a student who may have it.

    A folder has it however it is written, as a file has, although work is read only from a folder
    of exactly that name.
    """
    return is_an_assignments(own_name(entry)) and not has_assignments(entry)


def misnamed(entry: Path, assignment: str | None, others: Sequence[str]) -> Submission:
    """Return the refusal of a file or folder that is named after an assignment, not a student.

    others: the names of what lies beside it.
    """
    text = MISNAMED.format(entry, ", ".join(others[:3]))
    return refused(ids.shown(own_name(entry)), entry, assignment, text)


def has_assignments(folder: Path) -> bool:
    """Return whether there is a folder that is named after an assignment in this one."""
    return any(os.path.isdir(folder / name) for name in assignments())


def _by_student(entries: list[Path]) -> dict[str, list[Path]]:
    """Return the entries of a class's folder by the names of the students to whom they belong.

    A name that a website made (`anna_12_345_my.py`) counts as such only if no other entry is called
    like its student: a file name must not cost another student's grade.
    """
    found: dict[str, list[Path]] = {}
    from_website: list[Path] = []
    for entry in entries:
        if _is_downloaded(entry):
            from_website.append(entry)
        else:
            found.setdefault(ids.composed(own_name(entry)), []).append(entry)
    taken = set(found)
    for entry in from_website:
        student = ids.composed(downloaded(entry.name)[0])
        name = ids.composed(own_name(entry)) if student in taken else student
        found.setdefault(name, []).append(entry)
    return found


def of_same_students(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """Return all paths of a student by each of these, absolute, if several lie in one folder.

    What is named after an assignment belongs to whoever has the folder.
    """
    found: dict[tuple[Path, str], dict[Path, Path]] = {}
    for path in paths:
        whole = absolute(path)
        if os.path.lexists(path) and not is_named(path):
            key = whole.parent, ids.composed(own_name(path))
            found.setdefault(key, {}).setdefault(whole, path)
    of_several = [own for own in found.values() if len(own) > 1]
    return {whole: sorted(own.values()) for own in of_several for whole in own}


def entries_of(folder: Path) -> list[Path]:
    """List folders, and files that look as if they were handed in. Raises Unreadable.

    Those of a copy of the kit are left out, see `kit_copies`.
    """
    check_folder(folder)
    kits = kit_copies.own_folders(folder)
    with os.scandir(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if unclaimed.may_count(entry) and not IGNORED.fullmatch(entry.name)
        ]
    return [folder / name for name in sorted(names) if name not in kits]


def _is_downloaded(entry: Path) -> bool:
    """Return whether a website has put the student's name into that of the file."""
    return bool(downloaded(entry.name)[0]) and not os.path.isdir(entry)


def of_student(
    name: str, paths: list[Path], beside: list[Path], assignment: str | None
) -> list[Submission]:
    """Return a student's submissions. beside: files of theirs of no kind that is handed in."""
    readable = [one for one in paths if not is_unread(one)]
    path, *others = readable or paths[:1]
    handed_in = HandedIn(path, [one for one in (*paths, *beside) if one != path])
    try:
        student = ids.checked(name)
        with in_time(path):
            if readable and paths[1:] and assignment and all(map(_is_downloaded, paths)):
                return [_of_files(paths, student, assignment, handed_in)]
            if others:
                is_unknown = not assignment and all(map(_is_downloaded, paths))
                raise several_of_one(paths, GIVE if is_unknown else KEEP)
            _check_no_link(path)
            if assignment:
                return [_one(handed_in, student, assignment)]
        return _each(handed_in, student)
    except (ids.NoId, Unreadable) as problem:
        text = or_a_class(problem, assignment) if assignment else problem
        return [refused(ids.shown(name), path, assignment, text)]


def _of_student_alone(
    name: str, paths: list[Path], beside: list[Path], assignment: str | None
) -> list[Submission]:
    """Return a student's submissions, which a classmate's name on a website does not cost.

    Files that may be a classmate's have rows of their own.
    """
    unsure = of_another(name, paths, assignment, beside)
    sure = [path for path in paths if path not in unsure]
    rows = (of_student(own_name(path), [path], [], assignment) for path in unsure)
    return [
        *of_student(name, sure, [] if unsure else beside, assignment),
        *itertools.chain.from_iterable(rows),
    ]


def of_another(
    name: str, paths: list[Path], assignment: str | None, beside: Sequence[Path] = ()
) -> list[Path]:
    """Return those of a student's downloaded files that do not count as this student's.

    They may be a classmate's, see `of_classmate`, and are all that the student would be
    refused for. beside: see `of_student`.
    """
    unsure = [path for path in paths if _is_downloaded(path) and of_classmate(path.name)]
    sure = [path for path in paths if path not in unsure]
    if not (unsure and sure):
        return []

    def is_refused(there: list[Path], beside: Sequence[Path]) -> bool:
        return any(one.problem for one in of_student(name, there, [*beside], assignment))

    return unsure if is_refused(paths, beside) and not is_refused(sure, ()) else []


def of_person(path: Path, assignment: str, is_students: bool) -> Submission:
    """Return the submission at the path of one person's folder, whose name is the student's id.

    A folder that is named after the assignment lies in the student's, where those of earlier
    assignments may be. is_students: True if such a folder with one of an assignment in it is that
    of a student of this name.
    """
    is_inner = absolute(path).name == assignment and not (is_students and has_assignments(path))
    student = owner(path) if is_inner else person(path)
    try:
        with in_time(path):
            _check_no_link(path)
            if is_inner:
                place, others = by_assignment.around_folder(path)
                found = of_folder(place, student, assignment, HandedIn(path), others)
                return replace(found, origin=path)
            return _one(HandedIn(path), student, assignment)
    except Undecided as problem:
        text = or_a_class(problem, assignment)
        if not problem.around:
            text += " If they are several students', grade this folder by itself."
        return refused(student, path, assignment, text)
    except Unreadable as problem:
        return refused(student, path, assignment, problem)


def person(path: Path) -> str:
    """Return whose a folder is, by its name, or by the one around it if that is an assignment's."""
    return ids.shown(own_name(absolute(path))) if has_assignments(path) else owner(path)


def _check_no_link(path: Path) -> None:
    """Raise Unreadable for a link, which may lead to the work of others."""
    if os.path.islink(path):
        raise Unreadable(f"{path} {LINK}")


def _one(handed_in: HandedIn, student: str, assignment: str) -> Submission:
    """Return a student's submission. Raises Unreadable."""
    path = handed_in.place
    if os.path.isdir(path):
        return of_folder(path, student, assignment, handed_in)
    if archives.is_archive(path.name):
        return among(by_assignment.opened_archive(path, assignment), student, assignment, handed_in)
    return _alone(handed_in, student, assignment)


def _each(handed_in: HandedIn, student: str) -> list[Submission]:
    """Return a student's submissions for all assignments. Raises Unreadable."""
    if os.path.isdir(handed_in.place):
        return in_folder(handed_in, student, None)
    if archives.is_archive(handed_in.place.name):
        return in_archive(handed_in, student, None)
    return [_alone(handed_in, student, None)]


def _alone(handed_in: HandedIn, student: str, assignment: str | None) -> Submission:
    """Return the module or notebook that was handed in. Raises Unreadable.

    What else is in its folder is other students'.
    """
    path = handed_in.place
    files = SubmissionFiles(path.parent, {path.name: path})
    found = files.read(student, path.name, assignment, path)
    if found.assignment and not found.problem:
        check_nothing_else(files, [path.name], found.assignment, handed_in)
    return found


def _of_files(paths: list[Path], student: str, assignment: str, handed_in: HandedIn) -> Submission:
    """Return the submission among a student's files in a folder downloaded from a website.

    The files of all students are in one folder, with their owners in their names. Raises
    Unreadable.
    """
    if links := [path for path in paths if os.path.islink(path)]:
        raise Unreadable(f"{links[0]} is a link. Hand in the file itself.")
    there = SubmissionFiles(paths[0].parent, by_own_name(paths, assignment))
    files = by_assignment.opened_files(there, assignment)
    return replace(among(files, student, assignment, handed_in), origin=paths[0])
