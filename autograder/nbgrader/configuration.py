"""What nbgrader does otherwise in this course than by default; nbgrader_config.py calls it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from traitlets.config import Application, Config

from autograder.course import declared, use

CONFIGURATION = "nbgrader_config.py"  # in the folder of the course
PAGE = Path(__file__).parent / "submission.html.j2"
EXCHANGE = "exchange"  # in the folder of the course


def configure(c: Config, course: str = "") -> None:
    """Set what this course needs; what nbgrader_config.py has set before stays.

    course: the folder of the course's exercises, where it is not the kit's own.
    """
    if course:
        use(Path(course))
    _end_at_mistakes()
    _be_patient()
    folder = Path(c.CourseDirectory.setdefault("root", os.getcwd()))
    c.CourseDirectory.setdefault("course_id", declared()["id"])
    c.Exchange.setdefault("root", str(folder / EXCHANGE))
    _show_pages(c)
    _collect(c)
    _give_feedback(c)
    _export(c)
    _clear_solutions(c)
    _plug_in(c)
    _put_environment_on_path()


def _end_at_mistakes() -> None:
    """Let a mistake further down in nbgrader_config.py end nbgrader, which reads it twice.

    It would go on without any of the file, and with its own kernel run the code of students.
    """
    if Application.initialized():
        Application.instance().raise_config_file_errors = True


def _be_patient() -> None:
    """Wait for a gradebook in use, work alone in the course, and fail with one sentence."""
    from autograder.nbgrader.converting import take_over_loop
    from autograder.nbgrader.trouble import be_patient

    be_patient()
    take_over_loop()


def _show_pages(c: Config) -> None:
    """Pages of a submission: no script of a student's, readable when narrow and without network."""
    from autograder.nbgrader.formgrader import show_what_is_autograded
    from autograder.nbgrader.pages import cleaned, from_markdown

    show_what_is_autograded()
    c.HTMLExporter.setdefault("sanitize_html", True)
    c.HTMLExporter.setdefault("filters", {"clean_html": cleaned, "markdown2html": from_markdown})
    c.HTMLExporter.setdefault("template_file", str(PAGE))
    c.HTMLExporter.setdefault("exclude_input_prompt", True)  # nothing was run, so all are empty
    c.HTMLExporter.setdefault("exclude_output_prompt", True)


def _collect(c: Config) -> None:
    """Take in plain files, modules and archives too, for the student whose they are."""
    from autograder.nbgrader.collecting import Collect, Collector, Extractor
    from autograder.nbgrader.times import take_no_other

    take_no_other()
    c.ExchangeFactory.setdefault("collect", Collect)
    c.ZipCollectApp.setdefault("extractor_plugin", Extractor)
    c.ZipCollectApp.setdefault("collector_plugin", Collector)


def _give_feedback(c: Config) -> None:
    """Write all pages anew: by its timestamps nbgrader sees no other work and no other score."""
    from autograder.nbgrader.exchange import ReleaseFeedback

    c.GenerateFeedback.setdefault("force", True)
    c.ExchangeFactory.setdefault("release_feedback", ReleaseFeedback)


def _export(c: Config) -> None:
    from autograder.nbgrader.export import Export

    c.ExportApp.setdefault("plugin_class", Export)


def _clear_solutions(c: Config) -> None:
    from nbgrader.converters import GenerateAssignment
    from nbgrader.preprocessors import ClearSolutions

    from autograder.nbgrader.skeleton import Skeleton

    usual = GenerateAssignment.class_traits()["preprocessors"].default()
    ours = [Skeleton if one is ClearSolutions else one for one in usual]
    c.GenerateAssignment.setdefault("preprocessors", ours)


def _plug_in(c: Config) -> None:
    """Put the grader in the place of the kernel that would run students' notebooks."""
    from nbgrader.converters.autograde import Autograde
    from nbgrader.preprocessors import AssignLatePenalties, ClearOutput

    from autograder.nbgrader.engine import Engine, SaveGrades
    from autograder.nbgrader.exporter import SubmissionExporter, look_for_nothing

    Autograde.init_notebooks = look_for_nothing
    c.Autograde.setdefault("exporter_class", SubmissionExporter)
    # What is sanitized was laid out by us, and its metadata checked; but there must be one.
    c.Autograde.setdefault("sanitize_preprocessors", [ClearOutput])
    c.SubmissionExporter.setdefault("optimistic_validation", True)  # once, when all is done
    graded = [Engine, SaveGrades, AssignLatePenalties]
    c.Autograde.setdefault("autograde_preprocessors", graded)


def _put_environment_on_path() -> None:
    """nbgrader calls alembic, by which it makes a gradebook, by name; the environment it is in
    need not have been activated."""
    beside = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath)
    if path.split(os.pathsep)[0] != beside:
        os.environ["PATH"] = os.pathsep.join([beside, path])
