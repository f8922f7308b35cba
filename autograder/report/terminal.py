"""Print grades for a terminal: a glyph and a word, then what to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder import course
from autograder.course import commands
from autograder.grading.fitting import printable
from autograder.grading.grade import CheckGrade, ExerciseGrade, Grade, Outcome
from autograder.report import paste
from autograder.report.columns import TIE, cut, width, wrapped
from autograder.report.copied import command
from autograder.report.feedback import (
    GLYPHS,
    HINTS,
    checks_with_feedback,
    finished,
    has_feedback,
    located,
    named,
    why_it_waits,
)
from autograder.report.shaded import drawn
from autograder.report.streams import Screen
from autograder.report.totals import is_optional, total

COLOURS = {
    Outcome.PASSED: "32",
    Outcome.FAILED: "31",
    Outcome.MISSING: "36",
    Outcome.BLOCKED: "33",
    Outcome.ERROR: "35",
}
PRINTED_LINES = 5
NO_EXAMPLE = "There is no example to rebuild: no exercise failed in a way that one shows."
TOO_LONG = "The lines that rebuild it would be too long to paste."
NOT_THE_SAME = (
    "No lines would rebuild it, because your code gives other numbers when it runs again."
)
FAILURES = 3  # failed checks shown for several assignments; the last exercise is shown in full


class Terminal:
    """Turns grades into lines of text. Colour only repeats what glyph and word say.

    screen: where they are shown; at most 80 of its columns are used. hints: how many hints about a
    known mistake are shown, 1 to 3, or 0 for not even its name. locked: True if submissions ran in
    a locked sandbox. pastes: whether to show the lines of Python that rebuild the smallest example.
    """

    def __init__(
        self,
        screen: Screen | None = None,
        hints: int = 1,
        locked: bool = False,
        pastes: bool = False,
    ) -> None:
        screen = screen or Screen()
        self.colour = screen.colour
        self.columns = screen.used
        self.sandbox = "locked" if locked else "unlocked"
        self.hints = hints
        self.pastes = pastes

    def report(self, grades: Iterable[Grade]) -> Iterator[str]:
        """Yield one person's report: each exercise, and each of its checks that did not pass.

        For several assignments only the first few such checks are shown.
        """
        grades = list(grades)
        alone = sum(len(grade.exercises) for grade in grades) == 1
        for grade in grades:
            yield from self._submission(grade, details=len(grades) == 1, alone=alone)
            yield ""
        if len(grades) > 1:
            yield from self._first_failures(grades)
        if self.pastes and not any(one.example for grade in grades for one in grade.exercises):
            yield from self._wrapped(NO_EXAMPLE)
        yield from self.ending(grades)

    def ending(self, grades: Sequence[Grade]) -> Iterator[str]:
        """Yield the points of all grades together, and what to do next."""
        yield from self._wrapped(self._total(grades), hanging="  ")
        what, path = to_do(grades)
        for line in next_step(grades):
            if path and width(line) > self.columns:  # which is not broken
                yield from (f"Next: {what} in", f"  {path}")
            else:
                yield from self._wrapped(line)

    def row(self, grade: Grade) -> Iterator[str]:
        """Yield an assignment's points, exercises with their glyphs, and the message about it."""
        score = f"{_number(grade.points)}/{_number(grade.max_points)}"
        done = [f"{self._glyph(one.outcome)}{TIE}{one.name}" for one in grade.exercises]
        text = "  ".join(done) or printable(grade.message)
        line = f"{grade.assignment or '?':<17}{score:>7}  {text}"
        longest = max(map(width, done), default=0)
        indent = " " * (26 if 26 + longest <= self.columns else 2)
        yield from (one.replace(TIE, " ") for one in self._wrapped(line, hanging=indent))
        if done and grade.message:
            yield from self._wrapped(printable(grade.message), "  ")

    def exercise(self, exercise: ExerciseGrade, grade: Grade) -> Iterator[str]:
        """Yield one exercise as in a report, without the commands to type next."""
        yield from self._line(exercise)
        if grade.status == "unreadable":
            yield from self._wrapped(f"Nothing of it could be graded: {grade.message}", "      ")
            return
        yield from self._waiting(exercise)
        yield from self._details(exercise)

    def note(self, grade: Grade) -> Iterator[str]:
        """Yield the message about a submission as a whole, and how it was run."""
        yield from self._wrapped(grade.message)
        yield f"Graded {self.sandbox}."

    def typed(self, lead: str, command: str) -> Iterator[str]:
        """Yield a command to type, never broken: a long one has a line of its own."""
        line = f"      {lead} {command}"
        yield from (
            [line] if width(line) <= self.columns else [f"      {lead}", f"        {command}"]
        )

    def sentences(self, said: Iterable[str]) -> Iterator[str]:
        """Yield sentences, each in lines of its own."""
        for one in said:
            yield from self._wrapped(one)

    def _submission(self, grade: Grade, details: bool, alone: bool) -> Iterator[str]:
        optional = ", optional" * is_optional(grade.assignment)
        name = grade.assignment or "unknown assignment"
        yield f"{name}{optional}  ({printable(grade.path)})"
        if grade.message:
            yield from self._wrapped(grade.message, "  ")
        if grade.status == "unreadable":
            yield f"  Nothing of it could be graded: 0/{_number(grade.max_points)}"
            return
        for exercise in grade.exercises:
            yield from self._line(exercise)
            yield from self._waiting(exercise)
            if details:
                yield from self._details(exercise, grade, alone)

    def _first_failures(self, grades: list[Grade]) -> Iterator[str]:
        """Yield the first few failed checks by exercise, and the command that shows the others."""
        failed = [
            (grade, exercise)
            for grade in grades
            for exercise in grade.exercises
            if grade.status != "unreadable" and _has_details(exercise)
        ]
        shown = 0
        for i, (grade, exercise) in enumerate(failed):
            if shown >= FAILURES:
                names = ", ".join(exercise.name for _, exercise in failed[i:])
                each = commands.command("make grade EX=...", "grade ... --exercise ...")
                yield from self._wrapped(f"More to see, each with {each}: {names}")
                yield ""
                return
            yield from self._line(exercise)
            yield from self._details(exercise, grade)
            yield ""
            shown += sum(check.outcome is Outcome.FAILED for check in exercise.checks)

    def _line(self, exercise: ExerciseGrade) -> Iterator[str]:
        note = f"waits for {exercise.waits_for}" if exercise.waits_for else ""
        score = f"{_number(exercise.points)}/{_number(exercise.max_points)}"
        outcome = exercise.outcome
        line = f"{exercise.name:<24} {self._word(outcome)} {score:>6}   {note}"
        yield from self._wrapped(f"{self._glyph(outcome)} {line}".rstrip(), "  ", "    ")

    def _waiting(self, exercise: ExerciseGrade) -> Iterator[str]:
        if exercise.is_carried:
            yield "      With a correct one this is right, so it has its points."
        elif said := why_it_waits(exercise):
            yield from self._wrapped(said, "      ")

    def _details(
        self, exercise: ExerciseGrade, grade: Grade | None = None, alone: bool = False
    ) -> Iterator[str]:
        """Yield an exercise's mistake, checks and example; with a grade, also what to type.

        alone: nothing else was graded, so no command is needed to grade it alone.
        """
        if not has_feedback(exercise):
            return
        yield from self._diagnosis(exercise, grade)
        for check, message, printed in checks_with_feedback(exercise):
            if check.outcome is Outcome.PASSED:
                yield from self._wrapped(f"Note: {message}", "      ")
            else:
                yield from self._check(check, message, printed)
        if exercise.example:
            lines = drawn(exercise.example, self.columns - 6, self.colour)
            yield from (f"      {line}".rstrip() for line in lines)
            yield from self._rebuilding(exercise, grade if alone else None)
        if grade and not alone and (exercise.outcome is Outcome.FAILED or exercise.is_begun):
            yield from self.typed("Only this one:", command(exercise, grade))

    def _rebuilding(self, exercise: ExerciseGrade, grade: Grade | None) -> Iterator[str]:
        """Yield the lines that rebuild the example; else, with a grade, the command for them."""
        lines = paste.lines(exercise.example) if exercise.example else []
        if lines and self.pastes:
            yield "      Lines that rebuild it, to paste below your code:"
            yield from (part for line in lines for part in paste.folded(line, self.columns))
        elif self.pastes:
            is_same = exercise.example is None or exercise.example.rebuilds
            yield from self._wrapped(TOO_LONG if is_same else NOT_THE_SAME, "      ")
        elif grade:
            yield from self.rebuild(exercise, grade)

    def rebuild(self, exercise: ExerciseGrade, grade: Grade) -> Iterator[str]:
        """Yield the command that shows the lines that rebuild an exercise's example, if any can."""
        if exercise.example and paste.lines(exercise.example):
            yield from self.typed("To rebuild it:", command(exercise, grade, paste=True))

    def _diagnosis(self, exercise: ExerciseGrade, grade: Grade | None) -> Iterator[str]:
        for lead, found in named(exercise, self.hints):
            if found.mistake or len(exercise.diagnoses) > 1:
                phrase = found.mistake or "as its hint says"
                lines = self._wrapped(f"{lead} {phrase}.", "      ")
                yield from (self._bold(line) for line in lines)
            for word, hint in zip(HINTS, found.hints[: self.hints], strict=False):
                yield from self._wrapped(f"{word} {hint}", "      ")
        if line := located(exercise, self.hints):
            yield from self._wrapped(" ".join(line), "      ")
        if grade and any(self.hints < len(found.hints) for found in exercise.diagnoses):
            more = command(exercise, grade, hints=self.hints + 1)
            yield from self.typed("The next hint:" if self.hints else "The mistake:", more)

    def _check(self, check: CheckGrade, message: str, printed: str) -> Iterator[str]:
        hidden = "" if check.visible else " (hidden)"
        points = f"0/{_number(check.max_points)}"
        title = cut(f"{check.title}{hidden}", self.columns - 14)
        yield f"    {self._glyph(check.outcome)} {title}   {points}"
        for line in message.splitlines():
            yield from self._wrapped(line, "      ")
        if printed:
            yield from self._printed(printed)

    def _total(self, grades: Sequence[Grade]) -> str:
        rights = "" if self.sandbox == "locked" else ": with your own rights"
        which = " for visible checks" if course.is_students_copy() else ""
        ran = any(grade.status != "unreadable" for grade in grades)
        how = f" ({self.sandbox}{rights})" if ran else ""
        return f"Score: {total(grades)}{which}{how}"

    def _glyph(self, outcome: Outcome) -> str:
        return self._coloured(GLYPHS[outcome], outcome)

    def _word(self, outcome: Outcome) -> str:
        return self._coloured(f"{outcome.value:<8}", outcome)

    def _coloured(self, text: str, outcome: Outcome) -> str:
        return f"\x1b[{COLOURS[outcome]}m{text}\x1b[0m" if self.colour else text

    def _bold(self, line: str) -> str:
        text = line.lstrip()
        indent = line[: len(line) - len(text)]
        return f"{indent}\x1b[1m{text}\x1b[0m" if self.colour else line

    def _wrapped(self, text: str, indent: str = "", hanging: str | None = None) -> list[str]:
        return wrapped(text, indent, self.columns, hanging)

    def _printed(self, text: str) -> Iterator[str]:
        lines = text.rstrip("\n").splitlines()
        yield "      It printed:"
        for line in lines[:PRINTED_LINES]:
            yield f"      | {cut(line, self.columns - 8)}"
        if len(lines) > PRINTED_LINES:
            yield f"      | (and {len(lines) - PRINTED_LINES} more lines)"


def _has_details(exercise: ExerciseGrade) -> bool:
    """Return whether an exercise has feedback that does not wait for another exercise."""
    return exercise.outcome is not Outcome.BLOCKED and has_feedback(exercise)


def to_do(grades: Sequence[Grade]) -> tuple[str, str]:
    """Return what to do next, and in which file: fix the first wrong exercise, else write one.

    In a file of which nothing could be graded, that is to mend what stops its first exercise. Both
    are "" if there is nothing to do.
    """
    for outcome, verb in ((Outcome.FAILED, "fix"), (Outcome.MISSING, "write")):
        for grade in grades:
            for exercise in grade.exercises:
                if exercise.outcome is outcome and grade.status != "needs_staff":
                    does = "mend what stops" if grade.status == "unreadable" else verb
                    return f"{does} {exercise.name}", printable(grade.path)
    return "", ""


def next_step(grades: Sequence[Grade]) -> Iterator[str]:
    """Yield what to do next, see `to_do`; optional assignments come after all others.

    For a student whose own work passes, the command that shows the next exercise, or the end.
    """
    asked = [grade for grade in grades if not is_optional(grade.assignment)] or grades
    what, path = to_do(asked)
    if what:
        yield f"Next: {what} in {path}"
        return
    is_own = all(Path(grade.path).parent == Path("assignments") for grade in grades)
    if grades and is_own and all(_passes(grade) for grade in asked):
        others = {*course.assignments()} - {grade.assignment for grade in asked}
        if others - course.declared().optional():
            yield f"Next: {commands.command('make next', 'watch --once')}"
            return
        yield from finished()
        what, path = to_do(grades)
        if what:
            yield f"Optional: {what} in {path}"


def _passes(grade: Grade) -> bool:
    return bool(grade.exercises) and grade.points == grade.max_points


def _number(points: float) -> str:
    return f"{points:g}"
