"""Put the parts of a new exercise into the files of an assignment."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from autograder.authoring.names import defined
from autograder.course import source_lines

WIDTH = 100  # columns
CALL = re.compile(r"^(\w.*?\()(.*)(\).*)\n")  # a call or a signature at the top level
HEADING = re.compile(r"^# %% \[markdown\]\n# ## (?:Exercise (\d+): )?", re.MULTILINE)


def next_number(module: str) -> int:
    """Return the number of the next exercise of a module."""
    return max((int(one[1]) for one in HEADING.finditer(module) if one[1]), default=0) + 1


def after_exercises(module: str, section: str) -> str:
    """Return a module's text with a section after the last exercise, before a conclusion."""
    headings = list(HEADING.finditer(module))
    last = max((i for i, one in enumerate(headings) if one[1]), default=len(headings))
    if last + 1 >= len(headings):
        return at_end(module, section)
    start = headings[last + 1].start()
    return f"{at_end(module[:start], section)}\n{module[start:]}"


def at_end(text: str, section: str) -> str:
    """Return a text with a section below it, after as many empty lines as a formatter wants."""
    before = text.rstrip("\n")
    ends_a_block = before.rpartition("\n")[2].startswith(" ")
    is_near = section.startswith("# %%") and not ends_a_block
    return f"{before}\n\n{section}" if is_near else f"{before}\n\n\n{section}"


def with_imports(text: str, needed: Mapping[str, str]) -> str:
    """Return a module's text with imports of the names that it lacks, below its other imports.

    needed: the module of each name; "" if the name is a module.
    """
    known = defined(text)
    by_module: dict[str, list[str]] = {}
    for name in needed.keys() - known:
        by_module.setdefault(needed[name], []).append(name)
    gap = "\n" * text.endswith("import annotations\n")  # nothing else is imported yet
    plain = [f"import {name}\n" for name in sorted(by_module.pop("", []))]
    froms = [f"from {m} import {', '.join(sorted(by_module[m]))}\n" for m in sorted(by_module)]
    return _below(text, (ast.Import, ast.ImportFrom), "".join([gap, *plain, *froms]))


def with_declaration(checks: str, declaration: str) -> str:
    """Return the text of checks with a declaration below the others, or below the imports."""
    declared = [node for node in ast.parse(checks).body if _declares(node)]
    if not declared:
        return _below(checks, (ast.Import, ast.ImportFrom), f"\n{declaration}")
    return _at_line(checks, declared[-1].end_lineno or 0, declaration)


def _declares(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    return isinstance(node.value.func, ast.Name) and node.value.func.id == "Exercise"


def _below(text: str, kinds: tuple[type[ast.stmt], ...], added: str) -> str:
    """Return a module's text with lines below the last top-level statement of some kinds."""
    ends = [node.end_lineno or 0 for node in ast.parse(text).body if isinstance(node, kinds)]
    return _at_line(text, ends[-1], added) if ends else text + added


def _at_line(text: str, line: int, added: str) -> str:
    lines = source_lines(text)
    return "".join([*lines[:line], added, *lines[line:]])


def folded(code: str) -> str:
    """Return code with each line of more than 100 columns folded, as a formatter folds a call."""
    return "".join(
        CALL.sub(r"\1\n    \2\n\3\n", line) if len(line) > WIDTH + 1 else line
        for line in source_lines(code)
    )


def functions(text: str) -> list[str]:
    """Return the names of a module's top-level functions in their order."""
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
