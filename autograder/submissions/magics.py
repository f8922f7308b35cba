"""Comment out Jupyter's commands in a cell or in a script made from a notebook.

They are not Python. Examples: `%matplotlib inline`, `!pip install`, `name?`.
"""

from __future__ import annotations

import re

MAGIC = re.compile(  # also with its output assigned to a name, and `name?`
    r"\s*(%%?[A-Za-z]|!|\?|\w[\w, ]*=\s*(!|%[A-Za-z])|[\w.]+\?\??\s*$)"
)
CALL = re.compile(r"\s*(\w[\w, ]*=\s*)?get_ipython\(\)\s*\.")  # nbconvert turns magics into these
OF_PYTHON = re.compile(r"%%(time|timeit|capture|prun)\b")  # cell magics with Python in the cell
TEXT = r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
CELL_CALL = re.compile(  # nbconvert turns cell magics into these: the cell becomes a string
    rf"get_ipython\(\)\.run_cell_magic\(\s*['\"](?:time|timeit|capture|prun)['\"],\s*{TEXT},\s*"
)
RUN = re.compile(  # the options change what it shows, or the names that it sees
    r"(\s*)%run\s+(?:-[ine]\s+)*['\"]?(?:\./)?([A-Za-z_]\w*)(?:\.py|\.ipynb)?['\"]?\s*$"
)
BLOCK = re.compile(r":\s*(#.*)?$")  # the end of a line that begins a block
MARK = re.compile(r"\\.|'''|\"\"\"|['\"#()\[\]{}]")  # decides whether a statement continues
CELL_OF_SCRIPT = re.compile(r"# ?(In ?\[[ \d*]*\]:?|%%( .*)?|<codecell>|COMMAND -+)\s*$")


def without_magics(cell: str) -> str:
    """Return a cell with its commands commented out; lines keep their numbers.

    A command begins where a statement can begin: `!= b` in brackets and `%s` in a string are not
    commands. `%run` of a module or a notebook becomes an import.
    """
    begin = cell.lstrip()  # Jupyter skips empty lines above a cell magic
    foreign = begin.startswith("%%") and not OF_PYTHON.match(begin)
    lines: list[str] = []
    in_block = False  # whether the last line of code begins a block
    quote, depth, is_magic, in_call = "", 0, False, False
    for line in cell.split("\n"):
        begins = not (quote or depth)
        if not (lines and lines[-1].endswith("\\")):  # a continued line is of the same kind
            is_magic = begins and bool(MAGIC.match(line))
        in_call = bool(CALL.match(line)) if begins else in_call
        if in_call:
            quote, depth = _open_after(line, quote, depth)
            lines.append(_without_call(line, in_block) if begins else f"# {line}")
        else:
            command = is_magic and not foreign
            lines.append(_comment(line, in_block) if command else f"# {line}" if foreign else line)
            quote, depth = _open_after(lines[-1], quote, depth)
        if lines[-1].partition("#")[0].strip():
            in_block = bool(BLOCK.search(lines[-1]))
    return "\n".join(lines)


def cells_of_script(text: str) -> list[str]:
    """Split a script that was made from a notebook into cells; joined, they are the text again."""
    cells: list[list[str]] = [[]]
    for line in text.split("\n"):
        if CELL_OF_SCRIPT.match(line):
            cells.append([])
        cells[-1].append(line)
    return ["\n".join(lines) for lines in cells if lines]


def of_script(text: str) -> str:
    """Return a module with the commands that a conversion has left in it commented out."""
    return "\n".join(_below_mark(cell) for cell in cells_of_script(text))


def _below_mark(cell: str) -> str:
    """Return a script's cell without magics; the first line may be the mark that begins it."""
    mark, newline, rest = cell.partition("\n")
    if not CELL_OF_SCRIPT.match(mark):
        return without_magics(cell)
    return mark + newline + without_magics(rest)


def _comment(line: str, in_block: bool) -> str:
    """Return a command as a comment, or with `pass` if its block could otherwise be empty."""
    if run := RUN.match(line):
        return f"{run[1]}from {run[2]} import *  #{line.strip()}"
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass  # {line.strip()}" if indent and in_block else f"# {line}"


def _without_call(line: str, in_block: bool) -> str:
    return CELL_CALL.sub("exec(", line) if CELL_CALL.search(line) else _comment(line, in_block)


def _open_after(line: str, quote: str, depth: int) -> tuple[str, int]:
    """Return what is open after a line: the quotes of a string, or "", and how many brackets."""
    for mark in MARK.findall(line):
        if quote:
            quote = "" if mark == quote else quote
        elif mark == "#":
            break
        elif mark[0] in "'\"":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
    if len(quote) == 1 and not line.endswith("\\"):  # such a string ends with its line
        quote = ""
    return quote, depth
