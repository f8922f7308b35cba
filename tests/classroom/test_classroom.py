"""Grading a class on all cores gives the same grades and stores each, whatever process dies."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import sampled
from damaged_data import DEEP, KINDS, put_damaged

from autograder import course
from autograder.checking.collect import Checks
from autograder.classroom import pool, worker
from autograder.classroom.grading_jobs import GradeJobs, grade_all
from autograder.classroom.jobs import Job
from autograder.classroom.pool import Pool, shares
from autograder.classroom.results import Feedback, GradingSettings, Result, Results
from autograder.classroom.worker import GraderSettings
from autograder.course import editions, place, root, skeleton
from autograder.diagnosis.naming import namer
from autograder.grading.grade import CheckGrade, Diagnosis, ExerciseGrade, Grade, Outcome
from autograder.grading.grader import Grader
from autograder.kit.notebook import notebook
from autograder.report.terminal import Terminal
from autograder.runtime.third_party import THIRD_PARTY
from autograder.sandbox import CannotLock, Limits, Sandbox, SandboxFailed, open_sandbox
from autograder.submissions.finding import find

Texts = dict[str, str]
Calls = list[tuple[int, int, "float | None"]]
BASE, BUILT = "attention_layer", "multi_head"  # the second is built from the first
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
TO_TYPE = re.compile(r" +(?:Only this one|The next hint):(?: .*)?\n(?: {8}make grade .*\n)?")
SETTINGS = GradingSettings(False, 2.0, 1)
CALL = """
import sys
from pathlib import Path
from autograder.classroom.jobs import Job
from autograder.classroom.grading_jobs import grade_all
from autograder.classroom.results import Results

text = Path("solutions/attention_layer/attention_layer.py").read_text() + "\\n# "
jobs = [
    Job(f"s{i}", "attention_layer", {"attention_layer.py": f"{text}{i}{sys.argv[2]}".encode()})
    for i in range(24)
]
def done(count, total, left):
    print(count, total, flush=True)
grade_all(jobs, Results(Path(sys.argv[1])), done, processes=2, locked=sys.argv[3] == "locked",
          seconds=60)
"""


@pytest.fixture(autouse=True)
def same_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the edition: files of the course may be edited while the tests run."""
    edition = course.edition()
    monkeypatch.setattr(course, "edition", lambda: edition)


def job(text: str | bytes, student: str = "zacharias", name: str = f"{BASE}.py") -> Job:
    data = text.encode() if isinstance(text, str) else text
    return Job(student, name.partition(".")[0], {name: data})


def a_result(digest: str, status: str = "graded") -> Result:
    """Return a result in which no field has its default, except for the example."""
    passed = CheckGrade("test_it", "Is it there?", Outcome.PASSED, 2.0, True, "Yes.", "\x00")
    carried = CheckGrade("test_use", "Is it used?", Outcome.BLOCKED, 0.5, False, "No.", "x", True)
    found = Diagnosis(("sqrt_2dk", "sqrt_of_2dk"), "the divisor is another", ("Look.",), seen=True)
    exercise = ExerciseGrade("Exercise", (passed, carried), "Other", (found,))
    grade = Grade("", "", BASE, status, (exercise,), "The file stops.", locked=True)
    feedback = {"Exercise": Feedback("<div>\xe9\U0001f600</div>", "✓")}
    return Result(digest, "e", SETTINGS, grade, feedback, Feedback("<div>Locked</div>", "Locked"))


def family(pid: int) -> set[int]:
    """Return the living descendants of a process."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(stat.parent.name)] = int(parent)
    found: set[int] = set()
    while more := {p for p, parent in parents.items() if parent in {pid, *found}} - found:
        found |= more
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def soon(happens: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not (happened := happens()) and time.monotonic() < end:
        time.sleep(0.05)
    return happened


def started(folder: Path, more: str = "", lock: str = "unlocked") -> subprocess.Popen[str]:
    """Grade 24 submissions in a new process. more: text added to each of them."""
    return subprocess.Popen(
        [sys.executable, "-c", CALL, folder, more, lock],
        cwd=root(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_as_from_a_terminal,
    )


def _as_from_a_terminal() -> None:
    """Reset the handler of Ctrl-C and allow all cores, whatever the tests themselves use."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def said(run: subprocess.Popen[str], line: str) -> None:
    assert run.stdout is not None
    assert any(found == f"{line}\n" for found in run.stdout), run.communicate()


# Jobs


def test_the_digest_depends_on_everything_except_the_student(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = Job("anna", BASE, {"a.py": b"bc", "d.py": b""})
    assert re.fullmatch("[0-9a-f]{64}", one.digest)
    assert one.digest == Job("ben", BASE, {"d.py": b"", "a.py": b"bc"}).digest
    others = [
        Job("anna", BUILT, {"a.py": b"bc", "d.py": b""}),
        Job("anna", BASE, {"a.py": b"bc"}),
        Job("anna", BASE, {"a.py": b"bd", "d.py": b""}),
        Job("anna", BASE, {"a.pyb": b"c", "d.py": b""}),
        Job("anna", BASE, {"a.py": b"bc", "d.py": b""}, "a link"),
        Job("anna", BASE, {"a.py": b"bc", "\udcff": b""}, "\udcff"),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == len(others) + 1
    monkeypatch.setattr(course, "edition", lambda: "another")
    assert Job(one.student, one.assignment, one.files).digest != one.digest


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("solutions/a/test_a.py", True),
        ("solutions/a/misconceptions.toml", True),
        ("solutions/a/right/E__long.py", False),
        ("autograder/grading/grader.py", True),
        ("autograder/report/cell.html", True),
        ("autograder/new/room.py", True),
        ("solutions/a/a.py", True),
        ("autograder/nbgrader/engine.py", False),
        ("autograder/SECURITY.md", False),
        ("assignments/a.py", False),
    ],
)
def test_which_files_change_the_edition(
    name: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(place, "ENGINE", tmp_path / "autograder")
    monkeypatch.setattr(place, "folder", lambda: tmp_path / "solutions")
    monkeypatch.setattr(editions, "secret", lambda: "one")
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "course.toml").write_text('title = "T"\nid = "i"\n')
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("one")
    before = course.edition()
    assert course.edition() == before
    path.write_text("other")
    assert (course.edition() != before) is counts
    edited = course.edition()
    monkeypatch.setattr(editions, "secret", lambda: "two")
    assert course.edition() != edited


@pytest.mark.parametrize("package", THIRD_PARTY)
def test_each_package_that_a_submission_can_import_changes_the_edition(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that was not there, in whose place submissions got a stand-in.

    A process that stays notices it, as the folder of packages is written to.
    """
    monkeypatch.undo()
    plain, compiled = tmp_path / "plain", tmp_path / "compiled"  # some systems have two folders
    plain.mkdir()
    monkeypatch.setattr("site.getsitepackages", lambda: [str(plain), str(compiled)])
    found = []
    for later, version in enumerate(("", "1.0", "2.0", "")):
        shutil.rmtree(compiled, ignore_errors=True)
        compiled.mkdir()
        if version:
            install(compiled, package, version)
        os.utime(compiled, (later, plain.stat().st_mtime + later))
        found.append(course.edition())
    assert found[0] == found[-1]
    assert len({*found}) == 3


def test_what_a_process_has_put_on_its_path_does_not_change_the_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setuptools does so with packages that it brings, and the worker would find other versions."""
    monkeypatch.undo()
    before = course.edition()
    for package in THIRD_PARTY:
        install(tmp_path, package, "0.0.1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(editions, "_installed", lambda: 1)  # as if never read
    assert course.edition() == before


@pytest.mark.parametrize("package", sampled([*THIRD_PARTY]))
def test_a_package_that_pythonpath_names_changes_the_edition(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that PYTHONPATH names is imported before one that is installed.

    The environment modules of a cluster set PYTHONPATH.
    """
    monkeypatch.undo()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", str(tmp_path / "no"), str(tmp_path)]))
    found = []
    for later, version in enumerate(("0.0.1", "0.0.2", "0.0.1")):
        for old in tmp_path.iterdir():
            shutil.rmtree(old)
        install(tmp_path, package, version)
        os.utime(tmp_path, (later, time.time() + 1e6 + later))
        found.append(course.edition())
    assert found[0] == found[2] != found[1]


def test_a_system_without_folders_of_packages_has_an_edition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr("site.getsitepackages", list)
    monkeypatch.setattr("site.ENABLE_USER_SITE", False)
    assert re.fullmatch("[0-9a-f]{16}", course.edition())


def install(folder: Path, package: str, version: str) -> None:
    """Write the metadata of a package."""
    made = folder / f"{package}-{version}.dist-info"
    made.mkdir()
    (made / "METADATA").write_text(f"Name: {package}\nVersion: {version}\n")


# Stored results


def test_a_stored_result_is_found_again(tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    assert results.get("d") is None
    results.put(a_result("d"))
    assert results.get("d") == Results(tmp_path / "results").get("d") == a_result("d")
    results.put(replace(a_result("d"), edition="new"))
    assert results.get("d") == replace(a_result("d"), edition="new")
    results.put(a_result("other", "needs_staff"))
    assert [path.name for path in results.folder.iterdir()] == ["d.json"]


def test_a_damaged_result_counts_as_absent(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.put(a_result("d"))
    [path] = tmp_path.iterdir()
    whole = path.read_bytes()
    (tmp_path / "e.json").write_bytes(whole)  # the result of another job
    damaged = [whole[:length] for length in range(0, len(whole), 7)]
    damaged += [b"\0" * len(whole), whole.replace(b"2.0", b"3.0", 1), b"[]", b"null", b'{"sum": 1}']
    for data in damaged:
        path.write_bytes(data)
        assert results.get("d") is None, data
    assert results.get("e") is None
    path.write_bytes(whole)
    assert results.get("d") == a_result("d")


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_lies_in_the_place_of_a_result_counts_as_absent(kind: str, tmp_path: Path) -> None:
    put_damaged(tmp_path / "d.json", kind)
    assert Results(tmp_path).get("d") is None


def test_a_result_that_is_nested_too_deeply_counts_as_absent(tmp_path: Path) -> None:
    written = DEEP + "]" * len(DEEP)
    digest = hashlib.sha256(written.encode()).hexdigest()
    (tmp_path / "d.json").write_text(f'{{"sum":"{digest}","result":{written}}}')
    assert Results(tmp_path).get("d") is None


def test_a_failed_write_leaves_the_old_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = Results(tmp_path)
    results.put(a_result("d"))

    def full(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="full"):
        results.put(replace(a_result("d"), edition="new"))
    assert results.get("d") == a_result("d")
    assert [path.name for path in tmp_path.iterdir()] == ["d.json"]


OLD = {  # what an earlier kit has written
    "digest": "d",
    "edition": "e",
    "assignment": BASE,
    "status": "graded",
    "message": "",
    "settings": {"sandbox": "unlocked", "seconds": 2.0, "hints": 1, "budget": 120.0},
    "exercises": [],
    "html": "",
    "text": "",
}
OTHER_FORMATS = {
    "an unknown outcome": ('"outcome": "passed"', '"outcome": "perfect"'),
    "a number as text": ('"max_points": 2.0', '"max_points": "2.0"'),
    "an example": ('"example": null', '"example": {}'),
    "no feedback": ('"feedback": {', '"cells": {'),
}


@pytest.mark.parametrize("what", OTHER_FORMATS)
def test_a_result_in_another_format_counts_as_absent(what: str, tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.put(a_result("d"))
    [path] = tmp_path.iterdir()
    written = json.dumps(json.loads(path.read_bytes())["result"])
    rewrite(path, written)
    assert results.get("d") == a_result("d")
    before, after = OTHER_FORMATS[what]
    assert before in written
    rewrite(path, written.replace(before, after))
    assert results.get("d") is None


@pytest.mark.dear
def test_a_folder_may_hold_results_of_an_earlier_kit(solutions: Texts, tmp_path: Path) -> None:
    asked = job(solutions[BASE])
    results = Results(tmp_path)
    rewrite(tmp_path / f"{asked.digest}.json", json.dumps({**OLD, "digest": asked.digest}))
    assert results.get(asked.digest) is None
    found = grade_all([asked], results, processes=1, locked=False)[asked.digest]
    assert found.grade.points == found.grade.max_points > 0
    assert results.get(asked.digest) == found


def rewrite(path: Path, written: str) -> None:
    """Write a result's file whose checksum is right."""
    checksum = hashlib.sha256(written.encode()).hexdigest()
    path.write_text(f'{{"sum": "{checksum}", "result": {written}}}')


# The same grades


def mixed(solutions: Texts) -> dict[str, Job]:
    """Return right, wrong, hostile and unreadable submissions."""
    right = solutions[BASE]
    wrong = right.replace(*WRONG_SCALE)
    nb = notebook(wrong, BASE)
    import nbformat

    as_notebook = nbformat.writes(nb).encode()
    built = {f"{BUILT}.py": solutions[BUILT].encode()}
    return {
        "right": job(right),
        "wrong": job(wrong),
        "notebook": job(as_notebook, name=f"{BASE}.ipynb"),
        "skeleton": job(skeleton(BASE)),
        "built": Job("zacharias", BUILT, {**built, f"{BASE}.py": right.encode()}),
        "built alone": Job("zacharias", BUILT, built),
        "leaves": job(f"{right}\nimport os\nos._exit(0)\n"),
        "endless": job(right.replace("return weights @ V", "while True: pass")),
        "crashes": job(f"import ctypes\n{right}\nctypes.string_at(0)\n"),
        "stops": job(right.replace("class AttentionHead", "1 / 0\nclass AttentionHead")),
        "interrupts": job(f"{right}\nimport signal\nsignal.raise_signal(signal.SIGINT)\n"),
        "prints": job(f"{right}\nprint('\\x1b[2J<script>', 'x' * 10**6)\n"),
        "bytes": job(b"\xff\xfe\0\xd8"),
        "damaged": job(as_notebook[:200], name=f"{BASE}.ipynb"),
        "large": job(b"#" * 200_001),
        "both": Job(
            "zacharias", BASE, {f"{BASE}.py": right.encode(), f"{BASE}.ipynb": as_notebook}
        ),
        "nothing": Job("zacharias", BASE, {f"{BUILT}.py": b""}),
    }


def assert_same(result: Result, grade: Grade, name: str) -> None:
    unnamed = [replace(exercise, example=None) for exercise in grade.exercises]
    expected = replace(grade, submission="", path="", exercises=tuple(unnamed))
    assert result.grade == expected, name
    report = "\n".join(Terminal().report([grade])) + "\n"
    assert not report.startswith("\n")
    assert [*result.feedback] == [exercise.name for exercise in grade.exercises]
    for feedback in result.feedback.values():
        if grade.status == "graded":
            assert f"{feedback.text}\n" in TO_TYPE.sub("", report), (name, feedback.text, report)
        assert all(len(line) <= 80 for line in feedback.text.splitlines())


@pytest.mark.dear
def test_a_class_in_parallel_has_the_grades_of_make_grade(
    solutions: Texts, checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = mixed(solutions)
    link = Job("zacharias", BASE, {}, "The file is a link.")
    results = Results(tmp_path / "results")
    found = grade_all([*asked.values(), link], results, processes=3, seconds=2.0)
    assert list(found) == [job.digest for job in (*asked.values(), link)]
    assert found.pop(link.digest).grade.message == "The file is a link."
    assert "zacharias" not in repr(found)  # another student may have handed in equal files
    assert len(list(results.folder.iterdir())) == len(asked) + 1
    with open_sandbox(Limits(seconds=2.0), locked=True) as sandbox:
        grader = Grader(checks, sandbox, frozenset(), diagnosing=namer)
        for name, one in asked.items():
            folder = tmp_path / name / one.assignment
            folder.mkdir(parents=True)
            for file, data in one.files.items():
                (folder / file).write_bytes(data)
            monkeypatch.chdir(folder.parent)
            submissions = {s.assignment: s for s in find(Path(one.assignment), one.assignment)}
            submission = submissions[one.assignment]
            assert_same(found[one.digest], grader.grade(submission), name)
    statuses = {name: found[one.digest].grade.status for name, one in asked.items()}
    unreadable = {"leaves", "crashes", "bytes", "damaged", "large", "nothing"}
    assert {name for name, status in statuses.items() if status != "graded"} == unreadable
    assert "may have 200 kB" in found[asked["large"].digest].grade.message


# Order and progress


@pytest.mark.dear
def test_progress_is_reported_and_nothing_is_graded_twice(solutions: Texts, tmp_path: Path) -> None:
    calls: Calls = []
    results = Results(tmp_path)

    def graded(jobs: list[Job], hints: int = 1) -> dict[str, Result]:
        calls.clear()
        options = {"locked": False, "processes": 1, "hints": hints}
        return grade_all(jobs, results, lambda *call: calls.append(call), **options)  # type: ignore[arg-type]

    wrong = solutions[BASE].replace(*WRONG_SCALE)
    interrupted = job(f"{wrong}\nimport signal\nsignal.raise_signal(signal.SIGINT)\n")
    asked = [*(job(f"{wrong}# {i}") for i in range(3)), interrupted]
    twins = [replace(one, student="ben") for one in asked]
    found = graded([*asked, *twins])
    assert [call[:2] for call in calls] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert all(left is not None and left > 0 for *_, left in calls[:3])
    assert calls[-1][2] == 0
    assert len(found) == 4
    # Signals reach a student's code as in any other process.
    assert "It raises KeyboardInterrupt" in found[interrupted.digest].grade.message

    assert graded(asked) == found  # no process is started
    assert calls == [(4, 4, 0.0)]

    few, other = (found[one.digest] for one in asked[:2])
    results.put(replace(other, settings=replace(other.settings, hints=2)))
    more = graded(asked[:2], hints=2)[asked[0].digest]
    assert calls == [(1, 2, None), (2, 2, 0.0)]
    assert more.settings != few.settings
    assert "Think:" in more.feedback["ScaledDotProduct"].text
    assert "Think:" not in few.feedback["ScaledDotProduct"].text


def test_nothing_to_do_needs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise AssertionError("a pool was made")

    monkeypatch.setattr("autograder.classroom.grading_jobs.Pool", none)
    results = Results(tmp_path)
    done = job("x = 1")
    results.put(replace(a_result(done.digest), settings=GradingSettings(True, 10.0, 1)))
    assert grade_all([done], results)[done.digest].grade.points == 2.5
    assert grade_all([], results) == {}
    with pytest.raises(AssertionError):
        grade_all([done], results, locked=False)


def test_jobs_are_taken_one_ahead_of_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Test that the files of a class, which may be large, are not in memory at once."""
    taken: list[str] = []
    jobs = [job(f"x = {i}") for i in range(9)]

    class Counting(Worker):
        def submit(self, call: Any, *given: Any) -> Future[Any]:
            assert call is worker.start or len(taken) <= jobs.index(given[0]) + 1
            return super().submit(call, *given)

    def coming() -> Iterator[Job]:
        for one in jobs:
            taken.append(one.digest)
            yield one

    monkeypatch.setattr(Pool, "_worker", lambda *_: Counting(deque(), deque()))
    digests = [one.digest for one in jobs]
    results = Results(tmp_path)
    assert [*grade_all(coming(), results, processes=1, digests=digests)] == digests == taken
    taken.clear()
    assert [*grade_all(coming(), results, digests=digests)] == digests == taken


def test_all_jobs_are_read_though_all_have_a_result(tmp_path: Path) -> None:
    """Whoever sends them may do more with each, as autograde does."""
    results, jobs = Results(tmp_path), [job(f"x = {i}") for i in range(3)]
    for one in jobs:
        results.put(replace(a_result(one.digest), settings=GradingSettings(True, 10.0, 1)))
    coming = iter(jobs)
    assert [*grade_all(coming, results, digests=[one.digest for one in jobs])]
    assert not [*coming]


@pytest.mark.parametrize(("count", "size"), [(1, 1), (8, 3), (4, 4), (2, 5)])
def test_each_process_has_cores_of_its_own(count: int, size: int) -> None:
    cores = range(10, 10 + count)
    found = shares(cores, size)
    assert len(found) == size
    assert all(found)
    assert frozenset().union(*found) == set(cores)
    if size <= count:
        assert sum(map(len, found)) == count


@pytest.mark.dear
def test_one_more_process_helps_where_jobs_take_long(
    solutions: Texts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.1)
    cores = [*pool._cores(), *pool._cores()]
    monkeypatch.setattr(pool, "_cores", lambda: cores)
    endless, short = job("while True: pass"), job(solutions[BASE])

    def stop(*_: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        grade_all([endless, short], Results(tmp_path), stop, locked=False, seconds=60.0)
    assert Results(tmp_path).get(short.digest)


# Processes that die


def kill_workers(monkeypatch: pytest.MonkeyPatch, call: Callable[..., object], count: int) -> None:
    """Kill the worker processes that get the first `count` calls of this function."""
    submit = Pool._submit
    left = [*range(count)]

    def killing(self: Pool[Any, Any], number: int, called: Any, *args: Any) -> Future[Any]:
        future = submit(self, number, called, *args)
        if called is call and left:
            left.pop()
            for process in self.workers[number]._processes.values():
                process.kill()
        return future

    monkeypatch.setattr(Pool, "_submit", killing)


@pytest.mark.dear
@pytest.mark.parametrize(
    ("deaths", "status"), [pytest.param(1, "graded", marks=pytest.mark.dear), (2, "needs_staff")]
)
def test_a_process_that_dies_is_replaced(
    deaths: int, status: str, solutions: Texts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [job(f"{solutions[BASE]}# {i}") for i in range(3)]
    kill_workers(monkeypatch, worker.do, deaths)
    found = grade_all(asked, Results(tmp_path), processes=1, locked=False)
    assert [found[one.digest].grade.status for one in asked] == [status, "graded", "graded"]
    if status == "needs_staff":
        result = found[asked[0].digest]
        assert "The process that graded it died twice." in result.grade.message
        assert result.grade.message in result.note.text.replace("\n", " ")
        assert Results(tmp_path).get(result.digest) is None
    assert not multiprocessing.active_children()


@pytest.mark.dear
@pytest.mark.parametrize("processes", [1, 2])
def test_one_that_dies_while_it_starts_costs_no_job_anything(
    processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_workers(monkeypatch, worker.start, 1)
    asked = [Job("anna", BASE, {}, f"refused {i}") for i in range(3)]
    found = grade_all(asked, Results(tmp_path), processes=processes, locked=False)
    assert [found[one.digest].grade.status for one in asked] == ["unreadable"] * 3
    assert not multiprocessing.active_children()


def test_a_process_without_a_thread_of_its_own_here_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on processes may be reached when the process has started, but not the thread."""

    def refused(_: object) -> None:
        raise NO_THREAD

    manager = "concurrent.futures.process._ExecutorManagerThread.start"
    monkeypatch.setattr(manager, refused)
    with pytest.raises(SandboxFailed, match="can't start new thread"):
        grade_all([job("x = 1")], Results(tmp_path), processes=1, locked=False)
    assert soon(lambda: not multiprocessing.active_children())


IDLE = "dies while it has no job"
DEAD, NO_SANDBOX = BrokenProcessPool("it died"), SandboxFailed("it did not start")
NO_PROCESS = OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
NO_THREAD = RuntimeError("can't start new thread")
NO_STARTS = [NO_SANDBOX, NO_PROCESS, NO_THREAD, DEAD]
Ends = Sequence[BaseException | str]
ENDS: dict[str, tuple[Ends, Ends, list[str]]] = {  # of starts and of jobs
    "idle": ([], [IDLE, ""], ["graded"] * 3),
    "idle between jobs": ([], ["", IDLE, ""], ["graded"] * 3),
    "idle twice": ([], ["", IDLE, IDLE, ""], ["graded"] * 3),
    "idle, then busy": ([], ["", IDLE, DEAD, ""], ["graded"] * 3),
    "busy twice": ([], ["", DEAD, DEAD, ""], ["graded", "needs_staff", "graded"]),
    "no sandbox": ([NO_SANDBOX], [], ["graded"] * 3),
    "no process": ([NO_PROCESS], [], ["graded"] * 3),
    "no thread": ([NO_THREAD], [], ["graded"] * 3),
    "dead before it starts": ([DEAD], [], ["graded"] * 3),
    "no sandbox, then busy": ([NO_SANDBOX], [DEAD, ""], ["graded"] * 3),
    "busy, then no sandbox": (["", NO_SANDBOX], ["", DEAD, ""], ["graded"] * 3),
}


class Worker:
    """A worker that ends its starts and its jobs in these ways, one after the other."""

    def __init__(self, starts: deque[BaseException | str], jobs: deque[BaseException | str]):
        self.starts, self.jobs = starts, jobs

    def submit(self, call: Any, *given: Any) -> Future[Any]:
        ends = self.starts if call is worker.start else self.jobs
        end = ends.popleft() if ends else ""
        if end == IDLE:
            raise DEAD
        if isinstance(end, OSError) or end is NO_THREAD:
            raise end
        future: Future[Any] = Future()
        if isinstance(end, BaseException):
            future.set_exception(end)
        elif call is worker.start:
            future.set_result(None)
        else:
            one, work = given
            result = replace(a_result(one.digest), settings=work.settings)
            future.set_result((result, 0.0))
        return future

    def shutdown(self, **_: object) -> None:
        pass


def let_workers_end(monkeypatch: pytest.MonkeyPatch, starts: Ends, jobs: Ends = ()) -> None:
    """Put workers into the pool whose starts and jobs end in these ways, and then well."""
    one = Worker(deque(starts), deque(jobs))
    monkeypatch.setattr(Pool, "_worker", lambda *_: one)


@pytest.mark.parametrize("name", ENDS)
def test_whatever_ends_a_process_costs_no_other_job_its_grade(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts, ends, statuses = ENDS[name]
    let_workers_end(monkeypatch, starts, ends)
    asked = [job(f"x = {i}") for i in range(3)]
    found = grade_all(asked, Results(tmp_path), processes=1, locked=False)
    assert [found[one.digest].grade.status for one in asked] == statuses
    for one in asked:
        grade = found[one.digest].grade
        assert (Results(tmp_path).get(one.digest) is None) is (grade.status == "needs_staff")
        assert ("died twice" in grade.message) is (grade.points == 0)


@pytest.mark.parametrize("failure", NO_STARTS)
def test_a_machine_on_which_no_process_can_grade_is_reported(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is raised once for all students, not once for each."""
    for processes in (1, 2):
        let_workers_end(monkeypatch, [failure] * 9)
        with pytest.raises(SandboxFailed, match=r"did not start|no process can|died before"):
            asked = [job("x = 1"), job("x = 2")]
            grade_all(asked, Results(tmp_path), processes=processes, locked=False)


def test_results_are_kept_when_no_process_can_grade_any_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_workers_end(monkeypatch, ["", NO_PROCESS, NO_PROCESS], ["", DEAD])
    asked = [job(f"x = {i}") for i in range(3)]
    with pytest.raises(SandboxFailed, match="no process can"):
        grade_all(asked, Results(tmp_path), processes=1, locked=False)
    assert [bool(Results(tmp_path).get(one.digest)) for one in asked] == [True, False, False]


@pytest.mark.parametrize("failure", NO_STARTS)
@pytest.mark.parametrize("bad", [0, 1])
@pytest.mark.parametrize("first", ["the bad one", "the good one", "both start"])
def test_a_worker_that_cannot_start_takes_no_jobs_from_the_others(
    first: str, bad: int, failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No worker is started in place of one that cannot start, since it would fail too.

    The bad worker fails before the good one has started, after the good one's first job, or
    when the bad one has to start again.
    """
    failing: Future[None] = Future()
    counts = {"jobs of the good one": 0, "starts of the bad one": 0}

    class Good(Worker):
        def submit(self, call: Any, *given: Any) -> Future[Any]:
            future = super().submit(call, *given)
            if call is worker.do:
                counts["jobs of the good one"] += 1
                if counts["jobs of the good one"] == 2 and not failing.done():
                    failing.set_exception(NO_SANDBOX)
            elif first == "the bad one":
                later: Future[Any] = Future()
                threading.Timer(0.05, later.set_result, [None]).start()
                return later
            return future

    class Bad(Worker):
        def submit(self, call: Any, *given: Any) -> Future[Any]:
            counts["starts of the bad one"] += call is worker.start
            if first == "the good one" and failure is NO_SANDBOX:
                return failing
            return super().submit(call, *given)

    again = first == "both start"
    workers = {
        bad: Bad(deque([""] * again + [failure] * 9), deque([DEAD])),
        1 - bad: Good(deque(), deque()),
    }
    monkeypatch.setattr(pool, "PATIENCE", 0.01)  # as if late
    monkeypatch.setattr(Pool, "_worker", lambda _, number: workers[number])
    asked = [job(f"x = {i}") for i in range(12)]
    found = grade_all(asked, Results(tmp_path), processes=2, locked=False)
    assert [found[one.digest].grade.status for one in asked] == ["graded"] * 12
    assert counts == {"jobs of the good one": 12, "starts of the bad one": 1 + again}


@pytest.mark.parametrize("failure", [NO_PROCESS, NO_THREAD, MemoryError()])
def test_a_process_that_the_machine_refuses_has_failed(
    failure: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> Sandbox:
        raise failure

    monkeypatch.setattr(worker, "open_sandbox", refused)
    reason = getattr(failure, "strerror", None) or str(failure) or "no memory"
    with pytest.raises(SandboxFailed, match=re.escape(reason)):
        worker.start(GradeJobs(GradingSettings(False, 1.0, 1, 7.0)))


@pytest.mark.dear
def test_a_process_that_dies_while_it_waits_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next job comes late, as from a slow disk."""
    pools: list[Pool[Any, Any]] = []
    futures: list[Future[Any]] = []
    submit = Pool._submit

    def spied(self: Pool[Any, Any], number: int, call: Any, *given: Any) -> Future[Any]:
        future = submit(self, number, call, *given)
        if call is worker.do:
            pools.append(self)
            futures.append(future)
        return future

    def coming() -> Iterator[Job]:
        yield asked[0]
        futures[0].result()
        [process] = multiprocessing.active_children()
        process.kill()
        assert soon(lambda: bool(pools[0].workers[0]._broken))
        yield from asked[1:]

    monkeypatch.setattr(Pool, "_submit", spied)
    asked = [Job("anna", BASE, {}, f"refused {i}") for i in range(3)]
    digests = [one.digest for one in asked]
    found = grade_all(coming(), Results(tmp_path), processes=1, locked=False, digests=digests)
    assert [found[digest].grade.status for digest in digests] == ["unreadable"] * 3
    assert not multiprocessing.active_children()


def test_a_missing_lock_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotLock, match=r"bubblewrap is not installed .* apt install bubblewrap"):
        grade_all([job("x = 1"), job("x = 2")], Results(tmp_path / "results"), processes=2)
    assert not multiprocessing.active_children()


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.mark.dear
@linux
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    for kept in (0, random.randrange(1, 8), random.randrange(9, 20)):
        before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.json")}
        run = started(tmp_path)
        try:
            if kept:
                said(run, f"{kept} 24")
            time.sleep(random.random() if kept == 0 else random.random() / 10)
            relatives = family(run.pid)
        finally:
            os.kill(run.pid, signal.SIGKILL)
            run.communicate()
        assert soon(lambda relatives=relatives: not any(map(alive, relatives)))  # type: ignore[misc]
        paths = list(tmp_path.glob("*.json"))
        assert len(paths) >= kept
        assert all(Results(tmp_path).get(path.stem) for path in paths)
        assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    there = len(list(tmp_path.glob("*.json")))
    out, errors = started(tmp_path).communicate()
    assert out == "".join(f"{count} 24\n" for count in range(there, 25)), errors
    assert errors == ""


@pytest.mark.dear
@linux
@pytest.mark.parametrize(
    ("how", "lock"),
    [(signal.SIGINT, "locked"), (signal.SIGTERM, "unlocked"), (signal.SIGKILL, "locked")],
)
def test_nothing_stays_behind(how: signal.Signals, lock: str, tmp_path: Path) -> None:
    """Two submissions run in endless loops when the signal comes. Ctrl-C reaches all processes."""
    run = started(tmp_path, "\nwhile True: pass", lock)
    sandboxes = 4 if lock == "unlocked" else 8  # warm and child, and around them bubblewrap's two
    try:
        assert soon(lambda: len(family(run.pid)) >= 3 + sandboxes)
        time.sleep(0.5)
        relatives = family(run.pid)
        os.killpg(run.pid, how) if how == signal.SIGINT else os.kill(run.pid, how)
        _, errors = run.communicate(timeout=20)
    finally:
        run.kill()
    assert soon(lambda: not any(map(alive, relatives)), 5.0)
    if how == signal.SIGINT:
        assert_one_traceback(errors)


@pytest.mark.dear
@linux
@pytest.mark.parametrize("sooner", sampled([0.0, 0.1, 1.0]))
def test_ctrl_c_while_processes_start(sooner: float, tmp_path: Path) -> None:
    run = started(tmp_path)
    try:
        assert soon(lambda: len(family(run.pid)) >= 2)  # the resource tracker and a worker
        time.sleep(sooner)
        relatives = family(run.pid)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=20)
    finally:
        run.kill()
    assert soon(lambda: not any(map(alive, relatives)))
    assert_one_traceback(errors)


def assert_one_traceback(errors: str) -> None:
    """Check that only the main process prints a traceback."""
    assert errors.count("Traceback") == errors.count("KeyboardInterrupt") == 1, errors


@pytest.mark.dear
def test_a_job_of_another_edition_is_not_graded(tmp_path: Path) -> None:
    """Its grade comes from other checks or another secret, and would be stored under its digest."""
    jobs = [Job("anna", BASE, {}, "nothing", edition="0" * 16), Job("ben", BASE, {}, "nothing")]
    found = grade_all(jobs, Results(tmp_path), processes=1, locked=False)
    anna, ben = (found[job.digest] for job in jobs)
    assert anna.grade.status == "needs_staff"
    assert "the job has another one" in anna.grade.message
    assert ben.grade.status == "unreadable"


def test_threads_of_a_process_make_one_grader(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread would find the course's checks half imported, and grade with those."""
    made: list[object] = []

    def opened(settings: GraderSettings) -> object:
        time.sleep(0.1)  # as long as importing takes, at least
        made.append(settings)
        return object()

    monkeypatch.setattr(worker, "_opened", opened)
    monkeypatch.setattr(worker, "_graders", {})
    settings = GraderSettings(True, 1.0, 2.0)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(worker.grader(settings))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [settings]
    assert len({id(one) for one in found}) == 1
