"""The results of a class are read back as they were written, or refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import GradeText

from autograder.classroom import document
from autograder.errors import UsageError
from autograder.grading.grade import Grade
from autograder.report import as_json, table

BASE = "attention_layer"
WRONG_SCALE = ("math.sqrt(Q.shape[-1])", "math.sqrt(2 * Q.shape[-1])")


@pytest.fixture
def wrong(grade_text: GradeText, solutions: dict[str, str]) -> Grade:
    return grade_text(solutions[BASE].replace(*WRONG_SCALE), named=True)


def test_what_was_written_is_read_back(wrong: Grade, tmp_path: Path) -> None:
    file = tmp_path / "grades.json"
    file.write_text(as_json.document([wrong, wrong], True, "f" * 16), encoding="utf-8")
    found = document.read(file)
    assert (found.sandbox, found.course, len(found.submissions)) == ("locked", "f" * 16, 2)
    read = found.submissions[1]
    assert read == document.submission(as_json.submission(wrong))
    assert (read.score, read.max_score) == (wrong.points, wrong.max_points)
    for ours, theirs in zip(read.exercises, wrong.exercises, strict=True):
        assert (ours.name, ours.status, ours.score) == (
            theirs.name,
            theirs.outcome.value,
            theirs.points,
        )
        assert [one.hints for one in ours.diagnoses] == [one.hints for one in theirs.diagnoses]
        assert [one.visible for one in ours.checks] == [one.visible for one in theirs.checks]
        if theirs.example:
            assert ours.example
            shown = table.bands(theirs.example)
            assert ours.example.bands == shown
            assert ours.example.heading == table.heading(theirs.example, "framed")
    assert any(exercise.example for exercise in wrong.exercises)


def test_keys_of_later_versions_are_left_out(wrong: Grade) -> None:
    text = as_json.submission(wrong)
    more = json.loads(text)
    more["new"] = more["exercises"][0]["new"] = {"any": "thing"}
    assert document.submission(json.dumps(more)) == document.submission(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not what python -m autograder grade --json writes"),
        ("[]", "is not what python -m autograder grade --json writes"),
        ("[" * 100_000, "is not what python -m autograder grade --json writes"),
        (as_json.document([], True, ""), ""),
        (as_json.opening(True, "") + as_json.closing(False, False), "was interrupted"),
        (as_json.document([], True, "").replace('"format": 1', '"format": 2'), "its format is 2"),
        (as_json.document([], True, "").replace("[]", "[{}]"), "missing required field"),
    ],
)
def test_what_is_no_document_is_refused_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "grades.json"
    file.write_text(text, encoding="utf-8")
    if not said:
        assert document.read(file).submissions == ()
        return
    with pytest.raises(UsageError, match=said) as refused:
        document.read(file)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_said_with_the_command_that_writes_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Write it first: python -m autograder grade CLASS --json"):
        document.read(tmp_path / "none.json")
