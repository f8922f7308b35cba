"""Tell which lines of code import a module, from lines that only have its name in them."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from autograder.submissions.source_text import code_lines

if TYPE_CHECKING:
    from autograder.runtime.source import Code

WORD = re.compile(r"\w+")
# What imports a module, or runs its file.
IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:import\b[^\n;]*"
    r"|from[ \t]+(?P<module>[\w.]+)[ \t]+import\b(?P<names>[ \t]*\([^()]*\)|[^\n;]*))"
    r"|\b(?:import_module|__import__|run_path|run_module|spec_from_file_location|exec)\b[^\n]*",
    re.MULTILINE,
)


def imports(code: Code) -> set[str]:
    """Return the words in the lines that import modules, among them the modules' names."""
    found = IMPORT.finditer("\n".join(code_lines(code)))
    return {word for one in found for word in WORD.findall(one[0])}


def is_imported(text: str, modules: Collection[str], names: Collection[str]) -> bool:
    """Return whether lines import one of these names from one of these modules."""
    return any(
        found["module"] in modules and not set(names).isdisjoint(WORD.findall(found["names"]))
        for found in IMPORT.finditer(text)
    )
