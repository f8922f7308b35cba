"""Points are for right numbers: what a submission only says of itself earns few or none."""

from __future__ import annotations

from pathlib import Path

import pytest

import autograder
from autograder.course import assignments
from autograder.exercise import Exercise
from autograder.grading.collect import Checks
from autograder.grading.grade import Grade
from autograder.grading.grader import Grader
from autograder.grading.submissions import Submission
from autograder.sandbox import Sandbox

Texts = dict[str, str]
WITHOUT_NUMBERS = "TestModule"  # the exercise that is to print something
STRUCTURE = 11  # points for parameters of the right names and shapes on which results depend

# What every exercise gives is changed, all else is as in the solution.
CHANGED = """

def _changed(found):
    if isinstance(found, torch.Tensor):
        return {change}
    return type(found)(map(_changed, found)) if isinstance(found, (tuple, list)) else found

def _changing(function):
    return lambda *given, **named: _changed(function(*given, **named))

for _name in {names!r}:
    _made = globals()[_name]
    if not isinstance(_made, type):
        globals()[_name] = _changing(_made)
    else:
        _call = "forward" if hasattr(_made, "forward") else "__call__"
        setattr(_made, _call, _changing(getattr(_made, _call)))
"""
CHANGES = {  # what becomes of each result, and the points of structure that are left
    "zeros": ("torch.zeros_like(found)", 0),
    "ones": ("torch.ones_like(found)", 0),
    "no number": ("found * float('nan')", 0),
    "random numbers": ("torch.randn_like(found)", 0),
    "half": ("found / 2", STRUCTURE),
    "twice": ("found * 2", STRUCTURE),
}


@pytest.mark.parametrize("change", CHANGES)
def test_wrong_numbers_earn_what_structure_is_worth(
    change: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    said, most = CHANGES[change]
    grader = Grader(checks, sandbox, frozenset(), explains=False)
    points: dict[str, float] = {}
    for assignment in assignments():
        names = [exercise.name for exercise in checks.exercises(assignment)]
        added = CHANGED.replace("{change}", said).replace("{names!r}", repr(names))
        text = solutions[assignment] + added
        grade = graded(grader, assignment, {**solutions, assignment: text})
        points |= {exercise.name: exercise.points for exercise in grade.exercises}
    assert points.pop(WITHOUT_NUMBERS) == 2
    assert sum(points.values()) == most, points


def test_security_says_how_many_points_rest_on_trust() -> None:
    text = (Path(autograder.__file__).parent / "SECURITY.md").read_text(encoding="utf-8")
    said = " ".join(text.split())
    assert f"can win {STRUCTURE + 2} points of 139: 2 for {WITHOUT_NUMBERS}" in said
    assert f"and {STRUCTURE} for parameters" in said


def graded(grader: Grader, assignment: str, texts: Texts) -> Grade:
    return grader.grade(Submission("anna", Path(f"{assignment}.py"), assignment, texts))


LISTS = """

def _listed(cls):
    real = cls.__init__
    def __init__(self, *given, **named):
        real(self, *given, **named)
        self.listed = {name: nn.Parameter(p.detach().clone()) for name, p in
                       nn.Module.named_parameters(self)}
        for module in self.modules():
            module._parameters.clear()
        self._modules.clear()
    def named_parameters(self, *given, **named):
        return iter(self.listed.items())
    cls.__init__, cls.named_parameters = __init__, named_parameters
    cls.parameters = lambda self, *given: iter(self.listed.values())
    cls.state_dict = lambda self, *given, **named: dict(self.listed)
    cls.load_state_dict = lambda self, given, *more, **named: None
    cls.__getattr__ = lambda self, name: self.listed[name]
    cls.forward = lambda self, x, *more: sum(p.sum() for p in self.listed.values()) * x
    return cls
"""


@pytest.mark.parametrize("name", ["SelfAttentionV2", "QueryKeyValue", "MultiHeadAttention"])
def test_parameters_are_those_that_pytorch_registers(
    name: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    """What named_parameters() says, overridden, is worth nothing."""
    [(assignment, exercise)] = [(a, e) for a in assignments() for e in found(checks, a, name)]
    text = f"{solutions[assignment]}{LISTS}\n{name} = _listed({name})\n"
    grader = Grader(checks, sandbox, frozenset([name]), explains=False)
    [grade] = graded(grader, assignment, {**solutions, assignment: text}).exercises
    assert grade.points == 0, [(check.title, check.message) for check in grade.checks]
    assert exercise.name == grade.name


def found(checks: Checks, assignment: str, name: str) -> list[Exercise]:
    return [exercise for exercise in checks.exercises(assignment) if exercise.name == name]


LOOKS = """
import sys
raise ValueError(sorted(name for name in sys.modules if "autograder" in name))
"""


def test_a_submission_does_not_find_the_engine_among_the_modules(
    checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    assignment = assignments()[0]
    grader = Grader(checks, sandbox, frozenset(), explains=False)
    grade = graded(grader, assignment, {**solutions, assignment: LOOKS})
    assert "ValueError: []" in repr([c.message for e in grade.exercises for c in e.checks])
