"""Settings that differ from nbgrader's defaults in this course; nbgrader_config.py calls them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from traitlets.config import Application, Config

from autograder.course import declared, use
from autograder.nbgrader import fallback
from autograder.nbgrader.options import KIT

PAGE = Path(__file__).parent / "submission.html.j2"
EXCHANGE = "exchange"  # in the folder of the course


def configure(c: Config, course: str = "") -> None:
    """Set the options that this course needs, except those that nbgrader_config.py has set before.

    course: the folder of the course's exercises, if it is not the kit's own.
    """
    if course:
        use(Path(course))
    _stop_at_errors()
    _replace_loop()
    folder = Path(c.CourseDirectory.setdefault("root", os.getcwd()))
    c.CourseDirectory.setdefault("course_id", declared().id)
    c.Exchange.setdefault("root", str(folder / EXCHANGE))
    _show_pages(c)
    _collect(c)
    _give_feedback(c)
    _export(c)
    _clear_solutions(c)
    _plug_in(c)
    _put_environment_on_path()
    c[KIT][fallback.LOADED] = True


def _stop_at_errors() -> None:
    """Let an error further down in nbgrader_config.py stop nbgrader, which reads it twice.

    nbgrader would go on without the whole file, with its own settings.
    """
    if Application.initialized():
        Application.instance().raise_config_file_errors = True


def _replace_loop() -> None:
    """Wait for a gradebook in use, lock the course, and report a problem in one sentence.

    Whatever nbgrader logs is printable.
    """
    from autograder.nbgrader.converting import take_over_loop
    from autograder.nbgrader.logs import log_printable
    from autograder.nbgrader.trouble import be_patient

    log_printable()
    be_patient()
    take_over_loop()


def _show_pages(c: Config) -> None:
    """Show submissions without scripts of students, readable on small screens and offline."""
    from autograder.nbgrader.formgrader import show_what_is_autograded
    from autograder.nbgrader.pages import cleaned, from_markdown

    show_what_is_autograded()
    c.HTMLExporter.setdefault("sanitize_html", True)
    c.HTMLExporter.setdefault("filters", {"clean_html": cleaned, "markdown2html": from_markdown})
    c.HTMLExporter.setdefault("template_file", str(PAGE))
    c.HTMLExporter.setdefault("exclude_input_prompt", True)  # cells were not run: prompts are empty
    c.HTMLExporter.setdefault("exclude_output_prompt", True)


def _collect(c: Config) -> None:
    """List and collect only plain files, also modules and archives."""
    from autograder.nbgrader.collecting import Collect
    from autograder.nbgrader.downloads import Collector, Extractor
    from autograder.nbgrader.listing import List
    from autograder.nbgrader.times import check_timestamps
    from autograder.nbgrader.transfer import transfer_whole_submissions

    check_timestamps()
    transfer_whole_submissions()
    c.ExchangeFactory.setdefault("collect", Collect)
    c.ExchangeFactory.setdefault("list", List)
    c.ZipCollectApp.setdefault("extractor_plugin", Extractor)
    c.ZipCollectApp.setdefault("collector_plugin", Collector)


def _give_feedback(c: Config) -> None:
    """Write all pages again: from timestamps nbgrader cannot see changed submissions or scores."""
    from autograder.nbgrader.exchange import ReleaseFeedback

    c.GenerateFeedback.setdefault("force", True)
    c.ExchangeFactory.setdefault("release_feedback", ReleaseFeedback)


def _export(c: Config) -> None:
    from autograder.nbgrader.export import Export, report_in_one_sentence

    report_in_one_sentence()
    c.ExportApp.setdefault("plugin_class", Export)


def _clear_solutions(c: Config) -> None:
    from nbgrader.converters import GenerateAssignment
    from nbgrader.preprocessors import ClearSolutions

    from autograder.nbgrader.skeleton import Skeleton

    usual = GenerateAssignment.class_traits()["preprocessors"].default()
    ours = [Skeleton if one is ClearSolutions else one for one in usual]
    c.GenerateAssignment.setdefault("preprocessors", ours)


def _plug_in(c: Config) -> None:
    """Use the grader in place of the kernel that would run students' notebooks."""
    from nbgrader.converters.autograde import Autograde

    from autograder.nbgrader.exporter import look_for_nothing

    Autograde.init_notebooks = look_for_nothing
    c.SubmissionExporter.setdefault("optimistic_validation", True)  # once, at the end
    for kind, settings in fallback.SETTINGS.items():
        for name, value in settings.items():
            c[kind].setdefault(name, value)


def _put_environment_on_path() -> None:
    """Add this environment to PATH: nbgrader calls alembic by name to make a gradebook."""
    scripts = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath)
    if path.split(os.pathsep)[0] != scripts:
        os.environ["PATH"] = os.pathsep.join([scripts, path])
