"""Tests with a course in use, a locked gradebook and a full disk: one message, no partial work."""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, contents, points, points_by_exercise
from course_in_nbgrader import (
    Nbgrader,
    decide,
    generate,
    grade_nothing,
    hand_in,
    job,
    nbgrader_in,
)
from nbconvert.writers.files import FilesWriter
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI

from autograder import whole_file
from autograder.classroom.jobs import Job
from autograder.classroom.results import GradingSettings
from autograder.course import secret_file, solution
from autograder.nbgrader import preparing, process, trouble
from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde
from autograder.nbgrader.exclusive import exclusive
from autograder.nbgrader.places import places_of
from autograder.nbgrader.process import Order
from autograder.nbgrader.trouble import CannotRun
from autograder.submissions import choosing
from autograder.submissions.submission_files import SubmissionFiles

pytestmark = pytest.mark.skipif(os.name != "posix", reason="has no such files, and no lock")
NAME = "running_averages"
FULL = {name: (most, most) for name, most in points_by_exercise(NAME).items()}
SCORES = {"anna": points(NAME), "ben": points(NAME)}
TIME = "2026-01-01 10:00:00 UTC"
LONGER = 6.0  # seconds: SQLite alone gives up after five


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, built_course: Path) -> Path:
    """Make a course with submissions of anna and ben, graded but not autograded."""
    folder = shutil.copytree(built_course, tmp_path_factory.mktemp("trouble") / "course")
    app = application(folder)
    released = generate(app, NAME)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("autograder.nbgrader.intake.edition", lambda: "one")
        for student in ("anna", "ben"):
            place = hand_in(app, student, released)
            (place / "timestamp.txt").write_text(TIME)
        decide(app, job(app, "anna", NAME), FULL)
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy that course; its results exist, so grading starts no process."""
    monkeypatch.setattr("autograder.nbgrader.intake.edition", lambda: "one")
    grade_nothing(monkeypatch)
    return shutil.copytree(built, tmp_path / "course")


@pytest.fixture
def nbgrader(folder: Path) -> Nbgrader:
    return nbgrader_in(folder)


def scores(folder: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "attention") as gradebook:
        return {one.student.id: one.score for one in gradebook.find_assignment(NAME).submissions}


def times(folder: Path) -> list[str]:
    return [path.read_text() for path in folder.glob(f"autograded/*/{NAME}/timestamp.txt")]


@pytest.mark.dear
@pytest.mark.parametrize("own", ["", "ours alone"])
def test_a_secret_that_is_published_is_warned_of(
    own: str, folder: Path, nbgrader: Nbgrader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By nbgrader's own command too, and by the formgrader's button."""
    file = tmp_path / ".course-secret"
    monkeypatch.setattr(secret_file, "file", lambda: file)
    if own:
        file.write_text(own, encoding="utf-8")
    app = application(folder)
    pressed = NbGraderAPI(app.coursedir, parent=app).autograde(NAME, "anna")
    assert pressed["success"]
    for said in (pressed["log"], nbgrader("autograde", NAME)):
        assert (secret_file.warning() in said) is (not own)


# One command at a time


@pytest.mark.dear
def test_a_course_in_use_says_by_whom(folder: Path, nbgrader: Nbgrader, command: Command) -> None:
    at = ("--course", folder)
    with exclusive(folder, f"autograde of {NAME}"):
        before = contents(folder)
        said = f"The course is in use by autograde of {NAME} (process {os.getpid()} of "
        for verb in ("autograde", "generate_assignment", "generate_feedback"):
            logged = nbgrader(verb, NAME)
            assert said in logged
            assert "Traceback" not in logged
            assert logged.endswith("ended with 1\n")
        for arguments in (("autograde", NAME, *at), ("regrade", NAME, *at), ("undo", *at)):
            done = command("nbgrader", *arguments)
            assert (done.returncode, done.stdout) == (3, "")
            assert done.stderr.startswith(said)
        app = application(folder)
        pressed = NbGraderAPI(app.coursedir, parent=app).autograde(NAME, "anna")
        assert not pressed["success"]
        assert said in pressed["error"]
        assert contents(folder) == before
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert times(folder) == [TIME, TIME]


@pytest.mark.dear
@pytest.mark.parametrize("ending", [".ipynb", ".py"])
def test_a_run_reads_a_submission_once_to_know_it_and_once_to_grade_it(
    ending: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later run does not read it, nor is it read again since a notebook is added to a module."""
    work = folder / "submitted" / "anna" / NAME
    if ending == ".py":
        app = application(folder)
        (work / f"{NAME}.py").write_text(solution(NAME), encoding="utf-8")
        (work / f"{NAME}.ipynb").unlink()
        preparing.add_notebook(places_of(app.coursedir), "anna", NAME)
        decide(app, job(app, "anna", NAME), FULL)
        (work / f"{NAME}.ipynb").unlink()
    read: list[str] = []
    opened = choosing.opened

    def noted(place: Path, assignment: str) -> SubmissionFiles:
        read.append(place.parent.name)
        return opened(place, assignment)

    monkeypatch.setattr(choosing, "opened", noted)
    for times_read in (2, 0):
        read.clear()
        assert "anna" in autograde(application(folder), NAME, "*", force=False).graded
        assert read.count("anna") == times_read


def test_a_process_that_is_killed_leaves_the_course(folder: Path) -> None:
    far, near = os.pipe()
    child = os.fork()
    if child == 0:
        with exclusive(folder, "autograde"):
            os.write(near, b"in")
            time.sleep(60)
        os._exit(0)
    assert os.read(far, 2) == b"in"
    with pytest.raises(CannotRun, match=f"process {child} of"), exclusive(folder, "undo"):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with exclusive(folder, "undo"):
        pass


# A gradebook that another program writes to


@contextmanager
def locked(folder: Path) -> Iterator[sqlite3.Connection]:
    """Hold a write lock on the gradebook like another program."""
    other = sqlite3.connect(folder / "gradebook.db", check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield other
    finally:
        other.close()


@pytest.mark.dear
def test_nbgrader_waits_for_its_gradebook(folder: Path, nbgrader: Nbgrader) -> None:
    with locked(folder) as other:
        leaving = threading.Timer(LONGER, other.rollback)
        leaving.start()
        assert "ERROR" not in nbgrader("autograde", NAME)
        leaving.join()
    assert scores(folder) == SCORES


@pytest.mark.dear
def test_a_gradebook_that_stays_locked_is_one_sentence(
    folder: Path, nbgrader: Nbgrader, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "ERROR" not in nbgrader("autograde", NAME)
    monkeypatch.setattr(trouble, "PATIENCE", 0.1)
    with locked(folder):
        for verb in ("autograde", "regrade"):
            done = command("nbgrader", verb, NAME, "--course", folder)
            assert done.returncode == 3
            assert done.stderr.startswith("The gradebook is locked: another program has been")
            assert len(done.stderr.splitlines()) == 1
        for verb in ("autograde", "generate_assignment", "generate_feedback"):
            release = contents(folder / "release")
            logged = nbgrader(verb, NAME, "--force")
            assert "The gradebook is locked: another program" in logged
            assert "Traceback" not in logged
            assert "db upgrade" not in logged
            assert contents(folder / "release") == release
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert scores(folder) == SCORES


@pytest.mark.dear
def test_comments_that_cannot_be_read_are_one_sentence(
    folder: Path, nbgrader: Nbgrader, command: Command
) -> None:
    """They are the instructor's, so the exit code says that, as that of `grade --comments` does."""
    (folder / "comments.toml").write_text("[running_mean_loop\n")
    for verb in (["autograde", NAME], ["autograde", NAME, "--force"], ["regrade", NAME]):
        done = command("nbgrader", *verb, "--course", folder)
        assert done.returncode == 4
        assert done.stderr.startswith(f"{folder / 'comments.toml'} cannot be read as TOML: ")
        assert len(done.stderr.splitlines()) == 1
    logged = nbgrader("autograde", NAME)
    assert "comments.toml cannot be read as TOML: " in logged
    assert "Traceback" not in logged
    assert logged.endswith("ended with 1\n")
    assert not (folder / "autograded").exists()


@pytest.mark.dear
@pytest.mark.parametrize("data", [b"garbage" * 200, None], ids=["no database", "a hole"])
def test_a_damaged_gradebook_is_one_sentence(
    data: bytes | None, folder: Path, nbgrader: Nbgrader, command: Command
) -> None:
    """With a hole in it, it opens, and is found to be damaged when a table is read."""
    assert "ERROR" not in nbgrader("autograde", NAME)
    path = folder / "gradebook.db"
    kept = path.read_bytes()
    path.write_bytes(data or kept[:4096] + bytes(len(kept) - 4096))
    for verb in (["autograde", NAME, "--force"], ["regrade", NAME]):
        done = command("nbgrader", *verb, "--course", folder)
        assert done.returncode == 3
        assert done.stderr.startswith("The gradebook is damaged: "), done.stderr
        assert len(done.stderr.splitlines()) == 1
    for name in ("autograde", "generate_assignment", "export"):
        logged = nbgrader(name, *([] if name == "export" else [NAME, "--force"]))
        assert "The gradebook is damaged: " in logged
        assert "Traceback" not in logged and "db upgrade" not in logged
        assert logged.endswith("ended with 1\n")


@pytest.mark.dear
def test_a_gradebook_locked_in_the_middle_stops_the_run(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Test where nbgrader rolls back and logs a traceback."""
    monkeypatch.setattr(trouble, "PATIENCE", 0.1)
    usual, opened = Gradebook.update_or_create_student, []

    def update(gradebook: Gradebook, *arguments: object) -> object:
        other = sqlite3.connect(folder / "gradebook.db")
        other.execute("BEGIN EXCLUSIVE")
        opened.append(other)
        return usual(gradebook, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Gradebook, "update_or_create_student", update)
        logged = nbgrader("autograde", NAME)
    [other] = opened  # nobody else was tried
    other.close()
    assert logged.count("The gradebook is locked: another program") == 1
    assert "Traceback" not in logged
    assert not list(folder.glob("autograded/*/*/*"))
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert scores(folder) == SCORES


# A full disk


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", "autograded/anna")


@pytest.mark.dear
def test_where_the_disk_is_full_nothing_is_half_done(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = contents(folder / "release")
    with monkeypatch.context() as patched:
        patched.setattr(FilesWriter, "write", full)
        for verb in ("autograde", "generate_assignment"):
            logged = nbgrader(verb, NAME, "--force")
            assert logged.count("No space left on device: autograded/anna. Make space") == 1
            assert "Traceback" not in logged
    assert contents(folder / "release") == release
    assert "ERROR" not in nbgrader("autograde", NAME)
    assert scores(folder) == SCORES
    assert times(folder) == [TIME, TIME]


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EROFS, "Mount that file system for writing and run this again"),
        (errno.EACCES, "Give this user access to it and run this again"),
        (errno.ENOTDIR, "a folder has to be there, and run this again"),
    ],
)
def test_each_problem_of_a_file_says_what_to_do(number: int, advice: str) -> None:
    said = trouble.sentence(OSError(number, os.strerror(number), "autograded/anna"))
    assert said.startswith(f"{os.strerror(number)}: autograded/anna. ")
    assert said.endswith(f"{advice}; finished results are kept.")


@pytest.mark.dear
@pytest.mark.parametrize("way", ["killed", "killed while it deleted"])
def test_an_old_release_never_replaces_a_newer_one(
    way: str, folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed run has moved the old one aside; then there is a new one, and a failure."""
    aside = folder / ".kit" / "replaced" / "GenerateAssignment" / NAME
    if way == "killed":
        shutil.copytree(folder / "release" / NAME, aside)
        (aside / "old.txt").touch()
        shutil.rmtree(folder / "release" / NAME)
        assert "An earlier generate_assignment was killed" in nbgrader("generate_assignment", NAME)
        assert (folder / "release" / NAME / "old.txt").is_file() and not aside.exists()
        nbgrader("generate_assignment", NAME, "--force")
    else:
        rmtree = shutil.rmtree

        (folder / "release" / NAME / "old.txt").touch()

        def part(path: Path, ignore_errors: bool = False, **named: Any) -> None:
            if "GenerateAssignment" in str(path) and Path(path).is_dir():
                raise KeyboardInterrupt
            rmtree(path, ignore_errors, **named)

        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(shutil, "rmtree", part)
            nbgrader("generate_assignment", NAME, "--force")
    release = contents(folder / "release")
    assert f"{NAME}/old.txt" not in release and f"{NAME}/{NAME}.ipynb" in release
    monkeypatch.setattr(FilesWriter, "write", full)
    assert "No space left on device" in nbgrader("generate_assignment", NAME, "--force")
    assert contents(folder / "release") == release


@pytest.mark.parametrize("to", ["none/grades.csv", "submitted", "x" * 300, "grades.csv"])
def test_grades_that_cannot_be_exported_are_one_sentence(
    to: str, folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    if to == "grades.csv":
        nbgrader("export", f"--to={to}")
        monkeypatch.setattr(whole_file, "write", fill)
    before = contents(folder)
    logged = nbgrader("export", f"--to={to}")
    assert "Traceback" not in logged
    assert f"ERROR] {to[:90]}" in logged
    assert " cannot be written: " in logged
    assert logged.endswith(", then repeat the command.\nended with 1\n")
    assert contents(folder) == before


def test_a_locked_gradebook_is_not_exported_in_one_sentence(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trouble, "PATIENCE", 0.1)
    with locked(folder):
        logged = nbgrader("export")
    assert "The gradebook is locked" in logged and "Traceback" not in logged
    assert logged.endswith("ended with 1\n")
    assert not (folder / "grades.csv").exists()


@pytest.mark.dear
def test_pages_stay_while_new_ones_cannot_be_written(
    folder: Path, nbgrader: Nbgrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbgrader("autograde", NAME)
    nbgrader("generate_feedback", NAME)
    before = contents(folder / "feedback")
    assert f"anna/{NAME}/{NAME}.html" in before
    with monkeypatch.context() as patched:
        patched.setattr(FilesWriter, "write", full)
        assert "Traceback" not in nbgrader("generate_feedback", NAME)
    assert contents(folder / "feedback") == before


def test_results_that_cannot_be_kept_are_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(process, "grade_all", full)
    order, sent = Order(str(folder), ("",), GradingSettings(True, 10.0, 1)), io.BytesIO()
    process.send(sent, order, [Job("anna", NAME)])
    said = io.StringIO()
    assert not process.serve(io.BytesIO(sent.getvalue()), said)
    assert said.getvalue().startswith("Results cannot be stored (No space left on device: ")
    assert "Traceback" not in capfd.readouterr().err


# Times


@pytest.mark.dear
def test_what_is_no_time_is_said(folder: Path, nbgrader: Nbgrader) -> None:
    """Without a time nothing is deducted for being late, so the instructor should know."""
    (folder / "submitted" / "anna" / NAME / "timestamp.txt").write_text("yesterday")
    said = "anna: timestamp.txt contains no valid time, so nothing is deducted for being late."
    assert said in nbgrader("autograde", NAME)
    lines = [*autograde(application(folder), NAME, "*", force=False).lines()]
    assert " ".join(lines[:2]) == said
    assert scores(folder) == SCORES
