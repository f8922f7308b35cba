"""The rules for what an author writes: whoever breaks one reads where, and what to do."""

from __future__ import annotations

from autograder import course
from autograder.audit.corpus import check_names
from autograder.audit.promises import check_promises
from autograder.audit.statement import check_exercises, check_statement
from autograder.checking.collect import collect


def check_course() -> None:
    """Raise CourseError if a file of the course breaks a rule. What is not written breaks none.

    The files hold exercises that the course leaves out, too.
    """
    checks = collect(is_whole=True)
    for assignment in checks.assignments:
        names = [exercise.name for exercise in checks.exercises(assignment)]
        check_statement(assignment)
        path = course.solution_file(assignment)
        check_exercises(path, course.solution(assignment), names)
        check_names(assignment, names)
        check_promises(assignment, checks)
