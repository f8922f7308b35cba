"""Times of handing in, in names and files of nbgrader's exchange and of the folder submitted."""

from __future__ import annotations

import datetime
import os
import shutil
from pathlib import Path

from hypothesis import strategies as st
from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import as_timezone

from autograder.nbgrader.collecting import Collect
from autograder.nbgrader.places import Places, places_of
from autograder.nbgrader.times import TIMESTAMP, parsed, time_of
from fuzzing.case import Case
from fuzzing.course import course
from fuzzing.names import CODE, NAME, edited, entries

TIME = "2026-11-20 12:00:00.000000 UTC"
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati")  # an instructor's
PIECES = (
    "1", "9", "0", "99", ":", "-", "+", ".", " ", "T", "Z", "UTC", "GB", "EST5EDT", "AM", "PM",
    "MON", "JAN", "h", "e", "E9", "sNaN", "inf", "\0", "\n", "\r\n", "/", "../", "\u0661",
    "\ufeff", "\u202e", "+9999", "-2359", "+99:99", "x" * 300, "1" * 400, "now", "\xa0", "tz",
)  # fmt: skip
texts: st.SearchStrategy[str] = st.one_of(
    st.datetimes().map(lambda time: f"{time.isoformat(' ')} UTC"),
    st.datetimes().map(datetime.datetime.isoformat),
    st.from_regex(r"\A\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?(Z| ?[A-Z]{1,5}| ?[+-]\d\d:?\d\d)?\Z"),
    st.sampled_from((TIME, TIME[:10], "0001-01-01 00:00", "9999-12-31 23:59:59", "")),
    st.just(TIME).flatmap(lambda time: edited(time, PIECES)),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(max_size=30),
)
files = st.one_of(
    texts.map(lambda text: text.encode(errors="replace")),
    st.binary(max_size=40),
    st.sampled_from((b"\xff\xfe2\x000\x00", b"2" * 999, b"2" * 1001, b"1" * 100_000)),
)
FILES = ("text", "text", "text", "text", "none", "folder", "link", "pipe")
NONE, UNTIMED, TIMED = "not collected", "collected, says no time", "collected, with a time"


def handing_in(case: Case) -> str:
    """Collect anna's work and two or three of mallory's, and look at all their times as nbgrader
    does: in its exchange, in submitted/, and in the formgrader."""
    app = course()
    places = places_of(app.coursedir)
    inbound = _emptied(places)
    _hand_in(inbound / f"anna+{NAME}+{TIME}+abc", TIME.encode())
    for _ in range(case.draw(st.integers(1, 2))):
        _hand_in_oddly(case, inbound)
    if before := case.draw(st.integers(0, 2)):
        there = places.submitted / "mallory" / NAME
        _hand_in(there, b"")
        (there / TIMESTAMP).unlink()
        _time(there, case.draw(st.sampled_from(FILES)), case.draw(files))
    collect = Collect(coursedir=app.coursedir, authenticator=None, parent=app)
    collect.root, collect.update = str(inbound.parents[1]), before == 1
    collect.before_duedate = case.draw(st.booleans())
    with case.timed():
        collect.start()
        _seen(places, "anna")
        outcome = _seen(places, "mallory")
    work = places.submitted / "anna" / NAME
    assert (work / f"{NAME}.py").read_text() == CODE
    assert time_of(work) == TIME
    if outcome != NONE:
        case.reaches("mallory's was collected")
    if outcome == TIMED:
        case.reaches("a time was read, and shown in other zones")
    return outcome


def _emptied(places: Places) -> Path:
    """The folder of the exchange into which students hand in."""
    inbound = places.root / "exchange" / "attention" / "inbound"
    for folder in (inbound, places.submitted):
        shutil.rmtree(folder, ignore_errors=True)
    inbound.mkdir(parents=True)
    return inbound


def _hand_in_oddly(case: Case, inbound: Path) -> None:
    """What has mallory's name on it, a time in its name and another in a file."""
    time = case.draw(
        st.sampled_from((TIME, TIME, "2026-11-21 09:00:00 CET")) | st.just(TIME) | texts
    )
    name = f"mallory+{NAME}+{time}+abc"
    if case.draw(st.integers(0, 4)) == 0:
        name = f"mallory+{NAME}+{case.draw(entries)}"
    kind, written = case.draw(st.sampled_from(FILES)), case.draw(files)
    try:
        _hand_in(inbound / name, b"")
    except (OSError, ValueError):  # no name of a folder, or of one that is there
        return
    (inbound / name / TIMESTAMP).unlink()
    _time(inbound / name, kind, written)


def _hand_in(folder: Path, time: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / f"{NAME}.py").write_text(CODE)
    (folder / TIMESTAMP).write_bytes(time)


def _time(folder: Path, kind: str, time: bytes) -> None:
    """Lay down what may stand where nbgrader writes a time."""
    path = folder / TIMESTAMP
    match kind:
        case "text":
            path.write_bytes(time)
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("/etc/passwd")
        case "pipe":
            os.mkfifo(path)


def _seen(places: Places, student: str) -> str:
    """What nbgrader makes of a student's time: as it autogrades, and in the formgrader."""
    folder = places.submitted / student / NAME
    app = course()
    if not folder.is_dir():
        return NONE
    handed = app.coursedir.get_existing_timestamp(str(folder))
    shown = NbGraderAPI(app.coursedir, parent=app).get_submitted_timestamp(NAME, student)
    assert shown == handed == parsed(time_of(folder))
    if shown is None:
        return UNTIMED
    for zone in ZONES:
        as_timezone(shown, zone).strftime("%Y-%m-%d %H:%M:%S %Z")
    assert parsed(f"{shown:%Y-%m-%d %H:%M:%S.%f} UTC") == shown
    return TIMED
