"""Leave exercises out of a statement, and give the code of those that others are built on."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from autograder.course.cells import HEADING, Cell, binds, cells, reads
from autograder.course.skeletons import BEGIN, END
from autograder.errors import CourseError

GIVEN = "#\n# **This one is given**: its code stands below. It has no points.\n"
GIVEN_ABOVE = """\
# %% [markdown]
# ### Given: {}
#
# The rest is built on this code, which has no points.

# %%
{}

"""
# An import of names of another assignment, with the comments on it.
IMPORT = re.compile(r"^from (\w+) import (\w+(?:, \w+)*)[ \t]*(?:#.*)?\n(?:#.*\n)*", re.MULTILINE)
IMPORTED = re.compile(r"^[ \t]*(?:from|import) (\w+)", re.MULTILINE)
PASSAGE = re.compile(rf"^ *{BEGIN}\n(.*?)^ *{END}\n", re.MULTILINE | re.DOTALL)
# The markers, and the comment above a passage that says what to write.
MARKERS = re.compile(
    rf"^ *# TODO\b.*\n(?:^ *# .*\n)*^ *{BEGIN}\n|^ *(?:{BEGIN}|{END})\n", re.MULTILINE
)
SHORT = 2  # lines of a passage: so few may stand anywhere
KEPT = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Assign)


def without(text: str, exercises: Collection[str], asked: Collection[str]) -> tuple[str, str]:
    """Return a statement without those of its exercises that are not asked for.

    An exercise that the code of another one reads is given: its statement and code stay. Pictures
    that need what is gone go too. What the rest takes from the cells that go stays in their place.
    Returns also the code that is given. Raises CourseError.
    """
    found = cells(text, exercises)
    given = _given(found, asked)
    gone = {*exercises} - {*asked} - given
    shown = [_as_given(cell) if cell.exercise in given else cell for cell in found]
    shown = [cell for cell in shown if not (cell.exercise in given and cell.finishes)]
    dropped = set[int]()  # units
    while True:
        stays = [cell.exercise not in gone and cell.unit not in dropped for cell in shown]
        kept, more = _kept_statements(shown, stays, gone)
        if not more:
            break
        dropped |= more
    parts, code = list[str](), list[str]()
    for cell, stay, statements in zip(shown, stays, kept, strict=True):
        lines = MARKERS.sub("", "".join(map(cell.lines_of, statements)))
        only = f"{cell.first}{lines}\n" if lines else ""
        parts.append(cell.text if stay else only)
        code.append(cell.rest if stay and cell.is_code and cell.exercise in given else lines)
    return "".join(parts), "".join(code)


def _given(found: Sequence[Cell], asked: Collection[str]) -> set[str]:
    """Return the exercises that are not asked for, but read by code or checks of those that are."""
    others = {cell.exercise for cell in found} - {*asked, ""}
    checked = {
        cell.unit for cell in found if cell.exercise in asked and (cell.is_code or cell.finishes)
    }
    given = set[str]()
    while True:
        read = set[str]()
        for cell in found:
            if cell.unit in checked or (cell.is_code and cell.exercise not in others - given):
                read |= cell.reads
        if not (more := read & others - given):
            return given
        given |= more


def _as_given(cell: Cell) -> Cell:
    """Return a cell of an exercise that is given: with a remark, or the code of the reference."""
    if cell.is_code:
        return replace(cell, rest=MARKERS.sub("", cell.rest))
    heading = HEADING.match(cell.rest) if cell.is_text else None
    if heading is None or len(heading[1]) > 2:
        return cell
    first, _, rest = cell.rest.partition("\n")
    return replace(cell, rest=f"{first}\n{GIVEN}{rest}")


def _kept_statements(
    found: Sequence[Cell], stays: Sequence[bool], gone: Collection[str]
) -> tuple[list[list[ast.stmt]], set[int]]:
    """Return the statements of each cell that goes which those that stay read.

    Returns also the units that stay, but read what is gone, perhaps by way of such a statement.
    """
    kept: list[list[ast.stmt]] = [[] for _ in found]
    source: dict[str, tuple[int, ast.stmt] | None] = {}  # of each name; None if it stays anyway
    broken = set[int]()

    def keep(names: Iterable[str], unit: int) -> None:
        for name in names:
            if name in gone:
                broken.add(unit)
            elif at := source.get(name):
                source[name] = None
                keep(reads(at[1]), unit)
                if at[1] not in kept[at[0]]:
                    kept[at[0]].append(at[1])

    for i, (cell, stay) in enumerate(zip(found, stays, strict=True)):
        if stay:
            keep(cell.reads, cell.unit)
            source |= dict.fromkeys(cell.binds)
            continue
        for statement in cell.statements:
            if isinstance(statement, KEPT):
                source |= dict.fromkeys(binds(statement) - {*gone}, (i, statement))
    for i, statements in enumerate(kept):
        kept[i] = sorted(statements, key=lambda one: one.lineno)
    return kept, broken


def expanded(
    text: str, solution: Callable[[str], str | None], defined: Callable[[str], Collection[str]]
) -> tuple[str, str]:
    """Return a statement with the code of what it imports from assignments and students lack.

    solution: returns that of an assignment, None if it is none. defined: returns the names that
    students can import from an assignment. Returns also the code alone. Raises CourseError.
    """
    parts, added = list[str](), list[str]()
    for cell in cells(text, ()):
        rest, given = cell.rest, list[str]()
        for line in IMPORT.finditer(rest) if cell.is_code else ():
            names = line[2].split(", ")
            text_there = solution(line[1])
            there = {*defined(line[1])}
            missing = [name for name in names if name not in there]
            if text_there is None or not missing:
                continue
            used, code = _code_of(cells(text_there, ()), missing, there, cell.binds - {*missing})
            stay = sorted({*names, *used} & there)
            end = line[0][line.end(2) - line.start() :]
            kept = f"from {line[1]} import {', '.join(stay)}{end}" if stay else ""
            rest = rest.replace(line[0], kept)
            given.append(GIVEN_ABOVE.format(", ".join(missing), code))
            added.append(code)
        _assert_can_import(replace(cell, rest=rest), solution, defined)
        parts += [cell.first, rest.rstrip("\n") + "\n\n" if given else rest, *given]
    return "".join(parts), "\n".join(added)


def _assert_can_import(
    cell: Cell, solution: Callable[[str], str | None], defined: Callable[[str], Collection[str]]
) -> None:
    """Raise CourseError if a cell imports what students lack in a way that is not understood."""
    named = {name for name in IMPORTED.findall(cell.rest) if solution(name) is not None}
    for statement in cell.statements if named and cell.is_code else ():
        for node in ast.walk(statement):
            if isinstance(node, ast.ImportFrom) and node.module and node.module in named:
                lacking = {one.name for one in node.names} - {*defined(node.module), "*"}
            elif isinstance(node, ast.Import):
                lacking = {one.name for one in node.names if one.name in named}
                lacking = {name for name in lacking if not defined(name)}
            else:
                continue
            if lacking:
                raise CourseError(
                    f"{ast.unparse(node)!r} imports what is left out: {', '.join(sorted(lacking))}."
                    " Write from … import … in a line at the top, so that the code can be given."
                )


def _code_of(
    found: Sequence[Cell], names: Collection[str], there: Collection[str], known: Collection[str]
) -> tuple[set[str], str]:
    """Return the code that defines some names, with what it reads.

    there: names that students can import; those of them that it reads are returned first. known:
    names that are imported anyway.
    """
    all_of_it = [(cell, one) for cell in found if cell.is_code for one in cell.statements]
    statements = [(cell, one) for cell, one in all_of_it if isinstance(one, KEPT)]
    wanted, chosen = {*names}, list[tuple[Cell, ast.stmt]]()
    for _ in statements:  # so often at most, one needs another
        chosen = [pair for pair in statements if binds(pair[1]) & wanted - {*there}]
        wanted = wanted.union(*(reads(one) for _, one in chosen))
    imports = [pair for pair in chosen if isinstance(pair[1], ast.Import | ast.ImportFrom)]
    others = [pair for pair in chosen if pair not in imports]
    above = "".join(cell.lines_of(one) for cell, one in imports if not binds(one) <= {*known})
    below = (MARKERS.sub("", cell.lines_of(one)) for cell, one in others)
    return wanted & {*there}, "\n\n".join(filter(None, [above, *below])).rstrip("\n")


def answered(code: str, text: str, exercises: Collection[str], asked: Collection[str]) -> str:
    """Return the exercise of a solution that is asked for, and that this code answers, or ""."""
    lines = _lines(code)
    for cell in cells(text, exercises):
        if cell.exercise in asked and cell.is_code:
            for passage in map(_lines, PASSAGE.findall(cell.rest)):
                if len(passage) >= SHORT and passage <= lines:
                    return cell.exercise
    return ""


def _lines(code: str) -> set[str]:
    stripped = (line.partition("  #")[0].strip() for line in code.splitlines())
    return {line for line in stripped if line}
