"""Points are for right numbers: claims of a submission about itself earn few points or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import sampled

import autograder
from autograder.checking.collect import Checks
from autograder.course import assignments
from autograder.course.exercise import Exercise
from autograder.grading.grade import ExerciseGrade, Grade
from autograder.grading.grader import Grader
from autograder.sandbox import Sandbox
from autograder.submissions.finding import Submission

Texts = dict[str, str]
WITHOUT_NUMBERS = "TestModule"  # the exercise that prints something and returns no numbers
STRUCTURE = "_parameters"  # ends the names of checks of parameters, on which results depend
WORTH = {"TinyTransformer": 2.0}  # points of a check of parameters, if it is not one

# Changes the results of every exercise, and nothing else in the solution.
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
CHANGES = {  # what replaces each result, and whether checks of structure may pass
    "zeros": ("torch.zeros_like(found)", False),
    "ones": ("torch.ones_like(found)", False),
    "no number": ("found * float('nan')", False),
    "random numbers": ("torch.randn_like(found)", False),
    "nothing in a tuple": ("()", False),
    "nothing in a list": ("[]", False),
    "the sum": ("found.sum()", True),
    "no rows": ("found[:0]", False),
    "a text": ("'found'", False),
    "half": ("found / 2", True),
    "twice": ("found * 2", True),
}


@pytest.mark.dear
@pytest.mark.parametrize("change", sampled(CHANGES, each=2))
def test_wrong_numbers_earn_what_structure_is_worth(
    change: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    said, may_pass = CHANGES[change]
    texts = {}
    for assignment in assignments():
        names = [exercise.name for exercise in checks.exercises(assignment)]
        added = CHANGED.replace("{change}", said).replace("{names!r}", repr(names))
        texts[assignment] = solutions[assignment] + added
    assert won_for_structure(texts, Grader(checks, sandbox, frozenset()), solutions) is may_pass


def won_for_structure(texts: Texts, grader: Grader, solutions: Texts) -> bool:
    """Return whether code without a right number wins points; it wins no more than it may."""
    won: dict[str, dict[str, float]] = {}  # the checks that give points, by exercise
    for assignment, text in texts.items():
        grade = graded(grader, assignment, {**solutions, assignment: text})
        won |= {exercise.name: points(exercise) for exercise in grade.exercises}
    assert won.pop(WITHOUT_NUMBERS)
    names = [name for checks_of_one in won.values() for name in checks_of_one]
    assert all(name.endswith(STRUCTURE) for name in names), won
    assert all(list(of_one.values()) in ([], [WORTH.get(e, 1.0)]) for e, of_one in won.items())
    return bool(names)


def test_security_says_which_points_rest_on_trust() -> None:
    text = (Path(autograder.__file__).parent / "SECURITY.md").read_text(encoding="utf-8")
    said = " ".join(text.split())
    assert f"can win the points of {WITHOUT_NUMBERS}, which has no numbers, and in each" in said
    [(two, worth)] = WORTH.items()
    assert worth == 2
    assert f"one point, in {two} two." in said


# Edits of solutions that leave results right for special weights only, and the points that are won.
SPECIAL = {
    "all scores are 0": (
        "CausalAttention",
        "queries @ keys.transpose(-2, -1) / math.sqrt(keys",
        "0 * queries @ keys.transpose(-2, -1) / math.sqrt(keys",
        {"causal_parameters": 1.0, "causal_drops_weights": 2.0},
    ),
    "all scores are 0 in all heads": (
        "MultiHeadAttention",
        "k) * self.scale",
        "k) * 0",
        {"attention_parameters": 1.0, "attention_drops_weights": 2.0},
    ),
    "a branch counts twice": (
        "SimpleAttentionLayer",
        "return y + self.ffl(h)",
        "return y + 2 * self.ffl(h)",
        {"layer_parameters": 1.0, "layer_skips": 1.0},
    ),
    "no branch": ("SimpleAttentionLayer", "return y + self.ffl(h)", "return x * 1", {}),
}


@pytest.mark.dear
@pytest.mark.parametrize("case", sampled(SPECIAL, each=4))
def test_code_that_is_right_for_special_weights_earns_their_points(
    case: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    name, old, new, expected = SPECIAL[case]
    [assignment] = [a for a in assignments() if found(checks, a, name)]
    assert solutions[assignment].count(old) == 1
    text = solutions[assignment].replace(old, new)
    grader = Grader(checks, sandbox, frozenset([name]))
    [grade] = graded(grader, assignment, {**solutions, assignment: text}).exercises
    assert points(grade) == expected


def points(grade: ExerciseGrade) -> dict[str, float]:
    """Return the checks of an exercise that give points, with these."""
    return {check.name: check.points for check in grade.checks if check.points}


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


@pytest.mark.dear
@pytest.mark.parametrize("name", ["SelfAttentionV2", "QueryKeyValue", "MultiHeadAttention"])
def test_parameters_are_those_that_pytorch_registers(
    name: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    """An overridden named_parameters() earns no points."""
    [(assignment, exercise)] = [(a, e) for a in assignments() for e in found(checks, a, name)]
    text = f"{solutions[assignment]}{LISTS}\n{name} = _listed({name})\n"
    grader = Grader(checks, sandbox, frozenset([name]))
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
    grader = Grader(checks, sandbox, frozenset())
    grade = graded(grader, assignment, {**solutions, assignment: LOOKS})
    assert "ValueError: []" in repr([c.message for e in grade.exercises for c in e.checks])


INTERPRETER = """
import sys
_frame = sys._getframe()
while "interpreter" not in _frame.f_locals:
    _frame = _frame.f_back
_calling = type(_frame.f_locals["interpreter"])._found.__globals__["calling"]
"""
# Replaces all numbers in the replies to calls; what else is asked of a solution is answered right.
REPLACED = (
    INTERPRETER
    + """
_call, _descend = _calling.call, _calling.descend

def _replaced(found):
    if isinstance(found, torch.Tensor):
        return {change}
    if isinstance(found, dict):
        return {{name: _replaced(one) for name, one in found.items()}}
    return type(found)(map(_replaced, found)) if isinstance(found, (tuple, list)) else found

def _called(*given):
    found = _call(*given)
    return {{**found, **{{name: _replaced(found[name]) for name in ("output", "gradients")}}}}

_calling.call = _called
_calling.descend = lambda made, step: [loss / 2 for loss in _descend(made, step)]
"""
)


@pytest.mark.dear
@pytest.mark.parametrize("change", sampled(["zeros", "the sum", "half"], each=2))
def test_right_claims_about_wrong_numbers_earn_what_structure_is_worth(
    change: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    """Code that forges the replies of its process can tell of itself all that a solution can."""
    said, may_pass = CHANGES[change]
    texts = {name: text + REPLACED.format(change=said) for name, text in solutions.items()}
    assert won_for_structure(texts, Grader(checks, sandbox, frozenset()), solutions) is may_pass


# Code that breaks a promise that only its own process can observe, and code that hides the breach.
BREACHES = {
    "a loop in place of one product": (
        """
_by_product = running_mean_matmul

def running_mean_matmul(x):
    weights, _ = _by_product(x)
    return weights, torch.stack([x[:, : t + 1].mean(dim=1) for t in range(x.shape[1])], dim=1)
""",
        "_calling.operations = _calling.products = lambda made, step: 1\n",
    ),
    "an argument that is changed": (
        """
_leaving_it = running_mean_matmul

def running_mean_matmul(x):
    found = _leaving_it(x)
    x.data.zero_()
    return found
""",
        "_calling.same = lambda old, new: True\n",
    ),
}


@pytest.mark.parametrize("breach", sampled(BREACHES, each=3))
def test_what_only_the_process_sees_it_can_lie_about(
    breach: str, checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    """Lying code gets the points of such a check; honest code with the same numbers does not."""
    name = "running_averages"
    code, lie = BREACHES[breach]
    grader = Grader(checks, sandbox, frozenset(["running_mean_matmul"]))
    honest, lying = (
        graded(grader, name, {**solutions, name: solutions[name] + added}).exercises[0]
        for added in (code, code + INTERPRETER + lie)
    )
    assert 0 < honest.points < honest.max_points
    assert lying.points == lying.max_points


def test_the_same_code_twice_is_graded_twice(
    checks: Checks, sandbox: Sandbox, solutions: Texts
) -> None:
    grader = Grader(checks, sandbox, frozenset(["running_mean_loop"]))
    texts = {"running_averages": solutions["running_averages"]}
    anna, ben = (
        grader.grade(Submission(who, Path("running_averages.py"), "running_averages", texts))
        for who in ("anna", "ben")
    )
    assert anna.points == ben.points == anna.max_points
    assert (anna.message, anna.exercises) == (ben.message, ben.exercises)
