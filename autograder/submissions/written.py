"""Read the modules that a notebook writes with %%writefile, as if it was run in an empty folder.

Nothing is written. Such cells stay in the notebook's code as comments with a mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.submissions.own_modules import DEEPEST, MOST, PLACE, dotted, is_free, too_many

if TYPE_CHECKING:
    from autograder.runtime.source import Code

WRITES = re.compile(
    r"\s*%%(?:writefile|file)[ \t]+(?![ \t])(?P<more>(?:-a|--append)[ \t]+(?![ \t]))?"
    r"""(?P<quote>["']?)(?P<folder>[^"'\n]*[/\\])?(?P<name>\w+)\.py(?P=quote)[ \t]*\n"""
)
MARK = "#: "  # begins each line of a cell that writes a module
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]([\w., \t*(]*)", re.MULTILINE)
WORD = re.compile(r"\w+")
COLAB = "/content/"  # where Colab runs a notebook
ABSOLUTE = re.compile(r"[/\\~]|\w:")


@dataclass
class Written:
    """A module that a notebook writes.

    names: those under which it can be imported, the likeliest first. text: its content when it is
    first imported, or else at the end. cell: the index of the cell that first imports it, or else
    of the last one that writes it.
    """

    names: list[str]
    text: str = ""
    cell: int = 0
    is_imported: bool = False

    @property
    def file(self) -> str:
        """The name of the file without folder and ending."""
        return min(self.names, key=len)


def marked(cell: str) -> str:
    """Return a cell that writes a module as comments; lines keep their numbers."""
    return "\n".join(MARK + line for line in cell.split("\n"))


def body(cell: str) -> str:
    """Return what a marked cell writes, or else the cell."""
    own = _unmarked(cell)
    return own[begin.end() :] if (begin := WRITES.match(own)) else cell


def written(code: Code) -> list[Written]:
    """Return the modules that a notebook's cells write.

    What is written after the first import does not count, since Python imports a module only once,
    unless something is reloaded.
    """
    cells = [] if isinstance(code, str) else code
    reloads = any("reload" in text for _, text in cells)
    found: dict[str, Written] = {}
    to_import: dict[str, list[Written]] = {}  # by the last parts of their names
    for number, (_, text) in enumerate(cells):
        own = _unmarked(text)
        begin = WRITES.match(own)
        if not begin:
            for word in to_import.keys() & _words(text):
                for one in to_import.pop(word):
                    one.cell, one.is_imported = number, True
        elif names := _names(begin["folder"] or "", f"{begin['name']}.py"):
            one = found.setdefault(names[0], Written(names))
            if one.is_imported and not reloads:
                continue
            one.text = f"{one.text if begin['more'] else ''}{own[begin.end() :]}\n"
            if not one.is_imported:
                one.cell = number
                to_import.setdefault(names[0].rpartition(".")[2], []).append(one)
    return [*found.values()]


def answers(code: Code) -> dict[str, Written]:
    """Return the modules that a notebook writes, by the names of their files.

    Those that it imports from a folder, as in `from src.impl import f`, are left out.
    """
    if isinstance(code, str):
        return {}
    words = {word for _, text in code for word in _words(text)}
    found: dict[str, Written] = {}
    for one in written(code):
        folder, dot, _ = one.names[0].partition(".")
        if not (dot and folder in words):
            found.setdefault(one.file, one)
    return found


def add_written(texts: dict[str, Code], is_likeliest: bool = True) -> None:
    """Add the modules that the notebooks among the texts write, under names that are not taken.

    is_likeliest: add them under their likeliest names; otherwise under their other ones.
    """
    found = [one for code in texts.values() for one in written(code)]
    for number, one in enumerate(found if is_likeliest else found[:MOST]):
        for name in one.names[:1] if is_likeliest else one.names[1:]:
            if is_free(name.partition(".")[0]):
                file = f"{name.replace('.', '/')}.py"
                texts.setdefault(name, [[file, one.text]] if number < MOST else too_many(file))


def with_answer(code: Code, name: str) -> Code:
    """Return a notebook's code with the module of this name in it, if the notebook writes one.

    It stands above the cell that imports it, or else where it is written: an answer that is only
    written counts as well.
    """
    answer = answers(code).get(name)
    if isinstance(code, str) or not answer:
        return code
    return [*code[: answer.cell], [f"{name}.py", answer.text], *code[answer.cell :]]


def _unmarked(cell: str) -> str:
    """Return a marked cell as it was, or else no text."""
    lines = cell.split("\n")
    if not all(line.startswith(MARK) for line in lines):
        return ""
    return "\n".join(line[len(MARK) :] for line in lines)


def _words(text: str) -> set[str]:
    """Return the words in the lines that import."""
    return {word for line in IMPORT.findall(text) for word in WORD.findall(line)}


def _names(folder: str, file: str) -> list[str]:
    """Return the names under which a file can be imported, the likeliest first.

    That is the whole of a relative path. Since sys.path may have any folder, each end of the path
    is another name. Nobody knows where an absolute path lies, except in Colab: for others, the
    likeliest is the file's name, and it is the only one for a path with `..`.
    """
    inside = folder.removeprefix(COLAB)
    parts = [part for part in re.split(r"[/\\]", inside) if part not in ("", ".")]
    parts = [] if ".." in parts else parts[-DEEPEST:]
    ends = ["/".join([*parts[first:], file]) for first in range(len(parts) + 1)]
    names = [dotted(end) for end in ends if PLACE.fullmatch(end) and end != "__init__.py"]
    return names[::-1] if ABSOLUTE.match(inside) else names
