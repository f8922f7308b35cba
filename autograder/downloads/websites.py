"""Sort the files of a download from Canvas or Moodle by student; tell which website it is from.

Canvas: files `lastfirst[_late]_<user>_<file>_<name>`, as its ContentZipper names them; a page
`lastfirst[_late]_<user>_text.html` holds what was typed into a form, `link.html` an address. For a
group there is one upload, of a student who stands for it. Moodle: folders
`Full Name_<participant>_assignsubmission_file[_]`, or `onlinetext` for what was typed, or files
whose names begin so, as its mod_assign names them. Gradescope: see `gradescope.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from autograder.downloads import gradescope
from autograder.downloads.canvas import readings
from autograder.downloads.entries import Entry, without_top
from autograder.downloads.uploads import Found, Person, Upload
from autograder.errors import UsageError
from autograder.report.writing import listed
from autograder.submissions import ids
from autograder.submissions.files import quoted
from autograder.submissions.names import (
    WebsiteName,
    of_canvas,
    of_moodle,
    of_moodle_folder,
)

Platform = Literal["canvas", "moodle", "gradescope"]
TITLES: dict[Platform, str] = {
    "canvas": "Canvas",
    "moodle": "Moodle",
    "gradescope": "Gradescope",
}
EXPECTED: dict[Platform, str] = {
    "canvas": "files such as grayann_101_9001_lab.py",
    "moodle": "folders such as Ann Gray_1234_assignsubmission_file_",
    "gradescope": f"a file {gradescope.METADATA}",
}
SHOWN = 3  # names in a sentence


def recognised(
    path: Path, entries: list[Entry], asked: Platform | None
) -> tuple[Platform, list[Entry]]:
    """Return the website that a download is from, and its entries, without a folder around all.

    asked: the only one that may be meant. Raises UsageError, which names what is there.
    """
    for there in (entries, without_top(entries)):
        found = [one for one in TITLES if asked in (None, one) and any(map(OF[one], there))]
        if len(found) == 1:
            return found[0], there
        if found:
            names = " and ".join(TITLES[one] for one in found)
            raise UsageError(f"{path} may be from {names}. Say which: --platform {found[0]}.")
    named = [*dict.fromkeys(quoted(one.parts[0]) for one in entries)]
    seen = listed(named, SHOWN)
    if asked:
        wanted = f"no download from {TITLES[asked]}: expected {EXPECTED[asked]}"
    else:
        *others, last = (f"{EXPECTED[one]} ({TITLES[one]})" for one in TITLES)
        wanted = f"no download of submissions: expected {', '.join(others)} or {last}"
    raise UsageError(f"{path} is {wanted}, and found {seen or 'nothing'}.")


def found_in(path: Path, entries: list[Entry], platform: Platform) -> Found:
    """Return what students have handed in. Raises UsageError."""
    if platform == "gradescope":
        return gradescope.found_in(path, entries)
    uploads: dict[str, Upload] = {}
    left_out: dict[str, None] = {}
    names = readings(entry.parts[0] for entry in entries) if platform == "canvas" else {}
    for entry in entries:
        reading = names.get(entry.parts[0])
        named = _of_moodle(entry) if platform == "moodle" else reading and reading.said
        if not named or not ids.is_id(named.number):
            left_out[entry.parts[0]] = None
            continue
        upload = uploads.setdefault(named.number, _upload(platform, named))
        inside = entry.parts[1:]
        own = (named.own, *inside) if named.own else inside
        if not own and not entry.is_folder:  # a link or a file in place of the student's folder
            own = entry.parts
        if named.is_typed:
            upload.add_typed(own, entry)
        elif upload.is_renamed and not inside:
            upload.add(entry.parts, entry)
        else:
            upload.add(own, entry)
        if reading and reading.is_classmates:
            upload.classmates.append(entry.parts[0])
        if reading and not reading.is_sure:
            upload.unsure.append(entry.parts[0])
    return Found([*uploads.values()], [*left_out])


def _upload(column: Platform, named: WebsiteName) -> Upload:
    person = Person(((column, named.number),), named.student)
    return Upload((person,), named.id, is_renamed=column == "canvas")


def _of_moodle(entry: Entry) -> WebsiteName | None:
    is_inside = len(entry.parts) > 1 or entry.is_folder
    found = None if is_inside else of_moodle(entry.parts[0])
    return found or of_moodle_folder(entry.parts[0])


OF: dict[Platform, Callable[[Entry], bool]] = {
    "canvas": lambda entry: of_canvas(entry.parts[0]) is not None,
    "moodle": lambda entry: _of_moodle(entry) is not None,
    "gradescope": lambda entry: entry.parts == (gradescope.METADATA,),
}
