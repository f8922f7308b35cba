"""Tests of listing: what a student puts into the exchange affects the listing of no other."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from course_in_nbgrader import Nbgrader, nbgrader_in
from nbgrader.utils import notebook_hash

pytestmark = [
    pytest.mark.dear,
    pytest.mark.skipif(os.name != "posix", reason="has no links, and no exchange"),
]
NAME = "running_averages"
TIME = "2026-11-20 12:00:00.000000 UTC"
SECRET = "submission_secret.txt"


@pytest.fixture
def folder(tmp_path: Path, built_course: Path) -> Path:
    """Make a course."""
    return shutil.copytree(built_course, tmp_path / "course")


@pytest.fixture
def nbgrader(folder: Path) -> Nbgrader:
    return nbgrader_in(folder)


def inbound(folder: Path, student: str) -> Path:
    """Make a folder in the exchange like nbgrader submit."""
    made = folder / "exchange" / "attention" / "inbound" / f"{student}+{NAME}+{TIME}+abc"
    made.mkdir(parents=True)
    (made / f"{NAME}.ipynb").write_text("{}", encoding="utf-8")
    (made / SECRET).write_text(student, encoding="utf-8")
    return made


def release(folder: Path, secret: str) -> None:
    """Release feedback of a notebook like nbgrader release_feedback."""
    page = f"{notebook_hash(secret=secret, notebook_id=NAME)}.html"
    released = folder / "exchange" / "attention" / "feedback"
    released.mkdir(parents=True, exist_ok=True)
    (released / page).write_text("well done", encoding="utf-8")


def secret_that_is_no_text(made: Path) -> None:
    (made / SECRET).write_bytes(b"\xff")


def empty_secret(made: Path) -> None:
    (made / SECRET).write_bytes(b"")


def endless_secret(made: Path) -> None:
    (made / SECRET).unlink()
    (made / SECRET).symlink_to("/dev/zero")


def pipe(made: Path) -> None:
    (made / SECRET).unlink()
    os.mkfifo(made / "x.ipynb")


def endless_notebook(made: Path) -> None:
    (made / SECRET).unlink()
    (made / "x.ipynb").symlink_to("/dev/zero")


def closed_notebook(made: Path) -> None:
    """A link to what nobody can open, since root may open all else."""
    (made / SECRET).unlink()
    (made / f"{NAME}.ipynb").unlink()
    (made / f"{NAME}.ipynb").symlink_to("nowhere")


def name_that_is_no_text(made: Path) -> None:
    Path(os.fsdecode(os.fsencode(made) + b"/\xff.ipynb")).touch()


def be_a_link(made: Path) -> None:
    shutil.rmtree(made)
    made.symlink_to("/")


def be_a_file(made: Path) -> None:
    shutil.rmtree(made)
    made.touch()


NO_FOLDER = (be_a_link, be_a_file)


@pytest.mark.parametrize(
    "attack",
    [
        secret_that_is_no_text,
        empty_secret,
        endless_secret,
        pipe,
        endless_notebook,
        closed_notebook,
        name_that_is_no_text,
        *NO_FOLDER,
    ],
)
def test_what_lies_in_the_exchange_stops_no_listing(
    attack: Callable[[Path], None], folder: Path, nbgrader: Nbgrader
) -> None:
    inbound(folder, "anna")
    attack(inbound(folder, "mallory"))
    inbound(folder, "zoe")
    release(folder, "zoe")
    said = nbgrader("list", "--inbound")
    assert f"attention anna {NAME} {TIME} (no feedback available)" in said
    assert f"attention zoe {NAME} {TIME} (feedback ready to be fetched)" in said
    mallory = f"attention mallory {NAME} {TIME} (no feedback available)"
    assert (mallory in said) is (attack not in NO_FOLDER)
    assert (f"mallory+{NAME}+{TIME}+abc' is not listed: " in said) is (attack in NO_FOLDER)
    assert "Traceback" not in said and "ended with" not in said


def deep(made: Path) -> None:
    """Folders in folders, more than Python's own functions go down."""
    here = os.getcwd()
    os.chdir(made)
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)


@pytest.mark.parametrize("attack", [pipe, deep, *NO_FOLDER])
def test_what_cannot_be_removed_stays_alone(
    attack: Callable[[Path], None], folder: Path, nbgrader: Nbgrader
) -> None:
    anna, mallory, zoe = (inbound(folder, student) for student in ("anna", "mallory", "zoe"))
    attack(mallory)
    try:
        said = nbgrader("list", "--inbound", "--remove")
        stays = os.path.lexists(mallory)
    finally:
        subprocess.run(["rm", "-rf", mallory], check=True)  # pytest could not remove it
    assert not anna.exists() and not zoe.exists()
    assert Path("/", "etc").is_dir()
    assert stays or attack in (pipe, deep)
    assert (f"mallory+{NAME}+{TIME}+abc' is not " in said) is stays
    assert "Traceback" not in said and "ended with" not in said


def test_what_was_released_is_listed(folder: Path, nbgrader: Nbgrader) -> None:
    (folder / "exchange" / "attention" / "outbound" / NAME).mkdir(parents=True)
    assert f"attention {NAME}" in nbgrader("list")
    nbgrader("list", NAME, "--remove")
    assert not (folder / "exchange" / "attention" / "outbound" / NAME).exists()
