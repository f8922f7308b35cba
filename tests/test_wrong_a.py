"""Work that is wrong where few look is rejected: at sizes, types and calls beyond the usual ones.

Each file of tests/wrong is the code of one exercise; its name says which, and which class of
mistakes it belongs to. Its first line says what is wrong.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from conftest import GradeText, of

from autograder.course import CHECKS
from autograder.grading.collect import collect
from autograder.grading.grade import Outcome

ASSIGNMENTS = ("running_averages", "self_attention", "causal_attention", "normalization")
CLASSES = ("sizes", "optional", "float32", "start", "again", "promise", "notebook")
HOMES = collect(CHECKS).homes()
FILES = sorted(
    path
    for path in Path(__file__).with_name("wrong").glob("*.py")
    if HOMES[path.stem.split("__")[0]] in ASSIGNMENTS
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_wrong_solution_is_rejected(path: Path, grade_text: GradeText) -> None:
    exercise = path.stem.split("__")[0]
    text = path.read_text(encoding="utf-8")
    graded = of(grade_text(text, HOMES[exercise], exercise), exercise)
    assert graded.outcome is Outcome.FAILED, [(c.name, c.message) for c in graded.checks]
    assert graded.points < graded.max_points
    assert not [c for c in graded.checks if "…" in c.message + c.printed]  # nothing was cut


def test_there_are_some_of_every_class() -> None:
    count = Counter(path.stem.split("__")[1] for path in FILES)
    assert count.keys() == set(CLASSES)
    assert min(count.values()) >= 5
