"""One child in a new process, on any system."""

from __future__ import annotations

import os
import sys

from autograder.child.answering import confine, prepare, work
from autograder.runtime import wire

if sys.platform == "win32":
    import msvcrt


def run_alone(replies: int, memory: int) -> None:
    """Run a child in a new process that reads jobs from stdin.

    replies: the descriptor for replies, on Windows its handle. memory: bytes that the
    submission may allocate, 0 for no limit.
    """
    prepare()
    confine(memory)
    if sys.platform == "win32":
        replies = msvcrt.open_osfhandle(replies, 0)
    os.set_inheritable(replies, False)  # processes that the submission starts must not reply
    outgoing = os.fdopen(replies, "wb")
    outgoing.write(wire.encode("ready"))
    outgoing.flush()
    work(sys.stdin.buffer, outgoing)
