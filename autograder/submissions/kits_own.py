"""Tell the kit's own files from a student's, who may hand in a whole copy of the kit."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

from autograder.course import RECORDED, exercises
from autograder.course.place import ENGINE
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import decode_source, read_data

CHECK_FILE = re.compile(r"test_.*\.py")
MOST = 100  # files named like checks that are read: the kit has one for each assignment
IMPORTS = re.compile(r"^from autograder[\w.]* import .*\bExercise\b", re.MULTILINE)


def found_in(files: Mapping[str, bytes | Path]) -> Collection[str]:
    """Return those of a person's files that are the kit's: of its engine, and its checks.

    files: their contents or paths by their names, with the folders. Where there are more files
    named like checks than the kit has, none is read.
    """
    engine = {name for name in files if _is_of_engine(name)}
    named = [name for name in files if CHECK_FILE.fullmatch(name.rpartition("/")[2])]
    checks = [name for name in named if name not in engine]
    read = checks if len(checks) <= MOST else []
    return engine.union(name for name in read if _has_checks(files, name))


def _is_of_engine(name: str) -> bool:
    """Return whether a file lies where one of the engine does, or among what the kit records.

    Another edition of the kit has other records, but they lie in the same folder.
    """
    _, folder, inside = f"/{name}".rpartition(f"/{ENGINE.name}/")
    is_record = inside.startswith(f"{RECORDED.name}/")
    return bool(folder) and (is_record or os.path.isfile(ENGINE / inside))


def _has_checks(files: Mapping[str, bytes | Path], name: str) -> bool:
    """Return whether a file declares checks of exercises, and defines no exercise itself."""
    try:
        found = files[name]
        data = read_data(found) if isinstance(found, Path) else found
        text = decode_source(data, Path(name))
    except Unreadable:
        return False
    return bool(IMPORTS.search(text)) and not _binding(exercises()).search(text)


@lru_cache(maxsize=1)
def _binding(names: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern of what binds one of these names, except the declaration of an exercise."""
    one = f"(?:{'|'.join(sorted(names))})"
    return re.compile(rf"^(?:(?:def|class) +{one}\b|{one} *=(?! *Exercise\())", re.MULTILINE)
