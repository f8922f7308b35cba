"""Write grades as a JSON document for programs. Its keys are a contract."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograder.grading.grade import CheckGrade, Diagnosis, ExerciseGrade, Grade
from autograder.report.totals import is_optional

if TYPE_CHECKING:  # a document of an interrupted run needs no torch
    from autograder.checking.example import Example
    from autograder.report.number_table import Table

FORMAT = 1


def document(grades: Iterable[Grade], locked: bool, course: str) -> str:
    """Return the whole document. course: its fingerprint, which does not depend on the secret."""
    found = [submission(grade) for grade in grades]
    return opening(locked, course) + ",".join(found) + closing(True, bool(found))


def opening(locked: bool, course: str) -> str:
    """Return the document up to its first submission. course: its fingerprint."""
    head = {"format": FORMAT, "sandbox": "locked" if locked else "unlocked", "course": course}
    return f'{_text(head)[:-2]},\n "submissions": ['


def submission(grade: Grade, comments: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a submission as an element of the document's list, without a comma.

    comments: of an instructor, by exercise.
    """
    return "\n" + textwrap.indent(_text(_submission(grade, comments)), "  ")


def closing(complete: bool, any_graded: bool) -> str:
    """Return the rest of the document, after its last submission."""
    end = "\n ]" if any_graded else "]"
    return f'{end},\n "complete": {_text(complete)}\n}}'


def _text(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def _submission(grade: Grade, comments: Mapping[str, str]) -> dict[str, Any]:
    return {
        "submission": grade.submission,
        "path": grade.path,
        "assignment": grade.assignment,
        "optional": is_optional(grade.assignment),
        "status": grade.status,
        "message": grade.message,
        "score": grade.points,
        "max_score": grade.max_points,
        "exercises": [_exercise(one, comments.get(one.name, "")) for one in grade.exercises],
    }


def _exercise(exercise: ExerciseGrade, comment: str) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "status": exercise.outcome.value,
        "score": exercise.points,
        "max_score": exercise.max_points,
        "waits_for": exercise.waits_for or None,
        "misconceptions": list(exercise.misconceptions),
        "diagnoses": [_diagnosis(found) for found in exercise.diagnoses],
        "alike": exercise.alike,
        "comment": comment,
        "example": _example(exercise.example) if exercise.example else None,
        "checks": [_check(check) for check in exercise.checks],
    }


def _diagnosis(found: Diagnosis) -> dict[str, Any]:
    return {
        "misconceptions": list(found.ids),
        "mistake": found.mistake,
        "hints": list(found.hints),
        "seen": found.seen,
    }


def _example(example: Example) -> dict[str, Any]:
    """Return an example; tensors become nested lists, non-finite numbers "nan", "inf", "-inf".

    heading, weights_shown and tables are what people read of it: the call, the weights, and rows
    of tables of numbers, of which the differing ones are marked.
    """
    from autograder.report import table  # needs torch

    small = example.small
    weights = {**small.weights, **example.more}
    return {
        "arguments": list(small.trial.arguments),
        "weights": {name: _numbers(weight.tolist()) for name, weight in weights.items()},
        "inputs": [x if isinstance(x, int) else _numbers(x.tolist()) for x in small.inputs],
        "in_evaluation": example.in_evaluation,
        "differing": [
            {
                "name": result.name,
                "expected": _numbers(result.expected.tolist()),
                "got": _numbers(result.got.tolist()),
            }
            for result in example.results
        ],
        "words": list(example.said),
        "heading": table.heading(example, "framed"),
        "weights_shown": table.weights(example),
        "tables": [[_table(one) for one in band] for band in table.bands(example)],
    }


def _table(table: Table) -> dict[str, Any]:
    """Return a table; a row is a text, its cells separated by spaces, * after those marked."""
    rows = [" ".join(f"{text}{'*' * marked}" for text, marked in row) for row in table.rows]
    return {
        "title": table.title,
        "rows": rows,
        "height": table.height,
        "is_cut": table.is_cut,
        "is_attention": table.is_attention,
        "is_causal": table.is_causal,
    }


def _numbers(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_numbers(item) for item in tree]
    return tree if math.isfinite(tree) else str(tree)


def _check(check: CheckGrade) -> dict[str, Any]:
    return {
        "name": check.name,
        "title": check.title,
        "status": check.outcome.value,
        "points": check.points,
        "max_points": check.max_points,
        "visible": check.visible,
        "message": check.message,
    }
