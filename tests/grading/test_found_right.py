"""An exercise that was found right is not examined again while all that it depends on stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import sampled

from autograder.checking.collect import Checks, collect
from autograder.client import Text
from autograder.course import assignments, solution
from autograder.course.misconceptions import misconceptions
from autograder.diagnosis.naming import namer
from autograder.grading.found_right import FoundRight
from autograder.grading.grade import ExerciseGrade, Grade, Outcome
from autograder.grading.in_turn import grade
from autograder.report.as_output import verdict
from autograder.report.feedback import MOST_HINTS
from autograder.sandbox import Sandbox
from autograder.submissions.finding import Submission

CODE = '''
import torch
SIZE = 3

def helper(x):
    return x * SIZE

def other(x):
    return x + 1

def f(x):
    """Return it."""
    return helper(x)
'''
FOUND = ExerciseGrade("f", ())
USERS = [  # exercises that use others
    (assignment, exercise.name)
    for assignment in assignments()
    for exercise in collect().exercises(assignment)
    if exercise.needs or any(one.name in solution(assignment) for one in exercise.may_use)
]


def text(code: str, **others: str) -> Text:
    return Text("m", {"m": code, **others}, ("m", *others))


def is_known(before: Text, after: Text, name: str = "f") -> bool:
    found = FoundRight()
    found.add(FOUND, before)
    return found.get(name, after) is FOUND


SAME = {
    "nothing": CODE,
    "a comment": f"{CODE}# more\n",
    "layout": CODE.replace("x * SIZE", "(x *\n        SIZE)"),
    "a definition that it does not use": CODE.replace("x + 1", "x + 2"),
    "a new definition": f"{CODE}\ndef new(x):\n    return torch.rand(3)\n",
    "a class with what its calls do": f"{CODE}\nclass New(torch.nn.Module):\n    size: int = 3\n"
    "    def forward(self, x):\n        torch.manual_seed(0)\n        return x\n",
}
CHANGED = {
    "itself": CODE.replace("return helper", "return 2 * helper"),
    "what it uses": CODE.replace("x * SIZE", "x / SIZE"),
    "a value that this uses": CODE.replace("SIZE = 3", "SIZE = 4"),
    "an import": CODE.replace("import torch", "import math as torch"),
    "an older definition, made again": CODE.replace(
        "def f(", "def helper(x):\n    return x\n\ndef f("
    ),
    "a name within another": f"{CODE}\nf.size = 3\n",
    "a statement with an effect": f"{CODE}\ntorch.manual_seed(3)\n",
    "a decorator": f"{CODE}\n@print\ndef new(x):\n    return x\n",
    "a default": f"{CODE}\ndef new(x=torch.manual_seed(3)):\n    return x\n",
    "what a class does": f"{CODE}\nclass New:\n    torch.nn.Linear.bias = None\n",
    "what a class imports": f"{CODE}\nclass New:\n    import helpers\n",
    "a default that binds a name": f"{CODE}\ndef new(x=(SIZE := 4)):\n    return x\n",
    "a global name in a class": f"{CODE}\nclass New:\n    global SIZE\n    SIZE = 4\n",
    "a definition that stops the module": f"{CODE}\ndef new(x, x):\n    return x\n",
}
SEEN_BY = {  # code that sees a definition which it does not name
    "a hook of its base": "class Base:\n    def __init_subclass__(cls):\n        pass\n"
    "class New(Base):\n    size = {}\n",
    "a metaclass": "class New(metaclass=Meta):\n    size = {}\n",
    "whoever asks for a name": "def __getattr__(name):\n    return {}\n",
    "code in a text": "eval('new(3)')\ndef new(x):\n    return x + {}\n",
}


@pytest.mark.parametrize("change", SAME)
def test_it_is_known_with_another(change: str) -> None:
    assert is_known(text(CODE), text(SAME[change]))


@pytest.mark.parametrize("change", CHANGED)
def test_it_is_not_known_after_a_change_of(change: str) -> None:
    assert not is_known(text(CODE), text(CHANGED[change]))


@pytest.mark.parametrize("who", SEEN_BY)
def test_a_definition_counts_that_is_seen_by(who: str) -> None:
    before, after = (f"{CODE}\n{SEEN_BY[who].format(number)}" for number in (1, 2))
    assert is_known(text(before), text(before)) and not is_known(text(before), text(after))


def test_other_modules_count_as_far_as_they_are_used() -> None:
    code, earlier = CODE.replace("import torch", "import earlier"), "def g(x):\n    return {}\n"
    before = text(code, earlier=earlier.format(1))
    assert is_known(before, text(code, earlier=earlier.format(2)))
    assert not is_known(before, text(code, earlier=f"print()\n{earlier.format(1)}"))
    uses = code.replace("x * SIZE", "earlier.g(x)")
    used = [text(uses, earlier=earlier.format(number)) for number in (1, 1, 2)]
    assert is_known(used[0], used[1]) and not is_known(used[0], used[2])


def test_other_names_and_places_are_others() -> None:
    assert not is_known(text(CODE), text(CODE), "other")
    before, cells = text(CODE), Text("m", {"m": [["In [1]", CODE]]}, ("m",))
    assert is_known(before, cells)
    assert not is_known(before, Text("n", before.texts, ("m",)))
    assert not is_known(before, Text("m", before.texts, ("m",), folders=("", "sub")))


@pytest.mark.parametrize("code", ["def f(x:\n", "f = '\0'\n", f"f = {'(' * 5000}{')' * 5000}\n"])
def test_what_cannot_be_read_is_never_known(code: str) -> None:
    assert not is_known(text(code), text(code))


def test_a_file_whose_name_is_in_another_encoding_can_be_used() -> None:
    one = text(CODE, **{"L\udcf6sung.py": "import torch\n"})
    assert is_known(one, one)


def test_only_the_last_are_remembered() -> None:
    found, codes = FoundRight(most=2), [f"{CODE}\nprint({i})\n" for i in range(3)]
    for code in codes[0], codes[1], codes[0], codes[2]:
        found.add(FOUND, text(code))
    assert [bool(found.get("f", text(code))) for code in codes] == [True, False, True]


def graded(
    sandbox: Sandbox, assignment: str, exercise: str, text: str, found: FoundRight | None = None
) -> Grade:
    texts = {name: solution(name) for name in assignments()} | {assignment: text}
    one = Submission("own", Path(f"{assignment}.py"), assignment, texts)
    [result] = grade([one], sandbox, [exercise], diagnosing=namer, found_right=found)
    return result


class Counting(FoundRight):
    """Counts the exercises that were not examined again."""

    known = 0

    def get(self, name: str, text: Text) -> ExerciseGrade | None:
        found = super().get(name, text)
        self.known += found is not None
        return found


@pytest.mark.dear
@pytest.mark.parametrize("user", sampled(USERS, lambda one: "-".join(one)))
def test_a_verdict_is_the_same_without_examining_the_others_again(
    user: tuple[str, str], sandbox: Sandbox
) -> None:
    assignment, exercise = user
    right = solution(assignment)
    known = [one for one in misconceptions(assignment) if one.exercise == exercise]
    wrong = [one.source(right) for one in known if not one.costs_no_points][:4]
    found = Counting()
    for code in [*wrong, right, *wrong]:
        verdicts = [graded(sandbox, assignment, exercise, code, it) for it in (None, found)]
        assert len({verdict(one, MOST_HINTS, in_notebook=False) for one in verdicts}) == 1
    assert found.known


@pytest.mark.dear
def test_an_exercise_waits_for_one_that_became_wrong(checks: Checks, sandbox: Sandbox) -> None:
    assignment, user, need = next(
        (assignment, exercise, need)
        for assignment in assignments()
        for exercise in checks.exercises(assignment)
        for need in exercise.needs
        if need in checks.exercises(assignment)
    )
    right, found = solution(assignment), FoundRight()

    def broken(name: str, code: str) -> str:
        known = misconceptions(assignment)
        return next(
            one.source(code) for one in known if one.exercise == name and not one.costs_no_points
        )

    code = broken(user.name, right)
    [own] = graded(sandbox, assignment, user.name, code, found).exercises
    assert (own.outcome, own.waits_for) == (Outcome.FAILED, "")
    code = broken(need.name, code)
    [own] = graded(sandbox, assignment, user.name, code, found).exercises
    assert own.waits_for == need.name


@pytest.mark.dear
def test_the_mistake_is_told_before_the_example_is_sought(sandbox: Sandbox) -> None:
    assignment = assignments()[0]
    code, told = solution(assignment), list[Grade]()
    [wrong, *_] = [one for one in misconceptions(assignment) if not one.costs_no_points]
    for one in wrong.source(code), code:
        given = Submission("own", Path(f"{assignment}.py"), assignment, {assignment: one})
        [whole] = grade([given], sandbox, [wrong.exercise], diagnosing=namer, early=told.append)
        if one != code:
            [early], [late] = told[0].exercises, whole.exercises
            assert (early.diagnoses, early.checks) == (late.diagnoses, late.checks)
            assert early.diagnoses and late.example and not early.example
    assert len(told) == 1
