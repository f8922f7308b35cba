"""The plug-ins that give submissions to nbgrader's autograde, and write pages for students.

The configuration names it as Autograde.exporter_class. nbgrader makes one at the start of each run
of autograde, also when the formgrader starts the run. At that point all submissions of the run are
graded in a separate process and rebuilt in clean folders, so that no other file of a student's
folder can stop the run or is copied.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbconvert.preprocessors import ExecutePreprocessor
from nbgrader.converters import GenerateFeedback
from nbgrader.converters.autograde import Autograde
from traitlets import Bool, Float, Integer, import_item

from autograder.classroom import MOST_PROCESSES
from autograder.classroom.results import GradingSettings
from autograder.nbgrader import fallback
from autograder.nbgrader.preparing import Run, prepare
from autograder.nbgrader.trouble import CannotRun
from autograder.sandbox import Limits, wrong_times


class SubmissionExporter(NotebookExporter):
    """Exporter that grades and rebuilds all submissions before nbgrader reads them."""

    unlocked = Bool(False, help="Run students' code with your own rights.").tag(config=True)
    seconds = Float(10.0, help="CPU time limit for one question to students' code.").tag(
        config=True
    )
    budget = Float(Limits.budget, help="Seconds for all questions to one submission.").tag(
        config=True
    )
    jobs = Integer(0, min=0, max=MOST_PROCESSES, help="Processes that grade; 0: one a core.").tag(
        config=True
    )
    hints = Integer(1, min=0, max=3, help="How many hints students see for a mistake.").tag(
        config=True
    )

    def __init__(self, **named: Any) -> None:
        if isinstance(parent := named.get("parent"), Autograde):
            fallback.stop_unless_loaded(parent)
        super().__init__(**named)  # type: ignore[no-untyped-call]
        self.run: Run | None = None
        if isinstance(self.parent, Autograde):
            _check_preprocessors(self.parent)
            fallback.write(Path(self.parent.coursedir.root))  # older courses have none
            self.run = prepare(self.parent, self.settings, self.jobs or None)

    @property
    def settings(self) -> GradingSettings:
        """The settings for grading submissions. Raises CannotRun if the times make no sense."""
        if wrong := wrong_times(self.seconds, self.budget):
            raise CannotRun(f"{wrong} Change c.SubmissionExporter in nbgrader_config.py.")
        return GradingSettings(not self.unlocked, self.seconds, self.hints, self.budget)


class FeedbackExporter(HTMLExporter):
    """nbconvert's exporter, which shows students' scripts without the settings of the kit."""

    def __init__(self, **named: Any) -> None:
        if isinstance(parent := named.get("parent"), GenerateFeedback):
            fallback.stop_unless_loaded(parent)
        super().__init__(**named)  # type: ignore[no-untyped-call]


def _check_preprocessors(converter: Autograde) -> None:
    """Raise CannotRun if nbgrader would run notebooks, since some option says so."""
    for name in ("sanitize_preprocessors", "autograde_preprocessors"):
        for one in getattr(converter, name):
            found = import_item(one) if isinstance(one, str) else one
            if issubclass(found if isinstance(found, type) else type(found), ExecutePreprocessor):
                raise CannotRun(
                    f"Autograde.{name} has {one}, which would run students' code unlocked. Remove "
                    "that option; nothing was graded."
                )


def look_for_nothing(converter: Autograde) -> None:
    """Replace nbgrader's search for notebooks, which would stop where there is only a module.

    `prepare` finds the submissions instead.
    """
    converter.assignments = {}
    converter.notebooks = []
