"""A part of `make fuzz`: whatever comes of strangers is read or refused, and costs little."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable

import pytest
import torch
from conftest import sampled
from in_process import Honest, Scripted

from autograder.client import Session, StepFailed, SubmissionImplementation, Text
from autograder.runtime.protocol import MAGIC, PREFIX, Garbled
from autograder.runtime.wire import MAX_HEADER, MAX_NUMBERS, decode, encode
from autograder.sandbox import Limits
from fuzzing import TARGETS, fuzz

PART = 100  # one in so many of all cases
DEEP = {  # how much of a kind must come how far, or end how, lest it be tried in vain
    "bytes": ("read", 0.01),
    "messages": ("read", 0.1),
    "answers": ("read", 0.03),
    "traces": ("told from one that cannot be read", 0.3),
    "exercises, all checks": ("passed", 0.3),
    "exercises, explained": ("failed", 0.2),
    "consultations": ("the reference has computed something", 0.2),
    "times of handing in": ("a time was read, and shown in other zones", 0.15),
    "downloads": ("somebody else's was read", 0.1),
    "folders to grade": ("one was read", 0.2),
    "ids of students": ("the name was an id", 0.15),
    "pages": ("with added cells", 0.6),
}
LARGE = 64 << 20  # bytes that a sandbox takes of one reply


@pytest.mark.parametrize("name", sampled(TARGETS))
@pytest.mark.dear
def test_whatever_comes_is_read_or_refused(name: str) -> None:
    target, cases = TARGETS[name]
    tried = fuzz(target, max(10, cases // PART))
    assert tried.count >= max(10, cases // PART)
    wanted, share = DEEP[name]
    assert tried.stages[wanted] + tried.outcomes[wanted] >= share * tried.count


def framed(header: bytes, body: bytes = b"") -> bytes:
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def filled(unit: str, size: int = LARGE) -> bytes:
    """A list of so many of these that it has about this size."""
    return f"[{','.join([unit] * (size // (len(unit) + 1)))}]".encode()


AGAIN = '{"$again":0}'
GREEDY: dict[str, Callable[[], bytes]] = {
    "lists": lambda: framed(filled("[]")),
    "objects": lambda: framed(filled("{}")),
    "numbers": lambda: framed(filled("0.1")),
    "texts": lambda: framed(filled('"ab"')),
    "empty tensors": lambda: framed(filled('{"$tensor":["int8",[0]]}')),
    "lists within the limit": lambda: framed(filled("[]", MAX_HEADER)),
    "empty tensors within the limit": lambda: framed(
        filled('{"$tensor":["int8",[0]]}', MAX_HEADER)
    ),
    "a large tensor": lambda: encode(torch.zeros(LARGE, dtype=torch.int8)),
    "a tensor again and again": lambda: framed(
        b'[{"$tensor":["int8",[16777216]]},' + filled(AGAIN, MAX_HEADER - 100)[1:], bytes(1 << 24)
    ),
}


@pytest.mark.parametrize("name", sampled(GREEDY, each=2))
def test_a_reply_costs_little_to_read(name: str) -> None:
    """Beyond what the message itself takes: as a child's answer, and in what is made of it."""
    answer = GREEDY[name]()
    child = type("Greedy", (Honest,), {})(Limits())

    def exchange(request: bytes) -> bytes:
        return Honest._exchange(child, request) if b'"stem"' in request else answer

    child._exchange = exchange
    implementation = SubmissionImplementation(
        Session(Scripted(lambda _: child)), Text("m", {"m": ""}, ())
    )
    implementation.load()
    course = implementation.client()
    tracemalloc.start()
    with pytest.raises(StepFailed):
        course.M()(torch.ones(2)).value  # noqa: B018
    course.transcript()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 << 20


def test_a_tensor_may_be_used_again_within_reason() -> None:
    tree = [torch.ones(1000)] * 10
    assert len(decode(encode(tree), untrusted=True)) == 10
    many = framed(
        b'[{"$tensor":["int8",[1048576]]}' + f",{AGAIN}".encode() * 20 + b"]", bytes(1 << 20)
    )
    assert len(decode(many)) == 21
    with pytest.raises(Garbled, match="uses its tensors too often"):
        decode(many, untrusted=True)


@pytest.mark.parametrize(
    "message",
    [
        framed(json.dumps(["x" * MAX_HEADER]).encode()),
        encode(torch.zeros(MAX_NUMBERS + 8, dtype=torch.int8)),
    ],
    ids=["header", "numbers"],
)
def test_requests_and_recordings_may_be_larger_than_a_strangers_reply(message: bytes) -> None:
    decode(message)
    with pytest.raises(Garbled, match="more than any answer"):
        decode(message, untrusted=True)
