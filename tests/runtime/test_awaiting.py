"""Cells that await outside functions run in the sandbox as in Jupyter, which allows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.client import Session, SubmissionImplementation, Text
from autograder.sandbox import Limits, Sandbox, open_sandbox

CELLS = {
    "time": "import asyncio\nawait asyncio.sleep(0.01)",
    "several at once": (
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0.01)\n    return x\n"
        "assert await asyncio.gather(f(1), f(2)) == [1, 2]"
    ),
    "nothing": "async def f():\n    return 3\nassert await f() == 3",
}


@pytest.fixture(scope="module")
def room() -> Iterator[Sandbox]:
    with open_sandbox(Limits(), locked=True) as sandbox:
        yield sandbox


def problem_of(room: Sandbox, cell: str) -> tuple[str, str] | None:
    session = Session(room)
    try:
        own = Text("work", {"work": [["In [1]", cell]]}, ())
        found = SubmissionImplementation(session, own).load().problem
        return (found.type, found.text) if found else None
    finally:
        session.clear()


@pytest.mark.parametrize("what", CELLS)
def test_a_cell_may_wait_for(what: str, room: Sandbox) -> None:
    """What is raised at its end shows that it was run to there."""
    cell = f"{CELLS[what]}\nraise ValueError('reached')"
    assert problem_of(room, cell) == ("ValueError", "reached")


@pytest.mark.dear
def test_where_a_cell_waits_without_end_is_told() -> None:
    cell = "import asyncio\nawait asyncio.Event().wait()"
    with open_sandbox(Limits(seconds=1.0), locked=True) as sandbox:
        own = Text("work", {"work": [["In [1]", cell]]}, ())
        found = SubmissionImplementation(Session(sandbox), own).load().problem
    assert found and found.kind == "timeout"
    assert [(one.file, one.line) for one in found.frames] == [("In [1]", 2)]
