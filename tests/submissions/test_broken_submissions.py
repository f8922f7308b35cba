"""A bad submission gets an outcome, one clear sentence, and full marks for all the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Command, GradeText, of, points, sampled

from autograder.checking.collect import Checks
from autograder.course import assignments, root
from autograder.course.skeletons import made_from
from autograder.grading.fitting import PRINTED
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.grading.grader import Grader
from autograder.grading.wording import NO_DATA, NO_OUTPUT
from autograder.sandbox import Limits, Sandbox, open_sandbox
from autograder.submissions.finding import Submission, find

Texts = dict[str, str]

CLASS = "class ScaledDotProduct(nn.Module):"
NEXT_CLASS = "class FeedForwardLayer(nn.Module):"  # needs nothing, so it can be right alone
INIT = "    def __init__(self) -> None:\n        super().__init__()\n\n    def forward(self, Q"
FIRST = "        scores = Q @ K.transpose(-2, -1)  # (..., L, S)\n"
LAST = "        return weights @ V\n"
IMPORT = "import math\n"
NEEDING = ("AttentionHead", "SimpleAttentionLayer")  # are built from ScaledDotProduct
FULL = points("attention_layer")
OTHERS = ("TestModule", "QueryKeyValue", "FeedForwardLayer")


def changed(text: str, old: str, new: str) -> str:
    """Return the text with one passage replaced, which must occur once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def in_forward(text: str, *lines: str) -> str:
    """Return the module with lines added at the beginning of ScaledDotProduct.forward."""
    return changed(text, FIRST, "".join(f"        {line}\n" for line in lines) + FIRST)


def before_ffl(text: str, *lines: str) -> str:
    """Return the module with lines added above the class FeedForwardLayer."""
    return changed(text, NEXT_CLASS, "\n".join([*lines, "", "", NEXT_CLASS]))


def at_import(text: str, *lines: str) -> str:
    """Return the module with lines added above its imports."""
    return changed(text, IMPORT, "\n".join([*lines, IMPORT]))


def place(text: str, code: str) -> str:
    """Return the place of the only line with this code, as messages write it."""
    [number] = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == code]
    return f"(attention_layer.py, line {number}: `{code}`)"


def said(exercise: ExerciseGrade) -> str:
    """Return the message of the first check that did not pass."""
    return next(check.message for check in exercise.checks if check.outcome is not Outcome.PASSED)


def has_full_marks(grade: Grade, *names: str) -> bool:
    """Return whether these exercises, or else all, have full marks."""
    exercises = [of(grade, name) for name in names] or list(grade.exercises)
    return bool(exercises) and all(
        e.outcome is Outcome.PASSED and 0 < e.points == e.max_points for e in exercises
    )


def assert_fails_alone(grade: Grade, outcome: Outcome = Outcome.FAILED) -> None:
    """Assert ScaledDotProduct's outcome: what needs it is blocked, the rest has full marks.

    Where it is wrong, what needs it has been graded with a right one.
    """
    assert grade.status == "graded"
    assert grade.message == ""
    assert of(grade, "ScaledDotProduct").outcome is outcome
    assert has_full_marks(grade, *OTHERS)
    for name in NEEDING:
        assert of(grade, name).outcome is Outcome.BLOCKED
        assert of(grade, name).waits_for == "ScaledDotProduct"
        carried = "; with a correct one this is right" if outcome is Outcome.FAILED else ""
        assert said(of(grade, name)) == f"Waits for ScaledDotProduct{carried}."


# Wrong classes and wrong results

RESULTS = {
    "shape": (
        "return weights @ V[..., :1]",
        "A batch of shape (3,): expected shape (3, 5, 2), got (3, 5, 1).",
        "Wrong shape.",
    ),
    "None": (
        "weights @ V",
        "expected a tensor of shape (1, 1), got None. Is a return missing?",
        "Wrong kind of result.",
    ),
    "list": (
        "return [weights @ V, weights]",
        "expected a tensor of shape (1, 1), got a tuple or list of 2.",
        "Wrong kind of result.",
    ),
    "NaN": (
        "return weights @ V * float('nan')",
        "1 of 1 numbers are NaN or infinite; first at [0, 0]: expected 7.3106, got nan.",
        "Not finite.",
    ),
    "numpy": (
        "return (weights @ V).detach().numpy()",
        "expected a tensor of shape (1, 1), got something of type numpy.ndarray.",
        "Wrong kind of result.",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(RESULTS, each=2))
def test_a_wrong_result_is_named(name: str, grade_text: GradeText, solutions: Texts) -> None:
    line, sentence, hidden = RESULTS[name]
    grade = grade_text(changed(solutions["attention_layer"], LAST, f"        {line}\n"))
    assert_fails_alone(grade)
    exercise = of(grade, "ScaledDotProduct")
    assert said(exercise).endswith(sentence)
    assert [check.message for check in exercise.checks if not check.visible] == [hidden]


CLASSES = {
    "absent": (
        (CLASS, "class Product(nn.Module):"),
        "There is no ScaledDotProduct: the file does not define it.",
    ),
    "an object": (
        ("class AttentionHead", "ScaledDotProduct = ScaledDotProduct()\n\n\nclass AttentionHead"),
        "ScaledDotProduct is not a class but of type attention_layer.ScaledDotProduct.",
    ),
    "a function": (
        ("class AttentionHead", "def ScaledDotProduct():\n    pass\n\n\nclass AttentionHead"),
        "ScaledDotProduct is not a class but of type function.",
    ),
    "an argument too many": (
        (INIT, INIT.replace("self", "self, dim_k", 1)),
        "ScaledDotProduct() does not fit: ScaledDotProduct.__init__() missing 1 required "
        "positional argument: 'dim_k'. Compare __init__ with the statement.",
    ),
}


@pytest.mark.parametrize("name", sampled(CLASSES, each=2))
def test_a_class_that_cannot_be_built_is_named(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    change, sentence = CLASSES[name]
    grade = grade_text(changed(solutions["attention_layer"], *change))
    assert_fails_alone(grade, Outcome.MISSING if name == "absent" else Outcome.FAILED)
    assert said(of(grade, "ScaledDotProduct")) == sentence
    assert of(grade, "ScaledDotProduct").points == 0


# Exceptions and worse, whose line is known

STOPS = {
    "raises": (["raise KeyError('x')"], "It raises KeyError: 'x' {}."),
    "input": (["Q = input('How many? ')"], "It raises EOFError: EOF when reading a line {}."),
    "sys.exit": (
        ["import sys", "sys.exit(0)"],
        "It ends the program (sys.exit) {}. Remove that call.",
    ),
    "endless": (["while True: Q = Q + 1"], "Not finished after 2 s {}. Is there an endless loop?"),
    "10 GB of a tensor": (
        ["Q = torch.zeros(10 * 2**30, dtype=torch.uint8)"],
        "It asks for more memory than there is (2 GB) {}.",
    ),
    "10 GB": (["x = bytearray(10 * 2**30)"], "It asks for more memory than there is (2 GB) {}."),
    "stdout closed": (
        ["import os", "os.close(1)", "print('x' * 10_000)"],
        "It raises OSError: [Errno 9] Bad file descriptor {}.",
    ),
    "text raises": (
        ["class Own(Exception):", "    def __str__(self): raise ValueError", "raise Own"],
        "It raises Own: (its text cannot be shown: ValueError) {}.",
    ),
    "text is no text": (
        ["class Own(Exception):", "    __str__ = lambda self: 3", "raise Own()"],
        "It raises Own: (its text cannot be shown: TypeError) {}.",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(STOPS, each=2))
def test_what_stops_forward_is_told_with_its_line(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    lines, sentence = STOPS[name]
    text = in_forward(solutions["attention_layer"], *lines)
    grade = grade_text(text)
    assert_fails_alone(grade)
    assert said(of(grade, "ScaledDotProduct")) == sentence.format(place(text, lines[-1]))


@pytest.mark.dear
def test_what_init_raises_is_told_with_its_line(grade_text: GradeText, solutions: Texts) -> None:
    raising = INIT.replace("super().__init__()", "super().__init__()\n        raise ValueError(7)")
    text = changed(solutions["attention_layer"], INIT, raising)
    grade = grade_text(text)
    assert_fails_alone(grade)
    where = place(text, "raise ValueError(7)")
    assert said(of(grade, "ScaledDotProduct")) == f"It raises ValueError: 7 {where}."
    assert of(grade, "ScaledDotProduct").points == 0


@pytest.mark.dear
def test_several_own_lines_are_a_traceback(grade_text: GradeText, solutions: Texts) -> None:
    own = "def outer(x):\n    return inner(x)\n\n\ndef inner(x):\n    return x.view(-1, 1000)\n"
    text = in_forward(solutions["attention_layer"], "Q = outer(Q)") + f"\n\n{own}"
    grade = grade_text(text)
    assert_fails_alone(grade)
    sentence, *lines = said(of(grade, "ScaledDotProduct")).split("\n")
    assert sentence.startswith("It raises RuntimeError: shape '[-1, 1000]' is invalid")
    assert sentence.endswith(f"{place(text, 'return x.view(-1, 1000)')}.")
    codes = ("Q = outer(Q)", "return inner(x)", "return x.view(-1, 1000)")
    assert lines == [place(text, code).strip("()").replace("`", "") for code in codes]


def test_an_exception_without_text_has_no_gap(grade_text: GradeText, solutions: Texts) -> None:
    text = in_forward(solutions["attention_layer"], "assert Q is None")
    sentence = said(of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct"))
    assert sentence == f"It raises AssertionError {place(text, 'assert Q is None')}."


@pytest.mark.parametrize("mark", ["\f", "\u2028", "\x85", "\x1c"], ids=ascii)
def test_lines_are_counted_as_python_counts_them(
    mark: str, grade_text: GradeText, solutions: Texts
) -> None:
    text = in_forward(solutions["attention_layer"], "raise KeyError('x')")
    text = at_import(text, f"# pasted {mark} from a paper")
    sentence = said(of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct"))
    assert place(text, "raise KeyError('x')") in sentence


# Losses of the whole process, where no line is known

CRASHES = {
    "os._exit": (
        ["import os; os._exit(0)"],
        "The code ended its own process (exit code 0).",
        "ended the program",
    ),
    "segfault": (
        ["import ctypes; ctypes.string_at(0)"],
        "The process crashed (SIGSEGV).",
        "crashed",
    ),
    "SIGKILL": (
        ["import os; os.kill(os.getpid(), 9)"],
        "The process was killed (SIGKILL) twice: by the code itself, or because this machine has "
        "too little memory.",
        "crashed",
    ),
    "swallows every exception": (
        [
            "while True:",
            "    try:",
            "        for i in iter(int, 1): Q = Q + i",
            "    except BaseException: pass",
        ],
        "Not finished after 2 s, and could not be interrupted.",
        "timed out",
    ),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(CRASHES))
def test_a_lost_process_is_told_and_not_asked_again(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    lines, sentence, category = CRASHES[name]
    grade = grade_text(in_forward(solutions["attention_layer"], *lines))
    assert_fails_alone(grade)
    exercise = of(grade, "ScaledDotProduct")
    assert said(exercise) == sentence
    later = {check.message for check in exercise.checks[1:] if check.visible}
    assert later == {f"Not run: an earlier check of ScaledDotProduct {category}."}


WORST = {
    **{name: stop[0] for name, stop in STOPS.items()},
    **{name: crash[0] for name, crash in CRASHES.items()},
    "turns the alarm off": [
        "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)",
        "while True: pass",
    ],
    "closes everything": ["import os; os.closerange(0, 1000)"],
    "sleeps for ever": ["import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"],
    "changes torch": ["torch.softmax = torch.equal = torch.Tensor.numpy = None"],
    "leaves a process": ["import subprocess; subprocess.Popen(['sleep', '60'])"],
    "seeds": ["torch.manual_seed(1); torch.set_default_dtype(torch.float16)"],
}


@pytest.mark.parametrize("name", sampled(WORST))
def test_the_next_submission_does_not_suffer(
    name: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    grader = Grader(checks, sandbox, frozenset(["ScaledDotProduct", "FeedForwardLayer"]))
    right = solutions["attention_layer"]
    grades = [
        grader.grade(Submission("x", Path("attention_layer.py"), "attention_layer", texts))
        for texts in (
            {"attention_layer": in_forward(right, *WORST[name])},
            {"attention_layer": right},
        )
    ]
    assert grades[0].status == "graded"
    assert has_full_marks(grades[1], "ScaledDotProduct", "FeedForwardLayer")


@pytest.mark.dear
def test_a_killed_warm_process_costs_no_one_a_grade(checks: Checks, solutions: Texts) -> None:
    right = solutions["attention_layer"]
    kill = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    wait = "import time; time.sleep(60)"  # so that it cannot answer everything before
    text = in_forward(right, kill, wait)
    with open_sandbox(Limits(seconds=60.0)) as sandbox:
        grader = Grader(checks, sandbox, frozenset(["ScaledDotProduct"]))
        for wrong, module in ((True, text), (False, right)):
            texts = {"attention_layer": module}
            grade = grader.grade(
                Submission("x", Path("attention_layer.py"), "attention_layer", texts)
            )
            assert grade.status == ("needs_staff" if wrong else "graded")
        assert has_full_marks(grade)


# Modules that fail while they are loaded


@pytest.mark.dear
def test_what_stands_above_an_endless_line_is_graded(
    grade_text: GradeText, solutions: Texts
) -> None:
    text = before_ffl(solutions["attention_layer"], "while True: pass")
    grade = grade_text(text)
    start = f"Not finished after 2 s {place(text, 'while True: pass')}"
    assert grade.status == "graded"
    assert grade.message.startswith(start)
    assert grade.message.endswith(" The code above that line was graded.")
    assert has_full_marks(grade, "TestModule", "QueryKeyValue", "ScaledDotProduct", "AttentionHead")
    for exercise in ("FeedForwardLayer", "SimpleAttentionLayer"):
        assert of(grade, exercise).outcome is Outcome.FAILED
        assert of(grade, exercise).points == 0
        assert said(of(grade, exercise)).startswith(f"Not reached. {start}")


RAISING = {
    "sys.exit": (["import sys", "sys.exit()"], "It ends the program (sys.exit) {}"),
    "raises": (["print(1 / 0)"], "It raises ZeroDivisionError: division by zero {}"),
    "a module of torch that is not there": (
        ["import torch.nothing"],
        "It raises ModuleNotFoundError: No module named 'torch.nothing' {}",
    ),
}


@pytest.mark.parametrize("name", sampled(RAISING, each=2))
def test_a_line_that_raises_costs_nothing(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    lines, sentence = RAISING[name]
    text = before_ffl(solutions["attention_layer"], *lines)
    grade = grade_text(text)
    assert grade.status == "graded"
    assert grade.message.startswith(sentence.format(place(text, lines[-1])))
    assert grade.message.endswith(" All other lines were graded.")
    assert has_full_marks(grade)


@pytest.mark.dear
def test_what_a_line_that_raises_would_define_is_named(
    grade_text: GradeText, solutions: Texts
) -> None:
    ffl = "class FeedForwardLayer(nn.Module)"
    text = changed(solutions["attention_layer"], ffl, ffl.replace("Module", "Modul"))
    graded = grade_text(text)
    reason = "It raises AttributeError: module 'torch.nn' has no attribute 'Modul' "
    assert graded.message.startswith(reason)
    assert of(graded, "FeedForwardLayer").points == 0
    assert said(of(graded, "FeedForwardLayer")).startswith(reason)
    assert of(graded, "SimpleAttentionLayer").waits_for == "FeedForwardLayer"
    text = changed(solutions["attention_layer"], LAST, f"        SCALE\n{LAST}")
    text = text.replace(IMPORT, f"{IMPORT}SCALE = float('one')\n", 1)
    of_scale = said(of(grade_text(text), "ScaledDotProduct"))
    assert of_scale.startswith(
        "It raises NameError: name 'SCALE' is not defined, since `SCALE = float('one')` raised "
        f"ValueError: could not convert string to float: 'one' {place(text, 'SCALE')}."
    )


SYNTAX = {
    "syntax": ("weights @@ V", "invalid syntax"),
    "a bracket": ("(weights @ V", "'(' was never closed"),
    "a text": ('"weights @ V', "unterminated string literal (detected at line {line})"),
}


@pytest.mark.parametrize("name", sampled(SYNTAX, each=2))
def test_what_stands_apart_from_a_syntax_error_is_graded(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    code, reason = SYNTAX[name]
    text = changed(solutions["attention_layer"], LAST, f"        return {code}\n")
    grade = grade_text(text)
    where = place(text, f"return {code}")
    reason = reason.format(line=where.split("line ")[1].split(":")[0])
    assert grade.message == (
        f"Python cannot read the file: {reason} {where}. All statements that Python can read were "
        "graded."
    )
    assert has_full_marks(grade, *OTHERS)
    assert of(grade, "ScaledDotProduct").points == 0
    assert said(of(grade, "ScaledDotProduct")).startswith("Python cannot read")


WHOLES = {
    "os._exit": (
        (IMPORT, f"import os\nos._exit(3)\n{IMPORT}"),
        "",
        "The code ended its own process (exit code 3).",
    ),
}


@pytest.mark.parametrize("name", sampled(WHOLES, each=2))
def test_a_module_that_cannot_be_loaded_is_unreadable(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    change, code, sentence = WHOLES[name]
    text = changed(solutions["attention_layer"], *change)
    grade = grade_text(text)
    assert grade.status == "unreadable"
    assert grade.message == sentence.format(place(text, code) if code else "")
    assert (grade.points, grade.max_points) == (0, FULL)
    outcomes = {check.outcome for exercise in grade.exercises for check in exercise.checks}
    assert outcomes == {Outcome.FAILED}


def test_stdout_closed_at_import_costs_what_prints(grade_text: GradeText, solutions: Texts) -> None:
    text = at_import(solutions["attention_layer"], "import os", "os.close(1)")
    grade = grade_text(text)
    assert of(grade, "TestModule").outcome is Outcome.FAILED
    where = place(text, 'print("Hello World")')
    assert said(of(grade, "TestModule")).endswith(f"Bad file descriptor {where}.")
    assert has_full_marks(grade, "QueryKeyValue", "SimpleAttentionLayer")
    assert grade.points == 28


def test_an_empty_module_has_everything_to_write(grade_text: GradeText, solutions: Texts) -> None:
    grade = grade_text("")
    assert (grade.status, grade.points, grade.max_points) == ("graded", 0, FULL)
    assert {exercise.outcome for exercise in grade.exercises} == {Outcome.MISSING}
    expected = [f"There is no {e.name}: the file does not define it." for e in grade.exercises]
    assert [said(exercise) for exercise in grade.exercises] == expected


def test_what_is_deleted_again_is_missing_also_where_an_error_follows(
    grade_text: GradeText,
) -> None:
    """An error beside it has prevented nothing, as where a cell of trials fails."""
    text = "def running_mean_loop(x): return x\ndel running_mean_loop\nprint(undefined)\n"
    grade = grade_text(text, "running_averages")
    assert grade.status == "graded"
    assert {exercise.outcome for exercise in grade.exercises} == {Outcome.MISSING}
    assert "undefined" in grade.message
    for other in (
        text.replace("print(undefined)", "import os; os._exit(3)"),
        "@undefined\ndef running_mean_loop(x): return x\n",
    ):
        assert grade_text(other, "running_averages").status == "unreadable"


@pytest.mark.parametrize(
    ("name", "is_meant"),
    [
        ("ScaledDotproduct", True),
        ("ScaledDotProdukt", True),
        ("scaled_dot_product", True),
        ("DotProduct", False),
        ("AttentionHead", False),  # another exercise
    ],
)
def test_an_exercise_of_nearly_that_name(
    name: str, is_meant: bool, grade_text: GradeText, solutions: Texts
) -> None:
    grade = grade_text(f"class {name}: pass\n")
    said = f"It defines {name}: is ScaledDotProduct meant?"
    assert grade.message == (said if is_meant else "")
    assert (grade.status, grade.points) == ("graded", 0)


@pytest.mark.parametrize(
    ("definition", "is_hinted"),
    [
        ("def forward(Q, K, V):", True),
        ("def forward(self, Q, K):", True),
        ("def forward(self, Q):", False),
        ("def forward(self, Q, K, V, mask):", False),
    ],
)
def test_a_function_that_takes_one_argument_too_few(
    definition: str, is_hinted: bool, grade_text: GradeText, solutions: Texts
) -> None:
    wrong = f"class ScaledDotProduct(nn.Module):\n    {definition}\n        return V\n"
    first = of(grade_text(f"from torch import nn\n{wrong}"), "ScaledDotProduct").checks[0]
    assert first.message.startswith("It raises TypeError: ScaledDotProduct.forward() ")
    assert first.message.endswith(" Is an argument missing in its def, perhaps self?") is is_hinted


@pytest.mark.parametrize("line", ["open('n.txt')", "np.load('n.npy')", "torch.load('n.pt')"])
@pytest.mark.parametrize("is_at_top", [True, False])
def test_data_that_is_not_handed_in(line: str, is_at_top: bool, grade_text: GradeText) -> None:
    """The message says why it is not there, also where a name needs it."""
    read, inside = (f"DATA = {line}\n", "DATA") if is_at_top else ("", line)
    text = f"import numpy as np\nimport torch\nfrom torch import nn\n{read}\n"
    text += f"class ScaledDotProduct(nn.Module):\n    def forward(self, Q, K, V): return {inside}\n"
    first = of(grade_text(text), "ScaledDotProduct").checks[0]
    assert "No such file or directory: 'n." in first.message
    assert first.message.endswith(NO_DATA)


@pytest.mark.parametrize("line", ["Out[3]", "_", "___", "_12", "In[1]", "_i", "__a"])
def test_outputs_of_other_cells_are_not_there(line: str, grade_text: GradeText) -> None:
    text = "from torch import nn\n"
    text += f"class ScaledDotProduct(nn.Module):\n    def forward(self, *Q): return {line}\n"
    first = of(grade_text(text), "ScaledDotProduct").checks[0]
    assert first.message.startswith("It raises NameError: ")
    assert first.message.endswith(NO_OUTPUT) is (line != "__a")


# Other assignments and prerequisites


def test_attention_layer_named_multi_head(grade_text: GradeText, solutions: Texts) -> None:
    grade = grade_text(solutions["attention_layer"], "multi_head")
    assert (grade.status, grade.points) == ("graded", 0)
    assert {exercise.outcome for exercise in grade.exercises} == {Outcome.MISSING}
    assert grade.message.startswith("multi_head.py defines exercises of attention_layer, none of")
    assert grade.message.endswith("Was another file meant?")


def test_multi_head_named_attention_layer(grade_text: GradeText, solutions: Texts) -> None:
    grade = grade_text(solutions["multi_head"], "attention_layer")
    assert (grade.status, grade.points, grade.max_points) == ("graded", 0, FULL)
    assert "(attention_layer.py, line " in grade.message
    assert grade.message.endswith(
        "defines exercises of multi_head, none of attention_layer. Was another file meant?"
    )


def test_multi_head_alone_waits_for_its_head(
    grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    grade = on_disk(grader, tmp_path / "multi_head.py", solutions["multi_head"].encode())
    assert grade.status == "graded"
    assert grade.points == points("multi_head") - of(grade, "MultiHeadList").max_points
    assert of(grade, "MultiHeadList").outcome is Outcome.BLOCKED
    assert of(grade, "MultiHeadList").waits_for == "AttentionHead"
    assert said(of(grade, "MultiHeadList")) == "Waits for AttentionHead."
    assert has_full_marks(grade, "MultiHeadAttention")


@pytest.mark.dear
def test_multi_head_beside_a_wrong_head_waits_for_it(grader: Grader, solutions: Texts) -> None:
    wrong = changed(solutions["attention_layer"], LAST, "        return 2 * weights @ V\n")
    texts = {**solutions, "attention_layer": wrong}
    grade = grader.grade(Submission("x", Path("multi_head.py"), "multi_head", texts))
    assert of(grade, "MultiHeadList").outcome is Outcome.BLOCKED
    assert of(grade, "MultiHeadList").waits_for == "AttentionHead"
    assert has_full_marks(grade, "MultiHeadAttention")


@pytest.mark.dear
def test_a_wrong_exercise_is_charged_once(grade_text: GradeText, solutions: Texts) -> None:
    twice = changed(solutions["attention_layer"], LAST, "        return 2 * weights @ V\n")
    grade = grade_text(twice)
    assert_fails_alone(grade)
    assert said(of(grade, "ScaledDotProduct")).endswith("expected 7.3106, got 14.6212.")
    assert of(grade, "AttentionHead").points == of(grade, "AttentionHead").max_points


def test_an_unwritten_exercise_blocks_what_needs_it(
    grade_text: GradeText, solutions: Texts
) -> None:
    right = solutions["attention_layer"]
    begin, end = right.index("class QueryKeyValue"), right.index("class ScaledDotProduct")
    grade = grade_text(right[:begin] + made_from(right[begin:end]) + right[end:])
    assert of(grade, "QueryKeyValue").outcome is Outcome.MISSING
    assert said(of(grade, "QueryKeyValue")).startswith("Not written yet (attention_layer.py, line")
    assert has_full_marks(grade, "TestModule", "ScaledDotProduct", "FeedForwardLayer")
    for name in NEEDING:
        assert of(grade, name).outcome is Outcome.BLOCKED
        assert of(grade, name).waits_for == "QueryKeyValue"


def test_a_forward_not_written_keeps_the_points_of_init(
    grade_text: GradeText, solutions: Texts
) -> None:
    line = "        x = self.firstlayer(x)  # (..., dim_expanded)\n"
    text = changed(solutions["attention_layer"], line, "        raise NotImplementedError\n")
    grade = grade_text(text)
    exercise = of(grade, "FeedForwardLayer")
    assert (exercise.outcome, exercise.points) == (Outcome.MISSING, 1)
    assert said(exercise) == f"Not written yet {place(text, 'raise NotImplementedError')}."
    assert of(grade, "SimpleAttentionLayer").waits_for == "FeedForwardLayer"
    assert has_full_marks(grade, "ScaledDotProduct", "AttentionHead")


# Code that is not wrong, and code that pretends to be right


@pytest.mark.dear
def test_float32_for_float64_keeps_all_points(grade_text: GradeText, solutions: Texts) -> None:
    text = changed(solutions["attention_layer"], LAST, "        return (weights @ V).float()\n")
    grade = grade_text(text)
    notes = [check.message for check in of(grade, "ScaledDotProduct").checks if check.message]
    assert any("float32 although the input is float64 (no points lost)" in n for n in notes)
    assert of(grade, "ScaledDotProduct").outcome is Outcome.PASSED


@pytest.mark.dear
@pytest.mark.parametrize(
    ("line", "before", "after", "what"),
    [
        ("        return self.head(self.ln_f(x))\n", ")\n", ").float()\n", "The result is"),
        (
            "        weights = scores.masked_fill(later, -math.inf).softmax(dim=-1)\n",
            ".softmax(dim=-1)",
            ".float().softmax(dim=-1).to(x)",
            "Intermediate numbers are",
        ),
    ],
    ids=["at the end", "inside"],
)
def test_float32_costs_nothing_where_the_weights_alone_are_float64(
    line: str, before: str, after: str, what: str, grade_text: GradeText, solutions: Texts
) -> None:
    text = changed(solutions["transformer"], line, line.replace(before, after))
    exercise = of(grade_text(text, "transformer", "TinyTransformer"), "TinyTransformer")
    assert exercise.outcome is Outcome.PASSED
    notes = " ".join(check.message for check in exercise.checks)
    assert f"{what} float32 although the weights are float64 (no points lost)" in notes
    assert "dtype of the weights" in notes
    assert "the input" not in notes


@pytest.mark.dear
def test_replacing_what_compares_earns_nothing(grade_text: GradeText, solutions: Texts) -> None:
    names = "('allclose', 'equal', 'isclose', 'eq', 'ne', 'all', 'any')"
    text = at_import(
        changed(solutions["attention_layer"], LAST, "        return 0 * (weights @ V)\n"),
        "import torch",
        f"for name in {names}:",
        "    setattr(torch, name, lambda *a, **k: True)",
        "    setattr(torch.Tensor, name, lambda *a, **k: True)",
        "torch.Tensor.__eq__ = lambda *a: True",
        "torch.testing.assert_close = lambda *a, **k: None",
    )
    grade = grade_text(text)
    assert of(grade, "ScaledDotProduct").points == 0
    assert said(of(grade, "ScaledDotProduct")).endswith("expected 7.3106, got 0.0000.")
    agreeing = [c for n in NEEDING for c in of(grade, n).checks if "agrees" in c.name]
    assert {check.outcome for check in agreeing} == {Outcome.BLOCKED}
    assert has_full_marks(grade, *OTHERS)


FORGERY = """
import sys
deep = []
for _ in range(300):
    deep = [deep]
frame = sys._getframe()
while frame:
    if "Interpreter" in frame.f_globals:
        frame.f_globals["Interpreter"].answer = lambda self, question: [
            ANSWER for _ in question.steps
        ]
    frame = frame.f_back
"""
FORGED = [
    "5",
    "None",
    "{}",
    "{'value': deep}",
    "{'problem': 5}",
    "{'problem': {'kind': 'raised'}}",
    "{'problem': {'kind': [], 'type': {}, 'text': 1, 'where': 0, 'frames': 'x'}}",
    "{'value': {'output': None, 'changed': [], 'gradients': {'inputs': [], 'parameters': 5}}}",
    "{'value': {'output': None, 'changed': [], 'gradients': {'parameters': {'a': 7}}}}",
]


@pytest.mark.dear
@pytest.mark.parametrize("answer", sampled(FORGED, each=2))
def test_an_answer_of_another_kind_is_explained_as_any_other(
    answer: str, grade_text: GradeText, solutions: Texts
) -> None:
    forged = solutions["attention_layer"] + FORGERY.replace("ANSWER", answer)
    grade = grade_text(forged, "attention_layer", named=True)
    assert grade.status == "graded"
    assert grade.points == 0
    assert not any(exercise.diagnoses for exercise in grade.exercises)


@pytest.mark.dear
def test_100_mb_printed_do_not_stay_in_memory(grade_text: GradeText, solutions: Texts) -> None:
    aloud = ["if not hasattr(torch, 'said'):", "    torch.said = print('x' * 10**8)"]
    text = at_import(in_forward(solutions["attention_layer"], *aloud), "print('x' * 10**8)")
    grade_text(solutions["attention_layer"])  # so that the reference is loaded already
    tracemalloc.start()
    grade = grade_text(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert has_full_marks(grade)
    assert peak < 10_000_000


def test_little_of_what_is_printed_is_kept(grade_text: GradeText, solutions: Texts) -> None:
    text = in_forward(solutions["attention_layer"], "print('x ' * 10**6)", "raise KeyError('x')")
    exercise = of(grade_text(text, exercise="ScaledDotProduct"), "ScaledDotProduct")
    kept = [len(check.printed) for check in exercise.checks]
    assert PRINTED.characters // 2 < max(kept) <= PRINTED.characters
    assert [len(check.printed) for check in exercise.checks if not check.visible] == [0]


VILE = r"'\x1b[2J\x07\x9b31m\u202e'"  # Python source of a text that moves the cursor and hides
REGISTER = f"self.register_parameter({VILE}, nn.Parameter(torch.ones(1)))"
ESCAPES: dict[str, Callable[[str], str]] = {
    "text": lambda text: in_forward(text, f"raise ValueError({VILE})"),
    "half a character": lambda text: in_forward(text, "raise ValueError('\\udc80\\0')"),
    "type": lambda text: in_forward(text, f"raise type({VILE}, (Exception,), {{}})"),
    "printed": lambda text: in_forward(text, f"print({VILE})", "raise KeyError"),
    "at import": lambda text: before_ffl(text, f"raise ValueError({VILE})"),
    "source": lambda text: in_forward(text, "raise ValueError  # \x1b[2J \u202e"),
    "syntax": lambda text: in_forward(text, "Q = \x07\x1b[2J"),
    "parameter": lambda text: changed(
        text, INIT, INIT.replace("__()\n", f"__()\n        {REGISTER}\n")
    ),
    "returned": lambda text: changed(text, LAST, f"        return type({VILE}, (), {{}})()\n"),
}


@pytest.mark.dear
@pytest.mark.parametrize("name", sampled(ESCAPES, each=2))
def test_no_message_has_a_control_character(
    name: str, grade_text: GradeText, solutions: Texts
) -> None:
    grade = grade_text(ESCAPES[name](solutions["attention_layer"]))
    checks = [check for exercise in grade.exercises for check in exercise.checks]
    texts = [grade.message, *(c.message for c in checks), *(c.printed for c in checks)]
    assert any("\N{REPLACEMENT CHARACTER}" in text for text in texts)
    assert all(c.isprintable() for text in texts for c in text.replace("\n", ""))
    assert (grade.points == FULL) is (name == "at import")  # where a line costs nothing


# Files on disk


def on_disk(grader: Grader, path: Path, data: bytes) -> Grade:
    """Grade a file with this content."""
    path.write_bytes(data)
    [submission] = find(path, None)
    return grader.grade(submission)


def latin_1(text: str) -> bytes:
    """Return the module in latin-1, with a character that UTF-8 encodes differently."""
    text = f"# -*- coding: latin-1 -*-\nassert ord('\xe9') == 0xE9\n{text}"
    return text.encode("latin-1", "replace")


FINE: dict[str, Callable[[str], bytes]] = {
    "BOM": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "latin-1": latin_1,
    "UTF-16": lambda text: text.encode("utf-16"),
    "a stray byte order mark": lambda text: text.replace(
        "import math", "\ufeffimport math"
    ).encode(),
    "no newline at the end": lambda text: text.rstrip("\n").encode(),
}


@pytest.mark.parametrize("name", sampled(FINE, each=2))
def test_unusual_files_are_read(
    name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    data = FINE[name](solutions["attention_layer"])
    assert data != solutions["attention_layer"].encode()
    grade = on_disk(grader, tmp_path / "attention_layer.py", data)
    assert (grade.status, grade.message) == ("graded", "")
    assert has_full_marks(grade)


UNREADABLE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a little too much": (
        lambda data: data.ljust(200_003, b"#"),
        "has 200,003 bytes; a module may have 200 kB.",
    ),
    "5 MB": (lambda data: data + b"# data\n" * 714_286, "has 5.0 MB; a module may have 200 kB."),
    "NUL": (lambda data: data + b"\0", "contains NUL bytes, which no code has. Delete them, and"),
    "half of UTF-16": (
        lambda data: b"\xff\xfe" + data + b"\n" * (1 - len(data) % 2),  # an odd number of bytes
        "is damaged UTF-16 text.",
    ),
    "unknown coding": (
        lambda data: b"# coding: klingon\n" + data,
        "is UTF-8 text, but line 1 says that it is 'klingon'. Delete that line.",
    ),
    "0xe9 in line 1": (lambda data: b"# \xe9\n" + data, "is not UTF-8 text (line 1)."),
    "0xe9 in line 2": (lambda data: b"#\n# \xe9\n" + data, "is not UTF-8 text (line 2)."),
    "0xe9 in line 7": (lambda data: b"#\n" * 6 + b"# \xe9\n" + data, "is not UTF-8 text (line 7)."),
    "0xe9 after CRLF": (lambda data: b"#\r\n" * 4 + b"\xe9" + data, "is not UTF-8 text (line 5)."),
}


@pytest.mark.parametrize("name", sampled(UNREADABLE, each=2))
def test_an_unreadable_file_leaves_its_neighbour_alone(
    name: str, grader: Grader, tmp_path: Path, solutions: Texts
) -> None:
    spoil, sentence = UNREADABLE[name]
    path = tmp_path / "attention_layer.py"
    path.write_bytes(spoil(solutions["attention_layer"].encode()))
    (tmp_path / "multi_head.py").write_text(solutions["multi_head"], encoding="utf-8")
    spoilt, neighbour = (grader.grade(submission) for submission in find(tmp_path, None))
    assert spoilt.status == "unreadable"
    assert spoilt.message.startswith(f"{path} {sentence}")
    assert (spoilt.points, spoilt.max_points) == (0, FULL)
    assert of(neighbour, "MultiHeadList").waits_for == "AttentionHead"
    assert has_full_marks(neighbour, "MultiHeadAttention")


EXPECTED = " or ".join(f"{name}.py" for name in assignments())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("attention_layer.py", "There is no file {}."),
        ("attention_layer.ipynb", "{} cannot be read as a notebook ("),
        ("attention_layer.txt", "{} is neither a Python module (.py) nor a notebook (.ipynb)."),
        ("", f"{{}} holds no submission: expected {EXPECTED}, or a notebook of that name."),
    ],
)
def test_what_is_not_there_is_named(
    name: str, sentence: str, grader: Grader, tmp_path: Path
) -> None:
    path = tmp_path / name
    if path.suffix in (".ipynb", ".txt"):
        path.write_text("{}")
    [submission] = find(path, None)
    grade = grader.grade(submission)
    assert grade.status == "unreadable"
    assert grade.message.startswith(sentence.format(path))
    assert grade.points == 0
    assert {exercise.outcome for exercise in grade.exercises} <= {Outcome.FAILED}
    assert grade.max_points == (FULL if name else 0)


# The command line


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--exercise", "There is no exercise Nonsense. The exercises are: running_mean_loop, ru"),
        ("--assignment", "argument --assignment: invalid choice: 'Nonsense' (choose from"),
    ],
)
def test_unknown_names_are_exit_code_4(option: str, sentence: str, command: Command) -> None:
    run = command("grade", "solutions", option, "Nonsense")
    assert run.returncode == 4
    assert run.stdout == ""
    assert sentence in run.stderr.splitlines()[-1]
    assert [line for line in run.stderr.splitlines() if "Nonsense" in line] == [
        run.stderr.splitlines()[-1]
    ]
    assert "Traceback" not in run.stderr


@pytest.mark.dear
def test_a_missing_path_leaves_the_others_graded(command: Command, tmp_path: Path) -> None:
    run = command("grade", tmp_path / "attention_layer.py", "solutions/multi_head/multi_head.py")
    assert run.returncode == 4
    missing, *sentence, other, lock = run.stdout.splitlines()
    assert missing.split()[1:] == ["attention_layer", "unreadable", f"0/{FULL:g}"]
    assert " ".join(map(str.strip, sentence)).startswith("There is no file /")
    full = f"{points('multi_head'):g}"
    assert other.split() == ["solutions", "multi_head", "graded", f"{full}/{full}"]
    assert lock == "Graded locked."
    assert "Traceback" not in run.stderr


def processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the start time of each living process."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if fields[0] not in "ZX":
            found[int(path.parent.name)] = (int(fields[1]), fields[19])
    return found


def offspring(root: int) -> set[tuple[int, str]]:
    """Return the descendants of a process, by number and start time."""
    living, family = processes(), {root}
    while more := {pid for pid, (parent, _) in living.items() if parent in family} - family:
        family |= more
    return {(pid, living[pid][1]) for pid in family - {root}}


def living() -> set[tuple[int, str]]:
    """Return all processes, by number and start time."""
    return {(pid, start) for pid, (_, start) in processes().items()}


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait for a condition. Returns whether it came true in time."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def stays(condition: Callable[[], bool]) -> bool:
    """Return whether a condition holds for half a second."""
    for _ in range(10):
        time.sleep(0.05)
        if not condition():
            return False
    return True


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("lock", "before", "count"),
    [
        # The grader and multiprocessing's tracker of resources, and what the grader starts: the
        # warm process, a child and what that has started; or bubblewrap twice, the warm process
        # and a child.
        ("--unlocked", "import subprocess; subprocess.Popen(['sleep', '600'])", 5),
        ("--locked", "", 6),
    ],
)
def test_ctrl_c_leaves_no_process_behind(
    lock: str, before: str, count: int, tmp_path: Path, solutions: Texts
) -> None:
    endless = [before, "while True: pass"]
    right = solutions["attention_layer"]
    (tmp_path / "s0.py").write_text(right, encoding="utf-8")
    for i in range(1, 9):
        (tmp_path / f"s{i}.py").write_text(in_forward(right, *endless), encoding="utf-8")
    arguments = ["--assignment", "attention_layer", "--seconds", "60", lock]
    run = subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", str(tmp_path), *arguments],
        cwd=root(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stderr is not None
        assert run.stderr.readline() == "graded 1/9  s0\n"
        assert until(lambda: stays(lambda: len(offspring(run.pid)) == count), 10)
        family = offspring(run.pid)
        os.kill(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=20)
    finally:
        run.kill()
    assert run.returncode == 2
    assert errors == "\ninterrupted: 1 of 9 were graded\n"
    assert until(lambda: not family & living(), 3)
