"""Tell which lines of code import a module, from lines that only have its name in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from autograder.submissions.bindings import WORD
from autograder.submissions.source_text import code_lines

if TYPE_CHECKING:
    from autograder.runtime.source import Code

# What imports a module, or runs its file.
IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:import\b(?P<modules>[^\n;]*)"
    r"|from[ \t]+(?P<module>[\w.]+)[ \t]+import\b(?P<names>[ \t]*\([^()]*\)|[^\n;]*))"
    r"|\b(?P<call>import_module|__import__|run_path|run_module|run_line_magic|spec_from_file_location|exec)\b"
    r"[^\n]*",
    re.MULTILINE,
)
LONGEST = 500  # characters of a module's name; no file has a longer one
RUNS = {"run_path", "run_module", "run_line_magic", "exec"}  # what may take all names out of a file
NOTEBOOK = ".ipynb"
OUTSIDE = re.compile(r"[/\\'\"]")  # around the name of a file, in a path or in quotes
IGNORED = re.compile(r"#[^\n]*|\\\n")  # a comment, or the end of a line that continues


class Imported(NamedTuple):
    """A name that a line imports: `from module import name as bound`, or `import module as bound`.

    name: "*" for all names in the module, "" for the module itself. module: of a notebook that is
    run, the name of its file.
    """

    module: str
    name: str
    bound: str


def imports(code: Code) -> set[str]:
    """Return the words in the lines that import modules, among them the modules' names."""
    found = IMPORT.finditer("\n".join(code_lines(code)))
    return {word for one in found for word in WORD.findall(one[0])}


def imported(text: str) -> Iterator[Imported]:
    """Yield the names that lines of code import."""
    for found in IMPORT.finditer(IGNORED.sub("", text)):
        if found["module"]:
            package = found["module"].lstrip(".")[:LONGEST]
            for name, bound in _names(found["names"]):
                yield Imported(package, name, bound)
                yield Imported(f"{package}.{name}".lstrip("."), "", bound)  # if it is a module
        elif found["call"]:
            name = "*" if found["call"] in RUNS else ""
            yield from (Imported(word, name, word) for word in WORD.findall(found[0]))
            yield from (Imported(notebook, name, "") for notebook in _notebooks(found[0]))
        else:
            yield from (Imported(name, "", bound) for name, bound in _names(found["modules"]))


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names in a list of imports, each with what it is bound to."""
    for words in map(str.split, text.strip(" \t()").split(",")):
        if words:
            yield words[0], words[-1]


def _notebooks(line: str) -> Iterator[str]:
    """Yield the file names of notebooks in a line, as if they had spaces in them, and as if not."""
    *before, _ = line.split(NOTEBOOK)
    for text in before:
        name = OUTSIDE.split(text)[-1]
        yield from {f"{name.strip()}{NOTEBOOK}", f"{name.rpartition(' ')[2]}{NOTEBOOK}"}


def is_imported(text: str, modules: Collection[str], names: Collection[str]) -> bool:
    """Return whether lines import one of these names from one of these modules."""
    return any(one.module in modules and one.bound in names for one in imported(text))
