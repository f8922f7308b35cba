"""A class is graded on all cores, in its order, and what is done is kept whatever happens then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conftest import Command, contents

from autograder.classroom import worker
from autograder.classroom.people import GradePeople, Kept, Person, PersonResults, grade_people
from autograder.classroom.pool import Pool
from autograder.classroom.worker import GraderSettings
from autograder.course import root
from autograder.course.skeletons import made_from
from autograder.grading.grade import Grade
from autograder.report.codes import INTERRUPTED
from autograder.report.comments import Comments
from autograder.report.rendered import Forms, Rendered
from autograder.sandbox import CannotLock
from autograder.submissions.submission import Submission

BASE = "attention_layer"
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")
EDITION = "e" * 16
Class = list[list[Submission]]


def a_class(count: int = 4) -> Class:
    """Return a class of people, each with one submission."""
    return [
        [Submission(f"s{i}", Path(f"s{i}.py"), BASE, {BASE: f"x = {i}"}, origin=Path(f"s{i}.py"))]
        for i in range(count)
    ]


class Pretending(GradePeople):
    """Work that grades nothing. It is done in this process, and noted in `done`."""

    done: ClassVar[list[int]]
    ends: ClassVar[
        dict[int, list[BaseException]]
    ]  # of the jobs with these numbers, before they succeed

    def start(self) -> None:
        pass

    def do(self, job: Person) -> PersonResults:
        self.done.append(job.number)
        grades = [Grade(s.name, str(s.path), BASE, "graded") for s in job.submissions]
        return PersonResults(job.number, [self.forms.of(grade) for grade in grades])


class Here:
    """A worker that does its jobs in this process."""

    def submit(self, call: Any, *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if call is worker.do and (ends := given[1].ends.get(given[0].number)):
                raise ends.pop()
            future.set_result(call(*given))
        except BaseException as error:
            future.set_exception(error)
        return future

    def shutdown(self, **_: object) -> None:
        pass


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Pretending:
    monkeypatch.setattr(Pool, "_worker", lambda *_: Here())
    monkeypatch.setattr(Pretending, "done", [], raising=False)
    monkeypatch.setattr(Pretending, "ends", {}, raising=False)
    return Pretending(EDITION, GraderSettings(True, 10.0, 120.0), Forms(True, False, 1))


def kept(folder: Path, edition: str = EDITION, anew: bool = False) -> Kept:
    def complain(said: str) -> None:
        raise AssertionError(said)

    return Kept(folder, edition, complain, anew)


def grading(people: Class, work: GradePeople, kept: Kept, *done: Any) -> Iterator[Rendered]:
    numbered: dict[int, Sequence[Submission]] = dict(enumerate(people))
    return grade_people(numbered, work, kept, lambda count: Pool(work, count), *done)


def graded(people: Class, work: GradePeople, kept: Kept) -> list[Rendered]:
    return [*grading(people, work, kept)]


def test_nobody_is_graded_twice(work: Pretending, tmp_path: Path) -> None:
    people = a_class()
    found = graded(people, work, kept(tmp_path))
    assert [one.grade.submission for one in found] == ["s0", "s1", "s2", "s3"]
    assert work.done == [0, 1, 2, 3]
    assert graded(people, work, kept(tmp_path)) == found
    assert work.done == [0, 1, 2, 3]
    people[2] = [replace(people[2][0], texts={BASE: "x = 5"})]
    assert [one.grade for one in graded(people, work, kept(tmp_path))] == [
        one.grade for one in found
    ]
    assert work.done == [0, 1, 2, 3, 2]
    graded(people, work, kept(tmp_path, anew=True))
    assert work.done[5:] == [0, 1, 2, 3]


def test_nothing_to_do_needs_no_process(
    work: Pretending, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graded(a_class(), work, kept(tmp_path))

    def none(*_: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(Pool, "_worker", none)
    assert len(graded(a_class(), work, kept(tmp_path))) == 4
    with pytest.raises(AssertionError):
        graded(a_class(5), work, kept(tmp_path))


OTHERWISE: list[dict[str, Any]] = [
    {"edition": "f" * 16},
    {"settings": GraderSettings(False, 10.0, 120.0)},
    {"settings": GraderSettings(True, 9.0, 120.0)},
    {"settings": GraderSettings(True, 10.0, 119.0)},
    {"settings": GraderSettings(True, 10.0, 120.0, ("TestModule",))},
    {"settings": GraderSettings(True, 10.0, 120.0, locates=True)},
    {"forms": Forms(False, False, 1)},
    {"forms": Forms(True, True, 1)},
    {"forms": Forms(True, False, 2)},
    {"forms": Forms(True, False, 1, Comments({"TestModule": {"group": "text"}}))},
]


@pytest.mark.parametrize("other", OTHERWISE)
def test_whatever_changes_a_result_is_in_its_digest(
    other: dict[str, Any], work: Pretending
) -> None:
    assert len(OTHERWISE) == 1 + len(vars(work.settings)) + len(vars(work.forms))
    [one], [another] = a_class(2)
    assert work.digest([one]) != replace(work, **other).digest([one])
    assert work.digest([one]) != work.digest([another])


def test_results_of_another_edition_are_deleted(work: Pretending, tmp_path: Path) -> None:
    graded(a_class(), work, kept(tmp_path))
    assert len(contents(tmp_path / EDITION)) == 4
    kept(tmp_path, EDITION)
    assert len(contents(tmp_path / EDITION)) == 4
    kept(tmp_path, "f" * 16)
    assert not contents(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="has no such permissions")
def test_only_the_user_can_list_what_is_kept(work: Pretending, tmp_path: Path) -> None:
    graded(a_class(1), work, kept(tmp_path / "kept"))
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


def test_a_damaged_result_is_made_again(work: Pretending, tmp_path: Path) -> None:
    found = graded(a_class(2), work, kept(tmp_path))
    for path in sorted((tmp_path / EDITION).iterdir()):
        path.write_bytes(path.read_bytes()[:-20])
    assert graded(a_class(2), work, kept(tmp_path)) == found
    assert work.done == [0, 1, 0, 1]


def test_a_result_that_somebody_removes_meanwhile_needs_staff(
    work: Pretending, tmp_path: Path
) -> None:
    graded(a_class(3), work, kept(tmp_path))
    found = []
    for one in grading(a_class(3), work, kept(tmp_path)):
        found.append(one.grade.status)
        for path in (tmp_path / EDITION).iterdir():
            path.unlink()
    assert found == ["graded", "needs_staff", "needs_staff"]


def test_results_that_cannot_be_kept_are_told_once(work: Pretending, tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "file").touch()
    closed = Kept(tmp_path / "file", EDITION, said.append)
    assert len(graded(a_class(), work, closed)) == 4
    assert len(said) == 1
    assert said[0].startswith(f"Results cannot be kept ({tmp_path / 'file' / EDITION}: ")


def test_a_process_that_dies_costs_no_other_person_anything(
    work: Pretending, tmp_path: Path
) -> None:
    dead = BrokenProcessPool("it died")
    work.ends.update({1: [dead], 2: [dead, dead]})
    found = [one.grade for one in graded(a_class(), work, kept(tmp_path))]
    assert [one.status for one in found] == ["graded", "graded", "needs_staff", "graded"]
    assert "The process that graded it died twice. Your code is not at fault" in found[2].message
    assert [one.status for one in (one.grade for one in graded(a_class(), work, kept(tmp_path)))]
    assert work.done == [0, 1, 3, 2]  # what needs staff is graded again


def test_results_come_in_the_order_of_the_class_and_are_told_as_they_are_made(
    work: Pretending, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def backwards(_: object, jobs: Sequence[Person]) -> Iterator[PersonResults]:
        yield from map(work.do, reversed(list(jobs)))

    monkeypatch.setattr(Pool, "results", backwards)
    people, told = a_class(), []

    def done(results: Sequence[Rendered], left: float | None) -> None:
        told.append((results[0].grade.submission, left is not None))

    graded(people[2:3], replace(work), kept(tmp_path))
    found = [*grading(people, work, kept(tmp_path), done)]
    assert [one.grade.submission for one in found] == ["s0", "s1", "s2", "s3"]
    assert work.done == [0, 3, 1, 0]
    assert told == [("s3", True), ("s1", True), ("s0", True), ("s2", False)]


def test_a_machine_that_cannot_lock_says_so_before_any_result(
    work: Pretending, tmp_path: Path
) -> None:
    graded(a_class(3), work, kept(tmp_path))
    work.ends[3] = [CannotLock("It cannot.")]
    results = grading(a_class(), work, kept(tmp_path))
    with pytest.raises(CannotLock):
        next(results)


# The command


def write_class(folder: Path, solutions: dict[str, str]) -> Path:
    """Write a class of which nobody's work is like another's."""
    wrong = solutions[BASE].replace(*WRONG_SCALE)
    texts = {
        "anna.py": solutions[BASE],
        "ben.py": wrong,
        "carl.py": made_from(solutions[BASE]),
        "dora.py": "x = = 1",
        "eve/attention_layer.py": f"from running_averages import running_mean_loop\n{wrong}",
        "eve/running_averages.py": solutions["running_averages"],
        "finn.ipynb": "{",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


FORMS = ["--assignment", BASE, "--hints", "2"]


@pytest.mark.dear
@pytest.mark.parametrize("form", [["--json"], [], ["--exercise", "ScaledDotProduct", "--strict"]])
def test_many_processes_write_what_one_writes(
    form: list[str], command: Command, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    """The command grades in one process if it is given a sandbox, as in these tests."""
    place = write_class(tmp_path / "class", solutions)
    runs = []
    for run, name in ((command, "one"), (process, "many"), (process, "again")):
        outputs = ["--html", tmp_path / name, "--csv", tmp_path / f"{name}.csv"]
        runs.append(run("grade", place, *FORMS, *form, *outputs, "--unlocked"))
    one, many, again = runs
    assert one.returncode == many.returncode == again.returncode
    assert one.stdout == many.stdout == again.stdout
    assert "24/30" in one.stdout or "--json" in form or "--strict" in form
    for name in ("many", "again"):
        assert (tmp_path / f"{name}.csv").read_text() == (tmp_path / "one.csv").read_text()
        assert contents(tmp_path / name) == contents(tmp_path / "one")
    assert len(contents(tmp_path / "one")) >= 5


@pytest.mark.dear
def test_a_wish_that_no_submission_meets_is_told(
    process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    place = write_class(tmp_path, solutions)
    run = process("grade", place, "--assignment", BASE, "--exercise", "MultiHeadList")
    assert (run.returncode, run.stdout) == (4, "")
    assert "There is no submission of multi_head, which would have MultiHeadList." in run.stderr


@pytest.mark.parametrize("count", ["0", "-1", "two", "1001", "\N{SUPERSCRIPT TWO}"])
def test_a_number_of_processes_that_is_none(count: str, command: Command, tmp_path: Path) -> None:
    run = command("grade", tmp_path, f"--jobs={count}")
    assert run.returncode == 4
    assert f"{count!r} is no number from 1 to 1000" in run.stderr


def test_processes_here_and_on_a_cluster_are_refused(command: Command, tmp_path: Path) -> None:
    run = command("grade", tmp_path, "--jobs=2", "--scheduler=tcp://127.0.0.1:9")
    assert (run.returncode, run.stdout) == (4, "")
    assert "--jobs is for this machine" in run.stderr


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


def started(output: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", *map(str, arguments)],
        cwd=root(),
        stdout=output.open("w"),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_for(run: subprocess.Popen[str], beginning: str) -> None:
    assert run.stderr is not None
    assert any(line.startswith(beginning) for line in run.stderr), beginning


@pytest.mark.dear
@linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on_where_it_was(
    how: signal.Signals, process: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    place = tmp_path / "class"
    place.mkdir()
    for number in range(20):
        (place / f"s{number:02}.py").write_text(f"{solutions[BASE]}\n# {number}\n")
    options: list[str | Path] = [place, "--assignment", BASE, "--json", "--jobs", "2"]
    for until in (2, 8):
        run = started(tmp_path / "stopped.json", *options)
        wait_for(run, f"graded {until}/20")
        os.killpg(run.pid, how)
        _, err = run.communicate(timeout=60)
        if how == signal.SIGINT:
            assert run.returncode == INTERRUPTED
            assert json.loads((tmp_path / "stopped.json").read_text())["complete"] is False
            assert " of 20 were graded" in err
            assert "Traceback" not in err
    last = process("grade", *options)
    assert last.stdout == process("grade", *options, "--anew").stdout
    assert json.loads(last.stdout)["complete"] is True
