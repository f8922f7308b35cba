"""Read the source text of a module or a notebook, within limits; nothing is run here."""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from autograder.child.source import Code

MAX_SOURCE = 200_000  # bytes of one module, characters of all cells of a notebook
MAX_NOTEBOOK = 20_000_000  # bytes, with the pictures it shows
FORMS = (".py", ".ipynb")
DEMONSTRATION = "active-ipynb"  # tag of the kit's own cells, which are not graded
MAGIC = re.compile(r"^(\s*)(%%?[A-Za-z]|!|\?)")
OF_PYTHON = re.compile(r"%%(time|timeit|capture|prun)\b")  # cell magics with Python in the cell


class Unreadable(Exception):
    """A submission cannot be read; the text says why and what to do."""


def read_source(path: Path) -> Code:
    """A module's text, or a notebook's cells as [label, text]. Raises Unreadable."""
    if not path.exists():
        raise Unreadable(f"There is no file {path}.")
    if not path.is_file():
        raise Unreadable(f"{path} is not a file.")
    if path.suffix not in FORMS:
        raise Unreadable(f"{path} is neither a Python module (.py) nor a notebook (.ipynb).")
    if path.suffix == ".ipynb":
        return _cells(path, _data(path, MAX_NOTEBOOK, "a notebook", "Clear its outputs."))
    return decode_source(_data(path, MAX_SOURCE, "a module", "Take out pasted data."), path)


def decode_source(data: bytes, path: Path) -> str:
    """The text of Python source, in UTF-8 or what its coding line says. Raises Unreadable."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        line = data[: _undecodable(data)].count(b"\n") + 1
        raise Unreadable(f"{path} is not UTF-8 text (line {line}). Save it as UTF-8.") from None
    return _plain(text, path)


def essence(code: Code) -> list[str]:
    """The lines of code, without comments and blank lines: what tells that work has begun."""
    texts = [code] if isinstance(code, str) else [text for _, text in code]
    lines = [line.rstrip() for text in texts for line in text.splitlines()]
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def parsed(text: str) -> NotebookNode:
    """A notebook of any version. What is wrong with its text is raised as it is."""
    import nbformat  # not needed for modules, and slow to import

    with warnings.catch_warnings():  # of cells without ids, which are fine
        warnings.simplefilter("ignore")
        return nbformat.reads(text, as_version=4)


def _data(path: Path, limit: int, what: str, remedy: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as problem:
        raise Unreadable(f"{path} cannot be read: {problem.strerror}.") from None
    if len(data) > limit:
        size = path.stat().st_size / 1e6
        most = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit // 1000} kB"
        raise Unreadable(f"{path} has {size:.1f} MB; {what} may have {most}. {remedy}")
    return data


def _cells(path: Path, data: bytes) -> Code:
    """The code cells of a notebook, but for the demonstrations, with magics commented out."""
    try:
        notebook = parsed(data.decode("utf-8-sig"))
        cells = [
            [f"{path.name}, cell {number}", _without_magics(_plain(cell["source"], path))]
            for number, cell in enumerate(notebook["cells"], 1)
            if cell["cell_type"] == "code" and DEMONSTRATION not in cell["metadata"].get("tags", ())
        ]
    except Unreadable:
        raise
    except Exception as problem:  # what nbformat raises for damage is of many kinds
        reason = str(problem).strip().splitlines()[:1] or [type(problem).__name__]
        text = f"{path} cannot be read as a notebook ({reason[0][:80]}). Save it again in Jupyter."
        raise Unreadable(text) from None
    if sum(len(text) for _, text in cells) > MAX_SOURCE:
        raise Unreadable(
            f"{path} has more than {MAX_SOURCE // 1000} kB of code. Take out pasted data."
        )
    return cells


def _without_magics(cell: str) -> str:
    """A cell in which Jupyter's own commands are comments; lines keep their numbers."""
    begin = cell.lstrip()  # Jupyter passes over empty lines above a cell magic
    foreign = begin.startswith("%%") and not OF_PYTHON.match(begin)
    return "\n".join(
        f"# {line}" if foreign or MAGIC.match(line) else line for line in cell.splitlines()
    )


def _plain(text: str, path: Path) -> str:
    if "\0" in text:
        raise Unreadable(f"{path} contains NUL bytes; it is not a text file.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _undecodable(data: bytes) -> int:
    """Where the first byte stands that is not UTF-8; 0 where something else is wrong."""
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        return problem.start
    return 0
