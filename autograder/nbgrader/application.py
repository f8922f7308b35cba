"""nbgrader as the configuration in a course's folder has it, for our own commands."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

import nbgrader.api
from nbgrader.apps import AutogradeApp
from sqlalchemy.exc import SAWarning

from autograder.nbgrader.configuration import CONFIGURATION
from autograder.nbgrader.trouble import CannotRun, patient_engine


def application(course: Path) -> AutogradeApp:
    """The application with which nbgrader autogrades. Raises CannotRun."""
    if not (course / CONFIGURATION).is_file():
        raise CannotRun(f"{course} is no course of nbgrader. Build one with make course.")
    warnings.simplefilter("ignore", SAWarning)  # at queries of nbgrader's own
    # It looks for each table, each time; once in that connection is enough.
    create_all = nbgrader.api.Base.metadata.create_all
    nbgrader.api.Base.metadata.create_all = functools.cache(create_all)
    app = AutogradeApp()
    app.initialize(["--log-level=ERROR"], root=str(course.resolve()))
    # One connection for the whole run, where nbgrader asks for nine for each submission.
    nbgrader.api.create_engine = functools.cache(patient_engine)
    return app
