"""Find the part of a cell that ran before an error or Ctrl-C stopped it, as text to run again."""

from __future__ import annotations

import ast
import itertools
import linecache
import re
import traceback
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from autograder.runtime.recovery import without_broken
from autograder.runtime.statements import DEFINED, first_line
from autograder.submissions.magics import CELL_MAGIC, of_cell

Frames = Sequence[tuple[FrameType, int]]  # with their lines, the outermost first
LOOPS = (ast.For, ast.AsyncFor, ast.While)
ERRORS = "(Exception, SystemExit, KeyboardInterrupt)"  # that code raises, but not the grader


def line_of(frames: Frames, names: dict[str, Any], text: str) -> int:
    """Return the line that a cell has reached; 0 if none of it has run.

    names: those of the notebook, by which the frames of the cell are known: one for each magic at
    its top, such as %%time, and one for what is below them.
    """
    above = lines_above(text)  # not counted in the last frame
    magics = sum(bool(line.strip()) for line in above)
    own = [line for frame, line in frames if frame.f_globals is names and _is_cell(frame)]
    return len(above) + own[magics] if len(own) > magics else 0


def ran_and_tried(text: str, line: int) -> tuple[str, str]:
    """Return what of a cell has run if it stopped in a line, and its text to the end of that.

    The first raises no error: the statement that stopped is in a `try`, since part of it has run.
    """
    lines = text.split("\n")
    remaining = [node for node in body(text) if (node.end_lineno or node.lineno) >= line]
    above = first_line(remaining[0]) - 1 if remaining else 0
    stopped = [node for node in remaining if first_line(node) <= line]
    end = max([above, *(node.end_lineno or 0 for node in stopped)])
    return "\n".join([*lines[:above], *_without_error(stopped)]), "\n".join(lines[:end])


def not_reached(text: str, line: int) -> str:
    """Return the statements of a cell from the one that has a line on, without a magic.

    Of a cell that Python cannot read, these are all, with assignments for its broken definitions.
    """
    nodes, code = body(text), of_cell(text)
    if not nodes:
        names = dict.fromkeys(DEFINED.findall(code))
        return "\n".join([without_broken(code), *(f"{name} = None" for name in names)])
    return "\n".join(ast.unparse(one) for one in nodes if (one.end_lineno or one.lineno) >= line)


def with_interrupt(text: str, line: int, script: str = "") -> str:
    """Return a text with an interrupt in place of the innermost statement that has a line.

    script: what has run of a script, if it is that which was interrupted.
    """
    inner = _innermost(body(text), line)
    if not inner:
        return text
    lines = of_cell(text).split("\n")
    first, last = first_line(inner) - 1, (inner.end_lineno or line) - 1
    before = lines[first].encode()[: inner.col_offset].decode()
    after = lines[last].encode()[inner.end_col_offset :].decode()
    raising = f"exec({script!r})" if script else "raise KeyboardInterrupt"
    lines[first : last + 1] = [f"{before}{raising}{after}", *[""] * (last - first)]
    return "\n".join(lines)


def in_doubt(text: str, line: int) -> str:
    """Return what may have run in part when a cell was interrupted in a line, as text.

    That is the loop around it, or else the names of what the innermost statement may have called.
    """
    if not (inner := _innermost(body(text), line)):
        return ""
    nodes = (node for statement in body(text) for node in ast.walk(statement))
    loops = (node for node in nodes if isinstance(node, LOOPS) and _has(node, line))
    if loop := next(loops, None):
        return ast.unparse(loop)
    return "\n".join(node.id for node in ast.walk(inner) if isinstance(node, ast.Name))


def script_in(frames: Frames, names: dict[str, Any]) -> str:
    """Return what has run of the script that %run has begun in a cell; "" if there is none.

    names: see `line_of`.
    """
    in_cell = itertools.dropwhile(lambda one: one[0].f_globals is not names, frames)
    below = (one for one in in_cell if one[0].f_globals is not names)
    file, line = _script(one for one in below if one[0].f_globals.get("__name__") == "__main__")
    return ran_and_tried(with_interrupt(_text(file), line), line)[0]


def script_that_failed(frames: Frames) -> tuple[str, str]:
    """Return the file of a script that an error has ended, and what of it has run; "" for none.

    frames: those that the error has gone through, without the cell's: %run only shows it.
    """
    file, line = _script(frames)
    return file, ran_and_tried(_text(file), line)[0]


def without_script(text: str, file: str) -> str:
    """Return a cell without the %run of a script."""
    name = re.escape(Path(file).stem)
    own = re.compile(rf"get_ipython\(\)\.run_line_magic\('run', [^\n]*\b{name}\b[^\n]*")
    return own.sub("pass", of_cell(text))


def _script(frames: Iterable[tuple[FrameType, int]]) -> tuple[str, int]:
    """Return the file of the first module among frames, and its line; "" if there is none."""
    found = ((frame.f_code.co_filename, line) for frame, line in frames if _is_cell(frame))
    return next(found, ("", 0))


def _text(file: str) -> str:
    linecache.checkcache(file)
    return "".join(linecache.getlines(file))


@lru_cache(maxsize=1_000)  # each check reads all cells of a session again
def body(text: str) -> Sequence[ast.stmt]:
    """Return a cell's statements, for reading only; none if Python cannot read it."""
    try:
        return tuple(ast.parse(of_cell(text)).body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ()


def _without_error(statements: list[ast.stmt]) -> list[str]:
    """Return the lines of a statement that runs these until one of them raises an error."""
    if not statements:
        return []
    [trying] = ast.parse(f"try: pass\nexcept {ERRORS}: pass").body
    assert isinstance(trying, ast.Try)
    trying.body = statements
    return ast.unparse(trying).split("\n")


def unreadable_line(text: str) -> int:
    """Return the line of a cell's syntax error; 0 if it has none."""
    try:
        compile(of_cell(text), "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1
    return 0


def _innermost(statements: Sequence[ast.stmt], line: int) -> ast.stmt | None:
    """Return the first statement that has a line, and has no other one in it that does."""
    for node in statements:
        if _has(node, line):
            below = [one for one in ast.walk(node) if isinstance(one, ast.stmt)][1:]
            return _innermost(below, line) or node
    return None


def _has(node: ast.stmt, line: int) -> bool:
    return first_line(node) <= line <= (node.end_lineno or node.lineno)


def lines_above(text: str) -> list[str]:
    """Return the lines at the top of a cell that are blank, or magics for the lines below."""
    return [*itertools.takewhile(_is_above, text.split("\n"))]


def _is_above(line: str) -> bool:
    """Return whether a line at the top of a cell is blank or a magic for the lines below."""
    return not line.strip() or bool(CELL_MAGIC.match(line))


def _is_cell(frame: FrameType) -> bool:
    """Return whether a frame is that of a cell or a file, and not of a function in it."""
    return frame.f_code.co_name.startswith(("<module>", "<cell line"))


def of_error(error: BaseException | None) -> Frames:
    """Return the frames that an error has gone through."""
    return [*traceback.walk_tb(error.__traceback__ if error else None)]


def of_interrupt(frame: FrameType | None) -> Frames:
    """Return the frames that run while a signal interrupts one of them."""
    return [*traceback.walk_stack(frame)][::-1]
