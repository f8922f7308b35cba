"""nbgrader's application, configured by a course's folder, for the kit's own commands."""

from __future__ import annotations

import functools
import sys
import warnings
from pathlib import Path

import nbgrader.api
from nbgrader.apps import AutogradeApp
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.nbgrader import fallback
from autograder.nbgrader.options import check_values, without_effect
from autograder.nbgrader.trouble import CannotRun, patient_engine


def application(course: Path) -> AutogradeApp:
    """Return the application with which nbgrader autogrades. Raises CannotRun.

    Options in the configuration's files that have no effect are told on stderr.
    """
    if not (course / fallback.CONFIGURATION).is_file():
        raise CannotRun(f"{course} is not an nbgrader course. Build one with make course.")
    course = course.resolve()
    configurations = {
        course / fallback.CONFIGURATION: fallback.check(course),
        course / fallback.FALLBACK: fallback.settings(course),
    }
    for path, config in configurations.items():
        check_values(config, path)
    warnings.simplefilter("ignore", SAWarning)  # caused by nbgrader's own queries
    # nbgrader looks for every table each time it opens a gradebook; once is enough.
    create_all = nbgrader.api.Base.metadata.create_all
    nbgrader.api.Base.metadata.create_all = functools.cache(create_all)
    app = AutogradeApp()
    app.initialize(["--log-level=ERROR"], root=str(course))
    for path, config in configurations.items():
        _forget_moved(config, app.config)
        for said in without_effect(config, path):
            print(said, file=sys.stderr)
    # One connection for the whole run; nbgrader would open nine for each submission.
    nbgrader.api.create_engine = functools.cache(patient_engine)
    return app


def _forget_moved(config: Config, loaded: Config) -> None:
    """Forget what nbgrader has moved from a class that used to have an option to another one."""
    for section, options in config.items():
        if section[:1].isupper():
            for option in [one for one in options if one not in loaded.get(section, {})]:
                del options[option]
