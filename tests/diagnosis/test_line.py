"""The line of a mistake: only where every change that mends it is in one place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from conftest import Command, of, sampled
from marked import Marked, marked
from test_names import UNNAMED, Edits, changed, label

from autograder.checking.collect import Checks, collect
from autograder.client import Edited, Session, Text
from autograder.diagnosis.line import LineFinder
from autograder.diagnosis.naming import namer
from autograder.grading.grade import ExerciseGrade, Grade, Line, Outcome
from autograder.grading.grader import Grader
from autograder.report import as_cell, as_html, as_output
from autograder.report.terminal import Terminal
from autograder.runtime.source import Code
from autograder.sandbox import Child, Sandbox
from autograder.submissions.submission import Submission

SCALED = "weights = torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)"
TOLD = {  # assignment, exercise, a part of the solution and what is wrong there
    "a factor": ("attention_layer", "ScaledDotProduct", "(Q.shape[-1])", "(2 * Q.shape[-1])"),
    "a dim": (
        "attention_layer",
        "ScaledDotProduct",
        "Q.shape[-1]), dim=-1",
        "Q.shape[-1]), dim=-2",
    ),
    "a name": ("self_attention", "context_vector", "weights @ inputs", "scores @ inputs"),
    "one of three": (
        "self_attention",
        "SelfAttention",
        "self.W_value = nn.Parameter(torch.rand(d_in, d_out))",
        "self.W_value = torch.rand(d_in, d_out)",
    ),
    "an argument": (
        "attention_layer",
        "QueryKeyValue",
        "nn.Linear(dim_h, dim_k)",
        "nn.Linear(dim_h, dim_k, bias=False)",
    ),
    "a parameter": ("causal_attention", "CausalAttention", "nn.Dropout(dropout)", "nn.Dropout()"),
    "a part": ("transformer", "TinyTransformer", "self.head(self.ln_f(x))", "self.head(x)"),
    "two sizes": (
        "attention_layer",
        "AttentionHead",
        "self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)",
        "self.qkv_mechanism = QueryKeyValue(dim_k, dim_h)",
    ),
    "zeros for minus infinity": (
        "causal_attention",
        "causal_weights",
        "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
        "return scores.tril().softmax(dim=-1)",
    ),
    "infinity without its sign": (
        "running_averages",
        "running_mean_softmax",
        'scores.masked_fill(later, float("-inf"))',
        'scores.masked_fill(later, float("inf"))',
    ),
    "factors of a product, not the signature that is prescribed": (
        "causal_attention",
        "causal_weights",
        "scores = queries @ keys.transpose(-2, -1)",
        "scores = keys @ queries.transpose(-2, -1)",
    ),
}


BY_OTHERS = {one.exercise: one for one in marked()}.values()  # one for each exercise


@pytest.fixture(scope="module")
def graded(checks: Checks, sandbox: Sandbox, solutions: dict[str, str]) -> Callable[..., Grade]:
    """Return a function that grades an exercise in a text or in cells, and looks for the line."""

    def grade(assignment: str, exercise: str, code: Code, suffix: str = ".py") -> Grade:
        grader = Grader(checks, sandbox, frozenset([exercise]), namer, LineFinder)
        texts = {**solutions, assignment: code}
        return grader.grade(Submission("anna", Path(f"{assignment}{suffix}"), assignment, texts))

    return grade


@pytest.mark.parametrize("case", sampled(TOLD))
def test_the_line_of_a_named_mistake_is_told(
    case: str, graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    assignment, exercise, right, wrong = TOLD[case]
    assert right in solutions[assignment]
    text = solutions[assignment].replace(right, wrong)
    found = of(graded(assignment, exercise, text), exercise)
    assert found.diagnoses
    assert found.line
    assert wrong in found.line.text
    assert text.split("\n")[found.line.number - 1].strip() == found.line.text


@pytest.mark.dear
def test_in_a_notebook_the_cell_is_named(
    graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1])")
    cells = [["anna.ipynb, cell 1", "import math\n"], ["anna.ipynb, cell 2", text]]
    grade = graded("attention_layer", "ScaledDotProduct", cells, ".ipynb")
    found = of(grade, "ScaledDotProduct").line
    assert found
    assert found.cell == "anna.ipynb, cell 2"
    assert any(
        line.strip().startswith(f"Cell 2, line {found.number}: weights = torch.softmax(")
        for line in Terminal(hints=3).report([grade])
    )


IN_HELPERS = {  # what the module uses, the helper's text, and what is told
    "all of it": (
        "weights = weigh(scores, Q)",
        "import math\nimport torch\n\ndef weigh(scores, Q):\n"
        "    return torch.softmax(scores / math.sqrt(2 * Q.size(-1)), -1)\n",
        "helpers.py, line 5: return torch.softmax(",
    ),
    "a part that the module could do without": (
        "weights = torch.softmax(scores / math.sqrt(size(Q.shape[-1])), dim=-1)",
        "def size(d):\n    return 2 * d\n",
        "",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", IN_HELPERS)
def test_a_helper_in_another_file_is_looked_through(
    case: str, command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    new, helper, told = IN_HELPERS[case]
    (tmp_path / "helpers.py").write_text(helper)
    place = tmp_path / "attention_layer.py"
    text = solutions["attention_layer"].replace(SCALED, new)
    place.write_text(f"from helpers import *\n{text}", encoding="utf-8")
    said = command("grade", place, "--exercise", "ScaledDotProduct", "--hints", "3").stdout
    assert "Nearly:" in said
    assert told in said
    assert (", line " in said or "Line " in said) is bool(told)


@pytest.mark.dear
@pytest.mark.parametrize("one", sampled(BY_OTHERS, lambda one: one.exercise))
def test_in_code_of_others_no_line_is_wrong(
    one: Marked, graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    """How many are right is printed by benchmarks/lines.py, which tries all of them."""
    text, lines = one.below(solutions[one.assignment])
    found = of(graded(one.assignment, one.exercise, text), one.exercise)
    assert found.points < found.max_points
    assert found.line is None or {found.line.number + i for i in (-1, 0, 1)} & lines


@pytest.mark.dear
def test_what_the_line_makes_is_shown_in_the_example(
    graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1])")
    grade = graded("attention_layer", "ScaledDotProduct", text)
    exercise = of(grade, "ScaledDotProduct")
    assert exercise.line
    assert exercise.example
    assert exercise.example.at_line
    title, made = exercise.example.at_line
    q, k, _ = map(torch.as_tensor, exercise.example.small.inputs)
    assert title == f"line {exercise.line.number} {tuple(made.shape)}"
    torch.testing.assert_close(made, (q @ k.mT / (2 * q.shape[-1]) ** 0.5).softmax(-1))
    lines = Terminal(hints=3).report([grade])
    assert any(title in line for line in lines)
    assert title in as_output.verdict(grade, 3, True).html


@pytest.mark.dear
def test_what_is_no_tensor_is_not_shown(
    graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace(
        SCALED, f"root = math.sqrt(2 * Q.shape[-1])\n        {SCALED}"
    )
    text = text.replace("scores / math.sqrt(Q.shape[-1])", "scores / root")
    exercise = of(graded("attention_layer", "ScaledDotProduct", text), "ScaledDotProduct")
    assert exercise.line
    assert exercise.line.text.startswith("root = ")
    assert exercise.example
    assert exercise.example.at_line is None


SILENT = {
    "a mistake with several lines": (
        "normalization",
        "LayerNorm1d",
        "        return self.gamma * normalised + self.beta\n",
        "        return self.beta * normalised + self.gamma * 0 + normalised\n",
    ),
    "an operator, which another sign above mends too": (
        "multi_head",
        "MultiHeadAttention",
        'scores = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale',
        'scores = torch.einsum("b h i d, b h j d -> b h i j", q, k) / self.scale',
    ),
    "a mask that could be turned round where it is made or used": (
        "running_averages",
        "running_mean_softmax",
        ".triu(diagonal=1)\n    masked =",
        ".tril()\n    _ = x\n    masked =",
    ),
    "a signature that is prescribed, for what no small change mends": (
        "causal_attention",
        "causal_weights",
        "    T, d = queries.shape[-2:]\n",
        "    first = (keys,)\n    last = (queries,)\n    queries, = first\n    keys, = last\n"
        "    T, d = queries.shape[-2:]\n",
    ),
    "what hidden checks alone see": (
        "attention_layer",
        "ScaledDotProduct",
        SCALED,
        f"{SCALED} if len(Q) < 40 else torch.softmax(scores, dim=-1)",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", sampled(SILENT))
def test_what_is_not_sure_is_not_told(
    case: str, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    assignment, exercise, right, wrong = SILENT[case]
    assert right in solutions[assignment]
    text = solutions[assignment].replace(right, wrong)
    assert located(assignment, exercise, text, checks, sandbox, solutions) is None


@pytest.mark.parametrize("exercise", sampled(collect().homes()))
def test_a_right_exercise_has_no_line(
    exercise: str, checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    name = checks.homes()[exercise]
    assert located(name, exercise, solutions[name], checks, sandbox, solutions) is None


@pytest.fixture
def _without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail that searches for a line."""

    def add(*_: object) -> ExerciseGrade:
        raise AssertionError("a line is searched for")

    monkeypatch.setattr(LineFinder, "add", add)


@pytest.mark.dear
@pytest.mark.usefixtures("_without_search")
@pytest.mark.parametrize(("assignment", "exercise", "edits"), UNNAMED, ids=label)
def test_no_line_is_searched_for_without_a_name(
    assignment: str,
    exercise: str,
    edits: Edits,
    graded: Callable[..., Grade],
    solutions: dict[str, str],
) -> None:
    wrong = changed(solutions[assignment], exercise, edits)
    found = of(graded(assignment, exercise, wrong), exercise)
    assert found.outcome is Outcome.FAILED
    assert (found.diagnoses, found.line) == ((), None)


SEEN = [('("mask", may_look)', '("visible", may_look)'), ("~self.mask[", "~self.visible[")]


@pytest.mark.dear
@pytest.mark.usefixtures("_without_search")
@pytest.mark.parametrize(("edits", "seen"), [((), []), (SEEN, [True])], ids=["right", "seen"])
def test_no_line_is_searched_for_in_right_code_or_where_the_mistake_is_seen(
    edits: Edits, seen: list[bool], graded: Callable[..., Grade], solutions: dict[str, str]
) -> None:
    name, exercise = "causal_attention", "CausalAttention"
    found = of(graded(name, exercise, changed(solutions[name], exercise, edits)), exercise)
    assert [one.seen for one in found.diagnoses] == seen
    assert found.line is None


def located(
    assignment: str,
    exercise: str,
    text: str,
    checks: Checks,
    sandbox: Sandbox,
    solutions: dict[str, str],
) -> Line | None:
    grader = Grader(checks, sandbox, frozenset())
    [wanted] = [one for one in checks.exercises(assignment) if one.name == exercise]
    whole = Text(assignment, {**solutions, assignment: text}, tuple(solutions))
    session = Session(sandbox)
    try:
        finder = LineFinder(checks, grader.reference, sandbox)
        return finder.add(ExerciseGrade(exercise, ()), wanted, whole, session).line
    finally:
        session.clear()


@pytest.mark.dear
def test_two_places_that_lie_apart_are_none(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    """The root may be missing in the scores, or around what is made of them."""
    right = "scores = Q @ K.transpose(-2, -1)"
    assert right in solutions["attention_layer"]
    apart = SCALED.replace("scores / math.sqrt(Q.shape[-1])", "torch.matmul(shown, torch.eye(d))")
    apart = apart.replace("torch.eye(d)", "torch.eye(shown.shape[-1], dtype=shown.dtype)")
    text = solutions["attention_layer"].replace(
        SCALED, f"_ = Q\n        _ = K\n        shown = scores\n        _ = V\n        {apart}"
    )
    assert located("attention_layer", "ScaledDotProduct", text, checks, sandbox, solutions) is None


@pytest.mark.dear
def test_of_a_definition_and_its_use_the_definition_is_told(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str]
) -> None:
    text = solutions["attention_layer"].replace(
        SCALED,
        "root = 2 * math.sqrt(Q.shape[-1])\n        _ = Q\n        _ = K\n        "
        f"{SCALED.replace('math.sqrt(Q.shape[-1])', 'root')}",
    )
    found = located("attention_layer", "ScaledDotProduct", text, checks, sandbox, solutions)
    assert found
    assert found.text.startswith("root = 2 *")


@pytest.mark.parametrize(("cell", "line"), [(0, 10**9), (0, 0), (99, 1), (-1, 1)])
def test_a_child_that_names_a_line_of_no_text_tells_none(
    cell: int,
    line: int,
    checks: Checks,
    sandbox: Sandbox,
    solutions: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LineFinder, "_mending", lambda *_: [Edited(cell, line, 0)])
    name = "attention_layer"
    assert located(name, "ScaledDotProduct", solutions[name], checks, sandbox, solutions) is None


@pytest.mark.dear
@pytest.mark.parametrize("hints", [2, 3])
def test_it_comes_with_the_last_hint(
    hints: int, command: Command, tmp_path: Path, solutions: dict[str, str]
) -> None:
    place = tmp_path / "attention_layer.py"
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1])")
    place.write_text(text, encoding="utf-8")
    number = text[: text.index("(2 *")].count("\n") + 1
    said = command("grade", place, "--exercise", "ScaledDotProduct", "--hints", str(hints)).stdout
    assert (f"Line {number}: weights = " in said) is (hints == 3)


@pytest.mark.dear
def test_a_page_and_a_cell_show_it(graded: Callable[..., Grade], solutions: dict[str, str]) -> None:
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1] * (1 < 2))")
    grade = graded("attention_layer", "ScaledDotProduct", text)
    exercise = of(grade, "ScaledDotProduct")
    assert exercise.line
    for shown in (
        as_html.page(grade, 3),
        as_cell.html(exercise, grade, 3),
        as_output.verdict(grade, 3, True).html,
    ):
        assert f"Line {exercise.line.number}:</strong> <code>weights = " in shown
        assert "(1 &lt; 2)" in shown
    assert f"Line {exercise.line.number}:" not in as_html.page(grade, 2)


@pytest.mark.dear
def test_a_search_ends_with_its_budget(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is told where the search for the line needs more than its own budget."""
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1])")
    assert located("attention_layer", "ScaledDotProduct", text, checks, sandbox, solutions)
    monkeypatch.setattr("autograder.diagnosis.line.BUDGET", 0.1)
    assert not located("attention_layer", "ScaledDotProduct", text, checks, sandbox, solutions)


@pytest.mark.dear
def test_it_takes_no_third_child(
    checks: Checks, sandbox: Sandbox, solutions: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 0
    start = Session.child

    def child(self: Session) -> Child:
        nonlocal most
        made = start(self)
        most = max(most, len(self._active))
        return made

    monkeypatch.setattr(Session, "child", child)
    text = solutions["attention_layer"].replace("(Q.shape[-1])", "(2 * Q.shape[-1])")
    grader = Grader(checks, sandbox, frozenset(["ScaledDotProduct"]), namer, LineFinder)
    texts = {**solutions, "attention_layer": text}
    grader.grade(Submission("anna", Path("attention_layer.py"), "attention_layer", texts))
    assert most == 2
