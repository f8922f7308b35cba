"""The archive for Gradescope has all that grading needs, and grades in a folder like Gradescope's.

AUTOGRADER_PREFIX stands for /autograder, so no test need be root. The environment that setup.sh
would make is replaced by the one in which the tests run.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, written

from autograder.course import place, root, secret_file
from autograder.gradebooks import harness
from autograder.gradebooks.formats import gradescope_archive
from autograder.report.codes import FAILED, OK, USAGE
from autograder.sandbox.doctor import Feature

BASE = "attention_layer"
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")


def build(command: Command, folder: Path, *options: str | Path) -> Path:
    """Build the archive and unpack it as Gradescope does. Returns what stands for /autograder."""
    archive = folder / "autograder.zip"
    run = command("export", "gradescope-archive", "--assignment", BASE, "--out", archive, *options)
    assert run.returncode == OK, run.stderr
    return unpacked(archive, folder / "autograder")


def unpacked(archive: Path, prefix: Path) -> Path:
    source = prefix / "source"
    with zipfile.ZipFile(archive) as opened:
        for one in opened.infolist():
            Path(opened.extract(one, source)).chmod(one.external_attr >> 16)
    for folder in ("results", "submission", "source/.venv/bin"):
        (prefix / folder).mkdir(parents=True)
    python = source / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    return prefix


def run_autograder(prefix: Path) -> tuple[int, Any, str]:
    """Run it as Gradescope does, without this project. Returns code, results.json and output."""
    environment = {**os.environ, "AUTOGRADER_PREFIX": str(prefix)}
    environment.pop("AUTOGRADER_COURSE", None)
    packages = [one for one in sys.path if one and root() not in (Path(one), *Path(one).parents)]
    environment["PYTHONPATH"] = os.pathsep.join(packages)
    run = subprocess.run(
        [prefix / "source" / "run_autograder"],
        cwd=prefix,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    results = json.loads((prefix / "results" / "results.json").read_text(encoding="utf-8"))
    return run.returncode, results, run.stdout


@pytest.mark.dear
def test_it_grades_what_is_submitted(
    command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    prefix = build(command, tmp_path)
    text = written(solutions[BASE])
    work = prefix / "submission" / f"{BASE}.py"
    work.write_text(text.replace(*WRONG_SCALE), encoding="utf-8")
    code, results, output = run_autograder(prefix)
    assert code == OK, output
    assert results["output"].endswith("Graded locked.")
    names = {test["name"].split(":")[0] for test in results["tests"] if test["status"] == "failed"}
    assert names == {"ScaledDotProduct"}
    work.write_text(text, encoding="utf-8")
    code, results, output = run_autograder(prefix)
    assert code == OK, output
    assert results["score"] == sum(test["max_score"] for test in results["tests"]) > 0
    assert {test["visibility"] for test in results["tests"]} == {"visible", "hidden"}


@pytest.mark.dear
@pytest.mark.parametrize("name", ["", f"{BASE}.ipynb", "link.py"])
def test_nothing_that_can_be_graded_is_no_crash(
    command: Command, tmp_path: Path, name: str
) -> None:
    prefix = build(command, tmp_path)
    if name == "link.py":
        (prefix / "submission" / name).symlink_to(prefix / "source" / "solutions" / BASE)
    elif name:
        (prefix / "submission" / name).write_text("{")
    code, results, output = run_autograder(prefix)
    assert results["output"], output
    assert "/tmp" not in json.dumps(results)
    assert (code, results.get("score")) in ((OK, 0.0), (FAILED, None)), output


@pytest.mark.dear
def test_everything_that_grading_needs_is_in_it_and_nothing_else(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "autograder.zip"
    call = ("export", "gradescope-archive", "--assignment", BASE, "--out", archive)
    assert command(*call).returncode == OK
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        modes = {one.filename: one.external_attr >> 16 for one in opened.infolist()}
    assert {name.split("/")[0] for name in names} - {secret_file.NAME} == {
        "setup.sh", "run_autograder", "autograder", "solutions", "pyproject.toml", "README.md",
        "LICENSE", "Makefile",
    }  # fmt: skip
    assert f"solutions/{BASE}/{BASE}.py" in names
    assert len(names) == len({*names})
    hidden = [name for name in names if "/." in name or "__pycache__" in name]
    assert not hidden
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    before = archive.read_bytes()
    assert command(*call).returncode == OK  # it is its own file
    assert archive.read_bytes() == before


def test_what_lies_beside_the_course_stays_out(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Students' work, caches, what was built, and links that lead to any of these."""
    course = tmp_path / "mine" / "solutions"
    (course / "lab" / ".git").mkdir(parents=True)
    (course / "course.toml").write_text('title = "T"\nid = "t"\n')
    for name in ("lab/lab.py", "lab/.git/config", "lab/__pycache__/x.pyc", "lab/build/s.py"):
        (course / name).parent.mkdir(exist_ok=True)
        (course / name).write_text("x = 1\n")
    for name in ("submitted/anna.py", "build/graded/1", "assignments/lab.py"):
        (tmp_path / "mine" / name).parent.mkdir(parents=True)
        (tmp_path / "mine" / name).write_text("x = 1\n")
    (course / "lab" / "link.py").symlink_to(tmp_path / "mine" / "submitted" / "anna.py")
    (tmp_path / "mine" / secret_file.NAME).write_text("a secret of this test\n")
    monkeypatch.setenv(place.VARIABLE, str(course))
    archive = tmp_path / "autograder.zip"
    run = command("export", "gradescope-archive", "--assignment", "lab", "--out", archive)
    assert run.returncode == OK, run.stderr
    with zipfile.ZipFile(archive) as opened:
        of_course = {name for name in opened.namelist() if name.startswith("course/")}
        started = opened.read("run_autograder").decode()
        secret = opened.getinfo(f"course/{secret_file.NAME}")
    assert of_course == {
        "course/solutions/course.toml", "course/solutions/lab/lab.py", f"course/{secret_file.NAME}",
    }  # fmt: skip
    assert "--assignment lab --course course/solutions" in started
    assert secret.external_attr >> 16 == 0o600
    assert "default" not in run.stderr


@pytest.mark.dear
def test_what_is_said_of_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "autograder.zip"
    call = ("export", "gradescope-archive", "--assignment", BASE, "--out", archive)
    monkeypatch.setattr(secret_file, "is_default", lambda: True)
    said = command(*call).stderr.splitlines()
    assert said == [
        f"{archive} has the solutions and the course secret in it. Upload it to Gradescope, and "
        "give it to no student.",
        secret_file.warning(),
    ]
    assert command(*call, "--unlocked").stderr.splitlines()[1] == (
        "Where Gradescope's container cannot lock in students' code, it runs unlocked: it can then "
        "read the solutions, the hidden checks and the secret, and write its own results.json. "
        "Use this archive only if you trust all students."
    )
    (tmp_path / "mine.zip").write_bytes(b"PK mine")
    run = command(*call[:-1], tmp_path / "mine.zip")
    assert run.returncode == USAGE and "would be lost" in run.stderr
    assert (tmp_path / "mine.zip").read_bytes() == b"PK mine"


def test_setup_installs_what_the_lock_needs(tmp_path: Path) -> None:
    """With commands that only note how they are called."""
    source, tools, noted = tmp_path / "source", tmp_path / "tools", tmp_path / "noted"
    source.mkdir()
    tools.mkdir()
    for name in ("apt-get", "python3"):
        (tools / name).write_text(f'#!/bin/sh\necho "$PWD" {name} "$@" >> {noted}\n')
        (tools / name).chmod(0o755)
    script = tmp_path / "setup.sh"
    script.write_text(gradescope_archive.SETUP)
    environment = {"PATH": f"{tools}:/bin:/usr/bin", "AUTOGRADER_PREFIX": str(tmp_path)}
    subprocess.run(["sh", script], env=environment, check=True)
    calls = [line.removeprefix(f"{source} ") for line in noted.read_text().splitlines()]
    assert calls == [
        "apt-get update",
        "apt-get install -y --no-install-recommends bubblewrap libseccomp2 python3 python3-venv",
        "python3 autograder/environment.py .venv export",
    ]
    (tools / "apt-get").write_text("#!/bin/sh\nexit 1\n")
    assert subprocess.run(["sh", script], env=environment, check=False).returncode != 0
    assert len(noted.read_text().splitlines()) == 3


class Graded:
    """Runs the harness where a lock works or does not, and grades nothing."""

    def __init__(self, prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.prefix, self.calls = prefix, list[list[str]]()
        (prefix / "submission").mkdir()
        monkeypatch.setenv(harness.PREFIX, str(prefix))
        monkeypatch.setattr(harness, "features", lambda: self._features())
        monkeypatch.setattr(subprocess, "run", self._run)
        self.works, self.document, self.code = True, b"", FAILED

    def _features(self) -> Iterator[Feature]:
        yield Feature("Linux", True, "fine")
        yield Feature("namespaces", self.works, "forbidden here")

    def _run(
        self, arguments: list[str], stdout: io.BufferedWriter
    ) -> subprocess.CompletedProcess[bytes]:
        self.calls.append(arguments)
        stdout.write(self.document)
        return subprocess.CompletedProcess(arguments, self.code)

    def __call__(self, *options: str) -> tuple[int, Any]:
        code = harness.main(["--assignment", BASE, *options])
        return code, json.loads((self.prefix / "results" / "results.json").read_text())


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graded:
    return Graded(tmp_path, monkeypatch)


def test_where_no_lock_works_nothing_runs(
    graded: Graded, capfd: pytest.CaptureFixture[str]
) -> None:
    graded.works = False
    code, results = graded()
    assert (code, graded.calls) == (FAILED, [])
    assert "score" not in results and "tests" not in results
    assert results["output"] == (
        "This submission has no score yet, and loses no points: course staff must look at it. "
        "This container cannot lock in students' code (namespaces), so nothing was run: grade on a "
        "machine on which `make doctor` finds nothing missing, or build the archive with "
        "--unlocked if you trust all students."
    )
    assert "namespaces: forbidden here" in capfd.readouterr().out


@pytest.mark.parametrize(("works", "lock"), [(True, "--locked"), (False, "--unlocked")])
def test_it_runs_unlocked_only_if_it_must_and_may(graded: Graded, works: bool, lock: str) -> None:
    graded.works = works
    graded("--unlocked")
    assert [call[-1] for call in graded.calls] == [lock]


@pytest.mark.parametrize(
    ("document", "ended", "said"),
    [
        (b"", FAILED, ""),
        (b'{"format": 1, "submissions": [\xc3', USAGE, ""),
        (b'{"format": 1, ', -9, "Signal 9 stopped the grader.\n"),
        (b"{}", OK, "is not what python -m autograder grade --json writes"),
    ],
    ids=["nothing", "half of a letter", "killed", "something else"],
)
def test_a_failure_of_the_grader_is_no_zero(
    document: bytes, ended: int, said: str, graded: Graded, capfd: pytest.CaptureFixture[str]
) -> None:
    """The command that grades has said why, if it has failed; nothing is said of its document."""
    graded.document, graded.code = document, ended
    code, results = graded()
    assert code == FAILED
    assert "score" not in results and "tests" not in results
    assert results["output"].endswith(harness.FAILURE)
    out, err = capfd.readouterr()
    assert out.endswith(f"{harness.FAILURE}\n") and err == ""
    assert said in out if said else out == f"{harness.FAILURE}\n"


@pytest.mark.dear
def test_a_broken_course_is_all_that_is_said(command: Command, tmp_path: Path) -> None:
    prefix = build(command, tmp_path)
    solutions = prefix / "source" / "solutions" / BASE
    with (solutions / f"test_{BASE}.py").open("a", encoding="utf-8") as file:
        file.write("\n1/0\n")
    (prefix / "submission" / f"{BASE}.py").write_text("x = 1\n")
    code, results, output = run_autograder(prefix)
    assert (code, results.get("score")) == (FAILED, None)
    assert "ZeroDivisionError" in output and "grades.json" not in output
    shutil.rmtree(solutions)
    code, results, output = run_autograder(prefix)
    assert (code, results.get("score")) == (FAILED, None)
    assert BASE in output and "grades.json" not in output


def folder(place: Path, other: Path) -> None:
    place.mkdir()
    (place / "link").symlink_to(other.parent)


IN_THE_WAY: dict[str, Callable[[Path, Path], object]] = {
    "another file": lambda place, other: place.write_text('{"score": 99}'),
    "a link": lambda place, other: place.symlink_to(other),
    "a link to a folder": lambda place, other: place.symlink_to(other.parent),
    "a link to nothing": lambda place, other: place.symlink_to("none"),
    "a folder": folder,
    "a pipe": lambda place, other: os.mkfifo(place),
}


@pytest.mark.parametrize("case", IN_THE_WAY)
def test_the_harness_replaces_whatever_lies_in_the_place_of_its_result(
    case: str, graded: Graded
) -> None:
    other = graded.prefix / "other" / "results.json"
    for path in (other, graded.prefix / "results" / "results.json"):
        path.parent.mkdir()
    other.write_text("mine")
    IN_THE_WAY[case](graded.prefix / "results" / "results.json", other)
    code, results = graded()
    assert code == FAILED and results["output"].endswith(harness.FAILURE)
    assert other.read_text() == "mine"
    assert [*(graded.prefix / "results").iterdir()] == [graded.prefix / "results" / "results.json"]


def test_a_result_that_cannot_be_written_is_one_sentence(
    graded: Graded, capfd: pytest.CaptureFixture[str]
) -> None:
    (graded.prefix / "results").write_text("no folder")
    assert harness.main(["--assignment", BASE]) == FAILED
    said = capfd.readouterr().err
    assert said.startswith(f"{graded.prefix / 'results' / 'results.json'} cannot be written: ")
    assert said.count("\n") == 1


def test_files_that_cannot_be_copied_are_no_crash(graded: Graded) -> None:
    os.mkfifo(graded.prefix / "submission" / "pipe.py")
    code, results = graded()
    assert (code, graded.calls) == (FAILED, [])
    assert "could not be copied" in results["output"]
