"""Folders given to `grade`: those of a class and of one person, with whatever may lie in them."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from class_reports import summary, table
from hypothesis import strategies as st
from in_process import Scripted

from autograder.checking.collect import collect
from autograder.grading.fitting import printable
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.report import as_html
from autograder.report.as_json import document
from autograder.report.pages import Pages
from autograder.report.terminal import Terminal
from autograder.submissions import ids
from autograder.submissions.finding import Submission, find
from fuzzing.case import Case, said
from fuzzing.names import BOOK, CODE, NAME, contents, edited, entries, is_name

NOBODY = 65534  # a user with no rights; whoever calls this may be one with all of them
KINDS = (
    *["file"] * 8, "folder", "folder", "link", "pipe", "socket", "second name", "unreadable file",
    "unreadable folder", "folder to list", "huge",
)  # fmt: skip
LINKS = ("anna", "anna.py", "../anna", ".", "..", "/", "/etc/passwd", "/dev/zero", "itself", "gone")
PLACES = (
    "", "", "", "anna/", "ben/", "ben/work/", "cleo/", f"dora/{NAME}/", f"{NAME}/", "multi_head/",
    "deep/" * 12, "__MACOSX/", ".hidden/", "ben.py/", f"ben/{NAME}.py/", f"{NAME}.py/", "C:\\x\\",
)  # fmt: skip
WORK = (
    f"{NAME}.py", f"{NAME}.ipynb", f"{NAME} (1).py", f"{NAME}.py.txt", f"copy of {NAME}.ipynb",
    "multi_head.py", "my_module.py", "ben.py", "Ben.ipynb", "BEN.py", "ben.zip", f"{NAME}.zip",
    "cleo.tar.gz", f"ben_1_2_{NAME}.py", f"ben_1_3_{NAME}.py", f"ben_1_2_{NAME}-1.ipynb",
    f"Ben_1_assignsubmission_file_{NAME}.py", f"{NAME}-checkpoint.ipynb", "ben.pdf", "ben.gdoc",
    f"{NAME}.py.crdownload", "__init__.py", "ben.ipynb.json", "timestamp.txt", ".py", "x.7z",
)  # fmt: skip
PHRASES = (
    "there are other submissions beside it", "holds no submission", "holds several files",
    "is a link", "is a folder", "is a named pipe", "is a socket", "cannot be a student's id",
    "belong to the same student", "cannot be read as an archive", "cannot be read as a notebook",
    "is empty", "is really", "leads out", "same name", "in several folders", "contains NUL",
    "not completely downloaded", "is only a shortcut", "is not what is graded", "an archive of",
    "is a checkpoint", "MB", "Permission denied", "cannot be read", "not UTF-8", "syntax",
)  # fmt: skip


def grading(case: Case) -> str:
    """Find submissions in a folder, and show all of them in every form."""
    with tempfile.TemporaryDirectory(prefix="fuzzed-") as room:
        top = Path(room) / "class"
        top.mkdir()
        os.chmod(room, 0o755)
        honest = case.draw(st.booleans())
        if honest:
            (top / "anna").mkdir()
            (top / "anna" / f"{NAME}.py").write_text(CODE)
        for _ in range(case.draw(st.integers(0, 6))):
            _lay(case, top, honest)
        wanted = case.draw(st.sampled_from((NAME, NAME, NAME, None)))
        with _without_rights(), case.timed():
            found = find(top, wanted)
            grades = [_grade(one) for one in found]
            _show(grades)
        for folder, folders, _ in os.walk(room):
            for name in folders:
                if not os.path.islink(Path(folder) / name):
                    os.chmod(Path(folder) / name, 0o700)
    return _came(case, found, honest, wanted)


def _came(case: Case, found: list[Submission], honest: bool, wanted: str | None) -> str:
    """What came of a folder; anna's work counts, whatever is beside it."""
    assert found
    known = [(one.name, one.assignment) for one in found if ids.is_id(one.name)]
    assert len({*known}) == len(known)
    refused = sorted(one.problem for one in found if one.problem)
    texts = [one for one in found if one.texts]
    if len(found) > 1:
        case.reaches("several submissions were found")
    if texts:
        case.reaches("one was read")
    if honest and wanted:
        [hers] = [one for one in found if one.name == "anna" and one.assignment == wanted]
        assert hers.texts == {NAME: CODE}, hers
        case.reaches("a class, with anna's work in it")
    others = [one for one in texts if one.name != "anna"]
    if refused:
        return f"refused: {said(refused[0], PHRASES)}"
    return "others were read" if others else "read"


def _lay(case: Case, top: Path, honest: bool) -> None:
    """Put something into a folder, if it can be there; not into anna's, if she is honest."""
    own = case.draw(st.sampled_from(WORK) | st.sampled_from(WORK).flatmap(edited) | entries)
    path = case.draw(st.sampled_from(PLACES) | entries.map(lambda name: f"{name}/")) + own
    parts = [part for part in path.split("/") if is_name(part)]
    if not parts or (honest and ids.key(parts[0].partition(".")[0]) == "anna"):
        return
    place = top.joinpath(*parts)
    kind = case.draw(st.sampled_from(KINDS))
    data = case.draw(st.sampled_from((CODE.encode(), BOOK.encode())) | contents)
    link = case.draw(st.sampled_from(LINKS))
    if os.path.lexists(place):
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _make(place, kind, data, link)
    except (OSError, ValueError):  # two that cannot be beside each other
        pass


def _make(place: Path, kind: str, data: bytes, link: str) -> None:
    match kind:
        case "folder":
            place.mkdir()
        case "link":
            place.symlink_to(place.name if link == "itself" else link)
        case "pipe":
            os.mkfifo(place)
        case "socket":
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(place))
        case "second name":
            os.link(Path(__file__), place)
        case "unreadable folder" | "folder to list":
            place.mkdir()
            (place / f"{NAME}.py").write_bytes(data)
            place.chmod(0o000 if kind.startswith("unreadable") else 0o744)
        case "huge":
            with place.open("wb") as file:
                file.truncate(1 << 40)
        case _:
            place.write_bytes(data)
            place.chmod(0o000 if kind.startswith("unreadable") else 0o644)


@contextmanager
def _without_rights() -> Iterator[None]:
    """As a user who may not read everything."""
    _show([_grade(Submission("x", Path("x"), NAME, {}, "x"))])  # while all can be imported
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@cache
def _grader() -> Grader:
    return Grader(collect(), Scripted(), frozenset())


def _grade(found: Submission) -> Grade:
    """Its grade where it is refused; nobody runs the others, whose grade is an empty one."""
    if found.problem:
        return _grader().grade(found)
    return Grade(found.name, printable(str(found.path)), found.assignment, "graded")


def _show(grades: list[Grade]) -> None:
    """In a terminal, as JSON, as a table and as pages: as text that can be written."""
    lines = [*summary(grades), *Terminal().report(grades)]
    text = "".join([*lines, document(grades, True, course="x"), table(grades)])
    pages = [as_html.page(grade, 1) for grade in grades[:2]]
    written = Pages(Path(), [grade.submission for grade in grades])
    assert all(len(os.fsencode(written.next_path(grade).name)) <= 255 for grade in grades)
    for one in (text, *pages):
        one.encode()
        assert "\x1b" not in one
