"""Name a mistake by its symptom if no known misconception gives the same answers.

A symptom is named only if every failed check shows it or one that it implies. Symptoms are
observed, so that they are true of any code that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder import parsing
from autograder.checking.collect import Collected
from autograder.course.misconceptions import Hint
from autograder.diagnosis.trace import OF_NUMBERS
from autograder.grading.grade import Diagnosis, Outcome
from autograder.grading.runner import CheckRun

# Categories of wrong results, for which Check.symptom applies. Errors may have another cause.
OF_RESULTS = OF_NUMBERS - {"wrong gradient", "raised an error"} | {"not finite"}


@dataclass(frozen=True)
class Symptom:
    """A visible effect of mistakes.

    id: for programs. mistake: a phrase that students read. implies: symptoms that always come with
    this one.
    """

    id: str
    mistake: str
    hint: Hint
    implies: frozenset[str] = frozenset()


def by_symptom(runs: Iterable[tuple[Collected, CheckRun]]) -> tuple[Diagnosis, ...]:
    """Return the one symptom that all failed checks of an exercise show, if there is one."""
    failed = [(c, f) for c, f in runs if f.outcome is Outcome.FAILED]
    # If weights could not be loaded, the check of the parameters says why.
    telling = [(c, f) for c, f in failed if not _is_of_names(f)] or failed
    shown = {_shown(collected, run) for collected, run in telling}
    known = [
        SYMPTOMS[key] for key in shown & SYMPTOMS.keys() if shown <= {key, *SYMPTOMS[key].implies}
    ]
    return tuple(map(_diagnosis, known[:1]))


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


def _read(path: Path) -> dict[str, Symptom]:
    tables = parsing.toml(path.read_bytes())
    return {
        key: Symptom(
            table["id"],
            table["mistake"],
            Hint(table["look"], table["think"], table["nearly"]),
            frozenset(table.get("implies", ())),
        )
        for key, table in tables.items()
    }


SYMPTOMS = _read(Path(__file__).with_suffix(".toml"))
