"""Tell the kit's own files from a student's, who may hand in a whole copy of the kit."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

from autograder.course import RECORDED, exercises
from autograder.course.place import DEFAULT, ENGINE
from autograder.submissions.files import Unreadable
from autograder.submissions.source_text import decode_source, read_data

TESTS = ENGINE.parent / "tests"
TEST = "test_kit.py"  # the only one in a student's copy
CHECK_FILE = re.compile(r"test_.*\.py")
MOST = 100  # files named like checks that are read: the kit has one for each assignment
CORPUS = ("right", "wrong")  # folders of solutions whose grade is known
IMPORTS = re.compile(r"^from autograder[\w.]* import .*\bExercise\b", re.MULTILINE)


def found_in(files: Mapping[str, bytes | Path]) -> Collection[str]:
    """Return those of a person's files that are the kit's: its engine, checks, solutions, tests.

    files: their contents or paths by their names, with the folders. Where there are more files
    named like checks than the kit has, none is read.
    """
    engine = {name for name in files if _is_of_engine(name)}
    copies = {_within(name, ENGINE)[0] for name in engine}
    code = engine.union(name for name in files if _is_of_tests(name, copies))
    named = [name for name in files if CHECK_FILE.fullmatch(name.rpartition("/")[2])]
    read = [name for name in named if name not in code]
    checks = {name for name in (read if len(read) <= MOST else ()) if _has_checks(files, name)}
    known = {folder for name in checks if (folder := _exercises_folder(name))}
    solutions = (name for name in files if _lies_in_exercises(name, known))
    return code.union(checks, solutions)


def _within(name: str, folder: Path) -> tuple[str, str]:
    """Return in which copy of the kit a file lies, and its name in this folder of it, or ""."""
    copy, found, inside = f"/{name}".rpartition(f"/{folder.name}/")
    return copy, inside if found else ""


def _is_of_engine(name: str) -> bool:
    """Return whether a file lies where one of the engine does, or among what the kit records.

    Another edition of the kit has other records, but they lie in the same folder.
    """
    inside = _within(name, ENGINE)[1]
    is_record = inside.startswith(f"{RECORDED.name}/")
    return bool(inside) and (is_record or os.path.isfile(ENGINE / inside))


def _is_of_tests(name: str, copies: Collection[str]) -> bool:
    """Return whether a file lies where one of the tests does, in a copy that has the engine."""
    copy, inside = _within(name, TESTS)
    is_test = bool(inside) and (inside == TEST or os.path.isfile(TESTS / inside))
    return is_test and copy in copies


def _exercises_folder(check: str) -> str:
    """Return the folder of an assignment's solutions if this file may be its checks, or ""."""
    folder, _, own = check.rpartition("/")
    around, _, assignment = folder.rpartition("/")
    is_there = around.rpartition("/")[2] == DEFAULT.name and own == f"test_{assignment}.py"
    return folder if is_there else ""


def _lies_in_exercises(name: str, known: Collection[str]) -> bool:
    """Return whether a file lies where a solution does in one of these folders, or what is known.

    Another edition of the kit has other solutions, but they lie in the same folders.
    """
    folder, _, own = name.rpartition("/")
    around, _, kind = folder.rpartition("/")
    if kind in CORPUS:
        return around in known
    return folder in known and (own == f"{kind}.py" or own.endswith(".toml"))


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
