"""Encoded messages decode to the same tree, and every invalid message raises Garbled."""

from __future__ import annotations

import contextlib
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from autograder.client import (
    Called,
    Session,
    StepFailed,
    SubmissionImplementation,
    Text,
    answers,
)
from autograder.client.answers import KINDS, TEXT_LIMIT, Frame, Problem, Registered
from autograder.course import root
from autograder.runtime.protocol import MAGIC, PREFIX, Garbled, size
from autograder.runtime.wire import DTYPES, MAX_RANK, Tree, decode, encode
from autograder.sandbox import Child, Limits, Sandbox

thorough = settings(
    max_examples=600, deadline=None, derandomize=True, database=None, report_multiple_bugs=False
)
quick = settings(thorough, max_examples=300)
brief = settings(thorough, max_examples=120)

LAYOUTS: dict[str, Callable[[Tensor], Tensor]] = {
    "as it is": lambda t: t,
    "transposed": lambda t: t.transpose(0, -1) if t.dim() else t,
    "every second": lambda t: t[..., ::2] if t.dim() else t,
    "expanded": lambda t: t.expand(2, *t.shape),
    "part": lambda t: t[1:] if t.dim() else t,
}


@st.composite
def tensors(draw: st.DrawFn) -> Tensor:
    """Generate tensors of any bits, any dtype and any small shape, contiguous or not."""
    dtype = draw(st.sampled_from(sorted(DTYPES)))
    shape = draw(st.lists(st.integers(0, 4), max_size=4))
    length = math.prod(shape) * DTYPES[dtype].itemsize
    numbers = bytearray(draw(st.randoms(use_true_random=False)).randbytes(length))
    if dtype == "bool":
        numbers = bytearray(byte % 2 for byte in numbers)
    flat = torch.frombuffer(numbers or bytearray(8), dtype=DTYPES[dtype])
    tensor = flat[: math.prod(shape)].reshape(shape)
    return LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](tensor)


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
keys = st.text(max_size=5).filter(lambda key: not key.startswith("$"))


def trees(leaves: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.recursive(
        leaves | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=8,
    )


def same(a: Tree, b: Tree) -> bool:
    """Return whether two trees are equal in type and value, tensors bit for bit."""
    if isinstance(a, Tensor):
        return isinstance(b, Tensor) and (a.dtype, a.shape) == (b.dtype, b.shape) and _bits(a, b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and bool(a == b)


def _bits(a: Tensor, b: Tensor) -> bool:
    one, other = (torch.empty(t.numel(), dtype=t.dtype).copy_(t.flatten()) for t in (a, b))
    return torch.equal(one.view(torch.uint8), other.view(torch.uint8))


def message(tree: Tree, body: bytes = b"") -> bytes:
    """Return a message with this JSON header and this body."""
    return framed(json.dumps(tree).encode(), body)


def framed(header: bytes, body: bytes = b"") -> bytes:
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def refused(bad: bytes) -> str:
    """Return the text of the Garbled error that a message raises."""
    with pytest.raises(Garbled) as caught:
        decode(bad)
    assert caught.type is Garbled
    return str(caught.value)


GOOD = encode({"x": torch.arange(6.0).reshape(2, 3), "deep": [1, "ä", {"y": torch.ones(2) > 0}]})


# Encoding and decoding


@quick
@given(trees(plain | tensors()))
def test_round_trip(tree: Tree) -> None:
    assert same(decode(encode(tree)), tree)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (3,), (2, 3), (1,) * MAX_RANK])
def test_every_type_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    tensor = torch.randint(0, 2, shape, generator=torch.Generator()).to(DTYPES[dtype])
    assert same(decode(encode([tensor, 7, tensor.clone()])), [tensor, 7, tensor])


def test_tuples_arrive_as_lists_and_trained_tensors_as_numbers() -> None:
    tensor = torch.ones(2, requires_grad=True)
    (arrived,) = decode(encode((tensor,)))
    assert torch.equal(arrived, torch.ones(2))
    assert not arrived.requires_grad


def test_the_same_tensor_travels_once() -> None:
    tensor = torch.zeros(1000, dtype=torch.float64)
    sent = encode({"a": tensor, "b": [tensor, tensor]})
    assert len(sent) < 8000 + 200
    assert len(encode([tensor, tensor.clone()])) > 16000
    arrived = decode(sent)
    assert arrived["a"] is arrived["b"][0] is arrived["b"][1]
    assert torch.equal(arrived["a"], tensor)


def test_decoded_tensors_own_their_memory() -> None:
    sent = encode([torch.ones(3, dtype=torch.int8), torch.zeros(3, dtype=torch.int8)])
    before = bytes(bytearray(sent))
    first, second = decode(sent)
    again, _ = decode(sent)
    first.fill_(5)
    assert sent == before
    assert second.tolist() == [0, 0, 0]
    assert again.tolist() == [1, 1, 1]


def test_a_byte_that_is_no_bool_becomes_one() -> None:
    sent = message({"$tensor": ["bool", [3]]}, bytes([0, 7, 255, 0, 0, 0, 0, 0]))
    arrived = decode(sent)
    assert arrived.dtype is torch.bool
    assert arrived.view(torch.uint8).tolist() == [0, 1, 1]


@pytest.mark.parametrize("tree", [math.nan, math.inf, [{"a": -math.inf}]])
def test_the_writer_refuses_what_the_reader_would(tree: Tree) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        encode(tree)


# The prefix


def test_size_of_a_message_within_the_limit() -> None:
    assert size(PREFIX.pack(MAGIC, 40, 60), 100) == 100
    assert size(GOOD[: PREFIX.size], 10_000) == len(GOOD) - PREFIX.size


@pytest.mark.parametrize("lengths", [(41, 60), (0, 101), (2**32 - 1, 0), (2**32 - 1, 2**64 - 1)])
def test_size_above_the_limit(lengths: tuple[int, int]) -> None:
    with pytest.raises(Garbled, match="more than the 100 allowed"):
        size(PREFIX.pack(MAGIC, *lengths), 100)


def test_size_of_a_foreign_prefix() -> None:
    with pytest.raises(Garbled, match="does not begin with the expected bytes"):
        size(b"HTTP/1.1 200 OK\r\n"[: PREFIX.size], 1 << 40)


def test_wrong_magic() -> None:
    refused(b"nope" + GOOD[4:])


def test_truncated() -> None:
    for kept in range(PREFIX.size, len(GOOD)):
        refused(GOOD[:kept])


@pytest.mark.parametrize("kept", [0, 1, 4, PREFIX.size - 1])
def test_truncated_within_the_prefix(kept: int) -> None:
    refused(GOOD[:kept])


@pytest.mark.parametrize("more", [b"\0", b"\0" * 8, GOOD])
def test_too_long(more: bytes) -> None:
    refused(GOOD + more)


@pytest.mark.parametrize("lengths", [(2**32 - 1, 0), (0, 2**64 - 1), (2**32 - 1, 2**64 - 1)])
def test_lengths_that_are_not_those_of_the_parts(lengths: tuple[int, int]) -> None:
    refused(PREFIX.pack(MAGIC, *lengths) + GOOD[PREFIX.size :])


# The header

HEADERS = {
    "empty": b"",
    "no JSON": b"{'a': 1}",
    "two documents": b"[1] [2]",
    "key twice": b'{"a": 1, "a": 1}',
    "key twice, once escaped": b'{"a": 1, "\\u0061": 2}',
    "tensor twice": b'{"$tensor": ["uint8", [0]], "$tensor": ["uint8", [0]]}',
    "NaN": b"[NaN]",
    "Infinity": b"[Infinity]",
    "-Infinity": b'{"a": -Infinity}',
    "Latin-1": '"ä"'.encode("latin-1"),
    "number of 5000 digits": b"9" * 5000,
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_is_not_one(name: str) -> None:
    refused(framed(HEADERS[name]))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_a_header_in_another_encoding(encoding: str) -> None:
    refused(framed('{"a": 1}'.encode(encoding)))


def test_a_header_with_half_a_character() -> None:
    refused(framed(b'"\xed\xa0\x80"'))


def test_a_number_too_large_for_a_float() -> None:
    refused(framed(b"1e999"))


@pytest.mark.parametrize("opening, closing", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [400, 950, 1200, 100_000])
def test_deep_nesting(opening: str, closing: str, depth: int) -> None:
    with _near_the_limit():
        refused(framed((opening * depth + "1" + closing * depth).encode()))


@contextlib.contextmanager
def _near_the_limit() -> Iterator[None]:
    """Leave as little of the stack as a deeply nested test runner does."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def test_moderate_nesting_is_read() -> None:
    tree: Tree = 1
    for _ in range(60):
        tree = [tree]
    assert decode(encode(tree)) == tree


# The descriptions of tensors

DESCRIBED: dict[str, Tree] = {
    "unknown type": ["complex64", [1]],
    "type with module": ["torch.float32", [1]],
    "type with capitals": ["Float32", [1]],
    "type is a number": [5, [1]],
    "negative": ["float32", [-1]],
    "two negatives": ["float32", [-1, -1]],
    "huge": ["uint8", [2**40]],
    "huge together": ["uint8", [2**39, 2**39]],
    "longer than the body": ["uint8", [9]],
    "boolean": ["uint8", [True]],
    "fraction": ["uint8", [1.0]],
    "text": ["uint8", ["1"]],
    "null": ["uint8", [None]],
    "nested": ["uint8", [[1]]],
    "rank": ["uint8", [1] * (MAX_RANK + 1)],
    "no shape": ["uint8"],
    "a number as shape": ["uint8", 1],
    "three parts": ["uint8", [1], 0],
    "no list": {"uint8": [1]},
    "text as a whole": "ab",
    "nothing": None,
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_tensor_that_cannot_be(name: str) -> None:
    refused(message({"$tensor": DESCRIBED[name]}, bytes(8)))


@pytest.mark.parametrize("shape", [[2**39, 2**39, 0], [0] + [2**39] * 3, [2**39] * 15 + [0]])
def test_an_empty_tensor_with_a_huge_shape(shape: list[int]) -> None:
    assert "impossible tensor" in refused(message({"$tensor": ["uint8", shape]}))


@pytest.mark.parametrize("shape", [[0, 2**39], [2**40, 0, 0]])
def test_an_empty_tensor_with_a_large_shape_is_read(shape: list[int]) -> None:
    assert list(decode(message({"$tensor": ["uint8", shape]})).shape) == shape


@pytest.mark.parametrize("length", [0, 7, 9, 16])
def test_a_body_that_does_not_fit_its_tensors(length: int) -> None:
    assert "body" in refused(message({"$tensor": ["uint8", [5]]}, bytes(length)))


def test_a_body_without_tensors() -> None:
    assert "too long" in refused(message(1, bytes(8)))


@pytest.mark.parametrize("number", [1, -1, 2**70, True, False, 0.0, "0", None, [0], {"a": 0}])
def test_the_number_of_a_tensor_that_is_not_there(number: Tree) -> None:
    tree = [{"$tensor": ["uint8", [8]]}, {"$again": number}]
    assert "does not have" in refused(message(tree, bytes(8)))


@pytest.mark.parametrize("name", ["$tensor", "$again"])
def test_extra_keys_next_to_a_tensor(name: str) -> None:
    tree = [{"$tensor": ["uint8", [8]]}, {name: ["uint8", [8]], "more": 1}]
    assert "impossible tensor" in refused(message(tree, bytes(16)))


# Arbitrary bytes


def read_whole_or_refused(data: bytes) -> None:
    """Check that a message is refused, or else that what is read is the whole of it."""
    try:
        found = decode(data)
    except Garbled:
        assert data != GOOD
        return
    assert parts(encode(found)) == parts(data)


def parts(data: bytes) -> tuple[str, int]:
    """The header of a message with its keys in order, and the length of its body."""
    _, header, body = PREFIX.unpack_from(data)
    described = data[PREFIX.size : PREFIX.size + header].decode()
    return repr(json.loads(described, object_pairs_hook=tuple)), body


@pytest.mark.dear
@thorough
@given(st.binary(min_size=PREFIX.size, max_size=200), st.booleans())
def test_random_bytes(data: bytes, as_header: bool) -> None:
    read_whole_or_refused(framed(data) if as_header else data)


edits = st.lists(
    st.tuples(st.integers(0, len(GOOD)), st.integers(0, 3), st.binary(max_size=3)), max_size=4
)


@pytest.mark.dear
@thorough
@given(edits, st.booleans())
def test_a_message_with_errors_in_it(changes: list[tuple[int, int, bytes]], reframed: bool) -> None:
    data = GOOD
    for place, gone, instead in changes:
        data = data[:place] + instead + data[place + gone :]
    if reframed:
        body = len(GOOD) - GOOD.rindex(b"}") - 1
        rest = data[PREFIX.size :]
        data = framed(rest[: len(rest) - body], rest[len(rest) - body :])
    if len(data) >= PREFIX.size:  # what is shorter has a test of its own
        read_whole_or_refused(data)


dims = st.sampled_from([0, 0, 1, 2, 3, 2**39, 2**39, 2**40, 2**63, -1, True, 1.0, None])
entries = st.tuples(st.sampled_from([*DTYPES, "object"]), st.lists(dims, max_size=4)).map(list)
numbers = st.integers(-1, 3) | st.booleans() | st.none()
places = st.fixed_dictionaries({"$tensor": entries}) | st.fixed_dictionaries({"$again": numbers})


@pytest.mark.dear
@quick
@given(trees(plain | places), st.integers(0, 8))
def test_a_message_of_right_form_and_random_content(tree: Tree, eights: int) -> None:
    read_whole_or_refused(message(tree, bytes(8 * eights)))


# The readers of answers

NAMES = ["output", "changed", "gradients", "inputs", "parameters", "shape", "trained", "first"]
NAMES += ["other", "kind", "type", "text", "where", "frames", "have", "want", "file", "line"]
NAMES += ["code"]
ODD: list[Tree] = [
    torch.ones(()), torch.ones(2), torch.zeros(0), None, True, 0, 1, -1, 2**70, 0.5, "", "names",
    "x" * 700, [], [0], [[]], [None], ["a"], {}, {"w": None}, {"shape": [1]}, {"other": "text"},
]  # fmt: skip
odd = st.sampled_from(ODD) | trees(plain | st.sampled_from(ODD))
named = odd | st.dictionaries(st.sampled_from(NAMES), odd, max_size=6)


def dictionary(**parts: Tree) -> st.SearchStrategy[Tree]:
    """Generate dictionaries of which any part may be replaced by an arbitrary value."""
    return st.fixed_dictionaries({name: st.just(part) | named for name, part in parts.items()})


FRAME = {"file": "m.py", "line": 3, "code": "x = 1"}
GRADIENTS = {"inputs": [torch.ones(2), None], "parameters": {"w": torch.ones(2)}}
WORDS = {"type": "", "text": "", "where": "M"}
WEIGHT = {"shape": [2], "trained": True, "first": "w"}
NEAR: dict[str, st.SearchStrategy[Tree]] = {
    "problem": dictionary(kind="names", frames=[FRAME], have={"w": WEIGHT}, want={"w": [2]}).map(
        lambda found: found | WORDS
    ),
    "called": dictionary(output=[torch.ones(2), {"other": "text"}], changed=[0], gradients=None),
    "parameters": st.dictionaries(
        keys, dictionary(shape=[1, 2], trained=False, first="v"), max_size=3
    ),
    "numbers": st.dictionaries(keys, named, max_size=3),
    "nothing": st.none(),
    "count": st.integers(),
    "words": st.lists(st.text() | st.just("x" * 700) | named, max_size=3),
}


@pytest.mark.parametrize("reader", NEAR)
def test_readers_read_what_is_right(reader: str) -> None:
    right: dict[str, Tree] = {
        "problem": {"kind": "names", "frames": [FRAME], **WORDS},
        "called": {"output": None, "changed": [1], "gradients": GRADIENTS},
        "parameters": {"w": WEIGHT},
        "numbers": {"w": torch.ones(2), "b": {"other": "of type int"}},
        "nothing": None,
        "count": 3,
        "words": ["a", "b"],
    }
    read: dict[str, Any] = {
        "problem": Problem("names", "", "", (Frame("m.py", 3, "x = 1"),), "M"),
        "parameters": {"w": Registered((2,), True, "w")},
        "numbers": {"w": torch.ones(2), "b": None},
    }
    found = getattr(answers, reader)(right[reader])
    if reader == "called":
        found = {
            "output": found.output,
            "changed": found.changed,
            "gradients": vars(found.gradients),
        }
    assert same(found, (right | read)[reader])


@pytest.mark.parametrize("reader", NEAR)
@pytest.mark.dear
def test_readers_refuse_random_trees(reader: str) -> None:
    @brief
    @given(named | NEAR[reader])
    def whatever(data: Tree) -> None:
        try:
            read = getattr(answers, reader)(data)
        except Garbled:
            seen.add("refused")
            return
        seen.add("read")
        assert is_of(read, get_type_hints(getattr(answers, reader))["return"])
        if isinstance(read, Problem):
            assert read.kind in KINDS
            assert len(read.frames) <= 8
        if isinstance(read, Called):
            assert all(0 <= i < 16 for i in read.changed)
            assert is_output(read.output)

    seen: set[str] = set()
    whatever()
    assert seen == {"read", "refused"}


def is_of(value: Any, kind: Any) -> bool:
    """Return whether a value has the type, with all that is in it, and short texts."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any or origin is Callable:
        return True
    if origin in (Union, UnionType):
        return any(is_of(value, one) for one in arguments)
    if origin in (tuple, list):  # tuples of any length
        return type(value) is origin and all(is_of(item, arguments[0]) for item in value)
    if origin in (dict, Mapping):
        pairs = value.items() if type(value) is dict else [(None, None)]
        return all(is_of(key, arguments[0]) and is_of(item, arguments[1]) for key, item in pairs)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return type(value) is kind and all(is_of(getattr(value, n), hints[n]) for n in hints)
    return type(value) is kind and (kind is not str or len(value) <= TEXT_LIMIT)


def is_output(read: Any) -> bool:
    """Return whether an output is nothing, tensors in lists, or a short text for anything else."""
    if isinstance(read, list):
        return all(map(is_output, read))
    return read is None or is_of(read, Tensor) or is_of(read, str)


NAMED = {"kind": "names", "frames": [], **WORDS}


@pytest.mark.parametrize(
    "reader, data",
    [
        ("problem", {"kind": "killed", "frames": [], **WORDS}),
        ("problem", {"kind": "names", "frames": [FRAME] * 9, **WORDS}),
        ("problem", {"kind": "names", "frames": [{}], **WORDS}),
        ("problem", {"kind": "names", "frames": [], **WORDS, "text": None}),
        ("problem", {**NAMED, "have": torch.ones(2)}),
        ("problem", {**NAMED, "want": torch.ones(2)}),
        ("problem", {**NAMED, "have": 0}),
        ("problem", {**NAMED, "have": {"w": [2]}}),
        ("called", {"output": None, "changed": [], "gradients": 0}),
        ("called", {"output": None, "changed": [], "gradients": torch.ones(2)}),
        ("called", {"output": {"other": 1}, "changed": [], "gradients": None}),
        ("called", {"output": [[[[[torch.ones(1)]]]]], "changed": [], "gradients": None}),
        ("called", {"output": None, "changed": [16], "gradients": None}),
        ("called", {"output": None, "changed": [True], "gradients": None}),
        ("called", {"output": None, "changed": []}),
        ("parameters", {"w": WEIGHT | {"shape": [2.0]}}),
        ("parameters", {"w": WEIGHT | {"trained": 1}}),
        ("parameters", {"w": WEIGHT | {"first": None}}),
        ("parameters", {"w": {"shape": [2], "trained": True}}),
        ("numbers", {str(i): None for i in range(1001)}),
        ("nothing", 0),
        ("count", True),
        ("words", ["a", 1]),
    ],
)
def test_readers_refuse(reader: str, data: Tree) -> None:
    with pytest.raises(Garbled):
        getattr(answers, reader)(data)


def test_texts_are_cut() -> None:
    found = answers.problem({"kind": "raised", "frames": [], **WORDS, "text": "x" * 10_000})
    assert 100 < len(found.text) < 1000


# A submission whose child answers arbitrarily


class _Parrot(Child):
    """A child that gives prepared replies to any request."""

    def __init__(self, replies: list[bytes]) -> None:
        super().__init__(Limits())
        self._replies = iter(replies)

    def _exchange(self, request: bytes) -> bytes:
        return next(self._replies)

    def end(self) -> None:
        pass


class _Aviary(Sandbox):
    def __init__(self, *replies: bytes) -> None:
        super().__init__(Limits())
        self._replies = list(replies)

    def child(self) -> Child:
        return _Parrot(self._replies)

    def close(self) -> None:
        pass


def says(*replies: Tree | bytes) -> SubmissionImplementation:
    """Return a submission whose child gives these replies."""
    sent = [reply if isinstance(reply, bytes) else encode(reply) for reply in replies]
    return SubmissionImplementation(Session(_Aviary(*sent)), Text("m", {"m": ""}, ()))


@pytest.mark.parametrize(
    "reply",
    [
        {"problem": None, "names": 5},
        {"problem": 5, "names": [], "written": []},
        {"problem": None, "names": {}, "written": []},
        {"problem": None, "names": [torch.ones(2)]},
        b"short",
        {"problem": None},
        [],
        5,
        GOOD[:-1],
    ],
)
def test_a_forged_reply_to_the_first_job_is_the_submissions_problem(reply: Tree | bytes) -> None:
    loaded = says(reply).load()
    assert loaded.problem
    assert loaded.problem.kind == "garbled"


GRADIENTLESS: Tree = {"output": None, "changed": []}


@pytest.mark.parametrize(
    "answer",
    [
        {"value": {**GRADIENTLESS, "gradients": 0}},
        {"value": {**GRADIENTLESS, "gradients": torch.ones(2)}},
        {"problem": {"kind": "names", "frames": [], **WORDS, "have": torch.ones(2)}},
        {"value": 5},
        {"problem": None},
        {},
        5,
        None,
    ],
)
def test_a_forged_answer_is_a_failed_step(answer: Tree) -> None:
    implementation = says({"problem": None, "names": ["M"]}, [{"value": None}, answer])
    assert implementation.load().problem is None
    with pytest.raises(StepFailed) as caught:
        implementation.client().M()(torch.ones(2)).value  # noqa: B018
    assert caught.value.problem.kind == "garbled"


@pytest.mark.parametrize("reply", [None, {}, [], [{"value": None}], [{"value": None}] * 3])
def test_answers_to_other_questions_are_a_failed_step(reply: Tree) -> None:
    implementation = says({"problem": None, "names": ["M"]}, reply)
    implementation.load()
    with pytest.raises(StepFailed, match="does not answer what was asked"):
        implementation.client().M()().value  # noqa: B018


def test_nothing_is_unpickled() -> None:
    """No module of the engine loads pickles, which execute code, directly or indirectly."""
    for path in (root() / "autograder").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(pickle|marshal|shelve|torch\.load)\b", text), path
