"""Release feedback through the exchange."""

from __future__ import annotations

import os
from glob import escape, glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograder.nbgrader.times import TIMESTAMP

SECRET = "submission_secret.txt"  # nbgrader finds the feedback of a submission by it
NEEDED = (TIMESTAMP, SECRET)  # nbgrader submit adds these to a submission


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Release the feedback of students who have submitted through the exchange.

    nbgrader's own class stops at the first submission that came in another way, e.g. by
    zip_collect, and the students after it get no feedback.
    """

    src_path: str

    def copy_files(self) -> None:
        folders = [Path(folder) for folder in sorted(glob(self.src_path))]
        for folder in folders:
            if all((folder / name).is_file() for name in NEEDED):
                self.src_path = escape(str(folder))  # one folder at a time: ids may contain commas
                super().copy_files()
            else:
                self._warn(folder)

    def _warn(self, folder: Path) -> None:
        """Say why a student's feedback cannot go through the exchange."""
        student = folder.relative_to(self.coursedir.root).parts[1]
        directory = self.coursedir
        submitted = Path(
            directory.format_path(directory.submitted_directory, student, directory.assignment_id)
        )
        reason = "the work came in another way"
        for name in NEEDED:
            if not (folder / name).is_file() and os.path.lexists(submitted / name):
                reason = f"{name} of the submission cannot be read"
        self.log.warning(
            "%s gets no feedback through the exchange, since %s: send what is in %s.",
            student,
            reason,
            folder,
        )
