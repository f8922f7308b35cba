"""Read what one student has handed in, within limits, under the names that the student gave."""

from __future__ import annotations

from pathlib import Path

from autograder.course import assignments
from autograder.downloads.uploads import Upload
from autograder.submissions import archives, source_text
from autograder.submissions.canvas import own_names
from autograder.submissions.files import Unreadable, in_time, quoted

MOST = 3000  # files of one student
MAX_CONTENT = 200_000_000  # bytes of them
Parts = tuple[str, ...]  # the folders in a file's name, and its own name


def contents(upload: Upload, place: Path) -> dict[Parts, bytes]:
    """Return the files by their names. Raises Unreadable with a sentence that says what is wrong.

    place: the download, for messages. One file that is wrong costs all of its student's: nobody
    could tell what the others are without it. Files that programs add are left out.
    """
    if len(upload.files) > MOST:
        raise Unreadable(f"there are more than {MOST} files.")
    read: dict[Parts, bytes] = {}
    remaining = MAX_CONTENT
    for parts, entry in upload.files:
        if entry.problem:
            raise Unreadable(f"there is {entry.problem}.")
        if parts in read:
            raise Unreadable(f"there are two files {quoted('/'.join(parts))}.")
        try:
            read[parts] = entry.start(remaining + 1)
        except Unreadable as problem:
            raise Unreadable(f"there is {problem}.") from None
        remaining -= len(read[parts])
        if remaining < 0:
            raise Unreadable(f"the files have more than {MAX_CONTENT // 10**6} MB.")
    found = _checked(_by_own_name(read, upload, place) if upload.is_renamed else read)
    if not found:
        raise Unreadable("there are no files, or only hidden ones.")
    return found


def _by_own_name(read: dict[Parts, bytes], upload: Upload, place: Path) -> dict[Parts, bytes]:
    """Return the files by the names that students gave to them, before Canvas gave others."""
    flat = {parts[0]: data for parts, data in read.items() if len(parts) == 1}
    with in_time(place):
        own = own_names(flat, place, assignments(), upload.classmates)
    return {(own[p[0]],) if len(p) == 1 else p: data for p, data in read.items()}


def _checked(files: dict[Parts, bytes]) -> dict[Parts, bytes]:
    """Return the files without those that programs add. Raises Unreadable if two cannot lie there.

    Where file systems do not distinguish their names, one might replace the other.
    """
    found = {parts: data for parts, data in files.items() if not archives.is_ignored(parts)}
    seen: dict[str, Parts] = {}
    folders: set[str] = set()
    for parts in found:
        name = "/".join(parts)
        if wrong := archives.wrong_name(name):
            raise Unreadable(f"there is a file {wrong}.")
        key = archives.name_key(parts)
        if key in seen and (source_text.form(key) or archives.is_archive(key)):
            raise Unreadable(f"there are two files with nearly the same name, {quoted(name)}.")
        seen[key] = parts
        folders |= {"/".join(parts[:count]) for count in range(1, len(parts))}
    if both := folders & {"/".join(parts) for parts in found}:
        raise Unreadable(f"there are a file and a folder {quoted(min(both))}.")
    return found
