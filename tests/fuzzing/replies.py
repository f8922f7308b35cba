"""Replies of a child: bytes, trees, and a submission's honest answers with something changed."""

from __future__ import annotations

import json
import math
from functools import cache, partial
from typing import Any

import torch
from hypothesis import strategies as st
from in_process import Honest, Scripted
from torch import Tensor

from autograder.checking.collect import collect
from autograder.client import (
    Conversation,
    Session,
    StepFailed,
    SubmissionImplementation,
    Text,
    answers,
)
from autograder.course import assignments, solution
from autograder.course.exercise import Exercise
from autograder.diagnosis.naming import namer
from autograder.diagnosis.trace import answered
from autograder.grading.examination import Examination
from autograder.grading.grade import Outcome
from autograder.grading.grader import Grader
from autograder.runtime.protocol import MAGIC, PREFIX, Garbled, size
from autograder.runtime.questions import (
    Build,
    Call,
    Descend,
    Hooked,
    Listed,
    Move,
    Operations,
    Parameters,
    Rounds,
    State,
    Step,
    Values,
)
from autograder.runtime.wire import DTYPES, Tree, decode, encode
from autograder.sandbox import Limits
from fuzzing.case import Case

READERS = (
    "problem", "called", "parameters", "numbers", "nothing", "count", "truth", "state", "losses",
    "words",
)  # fmt: skip
STEPS: tuple[Step, ...] = (
    Build(0, "M", (), {}, torch.float64),
    Call(0, (), torch.float64),
    Parameters(0),
    Values(0),
    State(0, ()),
    Listed(0),
    Operations(0, (), torch.float64),
    Descend(0, (), torch.zeros(1), 1),
    Hooked(0, (), torch.float64),
    Move(0, (), torch.float64),
    Rounds(0, (), torch.float64),
)
NAMES = (
    "value", "problem", "output", "changed", "gradients", "inputs", "parameters", "shape",
    "trained", "first", "other", "kind", "type", "text", "where", "frames", "have", "want", "file",
    "line", "code", "numbers", "graph", "consult", "do", "of", "arguments", "named", "random",
    "training",
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (2,), (3, 5), (3, 5, 2), (0, 4), (1,) * 16)
NUMBERS = (0.0, 1.0, -1.0, math.nan, math.inf, 1e30)


def odd_tensors() -> list[Tensor]:
    """Of every type and shape, with every kind of number that it can hold."""
    made = []
    for dtype in DTYPES.values():
        for shape in SHAPES:
            numbers = NUMBERS if dtype.is_floating_point else (0, 1)
            made += [torch.full(shape, number).to(dtype) for number in numbers]
    return made


leaves: st.SearchStrategy[Tree] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([0, -1, 2**31, 2**63, 2**70, 10**4000]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from([*NAMES, "x" * 5000, "\x1b[2J", "\u202e", "\ud800", "names", "raised"]),
    st.sampled_from(odd_tensors()),
)
words = st.sampled_from(NAMES) | st.text(max_size=4).filter(lambda key: key[:1] != "$")
trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=5),
    max_leaves=10,
)


@st.composite
def changed(draw: st.DrawFn, tree: Tree) -> Tree:
    """The tree with one to three of its parts replaced, left out, put twice, or exchanged."""
    for _ in range(draw(st.integers(1, 3))):
        tree = _changed(draw, tree)
    return tree


def _changed(draw: st.DrawFn, tree: Tree) -> Tree:
    """The tree with a change at a place in it; what is not on the way to it stays the same."""
    deeper = isinstance(tree, list | dict) and tree and draw(st.integers(0, 5))
    if isinstance(tree, dict) and deeper:
        key = draw(st.sampled_from(sorted(tree)))
        return {**tree, key: _changed(draw, tree[key])}
    if isinstance(tree, list) and deeper:
        place = draw(st.integers(0, len(tree) - 1))
        return [*tree[:place], _changed(draw, tree[place]), *tree[place + 1 :]]
    return draw(_instead(tree))


def _instead(tree: Tree) -> st.SearchStrategy[Tree]:
    """What can stand in a tree's place, so that it nearly is what was expected."""
    if isinstance(tree, dict) and tree:
        fewer = st.sampled_from(sorted(tree)).map(lambda gone: _without(tree, gone))
        more = st.tuples(words, trees).map(lambda pair: {**tree, pair[0]: pair[1]})
        return fewer | more | trees
    if isinstance(tree, list) and tree:
        orders = st.permutations(tree).map(list)
        return orders | st.sampled_from([tree[:-1], tree * 2, [tree], []]) | trees
    if isinstance(tree, Tensor):
        same_shape = st.sampled_from([*DTYPES.values()]).map(lambda dtype: tree.to(dtype))
        shapes = [tree.mT if tree.dim() > 1 else tree[None], tree[..., :1] if tree.dim() else tree]
        filled = st.sampled_from(NUMBERS).map(lambda number: torch.full(tree.shape, number))
        reshaped = st.sampled_from([*shapes, tree.flatten(), torch.stack([tree, tree])])
        return same_shape | filled | reshaped.map(Tensor.contiguous) | trees
    return trees


def _without(tree: dict[str, Tree], gone: str) -> dict[str, Tree]:
    return {key: value for key, value in tree.items() if key != gone}


# Bytes

GOOD = encode({"x": torch.arange(6.0).reshape(2, 3), "deep": [1, "\xe4", {"y": torch.ones(2) > 0}]})
places = st.fixed_dictionaries(
    {
        "$tensor": st.tuples(
            st.sampled_from([*DTYPES, "object"]), st.lists(st.integers(-1, 3), max_size=3)
        ).map(list)
    }
) | st.fixed_dictionaries({"$again": st.integers(-1, 3) | st.none()})
edits = st.lists(
    st.tuples(st.integers(0, len(GOOD)), st.integers(0, 3), st.binary(max_size=3)), max_size=4
)


def reading_bytes(case: Case) -> str:
    message = case.draw(st.binary(max_size=200) | edits.map(_edited) | st.binary().map(_framed))
    prefix = message[: PREFIX.size].ljust(PREFIX.size, b"\0")
    magic, *lengths = PREFIX.unpack(prefix)
    try:
        follows = size(prefix, 1 << 20)
    except Garbled:
        assert magic != MAGIC or sum(lengths) > 1 << 20
    else:
        assert (magic, follows) == (MAGIC, sum(lengths))
    return _decoded(case, message)


def reading_messages(case: Case) -> str:
    """Well-formed JSON with tensors that may not be."""
    plain = st.recursive(
        st.none() | st.integers() | st.text(max_size=3) | places,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=3),
        max_leaves=6,
    )
    header = json.dumps(case.draw(plain)).encode()
    return _decoded(case, _framed(header, bytes(8 * case.draw(st.integers(0, 8)))))


def _decoded(case: Case, message: bytes) -> str:
    try:
        with case.timed():
            tree = decode(message, untrusted=True)
    except Garbled:
        return "refused"
    assert PREFIX.unpack_from(encode(tree))[2] == PREFIX.unpack_from(message)[2]  # all of the body
    return "read"


def _edited(changes: list[tuple[int, int, bytes]]) -> bytes:
    message = GOOD
    for place, gone, instead in changes:
        message = message[:place] + instead + message[place + gone :]
    return message


def _framed(header: bytes, body: bytes = b"") -> bytes:
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


# Trees

FRAME = {"file": "m.py", "line": 3, "code": "x = 1"}
WEIGHT = {"shape": [2], "trained": True, "first": "w"}
PROBLEM = {"kind": "names", "type": "", "text": "", "where": "M", "frames": [FRAME],
           "have": {"w": WEIGHT}, "want": {"w": [2]}}  # fmt: skip
GRADIENTS = {"inputs": [torch.ones(2), None], "parameters": {"w": torch.ones(2)}}
CALLED = {"output": [torch.ones(2, 3), None], "changed": [0], "gradients": GRADIENTS}
RIGHT: dict[str, Tree] = {
    "problem": PROBLEM, "called": CALLED, "parameters": {"w": WEIGHT},
    "numbers": {"w": torch.ones(2)}, "nothing": None, "count": 3, "truth": True,
    "state": {"w": {"numbers": torch.ones(2), "graph": False}}, "losses": [1.0, 0.5],
    "words": ["a", "b"],
}  # fmt: skip


def reading_answers(case: Case) -> str:
    """By each reader, as any other would be answered, and as if it were the answer to any step."""
    reader = case.draw(st.sampled_from(READERS))
    tree = case.draw(trees | changed(RIGHT[reader]))
    answer = case.draw(st.sampled_from([{"value": tree}, {"problem": tree}, tree]))
    conversation = Conversation(lambda steps, fresh: ([answer] * len(steps), ""))
    read = partial(answers.losses, steps=2) if reader == "losses" else getattr(answers, reader)
    try:
        with case.timed():
            conversation.add(Values(0), read).value  # noqa: B018
    except StepFailed:
        return "refused"
    return "read"


def tracing_answers(case: Case) -> str:
    """What is kept of an answer is like itself."""
    step = case.draw(st.sampled_from(STEPS))
    tree = case.draw(trees | st.sampled_from(list(RIGHT.values())).flatmap(changed))
    answer = case.draw(st.sampled_from([{"value": tree}, {"problem": tree}, tree]))
    with case.timed():
        kept = answered(step, answer)
        assert kept.is_like(answered(step, answer))
    if not kept.is_like(answered(step, None)):
        case.reaches("told from one that cannot be read")
    return "kept"


# Whole exercises


class Forger(Honest):
    """A child that changes something in most of its honest replies, or in few of them.

    A check goes on to its later questions only if the first replies are right.
    """

    def __init__(self, limits: Limits, case: Case, honest: int) -> None:
        super().__init__(limits)
        self._draw = case.draw
        self._honest = honest

    def reply(self, job: dict[str, Any]) -> Any:
        honest = super().reply(job)
        if "steps" in job and self._draw(st.integers(1, 30)) > self._honest:
            return self._draw(changed(honest))
        return honest if "steps" in job or self._draw(st.integers(0, 9)) else self._draw(trees)


@cache
def _grader() -> Grader:
    return Grader(collect(), Scripted(), frozenset(), diagnosing=namer)


@cache
def _exercises() -> list[Exercise]:
    grader = _grader()
    return [e for name in assignments() for e in grader.checks.exercises(name)]


def examining(case: Case, explained: bool) -> str:
    """No check breaks down over a forged answer, nor does what explains why it failed."""
    grader = _grader()
    exercise = case.draw(st.sampled_from(_exercises()))
    home = grader.checks.home(exercise)
    texts = {home: solution(home)}
    honest = case.draw(st.sampled_from([10, 27, 29]))  # replies in 30
    sandbox = Scripted(*[partial(Forger, case=case, honest=honest)] * 50)
    implementation = SubmissionImplementation(Session(sandbox), Text(home, texts, assignments()))
    examination = Examination(grader.checks, grader.reference, implementation, sandbox.limits)
    with case.timed():  # with the forging, which costs more than the rest
        graded = examination.of(exercise)
        if explained and graded.outcome is Outcome.FAILED and grader.namer:
            grader.namer.of(exercise, examination.runs[exercise.name])
            examination.example(exercise)
    broken = [f"{c.name}: {c.message}" for c in graded.checks if c.outcome is Outcome.ERROR]
    assert not broken, broken
    return graded.outcome.value
