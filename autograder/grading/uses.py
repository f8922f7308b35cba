"""Find the exercises that a submission makes use of in another one, judging by its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.client import Text
from autograder.course.exercise import Exercise


def used(exercise: Exercise, text: Text) -> list[Exercise]:
    """Return those that an exercise may use, beside those it needs, and that the text mentions.

    Their definitions are no mentions.
    """
    texts = [*_texts(text)]
    return [e for e in exercise.may_use if any(_mentions(part, e.name) for part in texts)]


def _texts(text: Text) -> Iterator[str]:
    """Yield the texts of the module and of the student's own modules."""
    for name, code in text.texts.items():
        if name == text.stem or name not in text.siblings:
            yield from [code] if isinstance(code, str) else (part for _, part in code)


def _mentions(text: str, name: str) -> bool:
    found = re.finditer(rf"(^(?:class|def)\s+)?\b{name}\b", text, re.MULTILINE)
    return any(not mention[1] for mention in found)
