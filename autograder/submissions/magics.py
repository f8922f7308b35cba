"""Jupyter's own commands in a cell or in a script that was made of a notebook; no Python."""

from __future__ import annotations

import re

MAGIC = re.compile(  # also where its output is kept, and `name?`
    r"\s*(%%?[A-Za-z]|!|\?|\w[\w, ]*=\s*(!|%[A-Za-z])|[\w.]+\?\??\s*$)"
)
CALL = re.compile(r"\s*(\w[\w, ]*=\s*)?get_ipython\(\)\s*\.")  # what nbconvert makes of them
OF_PYTHON = re.compile(r"%%(time|timeit|capture|prun)\b")  # cell magics with Python in the cell
TEXT = r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
CELL_CALL = re.compile(  # and what nbconvert makes of these: the cell is a text
    rf"get_ipython\(\)\.run_cell_magic\(\s*['\"](?:time|timeit|capture|prun)['\"],\s*{TEXT},\s*"
)
RUN = re.compile(r"(\s*)%run\s+(?:-i\s+)?['\"]?(?:\./)?([A-Za-z_]\w*)\.py['\"]?\s*$")
BLOCK = re.compile(r":\s*(#.*)?$")  # what begins one
MARK = re.compile(r"\\.|'''|\"\"\"|['\"#()\[\]{}]")  # what tells where a statement goes on
CELL_OF_SCRIPT = re.compile(r"# ?(In ?\[[ \d*]*\]:?|%%( .*)?|<codecell>|COMMAND -+)\s*$")


def without_magics(cell: str) -> str:
    """A cell in which such commands are comments; lines keep their numbers.

    A command begins where a statement does: `!= b` in brackets and `%s` in a text are none.
    `%run` of a module imports it.
    """
    begin = cell.lstrip()  # Jupyter passes over empty lines above a cell magic
    foreign = begin.startswith("%%") and not OF_PYTHON.match(begin)
    lines: list[str] = []
    quote, depth, is_magic, in_call = "", 0, False, False
    for line in cell.split("\n"):
        begins = not (quote or depth)
        if not (lines and lines[-1].endswith("\\")):  # else it is still what that line was
            is_magic = begins and bool(MAGIC.match(line))
        in_call = bool(CALL.match(line)) if begins else in_call
        if in_call:
            quote, depth = _behind(line, quote, depth)
            lines.append(_without_call(line, lines) if begins else f"# {line}")
            continue
        command = is_magic and not foreign
        lines.append(_comment(line, lines) if command else f"# {line}" if foreign else line)
        quote, depth = _behind(lines[-1], quote, depth)
    return "\n".join(lines)


def cells_of_script(text: str) -> list[str]:
    """The cells of a script that was made of a notebook, or the whole text: joined they are it."""
    cells: list[list[str]] = [[]]
    for line in text.split("\n"):
        if CELL_OF_SCRIPT.match(line):
            cells.append([])
        cells[-1].append(line)
    return ["\n".join(lines) for lines in cells if lines]


def of_script(text: str) -> str:
    """A module in which such commands are comments, wherever a program has left them."""
    return "\n".join(_below_mark(cell) for cell in cells_of_script(text))


def _below_mark(cell: str) -> str:
    """A cell's own first line comes behind the mark that begins it."""
    mark, newline, rest = cell.partition("\n")
    if not CELL_OF_SCRIPT.match(mark):
        return without_magics(cell)
    return mark + newline + without_magics(rest)


def _comment(line: str, above: list[str]) -> str:
    """A command as a comment, or as the statement without which a block would be empty."""
    if run := RUN.match(line):
        return f"{run[1]}from {run[2]} import *  #{line.strip()}"
    code = next((one for one in reversed(above) if one.split("#")[0].strip()), "")
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass  # {line.strip()}" if indent and BLOCK.search(code) else f"# {line}"


def _without_call(line: str, above: list[str]) -> str:
    return CELL_CALL.sub("exec(", line) if CELL_CALL.search(line) else _comment(line, above)


def _behind(line: str, quote: str, depth: int) -> tuple[str, int]:
    """What is open behind a line: the quotes of a text, or "", and how many brackets."""
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
    if len(quote) == 1 and not line.endswith("\\"):  # such a text ends with its line
        quote = ""
    return quote, depth
