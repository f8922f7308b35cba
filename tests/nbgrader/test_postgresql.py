"""Tests with a gradebook in a real PostgreSQL server, which runs during these tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import points, points_by_exercise
from course_in_nbgrader import decide, generate, grade_nothing, hand_in, job
from nbgrader.api import Gradebook

from autograder.nbgrader.application import application
from autograder.nbgrader.autograde import autograde
from autograder.nbgrader.course_folder import build
from autograder.nbgrader.regrade import apply, plan, undo

NAME = "running_averages"
MOST = points_by_exercise(NAME)
FULL = points(NAME)
PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@pytest.fixture(scope="module")
def server() -> Iterator[Path]:
    """Start a server. Yields the folder of its socket."""
    pytest.importorskip("psycopg2")
    if PROGRAMS is None and shutil.which("initdb") is None:
        pytest.skip("there is no PostgreSQL server here")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # a socket's path must be short
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")  # it does not run as root
        call("initdb", "--pgdata", f"{folder}/data", "--auth=trust", "--username=postgres")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        starting = ("--log", f"{folder}/log", "--options", options, "--wait")
        call("pg_ctl", "start", "--pgdata", f"{folder}/data", *starting)
        try:
            yield Path(folder)
        finally:
            call("pg_ctl", "stop", "--pgdata", f"{folder}/data", "--mode=immediate")


def call(program: str, *arguments: str) -> str:
    """Call a program of PostgreSQL, but not as root."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    path = PROGRAMS / program if PROGRAMS else Path(program)
    command = [*user, str(path), *arguments]
    # Into a file: the server that pg_ctl starts keeps what it is given open.
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(command, stdout=said, stderr=said, cwd="/")
        said.seek(0)
        text = said.read().decode()
    assert done.returncode == 0, text
    return text


@pytest.mark.dear
def test_a_class_is_autograded_regraded_and_undone(
    server: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("createdb", "--host", str(server), "--username=postgres", "gradebook")
    build(tmp_path)
    url = f"postgresql+psycopg2://postgres@/gradebook?host={server}"
    with (tmp_path / "nbgrader_config.py").open("a") as file:
        file.write(f"c.CourseDirectory.db_url = {url!r}\n")
    app = application(tmp_path)
    assert app.coursedir.db_url == url
    released = generate(app, NAME)
    for student in ("anna", "ben"):
        (hand_in(app, student, released) / f"{NAME}.py").write_text(f"# begun by {student}\n")
    grade_nothing(monkeypatch)  # all is decided here
    for edition, share in (("first", 0.5), ("second", 1.0)):
        monkeypatch.setattr("autograder.nbgrader.intake.edition", lambda said=edition: said)
        for student in ("anna", "ben"):
            given = {name: (share * most, most) for name, most in MOST.items()}
            decide(app, job(app, student, NAME), given)
        if edition == "first":
            assert autograde(app, NAME, "*", force=False).graded == ["anna", "ben"]
    assert scores(url) == {"anna": FULL / 2, "ben": FULL / 2}
    before = dump(server)
    apply(app, plan(app, NAME))
    assert scores(url) == {"anna": FULL, "ben": FULL}
    undo(app)
    assert dump(server) == before
    assert not list(tmp_path.glob("*.db"))


def scores(url: str) -> dict[str, float]:
    with Gradebook(url, "attention") as gradebook:
        return {one.student.id: one.score for one in gradebook.find_assignment(NAME).submissions}


def dump(server: Path) -> list[str]:
    """Return all rows, sorted, since an undo changes their order."""
    options = ("--host", str(server), "--username=postgres", "--inserts", "--data-only")
    said = call("pg_dump", *options, "gradebook").splitlines()
    return sorted(line for line in said if line.startswith("INSERT"))
