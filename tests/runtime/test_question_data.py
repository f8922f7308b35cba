"""Each step arrives in a child as the grader has sent it; what is malformed is refused."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest
import torch

from autograder.client.comparison import are_same
from autograder.runtime import questions
from autograder.runtime.interpreter import Interpreter
from autograder.runtime.protocol import Garbled
from autograder.runtime.question_data import question_data, read_question, read_step, step_data
from autograder.runtime.questions import Question, Step
from autograder.runtime.source import Source
from autograder.runtime.wire import decode, encode

X = torch.arange(6.0).reshape(2, 3)
F32, F64 = torch.float32, torch.float64
STEPS: list[Step] = [
    questions.Seed(7),
    questions.Build(0, "M", (3, 0.5, "tanh", None), {"bias": True}, F64, keep=True),
    questions.Build(0, "M", (), {}, torch.float32, as_built=True),
    questions.Take(1, "mean", {"W_q": (3, 4)}, F32, bias=True),
    questions.Load(0, {"W_q": X}),
    questions.HandOver(0, to=1),
    questions.Train(0, False),
    questions.Call(0, (X, 3), F64, gradient=True, strided=True, anew=False),
    questions.Descend(0, (X,), X.long(), steps=5),
    questions.Operations(0, (X,), F64),
    questions.Products(0, (X,), F64, tokens=2),
    questions.Exponentials(0, (X,), F64, tokens=2),
    questions.Held(0, (X,), F64),
    questions.Rounds(0, (X,), F64),
    questions.Hooked(0, (X,), F64),
    questions.Move(0, (X,), F64),
    questions.Parameters(0),
    questions.Buffers(0),
    questions.Values(0),
    questions.State(0, ("running_mean", "running_var")),
    questions.Listed(0),
    questions.Lacking(0, {"W_q": "Linear"}),
    questions.Training(0),
    questions.Differentiated(0, ("W_q",)),
    questions.Matrices(0),
]
names = pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)


def test_these_are_all_steps() -> None:
    assert {type(step) for step in STEPS} == {*get_args(Step)}


@names
def test_a_step_arrives_as_it_was_sent(step: Step) -> None:
    [arrived] = read_question(decode(encode(question_data(Question([step]))))).steps
    assert are_same([arrived], [step])
    assert not are_same([arrived], [STEPS[STEPS.index(step) - 1]])


def test_a_question_arrives_as_it_was_sent() -> None:
    arrived = read_question(decode(encode(question_data(Question(STEPS, False, 3)))))
    assert are_same(arrived.steps, STEPS)
    assert (arrived.fresh, arrived.seed) == (False, 3)


@names
def test_a_step_without_one_of_its_fields_is_refused(step: Step) -> None:
    for field in fields(step):
        data = step_data(step)
        del data[field.name]
        with pytest.raises(Garbled):
            read_step(data)


@names
def test_a_step_with_a_field_of_another_type_is_refused(step: Step) -> None:
    odd_ones: list[Any] = [None, 2.5, [[]], {"W_q": None}]
    for field in fields(step):
        of_any = field.name in ("arguments", "named")  # their items may have any type
        for odd in odd_ones[:2] if of_any else odd_ones:
            with pytest.raises(Garbled):
                read_step({**step_data(step), field.name: odd})


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"of": 0},
        {"do": "Answer", "of": 0},
        {"do": "ObjectStep", "of": 0},
        {"do": "answer", "question": None},
        {"do": ["Values"], "of": 0},
        {"do": "Values", "of": 0, "more": 1},
        {"do": "Values", "of": True},
        {"do": "State", "of": 0, "names": ["w", 1]},
        {"do": "Rounds", "of": 0, "inputs": [], "dtype": "float80"},
        {"do": "Load", "of": 0, "weights": {"w": 3}},
    ],
)
def test_what_is_no_step_is_refused(data: Any) -> None:
    with pytest.raises(Garbled, match="step"):
        read_question({"steps": [data], "seed": 1, "fresh": True})


@pytest.mark.parametrize(
    "data",
    [None, {}, {"steps": [], "seed": 1}, {"steps": {}, "seed": 1, "fresh": True},
     {"steps": [], "seed": "1", "fresh": True}, {"steps": [], "seed": 1, "fresh": None}],
)  # fmt: skip
def test_what_is_no_question_is_refused(data: Any) -> None:
    with pytest.raises(Garbled, match="malformed question"):
        read_question(data)


MODULE = """
from torch import nn, ones
class M(nn.Module):
    def __init__(self, *arguments, **named):
        super().__init__()
        self.W_q, self.scale = nn.Parameter(ones(2, 3)), nn.Parameter(ones(6))
    def forward(self, x, y=None):
        return x[..., None] * self.scale
def mean(x, W_q):
    return W_q(x)
"""


@names
def test_the_interpreter_carries_out_each_step(step: Step) -> None:
    source = Source("m", {"m": MODULE}, [])
    assert source.load(keep=False) is None
    made = [questions.Build(of, "M", (), {}, F64) for of in (0, 1)]
    answer = Interpreter(source).answer(Question([*made, step]))[-1]
    assert answer.keys() == {"value"}
    assert (answer["value"] is None) == isinstance(step, questions.Making)
