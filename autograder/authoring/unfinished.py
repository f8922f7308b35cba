"""Say what an exercise lacks, in the order in which to write it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder import course
from autograder.audit.corpus import FORMS, of_exercise
from autograder.audit.demonstrations import Demonstration, demonstrations
from autograder.audit.promises import promises, promises_file
from autograder.audit.todos import TODO
from autograder.checking import collect
from autograder.checking.collect import Checks
from autograder.course.commands import near
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.course.skeletons import BEGIN, END

# Parts of an exercise in the order in which to write them.
PARTS = (
    "header",
    "statement",
    "reference",
    "checks",
    "hidden checks",
    "promises",
    "misconceptions",
    "right",
    "wrong",
    "cell of checks",
    "formula",
    "picture",
)
FILES = {"promises.toml": "promises", "misconceptions.toml": "misconceptions"}
PICTURE = "plt."


@dataclass(frozen=True)
class Gap:
    """Something to write. part: one of PARTS. text: what to write. line: 0 for a whole file."""

    part: str
    path: Path
    line: int
    text: str

    def shown(self) -> str:
        """Return the gap as a line that editors can follow."""
        place = f"{near(self.path)}:{self.line}" if self.line else str(near(self.path))
        return f"{place}: {self.part}: {self.text}"


def gaps(exercise: Exercise, checks: Checks) -> list[Gap]:
    """Return what an exercise lacks, in the order of PARTS. Raises CourseError."""
    home = checks.home(exercise)
    found = [*_marked(home, {exercise.name, home}), *_absent(exercise, home, checks)]
    return sorted(found, key=lambda gap: (PARTS.index(gap.part), str(gap.path), gap.line))


def unfinished(checks: Checks) -> list[str]:
    """Return the exercises that lack something. Raises CourseError."""
    named = [one for assignment in checks.assignments for one in checks.exercises(assignment)]
    return [exercise.name for exercise in named if gaps(exercise, checks)]


def _marked(assignment: str, names: set[str]) -> Iterator[Gap]:
    """Yield the places in an assignment's files that are marked for their author."""
    module = course.solution_file(assignment)
    for path in sorted(module.parent.rglob("*")):
        if path.suffix not in (".py", ".toml") or path.name.startswith("."):
            continue
        text = course.text_of(path)
        if not TODO.search(text):
            continue
        parts = _parts(path, text)
        for number, line in enumerate(course.source_lines(text), 1):
            for name, what in TODO.findall(line):
                if name in names:
                    yield Gap(parts[number], path, number, what.strip())


def _parts(path: Path, text: str) -> dict[int, str]:
    """Return the part of an exercise to which each line of a file belongs."""
    count = range(1, len(course.source_lines(text)) + 1)
    if path.stem == path.parent.name:
        return _parts_of_module(text)
    if path.stem.startswith("test_"):
        return _parts_of_checks(text)
    whole = FILES.get(path.name, path.parent.name)
    return dict.fromkeys(count, whole if whole in PARTS else "checks")


def _parts_of_module(text: str) -> dict[int, str]:
    header = course.HEADER.match(text)
    begun = text.count("\n", 0, header.end()) if header else 0
    found, inside, usual = {}, False, "statement"
    for number, line in enumerate(course.source_lines(text), 1):
        inside = line.strip() == BEGIN or (inside and line.strip() != END)
        if line.startswith(("# %%", "# ### Picture")):
            usual = "picture" if "Picture" in line else "statement"
        found[number] = "header" if number <= begun else "reference" if inside else usual
    for cell in demonstrations(text):
        part = "cell of checks" if cell.exercise else "picture"
        found |= dict.fromkeys(range(cell.line, cell.last + 1), part)
    return found


def _parts_of_checks(text: str) -> dict[int, str]:
    found, hidden = {}, False
    for number, line in enumerate(course.source_lines(text), 1):
        marker = line.strip()
        hidden = marker == collect.BEGIN or (hidden and marker != collect.END)
        found[number] = "hidden checks" if hidden else "checks"
    return found


def _absent(exercise: Exercise, home: str, checks: Checks) -> Iterator[Gap]:
    """Yield the parts of an exercise that are not there at all."""
    name, module = exercise.name, course.solution_file(home)
    text = course.solution(home)
    yield from _absent_from_module(name, module, text)
    own = checks.of(exercise)
    path = module.with_name(f"test_{home}.py")
    line = own[0].function.__code__.co_firstlineno
    if not any(one.visible for one in own):
        yield Gap("checks", path, line, f"write a check of {name} that students see")
    if all(one.visible for one in own) and any("draw" in one.fixtures for one in own):
        text_of_gap = f"write a check of {name} between {collect.BEGIN} and {collect.END}"
        yield Gap("hidden checks", path, line, text_of_gap)
    promised = {check for promise in promises(home) for check in promise.checks}
    for one in own:
        if one.function.__name__ not in promised:
            what = f"quote a sentence of the statement that {one.function.__name__} checks"
            yield Gap("promises", promises_file(home), 0, what)
    if not any(mistake.exercise == name for mistake in misconceptions(home)):
        what = f"write a mistake that students make in {name}, under the hint that helps"
        yield Gap("misconceptions", module.with_name("misconceptions.toml"), 0, what)
    for kind, form in FORMS.items():
        if not of_exercise(home, name, kind):
            what = f"write a {kind} solution, {form.replace('Exercise', name)}.py"
            yield Gap(kind, module.parent / kind, 0, what)
    yield from _absent_from_cells(name, module, text)


def _absent_from_module(name: str, module: Path, text: str) -> Iterator[Gap]:
    nodes = [node for node in ast.parse(text).body if getattr(node, "name", "") == name]
    if not nodes:
        what = f"write the statement of {name}, and below it its class or function"
        yield Gap("statement", module, 0, what)
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            if not ast.get_docstring(node):
                yield Gap("statement", module, node.lineno, f"write a docstring of {name}")
            if BEGIN not in (ast.get_source_segment(text, node) or ""):
                what = f"write {BEGIN} and {END} around what students write in {name}"
                yield Gap("reference", module, node.lineno, what)


def _absent_from_cells(name: str, module: Path, text: str) -> Iterator[Gap]:
    cells: list[Demonstration] = demonstrations(text)
    if name not in [cell.exercise for cell in cells]:
        what = f'write asserts in a cell tagged active-ipynb that ends with print("{name}: …")'
        yield Gap("cell of checks", module, 0, what)
    if "<!--" not in text:
        yield Gap("formula", module, 0, "write one in the statement, as <!-- $$ … $$ -->")
    if not any(PICTURE in cell.source for cell in cells):
        yield Gap("picture", module, 0, "draw one in a cell tagged active-ipynb")
