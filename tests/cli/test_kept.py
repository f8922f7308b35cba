"""A grader that is killed or fails keeps all results and leaves nothing half-written."""

from __future__ import annotations

import csv
import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, contents, sampled

from autograder.classroom.people import Person, PersonResults
from autograder.classroom.pool import Pool
from autograder.cli.main import main
from autograder.course import root
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.report.codes import FAILED
from autograder.submissions.finding import Submission
from autograder.submissions.reports import TABLE

NAME = "running_averages"
WAITS = "import time\nwhile True:\n    time.sleep(0.1)\n"
HOW = [getattr(signal, f"SIG{name}", name) for name in ("KILL", "INT", "TERM", "HUP")]
OLD = f"{TABLE}\nolga,{NAME},graded,locked,1,12\n"


def put(folder: Path, **texts: str) -> Path:
    """Write the folder of a class with a module for each student."""
    folder.mkdir()
    for student, text in texts.items():
        (folder / f"{student}.py").write_text(text, encoding="utf-8")
    return folder


def rows(path: Path) -> list[str]:
    with path.open(newline="", encoding="utf-8") as file:
        return [row["id"] for row in csv.DictReader(file)]


@pytest.mark.dear
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("how", HOW, ids=str)
def test_who_was_graded_before_it_was_killed_is_kept(
    how: signal.Signals, tmp_path: Path, solutions: dict[str, str]
) -> None:
    right = solutions[NAME]
    cls = put(tmp_path / "class", anna=right, ben=right, zoe=WAITS)
    table, pages, printed = (tmp_path / name for name in ("grades.csv", "pages", "printed.json"))
    table.write_text(OLD, encoding="utf-8")
    asked = ["--assignment", NAME, "--unlocked", "--csv", table, "--html", pages, "--json"]
    command = [sys.executable, "-m", "autograder", "grade", cls, *asked, "--seconds", "100"]
    partial = tmp_path / "grades.csv.part"
    with printed.open("w") as stdout:
        run = subprocess.Popen(
            [*map(str, command)], cwd=root(), stdout=stdout, stderr=-1, text=True
        )
        while not (partial.exists() and len(rows(partial)) == 2):
            assert run.poll() is None, "it ended before it was killed"
            time.sleep(0.05)
        time.sleep(0.5)  # the document is printed after that
        run.send_signal(how)
        said = run.communicate()[1]
    assert rows(partial) == ["anna", "ben"]
    assert sorted(path.name for path in pages.iterdir()) == ["anna.html", "ben.html"]
    assert all("</html>" in page.read_text(encoding="utf-8") for page in pages.iterdir())
    assert table.read_text(encoding="utf-8") == OLD
    text = printed.read_text(encoding="utf-8")
    if how is signal.SIGKILL:
        with pytest.raises(ValueError):
            json.loads(text)  # so that nobody takes it for a complete document
        text += '], "complete": false}'
    else:
        assert f"interrupted: 2 of 3 were graded; see {pages} and {partial}" in said
        assert run.returncode == 2
    found = json.loads(text)
    assert [one["submission"] for one in found["submissions"]] == ["anna", "ben"]
    assert found["complete"] is False
    assert {path.name for path in tmp_path.iterdir()} == {
        "class", "grades.csv", "grades.csv.part", "pages", "printed.json",
    }  # fmt: skip


INTERRUPT = """
import importlib.abc, os, pathlib, runpy, signal, sys, time
class Interrupting(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            if sys.platform == "linux":
                started = pathlib.Path("/proc/thread-self/children").read_text()
                pathlib.Path({children!r}).write_text(started)
            signal.raise_signal(signal.{how})
            time.sleep({lasts})
sys.meta_path.insert(0, Interrupting())
sys.argv = ["autograder", *sys.argv[1:]]
runpy.run_module("autograder", run_name="__main__", alter_sys=True)
"""
MOMENTS = ["autograder.cli.main", "autograder.submissions.finding", "torch._tensor"]


@pytest.mark.dear
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("how", sampled(["SIGINT", "SIGTERM", "SIGHUP"]))
@pytest.mark.parametrize("module", MOMENTS)
def test_whenever_it_is_interrupted_the_document_is_whole(
    module: str, how: str, tmp_path: Path
) -> None:
    """The moment is the import of a module; that of torch is waited for nowhere."""
    lasts, children = 200 if module.startswith("torch") else 0, tmp_path / "children"
    program = INTERRUPT.format(module=module, how=how, lasts=lasts, children=str(children))
    run = subprocess.run(
        [sys.executable, "-c", program, "grade", "assignments/multi_head.py", "--json"],
        cwd=root(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    found = json.loads(run.stdout)
    assert (run.returncode, found["submissions"], found["complete"]) == (2, [], False)
    assert [line[:12] for line in run.stderr.split("\n") if line] == ["interrupted:"]
    if sys.platform == "linux":
        started = children.read_text(encoding="utf-8").split()
        assert bool(started) is module.startswith("torch")
        assert not any(Path(f"/proc/{one}").exists() for one in started)


@pytest.mark.parametrize("place", ["cli.grade._grades", "submissions.finding.find"])
def test_a_run_interrupted_before_its_first_result_prints_a_document(
    place: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"autograder.{place}", interrupted)
    run = command("grade", put(tmp_path / "class", anna="x = 1"), "--assignment", NAME, "--json")
    found = json.loads(run.stdout)
    assert (run.returncode, found["submissions"], found["complete"]) == (2, [], False)


def test_an_interrupt_waits_until_a_result_is_written(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 1:  # the document's opening; its first result is next
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("autograder.cli.output.say", say)
    cls = put(tmp_path / "class", anna=solutions[NAME], ben=solutions[NAME])
    run = command("grade", cls, "--assignment", NAME, "--json")
    found = json.loads("".join(said))
    assert [one["submission"] for one in found["submissions"]] == ["anna"]
    assert (run.returncode, found["complete"]) == (2, False)


def test_what_was_left_unfinished_is_replaced(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    cls = put(tmp_path / "class", anna=solutions[NAME], ben="x = 1")
    (tmp_path / "grades.csv.part").write_text(OLD, encoding="utf-8")
    run = command("grade", cls, "--assignment", NAME, "--csv", tmp_path / "grades.csv", "--json")
    assert rows(tmp_path / "grades.csv") == ["anna", "ben"]
    assert json.loads(run.stdout)["complete"] is True
    assert not (tmp_path / "grades.csv.part").exists()


def test_another_file_of_that_name_stays(command: Command, tmp_path: Path) -> None:
    (tmp_path / "grades.csv.part").write_text("my own", encoding="utf-8")
    before = contents(tmp_path)
    run = command("grade", "assignments/multi_head.py", "--csv", tmp_path / "grades.csv")
    assert run.returncode == 4
    assert f"{tmp_path / 'grades.csv.part'} would be lost" in run.stderr
    assert contents(tmp_path) == before


def test_a_disk_that_is_full_is_said_and_what_was_written_stays(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cls = put(tmp_path / "class", anna=solutions[NAME], ben="x = 1")
    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if (tmp_path / "pages" / "anna.html").exists():
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr("autograder.whole_file.os.replace", full)
    run = command("grade", cls, "--assignment", NAME, "--html", tmp_path / "pages")
    assert run.returncode == 3
    assert run.stderr.endswith(
        f"{tmp_path / 'pages' / 'ben.html'} cannot be written: No space left on device. Free some "
        "space, then repeat the command.\n"
    )
    assert list(contents(tmp_path / "pages")) == ["anna.html"]


def test_a_submission_on_which_the_grader_fails_stops_no_other(
    command: Command, tmp_path: Path, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cls = put(tmp_path / "class", anna="x = 1", ben=solutions[NAME], cleo=solutions[NAME])
    grade = Grader.grade

    def fails(self: Grader, submission: Submission, *rest: Any) -> Grade:
        if submission.name == "ben":
            raise MemoryError
        return grade(self, submission, *rest)

    monkeypatch.setattr(Grader, "grade", fails)
    run = command("grade", cls, "--assignment", NAME, "--json")
    found = {one["submission"]: one for one in json.loads(run.stdout)["submissions"]}
    assert [one["status"] for one in found.values()] == ["graded", "needs_staff", "graded"]
    assert found["cleo"]["score"] == found["cleo"]["max_score"]
    said = "The grader failed (MemoryError). Your code is not at fault: grade it again."
    assert found["ben"]["message"] == said
    assert run.returncode == 3


def test_the_text_of_a_submission_is_let_go_once_it_is_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def results(pool: Pool[Person, PersonResults], jobs: Iterable[Person]) -> Iterator[Any]:
        for number, job in enumerate(jobs):
            result = pool.work.given_up(job, "Not graded here.")
            del job
            assert in_memory() == ["anna", "ben"][number:]
            yield result
        assert in_memory() == []

    def in_memory() -> list[str]:
        found = [one for one in gc.get_objects() if isinstance(one, Submission)]
        return sorted(one.name for one in found if "of this class" in repr(one.texts))

    monkeypatch.setattr(Pool, "results", results)
    cls = put(tmp_path / "class", anna="x = 'of this class'", ben="x = 'of this class'")
    assert main(["grade", str(cls), "--assignment", NAME, "--anew"]) == FAILED
