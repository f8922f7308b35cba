"""Where the course keeps its parts. A file's stem is the identity of an assignment."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
ASSIGNMENTS = ROOT / "assignments"
CHECKS = ROOT / "autograder" / "checks"
SECRET_FILE = ROOT / ".course-secret"
DEFAULT_SECRET = "attention is all you need to grade"


@cache
def assignments() -> tuple[str, ...]:
    """The names of all assignments, in alphabetical order."""
    return tuple(sorted(path.stem for path in SOLUTIONS.glob("*.py")))


@cache
def secret() -> str:
    """The course secret, from which hidden checks draw their numbers.

    An instructor's own stands in the file .course-secret; without it a default is used.
    """
    if SECRET_FILE.exists():
        return SECRET_FILE.read_text(encoding="utf-8").strip()
    return DEFAULT_SECRET


def fingerprint() -> str:
    """Eight characters that tell two courses' secrets apart and give neither away."""
    return hashlib.blake2b(secret().encode(), digest_size=4, person=b"fingerprint").hexdigest()
