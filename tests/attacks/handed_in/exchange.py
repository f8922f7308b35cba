"""What is hostile in a course of nbgrader: in its exchange, its downloads, or on its pages.

`course` is its folder; what is handed in is that of the student `student`.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from nbformat import NotebookNode, write
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

NAME = "running_averages"
NOBODY = "carol"  # who hands in nothing
TIME = "2026-11-20 12:00:00.000000 UTC"
WRONG = "def running_mean_loop(x):\n    return x\n"


def _submitted(course: Path, student: str, time: str = TIME) -> Path:
    """Submit wrong work as nbgrader does. Returns the folder in the exchange."""
    inbound = course / "exchange" / "attention" / "inbound"
    made = inbound / f"{student}+{NAME}+{TIME}+abc"
    made.mkdir(parents=True)
    (made / f"{NAME}.py").write_text(WRONG, "utf-8")
    (made / "timestamp.txt").write_text(time, "utf-8")
    (made / "submission_secret.txt").write_text("abc", "utf-8")
    return made


def _notebook(course: Path, student: str, *cells: NotebookNode) -> None:
    made = _submitted(course, student)
    (made / f"{NAME}.py").unlink()
    write(new_notebook(cells=[new_code_cell(WRONG), *cells]), made / f"{NAME}.ipynb")


def _zipped(course: Path, student: str, *names: str) -> None:
    archive = course / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive / f"{student}.zip", "w") as packed:
        for name in names:
            packed.writestr(name, WRONG)


def link_in_the_exchange(course: Path, secret: Path, student: str) -> None:
    """Submits a link to the solution, which the instructor's account can read."""
    made = _submitted(course, student)
    (made / f"{NAME}.py").unlink()
    (made / f"{NAME}.py").symlink_to(secret / f"{NAME}.py")


def linked_folder_in_the_exchange(course: Path, secret: Path, student: str) -> None:
    """Submits a folder that is a link to that of the solution."""
    (_submitted(course, student) / "more").symlink_to(secret)


def submission_that_is_a_link(course: Path, secret: Path, student: str) -> None:
    """Puts a link to the solution's folder where a submission would be."""
    made = _submitted(course, student)
    made.rename(made.with_name("moved"))
    made.symlink_to(secret)


def second_name_in_the_exchange(course: Path, secret: Path, student: str) -> None:
    """Submits a file that is the solution's, under a second name."""
    made = _submitted(course, student)
    (made / f"{NAME}.py").unlink()
    os.link(secret / f"{NAME}.py", made / f"{NAME}.py")


def pipe_in_the_exchange(course: Path, secret: Path, student: str) -> None:
    """Submits a pipe, from which nothing ever comes."""
    os.mkfifo(_submitted(course, student) / "more.py")


def time_of_many_digits(course: Path, secret: Path, student: str) -> None:
    """Submits with a number of hours that no number can hold."""
    _submitted(course, student, "1" * 400 + "h")


def time_of_many_letters(course: Path, secret: Path, student: str) -> None:
    """Submits with a time zone of three hundred letters."""
    _submitted(course, student, "2026-11-20 12:00:00 " + "x" * 300)


def time_that_is_a_link(course: Path, secret: Path, student: str) -> None:
    """Submits with a link to the solution in place of the time, so that a message shows it."""
    made = _submitted(course, student)
    (made / "timestamp.txt").unlink()
    (made / "timestamp.txt").symlink_to(secret / f"{NAME}.py")


def secret_of_a_gigabyte(course: Path, secret: Path, student: str) -> None:
    """Submits a gigabyte, which takes no room on its disk, in place of nbgrader's secret."""
    with (_submitted(course, student) / "submission_secret.txt").open("wb") as file:
        file.truncate(1 << 30)


def text_that_renders_slowly(course: Path, secret: Path, student: str) -> None:
    """Submits text cells of stars, each of which takes seconds to be rendered."""
    text = "*" * 80 + "a*" * 7000
    _notebook(course, student, *(new_markdown_cell(text) for _ in range(100)))


def text_that_acts(course: Path, secret: Path, student: str) -> None:
    """Submits cells whose text would act in the browser of whoever reads the feedback."""
    acting = "<script>evil()</script><img src=x onerror=evil()>"
    _notebook(course, student, new_markdown_cell(acting), new_code_cell(f"# </pre>{acting}"))


def archive_of_neighbours(course: Path, secret: Path, student: str) -> None:
    """Hands in an archive whose entries lie in the folders of others, one of whom is nobody."""
    _zipped(course, student, *(f"extracted/{name}/{NAME}.py" for name in ("anna", NOBODY)))


def folder_of_neighbours(course: Path, secret: Path, student: str) -> None:
    """Hands in a folder in which folders of others lie, one of whom is nobody."""
    for name in ("zoe", NOBODY):
        made = course / "downloaded" / NAME / "archive" / student / "extracted" / name
        made.mkdir(parents=True)
        (made / f"{NAME}.py").write_text(WRONG, "utf-8")


def name_of_two(course: Path, secret: Path, student: str) -> None:
    """Hands in under a name that lists two others, as nbgrader's options do."""
    _zipped(course, "anna,zoe", f"{NAME}.py")
