"""Begin an exercise: write the beginnings of all its parts into the folder of its assignment."""

from __future__ import annotations

import math
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from string import Template

from autograder import course, whole_file
from autograder.audit.promises import promises_file
from autograder.authoring import insertion, names, templates
from autograder.authoring.names import CannotBegin
from autograder.report.writing import check_folders, telling

IN_MODULE = {"torch": "", "Tensor": "torch"}
IN_CHECKS = {
    "torch": "",
    "Client": "autograder.client",
    "Draw": "autograder.checking",
    "Trial": "autograder.checking",
    "behaviour": "autograder.checking",
    "compare": "autograder.checking",
    "Cases": "autograder.checking.trial",
    "given": "autograder.checking.trial",
    "Exercise": "autograder.course.exercise",
}
MODE = 0o644  # of new files: others read them too


def begin(exercise: str, assignment: str, is_function: bool) -> list[Path]:
    """Write the beginnings of an exercise, of a new assignment too. Returns the paths.

    All of them are written, or none. Raises CannotBegin, CourseError and CannotWrite.
    """
    names.check_exercise(exercise)
    names.check_assignment(assignment)
    made = Beginning(exercise, assignment, is_function).texts()
    folder = course.folder() / assignment
    if folder.exists():
        _write_all(made)
    else:
        with telling(folder):
            _write_folder(folder, made)
    return list(made)


class Beginning:
    """The texts of all files of an assignment that a new exercise changes or adds."""

    def __init__(self, exercise: str, assignment: str, is_function: bool) -> None:
        self._exercise = exercise
        self._assignment = assignment
        self._is_function = is_function
        self._module = course.solution_file(assignment)
        self._is_new = not self._module.exists()
        self._slug = names.in_checks(exercise)
        known = names.defined(self._old(self._check_file, ""))
        if known & {self._slug, *names.defined(self._section())}:
            self._slug = f"{self._slug}_exercise"

    @property
    def _check_file(self) -> Path:
        return self._module.with_name(f"test_{self._assignment}.py")

    def texts(self) -> dict[Path, str]:
        """Return the new text of each file. Raises CannotBegin, CourseError."""
        folder = self._module.parent
        code = templates.CODE_OF_FUNCTION if self._is_function else templates.CODE_OF_CLASS
        filled = self._filled(code)
        made = {
            self._module: self._solution(),
            self._check_file: self._checks(),
            promises_file(self._assignment): self._promises(),
            folder / "misconceptions.toml": self._misconceptions(),
            folder / "right" / f"{self._exercise}__another_way.py": self._filled(
                templates.RIGHT, code=filled
            ),
            folder / "wrong" / f"{self._exercise}__{templates.FIRST}__other_words.py": self._filled(
                templates.WRONG, code=filled
            ),
        }
        for path in made:
            if path.parent != folder and os.path.lexists(path):
                raise CannotBegin(f"{path} is there already. Move it away, or rename it.")
        return made

    def _filled(self, template: Template, **others: str) -> str:
        return template.substitute(
            name=self._exercise,
            home=self._assignment,
            slug=self._slug,
            const=self._slug.upper(),
            **others,
        )

    def _old(self, path: Path, beginning: str) -> str:
        """Return the text of a file of the assignment; a beginning if there is none."""
        return course.text_of(path) if os.path.lexists(path) else beginning

    def _solution(self) -> str:
        new = self._filled(templates.ASSIGNMENT, order=_next_order()) if self._is_new else ""
        text = self._old(self._module, new)
        names.check_free([self._exercise], text, self._module.name)
        number = str(insertion.next_number(text))
        parts = [self._filled(templates.STATEMENT, number=number)]
        if self._is_function:
            parts += map(self._filled, (templates.FUNCTION, templates.CELL_OF_FUNCTION))
        else:
            parts += map(self._filled, (templates.CLASS, templates.CELL_OF_CLASS))
        classes = {} if self._is_function else {"nn": "torch"}
        text = insertion.with_imports(text, {**IN_MODULE, **classes})
        text = insertion.after_exercises(text.rstrip("\n") + "\n", "".join(parts))
        return text + self._filled(templates.PICTURE) if self._is_new else text

    def _checks(self) -> str:
        text = self._old(self._check_file, self._filled(templates.CHECKS))
        section = self._section()
        added = [self._slug, *sorted(names.defined(section))]
        names.check_free(added, text, self._check_file.name)
        classes = {} if self._is_function else {"parts": "autograder.checking"}
        text = insertion.with_imports(text, {**IN_CHECKS, **classes})
        text = insertion.with_declaration(text, self._filled(templates.DECLARATION))
        return insertion.at_end(text, section)

    def _section(self) -> str:
        kind = templates.CHECKS_OF_FUNCTION if self._is_function else templates.CHECKS_OF_CLASS
        return insertion.folded(self._filled(kind))

    def _promises(self) -> str:
        text = self._old(promises_file(self._assignment), templates.PROMISES)
        checks = (f for f in insertion.functions(self._section()) if f.startswith("test_"))
        listed = "".join(f'    "{name}",\n' for name in checks)
        return f"{text.rstrip()}\n\n{self._filled(templates.PROMISE, checks=listed)}"

    def _misconceptions(self) -> str:
        path = self._module.with_name("misconceptions.toml")
        text = self._old(path, "").rstrip()
        return f"{text}\n\n" * bool(text) + first_mistake(self._exercise)


def first_mistake(exercise: str) -> str:
    """Return the entry for misconceptions.toml that a new exercise has."""
    return templates.MISCONCEPTION.substitute(
        name=exercise,
        table=names.in_checks(exercise),
        id=templates.FIRST,
        edits=templates.FIRST_EDITS.substitute(name=exercise),
    )


def _next_order() -> str:
    """Return the place of a new assignment: behind all others."""
    headers = (course.about(course.solution(name)) for name in course.assignments())
    last = max((float(one["order"]) for one in headers if "order" in one), default=0.0)
    return str(math.floor(last) + 1)


def _write_folder(folder: Path, texts: Mapping[Path, str]) -> None:
    """Write a folder with its files, in one step. Raises OSError."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as unfinished:
        made = Path(unfinished) / folder.name
        for path, text in texts.items():
            place = made / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            whole_file.write(place, text, MODE)
        made.rename(folder)


def _write_all(texts: Mapping[Path, str]) -> None:
    """Write files, all or none. Raises CannotWrite, NotOurs."""
    before = {path: path.read_bytes() if path.exists() else None for path in texts}
    folders = [path.parent for path in texts if not path.parent.exists()]
    done: list[Path] = []
    try:
        for path, text in texts.items():
            check_folders(path)
            with telling(path):
                path.parent.mkdir(exist_ok=True)
                done.append(path)
                whole_file.write(path, text, mode(path))
    except BaseException:
        for path in done:
            _restore(path, before[path])
        for folder in filter(Path.exists, folders):
            folder.rmdir()
        raise


def mode(path: Path) -> int:
    """Return the permissions of a file, or those of a new one if there is none."""
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else MODE


def _restore(path: Path, data: bytes | None) -> None:
    """Put a file back as it was; delete it if there was none."""
    if data is None:
        path.unlink(missing_ok=True)
    elif path.read_bytes() != data:
        whole_file.write(path, data, mode(path))
