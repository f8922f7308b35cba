"""The process that grades for nbgrader's side: here is torch, and there is nbgrader."""

from __future__ import annotations

import ctypes
import json
import signal
import sys
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
    "Where you trust all who hand in, add c.SubmissionExporter.unlocked = True to "
    "nbgrader_config.py: then their code could read and change what you can."
)
FULL = "Results cannot be kept ({}: {}). Call this again when they can; what is finished stays."


def serve(incoming: IO[bytes], outgoing: IO[str]) -> bool:
    """Grade what run.grade asks for. Returns whether it could be done; if not, it says why."""
    if sys.platform == "linux":  # whoever calls anew grades what is left, and nothing twice
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    order = json.load(incoming)
    folders = Folders(Path(order["submitted"]))
    jobs = [folders.job(student, order["assignment"]) for student in order["students"]]
    results, settings = Results(Path(order["results"])), GradingSettings(**order["settings"])
    locked = settings.sandbox == "locked"
    done = Progress("graded").done
    try:
        graded = grade_all(
            jobs, results, done, None, locked, settings.seconds, settings.hints, settings.budget
        )
    except CannotLock as reason:
        outgoing.write(f"{reason} {UNLOCKED}")
        return False
    except OSError as problem:
        outgoing.write(FULL.format(problem.strerror or problem, results.folder))
        return False
    for job in jobs:  # such a result is not kept, so nobody could tell later what it was
        if graded[job.digest].status == NEEDS_STAFF:
            print(f"{ids.shown(job.student)}: {graded[job.digest].message}", file=sys.stderr)
    return True
