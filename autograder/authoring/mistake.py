"""Record a wrong solution or a mutant as a misconception, whose hint its author has to write."""

from __future__ import annotations

import json
import re
from itertools import chain, count
from pathlib import Path

from autograder import course, whole_file
from autograder.audit.corpus import FORMS, KINDS
from autograder.audit.unnamed import is_noticed, of_reference
from autograder.authoring import names, templates
from autograder.authoring.beginning import first_mistake, mode
from autograder.authoring.edits import NotAnEdit, edits
from autograder.checking.collect import Checks
from autograder.course import hints
from autograder.course.misconceptions import Misconception, misconceptions
from autograder.report.writing import telling


def record(exercise: str, file: Path, checks: Checks) -> Path:
    """Write an entry of misconceptions.toml for a wrong solution. Returns the path of that file.

    The id stands in the name of the wrong solution: Exercise__id__how.py. An entry that `exercise`
    has written, and nobody has changed, is replaced. Raises NotAnEdit, NoSuchExercise, CourseError
    and CannotWrite.
    """
    id = _id_in_name(exercise, file, checks)
    return _record(exercise, id, course.text_of(file), str(file), checks)


def record_mutant(exercise: str, wanted: str, checks: Checks) -> Path:
    """Write an entry of misconceptions.toml for a mutant. Returns the path of that file.

    wanted: the id of a mutant of the reference. The entry is called after the operator that made
    the mutant; its author may give it another id. Raises NotAnEdit, NoSuchExercise, CourseError,
    SandboxFailed and CannotWrite.
    """
    checks.assert_known([exercise])
    found = [one for one in of_reference(checks, exercise) if one.id == wanted]
    if not found:
        raise NotAnEdit(
            f"The reference of {exercise} has no mutant {wanted}. Leave the mutant out to list "
            "those that get no name."
        )
    if not is_noticed(found[0]):
        raise NotAnEdit(
            f"No check of {exercise} notices the mutant {wanted}. Change a check, or write into "
            "equivalents.toml why the mutant is right."
        )
    _check_no_other(exercise, found[0].text, checks.homes()[exercise])
    known = {one.id for one in misconceptions(checks.homes()[exercise]) if one.exercise == exercise}
    id = re.sub(r"\W+", "_", found[0].operator)
    numbered = (f"{id}_{number}" for number in count(2))
    id = next(one for one in chain([id], numbered) if one not in known and one not in KINDS)
    return _record(exercise, id, found[0].text, f"The mutant {wanted}", checks)


def _id_in_name(exercise: str, file: Path, checks: Checks) -> str:
    """Return the id in the name of a wrong solution. Raises NotAnEdit, NoSuchExercise."""
    checks.assert_known([exercise])
    home = checks.homes()[exercise]
    folder = course.folder() / home / "wrong"
    parts = file.stem.split("__")
    form = FORMS["wrong"].replace("Exercise", exercise)
    if file.resolve().parent != folder.resolve() or parts[0] != exercise or len(parts) < 3:
        raise NotAnEdit(f"{file} is no mistake in {exercise}. Name a file {folder}/{form}.py.")
    id = parts[1]
    if id in KINDS or not names.EXERCISE.fullmatch(id):
        raise NotAnEdit(
            f"{file}: {id} is no id of a misconception. Name the file after its mistake: {form}.py."
        )
    return id


def _record(exercise: str, id: str, wrong: str, file: str, checks: Checks) -> Path:
    """Write an entry for a wrong solution. wrong: its text. file: names it in errors."""
    home = checks.homes()[exercise]
    path = course.folder() / home / "misconceptions.toml"
    old = course.text_of(path) if path.exists() else ""
    begun = first_mistake(exercise)
    kept = old.replace(begun, "").rstrip()
    if id != templates.FIRST or begun not in old:
        _check_new(exercise, id, home, path)
    found = edits(exercise, course.solution(home), wrong, file)
    taken = hints.tables(path).keys() if path.exists() else ()
    table = id if id not in taken else f"{id}_of_{names.in_checks(exercise)}"
    entry = templates.MISCONCEPTION.substitute(
        name=exercise, table=table, id=id, edits=_written(found)
    )
    with telling(path):
        whole_file.write(path, f"{kept}\n\n" * bool(kept) + entry, mode(path))
    return path


def _check_new(exercise: str, id: str, home: str, path: Path) -> None:
    """Raise NotAnEdit if there is such a misconception already."""
    if any((one.exercise, one.id) == (exercise, id) for one in misconceptions(home)):
        raise NotAnEdit(f"{path} has {exercise}.{id} already. Change it there.")


def _check_no_other(exercise: str, wrong: str, home: str) -> None:
    """Raise NotAnEdit if there is a misconception with the same code already."""
    solution = course.solution(home)
    found = tuple(edits(exercise, solution, wrong, "The mutant"))
    code = Misconception("", exercise, "", found, hints.Hint("", "", "")).source(solution)
    for one in misconceptions(home):
        if one.exercise == exercise and one.id != templates.FIRST and one.source(solution) == code:
            path = course.folder() / home / "misconceptions.toml"
            raise NotAnEdit(f"{path} has this mistake already, as {exercise}.{one.id}.")


def _written(found: list[tuple[str, str]]) -> str:
    """Return edits as TOML."""
    rows = [f"{{ find = {_quoted(f)}, replace = {_quoted(r)} }}" for f, r in found]
    if len(rows) == 1:
        return f"[{rows[0]}]"
    return "".join(["[\n", *(f"    {row},\n" for row in rows), "]"])


def _quoted(text: str) -> str:
    """Return a text as a string of TOML."""
    if "'" in text or not text.isprintable():
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"'{text}'"
