"""Replies of a child in which a substitute consults the grader, honest ones changed and others."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import torch
from hypothesis import strategies as st
from in_process import Honest, Scripted
from torch import nn

from autograder.client import Session, StepFailed, SubmissionImplementation, Text, loading
from autograder.client.reference_server import Consult, RequestData, Response
from autograder.runtime import wire
from autograder.runtime.substitute import substitute, substitute_function, substitute_plain
from autograder.runtime.wire import Tree
from autograder.sandbox import Limits
from fuzzing.case import Case, said
from fuzzing.replies import changed, trees

STEM = "attention_layer"
STOOD_FOR: dict[str, tuple[tuple[int, ...], int]] = {  # arguments, and number of inputs
    "QueryKeyValue": ((3, 2), 1),
    "ScaledDotProduct": ((), 3),
    "FeedForwardLayer": ((3, 4), 1),
    "AttentionHead": ((3, 2), 1),
}
PLAIN = {"BatchNorm1d": "normalization"}
FUNCTIONS = {"running_mean_matmul": "running_averages", "single_head": "causal_attention"}
KINDS = (
    dict.fromkeys(STOOD_FOR, "module")
    | dict.fromkeys(PLAIN, "plain class")
    | dict.fromkeys(FUNCTIONS, "function")
)
LENGTHS = (0, 1, 2, 3, 4, 31, 64, 400, 512, 513, 1024, 4096, 4097)
ARGUMENTS: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 4, 1023, 1024, 1025, 10**4000, 0.5, 1e308, True, None, "3", {"input": 0},
    {"input": -1}, {"input": 10**4000}, {"linear": [0]}, {"linear": [1, 0]}, {"linear": [5]},
)  # fmt: skip
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool)
VALUES = (0.0, 1.0, -1e38, 1e38, float("inf"), float("nan"))
PLACES = (8, 9, 12, 16, 17, 24, 5015, 5040)  # counters and flags in a state of random numbers
PHRASES = (
    "a question of another kind", "an argument of", "a state of random numbers",
    "something other than a small tensor", "other parameters", "inputs that do not fit",
    "inputs that are too large together", "inputs with too long a dimension",
    "gradients of other shapes", "cannot do this",
    "it asks for an exercise that has no substitute", "does not answer what was asked",
    "its reply is invalid",
)  # fmt: skip


@cache
def oracles() -> dict[str, Consult]:
    """What answers for each exercise that is stood for."""
    homes = dict.fromkeys(STOOD_FOR, STEM) | FUNCTIONS | PLAIN
    return {name: loading.load(home).consult for name, home in homes.items()}


@cache
def honest_questions() -> list[RequestData]:
    """What substitutes ask where they are used as the exercises are."""
    asked: list[RequestData] = []

    def consult(question: RequestData) -> Response:
        asked.append(question)
        return oracles()[question["of"]](question)

    for name, (arguments, count) in STOOD_FOR.items():
        for leading in ((), (2,), (2, 1)):
            inputs = [torch.randn(*leading, 4, 3, requires_grad=True) for _ in range(count)]
            found = substitute(name, consult)(*arguments)(*inputs)
            outputs = found if isinstance(found, tuple) else (found,)
            sum(output.sum() for output in outputs).backward()
    x, *layers = torch.randn(2, 4, 3, requires_grad=True), *(nn.Linear(3, 2) for _ in range(3))
    substitute_function("running_mean_matmul", consult)(x)[1].sum().backward()
    made = substitute_plain("BatchNorm1d", consult)(3)
    made(x[0]).sum().backward()
    made.training = False
    made(x[0]).sum().backward()
    substitute_function("single_head", consult)(x, *layers)[1].sum().backward()
    return asked


shapes = st.lists(st.sampled_from(LENGTHS), max_size=6).filter(
    lambda shape: math.prod(shape) <= 1 << 14  # Size.numel() overflows
)


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    """Tensors of any shape that a message has room for, of few kinds of numbers."""
    made = torch.full(draw(shapes), draw(st.sampled_from(VALUES)))
    dtype = draw(st.sampled_from(DTYPES))
    return made.nan_to_num().to(dtype) if dtype in (torch.int64, torch.bool) else made.to(dtype)


@st.composite
def states(draw: st.DrawFn) -> torch.Tensor:
    """States of random numbers with some bytes changed, as a right one has them."""
    state = torch.default_generator.get_state().clone()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.sampled_from(PLACES) | st.integers(0, len(state) - 1))
        state[place] = draw(st.integers(0, 255) | st.sampled_from((1, 0x70, 0x71)))
    return state


@st.composite
def questions(draw: st.DrawFn) -> Tree:
    """Honest questions, with something exchanged for what fits or nearly does."""
    question = dict(draw(st.sampled_from(honest_questions())))
    match draw(st.integers(0, 6)):
        case 0:
            return draw(trees)
        case 1:
            return draw(changed(question))
        case 2:
            question["inputs"] = [draw(tensors()) for _ in question.get("inputs", ())]
        case 3:
            question["random"] = draw(states())
        case 4:
            question["arguments"] = [
                draw(st.sampled_from(ARGUMENTS)) for _ in question["arguments"]
            ]
        case 5 if "parameters" in question:
            question["parameters"] = {name: draw(tensors()) for name in question["parameters"]}
        case _:
            length = draw(st.sampled_from(LENGTHS[:8]))
            leading = draw(st.sampled_from(((), (1,), (length,), (length, 1, 1), (1, length, 1))))
            width = [one.shape[-1] for one in question.get("inputs", ())]
            question["inputs"] = [torch.zeros(*leading, length, size) for size in width]
    return question


class Asking(Honest):
    """A child that consults before it answers; it keeps what it was told."""

    def __init__(self, limits: Limits, asked: list[Tree]) -> None:
        super().__init__(limits)
        self._left, self.told = asked, list[Tree]()

    def _exchange(self, request: bytes) -> bytes:
        if b'"stem"' in request:
            return super()._exchange(request)
        message = wire.decode(request)
        if "steps" not in message and "jobs" not in message:
            self.told.append(message)
        if self._left:
            return wire.encode({"consult": self._left.pop(0)})
        return wire.encode([{"value": 3}])


def consulting(case: Case) -> str:
    """Ask a child that consults up to three times before it answers."""
    asked = [case.draw(questions()) for _ in range(case.draw(st.integers(1, 3)))]
    sandbox = Scripted(lambda limits: Asking(limits, [*asked]))
    implementation = SubmissionImplementation(
        Session(sandbox), Text("m", {"m": "M = 1"}, ()), oracles(), KINDS
    )
    before = torch.default_generator.get_state()
    problem = ""
    with case.timed():
        implementation.load()
        try:
            implementation.client().M()(torch.ones(2)).value  # noqa: B018
        except StepFailed as failed:
            problem = failed.problem.text
    assert torch.equal(torch.default_generator.get_state(), before)
    child = sandbox.given[0]
    assert isinstance(child, Asking)
    for told in child.told:
        case.reaches("the oracle was asked")
        if isinstance(told, dict) and "value" in told:
            case.reaches("the reference has computed something")
            if isinstance(told["value"], dict) and "gradients" in told["value"]:
                case.reaches("gradients were sent")
    refusals = [str(t["problem"]) for t in child.told if isinstance(t, dict) and "problem" in t]
    if refusals:
        return f"refused: {said(refusals[0], PHRASES)}"
    return "answered" if child.told and len(child.told) == len(asked) else said(problem, PHRASES)
