"""Limits: correct submissions never meet one, and no submission runs without end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import of

from autograder.checking.collect import Checks
from autograder.client import Loaded, Session, SubmissionImplementation, Text
from autograder.course import exercises, root
from autograder.grading.grader import Grader
from autograder.runtime.protocol import IDLE, WALL
from autograder.sandbox import (
    CannotLock,
    Child,
    Clock,
    Limits,
    Sandbox,
    SandboxFailed,
    doctor,
    fresh,
    open_sandbox,
    warm,
)
from autograder.sandbox import child as of_child
from autograder.submissions.finding import Submission, find

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits memory on Linux only")
LIMITS = Limits(seconds=1.0, grace=0.5)
RESERVED = 3 << 30  # bytes of address space, as the CUDA build of PyTorch takes
RESERVE = f"os.reserved = __import__('mmap').mmap(-1, {RESERVED}, 0x4022, 0)"
WAYS = {"locked": (True, True), "unlocked": (True, False), "fresh": (False, False)}


# Memory


@pytest.fixture
def reserving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make processes for student code reserve address space, which uses no memory."""

    def start(module: str, call: str, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        return of_child.start(module, f"{RESERVE}; {module}.{call}", *arguments, **options)

    for module in (warm, fresh):
        monkeypatch.setattr(module, "start", start)


@pytest.mark.dear
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("reserving")
def test_address_space_that_pytorch_takes_does_not_count(way: str, checks: Checks) -> None:
    fork, locked = WAYS[way]
    with open_sandbox(Limits(), fork, locked) as sandbox:
        sandbox.child().end()
        grader = Grader(checks, sandbox, frozenset())
        session = Session(sandbox)
        for submission in find(root() / "solutions", None):
            grade = grader.grade(submission, session)
            assert grade.points == grade.max_points, grade
        session.clear()


HUNGRY = """
import torch
def context_vector(*given):
    kept = []
    while True:
        kept.append(torch.ones(1 << 24))
"""


@pytest.mark.dear
@pytest.mark.parametrize("way", ["locked", "unlocked"])
def test_code_that_fills_memory_is_told_and_harms_nobody(
    way: str, checks: Checks, solutions: dict[str, str]
) -> None:
    name = "self_attention"
    with open_sandbox(Limits(memory=1 << 30), *WAYS[way]) as sandbox:
        grader = Grader(checks, sandbox, frozenset(["context_vector"]))
        for text, right in ((HUNGRY, False), (solutions[name], True)):
            grade = grader.grade(Submission("x", Path(f"{name}.py"), name, {name: text}))
            graded = of(grade, "context_vector")
            assert (graded.points == graded.max_points) == right
            said = "It asks for more memory than there is (1 GB) (self_attention.py, line 6"
            assert any(said in check.message for check in graded.checks) != right


MEASURED = """
import resource
import torch
from pathlib import Path
from autograder.runtime.limits import limit_memory, used
status = dict(line.split(":\\t") for line in Path("/proc/self/status").read_text().splitlines())
for name, kind in (("VmData", resource.RLIMIT_DATA), ("VmSize", resource.RLIMIT_AS)):
    before = resource.getrlimit(kind)
    print(used(kind) - int(status[name].split()[0]) * 1024, resource.getrlimit(kind) == before)
limit_memory(1 << 30)
kept = torch.ones((1 << 30) - (64 << 20), dtype=torch.uint8)
try:
    torch.ones(128 << 20, dtype=torch.uint8)
except RuntimeError:
    print("refused")
"""


@pytest.mark.dear
def test_what_a_process_has_is_measured_to_the_page() -> None:
    environment = {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(root())}
    command = [sys.executable, "-c", MEASURED]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *measured, refused = run.stdout.splitlines()
    for line in measured:
        difference, restored = line.split()
        assert abs(int(difference)) < 4 << 20  # Python itself allocates and frees memory
        assert restored == "True"
    assert refused == "refused"


NARROW = Limits(memory=4 << 20)  # too little for any work


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.dear
def test_a_limit_that_right_work_meets_is_refused(locked: bool) -> None:
    problem = CannotLock if locked else SandboxFailed
    with (
        open_sandbox(NARROW, locked=locked) as sandbox,
        pytest.raises(problem, match=r"^Correct work runs out of memory .* may take 4 MB beyond"),
    ):
        sandbox.child()


@pytest.mark.dear
def test_the_doctor_names_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "Limits", lambda: NARROW)
    *_, last = doctor.features()
    assert (last.name, last.works) == ("the lock as a whole", False)
    assert "runs out of memory" in last.text
    assert "ulimit" in last.text


# Time


class Machine:
    """A clock of elapsed time and one of a child's CPU time, which a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.cpu = 0.0, 0.0
        monkeypatch.setattr("autograder.sandbox.clock.time.monotonic", lambda: self.wall)
        monkeypatch.setattr("autograder.sandbox.clock.time.thread_time", lambda: 0.0)
        self.clock = Clock(1.0, 0.5, lambda: self.cpu)

    def over_after(self, share: float) -> float:
        """Return the elapsed seconds after which the time is over. share: of a core."""
        while seconds := self.clock.remaining():
            assert seconds > 0
            self.wall += seconds
            self.cpu += seconds * share
        return self.wall


@pytest.mark.parametrize(
    "share, seconds",
    [
        (1.0, 2.5),  # twice the time of the question, and grace
        (0.5, 5.0),
        (0.25, 10.0),
        (0.1, WALL * 1.0 + 0.5),
        (2 * IDLE, WALL * 1.0 + 0.5),
        (IDLE / 2, 1.5),  # it sleeps
        (0.0, 1.5),
    ],
)
def test_it_is_cpu_time_that_is_limited(
    share: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Machine(monkeypatch).over_after(share) == pytest.approx(seconds, abs=0.1)


def test_what_prints_is_not_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child may have waited for the grader to read its output."""
    machine = Machine(monkeypatch)
    for _ in range(9):
        machine.wall += 1.0
        machine.clock.note_output()
        assert machine.clock.remaining()
    assert machine.over_after(0.0) == pytest.approx(10.5, abs=0.1)


def test_cpu_time_is_spent_however_long_both_have_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On one core, each waits while the other runs, as when the grader reads without end."""
    machine, waited = Machine(monkeypatch), [0.0]
    machine.clock = Clock(1.0, 0.5, lambda: machine.cpu, lambda: waited[0], most=5.0)
    for _ in range(4):
        machine.clock.remaining()
        machine.wall, machine.cpu, waited[0] = machine.wall + 1, machine.cpu + 0.75, waited[0] + 1
    assert machine.clock.spent == 3.0
    for _ in range(5):
        machine.clock.remaining()
        machine.wall, waited[0] = machine.wall + 1, waited[0] + 0.1
    assert machine.clock.spent == pytest.approx(4.5)


@pytest.mark.parametrize("knows_cpu", [True, False])
def test_the_time_in_which_the_grader_is_stopped_does_not_count(
    knows_cpu: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grader is stopped while a laptop sleeps, or after Ctrl-Z: no time of a check is spent."""
    machine = Machine(monkeypatch)
    machine.clock = Clock(1.0, 0.5, lambda: machine.cpu if knows_cpu else None)
    assert machine.clock.remaining()
    machine.wall += 8 * 3600.0
    assert machine.clock.spent == pytest.approx(1.0)
    machine.cpu += 0.5
    assert machine.clock.remaining()


def test_where_cpu_time_is_not_known_elapsed_time_has_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch)
    machine.clock = Clock(1.0, 0.5, lambda: None)
    assert machine.over_after(1.0) == pytest.approx(2.5)


@pytest.fixture(scope="module")
def load() -> Any:
    """Load the text of a module in a child that has one second for each question."""
    with open_sandbox(LIMITS) as sandbox:

        def load(text: str, siblings: dict[str, str] | None = None) -> Loaded:
            session = Session(sandbox)
            texts = {"m": text, **(siblings or {})}
            try:
                return SubmissionImplementation(session, Text("m", texts, tuple(texts))).load()
            finally:
                session.clear()

        yield load


BUSY = "import time\nend = time.process_time() + 1.5\nwhile time.process_time() < end: pass\n"
Load = Callable[..., Loaded]


@pytest.mark.dear
def test_an_import_is_not_charged(load: Load, tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(f"import deeper\n{BUSY}", encoding="utf-8")
    (tmp_path / "deeper.py").write_text("", encoding="utf-8")
    imports = f"import sys\nsys.path.append({str(tmp_path)!r})\nimport library\n"
    assert load(imports).problem is None
    problem = load(imports + BUSY).problem
    assert problem
    assert (problem.kind, problem.text) == ("timeout", "not finished after 1 s")


@pytest.mark.dear
def test_a_module_of_the_students_own_is_charged(load: Load) -> None:
    problem = load("import n\n", {"n": "while True: pass\n"}).problem
    assert problem
    assert (problem.kind, problem.frames[-1].file) == ("timeout", "n.py")


@pytest.mark.dear
def test_a_module_that_hangs_is_cut_off_there() -> None:
    """The module is cut off there, so that it does not hang again in each new child."""
    text = "def f(): pass\n\nwhile True:\n    pass\n\ndef g(): pass\n"
    with open_sandbox(LIMITS) as sandbox:
        session = Session(sandbox)
        implementation = SubmissionImplementation(session, Text("m", {"m": text}, ()))
        loaded = implementation.load()
        session.drop()
        again = SubmissionImplementation(session, implementation.text).load()
        session.clear()
    assert loaded.problem
    assert loaded.problem.frames[-1].line in (3, 4)
    assert set(loaded.names) == {"f"} == set(again.names)
    assert set(loaded.written) == {"f", "g"}
    assert again.problem is None


@pytest.mark.dear
def test_the_grader_knows_the_cpu_time_of_a_locked_child() -> None:
    with open_sandbox(LIMITS, locked=True) as sandbox:
        session = Session(sandbox)
        child = session.child()
        before = child._cpu_so_far()
        text = "import time\nwhile time.process_time() < 0.5: pass\n"
        assert SubmissionImplementation(session, Text("m", {"m": text}, ())).load().problem is None
        used = child._cpu_so_far()
        session.clear()
    assert before is not None
    assert used is not None
    assert before < 0.4
    assert 0.5 <= used < 1


CHECKPOINTED = """
import torch.utils.checkpoint
_forward = TinyTransformer.forward
TinyTransformer.forward = lambda self, idx: torch.utils.checkpoint.checkpoint(
    _forward, self, idx, use_reentrant=False)
"""


@pytest.mark.dear
def test_activation_checkpointing_has_the_time_it_takes(
    checks: Checks, solutions: dict[str, str]
) -> None:
    """The first use of activation checkpointing imports hundreds of modules."""
    name = "transformer"
    texts = {**solutions, name: solutions[name] + CHECKPOINTED}
    with open_sandbox(Limits(seconds=1.5, grace=3.0)) as sandbox:
        grade = Grader(checks, sandbox, frozenset()).grade(
            Submission("x", Path(f"{name}.py"), name, texts)
        )
    assert grade.points == grade.max_points, grade


@pytest.mark.dear
def test_sleep_ends_soon(checks: Checks, sandbox: Sandbox) -> None:
    grader = Grader(checks, sandbox, frozenset(["running_mean_loop"]))
    text = "import time\ndef running_mean_loop(x):\n    time.sleep(1000)\n"
    name = "running_averages"
    grade = grader.grade(Submission("x", Path(f"{name}.py"), name, {name: text}))
    messages = [check.message for check in grade.exercises[0].checks]
    assert any(
        m.startswith("Not finished after 2 s (running_averages.py, line 3") for m in messages
    )


@pytest.mark.dear
@pytest.mark.parametrize(("endless", "runs"), [(2, True), (3, False)])
@pytest.mark.parametrize("is_one_cell", [False, True])
def test_a_third_endless_statement_stops_what_is_below(
    endless: int, runs: bool, is_one_cell: bool
) -> None:
    name = min(exercises())
    uses = f"def {name}(): return a, b\n"
    loaded = loaded_from(["while True: a = 1\nelse:\n    b = 1\n"] * endless + [uses], is_one_cell)
    assert (name in loaded.names) == runs
    assert len(loaded.stopped) == endless
    assert not {"a", "b"} & loaded.names
    assert loaded.went_on == runs == (loaded.ended is None)
    assert not loaded.ran_needed


@pytest.mark.dear
@pytest.mark.parametrize("is_one_cell", [False, True])
def test_of_a_notebook_that_takes_too_long_runs_what_exercises_need(is_one_cell: bool) -> None:
    name = min(exercises())
    cells = ["while True: a = 1\n", "b = [2]\n"] * 5 + [f"def {name}(): return b\n"]
    loaded = loaded_from(cells, is_one_cell)
    assert {name, "b"} <= loaded.names and "a" not in loaded.names
    assert loaded.ran_needed and loaded.ended is None
    assert loaded.problem and loaded.problem.kind == "timeout"
    assert loaded.left_out == {"a"} and not loaded.stopped


WORKS = """import time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return seconds
"""


@pytest.mark.dear
@pytest.mark.parametrize("is_one_line", [False, True])
def test_each_statement_of_a_slow_notebook_has_its_own_time(is_one_line: bool) -> None:
    """Together they may take 2.5 times as long: 0.5 s of the 0.2 s for a question."""
    name = min(exercises())
    between = "; " if is_one_line else "\n"
    for seconds, has_ended in ((0.13, False), (0.19, True)):
        steps = [f"a{i} = work({seconds})" for i in range(3)]
        uses = f"def {name}(): return a0, a1, a2\n"
        loaded = loaded_from([WORKS, between.join([*steps, "a3 = 1"]) + "\n", uses], False)
        assert {"a0", "a1", "a2"} <= loaded.names
        assert (name in loaded.names) == (not has_ended)
        assert (loaded.ended is not None) == has_ended


STALE = {
    "a value": "A = 1\nA = work(9)\n",
    "a loop": "A = None\nfor i in range(9):\n    A = i\n    work(0.08)\n",
    "a part": "A = {0: 1}\nA[0] = work(9)\n",
    "a function": "A = 1\ndef make():\n    global A\n    A = work(9)\nmake()\n",
    "a class": "class A: pass\nclass A:\n    a = work(9)\n",
    "in one line": "A = 1\nwork(0.01); A = work(9); B = 2\n",
}


@pytest.mark.dear
@pytest.mark.parametrize("case", STALE)
def test_of_a_stopped_statement_nothing_old_is_left(case: str) -> None:
    """Else work would be judged with a value that the notebook does not have in the end."""
    name = min(exercises())
    loaded = loaded_from([WORKS, STALE[case], f"def {name}(): return A\n"], False)
    assert "A" not in loaded.names
    assert name in loaded.names and loaded.went_on and loaded.ended is None


def loaded_from(cells: list[str], is_one_cell: bool) -> Loaded:
    """Load a notebook with these cells, or with one that has all their text."""
    cells = ["".join(cells)] if is_one_cell else cells
    book = [[f"cell {number}", text] for number, text in enumerate(cells, 1)]
    with open_sandbox(Limits(seconds=0.2, grace=0.5)) as sandbox:
        session = Session(sandbox)
        loaded = SubmissionImplementation(session, Text("m", {"m": book}, ())).load()
        session.clear()
    return loaded


@pytest.mark.dear
@pytest.mark.parametrize(
    ("text", "children"),
    [
        ("while True: pass\n", 2),  # a whole module, and what is above the endless line
        ("import time\ntime.sleep(9)\n", 3),  # the whole is loaded again: something may be slow
    ],
)
def test_what_has_worked_for_all_its_time_is_not_tried_again(
    text: str, children: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Child] = []
    with open_sandbox(Limits(seconds=0.3, grace=0.5)) as sandbox:
        child = sandbox.child

        def noted() -> Child:
            opened.append(child())
            return opened[-1]

        monkeypatch.setattr(sandbox, "child", noted)
        session = Session(sandbox)
        SubmissionImplementation(session, Text("m", {"m": text}, ())).load()
        session.clear()
    assert len(opened) == children


@pytest.mark.dear
def test_what_an_endless_statement_would_have_made_is_told(
    checks: Checks, sandbox: Sandbox
) -> None:
    grader = Grader(checks, sandbox, frozenset(["running_mean_loop"]))
    name, uses = "running_averages", "def running_mean_loop(x): return {}\n"
    said = []
    for wanted in ("ROOT", "OTHER"):
        cells = [["cell 1", "while True:\n    ROOT = 1\n"], ["cell 2", uses.format(wanted)]]
        book = Submission("x", Path(f"{name}.ipynb"), name, {name: cells})
        said.append(grader.grade(book).exercises[0].checks[0].message)
    assert said[0].startswith(
        "It raises NameError: name 'ROOT' is not defined, since `while True:` was not "
        "finished after 2 s (cell 2, line 1"
    )
    assert "finished" not in said[1]
