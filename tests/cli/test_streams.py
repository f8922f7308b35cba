"""A place that cannot be written is told in one sentence, whatever the place is."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Command, sampled

from autograder.course import root

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="has /dev/full")

MODULE = "assignments/multi_head.py"
FULL = (
    "The output cannot be written: No space left on device. Free some space, then repeat the "
    "command.\n"
)


def in_shell(more: str, *arguments: str) -> tuple[int, str, str]:
    """Run a command in a shell, with streams as in `more`."""
    line = f"{shlex.join([sys.executable, '-m', 'autograder', *arguments])} {more}"
    run = subprocess.run(line, shell=True, cwd=root(), capture_output=True, text=True, timeout=120)
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize("asked", [["grade", MODULE], ["grade", MODULE, "--json"], ["doctor"]])
def test_a_full_disk_under_the_output(
    asked: list[str], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.sandbox.doctor.features", lambda: iter(()))
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        print("what a verb has printed, in the buffer")
        run = command(*asked)
    assert (run.returncode, run.stderr.endswith(FULL)) == (3, True)
    assert "Traceback" not in run.stderr


def test_a_full_disk_at_the_end_of_the_process() -> None:
    assert in_shell(">/dev/full", "--help") == (3, "", FULL)


@pytest.mark.dear
@pytest.mark.parametrize("closed", sampled([">&-", "2>&-", "<&- >&- 2>&-", "2>/dev/full"]))
def test_streams_that_are_closed_or_full(closed: str) -> None:
    """A command that finds no work ends with code 4 and no traceback, whatever its streams are."""
    for asked, code in (["submit"], 4), (["grade", "nowhere"], 4):
        got, stdout, stderr = in_shell(closed, *asked)
        assert (got, "Traceback" in stderr + stdout) == (code, False)
    assert ">&-" in closed.split() or "nowhere" in stdout


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_closed_stays_free_of_files(number: int) -> None:
    """A file with the number of a stream would receive what is printed."""
    program = (
        "import os, sys; from autograder.report.streams import print_anything; print_anything(); "
        f"print('x', file=(sys.stdout, sys.stderr)[{number - 1}], flush=True); "
        f"sys.exit(os.readlink('/proc/self/fd/{number}') != os.devnull)"
    )
    line = f"{shlex.join([sys.executable, '-c', program])} {number}>&-"
    assert subprocess.run(line, shell=True, cwd=root()).returncode == 0


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"rmdir {shlex.quote(str(gone))} && {shlex.quote(sys.executable)} -m autograder submit"
    run = subprocess.run(line, shell=True, cwd=gone, capture_output=True, text=True)
    said = "The current folder no longer exists: change to another one.\n"
    assert (run.returncode, run.stdout, run.stderr) == (4, "", said)


@pytest.mark.parametrize("path", [".", "/", "..", "tests"])
def test_a_table_in_place_of_a_folder(path: str, command: Command) -> None:
    run = command("grade", MODULE, "--csv", path)
    assert (run.returncode, run.stdout) == (4, "")
    assert run.stderr.startswith(f"{path} would be lost: ")


@pytest.mark.parametrize("option", ["--csv", "--html"])
def test_a_file_in_place_of_a_folder(option: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "deeper" / "x"
    run = command("grade", MODULE, option, path)
    said = f"{path} cannot be made: {tmp_path / 'file'} is no folder. Name another place.\n"
    assert (run.returncode, run.stdout, run.stderr) == (4, "", said)


def test_pages_in_a_folder_that_nobody_may_read(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refused)
    run = command("grade", MODULE, "--html", tmp_path)
    said = f"{tmp_path} cannot be read: Permission denied. Name another place.\n"
    assert (run.returncode, run.stdout, run.stderr) == (4, "", said)
