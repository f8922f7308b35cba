"""The course secret, which seeds the random numbers of hidden checks."""

from __future__ import annotations

from autograder.course import place


def secret() -> str:
    """Return the course secret, "" in a student's copy.

    Raises secret_file.NoSecret.
    """
    if place.is_students_copy():
        return ""
    from autograder.course import secret_file

    return secret_file.read()


def secret_stamp() -> tuple[int, ...]:
    """Return numbers that change when the file of the secret does. Raises OSError.

    A process reads its secret once, so that it grades everybody with the same one.
    """
    if place.is_students_copy():
        return ()
    from autograder.course import secret_file

    return secret_file.stamp()
