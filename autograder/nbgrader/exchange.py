"""Handing feedback back through the exchange."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

NEEDED = ("timestamp.txt", "submission_secret.txt")  # what nbgrader submit adds to a submission


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Release the feedback of those who have handed in through the exchange.

    nbgrader's own stops at the first submission that came in another way, zip_collect say, and
    nobody behind it has feedback.
    """

    def copy_files(self) -> None:
        folders = [Path(folder) for folder in sorted(glob(self.src_path))]
        without = [f for f in folders if not all((f / name).exists() for name in NEEDED)]
        excluded = self.coursedir.student_id_exclude
        ids = [excluded] if excluded else []
        for folder in without:
            student = folder.relative_to(self.coursedir.root).parts[1]
            ids.append(student)
            self.log.warning(
                "%s gets no feedback through the exchange, since the work came in another way: "
                "send what is in %s.",
                student,
                folder,
            )
        self.coursedir.student_id_exclude = ",".join(ids)
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = excluded
