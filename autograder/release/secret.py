"""The course secret: never part of what students are given."""

from __future__ import annotations

from functools import cache

from autograder.course import ROOT

FILE = ROOT / ".course-secret"
DEFAULT = "attention is all you need to grade"


@cache
def secret() -> str:
    """An instructor's own stands in the file .course-secret; without it a default is used."""
    return FILE.read_text(encoding="utf-8").strip() if FILE.exists() else DEFAULT
