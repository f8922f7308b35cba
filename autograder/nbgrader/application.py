"""nbgrader's application, configured by a course's folder, for the kit's own commands."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

import nbgrader.api
from nbgrader.apps import AutogradeApp
from sqlalchemy.exc import SAWarning

from autograder.nbgrader import fallback
from autograder.nbgrader.trouble import CannotRun, patient_engine


def application(course: Path) -> AutogradeApp:
    """Return the application with which nbgrader autogrades. Raises CannotRun."""
    if not (course / fallback.CONFIGURATION).is_file():
        raise CannotRun(f"{course} is not an nbgrader course. Build one with make course.")
    fallback.check(course.resolve())
    warnings.simplefilter("ignore", SAWarning)  # caused by nbgrader's own queries
    # nbgrader looks for every table each time it opens a gradebook; once is enough.
    create_all = nbgrader.api.Base.metadata.create_all
    nbgrader.api.Base.metadata.create_all = functools.cache(create_all)
    app = AutogradeApp()
    app.initialize(["--log-level=ERROR"], root=str(course.resolve()))
    # One connection for the whole run; nbgrader would open nine for each submission.
    nbgrader.api.create_engine = functools.cache(patient_engine)
    return app
