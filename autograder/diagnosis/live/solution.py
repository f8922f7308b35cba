"""Wrong modules made of a solution: a few of its definitions replaced, all others shared."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from types import CodeType
from typing import Any

from autograder import course
from autograder.child.source import Source
from autograder.misconceptions import Misconception

COMMENT = re.compile(r"^#.*\n", re.MULTILINE)  # statements and pictures: most of a solution


class Solution:
    """The right code of an assignment, of which wrong modules are made."""

    def __init__(self, assignment: str) -> None:
        texts = {name: _code(name) for name in course.assignments()}
        self._right = Source(assignment, texts, list(course.assignments()))
        problem = self._right.load(keep=False)
        assert problem is None, problem
        self._definitions = _definitions(texts[assignment])

    def mistaken(self, *mistakes: Misconception) -> Source:
        """It with all these mistakes of one exercise. Raises EditDoesNotApply."""
        return _Edited(self._right, self.code(*mistakes))

    def code(self, *mistakes: Misconception) -> list[str]:
        """What is executed anew with these mistakes, edited in one after the other: from the first
        definition that is edited to the exercise itself, for what stands between may use it.

        Raises EditDoesNotApply when one of them leaves nothing to edit for a later one.
        """
        if not mistakes:
            return []
        edited: dict[str, str] = {}
        for mistake in mistakes:
            code = edited.get(mistake.place, self._definitions[mistake.place])
            edited[mistake.place] = mistake.edited(code)
        names = list(self._definitions)
        first = min(map(names.index, edited))
        between = names[first : names.index(mistakes[0].exercise) + 1]
        return [edited.get(name, self._definitions[name]) for name in between]


class _Edited(Source):
    """A module that has what is not executed anew from the right one."""

    def __init__(self, right: Source, code: list[str]) -> None:
        self.__dict__ |= right.__dict__  # its texts: in problems they are the names of files
        self._right = right.namespace
        self._code = code

    def load(self, keep: bool) -> dict[str, Any] | None:
        """As of Source; it imports nothing."""
        self.namespace = dict(self._right)
        try:
            for code in self._code:
                exec(_compiled(f"{self.stem}.py", code), self.namespace)
        except BaseException as error:
            return self.problem(error)
        return None


@lru_cache(maxsize=256)
def _compiled(file: str, code: str) -> CodeType:
    return compile(code, file, "exec", dont_inherit=True)


def _code(assignment: str) -> str:
    text = (course.SOLUTIONS / f"{assignment}.py").read_text(encoding="utf-8")
    return COMMENT.sub("", text)


def _definitions(text: str) -> dict[str, str]:
    """The text of each class and function at the top."""
    lines = text.splitlines(keepends=True)
    return {
        node.name: "".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
