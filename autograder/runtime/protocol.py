"""Constants and message framing that the grader and its children share."""

from __future__ import annotations

import struct

MAGIC = b"attn"
PREFIX = struct.Struct("<4sIQ")  # magic, bytes of the header, bytes of the body

FORK, END, USE_CORE = b"fork", b"end!", b"core"  # orders to the warm process
ORDER = struct.Struct("<4sQ")  # an order with its argument: AHEAD or 0, a child, a core
AHEAD = 1  # nobody waits for the child that is forked, so it warms up
USAGE = struct.Struct("@i18l")  # how a child ended: wait status and struct rusage, see wait4(2)

# The time limit of a question is in seconds of CPU time.
WALL = 10  # factor for elapsed time: on a busy machine a child may get a tenth of a core
IN_ALL = 2.5  # factor for all statements of a slow notebook; each has the time of a question
IDLE = 0.01  # fraction of a core; a child that uses less is waiting, even on a busy machine


class Garbled(ValueError):
    """A message does not follow the format."""


def size(prefix: bytes | bytearray, limit: int) -> int:
    """Return the number of bytes that follow a prefix, at most `limit`. Raises Garbled."""
    magic, header, body = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise Garbled("the message does not begin with the expected bytes")
    if header + body > limit:
        raise Garbled(f"the message has {header + body} bytes, more than the {limit} allowed")
    return int(header + body)
