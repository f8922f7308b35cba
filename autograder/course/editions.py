"""Tell one version of the course from another, by digests of all that can change a grade."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from autograder.course import place
from autograder.course.secrecy import secret

APART = {"audit", "kit", "nbgrader", "right", "wrong", "__pycache__"}  # change no grade
LIBRARIES = ("torch", "einops", "numpy")


def fingerprint() -> str:
    """Eight characters that tell two versions of the course apart.

    Reports show it, so the secret has no part in it: a weak one could be guessed from its digest.
    """
    return _edition("", tuple(sorted(_graders())))[:8]


def edition() -> str:
    """A short digest of all that can change a grade: engine, checks, solutions, secret, versions.

    Files are looked at each time: a check may be mended while a server runs. No report shows it.
    Raises NoSecret.
    """
    return _edition(secret(), tuple(sorted(_graders())))


@lru_cache(maxsize=2)
def _edition(secret: str, files: tuple[tuple[str, str, int, int], ...]) -> str:
    digest = hashlib.blake2b(secret.encode(), digest_size=8, person=b"edition")
    digest.update(repr([*sys.version_info[:2], *map(version, LIBRARIES)]).encode())
    for name, path, _, size in files:
        digest.update(f"\n{name} {size}\n".encode())
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def _graders() -> Iterator[tuple[str, str, int, int]]:
    """The files that make a grade what it is: name, path, time of writing, and size in bytes."""
    for label, top in (("engine", place.ENGINE), ("course", place.folder())):
        for folder, inner, names in os.walk(top):
            inner[:] = [name for name in inner if name not in APART]
            for file in names:
                if file.endswith((".py", ".html", ".toml")):
                    path = os.path.join(folder, file)
                    found = os.stat(path)
                    name = f"{label}/{os.path.relpath(path, top)}"
                    yield name, path, found.st_mtime_ns, found.st_size
