"""The smallest example is found for most mistakes, is true and takes few lines."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import torch
from conftest import GradeText, of, run_in, sampled
from torch import Tensor

from autograder.checking import remarks
from autograder.checking.collect import Checks
from autograder.checking.example import Example, expected_answers, smallest
from autograder.checking.remarks import WrongResult
from autograder.checking.results import ROWS, SHOWABLE, is_showable
from autograder.checking.small import SmallQuestion, questions
from autograder.checking.trial import Trial
from autograder.client import LocalImplementation, Text, loading
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.course.misconceptions import misconceptions
from autograder.grading.examination import Examination
from autograder.grading.grade import Outcome
from autograder.report.shaded import drawn
from autograder.sandbox import Limits

Texts = dict[str, str]
EVERY = 9  # step through the misconceptions of an assignment
SMALL = 0.5  # least share of wrong values with an example of 2 x 2 x 2; heads and windows need more
NO_MASK = ("scores.masked_fill(future, -torch.inf)", "scores")
WIDTH = 74
load = cache(loading.load)


def example_of(
    checks: Checks, solutions: Texts, name: str, find: str = "", replace: str = ""
) -> Example | None:
    """Return the smallest example of an exercise after replacing a passage of its assignment."""
    exercise = next(c.check.exercise for c in checks.collected if c.check.exercise.name == name)
    home = checks.home(exercise)
    assert find in solutions[home]
    text = solutions[home].replace(find, replace) if find else solutions[home]
    trial = checks.trial(exercise)
    assert trial is not None
    implementation = LocalImplementation(
        Text(home, {**solutions, home: text}, assignments()).source()
    )
    return smallest(implementation.client(), expected_answers(trial, load(home).client))


def is_small(example: Example) -> bool:
    sizes = [n for x in example.small.inputs if isinstance(x, Tensor) for n in x.shape]
    return max(sizes) <= 2


@pytest.mark.dear
@pytest.mark.parametrize("assignment", sampled(assignments()))
def test_most_wrong_values_have_a_small_example(
    assignment: str, checks: Checks, solutions: Texts
) -> None:
    asked = small = 0
    exercises = {exercise.name: exercise for exercise in checks.exercises(assignment)}
    tried = misconceptions(assignment)[::EVERY]
    for mistake in tried:
        texts = {**solutions, assignment: mistake.source(solutions[assignment])}
        implementation = LocalImplementation(Text(assignment, texts, assignments()).source())
        examination = Examination(checks, load, implementation, Limits())
        exercise = exercises[mistake.exercise]
        if examination.of(exercise).outcome is not Outcome.FAILED:
            continue
        example = examination.example(exercise)
        found = examination.runs[exercise.name]
        if any(c.visible and f.category == "wrong values" for c, f in found):
            asked += 1
            small += example is not None and bool(example.results) and is_small(example)
        if example is not None:
            assert max(map(len, drawn(example, WIDTH))) <= WIDTH
    assert asked >= min(3, len(tried) // 2)
    assert small >= SMALL * asked


@pytest.mark.dear
def test_a_right_solution_has_none(checks: Checks, solutions: Texts) -> None:
    names = {c.check.exercise.name: c.check.exercise for c in checks.collected}
    tried = [name for name, exercise in names.items() if checks.trial(exercise)]
    assert len(tried) == len(names) - 1  # TestModule has no numbers
    for name in tried:
        assert example_of(checks, solutions, name) is None


@pytest.mark.dear
def test_a_right_solution_is_asked_nothing(
    grade_text: GradeText, solutions: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Exercise] = []
    monkeypatch.setattr(Examination, "example", lambda self, e: asked.append(e))
    grade_text(solutions["causal_attention"], "causal_attention", named=True)
    assert asked == []
    wrong = solutions["causal_attention"].replace(*NO_MASK, 1)
    grade_text(wrong, "causal_attention", "causal_weights", named=True)
    assert [exercise.name for exercise in asked] == ["causal_weights"]


@pytest.mark.dear
@pytest.mark.parametrize("body", ["while True: pass", "raise NotImplementedError", "return None"])
def test_what_was_stopped_or_gives_no_numbers_has_none(
    body: str, grade_text: GradeText, solutions: Texts
) -> None:
    wrong = solutions["causal_attention"].replace(
        "    T, d = queries", f"    {body}\n    T, d = queries"
    )
    found = of(
        grade_text(wrong, "causal_attention", "causal_weights", named=True), "causal_weights"
    )
    assert found.points == 0
    assert found.example is None


def test_only_where_order_matters_there_is_a_future(checks: Checks, solutions: Texts) -> None:
    """Rows that depend on others, though they must depend on themselves only, see no future."""
    mixed = "values = self.value(X)\n        values = (values + values.roll(-1, -2)) / 2"
    example = example_of(checks, solutions, "QueryKeyValue", "values = self.value(X)", mixed)
    assert example is not None
    assert example.said[0].endswith("but must depend on itself only.")


def test_what_only_hidden_checks_see_has_none(checks: Checks, solutions: Texts) -> None:
    wrong = solutions["causal_attention"].replace(*NO_MASK, 1)
    exercise = checks.exercises("causal_attention")[0]
    texts = {**solutions, "causal_attention": wrong}
    implementation = LocalImplementation(Text("causal_attention", texts, assignments()).source())
    examination = Examination(checks, load, implementation, Limits())
    examination.of(exercise)
    assert examination.example(exercise) is not None
    found = examination.runs[exercise.name]
    examination.runs[exercise.name] = [(c, f) for c, f in found if not c.visible]
    assert examination.example(exercise) is None


# The questions


@pytest.mark.dear
def test_questions_are_small_and_always_the_same(checks: Checks) -> None:
    for collected in checks.collected:
        trial = checks.trial(collected.check.exercise)
        if trial is None:
            continue
        first, again = (questions(trial, load(collected.assignment).client) for _ in range(2))
        assert [shapes(small) for small in first] == [shapes(small) for small in again]
        for one, other in zip(first, again, strict=True):
            for x, y in zip(one.inputs, other.inputs, strict=True):
                assert not isinstance(x, Tensor) or torch.equal(x, y)  # type: ignore[arg-type]
                assert not isinstance(x, Tensor) or torch.equal(x, x.round())
        ranks = [small.rank for small in first]
        assert ranks == sorted(ranks)
        assert max(n for n in shapes(first[0])) == 1


def test_sizes_that_do_not_go_together_are_left_out(checks: Checks) -> None:
    """At most 4 features for 3 heads are 4, which 3 does not divide; 6 tokens do not fit in 4."""
    exercise = next(one for one in checks.exercises("transformer"))
    trial = checks.trial(exercise)
    assert trial is not None
    known = expected_answers(trial.sized(11, 6, 9, 3, 1), load("transformer").client)
    asked = [one.small.trial.arguments for one in known]
    assert asked and all(dim_h % nr_heads == 0 for _, _, dim_h, nr_heads, *_ in asked)


@pytest.mark.parametrize("shape", [(7, 5), (2, 7, 5)])
def test_a_number_in_a_call_fits_the_tokens_also_of_a_batch(shape: tuple[int, ...]) -> None:
    """A window of 3 tokens stays one of several tokens, or no mistake in it could be shown."""
    trial = Trial.function("f", lambda draw, arguments: {"A window": (draw.normal(*shape), 3)})
    asked = [small.inputs for small in questions(trial, load("causal_attention").client)]
    sizes = {(x.shape[-2], number) for x, number in asked if isinstance(x, Tensor)}
    assert sizes == {(1, 0), (2, 1), (4, 3)}


def test_a_number_may_come_before_the_tokens() -> None:
    trial = Trial.function("f", lambda draw, arguments: {"A window": (3, draw.normal(7, 5))})
    asked = [small.inputs for small in questions(trial, load("causal_attention").client)]
    assert {number for number, _ in asked} == {0, 1, 3}


def shapes(small: SmallQuestion) -> list[int]:
    return [n for x in small.inputs if isinstance(x, Tensor) for n in x.shape]


def test_an_exercise_has_the_trial_of_its_name(checks: Checks) -> None:
    for exercise in checks.exercises("attention_layer"):
        trial = checks.trial(exercise)
        assert (trial is None) == (exercise.name == "TestModule")
        assert trial is None or (isinstance(trial, Trial) and trial.exercise == exercise.name)


# Words


def result(
    expected: list[list[float]], got: list[list[float]], shares: bool = False
) -> WrongResult:
    want, have = torch.tensor(expected).double(), torch.tensor(got, dtype=torch.float64)
    apart = (want != have) if want.shape == have.shape else None
    return WrongResult("", want, have, apart, shares)


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        ([[1, 2], [3, 4]], [[2, 4], [6, 8]], "The result is 2 times the expected one."),
        ([[1, 2], [3, 4]], [[2, 3], [4, 5]], "The result is 1 too large everywhere."),
        ([[1, 2], [3, 4]], [[1, 3], [2, 4]], "The result has rows and columns exchanged."),
        ([[1, 2], [3, 5]], [[3, 5], [1, 2]], "The result has rows 0 and 1 exchanged."),
        ([[1, 2], [3, 5]], [[2, 1], [5, 3]], "The result has columns 0 and 1 exchanged."),
        ([[1, 2], [3, 4]], [[0, 0], [0, 0]], "The result is 0 everywhere."),
        ([[1, 2], [3, 4]], [[1e200] * 2] * 2, "The result is 1e+200 too large everywhere."),
        ([[1, 2], [3, 4]], [[7, 8], [9, 9]], "The result is the input itself, unchanged."),
        ([[1, 2]], [[1], [2]], "The result has shape (2, 1), not (1, 2); the numbers are right, "
         "in the right order."),
        ([[1, 2]], [[1.361, 2.722]], None),  # by chance
        ([[1, 2], [3, 4]], [[1, 2], [3, 5]], None),
    ],
)  # fmt: skip
def test_words_are_said_where_numbers_prove_them(
    expected: list[list[float]], got: list[list[float]], said: str | None
) -> None:
    x = torch.tensor([[7.0, 8], [9, 9]]).double()
    assert remarks.describe([x], [result(expected, got)]) == ([said] if said else [])


def test_rows_of_weights_are_added_up() -> None:
    wrong = result([[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 1.2]], shares=True)
    assert remarks.describe([], [wrong])[0] == "Row 1 sums to 1.7, not 1."
    assert remarks.describe([], [result([[1, 0], [0.5, 0.5]], [[1, 0], [0.5, 1.2]])]) == []


def test_a_look_into_the_future_is_read_off_only_where_it_can_be() -> None:
    right, wrong = [[1.0, 0.0], [0.5, 0.5]], [[0.7, 0.3], [0.5, 0.5]]
    told = "Row 0 looked at position 1, which lies in its future"
    one_hot, other = torch.eye(2).double(), torch.tensor([[1.0, 0], [2, 1]]).double()
    look = remarks.future([other], False, result(right, wrong, shares=True))
    assert look is not None
    assert (look.ahead, look.row, look.position) == (f"{told}, with weight 0.3.", 0, 1)
    look = remarks.future([one_hot], True, result(right, wrong))
    assert look is not None
    assert look.ahead == f"{told}."
    assert remarks.future([one_hot], False, result(right, wrong)) is None  # the values are unknown
    assert remarks.future([other], True, result(right, wrong)) is None
    no_shares = [[0.7, 0.9], [0.5, 0.5]]
    assert remarks.future([one_hot], True, result(right, no_shares)) is None
    assert remarks.future([other], False, result(right, no_shares, shares=True)) is None


@pytest.mark.parametrize(
    ("assignment", "exercise", "old", "new"),
    [
        ("running_averages", "running_mean_loop", ".mean(dim=0)", ".mean()"),  # mixes channels
        ("causal_attention", "single_head", "return weights, weights @ v", "return weights @ v, v"),
    ],
)
def test_nothing_is_said_of_the_future_that_no_row_depends_on(
    assignment: str, exercise: str, old: str, new: str, checks: Checks, solutions: Texts
) -> None:
    assert old in solutions[assignment]
    wrong = solutions[assignment].replace(old, new, 1)
    implementation = LocalImplementation(
        Text(assignment, {**solutions, assignment: wrong}, assignments()).source()
    )
    trial = checks.trial(next(e for e in checks.exercises(assignment) if e.name == exercise))
    assert trial is not None
    example = smallest(implementation.client(), expected_answers(trial, load(assignment).client))
    assert example is not None
    assert not any("future" in said for said in example.said)


OF_ANOTHER = "Row 0 of sequence 1 looked at position 1 of sequence 0, which it must not depend on."
MATMUL = """
import torch
def running_mean_matmul(x):
    B, T, C = x.shape
    w = torch.ones(T, T, dtype=x.dtype).tril() / torch.arange(1, T + 1, dtype=x.dtype)[:, None]
    return w, {}
"""
LOOP = """
import torch
def running_mean_loop(x):
    means = [x[:, : t + 1].mean(1) for t in range(x.size(1))]
    return {}
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MATMUL.format("(w @ x.reshape(T, B * C)).reshape(T, B, C).permute(1, 0, 2)"), OF_ANOTHER),
        (LOOP.format("torch.stack(means, dim=0)"), OF_ANOTHER),
        (LOOP.format("x.mean(1, keepdim=True).expand_as(x)"),
         "Row 0 of sequence 0 looked at position 1, which lies in its future."),
        (LOOP.format("torch.stack(means, dim=1) + x[:, -1:] * (x.size(1) > 1)"),
         "Row 0 changes when row 1 of the input does, which lies in its future."),
        (LOOP.format("torch.stack(means, dim=1) + x.mean(1).roll(1, 0)[:, None] * (len(x) > 1)"),
         "Row 0 of sequence 0 changes when row 1 of sequence 1 does, which it must not depend on."),
        (LOOP.format("torch.stack([nan * mean for mean in means[:-1]] + means[-1:], dim=1)")
         .replace("import torch", "import torch\nnan = float('nan')"), None),
        (LOOP.format("torch.stack(means, dim=1) + torch.rand(1) * (x.size(1) > 1)"), None),
        (LOOP.format("torch.stack(means, dim=1) + len(calls) * (x.size(1) > 1)")
         .replace("import torch", "import torch\ncalls = []")
         .replace("return", "calls.append(1)\n    return"), None),
    ],
)  # fmt: skip
def test_what_a_row_depends_on_is_proved(
    text: str, said: str | None, checks: Checks, solutions: Texts
) -> None:
    """Only a token that is changed alone shows whose it was; NaN, random numbers, state do not."""
    name = "running_mean_loop" if "def running_mean_loop" in text else "running_mean_matmul"
    implementation = LocalImplementation(
        Text("running_averages", {**solutions, "running_averages": text}, assignments()).source()
    )
    trial = checks.trial(next(e for e in checks.exercises("running_averages") if e.name == name))
    assert trial is not None
    example = smallest(
        implementation.client(), expected_answers(trial, load("running_averages").client)
    )
    assert example is not None
    about_rows = [one for one in example.said if "looked at" in one or "changes when" in one]
    assert about_rows == ([said] if said else [])


def test_exchanged_results_are_named(checks: Checks, solutions: Texts) -> None:
    example = example_of(
        checks, solutions, "QueryKeyValue", "return queries, keys", "return keys, queries"
    )
    assert example is not None
    assert example.said == ("Result 0 and result 1 are exchanged.",)


@pytest.mark.dear
def test_only_rows_in_an_order_have_a_future(checks: Checks, solutions: Texts) -> None:
    """Rows of self-attention depend on all rows; those of a norm on themselves only."""
    for assignment, right, wrong in (
        ("causal_attention", "past", ["CausalAttention/no_mask", "single_head/mask_after"]),
        ("normalization", "none", ["LayerNorm1d/dim0"]),
        ("self_attention", "", ["SelfAttentionV2/no_scale", "simple_self_attention/causal"]),
    ):
        known = misconceptions(assignment)
        assert {f"{mistake.exercise}/{mistake.id}" for mistake in known} >= set(wrong)
        for mistake in known:
            if f"{mistake.exercise}/{mistake.id}" in wrong:
                texts = {**solutions, assignment: mistake.source(solutions[assignment])}
                implementation = LocalImplementation(
                    Text(assignment, texts, assignments()).source()
                )
                exercise = next(
                    e for e in checks.exercises(assignment) if e.name == mistake.exercise
                )
                trial = checks.trial(exercise)
                assert trial is not None
                example = smallest(
                    implementation.client(), expected_answers(trial, load(assignment).client)
                )
                assert example is not None
                assert any("future" in said for said in example.said) == (right == "past")


# What is shown


def test_a_result_of_many_numbers_or_rows_is_not_shown() -> None:
    for shape in ((1, SHOWABLE), (ROWS, SHOWABLE // ROWS), (ROWS, 0)):
        assert is_showable(torch.zeros(shape).double())
    for shape in ((1, SHOWABLE + 1), (ROWS, SHOWABLE // ROWS + 1), (ROWS + 1, 0)):
        assert not is_showable(torch.zeros(shape).double())


def test_it_is_shown_as_a_table(grade_text: GradeText, solutions: Texts) -> None:
    wrong = solutions["causal_attention"].replace(*NO_MASK, 1)
    found = of(
        grade_text(wrong, "causal_attention", "causal_weights", named=True), "causal_weights"
    )
    assert found.example is not None
    assert list(drawn(found.example, WIDTH)) == [
        "The smallest example, causal_weights (* where it differs, ░ the future):",
        "  queries (2, 1)   keys (2, 1)   expected (2, 2)       got",
        "  1                1                  key 0   key 1         key 0   key 1",
        "  1                1             q 0 1.0000  ░░░░░░    q 0 0.5000* 0.5000*",
        "                                 q 1 0.5000  0.5000    q 1 0.5000  0.5000",
        "Row 0 looked at position 1, which lies in its future, with weight 0.5.",
    ]


def test_many_numbers_and_strange_ones_stay_within_the_width(checks: Checks) -> None:
    trial = checks.trial(checks.exercises("causal_attention")[0])
    assert trial is not None
    small = questions(trial, load("causal_attention").client)[0]
    wide = torch.full((1, 64), 1e300, dtype=torch.float64)
    odd = torch.tensor([[float("nan"), float("-inf")]]).double()
    none = torch.empty(0, 3).double()
    for got in (wide, odd, none, torch.tensor(1.0).double()):
        example = Example(
            small, (WrongResult("", torch.ones(1, 2).double(), got, None, False),), False, ()
        )
        assert max(map(len, drawn(example, WIDTH))) <= WIDTH


ODD_SHAPES = [(), (0, 2), (2, 0), (1,), (2,), (2, 2), (1, 2, 2), (2, 2, 2), (1,) * 16]
ODD_NUMBERS = ("0", "1e200", "1e308", "inf", "nan")


@pytest.mark.dear
def test_whatever_comes_out_can_be_told(checks: Checks) -> None:
    trial = checks.trial(checks.exercises("causal_attention")[0])
    assert trial is not None
    known, shown = expected_answers(trial, load("causal_attention").client), 0
    for shape, number, dtype in product(ODD_SHAPES, ODD_NUMBERS, ("float64", "float32", "int64")):
        made = f"torch.full({shape}, float('{number}'), dtype=torch.float64).to(torch.{dtype})"
        text = f"import torch\ndef causal_weights(*_):\n    return {made}\n"
        implementation = LocalImplementation(
            Text("causal_attention", {"causal_attention": text}, ()).source()
        )
        example = smallest(implementation.client(), known)
        lines = list(drawn(example, WIDTH)) if example else []
        assert all(len(line) <= WIDTH for line in lines), (shape, number, dtype, lines)
        shown += bool(lines)
    assert shown > len(ODD_SHAPES)


def test_what_a_submission_says_cannot_move_the_cursor(
    grade_text: GradeText, solutions: Texts
) -> None:
    line = "    T, d = queries.shape[-2:]\n"
    rogue = "    if T > 1:\n        raise type('\\x1b[2J' + 'Oops', (ValueError,), {})()\n"
    wrong = solutions["causal_attention"].replace(line, line + rogue)
    found = of(
        grade_text(wrong, "causal_attention", "causal_weights", named=True), "causal_weights"
    )
    assert found.example is not None
    [said] = found.example.said
    assert said.endswith("Oops here; other small examples give right results.")
    assert said.isprintable()


# In a student's copy


@pytest.mark.dear
def test_a_students_copy_shows_the_same(kit: Path, solutions: Texts, grade_text: GradeText) -> None:
    wrong = solutions["causal_attention"].replace(*NO_MASK, 1)
    path = kit / "assignments" / "causal_attention.py"
    path.write_text(wrong, encoding="utf-8")
    run = run_in(kit, "-m", "autograder", "grade", path, "--exercise", "causal_weights", "--json")
    assert run.returncode == 0, run.stderr
    example = json.loads(run.stdout)["submissions"][0]["exercises"][0]["example"]
    assert example["inputs"] == [[[1.0], [1.0]], [[1.0], [1.0]]]
    assert example["differing"][0]["expected"] == [[1.0, 0.0], [0.5, 0.5]]
    assert example["differing"][0]["got"] == [[0.5, 0.5], [0.5, 0.5]]
    assert "looked at position 1" in example["words"][0]
