"""The CPU time that the grader spends on one person's work is limited, whatever is in it."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import zipfile
from pathlib import Path
from unittest.mock import Mock

import pytest
import torch
from conftest import GradeText

from autograder.checking.collect import Checks
from autograder.client import Text
from autograder.client.loaded import FATAL
from autograder.course import assignments
from autograder.cpu_limit import OutOfTime, cpu_limit
from autograder.diagnosis.naming import namer
from autograder.grading import grader
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.questions import Call, Question, Step, Take
from autograder.sandbox import Sandbox
from autograder.submissions import choosing, files, finding, unclaimed
from autograder.submissions.finding import Submission, find
from autograder.submissions.submission_files import SubmissionFiles

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="has no such timers")
LIMIT = 0.1  # seconds


def work(seconds: float = 5.0) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_block_that_takes_too_long_is_left() -> None:
    with pytest.raises(OutOfTime), cpu_limit(LIMIT):
        work()
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    work(2 * LIMIT)  # nothing rings any more


def test_it_is_no_exception_that_a_library_catches() -> None:
    with pytest.raises(OutOfTime), cpu_limit(LIMIT), contextlib.suppress(Exception):
        work()


@pytest.mark.dear
def test_one_that_is_swallowed_is_raised_again() -> None:
    with pytest.raises(OutOfTime), cpu_limit(LIMIT):
        with contextlib.suppress(BaseException):
            work()
        work()


def test_one_that_is_swallowed_or_breaks_something_ends_the_block() -> None:
    with pytest.raises(OutOfTime), cpu_limit(LIMIT), contextlib.suppress(BaseException):
        work()
    with pytest.raises(OutOfTime), cpu_limit(LIMIT):
        try:
            work()
        except BaseException:
            raise ValueError("half an answer") from None
    with pytest.raises(ValueError, match="its own"), cpu_limit(1000):
        raise ValueError("its own")


@pytest.mark.parametrize("fatal", FATAL)
def test_what_stops_the_grader_is_no_answer(
    fatal: type[BaseException],
) -> None:
    """An answer of a known mistake or of the reference would be kept for all later students."""
    source = Text("m", {"m": "def f(x):\n    return stop()\n"}, ()).source()
    assert source.load(keep=False) is None
    source.namespace["stop"] = Mock(side_effect=fatal)
    steps: list[Step] = [Take(0, "f", {}, torch.float64), Call(0, (torch.ones(1),), torch.float64)]
    with pytest.raises(fatal):
        Interpreter(source).answer(Question(steps))
    source.namespace["stop"] = Mock(side_effect=ValueError)
    assert "problem" in Interpreter(source).answer(Question(steps))[1]


@pytest.mark.dear
def test_nothing_is_remembered_of_what_was_stopped(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    grading = grader.Grader(checks, sandbox, frozenset(), namer)
    anna = Submission("anna", Path("multi_head.py"), "multi_head", solutions)
    assert grading.grade(anna).status == "graded"
    reference, naming = grading.reference("multi_head"), grading.namer
    for stopped, status in ((work, "needs_staff"), (Mock(side_effect=MemoryError), "")):
        with monkeypatch.context() as patched:
            patched.setattr(grader, "SECONDS", LIMIT if status else 1000)
            patched.setattr(grader.Grader, "_graded", lambda *_, stopped=stopped: stopped())
            with pytest.raises(MemoryError) if not status else contextlib.nullcontext():
                assert grading.grade(anna).status == status
        assert grading.reference("multi_head") is not reference
        assert grading.namer is not naming
        reference, naming = grading.reference("multi_head"), grading.namer


def test_waiting_costs_nothing() -> None:
    with cpu_limit(LIMIT):
        time.sleep(3 * LIMIT)


def test_the_outer_limit_counts() -> None:
    with pytest.raises(OutOfTime), cpu_limit(LIMIT), cpu_limit(1000):
        work()
    with cpu_limit(1000), cpu_limit(LIMIT):
        work(2 * LIMIT)


def test_another_thread_is_not_limited() -> None:
    done = []

    def run() -> None:
        with cpu_limit(LIMIT):
            work(2 * LIMIT)
        done.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done


@pytest.mark.dear
def test_reading_all_assignments_of_a_person_is_limited_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in assignments():
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    monkeypatch.setattr(files, "SECONDS", 5 * LIMIT)
    monkeypatch.setattr(finding, "check_nothing_else", lambda *_: work(LIMIT))
    [refused] = find(tmp_path, None)
    assert "takes more than" in refused.problem


@pytest.mark.dear
def test_looking_into_files_that_are_not_named_as_work_is_limited_for_each_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("anna", "ben"):
        for i in range(20):
            place = tmp_path / f"{name}_12_assignsubmission_file_{i}.txt"
            place.write_text("running_mean_loop = 1\n")
    looked: list[Path] = []

    def look(path: Path) -> None:
        looked.append(path)
        work(LIMIT)

    monkeypatch.setattr(files, "SECONDS", 3 * LIMIT)
    monkeypatch.setattr(unclaimed, "_defines_exercise", look)
    find(tmp_path, "running_averages")
    assert {path.name.partition("_")[0] for path in looked} == {"anna", "ben"}
    assert len(looked) < 10


@pytest.mark.parametrize("name", ["anna.py", "anna.zip", "anna"])
def test_reading_is_limited(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code(self: SubmissionFiles, name: str) -> str:
        if name != "bob.py":
            work()
        return ""

    monkeypatch.setattr(files, "SECONDS", LIMIT)
    monkeypatch.setattr(SubmissionFiles, "code", code)
    (tmp_path / "bob.py").touch()
    (tmp_path / name).mkdir() if name == "anna" else (tmp_path / name).touch()
    if name == "anna.zip":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("attention_layer.py", "")
    if name == "anna":
        (tmp_path / name / "attention_layer.py").touch()
        (tmp_path / name / "attention_layer.ipynb").touch()
    anna, bob = find(tmp_path, "attention_layer")
    assert "takes more than 0.1 s to read" in anna.problem
    assert not bob.problem
    [alone] = find(tmp_path / name, "attention_layer")
    assert "takes more than 0.1 s to read" in alone.problem


def test_telling_whose_a_folder_is_is_limited_and_refuses_no_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SECONDS", LIMIT)
    monkeypatch.setattr(choosing, "packed", lambda *_: work())
    for name in ("anna", "bob"):
        (tmp_path / f"{name}.py").write_text("x = 1\n")
    anna, bob = find(tmp_path, "attention_layer")
    assert [(one.name, one.problem) for one in (anna, bob)] == [("anna", ""), ("bob", "")]
    [alone] = find(tmp_path, None)
    assert "takes more than 0.1 s to read" in alone.problem


def test_judging_is_limited(
    grade_text: GradeText, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "SECONDS", LIMIT)
    monkeypatch.setattr(grader.Grader, "_graded", lambda *_: work())
    grade = grade_text(solutions["attention_layer"])
    assert grade.status == "needs_staff"
    assert grade.message == (
        "Judging its answers took more than 0.1 s of the grader's own CPU time. Others take "
        "about one second, so a person must look at this one."
    )


def test_memory_that_is_not_there_refuses_one_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def code(self: SubmissionFiles, name: str) -> str:
        raise MemoryError

    monkeypatch.setattr(SubmissionFiles, "code", code)
    (tmp_path / "anna.py").write_text("x = 1\n")
    [anna] = find(tmp_path, "running_averages")
    assert "takes too much memory to read" in anna.problem
