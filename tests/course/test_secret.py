"""The course secret is read from its file, made by one command and in no report."""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Command

from autograder import course
from autograder.course import editions, place, secret_file
from autograder.course.secret_file import NoSecret
from autograder.nbgrader import commands
from autograder.nbgrader.trouble import CannotRun, in_one_sentence
from autograder.report.as_json import document

MAKE = "make secret"
EMPTY = ["", "\n", " \t\r\n\n", "\u00a0\u2003\n", "\ufeff", "\x00\x00", "\u200b\n"]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a path for a course secret, where there is none yet."""
    monkeypatch.setattr(secret_file, "file", lambda: tmp_path / ".course-secret")
    secret_file._read.cache_clear()
    yield tmp_path / ".course-secret"
    secret_file._read.cache_clear()


class Terminal(io.StringIO):
    """A terminal at which somebody types."""

    def isatty(self) -> bool:
        return True


def test_the_instructors_secret_is_read_from_its_file(file: Path) -> None:
    before = course.secret(), course.edition()
    secret_file._read.cache_clear()
    file.write_text("ours alone\n", encoding="utf-8")
    assert before[0] == secret_file.DEFAULT
    assert course.secret() == "ours alone"
    assert course.edition() != before[1]


def test_a_change_of_its_file_can_be_seen(file: Path) -> None:
    seen = [course.secret_stamp()]
    for text in ("ours", "alone", ""):
        file.write_text(text, encoding="utf-8")
        seen.append(course.secret_stamp())
    assert seen[0] == ()
    assert len(set(seen)) == len(seen)


@pytest.mark.dear
def test_no_report_depends_on_the_secret(
    file: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The secret changes the edition, which no report shows, but not the fingerprint."""
    said, found = set(), set()
    for own in ("a", "b", "attention"):
        monkeypatch.setattr(editions, "secret", lambda own=own: own)
        found.add(course.edition())
        said.add(course.fingerprint())
        said.add(document([], locked=True, course=course.fingerprint()))
        shown = command("grade", "assignments/multi_head.py", "--json").stdout
        said.add(shown)
        assert not [edition for edition in found if edition[:6] in shown]
    assert len(found) == 3
    assert len(said) == 3


def test_the_fingerprint_tells_versions_of_the_course_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = course.fingerprint()
    (tmp_path / "another.py").write_text("# mended\n", encoding="utf-8")
    (tmp_path / "course.toml").write_text('title = "T"\nid = "i"\n', encoding="utf-8")
    monkeypatch.setattr(place, "folder", lambda: tmp_path)
    assert course.fingerprint() != before
    assert len(before) == len(course.fingerprint()) == 8


@pytest.mark.parametrize("text", EMPTY)
def test_an_empty_secret_is_refused_by_every_verb_that_wants_it(
    file: Path, command: Command, text: str, tmp_path: Path
) -> None:
    file.write_text(text, encoding="utf-8")
    for call in (
        ("grade", "assignments"),
        ("release",),
        ("audit",),
        ("nbgrader", "course", tmp_path / "course"),
        ("nbgrader", "autograde", "multi_head"),
    ):
        run = command(*call)
        assert (run.returncode, run.stdout) == (3, "")
        assert run.stderr == f"{secret_file.EMPTY.format(file, MAKE)}\n"
    assert not (tmp_path / "course").exists()


def test_what_cannot_be_read_is_refused(file: Path, tmp_path: Path) -> None:
    def refused(why: str) -> None:
        with pytest.raises(NoSecret, match=rf"cannot be read as the course secret \({why}\)"):
            course.secret()

    file.write_bytes(b"\xff\xfe\x00")
    refused("it is not UTF-8 text")
    file.unlink()
    file.mkdir()
    refused("it is a folder, not a file")
    file.rmdir()
    file.symlink_to(tmp_path / "not there")
    refused("No such file or directory")


def test_nbgraders_own_commands_say_it_in_one_sentence(file: Path) -> None:
    file.touch()
    with pytest.raises(CannotRun, match="is empty") as refused, in_one_sentence():
        course.edition()
    assert str(refused.value) == secret_file.EMPTY.format(file, MAKE)


@pytest.mark.dear
def test_doctor_says_which_secret_it_is(file: Path, command: Command) -> None:
    assert command("doctor").stderr == f"{secret_file.warning()}\n"
    file.write_text("ours alone", encoding="utf-8")
    assert command("doctor").stderr == ""
    secret_file._read.cache_clear()
    file.write_text(" ", encoding="utf-8")
    run = command("doctor")
    assert (run.returncode, run.stderr) == (3, f"{secret_file.EMPTY.format(file, MAKE)}\n")


def test_release_warns_of_the_default(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.kit.build.build", lambda target, done: target)
    assert command("release").stderr == f"{secret_file.warning()}\n"
    file.write_text("ours alone", encoding="utf-8")
    assert command("release").stderr == ""


def test_autograde_warns_of_the_default(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Nothing:
        staff = False

        def lines(self) -> list[str]:
            return ["nothing"]

    monkeypatch.setattr(commands, "_application", lambda folder, jobs: None)
    monkeypatch.setattr("autograder.nbgrader.autograde.autograde", lambda *_: Nothing())
    assert command("nbgrader", "autograde", "multi_head").stderr == f"{secret_file.warning()}\n"
    file.write_text("ours alone", encoding="utf-8")
    assert command("nbgrader", "autograde", "multi_head").stderr == ""


@pytest.fixture
def building(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the building of a course, which takes long."""
    monkeypatch.setattr("autograder.nbgrader.course_folder.build", lambda folder: [])


@pytest.mark.usefixtures("building")
def test_course_says_what_makes_a_secret(file: Path, command: Command) -> None:
    assert command("nbgrader", "course").stderr == f"{secret_file.warning()}\n"
    assert "call make secret, which" in secret_file.warning()
    assert not file.exists()


@pytest.mark.usefixtures("building")
@pytest.mark.parametrize(
    ("typed", "made"), [("y\n", True), ("Yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_course_asks_at_a_terminal(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch, typed: str, made: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    run = command("nbgrader", "course")
    assert run.returncode == 0
    assert "[y/N]" in run.stdout
    assert file.exists() is made
    assert ("wrote .course-secret" in run.stdout) is made


@pytest.mark.usefixtures("building")
def test_course_asks_nothing_where_there_is_one(
    file: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("ours alone", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    run = command("nbgrader", "course")
    assert "[y/N]" not in run.stdout
    assert run.stderr == ""


def test_another_course_is_told_what_makes_a_secret_of_its_own(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """make secret would write that of the kit."""
    folder = tmp_path / "my courses" / "solutions"
    shutil.copytree(place.root() / "tests" / "course" / "other_course" / "solutions", folder)
    monkeypatch.setenv(place.VARIABLE, str(folder))
    own = folder.parent / ".course-secret"
    called = f"call python -m autograder --course '{os.path.relpath(folder)}' secret"
    assert f"{called}, which writes your own into {os.path.relpath(own)}." in secret_file.warning()
    own.touch()
    with pytest.raises(NoSecret, match=re.escape(f"delete it and {called}.")):
        secret_file.read()
    own.unlink()
    run = command("--course", folder, "secret")
    assert run.stdout.startswith(f"wrote {os.path.relpath(own)}: keep it")
    assert own.exists()


def test_a_secret_is_made_once_and_only_its_owner_reads_it(file: Path, command: Command) -> None:
    assert course.secret() == secret_file.DEFAULT
    before = os.umask(0)
    try:
        run = command("secret")
    finally:
        os.umask(before)
    assert run.returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    own = course.secret()
    assert own not in run.stdout + run.stderr
    assert len(own) >= 40
    again = command("secret")
    assert (again.returncode, again.stderr) == (3, f"{secret_file.THERE.format(file)}\n")
    assert course.secret() == own


@pytest.mark.parametrize("kind", ["empty", "link"])
def test_nothing_is_overwritten(file: Path, command: Command, tmp_path: Path, kind: str) -> None:
    if kind == "link":
        file.symlink_to(tmp_path / "elsewhere")
    else:
        file.touch()
    assert command("secret").returncode == 3
    assert not (tmp_path / "elsewhere").exists()
    assert file.is_symlink() or file.read_bytes() == b""


def test_two_secrets_differ(file: Path) -> None:
    made = set()
    for _ in range(3):
        secret_file.write_own()
        made.add(course.secret())
        file.unlink()
    assert len(made) == 3
