"""Move collected downloads into submitted/: all files of a student at once, or none of them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.apps.zipcollectapp import ZipCollectApp

from autograder.nbgrader.copying import (
    brought_near,
    temporary,
    why_anothers,
    why_no_place,
    why_two_forms,
)
from autograder.nbgrader.times import TIMESTAMP
from autograder.nbgrader.trouble import sentence, stops_all

Collected = Mapping[str, Any]  # by nbgrader, of one student: src_files, dest_files, timestamp


def transfer_whole_submissions() -> None:
    """Let zip_collect put each student's files into submitted/ all at once, or none of them."""
    ZipCollectApp._transfer_files = _transfer


def _transfer(app: ZipCollectApp, collected: Mapping[str, Collected]) -> None:
    """Transfer the files of each student. A full disk stops the command with a sentence."""
    for student, files in collected.items():
        to = Path(_submitted(app, student))
        try:
            reason = why_anothers(to.parent) or why_two_forms(to.parent) or why_no_place(to)
            if reason:
                app.log.error("%s is not collected: %s", student, reason)
                continue
            with temporary(Path(app.coursedir.root)) as made:
                copied = made / "submission"
                _copy(files, to, copied)
                near = brought_near(copied, to)
                app._mkdirs_if_missing(to)
                app._clear_existing_files(to)
                to.rmdir()
                near.rename(to)
        except OSError as problem:
            if stops_all(problem):
                app.fail(f"{sentence(problem)} Add --force, which replaces what is there.")
            app.log.error("%s is not collected: %s", student, sentence(problem))
        else:
            app.log.info("Collected %s files of %s", len(files["src_files"]), student)


def _submitted(app: ZipCollectApp, student: str) -> str:
    directory = app.coursedir
    return directory.format_path(directory.submitted_directory, student, directory.assignment_id)


def _copy(files: Collected, to: Path, copied: Path) -> None:
    """Copy a student's files, whose places are below `to`, to a new folder with their time."""
    copied.mkdir()
    for source, place in zip(files["src_files"], files["dest_files"], strict=True):
        path = copied / Path(place).relative_to(to)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
    if files["timestamp"] and not (copied / TIMESTAMP).exists():
        (copied / TIMESTAMP).write_text(files["timestamp"].isoformat(" "), encoding="utf-8")
