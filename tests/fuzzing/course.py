"""A course of nbgrader with nothing in it, for cases that are tried in one."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from unittest import mock

from nbgrader.api import Gradebook
from nbgrader.apps import AutogradeApp

import autograder.nbgrader
from autograder.nbgrader.application import application
from autograder.nbgrader.fallback import CONFIGURATION
from fuzzing.names import NAME


@cache
def course() -> AutogradeApp:
    """The application in a course of its own, whose gradebook knows of nothing."""
    folder = Path(tempfile.mkdtemp(prefix="fuzzed-course-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copy(Path(autograder.nbgrader.__file__).with_name(CONFIGURATION), folder)
    app = application(folder)
    app.log.disabled = True
    app.coursedir.assignment_id, app.coursedir.student_id = NAME, "*"
    # To find out its version nbgrader calls a process that takes seconds.
    with mock.patch("nbgrader.api.get_alembic_version", lambda: "0"):
        Gradebook(app.coursedir.db_url, app.coursedir.course_id).close()
    return app
