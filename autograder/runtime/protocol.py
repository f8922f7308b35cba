"""What the grader and the child's side agree on, short of the tensors themselves."""

from __future__ import annotations

import struct

MAGIC = b"attn"
PREFIX = struct.Struct("<4sIQ")  # magic, bytes of the header, bytes of the body

FORK, END, KEEP_TO = b"fork", b"end!", b"core"  # orders to the warm process
ORDER = struct.Struct("<4sQ")  # one of them, and the child or core that it is about

# The time for a question is a number of seconds of CPU.
WALL = 10  # times as many seconds by the wall clock: a busy machine may leave a child one in ten
IDLE = 0.01  # of a core: what uses less is waiting for something, and a busy machine leaves it more


class Garbled(ValueError):
    """A message that is not what a well-behaved writer would have written."""


def size(prefix: bytes | bytearray, limit: int) -> int:
    """How many bytes follow a prefix. Raises Garbled for a foreign one or above the limit."""
    magic, header, body = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise Garbled("the message does not begin like one")
    if header + body > limit:
        raise Garbled(f"the message has {header + body} bytes, more than the {limit} allowed")
    return int(header + body)
