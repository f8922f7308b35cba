"""The grading process: it imports torch, while the process that starts it imports nbgrader."""

from __future__ import annotations

import ctypes
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO

from autograder.classroom.pool import grade_all
from autograder.classroom.results import NEEDS_STAFF, GradingSettings, Results
from autograder.nbgrader.intake import Folders
from autograder.report.progress import Progress
from autograder.sandbox import CannotLock
from autograder.submissions import ids

PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
UNLOCKED = (
    "If you trust all students, add c.SubmissionExporter.unlocked = True to "
    "nbgrader_config.py: then their code can read and change what you can."
)
FULL = "Results cannot be stored ({}: {}). Fix that and run this again; finished results are kept."


def serve(incoming: IO[bytes], outgoing: IO[str]) -> bool:
    """Grade the order that autograding_run.grade sends. Returns whether that was possible.

    If not, it writes the reason to `outgoing`.
    """
    if sys.platform == "linux":  # end with the caller: the next call grades what is left
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    order = json.load(incoming)
    folders = Folders(Path(order["submitted"]))
    jobs = [folders.job(student, order["assignment"]) for student in order["students"]]
    results, settings = Results(Path(order["results"])), GradingSettings(**order["settings"])
    done = Progress("graded").done
    try:
        graded = grade_all(jobs, results, done, None, **asdict(settings))
    except CannotLock as reason:
        outgoing.write(f"{reason} {UNLOCKED}")
        return False
    except OSError as problem:
        outgoing.write(FULL.format(problem.strerror or problem, results.folder))
        return False
    for job in jobs:  # these results are not stored, so this is the only place for their reason
        grade = graded[job.digest].grade
        if grade.status == NEEDS_STAFF:
            print(f"{ids.shown(job.student)}: {grade.message}", file=sys.stderr)
    return True
