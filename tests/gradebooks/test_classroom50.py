"""result.json is what Classroom 50's runner and collector take."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from json_documents import (
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

CONTEXT = {
    "CLASSROOM": "cs-principles",
    "ASSIGNMENT": "hello",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://example.org/commit/1",
    "RELEASE_URL": "https://example.org/releases/1",
}
OTHERS = ("REVIEW_URL", "OWNER", "USERNAME")


@pytest.fixture(autouse=True)
def context(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OTHERS:
        monkeypatch.delenv(name, raising=False)
    for name, value in CONTEXT.items():
        monkeypatch.setenv(name, value)


def result(command: Command, folder: Path, *given: Json, said: str = "") -> Any:
    out = folder / "result.json"
    run = command("export", "classroom50", document(folder, *given), "--out", out)
    assert (run.returncode, run.stderr.strip()) == (OK, said)
    found = json.loads(out.read_text(encoding="utf-8"))
    validate(found)
    return found


def validate(found: Any) -> None:
    """As validate_result in Classroom 50's runner, without what the runner writes itself."""
    assert found["schema"] == "classroom50/result/v1"
    for name in ("classroom", "assignment", "submission", "commit", "release", "review"):
        assert isinstance(found[name], str) and found[name]
    assert found["submission"].startswith("submit/")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["datetime"])
    for one in (found, *found["tests"]):
        assert type(one["score"]) is type(one["max-score"]) is int
        assert 0 <= one["score"] <= one["max-score"]
    for test in found["tests"]:
        assert test.keys() == {"test-name", "passed", "score", "max-score"}
        assert isinstance(test["passed"], bool) and test["test-name"]
    assert found["score"] == sum(test["score"] for test in found["tests"])
    assert found["max-score"] == sum(test["max-score"] for test in found["tests"])


def test_a_students_mistake_is_a_result(command: Command, tmp_path: Path) -> None:
    found = result(command, tmp_path, scored("anna", 7))
    assert (found["classroom"], found["assignment"]) == ("cs-principles", "hello")
    assert (found["commit"], found["review"]) == (CONTEXT["COMMIT_URL"],) * 2
    assert (found["score"], found["max-score"]) == (7, 10)
    assert [(test["test-name"], test["passed"]) for test in found["tests"]] == [
        ("Head: Title of c1", True),
        ("Head: Title of c2", False),
    ]
    assert "owner" not in found


def test_what_the_environment_has_is_taken(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVIEW_URL", "https://example.org/compare/1")
    monkeypatch.setenv("USERNAME", "alice")
    found = result(command, tmp_path, scored("anna", 7))
    assert (found["review"], found["owner"]) == ("https://example.org/compare/1", "alice")
    monkeypatch.setenv("OWNER", "bob")
    assert result(command, tmp_path, scored("anna", 7))["owner"] == "bob"


@pytest.mark.parametrize("name", CONTEXT)
def test_what_the_environment_lacks_is_named(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "")
    path = document(tmp_path, scored("anna", 7))
    run = command("export", "classroom50", path, "--out", tmp_path / "result.json")
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        f"{name} must be set in the environment, as the runner of Classroom 50 does. Export "
        "there, or set them.",
    )


@pytest.mark.parametrize(("point", "factor"), [(0.5, 10), (0.25, 100), (0.1, 10)])
def test_points_become_whole_for_everybody_alike(
    command: Command, tmp_path: Path, point: float, factor: int
) -> None:
    """Whether a check passes does not change by what points are multiplied."""
    said = (
        "Classroom 50 takes whole numbers only, so all points and maxima are multiplied by "
        f"{factor}."
    )
    for status, earned in (("passed", point), ("failed", 0)):
        one = exercise("Head", check("a", most=2.0), check("b", status, point))
        found = result(command, tmp_path, submission("anna", one), said=said)
        assert [test["max-score"] for test in found["tests"]] == [2 * factor, point * factor]
        assert found["score"] == (2 + earned) * factor


def test_points_that_no_factor_makes_whole_are_refused(command: Command, tmp_path: Path) -> None:
    path = document(tmp_path, scored("anna", 1 / 3))
    run = command("export", "classroom50", path, "--out", tmp_path / "result.json")
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        "attention_layer has points that are not whole numbers even if multiplied by 100, and "
        "Classroom 50 takes whole numbers only. Change the points of the checks.",
    )


def test_what_could_not_be_read_is_no_success(command: Command, tmp_path: Path) -> None:
    """No test at all would be a success."""
    for given, most in ((refused("anna"), 10), (unclaimed("anna"), 1)):
        found = result(command, tmp_path, given)
        assert {test["passed"] for test in found["tests"]} == {False}
        assert (found["score"], found["max-score"]) == (0, most)


def test_the_graders_fault_is_no_result(command: Command, tmp_path: Path) -> None:
    out, body = tmp_path / "result.json", tmp_path / "release-body.md"
    call = ("--out", out, "--release-body", body)
    run = command("export", "classroom50", document(tmp_path, broken("anna")), *call)
    assert (run.returncode, run.stderr.strip()) == (
        FAILED,
        "anna needs staff, so no result is written: The sandbox failed twice.",
    )
    assert not out.exists() and not body.exists()


def test_the_text_of_the_release(command: Command, tmp_path: Path) -> None:
    out, body = tmp_path / "result.json", tmp_path / "release-body.md"
    call = ("--out", out, "--release-body", body)
    for score, status in ((7, "failed"), (10, "passed")):
        run = command("export", "classroom50", document(tmp_path, scored("anna", score)), *call)
        assert run.stdout.splitlines() == [f"wrote {out}", f"wrote {body}"]
        assert f"| `Head` | {status} | {score} of 10 |" in body.read_text()


def test_all_files_are_written_or_none(command: Command, tmp_path: Path) -> None:
    out, body = tmp_path / "result.json", tmp_path / "release-body.md"
    body.write_text("mine")
    path = document(tmp_path, scored("anna", 7))
    run = command("export", "classroom50", path, "--out", out, "--release-body", body)
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        f"{body} would be lost: this program did not write it. Name another place.",
    )
    assert body.read_text() == "mine" and not out.exists()
    run = command("export", "classroom50", path, "--out", out, "--release-body", out)
    assert (run.returncode, run.stderr.strip()) == (
        USAGE,
        f"Two files would be {out}. Name two places.",
    )
