"""Make wrong modules from a solution: replace a few definitions and share the others."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from autograder import course
from autograder.client.loaded import FATAL
from autograder.course.misconceptions import Misconception
from autograder.runtime.source import Source

FORWARD = "    def forward("
COMMENT = re.compile(r"^#.*\n", re.MULTILINE)  # statements and pictures: most of a solution


class Solution:
    """The right code of an assignment, from which wrong modules are made."""

    def __init__(self, assignment: str) -> None:
        texts = {name: _code(name) for name in course.sources()}
        self.right = Source(assignment, texts, list(course.sources()), fatal=FATAL)
        problem = self.right.load(keep=False)
        assert problem is None, problem
        self._definitions = _definitions(texts[assignment])

    def mistaken(self, *mistakes: Misconception) -> Edited:
        """Return the module with these mistakes in one exercise. Raises EditDoesNotApply."""
        code = self.code(*mistakes)
        builds = any(
            not _is_built_alike(code[m.place], self._definitions[m.place]) for m in mistakes
        )
        return Edited(self.right, code, builds)

    def code(self, *mistakes: Misconception) -> dict[str, str]:
        """Return the definitions to execute again with these mistakes, by name.

        They reach from the first edited one to the exercise itself, since those between may use it.
        Raises EditDoesNotApply if one mistake removes what a later one edits.
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
    """A module that shares all definitions of the right one except a few.

    code: the definitions to execute again, by name. builds: its objects may be built differently
    from the right ones.
    """

    def __init__(self, right: Source, code: Mapping[str, str], builds: bool) -> None:
        self.__dict__ |= right.__dict__  # its texts, which give problems their file names
        self._right = right.namespace
        self._code = code
        self._builds = builds

    def load(self, keep: bool) -> dict[str, Any] | None:
        """Execute the definitions, as Source.load does; nothing is imported."""
        self.namespace = dict(self._right)
        try:
            for code in self._code.values():
                exec(_compiled(f"{self.stem}.py", code), self.namespace)
        except BaseException as error:
            return self.problem(error)
        return None

    def classes(self) -> dict[type, type]:
        """Return the classes that differ only in forward, by the right class; call load first.

        Return none if objects may be built differently.
        """
        if self._builds:
            return {}
        return {self._right[name]: self.namespace[name] for name in self._code}


@lru_cache(maxsize=256)
def _compiled(file: str, code: str) -> CodeType:
    """Compile code with a mistake, without the warnings that the mistake may cause."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(code, file, "exec", dont_inherit=True)


def _is_built_alike(code: str, right: str) -> bool:
    """Return whether a definition has a forward and is unchanged in front of it."""
    before, forward, _ = right.partition(FORWARD)
    return bool(forward) and code.startswith(before)


def _code(assignment: str) -> str:
    return COMMENT.sub("", course.solution(assignment))


def _definitions(text: str) -> dict[str, str]:
    """Return the text of each top-level class and function."""
    lines = course.source_lines(text)
    return {
        node.name: "".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
