"""Find what in a class's folder is of no kind that is handed in: emil.txt, or our own pages."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from autograder.course import exercises
from autograder.submissions import ids
from autograder.submissions.files import Unreadable, in_time, read
from autograder.submissions.folders import may_be_handed_in
from autograder.submissions.kinds import IGNORED
from autograder.submissions.names import downloaded
from autograder.submissions.reports import is_report
from autograder.submissions.source_text import MAX_SOURCE, form, stem
from autograder.submissions.submission import Submission, refused
from autograder.submissions.submission_files import SubmissionFiles
from autograder.submissions.work import is_in_text


def passed_over(folder: Path, found: Iterable[Submission]) -> list[str]:
    """Return the names of what in a class's folder is of no kind that is handed in.

    found: the submissions; files with one of their own are left out.
    """
    rows = {one.path for one in found}
    return [path.name for path in _of_no_kind(folder) if path not in rows]


def may_count(entry: os.DirEntry[str]) -> bool:
    """Return whether this is a folder, named as if it was handed in, or a link to no plain file.

    But not if it is a page or a table that this program has written, or a folder of these.
    """
    is_link = entry.is_symlink() and not os.path.isfile(entry)
    is_handed_in = entry.is_dir(follow_symlinks=False) or is_link or may_be_handed_in(entry.name)
    return is_handed_in and not is_report(Path(entry.path))


def _of_no_kind(folder: Path) -> list[Path]:
    """List all the rest, also links and what is no file, except what programs add."""
    with os.scandir(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if not may_count(entry) and not IGNORED.fullmatch(entry.name)
        ]
    return [folder / name for name in sorted(names)]


def with_code(folder: Path) -> dict[str, Path]:
    """Return, by student, a file such as a .txt that defines an exercise."""
    by_student: dict[str, list[Path]] = {}
    for path in _of_no_kind(folder):
        by_student.setdefault(_student(path), []).append(path)
    found: dict[str, Path] = {}
    for student, paths in by_student.items():
        # Nobody has claimed that these are submissions; what cannot be read is only named.
        with contextlib.suppress(Unreadable), in_time(folder):
            for path in paths:
                if _defines_exercise(path):
                    found[student] = path
                    break
    return found


def _defines_exercise(path: Path) -> bool:
    """Return whether the text in a file defines an exercise; False if it cannot be read."""
    try:
        data = read(path, MAX_SOURCE, "a module", "")
    except Unreadable:
        return False
    if not is_in_text(data.replace(b"\0", b""), exercises()):  # as in prose about them
        return False
    return SubmissionFiles(path.parent, {"text.py": data}).defines_exercise("text.py")


def refusal(path: Path, assignment: str | None) -> Submission:
    """Return the refusal of a file that is work, but not named so."""
    name = _student(path)
    better = name if ids.is_id(name) else "STUDENT"
    text = (
        f"{path} is not read because of its name. Name it {better}.py, or {better}.ipynb if it is "
        "a notebook."
    )
    return refused(ids.shown(name), path, assignment, text)


def _student(path: Path) -> str:
    """Return whose a file of no kind is by its name, such as emil.txt or emil.py.bak."""
    name = stem(path.stem) if form(path.stem) else path.stem
    return ids.composed(downloaded(path.name)[0] or name)
