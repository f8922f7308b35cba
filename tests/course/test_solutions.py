"""The solutions are right and their claims true, and the skeletons are made from them."""

from __future__ import annotations

import ast
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import GradeText

from autograder.audit.statement import check_header, check_passages
from autograder.checking.collect import Checks
from autograder.client import LiveReference, Text
from autograder.course import (
    assignments,
    assignments_folder,
    exercises,
    root,
    skeleton,
    solution_file,
    source_lines,
    statement,
)
from autograder.course.formulas import as_text
from autograder.course.hints import Hint
from autograder.course.misconceptions import Misconception
from autograder.course.skeletons import UnmatchedMarker, made_from
from autograder.diagnosis.live.solution import _definitions
from autograder.grading.grade import Outcome
from autograder.kit.assignments import write_all


@pytest.mark.parametrize("assignment", assignments())
def test_reference_gets_full_marks(
    assignment: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    grade = grade_text(solutions[assignment], assignment)
    assert grade.status == "graded"
    assert {e.name: e.outcome for e in grade.exercises} == {
        e.name: Outcome.PASSED for e in grade.exercises
    }
    assert grade.points == grade.max_points > 0


@pytest.mark.parametrize("assignment", assignments())
def test_skeleton_is_missing_everywhere(
    assignment: str, grade_text: GradeText, solutions: dict[str, str]
) -> None:
    grade = grade_text(made_from(solutions[assignment]), assignment)
    assert grade.status == "graded"
    assert len(grade.exercises) > 0
    assert {c.outcome for e in grade.exercises for c in e.checks} == {Outcome.MISSING}
    assert grade.points == 0


@pytest.mark.parametrize("assignment", assignments())
def test_skeleton_is_what_the_generator_gives(assignment: str) -> None:
    committed = (assignments_folder() / f"{assignment}.py").read_text(encoding="utf-8")
    assert committed == as_text(made_from(statement(assignment)))


def test_the_exercises_are_those_that_have_checks(checks: Checks) -> None:
    assert exercises() == checks.homes().keys()


def test_no_skeleton_without_a_solution() -> None:
    assert {path.stem for path in assignments_folder().glob("*.py")} == set(assignments())


@pytest.mark.parametrize("assignment", assignments())
def test_skeleton_reads_well(assignment: str, solutions: dict[str, str]) -> None:
    """Every stub is below a TODO, and no answer remains."""
    check_header(solution_file(assignment), solutions[assignment])
    check_passages(solution_file(assignment), solutions[assignment])
    lines = made_from(solutions[assignment]).splitlines()
    assert [line for line in lines if "raise NotImplementedError(" in line]
    assert "SOLUTION" not in "\n".join(lines)
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("assignment", assignments())
def test_skeleton_speaks_to_students(assignment: str, solutions: dict[str, str]) -> None:
    """A student does not know the notebooks from which a teacher has made the exercises."""
    words = " ".join(made_from(solutions[assignment]).replace("\n# ", " ").split())
    others = r"[Nn]otebooks? (?:\d|from which|with these)|(?:some|that|of) notebooks?\b|\bslip\b"
    assert re.findall(others, words) == []


def test_rearrange_is_explained_where_it_is_named_first() -> None:
    texts = "\n".join(skeleton(name) for name in assignments())
    first = re.search(r"^(?!from einops import).*(?:rearrange|einops).*", texts, re.MULTILINE)
    assert first
    assert first[0].startswith("# `rearrange`, from the library einops, splits, reorders and joins")


@pytest.mark.dear
def test_skeletons_import_cleanly() -> None:
    """Skeletons print nothing and warn of nothing when they are imported."""
    imports = "; ".join(f"import {name}" for name in assignments())
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", imports],
        cwd=assignments_folder(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_write_all_changes_nothing_that_is_committed() -> None:
    before = {path: path.read_bytes() for path in assignments_folder().iterdir() if path.is_file()}
    assert {path: path.read_bytes() for path in write_all()} == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n### BEGIN SOLUTION\n", ", line 2: ### BEGIN SOLUTION is never ended. Write "),
        ("### END SOLUTION\n", ", line 1: there is ### END SOLUTION where no passage has begun. "),
        ("### BEGIN SOLUTION\n" * 2, ", line 2: there is ### BEGIN SOLUTION within a passage "),
    ],
)
def test_unmatched_markers_are_refused_with_the_file_and_the_line(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path))
    (tmp_path / "course.toml").write_text('title = "T"\nid = "i"\n', encoding="utf-8")
    path = tmp_path / "made" / "made.py"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnmatchedMarker) as refused:
        skeleton("made")
    assert str(refused.value).startswith(f"{path}{said}")


def test_stub_keeps_the_indentation() -> None:
    stub = 'raise NotImplementedError("f is not written yet")'
    text = "def f():\n    # TODO: one\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n"
    assert made_from(text) == f"def f():\n    # TODO: one\n    {stub}\n"


LINES = "# a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029\r\n"  # one line of Python


def test_lines_are_those_of_python() -> None:
    text = f"{LINES}x = 1\r\n\r\ny = 2\rz = 3\n"
    lines = source_lines(text)
    assert "".join(lines) == text
    assert [lines[node.lineno - 1].strip() for node in ast.parse(text).body] == [
        "x = 1",
        "y = 2",
        "z = 3",
    ]
    assert [source_lines(one) for one in ("", "x", "\n")] == [[], ["x"], ["\n"]]


def test_a_mistake_is_made_in_the_lines_of_its_exercise() -> None:
    text = f"{LINES}def f():\n    return 1\n\n\ndef g():\n    return 1\n"
    mistake = Misconception("bad", "g", "an edit", (("1", "2"),), Hint("", "", ""))
    assert mistake.source(text) == text[: -len("1\n")] + "2\n"
    assert _definitions(text)["g"] == "def g():\n    return 1\n"


def test_a_skeleton_keeps_the_lines_of_the_solution() -> None:
    text = f"def f():\n    {LINES}    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION"
    stub = 'raise NotImplementedError("f is not written yet")'
    assert made_from(text) == f"def f():\n    {LINES}    {stub}\n"


@pytest.fixture(scope="module")
def classes(solutions: dict[str, str]) -> dict[str, Any]:
    """Return the references' classes."""
    found: dict[str, Any] = {}
    for name in assignments():
        implementation = LiveReference(Text(name, solutions, assignments()))
        found |= {k: v for k, v in implementation.namespace.items() if isinstance(v, type)}
    return found


def test_worked_number_of_query_key_value(classes: dict[str, Any]) -> None:
    tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]])
    queries, keys, values = classes["QueryKeyValue"](5, 3)(tokens)
    assert queries.tolist() == keys.tolist() == [[15.0] * 3, [36.0] * 3]
    assert values.shape == (2, 3)


def test_worked_number_of_scaled_dot_product(classes: dict[str, Any]) -> None:
    q = torch.tensor([[2.0, 0, 0, 0]])
    k = torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    output = classes["ScaledDotProduct"]()(q, k, torch.tensor([[10.0], [0]]))
    assert f"{output.item():.4f}" == "7.3106"
    assert f"{math.e / (math.e + 1):.4f}" == "0.7311"


def test_worked_number_of_attention_head(classes: dict[str, Any]) -> None:
    tokens = torch.tensor([[1.0, 2, 3, 4, 5], [5, 6, 7, 8, 10]])
    head = classes["AttentionHead"](5, 5)
    value = head.qkv_mechanism.value(tokens[1])
    assert torch.allclose(head(tokens), value.expand(2, 5))
    assert 5 * 15 * 21 == 1575


def test_worked_number_of_feed_forward(classes: dict[str, Any]) -> None:
    layer = classes["FeedForwardLayer"](1, 1)
    for name, parameter in layer.named_parameters():
        parameter.data.fill_(float(name.endswith("weight")))
    assert f"{layer(torch.ones(1)).item():.4f}" == "0.8413"


def test_worked_number_of_simple_attention_layer(classes: dict[str, Any]) -> None:
    layer = classes["SimpleAttentionLayer"](5, 3, 7)
    for part in (layer.aggregation_step, layer.ffl.secondlayer):
        for parameter in part.parameters():
            parameter.data.zero_()
    x = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(0))
    assert torch.equal(layer(x), x)


def test_worked_number_of_multi_head_list(classes: dict[str, Any]) -> None:
    assert sum(p.numel() for p in classes["MultiHeadList"](5, 3, 2).parameters()) == 131


def test_worked_number_of_multi_head_attention(classes: dict[str, Any]) -> None:
    layer = classes["MultiHeadAttention"](6, 2, 4)
    layer.to_qkv.weight.data[:8] = 0  # all queries
    x = torch.randn(1, 3, 6, generator=torch.Generator().manual_seed(0))
    outputs = layer(x)[0]
    assert torch.allclose(
        outputs, layer.to_out(layer.to_qkv(x)[0, :, 16:].mean(dim=0)).expand(3, 6)
    )


def test_the_project_stands_alone() -> None:
    """No file refers to a folder outside the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root(), capture_output=True, text=True, check=True
    )
    files = [root() / name for name in listed.stdout.split("\0") if name]
    assert files
    outside = "".join(("..", "/shared"))
    assert [f for f in files if outside in Path(f).read_text(encoding="utf-8")] == []
