"""Identify versions of the course by digests of everything that can change a grade."""

from __future__ import annotations

import hashlib
import os
import site
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import distributions
from pathlib import Path

from autograder import parsing
from autograder.course import place
from autograder.course.secrecy import secret
from autograder.errors import CourseError
from autograder.parsing import DamagedData
from autograder.runtime.third_party import THIRD_PARTY

# These change no grade.
IRRELEVANT = frozenset(
    {
        *("audit", "authoring", "gradebooks", "kit", "mutants", "nbgrader", "overview"),
        *("right", "wrong", "equivalents.toml", "__pycache__"),
    }
)
# In a student's copy, recorded answers are in .replies and .traces.
ENDINGS = (".py", ".html", ".toml", ".replies", ".traces")
MOST = 500_000_000  # bytes of one file, as of a recording


def fingerprint() -> str:
    """Return eight characters that identify this version of the course.

    Reports show them, so the secret is left out: a weak one could be guessed from the digest.
    """
    return _edition("", tuple(sorted(_graders())), _installed())[:8]


def edition() -> str:
    """Return a digest of all that can change a grade: engine, checks, solutions, secret, versions.

    It looks at the files in each call, since a check may be fixed while a server runs. No report
    shows it. Raises NoSecret.
    """
    return _edition(secret(), tuple(sorted(_graders())), _installed())


@lru_cache(maxsize=2)
def _edition(secret: str, files: tuple[tuple[str, str, int, int], ...], installed: int) -> str:
    """Return the digest. installed: as of _installed(), when versions have to be read again."""
    digest = hashlib.blake2b(secret.encode(), digest_size=8, person=b"edition")
    digest.update(repr([*sys.version_info[:2], *map(_version, THIRD_PARTY)]).encode())
    for name, path, _, size in files:
        digest.update(f"\n{name} {size}\n".encode())
        digest.update(_bytes(Path(path)))
    return digest.hexdigest()


def _version(package: str) -> str:
    """Return the version of a package; "" if it is not installed, or is a part of another one."""
    return next((one.version for one in distributions(name=package, path=_folders())), "")


def _folders() -> list[str]:
    """Return the folders of installed packages, and those that PYTHONPATH names, as on clusters.

    Not all of sys.path: some packages add folders of their own to it once they are imported, and
    all processes must find the same.
    """
    named = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    of_user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    folders = [*named.split(os.pathsep), *of_user, *site.getsitepackages()]  # as in sys.path
    return [folder for folder in folders if os.path.isdir(folder)]


def _bytes(path: Path) -> bytes:
    """Return the contents of a file of the engine or the course. Raises CourseError."""
    try:
        return parsing.read_linked(path, MOST, bytes)
    except DamagedData as problem:
        raise CourseError(f"{path} cannot be read: {problem}. {place.RESTORE}") from None


def _installed() -> int:
    """Return a time that changes when a package is installed, upgraded or removed."""
    return max((os.stat(folder).st_mtime_ns for folder in _folders()), default=0)


def _stat(path: str) -> os.stat_result:
    """Return what the system knows of a file of the engine or the course. Raises CourseError."""
    try:
        return os.stat(path)
    except OSError as problem:
        raise CourseError(f"{path} cannot be read: {problem.strerror}. {place.RESTORE}") from None


def _graders() -> Iterator[tuple[str, str, int, int]]:
    """Yield the files that can change a grade: name, path, modification time, size in bytes."""
    tops = [("engine", place.ENGINE), ("course", place.folder())]
    if place.declared().take_over:
        tops.append(("taken over", place.DEFAULT))
    for label, top in tops:
        for folder, inner, names in os.walk(top):
            inner[:] = [name for name in inner if name not in IRRELEVANT]
            for file in names:
                is_hidden = file.startswith(".")  # editors write such files
                if file.endswith(ENDINGS) and not is_hidden and file not in IRRELEVANT:
                    path = os.path.join(folder, file)
                    found = _stat(path)
                    name = f"{label}{path.removeprefix(str(top))}"
                    yield name, path, found.st_mtime_ns, found.st_size
