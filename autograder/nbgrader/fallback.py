"""Keep students' code from running even if nbgrader cannot load nbgrader_config.py.

nbgrader reports an error in that file and goes on without it, with its own settings: it would run
students' code in Jupyter's kernel. But it also reads nbgrader_config.json, which lies beside it and
names the classes below. They refuse to work without the settings of nbgrader_config.py.
"""

from __future__ import annotations

import json
import os
import traceback
from pathlib import Path
from typing import Any

from nbgrader.converters.base import BaseConverter
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder import parsing, whole_file
from autograder.grading.fitting import printable
from autograder.nbgrader import converting
from autograder.nbgrader.options import KIT, check_values
from autograder.nbgrader.trouble import CannotRun
from autograder.parsing import DamagedData

CONFIGURATION = "nbgrader_config.py"  # in the folder of the course
FALLBACK = "nbgrader_config.json"  # nbgrader prefers it to the other one
MOST = 1_000_000  # bytes of it
LOADED = "loaded"  # c.Kit.loaded is only set in nbgrader_config.py
OURS = "autograder.nbgrader"
# Names, not classes: nbgrader warns of settings that differ in the two files.
SETTINGS: dict[str, dict[str, Any]] = {
    "Autograde": {
        "exporter_class": f"{OURS}.exporter.SubmissionExporter",
        # Notebooks are rebuilt and need no sanitizing, but nbgrader requires one preprocessor.
        "sanitize_preprocessors": ["nbgrader.preprocessors.ClearOutput"],
        "autograde_preprocessors": [
            f"{OURS}.engine.Engine",
            f"{OURS}.engine.SaveGrades",
            "nbgrader.preprocessors.AssignLatePenalties",
        ],
    },
    "GenerateFeedback": {"exporter_class": f"{OURS}.exporter.FeedbackExporter"},
}
NOTHING = "nothing was done"


def write(course: Path) -> bool:
    """Write the settings into nbgrader_config.json; others in it stay. Returns whether it changed.

    Raises CannotRun if the file is damaged, OSError.
    """
    path, found = course / FALLBACK, _read(course)
    made = {**found, **{kind: {**found.get(kind, {}), **SETTINGS[kind]} for kind in SETTINGS}}
    if made == found:
        return False
    whole_file.write(path, json.dumps(made, indent=2) + "\n", 0o644)
    return True


def settings(course: Path) -> Config:
    """Return the configuration in nbgrader_config.json. Raises CannotRun if it is damaged."""
    return Config(_read(course))


def _read(course: Path) -> dict[str, dict[str, Any]]:
    """Return what is in nbgrader_config.json; nothing if there is none. Raises CannotRun."""
    path = course / FALLBACK
    if not os.path.lexists(path):
        return {}
    try:
        return parsing.read_linked(path, MOST, _decoded)
    except DamagedData as problem:
        raise CannotRun(
            f"{path} cannot be read ({problem}). Mend it, or move it away; {NOTHING}."
        ) from None


def _decoded(data: bytes) -> dict[str, dict[str, Any]]:
    found = parsing.json_object(data)
    if not all(isinstance(found[name], dict) for name in found if name[:1].isupper()):
        raise ValueError("a section of it is not a JSON object")
    return found


def check(course: Path) -> Config:
    """Return the configuration in nbgrader_config.py.

    Raises CannotRun if it cannot be loaded; the message says where and why.
    """
    path = course / CONFIGURATION
    if not path.is_file():
        raise CannotRun(f"There is no {path}. Run make course, which writes it; {NOTHING}.")
    try:
        config = PyFileConfigLoader(path.name, str(course)).load_config()
    except (Exception, SystemExit) as problem:  # whatever the instructor's own lines raise
        where, why = _line(problem, path), _why(problem)
        raise CannotRun(printable(f"{path}{where}: {why}. Mend it; {NOTHING}.")) from None
    if not is_loaded(config):
        raise CannotRun(
            f"{path} does not call configure(c), which puts the kit's grader into nbgrader. Add "
            f"that line, or move the file away and run make course; {NOTHING}."
        )
    return config


def is_loaded(config: Config) -> bool:
    """Return whether a configuration has the settings of nbgrader_config.py, all of them."""
    return bool(config[KIT].get(LOADED))


def stop_unless_loaded(converter: BaseConverter) -> None:
    """Stop a command for which nbgrader could not load nbgrader_config.py. Raises CannotRun.

    An option with a value of the wrong type stops it too.
    """
    root = Path(converter.coursedir.root)
    if is_loaded(converter.config):
        check_values(settings(root), Path(FALLBACK))
        check_values(Config(getattr(converter.parent, "cli_config", {})))  # of a command's call
        check_values(converter.config, Path(CONFIGURATION))  # all of them
        return
    try:
        check(root)
        raise CannotRun(
            f"This nbgrader was started before {root / CONFIGURATION} was mended. Start it again; "
            f"{NOTHING}."
        )
    except CannotRun as reason:
        if BaseConverter.start is not converting.start:  # nbgrader's own, which only ends
            converter.log.error(str(reason))
        raise


def _line(problem: BaseException, path: Path) -> str:
    """Return ", line N" for the line of a file that an error comes from, or ""."""
    if isinstance(problem, SyntaxError) and problem.filename == str(path):
        return f", line {problem.lineno}"
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _why(problem: BaseException) -> str:
    kind = type(problem).__name__
    said = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return f"{kind}: {said.rstrip('.')}" if said else kind
