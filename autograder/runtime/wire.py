"""Data-only messages: a tree of plain values and tensors as bytes, and strictly back.

A message is `MAGIC`, the lengths of its two parts, a JSON header and a body. The header is
the tree, in which a tensor stands as `{"$tensor": [dtype, shape]}`, and one that has been met
before as `{"$again": i}`, i counting tensors from 0; spaces make its length a multiple of 8.
The body is the tensors' numbers in the order in which they are met, each padded to 8 bytes. There
are no names, offsets or types to trust, and reading never executes anything: what is not exactly
so is refused as Garbled.
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
ALIGNED = 8  # bytes: the place of each tensor is a multiple of it, as is the largest number
# Bytes of a stranger's header, of which reading makes up to thirty times as many, and of the
# tensors, each as often as it is used: so no reply costs the reader much time or memory.
MAX_HEADER, MAX_NUMBERS = 1 << 20, 16 << 20
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64, torch.float32, torch.float16, torch.bfloat16,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
    )
}  # fmt: skip
OTHERWISE = {"bfloat16": "int16", "bool": "uint8"}  # what numpy does not know, or trusts
STORED = {name: np.dtype(OTHERWISE.get(name, name)) for name in DTYPES}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

Tree = Any  # None, bool, int, float, str, Tensor, lists and str-keyed dicts of these


def encode(tree: Tree) -> bytes:
    """The message for a tree. Tensors must be dense CPU tensors of a type in DTYPES."""
    met: dict[int, int] = {}  # a tensor that is used twice travels once
    body: list[memoryview | bytes] = []

    def plain(tensor: Tensor) -> Tree:
        if id(tensor) in met:
            return {"$again": met[id(tensor)]}
        met[id(tensor)] = len(met)
        numbers = _numbers(tensor)
        body.append(numbers)
        if gap := -numbers.nbytes % ALIGNED:
            body.append(bytes(gap))
        return {"$tensor": [NAMES[tensor.dtype], list(tensor.shape)]}

    header = json.dumps(tree, allow_nan=False, default=plain).encode()
    header += b" " * (-len(header) % ALIGNED)
    size = sum(memoryview(part).nbytes for part in body)
    return b"".join([PREFIX.pack(MAGIC, len(header), size), header, *body])


def decode(message: bytes | bytearray, of_stranger: bool = False) -> Tree:
    """The tree of a whole message. Raises Garbled.

    A bytearray is taken over: the tensors share its memory, so the caller must not use it again.
    Of bytes a copy is made.
    of_stranger: it may be made to cost much, and is refused where it would.
    """
    if len(message) < PREFIX.size:
        raise Garbled("the message ends before it has begun")
    magic, header_size, body_size = PREFIX.unpack_from(message)
    if magic != MAGIC or len(message) != PREFIX.size + header_size + body_size:
        raise Garbled("the message's parts are not as long as it says")
    if of_stranger and (header_size > MAX_HEADER or body_size > MAX_NUMBERS):
        raise Garbled(f"the message has {header_size + body_size} bytes, more than any answer")
    start = PREFIX.size + header_size
    numbers = memoryview(message)[start:]
    if numbers.readonly or start % ALIGNED:
        numbers = memoryview(bytearray(numbers))
    body = _Body(numbers, MAX_NUMBERS if of_stranger else math.inf)
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
    """The numbers of a message, taken out from front to back as its header is read."""

    def __init__(self, numbers: memoryview, most: float) -> None:
        self._numbers = numbers
        self._left = most - len(numbers)  # bytes of tensors that may be used once more
        self._offset = 0
        self._tensors: list[Tensor] = []

    def whole(self, pairs: list[tuple[str, Tree]]) -> Tree:
        """What a JSON object stands for: a tensor, or a dictionary."""
        key, content = pairs[0] if len(pairs) == 1 else ("", None)
        if key == "$tensor":
            self._tensors.append(self._take(content))
            return self._tensors[-1]
        if key == "$again":
            if type(content) is not int or not 0 <= content < len(self._tensors):
                raise Garbled("the message uses a tensor that it does not have")
            tensor = self._tensors[content]
            self._left -= tensor.nbytes
            if self._left < 0:
                raise Garbled("the message uses its tensors too often")
            return tensor
        found = dict(pairs)
        if len(found) != len(pairs):
            raise Garbled("the message's header names a key twice")
        if "$tensor" in found or "$again" in found:
            raise Garbled("the message describes a tensor that cannot be")
        return found

    def end(self) -> None:
        """All of it must have been taken. Raises Garbled."""
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
            return tensor != 0  # a byte such as 7 is no bool
        return tensor.view(DTYPES[name]) if name in OTHERWISE else tensor


def _described(entry: Tree) -> tuple[str, list[int], int]:
    """The type, shape and count of numbers of a tensor."""
    if type(entry) is list and len(entry) == 2 and type(entry[0]) is str and entry[0] in DTYPES:
        name, shape = entry
        flat = type(shape) is list and len(shape) <= MAX_RANK
        if flat and {*map(type, shape)} <= {int} and min(shape, default=0) >= 0:
            count = math.prod(shape)
            if count or math.prod(n or 1 for n in shape) < 2**48:
                return name, shape, count
    raise Garbled("the message describes a tensor that cannot be")


def _finite(number: str) -> float:
    if not math.isfinite(float(number)):
        raise Garbled("the message's header contains a number beyond all bounds")
    return float(number)


def _no_constant(name: str) -> None:
    raise Garbled(f"the message's header contains {name}")


def _numbers(tensor: Tensor) -> memoryview:
    if tensor.dtype is torch.bfloat16:  # which numpy does not know
        tensor = tensor.contiguous().view(torch.int16)
    return np.ascontiguousarray(tensor.numpy(force=True)).data
