"""Run the text of a module or a cell, and go on after each top-level statement that raises."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograder.runtime.compiling import Compiler, run
from autograder.runtime.problems import TimeUp, cause_of
from autograder.runtime.recovery import without_broken
from autograder.runtime.statements import DEFINED, bound, first_line
from autograder.runtime.stepping import Stepping


@dataclass(frozen=True)
class GoingOn:
    """Runs texts statement by statement where one raises, and what a syntax error does not affect.

    passed_on: exceptions that are not the text's own, which are raised. ends: returns whether the
    last of a text's errors so far ends it. stepping: how a slow notebook is run, else None.
    """

    passed_on: tuple[type[BaseException], ...]
    ends: Callable[[Sequence[BaseException]], bool] = lambda errors: False
    stepping: Stepping | None = None

    def run(
        self,
        text: str,
        file: str,
        namespace: dict[str, Any],
        lost: dict[str, BaseException],
        compiler: Compiler,
    ) -> list[BaseException]:
        """Execute a text, and continue after each top-level statement that raises.

        Returns the errors, and adds to `lost` the names that stayed undefined because of them.
        """
        errors: list[BaseException] = []
        try:
            code = compiler.code(text, file)
        except SyntaxError as error:
            errors.append(error)
            if self.ends(errors):
                return errors
            broken, text = text, without_broken(text)
            names = {*DEFINED.findall(broken)} - {*DEFINED.findall(text)}
            lost.update(dict.fromkeys(names, error))
            code = compiler.code(text, file)
        except self.passed_on:
            raise
        except BaseException as error:
            lost.update(dict.fromkeys(DEFINED.findall(text), error))
            return [error]
        line = 0 if self.stepping else self._raised(code, namespace, lost, errors)
        if line is None or self.ends(errors):
            return errors
        for number, node in enumerate(compiler.tree(text, file).body):
            if first_line(node) > line:
                statement = compiler.statement(node, file)
                try:
                    if self.stepping:
                        self.stepping.begin(node, file, number)
                    raised = self._raised(statement, namespace, lost, errors)
                except TimeUp as late:
                    if not self.stepping:
                        raise
                    for one in self.stepping.stop(node, file, number, late):
                        namespace.pop(one, None)
                        lost[one] = late
                    if self.stepping.has_ended:
                        raise
                    errors.append(late)
                    continue
                if raised is None:
                    continue
                if self.ends(errors):
                    return errors
            elif (node.end_lineno or 0) < line:
                continue
            for one in bound(node):
                if one not in namespace:
                    lost.setdefault(one, errors[-1])
        return errors

    def _raised(
        self,
        code: CodeType,
        namespace: dict[str, Any],
        lost: Mapping[str, BaseException],
        errors: list[BaseException],
    ) -> int | None:
        """Execute code. Returns the line that raised, if any, and appends its error to `errors`."""
        try:
            run(code, namespace)
        except self.passed_on:
            raise
        except BaseException as error:
            errors.append(cause_of(error, lost))
            frames = traceback.walk_tb(error.__traceback__)
            return next((line for frame, line in frames if frame.f_code is code), sys.maxsize)
        return None
