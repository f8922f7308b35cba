"""The plug-in through which nbgrader's autograde is given what students have handed in.

Named in the configuration as Autograde.exporter_class. nbgrader makes one at the beginning of
each run of autograde, also where a button of the formgrader starts it. Then all that the run needs
is graded, in a process of its own, and laid out anew in folders in which there is nothing else: so
nothing that lies in a student's folder can stop the run, or is copied anywhere.
"""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters.autograde import Autograde
from traitlets import Bool, Float, Integer

from autograder.classroom.results import GradingSettings
from autograder.nbgrader.autograding_run import Run, prepare
from autograder.nbgrader.trouble import CannotRun
from autograder.sandbox import Limits, wrong_times


class SubmissionExporter(NotebookExporter):
    """Sees to it that all is graded and laid out before nbgrader asks for it."""

    unlocked = Bool(False, help="Run students' code where it can do what you can.").tag(config=True)
    seconds = Float(10.0, help="CPU time limit for one question to students' code.").tag(
        config=True
    )
    budget = Float(Limits.budget, help="Seconds for all questions to one submission.").tag(
        config=True
    )
    hints = Integer(1, min=0, max=3, help="How many hints to a mistake students are shown.").tag(
        config=True
    )

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)  # type: ignore[no-untyped-call]
        self.run: Run | None = None
        if isinstance(self.parent, Autograde):
            self.run = prepare(self.parent, self.settings)

    @property
    def settings(self) -> GradingSettings:
        """By which submissions are graded. Raises CannotRun where the times make no sense."""
        if wrong := wrong_times(self.seconds, self.budget):
            raise CannotRun(f"{wrong} Change c.SubmissionExporter in nbgrader_config.py.")
        sandbox = "unlocked" if self.unlocked else "locked"
        return GradingSettings(sandbox, self.seconds, self.hints, self.budget)


def look_for_nothing(converter: Autograde) -> None:
    """In place of nbgrader's look for notebooks, which would stop where there is only a module.

    What there is to grade, `prepare` finds out.
    """
    converter.assignments = {}
    converter.notebooks = []
