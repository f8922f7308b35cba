"""Run checks on an implementation, one at a time, and find the outcome of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder import course
from autograder.checking import Draw, OtherLayout, Wrong
from autograder.checking.collect import Checks, Collected
from autograder.client import (
    SAME,
    Client,
    Layout,
    LiveReference,
    LocalImplementation,
    Packing,
    Problem,
    StepFailed,
    SubmissionImplementation,
    layouts,
)
from autograder.client.loading import Reference
from autograder.course.exercise import Exercise, ExerciseBroken
from autograder.grading import wording
from autograder.grading.grade import Outcome
from autograder.runtime.problems import Unavailable
from autograder.sandbox import Limits, SandboxFailed

MISSING = frozenset({"absent", "unwritten"})
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
UNAVAILABLE = Unavailable.__name__  # what another module of the course does not define


@dataclass
class CheckRun:
    """The result of running a check. category: a fixed phrase. symptom: copied from Wrong.

    packing: the packing of the weights if nothing but that differs from the statement. layouts: how
    many layouts of parameters could be meant. client: the one through which the check was run.
    """

    outcome: Outcome
    message: str = ""
    category: str = ""
    problem: Problem | None = None
    notes: tuple[str, ...] = ()
    packing: Packing | None = None
    layouts: int = 1
    client: Client | None = None
    symptom: str = ""


class CheckRunner:
    """Runs checks on one implementation, and finds its layout of weights once for each exercise."""

    def __init__(
        self,
        checks: Checks,
        reference: Callable[[str], Reference],
        implementation: SubmissionImplementation | LocalImplementation,
        limits: Limits,
    ) -> None:
        self._checks = checks
        self._reference = reference
        self._implementation = implementation
        self._limits = limits
        self._layouts: dict[str, Layout] = {}
        self._of_layouts: dict[str, CheckRun] = {}  # by exercise: of the check that judges them
        self._hidden: set[str] = set()  # exercises of which a hidden check was run

    def run(self, exercise: Exercise, collected: Collected) -> CheckRun:
        """Run a check, with the weights in the layout that the layout check has found.

        If parameters have other names, the check is run with each layout that could be meant.
        """
        judge = self._checks.layout_check(exercise, collected)
        if judge is None:
            return self._run_in_layouts(exercise, collected, None)
        if exercise.name not in self._of_layouts:
            self._of_layouts[exercise.name] = self._run_in_layouts(exercise, judge, None)
        found = self._of_layouts[exercise.name]
        return (
            found
            if judge == collected
            else self._run_in_layouts(exercise, collected, found.packing)
        )

    def presume_plain(self, exercise: Exercise) -> None:
        """Run all other checks as if the layout check had found the stated packing."""
        self._of_layouts[exercise.name] = CheckRun(Outcome.FAILED)

    def layout(self, exercise: Exercise) -> Layout:
        """Return where the implementation keeps the reference's parameters, as far as known."""
        judged = self._of_layouts.get(exercise.name)
        names = self._layouts.get(exercise.name, SAME)
        return replace(names, packing=judged.packing if judged else None)

    def layout_anew(self, exercise: Exercise) -> Layout:
        """Return the layout for a question that is asked after the checks.

        After a hidden check another process answers. It is not told what an earlier one called its
        parameters: a name can say when that was, and so how long the hidden check took.
        """
        known = self.layout(exercise)
        if exercise.name in self._hidden and known != SAME:
            self._hidden.discard(exercise.name)
            self._layouts.pop(exercise.name, None)
            self._of_layouts.pop(exercise.name, None)
            for collected in self._checks.of(exercise):
                if collected.visible and self.layout(exercise) == SAME:
                    self.run(exercise, collected)
        return self.layout(exercise)

    def _run_in_layouts(
        self, exercise: Exercise, collected: Collected, packing: Packing | None
    ) -> CheckRun:
        names = self._layouts.get(exercise.name, SAME)
        best = self._run_in_layout(collected, replace(names, packing=packing))
        problem = best.problem
        if exercise.name in self._layouts or not (problem and problem.kind == "names"):
            return best
        if not best.client or not best.client.has_time():
            return best
        others = list(layouts(problem.want or {}, problem.have or {}))
        for layout in others:
            if not best.client.has_time():
                break
            again = self._run_in_layout(collected, replace(layout, packing=packing))
            repacked = again.packing and again.packing.orders  # more than an exchange of names
            if again.outcome is Outcome.PASSED or (repacked and not best.packing):
                if collected.visible:  # visible checks must not depend on hidden ones
                    self._layouts[exercise.name] = layout
                best = again
            if best.outcome is Outcome.PASSED:
                break
        best.layouts += len(others)
        return best

    def _run_in_layout(self, collected: Collected, layout: Layout) -> CheckRun:
        seed = collected.check.exercise.name  # all visible checks of an exercise show the same case
        implementation = self._implementation
        if not collected.visible:
            self._hidden.add(collected.check.exercise.name)
            seed = f"{collected.name} {course.secret()}"
            implementation = implementation.for_hidden
        if isinstance(implementation, SubmissionImplementation):
            implementation.take_turn()
        run = self._run_once(collected, implementation.client(layout), seed)
        if implementation.may_be_chance(run.problem):
            run = self._run_once(collected, implementation.client(layout), seed)
            implementation.may_be_chance(run.problem)
        return run

    def _run_once(self, collected: Collected, submission: Client, seed: str) -> CheckRun:
        run = self._outcome(collected, submission, Draw(seed))
        run.client = submission
        return run

    def _outcome(self, collected: Collected, submission: Client, draw: Draw) -> CheckRun:
        try:
            self._check(collected, submission, draw)
        except Wrong as wrong:
            packing = wrong.packing if isinstance(wrong, OtherLayout) else None
            failed = CheckRun(Outcome.FAILED, str(wrong), wrong.category, packing=packing)
            return replace(failed, symptom=wrong.symptom)
        except StepFailed as failed:
            return self._failure(collected.check.exercise, failed.problem)
        except (SandboxFailed, ExerciseBroken):
            raise
        except Exception as error:
            if isinstance(error, AssertionError) and collected.is_own(error):
                return CheckRun(
                    Outcome.FAILED,
                    f"It does not hold: {str(error) or 'a bare assertion'}.",
                    "wrong values",
                )
            return CheckRun(Outcome.ERROR, f"{type(error).__name__}: {error}", "grader's fault")
        return CheckRun(Outcome.PASSED, notes=tuple(submission.notes))

    def _check(self, collected: Collected, submission: Client, draw: Draw) -> None:
        """Run a check. Raises what it raises, or ExerciseBroken if no code could pass it."""
        found = self._reference(collected.assignment)
        reference = found.client()
        try:
            collected.run(submission=submission, reference=reference, draw=draw)
        except Exception:
            if isinstance(found, LiveReference):
                for name in (*submission.asked_for(), *reference.asked_for()):
                    collected.assert_in_reference(name, found.namespace)
            raise

    def _failure(self, exercise: Exercise, problem: Problem) -> CheckRun:
        is_plain = self._checks.is_plain(exercise)
        if problem.type == UNAVAILABLE and problem.where not in course.exercises():
            problem = replace(problem, kind="raised", type="ImportError")  # no exercise is missing
        if problem.kind == "attributes":
            problem = replace(problem, kind="names" if is_plain else "not_a_module")
        said = wording.sentence(problem, self._limits, is_plain)
        category = wording.category(problem)
        ended = self._implementation.load().ended if problem.kind == "absent" else None
        if ended:
            stopped = wording.sentence(ended, self._limits)
            return CheckRun(Outcome.FAILED, f"Not reached. {stopped}", category, problem)
        if problem.kind in MISSING:
            return CheckRun(Outcome.MISSING, said, category, problem)
        undefined = UNDEFINED.match(problem.text) if problem.type == NameError.__name__ else None
        loaded = self._implementation.load() if undefined else None
        lost = loaded.left_out if loaded else frozenset[str]()
        if undefined and loaded and loaded.problem and undefined[1] in lost:
            said = f"{said} {wording.sentence(loaded.problem, self._limits)}"
        lines = wording.traceback(problem)
        return CheckRun(Outcome.FAILED, "\n".join([said, *lines]), category, problem)
