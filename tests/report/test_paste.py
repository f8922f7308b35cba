"""The lines that rebuild the smallest example give the numbers that the report shows."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import torch
from conftest import GradeText, sampled

from autograder.checking.collect import Checks, collect
from autograder.checking.example import Example, expected_answers
from autograder.checking.rebuilding import VARIES
from autograder.client import LocalImplementation, Text, loading
from autograder.course import assignments, solution, solution_file
from autograder.course.misconceptions import Misconception, misconceptions
from autograder.grading.examination import Examination
from autograder.grading.grade import Outcome
from autograder.report import paste, table
from autograder.report.terminal import NOT_THE_SAME, Terminal
from autograder.sandbox import Limits


@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_they_print_what_the_reference_answers(
    assignment: str, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in assignments():  # some import others
        monkeypatch.syspath_prepend(solution_file(name).parent)
    namespace: dict[str, Any] = {"__name__": assignment}
    exec(solution(assignment), namespace)
    reference = loading.load(assignment)
    for exercise in checks.exercises(assignment):
        trial = checks.trial(exercise)
        for known in expected_answers(trial, reference.client) if trial else ():
            lines = paste.lines(Example(known.small, (), False, ()))
            if not lines:  # too long: the larger questions about a transformer
                assert sum(weight.numel() for weight in known.small.weights.values()) > 400
                continue
            folded = [part for line in lines for part in paste.folded(line, 80)]
            assert max(map(len, folded)) <= 80
            assert "".join(folded).replace(" ", "") == "".join(lines).replace(" ", "")
            found = run(folded, namespace)
            expected = known.calls[0].output
            for one, other in zip(parts(found), parts(expected), strict=True):
                assert one.shape == other.shape
                assert torch.allclose(one, other, rtol=1e-3, atol=1e-4)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """Forget what pasted code has imported and set: other tests need it otherwise."""
    yield
    torch.set_printoptions(profile="default")
    for name in assignments():
        sys.modules.pop(name, None)


FLOAT64_ALONE = {"float32_softmax_in_einsum"}  # raise in float64; the lines are in float32
OVERFLOWS = {"no_maximum"}  # in float32 sooner than in the float64 of the example
HOMES = collect().homes()
MISTAKES = [mistake for name in assignments() for mistake in misconceptions(name)]


@pytest.mark.parametrize(
    "mistake", sampled(MISTAKES, lambda m: f"{m.exercise}-{m.id}", lambda m: HOMES[m.exercise])
)
def test_they_print_what_a_wrong_solution_answers(
    mistake: Misconception, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do in a new process too, where an object has other random start values."""
    assert_rebuilt(mistake, checks, monkeypatch)


def known(exercise: str, name: str) -> Misconception:
    return next(one for one in MISTAKES if (one.exercise, one.id) == (exercise, name))


def test_a_plain_class_is_brought_into_evaluation(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is one without eval(), or a module after all."""
    mistake = known("BatchNorm1d", "momentum_reversed")
    example = assert_rebuilt(mistake, checks, monkeypatch)
    assert example and example.in_evaluation
    own = "Module):\n    training = True\n\n    def eval(self):\n        self.training = False\n"
    lines = paste.lines(example)
    for body in (own, "torch.nn.Module):\n"):
        text = f"import torch\nclass Module: pass\nclass BatchNorm1d({body}"
        text += "    def __init__(self, n):\n        super().__init__()\n"
        text += "        self.gamma = self.beta = torch.nn.Parameter(torch.ones(n))\n"
        text += "    def __call__(self, x):\n        return torch.tensor(self.training)\n"
        namespace: dict[str, Any] = {"__name__": ""}
        exec(text, namespace)
        assert not run(lines, namespace)


def test_parameters_that_the_statement_does_not_have_are_shown_and_set(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = assert_rebuilt(known("SelfAttentionV2", "bias_always"), checks, monkeypatch)
    assert example
    assert [*example.more] == ["W_query.bias", "W_key.bias", "W_value.bias"]
    assert f"W_value.bias = [{float(example.more['W_value.bias']):.4f}]" in table.weights(example)
    assert any("W_value.bias" in line for line in paste.lines(example))


def test_an_example_is_that_of_a_new_object(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One call of a new object that cuts its mask shows nothing wrong."""
    assert assert_rebuilt(known("CausalAttention", "trimmed_for_good"), checks, monkeypatch) is None


@pytest.mark.dear
@pytest.mark.parametrize(
    "one", ["CausalAttention/dropout_tenth", "SelfAttention/weights_in_forward"]
)
def test_no_lines_are_offered_for_random_numbers(
    one: str, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = assert_rebuilt(known(*one.split("/")), checks, monkeypatch)
    assert example
    assert not paste.lines(example)
    assert example.said[-1] == VARIES


def test_they_print_the_decimals_in_which_the_results_differ(
    grade_text: GradeText, capsys: pytest.CaptureFixture[str]
) -> None:
    right = solution("running_averages")
    wrong = right.replace("    return means", "    return means.round(decimals=4)", 1)
    assert wrong != right
    grade = grade_text(wrong, "running_averages", "running_mean_loop", named=True)
    example = grade.exercises[0].example
    assert example
    shown = "\n".join(Terminal().report([grade]))
    assert "0.66667" in shown and "0.66670*" in shown
    for text, number in ((wrong, "0.66670"), (right, "0.66667")):
        exec("\n".join([text, *paste.lines(example)]), {"__name__": "running_averages"})
        assert number in capsys.readouterr().out


@pytest.mark.dear
def test_a_report_says_why_it_has_no_lines(grade_text: GradeText) -> None:
    wrong = known("ScaledDotProduct", "dropout_half").source(solution("attention_layer"))
    grade = grade_text(wrong, "attention_layer", "ScaledDotProduct", named=True)
    report = " ".join(" ".join(Terminal(pastes=True).report([grade])).split())
    assert VARIES in report
    assert NOT_THE_SAME in report


def assert_rebuilt(
    mistake: Misconception, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> Example | None:
    """Assert that the lines print what the example shows, or raise; return it.

    Below the mended code they print what is expected. There may be no lines.
    """
    texts = {name: solution(name) for name in assignments()}
    for name in texts:
        monkeypatch.syspath_prepend(solution_file(name).parent)
    home = next(name for name in texts if mistake in misconceptions(name))
    text = mistake.source(texts[home])
    implementation = LocalImplementation(Text(home, {**texts, home: text}, assignments()).source())
    examination = Examination(checks, cache(loading.load), implementation, Limits())
    exercise = next(e for e in checks.exercises(home) if e.name == mistake.exercise)
    if examination.of(exercise).outcome is not Outcome.FAILED:
        return None
    example = examination.example(exercise)
    lines = paste.lines(example) if example else []
    for seed in (1, 2) if lines else ():
        torch.manual_seed(seed)
        namespace: dict[str, Any] = {"__name__": home}
        exec(text, namespace)
        assert example
        if not example.results:
            assert raises(lines, namespace) is (mistake.id not in FLOAT64_ALONE)
            continue
        mended: dict[str, Any] = {"__name__": home}
        exec(texts[home], mended)
        got, expected = (parts(run(lines, one)) for one in (namespace, mended))
        for result in example.results:
            which = int(result.name.rpartition(" ")[2] or 0)
            for one, shown in ((got[which], result.got), (expected[which], result.expected)):
                assert one.shape == shown.shape
                if mistake.id in OVERFLOWS:
                    shown = shown.where(one.isfinite(), one.double())
                assert torch.allclose(one, shown.float(), rtol=1e-3, atol=1e-4, equal_nan=True)
    return example


def raises(lines: list[str], namespace: dict[str, Any]) -> bool:
    """Return whether the lines raise an error."""
    try:
        run(lines, namespace)
    except Exception:  # any that a wrong solution may raise
        return True
    return False


def run(lines: list[str], namespace: dict[str, Any]) -> Any:
    """Execute the lines where torch has another name; return what the last one would print."""
    shown: list[Any] = []
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = {name: value for name, value in namespace.items() if name != "torch"}
        exec("\n".join(lines), {**known, "print": shown.append})
    return shown[-1]


def parts(output: Any) -> list[torch.Tensor]:
    found = output if isinstance(output, (list, tuple)) else [output]
    return [part.detach().float() for part in found if isinstance(part, torch.Tensor)]
