"""Write the files of an export: all or none, and never over somebody else's file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import whole_file
from autograder.errors import UsageError
from autograder.grading.fitting import PATH, cut
from autograder.report.writing import NotOurs, check_folders, check_ours, telling

EXISTS = "{} exists already, and is not replaced. Name another file, or delete that one."


@dataclass(frozen=True)
class ExportedFile:
    """A file to write.

    mark: text within its first 4,000 bytes that identifies the files of a format; a file that has
    it may be replaced. "" if the format has no place for a mark: then no file is replaced.
    """

    path: Path
    content: bytes
    mark: str = ""


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    remarks: sentences for stderr. needs_staff: True if somebody has no grade until a person looks.
    """

    files: tuple[ExportedFile, ...]
    remarks: tuple[str, ...] = ()
    needs_staff: bool = False


def write(files: Sequence[ExportedFile]) -> None:
    """Write the files, each as a whole, once it is clear that all of them may be there.

    Raises NotOurs, CannotWrite, and UsageError if two have one path.
    """
    places = [os.path.realpath(file.path) for file in files]
    if len({*places}) < len(places):
        raise UsageError(f"Two files would be {files[0].path}. Name two places.")
    for file in files:
        check_folders(file.path)
        if file.mark:
            check_ours(file.path, file.mark)
        elif os.path.lexists(file.path):
            raise NotOurs(EXISTS.format(cut(str(file.path), PATH)))
    for file in files:
        with telling(file.path):
            file.path.parent.mkdir(parents=True, exist_ok=True)
            whole_file.write(file.path, file.content)  # nobody else may read grades
