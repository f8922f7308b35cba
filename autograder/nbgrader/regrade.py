"""Grade submissions again after a check was fixed: plan the changes, apply them, undo them.

nbgrader's autograde --force would grade again as well, but without showing the changes and without
undo. Here a journal records the old values, and the gradebook changes in one transaction. Manual
scores, extra credit and comments never change.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry, SubmittedNotebook
from nbgrader.apps import AutogradeApp
from nbgrader.preprocessors import AssignLatePenalties

from autograder.classroom.jobs import Fingerprint
from autograder.classroom.results import Result, Results
from autograder.grading.grade import ExerciseGrade
from autograder.nbgrader import MARK, engine, journal
from autograder.nbgrader.effects import Change, Effect, RegradePlan
from autograder.nbgrader.exporter import SubmissionExporter
from autograder.nbgrader.intake import Folders
from autograder.nbgrader.journal import CannotUndo, changed, columns
from autograder.nbgrader.places import Places, places_of, read_notebook
from autograder.nbgrader.points import by_checks, set_points, take_over_points
from autograder.nbgrader.preparing import check_gradebook, grade, released
from autograder.nbgrader.trouble import CannotRun
from autograder.submissions import ids

CHANGED = "has changed the submission since. Run make autograde."
DAMAGED = "has a damaged notebook in autograded/. Run make autograde."
NOT_YET = "was not autograded yet. Run make autograde."
STAFF = "has no result. Run make regrade again, then look at the submission yourself."
NAMED = 3  # checks that are listed as the reason for a change


def plan(
    app: AutogradeApp, assignment: str, pattern: str = "*", *, by_autograde: bool = False
) -> RegradePlan:
    """Find out what a regrade would change. pattern: for students' ids.

    by_autograde: grade only submissions that were autograded, since autograde grades the others
    afterwards; otherwise grade all, since the points of exercises come from results.
    Raises CannotRun.
    """
    places = places_of(app.coursedir)
    app.coursedir.assignment_id = assignment
    released(places, assignment)
    check_gradebook(app.coursedir)
    made, results = RegradePlan(assignment), Results(places.results)
    jobs = _jobs(places, assignment, pattern)
    _sort_out(places, jobs, made)
    if by_autograde:
        jobs, made.unchanged = {student: jobs[student] for student in made.old}, {}
    wanted = [job for s, job in jobs.items() if s in made.old or not results.get(job.digest)]
    exporter = SubmissionExporter(parent=app)
    grade(places, wanted, exporter.settings, exporter.jobs or None)
    new = {student: results.get(job.digest) for student, job in jobs.items()}
    made.points = by_checks(result for result in new.values() if result)
    for student in made.old:
        if result := new[student]:
            made.results[student] = result
        elif not by_autograde:  # which tries once more, and says what came of it
            made.unchanged[student] = STAFF
    with Gradebook(app.coursedir.db_url) as gradebook:
        # Make all changes, then roll them back: so the plan shows exactly what apply will do.
        made.effect = _carry_out(gradebook, places, made, app)
        gradebook.db.rollback()
    return made


def apply(app: AutogradeApp, planned: RegradePlan) -> None:
    """Apply a plan, all or nothing. `recover` finishes it if it is killed. Raises OSError."""
    if planned.is_empty:
        return
    places = places_of(app.coursedir)
    with Gradebook(app.coursedir.db_url) as gradebook:
        effect = _carry_out(gradebook, places, planned, app)
        begun = journal.begin(places, planned.assignment, effect.rows, effect.files)
        try:
            gradebook.db.commit()
        except BaseException:
            gradebook.db.rollback()
            if not begun.is_committed(gradebook):
                begun.drop()
            raise
        begun.finish()


def recover(app: AutogradeApp) -> str:
    """Finish or drop what a killed regrade or undo has begun. Returns a sentence on that, or ""."""
    with Gradebook(app.coursedir.db_url) as gradebook:
        return journal.recover(places_of(app.coursedir), gradebook)


def undo(app: AutogradeApp) -> str:
    """Undo the last regrade. Returns its assignment.

    Raises CannotUndo, and then has changed nothing.
    """
    found = journal.last(places_of(app.coursedir))
    if found is None:
        raise CannotUndo("There is no regrade to undo.")
    with Gradebook(app.coursedir.db_url) as gradebook:
        found.undo(gradebook)
    return found.assignment


def _jobs(places: Places, assignment: str, pattern: str) -> dict[str, Fingerprint]:
    """Return the submissions by student."""
    folders = Folders.of(places)
    return {
        student: folders.fingerprint(student, assignment)
        for student in folders.students(assignment)
        if fnmatch.fnmatchcase(student, pattern) and ids.is_id(student)
    }


def _sort_out(places: Places, jobs: dict[str, Fingerprint], made: RegradePlan) -> None:
    """Find submissions to regrade or to comment on, and those that autograde must grade."""
    results, comments = Results(places.results), places.comments
    for student, job in jobs.items():
        mark = places.mark(student, job.assignment)
        if not mark.digest:
            made.unchanged[student] = NOT_YET
        elif mark.content != job.content:
            made.unchanged[student] = CHANGED
        elif mark.digest != job.digest:
            made.old[student] = results.get(mark.digest)
        elif mark.comments or comments.texts:
            same = results.get(job.digest)
            if same and mark.comments != comments.mark(same.grade):
                made.old[student] = same


def _carry_out(
    gradebook: Gradebook, places: Places, planned: RegradePlan, app: AutogradeApp
) -> Effect:
    """Change the gradebook without committing. Raises CannotRun."""
    effect, name, points = Effect(), planned.assignment, planned.points
    if points:
        take_over_points(gradebook, places, name, points, effect)
    for student, result in planned.results.items():
        try:
            kept = gradebook.find_submission_notebook(name, name, student)
        except MissingEntry:
            planned.unchanged[student] = NOT_YET
            continue
        path = places.graded(student, name)
        try:
            notebook = read_notebook(path)
        except CannotRun:
            planned.unchanged[student] = DAMAGED
            continue
        set_points(notebook, points)
        content = notebook.metadata[MARK]["content"]
        open_ = engine.write(notebook, result, content, places.comments)
        _regrade(gradebook, kept, notebook, open_, result, app, effect, planned.old[student])
        effect.files[path] = nbformat.writes(notebook).encode() + b"\n"
    return effect


def _regrade(
    gradebook: Gradebook,
    kept: SubmittedNotebook,
    notebook: NotebookNode,
    open_: set[str],
    result: Result,
    app: AutogradeApp,
    effect: Effect,
    old: Result | None,
) -> None:
    """Set the scores of a student and the penalty, and add the changes to the effect."""
    student, total = kept.student.id, _total(kept)
    rows = [("grade", row) for row in kept.grades] + [("comment", row) for row in kept.comments]
    before = {row.id: columns(table, row) for table, row in rows}
    penalty = columns("notebook", kept)
    engine.record(kept, notebook, open_, engine.why_refused(result))
    for row in kept.grades:
        as_before = row.auto_score == before[row.id]["auto_score"]
        if row.name in open_ or (as_before and row.manual_score is not None):
            for name, value in before[row.id].items():
                setattr(row, name, value)  # the decision of a person stays valid
    gradebook.db.flush()
    gradebook.db.expire(kept, ["score"])  # the database computes this sum
    kept.late_submission_penalty = _penalty(kept, app)
    effect.totals[student] = total, _total(kept)
    for table, row in rows:
        effect.rows += changed(table, row, student, row.name, before[row.id])
    costs = changed("notebook", kept, student, "the penalty for being late", penalty)
    effect.rows += costs
    if costs:
        old_penalty, new_penalty = costs[0].values["late_submission_penalty"]
        effect.penalties[student] = old_penalty or 0.0, new_penalty or 0.0
    scores = {row.name: before[row.id]["auto_score"] for row in kept.grades}
    manual = {row.name: row.manual_score for row in kept.grades}
    effect.changes += _changes(student, scores, manual, old, result)


def _total(kept: SubmittedNotebook) -> float:
    """Return the score that counts, after the penalty for late work."""
    return float(max(0.0, kept.score - (kept.late_submission_penalty or 0.0)))


def _changes(
    student: str,
    scores: dict[str, float | None],
    manual: dict[str, float | None],
    old: Result | None,
    new: Result,
) -> Iterator[Change]:
    earlier = {exercise.name: exercise for exercise in old.grade.exercises} if old else {}
    for exercise in new.grade.exercises:
        name, points = exercise.name, exercise.points
        if name in scores and scores[name] != points:
            why = _why(earlier.get(name), exercise)
            yield Change(student, name, scores[name], points, why, manual[name])


def _why(old: ExerciseGrade | None, new: ExerciseGrade) -> str:
    """Describe the checks whose outcome has changed."""
    outcomes = {check.name: check.outcome.value for check in old.checks} if old else {}
    changes = [
        f"{check.title}: {outcomes.get(check.name, 'not run')}, now {check.outcome.value}"
        for check in new.checks
        if outcomes.get(check.name) != check.outcome.value
    ]
    more = [f"and {len(changes) - NAMED} more"] if len(changes) > NAMED else []
    return "; ".join(changes[:NAMED] + more)


def _penalty(kept: SubmittedNotebook, app: AutogradeApp) -> float | None:
    """Compute the penalty for late work with nbgrader's configured plug-in, or return None."""
    late = kept.assignment.total_seconds_late
    if late <= 0:
        return None
    assigning = AssignLatePenalties(parent=app)
    assigning.init_plugin()
    penalty = assigning.plugin_inst.late_submission_penalty(kept.student.id, kept.score, late)
    return None if penalty is None else assigning._check_late_penalty(kept, penalty)
