"""Find the folders in a whole copy of the kit, which is one person's or has students' beside it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from autograder.course.place import DEFAULT, ENGINE
from autograder.submissions.files import TooSlow, in_time
from autograder.submissions.folders import DEPTH, is_folder, listed, may_be_handed_in
from autograder.submissions.kits_own import TESTS
from autograder.submissions.source_text import form
from autograder.submissions.submission_files import SubmissionFiles

OF_ONE_PERSON = frozenset({"assignments", "backups", "build", "hand-in"})  # made by its commands


def is_copy(folder: Path) -> bool:
    """Return whether a folder has the kit's engine in it."""
    return is_folder(folder / ENGINE.name) and os.path.isfile(folder / ENGINE.name / "__main__.py")


def own_folders(folder: Path) -> frozenset[str]:
    """Return the folders in a copy of the kit that are nobody's; none if this is no copy.

    They are those of the engine, the solutions and the tests, if nothing in them could be graded
    but the kit's own files. If that takes too long to tell, they may be somebody's.
    """
    if is_copy(folder):
        with contextlib.suppress(TooSlow), in_time(folder):
            return _without_work(folder)
    return frozenset()


def _without_work(folder: Path) -> frozenset[str]:
    there = [one.name for one in (ENGINE, DEFAULT, TESTS) if is_folder(folder / one.name)]
    each = [(one, listed(folder / one, DEPTH)) for one in there]
    found = {f"{one}/{name}": path for one, inside in each for name, path in inside.items()}
    files = SubmissionFiles(folder, found)  # without the kit's own
    rest = [one for one in files.names(may_be_handed_in) if _could_be_graded(files, one)]
    return frozenset(there).difference(name.partition("/")[0] for name in rest)


def _could_be_graded(files: SubmissionFiles, name: str) -> bool:
    return form(name) != ".py" or files.could_be_graded(name)
