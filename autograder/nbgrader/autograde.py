"""`make autograde`: nbgrader's autograde with progress and a summary."""

from __future__ import annotations

import contextlib
import fnmatch
import itertools
import textwrap
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.apps import AutogradeApp
from nbgrader.converters.autograde import Autograde
from nbgrader.converters.base import NbGraderException

from autograder.classroom.results import Results
from autograder.grading.fitting import printable
from autograder.nbgrader.engine import why_refused
from autograder.nbgrader.exclusive import exclusive
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.places import Places, places_of
from autograder.nbgrader.points import OTHER_POINTS
from autograder.nbgrader.preparing import KEPT, add_notebook, keeps_grade, released
from autograder.nbgrader.regrade import apply, plan, recover
from autograder.nbgrader.times import NO_TIME, is_time_unreadable
from autograder.nbgrader.trouble import CannotRun
from autograder.report.progress import Progress
from autograder.submissions import ids

WIDTH = 80
OLDER = "{} are regraded: the kit or secret that graded them, or a comment, is another now:"
MEANWHILE = "{} was collected meanwhile: run make autograde again."
AGAIN = "{} was handed in again meanwhile, and graded as before: run make autograde again."
MISPLACED = "{} is not graded: move it to submitted/STUDENT/{}/."
MORE = "{} more files in {} are not graded either."
MOST_NAMED = 5  # files of one student
UNFINISHED = "nbgrader did not finish it: read its message above, and run make autograde again."


@dataclass
class Summary:
    """Outcome of each submission. refused, staff: reasons by student."""

    assignment: str
    graded: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    staff: dict[str, str] = field(default_factory=dict)
    unlocked: int = 0  # of those that were graded
    notes: list[str] = field(default_factory=list)  # on a regrade that came first, and on times

    def lines(self) -> Iterator[str]:
        """Yield the lines for the terminal."""
        yield from self.notes
        if not self.graded and not self.refused and not self.staff:
            yield f"{self.assignment}: no submission is there; run nbgrader collect or zip_collect"
            return
        yield (
            f"{self.assignment}: {len(self.graded)} graded, {len(self.refused)} refused, "
            f"{len(self.staff)} need staff"
        )
        if self.unlocked:
            yield f"  unlocked {self.unlocked} of them: their code could do what you can"
        for word, those in (("refused", self.refused), ("staff", self.staff)):
            for student, reason in those.items():
                line = f"  {word:<8} {ids.shown(student)}: {reason}"
                yield from textwrap.wrap(line, WIDTH, subsequent_indent=" " * 11)


def autograde(app: AutogradeApp, assignment: str, student: str, force: bool) -> Summary:
    """Autograde an assignment. Raises CannotRun.

    student: a pattern for ids, "*" for all. force: also grade submissions that are up to date.
    """
    places = places_of(app.coursedir)
    there = set(Folders.of(places).students(assignment))
    notes = _bring_up_to_date(app, assignment, student, force)
    app.coursedir.assignment_id, app.coursedir.student_id = assignment, student
    converter = Autograde(coursedir=app.coursedir, parent=app, force=force)
    progress, count = Progress("written"), itertools.count(1)
    converter.post_convert_hook = lambda **_: progress.done(next(count), len(converter.assignments))
    try:
        converter.start()
    except CannotRun:
        raise
    except NbGraderException:  # nbgrader has graded the others, and the summary lists who failed
        pass
    found = summary(places, assignment, student, there)
    found.notes = notes + found.notes
    return found


def _bring_up_to_date(app: AutogradeApp, assignment: str, student: str, force: bool) -> list[str]:
    """Regrade submissions that another kit or secret has graded, or that have another comment now.

    This can be undone.

    force: nbgrader will autograde all of them again, so only finish an interrupted regrade.
    Returns lines for the terminal. Raises CannotRun.
    """
    with exclusive(Path(app.coursedir.root), f"autograde of {assignment}"):
        notes = [recovered] if (recovered := recover(app)) else []
        if force:
            return notes
        _add_notebooks(places_of(app.coursedir), assignment, student)
        planned = plan(app, assignment, student, by_autograde=True)
        for exercise, (old, new) in planned.effect.points.items():
            raise CannotRun(OTHER_POINTS.format(exercise, old, "gradebook", new, assignment))
        if planned.results:
            apply(app, planned)
            notes += [OLDER.format(len(planned.results)), *planned.lines()]
            notes.append("make undo takes it back.")
    return notes


def _add_notebooks(places: Places, assignment: str, pattern: str) -> None:
    """Add notebooks where they are missing, before anything is read: they change the folders.

    pattern: for ids of students. Raises CannotRun.
    """
    released(places, assignment)
    for student in Folders.of(places).students(assignment):
        if fnmatch.fnmatchcase(student, pattern) and ids.is_id(student):
            with contextlib.suppress(OSError):  # the converter tries again, and warns
                add_notebook(places, student, assignment)


def _first(name: str) -> str:
    """Return the file or the student's folder in submitted/ with which a name begins."""
    return Path(name).parts[0]


def lines_on_misplaced(submitted: Path, assignment: str, names: Sequence[str]) -> Iterator[str]:
    """Yield lines about files of one student that lie in the wrong place."""
    for name in names[:MOST_NAMED]:
        text = MISPLACED.format(submitted / name, assignment)
        yield from textwrap.wrap(printable(text), WIDTH)
    if (more := len(names) - MOST_NAMED) > 0:
        text = MORE.format(more, submitted / _first(names[0]))
        yield from textwrap.wrap(printable(text), WIDTH)


def summary(places: Places, assignment: str, pattern: str, there: Set[str]) -> Summary:
    """Summarize all submissions of an assignment. pattern: for ids of students.

    there: the students who had submitted before; the others were collected meanwhile.
    """
    found, folders, results = Summary(assignment), Folders.of(places), Results(places.results)
    for one, names in itertools.groupby(folders.misplaced(assignment), _first):
        if fnmatch.fnmatchcase(one.partition(".")[0], pattern):
            found.notes += lines_on_misplaced(places.submitted, assignment, [*names])
    for student in folders.students(assignment):
        if not fnmatch.fnmatchcase(student, pattern):
            continue
        if student not in there:
            found.notes += textwrap.wrap(MEANWHILE.format(ids.shown(student)), WIDTH)
            continue
        mark, job = places.mark(student, assignment), folders.fingerprint(student, assignment)
        is_current = mark.content == job.content
        result = results.get(mark.digest) if mark.digest else None
        try:
            ids.checked(student)
        except ids.NoId as reason:
            found.refused[student] = str(reason)
            continue
        if is_time_unreadable(places.submitted / student / assignment):
            found.notes += textwrap.wrap(NO_TIME % student, WIDTH)
        if result and not is_current:
            found.notes += textwrap.wrap(AGAIN.format(student), WIDTH)
        elif keeps_grade(places, job):
            found.staff[student] = KEPT
        elif result is None:
            found.staff[student] = UNFINISHED
        elif refused := why_refused(result):
            found.refused[student] = refused
        else:
            found.graded.append(student)
            found.unlocked += not result.grade.locked
    return found
