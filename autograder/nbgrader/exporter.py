"""The plug-in that gives submissions to nbgrader's autograde.

The configuration names it as Autograde.exporter_class. nbgrader makes one at the start of each run
of autograde, also when the formgrader starts the run. At that point all submissions of the run are
graded in a separate process and rebuilt in clean folders, so that no other file of a student's
folder can stop the run or is copied.
"""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters.autograde import Autograde
from traitlets import Bool, Float, Integer

from autograder.classroom.results import GradingSettings
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
    hints = Integer(1, min=0, max=3, help="How many hints students see for a mistake.").tag(
        config=True
    )

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)  # type: ignore[no-untyped-call]
        self.run: Run | None = None
        if isinstance(self.parent, Autograde):
            self.run = prepare(self.parent, self.settings)

    @property
    def settings(self) -> GradingSettings:
        """The settings for grading submissions. Raises CannotRun if the times make no sense."""
        if wrong := wrong_times(self.seconds, self.budget):
            raise CannotRun(f"{wrong} Change c.SubmissionExporter in nbgrader_config.py.")
        return GradingSettings(not self.unlocked, self.seconds, self.hints, self.budget)


def look_for_nothing(converter: Autograde) -> None:
    """Replace nbgrader's search for notebooks, which would stop where there is only a module.

    `prepare` finds the submissions instead.
    """
    converter.assignments = {}
    converter.notebooks = []
