"""List what students have put into nbgrader's exchange.

Students control the files there. None is opened but the one that tells whose feedback it is.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeList
from nbgrader.utils import notebook_hash

from autograder.nbgrader.exchange import SECRET
from autograder.nbgrader.times import line
from autograder.nbgrader.trouble import sentence
from autograder.submissions.folders import is_folder

Record = dict[str, Any]  # of nbgrader: what it lists of a student, a submission or a notebook
# What is only in the folder of a student who has fetched it.
FETCHED: Record = {
    "has_local_feedback": False,
    "local_feedback_path": None,
    "feedback_updated": False,
}


class List(ExchangeList):
    """List the folders of students in the exchange, and remove them, one independent of another.

    nbgrader's own class opens any file with the rights of the instructor, also a link or a pipe,
    and stops for the whole class at what it does not expect.
    """

    inbound: bool
    remove: bool
    assignments: list[str]

    def init_dest(self) -> None:
        """Find the folders that nbgrader finds, without links and files in the place of one."""
        super().init_dest()
        if self.inbound:
            self.assignments = [path for path in self.assignments if self._is_listed(path)]

    def _is_listed(self, path: str) -> bool:
        if is_folder(Path(path)):
            return True
        self.log.error("%s is not listed: it is a link, or not a folder.", ascii(path))
        return False

    def parse_assignments(self) -> list[Record]:
        """Return what nbgrader returns; of students' files, only names are looked at."""
        if not self.inbound or self.remove:
            return list(super().parse_assignments())
        self.remove = True  # nbgrader opens no file of what it is about to remove
        try:
            people = list(super().parse_assignments())
        finally:
            self.remove = False
        for person in people:
            person["status"] = "submitted"
            for submission in person["submissions"]:
                self._add_feedback(submission)
        return people

    def _add_feedback(self, submission: Record) -> None:
        """Say whether feedback of a submission was released. Without its line it cannot be."""
        notebooks = submission["notebooks"]
        secret = line(Path(submission["path"]) / SECRET)
        released = Path(self.root, submission["course_id"], "feedback")
        for one in notebooks:
            is_there = bool(secret) and _has_page(released, secret, one["notebook_id"])
            one.update(FETCHED, has_exchange_feedback=is_there)
        is_whole = bool(notebooks) and all(one["has_exchange_feedback"] for one in notebooks)
        submission.update(FETCHED, status="submitted", has_exchange_feedback=is_whole)

    def remove_files(self) -> list[Record]:
        """Remove what is listed; a folder that cannot be removed stays, and is named."""
        if not self.inbound:
            return list(super().remove_files())
        people = list(self.list_files())
        for path in self.assignments:
            try:
                shutil.rmtree(path)
            except (OSError, RecursionError) as problem:
                reason = sentence(problem) or "its folders are nested too deep."
                self.log.error("%s is not removed: %s", ascii(path), reason)
        return people


def _has_page(released: Path, secret: str, notebook: str) -> bool:
    """Return whether a notebook's feedback is there; no other than a name in UTF-8 can have any."""
    try:
        return (released / f"{notebook_hash(secret=secret, notebook_id=notebook)}.html").is_file()
    except UnicodeEncodeError:
        return False
