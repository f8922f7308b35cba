"""Name a mistake by its symptom if no known misconception gives the same answers.

A symptom is named only if every failed check shows it or one that it implies. Symptoms are
observed, so that they are true of any code that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from autograder.checking.collect import Collected
from autograder.course import place
from autograder.course.hints import MalformedHints
from autograder.course.symptoms import Symptom, read, symptoms
from autograder.diagnosis.trace import OF_NUMBERS
from autograder.grading.grade import Diagnosis, Outcome
from autograder.grading.runner import CheckRun

# Categories of wrong results, for which Check.symptom applies. Errors may have another cause.
OF_RESULTS = OF_NUMBERS - {"wrong gradient", "raised an error"} | {"not finite"}


COMMON = read(Path(__file__).with_suffix(".toml"))  # shown by what any check may use


@lru_cache
def known(assignment: str) -> dict[str, Symptom]:
    """Return all symptoms that an assignment's checks may show. Raises MalformedHints."""
    own = symptoms(assignment)
    for key in own.keys() & COMMON.keys():
        path = place.symptoms_file(assignment)
        raise MalformedHints(f"{path}: every course has the symptom {key}. Rename or delete it.")
    return COMMON | own


def by_symptom(
    runs: Iterable[tuple[Collected, CheckRun]], there: Mapping[str, Symptom]
) -> tuple[Diagnosis, ...]:
    """Return the one symptom that all failed checks of an exercise show, if there is one.

    there: the symptoms that they may show, by key.
    """
    failed = [(c, f) for c, f in runs if f.outcome is Outcome.FAILED]
    # If weights could not be loaded, the check of the parameters says why.
    telling = [(c, f) for c, f in failed if not _is_of_names(f)] or failed
    shown = {_shown(collected, run) for collected, run in telling}
    alone = [there[key] for key in shown & there.keys() if shown <= {key, *there[key].implies}]
    return tuple(map(_diagnosis, alone[:1]))


def _diagnosis(symptom: Symptom) -> Diagnosis:
    hint = symptom.hint
    steps = (hint.look, hint.think, hint.nearly)
    return Diagnosis((symptom.id,), symptom.mistake, steps, seen=True)


def _shown(collected: Collected, run: CheckRun) -> str:
    """Return the key of the run's symptom: its own, the check's or its category."""
    if run.symptom:
        return run.symptom
    is_of_result = run.category in OF_RESULTS or _is_of_names(run)
    return collected.check.symptom if is_of_result else run.category


def _is_of_names(run: CheckRun) -> bool:
    """Return whether the reference's weights could not be loaded into the submission."""
    return run.problem is not None and run.problem.kind == "names"
