"""Read the source text of a module or a notebook, within limits, without running it."""

from __future__ import annotations

import codecs
import io
import re
import textwrap
import tokenize
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import assignments
from autograder.submissions import notebook
from autograder.submissions.bindings import as_python_reads
from autograder.submissions.demonstrations import without_demonstrations
from autograder.submissions.files import Unreadable, check_is_there, check_size, quoted, read
from autograder.submissions.kinds import mistaken, unread
from autograder.submissions.magics import of_cell, of_script
from autograder.submissions.pasted import as_code
from autograder.submissions.written import WRITES, body, marked

if TYPE_CHECKING:
    from autograder.runtime.source import Code

MAX_SOURCE = 200_000  # bytes of one module, characters of all cells of a notebook
MAX_NOTEBOOK = 150_000_000  # bytes, including pictures, which are never parsed
LIMITS = {".py": MAX_SOURCE, ".ipynb": MAX_NOTEBOOK}
FORMS = tuple(LIMITS)
DESCRIPTIONS = {  # for the sentence about a file that is too large
    ".py": ("a module", "Take out pasted data."),
    ".ipynb": ("a notebook", "Clear its outputs."),
}
NUL = "contains NUL bytes, which no code has. Delete them, and save it again."
DEMONSTRATION = "active-ipynb"  # tag of the kit's own cells, which are not graded
# A name's ending is found in the name itself: in lower case, U+0130 is two characters.
ENDED = re.compile(
    r"(?P<stem>.+)(?P<form>\.py|\.ipynb)(?:\.txt|\.json)?", re.ASCII | re.IGNORECASE | re.DOTALL
)
# Encodings that editors write. Others may decode to huge text, or very slowly.
ENCODINGS = re.compile(
    r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|koi8-[rut]|mac-\w+|gb\w+|big5\w*|euc_\w+|shift_jis\w*"
)
CODING = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # as Python finds it in two lines


def form(name: str) -> str:
    """Return '.py' for the name of a module, '.ipynb' for that of a notebook, or '' for neither.

    Browsers and mail programs may append an ending of their own: attention_layer.ipynb.txt.
    """
    found = ENDED.fullmatch(name)
    return found["form"].lower() if found else ""


def stem(name: str) -> str:
    """Return the name of a module or a notebook without its ending."""
    found = ENDED.fullmatch(name)
    return found["stem"] if found else name


def read_source(path: Path) -> Code:
    """Read a module's text, or a notebook's cells as [label, text]. Raises Unreadable."""
    return decode(read_data(path), path)


def read_data(path: Path) -> bytes:
    """Read the bytes of a module or a notebook, within its limit. Raises Unreadable."""
    known = form(path.name)
    if not known:
        check_is_there(path)
        if said := unread(path.name):
            raise Unreadable(f"{path} {said}")
        raise Unreadable(f"{path} is neither a Python module (.py) nor a notebook (.ipynb).")
    return read(path, LIMITS[known], *DESCRIPTIONS[known])


def decode(data: bytes, path: Path) -> Code:
    """Decode the content of a file of this name, see `read_source`. Raises Unreadable."""
    known = form(path.name)
    check_size(path, len(data), LIMITS[known], *DESCRIPTIONS[known])
    if said := mistaken(data, known == ".ipynb"):
        raise Unreadable(f"{path} {said}")
    if known == ".ipynb" or _is_notebook(data):
        return _cells(path, data)
    return _of_module(decode_source(data, path))


def decode_source(data: bytes, path: Path) -> str:
    """Decode Python source: UTF-8, UTF-16, or as its coding line says. Raises Unreadable."""
    check_size(path, len(data), MAX_SOURCE, *DESCRIPTIONS[".py"])
    if data.startswith(notebook.UTF_16):
        try:
            return _plain(data.decode("utf-16"), path)
        except UnicodeDecodeError:
            raise Unreadable(f"{path} is damaged UTF-16 text. Save it as UTF-8.") from None
    if b"\0" in data:  # which some versions of Python take for a wrong encoding
        raise Unreadable(f"{path} {NUL}")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if not ENCODINGS.fullmatch(codecs.lookup(encoding).name):
            raise LookupError
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise Unreadable(f"{path} {_why_not_decoded(data)}") from None
    return _plain(text, path)


def code_lines(code: Code) -> list[str]:
    """Return the lines that tell whether a file was edited.

    Comments, blank lines, whether tabs or spaces indent, and how wide letters are do not count.
    """
    texts = [code] if isinstance(code, str) else [body(text) for _, text in code]
    texts = [*map(as_python_reads, texts)]
    lines = [line.expandtabs(4).rstrip() for text in texts for line in text.split("\n")]
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def cells_of(code: Code) -> list[list[str]]:
    """Return the lines of each cell, see `code_lines`; a module is one cell."""
    return [code_lines(code)] if isinstance(code, str) else [code_lines([one]) for one in code]


@lru_cache(maxsize=32)  # a student's files are read at each save, and most are as before
def _of_module(text: str) -> str:
    """Return a module without demonstrations, with magics as Python or commented out."""
    return without_demonstrations(of_script(text))


def _is_notebook(data: bytes) -> bool:
    """Return whether the content of a file named like a module is a notebook."""
    return data.lstrip()[:1] == b"{" and b'"cells"' in data and b'"cell_type"' in data


def _cells(path: Path, data: bytes) -> Code:
    """Return the code cells of a notebook without demonstrations, with magics commented out."""
    try:
        found = notebook.cells(data)
    except notebook.DamagedNotebook as problem:
        reason = textwrap.shorten(str(problem), 80, placeholder=" ...")
        text = f"{path} cannot be read as a notebook ({reason}). Save it again in Jupyter."
        raise Unreadable(text) from None
    cells = [
        (f"{path.name}, cell {number}", cell.source)
        for number, cell in enumerate(found, 1)
        if cell.kind == "code" and DEMONSTRATION not in cell.tags
    ]
    return of_cells(cells, path)


def of_cells(cells: Sequence[tuple[str, str]], path: Path) -> Code:
    """Return code cells, given as (label, text), as a submission's code. Raises Unreadable.

    path: names the notebook in messages.
    """
    if sum(len(source) for _, source in cells) > MAX_SOURCE:
        raise Unreadable(
            f"{path} has more than {MAX_SOURCE // 1000} kB of code. Take out pasted data."
        )
    return [[label, _of_cell(_plain(source, path))] for label, source in cells]


def _of_cell(text: str) -> str:
    """Return the code of a cell; if it writes a module, as comments with a mark."""
    text = as_code(text)
    begin = WRITES.match(text)
    if not begin:
        return _of_python_cell(text)
    own = text[begin.end() :]
    is_answer = begin["name"] in assignments()
    return marked(begin[0] + (without_demonstrations(own) if is_answer else own))


@lru_cache(maxsize=512)
def _of_python_cell(text: str) -> str:
    return without_demonstrations(of_cell(text))


def _plain(text: str, path: Path) -> str:
    if "\0" in text:
        raise Unreadable(f"{path} {NUL}")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")


def _why_not_decoded(data: bytes) -> str:
    """Return why a module's text cannot be decoded and what to do, to follow its name."""
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        return f"is not UTF-8 text (line {line}). Save it as UTF-8."
    lines = data.removeprefix(codecs.BOM_UTF8).split(b"\n", 2)[:2]
    named = enumerate(map(CODING.match, lines), 1)
    line, coding = next((line, found[1].decode()) for line, found in named if found)
    return f"is UTF-8 text, but line {line} says that it is {quoted(coding)}. Delete that line."
