"""Give an exercise back its first text, and keep a copy of what was written."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder import parsing, whole_file
from autograder.course import DEFINED, assignments, root, skeleton, source_lines
from autograder.errors import UsageError
from autograder.kit import backups
from autograder.parsing import DamagedData
from autograder.runtime.statements import first_line
from autograder.submissions.files import Unreadable
from autograder.submissions.magics import of_script, without_magics
from autograder.submissions.notebook import UTF_16
from autograder.submissions.source_text import MAX_NOTEBOOK, decode_source

LINE_END = re.compile(r"\r\n?")
ENDS = re.compile(r"# ?%%|[^\s#)\]}]")  # begins a line that ends the definition before it


class CannotReset(UsageError):
    """An exercise cannot be reset; the text says why. Nothing was changed."""


def reset(exercise: str, path: Path) -> Path:
    """Reset an exercise in a module or a notebook. Returns the path of the copy made before.

    Raises CannotReset.
    """
    stub = _stub(exercise)
    try:
        data = parsing.read_linked(path, MAX_NOTEBOOK, bytes)
        mode = path.stat().st_mode & 0o777
        if path.suffix == ".ipynb":
            changed = _in_notebook(data, exercise, stub)
        else:
            decode_source(data, path)  # which says why it cannot be read
            changed = _in_module(data, exercise, stub)
        copy = backups.free(root(), path.stem, path.suffix)
        whole_file.write(copy, data, mode)
        whole_file.write(path.resolve(), changed, mode)
    except Unreadable as problem:
        raise CannotReset(f"{problem} Nothing was changed.") from None
    except (RecursionError, MemoryError):  # of Python's own parser as well
        raise CannotReset(f"{path} is nested too deeply. Nothing was changed.") from None
    except (DamagedData, OSError, ValueError, SyntaxError, LookupError, TypeError) as problem:
        raise CannotReset(f"{path} cannot be reset: {problem}. Nothing was changed.") from None
    return copy


def _stub(exercise: str) -> str:
    """Return the text with which students begin an exercise."""
    for name in assignments():
        text = skeleton(name)
        if places := _places(text, exercise):
            first, last = places[0]
            return "".join(source_lines(text)[first:last])
    raise CannotReset(f"No assignment defines {exercise}.")


def _in_module(data: bytes, exercise: str, stub: str) -> bytes:
    """Return a module with the stub in place of the exercise. Raises ValueError, SyntaxError.

    Its encoding and the ends of its lines stay as they are.
    """
    encoding = "utf-16"
    if not data.startswith(UTF_16):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    places = _places_in(text, exercise, stub, of_script)
    _assert_one(places, exercise, stub, "line")
    return _replaced(text, places[0], stub).encode(encoding)


def _in_notebook(data: bytes, exercise: str, stub: str) -> bytes:
    """Return a notebook with the stub in the cell that defines the exercise.

    Raises ValueError, SyntaxError.
    """
    made: Any = json.loads(data)
    cells = made.get("cells") if isinstance(made, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it has no list of cells")
    found = []
    for cell in (one for one in cells if isinstance(one, dict) and one.get("cell_type") == "code"):
        source = "".join(cell.get("source") or "")
        if exercise in DEFINED.findall(source):
            places = _places_in(source, exercise, stub, without_magics)
            found += [(cell, source, place) for place in places]
    _assert_one(found, exercise, stub, "line of a cell")
    [(cell, source, place)] = found
    cell["source"] = _replaced(source, place, stub).splitlines(keepends=True)
    return f"{json.dumps(made, indent=1, ensure_ascii=False)}\n".encode()


def _assert_one(found: Sequence[object], exercise: str, stub: str, line: str) -> None:
    """Assert that an exercise is defined once. Raises ValueError, which says what to do."""
    kind = next(one for one in ("class", "def") if re.search(rf"^{one} ", stub, re.MULTILINE))
    if not found:
        raise ValueError(f"no {line} begins with `{kind} {exercise}`. Write one, then reset again")
    if len(found) > 1:
        count = len(found)
        raise ValueError(f"it defines {exercise} {count} times. Delete all but one, and reset it")


def _places_in(
    text: str, exercise: str, stub: str, as_python: Callable[[str], str]
) -> list[tuple[int, int]]:
    """Return where a student's text defines an exercise, even if this is what Python cannot read.

    as_python: makes Python of a text with commands of notebooks, line by line. Raises ValueError,
    SyntaxError.
    """
    try:
        return _places(as_python(_plain(text)), exercise)
    except SyntaxError as error:
        places = _places_by_line(text, exercise)
        if len(places) == 1:
            with suppress(SyntaxError):  # another place is wrong too
                if len(_places(as_python(_plain(_replaced(text, places[0], stub))), exercise)) == 1:
                    return places
        where = f"Python cannot read its line {error.lineno} ({error.msg})"
        raise ValueError(f"{where}. Correct that line, then reset again") from None


def _places_by_line(text: str, exercise: str) -> list[tuple[int, int]]:
    """Return the lines from each definition of an exercise to the next line that is not indented.

    Comments and closing brackets do not end a definition, the head of a cell does.
    """
    lines = source_lines(_plain(text))
    begins = re.compile(rf"(async\s+def|def|class)\s+{re.escape(exercise)}\b")
    found = []
    for first in (i for i, line in enumerate(lines) if begins.match(line)):
        after = enumerate(lines[first + 1 :], start=first + 1)
        last = next((i for i, line in after if ENDS.match(line)), len(lines))
        while not lines[last - 1].strip() or lines[last - 1].startswith("#"):
            last -= 1
        while first and lines[first - 1].startswith("@"):
            first -= 1
        found.append((first, last))
    return found


def _places(text: str, exercise: str) -> list[tuple[int, int]]:
    """Return where a text defines an exercise: the indices of its first line and of the next one.

    The first line may be that of a decorator. Raises ValueError, SyntaxError.
    """
    named = [node for node in ast.parse(text).body if getattr(node, "name", "") == exercise]
    return [(first_line(node) - 1, node.end_lineno or node.lineno) for node in named]


def _plain(text: str) -> str:
    """Return a text with the same lines, which all end as Python's do."""
    return LINE_END.sub("\n", text)


def _replaced(text: str, place: tuple[int, int], stub: str) -> str:
    """Return a text with the stub in place of these lines, which ends as they do."""
    first, last = place
    lines = source_lines(text)
    newline = lines[first][len(lines[first].rstrip("\r\n")) :] or "\n"
    if not lines[last - 1].endswith(("\r", "\n")):
        stub = stub.rstrip("\n")
    return "".join([*lines[:first], stub.replace("\n", newline), *lines[last:]])
