"""Compile a module, or a notebook's cells as Jupyter runs them one after another."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import operator
import re
from collections.abc import Container, Sequence
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any

from autograder.runtime import main_blocks
from autograder.runtime.awaiting import wait_for
from autograder.runtime.recovery import without_broken
from autograder.runtime.statements import without_definitions

CELL = re.compile(r"(?:.*, cell |In \[)\d+\]?", re.DOTALL)  # the label of a notebook's cell
FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class Compiler:
    """Compiles the parts of a module in order: its text, or a notebook's cells.

    In a cell, the __future__ imports of earlier cells hold, `await` may stand outside functions,
    and `__name__` is "__main__", see runtime.main_blocks.
    parts: all parts as (label, text). substitutes: names whose top-level definitions are left out.
    """

    def __init__(self, parts: Sequence[tuple[str, str]], substitutes: Container[str] = ()) -> None:
        self._parts = parts
        self._substitutes = substitutes
        self._flags = 0  # of the last part that was compiled
        self._shared = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # flags of the cells to come

    def code(self, text: str, file: str) -> CodeType:
        """Compile a part. Raises what Python's compiler does."""
        flags = self._shared if CELL.fullmatch(file) else 0
        if self._substitutes or self._has_main(text, file):
            code = compile(self.tree(text, file), file, "exec", flags, dont_inherit=True)
        else:
            code = compiled(text, file, flags)
        self._flags = flags | code.co_flags & FUTURE
        if CELL.fullmatch(file):
            self._shared = self._flags
        return code

    def statement(self, node: ast.stmt, file: str) -> CodeType:
        """Compile a statement of the part that was compiled last."""
        return compile(ast.Module([node], []), file, "exec", self._flags, dont_inherit=True)

    def tree(self, text: str, file: str) -> ast.Module:
        """Return the tree of what runs in a part."""
        tree = ast.parse(text, file)
        if self._has_main(text, file):
            tree = main_blocks.as_in_jupyter(tree, self._needed)
        if self._substitutes:
            tree = without_definitions(tree, self._substitutes)
        return tree

    def _has_main(self, text: str, file: str) -> bool:
        return "__main__" in text and bool(CELL.fullmatch(file))

    @cached_property
    def _needed(self) -> set[str]:
        return main_blocks.needed(parsed(text) for _, text in self._parts)


@lru_cache(maxsize=16)  # other graded modules import a graded module again
def compiled(text: str, file: str, flags: int) -> CodeType:
    """Compile a text, without the __future__ imports of this module."""
    return compile(text, file, "exec", flags, dont_inherit=True)


def run(code: CodeType, namespace: dict[str, Any]) -> None:
    """Execute code, which may await outside functions."""
    running = eval(code, namespace)
    if code.co_flags & inspect.CO_COROUTINE:
        wait_for(running)


def parsed(text: str) -> ast.Module:
    """Return the tree of a text, without what a syntax error affects."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.parse(without_broken(text))
    except (ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
