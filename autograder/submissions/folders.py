"""List the files in one person's folder that may be handed in, without following links."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from autograder.course import assignments_folder
from autograder.submissions import archives
from autograder.submissions.files import Unreadable
from autograder.submissions.kinds import IGNORED, unread
from autograder.submissions.source_text import form

DEPTH = 4  # levels of folders in which a person's files are searched
MOST = 3000  # folders, and files that may be handed in, that are listed of one person
TOO_MANY = f"{{}} holds more than {MOST} files. Keep only your own work in it."


def may_be_handed_in(name: str) -> bool:
    """Return whether a file looks by its name as if it was meant to be handed in."""
    return bool(form(name)) or archives.is_archive(name) or bool(unread(name))


def is_assignments_folder(path: Path) -> bool:
    """Return whether this is assignments/, whose files the user has written."""
    return os.path.realpath(path) == str(assignments_folder())


def check_folder(path: Path) -> None:
    """Raise Unreadable if a folder cannot be listed, or what is in it cannot be reached."""
    try:
        os.scandir(path).close()
        os.stat(os.path.join(path, os.curdir))
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None


def is_closed(folder: Path) -> bool:
    """Return whether nobody can tell what is in a folder."""
    try:
        check_folder(folder)
    except Unreadable:
        return True
    return False


def listed(place: Path, depth: int) -> dict[str, Path]:
    """Return the files in a folder that may be handed in, by their names, `folder/name` in folders.

    depth: 1 for the folder alone, which may be a class's, so that all its files are listed. Links,
    pipes and the like are listed too: reading them raises an error that says what they are. A
    folder that cannot be read counts as empty.
    """
    found: dict[str, Path] = {}
    for count, (name, entry) in enumerate(_walked(place, depth), 1):
        if count > MOST and depth > 1:
            break
        if not _is_searched(entry):
            found[name] = Path(entry.path)
    return found


def check_listed(folder: Path) -> None:
    """Raise Unreadable if one person's folder has more in it than `listed` lists."""
    if sum(1 for _ in itertools.islice(_walked(folder, DEPTH), MOST + 1)) > MOST:
        raise Unreadable(TOO_MANY.format(folder))


def _walked(place: Path, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield what `listed` looks at, those in the fewest folders first, with its name."""
    folders = deque([("", place, 1)])
    while folders:
        prefix, folder, level = folders.popleft()
        for entry in _entries(folder):
            yield f"{prefix}{entry.name}", entry
            if _is_searched(entry) and level < depth:
                folders.append((f"{prefix}{entry.name}/", Path(entry.path), level + 1))


def within(folder: Path, depth: int) -> Iterator[Path]:
    """Yield all that lies in one person's folder, in a fixed order, except what programs add.

    depth: as in `listed`, which finds nothing else. Raises Unreadable if there is too much in it.
    """
    folders = [(folder, 1)]
    count = 0
    while folders:
        place, level = folders.pop(0)
        found = []
        with contextlib.suppress(OSError), os.scandir(place) as there:  # else it counts as empty
            for entry in there:
                count += 1
                if count > MOST:
                    raise Unreadable(TOO_MANY.format(folder))
                if not IGNORED.fullmatch(entry.name):
                    found.append(entry)
        for entry in sorted(found, key=lambda entry: entry.name):
            yield Path(entry.path)
            if level < depth and _is_searched(entry):
                folders.append((Path(entry.path), level + 1))


def too_deep(folder: Path) -> Path | None:
    """Return a folder that lies deeper in one person's folder than is searched, or None."""
    with contextlib.suppress(Unreadable):  # then there is too much in it, which is said elsewhere
        for path in within(folder, DEPTH):
            is_last = len(path.relative_to(folder).parts) == DEPTH
            if is_last and is_folder(path):
                return path
    return None


def check_plain(path: Path, remedy: str) -> None:
    """Raise Unreadable if this is no folder: a link, which may lead to others' work, or a file."""
    try:
        mode = os.lstat(path).st_mode
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None
    if not stat.S_ISDIR(mode):
        kind = "a link" if stat.S_ISLNK(mode) else "a file"
        raise Unreadable(f"{path} is {kind}, not a folder. {remedy}")


def is_folder(path: Path) -> bool:
    """Return whether this is a folder and no link; False in a folder that cannot be entered."""
    return os.path.isdir(path) and not os.path.islink(path)


def why_too_deep(path: Path) -> str:
    """Return the sentence about a file or folder that lies deeper than is searched."""
    return (
        f"{path} is not read: it lies more than {DEPTH - 1} folders deep. Move the work further up."
    )


def check_count(folder: Path) -> None:
    """Raise Unreadable if there is too much in one person's folder to read it."""
    for _ in within(folder, DEPTH):
        pass


def _is_searched(entry: os.DirEntry[str]) -> bool:
    """Return whether this is a folder, and not named like a module or a notebook."""
    is_named_as_file = entry.name.lower().endswith((".py", ".ipynb"))
    return entry.is_dir(follow_symlinks=False) and not is_named_as_file


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return the files that may be handed in, and the folders, in the order of their names."""
    try:
        found = [
            entry
            for entry in os.scandir(folder)
            if (_is_searched(entry) or may_be_handed_in(entry.name))
            and not IGNORED.fullmatch(entry.name)
        ]
    except OSError:
        return []
    return sorted(found, key=lambda entry: entry.name)
