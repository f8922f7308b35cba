"""Handing feedback back through the exchange."""

from __future__ import annotations

from glob import escape, glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograder.nbgrader.times import TIMESTAMP

SECRET = "submission_secret.txt"  # by which feedback finds its way back
NEEDED = (TIMESTAMP, SECRET)  # what nbgrader submit adds to a submission


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Release the feedback of those who have handed in through the exchange.

    nbgrader's own stops at the first submission that came in another way, zip_collect say, and
    nobody behind it has feedback.
    """

    src_path: str

    def copy_files(self) -> None:
        folders = [Path(folder) for folder in sorted(glob(self.src_path))]
        for folder in folders:
            if all((folder / name).is_file() for name in NEEDED):
                self.src_path = escape(str(folder))  # one at a time: an id may have commas in it
                super().copy_files()
            else:
                self.log.warning(
                    "%s gets no feedback through the exchange, since the work came in another way: "
                    "send what is in %s.",
                    folder.relative_to(self.coursedir.root).parts[1],
                    folder,
                )
