"""Read the modules that a notebook writes with %%writefile, as if it was run in an empty folder.

Nothing is written. Such cells stay in the notebook's code as comments with a mark.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.runtime.own_files import PACKAGE
from autograder.submissions.bindings import WORD
from autograder.submissions.own_modules import MODULE, MOST, dotted, is_taken, too_many

if TYPE_CHECKING:
    from autograder.runtime.source import Code

WRITES = re.compile(
    r"\s*%%(?:writefile|file)[ \t]+(?![ \t])(?P<more>(?:-a|--append)[ \t]+(?![ \t]))?"
    r"""(?P<quote>["']?)(?P<folder>[^"'\n]*[/\\])?(?P<name>[\w-]+)\.py(?P=quote)[ \t]*\n"""
)
MARK = "#: "  # begins each line of a cell that writes a module
IMPORT = re.compile(  # or runs a file, see commands
    r"^[ \t]*(?:from|import|get_ipython\(\)\.run_line_magic\('run',)[ \t]([\w., \t*('\"/\\-]*)",
    re.MULTILINE,
)
NAME = re.compile(r"[\w-]+")  # of a file that is run
COLAB = re.compile(r"/content/(?!drive/)")  # where Colab runs a notebook
DEEPEST = 8  # folders in the path of a written module
ABSOLUTE = re.compile(r"[/\\~]|\w:")


@dataclass
class Written:
    """A module that a notebook writes.

    places: those where it may lie, from the notebook's folder, the likeliest first. text: its
    content when it is first imported, or else at the end. cell: the index of the cell that first
    imports it, or else of the last one that writes it.
    """

    places: list[str]
    text: str = ""
    cell: int = 0
    is_imported: bool = False

    @property
    def name(self) -> str:
        """The likeliest name under which it is imported."""
        return dotted(self.places[0])

    @property
    def own(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]


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
    cells = _cells(code)
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
        elif places := _places(begin["folder"] or "", f"{begin['name']}.py"):
            one = found.setdefault(places[0], Written(places))
            if one.is_imported and not reloads:
                continue
            one.text = f"{one.text if begin['more'] else ''}{own[begin.end() :]}\n"
            if not one.is_imported:
                one.cell = number
                to_import.setdefault(one.own, []).append(one)
    return [*found.values()]


def answers(code: Code) -> dict[str, Written]:
    """Return the modules that a notebook writes, by the names of their files.

    Those that it imports from a folder, as in `from src.impl import f`, are left out.
    """
    words = {word for _, text in _cells(code) for word in _words(text)}
    found: dict[str, Written] = {}
    for one in written(code):
        folder, dot, _ = one.name.partition(".")
        if not (dot and folder in words):
            found.setdefault(one.own, one)
    return found


def add_written(texts: dict[str, Code], homes: Mapping[str, str]) -> None:
    """Add the modules that the notebooks among the texts write, by the places where they lie.

    homes: the places of the notebooks, by the names of the texts.
    """
    count = 0
    for name, home in homes.items():
        for one in written(texts[name]):
            count += 1
            for place in () if is_taken(one.name.partition(".")[0]) else one.places:
                near = posixpath.join(posixpath.dirname(home), place)
                own = [[place, one.text]] if count <= MOST else too_many(place)
                texts.setdefault(near, own)


def with_answer(code: Code, name: str) -> Code:
    """Return a notebook's code with the module of this name in it, if the notebook writes one.

    It stands above the cell that imports it, or else where it is written: an answer that is only
    written counts as well.
    """
    answer = answers(code).get(name)
    if isinstance(code, str) or not answer:
        return code
    return [*code[: answer.cell], [f"{name}.py", answer.text], *code[answer.cell :]]


def without_unused(code: Code, answer: str) -> Code:
    """Return a notebook's code without the modules that it writes and neither imports nor runs.

    answer: the name of a module that counts without that.
    """
    if not (cells := _cells(code)):
        return code
    used = {answer, *(word for _, text in cells for word in _words(text))}
    begins = [WRITES.match(_unmarked(text)) for _, text in cells]
    return [
        cell
        for cell, begin in zip(cells, begins, strict=True)
        if not begin or begin["name"] in used
    ]


def _cells(code: Code) -> list[list[str]]:
    """Return the cells of a notebook that writes modules; none of other code."""
    if isinstance(code, str) or not any(text.startswith(MARK) for _, text in code):
        return []
    return code


def _unmarked(cell: str) -> str:
    """Return a marked cell as it was, or else no text."""
    lines = cell.split("\n")
    if not all(line.startswith(MARK) for line in lines):
        return ""
    return "\n".join(line[len(MARK) :] for line in lines)


def _words(text: str) -> set[str]:
    """Return the words in the lines that import or run, and those with hyphens in them."""
    lines = IMPORT.findall(text)
    return {word for line in lines for word in (*WORD.findall(line), *NAME.findall(line))}


def _places(folder: str, file: str) -> list[str]:
    """Return the places where a file may be written, the likeliest first.

    Nobody knows from where an absolute path leads to the notebook's folder, except in Colab: for
    others, each end of the path may be the place. A path with `..` leaves the folder, so that only
    the file's name is known.
    """
    known = COLAB.match(folder)
    inside = folder[known.end() :] if known else folder
    parts = [part for part in re.split(r"[/\\]", inside) if part not in ("", ".")]
    parts = [] if ".." in parts else parts[-DEEPEST:]
    first = range(len(parts), -1, -1) if ABSOLUTE.match(inside) else [0]
    places = ["/".join([*parts[start:], file]) for start in first]
    return [place for place in places if MODULE.fullmatch(place) and place != PACKAGE]
