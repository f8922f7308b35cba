"""Wrong modules made of a solution: a few of its definitions replaced, all others shared."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from autograder import course
from autograder.course.misconceptions import Misconception
from autograder.runtime.source import Source

FORWARD = "    def forward("
COMMENT = re.compile(r"^#.*\n", re.MULTILINE)  # statements and pictures: most of a solution


class Solution:
    """The right code of an assignment, of which wrong modules are made."""

    def __init__(self, assignment: str) -> None:
        texts = {name: _code(name) for name in course.assignments()}
        self.right = Source(assignment, texts, list(course.assignments()))
        problem = self.right.load(keep=False)
        assert problem is None, problem
        self._definitions = _definitions(texts[assignment])

    def mistaken(self, *mistakes: Misconception) -> Edited:
        """It with all these mistakes of one exercise. Raises EditDoesNotApply."""
        code = self.code(*mistakes)
        builds = any(
            not _is_built_alike(code[m.place], self._definitions[m.place]) for m in mistakes
        )
        return Edited(self.right, code, builds)

    def code(self, *mistakes: Misconception) -> dict[str, str]:
        """What is executed anew with these mistakes, edited in one after the other: from the first
        definition that is edited to the exercise itself, for what stands between may use it.

        Raises EditDoesNotApply when one of them leaves nothing to edit for a later one.
        """
        if not mistakes:
            return {}
        edited: dict[str, str] = {}
        for mistake in mistakes:
            code = edited.get(mistake.place, self._definitions[mistake.place])
            edited[mistake.place] = mistake.edited(code)
        names = list(self._definitions)
        first = min(map(names.index, edited))
        between = names[first : names.index(mistakes[0].exercise) + 1]
        return {name: edited.get(name, self._definitions[name]) for name in between}


class Edited(Source):
    """A module that has what is not executed anew from the right one.

    code: what is, by name. builds: may objects be built otherwise than the right ones are?
    """

    def __init__(self, right: Source, code: Mapping[str, str], builds: bool) -> None:
        self.__dict__ |= right.__dict__  # its texts: in problems they are the names of files
        self._right = right.namespace
        self._code = code
        self._builds = builds

    def load(self, keep: bool) -> dict[str, Any] | None:
        """As of Source; it imports nothing."""
        self.namespace = dict(self._right)
        try:
            for code in self._code.values():
                exec(_compiled(f"{self.stem}.py", code), self.namespace)
        except BaseException as error:
            return self.problem(error)
        return None

    def classes(self) -> dict[type, type]:
        """By the right one, each class of which an object is one of the right class with another
        forward; none where objects may be built otherwise. For what is loaded."""
        if self._builds:
            return {}
        return {self._right[name]: self.namespace[name] for name in self._code}


@lru_cache(maxsize=256)
def _compiled(file: str, code: str) -> CodeType:
    """Compile code of ours without warnings: what is odd in it is the mistake it stands for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(code, file, "exec", dont_inherit=True)


def _is_built_alike(code: str, right: str) -> bool:
    """Is a definition that of a module, with what stands in front of forward as it was?"""
    before, forward, _ = right.partition(FORWARD)
    return bool(forward) and code.startswith(before)


def _code(assignment: str) -> str:
    return COMMENT.sub("", course.solution(assignment))


def _definitions(text: str) -> dict[str, str]:
    """The text of each class and function at the top."""
    lines = text.splitlines(keepends=True)
    return {
        node.name: "".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
