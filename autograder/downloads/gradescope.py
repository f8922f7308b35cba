"""Sort the files of an export from Gradescope by student.

At its top lies `submission_metadata.yml`, which names for each submission, a folder such as
`submission_123`, those who have handed it in; there are several for a group:

    submission_123:
      :submitters:
      - :name: Ann Gray
        :sid: '101'
        :email: ann@uni.example

There are no submitters where grading is anonymous. Other keys are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.classroom.roster import Column
from autograder.downloads.entries import Entry
from autograder.downloads.uploads import Found, Person, Upload
from autograder.errors import UsageError
from autograder.parsing import DamagedData, parsed
from autograder.submissions import archives
from autograder.submissions.files import Unreadable, quoted

METADATA = "submission_metadata.yml"
MOST = 100_000_000  # bytes of it; it also has the results of each check
NOTHING = ("", "~", "null")  # in YAML
EXPORT = "Export the submissions again."


def found_in(path: Path, entries: list[Entry]) -> Found:
    """Return what students have handed in. Raises UsageError."""
    uploads = _uploads(path, entries)
    left_out: dict[str, None] = {}
    for entry in entries:
        first, *inside = entry.parts
        if first in uploads:
            is_file = not inside and not entry.is_folder  # as of a paper that was scanned
            uploads[first].add((first,) if is_file else tuple(inside), entry)
        elif entry.parts != (METADATA,):
            left_out[first] = None
    return Found([*uploads.values()], [*left_out])


def _uploads(path: Path, entries: list[Entry]) -> dict[str, Upload]:
    """Return the submissions that the metadata name, without files. Raises UsageError."""
    where = f"{METADATA} in {path}"
    entry = next((one for one in entries if one.parts == (METADATA,)), None)
    if entry is None:
        raise UsageError(f"There is no {where}. {EXPORT}")
    try:
        data = entry.start(MOST + 1)
        if len(data) > MOST:
            raise DamagedData(f"it has more than {MOST // 10**6} MB")
        return parsed(data, _decoded)
    except (DamagedData, Unreadable) as problem:
        raise UsageError(f"{where} cannot be read: {problem}. {EXPORT}") from None


def _decoded(data: bytes) -> dict[str, Upload]:
    """Return the submissions in the metadata by the names of their folders. Raises ValueError."""
    import yaml

    # Every value is text, so that a student id 0123 is no number, and no tag makes an object.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        found = yaml.load(data, Loader=loader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"it is no YAML{line}") from None
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise ValueError("it names no submissions")
    return {name: _upload(name, one) for name, one in found.items()}


def _upload(name: str, submission: dict[str, Any]) -> Upload:
    if archives.wrong_name(name) or len(archives.parts_of(name)) != 1:
        raise ValueError(f"{quoted(name)} is no name of a submission")
    submitters = submission.get(":submitters") or []
    if not isinstance(submitters, list) or not all(isinstance(one, dict) for one in submitters):
        raise ValueError(f"{quoted(name)} has no list of submitters")
    people = dict.fromkeys(_person(name, one) for one in submitters)
    return Upload((*people,) or (Person((), "", name),), name)


def _person(name: str, submitter: dict[str, Any]) -> Person:
    keys: tuple[tuple[Column, str], ...] = (("gradescope", ":sid"), ("email", ":email"))
    called = ((column, _text(submitter, key)) for column, key in keys)
    known = tuple((column, text) for column, text in called if text)
    return Person(known, _text(submitter, ":name"), name)


def _text(submitter: dict[str, Any], key: str) -> str:
    found = submitter.get(key)
    text = found.strip() if isinstance(found, str) else ""
    return "" if text.casefold() in NOTHING else text
