"""The kit needs nothing of Python that Windows or macOS lack.

`imitated` hides what they lack. Nothing here has run on these systems themselves.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cell
import nbformat
import pytest
from conftest import LONGEST
from imitated import LINUX_ONLY, NO_MODULES, POSIX_ONLY, environment

from autograder.course import assignments, root
from autograder.report.codes import FAILED, OK

Run = Callable[..., "subprocess.CompletedProcess[str]"]
LINUX = {  # modules that only Linux imports
    *(f"autograder.child.{name}" for name in ("forking", "lock", "proof", "reaper")),
    *(f"autograder.sandbox.{name}" for name in ("filter", "forked", "lockdown", "warm")),
    "autograder.runtime.limits",
}
NBGRADER = "autograder.nbgrader."
CONFIGURATION = f"{NBGRADER}nbgrader_config"  # which nbgrader runs, and nobody imports
IMPORTING = """
import importlib, json, pkgutil, autograder
failed = []
for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
    try:
        importlib.import_module(module.name)
    except (Exception, SystemExit):
        failed.append(module.name)
print(json.dumps(failed))
"""
HIDING = """
import json, sys
failed = {"autograder.room": [], "library": []}
for code in json.loads(sys.argv[1]):
    for name, found in failed.items():
        try:
            exec(code, {"__name__": name})
        except (AttributeError, ImportError):
            found.append(code)
print(json.dumps(failed))
"""
CELLS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.loads(sys.argv[1]):
    shell.run_cell(cell, store_history=True)
"""
RIGHT = """\
def running_mean_loop(x):
    return torch.stack([x[:, : t + 1].mean(dim=1) for t in range(x.shape[1])], dim=1)
"""
ENDS = """
import os, signal

def running_mean_loop(x):
    while True:
        pass

def running_mean_matmul(x):
    os._exit(3)

def running_mean_softmax(x):
    os.kill(os.getpid(), signal.SIGSEGV)
"""
PRINTS = """
def running_mean_loop(x):
    print("\\N{GREEK SMALL LETTER ALPHA}")
    return x
"""


def runner(python: Path, folder: Path) -> Run:
    """Return a function that runs a Python in a folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    kept["PYTHONIOENCODING"] = "utf-8"

    def run(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, *words],
            cwd=folder,
            env=kept | more,
            capture_output=True,
            encoding=more.get("PYTHONIOENCODING", "utf-8"),
            timeout=LONGEST,
        )

    return run


@pytest.fixture(scope="module", params=["win32", "darwin"])
def system(request: pytest.FixtureRequest) -> str:
    """Return the name that a system has in `sys.platform`."""
    return str(request.param)


@pytest.fixture(scope="module")
def there(system: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a function that runs Python on that system, with this kit."""
    return runner(environment(tmp_path_factory.mktemp(system) / "env", system, root()), root())


@pytest.fixture
def in_copy(system: str, kit: Path, tmp_path: Path) -> Run:
    """Return a function that runs Python there in a student's copy."""
    return runner(environment(tmp_path / "env", system, kit), kit)


def graded(there: Run, folder: Path, text: str, *options: str) -> dict[str, Any]:
    """Grade running_averages there. Returns its exercises by name, as in the JSON document."""
    path = folder / "running_averages.py"
    path.write_text(text, encoding="utf-8")
    run = there("-m", "autograder", "grade", "--unlocked", "--json", *options, path)
    assert run.returncode == OK, run.stderr
    [found] = json.loads(run.stdout)["submissions"]
    return {exercise["name"]: exercise for exercise in found["exercises"]}


def test_what_a_system_lacks_is_hidden_from_the_kit_alone(there: Run, system: str) -> None:
    lacking = LINUX_ONLY | (POSIX_ONLY if system == "win32" else {})
    names = [(module, name) for module, found in lacking.items() for name in found.split()]
    hidden = [f"import {module}; {module}.{name}" for module, name in names]
    hidden += [f"import {module}" for module in sorted(NO_MODULES[system])]
    failed = json.loads(there("-c", HIDING, json.dumps(hidden)).stdout)
    assert failed["autograder.room"] == hidden
    assert len(failed["library"]) < 10  # another Python or machine lacks some of them itself


def test_all_but_a_few_modules_can_be_imported(there: Run, system: str) -> None:
    """Those that only Linux needs; and on Windows, which has no nbgrader, what it needs."""
    run = there("-c", IMPORTING)
    failed = {*json.loads(run.stdout)} - {CONFIGURATION}
    if system == "win32":
        failed = {name for name in failed if not name.startswith(NBGRADER)}
    assert failed <= LINUX


def test_doctor_says_that_this_system_cannot_lock(there: Run) -> None:
    run = there("-m", "autograder", "doctor")
    assert (run.returncode, run.stdout.count("✗")) == (FAILED, 1)
    assert "only Linux can lock code in. You can still grade" in run.stdout.replace("\n    ", " ")


@pytest.mark.parametrize("system", ["win32"], indirect=True)
def test_windows_is_told_that_nbgrader_needs_another_system(there: Run) -> None:
    run = there("-m", "autograder", "nbgrader", "course")
    [said] = [line for line in run.stderr.splitlines() if "secret" not in line]
    assert run.returncode == FAILED
    assert said.startswith("The commands for nbgrader need Linux or macOS.")


def test_an_exercise_is_graded(there: Run, tmp_path: Path) -> None:
    found = graded(there, tmp_path, f"import torch\n\n{RIGHT}", "--exercise", "running_mean_loop")
    assert [exercise["status"] for exercise in found.values()] == ["passed"]


@pytest.mark.dear
def test_a_loop_is_stopped_and_a_crash_and_an_exit_are_told(there: Run, tmp_path: Path) -> None:
    found = graded(there, tmp_path, ENDS, "--seconds", "2")
    said = [exercise["checks"][0]["message"] for exercise in found.values()]
    assert said[0].startswith("Not finished after 2 s")
    assert "ended its own process (exit code 3)" in said[1]
    assert "crashed" in said[2]


@pytest.mark.dear
def test_what_a_child_prints_without_end_is_cut(there: Run, tmp_path: Path) -> None:
    tests = root() / "tests" / "sandbox" / "test_drain.py"
    run = there("-m", "pytest", "-q", f"--basetemp={tmp_path / 'temp'}", "-k", "not forked", tests)
    assert run.returncode == OK, run.stdout


@pytest.mark.dear
@pytest.mark.parametrize("system", ["win32"], indirect=True)
def test_a_report_can_be_redirected_on_windows(there: Run, tmp_path: Path) -> None:
    """There a file has an encoding without most signs."""
    path = tmp_path / "running_averages.py"
    path.write_text(PRINTS, encoding="utf-8")
    command = ("-m", "autograder", "grade", "--unlocked", "--exercise", "running_mean_loop", path)
    run = there(*command, PYTHONIOENCODING="cp1252")
    assert run.returncode == OK, run.stderr
    assert "running_mean_loop        failed" in run.stdout
    assert "It printed:" in run.stdout


@pytest.mark.dear
def test_right_and_wrong_work_has_the_points_and_names_that_it_has_here(
    there: Run, tmp_path: Path
) -> None:
    """All solutions and skeletons, and a mistake of each exercise."""
    here, other = tmp_path / "here.json", tmp_path / "there.json"
    assert not cell.grade_all(here, cell.SHORT)
    run = there(Path(cell.__file__), "--short", other, here)
    assert run.returncode == 0, run.stdout


@pytest.mark.dear
def test_check_grades_in_a_notebook(in_copy: Run, kit: Path) -> None:
    given = nbformat.read(kit / "assignments" / "running_averages.ipynb", 4)
    first = [one.source for one in given.cells if one.cell_type == "code"][:2]
    check = 'print(check("running_mean_loop"))'
    cells = [*first, RIGHT, check, RIGHT.replace(": t + 1]", "t:]"), check]
    run = in_copy("-c", CELLS, json.dumps(cells), IPYTHONDIR=str(kit.parent / "ipython"))
    assert "running_mean_loop        passed" in run.stdout
    assert "Probably: " in run.stdout, run.stdout


@pytest.mark.dear
def test_a_student_can_do_all_that_the_copy_offers(
    in_copy: Run, kit: Path, built_kit: Path
) -> None:
    path = kit / "assignments" / f"{assignments()[0]}.py"
    path.write_text(f"import torch\n\n{RIGHT}", encoding="utf-8")
    said = {
        "grade assignments": "running_mean_loop        passed",
        "watch --once": "running_mean_matmul in ",
        "submit": f"packed {Path('hand-in', assignments()[0])}",
        f"update {built_kit}": "What was replaced is in backups",
    }
    for command, expected in said.items():
        run = in_copy("-m", "autograder", *command.split(" ", 1))
        assert run.returncode == OK, run.stderr
        assert expected in run.stdout
    assert RIGHT in path.read_text(encoding="utf-8")
