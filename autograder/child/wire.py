"""Data-only messages: a tree of plain values and tensors as bytes, and strictly back.

A message is `MAGIC`, the lengths of its two parts, a JSON header and a body. The
header is `{"tree": ..., "tensors": [[dtype, shape], ...]}`; in the tree, the i-th
tensor stands as `{"$tensor": i}`, wherever it is used. The body is the tensors' numbers,
in the same order, each padded to 8 bytes. There are no names, offsets or types to trust,
and reading never executes anything: what is not exactly so is refused as Garbled.
"""

from __future__ import annotations

import json
import math
from typing import Any

import torch
from torch import Tensor

from autograder.child.protocol import MAGIC, PREFIX, Garbled

MAX_RANK = 16
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
    )
}  # fmt: skip

Tree = Any  # None, bool, int, float, str, Tensor, lists and str-keyed dicts of these


def encode(tree: Tree) -> bytes:
    """The message for a tree. Tensors must be dense CPU tensors of a type in DTYPES."""
    tensors: list[Tensor] = []
    numbers: dict[int, int] = {}  # a tensor that is used twice travels once

    def plain(value: Tree) -> Tree:
        if isinstance(value, Tensor):
            if id(value) not in numbers:
                numbers[id(value)] = len(tensors)
                tensors.append(value)
            return {"$tensor": numbers[id(value)]}
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        return value

    tree = plain(tree)
    shapes = [[str(t.dtype).removeprefix("torch."), list(t.shape)] for t in tensors]
    header = json.dumps({"tree": tree, "tensors": shapes}, allow_nan=False).encode()
    body = b"".join(_padded(_numbers(tensor)) for tensor in tensors)
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def decode(message: bytes) -> Tree:
    """The tree of a whole message; its tensors own their memory. Raises Garbled."""
    if len(message) < PREFIX.size:
        raise Garbled("the message ends before it has begun")
    magic, header_size, body_size = PREFIX.unpack_from(message)
    if magic != MAGIC or len(message) != PREFIX.size + header_size + body_size:
        raise Garbled("the message's parts are not as long as it says")
    start = PREFIX.size + header_size
    try:
        header = json.loads(
            message[PREFIX.size : start].decode("ascii"),
            object_pairs_hook=_no_key_twice,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as problem:
        raise Garbled(f"the message's header cannot be read: {problem}") from None
    if not isinstance(header, dict) or header.keys() != {"tree", "tensors"}:
        raise Garbled("the message's header has other parts than tree and tensors")
    tensors = _tensors(header["tensors"], bytearray(message[start:]))

    def whole(value: Tree) -> Tree:
        if isinstance(value, list):
            return [whole(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "$tensor" not in value:
            return {key: whole(item) for key, item in value.items()}
        number = value["$tensor"]
        if len(value) != 1 or type(number) is not int or not 0 <= number < len(tensors):
            raise Garbled("the message uses a tensor that it does not have")
        return tensors[number]

    try:
        return whole(header["tree"])
    except RecursionError:
        raise Garbled("the message is nested too deeply") from None


def _tensors(described: Tree, body: bytearray) -> list[Tensor]:
    if not isinstance(described, list):
        raise Garbled("the message does not list its tensors")
    tensors, offset = [], 0
    for entry in described:
        dtype, shape, count = _described(entry)
        length = count * dtype.itemsize
        if offset + length > len(body):
            raise Garbled("the message's body is too short for its tensors")
        flat = (
            torch.frombuffer(body, dtype=dtype, count=count, offset=offset)
            if count
            else torch.empty(0, dtype=dtype)
        )
        if dtype is torch.bool:
            flat = flat.view(torch.uint8) != 0  # a byte such as 7 is no bool
        tensors.append(flat.reshape(shape))
        offset += length + -length % 8
    if offset != len(body):
        raise Garbled("the message's body is too long for its tensors")
    return tensors


def _described(entry: Tree) -> tuple[torch.dtype, list[int], int]:
    match entry:
        case [str(name), list(shape)] if name in DTYPES and len(shape) <= MAX_RANK:
            sizes = [n for n in shape if type(n) is int and n >= 0]
            if len(sizes) == len(shape) and math.prod(max(n, 1) for n in sizes) < 2**48:
                return DTYPES[name], shape, math.prod(shape)
    raise Garbled("the message describes a tensor that cannot be")


def _no_key_twice(pairs: list[tuple[str, Tree]]) -> dict[str, Tree]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Garbled("the message's header names a key twice")
    return found


def _finite(number: str) -> float:
    if not math.isfinite(float(number)):
        raise Garbled("the message's header contains a number beyond all bounds")
    return float(number)


def _no_constant(name: str) -> None:
    raise Garbled(f"the message's header contains {name}")


def _numbers(tensor: Tensor) -> bytes:
    if tensor.dtype is torch.bfloat16:  # which numpy does not know
        tensor = tensor.contiguous().view(torch.int16)
    return tensor.numpy(force=True).tobytes()


def _padded(numbers: bytes) -> bytes:
    return numbers + bytes(-len(numbers) % 8)
