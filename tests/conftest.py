"""What the tests share: one sandbox, one grader, the command line, and the students' kit."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import torch
from filelock import FileLock
from website_downloads import Intake

from autograder import course
from autograder.checking.collect import Checks, collect
from autograder.cli.main import main
from autograder.course import assignments, root, solution
from autograder.diagnosis.live import LiveMistakes
from autograder.diagnosis.naming import namer
from autograder.grading.grade import ExerciseGrade, Grade
from autograder.grading.grader import Grader
from autograder.kit.build import build
from autograder.kit.recording import recorded
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission

gc.disable()  # collecting the tests makes many objects, and all of them stay
collect()  # from now on tests can import files of checks by their names
T = TypeVar("T")
Command = Callable[..., "subprocess.CompletedProcess[str]"]
GradeText = Callable[..., Grade]
os.environ["AUTOGRADER_RESIDENT"] = "0"  # no test leaves a grader behind that stays
# As in the background of a script, or under nohup: what tests interrupt inherits it.
for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, name), handler)
torch.set_num_threads(1)  # as in grading; the tests use all cores through their workers
if "PYTEST_XDIST_WORKER" in os.environ and hasattr(os, "sched_setaffinity"):
    # A sandbox stays on the core on which it starts, so each worker gets a core of its own.
    cores = sorted(os.sched_getaffinity(0))
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    os.sched_setaffinity(0, {cores[number % len(cores)]})


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist the tests run in one process
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return the number of test processes; None for the default of pytest-xdist.

    There are at least 4 for dear tests, of which many wait for a time limit.
    """
    if not hasattr(os, "sched_getaffinity"):
        return None
    return max(2 if config.option.markexpr == "not dear" else 4, len(os.sched_getaffinity(0)))


def pytest_collection_finish() -> None:
    """Leave out the objects that the tests' collection made from each garbage collection."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of parametrized tests as dear, except one that is the same on every machine.

    Tests whose cases are marked by hand, or by `sampled`, are left as they are.
    """
    by_test: dict[str, list[pytest.Item]] = {}
    for item in items:
        by_test.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in by_test.values():
        if not any(case.get_closest_marker("dear") for case in cases):
            for case in sorted(cases, key=lambda case: zlib.crc32(case.name.encode()))[1:]:
                case.add_marker(pytest.mark.dear)


def sampled(
    cases: Iterable[T],
    name: Callable[[T], str] = str,
    kind: Callable[[T], str] = lambda case: "",
    each: int = 1,
) -> list[Any]:
    """Return parameters of a test: `make test` runs a few of each kind, `make test-all` all.

    The sample depends on the names only, so it is the same on every machine.
    """
    cases, by_kind = list(cases), dict[str, list[str]]()
    for case in sorted(cases, key=lambda case: zlib.crc32(name(case).encode())):
        by_kind.setdefault(kind(case), []).append(name(case))
    drawn = {one for group in by_kind.values() for one in group[:each]}
    marks = {True: (), False: (pytest.mark.dear,)}
    return [pytest.param(case, marks=marks[name(case) in drawn], id=name(case)) for case in cases]


def corpus(kind: str) -> list[Path]:
    """Return the solutions in the folders `right` or `wrong` of all assignments."""
    return [path for name in assignments() for path in course.corpus(name, kind)]


def home(path: Path) -> str:
    """Return the assignment of a solution in a folder of `corpus`."""
    return path.parent.parent.name


MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n", re.MULTILINE)
LONGEST = (
    600.0  # seconds for a process, so that only one that hangs is ended, not one of a busy machine
)


@pytest.fixture(scope="session")
def solutions() -> dict[str, str]:
    """Return the text of each solution, by assignment."""
    return {name: solution(name) for name in assignments()}


@pytest.fixture(scope="session")
def checks() -> Checks:
    return collect()


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Yield a sandbox with a limit of two seconds for each question."""
    with open_sandbox(Limits(seconds=2.0, grace=1.0)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def grader_of(checks: Checks, sandbox: Sandbox) -> Callable[..., Grader]:
    """Return a function that returns a grader of one exercise, or of all.

    Each is kept: no submission may leave anything in it, and asking the solutions takes long.
    """

    @cache
    def kept(exercise: str = "", named: bool = False) -> Grader:
        wanted = frozenset([exercise] if exercise else [])
        return Grader(checks, sandbox, wanted, diagnosing=namer if named else None)

    return kept


@pytest.fixture(scope="session")
def grader(grader_of: Callable[..., Grader]) -> Grader:
    """Return a grader of all exercises, which names no mistakes."""
    return grader_of()


@pytest.fixture(scope="session")
def grade_text(grader_of: Callable[..., Grader], solutions: dict[str, str]) -> GradeText:
    """Return a function that grades a module, given as text, beside right ones."""

    def grade(
        text: str, stem: str = "attention_layer", exercise: str = "", named: bool = False
    ) -> Grade:
        grader = grader_of(exercise, named)
        assignment = stem if stem in assignments() else None
        texts = {**solutions, stem: text}
        return grader.grade(Submission("anna", Path(f"{stem}.py"), assignment, texts))

    return grade


def copied_course(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the tiny course into a folder, and use it until the test ends. Returns its folder."""
    tiny = Path(__file__).parent / "course" / "other_course"
    made = Path(shutil.copytree(tiny, folder / "other")) / "solutions"
    monkeypatch.setenv("AUTOGRADER_COURSE", "")  # so that it is as before after the test
    course.use(made)
    return course.folder()


@pytest.fixture
def command(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Command:
    """Return a function that runs a command in this process, in the shared sandbox."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(root())
        # This process goes on with other tests.
        monkeypatch.setattr("autograder.runtime.memory.limit_own_memory", lambda: None)
        capfd.readouterr()
        try:
            code = main([*map(str, arguments)], lambda *_, **__: nullcontext(sandbox))
        except SystemExit as usage:
            code = int(usage.code or 0)
        printed = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    return run


@pytest.fixture
def intake(capfd: pytest.CaptureFixture[str]) -> Intake:
    """Return what calls `python -m autograder intake` in this process."""
    return Intake(capfd)


@pytest.fixture(scope="session")
def process() -> Command:
    """Return a function that runs `python -m autograder` in a new process."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "autograder", *map(str, arguments)],
            cwd=root(),
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    return run


@cache
def points(assignment: str = "") -> float:
    """Return the points of an assignment, or of the whole course."""
    wanted = (c for c in collect().collected if assignment in ("", c.assignment))
    return sum(collected.check.points for collected in wanted)


@cache
def points_by_exercise(assignment: str) -> dict[str, float]:
    """The points of each exercise of an assignment, in their order."""
    checks = collect()
    return {
        exercise.name: sum(collected.check.points for collected in checks.of(exercise))
        for exercise in checks.exercises(assignment)
    }


def of(grade: Grade, exercise: str) -> ExerciseGrade:
    """Return the grade of one exercise."""
    return next(graded for graded in grade.exercises if graded.name == exercise)


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Make a folder once for all test processes, which share it."""
    base = factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with FileLock(folder / f"{name}.lock"):
        if not (folder / name).exists():
            make(folder / f"unfinished-{name}")
            (folder / f"unfinished-{name}").rename(folder / name)
    return folder / name


@pytest.fixture(scope="session")
def full_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the students' copy, which takes long to build. Tests must not change it."""
    return shared(tmp_path_factory, "student-kit", build)


@pytest.fixture(scope="session")
def built_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy that knows one mistake of each exercise. Tests that change it use `kit`."""
    known = LiveMistakes.known

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(LiveMistakes, "known", lambda self, exercise: known(self, exercise)[:1])
            patched.setattr("autograder.kit.build.recorded", recorded.__wrapped__)  # none are kept
            build(folder)

    return shared(tmp_path_factory, "light-kit", make)


@pytest.fixture
def kit(built_kit: Path, tmp_path: Path) -> Path:
    """Return a student's own copy of the kit."""
    return Path(shutil.copytree(built_kit, tmp_path / "kit"))


@pytest.fixture(scope="session")
def built_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course for nbgrader with an empty gradebook. Tests copy it.

    nbgrader takes seconds to create a gradebook.
    """

    def make(folder: Path) -> None:
        from nbgrader.api import Gradebook

        from autograder.nbgrader.application import application
        from autograder.nbgrader.course_folder import build

        build(folder)
        Gradebook(application(folder).coursedir.db_url, "attention").close()

    return shared(tmp_path_factory, "course", make)


def run_in(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder as a student does, who cannot import this project."""
    ours = ("PYTHON", "PYTEST", "MAKE", "MFLAGS")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    environment["PYTHONPATH"] = str(Path(__file__).parent / "as_student")
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files and empty folders below a folder, except compiled ones."""
    paths = [path for path in sorted(folder.rglob("*")) if "__pycache__" not in path.parts]
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    return {
        name + "/" * path.is_dir(): b"" if path.is_dir() else path.read_bytes()
        for name, path in named.items()
    }


def written(solution: str) -> str:
    """Return a solution as a student's file, without its markers."""
    return MARKER.sub("", solution)


@pytest.fixture
def shell() -> Iterator[Any]:
    """Return a shell of IPython whose cells a history may note, also if it never saw their end."""
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell  # which has no types
    made, handler = shell(), signal.getsignal(signal.SIGINT)
    yield made
    made.history_manager.end_session()
    signal.signal(signal.SIGINT, handler)
