"""Ids of students: names of folders, of the exchange and of a class, and what comes of them."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Literal

from class_reports import summary, table
from hypothesis import strategies as st

from autograder.grading.grade import Grade
from autograder.nbgrader.collecting import Collect
from autograder.nbgrader.converting import _parts
from autograder.nbgrader.downloads import _whose
from autograder.report.pages import Pages
from autograder.submissions import ids
from autograder.submissions.names import is_an_assignments
from fuzzing.case import Case, said
from fuzzing.course import course
from fuzzing.names import NAME, names

ODD = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u115f\u1160\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e0fff/\\:*?\"<>|{}\[\]]"
)
MARKS = re.compile(r"(?:(?!\w)[^\x00-\xbf])+")
LETTERS = st.characters(categories=("Ll", "Lu", "Lo", "Nd", "Mn")) | st.characters(
    max_codepoint=0x17F, categories=("Ll", "Lu", "Nd")
)
likely = st.builds(
    "".join, st.lists(LETTERS | st.sampled_from(" ._-@+,'()"), min_size=1, max_size=20)
)
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
TIME = "2026-11-20 12:00:00.000000 UTC"


def naming(case: Case) -> str:
    """Try a name as an id, with two that resemble it, wherever ids go."""
    name = case.draw(likely | likely | names)
    spelled = name.upper() if case.draw(st.integers(0, 2)) == 0 else name
    like = unicodedata.normalize(case.draw(st.sampled_from(FORMS)), spelled)
    other = case.draw(st.just(name + name[-1:]) | names | likely)
    with case.timed():
        accepted = [one for one in (name, like, other) if _holds(one)]
        _are_apart([name, like, other])
        _shown([name, like, other])
        for one in accepted:
            case.reaches("one of three was an id")
            _passes_nbgrader(one)
    if ids.is_id(name):
        case.reaches("the name was an id")
    if ids.is_id(like) and like != name:
        case.reaches("another spelling of it was an id")
    return "an id" if ids.is_id(name) else f"refused: {_why(name)}"


def _why(name: str) -> str:
    try:
        ids.checked(name)
    except ids.NoId as reason:
        return said(str(reason), ("cannot be a student's id",))
    return "an id"


def _holds(name: str) -> bool:
    """Check what is promised of one name. Returns whether it is an id."""
    if not ids.is_id(name):
        assert not ids.is_id(ids.shown(name))
        return False
    checked = ids.checked(name)
    assert _read(checked) == _read(name), "it is the whole name"
    assert ids.checked(checked) == checked == ids.shown(name)
    assert not ODD.search(checked)
    assert len(os.fsencode(f"{checked}.html")) <= 255
    assert ids.key(name) == ids.key(checked)
    return True


def _are_apart(several: list[str]) -> None:
    """Check that nobody is taken for another, unless a file system would do so."""
    for one in several:
        for other in several:
            if ids.is_id(one) and ids.is_id(other):
                assert (ids.key(one) == ids.key(other)) == (_folded(one) == _folded(other))


def _folded(name: str) -> str:
    return _read(unicodedata.normalize("NFC", name).casefold())


def _read(name: str) -> str:
    """Return what people read of a name: its letters and marks, however they are written.

    Joiners do not show, two middle dots look alike, and marks of one letter have no order.
    """
    text = unicodedata.normalize("NFKD", re.sub("[\u200c\u200d]", "", name)).replace(
        "\u30fb", "\u00b7"
    )
    return MARKS.sub(lambda found: "".join(sorted(found[0])), text)


def _shown(several: list[str]) -> None:
    """Check terminals, tables and pages of those."""
    grades = [Grade(ids.shown(name), "x.py", NAME, "graded") for name in several]
    text = "".join([*summary(grades), table(grades)])
    written = Pages(Path(), [grade.submission for grade in grades])
    pages = [written.next_path(grade).name for grade in grades]
    assert len({ids.key(name) for name in pages}) == len(grades)
    for page in pages:
        assert Path(page).name == page
        assert len(os.fsencode(page)) <= 255
    text.encode()
    assert not re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def _passes_nbgrader(name: str) -> None:
    """Check that nbgrader finds a student again by what it has made of the name."""
    app = course()
    collect = Collect(coursedir=app.coursedir, authenticator=None, parent=app)
    if "/" not in name:
        record = collect._path_to_record(f"/inbound/{name}+{NAME}+{TIME}+abc")
        assert record["username"] == name, record
    collected = ("", "") if is_an_assignments(name) else (name, f"{NAME}.py")  # nobody's
    assert _whose((name, f"{NAME}.py"), NAME) == collected
    there = app.coursedir.format_path("submitted", name, NAME)
    assert Path(there).parts[-3:] == ("submitted", name, NAME), there
    assert _parts(_Converter(), there) == (NAME, name)


class _Converter:
    """As much of nbgrader's as is asked which folder is whose."""

    def _format_source(self, assignment: str, student: str, escape: bool = False) -> str:
        return str(course().coursedir.format_path("submitted", student, assignment, escape=escape))
