"""The watch loop: one exercise at a time, at each save, and never further by itself."""

from __future__ import annotations

import io
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from autograder.cli.keys import in_parts, in_sequences, single_keys
from autograder.cli.watch import QUIT, SAVED, Early, Events, Watching, contents
from autograder.report.terminal import finished
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


def test_x_resets_only_when_pressed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, Path]] = []

    def reset(exercise: str, path: Path) -> Path:
        done.append((exercise, path))
        return Path("copy.py")

    monkeypatch.setattr("autograder.kit.reset.reset", reset)
    work = Work(a="failed")
    for key in ("x", "h", "x"):
        work.watching.press(key)
    assert not done and "Press x again" in work.shown[-1]
    work.watching.press("x")
    assert done == [("a", Path("a.py"))] and "copy.py" in work.shown[-1]


def test_what_a_key_says_fits_the_terminal() -> None:
    name = "an_exercise_whose_name_is_so_long"
    work = Work(**{name: "failed"})
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
    before = contents(tmp_path)
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "notes.txt").write_text("other")
    assert contents(tmp_path) == before
    (tmp_path / "b.py").write_text("x = 2")
    os.replace(tmp_path / "b.py", tmp_path / "a.py")  # as vim does
    assert contents(tmp_path) != before
    (tmp_path / "b.ipynb").mkdir()
    assert contents(tmp_path).keys() == {"a.py"}


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
    until(terminal, "q quit")
    stub = 'raise NotImplementedError("running_mean_loop is not written yet")'
    right = "return torch.stack([x[:, : t + 1].mean(1) for t in range(x.shape[1])], 1)"
    unfinished = module.with_suffix(".swp")
    unfinished.write_text(text.replace(stub, right))
    os.replace(unfinished, module)
    assert "running_mean_loop        passed" in until(terminal, "Press n for the next exercise.")
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
