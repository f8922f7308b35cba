"""The course secret, from which hidden checks draw their numbers."""

from __future__ import annotations

from autograder.course import place


class NoSecret(Exception):
    """The course has no secret that can be used; the text says what to do."""


def secret() -> str:
    """The course secret; a student's copy has none. Raises NoSecret."""
    if place.is_students_copy():
        return ""
    from autograder.course import secret_file

    return secret_file.read()
