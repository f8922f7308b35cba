"""The memory of a grading process is limited; above the limit, one submission fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.course import root
from autograder.runtime.memory import MOST

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits memory on Linux only")
NAME = "running_averages"
SAID = "The grader failed (MemoryError). Your code is not at fault: grade it again."
# The grader takes more than it may for one submission. None of it is touched: without a limit, it
# would be had for nothing.
HUNGRY = f"""
import json, sys
from autograder.grading.grader import Grader
own = Grader.grade
def grade(self, submission, *rest):
    if "hungry" in str(submission.texts):
        kept = bytearray({MOST} + (64 << 20))
    return own(self, submission, *rest)
Grader.grade = grade
"""
IN_A_WORKER = """
from pathlib import Path
from autograder.classroom.grading_jobs import GradeJobs
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings
texts = json.load(sys.stdin)
jobs = [Job(student, "running_averages", {"running_averages.py": text.encode()})
    for student, text in texts.items()]
work = GradeJobs(GradingSettings(False, 10.0, 1))
found = [work.do(job).grade for job in jobs]
print(json.dumps([[one.status, one.points, one.message] for one in found]), flush=True)
import os; os._exit(0)
"""
ON_THE_COMMAND_LINE = """
from pathlib import Path
from autograder.cli.main import main
from autograder.sandbox import open_sandbox
folder = Path(sys.argv[1])
for student, text in json.load(sys.stdin).items():
    (folder / f"{student}.py").write_text(text)
# With a sandbox that is given, this process grades, as it does one's own work.
main(["grade", str(folder), "--assignment", "running_averages", "--unlocked", "--json"],
    lambda *limits, **more: open_sandbox(*limits, **more))
"""

READING = f"""
from autograder.submissions.files import TooSlow, in_time
json.load(sys.stdin)
said = []
try:
    with in_time(sys.argv[1]):
        bytearray({MOST} + (64 << 20))
except TooSlow as problem:
    said.append(str(problem))
said.append(len(bytearray({MOST} + (64 << 20))))  # nothing is limited any more
print(json.dumps(said))
"""


def run(program: str, texts: dict[str, str], *arguments: str) -> Any:
    """Return the output of a grading process; texts: the submissions by student."""
    command = [sys.executable, "-c", HUNGRY + program, *arguments]
    done = subprocess.run(
        command, cwd=root(), input=json.dumps(texts), capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def texts(solutions: dict[str, str]) -> dict[str, str]:
    right = solutions[NAME]
    return {"anna": right, "ben": f"{right}\n# hungry\n", "cleo": f"{right}\n# another\n"}


@pytest.mark.dear
def test_a_worker_that_takes_too_much_fails_for_one_submission(texts: dict[str, str]) -> None:
    found = run(IN_A_WORKER, texts)
    assert [status for status, *_ in found] == ["graded", "needs_staff", "graded"]
    assert found[1][2] == SAID
    assert found[0][1] == found[2][1] > 0


@pytest.mark.dear
def test_so_does_the_grader_on_the_command_line(texts: dict[str, str], tmp_path: Path) -> None:
    found = run(ON_THE_COMMAND_LINE, texts, str(tmp_path))["submissions"]
    assert [one["status"] for one in found] == ["graded", "needs_staff", "graded"]
    assert found[1]["message"] == SAID
    assert found[0]["score"] == found[2]["score"] > 0


@pytest.mark.dear
def test_reading_a_submission_that_takes_too_much_refuses_it() -> None:
    refused = "anna takes too much memory to read. Keep only your own work in it."
    assert run(READING, {}, "anna") == [refused, MOST + (64 << 20)]


@pytest.mark.dear
@pytest.mark.parametrize(
    "module",
    [
        "autograder.cli.main",
        "autograder.sandbox",
        "autograder.classroom.pool",
        "autograder.nbgrader.preparing",
    ],
)
def test_what_only_starts_graders_does_not_take_the_memory_of_pytorch(module: str) -> None:
    program = f"import sys, {module}; print('torch' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=root(), capture_output=True, check=True
    )
    assert run.stdout == b"False\n"
