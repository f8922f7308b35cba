"""results.json has what Gradescope's specifications say, and never a zero that is not earned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from json_documents import (
    HIDDEN,
    Json,
    broken,
    check,
    document,
    exercise,
    refused,
    scored,
    submission,
    unclaimed,
)

from autograder.report.codes import FAILED, OK, USAGE

KEYS = {  # of Gradescope's specifications, "Output format"
    "score", "execution_time", "output", "output_format", "test_output_format",
    "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
TEST_KEYS = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
    "tags", "visibility", "extra_data",
}  # fmt: skip


def results(command: Command, folder: Path, *given: Json, code: int = OK) -> Any:
    out = folder / "results.json"
    run = command("export", "gradescope", document(folder, *given), "--out", out)
    assert run.returncode == code, run.stderr
    return json.loads(out.read_text(encoding="utf-8"))


def test_each_check_is_a_test(command: Command, tmp_path: Path) -> None:
    first = exercise("Head", check("a"), check("b", "failed", 2.0, message="Two\nlines <b>"))
    hidden = check("c", "failed", 0.5, visible=False, message=HIDDEN)
    found = results(command, tmp_path, submission("anna", first, exercise("Norm", hidden)))
    assert found.keys() <= KEYS
    assert found["score"] == 1.0
    assert found["output"] == "attention_layer: 1 of 3.5 points. Graded locked."
    assert found["stdout_visibility"] == "hidden"
    assert all(test.keys() <= TEST_KEYS for test in found["tests"])
    assert [
        (t["number"], t["name"], t["status"], t["score"], t["max_score"], t["visibility"])
        for t in found["tests"]
    ] == [
        ("1.1", "Head: Title of a", "passed", 1.0, 1.0, "visible"),
        ("1.2", "Head: Title of b", "failed", 0.0, 2.0, "visible"),
        ("2.1", "Norm: Title of c", "failed", 0.0, 0.5, "hidden"),
    ]
    assert [test["output"] for test in found["tests"]] == ["", "Two\nlines <b>", HIDDEN]
    assert {test["output_format"] for test in found["tests"]} == {"text"}


def test_what_waits_for_another_exercise_passes_only_with_its_points(
    command: Command, tmp_path: Path
) -> None:
    carried = check("a", "blocked", 2.0, points=2.0)
    one = exercise("Head", carried, check("b", "blocked", 2.0), check("c", "missing", 1.0))
    found = results(command, tmp_path, submission("anna", one))
    assert [test["status"] for test in found["tests"]] == ["passed", "failed", "failed"]
    assert found["score"] == 2.0


def test_binary_fractions_leave_no_trace(command: Command, tmp_path: Path) -> None:
    one = exercise("Head", check("a", most=0.1), check("b", most=0.2))
    assert results(command, tmp_path, submission("anna", one))["score"] == 0.3


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (broken("anna"), "The sandbox failed twice."),
        (
            submission("anna", exercise("Head", check("a"), check("b", "error", message="Oh."))),
            "Oh.",
        ),
    ],
    ids=["the whole", "a check"],
)
def test_what_needs_staff_has_no_score(
    command: Command, tmp_path: Path, given: Json, why: str
) -> None:
    found = results(command, tmp_path, given, code=FAILED)
    assert "score" not in found and "tests" not in found
    assert found["output"] == (
        "This submission has no score yet, and loses no points: course staff must look at it. "
        + why
    )


def test_what_is_said_of_the_whole_is_shown(command: Command, tmp_path: Path) -> None:
    found = results(command, tmp_path, scored("anna", 7, message="All other cells were graded."))
    assert found["output"].endswith("Graded locked.\nAll other cells were graded.")


def test_what_could_not_be_read_says_why(command: Command, tmp_path: Path) -> None:
    for given, count in ((refused("anna"), 2), (unclaimed("anna"), 0)):
        found = results(command, tmp_path, given)
        assert found["score"] == 0.0
        assert [test["output"] for test in found["tests"]] == [""] * count
        assert found["output"].endswith("=cmd() cannot be read as a notebook.")


def test_one_of_several_is_chosen(command: Command, tmp_path: Path) -> None:
    other = scored("anna", 3, assignment="multi_head")
    given = document(tmp_path, scored("anna", 7), other, scored("ben", 5))
    out = tmp_path / "results.json"

    def call(*options: str) -> Any:
        run = command("export", "gradescope", given, "--out", out, *options)
        return run.stderr.strip() if run.returncode == USAGE else json.loads(out.read_text())

    assert call("--submission", "ben")["score"] == 5
    assert call("--submission", "anna", "--assignment", "multi_head")["score"] == 3
    assert call() == (
        f"This format takes one submission, and {given} has 3: anna (attention_layer), "
        "anna (multi_head), ben (attention_layer). Say which of them: --submission ID, or "
        "--assignment NAME if all are one person's."
    )
    assert call("--submission", "carl") == (f"{given} has no submission carl, but anna, anna, ben.")
    assert call("--assignment", "lab") == (
        f"{given} has no results of lab, but of attention_layer, multi_head."
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "{} has no results. Grade somebody first."),
        (
            [scored("anna", 5), scored("anna", 6)],
            "{} has two results of anna. Grade each student once, and export that.",
        ),
        (
            [scored("anna", 5) | {"score": 11.0}],
            "{}: anna has 11.0 of 10.0 points, which no grader gives. Grade again, and export "
            "that.",
        ),
        (
            [scored("anna", 5) | {"score": -1.0}],
            "{}: anna has -1.0 of 10.0 points, which no grader gives. Grade again, and export "
            "that.",
        ),
        (
            [scored("anna", 5) | {"score": 6.0}],
            "{}: anna has 6.0 of 10.0 points, but 5.0 of 10.0 in all exercises together. Grade "
            "again, and export that.",
        ),
        (
            [submission("anna", exercise("Head", check("a"), check("b", "failed"), score=2.0))],
            "{}: anna has 2.0 of 2.0 points in Head, but 1.0 of 2.0 in all its checks together. "
            "Grade again, and export that.",
        ),
        (
            [scored("anna", 5) | {"max_score": 20.0}],
            "{}: anna has 5.0 of 20.0 points, but 5.0 of 10.0 in all exercises together. Grade "
            "again, and export that.",
        ),
    ],
    ids=[
        "nobody",
        "twice",
        "too many points",
        "fewer than none",
        "another sum",
        "another sum of an exercise",
        "another sum of what can be had",
    ],
)
def test_a_document_that_makes_no_sense(
    command: Command, tmp_path: Path, given: list[Json], said: str
) -> None:
    path = document(tmp_path, *given)
    run = command("export", "gradescope", path, "--out", tmp_path / "results.json")
    assert (run.returncode, run.stderr.strip()) == (USAGE, said.format(path))
    assert not (tmp_path / "results.json").exists()


def test_only_its_own_file_is_replaced(command: Command, tmp_path: Path) -> None:
    first = results(command, tmp_path, scored("anna", 5))
    assert results(command, tmp_path, scored("anna", 6)) == {
        **first,
        "score": 6.0,
        "output": "attention_layer: 6 of 10 points. Graded locked.",
        "tests": [
            {**first["tests"][0], "score": 6.0, "max_score": 6.0},
            {**first["tests"][1], "max_score": 4.0},
        ],
    }
    given = document(tmp_path, scored("anna", 5))
    before = given.read_bytes()
    run = command("export", "gradescope", given, "--out", given)
    assert run.returncode == USAGE
    assert run.stderr.strip() == (
        f"{given} would be lost: this program did not write it. Name another place."
    )
    assert given.read_bytes() == before
