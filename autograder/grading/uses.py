"""Find the exercises that another one may use, judging by the submission's text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.checking.collect import Checks
from autograder.client import Text
from autograder.course.exercise import Exercise


def may_use(exercise: Exercise, text: Text, checks: Checks) -> list[Exercise]:
    """Return the earlier exercises that an exercise may use, beside those that it needs.

    The module, or an own module that it may import, mentions them other than in their definitions.
    """
    needed = exercise.prerequisites()
    found = [e for e in checks.earlier(exercise) if e not in needed]
    texts = [*_texts(text)]
    return [e for e in found if any(_mentions(part, e.name) for part in texts)]


def _texts(text: Text) -> Iterator[str]:
    """Yield the texts of the module and of the student's own modules."""
    for name, code in text.texts.items():
        if name == text.stem or name not in text.siblings:
            yield from [code] if isinstance(code, str) else (part for _, part in code)


def _mentions(text: str, name: str) -> bool:
    found = re.finditer(rf"(^(?:class|def)\s+)?\b{name}\b", text, re.MULTILINE)
    return any(not mention[1] for mention in found)
