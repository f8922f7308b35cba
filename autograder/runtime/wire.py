"""Encode a tree of plain values and tensors as bytes, and decode it strictly.

A message consists of `MAGIC`, the lengths of its two parts, a JSON header and a body. The header is
the tree. In it, `{"$tensor": [dtype, shape]}` stands for a tensor, and `{"$again": i}` for another
use of tensor number i, counted from 0. Spaces pad the header to a multiple of 8 bytes. The body has
the tensors' numbers in the order of the header, each tensor padded to 8 bytes.

Decoding never executes anything, and trusts no names, offsets or types. It raises Garbled for every
deviation from the format.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.runtime.protocol import MAGIC, PREFIX, Garbled

MAX_RANK = 16
ALIGNED = 8  # bytes, the size of the largest number; each tensor begins at a multiple of it
# Bytes that an untrusted message may have, so that decoding takes little time and memory: in the
# header, which takes up to thirty times as much memory when decoded, and in all uses of tensors.
MAX_HEADER, MAX_NUMBERS = 1 << 20, 16 << 20
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
    )
}  # fmt: skip
STORED_AS = {"bfloat16": "int16", "bool": "uint8"}  # unknown to numpy, or not checked by it
STORED = {name: np.dtype(STORED_AS.get(name, name)) for name in DTYPES}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

Tree = Any  # None, bool, int, float, str, Tensor, lists and str-keyed dicts of these


def encode(tree: Tree) -> bytes:
    """Return the message for a tree. Tensors must be dense CPU tensors of a type in DTYPES."""
    seen: dict[int, int] = {}  # id -> number; a tensor that is used twice is sent once
    body: list[memoryview | bytes] = []

    def plain(tensor: Tensor) -> Tree:
        if id(tensor) in seen:
            return {"$again": seen[id(tensor)]}
        seen[id(tensor)] = len(seen)
        numbers = _numbers(tensor)
        body.append(numbers)
        if gap := -numbers.nbytes % ALIGNED:
            body.append(bytes(gap))
        return {"$tensor": [NAMES[tensor.dtype], list(tensor.shape)]}

    header = json.dumps(tree, allow_nan=False, default=plain).encode()
    header += b" " * (-len(header) % ALIGNED)
    size = sum(memoryview(part).nbytes for part in body)
    return b"".join([PREFIX.pack(MAGIC, len(header), size), header, *body])


def decode(message: bytes | bytearray, untrusted: bool = False) -> Tree:
    """Return the tree of a whole message. Raises Garbled.

    The tensors share the memory of a bytearray, so the caller must not use it again; bytes are
    copied. untrusted: apply the limits MAX_HEADER and MAX_NUMBERS.
    """
    if len(message) < PREFIX.size:
        raise Garbled("the message is shorter than its prefix")
    magic, header_size, body_size = PREFIX.unpack_from(message)
    if magic != MAGIC or len(message) != PREFIX.size + header_size + body_size:
        raise Garbled("the message has another length than its prefix says")
    if untrusted and (header_size > MAX_HEADER or body_size > MAX_NUMBERS):
        raise Garbled(f"the message has {header_size + body_size} bytes, more than any answer")
    start = PREFIX.size + header_size
    numbers = memoryview(message)[start:]
    if numbers.readonly or start % ALIGNED:
        numbers = memoryview(bytearray(numbers))
    body = _Body(numbers, MAX_NUMBERS if untrusted else math.inf)
    try:
        tree = json.loads(
            message[PREFIX.size : start].decode("ascii"),
            object_pairs_hook=body.whole,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except Garbled:
        raise
    except (ValueError, RecursionError) as problem:
        raise Garbled(f"the message's header cannot be read: {problem}") from None
    body.end()
    return tree


class _Body:
    """The body of a message, which is consumed from front to back while its header is read."""

    def __init__(self, numbers: memoryview, most: float) -> None:
        self._numbers = numbers
        self._remaining = most - len(numbers)  # bytes for repeated uses of tensors
        self._offset = 0
        self._tensors: list[Tensor] = []

    def whole(self, pairs: list[tuple[str, Tree]]) -> Tree:
        """Return the tensor or dictionary that a JSON object stands for. Raises Garbled."""
        key, content = pairs[0] if len(pairs) == 1 else ("", None)
        if key == "$tensor":
            self._tensors.append(self._take(content))
            return self._tensors[-1]
        if key == "$again":
            if type(content) is not int or not 0 <= content < len(self._tensors):
                raise Garbled("the message uses a tensor that it does not have")
            tensor = self._tensors[content]
            self._remaining -= tensor.nbytes
            if self._remaining < 0:
                raise Garbled("the message uses its tensors too often")
            return tensor
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Garbled("the message's header names a key twice")
        if "$tensor" in found or "$again" in found:
            raise Garbled("the message describes an impossible tensor")
        return found

    def end(self) -> None:
        """Check that the header has used the whole body. Raises Garbled."""
        if self._offset != len(self._numbers):
            raise Garbled("the message's body is too long for its tensors")

    def _take(self, described: Tree) -> Tensor:
        name, shape, count = _described(described)
        stored = STORED[name]
        length = count * stored.itemsize
        if self._offset + length > len(self._numbers):
            raise Garbled("the message's body is too short for its tensors")
        tensor = torch.from_numpy(np.ndarray(shape, stored, self._numbers, self._offset))
        self._offset += length + -length % ALIGNED
        if name == "bool":
            return tensor != 0  # a byte such as 7 would be an invalid bool
        return tensor.view(DTYPES[name]) if name in STORED_AS else tensor


def _described(entry: Tree) -> tuple[str, list[int], int]:
    """Return the type, shape and number of elements of a tensor. Raises Garbled."""
    if type(entry) is list and len(entry) == 2 and type(entry[0]) is str and entry[0] in DTYPES:
        name, shape = entry
        flat = type(shape) is list and len(shape) <= MAX_RANK
        if flat and {*map(type, shape)} <= {int} and min(shape, default=0) >= 0:
            count = math.prod(shape)
            if count or math.prod(n or 1 for n in shape) < 2**48:
                return name, shape, count
    raise Garbled("the message describes an impossible tensor")


def _finite(number: str) -> float:
    if not math.isfinite(float(number)):
        raise Garbled("the message's header contains a number that is not finite")
    return float(number)


def _no_constant(name: str) -> None:
    raise Garbled(f"the message's header contains {name}")


def _numbers(tensor: Tensor) -> memoryview:
    if tensor.dtype is torch.bfloat16:  # unknown to numpy
        tensor = tensor.contiguous().view(torch.int16)
    return np.ascontiguousarray(tensor.numpy(force=True)).data
