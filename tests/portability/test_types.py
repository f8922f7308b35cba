"""A type checker that takes the system for Windows or macOS finds no name missing there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_imitated import LINUX, NBGRADER

from autograder.course import root

ERROR = re.compile(
    r"^(?P<file>[^:]+):\d+: error: (?P<text>.*)  \[(?P<code>[a-z-]+)\]$", re.MULTILINE
)
MISSING = ("attr-defined", "name-defined")


@pytest.mark.dear
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_no_name_is_used_that_a_system_lacks(system: str, tmp_path: Path) -> None:
    """But in modules that only Linux imports, and on Windows in those for nbgrader."""
    command = [sys.executable, "-m", "mypy", "--platform", system, "--cache-dir", str(tmp_path)]
    run = subprocess.run([*command, "autograder"], cwd=root(), capture_output=True, text=True)
    found = [one for one in ERROR.finditer(run.stdout) if one["code"] in MISSING]
    elsewhere = [one[0] for one in found if not _may(one["file"], system)]
    assert not elsewhere, "\n".join(elsewhere)
    assert found or system == "darwin", run.stdout  # the forking modules need what Windows lacks


def _may(file: str, system: str) -> bool:
    module = file.removesuffix(".py").replace("/", ".")
    return module in LINUX or (system == "win32" and module.startswith(NBGRADER))
