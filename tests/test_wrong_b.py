"""Wrong solutions that ordinary sizes, weights and first calls do not show are rejected.

A file is called `Exercise__class__name.py`; its docstring says what is wrong. The classes: sizes
that are seldom tried, optional arguments, float32 where float64 still bears it, start values,
second calls and side effects, what a statement promises, what a notebook's own checks ask.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from conftest import GradeText, of

from autograder.course import CHECKS
from autograder.grading.collect import collect
from autograder.grading.grade import Outcome

ASSIGNMENTS = ("attention_layer", "multi_head", "transformer")
CLASSES = ("sizes", "optional", "float32", "start", "again", "promise", "notebook")
HOMES = {e: home for e, home in collect(CHECKS).homes().items() if home in ASSIGNMENTS}
FILES = [
    path
    for path in sorted(Path(__file__).with_name("wrong").glob("*.py"))
    if path.stem.split("__")[0] in HOMES
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_wrong_solution_is_rejected(path: Path, grade_text: GradeText) -> None:
    exercise = path.stem.split("__")[0]
    graded = of(grade_text(path.read_text(encoding="utf-8"), HOMES[exercise], exercise), exercise)
    assert graded.outcome is Outcome.FAILED
    assert graded.points < graded.max_points
    assert not [c for c in graded.checks if "…" in c.message + c.printed]  # nothing was cut
    lost = {check.outcome for check in graded.checks if check.points < check.max_points}
    assert lost == {Outcome.FAILED}


def test_each_class_has_five_of_its_own() -> None:
    counted = Counter(path.stem.split("__")[1] for path in FILES)
    assert set(counted) == set(CLASSES)
    assert min(counted.values()) >= 5
