"""The watch loop: one exercise at a time, at each save, and never further by itself."""

from __future__ import annotations

import io
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest
from conftest import Command

from autograder import plain_file
from autograder.checking.collect import collect
from autograder.cli.keys import in_parts, in_sequences, single_keys
from autograder.cli.saves import QUIET, Saves
from autograder.cli.watch import BEGINS, CLEAR, KEYS, QUIT, SAVED, Events, keys_line
from autograder.cli.watching import Early, Watching
from autograder.course import root, skeleton
from autograder.report.feedback import finished
from autograder.report.streams import Screen
from autograder.resident.verdicts import Verdict


class Work:
    """A student's work as the grader sees it, and what was shown of it."""

    def __init__(self, **outcomes: str) -> None:
        self.outcomes = outcomes
        self.shown: list[str] = []
        self.asked: list[tuple[str, int]] = []
        self.watching = Watching(self.ask, self.shown.append)
        self.watching.begin()

    def ask(self, exercise: str, hints: int, early: Early | None) -> Verdict:
        self.asked.append((exercise, hints))
        chosen = {exercise: self.outcomes[exercise]} if exercise else dict(self.outcomes)
        return Verdict(
            f"verdict on {exercise or 'all'}", "", False, chosen, {n: f"{n}.py" for n in chosen}
        )


def test_it_begins_with_the_first_that_does_not_pass() -> None:
    work = Work(a="passed", b="failed", c="missing")
    assert work.watching.exercise == "b"
    assert work.shown == ["b in b.py\n\nverdict on b"]


def test_a_save_shows_the_same_exercise_even_if_it_passes() -> None:
    work = Work(a="failed", b="missing")
    work.outcomes["a"] = "passed"
    work.watching.saved()
    assert work.watching.exercise == "a"
    assert work.shown[-1].endswith("It passes. Press n for the next exercise.")


def test_n_goes_on_and_begins_again_after_the_last() -> None:
    work = Work(a="failed", b="passed", c="missing")
    seen = []
    for _ in range(3):
        work.watching.press("n")
        seen.append(work.watching.exercise)
    assert seen == ["c", "a", "c"]


def test_h_shows_one_hint_more_each_time_until_the_next_save() -> None:
    work = Work(a="failed")
    for _ in range(4):
        work.watching.press("h")
    work.watching.saved()
    assert [hints for name, hints in work.asked if name == "a"] == [1, 2, 3, 3, 3, 1]


def test_who_wants_to_think_first_begins_with_no_hint() -> None:
    work = Work(a="failed")
    watching = Watching(work.ask, work.shown.append, hints=0)
    watching.begin()
    watching.press("h")
    watching.saved()
    assert [hints for name, hints in work.asked[2:] if name == "a"] == [0, 1, 0]


@pytest.mark.parametrize("key", ["l", "c"])
def test_the_list_is_of_all_and_the_exercise_stays(key: str) -> None:
    work = Work(a="failed", b="missing")
    work.watching.press(key)
    assert (work.shown[-1], work.watching.exercise) == ("verdict on all", "a")


def test_what_is_known_early_is_shown_before_the_whole_verdict() -> None:
    def ask(exercise: str, hints: int, early: Early | None) -> Verdict:
        if early:
            early(Verdict("its name", "", True, {"a": "failed"}, {"a": "a.py"}))
        return Verdict("its name, an example", "", False, {"a": "failed"}, {"a": "a.py"})

    shown: list[str] = []
    Watching(ask, shown.append).begin()
    assert shown == ["a in a.py\n\nits name", "a in a.py\n\nits name, an example"]


def test_when_all_pass_it_says_what_to_do() -> None:
    work = Work(a="passed")
    assert work.shown == ["\n".join(finished())]
    work.outcomes["a"] = "failed"
    work.watching.saved()
    assert work.watching.exercise == "a"


def test_no_verdict_says_why() -> None:
    shown: list[str] = []
    watching = Watching(lambda *_: Verdict("No file can be read."), shown.append)
    watching.begin()
    assert shown == ["No file can be read."]


@pytest.fixture
def was_reset(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Path]]:
    """What was reset, without changing anything."""
    done: list[tuple[str, Path]] = []

    def reset(exercise: str, path: Path) -> Path:
        done.append((exercise, path))
        return Path("copy.py")

    monkeypatch.setattr("autograder.kit.reset.reset", reset)
    return done


def test_only_y_right_after_x_resets(was_reset: list[tuple[str, Path]]) -> None:
    """Keys wait while a verdict is made, and one that is held repeats itself."""
    work = Work(a="failed")
    for key in ("y", "x", "x", "x", "h", "y", "x"):
        work.watching.press(key)
    work.watching.saved()
    work.watching.press("y")
    assert not was_reset
    work.watching.press("x")
    assert "Press y" in work.shown[-1]
    work.watching.press("y")
    assert was_reset == [("a", Path("a.py"))] and "copy.py" in work.shown[-1]


def test_where_the_copy_is_stays_above_the_verdict_that_follows(
    was_reset: list[tuple[str, Path]],
) -> None:
    work = Work(a="failed")
    for key in "xy":
        work.watching.press(key)
    work.watching.saved()
    assert "copy.py" in work.shown[-1] and work.shown[-1].endswith("verdict on a")
    work.watching.saved()
    assert work.shown[-1] == "a in a.py\n\nverdict on a"


def test_where_the_copy_is_is_told_above_no_other_exercise(
    was_reset: list[tuple[str, Path]],
) -> None:
    """One that was as at the beginning is not saved by a reset, so no verdict follows."""
    work = Work(a="failed", b="failed")
    for key in "xyn":
        work.watching.press(key)
    assert was_reset and work.shown[-1] == "b in b.py\n\nverdict on b"


def test_a_key_asks_for_no_early_verdict_which_would_take_the_example_away() -> None:
    """With the last hint the line of the mistake is sought, which may take long."""
    asked: list[tuple[int, bool]] = []

    def ask(exercise: str, hints: int, early: Early | None) -> Verdict:
        if exercise:
            asked.append((hints, early is not None))
        return Verdict("", "", False, {"a": "failed"}, {"a": "a.py"})

    watching = Watching(ask, lambda text: None)
    watching.begin()
    for _ in range(3):
        watching.press("h")
    assert asked == [(1, True), (2, False), (3, True), (3, False)]


def test_it_imports_no_pytorch_which_no_interrupt_can_stop() -> None:
    program = (
        "import sys; from autograder.cli.watching import Watching, Verdict; "
        "Watching(lambda *_: Verdict('', outcomes={'a': 'passed'}), print).begin(); "
        "print('torch' in sys.modules)"
    )
    run = [sys.executable, "-c", program]
    said = subprocess.run(run, cwd=root(), capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [*finished(), "False"]


def test_what_a_key_says_fits_the_terminal() -> None:
    name = "an_exercise_whose_name_takes_half_a_line"
    work = Work(**{name: "failed"})
    assert max(map(len, work.shown[-1].splitlines())) <= 80
    work.watching.press("x")
    assert name in work.shown[-1]
    assert max(map(len, work.shown[-1].splitlines())) <= 80


def test_other_keys_do_nothing() -> None:
    work = Work(a="failed")
    work.watching.press("z")
    assert len(work.shown) == 1


def test_contents_tell_a_save_that_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "notes.txt").write_text("mine")
    saves = Saves(tmp_path)
    before = saves.contents()
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "notes.txt").write_text("other")
    assert saves.contents() == before
    (tmp_path / "b.py").write_text("x = 2")
    os.replace(tmp_path / "b.py", tmp_path / "a.py")  # as vim does
    assert saves.contents() != before
    (tmp_path / "b.ipynb").mkdir()
    assert saves.contents().keys() == {"a.py"}


@pytest.mark.parametrize("name", ["helpers/masks.py", "A.PY", "a.ipynb.txt", "one/two/three/a.py"])
def test_what_is_graded_is_watched(name: str, tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    for ignored in (".venv", ".git", "__pycache__", ".ipynb_checkpoints", "one/two/three/four"):
        (tmp_path / ignored).mkdir(parents=True)
        (tmp_path / ignored / "a.py").write_text("x = 1")
    assert not saves.contents()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("x = 1")
    assert [*saves.contents()] == [name]


def seen(saves: Saves) -> bool:
    """Whether a save is seen soon."""
    waiting = threading.Thread(target=saves.wait, daemon=True)
    waiting.start()
    waiting.join(10)
    return not waiting.is_alive()


def test_a_save_right_after_the_start_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    saves = Saves(tmp_path)
    (tmp_path / "a.py").write_text("x = 2")
    assert seen(saves)


@pytest.mark.dear
def test_saves_are_seen_after_the_folder_was_away(tmp_path: Path) -> None:
    """A folder is away while git changes to another branch, or a program fetches it again."""
    folder = tmp_path / "assignments"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1")
    saves = Saves(folder)
    folder.rename(tmp_path / "elsewhere")
    assert seen(saves)
    (tmp_path / "elsewhere").rename(folder)
    assert seen(saves)
    (folder / "a.py").write_text("x = 2")
    assert seen(saves)


def test_a_disk_that_fails_for_a_moment_ends_no_watching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    saves = Saves(tmp_path)
    with monkeypatch.context() as failing:
        failing.setattr("autograder.cli.saves.listed", Mock(side_effect=OSError))
        assert seen(saves)
    assert seen(saves)


@pytest.mark.parametrize("missing", [False, True])
def test_saves_are_seen_where_the_system_tells_of_none(
    missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saves are seen though the system watches no more folders, or watchfiles is not installed."""
    monkeypatch.setattr("watchfiles.watch", Mock(side_effect=RuntimeError))
    if missing:
        monkeypatch.setitem(sys.modules, "watchfiles", None)
    saves = Saves(tmp_path)
    waiting = threading.Timer(0.5, (tmp_path / "a.py").write_text, ["x = 1"])
    waiting.start()
    assert seen(saves)


def test_folders_of_what_is_graded_are_watched_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link may lead to millions of files, and libraries have thousands of folders."""
    folder = tmp_path / "assignments"
    for one in (folder / "helpers", folder / ".venv", folder / "data", tmp_path / "elsewhere"):
        one.mkdir(parents=True)
        (one / ("x.csv" if one.name == "data" else "x.py")).touch()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    watch = Mock(side_effect=lambda *_, **__: iter([None]))
    monkeypatch.setattr("watchfiles.watch", watch)
    saves = Saves(folder)
    (folder / "helpers" / "x.py").write_text("x = 1")
    assert seen(saves)
    waiting = threading.Timer(0.2, (folder / "helpers" / "x.py").write_text, ["x = 2"])
    waiting.start()
    assert seen(saves)
    assert {*watch.call_args.args} == {folder, folder / "helpers"}
    assert watch.call_args.kwargs["recursive"] is False


def test_a_disk_on_which_times_are_rounded_hides_no_save(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1")
    rounded = int(time.time()) // 2 * 2
    os.utime(path, (rounded, rounded))
    saves = Saves(tmp_path)
    path.write_text("x = 2")
    os.utime(path, (rounded, rounded))
    assert seen(saves)


def test_a_file_that_stays_as_it_is_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1")
    os.utime(path, (0, 0))
    saves = Saves(tmp_path)
    before = saves.contents()
    monkeypatch.setattr("autograder.plain_file.read", Mock(side_effect=AssertionError))
    assert saves.contents() == before


def in_pieces(path: Path, text: str, cuts: Sequence[int]) -> threading.Thread:
    """Write a text in the time of a slow editor: the file is emptied at once, and then grows."""

    def write() -> None:
        with path.open("w", encoding="utf-8") as file:
            for first, last in itertools.pairwise([0, *cuts, len(text)]):
                time.sleep(0.3 / (len(cuts) + 1))
                file.write(text[first:last])
                file.flush()

    writing = threading.Thread(target=write)
    writing.start()
    return writing


MODULE = skeleton("running_averages")
CELLS = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
AFTER_TWO = MODULE.index("def running_mean_softmax")  # where a module is Python, but lacks one


@pytest.mark.parametrize(
    ("name", "text", "cuts"),
    [
        ("running_averages.py", MODULE, []),
        ("running_averages.py", MODULE, [AFTER_TWO]),
        ("running_averages.py", MODULE, [100, AFTER_TWO - 1, len(MODULE) - 9]),
        ("running_averages.ipynb", CELLS, [20, 40]),
        ("helpers.py", "def f(x):\n    return x + 1000\n", [len("def f(x):\n    return x + 10")]),
        ("helpers.py", "x = [\n    1,\n]\n", [len("x = [\n    1,\n")]),
        ("helpers.py", "é = 1\n", [1]),
    ],
)
def test_a_file_that_is_written_slowly_counts_when_it_is_whole(
    name: str, text: str, cuts: list[int], tmp_path: Path
) -> None:
    """Some editors, and disks in a network, write a file in pieces."""
    path = tmp_path / name
    path.write_text(f"{text}\n" if name.endswith(".ipynb") else f"{text}# old\n", encoding="utf-8")
    saves = Saves(tmp_path)
    writing = in_pieces(path, text, cuts)
    assert seen(saves)
    found = path.read_text(encoding="utf-8")
    writing.join()
    assert found == text


def test_a_file_counts_when_it_is_there_again(tmp_path: Path) -> None:
    """Some editors move the old one away first."""
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    saves = Saves(tmp_path)
    path.unlink()
    writing = threading.Timer(0.2, path.write_text, ["x = 2\n"])
    writing.start()
    assert seen(saves) and path.read_text() == "x = 2\n"


@pytest.mark.parametrize("kept", ["x = 2\n", "x = (\n", "", None])
def test_a_file_that_stays_half_counts_soon_and_a_whole_one_at_once(
    kept: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    saves = Saves(tmp_path)
    if kept is None:
        path.unlink()
    else:
        path.write_text(kept)
    begun = time.monotonic()
    assert seen(saves)
    lasted = time.monotonic() - begun
    assert (lasted > QUIET) == (kept != "x = 2\n")


@pytest.mark.dear
@pytest.mark.parametrize("changing", ["other.py", "half.py"])
def test_the_wait_for_a_half_file_ends_however_often_files_change(
    changing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quiet time is that of the half file alone, and it is not waited for without end."""
    monkeypatch.setattr("autograder.cli.saves.LONGEST", 2.0)
    (tmp_path / "half.py").write_text("x = (\n")
    (tmp_path / "other.py").write_text("x = 1\n")
    ended = threading.Event()

    def write() -> None:
        for number in itertools.count():
            if ended.wait(0.1):
                return
            (tmp_path / changing).write_text(f"x = {number}\n{'(' * (changing == 'half.py')}\n")

    writing = threading.Thread(target=write)
    writing.start()
    try:
        begun = time.monotonic()
        waiting = threading.Thread(target=Saves(tmp_path).wait_for_the_last, daemon=True)
        waiting.start()
        waiting.join(8)
        lasted = time.monotonic() - begun
    finally:
        ended.set()
        writing.join()
    assert QUIET < lasted < (1.9 if changing == "other.py" else 4)


def test_few_looks_are_taken_at_a_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("x = (\n")
    saves = Saves(tmp_path)
    looks = Mock(side_effect=saves.contents)
    monkeypatch.setattr(saves, "contents", looks)
    saves.wait_for_the_last()
    assert 2 < looks.call_count < 12


def test_a_file_that_an_editor_has_locked_counts_when_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, a file cannot be read while an editor has locked it."""
    path, read = tmp_path / "a.py", plain_file.read
    path.write_text("x = 1\n")
    free = time.monotonic() + 0.25

    def locked(path: Path, most: int) -> bytes:
        if time.monotonic() < free:
            raise PermissionError(13, "Permission denied")
        return read(path, most)

    monkeypatch.setattr(plain_file, "read", locked)
    Saves(tmp_path).wait_for_the_last()
    assert time.monotonic() > free


def test_a_command_waits_for_the_end_of_a_save(tmp_path: Path) -> None:
    """An editor may call `make grade` while it still saves a file."""
    path = tmp_path / "helpers.py"
    path.write_text("x = 1\n")
    writing = in_pieces(path, "x = 20\n", [5])
    time.sleep(0.05)
    Saves(tmp_path).wait_for_the_last()
    found = path.read_text()
    writing.join()
    assert found == "x = 20\n"
    os.utime(path, (0, 0))
    begun = time.monotonic()
    Saves(tmp_path).wait_for_the_last()
    assert time.monotonic() - begun < QUIET


@pytest.mark.dear
def test_once_prints_one_verdict_and_ends(process: Command) -> None:
    """As `make next` calls it."""
    run = process("watch", "--once")
    name, home = next(iter(collect().homes().items()))
    assert run.stdout.startswith(f"{name} in assignments/{home}.py\n\n○ {name} ")
    assert run.stdout.count(" missing ") == 1
    assert CLEAR not in run.stdout and not any(key in run.stdout for key in KEYS)
    assert (run.returncode, run.stderr) == (0, "")


def test_what_is_said_below_a_verdict_fits_into_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autograder.cli.watching.screen", lambda: Screen(False, 40))
    work = Work(a="failed")
    work.outcomes["a"] = "passed"
    work.watching.saved()
    assert work.shown[-1].endswith("\n\nIt passes. Press n for the next\nexercise.")


@pytest.mark.parametrize("columns", [80, 57, 40, 20, 12])
def test_what_keys_do_fits_into_the_terminal(columns: int) -> None:
    lines = keys_line(columns).split("\n")
    assert [key for line in lines for key in line.split("   ")] == [*KEYS]
    assert max(map(len, lines)) <= columns
    assert (len(lines) == 1) is (columns >= 56)


def test_without_a_terminal_it_says_what_to_call(command: Command) -> None:
    run = command("watch")
    assert run.stderr == "make watch needs a terminal. Call make next, or make grade.\n"
    assert (run.returncode, run.stdout) == (4, "")


@pytest.mark.dear
@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminal")
def test_at_a_terminal_a_save_is_seen_and_q_ends_it(kit: Path) -> None:
    import pty

    module = kit / "assignments" / "running_averages.py"
    text = module.read_text()
    private = tempfile.mkdtemp(prefix="kit-")
    ours = ("PYTHON", "PYTEST", "AUTOGRADER")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    process, terminal = pty.fork()
    if not process:
        os.chdir(kit)
        environment = {**kept, "XDG_RUNTIME_DIR": private, "AUTOGRADER_RESIDENT": "0"}
        os.execve(sys.executable, [sys.executable, "-m", "autograder", "watch"], environment)
    assert BEGINS in until(terminal, "running_mean_loop in ")
    stub = 'raise NotImplementedError("running_mean_loop is not written yet")'
    right = "return torch.stack([x[:, : t + 1].mean(1) for t in range(x.shape[1])], 1)"
    unfinished = module.with_suffix(".swp")
    unfinished.write_text(text.replace(stub, right))
    os.replace(unfinished, module)
    shown = until(terminal, "Press n for the next exercise.")
    assert "running_mean_loop        \x1b[32mpassed" in shown
    os.write(terminal, b"n")
    until(terminal, "running_mean_matmul in ")
    os.write(terminal, b"q")
    assert os.waitpid(process, 0)[1] == 0


ARROWS = "\x1b[C\x1b[H\x1bOQ\x1b[15~\x1b[1;5D\x1b[[A\x1bh\x1b\x1b[C"


@pytest.mark.parametrize(
    ("pieces", "pressed"),
    [
        (["H", "qn"], "hqn"),
        ([ARROWS], ""),
        ([f"x{ARROWS}y"], "xy"),
        (["\x1b", "[C", "\x1b[", "15~", "\x1bO", "Q", "q"], "q"),
        (["\x1b", "q"], "q"),
        (["\x1b", "\x1b", "\x1b[C", "q"], "q"),
    ],
)
def test_keys_that_send_several_characters_are_no_letters(pieces: list[str], pressed: str) -> None:
    assert "".join(in_sequences(pieces)) == pressed


def test_on_windows_keys_in_two_parts_are_no_letters_and_ctrl_c_interrupts() -> None:
    assert "".join(in_parts("H\xe0Mn\0;q")) == "hnq"
    with pytest.raises(KeyboardInterrupt):
        "".join(in_parts("\x03"))


@pytest.mark.skipif(sys.platform == "win32", reason="has no job control")
def test_keys_come_without_enter_after_ctrl_z_and_fg_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile the shell has set the terminal as it needs it."""
    terminal = Mock()
    for name in ("termios.tcgetattr", "termios.tcsetattr", "tty.setcbreak"):
        monkeypatch.setattr(name, getattr(terminal, name.partition(".")[2]))
    before = signal.getsignal(signal.SIGCONT)
    with single_keys():
        terminal.reset_mock()
        signal.raise_signal(signal.SIGCONT)
        terminal.setcbreak.assert_called_once_with(0)
    assert signal.getsignal(signal.SIGCONT) == before


def type_and_leave(events: Events, keys: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press keys in a terminal that is gone after them."""
    typed = io.BytesIO(keys)
    monkeypatch.setattr("os.read", lambda *_: typed.read(1))
    events.note_keys()


def test_a_terminal_that_is_gone_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events()
    type_and_leave(events, b"H", monkeypatch)
    assert [events.next(), events.next()] == ["h", QUIT]


def test_of_saves_that_wait_one_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events()
    for _ in range(3):
        events.note_save()
    type_and_leave(events, b"n", monkeypatch)
    assert [events.next() for _ in range(3)] == [SAVED, "n", QUIT]
    events.note_save()
    assert events.next() == SAVED


def until(terminal: int, text: str) -> str:
    """Read what a terminal shows until a text appears."""
    read = ""
    while text not in read:
        read += os.read(terminal, 10_000).decode(errors="replace")
    time.sleep(0.1)
    return read
