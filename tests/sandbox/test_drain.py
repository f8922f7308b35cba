"""Endless output never reaches a disk, and only a limited part of it is kept."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
from pathlib import Path

import pytest
import torch

from autograder.runtime.question_data import question_data
from autograder.runtime.questions import Build, Question
from autograder.runtime.wire import decode, encode
from autograder.sandbox import Limits, Lost, open_sandbox
from autograder.sandbox.drain import Drain

LIMITS = Limits(seconds=1.0, grace=0.5, printed=1000)
ENDLESS = """
import os
class PrintsOn:
    def __init__(self):
        while True:
            os.write(1, b"x" * 65536)
            os.write(2, b"y" * 65536)
"""


def test_output_is_kept_in_order_and_to_the_byte() -> None:
    drained = Drain(most=1000)
    for count in (0, 1, 1000, 100_000, 3):
        os.write(drained.writing, b"first" * bool(count) + b"x" * count)
        kept, dropped = drained.taken(5.0)
        printed = b"first" * bool(count) + b"x" * count
        assert (kept, dropped) == (printed[:1000], len(printed) - len(printed[:1000]))
    drained.close()


def test_bytes_that_a_mark_begins_with_are_printed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "autograder.sandbox.drain.secrets.token_bytes", lambda count: b"ab" * (count // 2)
    )
    drained = Drain(most=1000)
    for text in (b"a", b"ab", b"aba", b"ba"):
        os.write(drained.writing, text)
    assert drained.taken(5.0) == (b"aabababa", 0)
    drained.close()


def test_waiting_for_endless_output_is_limited() -> None:
    drained = Drain(most=1000)
    goes_on = threading.Event()
    goes_on.set()

    def flood() -> None:
        while goes_on.is_set():
            os.write(drained.writing, b"x" * 5000)

    flooding = threading.Thread(target=flood)
    flooding.start()
    try:
        every = [drained.taken(0.5)[0] for _ in range(5)]
        assert any(every)  # each alone may be empty: a mark can come between two writes
        for kept in every:
            assert kept == b"x" * len(kept)
            assert len(kept) <= 1000
    finally:
        goes_on.clear()
        flooding.join()
        drained.close()


@pytest.mark.dear
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("fork", [True, False], ids=["forked", "fresh"])
def test_endless_output_reaches_no_disk(fork: bool) -> None:
    """Code can print only into pipes, forked or not."""
    with open_sandbox(LIMITS, fork) as sandbox:
        child = sandbox.child()
        texts = {"m": ENDLESS}
        load = {
            "stem": "m",
            "texts": texts,
            "siblings": [],
            "homes": {},
            "folders": [""],
            "edit": None,
            "needed": [],
            "substitutes": {},
            "threads": 1,
        }
        assert decode(child.ask(encode({**load, "seconds": 1.0})))["problem"] is None
        opened = [os.stat(path) for path in Path(f"/proc/{child.process}/fd").iterdir()]
        assert len(opened) >= 3
        assert not [one for one in opened if stat.S_ISREG(one.st_mode)]
        asked = question_data(Question([Build(0, "PrintsOn", (), {}, torch.float64)]))
        message = encode({**asked, "seconds": 1.0})
        with contextlib.suppress(Lost):  # on a busy machine the grader may end it first
            assert decode(child.ask(message))[0]["problem"]["kind"] == "timeout"
        child.end()
    assert child.printed.stdout == b"x" * LIMITS.printed
    assert child.printed.stderr == b"y" * LIMITS.printed
    assert child.printed.dropped > 10 * LIMITS.printed
