"""The lock: a submission keeps only what it needs, and the lock's own proof shows that."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from class_reports import summary
from conftest import Command, sampled

from autograder import course
from autograder.checking.collect import Checks
from autograder.child.lock import LAYERS
from autograder.cli.main import main
from autograder.client import Session, SubmissionImplementation, Text
from autograder.course import folder, root
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.report.terminal import Terminal
from autograder.sandbox import (
    CannotLock,
    Limits,
    Sandbox,
    SandboxFailed,
    bubblewrap,
    doctor,
    lockdown,
    open_sandbox,
)
from autograder.sandbox import filter as lock_filter
from autograder.sandbox.bubblewrap import not_installed
from autograder.submissions.finding import Submission, find

Texts = dict[str, str]


@pytest.fixture(scope="module")
def locked() -> Iterator[Sandbox]:
    with open_sandbox(Limits(), locked=True) as sandbox:
        yield sandbox


@pytest.mark.dear
def test_right_work_has_full_marks_behind_the_lock(locked: Sandbox, checks: Checks) -> None:
    grader = Grader(checks, locked, frozenset())
    session = Session(locked)
    for submission in find(folder(), None):
        grade = grader.grade(submission, session)
        assert grade.points == grade.max_points, grade
    session.clear()


@pytest.mark.parametrize("layer", sampled(LAYERS))
def test_a_layer_that_is_missing_is_noticed(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a layer, the proof reports what that layer prevents, and nothing else."""
    found: list[str] = []
    monkeypatch.setattr(lockdown.Lockdown, "judge", lambda _, lacks: found.extend(lacks))
    with open_sandbox(Limits(), locked=True, without=[layer]) as sandbox:
        sandbox.child().end()
    assert found
    assert {lack.partition(":")[0] for lack in found} == {layer}


def test_a_lock_that_does_not_hold_is_refused() -> None:
    whole = lockdown.lockdown(Limits())
    whole.judge([])
    with pytest.raises(CannotLock, match=r"could not be locked in here \(seccomp: it can fork\)"):
        whole.judge(["seccomp: it can fork"])
    without = lockdown.lockdown(Limits(), ["seccomp"])
    without.judge(["seccomp: it can fork"])


PEEPING = """
import json, os, posix
folders = ("/kit", "/kit/autograder", "/packages", "/dev", "/tmp", "/home", "/etc")
seen = {folder: sorted(os.listdir(folder)) for folder in folders if os.path.exists(folder)}
print(json.dumps([seen, sorted(os.environ), posix.getcwd()]))
"""


def test_nothing_but_python_and_torch_is_there() -> None:
    with open_sandbox(Limits(), locked=True, without=["landlock"]) as sandbox:
        session = Session(sandbox)
        implementation = SubmissionImplementation(
            session, Text("peeping", {"peeping": PEEPING}, ())
        )
        implementation.load()
        seen, environment, here = json.loads(implementation.printed.stdout)
        session.clear()
    assert set(seen) == {"/kit", "/kit/autograder", "/packages", "/dev"}
    assert seen["/kit"] == ["autograder"]
    assert seen["/kit/autograder"] == ["__init__.py", "child", "runtime"]
    assert seen["/dev"] == ["urandom"]
    assert {"torch", "einops"} < set(seen["/packages"])
    assert set(environment) <= {"LC_CTYPE", "PWD", *bubblewrap.ENVIRONMENT}
    assert here == "/"


@pytest.mark.dear
def test_a_process_knows_how_many_were_started_before_it(locked: Sandbox) -> None:
    """SECURITY.md says that it does."""
    said = []
    for _ in range(3):
        session = Session(locked)
        number = Text("number", {"number": "import os\nprint(os.getpid())"}, ())
        implementation = SubmissionImplementation(session, number)
        implementation.load()
        said.append(int(implementation.printed.stdout))
        session.clear()
    assert said == [*range(said[0], said[0] + 3)]


def test_a_course_among_what_is_mounted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "ROOT", str(Path(torch.__file__).parent / "course"))
    with pytest.raises(CannotLock, match=r"The course lies in .*torch, which submissions may read"):
        bubblewrap.mounts()


@pytest.mark.dear
def test_code_of_others_is_locked_in_and_ones_own_is_not(
    command: Command, tmp_path: Path, solutions: Texts
) -> None:
    for name in ("s1", "s2"):
        (tmp_path / f"{name}.py").write_text(solutions["multi_head"], encoding="utf-8")
    own = ["grade", "assignments/multi_head.py", "--exercise", "MultiHeadList", "--json"]
    several = ["grade", tmp_path, "--assignment", "multi_head", "--json"]
    for arguments, says in (
        (own, "unlocked"),
        ([*own, "--locked"], "locked"),
        (several, "locked"),
        ([*several, "--unlocked"], "unlocked"),
    ):
        assert json.loads(command(*arguments).stdout)["sandbox"] == says


def test_nbgrader_has_code_locked_in_unless_its_configuration_says_otherwise() -> None:
    exporter = pytest.importorskip("autograder.nbgrader.exporter").SubmissionExporter
    from traitlets.config import Config

    assert exporter().settings.locked
    configured = Config({"SubmissionExporter": {"unlocked": True}})
    assert not exporter(config=configured).settings.locked


def test_every_report_says_whether_it_was_locked() -> None:
    for locked, says, rights in (
        (True, "locked", ""),
        (False, "unlocked", ": with your own rights"),
    ):
        terminal = Terminal(locked=locked)
        assert summary([], locked=locked) == [f"Graded {says}."]
        graded = Grade("a" * 40, "a.py", None, "graded", ())
        assert f"Score: 0/0 ({says}{rights})" in terminal.report([graded])


@pytest.mark.dear
def test_without_bubblewrap_a_class_is_refused(
    process: Command, tmp_path: Path, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("s1", "s2"):
        (tmp_path / f"{name}.py").write_text(solutions["multi_head"], encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    run = process("grade", tmp_path, "--assignment", "multi_head")
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith("bubblewrap is not installed (command bwrap). Install it: apt ")
    assert "add --unlocked" in run.stderr


def test_elsewhere_than_on_linux_it_is_refused() -> None:
    with pytest.raises(CannotLock, match="on Linux only"):
        open_sandbox(Limits(), fork=False, locked=True)


# The doctor


@pytest.mark.dear
def test_the_doctor_finds_all_that_it_takes() -> None:
    found = list(doctor.features())
    assert [feature.name for feature in found] == list(doctor.LOOKS)
    assert all(feature.works for feature in found), [feature.text for feature in found]


@pytest.mark.dear
def test_few_descriptors_are_enough() -> None:
    """An ordinary user has 1024 descriptors, or fewer."""
    command = f"ulimit -n 256; exec {sys.executable} -m autograder doctor"
    run = subprocess.run(["sh", "-c", command], cwd=root(), capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_doctor_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    *good, bad = doctor.features()
    assert [feature.name for feature in good] == ["system"]
    assert not bad.works
    assert bad.lines()[0].startswith("✗ bubblewrap: ")
    assert "apt install bubblewrap" in " ".join(" ".join(bad.lines()).split())


def test_the_doctor_names_the_interpreter_that_installs_a_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A bare pip would be that of the machine. The command is in a line of its own."""
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    monkeypatch.chdir(tmp_path)
    for python, typed in (
        (f"{tmp_path}/.venv/bin/python", ".venv/bin/python"),
        ("/opt/a b/bin/python", "'/opt/a b/bin/python'"),
    ):
        monkeypatch.setattr(sys, "executable", python)
        with pytest.raises(CannotLock) as found:
            lock_filter.compiled()
        lines = doctor.Feature("seccomp", False, str(found.value)).lines()
        assert lines[0] == "✗ seccomp: The package pyseccomp is not installed. Install it:"
        stated = shlex.quote(str(course.root() / "autograder" / "constraints.txt"))
        assert lines[1:] == [f"    {typed} -m pip install --constraint {stated} pyseccomp"]
    monkeypatch.chdir(course.root())
    assert "--constraint autograder/constraints.txt pyseccomp" in str(not_installed("pyseccomp"))


def test_in_a_students_copy_the_doctor_says_who_needs_the_lock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "LOOKS", {})
    for is_students in (False, True):
        monkeypatch.setattr(course, "is_students_copy", lambda known=is_students: known)
        assert main(["doctor"]) == 0
        said = capsys.readouterr().out
        assert ("Your own make grade needs no lock" in said) is is_students


ELSEWHERE = """
import os, sys
sys.modules.update(fcntl=None, termios=None)
del os.O_TMPFILE
from autograder.sandbox import doctor
sys.platform = "darwin"
print(*(feature.text for feature in doctor.features()))
"""


def test_elsewhere_than_on_linux_the_doctor_says_so() -> None:
    """Other systems lack modules and constants by which Linux locks."""
    command = [sys.executable, "-c", ELSEWHERE]
    run = subprocess.run(command, cwd=root(), capture_output=True, text=True)
    assert "only Linux can lock code in. You can still grade" in run.stdout, run.stderr


def test_an_old_kernel_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.child.lock.landlock_version", lambda: 0)
    *_, bad = doctor.features()
    assert (bad.name, bad.works) == ("Landlock", False)
    assert "Linux 5.13 or newer" in bad.text


# Honest code in the lock


HONEST = {
    "asks for threads": "torch.set_num_threads(8); torch.ones(600, 600) @ torch.ones(600, 600)",
    "asks for determinism": "torch.use_deterministic_algorithms(True)",
    "reads what nobody wrote": "sys.stdin.read()",
    "sleeps": "time.sleep(0.01)",
    "imports what it needs": "import statistics, decimal, fractions, torch.nn.utils.parametrize",
}


@pytest.mark.parametrize("way", sampled(HONEST))
def test_honest_code_does_not_meet_the_lock(
    way: str, locked: Sandbox, checks: Checks, solutions: Texts
) -> None:
    first = "        scores = Q @ K.transpose"
    text = "import sys, time\n" + solutions["attention_layer"]
    text = text.replace(first, f"        {HONEST[way]}\n{first}")
    grader = Grader(checks, locked, frozenset(["ScaledDotProduct"]))
    path = Path("attention_layer.py")
    grade = grader.grade(Submission("x", path, "attention_layer", {path.stem: text}))
    assert grade.points == grade.max_points, grade


PIPES = """
import os
for descriptor in range(2048):
    try:
        os.fstat(descriptor)
        print(descriptor, end=" ")
    except OSError:
        pass
"""


@pytest.mark.parametrize("kind", ["locked", "sandbox"])
def test_a_child_has_four_descriptors(kind: str, request: pytest.FixtureRequest) -> None:
    session = Session(request.getfixturevalue(kind))
    implementation = SubmissionImplementation(session, Text("pipes", {"pipes": PIPES}, ()))
    implementation.load()
    session.clear()
    assert implementation.printed.stdout == b"0 1 2 3 "


@pytest.mark.dear
def test_what_dies_with_the_warm_process_is_no_fault_of_the_code() -> None:
    """A new warm process starts after something, e.g. the kernel, kills the old one."""
    with open_sandbox(Limits(), locked=True) as sandbox:
        session = Session(sandbox)
        implementation = SubmissionImplementation(
            session, Text("m", {"m": "def f():\n    return 1\n"}, ())
        )
        assert implementation.load().names == {"f"}
        sandbox._warm._process.kill()  # type: ignore[attr-defined]
        with pytest.raises(SandboxFailed, match="was killed from outside"):
            for _ in range(1000):  # the end of the process takes a moment
                _ = implementation.client().function("f")().value
        session.clear()
        again = SubmissionImplementation(session, implementation.text)
        assert again.load().names == {"f"}
        session.clear()
