"""The grader that stays: the same verdicts, and nothing lost whatever happens to it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Pipe
from pathlib import Path

import pytest
from conftest import sampled
from damaged_data import CONTENTS

from autograder.course import assignments, root, solution
from autograder.resident import asking, serving, wire
from autograder.resident.address import Address, NoAddress, address

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills processes by number")

EXERCISE, ASSIGNMENT = "running_mean_loop", "running_averages"
FOLDER = f"attention-grader-{os.getuid()}"
ANOTHER = 65534  # the number of a user who owns nothing


@dataclass
class Kit:
    """A student's kit, and the private folder in which its resident grader is reached.

    Its path is short: that of a socket has at most 107 characters.
    """

    folder: Path
    private: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="kit-")))

    @property
    def module(self) -> Path:
        return self.folder / "assignments" / f"{ASSIGNMENT}.py"

    @property
    def second(self) -> Path:
        return self.folder / "assignments" / f"{assignments()[1]}.py"

    @property
    def environment(self) -> dict[str, str]:
        ours = ("PYTHON", "PYTEST", "AUTOGRADER")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        return {**kept, "XDG_RUNTIME_DIR": str(self.private)}

    def begin(
        self, *arguments: str, resident: bool = True, stdout: int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "autograder", *arguments, *["--resident"] * resident]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )

    def grade(self, *more: str, resident: bool = True) -> tuple[int, str, str]:
        """Grade the exercise. Returns exit code, stdout and stderr."""
        run = self.begin("grade", "assignments", "--exercise", EXERCISE, *more, resident=resident)
        stdout, stderr = run.communicate(timeout=100)
        return run.returncode, stdout, stderr

    def resident(self) -> int:
        """The number of the resident process, 0 if there is none."""
        for log in (self.private / FOLDER).glob("*.log"):
            for process in map(int, log.read_text().split()[1:2]):
                if Path(f"/proc/{process}").exists():
                    return process
        return 0

    def running(self) -> int:
        """The number of the resident process, which there is: 0 would name one's own group."""
        process = self.resident()
        assert process
        return process

    def end(self) -> None:
        if process := self.resident():
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.private)


@pytest.fixture
def student(kit: Path) -> Iterator[Kit]:
    made = Kit(kit)
    yield made
    made.end()


@pytest.fixture(scope="module")
def shared_kit(built_kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kit]:
    folder = tmp_path_factory.mktemp("stays")
    made = Kit(Path(shutil.copytree(built_kit, folder / "kit")))
    assert made.grade()[0] == 0
    yield made
    made.end()


def soon(happens: Callable[[], object]) -> bool:
    for _ in range(1000):
        if happens():
            return True
        time.sleep(0.02)
    return False


def family(process: int) -> list[int]:
    """A process and all that it has started, and what they have started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(one for child in map(int, children) for one in family(child))]


CHANGES: dict[str, Callable[[str], str]] = {  # of the student's file
    "none": str,
    "right": lambda text: solution(ASSIGNMENT),
    "wrong": lambda text: solution(ASSIGNMENT).replace(".mean(", ".sum("),
    "broken": lambda text: text + "\n)",
}


@pytest.mark.dear
@pytest.mark.parametrize("change", sampled(CHANGES))
def test_it_says_what_is_said_without_it(change: str, shared_kit: Kit) -> None:
    shared_kit.module.write_text(CHANGES[change](shared_kit.module.read_text()))
    process = shared_kit.resident()
    assert process
    answered, alone = shared_kit.grade(), shared_kit.grade(resident=False)
    assert answered == alone
    assert shared_kit.grade("--json") == shared_kit.grade("--json", resident=False)
    assert shared_kit.resident() == process


def in_terminal(kit: Kit, columns: int, resident: bool) -> str:
    """Return what is printed in a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = ("grade", "assignments", "--exercise", EXERCISE)
    run = kit.begin(*command, resident=resident, stdout=theirs)
    os.close(theirs)
    printed = b""
    with contextlib.suppress(OSError):  # what a terminal says when nobody writes to it any more
        while read := os.read(ours, 4096):
            printed += read
    os.close(ours)
    run.communicate(timeout=100)
    return printed.decode()


@pytest.mark.dear
def test_it_prints_for_the_terminal_of_who_asks(
    shared_kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    shared_kit.module.write_text(solution(ASSIGNMENT).replace(".mean(", ".sum("))
    shown = in_terminal(shared_kit, 50, resident=True)
    assert shown == in_terminal(shared_kit, 50, resident=False)
    assert shown != in_terminal(shared_kit, 80, resident=True)
    assert "\x1b[31m" in shown


@pytest.mark.dear
def test_wrong_arguments_are_refused_as_without_it(shared_kit: Kit) -> None:
    asked = ("grade", "assignments", "--exercise", "nothing_like_it")
    said = [shared_kit.begin(*asked, resident=it).communicate() for it in (True, False)]
    assert said[0] == said[1]
    assert "nothing_like_it" in said[0][1]


def test_it_tells_a_verdict_early(shared_kit: Kit) -> None:
    """`make watch` asks for an early verdict, to show it at once."""
    shared_kit.module.write_text(CHANGES["wrong"](solution(ASSIGNMENT)))
    text = (
        "from autograder.resident.verdicts import verdict\n"
        "seen = []\n"
        f"found = verdict({EXERCISE!r}, 3, 'assignments', early=seen.append)\n"
        "assert [one.outcomes for one in seen] == [found.outcomes], (seen, found)\n"
        "print(found.outcomes, len(seen[0].text) < len(found.text))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", text],
        cwd=shared_kit.folder,
        env=shared_kit.environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (run.stderr, run.stdout) == ("", f"{ ({EXERCISE: 'failed'}) } True\n")


@pytest.mark.dear
def test_the_next_verdict_has_its_child_already(shared_kit: Kit) -> None:
    shared_kit.grade()
    assert soon(lambda: len(family(shared_kit.running())) == 3)  # with the warm process
    *_, ahead = family(shared_kit.running())
    shared_kit.grade()
    assert soon(lambda: len(family(shared_kit.running())) == 3)
    assert ahead not in family(shared_kit.running())


@pytest.mark.dear
def test_two_ask_at_once(shared_kit: Kit) -> None:
    runs = [shared_kit.begin("grade", "assignments") for _ in range(4)]
    said = {run.communicate(timeout=100)[0] for run in runs}
    assert len(said) == 1
    assert "Score: " in said.pop()


@pytest.mark.dear
def test_two_start_it_at_once(student: Kit) -> None:
    runs = [student.begin("grade", "assignments", "--exercise", EXERCISE) for _ in range(3)]
    assert len({run.communicate(timeout=100)[0] for run in runs}) == 1
    assert student.resident()


@pytest.mark.dear
def test_two_kits_of_one_user_have_a_resident_grader_each(student: Kit, built_kit: Path) -> None:
    other = Kit(Path(shutil.copytree(built_kit, student.folder.parent / "other")), student.private)
    other.module.write_text(solution(ASSIGNMENT).replace(".mean(", ".sum("))
    student.module.write_text(solution(ASSIGNMENT))
    try:
        for _ in range(2):
            asked = [
                one.begin("grade", "assignments", "--exercise", EXERCISE)
                for one in (student, other)
            ]
            right, wrong = (run.communicate(timeout=100)[0] for run in asked)
            assert "passed" in right, right
            assert "failed" in wrong, wrong
        logs = [*(student.private / FOLDER).glob("*.log")]
        assert len({log.read_text().split()[1] for log in logs}) == len(logs) == 2
    finally:
        for log in (student.private / FOLDER).glob("*.log"):
            os.kill(int(log.read_text().split()[1]), signal.SIGKILL)


@pytest.mark.dear
def test_what_is_interrupted_ends_there_too(shared_kit: Kit) -> None:
    started = shared_kit.folder / "started"
    text = f"open({str(started)!r}, 'w').close()\nimport time\ntime.sleep(60)\n"
    shared_kit.module.write_text(text)
    run = shared_kit.begin("grade", "assignments", "--seconds", "100")
    assert soon(started.exists)
    run.send_signal(signal.SIGINT)
    assert "interrupted" in run.communicate(timeout=10)[1]
    assert run.returncode == 2
    process = shared_kit.resident()
    shared_kit.module.write_text(solution(ASSIGNMENT))
    begin = time.monotonic()
    assert "passed" in shared_kit.grade()[1]
    assert time.monotonic() - begin < 50, "it waited for what was interrupted"
    assert shared_kit.resident() == process


@pytest.mark.dear
def test_a_full_disk_under_the_output_is_told(shared_kit: Kit) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = shared_kit.begin("grade", "assignments", "--json", stdout=full.fileno())
        said = run.communicate(timeout=100)[1].splitlines()[-1]
    assert run.returncode == 3
    assert said.startswith("The output cannot be written: No space left on device.")


@pytest.mark.dear
@pytest.mark.parametrize("queued", [False, True])
def test_an_interrupted_command_prints_its_whole_document(queued: bool, shared_kit: Kit) -> None:
    """A command says what was graded, as without a resident grader, even while it waits."""
    table, started = shared_kit.folder / "t.csv", shared_kit.folder / "second"
    endless = f"open({str(started)!r}, 'w').close()\nwhile True: pass\n"
    before = [path.read_text() for path in (shared_kit.module, shared_kit.second)]
    shared_kit.module.write_text(solution(ASSIGNMENT))
    shared_kit.second.write_text(endless)
    asked = ("grade", "assignments", "--seconds", "100", "--json", "--csv", str(table))
    runs = [shared_kit.begin(*asked)]
    assert soon(started.exists)
    if queued:
        runs.insert(0, shared_kit.begin(*asked))
        time.sleep(1.0)  # until it is in the queue
    for run, graded in zip(runs, [0, 1][-len(runs) :], strict=True):
        run.send_signal(signal.SIGINT)
        stdout, stderr = run.communicate(timeout=20)
        found = json.loads(stdout)
        assert (run.returncode, found["complete"]) == (2, False)
        assert len(found["submissions"]) == graded
        said = (
            f"interrupted: 1 of {len(assignments())} were graded; see {table}.part"
            if graded
            else "nothing was"
        )
        assert said in stderr
    started.unlink()
    for path, text in zip((shared_kit.module, shared_kit.second), before, strict=True):
        path.write_text(text)


@pytest.mark.dear
def test_a_document_is_printed_once_if_the_resident_grader_is_lost(student: Kit) -> None:
    student.grade()
    started = student.folder / "second"
    text = f"import os, time\nif not os.path.exists({str(started)!r}):\n"
    text += f"    open({str(started)!r}, 'w').close()\n    time.sleep(60)\n"
    student.second.write_text(text)
    run = student.begin("grade", "assignments", "--seconds", "100", "--json")
    assert soon(started.exists)
    os.kill(student.running(), signal.SIGKILL)
    found = json.loads(run.communicate(timeout=100)[0])
    assert (len(found["submissions"]), found["complete"]) == (len(assignments()), True)


@pytest.mark.dear
def test_it_ends_when_it_is_told_to(student: Kit) -> None:
    student.grade()
    process = student.running()
    os.kill(process, signal.SIGTERM)
    assert soon(lambda: not Path(f"/proc/{process}").exists())


@pytest.mark.dear
@pytest.mark.parametrize("resident", [True, False])
def test_a_file_that_is_being_saved_is_graded_when_it_is_whole(
    resident: bool, shared_kit: Kit
) -> None:
    """An editor may call `make grade` while a slow disk still writes the file."""
    right = solution(ASSIGNMENT)
    shared_kit.module.write_text(right)
    said = shared_kit.grade(resident=resident)
    shared_kit.module.write_text("x = (\n")
    command = shared_kit.begin("grade", "assignments", "--exercise", EXERCISE, resident=resident)
    for written in range(30):
        shared_kit.module.write_text(f"x = (\n{right[:written]}")
        time.sleep(0.1)
    shared_kit.module.write_text(right)
    assert (command.wait(100), *command.communicate()) == said


@pytest.mark.dear
def test_after_it_was_killed_another_one_answers(student: Kit) -> None:
    said, first = student.grade(), student.running()
    os.kill(first, signal.SIGKILL)
    assert student.grade() == said
    assert student.resident() not in (0, first)


@pytest.mark.dear
def test_killed_while_it_answers_it_loses_nothing(student: Kit) -> None:
    student.grade()
    started = student.folder / "started"
    text = f"import os, time\nif not os.path.exists({str(started)!r}):\n"
    text += f"    open({str(started)!r}, 'w').close()\n    time.sleep(60)\n"
    student.module.write_text(text + solution(ASSIGNMENT).replace("from __future__", "# "))
    run = student.begin("grade", "assignments", "--exercise", EXERCISE, "--seconds", "100")
    assert soon(started.exists)
    os.kill(student.running(), signal.SIGKILL)
    assert "passed" in run.communicate(timeout=100)[0]


@pytest.mark.dear
def test_one_that_hangs_is_not_waited_for(student: Kit) -> None:
    student.grade()
    os.kill(student.running(), signal.SIGSTOP)
    code, stdout, _ = student.grade()
    assert (code, "Score: " in stdout) == (0, True)


@pytest.mark.dear
def test_an_interrupt_while_it_imports_is_not_waited_for_and_does_not_end_it(student: Kit) -> None:
    """It imports PyTorch for the first command, which takes seconds and cannot be stopped."""
    started, goes_on = (student.folder / one for one in "ab")
    last = student.folder / "autograder" / "diagnosis" / "line.py"
    with last.open("a") as imported:
        imported.write(f"import os, time\nopen({str(started)!r}, 'w').close()\n")
        imported.write(f"while not os.path.exists({str(goes_on)!r}):\n    time.sleep(0.05)\n")
    run = student.begin("grade", "assignments", "--exercise", EXERCISE, "--json")
    assert soon(started.exists)
    run.send_signal(signal.SIGINT)
    stdout, stderr = run.communicate(timeout=10)
    assert (run.returncode, stderr) == (2, "\ninterrupted: nothing was graded\n")
    assert json.loads(stdout)["complete"] is False
    process = student.running()
    goes_on.touch()
    assert "Score: " in student.grade()[1]
    assert student.resident() == process


@pytest.mark.dear
def test_a_laptop_that_slept_costs_no_points(student: Kit) -> None:
    """All processes stand still for longer than a submission may take, as after Ctrl-Z too."""
    student.grade()
    started = student.folder / "started"
    text = f"import time\nopen({str(started)!r}, 'w').close()\nend = time.process_time() + 0.5\n"
    text += "while time.process_time() < end: pass\n"
    student.module.write_text(text + solution(ASSIGNMENT).replace("from __future__", "# "))
    limits = ["--seconds", "1", "--budget", "3"]
    run = student.begin("grade", "assignments", "--exercise", EXERCISE, *limits)
    assert soon(started.exists)
    asleep = [run.pid, *family(student.running())]
    for process in asleep:
        os.kill(process, signal.SIGSTOP)
    time.sleep(4)
    for process in asleep:
        os.kill(process, signal.SIGCONT)
    stdout, _ = run.communicate(timeout=100)
    assert re.search(r"Score: (\d+)/\1 ", stdout), stdout


@pytest.mark.dear
def test_a_changed_kit_is_graded_by_a_new_one(student: Kit) -> None:
    student.grade()
    first = student.resident()
    wording = student.folder / "autograder" / "report" / "terminal.py"
    wording.write_text(wording.read_text().replace("Score: ", "Points: "))
    assert "Points: " in student.grade()[1]
    assert student.resident() not in (0, first)


@pytest.mark.dear
def test_what_a_kit_said_that_changed_meanwhile_is_said_by_a_new_one(student: Kit) -> None:
    student.grade()
    first, started, updated = student.resident(), *(student.folder / one for one in "ab")
    student.module.write_text(
        "import os, time\n"
        f"open({str(started)!r}, 'w').close()\n"
        f"while not os.path.exists({str(updated)!r}):\n    time.sleep(0.05)\n"
    )
    run = student.begin("grade", "assignments", "--exercise", EXERCISE, "--seconds", "100")
    assert soon(started.exists)
    wording = student.folder / "autograder" / "report" / "terminal.py"
    wording.write_text(wording.read_text().replace("Score: ", "Points: "))
    updated.touch()
    assert "Points: " in run.communicate(timeout=100)[0]
    assert student.resident() not in (0, first)


@pytest.mark.dear
def test_a_changed_recording_is_graded_by_a_new_one(student: Kit) -> None:
    student.grade()
    first = student.resident()
    recording = student.folder / "autograder" / "recorded" / f"{ASSIGNMENT}.traces"
    recording.write_bytes(recording.read_bytes() + b"\n")
    student.grade()
    assert student.resident() not in (0, first)


@pytest.mark.dear
def test_a_changed_secret_is_graded_by_a_new_one(tmp_path: Path) -> None:
    """An empty one is refused, as without a resident grader."""
    for name in ("autograder", "solutions", "assignments"):
        shutil.copytree(root() / name, tmp_path / "kit" / name)
    course = Kit(tmp_path / "kit")
    secret = course.folder / ".course-secret"
    try:
        processes = []
        for text in ("one", "another"):
            secret.write_text(text)
            assert course.grade()[0] == 0
            processes.append(course.resident())
        assert 0 not in processes
        assert processes[0] != processes[1]
        secret.write_text("")
        code, stdout, stderr = course.grade()
        assert (code, stdout) == (3, "")
        assert "is empty" in stderr
    finally:
        course.end()


@pytest.mark.dear
def test_it_ends_by_itself(student: Kit) -> None:
    serve = "from autograder.resident.serving import serve; serve(len, int, idle=0.3)"
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(student.private)}
    command = [sys.executable, "-c", serve]
    said = subprocess.check_output(command, cwd=student.folder, env=environment, timeout=60)
    assert re.fullmatch(rb"process \d+\s*", said)


@pytest.mark.dear
def test_one_that_outlives_a_logout_leaves_the_next_one_its_socket(student: Kit) -> None:
    serve = "from autograder.resident.serving import serve; serve(len, int, idle=3)"
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(student.private)}
    own, process = student.private / FOLDER, [sys.executable, "-c", serve]
    with subprocess.Popen(process, cwd=student.folder, env=environment) as running:
        assert soon(lambda: own.exists() and [path for path in own.iterdir() if path.is_socket()])
        [socket] = [path for path in own.iterdir() if path.is_socket()]
        shutil.rmtree(own)
        own.mkdir()
        socket.touch()
    assert running.returncode == 0
    assert socket.exists()


@pytest.mark.dear
@pytest.mark.parametrize("mode", sampled([0o755, 0o770], oct))
def test_a_folder_that_others_can_enter_is_not_used(mode: int, student: Kit) -> None:
    (student.private / FOLDER).mkdir()
    (student.private / FOLDER).chmod(mode)
    assert "Score: " in student.grade()[1]
    assert not list((student.private / FOLDER).iterdir())


@pytest.mark.skipif(os.getuid() != 0, reason="makes another user's folder")
@pytest.mark.dear
def test_a_folder_of_another_user_is_not_used(student: Kit) -> None:
    """Another user could have made the folder, to be asked in place of the resident grader."""
    (student.private / FOLDER).mkdir(0o700)
    os.chown(student.private / FOLDER, ANOTHER, ANOTHER)
    assert "Score: " in student.grade()[1]
    assert not list((student.private / FOLDER).iterdir())


@pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")
@pytest.mark.dear
def test_another_user_of_the_machine_has_a_resident_grader_of_their_own(shared_kit: Kit) -> None:
    shared_kit.private.chmod(0o1777)  # as /tmp is
    [socket] = [path for path in (shared_kit.private / FOLDER).iterdir() if path.is_socket()]

    def reach() -> str:
        os.setgroups([])
        os.setgid(ANOTHER)
        os.setuid(ANOTHER)
        os.environ["XDG_RUNTIME_DIR"] = str(shared_kit.private)
        own = Path(address().socket)
        assert own.parent.name == f"attention-grader-{ANOTHER}"
        assert own.parent.stat().st_mode & 0o777 == 0o700
        with pytest.raises(PermissionError):
            Client(str(socket), "AF_UNIX", b"")
        with pytest.raises(PermissionError):
            next(socket.parent.iterdir())
        return "out of reach"

    assert in_fork(reach) == "out of reach"
    assert shared_kit.grade()[0] == 0


def in_fork(function: Callable[[], str]) -> str:
    """Return what a function returns in a process of its own, or why it failed."""
    ours, theirs = Pipe()
    process = os.fork()
    if process == 0:
        try:
            theirs.send(function())
        except BaseException as problem:
            theirs.send(f"{type(problem).__name__}: {problem}")
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    said: str = ours.recv()
    return said


@pytest.mark.dear
def test_a_link_to_another_folder_is_not_used(student: Kit) -> None:
    (student.private / "elsewhere").mkdir(0o700)
    (student.private / FOLDER).symlink_to(student.private / "elsewhere")
    assert "Score: " in student.grade()[1]
    assert not list((student.private / "elsewhere").iterdir())


@pytest.mark.dear
def test_who_does_not_know_the_key_is_refused(shared_kit: Kit) -> None:
    [socket] = [path for path in (shared_kit.private / FOLDER).iterdir() if path.is_socket()]
    with pytest.raises(AuthenticationError):
        Client(str(socket), "AF_UNIX", b"not the key")
    said: list[tuple[int, str, str]] = []
    thread = threading.Thread(target=lambda: said.append(shared_kit.grade()))
    thread.start()
    thread.join()
    assert said[0][0] == 0


def test_one_out_of_reach_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one ends at once, since the address is taken; its socket is gone. This would hang."""
    monkeypatch.setattr(asking, "START_SECONDS", math.inf)
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(sys, "executable", shutil.which("true"))
    where = Address(str(tmp_path / "gone"), *(tmp_path / name for name in ("key", "lock", "log")))
    where.log.write_text("process 1")
    assert asking._started(where) is None
    assert where.log.read_text() == "process 1"  # that of the other one


@pytest.mark.dear
def test_a_disk_that_is_full_costs_the_speed_only(student: Kit) -> None:
    """The key cannot be written: there is a folder in its place."""
    student.grade()
    process = student.running()
    [key] = (student.private / FOLDER).glob("*.key")
    os.kill(process, signal.SIGKILL)
    key.unlink()
    key.mkdir()
    assert "Score: " in student.grade()[1]
    assert not student.resident()


@pytest.mark.dear
def test_a_locked_submission_is_not_its_work(student: Kit) -> None:
    code, stdout, _ = student.grade("--locked")
    assert (code, student.resident()) in ((0, 0), (3, 0))
    assert "unlocked" not in stdout


@pytest.mark.parametrize("folder", ["", "relative", "."])
def test_a_folder_for_sockets_that_is_relative_is_ignored(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path would mean another folder where the resident grader starts."""
    with tempfile.TemporaryDirectory() as short:  # the path of a socket is
        monkeypatch.setattr(tempfile, "tempdir", short)
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.chdir(root())
        assert Path(short) in address().key.parents


def test_a_path_too_long_for_a_socket_is_no_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A resident grader there would not be reached, and waited for."""
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with pytest.raises(NoAddress, match="too long"):
        address()
    assert asking.ask(["grade"]) is None


def test_who_reads_nothing_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A `make watch` that Ctrl-Z has stopped gets the whole answer when it goes on."""
    monkeypatch.setattr(serving, "SENDING", 0.1)
    near, far = Pipe()
    sent: list[dict[str, object]] = [{"text": "x" * 10_000_000}, {"code": 0}]
    with near, far:
        request = serving.Request(near, {})
        request.send(sent[0])
        request.end(sent[1])
        request.await_sent()
        assert [json.loads(far.recv_bytes()) for _ in sent] == sent


@pytest.mark.dear
def test_it_works_in_no_folder_that_is_to_be_moved(shared_kit: Kit) -> None:
    shared_kit.grade()
    for process in family(shared_kit.running()):
        folder = Path(os.readlink(f"/proc/{process}/cwd"))
        assert folder in (shared_kit.private / FOLDER, Path("/"))


def test_two_users_of_a_machine_with_windows_have_an_address_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    pipes = set()
    for user in "ab":
        (tmp_path / user).mkdir()
        monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / user))
        pipes.add(address().socket)
    assert len(pipes) == 2


@pytest.mark.parametrize("kind", CONTENTS)
def test_what_is_no_message_counts_as_no_answer(kind: str) -> None:
    """The caller then runs the command itself."""
    near, far = Pipe()
    with near, far:
        far.send_bytes(CONTENTS[kind])
        far.close()
        assert asking._run(near, {}, print) is None


@pytest.mark.dear
def test_an_interrupt_does_not_wait_for_a_grader_that_goes_on() -> None:
    """As one that imports torch; it is told, and it may end when it can."""
    near, far = Pipe()
    interrupting = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    ending = threading.Timer(30, far.close)  # so that no failure waits forever
    with near, far:
        for timer in (interrupting, ending):
            timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            asking._run(near, {}, print)
        assert time.monotonic() - begun < 10
        ending.cancel()
        assert [json.loads(far.recv_bytes()) for _ in range(2)] == [{}, wire.INTERRUPT]


@pytest.mark.parametrize("kind", [kind for kind in CONTENTS if kind != "another form"])
def test_what_is_no_message_is_no_request(kind: str) -> None:
    near, far = Pipe()
    far.send_bytes(CONTENTS[kind])
    server = serving.Server(lambda _: 0, lambda: None, ())
    server._listen(near)
    assert near.closed and server._waiting.empty()
    far.close()
