"""Take a download in: write a class's folder with a folder for each student."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder import interrupts
from autograder.classroom.roster import Roster
from autograder.downloads import mark
from autograder.downloads.contents import Parts, contents
from autograder.downloads.entries import opened
from autograder.downloads.mark import Changes, Mark
from autograder.downloads.people import Named, named, shown
from autograder.downloads.uploads import Found, Person, Upload
from autograder.downloads.websites import Platform, found_in, recognised
from autograder.errors import UsageError
from autograder.report.writing import check_folders, telling
from autograder.submissions.files import Unreadable

TWICE = "there are two submissions, {} and {}."
# What makes a name impossible on a file system, and costs its student alone.
OF_NAMES = (
    errno.EEXIST,
    errno.EILSEQ,
    errno.EINVAL,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOTDIR,
)


@dataclass(frozen=True)
class Taken:
    """The result of making a class's folder from a download.

    students: their ids. files: how many they have. refused: why a student's folder is empty, by id
    and name. typed: ids of those who typed something into a form. unsure: names of files that may
    be another student's. unlisted: ids of those who are not in the roster. absent: ids of those in
    the roster who have handed in nothing. left_out: names in the download that belong to nobody.
    changes: None if the class's folder is new.
    """

    platform: Platform
    students: list[str]
    files: int
    refused: Mapping[str, str]
    typed: list[str]
    unsure: list[str]
    unlisted: list[str]
    absent: list[str]
    left_out: list[str]
    changes: Changes | None


def take_in(
    download: Path, folder: Path, roster: Roster | None, asked: Platform | None = None
) -> Taken:
    """Write a class's folder from a download, whole or not at all.

    An earlier one of ours is replaced. asked: the website, if it is not to be recognised. Raises
    UsageError, NotOurs, CannotWrite.
    """
    _check_apart(download, folder)
    check_folders(folder)
    before = mark.read(folder)
    with opened(download) as entries:
        platform, entries = recognised(download, entries, asked)
        found = found_in(download, entries, platform)
        who = named(found.uploads, platform, roster)
        with telling(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".", suffix=".part"))
            try:
                students, refused = _write(unfinished, found.uploads, who, download)
                now = mark.made(platform, students)
                mark.write(unfinished, now)
                with interrupts.postponed():
                    _replace(folder, unfinished)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    return _taken(platform, found, who, refused, before, now, roster)


def _check_apart(download: Path, folder: Path) -> None:
    """Raise UsageError if one of the two lies in the other."""
    from_, to = Path(os.path.realpath(download)), Path(os.path.realpath(folder))
    if from_ == to or from_ in to.parents or to in from_.parents:
        raise UsageError(
            f"{folder} and {download} lie in each other. Name another place for the class."
        )


def _write(
    place: Path, uploads: list[Upload], who: Named, download: Path
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Write a folder for each student. Raises OSError if all others would fail.

    Returns the digests of the files by id and name, and why folders are empty by id.
    """
    sources: dict[str, list[str]] = {}
    for upload in uploads:
        for person in upload.people:
            sources.setdefault(who.ids[person], []).append(upload.source)
    students: dict[str, dict[str, str]] = {student: {} for student in sources}
    refused = {one: TWICE.format(*own[:2]) for one, own in sources.items() if len(own) > 1}
    for student in sources:
        (place / student).mkdir()
    for upload in uploads:
        own = [who.ids[one] for one in upload.people if who.ids[one] not in refused]
        try:
            files = contents(upload, download) if own else {}
            for student in own:
                _write_files(place / student, files)
                students[student] = {"/".join(p): mark.digest(data) for p, data in files.items()}
        except Unreadable as problem:
            for student in own:
                refused[student], students[student] = str(problem), {}
                shutil.rmtree(place / student)
                (place / student).mkdir()
    return students, refused


def _write_files(folder: Path, files: Mapping[Parts, bytes]) -> None:
    """Write a student's files. Raises Unreadable for a name that cannot be, OSError."""
    for parts, data in files.items():
        path = folder.joinpath(*parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
        except OSError as problem:
            if problem.errno not in OF_NAMES:
                raise
            raise Unreadable(
                f"{'/'.join(parts)!a} cannot be written: {problem.strerror}."
            ) from None


def _replace(folder: Path, made: Path) -> None:
    """Put a folder in the place of another one, which comes back if that fails. Raises OSError."""
    if not os.path.lexists(folder):
        made.rename(folder)
        return
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".", suffix=".part") as other:
        before = Path(other) / "before"
        folder.rename(before)
        try:
            made.rename(folder)
        except BaseException:
            before.rename(folder)
            raise


def _taken(
    platform: Platform,
    found: Found,
    who: Named,
    refused: Mapping[str, str],
    before: Mark | None,
    now: Mark,
    roster: Roster | None,
) -> Taken:
    people = {student: _label(one, student) for one, student in who.ids.items()}
    typed = [who.ids[one] for upload in found.uploads if upload.is_typed for one in upload.people]
    unsure = [name for upload in found.uploads for name in upload.unsure]
    return Taken(
        platform,
        sorted(now.students),
        sum(map(len, now.students.values())),
        {people[one]: text for one, text in refused.items()},
        sorted(typed),
        [*dict.fromkeys(unsure)],
        sorted(who.unlisted),
        sorted(one.id for one in roster or () if one.id not in now.students),
        found.left_out,
        mark.changes(before, now) if before else None,
    )


def _label(person: Person, student: str) -> str:
    """Return a student's id, and what the website calls them if that is something else."""
    is_known = student in (value for _, value in person.called) or student == person.otherwise
    return shown(person) if is_known else f"{student}, {shown(person)}"
