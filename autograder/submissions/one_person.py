"""Find the submissions of one person: those in a folder or an archive, for one assignment or all.

Where no assignment is given, there is one submission for each assignment that has a file.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course import assignments
from autograder.submissions import archives, by_assignment, ids, left_over
from autograder.submissions.files import Unreadable, in_time
from autograder.submissions.folders import (
    check_folder,
    may_be_handed_in,
    too_deep,
    why_too_deep,
)
from autograder.submissions.left_over import HandedIn
from autograder.submissions.submission import Submission, absolute, refused
from autograder.submissions.submission_files import SubmissionFiles, archived_limit
from autograder.submissions.undecided import or_a_class

NOT_NAMED = (
    "If it has another name, or is the work of several students, give the assignment: --assignment "
    "NAME."
)


def nothing(path: Path, assignment: str | None, student: str = "") -> Submission:
    """Return the refusal of a place that holds no submission."""
    names = [assignment] if assignment else assignments()
    text = (
        f"{path} holds no submission: expected {' or '.join(f'{name}.py' for name in names)}, "
        "or a notebook of that name."
    )
    if deeper := _named(path, names):
        text += f" Is it {deeper}? Then give that path."
    elif not assignment and _holds_anything(path):
        text += f" {NOT_NAMED}"
    student = student or ids.shown(absolute(path).name)
    return refused(student, path, assignment, text)


def _holds_anything(path: Path) -> bool:
    """Return whether this is a file, or a folder with anything that may be handed in."""
    return not os.path.isdir(path) or bool(SubmissionFiles(path, own=True).names(may_be_handed_in))


def _named(folder: Path, assignments: Sequence[str]) -> str:
    """Return a file named after one of these assignments that lies deeper in a folder, or ""."""
    if not os.path.isdir(folder):
        return ""
    there = SubmissionFiles(folder, own=True)
    found = (name for one in assignments for name in there.exact(one))
    return next((str(there.whereabouts(name)) for name in found), "")


def all_of(files: SubmissionFiles, student: str, assignment: str | None) -> list[Submission]:
    """Return the submissions among a person's files; if there are none, one with a problem."""
    try:
        with in_time(files.place):
            here = [one for one in assignments() if files.forms(one) and assignment in (None, one)]
            found = [files.submission(student, name) for name in here]
    except Unreadable as problem:
        return [refused(student, files.place, assignment, problem)]
    return found or [nothing(files.place, assignment, student)]


def each_of(files: SubmissionFiles, student: str, assignment: str | None) -> list[Submission]:
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
    return refused(student, folder / f"{name}.py", name, text, folder)


def in_archive(handed_in: HandedIn, student: str, assignment: str | None) -> list[Submission]:
    """Return the submissions in an archive, as `all_of` does."""
    path = handed_in.place
    try:
        with in_time(path):
            each = [SubmissionFiles.unpacked(path), _listed(path)]
            here = [
                one
                for one in assignments()
                if any(by_assignment.is_there(files, one) for files in each)
            ]
            if not here and not assignment:
                return [nothing(path, None, student)]
            wanted = [assignment] if assignment else here
            return [_in_archive(handed_in, student, one) for one in wanted]
    except Unreadable as problem:
        return [refused(student, path, assignment, problem)]


def _listed(archive: Path) -> SubmissionFiles:
    """Return the files in an archive, those that are archives too. Raises Unreadable."""
    return SubmissionFiles(
        archive,
        archives.contents(archive, lambda name: archived_limit(name) or archives.is_archive(name)),
    )


def _in_archive(handed_in: HandedIn, student: str, assignment: str) -> Submission:
    path = handed_in.place
    try:
        files = by_assignment.opened_archive(path, assignment)
        return among(files, student, assignment, handed_in)
    except Unreadable as problem:  # the other assignments can be read
        return refused(student, path, assignment, problem)


def in_folder(
    handed_in: HandedIn, student: str, assignment: str | None, without: Collection[str] = ()
) -> list[Submission]:
    """Return the submissions in a person's own folder, as `all_of` does.

    It may have a folder or an archive for each assignment. without: entries that may not be theirs.
    """
    folder = handed_in.place
    found: list[Submission] = []
    try:
        check_folder(folder)
        with in_time(folder):
            here = [assignment] if assignment else by_assignment.all_there(folder, without)
            found += [_for_one(handed_in, student, name, without) for name in here]
    except Unreadable as problem:
        return [refused(student, folder, assignment, problem)]
    if not found and (deep := too_deep(folder)):
        return [refused(student, folder, assignment, why_too_deep(deep))]
    return found or [nothing(folder, assignment, student)]


def _for_one(
    handed_in: HandedIn, student: str, assignment: str, without: Collection[str]
) -> Submission:
    folder = handed_in.place
    try:
        return of_folder(folder, student, assignment, handed_in, without)
    except Unreadable as problem:  # the other assignments can be read
        return refused(student, folder, assignment, or_a_class(problem, assignment))


def of_folder(
    folder: Path,
    student: str,
    assignment: str,
    handed_in: HandedIn,
    without: Collection[str] = (),
) -> Submission:
    """Return the submission of an assignment in a person's own folder. Raises Unreadable.

    It may have any name if nothing else can be meant. without: as for `in_folder`.
    """
    is_alone = handed_in.place != folder  # then it is the folder of the assignment
    files = by_assignment.opened(folder, assignment, without, is_alone)
    if by_assignment.counts_alone(folder, assignment):
        handed_in = replace(handed_in, place=folder / assignment)
    return replace(among(files, student, assignment, handed_in), origin=folder)


def among(files: SubmissionFiles, student: str, assignment: str, handed_in: HandedIn) -> Submission:
    """Return the submission of an assignment among one person's files. Raises Unreadable."""
    chosen = left_over.forms(files, assignment, handed_in)
    return files.read_forms(student, files.counted(chosen, assignment), assignment)
