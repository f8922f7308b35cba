"""Show what a call returns where IPython does not: it shows the value of the last line only."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from itertools import islice
from types import FrameType
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
SHOWN = "last_expr"  # IPython's setting, unless a user has chosen another one


def displayed(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return a function that does the same, and shows what it returns where nobody else does."""

    @wraps(function)
    def called(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        result = function(*arguments, **named)
        with suppress(ImportError):
            from IPython.core.getipython import get_ipython
            from IPython.display import display

            shell = get_ipython()
            if shell and _is_dropped(sys._getframe(1), shell.ast_node_interactivity):
                display(result)  # type: ignore[no-untyped-call]
        return result

    return called


def _is_dropped(frame: FrameType, interactivity: str) -> bool:
    """Return whether a call stands by itself, and IPython does not show its value.

    So it is above the last line, or in a loop or a function. frame: of who makes the call now.
    interactivity: IPython's setting of that name.
    """
    if interactivity != SHOWN:
        return False
    with suppress(SyntaxError):
        cell = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
        calls = [one for one in _alone(cell) if _is_running(one.value, frame)]
        return bool(calls) and calls[-1] is not cell.body[-1]
    return False


def _alone(cell: ast.Module) -> Iterator[ast.Expr]:
    """Yield the calls that are statements."""
    for node in ast.walk(cell):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node


def _is_running(call: ast.expr, frame: FrameType) -> bool:
    """Return whether a frame is at a call; from Python 3.11 on, one of several in a line."""
    if sys.version_info >= (3, 11):
        at = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
        return at == (call.lineno, call.end_lineno, call.col_offset, call.end_col_offset)
    return call.lineno <= frame.f_lineno <= (call.end_lineno or call.lineno)
