"""Why nobody can tell which of a student's files counts, and what the student can do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.folders import too_deep, why_too_deep
from autograder.submissions.kinds import unread
from autograder.submissions.names import CHECKPOINT, is_exactly
from autograder.submissions.person_files import common_folder, folder_of
from autograder.submissions.source_text import form, stem
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import exercises_of

MOST = 100  # modules and notebooks that are read to find out what they hold or import
SHOWN = 3  # names in a sentence


class Undecided(Unreadable):
    """Several files may be meant.

    around: if they lie in several folders of one folder, that one, which may be a class's.
    """

    def __init__(self, said: str, around: Path | None = None) -> None:
        super().__init__(said)
        self.around = around


class NothingThere(Unreadable):
    """There is no module, notebook or archive that could be meant."""


def or_a_class(problem: Exception, assignment: str) -> str:
    """Return why a folder is refused that was taken for one person's, and what to do if it is none.

    Without the latter, a teacher who is asked to keep one file would delete students' work.
    """
    around = problem.around if isinstance(problem, Undecided) else None
    if not around:
        return str(problem)
    return (
        f"{problem} If they are several students', keep all, and grade {around} with --assignment "
        f"{assignment}."
    )


def several(files: SubmissionFiles, names: Iterable[str], assignment: str) -> Undecided:
    """Return why none of several files or archives counts.

    A file with exactly the assignment's name at the top counts, so another may be given that name
    and that place, unless some file has the name already.
    """
    listed = sorted(names)
    shown = ", ".join(listed[:SHOWN])
    around = _around(files, listed)
    at_top = [name for name in files.names() if folder_of(name) == files.top]
    if any(is_exactly(name.rpartition("/")[2], assignment) for name in [*listed, *at_top]):
        what = f"holds several files of {assignment} ({shown}). Keep the one that counts."
        return Undecided(f"{files.place} {what}", around)
    if any(map(archives.is_archive, listed)):
        what = f"holds several files ({shown}). Keep the one that counts."
        return Undecided(f"{files.place} {what}", around)
    is_deeper = any(folder_of(name) != files.top for name in listed)
    move = ", and move it out of the folders" if is_deeper else ""
    return Undecided(
        f"{files.place} holds several files ({shown}). Name the one that counts {assignment}.py, "
        f"or {assignment}.ipynb if it is a notebook{move}.",
        around,
    )


def _around(files: SubmissionFiles, names: list[str]) -> Path | None:
    """Return the folder with several folders in which all of these files lie, or None."""
    common = common_folder(names)
    inner = [name.removeprefix(f"{common}/" if common else "") for name in names]
    is_in_folders = all("/" in name for name in inner) and files.place.is_dir()
    folders = {name.partition("/")[0] for name in inner}
    return files.place / common if is_in_folders and len(folders) > 1 else None


def both_hold_work(first: Path, second: Path, assignment: str, is_sure: bool) -> Undecided:
    """Return why neither of two files counts. is_sure: False if one of them cannot be read."""
    hold = "both hold" if is_sure else "may both hold"
    return Undecided(
        f"{first} and {second} {hold} work for {assignment}. Keep the one that counts."
    )


def too_many(files: SubmissionFiles) -> Undecided:
    """Return why none of a person's files counts if there are too many to read them all."""
    what = f"holds more than {MOST} modules and notebooks. Keep only your own work in it."
    return Undecided(f"{files.place} {what}", _around(files, files.names()))


def nothing(files: SubmissionFiles, assignment: str) -> Unreadable:
    """Return why nothing counts where no file could."""
    for name in files.names(lambda name: bool(unread(name))):
        return Unreadable(f"{files.place / name} {unread(name)}")
    if checkpoints := [name for name in files.names() if stem(name).endswith(CHECKPOINT)]:
        return Unreadable(
            f"{files.place / checkpoints[0]} is a checkpoint, which Jupyter saves automatically. "
            "Hand in the notebook itself."
        )
    for name in files.names()[:MOST]:  # named after another one
        if files.binds(name, exercises_of(assignment)):
            return Unreadable(
                f"{files.place / name} defines exercises of {assignment}, but has another name. "
                f"Name it {assignment}{form(name)}."
            )
    if deep := too_deep(files.place):
        return Unreadable(why_too_deep(deep))
    return NothingThere(
        f"{files.place} holds no submission: expected {assignment}.py, or a notebook of that name."
    )
