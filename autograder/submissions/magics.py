"""Turn Jupyter's commands into Python, in a cell or in a script made from a notebook.

They are not Python. Examples: `%matplotlib inline`, `!pip install`, `name?`. Those that run Python
or set a name become Python, and the others become comments.
"""

from __future__ import annotations

import re
from functools import lru_cache

from autograder.submissions.commands import (
    AUTOMAGIC,
    MOST_NESTED,
    as_typed,
    python_of,
    value_of,
    without_runners,
)
from autograder.submissions.continuing import Lines, command_of, ends_in_code
from autograder.submissions.pasted import as_code

ESCAPES = ("%", "!", "?", ",", ";", "/")  # begin commands
HELP = re.compile(r"[\w*\]]\?\??\s*$")  # ends a line that asks for help on a name
CALL = re.compile(  # nbconvert turns magics into these; the others are Python
    r"\s*get_ipython\(\)\s*\.(?!(?:user_ns|ex|run_cell)\b)"
)
CELL_MAGIC = re.compile(r"\s*%%(\w*)(\??)[ \t]*(.*)")
OF_PYTHON = re.compile(  # cell magics with Python in the cell
    r"time|timeit|capture|prun|memit|debug|snakeviz|pyinstrument|scalene|wandb|ipytest"
)
CAPTURED = re.compile(r"(?:--no-\w+[ \t]+)*([^\W\d]\w*)\s*$")  # the name that %%capture sets
TEXT = r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
CELL_CALL = re.compile(  # nbconvert turns cell magics into these: the cell becomes a string
    rf"get_ipython\(\)\.run_cell_magic\(\s*['\"](?:time|timeit|capture|prun)['\"],\s*{TEXT},\s*"
)
MAY_BE = re.compile(r"[%!?]|get_ipython|^[^\S\n]*[,;/]", re.MULTILINE)  # in each command
MARKS = re.compile(r"['\"()\[\]{}]")  # in each line after which a string or brackets may be open
CELL_OF_SCRIPT = re.compile(r"# ?(In ?\[[ \d*]*\]:?|%%( .*)?|<codecell>|COMMAND -+)\s*$")


def of_cell(cell: str) -> str:
    """Return the Python of a notebook's cell, see `pasted.as_code`; lines keep their numbers."""
    lines = [line for line in cell.split("\n") if line.strip()]
    if len(lines) == 1 and AUTOMAGIC.match(lines[0]):
        cell = cell.replace(lines[0], f"%{lines[0]}")
    return without_magics(cell)


def without_magics(cell: str) -> str:
    """Return a cell with its commands as Python or as comments; lines keep their numbers.

    A command begins where a statement can begin: `!= b` in brackets and `%s` in a string are not
    commands.
    """
    if not MAY_BE.search(cell):
        return cell
    lines = cell.split("\n")
    head: list[str] = []
    for _ in range(MOST_NESTED):
        first = next((i for i, line in enumerate(lines) if line.strip()), 0)
        magic = CELL_MAGIC.match(lines[first])
        if not magic or magic[2]:
            break
        if not OF_PYTHON.fullmatch(magic[1]):
            return "\n".join(head + [f"# {line}" for line in lines])
        head += [*lines[:first], _cell_magic(magic)]
        if not lines[first + 1 :]:
            return "\n".join(head)
        lines = as_code("\n".join(lines[first + 1 :])).split("\n")
    return "\n".join(head + _statements(lines))


@lru_cache(maxsize=2)  # of a module without commands and demonstrations it is asked twice
def cells_of_script(text: str) -> tuple[str, ...]:
    """Split a script that was made from a notebook into cells; joined, they are the text again."""
    cells: list[list[str]] = [[]]
    state = Lines()
    for line in text.split("\n"):
        if line.startswith("#") and not state.quote and CELL_OF_SCRIPT.match(line):
            cells.append([])
        cells[-1].append(line)
        if state.quote or MARKS.search(line):
            state.read(line)
    return tuple("\n".join(lines) for lines in cells if lines)


def of_script(text: str) -> str:
    """Return a module with the commands that a conversion has left in it as Python or comments."""
    return "\n".join(_below_mark(cell) for cell in cells_of_script(text))


@lru_cache(maxsize=512)  # most cells of a class are as they were given out
def _below_mark(cell: str) -> str:
    """Return a script's cell without magics; the first line may be the mark that begins it."""
    mark, newline, rest = cell.partition("\n")
    if not CELL_OF_SCRIPT.match(mark):
        return without_magics(cell)
    return mark + newline + without_magics(rest)


def _cell_magic(magic: re.Match[str]) -> str:
    if magic[1] == "capture" and (name := CAPTURED.match(magic[3])):
        return f"{name[1]} = {value_of(magic[0].lstrip()[1:])}"
    return f"# {magic[0]}"


def _statements(lines: list[str]) -> list[str]:
    """Return lines with commands as Python or comments."""
    found: list[str] = []
    state = Lines()
    in_command = in_call = False  # whether it goes on in the next line
    for line in lines:
        if in_command:
            found.append(f"# {line}")
            in_command = line.endswith("\\")
            continue
        begins = state.can_begin
        python = _python(line, state) if begins else f"# {line}" if in_call else line
        in_call = bool(python != line and CALL.match(line)) if begins else in_call
        state.read(line if in_call else python)
        in_command = python != line and line.endswith("\\") and state.can_begin
        found.append(python)
    return found


def _python(line: str, state: Lines) -> str:
    """Return a line that begins a statement with a command in it as Python or as a comment."""
    typed = as_typed(line)
    indent = typed[: len(typed) - len(typed.lstrip())]
    code = without_runners(typed.lstrip())
    if code.startswith(ESCAPES):
        code = python_of(code)
    elif code.rstrip().endswith("?") and HELP.search(code) and ends_in_code(code):
        code = ""
    elif CALL.match(code):
        code = CELL_CALL.sub("exec(", code) if CELL_CALL.match(code) else ""
    elif ("%" in code or "!" in code) and (at := command_of(code)) >= 0:
        code = code[:at] + value_of(code[at:])
    if indent + code == line:
        return line
    if code and state.could_stand(indent):
        return indent + code
    return f"{indent}pass  # {line.strip()}" if indent and state.begins_block else f"# {line}"
